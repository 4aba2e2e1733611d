//! Part 3 of the rules, row by row, and every rule set of part 5.

use bolshak_rules::{Article, Color, Counters, CountersError, Left, Over, Position, RuleSet, Rules, State, Variant};

type Plain = (u32, u32, u8);

fn rules(set: &str) -> Rules {
    Rules::new(Variant::Russian, set.parse::<RuleSet>().unwrap())
}

fn giveaway(set: &str) -> Rules {
    Rules::new(Variant::Giveaway, set.parse::<RuleSet>().unwrap())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap().position
}

fn counters((ratio_plies, kings_plies, road_moves): Plain) -> Counters {
    Counters { ratio_plies, kings_plies, road_moves }
}

fn state(fen: &str, plain: Plain) -> State {
    State::new(position(fen), counters(plain)).unwrap_or_else(|error| panic!("{fen} {plain:?}: {error}"))
}

fn assert_after(rules: Rules, fen: &str, before: Plain, text: &str, after: Plain) {
    let state = state(fen, before);
    let mv = state.position.parse_move(text).unwrap();
    assert_eq!(rules.after(&state, &mv).counters, counters(after), "{rules}: {fen} {before:?} {text}");
}

/// The colours are swapped too, with the move turned likewise.
fn assert_after_both(set: &str, fen: &str, before: Plain, text: &str, after: Plain) {
    assert_after(rules(set), fen, before, text, after);
    let state = state(fen, before);
    let mv = state.position.parse_move(text).unwrap();
    let flipped = State::new(state.position.flipped(), state.counters).unwrap();
    let twin = flipped
        .position
        .legal_moves()
        .into_iter()
        .find(|twin| {
            twin.from == mv.from.flipped() && twin.to == mv.to.flipped() && twin.captured == mv.captured.flipped()
        })
        .unwrap();
    assert_eq!(rules(set).after(&flipped, &twin).counters, counters(after), "{set}: {fen} {text} with colours swapped");
}

const THREE_TO_ONE: &str = "W:WKc1,a3,Ka5:BKh8";

#[test]
fn a_move_changes_the_counters_as_in_the_table() {
    for (fen, before, text, after) in [
        // A capture, by the lone king and by a man.
        ("B:Wc1,Ka5,g7:BKh8", (9, 4, 3), "h8:e5", (0, 0, 0)),
        ("W:WKg1,b4:BKc5", (9, 4, 0), "b4:d6", (0, 0, 0)),
        // A capture that promotes on its way.
        ("W:WKg1,d6:BKe7", (9, 4, 0), "d6:f8", (0, 0, 0)),
        // A promotion by a quiet move.
        ("W:WKc1,Ka5,a7:BKh8", (9, 4, 2), "a7-b8", (0, 0, 0)),
        // Another quiet man move: by the stronger side with the lone king on the road, off it, and elsewhere.
        (THREE_TO_ONE, (9, 4, 2), "a3-b4", (10, 0, 3)),
        ("W:WKc1,a3,Ka5:BKg1", (9, 4, 0), "a3-b4", (10, 0, 0)),
        ("W:WKc1,a3:BKh8", (9, 4, 0), "a3-b4", (10, 0, 0)),
        ("W:Wa3,d2,b4:BKh8", (9, 0, 2), "d2-e3", (10, 0, 3)),
        // A quiet king move by the stronger side; the count ends at 5.
        (THREE_TO_ONE, (9, 4, 0), "c1-d2", (10, 5, 1)),
        (THREE_TO_ONE, (9, 4, 2), "c1-d2", (10, 5, 3)),
        (THREE_TO_ONE, (10, 4, 5), "c1-d2", (11, 5, 5)),
        ("W:WKc1,a3,Ka5:BKg1", (9, 4, 0), "c1-d2", (10, 5, 0)),
        // The stronger side's own pieces may stand on the road.
        (THREE_TO_ONE, (9, 4, 2), "c1-b2", (10, 5, 3)),
        // A quiet king move by the lone king: along the road, off it, onto it.
        ("B:WKc1,a3,Ka5:BKh8", (9, 4, 2), "h8-e5", (10, 5, 2)),
        ("B:WKc1,a3,Ka5:BKe5", (9, 4, 2), "e5-g3", (10, 5, 0)),
        ("B:WKc1,a3,Ka5:BKg3", (9, 4, 0), "g3-e5", (10, 5, 0)),
        // Any other quiet king move: two pieces or four against one, and a side that is not a lone king.
        ("W:WKc1,a3:BKh8", (9, 4, 0), "c1-d2", (10, 5, 0)),
        ("W:WKc1,a3,Ka5,Kg1:BKh8", (9, 4, 0), "c1-d2", (10, 5, 0)),
        ("W:WKc1,a3,Ka5:BKh8,b8", (9, 4, 0), "c1-d2", (10, 5, 0)),
    ] {
        assert_after_both("official", fen, before, text, after);
        assert_after_both("official-won-position", fen, before, text, after);
        // Sets without the road rule keep the count as `official` does, so that a state means the same everywhere.
        assert_after_both("classic", fen, before, text, after);
        assert_after_both("none", fen, before, text, after);
        assert_after(giveaway("official"), fen, before, text, after);
    }
}

