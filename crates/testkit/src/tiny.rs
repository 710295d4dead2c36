//! Tiny models, written out by hand, whose figures anyone can count.

use std::sync::Arc;
use tightrope_core::{
    Component, Fault, FaultKind, Field, Fired, Format, Model, Place, Repr, Schema, Scratch, Step, StepText, Successors,
    Terminal,
};

/// A step from a state: the state it leads to, if it leads to one, and what goes wrong, if anything does.
pub type Move = (Option<Vec<u8>>, Option<FaultKind>);

/// A model whose states are a few bytes, given by functions.
pub struct Tiny {
    /// Its name.
    pub name: &'static str,
    /// The variables: their names, and the greatest value of each (the least is 0).
    variables: &'static [(&'static str, u8)],
    initial: fn() -> Vec<Vec<u8>>,
    next: fn(&[u8]) -> Vec<Move>,
    good: fn(&[u8]) -> bool,
    end: fn(&[u8]) -> bool,
    schema: Arc<Schema>,
}

impl Tiny {
    fn new(
        name: &'static str,
        variables: &'static [(&'static str, u8)],
        initial: fn() -> Vec<Vec<u8>>,
        next: fn(&[u8]) -> Vec<Move>,
    ) -> Tiny {
        let fixed = variables.iter().enumerate().map(|(at, &(name, most))| Field {
            name: name.to_string(),
            offset: at as u32,
            repr: Repr::U8,
            range: (0, i32::from(most)),
            component: (Component::Globals, 0),
            format: Format::Number,
        });
        let schema = Schema { fixed_size: variables.len() as u32, fixed: fixed.collect(), kinds: Vec::new() };
        Tiny { name, variables, initial, next, good: |_| true, end: |_| false, schema: schema.into() }
    }

    fn end(mut self, end: fn(&[u8]) -> bool) -> Tiny {
        self.end = end;
        self
    }

    fn invariant(mut self, good: fn(&[u8]) -> bool) -> Tiny {
        self.good = good;
        self
    }
}

fn fault(kind: FaultKind, name: &str) -> Fault {
    Fault { kind, message: format!("{} in {name}", kind.name()), at: Place { file: name.to_string(), line: 1 } }
}

impl Model for Tiny {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        (self.initial)().iter().for_each(|state| each(state));
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        out.terminal = Terminal::No;
        let before = out.len();
        for (action, (to, kind)) in (self.next)(state).into_iter().enumerate() {
            let step = Step { action: action as u64, choice: 0 };
            let fault = kind.map(|kind| fault(kind, self.name));
            match (to, fault) {
                (Some(to), fault) => {
                    let start = out.bytes.len();
                    if !out.make_room(to.len(), 1) {
                        return;
                    }
                    out.bytes.extend_from_slice(&to);
                    out.push_range(step, start, start + to.len(), fault);
                }
                (None, Some(fault)) => out.push_failed(step, fault),
                (None, None) => {}
            }
        }
        if out.len() == before {
            out.terminal = if (self.end)(state) { Terminal::ValidEnd } else { Terminal::Deadlock };
        }
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, _scratch: &mut Scratch) -> Fired {
        if state.len() != self.variables.len() || step.choice != 0 {
            return Fired::Disabled;
        }
        match (self.next)(state).into_iter().nth(step.action as usize) {
            Some((Some(found), kind)) => {
                to.clear();
                to.extend_from_slice(&found);
                kind.map_or(Fired::Done, |kind| Fired::DoneWith(fault(kind, self.name)))
            }
            Some((None, Some(kind))) => Fired::Failed(fault(kind, self.name)),
            Some((None, None)) | None => Fired::Disabled,
        }
    }

    fn check(&self, state: &[u8], _scratch: &mut Scratch) -> Option<Fault> {
        (!(self.good)(state)).then(|| fault(FaultKind::Invariant, self.name))
    }

    fn describe(&self, _state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        let at = Place { file: self.name.to_string(), line: 1 };
        let action = format!("move {}", step.action);
        each(StepText { actor: String::new(), action, at, output: String::new() });
    }
}

fn to(state: impl Into<Vec<u8>>) -> Move {
    (Some(state.into()), None)
}

/// Counts to 200 and starts again: 200 states in a ring.
pub fn counter() -> Tiny {
    Tiny::new("counter", &[("n", 199)], || vec![vec![0]], |s| vec![to([(s[0] + 1) % 200])])
}

