//! The checker: name resolution and type checking.
//!
//! It walks the syntax tree once, in the order of the source, because that is Murphi's rule: a name may be used only
//! after it is declared. Something wrong gets the type [`Types::ERROR`], which fits everywhere, so that one mistake is
//! reported once.

mod decl;
mod expr;
mod order;
mod place;
mod routine;
mod rule;
mod scope;
mod statement;

use crate::ast::{self, Decl, Item, Program};
use crate::hir::{self, Expr, ExprKind, Goal, Model, Slot, SlotKind, TypeId, Types};
use crate::token::{Interner, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scopes, Symbol};
use tightrope_syntax::{Diagnostic, Diagnostics, Name, Span};

/// Checks a program that was parsed without errors. What it returns is only of use if no error was reported.
pub(crate) fn check(program: &Program, names: &mut Interner, diags: &mut Diagnostics) -> Model {
    let scopes = Scopes::of_model(&Model::default(), names);
    let mut checker = Checker::new(Model::default(), scopes, names, diags);
    checker.later = names_at_top(program);
    checker.program(program);
    checker.model.names = checker.scopes.at_top(names);
    checker.model
}

/// Checks an expression that stands at the end of a model, which gets the types that occur in it. What it returns is
/// only of use if no error was reported; the goal's text is left open.
pub(crate) fn check_goal(expr: &ast::Expr, model: &mut Model, names: &mut Interner, diags: &mut Diagnostics) -> Goal {
    let scopes = Scopes::of_model(model, names);
    let mut checker = Checker::new(std::mem::take(model), scopes, names, diags);
    checker.next_value = checker.types().next_value();
    checker.frame.pure = Some("a goal");
    checker.in_goal = true;
    let condition = checker.condition(expr, "a goal");
    *model = checker.model;
    Goal { condition, slots: checker.frame.slots, text: String::new() }
}

struct Checker<'a> {
    names: &'a Interner,
    diags: &'a mut Diagnostics,
    model: Model,
    scopes: Scopes,
    /// Where each global name is declared, for messages about uses before the declaration.
    later: FxHashMap<Sym, Span>,
    /// The number of the next value of an enum or a scalarset.
    next_value: i32,
    frame: Frame,
    /// Places that have an error already: a second one there would be a follow-on error.
    reported: FxHashSet<Span>,
    /// `for` loops over scalarsets whose order may matter: where, because of what, and why.
    scalarset_loops: Vec<(Span, Span, &'static str)>,
    /// Types that were taken for variables, which was reported.
    misused: FxHashSet<Sym>,
    /// Where variables are declared that were assigned to and cannot be, which was reported.
    unassignable: FxHashSet<Span>,
    /// This is a goal: an index that is out of bounds is an error there.
    in_goal: bool,
    /// How many rules, start states and invariants without a name there were.
    unnamed_rules: [u32; 3],
}

/// The routine or rule that is being checked.
#[derive(Default)]
struct Frame {
    slots: Vec<Slot>,
    binders: Vec<hir::Binder>,
    /// The routine's position.
    routine: Option<u32>,
    /// The type of what a function returns.
    returns: Option<TypeId>,
    has_return: bool,
    recursive: bool,
    writes_globals: bool,
    writes_param: Vec<bool>,
    /// Where side effects are forbidden: in what.
    pure: Option<&'static str>,
}

/// All names that are declared at the top.
fn names_at_top(program: &Program) -> FxHashMap<Sym, Span> {
    let mut names = FxHashMap::default();
    for item in &program.items {
        match item {
            Item::Decl(Decl::Const(list, _) | Decl::Type(list, _) | Decl::Var(list, _)) => {
                names.extend(list.iter().map(|name| (name.sym, name.span)));
            }
            Item::Routine(routine) => {
                names.insert(routine.name.sym, routine.name.span);
            }
            Item::Rule(_) => {}
        }
    }
    names
}

impl<'a> Checker<'a> {
    fn new(model: Model, scopes: Scopes, names: &'a Interner, diags: &'a mut Diagnostics) -> Self {
        Checker {
            names,
            diags,
            model,
            scopes,
            later: FxHashMap::default(),
            next_value: Types::FIRST_VALUE,
            frame: Frame::default(),
            reported: FxHashSet::default(),
            scalarset_loops: Vec::new(),
            misused: FxHashSet::default(),
            unassignable: FxHashSet::default(),
            in_goal: false,
            unnamed_rules: [0; 3],
        }
    }
}

impl Checker<'_> {
    fn program(&mut self, program: &Program) {
        let before = self.diags.error_count();
        for item in &program.items {
            match item {
                Item::Decl(decl) => self.decl(decl),
                Item::Routine(routine) => self.routine(routine),
                Item::Rule(rule) => {
                    self.frame = Frame::default();
                    self.rule(rule);
                }
            }
            if self.diags.is_full() {
                return;
            }
        }
        if self.diags.error_count() > before {
            return;
        }
        let complaints = [
            (self.model.rules.is_empty(), "rules", "add a rule: `rule \"name\" guard ==> begin … end;`"),
            (self.model.start_states.is_empty(), "start states", "add one: `startstate begin … end;`"),
        ];
        for (missing, what, help) in complaints {
            if missing {
                self.diags.push(Diagnostic::error(format!("the model has no {what}")).help(help));
                return;
            }
        }
        self.warn_about_scalarset_loops();
    }

    /// One warning for all loops, where CMurphi gives one for each.
    fn warn_about_scalarset_loops(&mut self) {
        let [(place, culprit, why), others @ ..] = self.scalarset_loops.as_slice() else {
            return;
        };
        let warning = Diagnostic::warning("the result of this loop may depend on the order of a scalarset's values")
            .at(*place, "runs over a scalarset")
            .also(*culprit, *why)
            .note("symmetry reduction relies on the values of a scalarset being interchangeable");
        let warning = match others.len() {
            0 => warning,
            1 => warning.note("the same holds for 1 more loop"),
            count => warning.note(format!("the same holds for {count} more loops")),
        };
        self.diags.push(warning);
    }

    fn text(&self, name: Name) -> &str {
        self.names.text(name.sym)
    }

    fn types(&self) -> &Types {
        &self.model.types
    }

    fn describe(&self, ty: TypeId) -> String {
        self.model.types.describe(ty)
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

    /// A new slot.
    fn slot(&mut self, name: String, ty: TypeId, kind: SlotKind, span: Span) -> u32 {
        self.frame.slots.push(Slot { name, ty, kind, span });
        self.frame.slots.len() as u32 - 1
    }

    /// A new slot that a name stands for.
    fn named_slot(&mut self, name: Name, ty: TypeId, kind: SlotKind) -> u32 {
        let slot = self.slot(self.text(name).to_string(), ty, kind, name.span);
        self.declare(name, Symbol::Slot(slot));
        slot
    }

    /// Declares a name in the present scope, where it must be new.
    fn declare(&mut self, name: Name, symbol: Symbol) {
        if let Some(before) = self.scopes.in_this_scope(name.sym) {
            let text = self.text(name);
            let error = Diagnostic::error(format!("`{text}` is declared twice"))
                .at(name.span, "declared again here")
                .also(before, "declared here before");
            self.report(error);
            return;
        }
        self.scopes.declare(name.sym, symbol, name.span);
    }
}

/// An expression that stands for something wrong.
fn wrong(span: Span) -> Expr {
    Expr { kind: ExprKind::Const(0), ty: Types::ERROR, span }
}

fn constant(value: i32, ty: TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), ty, span }
}

#[cfg(test)]
mod tests;
