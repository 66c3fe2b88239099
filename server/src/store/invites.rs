//! Invite codes: who gave them, to become what, how often, until when, to play which challenge.

use super::fault::StoreFailure;
use super::handle::Store;
use chatrang_protocol::ids::AccountId;
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::limits;
use chatrang_protocol::role::Role;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// An invite to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvite {
    /// The code; random, from whoever calls.
    pub code: InviteCode,
    /// The account that invites.
    pub by: AccountId,
    /// What a newcomer becomes.
    pub role: Role,
    /// How often it can be used.
    pub uses: u32,
    /// Until when, in milliseconds since 1970.
    pub expires_unix_ms: u64,
    /// The challenge that a guest takes with it; opaque to the store.
    pub challenge: Option<Vec<u8>>,
}

/// An invite that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredInvite {
    /// The account that invites; `None` for the house.
    pub by: Option<AccountId>,
    /// What a newcomer becomes.
    pub role: Role,
    /// How often it can still be used.
    pub uses_left: u32,
    /// Until when, in milliseconds since 1970.
    pub expires_unix_ms: u64,
    /// The challenge that a guest takes with it.
    pub challenge: Option<Vec<u8>>,
    /// The account that has registered with it, when it carries a challenge.
    pub reserved_for: Option<AccountId>,
}

/// Why an invite was not stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateInviteError {
    /// The code is in use: once in a very long while; another one will do.
    #[error("the invite code is in use")]
    CodeTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

/// Why an invite cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteError {
    /// No such code, or none any more.
    #[error("this server knows no such invite")]
    Unknown,
    /// Its time is over.
    #[error("the invite has expired: ask for a new one")]
    Expired,
    /// It has been used as often as it could be.
    #[error("the invite has been used: ask for a new one")]
    UsedUp,
    /// The same, of one that let newcomers in and offered no game: whoever is in has had all of it.
    #[error("the invite has let in as many as it could: ask for a new one")]
    UsedUpWithoutGame,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

impl Store {
    /// Stores an invite, and forgets all that have expired. Of an account's unused ones only the newest
    /// [`limits::INVITES_PER_ACCOUNT_MAX`] are kept.
    ///
    /// # Errors
    /// [`CreateInviteError`]; nothing is stored then.
    pub async fn create_invite(&self, new: NewInvite, now_unix_ms: u64) -> Result<(), CreateInviteError> {
        self.change(move |connection| {
            sweep(connection, now_unix_ms)?;
            if exists(connection, new.code)? {
                return Ok(Err(CreateInviteError::CodeTaken));
            }
            drop_oldest_beyond_max(connection, Some(new.by))?;
            let NewInvite { code, by, role, uses, expires_unix_ms, challenge } = new;
            let invite = StoredInvite {
                by: Some(by),
                role,
                uses_left: uses,
                expires_unix_ms,
                challenge,
                reserved_for: None,
            };
            insert(connection, code, &invite).map(Ok)
        })
        .await?
    }

    /// An invite that can be used now.
    ///
    /// # Errors
    /// [`InviteError`] says why it cannot.
    pub async fn invite(&self, code: InviteCode, now_unix_ms: u64) -> Result<StoredInvite, InviteError> {
        self.read(move |connection| look_up(connection, code, now_unix_ms)).await?
    }

    /// Uses an invite up for `account`, which takes its challenge: nobody takes it again, and nobody
    /// comes in with it. Returns it as it was before.
    ///
    /// # Errors
    /// [`InviteError`] says why it cannot be used; it is used up for everyone but the account that has
    /// registered with it.
    pub async fn take_challenge(
        &self,
        code: InviteCode,
        account: AccountId,
        now_unix_ms: u64,
    ) -> Result<StoredInvite, InviteError> {
        self.change(move |connection| {
            let found = look_up(connection, code, now_unix_ms)?;
            let Ok(invite) = &found else { return Ok(found) };
            if invite.reserved_for.is_some_and(|owner| owner != account) {
                return Ok(Err(InviteError::UsedUp));
            }
            connection.execute("UPDATE invites SET uses_left = 0 WHERE code = ?", [code.to_string()])?;
            Ok(found)
        })
        .await?
    }

    /// Gives an invite its uses back, when its challenge was taken and no game came of it.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be written.
    pub async fn return_challenge(&self, code: InviteCode, uses: u32) -> Result<(), StoreFailure> {
        self.change(move |connection| {
            connection
                .execute("UPDATE invites SET uses_left = ? WHERE code = ?", params![uses, code.to_string()])
                .map(|_| ())
        })
        .await
    }

