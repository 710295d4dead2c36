//! The languages, and loading a model in one of them.

use crate::arguments::ModelOptions;
use crate::output::tell;
use crate::watchdog;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{Fault, Model, RunClaim, Violation};
use tightrope_ir::{Program, ProgramModel};
use tightrope_reduce::Symmetric;
use tightrope_syntax::{Diagnostic, Diagnostics, SourceMap};
use tightrope_trace::replay;

/// A line of the table of languages.
pub struct Language {
    /// Its name.
    pub name: &'static str,
    /// The endings of its files.
    pub endings: &'static [&'static str],
    load: fn(Request<'_>) -> Option<Front>,
}

/// What is to be read: a file, with a goal if there is one.
struct Request<'a> {
    options: &'a ModelOptions,
    goal: Option<&'a str>,
    sources: &'a mut SourceMap,
    /// Where to say what is wrong.
    diagnostics: &'a mut Diagnostics,
}

/// What a front end makes of a file.
struct Front {
    model: Box<dyn Model>,
    /// The program behind the model, where there is one.
    program: Option<Arc<Program>>,
    /// Claims in the model that are not checked.
    unchecked: Vec<RunClaim>,
    /// A property runs along, and may block.
    product: bool,
}

/// How a model is executed.
#[derive(Clone, Debug, Default)]
pub enum Execution {
    /// As machine code, which took so long to make.
    Native(Duration),
    /// As machine code from when it was there; making it took so long, beside the search.
    Meanwhile(Duration),
    /// By the interpreter.
    #[default]
    Interpreted,
    /// By the interpreter, although machine code was asked for: why.
    FellBack(String),
}

impl Execution {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Execution::Native(_) | Execution::Meanwhile(_) => "jit",
            Execution::Interpreted | Execution::FellBack(_) => "interpret",
        }
    }

    /// How long making machine code took.
    pub fn compile(&self) -> Duration {
        if let Execution::Native(time) | Execution::Meanwhile(time) = self { *time } else { Duration::ZERO }
    }
}

impl Front {
    /// A program to be run, if it can start.
    fn run(program: Program, unchecked: Vec<RunClaim>, diagnostics: &mut Diagnostics) -> Option<Front> {
        let interpreter = ProgramModel::new(program);
        if let Some(fault) = interpreter.start_fault() {
            let at = &fault.at;
            let place = if at.line > 0 { format!(" ({}:{})", at.file, at.line) } else { String::new() };
            diagnostics.push(Diagnostic::error(format!("the model cannot start: {}{place}", fault.message)));
            return None;
        }
        let program = Some(interpreter.program().clone());
        Some(Front { model: Box::new(interpreter), program, unchecked, product: false })
    }
}

/// Every language there is.
pub static LANGUAGES: &[Language] = &[
    Language { name: "promela", endings: &["pml", "pm", "prom", "promela"], load: load_promela },
    Language { name: "murphi", endings: &["m"], load: load_murphi },
    Language { name: "dve", endings: &["dve"], load: load_dve },
    Language { name: "aut", endings: &["aut"], load: load_aut },
];

/// A model, ready to run.
pub struct Loaded {
    /// Its language.
    pub language: &'static Language,
    /// The model, never executed as machine code: counterexamples are replayed by it.
    pub model: Box<dyn Model>,
    /// The same model, executed as machine code where there is some.
    native: Option<Arc<dyn Model>>,
    /// The program behind it, where there is one.
    pub program: Option<Arc<Program>>,
    /// Claims in it that are not checked.
    pub unchecked: Vec<RunClaim>,
    /// The claims were left out on demand.
    pub no_claims: bool,
    /// A property runs along, and may block: where nothing moves there need not be a deadlock of the system.
    pub product: bool,
    /// How it is executed.
    pub execution: Execution,
    /// The files that were read: its own and those it includes.
    pub files: Vec<PathBuf>,
    /// A hash of their texts.
    pub hash: String,
    /// How long reading took.
    pub seconds: Duration,
}

impl Loaded {
    /// The same, executed as machine code where that can be had, until then.
    pub fn compiled(mut self, deadline: Option<Instant>) -> Loaded {
        let Some(program) = self.program.clone() else { return self };
        let start = Instant::now();
        let native = ProgramModel::new(program);
        match tightrope_jit::compile_for(&native, &|bytes| watchdog::compiling_goes_on(bytes, deadline)) {
            Ok(()) => {
                self.native = Some(Arc::new(native));
                self.execution = Execution::Native(start.elapsed());
            }
            Err(why) => self.execution = Execution::FellBack(why),
        }
        self
    }

    /// Makes ready for machine code that is made later: for what it is to be made.
    pub fn prepare_for_machine_code(&mut self) -> Option<Arc<ProgramModel>> {
        let interpreter = Arc::new(ProgramModel::new(self.program.clone()?));
        self.native = Some(interpreter.clone());
        Some(interpreter)
    }

    /// What a search explores.
    pub fn searched(&self) -> &dyn Model {
        self.native.as_deref().unwrap_or(self.model.as_ref())
    }

