//! From the syntax tree to a program.
//!
//! In three rounds: first everything global is declared; then the bodies are cut into elements and locations, which
//! declares what is local and places every label; last the statements become actions, which may then refer to any
//! variable and any label of any process.

mod area;
mod automaton;
mod elements;
mod exprs;
mod goal;
mod monitor;
mod rendezvous;
mod statements;
mod types;

use crate::ast::{self, ClaimKind, Module, Proctype, Unit};
use area::Area;
use automaton::Automaton;
use elements::Flow;
use rustc_hash::{FxHashMap, FxHashSet};
use tightrope_core::{Component, Format, ProcessKind, Repr, RunClaim, Schema};
use tightrope_ir::{Channel, Process, Program, Source, Start, Type};
use tightrope_syntax::{Diagnostic, Diagnostics, Severity, SourceMap, Span};
use types::{Mtypes, Show, StructDef};

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
    channel_shows: Vec<Vec<Show>>,
    globals: Area,
    areas: Vec<Area>,
    procs_by_name: FxHashMap<String, usize>,
    param_counts: Vec<usize>,
    /// The locations of labels, by process type; filled between the second and the third round.
    labels: Vec<FxHashMap<String, i32>>,
    /// Channel names that are assigned to, received into or read from outside somewhere: kept in the state.
    written_channels: FxHashSet<String>,
    last: Option<u32>,
    write_only: Option<u32>,
    priorities: bool,
    /// Places that have an error already, or a warning.
    reported: FxHashSet<(Span, bool)>,
    /// Names that were reported, each with the process where it was looked for or declared wrongly.
    unknown: FxHashSet<(Option<usize>, String)>,
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
            channel_shows: Vec::new(),
            globals: Area::default(),
            areas: Vec::new(),
            procs_by_name: FxHashMap::default(),
            param_counts: Vec::new(),
            labels: Vec::new(),
            written_channels: uses.written,
            last: None,
            write_only: None,
            priorities: uses.priorities,
            reported: FxHashSet::default(),
            unknown: FxHashSet::default(),
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

    fn area(&mut self, owner: Option<usize>) -> &mut Area {
        match owner {
            None => &mut self.globals,
            Some(process) => &mut self.areas[process],
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

        let watched = watched_labels(module);
        let mut flows = Vec::new();
        for (kind, proc) in procs.iter().enumerate() {
            let scope = self.declare_params(kind, proc);
            let labels = watched.get(&proc.name.text).cloned().unwrap_or_default();
            let flow = Flow::build(self, kind, &proc.body, proc.end, scope, labels);
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
        if self.globals.channels.len() > 255 {
            self.report(Diagnostic::error("the model has more than 255 global channels"));
        }

        let mut kinds = Vec::new();
        for process in &processes {
            let area = &self.areas[kinds.len()];
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

    /// The first round.
    fn declare_globals(&mut self, module: &Module, procs: &[&Proctype]) {
        for (kind, proc) in procs.iter().enumerate() {
            if self.procs_by_name.insert(proc.name.text.clone(), kind).is_some() && !proc.is_init {
                let message = format!("`{}` is defined twice", proc.name.text);
                let earlier =
                    procs.iter().find(|earlier| earlier.name.text == proc.name.text).map(|earlier| earlier.name.span);
                let error = Diagnostic::error(message).at(proc.name.span, "again here");
                self.report(match earlier {
                    Some(earlier) => error.also(earlier, "first here"),
                    None => error,
                });
            }
            self.param_counts.push(proc.params.iter().map(|decls| decls.vars.len()).sum());
            self.areas.push(Area::default());
        }
        for unit in &module.units {
            if let Unit::Mtype(decl) = unit {
                self.declare_mtype(decl);
            }
        }
        for unit in &module.units {
            match unit {
                Unit::Typedef(typedef) => self.declare_typedef(typedef),
                Unit::Vars(decls) => {
                    for var in &decls.vars {
                        let Some(decl) = self.allocate(None, decls, var, None, true) else {
                            self.unknown.insert((None, var.name.text.clone()));
                            continue;
                        };
                        if let Some(earlier) = self.globals.globals.insert(var.name.text.clone(), decl) {
                            let message = format!("`{}` is declared twice", var.name.text);
                            let diagnostic = Diagnostic::error(message).at(var.name.span, "again here");
                            self.report(diagnostic.also(earlier.span, "first here"));
                        }
                        if self.mtypes.names.contains_key(&var.name.text) {
                            let message = format!("`{}` is a symbolic name already", var.name.text);
                            self.report(Diagnostic::error(message).at(var.name.span, "declared again here"));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Makes room for the location, the priority and the parameters of a process.
    fn declare_params(&mut self, kind: usize, proc: &Proctype) -> Option<u32> {
        let wide = statement_count(&proc.body) > 60;
        let ty = if wide { Type::unsigned(16) } else { Type::BYTE };
        // The range is set when the locations are known.
        self.areas[kind].scalar("(location)".into(), ty, (0, 0), Component::Process, Format::Hidden);
        if self.priorities {
            self.areas[kind].scalar("_priority".into(), Type::BYTE, (0, 255), Component::Process, Format::Number);
        }
        let mut scope = None;
        for decls in &proc.params {
            for var in &decls.vars {
                if var.array.is_some() {
                    let message = format!("the parameter `{}` cannot be an array", var.name.text);
                    self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
                    self.unknown.insert((Some(kind), var.name.text.clone()));
                    continue;
                }
                if var.init.is_some() {
                    let message = format!("the parameter `{}` has an initial value", var.name.text);
                    self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
                    self.unknown.insert((Some(kind), var.name.text.clone()));
                    continue;
                }
                let Some(decl) = self.allocate(Some(kind), decls, var, scope, true) else {
                    self.unknown.insert((Some(kind), var.name.text.clone()));
                    continue;
                };
                if matches!(decl.ty, types::VarType::Struct(_)) {
                    let message = format!("the parameter `{}` cannot be a structure", var.name.text);
                    self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
                    self.unknown.insert((Some(kind), var.name.text.clone()));
                    continue;
                }
                self.bind(kind, &var.name, decl, &mut scope, None);
            }
        }
        scope
    }

    /// The third round, for one process type.
    fn process(&mut self, kind: usize, proc: &Proctype, flow: &Flow<'_>, automaton: &Automaton) -> Process {
        let (locations, transitions) = self.automaton(kind, flow, automaton);
        let provided = match &proc.provided {
            Some(expr) => {
                let params = self.param_counts[kind] as u32;
                self.expr(expr, Some(kind), params.checked_sub(1))
            }
            None => None,
        };
        self.place_channels(Some(kind));
        let wide = self.areas[kind].fields[0].repr == Repr::U16;
        let limit = if wide { 1 << 16 } else { 1 << 8 };
        if locations.len() > limit || transitions.len() > 0xfffe {
            let message = format!("`{}` is too long: {} locations", proc.name.text, locations.len());
            self.report(Diagnostic::error(message).at(proc.name.span, "this proctype"));
        }
        let area = &mut self.areas[kind];
        area.fields[0].range = (0, locations.len() as i32 - 1);
        let params: Vec<(u32, Type)> = area
            .bindings
            .iter()
            .take(self.param_counts[kind])
            .filter_map(|binding| match (binding.decl.home, binding.decl.ty) {
                (area::Home::At(offset), types::VarType::Scalar(ty, _)) => Some((offset, ty)),
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
    fn start(&mut self, procs: &[&Proctype]) -> Vec<Start> {
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
            start.extend((0..count).map(|_| Start { kind: kind as u8, priority: priority as u8 }));
        }
        start
    }

    /// The location of a label; -2 if nobody ever rests there.
    fn label_location(&self, kind: usize, label: &str) -> Option<i32> {
        self.labels[kind].get(label).copied()
    }

    /// A place for people.
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

/// What a module does that decides how it is laid out.
struct Uses {
    written: FxHashSet<String>,
    priorities: bool,
    /// `_last` is read somewhere, if only in a claim.
    last: bool,
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

/// About how many locations a body can have, counted generously.
fn statement_count(seq: &ast::Seq) -> usize {
    let mut count = 0;
    crate::ast::visit::statements(seq, &mut |_| count += 2);
    count
}

/// The labels of each proctype that something refers to from outside.
fn watched_labels(module: &Module) -> FxHashMap<String, FxHashSet<String>> {
    let mut watched: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    crate::ast::visit::module_expressions(module, &mut |expr| {
        if let ast::ExprKind::RemoteLabel { proc, label, .. } = &expr.kind {
            watched.entry(proc.text.clone()).or_default().insert(label.text.clone());
        }
    });
    for unit in &module.units {
        let Unit::Ltl(ltl) = unit else { continue };
        let words: Vec<&str> = ltl.formula.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            // `P @ label` or `P [ 1 ] @ label`, the words of which stand apart.
            let Some(label) = words.get(at + 1).filter(|_| *word == "@") else { continue };
            let open = words[..at].iter().rposition(|word| *word == "[");
            let proc = match (words.get(at.wrapping_sub(1)), open) {
                (Some(&"]"), Some(open)) => words.get(open.wrapping_sub(1)),
                (proc, _) => proc,
            };
            if let Some(proc) = proc {
                watched.entry(proc.to_string()).or_default().insert(label.to_string());
            }
        }
    }
    watched
}

impl Uses {
    fn of(module: &Module) -> Uses {
        let mut uses = Uses { written: FxHashSet::default(), priorities: false, last: false };
        let mut write = |var: &ast::VarRef| {
            uses.written.insert(var.parts[0].name.text.clone());
        };
        crate::ast::visit::module_statements(module, &mut |stmt| match &stmt.kind {
            ast::StmtKind::Assign(var, _)
            | ast::StmtKind::Increment(var)
            | ast::StmtKind::Decrement(var)
            | ast::StmtKind::Select { var, .. }
            | ast::StmtKind::ForRange { var, .. }
            | ast::StmtKind::ForIn { var, .. } => write(var),
            ast::StmtKind::Recv { args, .. } => {
                for arg in args {
                    if let ast::RecvArg::Var(var) = arg {
                        write(var);
                    }
                }
            }
            _ => {}
        });
        crate::ast::visit::module_expressions(module, &mut |expr| match &expr.kind {
            ast::ExprKind::RemoteVar { var, .. } => {
                uses.written.insert(var.parts[0].name.text.clone());
            }
            ast::ExprKind::Run { priority: Some(_), .. }
            | ast::ExprKind::GetPriority(_)
            | ast::ExprKind::SetPriority(..) => uses.priorities = true,
            ast::ExprKind::Var(var) if var.parts[0].name.text == "_priority" => uses.priorities = true,
            ast::ExprKind::Var(var) if var.parts[0].name.text == "_last" => uses.last = true,
            _ => {}
        });
        let declared = |unit: &Unit| matches!(unit, Unit::Proctype(proc) if proc.priority.is_some());
        uses.priorities |= module.units.iter().any(declared) || uses.written.contains("_priority");
        uses
    }
}
