//! bincode, and the only calls to it: its configuration, exact decoding, bounded texts and lists.
//!
//! The derive path is used, never bincode's serde path (which allocates 1 MiB on a hostile length).
//! Received bytes are never hashed or signed: bincode accepts non-canonical numbers, so whoever needs
//! the bytes of a message encodes it again.

use bincode::de::read::Reader;
pub use bincode::de::{BorrowDecoder, Decoder};
pub use bincode::enc::Encoder;
use bincode::enc::write::Writer;
pub use bincode::error::{DecodeError, EncodeError};
pub use bincode::{BorrowDecode, Decode, Encode};
use chatrang_rules::game::acts_on_a_terminal;
use std::fmt;
use std::ops::Deref;

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The bytes end too early, or hold a value out of its range.
    #[error("the message cannot be read: {0}")]
    Malformed(String),
    /// The bytes name a variant that this build does not know: a later version may.
    #[error("the message says something that this version does not know")]
    UnknownVariant,
    /// A whole message, and then something more.
    #[error("{0} bytes are left over after the message")]
    LeftOver(usize),
    /// More bytes than the caller allows.
    #[error("a message of {bytes} bytes where {bytes_max} are allowed")]
    TooLong {
        /// The message's length.
        bytes: usize,
        /// The limit that it passes.
        bytes_max: usize,
    },
    /// A value that this build cannot write.
    #[error("the message cannot be written: {0}")]
    Unwritable(String),
}

/// bincode's standard configuration (little-endian varints) with room for the longest message of all.
const CONFIG: bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Varint,
    bincode::config::Limit<MESSAGE_BYTES_MAX>,
> = bincode::config::standard().with_limit::<MESSAGE_BYTES_MAX>();

/// No message on the wire or in the journal is longer.
pub const MESSAGE_BYTES_MAX: usize = crate::limits::SERVER_FRAME_BYTES_MAX;

/// Writes a message.
///
/// # Errors
/// [`CodecError::TooLong`] when the message passes `bytes_max`, [`CodecError::Unwritable`] for a
/// value without an encoding (none of this crate's messages has one).
pub fn encode<T: Encode>(message: &T, bytes_max: usize) -> Result<Vec<u8>, CodecError> {
    let mut bytes = Vec::with_capacity(MESSAGE_BYTES_USUAL.min(bytes_max));
    encode_onto(&mut bytes, message, bytes_max)?;
    Ok(bytes)
}

/// Writes a message behind what is there already.
///
/// # Errors
/// As [`encode()`]; what is written by then is of no use.
pub fn encode_onto<T: Encode>(bytes: &mut Vec<u8>, message: &T, bytes_max: usize) -> Result<(), CodecError> {
    let before = bytes.len();
    // `bincode::encode_to_vec` goes through every message twice, the first time to learn its length.
    bincode::encode_into_writer(message, Behind(bytes), CONFIG)
        .map_err(|error| CodecError::Unwritable(error.to_string()))?;
    let written = bytes.len() - before;
    if written > bytes_max { Err(CodecError::TooLong { bytes: written, bytes_max }) } else { Ok(()) }
}

/// Room that most messages do with.
const MESSAGE_BYTES_USUAL: usize = 64;

/// Where a message is written: behind what is there.
struct Behind<'a>(&'a mut Vec<u8>);

impl Writer for Behind<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// Reads a message that must fill `bytes` to the last one.
///
/// Allocates at most in proportion to `bytes`, whatever lengths they claim.
///
/// # Errors
/// [`CodecError`] says what is wrong with them; nothing of a bad message is returned.
pub fn decode<T: Decode<()>>(bytes: &[u8]) -> Result<T, CodecError> {
    if bytes.len() > MESSAGE_BYTES_MAX {
        return Err(CodecError::TooLong { bytes: bytes.len(), bytes_max: MESSAGE_BYTES_MAX });
    }
    let (message, used) = bincode::decode_from_slice(bytes, CONFIG).map_err(|error| match error {
        DecodeError::UnexpectedVariant { .. } => CodecError::UnknownVariant,
        error => CodecError::Malformed(error.to_string()),
    })?;
    match bytes.len() - used {
        0 => Ok(message),
        left => Err(CodecError::LeftOver(left)),
    }
}

/// What a message begins with, whatever follows; none when it does not.
pub(crate) fn beginning<T: Decode<()>>(bytes: &[u8]) -> Option<T> {
    bincode::decode_from_slice(bytes, CONFIG).ok().map(|(beginning, _)| beginning)
}

/// Decodes a newtype with an invariant through its checked constructor.
macro_rules! decode_through {
    ($type:ty, $raw:ty, $check:expr) => {
        impl<Context> $crate::codec::Decode<Context> for $type {
            fn decode<D: $crate::codec::Decoder<Context = Context>>(
                decoder: &mut D,
            ) -> Result<Self, $crate::codec::DecodeError> {
                let raw = <$raw as $crate::codec::Decode<Context>>::decode(decoder)?;
                ($check)(raw).map_err(|error| $crate::codec::DecodeError::OtherString(error.to_string()))
            }
        }

        impl<'de, Context> $crate::codec::BorrowDecode<'de, Context> for $type {
            fn borrow_decode<D: $crate::codec::BorrowDecoder<'de, Context = Context>>(
                decoder: &mut D,
            ) -> Result<Self, $crate::codec::DecodeError> {
                <Self as $crate::codec::Decode<Context>>::decode(decoder)
            }
        }
    };
}
pub(crate) use decode_through;

