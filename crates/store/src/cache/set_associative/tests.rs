//! Caches in slots, compared with what they must be true to.

use super::*;
use std::collections::{HashMap, HashSet};
use tightrope_core::Schema;

fn with_site<R>(budget: &Arc<Budget>, each: impl FnOnce(Site<'_>) -> R) -> R {
    let schema = Arc::<Schema>::default();
    each(Site { schema: &schema, budget, seed: 3, model: None })
}

fn exact(bound: Bound, victim: Victim, probes: u64, budget: &Arc<Budget>) -> SetAssociativeCache<Codes> {
    let caching = Caching { bound, replace: String::new() };
    with_site(budget, |site| SetAssociativeCache::new(Codes::new(budget), &caching, (victim, Some(probes)), site))
}

/// A string of 0 to 150 bytes that tells its number.
fn code(number: u64) -> Vec<u8> {
    let mut code = number.to_le_bytes().to_vec();
    code.resize(8 + (number % 7 * number % 150) as usize, number as u8);
    code
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Inserts codes, and keeps by itself which code each slot has: what is answered must agree.
fn behaves(cache: &mut SetAssociativeCache<Codes>, most: u64) {
    let (mut slots, mut seed, mut out) = (HashMap::<u64, u64>::new(), 5, Vec::new());
    for round in 0..30_000u64 {
        if round % 500 == 0 {
            cache.next_level();
        }
        let number = random(&mut seed) % 3000;
        let is_there = slots.iter().find(|&(_, &known)| known == number).map(|(&slot, _)| slot);
        let resized = cache.next_resize;
        match cache.insert(&code(number), None) {
            Ok(Found::Seen(StateId(slot))) => assert_eq!(is_there, Some(slot), "round {round}"),
            Ok(Found::New(StateId(slot))) => {
                assert_eq!(is_there, None, "round {round}");
                if cache.next_resize != resized {
                    // Everything has moved, and some of it is gone: nothing was added, or is there twice.
                    let known: HashSet<u64> = slots.drain().map(|(_, number)| number).collect();
                    for slot in (0..cache.slots as u64).filter(|&other| other != slot) {
                        if cache.read(StateId(slot), &mut out) {
                            let number = u64::from_le_bytes(*out.first_chunk().expect("a number"));
                            assert!(known.contains(&number) && out == code(number), "round {round}");
                            assert!(slots.values().all(|&other| other != number), "round {round}");
                            slots.insert(slot, number);
                        }
                    }
                }
                slots.insert(slot, number);
            }
            other => panic!("{other:?}"),
        }
        // What was evicted for want of room elsewhere is gone without a word.
        if slots.len() as u64 > cache.len() {
            slots.retain(|&slot, &mut number| cache.read(StateId(slot), &mut out) && out == code(number));
        }
        assert_eq!(slots.len() as u64, cache.len());
        assert!(cache.len() <= most && cache.bytes() <= cache.budget.used());
    }
    let stats = cache.cache_stats();
    assert_eq!(stats.inserted - stats.evicted, cache.len());
    assert!(stats.evicted > 0 && stats.collision_rate() > 0.0);
    for (&slot, &number) in &slots {
        assert!(cache.read(StateId(slot), &mut out) && out == code(number));
    }
}

#[test]
fn what_is_in_a_slot_is_seen_and_nothing_else() {
    for victim in [Victim::Random, Victim::Level] {
        for (slots, probes) in [(1, 20), (2, 1), (40, 20), (700, 1), (700, 20), (2500, 5)] {
            let budget = Arc::new(Budget::unlimited());
            behaves(&mut exact(Bound::States(slots), victim, probes, &budget), slots);
        }
    }
}

#[test]
fn a_bound_in_bytes_is_kept() {
    for victim in [Victim::Random, Victim::Level] {
        for bytes in [500, 4000, 60_000] {
            let budget = Arc::new(Budget::unlimited());
            let mut cache = exact(Bound::Bytes(bytes), victim, 20, &budget);
            behaves(&mut cache, bytes / 10);
            // One code at least is in it, however long.
            assert!(cache.code_bytes + 10 * cache.slots as u64 <= bytes.max(1000), "{} in {bytes}", cache.code_bytes);
        }
    }
}

/// Inserts so many codes of that length, a hundred per level, each one twice, and says how many of the last are there.
fn fill(cache: &mut SetAssociativeCache<Codes>, from: u64, count: u64, length: usize, last: u64) -> u64 {
    let code = |number: u64| [&number.to_le_bytes()[..], &vec![7; length - 8]].concat();
    for number in from..from + count {
        assert!(matches!(cache.insert(&code(number), None), Ok(Found::New(_))));
        if number % 100 == 0 {
            cache.next_level();
        }
    }
    let hash = |number: u64| cache.hash(&code(number));
    let hashes: Vec<CodeHash> = (from + count - last..from + count).map(hash).collect();
    let there = (from + count - last..from + count).zip(hashes);
    there.filter(|&(number, hash)| cache.find(hash, &code(number)).is_ok()).count() as u64
}

/// Bytes are used up long before the slots that were made for short codes: the slots become fewer, and what is evicted is still the
/// oldest. Where the first codes are the long ones, the slots become more.
#[test]
fn slots_follow_the_lengths_of_codes() {
    for (victim, least) in [(Victim::Random, 500), (Victim::Level, 960)] {
        let budget = Arc::new(Budget::unlimited());
        let mut cache = exact(Bound::Bytes(300_000), victim, 20, &budget);
        fill(&mut cache, 0, 100, 8, 100);
        let of_short = cache.slots as u64;
        let there = fill(&mut cache, 100, 20_000, 200, 1000);
        // A code of 200 bytes takes 265 to 275 with its slot.
        assert!(there >= least && cache.len() > 1_000, "{victim:?}: {there} of the last 1000, {} in all", cache.len());
        let of_long = cache.slots as u64;
        assert!(of_long * 5 < of_short && of_long > 1_000, "{victim:?}: {of_long} of {of_short} slots");
        assert_eq!(cache.cache_stats().limit, None, "bytes bound it");
        fill(&mut cache, 30_000, 40_000, 8, 1000);
        let sample = cache.distinct.as_ref().map_or(0, Distinct::bytes);
        assert!(cache.bytes() - sample <= 310_000, "{victim:?}: {} bytes", cache.bytes());

        let mut cache = exact(Bound::Bytes(300_000), victim, 20, &budget);
        fill(&mut cache, 0, 50, 200, 50);
        fill(&mut cache, 50, 40_000, 8, 1000);
        assert!(cache.len() > of_short * 3 / 4, "{victim:?}: {} of {of_short}", cache.len());
        let sample = cache.distinct.as_ref().map_or(0, Distinct::bytes);
        assert!(cache.bytes() - sample <= 310_000, "{victim:?}: {} bytes", cache.bytes());
    }
}

/// The same where the budget is what there is too little of.
#[test]
fn slots_follow_the_lengths_of_codes_in_little_memory() {
    let budget = Arc::new(Budget::new(400_000));
    let mut cache = exact(Bound::States(1 << 20), Victim::Level, 20, &budget);
    fill(&mut cache, 0, 100, 8, 100);
    let there = fill(&mut cache, 100, 20_000, 200, 500);
    assert!(there >= 450 && cache.len() > 600, "{there} of the last 500, {} in all", cache.len());
    assert!(budget.peak() <= 400_000 && cache.cache_stats().short_of_memory);
}

#[test]
fn short_memory_is_met_by_eviction() {
    for limit in [3000, 20_000, 200_000] {
        let budget = Arc::new(Budget::new(limit));
        let mut cache = exact(Bound::States(1 << 20), Victim::Level, 20, &budget);
        behaves(&mut cache, 1 << 20);
        assert!(budget.peak() <= limit && cache.cache_stats().short_of_memory);
    }
    let budget = Arc::new(Budget::new(0));
    assert_eq!(exact(Bound::States(5), Victim::Level, 20, &budget).insert(&[1], None), Err(Refused::Memory));
}

#[test]
fn everything_fits_where_there_are_slots_enough() {
    for victim in [Victim::Random, Victim::Level] {
        let mut cache = exact(Bound::States(60_000), victim, 20, &Arc::new(Budget::unlimited()));
        for number in 0..10_000 {
            assert!(matches!(cache.insert(&code(number), None), Ok(Found::New(_))));
        }
        assert_eq!((cache.len(), cache.cache_stats().evicted), (10_000, 0));
        // A full one loses one in `probes + 1`, about.
        let mut cache = exact(Bound::States(10_000), victim, 20, &Arc::new(Budget::unlimited()));
        (0..10_000).for_each(|number| assert!(cache.insert(&code(number), None).is_ok()));
        let rate = cache.cache_stats().collision_rate();
        assert!((0.02..0.09).contains(&rate), "{rate}");
    }
}

/// The oldest goes first, but not what later levels led to.
#[test]
fn the_level_decides() {
    let mut cache = exact(Bound::States(100), Victim::Level, 100, &Arc::new(Budget::unlimited()));
    for level in 0..4 {
        (0..25).for_each(|number| assert!(cache.insert(&code(level * 25 + number), None).is_ok()));
        cache.next_level();
    }
    assert!(matches!(cache.insert(&code(7), None), Ok(Found::Seen(_))));
    for number in 100..124 {
        assert!(matches!(cache.insert(&code(number), None), Ok(Found::New(_))));
    }
    assert!(matches!(cache.insert(&code(7), None), Ok(Found::Seen(_))), "a back edge led to it");
    assert!((25..124).all(|number| matches!(cache.insert(&code(number), None), Ok(Found::Seen(_)))));
}

#[test]
fn signatures_lose_what_was_to_be_expected() {
    let (mut lost, mut expected) = (0, 0.0);
    for seed in 0..20 {
        let (budget, schema) = (Arc::new(Budget::unlimited()), Arc::<Schema>::default());
        let site = Site { schema: &schema, budget: &budget, seed, model: None };
        let caching = Caching { bound: Bound::States(20_000), replace: String::new() };
        let mut cache = SetAssociativeCache::new(Signatures::new(16, &budget), &caching, (Victim::Level, None), site);
        for number in 0..60_000u64 {
            lost += u32::from(matches!(cache.insert(&number.to_le_bytes(), None), Ok(Found::Seen(_))));
        }
        expected += cache.contents.compared() as f64 / 65_535.0;
        assert_eq!(cache.bytes(), budget.used());
        assert!(matches!(cache.claim(), Claim::Hashed { omission } if omission > 0.9));
    }
    let ratio = f64::from(lost) / expected;
    assert!((0.8..1.25).contains(&ratio), "{lost} were lost, {expected} were to be expected");
}

#[test]
fn a_bound_in_bytes_is_all_slots_where_signatures_are_kept() {
    for bytes in [1000, 64 << 10, 2 << 20] {
        let (budget, schema) = (Arc::new(Budget::unlimited()), Arc::<Schema>::default());
        let site = Site { schema: &schema, budget: &budget, seed: 1, model: None };
        let caching = Caching { bound: Bound::Bytes(bytes), replace: String::new() };
        let mut cache = SetAssociativeCache::new(Signatures::new(40, &budget), &caching, (Victim::Level, None), site);
        for number in 0..40u64 {
            assert!(matches!(cache.insert(&number.to_le_bytes(), None), Ok(Found::New(_))));
        }
        let stats = cache.cache_stats();
        assert_eq!((stats.evicted, stats.limit), (0, Some(bytes / 7)), "{bytes}");
    }
}
