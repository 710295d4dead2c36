//! Interleaved steps: one process moves, or two that meet at a channel, and the property along with them.

use super::Lower;
use super::exprs::{cut, plain, slot_variable};
use super::layout::Buffer;
use crate::hir::{Exchange, Expr, Place, Transition};
use tightrope_core::StepKind;
use tightrope_ir::{self as ir, Base, Does, Index, Part, Rule, Stmt, Test, Variable};

/// A transition of a process.
#[derive(Clone, Copy)]
pub(super) struct Move<'m> {
    pub process: usize,
    pub transition: &'m Transition,
}

/// The property moves along with the system, and alone only where the system cannot move.
const ALONE: i32 = 0;
const WITH_OTHERS: i32 = 1;

impl<'m> Lower<'m> {
    /// The rules of a system whose processes interleave.
    pub(super) fn interleaved(&mut self) {
        let model = self.model;
        for process in (0..model.processes.len()).filter(|process| Some(*process) != model.property) {
            for transition in &model.processes[process].transitions {
                let first = Move { process, transition };
                match &transition.sync {
                    None => self.along(self.single(first)),
                    Some(sync) => match (&self.layout.buffers[sync.channel], &sync.exchange) {
                        (Some(buffer), Exchange::Send(values)) => {
                            let rule = self.buffered_send(first, buffer, values);
                            self.along(rule);
                        }
                        (Some(buffer), Exchange::Receive(places)) => {
                            let rule = self.buffered_receive(first, buffer, places);
                            self.along(rule);
                        }
                        (None, Exchange::Send(values)) => self.meetings(first, sync.channel, values),
                        (None, Exchange::Receive(_)) => {}
                    },
                }
            }
        }
        self.alone();
    }

    /// A move without a partner.
    fn single(&self, first: Move<'_>) -> Rule {
        let mut rule = self.begin(first);
        rule.body = self.moves(first);
        rule
    }

    /// A rule that starts where a move starts, with its guard.
    fn begin(&self, first: Move<'_>) -> Rule {
        let guard = first.transition.guard.as_ref().map(|guard| (0, Test::True(self.expr(guard))));
        let part = self.part(first);
        Rule {
            name: format!("{}: {}", part.actor, part.action),
            from: vec![(first.process as u32, first.transition.from as u32)],
            tests: guard.into_iter().collect(),
            source: part.source,
            parts: vec![part],
            ..Rule::default()
        }
    }

    fn part(&self, one: Move<'_>) -> Part {
        let process = &self.model.processes[one.process];
        Part {
            actor: process.name.clone(),
            action: one.transition.text(self.model, one.process),
            source: self.source(one.transition.span),
            kind: match (&one.transition.sync, one.transition.effects.is_empty()) {
                (Some(sync), _) if matches!(sync.exchange, Exchange::Send(_)) => StepKind::Send,
                (Some(_), _) => StepKind::Receive,
                (None, false) => StepKind::Assign,
                (None, true) => StepKind::Control,
            },
        }
    }

    /// What a transition does: the process goes to its new state, then one effect after the other.
    pub(super) fn moves(&self, one: Move<'_>) -> Vec<Stmt> {
        let source = self.source(one.transition.span);
        let location = plain(self.layout.locations[one.process]);
        let mut stmts = vec![Stmt { does: Does::Set(location, ir::Expr::Const(one.transition.to as i32)), source }];
        for effect in &one.transition.effects {
            let does = Does::Set(self.variable(&effect.target), self.expr(&effect.value));
            stmts.push(Stmt { does, source: self.source(effect.span) });
        }
        stmts
    }

    /// A send to a channel with room: what is sent is evaluated after the effects.
    fn buffered_send(&self, first: Move<'_>, buffer: &Buffer, values: &[Expr]) -> Rule {
        let mut rule = self.single(first);
        let capacity = first.transition.sync.as_ref().map_or(0, |sync| self.model.channels[sync.channel].capacity);
        let count = || ir::Expr::Load(Box::new(plain(buffer.count)));
        let room = ir::Expr::Binary(ir::Binary::Lt, Box::new(count()), Box::new(ir::Expr::Const(capacity as i32)));
        rule.tests.push((0, Test::True(room)));
        let source = rule.source;
        for (value, &(place, ty)) in values.iter().zip(&buffer.items) {
            let index =
                Index { value: count(), low: 0, bound: capacity as u32, stride: buffer.slot, name: String::new() };
            let offset = buffer.count.offset + buffer.count.ty.size() + place;
            let to = slot_variable(offset, Some(index), ty, buffer.count.declared);
            rule.body.push(Stmt { does: Does::Set(to, self.expr(value)), source });
        }
        let more = ir::Expr::Binary(ir::Binary::Add, Box::new(count()), Box::new(ir::Expr::Const(1)));
        rule.body.push(Stmt { does: Does::Set(plain(buffer.count), more), source });
        rule
    }

