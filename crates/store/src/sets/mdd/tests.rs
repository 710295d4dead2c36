use super::node::{END, Id};
use super::*;
use crate::sets::samples::{
    Random, code, fill_until_refused, insert_both_ways, is_new, is_seen, members_without_ids, random_members,
    refused_together, word,
};
use std::collections::{BTreeSet, HashMap};
use tightrope_core::Step;

fn empty() -> Mdd {
    Mdd::new(&Arc::new(Budget::unlimited()))
}

/// The number of nodes of the smallest diagram: as many as there are different sets of words below a node.
fn least_nodes(members: &BTreeSet<Vec<u8>>) -> u64 {
    #[derive(Clone, PartialEq, Eq, Hash)]
    enum Node {
        String(Vec<u8>, usize),
        Arcs(Vec<(u8, usize)>),
    }
    fn below(words: &[&[u8]], known: &mut HashMap<Node, usize>) -> usize {
        if words[0].is_empty() {
            return 0;
        }
        let alike = common(words[0], words[words.len() - 1]);
        let node = if alike > 0 {
            let rest: Vec<&[u8]> = words.iter().map(|word| &word[alike..]).collect();
            Node::String(words[0][..alike].to_vec(), below(&rest, known))
        } else {
            let arcs = words.chunk_by(|one, other| one[0] == other[0]).map(|group| {
                let rest: Vec<&[u8]> = group.iter().map(|word| &word[1..]).collect();
                (group[0][0], below(&rest, known))
            });
            Node::Arcs(arcs.collect())
        };
        let next = known.len() + 1;
        *known.entry(node).or_insert(next)
    }
    let mut by_length: HashMap<usize, Vec<&[u8]>> = HashMap::new();
    members.iter().for_each(|member| by_length.entry(member.len()).or_default().push(member));
    let mut known = HashMap::new();
    by_length.values().for_each(|words| _ = below(words, &mut known));
    known.len() as u64
}

/// Everything that must be true of a diagram at any time.
fn check(set: &Mdd) {
    let nodes = &set.diagram.nodes;
    let mut arcs_to: HashMap<Id, u32> = HashMap::new();
    let mut left: Vec<Id> = Vec::new();
    for &(_, root) in &*set.roots {
        *arcs_to.entry(root).or_default() += 1;
        left.push(root);
    }
    let mut seen = BTreeSet::from([END]);
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = nodes.get(id);
        if node.is_string() {
            let child = node.string_child();
            assert!(child == END || !nodes.get(child).is_string(), "one string after another");
        } else {
            let arcs: Vec<_> = (0..node.arcs()).map(|index| node.arc(index)).collect();
            assert!(arcs.iter().all(|arc| arc.low <= arc.high));
            assert!(arcs.len() > 1 || arcs[0].low < arcs[0].high, "a single byte is a string");
            for pair in arcs.windows(2) {
                assert!(pair[0].high < pair[1].low);
                assert!(pair[0].child != pair[1].child || pair[0].high + 1 < pair[1].low, "arcs that are one");
            }
        }
        node.each_child(|child| {
            *arcs_to.entry(child).or_default() += 1;
            left.push(child);
        });
        let found = set.diagram.unique_table.find(nodes, node, node.hash());
        assert_eq!(found, Some(id), "each is the only one of its kind");
    }
    assert_eq!(seen.len() as u64 - 1, nodes.len(), "all nodes can be reached");
    assert_eq!(set.diagram.unique_table.iter().collect::<BTreeSet<_>>(), &seen - &BTreeSet::from([END]));
    for (&id, &count) in arcs_to.iter().filter(|(id, _)| **id != END) {
        assert_eq!(nodes.arcs_to(id), Some(count));
    }
}

#[test]
fn members_are_found_again() {
    let budget = Arc::new(Budget::unlimited());
    let mut set = Mdd::new(&budget);
    members_without_ids(&mut set, 50_000);
    check(&set);
    assert_eq!(set.bytes(), budget.used());
    drop(set);
    assert_eq!(budget.used(), 0);
}

#[test]
fn random_words_make_the_smallest_diagram() {
    for seed in 0..200 {
        let mut set = empty();
        let members = random_members(&mut set, &mut Random(seed), 400, 9);
        check(&set);
        assert_eq!(set.nodes(), Some(least_nodes(&members)), "seed {seed}");
    }
}

#[test]
fn what_comes_together_is_inserted_alike() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let (mut one, mut other, mut members) = (empty(), empty(), BTreeSet::new());
        let mut codes = Successors::new();
        let (longest, letters) = (1 + random.below(12), 1 + random.below(6));
        for _ in 0..8 {
            codes.clear();
            for _ in 0..random.below(100) {
                match random.below(20) {
                    0 => codes.push_nowhere(Step::default()),
                    _ => codes.push(Step::default(), &word(&mut random, longest, letters)),
                }
            }
            insert_both_ways(&mut one, &mut other, &codes);
            members.extend((0..codes.len()).filter_map(|index| codes.state(index)).map(<[u8]>::to_vec));
            check(&one);
        }
        check(&other);
        assert_eq!((one.len(), one.nodes()), (other.len(), other.nodes()));
        assert_eq!(one.nodes(), Some(least_nodes(&members)), "seed {seed}");
    }
}

