//! From the resolved tree to a program of rules.
//!
//! Every process is an automaton. A transition without a partner is a rule, and so is every pair of a sender and a
//! receiver on a channel that holds nothing. Where there is a property, every such rule is combined with every transition
//! of the property. In a synchronous system all processes step together: that is one rule whose parameters are the
//! transitions taken.

mod exprs;
mod interleaving;
mod layout;
mod synchronous;

use crate::hir::{self, Exchange};
use layout::Layout;
use tightrope_core::{FaultKind, RunClaim};
use tightrope_ir::{self as ir, Automaton, AutomatonLocation, Invariant, Program, RuleSet, Source, Test};
use tightrope_syntax::{Diagnostic, Diagnostics, SourceMap, Span};

/// Options of the semantics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Values that do not fit their variable are cut, as LTSmin does, instead of leading to the error state.
    pub wrap: bool,
}

/// The most bytes a state may have.
const MAX_BYTES: u64 = 1 << 20;
/// The most rules there may be.
const MAX_RULES: usize = 1 << 20;

/// A lowered model.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Claims in the model that are not checked.
    pub unchecked: Vec<RunClaim>,
}

/// Lowers a model, with a goal if there is one. Gives nothing if it cannot be represented; then `diags` says why.
pub fn lower(
    model: &hir::Model,
    goal: Option<&hir::Expr>,
    options: Options,
    sources: &SourceMap,
    diags: &mut Diagnostics,
) -> Option<Lowered> {
    if !check_property(model, diags) {
        return None;
    }
    let layout = Layout::new(model, options);
    if layout.size > MAX_BYTES {
        let message = format!("a state would take {} bytes; at most {MAX_BYTES} are possible", layout.size);
        diags.push(Diagnostic::error(message));
        return None;
    }
    let mut lower = Lower { model, layout, sources, rules: RuleSet::default(), groups: 0 };
    lower.rules.starts.push(ir::Rule::default());
    lower.rules.failed = Some(lower.layout.failed(model));
    lower.rules.automata = lower.automata();
    if model.synchronous {
        lower.synchronous(diags)?;
    } else {
        lower.interleaved();
    }
    if lower.rules.rules.len() > MAX_RULES {
        let message =
            format!("the model has {} steps to choose from; at most {MAX_RULES} are possible", lower.rules.rules.len());
        diags.push(Diagnostic::error(message));
        return None;
    }
    match goal {
        // With a goal, nothing else is checked.
        Some(goal) => lower.goal(goal),
        None => lower.asserts(),
    }
    let unchecked = model.property.or(model.left_out).map(|property| {
        let name = model.processes[property].name.clone();
        RunClaim {
            kind: "property",
            text: format!("the acceptance of the property process `{name}`"),
            name: Some(name),
        }
    });
    let Lower { layout, rules, .. } = lower;
    let program = Program {
        files: sources.paths().map(|path| path.display().to_string()).collect(),
        globals: layout.names,
        fixed: layout.initial,
        schema: layout.schema.into(),
        rules: Some(rules),
        ..Program::default()
    };
    if let Err(why) = ir::validate(&program) {
        diags.push(Diagnostic::error(format!("the model cannot be represented: {why}")));
        return None;
    }
    Some(Lowered { program, unchecked: unchecked.into_iter().collect() })
}

/// A property watches: it sends nothing, receives no values, and assigns to no variable but its own.
fn check_property(model: &hir::Model, diags: &mut Diagnostics) -> bool {
    let Some(property) = model.property else { return true };
    let process = &model.processes[property];
    let before = diags.error_count();
    for transition in &process.transitions {
        if let Some(sync) = &transition.sync {
            let wrong = match &sync.exchange {
                Exchange::Send(_) => Some("it may only wait for others to synchronize, with `?`"),
                Exchange::Receive(places) if !places.is_empty() => Some("it may not receive values"),
                Exchange::Receive(_) if model.channels[sync.channel].types.is_some() => {
                    Some("it may not use channels with types")
                }
                Exchange::Receive(_) => None,
            };
            if let Some(label) = wrong {
                let message = format!("the property process `{}` may only observe", process.name);
                diags.push(Diagnostic::error(message).at(sync.span, label));
            }
        }
        for effect in transition.effects.iter().filter(|effect| effect.target.process.is_none()) {
            let message = format!("the property process `{}` may only observe", process.name);
            diags.push(Diagnostic::error(message).at(effect.span, "it may not assign to a global variable"));
        }
    }
    diags.error_count() == before
}

struct Lower<'m> {
    model: &'m hir::Model,
    layout: Layout,
    sources: &'m SourceMap,
    rules: RuleSet,
    /// How many groups of rules there are so far.
    groups: u32,
}

impl Lower<'_> {
    fn automata(&self) -> Vec<Automaton> {
        let processes = self.model.processes.iter().zip(&self.layout.locations).enumerate();
        processes
            .map(|(number, (process, place))| Automaton {
                name: process.name.clone(),
                offset: place.offset,
                repr: place.ty.repr,
                declared: place.declared,
                // A synchronous system knows no committed states.
                locations: process
                    .states
                    .iter()
                    .map(|state| AutomatonLocation {
                        name: state.name.clone(),
                        committed: state.commit && !self.model.synchronous,
                        source: self.source(state.span),
                    })
                    .collect(),
                passive: self.model.property == Some(number) && !self.model.synchronous,
            })
            .collect()
    }

    /// Assertions are invariants: while the process is in the state, the condition holds.
    fn asserts(&mut self) {
        for (number, process) in self.model.processes.iter().enumerate() {
            for assert in &process.asserts {
                let elsewhere = ir::Expr::Unary(ir::Unary::Not, Box::new(self.in_state(number, assert.state)));
                let condition = self.expr(&assert.condition);
                let (state, text) = (&process.states[assert.state].name, assert.condition.text(self.model));
                let message = format!("`{}` is in `{state}`, but `{text}` does not hold", process.name);
                self.rules.invariants.push(Invariant {
                    name: text,
                    tests: vec![Test::True(ir::Expr::Either(Box::new(elsewhere), Box::new(condition)))],
                    source: self.source(assert.span),
                    fault: Some((FaultKind::Assertion, message)),
                    ..Invariant::default()
                });
            }
        }
    }

    /// A goal is lowered as an invariant: its negation.
    fn goal(&mut self, goal: &hir::Expr) {
        let text = goal.text(self.model);
        let holds = self.expr(goal);
        self.rules.invariants.push(Invariant {
            name: text.clone(),
            tests: vec![Test::True(ir::Expr::Unary(ir::Unary::Not, Box::new(holds)))],
            source: Source::default(),
            fault: Some((FaultKind::Goal, format!("the goal is reached: {text}"))),
            ..Invariant::default()
        });
    }

    fn source(&self, span: Span) -> Source {
        Source { file: span.file.0, line: self.sources.line_col(span).0 }
    }
}
