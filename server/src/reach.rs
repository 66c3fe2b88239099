//! Under which address others may reach a socket that listens on every interface.

use chatrang_protocol::net::route::default_route;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The bound address, or for a socket on every interface the address of the default route; without a
/// route, this machine's own. Sends nothing.
pub fn address(bound: SocketAddr) -> SocketAddr {
    if !bound.ip().is_unspecified() {
        return bound;
    }
    // A socket of IPv4 alone hears nobody who comes by IPv6.
    let route = default_route().filter(|ip| ip.is_ipv4() || bound.is_ipv6());
    SocketAddr::new(route.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), bound.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_address_is_its_own() {
        let bound = SocketAddr::from(([127, 0, 0, 1], 7777));
        assert_eq!(address(bound), bound);
    }

    #[test]
    fn a_socket_on_every_interface_is_reached_by_a_real_address() {
        let reached = address(SocketAddr::from(([0, 0, 0, 0], 7777)));
        assert!(!reached.ip().is_unspecified());
        assert_eq!(reached.port(), 7777);
    }
}
