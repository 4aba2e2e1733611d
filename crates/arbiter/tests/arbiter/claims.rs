//! Claims and offers by the procedure, adjudication, and what is said where tables do not reach.

use bolshak_arbiter::pdn::Record;
use bolshak_arbiter::{
    Answered, Arbiter, Claim, ClaimError, ClaimVerdict, Consequence, Decision, Detail, Ending, Fits, Flag, GameResult,
    Language, Offer, Oracle, RoadFinding, TableValue, Unknown,
};
use bolshak_rules::{Article, Color, Position, Rules, State, Variant};
use bolshak_tables::{Answer, Outcome, RatedMove, Value};

use crate::common::{games, read};
use crate::generated::AllDrawn;

fn decide(record: &Record, claim: &Claim) -> ClaimVerdict {
    Arbiter::new(Variant::Russian).claim(record, claim).unwrap().get("official").unwrap().clone()
}

fn cites(verdict: &ClaimVerdict) -> Vec<&'static str> {
    verdict.steps.iter().map(|step| step.cite).collect()
}

fn says(verdict: &ClaimVerdict, part: &str) -> bool {
    verdict.steps.iter().any(|step| step.text(Language::English).contains(part))
}

/// Kings go to and fro: the position at the beginning stands after plies 0, 4, 8.
fn to_and_fro() -> Record {
    games("1.9.1.7.pdn").remove(0)
}

fn repetition(side: Color, ply: usize) -> Claim {
    Claim::new(Article::Repetition, side, ply)
}

#[test]
fn the_player_to_move_claims_what_stands_on_the_board() {
    let record = to_and_fro();
    let verdict = decide(&record, &repetition(Color::White, 8));
    assert_eq!((verdict.verdict, verdict.game), (Decision::Upheld, Consequence::Drawn(Article::Repetition)));
    assert!(says(&verdict, "stands for the 3rd time with this side to move (after plies 0, 4, 8)"));
    // It was Black's move that brought it about: made, not only written down.
    let late = decide(&record, &repetition(Color::Black, 8));
    assert_eq!((late.verdict, late.game), (Decision::Refused, Consequence::GoesOn));
    assert!(says(&late, "only the player to move may claim") && says(&late, "instead of writing it down"));
    let early = decide(&record, &repetition(Color::White, 4));
    assert_eq!(early.verdict, Decision::Refused);
    assert!(says(&early, "2nd time") && says(&early, "simply moves"));
    assert!(early.steps.last().unwrap().reading, "that the claimant simply moves is a reading");
}

#[test]
fn a_written_move_may_bring_it_about() {
    let record = to_and_fro();
    let claim = Claim { intended: Some("a3-c1".into()), ..repetition(Color::Black, 7) };
    let verdict = decide(&record, &claim);
    assert_eq!(verdict.verdict, Decision::Upheld);
    assert!(says(
        &verdict,
        "the written move a3-c1 leads to a position that stands for the 3rd time (before: after plies 0, 4)"
    ));
    let other = decide(&record, &Claim { intended: Some("a3-b2".into()), ..repetition(Color::Black, 7) });
    assert_eq!((other.verdict, other.game), (Decision::Refused, Consequence::GoesOn));
    assert!(says(&other, "the written move a3-b2 counts as played"));
    let illegal = decide(&record, &Claim { intended: Some("a3-a4".into()), ..repetition(Color::Black, 7) });
    assert_eq!(illegal.verdict, Decision::Refused);
    assert!(says(&illegal, "the written move is none: ply 8: 'a3-a4' is not legal"));
    assert!(says(&illegal, "no move was written that could stand"), "{:?}", illegal.steps);
}

