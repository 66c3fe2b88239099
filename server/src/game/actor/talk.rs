//! The part of a game's task that is beside the game: chat, and the ask for a rematch.

use super::Actor;
use crate::blocks::Blocks;
use crate::game::chat::{self, Rooms, Said};
use crate::game::feed;
use crate::game::handle::{Speaker, Upshot};
use crate::game::rematch::{Agreement, Asked, Newcomer};
use bytes::Bytes;
use chatrang_protocol::chat::{ChatLine, ChatRoom, ChatText};
use chatrang_protocol::codec::List;
use chatrang_protocol::ids::{AccountId, GameId, TalkId};
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::talk::{RematchNews, Talk, TalkError, TalkFrame};
use chatrang_protocol::view::{GameFrame, Presence};
use chatrang_rules::color::{ByColor, Color};

impl Actor {
    /// Hears what somebody at the game says.
    pub(super) fn talk(&mut self, speaker: Speaker, frame: TalkFrame) -> Result<Upshot, TalkError> {
        match frame.talk {
            Talk::Say(text) => self.say(speaker, frame.id, text),
            Talk::AskRematch => self.ask_rematch(speaker.seat.ok_or(TalkError::NotSeated)?),
        }
    }

    fn say(&mut self, speaker: Speaker, id: TalkId, text: ChatText) -> Result<Upshot, TalkError> {
        let now = self.house.timeline.now();
        let room = chat::room_of(speaker.seat);
        let said = Said { by: speaker.account, line: ChatLine { id, from: speaker.handle, room, text } };
        if self.chat.say(said.clone(), now)? {
            let (frame, ears) = (GameFrame::Chat(List::cut(vec![said.line.clone()])), self.ears());
            self.tell_those(&frame, |account, seat| ears.hear(&said, account, seat));
        }
        Ok(Upshot::Taken)
    }

    fn ask_rematch(&mut self, by: Color) -> Result<Upshot, TalkError> {
        if self.game.result().is_none() {
            return Err(TalkError::NotOver);
        }
        let seats = self.table.players.as_ref().map(|player| player.account);
        if self.house.blocks.part(seats.white, seats.black) {
            return Err(TalkError::NoGame(RequestError::Blocked));
        }
        if self.rematch.is_agreed() {
            return Ok(Upshot::Taken);
        }
        if self.audience.presence(self.house.timeline.now())[!by] != Presence::Here {
            return Err(TalkError::OpponentGone);
        }
        match self.rematch.ask(by) {
            Asked::Again => Ok(Upshot::Taken),
            Asked::First => {
                self.tell_those(&GameFrame::Rematch(RematchNews::Asked { by }), |_, _| true);
                Ok(Upshot::Taken)
            }
            Asked::Agreed => {
                let exchanged = ByColor { white: seats.black, black: seats.white };
                Ok(Upshot::Agreed(Agreement { terms: self.game.terms(), seats: exchanged }))
            }
        }
    }

    /// Tells what became of the game that was agreed to.
    pub(super) fn settle_rematch(&mut self, begun: Option<GameId>) {
        let news = self.rematch.settle(begun);
        self.tell_those(&GameFrame::Rematch(news), |_, _| true);
    }

    /// Ends the ask of a player who has left, or whose opponent has. Whether there was one.
    pub(super) fn withdraw_rematch(&mut self) -> bool {
        let ends = !self.audience.is_complete() && self.rematch.withdraw();
        if ends && let Some(frame) = feed::encode(&GameFrame::Rematch(RematchNews::Withdrawn)) {
            self.audience.tell_all(&frame, self.house.timeline.now());
        }
        ends
    }

    /// What a new listener hears beside the game.
    pub(super) fn talk_so_far(
        &self,
        account: AccountId,
        seat: Option<Color>,
        newcomer: Newcomer,
    ) -> Vec<Bytes> {
        let ears = self.ears();
        let lines = self.chat.kept(|said| ears.hear(said, account, seat));
        let chat = (!lines.is_empty()).then(|| GameFrame::Chat(List::cut(lines)));
        let rematch = self.rematch.news(newcomer).map(GameFrame::Rematch);
        chat.iter().chain(&rematch).filter_map(feed::encode).collect()
    }

    /// The game is over: the players hear what the spectators have said.
    pub(super) fn open_rooms(&mut self) {
        let ears = self.ears();
        for color in Color::ALL {
            let player = self.table.players[color].account;
            let lines = self
                .chat
                .kept(|said| said.line.room == ChatRoom::Spectators && ears.hear(said, player, Some(color)));
            if !lines.is_empty() {
                self.tell_those(&GameFrame::Chat(List::cut(lines)), |_, seat| seat == Some(color));
            }
        }
    }

    /// Gives a frame to those who are to hear it, and tells everyone who is gone by that.
    fn tell_those(&mut self, frame: &GameFrame, is_to_hear: impl Fn(AccountId, Option<Color>) -> bool) {
        let Some(frame) = feed::encode(frame) else { return };
        let before = self.presence();
        self.audience.tell_those(&frame, self.house.timeline.now(), is_to_hear);
        self.announce(before);
    }

    fn ears(&self) -> Ears {
        let rooms = if self.game.result().is_some() { Rooms::Open } else { Rooms::Apart };
        Ears { rooms, blocks: self.house.blocks.clone() }
    }
}

/// Who hears what at this moment.
struct Ears {
    rooms: Rooms,
    blocks: Blocks,
}

impl Ears {
    /// Whether a listener hears a line: of his room, and of nobody whom he blocks.
    fn hear(&self, said: &Said, listener: AccountId, seat: Option<Color>) -> bool {
        chat::hears(seat, said.line.room, self.rooms) && !self.blocks.silences(listener, said.by)
    }
}
