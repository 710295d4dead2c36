//! The key of a root: the pair of indices of its halves, as one number.
//!
//! The low bits of both indices are mixed by a permutation, so that the highest bits of a key are as good as random and tell
//! its home; the bits above them, which come into use as indices grow, follow below and are mixed into those. Nothing is
//! lost: the key tells the pair.
//!
//! Invariant: a format that is [`KeyFormat::widened`] keeps the order of the keys of all pairs that the narrower one could
//! write, since bits that are zero in all of them are inserted and nothing else changes.

use crate::memory::quotient::ones;

/// The widths of the parts of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyFormat {
    left: u32,
    right: u32,
    mixed_left: u32,
    mixed_right: u32,
}

const FIRST_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// What undoes a multiplication by an odd number (Newton's iteration; each round doubles the bits that are right).
const fn inverse(factor: u64) -> u64 {
    let mut inverse = factor;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// The number of bits of `number`.
#[inline]
pub fn width(number: u64) -> u32 {
    64 - number.leading_zeros()
}

/// A permutation of the numbers of `bits` bits. The shift is at least half of them, so that it undoes itself.
#[inline]
fn mix(mut number: u64, bits: u32) -> u64 {
    let (shift, mask) = (bits.div_ceil(2), ones(bits));
    number ^= number >> shift;
    number = number.wrapping_mul(FIRST_FACTOR) & mask;
    number ^= number >> shift;
    number = number.wrapping_mul(SECOND_FACTOR) & mask;
    number ^ number >> shift
}

fn unmix(mut number: u64, bits: u32) -> u64 {
    let (shift, mask) = (bits.div_ceil(2), ones(bits));
    number ^= number >> shift;
    number = number.wrapping_mul(const { inverse(SECOND_FACTOR) }) & mask;
    number ^= number >> shift;
    number = number.wrapping_mul(const { inverse(FIRST_FACTOR) }) & mask;
    number ^ number >> shift
}

/// `bits` bits that depend on the bits that are not mixed.
#[inline]
fn stir(high_left: u64, high_right: u64, bits: u32) -> u64 {
    let both = (high_left << 32 | high_right).wrapping_mul(SECOND_FACTOR);
    (both ^ both >> 32).wrapping_mul(FIRST_FACTOR) >> (64 - bits)
}

impl KeyFormat {
    /// For indices of at most so many bits, all of which are mixed.
    pub fn new(left: u32, right: u32) -> Self {
        let (left, right) = (left.max(4), right.max(4));
        KeyFormat { left, right, mixed_left: left, mixed_right: right }
    }

    /// The same with room for such indices, too.
    pub fn widened(self, left: u64, right: u64) -> Self {
        KeyFormat { left: self.left.max(width(left)), right: self.right.max(width(right)), ..self }
    }

    /// The same widths, and all bits are mixed.
    pub fn mixed(self) -> Self {
        KeyFormat::new(self.left, self.right)
    }

    /// Whether all bits are mixed.
    #[inline(always)]
    pub fn is_mixed(self) -> bool {
        (self.left, self.right) == (self.mixed_left, self.mixed_right)
    }

    /// The bits of a key, 8 to 63.
    #[inline]
    pub fn bits(self) -> u32 {
        self.left + self.right
    }

    /// The bits of a key that are as good as random: the highest.
    pub fn mixed_bits(self) -> u32 {
        self.mixed_left + self.mixed_right
    }

    /// Whether the pair can be written.
    #[inline]
    pub fn fits(self, left: u64, right: u64) -> bool {
        left >> self.left | right >> self.right == 0
    }

    /// The key of a pair that fits.
    #[inline]
    pub fn key(self, left: u64, right: u64) -> u64 {
        if self.is_mixed() {
            return mix(left << self.right | right, self.left + self.right);
        }
        let (high_left, high_right) = (left >> self.mixed_left, right >> self.mixed_right);
        let low = (left & ones(self.mixed_left)) << self.mixed_right | right & ones(self.mixed_right);
        let bits = self.mixed_left + self.mixed_right;
        self.join(mix(low, bits) ^ stir(high_left, high_right, bits), high_left, high_right)
    }

    #[inline]
    fn join(self, mixed: u64, high_left: u64, high_right: u64) -> u64 {
        (mixed << (self.left - self.mixed_left) | high_left) << (self.right - self.mixed_right) | high_right
    }

    #[inline]
    fn part(self, key: u64) -> (u64, u64, u64) {
        let (left, right) = (self.left - self.mixed_left, self.right - self.mixed_right);
        (key >> right >> left, key >> right & ones(left), key & ones(right))
    }

    /// The pair of a key.
    pub fn pair(self, key: u64) -> (u64, u64) {
        let (mixed, high_left, high_right) = self.part(key);
        let bits = self.mixed_bits();
        let low = unmix(mixed ^ stir(high_left, high_right, bits), bits);
        (
            high_left << self.mixed_left | low >> self.mixed_right,
            high_right << self.mixed_right | low & ones(self.mixed_right),
        )
    }

    /// The key in a format that was [`KeyFormat::widened`] from this one.
    #[inline]
    pub fn convert(self, key: u64, wider: Self) -> u64 {
        let (mixed, high_left, high_right) = self.part(key);
        wider.join(mixed, high_left, high_right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_their_pairs_and_keep_their_order() {
        for (left, right) in [(0, 0), (4, 9), (13, 5), (20, 20), (31, 32)] {
            let format = KeyFormat::new(left, right);
            let wider = format.widened(1 << (left + 3).min(30), 1 << (right + 1).min(31));
            let mut pairs: Vec<(u64, u64)> = (0..2000u64)
                .map(|n| (n.wrapping_mul(FIRST_FACTOR) & ones(left), (n * n).wrapping_mul(SECOND_FACTOR) & ones(right)))
                .collect();
            for &(left, right) in &pairs {
                assert!(format.fits(left, right));
                let key = format.key(left, right);
                assert!(width(key) <= format.bits());
                assert_eq!(format.pair(key), (left, right));
                assert_eq!(format.convert(key, wider), wider.key(left, right));
                assert_eq!(wider.pair(wider.key(left + 1, right + 1)), (left + 1, right + 1));
            }
            pairs.sort_by_key(|&(left, right)| format.key(left, right));
            assert!(pairs.is_sorted_by_key(|&(left, right)| wider.key(left, right)));
        }
    }
}
