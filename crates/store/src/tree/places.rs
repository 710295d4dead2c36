//! Which numbers belong where in a table.
//!
//! The home of a number is the number scaled to the number of homes (Lemire's range reduction), which allows tables of
//! any size and keeps the order of numbers. A home's numbers are neighbours: their lowest bits tell them apart, and with
//! the home they tell the number.

use super::form::ones;

/// Where numbers of a form belong.
#[derive(Clone, Copy)]
pub struct Places {
    /// The bits of a number.
    pub bits: u32,
    /// How many homes there are, at most [`MOST_HOMES`].
    pub homes: u64,
}

impl Places {
    /// The home of a number.
    #[inline]
    pub fn home(self, number: u64) -> u64 {
        ((u128::from(number << (64 - self.bits)) * u128::from(self.homes)) >> 64) as u64
    }

    /// The bits of a number that its home does not tell.
    pub fn width(self) -> u32 {
        (0..self.bits).find(|&width| u128::from(self.homes) << width >= 1 << self.bits).unwrap_or(self.bits)
    }
}

/// The numbers that belong to homes.
#[derive(Clone, Copy)]
pub struct Lows {
    /// The numbers of a home, in parts of 2⁶⁴.
    step: u128,
    /// Rounds up what is not a whole number: these parts are too small by less than half of what tells the two apart, as
    /// long as there are no more than [`MOST_HOMES`].
    almost_one: u128,
    mask: u64,
}

/// The most homes of a table.
pub const MOST_HOMES: u64 = 1 << 31;

impl Lows {
    /// Those of the homes of a table.
    pub fn new(places: Places) -> Self {
        let homes = u128::from(places.homes.max(1));
        let step = (1 << (64 + places.bits)) / homes;
        Lows { step, almost_one: (1 << 64) - (1 << 63) / homes, mask: ones(places.width()) }
    }

    /// The number that belongs to a home and ends in `rest`.
    #[inline(always)]
    pub fn number(self, home: u64, rest: u64) -> u64 {
        let low = ((u128::from(home) * self.step + self.almost_one) >> 64) as u64;
        low + (rest.wrapping_sub(low) & self.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_and_rests_tell_numbers() {
        for bits in [8, 9, 20, 40, 63] {
            for homes in [32, 96, 1000, 4096, 1 << 20, 99_999_968, (1 << 31) - 32, 1 << 31] {
                let places = Places { bits, homes };
                let lows = Lows::new(places);
                let (width, last) = (places.width(), ones(bits));
                // Around the borders of homes, where they are.
                for home in (0..homes).step_by((homes / 500) as usize + 1) {
                    let border = ((u128::from(home) << bits) / u128::from(homes)) as u64;
                    for number in border.saturating_sub(3)..=(border + 3).min(last) {
                        assert_eq!(lows.number(places.home(number), number & ones(width)), number);
                    }
                }
                assert_eq!(lows.number(places.home(last), last & ones(width)), last);
            }
        }
    }
}
