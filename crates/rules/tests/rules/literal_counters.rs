//! The counters and ends computed anew from a whole game by the words of parts 2, 3 and 5, against the state machine.

use std::collections::BTreeMap;

use bolshak_rules::{Color, Kind, Left, Move, Over, Position, RuleSet, Rules, Side, Squares, State, Variant};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::literal_moves::has_literal_move;
use crate::positions::king_endings;

fn sides(position: &Position) -> [Side; 2] {
    [position.side(Color::White), position.side(Color::Black)]
}

fn force(position: &Position) -> [u32; 4] {
    let [white, black] = sides(position);
    [white.men.len(), white.kings.len(), black.men.len(), black.kings.len()]
}

/// Plies at the end of the game for which the force ratio stood, and for which besides no man moved.
fn ratio_and_kings(game: &[Position]) -> (u32, u32) {
    let plies = || game.windows(2).rev();
    let same_force = |pair: &&[Position]| force(&pair[0]) == force(&pair[1]);
    let ratio = plies().take_while(same_force).count();
    let kings = plies().take_while(same_force).take_while(|pair| pair[0].men() == pair[1].men()).count();
    (ratio as u32, kings as u32)
}

/// The stronger side and the lone king's square, in the situations of 1.9.1.5.
fn three_to_one(position: &Position) -> Option<(Color, Squares)> {
    let [white, black] = sides(position);
    match force(position) {
        [0, 1, men, kings] if men + kings == 3 => Some((Color::Black, white.kings)),
        [men, kings, 0, 1] if men + kings == 3 => Some((Color::White, black.kings)),
        _ => None,
    }
}

fn on_the_road(set: &str, position: &Position) -> bool {
    let road = Squares::MAIN_ROAD;
    three_to_one(position).is_some_and(|(stronger, lone)| {
        let fmjd64 =
            set != "fmjd64" || !position.side(stronger).kings.is_empty() && (position.occupied() & road) == lone;
        lone.meets(road) && fmjd64
    })
}

fn road(set: &str, game: &[Position]) -> u8 {
    let mut moves = 0;
    for pair in game.windows(2).rev() {
        if force(&pair[0]) != force(&pair[1]) || !on_the_road(set, &pair[1]) {
            break;
        }
        let stronger = three_to_one(&pair[1]).map(|(stronger, _)| stronger);
        if stronger == Some(pair[0].turn()) {
            moves += 1;
        }
        if !on_the_road(set, &pair[0]) {
            break;
        }
    }
    moves.min(5)
}

/// How the game is over: the winner's letter or the article.
fn end(variant: Variant, set: &str, game: &[Position]) -> Option<&'static str> {
    let position = &game[game.len() - 1];
    let [white_men, white_kings, black_men, black_kings] = force(position);
    if !has_literal_move(&position.to_fen()) {
        let white_stuck = position.turn() == Color::White;
        return Some(if white_stuck == (variant == Variant::Giveaway) { "W" } else { "B" });
    }
    let (ratio, kings) = ratio_and_kings(game);
    let pieces = position.piece_count();
    let russian = variant == Variant::Russian;
    let federation = set == "official" || set == "official-won-position" || set == "fmjd64";
    let stronger = match [white_men, white_kings, black_men, black_kings] {
        [0, kings, 0, 1] if kings >= 3 => Some(Color::White),
        [0, 1, 0, kings] if kings >= 3 => Some(Color::Black),
        _ => None,
    };
    if let Some(stronger) = stronger.filter(|_| russian && set != "none") {
        let first_to_move = if ratio.is_multiple_of(2) { position.turn() } else { position.turn().opponent() };
        let own = if first_to_move == stronger { ratio.div_ceil(2) } else { ratio / 2 };
        if if set == "fmjd64" { ratio >= 30 } else { own >= 15 } {
            return Some("1.9.1.3");
        }
    }
    let moves = match pieces {
        2 | 3 => Some(5),
        4 | 5 => Some(30),
        6 | 7 => Some(60),
        _ => None,
    };
    let both = white_kings > 0 && black_kings > 0;
    if federation && both && moves.is_some_and(|moves| ratio >= 2 * moves) {
        return Some("1.9.1.4");
    }
    let one_with_men = white_kings == 1 && white_men > 0 || black_kings == 1 && black_men > 0;
    if set == "classic" && both && one_with_men && ratio >= 60 {
        return Some("1.9.1.4");
    }
    if russian && (set == "official" || set == "fmjd64") && road(set, game) == 5 {
        return Some("1.9.1.5");
    }
    (federation && (set != "fmjd64" || pieces >= 8) && kings >= 30).then_some("1.9.1.6")
}

