//! The languages, and loading a model in one of them.

use crate::arguments::ModelOptions;
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};
use tightrope_core::Model;
use tightrope_ir::Interpreter;
use tightrope_syntax::{Diagnostic, Diagnostics, SourceMap};

/// A line of the table of languages.
pub struct Language {
    /// Its name.
    pub name: &'static str,
    /// The endings of its files.
    pub endings: &'static [&'static str],
    load: Load,
}

/// Reads a file: the model, and the claims in it that are not checked. What is wrong goes to the diagnostics.
type Load = fn(&Path, &ModelOptions, &mut SourceMap, &mut Diagnostics) -> Option<(Interpreter, Vec<String>)>;

/// Every language there is.
pub static LANGUAGES: &[Language] = &[
    Language { name: "promela", endings: &["pml", "pm", "prom", "promela"], load: load_promela },
    Language { name: "murphi", endings: &["m"], load: load_murphi },
];

/// A model, ready to run.
pub struct Loaded {
    /// Its language.
    pub language: &'static Language,
    /// The model.
    pub model: Interpreter,
    /// Claims in it that are not checked, in words.
    pub unchecked: Vec<String>,
    /// How long reading took.
    pub seconds: Duration,
}

impl Loaded {
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
        return found.ok_or_else(|| format!("error: there is no language `{name}`; there is {}", known()));
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

/// Loads a model. Warnings go to standard error; the error is what is wrong, for people.
pub fn load(options: &ModelOptions) -> Result<Loaded, String> {
    let start = Instant::now();
    let language = find(options)?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let loaded = (language.load)(&options.model, options, &mut sources, &mut diagnostics);
    if let Some(fault) = loaded.as_ref().and_then(|(model, _)| model.start_fault()) {
        let place = if fault.at.line > 0 { format!(" ({}:{})", fault.at.file, fault.at.line) } else { String::new() };
        diagnostics.push(Diagnostic::error(format!("the model cannot start: {}{place}", fault.message)));
    }
    let rendered = diagnostics.render(&sources, std::io::stderr().is_terminal());
    match loaded {
        Some((model, unchecked)) if !diagnostics.has_errors() => {
            if !diagnostics.is_empty() {
                eprint!("{rendered}");
            }
            Ok(Loaded { language, model, unchecked, seconds: start.elapsed() })
        }
        _ => Err(rendered),
    }
}

fn load_promela(
    path: &Path,
    options: &ModelOptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Interpreter, Vec<String>)> {
    let defines = options.define.iter().map(|define| match define.split_once('=') {
        Some((name, value)) => (name.to_string(), value.to_string()),
        None => (define.clone(), "1".to_string()),
    });
    let options = tightrope_promela::ParseOptions { defines: defines.collect(), include_dirs: options.include.clone() };
    let module = tightrope_promela::parse(path, &options, sources, diagnostics)?;
    let lowered = tightrope_promela::lower::lower(&module, sources, diagnostics)?;
    Some((Interpreter::new(lowered.program), lowered.unchecked))
}

fn load_murphi(
    path: &Path,
    _options: &ModelOptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Interpreter, Vec<String>)> {
    let model = tightrope_murphi::parse(path, sources, diagnostics)?;
    let program = tightrope_murphi::lower::lower(&model, sources, diagnostics)?;
    Some((Interpreter::new(program), Vec::new()))
}
