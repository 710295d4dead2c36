//! State-space caching: what a cache of which size costs, and how small it can be for each replacement strategy.

use std::path::Path;
use std::sync::Arc;
use tightrope::core::{Budget, Interrupt, Model, Observe, Reason, SearchConfig, StateId, Successors};
use tightrope::ir::{Program, ProgramModel};
use tightrope::search::{Task, dfs};
use tightrope::store::{Bound, Caching, REPLACEMENTS, Site, make_caching};
use tightrope_syntax::{Diagnostics, SourceMap};

/// The models of the paper's figures 4 and 5, and two of BEEM.
const CURVES: &[&str] =
    &["promela/spin/LTL/pftp.pml", "promela/spin/dtp.pml", "promela/beem/needham.3.pm", "promela/beem/mcs.3.pm"];

/// Models of BEEM of all kinds with some ten thousand states.
const BEEM: &[&str] = &[
    "anderson.4",
    "at.2",
    "bakery.3",
    "brp.2",
    "cambridge.4",
    "firewire_tree.3",
    "lamport.3",
    "leader_election.2",
    "lifts.4",
    "needham.2",
    "peterson.2",
    "synapse.2",
];

/// Caches of two levels, beside the single ones.
const LEVELS: &[&str] =
    &["mfu:25,lru:75", "mfu:75,lru:25", "random:25,lru:75", "random:75,lru:25", "type:25,lru:75", "lru:25,random:75"];

/// Caches in thousandths of the states, for the curves.
const SIZES: [u64; 19] = [1000, 750, 600, 500, 450, 400, 360, 330, 300, 270, 240, 200, 150, 100, 50, 20, 10, 5, 2];

/// A search that visits more than so many times the states is given up.
const GIVEN_UP: u64 = 25;

/// Stops a search after so many visits.
struct Most {
    visits: u64,
    interrupt: Interrupt,
}

impl Observe for Most {
    fn expand(&mut self, _id: StateId, _state: &[u8], _degree: usize) {
        self.visits = self.visits.saturating_sub(1);
        if self.visits == 0 {
            self.interrupt.raise(Reason::Interrupted);
        }
    }
}

/// What a search took.
struct Cost {
    states: u64,
    visits: u64,
    transitions: u64,
    depth: u64,
}

/// Searches with a cache; none if that takes more than `most` visits.
fn search(model: &dyn Model, sleep: bool, cache: u64, replace: &str, most: u64) -> Option<Cost> {
    let budget = Arc::new(Budget::unlimited());
    let site = Site { schema: model.schema(), budget: &budget, seed: 1, model: None };
    let caching = Caching { bound: Bound::States(cache), replace: replace.into() };
    let mut store = make_caching("full", &caching, site).expect("a strategy of the table");
    let config = SearchConfig { sleep, ..SearchConfig::measuring() };
    let mut watch = Most { visits: most.saturating_add(1), interrupt: config.interrupt.clone() };
    let mut successors = Successors::new();
    let task = Task::new(model, store.as_mut(), &config, &budget, &mut successors);
    let outcome = dfs(task, &mut watch);
    let figures = outcome.figures;
    let (states, visits, transitions, depth) =
        (figures.states, figures.visits, figures.transitions, figures.frontier_peak - 1);
    let finished = outcome.stopped != Some(Reason::Interrupted) && visits <= most;
    finished.then_some(Cost { states, visits, transitions, depth })
}

fn load(path: &Path) -> Result<ProgramModel, String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let program: Option<Program> = if path.extension().is_some_and(|ending| ending == "dve") {
        use tightrope::dve::{lower, parse};
        parse(path, &[], &mut sources, &mut diagnostics)
            .and_then(|model| lower::lower(&model, None, lower::Options::default(), &sources, &mut diagnostics))
            .map(|lowered| lowered.program)
    } else {
        use tightrope::promela::{lower, parse};
        parse(path, &Default::default(), &mut sources, &mut diagnostics)
            .and_then(|module| lower::lower(&module, &sources, &mut diagnostics))
            .map(|lowered| lowered.program)
    };
    let program = program.ok_or_else(|| diagnostics.render(&sources, false))?;
    let program = Arc::new(program);
    Ok(tightrope_jit::compile(&program).unwrap_or_else(|_| ProgramModel::new(program)))
}

