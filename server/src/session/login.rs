//! Whether a client may come in: its version, its key's account, or a new account by invitation.

use crate::hall::Hall;
use crate::network::Network;
use crate::newcomers::Fruitless;
use crate::store::{Account, InviteError, RegisterError, Registration};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::{List, Text};
use chatrang_protocol::hello::{Denial, Hello, Welcome};
use chatrang_protocol::ids::AccountId;
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::key::PublicKey;
use chatrang_protocol::net::tls::peer_key;
use chatrang_protocol::version;
use std::time::Duration;
use tokio::time::Instant;
use tracing::{info, warn};

/// Optional abilities of this server: none so far.
const FEATURES: u64 = 0;

/// Decides on one client.
pub(super) struct Doorkeeper<'a> {
    pub(super) hall: &'a Hall,
    pub(super) connection: &'a quinn::Connection,
}

impl Doorkeeper<'_> {
    /// Lets the client in, with its account, or says why not.
    pub(super) async fn decide(&self, hello: &Hello) -> Result<(Welcome, Account), Denial> {
        let minor = common_minor(hello)?;
        if self.hall.stop.is_cancelled() {
            return Err(Denial::ServerStopping);
        }
        let account = self.account(hello).await?;
        let welcome = Welcome {
            minor,
            features: hello.features & FEATURES,
            agent: Text::cut(version::AGENT),
            account: account.id,
            handle: account.handle.clone(),
            role: account.role,
        };
        Ok((welcome, account))
    }

    /// Whether the client's key still opens the account that it was let in with.
    ///
    /// To be asked when the account's connections are counted with this one among them: a key that loses its
    /// account later takes them all with it ([`Lobby::revoke`](crate::lobby::Lobby::revoke)), and one that lost it
    /// between the look at its account and the entry would stay for ever.
    pub(super) async fn still_opens(&self, account: AccountId) -> Result<bool, Denial> {
        let found = match peer_key(self.connection) {
            Some(key) => self.account_of(key).await?,
            None => None,
        };
        Ok(found.is_some_and(|found| found.id == account))
    }

    /// The account of the client's key, made now if it has none and may have one.
    async fn account(&self, hello: &Hello) -> Result<Account, Denial> {
        // TLS has asked for a key and checked it; without one there is no connection.
        let key = peer_key(self.connection).ok_or(Denial::InviteNeeded)?;
        if let Some(account) = self.account_of(key).await? {
            return Ok(account);
        }
        let network = Network::of(self.connection.remote_address().ip());
        // Before any code is looked at: whoever guesses is counted.
        let ticket = self.hall.newcomers.admit(network, Instant::now()).map_err(come_back_in)?;
        if let Some(account) = self.relinked(hello, key).await? {
            ticket.give_back(Fruitless::Unlucky);
            return Ok(account);
        }
        let Some(handle) = hello.handle.clone() else {
            ticket.give_back(self.blame_for(hello.invite).await);
            return Err(Denial::HandleNeeded);
        };
        let registration = Registration {
            key,
            handle,
            invite: hello.invite,
            mode: self.hall.registration,
            now_unix_ms: self.hall.timeline.unix_ms(),
        };
        let account = match self.hall.store.register(registration).await {
            Ok(account) => account,
            Err(error) => {
                ticket.give_back(blame(&error));
                return Err(denial(error));
            }
        };
        info!(player = %account.handle, role = %account.role, "new account");
        Ok(account)
    }

    /// The account that a key opens.
    async fn account_of(&self, key: PublicKey) -> Result<Option<Account>, Denial> {
        self.hall.store.account_by_key(key).await.map_err(|error| {
            warn!(%error, "the store did not give an account");
            Denial::StoreUnavailable
        })
    }

    /// Whether somebody without a name has come with a code that is none.
    async fn blame_for(&self, code: Option<InviteCode>) -> Fruitless {
        let Some(code) = code else { return Fruitless::Unlucky };
        match self.hall.store.invite(code, self.hall.timeline.unix_ms()).await {
            Ok(_) | Err(InviteError::Store(_)) => Fruitless::Unlucky,
            Err(
                InviteError::Unknown
                | InviteError::Expired
                | InviteError::UsedUp
                | InviteError::UsedUpWithoutGame,
            ) => Fruitless::BadCode,
        }
    }

    /// The account that the client's code gives this key, in place of those that it had.
    async fn relinked(&self, hello: &Hello, key: PublicKey) -> Result<Option<Account>, Denial> {
        let Some(code) = hello.invite else { return Ok(None) };
        let now_unix_ms = self.hall.timeline.unix_ms();
        let relinked = self.hall.store.relink(code, key, now_unix_ms).await.map_err(|error| {
            warn!(%error, "the store did not give an account a new key");
            Denial::StoreUnavailable
        })?;
        if let Some(account) = &relinked {
            warn!(player = %account.handle, "an account has a new key, and its old ones open it no more");
            // Whoever came in with one of those may be anybody.
            self.hall.lobby.revoke(account.id);
        }
        Ok(relinked)
    }
}

