//! Generated games in which every article is met often, each verdict compared with the literal counter.

use std::collections::BTreeMap;

use bolshak_arbiter::pdn::Record;
use bolshak_arbiter::{Arbiter, Detail, GameResult, Oracle, Unknown, Verdict};
use bolshak_rules::{Color, Kind, Move, Position, Rules, Side, Square, Squares, State, Variant};
use bolshak_tables::{Answer, Outcome, Value};

use crate::literal::Literal;

/// Says of every position that it is drawn, so that the won-position reading of 1.9.1.5 ends games where the strict one
/// does.
pub(crate) struct AllDrawn;

impl Oracle for AllDrawn {
    fn outcome(&self, _: &Rules, _: &State, _: &[Position]) -> Result<Outcome, Unknown> {
        Ok(Outcome { value: Value::Draw, distance_plies: None })
    }

    fn answer(&self, _: &Rules, _: &State, _: &[Position]) -> Result<Answer, Unknown> {
        Err(Unknown::NoTables)
    }
}

/// Splitmix64: the same games for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Kings and men of both sides: the material in which the counts bite.
const MATERIAL: [[usize; 4]; 19] = [
    [3, 0, 1, 0],
    [3, 0, 1, 0],
    [4, 0, 1, 0],
    [2, 1, 1, 0],
    [1, 2, 1, 0],
    [0, 3, 1, 0],
    [2, 0, 1, 0],
    [1, 0, 1, 0],
    [1, 1, 1, 0],
    [2, 0, 2, 0],
    [2, 1, 2, 0],
    [1, 2, 2, 0],
    [2, 1, 2, 1],
    [1, 2, 2, 2],
    [1, 3, 1, 3],
    [2, 2, 2, 2],
    [2, 2, 2, 2],
    [2, 3, 2, 3],
    [3, 2, 3, 2],
];

fn place(random: &mut Random, free: &mut Vec<Square>, count: usize, forbidden: Squares) -> Squares {
    let mut placed = Squares::EMPTY;
    while placed.len() < count as u32 {
        let at = random.below(free.len());
        if !forbidden.contains(free[at]) {
            placed |= Squares::of(free.swap_remove(at));
        }
    }
    placed
}

fn start(random: &mut Random) -> Position {
    if random.percent(3) {
        return Position::start();
    }
    let [kings, men, other_kings, other_men] = MATERIAL[random.below(MATERIAL.len())];
    let mut free: Vec<Square> = Squares::ALL.iter().collect();
    let [strong, weak] = if random.percent(50) { [Color::White, Color::Black] } else { [Color::Black, Color::White] };
    // The lone king often begins on the main road.
    let off_road = if random.percent(60) { Squares::ALL - Squares::MAIN_ROAD } else { Squares::EMPTY };
    let weak_kings = place(random, &mut free, other_kings, off_road);
    let weak_men = place(random, &mut free, other_men, weak.promotion_rank());
    let strong_men = place(random, &mut free, men, strong.promotion_rank());
    let strong_kings = place(random, &mut free, kings, Squares::EMPTY);
    let (strong_side, weak_side) =
        (Side { men: strong_men, kings: strong_kings }, Side { men: weak_men, kings: weak_kings });
    let [white, black] = if strong == Color::White { [strong_side, weak_side] } else { [weak_side, strong_side] };
    let turn = if random.percent(50) { Color::White } else { Color::Black };
    Position::new(white, black, turn).unwrap()
}

/// A move that does not lose a piece at once where there is one; often a king's, often back to where it came from, and
/// a lone king's often along the main road.
fn choose(random: &mut Random, position: &Position, moves: &[Move], own_last: Option<&Move>, kings: usize) -> Move {
    let likes = |mv: &&Move, random: &mut Random| {
        let back = own_last.is_some_and(|last| last.to == mv.from && last.from == mv.to);
        let lone_king = position.mover().pieces().len() == 1;
        (back && random.percent(45))
            || (lone_king && Squares::MAIN_ROAD.contains(mv.to) && random.percent(60))
            || (mv.kind == Kind::King && random.percent(kings))
    };
    let liked = moves.iter().filter(|mv| likes(mv, random)).count();
    for attempt in 0..24 {
        let mv = moves[random.below(moves.len())];
        let wanted = attempt > 18 || liked == 0 || likes(&&mv, random);
        if wanted && !position.after(&mv).can_capture() {
            return mv;
        }
    }
    moves[random.below(moves.len())]
}