#[test]
fn fmjd64_counts_the_road_only_for_a_king_alone_on_it() {
    for (fen, before, text, after) in [
        (THREE_TO_ONE, (9, 4, 2), "c1-d2", (10, 5, 3)),
        ("B:WKc1,a3,Ka5:BKh8", (9, 4, 2), "h8-e5", (10, 5, 2)),
        // A piece that steps on the road ends the count; one that leaves it starts the count with that very move, for
        // the test is made after every move.
        (THREE_TO_ONE, (9, 4, 2), "c1-b2", (10, 5, 0)),
        ("W:WKb2,a3,Ka5:BKh8", (9, 4, 0), "b2-c1", (10, 5, 1)),
        ("W:WKb2,a3,Ka5:BKh8", (9, 4, 0), "b2-c3", (10, 5, 0)),
        ("W:WKc1,c3,Ka5:BKh8", (9, 4, 0), "c3-b4", (10, 0, 1)),
        // A count given for a position that this set does not count is nothing to go on from.
        ("W:WKb2,a3,Ka5:BKh8", (9, 4, 2), "b2-c1", (10, 5, 1)),
        ("B:WKa1,a3,Ka5:BKe5", (9, 4, 2), "e5-f6", (10, 5, 0)),
        // Three men are not enough.
        ("W:Wa3,d2,b4:BKh8", (9, 0, 2), "d2-e3", (10, 0, 0)),
        ("B:Wa3,d2,b4:BKh8", (9, 0, 2), "h8-g7", (10, 1, 0)),
    ] {
        assert_after_both("fmjd64", fen, before, text, after);
    }
}

#[derive(Clone, Copy)]
enum End {
    Open,
    Drawn(Article),
}

fn assert_end(rules: Rules, fen: &str, plain: Plain, end: End) {
    let state = state(fen, plain);
    let flipped = State::new(state.position.flipped(), state.counters).unwrap();
    let expected = match end {
        End::Open => None,
        End::Drawn(article) => Some(Over::Drawn(article)),
    };
    assert_eq!(rules.over(&state), expected, "{rules}: {fen} {plain:?}");
    assert_eq!(rules.over(&flipped), expected, "{rules}: {fen} {plain:?} with colours swapped");
}

use Article::{KingsOnly, MainRoad, ThreeKings, UnchangedRatio};
use End::{Drawn, Open};

