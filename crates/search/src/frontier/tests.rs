//! The queues in memory, over a store that has a state for every id.

use super::{IdQueue, StateQueue};
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Edge, Found, Frontier, Refused, StateId, Store};

/// The states are a function of their ids.
struct Every(fn(StateId) -> Vec<u8>);

impl Store for Every {
    fn insert(&mut self, _: &[u8], _: Option<Edge>) -> Result<Found, Refused> {
        Ok(Found::Undecided)
    }
    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        *out = (self.0)(id);
        true
    }
    fn len(&self) -> u64 {
        0
    }
    fn bytes(&self) -> u64 {
        0
    }
    fn claim(&self) -> Claim {
        Claim::Exact
    }
}

/// Few are longer than a block.
fn of_any_length(id: StateId) -> Vec<u8> {
    let length = if id.0 % 1000 == 7 { 100_000 } else { id.0 % 90 };
    (0..length).map(|at| at.wrapping_add(id.0) as u8).collect()
}

/// States come out of a queue in the order in which they went in, bursts of them; what is left for an empty queue at
/// the end takes few bytes.
fn first_in_first_out(make: impl Fn(&Arc<Budget>) -> Box<dyn Frontier>, ids: impl Fn(u64) -> StateId, most_bytes: u64) {
    const STATES: u64 = 40_000;
    let budget = Arc::new(Budget::unlimited());
    let (mut queue, mut store) = (make(&budget), Every(of_any_length));
    let (mut pushed, mut popped, mut out) = (0, 0, Vec::new());
    while popped < STATES {
        for _ in 0..1 + pushed * 7 % 50 {
            if pushed < STATES {
                queue.push(ids(pushed), &of_any_length(ids(pushed))).unwrap();
                pushed += 1;
            }
        }
        for _ in 0..20.min(queue.len()) {
            assert_eq!(queue.pop(&mut store, &mut out), Ok(Some(ids(popped))));
            assert_eq!(out, of_any_length(ids(popped)));
            popped += 1;
        }
        assert_eq!((queue.len(), queue.bytes()), (pushed - popped, budget.used()));
    }
    assert_eq!(queue.pop(&mut store, &mut out), Ok(None));
    assert!(queue.bytes() <= most_bytes, "{} bytes are kept for an empty queue", queue.bytes());
}

#[test]
fn first_in_first_out_and_memory_comes_back() {
    for ids in [|number| StateId(number * 3), |number: u64| StateId(!number)] {
        first_in_first_out(|budget| Box::new(IdQueue::new(budget)), ids, 70_000);
        first_in_first_out(|budget| Box::new(StateQueue::new(budget)), ids, 200_000);
    }
}

/// When a queue is refused memory it has at least so many states, and loses none.
fn a_refusal_keeps(queue: &mut dyn Frontier, at_least: u64) {
    let state = |id: StateId| vec![id.0 as u8; 50];
    let mut pushed = 0;
    while queue.push(StateId(pushed), &state(StateId(pushed))).is_ok() {
        pushed += 1;
    }
    assert!(pushed > at_least, "{pushed} states of 50 bytes in 100,000 bytes");
    let mut out = Vec::new();
    for popped in 0..pushed {
        assert_eq!(queue.pop(&mut Every(state), &mut out), Ok(Some(StateId(popped))));
        assert_eq!(out, state(StateId(popped)));
    }
}

#[test]
fn a_refusal_keeps_what_waits() {
    let budget = || Arc::new(Budget::new(100_000));
    a_refusal_keeps(&mut IdQueue::new(&budget()), 12_000);
    a_refusal_keeps(&mut StateQueue::new(&budget()), 1500);
}
