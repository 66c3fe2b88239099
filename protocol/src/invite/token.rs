//! Tokens: `cr1` and base32 of a body with its checksum, one word of letters and digits that survives
//! every shell and every chat.

use crate::base32;
use crate::key::Base32Error;
use sha2::{Digest, Sha256};

const PREFIX: &str = "cr";
const VERSION: char = '1';
const CHECKSUM_BYTES: usize = 4;

/// Why a token cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// A character that tokens do not have.
    #[error("the invite is mistyped: {0}")]
    Mistyped(Base32Error),
    /// The checksum does not fit.
    #[error("the invite is damaged: a piece is missing or mistyped; copy the whole line again")]
    Damaged,
    /// A later version.
    #[error("the invite was written by a newer version (cr{0}); update this program to read it")]
    Newer(char),
}

/// The body of what can only be a token; none for anything else.
///
/// A host with such a name, all letters and digits, must be written with its port.
pub(super) fn read(text: &str) -> Option<Result<Vec<u8>, TokenError>> {
    let (prefix, rest) = text.split_at_checked(PREFIX.len())?;
    let mut body = rest.chars();
    let version = body.next().filter(char::is_ascii_digit)?;
    let is_token = prefix.eq_ignore_ascii_case(PREFIX) && !text.contains(['.', ':', '/', '-', '[']);
    is_token
        .then(|| if version == VERSION { read_body(body.as_str()) } else { Err(TokenError::Newer(version)) })
}

/// The token of a body.
pub(super) fn write(body: &[u8]) -> String {
    format!("{PREFIX}{VERSION}{}", base32::encode(&[body, &checksum(body)].concat()))
}

fn read_body(text: &str) -> Result<Vec<u8>, TokenError> {
    let bytes = base32::decode(text).map_err(|error| match error {
        Base32Error::Character { .. } => TokenError::Mistyped(error),
        Base32Error::End => TokenError::Damaged,
    })?;
    match bytes.split_last_chunk::<CHECKSUM_BYTES>() {
        Some((body, sum)) if *sum == checksum(body) => Ok(body.to_vec()),
        _ => Err(TokenError::Damaged),
    }
}

/// Against damage, not against forgers: whoever writes an invite chooses the server anyway.
fn checksum(body: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(body).into();
    [a, b, c, d]
}
