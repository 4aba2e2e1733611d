//! What is still to be made as a graph of jobs, for engines that run such graphs on many machines.
//!
//! A job makes the tables of a pair of slices. It reads the tables of the slices that conversions lead to, so that it
//! waits for the jobs that make those of them which are not there yet. We do not schedule: see `docs/CLUSTER.md`.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use bolshak_rules::Rules;
use bolshak_tables::{Coverage, Pair, Slice};

use crate::count::positions;
use crate::kings_job::has_kings_tables;
use crate::part::{PartRange, PartSolver};
use crate::part_store::sets_of;
use crate::rates::{self, Rate, divided, process_bytes, raw_bytes};
use crate::solver::Solver;

/// What a job does with its pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// It makes the tables.
    Whole,
    /// It solves a part.
    Part(PartRange),
    /// It makes the tables from all parts.
    Merge,
    /// It makes the tables of how king moves left matter.
    Kings,
}

/// A plan in which parts wait more often for each other than this is refused: no engine would take it, and every wait is a
/// line of it.
const MOST_WAITS: u64 = 1_000_000;

/// What a node can do: larger jobs are divided into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeLimits {
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// How long a job may take.
    pub time: Duration,
}

/// How pairs are divided into parts.
#[derive(Clone, Copy)]
pub struct Division<'a> {
    /// Beyond what.
    pub limits: NodeLimits,
    /// Whether a part has been made already.
    pub is_made: &'a dyn Fn(Pair, &PartRange) -> bool,
}

/// One job of a [`Graph`].
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// The pair of slices that it makes.
    pub pair: Pair,
    /// What of it.
    pub work: Work,
    /// The slices whose tables it reads.
    pub reads: Vec<Slice>,
    /// The parts of the same pair that it reads.
    pub reads_parts: Vec<PartRange>,
    /// The jobs that must be done before, as places in [`Graph::jobs`].
    pub after: Vec<usize>,
    /// What it takes.
    pub estimate: Estimate,
}

/// What a job takes, from measured rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Number of positions that it solves or puts together.
    pub positions: u64,
    /// Cores it is worth.
    pub cores: u16,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Time on so many cores.
    pub time: Duration,
    /// Length in bytes of the tables it makes.
    pub table_bytes: u64,
    /// Length in bytes of the tables it reads.
    pub input_bytes: u64,
    /// Time from its start until all that waits for it is done, were there a node for every job.
    pub time_to_end: Duration,
}

/// Jobs and what each waits for.
#[derive(Clone, PartialEq, Debug)]
pub struct Graph {
    /// The rules of the tables.
    pub rules: Rules,
    /// The jobs, in an order in which they could be done one after another.
    pub jobs: Vec<Job>,
}

/// One of [`NodeLimits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeLimit {
    /// [`NodeLimits::memory_bytes`].
    Memory,
    /// [`NodeLimits::time`].
    Time,
}

/// What is wrong with a graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GraphError {
    /// Jobs wait for each other.
    #[error("{0} waits for itself")]
    Cycle(Pair),
    /// A job waits for one that is not in the graph.
    #[error("{0} waits for a job that is not in the plan")]
    NoSuchJob(Pair),
    /// A job reads tables that are not there and that no job before it makes.
    #[error("{reader} reads {slice}, which is not there and is not made before")]
    MissingInput {
        /// The job.
        reader: Pair,
        /// What it reads.
        slice: Slice,
    },
    /// There would be too many parts.
    #[error(
        "with {pair} in {parts} parts the plan is too large: parts would wait for others {waits} times, {MOST_WAITS} at most are planned"
    )]
    TooManyParts {
        /// The pair that is one too much.
        pair: Pair,
        /// Number of its parts.
        parts: u64,
        /// How often parts of all pairs so far wait for others.
        waits: u64,
        /// What to raise, so that there are fewer.
        limit: NodeLimit,
    },
}

