//! Files of games without end, in pieces. The text is read only as the games are judged, and games are judged only as the
//! client takes the verdicts: between any two of these there is room for a few games, and the sender waits.

use std::io::{self, Cursor};
use std::pin::Pin;

use bolshak_arbiter::pdn::{Reader, Record};
use bolshak_proto::v1;
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::io::{StreamReader, SyncIoBridge};
use tonic::{Status, Streaming};

use super::calls::status;
use super::question::{Terms, detail};
use super::wire;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::framing::unreadable;
use crate::query::{Field, Violation};
use crate::work::Workers;

/// Games that have been read are judged together, at most so many, to share the way to a worker and back.
const TOGETHER: usize = 16;

type Game = Result<(usize, Record), Status>;

pub(super) type Verdicts = Pin<Box<dyn Stream<Item = Result<v1::VerifyGamesResponse, Status>> + Send>>;

pub(super) fn verdicts(pieces: Streaming<v1::VerifyGamesRequest>, engine: Engine, workers: Workers) -> Verdicts {
    // The terms come with the first piece, which the client may send only after the call has begun.
    Box::pin(stream::once(begin(pieces, engine, workers)).try_flatten())
}

async fn begin(
    mut pieces: Streaming<v1::VerifyGamesRequest>,
    engine: Engine,
    workers: Workers,
) -> Result<impl Stream<Item = Result<v1::VerifyGamesResponse, Status>>, Status> {
    let first = pieces.message().await.map_err(unreadable)?.unwrap_or_default();
    let mut violations = Vec::new();
    let terms = Terms::read(first.terms, &mut violations).ok_or_else(|| status(Failure::Invalid(violations)))?;
    let detail = detail(first.every_ply);
    let later = pieces.map(|piece| {
        let piece = piece.map_err(unreadable)?;
        if piece.terms.is_some() {
            let message = "only the first piece may have terms";
            return Err(status(Failure::Invalid(vec![Violation::new(Field::Other("terms"), message)])));
        }
        Ok(piece.pdn)
    });
    let bytes = stream::iter([Ok(first.pdn)]).chain(later).map_ok(Cursor::new).map_err(io::Error::other);
    let source = SyncIoBridge::new(StreamReader::new(Box::pin(bytes)));
    let (games, read) = channel(TOGETHER);
    tokio::task::spawn_blocking(move || read_games(source, &games));
    let judged = ReceiverStream::new(read).ready_chunks(TOGETHER).then(move |games| {
        let (engine, workers, terms) = (engine.clone(), workers.clone(), terms.clone());
        async move {
            let look_up = move |cancel: &_| {
                let judge = |game: Game| {
                    let (number, record) = game?;
                    let verified = engine.verify(&terms, number, record, detail, cancel).map_err(status)?;
                    Ok(v1::VerifyGamesResponse {
                        verdict: Some(wire::verdict(verified.verdict, terms.language)),
                        tags: verified.tags.into_iter().map(wire::tag).collect(),
                    })
                };
                Ok(games.into_iter().map(judge).collect::<Vec<_>>())
            };
            workers.run(look_up).await.unwrap_or_else(|failure| vec![Err(status(failure))])
        }
    });
    Ok(judged.flat_map(stream::iter))
}

/// Reads games until the text ends or nobody wants them any more.
fn read_games(source: impl io::BufRead, games: &Sender<Game>) {
    for (number, record) in (1..).zip(Reader::new(source)) {
        let game = record.map(|record| (number, record)).map_err(broken);
        if games.blocking_send(game).is_err() {
            return;
        }
    }
}

/// Why the text cannot be read on: what the client's side of the stream said.
fn broken(error: io::Error) -> Status {
    match error.downcast::<Status>() {
        Ok(status) => status,
        Err(error) => status(Failure::Internal(format!("reading the text: {error}"))),
    }
}
