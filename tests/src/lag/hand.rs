//! What a player plays with: the SDK, or a wire that says what he likes.

use crate::players::Player;
use crate::wire::{Wire, WireStream, hello};
use chatrang_protocol::client::Client;
use chatrang_protocol::client::game::GameNews;
use chatrang_protocol::ids::GameId;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::view::{GameFrame, StateView, Update};
use std::time::Duration;

/// What a player plays with.
pub(super) enum Hand {
    /// The SDK.
    Sdk(Box<Player>),
    /// A wire.
    Bare(Box<Bare>),
}

/// A game on a wire, each intent of which says that nothing was seen but the game's first event.
pub(super) struct Bare {
    wire: Wire,
    stream: WireStream,
    opened: StateView,
    /// By which he came to the game.
    _client: Client,
}

impl Hand {
    /// A wire of the client's own account, attached to the game.
    pub(super) async fn bare(mut wire: Wire, client: Client, game: GameId) -> Self {
        wire.welcome(&hello(client.welcome().handle.as_str())).await;
        let (stream, snapshot) = wire.attach(game).await;
        Self::Bare(Box::new(Bare { wire, stream, opened: snapshot.state, _client: client }))
    }

    /// The board as the game was opened.
    pub(super) fn opened(&self) -> StateView {
        match self {
            Self::Sdk(player) => player.state().clone(),
            Self::Bare(bare) => bare.opened.clone(),
        }
    }

    /// How long a round trip takes, as the client has measured.
    pub(super) fn rtt(&self) -> Duration {
        match self {
            Self::Sdk(player) => player.client.rtt(),
            Self::Bare(bare) => bare.wire.connection.rtt(),
        }
    }

    /// The next update; what else is heard is passed over.
    pub(super) async fn next_update(&mut self) -> Update {
        loop {
            match self {
                Self::Sdk(player) => {
                    if let GameNews::Update(update) = player.next().await {
                        return update;
                    }
                }
                Self::Bare(bare) => {
                    if let GameFrame::Update(update) = bare.stream.take().await {
                        return update;
                    }
                }
            }
        }
    }

    /// Sends a legal move, and waits for nothing.
    pub(super) async fn send(&mut self, state: &StateView, san: &str) {
        let legal = state.legal.iter().find(|legal| legal.san.as_str() == san).expect("a legal move");
        let intent = Intent::Move { ply: state.ply, mv: legal.mv };
        match self {
            Self::Sdk(player) => {
                player.link.send(intent).unwrap();
            }
            Self::Bare(bare) => bare.stream.intend(state.ply.into(), intent).await,
        }
    }
}
