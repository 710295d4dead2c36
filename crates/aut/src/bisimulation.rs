//! Minimising and comparing modulo bisimilarity.
//!
//! The partition into classes of bisimilar states is merc's: signature refinement (Blom & Orzan 2003) that processes
//! the smaller half, for branching bisimilarity with inductive signatures over the topological order of the internal
//! steps, whose cycles are contracted first (Laveaux & Martens 2026). It sees the reachable states only, and their
//! labels as numbers. merc takes label 0 for the internal action, so `i` and `tau` become 0 and the others follow.
//!
//! Quotients and disjoint unions are made here and not by `reduce_lts` and `compare_lts`: merc 2.0 clears an array of
//! all states for every class of a branching quotient, and looks through all labels for each label of a union, both of
//! which is quadratic; and its quotients keep unreachable classes.
//!
//! Strong bisimilarity takes seconds for a million states. Branching bisimilarity takes minutes where the system is a
//! random graph with many internal steps: the time then grows almost with the square of the states.

use crate::{Labels, Lts, LtsBuilder};
use merc_lts::{LTS, LabelIndex, LabelledTransitionSystem, StateIndex, TransitionLabel};
use merc_reduction::{Partition, branching_bisim_sigref, strong_bisim_sigref};
use merc_utilities::Timing;
use rustc_hash::FxHashMap;
use std::fmt;

/// When two states are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Strong bisimilarity: every step is answered by a step with the same label. The internal action is a label like
    /// any other, except that it has two names.
    Strong,
    /// Branching bisimilarity (van Glabbeek & Weijland 1996): internal steps that change nothing go unnoticed, also
    /// endless ones. A state that can do internal steps for ever is not told from one that cannot.
    Branching,
}

impl Equivalence {
    /// All of them.
    pub const ALL: [Equivalence; 2] = [Equivalence::Strong, Equivalence::Branching];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Equivalence::Strong => "strong",
            Equivalence::Branching => "branching",
        }
    }

    /// The equivalence of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Equivalence> {
        Equivalence::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// The smallest transition system that is equivalent to `lts`.
///
/// It has the reachable classes only, numbered in breadth-first order from the initial one, which is 0, and no
/// transition twice. The internal action keeps the name that it has first in `lts`.
pub fn minimise(lts: &Lts, equivalence: Equivalence) -> Lts {
    let mut union = Union::default();
    let initial = union.add(lts);
    let classes = union.classes(equivalence, initial);
    classes.quotient(&union.labels)
}

/// Whether the initial states of two transition systems are equivalent. Labels are compared as texts.
pub fn equivalent(left: &Lts, right: &Lts, equivalence: Equivalence) -> bool {
    let mut union = Union::default();
    union.add(left);
    let other = union.add(right);
    let classes = union.classes(equivalence, other);
    classes.initial == classes.other
}

/// The reachable parts of transition systems beside each other, of fewer than 2³² states together.
#[derive(Default)]
struct Union {
    /// Where the transitions of each state start.
    starts: Vec<usize>,
    /// Labels as merc knows them, and targets.
    transitions: Vec<(u32, u32)>,
    labels: UnionLabels,
}

/// The labels of a union as merc numbers them: the internal action is 0.
#[derive(Default)]
struct UnionLabels {
    /// The others, less one.
    visible: Labels,
    /// The name of the internal action.
    internal: String,
}

impl UnionLabels {
    fn number(&mut self, label: &str) -> u32 {
        if !crate::labels::is_internal(label) {
            return self.visible.number(label) + 1;
        }
        if self.internal.is_empty() {
            self.internal = label.to_string();
        }
        0
    }

    fn text(&self, number: u32) -> &str {
        if number == 0 { &self.internal } else { self.visible.text(number - 1) }
    }
}

