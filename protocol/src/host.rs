//! Hosts, by name or by address, and the UDP port of a server on one.

use crate::codec::{self, Decode, Encode};
use crate::limits;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// The UDP port of a server that names none.
pub const DEFAULT_PORT: u16 = 7777;

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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn a_port_from_the_wire_is_checked_too() {
        let host: Host = "a".parse().unwrap();
        let bytes = codec::encode(&(host, 0_u16), 100).unwrap();
        assert!(codec::decode::<HostPort>(&bytes).is_err());
    }

    fn host() -> impl Strategy<Value = Host> {
        prop_oneof![
            any::<IpAddr>().prop_map(Host::Ip),
            "([a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?\\.){0,3}[a-z][a-z0-9]{0,10}"
                .prop_map(|name| Host::Name(HostName::new(&name).unwrap())),
        ]
    }

    prop_compose! {
        pub(crate) fn address()(host in host(), port in 1_u16..) -> HostPort {
            HostPort::new(host, port).unwrap()
        }
    }

    proptest! {
        #[test]
        fn addresses_survive_their_text(address in address()) {
            prop_assert_eq!(address.to_string().parse(), Ok(address));
        }
    }
}
