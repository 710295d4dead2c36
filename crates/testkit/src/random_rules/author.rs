//! Writes rules.
//!
//! Where a program is to be symmetric, it is so by construction: elements are compared for equality, assigned, and used
//! as indices, nothing else; what is evaluated for one element after the other cannot fail and does not change what it
//! looks at, so that the order does not show.

mod statements;

use super::form::{Form, World};
use crate::random::Rng;
use tightrope_core::Format;
use tightrope_ir::{
    Argument, Base, Binary, Call, Does, Expr, Fold, Index, Invariant, Over, Parameter, Piece, Routine, Rule, Source,
    Stmt, Test, Type, Unary, Variable,
};

/// A place up to its indices.
#[derive(Clone, Debug)]
struct Spot {
    global: usize,
    offset: u32,
    indices: Vec<(Form, u32)>,
    form: Form,
}

/// A variable that a slot leads to: by reference, or in the element of a multiset at a position.
#[derive(Clone, Debug)]
struct Known {
    global: usize,
    variable: Variable,
    form: Form,
    /// In the element of a multiset, which is not written: there may be none any more.
    element: bool,
}

/// A rule, routine or invariant being written.
#[derive(Default)]
struct Body {
    slots: u32,
    frame: Vec<u8>,
    /// Slots with a value of that form.
    scope: Vec<(u32, Form)>,
    known: Vec<Known>,
    /// Elements of multisets that are there: the multiset, its form, the position.
    picked: Vec<(Variable, tightrope_ir::Multiset, u32)>,
}

impl Body {
    fn slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    fn reserve(&mut self, size: u32) -> u32 {
        let at = self.frame.len();
        self.frame.resize(at + size as usize, 0);
        at as u32
    }

    /// What is in scope now, to go back to.
    fn mark(&self) -> (usize, usize, usize) {
        (self.scope.len(), self.known.len(), self.picked.len())
    }

    fn back_to(&mut self, mark: (usize, usize, usize)) {
        self.scope.truncate(mark.0);
        self.known.truncate(mark.1);
        self.picked.truncate(mark.2);
    }
}

/// What a routine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Put,
    Same,
    Differ,
    Swap,
    Bump,
}

pub struct Author<'w> {
    pub rng: Rng,
    pub world: &'w World,
    pub symmetric: bool,
    /// Whether it may write what fails.
    pub faults: bool,
    pub routines: Vec<Routine>,
    spots: Vec<Spot>,
    written: Vec<(Deed, Form)>,
    line: u32,
    /// Inside of what must not fail.
    careful: u32,
    /// A global variable that must not be looked at.
    taboo: Option<usize>,
}

fn not(expr: Expr) -> Expr {
    Expr::Unary(Unary::Not, Box::new(expr))
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Both(Box::new(a), Box::new(b))
}

fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

fn load(variable: &Variable) -> Expr {
    Expr::Load(Box::new(variable.clone()))
}

fn undefined(variable: &Variable) -> Expr {
    Expr::Undefined(Box::new(variable.clone()))
}

fn at(slot: u32, ty: Type) -> Variable {
    Variable { base: Base::At(slot), offset: 0, indices: Vec::new(), ty, declared: u32::MAX }
}

fn in_frame(offset: u32, ty: Type) -> Variable {
    Variable { base: Base::Frame, offset, indices: Vec::new(), ty, declared: u32::MAX }
}

/// Whether the slot of a multiset is used.
fn used(multiset: &Variable, form: &tightrope_ir::Multiset, position: u32) -> Expr {
    let mut variable = multiset.clone();
    let (value, name) = (Expr::Slot(position), String::new());
    variable.indices.push(Index { value, low: 0, bound: form.count, stride: form.size, name });
    variable.ty = Type::BYTE;
    Expr::Load(Box::new(variable))
}

