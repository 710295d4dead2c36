//! A model in Rust with large states: a page of records in a database that seals every page it writes.
//!
//! `cargo run --release --example large_states` visits a million states of 4 KiB within 64 MiB. A sealed page looks random, and no
//! part of it is ever the same in two states, so that no store can share any: `comback` keeps a few bytes for each, and
//! rebuilds states by the steps that lead to them. The number of a step is enough for that: a model that can execute just that one
//! ([`Model::fire_nth`]) does so.

use std::sync::Arc;
use tightrope::core::{
    Budget, Component, Field, Fired, Format, Model, Repr, Schema, Scratch, SearchConfig, Step, StepText, Successors,
    Terminal, Verdict, resident_bytes,
};
use tightrope::search::{Task, bfs};
use tightrope::store::{Site, make};

/// The bytes of a page.
const PAGE: usize = 4096;
/// The records on it, each of which is updated so many times.
const RECORDS: usize = 10;
const UPDATES: u8 = 3;

/// A page: the version of each record, and what is sealed.
struct Database {
    schema: Arc<Schema>,
}

impl Database {
    fn new() -> Database {
        let field = |record: usize| Field {
            name: format!("version[{record}]"),
            offset: record as u32,
            repr: Repr::U8,
            range: (0, i32::from(UPDATES)),
            component: (Component::Globals, 0),
            format: Format::Number,
        };
        let fixed = (0..RECORDS).map(field).collect();
        Database { schema: Arc::new(Schema { fixed_size: PAGE as u32, fixed, kinds: Vec::new() }) }
    }

    /// Seals the page whose versions stand at its beginning: what follows depends on all of them.
    fn seal(page: &mut Vec<u8>) {
        page.truncate(RECORDS);
        let mut key = page.iter().fold(0x9e37_79b9_7f4a_7c15u64, |key, &version| {
            (key ^ u64::from(version)).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(23)
        });
        while page.len() < PAGE {
            key ^= key << 13;
            key ^= key >> 7;
            key ^= key << 17;
            let room = (PAGE - page.len()).min(8);
            page.extend_from_slice(&key.to_le_bytes()[..room]);
        }
    }

    /// The records that may still be updated.
    fn open(page: &[u8]) -> impl Iterator<Item = usize> + '_ {
        (0..RECORDS).filter(|&record| page[record] < UPDATES)
    }

    /// The page after an update of one record.
    fn update(page: &[u8], record: usize, to: &mut Vec<u8>) {
        to.clear();
        to.extend_from_slice(&page[..RECORDS]);
        to[record] += 1;
        Self::seal(to);
    }
}

impl Model for Database {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        let mut page = vec![0; RECORDS];
        Self::seal(&mut page);
        each(&page);
    }

    fn expand(&self, page: &[u8], out: &mut Successors) {
        let mut next = Vec::with_capacity(PAGE);
        for record in Self::open(page) {
            Self::update(page, record, &mut next);
            out.push(Step { action: record as u64, choice: 0 }, &next);
        }
        let is_done = Self::open(page).next().is_none();
        out.terminal = if is_done { Terminal::ValidEnd } else { Terminal::No };
    }

    fn fire(&self, page: &[u8], step: Step, to: &mut Vec<u8>, _scratch: &mut Scratch) -> Fired {
        match Self::open(page).find(|&record| record as u64 == step.action && step.choice == 0) {
            Some(record) => {
                Self::update(page, record, to);
                Fired::Done
            }
            None => Fired::Disabled,
        }
    }

    fn fire_nth(&self, page: &[u8], number: usize, to: &mut Vec<u8>, _out: &mut Successors) -> Fired {
        match Self::open(page).nth(number) {
            Some(record) => {
                Self::update(page, record, to);
                Fired::Done
            }
            None => Fired::Disabled,
        }
    }

    fn describe(&self, _page: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        let action = format!("updates record {}", step.action);
        each(StepText { actor: "database".into(), action, ..StepText::default() });
    }
}

fn main() {
    let model = Database::new();
    let budget = Arc::new(Budget::new(64 << 20));
    let site = Site { schema: model.schema(), budget: &budget, seed: 1, model: Some(&model) };
    let mut store = make("comback", site).expect("the model is there");
    let (config, mut successors) = (SearchConfig::checking(), Successors::new());
    let outcome = bfs(Task::new(&model, store.as_mut(), &config, &budget, &mut successors), &mut ());
    let (figures, spent) = (outcome.figures, store.rebuilding().unwrap_or_default());
    assert!(matches!(outcome.verdict, Verdict::Holds(claim) if claim.name() == "exact"), "{:?}", outcome.verdict);
    println!("{} states of {PAGE} bytes, {} transitions", figures.states, figures.transitions);
    println!("{:.2} bytes per state in tables", spent.tables as f64 / figures.states as f64);
    println!("{:.2} steps executed per transition", figures.fired as f64 / figures.transitions as f64);
    println!("{} MiB at most by the account", budget.peak() >> 20);
    if let Some((_, peak)) = resident_bytes() {
        println!("{} MiB resident at most", peak >> 20);
    }
}
