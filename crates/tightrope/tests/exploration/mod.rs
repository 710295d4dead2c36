//! Loading models and exploring them, for the tests.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tightrope::core::{
    Budget, Fault, Found, Model, Observe, Outcome, SearchConfig, StateId, Step, Successors, Verdict,
};
use tightrope::ir::ProgramModel;
use tightrope::search::Task;
use tightrope_syntax::{Diagnostics, SourceMap};

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The corpus of third-party models, if it is there. Says so if not.
pub fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("TIGHTROPE_CORPUS").map_or_else(|| root().join("../shared"), PathBuf::from);
    if path.join("expected/promela.tsv").exists() {
        return Some(path);
    }
    eprintln!("skipped: no corpus at {} (set TIGHTROPE_CORPUS)", path.display());
    None
}

/// A Promela model, or what is wrong with it.
pub fn load(path: &Path) -> Result<ProgramModel, String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let module = tightrope::promela::parse(path, &Default::default(), &mut sources, &mut diagnostics);
    let lowered = module.and_then(|module| tightrope::promela::lower::lower(&module, &sources, &mut diagnostics));
    lowered.map(|lowered| ProgramModel::new(lowered.program)).ok_or_else(|| diagnostics.render(&sources, false))
}

/// A Murphi model, or what is wrong with it.
pub fn load_murphi(path: &Path) -> Result<ProgramModel, String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let model = tightrope::murphi::parse(path, &[], &mut sources, &mut diagnostics);
    let program = model.and_then(|model| tightrope::murphi::lower::lower(&model, &sources, &mut diagnostics));
    program.map(ProgramModel::new).ok_or_else(|| diagnostics.render(&sources, false))
}

/// A DVE model, with a goal if there is one, or what is wrong with it.
pub fn load_dve(path: &Path, goal: Option<&str>) -> Result<ProgramModel, String> {
    use tightrope::dve::{lower, parse, parse_expression};
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let program = parse(path, &[], &mut sources, &mut diagnostics).and_then(|model| {
        let goal = match goal {
            Some(goal) => Some(parse_expression(goal, &model, &mut sources, &mut diagnostics)?),
            None => None,
        };
        lower::lower(&model, goal.as_ref(), lower::Options::default(), &sources, &mut diagnostics)
    });
    program.map(|lowered| ProgramModel::new(lowered.program)).ok_or_else(|| diagnostics.render(&sources, false))
}

/// Everything there is to find: the outcome, and the kinds of all faults.
pub struct Explored {
    pub outcome: Outcome,
    pub kinds: Vec<&'static str>,
}

/// Explores a model with a search and a store of the tables, and all the memory it takes.
pub fn finish(
    model: &dyn Model,
    search: &str,
    store: &str,
    config: &SearchConfig,
    observer: &mut dyn Observe,
) -> Outcome {
    let budget = Arc::new(Budget::unlimited());
    let mut store = tightrope::store::make(
        store,
        tightrope::store::Site { schema: model.schema(), budget: &budget, seed: 1, model: Some(model) },
    )
    .expect("a store of the table");
    let mut successors = Successors::new();
    let search = tightrope::search::find(search).expect("a search of the table");
    let task = Task::new(model, store.as_mut(), config, &budget, &mut successors);
    (search.run)(task, observer)
}

/// Checks and goes on to the end, past violations.
pub fn past_violations() -> SearchConfig {
    SearchConfig { all: true, ..SearchConfig::checking() }
}

/// Like [`finish`], and notes which kinds of faults there are.
pub fn explore(model: &ProgramModel, search: &str, store: &str) -> Explored {
    let mut kinds = Kinds { model, kinds: Vec::new(), successors: Successors::new() };
    let outcome = finish(model, search, store, &past_violations(), &mut kinds);
    kinds.kinds.sort_unstable();
    kinds.kinds.dedup();
    Explored { outcome, kinds: kinds.kinds }
}

/// Watches which kinds of faults there are.
struct Kinds<'a> {
    model: &'a ProgramModel,
    kinds: Vec<&'static str>,
    successors: Successors,
}

