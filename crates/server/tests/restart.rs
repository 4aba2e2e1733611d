//! The service as a process: killed and started again under load, stopped by SIGTERM, started with many tables.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use std::error::Error;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bolshak_proto::v1;
use bolshak_proto::v1::tablebase_service_client::TablebaseServiceClient;
use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_server::{Library, Options, serve};
use bolshak_tables::{Cells, Histogram, Kind, Slice, SliceIndex, Statistics, write_table};
use common::{query, shared_tables};
use tonic::transport::Channel;
use tonic::{Code, Status};

const TABLES: &str = "BOLSHAK_TEST_TABLES";
const LISTEN: &str = "BOLSHAK_TEST_LISTEN";

/// Not a test but the process that the tests below start.
#[test]
#[ignore = "it serves until it is killed; the other tests start it"]
fn served() {
    let (Ok(tables), Ok(listen)) = (std::env::var(TABLES), std::env::var(LISTEN)) else { return };
    let options = Options { listen: listen.parse().unwrap(), ..Options::default() };
    serve(options, Library::open(Path::new(&tables)), |_| ()).unwrap();
}

/// A service in a process of its own, which ends with this.
struct Process(Child);

impl Process {
    /// Starts one and waits until it takes connections.
    async fn start(tables: &Path, listen: SocketAddr) -> Process {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "served", "--ignored"])
            .env(TABLES, tables)
            .env(LISTEN, listen.to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let process = Process(child);
        for _ in 0..10_000 {
            if TcpStream::connect(listen).is_ok() {
                return process;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("the service does not come up");
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Sends SIGTERM, and tells how long the process took to end by itself, which it must do well.
    async fn terminate(mut self) -> Duration {
        let begun = Instant::now();
        let sent = Command::new("sh").args(["-c", &format!("kill -TERM {}", self.0.id())]).status().unwrap();
        assert!(sent.success());
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return begun.elapsed();
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the service does not end");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An address that nobody listens on.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

fn client(address: SocketAddr) -> TablebaseServiceClient<Channel> {
    TablebaseServiceClient::new(Channel::from_shared(format!("http://{address}")).unwrap().connect_lazy())
}

fn probe_request(fen: &str) -> v1::ProbeRequest {
    v1::ProbeRequest { query: Some(query(fen)), answer_mask: None }
}

/// Whether a call failed on its way, and not by what the service said of it. Asking changes nothing, so such a call may be
/// made again.
fn may_be_retried(status: &Status) -> bool {
    status.code() == Code::Unavailable || status.source().is_some()
}

/// What clients under load did.
#[derive(Default)]
struct Load {
    stop: AtomicBool,
    answered: AtomicU64,
    retried: AtomicU64,
}

const FENS: [&str; 4] = ["W:WKa1:BKh8", "W:WKa1,Kc1:BKh6", "W:Wc3,e3:Ba7", "B:WKa1:Bh4,g7"];

/// Clients that ask one question after the other, each until it has its answer, and compare that with the first.
async fn load(address: SocketAddr, clients: usize) -> (Arc<Load>, Vec<tokio::task::JoinHandle<()>>) {
    let mut expected = Vec::new();
    for fen in FENS {
        expected.push(client(address).probe(probe_request(fen)).await.unwrap().into_inner());
    }
    let (load, expected) = (Arc::new(Load::default()), Arc::new(expected));
    let one = |number: usize| {
        let (load, expected, mut client) = (Arc::clone(&load), Arc::clone(&expected), client(address));
        tokio::spawn(async move {
            for turn in number.. {
                if load.stop.load(Ordering::Relaxed) {
                    break;
                }
                let which = turn % FENS.len();
                let answer = loop {
                    match client.probe(probe_request(FENS[which])).await {
                        Ok(answer) => break answer.into_inner(),
                        Err(status) => assert!(may_be_retried(&status), "{status:?}"),
                    }
                    load.retried.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_millis(5)).await;
                };
                assert_eq!(answer, expected[which]);
                load.answered.fetch_add(1, Ordering::Relaxed);
            }
        })
    };
    let clients = (0..clients).map(one).collect();
    (load, clients)
}

/// Waits until so many more questions have been answered.
async fn answered(load: &Load, more: u64) {
    let enough = load.answered.load(Ordering::Relaxed) + more;
    let begun = Instant::now();
    while load.answered.load(Ordering::Relaxed) < enough {
        assert!(begun.elapsed() < Duration::from_secs(60), "the clients are not answered");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn finish(load: &Load, clients: Vec<tokio::task::JoinHandle<()>>) {
    load.stop.store(true, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_under_load_clients_that_retry_lose_nothing() {
    let address = free_address();
    let mut process = Process::start(shared_tables(), address).await;
    let (load, clients) = load(address, 8).await;
    for _ in 0..3 {
        answered(&load, 500).await;
        process.kill();
        process = Process::start(shared_tables(), address).await;
    }
    answered(&load, 500).await;
    finish(&load, clients).await;
    assert!(load.retried.load(Ordering::Relaxed) > 0, "no call was cut off: nothing has been shown");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminated_under_load_it_ends_soon_and_answers_what_it_took() {
    let address = free_address();
    let mut process = Process::start(shared_tables(), address).await;
    let (load, clients) = load(address, 8).await;
    for _ in 0..3 {
        answered(&load, 500).await;
        // A call that takes long enough to be in flight when the signal comes. It is not tried again.
        let fens = vec!["W:Wc3,e3:Ba7".to_owned(); 1_000];
        let long = v1::ProbeBatchRequest {
            states: Some(v1::probe_batch_request::States::Fens(v1::FenColumn { fens })),
            response_mask: Some(prost_types::FieldMask { paths: vec!["answers".to_owned()] }),
            ..Default::default()
        };
        let mut client = client(address).max_decoding_message_size(1 << 24);
        // Connected before, so that the call is on its way at once.
        client.probe(probe_request(FENS[0])).await.unwrap();
        let in_flight = tokio::spawn(async move { client.probe_batch(long).await });
        tokio::time::sleep(Duration::from_millis(5)).await;
        let took = process.terminate().await;
        assert!(took < Duration::from_secs(10), "{took:?}");
        assert_eq!(in_flight.await.unwrap().unwrap().into_inner().answers.len(), 1_000);
        process = Process::start(shared_tables(), address).await;
    }
    answered(&load, 500).await;
    finish(&load, clients).await;
}

/// The same cell everywhere.
struct Nothing;

impl Cells for Nothing {
    fn read(&self, _: u64, cells: &mut [u16]) {
        cells.fill(0);
    }
}

/// Tables of every kind for all slices of up to four pieces, in both variants, that say that nothing is forced.
fn many_tables(directory: &Path) -> usize {
    let mut count = 0;
    for variant in [Variant::Russian, Variant::Giveaway] {
        std::fs::create_dir(directory.join(variant.name())).unwrap();
        let changes = RuleSet::ALL.into_iter().filter_map(|set| Kind::changes(&Rules::new(variant, set)));
        let kinds: Vec<Kind> = [Kind::Value, Kind::Distance].into_iter().chain(changes).collect();
        let large = ["KvKKKK", "KKKKvK"].map(|name| name.parse::<Slice>().unwrap());
        for slice in [2, 3, 4].into_iter().flat_map(Slice::all_of).chain(large) {
            let index = SliceIndex::new(slice);
            for &kind in &kinds {
                let path = directory.join(variant.name()).join(format!("{slice}.{}", kind.name()));
                let stop = AtomicBool::new(false);
                let histogram = Histogram { draw: index.positions(), ..Histogram::default() };
                let statistics = Statistics { histogram, ..Statistics::default() };
                write_table(&path, variant, &index, kind, &Nothing, statistics, &stop).unwrap();
                count += 1;
            }
        }
    }
    count
}

#[tokio::test]
async fn it_starts_within_a_second_with_500_tables() {
    let directory = tempfile::tempdir().unwrap();
    let count = many_tables(directory.path());
    assert!(count >= 500, "{count}");
    let address = free_address();
    let begun = Instant::now();
    let _process = Process::start(directory.path(), address).await;
    let mut client = client(address);
    client.probe(probe_request("W:WKa1:BKh8")).await.unwrap();
    let first = begun.elapsed();
    let coverage = client.coverage(v1::CoverageRequest::default()).await.unwrap().into_inner();
    let all = begun.elapsed();
    let files = coverage.variants.iter().flat_map(|variant| &variant.slices).map(|slice| slice.files.len());
    assert_eq!(files.sum::<usize>(), count);
    eprintln!("{count} tables: the first answer after {first:?}, every table opened after {all:?}");
    assert!(first < Duration::from_secs(1), "the first answer took {first:?}");
}