fn name(over: Over) -> &'static str {
    match over {
        Over::NoMove { winner: Color::White } => "W",
        Over::NoMove { winner: Color::Black } => "B",
        Over::Drawn(article) => article.number(),
    }
}

/// What is left on the counts of plies goes down by one with every king move that leaves them running.
fn assert_counts_down(rules: &Rules, before: &State, mv: &Move, after: &State) {
    if mv.is_conversion() || before.position.men() != after.position.men() {
        return;
    }
    for earlier in rules.remaining(before) {
        let Left::Plies(plies) = earlier.left else { continue };
        let later = rules.remaining(after).find(|later| later.article == earlier.article);
        assert_eq!(later.map(|later| later.left), Some(Left::Plies(plies.saturating_sub(1))), "{rules} {before:?}");
    }
}

fn draw(runner: &mut TestRunner, below: usize) -> usize {
    (0..below).new_tree(runner).unwrap().current()
}

/// Mostly king moves that lose nothing at once, for counts to grow long.
fn patient_move(position: &Position, runner: &mut TestRunner) -> Option<Move> {
    let moves = position.legal_moves();
    let patient: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|mv| !mv.is_conversion() && !position.after(mv).can_capture())
        .filter(|mv| mv.kind == Kind::King || draw(runner, 8) == 0)
        .collect();
    let choice = if patient.is_empty() || draw(runner, 64) == 0 { &moves[..] } else { &patient[..] };
    (!choice.is_empty()).then(|| choice[draw(runner, choice.len())])
}

#[test]
fn random_games_are_counted_and_ended_by_the_words_of_the_rules() {
    let mut runner = TestRunner::deterministic();
    let all: Vec<Rules> =
        Variant::ALL.into_iter().flat_map(|variant| RuleSet::ALL.map(|set| Rules::new(variant, set))).collect();
    let mut met: BTreeMap<(Variant, &str, &str), u32> = BTreeMap::new();
    let mut reviews = 0;
    for index in 0..500 {
        let pieces = if index % 3 == 0 { 4..=4 } else { 2..=9 };
        let start = king_endings(pieces).new_tree(&mut runner).unwrap().current();
        let mut game = vec![start];
        let mut states = vec![State::fresh(start); all.len()];
        for _ply in 0..150 {
            let here = game[game.len() - 1];
            for (rules, state) in all.iter().zip(&states) {
                let (ratio, kings) = ratio_and_kings(&game);
                let expected = (ratio, kings, road(rules.set.name, &game));
                let counters = state.counters;
                let found = (counters.ratio_plies, counters.kings_plies, counters.road_moves);
                // Giveaway has no road rule, so that it counts as `official` under every set.
                let expected =
                    if rules.set.main_road.is_none() { (ratio, kings, road("official", &game)) } else { expected };
                assert_eq!(found, expected, "{rules} {}", here.to_fen());
                assert_eq!(State::new(here, counters), Ok(*state), "what is reached is accepted");
                let over = rules.over(state).map(name);
                assert_eq!(over, end(rules.variant, rules.set.name, &game), "{rules} {} {found:?}", here.to_fen());
                if let Some(over) = over {
                    *met.entry((rules.variant, rules.set.name, over)).or_default() += 1;
                }
                reviews += u32::from(rules.road_review_due(state));
            }
            let Some(mv) = patient_move(&here, &mut runner) else { break };
            game.push(here.after(&mv));
            for (rules, state) in all.iter().zip(&mut states) {
                let after = rules.after(state, &mv);
                assert_counts_down(rules, state, &mv, &after);
                *state = after;
            }
        }
    }
    // Every rule of every set has ended some game.
    let federation = ["1.9.1.3", "1.9.1.4", "1.9.1.5", "1.9.1.6"];
    let expected: [(Variant, &str, &[&str]); 7] = [
        (Variant::Russian, "official", &federation),
        (Variant::Russian, "official-won-position", &["1.9.1.3", "1.9.1.4", "1.9.1.6"]),
        (Variant::Russian, "fmjd64", &federation),
        (Variant::Russian, "classic", &["1.9.1.3", "1.9.1.4"]),
        (Variant::Giveaway, "official", &["1.9.1.4", "1.9.1.6"]),
        (Variant::Giveaway, "fmjd64", &["1.9.1.4", "1.9.1.6"]),
        (Variant::Giveaway, "classic", &["1.9.1.4"]),
    ];
    for (variant, set, articles) in expected {
        for end in articles.iter().chain(&["W", "B"]) {
            assert!(met.contains_key(&(variant, set, *end)), "{variant} {set} never ended by {end}: {met:?}");
        }
    }
    assert!(reviews > 0, "the won-position reading never came up");
}
