//! Programs as models.

use crate::desk::NativeMoves;
use crate::eval::View;
use crate::exec::Patch;
use crate::machine::{Expansion, Tools, Work};
use crate::native::NativeRules;
use crate::program::place_of;
use crate::rule_machine::RuleSpace;
use crate::rule_model;
use crate::rule_steps::{self, RuleWork};
use crate::shape::Shapes;
use crate::trace::Trace;
use crate::{Action, Process, Program, Source, Transition};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::fmt::Write;
use std::sync::{Arc, OnceLock};
use tightrope_core::{
    Fault, FaultKind, Fired, Footprints, Model, Place, Refusal, Schema, Scratch, Step, StepKind, StepText, Successors,
};

/// The number of somebody who looks at a state and is none of its processes.
const OBSERVER: usize = usize::MAX;

/// A process and one of its transitions.
type Mover<'p> = (&'p Process, &'p Transition);

/// Runs a program as a model.
pub struct Interpreter {
    program: Arc<Program>,
    uses_timeout: bool,
    /// For every kind of process and transition: whether it starts processes.
    starts: Vec<Vec<bool>>,
    /// Machine code for the moves of processes.
    native_moves: OnceLock<Arc<NativeMoves>>,
    /// Machine code for rules.
    native_rules: OnceLock<Arc<dyn NativeRules>>,
}

impl Interpreter {
    /// Uses machine code for the moves of processes from now on, also where other threads execute the model meanwhile: both do
    /// the same. Only the first one that is given counts.
    ///
    /// # Safety
    /// The code must have been made from the program of this interpreter, which must be valid (see
    /// [`crate::validate()`]), and its memory must live as long as `native`.
    pub unsafe fn use_native_moves(&self, native: Arc<NativeMoves>) {
        let _ = self.native_moves.set(native);
    }

    /// Uses machine code for rules from now on, like [`Interpreter::use_native_moves`].
    ///
    /// # Safety
    /// The code must have been made from the program of this interpreter, which must be valid (see
    /// [`crate::validate()`]).
    pub unsafe fn use_native_rules(&self, native: Arc<dyn NativeRules>) {
        let _ = self.native_rules.set(native);
    }

    /// A model that runs `program`, which must be valid (see [`crate::validate()`]).
    pub fn new(program: impl Into<Arc<Program>>) -> Interpreter {
        let program = program.into();
        let uses = |action: &Action| action.any(|expr| *expr == crate::Expr::Timeout);
        let uses_timeout = program.processes.iter().any(|process| {
            process.transitions.iter().any(|transition| uses(&transition.action))
                || process.provided.as_ref().is_some_and(|provided| provided.any(|e| *e == crate::Expr::Timeout))
        });
        let starts = |transition: &Transition| transition.action.any(|expr| matches!(expr, crate::Expr::Run(_)));
        let starts = program.processes.iter().map(|process| process.transitions.iter().map(starts).collect()).collect();
        Interpreter { program, uses_timeout, starts, native_moves: OnceLock::new(), native_rules: OnceLock::new() }
    }

    /// What goes wrong in a start state, if anything does.
    pub fn start_fault(&self) -> Option<Fault> {
        let Some(rules) = &self.program.rules else { return self.first_state().1 };
        let mut found = None;
        rule_model::initial(&self.program, rules, &mut |_, fault| found = found.take().or(fault));
        found
    }

