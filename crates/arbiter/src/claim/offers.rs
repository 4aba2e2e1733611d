//! Offers of a draw in and out of order (1.9.3-1.9.6), and agreement (1.9.1.1).

use bolshak_rules::{Article, Color};
use serde::Serialize;

use super::step::{Step, StepKind};
use super::{Claim, ClaimVerdict, Consequence, Decision, refused};
use crate::pdn::Record;

/// An offer of a draw as made at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The side that made it.
    pub side: Color,
    /// The ply after which it was made.
    pub ply: usize,
    /// Whether the opponent's clock was running by then. Of no account when the offering side was to move.
    pub clock_started: bool,
    /// Whether it had a condition.
    pub conditional: bool,
    /// The answer in words.
    pub answer: Option<Answered>,
}

/// An answer in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answered {
    /// Accepted.
    Accepted,
    /// Declined.
    Declined,
}

/// What the rules say of the offers of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OfferReview {
    /// The steps, each with its article.
    pub steps: Vec<Step>,
    /// The ply after which the sides agreed, if they did.
    pub agreed_ply: Option<usize>,
}

impl Record {
    /// What the rules say of these offers, by ply and, where that is the same, in the order given.
    pub fn review_offers(&self, offers: &[Offer]) -> OfferReview {
        let mut offers = offers.to_vec();
        offers.sort_by_key(|offer| offer.ply);
        let mut steps = Vec::new();
        // Whether a side's offer was refused and the other side has not used its right to offer since.
        let mut refused = [false; 2];
        for offer in &offers {
            if offer.conditional {
                steps.push(Step::text_of("1.9.3", StepKind::OfferConditional(offer.side, offer.ply)));
                continue;
            }
            let in_order = !refused[offer.side as usize];
            if !in_order {
                steps.push(Step::text_of("1.9.6", StepKind::OfferAgain(offer.side, offer.ply)));
            }
            refused[offer.side.opponent() as usize] = false;
            steps.push(self.moment(offer));
            match (offer.answer, self.declining_ply(offer)) {
                (Some(Answered::Accepted), _) => {
                    steps.push(if in_order {
                        Step::text_of("1.9.1.1", StepKind::OfferAccepted)
                    } else {
                        Step::reading("1.9.1.1", StepKind::OfferAcceptedOutOfOrder)
                    });
                    return OfferReview { steps, agreed_ply: Some(offer.ply) };
                }
                (Some(Answered::Declined), _) => {
                    steps.push(Step::text_of("1.9.3", StepKind::OfferDeclined));
                    refused[offer.side as usize] = true;
                }
                (None, Some(ply)) => {
                    steps.push(Step::text_of("1.9.3", StepKind::OfferDeclinedByMoving(ply)));
                    refused[offer.side as usize] = true;
                }
                (None, None) => steps.push(Step::text_of("1.9.3", StepKind::OfferOpen(offer.side))),
            }
        }
        OfferReview { steps, agreed_ply: None }
    }

    fn is_to_move(&self, side: Color, ply: usize) -> bool {
        let first = self.first_to_move();
        side == if ply.is_multiple_of(2) { first } else { first.opponent() }
    }

    fn moment(&self, offer: &Offer) -> Step {
        let Offer { side, ply, .. } = *offer;
        if self.is_to_move(side, ply) {
            Step::text_of("1.9.5", StepKind::OfferOnOwnTime(side, ply))
        } else if offer.clock_started || ply == 0 {
            // Before the first move there is no own move to offer after.
            Step::text_of("1.9.4", StepKind::OfferOnOpponentsTime(side, ply))
        } else {
            Step::text_of("1.9.3", StepKind::OfferProper(side, ply))
        }
    }

    /// The opponent's next move after an offer, which declines it. An offer on one's own time may wait for one's move.
    fn declining_ply(&self, offer: &Offer) -> Option<usize> {
        let ply = offer.ply + if self.is_to_move(offer.side, offer.ply) { 2 } else { 1 };
        (ply <= self.plies()).then_some(ply)
    }
}

/// A claim that both had agreed (1.9.1.1).
pub(super) fn decide(record: &Record, claim: &Claim, mut steps: Vec<Step>) -> ClaimVerdict {
    let (offers, later): (Vec<Offer>, Vec<Offer>) = claim.offers.iter().partition(|offer| offer.ply <= claim.ply);
    steps.extend(later.iter().map(|offer| Step::text_of("1.9.3", StepKind::OfferAfterClaim(offer.side, offer.ply))));
    if offers.is_empty() {
        steps.push(Step::text_of("1.9.3", StepKind::NoOffer));
    }
    let review = record.review_offers(&offers);
    steps.extend(review.steps);
    if review.agreed_ply.is_some() {
        steps.push(Step::text_of("1.9.1.1", StepKind::Upheld));
        ClaimVerdict::of(steps, Decision::Upheld, Consequence::Drawn(Article::Agreement))
    } else {
        refused(steps, claim, Step::text_of("1.9.1.1", StepKind::RefusedGoesOn))
    }
}
