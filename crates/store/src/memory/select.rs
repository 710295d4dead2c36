//! The place of a set bit, counted from the low end.

/// For each byte, where its bits are.
static IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The place of the set bit of `word` below which `rank` others are set (Vigna 2008, "Broadword implementation of
/// rank/select queries"). There is one.
#[inline(always)]
pub fn select(word: u64, rank: u32) -> u32 {
    let rank = u64::from(rank);
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    // The number of set bits up to and including each byte.
    let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let full = (((rank * ONES) | TOPS) - sums) & TOPS;
    let shift = ((full >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
    let before = sums << 8 >> shift & 0xff;
    shift + u32::from(IN_BYTE[(word >> shift & 0xff) as usize][(rank - before) as usize & 7])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_bit_is_found() {
        let mut seed = 1u64;
        for round in 0..3000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let word = match round % 4 {
                0 => seed,
                1 => seed & seed.rotate_left(31) & seed.rotate_left(57),
                2 => seed | seed.rotate_left(31) | seed.rotate_left(57),
                _ => u64::MAX << (round % 64),
            };
            let quotient: Vec<u32> = (0..64).filter(|&place| word >> place & 1 == 1).collect();
            for (rank, &place) in quotient.iter().enumerate() {
                assert_eq!(select(word, rank as u32), place);
            }
        }
    }
}