/// A jug of five litres and one of three, to be filled, emptied and poured over: 16 states, and four litres in the
/// large one takes six steps.
pub fn jugs() -> Tiny {
    let next = |s: &[u8]| {
        let (large, small) = (s[0], s[1]);
        let right = large.min(3 - small);
        let left = small.min(5 - large);
        vec![
            to([5, small]),
            to([large, 3]),
            to([0, small]),
            to([large, 0]),
            to([large - right, small + right]),
            to([large + left, small - left]),
        ]
    };
    Tiny::new("jugs", &[("large", 5), ("small", 3)], || vec![vec![0, 0]], next).invariant(|s| s[0] != 4)
}

/// A walk right and down over a grid of 20 by 10: 200 states, the last of which is a deadlock 28 steps away.
pub fn grid() -> Tiny {
    Tiny::new("grid", &[("x", 19), ("y", 9)], || vec![vec![0, 0]], walk)
}

/// The same walk, where it is fine to arrive.
pub fn grid_with_end() -> Tiny {
    Tiny::new("grid with end", &[("x", 19), ("y", 9)], || vec![vec![0, 0]], walk).end(|s| s == [19, 9])
}

fn walk(s: &[u8]) -> Vec<Move> {
    let mut moves = Vec::new();
    if s[0] < 19 {
        moves.push(to([s[0] + 1, s[1]]));
    }
    if s[1] < 9 {
        moves.push(to([s[0], s[1] + 1]));
    }
    moves
}

/// A walk along three axes of 50 places each, to a deadlock in the far corner, 147 steps away. Larger than the others: not in [`all`].
pub fn far_corner() -> Tiny {
    let next = |s: &[u8]| {
        let step = |axis: usize| {
            let mut next = s.to_vec();
            next[axis] += 1;
            to(next)
        };
        (0..3).filter(|&axis| s[axis] < 49).map(step).collect()
    };
    Tiny::new("far corner", &[("x", 49), ("y", 49), ("z", 49)], || vec![vec![0; 3]], next)
}

/// Several initial states, one of them given twice; from each the number is halved down to 0, which loops.
pub fn halving() -> Tiny {
    let initial = || vec![vec![100], vec![7], vec![100], vec![99], vec![3]];
    Tiny::new("halving", &[("n", 100)], initial, |s| vec![to([s[0] / 2])])
}

/// A bad initial state among good ones.
pub fn bad_start() -> Tiny {
    let initial = || vec![vec![1], vec![9], vec![5]];
    Tiny::new("bad start", &[("n", 9)], initial, |s| vec![to([s[0] / 2])]).invariant(|s| s[0] != 5)
}

/// In one level, a faulty step is met before a deadlock that makes the shorter counterexample.
pub fn deadlock_behind_fault() -> Tiny {
    let next = |s: &[u8]| match s[0] {
        0 => vec![to([1]), to([2])],
        1 => vec![(Some(vec![3]), Some(FaultKind::Assertion)), (None, Some(FaultKind::Division)), to([4])],
        4 => vec![to([0])],
        3 => vec![to([4])],
        _ => Vec::new(),
    };
    Tiny::new("deadlock behind fault", &[("n", 4)], || vec![vec![0]], next)
}

/// A step that fails and leads nowhere, from a state two steps from the start; 64 states.
pub fn failing() -> Tiny {
    let next = |s: &[u8]| {
        let mut moves = vec![to([s[0] ^ 1]), to([s[0] ^ 8]), to([s[0] * 2 % 64])];
        if s[0] == 9 {
            moves.insert(1, (None, Some(FaultKind::Division)));
        }
        moves
    };
    Tiny::new("failing", &[("n", 63)], || vec![vec![0]], next)
}

/// All that are small.
pub fn all() -> Vec<Tiny> {
    vec![counter(), jugs(), grid(), grid_with_end(), halving(), bad_start(), deadlock_behind_fault(), failing()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::explore;

    #[test]
    fn figures_that_anyone_can_count() {
        let figures = |model: Tiny| {
            let explored = explore(&model, 1000).expect("tiny");
            let fault = explored.shortest_fault(true);
            (explored.states.len(), explored.transitions, explored.levels.len(), explored.ends, fault)
        };
        assert_eq!(figures(counter()), (200, 200, 200, 0, None));
        assert_eq!(figures(jugs()), (16, 96, 8, 0, Some(6)));
        assert_eq!(figures(grid()), (200, 370, 29, 0, Some(28)));
        assert_eq!(figures(grid_with_end()), (200, 370, 29, 1, None));
        assert_eq!(figures(halving()), (12, 12, 5, 0, None));
        assert_eq!(figures(bad_start()), (6, 6, 2, 0, Some(0)));
        assert_eq!(figures(deadlock_behind_fault()), (5, 6, 3, 0, Some(1)));
        assert_eq!(figures(failing()), (64, 192, 9, 0, Some(3)));
    }
}
