//! The operator's commands beside serving: they work on the data directory of a server that runs, and
//! of one that has stopped.

mod audit;
mod check;
mod export;
mod invitation;
mod ready;

use crate::config::{Command, Config, Face};
use crate::date::Date;
use crate::keys::KeysError;
use crate::store::{
    self, Account, AccountBook, BackupError, NO_SUCH_ACCOUNT, OpenError, RelinkError, SetRoleError,
    StoreFailure,
};
use check::{Checked, Fault};
use export::{Choice, Stage};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why a command is not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The data directory.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The role.
    #[error(transparent)]
    SetRole(#[from] SetRoleError),
    /// The account that is to have a new key.
    #[error(transparent)]
    Relink(#[from] RelinkError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreFailure),
    /// The backup.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The keys.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// There are none.
    #[error("the server has no keys yet: start it once, and then make a line")]
    NoKeys,
    /// The owner is not invited.
    #[error("nobody is invited as owner: invite a player, and then run chatrangd role NAME owner")]
    OwnerInvite,
    /// Too many uses, or none.
    #[error("an invite is for 1 to {max} newcomers: say how many with --uses", max = crate::limits::INVITE_USES_MAX)]
    Uses,
    /// The code is in use: once in a very long while.
    #[error("the code that was drawn is in use: try again")]
    CodeTaken,
    /// Where players reach the server cannot be told.
    #[error("{0}: say where players reach the server with --address HOST:PORT")]
    Address(String),
    /// Nobody has that name.
    #[error("{NO_SUCH_ACCOUNT}")]
    NoPlayer,
    /// What was found to be wrong.
    #[error(
        "{0} faults were found: restore a backup, or keep this copy of the directory and ask for help with it"
    )]
    Faults(u64),
    /// Games that cannot be exported.
    #[error("{0} damaged games were left out: chatrangd check names them")]
    LeftOut(u64),
    /// An export of what a damaged log still tells.
    #[error("all that can be read was written, but {0}")]
    CutShort(OpenError),
    /// The file to be written.
    #[error("{} cannot be written: {source}; name a file that does not exist", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// The server does not serve.
    #[error("the server is not ready: {0}")]
    NotReady(String),
    /// No server could be asked.
    #[error("no server shows metrics at {0}: start it with --metrics, and name the same address here")]
    NoMetrics(String),
    /// What was to be said found no reader.
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

impl CommandError {
    /// Whether the store is at fault, and not what the operator wrote.
    pub fn is_store(&self) -> bool {
        match self {
            Self::Open(error) | Self::Backup(BackupError::Open(error)) => {
                !matches!(error, OpenError::Directory { .. })
            }
            Self::SetRole(error) => matches!(error, SetRoleError::Store(_)),
            Self::Relink(error) => matches!(error, RelinkError::Store(_)),
            Self::Backup(error) => !matches!(error, BackupError::Exists { .. } | BackupError::Target { .. }),
            Self::Store(_) | Self::Faults(_) | Self::LeftOut(_) | Self::CutShort(_) | Self::NotReady(_) => {
                true
            }
            _ => false,
        }
    }

