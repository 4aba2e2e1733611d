//! TLS: for gRPC and for what speaks HTTP/1.1 only, with and without certificates of clients, and against whom it must stand.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bolshak_proto::v1;
use bolshak_proto::v1::tablebase_service_client::TablebaseServiceClient;
use bolshak_server::{Options, Tls, TlsFiles};
use common::{Running, query, raw, shared_tables};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Identity};

/// A certificate and its key in PEM.
type Pair = (String, String);

/// Writes the files that TLS is set up with.
fn write(directory: &TempDir, (certificate, key): &Pair, client_ca: Option<&str>) -> TlsFiles {
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    TlsFiles {
        certificate: file("certificate.pem", certificate),
        key: file("key.pem", key),
        client_ca: client_ca.map(|text| file("clients.pem", text)),
    }
}

/// Connects from an address of the loopback interface that is not everyone's.
async fn connect_from(address: [u8; 4], running: &Running) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((address, 0).into()).unwrap();
    socket.connect(running.address).await.unwrap()
}

/// Whether the service closes a connection so soon.
async fn is_closed_within(stream: &mut TcpStream, time: Duration) -> bool {
    matches!(tokio::time::timeout(time, stream.read(&mut [0])).await, Ok(Ok(0) | Err(_)))
}

/// An authority and what it has issued.
struct Authority {
    certificate: String,
    issuer: rcgen::Issuer<'static, rcgen::KeyPair>,
}

impl Authority {
    fn new() -> Authority {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut authority = rcgen::CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let certificate = authority.self_signed(&key).unwrap().pem();
        Authority { certificate, issuer: rcgen::Issuer::new(authority, key) }
    }

    fn issue(&self, name: &str) -> Pair {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    /// A service with a certificate of this authority; mutual TLS lets in only those who have one too.
    async fn service(&self, mutual: bool) -> Running {
        let directory = tempfile::tempdir().unwrap();
        let client_ca = mutual.then_some(self.certificate.as_str());
        let tls = Tls::open(write(&directory, &self.issue("localhost"), client_ca)).unwrap();
        Running::with(Options { tls: Some(tls), ..Options::default() }, shared_tables()).await
    }

    /// What a gRPC client gets.
    async fn ask(&self, running: &Running, identity: Option<Pair>) -> Result<(), ()> {
        let config =
            ClientTlsConfig::new().ca_certificate(Certificate::from_pem(&self.certificate)).domain_name("localhost");
        let config = match identity {
            Some((certificate, key)) => config.identity(Identity::from_pem(certificate, key)),
            None => config,
        };
        let endpoint = Channel::from_shared(format!("https://{}", running.address)).unwrap();
        let channel = endpoint.tls_config(config).unwrap().connect().await.map_err(drop)?;
        let request = v1::ProbeRequest { query: Some(query("W:WKa1:BKh8")), answer_mask: None };
        TablebaseServiceClient::new(channel).probe(request).await.map(drop).map_err(drop)
    }

    /// What a client of HTTP/1.1 gets that offers these protocols in the handshake, and which was agreed upon.
    async fn get(
        &self,
        running: &Running,
        protocols: &[&str],
        identity: Option<Pair>,
    ) -> io::Result<(Option<String>, String)> {
        self.get_over(TcpStream::connect(running.address).await?, protocols, identity).await
    }

    async fn get_over(
        &self,
        stream: TcpStream,
        protocols: &[&str],
        identity: Option<Pair>,
    ) -> io::Result<(Option<String>, String)> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots);
        let mut config = match identity {
            Some((certificate, key)) => config
                .with_client_auth_cert(
                    vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()],
                    PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap(),
                )
                .unwrap(),
            None => config.with_no_client_auth(),
        };
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        let name = ServerName::try_from("localhost").unwrap();
        let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
        let agreed = stream.get_ref().1.alpn_protocol().map(|agreed| String::from_utf8_lossy(agreed).into_owned());
        let request = "GET /v1/probe?fen=W:WKa1:BKh8 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok((agreed, answer))
    }
}