/// Transitions against the size of the cache, without and with sleep sets (the paper's Algorithms 1 and 2), for random and
/// type-oriented replacement and others.
pub fn curves(corpus: &Path) -> Result<(), String> {
    let columns: [(bool, &str); 6] = [
        (false, "random"),
        (false, "type"),
        (false, "lru"),
        (false, "mfu:25,lru:75"),
        (true, "random"),
        (true, "type"),
    ];
    for name in CURVES {
        let model = load(&corpus.join("models").join(name))?;
        let [whole, asleep] = [false, true].map(|sleep| search(&model, sleep, u64::MAX, "random", u64::MAX));
        let (whole, asleep) = whole.zip(asleep).ok_or("a search without a bound did not end")?;
        println!(
            "\n`{name}`: {} states, {} transitions, {} with sleep sets, paths up to {}\n",
            whole.states, whole.transitions, asleep.transitions, whole.depth
        );
        let titles = columns.map(|(sleep, replace)| format!("{}{replace}", if sleep { "sleep, " } else { "" }));
        println!("| cache | of the states | {} |", titles.join(" | "));
        println!("|---|---|{}", "---|".repeat(columns.len()));
        let mut alive = columns.map(|_| true);
        for part in SIZES {
            let cache = whole.states * part / 1000;
            let mut line = format!("| {cache} | {} % |", part as f64 / 10.0);
            for (&(sleep, replace), alive) in columns.iter().zip(&mut alive) {
                // What took too long with a larger cache is not tried.
                if !*alive {
                    line += " |";
                    continue;
                }
                let cost = search(&model, sleep, cache, replace, GIVEN_UP * whole.states);
                *alive = cost.is_some();
                line += &cost.map_or_else(
                    || format!(" over {GIVEN_UP}x |"),
                    |cost| {
                        let times = cost.transitions as f64 / whole.transitions as f64;
                        format!(" {} ({times:.2}x) |", cost.transitions)
                    },
                );
            }
            println!("{line}");
            if alive.iter().all(|alive| !alive) {
                break;
            }
        }
    }
    Ok(())
}

/// The smallest cache, in hundredths of the states, with which no more than twice the states are visited; found by halving, as
/// if a larger cache were never worse.
fn least(model: &dyn Model, states: u64, replace: &str) -> u64 {
    let (mut too_small, mut enough) = (0, 100);
    while enough - too_small > 1 {
        let percent = (too_small + enough) / 2;
        match search(model, false, (states * percent / 100).max(1), replace, 2 * states) {
            Some(_) => enough = percent,
            None => too_small = percent,
        }
    }
    enough
}

/// How small a cache can be, for every strategy and every model.
pub fn smallest(corpus: &Path) -> Result<(), String> {
    let strategies: Vec<&str> = REPLACEMENTS
        .iter()
        .filter(|entry| entry.allows_pins())
        .map(|entry| entry.name)
        .chain(LEVELS.iter().copied())
        .collect();
    println!("\n| model | states | path | {} |", strategies.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(strategies.len()));
    let mut sums = vec![0; strategies.len()];
    for name in BEEM {
        let family = name.rsplit_once('.').map_or(*name, |(family, _)| family);
        let model = load(&corpus.join(format!("models/dve/{family}/{name}.dve")))?;
        let whole =
            search(&model, false, u64::MAX, "random", u64::MAX).ok_or("a search without a bound did not end")?;
        let mut line =
            format!("| {name} | {} | {:.0} % |", whole.visits, 100.0 * whole.depth as f64 / whole.states as f64);
        for (strategy, sum) in strategies.iter().zip(&mut sums) {
            let percent = least(&model, whole.states, strategy);
            *sum += percent;
            line += &format!(" {percent} % |");
        }
        println!("{line}");
    }
    let means = sums.iter().map(|sum| format!(" {:.0} % |", *sum as f64 / BEEM.len() as f64));
    println!("| mean | | |{}", means.collect::<String>());
    Ok(())
}
