//! Transport security: the certificate that clients are shown, and whose certificates they must show.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use bolshak_tables::open_regular;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use tokio_rustls::rustls::sign::{CertifiedKey, SingleCertAndKey};
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;
use x509_parser::time::ASN1Time;

/// The protocols that are offered in the handshake, the preferred one first: gRPC needs the first, and many clients of JSON
/// know only the others.
const PROTOCOLS: [&[u8]; 3] = [b"h2", b"http/1.1", b"http/1.0"];

/// The files that TLS is set up with, all of them in PEM.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The service's certificate, and after it those between it and its authority.
    pub certificate: PathBuf,
    /// The key of the certificate.
    pub key: PathBuf,
    /// If only clients with a certificate are to be let in, the certificates of their authorities.
    pub client_ca: Option<PathBuf>,
}

/// A certificate with its key, and the authorities whose clients are let in. They have been found to fit each other. All
/// clones are the same.
#[derive(Clone)]
pub struct Tls {
    files: Arc<TlsFiles>,
    current: Arc<ArcSwap<Current>>,
}

/// What the files held when they were last read.
struct Current {
    config: Arc<ServerConfig>,
    /// What clients may not like about the certificates.
    doubts: Vec<String>,
}

/// Why TLS cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .path.display())]
pub struct TlsError {
    /// The file that is at fault.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: TlsProblem,
}

/// What is wrong with a file that TLS is set up with.
#[derive(Debug, thiserror::Error)]
pub enum TlsProblem {
    /// It cannot be read.
    #[error("{0}")]
    Read(io::Error),
    /// It holds nothing of what it should.
    #[error("there is no {0} in PEM in this file")]
    Nothing(&'static str),
    /// It is not as PEM must be.
    #[error("this is no PEM: {0}")]
    Pem(pem::Error),
    /// The key is encrypted.
    #[error("the key is encrypted; a key without a passphrase is needed")]
    EncryptedKey,
    /// The key is damaged, or of a kind that the service does not know.
    #[error(
        "the key is damaged or of an unsupported kind; RSA (2048 to 4096 bits), ECDSA (P-256, P-384) and Ed25519 are supported"
    )]
    Key,
    /// The certificate is damaged, or its key is another one.
    #[error("the certificate cannot be used with this key: {0}")]
    Identity(rustls::Error),
    /// A certificate of an authority of clients cannot be used.
    #[error("the certificate of an authority cannot be used: {0}")]
    Authority(rustls::Error),
    /// The authorities of clients cannot be used together.
    #[error("the certificates of authorities cannot be used: {0}")]
    Authorities(VerifierBuilderError),
    /// The library has no protocol in common with itself, which does not happen.
    #[error("TLS is not available: {0}")]
    Unavailable(rustls::Error),
}

impl TlsProblem {
    fn at(self, path: &Path) -> TlsError {
        TlsError { path: path.to_owned(), problem: self }
    }
}

impl Tls {
    /// Sets up TLS with these files.
    pub fn open(files: TlsFiles) -> Result<Tls, TlsError> {
        let current = Current::read(&files)?;
        Ok(Tls { files: Arc::new(files), current: Arc::new(ArcSwap::from_pointee(current)) })
    }

    /// Reads the files again: connections that come from now on get what they hold. If it cannot be used, everything stays as
    /// it was.
    pub fn reload(&self) -> Result<(), TlsError> {
        self.current.store(Arc::new(Current::read(&self.files)?));
        self.tell_doubts();
        Ok(())
    }

    /// Says in the log what clients may not like about the certificates.
    pub(crate) fn tell_doubts(&self) {
        for doubt in &self.current.load().doubts {
            tracing::warn!("{doubt}");
        }
    }

    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.current.load().config)
    }
}