#[test]
fn moving_loses_the_right_for_the_mover_only_until_it_recurs() {
    let file = "[FEN \"W:WKa5,Kb8:BKc1,Kh4\"]\n1. b8-a7 c1-a3 2. a7-b8 a3-c1 3. b8-a7 c1-a3 4. a7-b8 a3-c1 \
                5. a5-b6 c1-a3 6. b6-a5 a3-c1 *";
    let record = &read(file.as_bytes())[0];
    // After ply 8 White could have claimed, and moved another way.
    let lost = decide(record, &repetition(Color::White, 10));
    assert_eq!(lost.verdict, Decision::Refused);
    assert!(says(&lost, "after ply 8 White could have claimed; by moving it lost the right"));
    let again = decide(record, &repetition(Color::White, 12));
    assert_eq!(again.verdict, Decision::Upheld, "it recurs");
    assert!(says(&again, "4th time"));
    // Claiming after ply 8 in the same record is judged as made before ply 9.
    let before = decide(record, &repetition(Color::White, 8));
    assert!(before.verdict == Decision::Upheld && says(&before, "as made before ply 9 was played"));
}

#[test]
fn a_right_to_write_a_move_is_lost_by_playing_it_or_another_whenever_that_is_asked() {
    // Black's a3-c1 of ply 8 brings the position about for the third time; written down it would have been a claim.
    let file = "[FEN \"W:WKa5,Kb8:BKc1,Kh4\"]\n1. b8-a7 c1-a3 2. a7-b8 a3-c1 3. b8-a7 c1-a3 4. a7-b8 a3-c1 \
                5. a5-b6 c1-a3 6. b6-c7 h4-g3 *";
    let record = &read(file.as_bytes())[0];
    assert_eq!(record.error, None);
    for ply in [8, 9, 10, 11] {
        let late = decide(record, &repetition(Color::Black, ply));
        assert_eq!(late.verdict, Decision::Refused, "after ply {ply}");
        assert!(says(&late, "Black made the move that brought the position about (ply 8, a3-c1)"), "{:?}", late.steps);
        assert!(says(&late, "by moving it lost the right until the position recurs"), "{:?}", late.steps);
    }
    let white = decide(record, &repetition(Color::White, 12));
    assert!(says(&white, "after ply 8 White could have claimed; by moving it lost the right"), "{:?}", white.steps);
    assert!(says(&white, "(ply 9, a5-b6)"), "{:?}", white.steps);
    // On ply 8 Black plays something else: what it might have written is lost as well.
    let other = file.replace("4. a7-b8 a3-c1 5. a5-b6 c1-a3 6. b6-c7 h4-g3", "4. a7-b8 a3-b2 5. a5-b6 h4-g3");
    let other = &read(other.as_bytes())[0];
    assert_eq!(other.error, None);
    for ply in [8, 9, 10] {
        let late = decide(other, &repetition(Color::Black, ply));
        assert!(says(&late, "after ply 7 Black could have claimed with a3-c1 written down; by moving otherwise"));
        assert!(says(&late, "(ply 8, a3-b2)"), "{:?}", late.steps);
    }
    assert!(!says(&decide(record, &repetition(Color::Black, 7)), "lost"), "nothing is lost yet");
}

#[test]
fn flags_decide_only_what_is_refused() {
    let record = to_and_fro();
    let upheld = decide(&record, &Claim { flag: Flag::FellDuringCheck, ..repetition(Color::White, 8) });
    assert_eq!((upheld.verdict, upheld.game.result()), (Decision::Upheld, GameResult::Draw));
    assert!(says(&upheld, "although the claimant's flag fell"));
    let refused = decide(&record, &Claim { flag: Flag::FellDuringCheck, ..repetition(Color::White, 4) });
    assert_eq!((refused.verdict, refused.game), (Decision::Refused, Consequence::Won(Color::Black)));
    let before = decide(&record, &Claim { flag: Flag::FellBefore, ..repetition(Color::White, 8) });
    assert_eq!((before.verdict, before.game), (Decision::Refused, Consequence::Won(Color::Black)));
    assert_eq!(cites(&before), ["1.8.1"]);
}

