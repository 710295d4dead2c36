//! BEEM: the rates over all instances of the corpus in a range of sizes, and whether the figures are those listed.

use crate::timed;
use std::path::Path;

/// One instance and what was measured.
struct Row {
    name: String,
    states: u64,
    transitions: u64,
    seconds: f64,
    mebibytes: f64,
    per_state: f64,
    wrong: Vec<String>,
}

/// The published figures of the ComBack paper's instances: states and transitions.
const COMBACK: &[(&str, u64, u64)] = &[
    ("brp.4", 12_068_447, 25_085_950),
    ("brp2.6", 5_742_313, 9_058_624),
    ("cambridge.7", 11_465_015, 54_850_496),
    ("firewire_link.5", 18_553_032, 59_782_059),
    ("needham.4", 6_525_019, 22_203_081),
    ("synapse.7", 10_198_141, 19_893_297),
];

/// Measures the instances with so many states, or those of the ComBack paper, and prints a table with medians.
pub fn run(tightrope: &Path, corpus: &Path, sizes: Option<(u64, u64)>, options: &str) -> Result<(), String> {
    let table = std::fs::read_to_string(corpus.join("expected/dve.tsv")).map_err(|why| why.to_string())?;
    println!(
        "| instance | states | transitions | states/s | transitions/s | CPU s | MiB | bytes per state | figures |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let published = COMBACK.iter().find(|(name, ..)| *name == columns[0]);
        let asked = match (sizes, columns[1].parse::<u64>()) {
            (Some((least, most)), Ok(states)) => (least..=most).contains(&states),
            (None, _) => published.is_some(),
            (Some(_), Err(_)) => false,
        };
        if !asked {
            continue;
        }
        let row = measure(tightrope, corpus, &columns, published, options)?;
        println!(
            "| {} | {} | {} | {:.0} | {:.0} | {:.2} | {:.1} | {:.1} | {} |",
            row.name,
            row.states,
            row.transitions,
            row.states as f64 / row.seconds,
            row.transitions as f64 / row.seconds,
            row.seconds,
            row.mebibytes,
            row.per_state,
            if row.wrong.is_empty() { "as listed".to_string() } else { row.wrong.join(", ") }
        );
        rows.push(row);
    }
    let middle = |what: fn(&Row) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(what).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let wrong = rows.iter().filter(|row| !row.wrong.is_empty()).count();
    println!(
        "\n{} instances, {wrong} with other figures; medians {:.0} states/s, {:.0} transitions/s",
        rows.len(),
        middle(|row| row.states as f64 / row.seconds),
        middle(|row| row.transitions as f64 / row.seconds)
    );
    Ok(())
}

fn measure(
    tightrope: &Path,
    corpus: &Path,
    columns: &[&str],
    published: Option<&(&str, u64, u64)>,
    options: &str,
) -> Result<Row, String> {
    let name = columns[0].to_string();
    let family = name.rsplit_once('.').map_or(name.as_str(), |(family, _)| family);
    let model = corpus.join(format!("models/dve/{family}/{name}.dve"));
    let command = format!("'{}' measure '{}' --json {options}", tightrope.display(), model.display());
    let (text, _, cpu) = timed(Path::new("."), &command)?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|why| format!("{name}: {why}: {text}"))?;
    let mut wrong = Vec::new();
    let fields = ["states", "transitions", "deadlocks", "levels", "widest_level"];
    let mut expect = |field: &str, listed: u64| {
        if report[field] != listed {
            wrong.push(format!("{field} {} instead of {listed}", report[field]));
        }
    };
    for (field, listed) in fields.iter().zip(&columns[1..]) {
        if let Ok(listed) = listed.parse() {
            expect(field, listed);
        }
    }
    if let Some((_, states, transitions)) = published {
        expect("states", *states);
        expect("transitions", *transitions);
    }
    let front_end = report["seconds"]["front_end"].as_f64().unwrap_or(0.0);
    Ok(Row {
        name,
        states: report["states"].as_u64().unwrap_or(0),
        transitions: report["transitions"].as_u64().unwrap_or(0),
        seconds: (cpu - front_end).max(1e-6),
        mebibytes: report["bytes"]["peak_resident"].as_f64().unwrap_or(0.0) / 1048576.0,
        per_state: report["bytes"]["per_state"].as_f64().unwrap_or(0.0),
        wrong,
    })
}
