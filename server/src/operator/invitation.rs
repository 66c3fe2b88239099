//! `chatrangd invite` and `chatrangd relink`: lines with which somebody comes in.

use super::CommandError;
use crate::config::Config;
use crate::keys::ServerKeys;
use crate::limits::INVITE_USES_MAX;
use crate::random::Random;
use crate::reach;
use crate::store::{AccountBook, CreateInviteError};
use crate::timeline::unix_ms;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::invite::{Host, HostPort, InviteCode, ServerAddress};
use chatrang_protocol::limits::INVITE_SECONDS_MAX;
use chatrang_protocol::role::Role;

/// A line, and what it is good for.
#[derive(Debug)]
pub(super) struct Line {
    /// `HOST:PORT/FINGERPRINT/CODE`.
    pub(super) line: String,
    /// Until when, in milliseconds since 1970.
    pub(super) expires_unix_ms: u64,
}

/// Makes an invite for so many newcomers.
pub(super) fn invite(
    config: &Config,
    role: Role,
    uses: u32,
    address: Option<&str>,
) -> Result<Line, CommandError> {
    if role == Role::Owner {
        return Err(CommandError::OwnerInvite);
    }
    if !(1..=INVITE_USES_MAX).contains(&uses) {
        return Err(CommandError::Uses);
    }
    let draft = Draft::new(config, address)?;
    let mut book = AccountBook::open(&config.data_dir)?;
    book.invite(draft.code, role, uses, draft.now_unix_ms).map_err(|error| match error {
        CreateInviteError::Store(failure) => CommandError::Store(failure),
        CreateInviteError::CodeTaken => CommandError::CodeTaken,
    })?;
    Ok(draft.line)
}

/// Makes a line that gives the account of a name a new key; returns the name as its player writes it.
pub(super) fn relink(
    config: &Config,
    handle: &Handle,
    address: Option<&str>,
) -> Result<(Handle, Line), CommandError> {
    let draft = Draft::new(config, address)?;
    let account =
        AccountBook::open(&config.data_dir)?.relink(handle, draft.code, draft.line.expires_unix_ms)?;
    Ok((account.handle, draft.line))
}

/// A line whose code is not stored yet.
struct Draft {
    code: InviteCode,
    now_unix_ms: u64,
    line: Line,
}

impl Draft {
    fn new(config: &Config, address: Option<&str>) -> Result<Self, CommandError> {
        let keys = ServerKeys::read(&config.data_dir)?.ok_or(CommandError::NoKeys)?;
        let code = InviteCode::from_random(Random::from_system().bytes());
        let now_unix_ms = unix_ms();
        let expires_unix_ms = now_unix_ms + 1_000 * INVITE_SECONDS_MAX;
        let fingerprint = keys.identity.public_key().fingerprint();
        let line = ServerAddress::invite(vec![reachable(config, address)?], fingerprint, Some(code))
            .map_err(|error| CommandError::Address(error.to_string()))?
            .to_string();
        Ok(Self { code, now_unix_ms, line: Line { line, expires_unix_ms } })
    }
}

/// Where players reach the server: where the operator says, or else where it listens by its settings.
fn reachable(config: &Config, given: Option<&str>) -> Result<HostPort, CommandError> {
    let address = if let Some(given) = given {
        HostPort::with_default_port(given, config.listen.port())
    } else {
        let reached = reach::address(config.listen);
        HostPort::new(Host::Ip(reached.ip()), reached.port())
    };
    address.map_err(|error| CommandError::Address(error.to_string()))
}
