//! The sleep sets that are stored with the visited states of a search with sleep sets and stubborn sets (Godefroid 1996, ch. 5).
//!
//! Invariant: what is stored for a state is the sleep set of its last visit; states without one have an empty sleep set. Where
//! states have no ids ([`StateId::NAMELESS`]) nothing sleeps, and nothing is stored.
//!
//! Bytes: 48 for a state whose sleep set is not empty, and 16 for each step of it.

use crate::sleep_sets::SleepStep;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation, StateId, Step, ask_for_memory};

/// The sleep sets of visited states that are not empty.
pub(crate) struct StoredSleepSets {
    stored: FxHashMap<StateId, Box<[Step]>>,
    /// The same under new ids, while the store gives its states new ids.
    remapped: FxHashMap<StateId, Box<[Step]>>,
    /// The bytes of the table of `stored`.
    table_bytes: u64,
    reservation: Reservation,
}

impl StoredSleepSets {
    /// None yet.
    pub fn new(budget: &Arc<Budget>) -> Self {
        StoredSleepSets {
            stored: FxHashMap::default(),
            remapped: FxHashMap::default(),
            table_bytes: 0,
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// What is stored for a state; none if nothing slept there.
    pub fn get(&self, id: StateId) -> Option<&[Step]> {
        self.stored.get(&id).map(|steps| &**steps)
    }

    /// Stores the sleep set of a state that is visited. It is emptied where the state has no id.
    pub fn store(&mut self, id: StateId, sleep_set: &mut Vec<SleepStep>) -> Result<(), Refused> {
        if id == StateId::NAMELESS {
            sleep_set.clear();
            return Ok(());
        }
        if let Some(before) = self.stored.remove(&id) {
            self.reservation.give_back(stored_bytes(&before));
        }
        if !sleep_set.is_empty() {
            let steps: Box<[Step]> = sleep_set.iter().map(|sleeping| sleeping.step).collect();
            self.make_room()?;
            self.reservation.take(stored_bytes(&steps))?;
            self.stored.insert(id, steps);
        }
        Ok(())
    }

    /// Makes room for one more stored sleep set. The reservation is for two tables: while states get new ids there are two, and
    /// that is when memory is short.
    fn make_room(&mut self) -> Result<(), Refused> {
        let len = self.stored.len();
        if len < self.stored.capacity() {
            return Ok(());
        }
        let more = len.max(4);
        let table = table_bytes(len + more).max(self.table_bytes);
        let asked = 2 * table;
        self.reservation.take(asked)?;
        if ask_for_memory(|| self.stored.try_reserve(more)).is_err() {
            self.reservation.give_back(asked);
            return Err(Refused::Memory);
        }
        self.reservation.give_back(2 * self.table_bytes);
        self.table_bytes = table;
        Ok(())
    }

    /// A state gets a new id, which is valid from [`StoredSleepSets::finish_remapping`] on.
    pub fn remap(&mut self, old: StateId, new: StateId) {
        if let Some(steps) = self.stored.remove(&old) {
            self.remapped.reserve(if self.remapped.is_empty() { self.stored.len() + 1 } else { 1 });
            self.remapped.insert(new, steps);
        }
    }

    /// All states have their new ids.
    pub fn finish_remapping(&mut self) {
        self.stored = std::mem::take(&mut self.remapped);
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

/// The bytes of a stored sleep set, outside of the table.
fn stored_bytes(steps: &[Step]) -> u64 {
    (32 + size_of_val(steps)) as u64
}

/// The bytes of a hash table for so many states: an eighth of its buckets stays empty, and each has a byte more.
fn table_bytes(states: usize) -> u64 {
    let buckets = (states * 8 / 7 + 1).next_power_of_two();
    (buckets * (size_of::<(StateId, Box<[Step]>)>() + 1) + 32) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_ids_nothing_sleeps() {
        let budget = Arc::new(Budget::unlimited());
        let mut sets = StoredSleepSets::new(&budget);
        let asleep = || vec![SleepStep { step: Step::default(), footprint: [].into(), renames: false }];
        let mut sleep_set = asleep();
        sets.store(StateId(3), &mut sleep_set).unwrap();
        assert_eq!((sleep_set.len(), sets.get(StateId(3))), (1, Some(&[Step::default()][..])));
        sets.store(StateId::NAMELESS, &mut sleep_set).unwrap();
        assert!(sleep_set.is_empty() && sets.get(StateId::NAMELESS).is_none());
        sets.remap(StateId(3), StateId(8));
        sets.finish_remapping();
        assert!(sets.get(StateId(3)).is_none() && sets.get(StateId(8)).is_some());
        assert_eq!(sets.bytes(), budget.used());
    }
}
