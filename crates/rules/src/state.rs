//! The draw rules as a state machine (rules, part 3): counters, how a move changes them, and when a state is over.

use crate::moves::Move;
use crate::position::{Color, Kind, Position};
use crate::rule_set::{Article, RatioMaterial, RoadReading, Rules, ThreeKingsLimit};
use crate::square::Squares;

/// What the counted draw rules need to know of the past.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counters {
    /// Plies since the force ratio last changed by a capture or a promotion.
    pub ratio_plies: u32,
    /// Plies since a man last moved or anything was captured.
    pub kings_plies: u32,
    /// The stronger side's own moves in sequence with the lone king on the main road (1.9.1.5), 0 to 5.
    pub road_moves: u8,
}

/// `road_moves` goes no further: no rule set asks for more.
const MAX_ROAD_MOVES: u8 = 5;

/// A position with its counters: all that decides how the game goes on, but for repetition. [`State::new`] refuses
/// counters that cannot be; states made by [`State::fresh`] and [`Rules::after`] never have such.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The pieces and the side to move.
    pub position: Position,
    /// The counters.
    pub counters: Counters,
}

/// Why a state is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Over {
    /// A side has no piece or, being to move, no legal move (1.8.1); in giveaway it has won by that.
    NoMove {
        /// The side that has won.
        winner: Color,
    },
    /// Drawn by a count.
    Drawn(Article),
}

/// Counters that no sequence of moves can lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountersError {
    /// A king move counts for both.
    #[error("kings ({kings}) is greater than ratio ({ratio})")]
    KingsAboveRatio {
        /// `kings_plies` as given.
        kings: u32,
        /// `ratio_plies` as given.
        ratio: u32,
    },
    /// Where nobody has a man, every quiet move is a king move.
    #[error("kings ({kings}) must equal ratio ({ratio}) where nobody has a man")]
    KingsBelowRatioWithoutMen {
        /// `kings_plies` as given.
        kings: u32,
        /// `ratio_plies` as given.
        ratio: u32,
    },
    /// The count ends at 5.
    #[error("road ({0}) is greater than 5")]
    RoadAboveLimit(u8),
    /// 1.9.1.5 does not apply here.
    #[error("road ({0}) needs three pieces against a single king standing on the main road (1.9.1.5)")]
    RoadElsewhere(u8),
    /// More own moves than the stronger side can have made.
    #[error("road ({road}) is more than the stronger side's own moves in ratio ({own_moves})")]
    RoadAboveOwnMoves {
        /// `road_moves` as given.
        road: u8,
        /// The stronger side's own moves since the force ratio arose.
        own_moves: u32,
    },
}

/// The stronger side where exactly three pieces stand against exactly one king and nothing else (1.9.1.5).
pub fn stronger_side_of_three_to_one(position: &Position) -> Option<Color> {
    [Color::White, Color::Black]
        .into_iter()
        .find(|&color| position.side(color).pieces().len() == 3 && is_lone_king(position, color.opponent()))
}

fn is_lone_king(position: &Position, color: Color) -> bool {
    let side = position.side(color);
    side.kings.len() == 1 && side.men.is_empty()
}

/// How many of the last `plies` were moves of this side. The sides take turns, so the latest was made by the side that
/// is not to move.
fn own_moves(position: &Position, color: Color, plies: u32) -> u32 {
    if position.turn() == color { plies / 2 } else { plies.div_ceil(2) }
}

impl State {
    /// A position at the moment its force ratio arose: all counters 0.
    pub const fn fresh(position: Position) -> State {
        State { position, counters: Counters { ratio_plies: 0, kings_plies: 0, road_moves: 0 } }
    }

