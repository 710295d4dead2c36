//! Expressions that must be constant: sizes and initial values.

use super::Checker;
use crate::ast;
use crate::hir::{Expr, ExprKind};
use tightrope_syntax::{Diagnostic, Span};

/// Why an expression has no value here, and which part of it is to blame.
enum Blame {
    State(Span),
    DividesByZero(Span),
    OutsideTable(Span),
}

impl Checker<'_> {
    /// The value of an expression; `what` says what for. Nothing if something is wrong with it.
    pub(super) fn constant(&mut self, expr: &ast::Expr, what: &str) -> Option<i32> {
        let errors = self.diags.error_count();
        let reported = self.reported.len();
        self.in_constant = true;
        let expr = self.expr(expr);
        self.in_constant = false;
        if self.diags.error_count() > errors || self.reported.len() > reported {
            return None;
        }
        let error = match self.value(&expr) {
            Ok(value) => return Some(value),
            Err(Blame::State(span)) => Diagnostic::error(format!("{what} must be constant"))
                .at(span, "this depends on the state")
                .help("only numbers and constants that are declared before can be used here"),
            Err(Blame::DividesByZero(span)) => {
                Diagnostic::error(format!("{what} cannot be computed")).at(span, "this divides by zero")
            }
            Err(Blame::OutsideTable(span)) => {
                Diagnostic::error(format!("{what} cannot be computed")).at(span, "this index is out of bounds")
            }
        };
        self.report(error);
        None
    }

    fn value(&self, expr: &Expr) -> Result<i32, Blame> {
        let truth = |expr: &Expr| Ok::<bool, Blame>(self.value(expr)? != 0);
        Ok(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Variable(_) | ExprKind::InState { .. } => return Err(Blame::State(expr.span)),
            ExprKind::Table { table, subscript } => {
                let at = usize::try_from(self.value(subscript)?).ok();
                let values = &self.model.tables[*table].values;
                *at.and_then(|at| values.get(at)).ok_or(Blame::OutsideTable(subscript.span))?
            }
            ExprKind::Unary(op, operand) => op.apply(self.value(operand)?),
            ExprKind::Binary(op, operands) => {
                let (left, right) = (self.value(&operands.0)?, self.value(&operands.1)?);
                op.apply(left, right).ok_or(Blame::DividesByZero(expr.span))?
            }
            ExprKind::And(operands) => i32::from(truth(&operands.0)? && truth(&operands.1)?),
            ExprKind::Or(operands) => i32::from(truth(&operands.0)? || truth(&operands.1)?),
            ExprKind::Imply(operands) => i32::from(!truth(&operands.0)? || truth(&operands.1)?),
        })
    }
}
