//! The queue.

use super::files::Files;
use super::{Nothing, Random, unlimited};
use crate::{DiskQueue, SpillSpace};
use std::io::ErrorKind;
use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Refused, StateId};

/// The state of that number: of any length, and more or less alike the others.
fn state(number: u64) -> Vec<u8> {
    let mut random = Random(number);
    let length = match random.below(50) {
        0 => 0,
        1 => 3000 + random.below(5000),
        _ => random.below(90),
    };
    let alike = random.below(2) == 0;
    (0..length).map(|at| if alike { at as u8 } else { random.below(256) as u8 }).collect()
}

/// Ids in no order.
fn id(number: u64) -> StateId {
    StateId(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (number % 60))
}

/// Pushes and pops at random until so many states went through. Says how many did before a refusal, if there was one.
fn run(queue: &mut DiskQueue, states: u64, seed: u64) -> Result<(), (u64, Refused)> {
    let (mut random, mut pushed, mut popped, mut out) = (Random(seed), 0, 0, vec![1, 2, 3]);
    while popped < states {
        let grows = (popped / 300).is_multiple_of(2);
        for _ in 0..random.below(if grows { 60 } else { 10 }) {
            if pushed < states {
                queue.push(id(pushed), &state(pushed)).map_err(|refused| (popped, refused))?;
                pushed += 1;
            }
        }
        for _ in 0..random.below(20).min(queue.len()) {
            let found = queue.pop(&mut Nothing, &mut out).map_err(|refused| (popped, refused))?;
            assert_eq!(found, Some(id(popped)));
            assert_eq!(out, state(popped));
            popped += 1;
        }
        assert_eq!(queue.len(), pushed - popped);
    }
    assert_eq!(queue.pop(&mut Nothing, &mut out), Ok(None));
    Ok(())
}

/// With a thread of its own and without, over blocks of these sizes.
fn each(mut test: impl FnMut(usize, bool)) {
    for bytes in [64, 1000, 16 << 10] {
        for with_thread in [true, false] {
            test(bytes, with_thread);
        }
    }
}

#[test]
fn first_in_first_out_whatever_the_sizes() {
    each(|bytes, with_thread| {
        for seed in 0..4 {
            let (space, budget) = (SpillSpace::open(&std::env::temp_dir(), None).unwrap(), unlimited());
            let mut queue = DiskQueue::with_blocks(&space, &budget, bytes, with_thread);
            let memory = queue.bytes();
            assert_eq!(run(&mut queue, 4000, seed), Ok(()));
            assert_eq!((queue.bytes(), budget.used(), budget.peak()), (memory, memory, memory));
            assert_eq!(space.bytes(), 0, "what was read is not on disk");
            assert!(space.peak() > 0 || bytes > 1000);
            assert!(space.written() == space.read() && space.written() >= space.peak());
            drop(queue);
            assert_eq!(budget.used(), 0);
        }
    });
}

#[test]
fn a_short_queue_does_not_touch_the_disk() {
    each(|bytes, with_thread| {
        let files = Files::default();
        let mut queue = DiskQueue::with_blocks(&files.space(None), &unlimited(), bytes, with_thread);
        let most = 4 * bytes as u64;
        let (mut pushed, mut popped, mut waiting, mut out) = (0, 0, 0, Vec::new());
        while popped < 20_000 {
            let next = state(pushed);
            // The numbers before a state are of up to twelve bytes.
            if waiting + next.len() as u64 + 12 <= most {
                queue.push(id(pushed), &next).unwrap();
                waiting += next.len() as u64 + 12;
                pushed += 1;
            } else if queue.is_empty() {
                pushed += 1;
                popped += 1;
            } else {
                assert_eq!(queue.pop(&mut Nothing, &mut out), Ok(Some(id(popped))));
                waiting -= out.len() as u64 + 12;
                popped += 1;
            }
            while popped < pushed && queue.is_empty() {
                popped += 1;
            }
        }
        assert_eq!(files.made(), 0, "blocks of {bytes}");
    });
}

#[test]
fn a_queue_that_only_grows_and_then_only_shrinks_leaves_what_it_has_read() {
    let space = SpillSpace::open(&std::env::temp_dir(), Some(4 << 20)).unwrap();
    let mut queue = DiskQueue::with_blocks(&space, &unlimited(), 1000, true);
    (0..30_000).for_each(|number| queue.push(id(number), &state(number)).unwrap());
    let (full, mut out) = (space.bytes(), Vec::new());
    assert!(full > 1 << 20, "{full}");
    for number in 0..30_000 {
        assert_eq!(queue.pop(&mut Nothing, &mut out), Ok(Some(id(number))));
        // A 32nd of the quota, and the blocks in memory.
        let most = (full as f64 * (1.0 - number as f64 / 30_000.0)) as u64 + (128 << 10) + (128 << 10);
        assert!(space.bytes() <= most, "{} bytes are left of {full} after {number} states", space.bytes());
    }
    assert_eq!((queue.len(), space.bytes()), (0, 0));
}

#[test]
fn the_memory_is_what_it_was_given() {
    for memory in [0, 100_000, 200_000, 250_000, 1 << 20, 64 << 20, 1 << 30] {
        let budget = Arc::new(Budget::new(memory));
        let mut queue = DiskQueue::new(&Files::default().space(None), &budget);
        assert!(budget.peak() <= memory && queue.bytes() == budget.used());
        if memory >= 200_000 {
            assert_eq!(run(&mut queue, 3000, memory), Ok(()), "{memory}");
            assert!(queue.bytes() <= memory / 7 + 280_000, "{} of {memory}", queue.bytes());
        } else {
            assert_eq!(queue.push(id(1), &[1]), Err(Refused::Memory), "{memory}");
            assert_eq!((queue.len(), budget.used()), (0, 0));
        }
    }
}

