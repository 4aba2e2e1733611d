//! What the service measures of calls that take long. The measurements are those of the whole process, so this is a program of
//! its own, with nothing beside it.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use std::time::Duration;

use bolshak_proto::v1;
use common::{Running, get, query, shared_tables};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

async fn measured(running: &Running, name: &str) -> f64 {
    let page = get(running, "/metrics", "").await;
    let number = page.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    number.unwrap_or(0.0)
}

#[tokio::test]
async fn a_stream_is_measured_when_it_ends() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let question = |fen| v1::ProbeStreamRequest { id: 0, query: Some(query(fen)), answer_mask: None };

    let (questions, asked) = tokio::sync::mpsc::channel(4);
    let mut answers = client.probe_stream(ReceiverStream::new(asked)).await.unwrap().into_inner();
    for fen in ["W:WKa1:BKh8", "nonsense"] {
        questions.send(question(fen)).await.unwrap();
        answers.next().await.unwrap().unwrap();
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    // One of them asks for this.
    assert_eq!(measured(&running, "bolshak_calls_in_flight").await, 2.0);
    assert_eq!(measured(&running, r#"bolshak_calls_total{call="ProbeStream",code="0"}"#).await, 0.0);
    drop(questions);
    assert!(answers.next().await.is_none());
    assert_eq!(measured(&running, "bolshak_calls_in_flight").await, 1.0);
    assert_eq!(measured(&running, r#"bolshak_calls_total{call="ProbeStream",code="0"}"#).await, 1.0);
    assert!(measured(&running, r#"bolshak_call_seconds_sum{call="ProbeStream"}"#).await >= 0.3);
    assert_eq!(measured(&running, r#"bolshak_states_total{outcome="ANSWERED"}"#).await, 1.0);
    assert_eq!(measured(&running, r#"bolshak_states_total{outcome="INVALID_ARGUMENT"}"#).await, 1.0);

    let line = v1::LineRequest { query: Some(query("W:Wc3,e3:Ba7")), max_plies: 0 };
    let states = client.line(line).await.unwrap().into_inner().collect::<Vec<_>>().await.len();
    assert_eq!(measured(&running, r#"bolshak_states_total{outcome="ANSWERED"}"#).await, 1.0 + states as f64);

    let bad = Some(query("nonsense"));
    client.probe(v1::ProbeRequest { query: bad.clone(), answer_mask: None }).await.unwrap_err();
    client.best_moves(v1::BestMovesRequest { query: bad, max_moves: 0 }).await.unwrap_err();
    get(&running, "/v1/probe?fen=nonsense", "").await;
    get(&running, "/v1/line?fen=W:WKa1:BKh8&ratio=many", "").await;
    assert_eq!(measured(&running, r#"bolshak_states_total{outcome="INVALID_ARGUMENT"}"#).await, 5.0);

    // A client that goes away in the middle.
    let mut leaving = tokio::net::TcpStream::connect(running.address).await.unwrap();
    let head = "POST /bolshak.v1.TablebaseService/ProbeStream HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\
                content-type: application/grpc-web+proto\r\n\r\n";
    leaving.write_all(head.as_bytes()).await.unwrap();
    leaving.write_all(&[0; 5]).await.unwrap();
    assert!(leaving.read(&mut [0; 4096]).await.unwrap() > 0);
    drop((leaving, client));
    let gone = async {
        while measured(&running, "bolshak_calls_in_flight").await > 1.0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.unwrap();
    let page = get(&running, "/metrics", "").await;
    let streams: Vec<_> =
        page.lines().filter(|line| line.starts_with(r#"bolshak_calls_total{call="ProbeStream""#)).collect();
    assert_eq!(streams.len(), 2, "{streams:?}");
    assert!(streams.iter().all(|line| line.ends_with("} 1")), "{streams:?}");
    running.stop().await;
}
