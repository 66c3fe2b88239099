//! Under which address others may reach a socket that listens on every interface.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// The bound address, or for a socket on every interface the address of the default route; without a
/// route, this machine's own. Sends nothing.
pub fn address(bound: SocketAddr) -> SocketAddr {
    if !bound.ip().is_unspecified() {
        return bound;
    }
    SocketAddr::new(default_route().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), bound.port())
}

/// The address that packets to the world would leave from.
fn default_route() -> Option<IpAddr> {
    /// An address kept for documentation (RFC 5737): nothing is ever sent there.
    const FAR_AWAY: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(FAR_AWAY).ok()?;
    Some(socket.local_addr().ok()?.ip())
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
