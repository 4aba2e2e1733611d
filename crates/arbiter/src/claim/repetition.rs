//! Claims of repetition (1.9.1.7 by the procedure of 1.9.2; in the classic code, article 19).

use std::collections::HashMap;

use bolshak_rules::{Color, Move, Position, Repetition, Rules};

use super::step::{Step, StepKind};
use super::{Claim, ClaimVerdict, Consequence, ended, refused, upheld};
use crate::oracle::Oracle;
use crate::pdn::{Played, read_move};
use crate::verdict::{Replay, judge, occurrence_plies};

const REPETITION: &str = "1.9.1.7";
const PROCEDURE: &str = "1.9.2";

pub(super) fn decide(
    rules: &Rules,
    replay: &Replay<'_>,
    claim: &Claim,
    mut steps: Vec<Step>,
    oracle: &dyn Oracle,
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
        steps.extend(lost_rights(replay, claim.side, times));
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
            stands = Some((text, mv));
        }
    }
    steps.extend(lost_rights(replay, claim.side, times));
    match stands {
        Some((text, mv)) => refused_with_move(rules, replay, claim, steps, (text, mv), oracle),
        None => refused(steps, claim, Step::reading(PROCEDURE, StepKind::RefusedMoves)),
    }
}

/// Refused, the written move counting as played: the game goes on, unless that move has ended it.
fn refused_with_move(
    rules: &Rules,
    replay: &Replay<'_>,
    claim: &Claim,
    steps: Vec<Step>,
    (text, mv): (String, Move),
    oracle: &dyn Oracle,
) -> ClaimVerdict {
    let mut record = replay.record.clone();
    record.moves.push(Played::from(mv));
    let replay = Replay::of(&record);
    let judged = judge(rules, &replay, oracle);
    let mut verdict = refused(steps, claim, Step::text_of(PROCEDURE, StepKind::RefusedMoveStands(text)));
    if verdict.game != Consequence::GoesOn {
        return verdict;
    }
    if let Some((outcome, step)) = ended(rules, &replay, &judged) {
        verdict.steps.push(step);
        verdict.game = outcome;
    } else if let Some((review, reason)) = judged.unknown_review() {
        verdict.steps.push(Step::road_unknown(review.ply, reason));
        verdict.game = Consequence::Undecided;
    }
    verdict
}

/// The last right to claim that a side had and lost by moving, and a later one that it would have had by writing another
/// move than it played.
fn lost_rights(replay: &Replay<'_>, side: Color, times: u32) -> impl Iterator<Item = Step> {
    let mut seen: HashMap<Position, u32> = HashMap::new();
    let (mut lost, mut let_go) = (None, None);
    for (ply, pair) in replay.positions.windows(2).enumerate() {
        let (position, after) = (&pair[0], &pair[1]);
        *seen.entry(*position).or_insert(0) += 1;
        if position.turn() != side {
            continue;
        }
        let recurs = |after: &Position| seen.get(after).is_some_and(|before| before + 1 >= times);
        let (ply, played) = (ply + 1, replay.move_text(ply + 1).to_owned());
        if seen[position] >= times {
            (lost, let_go) = (Some(StepKind::RightLost { side, ply, played }), None);
        } else if recurs(after) {
            (lost, let_go) = (Some(StepKind::MovedInstead { side, ply, played }), None);
        } else {
            let moves = position.legal_moves_with_text().into_iter();
            let writable = moves.filter(|(_, mv)| recurs(&position.after(mv))).map(|(text, _)| text).next();
            let_go = writable.map(|text| StepKind::RightLetGo { side, ply, text, played }).or(let_go);
        }
    }
    [lost, let_go].into_iter().flatten().map(|kind| Step::text_of(PROCEDURE, kind))
}

fn with_occurrences(verdict: ClaimVerdict, plies: Vec<usize>, fen: String) -> ClaimVerdict {
    ClaimVerdict { proof: Some(crate::verdict::Proof::Occurrences { plies, fen }), ..verdict }
}

/// The classic code: the opponent of the side that repeats its moves may declare a draw.
fn equal_blocks(replay: &Replay<'_>, claim: &Claim, mut steps: Vec<Step>, blocks: u32, min_moves: u32) -> ClaimVerdict {
    const CITE: &str = "19";
    steps.extend(claim.intended.as_ref().map(|_| Step::text_of(CITE, StepKind::WrittenMoveIdle)));
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
