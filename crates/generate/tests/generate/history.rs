//! Repetition (1.9.1.7): probes with a history against the literal recursion in which the positions that stood twice are
//! draws when they are entered again.

use std::collections::HashMap;

use bolshak_rules::{Over, Position, RuleSet, Rules, State};
use bolshak_tables::{Forced, Outcome, Query, Slice, Tables, Value};

use crate::states::tables;

/// The literal recursion, remembered by state.
struct Literal<'a> {
    rules: &'a Rules,
    drawn: &'a [Position],
    known: HashMap<State, Forced>,
}

impl Literal<'_> {
    fn entered(&mut self, state: &State) -> Forced {
        let ended = self.rules.over_by_no_move(&state.position).is_some();
        if !ended && self.drawn.contains(&state.position) { Forced::NOTHING } else { self.standing(state) }
    }

    fn standing(&mut self, state: &State) -> Forced {
        if let Some(known) = self.known.get(state) {
            return *known;
        }
        let forced = match self.rules.over(state) {
            Some(Over::NoMove { winner }) if winner == state.position.turn() => Forced::win(0),
            Some(Over::NoMove { .. }) => Forced::loss(0),
            Some(Over::Drawn(_)) => Forced::NOTHING,
            None => {
                let moves = state.position.legal_moves();
                let rated = moves.iter().map(|mv| {
                    let after = self.entered(&self.rules.after(state, mv));
                    if mv.is_conversion() { after.before_conversion() } else { after.before_quiet_move() }
                });
                rated.max().unwrap()
            }
        };
        self.known.insert(*state, forced);
        forced
    }
}

/// Answers wanted of each slice.
const ANSWERS: u32 = 12;

/// Tries positions from all over a slice, each with positions of its best line as a history. Returns how many answers
/// there were and how many of them the history changed.
fn check(tables: &Tables, rules: &Rules, slice: &str) -> (u32, u32) {
    let index = tables.index(slice.parse().unwrap());
    let (mut checked, mut changed) = (0, 0);
    for number in 0..index.positions() {
        if checked >= ANSWERS {
            break;
        }
        // A prime step visits every position once, far from the one before.
        let root = State::fresh(index.position(number * 7919 % index.positions()));
        let fresh = tables.probe_outcome(rules, &root, Query::default()).unwrap();
        if !matches!(fresh.value, Value::Win | Value::Loss) || fresh.distance_plies < Some(3) {
            continue;
        }
        let line: Vec<Position> =
            tables.line(rules, &root, Query::default()).skip(1).map(|step| step.unwrap().state.position).collect();
        for place in [0, 1, 2, line.len() - 1] {
            let Some(past) = line.get(place) else { continue };
            let once = Query { history: &[*past], ..Query::default() };
            assert_eq!(tables.probe_outcome(rules, &root, once).unwrap(), fresh, "{past:?} stood but once");

            let history = [*past; 2];
            let query = Query { history: &history, ..Query::default() };
            let drawn = [*past];
            let mut literal = Literal { rules, drawn: &drawn, known: HashMap::new() };
            let expected = literal.standing(&root);
            let answer = tables.probe(rules, &root, query).unwrap();
            let context = format!("{} with {} twice", root.position.to_fen(), past.to_fen());
            let same = |outcome: Outcome, forced: Forced| match outcome.value {
                Value::Win => forced.is_win() && forced.plies() == outcome.distance_plies,
                Value::Loss => forced.is_loss() && forced.plies() == outcome.distance_plies,
                _ => forced == Forced::NOTHING,
            };
            assert!(same(answer.outcome, expected), "{context}: {:?}, not {expected:?}", answer.outcome);
            assert_eq!(answer.moves[0].outcome.value, answer.outcome.value, "{context}");
            for rated in &answer.moves {
                let after = literal.entered(&rules.after(&root, &rated.mv));
                let forced =
                    if rated.mv.is_conversion() { after.before_conversion() } else { after.before_quiet_move() };
                assert!(
                    same(rated.outcome, forced),
                    "{context}: {} is {:?}, not {forced:?}",
                    rated.text,
                    rated.outcome
                );
            }
            checked += 1;
            changed += u32::from(answer.outcome != fresh);
        }
    }
    (checked, changed)
}

#[test]
fn a_position_that_stood_twice_is_a_draw_when_entered_again() {
    let slices: Vec<Slice> = (2..=3).flat_map(Slice::all_of).collect();
    for name in ["official", "fmjd64"] {
        let (_directory, tables, rules) = tables(name.parse::<RuleSet>().unwrap(), &slices);
        let mut changed = 0;
        for slice in ["KKvK", "KvKK", "KmvK", "KvKm", "mmvK", "mvKm", "Kmvm", "mvKK", "mmvm"] {
            let (checked, different) = check(&tables, &rules, slice);
            println!("{rules}: {slice}: {checked} checked, {different} changed by the history");
            assert!(checked > 0, "{slice}");
            changed += different;
        }
        assert!(changed > 40, "the histories of this test change answers");
    }
}

#[test]
fn a_position_that_stands_for_the_third_time_is_a_draw() {
    let (_directory, tables, rules) = tables("official".parse::<RuleSet>().unwrap(), &["KKvK".parse().unwrap()]);
    let root = State::fresh(Position::from_fen("W:WKd4,Kc7:BKg1").unwrap().position);
    let history = [root.position; 2];
    let value = |history| tables.probe_outcome(&rules, &root, Query { history, ..Query::default() }).unwrap().value;
    assert_eq!([value(&[]), value(&history[..1]), value(&history)], [Value::Win, Value::Win, Value::CursedWin]);
}

#[test]
fn a_position_in_which_one_must_capture_needs_only_what_the_captures_lead_to() {
    let (_directory, tables, rules) = tables("official".parse::<RuleSet>().unwrap(), &["KKmvm".parse().unwrap()]);
    let root = State::fresh(Position::from_fen("W:Wc3,Kh2,Ka1:Bd4,f6,a7").unwrap().position);
    let outcome = tables.probe_outcome(&rules, &root, Query::default()).unwrap();
    assert_eq!((outcome.value, outcome.distance_plies), (Value::Win, Some(1)));
    let quiet = State::fresh(Position::from_fen("W:Wc3,Kh2,Ka1:Bb8,f6,a7").unwrap().position);
    let error = tables.probe_outcome(&rules, &quiet, Query::default()).unwrap_err();
    assert_eq!(error.to_string(), "not in these tables: KKmvmmm under 'official'");
}
