//! Every state, not only fresh ones: its probed value and distance against the states one ply on, by the rules' own
//! moves and state machine. Since `ratio` grows with every quiet ply, agreement everywhere is agreement with the
//! literal recursion over states.

use std::sync::atomic::AtomicBool;

use bolshak_generate::{ScalarSolver, generate};
use bolshak_rules::{Counters, Over, RuleSet, Rules, State, Variant};
use bolshak_tables::{Outcome, ProbeError, Query, Slice, Tables, Value};

/// Tables under one rule set, up to so many pieces, in a directory that goes with them.
pub fn tables(set: RuleSet, slices: &[Slice]) -> (tempfile::TempDir, Tables, Rules) {
    let directory = tempfile::tempdir().unwrap();
    let tables = Tables::open(directory.path(), Variant::Russian);
    let rules = Rules::new(Variant::Russian, set);
    generate(&tables, slices, &[rules], &ScalarSolver, &mut (), &AtomicBool::new(false)).unwrap();
    (directory, tables, rules)
}

/// What a state is worth by the states one ply on.
fn recomputed(tables: &Tables, rules: &Rules, state: &State) -> Result<Outcome, ProbeError> {
    let probe = |rules: &Rules, state: &State| tables.probe_outcome(rules, state, Query::default());
    let none = rules.without_draw_rules();
    let drawn = |state: &State| -> Result<Outcome, ProbeError> {
        let without = probe(&none, state)?;
        let value = match without.value {
            Value::Win => Value::CursedWin,
            Value::Loss => Value::BlessedLoss,
            other => other,
        };
        Ok(Outcome { value, ..without })
    };
    match rules.over(state) {
        Some(Over::NoMove { winner }) => {
            let value = if winner == state.position.turn() { Value::Win } else { Value::Loss };
            return Ok(Outcome { value, distance_plies: Some(0) });
        }
        Some(Over::Drawn(_)) => return drawn(state),
        None => {}
    }
    let mut outcomes = Vec::new();
    for mv in state.position.legal_moves() {
        let after = probe(rules, &rules.after(state, &mv))?;
        let distance_plies = if mv.is_conversion() {
            after.distance_plies.map(|_| 1)
        } else {
            after.distance_plies.map(|plies| plies + 1)
        };
        outcomes.push(Outcome { value: after.value.opposite(), distance_plies });
    }
    let best = outcomes.into_iter().min_by_key(|outcome| outcome.rank()).unwrap();
    // The distance of a cursed or blessed state is that without draw rules, whatever move keeps the draw.
    if matches!(best.value, Value::Win | Value::Loss) { Ok(best) } else { drawn(state) }
}

/// Checks all states of every `step`th position of a slice. Returns how many states there were and how many of them
/// differ in value from the fresh state.
fn check(tables: &Tables, rules: &Rules, slice: &str, step: usize) -> (u64, u64) {
    let index = tables.index(slice.parse().unwrap());
    let (mut states, mut differ) = (0, 0);
    for number in (0..index.positions()).step_by(step) {
        let position = index.position(number);
        let fresh = tables.probe_outcome(rules, &State::fresh(position), Query::default()).unwrap();
        let last_ratio = rules.ratio_left(&State::fresh(position)).unwrap_or(34);
        for ratio_plies in 0..=last_ratio {
            for kings_plies in 0..=ratio_plies.min(30) {
                for road_moves in 0..=5 {
                    let Ok(state) = State::new(position, Counters { ratio_plies, kings_plies, road_moves }) else {
                        continue;
                    };
                    let probed = tables.probe_outcome(rules, &state, Query::default()).unwrap();
                    let expected = recomputed(tables, rules, &state).unwrap();
                    assert_eq!(probed, expected, "{} {:?} under {rules}", position.to_fen(), state.counters);
                    states += 1;
                    differ += u64::from(probed.value != fresh.value);
                }
            }
        }
    }
    (states, differ)
}

#[test]
fn all_states_follow_from_the_states_one_ply_on() {
    let slices: Vec<Slice> = (2..=3).flat_map(Slice::all_of).collect();
    for set in RuleSet::ALL {
        let (_directory, tables, rules) = tables(set, &slices);
        for (slice, step) in [
            ("KvK", 1),
            ("Kvm", 1),
            ("mvK", 1),
            ("mvm", 1),
            ("KKvK", 1),
            ("KvKK", 1),
            ("KmvK", 23),
            ("KvKm", 23),
            ("mmvK", 97),
            ("mvKm", 97),
        ] {
            let (states, differ) = check(&tables, &rules, slice, step);
            println!("{rules}: {slice}: {states} states, {differ} differ from fresh");
        }
    }
}

#[test]
fn states_of_the_main_road_slices_follow_from_the_states_one_ply_on() {
    for set in RuleSet::ALL {
        let slices: Vec<Slice> = ["KKKvK", "KKmvK", "KmmvK"].map(|name| name.parse().unwrap()).to_vec();
        let (_directory, tables, rules) = tables(set, &slices);
        for (slice, step) in
            [("KKKvK", 397), ("KvKKK", 397), ("KKmvK", 20_011), ("KvKKm", 20_011), ("KmmvK", 60_013), ("KvKmm", 60_013)]
        {
            let (states, differ) = check(&tables, &rules, slice, step);
            println!("{rules}: {slice}: {states} states, {differ} differ from fresh");
        }
    }
}
