//! The operator's commands beside serving: they work on the data directory of a server that runs, and
//! of one that has stopped.

use crate::config::{Command, Config, Face};
use crate::store::{Account, AccountBook, OpenError, SetRoleError, StoreFailure};
use serde::Serialize;

/// Why a command is not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The data directory.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The role.
    #[error(transparent)]
    SetRole(#[from] SetRoleError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

impl CommandError {
    /// Whether the store is at fault, and not what the operator wrote.
    pub fn is_store(&self) -> bool {
        match self {
            Self::Open(error) => !matches!(error, OpenError::Directory { .. }),
            Self::SetRole(error) => matches!(error, SetRoleError::Store(_)),
            Self::Store(_) => true,
        }
    }
}

/// Carries a command out; returns what there is to say, in lines of the face that was asked for.
///
/// # Errors
/// [`CommandError`]; nothing has changed then.
pub fn carry_out(command: &Command, config: &Config) -> Result<Vec<String>, CommandError> {
    let mut book = AccountBook::open(&config.data_dir)?;
    let answers = match command {
        Command::Accounts => book.accounts()?.into_iter().map(Answer::account).collect(),
        Command::Role { handle, role } => {
            book.set_role(handle, *role)?;
            vec![Answer::Role { handle: handle.to_string(), role: role.as_str() }]
        }
    };
    Ok(answers.iter().map(|answer| answer.line(config.face)).collect())
}

/// A line of the answer.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Answer {
    Account { account: u64, handle: String, role: &'static str, created_unix_ms: u64 },
    Role { handle: String, role: &'static str },
}

impl Answer {
    fn account(account: Account) -> Self {
        let Account { id, handle, role, created_unix_ms } = account;
        Self::Account { account: id.0, handle: handle.to_string(), role: role.as_str(), created_unix_ms }
    }

    fn line(&self, face: Face) -> String {
        match (face, self) {
            // Texts and whole numbers always have a JSON form.
            (Face::Json, answer) => serde_json::to_string(answer).unwrap_or_default(),
            (Face::Text, Self::Account { account, handle, role, .. }) => {
                format!("{account:>6}  {handle:<20}  {role}")
            }
            (Face::Text, Self::Role { handle, role }) => format!("{handle} is {role} from now on."),
        }
    }
}
