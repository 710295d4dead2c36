//! The log.

use super::files::Files;
use super::{Random, unlimited};
use crate::spill_space::SpillFile;
use crate::{DiskLog, SpillSpace};
use std::io::ErrorKind;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Spill};

fn block(number: u64, length: usize) -> Vec<u8> {
    let mut random = Random(number);
    (0..length).map(|_| random.below(256) as u8).collect()
}

#[test]
fn every_block_comes_back_in_any_order() {
    for length in [1, 100, 4096] {
        let space = SpillSpace::open(&std::env::temp_dir(), None).unwrap();
        let budget = unlimited();
        let mut log = DiskLog::new(&space, &budget);
        let (mut random, mut out) = (Random(3), Vec::new());
        assert_eq!(log.get(0, &mut out), Err(Refused::Disk(ErrorKind::InvalidData)));
        for number in 0..300 {
            log.put(&block(number, length)).unwrap();
            for _ in 0..3 {
                let any = random.below(number + 1);
                assert_eq!(log.get(any, &mut out), Ok(()));
                assert_eq!(out, block(any, length));
            }
            assert!(log.get(number + 1, &mut out).is_err());
        }
        assert_eq!(log.bytes(), budget.used());
        assert!(log.bytes() <= 16 * (length as u64 + 8), "{}", log.bytes());
        assert!(space.bytes() > 250 * length as u64);
        assert!(log.put(&block(1, length + 1)).is_err());
        drop(log);
        assert_eq!((space.bytes(), budget.used()), (0, 0));
    }
}

#[test]
fn little_memory_gathers_less() {
    let budget = Arc::new(Budget::new(5000));
    let mut log = DiskLog::new(&Files::default().space(None), &budget);
    (0..100).for_each(|number| log.put(&block(number, 4096)).unwrap());
    let mut out = Vec::new();
    assert!((0..100).all(|number| log.get(number, &mut out) == Ok(()) && out == block(number, 4096)));
    let mut log = DiskLog::new(&Files::default().space(None), &Arc::new(Budget::new(4000)));
    assert_eq!(log.put(&block(0, 4096)), Err(Refused::Memory));
}

/// After a refusal what was written before can still be read: the search may have found something.
#[test]
fn a_full_disk_is_a_refusal_and_loses_nothing() {
    for (files, quota, kind) in [
        (Files::full_after(100_000), None, ErrorKind::StorageFull),
        (Files::default(), Some(100_000), ErrorKind::QuotaExceeded),
    ] {
        let mut log = DiskLog::new(&files.space(quota), &unlimited());
        let mut number = 0;
        let refused = loop {
            match log.put(&block(number, 1000)) {
                Ok(()) => number += 1,
                Err(refused) => break refused,
            }
        };
        assert_eq!(refused, Refused::Disk(kind));
        assert!(number > 90, "{number}");
        let mut out = Vec::new();
        assert!((0..number).all(|number| log.get(number, &mut out) == Ok(()) && out == block(number, 1000)));
    }
}

/// A write that fails may have written some of it: that is on the account, and not twice when the write is tried again.
#[test]
fn the_account_has_at_least_what_the_files_hold() {
    let files = Files::full_after(3000);
    let space = files.space(Some(5000));
    let mut file = SpillFile::new(&space).unwrap();
    assert_eq!(file.append(&[&[1; 1000], &[2; 1000]]), Ok(()));
    for _ in 0..5 {
        assert_eq!(file.append(&[&[3; 2000]]), Err(Refused::Disk(ErrorKind::StorageFull)));
        assert!(files.bytes() > 2000 && (space.bytes(), space.peak()) == (4000, 4000), "{}", files.bytes());
    }
    assert_eq!((file.append(&[&[4; 10]]), file.bytes(), space.bytes()), (Ok(()), 2010, 4000));
    assert_eq!(file.append(&[&[5; 3000]]), Err(Refused::Disk(ErrorKind::QuotaExceeded)));
    assert_eq!(space.written(), 2010);
    drop(file);
    assert_eq!(space.bytes(), 0);
}

#[test]
fn damage_is_found() {
    let files = Files::default();
    let mut log = DiskLog::new(&files.space(None), &unlimited());
    (0..40).for_each(|number| log.put(&block(number, 100)).unwrap());
    let mut out = Vec::new();
    // Blocks of 108 bytes with their checksums: a flipped bit, a block at the place of another, a checksum, a lost end.
    files.damage(|file| file[5 * 108 + 17] ^= 1);
    files.damage(|file| file.copy_within(8 * 108..9 * 108, 7 * 108));
    files.damage(|file| file[10 * 108 - 1] ^= 128);
    files.damage(|file| file.truncate(30 * 108 + 50));
    for number in 0..30 {
        let expected = if [5, 7, 9].contains(&number) { Err(Refused::Disk(ErrorKind::InvalidData)) } else { Ok(()) };
        assert_eq!(log.get(number, &mut out), expected, "{number}");
    }
    assert_eq!(log.get(30, &mut out), Err(Refused::Disk(ErrorKind::UnexpectedEof)));
}