    /// The invite that makes its bearer the owner: the same one until it is used, `fresh` at the very
    /// first call, and `None` as soon as there is an owner.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be written.
    pub async fn owner_invite(&self, fresh: InviteCode) -> Result<Option<InviteCode>, StoreFailure> {
        self.change(move |connection| {
            if has_owner(connection)? {
                return Ok(None);
            }
            let stored: Option<String> = connection
                .query_row("SELECT code FROM invites WHERE role = 'owner' AND uses_left > 0", [], |row| {
                    row.get(0)
                })
                .optional()?;
            if let Some(code) = stored {
                return parse(0, &code).map(Some);
            }
            let invite = StoredInvite {
                by: None,
                role: Role::Owner,
                uses_left: 1,
                expires_unix_ms: NEVER_UNIX_MS,
                challenge: None,
                reserved_for: None,
            };
            insert(connection, fresh, &invite)?;
            Ok(Some(fresh))
        })
        .await
    }

    /// Stores `fresh` as the house's invite for one player, good for
    /// [`limits::INVITE_SECONDS_MAX`]. The house has no more unused ones than an account may have:
    /// the oldest goes.
    ///
    /// # Errors
    /// [`CreateInviteError`]; nothing is stored then.
    pub async fn house_invite(&self, fresh: InviteCode, now_unix_ms: u64) -> Result<(), CreateInviteError> {
        self.change(move |connection| create_for_house(connection, fresh, Role::Player, 1, now_unix_ms))
            .await?
    }
}

/// Stores `fresh` as the house's invite for so many to become what `role` says.
pub(super) fn create_for_house(
    connection: &Connection,
    fresh: InviteCode,
    role: Role,
    uses: u32,
    now_unix_ms: u64,
) -> rusqlite::Result<Result<(), CreateInviteError>> {
    sweep(connection, now_unix_ms)?;
    if exists(connection, fresh)? {
        return Ok(Err(CreateInviteError::CodeTaken));
    }
    drop_oldest_beyond_max(connection, None)?;
    let invite = StoredInvite {
        by: None,
        role,
        uses_left: uses,
        expires_unix_ms: expiry(now_unix_ms),
        challenge: None,
        reserved_for: None,
    };
    insert(connection, fresh, &invite).map(Ok)
}

/// Until when a code is good that is made now.
pub(super) fn expiry(now_unix_ms: u64) -> u64 {
    now_unix_ms.saturating_add(limits::INVITE_SECONDS_MAX * 1_000)
}

/// When the owner's invite expires. The column is signed.
const NEVER_UNIX_MS: u64 = i64::MAX.cast_unsigned();

/// An invite that can be used now, or why not.
pub(super) fn look_up(
    connection: &Connection,
    code: InviteCode,
    now_unix_ms: u64,
) -> rusqlite::Result<Result<StoredInvite, InviteError>> {
    let found = connection
        .prepare_cached(
            "SELECT by_account, role, uses_left, expires_unix_ms, challenge, reserved_for FROM invites
             WHERE code = ?",
        )?
        .query_row([code.to_string()], read)
        .optional()?;
    Ok(match found {
        None => Err(InviteError::Unknown),
        Some(invite) if invite.uses_left == 0 && invite.challenge.is_none() => {
            Err(InviteError::UsedUpWithoutGame)
        }
        Some(invite) if invite.uses_left == 0 => Err(InviteError::UsedUp),
        Some(invite) if invite.expires_unix_ms <= now_unix_ms => Err(InviteError::Expired),
        Some(invite) => Ok(invite),
    })
}

/// Counts a registration with an invite that was looked up in the same transaction. One that carries a
/// challenge keeps its use, for the newcomer alone.
pub(super) fn register_with(
    connection: &Connection,
    code: InviteCode,
    account: AccountId,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE invites SET
                 uses_left = uses_left - (challenge IS NULL),
                 reserved_for = CASE WHEN challenge IS NULL THEN NULL ELSE ?2 END
             WHERE code = ?1",
        )?
        .execute(params![code.to_string(), account.0.cast_signed()])
        .map(|_| ())
}

/// Whether anybody owns the server.
pub(super) fn has_owner(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM accounts WHERE role = 'owner')", [], |row| row.get(0))
}

