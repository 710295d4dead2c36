//! How many states each level has.

use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, leb128};

/// The widths of the levels, from the first to the last. Levels of the same width that follow each other take two numbers together,
/// each in as many bytes as it needs ([`leb128`]): there may be millions of levels.
pub struct LevelWidths {
    runs: BudgetVec<u8>,
    /// The last width, and how many levels have it.
    last: (u64, u64),
    len: u64,
    widest: u64,
    /// There was no memory for all of them.
    is_cut: bool,
}

impl LevelWidths {
    /// No levels; memory is taken from `budget`.
    pub fn new(budget: &Arc<Budget>) -> LevelWidths {
        LevelWidths { runs: BudgetVec::new(budget.clone()), last: (0, 0), len: 0, widest: 0, is_cut: false }
    }

    /// Adds a level.
    pub fn push(&mut self, width: u64) {
        if self.is_cut {
            return;
        }
        if width != self.last.0 && self.last.1 > 0 {
            let [(width, width_len), (count, count_len)] = [self.last.0, self.last.1].map(leb128::encode);
            let run = [&width[..width_len], &count[..count_len]].concat();
            self.is_cut = self.runs.extend(&run).is_err();
            self.last.1 = 0;
        }
        self.last = (width, self.last.1 + 1);
        self.len += 1;
        self.widest = self.widest.max(width);
    }

    /// How many levels there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The greatest width.
    pub fn widest(&self) -> u64 {
        self.widest
    }

    /// Whether there was memory for all of them.
    pub fn is_complete(&self) -> bool {
        !self.is_cut
    }

    /// The widths, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let mut rest: &[u8] = &self.runs;
        let runs = std::iter::from_fn(move || {
            let width = take(&mut rest)?;
            Some((width, take(&mut rest)?))
        });
        let last = Some(self.last).filter(|_| !self.is_cut);
        runs.chain(last).flat_map(|(width, count)| (0..count).map(move |_| width))
    }
}

/// Takes a number off the front.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (number, len) = leb128::decode(bytes)?;
    *bytes = &bytes[len..];
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_come_out_as_they_went_in() {
        let mut all = LevelWidths::new(&Arc::new(Budget::unlimited()));
        let mut expected = Vec::new();
        assert_eq!(all.iter().count(), 0);
        for number in 0..2000u64 {
            let width = if number % 7 < 5 { 1 } else { number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (number % 60) };
            all.push(width);
            expected.push(width);
            assert!(number % 100 > 0 || all.iter().eq(expected.iter().copied()));
        }
        assert!(all.iter().eq(expected.iter().copied()) && all.len() == 2000);
        assert_eq!(Some(all.widest()), expected.iter().copied().max());
    }

    #[test]
    fn a_long_row_takes_little_and_too_much_is_said() {
        let budget = Arc::new(Budget::new(1000));
        let mut all = LevelWidths::new(&budget);
        (0..1_000_000).for_each(|_| all.push(1));
        assert!(all.is_complete() && all.iter().count() == 1_000_000);
        (0..1000).for_each(|number| all.push(number));
        assert!(!all.is_complete());
    }
}
