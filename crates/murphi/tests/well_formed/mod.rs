//! What `hir` promises about a model, checked.

use tightrope_murphi::hir::*;

/// Panics unless a model is what its documentation says.
pub fn check(model: &Model) {
    let types = &model.types;
    assert!(!model.rules.is_empty() && !model.start_states.is_empty());
    assert!(model.globals.iter().all(|global| global.ty != Types::ERROR && global.ty != Types::INT));
    for (position, routine) in model.routines.iter().enumerate() {
        let check = Check { model, slots: &routine.slots, callable: position + 1, returns: Some(routine.returns) };
        assert_eq!(routine.writes_param.len(), routine.param_count);
        for (at, slot) in routine.slots.iter().enumerate() {
            let is_param = matches!(slot.kind, SlotKind::ValueParam | SlotKind::VarParam);
            assert_eq!(is_param, at < routine.param_count);
        }
        check.frame();
        check.stmts(&routine.body);
    }
    let check = |slots| Check { model, slots, callable: model.routines.len(), returns: None };
    for rule in &model.rules {
        let check = check(&rule.slots);
        check.frame();
        check.binders(&rule.binders);
        rule.guard.iter().for_each(|guard| check.boolean(guard));
        check.stmts(&rule.body);
    }
    for start in &model.start_states {
        let check = check(&start.slots);
        check.frame();
        check.binders(&start.binders);
        check.stmts(&start.body);
    }
    for invariant in &model.invariants {
        let check = check(&invariant.slots);
        check.frame();
        check.binders(&invariant.binders);
        check.boolean(&invariant.condition);
    }
    if let Some(goal) = &model.goal {
        let check = check(&goal.slots);
        check.frame();
        check.boolean(&goal.condition);
    }
    for (id, ty) in types.iter() {
        if !types.is_simple(id) {
            assert!(ty.bits > 0);
        }
    }
}

struct Check<'a> {
    model: &'a Model,
    slots: &'a [Slot],
    /// How many routines may be called.
    callable: usize,
    /// What a `return` must have; nothing in a rule.
    returns: Option<Option<TypeId>>,
}

