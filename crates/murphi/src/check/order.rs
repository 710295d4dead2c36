//! Whether the order of a loop's iterations can matter.
//!
//! Symmetry reduction permutes the values of a scalarset, so the result of a loop over them must not depend on the order of
//! its iterations (Ip & Dill 1996). It does not if the effects of iterations are independent or commute:
//!
//! - an iteration writes only elements indexed by its own value, and reads nothing that another iteration writes;
//! - or all iterations apply the same commuting operation to a variable: count in one direction, combine by `|` or `&`
//!   what cannot fail, assign one constant, add to a multiset.
//!
//! A `return` ends the loop early, so the iterations before it matter. Calls are followed with their arguments. In a
//! routine, two `var` parameters may alias each other or a global variable.

mod access;

use super::Checker;
use crate::hir::{
    Argument, Base, Binary, Domain, Expr, ExprKind, Place, Routine, Slot, SlotKind, Step, Stmt, StmtKind,
};
use access::{Access, Action, Key, Target};
use tightrope_syntax::Span;

/// How deep calls are followed.
const MAX_CALLS: usize = 12;

/// How many statements are followed.
const MAX_STATEMENTS: usize = 10_000;

/// How many accesses are compared, each with each.
const MAX_ACCESSES: usize = 1000;

/// What a slot of a routine that is called stands for.
#[derive(Clone, Debug)]
enum Binding {
    /// A variable of its own, new in every iteration.
    Fresh,
    Value(Key),
    Variable(Target),
}

/// The effects of a loop's body: its reads and writes.
struct LoopEffects<'m> {
    routines: &'m [Routine],
    /// The slots of the rule or routine that the loop stands in, and its variable.
    slots: &'m [Slot],
    counter: u32,
    accesses: Vec<Access>,
    /// Where the loop is ended by a `return`.
    returns: Option<Span>,
    /// A place that the analysis gave up at.
    unknown: Option<Span>,
    /// How many statements will be followed.
    left: usize,
    /// The routine that the loop stands in, whose body is not known yet.
    routine: Option<u32>,
}

impl Checker<'_> {
    /// Where and why the order of a loop's iterations may matter; none if it does not.
    pub(super) fn order_matters(&self, counter: u32, body: &[Stmt]) -> Option<(Span, &'static str)> {
        let mut effects = LoopEffects {
            routines: &self.model.routines,
            slots: &self.frame.slots,
            counter,
            accesses: Vec::new(),
            returns: None,
            unknown: None,
            left: MAX_STATEMENTS,
            routine: self.frame.routine,
        };
        effects.statements(body, &[], 0);
        effects.verdict()
    }

    /// Whether a loop's variable takes the values of a scalarset.
    pub(super) fn is_over_scalarset(&self, domain: &Domain) -> bool {
        matches!(domain, Domain::All(ty) if self.types().holds_scalarset(*ty))
    }
}