#[test]
fn without_a_record_a_claim_is_not_considered() {
    let record = to_and_fro();
    let verdict = decide(&record, &Claim { record_presented: false, ..repetition(Color::White, 8) });
    assert_eq!((verdict.verdict, cites(&verdict)), (Decision::NotConsidered, vec!["1.9.2"]));
    let broken = &read(b"[FEN \"W:WKa1:BKh2\"]\n1. a1-b2 h2-h8 2. b2-a1 *")[0];
    let verdict = decide(broken, &repetition(Color::White, 4));
    assert_eq!(verdict.verdict, Decision::NotConsidered);
    assert!(says(&verdict, "the record breaks off (ply 2: 'h2-h8' is not legal"));
    assert_eq!(decide(broken, &repetition(Color::Black, 1)).verdict, Decision::Refused, "legible up to there");
    let error = Arbiter::new(Variant::Russian).claim(&record, &repetition(Color::White, 9));
    assert_eq!(error, Err(ClaimError::NoSuchPly { ply: 9, plies: 8 }));
}

#[test]
fn counts_end_the_game_whoever_claims() {
    let met = &games("1.9.1.3.pdn")[0];
    for side in [Color::White, Color::Black] {
        let verdict = decide(met, &Claim::new(Article::ThreeKings, side, 29));
        assert_eq!(verdict.verdict, Decision::Upheld);
        assert!(says(&verdict, "complete after ply 29: 15 own moves") && verdict.proof.is_some());
    }
    let missed = decide(met, &Claim::new(Article::ThreeKings, Color::Black, 28));
    assert_eq!((missed.verdict, missed.game), (Decision::Refused, Consequence::GoesOn));
    assert!(says(&missed, "1 ply left"));
    let over = &games("1.9.1.4.pdn")[0];
    let verdict = decide(over, &repetition(Color::White, 10));
    assert_eq!(verdict.game, Consequence::Drawn(Article::UnchangedRatio), "the game had ended");
    assert!(says(&verdict, "the game ended with ply 10: drawn by 1.9.1.4"));
    let by_set = Arbiter::new(Variant::Russian).claim(met, &Claim::new(Article::KingsOnly, Color::White, 29)).unwrap();
    assert!(says(by_set.get("classic").unwrap(), "this rule set has no such rule"));
}

#[test]
fn article_19_is_for_the_opponent_to_claim() {
    let record = &games("classic.pdn")[2];
    let arbiter = Arbiter::new(Variant::Russian);
    let classic = |side, ply| arbiter.claim(record, &repetition(side, ply)).unwrap().get("classic").unwrap().clone();
    let verdict = classic(Color::Black, 11);
    assert_eq!(verdict.verdict, Decision::Upheld);
    assert!(says(&verdict, "the last 6 own moves of White are three equal blocks of 2, from ply 1 on"));
    assert_eq!(classic(Color::White, 11).verdict, Decision::Refused);
    let written = Claim { intended: Some("c1-a3".into()), ..repetition(Color::Black, 11) };
    let written = arbiter.claim(record, &written).unwrap().get("classic").unwrap().clone();
    assert!(says(&written, "a written move plays no part in a claim of this article"), "{:?}", written.steps);
    assert_eq!(classic(Color::Black, 10).verdict, Decision::Refused);
}

#[test]
fn a_game_that_is_over_takes_no_claim() {
    let record = &games("1.9.1.5.pdn")[6];
    let verdict = decide(record, &repetition(Color::Black, 9));
    assert_eq!((verdict.verdict, verdict.game), (Decision::Refused, Consequence::Won(Color::White)));
}

