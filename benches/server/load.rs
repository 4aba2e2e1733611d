//! How much the service bears, over a real socket on the loopback interface: `cargo bench -p bolshak-server`.
//!
//! The server has one thread for the network and one for look-ups on each core, the client one. Every measurement is bounded
//! in time. The call with an empty answer is the health check, which passes everything that a probe does but for the tables;
//! a probe of a game that is over passes that as well. The time of the processors is that of server and client together; it
//! holds on a busy machine as well, where the others do not.
//!
//! Requests are made beforehand, and every position has been asked about once, with its moves, before anything is measured.
//! Where nothing is said, positions are sets of squares, as engines have them.
//!
//! The tables are those of the directory that `BOLSHAK_TABLES` names, else all up to four pieces, made first. A word after
//! `--` measures only what has it in its name.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bolshak_generate::{SetwiseSolver, generate};
use bolshak_proto::v1;
use bolshak_proto::v1::tablebase_service_client::TablebaseServiceClient;
use bolshak_rules::{Color, Position, Rules, Square, Squares};
use bolshak_server::{Library, Options, Server};
use bolshak_tables::{Slice, Tables};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const TIME: Duration = Duration::from_secs(3);

/// Positions spread evenly over all slices that there are tables for.
fn positions(tables: &Tables, count: usize) -> Vec<Position> {
    let slices = tables.slices().expect("a directory of tables");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) % limit
    };
    (0..count)
        .map(|_| {
            let index = tables.index(slices[next(slices.len() as u64) as usize]);
            index.position(next(index.positions()))
        })
        .collect()
}

fn query(form: v1::position::Form) -> v1::Query {
    v1::Query { position: Some(v1::Position { form: Some(form) }), ..Default::default() }
}

fn as_fen(position: &Position) -> v1::Query {
    query(v1::position::Form::Fen(position.to_fen()))
}

/// The squares of a set as the wire has them.
fn bits(squares: Squares) -> u64 {
    let set = Square::in_board_order().enumerate().filter(|(_, square)| squares.contains(*square));
    set.fold(0, |bits, (bit, _)| bits | 1 << bit)
}

fn as_squares(position: &Position) -> v1::Query {
    let (white, black) = (position.side(Color::White), position.side(Color::Black));
    let turn = match position.turn() {
        Color::White => v1::Color::White,
        Color::Black => v1::Color::Black,
    };
    query(v1::position::Form::Bitboards(v1::Bitboards {
        white_men: bits(white.men),
        white_kings: bits(white.kings),
        black_men: bits(black.men),
        black_kings: bits(black.kings),
        turn: turn.into(),
    }))
}

fn columns(positions: &[Position]) -> v1::StateColumns {
    let sides = |position: &Position| (position.mover(), position.opponent());
    v1::StateColumns {
        white: positions.iter().map(|position| bits(sides(position).0.pieces())).collect(),
        black: positions.iter().map(|position| bits(sides(position).1.pieces())).collect(),
        kings: positions.iter().map(|position| bits(sides(position).0.kings | sides(position).1.kings)).collect(),
        ..Default::default()
    }
}

/// The processor time that this process has used, in the kernel's ticks of 10 ms.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// Calls again and again from so many tasks, and reports lookups a second, the processor time of each, and the median and
/// 99th percentile of a call.
async fn measure<C, F>(name: &str, tasks: usize, lookups_per_call: u64, call: C)
where
    C: Fn(usize) -> F + Clone + Send + 'static,
    F: Future<Output = ()> + Send,
{
    if !is_wanted(name) {
        return;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let (begun, used) = (Instant::now(), processor_time());
    let running: Vec<_> = (0..tasks)
        .map(|task| {
            let (call, stop) = (call.clone(), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut times = Vec::new();
                let mut turn = task;
                while !stop.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    call(turn).await;
                    times.push(begun.elapsed());
                    turn += tasks;
                }
                times
            })
        })
        .collect();
    tokio::time::sleep(TIME).await;
    stop.store(true, Ordering::Relaxed);
    let mut times = Vec::new();
    for task in running {
        times.extend(task.await.unwrap_or_default());
    }
    report(name, times, lookups_per_call, begun.elapsed(), processor_time() - used);
}

/// Writes what so many calls came to: the time of each is given, and the time and the processor time of all together.
fn report(name: &str, mut times: Vec<Duration>, lookups_per_call: u64, took: Duration, used: Duration) {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e6;
    let lookups = times.len() as f64 * lookups_per_call as f64;
    let (rate, cost) = (lookups / took.as_secs_f64(), used.as_secs_f64() * 1e6 / lookups);
    // A closed output is no reason to stop measuring.
    let _ = writeln!(
        std::io::stdout(),
        "{name:44} {rate:>10.0}/s  {cost:>7.2} us of processor  median {:>6.0} us  99 % {:>6.0} us",
        at(50),
        at(99)
    );
}

/// Whether something is to be measured: with no word on the command line everything is.
fn is_wanted(name: &str) -> bool {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
    words.peek().is_none() || words.any(|word| name.contains(&word))
}

/// A server on a thread of its own.
fn start(directory: PathBuf) -> SocketAddr {
    let (told, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let options = Options { listen: SocketAddr::from(([127, 0, 0, 1], 0)), ..Options::default() };
            let server = Server::bind(options, Library::open(&directory)).await.expect("a free port");
            told.send(server.address()).expect("a listener");
            server.run(std::future::pending()).await.expect("a service");
        });
    });
    address.recv().expect("an address")
}

