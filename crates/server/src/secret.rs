//! Tokens, and the hashes that are stored of them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Whether a text has the form of a token that a client made for its seat.
#[must_use]
pub fn is_token(text: &str) -> bool {
    (43..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The hash that is stored of a token. A token has 256 random bits, so a plain hash is enough.
#[must_use]
pub fn hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(token.as_bytes()))
}
