//! Identity: an Ed25519 public key, its fingerprint, and (feature `net`) the secret behind it.

use crate::base32;
use crate::codec::{Decode, Encode};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

pub use crate::base32::Base32Error;
#[cfg(feature = "net")]
pub use secret::{SecretKey, SecretKeyError};

/// Bytes of an Ed25519 key's SubjectPublicKeyInfo, the form in which TLS shows it (RFC 7250, RFC 8410).
pub const SPKI_BYTES: usize = 44;

/// What stands before the 32 bytes of the key: the same for every Ed25519 key, so that there is
/// nothing to parse.
const SPKI_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// An Ed25519 public key: who a player or a server is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct PublicKey([u8; 32]);

/// Why bytes are no public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not the 44 bytes that an Ed25519 key has.
    #[error("the public key is no Ed25519 key ({bytes} bytes)")]
    NotEd25519 {
        /// How many bytes came.
        bytes: usize,
    },
}

impl PublicKey {
    /// Takes exactly the 44-byte SubjectPublicKeyInfo of an Ed25519 key.
    ///
    /// It does not promise that anybody holds the secret: only a signature proves that.
    ///
    /// # Errors
    /// [`KeyError::NotEd25519`] for anything else.
    pub fn from_spki(spki: &[u8]) -> Result<Self, KeyError> {
        let key = spki.strip_prefix(&SPKI_PREFIX).and_then(|key| key.try_into().ok());
        key.map(Self).ok_or(KeyError::NotEd25519 { bytes: spki.len() })
    }

    /// The 44-byte SubjectPublicKeyInfo.
    pub fn to_spki(&self) -> [u8; SPKI_BYTES] {
        let mut spki = [0; SPKI_BYTES];
        let (prefix, key) = spki.split_at_mut(SPKI_PREFIX.len());
        prefix.copy_from_slice(&SPKI_PREFIX);
        key.copy_from_slice(&self.0);
        spki
    }

    /// The short form that people compare.
    pub fn fingerprint(&self) -> Fingerprint {
        let digest: [u8; 32] = Sha256::digest(self.to_spki()).into();
        let mut first = [0; 16];
        first.copy_from_slice(digest.split_at(16).0);
        Fingerprint(first)
    }
}

/// By its fingerprint, which is what people see everywhere else.
impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", self.fingerprint())
    }
}

/// The first 16 bytes of SHA-256 over a key's SubjectPublicKeyInfo, shown as 26 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    /// Characters of its text.
    pub const CHARACTERS: usize = 26;
}

/// Why a text is no fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FingerprintError {
    /// Characters are missing, or there are too many.
    #[error("a fingerprint has {all} characters, this one has {0}", all = Fingerprint::CHARACTERS)]
    Length(usize),
    /// A mistyped character.
    #[error("the fingerprint is mistyped: {0}")]
    Mistyped(#[from] Base32Error),
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&base32::encode(&self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.chars().count() {
            Self::CHARACTERS => Ok(Self(base32::decode_array(text)?)),
            other => Err(FingerprintError::Length(other)),
        }
    }
}

#[cfg(feature = "net")]
mod secret {
    use super::{KeyError, PublicKey};
    use ring::rand::SystemRandom;
    use ring::signature::{Ed25519KeyPair, KeyPair};
    use std::fmt;

    /// An Ed25519 key pair, in the form in which it is kept: PKCS #8.
    #[derive(Clone)]
    pub struct SecretKey {
        pkcs8: Vec<u8>,
        public_key: PublicKey,
    }

    /// Why there is no secret key.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum SecretKeyError {
        /// The bytes are not an Ed25519 key in PKCS #8, or its two halves do not belong together.
        #[error("the secret key cannot be read: {0}")]
        Unreadable(String),
        /// The system has no random numbers to give.
        #[error("the system gives no random numbers to make a key from")]
        NoRandomness,
        /// The public half is not what an Ed25519 key has.
        #[error(transparent)]
        Public(#[from] KeyError),
    }

    impl SecretKey {
        /// A new key.
        ///
        /// # Errors
        /// [`SecretKeyError::NoRandomness`] when the system has none to give.
        pub fn generate() -> Result<Self, SecretKeyError> {
            let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
                .map_err(|_| SecretKeyError::NoRandomness)?;
            Self::from_pkcs8(pkcs8.as_ref())
        }

        /// A key that was kept, or made by `openssl genpkey -algorithm ed25519 -outform DER`.
        ///
        /// # Errors
        /// [`SecretKeyError::Unreadable`] when the bytes are no such key.
        pub fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, SecretKeyError> {
            // The unchecked form also takes version 1, which has no public half that could be wrong.
            let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(pkcs8)
                .map_err(|error| SecretKeyError::Unreadable(error.to_string()))?;
            let public = pair.public_key().as_ref();
            let key = public.try_into().map_err(|_| KeyError::NotEd25519 { bytes: public.len() })?;
            Ok(Self { pkcs8: pkcs8.to_vec(), public_key: PublicKey(key) })
        }

        /// The key's PKCS #8 form: whoever has it is its owner.
        pub fn to_pkcs8(&self) -> &[u8] {
            &self.pkcs8
        }

        /// The half to show.
        pub fn public_key(&self) -> PublicKey {
            self.public_key
        }
    }

