//! Byte strings that come and go.
//!
//! A string lies in a cell of whole words: the number of its owner (a state, a slot), its length, its bytes. The cell of a string that is gone
//! is taken again by one that needs as many words. Where those that come are of other lengths than those that go, the gaps add
//! up; at a fifth of everything the strings are moved together, and the numbers say whose entries get the new places. So they
//! never take more than five quarters of the most that was needed at one time.

use crate::memory::budget_region::BudgetRegion;
use crate::memory::prefetch::prefetch;
use std::sync::Arc;
use tightrope_core::{Budget, Refused};

const WORD: usize = 4;
/// Set in the first word of a cell that is free; the rest of it is the number of words.
const FREE: u32 = 1 << 31;
const NONE: u32 = u32::MAX;
/// Cells of more words are not looked for again, only moved over.
const CLASSES: usize = 1024;

/// What keeps the place of a string.
pub trait Placed {
    /// The string has moved there.
    fn set_place(&mut self, place: u32);
}

/// The strings.
pub struct CodeHeap {
    bytes: BudgetRegion<u8>,
    /// In words, as are all places.
    used: usize,
    free: usize,
    /// For each number of words the first free cell; the second word of a free cell leads to the next.
    gaps: Vec<u32>,
}

/// The words of the cell of a string of that length.
pub fn words(length: usize) -> usize {
    let header = if length < 0x80 { 1 } else { 4 };
    (WORD + header + length).div_ceil(WORD).max(2)
}

impl CodeHeap {
    /// The numbers of those to whom strings belong are below this.
    pub const MOST_OWNERS: usize = FREE as usize;

    /// None yet.
    pub fn new(budget: &Arc<Budget>) -> Self {
        CodeHeap { bytes: BudgetRegion::sparing(budget), used: 0, free: 0, gaps: Vec::new() }
    }

    #[inline]
    fn word(&self, place: usize) -> u32 {
        self.bytes[place * WORD..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
    }

    #[inline]
    fn set_word(&mut self, place: usize, word: u32) {
        self.bytes[place * WORD..][..WORD].copy_from_slice(&word.to_le_bytes());
    }

    /// Where the string in a cell begins, and its length.
    #[inline]
    fn bounds(&self, place: usize) -> (usize, usize) {
        let at = (place + 1) * WORD;
        let first = self.bytes[at];
        if first & 1 == 0 {
            return (at + 1, usize::from(first >> 1));
        }
        (at + 4, (self.word(place + 1) >> 1) as usize)
    }

    /// The string at a place.
    #[inline]
    pub fn get(&self, place: u32) -> &[u8] {
        let (start, length) = self.bounds(place as usize);
        &self.bytes[start..start + length]
    }

    /// Asks the processor to bring the string at a place near.
    #[inline]
    pub fn prefetch(&self, place: u32) {
        prefetch(&self.bytes, place as usize * WORD);
    }

    /// Makes sure that there is a cell for a string of that length; strings may move, and `entries` have their new places.
    pub fn make_room<E: Placed>(&mut self, length: usize, entries: &mut [E]) -> Result<(), Refused> {
        let words = words(length);
        if self.gap(words) != NONE {
            return Ok(());
        }
        if self.free * 5 > self.used && self.free >= words {
            self.move_together(entries);
        }
        let grown = match self.used + words {
            used if used >= FREE as usize => Err(Refused::Limit("the codes of states take as much as they can, 8 GiB")),
            used => self.bytes.make_room(used * WORD),
        };
        if grown.is_err() && self.free >= words {
            self.move_together(entries);
            return Ok(());
        }
        grown
    }

    /// The same without more memory, for who can remove other strings: false if there is no cell, and too little is free to
    /// move all others for it.
    pub fn find_room<E: Placed>(&mut self, length: usize, entries: &mut [E]) -> bool {
        let words = words(length);
        if self.gap(words) == NONE && self.free * 20 > self.used && self.free >= words {
            self.move_together(entries);
        }
        let end = (self.used + words) * WORD;
        self.gap(words) != NONE || end <= self.bytes.len() && self.used + words < FREE as usize
    }

    #[inline]
    fn gap(&self, words: usize) -> u32 {
        self.gaps.get(words).copied().unwrap_or(NONE)
    }

    /// Adds a string for which there is room, and returns its place.
    #[inline]
    pub fn push(&mut self, number: u32, string: &[u8]) -> u32 {
        let words = words(string.len());
        let place = match self.gap(words) {
            NONE => {
                self.used += words;
                self.used - words
            }
            gap => {
                self.gaps[words] = self.word(gap as usize + 1);
                self.free -= words;
                gap as usize
            }
        };
        self.set_word(place, number);
        let at = (place + 1) * WORD;
        let start = if string.len() < 0x80 {
            self.bytes[at] = (string.len() << 1) as u8;
            at + 1
        } else {
            self.set_word(place + 1, (string.len() as u32) << 1 | 1);
            at + 4
        };
        self.bytes[start..start + string.len()].copy_from_slice(string);
        place as u32
    }

    /// The string at a place belongs to another one from now on.
    pub fn set_owner(&mut self, place: u32, number: u32) {
        self.set_word(place as usize, number);
    }

    /// Removes the string at a place; returns how many words are free again.
    pub fn remove(&mut self, place: u32) -> usize {
        let words = words(self.bounds(place as usize).1);
        self.free += words;
        self.set_word(place as usize, FREE | words as u32);
        if words < CLASSES {
            if self.gaps.len() <= words {
                self.gaps.resize(words + 1, NONE);
            }
            self.set_word(place as usize + 1, self.gaps[words]);
            self.gaps[words] = place;
        }
        words
    }

    #[cold]
    fn move_together<E: Placed>(&mut self, entries: &mut [E]) {
        let (mut from, mut to) = (0, 0);
        while from < self.used {
            let first = self.word(from);
            if first & FREE != 0 {
                from += (first & !FREE) as usize;
                continue;
            }
            let words = words(self.bounds(from).1);
            self.bytes.copy_within(from * WORD..(from + words) * WORD, to * WORD);
            entries[first as usize].set_place(to as u32);
            from += words;
            to += words;
        }
        self.used = to;
        self.free = 0;
        self.gaps.clear();
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.bytes.bytes()
    }
}
