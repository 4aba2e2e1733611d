//! The running service and a client in another process get the same as `probe`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use bolshak_proto::v1::tablebase_service_client::TablebaseServiceClient;
use bolshak_proto::v1::{Counters, Position, ProbeRequest, Query, Value, position::Form};

use crate::{lines, running, small_tables};

/// A service that is killed when the test is over.
pub(crate) struct Service {
    child: Child,
    pub(crate) address: String,
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has seen then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn start(tables: &std::path::Path, args: &[&str]) -> Service {
    let mut child = running(tables, &[&["serve", "--listen", "127.0.0.1:0"], args].concat())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    let address = loop {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "the service ended before it listened");
        if let Some((_, address)) = line.trim_end().split_once("http://") {
            break format!("http://{address}");
        }
    };
    // Read on, so that the service is never blocked by a full pipe.
    std::thread::spawn(move || stderr.lines().map_while(Result::ok).for_each(drop));
    Service { child, address }
}

fn request(fen: &str, counters: [u32; 3], rule_set: &str) -> ProbeRequest {
    let [ratio_plies, kings_plies, road_moves] = counters;
    ProbeRequest {
        query: Some(Query {
            position: Some(Position { form: Some(Form::Fen(fen.to_owned())) }),
            counters: Some(Counters { ratio_plies, kings_plies, road_moves }),
            rule_set: rule_set.to_owned(),
            ..Query::default()
        }),
        ..ProbeRequest::default()
    }
}

#[tokio::test]
async fn a_client_gets_what_probe_tells() {
    let tables = small_tables("official");
    let service = start(tables.path(), &[]);
    let mut client = TablebaseServiceClient::connect(service.address.clone()).await.unwrap();
    for (fen, [ratio, kings, road]) in [
        ("W:WKa1,c3:BKh8", [0, 0, 0]),
        ("W:WKa1,c3:BKh8", [9, 3, 0]),
        ("B:WKd4,Kc7:BKg1", [0, 0, 0]),
        ("W:WKd4,Kc7:BKg1", [5, 5, 0]),
        ("W:Wa1,e1:BKh8", [3, 1, 0]),
    ] {
        let (counters, [ratio_text, kings_text]) = ([ratio, kings, road], [ratio, kings].map(|n| n.to_string()));
        let args = ["probe", fen, "--ratio", &ratio_text, "--kings", &kings_text, "--format", "json"];
        let told: serde_json::Value = serde_json::from_str(&lines(tables.path(), &args)[0]).unwrap();
        let answer = client.probe(request(fen, counters, "official")).await.unwrap().into_inner().answer.unwrap();
        let name = |value: i32| {
            Value::try_from(value).unwrap().as_str_name()["VALUE_".len()..].to_lowercase().replace('_', "-")
        };
        let moves: Vec<_> = answer
            .moves
            .iter()
            .map(|rated| serde_json::json!({"move": rated.text, "value": name(rated.value), "dtc": rated.distance_plies}))
            .collect();
        assert_eq!(told["value"], name(answer.value));
        assert_eq!(told["dtc"], serde_json::json!(answer.distance_plies));
        assert_eq!(told["moves"], serde_json::Value::from(moves));
    }
}

#[tokio::test]
async fn bad_questions_get_their_status() {
    let tables = small_tables("official");
    let service = start(tables.path(), &[]);
    let mut client = TablebaseServiceClient::connect(service.address.clone()).await.unwrap();
    for (fen, counters, rule_set, code) in [
        ("nonsense", [0, 0, 0], "official", tonic::Code::InvalidArgument),
        ("W:WKa1:BKh8", [1, 2, 0], "official", tonic::Code::InvalidArgument),
        ("W:WKa1:BKh8", [0, 0, 0], "oficial", tonic::Code::InvalidArgument),
        ("W:WKa1,Kc1,Ke1:BKh8", [0, 0, 0], "official", tonic::Code::NotFound),
    ] {
        let status = client.probe(request(fen, counters, rule_set)).await.unwrap_err();
        assert_eq!(status.code(), code, "{fen}: {}", status.message());
    }
}

#[tokio::test]
async fn without_tables_the_small_ones_are_made_first() {
    let empty = tempfile::tempdir().unwrap();
    let service = start(empty.path(), &["--make-pieces", "3"]);
    let mut client = TablebaseServiceClient::connect(service.address.clone()).await.unwrap();
    for rule_set in ["official", "official-won-position", "fmjd64", "classic", "none"] {
        let answer = client.probe(request("W:WKd4,Kc7:BKg1", [0, 0, 0], rule_set)).await.unwrap().into_inner();
        assert_eq!(answer.answer.unwrap().distance_plies, Some(7));
    }
}
