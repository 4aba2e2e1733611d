//! A service with real tables of up to three pieces, made once for all tests of a program.

#![allow(dead_code, reason = "each program of tests uses a part")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bolshak_generate::{ScalarSolver, generate};
use bolshak_proto::v1;
use bolshak_proto::v1::tablebase_service_client::TablebaseServiceClient;
use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_server::{Library, Options, ServeError, Server};
use bolshak_tables::{Slice, Tables};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Channel;

/// Makes the tables of these slices and all that they need, under two rule sets.
pub(crate) fn make_tables(directory: &Path, slices: &[Slice]) {
    let tables = Tables::open(directory, Variant::Russian);
    let rules = ["official", "fmjd64"].map(|name| Rules::new(Variant::Russian, name.parse::<RuleSet>().unwrap()));
    generate(&tables, slices, &rules, &ScalarSolver, &mut (), &AtomicBool::new(false)).unwrap();
}

/// The directory of tables that all tests of a program share.
pub(crate) fn shared_tables() -> &'static Path {
    static DIRECTORY: OnceLock<TempDir> = OnceLock::new();
    let make = || {
        let directory = tempfile::tempdir().unwrap();
        let slices: Vec<Slice> = [2, 3].into_iter().flat_map(Slice::all_of).collect();
        make_tables(directory.path(), &slices);
        directory
    };
    DIRECTORY.get_or_init(make).path()
}

/// A service that runs until it is stopped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    pub(crate) async fn start(directory: &Path) -> Running {
        Running::with(Options::default(), directory).await
    }

    pub(crate) async fn with(options: Options, directory: &Path) -> Running {
        let options = Options { listen: SocketAddr::from(([127, 0, 0, 1], 0)), ..options };
        let server = Server::bind(options, Library::open(directory)).await.unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Running { address, stop, served }
    }

    pub(crate) async fn client(&self) -> TablebaseServiceClient<Channel> {
        TablebaseServiceClient::new(self.channel().await)
    }

    pub(crate) async fn channel(&self) -> Channel {
        Channel::from_shared(format!("http://{}", self.address)).unwrap().connect().await.unwrap()
    }

    /// Begins the shutdown.
    pub(crate) fn begin_stop(self) -> JoinHandle<Result<(), ServeError>> {
        self.stop.send(()).unwrap();
        self.served
    }

    pub(crate) async fn stop(self) {
        tokio::time::timeout(Duration::from_secs(20), self.begin_stop()).await.unwrap().unwrap().unwrap();
    }
}

pub(crate) fn query(fen: &str) -> v1::Query {
    let form = Some(v1::position::Form::Fen(fen.to_owned()));
    v1::Query { position: Some(v1::Position { form }), ..Default::default() }
}

/// Sends bytes to the port and gives back what comes.
pub(crate) async fn raw(running: &Running, request: &[u8]) -> String {
    let mut stream = tokio::net::TcpStream::connect(running.address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

pub(crate) async fn get(running: &Running, path: &str, headers: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
    raw(running, request.as_bytes()).await
}

pub(crate) async fn post(running: &Running, path: &str, body: &str) -> String {
    let head =
        format!("POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    raw(running, (head + body).as_bytes()).await
}