impl Current {
    fn read(files: &TlsFiles) -> Result<Current, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let chain = certificates(&files.certificate)?;
        let mut doubts = doubts(&files.certificate, &chain);
        let key = provider
            .key_provider
            .load_private_key(private_key(&files.key)?)
            .map_err(|_| TlsProblem::Key.at(&files.key))?;
        let identity = CertifiedKey::new(chain, key);
        identity.keys_match().map_err(|error| TlsProblem::Identity(error).at(&files.certificate))?;

        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| TlsProblem::Unavailable(error).at(&files.certificate))?;
        let builder = match &files.client_ca {
            None => builder.with_no_client_auth(),
            Some(path) => {
                let authorities = certificates(path)?;
                doubts.extend(dates(path, &authorities));
                doubts.extend(no_authorities(path, &authorities));
                let mut roots = RootCertStore::empty();
                for authority in authorities {
                    roots.add(authority).map_err(|error| TlsProblem::Authority(error).at(path))?;
                }
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
                builder.with_client_cert_verifier(verifier.map_err(|error| TlsProblem::Authorities(error).at(path))?)
            }
        };
        let mut config = builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(identity)));
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(Current { config: Arc::new(config), doubts })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let mut bytes = Vec::new();
    // A pipe in its place is not waited for.
    let read = open_regular(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| TlsProblem::Read(error).at(path))
}

/// The certificates of a file; there must be one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let certificates = CertificateDer::pem_slice_iter(&read(path)?).collect::<Result<Vec<_>, _>>();
    let certificates = certificates.map_err(|error| TlsProblem::Pem(error).at(path))?;
    if certificates.is_empty() { Err(TlsProblem::Nothing("certificate").at(path)) } else { Ok(certificates) }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let text = read(path)?;
    // Both ways of PEM to encrypt a key say so: BEGIN ENCRYPTED PRIVATE KEY, and Proc-Type: 4,ENCRYPTED.
    if text.windows(b"ENCRYPTED".len()).any(|word| word == b"ENCRYPTED") {
        return Err(TlsProblem::EncryptedKey.at(path));
    }
    PrivateKeyDer::from_pem_slice(&text).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsProblem::Nothing("private key (PKCS #8, PKCS #1 or SEC 1)").at(path),
        error => TlsProblem::Pem(error).at(path),
    })
}

