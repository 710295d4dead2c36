use super::key::{next_one, ones_from_the_end};
use super::*;
use std::collections::{BTreeSet, HashMap, VecDeque};
use tightrope_core::{Step, Successors};

fn code(number: u64) -> Vec<u8> {
    let mut code = number.to_le_bytes().to_vec();
    code.resize(3 + (number % 40) as usize, number as u8);
    code.extend_from_slice(&number.to_le_bytes());
    code
}

/// A code that has little in common with those before.
fn wild(number: u64) -> Vec<u8> {
    code(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn empty(order: Order) -> Bdd {
    Bdd::new(order, &Arc::new(Budget::unlimited()))
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn order(&mut self) -> Order {
        Order::ALL[self.below(3) as usize].1
    }
}

/// Words of a few lengths over few letters; some are the beginning of others.
fn word(random: &mut Random, longest: u64, letters: u64) -> Vec<u8> {
    let length = random.below(longest + 1);
    let spread = if random.below(2) == 0 { 1 } else { 255 / letters };
    (0..length).map(|_| (random.below(letters) * spread) as u8).collect()
}

/// The number of nodes of the smallest diagram: as many as there are different sets of ways on that begin with a one.
fn least_nodes(members: &BTreeSet<Vec<u8>>, order: Order) -> u64 {
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
    for (_, order) in Order::ALL {
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
    for (_, order) in Order::ALL {
        let budget = Arc::new(Budget::unlimited());
        let mut set = Bdd::new(order, &budget);
        let count = 30_000;
        for number in 0..count {
            assert_eq!(set.insert(&code(number)), Ok(Found::New(StateId(number))));
        }
        assert_eq!(set.len(), count);
        assert!((0..count).all(|number| set.insert(&code(number)) == Ok(Found::Seen(StateId::NAMELESS))));
        assert!((count..2 * count).all(|number| !set.is_in_diagram(&code(number))));
        assert_eq!(set.read(StateId(0), &mut Vec::new()), None);
        assert_eq!(set.bytes(), budget.used());
        drop(set);
        assert_eq!(budget.used(), 0);
    }
}

#[test]
fn random_words_make_the_smallest_diagram() {
    for seed in 0..150 {
        let mut random = Random(seed);
        let order = random.order();
        let (longest, letters) = (1 + random.below(20), 1 + random.below(6));
        let (mut set, mut members) = (empty(order), BTreeSet::new());
        for _ in 0..random.below(600) {
            let word = word(&mut random, longest, letters);
            let new = members.insert(word.clone());
            assert_eq!(matches!(set.insert(&word), Ok(Found::New(_))), new, "seed {seed}: {word:?}");
        }
        assert_eq!(set.len(), members.len() as u64);
        assert_eq!(set.nodes(), Some(least_nodes(&members, order)), "seed {seed}, {order:?}");
        assert!(set.fresh.is_empty());
        assert!(members.iter().all(|member| set.is_in_diagram(member)), "seed {seed}");
        assert!((0..600).all(|_| {
            let word = word(&mut random, longest, letters);
            members.contains(&word) == set.is_in_diagram(&word)
        }));
    }
}

#[test]
fn what_comes_together_is_inserted_alike() {
    let mut random = Random(5);
    let (mut one, mut other) = (empty(Order::Vector), empty(Order::Reverse));
    let (mut codes, mut found) = (Successors::new(), Vec::new());
    for _ in 0..20 {
        codes.clear();
        found.clear();
        for _ in 0..200 {
            match random.below(20) {
                0 => codes.push_nowhere(Step::default()),
                _ => codes.push(Step::default(), &word(&mut random, 7, 4)),
            }
        }
        one.insert_all(&codes, &mut found).unwrap();
        assert_eq!(found.len(), codes.len());
        for (index, &found) in found.iter().enumerate() {
            assert_eq!(found, codes.state(index).map_or(Found::Undecided, |code| other.insert(code).unwrap()));
        }
    }
}

#[test]
fn a_product_has_nodes_for_each_factor() {
    // Counters from 0 to 9, in an order that is far from regular: four nodes for each, and one for the end.
    let mut bytes = Vec::new();
    for counters in 3..=5u32 {
        let all = 10u64.pow(counters);
        let mut set = empty(Order::Vector);
        for number in 0..all {
            let mut rest = number * 7919 % all;
            let word: Vec<u8> = (0..counters)
                .map(|_| {
                    let digit = (rest % 10) as u8;
                    rest /= 10;
                    digit
                })
                .collect();
            assert!(matches!(set.insert(&word), Ok(Found::New(_))));
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
    let (mut set, mut largest) = (empty(Order::Vector), 0);
    let mut is_new = |values: &[u8]| {
        let new = matches!(set.insert(&state(values)), Ok(Found::New(_)));
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
    let mut set = Bdd::new(Order::Reverse, &budget);
    let mut random = Random(3);
    let word = |number: u64| {
        let mut random = Random(number);
        (0..16).map(|_| random.below(256) as u8).collect::<Vec<u8>>()
    };
    let count = 20_000;
    assert!((0..count).all(|number| matches!(set.insert(&word(number)), Ok(Found::New(_)))));
    let nodes = set.nodes().unwrap();
    assert!(nodes > 100_000, "{nodes}");
    assert!(set.diagram.as_ref().is_some_and(|diagram| diagram.nodes() as u64 == nodes));
    assert!((0..count).all(|number| set.is_in_diagram(&word(number))));
    // And once more, for wider keys.
    let wide = |number: u64| [word(number), word(number + 1)].concat();
    assert!((0..count).all(|number| matches!(set.insert(&wide(number)), Ok(Found::New(_)))));
    assert!((0..1000).all(|_| {
        let number = random.below(2 * count);
        let new = matches!(set.insert(&word(number)), Ok(Found::New(_)));
        number >= count || !new
    }));
    assert_eq!(set.bytes(), budget.used());
}

#[test]
fn refusal_leaves_the_set_intact() {
    for limit in [0, 100, 3000, 10_000, 100_000, 300_000, 1_000_000, 6_000_000] {
        for (_, order) in Order::ALL {
            let budget = Arc::new(Budget::new(limit));
            let mut set = Bdd::new(order, &budget);
            let mut kept = 0;
            while set.insert(&wild(kept)).is_ok() {
                kept += 1;
            }
            assert!(budget.peak() <= limit);
            assert_eq!(set.len(), kept);
            assert!((0..kept).all(|number| matches!(set.insert(&wild(number)), Ok(Found::Seen(_)))));
            assert!(set.insert(&wild(kept)).is_err());
            assert_eq!(set.bytes(), budget.used());
            let used = budget.peak() as f64 / limit as f64;
            assert!(limit < 10_000 || used > 0.8, "{used} of {limit} bytes were used");
            assert!(set.nodes().is_some());
            assert!((0..kept).all(|number| matches!(set.insert(&wild(number)), Ok(Found::Seen(_)))));
        }
    }
}

#[test]
fn a_refusal_among_codes_that_come_together() {
    for limit in [0, 3000, 10_000, 200_000] {
        let budget = Arc::new(Budget::new(limit));
        let mut set = Bdd::new(Order::Vector, &budget);
        let (mut codes, mut found) = (Successors::new(), Vec::new());
        (0..20_000).for_each(|number| codes.push(Step::default(), &wild(number)));
        assert!(set.insert_all(&codes, &mut found).is_err());
        assert!(budget.peak() <= limit);
        assert_eq!(set.len(), found.len() as u64);
        assert!((0..set.len()).all(|number| matches!(set.insert(&wild(number)), Ok(Found::Seen(_)))));
    }
}

#[test]
fn long_words_and_the_empty_one() {
    for (_, order) in Order::ALL {
        let mut set = empty(order);
        let long = |number: usize| {
            let mut word = vec![7u8; 4000];
            word[number * 37 % 4000] ^= 1 + (number % 3) as u8;
            word
        };
        let words: Vec<Vec<u8>> = (0..100).map(long).chain([vec![], vec![0], vec![0; 511], vec![0; 512]]).collect();
        assert!(words.iter().all(|word| matches!(set.insert(word), Ok(Found::New(_)))));
        assert!(set.nodes().is_some_and(|nodes| nodes > 12_000));
        assert!(words.iter().all(|word| matches!(set.insert(word), Ok(Found::Seen(_)))));
    }
}
