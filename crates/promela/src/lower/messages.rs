//! Messages: what a receive or a poll matches, and how many fields a message has.

use super::Lower;
use super::references::Target;
use crate::ast::{RecvArg, VarRef};
use tightrope_ir::{Expr, Pattern, Receive};
use tightrope_syntax::{Diagnostic, Span};

/// What a receive does with the message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReceiveMode {
    /// It is removed from the channel.
    Take,
    /// It is read and stays in the channel.
    Stay,
    /// It is only tested whether it matches.
    Poll,
}

impl Lower<'_> {
    /// A receive: what is expected of each field.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn receive(
        &mut self,
        chan: &VarRef,
        anywhere: bool,
        keep: ReceiveMode,
        args: &[RecvArg],
        owner: Option<usize>,
        scope: Option<u32>,
        span: Span,
    ) -> Option<Receive> {
        let (chan, ty) = self.chan(chan, owner, scope)?;
        let polled = keep == ReceiveMode::Poll;
        let mut patterns = Vec::new();
        for arg in args {
            match arg {
                RecvArg::Any(_) => patterns.push(Pattern::Any),
                RecvArg::Const(value, _) => patterns.push(Pattern::Equal(Expr::Const(*value))),
                RecvArg::Eval(expr) => patterns.push(Pattern::Equal(self.expr(expr, owner, scope)?)),
                RecvArg::Var(var) => {
                    let first = &var.parts[0].name.text;
                    let plain = var.parts.len() == 1 && var.parts[0].index.is_none();
                    if plain && self.lookup(first, owner, scope).is_none() {
                        if let Some(&(value, _)) = self.mtypes.names.get(first) {
                            patterns.push(Pattern::Equal(Expr::Const(value)));
                            continue;
                        }
                        if first == "_" {
                            patterns.push(Pattern::Any);
                            continue;
                        }
                        if first == "_pid" {
                            patterns.push(Pattern::Equal(Expr::OwnPid));
                            continue;
                        }
                    }
                    match self.target(var, owner, scope)? {
                        Target::Variable(variable, ty) => {
                            let mut bound = Vec::new();
                            self.scalars(variable, ty, &mut |scalar| bound.push(Pattern::Bind(scalar)));
                            patterns.extend(bound);
                        }
                        Target::Channel(..) => {
                            let message = format!("`{first}` cannot receive a value");
                            self.report(Diagnostic::error(message).at(var.span, "a channel"));
                            return None;
                        }
                    }
                }
            }
        }
        // A poll may leave fields out; they can be anything.
        let wanted = ty.map_or(0, |ty| self.channels[ty as usize].fields.len());
        if !(polled && patterns.len() < wanted) {
            self.check_arity(ty, patterns.len(), "received", span)?;
        }
        Some(Receive { chan, anywhere, keep: keep != ReceiveMode::Take, patterns })
    }

    /// Reports a wrong number of fields.
    pub(super) fn check_arity(&mut self, ty: Option<u32>, given: usize, verb: &str, span: Span) -> Option<()> {
        let Some(ty) = ty else { return Some(()) };
        let wanted = self.channels[ty as usize].fields.len();
        if given == wanted {
            return Some(());
        }
        let (fields, verb) = (crate::counted(wanted, "field"), format!("{} {verb}", crate::are(given)));
        let message = format!("messages of this channel have {fields}, but {verb}");
        self.report(Diagnostic::error(message).at(span, format!("{} here", crate::counted(given, "field"))));
        None
    }
}
