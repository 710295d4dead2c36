//! Hash compaction: instead of codes, signatures of a few bits.
//!
//! Wolper and Leroy's idea with Stern and Dill's analysis (1995): a code is looked for at the place that one part of its hash says,
//! and compared by another part, the signature. A new code that meets an equal signature on its way is taken for one that was
//! seen, and lost with all that only it leads to. The probability of that is small and known: every comparison of a new code
//! with a signature goes wrong with probability 2⁻ᵇ, and the comparisons are counted.
//!
//! Signatures cannot be moved to a longer table, for the rest of the hash is gone. So there is a row of tables, each twice as
//! long as the one before; the last one is filled, all are searched.
//!
//! Bytes per state: those of the signature, 5 for 40 bits, over the load of 0.8 up to which a table is filled; half as much again
//! on average, since the last one is not full. The claim is a probability of omission, never exact; states cannot be read back.
//! Not where an exact store fits.

use super::insert_probed;
use crate::memory::prefetch::prefetch;
use crate::memory::probe::{after, home};
use crate::memory::region::Region;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Edge, Found, Parent, Refused, Reservation, StateId, Store, Successors};

/// The slots of the first table.
const FIRST_SLOTS: usize = 1 << 14;

/// A set that remembers signatures.
pub struct Compact {
    /// The bits of a signature, and the bytes it takes.
    bits: u32,
    width: usize,
    secrets: [RapidSecrets; 2],
    tables: Vec<Table>,
    len: u64,
    /// How many signatures new codes were compared with.
    compared: u64,
    reservation: Reservation,
}

/// One of the tables.
struct Table {
    /// A signature of `width` bytes in every slot, all zero in an empty one; and room for a word behind the last.
    bytes: Region<u8>,
    slots: usize,
    used: usize,
}

/// Where to look for a code, and for what: parts of two independent hashes.
#[derive(Clone, Copy, Default)]
struct SignatureProbe {
    home: u64,
    signature: u64,
}

impl Table {
    #[inline]
    fn home(&self, probe: SignatureProbe) -> usize {
        home(probe.home, self.slots)
    }

    /// The signature in a slot.
    #[inline]
    fn get(&self, slot: usize, width: usize) -> u64 {
        let word = self.bytes[slot * width..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        word & u64::MAX >> (64 - 8 * width)
    }

    fn put(&mut self, slot: usize, width: usize, signature: u64) {
        self.bytes[slot * width..][..width].copy_from_slice(&signature.to_le_bytes()[..width]);
    }

    /// The slot that has the signature, or else the first free one, and how many other signatures were met on the way.
    #[inline]
    fn find(&self, probe: SignatureProbe, width: usize) -> (Result<usize, usize>, u64) {
        let mut slot = self.home(probe);
        let mut met = 0;
        loop {
            match self.get(slot, width) {
                0 => return (Err(slot), met),
                found if found == probe.signature => return (Ok(slot), met),
                _ => {
                    met += 1;
                    slot = after(slot, self.slots);
                }
            }
        }
    }
}

impl Compact {
    /// The default number of bits.
    pub const BITS: u32 = 40;

    /// An empty set with signatures of so many bits, from 8 to 64.
    pub fn new(bits: u32, seed: u64, budget: &Arc<Budget>) -> Self {
        let secrets = RapidSecrets::seed(seed);
        Compact {
            bits,
            width: bits.div_ceil(8) as usize,
            secrets: [secrets, secrets.reseed()],
            tables: Vec::new(),
            len: 0,
            compared: 0,
            reservation: Reservation::new(budget.clone()),
        }
    }

    #[inline]
    fn probe(&self, code: &[u8]) -> SignatureProbe {
        let [home, signature] = self.secrets.each_ref().map(|secrets| rapidhash_v3_seeded(code, secrets));
        // Zero is for empty slots.
        SignatureProbe { home, signature: (signature >> (64 - self.bits)).max(1) }
    }

    /// A table of so many slots.
    fn table(&mut self, slots: usize) -> Result<Table, Refused> {
        let bytes = slots * self.width + 8;
        self.reservation.take(bytes as u64)?;
        let mut region = Region::new();
        if !region.grow(bytes) {
            self.reservation.give_back(bytes as u64);
            return Err(Refused::Memory);
        }
        Ok(Table { bytes: region, slots, used: 0 })
    }