/// A value of a text column through its own parser.
pub(super) fn parse<T>(column: usize, text: &str) -> rusqlite::Result<T>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredInvite> {
    Ok(StoredInvite {
        by: row.get::<_, Option<i64>>(0)?.map(|account| AccountId(account.cast_unsigned())),
        role: parse(1, &row.get::<_, String>(1)?)?,
        uses_left: row.get(2)?,
        expires_unix_ms: row.get::<_, i64>(3)?.cast_unsigned(),
        challenge: row.get(4)?,
        reserved_for: row.get::<_, Option<i64>>(5)?.map(|account| AccountId(account.cast_unsigned())),
    })
}

pub(super) fn insert(
    connection: &Connection,
    code: InviteCode,
    invite: &StoredInvite,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO invites (code, by_account, role, uses_left, expires_unix_ms, challenge, reserved_for)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            code.to_string(),
            invite.by.map(|account| account.0.cast_signed()),
            invite.role.as_str(),
            invite.uses_left,
            invite.expires_unix_ms.cast_signed(),
            invite.challenge,
            invite.reserved_for.map(|account| account.0.cast_signed())
        ])
        .map(|_| ())
}

pub(super) fn exists(connection: &Connection, code: InviteCode) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM invites WHERE code = ?)", [code.to_string()], |row| {
        row.get(0)
    })
}

/// Makes room for one more invite of an account, or of the house: the oldest unused ones give way.
fn drop_oldest_beyond_max(connection: &Connection, by: Option<AccountId>) -> rusqlite::Result<()> {
    let keep = u32::try_from(limits::INVITES_PER_ACCOUNT_MAX).unwrap_or(u32::MAX) - 1;
    connection
        .execute(
            "DELETE FROM invites WHERE code IN (SELECT code FROM invites WHERE by_account IS ?1 AND uses_left > 0
             AND role <> 'owner' AND (reserved_for IS NULL OR challenge IS NOT NULL)
             ORDER BY expires_unix_ms DESC LIMIT -1 OFFSET ?2)",
            params![by.map(|account| account.0.cast_signed()), keep],
        )
        .map(|_| ())
}