#[test]
fn of_1_9_1_2_only_the_facts_are_told() {
    let arbiter = Arbiter::new(Variant::Russian).with_oracle(&AllDrawn);
    let record = &read(b"[FEN \"W:WKa1:Bb2\"]\n*")[0];
    let claim = Claim::new(Article::NoWinPossible, Color::White, 0);
    let verdict = arbiter.claim(record, &claim).unwrap().get("official").unwrap().clone();
    assert_eq!((verdict.verdict, verdict.game), (Decision::FactsOnly, Consequence::Undecided));
    assert!(says(&verdict, "neither side can force a win"));
    assert!(says(&verdict, "by which White wins") && says(&verdict, "no sequence of legal moves wins for Black"));
    let unknown = decide(record, &claim);
    assert!(says(&unknown, "whether a side can force a win is unknown: no tables"));
}

#[test]
fn an_offer_is_made_where_the_record_has_it() {
    let record = &read(b"1. c3-d4 d6-c5 *")[0];
    let claim = |ply, offers: &[Offer]| {
        let claim = Claim { offers: offers.to_vec(), ..Claim::new(Article::Agreement, Color::White, ply) };
        Arbiter::new(Variant::Russian).claim(record, &claim)
    };
    let beyond = claim(2, &[offer(Color::White, 1, None), offer(Color::White, 3, None)]).unwrap_err();
    assert_eq!(beyond, ClaimError::NoSuchOfferPly { offer: 1, side: Color::White, ply: 3, plies: 2 });
    assert_eq!(beyond.to_string(), "an offer of White is made after ply 3, but the record has 2 plies");
    let one_ply = ClaimError::NoSuchPly { ply: 2, plies: 1 };
    assert_eq!(one_ply.to_string(), "the claim is made after ply 2, but the record has 1 ply");
    let later = claim(1, &[offer(Color::Black, 2, Some(Answered::Accepted))]).unwrap();
    let later = later.get("official").unwrap();
    assert!(
        later.verdict == Decision::Refused && says(later, "after ply 2, later than the claim"),
        "{:?}",
        later.steps
    );
    // Before the first move nobody has one to offer after; the other side's clock runs.
    assert_eq!(review(record, &[offer(Color::Black, 0, None)]).0[0], "1.9.4");
    assert_eq!(review(record, &[offer(Color::White, 0, None)]).0[0], "1.9.5");
    // The order in which they are given does not matter.
    let backwards =
        [offer(Color::White, 1, Some(Answered::Declined)), offer(Color::White, 0, Some(Answered::Declined))];
    assert_eq!(review(record, &backwards).0, ["1.9.5", "1.9.3", "1.9.6", "1.9.3", "1.9.3"]);
    let idle = Claim { offers: backwards.to_vec(), ..repetition(Color::White, 2) };
    assert!(says(&decide(record, &idle), "offers play no part in a claim of this article"));
    let idle = Claim { intended: Some("c3-b4".into()), ..Claim::new(Article::Agreement, Color::White, 2) };
    assert!(says(&decide(record, &idle), "a written move plays no part in a claim of this article"));
}

#[test]
fn a_written_move_that_counts_as_played_may_end_the_game() {
    // White's 15th own move, ply 29, completes 1.9.1.3; the positions before and after it are new.
    let claim = |flag| Claim { intended: Some("h4-g3".into()), flag, ..repetition(Color::White, 28) };
    let shuffle = "b8-a7 c1-a3 a7-b8 a3-c1 ".repeat(6);
    let text = format!("[FEN \"W:WKa5,Kh4,Kb8:BKc1\"]\n{shuffle} b8-a7 c1-a3 a7-b8 a3-b2 *");
    let record = &read(text.as_bytes())[0];
    assert_eq!((record.plies(), &record.error), (28, &None));
    let verdict = decide(record, &claim(Flag::Up));
    assert_eq!((verdict.verdict, verdict.game), (Decision::Refused, Consequence::Drawn(Article::ThreeKings)));
    assert!(says(&verdict, "the game ended with ply 29: drawn by 1.9.1.3"), "{:?}", verdict.steps);
    let late = decide(record, &claim(Flag::FellDuringCheck));
    assert_eq!((late.verdict, late.game), (Decision::Refused, Consequence::Won(Color::Black)));
}