    /// A receive from a channel that is not empty: what is received is stored after the effects.
    fn buffered_receive(&self, first: Move<'_>, buffer: &Buffer, places: &[Place]) -> Rule {
        let mut rule = self.single(first);
        let capacity =
            first.transition.sync.as_ref().map_or(0, |sync| self.model.channels[sync.channel].capacity) as u32;
        let count = || ir::Expr::Load(Box::new(plain(buffer.count)));
        rule.tests
            .push((0, Test::True(ir::Expr::Binary(ir::Binary::Gt, Box::new(count()), Box::new(ir::Expr::Const(0))))));
        let source = rule.source;
        // Which elements receive is decided by the state before.
        let subscripts = self.subscripts(places, &mut rule);
        let slots = buffer.count.offset + buffer.count.ty.size();
        let declared = buffer.count.declared;
        for ((place, subscript), &(at, ty)) in places.iter().zip(subscripts.1).zip(&buffer.items) {
            let message = ir::Expr::Load(Box::new(slot_variable(slots + at, None, ty, declared)));
            rule.body.push(Stmt { does: Does::Set(self.element(place, subscript), message), source });
        }
        rule.body.splice(0..0, subscripts.0);
        let slot = |number: u32| slot_variable(slots + number * buffer.slot, None, ir::Type::BYTE, declared);
        if capacity > 1 {
            rule.body.push(Stmt { does: Does::Copy(slot(0), slot(1), (capacity - 1) * buffer.slot), source });
        }
        let empty = vec![0; buffer.slot as usize].into_boxed_slice();
        rule.body.push(Stmt { does: Does::Fill(slot(capacity - 1), empty), source });
        let fewer = ir::Expr::Binary(ir::Binary::Sub, Box::new(count()), Box::new(ir::Expr::Const(1)));
        rule.body.push(Stmt { does: Does::Set(plain(buffer.count), fewer), source });
        rule
    }

    /// Keeps the subscripts of places in slots of the rule, unless they are constant: what does that, and what to use
    /// for each place.
    fn subscripts(&self, places: &[Place], rule: &mut Rule) -> (Vec<Stmt>, Vec<Option<ir::Expr>>) {
        let mut stmts = Vec::new();
        let mut uses = Vec::new();
        for place in places {
            let subscript = place.subscript.as_ref().map(|subscript| self.expr(subscript));
            uses.push(match subscript {
                Some(value) if value.as_const().is_none() => {
                    stmts.push(Stmt { does: Does::SetSlot(rule.slots, value), source: rule.source });
                    rule.slots += 1;
                    Some(ir::Expr::Slot(rule.slots - 1))
                }
                other => other,
            });
        }
        (stmts, uses)
    }

    /// All ways in which a sender can meet a receiver.
    fn meetings(&mut self, sender: Move<'m>, channel: usize, values: &[Expr]) {
        let model = self.model;
        self.groups += 1;
        for process in (0..model.processes.len()).filter(|process| *process != sender.process) {
            for transition in &model.processes[process].transitions {
                let Some(sync) = transition.sync.as_ref().filter(|sync| sync.channel == channel) else { continue };
                let Exchange::Receive(places) = &sync.exchange else { continue };
                let receiver = Move { process, transition };
                if Some(process) == model.property {
                    // The property listens: it takes the message as its own move.
                    let rule = self.single(sender);
                    self.join(rule, receiver);
                } else {
                    let rule = self.meeting(sender, receiver, values, places);
                    self.along(rule);
                }
            }
        }
    }

