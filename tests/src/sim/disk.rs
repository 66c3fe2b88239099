//! The server's disk: real files, of which a crash takes what was not flushed.
//!
//! A commit writes to the log beside the database and flushes it. What a machine without power has of a write
//! that was not flushed is drawn: nothing, all, its beginning up to some byte, or any of its sectors, with the
//! last one garbled. A log that is begun anew has its header flushed before anything else, as SQLite does it.

use super::dice::Dice;
use crate::scratch::Scratch;
use std::fs;
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What a disk writes as one.
const SECTOR_BYTES: usize = 512;

/// The header of a write-ahead log.
const LOG_HEADER_BYTES: usize = 32;

/// A disk: the files of each life of the server in a directory of their own.
#[derive(Debug)]
pub struct Disk {
    root: Scratch,
    life: usize,
}

/// The log's bytes at some moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log(Vec<u8>);

impl Disk {
    /// An empty disk.
    pub fn empty() -> Self {
        let disk = Self { root: Scratch::in_memory(), life: 0 };
        fs::create_dir(disk.dir()).unwrap();
        disk
    }

    /// Where the present life's files lie.
    pub fn dir(&self) -> PathBuf {
        self.root.path().join(self.life.to_string())
    }

    /// Where its database lies.
    pub fn database(&self) -> PathBuf {
        self.dir().join("chatrang.db")
    }

    /// The log as it is now.
    pub fn log(&self) -> Log {
        Log(fs::read(log_of(&self.database())).unwrap_or_default())
    }

    /// The power fails: the next life finds the database as it is, and this log.
    pub fn fail_with(&mut self, log: &Log) {
        let database = self.database();
        self.life += 1;
        fs::create_dir(self.dir()).unwrap();
        // Before its first commit a server has no database.
        if database.exists() {
            fs::copy(&database, self.database()).unwrap();
        }
        if !log.0.is_empty() {
            fs::write(log_of(&self.database()), &log.0).unwrap();
        }
    }

    /// The power fails when nothing is on its way to the disk.
    pub fn fail(&mut self) {
        let log = self.log();
        self.fail_with(&log);
    }
}

impl Log {
    /// What may be left of the log when the power fails between a write, which made `after` of it, and the flush.
    #[must_use]
    pub fn torn(&self, after: &Self, dice: &mut Dice) -> Self {
        let Some(changed) = self.changed(after) else { return self.clone() };
        // A new header is on disk before any of what follows it, or nothing is.
        let is_begun_anew = changed.start < LOG_HEADER_BYTES && !self.0.is_empty();
        if is_begun_anew && dice.per_mille(250) {
            return self.clone();
        }
        let first = if is_begun_anew { LOG_HEADER_BYTES } else { changed.start };
        let written = first..changed.end.max(first);
        match dice.below(5) {
            0 => self.with(after, iter::empty()),
            1 => after.clone(),
            2 | 3 => {
                let cut = dice.between(written.start as u64, written.end as u64) as usize;
                self.with(after, iter::once(written.start..cut))
            }
            _ => {
                let mut kept: Vec<_> = sectors(&written).filter(|_| dice.per_mille(500)).collect();
                let garbled = kept.pop();
                let mut torn = self.with(after, kept);
                if let Some(garbled) = garbled {
                    torn.0.resize(torn.0.len().max(garbled.end), 0);
                    torn.0[garbled].fill_with(|| dice.below(256) as u8);
                }
                torn
            }
        }
    }

    /// From the first byte to the last that `after` has otherwise, if there is one. A log is as long from its
    /// beginning as it usually gets, so its length says nothing.
    fn changed(&self, after: &Self) -> Option<Range<usize>> {
        let mut sectors = (0..after.0.len().div_ceil(SECTOR_BYTES))
            .filter(|sector| self.sector(*sector) != after.sector(*sector));
        let first = sectors.next()?;
        let last = sectors.next_back().unwrap_or(first);
        let is_new = |at: &usize| self.0.get(*at) != after.0.get(*at);
        let first = (first * SECTOR_BYTES..after.0.len()).find(is_new)?;
        let last = (first..((last + 1) * SECTOR_BYTES).min(after.0.len())).rfind(is_new)?;
        Some(first..last + 1)
    }

    /// As much of a sector as there is.
    fn sector(&self, number: usize) -> &[u8] {
        let start = (number * SECTOR_BYTES).min(self.0.len());
        &self.0[start..(start + SECTOR_BYTES).min(self.0.len())]
    }

    /// This log with those parts of `after`.
    fn with(&self, after: &Self, parts: impl IntoIterator<Item = Range<usize>>) -> Self {
        let mut bytes = self.0.clone();
        let header = after.0.len().min(LOG_HEADER_BYTES);
        for part in iter::once(0..header).chain(parts) {
            bytes.resize(bytes.len().max(part.end), 0);
            bytes[part.clone()].copy_from_slice(&after.0[part]);
        }
        Self(bytes)
    }
}

/// The sectors of what was written, the first and the last as far as they were.
fn sectors(written: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let (start, end) = (written.start, written.end);
    let first = start / SECTOR_BYTES;
    (first..end.div_ceil(SECTOR_BYTES))
        .map(move |sector| (sector * SECTOR_BYTES).max(start)..((sector + 1) * SECTOR_BYTES).min(end))
}

fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_flushed_before_is_never_torn() {
        let before = Log([vec![1; 5_000], vec![0; 5_000]].concat());
        let after = Log([vec![1; 5_000], vec![2; 4_300], vec![0; 700]].concat());
        let mut dice = Dice::of(1, "disk", 0);
        let torn: Vec<Log> = (0..200).map(|_| before.torn(&after, &mut dice)).collect();
        assert!(
            torn.iter().all(|log| log.0[..5_000] == before.0[..5_000] && log.0[9_300..] == after.0[9_300..])
        );
        assert!(torn.contains(&before) && torn.contains(&after));
        let is_cut = |log: &Log| log.0[5_000] == 2 && log.0[9_299] == 0;
        assert!(torn.iter().any(is_cut), "cut in the middle");
        assert!(torn.iter().any(|log| log.0.iter().any(|byte| *byte > 2)), "garbled");
    }

    #[test]
    fn a_log_that_begins_anew_has_its_header_first_or_nothing() {
        let (before, after) = (Log(vec![1; 4_000]), Log(vec![2; 3_000]));
        let mut dice = Dice::of(2, "disk", 0);
        for _ in 0..200 {
            let torn = before.torn(&after, &mut dice);
            assert!(torn == before || torn.0[..LOG_HEADER_BYTES] == after.0[..LOG_HEADER_BYTES]);
        }
    }
}
