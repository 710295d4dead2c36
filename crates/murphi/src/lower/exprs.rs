//! Expressions and places.

use super::{Body, Lower, SlotStorage};
use crate::hir::{self, Argument, Domain, Expr, ExprKind, Place, Quantifier, SlotKind, Step, TypeId, TypeKind};
use tightrope_ir::{self as ir, Base, Binary, Fold, Index, Quantified, Type, Unary, Variable};

impl Lower<'_> {
    /// A place as a variable of the program. Its type is that of a simple variable, where it is one.
    pub(super) fn variable(&mut self, place: &Place, body: &mut Body) -> Variable {
        let (base, mut offset, mut ty, declared) = match place.base {
            hir::Base::Global(global) => {
                (Base::Global, self.offsets[global as usize], self.model.globals[global as usize].ty, global)
            }
            hir::Base::Slot(slot) => {
                let ty = body.slots[slot as usize].ty;
                match body.storage[slot as usize] {
                    SlotStorage::Memory(offset) => (Base::Frame, offset, ty, u32::MAX),
                    SlotStorage::Reference | SlotStorage::Number => (Base::At(slot), 0, ty, u32::MAX),
                }
            }
        };
        let mut indices = Vec::new();
        for step in &place.path {
            match step {
                Step::Field(field) => {
                    offset += self.field_offset(ty, *field);
                    if let TypeKind::Record(fields) = self.types.kind(ty) {
                        ty = fields[*field as usize].ty;
                    }
                }
                Step::Index(index) => {
                    let TypeKind::Array { index: over, element } = *self.types.kind(ty) else { continue };
                    let stride = self.size(element) as u32;
                    let bound = self.types.size(over) as u32;
                    let (value, low) = match self.types.ranges(over)[..] {
                        [(low, _)] => (self.expr(index, body), low),
                        _ => {
                            let union = self.union(over);
                            (ir::Expr::Ordinal(Box::new(self.expr(index, body)), union), 0)
                        }
                    };
                    match value.as_const().map(|value| value.wrapping_sub(low)) {
                        Some(position) if (position as u32) < bound => offset += position as u32 * stride,
                        _ => indices.push(Index { value, low, bound, stride, name: self.array_name(place) }),
                    }
                    ty = element;
                }
                Step::Element(position) => {
                    let form = self.multiset(ty);
                    let value = self.expr(position, body);
                    let name = self.array_name(place);
                    indices.push(Index { value, low: 0, bound: form.count, stride: form.size, name });
                    offset += 1;
                    if let TypeKind::Multiset { element, .. } = self.types.kind(ty) {
                        ty = *element;
                    }
                }
            }
        }
        let ty = if self.types.is_simple(ty) { self.scalar(ty) } else { Type::BYTE };
        Variable { base, offset, indices, ty, declared }
    }

    fn array_name(&self, place: &Place) -> String {
        match place.base {
            hir::Base::Global(global) => self.model.globals[global as usize].name.clone(),
            hir::Base::Slot(_) => String::new(),
        }
    }

    /// Whether the place of a multiset at a position is used.
    pub(super) fn used(&mut self, multiset: &Place, position: ir::Expr, body: &mut Body) -> ir::Expr {
        let form = self.multiset(multiset.ty);
        let mut variable = self.variable(multiset, body);
        let name = self.array_name(multiset);
        variable.indices.push(Index { value: position, low: 0, bound: form.count, stride: form.size, name });
        variable.ty = Type::BYTE;
        ir::Expr::Load(Box::new(variable))
    }

    /// The value of a simple expression.
    pub(super) fn expr(&mut self, expr: &Expr, body: &mut Body) -> ir::Expr {
        match &expr.kind {
            ExprKind::Const(value) => ir::Expr::Const(*value),
            ExprKind::Load(place) => self.load(place, body),
            ExprKind::Unary(op, a) => {
                let op = match op {
                    hir::Unary::Not => Unary::Not,
                    hir::Unary::Neg => Unary::Neg,
                };
                ir::Expr::Unary(op, Box::new(self.expr(a, body)))
            }
            ExprKind::Binary(op, operands) => {
                let a = Box::new(self.expr(&operands.0, body));
                let b = Box::new(self.expr(&operands.1, body));
                let op = match op {
                    hir::Binary::And => return ir::Expr::Both(a, b),
                    hir::Binary::Or => return ir::Expr::Either(a, b),
                    hir::Binary::Implies => return ir::Expr::Either(Box::new(ir::Expr::Unary(Unary::Not, a)), b),
                    hir::Binary::Eq => Binary::Eq,
                    hir::Binary::Ne => Binary::Ne,
                    hir::Binary::Lt => Binary::Lt,
                    hir::Binary::Le => Binary::Le,
                    hir::Binary::Gt => Binary::Gt,
                    hir::Binary::Ge => Binary::Ge,
                    hir::Binary::Add => Binary::Add,
                    hir::Binary::Sub => Binary::Sub,
                    hir::Binary::Mul => Binary::Mul,
                    hir::Binary::Div => Binary::Div,
                    hir::Binary::Mod => Binary::Rem,
                };
                ir::Expr::Binary(op, a, b)
            }
            ExprKind::Cond(parts) => {
                let parts = (self.expr(&parts.0, body), self.expr(&parts.1, body), self.expr(&parts.2, body));
                ir::Expr::Choose(Box::new(parts))
            }
            ExprKind::Quantified(quantifier, slot, parts) => {
                let condition = self.expr(&parts.1, body);
                let fold = match quantifier {
                    Quantifier::All => Fold::All,
                    Quantifier::Exists => Fold::Any,
                };
                self.over(fold, *slot, &parts.0, condition, body)
            }
            ExprKind::Call(routine, args) => ir::Expr::Call(Box::new(self.call(*routine, args, body))),
            ExprKind::IsUndefined(place) => match place.base {
                hir::Base::Slot(slot) if body.storage[slot as usize] == SlotStorage::Number => ir::Expr::Const(0),
                _ => ir::Expr::Undefined(Box::new(self.variable(place, body))),
            },
            ExprKind::IsMember(value, ty) => {
                let union = self.union(*ty);
                let position = ir::Expr::Ordinal(Box::new(self.expr(value, body)), union);
                ir::Expr::Binary(Binary::Ge, Box::new(position), Box::new(ir::Expr::Const(0)))
            }
            ExprKind::MultisetCount(slot, parts) => {
                let used = self.used(&parts.0, ir::Expr::Slot(*slot), body);
                let condition = self.expr(&parts.1, body);
                let body = ir::Expr::Both(Box::new(used), Box::new(condition));
                let high = ir::Expr::Const(self.multiset(parts.0.ty).count as i32 - 1);
                let over = Quantified {
                    fold: Fold::Count,
                    slot: *slot,
                    low: ir::Expr::Const(0),
                    high,
                    step: 1,
                    every: false,
                    body,
                };
                ir::Expr::Quantified(Box::new(over))
            }
        }
    }

    fn load(&mut self, place: &Place, body: &mut Body) -> ir::Expr {
        if let hir::Base::Slot(slot) = place.base
            && body.storage[slot as usize] == SlotStorage::Number
        {
            return ir::Expr::Slot(slot);
        }
        ir::Expr::Load(Box::new(self.variable(place, body)))
    }

    /// A condition over all values of a domain.
    pub(super) fn over(
        &mut self,
        fold: Fold,
        slot: u32,
        domain: &Domain,
        condition: ir::Expr,
        body: &mut Body,
    ) -> ir::Expr {
        let every = matches!(domain, Domain::All(ty) if self.types.holds_scalarset(*ty));
        let one = |low: ir::Expr, high: ir::Expr, step: i32, body: ir::Expr| {
            ir::Expr::Quantified(Box::new(Quantified { fold, slot, low, high, step, every, body }))
        };
        match domain {
            Domain::Steps(low, high, step) => {
                let (low, high) = (self.expr(low, body), self.expr(high, body));
                one(low, high, *step, condition)
            }
            Domain::All(ty) => {
                let ranges = self.types.ranges(*ty);
                let mut parts = ranges
                    .into_iter()
                    .map(|(low, high)| one(ir::Expr::Const(low), ir::Expr::Const(high), 1, condition.clone()));
                let first = parts.next().unwrap_or(ir::Expr::Const(i32::from(fold == Fold::All)));
                parts.fold(first, |all, part| match fold {
                    Fold::All => ir::Expr::Both(Box::new(all), Box::new(part)),
                    Fold::Any => ir::Expr::Either(Box::new(all), Box::new(part)),
                    Fold::Count => ir::Expr::Binary(Binary::Add, Box::new(all), Box::new(part)),
                })
            }
        }
    }

    /// A value that must be one of a type's; any, for an integer without bounds.
    pub(super) fn bounded(&mut self, value: ir::Expr, ty: TypeId) -> ir::Expr {
        if *self.types.kind(ty) == TypeKind::Int {
            return value;
        }
        match self.types.ranges(ty)[..] {
            [(low, high)] => {
                let bound = (i64::from(high) - i64::from(low) + 1) as u32;
                let name = String::from("the type");
                ir::Expr::Bounded(Box::new(Index { value, low, bound, stride: 1, name }))
            }
            _ => value,
        }
    }

    /// A call. Parameters are references: to the argument, where it is a variable of the same type, else to a copy.
    pub(super) fn call(&mut self, routine: u32, args: &[Argument], body: &mut Body) -> ir::Call {
        let params: Vec<(TypeId, SlotKind)> =
            self.model.routines[routine as usize].slots.iter().map(|slot| (slot.ty, slot.kind)).collect();
        let mut bound = Vec::new();
        for (arg, (ty, _)) in args.iter().zip(params) {
            bound.push(match arg {
                Argument::Var(place) => ir::Argument::Place(self.variable(place, body)),
                Argument::Undefined => {
                    let offset = self.reserve(body, ty);
                    ir::Argument::Place(frame_variable(offset, Type::BYTE))
                }
                Argument::Value(expr) => match &expr.kind {
                    ExprKind::Load(place) if !self.is_number(place, body) && self.same_form(place.ty, ty) => {
                        ir::Argument::Place(self.variable(place, body))
                    }
                    _ => {
                        let offset = self.reserve(body, ty);
                        let scalar = self.scalar(ty);
                        let value = self.expr(expr, body);
                        ir::Argument::Kept(frame_variable(offset, scalar), value)
                    }
                },
            });
        }
        ir::Call { routine, args: bound }
    }

    /// Whether a place is a plain number that has no place in memory.
    pub(super) fn is_number(&self, place: &Place, body: &Body) -> bool {
        matches!(place.base, hir::Base::Slot(slot) if body.storage[slot as usize] == SlotStorage::Number)
    }

    /// Whether two types have the same layout.
    pub(super) fn same_form(&self, a: TypeId, b: TypeId) -> bool {
        if self.types.is_simple(a) && self.types.is_simple(b) {
            self.types.ranges(a) == self.types.ranges(b)
        } else {
            self.types.alike(a, b)
        }
    }

    /// Makes room in the memory of a rule or routine.
    pub(super) fn reserve(&mut self, body: &mut Body, ty: TypeId) -> u32 {
        let offset = body.frame.len() as u32;
        let size = self.size(ty) as usize;
        body.frame.resize(offset as usize + size, 0);
        offset
    }
}

/// A variable in the memory of a rule or routine.
pub(super) fn frame_variable(offset: u32, ty: Type) -> Variable {
    Variable { base: Base::Frame, offset, indices: Vec::new(), ty, declared: u32::MAX }
}
