//! One search, from the options to the outcome.

use crate::arguments::SearchOptions;
use crate::audit::Audit;
use crate::caching::{Cached, caching};
use crate::compiling::Compilation;
use crate::estimate::{Estimate, estimates};
use crate::guard::{self, Phase};
use crate::language::{Execution, Loaded};
use crate::progress::ProgressLine;
use crate::{language, output, worth};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{
    Budget, Claim, Fault, FaultKind, Found, Limits, Model, Observe, Outcome, Progress, Reason, Shrunk, StateId, Step,
    StepText, Successors, Verdict, resident_bytes,
};
use tightrope_por::WithStubbornSets;
use tightrope_reduce::{REDUCTIONS, Symmetric};
use tightrope_search::{Measure, Record, Shape, Task, Tell};
use tightrope_store::Site;

/// What to do with what is found.
#[derive(Clone, Copy, Default)]
pub struct Checks<'g> {
    /// Look for violations at all.
    pub check: bool,
    /// Deadlock is one.
    pub deadlock: bool,
    /// Go on after the first.
    pub all: bool,
    /// Take the measure of the state space.
    pub measure: bool,
    /// The time of the search is what matters: machine code is made before.
    pub timed: bool,
    /// The only thing to look for.
    pub goal: Option<&'g str>,
}

/// A search that ended.
pub struct Run {
    /// The model.
    pub loaded: Loaded,
    /// What came out.
    pub outcome: Outcome,
    /// The shape of the state space, where it was measured.
    pub shape: Option<Shape>,
    /// What was recorded.
    pub recorded: Option<Recorded>,
    /// The reductions that were used.
    pub reduce: Vec<&'static str>,
    /// Nothing was left out by chance.
    pub is_exact: bool,
    /// Violations were looked for.
    pub is_check: bool,
    /// What was looked for.
    pub checked: Vec<&'static str>,
    /// The goal, where there was one.
    pub goal: Option<String>,
    /// The bytes of the store.
    pub store_bytes: u64,
    /// How many states it held.
    pub stored: u64,
    /// Whether it named them in the order in which they came.
    pub ordered: bool,
    /// The share of the states that is expected to have been visited at least, where the store may lose some at every step.
    pub coverage: Option<f64>,
    /// The probability that states were left out, where it is too high.
    pub omission: Option<f64>,
    /// The nodes of its diagram, where it is one.
    pub nodes: Option<u64>,
    /// What it forgot, where it was a cache.
    pub cached: Option<Cached>,
    /// How many states an audit counted.
    pub audit: Option<u64>,
    /// What an audit found wrong with the effects that stubborn sets rest on.
    pub defect: Option<String>,
    /// The forms it took before the last one.
    pub history: Vec<Shrunk>,
    /// What other stores would need, where the memory did not suffice.
    pub estimates: Vec<Estimate>,
    /// The memory that was allowed.
    pub memory: u64,
    /// The most memory this process held, where the system tells.
    pub peak_resident: Option<u64>,
    /// The working space of the model, for what was not reached.
    pub successors: Successors,
    /// How long the search took.
    pub search: Duration,
    /// When everything began.
    pub started: Instant,
}

impl Run {
    /// What no step executed.
    pub fn unreached(&self) -> Vec<StepText> {
        match Symmetric::new(self.loaded.searched()).filter(|_| self.reduce.contains(&"symmetry")) {
            Some(symmetric) => symmetric.unreached(&self.successors.scratch),
            None => self.loaded.searched().unreached(&self.successors.scratch),
        }
    }
}

/// What was recorded.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    /// How many states there are.
    pub states: u64,
    /// How many of them are initial: the first ones.
    pub initial: u64,
}

/// Set aside for what is small and does not grow with the state space: buffers, the report.
const REPORT_BYTES: u64 = 3 << 19;

/// With less memory than this none of it goes into making machine code, unless that is asked for.
const COMPILER_BYTES: u64 = 24 << 20;

/// With at least this much memory, machine code is made while the search goes on, unless that is asked for before.
const MEANWHILE_BYTES: u64 = 128 << 20;

