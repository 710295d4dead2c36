//! The interpreter beside machine code, state by state.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{Fired, Model, Scratch, Successors};
use tightrope_ir::{Program, ProgramModel};

/// Both ways to run a program.
pub struct Compare {
    reference: ProgramModel,
    native: ProgramModel,
    outs: [Successors; 2],
    /// For one step of those that are native.
    single: Successors,
    scratches: [Scratch; 2],
    /// After so many states machine code is made.
    late: Option<usize>,
    /// How long compiling took.
    #[allow(dead_code)]
    pub compile: Duration,
}

impl Compare {
    /// Compiles a program, if that can be done.
    pub fn new(program: &Program) -> Result<Compare, String> {
        let start = Instant::now();
        let program = Arc::new(program.clone());
        let native = tightrope_jit::compile(&program)?;
        let compile = start.elapsed();
        let reference = ProgramModel::new(program);
        let (outs, scratches, single) = Default::default();
        Ok(Compare { reference, native, outs, single, scratches, late: None, compile })
    }

    /// The same, but machine code is made only after so many states, as where the search does not wait for it.
    #[allow(dead_code)]
    pub fn late(program: &Program, after: usize) -> Result<Compare, String> {
        let compare = Compare::new(program)?;
        let native = ProgramModel::new(compare.reference.program().clone());
        Ok(Compare { native, late: Some(after), ..compare })
    }

    /// Both say the same of a state.
    pub fn state(&mut self, state: &[u8]) {
        let [wanted, found] = &mut self.outs;
        self.reference.successors(state, wanted);
        self.native.successors(state, found);
        let steps: (Vec<_>, Vec<_>) = (wanted.steps().collect(), found.steps().collect());
        assert_eq!(steps.1, steps.0, "steps of {state:?}");
        for index in 0..wanted.len() {
            let step = wanted.step(index);
            assert_eq!(found.state(index), wanted.state(index), "where {step:?} of {state:?} leads");
            assert_eq!(found.fault(index), wanted.fault(index), "what is wrong with {step:?} of {state:?}");
        }
        assert_eq!(found.terminal, wanted.terminal, "whether {state:?} is stuck");
        let (mut to, mut expected) = (Vec::new(), Vec::new());
        for number in 0..=wanted.len() {
            let fired = self.native.fire_nth(state, number, &mut to, &mut self.single);
            assert_eq!(fired, wanted.fired(number, &mut expected), "step {number} of {state:?} alone");
            assert!(!matches!(fired, Fired::Done | Fired::DoneWith(_)) || to == expected, "step {number} of {state:?}");
        }
        let [one, other] = &mut self.scratches;
        assert_eq!(self.native.check(state, one), self.reference.check(state, other), "what is wrong with {state:?}");
    }

    /// Compares all states that are reached, up to so many. How many they were.
    pub fn explore(&mut self, most: usize) -> usize {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::new();
        self.reference.initial(&mut |state| {
            if seen.insert(state.to_vec()) {
                queue.push_back(state.to_vec());
            }
        });
        let mut compared = 0;
        while let Some(state) = queue.pop_front() {
            if self.late == Some(compared) {
                tightrope_jit::compile_for(&self.native, &|_| Ok(())).expect("it was compiled before");
            }
            self.state(&state);
            compared += 1;
            if seen.len() >= most {
                continue;
            }
            let out = &self.outs[0];
            for next in (0..out.len()).filter_map(|index| out.state(index)) {
                if !seen.contains(next) {
                    seen.insert(next.to_vec());
                    queue.push_back(next.to_vec());
                }
            }
        }
        let exercised = |model: &ProgramModel, out: &Successors| model.unreached(&out.scratch);
        let (wanted, found) = (exercised(&self.reference, &self.outs[0]), exercised(&self.native, &self.outs[1]));
        assert_eq!(found, wanted, "what no step was made of");
        compared
    }
}
