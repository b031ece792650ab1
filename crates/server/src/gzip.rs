//! A stream of events for clients that accept gzip.
//!
//! A compressor of its own for every open stream would take hundreds of kilobytes of memory for each. Here every event
//! is compressed by itself: it refers to no earlier one and ends at a byte, so that the pieces, one after the other,
//! are one gzip stream all the same. Small events are stored as they are, which takes no time.

use flate2::Compression;
use flate2::write::{DeflateDecoder, DeflateEncoder};
use std::io::{Error, Result, Write};

/// The head of every stream: deflate, no name, no time.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// Events below this length are stored.
const WORTH: usize = 2 << 10;

/// Whether a client accepts gzip, by its header `Accept-Encoding`.
#[must_use]
pub fn accepted(header: &str) -> bool {
    header.split(',').any(|encoding| {
        let (name, weight) = encoding.split_once(';').unwrap_or((encoding, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.trim_matches(['0', '.']).is_empty());
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// The server's half.
#[derive(Default)]
pub struct Packer {
    begun: bool,
}

impl Packer {
    /// The next piece of the stream.
    pub fn pack(&mut self, event: &[u8]) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(event.len() / 4 + 256);
        if !std::mem::replace(&mut self.begun, true) {
            out.extend_from_slice(&HEAD);
        }
        match u16::try_from(event.len()) {
            Ok(length) if event.len() < WORTH => {
                out.push(0);
                out.extend_from_slice(&length.to_le_bytes());
                out.extend_from_slice(&(!length).to_le_bytes());
                out.extend_from_slice(event);
            }
            _ => {
                let mut packer = DeflateEncoder::new(out, Compression::fast());
                packer.write_all(event)?;
                packer.flush()?;
                out = std::mem::take(packer.get_mut());
            }
        }
        Ok(out)
    }
}

/// The client's half.
pub struct Unpacker {
    begun: bool,
    inside: DeflateDecoder<Vec<u8>>,
}

impl Default for Unpacker {
    fn default() -> Self {
        Self { begun: false, inside: DeflateDecoder::new(Vec::new()) }
    }
}

impl Unpacker {
    /// What a piece of the stream holds.
    pub fn unpack(&mut self, piece: &[u8]) -> Result<Vec<u8>> {
        let mut piece = piece;
        if !std::mem::replace(&mut self.begun, true) {
            piece = piece.strip_prefix(&HEAD).ok_or_else(|| Error::other("the stream has another head"))?;
        }
        self.inside.write_all(piece)?;
        self.inside.flush()?;
        Ok(std::mem::take(self.inside.get_mut()))
    }
}
