//! The JSON twins of the calls: the objects that the command line writes, and questions as JSON.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use bolshak_arbiter::pdn::Tag;
use bolshak_arbiter::{
    Adjudication, BySet, ClaimVerdict, Language, RoadFinding, RoadReview, Step, TableValue, Verdict,
};
use bolshak_proto::v1;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Verified, question};
use crate::failure::Failure;
use crate::http::Shared;
use crate::query::{Field, Violation};
use crate::server::MAX_MESSAGE_BYTES;

type Body = Result<Bytes, BytesRejection>;

pub(crate) async fn verify(State(shared): State<Shared>, body: Body) -> Result<Json<Value>, Failure> {
    let asked = read(body)?;
    asked.refuse(&[("claim", asked.claim.is_some()), ("fallen_flag", asked.fallen_flag.is_some())])?;
    let (case, detail) = question::verify(v1::VerifyGameRequest {
        every_ply: asked.every_ply.unwrap_or_default(),
        terms: Some(asked.terms()),
        game: asked.game,
        pdn: asked.pdn.into_bytes(),
    })?;
    let look_up = move |cancel: &_| {
        let (verified, games) = shared.engine.verify_case(&case, detail, cancel)?;
        verified.to_json(games, case.terms.language)
    };
    Ok(Json(shared.workers.run(look_up).await?))
}

pub(crate) async fn claim(State(shared): State<Shared>, body: Body) -> Result<Json<Value>, Failure> {
    let mut asked = read(body)?;
    asked.refuse(&[("every_ply", asked.every_ply.is_some()), ("fallen_flag", asked.fallen_flag.is_some())])?;
    let (case, claim) = question::claim(v1::VerifyClaimRequest {
        claim: asked.claim.take().map(Into::into),
        terms: Some(asked.terms()),
        game: asked.game,
        pdn: asked.pdn.into_bytes(),
    })?;
    let look_up = move |cancel: &_| {
        let verdicts = shared.engine.claim(&case, &claim, cancel)?;
        let mut json = to_json(&Claimed { game: case.number(), claim: &verdicts })?;
        for (set, ClaimVerdict { steps, .. }) in verdicts.iter() {
            say_steps(&mut json["claim"][set]["steps"], steps, case.terms.language);
        }
        Ok(json)
    };
    Ok(Json(shared.workers.run(look_up).await?))
}

pub(crate) async fn adjudicate(State(shared): State<Shared>, body: Body) -> Result<Json<Value>, Failure> {
    let asked = read(body)?;
    asked.refuse(&[("every_ply", asked.every_ply.is_some()), ("claim", asked.claim.is_some())])?;
    let (case, flag) = question::adjudicate(v1::AdjudicateRequest {
        fallen_flag: asked.fallen_flag.map_or(v1::Color::Unspecified, Into::into).into(),
        terms: Some(asked.terms()),
        game: asked.game,
        pdn: asked.pdn.into_bytes(),
    })?;
    let look_up = move |cancel: &_| {
        let worths = shared.engine.adjudicate(&case, flag, cancel)?;
        let mut json = to_json(&Adjudicated { game: case.number(), adjudication: &worths })?;
        for (set, Adjudication { facts, value, road_reviews, error, .. }) in worths.iter() {
            let told = &mut json["adjudication"][set];
            say_steps(&mut told["facts"], facts, case.terms.language);
            if let Some(error) = error {
                told["error"]["message"] = error.message(case.terms.language).into();
            }
            say_unknown(&mut told["value"], value, case.terms.language);
            for (index, review) in road_reviews.iter().enumerate() {
                say_reason(&mut told["road_reviews"][index], review, case.terms.language);
            }
        }
        Ok(json)
    };
    Ok(Json(shared.workers.run(look_up).await?))
}

/// What all three ask with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    pdn: String,
    #[serde(default)]
    game: u32,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    variant: String,
    language: Option<Spoken>,
    every_ply: Option<bool>,
    claim: Option<Claim>,
    fallen_flag: Option<Side>,
}

#[derive(Deserialize)]
enum Spoken {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "ru")]
    Russian,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Side {
    White,
    Black,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Flag {
    Up,
    FellBefore,
    FellDuringCheck,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    article: String,
    side: Side,
    ply: u32,
    #[serde(default)]
    intended: Option<String>,
    #[serde(default)]
    no_record: bool,
    flag: Option<Flag>,
    #[serde(default)]
    offers: Vec<Offer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Offer {
    side: Side,
    ply: u32,
    #[serde(default)]
    clock_started: bool,
    #[serde(default)]
    conditional: bool,
    answer: Option<Answer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Accepted,
    Declined,
}

/// Reads a body; a field that is wrong is named by its path.
fn read(body: Body) -> Result<Asked, Failure> {
    let bad = |field: &str, message: String| {
        Failure::Invalid(vec![Violation::new(Field::Parameter(field.to_owned()), message)])
    };
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::TooLarge { most_bytes: MAX_MESSAGE_BYTES },
        _ => bad("body", rejection.body_text()),
    })?;
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(&body)).map_err(|error| {
        let path = error.path().to_string();
        // The text is no JSON, or no object.
        let nowhere = path == "." || path == "?";
        bad(if nowhere { "body" } else { &path }, error.into_inner().to_string())
    })
}

