//! What can be said on the command line.

use crate::{amount, machine};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use tightrope_aut::Equivalence;
use tightrope_store::{Bound, REPLACEMENTS};
use tightrope_syntax::Setting;

/// An explicit-state model checker that finishes in the memory you have.
#[derive(Debug, Parser)]
#[command(name = "tightrope", version, about, propagate_version = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify: assertions, invariants, deadlocks (invalid end states), run-time errors
    ///
    /// Claims about infinite runs are not checked yet: a model that makes some is undecided, unless something else is wrong or
    /// --no-claims leaves them out.
    Check(CheckOptions),
    /// Explore everything, check nothing, report the shape of the state space
    Measure(SearchOptions),
    /// Write the labelled transition system to a file in the Aldebaran format
    Lts(LtsOptions),
    /// Say whether two transition systems are equivalent
    Compare(CompareOptions),
    /// Print the model as understood: processes, channels, variables, actions
    Show(ShowOptions),
    /// Show a saved counterexample again, step by step
    Replay(ReplayOptions),
    /// Explore the model with every store: bytes per state, time relative to `hash`, what the outcome is worth
    Stores(StoresOptions),
}

/// Which model, and how to read it.
#[derive(Clone, Debug, Args)]
pub struct ModelOptions {
    /// The model's file; its ending tells the language
    pub model: PathBuf,
    /// The language, where the ending does not tell
    #[arg(long, value_name = "NAME", help = crate::language::help(), hide_short_help = true)]
    pub language: Option<String>,
    /// Promela: define a macro, as for cpp
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Where else to look for included files
    #[arg(short = 'I', value_name = "DIR", hide_short_help = true)]
    pub include: Vec<PathBuf>,
    /// Murphi, DVE: the value of a constant, instead of what the model says
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<Setting>,
    /// DVE: cut values that do not fit their variable, as LTSmin does, instead of going to the error state
    #[arg(long, hide_short_help = true)]
    pub dve_wrap: bool,
    /// Leave out claims about infinite runs (ltl, never, accept), which are not checked yet
    ///
    /// The verdict is about the rest. Such claims are ltl formulas, never claims and accept labels of Promela, and a property process
    /// of DVE.
    #[arg(long)]
    pub no_claims: bool,
}

/// How much memory and time to use.
#[derive(Clone, Debug, Args)]
pub struct LimitOptions {
    /// Stay within this much memory, such as 512M or 2G [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = amount::memory)]
    pub memory: Option<u64>,
    /// Stop after this long, such as 90s or 5m
    #[arg(long, value_name = "DURATION", value_parser = amount::duration)]
    pub time: Option<Duration>,
}

impl LimitOptions {
    /// The memory that is allowed.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(machine::default_memory)
    }
}

/// How to search.
#[derive(Clone, Debug, Args)]
pub struct SearchOptions {
    /// The model.
    #[command(flatten)]
    pub model: ModelOptions,
    /// The order in which states are visited: bfs (shortest counterexamples) or dfs
    #[arg(long, value_name = "NAME", default_value = "bfs", long_help = searches())]
    pub search: String,
    /// How states are remembered: hash, tree, collapse, compact, bitstate, …; see --help
    #[arg(long, value_name = "STORE", default_value = "auto", long_help = stores())]
    pub store: String,
    /// Remember at most so many states (600) or bytes of them (64M); needs --search dfs
    ///
    /// The states of the current path are remembered besides. What was forgotten is visited again when it is met again.
    #[arg(long, value_name = "N|SIZE", value_parser = amount::cache)]
    pub cache: Option<Bound>,
    /// What a cache forgets first
    #[arg(long, value_name = "NAME", long_help = replacements(), hide_short_help = true)]
    pub replace: Option<String>,
    /// Count states independently, outside the memory that is allowed; with --reduce stubborn, also check in every state
    /// the dependencies that stubborn sets rest on
    #[arg(long, hide_short_help = true)]
    pub audit: bool,
    /// The order in which the store `bdd` asks for the bits of a state
    #[arg(long, value_name = "ORDER", value_parser = tightrope_store::Order::ALL.map(|order| order.0), long_help = orders(), hide_short_help = true)]
    pub bdd_order: Option<String>,
    /// Reductions: symmetry, sleep, stubborn, comma-separated, or none; see --help
    #[arg(long, value_name = "NAMES", value_delimiter = ',', long_help = reductions())]
    pub reduce: Option<Vec<String>>,
    /// Where states wait: in memory
    #[arg(long, value_name = "WHERE", default_value = "ram", value_parser = ["ram"], hide_short_help = true)]
    pub queue: String,
    /// How the model is executed: as machine code, or by the interpreter [default: as machine code, if there is memory
    /// to make it]
    #[arg(long, value_name = "HOW", value_parser = ["jit", "interpret"], hide_short_help = true)]
    pub execute: Option<String>,
    /// Worker threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_thread, hide_short_help = true)]
    pub threads: u32,
    /// How much to use.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Go no further than this many steps from the start
    #[arg(long, value_name = "STEPS", hide_short_help = true)]
    pub depth: Option<u64>,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true)]
    pub seed: u64,
    /// One JSON object on standard output, nothing else
    #[arg(long)]
    pub json: bool,
    /// Only the verdict
    #[arg(long, short)]
    pub quiet: bool,
}

