//! How long the disk takes to keep one page: what no server that keeps moves can be quicker than.

use crate::times::Times;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Writes and flushes that are timed.
const FLUSHES: usize = 300;

/// One page of the database, which is what the store flushes for one move.
const PAGE_BYTES: usize = 4_096;

/// Times appended pages, each with its `fdatasync`, in the file system of `dir`.
pub(crate) fn flushes(dir: &Path) -> anyhow::Result<Times> {
    let mut file = File::create(dir.join("flushes"))?;
    let mut times = Times::default();
    for _ in 0..FLUSHES {
        let started = Instant::now();
        file.write_all(&[0; PAGE_BYTES])?;
        file.sync_data()?;
        times.add(started.elapsed());
    }
    Ok(times)
}