impl Graph {
    /// The jobs that are left so that these slices can be probed under these rules, none using more than so many cores.
    /// Pairs that are beyond limits are divided, as far as they can be, and of their parts those left out that are made. With `kings` also those that make tables of how
    /// king moves left matter, of pairs that have them; nothing waits for these, and they are not divided.
    ///
    /// What is finished is told by the names of files; that they are sound, a job sees when it reads them.
    pub fn new<S: Solver + PartSolver>(
        coverage: &Coverage,
        slices: &[Slice],
        rules: &Rules,
        solver: &S,
        cores: u16,
        division: Option<Division<'_>>,
        kings: bool,
    ) -> Result<Graph, GraphError> {
        let mut places = HashMap::new();
        let mut jobs: Vec<Job> = Vec::new();
        let mut waits = 0;
        let mut kept_bytes = HashMap::new();
        for pair in Pair::closure(slices) {
            let reads: BTreeSet<Slice> = pair.slices().flat_map(Slice::children).collect();
            let before: BTreeSet<Pair> = reads.iter().map(|slice| slice.pair()).collect();
            let reads: Vec<Slice> = reads.into_iter().collect();
            let costs = LazyCell::new(|| Costs::new(pair, &reads, *rules, solver, cores, &mut kept_bytes));
            let places_of = |places: &HashMap<Pair, usize>, pairs: &BTreeSet<Pair>| -> Vec<usize> {
                pairs.iter().filter_map(|pair| places.get(pair).copied()).collect()
            };
            if !pair.slices().all(|slice| coverage.has(slice, rules)) {
                costs.add_jobs(&mut jobs, places_of(&places, &before), division, &mut waits)?;
                places.insert(pair, jobs.len() - 1);
            }
            let has_kings = || pair.slices().all(|slice| coverage.has_kings(slice, rules));
            if kings && has_kings_tables(pair, rules) && !has_kings() {
                let after = places_of(&places, &before.into_iter().chain([pair]).collect());
                let estimate = costs.kings();
                let reads = reads.iter().copied().chain(pair.slices()).collect();
                jobs.push(Job { pair, work: Work::Kings, reads, reads_parts: Vec::new(), after, estimate });
            }
        }
        let mut graph = Graph { rules: *rules, jobs };
        graph.measure_paths();
        Ok(graph)
    }

    fn measure_paths(&mut self) {
        for number in (0..self.jobs.len()).rev() {
            let Job { after, estimate, .. } = &mut self.jobs[number];
            estimate.time_to_end += estimate.time;
            let (time, after) = (estimate.time_to_end, after.clone());
            for before in after {
                let longest = &mut self.jobs[before].estimate.time_to_end;
                *longest = time.max(*longest);
            }
        }
    }

    /// Time from start to end, were there a node for every job.
    pub fn critical_path(&self) -> Duration {
        self.jobs.iter().map(|job| job.estimate.time_to_end).max().unwrap_or_default()
    }

    /// Checks that no job waits for itself and that all that is read is there or made before.
    pub fn check(&self, coverage: &Coverage) -> Result<(), GraphError> {
        let mut waiting: Vec<usize> = self.jobs.iter().map(|job| job.after.len()).collect();
        let mut waiters: Vec<Vec<usize>> = vec![Vec::new(); self.jobs.len()];
        for (number, job) in self.jobs.iter().enumerate() {
            for &before in &job.after {
                waiters.get_mut(before).ok_or(GraphError::NoSuchJob(job.pair))?.push(number);
            }
        }
        let mut ready: Vec<usize> = (0..self.jobs.len()).filter(|&number| waiting[number] == 0).collect();
        while let Some(done) = ready.pop() {
            for &waiter in &waiters[done] {
                waiting[waiter] -= 1;
                if waiting[waiter] == 0 {
                    ready.push(waiter);
                }
            }
        }
        if let Some(number) = waiting.iter().position(|&left| left > 0) {
            return Err(GraphError::Cycle(self.jobs[number].pair));
        }
        for job in &self.jobs {
            // What the parts of a level read, those before it have read already.
            if job.after.iter().any(|&before| self.jobs[before].pair == job.pair) {
                continue;
            }
            for &slice in &job.reads {
                let makes =
                    |before: &Job| before.pair == slice.pair() && matches!(before.work, Work::Whole | Work::Merge);
                let made = job.after.iter().any(|&before| makes(&self.jobs[before]));
                if !made && !coverage.has(slice, &self.rules) {
                    return Err(GraphError::MissingInput { reader: job.pair, slice });
                }
            }
        }
        Ok(())
    }
}

