//! Interleaving: a step is a transition of one process, or a handshake of two, combined with one of the property.

use super::Lower;
use super::exprs::{plain, slot_variable, truncate};
use super::layout::Buffer;
use crate::hir::{Exchange, Expr, Place, Transition};
use tightrope_ir::StepKind;
use tightrope_ir::{self as ir, Base, Index, Participant, Rule, Stmt, StmtKind, Test, Variable};

/// A transition of a process.
#[derive(Clone, Copy)]
pub(super) struct Move<'m> {
    pub process: usize,
    pub transition: &'m Transition,
}

/// Priorities of rules: the property moves together with the system, and alone only in a deadlock of the system.
const PROPERTY_ALONE: i32 = 0;
const WITH_SYSTEM: i32 = 1;

impl<'m> Lower<'m> {
    /// The rules of a system whose processes interleave.
    pub(super) fn interleaved(&mut self) {
        let model = self.model;
        for process in (0..model.processes.len()).filter(|process| Some(*process) != model.property) {
            for transition in &model.processes[process].transitions {
                let first = Move { process, transition };
                match &transition.sync {
                    None => self.add_with_property(self.single(first)),
                    Some(sync) => match (&self.layout.buffers[sync.channel], &sync.exchange) {
                        (Some(buffer), Exchange::Send(values)) => {
                            let rule = self.buffered_send(first, buffer, values);
                            self.add_with_property(rule);
                        }
                        (Some(buffer), Exchange::Receive(places)) => {
                            let rule = self.buffered_receive(first, buffer, places);
                            self.add_with_property(rule);
                        }
                        (None, Exchange::Send(values)) => self.handshakes(first, sync.channel, values),
                        (None, Exchange::Receive(_)) => {}
                    },
                }
            }
        }
        self.property_alone();
    }

    /// A transition without a handshake.
    fn single(&self, first: Move<'_>) -> Rule {
        let mut rule = self.rule_from(first);
        rule.body = self.moves(first);
        rule
    }

    /// A rule that starts where a move starts, with its guard.
    fn rule_from(&self, first: Move<'_>) -> Rule {
        let guard = first.transition.guard.as_ref().map(|guard| (0, Test::True(self.expr(guard))));
        let part = self.part(first);
        Rule {
            name: format!("{}: {}", part.actor, part.action),
            from: vec![(first.process as u32, first.transition.from as u32)],
            tests: guard.into_iter().collect(),
            source: part.source,
            participants: vec![part],
            ..Rule::default()
        }
    }

    fn part(&self, one: Move<'_>) -> Participant {
        let process = &self.model.processes[one.process];
        Participant {
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

    /// The effect of a transition: the new location, then its assignments in order.
    pub(super) fn moves(&self, one: Move<'_>) -> Vec<Stmt> {
        let source = self.source(one.transition.span);
        let location = plain(self.layout.locations[one.process]);
        let mut stmts = vec![Stmt { kind: StmtKind::Set(location, ir::Expr::Const(one.transition.to as i32)), source }];
        for effect in &one.transition.effects {
            let kind = StmtKind::Set(self.variable(&effect.target), self.expr(&effect.value));
            stmts.push(Stmt { kind, source: self.source(effect.span) });
        }
        stmts
    }

    /// A send to a buffered channel, enabled if it is not full; the values are evaluated after the effects.
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
            rule.body.push(Stmt { kind: StmtKind::Set(to, self.expr(value)), source });
        }
        let more = ir::Expr::Binary(ir::Binary::Add, Box::new(count()), Box::new(ir::Expr::Const(1)));
        rule.body.push(Stmt { kind: StmtKind::Set(plain(buffer.count), more), source });
        rule
    }

