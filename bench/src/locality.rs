//! Breadth-first caching against Figs. 5 and 6 of Tronci et al. 2001: how often states are visited with a part of the memory.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A model, and the paper's ratio of visited to reachable states at a cache of all, nine tenths, … of them, with bit compression and
/// with hash compaction as well; the last figure of a row is that of the smallest cache with which its search ended.
type Published = (&'static str, &'static [f64], &'static [f64]);

const PUBLISHED: &[Published] = &[
    ("sym/n_peterson.m", &[1.004, 1.011, 1.028, 1.242], &[1.000, 1.005, 1.024, 1.225]),
    ("sym/adash.m", &[1.006, 1.016, 1.043, 1.124, 1.738], &[1.000, 1.009, 1.025, 1.133, 1.565]),
    ("multiset+sym/cache3multi.m", &[1.009, 1.030, 1.098, 1.291, 2.422], &[1.000, 1.013, 1.089, 1.297, 2.939]),
    ("sym/cache3.m", &[1.008, 1.022, 1.064, 1.213, 1.919], &[1.000, 1.012, 1.058, 1.217, 1.871]),
    ("sym/list6.m", &[1.006, 1.014, 1.044, 1.151, 1.735], &[1.000, 1.009, 1.036, 1.163, 2.015]),
    ("sym/mcslock1.m", &[1.009, 1.020, 1.058, 1.190, 1.900], &[1.000, 1.010, 1.046, 1.163, 1.848]),
    ("secur/ns.m", &[1.001, 1.000, 1.010, 1.046, 1.024, 1.057, 1.147, 2.476], &[]),
    ("sci/sci.m", &[1.003, 1.008, 1.020, 1.041, 1.095, 1.369], &[1.000, 1.005, 1.013, 1.037, 1.087, 1.313]),
];

/// The model of Fig. 7, its parameters, and for every size of the memory in MB: the states visited, the collision rate, and the
/// states that wait at most.
const LARGE: &str = "secur/ns.m";
const PARAMETERS: [&str; 5] =
    ["NumInitiators=2", "NumResponders=1", "NumIntruders=2", "NetworkSize=2", "MaxKnowledge=10"];
const PUBLISHED_LARGE: [(u64, u64, f64, u64); 3] =
    [(200, 44_780_625, 0.170, 16_215_144), (150, 46_369_727, 0.374, 16_239_606), (130, 48_933_778, 0.484, 16_264_901)];

/// Runs the program; the report.
fn report(tightrope: &Path, model: &Path, options: &[&str]) -> Result<Value, String> {
    json(tightrope, model, &[&["measure", "--audit"], options].concat())
}

fn json(tightrope: &Path, model: &Path, arguments: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(tightrope);
    command.args(arguments).arg("--json").arg(model);
    let output = command.output().map_err(|why| why.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|why| format!("{}: {why}", model.display()))
}

fn number(report: &Value, name: &str) -> Result<f64, String> {
    report[name].as_f64().ok_or_else(|| format!("the report has no `{name}`"))
}

/// The visits of a search with a cache as a multiple of the states; `*` behind it if the search was stopped and had seen all states,
/// `∞` if it had not.
fn ratio(tightrope: &Path, model: &Path, states: f64, options: &[&str]) -> Result<String, String> {
    let report = report(tightrope, model, options)?;
    let mark = match (report["reason"].is_null(), number(&report, "states")? < states) {
        (true, _) => "",
        (false, false) => "*",
        (false, true) => "∞",
    };
    Ok(format!("{:.3}{mark}", number(&report, "visits")? / states))
}

/// Prints the tables.
pub fn run(tightrope: &Path, corpus: &Path) -> Result<(), String> {
    for (store, published) in [("bits", true), ("bits+compact:40", false)] {
        println!("\nVisits as multiples of the states with `--store {store}` and a cache of so many percent of them\n");
        println!("| model | | 100 | 90 | 80 | 70 | 60 | 50 | 40 | 30 | 20 | 10 |");
        println!("|---|---|{}", "---|".repeat(10));
        for (name, bits, compact) in PUBLISHED {
            let figures = if published { bits } else { compact };
            let model = corpus.join("models/murphi").join(name);
            let states = number(&report(tightrope, &model, &["--store", "bits"])?, "states")?;
            let paper: Vec<String> = figures.iter().map(|figure| format!("{figure:.3}")).collect();
            println!("| {name} | paper | {} |{}", paper.join(" | "), " |".repeat(10 - paper.len()));
            for replace in ["direct", "level"] {
                let mut line = format!("| {states} | {replace} |");
                for tenths in (1..=10).rev() {
                    let cache = ((states * f64::from(tenths) / 10.0).round() as u64).max(1).to_string();
                    let options = ["--store", store, "--cache", &cache, "--replace", replace];
                    line += &format!(" {} |", ratio(tightrope, &model, states, &options)?);
                }
                println!("{line}");
            }
        }
    }
    Ok(())
}

/// Prints the table of the search that needs a queue on disk.
pub fn large(tightrope: &Path, corpus: &Path) -> Result<(), String> {
    let model = corpus.join("models/murphi").join(LARGE);
    println!("{LARGE} with {}, cache and queue within so much memory\n", PARAMETERS.join(", "));
    println!("| memory | | visits | collision rate | wait at most | on disk at most | resident | time |");
    println!("|---|---|---|---|---|---|---|---|");
    for (megabytes, visits, rate, waiting) in PUBLISHED_LARGE {
        println!("| {megabytes} MB | paper | {visits} | {rate:.3} | {waiting} | | | |");
        for replace in ["direct", "level"] {
            // The cache has what the queue and the program leave of it.
            let memory = format!("{megabytes}M");
            let options =
                ["check", "--no-deadlock", "--queue", "disk", "--store", "bits+compact:40", "--replace", replace];
            let limits = ["--memory", &memory, "--cache", &memory];
            let parameters = PARAMETERS.iter().flat_map(|parameter| ["--set", parameter]);
            let arguments: Vec<&str> = options.into_iter().chain(limits).chain(parameters).collect();
            let report = json(tightrope, &model, &arguments)?;
            let (visits, waiting) = (number(&report, "visits")?, number(&report, "frontier_peak")?);
            let rate = report["cache"]["collision_rate"].as_f64().ok_or("the report has no collision rate")?;
            let mebibytes = |name: &str| report["bytes"][name].as_f64().map_or(0.0, |bytes| bytes / f64::from(1 << 20));
            let (disk, resident) = (mebibytes("disk"), mebibytes("peak_resident"));
            let seconds = report["seconds"]["search"].as_f64().unwrap_or(0.0);
            let stop = report["reason"].as_str().map_or(String::new(), |reason| format!(" ({reason})"));
            println!(
                "| | {replace}{stop} | {visits} | {rate:.3} | {waiting} | {disk:.0} MiB | {resident:.0} MiB | {seconds:.0} s |"
            );
        }
    }
    Ok(())
}
