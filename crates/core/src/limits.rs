//! When to stop before the end.

use crate::{FaultKind, Reason};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// A flag that stops a search from outside, such as from a Ctrl-C handler. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicU8>);

impl Interrupt {
    /// Asks the search to stop: because the time is up, or because somebody wants it.
    pub fn raise(&self, reason: Reason) {
        self.0.store(if reason == Reason::Time { 2 } else { 1 }, Ordering::Relaxed);
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

/// The limits of a search, and how it treats what it finds.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// States found after this many steps are not expanded, only looked at: whether they are deadlocks, and whether
    /// anything lies beyond them.
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
    /// Take only the steps of a stubborn set ([`crate::Model::stubborn_set`]).
    pub stubborn: bool,
}

impl Limits {
    /// Why to stop now, if anyone asked or the time is up.
    pub fn stop(&self) -> Option<Reason> {
        let late = || self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Reason::Time);
        self.interrupt.raised().or_else(late)
    }

    /// Checks everything and stops at the first violation.
    pub fn checking() -> Self {
        Limits { check: true, deadlock: true, ..Limits::default() }
    }

    /// Explores everything and checks nothing.
    pub fn measuring() -> Self {
        Limits::default()
    }
}
