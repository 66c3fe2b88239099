//! Where people meet: who is connected, who seeks a game, who has invited whom.
//!
//! Seeks live as long as their player is connected; invitations are in the store and outlive a
//! restart. Pairing itself is a pure question: [`pairing`].

pub mod pairing;
mod people;

use crate::blocks::Blocks;
use crate::calls::{Attending, Calls};
use crate::game::actor::House;
use crate::game::handle::GameHandle;
use crate::game::registry::{BeginError, Registry};
use crate::line::Line;
use crate::random::Random;
use crate::store::{
    Account, Arbiters, CreateInviteError, InviteError, NewInvite, Store, StoreFailure, StoredInvite,
};
use crate::timeline::Timeline;
use chatrang_protocol::codec::{self, List};
use chatrang_protocol::ids::{AccountId, SeekId};
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::{InvitationView, Proposal, Seat, SeekView, Side};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{Reply, RequestError};
use chatrang_protocol::request::Request;
use chatrang_protocol::role::Role;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Arbiter, Conduct, Millis, Profile, SpeedClass, Terms};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

/// Longest encoding of a proposal in the store, in bytes.
const PROPOSAL_BYTES_MAX: usize = 256;

/// An invite to play is for one friend: he may register with it, and then take the game.
const CHALLENGE_USES: u32 = 1;

/// The lobby. Cheap to clone; the same lobby behind all clones.
#[derive(Clone, Debug)]
pub struct Lobby {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    people: Mutex<People>,
    registry: Registry,
    store: Store,
    blocks: Blocks,
    timeline: Arc<dyn Timeline>,
    random: Random,
    house_terms: HouseTerms,
    calls: Calls,
    stop: CancellationToken,
}

/// What the house adds to the terms that players agree on.
#[derive(Clone, Copy, Debug)]
pub struct HouseTerms {
    /// How long each side may take for its first move.
    pub first_move: Millis,
    /// How a game is conducted whose players leave it to the house.
    pub profile: Profile,
    /// Whose being there gives a game an arbiter to turn to.
    pub arbiters: Arbiters,
}

#[derive(Debug, Default)]
struct People {
    /// The control line of every connection, by account.
    lines: BTreeMap<AccountId, Vec<(Visit, Line)>>,
    next_visit: u64,
    seeks: Vec<Seek>,
    next_seek: u64,
}

/// Names one connection of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Visit(u64);

#[derive(Clone, Debug)]
struct Seek {
    id: SeekId,
    by: Account,
    proposal: Proposal,
}

/// A connection's presence in the lobby; it leaves when dropped.
#[derive(Debug)]
pub struct Presence {
    lobby: Lobby,
    account: AccountId,
    visit: Visit,
    /// Who was an arbiter when he came is told of calls as long as he is here.
    _attending: Option<Attending>,
}

impl Lobby {
    /// An empty lobby, whose games go to `registry` on the house's terms.
    pub fn new(registry: Registry, house: &House, random: Random, house_terms: HouseTerms) -> Self {
        let House { store, blocks, timeline, calls, stop, .. } = house.clone();
        let people = Mutex::default();
        let shared = Shared { people, registry, store, blocks, timeline, random, house_terms, calls, stop };
        Self { shared: Arc::new(shared) }
    }

    /// Lets a connection in, to be told news on `line`; none when the account has as many as it may.
    pub fn enter(&self, account: &Account, line: Line) -> Option<Presence> {
        let mut people = self.people();
        let visit = Visit(people.next_visit);
        let lines = people.lines.entry(account.id).or_default();
        if lines.len() >= limits::CONNECTIONS_PER_ACCOUNT_MAX {
            return None;
        }
        lines.push((visit, line.clone()));
        people.next_visit += 1;
        drop(people);
        let attending = account.role.is_arbiter().then(|| self.shared.calls.attend(line));
        Some(Presence { lobby: self.clone(), account: account.id, visit, _attending: attending })
    }

    /// Tells everyone.
    pub fn tell_all(&self, notice: &Notice) {
        for (_, line) in self.people().lines.values().flatten() {
            line.notice(notice);
        }
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.people().lines.values().map(Vec::len).sum()
    }

