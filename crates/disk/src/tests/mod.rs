//! The queue and the log over real files, and over files that fail as they are told to.

mod files;
mod log;
mod queue;

use std::sync::Arc;
use tightrope_core::{Budget, Claim, Edge, Found, Refused, StateId, Store};

/// A store that a frontier need not ask.
struct Nothing;

impl Store for Nothing {
    fn insert(&mut self, _: &[u8], _: Option<Edge>) -> Result<Found, Refused> {
        Ok(Found::Undecided)
    }
    fn read(&mut self, _: StateId, _: &mut Vec<u8>) -> bool {
        false
    }
    fn len(&self) -> u64 {
        0
    }
    fn bytes(&self) -> u64 {
        0
    }
    fn claim(&self) -> Claim {
        Claim::Partial
    }
}

/// Numbers from a small generator.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn unlimited() -> Arc<Budget> {
    Arc::new(Budget::unlimited())
}
