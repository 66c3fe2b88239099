//! Any rows are a game's record or not: none panics, a record that replays is packed and unpacked without a loss,
//! and no other bytes are taken for a packed game.
//!
//! Rows stand one after another, each behind its length in two bytes.
#![no_main]

use chatrang_protocol::codec;
use chatrang_protocol::ids::{GameId, Seq};
use chatrang_rules::game::{Game, Stamp};
use chatrang_server::game::entry::{ENTRY_BYTES_MAX, Entry};
use chatrang_server::store::{EventKind, StoredRow, pack_rows, unpack_rows};
use chatrang_server::timeline::ServerInstant;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let game = GameId(7);
    if let Ok(rows) = unpack_rows(game, bytes) {
        assert_eq!(pack_rows(game, &rows), bytes);
    }
    let entries = entries(bytes);
    let Ok(played) = Game::replay(entries.iter().map(Entry::event)) else { return };
    look_at(&played);
    let rows: Vec<StoredRow> = (0..).zip(&entries).map(|(seq, entry)| row(seq, entry)).collect();
    assert_eq!(unpack_rows(game, &pack_rows(game, &rows)), Ok(rows));
});

fn entries(mut bytes: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let Some((payload, rest)) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length))) else { break };
        let Ok(entry) = codec::decode(payload) else { break };
        entries.push(entry);
        bytes = rest;
    }
    entries
}

/// Whatever a server asks of a game that it takes up again.
fn look_at(played: &Game) {
    let stamp = Stamp::at(played.last_event());
    let _ = (played.deadline(), played.clocks(stamp), played.moves(), played.repetitions());
    for color in chatrang_rules::color::Color::ALL {
        let _ = played.claims(color, stamp);
    }
    let mut later = played.clone();
    let _ = later.tick(Stamp::at(played.deadline().unwrap_or(played.last_event())));
}

fn row(seq: u64, entry: &Entry) -> StoredRow {
    let payload = codec::encode(entry, ENTRY_BYTES_MAX).expect("what was read can be written");
    assert_eq!(codec::decode(&payload).as_ref(), Ok(entry));
    StoredRow { seq: Seq(seq), ply: 0, kind: EventKind(0), at: ServerInstant(entry.event().at.0), payload }
}