    /// Does what a client asks.
    ///
    /// # Errors
    /// [`RequestError`] says why not; nothing has changed then.
    pub async fn answer(&self, account: &Account, request: Request) -> Result<Reply, RequestError> {
        let begins_game = matches!(request, Request::Seek(_) | Request::TakeSeek(_) | Request::TakeInvite(_));
        if begins_game && self.shared.stop.is_cancelled() {
            return Err(RequestError::ServerStopping);
        }
        if begins_game && !self.has_seat(account.id) {
            return Err(RequestError::TooManyGames);
        }
        match request {
            Request::Seek(proposal) => self.seek(account, self.settled(proposal)?).await,
            Request::CancelSeek(id) => self.cancel_seek(account, id),
            Request::TakeSeek(id) => self.take_seek(account, id).await,
            Request::ListSeeks => Ok(Reply::Seeks(self.seeks())),
            Request::Invite(proposal) => self.invite(account, self.settled(proposal)?).await,
            Request::TakeInvite(code) => self.take_invite(account, code).await,
            Request::PeekInvite(code) => self.peek_invite(code).await,
            Request::ListGames => Ok(Reply::Games(List::cut(self.shared.registry.list(account.id).await))),
            Request::ListSeats => Ok(Reply::Seats(self.seats(account).await)),
            Request::Block(handle) => self.block(account, handle).await,
            Request::Unblock(handle) => self.unblock(account, handle).await,
            Request::ListBlocks => self.blocks(account).await,
            Request::SetRole { handle, role } => self.set_role(account, handle, role).await,
            Request::ListCalls => self.calls(account).await,
        }
    }

    /// A proposal that can be played, with nothing left to the house any more.
    fn settled(&self, proposal: Proposal) -> Result<Proposal, RequestError> {
        if !proposal.is_playable() {
            return Err(RequestError::NoSuchTerms);
        }
        let conduct = proposal.conduct.unwrap_or_else(|| self.usual_conduct(&proposal));
        Ok(Proposal { conduct: Some(conduct), ..proposal })
    }

    fn usual_conduct(&self, proposal: &Proposal) -> Conduct {
        Conduct::new(self.shared.house_terms.profile, SpeedClass::of_game(&proposal.controls))
    }

    async fn seek(&self, account: &Account, proposal: Proposal) -> Result<Reply, RequestError> {
        let partner = {
            let mut people = self.people();
            // Who is in as many games as he may be, or has nothing to do with this player, has his seek
            // left standing and hinders nobody.
            let fits = |seek: &Seek| {
                seek.by.id != account.id
                    && pairing::matches(&seek.proposal, &proposal)
                    && !self.shared.blocks.part(seek.by.id, account.id)
                    && self.has_seat(seek.by.id)
            };
            match people.seeks.iter().position(fits) {
                Some(index) => people.seeks.remove(index),
                None => return people.post(account, proposal).map(Reply::Seeking),
            }
        };
        self.pair(partner, account, proposal.side).await
    }

    fn cancel_seek(&self, account: &Account, id: SeekId) -> Result<Reply, RequestError> {
        let mut people = self.people();
        let own = |seek: &Seek| seek.id == id && seek.by.id == account.id;
        let index = people.seeks.iter().position(own).ok_or(RequestError::NoSuchSeek)?;
        people.seeks.remove(index);
        Ok(Reply::Done)
    }

    async fn take_seek(&self, account: &Account, id: SeekId) -> Result<Reply, RequestError> {
        let partner = {
            let mut people = self.people();
            let found = people.seeks.iter().enumerate().find(|(_, seek)| seek.id == id);
            let (index, seek) = found.ok_or(RequestError::NoSuchSeek)?;
            if seek.by.id == account.id {
                return Err(RequestError::Yourself);
            }
            if self.shared.blocks.part(seek.by.id, account.id) {
                return Err(RequestError::Blocked);
            }
            people.seeks.remove(index)
        };
        self.pair(partner, account, Side::Random).await
    }

    /// Begins the game of a seek that was taken off the list; puts it back if there is no game.
    async fn pair(&self, seek: Seek, taker: &Account, taker_side: Side) -> Result<Reply, RequestError> {
        let lot = self.shared.random.color();
        let color = pairing::color_of_first(seek.proposal.side, taker_side, lot).unwrap_or(lot);
        let begun = self.begin(&seek.by, taker, color, seek.proposal).await;
        if begun.is_err() {
            let mut people = self.people();
            if people.lines.contains_key(&seek.by.id) {
                people.seeks.push(seek);
            }
        }
        begun.map(Reply::Paired)
    }

    fn seeks(&self) -> List<SeekView, { limits::SEEKS_MAX }> {
        let view =
            |seek: &Seek| SeekView { seek: seek.id, by: seek.by.handle.clone(), proposal: seek.proposal };
        List::cut(self.people().seeks.iter().map(view).collect())
    }