/// What clients may not like about the certificates of the service.
fn doubts(path: &Path, chain: &[CertificateDer<'_>]) -> Vec<String> {
    let own = chain.first().and_then(|own| X509Certificate::from_der(own).ok());
    let of_authority = own.filter(|(_, own)| own.is_ca()).map(|_| {
        let path = path.display();
        format!(
            "{path}: the first certificate is one of an authority; many clients refuse such a one as the service's own"
        )
    });
    dates(path, chain).into_iter().chain(of_authority).collect()
}

/// Which certificates of authorities are none.
fn no_authorities(path: &Path, certificates: &[CertificateDer<'_>]) -> Vec<String> {
    let read = certificates.iter().filter_map(|certificate| X509Certificate::from_der(certificate).ok());
    read.filter(|(_, certificate)| !certificate.is_ca())
        .map(|(_, certificate)| {
            let (path, subject) = (path.display(), certificate.subject());
            format!("{path}: the certificate of '{subject}' is not one of an authority; nobody is let in by it")
        })
        .collect()
}

/// Which certificates are not of today.
fn dates(path: &Path, certificates: &[CertificateDer<'_>]) -> Vec<String> {
    let (path, now) = (path.display(), ASN1Time::now());
    let read = certificates.iter().filter_map(|certificate| X509Certificate::from_der(certificate).ok());
    read.filter_map(|(_, certificate)| {
        let (subject, validity) = (certificate.subject(), certificate.validity());
        if validity.not_after < now {
            Some(format!("{path}: the certificate of '{subject}' has expired ({})", validity.not_after))
        } else if now < validity.not_before {
            Some(format!("{path}: the certificate of '{subject}' is not valid yet ({})", validity.not_before))
        } else {
            None
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, date_time_ymd};
    use tempfile::TempDir;

    use super::*;

    /// A certificate that signs itself, and its key.
    fn pair(change: impl FnOnce(&mut CertificateParams)) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec!["name".to_owned()]).unwrap();
        change(&mut params);
        (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
    }

    /// What the files with these contents come to.
    fn open(directory: &TempDir, certificate: &str, key: &str, client_ca: Option<&str>) -> Result<Tls, TlsError> {
        let file = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        Tls::open(TlsFiles {
            certificate: file("certificate", certificate),
            key: file("key", key),
            client_ca: client_ca.map(|text| file("clients", text)),
        })
    }

    #[test]
    fn what_cannot_be_used_is_told_beforehand() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (pair(|_| ()), pair(|_| ()));
        assert!(open(&directory, &one.0, &one.1, Some(&other.0)).is_ok());
        let refused = |certificate: &str, key: &str, client_ca: Option<&str>| {
            let error = open(&directory, certificate, key, client_ca).err().unwrap();
            let name = error.path.file_name().unwrap().to_string_lossy().into_owned();
            (name, error.problem.to_string())
        };
        let expect = |(name, problem): (String, String), file: &str, part: &str| {
            assert!(name == file && problem.contains(part), "{name}: {problem}");
        };
        expect(refused(&one.0, &other.1, None), "certificate", "cannot be used with this key");
        expect(refused(&one.1, &one.1, None), "certificate", "no certificate in PEM");
        expect(refused(&one.0, "", None), "key", "no private key");
        expect(refused(&one.0, &one.0, None), "key", "no private key");
        expect(refused(&one.0, &one.1, Some("nothing")), "clients", "no certificate in PEM");
        let encrypted = one.1.replace("PRIVATE", "ENCRYPTED PRIVATE");
        expect(refused(&one.0, &encrypted, None), "key", "encrypted");
        let unknown = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n";
        expect(refused(&one.0, unknown, None), "key", "unsupported kind");
    }

    #[test]
    fn what_clients_may_not_like_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let doubts = |change: fn(&mut CertificateParams)| {
            let (certificate, key) = pair(change);
            let (authority, _) = pair(|params| {
                change(params);
                params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            });
            let tls = open(&directory, &certificate, &key, Some(&authority)).unwrap();
            tls.current.load().doubts.clone()
        };
        assert!(doubts(|_| ()).is_empty());
        let of = |doubts: Vec<String>, parts: &[&str]| {
            assert!(doubts.len() == parts.len(), "{doubts:?}");
            for (doubt, part) in doubts.iter().zip(parts) {
                assert!(doubt.contains(part), "{doubt}");
            }
        };
        of(doubts(|params| params.not_after = date_time_ymd(2001, 1, 1)), &["has expired", "clients: "]);
        of(doubts(|params| params.not_before = date_time_ymd(2999, 1, 1)), &["not valid yet", "clients: "]);
        of(doubts(|params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained)), &["one of an authority"]);
        let (leaf, key) = pair(|_| ());
        let tls = open(&directory, &leaf, &key, Some(&leaf)).unwrap();
        of(tls.current.load().doubts.clone(), &["clients: the certificate of 'CN=rcgen self signed cert' is not one"]);
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let (certificate, key) = pair(|_| ());
        let tls = open(&directory, &certificate, &key, Some(&certificate)).unwrap();
        for path in [&tls.files.certificate, &tls.files.key, tls.files.client_ca.as_ref().unwrap()] {
            let text = std::fs::read(path).unwrap();
            std::fs::remove_file(path).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
            let refused = tls.reload().unwrap_err();
            assert_eq!((&refused.path, refused.problem.to_string()), (path, "it is not a regular file".to_owned()));
            std::fs::remove_file(path).unwrap();
            std::fs::write(path, text).unwrap();
        }
        assert!(tls.reload().is_ok());
    }

    #[test]
    fn what_cannot_be_used_leaves_all_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (pair(|_| ()), pair(|_| ()));
        let tls = open(&directory, &one.0, &one.1, None).unwrap();
        let before = tls.config();
        std::fs::write(&tls.files.certificate, &other.0).unwrap();
        assert!(tls.reload().is_err() && Arc::ptr_eq(&before, &tls.config()));
        std::fs::write(&tls.files.key, &other.1).unwrap();
        assert!(tls.reload().is_ok() && !Arc::ptr_eq(&before, &tls.config()));
    }
}
