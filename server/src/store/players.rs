//! Accounts, the keys that open them, and how a stranger gets one.

use super::fault::StoreFailure;
use super::handle::Store;
use super::invites::{self, InviteError, parse};
use chatrang_protocol::ids::{AccountId, Handle};
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::key::PublicKey;
use chatrang_protocol::limits;
use chatrang_protocol::role::Role;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use std::collections::{HashMap, HashSet};

/// Somebody whom the server knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The account's number.
    pub id: AccountId,
    /// The name that others see.
    pub handle: Handle,
    /// What it may do.
    pub role: Role,
    /// Since when, in milliseconds since 1970.
    pub created_unix_ms: u64,
}

/// Who may register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegistrationMode {
    /// Whoever brings a good invite.
    #[default]
    Invite,
    /// Anybody.
    Open,
    /// Nobody.
    Closed,
}

/// Whose account gives games an arbiter to turn to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arbiters {
    /// Those with the role of an arbiter.
    #[default]
    Appointed,
    /// Those, and the owner.
    AppointedOrOwner,
}

/// A stranger's wish for an account.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The key that TLS proved.
    pub key: PublicKey,
    /// The name that is wished for.
    pub handle: Handle,
    /// The code that came along.
    pub invite: Option<InviteCode>,
    /// Who may register.
    pub mode: RegistrationMode,
    /// The date, in milliseconds since 1970.
    pub now_unix_ms: u64,
}

/// Why a stranger got no account; nothing has changed then, an invite is as good as before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The key opens an account already.
    #[error("this key already has an account")]
    KeyHasAccount,
    /// Nobody may register.
    #[error("this server takes no new players: ask its operator")]
    Closed,
    /// Strangers need an invite.
    #[error("this server takes new players by invite only")]
    InviteNeeded,
    /// No such code.
    #[error("this server knows no such invite")]
    InviteUnknown,
    /// Its time is over.
    #[error("the invite has expired: ask for a new one")]
    InviteExpired,
    /// It has been used as often as it could be.
    #[error("the invite has been used: ask for a new one")]
    InviteUsedUp,
    /// Another player has the name.
    #[error("the name is taken")]
    HandleTaken {
        /// Names like it that are free, at most [`limits::HANDLE_SUGGESTIONS_MAX`].
        suggestions: Vec<Handle>,
    },
    /// The name is easily mistaken for another player's.
    #[error("the name looks like that of {taken}")]
    HandleResembles {
        /// The name that is there already.
        taken: Handle,
        /// As above.
        suggestions: Vec<Handle>,
    },
    /// The name speaks for the house, and the newcomer does not.
    #[error("the name is kept for those who speak for the server")]
    HandleReserved,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

/// What an operator is told who names nobody.
pub const NO_SUCH_ACCOUNT: &str = "there is no such account: chatrangd accounts lists them";

/// Why a role was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetRoleError {
    /// No such account.
    #[error("{NO_SUCH_ACCOUNT}")]
    NoAccount,
    /// Somebody other than an owner gives it.
    #[error("only an owner gives roles")]
    NotOwner,
    /// A server without an owner could never get one again.
    #[error("the server's only owner stays its owner: make somebody else owner first")]
    LastOwner,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

impl Store {
    /// The account that a key opens.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read.
    pub async fn account_by_key(&self, key: PublicKey) -> Result<Option<Account>, StoreFailure> {
        self.read(move |connection| by_key(connection, key)).await
    }

    /// An account by its number.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read.
    pub async fn account(&self, account: AccountId) -> Result<Option<Account>, StoreFailure> {
        self.read(move |connection| by_id(connection, account)).await
    }

    /// Accounts by their numbers, in one look; those that do not exist are left out.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read.
    pub async fn accounts(
        &self,
        accounts: HashSet<AccountId>,
    ) -> Result<HashMap<AccountId, Account>, StoreFailure> {
        self.read(move |connection| {
            let found = accounts.into_iter().map(|account| by_id(connection, account));
            found
                .filter_map(Result::transpose)
                .map(|found| found.map(|account| (account.id, account)))
                .collect()
        })
        .await
    }

    /// Whether there is any account of an arbiter.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read.
    pub async fn has_arbiter(&self, whose: Arbiters) -> Result<bool, StoreFailure> {
        self.read(move |connection| has_arbiter(connection, whose)).await
    }