fn main() {
    let made = tempfile::tempdir().expect("a directory");
    let given = std::env::var_os("BOLSHAK_TABLES").map(PathBuf::from);
    let directory = given.unwrap_or_else(|| {
        let tables = Tables::open(made.path(), Rules::OFFICIAL.variant);
        let slices: Vec<Slice> = (2..=4).flat_map(Slice::all_of).collect();
        let stop = AtomicBool::new(false);
        generate(&tables, &slices, &[Rules::OFFICIAL], &SetwiseSolver::default(), &mut (), &stop).expect("tables");
        made.path().to_owned()
    });
    let positions = Arc::new(positions(&Tables::open(&directory, Rules::OFFICIAL.variant), 10_000));
    let address = start(directory);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run(address, positions));
}

async fn run(address: SocketAddr, positions: Arc<Vec<Position>>) {
    let channel =
        Channel::from_shared(format!("http://{address}")).expect("an address").connect().await.expect("a server");
    let outcome = Some(prost_types::FieldMask { paths: vec!["value".to_owned(), "distance_plies".to_owned()] });
    let over = Position::from_fen("B:WKa1:B").expect("a position").position;
    let requests = |form: fn(&Position) -> v1::Query, answer_mask: &Option<prost_types::FieldMask>, of: &[Position]| {
        let request = |position| v1::ProbeRequest { query: Some(form(position)), answer_mask: answer_mask.clone() };
        Arc::new(of.iter().map(request).collect::<Vec<_>>())
    };
    let kinds = [
        ("no table needed", requests(as_squares, &outcome, &[over])),
        ("value and distance", requests(as_squares, &outcome, &positions)),
        ("the same, FEN", requests(as_fen, &outcome, &positions)),
        ("everything, FEN", requests(as_fen, &None, &positions)),
    ];
    ask_everything_once(TablebaseServiceClient::new(channel.clone()), &kinds[3].1).await;
    for tasks in [1, 8, 64] {
        let health = HealthClient::new(channel.clone());
        measure(&format!("empty answer, {tasks} in flight"), tasks, 1, move |_| {
            let mut health = health.clone();
            async move {
                health.check(HealthCheckRequest { service: String::new() }).await.expect("an answer");
            }
        })
        .await;
        for (what, requests) in &kinds {
            let client = TablebaseServiceClient::new(channel.clone());
            let requests = Arc::clone(requests);
            measure(&format!("probe, {what}, {tasks} in flight"), tasks, 1, move |turn| {
                let (mut client, request) = (client.clone(), requests[turn % requests.len()].clone());
                async move {
                    client.probe(request).await.expect("an answer");
                }
            })
            .await;
        }
    }
    for size in [100, 1000, 10_000] {
        for (what, paths) in [("values", vec![]), ("values, distances", vec!["distance_plies".to_owned()])] {
            let client = TablebaseServiceClient::new(channel.clone());
            let request = v1::ProbeBatchRequest {
                states: Some(v1::probe_batch_request::States::Columns(columns(&positions[..size]))),
                response_mask: Some(prost_types::FieldMask { paths }),
                ..Default::default()
            };
            measure(&format!("batch of {size}, {what}, 4 in flight"), 4, size as u64, move |_| {
                let (mut client, request) = (client.clone(), request.clone());
                async move {
                    let response = client.probe_batch(request).await.expect("an answer").into_inner();
                    assert!(response.failures.is_empty());
                }
            })
            .await;
        }
    }
    stream(TablebaseServiceClient::new(channel), Arc::clone(&kinds[1].1)).await;
}

/// Reads what is measured later, so that no file has to be opened or read then.
async fn ask_everything_once(mut client: TablebaseServiceClient<Channel>, requests: &[v1::ProbeRequest]) {
    for request in requests {
        client.probe(request.clone()).await.expect("an answer");
    }
}

/// One stream of single questions, so many of them unanswered at any time.
async fn stream(mut client: TablebaseServiceClient<Channel>, requests: Arc<Vec<v1::ProbeRequest>>) {
    const IN_FLIGHT: usize = 256;
    let name = format!("stream, value and distance, {IN_FLIGHT} in flight");
    if !is_wanted(&name) {
        return;
    }
    let (ask, asked) = tokio::sync::mpsc::channel(IN_FLIGHT);
    let question = |id: usize| {
        let v1::ProbeRequest { query, answer_mask } = requests[id % requests.len()].clone();
        v1::ProbeStreamRequest { id: id as u64, query, answer_mask }
    };
    let (begun, used) = (Instant::now(), processor_time());
    let (mut asked_at, mut times) = (Vec::new(), Vec::new());
    let mut answers = client.probe_stream(ReceiverStream::new(asked)).await.expect("a stream").into_inner();
    while begun.elapsed() < TIME {
        while asked_at.len() < times.len() + IN_FLIGHT {
            ask.send(question(asked_at.len())).await.expect("a stream that goes on");
            asked_at.push(Instant::now());
        }
        answers.next().await.expect("a stream that goes on").expect("an answer");
        times.push(asked_at[times.len()].elapsed());
    }
    report(&name, times, 1, begun.elapsed(), processor_time() - used);
}