#[test]
fn a_quota_is_kept_and_said_to_be_used_up() {
    let all = {
        let space = Files::default().space(None);
        assert_eq!(run(&mut DiskQueue::with_blocks(&space, &unlimited(), 500, true), 3000, 5), Ok(()));
        space.peak()
    };
    each(|bytes, with_thread| {
        for part in 0..20 {
            let quota = if bytes <= 1000 { all * part / 25 } else { part };
            let space = Files::default().space(Some(quota));
            let mut queue = DiskQueue::with_blocks(&space, &unlimited(), bytes, with_thread);
            if let Err((_, refused)) = run(&mut queue, 3000, 5) {
                assert_eq!(refused, Refused::Disk(ErrorKind::QuotaExceeded));
                assert_eq!(queue.push(id(0), &[]), Err(refused), "it stays refused");
                assert!(queue.is_empty() || queue.pop(&mut Nothing, &mut Vec::new()) == Err(refused));
            } else {
                assert!(bytes > 64, "a quota of {quota} bytes does not suffice");
            }
            assert!(space.peak() <= quota);
            drop(queue);
            assert_eq!(space.bytes(), 0);
        }
    });
}

/// A disk that is full after any number of bytes, or fails at any read, gives that as the reason, and no wrong state before.
#[test]
fn a_disk_that_fails_is_a_refusal() {
    for with_thread in [true, false] {
        for after in (0..120).chain([200, 500, 900]) {
            let files = Files::full_after(after * 97);
            let mut queue = DiskQueue::with_blocks(&files.space(None), &unlimited(), 200, with_thread);
            let ended = run(&mut queue, 3000, after as u64);
            assert!(matches!(ended, Err((_, Refused::Disk(ErrorKind::StorageFull)))), "{after}: {ended:?}");
            let files = Files::unreadable_after(after);
            let mut queue = DiskQueue::with_blocks(&files.space(None), &unlimited(), 200, with_thread);
            let ended = run(&mut queue, 3000, after as u64);
            assert!(matches!(ended, Err((_, Refused::Disk(ErrorKind::TimedOut)))), "{after}: {ended:?}");
        }
        let mut queue = DiskQueue::with_blocks(&Files::closed().space(None), &unlimited(), 200, with_thread);
        let ended = run(&mut queue, 3000, 1);
        assert!(matches!(ended, Err((_, Refused::Disk(ErrorKind::PermissionDenied)))), "{ended:?}");
    }
}

/// Fills a queue, changes the file, and reads it to the end.
fn read_damaged(with_thread: bool, change: impl FnOnce(&mut Vec<u8>)) -> Result<(), Refused> {
    let files = Files::default();
    let mut queue = DiskQueue::with_blocks(&files.space(None), &unlimited(), 300, with_thread);
    (0..400).for_each(|number| queue.push(id(number), &state(number)).unwrap());
    files.damage(change);
    let mut out = Vec::new();
    for number in 0..400 {
        assert_eq!(queue.pop(&mut Nothing, &mut out)?, Some(id(number)));
        assert_eq!(out, state(number), "a state that was not written");
    }
    Ok(())
}

#[test]
fn damage_is_found() {
    for with_thread in [true, false] {
        // The beginning may be read already.
        for part in 20..100 {
            let flipped = read_damaged(with_thread, |file| {
                let at = file.len() * part / 100;
                file[at] ^= 1 << (part % 8);
            });
            assert_eq!(flipped, Err(Refused::Disk(ErrorKind::InvalidData)), "{part} %");
            let cut = read_damaged(with_thread, |file| file.truncate(file.len() * part / 100));
            // Blocks that were written after that lie behind a hole.
            let reasons = [ErrorKind::UnexpectedEof, ErrorKind::InvalidData].map(|kind| Err(Refused::Disk(kind)));
            assert!(reasons.contains(&cut), "{part} %: {cut:?}");
        }
        let exchanged = read_damaged(with_thread, |file| {
            let half = file.len() / 2;
            file.copy_within(half - 500..half, half + 500);
        });
        assert_eq!(exchanged, Err(Refused::Disk(ErrorKind::InvalidData)));
    }
}

#[test]
fn it_can_be_dropped_at_any_time() {
    for states in (0..3000).step_by(41) {
        let (space, budget) = (SpillSpace::open(&std::env::temp_dir(), None).unwrap(), unlimited());
        let mut queue = DiskQueue::with_blocks(&space, &budget, 100, true);
        (0..states).for_each(|number| queue.push(id(number), &state(number)).unwrap());
        let mut out = Vec::new();
        for number in 0..states / 3 {
            assert_eq!(queue.pop(&mut Nothing, &mut out), Ok(Some(id(number))));
        }
        drop(queue);
        assert_eq!((space.bytes(), budget.used()), (0, 0));
    }
}

#[test]
fn nothing_is_left_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let space = SpillSpace::open(folder.path(), None).unwrap();
    let mut queue = DiskQueue::with_blocks(&space, &unlimited(), 1000, true);
    (0..20_000).for_each(|number| queue.push(id(number), &state(number)).unwrap());
    assert!(space.bytes() > 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files have no names");
}