    /// A position with counters, refused when no sequence of moves leads to them. What is refused depends on the
    /// position only, never on a rule set.
    pub fn new(position: Position, counters: Counters) -> Result<State, CountersError> {
        let Counters { ratio_plies: ratio, kings_plies: kings, road_moves: road } = counters;
        if kings > ratio {
            return Err(CountersError::KingsAboveRatio { kings, ratio });
        }
        if position.men().is_empty() && kings < ratio {
            return Err(CountersError::KingsBelowRatioWithoutMen { kings, ratio });
        }
        if road > MAX_ROAD_MOVES {
            return Err(CountersError::RoadAboveLimit(road));
        }
        if road > 0 {
            let stronger = stronger_side_of_three_to_one(&position)
                .filter(|stronger| position.side(stronger.opponent()).kings.meets(Squares::MAIN_ROAD))
                .ok_or(CountersError::RoadElsewhere(road))?;
            let own_moves = own_moves(&position, stronger, ratio);
            if u32::from(road) > own_moves {
                return Err(CountersError::RoadAboveOwnMoves { road, own_moves });
            }
        }
        Ok(State { position, counters })
    }
}

/// The plies or own moves that are left before a count ends the game, at least 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Remaining {
    /// The article.
    pub article: Article,
    /// What is left, in the article's own unit.
    pub left: Left,
}

/// An amount in the unit in which a rule counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Left {
    /// Moves by one side each.
    Plies(u32),
    /// The stronger side's own moves.
    OwnMoves(u32),
}

impl Left {
    /// Whether nothing is left.
    pub const fn is_zero(self) -> bool {
        matches!(self, Left::Plies(0) | Left::OwnMoves(0))
    }
}

impl Rules {
    /// The state after a legal move.
    #[inline]
    pub fn after(&self, state: &State, mv: &Move) -> State {
        let position = state.position.after(mv);
        if mv.is_conversion() {
            return State::fresh(position);
        }
        let Counters { ratio_plies, kings_plies, .. } = state.counters;
        let counters = Counters {
            ratio_plies: ratio_plies.saturating_add(1),
            kings_plies: if mv.kind == Kind::Man { 0 } else { kings_plies.saturating_add(1) },
            road_moves: self.road_after(state, mv, &position),
        };
        State { position, counters }
    }

    fn road_after(&self, state: &State, mv: &Move, after: &Position) -> u8 {
        let Some(stronger) = stronger_side_of_three_to_one(after) else { return 0 };
        if !self.road_counts(after, stronger) {
            return 0;
        }
        // A set that counts only some of these positions starts from 0 in the others, whatever count was given.
        let before = if self.road_counts(&state.position, stronger) { state.counters.road_moves } else { 0 };
        if state.position.turn() == stronger {
            (before + 1).min(MAX_ROAD_MOVES)
        } else {
            debug_assert_eq!(mv.kind, Kind::King);
            before
        }
    }

    /// Whether the stronger side's moves count for 1.9.1.5 in this position. A set without the rule counts as `official`
    /// does, so that a state's counters mean the same everywhere.
    fn road_counts(&self, position: &Position, stronger: Color) -> bool {
        let lone_king = position.side(stronger.opponent()).kings;
        lone_king.meets(Squares::MAIN_ROAD)
            && self.set.main_road.is_none_or(|rule| {
                position.side(stronger).kings.len() >= rule.min_kings
                    && !(rule.alone_on_road && (position.occupied() - lone_king).meets(Squares::MAIN_ROAD))
            })
    }

    /// Whether the game is over here, and why: first by having no move, then by the counts in order of article. The
    /// won-position reading of 1.9.1.5 needs a table and is not decided here: see [`Rules::road_review_due`].
    pub fn over(&self, state: &State) -> Option<Over> {
        self.over_by_no_move(&state.position).or_else(|| self.drawn_by_count(state).map(Over::Drawn))
    }

    /// Whether a side has no piece, or the side to move no legal move.
    pub fn over_by_no_move(&self, position: &Position) -> Option<Over> {
        let stuck = if position.opponent().pieces().is_empty() {
            position.turn().opponent()
        } else if !position.has_move() {
            position.turn()
        } else {
            return None;
        };
        Some(Over::NoMove { winner: if self.variant.no_move_wins() { stuck } else { stuck.opponent() } })
    }

    /// The first article whose count is complete, whatever moves there are.
    pub fn drawn_by_count(&self, state: &State) -> Option<Article> {
        // No count is complete before its first ply: fresh states, of which solvers see most, need no look.
        if state.counters.ratio_plies == 0 {
            return None;
        }
        self.remaining(state)
            .find(|remaining| {
                remaining.left.is_zero()
                    && !(remaining.article == Article::MainRoad
                        && self.road_reading() == Some(RoadReading::WonPosition))
            })
            .map(|remaining| remaining.article)
    }