    /// Whether whoever was to read the answer has had enough of it, which is no fault.
    pub fn is_hang_up(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Carries a command out, and writes what there is to say in the face that was asked for.
///
/// # Errors
/// [`CommandError`]; nothing has changed then.
pub fn carry_out(command: &Command, config: &Config, out: &mut dyn Write) -> Result<(), CommandError> {
    let dir = &config.data_dir;
    let mut teller = Teller { face: config.face, out };
    match command {
        Command::Accounts => {
            for account in AccountBook::open(dir)?.accounts()? {
                teller.say(&Answer::account(account))?;
            }
        }
        Command::Role { handle, role } => {
            AccountBook::open(dir)?.set_role(handle, *role)?;
            teller.say(&Answer::Role { handle: handle.to_string(), role: role.as_str() })?;
        }
        Command::Invite { role, uses, address } => {
            let line = invitation::invite(config, *role, *uses, address.as_deref())?;
            let (line, expires_unix_ms) = (line.line, line.expires_unix_ms);
            teller.say(&Answer::Invite { line, role: role.as_str(), uses: *uses, expires_unix_ms })?;
        }
        Command::Relink { handle, address } => {
            let (handle, line) = invitation::relink(config, handle, address.as_deref())?;
            let (line, expires_unix_ms) = (line.line, line.expires_unix_ms);
            teller.say(&Answer::Relink { handle: handle.to_string(), line, expires_unix_ms })?;
        }
        Command::Check => check::check(dir, &mut teller)?,
        Command::Backup { file } => {
            let bytes = store::backup(dir, file)?;
            teller.say(&Answer::Backup { file: file.display().to_string(), bytes })?;
        }
        Command::Export { output, unfinished, player, since } => {
            let stage = if *unfinished { Stage::Begun } else { Stage::Finished };
            let choice = Choice { player: player.clone(), since: *since, stage };
            match output {
                None => drop(export::export(dir, &choice, teller.out)?),
                Some(path) => {
                    let games = export_to_file(dir, &choice, path)?;
                    teller.say(&Answer::Export { file: path.display().to_string(), games })?;
                }
            }
        }
        Command::Ready { metrics } => {
            let unreachable = |what: &str| CommandError::NoMetrics(what.to_owned());
            let address = metrics.or(config.metrics).ok_or_else(|| unreachable("any address"))?;
            match ready::obstacle(address) {
                Ok(None) => teller.say(&Answer::Ready)?,
                Ok(Some(why)) => return Err(CommandError::NotReady(why)),
                Err(error) => return Err(unreachable(&format!("{address} ({error})"))),
            }
        }
    }
    teller.out.flush()?;
    Ok(())
}

/// Exports into a new file; one that is not finished is none.
fn export_to_file(dir: &Path, choice: &Choice, path: &Path) -> Result<u64, CommandError> {
    let failed = |source| CommandError::File { path: path.to_owned(), source };
    let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    let mut out = BufWriter::new(&file);
    let exported = export::export(dir, choice, &mut out);
    drop(out);
    match exported {
        // Without what is damaged it is still all that can be had.
        Err(error @ (CommandError::LeftOut(_) | CommandError::CutShort(_))) => {
            file.sync_all().map_err(failed).and(Err(error))
        }
        Ok(games) => file.sync_all().map_err(failed).map(|()| games),
        Err(error) => {
            // It was made here. What is wrong already has a name.
            let _ = std::fs::remove_file(path);
            Err(match error {
                CommandError::Output(source) => failed(source),
                other => other,
            })
        }
    }
}

/// Says things in the face that was asked for.
struct Teller<'a> {
    face: Face,
    out: &'a mut dyn Write,
}

impl Teller<'_> {
    fn say(&mut self, answer: &Answer) -> Result<(), CommandError> {
        Ok(writeln!(self.out, "{}", answer.line(self.face))?)
    }

    /// A fault, at once: a check may take long.
    fn fault(&mut self, fault: &Fault) -> Result<(), CommandError> {
        match self.face {
            Face::Text => writeln!(self.out, "{}", fault.sentence())?,
            Face::Json => self.say(&Answer::Fault(fault))?,
        }
        Ok(self.out.flush()?)
    }

    fn checked(&mut self, checked: &Checked) -> Result<(), CommandError> {
        self.say(&Answer::Checked(*checked))
    }
}

/// A line of the answer.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Answer<'a> {
    Account { account: u64, handle: String, role: &'static str, created_unix_ms: u64 },
    Role { handle: String, role: &'static str },
    Invite { line: String, role: &'static str, uses: u32, expires_unix_ms: u64 },
    Relink { handle: String, line: String, expires_unix_ms: u64 },
    Fault(&'a Fault),
    Checked(Checked),
    Backup { file: String, bytes: u64 },
    Export { file: String, games: u64 },
    Ready,
}

impl Answer<'_> {
    fn account(account: Account) -> Self {
        let Account { id, handle, role, created_unix_ms } = account;
        Self::Account { account: id.0, handle: handle.to_string(), role: role.as_str(), created_unix_ms }
    }

    fn line(&self, face: Face) -> String {
        match face {
            // Texts and whole numbers always have a JSON form.
            Face::Json => serde_json::to_string(self).unwrap_or_default(),
            Face::Text => self.sentence(),
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::Account { account, handle, role, .. } => format!("{account:>6}  {handle:<20}  {role}"),
            Self::Role { handle, role } => format!("{handle} is {role} from now on."),
            Self::Invite { line, role, uses, expires_unix_ms } => format!(
                "Until {}, {uses} newcomer(s) become {role} with this line:\n\n    chatrang join {line}\n",
                Date::of_unix_ms(*expires_unix_ms)
            ),
            Self::Relink { handle, line, expires_unix_ms } => format!(
                "Give this line to {handle} and to nobody else. Until {} the first new key that joins with it opens \
                 the account, and the old keys open it no more:\n\n    chatrang join {line}\n",
                Date::of_unix_ms(*expires_unix_ms)
            ),
            Self::Fault(fault) => fault.sentence(),
            Self::Checked(Checked { accounts, finished_games, games_in_play, events, faults }) => format!(
                "{accounts} accounts, {finished_games} finished games, {games_in_play} in play, {events} sound \
                 events, {faults} faults."
            ),
            Self::Backup { file, bytes } => format!(
                "The database is copied to {file} ({bytes} bytes) and looked over. Keep a copy of server.key and \
                 endpoint.keys with it: they never change, and are not in it."
            ),
            Self::Export { file, games } => format!("{games} games are written to {file}."),
            Self::Ready => "The server is ready.".to_owned(),
        }
    }
}
