//! Synchronous systems: all processes step together.
//!
//! Every combination of one transition per process is a rule. The effects of each transition are those it has on the state
//! before, whatever the others do; two that assign to the same global variable lead to the error state. A sync
//! clause on an unbuffered channel is ignored; transitions on buffered channels are never taken.

use super::Lower;
use super::interleaving::Move;
use tightrope_ir::{Base, Rule, Stmt, StmtKind};
use tightrope_syntax::{Diagnostic, Diagnostics};

/// The most combinations there may be.
const MAX_COMBINATIONS: u128 = 1 << 16;

impl<'m> Lower<'m> {
    pub(super) fn synchronous(&mut self, diags: &mut Diagnostics) -> Option<()> {
        let model = self.model;
        let choices: Vec<Vec<Move<'m>>> = (0..model.processes.len())
            .filter(|&process| model.left_out != Some(process))
            .map(|process| self.choices(process))
            .collect();
        if choices.is_empty() {
            return Some(());
        }
        let count = choices.iter().fold(1u128, |count, moves| count.saturating_mul(moves.len() as u128));
        if count > MAX_COMBINATIONS {
            let message = format!(
                "the processes of this synchronous system have {count} combinations of transitions; \
                 at most {MAX_COMBINATIONS} are possible"
            );
            diags.push(Diagnostic::error(message));
            return None;
        }
        let mut combination = vec![0; choices.len()];
        for _ in 0..count {
            let moves: Vec<Move<'m>> = combination.iter().zip(&choices).map(|(&at, moves)| moves[at]).collect();
            let rule = self.combined_step(&moves);
            self.rules.rules.push(rule);
            // The first process changes fastest.
            for (at, moves) in combination.iter_mut().zip(&choices) {
                *at += 1;
                if *at < moves.len() {
                    break;
                }
                *at = 0;
            }
        }
        Some(())
    }

    /// The transitions that a process can take: all but those on channels that hold messages.
    fn choices(&self, process: usize) -> Vec<Move<'m>> {
        let model = self.model;
        let transitions = model.processes[process].transitions.iter();
        let unbuffered = transitions.filter(|transition| {
            transition.sync.as_ref().is_none_or(|sync| model.channels[sync.channel].capacity == 0)
        });
        unbuffered.map(|transition| Move { process, transition }).collect()
    }

    fn combined_step(&self, moves: &[Move<'_>]) -> Rule {
        let mut rule = Rule::default();
        for one in moves {
            self.add_participant(&mut rule, *one);
        }
        let source = self.source(moves[0].transition.span);
        rule.source = source;
        if let Some(name) = self.conflict(moves) {
            let message = format!("two processes assign to `{name}` at once");
            rule.body.push(Stmt { kind: StmtKind::Error(message), source });
            return rule;
        }
        // The memory of the rule holds the state before, and the one to come.
        let size = self.layout.initial.len() as u32;
        rule.frame = vec![0; 2 * size as usize];
        let copy = |to: (Base, u32), from: (Base, u32), size: u32| {
            let kind = StmtKind::Copy(self.bytes(to.0, to.1), self.bytes(from.0, from.1), size);
            Stmt { kind, source }
        };
        rule.body.push(copy((Base::Frame, 0), (Base::Global, 0), size));
        rule.body.push(copy((Base::Frame, size), (Base::Global, 0), size));
        for one in moves {
            rule.body.extend(self.moves(*one));
            let mut ranges = vec![self.process_bytes(one.process)];
            ranges.extend(self.assigned(one).into_iter().map(|global| self.global(global)));
            for (offset, length) in ranges {
                rule.body.push(copy((Base::Frame, size + offset), (Base::Global, offset), length));
            }
            rule.body.push(copy((Base::Global, 0), (Base::Frame, 0), size));
        }
        rule.body.push(copy((Base::Global, 0), (Base::Frame, size), size));
        rule
    }

    /// The bytes that belong to a process: where, and how many.
    fn process_bytes(&self, process: usize) -> (u32, u32) {
        let start = self.layout.locations[process].offset;
        let next = self.layout.locations.get(process + 1).map(|location| location.offset);
        (start, next.unwrap_or(self.layout.initial.len() as u32) - start)
    }

    /// The bytes of a global variable.
    fn global(&self, index: usize) -> (u32, u32) {
        let slot = self.layout.globals[index];
        (slot.offset, slot.ty.size() * self.model.variables[index].initial.len() as u32)
    }
}
