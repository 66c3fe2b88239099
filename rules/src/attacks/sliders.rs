//! What bishops and rooks see, by magic multiplication.
//!
//! Of a line piece's lines only the inner squares can hide anything: nothing stands behind an edge. The men on
//! these squares, multiplied by a number made for the square, leave in the product's highest bits an index
//! that tells apart whatever makes a difference to what is seen. Such *magic* numbers exist for each square and
//! are found by trying random ones with few bits; that they are right is checked when the table is made.

use super::through;
use crate::bitboard::Bitboard;
use crate::square::Square;

/// What a line piece on one square needs to know.
pub(super) struct Slider {
    /// All squares it sees on an empty board.
    pub(super) lines: Bitboard,
    /// Those of them on which a man hides others.
    inner: u64,
    magic: u64,
    /// Where in [`SEEN`] its part begins.
    first: u32,
    /// Leaves of the product as many bits as there are inner squares.
    shift: u32,
}

impl Slider {
    /// The squares it sees, up to and including the first man on each line.
    #[inline]
    pub(super) fn sees(&self, occupied: Bitboard) -> Bitboard {
        Bitboard(SEEN[self.index(occupied.0)])
    }

    const fn index(&self, occupied: u64) -> usize {
        let index = ((occupied & self.inner).wrapping_mul(self.magic) >> (self.shift & 63)) as usize;
        (index + self.first as usize) % SEEN_ROOM
    }
}

pub(super) static BISHOPS: [Slider; 64] = sliders(&BISHOP_MAGICS, [(1, 1), (1, -1)], 0);
pub(super) static ROOKS: [Slider; 64] = sliders(&ROOK_MAGICS, [(0, 1), (1, 0)], BISHOPS_SEEN);

/// As many sets of men as can hide something from a bishop, over all squares.
const BISHOPS_SEEN: u32 = 5_248;
/// Room for these and the 102,400 of the rooks: a power of two, so that no bound need be checked.
const SEEN_ROOM: usize = 1 << 17;

#[expect(long_running_const_eval, reason = "a hundred thousand sets of men, once, in place of a lazy table")]
static SEEN: [u64; SEEN_ROOM] = seen();

const fn sliders(magics: &[u64; 64], directions: [(i8, i8); 2], mut first: u32) -> [Slider; 64] {
    const NONE: Slider = Slider { lines: Bitboard::EMPTY, inner: 0, magic: 0, first: 0, shift: 0 };
    let mut sliders = [NONE; 64];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        let [one, other] = [through(square, directions[0]), through(square, directions[1])];
        let inner = one & !ends(one, directions[0]) | other & !ends(other, directions[1]);
        let bits = inner.count_ones();
        let lines = Bitboard(one | other);
        sliders[index] = Slider { lines, inner, magic: magics[index], first, shift: 64 - bits };
        first += 1 << bits;
        index += 1;
    }
    sliders
}

/// The squares of a line that lie on an edge which the line runs into.
const fn ends(line: u64, (files, ranks): (i8, i8)) -> u64 {
    const A_AND_H_FILE: u64 = 0x8181_8181_8181_8181;
    const FIRST_AND_EIGHTH_RANK: u64 = 0xff00_0000_0000_00ff;
    let beside = if files == 0 { 0 } else { A_AND_H_FILE };
    let before = if ranks == 0 { 0 } else { FIRST_AND_EIGHTH_RANK };
    line & (beside | before)
}

#[expect(clippy::large_stack_arrays, reason = "built at compile time, on no stack")]
const fn seen() -> [u64; SEEN_ROOM] {
    let mut seen = [0; SEEN_ROOM];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        fill(&mut seen, &BISHOPS[index], square, through(square, (1, 1)));
        fill(&mut seen, &ROOKS[index], square, through(square, (0, 1)));
        index += 1;
    }
    seen
}

/// Writes what a slider sees for every set of men on its inner squares; `one` is one of its two lines.
///
/// # Panics
/// When two sets of men between which the view differs have the same index: at compile time.
const fn fill(seen: &mut [u64], slider: &Slider, square: Square, one: u64) {
    let other = slider.lines.0 & !one;
    let mut men = 0_u64;
    loop {
        let view = along(square, men, one) | along(square, men, other);
        let place = &mut seen[slider.index(men)];
        assert!(*place == 0 || *place == view, "the number is not magic");
        *place = view;
        // The next set of inner squares, in the order of binary numbers.
        men = men.wrapping_sub(slider.inner) & slider.inner;
        if men == 0 {
            break;
        }
    }
}