    /// Makes an account for a key, with the role that its invite gives.
    ///
    /// Where registration is open, an invite that is not good keeps nobody out: its bearer becomes a
    /// player like anybody else. Where it is closed, the owner's invite alone opens the door.
    ///
    /// # Errors
    /// [`RegisterError`] says who or what stands in the way.
    pub async fn register(&self, registration: Registration) -> Result<Account, RegisterError> {
        self.change(move |connection| register(connection, &registration)).await?
    }

    /// Gives an account another role.
    ///
    /// # Errors
    /// [`SetRoleError`]; the role is as before.
    pub async fn set_role(&self, account: AccountId, role: Role) -> Result<(), SetRoleError> {
        self.change(move |connection| set_role(connection, account, role)).await?
    }

    /// Gives an account another role in the name of `by`, who must be an owner at that moment.
    ///
    /// # Errors
    /// [`SetRoleError`]; the role is as before.
    pub async fn give_role(&self, by: AccountId, handle: Handle, role: Role) -> Result<(), SetRoleError> {
        self.change(move |connection| match by_id(connection, by)? {
            Some(giver) if giver.role == Role::Owner => set_role_of(connection, &handle, role),
            _ => Ok(Err(SetRoleError::NotOwner)),
        })
        .await?
    }
}

fn register(
    connection: &Connection,
    registration: &Registration,
) -> rusqlite::Result<Result<Account, RegisterError>> {
    let Registration { key, handle, now_unix_ms, .. } = registration;
    if by_key(connection, *key)?.is_some() {
        return Ok(Err(RegisterError::KeyHasAccount));
    }
    let admitted = match admit(connection, registration)? {
        Ok(admitted) => admitted,
        Err(error) => return Ok(Err(error)),
    };
    // Only now: a stranger without an invite learns nothing about who plays here.
    if let Some(refusal) = refuse_handle(connection, handle, admitted.role)? {
        return Ok(Err(refusal));
    }
    let account = insert(connection, handle, admitted.role, *now_unix_ms, *key)?;
    if let Some(invite) = admitted.invite {
        invites::register_with(connection, invite, account.id)?;
    }
    Ok(Ok(account))
}

/// Why nobody with this role may come in under this name, if so.
fn refuse_handle(
    connection: &Connection,
    handle: &Handle,
    role: Role,
) -> rusqlite::Result<Option<RegisterError>> {
    let speaks_for_the_house = matches!(role, Role::Owner | Role::Arbiter);
    if handle.is_of_the_house() && !speaks_for_the_house {
        return Ok(Some(RegisterError::HandleReserved));
    }
    let Some(taken) = by_look(connection, handle)?.map(|account| account.handle) else { return Ok(None) };
    let suggestions = suggest(connection, handle)?;
    Ok(Some(if taken.folded() == handle.folded() {
        RegisterError::HandleTaken { suggestions }
    } else {
        RegisterError::HandleResembles { taken, suggestions }
    }))
}

/// What a newcomer becomes, and the invite that this uses up.
struct Admitted {
    role: Role,
    invite: Option<InviteCode>,
}

fn admit(
    connection: &Connection,
    registration: &Registration,
) -> rusqlite::Result<Result<Admitted, RegisterError>> {
    let Registration { invite, mode, now_unix_ms, .. } = registration;
    let found = match invite {
        Some(code) => invites::look_up(connection, *code, *now_unix_ms)?.and_then(|invite| {
            // Somebody has come in with this challenge already: it is his to take.
            if invite.reserved_for.is_some() { Err(InviteError::UsedUp) } else { Ok(invite) }
        }),
        None => Err(InviteError::Unknown),
    };
    Ok(match (mode, found) {
        (RegistrationMode::Closed, Ok(found)) if found.role != Role::Owner => Err(RegisterError::Closed),
        (_, Ok(found)) => Ok(Admitted { role: found.role, invite: *invite }),
        (RegistrationMode::Closed, Err(_)) => Err(RegisterError::Closed),
        (RegistrationMode::Open, Err(_)) => Ok(Admitted { role: Role::Player, invite: None }),
        (RegistrationMode::Invite, Err(_)) if invite.is_none() => Err(RegisterError::InviteNeeded),
        (RegistrationMode::Invite, Err(error)) => Err(match error {
            InviteError::Unknown => RegisterError::InviteUnknown,
            InviteError::Expired => RegisterError::InviteExpired,
            InviteError::UsedUp | InviteError::UsedUpWithoutGame => RegisterError::InviteUsedUp,
            InviteError::Store(failure) => RegisterError::Store(failure),
        }),
    })
}

