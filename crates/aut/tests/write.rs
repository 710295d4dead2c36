//! What is written is read back the same, here and by merc.

use merc_lts::LTS;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tightrope_aut::{AutWriter, Lts, LtsBuilder, read, write};
use tightrope_syntax::{Diagnostics, SourceMap};

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tightrope-aut-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder can be written to");
        Folder(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn load(path: &Path) -> Lts {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let lts = read(path, &mut sources, &mut diagnostics);
    lts.unwrap_or_else(|| panic!("{}", diagnostics.render(&sources, false)))
}

/// All there is to a system, with labels as texts.
fn content(lts: &Lts) -> (u32, u32, Vec<(u32, String, u32)>) {
    let text = |(from, label, to)| (from, lts.labels().text(label).to_string(), to);
    (lts.initial(), lts.states(), lts.iter().map(text).collect())
}

#[test]
fn the_header_is_right_although_it_is_written_last() {
    let folder = Folder::new();
    let path = folder.0.join("x.aut");
    let mut writer = AutWriter::create(&path).expect("the folder is there");
    writer.transition(0, "a", 2).expect("there is room");
    writer.transition(2, "b, \"c\"\n", 0).expect("there is room");
    assert!(!path.exists() && folder.names().len() == 1, "the file has another name until it is complete");
    let written = writer.finish(2, 3).expect("there is room");
    assert_eq!(written.transitions, 2);
    assert_eq!(folder.names(), ["x.aut"]);
    let text = fs::read_to_string(&path).expect("it was written");
    assert_eq!(written.bytes, text.len() as u64);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0].trim_end(), "des (2, 2, 3)");
    assert_eq!(lines[1..], ["(0,\"a\",2)", "(2,\"b, \\\"c\\\"\\n\",0)"]);
}

#[test]
fn a_file_that_is_not_finished_never_was() {
    let folder = Folder::new();
    let path = folder.0.join("x.aut");
    fs::write(&path, "old").expect("there is room");
    let mut writer = AutWriter::create(&path).expect("the folder is there");
    writer.transition(0, "a", 7).expect("there is room");
    drop(writer);
    let mut writer = AutWriter::create(&path).expect("the folder is there");
    writer.transition(0, "a", 7).expect("there is room");
    assert!(writer.finish(0, 7).is_err(), "state 7 is not below 7");
    assert!(AutWriter::create(&path).expect("the folder is there").finish(0, 0).is_err());
    assert_eq!(folder.names(), ["x.aut"]);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "old");
}

#[test]
fn what_is_no_file_is_not_replaced() {
    let folder = Folder::new();
    assert!(AutWriter::create(&folder.0).is_err());
    assert!(AutWriter::create(&folder.0.join("no folder/x.aut")).is_err());
    assert!(AutWriter::create(Path::new("")).is_err());
    #[cfg(unix)]
    {
        assert!(AutWriter::create(Path::new("/dev/null")).is_err());
        let (target, link) = (folder.0.join("target.aut"), folder.0.join("link.aut"));
        fs::write(&target, "old").expect("there is room");
        std::os::unix::fs::symlink(&target, &link).expect("links can be made");
        AutWriter::create(&link).and_then(|writer| writer.finish(0, 1)).expect("there is room");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(load(&target).states(), 1);
    }
}

#[test]
fn merc_reads_the_padded_header() {
    let folder = Folder::new();
    let path = folder.0.join("x.aut");
    let mut writer = AutWriter::create(&path).expect("the folder is there");
    writer.transition(1, "send(1, 2)", 0).expect("there is room");
    writer.transition(0, "i", 1).expect("there is room");
    writer.finish(1, 4).expect("there is room");
    let lts = merc_lts::read_aut(fs::File::open(&path).expect("it is there")).expect("merc accepts it");
    assert_eq!((lts.initial_state_index().value(), lts.num_of_states(), lts.num_of_transitions()), (1, 4, 2));
    assert_eq!(lts.labels(), ["τ", "send(1, 2)"]);
    let mut copy = Vec::new();
    merc_lts::write_aut(&mut copy, &lts).expect("there is room");
    fs::write(&path, copy).expect("there is room");
    let expected = vec![(0, "i".to_string(), 1), (1, "send(1, 2)".to_string(), 0)];
    assert_eq!(content(&load(&path)), (1, 4, expected));
}

fn systems() -> impl Strategy<Value = Lts> {
    let label = prop_oneof![Just("i".to_string()), "[a-c(), \"\\\\nr]{0,6}", any::<String>()];
    (1..20u32).prop_flat_map(move |states| {
        let transitions = prop::collection::vec((0..states, label.clone(), 0..states), 0..30);
        (0..states, transitions).prop_map(move |(initial, transitions)| {
            let mut builder = LtsBuilder::default();
            for (from, label, to) in transitions {
                let label = builder.labels.number(&label);
                assert!(builder.add(from, label, to));
            }
            builder.finish(initial, states).expect("all states are inside")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn writing_is_undone_by_reading(lts in systems()) {
        let folder = Folder::new();
        let path = folder.0.join("x.aut");
        write(&path, &lts).expect("there is room");
        prop_assert_eq!(content(&load(&path)), content(&lts));
    }
}
