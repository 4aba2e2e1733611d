//! What the arbiter says with real tables: 1.9.1.5 by won position, lines of proof, values ply by ply.

use std::sync::{LazyLock, atomic::AtomicBool};

use bolshak_arbiter::{
    Arbiter, Claim, ClaimVerdict, Decision, Detail, Fits, GaveAway, Language, RoadFinding, TableValue, Verdict,
};
use bolshak_generate::{SetwiseSolver, generate};
use bolshak_rules::{Article, Color, Rules, Variant};
use bolshak_tables::{Tables, Value};

use crate::common::{games, read};

/// Tables of all slices with three pieces against a king, under `official` alone.
static TABLES: LazyLock<(tempfile::TempDir, Tables)> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let tables = Tables::open(directory.path(), Variant::Russian);
    let slices = ["mmmvK".parse().unwrap()];
    let solver = SetwiseSolver::default();
    generate(&tables, &slices, &[Rules::OFFICIAL], &solver, &mut (), &AtomicBool::new(false)).unwrap();
    (directory, tables)
});

const WON_POSITION: &str = "official-won-position";

fn arbiter() -> Arbiter<'static> {
    Arbiter::new(Variant::Russian).with_oracle(&TABLES.1)
}

fn verdict(file: &str, game: usize) -> Verdict {
    arbiter().verify(game, &games(file)[game - 1], Detail::EveryPly)
}

fn road(verdict: &Verdict, set: &str) -> Option<usize> {
    let met = verdict.rules.get(set).unwrap().iter().find(|met| met.article == Article::MainRoad);
    met.map(|met| met.first_met_ply)
}

fn claim(file: &str, game: usize, ply: usize) -> ClaimVerdict {
    let claim = Claim::new(Article::MainRoad, Color::Black, ply);
    arbiter().claim(&games(file)[game - 1], &claim).unwrap().get(WON_POSITION).unwrap().clone()
}

#[test]
fn a_won_position_on_the_5th_own_move_is_a_draw_by_the_strict_reading_only() {
    for (game, winner) in [(1, Color::White), (2, Color::Black)] {
        let verdict = verdict("1.9.1.5-won.pdn", game);
        assert_eq!((road(&verdict, "official"), road(&verdict, WON_POSITION)), (Some(9), None));
        let review = &verdict.road_reviews.get(WON_POSITION).unwrap()[0];
        assert!(matches!(review.finding, RoadFinding::Won { winner: found, .. } if found == winner), "{review:?}");
        assert_eq!(verdict.fits.get("official").unwrap().fits(), Fits::No);
        assert_eq!(verdict.fits.get(WON_POSITION).unwrap().fits(), Fits::Possible);
        let TableValue::Known(at_end) = verdict.final_values.get("official").unwrap() else {
            panic!("the tables reach")
        };
        assert!(matches!(at_end.value, Value::CursedWin | Value::BlessedLoss), "over by the strict reading");
        let refused = claim("1.9.1.5-won.pdn", game, 9);
        assert_eq!(refused.verdict, Decision::Refused);
        let line = refused.line.unwrap();
        assert_eq!(line.over_by.as_deref(), Some("no-move"), "{line:?}");
        // Played out, the line ends with the loser to move and without one.
        let pdn = format!("[FEN \"{}\"]\n{} *", verdict.final_fen.as_ref().unwrap(), line.moves.join(" "));
        let played = &read(pdn.as_bytes())[0];
        let end = *played.positions().last().unwrap();
        assert_eq!((end.to_fen(), end.turn(), end.has_move()), (line.final_fen, winner.opponent(), false));
    }
}

#[test]
fn a_won_review_satisfies_the_rule_until_the_force_ratio_changes() {
    // Looked up on ply 9; the lone king stays on the road, and on ply 11 a promotion changes the ratio.
    let pdn = "[FEN \"W:Wa1,f4,Kb6:BKh8\"]\n1. f4-g5 h8-g7 2. g5-h6 g7-e5 3. b6-g1 e5-c3 4. g1-h2 c3-d4 5. h2-g3 d4-b2 \
               6. a1:c3 2-0";
    let record = &read(pdn.as_bytes())[0];
    assert_eq!(record.error, None);
    let facts = arbiter().verify(1, record, Detail::EveryPly).timeline.unwrap();
    let road_left = |set: &str, ply: usize| {
        let left = &facts[ply].sets.get(set).unwrap().left;
        left.iter().find(|left| left.article == Article::MainRoad).map(|left| left.left)
    };
    assert_eq!(
        (road_left(WON_POSITION, 8), road_left(WON_POSITION, 9), road_left(WON_POSITION, 10)),
        (Some(1), None, None)
    );
    assert_eq!(road_left("official", 9), Some(0));
    let review = |ply: usize| facts[ply].sets.get(WON_POSITION).unwrap().road_review.as_ref().map(|review| review.ply);
    assert_eq!([8, 9, 10, 11].map(review), [None, Some(9), Some(9), None]);
    let unfinished = bolshak_arbiter::pdn::Record { moves: record.moves[..10].to_vec(), ..record.clone() };
    let worth = arbiter().adjudicate(&unfinished, None).unwrap().get(WON_POSITION).unwrap().clone();
    assert!(worth.left.iter().all(|left| left.article != Article::MainRoad), "{:?}", worth.left);
    let (english, russian) = (worth.to_text(Language::English), worth.to_text(Language::Russian));
    assert!(
        english.contains("looked up on ply 9: won for White: play goes on, and the rule is satisfied"),
        "{english}"
    );
    assert!(!english.contains("1.9.1.5: 0 own moves left"), "{english}");
    assert!(russian.contains("правило выполнено до изменения соотношения сил"), "{russian}");
}

