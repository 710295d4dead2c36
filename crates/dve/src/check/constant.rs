//! Expressions that must be constant: sizes and initial values.

use super::Checker;
use crate::ast;
use crate::hir::{Expr, ExprKind};
use tightrope_syntax::{Diagnostic, Span};

/// Why an expression has no constant value, and which part of it is the reason.
enum NotConstant {
    State(Span),
    DividesByZero(Span),
    OutsideTable(Span),
}

impl Checker<'_> {
    /// The value of a constant expression; `what` names its purpose in messages. None after an error.
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
            Err(NotConstant::State(span)) => Diagnostic::error(format!("{what} must be constant"))
                .at(span, "this depends on the state")
                .help("only numbers and constants that are declared before can be used here"),
            Err(NotConstant::DividesByZero(span)) => {
                Diagnostic::error(format!("{what} cannot be computed")).at(span, "this divides by zero")
            }
            Err(NotConstant::OutsideTable(span)) => {
                Diagnostic::error(format!("{what} cannot be computed")).at(span, "this index is out of bounds")
            }
        };
        self.report(error);
        None
    }

    fn value(&self, expr: &Expr) -> Result<i32, NotConstant> {
        let truth = |expr: &Expr| Ok::<bool, NotConstant>(self.value(expr)? != 0);
        Ok(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Variable(_) | ExprKind::InState { .. } => return Err(NotConstant::State(expr.span)),
            ExprKind::Table { table, subscript } => {
                let at = usize::try_from(self.value(subscript)?).ok();
                let values = &self.model.tables[*table].values;
                *at.and_then(|at| values.get(at)).ok_or(NotConstant::OutsideTable(subscript.span))?
            }
            ExprKind::Unary(op, operand) => op.apply(self.value(operand)?),
            ExprKind::Binary(op, operands) => {
                let (left, right) = (self.value(&operands.0)?, self.value(&operands.1)?);
                op.apply(left, right).ok_or(NotConstant::DividesByZero(expr.span))?
            }
            ExprKind::And(operands) => i32::from(truth(&operands.0)? && truth(&operands.1)?),
            ExprKind::Or(operands) => i32::from(truth(&operands.0)? || truth(&operands.1)?),
            ExprKind::Imply(operands) => i32::from(!truth(&operands.0)? || truth(&operands.1)?),
        })
    }
}