/// A text of at most `MAX` bytes without control and direction characters: it may be shown on any terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Encode)]
pub struct Text<const MAX: usize>(String);

impl<const MAX: usize> Text<MAX> {
    /// The text without what does more than show itself, cut at a character's border when it is too long.
    pub fn cut(text: &str) -> Self {
        let mut shown: String = if text.contains(acts_on_a_terminal) {
            text.chars().filter(|&character| !acts_on_a_terminal(character)).collect()
        } else {
            text.to_owned()
        };
        shown.truncate(shown.floor_char_boundary(MAX));
        Self(shown)
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for Text<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<Context, const MAX: usize> Decode<Context> for Text<MAX> {
    fn decode<D: Decoder<Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let text = String::decode(decoder)?;
        if text.len() > MAX {
            let fault = format!("a text of {} bytes where {MAX} are allowed", text.len());
            return Err(DecodeError::OtherString(fault));
        }
        if text.contains(acts_on_a_terminal) {
            return Err(DecodeError::OtherString("a text with control or direction characters".to_owned()));
        }
        Ok(Self(text))
    }
}

impl<'de, Context, const MAX: usize> BorrowDecode<'de, Context> for Text<MAX> {
    fn borrow_decode<D: BorrowDecoder<'de, Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        Self::decode(decoder)
    }
}

/// The same for short texts of which there are many: held in place, so that a list of them is one piece of
/// memory. `MAX` is 255 at most.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShortText<const MAX: usize> {
    /// Zeros behind the text.
    bytes: [u8; MAX],
    length: u8,
}

impl<const MAX: usize> ShortText<MAX> {
    const EMPTY: Self = {
        assert!(MAX <= u8::MAX as usize, "the length is one byte");
        Self { bytes: [0; MAX], length: 0 }
    };

    /// The text without what does more than show itself, cut at a character's border when it is too long.
    pub fn cut(text: &str) -> Self {
        let mut shown = Self::EMPTY;
        // Nearly always: then it is one piece.
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && shown.push(text.as_bytes()) {
            return shown;
        }
        for character in text.chars().filter(|&character| !acts_on_a_terminal(character)) {
            let mut utf8 = [0; 4];
            if !shown.push(character.encode_utf8(&mut utf8).as_bytes()) {
                break;
            }
        }
        shown
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        // Nothing but whole characters was ever pushed.
        self.bytes.get(..self.length.into()).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Whether there was room.
    fn push(&mut self, bytes: &[u8]) -> bool {
        let length = usize::from(self.length);
        let Some(room) = self.bytes.get_mut(length..length + bytes.len()) else { return false };
        room.copy_from_slice(bytes);
        self.length += bytes.len() as u8;
        true
    }
}

/// As a [`Text`], which it is on the wire.
impl<const MAX: usize> fmt::Debug for ShortText<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Text").field(&self.as_str()).finish()
    }
}

impl<const MAX: usize> fmt::Display for ShortText<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<const MAX: usize> Encode for ShortText<MAX> {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        self.as_str().encode(encoder)
    }
}

impl<Context, const MAX: usize> Decode<Context> for ShortText<MAX> {
    fn decode<D: Decoder<Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let length = u64::decode(decoder)?;
        let mut text = Self::EMPTY;
        let bytes = usize::try_from(length).ok().and_then(|length| text.bytes.get_mut(..length));
        let Some(bytes) = bytes else {
            return Err(DecodeError::OtherString(format!(
                "a text of {length} bytes where {MAX} are allowed"
            )));
        };
        decoder.claim_bytes_read(bytes.len())?;
        decoder.reader().read(bytes)?;
        match str::from_utf8(bytes) {
            Err(inner) => Err(DecodeError::Utf8 { inner }),
            Ok(shown) if shown.contains(acts_on_a_terminal) => {
                Err(DecodeError::OtherString("a text with control or direction characters".to_owned()))
            }
            Ok(_) => {
                text.length = length as u8;
                Ok(text)
            }
        }
    }
}

impl<'de, Context, const MAX: usize> BorrowDecode<'de, Context> for ShortText<MAX> {
    fn borrow_decode<D: BorrowDecoder<'de, Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        Self::decode(decoder)
    }
}

/// A list of at most `MAX` items.
#[derive(Clone, Debug, PartialEq, Eq, Encode)]
pub struct List<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> List<T, MAX> {
    /// The first `MAX` items of `items`.
    pub fn cut(mut items: Vec<T>) -> Self {
        items.truncate(MAX);
        Self(items)
    }