#[test]
fn a_position_that_is_not_won_is_a_draw_by_both_readings_and_the_defence_is_shown() {
    let verdict = verdict("1.9.1.5.pdn", 1);
    assert_eq!((road(&verdict, "official"), road(&verdict, WON_POSITION)), (Some(9), Some(9)));
    let upheld = claim("1.9.1.5.pdn", 1, 9);
    assert_eq!(upheld.verdict, Decision::Upheld);
    assert_eq!(upheld.holding_moves, ["a1-b2", "a1-e5", "a1-g7", "a1-h8"]);
    // White gives no king away, and every move of the line keeps the draw.
    let line = upheld.line.unwrap();
    assert_eq!((line.moves.len(), line.over_by), (12, None));
    assert!(line.moves.iter().all(|text| !text.contains(':')), "{:?}", line.moves);
    let pdn = format!("[FEN \"{}\"]\n{} *", verdict.final_fen.as_ref().unwrap(), line.moves.join(" "));
    let played = arbiter().verify(1, &read(pdn.as_bytes())[0], Detail::EveryPly).timeline.unwrap();
    assert_eq!(played.len(), 13);
    assert!(played.iter().all(|facts| facts.sets.get("official").unwrap().value == Some(Value::Draw)));
}

#[test]
fn values_are_told_ply_by_ply_where_tables_reach() {
    // White lets the lone king reach the main road, and with it the draw; Black passes by once.
    let record = &read(b"[FEN \"W:WKa5,Kh4,Kc3:BKf8\"]\n1. c3-e1 f8-a3 2. e1-f2 a3-b2 1-1")[0];
    assert_eq!(record.error, None);
    let verdict = arbiter().verify(1, record, Detail::EveryPly);
    let values: Vec<_> = verdict
        .timeline
        .unwrap()
        .iter()
        .map(|facts| facts.sets.get("official").map(|facts| (facts.value, facts.gave_away)).unwrap())
        .collect();
    let expected = [
        (Value::Win, None),
        (Value::Draw, Some(GaveAway::Win)),
        (Value::Win, Some(GaveAway::Draw)),
        (Value::Draw, Some(GaveAway::Win)),
        (Value::Draw, None),
    ];
    assert_eq!(values, expected.map(|(value, gave_away)| (Some(value), gave_away)));
    let unreached = arbiter().verify(1, &read(b"1. c3-d4 *")[0], Detail::EveryPly).timeline.unwrap();
    let facts = unreached[1].sets.get("official").unwrap();
    assert!(facts.value.is_none() && facts.unknown.is_some());
}

#[test]
fn an_adjudication_tells_what_a_win_needs() {
    let record = &read(b"[FEN \"W:WKa5,Kh4,Kc3:BKf8\"]\n*")[0];
    let adjudication = arbiter().adjudicate(record, None).unwrap().get("official").unwrap().clone();
    let TableValue::Known(outcome) = adjudication.value else { panic!("the tables reach") };
    let needs = adjudication.win_needs.unwrap();
    assert_eq!((outcome.value, needs.side, needs.within_the_counts), (Value::Win, Color::White, true));
    assert_eq!(Some(needs.plies_to_conversion), outcome.distance_plies);
    assert_eq!(needs.line.unwrap().over_by.as_deref(), Some("no-move"));
    // A win in 15 plies that the strict reading of 1.9.1.5 does not leave.
    let record = &read(b"[FEN \"W:Wa1,b2,Kh2:BKc1\"]\n*")[0];
    let adjudication = arbiter().adjudicate(record, None).unwrap().get("official").unwrap().clone();
    let needs = adjudication.win_needs.unwrap();
    assert_eq!((needs.plies_to_conversion, needs.within_the_counts, needs.line), (15, false, None));
}
