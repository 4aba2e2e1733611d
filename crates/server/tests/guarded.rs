//! What keeps the service standing: malformed requests, limits, tokens, damage, shutdown.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bolshak_proto::v1;
use bolshak_server::Options;
use common::{Running, get, post, query, raw, shared_tables};
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{Code, Request};
use tonic_types::StatusExt;

fn probe_request(fen: &str) -> v1::ProbeRequest {
    v1::ProbeRequest { query: Some(query(fen)), answer_mask: None }
}

/// A small generator of numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// Sends any bytes at all as a message, and drops the answer.
async fn send_bytes(channel: Channel, call: &'static str, message: Vec<u8>) -> Code {
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.unwrap();
    let path = axum::http::uri::PathAndQuery::from_static(call);
    let sent: Result<tonic::Response<Vec<u8>>, _> = client.unary(Request::new(message), path, RawCodec).await;
    sent.map_or_else(|status| status.code(), |_| Code::Ok)
}

#[derive(Clone)]
struct RawCodec;

impl tonic::codec::Codec for RawCodec {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        RawCodec
    }

    fn decoder(&mut self) -> Self {
        RawCodec
    }
}

impl tonic::codec::Encoder for RawCodec {
    type Item = Vec<u8>;
    type Error = tonic::Status;

    fn encode(&mut self, item: Vec<u8>, buffer: &mut tonic::codec::EncodeBuf<'_>) -> Result<(), tonic::Status> {
        bytes::BufMut::put_slice(buffer, &item);
        Ok(())
    }
}

impl tonic::codec::Decoder for RawCodec {
    type Item = Vec<u8>;
    type Error = tonic::Status;

    fn decode(&mut self, buffer: &mut tonic::codec::DecodeBuf<'_>) -> Result<Option<Vec<u8>>, tonic::Status> {
        let length = bytes::Buf::remaining(buffer);
        Ok(Some(bytes::Buf::copy_to_bytes(buffer, length).to_vec()))
    }
}

const CALLS: [&str; 9] = [
    "/bolshak.v1.TablebaseService/Probe",
    "/bolshak.v1.TablebaseService/ProbeBatch",
    "/bolshak.v1.TablebaseService/BestMoves",
    "/bolshak.v1.TablebaseService/Coverage",
    "/bolshak.v1.TablebaseService/Stats",
    "/bolshak.v1.TablebaseService/Nothing",
    "/bolshak.v1.ArbiterService/VerifyGame",
    "/bolshak.v1.ArbiterService/VerifyClaim",
    "/bolshak.v1.ArbiterService/Adjudicate",
];

fn any_query(random: &mut Random) -> v1::Query {
    let fens = ["W:WKa1:BKh8", "W:Wa2:B", "", "\u{0}", "W:WK1-32:B", "B:W:B", "W:Wа1:Bh8"];
    let position = match random.below(4) {
        0 => v1::position::Form::Fen(fens[random.below(7) as usize].to_owned()),
        1 => {
            let length = random.below(2000);
            v1::position::Form::Fen(String::from_utf8_lossy(&random.bytes(length)).into_owned())
        }
        _ => v1::position::Form::Bitboards(v1::Bitboards {
            white_men: random.next() >> random.below(64),
            white_kings: random.next() >> random.below(64),
            black_men: random.next() >> random.below(64),
            black_kings: random.next() >> random.below(64),
            turn: random.below(4) as i32 - 1,
        }),
    };
    let mut count = || (random.next() >> random.below(64)) as u32;
    v1::Query {
        position: Some(v1::Position { form: Some(position) }),
        counters: Some(v1::Counters { ratio_plies: count(), kings_plies: count(), road_moves: count() }),
        rule_set: "x".repeat(count() as usize % 2000),
        ..Default::default()
    }
}

