use super::key::{next_one, ones_from_the_end};
use super::*;
use crate::sets::samples::{
    Random, code, fill_until_refused, insert_both_ways, is_new, is_seen, members_without_ids, random_members,
    refused_together, word,
};
use std::collections::{BTreeSet, HashMap, VecDeque};
use tightrope_core::{Step, Successors};

/// A code that has little in common with those before.
fn wild(number: u64) -> Vec<u8> {
    code(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn empty(order: VariableOrder) -> Bdd {
    Bdd::new(order, &Arc::new(Budget::unlimited()))
}

/// The number of nodes of the smallest diagram: as many as there are different sets of ways on that begin with a one.
fn least_nodes(members: &BTreeSet<Vec<u8>>, order: VariableOrder) -> u64 {
    fn below(keys: &[Vec<u64>], from: u32, known: &mut HashMap<(u32, usize, usize), usize>) -> usize {
        let one = keys.iter().map(|key| next_one(key, from)).min();
        match one {
            None => 0,
            Some(NONE) => 1,
            Some(one) => {
                let (with, without): (Vec<_>, Vec<_>) = keys.iter().cloned().partition(|key| next_one(key, one) == one);
                let node = (one, below(&with, one + 1, known), below(&without, one + 1, known));
                let next = known.len() + 2;
                *known.entry(node).or_insert(next)
            }
        }
    }
    let words = members.iter().map(|member| words_for(member)).max().unwrap_or(0);
    let key = |member: &Vec<u8>| {
        let mut key = Vec::new();
        order.key(member, words, &mut key);
        key
    };
    let mut known = HashMap::new();
    below(&members.iter().map(key).collect::<Vec<_>>(), 0, &mut known);
    known.len() as u64
}

#[test]
fn keys_keep_codes_apart_and_their_ones() {
    let mut random = Random(1);
    for (_, order) in VariableOrder::ALL {
        let codes: BTreeSet<Vec<u8>> = (0..500).map(|_| word(&mut random, 20, 3)).collect();
        let words = codes.iter().map(|code| words_for(code)).max().unwrap();
        let mut keys = BTreeSet::new();
        for code in &codes {
            let mut key = Vec::new();
            order.key(code, words, &mut key);
            let ones = 1 + code.iter().map(|byte| byte.count_ones()).sum::<u32>();
            assert_eq!(key.iter().map(|word| word.count_ones()).sum::<u32>(), ones);
            let from = random.below(70) as u32;
            let mut forward = vec![next_one(&key, from)];
            while let Some(&last) = forward.last().filter(|&&last| last != NONE) {
                forward.push(next_one(&key, last + 1));
            }
            let backward: Vec<u32> = ones_from_the_end(&key, from).collect();
            assert!(forward.iter().rev().skip(1).eq(&backward));
            // In wider keys the same ones are where they are said to be.
            let mut wider = Vec::new();
            order.key(code, words + 2, &mut wider);
            let moved = ones_from_the_end(&key, 0).map(|level| order.level_when_wider(level, words, words + 2));
            assert!(moved.eq(ones_from_the_end(&wider, 0)), "{order:?}");
            keys.insert(key);
        }
        assert_eq!(keys.len(), codes.len());
    }
}

#[test]
fn members_are_found_again() {
    for (_, order) in VariableOrder::ALL {
        let budget = Arc::new(Budget::unlimited());
        let (mut set, count) = (Bdd::new(order, &budget), 30_000);
        members_without_ids(&mut set, count);
        assert!((count..2 * count).all(|number| !set.is_in_diagram(&code(number))));
        assert_eq!(set.bytes(), budget.used());
        drop(set);
        assert_eq!(budget.used(), 0);
    }
}

#[test]
fn random_words_make_the_smallest_diagram() {
    for seed in 0..150 {
        let mut random = Random(seed);
        let order = VariableOrder::ALL[random.below(3) as usize].1;
        let mut set = empty(order);
        let members = random_members(&mut set, &mut random, 600, 20);
        assert_eq!(set.nodes(), Some(least_nodes(&members, order)), "seed {seed}, {order:?}");
        assert!(set.fresh.is_empty());
        assert!(members.iter().all(|member| set.is_in_diagram(member)), "seed {seed}");
        assert!((0..600).all(|_| {
            let word = word(&mut random, 8, 3);
            members.contains(&word) == set.is_in_diagram(&word)
        }));
    }
}

#[test]
fn what_comes_together_is_inserted_alike() {
    let mut random = Random(5);
    let (mut one, mut other) = (empty(VariableOrder::Vector), empty(VariableOrder::Reverse));
    let mut codes = Successors::new();
    for _ in 0..20 {
        codes.clear();
        for _ in 0..200 {
            match random.below(20) {
                0 => codes.push_nowhere(Step::default()),
                _ => codes.push(Step::default(), &word(&mut random, 7, 4)),
            }
        }
        insert_both_ways(&mut one, &mut other, &codes);
    }
}

#[test]
fn a_product_has_nodes_for_each_factor() {
    // Counters from 0 to 9, in an order that is far from regular: four nodes for each, and one for the end.
    let mut bytes = Vec::new();
    for counters in 3..=5u32 {
        let all = 10u64.pow(counters);
        let mut set = empty(VariableOrder::Vector);
        for number in 0..all {
            let mut rest = number * 7919 % all;
            let word: Vec<u8> = (0..counters)
                .map(|_| {
                    let digit = (rest % 10) as u8;
                    rest /= 10;
                    digit
                })
                .collect();
            assert!(is_new(&mut set, &word));
        }
        assert_eq!((set.len(), set.nodes()), (all, Some(4 * u64::from(counters) + 1)));
        bytes.push(set.bytes());
    }
    assert!(bytes[2] < 4 * bytes[0], "{bytes:?}");
}

/// The largest diagram on the way of a search over counters, each time that codes were added.
fn largest_on_the_way(counters: usize, depth_first: bool) -> u64 {
    // As a model has them: what never changes first, then for each process where it is and its counter.
    let state = |values: &[u8]| {
        let bodies: Vec<u8> = values.iter().flat_map(|&value| [2, value]).collect();
        [&[counters as u8, 1, 1][..], &bodies].concat()
    };
    let (mut set, mut largest) = (empty(VariableOrder::Vector), 0);
    let mut is_new = |values: &[u8]| {
        let new = is_new(&mut set, &state(values));
        if new && set.fresh.is_empty() {
            largest = largest.max(set.nodes().unwrap());
        }
        new
    };
    let start = vec![0; counters];
    is_new(&start);
    let mut left = VecDeque::from([(start, 0)]);
    while let Some((values, counter)) = if depth_first { left.pop_back() } else { left.pop_front() } {
        if counter == counters {
            continue;
        }
        let mut next = values.clone();
        next[counter] = (next[counter] + 1) % 10;
        let later = (values, counter + 1);
        if depth_first {
            left.push_back(later)
        } else {
            left.push_front(later)
        }
        if is_new(&next) {
            left.push_back((next, 0));
        }
    }
    assert_eq!(set.len(), 10u64.pow(counters as u32));
    largest
}

#[test]
fn also_on_the_way_a_diagram_of_counters_is_small() {
    // Visser 1996 has 158, 233 and 283 as the largest of depth-first searches; those of breadth-first ones are larger.
    for (counters, depth_first, breadth_first) in [(4, 50, 170), (5, 65, 270)] {
        assert!(largest_on_the_way(counters, true) <= depth_first);
        assert!(largest_on_the_way(counters, false) <= breadth_first);
    }
}

#[test]
fn a_diagram_that_outgrows_its_forest_moves() {
    let budget = Arc::new(Budget::unlimited());
    let mut set = Bdd::new(VariableOrder::Reverse, &budget);
    let mut random = Random(3);
    let word = |number: u64| {
        let mut random = Random(number);
        (0..16).map(|_| random.below(256) as u8).collect::<Vec<u8>>()
    };
    let count = 20_000;
    assert!((0..count).all(|number| is_new(&mut set, &word(number))));
    let nodes = set.nodes().unwrap();
    assert!(nodes > 100_000, "{nodes}");
    assert!(set.diagram.as_ref().is_some_and(|diagram| diagram.nodes() as u64 == nodes));
    assert!((0..count).all(|number| set.is_in_diagram(&word(number))));
    // And once more, for wider keys.
    let wide = |number: u64| [word(number), word(number + 1)].concat();
    assert!((0..count).all(|number| is_new(&mut set, &wide(number))));
    assert!((0..1000).all(|_| {
        let number = random.below(2 * count);
        let new = is_new(&mut set, &word(number));
        number >= count || !new
    }));
    assert_eq!(set.bytes(), budget.used());
}

#[test]
fn refusal_leaves_the_set_intact() {
    for limit in [0, 100, 3000, 10_000, 100_000, 300_000, 1_000_000, 6_000_000] {
        for (_, order) in VariableOrder::ALL {
            let budget = Arc::new(Budget::new(limit));
            let mut set = Bdd::new(order, &budget);
            let kept = fill_until_refused(&mut set, &budget, wild);
            assert_eq!(set.bytes(), budget.used());
            let used = budget.peak() as f64 / limit as f64;
            assert!(limit < 10_000 || used > 0.8, "{used} of {limit} bytes were used");
            assert!(set.nodes().is_some());
            assert!((0..kept).all(|number| is_seen(&mut set, &wild(number))));
        }
    }
}

#[test]
fn a_refusal_among_codes_that_come_together() {
    for limit in [0, 3000, 10_000, 200_000] {
        let budget = Arc::new(Budget::new(limit));
        let mut set = Bdd::new(VariableOrder::Vector, &budget);
        refused_together(&mut set, &budget, wild);
    }
}

#[test]
fn long_words_and_the_empty_one() {
    for (_, order) in VariableOrder::ALL {
        let mut set = empty(order);
        let long = |number: usize| {
            let mut word = vec![7u8; 4000];
            word[number * 37 % 4000] ^= 1 + (number % 3) as u8;
            word
        };
        let words: Vec<Vec<u8>> = (0..100).map(long).chain([vec![], vec![0], vec![0; 511], vec![0; 512]]).collect();
        assert!(words.iter().all(|word| is_new(&mut set, word)));
        assert!(set.nodes().is_some_and(|nodes| nodes > 12_000));
        assert!(words.iter().all(|word| is_seen(&mut set, word)));
    }
}
