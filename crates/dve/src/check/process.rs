//! Processes.

use super::{Checker, Scope, Symbol};
use crate::ast::{self, AcceptKind};
use crate::hir::{Acceptance, Assert, Process, State};
use rustc_hash::FxHashSet;
use tightrope_syntax::{Diagnostic, Name};

impl Checker<'_> {
    /// Declares a process with its variables and states.
    pub(super) fn declare_process(&mut self, process: &ast::Process) {
        let position = self.model.processes.len();
        let (name, span) = (self.text(process.name).to_string(), process.name.span);
        self.model.processes.push(Process { name, span, ..Process::default() });
        self.locals.push(Scope::default());
        self.declare(process.name, Symbol::Process(position));
        self.process = Some(position);
        for (at, &state) in process.states.iter().enumerate() {
            let name = self.text(state).to_string();
            let states = &mut self.model.processes[position].states;
            states.push(State { name, span: state.span, commit: false, accept: false });
            self.declare(state, Symbol::State(at));
        }
        for variable in &process.variables {
            self.variable(variable);
        }
        self.process = None;
    }

    /// Everything in a process that uses names.
    pub(super) fn body(&mut self, position: usize, process: &ast::Process) {
        let name = self.text(process.name);
        if process.states.is_empty() {
            let error = Diagnostic::error(format!("the process `{name}` has no states"))
                .at(process.name.span, "`state` is missing")
                .help("name them: `state a, b;`");
            self.report(error);
            return;
        }
        match process.inits.as_slice() {
            [] => {
                let error = Diagnostic::error(format!("the process `{name}` has no initial state"))
                    .at(process.name.span, "`init` is missing")
                    .help(format!("name one: `init {};`", self.text(process.states[0])));
                self.report(error);
            }
            [init, others @ ..] => {
                if let Some(other) = others.first() {
                    let error = Diagnostic::error(format!("the process `{name}` has two initial states"))
                        .at(other.span, "the second one")
                        .also(init.span, "the first one");
                    self.report(error);
                }
                self.model.processes[position].init = self.find_state(position, *init).unwrap_or(0);
            }
        }
        for state in self.states(position, &process.commits) {
            self.model.processes[position].states[state].commit = true;
        }
        self.acceptance(position, process);
        for assert in &process.asserts {
            let state = self.find_state(position, assert.state);
            let condition = self.expr(&assert.condition);
            let span = assert.state.span.to(assert.condition.span);
            if let Some(state) = state {
                self.model.processes[position].asserts.push(Assert { state, condition, span });
            }
        }
        self.transitions(position, process);
    }

    /// The states with these names, each once, in the order of the names.
    fn states(&mut self, process: usize, names: &[Name]) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let mut states: Vec<usize> = names.iter().filter_map(|name| self.find_state(process, *name)).collect();
        states.retain(|state| seen.insert(*state));
        states
    }

    fn acceptance(&mut self, position: usize, process: &ast::Process) {
        let mut first = None;
        for accept in &process.accepts {
            let both_buchi = matches!(accept.kind, AcceptKind::Buchi(_))
                && self.model.processes[position].accept == Acceptance::Buchi;
            if let Some(before) = first.filter(|_| !both_buchi) {
                let name = self.text(process.name);
                let error = Diagnostic::error(format!("the process `{name}` has two acceptance conditions"))
                    .at(accept.span, "the second one")
                    .also(before, "the first one");
                self.report(error);
                return;
            }
            first = first.or(Some(accept.span));
            let acceptance = match &accept.kind {
                AcceptKind::Buchi(names) => {
                    for state in self.states(position, names) {
                        self.model.processes[position].states[state].accept = true;
                    }
                    Acceptance::Buchi
                }
                AcceptKind::GenBuchi(sets) => Acceptance::GenBuchi(self.sets(position, sets)),
                AcceptKind::Muller(sets) => Acceptance::Muller(self.sets(position, sets)),
                AcceptKind::Rabin(pairs) => Acceptance::Rabin(self.pairs(position, pairs)),
                AcceptKind::Streett(pairs) => Acceptance::Streett(self.pairs(position, pairs)),
            };
            self.model.processes[position].accept = acceptance;
        }
    }

    fn sets(&mut self, process: usize, sets: &[Vec<Name>]) -> Vec<Vec<usize>> {
        sets.iter().map(|set| self.states(process, set)).collect()
    }

    fn pairs(&mut self, process: usize, pairs: &[(Vec<Name>, Vec<Name>)]) -> Vec<(Vec<usize>, Vec<usize>)> {
        pairs.iter().map(|(first, second)| (self.states(process, first), self.states(process, second))).collect()
    }
}