impl Observe for Kinds<'_> {
    fn expand(&mut self, _id: StateId, state: &[u8], _degree: usize) {
        use tightrope::core::Terminal;
        self.model.successors(state, &mut self.successors);
        let faults =
            (0..self.successors.len()).filter_map(|at| self.successors.fault(at)).map(|f: &Fault| f.kind.name());
        self.kinds.extend(faults);
        if self.successors.terminal == Terminal::Deadlock {
            self.kinds.push("deadlock");
        }
        self.kinds.sort_unstable();
        self.kinds.dedup();
    }

    fn step(&mut self, _from: StateId, _step: Step, _to: Found, _state: &[u8]) {}
}

/// What the first comment of a model says to expect.
#[derive(Debug, Default, PartialEq)]
pub struct Expected {
    /// `holds`, `violated` or `rejected`.
    pub verdict: String,
    /// The kinds of faults, sorted.
    pub kinds: Vec<String>,
    pub states: Option<u64>,
    pub transitions: Option<u64>,
    pub errors: Option<u64>,
    /// Of a depth-first search.
    pub depth: Option<u64>,
}

impl Expected {
    /// Reads `/* expect: violated assertion; states: 12; transitions: 20 */`.
    pub fn read(path: &Path) -> Option<Expected> {
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().next()?.trim().strip_prefix("/* expect:")?.strip_suffix("*/")?;
        let mut expected = Expected::default();
        for (at, part) in line.split(';').map(str::trim).enumerate() {
            if at == 0 {
                let (verdict, kinds) = part.split_once(' ').unwrap_or((part, ""));
                expected.verdict = verdict.to_string();
                expected.kinds = kinds.split('+').filter(|kind| !kind.is_empty()).map(String::from).collect();
                expected.kinds.sort();
                continue;
            }
            let (name, number) = part.split_once(':')?;
            let number = number.trim().parse().ok();
            match name {
                "states" => expected.states = number,
                "transitions" => expected.transitions = number,
                "errors" => expected.errors = number,
                "depth" => expected.depth = number,
                _ => {}
            }
        }
        Some(expected)
    }
}

/// What is different from what was expected; nothing if nothing is.
pub fn differences(path: &Path, search: &str, store: &str) -> Option<String> {
    let expected = Expected::read(path)?;
    let model = match (load(path), expected.verdict.as_str()) {
        (Err(_), "rejected") => return None,
        (Err(why), _) => return Some(format!("{}: rejected\n{why}", path.display())),
        (Ok(_), "rejected") => return Some(format!("{}: not rejected", path.display())),
        (Ok(model), _) => model,
    };
    let explored = explore(&model, search, store);
    let mut wrong = Vec::new();
    let figures = &explored.outcome.figures;
    if expected.states.is_some_and(|states| states != figures.states) {
        wrong.push(format!("{} states", figures.states));
    }
    if expected.transitions.is_some_and(|transitions| transitions != figures.transitions) {
        wrong.push(format!("{} transitions", figures.transitions));
    }
    if expected.errors.is_some_and(|errors| errors != figures.violations) {
        wrong.push(format!("{} errors", figures.violations));
    }
    if search == "dfs" && expected.depth.is_some_and(|depth| depth != figures.depth) {
        wrong.push(format!("depth {}", figures.depth));
    }
    let verdict = match explored.outcome.verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Undecided(_) => "undecided",
    };
    // Where SPIN's verifier runs on in a state that is not one (no figures), it finds more than there is; where it gives
    // up (`abort`), it does not tell why.
    let kinds_agree = match expected.states {
        Some(_) => explored.kinds == expected.kinds,
        None if expected.kinds == ["abort"] => true,
        None => explored.kinds.iter().all(|kind| expected.kinds.iter().any(|one| one == kind)),
    };
    if verdict != expected.verdict || !kinds_agree {
        wrong.push(format!("{verdict} {}", explored.kinds.join("+")));
    }
    (!wrong.is_empty())
        .then(|| format!("{} ({search}, {store}): {}, expected {expected:?}", path.display(), wrong.join(", ")))
}

/// The Promela models in a folder, in order.
pub fn models_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "pml"));
    paths.sort();
    paths
}