fn any_claim(random: &mut Random) -> v1::VerifyClaimRequest {
    let pdn = ["", "1. c3-d4 b6-a5", "[FEN \"W:WKa1:BKh2\"] 1. a1-b2 h2-g1 *", "[FEN \"", "{((1...", "\u{0}"];
    let length = random.below(2_000);
    let pdn = match random.below(2) {
        0 => random.bytes(length),
        _ => pdn[random.below(6) as usize].repeat(1 + random.below(40) as usize).into_bytes(),
    };
    let mut number = || (random.next() >> random.below(64)) as u32;
    let offer = v1::Offer { side: number() as i32, ply: number(), answer: number() as i32 % 3, ..Default::default() };
    let claim = v1::Claim {
        article: format!("1.9.1.{}", number() % 9),
        side: (number() % 4) as i32,
        ply: number(),
        intended: "a1-b2".repeat(number() as usize % 3),
        no_record: number() % 2 == 0,
        flag: (number() % 5) as i32,
        offers: vec![offer; number() as usize % 3],
    };
    v1::VerifyClaimRequest { pdn, game: number() % 3, claim: Some(claim), ..Default::default() }
}

/// One malformed request of many kinds.
fn malformed(random: &mut Random) -> Vec<u8> {
    use prost::Message;
    let length = random.below(300);
    match random.below(6) {
        0 => random.bytes(length),
        1 => v1::ProbeRequest { query: Some(any_query(random)), answer_mask: None }.encode_to_vec(),
        // A string that is not UTF-8, and a length that goes beyond the message.
        2 => [&[0x0a, 0x06, 0x0a, 0x04, 0x0a, 0x02, 0xff, 0xfe][..], &random.bytes(length / 9)].concat(),
        3 => [&[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f][..], &random.bytes(length)].concat(),
        4 => any_claim(random).encode_to_vec(),
        _ => {
            let (white, black) = (random.below(50) as usize, random.below(50) as usize);
            let columns = v1::StateColumns {
                white: (0..white).map(|_| random.next()).collect(),
                black: (0..black).map(|_| random.next() >> 32).collect(),
                turns: random.bytes(white as u64),
                ..Default::default()
            };
            let states = Some(v1::probe_batch_request::States::Columns(columns));
            v1::ProbeBatchRequest { states, ..Default::default() }.encode_to_vec()
        }
    }
}

fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_malformed_requests() {
    let running = Running::start(shared_tables()).await;
    let channel = running.channel().await;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut seen = std::collections::BTreeMap::new();
    let mut settled = 0;
    for round in 0..10_000 {
        let code = send_bytes(channel.clone(), CALLS[random.below(9) as usize], malformed(&mut random)).await;
        *seen.entry(code.description()).or_insert(0) += 1;
        assert!(!matches!(code, Code::Unknown | Code::Unavailable | Code::DataLoss), "{code:?} in round {round}");
        if round == 5_000 {
            settled = resident_bytes();
        }
    }
    let grown = resident_bytes().saturating_sub(settled);
    assert!(grown < 16 << 20, "memory grew by {grown} bytes over the second half");
    assert!(seen.len() >= 4, "{seen:?}");

    // More than a message may hold.
    let large = send_bytes(channel.clone(), CALLS[0], vec![0; (4 << 20) + 1]).await;
    assert_eq!(large, Code::OutOfRange);
    assert!(running.client().await.probe(probe_request("W:WKa1:BKh8")).await.is_ok());
    drop(channel);
    running.stop().await;
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
    // One by gRPC, one by JSON; the position that is in no table counts nowhere.
    assert!(measured.contains(r#"bolshak_slice_states_total{variant="russian",slice="mmvm"} 2"#), "{measured}");
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
        let head = format!(
            "POST /{call} HTTP/1.1\r\nhost: x\r\nconnection: close\r\norigin: http://elsewhere\r\n\
             content-type: application/grpc-web+proto\r\ncontent-length: {}\r\n\r\n",
            frame.len()
        );
        let answer = raw(&running, &[head.as_bytes(), &frame].concat()).await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("application/grpc-web"), "{answer}");
        assert!(answer.contains(expected) && answer.contains("grpc-status:0"), "{answer}");
    }
    running.stop().await;
}
