//! Claims of a draw, by the procedure of 1.9.1 and 1.9.2: upheld, refused, or not considered until a full record is
//! presented.

mod count;
mod facts;
mod offers;
mod repetition;
mod step;

use bolshak_rules::{Article, Color, Over, Rules};
use serde::{Serialize, Serializer};

pub use offers::{Answered, Offer, OfferReview};
pub use step::{Step, StepKind};

pub(crate) use facts::{facts, forced_win, sequences};

use crate::line::Line;
use crate::pdn::Record;
use crate::verdict::{Arbiter, Judged, Proof, Replay, Unit, amount, color_name, drawn_by, judge, side_english};
use crate::{BySet, GameResult, Language};

/// A claim as made at the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The article.
    pub article: Article,
    /// The claimant.
    pub side: Color,
    /// The ply after which it was made; 0 is the position at the beginning.
    pub ply: usize,
    /// The move that the claimant wrote down without playing it.
    pub intended: Option<String>,
    /// Whether a full, legible record was presented.
    pub record_presented: bool,
    /// What the claimant's flag did.
    pub flag: Flag,
    /// The offers made in the game, for 1.9.1.1.
    pub offers: Vec<Offer>,
}

impl Claim {
    /// A claim with the record presented, no written move and no flag fallen.
    pub fn new(article: Article, side: Color, ply: usize) -> Claim {
        Claim { article, side, ply, intended: None, record_presented: true, flag: Flag::Up, offers: Vec::new() }
    }
}

/// What the claimant's flag did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// It has not fallen.
    #[default]
    Up,
    /// It had fallen before the claim.
    FellBefore,
    /// It fell while the arbiter checked.
    FellDuringCheck,
}

/// A claim that cannot be looked at.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClaimError {
    /// The record has no such ply.
    #[error("the claim is made after ply {ply}, but the record has {}", plies_text(*plies))]
    NoSuchPly {
        /// The ply of the claim.
        ply: usize,
        /// The plies of the record.
        plies: usize,
    },
    /// The record has no such ply for an offer.
    #[error(
        "an offer of {} is made after ply {ply}, but the record has {}",
        side_english(*side),
        plies_text(*plies)
    )]
    NoSuchOfferPly {
        /// Which of the offers, from 0.
        offer: usize,
        /// The side that made it.
        side: Color,
        /// The ply of the offer.
        ply: usize,
        /// The plies of the record.
        plies: usize,
    },
}

fn plies_text(plies: usize) -> String {
    amount(u32::try_from(plies).unwrap_or(u32::MAX), Unit::Plies, Language::English)
}

/// What is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The claim is right.
    Upheld,
    /// The claim is wrong.
    Refused,
    /// Not considered until a full, legible record is presented.
    NotConsidered,
    /// Facts are given; the decision is the arbiter's (1.9.1.2).
    FactsOnly,
    /// It needs a table that is not there.
    NeedsTable,
}

/// What becomes of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consequence {
    /// It is drawn by this article.
    Drawn(Article),
    /// This side has won.
    Won(Color),
    /// It goes on.
    GoesOn,
    /// It is not decided.
    Undecided,
}

impl Consequence {
    /// The result, where there is one.
    pub const fn result(self) -> GameResult {
        match self {
            Consequence::Drawn(_) => GameResult::Draw,
            Consequence::Won(color) => GameResult::win(color),
            Consequence::GoesOn | Consequence::Undecided => GameResult::Unfinished,
        }
    }
}

impl Serialize for Consequence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (state, by) = match self {
            Consequence::Drawn(article) => ("drawn", Some(article.number())),
            Consequence::Won(color) => ("won", Some(color_name(*color))),
            Consequence::GoesOn => ("goes-on", None),
            Consequence::Undecided => ("undecided", None),
        };
        serializer.collect_map([("state", Some(state)), ("by", by)].into_iter().filter(|(_, value)| value.is_some()))
    }
}

/// The decision on a claim under one rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClaimVerdict {
    /// What is decided.
    pub verdict: Decision,
    /// What becomes of the game.
    pub game: Consequence,
    /// The steps, each with its article.
    pub steps: Vec<Step>,
    /// The plies and moves that make the count up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// The line that proves the position won, or in which the defence holds (1.9.1.5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
    /// The moves that hold the draw in the first position of such a defence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holding_moves: Vec<String>,
}

impl ClaimVerdict {
    fn of(steps: Vec<Step>, verdict: Decision, game: Consequence) -> ClaimVerdict {
        ClaimVerdict { verdict, game, steps, proof: None, line: None, holding_moves: Vec::new() }
    }
}

