//! TLS towards PostgreSQL, with the `sslmode`s of libpq.
//!
//! The chain is checked by rustls. ARCHITECTURE.md says why two decisions around it are our own.

use super::{StoreError, Stored};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

/// What is required of the database's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// Nothing: the connection is encrypted, and the other end is believed.
    Nothing,
    /// A trusted signature.
    Signed,
    /// A trusted signature and the server's name.
    Named,
}

/// Reads a database address as libpq does: where to connect, and with which TLS.
pub fn read(address: &str) -> Stored<(Config, MakeRustlsConnect)> {
    let (base, query) = address.split_once('?').unwrap_or((address, ""));
    let mut proof = Proof::Nothing;
    let mut roots = None;
    let mut rest = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("sslmode", "verify-ca")) => (proof, _) = (Proof::Signed, rest.push("sslmode=require")),
            Some(("sslmode", "verify-full")) => (proof, _) = (Proof::Named, rest.push("sslmode=require")),
            Some(("sslmode", mode)) if !["disable", "prefer", "require"].contains(&mode) => {
                return Err(StoreError(
                    "sslmode in the database's address is disable, prefer, require, verify-ca or verify-full".into(),
                ));
            }
            Some(("sslrootcert", path)) => roots = Some(decoded(path)),
            _ => rest.push(pair),
        }
    }
    let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    // The address may hold a password, so errors name a part of it and never repeat it.
    let config: Config = format!("{base}{query}").parse().map_err(|error: tokio_postgres::Error| {
        let why = std::error::Error::source(&error)
            .map(|why| format!(": {why}"))
            .filter(|why| why.contains("option") || why.contains("value"))
            .unwrap_or_default();
        StoreError(format!("the database's address cannot be read{why}"))
    })?;
    // As with libpq, naming an authority asks for the certificate to be checked.
    if roots.is_some() && proof == Proof::Nothing && config.get_ssl_mode() == SslMode::Require {
        proof = Proof::Signed;
    }
    Ok((config, connector(proof, roots.as_deref())?))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn connector(proof: Proof, roots: Option<&str>) -> Stored<MakeRustlsConnect> {
    let failed =
        |error: &dyn std::fmt::Display| StoreError(format!("TLS towards the database cannot be set up: {error}"));
    let provider = Arc::new(ring::default_provider());
    let mut trusted = RootCertStore::empty();
    let mut known = Vec::new();
    match roots {
        Some("system") | None => trusted.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            let unreadable =
                |error: &dyn std::fmt::Display| StoreError(format!("sslrootcert {path} cannot be read: {error}"));
            let file = std::fs::read(path).map_err(|error| unreadable(&error))?;
            known = CertificateDer::pem_slice_iter(&file)
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| unreadable(&error))?;
            if known.is_empty() {
                return Err(unreadable(&"it holds no certificate"));
            }
            for certificate in &known {
                trusted.add(certificate.clone()).map_err(|error| unreadable(&error))?;
            }
        }
    }
    let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(trusted), provider.clone())
        .build()
        .map_err(|error| failed(&error))?;
    let verifier = Arc::new(Verifier { proof, known, chain, provider: provider.clone() });
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| failed(&error))?;
    Ok(MakeRustlsConnect::new(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()))
}

/// Checks a server's certificate as far as the mode requires.
#[derive(Debug)]
struct Verifier {
    proof: Proof,
    /// The certificates in `sslrootcert`. A server may present one of them itself.
    known: Vec<CertificateDer<'static>>,
    chain: Arc<WebPkiServerVerifier>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.proof == Proof::Nothing {
            return Ok(ServerCertVerified::assertion());
        }
        if self.known.iter().any(|known| known == own) {
            if self.proof == Proof::Named {
                rustls::client::verify_server_name(&ParsedCertificate::try_from(own)?, name)?;
            }
            return Ok(ServerCertVerified::assertion());
        }
        // rustls checks the name last, so a wrong name means that everything else is right.
        match self.chain.verify_server_cert(own, between, name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.proof == Proof::Signed => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, own, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, own, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_named_without_the_password() {
        let refused = |address: &str| match read(address) {
            Ok(_) => panic!("{address} was read"),
            Err(error) => error.to_string(),
        };
        for (address, why) in [
            ("postgres://ann:hunter2@db.example/games?sslmode=always", "verify-full"),
            ("postgres://ann:hunter2@db.example/games?sslmode=verify-full&sslrootcert=/no/such/file", "/no/such/file"),
            ("postgres://ann:hunter2@db.example/games?colour=red", "colour"),
            ("postgres://ann:hunter2@db.example:seven/games", "port"),
        ] {
            let text = refused(address);
            assert!(text.contains(why) && !text.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn every_mode_is_understood() {
        for (mode, wanted) in [
            ("", SslMode::Prefer),
            ("?sslmode=disable", SslMode::Disable),
            ("?sslmode=verify-ca", SslMode::Require),
            ("?connect_timeout=5&sslmode=verify-full", SslMode::Require),
        ] {
            let (config, _) = read(&format!("postgres://ann@db.example/games{mode}")).unwrap();
            assert_eq!(config.get_ssl_mode(), wanted, "{mode}");
        }
        assert_eq!(decoded("%2Fetc%2Fca%20one.pem%"), "/etc/ca one.pem%");
    }
}
