//! The JSON twin of the service, for people and scripts, and the pages about the service itself.

use std::borrow::Cow;

use axum::extract::DefaultBodyLimit;
use axum::extract::{RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use bolshak_proto::v1;

use crate::arbiter;
use crate::cause::Cause;
use crate::coverage;
use crate::engine::{Engine, line_plies};
use crate::failure::Failure;
use crate::json;
use crate::metrics;
use crate::page;
use crate::query::{Field, Query, Violation};
use crate::server::MAX_MESSAGE_BYTES;
use crate::wanted::Wanted;
use crate::wire;
use crate::work::Workers;

/// What the routes share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) workers: Workers,
}

pub(crate) fn router(shared: Shared) -> Router {
    page::add_to(Router::new())
        .route("/v1/probe", get(probe))
        .route("/v1/line", get(line))
        .route("/v1/coverage", get(tables))
        .route("/v1/stats", get(stats))
        .route("/v1/arbiter/verify", post(arbiter::json::verify))
        .route("/v1/arbiter/claim", post(arbiter::json::claim))
        .route("/v1/arbiter/adjudicate", post(arbiter::json::adjudicate))
        .layer(DefaultBodyLimit::max(MAX_MESSAGE_BYTES))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(measured))
        .method_not_allowed_fallback(async || Failure::WrongMethod)
        .with_state(shared)
}

async fn ready(State(shared): State<Shared>) -> impl IntoResponse {
    if shared.engine.library.is_ready() {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "there are no tables yet\n")
    }
}

async fn measured(State(shared): State<Shared>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], metrics::render(&shared.engine.library))
}

async fn probe(State(shared): State<Shared>, RawQuery(text): RawQuery) -> Result<impl IntoResponse, Failure> {
    let Question { query, wanted, .. } = read_question(text, &PROBE)?;
    let answer = shared.engine.answer_on(&shared.workers, query, wanted).await?;
    Ok(Json(json::Answer::new(answer, wanted)))
}

async fn line(State(shared): State<Shared>, RawQuery(text): RawQuery) -> Result<impl IntoResponse, Failure> {
    let Question { query, plies, .. } = read_question(text, &LINE)?;
    let rules = query.rules;
    let look_up = move |cancel: &_| shared.engine.line(&query, line_plies(plies), cancel);
    let line = shared.workers.run(look_up).await?;
    let unknown = line.unknown.map(|failure| failure.to_item());
    Ok(Json(json::Line::new(wire::line(&rules, line.plies), unknown)))
}

async fn tables(State(shared): State<Shared>, RawQuery(text): RawQuery) -> Result<impl IntoResponse, Failure> {
    let Asked { query, .. } = read(text, &COVERAGE)?;
    let look_up = move |_: &_| coverage::coverage(&shared.engine.library, &query.variant);
    Ok(Json(json::Coverage::from(shared.workers.run(look_up).await?)))
}

async fn stats(State(shared): State<Shared>, RawQuery(text): RawQuery) -> Result<impl IntoResponse, Failure> {
    let Asked { query, slices, distances, .. } = read(text, &STATS)?;
    let request = v1::StatsRequest { slices, rule_set: query.rule_set, variant: query.variant, distances };
    let look_up = move |_: &_| coverage::stats(&shared.engine.library, &request);
    Ok(Json(json::Stats::from(shared.workers.run(look_up).await?)))
}

const PROBE: [&str; 8] = ["fen", "ratio", "kings", "road", "rules", "variant", "history", "answer_mask"];
const LINE: [&str; 8] = ["fen", "ratio", "kings", "road", "rules", "variant", "history", "plies"];
const COVERAGE: [&str; 1] = ["variant"];
const STATS: [&str; 4] = ["slice", "rules", "variant", "distances"];

/// These may be given more than once.
const LISTS: [&str; 2] = ["history", "slice"];

/// What the parameters of a request ask for.
#[derive(Default)]
struct Asked {
    query: v1::Query,
    mask: prost_types::FieldMask,
    plies: u32,
    slices: Vec<String>,
    distances: bool,
}

/// A question about one state.
struct Question {
    query: Query,
    wanted: Wanted,
    plies: u32,
}