    /// Replays a counterexample by the reference interpreter, whatever found it.
    pub fn replay(&self, violation: &Violation) -> Result<Fault, String> {
        replay(self.model.as_ref(), &violation.trace, &violation.fault)
    }

    /// What a search found in the model up to symmetry, as a run of the model itself: renamings are undone along the way, by
    /// the reference interpreter as well.
    pub fn unfold(&self, violation: &Violation) -> Result<Violation, String> {
        let symmetric = Symmetric::new(self.model.as_ref()).ok_or("the model declares no symmetry")?;
        symmetric.unfold(violation)
    }

    /// The first initial state.
    pub fn initial(&self) -> Vec<u8> {
        let mut first = None;
        self.model.initial(&mut |state| {
            first.get_or_insert_with(|| state.to_vec());
        });
        first.unwrap_or_default()
    }
}

/// The help of `--language`.
pub fn help() -> String {
    let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
    format!("The language, where the ending does not tell: {}", names.join(", "))
}

fn find(options: &ModelOptions) -> Result<&'static Language, String> {
    let known = || LANGUAGES.iter().map(|language| language.name).collect::<Vec<_>>().join(", ");
    if let Some(name) = &options.language {
        let found = LANGUAGES.iter().find(|language| language.name == name.to_lowercase());
        return found.ok_or_else(|| format!("error: unknown language `{name}`; known are {}", known()));
    }
    let ending = options.model.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let found = LANGUAGES.iter().find(|language| language.endings.contains(&ending.as_str()));
    found.ok_or_else(|| {
        let endings: Vec<String> =
            LANGUAGES.iter().flat_map(|language| language.endings).map(|ending| format!(".{ending}")).collect();
        format!(
            "error: the ending of `{}` does not tell the language; known endings are {}, or use --language ({})",
            options.model.display(),
            endings.join(" "),
            known()
        )
    })
}

/// The language of a model by the options or by its ending, if they tell.
pub fn told(options: &ModelOptions) -> Option<&'static str> {
    find(options).ok().map(|language| language.name)
}

/// Loads a model, with a goal if there is one. Warnings go to standard error; the error is what is wrong, for people.
pub fn load(options: &ModelOptions, goal: Option<&str>) -> Result<Loaded, String> {
    let start = Instant::now();
    let language = find(options)?;
    for (given, option, of) in [
        (!options.define.is_empty(), "-D", &["promela"][..]),
        (!options.include.is_empty(), "-I", &["promela"]),
        (!options.set.is_empty(), "--set", &["murphi", "dve"]),
        (options.dve_wrap, "--dve-wrap", &["dve"]),
    ] {
        if given && !of.contains(&language.name) {
            let (path, of) = (options.model.display(), of.join(" and "));
            let instead = match (option, language.name) {
                ("--set", "promela") => "; macros are defined by -D",
                ("-D", "murphi" | "dve") => "; constants are set by --set",
                _ => "",
            };
            let name = language.name;
            return Err(format!("error: {option} is for {of} models, and `{path}` is a {name} model{instead}"));
        }
    }
    let is_repeated = |at: usize, name: &str| options.set[..at].iter().any(|before| before.name == name);
    if let Some((_, twice)) = options.set.iter().enumerate().find(|(at, setting)| is_repeated(*at, &setting.name)) {
        return Err(format!("error: --set gives `{}` two values", twice.name));
    }
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let request = Request { options, goal, sources: &mut sources, diagnostics: &mut diagnostics };
    let loaded = (language.load)(request);
    let rendered = diagnostics.render(&sources, watchdog::colours());
    match loaded {
        Some(Front { model, program, unchecked, product }) if !diagnostics.has_errors() => {
            if !diagnostics.is_empty() {
                tell(rendered.trim_end_matches('\n'));
            }
            let execution = Execution::default();
            let (no_claims, seconds) = (options.no_claims, start.elapsed());
            let hash = hash(&sources);
            let files = sources.paths().map(Path::to_path_buf).collect();
            Ok(Loaded {
                language,
                model,
                native: None,
                program,
                unchecked,
                no_claims,
                product,
                execution,
                files,
                hash,
                seconds,
            })
        }
        _ => Err(rendered),
    }
}

