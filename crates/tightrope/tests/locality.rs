//! Transition locality: the figures of Tronci, Della Penna, Intrigila & Venturini Zilli 2001, and the pictures.

mod exploration;
mod program;

use exploration::{corpus, finish, load_murphi};
use program::{BROKEN, COUNTER, Folder, code, error, json, path, tightrope};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use tightrope::core::{Budget, Figures, Found, Observe, SearchConfig, StateId, Step};
use tightrope::search::{Locality, Measure, Share};

/// The Murphi models of the corpus.
fn models() -> Option<PathBuf> {
    corpus().map(|corpus| corpus.join("models/murphi"))
}

/// Fig. 4: the model, bytes of a state, reachable states, rules fired, Max Q, and the diameter. mcslock1 and eadash are missing:
/// Murphi's heuristic normalisation leaves more states there than there are orbits; so are models with bugs, where it stops.
const FIG_4: &[(&str, [u64; 5])] = &[
    ("sym/n_peterson.m", [16, 163_298, 1_143_086, 3775, 145]),
    ("sym/adash.m", [144, 10_466, 137_708, 734, 37]),
    ("others/cache3.m", [12, 577, 2440, 102, 16]),
    ("multiset+sym/cache3multi.m", [28, 13_738, 65_357, 1229, 29]),
    ("multiset+sym/newcache3.m", [52, 4357, 20_201, 462, 27]),
    ("sym/cache3.m", [28, 31_433, 264_758, 2877, 32]),
    ("sym/list6.m", [24, 23_410, 99_874, 1095, 53]),
    ("secur/ns-old.m", [24, 1121, 2578, 424, 11]),
    ("secur/ns.m", [24, 980, 2314, 382, 11]),
    ("sci/sci.m", [56, 18_193, 60_455, 1175, 62]),
];

/// The columns of Fig. 4 in a report. Murphi's states fill whole words of four bytes.
fn fig_4(report: &Value) -> [Option<u64>; 5] {
    let bytes = report["model"]["packed_bits"].as_u64().map(|bits| bits.div_ceil(32) * 4);
    let [states, rules, max_q, diameter] =
        ["states", "transitions", "widest_level", "depth"].map(|name| report[name].as_u64());
    [bytes, states, rules, max_q, diameter]
}