/// What is seen along one line: taking the piece's own bit from the men on it borrows up to the nearest of
/// them, and the same on the reversed board finds the nearest on the other side.
const fn along(square: Square, men: u64, line: u64) -> u64 {
    let piece = 1 << square.index();
    let men = men & line;
    let up = men.wrapping_sub(piece);
    let down = men.reverse_bits().wrapping_sub(piece.reverse_bits()).reverse_bits();
    (up ^ down) & line
}

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x08c4_0410_0049_0500, 0x0098_2202_8202_0005, 0x0010_2440_8020_0074, 0x4004_2405_8400_0002,
    0x1004_0420_0120_1000, 0x0001_1008_0d00_0809, 0x0014_8a01_2120_0340, 0x1000_1401_0802_1000,
    0x0006_d114_6840_8400, 0x4000_2002_2081_0308, 0x0100_9009_4041_0208, 0x0000_d404_1280_3000,
    0x0100_2110_c000_0441, 0x0060_0441_0840_0020, 0x8204_2088_0450_04c2, 0x4002_8d2c_0104_3008,
    0x088c_4070_2102_0410, 0x2020_0010_0901_0900, 0x000a_0050_1180_1100, 0xe088_0061_8205_4000,
    0x0124_0000_84a0_0020, 0x0001_0082_1001_8420, 0x0000_c102_0822_480b, 0x0800_c402_0202_0700,
    0x0110_1000_c006_0202, 0x0401_6400_1010_0600, 0x0004_0111_1011_00a2, 0x4901_0800_2500_4100,
    0x8601_0100_0050_4008, 0x3250_0282_08c0_5000, 0x420c_0040_0108_1200, 0x0004_4900_8844_1200,
    0x0103_0c20_0040_0880, 0x1005_1802_0220_0400, 0x0401_0406_0840_4082, 0x8002_4008_09a0_8200,
    0x4020_4500_40b4_0040, 0x0091_c101_0002_0080, 0x1801_0802_0005_0500, 0x108a_0202_00e5_608a,
    0xc821_0120_2011_1000, 0x2801_040a_0202_2040, 0x0244_7210_8804_9000, 0xc033_c021_2401_0800,
    0x2024_4805_0440_0402, 0x1002_4810_0100_0020, 0x0002_0414_0180_1406, 0x1010_0c10_4a90_0042,
    0x8004_0908_0a10_0000, 0x08c2_0104_0206_0100, 0x0008_2061_0822_0000, 0x0000_8180_a188_0400,
    0x1201_0040_5049_0200, 0x0220_0618_1069_0010, 0x1440_0481_0405_0044, 0x4120_02a2_8208_8080,
    0x2222_0202_1584_1400, 0x0000_004c_0608_0202, 0x0029_0002_004a_0800, 0x8000_0210_0821_8820,
    0x0010_2001_100a_0880, 0x4012_0910_0410_4420, 0x2200_0a20_0104_0500, 0x4084_0932_0c11_0200,
];

#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x0080_0420_8240_0690, 0x0040_0120_0010_00c8, 0x0a80_1000_8020_0018, 0x8080_0801_8010_0004,
    0x0200_2408_2002_00b0, 0x0100_0204_0008_0100, 0x0500_0600_0084_0700, 0x7080_0100_0041_2480,
    0x0812_8000_2840_1080, 0x0492_c020_02c0_1004, 0x1401_0020_0240_d104, 0x0082_8080_1000_0800,
    0x1201_0008_0010_0500, 0x8022_0002_0024_1008, 0x0801_0024_0100_4600, 0x0002_0012_0040_8104,
    0x2000_2080_0540_1280, 0x0010_4040_1000_2000, 0x8001_0300_1020_0042, 0x0482_8280_5800_5000,
    0x2000_0500_2801_0050, 0x400a_8080_0400_0200, 0x0200_0400_5001_0806, 0x2804_0200_0088_c104,
    0xa100_4009_8001_8822, 0x88c0_0421_0040_8104, 0xa0b0_0018_8020_0180, 0x0401_8800_8010_0080,
    0x00a8_000d_0011_0900, 0x4400_8400_8002_0080, 0x0101_1004_0001_5802, 0x0001_0092_0003_0844,
    0x2140_0242_8080_0021, 0x00a0_1000_4040_0021, 0x0284_80a0_0080_1000, 0x0002_0010_4200_6008,
    0x0000_8144_0080_0800, 0x0080_2200_8080_1400, 0xa022_1085_0400_2208, 0x0320_0084_0200_2045,
    0x5040_0045_a084_800a, 0x0081_1080_4001_0024, 0x8040_1020_0101_0042, 0x00c0_2900_9001_0020,
    0x0400_8400_0800_8080, 0x800a_001c_0902_0010, 0x6068_0839_4204_0050, 0x4200_0049_8106_0004,
    0x8000_8004_2040_0080, 0x0005_0825_c000_8900, 0x1004_9100_4020_0100, 0x2000_a188_1001_0100,
    0x0281_0030_0408_0100, 0x0003_0a00_8044_0080, 0x1001_2810_2142_3400, 0x1400_2502_4084_0200,
    0x0020_8100_2242_0412, 0x0804_8040_0060_1101, 0x1020_0049_0090_2241, 0x0200_0420_0810_0101,
    0x000b_0004_0a10_0801, 0x00c1_0004_0008_a201, 0x4050_0102_1090_3804, 0x0082_4c01_0060_408a,
];
