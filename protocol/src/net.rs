//! Sockets and TLS: the parts that need an async runtime (feature `net`).

pub mod dial;
pub mod endpoint;
#[cfg(test)]
pub(crate) mod loopback;
pub mod route;
pub mod stream;
pub mod tls;