impl Arbiter<'_> {
    /// The decision on a claim, under each rule set.
    pub fn claim(&self, record: &Record, claim: &Claim) -> Result<BySet<ClaimVerdict>, ClaimError> {
        let plies = record.plies();
        if claim.ply > plies && record.error.is_none() {
            return Err(ClaimError::NoSuchPly { ply: claim.ply, plies });
        }
        let beyond = claim.offers.iter().enumerate().find(|(_, offer)| offer.ply > plies);
        if let (Some((offer, &Offer { side, ply, .. })), None) = (beyond, &record.error) {
            return Err(ClaimError::NoSuchOfferPly { offer, side, ply, plies });
        }
        Ok(self.rules().iter().map(|rules| (rules.set.name, self.decide(rules, record, claim))).collect())
    }

    fn decide(&self, rules: &Rules, record: &Record, claim: &Claim) -> ClaimVerdict {
        let unreadable = match &record.error {
            Some(error) if claim.ply > record.plies() || record.start.is_none() => Some(error),
            _ => None,
        };
        if let Some(error) = unreadable {
            let breaks = StepKind::RecordBreaks(error.clone());
            return not_considered(vec![Step::text_of("1.9.2", breaks)], claim);
        }
        // What happened after the claim does not count for it.
        let until_claim = Record { moves: record.moves[..claim.ply].to_vec(), error: None, ..record.clone() };
        let replay = Replay::of(&until_claim);
        let judged = judge(rules, &replay, self.oracle());
        let mut steps = Vec::new();
        if record.plies() > claim.ply {
            steps.push(Step::text_of("1.9.2", StepKind::RecordGoesOn(claim.ply + 1)));
        }
        let ended = ended(rules, &replay, &judged);
        // Where only a table can tell that 1.9.1.5 had not ended the game, nothing but a draw is certain.
        let unknown = judged.unknown_review().filter(|_| !matches!(ended, Some((Consequence::Drawn(_), _))));
        let or_undecided = |game| if unknown.is_some() { Consequence::Undecided } else { game };
        if let Some((review, reason)) = unknown
            && (claim.article != Article::MainRoad || claim.flag == Flag::FellBefore)
        {
            steps.push(Step::road_unknown(review.ply, reason));
        }
        if let Some((outcome, step)) = &ended {
            if *outcome != Consequence::Drawn(claim.article) {
                steps.push(step.clone());
            }
            if matches!(outcome, Consequence::Won(_)) {
                steps.push(Step::text_of("1.9.2", StepKind::RefusedGameOver));
                return ClaimVerdict::of(steps, Decision::Refused, or_undecided(*outcome));
            }
        } else if claim.flag == Flag::FellBefore {
            steps.push(Step::text_of("1.8.1", StepKind::FlagBefore(claim.side)));
            let lost = Consequence::Won(claim.side.opponent());
            return ClaimVerdict::of(steps, Decision::Refused, or_undecided(lost));
        }
        for (idle, kind) in [
            (claim.article != Article::Repetition && claim.intended.is_some(), StepKind::WrittenMoveIdle),
            (claim.article != Article::Agreement && !claim.offers.is_empty(), StepKind::OffersIdle),
        ] {
            steps.extend(idle.then(|| Step::text_of("1.9.2", kind)));
        }
        let needs_record = !matches!(claim.article, Article::Agreement | Article::NoWinPossible);
        let mut verdict = if needs_record && !claim.record_presented {
            steps.push(Step::text_of("1.9.2", StepKind::NoRecord));
            not_considered(steps, claim)
        } else {
            match claim.article {
                Article::Agreement => offers::decide(&until_claim, claim, steps),
                Article::NoWinPossible => self.facts_only(rules, &judged, steps),
                Article::Repetition => repetition::decide(rules, &replay, claim, steps, self.oracle()),
                _ => count::decide(rules, &replay, &judged, claim, steps, self.oracle()),
            }
        };
        if let Some((outcome, _)) = ended {
            verdict.game = outcome;
            // A refusal ends with what becomes of the game: nothing any more, whatever the flag did.
            if let (Decision::Refused, Some(last)) = (verdict.verdict, verdict.steps.last_mut()) {
                *last = Step::text_of("1.9.2", StepKind::RefusedGameOver);
            }
        } else if !matches!(verdict.game, Consequence::Drawn(_)) {
            verdict.game = or_undecided(verdict.game);
        }
        verdict
    }

    fn facts_only(&self, rules: &Rules, judged: &Judged, mut steps: Vec<Step>) -> ClaimVerdict {
        if let Some(state) = judged.states.last() {
            steps.extend(facts(rules, state, self.oracle()));
        }
        steps.push(Step::text_of("1.9.1.2", StepKind::ArbiterDecides));
        ClaimVerdict::of(steps, Decision::FactsOnly, Consequence::Undecided)
    }
}

fn not_considered(mut steps: Vec<Step>, claim: &Claim) -> ClaimVerdict {
    let mut game = Consequence::GoesOn;
    if claim.flag != Flag::Up {
        steps.push(Step::reading("1.8.1", StepKind::NotConsideredFlag(claim.side)));
        game = Consequence::Won(claim.side.opponent());
    }
    ClaimVerdict::of(steps, Decision::NotConsidered, game)
}

/// How a game had ended by its moves, if it had: by a count or by having no move.
fn ended(rules: &Rules, replay: &Replay<'_>, judged: &Judged) -> Option<(Consequence, Step)> {
    if let Some((article, ply)) = drawn_by(judged) {
        let step = Step::text_of(article.number(), StepKind::DrawnBefore { article, ply });
        return Some((Consequence::Drawn(article), step));
    }
    match rules.over_by_no_move(replay.positions.last()?)? {
        Over::NoMove { winner } => Some((Consequence::Won(winner), Step::text_of("1.8.1", StepKind::NoMove(winner)))),
        Over::Drawn(_) => None,
    }
}

/// Upheld, the game drawn by the article.
fn upheld(mut steps: Vec<Step>, claim: &Claim) -> ClaimVerdict {
    let kind = if claim.flag == Flag::FellDuringCheck { StepKind::UpheldDespiteFlag } else { StepKind::Upheld };
    steps.push(Step::text_of("1.9.2", kind));
    ClaimVerdict::of(steps, Decision::Upheld, Consequence::Drawn(claim.article))
}

/// Refused, with what follows for the game.
fn refused(mut steps: Vec<Step>, claim: &Claim, goes_on: Step) -> ClaimVerdict {
    if claim.flag == Flag::FellDuringCheck {
        steps.push(Step::text_of("1.9.2", StepKind::RefusedFlag(claim.side)));
        return ClaimVerdict::of(steps, Decision::Refused, Consequence::Won(claim.side.opponent()));
    }
    steps.push(goes_on);
    ClaimVerdict::of(steps, Decision::Refused, Consequence::GoesOn)
}