    /// Whether the road count is complete and, by the won-position reading, a table must say if play goes on. Asked only
    /// where the game is not [`over`](Rules::over); and that a force ratio has once satisfied the rule is for the caller
    /// to remember.
    pub fn road_review_due(&self, state: &State) -> bool {
        self.road_reading() == Some(RoadReading::WonPosition) && self.road_left(state) == Some(0)
    }

    fn road_reading(&self) -> Option<RoadReading> {
        self.set.main_road.map(|rule| rule.reading)
    }

    /// What is left on every count that runs in this state, in order of article.
    pub fn remaining(&self, state: &State) -> impl Iterator<Item = Remaining> {
        let remaining = |article, left| Remaining { article, left };
        [
            self.three_kings_left(state).map(|plies| remaining(Article::ThreeKings, Left::Plies(plies))),
            self.unchanged_ratio_left(state).map(|plies| remaining(Article::UnchangedRatio, Left::Plies(plies))),
            self.road_left(state).map(|moves| remaining(Article::MainRoad, Left::OwnMoves(moves))),
            self.kings_left(state).map(|plies| remaining(Article::KingsOnly, Left::Plies(plies))),
        ]
        .into_iter()
        .flatten()
    }

    /// Plies left before 1.9.1.3 or 1.9.1.4 ends the game, if the force ratio does not change.
    pub fn ratio_left(&self, state: &State) -> Option<u32> {
        [self.three_kings_left(state), self.unchanged_ratio_left(state)].into_iter().flatten().min()
    }

    /// Plies left before 1.9.1.6 ends the game, if only kings move.
    pub fn kings_left(&self, state: &State) -> Option<u32> {
        let rule = self.set.kings_only?;
        (state.position.piece_count() >= rule.min_pieces).then(|| rule.plies.saturating_sub(state.counters.kings_plies))
    }

    /// The stronger side's own moves left before 1.9.1.5 applies, if the lone king stays on the road.
    pub fn road_left(&self, state: &State) -> Option<u32> {
        let rule = self.set.main_road?;
        let stronger = stronger_side_of_three_to_one(&state.position)?;
        self.road_counts(&state.position, stronger)
            .then(|| u32::from(rule.own_moves.saturating_sub(state.counters.road_moves)))
    }

    fn three_kings_left(&self, state: &State) -> Option<u32> {
        let (rule, position, plies) = (self.set.three_kings?, &state.position, state.counters.ratio_plies);
        let stronger = [Color::White, Color::Black].into_iter().find(|&color| {
            let side = position.side(color);
            side.men.is_empty() && side.kings.len() >= rule.min_kings && is_lone_king(position, color.opponent())
        })?;
        Some(match rule.limit {
            ThreeKingsLimit::Plies(limit) => limit.saturating_sub(plies),
            ThreeKingsLimit::OwnMoves(limit) => {
                let moves = limit.saturating_sub(own_moves(position, stronger, plies));
                // The last of these moves is the stronger side's, so the weaker side makes one fewer when the stronger
                // is to move, and as many otherwise.
                if position.turn() == stronger { (2 * moves).saturating_sub(1) } else { 2 * moves }
            }
        })
    }

    fn unchanged_ratio_left(&self, state: &State) -> Option<u32> {
        let position = &state.position;
        let (white, black) = (position.side(Color::White), position.side(Color::Black));
        let applies = |material| match material {
            RatioMaterial::BothHaveKing { min_pieces, max_pieces } => {
                !white.kings.is_empty()
                    && !black.kings.is_empty()
                    && (min_pieces..=max_pieces).contains(&position.piece_count())
            }
            RatioMaterial::OneKingWithMen { min_opponent_kings } => {
                [(white, black), (black, white)].into_iter().any(|(one, other)| {
                    one.kings.len() == 1 && !one.men.is_empty() && other.kings.len() >= min_opponent_kings
                })
            }
        };
        self.set
            .unchanged_ratio
            .iter()
            .filter(|limit| applies(limit.material))
            .map(|limit| limit.plies.saturating_sub(state.counters.ratio_plies))
            .min()
    }
}
