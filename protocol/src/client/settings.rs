//! Whom a client calls, and as whom.

use crate::client::chance::Chance;
use crate::ids::Handle;
use crate::invite::{InviteCode, ServerAddress};
use crate::key::SecretKey;
use crate::net::tls::Pin;
use crate::version;
use std::sync::Arc;

/// Whom to call, and as whom.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the server is. Its key and the code to come in with are taken from the fields below, so
    /// that a pin learned earlier can stand beside an address without one.
    pub server: ServerAddress,
    /// Which key the server must have.
    pub pin: Pin,
    /// Who the client is.
    pub key: Arc<SecretKey>,
    /// The program's name and version, for the operator's eyes.
    pub agent: String,
    /// The name to register under, if the server does not know the key yet.
    pub handle: Option<Handle>,
    /// The invitation to register with, if the server wants one.
    pub invite: Option<InviteCode>,
    /// Where its random numbers come from.
    pub chance: Chance,
}

impl Settings {
    /// What an invite line says: its address, its fingerprint as the pin, its code. Without a
    /// fingerprint the first key that answers is taken and pinned.
    pub fn new(server: ServerAddress, key: SecretKey) -> Self {
        Self {
            pin: server.fingerprint().map_or(Pin::Learn, Pin::Fingerprint),
            invite: server.code(),
            key: Arc::new(key),
            agent: version::AGENT.to_owned(),
            handle: None,
            chance: Chance::from_system(),
            server,
        }
    }

    /// The same with a name to register under.
    #[must_use]
    pub fn with_handle(self, handle: Handle) -> Self {
        Self { handle: Some(handle), ..self }
    }
}