#[test]
fn three_kings_have_fifteen_moves_of_their_own() {
    let (stronger, weaker) = ("W:WKa3,Kc1,Kg1:BKb8", "B:WKa3,Kc1,Kg1:BKb8");
    let four = ("W:WKa3,Kc1,Kg1,Ka5:BKb8", "B:WKa3,Kc1,Kg1,Ka5:BKb8");
    for set in ["official", "official-won-position", "classic"] {
        for (stronger, weaker) in [(stronger, weaker), four] {
            // At 29 plies they have made 15 if they moved first, and so did not move next, else 14.
            assert_end(rules(set), weaker, (28, 28, 0), Open);
            assert_end(rules(set), stronger, (28, 28, 0), Open);
            assert_end(rules(set), weaker, (29, 29, 0), Drawn(ThreeKings));
            assert_end(rules(set), stronger, (29, 29, 0), Open);
            assert_end(rules(set), weaker, (30, 30, 0), Drawn(ThreeKings));
            assert_end(rules(set), stronger, (30, 30, 0), Drawn(ThreeKings));
        }
    }
    for turn in [stronger, weaker] {
        assert_end(rules("fmjd64"), turn, (29, 29, 0), Open);
        assert_end(rules("fmjd64"), turn, (30, 30, 0), Drawn(ThreeKings));
        assert_end(rules("none"), turn, (1000, 1000, 0), Open);
        assert_end(giveaway("classic"), turn, (1000, 1000, 0), Open);
        assert_end(giveaway("official"), turn, (29, 29, 0), Open);
        assert_end(giveaway("official"), turn, (30, 30, 0), Drawn(KingsOnly));
    }
    // A man on either side, a second king, or only two kings: not this rule.
    for fen in [
        "B:WKa3,Kc1,Kg1,a5:BKb8",
        "B:WKa3,Kc1,Kg1:BKb8,h8",
        "B:WKa3,Kc1,Kg1:BKb8,Kd8",
        "B:WKa3,Kc1,Kg1:Bd8",
        "B:Wa3,Kc1,Kg1:BKb8",
    ] {
        let kings = if position(fen).men().is_empty() { 29 } else { 5 };
        assert_end(rules("official"), fen, (29, kings, 0), Open);
    }
}

#[test]
fn an_unchanged_ratio_has_its_limit_by_the_pieces_on_the_board() {
    for set in ["official", "official-won-position", "fmjd64"] {
        for rules in [rules(set), giveaway(set)] {
            for (fen, limit) in [
                ("W:WKc1:BKb8", 10),
                ("W:WKc1,Ke1:BKb8", 10),
                ("W:WKc1,a3:BKb8", 10),
                ("W:WKc1,a3:BKb8,h6", 60),
                ("W:WKc1,a3,c3:BKb8,h6", 60),
                ("W:WKc1,a3,c3:BKb8,h6,f8", 120),
                ("W:WKc1,a3,c3,e1:BKb8,h6,f8", 120),
            ] {
                let kings = |ratio| if position(fen).men().is_empty() { ratio } else { 3 };
                assert_end(rules, fen, (limit - 1, kings(limit - 1), 0), Open);
                assert_end(rules, fen, (limit, kings(limit), 0), Drawn(UnchangedRatio));
                assert_end(rules, fen, (limit + 1, kings(limit + 1), 0), Drawn(UnchangedRatio));
            }
            // Eight pieces, or a side without a king: no limit.
            assert_end(rules, "W:WKc1,a3,c3,e1:BKb8,h6,f8,b6", (5000, 29, 0), Open);
            assert_end(rules, "W:WKc1,a3:Bb8,h6", (5000, 29, 0), Open);
            assert_end(rules, "W:WKc1:Bb8", (5000, 29, 0), Open);
        }
    }
}

#[test]
fn classic_has_thirty_moves_for_one_king_with_men() {
    for rules in [rules("classic"), giveaway("classic")] {
        for fen in [
            "W:WKc1,a3:BKb8",
            "W:WKc1,a3:BKb8,h6",
            "W:WKc1,a3:BKb8,Kd8,Kf8",
            "W:WKc1,a3:BKb8,Kd8,h6",
            "W:WKc1,a3,c3,e1:BKb8,h6,f8,b6",
        ] {
            assert_end(rules, fen, (59, 40, 0), Open);
            assert_end(rules, fen, (60, 40, 0), Drawn(UnchangedRatio));
        }
        for fen in ["W:WKc1,Ke1,a3:BKb8", "W:WKc1,a3:Bb8", "W:WKc1,Ke1,a3:BKb8,Kd8,h6"] {
            assert_end(rules, fen, (5000, 5000, 0), Open);
        }
        assert_end(rules, "W:WKc1,Ke1:BKb8", (5000, 5000, 0), Open);
    }
}