fn sweep(connection: &Connection, now_unix_ms: u64) -> rusqlite::Result<()> {
    connection
        .execute("DELETE FROM invites WHERE expires_unix_ms <= ?", [now_unix_ms.cast_signed()])
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::RegisterError;
    use crate::store::{Registration, RegistrationMode};
    use chatrang_protocol::key::SecretKey;

    const NOW: u64 = 1_000_000;

    fn code(number: u8) -> InviteCode {
        InviteCode::from_random([number; 5])
    }

    async fn account(store: &Store, handle: &str) -> AccountId {
        let registration = Registration {
            key: SecretKey::generate().unwrap().public_key(),
            handle: handle.parse().unwrap(),
            invite: None,
            mode: RegistrationMode::Open,
            now_unix_ms: NOW,
        };
        store.register(registration).await.unwrap().id
    }

    fn new(by: AccountId, code: InviteCode) -> NewInvite {
        NewInvite { code, by, role: Role::Player, uses: 2, expires_unix_ms: NOW + 10, challenge: None }
    }

    #[tokio::test]
    async fn an_invite_is_used_as_often_as_it_says() {
        let store = Store::open_in_memory().unwrap();
        let ann = account(&store, "Ann").await;
        let invite = NewInvite { challenge: Some(b"5+3".to_vec()), ..new(ann, code(1)) };
        store.create_invite(invite.clone(), NOW).await.unwrap();
        assert_eq!(store.create_invite(invite, NOW).await, Err(CreateInviteError::CodeTaken));
        let read = store.invite(code(1), NOW).await.unwrap();
        let challenge = Some(b"5+3".to_vec());
        let expected = StoredInvite {
            by: Some(ann),
            role: Role::Player,
            uses_left: 2,
            expires_unix_ms: NOW + 10,
            challenge,
            reserved_for: None,
        };
        assert_eq!(read, expected);
        let bob = account(&store, "Bob").await;
        assert_eq!(store.take_challenge(code(1), bob, NOW).await, Ok(read), "all its uses at once");
        assert_eq!(store.take_challenge(code(1), bob, NOW).await, Err(InviteError::UsedUp));
        store.return_challenge(code(1), 2).await.unwrap();
        assert_eq!(store.invite(code(1), NOW).await.unwrap().uses_left, 2);
        assert_eq!(store.invite(code(2), NOW).await, Err(InviteError::Unknown));
    }

    #[tokio::test]
    async fn a_challenge_lets_one_friend_in_and_is_his() {
        let store = Store::open_in_memory().unwrap();
        let (ann, carl) = (account(&store, "Ann").await, account(&store, "Carl").await);
        let challenge = Some(b"5+3".to_vec());
        store.create_invite(NewInvite { challenge, uses: 1, ..new(ann, code(1)) }, NOW).await.unwrap();
        let registration = |handle: &str| Registration {
            key: SecretKey::generate().unwrap().public_key(),
            handle: handle.parse().unwrap(),
            invite: Some(code(1)),
            mode: RegistrationMode::Invite,
            now_unix_ms: NOW,
        };
        let friend = store.register(registration("Friend")).await.unwrap();
        let stranger = store.register(registration("Stranger")).await;
        assert_eq!(stranger.unwrap_err(), RegisterError::InviteUsedUp);
        assert_eq!(store.take_challenge(code(1), carl, NOW).await, Err(InviteError::UsedUp));
        assert!(store.take_challenge(code(1), friend.id, NOW).await.is_ok());
        assert_eq!(store.take_challenge(code(1), friend.id, NOW).await, Err(InviteError::UsedUp));
    }

    #[tokio::test]
    async fn invites_expire_and_are_swept() {
        let store = Store::open_in_memory().unwrap();
        let ann = account(&store, "Ann").await;
        store.create_invite(new(ann, code(1)), NOW).await.unwrap();
        assert_eq!(store.invite(code(1), NOW + 10).await, Err(InviteError::Expired));
        assert_eq!(store.take_challenge(code(1), ann, NOW + 10).await, Err(InviteError::Expired));
        store
            .create_invite(NewInvite { expires_unix_ms: NOW + 99, ..new(ann, code(2)) }, NOW + 10)
            .await
            .unwrap();
        assert_eq!(store.invite(code(1), NOW + 10).await, Err(InviteError::Unknown));
    }

    #[tokio::test]
    async fn an_account_s_oldest_unused_invite_gives_way() {
        let store = Store::open_in_memory().unwrap();
        let (ann, bob) = (account(&store, "Ann").await, account(&store, "Bob").await);
        let max = limits::INVITES_PER_ACCOUNT_MAX as u8;
        let good_until = |number: u8| NOW + 1_000 + u64::from(number);
        let numbered =
            |by, number| NewInvite { expires_unix_ms: good_until(number), ..new(by, code(number)) };
        for number in 0..max {
            store.create_invite(numbered(ann, number), NOW).await.unwrap();
        }
        store.create_invite(numbered(bob, max), NOW).await.unwrap();
        assert!(store.invite(code(0), NOW).await.is_ok(), "Bob's are his own");
        store.create_invite(numbered(ann, max + 1), NOW).await.unwrap();
        assert_eq!(store.invite(code(0), NOW).await, Err(InviteError::Unknown));
        assert!(store.invite(code(1), NOW).await.is_ok());
    }

    #[tokio::test]
    async fn the_house_lets_its_oldest_invite_go() {
        let store = Store::open_in_memory().unwrap();
        let max = limits::INVITES_PER_ACCOUNT_MAX as u8;
        let owner = store.owner_invite(code(99)).await.unwrap().unwrap();
        for number in 0..=max {
            store.house_invite(code(number), NOW + u64::from(number)).await.unwrap();
        }
        assert_eq!(store.invite(code(0), NOW).await, Err(InviteError::Unknown));
        assert_eq!(store.invite(code(1), NOW).await.unwrap().by, None);
        assert_eq!(store.invite(owner, NOW).await.unwrap().role, Role::Owner);
    }

    #[tokio::test]
    async fn the_owners_invite_stays_the_same_until_there_is_an_owner() {
        let store = Store::open_in_memory().unwrap();
        assert_eq!(store.owner_invite(code(1)).await, Ok(Some(code(1))));
        assert_eq!(store.owner_invite(code(2)).await, Ok(Some(code(1))));
        let registration = Registration {
            key: SecretKey::generate().unwrap().public_key(),
            handle: "Owner".parse().unwrap(),
            invite: Some(code(1)),
            mode: RegistrationMode::Invite,
            now_unix_ms: NOW,
        };
        assert_eq!(store.register(registration).await.unwrap().role, Role::Owner);
        assert_eq!(store.owner_invite(code(3)).await, Ok(None));
    }
}
