//! What the arbiter says, in the messages of `bolshak.v1`.

use bolshak_arbiter::pdn::{MoveProblem, RecordError, Tag};
use bolshak_arbiter::{
    Adjudication, BySet, ClaimVerdict, Consequence, Count, CountLeft, Decision, Disagreement, Ended, Finding, Fit,
    Fits, GameResult, GaveAway, Language, Line, Met, NumberedMove, PlyFacts, Proof, Reading, RoadFinding, RoadReview,
    SetFacts, Step, TableValue, Unit, Verdict, WinNeeds,
};
use bolshak_proto::v1;
use bolshak_rules::Color;

use crate::wire::{color, value};

/// Plies and games are far fewer than a field can hold.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn numbers(counts: Vec<usize>) -> Vec<u32> {
    counts.into_iter().map(number).collect()
}

fn some_color(side: Option<Color>) -> i32 {
    side.map_or(v1::Color::Unspecified, color).into()
}

pub(super) fn tag(tag: Tag) -> v1::Tag {
    v1::Tag { name: tag.name, value: tag.value }
}

pub(super) fn verdict(verdict: Verdict, language: Language) -> v1::Verdict {
    let Verdict {
        game,
        plies,
        final_fen,
        result,
        warnings,
        error,
        rules,
        mut road_reviews,
        disagreements,
        readings,
        mut fits,
        mut final_values,
        timeline,
    } = verdict;
    let rule_sets = rules.0.into_iter().map(|(set, met)| v1::RuleSetVerdict {
        rule_set: set.to_owned(),
        met: met.into_iter().map(self::met).collect(),
        road_reviews: take(&mut road_reviews, set)
            .into_iter()
            .flatten()
            .map(|review| road_review(review, language))
            .collect(),
        fit: take(&mut fits, set).map(|fit| self::fit(fit, language)),
        final_value: take(&mut final_values, set).map(|known| table_value(known, language)),
    });
    v1::Verdict {
        game: number(game),
        plies: number(plies),
        final_fen,
        result: game_result(result).into(),
        warnings: warnings.iter().map(|warning| warning.message(language)).collect(),
        error: error.map(|error| record_error(error, language)),
        rule_sets: rule_sets.collect(),
        disagreements: disagreements.iter().map(|differ| disagreement(differ, language)).collect(),
        timeline: timeline.into_iter().flatten().map(|facts| ply_facts(facts, language)).collect(),
        readings: readings.iter().map(|reading| self::reading(reading, language)).collect(),
    }
}

fn take<T>(values: &mut BySet<T>, set: &str) -> Option<T> {
    let at = values.0.iter().position(|(name, _)| *name == set)?;
    Some(values.0.swap_remove(at).1)
}

fn game_result(result: GameResult) -> v1::GameResult {
    match result {
        GameResult::WinWhite => v1::GameResult::WinWhite,
        GameResult::WinBlack => v1::GameResult::WinBlack,
        GameResult::Draw => v1::GameResult::Draw,
        GameResult::Unfinished => v1::GameResult::Unfinished,
    }
}

fn record_error(error: RecordError, language: Language) -> v1::RecordError {
    let (ply, message) = (number(error.ply()), error.message(language));
    let (text, candidates, legal) = match error {
        RecordError::Move { text, problem: MoveProblem::Ambiguous { candidates }, .. } => {
            (text, candidates, Vec::new())
        }
        RecordError::Move {
            text, problem: MoveProblem::Illegal { legal } | MoveProblem::NotAMove { legal }, ..
        } => (text, Vec::new(), legal),
        RecordError::TooLong
        | RecordError::TooManyPlies { .. }
        | RecordError::Unreadable
        | RecordError::GameType(_)
        | RecordError::Start(_) => Default::default(),
    };
    v1::RecordError { ply, message, text, candidates, legal }
}

fn met(met: Met) -> v1::Met {
    v1::Met {
        article: met.article.number().to_owned(),
        first_met_ply: number(met.first_met_ply),
        cites: met.cites.unwrap_or_default().to_owned(),
        count: Some(count(met.count)),
        proof: Some(proof(met.proof)),
        later_plies: numbers(met.later_plies),
    }
}

