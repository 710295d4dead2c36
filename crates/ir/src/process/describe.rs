//! Steps and states of processes in words.

use super::eval::ProcessView;
use super::expansion::Expansion;
use super::layout::ProcessLayouts;
use super::model::ProcessModel;
use super::proctype::{Process, Transition};
use super::scratch::ProcessScratch;
use super::step::transitions_of;
use crate::Source;
use crate::program::place_of;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::fmt::Write;
use tightrope_core::{Step, StepText, Successors};

impl ProcessModel {
    /// Calls `each` with the moves that a step is made of: the process and its number, its transition, and what it prints.
    /// The step is executed for this.
    fn moves_of(&self, state: &[u8], step: Step, each: &mut dyn FnMut(&Process, usize, &Transition, &str)) {
        let mut scratch = ProcessScratch::new(self.program());
        let mut out = Successors::new();
        let mut expansion = Expansion::new(self, &mut scratch, &mut out).logging_moves();
        expansion.expand(state, Some(transitions_of(step).0));
        let Some(index) = expansion.out.steps().position(|found| found == step) else { return };
        let log = expansion.move_log.take().unwrap_or_default();
        drop(out);
        for (one, output) in log.path_to(index) {
            let process = &self.program().processes[one.kind as usize];
            each(process, usize::from(one.pid), &process.transitions[one.transition as usize], output);
        }
    }

    /// The moves of a step.
    pub(super) fn describe_step(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        self.moves_of(state, step, &mut |process, pid, transition, output| {
            each(StepText {
                actor: format!("{}[{pid}]", process.name),
                action: transition.text.clone(),
                at: place_of(self.program(), transition.source),
                output: output.to_string(),
            });
        });
    }

    /// Appends a step in few words.
    pub(super) fn label_step(&self, state: &[u8], step: Step, out: &mut String) {
        let (pid, transition, partner) = transitions_of(step);
        let first = self.mover(state, pid, transition);
        let second = partner.map_or(first, |(pid, transition)| self.mover(state, pid, transition));
        let keeps = |mover: (&Process, &Transition)| mover.1.keeps_control;
        match (first, second) {
            // What follows after control was kept shows only when the step is executed.
            (Some(first), Some(second)) if !keeps(first) && !keeps(second) => {
                let _ = write!(out, "{}[{pid}]: {}", first.0.name, first.1.text);
                if let Some((pid, _)) = partner {
                    let _ = write!(out, " | {}[{pid}]: {}", second.0.name, second.1.text);
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

    /// The location of each process, and its transitions there.
    pub(super) fn locations_of(&self, state: &[u8]) -> Vec<StepText> {
        let program = self.program();
        let mut layouts = ProcessLayouts::default();
        let Some(layout) = layouts.find(program, state) else { return Vec::new() };
        let error = Cell::new(None);
        let view = ProcessView::new(program, state, layouts.get(layout), 0, false, &error);
        let mut texts = Vec::new();
        for pid in 0..view.layout.count() {
            let process = &program.processes[view.layout.kind(pid) as usize];
            let Some(location) = process.locations.get(view.pc(pid)) else { continue };
            let transitions = &process.transitions[location.transitions()];
            let options: Vec<&str> = transitions.iter().map(|transition| transition.text.as_str()).collect();
            texts.push(StepText {
                actor: format!("{}[{pid}]", process.name),
                action: options.join(" | "),
                at: place_of(program, location.source),
                output: String::new(),
            });
        }
        texts
    }

    /// The statements that were never executed, by what is known of the transitions of each kind of process.
    pub(super) fn never_executed(&self, exercised: &[Vec<bool>]) -> Vec<StepText> {
        let mut texts = Vec::new();
        for (process, exercised) in self.program().processes.iter().zip(exercised) {
            let named = |transition: &'_ Transition| (transition.text.clone(), transition.source);
            let done: FxHashSet<(String, Source)> = process
                .transitions
                .iter()
                .zip(exercised)
                .filter(|(_, done)| **done)
                .map(|(one, _)| named(one))
                .collect();
            // A statement can be at several locations (the head of a loop, inlines): executed at one of them is executed.
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
                at: place_of(self.program(), source),
                output: String::new(),
            }));
        }
        texts
    }
}
