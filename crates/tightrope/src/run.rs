//! One search, from the options to the outcome.

use crate::arguments::{DEFAULT_STORE, SearchOptions};
use crate::audit::Audit;
use crate::caching::{Cached, caching};
use crate::compiling::Compilation;
use crate::disk::{self, DiskUse};
use crate::estimate::{Estimate, estimates};
use crate::language::{Execution, Loaded};
use crate::observers::Observers;
use crate::progress::ProgressLine;
use crate::snapshots::{Sampled, plan};
use crate::watchdog::{self, Phase};
use crate::{Failure, language, machine, output, reductions, verdict_scope};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{
    Budget, BudgetVec, CacheStats, Claim, FaultKind, Model, Observe, Outcome, Reason, Rebuilding, Reencoded,
    SearchConfig, StepText, Successors, Verdict, resident_bytes,
};
use tightrope_disk::{DiskLog, DiskQueue};
use tightrope_por::{STUBBORN_SETS, WithStubbornSets};
use tightrope_reduce::{SYMMETRY, Symmetric};
use tightrope_search::{EachTransition, LtsRecorder, Measure, StateSpaceShape, Task};
use tightrope_store::{STORES, Site};

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
    /// The file that the result is written to, which must be none of those that are read.
    pub output: Option<&'g Path>,
}

/// A search that ended.
pub struct Run {
    /// The model.
    pub loaded: Loaded,
    /// What came out.
    pub outcome: Outcome,
    /// The shape of the state space, where it was measured.
    pub shape: Option<StateSpaceShape>,
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
    /// Its figures as a cache, where it was one.
    pub cached: Option<Cached>,
    /// What was used of the disk, where it might be.
    pub disk: Option<DiskUse>,
    /// Which levels it remembered, and what came of it, where it was not all.
    pub sampled: Option<Sampled>,
    /// The search ended before everything was visited.
    pub ended_early: bool,
    /// The number of states at which the store was asked to change, where it was.
    pub change_at: Option<u64>,
    /// How many states an audit counted.
    pub audit: Option<u64>,
    /// The forms it took before the last one.
    pub history: Vec<Reencoded>,
    /// What rebuilding states took, where it does not keep them.
    pub rebuilding: Option<Rebuilding>,
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
    /// The figures of the store as one that evicts, if it has evicted states.
    pub fn eviction_stats(&self) -> Option<&CacheStats> {
        let cached = self.cached.as_ref().map(|cached| &cached.stats);
        cached.or(self.sampled.as_ref().map(|sampled| &sampled.stats)).filter(|stats| stats.evicted > 0)
    }

    /// Whether states were visited again, as far as that can be told.
    pub fn visits_again(&self) -> bool {
        let distinct = |stats: &CacheStats| self.audit.or(stats.distinct);
        self.eviction_stats().is_some_and(|stats| distinct(stats).is_some_and(|states| states < stats.inserted))
    }

    /// Whether the store changed its form since it was asked to, not since memory ran short.
    pub fn changes_as_asked(&self, reencoded: &Reencoded) -> bool {
        self.change_at.is_some_and(|states| reencoded.states >= states)
    }

    /// The most states that the store held at a time.
    pub fn stored_at_most(&self) -> u64 {
        self.eviction_stats().map_or(self.stored, |stats| stats.peak)
    }

    /// The bytes of the store for each of them, if there were any.
    pub fn bytes_per_state(&self) -> Option<f64> {
        let stored = self.stored_at_most();
        (stored > 0).then(|| self.store_bytes as f64 / stored as f64)
    }

    /// What no step executed.
    pub fn unreached(&self) -> Vec<StepText> {
        let (model, scratch) = (self.loaded.searched(), &self.successors.scratch);
        match self.reduce.contains(&SYMMETRY.name) {
            true => Symmetric::unreached_in(model, scratch),
            false => model.unreached(scratch),
        }
    }
}

/// What was recorded.
#[derive(Debug)]
pub struct Recorded {
    /// How many states there are.
    pub states: u64,
    /// The numbers of the initial ones, in the order of the model; the same may come again.
    pub initial: BudgetVec<u64>,
    /// Transitions were collected in memory, not written as they came.
    pub collected: bool,
}

/// The collision rate above which a search with a cache is given up, unless told otherwise.
const MAX_COLLISION: f64 = 0.9;

/// Set aside for what is small and does not grow with the state space: buffers, the report.
const REPORT_BYTES: u64 = 3 << 19;

/// With less memory than this none of it goes into making machine code, unless that is asked for.
const COMPILER_BYTES: u64 = 24 << 20;

/// With less memory than this the compiler itself does not fit.
const LEAST_COMPILER_BYTES: u64 = 12 << 20;

/// With less address space than this (`ulimit -v`) none of it is set aside for machine code: states need it.
const LEAST_ADDRESS_SPACE: u64 = 256 << 20;

/// With at least this much memory, machine code is made while the search goes on, unless that is asked for before.
const MEANWHILE_BYTES: u64 = 128 << 20;

