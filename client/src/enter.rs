//! Getting in: which key the server must have, which name the player gets, and what it means when he is
//! not let in.

use crate::cli::Options;
use crate::config::Settings;
use crate::fault::{Exit, Fault};
use crate::identity;
use crate::trust::{self, KnownServers};
use chatrang_protocol::client::connect::{ConnectError, Knock};
use chatrang_protocol::client::{CallError, Client, Pin, Settings as ClientSettings};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::hello::Denial;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::invite::{HostPort, InviteCode, ServerAddress};
use chatrang_protocol::key::{Fingerprint, SecretKey};
use chatrang_protocol::reply::RequestError;
use std::io::{self, BufRead, IsTerminal, Write};
use std::time::SystemTime;

/// How often another name is tried when one is taken.
const NAMES_TRIED_MAX: usize = 3;

/// A player who is in.
pub struct Entrance {
    /// His connection.
    pub client: Client,
    /// What he should know about how he came in, in whole sentences.
    pub remarks: Vec<String>,
}

/// Enters a server that others run: checks its key against what is known, or learns it.
///
/// # Errors
/// A [`Fault`] with the exit code that the reason has.
pub async fn enter(
    server: &ServerAddress,
    key: SecretKey,
    known: &mut KnownServers,
    options: &Options,
    settings: &Settings,
) -> Result<Entrance, Fault> {
    let address = first_address(server).clone();
    let before = known.find(&address).cloned();
    let pinned = before.as_ref().and_then(trust::KnownServer::fingerprint);
    let given = server.fingerprint();
    if let (Some(before), Some(pinned), Some(given)) = (&before, pinned, given)
        && pinned != given
    {
        return Err(trust::key_changed(&address, before, &given.to_string()));
    }
    let handle_before = before.as_ref().and_then(|server| Handle::new(server.handle.as_deref()?).ok());
    let mut client_settings = ClientSettings::new(server.clone(), key);
    client_settings.pin = given.or(pinned).map_or(Pin::Learn, Pin::Fingerprint);
    client_settings.handle = first_handle(options, handle_before, settings);
    let mut remarks = Vec::new();

    let knock = Knock::new(client_settings.clone()).await.map_err(|error| match (error, &before) {
        (ConnectError::ServerKeyChanged { presented, .. }, Some(before)) => {
            trust::key_changed(&address, before, &presented.to_string())
        }
        (error, _) => connect_fault(&error),
    })?;
    let fingerprint = knock.fingerprint();
    if client_settings.pin == Pin::Learn {
        confirm_new_server(&address, fingerprint, options)?;
        remarks.push(format!("{address} has the key {fingerprint}, which is remembered from now on."));
        client_settings.pin = Pin::Fingerprint(fingerprint);
    }
    // Before the hello: the key is the right one, whether or not the player is let in.
    known.learn(&address, fingerprint, SystemTime::now())?;
    let client = enter_by_some_name(knock, client_settings, options, &mut remarks).await?;
    known.entered(&address, &client.welcome().handle)?;
    Ok(Entrance { client, remarks })
}

/// Enters the own server, whose key is known from itself.
///
/// # Errors
/// A [`Fault`] with the exit code that the reason has.
pub async fn enter_own(
    server: ServerAddress,
    invite: Option<InviteCode>,
    key: SecretKey,
    options: &Options,
    settings: &Settings,
) -> Result<Entrance, Fault> {
    let mut client_settings = ClientSettings::new(server, key);
    client_settings.invite = invite;
    client_settings.handle = first_handle(options, None, settings);
    let mut remarks = Vec::new();
    let knock = Knock::new(client_settings.clone()).await.map_err(|error| connect_fault(&error))?;
    let client = enter_by_some_name(knock, client_settings, options, &mut remarks).await?;
    Ok(Entrance { client, remarks })
}

/// The address under which a server is known.
pub fn first_address(server: &ServerAddress) -> &HostPort {
    &server.addresses()[0]
}