/// All watchers at once.
struct Watch<'m, 't> {
    measure: Option<Measure>,
    record: Option<Record<'m, 't>>,
    audit: Option<Audit<'m>>,
    line: Option<ProgressLine>,
    /// The first violation is the end of the search.
    ends_with_one: bool,
}

impl Observe for Watch<'_, '_> {
    fn initial(&mut self, found: Found, state: &[u8]) {
        if let Some(measure) = &mut self.measure {
            measure.initial(found, state);
        }
        if let Some(record) = &mut self.record {
            record.initial(found, state);
        }
        if let Some(audit) = &mut self.audit {
            audit.initial(found, state);
        }
    }

    fn level(&mut self, depth: u64, width: u64) {
        if let Some(measure) = &mut self.measure {
            measure.level(depth, width);
        }
    }

    fn watches_steps(&self) -> bool {
        self.measure.is_some() || self.record.is_some() || self.audit.is_some()
    }

    fn expand(&mut self, id: StateId, state: &[u8], degree: usize) {
        if let Some(measure) = &mut self.measure {
            measure.expand(id, state, degree);
        }
        if let Some(record) = &mut self.record {
            record.expand(id, state, degree);
        }
        if let Some(audit) = &mut self.audit {
            audit.expand(id, state, degree);
        }
    }

    fn step(&mut self, from: StateId, step: Step, to: Found, state: &[u8]) {
        if let Some(measure) = &mut self.measure {
            measure.step(from, step, to, state);
        }
        if let Some(record) = &mut self.record {
            record.step(from, step, to, state);
        }
        if let Some(audit) = &mut self.audit {
            audit.step(from, step, to, state);
        }
    }

    fn ended(&mut self) {
        guard::phase(Phase::Ending);
    }

    fn violation(&mut self, fault: &Fault) {
        guard::note_found(fault);
        if self.ends_with_one {
            guard::phase(Phase::Replaying);
        }
    }

    fn progress(&mut self, progress: Progress) {
        guard::note_states(progress.states);
        if let Some(line) = &mut self.line {
            line.progress(progress);
        }
    }
}

/// Loads the model and searches it. The error is for people: the command line or the model is wrong.
pub fn run(options: &SearchOptions, checks: Checks<'_>) -> Result<Run, String> {
    record(options, checks, None, None)
}

/// The account of a search with these options.
pub fn budget(options: &SearchOptions) -> Arc<Budget> {
    Arc::new(Budget::new(options.limits.memory()))
}