/// A game of 1 to 150 plies.
pub(crate) fn generate(random: &mut Random) -> Record {
    // How often a king's move is liked: in some games nearly always, so that men stand still for 15 moves.
    let kings = if random.percent(40) { 97 } else { 12 };
    let length = 20 + random.below(131);
    let start = start(random);
    let (mut position, mut played) = (start, Vec::<Move>::new());
    while played.len() < length && Rules::NONE.over_by_no_move(&position).is_none() {
        let own_last = played.len().checked_sub(2).map(|at| &played[at]);
        let mv = choose(random, &position, &position.legal_moves(), own_last, kings);
        position = position.after(&mv);
        played.push(mv);
    }
    if played.is_empty() {
        return generate(random);
    }
    Record::new(start, played, GameResult::Unfinished)
}

/// What was met, by rule set and article.
pub(crate) type Tally = BTreeMap<(&'static str, &'static str), u64>;

/// Judges a game and compares every article of every rule set with the literal counter.
pub(crate) fn compare(arbiter: &Arbiter<'_>, record: &Record, tally: &mut Tally) {
    let positions = record.positions();
    let last = positions.last().unwrap();
    let fens: Vec<String> = positions.iter().map(Position::to_fen).collect();
    let stuck = Rules::NONE.over_by_no_move(last).is_some();
    let literal = Literal::new(&fens, stuck);
    let expected = [
        ("official", "1.9.1.3", literal.three_kings(false)),
        ("official", "1.9.1.4", literal.unchanged_ratio()),
        ("official", "1.9.1.5", literal.main_road(false)),
        ("official", "1.9.1.6", literal.kings_only(0)),
        ("official", "1.9.1.7", literal.third_time()),
        ("official-won-position", "1.9.1.3", literal.three_kings(false)),
        ("official-won-position", "1.9.1.4", literal.unchanged_ratio()),
        ("official-won-position", "1.9.1.5", literal.main_road(false)),
        ("official-won-position", "1.9.1.6", literal.kings_only(0)),
        ("official-won-position", "1.9.1.7", literal.third_time()),
        ("fmjd64", "1.9.1.3", literal.three_kings(true)),
        ("fmjd64", "1.9.1.4", literal.unchanged_ratio()),
        ("fmjd64", "1.9.1.5", literal.main_road(true)),
        ("fmjd64", "1.9.1.6", literal.kings_only(8)),
        ("fmjd64", "1.9.1.7", literal.third_time()),
        ("classic", "1.9.1.3", literal.three_kings(false)),
        ("classic", "1.9.1.4", literal.one_king_with_men()),
        ("classic", "1.9.1.5", None),
        ("classic", "1.9.1.6", None),
        ("classic", "1.9.1.7", literal.equal_blocks()),
    ];
    let verdict = arbiter.verify(1, record, Detail::Summary);
    for (set, article, expected) in expected {
        assert_eq!(first_met(&verdict, set, article), expected, "{set} {article} in\n{}", record.to_pdn());
        if expected.is_some() {
            *tally.entry((set, article)).or_default() += 1;
        }
    }
}

fn first_met(verdict: &Verdict, set: &str, article: &str) -> Option<usize> {
    let met = verdict.rules.get(set).unwrap().iter().find(|met| met.article.number() == article)?;
    Some(met.first_met_ply)
}

/// The arbiter that generated games are judged by.
pub(crate) fn arbiter() -> Arbiter<'static> {
    Arbiter::new(Variant::Russian).with_oracle(&AllDrawn)
}
