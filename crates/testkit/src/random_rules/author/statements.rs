//! What rules do: random statements.

use super::*;

impl Author<'_> {
    pub(super) fn block(&mut self, body: &mut Body, most: usize, depth: u32) -> Vec<Stmt> {
        let mark = body.mark();
        let mut block = Vec::new();
        for _ in 0..1 + self.rng.below(most) {
            self.statement(body, &mut block, depth);
        }
        body.back_to(mark);
        block
    }

    /// Adds a statement, if the guards hold.
    pub(super) fn add(&mut self, block: &mut Vec<Stmt>, guards: Vec<Expr>, kind: StmtKind) {
        let stmt = self.stmt(kind);
        match guards.into_iter().rev().reduce(|rest, guard| both(guard, rest)) {
            Some(guard) if self.careful > 0 || !self.faults || !self.rng.chance(10) => {
                let stmt = self.stmt(StmtKind::If(vec![(guard, vec![stmt])], Vec::new()));
                block.push(stmt);
            }
            _ => block.push(stmt),
        }
    }

    pub(super) fn statement(&mut self, body: &mut Body, block: &mut Vec<Stmt>, depth: u32) {
        let deep = usize::from(depth > 0);
        let faults = usize::from(self.faults);
        let choice = self.rng.weighted(&[
            (14, 0),
            (2, 1),
            (2, 2),
            (4 * deep, 3),
            (1, 4),
            (4, 5),
            (1, 6),
            (3, 7),
            (2 * faults, 8),
            (3, 9),
            (2, 10),
            (1, 11),
            (1, 12),
            (2, 13),
        ]);
        // What cannot be written here is left out.
        if self.try_statement(choice, body, block, depth).is_none() {
            let _ = self.try_statement(0, body, block, depth);
        }
    }

    pub(super) fn try_statement(
        &mut self,
        choice: u32,
        body: &mut Body,
        block: &mut Vec<Stmt>,
        depth: u32,
    ) -> Option<()> {
        let mut guards = Vec::new();
        match choice {
            0 => {
                let (to, form) = self.target(Form::is_simple, body, &mut guards, 2)?;
                let value = self.value(&form, body, &mut guards).filter(|value| *value != load(&to))?;
                self.add(block, guards, StmtKind::Set(to, value));
            }
            1 => {
                let (to, form) = self.target(|_| true, body, &mut guards, 2)?;
                let bytes =
                    if self.rng.chance(50) { vec![0; self.world.size(&form) as usize] } else { self.uniform(&form) };
                self.add(block, guards, StmtKind::Fill(to, bytes.into()));
            }
            2 => {
                let (to, form) = self.target(|_| true, body, &mut guards, 2)?;
                let (from, _) = self.variable(|other| *other == form, body, &mut guards, 2)?;
                self.add(block, guards, StmtKind::Copy(to, from, self.world.size(&form)));
            }
            3 => {
                let condition = self.condition(body, 2);
                let mut options = vec![(condition, self.block(body, 2, depth - 1))];
                if self.rng.chance(30) {
                    options.push((self.condition(body, 1), self.block(body, 1, depth - 1)));
                }
                let otherwise = if self.rng.chance(40) { self.block(body, 2, depth - 1) } else { Vec::new() };
                let stmt = self.stmt(StmtKind::If(options, otherwise));
                block.push(stmt);
            }
            4 => {
                let ranged = |form: &Form| matches!(form, Form::Range(..));
                let (variable, form) = self.variable(ranged, body, &mut guards, 2)?;
                guards.push(not(undefined(&variable)));
                let (low, _) = self.world.bounds(&form);
                let case = |value: i32| Expr::Const(value);
                let cases = vec![
                    (vec![case(low), case(low + 2)], self.block(body, 1, 0)),
                    (vec![case(low + 1)], self.block(body, 1, 0)),
                ];
                let otherwise = if self.rng.chance(50) { self.block(body, 1, 0) } else { Vec::new() };
                self.add(block, guards, StmtKind::Switch(load(&variable), cases, otherwise));
            }
            5 => return self.each(body, block),
            6 => {
                // Up to its greatest value.
                let ranged = |form: &Form| matches!(form, Form::Range(low, high) if high - low < 20);
                let (variable, form) = self.target(ranged, body, &mut guards, 0)?;
                let (_, high) = self.world.bounds(&form);
                let below = binary(Binary::Lt, load(&variable), Expr::Const(high));
                let more = binary(Binary::Add, load(&variable), Expr::Const(1));
                let step = self.stmt(StmtKind::Set(variable.clone(), more));
                let condition = both(not(undefined(&variable)), below);
                self.add(block, guards, StmtKind::While(condition, vec![step]));
            }
            7 => return self.call(body, block),
            8 => {
                let kind = match self.rng.chance(60) {
                    true => StmtKind::Assert(self.condition(body, 2), "assertion failed".into()),
                    false => {
                        let condition = self.condition(body, 2);
                        let error = self.stmt(StmtKind::Error("error".into()));
                        StmtKind::If(vec![(condition, vec![error])], Vec::new())
                    }
                };
                let stmt = self.stmt(kind);
                block.push(stmt);
            }
            9 => {
                let (multiset, form, element, global) = self.multiset(body, &mut guards, 2)?;
                // With two elements held, which of their slots becomes free first would depend on the order.
                if body.picked.iter().filter(|(held, ..)| held.declared as usize == global).count() > 1 {
                    return None;
                }
                let fields = match &element {
                    Form::Record(fields) => fields.clone(),
                    one => vec![one.clone()],
                };
                let kept = body.reserve(form.size - 1);
                let mut at = kept;
                let mut filling = Vec::new();
                // The memory may hold what an earlier round left there.
                let empty = vec![0; form.size as usize - 1];
                filling.push(self.stmt(StmtKind::Fill(in_frame(kept, Type::BYTE), empty.into())));
                for field in fields {
                    if self.rng.chance(85)
                        && let Some(value) = self.term(&field, body, &mut guards, 2)
                    {
                        filling.push(self.stmt(StmtKind::Set(in_frame(at, self.world.ty(&field)), value)));
                    }
                    at += self.world.size(&field);
                }
                if !self.faults || self.rng.chance(85) {
                    let slot = body.slot();
                    let (low, high) = (Expr::Const(0), Expr::Const(form.count as i32 - 1));
                    let used = used(&multiset, &form, slot);
                    let over = Quantified { fold: Fold::All, slot, low, high, step: 1, every: false, body: used };
                    guards.push(not(Expr::Quantified(Box::new(over))));
                }
                filling.push(self.stmt(StmtKind::Insert(multiset, form, in_frame(kept, Type::BYTE))));
                self.add(block, guards, StmtKind::If(vec![(Expr::Const(1), filling)], Vec::new()));
            }
            10 => {
                if let Some((multiset, form, slot)) = body.picked.last().cloned()
                    && self.rng.chance(70)
                {
                    let there = used(&multiset, &form, slot);
                    let guards = if self.faults && self.rng.chance(20) { Vec::new() } else { vec![there] };
                    self.add(block, guards, StmtKind::Remove(multiset, form, Expr::Slot(slot)));
                    return Some(());
                }
                // All that satisfy a condition on themselves.
                let (multiset, form, element, global) = self.multiset(body, &mut guards, 2)?;
                if body.picked.iter().any(|(held, ..)| held.declared as usize == global) {
                    return None;
                }
                let mark = body.mark();
                let slot = body.slot();
                self.careful += 1;
                let outer = self.taboo.replace(global);
                self.know_element(body, &multiset, &form, &element, slot, usize::MAX);
                let condition = self.condition(body, 1);
                self.taboo = outer;
                self.careful -= 1;
                body.back_to(mark);
                let guard = both(used(&multiset, &form, slot), condition);
                let remove = self.stmt(StmtKind::Remove(multiset, form, Expr::Slot(slot)));
                let remove = self.stmt(StmtKind::If(vec![(guard, vec![remove])], Vec::new()));
                let (low, high) = (Expr::Const(0), Expr::Const(form.count as i32 - 1));
                self.add(block, guards, StmtKind::For(slot, low, high, 1, vec![remove]));
            }
            11 => {
                let (variable, _) = self.variable(Form::is_simple, body, &mut guards, 2)?;
                let unless = PrintItem::Unless(undefined(&variable), load(&variable), Format::Number);
                self.add(block, guards, StmtKind::Print(vec![PrintItem::Text("value ".into()), unless]));
            }
            12 => {
                // A reference, for the rest of the block. Not where guards could leave it without a place.
                let (variable, form) = self.target(|_| true, body, &mut guards, 0)?;
                if !guards.is_empty() {
                    return None;
                }
                let slot = body.slot();
                let global = variable.declared as usize;
                let reference = Variable { declared: variable.declared, ..at(slot, variable.ty) };
                let stmt = self.stmt(StmtKind::Bind(slot, variable));
                block.push(stmt);
                body.known.push(Known { global, variable: reference, form, element: false });
            }
            _ => {
                // A value, for the rest of the block.
                let form = self.simple_form()?;
                let value = self.term(&form, body, &mut guards, 2)?;
                if !guards.is_empty() {
                    return None;
                }
                let slot = body.slot();
                let stmt = self.stmt(StmtKind::SetSlot(slot, value));
                block.push(stmt);
                body.scope.push((slot, form));
            }
        }
        Some(())
    }

    pub(super) fn simple_form(&mut self) -> Option<Form> {
        let simple: Vec<Form> =
            self.reached_spots(|spot| spot.form.is_simple()).into_iter().map(|spot| spot.form).collect();
        (!simple.is_empty()).then(|| self.rng.pick(&simple).clone())
    }

    /// A value to be assigned to a variable of that form.
    pub(super) fn value(&mut self, form: &Form, body: &mut Body, guards: &mut Vec<Expr>) -> Option<Expr> {
        match form {
            // Undefined is handed on.
            _ if self.rng.chance(10) => Some(load(&self.variable(|other| other == form, body, guards, 1)?.0)),
            Form::Range(..) if self.faults && self.careful == 0 && self.rng.chance(20) => {
                Some(binary(Binary::Add, self.loaded(form, body, guards, 2)?, Expr::Const(1)))
            }
            Form::Range(low, high) if self.rng.chance(10) => {
                // How many elements there are of some kind.
                let (slot, set) = (body.slot(), Form::Set(self.rng.below(self.world.sets.len())));
                let (first, last) = self.world.bounds(&set);
                let mark = body.mark();
                body.scope.push((slot, set));
                self.careful += 1;
                let inner = self.condition(body, 1);
                self.careful -= 1;
                body.back_to(mark);
                let (first, last) = (Expr::Const(first), Expr::Const(last));
                let over =
                    Quantified { fold: Fold::Count, slot, low: first, high: last, step: 1, every: false, body: inner };
                let round = binary(Binary::Rem, Expr::Quantified(Box::new(over)), Expr::Const(high - low + 1));
                Some(binary(Binary::Add, round, Expr::Const(*low)))
            }
            Form::Range(..) if !self.symmetric && self.faults && self.careful == 0 && self.rng.chance(5) => {
                let (a, b) = (self.term(form, body, guards, 2)?, self.term(form, body, guards, 2)?);
                Some(binary(if self.rng.chance(50) { Binary::Div } else { Binary::Rem }, a, b))
            }
            // Of another form, which may not fit.
            _ if self.faults && self.careful == 0 && self.rng.chance(5) => {
                let other = self.simple_form()?;
                if !self.symmetric || form.mentions_elements() == other.mentions_elements() {
                    return self.loaded(&other, body, guards, 2);
                }
                None
            }
            _ => self.term(form, body, guards, 2),
        }
    }

    /// The bytes of a variable in which all elements are treated alike.
    pub(super) fn uniform(&mut self, form: &Form) -> Vec<u8> {
        match form {
            Form::Array(index, entry) => {
                let mut bytes = Vec::new();
                for member in index.members() {
                    let alike = matches!(member, Form::Set(_)).then(|| self.uniform(entry));
                    for _ in 0..self.world.count(&member) {
                        let one = alike.clone().unwrap_or_else(|| self.uniform(entry));
                        bytes.extend(one);
                    }
                }
                bytes
            }
            Form::Record(fields) => fields.iter().flat_map(|field| self.uniform(field)).collect(),
            Form::Multiset(count, element) => {
                let mut bytes = Vec::new();
                for _ in 0..*count {
                    match self.rng.chance(20) {
                        true => {
                            bytes.push(1);
                            bytes.extend(self.uniform(element));
                        }
                        false => bytes.resize(bytes.len() + 1 + self.world.size(element) as usize, 0),
                    }
                }
                bytes
            }
            Form::Number(_) | Form::Location { .. } => {
                let ty = self.world.ty(form);
                let (low, high) = self.world.bounds(form);
                let high = if matches!(form, Form::Location { .. }) { high - 1 } else { high };
                let mut bytes = vec![0; ty.size() as usize];
                ty.repr.store(&mut bytes, 0, self.rng.range(low, high));
                bytes
            }
            simple => {
                let (mut kept, mut values) = (1, Vec::new());
                for member in simple.members() {
                    let count = self.world.count(&member) as i32;
                    if !self.symmetric || matches!(member, Form::Range(..)) {
                        values.extend(kept..kept + count.min(3));
                    }
                    kept += count;
                }
                let repr = self.world.ty(simple).repr;
                let mut bytes = vec![0; repr.size()];
                if !values.is_empty() && self.rng.chance(88) {
                    repr.store(&mut bytes, 0, *self.rng.pick(&values));
                }
                bytes
            }
        }
    }

    /// The same for each element of a set, so that the order does not count: what is written belongs to the element,
    /// and is not looked at otherwise.
    pub(super) fn each(&mut self, body: &mut Body, block: &mut Vec<Stmt>) -> Option<()> {
        let number = self.rng.below(self.world.sets.len());
        let set = Form::Set(number);
        let owned = |spot: &Spot| spot.form.is_simple() && spot.indices.iter().any(|(index, _)| *index == set);
        let spots = self.reached_spots(owned);
        let mark = body.mark();
        let slot = body.slot();
        body.scope.push((slot, set.clone()));
        self.careful += 1;
        let outer = self.taboo;
        let done = self.each_body(&set, slot, &spots, body);
        self.taboo = outer;
        self.careful -= 1;
        body.back_to(mark);
        let (low, high) = self.world.bounds(&set);
        let (low, high, step) = if self.rng.chance(80) { (low, high, 1) } else { (high, low, -1) };
        let stmt = self.stmt(StmtKind::For(slot, Expr::Const(low), Expr::Const(high), step, done?));
        block.push(stmt);
        Some(())
    }

    pub(super) fn each_body(&mut self, set: &Form, slot: u32, spots: &[Spot], body: &mut Body) -> Option<Vec<Stmt>> {
        let mut block = Vec::new();
        if self.faults && self.rng.chance(10) {
            let condition = self.condition(body, 1);
            return Some(vec![self.stmt(StmtKind::Assert(condition, "assertion failed for one of them".into()))]);
        }
        if spots.is_empty() {
            return None;
        }
        let spot = self.rng.pick(spots).clone();
        self.taboo = Some(spot.global);
        let mut guards = Vec::new();
        let mut place = self.place(&spot, body, &mut guards, 1)?;
        // One of the indices is the element.
        let own: Vec<usize> = (0..spot.indices.len()).filter(|&at| spot.indices[at].0 == *set).collect();
        place.indices[*self.rng.pick(&own)].value = Expr::Slot(slot);
        if self.rng.chance(15) {
            let bytes = vec![0; self.world.size(&spot.form) as usize];
            self.add(&mut block, guards, StmtKind::Fill(place, bytes.into()));
        } else {
            let value = self.term(&spot.form, body, &mut guards, 1)?;
            if self.rng.chance(60) {
                guards.push(self.condition(body, 1));
            }
            self.add(&mut block, guards, StmtKind::Set(place, value));
        }
        Some(block)
    }
}
