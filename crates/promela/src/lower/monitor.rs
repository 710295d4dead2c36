//! `trace` and `notrace`: an automaton over messages.

use super::Lower;
use super::automaton::Automaton;
use super::control_flow::{Basic, ControlFlow, ElementKind};
use super::layout::Layout;
use crate::ast::{self, Claim, ClaimKind, ExprKind, Module, RecvArg, StmtKind, Unit, VarRef};
use rustc_hash::FxHashSet;
use tightrope_core::{Component, Format};
use tightrope_ir::{ChanRef, Expr, Monitor, MonitorEvent, Pattern, Type};
use tightrope_syntax::{Diagnostic, Span};

impl Lower<'_> {
    /// The monitor of a module, if it has one.
    pub(super) fn monitor(&mut self, module: &Module) -> Option<Monitor> {
        let mut claims = module.units.iter().filter_map(|unit| match unit {
            Unit::Claim(claim) if claim.kind != ClaimKind::Never => Some(claim),
            _ => None,
        });
        let claim = claims.next()?;
        if let Some(second) = claims.next() {
            let message = "more than one trace assertion";
            self.report(Diagnostic::error(message).at(second.span, "a second one").also(claim.span, "the first"));
        }
        self.layouts.push(Layout::default());
        let owner = self.layouts.len() - 1;
        let flow = ControlFlow::build(self, owner, &claim.body, claim.end, None, FxHashSet::default());
        let automaton = Automaton::new(&flow);
        let monitor = self.events(owner, claim, &flow, &automaton);
        self.layouts.pop();
        monitor
    }

    fn events(
        &mut self,
        owner: usize,
        claim: &Claim,
        flow: &ControlFlow<'_>,
        automaton: &Automaton,
    ) -> Option<Monitor> {
        let count = automaton.locations.len();
        if count > 254 {
            self.report(Diagnostic::error("the trace assertion is too long").at(claim.span, "this one"));
            return None;
        }
        let mut monitor = Monitor {
            forbidden: claim.kind == ClaimKind::Notrace,
            source: self.source(claim.span),
            ..Monitor::default()
        };
        for (&here, outgoing) in automaton.locations.iter().zip(&automaton.transitions) {
            let element = &flow.elements[here as usize];
            let at_end = matches!(element.kind, ElementKind::Basic(Basic::End));
            let end = at_end || automaton.marks[here as usize].end;
            let mut events = Vec::new();
            for &(id, _, target) in outgoing {
                let one = &flow.elements[id as usize];
                let next = automaton.numbers[&target];
                match &one.kind {
                    ElementKind::Basic(Basic::End) => {}
                    ElementKind::Basic(Basic::Stmt(StmtKind::Send { chan, args, .. }, _)) => {
                        let channel = self.watched_channel(chan, owner)?;
                        let mut patterns = Vec::new();
                        for arg in args {
                            patterns.push(self.sent_pattern(arg)?);
                        }
                        monitor.sends.push(channel);
                        events.push((MonitorEvent::Send(channel, patterns), next));
                    }
                    ElementKind::Basic(Basic::Stmt(StmtKind::Recv { chan, args, .. }, _)) => {
                        let channel = self.watched_channel(chan, owner)?;
                        let mut patterns = Vec::new();
                        for arg in args {
                            patterns.push(self.event_pattern(arg)?);
                        }
                        monitor.receives.push(channel);
                        events.push((MonitorEvent::Receive(channel, patterns), next));
                    }
                    _ => {
                        self.only_messages(one.span);
                        return None;
                    }
                }
            }
            monitor.locations.push((events, end));
        }
        let range = (0, count as i32);
        monitor.offset =
            self.globals.scalar("(trace assertion)".into(), Type::BYTE, range, Component::Globals, Format::Hidden);
        Some(monitor)
    }

    /// Of what is sent SPIN compares only constants.
    fn sent_pattern(&mut self, arg: &ast::Expr) -> Option<Pattern> {
        match &arg.kind {
            ExprKind::Var(var) if var.parts[0].name.text == "_" => return Some(Pattern::Any),
            ExprKind::Const(_) | ExprKind::Var(_) => {
                if let Some(value) = self.try_constant(arg) {
                    return Some(Pattern::Equal(Expr::Const(value)));
                }
            }
            _ => {}
        }
        // Its names must still be declared.
        self.expr(arg, None, None)?;
        self.not_compared(arg.span, "write `_` if this is meant");
        Some(Pattern::Any)
    }

    fn not_compared(&mut self, span: Span, help: &str) {
        let warning = Diagnostic::warning("this part of the trace assertion matches any value")
            .at(span, "only constants and `eval(…)` of a receive are compared")
            .help(help);
        self.report(warning);
    }

    /// Of what is received SPIN compares constants and `eval(…)`; variables match anything, and are not changed.
    fn event_pattern(&mut self, arg: &RecvArg) -> Option<Pattern> {
        Some(match arg {
            RecvArg::Any(_) => Pattern::Any,
            RecvArg::Const(value, _) => Pattern::Equal(Expr::Const(*value)),
            RecvArg::Eval(expr) => Pattern::Equal(self.expr(expr, None, None)?),
            RecvArg::Var(var) => {
                let name = &var.parts[0].name.text;
                match self.mtypes.names.get(name) {
                    Some(&(value, _)) => Pattern::Equal(Expr::Const(value)),
                    None if name == "_" => Pattern::Any,
                    None => {
                        self.target(var, None, None)?;
                        self.not_compared(var.span, "write `_` if this is meant, or `eval(…)` to compare");
                        Pattern::Any
                    }
                }
            }
        })
    }

    fn watched_channel(&mut self, chan: &VarRef, owner: usize) -> Option<u32> {
        match self.chan(chan, Some(owner), None)?.0 {
            ChanRef::Global(position) => Some(position),
            _ => {
                let message = "a trace assertion can watch only global channels that are never assigned to";
                self.report(Diagnostic::error(message).at(chan.span, "this channel"));
                None
            }
        }
    }

    fn only_messages(&mut self, span: Span) {
        let message = "a trace assertion consists of sends and receives only";
        self.report(Diagnostic::error(message).at(span, "neither"));
    }
}
