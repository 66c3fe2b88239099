//! A game as the operator's commands read it: its events out of its rows, replayed by the Laws.

use crate::game::entry::{Entry, Place};
use crate::store::{GameRows, GameSummary, Phase, StoredRow};
use chatrang_protocol::codec;
use chatrang_protocol::ids::Seq;
use chatrang_rules::game::{Event, Game};

/// Something about a game that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameFault {
    /// The event, where it is about one.
    pub(super) seq: Option<Seq>,
    /// What is wrong, in words.
    pub(super) what: String,
}

impl GameFault {
    pub(super) fn at(seq: Seq, what: &impl ToString) -> Self {
        Self { seq: Some(seq), what: what.to_string() }
    }

    pub(super) fn of_game(what: &(impl ToString + ?Sized)) -> Self {
        Self { seq: None, what: what.to_string() }
    }
}

/// The events of a game whose rows are all sound, in order, as the Laws follow them.
///
/// # Errors
/// Every fault of its rows, or the first event that cannot be.
pub(super) fn events(summary: &GameSummary, rows: GameRows) -> Result<Vec<Event>, Vec<GameFault>> {
    if !rows.damaged.is_empty() {
        return Err(rows.damaged.into_iter().map(|(seq, damage)| GameFault::at(seq, &damage)).collect());
    }
    let mut events = Vec::with_capacity(rows.sound.len());
    let mut game: Option<Game> = None;
    for row in &rows.sound {
        let event = follow(summary, row, &mut game).map_err(|what| vec![GameFault::at(row.seq, &what)])?;
        events.push(event);
    }
    match index_fault(summary, &events) {
        Some(what) => Err(vec![GameFault::of_game(&what)]),
        None => Ok(events),
    }
}

/// The event of a row, which `game`, none before its first event, has taken; or what is wrong with it.
fn follow(summary: &GameSummary, row: &StoredRow, game: &mut Option<Game>) -> Result<Event, String> {
    let entry: Entry = codec::decode(&row.payload).map_err(|error| format!("it is no event: {error}"))?;
    let index = usize::try_from(row.seq.0).map_err(|_| "its number is too large".to_owned())?;
    let event = entry.event().clone();
    let ply = game.as_ref().map_or(0, Game::ply);
    match game {
        None => {
            let Entry::Begun { seats, .. } = &entry else {
                return Err("it is no game's beginning".to_owned());
            };
            if (seats.white, seats.black) != (summary.white, summary.black) {
                return Err("other players sit at the board than the index says".to_owned());
            }
            *game = Some(Game::replay(Some(&event)).map_err(|error| error.to_string())?);
        }
        Some(game) => game.follow(index, &event).map_err(|error| error.to_string())?,
    }
    // What other tools read of a row without decoding it says the same.
    let place = Place { game: summary.game, created: summary.created_at, seq: row.seq, ply };
    let written = entry.row(place, Phase::Continues).map_err(|error| error.to_string())?;
    let same = (written.ply, written.kind, written.at, &written.payload)
        == (row.ply, row.kind, row.at, &row.payload);
    if same { Ok(event) } else { Err("its row says something else than the event in it".to_owned()) }
}

/// What the index says of a game that its events do not.
fn index_fault(summary: &GameSummary, events: &[Event]) -> Option<String> {
    let end = events.last().and_then(|event| event.end).map(|end| end.score_text());
    match (&summary.result, end) {
        (Some(result), Some(end)) if *result == end => None,
        (None, None) => None,
        (Some(result), Some(end)) => Some(format!("the index says {result}, and its events {end}")),
        (Some(result), None) => Some(format!("the index says {result}, and its events know no end")),
        (None, Some(end)) => Some(format!("it has ended ({end}), and the index says that it is in play")),
    }
}
