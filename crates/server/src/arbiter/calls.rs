//! The calls of `bolshak.v1.ArbiterService`.

use bolshak_proto::v1;
use bolshak_proto::v1::arbiter_service_server::ArbiterService;
use tonic::{Request, Response, Status, Streaming};

use super::{files, question, wire};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::work::Workers;

/// Where the terms stand in every request.
const TERMS: &str = "terms.";

/// Answers the calls from an engine, on workers.
pub(crate) struct Service {
    engine: Engine,
    workers: Workers,
}

impl Service {
    pub(crate) fn new(engine: Engine, workers: Workers) -> Service {
        Service { engine, workers }
    }
}

pub(super) fn status(failure: Failure) -> Status {
    failure.to_status(TERMS)
}

#[tonic::async_trait]
impl ArbiterService for Service {
    type VerifyGamesStream = files::Verdicts;

    async fn verify_game(
        &self,
        request: Request<v1::VerifyGameRequest>,
    ) -> Result<Response<v1::VerifyGameResponse>, Status> {
        let (case, detail) = question::verify(request.into_inner()).map_err(status)?;
        let engine = self.engine.clone();
        let look_up = move |cancel: &_| {
            let (verified, games) = engine.verify_case(&case, detail, cancel)?;
            Ok(v1::VerifyGameResponse {
                verdict: Some(wire::verdict(verified.verdict, case.terms.language)),
                tags: verified.tags.into_iter().map(wire::tag).collect(),
                games: wire::number(games),
            })
        };
        Ok(Response::new(self.workers.run(look_up).await.map_err(status)?))
    }

    async fn verify_claim(
        &self,
        request: Request<v1::VerifyClaimRequest>,
    ) -> Result<Response<v1::VerifyClaimResponse>, Status> {
        let (case, claim) = question::claim(request.into_inner()).map_err(status)?;
        let engine = self.engine.clone();
        let look_up = move |cancel: &_| {
            let verdicts = engine.claim(&case, &claim, cancel)?.0.into_iter();
            let verdicts = verdicts.map(|(set, verdict)| wire::claim_verdict(set, verdict, case.terms.language));
            Ok(v1::VerifyClaimResponse { game: wire::number(case.number()), rule_sets: verdicts.collect() })
        };
        Ok(Response::new(self.workers.run(look_up).await.map_err(status)?))
    }

    async fn adjudicate(
        &self,
        request: Request<v1::AdjudicateRequest>,
    ) -> Result<Response<v1::AdjudicateResponse>, Status> {
        let (case, flag) = question::adjudicate(request.into_inner()).map_err(status)?;
        let engine = self.engine.clone();
        let look_up = move |cancel: &_| {
            let worths = engine.adjudicate(&case, flag, cancel)?.0.into_iter();
            let worths = worths.map(|(set, worth)| wire::adjudication(set, worth, case.terms.language));
            Ok(v1::AdjudicateResponse { game: wire::number(case.number()), rule_sets: worths.collect() })
        };
        Ok(Response::new(self.workers.run(look_up).await.map_err(status)?))
    }

    async fn verify_games(
        &self,
        request: Request<Streaming<v1::VerifyGamesRequest>>,
    ) -> Result<Response<Self::VerifyGamesStream>, Status> {
        Ok(Response::new(files::verdicts(request.into_inner(), self.engine.clone(), self.workers.clone())))
    }
}