/// What a failed or lost connection means for the program.
pub fn connect_fault(error: &ConnectError) -> Fault {
    let (exit, hint) = match error {
        ConnectError::UnknownHost { .. } => (Exit::Unreachable, "check the address and your network"),
        ConnectError::Unreachable { .. } => (
            Exit::Unreachable,
            "ask whoever runs it whether it does, and whether its UDP port is open to you",
        ),
        ConnectError::NoSocket(_) => (Exit::Unreachable, "check the network settings of this machine"),
        ConnectError::ServerKeyChanged { .. } => {
            (Exit::ServerKeyChanged, "ask whoever sent you the line for the right one")
        }
        ConnectError::OtherProtocol => (Exit::VersionMismatch, "update both and try again"),
        ConnectError::Denied(denial) => denial_exit(denial),
        ConnectError::Closed(CloseCode::ClientTooOld | CloseCode::ClientTooNew)
        | ConnectError::ClosedUnknown(_)
        | ConnectError::Unreadable(_) => {
            (Exit::VersionMismatch, "update chatrang, or ask the operator to update chatrangd")
        }
        ConnectError::Closed(CloseCode::NotWelcome | CloseCode::Revoked) => {
            (Exit::NotLetIn, "ask the server's operator for a new invite line")
        }
        ConnectError::Closed(CloseCode::Replaced) => {
            (Exit::Other, "go on where you started chatrang last, or close it there")
        }
        ConnectError::Closed(_) => (Exit::Unreachable, "try again in a moment"),
        ConnectError::BadKey(_) => (Exit::LocalFile, "run chatrang identity show to see where your key lies"),
    };
    Fault::new(exit, error.to_string(), hint)
}

/// What a failed call means for the program.
pub fn call_fault(error: &CallError) -> Fault {
    match error {
        CallError::Closed(error) => connect_fault(error),
        CallError::Refused(refused) => {
            Fault::new(request_exit(refused), refused.to_string(), request_hint(refused))
        }
        CallError::NotOpened(error) => {
            Fault::new(Exit::NotNow, error.to_string(), "run chatrang games to see which games there are")
        }
        CallError::ConnectionLost => {
            Fault::new(Exit::Unreachable, error.to_string(), "try again in a moment")
        }
        CallError::TooManyGames | CallError::Left => Fault::new(Exit::NotNow, error.to_string(), "try again"),
        CallError::Unexpected => Fault::new(
            Exit::VersionMismatch,
            error.to_string(),
            "update chatrang, or ask the operator to update chatrangd",
        ),
    }
}

fn request_exit(error: &RequestError) -> Exit {
    match error {
        RequestError::NoSuchInvite | RequestError::InviteExpired | RequestError::InviteUsedUp => {
            Exit::NotLetIn
        }
        RequestError::Unsupported => Exit::VersionMismatch,
        _ => Exit::NotNow,
    }
}

fn request_hint(error: &RequestError) -> &'static str {
    match error {
        RequestError::NoSuchInvite | RequestError::InviteExpired | RequestError::InviteUsedUp => {
            "ask your friend for a new line"
        }
        RequestError::Unsupported => "ask the operator to update chatrangd",
        RequestError::OpponentAway => "ask your friend to start chatrang again, then use the same line",
        RequestError::Yourself => "send the line to a friend, who joins with it",
        RequestError::NoSuchPlayer => "check the spelling of the name",
        RequestError::BlocksYourself => "name somebody else",
        RequestError::TooManyBlocks => "run chatrang blocks to see whom you block",
        RequestError::Blocked => "play somebody else, or unblock him if it was you",
        RequestError::NotOwner => "ask an owner of the server",
        RequestError::NotArbiter => "ask an owner of the server for the role of an arbiter",
        RequestError::LastOwner => "make somebody else owner first",
        RequestError::TooManyGames => "finish a game: chatrang play goes on with one",
        _ => "try again later",
    }
}

fn denial_exit(denial: &Denial) -> (Exit, &'static str) {
    match denial {
        Denial::ClientTooOld { .. } => (Exit::VersionMismatch, "update chatrang"),
        Denial::ServerTooOld { .. } => (Exit::VersionMismatch, "ask the operator to update chatrangd"),
        Denial::ServerFull | Denial::ServerStopping | Denial::StoreUnavailable => {
            (Exit::NotNow, "try again in a minute")
        }
        Denial::TooManyNewcomers { .. } => (Exit::NotNow, "try again then"),
        Denial::HandleNeeded
        | Denial::HandleTaken { .. }
        | Denial::HandleResembles { .. }
        | Denial::HandleReserved => (Exit::NotLetIn, "choose another name with --name"),
        _ => (Exit::NotLetIn, "ask the server's operator for an invite line, and join with it"),
    }
}