fn insert(
    connection: &Connection,
    handle: &Handle,
    role: Role,
    now_unix_ms: u64,
    key: PublicKey,
) -> rusqlite::Result<Account> {
    connection.execute(
        "INSERT INTO accounts (handle, handle_folded, handle_skeleton, role, created_unix_ms)
         VALUES (?, ?, ?, ?, ?)",
        params![
            handle.as_str(),
            handle.folded(),
            handle.skeleton().as_str(),
            role.as_str(),
            now_unix_ms.cast_signed()
        ],
    )?;
    let account = connection.last_insert_rowid();
    connection.execute(
        "INSERT INTO keys (spki, account, added_unix_ms) VALUES (?, ?, ?)",
        params![key.to_spki(), account, now_unix_ms.cast_signed()],
    )?;
    let id = AccountId(account.cast_unsigned());
    Ok(Account { id, handle: handle.clone(), role, created_unix_ms: now_unix_ms })
}

/// Free handles: the wished one with a number behind it, cut where it gets too long.
fn suggest(connection: &Connection, handle: &Handle) -> rusqlite::Result<Vec<Handle>> {
    /// Each number tried is a look into an index; whoever has squatted all of them gets no suggestion.
    const NUMBERS: std::ops::RangeInclusive<u32> = 2..=99;
    let mut suggestions = Vec::new();
    for number in NUMBERS {
        let number = number.to_string();
        let stem_bytes_max = limits::HANDLE_BYTES_MAX - number.len();
        let stem: String = handle.as_str().chars().take(stem_bytes_max).collect();
        let Ok(suggestion) = Handle::new(&format!("{stem}{number}")) else { continue };
        if by_look(connection, &suggestion)?.is_none() {
            suggestions.push(suggestion);
        }
        if suggestions.len() == limits::HANDLE_SUGGESTIONS_MAX {
            break;
        }
    }
    Ok(suggestions)
}

/// Gives the account of a name another role.
pub(super) fn set_role_of(
    connection: &Connection,
    handle: &Handle,
    role: Role,
) -> rusqlite::Result<Result<(), SetRoleError>> {
    match by_handle(connection, &handle.folded())? {
        Some(account) => set_role(connection, account.id, role),
        None => Ok(Err(SetRoleError::NoAccount)),
    }
}

fn set_role(
    connection: &Connection,
    account: AccountId,
    role: Role,
) -> rusqlite::Result<Result<(), SetRoleError>> {
    let Some(present) = by_id(connection, account)? else { return Ok(Err(SetRoleError::NoAccount)) };
    if present.role == Role::Owner && role != Role::Owner {
        let owners: i64 =
            connection
                .query_row("SELECT count(*) FROM accounts WHERE role = 'owner'", [], |row| row.get(0))?;
        if owners == 1 {
            return Ok(Err(SetRoleError::LastOwner));
        }
    }
    connection
        .execute(
            "UPDATE accounts SET role = ? WHERE account = ?",
            params![role.as_str(), account.0.cast_signed()],
        )
        .map(|_| Ok(()))
}

fn has_arbiter(connection: &Connection, whose: Arbiters) -> rusqlite::Result<bool> {
    let owner_too = whose == Arbiters::AppointedOrOwner;
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM accounts WHERE role = 'arbiter')
                 OR (?1 AND EXISTS (SELECT 1 FROM accounts WHERE role = 'owner'))",
        )?
        .query_row([owner_too], |row| row.get(0))
}

pub(super) fn by_key(connection: &Connection, key: PublicKey) -> rusqlite::Result<Option<Account>> {
    find(connection, "JOIN keys USING (account) WHERE spki = ?", key.to_spki())
}

pub(super) fn by_id(connection: &Connection, account: AccountId) -> rusqlite::Result<Option<Account>> {
    find(connection, "WHERE account = ?", account.0.cast_signed())
}

/// All accounts, by number.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Account>> {
    connection
        .prepare("SELECT account, handle, role, created_unix_ms FROM accounts ORDER BY account")?
        .query_map([], read)?
        .collect()
}

/// The account of a name in lower case.
pub(super) fn by_handle(connection: &Connection, folded: &str) -> rusqlite::Result<Option<Account>> {
    find(connection, "WHERE handle_folded = ?", folded)
}

/// The account whose name is or looks like this one; of several, which an older server let in, the first.
fn by_look(connection: &Connection, handle: &Handle) -> rusqlite::Result<Option<Account>> {
    let skeleton = handle.skeleton();
    find(connection, "WHERE handle_skeleton = ? ORDER BY account LIMIT 1", skeleton.as_str())
}