    /// The initial state of a program of processes, and what went wrong while its initial values were computed.
    fn first_state(&self) -> (Vec<u8>, Option<Fault>) {
        let mut bytes = self.program.fixed.clone();
        if !self.program.processes.is_empty() {
            bytes.push(0);
        }
        let mut shapes = Shapes::default();
        let Some(shape) = shapes.find(&self.program, &bytes) else { return (bytes, None) };
        let mut complaints = Vec::new();
        let mut patch = Patch {
            program: &self.program,
            bytes: &mut bytes,
            start: 0,
            shapes: &mut shapes,
            shape,
            pid: 0,
            timeout: false,
            offered: 0,
            starts: false,
            complaints: &mut complaints,
            output: None,
            trace: None,
        };
        let set = self.program.initialisers.iter().try_for_each(|action| patch.apply(action, None).map(|_| ()));
        let started = set.and_then(|()| {
            let mut starts = self.program.start.iter();
            starts.try_for_each(|start| patch.start_process(start.kind, &[], i32::from(start.priority)).map(|_| ()))
        });
        let fault = started.err().map(|trouble| Fault {
            kind: trouble.kind,
            message: format!("{} in an initial value", trouble.message),
            at: Place::default(),
        });
        (bytes, fault)
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The process of that number, and its transition of that number.
    fn mover(&self, state: &[u8], pid: u64, transition: u64) -> Option<Mover<'_>> {
        let list = self.program.schema.fixed_size as usize + 1;
        let process = self.program.processes.get(*state.get(list + pid as usize)? as usize)?;
        Some((process, process.transitions.get(transition as usize)?))
    }

    /// Calls `each` with the moves that a step of processes is made of: the process and its number, its transition, and what it
    /// prints.
    fn moves_of(&self, state: &[u8], step: Step, each: &mut dyn FnMut(&Process, usize, &Transition, &str)) {
        let mut work = Work::new(&self.program);
        let mut out = Successors::new();
        let mut expansion = self.expansion(&mut work, &mut out, true);
        expansion.expand(state, Some((step.action & 0xff) as usize));
        let Some(index) = expansion.out.steps().position(|found| found == step) else { return };
        let record = expansion.record.take().unwrap_or_default();
        drop(out);
        let mut path = Vec::new();
        let mut at = record.ends[index];
        while let Some(one) = record.moves.get(at as usize) {
            path.push(at);
            at = one.before;
        }
        for at in path.into_iter().rev() {
            let one = &record.moves[at as usize];
            let process = &self.program.processes[one.kind as usize];
            let output = record.outputs.get(&at).map_or("", String::as_str);
            each(process, usize::from(one.pid), &process.transitions[one.transition as usize], output);
        }
    }

    /// An expansion of a state with processes.
    fn expansion<'a>(&'a self, work: &'a mut Work, out: &'a mut Successors, record: bool) -> Expansion<'a> {
        let native = self.native_moves.get().map(Arc::as_ref);
        let tools = Tools { program: &self.program, starts: &self.starts, uses_timeout: self.uses_timeout, native };
        Expansion::new(tools, work, out, record)
    }
}

