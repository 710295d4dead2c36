//! A program of rules as a model.

use super::combinations::{each_enabled, rule_of};
use super::describe;
use super::fire::fire;
use super::footprints::add_footprints;
use super::machine::RuleMachine;
use super::memory::RuleMemory;
use super::steps::{RuleScratch, expand, fault, prepare};
use crate::program::place_of;
use crate::{Invariant, Program, RuleSet};
use std::sync::{Arc, OnceLock};
use tightrope_core::{
    Fault, FaultKind, Fired, Footprints, Model, Refused, Schema, Scratch, Step, StepClass, StepText, Successors,
    Symmetry,
};

/// Machine code for rules. It replaces the interpreter, which remains the reference.
pub trait NativeRules: Send + Sync {
    /// Adds to `out` exactly what [`RuleModel::interpret`] adds, which it calls wherever there is an error.
    ///
    /// # Safety
    /// The code must have been made from the model's program, and the working space must be the model's.
    unsafe fn expand(&self, model: &RuleModel, scratch: &mut RuleScratch, state: &[u8], out: &mut Successors);

    /// Adds to `out`, which is empty, the step of that number among those that [`NativeRules::expand`] adds, and perhaps some behind it;
    /// nothing if there are fewer. False if it cannot tell; what is in `out` is of no use then.
    ///
    /// # Safety
    /// As that of [`NativeRules::expand`].
    unsafe fn nth(
        &self,
        model: &RuleModel,
        scratch: &mut RuleScratch,
        state: &[u8],
        number: u32,
        out: &mut Successors,
    ) -> bool;

    /// Whether all invariants hold in a state for certain. If not, the interpreter evaluates them.
    fn holds(&self, state: &[u8]) -> bool;
}

/// A program of rules as a model.
pub struct RuleModel {
    program: Arc<Program>,
    /// Machine code for the rules.
    native: OnceLock<Arc<dyn NativeRules>>,
}

impl RuleModel {
    /// A model of `program`, which must be valid (see [`crate::validate()`]) and have rules.
    pub fn new(program: Arc<Program>) -> RuleModel {
        assert!(program.rules.is_some(), "a program of rules");
        RuleModel { program, native: OnceLock::new() }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The rules of the program.
    #[inline]
    pub fn rules(&self) -> &RuleSet {
        self.program.rules.as_ref().expect("a program of rules")
    }

    /// Uses machine code for the rules from now on, also in threads that execute the model meanwhile: both do the same. Only
    /// the first one that is given counts.
    ///
    /// # Safety
    /// The code must have been made from this model's program, which must be valid (see [`crate::validate()`]).
    pub unsafe fn use_native_rules(&self, native: Arc<dyn NativeRules>) {
        let _ = self.native.set(native);
    }

    /// The first error in a start state, if there is one.
    pub fn start_fault(&self) -> Option<Fault> {
        let mut found = None;
        self.each_initial(&mut |_, fault| found = found.take().or(fault));
        found
    }

    /// Adds the steps from `state` to `out`, without machine code.
    pub fn interpret(&self, scratch: &mut RuleScratch, state: &[u8], out: &mut Successors) {
        expand(&self.program, self.rules(), scratch, state, out);
    }

    fn scratch<'s>(&self, scratch: &'s mut Scratch) -> &'s mut RuleScratch {
        scratch.get(|| RuleScratch::new(self.rules()))
    }

    /// Calls `each` with the initial states, each with the error that its start rule ran into, if any.
    fn each_initial(&self, each: &mut dyn FnMut(&[u8], Option<Fault>)) {
        let (program, rules) = (&*self.program, self.rules());
        // One memory for the tests and one for the bodies, used again: there may be millions of combinations.
        let (mut for_tests, mut for_bodies) = (RuleMemory::default(), RuleMemory::default());
        let mut state = Vec::new();
        for rule in &rules.starts {
            let mut bytes = program.fixed.clone();
            let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut for_tests);
            machine.enter(rule.slots, &rule.frame);
            each_enabled(rule, &mut machine, &mut |_, combination, mut error| {
                state.clone_from(&program.fixed);
                let mut machine = RuleMachine::new(program, rules, &mut state, 0, &mut for_bodies);
                if error.is_none() {
                    let ready = prepare(&mut machine, rule, combination) && !machine.has_error();
                    if !ready || !machine.execute(rule) {
                        error = machine.take_error();
                    }
                }
                each(&state, error.map(|error| fault(program, error)));
            });
        }
    }

    /// The fault that a violated invariant is.
    fn violated(&self, invariant: &Invariant) -> Fault {
        let plain = || (FaultKind::Invariant, format!("invariant \"{}\" does not hold", invariant.name));
        let (kind, message) = invariant.fault.clone().unwrap_or_else(plain);
        Fault { kind, message, at: place_of(&self.program, invariant.source) }
    }

    /// Charges the local variables of calls to the budget of `out`, and limits them by it. False if there is no room.
    fn charge_frames(scratch: &mut RuleScratch, out: &mut Successors) -> bool {
        let held = scratch.memory.held_bytes().max(scratch.rule_frame);
        if !out.charge(held) {
            scratch.memory = RuleMemory::default();
            return false;
        }
        // While frames are reallocated they take their memory twice.
        scratch.memory.most_frames =
            out.budget_left().map(|left| (left.saturating_sub(held as u64) / 2) as usize + held);
        scratch.memory.short_of_memory = false;
        true
    }
}

