//! One line that says where a server is, which key it has, and with which code to come in:
//! `HOST:PORT`, `HOST:PORT/FINGERPRINT`, `HOST:PORT/FINGERPRINT/CODE`, or one token `cr1…`.
//!
//! A written line holds only letters, digits and `. : / -`, which every shell and every chat leaves
//! alone. IPv6 needs brackets, which shells do not, so it is written as a token, and so are several
//! addresses.

mod code;
mod token;

pub use crate::host::{AddressError, DEFAULT_PORT, Host, HostName, HostPort};
pub use crate::invite::code::{InviteCode, InviteCodeError};
pub use crate::invite::token::TokenError;

use crate::codec::{self, CodecError, Encode, List};
use crate::key::{Fingerprint, FingerprintError};
use crate::limits;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// Where a server is and, if that is known, which key it has and a code to come in with.
///
/// Read from whatever a person pastes: `chess.example.net`, `192.0.2.7:7777`, `[2001:db8::1]:7777`,
/// an invite line, a token. The port may be left out only where nothing follows it: an invite
/// without one has lost a piece on its way.
#[derive(Clone, Debug, PartialEq, Eq, Encode)]
pub struct ServerAddress {
    addresses: Vec<HostPort>,
    fingerprint: Option<Fingerprint>,
    code: Option<InviteCode>,
}

/// Why a text names no server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteError {
    /// Nothing there.
    #[error("there is no address")]
    Empty,
    /// Longer than any line this crate writes.
    #[error("the line has {0} bytes; none has more than {max}", max = limits::INVITE_LINE_BYTES_MAX)]
    TooLong(usize),
    /// More than an address, a fingerprint and a code.
    #[error("the line has too many parts: it is HOST:PORT/FINGERPRINT/CODE")]
    TooManyParts,
    /// A bad host or port.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// A bad fingerprint.
    #[error(transparent)]
    Fingerprint(#[from] FingerprintError),
    /// A bad code.
    #[error(transparent)]
    Code(#[from] InviteCodeError),
    /// No address at all, or more than a line may carry.
    #[error("a line carries 1 to {max} addresses, not {0}", max = limits::INVITE_ADDRESSES_MAX)]
    Addresses(usize),
    /// A token that cannot be read.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// A token that somebody made up: its checksum fits, its content does not.
    #[error("the invite makes no sense: {0}")]
    TokenContent(CodecError),
}

impl ServerAddress {
    /// Addresses only: whoever connects has to learn the key, or to know it already.
    ///
    /// # Errors
    /// [`InviteError::Addresses`] unless there are 1 to [`limits::INVITE_ADDRESSES_MAX`] of them.
    pub fn bare(addresses: Vec<HostPort>) -> Result<Self, InviteError> {
        if !(1..=limits::INVITE_ADDRESSES_MAX).contains(&addresses.len()) {
            return Err(InviteError::Addresses(addresses.len()));
        }
        Ok(Self { addresses, fingerprint: None, code: None })
    }

    /// All that a new player needs.
    ///
    /// # Errors
    /// [`InviteError::Addresses`], as in [`ServerAddress::bare`].
    pub fn invite(
        addresses: Vec<HostPort>,
        fingerprint: Fingerprint,
        code: Option<InviteCode>,
    ) -> Result<Self, InviteError> {
        Ok(Self { fingerprint: Some(fingerprint), code, ..Self::bare(addresses)? })
    }

    /// Where the server may be reached, in the order in which to try; never empty.
    pub fn addresses(&self) -> &[HostPort] {
        &self.addresses
    }

    /// The key that the server must have.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        self.fingerprint
    }

    /// The code to come in with; there is none without a fingerprint.
    pub fn code(&self) -> Option<InviteCode> {
        self.code
    }
}

impl FromStr for ServerAddress {
    type Err = InviteError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        match text.len() {
            0 => Err(InviteError::Empty),
            1..=limits::INVITE_LINE_BYTES_MAX => match token::read(text) {
                Some(body) => codec::decode(&body?).map_err(InviteError::TokenContent),
                None => read_line(text),
            },
            bytes => Err(InviteError::TooLong(bytes)),
        }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.addresses[..] {
            [address] if !matches!(address.host(), Host::Ip(IpAddr::V6(_))) => address.fmt(f)?,
            _ => {
                let body = codec::encode(self, limits::INVITE_LINE_BYTES_MAX).map_err(|_| fmt::Error)?;
                return f.write_str(&token::write(&body));
            }
        }
        if let Some(fingerprint) = self.fingerprint {
            write!(f, "/{fingerprint}")?;
        }
        if let Some(code) = self.code {
            write!(f, "/{code}")?;
        }
        Ok(())
    }
}

