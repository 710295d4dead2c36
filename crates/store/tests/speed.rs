//! How fast the set `hash` is: ten million states, one by one and together. Per second of the processor's time (Linux).
//!
//! `cargo test -p tightrope-store --release --test speed -- --ignored --nocapture`

use std::sync::Arc;
use std::time::Duration;
use tightrope_core::{Budget, Found, Step, Store, Successors};
use tightrope_store::HashTable;

const STATES: u64 = 10_000_000;

/// The processor's time that this thread took, also where others want the processor; else none.
fn time_taken() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or_default())
}

/// A number that stands for another, with no pattern.
fn scramble(number: u64) -> u64 {
    let number = (number ^ number >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The state of that number: few of its bytes change from one to the next, as with real ones.
fn write(number: u64, length: usize, state: &mut [u8]) {
    state[length / 2 - 4..length / 2 + 4].copy_from_slice(&number.to_le_bytes());
}

/// Inserts the states of these numbers and returns how many were new. With `together` 0, one by one.
fn offer(set: &mut HashTable, length: usize, together: usize, numbers: impl Iterator<Item = u64>) -> u64 {
    let mut state = vec![7; length];
    let (mut batch, mut found) = (Successors::new(), Vec::new());
    let mut new = 0;
    let mut insert_all = |set: &mut HashTable, batch: &mut Successors| {
        found.clear();
        set.insert_all(batch, &[], &mut found).expect("there is no limit");
        batch.clear();
        found.iter().filter(|found| matches!(found, Found::New(_))).count() as u64
    };
    for number in numbers {
        write(number, length, &mut state);
        if together == 0 {
            new += u64::from(matches!(set.insert(&state, None), Ok(Found::New(_))));
            continue;
        }
        batch.push(Step::default(), &state);
        if batch.len() == together {
            new += insert_all(set, &mut batch);
        }
    }
    new + insert_all(set, &mut batch)
}

#[test]
#[ignore = "takes a minute; for people who look at figures"]
fn ten_million_states() {
    for length in [8, 40, 160] {
        for together in [0, 64, 1024] {
            let mut set = HashTable::new(&Arc::new(Budget::unlimited()));
            let rate = |begin: Duration| STATES as f64 / (time_taken() - begin).as_secs_f64() / 1e6;
            let begin = time_taken();
            assert_eq!(offer(&mut set, length, together, 0..STATES), STATES);
            let new = rate(begin);
            let begin = time_taken();
            assert_eq!(offer(&mut set, length, together, (0..STATES).map(|n| scramble(n) % STATES)), 0);
            let seen = rate(begin);
            let bytes = set.bytes() as f64 / STATES as f64;
            println!(
                "{length:4} bytes, {together:4} together: {new:5.1} M new/s, {seen:5.1} M seen/s, {bytes:.1} bytes per state"
            );
        }
    }
}
