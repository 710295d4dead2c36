//! Graphs as models: a state is a number, a step an edge.

use crate::random::Rng;
use std::sync::Arc;
use tightrope_core::{
    Component, Fault, Field, Fired, Format, Model, Place, Repr, Schema, Scratch, Step, StepText, Successors, Terminal,
};

/// A graph in which the search begins at 0.
pub struct Graph {
    /// Where the edges of each state lead.
    pub edges: Vec<Vec<u16>>,
    schema: Arc<Schema>,
}

impl Graph {
    /// A graph with these edges.
    pub fn new(edges: Vec<Vec<u16>>) -> Graph {
        let number = Field {
            name: "at".into(),
            offset: 0,
            repr: Repr::U16,
            range: (0, i32::from(u16::MAX)),
            component: (Component::Globals, 0),
            format: Format::Number,
        };
        Graph { edges, schema: Schema { fixed_size: 2, fixed: vec![number], kinds: Vec::new() }.into() }
    }

    /// A tail and a cycle.
    pub fn lasso(tail: u16, cycle: u16) -> Graph {
        Graph::new((0..tail + cycle).map(|at| vec![if at + 1 < tail + cycle { at + 1 } else { tail }]).collect())
    }

    /// Cycles of these lengths that share a state; here and there an edge leads from one to another one.
    pub fn entangled(cycles: &[u16], bridges: usize, seed: u64) -> Graph {
        let (mut edges, mut rng) = (vec![Vec::new()], Rng::new(seed));
        for &length in cycles {
            let mut last = 0;
            for _ in 1..length {
                let new = edges.len() as u16;
                edges[last as usize].push(new);
                edges.push(Vec::new());
                last = new;
            }
            edges[last as usize].push(0);
        }
        for _ in 0..bridges {
            let (from, to) = (rng.below(edges.len()), rng.below(edges.len()));
            edges[from].push(to as u16);
        }
        Graph::new(edges)
    }

    fn at(state: &[u8]) -> usize {
        state.first_chunk().map_or(usize::MAX, |bytes| u16::from_le_bytes(*bytes).into())
    }
}

impl Model for Graph {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        each(&[0, 0]);
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let edges = &self.edges[Graph::at(state)];
        out.terminal = if edges.is_empty() { Terminal::Deadlock } else { Terminal::No };
        for (action, to) in edges.iter().enumerate() {
            let start = out.bytes.len();
            if !out.make_room(2, 1) {
                return;
            }
            out.bytes.extend_from_slice(&to.to_le_bytes());
            out.push_range(Step { action: action as u64, choice: 0 }, start, start + 2, None);
        }
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, _scratch: &mut Scratch) -> Fired {
        let edges = self.edges.get(Graph::at(state)).filter(|_| step.choice == 0);
        match edges.and_then(|edges| edges.get(step.action as usize)) {
            Some(found) => {
                to.clear();
                to.extend_from_slice(&found.to_le_bytes());
                Fired::Done
            }
            None => Fired::Disabled,
        }
    }

    fn check(&self, _state: &[u8], _scratch: &mut Scratch) -> Option<Fault> {
        None
    }

    fn describe(&self, _state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        let (at, action) = (Place::default(), format!("edge {}", step.action));
        each(StepText { actor: String::new(), action, at, output: String::new() });
    }
}