/// Loads the model and searches it.
pub fn run(options: &SearchOptions, checks: Checks<'_>) -> Result<Run, Failure> {
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
    tell: Option<Box<EachTransition<'_>>>,
    shared: Option<Arc<Budget>>,
) -> Result<Run, Failure> {
    let start = Instant::now();
    watchdog::phase(Phase::Reading);
    let deadline = options.limits.time.map(|time| start + time);
    let search = tightrope_search::find(&options.search).map_err(|why| format!("error: {why}"))?;
    let caching = caching(options, search)?;
    let spill_space = disk::spill_space(options, search)?;
    let plan = plan(options, search)?;
    let mut loaded = language::load(&options.model, checks.goal)?;
    if let Some(written) = checks.output {
        output::refuse_overwriting_any(written, &loaded.files)?;
    }
    let budget = shared.unwrap_or_else(|| budget(options));
    let memory = budget.limit();
    let is_narrow = machine::address_space_left().is_some_and(|left| left < LEAST_ADDRESS_SPACE);
    let meanwhile = options.execute.is_none() && memory >= MEANWHILE_BYTES && !checks.timed && !is_narrow;
    let to_compile = if meanwhile { loaded.prepare_for_machine_code() } else { None };
    if options.execute.as_deref() == Some("jit") && memory < LEAST_COMPILER_BYTES {
        output::tell("note: the model is interpreted: making machine code takes more than `--memory` allows");
    } else if is_narrow {
        if options.execute.as_deref() == Some("jit") {
            output::tell(
                "note: the model is interpreted: machine code takes more address space than `ulimit -v` leaves",
            );
        }
    } else if !meanwhile && options.execute.as_deref().map_or(memory >= COMPILER_BYTES, |how| how == "jit") {
        watchdog::phase(Phase::Compiling);
        loaded = loaded.compiled(deadline);
        if let Execution::FellBack(why) = &loaded.execution {
            output::tell(format_args!("note: the model is interpreted: {why}"));
        }
    }
    let chosen = reductions::choose(options, &loaded, search)?;
    let reduce: Vec<&'static str> = chosen.iter().map(|row| row.name).collect();
    // What the wrappers keep of the program is there before memory is counted.
    let program = loaded.program.clone().filter(|_| reduce.contains(&STUBBORN_SETS.name));
    let stubborn = program.map(|program| WithStubbornSets::new(loaded.searched(), program));
    if stubborn.as_ref().is_some_and(|stubborn| !stubborn.may_reduce()) {
        output::tell(
            "note: stubborn sets leave nothing out here: the model has priorities or `_last`, its goal reads everything, or \
             it has too many rules to compare",
        );
    }
    let inner: &dyn Model = stubborn.as_ref().map_or(loaded.searched(), |stubborn| stubborn);
    if options.audit {
        watchdog::note_audit();
    }
    watchdog::phase(Phase::Searching);
    let symmetric = if reduce.contains(&SYMMETRY.name) { Symmetric::new(inner) } else { None };
    let model: &dyn Model = symmetric.as_ref().map_or(inner, |symmetric| symmetric);

    let site = Site { schema: model.schema(), budget: &budget, seed: options.seed, model: Some(model) };
    let spec = options.store().map_err(|why| format!("error: {why}"))?;
    // The states of a transition system are numbered by their ids, which must last.
    let reencodes = tightrope_store::facts(&spec).is_ok_and(|facts| facts.reencodes);
    let spec = match tell.is_some() && reencodes {
        true if spec == DEFAULT_STORE => STORES[0].name,
        true => {
            let plain = STORES[0].name;
            let why = format!("error: the store `{spec}` renumbers states when it re-encodes; try `--store {plain}`");
            return Err(why.into());
        }
        false => spec.as_str(),
    };
    let made = match (&caching, &plan) {
        (Some(caching), _) => tightrope_store::make_caching(spec, caching, site),
        (None, Some(plan)) => tightrope_store::make_with_snapshots(spec, plan, site),
        (None, None) => tightrope_store::make(spec, site),
    };
    let mut store = made.map_err(|why| format!("error: {why}"))?;
    // A store that evicts uses its ids again: states are then numbered as often as they are visited.
    let evicts = store.evicts().is_some();
    if tell.is_some() && store.ordered().is_none() && !evicts {
        let store = &options.store;
        return Err(Failure::Wrong(format!(
            "error: the store `{store}` does not number states in order; leave `--store` out, or try `--store {}`",
            STORES[0].name
        )));
    }
    // What the process holds already is part of what it may hold, and so is what it needs for the report at the end.
    // If that is too much, so be it: the first structure that grows is refused, and the report says so.
    let resident = resident_bytes().map_or(0, |(now, _)| now);
    let report_bytes = REPORT_BYTES.min(memory / 16);
    if budget.reserve(resident + report_bytes).is_err() {
        let _ = budget.reserve(budget.left());
    }
    watchdog::note_visits(evicts);
    watchdog::note_account(Some((&budget, report_bytes)));
    let mut config = SearchConfig {
        depth: options.depth,
        deadline,
        interrupt: watchdog::interrupt(),
        check: checks.check,
        // A property that blocks is no deadlock of the system.
        deadlock: checks.deadlock && checks.goal.is_none() && !loaded.product,
        only: checks.goal.map(|_| FaultKind::Goal),
        all: checks.all,
        // A search that has its path in the cache ends in any case, and so does one with snapshots.
        max_collision: caching
            .as_ref()
            .filter(|_| !search.guarantees.pins)
            .map(|_| options.max_collision.unwrap_or(MAX_COLLISION)),
        ..SearchConfig::default()
    };
    chosen.iter().for_each(|row| (row.configure)(&mut config));
    let mut successors = Successors::new();
    let mut watch = Observers {
        measure: checks.measure.then(|| Measure::new(&budget)),
        record: None,
        audit: options.audit.then(|| Audit::new(stubborn.as_ref())),
        line: ProgressLine::new(&budget, !options.quiet && !options.json),
        ends_with_one: !checks.all,
    };
    let searching = Instant::now();
    watch.record = tell.map(|tell| {
        let recorder = LtsRecorder::new(model, &budget, tell);
        if evicts { recorder.reuses_ids(&budget) } else { recorder }
    });
    let compilation = to_compile.map(|interpreter| Compilation::start(&interpreter, &budget));
    let mut task = Task::new(model, store.as_mut(), &config, &budget, &mut successors);
    if let Some(space) = &spill_space {
        task.frontier = Some(Box::new(DiskQueue::new(space, &budget)));
        task.spill = Some(Box::new(DiskLog::new(space, &budget)));
    }
    let mut outcome = (search.run)(task, &mut watch);
    watchdog::note_account(None);
    let search_time = searching.elapsed();
    drop(watch.line.take());
    let execution = compilation.as_ref().map(|compilation| match compilation.finish() {
        Ok(time) => Execution::Meanwhile(time),
        Err(why) => {
            output::tell(format_args!("note: the model is interpreted: {why}"));
            Execution::FellBack(why)
        }
    });
    let recorded = watch.record.take().map(|record| {
        if let Some(reason) = record.stop() {
            outcome.verdict = Verdict::Undecided(reason);
            outcome.stopped = Some(reason);
        }
        Recorded { states: record.states(), initial: record.into_initial_states(), collected: false }
    });
    let (store_bytes, stored, ordered) = (store.bytes(), store.len(), store.ordered().is_some());
    let stats = store.evicts().map(|evicts| evicts.cache_stats());
    let has_path = search.guarantees.pins;
    let audit = watch.audit.take().map(Audit::finish).transpose()?;
    let cached =
        caching.zip(stats).map(|(caching, stats)| Cached { caching, stats, store: spec.to_string(), has_path, audit });
    let sampled = plan.zip(stats).map(|(plan, stats)| Sampled { plan, stats });
    if let Some(states) = audit {
        outcome.figures.states = states;
    }
    // A state is visited at least if none of a shortest path to it is lost, each with the last and greatest probability.
    let path = outcome.figures.depth.max(outcome.figures.levels) as f64 + 1.0;
    // Of a search that was cut short nobody knows how much is missing.
    let ended_early = outcome.stopped.is_some() || (!checks.all && matches!(outcome.verdict, Verdict::Violated(_)));
    let coverage = store.loss().filter(|_| !ended_early).map(|loss| (path * (-loss).ln_1p()).exp());
    let (nodes, history, rebuilding) = (store.nodes(), store.history().to_vec(), store.rebuilding());
    let change_at = spec.strip_prefix("auto:").and_then(|states| states.parse().ok());
    drop(store);
    // What follows makes steps again, in buffers of its own.
    successors.release();
    if let Verdict::Violated(violation) = &outcome.verdict {
        watchdog::note_found(&violation.fault);
        watchdog::phase(Phase::Replaying);
    }
    if let (true, Verdict::Violated(violation)) = (symmetric.is_some(), &mut outcome.verdict) {
        **violation = loaded.unfold(violation).map_err(|why| {
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
        Verdict::Undecided(Reason::Memory) if !evicts && loaded.initial().len() as u64 <= memory / 1024 => {
            watchdog::phase(Phase::Estimating);
            // Machine code is there now, too.
            let resident = resident_bytes().map_or(resident, |(now, _)| now.max(resident));
            let compiling = compilation.as_ref().map_or(0, Compilation::reserved);
            let memory = memory.saturating_sub(resident + report_bytes + compiling);
            estimates(model, search, memory, options.seed, &config, recorded.is_some())
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
        checked: verdict_scope::checked(&checks, config.deadlock),
        goal: checks.goal.map(String::from),
        shape,
        store_bytes,
        stored,
        ordered,
        coverage,
        omission: None,
        nodes,
        cached,
        disk: spill_space.map(|space| DiskUse::of(&space, options.disk_quota)),
        sampled,
        ended_early,
        change_at,
        audit,
        history,
        rebuilding,
        estimates,
        memory,
        peak_resident: resident_bytes().map(|(_, peak)| peak),
        successors,
        search: search_time,
        started: start,
        loaded,
    })
}
