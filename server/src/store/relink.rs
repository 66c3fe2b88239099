//! A new key for an account whose player has lost his: the operator gives a code, and the key that brings it
//! opens the account from then on; the old ones do no more.
//!
//! Such a code is an invite without a challenge that is reserved for an account.

use super::StoreFailure;
use super::handle::Store;
use super::invites::{self, StoredInvite};
use super::players::{self, Account, NO_SUCH_ACCOUNT};
use chatrang_protocol::ids::{AccountId, Handle};
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::key::PublicKey;
use chatrang_protocol::role::Role;
use rusqlite::{Connection, params};

/// Why there is no code for a new key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RelinkError {
    /// No such account.
    #[error("{NO_SUCH_ACCOUNT}")]
    NoAccount,
    /// The code is in use: once in a very long while.
    #[error("the code that was drawn is in use: try again")]
    CodeTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

impl Store {
    /// Gives the account for which `code` was made the key `key` in place of all that it had, and returns it;
    /// none, and nothing changed, when the code is no such code, or the key opens an account already.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read or written.
    pub async fn relink(
        &self,
        code: InviteCode,
        key: PublicKey,
        now_unix_ms: u64,
    ) -> Result<Option<Account>, StoreFailure> {
        // Most codes are invites, which cost no commit here.
        if self.read(move |connection| account_of(connection, code, now_unix_ms)).await?.is_none() {
            return Ok(None);
        }
        self.change(move |connection| {
            let Some(account) = account_of(connection, code, now_unix_ms)? else { return Ok(None) };
            if players::by_key(connection, key)?.is_some() {
                return Ok(None);
            }
            replace_keys(connection, account, key, now_unix_ms)?;
            connection.execute("UPDATE invites SET uses_left = 0 WHERE code = ?", [code.to_string()])?;
            players::by_id(connection, account)
        })
        .await
    }
}

/// Stores `code` for a new key of the account of a name, in place of any code it had for that.
pub(super) fn create(
    connection: &Connection,
    handle: &Handle,
    code: InviteCode,
    expires_unix_ms: u64,
) -> rusqlite::Result<Result<Account, RelinkError>> {
    let Some(account) = players::by_handle(connection, &handle.folded())? else {
        return Ok(Err(RelinkError::NoAccount));
    };
    let number = account.id.0.cast_signed();
    connection.execute("DELETE FROM invites WHERE challenge IS NULL AND reserved_for = ?", [number])?;
    if invites::exists(connection, code)? {
        return Ok(Err(RelinkError::CodeTaken));
    }
    let invite = StoredInvite {
        by: None,
        role: Role::Player,
        uses_left: 1,
        expires_unix_ms,
        challenge: None,
        reserved_for: Some(account.id),
    };
    invites::insert(connection, code, &invite)?;
    Ok(Ok(account))
}

/// The account for which a code was made that can be used now.
fn account_of(
    connection: &Connection,
    code: InviteCode,
    now_unix_ms: u64,
) -> rusqlite::Result<Option<AccountId>> {
    let found = invites::look_up(connection, code, now_unix_ms)?;
    Ok(found.ok().filter(|invite| invite.challenge.is_none()).and_then(|invite| invite.reserved_for))
}

fn replace_keys(
    connection: &Connection,
    account: AccountId,
    key: PublicKey,
    now_unix_ms: u64,
) -> rusqlite::Result<()> {
    let number = account.0.cast_signed();
    connection.execute("DELETE FROM keys WHERE account = ?", [number])?;
    connection
        .execute(
            "INSERT INTO keys (spki, account, added_unix_ms) VALUES (?, ?, ?)",
            params![key.to_spki(), number, now_unix_ms.cast_signed()],
        )
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use crate::store::{AccountBook, RegisterError, Registration, RegistrationMode, StoreOptions};
    use chatrang_protocol::key::SecretKey;

    const NOW: u64 = 1_000_000;

    fn code(number: u8) -> InviteCode {
        InviteCode::from_random([number; 5])
    }

    fn key() -> PublicKey {
        SecretKey::generate().unwrap().public_key()
    }

    #[tokio::test]
    async fn a_code_gives_an_account_one_new_key_and_takes_the_old_ones() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.path(), StoreOptions::default()).unwrap();
        let handle: Handle = "Zoe".parse().unwrap();
        let (old, new) = (key(), key());
        let newcomer = |key, name: &str, invite| Registration {
            key,
            handle: name.parse().unwrap(),
            invite,
            mode: RegistrationMode::Open,
            now_unix_ms: NOW,
        };
        let zoe = store.register(newcomer(old, "Zoe", None)).await.unwrap();
        let mut book = AccountBook::open(scratch.path()).unwrap();
        let nobody = book.relink(&"Nobody".parse().unwrap(), code(1), NOW + 10);
        assert_eq!(nobody, Err(RelinkError::NoAccount));
        book.relink(&handle, code(1), NOW + 10).unwrap();
        assert_eq!(book.relink(&handle, code(2), NOW + 10).unwrap().id, zoe.id);
        assert_eq!(store.relink(code(1), new, NOW).await, Ok(None), "a later code takes its place");
        assert_eq!(
            store.relink(code(2), old, NOW).await,
            Ok(None),
            "a key that has an account stays with it"
        );
        assert_eq!(store.relink(code(2), new, NOW + 10).await, Ok(None), "too late");
        assert_eq!(store.relink(code(2), new, NOW).await.unwrap().unwrap().id, zoe.id);
        assert_eq!(store.account_by_key(new).await.unwrap().unwrap().id, zoe.id);
        assert_eq!(store.account_by_key(old).await, Ok(None));
        assert_eq!(store.relink(code(2), key(), NOW).await, Ok(None), "once");
    }

    #[tokio::test]
    async fn a_code_for_a_new_key_makes_no_account_and_an_invite_opens_none() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.path(), StoreOptions::default()).unwrap();
        let registration = |name: &str, invite, mode| Registration {
            key: key(),
            handle: name.parse().unwrap(),
            invite: Some(invite),
            mode,
            now_unix_ms: NOW,
        };
        store.owner_invite(code(9)).await.unwrap();
        store.register(registration("Zoe", code(9), RegistrationMode::Invite)).await.unwrap();
        let mut book = AccountBook::open(scratch.path()).unwrap();
        book.relink(&"Zoe".parse().unwrap(), code(1), NOW + 10).unwrap();
        let stranger = store.register(registration("Bob", code(1), RegistrationMode::Invite)).await;
        assert_eq!(stranger, Err(RegisterError::InviteUsedUp));
        store.house_invite(code(2), NOW).await.unwrap();
        assert_eq!(store.relink(code(2), key(), NOW).await, Ok(None));
        // However many invites the house gives, the code stays.
        for number in 10..=50 {
            store.house_invite(code(number), NOW).await.unwrap();
        }
        assert!(store.relink(code(1), key(), NOW).await.unwrap().is_some());
    }
}
