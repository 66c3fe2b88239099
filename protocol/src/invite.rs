//! One line that says where a server is, which key it has, and with which code to come in:
//! `HOST:PORT`, `HOST:PORT/FINGERPRINT`, `HOST:PORT/FINGERPRINT/CODE`, or one token `cr1…`.
//!
//! A written line holds only letters, digits and `. : / -`, which every shell and every chat leaves
//! alone. IPv6 needs brackets, which shells do not, so it is written as a token, and so are several
//! addresses: base32 of a body and of a checksum.

use crate::base32;
use crate::codec::{self, CodecError, Decode, Encode, List};
use crate::key::{Base32Error, Fingerprint, FingerprintError};
use crate::limits;
use sha2::{Digest, Sha256};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// The UDP port of a server that names none.
pub const DEFAULT_PORT: u16 = 7777;

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
    /// A token with a character that tokens do not have.
    #[error("the invite is mistyped: {0}")]
    TokenMistyped(Base32Error),
    /// A token whose checksum does not fit.
    #[error("the invite is damaged: a piece is missing or mistyped; copy the whole line again")]
    TokenDamaged,
    /// A token of a later version.
    #[error("the invite was written by a newer version (cr{0}); update this program to read it")]
    TokenNewer(char),
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
            1..=limits::INVITE_LINE_BYTES_MAX => match token_parts(text) {
                Some((version, body)) => read_token(version, body),
                None => read_line(text),
            },
            bytes => Err(InviteError::TooLong(bytes)),
        }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [HostPort { host: Host::Name(_) | Host::Ip(IpAddr::V4(_)), .. }] = &self.addresses[..] else {
            return f.write_str(&write_token(self).map_err(|_| fmt::Error)?);
        };
        for address in &self.addresses {
            address.fmt(f)?;
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

const TOKEN_PREFIX: &str = "cr";
const TOKEN_VERSION: char = '1';
const CHECKSUM_BYTES: usize = 4;

/// The version and body of what can only be a token. A host with such a name, all letters and digits,
/// must be written with its port.
fn token_parts(text: &str) -> Option<(char, &str)> {
    let (prefix, rest) = text.split_at_checked(TOKEN_PREFIX.len())?;
    let mut body = rest.chars();
    let version = body.next().filter(char::is_ascii_digit)?;
    let is_token = prefix.eq_ignore_ascii_case(TOKEN_PREFIX) && !text.contains(['.', ':', '/', '-', '[']);
    is_token.then_some((version, body.as_str()))
}

fn read_token(version: char, body: &str) -> Result<ServerAddress, InviteError> {
    if version != TOKEN_VERSION {
        return Err(InviteError::TokenNewer(version));
    }
    let bytes = base32::decode(body).map_err(|error| match error {
        Base32Error::Character { .. } => InviteError::TokenMistyped(error),
        Base32Error::End => InviteError::TokenDamaged,
    })?;
    match bytes.split_last_chunk::<CHECKSUM_BYTES>() {
        Some((body, sum)) if *sum == checksum(body) => codec::decode(body).map_err(InviteError::TokenContent),
        _ => Err(InviteError::TokenDamaged),
    }
}

fn write_token(address: &ServerAddress) -> Result<String, CodecError> {
    let mut bytes = codec::encode(address, limits::INVITE_LINE_BYTES_MAX)?;
    bytes.extend_from_slice(&checksum(&bytes));
    Ok(format!("{TOKEN_PREFIX}{TOKEN_VERSION}{}", base32::encode(&bytes)))
}

/// Against damage, not against forgers: whoever writes an invite chooses the server anyway.
fn checksum(body: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(body).into();
    [a, b, c, d]
}

type TokenBody = (List<HostPort, { limits::INVITE_ADDRESSES_MAX }>, Option<Fingerprint>, Option<InviteCode>);

codec::decode_through!(ServerAddress, TokenBody, |(addresses, fingerprint, code): TokenBody| {
    match (fingerprint, code) {
        (Some(fingerprint), code) => ServerAddress::invite(addresses.into_vec(), fingerprint, code),
        (None, None) => ServerAddress::bare(addresses.into_vec()),
        (None, Some(_)) => Err(InviteError::TooManyParts),
    }
});

/// A host and a UDP port.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct HostPort {
    host: Host,
    port: u16,
}

/// Where a server runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Host {
    /// A name, to be looked up.
    Name(HostName),
    /// An address.
    Ip(IpAddr),
}

/// A host's name in lower case: letters, digits and hyphens between dots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct HostName(String);