impl Asked {
    fn terms(&self) -> v1::ArbiterTerms {
        let language = match self.language {
            None => v1::Language::Unspecified,
            Some(Spoken::English) => v1::Language::English,
            Some(Spoken::Russian) => v1::Language::Russian,
        };
        let (rule_sets, variant) = (self.rules.clone(), self.variant.clone());
        v1::ArbiterTerms { rule_sets, variant, language: language.into() }
    }

    /// Refuses fields that another question has: they must not be passed over.
    fn refuse(&self, fields: &[(&str, bool)]) -> Result<(), Failure> {
        let given = fields.iter().filter(|(_, given)| *given);
        let violations: Vec<_> = given
            .map(|(name, _)| Violation::new(Field::Parameter((*name).to_owned()), "this question has no such field"))
            .collect();
        if violations.is_empty() { Ok(()) } else { Err(Failure::Invalid(violations)) }
    }
}

impl From<Side> for v1::Color {
    fn from(side: Side) -> v1::Color {
        match side {
            Side::White => v1::Color::White,
            Side::Black => v1::Color::Black,
        }
    }
}

impl From<Claim> for v1::Claim {
    fn from(claim: Claim) -> v1::Claim {
        let flag = match claim.flag {
            None | Some(Flag::Up) => v1::Flag::Up,
            Some(Flag::FellBefore) => v1::Flag::FellBefore,
            Some(Flag::FellDuringCheck) => v1::Flag::FellDuringCheck,
        };
        v1::Claim {
            article: claim.article,
            side: v1::Color::from(claim.side).into(),
            ply: claim.ply,
            intended: claim.intended.unwrap_or_default(),
            no_record: claim.no_record,
            flag: flag.into(),
            offers: claim.offers.into_iter().map(v1::Offer::from).collect(),
        }
    }
}

impl From<Offer> for v1::Offer {
    fn from(offer: Offer) -> v1::Offer {
        let answer = match offer.answer {
            None => v1::offer::Answer::Unspecified,
            Some(Answer::Accepted) => v1::offer::Answer::Accepted,
            Some(Answer::Declined) => v1::offer::Answer::Declined,
        };
        v1::Offer {
            side: v1::Color::from(offer.side).into(),
            ply: offer.ply,
            clock_started: offer.clock_started,
            conditional: offer.conditional,
            answer: answer.into(),
        }
    }
}

#[derive(Serialize)]
struct OfGame<'a> {
    #[serde(flatten)]
    verdict: &'a Verdict,
    tags: &'a [Tag],
    games: usize,
}

#[derive(Serialize)]
struct Claimed<'a> {
    game: usize,
    claim: &'a BySet<ClaimVerdict>,
}

#[derive(Serialize)]
struct Adjudicated<'a> {
    game: usize,
    adjudication: &'a BySet<Adjudication>,
}

fn to_json(answer: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(answer).map_err(|error| Failure::Internal(format!("writing the answer: {error}")))
}

impl Verified {
    /// The object of the command line with the tags and how many games there are; what people read in their language.
    fn to_json(&self, games: usize, language: Language) -> Result<Value, Failure> {
        let Verified { verdict, tags } = self;
        let mut json = to_json(&OfGame { verdict, tags, games })?;
        json["warnings"] = verdict.warnings.iter().map(|warning| warning.message(language)).collect();
        if let Some(error) = &verdict.error {
            json["error"]["message"] = error.message(language).into();
        }
        for (index, differ) in verdict.disagreements.iter().enumerate() {
            json["disagreements"][index]["explanation"] = differ.explanation(language).into();
        }
        for (index, reading) in verdict.readings.iter().enumerate() {
            json["readings"][index]["text"] = reading.text(language).into();
        }
        for (set, fit) in verdict.fits.iter() {
            json["fits"][set]["text"] = fit.text(language).into();
        }
        for (set, reviews) in verdict.road_reviews.iter() {
            for (index, review) in reviews.iter().enumerate() {
                say_reason(&mut json["road_reviews"][set][index], review, language);
            }
        }
        for (set, value) in verdict.final_values.iter() {
            say_unknown(&mut json["final_values"][set], value, language);
        }
        for (index, facts) in verdict.timeline.iter().flatten().enumerate() {
            for (set, facts) in facts.sets.iter() {
                let told = &mut json["timeline"][index]["sets"][set];
                if let Some(reason) = &facts.unknown {
                    told["unknown"] = reason.message(language).into();
                }
                if let Some(review) = &facts.road_review {
                    say_reason(&mut told["road_review"], review, language);
                }
            }
        }
        Ok(json)
    }
}

fn say_unknown(json: &mut Value, value: &TableValue, language: Language) {
    if let TableValue::Unknown(reason) = value {
        json["unknown"] = reason.message(language).into();
    }
}

fn say_reason(json: &mut Value, review: &RoadReview, language: Language) {
    if let RoadFinding::Unknown(reason) = &review.finding {
        json["reason"] = reason.message(language).into();
    }
}

fn say_steps(json: &mut Value, steps: &[Step], language: Language) {
    for (index, step) in steps.iter().enumerate() {
        json[index]["text"] = step.text(language).into();
    }
}