    async fn invite(&self, account: &Account, proposal: Proposal) -> Result<Reply, RequestError> {
        let code = InviteCode::from_random(self.shared.random.bytes());
        let challenge = codec::encode(&proposal, PROPOSAL_BYTES_MAX).map_err(|error| {
            error!(%error, "a proposal has no encoding: this is a fault of the server");
            RequestError::Unsupported
        })?;
        let now_unix_ms = self.shared.timeline.unix_ms();
        let invite = NewInvite {
            code,
            by: account.id,
            role: Role::Player,
            uses: CHALLENGE_USES,
            expires_unix_ms: now_unix_ms + 1_000 * limits::INVITE_SECONDS_MAX,
            challenge: Some(challenge),
        };
        let created = self.shared.store.create_invite(invite, now_unix_ms).await;
        created.map_err(|error| match error {
            CreateInviteError::CodeTaken => RequestError::StoreUnavailable,
            CreateInviteError::Store(failure) => refuse_store(&failure),
        })?;
        Ok(Reply::Invited(code))
    }

    async fn peek_invite(&self, code: InviteCode) -> Result<Reply, RequestError> {
        let now_unix_ms = self.shared.timeline.unix_ms();
        let invite = self.shared.store.invite(code, now_unix_ms).await.map_err(refuse_invite)?;
        let Invitation { host, proposal } = self.invitation(&invite).await?;
        Ok(Reply::Invitation(InvitationView { by: host.handle, proposal }))
    }

    /// Who invites to which game.
    async fn invitation(&self, invite: &StoredInvite) -> Result<Invitation, RequestError> {
        let (Some(by), Some(challenge)) = (invite.by, &invite.challenge) else {
            return Err(RequestError::InviteWithoutGame);
        };
        let proposal: Proposal = codec::decode(challenge).map_err(|error| {
            warn!(%error, "an invitation's proposal cannot be read");
            RequestError::NoSuchInvite
        })?;
        let host = self.shared.store.account(by).await.map_err(|failure| refuse_store(&failure))?;
        Ok(Invitation { host: host.ok_or(RequestError::NoSuchInvite)?, proposal })
    }

    async fn take_invite(&self, account: &Account, code: InviteCode) -> Result<Reply, RequestError> {
        let store = &self.shared.store;
        let now_unix_ms = self.shared.timeline.unix_ms();
        let invite = store.invite(code, now_unix_ms).await.map_err(refuse_invite)?;
        let by = invite.by.ok_or(RequestError::InviteWithoutGame)?;
        if by == account.id {
            return Err(RequestError::Yourself);
        }
        let Invitation { host, proposal } = self.invitation(&invite).await?;
        if self.shared.blocks.part(by, account.id) {
            return Err(RequestError::Blocked);
        }
        if !self.people().lines.contains_key(&by) {
            return Err(RequestError::OpponentAway);
        }
        if !self.has_seat(by) {
            return Err(RequestError::TooManyGames);
        }
        store.take_challenge(code, account.id, now_unix_ms).await.map_err(refuse_invite)?;
        let lot = self.shared.random.color();
        let color = pairing::color_of_first(proposal.side, Side::Random, lot);
        let begun = self.begin(&host, account, color.unwrap_or(lot), proposal).await;
        if begun.is_err() {
            // Nothing was played with it. A store that cannot take it back loses an invite, no game.
            let _ = store.return_challenge(code, invite.uses_left).await;
        }
        begun.map(Reply::Paired)
    }

    async fn seats(&self, account: &Account) -> List<Seat, { limits::GAMES_PER_ACCOUNT_MAX }> {
        let mut seats = Vec::new();
        for handle in self.shared.registry.seats_of(account.id) {
            let Some(color) = handle.seat(account.id) else { continue };
            if let Some(summary) = handle.summary().await.filter(|summary| summary.result.is_none()) {
                seats.push(Seat { game: handle.game, color, opponent: summary.players[!color].clone() });
            }
        }
        List::cut(seats)
    }

    /// Begins a game and tells the one who has waited for it; the other gets it as his reply.
    async fn begin(
        &self,
        waiting: &Account,
        taker: &Account,
        waiting_color: Color,
        proposal: Proposal,
    ) -> Result<Seat, RequestError> {
        let terms = self.terms(&proposal).await?;
        let seats = ByColor::from_fn(|color| if color == waiting_color { waiting.id } else { taker.id });
        let handle = self.begin_game(terms, seats).await?;
        self.tell(waiting.id, &Notice::GameStarted(seat(&handle, waiting_color, taker)));
        Ok(seat(&handle, !waiting_color, waiting))
    }

