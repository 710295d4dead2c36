//! Designators, and the aliases that stand for them.

use super::{Checker, Symbol, wrong};
use crate::ast::{self, ExprKind as Written};
use crate::hir::{Base, Expr, ExprKind, Place, SlotKind, Step, TypeId, TypeKind, Types};
use std::rc::Rc;
use tightrope_syntax::{Diagnostic, Name, Span, similar};

/// What a designator denotes.
pub(super) enum Denoted {
    Place(Place),
    Const(TypeId, i32),
    /// Something wrong, which was reported.
    Wrong,
}

impl Checker<'_> {
    /// What a name with its fields and indices denotes.
    pub(super) fn denoted(&mut self, expr: &ast::Expr) -> Denoted {
        match &expr.kind {
            Written::Name(name) => self.denoted_name(*name),
            Written::Field(record, field) => match self.denoted(record) {
                Denoted::Place(place) => self.field(place, *field, expr.span),
                Denoted::Const(ty, _) => self.no_parts(record.span, ty, "no fields"),
                Denoted::Wrong => Denoted::Wrong,
            },
            Written::Index(parts) => {
                let array = self.denoted(&parts.0);
                let index = self.expr(&parts.1);
                match array {
                    Denoted::Place(place) => self.element(place, index, expr.span),
                    Denoted::Const(ty, _) => self.no_parts(parts.0.span, ty, "no elements"),
                    Denoted::Wrong => Denoted::Wrong,
                }
            }
            _ => {
                self.error(expr.span, "expected a variable", "this is a value");
                Denoted::Wrong
            }
        }
    }

    fn no_parts(&mut self, span: Span, ty: TypeId, what: &str) -> Denoted {
        if ty != Types::ERROR {
            self.error(span, format!("this has {what}"), format!("this is a constant: {}", self.describe(ty)));
        }
        Denoted::Wrong
    }

    #[inline(never)]
    fn denoted_name(&mut self, name: Name) -> Denoted {
        let place = |base, ty| Denoted::Place(Place { base, path: Vec::new(), ty, span: name.span });
        match self.lookup(name, "variable or value") {
            Symbol::Const(ty, value) => Denoted::Const(ty, value),
            Symbol::Global(at) => place(Base::Global(at), self.model.globals[at as usize].ty),
            Symbol::Slot(at) => place(Base::Slot(at), self.frame.slots[at as usize].ty),
            Symbol::Place(alias) => Denoted::Place(Place { span: name.span, ..(*alias).clone() }),
            Symbol::Unknown => Denoted::Wrong,
            Symbol::Type(_) => {
                let message = format!("`{}` is a type", self.text(name));
                if self.misused.insert(name.sym) {
                    self.error(name.span, message, "expected a variable or a value");
                }
                Denoted::Wrong
            }
            Symbol::Routine(at) => {
                let text = self.text(name);
                let error = match self.model.routines[at as usize].returns {
                    Some(_) => Diagnostic::error(format!("`{text}` is a function"))
                        .at(name.span, "expected a variable or a value")
                        .help(format!("call it: `{text}(…)`")),
                    None => Diagnostic::error(format!("`{text}` is a procedure")).at(name.span, "it has no value"),
                };
                self.report(error);
                Denoted::Wrong
            }
        }
    }

    #[inline(never)]
    fn field(&mut self, mut place: Place, field: Name, span: Span) -> Denoted {
        let TypeKind::Record(fields) = self.types().kind(place.ty) else {
            if place.ty != Types::ERROR {
                let message = format!("`.{}` needs a record", self.text(field));
                self.error(place.span, message, format!("this is {}", self.describe(place.ty)));
            }
            return Denoted::Wrong;
        };
        let text = self.text(field);
        let Some(at) = fields.iter().position(|known| known.name == text) else {
            let names: Vec<String> = fields.iter().take(12).map(|known| format!("`{}`", known.name)).collect();
            let error = Diagnostic::error(format!("there is no field `{text}`"))
                .at(field.span, format!("not a field of {}", self.describe(place.ty)))
                .note(format!("the fields are {}", names.join(", ")));
            let error = match similar(text, fields.iter().map(|known| known.name.as_str())) {
                Some(similar) => error.help(format!("did you mean `{similar}`?")),
                None => error,
            };
            self.report(error);
            return Denoted::Wrong;
        };
        place.ty = fields[at].ty;
        place.path.push(Step::Field(at as u32));
        place.span = span;
        Denoted::Place(place)
    }

    #[inline(never)]
    fn element(&mut self, mut place: Place, index: Expr, span: Span) -> Denoted {
        match *self.types().kind(place.ty) {
            TypeKind::Array { index: expected, element } => {
                if !self.types().compatible(expected, index.ty) {
                    let label = format!("expected {}, found {}", self.describe(expected), self.describe(index.ty));
                    self.error(index.span, "the index has the wrong type", label);
                    return Denoted::Wrong;
                }
                if self.in_goal && self.is_outside(&index, expected) {
                    let label = format!("the indices are {}", self.describe(expected));
                    self.error(index.span, format!("index {} is out of bounds", index.as_const().unwrap_or(0)), label);
                    return Denoted::Wrong;
                }
                self.warn_if_outside(&index, expected, "index", "is out of bounds", "the indices are");
                place.ty = element;
                place.path.push(Step::Index(index));
            }
            TypeKind::Multiset { element, .. } => {
                let fits = match self.types().kind(index.ty) {
                    TypeKind::Element(multiset) => self.types().alike(*multiset, place.ty),
                    TypeKind::Error => return Denoted::Wrong,
                    _ => false,
                };
                if !fits {
                    let label = match self.types().kind(index.ty) {
                        TypeKind::Element(_) => "this is a place of another multiset".to_string(),
                        _ => format!("this is {}", self.describe(index.ty)),
                    };
                    let error = Diagnostic::error("an element of a multiset is named by the variable of a `choose`")
                        .at(index.span, label)
                        .note("`multisetcount` and `multisetremovepred` give such a variable, too");
                    self.report(error);
                    return Denoted::Wrong;
                }
                place.ty = element;
                place.path.push(Step::Element(index));
            }
            TypeKind::Error => return Denoted::Wrong,
            _ => {
                let label = format!("this is {}", self.describe(place.ty));
                self.error(place.span, "only arrays and multisets have elements", label);
                return Denoted::Wrong;
            }
        }
        place.span = span;
        Denoted::Place(place)
    }

    /// Warns about a constant that cannot be right wherever it is executed.
    pub(super) fn warn_if_outside(&mut self, value: &Expr, ty: TypeId, what: &str, is: &str, others: &str) {
        if let Some(constant) = value.as_const().filter(|_| self.is_outside(value, ty)) {
            let warning = Diagnostic::warning(format!("{what} {constant} {is}"))
                .at(value.span, format!("{others} {}", self.describe(ty)))
                .note("executing this is an error of the model");
            self.diags.push(warning);
        }
    }

    /// Whether a constant is outside a subrange.
    fn is_outside(&self, value: &Expr, ty: TypeId) -> bool {
        let types = self.types();
        let outside = |constant| types.is_integer(ty) && value.ty != Types::ERROR && !types.contains(ty, constant);
        value.as_const().is_some_and(outside)
    }

    /// A designator that must be a variable; `what` names its purpose in messages.
    pub(super) fn place(&mut self, expr: &ast::Expr, what: &str) -> Option<Place> {
        match self.denoted(expr) {
            Denoted::Place(place) => Some(place),
            Denoted::Wrong => None,
            Denoted::Const(..) => {
                self.error(expr.span, format!("{what} must be a variable"), "this is a constant");
                None
            }
        }
    }

    /// A designator that will be changed. Notes the side effect.
    pub(super) fn target(&mut self, expr: &ast::Expr, what: &str) -> Option<Place> {
        let place = self.place(expr, what)?;
        if !self.require_assignable(&place, what) {
            return None;
        }
        self.note_write(&place);
        Some(place)
    }

    /// Whether a place may be changed; reports if not.
    pub(super) fn require_assignable(&mut self, place: &Place, what: &str) -> bool {
        let Base::Slot(slot) = place.base else {
            return true;
        };
        let slot = &self.frame.slots[slot as usize];
        let (label, help) = match slot.kind {
            SlotKind::Local | SlotKind::VarParam => return true,
            SlotKind::ValueParam => ("a parameter without `var`", "write `var` before it in the routine's head"),
            SlotKind::Counter => ("set by its quantifier only", "use another variable"),
            SlotKind::Element => ("stands for a place of a multiset", "change the element, not its place"),
            SlotKind::Let => ("an alias of an expression", "only an alias of a variable can be assigned to"),
        };
        let error = Diagnostic::error(format!("{what} cannot be changed"))
            .at(place.span, label)
            .also(slot.span, "declared here")
            .help(help);
        if self.unassignable.insert(slot.span) {
            self.report(error);
        }
        false
    }

    /// Notes what the routine being checked changes.
    pub(super) fn note_write(&mut self, place: &Place) {
        match place.base {
            Base::Global(_) => self.frame.writes_globals = true,
            Base::Slot(slot) => {
                if let Some(written) = self.frame.writes_param.get_mut(slot as usize) {
                    *written = true;
                }
            }
        }
    }

    /// A designator that must be a multiset.
    pub(super) fn multiset(&mut self, expr: &ast::Expr) -> Option<Place> {
        let place = self.place(expr, "a multiset")?;
        if matches!(self.types().kind(place.ty), TypeKind::Multiset { .. }) {
            return Some(place);
        }
        if place.ty != Types::ERROR {
            let label = format!("this is {}", self.describe(place.ty));
            self.error(expr.span, "expected a multiset", label);
        }
        None
    }

    /// Declares an alias. `lets` gets the values that must be saved before it can be used.
    pub(super) fn alias(&mut self, name: Name, value: &ast::Expr, lets: &mut Vec<(u32, Expr)>) {
        let is_designator = matches!(value.kind, Written::Name(_) | Written::Field(..) | Written::Index(_));
        let denoted = if is_designator { self.denoted(value) } else { Denoted::Wrong };
        let symbol = match denoted {
            Denoted::Const(ty, value) => Symbol::Const(ty, value),
            Denoted::Place(place) => Symbol::Place(Rc::new(self.with_saved_indices(name, place, lets))),
            Denoted::Wrong if is_designator => Symbol::Unknown,
            Denoted::Wrong => {
                let expr = self.expr(value);
                match expr.as_const() {
                    Some(value) => Symbol::Const(expr.ty, value),
                    None => {
                        let text = self.text(name).to_string();
                        let slot = self.slot(text, expr.ty, SlotKind::Let, name.span);
                        lets.push((slot, expr));
                        Symbol::Slot(slot)
                    }
                }
            }
        };
        self.warn_if_hiding(name);
        self.declare(name, symbol);
    }

    /// A place whose indices are saved, except those that cannot change: what an alias refers to is decided where the
    /// alias is declared.
    fn with_saved_indices(&mut self, name: Name, mut place: Place, lets: &mut Vec<(u32, Expr)>) -> Place {
        let mut ty = match place.base {
            Base::Global(at) => self.model.globals[at as usize].ty,
            Base::Slot(at) => self.frame.slots[at as usize].ty,
        };
        for step in &mut place.path {
            ty = match (step, self.model.types.kind(ty)) {
                (Step::Index(index), &TypeKind::Array { index: index_type, element }) => {
                    if !self.cannot_change(index, index_type) {
                        let span = index.span;
                        let text = format!("{}[]", self.text(name));
                        let slot = self.slot(text, index_type, SlotKind::Let, span);
                        let saved = Place { base: Base::Slot(slot), path: Vec::new(), ty: index_type, span };
                        let load = Expr { kind: ExprKind::Load(Box::new(saved)), ty: index_type, span };
                        lets.push((slot, std::mem::replace(index, load)));
                    }
                    element
                }
                (Step::Field(at), TypeKind::Record(fields)) => fields[*at as usize].ty,
                (Step::Element(_), TypeKind::Multiset { element, .. }) => *element,
                _ => Types::ERROR,
            };
        }
        place
    }

    /// Whether an index keeps its value, and is inside the array for sure.
    fn cannot_change(&self, index: &Expr, index_type: TypeId) -> bool {
        match &index.kind {
            ExprKind::Const(value) => self.types().contains(index_type, *value),
            ExprKind::Load(place) => match place.base {
                Base::Slot(slot) if place.path.is_empty() => {
                    let slot = &self.frame.slots[slot as usize];
                    matches!(slot.kind, SlotKind::Counter | SlotKind::Let) && self.types().includes(index_type, slot.ty)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A designator as an expression.
    pub(super) fn load(&mut self, expr: &ast::Expr) -> Expr {
        match self.denoted(expr) {
            Denoted::Const(ty, value) => super::constant(value, ty, expr.span),
            Denoted::Place(place) => {
                let (ty, span) = (place.ty, place.span);
                Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
            }
            Denoted::Wrong => wrong(expr.span),
        }
    }
}
