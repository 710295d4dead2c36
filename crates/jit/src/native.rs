//! Machine code for rules, ready to run.

use crate::engine::Machine;
use crate::run::{Function, Run};
use cranelift_module::FuncId;
use tightrope_core::{Repr, Stuck, Successors};
use tightrope_ir::dispatch::Dispatch;
use tightrope_ir::rule_steps::{self, RuleWork};
use tightrope_ir::{NativeRules, Program, RuleSet};

/// The rules of one priority, as functions of some kind.
pub struct Level<F> {
    /// Those that start from everywhere.
    pub anywhere: Vec<F>,
    /// For every automaton where its location is, and, by location, the rules that it leads from there.
    pub led: Vec<(usize, Repr, Vec<Unit<F>>)>,
}

/// The rules that an automaton leads from a location.
pub struct Unit<F> {
    /// Their function, if there are any.
    pub function: Option<F>,
    /// They are looked at even while an automaton is at an urgent location.
    pub while_pressed: bool,
}

/// Machine code for a set of rules.
pub struct Compiled {
    levels: Vec<Level<Function>>,
    check: Option<Function>,
    /// The bytes of a state.
    size: usize,
    /// The functions lie in it.
    _machine: Machine,
}

impl Compiled {
    /// Takes the functions out of a machine.
    pub fn new(machine: Machine, levels: Vec<Level<FuncId>>, check: Option<FuncId>, size: usize) -> Compiled {
        // SAFETY: all functions of rules were declared with this signature; they live as long as the machine.
        let find = |id: FuncId| unsafe { std::mem::transmute::<*const u8, Function>(machine.address(id)) };
        let unit = |unit: Unit<FuncId>| Unit { function: unit.function.map(find), while_pressed: unit.while_pressed };
        let level = |level: Level<FuncId>| Level {
            anywhere: level.anywhere.into_iter().map(find).collect(),
            led: level
                .led
                .into_iter()
                .map(|(offset, repr, units)| (offset, repr, units.into_iter().map(unit).collect()))
                .collect(),
        };
        Compiled { levels: levels.into_iter().map(level).collect(), check: check.map(find), size, _machine: machine }
    }

    /// Runs the functions for a state. False if there was trouble.
    fn run(&self, run: &mut Run<'_>, state: &[u8], pressed: bool) -> bool {
        let begin = run.mark();
        for level in &self.levels {
            if !pressed {
                for &function in &level.anywhere {
                    // SAFETY: made for these states, and the machine is still there.
                    if unsafe { !run.call(function, state) } {
                        return false;
                    }
                }
            }
            for (offset, repr, units) in &level.led {
                let location = repr.load(state, *offset) as u32;
                let Some(unit) = units.get(location as usize) else { continue };
                let Some(function) = unit.function else { continue };
                if pressed && !unit.while_pressed {
                    continue;
                }
                // SAFETY: as above.
                if unsafe { !run.call(function, state) } {
                    return false;
                }
            }
            // The buffer moves only when there is something to be put into it.
            if run.mark() != begin {
                break;
            }
        }
        true
    }
}

impl NativeRules for Compiled {
    unsafe fn expand(
        &self,
        program: &Program,
        rules: &RuleSet,
        work: &mut RuleWork,
        state: &[u8],
        out: &mut Successors,
    ) {
        // Where states have no bytes, machine code would not see the end of the room for entries.
        if state.len() != self.size || self.size == 0 {
            return rule_steps::expand(program, rules, work, state, out);
        }
        out.stuck = Stuck::No;
        if rules.failed.as_deref() == Some(state) {
            out.stuck = Stuck::Failed;
            return;
        }
        let pressed = Dispatch::is_pressed(rules, state);
        let (begin, first) = (out.bytes.len(), out.len());
        let Some(mut run) = Run::new(out, &mut work.exercised, self.size, pressed) else { return };
        let fine = self.run(&mut run, state, pressed);
        run.settle();
        if out.refused().is_some() {
            return;
        }
        if !fine {
            out.bytes.truncate(begin);
            out.items.truncate(first);
            return rule_steps::expand(program, rules, work, state, out);
        }
        let stays = |index: usize| out.state(index) == Some(state);
        if out.len() == first || rules.idle_is_stuck && (first..out.len()).all(stays) {
            out.stuck = Stuck::Deadlock;
        }
    }

    fn holds(&self, state: &[u8]) -> bool {
        let Some(check) = self.check else { return true };
        if state.len() != self.size {
            return false;
        }
        // SAFETY: made for these states, and the machine is still there.
        unsafe { Run::looking(self.size).call(check, state) }
    }
}