#[test]
fn readings_are_named_as_readings() {
    let arbiter = Arbiter::new(Variant::Russian);
    let articles = |file: &str| -> Vec<&str> {
        let verdict = arbiter.verify(1, &games(file)[0], Detail::Summary);
        verdict.readings.iter().map(|reading| reading.article.number()).collect()
    };
    assert_eq!(articles("1.9.1.3.pdn"), ["1.9.1.3"; 3]);
    assert_eq!(articles("1.9.1.5.pdn"), ["1.9.1.3", "1.9.1.3", "1.9.1.3", "1.9.1.5", "1.9.1.5", "1.9.1.5"]);
    assert!(articles("1.9.1.7.pdn").is_empty());
    let claim = Claim::new(Article::MainRoad, Color::Black, 9);
    let verdict = decide(&games("1.9.1.5.pdn")[0], &claim);
    let named =
        |part: &str| verdict.steps.iter().any(|step| step.reading && step.text(Language::English).contains(part));
    assert!(named("anew when it has left it") && named("become three kings") && named("nothing else"));
    assert!(verdict.steps.iter().any(|step| !step.reading));
}

#[test]
fn where_a_table_is_missing_nothing_but_a_draw_is_certain() {
    let set = "official-won-position";
    let arbiter = Arbiter::new(Variant::Russian);
    let record = &games("1.9.1.5.pdn")[0];
    let ask = |claim: &Claim| arbiter.claim(record, claim).unwrap().get(set).unwrap().clone();
    for claim in [
        Claim { flag: Flag::FellBefore, ..repetition(Color::Black, 9) },
        Claim { flag: Flag::FellDuringCheck, ..Claim::new(Article::KingsOnly, Color::Black, 9) },
        Claim::new(Article::KingsOnly, Color::Black, 9),
    ] {
        let verdict = ask(&claim);
        assert_eq!(verdict.game, Consequence::Undecided, "{verdict:?}");
        assert!(says(&verdict, "whether the position on ply 9 is won is unknown"), "{:?}", verdict.steps);
    }
    let worth = arbiter.adjudicate(record, Some(Color::Black)).unwrap();
    assert_eq!(
        (worth.get(set).unwrap().won_by_flag, worth.get("classic").unwrap().won_by_flag),
        (None, Some(Color::White))
    );
    assert!(worth.get(set).unwrap().to_text(Language::English).contains("looked up on ply 9: unknown"));
}

fn offer(side: Color, ply: usize, answer: Option<Answered>) -> Offer {
    Offer { side, ply, clock_started: false, conditional: false, answer }
}

fn review(record: &Record, offers: &[Offer]) -> (Vec<&'static str>, Option<usize>) {
    let review = record.review_offers(offers);
    (review.steps.iter().map(|step| step.cite).collect(), review.agreed_ply)
}