/// Why a text is no host with a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// No host, or a name that no host can have for its length.
    #[error("a host name has 1 to {max} characters, this one has {0}", max = limits::HOST_BYTES_MAX)]
    HostLength(usize),
    /// A character that host names do not have.
    #[error(
        "'{}' cannot be in a host name (a name in other letters has a form that starts with xn--)",
        .0.escape_debug()
    )]
    HostCharacter(char),
    /// A part between two dots that is empty, too long, or has a hyphen at its edge.
    #[error(
        "a part of the host name is empty, starts or ends with '-', or has over {} characters",
        limits::HOST_LABEL_BYTES_MAX
    )]
    HostPart,
    /// Numbers like an address's, but not four from 0 to 255.
    #[error("the address is not four numbers from 0 to 255")]
    HostNumbers,
    /// Something in brackets that is no IPv6 address.
    #[error("what stands in brackets is no IPv6 address")]
    HostBrackets,
    /// The port is not there.
    #[error("the port is missing: an address is HOST:PORT")]
    MissingPort,
    /// The port is not a number from 1 to 65535.
    #[error("the port is not a number from 1 to 65535")]
    Port,
}

impl HostPort {
    /// Puts the two together.
    ///
    /// # Errors
    /// [`AddressError::Port`] for port 0.
    pub fn new(host: Host, port: u16) -> Result<Self, AddressError> {
        match port {
            0 => Err(AddressError::Port),
            port => Ok(Self { host, port }),
        }
    }

    /// Reads `HOST` or `HOST:PORT`.
    ///
    /// # Errors
    /// [`AddressError`], though never [`AddressError::MissingPort`].
    pub fn with_default_port(text: &str, port: u16) -> Result<Self, AddressError> {
        let (host, given) = split_port(text)?;
        Self::new(host, given.unwrap_or(port))
    }

    /// The host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The UDP port, never 0.
    pub fn port(&self) -> u16 {
        self.port
    }
}

/// Reads `HOST:PORT`, an IPv6 host in brackets.
impl FromStr for HostPort {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (host, port) = split_port(text)?;
        Self::new(host, port.ok_or(AddressError::MissingPort)?)
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Ip(IpAddr::V6(ip)) => write!(f, "[{ip}]:{}", self.port),
            host => write!(f, "{host}:{}", self.port),
        }
    }
}

codec::decode_through!(HostPort, (Host, u16), |(host, port)| HostPort::new(host, port));

/// Reads a name or an address, IPv6 without brackets.
impl FromStr for Host {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(ip) => Ok(Self::Ip(ip)),
            Err(_) => HostName::new(text).map(Self::Name),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name.as_str()),
            Self::Ip(ip) => ip.fmt(f),
        }
    }
}

impl HostName {
    /// Takes a text that is a host's name.
    ///
    /// # Errors
    /// [`AddressError`] names what is wrong with it.
    pub fn new(text: &str) -> Result<Self, AddressError> {
        if !(1..=limits::HOST_BYTES_MAX).contains(&text.len()) {
            return Err(AddressError::HostLength(text.len()));
        }
        if let Some(odd) = text.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-')) {
            return Err(AddressError::HostCharacter(odd));
        }
        let good = |part: &str| {
            (1..=limits::HOST_LABEL_BYTES_MAX).contains(&part.len())
                && !part.starts_with('-')
                && !part.ends_with('-')
        };
        if !text.split('.').all(good) {
            return Err(AddressError::HostPart);
        }
        if text.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit())) {
            return Err(AddressError::HostNumbers);
        }
        Ok(Self(text.to_ascii_lowercase()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

codec::decode_through!(HostName, String, |text: String| HostName::new(&text));

fn split_port(text: &str) -> Result<(Host, Option<u16>), AddressError> {
    if let Some(bracketed) = text.strip_prefix('[') {
        let (ip, rest) = bracketed.split_once(']').ok_or(AddressError::HostBrackets)?;
        let ip: Ipv6Addr = ip.parse().map_err(|_| AddressError::HostBrackets)?;
        let port = match rest.strip_prefix(':') {
            Some(port) => Some(read_port(port)?),
            None if rest.is_empty() => None,
            None => return Err(AddressError::Port),
        };
        return Ok((Host::Ip(ip.into()), port));
    }
    if let Ok(ip) = text.parse::<Ipv6Addr>() {
        return Ok((Host::Ip(ip.into()), None));
    }
    match text.split_once(':') {
        Some((host, port)) => Ok((host.parse()?, Some(read_port(port)?))),
        None => Ok((text.parse()?, None)),
    }
}

/// Digits only: `parse` alone would take `+7777`.
fn read_port(text: &str) -> Result<u16, AddressError> {
    match text.parse() {
        Ok(port) if port > 0 && text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(port),
        _ => Err(AddressError::Port),
    }
}

/// What a server asks of a key that it does not know: 40 random bits, shown as 8 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct InviteCode([u8; 5]);

/// Why a text is no invite code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteCodeError {
    /// Characters are missing, or there are too many.
    #[error("an invite code has {all} characters, this one has {0}", all = InviteCode::CHARACTERS)]
    Length(usize),
    /// A mistyped character.
    #[error("the invite code is mistyped: {0}")]
    Mistyped(#[from] Base32Error),
}

impl InviteCode {
    /// Characters of its text.
    pub const CHARACTERS: usize = 8;

    /// A code from 40 random bits, which must come from the system's cryptographic source.
    pub fn from_random(random: [u8; 5]) -> Self {
        Self(random)
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&base32::encode(&self.0))
    }
}

/// Hidden: a code in a log would let its readers in.
impl fmt::Debug for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InviteCode(..)")
    }
}

