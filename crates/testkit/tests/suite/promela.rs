//! Promela texts, every search and reduction on them compared with the naive checker.

use super::stubborn::sets_are_persistent;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{Budget, FaultKind, Model, Outcome, Reason, Scratch, SearchConfig, Successors, Verdict};
use tightrope_ir::{Program, ProgramModel};
use tightrope_por::WithStubbornSets;
use tightrope_promela::ParseOptions;
use tightrope_search::{SEARCHES, Search, Task, searches_over_any_store};
use tightrope_store::{Bound, Caching, Site, make, make_caching};
use tightrope_syntax::{Diagnostics, SourceMap};
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::random_promela::{Generated, shrink};
use tightrope_trace::replay;

/// Programs whose states take longer to find are left out.
const PATIENCE: Duration = Duration::from_millis(250);

/// Searches with a cache that take longer are given up: where much is forgotten, much is visited again and again.
const CACHE_PATIENCE: Duration = Duration::from_millis(30);

/// In so many states of a program the declared effects of steps are compared with what they do.
const CHECKED_STATES: usize = 120;

/// What is wrong with a program.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What was done, and in which respect the result is wrong: the same for all programs with that defect.
    pub class: String,
    /// What was expected, and what came out.
    pub detail: String,
}

fn wrong<T>(class: impl Into<String>, detail: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { class: class.into(), detail: detail.into() })
}

/// What became of a program where nothing is wrong.
pub enum Looked {
    /// The front end says no, in these words.
    Refused(String),
    /// It has too many states to compare.
    TooLarge,
    /// So many states, and how many of them the stubborn sets of each search leave out.
    Compared { states: u64, left_out: Vec<u64> },
}

/// Reads a text.
pub fn load(text: &str, goal: Option<&str>) -> Result<Program, String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let options = ParseOptions { goal: goal.map(String::from), ..ParseOptions::default() };
    let module = tightrope_promela::parse_text("random.pml", text, &options, &mut sources, &mut diagnostics);
    let lowered = module.and_then(|module| tightrope_promela::lower::lower(&module, &sources, &mut diagnostics));
    match lowered {
        Some(lowered) if !diagnostics.has_errors() => Ok(lowered.program),
        _ => Err(diagnostics.render(&sources, false)),
    }
}

/// Compares everything; a panic is a failure like others.
pub fn compare(text: &str, goal: &str, most_states: usize, machine_code: bool) -> Result<Looked, Failure> {
    let compared = catch_unwind(AssertUnwindSafe(|| compare_all(text, goal, most_states, machine_code)));
    compared.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        wrong("panic", words)
    })
}

fn compare_all(text: &str, goal: &str, most_states: usize, machine_code: bool) -> Result<Looked, Failure> {
    let program = match load(text, None) {
        Ok(program) => Arc::new(program),
        Err(why) => return Ok(Looked::Refused(why)),
    };
    let interpreter = ProgramModel::new(program.clone());
    if interpreter.start_fault().is_some() {
        return Ok(Looked::Refused(String::from("it cannot start")));
    }
    let model = WithStubbornSets::new(&interpreter, program.clone());
    if !is_quick(&model, most_states) {
        return Ok(Looked::TooLarge);
    }
    let Some(explored) = naive::explore(&model, most_states) else { return Ok(Looked::TooLarge) };
    let left_out = reductions_agree(&model, &explored)?;
    if machine_code {
        machine_code_agrees(&program, &model, &explored)?;
    }
    let interpreter = match load(text, Some(goal)) {
        Ok(program) => ProgramModel::new(program),
        Err(why) => return Ok(Looked::Refused(format!("the goal {goal}: {why}"))),
    };
    let with_goal = WithStubbornSets::new(&interpreter, interpreter.program().clone());
    if is_quick(&with_goal, most_states * 4)
        && let Some(explored) = naive::explore(&with_goal, most_states * 4)
    {
        goal_is_found(&with_goal, &explored)?;
    }
    Ok(Looked::Compared { states: explored.states.len() as u64, left_out })
}

/// Compares every search with every reduction, with and without a cache; what stubborn sets rest on is checked in some states.
/// Returns how many states stubborn sets left out.
pub fn reductions_agree(model: &WithStubbornSets<'_>, explored: &Explored) -> Result<Vec<u64>, Failure> {
    let left_out = searches_agree("", model, explored)?;
    if let Err(why) = sets_are_persistent(model, explored.sample(CHECKED_STATES), 30) {
        return wrong("not persistent", why);
    }
    let mut scratch = Scratch::default();
    for state in explored.sample(CHECKED_STATES) {
        if let Err(why) = model.audit(state, &mut scratch) {
            return wrong("relations", why);
        }
    }
    caches_agree(model, explored)?;
    every_kind_is_found("", model, explored)?;
    Ok(left_out)
}