#[test]
fn fifteen_moves_by_kings_only() {
    let seven = "W:WKc1,a3,c3,e1:BKb8,h6,f8";
    let eight = "W:WKc1,a3,c3,e1:BKb8,h6,f8,b6";
    for fen in [seven, eight, "W:WKc1,Ke1,a3:BKb8,h6"] {
        for rules in [rules("official"), rules("official-won-position"), giveaway("official")] {
            assert_end(rules, fen, (40, 29, 0), Open);
            assert_end(rules, fen, (40, 30, 0), Drawn(KingsOnly));
        }
        assert_end(rules("none"), fen, (40, 30, 0), Open);
    }
    assert_end(rules("classic"), eight, (40, 30, 0), Open);
    assert_end(rules("fmjd64"), seven, (40, 30, 0), Open);
    assert_end(rules("fmjd64"), eight, (40, 29, 0), Open);
    assert_end(rules("fmjd64"), eight, (40, 30, 0), Drawn(KingsOnly));
}

#[test]
fn five_moves_against_a_king_on_the_main_road() {
    for fen in ["B:WKc1,Ka3,Ka5:BKh8", "B:WKc1,a3,Ka5:BKh8", "B:WKc1,a3,b4:BKh8"] {
        let kings = if position(fen).men().is_empty() { 10 } else { 0 };
        for set in ["official", "fmjd64"] {
            assert_end(rules(set), fen, (10, kings, 4), Open);
            assert_end(rules(set), fen, (10, kings, 5), Drawn(MainRoad));
        }
        for rules in [rules("official-won-position"), rules("classic"), rules("none"), giveaway("official")] {
            assert_end(rules, fen, (10, kings, 5), Open);
        }
        let full = state(fen, (10, kings, 5));
        assert!(rules("official-won-position").road_review_due(&full));
        assert!(!rules("official-won-position").road_review_due(&state(fen, (10, kings, 4))));
        assert!(!rules("official").road_review_due(&full));
    }
    // Three men, or another piece on the road: only where the set says so.
    for fen in ["B:Wa3,b4,d2:BKh8", "B:WKb2,Ka3,a5:BKh8"] {
        assert_end(rules("official"), fen, (10, 0, 5), Drawn(MainRoad));
        assert_end(rules("fmjd64"), fen, (10, 0, 5), Open);
    }
}

#[test]
fn having_no_move_comes_before_every_count() {
    let blocked = state("B:Wb2,c3,Kh2:BKa1", (9, 4, 5));
    assert_eq!(rules("official").drawn_by_count(&blocked), Some(MainRoad));
    assert_eq!(rules("official").over(&blocked), Some(Over::NoMove { winner: Color::White }));
    assert_eq!(giveaway("official").over(&blocked), Some(Over::NoMove { winner: Color::Black }));
    // A pending capture comes too late.
    assert!(position("W:WKa1,Ke1,Kc1:BKd4").can_capture());
    assert_end(rules("official"), "W:WKa1,Ke1,Kc1:BKd4", (30, 30, 0), Drawn(ThreeKings));
    // A side without pieces has lost whoever is to move, and has won in giveaway.
    for fen in ["W:Wa1:B", "B:Wa1:B"] {
        assert_eq!(Rules::OFFICIAL.over(&state(fen, (0, 0, 0))), Some(Over::NoMove { winner: Color::White }), "{fen}");
        assert_eq!(
            giveaway("none").over(&state(fen, (0, 0, 0))),
            Some(Over::NoMove { winner: Color::Black }),
            "{fen} in giveaway"
        );
    }
}

#[test]
fn of_several_complete_counts_the_first_article_is_named() {
    assert_end(rules("official"), "W:WKc1,a3:BKb8,h6", (60, 30, 0), Drawn(UnchangedRatio));
    assert_end(rules("official"), "B:WKc1,Ka3,Ka5:BKh8", (60, 60, 5), Drawn(ThreeKings));
    assert_end(rules("official"), "B:WKc1,a3,Ka5:BKh8", (60, 30, 5), Drawn(UnchangedRatio));
    assert_end(rules("official"), "B:WKc1,a3,Ka5:BKh8", (40, 30, 5), Drawn(MainRoad));
}