#[test]
fn offers_in_and_out_of_order() {
    let record = &read(b"1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 *")[0];
    let (white, black) = (Color::White, Color::Black);
    assert_eq!(review(record, &[offer(white, 1, Some(Answered::Accepted))]), (vec!["1.9.3", "1.9.1.1"], Some(1)));
    // Moving declines; the same side may offer again only when the other has used its right.
    assert_eq!(
        review(record, &[offer(white, 1, None), offer(white, 3, None)]).0,
        ["1.9.3", "1.9.3", "1.9.6", "1.9.3", "1.9.3"]
    );
    let other_between = [offer(white, 1, None), offer(black, 2, None), offer(white, 3, None)];
    assert!(!review(record, &other_between).0.contains(&"1.9.6"));
    let on_opponents_time = Offer { clock_started: true, ..offer(white, 1, Some(Answered::Declined)) };
    assert_eq!(review(record, &[on_opponents_time]).0, ["1.9.4", "1.9.3"]);
    // On one's own time the opponent may wait to see the move: the answer to ply 2's offer is due on ply 4.
    assert_eq!(review(record, &[offer(white, 2, Some(Answered::Accepted))]), (vec!["1.9.5", "1.9.1.1"], Some(2)));
    let waiting = record.review_offers(&[offer(white, 2, None)]);
    assert!(waiting.steps[1].text(Language::English).ends_with("declined by moving, ply 4"));
    let conditional = Offer { conditional: true, ..offer(white, 1, Some(Answered::Accepted)) };
    assert_eq!(review(record, &[conditional]), (vec!["1.9.3"], None));
    let open = record.review_offers(&[offer(black, 6, None)]);
    assert!(open.steps[1].text(Language::English).contains("not answered yet"));
    let agreement =
        Claim { offers: vec![offer(black, 6, Some(Answered::Accepted))], ..Claim::new(Article::Agreement, white, 6) };
    assert_eq!(decide(record, &agreement).game, Consequence::Drawn(Article::Agreement));
    assert_eq!(decide(record, &Claim::new(Article::Agreement, white, 6)).verdict, Decision::Refused);
}

/// Says of every position that the side to move has lost, so that a review of 1.9.1.5 always finds a won position.
struct AllLost;

impl Oracle for AllLost {
    fn outcome(&self, _: &Rules, _: &State, _: &[Position]) -> Result<Outcome, Unknown> {
        Ok(Outcome { value: Value::Loss, distance_plies: Some(1) })
    }

    fn answer(&self, _: &Rules, state: &State, _: &[Position]) -> Result<Answer, Unknown> {
        let outcome = Outcome { value: Value::Loss, distance_plies: Some(1) };
        let moves = state.position.legal_moves_with_text();
        let rated = moves.into_iter().map(|(text, mv)| RatedMove { text, mv, outcome }).collect();
        Ok(Answer { outcome, over: None, moves: rated })
    }
}

#[test]
fn the_won_position_reading_asks_the_table_once_for_a_force_ratio() {
    let record = &games("1.9.1.5.pdn")[4];
    let set = "official-won-position";
    let look = |arbiter: Arbiter<'_>, record: &Record| {
        let verdict = arbiter.verify(1, record, Detail::Summary);
        let met = verdict.rules.get(set).unwrap().iter().any(|met| met.article == Article::MainRoad);
        let reviews = verdict.road_reviews.get(set).cloned().unwrap_or_default();
        (met, reviews, *verdict.fits.get(set).unwrap())
    };
    let (met, reviews, _) = look(Arbiter::new(Variant::Russian).with_oracle(&AllDrawn), record);
    assert!(met && matches!(reviews[0].finding, RoadFinding::Drawn(_)) && reviews[0].ply == 19);
    let (met, reviews, fit) = look(Arbiter::new(Variant::Russian).with_oracle(&AllLost), record);
    assert!(!met && matches!(reviews[0].finding, RoadFinding::Won { winner: Color::White, .. }));
    assert_eq!(fit.fits(), Fits::Possible);
    let (met, reviews, fit) = look(Arbiter::new(Variant::Russian), record);
    assert!(!met && matches!(reviews[0].finding, RoadFinding::Unknown(_)));
    assert_eq!((fit.ending, fit.fits()), (Ending::NeedsTable { ply: 19 }, Fits::Unknown));
    // Satisfied once, it is satisfied until the force ratio changes.
    let longer = "[FEN \"W:WKa5,Kh4,Kb8:BKa1\"]\n1. b8-a7 a1-h8 2. a7-b8 h8-a1 3. b8-a7 a1-h8 4. a7-b8 h8-a1 5. b8-a7 \
                  a1-b2 6. a7-b8 b2-c1 7. b8-a7 c1-b2 8. a7-b8 b2-a1 9. b8-a7 a1-h8 10. a7-b8 h8-a1 11. b8-a7 a1-h8 \
                  12. a7-b8 h8-a1 *";
    let longer = &read(longer.as_bytes())[0];
    assert_eq!(longer.error, None);
    assert_eq!(look(Arbiter::new(Variant::Russian).with_oracle(&AllLost), longer).1.len(), 1);
    assert_eq!(look(Arbiter::new(Variant::Russian).with_oracle(&AllDrawn), longer).1.len(), 2);
    // The claim shows the line.
    let claim = Claim::new(Article::MainRoad, Color::Black, 9);
    let ask = |arbiter: Arbiter<'_>| arbiter.claim(longer, &claim).unwrap().get(set).unwrap().clone();
    let won = ask(Arbiter::new(Variant::Russian).with_oracle(&AllLost));
    assert!(won.verdict == Decision::Refused && won.line.is_some() && says(&won, "won for White: play goes on"));
    assert_eq!(ask(Arbiter::new(Variant::Russian).with_oracle(&AllDrawn)).verdict, Decision::Upheld);
    assert_eq!(ask(Arbiter::new(Variant::Russian)).verdict, Decision::NeedsTable);
}

