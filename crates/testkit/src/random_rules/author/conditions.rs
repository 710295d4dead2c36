//! Random conditions.

use super::*;

impl Author<'_> {
    /// A condition that holds only if the guards do, or whenever one of them does not.
    pub(super) fn guarded(&mut self, guards: Vec<Expr>, atom: Expr) -> Expr {
        if self.careful == 0 && self.faults && self.rng.chance(8) {
            return atom;
        }
        let strict = self.rng.chance(75);
        guards.into_iter().rev().fold(atom, |rest, guard| match strict {
            true => both(guard, rest),
            false => Expr::Either(Box::new(not(guard)), Box::new(rest)),
        })
    }

    pub(super) fn condition(&mut self, body: &mut Body, depth: u32) -> Expr {
        for _ in 0..4 {
            if let Some(condition) = self.try_condition(body, depth) {
                return condition;
            }
        }
        Expr::Const(1)
    }

    pub(super) fn try_condition(&mut self, body: &mut Body, depth: u32) -> Option<Expr> {
        let mut guards = Vec::new();
        let deep = usize::from(depth > 0);
        let choice =
            self.rng.weighted(&[(6, 0), (2, 1), (2, 2), (4 * deep, 3), (2 * deep, 4), (2 * deep, 5), (1, 6), (1, 7)]);
        match choice {
            0 => {
                let (variable, form) = self.variable(Form::is_simple, body, &mut guards, 2)?;
                guards.push(not(undefined(&variable)));
                let value = self.term(&form, body, &mut guards, 2).filter(|value| *value != load(&variable))?;
                let ordered = matches!(form, Form::Range(..)) || !self.symmetric;
                let op = match ordered && self.rng.chance(30) {
                    true => *self.rng.pick(&[Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge]),
                    false => self.rng.weighted(&[(3, Binary::Eq), (2, Binary::Ne)]),
                };
                Some(self.guarded(guards, binary(op, load(&variable), value)))
            }
            1 => {
                let (variable, _) = self.variable(Form::is_simple, body, &mut guards, 2)?;
                let test = undefined(&variable);
                let test = if self.rng.chance(50) { not(test) } else { test };
                Some(self.guarded(guards, test))
            }
            2 => {
                let (slot, form) = body.scope.get(self.rng.below(body.scope.len()))?.clone();
                let value = self.term(&form, body, &mut guards, 2).filter(|value| *value != Expr::Slot(slot))?;
                let op = if self.rng.chance(50) { Binary::Eq } else { Binary::Ne };
                Some(self.guarded(guards, binary(op, Expr::Slot(slot), value)))
            }
            3 => {
                let mark = body.mark();
                let (slot, set) = (body.slot(), Form::Set(self.rng.below(self.world.sets.len())));
                let (low, high) = self.world.bounds(&set);
                body.scope.push((slot, set));
                self.careful += 1;
                let inner = self.condition(body, depth - 1);
                self.careful -= 1;
                body.back_to(mark);
                let fold = *self.rng.pick(&[Fold::All, Fold::Any, Fold::Count]);
                let (low, high, step) = if self.rng.chance(80) { (low, high, 1) } else { (high, low, -1) };
                let (low, high) = (Expr::Const(low), Expr::Const(high));
                let over =
                    Expr::Quantified(Box::new(Quantified { fold, slot, low, high, step, every: false, body: inner }));
                Some(self.counted(fold, over))
            }
            4 => {
                let (multiset, form, element, global) = self.multiset(body, &mut guards, 1)?;
                let mark = body.mark();
                let slot = body.slot();
                self.know_element(body, &multiset, &form, &element, slot, global);
                self.careful += 1;
                let inner = if self.rng.chance(40) { Expr::Const(1) } else { self.condition(body, depth - 1) };
                self.careful -= 1;
                body.back_to(mark);
                let inner = both(used(&multiset, &form, slot), inner);
                let (low, high) = (Expr::Const(0), Expr::Const(form.count as i32 - 1));
                let over = Quantified { fold: Fold::Count, slot, low, high, step: 1, every: false, body: inner };
                let counted = self.counted(Fold::Count, Expr::Quantified(Box::new(over)));
                Some(self.guarded(guards, counted))
            }
            5 => {
                let (a, b) = (self.condition(body, depth - 1), self.condition(body, depth - 1));
                Some(match self.rng.below(4) {
                    0 => both(a, b),
                    1 => Expr::Either(Box::new(a), Box::new(b)),
                    2 => not(both(a, b)),
                    _ => Expr::Choose(Box::new((a, b, Expr::Const(0)))),
                })
            }
            6 => {
                // A variable and another one, or a value that is kept for the call.
                let (variable, form) = self.variable(Form::is_simple, body, &mut guards, 2)?;
                let other = match self.rng.chance(50) {
                    true => Some(self.variable(|other| *other == form, body, &mut guards, 2)?.0),
                    false => None,
                };
                let other = match other {
                    Some(other) => Argument::Place(other),
                    None => {
                        let value = self.term(&form, body, &mut guards, 2)?;
                        let kept = body.reserve(self.world.size(&form));
                        Argument::Kept(in_frame(kept, self.world.ty(&form)), value)
                    }
                };
                let which = if self.rng.chance(60) { Deed::Same } else { Deed::Differ };
                let routine = self.routine(which, &form);
                let call = Call { routine, args: vec![Argument::Place(variable), other] };
                Some(self.guarded(guards, Expr::Call(Box::new(call))))
            }
            _ => {
                let union = |form: &Form| matches!(form, Form::Union(_));
                let (variable, form) = self.variable(union, body, &mut guards, 2)?;
                guards.push(not(undefined(&variable)));
                let sets: Vec<Form> = form.members().into_iter().filter(|one| matches!(one, Form::Set(_))).collect();
                let set = self.rng.pick(&sets).clone();
                let position = Expr::Ordinal(Box::new(load(&variable)), self.world.union(&set));
                Some(self.guarded(guards, binary(Binary::Ge, position, Expr::Const(0))))
            }
        }
    }

    /// A condition on what a fold gives.
    pub(super) fn counted(&mut self, fold: Fold, over: Expr) -> Expr {
        let op = *self.rng.pick(&[Binary::Le, Binary::Ge, Binary::Eq, Binary::Lt]);
        match fold {
            Fold::Count => binary(op, over, Expr::Const(self.rng.range(0, 2))),
            _ if self.rng.chance(30) => not(over),
            _ => over,
        }
    }
}
