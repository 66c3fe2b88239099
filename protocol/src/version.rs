//! Which version of the protocol a build speaks. The incompatible step is TLS's: its ALPN name.

/// The newest minor version this build speaks; each step only adds messages.
pub const MINOR: u16 = 1;

/// The oldest minor version of a peer that this build still speaks with.
pub const MINOR_MIN: u16 = 1;

/// The name of this build, as peers see it.
pub const AGENT: &str = concat!("chatrang ", env!("CARGO_PKG_VERSION"));
