//! Writes rules: the variables and values they are about.
//!
//! Where a program is to be symmetric, it is so by construction: elements are compared for equality, assigned, and used
//! as indices, nothing else; what is evaluated for one element after the other cannot fail and does not change what it
//! looks at, so that the order does not show.

mod automata;
mod conditions;
mod routines;
mod rules;
mod statements;

use super::form::{Form, World};
use super::terms::{binary, both, load, not, undefined};
use crate::random::Rng;
use tightrope_core::{FaultKind, Format};
use tightrope_ir::{
    Argument, Automaton, Base, Binary, Call, Expr, Fold, Index, Invariant, Parameter, PrintItem, Quantified, Routine,
    Rule, Source, Stmt, StmtKind, Test, Type, Variable,
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
#[derive(Clone, Default)]
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
    pub automata: Vec<Automaton>,
    spots: Vec<Spot>,
    written: Vec<(Deed, Form)>,
    line: u32,
    /// Inside of what must not fail.
    careful: u32,
    /// A global variable that must not be looked at.
    taboo: Option<usize>,
    /// The parts of the program, each as the global variables that are its own; none where everything is about everything.
    pub parts: Vec<Vec<usize>>,
    /// The global variables that what is being written may be about; none if it may be about all of them.
    reach: Option<Vec<usize>>,
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
        let (routines, automata, written) = (Vec::new(), Vec::new(), Vec::new());
        Author {
            rng,
            world,
            symmetric,
            faults,
            routines,
            automata,
            spots,
            written,
            line: 0,
            careful: 0,
            taboo: None,
            parts: Vec::new(),
            reach: None,
        }
    }

    /// What is written next is about one part, with or without what all share, or rarely about everything.
    pub fn turn_to_a_part(&mut self) {
        if !self.parts.is_empty() {
            let chosen = self.rng.pick(&self.parts).clone();
            self.turn_to(|part| *part == chosen);
        }
    }

    /// The same for the parts that are `near`.
    fn turn_to(&mut self, near: impl Fn(&Vec<usize>) -> bool) {
        if self.parts.is_empty() || self.rng.chance(5) {
            self.reach = None;
            return;
        }
        let own = |global: &usize| self.parts.iter().any(|part| part.contains(global));
        let shared: Vec<usize> = (0..self.world.globals.len()).filter(|global| !own(global)).collect();
        let mut reach: Vec<usize> = self.parts.iter().filter(|part| near(part)).flatten().copied().collect();
        if self.rng.chance(30) {
            reach.extend(shared);
        }
        self.reach = Some(reach);
    }

    /// Whether what is being written may be about a global variable.
    fn reaches(&self, global: usize) -> bool {
        self.reach.as_ref().is_none_or(|reach| reach.contains(&global))
    }

    /// The spots that what is being written may be about.
    fn reached_spots(&self, fits: impl Fn(&Spot) -> bool) -> Vec<Spot> {
        self.spots.iter().filter(|spot| self.reaches(spot.global) && fits(spot)).cloned().collect()
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.line += 1;
        Stmt { kind, source: Source { file: 0, line: self.line } }
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
        let spots = self.reached_spots(|spot| fits(&spot.form, spot.global, false));
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
