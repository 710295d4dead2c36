//! From the syntax tree to a program.
//!
//! In three passes: first everything global is declared; then the control-flow graphs of the bodies are built, which
//! declares what is local and gives every label its location; last the statements become actions, which may then refer
//! to any variable and any label of any process.

mod automaton;
mod constants;
mod control_flow;
mod declarations;
mod exprs;
mod goal;
mod initial_values;
mod layout;
mod messages;
mod monitor;
mod mtypes;
mod references;
mod rendezvous;
mod scope;
mod statements;
mod types;
mod uses;

use crate::ast::{self, ClaimKind, Module, Proctype, Unit};
use automaton::Automaton;
use control_flow::ControlFlow;
use layout::Layout;
use mtypes::Mtypes;
use rustc_hash::{FxHashMap, FxHashSet};
use tightrope_core::{ProcessKind, Repr, RunClaim, Schema};
use tightrope_ir::{Channel, InitialProcess, Process, Program, Source, Type};
use tightrope_syntax::{Diagnostic, Diagnostics, Severity, SourceMap, Span};
use types::{StructDef, ValueKind};
use uses::Uses;

/// A model, lowered.
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What the model says that was not made part of the program: claims about infinite runs.
    pub unchecked: Vec<RunClaim>,
}

/// Lowers a module. Gives nothing if anything is wrong with it; then `diags` says what.
pub fn lower(module: &Module, sources: &SourceMap, diags: &mut Diagnostics) -> Option<Lowered> {
    let before = diags.error_count();
    let mut lower = Lower::new(module, sources, diags);
    let lowered = lower.module(module);
    if diags.error_count() > before {
        return None;
    }
    let lowered = lowered?;
    if let Err(why) = tightrope_ir::validate(&lowered.program) {
        diags.push(Diagnostic::error(format!("the model cannot be represented: {why}")));
        return None;
    }
    Some(lowered)
}

struct Lower<'d> {
    sources: &'d SourceMap,
    diags: &'d mut Diagnostics,
    mtypes: Mtypes,
    structs: Vec<StructDef>,
    structs_by_name: FxHashMap<String, usize>,
    channels: Vec<Channel>,
    channel_value_kinds: Vec<Vec<ValueKind>>,
    globals: Layout,
    layouts: Vec<Layout>,
    procs_by_name: FxHashMap<String, usize>,
    param_counts: Vec<usize>,
    /// The locations of labels, by process type; filled between the second and the third pass.
    labels: Vec<FxHashMap<String, i32>>,
    /// Channel names that are assigned to, received into or read from outside somewhere: kept in the state.
    written_channels: FxHashSet<String>,
    last: Option<u32>,
    write_only: Option<u32>,
    priorities: bool,
    /// Places that have an error already, or a warning.
    reported: FxHashSet<(Span, bool)>,
    /// Names that were reported, each with the process where it was looked for or declared wrongly.
    reported_names: FxHashSet<(Option<usize>, String)>,
    /// This is the goal: an index that is out of bounds is an error there.
    in_goal: bool,
}

