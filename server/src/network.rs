//! What counts as one address.

use std::net::{IpAddr, Ipv6Addr};

/// An address's network: whoever has one IPv6 address has all of its 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    /// The network that an address is in.
    pub fn of(ip: IpAddr) -> Self {
        Self(match ip.to_canonical() {
            IpAddr::V6(ip) if !ip.is_loopback() => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
            ip => ip,
        })
    }

    /// Whether it is the server's own machine.
    pub fn is_own_machine(self) -> bool {
        self.0.is_loopback()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_is_one_address_and_a_mapped_ipv4_is_itself() {
        let network = |text: &str| Network::of(text.parse().unwrap());
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:2"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        for own in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert!(network(own).is_own_machine(), "{own}");
        }
        assert!(!network("192.0.2.1").is_own_machine());
    }
}