#[test]
fn adjudication_tells_what_is_left_and_a_flag_decides() {
    let record = &games("1.9.1.3.pdn")[1];
    let arbiter = Arbiter::new(Variant::Russian);
    let official = |flag| arbiter.adjudicate(record, flag).unwrap().get("official").unwrap().clone();
    let open = official(None);
    assert_eq!((&open.ended, open.won_by_flag), (&None, None));
    assert!(matches!(open.value, TableValue::Unknown(_)));
    let left: Vec<_> = open.left.iter().map(|left| (left.article.number(), left.left)).collect();
    assert_eq!(left, [("1.9.1.3", 1), ("1.9.1.4", 32), ("1.9.1.6", 2)]);
    assert_eq!((open.occurrence, open.repeating_moves.as_slice()), (8, ["b8-a7".to_owned()].as_slice()));
    assert_eq!(official(Some(Color::White)).won_by_flag, Some(Color::Black));
    // A count that had ended the game before the flag fell stands.
    let drawn = arbiter.adjudicate(&games("1.9.1.3.pdn")[0], Some(Color::White)).unwrap();
    let drawn = drawn.get("official").unwrap();
    assert_eq!((drawn.ended.as_ref().unwrap().by.as_str(), drawn.won_by_flag), ("1.9.1.3", None));
}

#[test]
fn a_game_that_is_won_needs_nothing_to_be_won() {
    let record = &read(b"[FEN \"B:W:Ba3\"]\n*")[0];
    let arbiter = Arbiter::new(Variant::Russian).with_oracle(&AllLost);
    let worth = arbiter.adjudicate(record, Some(Color::Black)).unwrap().get("official").unwrap().clone();
    let ended = worth.ended.unwrap();
    assert_eq!((ended.winner, worth.win_needs, worth.won_by_flag), (Some(Color::Black), None, None));
    let verdict = decide(record, &repetition(Color::Black, 0));
    assert_eq!((verdict.verdict, verdict.game), (Decision::Refused, Consequence::Won(Color::Black)));
    assert!(says(&verdict, "one side has no move left: Black has won"), "{:?}", verdict.steps);
}

