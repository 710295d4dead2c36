//! Machine code for rules, ready to run.

use super::rule_call::{RuleCall, RuleFunction};
use crate::engine::ExecutableCode;
use cranelift_module::FuncId;
use tightrope_core::{Repr, Successors, Terminal};
use tightrope_ir::rule::{Dispatch, NativeRules, RuleModel, RuleScratch};

/// The rules of one priority, as functions of some kind.
pub struct LevelCode<F> {
    /// Those that start from everywhere.
    pub anywhere: Vec<F>,
    /// For every automaton the place of its location and, by location, the code of the rules that start there.
    pub by_location: Vec<(usize, Repr, Vec<LocationCode<F>>)>,
}

/// The code of the rules that start from a location of an automaton.
pub struct LocationCode<F> {
    /// Their function, if there are any.
    pub function: Option<F>,
    /// They are tried even while an automaton is at a committed location.
    pub while_committed: bool,
}

/// Machine code for a set of rules.
pub struct CompiledRules {
    levels: Vec<LevelCode<RuleFunction>>,
    check: Option<RuleFunction>,
    /// The bytes of a state.
    size: usize,
    /// The functions lie in it.
    _code: ExecutableCode,
}

impl CompiledRules {
    /// Finds the functions in the executable code.
    pub fn new(
        code: ExecutableCode,
        levels: Vec<LevelCode<FuncId>>,
        check: Option<FuncId>,
        size: usize,
    ) -> CompiledRules {
        // SAFETY: all functions of rules were declared with this signature; they live as long as the code.
        let find = |id: FuncId| unsafe { std::mem::transmute::<*const u8, RuleFunction>(code.address(id)) };
        let unit = |unit: LocationCode<FuncId>| LocationCode {
            function: unit.function.map(find),
            while_committed: unit.while_committed,
        };
        let level = |level: LevelCode<FuncId>| LevelCode {
            anywhere: level.anywhere.into_iter().map(find).collect(),
            by_location: level
                .by_location
                .into_iter()
                .map(|(offset, repr, units)| (offset, repr, units.into_iter().map(unit).collect()))
                .collect(),
        };
        CompiledRules { levels: levels.into_iter().map(level).collect(), check: check.map(find), size, _code: code }
    }

    /// Runs the functions for a state. False if one bailed out.
    fn run(&self, call: &mut RuleCall<'_>, state: &[u8], committed_now: bool) -> bool {
        let begin = call.mark();
        // Written out, since it is executed for every state: with an iterator over the functions it takes a twentieth longer.
        for level in &self.levels {
            if !committed_now {
                for &function in &level.anywhere {
                    // SAFETY: made for these states, and the code is still there.
                    if unsafe { !call.run(function, state) } {
                        return false;
                    }
                }
            }
            for (offset, repr, units) in &level.by_location {
                let location = repr.load(state, *offset) as u32;
                let Some(unit) = units.get(location as usize) else { continue };
                let Some(function) = unit.function else { continue };
                if committed_now && !unit.while_committed {
                    continue;
                }
                // SAFETY: as above.
                if unsafe { !call.run(function, state) } {
                    return false;
                }
            }
            // The buffer is reallocated only when an entry is added.
            if call.mark() != begin {
                break;
            }
        }
        true
    }

    /// Runs the functions for a state until one has taken a step after so many were passed over; it may have taken those behind it, too.
    /// False if one bailed out.
    fn run_until_taken(&self, call: &mut RuleCall<'_>, state: &[u8], committed_now: bool, skip: u32) -> bool {
        let begin = call.mark();
        call.pass_over(skip);
        for level in &self.levels {
            for function in level.functions(state, committed_now) {
                // SAFETY: as above.
                if unsafe { !call.run(function, state) } {
                    return false;
                }
                if call.mark() != begin {
                    return true;
                }
            }
            // Rules of lower priority are not enabled beside others.
            if call.to_pass_over() < skip {
                break;
            }
        }
        true
    }
}

impl LevelCode<RuleFunction> {
    /// The functions for a state, in their order.
    #[inline]
    fn functions<'l>(&'l self, state: &'l [u8], committed_now: bool) -> impl Iterator<Item = RuleFunction> + 'l {
        let anywhere = if committed_now { &[] } else { &self.anywhere[..] };
        let by_location = self.by_location.iter().filter_map(move |(offset, repr, units)| {
            let unit = units.get(repr.load(state, *offset) as u32 as usize)?;
            unit.function.filter(|_| !committed_now || unit.while_committed)
        });
        anywhere.iter().copied().chain(by_location)
    }
}

impl NativeRules for CompiledRules {
    unsafe fn expand(&self, model: &RuleModel, scratch: &mut RuleScratch, state: &[u8], out: &mut Successors) {
        let rules = model.rules();
        // Where states have no bytes, machine code would not see the end of the room for entries.
        if state.len() != self.size || self.size == 0 {
            return model.interpret(scratch, state, out);
        }
        out.terminal = Terminal::No;
        if rules.failed.as_deref() == Some(state) {
            out.terminal = Terminal::Failed;
            return;
        }
        let committed_now = Dispatch::is_committed_now(rules, state);
        let (begin, first) = (out.bytes.len(), out.len());
        let Some(mut call) = RuleCall::new(out, &mut scratch.exercised, self.size, committed_now) else { return };
        let fine = self.run(&mut call, state, committed_now);
        call.settle();
        if out.refused().is_some() {
            return;
        }
        if !fine {
            out.bytes.truncate(begin);
            out.items.truncate(first);
            return model.interpret(scratch, state, out);
        }
        let stays = |index: usize| out.state(index) == Some(state);
        if out.len() == first || rules.idle_is_stuck && (first..out.len()).all(stays) {
            out.terminal = Terminal::Deadlock;
        }
    }

    unsafe fn nth(
        &self,
        model: &RuleModel,
        scratch: &mut RuleScratch,
        state: &[u8],
        number: u32,
        out: &mut Successors,
    ) -> bool {
        let rules = model.rules();
        if state.len() != self.size || self.size == 0 || rules.failed.as_deref() == Some(state) {
            return false;
        }
        let committed_now = Dispatch::is_committed_now(rules, state);
        let Some(mut call) = RuleCall::new(out, &mut scratch.exercised, self.size, committed_now) else { return true };
        let fine = self.run_until_taken(&mut call, state, committed_now, number);
        call.settle();
        fine
    }

    fn holds(&self, state: &[u8]) -> bool {
        let Some(check) = self.check else { return true };
        if state.len() != self.size {
            return false;
        }
        // SAFETY: made for these states, and the code is still there.
        unsafe { RuleCall::looking(self.size).run(check, state) }
    }
}