impl Check<'_> {
    fn types(&self) -> &Types {
        &self.model.types
    }

    fn frame(&self) {
        for slot in self.slots {
            assert_ne!(slot.ty, Types::ERROR);
            let simple = self.types().is_simple(slot.ty);
            match slot.kind {
                SlotKind::Counter => assert!(simple),
                SlotKind::Element => assert!(matches!(self.types().kind(slot.ty), TypeKind::Element(_))),
                SlotKind::Let => {}
                _ => assert_ne!(slot.ty, Types::INT),
            }
        }
    }

    fn slot(&self, slot: u32, kind: SlotKind) -> TypeId {
        let slot = &self.slots[slot as usize];
        assert_eq!(slot.kind, kind);
        slot.ty
    }

    fn binders(&self, binders: &[Binder]) {
        for (at, binder) in binders.iter().enumerate() {
            let slot = match binder {
                Binder::Each(slot, domain) => {
                    self.domain(*slot, domain);
                    if let Domain::Steps(from, to, _) = domain {
                        assert!(from.as_const().is_some() && to.as_const().is_some());
                    }
                    slot
                }
                Binder::Choose(slot, multiset) => {
                    self.element(*slot, multiset);
                    slot
                }
                Binder::Let(slot, value) => {
                    self.stored(self.slot(*slot, SlotKind::Let), value);
                    slot
                }
            };
            assert_eq!(*slot as usize, at, "the slots of binders come first");
        }
    }

    fn domain(&self, slot: u32, domain: &Domain) {
        let counter = self.slot(slot, SlotKind::Counter);
        match domain {
            Domain::All(ty) => {
                assert_eq!(counter, *ty);
                assert!(self.types().size(*ty) > 0);
            }
            Domain::Steps(from, to, by) => {
                assert!(counter == Types::INT && *by != 0);
                self.integer(from);
                self.integer(to);
            }
        }
    }

    fn element(&self, slot: u32, multiset: &Place) {
        self.place(multiset);
        assert_eq!(*self.types().kind(self.slot(slot, SlotKind::Element)), TypeKind::Element(multiset.ty));
        assert!(matches!(self.types().kind(multiset.ty), TypeKind::Multiset { .. }));
    }

    fn place(&self, place: &Place) {
        let mut ty = match place.base {
            Base::Global(at) => self.model.globals[at as usize].ty,
            Base::Slot(at) => self.slots[at as usize].ty,
        };
        for step in &place.path {
            ty = match (step, self.types().kind(ty)) {
                (Step::Field(at), TypeKind::Record(fields)) => fields[*at as usize].ty,
                (Step::Index(index), TypeKind::Array { index: expected, element }) => {
                    self.expr(index);
                    assert!(self.types().compatible(*expected, index.ty));
                    *element
                }
                (Step::Element(index), TypeKind::Multiset { element, .. }) => {
                    self.expr(index);
                    assert!(matches!(self.types().kind(index.ty), TypeKind::Element(_)));
                    *element
                }
                (step, kind) => panic!("{step:?} into {kind:?}"),
            };
        }
        assert_eq!(ty, place.ty);
    }

    fn target(&self, place: &Place) {
        self.place(place);
        if let Base::Slot(slot) = place.base {
            assert!(matches!(self.slots[slot as usize].kind, SlotKind::Local | SlotKind::VarParam));
        }
    }

    fn stored(&self, ty: TypeId, value: &Expr) {
        self.expr(value);
        assert!(self.types().compatible(ty, value.ty));
    }

    fn boolean(&self, expr: &Expr) {
        self.expr(expr);
        assert_eq!(expr.ty, Types::BOOL);
    }

    fn integer(&self, expr: &Expr) {
        self.expr(expr);
        assert!(self.types().is_integer(expr.ty));
    }

    fn call(&self, callee: u32, args: &[Argument]) -> Option<TypeId> {
        assert!((callee as usize) < self.callable);
        let routine = &self.model.routines[callee as usize];
        assert_eq!(args.len(), routine.param_count);
        for (arg, param) in args.iter().zip(&routine.slots) {
            match arg {
                Argument::Value(value) => {
                    assert_eq!(param.kind, SlotKind::ValueParam);
                    self.stored(param.ty, value);
                }
                Argument::Undefined => assert_eq!(param.kind, SlotKind::ValueParam),
                Argument::Var(place) => {
                    assert_eq!(param.kind, SlotKind::VarParam);
                    self.target(place);
                    assert!(self.types().alike(place.ty, param.ty));
                }
            }
        }
        routine.returns
    }

    fn expr(&self, expr: &Expr) {
        let types = self.types();
        assert_ne!(expr.ty, Types::ERROR, "{expr:?}");
        match &expr.kind {
            ExprKind::Const(value) => assert!(types.is_simple(expr.ty) && types.contains(expr.ty, *value), "{expr:?}"),
            ExprKind::Load(place) => {
                self.place(place);
                assert_eq!(place.ty, expr.ty);
            }
            ExprKind::Unary(Unary::Not, operand) => self.boolean(operand),
            ExprKind::Unary(Unary::Neg, operand) => self.integer(operand),
            ExprKind::Binary(op, operands) => {
                let (left, right) = &**operands;
                match op {
                    Binary::Implies | Binary::Or | Binary::And => {
                        self.boolean(left);
                        self.boolean(right);
                    }
                    Binary::Eq | Binary::Ne => {
                        self.stored(left.ty, left);
                        self.stored(left.ty, right);
                        assert!(types.is_simple(left.ty));
                    }
                    _ => {
                        self.integer(left);
                        self.integer(right);
                    }
                }
                assert!(left.as_const().is_none() || right.as_const().is_none(), "not folded: {expr:?}");
            }
            ExprKind::Cond(parts) => {
                self.boolean(&parts.0);
                self.stored(expr.ty, &parts.1);
                self.stored(expr.ty, &parts.2);
            }
            ExprKind::Quantified(_, slot, parts) => {
                self.domain(*slot, &parts.0);
                self.boolean(&parts.1);
            }
            ExprKind::Call(callee, args) => assert_eq!(self.call(*callee, args), Some(expr.ty)),
            ExprKind::IsUndefined(place) => {
                self.place(place);
                assert!(types.is_simple(place.ty));
            }
            ExprKind::IsMember(value, member) => self.stored(*member, value),
            ExprKind::MultisetCount(slot, parts) => {
                self.element(*slot, &parts.0);
                self.boolean(&parts.1);
            }
        }
    }

    fn stmts(&self, list: &[Stmt]) {
        for statement in list {
            self.stmt(&statement.kind);
        }
    }

    fn stmt(&self, kind: &StmtKind) {
        match kind {
            StmtKind::Assign(place, value) => {
                self.target(place);
                self.stored(place.ty, value);
            }
            StmtKind::Let(slot, value) => self.stored(self.slot(*slot, SlotKind::Let), value),
            StmtKind::If(clauses, otherwise) => {
                for (condition, body) in clauses {
                    self.boolean(condition);
                    self.stmts(body);
                }
                self.stmts(otherwise);
            }
            StmtKind::Switch(switch) => {
                self.expr(&switch.value);
                let values: Vec<i32> = switch.cases.iter().flat_map(|(values, _)| values.clone()).collect();
                let different: std::collections::BTreeSet<i32> = values.iter().copied().collect();
                assert_eq!(values.len(), different.len());
                switch.cases.iter().for_each(|(_, body)| self.stmts(body));
                self.stmts(&switch.otherwise);
            }
            StmtKind::For(slot, domain, body) => {
                self.domain(*slot, domain);
                self.stmts(body);
            }
            StmtKind::While(condition, body) => {
                self.boolean(condition);
                self.stmts(body);
            }
            StmtKind::Call(callee, args) => assert_eq!(self.call(*callee, args), None),
            StmtKind::Clear(place) => {
                self.target(place);
                assert!(!self.types().holds_scalarset(place.ty));
            }
            StmtKind::Undefine(place) => self.target(place),
            StmtKind::MultisetAdd(value, multiset) => {
                self.target(multiset);
                match self.types().kind(multiset.ty) {
                    TypeKind::Multiset { element, .. } => self.stored(*element, value),
                    other => panic!("{other:?}"),
                }
            }
            StmtKind::MultisetRemove(index, multiset) => {
                self.target(multiset);
                self.expr(index);
                assert!(matches!(self.types().kind(index.ty), TypeKind::Element(_)));
            }
            StmtKind::MultisetRemoveAll(slot, multiset, condition) => {
                self.target(multiset);
                self.element(*slot, multiset);
                self.boolean(condition);
            }
            StmtKind::Error(_) | StmtKind::PutText(_) => {}
            StmtKind::Assert(condition, _) => self.boolean(condition),
            StmtKind::Put(value) => self.expr(value),
            StmtKind::Return(value) => match (self.returns.flatten(), value) {
                (Some(ty), Some(value)) => self.stored(ty, value),
                (expected, found) => assert!(expected.is_none() && found.is_none()),
            },
        }
    }
}