#[test]
fn nodes_with_wide_ids() {
    // Ids have 24 bits at the beginning, and then more.
    for seed in 0..20 {
        let (mut set, mut members, mut random) = (empty(), BTreeSet::new(), Random(seed));
        set.diagram.nodes.skip((1 << 24) - 500);
        let (mut codes, mut found) = (Successors::new(), Vec::new());
        for _ in 0..10 {
            codes.clear();
            for _ in 0..60 {
                let word = word(&mut random, 12, 5);
                codes.push(Step::default(), &word);
                members.insert(word);
            }
            set.insert_all(&codes, &[], &mut found).unwrap();
            check(&set);
        }
        assert!(set.bytes() > 4 << 24);
        assert_eq!((set.len(), set.nodes()), (members.len() as u64, Some(least_nodes(&members))), "seed {seed}");
        assert!(members.iter().all(|member| is_seen(&mut set, member)));
    }
}

#[test]
fn a_node_with_very_many_arcs_to_it_stays() {
    let mut set = empty();
    set.insert(b"a", None).unwrap();
    let root = set.roots[0].1;
    (0..1 << 21).for_each(|_| set.diagram.retain(root));
    assert_eq!(set.diagram.nodes.arcs_to(root), None);
    (0..1 << 22).for_each(|_| set.diagram.release(root));
    assert_eq!(set.insert(b"a", None), Ok(Found::Seen(StateId::NAMELESS)));
}

#[test]
fn strings_that_are_cut_in_many_places() {
    for length in [10, 100, 1000] {
        let (mut set, mut codes, mut found) = (empty(), Successors::new(), Vec::new());
        set.insert(&vec![7; length], None).unwrap();
        for at in 0..length {
            let mut word = vec![7; length];
            word[at] = 9;
            word[at + 1..].fill(at as u8);
            codes.push(Step::default(), &word);
        }
        set.insert_all(&codes, &[], &mut found).unwrap();
        assert_eq!(set.len(), length as u64 + 1);
        check(&set);
    }
}

#[test]
fn many_codes_together() {
    let (mut set, mut codes, mut found) = (empty(), Successors::new(), Vec::new());
    (0..30_000).for_each(|number| codes.push(Step::default(), &code(number % 20_000)));
    set.insert_all(&codes, &[], &mut found).unwrap();
    let expected =
        (0..30_000).map(|n| if n < 20_000 { Found::New(StateId::NAMELESS) } else { Found::Seen(StateId::NAMELESS) });
    assert!(found.iter().copied().eq(expected));
    check(&set);
}

#[test]
fn a_product_has_a_node_for_each_factor() {
    // All words with these bytes at their places, in no order: one node each, since every range is one arc.
    let factors: [&[u8]; 5] = [&[0, 1, 2, 3], &[7, 8, 9], &[1, 3, 5], &[0, 255], &[4, 5, 6, 7, 8]];
    let all: u64 = factors.iter().map(|factor| factor.len() as u64).product();
    let mut set = empty();
    for number in 0..all {
        let mut rest = number * 77 % all;
        let word: Vec<u8> = factors
            .iter()
            .map(|factor| {
                let byte = factor[(rest % factor.len() as u64) as usize];
                rest /= factor.len() as u64;
                byte
            })
            .collect();
        assert!(is_new(&mut set, &word));
    }
    check(&set);
    assert_eq!((set.len(), set.nodes()), (all, Some(5)));
    let mut set = empty();
    for number in 0..1u32 << 16 {
        set.insert(&(number.wrapping_mul(40503) as u16).to_le_bytes(), None).unwrap();
    }
    assert_eq!((set.len(), set.nodes()), (1 << 16, Some(2)));
    check(&set);
}

#[test]
fn refusal_leaves_the_set_intact() {
    for limit in [0, 100, 3000, 10_000, 100_000, 300_000] {
        let budget = Arc::new(Budget::new(limit));
        let mut set = Mdd::new(&budget);
        fill_until_refused(&mut set, &budget, code);
        check(&set);
        assert_eq!(set.bytes(), budget.used());
        let used = budget.used() as f64 / limit as f64;
        assert!(limit < 10_000 || used > 0.8, "{used} of {limit} bytes were used");
    }
}

#[test]
fn the_end_of_the_ids_is_told_from_want_of_memory() {
    let mut set = empty();
    set.diagram.nodes.skip(u32::MAX as usize - 10);
    assert!(matches!(set.insert(b"state", None), Err(Refused::Limit(what)) if what.contains("16 GiB")));
}

#[test]
fn a_refusal_among_codes_that_come_together() {
    for limit in [0, 3000, 10_000, 100_000, 200_000] {
        let budget = Arc::new(Budget::new(limit));
        let mut set = Mdd::new(&budget);
        refused_together(&mut set, &budget, code);
        check(&set);
        assert!(set.insert(&code(set.len()), None).is_err());
    }
}

#[test]
fn long_words_and_the_empty_one() {
    let mut set = empty();
    let long = |number: usize| {
        let mut word = vec![7u8; 40_000];
        word[number * 37 % 40_000] ^= 1 + (number % 3) as u8;
        word
    };
    let words: Vec<Vec<u8>> = (0..200).map(long).chain([vec![], vec![0], vec![0; 511], vec![0; 512]]).collect();
    assert!(words.iter().all(|word| is_new(&mut set, word)));
    assert!(words.iter().all(|word| is_seen(&mut set, word)));
    check(&set);
}