impl SearchOptions {
    /// The store, with the order of bits as the parameter that it is.
    pub fn store(&self) -> Result<String, String> {
        let Some(order) = &self.bdd_order else { return Ok(self.store.clone()) };
        let mut parts: Vec<String> = self.store.split('+').map(|part| part.trim().to_string()).collect();
        match parts.iter_mut().find(|part| *part == "bdd") {
            Some(part) => *part = format!("bdd:{order}"),
            None => return Err(format!("`--bdd-order` is for the store `bdd`, but the store is `{}`", self.store)),
        }
        Ok(parts.join("+"))
    }
}

/// What to check.
#[derive(Clone, Debug, Args)]
pub struct CheckOptions {
    /// How to search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Go on after the first violation, and count them
    #[arg(long, hide_short_help = true)]
    pub all: bool,
    /// A deadlock (invalid end state) is no violation
    #[arg(long)]
    pub no_deadlock: bool,
    /// Ask only whether a state can be reached in which this holds
    ///
    /// The verdict is `violated`, with a way there, if so.
    #[arg(long, value_name = "EXPR")]
    pub goal: Option<String>,
    /// Save the counterexample to a file that `replay` reads
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// With stores that may leave states out: how likely that may be for `holds`; else the verdict is undecided
    #[arg(long, value_name = "P", default_value = "0.01", value_parser = amount::probability, hide_short_help = true)]
    pub omission: f64,
    /// Show every step of a counterexample, also of a long one
    #[arg(long, hide_short_help = true)]
    pub full: bool,
}

/// What to write.
#[derive(Clone, Debug, Args)]
pub struct LtsOptions {
    /// How to search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "FILE.aut")]
    pub output: PathBuf,
    /// Write the smallest one that is equivalent
    #[arg(long, value_name = "EQUIVALENCE", value_parser = equivalence)]
    pub minimise: Option<Equivalence>,
}

/// What to compare.
#[derive(Clone, Debug, Args)]
pub struct CompareOptions {
    /// A transition system
    #[arg(value_name = "A.aut")]
    pub left: PathBuf,
    /// Another one
    #[arg(value_name = "B.aut")]
    pub right: PathBuf,
    /// What counts as equivalent: strong or branching bisimilarity
    #[arg(long, value_name = "EQUIVALENCE", default_value = "strong", value_parser = equivalence)]
    pub equivalence: Equivalence,
    /// How much to use.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// One JSON object on standard output, nothing else
    #[arg(long)]
    pub json: bool,
}

/// What to show.
#[derive(Clone, Debug, Args)]
pub struct ShowOptions {
    /// The model.
    #[command(flatten)]
    pub model: ModelOptions,
    /// How much to use.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// One JSON object on standard output, nothing else
    #[arg(long)]
    pub json: bool,
}

/// What to replay.
#[derive(Clone, Debug, Args)]
pub struct ReplayOptions {
    /// The model.
    #[command(flatten)]
    pub model: ModelOptions,
    /// The file that `check --trace` wrote
    pub trace: PathBuf,
    /// Show every step, also of a long trace
    #[arg(long)]
    pub full: bool,
    /// How much to use.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// One JSON object on standard output, nothing else
    #[arg(long)]
    pub json: bool,
}

/// Which stores to compare.
#[derive(Clone, Debug, Args)]
pub struct StoresOptions {
    /// How to search; limits are for each store.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Only these stores, comma-separated; the first is what times are relative to
    #[arg(long, value_name = "STORES", value_delimiter = ',')]
    pub only: Option<Vec<String>>,
}

fn one_thread(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(1) => Ok(1),
        Ok(0) => Err("at least one thread is needed".into()),
        Ok(_) => Err("more than one thread is not supported yet".into()),
        Err(_) => Err("it must be a number".into()),
    }
}

fn equivalence(name: &str) -> Result<Equivalence, String> {
    Equivalence::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Equivalence::ALL.iter().map(|equivalence| equivalence.name()).collect();
        format!("known are {}", names.join(", "))
    })
}

/// A line for each entry, the names in a column.
fn table<'e>(title: &str, entries: impl Iterator<Item = (&'e str, String)>) -> String {
    let entries: Vec<(&str, String)> = entries.collect();
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines: Vec<String> = entries.iter().map(|(name, about)| format!("  {name:width$}  {about}")).collect();
    format!("{title}\n\n{}\n", lines.join("\n"))
}

fn reductions() -> String {
    let entries = tightrope_reduce::REDUCTIONS.iter().map(|entry| (entry.name, entry.about.to_string()));
    table("Reductions, comma-separated, or none [default: symmetry where the model declares it]:", entries)
}

fn searches() -> String {
    let entries = tightrope_search::SEARCHES.iter().map(|search| (search.name, search.about.to_string()));
    table("The order in which states are visited:", entries)
}

fn replacements() -> String {
    let title =
        format!("What a cache forgets first [default: {}], or levels, as in mfu:25,lru:75:", REPLACEMENTS[0].name);
    table(&title, REPLACEMENTS.iter().map(|entry| (entry.name, entry.about.to_string())))
}

fn orders() -> String {
    let entries = tightrope_store::Order::ALL.into_iter().map(|(name, order)| (name, order.about().to_string()));
    table("The order in which the store bdd asks for the bits of a state [default: vector]:", entries)
}

fn stores() -> String {
    let entries = tightrope_store::STORES.iter().map(|entry| (entry.name, entry.about.to_string()));
    table("How states are remembered: an encoding, a set, or both, as in collapse+compact:", entries)
}
