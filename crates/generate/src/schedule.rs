//! Which steps are done when: each begins in order, beside others that it does not wait for, while there is room.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc;

use bolshak_tables::Pair;

use crate::job::{Making, Step};
use crate::solver::Solver;

/// Memory in bytes that a step takes besides what its solver tells: samples, dictionaries, pages that are being written.
const WRITING_BYTES: u64 = 48 << 20;

/// Steps with what they wait for and the memory they take.
///
/// A level of placements, or a pair without men, leaves cores idle at its end; the next pairs fill them.
pub struct Schedule<'a> {
    steps: &'a [Step],
    solver: &'a dyn Solver,
    /// By step, the earlier steps that make what it reads.
    waits_for: Vec<Vec<usize>>,
    /// By step, the pairs that it has in memory to read them.
    reads: Vec<BTreeSet<Pair>>,
    /// By step, the memory in bytes for what it makes.
    own_bytes: Vec<u64>,
    /// The memory in bytes that pairs take while a step is left that reads them.
    kept_bytes: BTreeMap<Pair, u64>,
}

/// How far the steps of a schedule are.
struct Standing {
    /// So many have begun: the first ones.
    begun: usize,
    is_done: Vec<bool>,
}

impl<'a> Schedule<'a> {
    /// Steps in an order in which they can be done one after another.
    pub fn new(steps: &'a [Step], solver: &'a dyn Solver) -> Schedule<'a> {
        let mut schedule = Schedule {
            steps,
            solver,
            waits_for: Vec::new(),
            reads: Vec::new(),
            own_bytes: Vec::new(),
            kept_bytes: BTreeMap::new(),
        };
        let mut made: BTreeMap<Pair, Vec<usize>> = BTreeMap::new();
        for (number, step) in steps.iter().enumerate() {
            let sets = step.sets();
            let closure = Pair::closure(&[step.pair.first()]);
            schedule.waits_for.push(closure.iter().filter_map(|pair| made.get(pair)).flatten().copied().collect());
            made.entry(step.pair).or_default().push(number);
            let solver_bytes = match step.making {
                Making::Forced(_) => solver.memory_bytes(step.pair, &sets),
                Making::Kings(_) => solver.kings_memory_bytes(step.pair, &sets),
            };
            schedule.own_bytes.push(WRITING_BYTES + solver_bytes);
            let reads = step.pair.children();
            for &pair in reads.iter().chain([&step.pair]) {
                let bytes = solver.kept_bytes(pair, &sets);
                schedule.kept_bytes.entry(pair).and_modify(|most| *most = bytes.max(*most)).or_insert(bytes);
            }
            schedule.reads.push(reads);
        }
        schedule
    }

    /// About the most memory in bytes that the steps take one after another, and the step that takes it. The pages of
    /// mapped tables come on top; the system takes them back when it needs them.
    pub fn memory_needed(&self) -> Option<(u64, &'a Step)> {
        let one_after_another = (0..self.steps.len()).map(|number| {
            let is_done = (0..self.steps.len()).map(|other| other < number).collect();
            (self.bytes(&Standing { begun: number + 1, is_done }), &self.steps[number])
        });
        // The first of equal ones.
        one_after_another.reduce(|most, next| if next.0 > most.0 { next } else { most })
    }

    /// The memory in bytes that the running steps and what is kept for later ones take.
    fn bytes(&self, standing: &Standing) -> u64 {
        let running = (0..standing.begun).filter(|number| !standing.is_done[*number]);
        let own: u64 = running.map(|number| self.own_bytes[number]).sum();
        let begun = 0..standing.begun;
        let made = begun.clone().filter(|number| standing.is_done[*number]).map(|number| self.steps[number].pair);
        let read = begun.flat_map(|number| &self.reads[number]).copied();
        let in_memory: BTreeSet<Pair> = made.chain(read).collect();
        own + in_memory
            .iter()
            .filter(|pair| self.is_needed(**pair, standing))
            .map(|pair| self.kept_bytes[pair])
            .sum::<u64>()
    }

    /// Whether a step that is not done reads a pair.
    fn is_needed(&self, pair: Pair, standing: &Standing) -> bool {
        self.reads.iter().zip(&standing.is_done).any(|(reads, is_done)| !is_done && reads.contains(&pair))
    }

    /// Whether the next step can begin: beside others only while all of them take no more than this memory.
    fn is_next_ready(&self, standing: &Standing, most_bytes: u64) -> bool {
        let next = standing.begun;
        next < self.steps.len()
            && self.waits_for[next].iter().all(|before| standing.is_done[*before])
            && (standing.is_done[..next].iter().all(|is_done| *is_done)
                || self.bytes(&Standing { begun: next + 1, is_done: standing.is_done.clone() }) <= most_bytes)
    }

    /// Does the steps, at most so many at once, and has the solver forget what none that is left reads. Those that are done
    /// beside others take `room_bytes` of memory together, or what the largest takes alone. After an error no step begins,
    /// but what is running goes on to its end.
    pub fn run<E: Send>(
        &self,
        most_at_once: usize,
        room_bytes: u64,
        work: impl Fn(&Step) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let most_bytes = self.memory_needed().map_or(room_bytes, |(bytes, _)| bytes.max(room_bytes));
        let mut standing = Standing { begun: 0, is_done: vec![false; self.steps.len()] };
        let (ended, endings) = mpsc::channel();
        std::thread::scope(|scope| {
            let (mut running, mut outcome) = (0, Ok(()));
            loop {
                while outcome.is_ok() && running < most_at_once.max(1) && self.is_next_ready(&standing, most_bytes) {
                    let (number, ended, work) = (standing.begun, &ended, &work);
                    let job = move || {
                        let result = catch_unwind(AssertUnwindSafe(|| work(&self.steps[number])));
                        // The receiver outlives the scope.
                        ended.send((number, result)).ok();
                    };
                    // Where the system gives no more threads it is done in this one.
                    if std::thread::Builder::new().spawn_scoped(scope, job).is_err() {
                        job();
                    }
                    standing.begun += 1;
                    running += 1;
                }
                let Some((number, result)) = (running > 0).then(|| endings.recv().ok()).flatten() else {
                    break outcome;
                };
                running -= 1;
                match result {
                    Ok(Ok(())) => {
                        standing.is_done[number] = true;
                        self.solver.retain(&|slice| self.is_needed(slice.pair(), &standing));
                    }
                    Ok(Err(error)) => outcome = outcome.and(Err(error)),
                    Err(panic) => resume_unwind(panic),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Condvar, Mutex};
    use std::time::Duration;

    use bolshak_rules::{Rules, Variant};
    use bolshak_tables::Slice;

    use super::*;
    use crate::solution::Solution;
    use crate::solver::{Children, SolveError, Watch};

    /// Solves nothing, and needs a byte for each piece and ten for a pair that is kept.
    #[derive(Default)]
    struct Measured {
        retained: Mutex<Vec<Slice>>,
    }

    impl Solver for Measured {
        fn solve(
            &self,
            _: Pair,
            _: Variant,
            _: &[Rules],
            _: &dyn Children,
            _: &dyn Watch,
        ) -> Result<Vec<Solution>, SolveError> {
            Ok(Vec::new())
        }

        fn memory_bytes(&self, pair: Pair, _: &[Rules]) -> u64 {
            pair.first().pieces().into()
        }

        fn kept_bytes(&self, _: Pair, _: &[Rules]) -> u64 {
            10
        }

        fn retain(&self, needed: &dyn Fn(Slice) -> bool) {
            let all = (2..=5).flat_map(Slice::all_of);
            *self.retained.lock().unwrap() = all.filter(|slice| needed(*slice)).collect();
        }
    }

    fn steps(pieces: u8) -> Vec<Step> {
        let slices: Vec<Slice> = (2..=pieces).flat_map(Slice::all_of).collect();
        let making = Making::Forced(vec![Rules::NONE]);
        Pair::closure(&slices).into_iter().map(|pair| Step { pair, making: making.clone() }).collect()
    }

    /// What is under way, and the most that has been at once.
    #[derive(Default)]
    struct Seen {
        running: Vec<Pair>,
        done: BTreeSet<Pair>,
        most_at_once: usize,
    }

    /// Runs a schedule; of the steps that could be done side by side each waits a little for another.
    fn run(steps: &[Step], most_at_once: usize, room_bytes: u64) -> Seen {
        let (seen, met) = (Mutex::new(Seen::default()), Condvar::new());
        let solver = Measured::default();
        let work = |step: &Step| {
            let mut now = seen.lock().unwrap();
            for pair in Pair::closure(&[step.pair.first()]).into_iter().filter(|pair| *pair != step.pair) {
                assert!(now.done.contains(&pair), "{} before {pair}", step.pair);
            }
            now.running.push(step.pair);
            now.most_at_once = now.most_at_once.max(now.running.len());
            met.notify_all();
            let alone = |now: &mut Seen| now.running.len() < most_at_once;
            let (mut now, _) = met.wait_timeout_while(now, Duration::from_millis(50), alone).unwrap();
            now.running.retain(|pair| *pair != step.pair);
            now.done.insert(step.pair);
            Ok::<(), ()>(())
        };
        Schedule::new(steps, &solver).run(most_at_once, room_bytes, work).unwrap();
        assert_eq!(*solver.retained.lock().unwrap(), []);
        seen.into_inner().unwrap()
    }

    #[test]
    fn steps_wait_for_what_they_read() {
        let steps = steps(4);
        for most_at_once in [1, 2, 3] {
            let seen = run(&steps, most_at_once, u64::MAX);
            assert_eq!((seen.done.len(), seen.most_at_once), (steps.len(), most_at_once));
        }
    }

    #[test]
    fn steps_side_by_side_fit_the_room() {
        let steps = steps(4);
        // Without room only those run together that need no more than the largest needs later.
        let solver = Measured::default();
        let schedule = Schedule::new(&steps, &solver);
        let (most, largest) = schedule.memory_needed().unwrap();
        assert_eq!(largest.pair.first().pieces(), 4);
        assert_eq!((most - WRITING_BYTES) % 10, 4);
        let last = schedule.steps.len() - 1;
        let side_by_side = Standing { begun: last + 1, is_done: (0..=last).map(|number| number + 1 < last).collect() };
        assert_eq!((schedule.bytes(&side_by_side) - 2 * WRITING_BYTES) % 10, 8);
        for (room_bytes, ready) in [(schedule.bytes(&side_by_side), true), (schedule.bytes(&side_by_side) - 1, false)] {
            let standing = Standing { begun: last, is_done: side_by_side.is_done.clone() };
            assert_eq!(schedule.is_next_ready(&standing, room_bytes), ready);
        }
        assert_eq!(run(&steps[..1], 2, 0).most_at_once, 1);
    }

    #[test]
    fn after_an_error_no_step_begins() {
        let steps = steps(4);
        let begun = Mutex::new(0);
        let work = |step: &Step| {
            *begun.lock().unwrap() += 1;
            if step.pair.first().pieces() == 3 { Err(step.pair) } else { Ok(()) }
        };
        let failed = Schedule::new(&steps, &Measured::default()).run(2, u64::MAX, work).unwrap_err();
        assert_eq!(failed.first().pieces(), 3);
        assert!(*begun.lock().unwrap() <= 5);
    }
}