#[test]
fn what_is_left_is_told_in_the_unit_of_the_rule() {
    let left = |set: &str, fen: &str, plain| -> Vec<(Article, Left)> {
        rules(set).remaining(&state(fen, plain)).map(|remaining| (remaining.article, remaining.left)).collect()
    };
    let (plies, own) = (Left::Plies, Left::OwnMoves);
    // 14 own moves made with the stronger side to move: its next is the last. With the weaker to move, one ply more.
    let four_counts = |three, ratio, kings, road| {
        vec![
            (ThreeKings, plies(three)),
            (UnchangedRatio, plies(ratio)),
            (MainRoad, own(road)),
            (KingsOnly, plies(kings)),
        ]
    };
    assert_eq!(left("official", "W:WKc1,Ka3,Ka5:BKh8", (29, 29, 2)), four_counts(1, 31, 1, 3));
    assert_eq!(left("official", "B:WKc1,Ka3,Ka5:BKh8", (28, 28, 2)), four_counts(2, 32, 2, 3));
    assert_eq!(left("official", "B:WKc1,Ka3,Ka5:BKh8", (99, 99, 5)), four_counts(0, 0, 0, 0));
    assert_eq!(left("official", "W:WKc1,Ka3,Ka5:BKb8", (0, 0, 0)).len(), 3);
    assert_eq!(
        left("fmjd64", "W:WKc1,Ka3,Ka5:BKb8", (29, 29, 0)),
        [(ThreeKings, plies(1)), (UnchangedRatio, plies(31))]
    );
    assert_eq!(left("classic", "W:WKc1,a3:BKb8", (4, 4, 0)), [(UnchangedRatio, plies(56))]);
    assert_eq!(left("none", "W:WKc1,Ka3,Ka5:BKh8", (29, 29, 2)), []);
    let rules = rules("official");
    assert_eq!(rules.ratio_left(&state("W:WKc1,Ka3,Ka5:BKh8", (20, 20, 2))), Some(9));
    assert_eq!(rules.ratio_left(&state("W:WKc1:Bb8", (20, 9, 0))), None);
    assert_eq!(rules.kings_left(&state("W:WKc1:Bb8", (20, 9, 0))), Some(21));
}

#[test]
fn counters_that_cannot_be_are_refused() {
    let refused = |fen: &str, plain| State::new(position(fen), counters(plain)).unwrap_err();
    let with_men = "W:WKc1,a3:BKb8";
    let lone = ("W:WKc1,Ka3,Ka5:BKh8", "B:WKc1,Ka3,Ka5:BKh8");
    assert_eq!(refused(with_men, (3, 4, 0)), CountersError::KingsAboveRatio { kings: 4, ratio: 3 });
    assert_eq!(refused("W:WKc1:BKb8", (4, 3, 0)), CountersError::KingsBelowRatioWithoutMen { kings: 3, ratio: 4 });
    assert_eq!(refused(lone.0, (20, 20, 6)), CountersError::RoadAboveLimit(6));
    for fen in [with_men, "W:WKc1,Ka3,Ka5:BKb8", "W:WKc1,Ka3,Ka5,Ke1:BKh8", "W:WKc1,Ka3,Ka5:Bg7", "W:WKc1,Ka3:BKh8"] {
        let kings = if position(fen).men().is_empty() { 20 } else { 3 };
        assert_eq!(refused(fen, (20, kings, 1)), CountersError::RoadElsewhere(1), "{fen}");
    }
    // With the stronger side to move it has made half the plies, rounded down; else rounded up.
    for (fen, plies, most) in
        [(lone.0, 0, 0), (lone.0, 1, 0), (lone.0, 2, 1), (lone.0, 3, 1), (lone.1, 1, 1), (lone.1, 2, 1), (lone.1, 3, 2)]
    {
        state(fen, (plies, plies, most));
        let road = most + 1;
        let error = CountersError::RoadAboveOwnMoves { road, own_moves: u32::from(most) };
        assert_eq!(refused(fen, (plies, plies, road)), error, "{fen} at {plies}");
    }
    state(with_men, (4, 4, 0));
    state(with_men, (4, 0, 0));
    state(lone.1, (9, 9, 5));
    // What a rule set does without is not refused.
    state("B:Wa3,b4,d2:BKh8", (9, 0, 5));
}

#[test]
fn the_greatest_counters_do_not_overflow() {
    let most = u32::MAX;
    let state = state("B:WKc1,Ka3,Ka5:BKh8", (most, most, 5));
    for set in RuleSet::ALL {
        let rules = Rules::new(Variant::Russian, set);
        let mv = state.position.legal_moves()[0];
        assert_eq!(rules.after(&state, &mv).counters.ratio_plies, most);
        assert_eq!(rules.over(&state).is_some(), set.name != "none");
    }
}
