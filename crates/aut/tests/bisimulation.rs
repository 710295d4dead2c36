//! Minimising and comparing against the definitions of bisimilarity, taken literally.

use merc_lts::{LTS, LabelIndex, LabelledTransitionSystem, StateIndex};
use merc_utilities::Timing;
use proptest::prelude::*;
use std::collections::BTreeSet;
use tightrope_aut::{Equivalence, Lts, LtsBuilder, equivalent, minimise};

fn build(transitions: &[(u32, &str, u32)], states: u32) -> Lts {
    let mut builder = LtsBuilder::default();
    for &(from, label, to) in transitions {
        let label = builder.labels.number(label);
        assert!(builder.add(from, label, to));
    }
    builder.finish(0, states).expect("all states are inside")
}

/// Two systems beside each other: transitions with labels as texts, both internal ones as `i`.
struct Pair<'a> {
    steps: Vec<Vec<(&'a str, usize)>>,
    /// The initial states.
    initial: [usize; 2],
}

impl<'a> Pair<'a> {
    fn new(left: &'a Lts, right: &'a Lts) -> Self {
        let mut steps: Vec<Vec<(&str, usize)>> = Vec::new();
        let mut initial = [0; 2];
        for (lts, initial) in [left, right].into_iter().zip(&mut initial) {
            let offset = steps.len();
            *initial = offset + lts.initial() as usize;
            for state in 0..lts.states() {
                let step = |(label, to)| {
                    let text = lts.labels().text(label);
                    (if text == "tau" { "i" } else { text }, offset + to as usize)
                };
                steps.push(lts.outgoing(state).map(step).collect());
            }
        }
        Pair { steps, initial }
    }

    /// The largest relation that is a bisimulation: pairs are taken out until none violates the definition.
    fn related(&self, equivalence: Equivalence) -> Vec<Vec<bool>> {
        let count = self.steps.len();
        let mut related = vec![vec![true; count]; count];
        loop {
            let violates = |&(s, t): &(usize, usize)| {
                related[s][t]
                    && !(self.answers(s, t, equivalence, &related) && self.answers(t, s, equivalence, &related))
            };
            let pairs = (0..count).flat_map(|s| (0..count).map(move |t| (s, t)));
            let out: Vec<(usize, usize)> = pairs.filter(violates).collect();
            if out.is_empty() {
                return related;
            }
            for (s, t) in out {
                related[s][t] = false;
            }
        }
    }

    /// Whether `t` answers every step of `s`.
    fn answers(&self, s: usize, t: usize, equivalence: Equivalence, related: &[Vec<bool>]) -> bool {
        let step_from = |t1: usize, a: &str, s1: usize| self.steps[t1].iter().any(|&(b, t2)| a == b && related[s1][t2]);
        self.steps[s].iter().all(|&(a, s1)| match equivalence {
            Equivalence::Strong => step_from(t, a, s1),
            Equivalence::Branching => {
                let stays = a == "i" && related[s1][t];
                stays || self.silently(t).into_iter().any(|t1| related[s][t1] && step_from(t1, a, s1))
            }
        })
    }

    /// The states that internal steps lead to, any number of them.
    fn silently(&self, from: usize) -> BTreeSet<usize> {
        let (mut found, mut waiting) = (BTreeSet::from([from]), vec![from]);
        while let Some(state) = waiting.pop() {
            for &(label, to) in &self.steps[state] {
                if label == "i" && found.insert(to) {
                    waiting.push(to);
                }
            }
        }
        found
    }
}

fn reachable(lts: &Lts) -> BTreeSet<u32> {
    let (mut found, mut waiting) = (BTreeSet::from([lts.initial()]), vec![lts.initial()]);
    while let Some(state) = waiting.pop() {
        waiting.extend(lts.outgoing(state).map(|(_, to)| to).filter(|&to| found.insert(to)));
    }
    found
}

/// Everything that must be true of the minimised system.
fn check_minimum(lts: &Lts, equivalence: Equivalence) {
    let small = minimise(lts, equivalence);
    let context =
        || format!("{equivalence:?}: {:?} to {:?}", lts.iter().collect::<Vec<_>>(), small.iter().collect::<Vec<_>>());

    // It is equivalent, by definition.
    let pair = Pair::new(lts, &small);
    let related = pair.related(equivalence);
    assert!(related[pair.initial[0]][pair.initial[1]], "not equivalent; {}", context());

    // It has one state for every class of reachable states, and no others.
    let classes: BTreeSet<&Vec<bool>> = reachable(lts).into_iter().map(|state| &related[state as usize]).collect();
    assert_eq!(small.states() as usize, classes.len(), "{}", context());
    assert_eq!(reachable(&small).len(), classes.len(), "{}", context());
    assert_eq!(small.initial(), 0);

    // It has no transition twice, and no internal one that changes nothing where those go unnoticed.
    let transitions: BTreeSet<_> = small.iter().collect();
    assert_eq!(transitions.len(), small.transitions() as usize, "{}", context());
    let inert = small.iter().any(|(from, label, to)| from == to && small.labels().is_internal(label));
    assert!(!(inert && equivalence == Equivalence::Branching), "{}", context());

    // Doing it again changes nothing but, perhaps, the order.
    let again = minimise(&small, equivalence);
    assert_eq!((again.states(), again.transitions()), (small.states(), small.transitions()), "{}", context());
    assert!(equivalent(lts, &small, equivalence), "{}", context());
}

