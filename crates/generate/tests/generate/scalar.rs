//! The scalar solver against published counts.

use crate::solved::Solved;
use bolshak_generate::ScalarSolver;
use bolshak_rules::{Position, RuleSet, Rules, Variant};
use bolshak_tables::{Forced, Pair, Slice};

fn counts(values: &[Forced]) -> [usize; 3] {
    let count = |test: fn(&Forced) -> bool| values.iter().filter(|value| test(value)).count();
    [count(|value| value.is_win()), count(|value| *value == Forced::NOTHING), count(|value| value.is_loss())]
}

#[test]
fn counts_without_draw_rules_are_as_published() {
    let solved = Solved::up_to(4, Rules::NONE, &ScalarSolver);
    for (name, expected) in [
        ("KvK", [194, 796, 2]),
        ("KvKK", [754, 13_852, 274]),
        ("KKvK", [5628, 9252, 0]),
        ("KmvK", [7241, 18_797, 2]),
        ("KKvKK", [21_659, 193_513, 588]),
        ("KKKvK", [132_240, 11_600, 0]),
        ("KKmvK", [336_033, 41_547, 0]),
        ("mvKm", [625, 6434, 15_741]),
    ] {
        assert_eq!(counts(solved.values(name.parse().unwrap())), expected, "{name}");
    }
    let mut totals = [0; 3];
    for slice in Slice::all_of(4) {
        for (total, count) in totals.iter_mut().zip(counts(solved.values(slice))) {
            *total += count;
        }
    }
    assert_eq!(totals, [2_409_393, 2_544_014, 1_255_909]);
}

#[test]
fn giveaway_is_the_same_solver_with_other_data() {
    let giveaway = Rules::new(Variant::Giveaway, "none".parse::<RuleSet>().unwrap());
    let solved = Solved::up_to(3, giveaway, &ScalarSolver);
    let value = |fen: &str| solved.forced(&Position::from_fen(fen).unwrap().position);
    assert!(value("W:Wc3:Bd4").is_loss());
    assert!(value("W:Wa3:Bb4,c5").is_win());
}

#[test]
fn rules_only_add_draws() {
    let without = Solved::up_to(3, Rules::NONE, &ScalarSolver);
    for set in RuleSet::ALL {
        let solved = Solved::up_to(3, Rules::new(Variant::Russian, set), &ScalarSolver);
        for slice in Pair::all_of(3).into_iter().flat_map(Pair::slices) {
            for (with, without) in solved.values(slice).iter().zip(without.values(slice)) {
                let same_side = with.is_win() == without.is_win() && with.is_loss() == without.is_loss();
                assert!(*with == Forced::NOTHING || same_side, "{slice} under {}", set.name);
            }
        }
    }
}