/// There are as many newcomers as there may be.
fn come_back_in(wait: Duration) -> Denial {
    let seconds = wait.as_secs().saturating_add(1);
    Denial::TooManyNewcomers { retry_seconds: u32::try_from(seconds).unwrap_or(u32::MAX) }
}

/// Whether a fruitless registration counts: codes are not to be guessed.
fn blame(error: &RegisterError) -> Fruitless {
    match error {
        RegisterError::InviteUnknown | RegisterError::InviteExpired | RegisterError::InviteUsedUp => {
            Fruitless::BadCode
        }
        RegisterError::HandleTaken { .. }
        | RegisterError::HandleResembles { .. }
        | RegisterError::HandleReserved
        | RegisterError::InviteNeeded
        | RegisterError::Closed
        | RegisterError::KeyHasAccount
        | RegisterError::Store(_) => Fruitless::Unlucky,
    }
}

/// The minor version that both sides speak.
fn common_minor(hello: &Hello) -> Result<u16, Denial> {
    if hello.minor < version::MINOR_MIN {
        return Err(Denial::ClientTooOld { server_minor_min: version::MINOR_MIN });
    }
    if hello.minor_min > version::MINOR {
        return Err(Denial::ServerTooOld { server_minor: version::MINOR });
    }
    Ok(hello.minor.min(version::MINOR))
}

fn denial(error: RegisterError) -> Denial {
    match error {
        RegisterError::HandleTaken { suggestions } => {
            Denial::HandleTaken { suggestions: List::cut(suggestions) }
        }
        RegisterError::HandleResembles { taken, suggestions } => {
            Denial::HandleResembles { taken, suggestions: List::cut(suggestions) }
        }
        RegisterError::HandleReserved => Denial::HandleReserved,
        RegisterError::InviteNeeded => Denial::InviteNeeded,
        RegisterError::InviteUnknown => Denial::InviteUnknown,
        RegisterError::InviteExpired => Denial::InviteExpired,
        RegisterError::InviteUsedUp => Denial::InviteUsedUp,
        RegisterError::Closed => Denial::RegistrationClosed,
        RegisterError::KeyHasAccount | RegisterError::Store(_) => Denial::StoreUnavailable,
    }
}

/// How the connection closes after a denial.
pub(super) fn close_code(denial: &Denial) -> CloseCode {
    match denial {
        Denial::ClientTooOld { .. } => CloseCode::ClientTooOld,
        Denial::ServerTooOld { .. } => CloseCode::ClientTooNew,
        Denial::ServerFull | Denial::TooManyConnections => CloseCode::Full,
        Denial::TooManyNewcomers { .. } => CloseCode::TooMany,
        Denial::ServerStopping => CloseCode::ServerStopping,
        Denial::StoreUnavailable => CloseCode::Internal,
        Denial::InviteNeeded
        | Denial::InviteUnknown
        | Denial::InviteExpired
        | Denial::InviteUsedUp
        | Denial::HandleNeeded
        | Denial::HandleTaken { .. }
        | Denial::HandleResembles { .. }
        | Denial::HandleReserved
        | Denial::RegistrationClosed => CloseCode::NotWelcome,
    }
}