impl FromStr for InviteCode {
    type Err = InviteCodeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.chars().count() {
            Self::CHARACTERS => Ok(Self(base32::decode_array(text)?)),
            other => Err(InviteCodeError::Length(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
                    Err(InviteError::TokenDamaged) => true,
                    Err(InviteError::TokenMistyped(_)) => other == "u",
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
            ("cr2abc".to_owned(), InviteError::TokenNewer('2')),
            ("cr1".to_owned(), InviteError::TokenDamaged),
            ("cr1abcd".to_owned(), InviteError::TokenDamaged),
            (
                "cr1ab!d".to_owned(),
                InviteError::TokenMistyped(Base32Error::Character { found: '!', place: 3 }),
            ),
        ] {
            assert_eq!(read(&line), Err(error), "{line}");
        }
    }

    #[test]
    fn a_forged_token_is_read_through_the_same_checks() {
        let token = |body: &[u8]| format!("cr1{}", base32::encode(&[body, &checksum(body)].concat()));
        let encoded = |body: Raw| codec::encode(&body, 2_000).unwrap();
        let address: HostPort = "a:1".parse().unwrap();
        let code: InviteCode = CODE.parse().unwrap();
        let forged: [Raw; 4] = [
            (vec![], None, None),
            (vec![address.clone(); 5], None, None),
            (vec![address.clone()], None, Some(code)),
            (vec![HostPort { port: 0, ..address.clone() }], None, None),
        ];
        for body in forged {
            assert!(matches!(read(&token(&encoded(body))), Err(InviteError::TokenContent(_))));
        }
        assert!(read(&token(&encoded((vec![address], None, None)))).is_ok());
        assert!(matches!(read(&token(b"\xff\xff")), Err(InviteError::TokenContent(_))));
    }

    #[test]
    fn damage_to_an_address_is_named() {
        for (text, error) in [
            ("", AddressError::HostLength(0)),
            (":7777", AddressError::HostLength(0)),
            ("a b:7777", AddressError::HostCharacter(' ')),
            ("zoë.net:7777", AddressError::HostCharacter('ë')),
            ("a_b:7777", AddressError::HostCharacter('_')),
            ("a..b:7777", AddressError::HostPart),
            ("a.:7777", AddressError::HostPart),
            ("-a:7777", AddressError::HostPart),
            ("a-:7777", AddressError::HostPart),
            ("192.0.2:7777", AddressError::HostNumbers),
            ("192.0.2.256:7777", AddressError::HostNumbers),
            ("[::1:7777", AddressError::HostBrackets),
            ("[example.net]:7777", AddressError::HostBrackets),
            ("[::1]7777", AddressError::Port),
            ("example.net", AddressError::MissingPort),
            ("[::1]", AddressError::MissingPort),
            ("example.net:", AddressError::Port),
            ("example.net:0", AddressError::Port),
            ("example.net:65536", AddressError::Port),
            ("example.net:+7777", AddressError::Port),
            ("example.net:7777:", AddressError::Port),
        ] {
            assert_eq!(text.parse::<HostPort>(), Err(error), "{text}");
        }
        assert_eq!(HostName::new(&"x".repeat(64)), Err(AddressError::HostPart));
        assert_eq!(HostName::new(&"x.".repeat(127)), Err(AddressError::HostLength(254)));
    }

    #[test]
    fn a_code_crosses_the_wire_as_five_bytes_and_is_never_logged() {
        let code = InviteCode::from_random([1, 2, 3, 4, 5]);
        assert_eq!(codec::encode(&code, 5).unwrap(), [1, 2, 3, 4, 5]);
        assert_eq!(codec::decode(&[1, 2, 3, 4, 5]), Ok(code));
        assert_eq!(format!("{code:?}"), "InviteCode(..)");
    }

    fn host() -> impl Strategy<Value = Host> {
        prop_oneof![
            any::<IpAddr>().prop_map(Host::Ip),
            "([a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?\\.){0,3}[a-z][a-z0-9]{0,10}"
                .prop_map(|name| Host::Name(HostName::new(&name).unwrap())),
        ]
    }

    prop_compose! {
        fn address()(host in host(), port in 1_u16..) -> HostPort {
            HostPort::new(host, port).unwrap()
        }
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
        fn addresses_survive_their_text(address in address()) {
            prop_assert_eq!(address.to_string().parse(), Ok(address));
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