/// Loads the model and searches it; `tell` is told of every transition, and may have taken memory from `budget`.
pub fn record(
    options: &SearchOptions,
    checks: Checks<'_>,
    tell: Option<Box<Tell<'_>>>,
    shared: Option<Arc<Budget>>,
) -> Result<Run, String> {
    let start = Instant::now();
    guard::phase(Phase::Reading);
    let deadline = options.limits.time.map(|time| start + time);
    let order = tightrope_search::find(&options.search).map_err(|why| format!("error: {why}"))?;
    let caching = caching(options, order)?;
    let mut loaded = language::load(&options.model, checks.goal)?;
    let budget = shared.unwrap_or_else(|| budget(options));
    let memory = budget.limit();
    let meanwhile = options.execute.is_none() && memory >= MEANWHILE_BYTES && !checks.timed;
    let to_compile = if meanwhile { loaded.prepare_for_machine_code() } else { None };
    if !meanwhile && options.execute.as_deref().map_or(memory >= COMPILER_BYTES, |how| how == "jit") {
        guard::phase(Phase::Compiling);
        loaded = loaded.compiled(deadline);
        if let Execution::FellBack(why) = &loaded.execution {
            output::tell(format_args!("note: the model is interpreted: {why}"));
        }
    }
    let reduce = reductions(options, &loaded)?;
    // What it keeps of the text is there before memory is counted.
    let program = loaded.program.clone().filter(|_| reduce.contains(&"stubborn"));
    let stubborn = program.map(|program| WithStubbornSets::new(loaded.searched(), program));
    if stubborn.as_ref().is_some_and(|stubborn| !stubborn.may_reduce()) {
        output::tell(
            "note: stubborn sets leave nothing out here: the model has priorities or `_last`, its goal reads everything, or \
             it has too many rules to compare",
        );
    }
    let inner: &dyn Model = stubborn.as_ref().map_or(loaded.searched(), |stubborn| stubborn);

    guard::phase(Phase::Searching);
    let site = Site { schema: loaded.model.schema(), budget: &budget, seed: options.seed };
    let spec = options.store().map_err(|why| format!("error: {why}"))?;
    // Where states are named by the order in which they come, their names must last.
    let spec = if tell.is_some() && spec == "auto" { "hash" } else { spec.as_str() };
    let made = match &caching {
        Some(caching) => tightrope_store::make_caching(spec, caching, site),
        None => tightrope_store::make(spec, site),
    };
    let mut store = made.map_err(|why| format!("error: {why}"))?;
    if tell.is_some() && store.ordered().is_none() {
        return Err(format!("error: states are not numbered by the store `{}`; try `--store bits`", options.store));
    }
    // What the process holds already is part of what it may hold, and so is what it needs for the report at the end.
    // If that is too much, so be it: the first structure that grows is refused, and the report says so.
    let resident = resident_bytes().map_or(0, |(now, _)| now);
    let report_bytes = REPORT_BYTES.min(memory / 16);
    if budget.reserve(resident + report_bytes).is_err() {
        let _ = budget.reserve(budget.left());
    }
    let limits = Limits {
        depth: options.depth,
        deadline,
        interrupt: guard::interrupt(),
        check: checks.check,
        // A property that blocks is no deadlock of the system.
        deadlock: checks.deadlock && checks.goal.is_none() && !loaded.product,
        only: checks.goal.map(|_| FaultKind::Goal),
        all: checks.all,
        sleep: reduce.contains(&"sleep"),
        stubborn: reduce.contains(&"stubborn"),
    };
    let mut successors = Successors::new();
    let mut watch = Watch {
        measure: checks.measure.then(|| Measure::new(&budget)),
        record: None,
        audit: options.audit.then(|| Audit::new(stubborn.as_ref())),
        line: ProgressLine::new(&budget, !options.quiet && !options.json),
        ends_with_one: !checks.all,
    };
    let searching = Instant::now();
    let symmetric = if reduce.contains(&"symmetry") { Symmetric::new(inner) } else { None };
    let model: &dyn Model = symmetric.as_ref().map_or(inner, |symmetric| symmetric);
    watch.record = tell.map(|tell| Record::new(model, &budget, limits.interrupt.clone(), tell));
    let compilation = to_compile.map(|interpreter| Compilation::start(&interpreter, &budget));
    let task = Task { model, store: store.as_mut(), limits: &limits, budget: &budget, successors: &mut successors };
    let mut outcome = (order.run)(task, &mut watch);
    let search = searching.elapsed();
    drop(watch.line.take());
    let execution = compilation.as_ref().map(|compilation| match compilation.finish() {
        Ok(time) => Execution::Meanwhile(time),
        Err(why) => {
            output::tell(format_args!("note: the model is interpreted: {why}"));
            Execution::FellBack(why)
        }
    });
    let recorded = watch.record.take().map(|record| {
        if record.is_refused() {
            outcome.verdict = Verdict::Undecided(Reason::Memory);
            outcome.stopped = Some(Reason::Memory);
        }
        Recorded { states: record.states(), initial: record.initial_states() }
    });
    let (store_bytes, stored, ordered) = (store.bytes(), store.len(), store.ordered().is_some());
    let forgetting = store.forgets().map(|forgets| forgets.forgetting());
    let cached = caching.zip(forgetting).map(|(caching, forgetting)| Cached { caching, forgetting });
    let (audit, defect) =
        watch.audit.take().map(Audit::finish).map_or((None, None), |(states, defect)| (Some(states), defect));
    if let Some(states) = audit {
        outcome.figures.states = states;
    }
    // A state is visited at least if none of a shortest path to it is lost, each with the last and greatest probability.
    let path = outcome.figures.depth.max(outcome.figures.levels) as f64 + 1.0;
    // Of a search that was cut short nobody knows how much is missing.
    let ended_early = outcome.stopped.is_some() || (!checks.all && matches!(outcome.verdict, Verdict::Violated(_)));
    let coverage = store.loss().filter(|_| !ended_early).map(|loss| (path * (-loss).ln_1p()).exp());
    let (nodes, history) = (store.nodes(), store.history().to_vec());
    drop(store);
    // What follows makes steps again, in buffers of its own.
    successors.release();
    if let Verdict::Violated(violation) = &outcome.verdict {
        guard::note_found(&violation.fault);
        guard::phase(Phase::Replaying);
    }
    if let (true, Verdict::Violated(violation)) = (symmetric.is_some(), &mut outcome.verdict) {
        violation.trace = loaded.unfold(violation).map_err(|why| {
            let found = &violation.fault.message;
            format!(
                "error: the model is not symmetric: what it does depends on the order of a scalarset's elements ({why})\n\
                 found was: {found}\ntry: --reduce none"
            )
        })?;
    }
    let shape = watch.measure.map(Measure::finish);
    let estimates = match outcome.verdict {
        // Of very large states there are too few to learn from.
        Verdict::Undecided(Reason::Memory) if cached.is_none() && loaded.initial().len() as u64 <= memory / 1024 => {
            guard::phase(Phase::Estimating);
            // Machine code is there now, too.
            let resident = resident_bytes().map_or(resident, |(now, _)| now.max(resident));
            let compiling = compilation.as_ref().map_or(0, Compilation::reserved);
            let memory = memory.saturating_sub(resident + report_bytes + compiling);
            estimates(model, order, memory, options.seed, &limits, recorded.is_some())
        }
        _ => Vec::new(),
    };
    if let Some(execution) = execution {
        loaded.execution = execution;
    }
    Ok(Run {
        is_check: checks.check,
        is_exact: matches!(outcome.verdict, Verdict::Holds(Claim::Exact)),
        outcome,
        recorded,
        reduce,
        checked: worth::checked(&checks, limits.deadlock),
        goal: checks.goal.map(String::from),
        shape,
        store_bytes,
        stored,
        ordered,
        coverage,
        omission: None,
        nodes,
        cached,
        audit,
        defect,
        history,
        estimates,
        memory,
        peak_resident: resident_bytes().map(|(_, peak)| peak),
        successors,
        search,
        started: start,
        loaded,
    })
}

