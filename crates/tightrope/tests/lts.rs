//! Transition systems that are written: the same as those of a naive walk, and the same when they are read again.

mod exploration;

mod program;

use exploration::{corpus, finish, load, load_dve, load_murphi, root};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tightrope::aut::{AutModel, AutWriter, Equivalence, Lts, LtsBuilder, equivalent, minimise, read};
use tightrope::core::{Budget, Figures, Model, SearchConfig, Successors, Verdict, moves};
use tightrope::search::LtsRecorder;
use tightrope_syntax::{Diagnostics, SourceMap};

/// The transition system by a walk that is slow and obviously right. The model must have one initial state.
fn naive(model: &dyn Model) -> Lts {
    let mut numbers: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut waiting = Vec::new();
    model.initial(&mut |state| waiting.push(state.to_vec()));
    assert_eq!(waiting.len(), 1, "initial states");
    numbers.insert(waiting[0].clone(), 0);
    let mut builder = LtsBuilder::default();
    while let Some(state) = waiting.pop() {
        let from = numbers[&state];
        let mut out = Successors::new();
        model.successors(&state, &mut out);
        for index in 0..out.len() {
            let Some(next) = out.state(index) else { continue };
            let fresh = numbers.len() as u32;
            let to = *numbers.entry(next.to_vec()).or_insert_with(|| {
                waiting.push(next.to_vec());
                fresh
            });
            let (mut label, mut words) = (String::new(), String::new());
            model.label(&state, out.step(index), &mut label);
            moves(model, &state, out.step(index)).iter().for_each(|one| one.append(0, &mut words));
            // Rules are quoted where they are described at length.
            assert_eq!(label, words.replace("Rule ", "").replace('"', ""), "{words}");
            let label = builder.labels.number(&label);
            assert!(builder.add(from, label, to));
        }
    }
    builder.finish(0, numbers.len() as u32).expect("all states have numbers")
}

/// Writes the transition system of a model to a file while it is explored.
fn write(model: &dyn Model, path: &Path) -> Figures {
    let mut writer = AutWriter::create(path).expect("a new file");
    let budget = Arc::new(Budget::unlimited());
    let tell = |from, label: &str, to| writer.transition(from, label, to).is_ok();
    let mut record = LtsRecorder::new(model, &budget, Box::new(tell));
    let outcome = finish(model, "bfs", "hash", &SearchConfig::measuring(), &mut record);
    assert!(matches!(outcome.verdict, Verdict::Holds(_)));
    let states = record.states();
    assert_eq!((record.into_initial_states().to_vec(), states), (vec![0], outcome.figures.states));
    let written = writer.finish(0, states).expect("a complete file");
    assert_eq!(written.transitions, outcome.figures.transitions);
    outcome.figures
}

fn read_back(path: &Path) -> Lts {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let lts = read(path, &mut sources, &mut diagnostics);
    lts.unwrap_or_else(|| panic!("{}: {}", path.display(), diagnostics.render(&sources, false)))
}

/// What is wrong with the transition system of a model.
fn difference(name: &str, model: &dyn Model, folder: &Path) -> Option<String> {
    let path = folder.join(format!("{name}.aut"));
    let figures = write(model, &path);
    let lts = read_back(&path);
    let _ = std::fs::remove_file(&path);
    if !equivalent(&lts, &naive(model), Equivalence::Strong) {
        return Some(format!("{name}: not the transition system of the model"));
    }
    let again = finish(&AutModel::new(lts), "bfs", "hash", &SearchConfig::measuring(), &mut ()).figures;
    let shape = |figures: &Figures| {
        // Ends that are proper in one language are deadlocks in a file, and Murphi has its own idea of a deadlock.
        let stuck = if name.ends_with(".m") { 0 } else { figures.deadlocks + figures.ends };
        (figures.states, figures.transitions, stuck, figures.levels, figures.widest_level)
    };
    (shape(&figures) != shape(&again)).then(|| format!("{name}: {:?} becomes {:?}", shape(&figures), shape(&again)))
}

