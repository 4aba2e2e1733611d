//! Transport security: the certificate that clients are shown, and whose certificates they must show.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};

/// The protocols that are offered in the handshake, the preferred one first: gRPC needs the first, and many clients of JSON
/// know only the others.
const PROTOCOLS: [&[u8]; 3] = [b"h2", b"http/1.1", b"http/1.0"];

/// A certificate with its key, and the authorities whose clients are let in. They have been found to fit each other.
#[derive(Clone)]
pub struct Tls {
    config: Arc<ServerConfig>,
}

/// Why TLS cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file does not hold what it should.
    #[error("the {what} cannot be read: {error}")]
    Pem {
        /// What it should hold.
        what: &'static str,
        /// What is wrong with it.
        error: pem::Error,
    },
    /// A certificate of an authority of clients cannot be used.
    #[error("the clients' authorities cannot be used: {0}")]
    Authority(rustls::Error),
    /// The authorities of clients cannot be used together.
    #[error("the clients' authorities cannot be used: {0}")]
    Authorities(VerifierBuilderError),
    /// The certificate or the key cannot be used, or they do not belong together.
    #[error("the certificate and its key cannot be used: {0}")]
    Identity(rustls::Error),
}

impl Tls {
    /// Sets up TLS, all of it in PEM: the service's certificate with those between it and its authority; its key; and, if
    /// only clients with a certificate are to be let in, the certificates of their authorities.
    pub fn from_pem(certificate: &[u8], key: &[u8], client_ca: Option<&[u8]>) -> Result<Tls, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let versions = ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
        let builder = versions.map_err(TlsError::Identity)?;
        let builder = match client_ca {
            None => builder.with_no_client_auth(),
            Some(authorities) => {
                let mut roots = RootCertStore::empty();
                for authority in certificates("clients' authorities", authorities)? {
                    roots.add(authority).map_err(TlsError::Authority)?;
                }
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                builder.with_client_cert_verifier(verifier.build().map_err(TlsError::Authorities)?)
            }
        };
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| TlsError::Pem { what: "key", error })?;
        let identity = builder.with_single_cert(certificates("certificate", certificate)?, key);
        let mut config = identity.map_err(TlsError::Identity)?;
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(Tls { config: Arc::new(config) })
    }

    pub(crate) fn acceptor(&self) -> tokio_rustls::TlsAcceptor {
        Arc::clone(&self.config).into()
    }
}

/// The certificates of a text in PEM; there must be one.
fn certificates(what: &'static str, text: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let failed = |error| TlsError::Pem { what, error };
    let certificates = CertificateDer::pem_slice_iter(text).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    if certificates.is_empty() { Err(failed(pem::Error::NoItemsFound)) } else { Ok(certificates) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_told_beforehand() {
        let refused = |certificate: &str, key: &str, client_ca: Option<&str>| {
            Tls::from_pem(certificate.as_bytes(), key.as_bytes(), client_ca.map(str::as_bytes)).err()
        };
        let (one, other) = (["one", "other"])
            .map(|name| rcgen::generate_simple_self_signed([name.to_owned()]).unwrap())
            .map(|made| (made.cert.pem(), made.signing_key.serialize_pem()))
            .into();
        assert!(refused(&one.0, &one.1, None).is_none() && refused(&one.0, &one.1, Some(&other.0)).is_none());
        assert!(matches!(refused(&one.0, &other.1, None), Some(TlsError::Identity(_))));
        assert!(matches!(refused(&one.1, &one.1, None), Some(TlsError::Pem { what: "certificate", .. })));
        assert!(matches!(refused(&one.0, "", None), Some(TlsError::Pem { what: "key", .. })));
        let none = refused(&one.0, &one.1, Some("nothing"));
        assert!(matches!(none, Some(TlsError::Pem { what: "clients' authorities", .. })));
    }
}