impl LoopEffects<'_> {
    fn verdict(&self) -> Option<(Span, &'static str)> {
        if let Some(span) = self.unknown {
            return Some((span, "what this does is not followed to the end"));
        }
        let changes = |access: &&Access| access.action != Action::Read;
        if let Some(span) = self.returns {
            return Some((span, "the first iteration that comes here ends the loop"));
        }
        for change in self.accesses.iter().filter(changes) {
            for other in &self.accesses {
                if self.may_be_the_same(change.target.base, other.target.base) && !change.commutes_with(other) {
                    let why = match other.action {
                        Action::Read => "another iteration may read what this changes",
                        _ => "another iteration may change the same variable",
                    };
                    return Some((change.span, why));
                }
            }
        }
        None
    }

    fn statements(&mut self, list: &[Stmt], frame: &[Binding], depth: usize) {
        for statement in list {
            if self.unknown.is_some() {
                return;
            }
            self.statement(statement, frame, depth);
        }
    }

    fn statement(&mut self, statement: &Stmt, frame: &[Binding], depth: usize) {
        let span = statement.span;
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.unknown = Some(span);
            return;
        }
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let (action, rest) = self.accumulated(place, value, frame);
                self.place(place, action, span, frame, depth);
                rest.into_iter().for_each(|part| self.expr(part, frame, depth));
            }
            StmtKind::Let(_, value) | StmtKind::Put(value) => self.expr(value, frame, depth),
            StmtKind::If(clauses, otherwise) => {
                for (condition, body) in clauses {
                    self.expr(condition, frame, depth);
                    self.statements(body, frame, depth);
                }
                self.statements(otherwise, frame, depth);
            }
            StmtKind::Switch(switch) => {
                self.expr(&switch.value, frame, depth);
                switch.cases.iter().for_each(|(_, body)| self.statements(body, frame, depth));
                self.statements(&switch.otherwise, frame, depth);
            }
            StmtKind::For(_, domain, body) => {
                self.domain(domain, frame, depth);
                self.statements(body, frame, depth);
            }
            StmtKind::While(condition, body) => {
                self.expr(condition, frame, depth);
                self.statements(body, frame, depth);
            }
            StmtKind::Call(callee, args) => self.call(*callee, args, span, frame, depth),
            StmtKind::Clear(place) => self.place(place, Action::Clear, span, frame, depth),
            StmtKind::Undefine(place) => self.place(place, Action::Undefine, span, frame, depth),
            StmtKind::MultisetAdd(value, place) => {
                self.expr(value, frame, depth);
                self.place(place, Action::Add, span, frame, depth);
            }
            StmtKind::MultisetRemove(index, place) => {
                self.expr(index, frame, depth);
                self.place(place, Action::Write, span, frame, depth);
            }
            StmtKind::MultisetRemoveAll(_, place, condition) => {
                self.place(place, Action::Remove, span, frame, depth);
                self.elements_condition(place, condition, frame, depth);
            }
            StmtKind::Error(_) | StmtKind::PutText(_) => {}
            StmtKind::Assert(condition, _) => self.expr(condition, frame, depth),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value, frame, depth);
                }
                if depth == 0 {
                    self.returns.get_or_insert(span);
                }
            }
        }
    }

    /// Whether two variables may alias: a `var` parameter of the surrounding routine may be any variable.
    fn may_be_the_same(&self, one: Base, other: Base) -> bool {
        let is_reference = |base: Base| match base {
            Base::Slot(slot) => self.slots.get(slot as usize).is_some_and(|slot| slot.kind == SlotKind::VarParam),
            Base::Global(_) => false,
        };
        let can_be_given = |base: Base| is_reference(base) || matches!(base, Base::Global(_));
        one == other || is_reference(one) && can_be_given(other) || is_reference(other) && can_be_given(one)
    }

    /// Whether an expression has a value whatever the state.
    fn cannot_fail(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Load(place) => place.path.is_empty() && place.base == Base::Slot(self.counter),
            ExprKind::Unary(_, operand) => self.cannot_fail(operand),
            ExprKind::Binary(operator, operands) => {
                !matches!(operator, Binary::Div | Binary::Mod)
                    && self.cannot_fail(&operands.0)
                    && self.cannot_fail(&operands.1)
            }
            _ => false,
        }
    }

    /// The condition for elements of a multiset: that it looks at the element in question is no read of its own.
    fn elements_condition(&mut self, place: &Place, condition: &Expr, frame: &[Binding], depth: usize) {
        let before = self.accesses.len();
        self.expr(condition, frame, depth);
        let own = self.target(place, frame);
        let mut at = before;
        while at < self.accesses.len() {
            let access = &self.accesses[at];
            let inside = own
                .as_ref()
                .is_some_and(|own| own.base == access.target.base && access.target.path.starts_with(&own.path))
                && own.as_ref().is_some_and(|own| access.target.path.len() > own.path.len());
            if inside && access.action == Action::Read {
                self.accesses.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// What an assignment does, and what of its value is read.
    fn accumulated<'e>(&self, place: &Place, value: &'e Expr, frame: &[Binding]) -> (Action, Vec<&'e Expr>) {
        if let Some(constant) = value.as_const() {
            return (Action::Set(constant), Vec::new());
        }
        let ExprKind::Binary(operator, operands) = &value.kind else { return (Action::Write, vec![value]) };
        let target = self.target(place, frame);
        let is_target = |expr: &Expr| match &expr.kind {
            ExprKind::Load(loaded) => {
                let known = |target: &Target| !target.path.contains(&Key::Unknown);
                target.is_some() && self.target(loaded, frame).filter(known) == target
            }
            _ => false,
        };
        let (rest, first) = match (is_target(&operands.0), is_target(&operands.1)) {
            (true, false) => (&operands.1, true),
            (false, true) => (&operands.0, false),
            _ => return (Action::Write, vec![value]),
        };
        let upwards = rest.as_const().map(|constant| constant >= 0);
        let action = match (operator, upwards) {
            (Binary::Add, Some(true)) => Action::Up,
            (Binary::Add, Some(false)) => Action::Down,
            (Binary::Sub, Some(up)) if first => {
                if up {
                    Action::Down
                } else {
                    Action::Up
                }
            }
            // Whether the rest is evaluated depends on the iterations before.
            (Binary::Or, _) if frame.is_empty() && self.cannot_fail(rest) => Action::Or,
            (Binary::And, _) if frame.is_empty() && self.cannot_fail(rest) => Action::And,
            _ => return (Action::Write, vec![value]),
        };
        (action, vec![rest])
    }

    fn expr(&mut self, expr: &Expr, frame: &[Binding], depth: usize) {
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Load(place) | ExprKind::IsUndefined(place) => {
                self.place(place, Action::Read, expr.span, frame, depth);
            }
            ExprKind::Unary(_, operand) | ExprKind::IsMember(operand, _) => self.expr(operand, frame, depth),
            ExprKind::Binary(_, operands) => {
                self.expr(&operands.0, frame, depth);
                self.expr(&operands.1, frame, depth);
            }
            ExprKind::Cond(parts) => {
                [&parts.0, &parts.1, &parts.2].into_iter().for_each(|part| self.expr(part, frame, depth));
            }
            ExprKind::Quantified(_, _, parts) => {
                self.domain(&parts.0, frame, depth);
                self.expr(&parts.1, frame, depth);
            }
            ExprKind::Call(callee, args) => self.call(*callee, args, expr.span, frame, depth),
            ExprKind::MultisetCount(_, parts) => {
                self.place(&parts.0, Action::Read, expr.span, frame, depth);
                self.expr(&parts.1, frame, depth);
            }
        }
    }

    fn domain(&mut self, domain: &Domain, frame: &[Binding], depth: usize) {
        if let Domain::Steps(from, to, _) = domain {
            self.expr(from, frame, depth);
            self.expr(to, frame, depth);
        }
    }

    /// A use of a place: its indices are read.
    fn place(&mut self, place: &Place, action: Action, span: Span, frame: &[Binding], depth: usize) {
        for step in &place.path {
            if let Step::Index(index) | Step::Element(index) = step {
                self.expr(index, frame, depth);
            }
        }
        let Some(target) = self.target(place, frame) else { return };
        if self.accesses.len() >= MAX_ACCESSES {
            self.unknown = Some(span);
            return;
        }
        self.accesses.push(Access { target, action, span });
    }

    /// What a place stands for outside of all calls; nothing if it is new in every iteration.
    fn target(&self, place: &Place, frame: &[Binding]) -> Option<Target> {
        let mut target = match place.base {
            Base::Slot(slot) if !frame.is_empty() => match &frame[slot as usize] {
                Binding::Variable(target) => target.clone(),
                Binding::Fresh | Binding::Value(_) => return None,
            },
            // What an iteration gives a value before it uses it.
            Base::Slot(slot) => match self.slots[slot as usize].kind {
                SlotKind::Local | SlotKind::VarParam => Target { base: place.base, path: Vec::new() },
                SlotKind::ValueParam | SlotKind::Counter | SlotKind::Element | SlotKind::Let => return None,
            },
            Base::Global(_) => Target { base: place.base, path: Vec::new() },
        };
        target.path.extend(place.path.iter().map(|step| match step {
            Step::Field(field) => Key::Field(*field),
            Step::Index(index) => self.key(index, frame),
            Step::Element(_) => Key::Unknown,
        }));
        Some(target)
    }

    /// What is known of an index.
    fn key(&self, index: &Expr, frame: &[Binding]) -> Key {
        match &index.kind {
            ExprKind::Const(value) => Key::Index(*value),
            ExprKind::Load(place) if place.path.is_empty() => match place.base {
                Base::Slot(slot) if frame.is_empty() && slot == self.counter => Key::Own,
                Base::Slot(slot) if !frame.is_empty() => match frame[slot as usize] {
                    Binding::Value(key) => key,
                    _ => Key::Unknown,
                },
                _ => Key::Unknown,
            },
            _ => Key::Unknown,
        }
    }

    fn call(&mut self, callee: u32, args: &[Argument], span: Span, frame: &[Binding], depth: usize) {
        let known = depth < MAX_CALLS && self.routine != Some(callee);
        let Some(routine) = self.routines.get(callee as usize).filter(|_| known) else {
            self.unknown = Some(span);
            return;
        };
        let mut inner = vec![Binding::Fresh; routine.slots.len().max(1)];
        for (at, arg) in args.iter().enumerate() {
            inner[at] = match arg {
                Argument::Value(value) => {
                    self.expr(value, frame, depth);
                    Binding::Value(self.key(value, frame))
                }
                Argument::Undefined => Binding::Fresh,
                Argument::Var(place) => {
                    for step in &place.path {
                        if let Step::Index(index) | Step::Element(index) = step {
                            self.expr(index, frame, depth);
                        }
                    }
                    self.target(place, frame).map_or(Binding::Fresh, Binding::Variable)
                }
            };
        }
        let first = self.accesses.len();
        let routines = self.routines;
        self.statements(&routines[callee as usize].body, &inner, depth + 1);
        // What is done in a call is shown at the call.
        if depth == 0 {
            self.accesses[first..].iter_mut().for_each(|access| access.span = span);
            self.unknown = self.unknown.map(|_| span);
        }
    }
}