fn read_line(text: &str) -> Result<ServerAddress, InviteError> {
    let mut parts = text.split('/');
    let address = parts.next().unwrap_or_default();
    let Some(fingerprint) = parts.next() else {
        return ServerAddress::bare(vec![HostPort::with_default_port(address, DEFAULT_PORT)?]);
    };
    let address = address.parse()?;
    let fingerprint = fingerprint.parse()?;
    let code = parts.next().map(str::parse).transpose()?;
    match parts.next() {
        None => ServerAddress::invite(vec![address], fingerprint, code),
        Some(_) => Err(InviteError::TooManyParts),
    }
}

type TokenBody = (List<HostPort, { limits::INVITE_ADDRESSES_MAX }>, Option<Fingerprint>, Option<InviteCode>);

codec::decode_through!(ServerAddress, TokenBody, |(addresses, fingerprint, code): TokenBody| {
    match (fingerprint, code) {
        (Some(fingerprint), code) => ServerAddress::invite(addresses.into_vec(), fingerprint, code),
        (None, None) => ServerAddress::bare(addresses.into_vec()),
        (None, Some(_)) => Err(InviteError::TooManyParts),
    }
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base32;
    use crate::host::tests::address;
    use crate::key::Base32Error;
    use proptest::prelude::*;

    const FP: &str = "0vhzv3yt56xp1atsanyyc7pv18";
    const CODE: &str = "k7r3m9ta";

    /// A token's content before it is checked.
    type Raw = (Vec<HostPort>, Option<Fingerprint>, Option<InviteCode>);

    fn read(text: &str) -> Result<ServerAddress, InviteError> {
        text.parse()
    }

    fn invite(addresses: &[&str]) -> ServerAddress {
        let addresses = addresses.iter().map(|text| text.parse().unwrap()).collect();
        ServerAddress::invite(addresses, FP.parse().unwrap(), Some(CODE.parse().unwrap())).unwrap()
    }

    #[test]
    fn a_line_is_read_and_written_the_same() {
        for line in [
            "chess.example.net:7777".to_owned(),
            format!("chess.example.net:7777/{FP}"),
            format!("chess.example.net:7777/{FP}/{CODE}"),
            format!("192.0.2.7:1/{FP}/{CODE}"),
            format!("localhost:65535/{FP}"),
            format!("cr1box:7777/{FP}"),
        ] {
            assert_eq!(read(&line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn an_invite_gives_address_fingerprint_and_code() {
        let read = read(&format!(" Chess.Example.net:7777/{}/{}\n", FP.to_uppercase(), "K7R3M9TA")).unwrap();
        assert_eq!(read, invite(&["chess.example.net:7777"]));
        assert_eq!(read.addresses()[0].host().to_string(), "chess.example.net");
        assert_eq!(read.addresses()[0].port(), 7777);
        assert_eq!(read.fingerprint().unwrap().to_string(), FP);
        assert_eq!(read.code().unwrap().to_string(), CODE);
    }

    #[test]
    fn a_bare_host_has_the_default_port() {
        for (text, address) in [
            ("example.net", "example.net:7777"),
            ("example.net:9", "example.net:9"),
            ("192.0.2.7", "192.0.2.7:7777"),
            ("2001:db8::1", "[2001:db8::1]:7777"),
            ("[2001:db8::1]", "[2001:db8::1]:7777"),
            ("[2001:db8::1]:9", "[2001:db8::1]:9"),
            ("crab", "crab:7777"),
            ("cr1.example.net", "cr1.example.net:7777"),
        ] {
            let read = read(text).unwrap();
            assert_eq!(read.addresses()[0].to_string(), address);
            assert_eq!((read.addresses().len(), read.fingerprint(), read.code()), (1, None, None));
        }
    }

    #[test]
    fn ipv6_and_several_addresses_make_one_token() {
        for addresses in [&["[2001:db8::1]:7777"][..], &["10.0.0.7:7777", "chess.example.net:9", "[::1]:7"]] {
            let invite = invite(addresses);
            let token = invite.to_string();
            assert!(token.starts_with("cr1") && token.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            assert_eq!(read(&token), Ok(invite.clone()));
            assert_eq!(read(&token.to_uppercase()), Ok(invite));
        }
    }

    #[test]
    fn a_token_stays_readable() {
        let token = "cr1040g28011pw0000000000000000000fvc4f021q3zp7xmadvc2nnjnbxwrfdp2g1k7r3m9tanbq2fn8";
        assert_eq!(invite(&["[2001:db8::1]:7777"]).to_string(), token);
    }

    #[test]
    fn every_single_damage_of_a_token_is_noticed() {
        let token = invite(&["[2001:db8::1]:7777", "10.0.0.7:7777"]).to_string();
        for place in 3..token.len() {
            for other in ["0", "z", "u", ""] {
                let damaged = [&token[..place], other, &token[place + 1..]].concat();
                let expected = match read(&damaged) {
                    Err(InviteError::Token(TokenError::Damaged)) => true,
                    Err(InviteError::Token(TokenError::Mistyped(_))) => other == "u",
                    Ok(_) => damaged == token,
                    Err(_) => false,
                };
                assert!(expected, "{damaged}");
            }
        }
    }

    #[test]
    fn the_longest_invite_is_read_back() {
        let label = "x".repeat(61);
        let name = HostName::new(&[&label[..]; 4].join(".")[..247]).unwrap();
        let longest = HostName::new(&format!("{}.abcde", name.as_str())).unwrap();
        assert_eq!(longest.as_str().len(), limits::HOST_BYTES_MAX);
        let address = HostPort::new(Host::Name(longest), u16::MAX).unwrap();
        let addresses = vec![address; limits::INVITE_ADDRESSES_MAX];
        let invite =
            ServerAddress::invite(addresses, FP.parse().unwrap(), Some(CODE.parse().unwrap())).unwrap();
        assert_eq!(read(&invite.to_string()), Ok(invite));
    }

    #[test]
    fn a_line_carries_one_to_four_addresses() {
        let address: HostPort = "a:1".parse().unwrap();
        assert_eq!(ServerAddress::bare(vec![]), Err(InviteError::Addresses(0)));
        assert!(ServerAddress::bare(vec![address.clone(); limits::INVITE_ADDRESSES_MAX]).is_ok());
        let too_many = vec![address; limits::INVITE_ADDRESSES_MAX + 1];
        assert_eq!(ServerAddress::bare(too_many), Err(InviteError::Addresses(5)));
    }

    #[test]
    fn damage_to_a_line_is_named() {
        let code = InviteError::Code;
        let fingerprint = InviteError::Fingerprint;
        for (line, error) in [
            (String::new(), InviteError::Empty),
            (" \n".to_owned(), InviteError::Empty),
            ("x".repeat(2_049), InviteError::TooLong(2_049)),
            (format!("a/{FP}/{CODE}"), AddressError::MissingPort.into()),
            (format!("a:7/{FP}/{CODE}/"), InviteError::TooManyParts),
            ("a:7/".to_owned(), fingerprint(FingerprintError::Length(0))),
            (format!("a:7/{}", &FP[1..]), fingerprint(FingerprintError::Length(25))),
            (
                format!("a:7/u{}", &FP[1..]),
                fingerprint(FingerprintError::Mistyped(Base32Error::Character { found: 'u', place: 1 })),
            ),
            (format!("a:7/{}9", &FP[..25]), fingerprint(FingerprintError::Mistyped(Base32Error::End))),
            (format!("a:7/{FP}/"), code(InviteCodeError::Length(0))),
            (format!("a:7/{FP}/k7r3m9t"), code(InviteCodeError::Length(7))),
            (
                format!("a:7/{FP}/k7r3m9t!"),
                code(InviteCodeError::Mistyped(Base32Error::Character { found: '!', place: 8 })),
            ),
            ("cr2abc".to_owned(), TokenError::Newer('2').into()),
            ("cr1".to_owned(), TokenError::Damaged.into()),
            ("cr1abcd".to_owned(), TokenError::Damaged.into()),
            (
                "cr1ab!d".to_owned(),
                TokenError::Mistyped(Base32Error::Character { found: '!', place: 3 }).into(),
            ),
        ] {
            assert_eq!(read(&line), Err(error), "{line}");
        }
    }

    #[test]
    fn a_forged_token_is_read_through_the_same_checks() {
        let encoded = |body: Raw| codec::encode(&body, 2_000).unwrap();
        let address: HostPort = "a:1".parse().unwrap();
        let code: InviteCode = CODE.parse().unwrap();
        let forged: [Raw; 3] = [
            (vec![], None, None),
            (vec![address.clone(); 5], None, None),
            (vec![address.clone()], None, Some(code)),
        ];
        for body in forged {
            assert!(matches!(read(&token::write(&encoded(body))), Err(InviteError::TokenContent(_))));
        }
        assert!(read(&token::write(&encoded((vec![address], None, None)))).is_ok());
        assert!(matches!(read(&token::write(b"\xff\xff")), Err(InviteError::TokenContent(_))));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            addresses in prop::collection::vec(address(), 1..=limits::INVITE_ADDRESSES_MAX),
            key: Option<([u8; 16], Option<[u8; 5]>)>,
        ) {
            let written = match key {
                Some((fingerprint, code)) => {
                    let fingerprint = base32::encode(&fingerprint).parse().unwrap();
                    ServerAddress::invite(addresses, fingerprint, code.map(InviteCode::from_random))
                }
                None => ServerAddress::bare(addresses),
            }
            .unwrap();
            let line = written.to_string();
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".:/-".contains(&byte);
            prop_assert!(line.bytes().all(plain), "{}", line);
            prop_assert_eq!(read(&line), Ok(written));
        }

        #[test]
        fn no_text_panics(text: String, near in "(cr1)?[a-z0-9.:/\\[\\]-]{0,80}") {
            let _ = read(&text);
            let _ = read(&near);
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            let _ = codec::decode::<ServerAddress>(&bytes);
        }
    }
}
