//! Quotienting: which keys belong where in a table, and what is left to store of them.
//!
//! The home of a key, its quotient, is the key scaled to the number of homes, which allows tables of any size and keeps the order
//! of keys. The keys of a home are neighbours: their lowest bits, the remainder, tell them apart, and with the home they tell
//! the key (Knuth 6.4, exercise 13; Cleary 1984).

/// `count` ones, at most 63.
#[inline]
pub fn ones(count: u32) -> u64 {
    (1 << count) - 1
}

/// Where keys of some width belong.
#[derive(Clone, Copy)]
pub struct Quotient {
    /// The bits of a key.
    pub bits: u32,
    /// How many homes there are, at most [`MOST_HOMES`].
    pub homes: u64,
}

impl Quotient {
    /// The home of a key.
    #[inline]
    pub fn home(self, key: u64) -> u64 {
        ((u128::from(key << (64 - self.bits)) * u128::from(self.homes)) >> 64) as u64
    }

    /// The bits of a remainder: those of a key that its home does not tell.
    pub fn width(self) -> u32 {
        (0..self.bits).find(|&width| u128::from(self.homes) << width >= 1 << self.bits).unwrap_or(self.bits)
    }
}

/// Finds keys by their homes and remainders.
#[derive(Clone, Copy)]
pub struct KeyRebuilder {
    /// The keys of a home, in parts of 2⁶⁴.
    step: u128,
    /// Rounds up what is not a whole number: these parts are too small by less than half of what tells the two apart, as
    /// long as there are no more than [`MOST_HOMES`].
    almost_one: u128,
    mask: u64,
}

/// The most homes of a table.
pub const MOST_HOMES: u64 = 1 << 31;

impl KeyRebuilder {
    /// Those of the homes of a table.
    pub fn new(quotient: Quotient) -> Self {
        let homes = u128::from(quotient.homes.max(1));
        let step = (1 << (64 + quotient.bits)) / homes;
        KeyRebuilder { step, almost_one: (1 << 64) - (1 << 63) / homes, mask: ones(quotient.width()) }
    }

    /// The key that belongs to a home and ends in `remainder`.
    #[inline(always)]
    pub fn key(self, home: u64, remainder: u64) -> u64 {
        let low = ((u128::from(home) * self.step + self.almost_one) >> 64) as u64;
        low + (remainder.wrapping_sub(low) & self.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_and_remainders_tell_keys() {
        for bits in [8, 9, 20, 40, 63] {
            for homes in [32, 96, 1000, 4096, 1 << 20, 99_999_968, (1 << 31) - 32, 1 << 31] {
                let quotient = Quotient { bits, homes };
                let rebuilder = KeyRebuilder::new(quotient);
                let (width, last) = (quotient.width(), ones(bits));
                // Around the borders of homes, where they are.
                for home in (0..homes).step_by((homes / 500) as usize + 1) {
                    let border = ((u128::from(home) << bits) / u128::from(homes)) as u64;
                    for key in border.saturating_sub(3)..=(border + 3).min(last) {
                        assert_eq!(rebuilder.key(quotient.home(key), key & ones(width)), key);
                    }
                }
                assert_eq!(rebuilder.key(quotient.home(last), last & ones(width)), last);
            }
        }
    }
}
