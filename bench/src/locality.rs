//! Breadth-first caching against Figs. 5 and 6 of Tronci et al. 2001: how often states are visited with a part of the memory.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A model, and the paper's ratio of visited to reachable states at a cache of all, nine tenths, … of them, with bit compression and
/// with hash compaction as well; the last figure of a row is that of the smallest cache with which its search ended.
struct Published {
    model: &'static str,
    bits: &'static [f64],
    compact: &'static [f64],
}

const PUBLISHED: &[Published] = &[
    Published {
        model: "sym/n_peterson.m",
        bits: &[1.004, 1.011, 1.028, 1.242],
        compact: &[1.000, 1.005, 1.024, 1.225],
    },
    Published {
        model: "sym/adash.m",
        bits: &[1.006, 1.016, 1.043, 1.124, 1.738],
        compact: &[1.000, 1.009, 1.025, 1.133, 1.565],
    },
    Published {
        model: "multiset+sym/cache3multi.m",
        bits: &[1.009, 1.030, 1.098, 1.291, 2.422],
        compact: &[1.000, 1.013, 1.089, 1.297, 2.939],
    },
    Published {
        model: "sym/cache3.m",
        bits: &[1.008, 1.022, 1.064, 1.213, 1.919],
        compact: &[1.000, 1.012, 1.058, 1.217, 1.871],
    },
    Published {
        model: "sym/list6.m",
        bits: &[1.006, 1.014, 1.044, 1.151, 1.735],
        compact: &[1.000, 1.009, 1.036, 1.163, 2.015],
    },
    Published {
        model: "sym/mcslock1.m",
        bits: &[1.009, 1.020, 1.058, 1.190, 1.900],
        compact: &[1.000, 1.010, 1.046, 1.163, 1.848],
    },
    Published { model: "secur/ns.m", bits: &[1.001, 1.000, 1.010, 1.046, 1.024, 1.057, 1.147, 2.476], compact: &[] },
    Published {
        model: "sci/sci.m",
        bits: &[1.003, 1.008, 1.020, 1.041, 1.095, 1.369],
        compact: &[1.000, 1.005, 1.013, 1.037, 1.087, 1.313],
    },
];

/// Runs the program; the report.
fn report(tightrope: &Path, model: &Path, options: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(tightrope);
    command.args(["measure", "--json", "--audit"]).arg(model).args(options);
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
        for Published { model: name, bits, compact } in PUBLISHED {
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