/// What merc's own functions say: states and transitions of the quotient, where all states are reachable.
fn by_merc(lts: &Lts, equivalence: merc_reduction::Equivalence) -> (usize, usize) {
    let mut labels = vec!["τ".to_string()];
    labels.extend(lts.labels().iter().map(str::to_string));
    let number = |label: u32| if lts.labels().is_internal(label) { 0 } else { label as usize + 1 };
    let whole = LabelledTransitionSystem::with_successors(
        StateIndex::new(lts.initial() as usize),
        lts.states() as usize,
        labels,
        |state| {
            let outgoing: Vec<_> = lts.outgoing(state.value() as u32).collect();
            outgoing.into_iter().map(|(label, to)| (LabelIndex::new(number(label)), StateIndex::new(to as usize)))
        },
    );
    let small = merc_reduction::reduce_lts(whole, equivalence, false, &Timing::new());
    (small.num_of_states(), small.num_of_transitions())
}

const LABELS: [&str; 5] = ["i", "a", "tau", "b", "i"];

fn systems(most: u32) -> impl Strategy<Value = Lts> {
    (1..most).prop_flat_map(move |states| {
        let transition = (0..states, 0..LABELS.len(), 0..states);
        prop::collection::vec(transition, 0..2 * most as usize).prop_map(move |transitions| {
            let named: Vec<_> = transitions.into_iter().map(|(from, label, to)| (from, LABELS[label], to)).collect();
            build(&named, states)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn minimised_systems_are_equivalent_and_minimal(lts in systems(10)) {
        for equivalence in Equivalence::ALL {
            check_minimum(&lts, equivalence);
        }
    }

    #[test]
    fn comparison_is_by_definition(left in systems(5), right in systems(5)) {
        let pair = Pair::new(&left, &right);
        for equivalence in Equivalence::ALL {
            let expected = pair.related(equivalence)[pair.initial[0]][pair.initial[1]];
            prop_assert_eq!(equivalent(&left, &right, equivalence), expected);
            prop_assert_eq!(equivalent(&right, &left, equivalence), expected);
        }
    }

    #[test]
    fn merc_alone_finds_the_same_sizes(lts in systems(12)) {
        let lts = minimise(&lts, Equivalence::Strong);
        for (own, theirs) in [
            (Equivalence::Strong, merc_reduction::Equivalence::StrongBisim),
            (Equivalence::Branching, merc_reduction::Equivalence::BranchingBisim),
            (Equivalence::Branching, merc_reduction::Equivalence::BranchingBisimNaive),
        ] {
            let small = minimise(&lts, own);
            prop_assert_eq!((small.states() as usize, small.transitions() as usize), by_merc(&lts, theirs));
        }
    }
}

#[test]
fn corners() {
    for lts in [
        build(&[], 1),
        build(&[(0, "a", 0), (0, "a", 0)], 1),
        build(&[(0, "i", 0)], 1),
        build(&[(0, "i", 1), (1, "tau", 2), (2, "i", 0), (1, "a", 3)], 4),
        build(&[(1, "a", 0)], 2),
        build(&[], 7),
        build(&[(0, "i", 1), (0, "a", 1), (1, "a", 2), (2, "i", 2)], 3),
    ] {
        for equivalence in Equivalence::ALL {
            check_minimum(&lts, equivalence);
        }
    }
}

#[test]
fn the_internal_action_has_two_names_and_keeps_the_first() {
    let aldebaran = build(&[(0, "i", 1), (1, "a", 0)], 2);
    let mcrl2 = build(&[(0, "tau", 1), (1, "a", 0), (1, "a", 0)], 2);
    assert!(equivalent(&aldebaran, &mcrl2, Equivalence::Strong));
    let small = minimise(&mcrl2, Equivalence::Strong);
    assert_eq!(small.labels().iter().collect::<Vec<_>>(), ["tau", "a"]);
    assert_eq!(minimise(&mcrl2, Equivalence::Branching).labels().iter().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn other_labels_are_texts_and_nothing_more() {
    let tau = build(&[(0, "τ", 1), (1, "a", 0)], 2);
    assert_eq!(minimise(&tau, Equivalence::Branching).states(), 2);
    let a = build(&[(0, "b", 0), (0, "a", 0)], 1);
    let b = build(&[(0, "a", 0), (0, "b", 0)], 1);
    assert!(equivalent(&a, &b, Equivalence::Strong), "the order of labels does not matter");
    assert!(!equivalent(&a, &build(&[(0, "a", 0)], 1), Equivalence::Branching));
}

#[test]
fn far_apart_numbers_cost_nothing() {
    let lts = build(&[(0, "a", u32::MAX - 1), (u32::MAX - 1, "a", 0)], u32::MAX);
    assert_eq!(minimise(&lts, Equivalence::Strong).states(), 1);
}

#[test]
fn equivalences_have_names() {
    for equivalence in Equivalence::ALL {
        assert_eq!(Equivalence::from_name(equivalence.name()), Some(equivalence));
    }
    assert_eq!(Equivalence::from_name("weak"), None);
}