impl<'d> Lower<'d> {
    fn new(module: &Module, sources: &'d SourceMap, diags: &'d mut Diagnostics) -> Lower<'d> {
        let uses = Uses::of(module);
        let mut lower = Lower {
            sources,
            diags,
            mtypes: Mtypes { sets: vec![(String::new(), vec!["0".into()])], ..Mtypes::default() },
            structs: Vec::new(),
            structs_by_name: FxHashMap::default(),
            channels: Vec::new(),
            channel_value_kinds: Vec::new(),
            globals: Layout::default(),
            layouts: Vec::new(),
            procs_by_name: FxHashMap::default(),
            param_counts: Vec::new(),
            labels: Vec::new(),
            written_channels: uses.written,
            last: None,
            write_only: None,
            priorities: uses.priorities,
            reported: FxHashSet::default(),
            reported_names: FxHashSet::default(),
            in_goal: false,
        };
        if uses.last {
            lower.last_mover();
        }
        lower
    }

    /// Reports something, unless its place has such a report already: the text of an inline is lowered once for each call.
    fn report(&mut self, diagnostic: Diagnostic) {
        match diagnostic.span() {
            Some(place) if !self.reported.insert((place, diagnostic.severity == Severity::Error)) => {}
            _ => self.diags.push(diagnostic),
        }
    }

    fn layout(&mut self, owner: Option<usize>) -> &mut Layout {
        match owner {
            None => &mut self.globals,
            Some(process) => &mut self.layouts[process],
        }
    }

    fn module(&mut self, module: &Module) -> Option<Lowered> {
        let procs: Vec<&Proctype> = module
            .units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Proctype(proc) => Some(proc),
                _ => None,
            })
            .collect();
        self.declare_globals(module, &procs);
        self.refuse_with_rendezvous(module);
        if procs.is_empty() {
            self.report(Diagnostic::error("the model has no process").help("add an `init` or a proctype"));
            return None;
        }
        if procs.len() > 255 {
            self.report(Diagnostic::error("the model has more than 255 proctypes"));
            return None;
        }

        let remote_labels = uses::remote_labels(module);
        let mut flows = Vec::new();
        for (kind, proc) in procs.iter().enumerate() {
            let scope = self.declare_params(kind, proc);
            let labels = remote_labels.get(&proc.name.text).cloned().unwrap_or_default();
            let flow = ControlFlow::build(self, kind, &proc.body, proc.end, scope, labels);
            let automaton = Automaton::new(&flow);
            let location = |id: &u32| automaton.numbers.get(id).map_or(-2, |&number| number as i32);
            self.labels.push(flow.named().into_iter().map(|(name, id)| (name, location(&id))).collect());
            flows.push((flow, automaton));
        }
        let mut processes = Vec::new();
        for (kind, (proc, (flow, automaton))) in procs.iter().zip(&flows).enumerate() {
            processes.push(self.process(kind, proc, flow, automaton));
        }
        let errors = self.diags.error_count();
        let start = self.start(&procs);
        if start.is_empty() && self.diags.error_count() == errors {
            let help = "add an `init`, or write `active proctype`";
            self.report(Diagnostic::error("no process is ever started").help(help));
        }
        let monitor = self.monitor(module);
        let goal = module.goal.as_ref().and_then(|goal| self.goal(goal));
        self.place_channels(None);

        let mut kinds = Vec::new();
        for process in &processes {
            let area = &self.layouts[kinds.len()];
            let size = area.bytes.len() as u32;
            kinds.push(ProcessKind { name: process.name.clone(), size, fields: area.fields.clone() });
        }
        let globals = std::mem::take(&mut self.globals);
        let schema = Schema { fixed_size: globals.bytes.len() as u32, fixed: globals.fields, kinds };
        let program = Program {
            files: self.sources.paths().map(|path| path.display().to_string()).collect(),
            schema: schema.into(),
            globals: globals.names,
            fixed: globals.bytes,
            hidden: globals.hidden,
            initialisers: globals.initialisers,
            channels: std::mem::take(&mut self.channels),
            global_channels: globals.channels,
            processes,
            start,
            last_mover: self.last,
            priorities: self.priorities,
            monitor,
            rules: None,
            goal,
        };
        Some(Lowered { program, unchecked: unchecked(module) })
    }

    /// The third pass, for one process type.
    fn process(&mut self, kind: usize, proc: &Proctype, flow: &ControlFlow<'_>, automaton: &Automaton) -> Process {
        let (locations, transitions) = self.automaton(kind, flow, automaton);
        let provided = match &proc.provided {
            Some(expr) => {
                let params = self.param_counts[kind] as u32;
                self.expr(expr, Some(kind), params.checked_sub(1))
            }
            None => None,
        };
        self.place_channels(Some(kind));
        let wide = self.layouts[kind].fields[0].repr == Repr::U16;
        let limit = if wide { 1 << 16 } else { 1 << 8 };
        if locations.len() > limit || transitions.len() > 0xfffe {
            let message = format!("`{}` is too long: {} locations", proc.name.text, locations.len());
            self.report(Diagnostic::error(message).at(proc.name.span, "this proctype"));
        }
        let area = &mut self.layouts[kind];
        area.fields[0].range = (0, locations.len() as i32 - 1);
        let params: Vec<(u32, Type)> = area
            .bindings
            .iter()
            .take(self.param_counts[kind])
            .filter_map(|binding| match (binding.decl.storage, binding.decl.ty) {
                (scope::Storage::Offset(offset), types::VarType::Scalar(ty, _)) => Some((offset, ty)),
                _ => None,
            })
            .collect();
        Process {
            name: proc.name.text.clone(),
            variables: area.names.clone(),
            wide_pc: wide,
            priority: self.priorities.then_some(if wide { 2 } else { 1 }),
            body: area.bytes.clone(),
            params,
            initialisers: area.initialisers.clone(),
            channels: area.channels.clone(),
            provided,
            deterministic: proc.deterministic,
            locations,
            transitions,
            dead: self.dead_code(flow, automaton),
        }
    }

    /// The processes that are there from the start: active ones and `init`, in source order.
    fn start(&mut self, procs: &[&Proctype]) -> Vec<InitialProcess> {
        let mut start = Vec::new();
        for (kind, proc) in procs.iter().enumerate() {
            let count = match &proc.active {
                _ if proc.is_init => 1,
                None => continue,
                Some(ast::ActiveCount::One) => 1,
                Some(ast::ActiveCount::Count(expr)) => self.constant(expr).unwrap_or(0),
            };
            let priority = proc.priority.as_ref().map_or(Some(1), |expr| self.constant(expr)).unwrap_or(1);
            if !(1..=255).contains(&priority) {
                let message = format!("a priority cannot be {priority}");
                self.report(Diagnostic::error(message).at(proc.name.span, "1 to 255 are possible"));
            }
            if !(0..=255).contains(&count) || start.len() + count.max(0) as usize > 255 {
                let message = "more than 255 processes are active from the start";
                self.report(Diagnostic::error(message).at(proc.name.span, "one of these is too many"));
                break;
            }
            start.extend((0..count).map(|_| InitialProcess { kind: kind as u8, priority: priority as u8 }));
        }
        start
    }

    /// The location of a label; -2 if its statement is never a location.
    fn label_location(&self, kind: usize, label: &str) -> Option<i32> {
        self.labels[kind].get(label).copied()
    }

    /// The file and line of a span.
    fn source(&self, span: Span) -> Source {
        Source { file: span.file.0, line: self.sources.line_col(span).0 }
    }

    /// What stands at a place, on one line.
    fn source_text(&self, span: Span) -> String {
        shortened(self.sources.slice(span))
    }
}