    /// What is agreed with a proposal, and what the house adds to it.
    async fn terms(&self, proposal: &Proposal) -> Result<Terms, RequestError> {
        let HouseTerms { first_move, arbiters, .. } = self.shared.house_terms;
        let named = self.shared.store.has_arbiter(arbiters).await;
        let named = named.map_err(|failure| refuse_store(&failure))?;
        Ok(Terms {
            conduct: proposal.conduct.unwrap_or_else(|| self.usual_conduct(proposal)),
            first_move,
            agreement_from: proposal.agreement_from,
            stakes: proposal.stakes,
            arbiter: if named { Arbiter::Named } else { Arbiter::Nobody },
            ..Terms::online(proposal.controls)
        })
    }

    fn has_seat(&self, account: AccountId) -> bool {
        self.shared.registry.seats().has_room(account)
    }

    fn tell(&self, account: AccountId, notice: &Notice) {
        for (_, line) in self.people().lines.get(&account).into_iter().flatten() {
            line.notice(notice);
        }
    }

    fn people(&self) -> MutexGuard<'_, People> {
        self.shared.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who invites to which game.
struct Invitation {
    host: Account,
    proposal: Proposal,
}

impl People {
    fn post(&mut self, by: &Account, proposal: Proposal) -> Result<SeekId, RequestError> {
        // A client that has lost its connection seeks again, perhaps before its old one is known to
        // be gone: the same wish of the same player is one seek.
        let same = |seek: &&Seek| seek.by.id == by.id && seek.proposal == proposal;
        if let Some(seek) = self.seeks.iter().find(same) {
            return Ok(seek.id);
        }
        let own = self.seeks.iter().filter(|seek| seek.by.id == by.id).count();
        if own >= limits::SEEKS_PER_ACCOUNT_MAX || self.seeks.len() >= limits::SEEKS_MAX {
            return Err(RequestError::TooManySeeks);
        }
        self.next_seek += 1;
        let id = SeekId(self.next_seek);
        self.seeks.push(Seek { id, by: by.clone(), proposal });
        Ok(id)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut people = self.lobby.people();
        let Some(lines) = people.lines.get_mut(&self.account) else { return };
        lines.retain(|(visit, _)| *visit != self.visit);
        if lines.is_empty() {
            people.lines.remove(&self.account);
            people.seeks.retain(|seek| seek.by.id != self.account);
        }
    }
}

fn seat(handle: &GameHandle, color: Color, opponent: &Account) -> Seat {
    Seat { game: handle.game, color, opponent: opponent.handle.clone() }
}

fn refuse_game(error: BeginError) -> RequestError {
    match error {
        BeginError::TooManyGames => RequestError::TooManyGames,
        BeginError::Store(failure) => refuse_store(&failure),
        BeginError::Codec(error) => {
            error!(%error, "a game's start has no encoding: this is a fault of the server");
            RequestError::StoreUnavailable
        }
    }
}

/// What a client hears of a store that does not do its work.
fn refuse_store(failure: &StoreFailure) -> RequestError {
    match failure {
        StoreFailure::Stopped => RequestError::ServerStopping,
        _ => RequestError::StoreUnavailable,
    }
}

fn refuse_invite(error: InviteError) -> RequestError {
    match error {
        InviteError::Unknown => RequestError::NoSuchInvite,
        InviteError::Expired => RequestError::InviteExpired,
        InviteError::UsedUp => RequestError::InviteUsedUp,
        InviteError::UsedUpWithoutGame => RequestError::InviteWithoutGame,
        InviteError::Store(failure) => refuse_store(&failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(number: usize) -> Account {
        Account {
            id: AccountId(number as u64),
            handle: "Somebody".parse().unwrap(),
            role: Role::Player,
            created_unix_ms: 0,
        }
    }

    fn proposal(minutes: usize) -> Proposal {
        Proposal::casual(format!("{minutes}+0").parse().unwrap(), Side::White)
    }

    #[test]
    fn an_account_and_the_lobby_hold_so_many_seeks() {
        let mut people = People::default();
        for number in 0..limits::SEEKS_MAX {
            let (account, minutes) =
                (account(number / limits::SEEKS_PER_ACCOUNT_MAX), 1 + number % limits::SEEKS_PER_ACCOUNT_MAX);
            people.post(&account, proposal(minutes)).unwrap();
        }
        let (first, another) = (account(0), account(limits::SEEKS_MAX));
        assert_eq!(people.post(&another, proposal(1)), Err(RequestError::TooManySeeks), "the lobby is full");
        assert_eq!(people.post(&first, proposal(1)), Ok(SeekId(1)), "the same seek as before");
        people.seeks.retain(|seek| seek.by.id != AccountId(1));
        assert_eq!(people.post(&first, proposal(9)), Err(RequestError::TooManySeeks), "he has his share");
        people.post(&another, proposal(1)).unwrap();
    }
}