#[tokio::test]
async fn both_protocols_are_served() {
    let authority = Authority::new();
    let running = authority.service(false).await;
    assert_eq!(authority.ask(&running, None).await, Ok(()));
    for (offered, expected) in [(&["http/1.1"][..], Some("http/1.1")), (&[], None)] {
        let (agreed, answer) = authority.get(&running, offered, None).await.unwrap();
        assert_eq!(agreed.as_deref(), expected);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(r#""fen":"W:WKa1:BKh8""#), "{answer}");
    }
    assert!(authority.get(&running, &["spdy/1"], None).await.is_err());
    running.stop().await;
}

#[tokio::test]
async fn mutual_tls_lets_in_whom_it_should() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let running = authority.service(true).await;
    let protocols = ["http/1.1"];
    assert_eq!(authority.ask(&running, Some(authority.issue("client"))).await, Ok(()));
    assert!(authority.get(&running, &protocols, Some(authority.issue("client"))).await.is_ok());
    for identity in [None, Some(stranger.issue("client"))] {
        assert_eq!(authority.ask(&running, identity.clone()).await, Err(()));
        assert!(authority.get(&running, &protocols, identity).await.is_err());
    }
    running.stop().await;
}

/// Clients that say nothing, or anything but TLS, keep nobody else out, are cut off, and do not hold up the end.
#[tokio::test]
async fn a_failed_handshake_is_the_clients_alone() {
    let authority = Authority::new();
    let running = authority.service(false).await;
    let begun = Instant::now();
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(TcpStream::connect(running.address).await.unwrap());
    }
    for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 1_000], &[0x16, 0x03, 0x01, 0xff, 0xff]] {
        let (answer, asked) = tokio::join!(raw(&running, garbage), authority.ask(&running, None));
        assert_eq!((answer.contains("HTTP"), asked), (false, Ok(())));
    }
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    // Cut off when the time for a first message, 3 seconds, is over.
    assert!(is_closed_within(&mut silent[0], Duration::from_secs(8)).await);
    assert_eq!(authority.ask(&running, None).await, Ok(()));
    silent.push(TcpStream::connect(running.address).await.unwrap());
    let stopping = Instant::now();
    running.stop().await;
    assert!(stopping.elapsed() < Duration::from_secs(5), "{:?}", stopping.elapsed());
}

/// What a client leaves unfinished is limited, and takes nothing from the others.
#[tokio::test]
async fn each_client_has_its_own_handshakes() {
    let authority = Authority::new();
    let running = authority.service(false).await;
    let mut silent = Vec::new();
    for _ in 0..64 {
        silent.push(connect_from([127, 0, 0, 2], &running).await);
    }
    for _ in 0..20 {
        let mut further = connect_from([127, 0, 0, 2], &running).await;
        assert!(is_closed_within(&mut further, Duration::from_secs(1)).await);
    }
    let other = connect_from([127, 0, 0, 3], &running).await;
    assert!(authority.get_over(other, &["http/1.1"], None).await.unwrap().1.starts_with("HTTP/1.1 200"));
    drop(silent.drain(..32));
    tokio::time::sleep(Duration::from_millis(100)).await;
    let again = connect_from([127, 0, 0, 2], &running).await;
    assert!(authority.get_over(again, &["http/1.1"], None).await.is_ok());
    running.stop().await;
}

#[tokio::test]
async fn new_certificates_are_shown_to_new_connections() {
    let (old, new) = (Authority::new(), Authority::new());
    let directory = tempfile::tempdir().unwrap();
    let tls = Tls::open(write(&directory, &old.issue("localhost"), None)).unwrap();
    let running = Running::with(Options { tls: Some(tls.clone()), ..Options::default() }, shared_tables()).await;
    assert_eq!(old.ask(&running, None).await, Ok(()));
    write(&directory, &(new.issue("localhost").0, String::new()), None);
    assert!(tls.reload().is_err());
    assert_eq!(old.ask(&running, None).await, Ok(()));
    write(&directory, &new.issue("localhost"), None);
    tls.reload().unwrap();
    assert_eq!((old.ask(&running, None).await, new.ask(&running, None).await), (Err(()), Ok(())));
    running.stop().await;
}