/// The jobs of one pair and their estimates.
struct Costs<'a, S> {
    pair: Pair,
    reads: &'a [Slice],
    rules: Rules,
    solver: &'a S,
    cores: u16,
    /// What is kept of the slices that it reads.
    kept_bytes: u64,
}

impl<'a, S: Solver + PartSolver> Costs<'a, S> {
    fn new(
        pair: Pair,
        reads: &'a [Slice],
        rules: Rules,
        solver: &'a S,
        cores: u16,
        kept_bytes: &mut HashMap<Pair, u64>,
    ) -> Costs<'a, S> {
        let pairs: BTreeSet<Pair> = reads.iter().map(|slice| slice.pair()).collect();
        let sets = sets_of(&rules);
        let mut kept = |pair| *kept_bytes.entry(pair).or_insert_with(|| solver.kept_bytes(pair, &sets));
        let kept_bytes = pairs.into_iter().map(&mut kept).sum();
        Costs { pair, reads, rules, solver, cores, kept_bytes }
    }

    /// Adds the job that makes the tables, or those of its parts and the one that merges them, and counts how often parts
    /// wait for others.
    fn add_jobs(
        &self,
        jobs: &mut Vec<Job>,
        after: Vec<usize>,
        division: Option<Division<'_>>,
        waits: &mut u64,
    ) -> Result<(), GraphError> {
        let (pair, reads) = (self.pair, self.reads.to_vec());
        let whole = self.whole();
        let divided =
            division.map(|division| Ok((division, self.parts(&whole, division.limits, waits)?))).transpose()?;
        let Some((division, parts)) = divided.filter(|(_, parts)| parts.len() > 1) else {
            let reads_parts = Vec::new();
            jobs.push(Job { pair, work: Work::Whole, reads, reads_parts, after, estimate: whole });
            return Ok(());
        };
        let levels = self.solver.levels(pair);
        // Most parts are of one of a few sizes.
        let mut estimates = HashMap::new();
        let mut level_before: (Vec<usize>, Vec<PartRange>) = (after, Vec::new());
        for of_level in parts.chunk_by(|one, other| one.level == other.level) {
            let mut numbers = Vec::new();
            for part in of_level.iter().filter(|part| !(division.is_made)(pair, part)) {
                numbers.push(jobs.len());
                let positions = levels.positions(part);
                jobs.push(Job {
                    pair,
                    work: Work::Part(part.clone()),
                    reads: reads.clone(),
                    reads_parts: level_before.1.clone(),
                    after: level_before.0.clone(),
                    estimate: *estimates.entry(positions).or_insert_with(|| self.part(&whole, positions)),
                });
            }
            // After a level that is made, what it would have waited for is waited for.
            let after = if numbers.is_empty() { level_before.0 } else { numbers };
            level_before = (after, of_level.to_vec());
        }
        let (after, estimate) = (level_before.0, self.merge());
        jobs.push(Job { pair, work: Work::Merge, reads: Vec::new(), reads_parts: parts, after, estimate });
        Ok(())
    }

    fn sets(&self) -> Vec<Rules> {
        sets_of(&self.rules)
    }

    fn input_bytes(&self) -> u64 {
        self.reads.iter().map(|&slice| rates::forced(slice).table_bytes(slice)).sum()
    }

    fn table_bytes(&self, rate: fn(Slice) -> &'static Rate) -> u64 {
        self.pair.slices().map(|slice| rate(slice).table_bytes(slice)).sum()
    }

    fn solving(&self, rate: fn(Slice) -> &'static Rate) -> Duration {
        self.pair.slices().map(|slice| rate(slice).solving(slice)).sum()
    }

    fn writing(&self, rate: fn(Slice) -> &'static Rate) -> Duration {
        self.pair.slices().map(|slice| rate(slice).writing(slice)).sum()
    }

    fn reading(&self) -> Duration {
        self.reads.iter().map(|&slice| rates::reading(slice)).sum()
    }

    fn positions(&self) -> u64 {
        self.pair.slices().map(positions).sum()
    }

    fn whole(&self) -> Estimate {
        let solver_bytes = self.kept_bytes + self.solver.memory_bytes(self.pair, &self.sets());
        self.undivided(rates::forced, solver_bytes)
    }

    /// The parts that a pair is divided into, or none if it stays whole: as many as time asks for, and more if that makes
    /// memory suffice.
    fn parts(&self, whole: &Estimate, limits: NodeLimits, waits: &mut u64) -> Result<Vec<PartRange>, GraphError> {
        if whole.time <= limits.time && whole.memory_bytes <= limits.memory_bytes {
            return Ok(Vec::new());
        }
        let levels = self.solver.levels(self.pair);
        let share = limits.time.as_secs_f64() / whole.time.as_secs_f64();
        let mut most = (self.positions() as f64 * share.min(1.)) as u64;
        let fits = |positions: u64| self.part(whole, positions).memory_bytes <= limits.memory_bytes;
        let mut limit = NodeLimit::Time;
        // What all parts of a level need alike does not grow less.
        if fits(levels.positions_per_task) {
            while most > levels.positions_per_task && !fits(most) {
                most /= 2;
                limit = NodeLimit::Memory;
            }
        }
        let mut before = 1;
        for parts in levels.counts(most) {
            *waits = waits.saturating_add(parts.saturating_mul(before));
            before = parts;
        }
        if *waits > MOST_WAITS {
            let parts = levels.counts(most).fold(0, u64::saturating_add);
            return Err(GraphError::TooManyParts { pair: self.pair, parts, waits: *waits, limit });
        }
        Ok(levels.divide(most))
    }

    fn part(&self, whole: &Estimate, positions: u64) -> Estimate {
        let share = positions as f64 / whole.positions as f64;
        let core_time = self.solving(rates::forced).mul_f64(share) + self.reading();
        let solver_bytes = self.kept_bytes + self.solver.part_memory_bytes(self.pair, &self.sets(), positions);
        self.estimate(core_time, solver_bytes, positions, [raw_bytes(positions), self.input_bytes()])
    }

    fn merge(&self) -> Estimate {
        let positions = self.positions();
        let solver_bytes = self.solver.merge_memory_bytes(self.pair, &self.sets());
        self.estimate(
            self.writing(rates::forced),
            solver_bytes,
            positions,
            [self.table_bytes(rates::forced), raw_bytes(positions)],
        )
    }

    fn kings(&self) -> Estimate {
        let solver_bytes = self.kept_bytes + self.solver.kings_memory_bytes(self.pair, &self.sets());
        self.undivided(rates::kings_left, solver_bytes)
    }

    fn undivided(&self, rate: fn(Slice) -> &'static Rate, solver_bytes: u64) -> Estimate {
        let core_time = self.solving(rate) + self.writing(rate) + self.reading();
        self.estimate(core_time, solver_bytes, self.positions(), [self.table_bytes(rate), self.input_bytes()])
    }

    fn estimate(&self, core_time: Duration, solver_bytes: u64, positions: u64, [out, read]: [u64; 2]) -> Estimate {
        let (cores, time) = divided(core_time, self.cores);
        let memory_bytes = process_bytes(solver_bytes);
        let time_to_end = Duration::ZERO;
        Estimate { positions, cores, memory_bytes, time, table_bytes: out, input_bytes: read, time_to_end }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use bolshak_rules::Variant;
    use bolshak_tables::{Kind, Tables};

    use super::*;
    use crate::{ScalarSolver, SetwiseSolver, generate};

    fn kings_pairs(graph: &Graph) -> Vec<Pair> {
        graph.jobs.iter().filter(|job| job.work == Work::Kings).map(|job| job.pair).collect()
    }

    fn all(pieces: u8) -> Vec<Slice> {
        (2..=pieces).flat_map(Slice::all_of).collect()
    }

    fn nothing_there() -> Coverage {
        Tables::open("no-such-directory", Variant::Russian).coverage().unwrap()
    }

    fn graph(coverage: &Coverage, pieces: u8) -> Graph {
        Graph::new(coverage, &all(pieces), &Rules::OFFICIAL, &SetwiseSolver::default(), 8, None, false).unwrap()
    }

    #[test]
    fn a_graph_has_every_pair_after_what_it_reads() {
        for pieces in [2, 5, 8] {
            let graph = graph(&nothing_there(), pieces);
            graph.check(&nothing_there()).unwrap();
            let pairs: BTreeSet<Pair> = graph.jobs.iter().map(|job| job.pair).collect();
            assert_eq!(pairs, (2..=pieces).flat_map(Pair::all_of).collect());
            for (number, job) in graph.jobs.iter().enumerate() {
                assert!(job.after.iter().all(|before| *before < number), "{}", job.pair);
            }
        }
    }

    #[test]
    fn what_is_finished_is_left_out_and_its_slices_are_inputs() {
        let directory = tempfile::tempdir().unwrap();
        let tables = Tables::open(directory.path(), Variant::Russian);
        let rules = Rules::OFFICIAL;
        generate(&tables, &all(3), &[rules], &ScalarSolver, &mut (), &AtomicBool::new(false)).unwrap();
        let coverage = tables.coverage().unwrap();
        let left = graph(&coverage, 4);
        left.check(&coverage).unwrap();
        assert!(left.jobs.iter().all(|job| job.pair.first().pieces() == 4));
        assert!(matches!(left.check(&nothing_there()), Err(GraphError::MissingInput { .. })));

        let slice: Slice = "KmvK".parse().unwrap();
        std::fs::remove_file(tables.path(slice, &Kind::Distance)).unwrap();
        let coverage = tables.coverage().unwrap();
        let left = graph(&coverage, 3);
        left.check(&coverage).unwrap();
        assert_eq!(left.jobs.iter().map(|job| job.pair).collect::<Vec<_>>(), [slice.pair()]);
    }

    #[test]
    fn tables_of_king_moves_left_come_after_the_others_of_their_pair() {
        let graph = |coverage: &Coverage, limits: Option<NodeLimits>| {
            let slices: Vec<Slice> = vec!["KKmvKK".parse().unwrap()];
            let division = limits.map(|limits| Division { limits, is_made: &|_, _| false });
            Graph::new(coverage, &slices, &Rules::OFFICIAL, &SetwiseSolver::default(), 1, division, true).unwrap()
        };
        let pair = "KKmvKK".parse::<Slice>().unwrap().pair();
        for limits in [None, Some(NodeLimits { memory_bytes: u64::MAX, time: Duration::from_millis(10) })] {
            let whole = graph(&nothing_there(), limits);
            whole.check(&nothing_there()).unwrap();
            assert_eq!(kings_pairs(&whole), [pair]);
            let [.., before, last] = &whole.jobs[..] else { panic!() };
            assert_eq!((before.pair, &last.work), (pair, &Work::Kings));
            assert!(last.after.contains(&(whole.jobs.len() - 2)));
            assert_eq!(before.work == Work::Merge, limits.is_some());
            // What waits for such a job has not got what it reads.
            let mut broken = whole.clone();
            let kings = broken.jobs.len() - 1;
            broken.jobs.push(Job { pair: "KKvK".parse::<Slice>().unwrap().pair(), after: vec![kings], ..last.clone() });
            assert!(matches!(broken.check(&nothing_there()), Err(GraphError::MissingInput { .. })));
        }
        let directory = tempfile::tempdir().unwrap();
        let tables = Tables::open(directory.path(), Variant::Russian);
        let touch = |slice, kind: &Kind| std::fs::write(tables.path(slice, kind), "there").unwrap();
        std::fs::create_dir(directory.path().join("russian")).unwrap();
        for slice in Pair::closure(&[pair.first()]).into_iter().flat_map(Pair::slices) {
            Kind::needed_by(&Rules::OFFICIAL).for_each(|kind| touch(slice, &kind));
        }
        let left = graph(&tables.coverage().unwrap(), None);
        left.check(&tables.coverage().unwrap()).unwrap();
        assert_eq!((kings_pairs(&left), left.jobs.len()), (vec![pair], 1));
        pair.slices().for_each(|slice| touch(slice, &Kind::Kings(Rules::OFFICIAL)));
        assert_eq!(graph(&tables.coverage().unwrap(), None).jobs, []);
    }

    /// In parts of no time, of a pair all of whose children are made.
    fn in_parts(name: &str, is_made: &dyn Fn(Pair, &PartRange) -> bool) -> Result<Graph, GraphError> {
        let limits = NodeLimits { memory_bytes: u64::MAX, time: Duration::from_millis(1) };
        let division = Some(Division { limits, is_made });
        let slices: Vec<Slice> = vec![name.parse().unwrap()];
        Graph::new(&nothing_there(), &slices, &Rules::OFFICIAL, &SetwiseSolver::default(), 1, division, false)
    }

    #[test]
    fn parts_that_are_made_are_left_out() {
        let pair = "KmvKm".parse::<Slice>().unwrap().pair();
        let of_pair = |graph: &Graph| graph.jobs.iter().filter(|job| job.pair == pair).cloned().collect::<Vec<_>>();
        let all = in_parts("KmvKm", &|_, _| false).unwrap();
        all.check(&nothing_there()).unwrap();
        // All of one level, and one of another.
        let is_made =
            |made: Pair, part: &PartRange| made == pair && (part.level == 3 || part.level == 6 && part.tasks.0 == 0);
        let left = in_parts("KmvKm", &is_made).unwrap();
        left.check(&nothing_there()).unwrap();
        let expected: Vec<Work> = of_pair(&all).into_iter().map(|job| job.work).collect();
        let expected: Vec<Work> =
            expected.into_iter().filter(|work| !matches!(work, Work::Part(part) if is_made(pair, part))).collect();
        assert!(expected.len() + 1 < of_pair(&all).len());
        assert_eq!(of_pair(&left).into_iter().map(|job| job.work).collect::<Vec<_>>(), expected);
        for job in of_pair(&left) {
            let waits_for = |level: usize| {
                let is_of =
                    |before: &usize| matches!(&left.jobs[*before].work, Work::Part(part) if part.level == level);
                !job.after.is_empty() && job.after.iter().all(is_of)
            };
            match &job.work {
                Work::Part(part) if part.level == 4 => assert!(waits_for(2)),
                Work::Part(part) if part.level > 0 => assert!(waits_for(part.level - 1)),
                _ => {}
            }
        }
        let merge = in_parts("KmvKm", &|made, _| made == pair).unwrap();
        merge.check(&nothing_there()).unwrap();
        assert_eq!(of_pair(&merge).iter().map(|job| &job.work).collect::<Vec<_>>(), [&Work::Merge]);
    }

    #[test]
    fn a_plan_of_too_many_parts_is_refused_at_once() {
        let error = in_parts("KKmmmvKKmmm", &|_, _| false).unwrap_err();
        assert!(matches!(error, GraphError::TooManyParts { limit: NodeLimit::Time, .. }), "{error}");
    }

    #[test]
    fn a_broken_graph_is_found() {
        let coverage = nothing_there();
        let whole = graph(&coverage, 4);
        let last = whole.jobs.len() - 1;
        let pair = whole.jobs[last].pair;

        let mut broken = whole.clone();
        let forgotten = broken.jobs[last].after.pop().unwrap();
        let Err(GraphError::MissingInput { reader, slice }) = broken.check(&coverage) else { panic!("{forgotten}") };
        assert_eq!((reader, slice.pair()), (pair, whole.jobs[forgotten].pair));

        let mut broken = whole.clone();
        broken.jobs[0].after.push(last);
        assert!(matches!(broken.check(&coverage), Err(GraphError::Cycle(_))));

        let mut broken = whole;
        broken.jobs[last].after.push(last + 1);
        assert_eq!(broken.check(&coverage), Err(GraphError::NoSuchJob(pair)));
    }

    #[test]
    fn the_critical_path_is_the_longest_chain() {
        let graph = graph(&nothing_there(), 5);
        let mut ends = vec![Duration::ZERO; graph.jobs.len()];
        for (number, job) in graph.jobs.iter().enumerate() {
            let begin = job.after.iter().map(|&before| ends[before]).max().unwrap_or_default();
            ends[number] = begin + job.estimate.time;
        }
        assert_eq!(graph.critical_path(), ends.into_iter().max().unwrap());
    }
}