    /// A sender and a receiver meet: the values are those of the state before; then come the receiver's effects, and
    /// last the sender's.
    fn meeting(&self, sender: Move<'_>, receiver: Move<'_>, values: &[Expr], places: &[Place]) -> Rule {
        let mut rule = self.begin(sender);
        rule.group = Some(self.groups);
        if rule.tests.is_empty() {
            // The rules of a group have their first test in common.
            rule.tests.push((0, Test::True(ir::Expr::Const(1))));
        }
        self.take_part(&mut rule, receiver);
        let source = rule.source;
        if let Some(name) = self.conflict(&[sender, receiver]) {
            let message = format!("both partners of the synchronization assign to `{name}`");
            rule.body.push(Stmt { does: Does::Error(message), source });
            return rule;
        }
        let types = sender.transition.sync.as_ref().and_then(|sync| self.model.channels[sync.channel].types.as_ref());
        let sent = values.iter().enumerate().map(|(position, value)| {
            let value = self.expr(value);
            types.and_then(|types| types.get(position)).map_or(value.clone(), |ty| cut(value, *ty))
        });
        let sent: Vec<ir::Expr> = sent.collect();
        let at = self.source(receiver.transition.span);
        if let ([value], [place]) = (&sent[..], places) {
            rule.body.push(Stmt { does: Does::Set(self.variable(place), value.clone()), source: at });
        } else {
            let first = rule.slots;
            for value in &sent {
                rule.body.push(Stmt { does: Does::SetSlot(rule.slots, value.clone()), source });
                rule.slots += 1;
            }
            let (stmts, subscripts) = self.subscripts(places, &mut rule);
            rule.body.extend(stmts);
            for (slot, (place, subscript)) in (first..).zip(places.iter().zip(subscripts)) {
                let does = Does::Set(self.element(place, subscript), ir::Expr::Slot(slot));
                rule.body.push(Stmt { does, source: at });
            }
        }
        rule.body.extend(self.moves(receiver));
        rule.body.extend(self.moves(sender));
        rule
    }

    /// Somebody else takes part in a rule: with a location, a guard, and words. What it does comes later.
    pub(super) fn take_part(&self, rule: &mut Rule, other: Move<'_>) {
        rule.from.push((other.process as u32, other.transition.from as u32));
        if let Some(guard) = &other.transition.guard {
            rule.tests.push((0, Test::True(self.expr(guard))));
        }
        rule.parts.push(self.part(other));
        rule.name =
            rule.parts.iter().map(|part| format!("{}: {}", part.actor, part.action)).collect::<Vec<_>>().join(" | ");
    }

    /// A global variable that two of the moves assign to.
    pub(super) fn conflict(&self, moves: &[Move<'_>]) -> Option<String> {
        let mut seen: Vec<usize> = Vec::new();
        for one in moves {
            let mut own = self.assigned(one);
            if let Some(&both) = own.iter().find(|index| seen.contains(index)) {
                return Some(self.model.variables[both].name.clone());
            }
            seen.append(&mut own);
        }
        None
    }

    /// The global variables that the effects of a move assign to.
    pub(super) fn assigned(&self, one: &Move<'_>) -> Vec<usize> {
        let targets = one.transition.effects.iter().map(|effect| &effect.target);
        let mut globals: Vec<usize> =
            targets.filter(|target| target.process.is_none()).map(|target| target.index).collect();
        globals.sort_unstable();
        globals.dedup();
        globals
    }

    /// A rule of the system: where there is a property, once for each move with which that can come along.
    fn along(&mut self, mut rule: Rule) {
        let model = self.model;
        rule.priority = WITH_OTHERS;
        let Some(process) = model.property else { return self.rules.rules.push(rule) };
        for transition in model.processes[process].transitions.iter().filter(|transition| transition.sync.is_none()) {
            self.join(rule.clone(), Move { process, transition });
        }
    }

    /// A rule with which the property moves along.
    fn join(&mut self, mut rule: Rule, property: Move<'_>) {
        rule.priority = WITH_OTHERS;
        self.take_part(&mut rule, property);
        rule.body.extend(self.moves(property));
        self.rules.rules.push(rule);
    }

    /// The moves of the property when nobody else can move.
    fn alone(&mut self) {
        let model = self.model;
        let Some(process) = model.property else { return };
        for transition in model.processes[process].transitions.iter().filter(|transition| transition.sync.is_none()) {
            let mut rule = self.single(Move { process, transition });
            rule.priority = ALONE;
            self.rules.rules.push(rule);
        }
    }

    /// Bytes of the state, or of the rule's memory, from an offset on.
    pub(super) fn bytes(&self, base: Base, offset: u32) -> Variable {
        Variable { base, offset, indices: Vec::new(), ty: ir::Type::BYTE, declared: 0 }
    }
}
