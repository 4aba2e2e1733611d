//! The plain solver: slow, literal, and the independent check of every faster one.
//!
//! It works on states, one at a time, with the moves and the state machine of `bolshak_rules`. What it relies on beyond
//! the recursion itself is one fact. While the force ratio stands, the limit on it (1.9.1.3, 1.9.1.4) only says how many
//! plies there are in all; so the shortest play that the other counts allow decides for every value of `ratio` at once:
//! a state is won exactly if that play fits into the plies left. The solver therefore finds, for each value of the
//! `kings` and `road` counters, the plies that play takes, and looks at the limit only when the values are given out.

use std::collections::BTreeMap;

use bolshak_rules::{Counters, Kind, Over, Position, Rules, State, Variant, stronger_side_of_three_to_one};
use bolshak_tables::{Forced, Pair, Placement, Slice, SliceIndex};
use rayon::prelude::*;

use crate::code::Found;
use crate::solution::Solution;
use crate::solver::{Children, SolveError, Solver, Watch};

/// The solver described in this module.
#[derive(Clone, Copy, Default, Debug)]
pub struct ScalarSolver;

impl Solver for ScalarSolver {
    fn solve(
        &self,
        pair: Pair,
        variant: Variant,
        sets: &[Rules],
        children: &dyn Children,
        watch: &dyn Watch,
    ) -> Result<Vec<Solution>, SolveError> {
        let base = solve(pair, &Rules { variant, ..Rules::NONE }, children, watch)?;
        let sets = sets.iter().map(|rules| solve(pair, rules, children, watch)).collect::<Result<Vec<_>, _>>()?;
        let solution = |(number, slice): (usize, Slice)| {
            let of_sets: Vec<_> = sets.iter().map(|of_set| of_set[number].clone()).collect();
            Solution::of_values(slice, &base[number], &of_sets)
        };
        Ok(pair.slices().enumerate().map(solution).collect())
    }

    fn memory_bytes(&self, pair: Pair, sets: &[Rules]) -> u64 {
        let first = SliceIndex::new(pair.first());
        let value = size_of::<Forced>() as u64;
        let roads = sets.iter().map(|rules| roads(&first, rules)).max().unwrap_or(1) as u64;
        let children: u64 =
            pair.slices().flat_map(Slice::children).map(|slice| SliceIndex::new(slice).positions() * value).sum();
        let nodes = 2 * roads * first.positions_per_placement();
        let node = (size_of::<Node>() + MEAN_KING_MOVES * size_of::<u32>()) as u64 + 2 * value;
        let found = (1 + sets.len() as u64) * 2 * first.positions() * (size_of::<Found>() + size_of::<u16>()) as u64;
        let solving = 2 * (roads + 1) * first.positions() * value;
        let level = first.levels().map(|level| level.end - level.start).max().unwrap_or(0);
        children + solving + found + level.min(rayon::current_num_threads() as u64) * nodes * node
    }
}

/// What is found in the slices of a pair under some rules.
pub(crate) fn solve(
    pair: Pair,
    rules: &Rules,
    children: &dyn Children,
    watch: &dyn Watch,
) -> Result<Vec<Vec<Found>>, SolveError> {
    let mut solution = Work::new(pair, rules, children)?;
    let slices = pair.slices().count();
    for level in solution.sides[0].index.levels().collect::<Vec<_>>() {
        if watch.stopped() {
            return Err(SolveError::Stopped);
        }
        let placements = level.end - level.start;
        let solved: Vec<_> = level
            .into_par_iter()
            .map(|rank| solution.sides[0].index.placement(rank))
            // In a pair of one slice a placement and its half-turn are one problem.
            .filter(|placement| {
                let partner = &solution.sides[1].index;
                slices == 2 || partner.placement_rank(*placement) <= partner.placement_rank(placement.flipped())
            })
            .map(|placement| solution.solve_placement(placement))
            .collect();
        for (placement, values) in solved {
            solution.store(placement, values);
        }
        if rules.without_draw_rules() == *rules {
            watch.advanced(slices as u64 * placements * solution.sides[0].index.positions_per_placement());
        }
    }
    Ok(solution.sides[..slices].iter().map(|side| side.found(rules)).collect())
}

