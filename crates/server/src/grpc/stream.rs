//! Questions and answers without end. The answers are made only as the client takes them, and the questions read only as
//! the answers are made: that is all the back-pressure there is, and all that is needed.

use std::pin::Pin;

use bolshak_proto::v1;
use futures_util::StreamExt;
use tokio_stream::Stream;
use tonic::{Status, Streaming};

use super::{QUERY, read_question};
use crate::engine::Engine;
use crate::framing::unreadable;
use crate::work::Workers;

/// Questions that have already arrived are answered together, at most so many, to share the way to a worker and back.
const TOGETHER: usize = 64;

pub(super) type Answers = Pin<Box<dyn Stream<Item = Result<v1::ProbeStreamResponse, Status>> + Send>>;

pub(super) fn answers(questions: Streaming<v1::ProbeStreamRequest>, engine: Engine, workers: Workers) -> Answers {
    let answers = questions.ready_chunks(TOGETHER).then(move |questions| {
        let (engine, workers) = (engine.clone(), workers.clone());
        async move {
            let look_up = move |cancel: &_| {
                let answers = questions.into_iter().map(|question| {
                    question.map_err(unreadable).map(|question| {
                        let answered = read_question(question.query.as_ref(), question.answer_mask.as_ref())
                            .and_then(|(query, wanted)| engine.answer(&query, wanted, cancel));
                        let outcome = match answered {
                            Ok(answer) => v1::probe_stream_response::Outcome::Answer(answer),
                            Err(failure) => v1::probe_stream_response::Outcome::Failure(failure.to_item()),
                        };
                        v1::ProbeStreamResponse { id: question.id, outcome: Some(outcome) }
                    })
                });
                Ok(answers.collect::<Vec<_>>())
            };
            workers.run(look_up).await.unwrap_or_else(|failure| vec![Err(failure.to_status(QUERY))])
        }
    });
    Box::pin(answers.flat_map(tokio_stream::iter))
}
