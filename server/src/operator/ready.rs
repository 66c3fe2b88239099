//! `chatrangd ready`: asks a running server whether it serves players, for containers and monitors that
//! have no other program to ask with.

use crate::limits::{METRICS_REQUEST_BYTES_MAX, METRICS_SECONDS_MAX};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// What the server at a metrics address says of itself; none when it is ready.
///
/// # Errors
/// The system's, when nobody answers.
pub(super) fn obstacle(address: SocketAddr) -> io::Result<Option<String>> {
    let patience = Duration::from_secs(METRICS_SECONDS_MAX);
    let mut stream = TcpStream::connect_timeout(&address, patience)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    stream.write_all(b"GET /ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut said = Vec::new();
    stream.take(METRICS_REQUEST_BYTES_MAX as u64).read_to_end(&mut said)?;
    let said = String::from_utf8_lossy(&said);
    let (head, body) = said.split_once("\r\n\r\n").unwrap_or((&said, ""));
    if head.starts_with("HTTP/1.1 200 ") {
        return Ok(None);
    }
    let why: String = body.trim().chars().filter(|letter| !letter.is_control()).collect();
    Ok(Some(if why.is_empty() { "it gives no reason".to_owned() } else { why }))
}
