//! The calls of `bolshak.v1.TablebaseService`.

mod batch;
mod stream;

use bolshak_proto::v1;
use bolshak_proto::v1::tablebase_service_server::TablebaseService;
use tonic::{Request, Response, Status, Streaming};

use crate::coverage;
use crate::engine::{Engine, line_plies};
use crate::failure::Failure;
use crate::metrics;
use crate::query::{Field, Query, Violation};
use crate::wanted::Wanted;
use crate::wire;
use crate::work::Workers;

/// Where the query stands in the requests that have one.
const QUERY: &str = "query.";

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

/// Reads the query of a request, which must have one.
fn read_query(query: Option<&v1::Query>) -> Result<Query, Failure> {
    let missing = || Failure::Invalid(vec![Violation::new(Field::Other("query"), "the query is missing")]);
    Query::read(query.ok_or_else(missing)?).map_err(Failure::Invalid)
}

/// Reads a question about one state: its query, and the fields of the answer that are wanted. Counts one that is bad.
fn read_question(query: Option<&v1::Query>, mask: Option<&prost_types::FieldMask>) -> Result<(Query, Wanted), Failure> {
    let wanted = || Wanted::read(mask).map_err(|violation| Failure::Invalid(vec![violation]));
    let question = read_query(query).and_then(|query| Ok((query, wanted()?)));
    question.inspect_err(|failure| metrics::states(failure.reason(), 1))
}

fn status(failure: Failure) -> Status {
    failure.to_status(QUERY)
}

#[tonic::async_trait]
impl TablebaseService for Service {
    type ProbeStreamStream = stream::Answers;
    type LineStream = tokio_stream::Iter<std::vec::IntoIter<Result<v1::LineResponse, Status>>>;

    async fn probe(&self, request: Request<v1::ProbeRequest>) -> Result<Response<v1::ProbeResponse>, Status> {
        let request = request.into_inner();
        let (query, wanted) = read_question(request.query.as_ref(), request.answer_mask.as_ref()).map_err(status)?;
        let answer = self.engine.answer_on(&self.workers, query, wanted).await.map_err(status)?;
        Ok(Response::new(v1::ProbeResponse { answer: Some(answer) }))
    }

    async fn probe_batch(
        &self,
        request: Request<v1::ProbeBatchRequest>,
    ) -> Result<Response<v1::ProbeBatchResponse>, Status> {
        let batch = batch::Batch::read(request.into_inner()).map_err(status)?;
        let engine = self.engine.clone();
        let response = self.workers.run(move |cancel| batch.answer(&engine, cancel)).await.map_err(status)?;
        Ok(Response::new(response))
    }

    async fn probe_stream(
        &self,
        request: Request<Streaming<v1::ProbeStreamRequest>>,
    ) -> Result<Response<Self::ProbeStreamStream>, Status> {
        Ok(Response::new(stream::answers(request.into_inner(), self.engine.clone(), self.workers.clone())))
    }

    async fn best_moves(
        &self,
        request: Request<v1::BestMovesRequest>,
    ) -> Result<Response<v1::BestMovesResponse>, Status> {
        let request = request.into_inner();
        let (query, _) = read_question(request.query.as_ref(), None).map_err(status)?;
        let is_claimed = query.stands_again(&query.state.position);
        let answered = self.engine.answer_on(&self.workers, query, Wanted::ALL_BUT_CUT_BY).await;
        let mut answer = answered.map_err(status)?;
        let value = answer.value;
        // Moves are rated as if there were no claim.
        let best = answer.moves.first().map(|rated| rated.value).filter(|_| is_claimed).unwrap_or(value);
        answer.moves.retain(|rated| rated.value == best || rated.unknown.is_some());
        if request.max_moves > 0 {
            answer.moves.truncate(usize::try_from(request.max_moves).unwrap_or(usize::MAX));
        }
        Ok(Response::new(v1::BestMovesResponse { value, moves: answer.moves }))
    }

    async fn line(&self, request: Request<v1::LineRequest>) -> Result<Response<Self::LineStream>, Status> {
        let request = request.into_inner();
        let (query, _) = read_question(request.query.as_ref(), None).map_err(status)?;
        let max_plies = line_plies(request.max_plies);
        let engine = self.engine.clone();
        let rules = query.rules;
        let line = self.workers.run(move |cancel| engine.line(&query, max_plies, cancel)).await.map_err(status)?;
        let unknown = line.unknown.map(|failure| Err(status(failure)));
        Ok(Response::new(tokio_stream::iter(wire::line(&rules, line.plies).map(Ok).chain(unknown).collect::<Vec<_>>())))
    }

    async fn coverage(&self, request: Request<v1::CoverageRequest>) -> Result<Response<v1::CoverageResponse>, Status> {
        let variant = request.into_inner().variant;
        let engine = self.engine.clone();
        let response =
            self.workers.run(move |_| coverage::coverage(&engine.library, &variant)).await.map_err(status)?;
        Ok(Response::new(response))
    }

    async fn stats(&self, request: Request<v1::StatsRequest>) -> Result<Response<v1::StatsResponse>, Status> {
        let request = request.into_inner();
        let engine = self.engine.clone();
        let response = self.workers.run(move |_| coverage::stats(&engine.library, &request)).await.map_err(status)?;
        Ok(Response::new(response))
    }
}
