//! The one account of memory.

use crate::Refused;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much memory there is and how much of it is taken.
///
/// Every structure that grows with the state space reserves here *before* it grows and releases when it shrinks. The
/// account is in bytes of address space that will be touched, slack included, so that the resident size of the
/// process stays within the limit. Shared by reference; counting is atomic.
pub struct Budget {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
    /// What of `used` is taken temporarily.
    temporary: AtomicU64,
    reclaim: OnceLock<Reclaim>,
}

/// Has temporary reservations given back.
type Reclaim = Box<dyn Fn() + Send + Sync>;

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({} of {} bytes taken)", self.used(), self.limit)
    }
}

impl Budget {
    /// An account of `limit` bytes, none taken.
    pub fn new(limit: u64) -> Self {
        let [used, peak, temporary] = [0, 0, 0].map(AtomicU64::new);
        Budget { limit, used, peak, temporary, reclaim: OnceLock::new() }
    }

    /// An account that never refuses; for tests and oracles.
    pub fn unlimited() -> Self {
        Budget::new(u64::MAX)
    }

    /// Takes `bytes`, or nothing if they are not there, even after temporary reservations were given back.
    pub fn reserve(&self, bytes: u64) -> Result<(), Refused> {
        match (self.take(bytes), self.reclaim.get()) {
            (Err(_), Some(reclaim)) => {
                reclaim();
                self.take(bytes)
            }
            (taken, _) => taken,
        }
    }

    /// Takes `bytes` temporarily, or nothing if they are not there: [`Budget::left`] does not count them, and they are
    /// given back when another reservation needs them (see [`Budget::on_shortage`]).
    pub fn reserve_temporarily(&self, bytes: u64) -> Result<(), Refused> {
        self.take(bytes)?;
        self.temporary.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Gives back `bytes` of what was taken temporarily, of which `kept` stay taken for good.
    pub fn end_temporary(&self, bytes: u64, kept: u64) {
        self.temporary.fetch_sub(bytes, Ordering::Relaxed);
        self.release(bytes.saturating_sub(kept));
    }

    fn take(&self, bytes: u64) -> Result<(), Refused> {
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&total| total <= self.limit)
        });
        match taken {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(_) => Err(Refused::Memory),
        }
    }

    /// Takes as much of `bytes` as there is, for what somebody holds without having asked; returns how much. Nothing is given
    /// back for it.
    pub fn take_what_is_left(&self, bytes: u64) -> u64 {
        let mut taken = 0;
        let _ = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            taken = bytes.min(self.limit.saturating_sub(used));
            Some(used + taken)
        });
        self.peak.fetch_max(self.used(), Ordering::Relaxed);
        taken
    }

    /// Calls `reclaim` wherever the account would refuse: it has temporary reservations given back, and waits for that if it must.
    /// Only the first one that is set counts.
    pub fn on_shortage(&self, reclaim: impl Fn() + Send + Sync + 'static) {
        let _ = self.reclaim.set(Box::new(reclaim));
    }

    /// Gives `bytes` back.
    pub fn release(&self, bytes: u64) {
        let before = self.used.fetch_sub(bytes, Ordering::Relaxed);
        debug_assert!(before >= bytes, "more released than reserved");
    }

    /// The limit.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What is taken now.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// What is left, or would be without temporary reservations.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used()).saturating_add(self.temporary.load(Ordering::Relaxed))
    }

    /// The most that was ever taken.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

/// The resident size of this process now and at its peak, in bytes, where the system tells (Linux).
pub fn resident_bytes() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib * 1024)
    };
    Some((field("VmRSS:")?, field("VmHWM:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_beyond_the_limit_and_takes_nothing_then() {
        let budget = Budget::new(100);
        assert!(budget.reserve(60).is_ok());
        assert_eq!((budget.reserve(41), budget.left()), (Err(Refused::Memory), 40));
        assert_eq!(budget.used(), 60);
        budget.release(20);
        assert!(budget.reserve(60).is_ok());
        assert_eq!((budget.used(), budget.left(), budget.peak()), (100, 0, 100));
    }

    #[test]
    fn temporary_reservations_are_given_back_on_demand() {
        let budget = std::sync::Arc::new(Budget::new(100));
        budget.reserve_temporarily(60).unwrap();
        assert_eq!((budget.used(), budget.left()), (60, 100));
        let (account, held) = (budget.clone(), AtomicU64::new(60));
        budget.on_shortage(move || account.end_temporary(held.swap(0, Ordering::Relaxed), 0));
        assert!(budget.reserve_temporarily(50).is_err(), "nothing is given back for others of the kind");
        assert!(budget.reserve(50).is_ok());
        assert_eq!(budget.reserve(51), Err(Refused::Memory));
    }

    #[test]
    fn a_huge_request_does_not_wrap_around() {
        let budget = Budget::unlimited();
        budget.reserve(10).unwrap();
        assert!(budget.reserve(u64::MAX).is_err());
    }
}
