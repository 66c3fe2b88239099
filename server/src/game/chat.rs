//! What is said at a game: two rooms, the last lines of each, and how fast an account may talk.
//!
//! Lines are not journaled: they are no part of the game, and gone with its table.

use crate::timeline::ServerInstant;
use chatrang_protocol::chat::{ChatLine, ChatRoom};
use chatrang_protocol::ids::AccountId;
use chatrang_protocol::limits;
use chatrang_protocol::talk::TalkError;
use chatrang_rules::color::Color;
use std::collections::{HashMap, VecDeque};

/// How long one line takes from an account's allowance, and all that it may say at once.
const LINE_MS: u64 = 1_000 * limits::CHAT_LINE_SECONDS;
const ALLOWANCE_MS: u64 = LINE_MS * limits::CHAT_BURST_LINES;

/// The talk at one game.
#[derive(Debug, Default)]
pub(super) struct Chat {
    /// The last lines of both rooms, in the order in which they were said.
    kept: VecDeque<Said>,
    /// When each account that has spoken lately may again say as much as ever at once.
    full_at: HashMap<AccountId, ServerInstant>,
}

/// A line and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) by: AccountId,
    pub(super) line: ChatLine,
}

/// Whether players hear the spectators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rooms {
    /// They do not: the game goes on.
    Apart,
    /// They do: it is over.
    Open,
}

/// The room in which somebody speaks.
pub(super) fn room_of(seat: Option<Color>) -> ChatRoom {
    match seat {
        Some(_) => ChatRoom::Players,
        None => ChatRoom::Spectators,
    }
}

/// Whether somebody with that seat hears a room: what spectators say could help a player (FIDE 11.3.1),
/// until the game is over.
pub(super) fn hears(seat: Option<Color>, room: ChatRoom, rooms: Rooms) -> bool {
    seat.is_none() || room == ChatRoom::Players || rooms == Rooms::Open
}

impl Chat {
    /// Takes a line in. Whether it is to be handed round: one that is still kept has been already, and
    /// its sender has only missed the answer.
    ///
    /// # Errors
    /// [`TalkError::TooFast`].
    pub(super) fn say(&mut self, said: Said, now: ServerInstant) -> Result<bool, TalkError> {
        if self.kept.iter().any(|kept| kept.by == said.by && kept.line.id == said.line.id) {
            return Ok(false);
        }
        self.spend(said.by, now)?;
        let room = said.line.room;
        if self.kept.iter().filter(|kept| kept.line.room == room).count() >= limits::CHAT_LINES_KEPT_MAX
            && let Some(oldest) = self.kept.iter().position(|kept| kept.line.room == room)
        {
            self.kept.remove(oldest);
        }
        self.kept.push_back(said);
        Ok(true)
    }

    /// The lines that are kept and heard by whoever asks.
    pub(super) fn kept(&self, hears: impl Fn(&Said) -> bool) -> Vec<ChatLine> {
        self.kept.iter().filter(|said| hears(said)).map(|said| said.line.clone()).collect()
    }

    /// Takes a line's time from an account's allowance.
    fn spend(&mut self, by: AccountId, now: ServerInstant) -> Result<(), TalkError> {
        // Whoever may say as much as ever needs no note.
        self.full_at.retain(|_, full_at| *full_at > now);
        let after = self.full_at.get(&by).copied().unwrap_or(now).plus_ms(LINE_MS);
        if after.since_ms(now) > ALLOWANCE_MS {
            return Err(TalkError::TooFast);
        }
        self.full_at.insert(by, after);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_protocol::chat::ChatText;
    use chatrang_protocol::ids::{Handle, TalkId};

    const ANN: AccountId = AccountId(1);
    const BOB: AccountId = AccountId(2);

    fn said(by: AccountId, id: u64, room: ChatRoom) -> Said {
        let from = Handle::new("somebody").unwrap();
        Said { by, line: ChatLine { id: TalkId(id), from, room, text: ChatText::new("hm").unwrap() } }
    }

    fn ids(chat: &Chat, room: ChatRoom) -> Vec<u64> {
        chat.kept(|said| said.line.room == room).iter().map(|line| line.id.0).collect()
    }

    #[test]
    fn an_account_may_say_some_lines_at_once_and_then_one_at_a_time() {
        let mut chat = Chat::default();
        let start = ServerInstant(500);
        for id in 0..limits::CHAT_BURST_LINES {
            assert_eq!(chat.say(said(ANN, id, ChatRoom::Players), start), Ok(true));
        }
        assert_eq!(chat.say(said(ANN, 90, ChatRoom::Players), start), Err(TalkError::TooFast));
        assert_eq!(chat.say(said(ANN, 0, ChatRoom::Players), start), Ok(false), "the same line again");
        assert_eq!(chat.say(said(BOB, 0, ChatRoom::Players), start), Ok(true), "each for himself");
        let later = start.plus_ms(LINE_MS);
        assert_eq!(chat.say(said(ANN, 91, ChatRoom::Players), later), Ok(true));
        assert_eq!(chat.say(said(ANN, 92, ChatRoom::Players), later), Err(TalkError::TooFast));
        let rested = later.plus_ms(100 * ALLOWANCE_MS);
        for id in 100..100 + limits::CHAT_BURST_LINES {
            assert_eq!(chat.say(said(ANN, id, ChatRoom::Players), rested), Ok(true));
        }
        assert_eq!(chat.say(said(ANN, 93, ChatRoom::Players), rested), Err(TalkError::TooFast));
        assert_eq!(chat.full_at.len(), 1, "only those who have spoken lately are noted");
    }

    #[test]
    fn each_room_keeps_its_last_lines() {
        let mut chat = Chat::default();
        chat.say(said(BOB, 7, ChatRoom::Spectators), ServerInstant(0)).unwrap();
        let max = limits::CHAT_LINES_KEPT_MAX as u64;
        for id in 0..max + 3 {
            chat.say(said(ANN, id, ChatRoom::Players), ServerInstant(id * LINE_MS)).unwrap();
        }
        assert_eq!(ids(&chat, ChatRoom::Players), (3..max + 3).collect::<Vec<_>>());
        assert_eq!(ids(&chat, ChatRoom::Spectators), [7]);
    }

    #[test]
    fn players_hear_the_spectators_only_when_the_game_is_over() {
        let white = Some(Color::White);
        for (seat, room, rooms, expected) in [
            (white, ChatRoom::Players, Rooms::Apart, true),
            (white, ChatRoom::Spectators, Rooms::Apart, false),
            (white, ChatRoom::Spectators, Rooms::Open, true),
            (None, ChatRoom::Players, Rooms::Apart, true),
            (None, ChatRoom::Spectators, Rooms::Apart, true),
        ] {
            assert_eq!(hears(seat, room, rooms), expected, "{seat:?} {room:?} {rooms:?}");
        }
    }
}