/// The reductions to use: those asked for, or what the model declares.
fn reductions(options: &SearchOptions, loaded: &Loaded) -> Result<Vec<&'static str>, String> {
    let symmetric = loaded.model.symmetry().is_some();
    let Some(names) = &options.reduce else {
        return Ok(if symmetric { vec!["symmetry"] } else { Vec::new() });
    };
    if names.len() > 1 && names.iter().any(|name| name == "none") {
        return Err("error: `--reduce none` means no reduction, and goes with no other".into());
    }
    let mut reduce = Vec::new();
    for name in names.iter().filter(|name| *name != "none") {
        let Some(found) = REDUCTIONS.iter().find(|entry| entry.name == name) else {
            let known: Vec<&str> = REDUCTIONS.iter().map(|entry| entry.name).collect();
            return Err(format!("error: unknown reduction `{name}`; known are none, {}", known.join(", ")));
        };
        if found.name == "symmetry" && !symmetric {
            let path = options.model.model.display();
            output::tell(format_args!(
                "note: `{path}` declares no symmetry (a scalarset of at least two elements): nothing to reduce by it"
            ));
            continue;
        }
        if found.name != "symmetry" && loaded.program.is_none() {
            let what = found.name;
            output::tell(format_args!(
                "note: nothing is known of the actions of a transition system: no {what} sets, nothing is reduced"
            ));
            continue;
        }
        reduce.push(found.name);
    }
    if reduce.contains(&"sleep") && options.search != "dfs" {
        return Err("error: sleep sets are for depth-first search; add `--search dfs`".into());
    }
    Ok(reduce)
}
