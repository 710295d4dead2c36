//! Stubborn sets of programs of processes.
//!
//! The structural transitions of a state are those that start from the present locations of the processes. The *future* of a
//! transition is known from the text: the accesses of its step and of everything that the process may do after it, of the
//! processes started there, and of those that take part in a handshake in the middle of a step. It stands for all transitions
//! that the process may execute later: each of them comes after a transition of the state, and lies in its future. So a
//! stubborn set contains
//! - for an enabled transition, all transitions of the same process, and all transitions whose future depends on its step
//!   (`dependency.rs`);
//! - for a disabled transition, all transitions whose future may make a certain false conjunct of its guard true
//!   (`necessary_enabling.rs`).
//!
//! What accesses to channels depend on is in `access_masks.rs`. A send to a channel with room does not depend on receives, and a
//! receive of a message that is there does not depend on sends (Godefroid & Pirottin 1993).
//!
//! A transition that is enabled only where another one is disabled (`else`, `unless`, the middle of a step of several
//! transitions, a choice in `d_step`) reads what decides whether that one is enabled (`disabling_reads.rs`).
//!
//! A `timeout` is true only where nothing else is enabled. While a transition of the set is enabled there is none, and runs
//! outside of the set do not disable it.

mod access_masks;
mod blocking;
mod context;
mod control_flow;
mod dependency;
mod disabling_reads;
mod futures;
mod necessary_enabling;
mod reachable_accesses;
mod relation;
mod visibility;

pub use context::{ProcessContext, location};
pub use dependency::DependencyTables;
pub use relation::ProcessWorkspace;

use control_flow::ControlFlow;
use futures::Futures;
use std::collections::BTreeSet;
use std::ops::Range;
use tightrope_ir::effects::operations::extent;
use tightrope_ir::effects::processes::{ActionEffects, Conjunct, EffectAnalysis, SharedObject, StaticAccess};
use tightrope_ir::{Expr, Program};

/// When in a step an access happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessTime {
    /// When the step begins.
    Start,
    /// Later, once at most.
    Later,
    /// Later, perhaps several times.
    Repeated,
}

/// The static effects of a transition.
#[derive(Clone, Debug, Default)]
pub struct TransitionEffects {
    /// The accesses of the step that begins with it.
    pub step: Vec<(StaticAccess, AccessTime)>,
    /// Its future: the accesses of that step and of all that may follow.
    pub future: Vec<StaticAccess>,
    /// The conjuncts of its guard, with whether evaluating them may fail.
    pub guard: Vec<(Conjunct, bool)>,
    /// It reads `timeout`.
    pub timeout: bool,
}

/// The static effects of a program of processes.
pub struct ProcessEffects {
    /// For every kind of process those of each of its transitions.
    pub transitions: Vec<Vec<TransitionEffects>>,
    /// What the goal reads.
    pub goal_reads: Vec<StaticAccess>,
    /// The expressions that give names of channels and never change for a process; and for every kind of process which of them
    /// it uses.
    pub channel_exprs: Vec<Expr>,
    pub channels_used: Vec<Vec<u32>>,
    /// For every kind of process the bytes of the variables in those expressions.
    pub channel_bytes: Vec<Vec<Range<u32>>>,
    /// Every step depends on every other, for all that is known: nothing can be left out.
    pub all_dependent: bool,
}

impl ProcessEffects {
    /// Those of a program.
    pub fn new(program: &Program) -> ProcessEffects {
        let analysis = EffectAnalysis::new(program);
        let goal_reads: Vec<StaticAccess> = program.goal.iter().flat_map(|(goal, _)| analysis.observed(goal)).collect();
        let reads_all = goal_reads.iter().any(|&(shared, _)| shared == SharedObject::All);
        let kinds = program.processes.iter().zip(0u8..);
        let actions: Vec<Vec<ActionEffects>> = kinds
            .map(|(process, kind)| {
                (0..process.transitions.len()).map(|number| analysis.transition(kind, process, number)).collect()
            })
            .collect();
        let flow = ControlFlow::new(program, &actions);
        let futures = Futures::new(&flow);
        let transitions: Vec<Vec<TransitionEffects>> =
            (0..program.processes.len()).map(|kind| futures.transition_effects(kind)).collect();
        let channel_exprs = analysis.into_names();
        let channels_used: Vec<Vec<u32>> = transitions.iter().map(|effects| channel_exprs_in(effects)).collect();
        let channel_bytes = channels_used.iter().map(|used| bytes_of(&channel_exprs, used)).collect();
        ProcessEffects {
            transitions,
            goal_reads,
            channel_exprs,
            channels_used,
            channel_bytes,
            all_dependent: program.priorities || program.last_mover.is_some() || reads_all,
        }
    }
}

/// The numbers of the expressions that give names of channels in some effects.
fn channel_exprs_in(effects: &[TransitionEffects]) -> Vec<u32> {
    let guards = effects.iter().flat_map(|effects| &effects.guard);
    let guards = guards.flat_map(|(conjunct, _)| conjunct.reads.iter().chain(&conjunct.fields));
    let futures = effects.iter().flat_map(|effects| &effects.future);
    let steps = effects.iter().flat_map(|effects| effects.step.iter().map(|(access, _)| access));
    let numbers = guards.chain(futures).chain(steps).filter_map(|&(shared, _)| match shared {
        SharedObject::Named(number) => Some(number),
        _ => None,
    });
    numbers.collect::<BTreeSet<u32>>().into_iter().collect()
}

/// The bytes of the variables in some of the expressions that give names of channels.
fn bytes_of(channel_exprs: &[Expr], used: &[u32]) -> Vec<Range<u32>> {
    let mut ranges = Vec::new();
    for &number in used {
        channel_exprs[number as usize].walk(&mut |expr| {
            if let Expr::Load(variable) = expr {
                let range = extent(variable);
                if !ranges.contains(&range) {
                    ranges.push(range);
                }
            }
        });
    }
    ranges
}