impl Model for RuleModel {
    fn schema(&self) -> &Arc<Schema> {
        &self.program.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        self.each_initial(&mut |state, _| each(state));
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let mut all = std::mem::take(&mut out.scratch);
        let scratch = self.scratch(&mut all);
        if !scratch.has_large_frames || Self::charge_frames(scratch, out) {
            match self.native.get() {
                // SAFETY: it was made from this program (see `use_native_rules`).
                Some(native) => unsafe { native.expand(self, scratch, state, out) },
                None => self.interpret(scratch, state, out),
            }
            if std::mem::take(&mut scratch.memory.short_of_memory) {
                out.refuse(Refused::Memory);
            }
        }
        out.scratch = all;
    }

    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, footprints: &mut Footprints) -> bool {
        footprints.clear();
        self.successors(state, out);
        let mut scratch = std::mem::take(&mut out.scratch);
        add_footprints(&self.program, self.rules(), self.scratch(&mut scratch), state, out, footprints);
        out.scratch = scratch;
        true
    }

    fn check(&self, state: &[u8], scratch: &mut Scratch) -> Option<Fault> {
        if self.native.get().is_some_and(|native| native.holds(state)) || self.is_error_state(state) {
            return None;
        }
        let (rules, scratch) = (self.rules(), self.scratch(scratch));
        let mut bytes = std::mem::take(&mut scratch.memory.state);
        bytes.clear();
        bytes.extend_from_slice(state);
        let mut machine = RuleMachine::new(&self.program, rules, &mut bytes, 0, &mut scratch.memory);
        let mut found = None;
        for invariant in &rules.invariants {
            machine.enter(invariant.slots, &invariant.frame);
            if !invariant.tests.iter().all(|test| machine.passes(test, invariant.source)) {
                found = Some(match machine.take_error() {
                    Some(error) => fault(&self.program, error),
                    None => self.violated(invariant),
                });
                break;
            }
        }
        scratch.memory.state = bytes;
        found
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired {
        fire(&self.program, self.rules(), self.scratch(scratch), state, step, to)
    }

    fn fire_nth(&self, state: &[u8], number: usize, to: &mut Vec<u8>, out: &mut Successors) -> Fired {
        out.clear();
        let mut all = std::mem::take(&mut out.scratch);
        let scratch = self.scratch(&mut all);
        let native = self.native.get().filter(|_| !scratch.has_large_frames);
        let is_told = native.is_some_and(|native| {
            // SAFETY: it was made from this program (see `use_native_rules`).
            u32::try_from(number).is_ok_and(|number| unsafe { native.nth(self, scratch, state, number, out) })
        });
        out.scratch = all;
        if is_told {
            return out.fired(0, to);
        }
        self.successors(state, out);
        out.fired(number, to)
    }

    fn is_error_state(&self, state: &[u8]) -> bool {
        self.rules().failed.as_deref() == Some(state)
    }

    /// The class of the first participant.
    fn step_class(&self, _state: &[u8], step: Step) -> StepClass {
        let rule = self.rules().rules.get(rule_of(step).0);
        rule.and_then(|rule| rule.participants.first()).map_or(StepClass::LAST, |first| first.kind.class())
    }

    fn describe(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        describe::step(&self.program, self.rules(), state, step).into_iter().for_each(each);
    }

    fn label(&self, _state: &[u8], step: Step, out: &mut String) {
        describe::label(self.rules(), step, out);
    }

    fn describe_initial(&self, number: u32) -> Option<StepText> {
        describe::initial(&self.program, self.rules(), number)
    }

    fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        self.rules().symmetry.as_ref()
    }

    fn deadlock(&self) -> &'static str {
        if self.rules().automata.is_empty() {
            "no rule is enabled that changes the state"
        } else {
            "no process can move"
        }
    }

    fn standing(&self, state: &[u8]) -> Vec<StepText> {
        if self.is_error_state(state) {
            return Vec::new();
        }
        describe::locations(&self.program, self.rules(), state)
    }

    fn unreached(&self, scratch: &Scratch) -> Vec<StepText> {
        let Some(scratch) = scratch.peek::<RuleScratch>() else { return Vec::new() };
        describe::never_executed(&self.program, self.rules(), &scratch.exercised)
    }
}
