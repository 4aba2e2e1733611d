//! What keeps the service standing: limits, tokens, damage, shutdown, and what it says of requests that are wrong.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bolshak_proto::v1;
use bolshak_server::Options;
use common::{Running, get, post, query, raw, shared_tables};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_stream::StreamExt;
use tonic::{Code, Request};
use tonic_types::StatusExt;

fn probe_request(fen: &str) -> v1::ProbeRequest {
    v1::ProbeRequest { query: Some(query(fen)), answer_mask: None }
}

#[tokio::test]
async fn json_says_the_same_and_names_the_same_errors() {
    let running = Running::start(shared_tables()).await;
    let answer = get(&running, "/v1/probe?fen=W:Wc3,e3:Ba7&rules=official", "x-request-id: mine\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("x-request-id: mine") && answer.contains("access-control-allow-origin: *"), "{answer}");
    let body: serde_json::Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let mut client = running.client().await;
    let expected = client.probe(probe_request("W:Wc3,e3:Ba7")).await.unwrap().into_inner().answer.unwrap();
    assert_eq!(body["fen"], expected.fen.as_str());
    assert_eq!(body["dtc"].as_u64(), expected.distance_plies.map(u64::from));
    let texts: Vec<_> = body["moves"].as_array().unwrap().iter().map(|rated| rated["move"].as_str().unwrap()).collect();
    assert_eq!(texts, expected.moves.iter().map(|rated| rated.text.as_str()).collect::<Vec<_>>());

    let answer = get(&running, "/v1/probe?fen=W:Wa2:Bh8&rules=x", "").await;
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("application/problem+json"), "{answer}");
    assert!(answer.contains(r#"{"field":"rules""#) && answer.contains(r#"{"field":"fen""#), "{answer}");
    let answer = get(&running, "/v1/probe?fen=W:Wa1,c1,e1:Bh8", "").await;
    assert!(answer.starts_with("HTTP/1.1 404") && answer.contains(r#""code":"NOT_IN_TABLES""#), "{answer}");
    assert!(get(&running, "/v1/line?fen=W:Wc3,e3:Ba7&plies=3", "").await.contains(r#""ply":3"#));
    assert!(get(&running, "/v1/coverage", "").await.contains(r#""slice":"KKvK""#));
    assert!(get(&running, "/v1/stats?slice=KKvK&rules=none", "").await.contains(r#""win":5628"#));
    assert!(get(&running, "/v1/stats?slice=x", "").await.contains(r#"{"field":"slice""#));
    let whole = get(&running, "/v1/line?fen=W:Wc3,e3:Ba7", "").await.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert!(
        get(&running, "/v1/line?fen=W:Wc3,e3:Ba7&plies=0", "").await.ends_with(&whole) && whole.contains(r#""ply":3"#)
    );
    let problems = [
        (get(&running, "/nothing", "").await, "404 Not Found", "UNKNOWN_PATH"),
        (post(&running, "/v1/probe", "").await, "405 Method Not Allowed", "WRONG_METHOD"),
        (get(&running, "/v1/arbiter/verify", "").await, "405 Method Not Allowed", "WRONG_METHOD"),
        (post(&running, "/v1/arbiter/verify", &" ".repeat(5 << 20)).await, "413 Payload Too Large", "TOO_LARGE"),
    ];
    for (answer, status, code) in problems {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{answer}");
        assert!(answer.contains("content-type: application/problem+json"), "{answer}");
        assert!(answer.contains(&format!(r#""code":"{code}""#)), "{answer}");
        assert_eq!(answer.contains("allow: "), code == "WRONG_METHOD", "{answer}");
    }
    assert!(get(&running, "/readyz", "").await.contains("ready"));
    let measured = get(&running, "/metrics", "").await;
    assert!(measured.contains(r#"bolshak_calls_total{call="Probe",code="0"}"#), "{measured}");
    let of_tables = |name: &str| {
        let line = measured.lines().find_map(|line| line.strip_prefix(&format!(r#"{name}{{variant="russian"}} "#)));
        line.and_then(|number| number.parse::<f64>().ok()).unwrap()
    };
    assert!(of_tables("bolshak_tables_open") >= 1.0 && of_tables("bolshak_tables_open_bytes") >= 100.0, "{measured}");
    assert!(of_tables("bolshak_table_pages_checked") >= 1.0, "{measured}");
    // One by gRPC, one by JSON, and those of three lines; the position that is in no table counts nowhere.
    let of_slice = r#"bolshak_slice_states_total{variant="russian",slice="mmvm"} "#;
    let states = measured.lines().find_map(|line| line.strip_prefix(of_slice)?.parse::<u64>().ok());
    assert!(states.is_some_and(|states| states >= 5), "{measured}");
    assert!(!measured.contains(r#"slice="mmmvm""#), "{measured}");
    let cache = r#"bolshak_block_cache_total{variant="russian",result="miss"}"#;
    assert!(measured.contains(cache), "{measured}");
    for garbage in [
        &b"\x00\x01\x02\x03\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nxxxxxxxxxxxxxxxx",
    ] {
        raw(&running, garbage).await;
    }
    assert!(get(&running, "/healthz", "").await.contains("ok"));
    running.stop().await;
}

#[tokio::test]
async fn a_token_is_wanted_where_one_is_set() {
    let options = Options { token: Some("secret".to_owned()), ..Options::default() };
    let running = Running::with(options, shared_tables()).await;
    let mut client = running.client().await;
    assert_eq!(client.probe(probe_request("W:WKa1:BKh8")).await.unwrap_err().code(), Code::Unauthenticated);
    let mut request = Request::new(probe_request("W:WKa1:BKh8"));
    request.metadata_mut().insert("authorization", "Bearer secret".parse().unwrap());
    assert!(client.probe(request).await.is_ok());
    let refused = get(&running, "/v1/coverage", "").await;
    assert!(refused.starts_with("HTTP/1.1 401") && refused.contains("www-authenticate: Bearer"), "{refused}");
    assert!(get(&running, "/v1/coverage", "authorization: Bearer secret\r\n").await.starts_with("HTTP/1.1 200"));
    assert!(get(&running, "/metrics", "").await.starts_with("HTTP/1.1 401"));
    assert!(get(&running, "/healthz", "").await.starts_with("HTTP/1.1 200"));
    // A page of another site can read why, and may ask for leave.
    let elsewhere = "origin: http://elsewhere\r\n";
    assert!(get(&running, "/v1/coverage", elsewhere).await.contains("access-control-allow-origin: *"));
    let leave = format!(
        "OPTIONS /v1/coverage HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{elsewhere}access-control-request-method: GET\r\n\r\n"
    );
    assert!(raw(&running, leave.as_bytes()).await.starts_with("HTTP/1.1 200"));
    drop(client);
    running.stop().await;
}

#[tokio::test]
async fn a_client_that_asks_too_often_is_told_when_to_come_back() {
    let options = Options { rate: NonZeroU32::new(5), ..Options::default() };
    let running = Running::with(options, shared_tables()).await;
    let mut client = running.client().await;
    let mut refused = None;
    for _ in 0..20 {
        refused = client.probe(probe_request("W:WKa1:BKh8")).await.err().or(refused);
    }
    let refused = refused.unwrap();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    let wait = refused.get_details_retry_info().unwrap().retry_delay.unwrap();
    assert!(wait <= Duration::from_millis(200), "{wait:?}");
    assert!(get(&running, "/v1/coverage", "").await.contains("retry-after: 1"));
    assert!(get(&running, "/healthz", "").await.starts_with("HTTP/1.1 200"));
    tokio::time::sleep(wait + Duration::from_millis(50)).await;
    assert!(client.probe(probe_request("W:WKa1:BKh8")).await.is_ok());
    drop(client);
    running.stop().await;
}

#[tokio::test]
async fn a_damaged_table_is_named_and_the_others_answer() {
    let directory = tempfile::tempdir().unwrap();
    common::make_tables(directory.path(), &["KKvK".parse().unwrap()]);
    let path = directory.path().join("russian/KKvK.value");
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in bytes.iter_mut().skip(48) {
        *byte ^= 0xff;
    }
    std::fs::write(&path, bytes).unwrap();
    let running = Running::start(directory.path()).await;
    let mut client = running.client().await;
    let status = client.probe(probe_request("W:WKa1,Kc1:BKh6")).await.unwrap_err();
    assert_eq!(
        (status.code(), status.get_details_error_info().unwrap().reason.as_str()),
        (Code::DataLoss, "TABLE_DAMAGED")
    );
    assert!(status.message().contains("KKvK.value") && !status.message().contains("russian/"), "{status:?}");
    assert!(client.probe(probe_request("W:WKa1:BKh8")).await.is_ok());
    drop(client);
    running.stop().await;
}

/// Clients ask until the service is gone. What could not be sent, or came after the service had said that it goes, may be
/// asked again elsewhere; but every call that the service took must have been answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_drops_no_call_in_flight() {
    let answered = Arc::new(AtomicU64::new(0));
    for round in 0..5 {
        let running = Running::start(shared_tables()).await;
        let mut clients = Vec::new();
        for _ in 0..8 {
            let (mut client, answered) = (running.client().await, Arc::clone(&answered));
            clients.push(tokio::spawn(async move {
                let request = v1::LineRequest { query: Some(query("W:Wc3,e3:Ba7")), max_plies: 0 };
                while let Ok(line) = client.line(request.clone()).await {
                    let steps: Vec<_> = line.into_inner().collect().await;
                    assert!(steps.len() > 2 && steps.iter().all(Result::is_ok), "{steps:?}");
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }
        // A stream that is under way is served to its end.
        let mut streaming = running.client().await;
        let (questions, asked) = tokio::sync::mpsc::channel(4);
        let asked = tokio_stream::wrappers::ReceiverStream::new(asked);
        let mut answers = streaming.probe_stream(asked).await.unwrap().into_inner();
        let question = |id| v1::ProbeStreamRequest { id, query: Some(query("W:WKa1:BKh8")), answer_mask: None };
        questions.send(question(0)).await.unwrap();
        assert_eq!(answers.next().await.unwrap().unwrap().id, 0);

        tokio::time::sleep(Duration::from_millis(20 * round)).await;
        let served = running.begin_stop();
        tokio::time::sleep(Duration::from_millis(20)).await;
        questions.send(question(1)).await.unwrap();
        assert_eq!(answers.next().await.unwrap().unwrap().id, 1);
        drop(questions);
        assert!(answers.next().await.is_none());
        for client in clients {
            client.await.unwrap();
        }
        drop((answers, streaming));
        tokio::time::timeout(Duration::from_secs(10), served).await.unwrap().unwrap().unwrap();
    }
    // No other test of this program asks for lines.
    let running = Running::start(shared_tables()).await;
    let measured = get(&running, "/metrics", "").await;
    let taken = measured.lines().find_map(|line| line.strip_prefix(r#"bolshak_calls_total{call="Line",code="0"} "#));
    let answered = answered.load(Ordering::Relaxed);
    assert!(answered > 0);
    assert_eq!(taken.and_then(|taken| taken.trim().parse().ok()), Some(answered), "{measured}");
    assert_eq!(measured.matches(r#"bolshak_calls_total{call="Line""#).count(), 1, "{measured}");
    running.stop().await;
}

#[tokio::test]
async fn a_deadline_is_kept() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    // A thousand whole answers take tens of milliseconds.
    let fens = vec!["W:WKa1,Kc1:BKh6".to_owned(); 1_000];
    let mut request = Request::new(v1::ProbeBatchRequest {
        states: Some(v1::probe_batch_request::States::Fens(v1::FenColumn { fens })),
        response_mask: Some(prost_types::FieldMask { paths: vec!["answers".to_owned()] }),
        ..Default::default()
    });
    request.metadata_mut().insert("grpc-timeout", "3m".parse().unwrap());
    let status = client.probe_batch(request).await.unwrap_err();
    assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status:?}");
    assert!(client.probe(probe_request("W:WKa1:BKh8")).await.is_ok());
    drop(client);
    running.stop().await;
}

/// The only worker has much to do, and what needs no worker is answered meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_in_memory_waits_for_no_worker() {
    let running = Running::with(Options { workers: 1, ..Options::default() }, shared_tables()).await;
    let mut client = running.client().await.max_decoding_message_size(1 << 24);
    let first = client.probe(probe_request("W:WKa1,Kc1:BKh6")).await.unwrap().into_inner();
    let long = v1::ProbeBatchRequest {
        states: Some(v1::probe_batch_request::States::Fens(v1::FenColumn {
            fens: vec!["W:WKa1,Kc1:BKh6".to_owned(); 1_000],
        })),
        response_mask: Some(prost_types::FieldMask { paths: vec!["answers".to_owned()] }),
        ..Default::default()
    };
    let batches: Vec<_> = (0..8)
        .map(|_| {
            let (mut client, long) = (client.clone(), long.clone());
            tokio::spawn(async move { client.probe_batch(long).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(5)).await;
    let again = client.probe(probe_request("W:WKa1,Kc1:BKh6")).await.unwrap().into_inner();
    assert!(batches.iter().any(|batch| !batch.is_finished()), "the worker had nothing left to do");
    assert_eq!(again, first);
    for batch in batches {
        assert!(batch.await.unwrap().unwrap().into_inner().failures.is_empty());
    }
    drop(client);
    running.stop().await;
}

/// Such a client leaves no room for the answers, so that nothing can be sent to it, not even that its time is over.
#[tokio::test]
async fn a_client_that_takes_no_answers_goes_with_its_connection() {
    let (age, drain) = (Duration::from_millis(300), Duration::from_millis(300));
    let running =
        Running::with(Options { connection_age: Some(age), drain, ..Options::default() }, shared_tables()).await;
    let mut client = running.client().await;
    let (questions, asked) = tokio::sync::mpsc::channel(4);
    let answers = client.probe_stream(tokio_stream::wrappers::ReceiverStream::new(asked)).await.unwrap();
    drop(answers);
    let question = |id| v1::ProbeStreamRequest { id, query: Some(query("W:WKa1:BKh8")), answer_mask: None };
    let begun = std::time::Instant::now();
    let ask_on = async {
        let mut sent = 0;
        while questions.send(question(sent)).await.is_ok() {
            sent += 1;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), ask_on).await.expect("the call goes on");
    assert!(begun.elapsed() >= age, "{:?}", begun.elapsed());
    // The next call connects anew.
    assert!(client.probe(probe_request("W:WKa1:BKh8")).await.is_ok());
    drop(client);
    running.stop().await;
}

/// Whether a call failed before any of it was sent, because its connection was just closing.
fn was_not_sent(status: &tonic::Status) -> bool {
    let mut causes = std::iter::successors(std::error::Error::source(status), |&cause| cause.source());
    causes.any(|cause| cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_canceled))
}

/// Until it is known whether HTTP/2 is spoken no other limit runs.
#[tokio::test]
async fn who_says_too_little_to_know_the_protocol_is_cut_off() {
    let running = Running::start(shared_tables()).await;
    let mut open = Vec::new();
    for beginning in [&b""[..], b"P", b"PRI * HTTP/2.0\r\n"] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(beginning).await.unwrap();
        open.push(stream);
    }
    for mut stream in open {
        let end = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut [0])).await;
        assert!(matches!(end.unwrap(), Ok(0) | Err(_)));
    }
    running.stop().await;
}

/// The connection is asked to close, the client makes another, and no call that was sent is lost.
#[tokio::test]
async fn an_old_connection_loses_no_call() {
    let (age, drain) = (Duration::from_millis(100), Duration::from_millis(300));
    let running =
        Running::with(Options { connection_age: Some(age), drain, ..Options::default() }, shared_tables()).await;
    let mut client = running.client().await;
    let (questions, asked) = tokio::sync::mpsc::channel(4);
    let asked = tokio_stream::wrappers::ReceiverStream::new(asked);
    let mut answers = running.client().await.probe_stream(asked).await.unwrap().into_inner();
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_secs(2) {
        match client.probe(probe_request("W:WKa1:BKh8")).await {
            Err(status) if was_not_sent(&status) => (),
            answered => drop(answered.unwrap()),
        }
        if begun.elapsed() < age + drain / 2 {
            let query = Some(query("W:WKa1:BKh8"));
            questions.send(v1::ProbeStreamRequest { id: 0, query, answer_mask: None }).await.unwrap();
            answers.next().await.unwrap().unwrap();
        }
    }
    // A stream that does not end is cut.
    assert!(!matches!(answers.next().await, Some(Ok(_))));
    drop(client);
    running.stop().await;
}

/// Posts something of a kind over HTTP/1.1.
async fn post_as(running: &Running, path: &str, kind: &str, body: &[u8]) -> String {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\norigin: http://elsewhere\r\n\
         content-type: {kind}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    raw(running, &[head.as_bytes(), body].concat()).await
}

#[tokio::test]
async fn grpc_web_is_understood() {
    use prost::Message;
    use tonic_health::pb::HealthCheckRequest;
    use tonic_reflection::pb::v1::{ServerReflectionRequest, server_reflection_request::MessageRequest};
    let running = Running::start(shared_tables()).await;
    let services = ServerReflectionRequest {
        message_request: Some(MessageRequest::ListServices(String::new())),
        ..Default::default()
    };
    let calls = [
        ("bolshak.v1.TablebaseService/Probe", probe_request("W:WKa1:BKh8").encode_to_vec(), "W:WKa1:BKh8"),
        ("grpc.health.v1.Health/Check", HealthCheckRequest::default().encode_to_vec(), "\u{8}\u{1}"),
        (
            "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            services.encode_to_vec(),
            "bolshak.v1.TablebaseService",
        ),
    ];
    for (call, message, expected) in calls {
        let frame = [&[0][..], &u32::try_from(message.len()).unwrap().to_be_bytes(), &message].concat();
        let answer = post_as(&running, &format!("/{call}"), "application/grpc-web+proto", &frame).await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("application/grpc-web"), "{answer}");
        assert!(answer.contains(expected) && answer.contains("grpc-status:0"), "{answer}");
    }
    running.stop().await;
}

const PROBE: &str = "/bolshak.v1.TablebaseService/Probe";

/// What is wrong is said in the framing of the call, by the service as by what stands before it.
#[tokio::test]
async fn grpc_web_gets_its_errors_in_its_own_framing() {
    let options = Options { token: Some("secret".to_owned()), ..Options::default() };
    let (running, closed) = (Running::start(shared_tables()).await, Running::with(options, shared_tables()).await);
    for (kind, empty) in [("application/grpc-web+proto", "\0\0\0\0\0"), ("application/grpc-web-text+proto", "AAAAAAA=")]
    {
        let expect = |answer: String, status: &str| {
            assert!(
                answer.starts_with("HTTP/1.1 200") && answer.contains(&format!("content-type: {kind}\r\n")),
                "{answer}"
            );
            assert!(answer.contains(&format!("grpc-status: {status}\r\n")), "{answer}");
        };
        expect(post_as(&closed, PROBE, kind, empty.as_bytes()).await, "16");
        expect(post_as(&running, PROBE, kind, empty.as_bytes()).await, "3");
        expect(post_as(&running, "/bolshak.v1.TablebaseService/Nothing", kind, empty.as_bytes()).await, "12");
        expect(post_as(&running, "/bolshak.v1.NothingService/Nothing", kind, empty.as_bytes()).await, "12");
    }
    for not_base64 in ["AAAA!!!!", "AAA"] {
        let answer = post_as(&running, PROBE, "application/grpc-web-text", not_base64.as_bytes()).await;
        assert!(answer.contains("grpc-status: 3\r\n"), "{answer}");
    }
    // Messages that cannot be decoded, that are cut short, or that have a flag which does not exist.
    for unreadable in [&b"\0\0\0\0\x02\x0a\xff"[..], b"\0\0\0\0\x09\x0a", b"\x07\0\0\0\0", b"\x01\0\0\0\0", b""] {
        for call in ["TablebaseService/Probe", "TablebaseService/ProbeStream", "ArbiterService/VerifyGames"] {
            let answer =
                post_as(&running, &format!("/bolshak.v1.{call}"), "application/grpc-web+proto", unreadable).await;
            // A stream without questions is one.
            let status = if unreadable.is_empty() && !call.ends_with("Probe") { "0" } else { "3" };
            let [head, end] = [format!("grpc-status: {status}\r\n"), format!("grpc-status:{status}\r\n")];
            assert!(answer.contains(&head) || answer.contains(&end), "{call}: {answer}");
        }
    }
    running.stop().await;
    closed.stop().await;
}

/// Their connections, or their requests, lay with the system when the service was told to end.
#[tokio::test]
async fn who_asked_before_the_end_is_answered() {
    use std::io::{Read, Write};
    const REQUEST: &[u8] = b"GET /v1/probe?fen=W:WKa1:BKh8 HTTP/1.1\r\nhost: x\r\n\r\n";
    let running = Running::start(shared_tables()).await;
    let address = running.address;
    let connect = || {
        let stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    };
    let read = |mut stream: std::net::TcpStream| {
        let mut answer = [0; 12];
        let read = stream.read_exact(&mut answer).map(|()| String::from_utf8_lossy(&answer).into_owned());
        (read.map_err(|error| error.kind()), stream)
    };
    let kept = connect();
    (&kept).write_all(REQUEST).unwrap();
    let (first, mut kept) = tokio::task::spawn_blocking(move || read(kept)).await.unwrap();
    assert_eq!(first.as_deref(), Ok("HTTP/1.1 200"));
    let mut rest = [0; 4096];
    assert!(kept.read(&mut rest).unwrap() > 0);
    // Nothing of the service runs on this thread until the next wait.
    let mut asked: Vec<_> = (0..20).map(|_| connect()).chain([kept]).collect();
    for stream in &mut asked {
        stream.write_all(REQUEST).unwrap();
    }
    let served = running.begin_stop();
    for stream in asked {
        let (answer, _) = tokio::task::spawn_blocking(move || read(stream)).await.unwrap();
        assert_eq!(answer.as_deref(), Ok("HTTP/1.1 200"));
    }
    served.await.unwrap().unwrap();
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[tokio::test]
async fn what_is_no_call_of_grpc_is_told_so() {
    let running = Running::start(shared_tables()).await;
    let problems = [
        (get(&running, PROBE, "").await, "405 Method Not Allowed", "WRONG_METHOD"),
        (
            get(&running, PROBE, "content-type: application/grpc-web\r\n").await,
            "405 Method Not Allowed",
            "WRONG_METHOD",
        ),
        (post(&running, PROBE, "{}").await, "415 Unsupported Media Type", "WRONG_CONTENT_TYPE"),
        (post_as(&running, PROBE, "application/json", b"{}").await, "415 Unsupported Media Type", "WRONG_CONTENT_TYPE"),
        // Without HTTP/2.
        (post_as(&running, PROBE, "application/grpc", b"").await, "415 Unsupported Media Type", "WRONG_CONTENT_TYPE"),
    ];
    for (answer, status, code) in problems {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{answer}");
        assert!(answer.contains("content-type: application/problem+json"), "{answer}");
        assert!(answer.contains(&format!(r#""code":"{code}""#)), "{answer}");
        assert_eq!(answer.contains("allow: POST"), code == "WRONG_METHOD", "{answer}");
    }
    let measured = get(&running, "/metrics", "").await;
    for counted in ["405\"} 2", "415\"} 3"] {
        assert!(measured.contains(&format!(r#"bolshak_calls_total{{call="Probe",code="{counted}"#)), "{measured}");
    }
    running.stop().await;
}

#[tokio::test]
async fn a_head_that_is_too_long_is_told_so() {
    let running = Running::start(shared_tables()).await;
    let with = async |length: usize| get(&running, "/healthz", &format!("x-long: {}\r\n", "x".repeat(length))).await;
    assert!(with(60 << 10).await.starts_with("HTTP/1.1 200"));
    assert!(with(70 << 10).await.starts_with("HTTP/1.1 431"));
    running.stop().await;
}

#[tokio::test]
async fn tokens_are_not_tried_out_without_end() {
    let options = Options { token: Some("secret".to_owned()), rate: NonZeroU32::new(5), ..Options::default() };
    let running = Running::with(options, shared_tables()).await;
    let mut statuses = Vec::new();
    for attempt in 0..20 {
        let token = format!("authorization: Bearer {attempt}\r\n");
        statuses.push(get(&running, "/v1/coverage", &token).await[9..12].to_owned());
    }
    assert!(statuses[0] == "401" && statuses.contains(&"429".to_owned()), "{statuses:?}");
    running.stop().await;
}