/// The account that `condition` selects.
fn find(connection: &Connection, condition: &str, value: impl ToSql) -> rusqlite::Result<Option<Account>> {
    connection
        .prepare_cached(&format!("SELECT account, handle, role, created_unix_ms FROM accounts {condition}"))?
        .query_row([value], read)
        .optional()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: AccountId(row.get::<_, i64>(0)?.cast_unsigned()),
        handle: parse(1, &row.get::<_, String>(1)?)?,
        role: parse(2, &row.get::<_, String>(2)?)?,
        created_unix_ms: row.get::<_, i64>(3)?.cast_unsigned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::NewInvite;
    use chatrang_protocol::key::SecretKey;

    const NOW: u64 = 1_000_000;

    fn code(number: u8) -> InviteCode {
        InviteCode::from_random([number; 5])
    }

    fn handle(text: &str) -> Handle {
        text.parse().unwrap()
    }

    fn stranger(name: &str, invite: Option<u8>, mode: RegistrationMode) -> Registration {
        let key = SecretKey::generate().unwrap().public_key();
        Registration { key, handle: handle(name), invite: invite.map(code), mode, now_unix_ms: NOW }
    }

    /// A server with an owner and the invites 2 (player, 1 use), 3 (arbiter, 1 use), 4 (expired),
    /// 5 (used up); 1 was the owner's.
    async fn club() -> (Store, Account) {
        let store = Store::open_in_memory().unwrap();
        store.owner_invite(code(1)).await.unwrap();
        let owner = store.register(stranger("Owner", Some(1), RegistrationMode::Invite)).await.unwrap();
        for (number, role, uses, expires_unix_ms) in [
            (2, Role::Player, 1, NOW + 1),
            (3, Role::Arbiter, 1, NOW + 1),
            (4, Role::Player, 1, NOW),
            (5, Role::Player, 0, NOW + 1),
        ] {
            let invite =
                NewInvite { code: code(number), by: owner.id, role, uses, expires_unix_ms, challenge: None };
            store.create_invite(invite, 0).await.unwrap();
        }
        (store, owner)
    }

    #[tokio::test]
    async fn who_may_register_and_as_what() {
        use RegistrationMode::{Closed, Invite, Open};
        let rows: [(RegistrationMode, Option<u8>, Result<Role, RegisterError>); 14] = [
            (Invite, None, Err(RegisterError::InviteNeeded)),
            (Invite, Some(9), Err(RegisterError::InviteUnknown)),
            (Invite, Some(4), Err(RegisterError::InviteExpired)),
            (Invite, Some(5), Err(RegisterError::InviteUsedUp)),
            (Invite, Some(1), Err(RegisterError::InviteUsedUp)),
            (Invite, Some(2), Ok(Role::Player)),
            (Invite, Some(3), Ok(Role::Arbiter)),
            (Open, None, Ok(Role::Player)),
            (Open, Some(3), Ok(Role::Arbiter)),
            (Open, Some(9), Ok(Role::Player)),
            (Open, Some(4), Ok(Role::Player)),
            (Closed, None, Err(RegisterError::Closed)),
            (Closed, Some(2), Err(RegisterError::Closed)),
            (Closed, Some(9), Err(RegisterError::Closed)),
        ];
        for (mode, invite, expected) in rows {
            let (store, _) = club().await;
            let registered = store.register(stranger("Newcomer", invite, mode)).await;
            assert_eq!(registered.map(|account| account.role), expected, "{mode:?} {invite:?}");
        }
    }

    #[tokio::test]
    async fn the_owner_enters_even_where_registration_is_closed() {
        let store = Store::open_in_memory().unwrap();
        store.owner_invite(code(1)).await.unwrap();
        let owner = store.register(stranger("Owner", Some(1), RegistrationMode::Closed)).await.unwrap();
        assert_eq!(owner.role, Role::Owner);
        let second = store.register(stranger("Second", Some(1), RegistrationMode::Closed)).await;
        assert_eq!(second, Err(RegisterError::Closed));
    }

    #[tokio::test]
    async fn a_taken_name_costs_no_invite_and_brings_two_free_ones() {
        let (store, _) = club().await;
        for name in ["Bob", "bob2", "ABCDEFGHIJKLMNOPQRST"] {
            store.register(stranger(name, None, RegistrationMode::Open)).await.unwrap();
        }
        for (name, free) in [
            ("BOB", ["BOB3", "BOB4"]),
            ("abcdefghijklmnopqrst", ["abcdefghijklmnopqrs2", "abcdefghijklmnopqrs3"]),
        ] {
            let refused = store.register(stranger(name, Some(2), RegistrationMode::Invite)).await;
            let suggestions = free.map(handle).to_vec();
            assert_eq!(refused, Err(RegisterError::HandleTaken { suggestions }));
        }
        store.register(stranger("Bob3", Some(2), RegistrationMode::Invite)).await.unwrap();
    }

    #[tokio::test]
    async fn a_name_that_looks_like_anothers_is_refused_and_names_him() {
        let (store, _) = club().await;
        for name in ["Morn", "Ali1"] {
            store.register(stranger(name, None, RegistrationMode::Open)).await.unwrap();
        }
        for (wished, taken, free) in [
            ("Mom", "Morn", ["Mom2", "Mom3"]),
            ("M0-rn", "Morn", ["M0-rn2", "M0-rn3"]),
            ("AIi-I", "Ali1", ["AIi-I2", "AIi-I3"]),
        ] {
            let taken = handle(taken);
            let suggestions = free.map(handle).to_vec();
            let refused = store.register(stranger(wished, Some(2), RegistrationMode::Invite)).await;
            assert_eq!(refused, Err(RegisterError::HandleResembles { taken, suggestions }), "{wished}");
        }
    }

    #[tokio::test]
    async fn only_who_speaks_for_the_house_bears_its_names() {
        let (store, _) = club().await;
        for name in ["Arbiter", "arb1ter", "Ad-min", "Arbiter2", "Owner_64"] {
            let refused = store.register(stranger(name, Some(2), RegistrationMode::Open)).await;
            assert_eq!(refused, Err(RegisterError::HandleReserved), "{name}");
        }
        let arbiter = store.register(stranger("Arbiter", Some(3), RegistrationMode::Open)).await.unwrap();
        assert_eq!(arbiter.role, Role::Arbiter);
    }

    #[tokio::test]
    async fn an_account_is_found_by_key_and_by_number() {
        let (store, owner) = club().await;
        let wish = stranger("Zoe", None, RegistrationMode::Open);
        let zoe = store.register(wish.clone()).await.unwrap();
        assert_ne!(zoe.id, owner.id);
        assert_eq!(zoe.created_unix_ms, NOW);
        assert_eq!(store.account_by_key(wish.key).await, Ok(Some(zoe.clone())));
        assert_eq!(store.account(zoe.id).await, Ok(Some(zoe.clone())));
        assert_eq!(store.account(AccountId(99)).await, Ok(None));
        let found = store.accounts(HashSet::from([zoe.id, AccountId(99)])).await;
        assert_eq!(found, Ok(HashMap::from([(zoe.id, zoe)])));
        let again = Registration { handle: handle("Zoe-again"), ..wish };
        assert_eq!(store.register(again).await, Err(RegisterError::KeyHasAccount));
        let unknown = SecretKey::generate().unwrap().public_key();
        assert_eq!(store.account_by_key(unknown).await, Ok(None));
    }

    #[tokio::test]
    async fn roles_change_but_an_owner_remains() {
        let (store, owner) = club().await;
        let zoe = store.register(stranger("Zoe", None, RegistrationMode::Open)).await.unwrap();
        assert_eq!(store.set_role(owner.id, Role::Player).await, Err(SetRoleError::LastOwner));
        assert_eq!(store.set_role(AccountId(99), Role::Bot).await, Err(SetRoleError::NoAccount));
        store.set_role(zoe.id, Role::Owner).await.unwrap();
        assert_eq!(
            store.give_role(owner.id, handle("nobody"), Role::Bot).await,
            Err(SetRoleError::NoAccount)
        );
        store.set_role(owner.id, Role::Arbiter).await.unwrap();
        let late = store.give_role(owner.id, handle("Zoe"), Role::Bot).await;
        assert_eq!(late, Err(SetRoleError::NotOwner), "an owner no more");
        assert_eq!(store.give_role(zoe.id, handle("zoe"), Role::Bot).await, Err(SetRoleError::LastOwner));
        assert_eq!(store.account(owner.id).await.unwrap().unwrap().role, Role::Arbiter);
        assert_eq!(store.account(zoe.id).await.unwrap().unwrap().role, Role::Owner);
    }
}