    /// A receive from a buffered channel, enabled if it is not empty; the values are stored after the effects.
    fn buffered_receive(&self, first: Move<'_>, buffer: &Buffer, places: &[Place]) -> Rule {
        let mut rule = self.single(first);
        let capacity =
            first.transition.sync.as_ref().map_or(0, |sync| self.model.channels[sync.channel].capacity) as u32;
        let count = || ir::Expr::Load(Box::new(plain(buffer.count)));
        rule.tests
            .push((0, Test::True(ir::Expr::Binary(ir::Binary::Gt, Box::new(count()), Box::new(ir::Expr::Const(0))))));
        let source = rule.source;
        // The subscripts of what is received into are evaluated in the state before.
        let subscripts = self.subscripts(places, &mut rule);
        let slots = buffer.count.offset + buffer.count.ty.size();
        let declared = buffer.count.declared;
        for ((place, subscript), &(at, ty)) in places.iter().zip(subscripts.1).zip(&buffer.items) {
            let message = ir::Expr::Load(Box::new(slot_variable(slots + at, None, ty, declared)));
            rule.body.push(Stmt { kind: StmtKind::Set(self.element(place, subscript), message), source });
        }
        rule.body.splice(0..0, subscripts.0);
        let slot = |number: u32| slot_variable(slots + number * buffer.slot, None, ir::Type::BYTE, declared);
        if capacity > 1 {
            rule.body.push(Stmt { kind: StmtKind::Copy(slot(0), slot(1), (capacity - 1) * buffer.slot), source });
        }
        let empty = vec![0; buffer.slot as usize].into_boxed_slice();
        rule.body.push(Stmt { kind: StmtKind::Fill(slot(capacity - 1), empty), source });
        let fewer = ir::Expr::Binary(ir::Binary::Sub, Box::new(count()), Box::new(ir::Expr::Const(1)));
        rule.body.push(Stmt { kind: StmtKind::Set(plain(buffer.count), fewer), source });
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
                    stmts.push(Stmt { kind: StmtKind::SetSlot(rule.slots, value), source: rule.source });
                    rule.slots += 1;
                    Some(ir::Expr::Slot(rule.slots - 1))
                }
                other => other,
            });
        }
        (stmts, uses)
    }

    /// All handshakes of a sender: one rule per matching receiver.
    fn handshakes(&mut self, sender: Move<'m>, channel: usize, values: &[Expr]) {
        let model = self.model;
        self.groups += 1;
        for process in (0..model.processes.len()).filter(|process| *process != sender.process) {
            for transition in &model.processes[process].transitions {
                let Some(sync) = transition.sync.as_ref().filter(|sync| sync.channel == channel) else { continue };
                let Exchange::Receive(places) = &sync.exchange else { continue };
                let receiver = Move { process, transition };
                if Some(process) == model.property {
                    // The property receives as an observer: its transition is the receiver's part of the handshake.
                    let rule = self.single(sender);
                    self.join(rule, receiver);
                } else {
                    let rule = self.handshake(sender, receiver, values, places);
                    self.add_with_property(rule);
                }
            }
        }
    }

    /// A handshake: the values are evaluated in the state before; then come the receiver's effects, last the sender's.
    fn handshake(&self, sender: Move<'_>, receiver: Move<'_>, values: &[Expr], places: &[Place]) -> Rule {
        let mut rule = self.rule_from(sender);
        rule.group = Some(self.groups);
        if rule.tests.is_empty() {
            // The rules of a group have their first test in common.
            rule.tests.push((0, Test::True(ir::Expr::Const(1))));
        }
        self.add_participant(&mut rule, receiver);
        let source = rule.source;
        if let Some(name) = self.conflict(&[sender, receiver]) {
            let message = format!("both partners of the synchronization assign to `{name}`");
            rule.body.push(Stmt { kind: StmtKind::Error(message), source });
            return rule;
        }
        let types = sender.transition.sync.as_ref().and_then(|sync| self.model.channels[sync.channel].types.as_ref());
        let sent = values.iter().enumerate().map(|(position, value)| {
            let value = self.expr(value);
            types.and_then(|types| types.get(position)).map_or(value.clone(), |ty| truncate(value, *ty))
        });
        let sent: Vec<ir::Expr> = sent.collect();
        let at = self.source(receiver.transition.span);
        if let ([value], [place]) = (&sent[..], places) {
            rule.body.push(Stmt { kind: StmtKind::Set(self.variable(place), value.clone()), source: at });
        } else {
            let first = rule.slots;
            for value in &sent {
                rule.body.push(Stmt { kind: StmtKind::SetSlot(rule.slots, value.clone()), source });
                rule.slots += 1;
            }
            let (stmts, subscripts) = self.subscripts(places, &mut rule);
            rule.body.extend(stmts);
            for (slot, (place, subscript)) in (first..).zip(places.iter().zip(subscripts)) {
                let kind = StmtKind::Set(self.element(place, subscript), ir::Expr::Slot(slot));
                rule.body.push(Stmt { kind, source: at });
            }
        }
        rule.body.extend(self.moves(receiver));
        rule.body.extend(self.moves(sender));
        rule
    }

    /// Adds a second process to a rule: its location, its guard and its text. The effects are added by the caller.
    pub(super) fn add_participant(&self, rule: &mut Rule, other: Move<'_>) {
        rule.from.push((other.process as u32, other.transition.from as u32));
        if let Some(guard) = &other.transition.guard {
            rule.tests.push((0, Test::True(self.expr(guard))));
        }
        rule.participants.push(self.part(other));
        rule.name = rule
            .participants
            .iter()
            .map(|part| format!("{}: {}", part.actor, part.action))
            .collect::<Vec<_>>()
            .join(" | ");
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

    /// Adds a rule of the system; with a property, once for each transition of the property (DiVinE's product).
    fn add_with_property(&mut self, mut rule: Rule) {
        let model = self.model;
        rule.priority = WITH_SYSTEM;
        let Some(process) = model.property else { return self.rules.rules.push(rule) };
        for transition in model.processes[process].transitions.iter().filter(|transition| transition.sync.is_none()) {
            self.join(rule.clone(), Move { process, transition });
        }
    }

    /// A rule combined with a transition of the property.
    fn join(&mut self, mut rule: Rule, property: Move<'_>) {
        rule.priority = WITH_SYSTEM;
        self.add_participant(&mut rule, property);
        rule.body.extend(self.moves(property));
        self.rules.rules.push(rule);
    }

    /// The transitions that the property takes alone, when the system is deadlocked.
    fn property_alone(&mut self) {
        let model = self.model;
        let Some(process) = model.property else { return };
        for transition in model.processes[process].transitions.iter().filter(|transition| transition.sync.is_none()) {
            let mut rule = self.single(Move { process, transition });
            rule.priority = PROPERTY_ALONE;
            self.rules.rules.push(rule);
        }
    }

    /// Bytes of the state, or of the rule's memory, from an offset on.
    pub(super) fn bytes(&self, base: Base, offset: u32) -> Variable {
        Variable { base, offset, indices: Vec::new(), ty: ir::Type::BYTE, declared: 0 }
    }
}