fn unit(unit: Unit) -> v1::CountUnit {
    match unit {
        Unit::Plies => v1::CountUnit::Plies,
        Unit::OwnMoves => v1::CountUnit::OwnMoves,
        Unit::Occurrences => v1::CountUnit::Occurrences,
        Unit::EqualBlocks => v1::CountUnit::EqualBlocks,
    }
}

fn count(count: Count) -> v1::Count {
    v1::Count { reached: count.reached, unit: unit(count.unit).into() }
}

fn proof(proof: Proof) -> v1::Proof {
    let by = match proof {
        Proof::Range { from_ply, to_ply, side, moves } => v1::proof::By::Range(v1::RangeProof {
            from_ply: number(from_ply),
            to_ply: number(to_ply),
            side: some_color(side),
            moves: moves.into_iter().map(numbered_move).collect(),
        }),
        Proof::Occurrences { plies, fen } => {
            v1::proof::By::Occurrences(v1::OccurrencesProof { plies: numbers(plies), fen })
        }
        Proof::Blocks { side, from_ply, to_ply, block } => v1::proof::By::Blocks(v1::BlocksProof {
            side: color(side).into(),
            from_ply: number(from_ply),
            to_ply: number(to_ply),
            block: block.into_iter().map(numbered_move).collect(),
        }),
    };
    v1::Proof { by: Some(by) }
}

