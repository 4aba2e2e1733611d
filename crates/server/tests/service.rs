//! The service as its clients see it, over a real socket.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use bolshak_proto::v1;
use bolshak_rules::{Position, Rules, State};
use bolshak_server::Library;
use common::{Running, query, shared_tables};
use tokio_stream::StreamExt;
use tonic::Code;
use tonic_types::StatusExt;

fn probe_request(query: v1::Query) -> v1::ProbeRequest {
    v1::ProbeRequest { query: Some(query), answer_mask: None }
}

/// Positions of all kinds: won, lost, drawn, with a capture, with counters nearly run out.
fn some_queries() -> Vec<v1::Query> {
    let counted = |fen, ratio_plies, kings_plies, road_moves| v1::Query {
        counters: Some(v1::Counters { ratio_plies, kings_plies, road_moves }),
        ..query(fen)
    };
    vec![
        query("W:WKa1:BKh8"),
        query("W:WKa1,Kc1:BKh6"),
        query("B:WKa1,Kc1:BKh6"),
        query("W:Wc3:Bd4"),
        query("W:Wc3,e3:Ba7"),
        query("B:Wc3,e3:Ba7"),
        query("B:Wa1:B"),
        query("W:Wa1:Bb2,c3"),
        counted("W:WKa1,Kc1:BKh6", 8, 8, 0),
        counted("W:WKa1,Kc1:BKh6", 10, 10, 0),
        counted("W:WKa1,c3:BKh2", 9, 3, 0),
    ]
}

#[tokio::test]
async fn probe_says_what_the_tables_say() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let library = Library::open(shared_tables());
    for query in some_queries() {
        let Some(v1::position::Form::Fen(fen)) = query.position.clone().unwrap().form else { panic!() };
        let counters = query.counters.unwrap_or_default();
        let answer = client.probe(probe_request(query)).await.unwrap().into_inner().answer.unwrap();
        let counters = bolshak_rules::Counters {
            ratio_plies: counters.ratio_plies,
            kings_plies: counters.kings_plies,
            road_moves: counters.road_moves as u8,
        };
        let state = State::new(Position::from_fen(&fen).unwrap().position, counters).unwrap();
        let tables = library.tables(Rules::OFFICIAL.variant);
        let expected = tables.probe(&Rules::OFFICIAL, &state, bolshak_tables::Query::default()).unwrap();
        let value = |number: i32| v1::Value::try_from(number).unwrap().as_str_name().replace("VALUE_", "");
        let name = |value: bolshak_tables::Value| value.name().replace('-', "_").to_uppercase();
        assert_eq!(value(answer.value), name(expected.outcome.value), "{fen}");
        assert_eq!(answer.distance_plies, expected.outcome.distance_plies.map(u32::from), "{fen}");
        assert_eq!(answer.over.is_some(), expected.over.is_some(), "{fen}");
        let moves = answer.moves.iter().map(|rated| (rated.text.clone(), value(rated.value), rated.distance_plies));
        let expected_moves = expected
            .moves
            .iter()
            .map(|rated| (rated.text.clone(), name(rated.outcome.value), rated.outcome.distance_plies.map(u32::from)));
        assert_eq!(moves.collect::<Vec<_>>(), expected_moves.collect::<Vec<_>>(), "{fen}");
    }
    running.stop().await;
}

#[tokio::test]
async fn one_answer_in_full() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let counters = Some(v1::Counters { ratio_plies: 4, kings_plies: 4, road_moves: 0 });
    let asked = v1::Query { counters, rule_set: "fmjd64".to_owned(), ..query("W:BKH2:WKA3.") };
    let answer = client.probe(probe_request(asked)).await.unwrap().into_inner().answer.unwrap();
    assert_eq!(answer.fen, "W:WKa3:BKh2");
    assert_eq!((answer.rule_set.as_str(), answer.variant.as_str()), ("fmjd64", "russian"));
    assert_eq!((answer.value(), answer.distance_plies), (v1::Value::Draw, None));
    assert_eq!(answer.moves.len(), 7);
    let back = answer.moves.iter().find(|rated| rated.text == "a3-b2").unwrap();
    assert_eq!((back.value(), back.fen_after.as_str()), (v1::Value::Draw, "B:WKb2:BKh2"));
    assert_eq!(back.counters_after, Some(v1::Counters { ratio_plies: 5, kings_plies: 5, road_moves: 0 }));
    let left = v1::Remaining {
        article: "1.9.1.4".to_owned(),
        cites: "7.2.6, 7.2.8".to_owned(),
        left: Some(v1::remaining::Left::Plies(6)),
    };
    assert_eq!(answer.remaining, [left]);
    running.stop().await;
}