    /// Adds a table, as long as all before together, or what of that can be had; where nothing more can be had the last one
    /// is filled to the brim.
    #[cold]
    fn grow(&mut self) -> Result<(), Refused> {
        let slots: usize = self.tables.iter().map(|table| table.slots).sum();
        let mut refused = Refused::Memory;
        for share in [1, 4, 16] {
            match self.table((slots / share).max(FIRST_SLOTS)) {
                Ok(table) => {
                    self.tables.push(table);
                    return Ok(());
                }
                Err(over) => refused = over,
            }
        }
        match self.tables.last() {
            Some(last) if (last.used + 1) * 20 <= last.slots * 19 => Ok(()),
            _ => Err(refused),
        }
    }

    #[inline]
    fn insert_probe(&mut self, probe: SignatureProbe) -> Result<Found, Refused> {
        let mut compared = 0;
        let mut free = 0;
        for (number, table) in self.tables.iter().enumerate().rev() {
            match table.find(probe, self.width) {
                (Ok(slot), _) => return Ok(Found::Seen(self.id(number, slot))),
                (Err(slot), met) => {
                    compared += met;
                    if number + 1 == self.tables.len() {
                        free = slot;
                    }
                }
            }
        }
        if self.tables.last().is_none_or(|table| (table.used + 1) * 5 > table.slots * 4) {
            let before = self.tables.len();
            self.grow()?;
            if self.tables.len() > before {
                free = self.tables[before].home(probe);
            }
        }
        let number = self.tables.len() - 1;
        let table = &mut self.tables[number];
        table.put(free, self.width, probe.signature);
        table.used += 1;
        self.len += 1;
        self.compared += compared;
        Ok(Found::New(self.id(number, free)))
    }

    /// The id of what is in a slot.
    #[inline]
    fn id(&self, table: usize, slot: usize) -> StateId {
        StateId((table as u64) << 48 | slot as u64)
    }
}

impl Store for Compact {
    fn insert(&mut self, code: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        self.insert_probe(self.probe(code))
    }

    fn insert_all(&mut self, codes: &Successors, _parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        let probe = |set: &Self, code: &[u8]| {
            let probe = set.probe(code);
            set.tables.iter().for_each(|table| prefetch(&table.bytes, table.home(probe) * set.width));
            probe
        };
        insert_probed(self, codes, found, probe, |set, probe, _| set.insert_probe(probe))
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    fn claim(&self) -> Claim {
        omission(self.bits, self.compared)
    }
}

/// What a search is worth that compared new codes so many times with signatures of other codes: one or more omissions, since every
/// comparison goes wrong by itself.
pub fn omission(bits: u32, compared: u64) -> Claim {
    // Signatures 0 and 1 are one.
    let signatures = 2f64.powi(bits as i32) - 1.0;
    Claim::Hashed { omission: -(compared as f64 * (-1.0 / signatures).ln_1p()).exp_m1() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_what_was_to_be_expected() {
        let (mut lost, mut expected) = (0, 0.0);
        for seed in 0..20 {
            let mut set = Compact::new(16, seed, &Arc::new(Budget::unlimited()));
            for number in 0..50_000u64 {
                lost += u32::from(matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::Seen(_))));
            }
            // What was compared tells how many were lost, not only whether one was.
            expected += set.compared as f64 / 65_535.0;
            assert!((0..50_000u64).all(|number| matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::Seen(_)))));
        }
        let ratio = f64::from(lost) / expected;
        assert!((0.8..1.25).contains(&ratio), "{lost} were lost, {expected} were to be expected");
    }

    #[test]
    fn forty_bits_lose_nothing_here_and_say_what_they_could_have() {
        let budget = Arc::new(Budget::unlimited());
        let mut set = Compact::new(40, 1, &budget);
        for number in 0..1_000_000u64 {
            assert!(matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::New(_))));
        }
        let Claim::Hashed { omission } = set.claim() else { panic!("it is not exact") };
        assert!((1e-7..1e-4).contains(&omission), "{omission}");
        assert_eq!(set.bytes(), budget.used());
        assert!(set.bytes() < 13_000_000, "{} bytes", set.bytes());
    }

    #[test]
    fn a_refusal_leaves_the_set_intact_and_the_budget_used() {
        for limit in [0, 100_000, 1_000_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut set = Compact::new(64, 7, &budget);
            let mut kept = 0u64;
            while set.insert(&kept.to_le_bytes(), None).is_ok() {
                kept += 1;
            }
            assert_eq!(set.len(), kept);
            assert!(budget.peak() <= limit);
            assert!((0..kept).all(|number| matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::Seen(_)))));
        }
    }
}
