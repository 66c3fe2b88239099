//! What Linux knows of this process, read when somebody asks; elsewhere nothing.
//!
//! The files are made of memory by the kernel, so reading them keeps nobody waiting for a disk.

use std::fs;
use std::net::SocketAddr;

/// Packets that the UDP socket at `listen` had no room for.
pub(super) fn udp_drops(listen: SocketAddr) -> Option<u64> {
    let table = if listen.is_ipv4() { "/proc/net/udp" } else { "/proc/net/udp6" };
    drops_of_port(&fs::read_to_string(table).ok()?, listen.port())
}

/// Memory of this process that is in use, in bytes.
pub(super) fn resident_bytes() -> Option<u64> {
    resident(&fs::read_to_string("/proc/self/status").ok()?)
}

/// The last column of the port's line: `sl local_address rem_address … drops`, the port in hexadecimal.
fn drops_of_port(table: &str, port: u16) -> Option<u64> {
    let mut lines = table.lines().skip(1).filter(|line| {
        let local = line.split_whitespace().nth(1).and_then(|address| address.rsplit(':').next());
        local.and_then(|port| u16::from_str_radix(port, 16).ok()) == Some(port)
    });
    lines.next()?.split_whitespace().next_back()?.parse().ok()
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_tables_are_read() {
        let table = "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode \
                     ref pointer drops\n\
                     1: 0100007F:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 5 2 0 1\n\
                     2: 00000000:1E61 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 6 2 0 42\n";
        assert_eq!(drops_of_port(table, 7777), Some(42));
        assert_eq!(drops_of_port(table, 53), Some(1));
        assert_eq!(drops_of_port(table, 54), None);
        assert_eq!(resident("Name:\tx\nVmRSS:\t    12 kB\n"), Some(12_288));
        assert_eq!(resident("VmRSS: much"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_found() {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        assert_eq!(udp_drops(socket.local_addr().unwrap()), Some(0));
        assert!(resident_bytes().unwrap() > 0);
    }
}
