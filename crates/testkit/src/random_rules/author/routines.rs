//! Random calls, and the routines they call.

use super::*;

impl Author<'_> {
    pub(super) fn call(&mut self, body: &mut Body, block: &mut Vec<Stmt>) -> Option<()> {
        let mut guards = Vec::new();
        let which = *self.rng.pick(&[Deed::Put, Deed::Swap, Deed::Bump]);
        let fits = |form: &Form| match which {
            Deed::Put => form.is_simple(),
            Deed::Bump => matches!(form, Form::Range(low, high) if high - low < 20),
            _ => true,
        };
        let (variable, form) = self.target(fits, body, &mut guards, 2)?;
        let mut args = vec![Argument::Place(variable)];
        match which {
            Deed::Put => args.push(Argument::Value(self.term(&form, body, &mut guards, 2)?)),
            Deed::Swap => args.push(Argument::Place(self.target(|other| *other == form, body, &mut guards, 2)?.0)),
            _ => {}
        }
        let routine = self.routine(which, &form);
        self.add(block, guards, StmtKind::Call(Call { routine, args }));
        Some(())
    }

    /// The number of a routine, which is written when it is first called.
    pub(super) fn routine(&mut self, which: Deed, form: &Form) -> u32 {
        if let Some(known) = self.written.iter().position(|one| *one == (which, form.clone())) {
            return known as u32;
        }
        let ty = if form.is_simple() { self.world.ty(form) } else { Type::BYTE };
        let (a, b) = (at(0, ty), at(1, ty));
        let size = self.world.size(form);
        let mut routine = Routine { name: format!("{which:?}"), slots: 2, ..Routine::default() };
        let body = match which {
            Deed::Put => vec![StmtKind::Set(a, Expr::Slot(1))],
            Deed::Same => {
                routine.returns = true;
                let unknown = Expr::Either(Box::new(undefined(&a)), Box::new(undefined(&b)));
                let none = self.stmt(StmtKind::Return(Some(Expr::Const(0))));
                let equal = binary(Binary::Eq, load(&a), load(&b));
                vec![StmtKind::If(vec![(unknown, vec![none])], Vec::new()), StmtKind::Return(Some(equal))]
            }
            Deed::Differ => {
                // Through a copy of its own, so that a routine with memory calls another one.
                routine.returns = true;
                routine.frame = vec![0; size as usize];
                let same = self.routine(Deed::Same, form);
                let args = vec![Argument::Place(in_frame(0, ty)), Argument::Place(b)];
                let call = Expr::Call(Box::new(Call { routine: same, args }));
                vec![StmtKind::Copy(in_frame(0, ty), a, size), StmtKind::Return(Some(not(call)))]
            }
            Deed::Swap => {
                routine.frame = vec![0; size as usize];
                let kept = in_frame(0, ty);
                vec![
                    StmtKind::Copy(kept.clone(), a.clone(), size),
                    StmtKind::Copy(a, b.clone(), size),
                    StmtKind::Copy(b, kept, size),
                ]
            }
            Deed::Bump => {
                let (low, high) = self.world.bounds(form);
                let more = binary(Binary::Add, load(&a), Expr::Const(1));
                let first = self.stmt(StmtKind::Set(a.clone(), Expr::Const(low)));
                let next = self.stmt(StmtKind::Set(a.clone(), more));
                let top = binary(Binary::Eq, load(&a), Expr::Const(high));
                let start = Expr::Either(Box::new(undefined(&a)), Box::new(top));
                vec![StmtKind::If(vec![(start, vec![first])], vec![next])]
            }
        };
        routine.body = body.into_iter().map(|kind| self.stmt(kind)).collect();
        self.written.push((which, form.clone()));
        self.routines.push(routine);
        self.routines.len() as u32 - 1
    }
}
