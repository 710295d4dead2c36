//! The symbol table.
//!
//! There is a scope for the top of the model, and one for each process. A state is only ever named where a state must
//! stand, so an expression looks past it for a variable of the same name.

use super::Checker;
use crate::hir::Model;
use crate::token::{Interner, Sym};
use rustc_hash::FxHashMap;
use tightrope_syntax::{Diagnostic, Name, Span, similar};

/// What must have a value is one of these.
const VALUE: &str = "variable or constant";

/// What a name stands for: most are positions in a list of the model or of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Variable(usize),
    /// The value.
    Constant(i32),
    Table(usize),
    Channel(usize),
    Process(usize),
    State(usize),
}

impl Symbol {
    fn has_value(self) -> bool {
        matches!(self, Symbol::Variable(_) | Symbol::Constant(_) | Symbol::Table(_))
    }

    /// What it is, for messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Symbol::Variable(_) => "a variable",
            Symbol::Constant(_) => "a constant",
            Symbol::Table(_) => "a constant array",
            Symbol::Channel(_) => "a channel",
            Symbol::Process(_) => "a process",
            Symbol::State(_) => "a state",
        }
    }
}

/// What is declared in one scope.
#[derive(Debug, Default)]
pub(super) struct Scope {
    entries: FxHashMap<Sym, (Symbol, Span)>,
}

impl Scope {
    pub(super) fn find(&self, sym: Sym) -> Option<(Symbol, Span)> {
        self.entries.get(&sym).copied()
    }

    fn insert(&mut self, sym: Sym, symbol: Symbol, span: Span) {
        self.entries.insert(sym, (symbol, span));
    }

    /// The names at the top of a model.
    pub(super) fn of_model(model: &Model, names: &mut Interner) -> Scope {
        let mut scope = Scope::of_owner(model, None, names);
        for (at, channel) in model.channels.iter().enumerate() {
            scope.insert(names.intern(&channel.name), Symbol::Channel(at), channel.span);
        }
        for (at, process) in model.processes.iter().enumerate() {
            scope.insert(names.intern(&process.name), Symbol::Process(at), process.span);
        }
        scope
    }

    /// The names of a process.
    pub(super) fn of_process(model: &Model, process: usize, names: &mut Interner) -> Scope {
        let mut scope = Scope::of_owner(model, Some(process), names);
        for (at, state) in model.processes[process].states.iter().enumerate() {
            scope.insert(names.intern(&state.name), Symbol::State(at), state.span);
        }
        scope
    }

    /// The names of values that belong to a process, or to none.
    fn of_owner(model: &Model, owner: Option<usize>, names: &mut Interner) -> Scope {
        let mut scope = Scope::default();
        let variables = owner.map_or(&model.variables, |process| &model.processes[process].variables);
        for (at, variable) in variables.iter().enumerate() {
            scope.insert(names.intern(&variable.name), Symbol::Variable(at), variable.span);
        }
        for constant in model.constants.iter().filter(|constant| constant.process == owner) {
            scope.insert(names.intern(&constant.name), Symbol::Constant(constant.value), constant.span);
        }
        for (at, table) in model.tables.iter().enumerate().filter(|(_, table)| table.process == owner) {
            scope.insert(names.intern(&table.name), Symbol::Table(at), table.span);
        }
        scope
    }
}

