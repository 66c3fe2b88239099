//! A game through a slow network, and what that costs its players: what the clocks show, what is charged, and
//! what somebody gains who cheats with it (L54).

mod hand;

use crate::house::{enter, handle, new_key};
use crate::live::LiveHouse;
use crate::players::{Player, pair, proposal};
use crate::slow_lane::{Acknowledgements, Delays, SlowLane};
use crate::stroll::{Pawns, Stroll};
use crate::wire::Wire;
use chatrang_protocol::client::Settings;
use chatrang_protocol::ids::Seq;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::view::StateView;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Action, Event, Millis, TimeControl};
use chatrang_server::timeline::{ServerInstant, SystemTimeline, Timeline};
use hand::Hand;
use std::time::Duration;

/// How somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// With the SDK, as it is.
    Honest,
    /// With the SDK, but its bare acknowledgements are held back, so that the path looks longer to the server.
    ///
    /// quinn lets no client choose how late it acknowledges, so the lane holds them.
    HoldsAcknowledgements(Duration),
    /// Claims with each move to have seen nothing of the game but its beginning: an intent has no other place
    /// for anything like a time.
    DeniesSight,
}

/// A player at the end of his lane.
#[derive(Clone, Copy, Debug)]
pub struct Sitter {
    /// How he plays.
    pub manner: Manner,
    /// How long a datagram is under way to him and from him.
    pub one_way: Duration,
    /// By how much that goes up and down, in percent.
    pub jitter_percent: u32,
    /// How long he thinks about each move, from when he sees the opponent's.
    pub thinking: Millis,
}

/// What is played.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Both players' time (`1+0`).
    pub time: String,
    /// Moves of each side.
    pub moves: u32,
    /// Who plays.
    pub sitters: ByColor<Sitter>,
    /// Of all that is random on the way.
    pub seed: u64,
}

/// What came of a trial.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Each player's time.
    pub control: TimeControl,
    created: ServerInstant,
    events: Vec<Event>,
    notes: ByColor<Notes>,
}

/// What a player has written down.
#[derive(Clone, Debug, Default)]
struct Notes {
    looks: Vec<Look>,
    /// When he saw the position of each own move, and when he sent the move.
    thoughts: Vec<(ServerInstant, ServerInstant)>,
}

/// An update as it arrived.
#[derive(Clone, Copy, Debug)]
struct Look {
    seq: Seq,
    at: ServerInstant,
    /// How long it was under way, as the client reckons.
    lag: Millis,
}

/// What a move cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCost {
    /// How long the player had the position before him.
    pub thought: Millis,
    /// What his clock was charged.
    pub charged: Millis,
    /// What was credited.
    pub credit: Millis,
    /// What his bank held before it.
    pub bank: Millis,
}

impl MoveCost {
    /// What the player thought for nothing, in milliseconds; negative where the network's time was his.
    pub fn gain_ms(&self) -> i64 {
        self.thought.0.cast_signed() - self.charged.0.cast_signed()
    }
}

/// Plays a trial to its end, on real time.
pub async fn play(trial: &Trial) -> Outcome {
    let house = LiveHouse::open().await;
    let names = ByColor { white: "Shirin", black: "Khosrow" };
    let mut lanes = Vec::new();
    let mut clients = Vec::new();
    for color in Color::ALL {
        let lane = SlowLane::to(house.address, delays(trial, color)).await;
        let key = new_key();
        // A lane is one connection's.
        let is_bare = trial.sitters[color].manner == Manner::DeniesSight;
        let address = if is_bare { house.address } else { lane.address };
        let settings = Settings::new(house.line_at(address), key.clone()).with_handle(handle(names[color]));
        clients.push((enter(settings).await, key));
        lanes.push(lane);
    }
    let usual = proposal(&trial.time, Side::Random);
    let game = pair(&clients[0].0, &clients[1].0, usual).await.white.game;
    let mut chairs = Vec::new();
    for ((color, lane), (client, key)) in Color::ALL.into_iter().zip(&lanes).zip(clients) {
        let hand = match trial.sitters[color].manner {
            Manner::DeniesSight => {
                let wire = Wire::dial_at(lane.address, house.fingerprint, &key).await;
                Hand::bare(wire, client, game).await
            }
            Manner::Honest | Manner::HoldsAcknowledgements(_) => {
                Hand::Sdk(Box::new(Player::open(client, game).await))
            }
        };
        chairs.push(Chair { color, sitter: trial.sitters[color], hand, notes: Notes::default() });
    }
    let [white, black] = <[Chair; 2]>::try_from(chairs).ok().expect("two players");
    let (white, black) = tokio::join!(white.play(&house, trial.moves), black.play(&house, trial.moves));
    let (created, events) = house.record(game).await;
    let control = usual.controls[Color::White];
    Outcome { control, created, events, notes: ByColor { white, black } }
}

