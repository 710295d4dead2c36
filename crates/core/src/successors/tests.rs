//! The buffer stays within its budget.

use super::*;
use crate::{FaultKind, Place};

const STEP: Step = Step { action: 7, choice: 0 };

fn on_budget(limit: u64) -> (Arc<Budget>, Successors) {
    let (budget, mut out) = (Arc::new(Budget::new(limit)), Successors::new());
    out.set_budget(&budget);
    (budget, out)
}

#[test]
fn growth_asks_the_budget_and_a_refusal_is_noted() {
    let (budget, mut out) = on_budget(1 << 20);
    let mut before = out.extent();
    while out.refused().is_none() {
        before = out.extent();
        out.push(STEP, &[1; 1000]);
    }
    assert_eq!(out.refused(), Some(Refused::Memory));
    assert!(budget.peak() <= budget.limit());
    assert!(before.items > 300, "{} states of 1000 bytes in a mebibyte, growth included", before.items);
    out.go_back(before);
    assert_eq!((out.refused(), out.len()), (None, before.items));
    assert!((0..out.len()).all(|index| out.state(index) == Some(&[1; 1000])));
    out.release();
    assert_eq!(budget.used(), 0);
}

#[test]
fn steps_that_lead_nowhere_and_faults_are_on_the_budget() {
    for message in [None, Some("x".repeat(100))] {
        let (budget, mut out) = on_budget(1 << 20);
        let fault = |message: &String| Fault { kind: FaultKind::Error, message: message.clone(), at: Place::default() };
        while out.refused().is_none() {
            match &message {
                None => out.push_nowhere(STEP),
                Some(message) => out.push_failed(STEP, fault(message)),
            }
        }
        assert!(out.len() < (1 << 20) / ENTRY_BYTES && out.len() > 1000, "{}", out.len());
        out.clear();
        assert!(budget.used() <= budget.limit() && out.charged == 0);
        drop(out);
        assert_eq!(budget.used(), 0);
    }
}

#[test]
fn places_never_wrap_around() {
    let mut out = Successors::new();
    assert!(!out.make_room(MOST_BYTES + 1, 1));
    assert_eq!(out.refused(), Some(Refused::Limit(Successors::TOO_LARGE)));
    out.clear();
    out.push_range(STEP, 10, (1 << 32) + 20, None);
    assert_eq!((out.refused(), out.len()), (Some(Refused::Limit(Successors::TOO_LARGE)), 0));
}

#[test]
fn the_tail_is_not_given_away() {
    let (_, mut out) = on_budget(100_000);
    assert!(out.keep_tail(1000, 10));
    while out.refused().is_none() {
        out.push(STEP, &[2; 50]);
        let (bytes, items) = out.room_ends();
        assert!(out.bytes.len() <= bytes && out.items.len() <= items);
        assert!(out.bytes.capacity() - bytes >= 1000 && out.items.capacity() - items >= 10);
    }
    assert!(!out.keep_tail(1 << 20, 10), "there is no room for it");
}

#[test]
fn a_large_buffer_is_given_back_when_little_of_it_is_used() {
    let (budget, mut out) = on_budget(1 << 30);
    out.push(STEP, &vec![3; 64 << 20]);
    out.clear();
    assert!(budget.used() >= 64 << 20, "it may be needed again");
    out.push(STEP, &[3; 100]);
    out.clear();
    assert_eq!(budget.used(), 0);
}
