//! The states with one process list, as numbers of their fragments.
//!
//! States that come together are numbered fragment by fragment, not state by state: one table is asked many things in a row, and
//! the processor goes on to the next while it waits for one.

use crate::encodings::numbered::Fragment;
use crate::encodings::numbering::Numbering;
use std::sync::Arc;
use tightrope_core::{Budget, Refused};

/// The bytes that are read of a state at once.
const WORD: usize = size_of::<u64>();

/// States with one process list.
pub struct Family {
    /// The fragments, with their places in the state.
    pub fragments: Vec<Fragment>,
    /// The bits of the numbers of one state.
    pub widths: Vec<u8>,
    /// The fragments that fit into a word, and the others.
    short: Vec<Short>,
    long: Vec<u32>,
    /// All widths that were met, together.
    combinations: Numbering,
}

/// A fragment that fits into a word.
struct Short {
    /// Which of the fragments it is.
    index: u32,
    table: u32,
    /// Where to read a word that has it, all within the state.
    at: u32,
    /// Its place in this word.
    shift: u32,
    mask: u64,
}

/// The bits of a number, up to the highest that is set.
#[inline]
pub fn width_of(number: u32) -> u8 {
    (32 - number.leading_zeros()) as u8
}

impl Family {
    /// States of `len` bytes with these fragments.
    pub fn new(fragments: Vec<Fragment>, len: usize, budget: &Arc<Budget>) -> Self {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (fragment, index) in fragments.iter().zip(0u32..) {
            if !(1..=WORD as u32).contains(&fragment.size) || len < WORD {
                long.push(index);
                continue;
            }
            let at = fragment.offset.min((len - WORD) as u32);
            let (shift, mask) = (8 * (fragment.offset - at), u64::MAX >> (64 - 8 * fragment.size));
            short.push(Short { index, table: fragment.table, at, shift, mask });
        }
        Family {
            widths: vec![0; fragments.len()],
            short,
            long,
            combinations: Numbering::new(fragments.len(), budget),
            fragments,
        }
    }

    /// Its bytes, but for those that grow.
    pub fn bytes(&self) -> u64 {
        let fragment = size_of::<Fragment>() + size_of::<Short>() + 1;
        (size_of::<Family>() + self.fragments.len() * fragment) as u64
    }

    /// The bytes that grow with the states.
    pub fn growing_bytes(&self) -> u64 {
        self.combinations.bytes()
    }

    /// Finds the numbers of the fragments of states, which begin at `starts` in `bytes` and have the right length: those of the
    /// first fragment, then those of the second, and so on.
    pub fn find(
        &self,
        bytes: &[u8],
        starts: &[usize],
        tables: &mut [Numbering],
        numbers: &mut Vec<u32>,
    ) -> Result<(), Refused> {
        numbers.clear();
        numbers.resize(self.fragments.len() * starts.len(), 0);
        for short in &self.short {
            let table = &mut tables[short.table as usize];
            let from = short.index as usize * starts.len();
            for (number, start) in numbers[from..from + starts.len()].iter_mut().zip(starts) {
                let word = bytes[start + short.at as usize..].first_chunk();
                let word = word.map_or(0, |word| u64::from_le_bytes(*word));
                *number = table.number_of_word(word >> short.shift & short.mask)?;
            }
        }
        for &index in &self.long {
            let fragment = &self.fragments[index as usize];
            let table = &mut tables[fragment.table as usize];
            let from = index as usize * starts.len();
            let fragments = starts.iter().map(|&start| &bytes[start..][fragment.range()]);
            table.number_all(fragments, &mut numbers[from..from + starts.len()])?;
        }
        Ok(())
    }

    /// The number of the widths of these numbers.
    #[inline]
    pub fn number_of_widths(&mut self, numbers: impl Iterator<Item = u32>) -> Result<u32, Refused> {
        let mut word = 0;
        for ((width, number), at) in self.widths.iter_mut().zip(numbers).zip(0..) {
            *width = width_of(number);
            word |= u64::from(*width) << (8 * at % u64::BITS);
        }
        if self.widths.len() <= WORD {
            self.combinations.number_of_word(word)
        } else {
            self.combinations.number(&self.widths)
        }
    }

    /// The widths that have that number.
    pub fn widths_of(&self, number: u32) -> &[u8] {
        self.combinations.get(number)
    }
}