fn numbered_move(mv: NumberedMove) -> v1::NumberedMove {
    v1::NumberedMove { ply: number(mv.ply), r#move: mv.text }
}

fn road_review(review: RoadReview, language: Language) -> v1::RoadReview {
    use v1::road_review::Finding;
    let (finding, outcome, reason, winner) = match review.finding {
        RoadFinding::Won { winner, outcome } => (Finding::Won, Some(outcome), String::new(), Some(winner)),
        RoadFinding::Drawn(outcome) => (Finding::Drawn, Some(outcome), String::new(), None),
        RoadFinding::Unknown(reason) => (Finding::Unknown, None, reason.message(language), None),
    };
    v1::RoadReview {
        ply: number(review.ply),
        finding: finding.into(),
        value: outcome.map_or(v1::Value::Unspecified, |outcome| value(outcome.value)).into(),
        distance_plies: outcome.and_then(|outcome| outcome.distance_plies).map(u32::from),
        reason,
        winner: some_color(winner),
    }
}

fn fit(fit: Fit, language: Language) -> v1::Fit {
    let fits = match fit.fits() {
        Fits::Yes => v1::Fits::Yes,
        Fits::No => v1::Fits::No,
        Fits::Possible => v1::Fits::Possible,
        Fits::Unknown => v1::Fits::Unknown,
    };
    v1::Fit { fits: fits.into(), text: fit.text(language) }
}

fn table_value(known: TableValue, language: Language) -> v1::TableValue {
    match known {
        TableValue::Known(outcome) => v1::TableValue {
            value: value(outcome.value).into(),
            distance_plies: outcome.distance_plies.map(u32::from),
            unknown: String::new(),
        },
        TableValue::Unknown(reason) => v1::TableValue { unknown: reason.message(language), ..Default::default() },
    }
}

fn disagreement(differ: &Disagreement, language: Language) -> v1::Disagreement {
    use v1::finding::Kind;
    let finding = |(set, finding): (&'static str, &Finding)| {
        let (kind, ply) = match *finding {
            Finding::Met(ply) => (Kind::Met, Some(ply)),
            Finding::NotMet => (Kind::NotMet, None),
            Finding::NeedsTable(ply) => (Kind::NeedsTable, Some(ply)),
        };
        v1::Finding { rule_set: set.to_owned(), kind: kind.into(), ply: ply.map(number) }
    };
    v1::Disagreement {
        article: differ.article.number().to_owned(),
        findings: differ.findings.iter().map(finding).collect(),
        explanation: differ.explanation(language),
    }
}

fn reading(reading: &Reading, language: Language) -> v1::Reading {
    v1::Reading { article: reading.article.number().to_owned(), text: reading.text(language).to_owned() }
}

fn ply_facts(facts: PlyFacts, language: Language) -> v1::PlyFacts {
    v1::PlyFacts {
        ply: number(facts.ply),
        r#move: facts.move_text.unwrap_or_default(),
        fen: facts.fen,
        occurrence: facts.occurrence,
        ratio_plies: facts.ratio_plies,
        kings_plies: facts.kings_plies,
        rule_sets: facts.sets.0.into_iter().map(|(set, facts)| set_facts(set, facts, language)).collect(),
    }
}

fn set_facts(set: &str, facts: SetFacts, language: Language) -> v1::SetFacts {
    let gave_away = match facts.gave_away {
        None => v1::GaveAway::Unspecified,
        Some(GaveAway::Win) => v1::GaveAway::Win,
        Some(GaveAway::Draw) => v1::GaveAway::Draw,
    };
    let known = v1::TableValue {
        value: facts.value.map_or(v1::Value::Unspecified, value).into(),
        distance_plies: facts.distance_plies.map(u32::from),
        unknown: facts.unknown.map(|reason| reason.message(language)).unwrap_or_default(),
    };
    v1::SetFacts {
        rule_set: set.to_owned(),
        road_moves: facts.road_moves.into(),
        left: facts.left.into_iter().map(count_left).collect(),
        value: Some(known),
        gave_away: gave_away.into(),
        road_review: facts.road_review.map(|review| road_review(review, language)),
    }
}

fn count_left(left: CountLeft) -> v1::CountLeft {
    v1::CountLeft { article: left.article.number().to_owned(), left: left.left, unit: unit(left.unit).into() }
}

pub(super) fn claim_verdict(set: &str, verdict: ClaimVerdict, language: Language) -> v1::ClaimVerdict {
    let decision = match verdict.verdict {
        Decision::Upheld => v1::Decision::Upheld,
        Decision::Refused => v1::Decision::Refused,
        Decision::NotConsidered => v1::Decision::NotConsidered,
        Decision::FactsOnly => v1::Decision::FactsOnly,
        Decision::NeedsTable => v1::Decision::NeedsTable,
    };
    v1::ClaimVerdict {
        rule_set: set.to_owned(),
        decision: decision.into(),
        game: Some(consequence(verdict.game)),
        steps: steps(&verdict.steps, language),
        proof: verdict.proof.map(proof),
        line: verdict.line.map(best_line),
        holding_moves: verdict.holding_moves,
    }
}

fn consequence(consequence: Consequence) -> v1::Consequence {
    use v1::consequence::State;
    let (state, article, winner) = match consequence {
        Consequence::Drawn(article) => (State::Drawn, article.number(), None),
        Consequence::Won(winner) => (State::Won, "", Some(winner)),
        Consequence::GoesOn => (State::GoesOn, "", None),
        Consequence::Undecided => (State::Undecided, "", None),
    };
    v1::Consequence { state: state.into(), article: article.to_owned(), winner: some_color(winner) }
}

fn steps(steps: &[Step], language: Language) -> Vec<v1::Step> {
    let step = |step: &Step| v1::Step { cite: step.cite.to_owned(), reading: step.reading, text: step.text(language) };
    steps.iter().map(step).collect()
}

fn best_line(line: Line) -> v1::BestLine {
    v1::BestLine { moves: line.moves, final_fen: line.final_fen, over_by: line.over_by.unwrap_or_default() }
}

pub(super) fn adjudication(set: &str, adjudication: Adjudication, language: Language) -> v1::Adjudication {
    let ended = |ended: Ended| v1::Ended { by: ended.by, ply: number(ended.ply), winner: some_color(ended.winner) };
    let win_needs = |needs: WinNeeds| v1::WinNeeds {
        side: color(needs.side).into(),
        plies_to_conversion: needs.plies_to_conversion.into(),
        within_the_counts: needs.within_the_counts,
        line: needs.line.map(best_line),
    };
    v1::Adjudication {
        rule_set: set.to_owned(),
        fen: adjudication.fen,
        to_move: color(adjudication.to_move).into(),
        value: Some(table_value(adjudication.value, language)),
        ended: adjudication.ended.map(ended),
        won_by_flag: some_color(adjudication.won_by_flag),
        left: adjudication.left.into_iter().map(count_left).collect(),
        occurrence: adjudication.occurrence,
        repeating_moves: adjudication.repeating_moves,
        win_needs: adjudication.win_needs.map(win_needs),
        facts: steps(&adjudication.facts, language),
        error: adjudication.error.map(|error| record_error(error, language)),
        road_reviews: adjudication.road_reviews.into_iter().map(|review| road_review(review, language)).collect(),
    }
}