#[test]
fn measure_has_the_columns_of_fig_4() {
    let Some(models) = models() else { return };
    let mut wrong = Vec::new();
    for (name, row) in FIG_4 {
        let report = json(&tightrope(&["measure", path(&models.join(name)), "--json"]));
        if fig_4(&report) != row.map(Some) {
            wrong.push(format!("{name}: {:?}, not {row:?}", fig_4(&report)));
        }
        // Every transition is in the histogram, or a loop.
        let locality = &report["locality"];
        let counts = locality["histogram"].as_array().expect("a list");
        let counted: u64 = counts.iter().filter_map(|pair| pair[1].as_u64()).sum();
        assert_eq!(Some(counted + locality["loops"].as_u64().unwrap_or(0)), report["transitions"].as_u64(), "{name}");
        let widths = report["level_widths"].as_array().expect("a list");
        assert_eq!(widths.iter().filter_map(Value::as_u64).sum::<u64>(), row[1], "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rows of Fig. 1: E{Δ(-1)}, σ(-1), E{Δ(0)}, σ(0), E{Δ(1)}, σ(1), to all digits that are printed there.
const FIG_1: &[(&str, [f64; 6])] = &[
    ("others/cache3.m", [0.0401213, 0.178884, 0.00476603, 0.0558438, 0.565482, 0.381654]),
    ("secur/ns.m", [0.585714, 0.492598, 0.0, 0.0, 0.0969388, 0.295874]),
    ("secur/ns-old.m", [0.546833, 0.497802, 0.0, 0.0, 0.101695, 0.302247]),
];

/// Those whose visit ended where an invariant failed.
const FIG_1_STOPPED: &[(&str, [f64; 6])] = &[
    ("others/arbiter.m", [0.00848939, 0.057543, 0.0107366, 0.0537135, 0.92784, 0.168859]),
    ("toy/down.m", [0.0, 0.0, 0.0776385, 0.142608, 0.922361, 0.142608]),
];

/// Whether numbers agree in the six significant digits that are printed.
fn agree(found: &[f64], printed: &[f64; 6]) -> bool {
    let last_digit = |number: f64| if number == 0.0 { 1e-9 } else { 10f64.powf(number.abs().log10().floor() - 5.0) };
    let same = |(one, other): (&f64, &f64)| (one - other).abs() <= 0.51 * last_digit(*other);
    found.len() == 6 && found.iter().zip(printed).all(same)
}

#[test]
fn measure_has_rows_of_fig_1() {
    let Some(models) = models() else { return };
    for (name, row) in FIG_1 {
        let report = json(&tightrope(&["measure", path(&models.join(name)), "--json"]));
        let share = |k: &str| ["mean", "sd"].map(|what| report["locality"][k][what].as_f64().unwrap_or(f64::NAN));
        let found = ["-1", "0", "1"].map(share).concat();
        assert!(agree(&found, row), "{name}: {found:?}, not {row:?}");
        let together = report["locality"]["sum"]["mean"].as_f64().expect("a number");
        assert!((together - (row[0] + row[2] + row[4])).abs() < 2e-6, "{name}: {together}");
    }
}

/// A state that is expanded: its id, how many steps lead to a state, and those that were told.
type Expanded = (StateId, usize, Vec<(Step, Found)>);

/// Measures all states but the one at which the visit ends: the paper's averages are over the states before it.
struct AllButLast {
    measure: Measure,
    /// The state being expanded: its number, its degree, and where its steps lead.
    held: Option<Expanded>,
}

impl AllButLast {
    fn let_go(&mut self) {
        if let Some((id, degree, steps)) = self.held.take() {
            self.measure.expand(id, &[], degree);
            steps.into_iter().for_each(|(step, to)| self.measure.step(id, step, to, &[]));
        }
    }
}

impl Observe for AllButLast {
    fn initial(&mut self, found: Found, state: &[u8]) {
        self.measure.initial(found, state);
    }

    fn level(&mut self, depth: u64, width: u64) {
        self.let_go();
        self.measure.level(depth, width);
    }

    fn expand(&mut self, id: StateId, _state: &[u8], degree: usize) {
        self.let_go();
        self.held = Some((id, degree, Vec::new()));
    }

    fn step(&mut self, _from: StateId, step: Step, to: Found, _state: &[u8]) {
        self.held.as_mut().expect("a state is being expanded").2.push((step, to));
    }
}

/// Visits a model as Murphi does with `-ndl`: up to the first violation.
fn stopped(name: &str, models: &std::path::Path) -> (Locality, Figures) {
    let model = load_murphi(&models.join(name)).expect("a model");
    let mut all = AllButLast { measure: Measure::new(&Arc::new(Budget::unlimited())), held: None };
    let config = SearchConfig { deadlock: false, ..SearchConfig::checking() };
    let figures = finish(&model, "bfs", "hash", &config, &mut all).figures;
    (all.measure.finish().locality.expect("ids are in order"), figures)
}

#[test]
fn visits_that_stop_at_a_bug_have_rows_of_fig_1() {
    let Some(models) = models() else { return };
    for (name, row) in FIG_1_STOPPED {
        let (Locality { backward, level, forward, .. }, figures) = stopped(name, &models);
        let found: Vec<f64> =
            [backward, level, forward].iter().flat_map(|Share { mean, deviation }| [*mean, *deviation]).collect();
        assert!(agree(&found, row), "{name}: {found:?}, not {row:?}; {figures:?}");
    }
}

#[test]
fn the_report_counts_what_goes_back() {
    let folder = Folder::new("locality");
    let model = folder.file("m.pml", COUNTER);
    let report = json(&tightrope(&["measure", path(&model), "-DN=9", "--json"]));
    let counts = json_text("[[1, 19], [-19, 1]]");
    assert_eq!(report["locality"]["histogram"], counts);
    assert_eq!(report["locality"]["loops"], 0);
    let back = json_text(r#"{"count": 1, "mean": 19.0, "longest": 19, "p50": 19, "p90": 19, "p99": 19}"#);
    assert_eq!(report["locality"]["back_edges"], back);
}

fn json_text(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn stores_without_order_say_so() {
    let folder = Folder::new("order");
    let model = folder.file("m.pml", COUNTER);
    for store in ["tree", "compact", "mdd"] {
        let options = ["measure", path(&model), "-DN=9", "--store", store];
        let text = String::from_utf8_lossy(&tightrope(&options).stdout).into_owned();
        assert!(text.contains("not known") && text.contains("--store hash"), "{store}: {text}");
        let report = json(&tightrope(&[&options[..], &["--json"]].concat()));
        assert_eq!((&report["locality"], &report["widest_level"]), (&Value::Null, &1.into()), "{store}");
    }
}

#[test]
fn a_picture_is_drawn_as_text_where_it_is_wanted() {
    let folder = Folder::new("picture");
    let model = folder.file("m.pml", COUNTER);
    let said = |options: &[&str]| {
        let output = tightrope(&[&["measure", path(&model), "-DN=9"][..], options].concat());
        (code(&output), String::from_utf8_lossy(&output.stdout).into_owned(), error(&output))
    };
    let (status, text, _) = said(&["--plot", "-"]);
    assert!(status == 0 && text.contains("−17…−19") && text.contains("states per level"), "{text}");
    let (status, text, _) = said(&[]);
    assert!(status == 0 && !text.contains("states per level") && text.contains("levels: █"), "no terminal: {text}");
    let (_, text, _) = said(&["--quiet"]);
    assert_eq!(text.lines().count(), 1, "{text}");
    for other in ["--quiet", "--json"] {
        let (status, _, why) = said(&["--plot", "-", other]);
        assert!(status == 2 && (why.contains("standard output") || other == "--json"), "{why}");
    }
}

#[test]
fn a_picture_is_written_to_a_file() {
    let folder = Folder::new("svg");
    let model = folder.named("m.pml", COUNTER);
    let image = folder.place("m.svg");
    let text = || std::fs::read_to_string(&image).unwrap_or_default();
    for options in [&["--quiet"][..], &["--json"], &["--store", "tree"]] {
        let _ = std::fs::remove_file(&image);
        let output = tightrope(&[&["measure", &model, "-DN=9", "--plot", &image][..], options].concat());
        assert_eq!(code(&output), 0, "{}", error(&output));
        assert!(text().starts_with("<svg") && text().contains("states per level"), "{options:?}: {}", text());
        assert_eq!(text().contains("back edges"), options[0] != "--store", "{options:?}");
    }
    // What was measured is drawn also if it is not all.
    let output = tightrope(&["measure", &model, "-DN=9", "--depth", "5", "--plot", &image]);
    assert!(code(&output) == 3 && text().contains("not complete"), "{}", error(&output));
}

#[test]
fn a_picture_that_cannot_be_written_is_noticed_before_the_search() {
    let folder = Folder::new("unwritable");
    let model = folder.named("m.pml", COUNTER);
    let endless = folder.named("endless.pml", "int x, y, z; active proctype P() { do :: x++ :: y++ :: z++ od }");
    let output = tightrope(&["measure", &endless, "--plot", &folder.place("there/is/no/folder.svg")]);
    assert!(code(&output) == 2 && error(&output).contains("cannot write"), "{}", error(&output));
    let output = tightrope(&["measure", &model, "-DN=9", "--plot", &model]);
    assert!(code(&output) == 2 && error(&output).contains("is the model itself"), "{}", error(&output));
    assert_eq!(std::fs::read_to_string(&model).expect("it is there"), COUNTER);
    for place in [folder.place("m.svg"), "-".into()] {
        let output = tightrope(&["measure", &model, "-DN=9", "--search", "dfs", "--plot", &place]);
        assert!(code(&output) == 2 && error(&output).contains("depth-first"), "{}", error(&output));
    }
    let image = folder.place("none.svg");
    let broken = folder.named("broken.pml", &BROKEN[..20]);
    assert_eq!(code(&tightrope(&["measure", &broken, "--plot", &image])), 2);
    assert!(!std::path::Path::new(&image).exists(), "nothing was measured, so there is no picture");
}
