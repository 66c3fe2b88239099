//! Crockford's base32 in lower case: digits and letters that people can read to each other.
//!
//! Reading takes upper case too, `o` for `0`, and `i` or `l` for `1`. One value has one text: bits
//! of the last character that carry nothing must be 0.

use data_encoding::{Encoding, Specification};
use std::sync::LazyLock;

static CROCKFORD: LazyLock<Encoding> = LazyLock::new(crockford);

#[expect(clippy::expect_used, reason = "a constant alphabet, tried by every test below")]
fn crockford() -> Encoding {
    let mut specification = Specification::new();
    specification.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    specification.translate.from.push_str("ABCDEFGHJKMNPQRSTVWXYZoOiIlL");
    specification.translate.to.push_str("abcdefghjkmnpqrstvwxyz001111");
    specification.encoding().expect("an alphabet of 32 symbols")
}

/// Why a text is not base32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Base32Error {
    /// A character outside the alphabet.
    #[error("'{}' (character {place}) is neither a digit nor one of its letters", .found.escape_debug())]
    Character {
        /// What stands there.
        found: char,
        /// Where it stands, from 1.
        place: usize,
    },
    /// The last character holds bits that belong to nothing, or the length fits no whole bytes.
    #[error("its end is mistyped or cut off")]
    End,
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    CROCKFORD.encode(bytes)
}

/// Reads a text whose length the caller has bounded.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, Base32Error> {
    CROCKFORD.decode(text.as_bytes()).map_err(|_| damage(text))
}

/// As [`decode`], where the text must hold exactly `N` bytes.
pub(crate) fn decode_array<const N: usize>(text: &str) -> Result<[u8; N], Base32Error> {
    decode(text)?.try_into().map_err(|_| Base32Error::End)
}

/// What a person would look for first: the first wrong character, counted as people count.
fn damage(text: &str) -> Base32Error {
    let odd = text.chars().enumerate().find(|&(_, c)| !c.is_ascii_alphanumeric() || matches!(c, 'u' | 'U'));
    odd.map_or(Base32Error::End, |(index, found)| Base32Error::Character { found, place: index + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_texts() {
        for (bytes, text) in [
            (&[][..], ""),
            (&[0][..], "00"),
            (&[255][..], "zw"),
            (&[0, 0, 0, 0, 1][..], "00000001"),
            (&[0xff, 0xff, 0xff, 0xff, 0xff][..], "zzzzzzzz"),
            (&b"chess"[..], "cdm6awvk"),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).unwrap(), bytes);
        }
    }

    #[test]
    fn what_people_mistake_is_read_as_meant() {
        assert_eq!(decode("OoIiLl10"), decode("00111110"));
        assert_eq!(decode("CDM6AWVK").unwrap(), b"chess");
    }

    #[test]
    fn damage_is_named() {
        for (text, error) in [
            ("cdm6-wvk", Base32Error::Character { found: '-', place: 5 }),
            ("cdm6uwvk", Base32Error::Character { found: 'u', place: 5 }),
            ("éU", Base32Error::Character { found: 'é', place: 1 }),
            ("zé", Base32Error::Character { found: 'é', place: 2 }),
            ("0", Base32Error::End),
            ("000", Base32Error::End),
            ("zx", Base32Error::End),
        ] {
            assert_eq!(decode(text), Err(error), "{text}");
        }
        assert_eq!(decode_array::<4>("00000000"), Err(Base32Error::End));
    }

    proptest! {
        #[test]
        fn bytes_survive(bytes: Vec<u8>) {
            let text = encode(&bytes);
            prop_assert_eq!(decode(&text).unwrap(), bytes.clone());
            prop_assert_eq!(decode(&text.to_uppercase()).unwrap(), bytes);
        }

        #[test]
        fn a_text_that_is_read_is_written_the_same(text in "[0-9a-tv-zA-TV-Z]{0,40}") {
            if let Ok(bytes) = decode(&text) {
                let plain = text.to_lowercase().replace('o', "0").replace(['i', 'l'], "1");
                prop_assert_eq!(encode(&bytes), plain);
            }
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = decode(&text);
        }
    }
}
