//! Expressions, and what can be assigned to.

use super::{Checker, Symbol, number, wrong};
use crate::ast::{self, BinOp, ExprKind as Written};
use crate::hir::{Expr, ExprKind, Place, Unary};
use tightrope_syntax::{Diagnostic, Name, Span};

/// What a name with its index stands for.
enum Denoted {
    Place(Place),
    Value(Expr),
    /// Reported.
    Wrong,
}

impl Checker<'_> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            Written::Number(value) => number(*value, span),
            Written::Name(..) | Written::Dot(..) | Written::Arrow(..) => match self.denoted(expr) {
                Denoted::Place(place) => Expr { kind: ExprKind::Variable(place), span },
                Denoted::Value(value) => value,
                Denoted::Wrong => wrong(span),
            },
            Written::Unary(op, operand) => {
                let operand = self.expr(operand);
                match (op, &operand.kind) {
                    (Unary::Neg, ExprKind::Const(value)) => number(value.wrapping_neg(), span),
                    _ => Expr { kind: ExprKind::Unary(*op, Box::new(operand)), span },
                }
            }
            Written::Binary(op, operands) => {
                let operands = Box::new((self.expr(&operands.0), self.expr(&operands.1)));
                let kind = match op {
                    BinOp::Imply => ExprKind::Imply(operands),
                    BinOp::And => ExprKind::And(operands),
                    BinOp::Or => ExprKind::Or(operands),
                    BinOp::Strict(op) => ExprKind::Binary(*op, operands),
                };
                Expr { kind, span }
            }
        }
    }

    /// An assignable variable or element; `what` names its purpose in messages.
    pub(super) fn place(&mut self, expr: &ast::Expr, what: &str) -> Option<Place> {
        let label = match self.denoted(expr) {
            Denoted::Place(place) if place.process.is_none() || place.process == self.process => return Some(place),
            Denoted::Place(_) => {
                self.error(
                    expr.span,
                    format!("{what} must be a variable of the process itself, or a global one"),
                    "of another process",
                );
                return None;
            }
            Denoted::Wrong => return None,
            Denoted::Value(value) => match value.kind {
                ExprKind::InState { .. } => "this asks for a state",
                _ if !matches!(expr.kind, Written::Name(..) | Written::Arrow(..) | Written::Dot(..)) => {
                    "this is a value"
                }
                _ => "this is a constant",
            },
        };
        self.error(expr.span, format!("{what} must be a variable"), label);
        None
    }

    #[inline(never)]
    fn denoted(&mut self, expr: &ast::Expr) -> Denoted {
        let span = expr.span;
        match &expr.kind {
            Written::Name(name, index) => {
                let index = self.index(index);
                match self.find_value(*name) {
                    Some((process, symbol)) => self.symbol(process, symbol, *name, index, span),
                    None => Denoted::Wrong,
                }
            }
            Written::Arrow(owner, name, index) => {
                let index = self.index(index);
                self.foreign(*owner, *name, index, span)
            }
            Written::Dot(owner, name, index) => {
                let index = self.index(index);
                self.in_state(*owner, *name, index, span)
            }
            _ => Denoted::Value(self.expr(expr)),
        }
    }

    fn index(&mut self, index: &Option<Box<ast::Expr>>) -> Option<Expr> {
        index.as_ref().map(|index| self.expr(index))
    }

    /// `P->x`
    fn foreign(&mut self, owner: Name, name: Name, index: Option<Expr>, span: Span) -> Denoted {
        let Some(process) = self.find_process(owner) else {
            return Denoted::Wrong;
        };
        match self.find_foreign(process, name) {
            Some(symbol) => self.symbol(Some(process), symbol, name, index, span),
            None => Denoted::Wrong,
        }
    }

    /// `P.s`
    fn in_state(&mut self, owner: Name, name: Name, index: Option<Expr>, span: Span) -> Denoted {
        let Some(process) = self.find_process(owner) else {
            return Denoted::Wrong;
        };
        let known = self.locals[process].find(name.sym);
        if self.in_goal && known.is_some_and(|(symbol, _)| !matches!(symbol, Symbol::State(_))) {
            return self.foreign(owner, name, index, span);
        }
        let Some(state) = self.find_state(process, name) else {
            return Denoted::Wrong;
        };
        if let Some(index) = index {
            self.error(index.span, "a state has no elements", "no index can stand here");
            return Denoted::Wrong;
        }
        Denoted::Value(Expr { kind: ExprKind::InState { process, state }, span })
    }

    fn symbol(
        &mut self,
        process: Option<usize>,
        symbol: Symbol,
        name: Name,
        index: Option<Expr>,
        span: Span,
    ) -> Denoted {
        let length = match symbol {
            Symbol::Variable(at) => match process {
                Some(process) => self.model.processes[process].variables[at].length,
                None => self.model.variables[at].length,
            },
            Symbol::Table(at) => Some(self.model.tables[at].values.len()),
            _ => None,
        };
        let mut index = index;
        match (length, &index) {
            (None, Some(index)) => {
                let message = format!("`{}` is not an array", self.text(name));
                self.error(index.span, message, "it has no elements");
                return Denoted::Wrong;
            }
            (Some(length), None) => {
                // DiVinE looks where the array begins; there are models that rely on it.
                let warning = Diagnostic::warning(format!("the array `{}` is used without an index", self.text(name)))
                    .at(span, "its first element is meant, as in DiVinE")
                    .note(format!("its indices are 0 to {}", length - 1));
                self.diags.push(warning);
                index = Some(number(0, span));
            }
            (Some(length), Some(index)) => self.warn_if_outside(length, index),
            (None, None) => {}
        }
        match (symbol, index) {
            (Symbol::Constant(value), _) => Denoted::Value(number(value, span)),
            (Symbol::Table(table), Some(index)) => {
                Denoted::Value(Expr { kind: ExprKind::Table { table, subscript: Box::new(index) }, span })
            }
            (Symbol::Variable(at), index) => {
                Denoted::Place(Place { process, index: at, subscript: index.map(Box::new), span })
            }
            _ => Denoted::Wrong,
        }
    }

    /// Warns about an index that is wrong wherever it is evaluated; in a goal it is an error.
    fn warn_if_outside(&mut self, length: usize, index: &Expr) {
        let Some(value) = index.constant() else { return };
        if self.in_constant || usize::try_from(value).is_ok_and(|value| value < length) {
            return;
        }
        let message = format!("index {value} is out of bounds");
        let label = format!("the indices are 0 to {}", length - 1);
        if self.in_goal {
            return self.error(index.span, message, label);
        }
        let warning =
            Diagnostic::warning(message).at(index.span, label).note("evaluating this is an error of the model");
        self.diags.push(warning);
    }
}