    /// Names the public half only.
    impl fmt::Debug for SecretKey {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "SecretKey of {:?}", self.public_key)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;
    use proptest::prelude::*;

    /// The public key of RFC 8032's first test vector.
    const KEY: PublicKey = PublicKey([
        0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e,
        0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a,
    ]);
    const SHOWN: &str = "0vhzv3yt56xp1atsanyyc7pv18";

    #[test]
    fn a_key_has_one_form_on_the_wire() {
        assert_eq!(PublicKey::from_spki(&KEY.to_spki()), Ok(KEY));
        let mut other_algorithm = KEY.to_spki();
        other_algorithm[8] = 0x6e;
        let long = [&KEY.to_spki()[..], &[0]].concat();
        for bad in [&[][..], &KEY.to_spki()[..43], &long, &other_algorithm, &KEY.0] {
            assert_eq!(PublicKey::from_spki(bad), Err(KeyError::NotEd25519 { bytes: bad.len() }));
        }
    }

    #[test]
    fn a_fingerprint_is_the_first_half_of_a_sha_256() {
        assert_eq!(KEY.fingerprint().to_string(), SHOWN);
        assert_eq!(format!("{KEY:?}"), format!("PublicKey({SHOWN})"));
    }

    #[test]
    fn a_fingerprint_is_read_as_people_type_it() {
        assert_eq!(SHOWN.parse(), Ok(KEY.fingerprint()));
        assert_eq!(SHOWN.to_uppercase().parse(), Ok(KEY.fingerprint()));
        assert_eq!(SHOWN.replace('0', "O").replace('1', "l").parse(), Ok(KEY.fingerprint()));
    }

    #[test]
    fn a_damaged_fingerprint_says_how() {
        let mistyped = |found, place| FingerprintError::Mistyped(Base32Error::Character { found, place });
        for (text, error) in [
            ("", FingerprintError::Length(0)),
            ("0000000000000000000000000", FingerprintError::Length(25)),
            ("000000000000000000000000000", FingerprintError::Length(27)),
            ("ééééééééééééé", FingerprintError::Length(13)),
            ("000000000000000000000000u0", mistyped('u', 25)),
            ("é0000000000000000000000000", mistyped('é', 1)),
            ("00000000000000000000000001", FingerprintError::Mistyped(Base32Error::End)),
        ] {
            assert_eq!(text.parse::<Fingerprint>(), Err(error), "{text}");
        }
    }

    #[test]
    fn keys_and_fingerprints_cross_the_wire_as_their_bytes() {
        assert_eq!(codec::encode(&KEY, 32).unwrap(), KEY.0);
        assert_eq!(codec::decode(&KEY.0), Ok(KEY));
        let fingerprint = KEY.fingerprint();
        assert_eq!(codec::encode(&fingerprint, 16).unwrap(), fingerprint.0);
        assert_eq!(codec::decode(&fingerprint.0), Ok(fingerprint));
    }

    #[cfg(feature = "net")]
    #[test]
    fn a_secret_key_is_kept_and_read_again() {
        let secret = SecretKey::generate().unwrap();
        let again = SecretKey::from_pkcs8(secret.to_pkcs8()).unwrap();
        assert_eq!(again.public_key(), secret.public_key());
        assert_ne!(SecretKey::generate().unwrap().public_key(), secret.public_key());
    }

    #[cfg(feature = "net")]
    #[test]
    fn a_secret_key_made_elsewhere_has_the_public_key_that_belongs_to_it() {
        // RFC 8032, test 1, as openssl writes it: PKCS #8 version 1.
        let seed = [
            0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4,
            0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60,
        ];
        let head =
            [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
        let pkcs8 = [&head[..], &seed].concat();
        assert_eq!(SecretKey::from_pkcs8(&pkcs8).unwrap().public_key(), KEY);
    }

    #[cfg(feature = "net")]
    #[test]
    fn a_damaged_secret_key_is_refused() {
        let good = SecretKey::generate().unwrap().to_pkcs8().to_vec();
        let mut swapped = good.clone();
        *swapped.last_mut().unwrap() ^= 1;
        for bad in [&[][..], &good[..40], &swapped] {
            assert!(matches!(SecretKey::from_pkcs8(bad), Err(SecretKeyError::Unreadable(_))));
        }
    }

    #[cfg(feature = "net")]
    #[test]
    fn a_secret_key_is_never_shown() {
        let secret = SecretKey::generate().unwrap();
        assert_eq!(format!("{secret:?}"), format!("SecretKey of {:?}", secret.public_key()));
    }

    proptest! {
        #[test]
        fn fingerprints_survive_their_text(bytes: [u8; 16]) {
            let fingerprint = Fingerprint(bytes);
            prop_assert_eq!(fingerprint.to_string().len(), Fingerprint::CHARACTERS);
            prop_assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        }

        #[test]
        fn keys_survive_their_spki(bytes: [u8; 32]) {
            prop_assert_eq!(PublicKey::from_spki(&PublicKey(bytes).to_spki()), Ok(PublicKey(bytes)));
        }

        #[test]
        fn no_bytes_and_no_text_panic(bytes: Vec<u8>, text: String) {
            let _ = PublicKey::from_spki(&bytes);
            let _ = text.parse::<Fingerprint>();
            #[cfg(feature = "net")]
            let _ = SecretKey::from_pkcs8(&bytes);
        }
    }
}
