//! What guards depend on.

use super::EffectAnalysis;
use super::access::{Accesses, ActionEffects, Conjunct, SharedObject, StaticAccessKind};
use crate::effects::operations::of_expr;
use crate::{Action, Binary, ChanRef, Expr, Pattern, Receive, Unary};

impl EffectAnalysis<'_> {
    /// The guard of an action that is no sequence.
    pub(super) fn guard(&self, kind: u8, action: &Action, effects: &mut ActionEffects) -> Vec<Conjunct> {
        let one = |reads: Accesses, fields: Accesses| vec![Conjunct { test: None, reads, establishes: None, fields }];
        match action {
            Action::Test(expr) => {
                let mut conjuncts = Vec::new();
                split(expr, &mut |part| {
                    let mut reads = Accesses::new();
                    self.condition(kind, part, &mut reads, effects);
                    let establishes = needed(part).map(|(chan, how)| (self.channel(kind, chan), how));
                    conjuncts.push(Conjunct { test: Some(part.clone()), reads, establishes, ..Conjunct::default() });
                });
                conjuncts
            }
            Action::Send(send) => {
                let mut reads = self.name(kind, &send.chan, effects);
                reads.insert((self.channel(kind, &send.chan), StaticAccessKind::Send));
                let fields = send.args.iter().flat_map(|arg| self.expr(kind, arg, effects)).collect();
                one(reads, fields)
            }
            Action::Receive(receive) => one(self.receiving(kind, receive, effects), Accesses::new()),
            Action::End => one(Accesses::from([(SharedObject::Processes, StaticAccessKind::Read)]), Accesses::new()),
            // What `else` depends on are the transitions beside it.
            Action::Else => one(Accesses::new(), Accesses::new()),
            Action::Skip
            | Action::Assign(..)
            | Action::Assert(_)
            | Action::Print(_)
            | Action::SetPriority(..)
            | Action::Indivisible(_) => Vec::new(),
        }
    }

    /// What decides whether there is a message to receive.
    pub(super) fn receiving(&self, kind: u8, receive: &Receive, effects: &mut ActionEffects) -> Accesses {
        let mut reads = self.name(kind, &receive.chan, effects);
        let plain = !receive.anywhere && !receive.keep;
        let how = if plain { StaticAccessKind::Receive } else { StaticAccessKind::Read };
        reads.insert((self.channel(kind, &receive.chan), how));
        if !plain {
            // It may be a rendezvous channel nevertheless.
            reads.insert((self.channel(kind, &receive.chan), StaticAccessKind::Receive));
        }
        for pattern in &receive.patterns {
            if let Pattern::Equal(value) = pattern {
                reads.extend(self.expr(kind, value, effects));
            }
        }
        reads
    }

    /// What an expression reads, private variables included.
    pub(super) fn expr(&self, kind: u8, expr: &Expr, effects: &mut ActionEffects) -> Accesses {
        let mut accesses = Accesses::new();
        self.value(kind, expr, &mut accesses, effects);
        accesses
    }

    /// What an expression reads whose value matters.
    pub(super) fn value(&self, kind: u8, expr: &Expr, accesses: &mut Accesses, effects: &mut ActionEffects) {
        match tested(expr) {
            Some((chan, how)) => {
                accesses.extend(self.name(kind, chan, effects));
                accesses.insert((self.channel(kind, chan), how));
            }
            None => of_expr(expr, &mut |operation| self.operation(kind, operation, accesses, effects)),
        }
    }

    /// What a condition reads that must be true.
    pub(super) fn condition(&self, kind: u8, expr: &Expr, accesses: &mut Accesses, effects: &mut ActionEffects) {
        if let Some((chan, how)) = needed(expr) {
            accesses.extend(self.name(kind, chan, effects));
            accesses.insert((self.channel(kind, chan), how));
            return;
        }
        match expr {
            Expr::Both(a, b) | Expr::Either(a, b) => {
                self.condition(kind, a, accesses, effects);
                self.condition(kind, b, accesses, effects);
            }
            Expr::Unary(Unary::Not, a) if matches!(**a, Expr::Both(..) | Expr::Either(..)) => {
                self.opposite(kind, a, accesses, effects);
            }
            other => self.value(kind, other, accesses, effects),
        }
    }

    /// What a condition reads that must be false.
    pub(super) fn opposite(&self, kind: u8, expr: &Expr, accesses: &mut Accesses, effects: &mut ActionEffects) {
        match expr {
            Expr::Both(a, b) | Expr::Either(a, b) => {
                self.opposite(kind, a, accesses, effects);
                self.opposite(kind, b, accesses, effects);
            }
            other => self.value(kind, other, accesses, effects),
        }
    }
}

/// The conjuncts of a condition.
fn split<'e>(expr: &'e Expr, each: &mut dyn FnMut(&'e Expr)) {
    match expr {
        Expr::Both(a, b) => {
            split(a, each);
            split(b, each);
        }
        other => each(other),
    }
}

/// The channel that must be not empty, or not full, for a condition to be true, if the condition depends on nothing
/// else.
fn needed(expr: &Expr) -> Option<(&ChanRef, StaticAccessKind)> {
    match expr {
        Expr::Length(chan) => Some((chan, StaticAccessKind::NeedsSome)),
        Expr::Unary(Unary::Not, a) => match &**a {
            Expr::Full(chan) => Some((chan, StaticAccessKind::NeedsRoom)),
            _ => None,
        },
        Expr::Binary(Binary::Ne | Binary::Gt, ..) => tested(expr).map(|(chan, _)| (chan, StaticAccessKind::NeedsSome)),
        _ => None,
    }
}

/// The channel that an expression tests for being full or empty, if it depends on nothing else.
fn tested(expr: &Expr) -> Option<(&ChanRef, StaticAccessKind)> {
    match expr {
        Expr::Full(chan) => Some((chan, StaticAccessKind::AskFull)),
        Expr::Binary(Binary::Eq | Binary::Ne | Binary::Gt, a, b) => match (&**a, &**b) {
            (Expr::Length(chan), Expr::Const(0)) => Some((chan, StaticAccessKind::AskEmpty)),
            _ => None,
        },
        Expr::Unary(Unary::Not, a) => match &**a {
            Expr::Length(chan) => Some((chan, StaticAccessKind::AskEmpty)),
            other => tested(other),
        },
        _ => None,
    }
}
