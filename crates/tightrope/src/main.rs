//! The command line.

mod advice;
mod amount;
mod arguments;
mod audit;
mod caching;
mod comback;
mod command;
mod compiling;
mod counterexample;
mod disk;
mod estimate;
mod language;
mod machine;
mod observers;
mod output;
mod plot;
mod progress;
mod reductions;
mod report;
mod run;
mod shape;
mod snapshots;
mod verdict_scope;
mod watchdog;

use arguments::{Arguments, Command};
use clap::Parser;
use serde_json::{Value, json};
use std::process::ExitCode;

/// What the program ends with; `docs/report.md` has the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// What was asked holds, or was done.
    Holds = 0,
    /// A violation was found.
    Violated = 1,
    /// The command line or the model is wrong.
    Wrong = 2,
    /// The search did not finish.
    Undecided = 3,
    /// Tightrope itself is wrong.
    Defect = 4,
}

/// Why a command came to no result, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line or the model is wrong.
    Wrong(String),
    /// Tightrope itself is wrong.
    Defect(String),
}

impl Failure {
    fn exit(&self) -> Exit {
        match self {
            Failure::Wrong(_) => Exit::Wrong,
            Failure::Defect(_) => Exit::Defect,
        }
    }

    fn message(&self) -> &str {
        match self {
            Failure::Wrong(message) | Failure::Defect(message) => message,
        }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Wrong(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Failure {
        Failure::Wrong(message.into())
    }
}

#[global_allocator]
static ALLOCATOR: watchdog::Allocator = watchdog::Allocator;

fn main() -> ExitCode {
    machine::give_memory_back();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            if error.use_stderr() && std::env::args().any(|argument| argument == "--json") {
                let (tool, version) = ("tightrope", env!("CARGO_PKG_VERSION"));
                let message = error.to_string();
                let report = json!({"tool": tool, "version": version, "verdict": null, "error": message.trim_end()});
                let _ = output::print_json(&report);
            }
            return ExitCode::from(if error.use_stderr() { Exit::Wrong as u8 } else { 0 });
        }
    };
    watch(&arguments.command);
    let outcome = std::panic::catch_unwind(|| match &arguments.command {
        Command::Check(options) => command::check::run(options),
        Command::Measure(options) => command::measure::run(options),
        Command::Lts(options) => command::lts::run(options),
        Command::Compare(options) => command::compare::run(options).map_err(Failure::from),
        Command::Show(options) => command::show::run(options).map_err(Failure::from),
        Command::Replay(options) => command::replay::run(options).map_err(Failure::from),
        Command::Stores(options) => command::stores::run(options),
    });
    let exit = match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => failed(&failure),
        Err(_) => failed(&Failure::Defect(
            "tightrope: this is a defect of Tightrope, not of the model; please report it with the model".into(),
        )),
    };
    ExitCode::from(exit as u8)
}

/// Says what went wrong: on standard error, and with `--json` in the object that is promised, unless it is there already.
fn failed(failure: &Failure) -> Exit {
    let message = failure.message().trim_end_matches('\n');
    output::tell(message);
    if let Some(report) = watchdog::bare_report().filter(|_| !output::json_was_printed()) {
        let _ = output::print_json(&without_verdict(report, message));
    }
    failure.exit()
}

/// A report that says only what went wrong.
fn without_verdict(mut report: Value, message: &str) -> Value {
    report["verdict"] = Value::Null;
    report["error"] = message.into();
    report
}

/// Watches over what was asked for.
fn watch(command: &Command) {
    let (name, model, json, limits) = match command {
        Command::Check(options) => ("check", &options.search.model.model, options.search.json, &options.search.limits),
        Command::Measure(options) => {
            ("measure", &options.search.model.model, options.search.json, &options.search.limits)
        }
        Command::Lts(options) => ("lts", &options.search.model.model, options.search.json, &options.search.limits),
        Command::Stores(options) => {
            ("stores", &options.search.model.model, options.search.json, &options.search.limits)
        }
        Command::Compare(options) => ("compare", &options.left, options.json, &options.limits),
        Command::Show(options) => ("show", &options.model.model, options.json, &options.limits),
        Command::Replay(options) => ("replay", &options.model.model, options.json, &options.limits),
    };
    watchdog::watch(name, model, json, limits.time, limits.memory());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_a_status_and_a_report_without_a_verdict() {
        assert_eq!(Failure::from("no such model").exit(), Exit::Wrong);
        assert_eq!(Failure::Defect("it is wrong".into()).exit(), Exit::Defect);
        let report = without_verdict(json!({"command": "check", "verdict": "undecided"}), "it is wrong");
        assert_eq!(report, json!({"command": "check", "verdict": null, "error": "it is wrong"}));
    }
}