/// Whether the states of a model can be found in a moment: an atomic sequence that never ends takes long to be noticed,
/// and there may be one in every state.
fn is_quick(model: &dyn Model, most_states: usize) -> bool {
    let start = Instant::now();
    let (mut seen, mut todo) = (std::collections::HashSet::new(), Vec::new());
    model.initial(&mut |state| todo.push(state.to_vec()));
    let mut out = Successors::new();
    while let Some(state) = todo.pop() {
        model.successors(&state, &mut out);
        for to in (0..out.len()).filter_map(|index| out.state(index)) {
            if !seen.contains(to) {
                seen.insert(to.to_vec());
                todo.push(to.to_vec());
            }
        }
        if seen.len() > most_states || start.elapsed() > PATIENCE {
            return false;
        }
    }
    true
}

/// The reductions that a search takes.
fn reductions(search: &Search) -> impl Iterator<Item = (bool, bool)> {
    let pins = search.guarantees.pins;
    [(false, false), (true, false), (false, true), (true, true)].into_iter().filter(move |one| pins || !one.0)
}

fn name_of(search: &Search, (sleep, stubborn): (bool, bool)) -> String {
    let reduction = match (sleep, stubborn) {
        (false, false) => "none",
        (true, false) => "sleep",
        (false, true) => "stubborn",
        (true, true) => "sleep,stubborn",
    };
    format!("--search {} --reduce {reduction}", search.name)
}

fn run(search: &Search, model: &dyn Model, config: &SearchConfig) -> Outcome {
    let budget = Arc::new(Budget::unlimited());
    let mut store =
        make("hash", Site { schema: model.schema(), budget: &budget, seed: 1, model: None }).expect("there is one");
    let mut successors = Successors::new();
    let task = Task::new(model, store.as_mut(), config, &budget, &mut successors);
    (search.run)(task, &mut ())
}

/// What a search that goes on past violations finds is what there is. Returns how many states stubborn sets left out.
fn searches_agree(how: &str, model: &dyn Model, explored: &Explored) -> Result<Vec<u64>, Failure> {
    let mut left_out = Vec::new();
    for search in searches_over_any_store() {
        for (sleep, stubborn) in reductions(search) {
            let config = SearchConfig { all: true, sleep, stubborn, ..SearchConfig::checking() };
            let outcome = run(search, model, &config);
            let label = format!("{}{how}", name_of(search, (sleep, stubborn)));
            is_right(&label, model, explored, &outcome, stubborn)?;
            let figures = outcome.figures;
            let states = explored.states.len() as u64;
            match stubborn {
                true if figures.states > states => {
                    return wrong(format!("{label}: too many states"), format!("{} of {states}", figures.states));
                }
                true if !sleep => left_out.push(states - figures.states),
                true => {}
                false => {
                    let found = (figures.states, figures.violations);
                    let expected = (states, explored.violations(true));
                    if found != expected {
                        return wrong(
                            format!("{label}: figures"),
                            format!("states and violations {found:?}, expected {expected:?}"),
                        );
                    }
                    if !sleep && figures.transitions != explored.transitions {
                        let detail = format!("{}, expected {}", figures.transitions, explored.transitions);
                        return wrong(format!("{label}: transitions"), detail);
                    }
                }
            }
        }
    }
    Ok(left_out)
}

/// The verdict is right, and a violation replays.
fn verdict_is_right(label: &str, model: &dyn Model, explored: &Explored, verdict: &Verdict) -> Result<(), Failure> {
    match verdict {
        Verdict::Holds(_) => {
            if !explored.faults.is_empty() {
                return wrong(format!("{label}: holds"), format!("expected {:?}", explored.faults));
            }
        }
        Verdict::Violated(violation) => {
            let kind = violation.fault.kind.name();
            if !explored.faults.contains_key(kind) {
                return wrong(format!("{label}: {kind}"), format!("expected {:?}", explored.faults));
            }
            if let Err(why) = replay(model, &violation.trace, &violation.fault) {
                return wrong(format!("{label}: replay"), why.to_string());
            }
        }
        Verdict::Undecided(reason) => return wrong(format!("{label}: undecided"), format!("{reason:?}")),
    }
    Ok(())
}

/// The verdict is right and replays; all deadlocks and ends are found.
fn is_right(
    label: &str,
    model: &dyn Model,
    explored: &Explored,
    outcome: &Outcome,
    stubborn: bool,
) -> Result<(), Failure> {
    verdict_is_right(label, model, explored, &outcome.verdict)?;
    let figures = &outcome.figures;
    if (figures.deadlocks, figures.ends) != (explored.deadlocks, explored.ends) {
        let kind = if figures.deadlocks != explored.deadlocks { "deadlocks" } else { "ends" };
        let none = if stubborn && kind == "deadlocks" && figures.deadlocks == 0 { "no " } else { "" };
        let found = (figures.deadlocks, figures.ends);
        let expected = (explored.deadlocks, explored.ends);
        return wrong(format!("{label}: {none}{kind}"), format!("{found:?}, expected {expected:?}"));
    }
    Ok(())
}