impl Union {
    /// Adds what is reachable in `lts`; gives the number of its initial state here.
    fn add(&mut self, lts: &Lts) -> usize {
        let offset = self.starts.len();
        let mut renamed: Vec<Option<u32>> = vec![None; lts.labels().len()];
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order = vec![lts.initial()];
        numbers.insert(lts.initial(), offset as u32);
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            self.starts.push(self.transitions.len());
            for (label, to) in lts.outgoing(state) {
                let label =
                    *renamed[label as usize].get_or_insert_with(|| self.labels.number(lts.labels().text(label)));
                let to = *numbers.entry(to).or_insert_with(|| {
                    order.push(to);
                    (offset + order.len() - 1) as u32
                });
                self.transitions.push((label, to));
            }
        }
        offset
    }

    /// The classes of all states. `other` is a state whose class is asked for besides that of state 0.
    fn classes(&mut self, equivalence: Equivalence, other: usize) -> Classes {
        let lts = self.take();
        let (other, timing) = (StateIndex::new(other), Timing::new());
        match equivalence {
            Equivalence::Strong => {
                let (lts, partition) = strong_bisim_sigref(lts, &timing);
                Classes::new(&lts, other, &partition, false)
            }
            Equivalence::Branching => {
                let (lts, other, partition) = branching_bisim_sigref(lts, other, false, &timing);
                Classes::new(&lts, other, &partition, true)
            }
        }
    }

    /// Hands the transitions over to merc.
    fn take(&mut self) -> LabelledTransitionSystem<Label> {
        let (starts, transitions) = (std::mem::take(&mut self.starts), std::mem::take(&mut self.transitions));
        let labels = (0..=self.labels.visible.len() as u32).map(Label).collect();
        LabelledTransitionSystem::with_successors(StateIndex::new(0), starts.len(), labels, |state| {
            let end = starts.get(state.value() + 1).copied().unwrap_or(transitions.len());
            let row = transitions[starts[state.value()]..end].iter();
            row.map(|&(label, to)| (LabelIndex::new(label as usize), StateIndex::new(to as usize)))
        })
    }
}

/// The classes of a partition and the transitions between them.
struct Classes {
    initial: usize,
    other: usize,
    count: usize,
    /// Source, label and target, sorted, each once.
    transitions: Vec<(u32, u32, u32)>,
}

impl Classes {
    /// `silent`: internal steps inside a class are no transitions.
    fn new<L: LTS<Label = Label>>(lts: &L, other: StateIndex, partition: &impl Partition, silent: bool) -> Classes {
        let class = |state| partition.block_number(state).value();
        let mut transitions = Vec::new();
        for state in lts.iter_states() {
            for step in lts.outgoing_transitions(state) {
                let (from, to) = (class(state) as u32, class(step.to) as u32);
                // merc may have changed the order of the labels, but not the labels.
                let Label(label) = lts.labels()[step.label.value()];
                if !(silent && label == 0 && from == to) {
                    transitions.push((from, label, to));
                }
            }
        }
        transitions.sort_unstable();
        transitions.dedup();
        let initial = class(lts.initial_state_index());
        Classes { initial, other: class(other), count: partition.num_of_blocks(), transitions }
    }

    /// The system whose states are the classes, numbered in breadth-first order.
    fn quotient(&self, labels: &UnionLabels) -> Lts {
        let mut starts = vec![0; self.count + 1];
        for &(from, _, _) in &self.transitions {
            starts[from as usize + 1] += 1;
        }
        for at in 0..self.count {
            starts[at + 1] += starts[at];
        }
        let mut numbers: Vec<Option<u32>> = vec![None; self.count];
        let mut order = vec![self.initial];
        numbers[self.initial] = Some(0);
        let mut builder = LtsBuilder::with_capacity(self.transitions.len());
        let mut next = 0;
        while let Some(&class) = order.get(next) {
            for &(_, label, to) in &self.transitions[starts[class]..starts[class + 1]] {
                let to = *numbers[to as usize].get_or_insert_with(|| {
                    order.push(to as usize);
                    order.len() as u32 - 1
                });
                let label = builder.labels.number(labels.text(label));
                let fits = builder.add(next as u32, label, to);
                debug_assert!(fits, "a quotient is not larger than what it is the quotient of");
            }
            next += 1;
        }
        builder.finish(0, order.len() as u32).expect("all states were numbered here")
    }
}

/// A label as merc sees it: a number, of which 0 is the internal action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Label(u32);

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TransitionLabel for Label {
    fn tau_label() -> Self {
        Label(0)
    }

    fn matches_label(&self, _label: &str) -> bool {
        false
    }

    fn from_index(i: usize) -> Self {
        Label(i as u32)
    }
}
