//! The write-ahead log before it is opened: a torn end is no harm, damage before its end is.
//!
//! SQLite reads the log up to the first frame whose checksum is wrong and forgets the rest without a word.
//! That is right for the last transaction, which a crash may have torn before it was acknowledged. It is
//! wrong for a frame in the middle, behind which acknowledged moves lie. The two can be told apart: a
//! transaction begins only when the flush of the one before has come back, so where the frames of a later
//! transaction follow, the damaged one was safe before. Then the server does not start, and no byte is
//! changed.
//!
//! The format is that of SQLite's "WAL-mode File Format", section "The WAL File": a header of 32 bytes,
//! then frames of a 24-byte header and one page. Each checksum goes on from that of the frame before.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;

/// The magic number without its last bit, which says in which order the checksums take their bytes.
const MAGIC: u32 = 0x377f_0682;

/// How much is looked through for zeros at once.
const ZEROS_BYTES_AT_ONCE: usize = 64 * 1024;

/// Pages that SQLite knows: powers of two between these.
const PAGE_BYTES: std::ops::RangeInclusive<usize> = 512..=65_536;

/// The first damaged place of a log, behind which there is more that was safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DamagedAt {
    /// In bytes from the log's beginning.
    pub(super) byte: u64,
}

/// Looks for damage before the log's end; a log that is missing has none.
pub(super) fn examine(log: &Path) -> io::Result<Option<DamagedAt>> {
    match File::open(log) {
        Ok(file) => examine_bytes(BufReader::new(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn examine_bytes(mut bytes: impl Read) -> io::Result<Option<DamagedAt>> {
    let mut header = [0; HEADER_BYTES];
    if fill(&mut bytes, &mut header)? < HEADER_BYTES {
        return Ok(None);
    }
    let Some(format) = Format::of(&header) else {
        // The header is flushed before any frame is written: with one behind it, it was whole.
        let mut behind = [0; FRAME_HEADER_BYTES];
        let is_more = fill(&mut bytes, &mut behind)? == FRAME_HEADER_BYTES;
        // A log that was made long and never written is zeros to its end.
        let is_unwritten = header == [0; HEADER_BYTES] && behind == [0; FRAME_HEADER_BYTES];
        let is_damaged = is_more && !(is_unwritten && is_zeros(&mut bytes)?);
        return Ok(is_damaged.then_some(DamagedAt { byte: 0 }));
    };
    let mut damaged = None;
    let mut before =
        Frame { stored: format.sum, computed: format.sum, ends_transaction: true, follows: true };
    let mut bytes_of_frame = vec![0; FRAME_HEADER_BYTES + format.page_bytes];
    let mut byte = HEADER_BYTES as u64;
    while fill(&mut bytes, &mut bytes_of_frame)? == bytes_of_frame.len() {
        let frame = format.frame(&bytes_of_frame, before);
        if frame.follows && damaged.is_some() && before.ends_transaction {
            return Ok(damaged);
        }
        if !frame.follows && damaged.is_none() {
            damaged = Some(DamagedAt { byte });
        }
        before = frame;
        byte += bytes_of_frame.len() as u64;
    }
    Ok(None)
}

/// What a log's header says of its frames.
#[derive(Clone, Copy)]
struct Format {
    order: ByteOrder,
    page_bytes: usize,
    /// Each frame of this log, and none that an earlier one has left behind, carries it.
    salt: [u8; 8],
    sum: Sum,
}

/// In which order the checksums take their bytes.
#[derive(Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

/// A frame, as far as it tells what belongs together.
#[derive(Clone, Copy)]
struct Frame {
    /// The checksum that is written in it, and the one that it should be: the next goes on from it.
    stored: Sum,
    computed: Sum,
    ends_transaction: bool,
    /// Whether it was written behind the one before it.
    follows: bool,
}

/// SQLite's checksum, which goes on from frame to frame.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sum(u32, u32);

impl Format {
    /// None when the header is not whole.
    fn of(header: &[u8; HEADER_BYTES]) -> Option<Self> {
        let magic = big_endian(header, 0);
        let order = match magic.wrapping_sub(MAGIC) {
            0 => ByteOrder::Little,
            1 => ByteOrder::Big,
            _ => return None,
        };
        let page_bytes = big_endian(header, 8) as usize;
        let sum = Sum(0, 0).over(order, header.get(..24)?);
        let is_whole =
            sum == stored_sum(header, 24) && page_bytes.is_power_of_two() && PAGE_BYTES.contains(&page_bytes);
        let salt = header.get(16..24)?.try_into().ok()?;
        is_whole.then_some(Self { order, page_bytes, salt, sum })
    }

    fn frame(self, bytes: &[u8], before: Frame) -> Frame {
        let (header, page) = bytes.split_at(FRAME_HEADER_BYTES.min(bytes.len()));
        let numbers = header.get(..8).unwrap_or_default();
        let after = |sum: Sum| sum.over(self.order, numbers).over(self.order, page);
        let stored = stored_sum(header, 16);
        // Of a damaged frame it may be the checksum that is wrong, or what it was made of.
        let computed = after(before.stored);
        let is_sound = computed == stored || after(before.computed) == stored;
        Frame {
            stored,
            computed,
            ends_transaction: big_endian(header, 4) != 0,
            follows: is_sound && header.get(8..16) == Some(&self.salt),
        }
    }
}

impl Sum {
    /// Goes on over bytes, of which there are a multiple of eight.
    fn over(self, order: ByteOrder, bytes: &[u8]) -> Self {
        let word = |bytes: [u8; 4]| match order {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        };
        let (pairs, _) = bytes.as_chunks::<8>();
        let Self(mut first, mut second) = self;
        for [a, b, c, d, e, f, g, h] in pairs {
            first = first.wrapping_add(word([*a, *b, *c, *d])).wrapping_add(second);
            second = second.wrapping_add(word([*e, *f, *g, *h])).wrapping_add(first);
        }
        Self(first, second)
    }
}

/// The number at `at`; 0 where there is none.
fn big_endian(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |number| u32::from_be_bytes(*number))
}

fn stored_sum(bytes: &[u8], at: usize) -> Sum {
    Sum(big_endian(bytes, at), big_endian(bytes, at + 4))
}

/// Whether only zeros are left.
fn is_zeros(bytes: &mut impl Read) -> io::Result<bool> {
    let mut buffer = vec![0; ZEROS_BYTES_AT_ONCE];
    loop {
        match fill(bytes, &mut buffer)? {
            0 => return Ok(true),
            filled if buffer.iter().take(filled).any(|byte| *byte != 0) => return Ok(false),
            _ => {}
        }
    }
}

/// Reads until `buffer` is full or nothing is left; how many bytes there were.
fn fill(bytes: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match bytes.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