/// Whoever looks for faults of one kind with stubborn sets finds one if there is one.
fn every_kind_is_found(how: &str, model: &dyn Model, explored: &Explored) -> Result<(), Failure> {
    let there = |kind: &FaultKind| *kind != FaultKind::Deadlock && explored.faults.contains_key(kind.name());
    for kind in FaultKind::ALL.into_iter().filter(there) {
        for search in searches_over_any_store() {
            for (sleep, stubborn) in reductions(search).filter(|one| one.1) {
                let config =
                    SearchConfig { only: Some(kind), deadlock: false, sleep, stubborn, ..SearchConfig::checking() };
                let outcome = run(search, model, &config);
                let found = matches!(&outcome.verdict, Verdict::Violated(violation) if violation.fault.kind == kind);
                if !found {
                    let label = format!("{}{how}: no {}", name_of(search, (sleep, stubborn)), kind.name());
                    return wrong(label, format!("{:?}, expected {:?}", outcome.verdict, explored.faults));
                }
            }
        }
    }
    Ok(())
}

/// A goal is reached with a reduction if and only if it is without.
fn goal_is_found(model: &dyn Model, explored: &Explored) -> Result<(), Failure> {
    let there = explored.faults.contains_key("goal");
    for search in searches_over_any_store() {
        for (sleep, stubborn) in reductions(search) {
            let only = Some(FaultKind::Goal);
            let config = SearchConfig { only, deadlock: false, sleep, stubborn, ..SearchConfig::checking() };
            let outcome = run(search, model, &config);
            let found = matches!(outcome.verdict, Verdict::Violated(_));
            if found != there {
                let class = format!("{} --goal: reached", name_of(search, (sleep, stubborn)));
                return wrong(class, format!("{found}, expected {there}"));
            }
            if let Verdict::Violated(violation) = &outcome.verdict
                && let Err(why) = replay(model, &violation.trace, &violation.fault)
            {
                return wrong(format!("{} --goal: replay", name_of(search, (sleep, stubborn))), why.to_string());
            }
        }
    }
    Ok(())
}

/// With a cache too small for all states nothing is lost.
fn caches_agree(model: &dyn Model, explored: &Explored) -> Result<(), Failure> {
    let states = explored.states.len() as u64;
    if states < 3 {
        return Ok(());
    }
    for search in SEARCHES.iter().filter(|search| search.guarantees.pins) {
        for (sleep, stubborn) in reductions(search) {
            let deadline = Some(Instant::now() + CACHE_PATIENCE);
            let config = SearchConfig { sleep, stubborn, deadline, ..SearchConfig::checking() };
            let budget = Arc::new(Budget::unlimited());
            let caching = Caching { bound: Bound::States(states * 2 / 3 + 1), replace: "random".into() };
            let site = Site { schema: model.schema(), budget: &budget, seed: 1, model: None };
            let mut store = make_caching("full", &caching, site).expect("there is one");
            let mut successors = Successors::new();
            let task = Task::new(model, store.as_mut(), &config, &budget, &mut successors);
            let outcome = (search.run)(task, &mut ());
            let label = format!("{} --cache", name_of(search, (sleep, stubborn)));
            if outcome.verdict != Verdict::Undecided(Reason::Time) {
                verdict_is_right(&label, model, explored, &outcome.verdict)?;
            }
        }
    }
    Ok(())
}

/// Machine code makes the same steps in every state, and searches with it find the same.
fn machine_code_agrees(program: &Arc<Program>, model: &dyn Model, explored: &Explored) -> Result<(), Failure> {
    let native = match tightrope_jit::compile(program) {
        Ok(native) => native,
        Err(why) => return wrong("no machine code", why),
    };
    let (mut here, mut there) = (Successors::new(), Successors::new());
    for state in &explored.states {
        model.successors(state, &mut here);
        native.successors(state, &mut there);
        let same = here.len() == there.len()
            && here.terminal == there.terminal
            && (0..here.len()).all(|index| {
                let (one, two) = (here.step(index), there.step(index));
                one == two && here.state(index) == there.state(index) && here.fault(index) == there.fault(index)
            });
        if !same {
            return wrong("machine code: successors", format!("of {state:?}"));
        }
    }
    let native = WithStubbornSets::new(&native, program.clone());
    let how = " --execute jit";
    searches_agree(how, &native, explored)?;
    every_kind_is_found(how, &native, explored)
}

/// A smaller program with the same failure.
pub fn smaller(made: &Generated, failure: &Failure, most_states: usize, patience: Duration) -> String {
    let machine_code =
        failure.class.contains("machine code") || failure.class.contains("jit") || failure.class == "panic";
    let deadline = Instant::now() + patience;
    shrink(
        &made.text,
        deadline,
        |text| matches!(compare(text, &made.goal, most_states, machine_code), Err(other) if other.class == failure.class),
    )
}
