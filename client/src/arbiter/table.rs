//! The watched games with their links to the server.

use super::news::DeskNews;
use super::watch::Watch;
use crate::message::Moment;
use chatrang_protocol::client::game::{GameLink, GameNews, SendError};
use chatrang_protocol::ids::GameId;
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_rules::game::{Decision, Millis};
use futures_util::future::select_all;
use std::collections::BTreeMap;
use std::future::pending;

/// A watched game and the link to it.
pub struct Table {
    /// What the arbiter is told.
    pub watch: Watch,
    link: GameLink,
    hearing: Hearing,
}

/// Whether more may be heard of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hearing {
    Open,
    /// Its last word has been heard; it can still be looked at.
    Over,
}

/// What a link gives; nothing when it gives no more.
pub type TableNews = Option<GameNews>;

impl Table {
    /// A game whose link was opened just now, and what there is to tell of it.
    pub fn open(link: GameLink, now: Moment, lag: Millis) -> (Self, Vec<DeskNews>) {
        let (watch, told) = Watch::open(link.view().clone(), now, lag);
        (Self { watch, link, hearing: Hearing::Open }, told)
    }

    /// Takes in what the link gave.
    pub fn heard(&mut self, news: TableNews, now: Moment, lag: Millis) -> Vec<DeskNews> {
        let Some(news) = news else {
            self.hearing = Hearing::Over;
            return Vec::new();
        };
        let mut told = self.watch.pass(now);
        told.extend(self.watch.heard(news, lag));
        told
    }

    /// Sends an order; what is told when it cannot be sent.
    pub fn rule(&mut self, decision: Decision, input: &str) -> Option<DeskNews> {
        match self.link.send(Intent::Rule(decision)) {
            Ok(intent) => {
                self.watch.ordered(intent, input.to_owned());
                None
            }
            Err(SendError::Full) => Some(self.watch.refuse(input.to_owned(), &IntentError::Busy)),
            Err(SendError::Ended) => Some(self.watch.refuse(input.to_owned(), &self.watch.too_late())),
        }
    }
}

/// The next thing that happens at any table. Cancel-safe.
pub async fn next_news(tables: &mut BTreeMap<GameId, Table>) -> (GameId, TableNews) {
    let open = tables.iter_mut().filter(|(_, table)| table.hearing == Hearing::Open);
    let waiting: Vec<_> =
        open.map(|(&game, table)| Box::pin(async move { (game, table.link.next().await) })).collect();
    if waiting.is_empty() {
        return pending().await;
    }
    select_all(waiting).await.0
}