#[test]
fn the_json_has_the_fields_of_the_contract() {
    let record = &games("1.9.1.3.pdn")[0];
    let verdict = Arbiter::new(Variant::Russian).verify(7, record, Detail::EveryPly);
    let json = serde_json::to_value(&verdict).unwrap();
    assert_eq!((&json["game"], &json["plies"]), (&7.into(), &29.into()));
    assert_eq!(json["final_fen"], "B:WKh4,Ka5,Ka7:BKc1");
    assert_eq!((&json["result"], &json["error"]), (&"draw".into(), &serde_json::Value::Null));
    assert_eq!(json["warnings"], serde_json::json!([]));
    assert_eq!(json["rules"]["official"][1]["article"], "1.9.1.3");
    assert_eq!(json["rules"]["official"][1]["first_met_ply"], 29);
    assert_eq!(json["rules"]["official"][1]["cites"], serde_json::Value::Null);
    assert_eq!(json["rules"]["official"][1]["count"], serde_json::json!({"reached": 15, "unit": "own-moves"}));
    assert_eq!(json["rules"]["official"][1]["proof"]["moves"][14], serde_json::json!({"ply": 29, "move": "b8-a7"}));
    assert_eq!(json["rules"]["classic"][0]["cites"], "19");
    assert_eq!(json["fits"]["official"]["fits"], "yes");
    assert_eq!(json["timeline"].as_array().map(Vec::len), Some(30));
    let articles: Vec<_> = verdict.disagreements.iter().map(|differ| differ.article.number()).collect();
    assert_eq!(articles, ["1.9.1.3", "1.9.1.7"]);
    let broken = &read(b"[Result \"1-1\"]\n1. c3-d4 a1-b2 *")[0];
    let json = serde_json::to_value(Arbiter::new(Variant::Russian).verify(1, broken, Detail::Summary)).unwrap();
    assert_eq!((&json["error"]["ply"], &json["error"]["text"]), (&2.into(), &"a1-b2".into()));
    assert!(json["error"]["legal"].as_array().is_some_and(|legal| legal.len() == 7));
}

#[test]
fn a_game_is_over_whatever_the_record_has_after_its_end() {
    let record = &read(b"[FEN \"W:WKa1:Bb2\"]\n[Result \"2-0\"]\n1. a1:h8 h8-g7 2-0")[0];
    assert_eq!((record.plies(), record.error.as_ref().map(|error| error.ply())), (1, Some(2)));
    let fit = *Arbiter::new(Variant::Russian).verify(1, record, Detail::Summary).fits.get("official").unwrap();
    assert_eq!((fit.ending, fit.fits()), (Ending::NoMove { winner: Color::White }, Fits::Yes));
}

#[test]
fn a_claim_after_the_end_of_the_game_does_not_let_it_go_on() {
    let won = read(b"[FEN \"W:WKa1:Bb2,h8\"]\n1. a1:c3 h8-g7 2. c3:h8 *").remove(0);
    let verdict = decide(&won, &repetition(Color::Black, 3));
    assert_eq!((verdict.verdict, verdict.game), (Decision::Refused, Consequence::Won(Color::White)));
    assert!(says(&verdict, "the game had ended") && !says(&verdict, "goes on"), "{:?}", verdict.steps);
    // Drawn by 1.9.1.3 after ply 29: a claim of 1.9.1.4 finds nothing, and a flag that falls meanwhile is late.
    let drawn = games("1.9.1.3.pdn").remove(0);
    let claim = Claim { flag: Flag::FellDuringCheck, ..Claim::new(Article::UnchangedRatio, Color::Black, 29) };
    let verdict = decide(&drawn, &claim);
    assert_eq!((verdict.verdict, verdict.game), (Decision::Refused, Consequence::Drawn(Article::ThreeKings)));
    assert!(says(&verdict, "the claim is refused: the game had ended"), "{:?}", verdict.steps);
    assert!(!says(&verdict, "goes on") && !says(&verdict, "has lost"), "{:?}", verdict.steps);
}

#[test]
fn a_flag_that_falls_while_an_agreement_is_looked_for_counts() {
    let claim = Claim { flag: Flag::FellDuringCheck, ..Claim::new(Article::Agreement, Color::White, 4) };
    let verdict = decide(&to_and_fro(), &claim);
    assert_eq!((verdict.verdict, verdict.game), (Decision::Refused, Consequence::Won(Color::Black)));
}
