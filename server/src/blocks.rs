//! Who has nothing to do with whom, by heart: the store keeps it, and whoever pairs players or hands
//! chat round asks here, without a wait.

use crate::store::{Block, BlockError, Store, StoreFailure};
use chatrang_protocol::ids::{AccountId, Handle};
use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::Mutex;

/// All blocks of the server. Cheap to clone; the same blocks behind all clones.
#[derive(Clone, Debug)]
pub struct Blocks(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    store: Store,
    /// What the store has kept. As many as all accounts together may have.
    known: RwLock<HashSet<Block>>,
    /// Held while the store keeps one and it becomes known: two programs of one player, of which one
    /// blocks and the other unblocks, leave here what they leave in the store.
    turn: Mutex<()>,
}

impl Blocks {
    /// All that the store knows.
    ///
    /// # Errors
    /// [`StoreFailure`] when it cannot be read.
    pub async fn load(store: Store) -> Result<Self, StoreFailure> {
        let known = store.blocks().await?.into_iter().collect();
        Ok(Self(Arc::new(Shared { store, known: RwLock::new(known), turn: Mutex::default() })))
    }

    /// Keeps a block, from which on it counts.
    ///
    /// # Errors
    /// [`BlockError`]; nothing has changed then.
    pub async fn add(&self, by: AccountId, handle: Handle) -> Result<(), BlockError> {
        let _turn = self.0.turn.lock().await;
        let block = self.0.store.block(by, handle).await?;
        self.0.known.write().unwrap_or_else(PoisonError::into_inner).insert(block);
        Ok(())
    }

    /// Forgets a block, if it stands.
    ///
    /// # Errors
    /// [`BlockError`]; nothing has changed then.
    pub async fn remove(&self, by: AccountId, handle: Handle) -> Result<(), BlockError> {
        let _turn = self.0.turn.lock().await;
        let block = self.0.store.unblock(by, handle).await?;
        self.0.known.write().unwrap_or_else(PoisonError::into_inner).remove(&block);
        Ok(())
    }

    /// Whether `by` hears nothing of what `blocked` says.
    pub fn silences(&self, by: AccountId, blocked: AccountId) -> bool {
        self.0.known.read().unwrap_or_else(PoisonError::into_inner).contains(&Block { by, blocked })
    }

    /// Whether one of the two blocks the other, so that no game is begun between them.
    pub fn part(&self, one: AccountId, other: AccountId) -> bool {
        self.silences(one, other) || self.silences(other, one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Registration, RegistrationMode};
    use chatrang_protocol::key::SecretKey;

    #[tokio::test]
    async fn a_block_silences_one_way_parts_both_and_outlives_a_restart() {
        let store = Store::open_in_memory().unwrap();
        let mut ids = Vec::new();
        for name in ["Ann", "Bob", "Cid"] {
            let key = SecretKey::generate().unwrap().public_key();
            let (handle, mode) = (name.parse().unwrap(), RegistrationMode::Open);
            let registration = Registration { key, handle, invite: None, mode, now_unix_ms: 0 };
            ids.push(store.register(registration).await.unwrap().id);
        }
        let (ann, bob, cid) = (ids[0], ids[1], ids[2]);
        Blocks::load(store.clone()).await.unwrap().add(ann, "bob".parse().unwrap()).await.unwrap();
        let blocks = Blocks::load(store).await.unwrap();
        assert!(blocks.silences(ann, bob) && !blocks.silences(bob, ann));
        assert!(blocks.part(ann, bob) && blocks.part(bob, ann));
        assert!(!blocks.part(ann, cid) && !blocks.part(bob, cid));
        blocks.remove(ann, "Bob".parse().unwrap()).await.unwrap();
        assert!(!blocks.part(ann, bob));
    }
}