/// The name to ask for: of the command line, of the last visit, of the settings, of the system.
fn first_handle(options: &Options, before: Option<Handle>, settings: &Settings) -> Option<Handle> {
    let user = || identity::suggest_handle(&std::env::var("USER").unwrap_or_default());
    options.name.clone().or(before).or_else(|| settings.handle()).or_else(user)
}

/// Says hello, with a name that the server suggests when the first one is taken; a name of the command
/// line is asked for as it is, or not at all.
async fn enter_by_some_name(
    knock: Knock,
    mut settings: ClientSettings,
    options: &Options,
    remarks: &mut Vec<String>,
) -> Result<Client, Fault> {
    let mut entered = knock.enter().await;
    for _ in 0..NAMES_TRIED_MAX {
        let Err(ConnectError::Denied(
            Denial::HandleTaken { suggestions } | Denial::HandleResembles { suggestions, .. },
        )) = &entered
        else {
            break;
        };
        let (Some(free), None) = (suggestions.first().cloned(), &options.name) else { break };
        let taken = settings.handle.replace(free.clone());
        let taken = taken.map_or_else(String::new, |handle| handle.to_string());
        remarks
            .push(format!("The name {taken} is not free there: you are {free}. Choose another with --name."));
        entered = Client::connect(settings.clone()).await;
    }
    entered.map_err(|error| connect_fault(&error))
}

/// Asks once whether a server that shows its key for the first time is the right one.
fn confirm_new_server(address: &HostPort, fingerprint: Fingerprint, options: &Options) -> Result<(), Fault> {
    if options.trust_new {
        return Ok(());
    }
    let untrusted = || {
        Fault::new(
            Exit::NotLetIn,
            format!("this machine does not know {address} yet; it shows the key {fingerprint}"),
            "join with the whole invite line, or add --trust-new if this is the right key",
        )
    };
    if options.json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(untrusted());
    }
    eprintln!("This machine does not know {address} yet. It shows the key\n\n    {fingerprint}\n");
    eprint!("Its operator can tell you whether that is right. Go on and remember it? [y/N] ");
    let mut answer = String::new();
    let read = io::stderr().flush().and_then(|()| io::stdin().lock().read_line(&mut answer));
    match (read, answer.trim().to_ascii_lowercase().as_str()) {
        (Ok(_), "y" | "yes") => Ok(()),
        _ => Err(untrusted()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_protocol::codec::List;

    #[test]
    fn every_reason_has_its_exit_code() {
        let address = "192.0.2.7:7777".parse().unwrap();
        let unreachable = ConnectError::Unreachable { address, why: "timed out".to_owned() };
        for (error, exit) in [
            (unreachable, Exit::Unreachable),
            (ConnectError::OtherProtocol, Exit::VersionMismatch),
            (ConnectError::Denied(Denial::ClientTooOld { server_minor_min: 3 }), Exit::VersionMismatch),
            (ConnectError::Denied(Denial::InviteNeeded), Exit::NotLetIn),
            (ConnectError::Denied(Denial::HandleTaken { suggestions: List::default() }), Exit::NotLetIn),
            (ConnectError::Denied(Denial::ServerFull), Exit::NotNow),
            (ConnectError::Closed(CloseCode::Revoked), Exit::NotLetIn),
            (ConnectError::Closed(CloseCode::ServerStopping), Exit::Unreachable),
            (ConnectError::BadKey("no".to_owned()), Exit::LocalFile),
        ] {
            let fault = connect_fault(&error);
            assert_eq!(fault.exit, exit, "{error}");
            assert!(!fault.hint.is_empty());
        }
        for (error, exit) in [
            (CallError::Refused(RequestError::InviteUsedUp), Exit::NotLetIn),
            (CallError::Refused(RequestError::TooManyGames), Exit::NotNow),
            (CallError::ConnectionLost, Exit::Unreachable),
        ] {
            assert_eq!(call_fault(&error).exit, exit, "{error}");
        }
    }
}
