//! A checker that is slow and obviously right: a set of states and a list of those to expand.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use tightrope_core::{Fault, FaultKind, Model, Scratch, Successors, Terminal};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// All states.
    pub states: HashSet<Vec<u8>>,
    /// Steps that lead to a state.
    pub transitions: u64,
    /// Steps, those that failed included.
    pub fired: u64,
    /// States with no way forward that may not end there.
    pub deadlocks: u64,
    /// States with no way forward that may end there.
    pub ends: u64,
    /// How often each kind of fault was met, deadlocks included.
    pub faults: BTreeMap<&'static str, u64>,
    /// The length of the shortest run to each kind of fault, deadlocks included.
    pub shortest: BTreeMap<&'static str, u64>,
    /// The number of states at each distance from the initial ones.
    pub levels: Vec<u64>,
}

impl Explored {
    /// At most so many of the states, from all over: always the same ones, in an order that does not depend on distances.
    pub fn sample(&self, most: usize) -> Vec<&Vec<u8>> {
        let hash = |state: &Vec<u8>| {
            let mut hasher = DefaultHasher::new();
            state.hash(&mut hasher);
            hasher.finish()
        };
        let mut states: Vec<(u64, &Vec<u8>)> = self.states.iter().map(|state| (hash(state), state)).collect();
        states.sort_unstable();
        states.into_iter().take(most).map(|(_, state)| state).collect()
    }

    fn fault(&mut self, kind: FaultKind, length: usize) {
        *self.faults.entry(kind.name()).or_default() += 1;
        let shortest = self.shortest.entry(kind.name()).or_insert(u64::MAX);
        *shortest = (*shortest).min(length as u64);
    }

    /// The number of faults of all kinds.
    pub fn violations(&self, deadlock: bool) -> u64 {
        let counts = self.faults.iter().filter(|(kind, _)| deadlock || **kind != FaultKind::Deadlock.name());
        counts.map(|(_, count)| count).sum()
    }

    /// The length of the shortest run to any fault.
    pub fn shortest_fault(&self, deadlock: bool) -> Option<u64> {
        let lengths = self.shortest.iter().filter(|(kind, _)| deadlock || **kind != FaultKind::Deadlock.name());
        lengths.map(|(_, &length)| length).min()
    }
}

/// Explores a model; none if it has more than `most` states.
pub fn explore(model: &dyn Model, most: usize) -> Option<Explored> {
    let mut explored = Explored::default();
    let mut level: Vec<Vec<u8>> = Vec::new();
    model.initial(&mut |state| {
        if explored.states.insert(state.to_vec()) {
            level.push(state.to_vec());
        }
    });
    let mut out = Successors::new();
    let mut checking = Scratch::default();
    for depth in 0.. {
        if level.is_empty() {
            break;
        }
        explored.levels.push(level.len() as u64);
        let mut next = Vec::new();
        for state in level {
            if let Some(Fault { kind, .. }) = model.check(&state, &mut checking) {
                explored.fault(kind, depth);
            }
            model.successors(&state, &mut out);
            match out.terminal {
                Terminal::No => {}
                Terminal::ValidEnd => explored.ends += 1,
                Terminal::Failed => explored.deadlocks += 1,
                Terminal::Deadlock => {
                    explored.deadlocks += 1;
                    explored.fault(FaultKind::Deadlock, depth);
                }
            }
            for index in 0..out.len() {
                explored.fired += 1;
                if let Some(fault) = out.fault(index) {
                    explored.fault(fault.kind, depth + 1);
                }
                if let Some(found) = out.state(index) {
                    explored.transitions += 1;
                    if explored.states.insert(found.to_vec()) {
                        next.push(found.to_vec());
                    }
                }
            }
            if explored.states.len() > most {
                return None;
            }
        }
        level = next;
    }
    Some(explored)
}

/// The distance of every state from the initial ones.
pub fn distances(model: &dyn Model) -> HashMap<Vec<u8>, u64> {
    let mut distances = HashMap::new();
    let mut level = Vec::new();
    model.initial(&mut |state| level.push(state.to_vec()));
    let mut out = Successors::new();
    for depth in 0.. {
        level.retain(|state: &Vec<u8>| {
            let new = !distances.contains_key(state);
            distances.entry(state.clone()).or_insert(depth);
            new
        });
        if level.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for state in level {
            model.successors(&state, &mut out);
            next.extend((0..out.len()).filter_map(|index| out.state(index).map(<[u8]>::to_vec)));
        }
        level = next;
    }
    distances
}
