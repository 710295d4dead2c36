//! What can be said on the command line.

use crate::{amount, machine};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use tightrope_aut::Equivalence;
use tightrope_store::{
    Bound, REPLACEMENTS, SNAPSHOT_PRESETS, SNAPSHOT_REPLACEMENTS, STORES, SnapshotPreset, default_replacement,
};
use tightrope_syntax::Override;

/// The store if none is named.
pub const DEFAULT_STORE: &str = "auto";

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
    Measure(MeasureOptions),
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
    pub set: Vec<Override>,
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

#[cfg(test)]
impl ModelOptions {
    /// This model, and nothing else.
    pub fn only(model: PathBuf) -> Self {
        let (define, include, set) = (Vec::new(), Vec::new(), Vec::new());
        ModelOptions { model, language: None, define, include, set, dve_wrap: false, no_claims: false }
    }
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
    /// The order in which states are visited: bfs (shortest counterexamples), dfs, or snapshots (bfs in less memory)
    #[arg(long, value_name = "NAME", default_value = "bfs", long_help = searches())]
    pub search: String,
    /// How states are remembered: hash, tree, collapse, compact, bitstate, …; see --help
    #[arg(long, value_name = "STORE", default_value = DEFAULT_STORE, long_help = stores())]
    pub store: String,
    /// Remember at most so many states (600) or bytes of them (64M), and evict others
    ///
    /// An evicted state is visited again when it is met again. A depth-first search remembers the states of its path besides. A
    /// breadth-first search with too small a cache might not end: see --max-collision.
    #[arg(long, value_name = "N|SIZE", value_parser = amount::cache)]
    pub cache: Option<Bound>,
    /// What a cache evicts first
    #[arg(long, value_name = "NAME", long_help = replacements(), hide_short_help = true)]
    pub replace: Option<String>,
    /// Breadth-first with --cache: give up when more than this share of the insertions evicted a state (the collision rate); 1:
    /// never [default: 0.9]
    #[arg(long, value_name = "RATE", value_parser = amount::rate, hide_short_help = true)]
    pub max_collision: Option<f64>,
    /// With --search snapshots: which levels are remembered, by name or as a stream of caches; see --help
    #[arg(long, value_name = "STREAM", long_help = snapshots(), hide_short_help = true)]
    pub snapshots: Option<String>,
    /// With --search snapshots: also remember states that seem to be visited again and again [default: on]
    #[arg(long, value_name = "ON|OFF", value_parser = ["on", "off"], num_args = 0..=1, default_missing_value = "on", hide_short_help = true)]
    pub backtrack: Option<String>,
    /// Count states independently, outside the memory that is allowed; with --reduce stubborn, also check in every state
    /// the dependencies that stubborn sets rest on
    #[arg(long, hide_short_help = true)]
    pub audit: bool,
    /// The order in which the store `bdd` asks for the bits of a state
    #[arg(long, value_name = "ORDER", value_parser = tightrope_store::VariableOrder::ALL.map(|order| order.0), long_help = orders(), hide_short_help = true)]
    pub bdd_order: Option<String>,
    /// Reductions: symmetry, sleep, stubborn, comma-separated, or none; see --help
    #[arg(long, value_name = "NAMES", value_delimiter = ',', long_help = reductions())]
    pub reduce: Option<Vec<String>>,
    /// With --store comback: which states are kept in full [default: F80-D20]
    ///
    /// F: those found last; R: some chosen at random; H: those whose distance from the start times the share of their level's children
    /// is largest; D: as H, but none close behind another; F20-D80 and the like: so many percents of the cache for either.
    #[arg(long, value_name = "STRATEGY", hide_short_help = true)]
    pub comback_cache: Option<String>,
    /// With --store comback: keep so many states in full, or so many percents of those found so far (1%) [default: as --memory
    /// allows]
    #[arg(long, value_name = "N|PERCENT", hide_short_help = true)]
    pub comback_cache_size: Option<String>,
    /// With --store comback: so many states, or percents of its cache, wait to be compared together (delayed duplicate
    /// detection); 0: none does [default: as --memory allows]
    #[arg(long, value_name = "N|PERCENT", hide_short_help = true)]
    pub candidates: Option<String>,
    /// Where the states of a breadth-first search wait: in memory, on disk, of which memory holds both ends, or nowhere: with --store
    /// comback ids are enough, from which states are rebuilt
    #[arg(long, value_name = "WHERE", default_value = "ram", value_parser = ["ram", "disk", "ids"], hide_short_help = true)]
    pub queue: String,
    /// With --queue disk: the folder [default: that for temporary files]
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub disk: Option<PathBuf>,
    /// With --queue disk: use no more of the disk than this, such as 20G
    #[arg(long, value_name = "SIZE", value_parser = amount::size, hide_short_help = true)]
    pub disk_quota: Option<u64>,
    /// How the model is executed: as machine code, or by the interpreter [default: as machine code, if there is memory
    /// to make it]
    #[arg(long, value_name = "HOW", value_parser = ["jit", "interpret"], hide_short_help = true)]
    pub execute: Option<String>,
    /// Worker threads; so far there is one
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
    /// The store, with the options for it as the parameter that they are.
    pub fn store(&self) -> Result<String, String> {
        if let Some(spec) = crate::comback::store(self)? {
            return Ok(spec);
        }
        let Some(order) = &self.bdd_order else { return Ok(self.store.clone()) };
        let mut parts: Vec<String> = self.store.split('+').map(|part| part.trim().to_string()).collect();
        let ordered = STORES.iter().find(|entry| entry.parameter == "ORDER").map_or("", |entry| entry.name);
        match parts.iter_mut().find(|part| *part == ordered) {
            Some(part) => *part = format!("{ordered}:{order}"),
            None => {
                return Err(format!("`--bdd-order` is for the store `{ordered}`, but the store is `{}`", self.store));
            }
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

/// What to measure.
#[derive(Clone, Debug, Args)]
pub struct MeasureOptions {
    /// How to search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Draw levels and how far transitions reach: to an SVG file, or as text with - [default: as text, on a terminal]
    #[arg(long, value_name = "FILE.svg|-")]
    pub plot: Option<PathBuf>,
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
    let entries = crate::reductions::REDUCTIONS.iter().map(|entry| (entry.name, entry.about.to_string()));
    table("Reductions, comma-separated, or none [default: symmetry where the model declares it]:", entries)
}

fn searches() -> String {
    let entries = tightrope_search::SEARCHES.iter().map(|search| (search.name, search.about.to_string()));
    table("The order in which states are visited:", entries)
}

fn replacements() -> String {
    let [depth_first, breadth_first] = [true, false].map(|pins| default_replacement(pins).name);
    let title = format!(
        "What a cache evicts first [default: {depth_first} depth-first, {breadth_first} breadth-first], or tiers, as in \
         mfu:25,lru:75:"
    );
    table(&title, REPLACEMENTS.iter().map(|entry| (entry.name, entry.about.to_string())))
}

fn snapshots() -> String {
    let name = |preset: &SnapshotPreset| match preset.parameter {
        "" => preset.name.to_string(),
        parameter => format!("{}:{parameter}", preset.name),
    };
    let presets: Vec<(String, &SnapshotPreset)> =
        SNAPSHOT_PRESETS.iter().map(|preset| (name(preset), preset)).collect();
    let title = format!("Which levels are remembered [default: {}]:", SNAPSHOT_PRESETS[0].name);
    let about = |preset: &SnapshotPreset| format!("{} ({})", preset.about, preset.stream.replace("{}", "N"));
    let text = table(&title, presets.iter().map(|(name, preset)| (name.as_str(), about(preset))));
    let replacements = SNAPSHOT_REPLACEMENTS.iter().map(|(name, _, about)| (*name, about.to_string()));
    let notation = "\
        Or caches SAMPLING,REPLACEMENT,SIZE with > between them; what leaves one is offered to the next. SAMPLING: cN, one level of every \
        N; N, after N levels, after 2N more, after 3N more, and so on. SIZE: so many levels, or inf. `...` at the end: the last cache \
        again whenever it is full. REPLACEMENT, what leaves a full cache:";
    format!("{text}\n{}", table(notation, replacements))
}

fn orders() -> String {
    let entries =
        tightrope_store::VariableOrder::ALL.into_iter().map(|(name, order)| (name, order.about().to_string()));
    table("The order in which the store bdd asks for the bits of a state [default: vector]:", entries)
}

fn stores() -> String {
    let entries = tightrope_store::STORES.iter().map(|entry| (entry.name, entry.about.to_string()));
    table("How states are remembered: an encoding, a set, or both, as in collapse+compact:", entries)
}
