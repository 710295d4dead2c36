//! Statements.

use super::exprs::frame_variable;
use super::{Body, Lower};
use crate::hir::{Domain, Expr, ExprKind, Place, Stmt, StmtKind, TypeId, TypeKind};
use tightrope_ir::{self as ir, PrintItem, Variable};

impl Lower<'_> {
    /// The statements of a block.
    pub(super) fn block(&mut self, stmts: &[Stmt], body: &mut Body) -> Vec<ir::Stmt> {
        let mut block = Vec::new();
        for stmt in stmts {
            let source = self.source(stmt.span);
            let mut kinds = Vec::new();
            self.statement(&stmt.kind, body, &mut kinds);
            block.extend(kinds.into_iter().map(|kind| ir::Stmt { kind, source }));
        }
        block
    }

    fn nested(&mut self, kinds: Vec<ir::StmtKind>, source: ir::Source) -> Vec<ir::Stmt> {
        kinds.into_iter().map(|kind| ir::Stmt { kind, source }).collect()
    }

    fn statement(&mut self, kind: &StmtKind, body: &mut Body, out: &mut Vec<ir::StmtKind>) {
        match kind {
            StmtKind::Assign(place, value) => self.assign(place, value, body, out),
            StmtKind::Let(slot, value) => {
                let value = self.expr(value, body);
                let value = self.bounded(value, body.slots[*slot as usize].ty);
                out.push(ir::StmtKind::SetSlot(*slot, value));
            }
            StmtKind::If(clauses, otherwise) => {
                let clauses = clauses
                    .iter()
                    .map(|(condition, block)| (self.expr(condition, body), self.block(block, body)))
                    .collect();
                let otherwise = self.block(otherwise, body);
                out.push(ir::StmtKind::If(clauses, otherwise));
            }
            StmtKind::Switch(switch) => {
                let value = self.expr(&switch.value, body);
                let cases = switch
                    .cases
                    .iter()
                    .map(|(values, block)| {
                        let values = values.iter().map(|&value| ir::Expr::Const(value)).collect();
                        (values, self.block(block, body))
                    })
                    .collect();
                let otherwise = self.block(&switch.otherwise, body);
                out.push(ir::StmtKind::Switch(value, cases, otherwise));
            }
            StmtKind::For(slot, domain, block) => {
                let block = self.block(block, body);
                match &**domain {
                    Domain::Steps(low, high, step) => {
                        let (low, high) = (self.expr(low, body), self.expr(high, body));
                        out.push(ir::StmtKind::For(*slot, low, high, *step, block));
                    }
                    Domain::All(ty) => {
                        for (low, high) in self.types.ranges(*ty) {
                            let (low, high) = (ir::Expr::Const(low), ir::Expr::Const(high));
                            out.push(ir::StmtKind::For(*slot, low, high, 1, block.clone()));
                        }
                    }
                }
            }
            StmtKind::While(condition, block) => {
                let condition = self.expr(condition, body);
                let block = self.block(block, body);
                out.push(ir::StmtKind::While(condition, block));
            }
            StmtKind::Call(routine, args) => {
                let call = self.call(*routine, args, body);
                out.push(ir::StmtKind::Call(call));
            }
            StmtKind::Clear(place) => {
                let mut bytes = Vec::new();
                self.cleared(place.ty, &mut bytes);
                let variable = self.variable(place, body);
                out.push(ir::StmtKind::Fill(variable, bytes.into()));
            }
            StmtKind::Undefine(place) => {
                let bytes = vec![0; self.size(place.ty) as usize];
                let variable = self.variable(place, body);
                out.push(ir::StmtKind::Fill(variable, bytes.into()));
            }
            StmtKind::MultisetAdd(value, multiset) => self.add(value, multiset, body, out),
            StmtKind::MultisetRemove(position, multiset) => {
                let position = self.expr(position, body);
                let form = self.multiset(multiset.ty);
                let variable = self.variable(multiset, body);
                out.push(ir::StmtKind::Remove(variable, form, position));
            }
            StmtKind::MultisetRemoveAll(slot, multiset, condition) => {
                let form = self.multiset(multiset.ty);
                let used = self.used(multiset, ir::Expr::Slot(*slot), body);
                let condition = self.expr(condition, body);
                let variable = self.variable(multiset, body);
                let source = self.source(multiset.span);
                let remove = self.nested(vec![ir::StmtKind::Remove(variable, form, ir::Expr::Slot(*slot))], source);
                let guard = ir::Expr::Both(Box::new(used), Box::new(condition));
                let block = self.nested(vec![ir::StmtKind::If(vec![(guard, remove)], Vec::new())], source);
                let high = ir::Expr::Const(form.count as i32 - 1);
                out.push(ir::StmtKind::For(*slot, ir::Expr::Const(0), high, 1, block));
            }
            StmtKind::Error(message) => out.push(ir::StmtKind::Error(message.clone())),
            StmtKind::Assert(condition, message) => {
                let message = match message {
                    Some(message) => format!("assertion failed: {message}"),
                    None => "assertion failed".to_string(),
                };
                let condition = self.expr(condition, body);
                out.push(ir::StmtKind::Assert(condition, message));
            }
            StmtKind::PutText(text) => out.push(ir::StmtKind::Print(vec![PrintItem::Text(text.clone())])),
            StmtKind::Put(value) => {
                let mut pieces = Vec::new();
                match &value.kind {
                    ExprKind::Load(place) if !self.is_number(place, body) => {
                        let variable = self.variable(place, body);
                        self.pieces(variable, place.ty, &mut pieces);
                    }
                    _ => {
                        let format = self.value_format(value.ty);
                        pieces.push(PrintItem::Value(self.expr(value, body), format));
                    }
                }
                out.push(ir::StmtKind::Print(pieces));
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value, body));
                out.push(ir::StmtKind::Return(value));
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr, body: &mut Body, out: &mut Vec<ir::StmtKind>) {
        if self.types.is_simple(place.ty) {
            let value = self.expr(value, body);
            let variable = self.variable(place, body);
            out.push(ir::StmtKind::Set(variable, value));
            return;
        }
        match &value.kind {
            ExprKind::Load(from) => {
                let size = self.size(place.ty) as u32;
                let (to, from) = (self.variable(place, body), self.variable(from, body));
                out.push(ir::StmtKind::Copy(to, from, size));
            }
            ExprKind::Cond(parts) => {
                let condition = self.expr(&parts.0, body);
                let source = self.source(value.span);
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.assign(place, &parts.1, body, &mut then);
                self.assign(place, &parts.2, body, &mut otherwise);
                let (then, otherwise) = (self.nested(then, source), self.nested(otherwise, source));
                out.push(ir::StmtKind::If(vec![(condition, then)], otherwise));
            }
            other => unreachable!("a composite value is a variable or a choice of two, not {other:?}"),
        }
    }

    fn add(&mut self, value: &Expr, multiset: &Place, body: &mut Body, out: &mut Vec<ir::StmtKind>) {
        let form = self.multiset(multiset.ty);
        let TypeKind::Multiset { element, .. } = *self.types.kind(multiset.ty) else { return };
        let from = match &value.kind {
            ExprKind::Load(place) if !self.is_number(place, body) && self.same_form(place.ty, element) => {
                self.variable(place, body)
            }
            _ => {
                let offset = self.reserve(body, element);
                let scalar = self.scalar(element);
                let kept = frame_variable(offset, scalar);
                let value = self.expr(value, body);
                out.push(ir::StmtKind::Set(kept.clone(), value));
                kept
            }
        };
        let multiset = self.variable(multiset, body);
        out.push(ir::StmtKind::Insert(multiset, form, from));
    }

    /// The text of a value of any type: its simple parts.
    fn pieces(&mut self, variable: Variable, ty: TypeId, pieces: &mut Vec<PrintItem>) {
        let part = |offset: u32| Variable { offset: variable.offset + offset, ..variable.clone() };
        match self.types.kind(ty).clone() {
            TypeKind::Array { index, element } => {
                let size = self.size(element) as u32;
                for at in 0..self.types.size(index) as u32 {
                    self.pieces(part(at * size), element, pieces);
                    pieces.push(PrintItem::Text(" ".into()));
                }
            }
            TypeKind::Record(fields) => {
                let mut at = 0;
                for field in fields {
                    pieces.push(PrintItem::Text(format!("{}:", field.name)));
                    self.pieces(part(at), field.ty, pieces);
                    pieces.push(PrintItem::Text(" ".into()));
                    at += self.size(field.ty) as u32;
                }
            }
            TypeKind::Multiset { .. } => pieces.push(PrintItem::Text("(a multiset)".into())),
            _ => {
                let format = self.value_format(ty);
                let scalar = self.scalar(ty);
                let load = ir::Expr::Load(Box::new(Variable { ty: scalar, ..variable.clone() }));
                let undefined = ir::Expr::Undefined(Box::new(Variable { ty: scalar, ..variable }));
                pieces.push(PrintItem::Unless(undefined, load, format));
            }
        }
    }
}
