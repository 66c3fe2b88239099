//! Who has nothing to do with whom.

use super::fault::StoreFailure;
use super::handle::Store;
use super::invites::parse;
use super::players::by_handle;
use chatrang_protocol::ids::{AccountId, Handle};
use chatrang_protocol::limits;
use rusqlite::{Connection, params};

/// One account's wish to have nothing to do with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Who wants nothing to do with the other.
    pub by: AccountId,
    /// The other.
    pub blocked: AccountId,
}

/// Why a block is not as it was wished; nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// No account has this name.
    #[error("there is no such account")]
    NoAccount,
    /// Nobody blocks himself.
    #[error("nobody blocks himself")]
    Yourself,
    /// The account blocks as many as it may.
    #[error("the account blocks as many as it may")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

impl Store {
    /// Keeps a block; one that stands already is as good.
    ///
    /// # Errors
    /// [`BlockError`]; beyond [`limits::BLOCKS_PER_ACCOUNT_MAX`] it is refused.
    pub async fn block(&self, by: AccountId, handle: Handle) -> Result<Block, BlockError> {
        self.change(move |connection| block(connection, by, &handle)).await?
    }

    /// Forgets a block, if it stands.
    ///
    /// # Errors
    /// [`BlockError`].
    pub async fn unblock(&self, by: AccountId, handle: Handle) -> Result<Block, BlockError> {
        self.change(move |connection| {
            let Some(other) = by_handle(connection, &handle.folded())? else {
                return Ok(Err(BlockError::NoAccount));
            };
            let block = Block { by, blocked: other.id };
            connection
                .execute(
                    "DELETE FROM blocks WHERE by_account = ? AND blocked = ?",
                    params![by.0.cast_signed(), other.id.0.cast_signed()],
                )
                .map(|_| Ok(block))
        })
        .await?
    }

    /// The names that an account blocks, in the order of the alphabet.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read.
    pub async fn blocks_of(&self, by: AccountId) -> Result<Vec<Handle>, StoreFailure> {
        self.read(move |connection| {
            connection
                .prepare_cached(
                    "SELECT handle FROM blocks JOIN accounts ON account = blocked WHERE by_account = ? \
                     ORDER BY handle_folded",
                )?
                .query_map([by.0.cast_signed()], |row| parse(0, &row.get::<_, String>(0)?))?
                .collect()
        })
        .await
    }

    /// Every block.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read.
    pub async fn blocks(&self) -> Result<Vec<Block>, StoreFailure> {
        self.read(|connection| {
            let account = |number: i64| AccountId(number.cast_unsigned());
            connection
                .prepare("SELECT by_account, blocked FROM blocks")?
                .query_map([], |row| Ok(Block { by: account(row.get(0)?), blocked: account(row.get(1)?) }))?
                .collect()
        })
        .await
    }
}

fn block(
    connection: &Connection,
    by: AccountId,
    handle: &Handle,
) -> rusqlite::Result<Result<Block, BlockError>> {
    let Some(other) = by_handle(connection, &handle.folded())? else { return Ok(Err(BlockError::NoAccount)) };
    if other.id == by {
        return Ok(Err(BlockError::Yourself));
    }
    let others: u32 = connection.query_row(
        "SELECT count(*) FROM blocks WHERE by_account = ? AND blocked <> ?",
        params![by.0.cast_signed(), other.id.0.cast_signed()],
        |row| row.get(0),
    )?;
    if others as usize >= limits::BLOCKS_PER_ACCOUNT_MAX {
        return Ok(Err(BlockError::TooMany));
    }
    connection
        .execute(
            "INSERT OR IGNORE INTO blocks (by_account, blocked) VALUES (?, ?)",
            params![by.0.cast_signed(), other.id.0.cast_signed()],
        )
        .map(|_| Ok(Block { by, blocked: other.id }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Account, Registration, RegistrationMode};
    use chatrang_protocol::key::SecretKey;

    fn handle(text: &str) -> Handle {
        text.parse().unwrap()
    }

    async fn account(store: &Store, name: &str) -> Account {
        let key = SecretKey::generate().unwrap().public_key();
        let mode = RegistrationMode::Open;
        let registration = Registration { key, handle: handle(name), invite: None, mode, now_unix_ms: 0 };
        store.register(registration).await.unwrap()
    }

    #[tokio::test]
    async fn a_block_is_kept_once_and_taken_back() {
        let store = Store::open_in_memory().unwrap();
        let (ann, bob) = (account(&store, "Ann").await, account(&store, "Bob").await);
        let block = Block { by: ann.id, blocked: bob.id };
        for name in ["bob", "BOB"] {
            assert_eq!(store.block(ann.id, handle(name)).await, Ok(block));
        }
        assert_eq!(store.blocks().await, Ok(vec![block]));
        assert_eq!(store.blocks_of(ann.id).await, Ok(vec![handle("Bob")]));
        assert_eq!(store.blocks_of(bob.id).await, Ok(vec![]));
        assert_eq!(store.block(ann.id, handle("Ann")).await, Err(BlockError::Yourself));
        assert_eq!(store.block(ann.id, handle("Zoe")).await, Err(BlockError::NoAccount));
        for _ in 0..2 {
            assert_eq!(store.unblock(ann.id, handle("Bob")).await, Ok(block));
        }
        assert_eq!(store.unblock(ann.id, handle("Zoe")).await, Err(BlockError::NoAccount));
        assert_eq!(store.blocks().await, Ok(vec![]));
    }

    #[tokio::test]
    async fn an_account_blocks_so_many_and_no_more() {
        let store = Store::open_in_memory().unwrap();
        let ann = account(&store, "Ann").await;
        for number in 0..=limits::BLOCKS_PER_ACCOUNT_MAX {
            account(&store, &format!("Bob-{number}")).await;
        }
        for number in 0..limits::BLOCKS_PER_ACCOUNT_MAX {
            store.block(ann.id, handle(&format!("Bob-{number}"))).await.unwrap();
        }
        let last = handle(&format!("Bob-{}", limits::BLOCKS_PER_ACCOUNT_MAX));
        assert_eq!(store.block(ann.id, last.clone()).await, Err(BlockError::TooMany));
        store.block(ann.id, handle("Bob-0")).await.unwrap();
        store.unblock(ann.id, handle("Bob-0")).await.unwrap();
        store.block(ann.id, last).await.unwrap();
    }
}