/// A text on one line, the end of a long one left out.
fn shortened(text: &str) -> String {
    let mut short: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if short.chars().count() > 120 {
        short = short.chars().take(117).chain("...".chars()).collect();
    }
    short
}

/// The claims of a module that are not part of its program. Labels `progress` are none: SPIN looks for non-progress cycles
/// only where it is asked to.
fn unchecked(module: &Module) -> Vec<RunClaim> {
    let mut claims = Vec::new();
    for unit in &module.units {
        let (kind, name, without) = match unit {
            Unit::Ltl(ltl) => ("ltl", &ltl.name, "an ltl formula"),
            Unit::Claim(claim) if claim.kind == ClaimKind::Never => ("never", &claim.name, "a never claim"),
            Unit::Proctype(proc) => {
                crate::ast::visit::statements(&proc.body, &mut |stmt| {
                    for label in stmt.labels.iter().filter(|label| label.text.starts_with("accept")) {
                        let text = format!("acceptance at label `{}` of `{}`", label.text, proc.name.text);
                        // The body of an `inline` is there as often as it is called.
                        if !claims.iter().any(|claim: &RunClaim| claim.text == text) {
                            claims.push(RunClaim { kind: "accept", name: Some(label.text.clone()), text });
                        }
                    }
                });
                continue;
            }
            _ => continue,
        };
        let name = name.as_ref().map(|name| name.text.clone());
        let text = name.as_ref().map_or(without.to_string(), |name| format!("{kind} {name}"));
        claims.push(RunClaim { kind, name, text });
    }
    claims
}
