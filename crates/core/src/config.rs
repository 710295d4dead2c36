//! What a search checks, when it stops, and which reductions it uses.

use crate::{FaultKind, Reason};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// A flag that stops a search from outside, such as from a Ctrl-C handler. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicU8>);

impl Interrupt {
    /// Asks the search to stop: because the time is up, or because the user wants it to. What it was asked for first counts.
    pub fn raise(&self, reason: Reason) {
        let why = if reason == Reason::Time { 2 } else { 1 };
        let _ = self.0.compare_exchange(0, why, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why to stop, if someone asked.
    #[inline]
    pub fn raised(&self) -> Option<Reason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            2 => Some(Reason::Time),
            _ => Some(Reason::Interrupted),
        }
    }
}

/// What a search checks, when it stops, and which reductions it uses.
#[derive(Clone, Debug, Default)]
pub struct SearchConfig {
    /// States at this depth are not expanded; they are only examined for being deadlocks and for having successors.
    pub depth: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops when raised.
    pub interrupt: Interrupt,
    /// Look for violations at all.
    pub check: bool,
    /// A deadlock is a violation.
    pub deadlock: bool,
    /// Only faults of this kind count, if one is given.
    pub only: Option<FaultKind>,
    /// Go on after the first violation and count them.
    pub all: bool,
    /// Leave steps out that a depth-first search with sleep sets need not take.
    pub sleep: bool,
    /// The collision rate ([`crate::CacheStats::collision_rate`]) above which a breadth-first search over a store that evicts gives
    /// up, since it might not end, if it visits many states again; none for a store with which it always ends.
    pub max_collision: Option<f64>,
    /// Take only the steps of a stubborn set ([`crate::Model::stubborn_set`]).
    pub stubborn: bool,
}

impl SearchConfig {
    /// Why to stop now: the interrupt is raised, or the time is up.
    pub fn stop(&self) -> Option<Reason> {
        let late = || self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Reason::Time);
        self.interrupt.raised().or_else(late)
    }

    /// Checks everything and stops at the first violation.
    pub fn checking() -> Self {
        SearchConfig { check: true, deadlock: true, ..SearchConfig::default() }
    }

    /// Explores everything and checks nothing.
    pub fn measuring() -> Self {
        SearchConfig::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_to_stop_counts() {
        let interrupt = Interrupt::default();
        assert_eq!(interrupt.raised(), None);
        interrupt.raise(Reason::Time);
        interrupt.raise(Reason::Interrupted);
        assert_eq!(interrupt.raised(), Some(Reason::Time));
    }
}
