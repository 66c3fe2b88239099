//! Under which address this machine talks to the world.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Addresses kept for documentation (RFC 5737, RFC 3849): somewhere outside, and nobody's.
const OUTSIDE: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1))];

/// Any will do.
const PORT: u16 = 9;

/// The address that packets to the world would leave from, IPv4 before IPv6; none without a route.
/// Sends nothing to find it.
pub fn default_route() -> Option<IpAddr> {
    OUTSIDE.into_iter().find_map(source_to)
}

fn source_to(outside: IpAddr) -> Option<IpAddr> {
    let any = match outside {
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((outside, PORT)).ok()?;
    let source = socket.local_addr().ok()?.ip();
    (!source.is_loopback() && !source.is_unspecified()).then_some(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_itself_is_no_way_out() {
        assert_eq!(source_to(IpAddr::V4(Ipv4Addr::LOCALHOST)), None);
    }

    #[test]
    fn a_route_is_an_address_that_a_socket_can_have() {
        if let Some(source) = default_route() {
            UdpSocket::bind((source, 0)).unwrap();
        }
    }
}