impl Checker<'_> {
    /// Declares a name in the present scope, where it must be new. One that hides another is warned about.
    pub(super) fn declare(&mut self, name: Name, symbol: Symbol) {
        let text = self.text(name);
        let scope = match self.process {
            Some(process) => &mut self.locals[process],
            None => &mut self.globals,
        };
        if let Some((_, before)) = scope.find(name.sym) {
            let (before, again) = (before.min(name.span), before.max(name.span));
            let error = Diagnostic::error(format!("`{text}` is declared twice"))
                .at(again, "declared again here")
                .also(before, "declared here before");
            self.report(error);
            self.twice.insert(name.sym);
            return;
        }
        scope.insert(name.sym, symbol, name.span);
        if self.process.is_none() {
            return;
        }
        let Some((hidden, place)) = self.globals.find(name.sym) else { return };
        if symbol.has_value() && !matches!(hidden, Symbol::Process(_)) {
            let warning = Diagnostic::warning(format!("`{text}` hides {} of the same name", hidden.noun()))
                .at(name.span, "inside of this process, this one is meant")
                .also(place, "declared here");
            self.diags.push(warning);
        }
    }

    /// What a name stands for in an expression, and the process it belongs to.
    pub(super) fn find_value(&mut self, name: Name) -> Option<(Option<usize>, Symbol)> {
        let local = self.process.and_then(|process| self.locals[process].find(name.sym));
        if let Some((symbol, _)) = local.filter(|(symbol, _)| symbol.has_value()) {
            return Some((self.process, symbol));
        }
        match self.globals.find(name.sym).or(local) {
            Some((symbol, _)) if symbol.has_value() => return Some((None, symbol)),
            Some((symbol, place)) => self.not_a_value(name, symbol, place),
            None => self.undeclared(name, self.process, VALUE, |symbol| symbol.has_value()),
        }
        None
    }

    #[cold]
    fn not_a_value(&mut self, name: Name, symbol: Symbol, place: Span) {
        if self.twice.contains(&name.sym) {
            return;
        }
        let text = self.text(name);
        let help = match symbol {
            Symbol::Process(_) => format!("ask for a state by `{text}.state`, for a variable by `{text}->variable`"),
            Symbol::State(_) => {
                let process = self.process.map_or("P", |process| self.model.processes[process].name.as_str());
                format!("to ask for the state, write `{process}.{text}`")
            }
            _ => "a channel is used by `sync` only".to_string(),
        };
        let error = Diagnostic::error(format!("`{text}` is {}, not a variable", symbol.noun()))
            .at(name.span, "expected a variable or a constant")
            .also(place, "declared here");
        self.report(error.help(help));
    }

    /// The process with this name.
    pub(super) fn find_process(&mut self, name: Name) -> Option<usize> {
        match self.globals.find(name.sym) {
            Some((Symbol::Process(process), _)) => return Some(process),
            Some((symbol, place)) => self.something_else(name, "a process", symbol, place),
            None => self.undeclared(name, None, "process", |symbol| matches!(symbol, Symbol::Process(_))),
        }
        None
    }

    /// The channel with this name.
    pub(super) fn find_channel(&mut self, name: Name) -> Option<usize> {
        let local = self.process.and_then(|process| self.locals[process].find(name.sym));
        let hidden = local.filter(|(symbol, _)| symbol.has_value());
        match hidden.or_else(|| self.globals.find(name.sym)) {
            Some((Symbol::Channel(channel), _)) => return Some(channel),
            Some((symbol, place)) => self.something_else(name, "a channel", symbol, place),
            None => self.undeclared(name, None, "channel", |symbol| matches!(symbol, Symbol::Channel(_))),
        }
        None
    }

    /// The state of a process with this name.
    pub(super) fn find_state(&mut self, process: usize, name: Name) -> Option<usize> {
        match self.locals[process].find(name.sym) {
            Some((Symbol::State(state), _)) => return Some(state),
            Some((symbol, place)) => self.something_else(name, "a state", symbol, place),
            None => self.undeclared(name, Some(process), "state", |symbol| matches!(symbol, Symbol::State(_))),
        }
        None
    }

    /// The variable or constant of a process with this name.
    pub(super) fn find_foreign(&mut self, process: usize, name: Name) -> Option<Symbol> {
        match self.locals[process].find(name.sym) {
            Some((symbol, _)) if symbol.has_value() => return Some(symbol),
            Some((symbol, place)) => self.something_else(name, "a variable", symbol, place),
            None => self.undeclared(name, Some(process), "variable", |symbol| symbol.has_value()),
        }
        None
    }

    #[cold]
    fn something_else(&mut self, name: Name, expected: &str, symbol: Symbol, place: Span) {
        if self.twice.contains(&name.sym) {
            return;
        }
        let text = self.text(name);
        let error = Diagnostic::error(format!("`{text}` is {}, not {expected}", symbol.noun()))
            .at(name.span, format!("expected {expected}"))
            .also(place, "declared here");
        self.report(match (symbol, expected) {
            (Symbol::State(_), "a variable") => error.help("whether a process is in a state is asked by `P.state`"),
            (_, "a state") if symbol.has_value() => error.help("a variable of a process is written `P->variable`"),
            _ => error,
        });
    }

    /// Reports a name that is not declared, once for each process.
    #[cold]
    fn undeclared(&mut self, name: Name, process: Option<usize>, what: &str, fits: fn(Symbol) -> bool) {
        if !self.unknown.insert((process, name.sym)) {
            return;
        }
        let text = self.text(name);
        let owner = process.filter(|_| what != VALUE);
        let message = match owner {
            Some(owner) => format!("`{}` has no {what} `{text}`", self.model.processes[owner].name),
            None => format!("`{text}` is not declared"),
        };
        let mut error = Diagnostic::error(message).at(name.span, format!("no such {what}"));
        let later = self.later.get(&name.sym).filter(|later| owner.is_none() && later.start > name.span.start);
        if let Some(&later) = later {
            error = error.also(later, "declared here").help("a constant can be used only after its declaration");
        } else if let Some(help) = self.elsewhere(name, process, what) {
            error = error.help(help);
        } else if let Some(similar) = self.similar(text, process, owner.is_none(), fits) {
            error = error.help(format!("did you mean `{similar}`?"));
        }
        self.report(error);
    }

    /// How to name something of this name in another process.
    fn elsewhere(&self, name: Name, process: Option<usize>, what: &str) -> Option<String> {
        if what != VALUE {
            return None;
        }
        let text = self.text(name);
        let mut owners = self.locals.iter().enumerate().filter(|(owner, _)| Some(*owner) != process);
        let (owner, symbol) = owners.find_map(|(owner, scope)| Some((owner, scope.find(name.sym)?.0)))?;
        let owner = &self.model.processes[owner].name;
        let dots = if symbol.has_value() { "->" } else { "." };
        Some(format!("{} of another process is written `{owner}{dots}{text}`", symbol.noun()))
    }

    /// A name that fits and looks like this one; the one that comes first of several.
    fn similar(&self, text: &str, process: Option<usize>, global: bool, fits: fn(Symbol) -> bool) -> Option<String> {
        let scopes = process.map(|process| &self.locals[process]).into_iter().chain(global.then_some(&self.globals));
        let entries = scopes.flat_map(|scope| &scope.entries).filter(|(_, (symbol, _))| fits(*symbol));
        similar(text, entries.map(|(sym, _)| self.names.text(*sym))).map(str::to_string)
    }
}
