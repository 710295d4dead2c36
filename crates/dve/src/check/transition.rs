//! Transitions and how they use channels.

use super::Checker;
use crate::ast;
use crate::hir::{Assignment, Exchange, Expr, ExprKind, Sync, Transition};
use tightrope_syntax::{Diagnostic, Span};

/// Where a channel is used, for sending and for receiving: the first place for each number of values.
#[derive(Default)]
pub(super) struct Uses {
    sends: Vec<(usize, Span)>,
    receives: Vec<(usize, Span)>,
}

impl Checker<'_> {
    pub(super) fn transitions(&mut self, process: usize, written: &ast::Process) {
        let mut from = None;
        for (at, transition) in written.transitions.iter().enumerate() {
            match transition.from {
                Some(name) => from = self.find_state(process, name),
                None if at == 0 => {
                    let error = Diagnostic::error("the first transition does not say where it starts")
                        .at(transition.to.span, "expected a state before the arrow")
                        .help("only later ones may start where the one before does");
                    self.report(error);
                }
                None => {}
            }
            let to = self.find_state(process, transition.to);
            let guard = self.guard(&transition.guards);
            let sync = transition.sync.as_ref().and_then(|sync| self.sync(sync));
            let effects = transition.effects.iter().filter_map(|effect| self.assignment(effect)).collect();
            let span = transition.span;
            if let (Some(from), Some(to)) = (from, to) {
                let transition = Transition { from, to, guard, sync, effects, span };
                self.model.processes[process].transitions.push(transition);
            }
            if self.diags.is_full() {
                return;
            }
        }
    }

    /// All conditions in one, as a tree of least height.
    fn guard(&mut self, conditions: &[ast::Expr]) -> Option<Expr> {
        let mut conditions: Vec<Expr> = conditions.iter().map(|condition| self.expr(condition)).collect();
        while conditions.len() > 1 {
            let mut paired = Vec::with_capacity(conditions.len().div_ceil(2));
            let mut rest = conditions.into_iter();
            while let Some(left) = rest.next() {
                let Some(right) = rest.next() else {
                    paired.push(left);
                    break;
                };
                let span = left.span.to(right.span);
                paired.push(Expr { kind: ExprKind::And(Box::new((left, right))), span });
            }
            conditions = paired;
        }
        conditions.pop()
    }

    fn assignment(&mut self, (target, value): &(ast::Expr, ast::Expr)) -> Option<Assignment> {
        let span = target.span.to(value.span);
        let place = self.place(target, "the target of an assignment");
        let value = self.expr(value);
        Some(Assignment { target: place?, value, span })
    }

    fn sync(&mut self, sync: &ast::Sync) -> Option<Sync> {
        let channel = self.find_channel(sync.channel);
        let exchange = if sync.sends {
            Exchange::Send(sync.values.iter().map(|value| self.expr(value)).collect())
        } else {
            let places: Vec<_> = sync.values.iter().map(|value| self.place(value, "the target of `?`")).collect();
            Exchange::Receive(places.into_iter().flatten().collect())
        };
        let channel = channel?;
        self.check_use(channel, sync);
        Some(Sync { channel, exchange, span: sync.span })
    }

    /// Compares the number of values with what the channel carries.
    fn check_use(&mut self, channel: usize, sync: &ast::Sync) {
        let count = sync.values.len();
        let declared = &self.model.channels[channel];
        let name = &declared.name;
        if let Some(types) = &declared.types {
            if types.len() != count {
                let types: Vec<_> = types.iter().map(|ty| ty.name()).collect();
                let error = Diagnostic::error(format!("the messages of `{name}` have {}", values(types.len())))
                    .at(sync.span, format!("there {} {} here", if count == 1 { "is" } else { "are" }, values(count)))
                    .also(declared.span, format!("declared with {{{}}}", types.join(", ")));
                self.report(error);
            }
            return;
        }
        let uses = &mut self.uses[channel];
        let (own, other, verb) = match sync.sends {
            true => (&mut uses.sends, &uses.receives, "received"),
            false => (&mut uses.receives, &uses.sends, "sent"),
        };
        if own.iter().all(|(known, _)| *known != count) {
            own.push((count, sync.span));
        }
        let Some(&(others, place)) = other.iter().find(|(others, _)| *others != count) else { return };
        let error = Diagnostic::error(format!("`{name}` is used with {} and with {}", values(others), values(count)))
            .at(sync.span, format!("{} here", values(count)))
            .also(place, format!("{verb} with {} here", values(others)));
        self.report(error);
    }

    /// Notes how many values channels without types carry.
    pub(super) fn count_values(&mut self) {
        for (channel, uses) in self.model.channels.iter_mut().zip(&self.uses) {
            if channel.types.is_none() {
                let counts = uses.sends.iter().chain(&uses.receives).map(|(count, _)| *count);
                channel.arity = counts.max().unwrap_or(0);
            }
        }
    }
}

fn values(count: usize) -> String {
    match count {
        0 => "no value".to_string(),
        1 => "one value".to_string(),
        _ => format!("{count} values"),
    }
}
