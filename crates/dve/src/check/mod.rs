//! The checker: name resolution.
//!
//! It walks the syntax tree twice. First come the declarations, in the order of the source, because constants can be used
//! only after they are declared; then the bodies of the processes, which may name processes that come later. Something
//! wrong becomes the constant 0, and each mistake is reported once.

mod constant;
mod decl;
mod expr;
mod process;
mod scope;
mod transition;

use crate::ast::{self, Item, Program};
use crate::hir::{Expr, ExprKind, Model};
use crate::token::{Interner, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scope, Symbol};
use tightrope_syntax::{Diagnostic, Diagnostics, Name, Span};
use transition::Uses;

/// Checks a program that was parsed without errors. What it returns is only of use if no error was reported.
pub(crate) fn check(program: &Program, names: &Interner, diags: &mut Diagnostics) -> Model {
    let mut checker = Checker::new(Model::default(), names, diags);
    checker.program(program);
    checker.model
}

/// Checks an expression that stands outside of all processes. What it returns is only of use if no error was reported.
pub(crate) fn check_expression(expr: &ast::Expr, model: &Model, names: &mut Interner, diags: &mut Diagnostics) -> Expr {
    let globals = Scope::of_model(model, names);
    let locals = (0..model.processes.len()).map(|process| Scope::of_process(model, process, names)).collect();
    let mut checker = Checker::new(model.clone(), names, diags);
    checker.globals = globals;
    checker.locals = locals;
    checker.in_goal = true;
    checker.expr(expr)
}

struct Checker<'a> {
    names: &'a Interner,
    diags: &'a mut Diagnostics,
    model: Model,
    globals: Scope,
    /// The names of each process.
    locals: Vec<Scope>,
    /// The process that is being checked.
    process: Option<usize>,
    /// How each channel is used.
    uses: Vec<Uses>,
    /// Whether this is a goal: `P.x` may be a variable there, and an index that is out of bounds is an error.
    in_goal: bool,
    /// How many values there are in all variables and tables.
    cells: usize,
    /// Places that have an error already: a second one there would be a follow-on error.
    reported: FxHashSet<Span>,
    /// Whether an expression must be constant: then an index outside of an array is an error already.
    in_constant: bool,
    /// Names that are declared twice in a scope: uses of them are not checked.
    twice: FxHashSet<Sym>,
    /// Where each global name is declared, for messages about uses before the declaration.
    later: FxHashMap<Sym, Span>,
    /// Names that were not found, each with the process where it was looked for.
    unknown: FxHashSet<(Option<usize>, Sym)>,
}

impl<'a> Checker<'a> {
    fn new(model: Model, names: &'a Interner, diags: &'a mut Diagnostics) -> Self {
        Checker {
            names,
            diags,
            model,
            globals: Scope::default(),
            locals: Vec::new(),
            process: None,
            uses: Vec::new(),
            in_goal: false,
            cells: 0,
            reported: FxHashSet::default(),
            in_constant: false,
            twice: FxHashSet::default(),
            later: FxHashMap::default(),
            unknown: FxHashSet::default(),
        }
    }

    fn program(&mut self, program: &Program) {
        let declared = program.items.iter().map(|item| match item {
            Item::Variable(variable) => variable.name,
            Item::Channel(channel) => channel.name,
            Item::Process(process) => process.name,
        });
        self.later = declared.map(|name| (name.sym, name.span)).collect();
        for item in &program.items {
            match item {
                Item::Variable(variable) => self.variable(variable),
                Item::Channel(channel) => self.channel(channel),
                Item::Process(process) => self.declare_process(process),
            }
            if self.diags.is_full() {
                return;
            }
        }
        let processes = program.items.iter().filter_map(|item| match item {
            Item::Process(process) => Some(process),
            _ => None,
        });
        for (number, process) in processes.enumerate() {
            self.process = Some(number);
            self.body(number, process);
            if self.diags.is_full() {
                return;
            }
        }
        self.process = None;
        self.count_values();
        if self.model.processes.is_empty() {
            let error = at_end(program, Diagnostic::error("the model has no processes"));
            self.diags.push(error.help("add one: `process P { state s; init s; }`"));
            return;
        }
        self.systems(program);
    }

    fn systems(&mut self, program: &Program) {
        let [system, others @ ..] = program.systems.as_slice() else {
            let error = Diagnostic::error("the model has no `system` line");
            let error = at_end(program, error);
            self.diags.push(error.help("add `system async;` at the end"));
            return;
        };
        if let Some(other) = others.first() {
            let error = Diagnostic::error("the model has two `system` lines")
                .at(other.span, "the second one")
                .also(system.span, "the first one");
            self.report(error);
        }
        self.model.synchronous = system.synchronous;
        if let Some(property) = system.property {
            self.model.property = self.find_process(property);
        }
    }

    fn text(&self, name: Name) -> &'a str {
        self.names.text(name.sym)
    }

    /// Reports an error, unless its place has one already.
    fn report(&mut self, error: Diagnostic) {
        if self.reported.insert(error.span().unwrap_or_default()) {
            self.diags.push(error);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) {
        self.report(Diagnostic::error(message).at(span, label));
    }
}

/// Something that is missing, and could stand at the end.
fn at_end(program: &Program, error: Diagnostic) -> Diagnostic {
    match program.end {
        Some(end) => error.at(end, "the model ends here"),
        None => error,
    }
}

fn number(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), span }
}

/// An expression that stands for something wrong.
fn wrong(span: Span) -> Expr {
    number(0, span)
}

#[cfg(test)]
mod tests;