fn delays(trial: &Trial, color: Color) -> Delays {
    let Sitter { manner, one_way, jitter_percent, .. } = trial.sitters[color];
    let acknowledgements = match manner {
        Manner::HoldsAcknowledgements(hold) => Acknowledgements::HeldBack(hold),
        Manner::Honest | Manner::DeniesSight => Acknowledgements::Prompt,
    };
    Delays { one_way, jitter_percent, seed: trial.seed.wrapping_mul(2) + color as u64, acknowledgements }
}

impl Outcome {
    /// What each move of a side cost, in order. The first is left out: before it the players found their seats.
    pub fn moves(&self, color: Color) -> Vec<MoveCost> {
        let mut costs = Vec::new();
        for (before, event) in self.events.iter().zip(&self.events[1..]) {
            if let Action::Moved { charged, credit, .. } = event.action
                && before.clocks.running == Some(color)
            {
                let (seen, sent) = self.notes[color].thoughts[costs.len()];
                let bank = before.clocks.bank[color];
                costs.push(MoveCost { thought: Millis(sent.since_ms(seen)), charged, credit, bank });
            }
        }
        costs.split_off(1)
    }

    /// By how many milliseconds the running clock showed too much to a side, at each update's arrival;
    /// negative where too little. The last update is left out: how long the house took for it is not on record.
    pub fn clock_errors_ms(&self, color: Color) -> Vec<i64> {
        let errors = self.notes[color].looks.iter().filter_map(|look| {
            let handed_out = self.handed_out(look.seq)?;
            Some(look.at.since_ms(handed_out).cast_signed() - look.lag.0.cast_signed())
        });
        errors.collect()
    }

    /// When the server told the players of an event: the next move says how long that took.
    fn handed_out(&self, seq: Seq) -> Option<ServerInstant> {
        let index = usize::try_from(seq.0).ok()?;
        match self.events.get(index + 1)?.action {
            Action::Moved { house, .. } => {
                Some(self.created.plus_ms(self.events[index].at.0).plus_ms(house.0))
            }
            _ => None,
        }
    }
}

/// A player at the board.
struct Chair {
    color: Color,
    sitter: Sitter,
    hand: Hand,
    notes: Notes,
}

impl Chair {
    /// Plays until both sides have made so many moves.
    async fn play(mut self, house: &LiveHouse, moves: u32) -> Notes {
        let timeline = &*house.timeline;
        let mut stroll = Stroll::default();
        let mut state = self.hand.opened();
        let mut seen = timeline.now();
        while state.ply < 2 * moves {
            if state.turn == self.color {
                timeline.sleep_until(seen.plus_ms(self.sitter.thinking.0)).await;
                self.hand.send(&state, &stroll.next(&state, Pawns::MayMove)).await;
                self.notes.thoughts.push((seen, timeline.now()));
            }
            let ply = state.ply;
            while state.ply == ply {
                state = self.look(timeline).await;
                seen = timeline.now();
            }
        }
        self.notes
    }

    /// Waits for the next update, and writes down when it came.
    async fn look(&mut self, timeline: &SystemTimeline) -> StateView {
        let update = self.hand.next_update().await;
        let lag = Millis(u64::try_from(self.hand.rtt().as_millis() / 2).unwrap());
        self.notes.looks.push(Look { seq: update.seq, at: timeline.now(), lag });
        update.state
    }
}
