//! The arbiter as its clients see it, over a real socket. That it says what the command line says is tested there.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bolshak_proto::v1;
use bolshak_proto::v1::arbiter_service_client::ArbiterServiceClient;
use bolshak_server::Options;
use common::{Running, get, post, raw, shared_tables};
use prost::Message;
use serde_json::{Value, json};
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_types::StatusExt;

const GAME: &str = "[FEN \"W:WKa1:BKh2\"]\n1. a1-b2 h2-g1 2. b2-a1 g1-h2 3. a1-b2 h2-g1 4. b2-a1 g1-h2 1-1\n\n";

fn game(pdn: &str) -> v1::VerifyGameRequest {
    v1::VerifyGameRequest { pdn: pdn.into(), ..Default::default() }
}

async fn client(running: &Running) -> ArbiterServiceClient<Channel> {
    ArbiterServiceClient::new(running.channel().await)
}

fn bad_fields(status: &Status) -> Vec<String> {
    assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
    let details = status.get_details_bad_request().unwrap();
    details.field_violations.into_iter().map(|violation| violation.field).collect()
}

#[tokio::test]
async fn it_judges_without_tables_and_is_known_to_health_and_reflection() {
    let directory = tempfile::tempdir().unwrap();
    let running = Running::start(directory.path()).await;
    let channel = running.channel().await;
    let mut health = tonic_health::pb::health_client::HealthClient::new(channel.clone());
    for (service, expected) in [
        ("bolshak.v1.ArbiterService", ServingStatus::Serving),
        ("bolshak.v1.TablebaseService", ServingStatus::NotServing),
    ] {
        let request = tonic_health::pb::HealthCheckRequest { service: service.to_owned() };
        assert_eq!(health.check(request).await.unwrap().into_inner().status(), expected, "{service}");
    }

    use tonic_reflection::pb::v1 as reflection;
    let mut reflected = reflection::server_reflection_client::ServerReflectionClient::new(channel);
    let request = reflection::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(reflection::server_reflection_request::MessageRequest::FileContainingSymbol(
            "bolshak.v1.ArbiterService.VerifyGames".to_owned(),
        )),
    };
    let mut answers = reflected.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response.unwrap();
    assert!(matches!(
        answer,
        reflection::server_reflection_response::MessageResponse::FileDescriptorResponse(files)
            if !files.file_descriptor_proto.is_empty()
    ));

    let verdict = client(&running).await.verify_game(game(GAME)).await.unwrap().into_inner().verdict.unwrap();
    let official = &verdict.rule_sets[0];
    assert_eq!((official.rule_set.as_str(), official.met[0].first_met_ply), ("official", 8));
    let value = official.final_value.as_ref().unwrap();
    assert_eq!(value.value(), v1::Value::Unspecified);
    assert!(value.unknown.contains("not in these tables: KvK"), "{value:?}");
    drop((answers, reflected, health));
    running.stop().await;
}