impl<'w> Author<'w> {
    pub fn new(rng: Rng, world: &'w World, symmetric: bool, faults: bool) -> Author<'w> {
        let mut spots = Vec::new();
        for (global, form) in world.globals.iter().enumerate() {
            collect(world, global, world.offset(global), &mut Vec::new(), form, &mut spots);
        }
        let (routines, written) = (Vec::new(), Vec::new());
        Author { rng, world, symmetric, faults, routines, spots, written, line: 0, careful: 0, taboo: None }
    }

    fn stmt(&mut self, does: Does) -> Stmt {
        self.line += 1;
        Stmt { does, source: Source { file: 0, line: self.line } }
    }

    // Values.

    /// The place of a spot. What must be true for its indices to have values is added to `guards`.
    fn place(&mut self, spot: &Spot, body: &mut Body, guards: &mut Vec<Expr>, depth: u32) -> Option<Variable> {
        let mut indices = Vec::new();
        for (form, stride) in &spot.indices {
            let mut value = self.term(form, body, guards, depth)?;
            if !self.symmetric && self.faults && self.careful == 0 && self.rng.chance(4) {
                value = binary(Binary::Add, value, Expr::Const(1));
            }
            let (value, low) = match form {
                Form::Union(_) => (Expr::Ordinal(Box::new(value), self.world.union(form)), 0),
                one => (value, self.world.bounds(one).0),
            };
            let (bound, name) = (self.world.count(form), format!("g{}", spot.global));
            indices.push(Index { value, low, bound, stride: *stride, name });
        }
        let ty = if spot.form.is_simple() { self.world.ty(&spot.form) } else { Type::BYTE };
        Some(Variable { base: Base::Global, offset: spot.offset, indices, ty, declared: spot.global as u32 })
    }

    /// Some variable whose form satisfies `fits`, to look at.
    fn variable(
        &mut self,
        fits: impl Fn(&Form) -> bool,
        body: &mut Body,
        guards: &mut Vec<Expr>,
        depth: u32,
    ) -> Option<(Variable, Form)> {
        self.find(|form, _, _| fits(form), body, guards, depth)
    }

    /// Some variable whose form satisfies `fits`, to write to. While an element of a multiset is held by its position,
    /// the multiset stays as it is: positions do not mean the same in a state and in its renaming.
    fn target(
        &mut self,
        fits: impl Fn(&Form) -> bool,
        body: &mut Body,
        guards: &mut Vec<Expr>,
        depth: u32,
    ) -> Option<(Variable, Form)> {
        let held: Vec<usize> = body.picked.iter().map(|(multiset, ..)| multiset.declared as usize).collect();
        let fits = |form: &Form, global: usize, element: bool| {
            fits(form) && !element && !(form.has_multiset() && held.contains(&global))
        };
        self.find(fits, body, guards, depth)
    }

    fn find(
        &mut self,
        fits: impl Fn(&Form, usize, bool) -> bool,
        body: &mut Body,
        guards: &mut Vec<Expr>,
        depth: u32,
    ) -> Option<(Variable, Form)> {
        let taboo = self.taboo;
        let fits = |form: &Form, global: usize, element: bool| fits(form, global, element) && Some(global) != taboo;
        let known: Vec<&Known> =
            body.known.iter().filter(|known| fits(&known.form, known.global, known.element)).collect();
        if !known.is_empty() && self.rng.chance(40) {
            let known = *self.rng.pick(&known);
            return Some((known.variable.clone(), known.form.clone()));
        }
        let spots: Vec<Spot> = self.spots.iter().filter(|spot| fits(&spot.form, spot.global, false)).cloned().collect();
        if spots.is_empty() {
            return None;
        }
        let spot = self.rng.pick(&spots).clone();
        let known = guards.len();
        let place = self.place(&spot, body, guards, depth);
        if place.is_none() {
            guards.truncate(known);
        }
        Some((place?, spot.form))
    }

    /// The value of a variable of that form; it must be defined.
    fn loaded(&mut self, form: &Form, body: &mut Body, guards: &mut Vec<Expr>, depth: u32) -> Option<Expr> {
        let (variable, _) = self.variable(|other| other == form, body, guards, depth.checked_sub(1)?)?;
        guards.push(not(undefined(&variable)));
        Some(load(&variable))
    }

    /// A value of a simple form.
    fn term(&mut self, form: &Form, body: &mut Body, guards: &mut Vec<Expr>, depth: u32) -> Option<Expr> {
        if let Form::Union(members) = form
            && self.rng.chance(70)
        {
            let member = self.rng.pick(members).clone();
            if let Some(term) = self.term(&member, body, guards, depth) {
                return Some(term);
            }
        }
        let slots: Vec<u32> = body.scope.iter().filter(|(_, other)| other == form).map(|(slot, _)| *slot).collect();
        if !slots.is_empty() && self.rng.chance(75) {
            return Some(Expr::Slot(*self.rng.pick(&slots)));
        }
        match form {
            Form::Range(low, high) => {
                if self.rng.chance(40)
                    && let Some(value) = self.loaded(form, body, guards, depth)
                {
                    if self.rng.chance(30) {
                        return Some(value);
                    }
                    // The next one, round and round.
                    let next = binary(Binary::Add, value, Expr::Const(1 - low));
                    let round = binary(Binary::Rem, next, Expr::Const(high - low + 1));
                    return Some(binary(Binary::Add, round, Expr::Const(*low)));
                }
                let high = if high - low > 20 && self.rng.chance(80) { low + 2 } else { *high };
                Some(Expr::Const(self.rng.range(*low, high)))
            }
            _ if !self.symmetric && self.rng.chance(50) => {
                let ranges = self.world.ranges(form);
                let &(low, high) = self.rng.pick(&ranges);
                Some(Expr::Const(self.rng.range(low, high)))
            }
            _ => match self.loaded(form, body, guards, depth) {
                Some(value) => Some(value),
                None => (!slots.is_empty()).then(|| Expr::Slot(*self.rng.pick(&slots))),
            },
        }
    }

    /// A condition that holds only if the guards do, or whenever one of them does not.
    fn guarded(&mut self, guards: Vec<Expr>, atom: Expr) -> Expr {
        if self.careful == 0 && self.faults && self.rng.chance(8) {
            return atom;
        }
        let strict = self.rng.chance(75);
        guards.into_iter().rev().fold(atom, |rest, guard| match strict {
            true => both(guard, rest),
            false => Expr::Either(Box::new(not(guard)), Box::new(rest)),
        })
    }

    fn condition(&mut self, body: &mut Body, depth: u32) -> Expr {
        for _ in 0..4 {
            if let Some(condition) = self.try_condition(body, depth) {
                return condition;
            }
        }
        Expr::Const(1)
    }

    fn try_condition(&mut self, body: &mut Body, depth: u32) -> Option<Expr> {
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
                let over = Expr::Over(Box::new(Over { fold, slot, low, high, step, every: false, body: inner }));
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
                let over = Over { fold: Fold::Count, slot, low, high, step: 1, every: false, body: inner };
                let counted = self.counted(Fold::Count, Expr::Over(Box::new(over)));
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
    fn counted(&mut self, fold: Fold, over: Expr) -> Expr {
        let op = *self.rng.pick(&[Binary::Le, Binary::Ge, Binary::Eq, Binary::Lt]);
        match fold {
            Fold::Count => binary(op, over, Expr::Const(self.rng.range(0, 2))),
            _ if self.rng.chance(30) => not(over),
            _ => over,
        }
    }

    /// A multiset: its place, its form, its elements' form, and which variable it is in.
    fn multiset(
        &mut self,
        body: &mut Body,
        guards: &mut Vec<Expr>,
        depth: u32,
    ) -> Option<(Variable, tightrope_ir::Multiset, Form, usize)> {
        let is_multiset = |form: &Form| matches!(form, Form::Multiset(..));
        let (variable, form) = self.variable(is_multiset, body, guards, depth)?;
        let Form::Multiset(count, element) = form else { return None };
        let global = variable.declared as usize;
        Some((variable, self.world.multiset(count, &element), *element, global))
    }

    /// The element at the position in a slot can be looked at from now on.
    fn know_element(
        &mut self,
        body: &mut Body,
        multiset: &Variable,
        form: &tightrope_ir::Multiset,
        element: &Form,
        slot: u32,
        global: usize,
    ) {
        let (value, name) = (Expr::Slot(slot), format!("g{global}"));
        let mut place = multiset.clone();
        place.indices.push(Index { value, low: 0, bound: form.count, stride: form.size, name });
        place.offset += 1;
        let fields = match element {
            Form::Record(fields) => fields.clone(),
            one => vec![one.clone()],
        };
        for form in fields {
            let variable = Variable { ty: self.world.ty(&form), ..place.clone() };
            place.offset += self.world.size(&form);
            body.known.push(Known { global, variable, form, element: true });
        }
    }

    // Statements.

    /// What all elements start with alike, and perhaps one value for each element of a set.
    pub fn start(&mut self, number: usize) -> Rule {
        let mut body = Body::default();
        let mut params = Vec::new();
        if self.rng.chance(25) {
            let form = Form::Set(self.rng.below(self.world.sets.len()));
            params.push(self.parameter(&form, &mut body));
        }
        let mut block = Vec::new();
        for global in 0..self.world.globals.len() {
            let form = self.world.globals[global].clone();
            let bytes =
                if self.rng.chance(20) { vec![0; self.world.size(&form) as usize] } else { self.uniform(&form) };
            let spot = Spot { global, offset: self.world.offset(global), indices: Vec::new(), form };
            if let Some(place) = self.place(&spot, &mut body, &mut Vec::new(), 0) {
                block.push(self.stmt(Does::Fill(place, bytes.into())));
            }
        }
        // Start states do not fail.
        let faults = std::mem::replace(&mut self.faults, false);
        if !params.is_empty() || !self.symmetric {
            let _ = self.try_statement(0, &mut body, &mut block, 0);
            let _ = self.try_statement(0, &mut body, &mut block, 0);
        }
        self.faults = faults;
        let (slots, frame, name) = (body.slots, body.frame, format!("start {number}"));
        Rule { name, params, slots, frame, body: block, ..Rule::default() }
    }

    /// A parameter that runs over the values of a form; in scope from now on.
    fn parameter(&mut self, form: &Form, body: &mut Body) -> Parameter {
        let slot = body.slot();
        body.scope.push((slot, form.clone()));
        let there = |&(low, high): &(i32, i32)| (low, high, 1);
        let back = |&(low, high): &(i32, i32)| (high, low, -1);
        let ranges = self.world.ranges(form);
        let ranges = if self.rng.chance(80) {
            ranges.iter().map(there).collect()
        } else {
            ranges.iter().rev().map(back).collect()
        };
        Parameter { name: format!("s{slot}"), slot, ranges, format: Format::Number }
    }

    pub fn rule(&mut self, number: usize, priority: i32) -> Rule {
        let mut body = Body::default();
        let (mut params, mut tests) = (Vec::new(), Vec::new());
        // What it is about: a variable that gets a value, with parameters to say which and what.
        let simple: Vec<Spot> = self.spots.iter().filter(|spot| spot.form.is_simple()).cloned().collect();
        let open = self.rng.chance(40);
        let theme = if simple.is_empty() || self.rng.chance(15) { None } else { Some(self.rng.pick(&simple).clone()) };
        if let Some(theme) = &theme {
            let value = self.rng.pick(&theme.form.members()).clone();
            let indices = theme.indices.iter().map(|(index, _)| index.clone());
            for form in indices.chain([value]).filter(|form| !matches!(form, Form::Range(..))) {
                if params.len() < 3 && (self.rng.chance(60) || !body.scope.iter().any(|(_, other)| *other == form)) {
                    params.push(self.parameter(&form, &mut body));
                    if !open {
                        self.test(&mut body, params.len() as u32, &mut tests);
                    }
                }
            }
        }
        let more = if params.len() > 1 { 0 } else { self.rng.weighted(&[(3, 0), (4, 1), (1, 2)]) };
        for _ in 0..more {
            let mut guards = Vec::new();
            // Only slots and constants lead to a multiset of which an element is held: its place stays.
            let multiset = if self.rng.chance(40) { self.multiset(&mut body, &mut guards, 0) } else { None };
            match (self.rng.below(10), multiset) {
                (_, Some((multiset, form, element, global))) => {
                    let slot = body.slot();
                    let (name, ranges) = (format!("s{slot}"), vec![(0, form.count as i32 - 1, 1)]);
                    params.push(Parameter { name, slot, ranges, format: Format::Number });
                    tests.push((params.len() as u32, Test::True(used(&multiset, &form, slot))));
                    self.know_element(&mut body, &multiset, &form, &element, slot, global);
                    body.picked.push((multiset, form, slot));
                }
                (0, _) => params.push(self.parameter(&Form::Range(0, 1), &mut body)),
                (1, _) => {
                    let small: Vec<&Form> =
                        self.world.unions.iter().filter(|union| self.world.count(union) < 8).collect();
                    let union = (*self.rng.pick(&small)).clone();
                    params.push(self.parameter(&union, &mut body));
                }
                _ => {
                    let set = Form::Set(self.rng.below(self.world.sets.len()));
                    params.push(self.parameter(&set, &mut body));
                }
            }
            self.test(&mut body, params.len() as u32, &mut tests);
        }
        if !open {
            self.test(&mut body, params.len() as u32, &mut tests);
        }
        let name = if self.rng.chance(90) { format!("rule {number}") } else { String::new() };
        let mut block = Vec::new();
        if let Some(theme) = &theme {
            let mut guards = Vec::new();
            let depth = u32::from(self.rng.chance(25));
            if let Some(place) = self.place(theme, &mut body, &mut guards, depth)
                && let Some(value) = self.term(&theme.form, &mut body, &mut guards, depth)
            {
                self.add(&mut block, guards, Does::Set(place, value));
            }
        }
        if theme.is_none() || self.rng.chance(60) {
            let rest = self.block(&mut body, 3, 2);
            let at = if self.rng.chance(50) { block.len() } else { 0 };
            block.splice(at..at, rest);
        }
        self.line += 1;
        let source = Source { file: 0, line: self.line };
        Rule {
            name,
            params,
            slots: body.slots,
            frame: body.frame,
            tests,
            body: block,
            priority,
            source,
            ..Rule::default()
        }
    }

    /// Perhaps a test, or something bound for what follows.
    fn test(&mut self, body: &mut Body, needs: u32, tests: &mut Vec<(u32, Test)>) {
        let mut guards = Vec::new();
        match self.rng.below(16) {
            0..6 => {
                let depth = self.rng.below(3) as u32;
                let condition = self.condition(body, depth);
                tests.push((needs, Test::True(condition)));
            }
            6 => {
                let Some(form) = self.simple_form() else { return };
                let Some(value) = self.term(&form, body, &mut guards, 2) else { return };
                tests.extend(guards.into_iter().map(|guard| (needs, Test::True(guard))));
                let slot = body.slot();
                tests.push((needs, Test::Bind(slot, Argument::Value(value))));
                body.scope.push((slot, form));
            }
            7 => {
                let Some((variable, form)) = self.target(|_| true, body, &mut guards, 2) else { return };
                tests.extend(guards.into_iter().map(|guard| (needs, Test::True(guard))));
                let (slot, global) = (body.slot(), variable.declared as usize);
                let reference = Variable { declared: variable.declared, ..at(slot, variable.ty) };
                tests.push((needs, Test::Bind(slot, Argument::Place(variable))));
                body.known.push(Known { global, variable: reference, form, element: false });
            }
            _ => {}
        }
    }

    pub fn invariant(&mut self, number: usize) -> Invariant {
        let mut body = Body::default();
        let mut condition = self.condition(&mut body, 3);
        if self.rng.chance(60) {
            condition = Expr::Either(Box::new(condition), Box::new(self.condition(&mut body, 3)));
        }
        let (slots, frame, name) = (body.slots, body.frame, format!("invariant {number}"));
        Invariant { name, slots, frame, tests: vec![Test::True(condition)], ..Invariant::default() }
    }
}

fn collect(
    world: &World,
    global: usize,
    offset: u32,
    indices: &mut Vec<(Form, u32)>,
    form: &Form,
    spots: &mut Vec<Spot>,
) {
    spots.push(Spot { global, offset, indices: indices.clone(), form: form.clone() });
    match form {
        Form::Array(index, entry) => {
            indices.push(((**index).clone(), world.size(entry)));
            collect(world, global, offset, indices, entry, spots);
            indices.pop();
        }
        Form::Record(fields) => {
            let mut at = offset;
            for field in fields {
                collect(world, global, at, indices, field, spots);
                at += world.size(field);
            }
        }
        _ => {}
    }
}
