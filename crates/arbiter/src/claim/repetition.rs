//! Claims of repetition (1.9.1.7 by the procedure of 1.9.2; in the classic code, article 19).

use bolshak_rules::{Repetition, Rules};

use super::step::{Step, StepKind};
use super::{Claim, ClaimVerdict, refused, upheld};
use crate::pdn::read_move;
use crate::verdict::{Judged, Replay, claimable_plies, occurrence_plies};

const REPETITION: &str = "1.9.1.7";
const PROCEDURE: &str = "1.9.2";

pub(super) fn decide(
    rules: &Rules,
    replay: &Replay<'_>,
    judged: &Judged,
    claim: &Claim,
    mut steps: Vec<Step>,
) -> ClaimVerdict {
    let times = match rules.set.repetition {
        None => {
            steps.push(Step::text_of(REPETITION, StepKind::NoSuchRule));
            return refused(steps, claim, Step::text_of(PROCEDURE, StepKind::RefusedGoesOn));
        }
        Some(Repetition::EqualBlocks { blocks, min_moves }) => {
            return equal_blocks(replay, claim, steps, blocks, min_moves);
        }
        Some(Repetition::Occurrences(times)) => times,
    };
    let position = &replay.positions[claim.ply];
    if position.turn() != claim.side {
        steps.push(Step::text_of(PROCEDURE, StepKind::NotToMove(claim.side)));
        if replay.occurrences[claim.ply] >= times {
            steps.push(Step::text_of(PROCEDURE, StepKind::MovedInstead(claim.side)));
        }
        return refused(steps, claim, Step::text_of(PROCEDURE, StepKind::RefusedGoesOn));
    }
    steps.push(Step::text_of(PROCEDURE, StepKind::ToMove(claim.side)));
    steps.push(Step::text_of(PROCEDURE, StepKind::CheckedOnClaimantsClock));
    let plies = occurrence_plies(&replay.positions, claim.ply);
    let time = replay.occurrences[claim.ply];
    steps.push(Step::text_of(REPETITION, StepKind::Stands { time, plies: plies.clone() }));
    if time >= times {
        return with_occurrences(upheld(steps, claim), plies, position.to_fen());
    }
    let written = claim.intended.as_deref().map(|text| (text, read_move(position, text)));
    let mut stands = None;
    match written {
        None => {}
        Some((text, Err(problem))) => {
            let kind = StepKind::WrittenMoveIllegal { text: text.to_owned(), ply: claim.ply + 1, problem };
            steps.push(Step::text_of(PROCEDURE, kind));
        }
        Some((_, Ok(mv))) => {
            let text = position.move_text(&mv);
            let after = position.after(&mv);
            let mut plies: Vec<usize> =
                (0..replay.positions.len()).filter(|&ply| replay.positions[ply] == after).collect();
            let time = u32::try_from(plies.len()).unwrap_or(u32::MAX).saturating_add(1);
            let kind = StepKind::WrittenMoveLeads { text: text.clone(), time, plies: plies.clone() };
            steps.push(Step::text_of(REPETITION, kind));
            if time >= times {
                plies.push(claim.ply + 1);
                return with_occurrences(upheld(steps, claim), plies, after.to_fen());
            }
            stands = Some(text);
        }
    }
    if let Some(ply) = claimable_plies(judged).filter(|&ply| replay.positions[ply].turn() == claim.side).last() {
        steps.push(Step::text_of(PROCEDURE, StepKind::RightLost { side: claim.side, ply }));
    }
    let goes_on = match stands {
        Some(text) => Step::text_of(PROCEDURE, StepKind::RefusedMoveStands(text)),
        None => Step::reading(PROCEDURE, StepKind::RefusedMoves),
    };
    refused(steps, claim, goes_on)
}

fn with_occurrences(verdict: ClaimVerdict, plies: Vec<usize>, fen: String) -> ClaimVerdict {
    ClaimVerdict { proof: Some(crate::verdict::Proof::Occurrences { plies, fen }), ..verdict }
}

/// The classic code: the opponent of the side that repeats its moves may declare a draw.
fn equal_blocks(replay: &Replay<'_>, claim: &Claim, mut steps: Vec<Step>, blocks: u32, min_moves: u32) -> ClaimVerdict {
    const CITE: &str = "19";
    let found = replay.equal_blocks(blocks, min_moves);
    // The opponent's last move is this ply or, when the opponent is to move, the one before.
    let last_of_opponent =
        if replay.mover(claim.ply.max(1)) == claim.side { claim.ply.checked_sub(1) } else { Some(claim.ply) };
    match last_of_opponent.and_then(|ply| found.get(ply).copied().flatten().map(|blocks| (ply, blocks))) {
        Some((ply, equal)) if equal.side != claim.side => {
            let from_ply = ply + 2 - 2 * equal.own_moves * blocks as usize;
            let kind = StepKind::Blocks { side: equal.side, own_moves: equal.own_moves, from_ply };
            steps.push(Step::text_of(CITE, kind));
            upheld(steps, claim)
        }
        _ => {
            steps.push(Step::text_of(CITE, StepKind::NoBlocks));
            refused(steps, claim, Step::text_of(CITE, StepKind::RefusedGoesOn))
        }
    }
}
