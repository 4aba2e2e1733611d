//! Claims of the counts, 1.9.1.3 to 1.9.1.6: they end the game at their ply, whoever points it out.

use bolshak_rules::{Article, Rules, State};

use super::step::{Step, StepKind};
use super::{Claim, ClaimVerdict, Consequence, Decision, refused};
use crate::line::{best_line, defence_line, holding_moves};
use crate::oracle::Oracle;
use crate::verdict::{Judged, Reading, Replay, RoadFinding, RoadReview, has_rule, without_road};

/// Plies of the defence that are shown where it holds.
const DEFENCE_PLIES: usize = 12;

pub(super) fn decide(
    rules: &Rules,
    replay: &Replay<'_>,
    judged: &Judged,
    claim: &Claim,
    mut steps: Vec<Step>,
    oracle: &dyn Oracle,
) -> ClaimVerdict {
    let cite = claim.article.number();
    if !has_rule(&rules.set, claim.article) {
        steps.push(Step::text_of(cite, StepKind::NoSuchRule));
        return refused(steps, claim, Step::text_of("1.9.2", StepKind::RefusedGoesOn));
    }
    steps.push(Step::text_of("1.9.1", StepKind::CountsEndTheGame));
    steps.extend(Reading::of(claim.article).map(|reading| Step::reading(cite, StepKind::Reading(reading))));
    let review = judged.reviews.last().filter(|_| claim.article == Article::MainRoad);
    if let Some(review) = review {
        steps.push(Step::text_of(
            cite,
            match &review.finding {
                RoadFinding::Won { winner, .. } => StepKind::RoadWon { ply: review.ply, winner: *winner },
                RoadFinding::Drawn(_) => StepKind::RoadDrawn { ply: review.ply },
                RoadFinding::Unknown(reason) => StepKind::RoadUnknown { ply: review.ply, reason: reason.clone() },
            },
        ));
    }
    let mut verdict = if let Some(met) = judged.met.iter().find(|met| met.article == claim.article) {
        steps.push(Step::text_of(cite, StepKind::CountMet { ply: met.first_met_ply, count: met.count }));
        steps.push(Step::text_of("1.9.1", StepKind::Upheld));
        let verdict = ClaimVerdict::of(steps, Decision::Upheld, Consequence::Drawn(claim.article));
        ClaimVerdict { proof: Some(met.proof.clone()), ..verdict }
    } else if review.is_some_and(|review| matches!(review.finding, RoadFinding::Unknown(_))) {
        ClaimVerdict::of(steps, Decision::NeedsTable, Consequence::Undecided)
    } else {
        let last = replay.last();
        let left = judged.counts_left(rules, last).into_iter().find(|left| left.article == claim.article);
        // A won review has said it all, unless the force ratio has changed since.
        if review.is_none() || judged.standing_review(last) != review {
            steps.push(Step::text_of(cite, StepKind::CountNotMet(left)));
        }
        refused(steps, claim, Step::text_of("1.9.1", StepKind::RefusedGoesOn))
    };
    if let Some(review) = review {
        show_road_proof(review, &judged.states[review.ply], oracle, &mut verdict);
    }
    verdict
}

/// The line that proves the position won, or in which the defence holds.
fn show_road_proof(review: &RoadReview, state: &State, oracle: &dyn Oracle, verdict: &mut ClaimVerdict) {
    let (rules, state) = (&review.table_rules, without_road(state));
    if matches!(review.finding, RoadFinding::Unknown(_)) {
        return;
    }
    let line = match review.finding {
        RoadFinding::Drawn(_) => defence_line(oracle, rules, &state, DEFENCE_PLIES),
        RoadFinding::Won { .. } | RoadFinding::Unknown(_) => best_line(oracle, rules, &state, &[]),
    };
    verdict.line = line.ok();
    if let (RoadFinding::Drawn(_), Ok(answer)) = (&review.finding, oracle.answer(rules, &state, &[])) {
        verdict.holding_moves = holding_moves(&answer).map(|rated| rated.text.clone()).collect();
    }
}
