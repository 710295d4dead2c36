//! Breadth-first search with snapshots against breadth-first search: what is remembered, what is visited again, and the time.

use crate::timed;
use serde_json::Value;
use std::path::Path;

/// Models of BEEM of all kinds, of up to a million states.
const DVE: &[&str] = &[
    "anderson.4",
    "at.2",
    "bakery.4",
    "bopdp.2",
    "brp.2",
    "brp.3",
    "brp2.2",
    "brp2.4",
    "brp2.5",
    "cambridge.4",
    "collision.3",
    "cyclic_scheduler.3",
    "elevator.3",
    "firewire_link.7",
    "firewire_tree.4",
    "hanoi.2",
    "lamport.2",
    "leader_election.3",
    "lifts.5",
    "mcs.3",
    "msmie.3",
    "needham.3",
    "peterson.3",
    "phils.4",
    "production_cell.4",
    "rether.3",
    "sorter.5",
    "synapse.3",
    "synapse.6",
];
const MURPHI: &[&str] = &["sym/n_peterson", "sym/mcslock1", "sym/cache3", "sym/list6", "sym/adash", "sci/sci"];

/// The streams, with and without the backtracking set.
const STREAMS: &[(&str, &str)] =
    &[("frontier-safety-net", "on"), ("frontier-safety-net", "off"), ("pebble", "on"), ("pebble", "off")];

/// Patience with a run. There is one of each, so that the times are no more than an indication.
const TIME: &str = "5m";

/// What a run took.
struct Cost {
    remembered: u64,
    visits: u64,
    levels: u64,
    seconds: f64,
    done: bool,
}

fn measure(tightrope: &Path, model: &Path, options: &str) -> Result<Cost, String> {
    let command = format!("'{}' measure '{}' --json --time {TIME} {options}", tightrope.display(), model.display());
    let (text, ..) = timed(Path::new("."), &command)?;
    let report: Value = serde_json::from_str(&text).map_err(|why| format!("{}: {why}: {text}", model.display()))?;
    let number = |name: &str| report[name].as_u64().unwrap_or(0);
    Ok(Cost {
        remembered: number("stored_peak"),
        visits: number("visits"),
        levels: number("levels"),
        seconds: report["seconds"]["search"].as_f64().unwrap_or(f64::NAN),
        done: report["verdict"] == "holds",
    })
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints the table. With `streams` only these are tried, with and without the backtracking set.
pub fn run(tightrope: &Path, corpus: &Path, streams: &[String]) -> Result<(), String> {
    let given = streams.iter().flat_map(|stream| [(stream.as_str(), "on"), (stream.as_str(), "off")]);
    let streams: Vec<(&str, &str)> = if streams.is_empty() { STREAMS.to_vec() } else { given.collect() };
    let titles: Vec<String> = streams
        .iter()
        .map(|(stream, backtrack)| format!("{stream}{}", if *backtrack == "on" { "" } else { ", no backtracking" }))
        .collect();
    println!("| model | states | levels | {} |", titles.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(streams.len()));
    let dve = DVE.iter().map(|name| {
        let family = name.rsplit_once('.').map_or(*name, |(family, _)| family);
        (name.to_string(), format!("models/dve/{family}/{name}.dve"))
    });
    let murphi = MURPHI.iter().map(|name| (format!("{name}.m"), format!("models/murphi/{name}.m")));
    let mut all: Vec<[Vec<f64>; 3]> = streams.iter().map(|_| Default::default()).collect();
    for (name, path) in dve.chain(murphi) {
        let model = corpus.join(path);
        let whole = measure(tightrope, &model, "--store bits")?;
        let mut line = format!("| {name} | {} | {} |", whole.visits, whole.levels);
        for ((stream, backtrack), sums) in streams.iter().zip(&mut all) {
            let options = format!("--store bits --search snapshots --snapshots '{stream}' --backtrack {backtrack}");
            let cost = measure(tightrope, &model, &options)?;
            let shares = [
                cost.remembered as f64 / whole.visits as f64,
                cost.visits as f64 / whole.visits as f64,
                cost.seconds / whole.seconds,
            ];
            let [remembered, visits, time] = shares;
            line += &match cost.done {
                true => format!(" {:.1} %, {visits:.2}, {time:.1} |", remembered * 100.0),
                false => format!(" over {TIME} |"),
            };
            sums.iter_mut().zip(shares).for_each(|(sum, share)| sum.push(share));
        }
        println!("{line}");
    }
    let medians = all.iter_mut().map(|[remembered, visits, time]| {
        format!(" {:.1} %, {:.2}, {:.1} |", median(remembered) * 100.0, median(visits), median(time))
    });
    println!("| median | | |{}", medians.collect::<String>());
    Ok(())
}
