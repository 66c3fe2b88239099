//! What is said at one game from a client's side: what waits for its answer, and which lines were heard.

use crate::chat::ChatLine;
use crate::ids::{Handle, TalkId};
use crate::limits;
use crate::talk::{TalkAnswer, TalkFrame};
use std::collections::VecDeque;
use tokio::sync::mpsc;

/// Things to say that may wait to be sent, beside those that wait for their answer.
const TALKS_WAITING_MAX: usize = 4;

/// Lines that the server may send again when the game's stream is taken up anew.
const HEARD_MAX: usize = limits::CHAT_LINES_SENT_MAX;

/// The talk of one game's link.
#[derive(Debug)]
pub(super) struct Talking {
    talks: mpsc::Receiver<TalkFrame>,
    /// In the order of their sending; sent again on each new stream.
    unanswered: VecDeque<TalkFrame>,
    /// The last lines that were passed on, by speaker and number.
    heard: VecDeque<(Handle, TalkId)>,
}

impl Talking {
    /// The talk, and where to put what is to be said.
    pub(super) fn new() -> (Self, mpsc::Sender<TalkFrame>) {
        let (give, talks) = mpsc::channel(TALKS_WAITING_MAX);
        (Self { talks, unanswered: VecDeque::new(), heard: VecDeque::with_capacity(HEARD_MAX) }, give)
    }

    /// The next thing to send, when as few wait for their answer as may; it waits for its own from now
    /// on. Never ready when there will be no more.
    ///
    /// Cancel-safe.
    pub(super) async fn next(&mut self) -> TalkFrame {
        if self.unanswered.len() < limits::TALKS_IN_FLIGHT_MAX
            && let Some(talk) = self.talks.recv().await
        {
            self.unanswered.push_back(talk.clone());
            return talk;
        }
        std::future::pending().await
    }

    /// What has no answer yet.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &TalkFrame> {
        self.unanswered.iter()
    }

    /// Whether everything has been said and answered.
    pub(super) fn is_settled(&self) -> bool {
        self.unanswered.is_empty() && self.talks.is_empty()
    }

    /// Takes nothing more to say; what waits is still said.
    pub(super) fn close(&mut self) {
        self.talks.close();
    }

    /// Whether what this answers had no answer until now.
    pub(super) fn settle(&mut self, answer: &TalkAnswer) -> bool {
        let before = self.unanswered.len();
        self.unanswered.retain(|waiting| waiting.id != answer.id);
        self.unanswered.len() < before
    }

    /// The lines that were not heard before.
    pub(super) fn hear(&mut self, lines: Vec<ChatLine>) -> Vec<ChatLine> {
        lines.into_iter().filter(|line| self.is_new(line)).collect()
    }

    fn is_new(&mut self, line: &ChatLine) -> bool {
        if self.heard.iter().any(|(from, id)| *id == line.id && *from == line.from) {
            return false;
        }
        if self.heard.len() == HEARD_MAX {
            self.heard.pop_front();
        }
        self.heard.push_back((line.from.clone(), line.id));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{ChatRoom, ChatText};

    fn line(from: &str, id: u64) -> ChatLine {
        ChatLine {
            id: TalkId(id),
            from: Handle::new(from).unwrap(),
            room: ChatRoom::Players,
            text: ChatText::new("well played").unwrap(),
        }
    }

    #[test]
    fn a_line_is_heard_once() {
        let (mut talking, _give) = Talking::new();
        let first = vec![line("alice", 1), line("bob", 1)];
        assert_eq!(talking.hear(first.clone()), first, "each counts his own");
        assert_eq!(talking.hear(vec![line("alice", 1), line("alice", 2)]), [line("alice", 2)]);
        for id in 0..HEARD_MAX as u64 {
            talking.hear(vec![line("carol", id)]);
        }
        assert_eq!(talking.hear(vec![line("bob", 1)]).len(), 1, "no more are remembered than may come again");
    }
}
