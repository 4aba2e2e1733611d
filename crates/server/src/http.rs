//! The JSON twin of the service, for people and scripts.

use axum::extract::{RawQuery, State};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use bolshak_proto::v1;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::json;
use crate::query::{Field, Query, Violation};
use crate::wanted::Wanted;
use crate::work::Workers;

const PARAMETERS: &str = "fen, ratio, kings, road, rules, variant, history";

/// What the routes share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) workers: Workers,
}

pub(crate) fn router(shared: Shared) -> Router {
    Router::new().route("/v1/probe", get(probe)).with_state(shared)
}

async fn probe(State(shared): State<Shared>, RawQuery(text): RawQuery) -> Result<impl IntoResponse, Failure> {
    let query = read_query(&text.unwrap_or_default()).map_err(Failure::Invalid)?;
    let answer = shared.workers.run(move |cancel| shared.engine.answer(&query, Wanted::ALL, cancel)).await?;
    Ok(Json(json::Answer::from(answer)))
}

/// Reads `fen=...&ratio=...` as the question that it stands for. Unknown and repeated parameters are refused: a misspelt
/// counter must not be taken for 0.
fn read_query(text: &str) -> Result<Query, Vec<Violation>> {
    let mut query = v1::Query::default();
    let mut violations = Vec::new();
    let mut seen: Vec<Field> = Vec::new();
    let mut counters = v1::Counters::default();
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let position = v1::Position { form: Some(v1::position::Form::Fen(value.clone().into_owned())) };
        let field = match &*name {
            "fen" => Field::Fen,
            "ratio" => Field::Ratio,
            "kings" => Field::Kings,
            "road" => Field::Road,
            "rules" => Field::RuleSet,
            "variant" => Field::Variant,
            "history" => Field::HistoryItem(query.history.len()),
            _ => Field::UnknownParameter(name.into_owned()),
        };
        if seen.contains(&field) {
            violations.push(Violation::new(field, "the parameter is given twice"));
            continue;
        }
        seen.push(field.clone());
        let mut count = || {
            read_count(&value).map_err(|message| violations.push(Violation::new(field.clone(), message))).unwrap_or(0)
        };
        match field {
            Field::Fen => query.position = Some(position),
            Field::Ratio => counters.ratio_plies = count(),
            Field::Kings => counters.kings_plies = count(),
            Field::Road => counters.road_moves = count(),
            Field::RuleSet => query.rule_set = value.into_owned(),
            Field::Variant => query.variant = value.into_owned(),
            Field::HistoryItem(_) => query.history.push(position),
            _ => violations.push(Violation::new(field, format!("unknown parameter; known: {PARAMETERS}"))),
        }
    }
    if !violations.is_empty() {
        return Err(violations);
    }
    query.counters = Some(counters);
    Query::read(&query)
}

fn read_count(value: &str) -> Result<u32, String> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { value.parse().ok() } else { None };
    number.ok_or_else(|| format!("'{value}' is not a number from 0 to {}", u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Vec<String> {
        read_query(text).unwrap_err().into_iter().map(|v| format!("{}: {}", v.field.parameter(), v.message)).collect()
    }

    #[test]
    fn parameters_are_read() {
        let text = "fen=W:WKa1,c3:Bb6,Kh8&ratio=9&kings=4&rules=fmjd64&history=W%3AWKa1%3ABKh8&history=B:WKa1:BKh8";
        let query = read_query(text).unwrap();
        assert_eq!(query.state.position.to_fen(), "W:WKa1,c3:Bb6,Kh8");
        assert_eq!((query.state.counters.ratio_plies, query.state.counters.kings_plies), (9, 4));
        assert_eq!((query.rules.set.name, query.history.len()), ("fmjd64", 2));
    }

    #[test]
    fn bad_parameters_are_named() {
        assert_eq!(refused(""), ["fen: the position is missing: give fen or bitboards"]);
        assert_eq!(refused("fen=W:WKa1:BKh8&ratio=-1"), ["ratio: '-1' is not a number from 0 to 4294967295"]);
        assert_eq!(refused("fen=W:WKa1:BKh8&ratio=1&ratio=2"), ["ratio: the parameter is given twice"]);
        assert_eq!(
            refused("fen=W:WKa1:BKh8&ration=1"),
            ["ration: unknown parameter; known: fen, ratio, kings, road, rules, variant, history"]
        );
        assert_eq!(refused("fen=W:WKa1:BKh8&kings=1"), ["kings: kings (1) is greater than ratio (0)"]);
    }
}