    /// The items, to own.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const MAX: usize> Default for List<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize> Deref for List<T, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<Context, T: Decode<Context> + 'static, const MAX: usize> Decode<Context> for List<T, MAX> {
    fn decode<D: Decoder<Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let items = Vec::<T>::decode(decoder)?;
        if items.len() > MAX {
            return Err(DecodeError::OtherString(format!(
                "a list of {} where {MAX} are allowed",
                items.len()
            )));
        }
        Ok(Self(items))
    }
}

impl<'de, Context, T: Decode<Context> + 'static, const MAX: usize> BorrowDecode<'de, Context>
    for List<T, MAX>
{
    fn borrow_decode<D: BorrowDecoder<'de, Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        Self::decode(decoder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_too_many_is_an_error() {
        let bytes = encode(&7_u64, 100).unwrap();
        assert_eq!(decode::<u64>(&bytes), Ok(7));
        assert_eq!(decode::<u64>(&[&bytes[..], &[0]].concat()), Err(CodecError::LeftOver(1)));
    }

    #[test]
    fn a_byte_too_few_is_an_error() {
        let bytes = encode(&(1_u64, 70_000_u64), 100).unwrap();
        for end in 0..bytes.len() {
            assert!(matches!(decode::<(u64, u64)>(&bytes[..end]), Err(CodecError::Malformed(_))), "{end}");
        }
    }

    #[test]
    fn a_message_may_fill_its_limit_but_not_pass_it() {
        let text = "x".repeat(10);
        assert!(encode(&text, 11).is_ok());
        assert_eq!(encode(&text, 10), Err(CodecError::TooLong { bytes: 11, bytes_max: 10 }));
        let endless = vec![0; MESSAGE_BYTES_MAX + 1];
        assert!(matches!(decode::<Vec<u8>>(&endless), Err(CodecError::TooLong { .. })));
    }

    #[test]
    fn a_claimed_length_is_refused_before_it_is_allocated() {
        // 253 announces a u64 in bincode's varint; 2^40 items follow, or so it says.
        let hostile = [&[253][..], &(1_u64 << 40).to_le_bytes()].concat();
        assert!(matches!(decode::<Vec<u16>>(&hostile), Err(CodecError::Malformed(_))));
    }

    #[test]
    fn texts_and_lists_are_bounded_on_both_sides() {
        assert_eq!(Text::<4>::cut("Zoës").as_str(), "Zoë");
        assert_eq!(Text::<9>::cut("\x1b[2Jred\u{9b}0m\n").as_str(), "[2Jred0m");
        assert!(decode::<Text<9>>(&encode(&"\x1b[2J".to_owned(), 100).unwrap()).is_err());
        let text = encode(&"12345".to_owned(), 100).unwrap();
        assert!(decode::<Text<5>>(&text).is_ok());
        assert!(decode::<Text<4>>(&text).is_err());
        let list = encode(&vec![1_u64, 2, 3], 100).unwrap();
        assert_eq!(&*decode::<List<u64, 3>>(&list).unwrap(), &[1, 2, 3]);
        assert!(decode::<List<u64, 2>>(&list).is_err());
        assert_eq!(List::<u64, 2>::cut(vec![1, 2, 3]).into_vec(), [1, 2]);
    }

    #[test]
    fn short_texts_are_as_texts_on_the_wire_and_bounded_as_they_are() {
        for text in ["", "e4", "Qa1xb2#", "Zoës"] {
            let bytes = encode(&text.to_owned(), 100).unwrap();
            assert_eq!(encode(&ShortText::<7>::cut(text), 100).unwrap(), bytes);
            assert_eq!(decode::<ShortText<7>>(&bytes).unwrap().as_str(), text);
        }
        assert_eq!(ShortText::<4>::cut("Zoës").as_str(), "Zoë");
        assert_eq!(ShortText::<9>::cut("\x1b[2Jred\u{9b}0m\n").as_str(), "[2Jred0m");
        assert!(decode::<ShortText<4>>(&encode(&"12345".to_owned(), 100).unwrap()).is_err());
        assert!(decode::<ShortText<9>>(&encode(&"\x1b[2J".to_owned(), 100).unwrap()).is_err());
        for hostile in
            [&[2, 0xff, 0xff][..], &[4, b'a'], &[&[253][..], &(1_u64 << 40).to_le_bytes()].concat()]
        {
            assert!(decode::<ShortText<9>>(hostile).is_err(), "{hostile:?}");
        }
    }

    #[test]
    fn a_message_is_written_behind_what_is_there() {
        let mut bytes = vec![1, 2];
        assert_eq!(encode_onto(&mut bytes, &7_u8, 1), Ok(()));
        assert_eq!(bytes, [1, 2, 7]);
        assert_eq!(encode_onto(&mut bytes, &300_u64, 2), Err(CodecError::TooLong { bytes: 3, bytes_max: 2 }));
    }

    #[test]
    fn non_canonical_numbers_are_read_as_their_value() {
        // 5 in the nine-byte form: harmless as long as nobody hashes received bytes.
        let long_five = [&[253][..], &5_u64.to_le_bytes()].concat();
        assert_eq!(decode::<u64>(&long_five), Ok(5));
        assert_eq!(encode(&5_u64, 100).unwrap(), [5]);
    }
}