impl Model for Interpreter {
    fn schema(&self) -> &Arc<Schema> {
        &self.program.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        if let Some(rules) = &self.program.rules {
            return rule_model::initial(&self.program, rules, &mut |state, _| each(state));
        }
        each(&self.first_state().0);
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let mut scratch = std::mem::take(&mut out.scratch);
        match &self.program.rules {
            Some(rules) => {
                let work = scratch.get(|| RuleWork::new(rules));
                if work.has_large_frames {
                    let held = work.space.held_bytes().max(work.rule_frame);
                    if !out.charge(held) {
                        work.space = RuleSpace::default();
                        out.scratch = scratch;
                        return;
                    }
                    // While the frames grow they are there twice.
                    work.space.most_frames =
                        out.budget_left().map(|left| (left.saturating_sub(held as u64) / 2) as usize + held);
                    work.space.short_of_memory = false;
                }
                match self.native_rules.get() {
                    // SAFETY: it was made from this program (see `use_native_rules`).
                    Some(native) => unsafe { native.expand(&self.program, rules, work, state, out) },
                    None => rule_steps::expand(&self.program, rules, work, state, out),
                }
                if std::mem::take(&mut work.space.short_of_memory) {
                    out.refuse(Refusal::Memory);
                }
            }
            None => {
                let work = scratch.get(|| Work::new(&self.program));
                self.expansion(work, out, false).expand(state, None);
            }
        }
        out.scratch = scratch;
    }

    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, prints: &mut Footprints) -> bool {
        prints.clear();
        let Some(rules) = &self.program.rules else {
            out.clear();
            let mut scratch = std::mem::take(&mut out.scratch);
            let work = scratch.get(|| Work::new(&self.program));
            let trace = Trace::default();
            self.expansion(work, out, false).listen(&trace, prints).expand(state, None);
            out.scratch = scratch;
            return true;
        };
        self.successors(state, out);
        let mut scratch = std::mem::take(&mut out.scratch);
        rule_steps::footprints(&self.program, rules, scratch.get(|| RuleWork::new(rules)), state, out, prints);
        out.scratch = scratch;
        true
    }

    fn check(&self, state: &[u8], scratch: &mut Scratch) -> Option<Fault> {
        if let Some(rules) = &self.program.rules {
            if self.native_rules.get().is_some_and(|native| native.holds(state)) {
                return None;
            }
            return rule_model::check(&self.program, rules, scratch.get(|| RuleWork::new(rules)), state);
        }
        let (goal, message) = self.program.goal.as_ref()?;
        let shapes = &mut scratch.get(|| Work::new(&self.program)).shapes;
        let shape = shapes.find(&self.program, state)?;
        let trouble = Cell::new(None);
        let view = View::new(&self.program, state, shapes.get(shape), OBSERVER, false, &trouble);
        let reached = view.eval(goal) != 0 && !view.troubled();
        reached.then(|| Fault {
            kind: FaultKind::Goal,
            message: message.clone(),
            at: place_of(&self.program, Source::default()),
        })
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired {
        if let Some(rules) = &self.program.rules {
            let work = scratch.get(|| RuleWork::new(rules));
            return rule_steps::fire(&self.program, rules, work, state, step, to);
        }
        let work = scratch.get(|| Work::new(&self.program));
        let mut spare = std::mem::take(&mut work.spare);
        spare.clear();
        self.expansion(work, &mut spare, false).expand(state, Some((step.action & 0xff) as usize));
        let fired = match spare.steps().position(|found| found == step) {
            None => Fired::Disabled,
            Some(index) => match (spare.state(index), spare.fault(index).cloned()) {
                (Some(next), fault) => {
                    to.clear();
                    to.extend_from_slice(next);
                    fault.map_or(Fired::Done, Fired::DoneWith)
                }
                (None, Some(fault)) => Fired::Failed(fault),
                (None, None) => Fired::Disabled,
            },
        };
        work.spare = spare;
        fired
    }

    fn is_error_state(&self, state: &[u8]) -> bool {
        self.program.rules.as_ref().is_some_and(|rules| rules.failed.as_deref() == Some(state))
    }

    fn kind(&self, state: &[u8], step: Step) -> StepKind {
        if let Some(rules) = &self.program.rules {
            return rule_model::kind(rules, step);
        }
        let mover = self.mover(state, step.action & 0xff, step.action >> 8 & 0xffff);
        mover.map_or(StepKind::Other, |(_, transition)| transition.kind)
    }

    fn describe(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        if let Some(rules) = &self.program.rules {
            return rule_model::describe(&self.program, rules, state, step).into_iter().for_each(each);
        }
        self.moves_of(state, step, &mut |process, pid, transition, output| {
            each(StepText {
                actor: format!("{}[{pid}]", process.name),
                action: transition.text.clone(),
                at: place_of(&self.program, transition.source),
                output: output.to_string(),
            });
        });
    }

    fn label(&self, state: &[u8], step: Step, out: &mut String) {
        if let Some(rules) = &self.program.rules {
            return rule_model::label(rules, step, out);
        }
        let (action, partner) = (step.action, step.action >> 32 & 0xffff);
        let first = self.mover(state, action & 0xff, action >> 8 & 0xffff);
        let second = if partner > 0 { self.mover(state, action >> 24 & 0xff, partner - 1) } else { first };
        let keeps = |mover: Mover<'_>| mover.1.keeps_control;
        match (first, second) {
            // What follows in a step after control was kept shows only when it is executed.
            (Some(first), Some(second)) if !keeps(first) && !keeps(second) => {
                let _ = write!(out, "{}[{}]: {}", first.0.name, action & 0xff, first.1.text);
                if partner > 0 {
                    let _ = write!(out, " | {}[{}]: {}", second.0.name, action >> 24 & 0xff, second.1.text);
                }
            }
            _ => {
                let start = out.len();
                self.moves_of(state, step, &mut |process, pid, transition, _| {
                    let between = if out.len() > start { " | " } else { "" };
                    let _ = write!(out, "{between}{}[{pid}]: {}", process.name, transition.text);
                });
            }
        }
    }

    fn describe_initial(&self, number: u32) -> Option<StepText> {
        rule_model::describe_initial(&self.program, self.program.rules.as_ref()?, number)
    }

    fn symmetry(&self) -> Option<&Arc<tightrope_core::Symmetry>> {
        self.program.rules.as_ref()?.symmetry.as_ref()
    }

    fn deadlock(&self) -> &'static str {
        match &self.program.rules {
            None => "no process can move, and not all are at a valid end state",
            Some(rules) if rules.automata.is_empty() => "no rule is enabled that changes the state",
            Some(_) => "no process can move",
        }
    }

    fn standing(&self, state: &[u8]) -> Vec<StepText> {
        if let Some(rules) = &self.program.rules {
            return rule_model::standing(&self.program, rules, state);
        }
        let mut shapes = Shapes::default();
        let Some(shape) = shapes.find(&self.program, state) else { return Vec::new() };
        let trouble = Cell::new(None);
        let view = View::new(&self.program, state, shapes.get(shape), 0, false, &trouble);
        let mut texts = Vec::new();
        for pid in 0..view.shape.count() {
            let process = &self.program.processes[view.shape.kind(pid) as usize];
            let Some(location) = process.locations.get(view.pc(pid)) else { continue };
            let transitions = &process.transitions[location.transitions()];
            let options: Vec<&str> = transitions.iter().map(|transition| transition.text.as_str()).collect();
            texts.push(StepText {
                actor: format!("{}[{pid}]", process.name),
                action: options.join(" | "),
                at: place_of(&self.program, location.source),
                output: String::new(),
            });
        }
        texts
    }

    fn unreached(&self, scratch: &Scratch) -> Vec<StepText> {
        if let Some(rules) = &self.program.rules {
            let Some(work) = scratch.peek::<RuleWork>() else { return Vec::new() };
            return rule_model::unreached(&self.program, rules, work);
        }
        let Some(work) = scratch.peek::<Work>() else { return Vec::new() };
        let mut texts = Vec::new();
        for (process, exercised) in self.program.processes.iter().zip(&work.exercised) {
            let named = |transition: &'_ Transition| (transition.text.clone(), transition.source);
            let done: FxHashSet<(String, Source)> = process
                .transitions
                .iter()
                .zip(exercised)
                .filter(|(_, done)| **done)
                .map(|(one, _)| named(one))
                .collect();
            // A statement can stand at several locations (the head of a loop, inlines): executed at one of them is executed.
            let idle = process.transitions.iter().zip(exercised).filter(|(_, done)| !**done);
            let idle = idle.map(|(one, _)| one).filter(|one| !done.contains(&named(one)));
            let idle = idle.map(|transition| (&transition.text, transition.source));
            let dead = process.dead.iter().map(|(text, source)| (text, *source));
            let mut of_process: Vec<(&String, Source)> = idle.chain(dead).collect();
            of_process.sort_by_key(|(text, source)| (source.file, source.line, *text));
            of_process.dedup();
            texts.extend(of_process.into_iter().map(|(text, source)| StepText {
                actor: process.name.clone(),
                action: text.clone(),
                at: place_of(&self.program, source),
                output: String::new(),
            }));
        }
        texts
    }
}
