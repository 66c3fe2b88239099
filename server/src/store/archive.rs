//! A finished game as one blob: its rows one after another, each with its checksum.
//!
//! ```text
//! row = ply u32, kind u8, at u64, checksum u32, payload length u32, payload     little-endian
//! ```
//! A row's seq is its place.

use super::journal::{EventKind, StoredRow};
use crate::timeline::ServerInstant;
use chatrang_protocol::ids::{GameId, Seq};
use rusqlite::{Connection, OptionalExtension, params};

/// The place of the first row that is not what was packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamagedAt(pub Seq);

/// Stores a game's rows as its archive.
pub(super) fn insert(connection: &Connection, game: GameId, rows: &[StoredRow]) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO archive (game, rows) VALUES (?, ?)")?
        .execute(params![game.0.cast_signed(), pack_rows(game, rows)])
        .map(|_| ())
}

/// A game's archive, if it has one.
pub(super) fn read(
    connection: &Connection,
    game: GameId,
) -> rusqlite::Result<Option<Result<Vec<StoredRow>, DamagedAt>>> {
    let blob: Option<Vec<u8>> = connection
        .prepare_cached("SELECT rows FROM archive WHERE game = ?")?
        .query_row([game.0.cast_signed()], |row| row.get(0))
        .optional()?;
    Ok(blob.map(|blob| unpack_rows(game, &blob)))
}

/// The rows of a game in one piece.
pub fn pack_rows(game: GameId, rows: &[StoredRow]) -> Vec<u8> {
    let mut blob = Vec::new();
    for row in rows {
        blob.extend(row.ply.to_le_bytes());
        blob.push(row.kind.0);
        blob.extend(row.at.0.to_le_bytes());
        blob.extend(row.checksum(game).to_le_bytes());
        // A payload is a message, far below 4 GiB.
        blob.extend((row.payload.len() as u32).to_le_bytes());
        blob.extend(&row.payload);
    }
    blob
}

/// The rows of a game that was packed.
///
/// # Errors
/// [`DamagedAt`] when they are not what was packed, or are another game's.
pub fn unpack_rows(game: GameId, mut blob: &[u8]) -> Result<Vec<StoredRow>, DamagedAt> {
    let mut rows = Vec::new();
    while !blob.is_empty() {
        let seq = Seq(rows.len() as u64);
        let (row, checksum) = unpack_row(&mut blob, seq).ok_or(DamagedAt(seq))?;
        if row.checksum(game) != checksum {
            return Err(DamagedAt(seq));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn unpack_row(blob: &mut &[u8], seq: Seq) -> Option<(StoredRow, u32)> {
    let ply = u32::from_le_bytes(take(blob)?);
    let [kind] = take(blob)?;
    let at = ServerInstant(u64::from_le_bytes(take(blob)?));
    let checksum = u32::from_le_bytes(take(blob)?);
    let bytes = usize::try_from(u32::from_le_bytes(take(blob)?)).ok()?;
    let (payload, rest) = blob.split_at_checked(bytes)?;
    *blob = rest;
    Some((StoredRow { seq, ply, kind: EventKind(kind), at, payload: payload.to_vec() }, checksum))
}

fn take<const N: usize>(blob: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = blob.split_first_chunk()?;
    *blob = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<StoredRow> {
        (0..5)
            .map(|seq| StoredRow {
                seq: Seq(seq),
                ply: seq as u32 * 3,
                kind: EventKind(seq as u8),
                at: ServerInstant(seq << 33),
                payload: vec![seq as u8; seq as usize * 40],
            })
            .collect()
    }

    #[test]
    fn what_is_packed_unpacks() {
        assert_eq!(unpack_rows(GameId(7), &pack_rows(GameId(7), &rows())), Ok(rows()));
        assert_eq!(unpack_rows(GameId(7), &[]), Ok(Vec::new()));
    }

    /// Archives of a shipped version must open for ever: these bytes change only together with the
    /// data version.
    #[test]
    fn an_archive_keeps_its_bytes() {
        let row = |seq, ply, kind, at, payload: &[u8]| StoredRow {
            seq: Seq(seq),
            ply,
            kind: EventKind(kind),
            at: ServerInstant(at),
            payload: payload.to_vec(),
        };
        let rows = vec![row(0, 0, 0, 0x0102_0304_0506, b"start"), row(1, 1, 6, 0x0102_0304_0507, b"")];
        let blob = pack_rows(GameId(7), &rows);
        let hex = blob.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        assert_eq!(hex, ARCHIVE);
        assert_eq!(unpack_rows(GameId(7), &blob), Ok(rows));
    }

    // By row: ply, kind, at, checksum, payload length, payload.
    const ARCHIVE: &str = concat!(
        "00000000",
        "00",
        "0605040302010000",
        "6e315166",
        "05000000",
        "7374617274",
        "01000000",
        "06",
        "0705040302010000",
        "ce5363e7",
        "00000000",
    );

    #[test]
    fn every_damaged_byte_is_found() {
        let blob = pack_rows(GameId(7), &rows());
        assert_eq!(unpack_rows(GameId(8), &blob), Err(DamagedAt(Seq(0))), "another game's archive");
        for place in 0..blob.len() {
            let mut damaged = blob.clone();
            damaged[place] ^= 0x10;
            assert!(unpack_rows(GameId(7), &damaged).is_err(), "byte {place}");
        }
        assert_eq!(unpack_rows(GameId(7), &blob[..blob.len() - 1]), Err(DamagedAt(Seq(4))));
    }
}
