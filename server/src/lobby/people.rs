//! What players have to do with each other beside seeks: blocks, roles, and a game played again.

use super::{Lobby, refuse_game, refuse_store};
use crate::game::handle::GameHandle;
use crate::game::rematch::Agreement;
use crate::store::{Account, BlockError, SetRoleError};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::List;
use chatrang_protocol::ids::{AccountId, GameId, Handle};
use chatrang_protocol::lobby::Seat;
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{Reply, RequestError};
use chatrang_protocol::role::Role;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::Terms;
use tracing::info;

impl Lobby {
    /// Begins the game that the players of a finished one have agreed to, and tells them both.
    ///
    /// # Errors
    /// [`RequestError`] says why there is no game.
    pub async fn begin_rematch(&self, agreement: Agreement) -> Result<GameId, RequestError> {
        if self.shared.stop.is_cancelled() {
            return Err(RequestError::ServerStopping);
        }
        let Agreement { terms, seats } = agreement;
        let players = self.accounts(seats).await?;
        let handle = self.begin_game(terms, seats).await?;
        for color in Color::ALL {
            let seat = Seat { game: handle.game, color, opponent: players[!color].handle.clone() };
            self.tell(seats[color], &Notice::GameStarted(seat));
        }
        Ok(handle.game)
    }

    /// Closes every connection of an account whose keys may no longer use it.
    pub fn revoke(&self, account: AccountId) {
        let lines = {
            let mut people = self.people();
            people.seeks.retain(|seek| seek.by.id != account);
            people.lines.remove(&account).unwrap_or_default()
        };
        for (_, line) in lines {
            line.close(CloseCode::Revoked);
        }
    }

    /// Begins a game between two who have something to do with each other, by the roles that they have
    /// now: a session knows only the one that it came in with.
    pub(super) async fn begin_game(
        &self,
        terms: Terms,
        seats: ByColor<AccountId>,
    ) -> Result<GameHandle, RequestError> {
        if self.shared.blocks.part(seats.white, seats.black) {
            return Err(RequestError::Blocked);
        }
        let players = self.accounts(seats).await?;
        self.shared.registry.begin(terms, players).await.map_err(refuse_game)
    }

    pub(super) async fn block(&self, account: &Account, handle: Handle) -> Result<Reply, RequestError> {
        self.shared.blocks.add(account.id, handle).await.map_err(refuse_block)?;
        Ok(Reply::Done)
    }

    pub(super) async fn unblock(&self, account: &Account, handle: Handle) -> Result<Reply, RequestError> {
        self.shared.blocks.remove(account.id, handle).await.map_err(refuse_block)?;
        Ok(Reply::Done)
    }

    pub(super) async fn blocks(&self, account: &Account) -> Result<Reply, RequestError> {
        let handles = self.shared.store.blocks_of(account.id).await;
        handles.map(|handles| Reply::Blocks(List::cut(handles))).map_err(|failure| refuse_store(&failure))
    }

    pub(super) async fn set_role(
        &self,
        account: &Account,
        handle: Handle,
        role: Role,
    ) -> Result<Reply, RequestError> {
        let given = self.shared.store.give_role(account.id, handle.clone(), role).await;
        given.map_err(|error| match error {
            SetRoleError::NoAccount => RequestError::NoSuchPlayer,
            SetRoleError::NotOwner => RequestError::NotOwner,
            SetRoleError::LastOwner => RequestError::LastOwner,
            SetRoleError::Store(failure) => refuse_store(&failure),
        })?;
        info!(by = %account.handle, player = %handle, %role, "role given");
        Ok(Reply::Done)
    }

    /// The games that wait for an arbiter, for whoever is one now.
    pub(super) async fn calls(&self, account: &Account) -> Result<Reply, RequestError> {
        let account = self.shared.store.account(account.id).await;
        let account = account.map_err(|failure| refuse_store(&failure))?;
        if account.is_none_or(|account| !account.role.is_arbiter()) {
            return Err(RequestError::NotArbiter);
        }
        Ok(Reply::Calls(List::cut(self.shared.calls.list())))
    }

    async fn accounts(&self, seats: ByColor<AccountId>) -> Result<ByColor<Account>, RequestError> {
        let account = async |id| match self.shared.store.account(id).await {
            Ok(account) => account.ok_or(RequestError::NoSuchPlayer),
            Err(failure) => Err(refuse_store(&failure)),
        };
        Ok(ByColor { white: account(seats.white).await?, black: account(seats.black).await? })
    }
}

fn refuse_block(error: BlockError) -> RequestError {
    match error {
        BlockError::NoAccount => RequestError::NoSuchPlayer,
        BlockError::Yourself => RequestError::BlocksYourself,
        BlockError::TooMany => RequestError::TooManyBlocks,
        BlockError::Store(failure) => refuse_store(&failure),
    }
}