/// Reads a question about one state. Counts one that is bad.
fn read_question(text: Option<String>, known: &[&str]) -> Result<Question, Failure> {
    let question = read(text, known).and_then(|Asked { query, mask, plies, .. }| {
        let query = Query::read(&query).map_err(Failure::Invalid)?;
        let wanted = Wanted::read(Some(&mask)).map_err(|violation| Failure::Invalid(vec![violation]))?;
        Ok(Question { query, wanted, plies })
    });
    question.inspect_err(|failure| metrics::states(failure.reason(), 1))
}

/// Reads `fen=...&ratio=...`. Unknown and repeated parameters are refused: a misspelt counter must not be taken for 0.
fn read(text: Option<String>, known: &[&str]) -> Result<Asked, Failure> {
    let text = text.unwrap_or_default();
    let mut asked = Asked::default();
    let mut counters = v1::Counters::default();
    let mut seen = Vec::new();
    let mut violations = Vec::new();
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let problem = if !known.contains(&&*name) {
            Some(format!("unknown parameter; known: {}", known.join(", ")))
        } else if seen.contains(&name) && !LISTS.contains(&&*name) {
            Some("the parameter is given twice".to_owned())
        } else {
            violations.extend(take(&mut asked, &mut counters, &name, value).err());
            None
        };
        if let Some(message) = problem {
            violations.push(Violation::new(Field::Parameter(name.clone().into_owned()), message));
        }
        seen.push(name);
    }
    asked.query.counters = Some(counters);
    if violations.is_empty() { Ok(asked) } else { Err(Failure::Invalid(violations)) }
}

fn take(asked: &mut Asked, counters: &mut v1::Counters, name: &str, value: Cow<'_, str>) -> Result<(), Violation> {
    let position = |fen: Cow<'_, str>| v1::Position { form: Some(v1::position::Form::Fen(fen.into_owned())) };
    match name {
        "fen" => asked.query.position = Some(position(value)),
        "ratio" => counters.ratio_plies = read_count(name, &value)?,
        "kings" => counters.kings_plies = read_count(name, &value)?,
        "road" => counters.road_moves = read_count(name, &value)?,
        "rules" => asked.query.rule_set = value.into_owned(),
        "variant" => asked.query.variant = value.into_owned(),
        "history" => asked.query.history.push(position(value)),
        "answer_mask" => asked.mask.paths = value.split(',').map(str::to_owned).collect(),
        "plies" => asked.plies = read_count(name, &value)?,
        "distances" => asked.distances = read_switch(name, &value)?,
        _ => asked.slices.push(value.into_owned()),
    }
    Ok(())
}

fn read_switch(name: &str, value: &str) -> Result<bool, Violation> {
    match value {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(Violation::new(Field::Parameter(name.to_owned()), format!("'{value}' is neither 0 nor 1"))),
    }
}

fn read_count(name: &str, value: &str) -> Result<u32, Violation> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { value.parse().ok() } else { None };
    number.ok_or_else(|| {
        let message = format!("'{value}' is not a number from 0 to {}", u32::MAX);
        Violation::because(Field::Parameter(name.to_owned()), message, Cause::new("NOT_A_COUNT", value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Vec<String> {
        match read(Some(text.to_owned()), &PROBE).and_then(|asked| Query::read(&asked.query).map_err(Failure::Invalid))
        {
            Err(Failure::Invalid(violations)) => {
                violations.iter().map(|v| format!("{}: {}", v.field.parameter(), v.message)).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn parameters_are_read() {
        let text = "fen=W:WKa1,c3:Bb6,Kh8&ratio=9&kings=4&rules=fmjd64&history=W%3AWKa1%3ABKh8&history=B:WKa1:BKh8";
        let query = Query::read(&read(Some(text.to_owned()), &PROBE).unwrap().query).unwrap();
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
            ["ration: unknown parameter; known: fen, ratio, kings, road, rules, variant, history, answer_mask"]
        );
        assert!(read(Some("distances=2".to_owned()), &STATS).is_err() && read(None, &STATS).is_ok());
        let Err(Failure::Invalid(violations)) = read(Some("fen=W:WKa1:BKh8&kings=5.5".to_owned()), &PROBE) else {
            panic!("it is no count");
        };
        assert_eq!(violations[0].cause, Some(Cause::new("NOT_A_COUNT", "5.5")));
        assert_eq!(refused("fen=W:WKa1:BKh8&kings=1"), ["kings: kings (1) is greater than ratio (0)"]);
    }
}
