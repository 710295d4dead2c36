//! The labels of a transition system: every text once, by number.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Label texts, numbered from 0 in the order in which they first came.
///
/// All texts stand in one string, so that a label costs its length and a dozen bytes: a file may have as many labels as
/// transitions.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    texts: String,
    /// Where each text ends.
    ends: Vec<u64>,
    /// The numbers, by the hash of their text.
    numbers: HashTable<u32>,
}

impl Labels {
    /// The number of labels.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a label; empty for a number that is none.
    pub fn text(&self, number: u32) -> &str {
        text(&self.texts, &self.ends, number)
    }

    /// The number of a text, if it is a label.
    pub fn find(&self, label: &str) -> Option<u32> {
        self.find_bytes(label.as_bytes())
    }

    /// The number of a text that need not be UTF-8, if it is a label.
    pub(crate) fn find_bytes(&self, label: &[u8]) -> Option<u32> {
        self.numbers.find(hash(label), |&number| self.text(number).as_bytes() == label).copied()
    }

    /// The number of a text, which becomes a label if it is none yet.
    ///
    /// There are at most as many labels as transitions, which are fewer than 2³².
    pub fn number(&mut self, label: &str) -> u32 {
        self.find(label).unwrap_or_else(|| self.add(label))
    }

    /// Makes a text a label that is none yet.
    pub(crate) fn add(&mut self, label: &str) -> u32 {
        let number = self.ends.len() as u32;
        self.texts.push_str(label);
        self.ends.push(self.texts.len() as u64);
        if self.numbers.len() == self.numbers.capacity() {
            self.grow();
        } else {
            self.enter(number);
        }
        number
    }

    /// Makes a table of twice the size. The labels go there in the order of their numbers, in which their texts lie in
    /// memory; that, and not to have both tables at a time, is why the table does not grow by itself.
    fn grow(&mut self) {
        let capacity = (2 * self.numbers.capacity()).max(16);
        self.numbers = HashTable::new();
        self.numbers = HashTable::with_capacity(capacity);
        for number in 0..self.ends.len() as u32 {
            self.enter(number);
        }
    }

    /// Puts a label into the table.
    fn enter(&mut self, number: u32) {
        let (texts, ends) = (&self.texts, &self.ends);
        let hash = |&number: &u32| hash(text(texts, ends, number).as_bytes());
        self.numbers.insert_unique(hash(&number), number, hash);
    }

    /// All texts, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|number| self.text(number))
    }

    /// Whether a label is the internal action: `i` as Aldebaran writes it, or `tau` as mCRL2 does.
    pub fn is_internal(&self, number: u32) -> bool {
        is_internal(self.text(number))
    }

    /// The bytes of memory in use.
    pub fn bytes(&self) -> u64 {
        (self.texts.capacity() + 8 * self.ends.capacity() + self.numbers.allocation_size()) as u64
    }

    /// Gives back what was reserved and is not used.
    pub(crate) fn shrink(&mut self) {
        self.texts.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Whether a text is a name of the internal action.
pub(crate) fn is_internal(label: &str) -> bool {
    matches!(label, "i" | "tau")
}

fn text<'a>(texts: &'a str, ends: &[u64], number: u32) -> &'a str {
    let Some(&end) = ends.get(number as usize) else { return "" };
    let start = if number == 0 { 0 } else { ends[number as usize - 1] };
    &texts[start as usize..end as usize]
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_numbers() {
        let mut labels = Labels::default();
        assert!(labels.is_empty());
        for round in 0..2 {
            for number in 0..10_000 {
                assert_eq!(labels.number(&format!("label {number}")), number, "round {round}");
            }
        }
        assert_eq!(labels.len(), 10_000);
        assert_eq!(labels.text(77), "label 77");
        assert_eq!(labels.text(10_000), "");
        assert_eq!(labels.find("label 9999"), Some(9999));
        assert_eq!(labels.find("label"), None);
        assert_eq!(labels.iter().nth(3), Some("label 3"));
    }

    #[test]
    fn the_internal_action_has_two_names() {
        let mut labels = Labels::default();
        let numbers = ["i", "tau", "", "I", "τ", "tau(1)"].map(|label| labels.number(label));
        assert_eq!(numbers.map(|number| labels.is_internal(number)), [true, true, false, false, false, false]);
    }
}
