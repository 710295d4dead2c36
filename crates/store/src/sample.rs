//! How much memory stores would take, found out by trying them on some states.
//!
//! A sample is made of states that were found one after the other, halfway through the order in which states were found: neighbours
//! have much in common, as they have in the whole. Small groups of states from everywhere have not, so that stores that share parts
//! would seem larger than they are. What is found is a little too much all the same: the more states there are, the more they have in
//! common.

use crate::table::plan_bytes;
use crate::{Site, make};
use tightrope_core::{Reservation, ask_for_memory};

/// Some of many states.
#[derive(Default)]
pub struct Sample {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Sample {
    /// An empty sample.
    pub fn new() -> Self {
        Sample::default()
    }

    /// Whether the state at a position in a sequence of so many belongs into a sample of so many.
    pub fn wants(position: u64, states: u64, most: u64) -> bool {
        let first = states.saturating_sub(most) / 2;
        (first..first.saturating_add(most)).contains(&position)
    }

    /// Adds a state; false if the system refuses memory for it.
    #[must_use]
    pub fn push(&mut self, state: &[u8]) -> bool {
        let granted =
            ask_for_memory(|| self.bytes.try_reserve(state.len()).is_ok() && self.ends.try_reserve(1).is_ok());
        if granted {
            self.bytes.extend_from_slice(state);
            self.ends.push(self.bytes.len());
        }
        granted
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The memory it takes.
    pub fn bytes(&self) -> u64 {
        (self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()) as u64
    }

    /// The states.
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }

    /// The bytes per state that a store takes for these states; none if the budget does not suffice for them, or if `stop`
    /// says so, which is asked now and then.
    pub fn bytes_per_state(&self, spec: &str, site: Site<'_>, stop: &dyn Fn() -> bool) -> Option<f64> {
        let mut plan = Reservation::new(site.budget.clone());
        plan.take(plan_bytes(site.schema)).ok()?;
        let mut store = make(spec, site).ok()?;
        for (number, state) in self.states().enumerate() {
            if number.is_multiple_of(256) && stop() {
                return None;
            }
            store.insert(state, None).ok()?;
        }
        (!store.is_empty()).then(|| store.bytes() as f64 / store.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tightrope_core::{Budget, Schema};

    #[test]
    fn it_is_as_large_as_was_asked() {
        for (states, most) in [(10, 1000), (5000, 5000), (100_000, 4096), (1_000_000, 20_000), (7_000_000, 65_536)] {
            let count = (0..states).filter(|&position| Sample::wants(position, states, most)).count() as u64;
            assert_eq!(count, most.min(states), "of {states}");
        }
    }

    #[test]
    fn what_is_found_out_is_what_the_store_takes() {
        let mut sample = Sample::new();
        assert!((0..20_000u32).all(|number| sample.push(&[number.to_le_bytes(), [7; 4], [1; 4]].concat())));
        assert_eq!(sample.len(), 20_000);
        assert_eq!(sample.states().nth(3), Some(&[3, 0, 0, 0, 7, 7, 7, 7, 1, 1, 1, 1][..]));
        let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::new(10 << 20)));
        let site = Site { schema: &schema, budget: &budget, seed: 1, model: None };
        let found = sample.bytes_per_state("hash", site, &|| false).expect("there is room");
        assert!((21.0..40.0).contains(&found), "{found} bytes per state");
        assert_eq!(budget.used(), 0);
        let tight = Arc::new(Budget::new(100_000));
        assert_eq!(sample.bytes_per_state("hash", Site { budget: &tight, ..site }, &|| false), None);
        assert_eq!(sample.bytes_per_state("hash", site, &|| true), None);
    }
}