/// A folder for this test that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tightrope-lts-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn own_models_of_every_language() {
    let folder = Folder::new("own");
    let mut wrong = Vec::new();
    let mut seen = [0; 3];
    for (kind, language) in ["promela", "murphi", "dve"].into_iter().enumerate() {
        let entries = std::fs::read_dir(root().join("models").join(language)).expect("a folder of models");
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let ending = path.extension().and_then(|ending| ending.to_str());
            let model = match (language, ending) {
                ("promela", Some("pml")) => load(&path),
                ("murphi", Some("m")) => load_murphi(&path),
                ("dve", Some("dve")) => load_dve(&path, None),
                _ => continue,
            };
            let model = model.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            let mut starts = 0;
            model.initial(&mut |_| starts += 1);
            let small = finish(&model, "bfs", "hash", &SearchConfig::measuring(), &mut ()).figures.states <= 20_000;
            if starts == 1 && small {
                seen[kind] += 1;
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                wrong.extend(difference(&name, &model, &folder.0));
            }
        }
    }
    assert!(seen.iter().all(|count| *count >= 8), "{seen:?} models");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The instances of the corpus with at most so many states, and at least so many.
fn instances(states: std::ops::RangeInclusive<u64>) -> Vec<(String, PathBuf)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let table = std::fs::read_to_string(corpus.join("expected/dve.tsv")).expect("beside the other table");
    let columns = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let listed = columns.filter(|columns| columns[1].parse().is_ok_and(|number| states.contains(&number)));
    listed
        .map(|columns| {
            let (family, _) = columns[0].rsplit_once('.').expect("a family and a number");
            (columns[0].to_string(), corpus.join(format!("models/dve/{family}/{}.dve", columns[0])))
        })
        .collect()
}

fn differences(states: std::ops::RangeInclusive<u64>) -> Vec<String> {
    let folder = Folder::new(&format!("dve-{}", states.end()));
    let instances = instances(states);
    let one = |(name, path): (String, PathBuf)| {
        let model = load_dve(&path, None).unwrap_or_else(|why| panic!("{name}: {why}"));
        difference(&name, &model, &folder.0)
    };
    instances.into_iter().filter_map(one).collect()
}

#[test]
fn instances_of_the_corpus() {
    let wrong = differences(0..=30_000);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "takes a minute"]
fn larger_instances_of_the_corpus() {
    let wrong = differences(30_001..=100_000);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn smallest_systems_are_equivalent_and_no_larger() {
    let folder = Folder::new("small");
    for name in ["elevator", "token_ring", "scheduler"] {
        let model = load_dve(&root().join(format!("models/dve/{name}.dve")), None).expect("a model");
        let path = folder.0.join(format!("{name}.aut"));
        write(&model, &path);
        let lts = read_back(&path);
        for equivalence in Equivalence::ALL {
            let small = minimise(&lts, equivalence);
            assert!(small.states() <= lts.states());
            assert!(equivalent(&lts, &small, equivalence), "{name} {}", equivalence.name());
            assert_eq!(minimise(&small, equivalence).states(), small.states(), "{name} {}", equivalence.name());
        }
    }
}

#[test]
fn stores_that_renumber_states_are_refused() {
    let folder = program::Folder::new("renumbering");
    let model =
        folder.named("m.pml", "byte a, b; active proctype P() { do :: a < 9 -> a++ :: b < 9 -> b++ :: a = 0 od }");
    let file = folder.place("m.aut");
    let lts = |store: &str| program::tightrope(&["lts", &model, "-o", &file, "--store", store, "--json"]);
    let refused = lts("auto:7");
    assert_eq!(program::code(&refused), 2);
    assert!(program::error(&refused).contains("renumbers states"), "{}", program::error(&refused));
    // The default does what `hash` does.
    let (default, plain) = (lts("auto"), lts("hash"));
    assert_eq!((program::code(&default), program::code(&plain)), (0, 0));
    let figures = |output| {
        let report = program::json(output);
        (report["states"].clone(), report["transitions"].clone())
    };
    assert_eq!(figures(&default), figures(&plain));
}
