//! The accounts as the operator sees and changes them from the command line, whether or not a server
//! runs on the data directory.
//!
//! A running server asks the database for a role whenever it needs one, and SQLite lets one writer in
//! after the other: so a change counts from the next request on, and hinders nobody.

use super::connection::connect;
use super::data_dir::existing_database;
use super::migrations::{self, MigrationError};
use super::players::{self, Account, SetRoleError};
use super::{
    CreateInviteError, OpenError, RelinkError, StoreFailure, invites, refuse_damaged_log_of_nobody, relink,
};
use chatrang_protocol::ids::Handle;
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::role::Role;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// The accounts of a data directory.
#[derive(Debug)]
pub struct AccountBook(Connection);

impl AccountBook {
    /// Opens the accounts of a data directory that a server has made.
    ///
    /// # Errors
    /// [`OpenError`]; a directory without a database is none of a server, and none is made. A damaged
    /// write-ahead log is refused as the server does, and left as it is.
    pub fn open(dir: &Path) -> Result<Self, OpenError> {
        let path = existing_database(dir)?;
        refuse_damaged_log_of_nobody(dir, &path)?;
        let open = || -> Result<Connection, MigrationError> {
            let connection = connect(&path)?;
            migrations::check(&connection)?;
            // Checkpoints are the server's business, which examines the log first when it starts.
            connection.pragma_update(None, "wal_autocheckpoint", 0)?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            Ok(connection)
        };
        open().map(Self).map_err(|error| OpenError::of(error, &path))
    }

    /// All accounts, by number.
    ///
    /// # Errors
    /// [`StoreFailure`] when they cannot be read.
    pub fn accounts(&self) -> Result<Vec<Account>, StoreFailure> {
        players::all(&self.0).map_err(|error| StoreFailure::of(&error))
    }

    /// Gives an account another role; it is on disk when this returns.
    ///
    /// # Errors
    /// [`SetRoleError`]; the role is as before.
    pub fn set_role(&mut self, handle: &Handle, role: Role) -> Result<(), SetRoleError> {
        self.change(|connection| players::set_role_of(connection, handle, role))
    }

    /// Stores `fresh` as the house's invite for so many to become what `role` says, good for
    /// [`INVITE_SECONDS_MAX`](chatrang_protocol::limits::INVITE_SECONDS_MAX).
    ///
    /// # Errors
    /// [`CreateInviteError`]; nothing is stored then.
    pub fn invite(
        &mut self,
        fresh: InviteCode,
        role: Role,
        uses: u32,
        now_unix_ms: u64,
    ) -> Result<(), CreateInviteError> {
        self.change(|connection| invites::create_for_house(connection, fresh, role, uses, now_unix_ms))
    }

    /// Stores `fresh` as a code that gives the account of a name a new key, good until then.
    ///
    /// # Errors
    /// [`RelinkError`]; nothing is stored then.
    pub fn relink(
        &mut self,
        handle: &Handle,
        fresh: InviteCode,
        expires_unix_ms: u64,
    ) -> Result<Account, RelinkError> {
        self.change(|connection| relink::create(connection, handle, fresh, expires_unix_ms))
    }

    /// Makes a change in a transaction of its own; it is on disk when this returns.
    fn change<T, E: From<StoreFailure>>(
        &mut self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<Result<T, E>>,
    ) -> Result<T, E> {
        let failed = |error: rusqlite::Error| E::from(StoreFailure::of(&error));
        let transaction = self.0.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let made = work(&transaction).map_err(failed)??;
        transaction.commit().map_err(failed)?;
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use crate::store::{Registration, RegistrationMode, Store, StoreOptions};
    use chatrang_protocol::invite::InviteCode;
    use chatrang_protocol::key::SecretKey;

    fn handle(text: &str) -> Handle {
        text.parse().unwrap()
    }

    #[tokio::test]
    async fn the_operator_gives_roles_while_the_server_runs_and_when_it_has_stopped() {
        let scratch = Scratch::new();
        assert!(matches!(AccountBook::open(scratch.path()), Err(OpenError::Directory { .. })));
        let store = Store::open(scratch.path(), StoreOptions::default()).unwrap();
        let code = InviteCode::from_random([1; 5]);
        store.owner_invite(code).await.unwrap();
        let mut ids = Vec::new();
        for name in ["Owner", "Zoe"] {
            let key = SecretKey::generate().unwrap().public_key();
            let mode = RegistrationMode::Open;
            let registration =
                Registration { key, handle: handle(name), invite: Some(code), mode, now_unix_ms: 0 };
            ids.push(store.register(registration).await.unwrap().id);
        }
        let mut book = AccountBook::open(scratch.path()).unwrap();
        assert_eq!(book.set_role(&handle("owner"), Role::Player), Err(SetRoleError::LastOwner));
        assert_eq!(book.set_role(&handle("nobody"), Role::Player), Err(SetRoleError::NoAccount));
        book.set_role(&handle("zoe"), Role::Arbiter).unwrap();
        assert_eq!(store.account(ids[1]).await.unwrap().unwrap().role, Role::Arbiter, "seen at once");
        store.close().await;
        book.set_role(&handle("Zoe"), Role::Owner).unwrap();
        let listed: Vec<_> = book.accounts().unwrap();
        assert_eq!(
            listed.iter().map(|account| (account.handle.as_str(), account.role)).collect::<Vec<_>>(),
            [("Owner", Role::Owner), ("Zoe", Role::Owner)]
        );
    }
}