/// King moves of a position on average where kings are many, for an estimate of memory.
const MEAN_KING_MOVES: usize = 16;

/// The number of values of the `road` counter: 0 to 5.
const ROADS: usize = 6;

/// How many values of `road` make a difference in a slice.
fn roads(index: &SliceIndex, rules: &Rules) -> usize {
    let three_to_one = stronger_side_of_three_to_one(&index.position(0)).is_some();
    if three_to_one && rules.set.main_road.is_some() { ROADS } else { 1 }
}

/// A pair being solved.
struct Work<'a> {
    rules: &'a Rules,
    /// The positions with the first slice's mover to move, and those with the other side to move. In a pair of one slice
    /// both are the same.
    sides: [Side; 2],
    children: BTreeMap<Slice, (SliceIndex, Vec<Forced>)>,
    roads: usize,
}

/// The positions of a slice.
struct Side {
    index: SliceIndex,
    /// By `road` and position, at `kings` 0: what is forced however many plies it takes.
    values: Vec<Vec<Forced>>,
}

impl Side {
    /// What is forced in fresh positions.
    fn found(&self, rules: &Rules) -> Vec<Found> {
        self.values[0]
            .par_iter()
            .enumerate()
            .map(|(number, forced)| {
                let state = State::fresh(self.index.position(number as u64));
                Found { forced: forced.within(rules.ratio_left(&state)), can_capture: state.position.can_capture() }
            })
            .collect()
    }
}

/// A state within a placement, but for `kings`: one of the two sides to move, the kings' number, `road`.
struct Node {
    ended: Option<Forced>,
    /// The best of the moves that leave the placement.
    exit: Option<Forced>,
    /// The nodes that king moves lead to.
    king_moves: Vec<u32>,
}

impl Node {
    /// What is forced here when `reached` says what is forced one ply on.
    fn forced(&self, exit: Option<Forced>, reached: &[Forced]) -> Forced {
        self.ended.unwrap_or_else(|| {
            let by_kings = self.king_moves.iter().map(|&node| reached[node as usize].before_quiet_move());
            by_kings.chain(exit).max().unwrap_or(Forced::NOTHING)
        })
    }
}