/// A hash of what was read (FNV-1a): the same in every version of the program.
fn hash(sources: &SourceMap) -> String {
    let texts = sources.paths().filter_map(|path| sources.find(path)).map(|file| sources.text(file));
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

fn load_promela(Request { options, goal, sources, diagnostics }: Request<'_>) -> Option<Front> {
    let path = &options.model;
    let defines = options.define.iter().map(|define| match define.split_once('=') {
        Some((name, value)) => (name.to_string(), value.to_string()),
        None => (define.clone(), "1".to_string()),
    });
    let options = tightrope_promela::ParseOptions {
        defines: defines.collect(),
        include_dirs: options.include.clone(),
        goal: goal.map(String::from),
    };
    let module = tightrope_promela::parse(path, &options, sources, diagnostics)?;
    let lowered = tightrope_promela::lower::lower(&module, sources, diagnostics)?;
    Front::run(lowered.program, lowered.unchecked, diagnostics)
}

fn load_murphi(Request { options, goal, sources, diagnostics }: Request<'_>) -> Option<Front> {
    let mut model = tightrope_murphi::parse(&options.model, &options.set, sources, diagnostics)?;
    if let Some(goal) = goal {
        tightrope_murphi::parse_goal(goal, &mut model, sources, diagnostics)?;
    }
    let program = tightrope_murphi::lower::lower(&model, sources, diagnostics)?;
    Front::run(program, Vec::new(), diagnostics)
}

fn load_dve(Request { options, goal, sources, diagnostics }: Request<'_>) -> Option<Front> {
    let mut model = tightrope_dve::parse(&options.model, &options.set, sources, diagnostics)?;
    if options.no_claims {
        model = model.without_property();
    }
    let goal = match goal {
        Some(goal) => Some(tightrope_dve::parse_expression(goal, &model, sources, diagnostics)?),
        None => None,
    };
    let options = tightrope_dve::lower::Options { wrap: options.dve_wrap };
    let lowered = tightrope_dve::lower::lower(&model, goal.as_ref(), options, sources, diagnostics)?;
    let front = Front::run(lowered.program, lowered.unchecked, diagnostics)?;
    Some(Front { product: model.property.is_some(), ..front })
}

fn load_aut(Request { options, goal, sources, diagnostics }: Request<'_>) -> Option<Front> {
    refuse_goal(goal, diagnostics);
    let lts = tightrope_aut::read(&options.model, sources, diagnostics)?;
    Some(Front {
        model: Box::new(tightrope_aut::AutModel::new(lts)),
        program: None,
        unchecked: Vec::new(),
        product: false,
    })
}

fn refuse_goal(goal: Option<&str>, diagnostics: &mut Diagnostics) {
    if goal.is_some() {
        let error = Diagnostic::error("a goal asks for the values of variables, and this file has only labels");
        diagnostics.push(error.help("a goal can be given for models in Promela, Murphi and DVE"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use tightrope_core::{FaultKind, Fired, Place, Schema, Scratch, Step, StepClass, StepText, Successors, Trace};

    /// Machine code that is wrong in every respect.
    struct Wrong(Arc<Schema>);

    impl Model for Wrong {
        fn schema(&self) -> &Arc<Schema> {
            &self.0
        }
        fn initial(&self, _: &mut dyn FnMut(&[u8])) {}
        fn expand(&self, _: &[u8], _: &mut Successors) {}
        fn check(&self, _: &[u8], _: &mut Scratch) -> Option<Fault> {
            None
        }
        fn fire(&self, _: &[u8], _: Step, _: &mut Vec<u8>, _: &mut Scratch) -> Fired {
            Fired::Disabled
        }
        fn step_class(&self, _: &[u8], _: Step) -> StepClass {
            StepClass::LAST
        }
        fn describe(&self, _: &[u8], _: Step, _: &mut dyn FnMut(StepText)) {}
    }

    #[test]
    fn counterexamples_are_replayed_by_the_reference_interpreter() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi/rw_upgrade_deadlock.m");
        let mut loaded = load(&ModelOptions::only(path), None).expect("a model").compiled(None);
        assert!(loaded.native.is_some() && matches!(loaded.execution, Execution::Native(_)));
        // Steps to the deadlock, as the interpreter takes them up to symmetry.
        let symmetric = Symmetric::new(loaded.model.as_ref()).expect("a model with symmetry");
        let (mut trace, mut state) = (Trace::default(), Vec::new());
        symmetric.initial(&mut |first| state = first.to_vec());
        let mut queue = std::collections::VecDeque::from([(state.clone(), Vec::<Step>::new())]);
        let mut seen = std::collections::HashSet::from([state.clone()]);
        while let Some((next, steps)) = queue.pop_front() {
            let mut out = Successors::new();
            symmetric.successors(&next, &mut out);
            if out.terminal == tightrope_core::Terminal::Deadlock {
                (state, trace.steps) = (next, steps.into_iter().collect());
                break;
            }
            for at in 0..out.len() {
                if let Some(next) = out.state(at).filter(|next| seen.insert(next.to_vec())) {
                    let mut steps = steps.clone();
                    steps.push(out.step(at));
                    queue.push_back((next.to_vec(), steps));
                }
            }
        }
        assert!(!trace.steps.is_empty() && !state.is_empty());
        let fault = Fault { kind: FaultKind::Deadlock, message: "stuck".into(), at: Place::default() };
        let mut violation = Violation { fault, trace };
        loaded.native = Some(Arc::new(Wrong(loaded.model.schema().clone())));
        assert!(
            replay(loaded.searched(), &violation.trace, &violation.fault).is_err(),
            "it is searched by machine code"
        );
        violation = loaded.unfold(&violation).expect("the interpreter undoes renamings");
        loaded.replay(&violation).expect("the interpreter knows better");
    }
}