#[tokio::test]
async fn a_mask_leaves_out_what_is_not_wanted() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let answer_mask = Some(prost_types::FieldMask { paths: vec!["value".to_owned(), "distance_plies".to_owned()] });
    let request = v1::ProbeRequest { query: Some(query("W:Wc3,e3:Ba7")), answer_mask };
    let answer = client.probe(request).await.unwrap().into_inner().answer.unwrap();
    let expected = v1::Answer { value: answer.value, distance_plies: answer.distance_plies, ..Default::default() };
    assert_ne!(answer.value, 0);
    assert_eq!(answer, expected);
    running.stop().await;
}

#[tokio::test]
async fn errors_name_what_is_wrong() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let bad = v1::Query { rule_set: "oficial".to_owned(), ..query("W:Wa2:Bh8") };
    let status = client.probe(probe_request(bad)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let fields = status.get_details_bad_request().unwrap().field_violations;
    let fields: Vec<_> = fields.into_iter().map(|violation| violation.field).collect();
    assert_eq!(fields, ["query.rule_set", "query.position.fen"]);

    let status = client.probe(probe_request(query("W:Wa1,c1,e1:Bh8"))).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    let info = status.get_details_error_info().unwrap();
    assert_eq!((info.reason.as_str(), info.metadata["requested"].as_str()), ("NOT_IN_TABLES", "mmmvm"));

    // What is told must fit into the headers that the client takes.
    let huge = v1::Query { rule_set: "x".repeat(3 << 20), history: vec![v1::Position::default(); 1_000], ..query("") };
    let status = client.probe(probe_request(huge)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    assert_eq!(status.get_details_bad_request().unwrap().field_violations[0].field, "query.rule_set");

    let status = client.probe(v1::ProbeRequest::default()).await.unwrap_err();
    assert_eq!(status.get_details_bad_request().unwrap().field_violations[0].field, "query");
    running.stop().await;
}

#[tokio::test]
async fn batches_and_streams_say_what_probe_says() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let fens = ["W:Wc3,e3:Ba7", "W:Wa2:Bh8", "B:WKa1,Kc1:BKh6", "W:Wa1,c1,e1:Bh8", "W:WKa1:BKh8"];
    let mut expected = Vec::new();
    for fen in fens {
        let answer = client.probe(probe_request(query(fen))).await;
        expected
            .push(answer.map(|response| response.into_inner().answer.unwrap()).map_err(|status| status.code() as i32));
    }

    let request = v1::ProbeBatchRequest {
        states: Some(v1::probe_batch_request::States::Fens(v1::FenColumn { fens: fens.map(str::to_owned).to_vec() })),
        response_mask: Some(prost_types::FieldMask { paths: vec!["distance_plies".to_owned(), "answers".to_owned()] }),
        ..Default::default()
    };
    let batch = client.probe_batch(request).await.unwrap().into_inner();
    let failures: Vec<_> =
        batch.failures.iter().map(|failure| (failure.index, failure.failure.as_ref().unwrap().code)).collect();
    assert_eq!(failures, [(1, Code::InvalidArgument as i32), (3, Code::NotFound as i32)]);
    for (index, expected) in expected.iter().enumerate() {
        let Ok(expected) = expected else {
            assert_eq!(batch.values[index], 0);
            continue;
        };
        assert_eq!(i32::from(batch.values[index]), expected.value);
        assert_eq!(batch.distance_plies[index], expected.distance_plies.unwrap_or(0));
        assert_eq!(batch.answers[index].moves, expected.moves);
    }

    let states = v1::probe_batch_request::States::Fens(v1::FenColumn { fens: fens.map(str::to_owned).to_vec() });
    let values = v1::ProbeBatchRequest { states: Some(states), ..Default::default() };
    let values = client.probe_batch(values).await.unwrap().into_inner();
    assert_eq!((&values.values, &values.failures), (&batch.values, &batch.failures));
    assert!(values.distance_plies.is_empty() && values.answers.is_empty());

    let questions = (0u64..).zip(fens).map(|(id, fen)| v1::ProbeStreamRequest {
        id: 1000 + id,
        query: Some(query(fen)),
        answer_mask: None,
    });
    let answers = client.probe_stream(tokio_stream::iter(questions.collect::<Vec<_>>())).await.unwrap().into_inner();
    let answers: Vec<v1::ProbeStreamResponse> = answers.map(Result::unwrap).collect().await;
    assert_eq!(answers.len(), fens.len());
    for ((id, answer), expected) in (1000..).zip(answers).zip(expected) {
        assert_eq!(answer.id, id);
        match answer.outcome.unwrap() {
            v1::probe_stream_response::Outcome::Answer(answer) => assert_eq!(Ok(answer), expected),
            v1::probe_stream_response::Outcome::Failure(failure) => assert_eq!(Err(failure.code), expected),
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn a_line_goes_to_the_end_and_best_moves_keep_the_value() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let start = query("W:Wc3,e3:Ba7");
    let line = client.line(v1::LineRequest { query: Some(start.clone()), max_plies: 0 }).await.unwrap().into_inner();
    let line: Vec<v1::LineResponse> = line.map(Result::unwrap).collect().await;
    assert_eq!((line[0].ply, line[0].r#move.as_str()), (0, ""));
    let last = line.last().unwrap();
    assert_eq!(last.over.as_ref().unwrap().how, Some(v1::over::How::Winner(v1::Color::White.into())));
    for (step, before) in line[1..].iter().zip(&line) {
        let position = Position::from_fen(&before.fen).unwrap().position;
        let mv = position.parse_move(&step.r#move).unwrap();
        assert_eq!(position.after(&mv).to_fen(), step.fen);
    }
    let short = client.line(v1::LineRequest { query: Some(start.clone()), max_plies: 2 }).await.unwrap().into_inner();
    assert_eq!(short.map(Result::unwrap).collect::<Vec<_>>().await, line[..3]);

    let best = client.best_moves(v1::BestMovesRequest { query: Some(start.clone()), max_moves: 0 }).await.unwrap();
    let best = best.into_inner();
    assert!(!best.moves.is_empty() && best.moves.iter().all(|rated| rated.value == best.value));
    assert_eq!(best.moves[0].text, line[1].r#move);
    let one = client.best_moves(v1::BestMovesRequest { query: Some(start), max_moves: 1 }).await.unwrap().into_inner();
    assert_eq!(one.moves, best.moves[..1]);
    running.stop().await;
}

#[tokio::test]
async fn coverage_and_statistics() {
    let (hash, manifest) = ("5c".repeat(32), shared_tables().join("MANIFEST.sha256"));
    std::fs::write(manifest, format!("{hash}  russian/KvK.value\n")).unwrap();
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let coverage = client.coverage(v1::CoverageRequest::default()).await.unwrap().into_inner();
    assert_eq!(coverage.variants.len(), 2);
    let russian = &coverage.variants[0];
    let complete: Vec<_> = russian.rule_sets.iter().map(|set| (set.name.as_str(), set.complete_pieces)).collect();
    assert_eq!(complete, [("official", 3), ("official-won-position", 0), ("fmjd64", 3), ("classic", 0), ("none", 3)]);
    let files: Vec<_> = russian.slices.iter().flat_map(|slice| &slice.files).collect();
    let hashed: Vec<_> = files.iter().filter(|file| !file.sha256.is_empty()).collect();
    assert_eq!((hashed.len(), hashed[0].name.as_str(), &hashed[0].sha256), (1, "KvK.value", &hash));
    assert!(russian.slices.iter().all(|slice| slice.missing_slices.is_empty() && slice.problems.is_empty()));
    assert_eq!(russian.slices.iter().map(|slice| slice.positions).sum::<u64>(), 3_488 + 196_032);

    let request =
        v1::StatsRequest { slices: vec!["KKvK".to_owned()], rule_set: "none".to_owned(), ..Default::default() };
    let stats = client.stats(request).await.unwrap().into_inner();
    let counts = &stats.slices[0];
    assert_eq!((counts.wins, counts.draws, counts.losses), (5628, 9252, 0));
    let request = v1::StatsRequest { slices: vec!["KKvK".to_owned()], distances: true, ..Default::default() };
    let counts = client.stats(request).await.unwrap().into_inner().slices.remove(0);
    let of = |value: v1::Value| counts.distances.iter().filter(move |count| count.value() == value);
    assert_eq!(of(v1::Value::Win).map(|count| count.positions).sum::<u64>(), counts.wins);
    let longest = of(v1::Value::Win).map(|count| count.distance_plies).max();
    assert_eq!(longest, counts.longest_win.as_ref().map(|longest| longest.distance_plies));
    let all = client.stats(v1::StatsRequest::default()).await.unwrap().into_inner();
    assert_eq!(all.slices.len(), russian.slices.len());
    let request = v1::StatsRequest { slices: vec!["KKvKQ".to_owned(), "x".to_owned()], ..Default::default() };
    assert_eq!(client.stats(request).await.unwrap_err().get_details_bad_request().unwrap().field_violations.len(), 2);
    running.stop().await;
}

#[tokio::test]
async fn health_and_reflection_are_there() {
    let running = Running::start(shared_tables()).await;
    let channel = running.channel().await;
    let mut health = tonic_health::pb::health_client::HealthClient::new(channel.clone());
    let request = tonic_health::pb::HealthCheckRequest { service: "bolshak.v1.TablebaseService".to_owned() };
    let status = health.check(request).await.unwrap().into_inner().status();
    assert_eq!(status, tonic_health::pb::health_check_response::ServingStatus::Serving);

    use tonic_reflection::pb::v1 as reflection;
    let mut client = reflection::server_reflection_client::ServerReflectionClient::new(channel);
    let request = reflection::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(reflection::server_reflection_request::MessageRequest::ListServices(String::new())),
    };
    let mut answers = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response.unwrap();
    let reflection::server_reflection_response::MessageResponse::ListServicesResponse(list) = answer else { panic!() };
    assert!(list.service.iter().any(|service| service.name == "bolshak.v1.TablebaseService"));
    drop(answers);
    drop(client);
    drop(health);
    running.stop().await;
}

/// The shared tables without those whose names begin so, in a directory of its own.
fn tables_without(name: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let russian = directory.path().join("russian");
    std::fs::create_dir(&russian).unwrap();
    for file in std::fs::read_dir(shared_tables().join("russian")).unwrap() {
        let file = file.unwrap();
        if !file.file_name().to_string_lossy().starts_with(name) {
            std::fs::copy(file.path(), russian.join(file.file_name())).unwrap();
        }
    }
    directory
}

/// One move lets the other side capture into a slice without tables.
#[tokio::test]
async fn what_a_move_leads_to_may_be_missing() {
    let directory = tables_without("KvK.");
    let (whole, running) = (Running::start(shared_tables()).await, Running::start(directory.path()).await);
    let (mut knows_all, mut client) = (whole.client().await, running.client().await);
    let asked = "W:WKa1,Kc1:BKh8";
    let all = knows_all.probe(probe_request(query(asked))).await.unwrap().into_inner().answer.unwrap();
    let some = client.probe(probe_request(query(asked))).await.unwrap().into_inner().answer.unwrap();
    assert_eq!((some.value, some.distance_plies), (all.value, all.distance_plies));
    assert_ne!(some.value, 0);
    let missing = v1::Failure {
        code: Code::NotFound as i32,
        message: "KKvK needs KvK, not in these tables".to_owned(),
        missing_slices: vec!["KvK".to_owned()],
        reason: "NOT_IN_TABLES".to_owned(),
        ..Default::default()
    };
    // The known moves are as they always are, and the others come last.
    let (unknown, known): (Vec<_>, Vec<_>) = some.moves.iter().partition(|rated| rated.unknown.is_some());
    assert_eq!(
        unknown.iter().map(|rated| rated.text.as_str()).collect::<Vec<_>>(),
        ["a1-b2", "a1-c3", "a1-d4", "a1-e5", "a1-f6", "a1-g7"]
    );
    assert!(some.moves.is_sorted_by_key(|rated| rated.unknown.is_some()));
    for rated in &unknown {
        let before = all.moves.iter().find(|other| other.text == rated.text).unwrap();
        let unrated =
            v1::RatedMove { value: 0, distance_plies: None, unknown: Some(missing.clone()), ..before.clone() };
        assert_eq!(**rated, unrated);
    }
    let is_known = |rated: &&v1::RatedMove| unknown.iter().all(|other| other.text != rated.text);
    assert_eq!(known, all.moves.iter().filter(is_known).collect::<Vec<_>>());

    let best = client.best_moves(v1::BestMovesRequest { query: Some(query(asked)), max_moves: 0 }).await.unwrap();
    let best = best.into_inner();
    let keeps = |rated: &v1::RatedMove| rated.value == all.value || rated.unknown.is_some();
    assert_eq!(best.moves, some.moves.iter().filter(|rated| keeps(rated)).cloned().collect::<Vec<_>>());

    let json = common::get(&running, "/v1/probe?fen=W:WKa1,Kc1:BKh8&answer_mask=moves", "").await;
    let unknown = r#""value":null,"dtc":null,"unknown":{"code":"NOT_IN_TABLES","detail":"KKvK needs KvK, not in these tables","missing_slices":["KvK"]},"#;
    assert_eq!(json.matches(unknown).count(), 6, "{json}");
    assert!(json.contains(&format!(r#"{{"move":"a1-b2",{unknown}"converts":false"#)), "{json}");

    // Where one must capture, the value itself needs the table.
    let status = client.probe(probe_request(query("W:WKa1:BKb2,Kh2"))).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "KvKK needs KvK, not in these tables"));
    whole.stop().await;
    let unknown = common::get(&running, "/v1/probe?fen=W:WKa1,Kc1:BKh8&answer_mask=valeu", "").await;
    assert!(unknown.starts_with("HTTP/1.1 400") && unknown.contains(r#""field":"answer_mask""#), "{unknown}");
    let coverage = client.coverage(v1::CoverageRequest::default()).await.unwrap().into_inner();
    let missing = |name: &str| {
        let slice = coverage.variants[0].slices.iter().find(|slice| slice.slice == name).unwrap();
        slice.missing_slices.clone()
    };
    assert_eq!([missing("KKvK"), missing("KvKK"), missing("mvm")], [["KvK"], ["KvK"], ["KvK"]]);
    drop(client);
    running.stop().await;
}

/// The moves that keep the value may be those that are not known; best play is told as far as the known ones are as good.
#[tokio::test]
async fn best_play_may_be_missing() {
    let directory = tables_without("KvKK.");
    let (whole, running) = (Running::start(shared_tables()).await, Running::start(directory.path()).await);
    let (mut knows_all, mut client) = (whole.client().await, running.client().await);
    let promotes = query("W:WKa7,c7:BKg1");
    let answer = client.probe(probe_request(promotes.clone())).await.unwrap().into_inner().answer.unwrap();
    assert_eq!(
        (answer.value(), answer.distance_plies, answer.moves[0].value()),
        (v1::Value::Win, Some(1), v1::Value::Draw)
    );
    let best = client.best_moves(v1::BestMovesRequest { query: Some(promotes.clone()), max_moves: 0 }).await.unwrap();
    let best: Vec<_> =
        best.into_inner().moves.into_iter().map(|rated| (rated.text, rated.unknown.unwrap().reason)).collect();
    assert_eq!(best, ["c7-b8", "c7-d8"].map(|text| (text.to_owned(), "NOT_IN_TABLES".to_owned())));
    // The state itself is known, and told before the error.
    let mut line = client.line(v1::LineRequest { query: Some(promotes), max_plies: 0 }).await.unwrap().into_inner();
    let first = line.next().await.unwrap().unwrap();
    assert_eq!((first.ply, first.fen.as_str(), first.distance_plies), (0, "W:WKa7,c7:BKg1", Some(1)));
    let status = line.next().await.unwrap().unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "KmvK needs KvKK, not in these tables"));
    assert!(line.next().await.is_none());
    let json = common::get(&running, "/v1/line?fen=W:WKa7,c7:BKg1", "").await;
    let unknown = r#""unknown":{"code":"NOT_IN_TABLES","detail":"KmvK needs KvKK, not in these tables","missing_slices":["KvKK"]}"#;
    assert!(json.starts_with("HTTP/1.1 200") && json.contains(r#""ply":0"#) && json.contains(unknown), "{json}");

    let request = v1::LineRequest { query: Some(query("W:WKb8,c7:BKg1")), max_plies: 0 };
    let answer =
        client.probe(probe_request(request.query.clone().unwrap())).await.unwrap().into_inner().answer.unwrap();
    assert!(answer.moves.last().unwrap().unknown.is_some());
    let expected: Vec<_> =
        knows_all.line(request.clone()).await.unwrap().into_inner().map(Result::unwrap).collect().await;
    let line: Vec<_> = client.line(request).await.unwrap().into_inner().map(Result::unwrap).collect().await;
    assert_eq!((line.len(), line), (4, expected));
    drop((knows_all, client));
    whole.stop().await;
    running.stop().await;
}

#[tokio::test]
async fn the_value_alone_needs_no_distances() {
    let directory = tables_without("KKvK.distance");
    let running = Running::start(directory.path()).await;
    let mut client = running.client().await;
    let masked = |fields: &[&str]| {
        let paths = fields.iter().map(|&field| field.to_owned()).collect();
        let answer_mask = Some(prost_types::FieldMask { paths });
        v1::ProbeRequest { query: Some(query("W:WKa1,Kc1:BKh8")), answer_mask }
    };
    // From the file, and then from memory.
    for _ in 0..2 {
        let answer = client.probe(masked(&["value"])).await.unwrap().into_inner().answer.unwrap();
        assert_eq!(answer, v1::Answer { value: v1::Value::Win.into(), ..Default::default() });
    }
    let json = common::get(&running, "/v1/probe?fen=W:WKa1,Kc1:BKh8&answer_mask=value", "").await;
    assert!(json.ends_with(r#"{"value":"win"}"#), "{json}");
    for fields in [&["value", "distance_plies"][..], &["moves"], &[]] {
        let status = client.probe(masked(fields)).await.unwrap_err();
        let expected = "KKvK is not whole in these tables: missing KKvK.distance";
        assert_eq!((status.code(), status.message()), (Code::NotFound, expected));
    }
    let coverage = client.coverage(v1::CoverageRequest::default()).await.unwrap().into_inner();
    let slice = coverage.variants[0].slices.iter().find(|slice| slice.slice == "KKvK").unwrap();
    assert_eq!((slice.missing_slices.as_slice(), slice.problems.len()), (["KKvK".to_owned()].as_slice(), 0));
    // What the question itself tells needs no table at all.
    let json = common::get(&running, "/v1/probe?fen=W:BKh8:WKa1,Kc1,Ke1,Kg1,Kb2&answer_mask=fen", "").await;
    assert!(json.ends_with(r#"{"fen":"W:WKa1,Kc1,Ke1,Kg1,Kb2:BKh8"}"#), "{json}");
    drop(client);
    running.stop().await;
}

/// A claim of repetition makes the state a draw, but the game goes on if nobody makes it.
#[tokio::test]
async fn best_moves_where_a_draw_may_be_claimed() {
    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let fen = "W:WKa1,Kc1:BKh8";
    let claimed =
        v1::Query { history: [query(fen), query(fen)].map(|past| past.position.unwrap()).to_vec(), ..query(fen) };
    let answer = client.probe(probe_request(claimed.clone())).await.unwrap().into_inner().answer.unwrap();
    let best =
        client.best_moves(v1::BestMovesRequest { query: Some(claimed), max_moves: 0 }).await.unwrap().into_inner();
    assert_eq!((answer.value(), best.value()), (v1::Value::CursedWin, v1::Value::CursedWin));
    let wins = answer.moves.iter().filter(|rated| rated.value() == v1::Value::Win).cloned().collect::<Vec<_>>();
    assert!(!wins.is_empty());
    assert_eq!(best.moves, wins);
    drop(client);
    running.stop().await;
}

#[tokio::test]
async fn tables_that_are_not_there_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let running = Running::start(directory.path()).await;
    let mut client = running.client().await;
    let status = client.probe(probe_request(query("W:WKa1:BKh8"))).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    // A side without pieces needs no table.
    let answer = client.probe(probe_request(query("B:WKa1:B"))).await.unwrap().into_inner().answer.unwrap();
    assert_eq!((answer.value(), answer.distance_plies), (v1::Value::Loss, Some(0)));
    // Tables that appear later are used without a restart.
    common::make_tables(directory.path(), &["KvK".parse().unwrap()]);
    assert!(client.probe(probe_request(query("W:WKa1:BKh8"))).await.is_ok());
    running.stop().await;
}
