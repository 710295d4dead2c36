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

/// The number of set bits up to and including each byte.
#[inline]
fn sums(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES)
}

/// The place of the set bit of `word` below which `rank` others are set (Vigna 2008, "Broadword implementation of
/// rank/select queries"). There is one.
#[inline]
fn select_in_word(word: u64, sums: u64, rank: u64) -> u32 {
    let full = (((rank * ONES) | TOPS) - sums) & TOPS;
    let shift = ((full >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
    let before = (sums << 8 >> shift) as u8;
    shift + u32::from(IN_BYTE[(word >> shift & 0xff) as usize][(rank as u8 - before) as usize & 7])
}

/// The place of the set bit of `word` below which `rank` others are set. There is one.
#[inline]
pub fn select(word: u128, rank: u32) -> u32 {
    let (low, high) = (word as u64, (word >> 64) as u64);
    let low_sums = sums(low);
    let (rank, in_low) = (u64::from(rank), low_sums >> 56);
    if rank < in_low {
        select_in_word(low, low_sums, rank)
    } else {
        64 + select_in_word(high, sums(high), rank - in_low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_bit_is_found() {
        let mut seed = 1u128;
        for round in 0..3000 {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x9e37_79b9_7f4a_7c15);
            let word = match round % 4 {
                0 => seed,
                1 => seed & seed.rotate_left(31) & seed.rotate_left(57),
                2 => seed | seed.rotate_left(31) | seed.rotate_left(57),
                _ => u128::MAX << (round % 128),
            };
            let places: Vec<u32> = (0..128).filter(|&place| word >> place & 1 == 1).collect();
            for (rank, &place) in places.iter().enumerate() {
                assert_eq!(select(word, rank as u32), place);
            }
        }
    }
}
