//! Expressions.

use super::Lower;
use super::layout::StateSlot;
use crate::hir::{Binary, Expr, ExprKind, Place, ScalarType, Unary};
use tightrope_ir::{self as ir, Base, Index, Type, Variable};

impl Lower<'_> {
    pub(super) fn expr(&self, expr: &Expr) -> ir::Expr {
        match &expr.kind {
            ExprKind::Const(value) => ir::Expr::Const(*value),
            ExprKind::Variable(place) => ir::Expr::Load(Box::new(self.variable(place))),
            ExprKind::Table { table, subscript } => {
                let table = &self.model.tables[*table];
                let index = Index {
                    value: self.expr(subscript),
                    low: 0,
                    bound: table.values.len() as u32,
                    stride: 1,
                    name: table.name.clone(),
                };
                ir::Expr::Table(Box::new((index, table.values.clone())))
            }
            ExprKind::InState { process, state } => self.in_state(*process, *state),
            ExprKind::Unary(op, a) => {
                let op = match op {
                    Unary::Neg => ir::Unary::Neg,
                    Unary::BitNot => ir::Unary::Complement,
                    Unary::Not => ir::Unary::Not,
                };
                ir::Expr::Unary(op, Box::new(self.expr(a)))
            }
            ExprKind::Binary(op, operands) => {
                let (a, b) = (self.expr(&operands.0), self.expr(&operands.1));
                ir::Expr::Binary(binary(*op), Box::new(a), Box::new(b))
            }
            ExprKind::And(operands) => {
                ir::Expr::Both(Box::new(self.expr(&operands.0)), Box::new(self.expr(&operands.1)))
            }
            ExprKind::Or(operands) => {
                ir::Expr::Either(Box::new(self.expr(&operands.0)), Box::new(self.expr(&operands.1)))
            }
            ExprKind::Imply(operands) => {
                let not = ir::Expr::Unary(ir::Unary::Not, Box::new(self.expr(&operands.0)));
                ir::Expr::Either(Box::new(not), Box::new(self.expr(&operands.1)))
            }
        }
    }

    /// Whether a process is in a state.
    pub(super) fn in_state(&self, process: usize, state: usize) -> ir::Expr {
        let location = ir::Expr::Load(Box::new(plain(self.layout.locations[process])));
        ir::Expr::Binary(ir::Binary::Eq, Box::new(location), Box::new(ir::Expr::Const(state as i32)))
    }

    fn state_slot(&self, place: &Place) -> StateSlot {
        match place.process {
            None => self.layout.globals[place.index],
            Some(process) => self.layout.locals[process][place.index],
        }
    }

    /// A variable or an element.
    pub(super) fn variable(&self, place: &Place) -> Variable {
        let subscript = place.subscript.as_ref().map(|subscript| self.expr(subscript));
        self.element(place, subscript)
    }

    /// A variable, or the element at a subscript that is known already.
    pub(super) fn element(&self, place: &Place, subscript: Option<ir::Expr>) -> Variable {
        let slot = self.state_slot(place);
        let declared = self.model.variable(place);
        let mut variable = plain(slot);
        if let Some(value) = subscript {
            let bound = declared.length.unwrap_or(1) as u32;
            match value.as_const() {
                // Within the array there is nothing left to look at.
                Some(value) if (value as u32) < bound => variable.offset += value as u32 * slot.ty.size(),
                _ => {
                    let (stride, name) = (slot.ty.size(), self.layout.names[slot.declared as usize].clone());
                    variable.indices.push(Index { value, low: 0, bound, stride, name });
                }
            }
        }
        variable
    }
}

/// The variable at a slot; the first element, where it is an array.
pub(super) fn plain(slot: StateSlot) -> Variable {
    Variable { base: Base::Global, offset: slot.offset, indices: Vec::new(), ty: slot.ty, declared: slot.declared }
}

/// A value as it is when it has been in a message of that type.
pub(super) fn truncate(value: ir::Expr, ty: ScalarType) -> ir::Expr {
    if let Some(value) = value.as_const() {
        return ir::Expr::Const(ty.truncate(value));
    }
    let with = |op: ir::Binary, a: ir::Expr, b: i32| ir::Expr::Binary(op, Box::new(a), Box::new(ir::Expr::Const(b)));
    match ty {
        ScalarType::Byte => with(ir::Binary::And, value, 0xff),
        ScalarType::Int => with(ir::Binary::Shr, with(ir::Binary::Shl, value, 16), 16),
    }
}

/// A value in a variable of a slot's type.
pub(super) fn slot_variable(offset: u32, index: Option<Index>, ty: Type, declared: u32) -> Variable {
    Variable { base: Base::Global, offset, indices: index.into_iter().collect(), ty, declared }
}

fn binary(op: Binary) -> ir::Binary {
    match op {
        Binary::BitOr => ir::Binary::Or,
        Binary::BitAnd => ir::Binary::And,
        Binary::BitXor => ir::Binary::Xor,
        Binary::Eq => ir::Binary::Eq,
        Binary::Ne => ir::Binary::Ne,
        Binary::Lt => ir::Binary::Lt,
        Binary::Le => ir::Binary::Le,
        Binary::Gt => ir::Binary::Gt,
        Binary::Ge => ir::Binary::Ge,
        Binary::Shl => ir::Binary::Shl,
        Binary::Shr => ir::Binary::Shr,
        Binary::Add => ir::Binary::Add,
        Binary::Sub => ir::Binary::Sub,
        Binary::Mul => ir::Binary::Mul,
        Binary::Div => ir::Binary::Div,
        Binary::Mod => ir::Binary::Rem,
    }
}