#[tokio::test]
async fn errors_name_the_bad_fields_in_both_languages_of_the_service() {
    let running = Running::start(shared_tables()).await;
    let mut client = client(&running).await;
    let terms = v1::ArbiterTerms { rule_sets: vec!["oficial".to_owned()], ..Default::default() };
    let status = client.verify_game(v1::VerifyGameRequest { terms: Some(terms), ..game(GAME) }).await.unwrap_err();
    assert_eq!(bad_fields(&status), ["terms.rule_sets[0]"]);
    let status = client.verify_game(v1::VerifyGameRequest { game: 2, ..game(GAME) }).await.unwrap_err();
    assert_eq!(bad_fields(&status), ["game"]);
    assert_eq!(status.message(), "there is no game 2: the text holds 1");
    assert_eq!(bad_fields(&client.verify_game(game(&" ".repeat((1 << 20) + 1))).await.unwrap_err()), ["pdn"]);
    let claim =
        v1::Claim { article: "1.9.1.7".to_owned(), side: v1::Color::White.into(), ply: 9, ..Default::default() };
    let request = v1::VerifyClaimRequest { pdn: GAME.into(), claim: Some(claim), ..Default::default() };
    assert_eq!(bad_fields(&client.verify_claim(request).await.unwrap_err()), ["claim.ply"]);
    let nowhere = "[FEN \"W:Wa2:B\"]\n1. a1-b2 *";
    let request = v1::AdjudicateRequest { pdn: nowhere.into(), ..Default::default() };
    assert_eq!(bad_fields(&client.adjudicate(request).await.unwrap_err()), ["pdn"]);

    for (path, question, field) in [
        ("verify", json!({"pdn": GAME, "rules": ["oficial"]}), "rules[0]"),
        ("verify", json!({"pdn": GAME, "game": 2}), "game"),
        ("verify", json!({"pdn": GAME, "rule": []}), "rule"),
        ("verify", json!({"pdn": GAME, "language": "fr"}), "language"),
        ("verify", json!({"pdn": GAME, "fallen_flag": "white"}), "fallen_flag"),
        ("verify", json!({"game": 1}), "body"),
        ("claim", json!({"pdn": GAME}), "claim"),
        ("claim", json!({"pdn": GAME, "claim": {"article": "1.9.1.7", "side": "white", "ply": 9}}), "claim.ply"),
        ("claim", json!({"pdn": GAME, "claim": {"article": "1.9.1.7", "side": "red", "ply": 9}}), "claim.side"),
        ("adjudicate", json!({"pdn": nowhere}), "pdn"),
    ] {
        let answer = post(&running, &format!("/v1/arbiter/{path}"), &question.to_string()).await;
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("application/problem+json"), "{answer}");
        let problem: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!(problem["violations"][0]["field"], field, "{question}: {problem}");
    }
    let broken = post(&running, "/v1/arbiter/verify", "{").await;
    assert!(broken.contains(r#""field":"body""#), "{broken}");
    assert!(get(&running, "/v1/arbiter/verify", "").await.starts_with("HTTP/1.1 405"));
    let measured = get(&running, "/metrics", "").await;
    for call in ["VerifyGame", "VerifyClaim", "Adjudicate", "/v1/arbiter/claim"] {
        assert!(measured.contains(&format!(r#"call="{call}""#)), "{call} is not in {measured}");
    }
    drop(client);
    running.stop().await;
}

#[tokio::test]
async fn a_token_is_wanted_and_grpc_web_is_understood() {
    let options = Options { token: Some("secret".to_owned()), ..Options::default() };
    let running = Running::with(options, shared_tables()).await;
    assert_eq!(client(&running).await.verify_game(game(GAME)).await.unwrap_err().code(), Code::Unauthenticated);
    assert!(post(&running, "/v1/arbiter/verify", "{}").await.starts_with("HTTP/1.1 401"));
    let mut request = Request::new(game(GAME));
    request.metadata_mut().insert("authorization", "Bearer secret".parse().unwrap());
    assert!(client(&running).await.verify_game(request).await.is_ok());

    let message = game(GAME).encode_to_vec();
    let frame = [&[0][..], &u32::try_from(message.len()).unwrap().to_be_bytes(), &message].concat();
    let head = format!(
        "POST /bolshak.v1.ArbiterService/VerifyGame HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
         authorization: Bearer secret\r\ncontent-type: application/grpc-web+proto\r\ncontent-length: {}\r\n\r\n",
        frame.len()
    );
    let answer = raw(&running, &[head.as_bytes(), &frame].concat()).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("grpc-status:0"), "{answer}");
    running.stop().await;
}

#[tokio::test]
async fn a_game_without_end_is_judged_up_to_a_ply() {
    let running = Running::start(shared_tables()).await;
    let shuffle = format!("[FEN \"W:WKa1:BKh2\"]\n{}*", "a1-b2 h2-g1 b2-a1 g1-h2 ".repeat(1300));
    let verdict = client(&running).await.verify_game(game(&shuffle)).await.unwrap().into_inner().verdict.unwrap();
    assert_eq!((verdict.plies, verdict.error.unwrap().ply), (5_000, 5_001));
    running.stop().await;
}

#[tokio::test]
async fn a_stream_says_what_is_wrong_with_its_terms() {
    let running = Running::start(shared_tables()).await;
    let mut client = client(&running).await;
    let piece = |rule_set: Option<&str>| v1::VerifyGamesRequest {
        terms: rule_set.map(|name| v1::ArbiterTerms { rule_sets: vec![name.to_owned()], ..Default::default() }),
        pdn: GAME.into(),
        ..Default::default()
    };
    for (pieces, field) in [
        (vec![piece(Some("oficial"))], "terms.rule_sets[0]"),
        (vec![piece(Some("official")), piece(Some("official"))], "terms"),
    ] {
        let mut verdicts = client.verify_games(tokio_stream::iter(pieces)).await.unwrap().into_inner();
        let failed = loop {
            match verdicts.message().await {
                Ok(verdict) => assert!(verdict.is_some(), "{field} is not refused"),
                Err(status) => break status,
            }
        };
        assert_eq!(bad_fields(&failed), [field]);
    }
    let mut none = client.verify_games(tokio_stream::empty()).await.unwrap().into_inner();
    assert!(none.message().await.unwrap().is_none());
    drop(client);
    running.stop().await;
}

/// A client that takes no verdicts is not read from for ever, and gets all of them when it takes them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_is_read_no_faster_than_verdicts_are_taken() {
    const PIECES: usize = 1_000;
    let running = Running::start(shared_tables()).await;
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    let text = GAME.replace("1. ", &format!("{{{}}} 1. ", "x".repeat(16 << 10)));
    let pieces = tokio_stream::iter(0..PIECES).map(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        v1::VerifyGamesRequest { pdn: text.clone().into(), ..Default::default() }
    });
    // With the usual window many verdicts would be on their way before the client must take one.
    let endpoint = Channel::from_shared(format!("http://{}", running.address)).unwrap();
    let channel = endpoint.initial_stream_window_size(65_535).connect().await.unwrap();
    let mut client = ArbiterServiceClient::new(channel);
    let mut verdicts = client.verify_games(pieces).await.unwrap().into_inner();
    let mut before = usize::MAX;
    while sent.load(Ordering::Relaxed) != before {
        before = sent.load(Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert!(before < PIECES / 2, "{before} pieces of {PIECES} were read");
    let mut number = 0;
    while let Some(verdict) = verdicts.message().await.unwrap() {
        number += 1;
        assert_eq!(verdict.verdict.unwrap().game, number);
    }
    assert_eq!((number as usize, sent.load(Ordering::Relaxed)), (PIECES, PIECES));
    drop((verdicts, client));
    running.stop().await;
}
