//! Random starts, rules and invariants.

use super::*;

impl Author<'_> {
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
                block.push(self.stmt(StmtKind::Fill(place, bytes.into())));
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
    pub(super) fn parameter(&mut self, form: &Form, body: &mut Body) -> Parameter {
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
        let simple = self.reached_spots(|spot| spot.form.is_simple());
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
                self.add(&mut block, guards, StmtKind::Set(place, value));
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
    pub(super) fn test(&mut self, body: &mut Body, needs: u32, tests: &mut Vec<(u32, Test)>) {
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

    /// What no state should satisfy.
    pub fn goal(&mut self) -> Invariant {
        let fault = Some((FaultKind::Goal, String::from("the goal is reached")));
        Invariant { name: String::from("goal"), fault, ..self.invariant(0) }
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
