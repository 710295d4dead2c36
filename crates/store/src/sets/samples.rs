//! Codes for the tests of sets, and what every exact set must do with them.

use std::collections::BTreeSet;
use std::sync::Arc;
use tightrope_core::{Budget, Found, StateId, Step, Store, Successors};

/// A code of one of many lengths.
pub fn code(number: u64) -> Vec<u8> {
    let mut code = number.to_le_bytes().to_vec();
    code.resize(3 + (number % 40) as usize, number as u8);
    code.extend_from_slice(&number.to_le_bytes());
    code
}

/// Random numbers for tests.
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A word of a few letters, near each other or far apart; some words are the beginning of others.
pub fn word(random: &mut Random, longest: u64, letters: u64) -> Vec<u8> {
    let length = random.below(longest + 1);
    let spread = if random.below(2) == 0 { 1 } else { 255 / letters };
    (0..length).map(|_| (random.below(letters) * spread) as u8).collect()
}

/// Inserts codes together into one set and one by one into another of the same kind: the answers are the same.
pub fn insert_both_ways(together: &mut impl Store, one_by_one: &mut impl Store, codes: &Successors) {
    let mut found = Vec::new();
    together.insert_all(codes, &[], &mut found).unwrap();
    assert_eq!(found.len(), codes.len());
    for (index, &found) in found.iter().enumerate() {
        let expected = codes.state(index).map_or(Found::Nowhere, |code| one_by_one.insert(code, None).unwrap());
        assert_eq!(found, expected);
    }
}

/// Fills a set of that budget until it refuses: what it took is there, and it stays within its budget. Returns how many it took.
pub fn fill_until_refused(set: &mut impl Store, budget: &Arc<Budget>, code: fn(u64) -> Vec<u8>) -> u64 {
    let mut kept = 0;
    while set.insert(&code(kept), None).is_ok() {
        kept += 1;
    }
    assert!(budget.peak() <= budget.limit());
    assert_eq!(set.len(), kept);
    assert!((0..kept).all(|number| is_seen(set, &code(number))));
    assert!(set.insert(&code(kept), None).is_err());
    kept
}

/// Offers more codes together than there is memory for: those with an answer are there, no others.
pub fn refused_together(set: &mut impl Store, budget: &Arc<Budget>, code: fn(u64) -> Vec<u8>) {
    let (mut codes, mut found) = (Successors::new(), Vec::new());
    (0..20_000).for_each(|number| codes.push(Step::default(), &code(number)));
    assert!(set.insert_all(&codes, &[], &mut found).is_err());
    assert!(budget.peak() <= budget.limit());
    assert_eq!(set.len(), found.len() as u64);
    assert!((0..set.len()).all(|number| is_seen(set, &code(number))));
}

/// Inserts codes into an empty set that has no ids: they are found again, and cannot be read.
pub fn members_without_ids(set: &mut impl Store, count: u64) {
    for number in 0..count {
        assert_eq!(set.insert(&code(number), None), Ok(Found::New(StateId::NAMELESS)));
    }
    assert_eq!(set.len(), count);
    assert!((0..count).all(|number| set.insert(&code(number), None) == Ok(Found::Seen(StateId::NAMELESS))));
    assert!(!set.read(StateId(0), &mut Vec::new()));
}

/// Inserts up to `most` random words, as long as `longest` at the most, and returns which ones.
pub fn random_members(set: &mut impl Store, random: &mut Random, most: u64, longest: u64) -> BTreeSet<Vec<u8>> {
    let (longest, letters) = (1 + random.below(longest), 1 + random.below(6));
    let mut members = BTreeSet::new();
    for _ in 0..random.below(most) {
        let word = word(random, longest, letters);
        assert_eq!(is_new(set, &word), members.insert(word.clone()), "{word:?}");
    }
    assert_eq!(set.len(), members.len() as u64);
    members
}

/// Whether a code is new.
pub fn is_new(set: &mut impl Store, code: &[u8]) -> bool {
    matches!(set.insert(code, None), Ok(Found::New(_)))
}

/// Whether a code is there.
pub fn is_seen(set: &mut impl Store, code: &[u8]) -> bool {
    matches!(set.insert(code, None), Ok(Found::Seen(_)))
}