impl<'a> Work<'a> {
    fn new(pair: Pair, rules: &'a Rules, children: &dyn Children) -> Result<Work<'a>, SolveError> {
        let first = pair.first();
        let roads = roads(&SliceIndex::new(first), rules);
        let side = |slice| {
            let index = SliceIndex::new(slice);
            let values = vec![vec![Forced::NOTHING; index.positions() as usize]; roads];
            Side { index, values }
        };
        let mut loaded = BTreeMap::new();
        for slice in pair.slices().flat_map(Slice::children) {
            let index = SliceIndex::new(slice);
            let mut values = vec![Forced::NOTHING; index.positions() as usize];
            children.read(slice, rules, 0, &mut values)?;
            loaded.insert(slice, (index, values));
        }
        Ok(Work { rules, sides: [side(first), side(first.partner())], children: loaded, roads })
    }

    fn store(&mut self, placement: Placement, values: Vec<Forced>) {
        let one_slice = self.sides[0].index.slice() == self.sides[1].index.slice();
        for (side, placement) in [(0, placement), (1, placement.flipped())] {
            let per_placement = self.sides[side].index.positions_per_placement() as usize;
            let start = self.sides[side].index.placement_rank(placement) as usize * per_placement;
            for road in 0..self.roads {
                let plane = &values[self.node(side, 0, road)..][..per_placement];
                // A pair of one slice has both its sides' values in both, so that either can be looked up.
                for target in if one_slice { 0..2 } else { side..side + 1 } {
                    self.sides[target].values[road][start..start + per_placement].copy_from_slice(plane);
                }
            }
        }
    }

    /// The number of a node: by side, then `road`, then the kings.
    fn node(&self, side: usize, king_rank: usize, road: usize) -> usize {
        let per_placement = self.sides[0].index.positions_per_placement() as usize;
        (side * self.roads + road) * per_placement + king_rank
    }

    /// What is forced in every node of a placement at `kings` 0.
    fn solve_placement(&self, placement: Placement) -> (Placement, Vec<Forced>) {
        let per_placement = self.sides[0].index.positions_per_placement();
        let mut nodes = Vec::with_capacity(2 * self.roads * per_placement as usize);
        for side in 0..2 {
            for road in 0..self.roads {
                nodes.extend((0..per_placement).map(|rank| self.make_node(placement, side, rank, road as u8)));
            }
        }
        let kings_limit = self.rules.kings_left(&State::fresh(self.sides[0].index.position(0)));
        let values = match kings_limit {
            Some(plies) => count_down_kings(&nodes, plies),
            None => without_kings_limit(&nodes),
        };
        (placement, values)
    }

    fn make_node(&self, placement: Placement, side: usize, king_rank: u64, road: u8) -> Node {
        let seen = if side == 0 { placement } else { placement.flipped() };
        let position = self.sides[side].index.position_in(seen, king_rank);
        // A fixed value of `ratio` is enough: a road count needs its own moves to have been made.
        let counters =
            Counters { ratio_plies: 2 * u32::from(road), kings_plies: 2 * u32::from(road), road_moves: road };
        let Ok(state) = State::new(position, counters) else {
            return Node { ended: Some(Forced::NOTHING), exit: None, king_moves: Vec::new() };
        };
        let mut node = Node { ended: self.ended(&position), exit: None, king_moves: Vec::new() };
        if node.ended.is_none() && self.rules.road_left(&state) == Some(0) && !self.rules.road_review_due(&state) {
            node.ended = Some(Forced::NOTHING);
        }
        if node.ended.is_some() {
            return node;
        }
        for mv in position.legal_moves() {
            let after = self.rules.after(&state, &mv);
            let road = usize::from(after.counters.road_moves).min(self.roads - 1);
            if mv.is_conversion() {
                node.exit = node.exit.max(Some(self.converted(&after.position).before_conversion()));
            } else if mv.kind == Kind::Man {
                let partner = &self.sides[1 - side];
                let number = partner.index.index(&after.position) as usize;
                node.exit = node.exit.max(Some(partner.values[road][number].before_quiet_move()));
            } else {
                let seen = after.position.from_mover();
                let (mover, opponent) = (seen.mover(), seen.opponent());
                let placement = Placement { white: mover.men, black: opponent.men };
                let king_rank = self.sides[1 - side].index.king_rank(placement, mover.kings, opponent.kings);
                node.king_moves.push(self.node(1 - side, king_rank as usize, road) as u32);
            }
        }
        node
    }

    fn ended(&self, position: &Position) -> Option<Forced> {
        match self.rules.over_by_no_move(position) {
            Some(Over::NoMove { winner }) if winner == position.turn() => Some(Forced::win(0)),
            Some(_) => Some(Forced::loss(0)),
            None => None,
        }
    }

    fn converted(&self, position: &Position) -> Forced {
        match Slice::of(position) {
            Some(slice) => {
                let (index, values) = &self.children[&slice];
                values[index.index(position) as usize]
            }
            None => self.ended(position).unwrap_or(Forced::NOTHING),
        }
    }
}

/// Where king moves are limited (1.9.1.6): from the state in which none is left back to the one in which none was made.
fn count_down_kings(nodes: &[Node], plies: u32) -> Vec<Forced> {
    let mut values: Vec<Forced> = nodes.iter().map(|node| node.ended.unwrap_or(Forced::NOTHING)).collect();
    for _ in 0..plies {
        values = nodes.iter().map(|node| node.forced(node.exit, &values)).collect();
    }
    values
}

/// Where they are not: what is forced within 0, 1, 2, ... plies, until nothing more comes.
fn without_kings_limit(nodes: &[Node]) -> Vec<Forced> {
    let last_exit = nodes.iter().filter_map(|node| node.exit?.plies()).max().unwrap_or(0);
    let mut values: Vec<Forced> = nodes.iter().map(|node| node.ended.unwrap_or(Forced::NOTHING)).collect();
    for plies in 1.. {
        let mut news = false;
        let within = |node: &Node| node.exit.map(|exit| exit.within(Some(plies)));
        let next = nodes.iter().zip(&values).map(|(node, &value)| {
            let forced = if value == Forced::NOTHING { node.forced(within(node), &values) } else { value };
            news |= forced != value;
            forced
        });
        values = next.collect();
        if !news && plies > u32::from(last_exit) {
            break;
        }
    }
    values
}
