//! What there is, and how it is made from its name.

use crate::{Bits, Encode, Encoded, Full, Hash, Set, Tree};
use std::sync::Arc;
use tightrope_core::{Budget, Schema, Store};

/// A line of the table.
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What may follow the name after a colon, for the help; empty where nothing may.
    pub parameter: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What it is, and how it is made.
    pub part: Part,
}

/// Makes a set, given its parameter.
type MakeSet = fn(Option<&str>, &Arc<Budget>) -> Result<Box<dyn Set>, String>;
/// Makes a store, given its parameter.
type MakeStore = fn(Option<&str>, &Schema, &Arc<Budget>) -> Result<Box<dyn Store>, String>;

/// What an entry contributes to a store.
pub enum Part {
    /// A way of writing states down.
    Encoding(fn(&Schema, &Arc<Budget>) -> Box<dyn Encode>),
    /// Something to keep them in.
    Set(MakeSet),
    /// A whole store.
    Design(MakeStore),
}

/// Everything there is. Where a part is not named, `full` and `hash` are taken.
pub static STORES: &[Entry] = &[
    Entry { name: "full", parameter: "", about: "states as they are", part: Part::Encoding(|_, _| Box::new(Full)) },
    Entry {
        name: "bits",
        parameter: "",
        about: "every variable in just the bits that its range needs",
        part: Part::Encoding(|schema, budget| Box::new(Bits::new(schema, budget))),
    },
    Entry {
        name: "hash",
        parameter: "",
        about: "a hash table; exact",
        part: Part::Set(|_, budget| Ok(Box::new(Hash::new(budget)))),
    },
    Entry {
        name: "tree",
        parameter: "",
        about: "parts of states shared in a tree of pairs; exact, a few bytes per state",
        part: Part::Design(|_, schema, budget| Ok(Box::new(Tree::new(schema, budget)))),
    },
];

fn names(wanted: fn(&Part) -> bool) -> Vec<&'static str> {
    STORES.iter().filter(|entry| wanted(&entry.part)).map(|entry| entry.name).collect()
}

/// Every store that can be made, by name: each encoding with each set, and the designs of their own.
pub fn combinations() -> Vec<String> {
    let sets = names(|part| matches!(part, Part::Set(_)));
    let mut all = Vec::new();
    for encoding in names(|part| matches!(part, Part::Encoding(_))) {
        all.extend(sets.iter().map(|set| format!("{encoding}+{set}")));
    }
    all.extend(names(|part| matches!(part, Part::Design(_))).into_iter().map(String::from));
    all
}

/// Makes the store that `spec` describes: `ENCODING+SET`, either of the two alone, or a design of its own; a part may
/// have a parameter, as in `NAME:PARAMETER`. The error is a sentence for people.
pub fn make(spec: &str, schema: &Schema, budget: &Arc<Budget>) -> Result<Box<dyn Store>, String> {
    let mut encoding = None;
    let mut set = None;
    let parts: Vec<&str> = spec.split('+').map(str::trim).collect();
    for part in &parts {
        let (name, parameter) = match part.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (*part, None),
        };
        let Some(entry) = STORES.iter().find(|entry| entry.name == name) else {
            return Err(format!("there is no store `{name}`; {}", what_there_is()));
        };
        if parameter.is_some() && entry.parameter.is_empty() {
            return Err(format!("the store `{name}` takes no parameter, but `{part}` gives one"));
        }
        match &entry.part {
            Part::Encoding(make) if encoding.is_none() => encoding = Some(make(schema, budget)),
            Part::Set(make) if set.is_none() => set = Some(make(parameter, budget)?),
            Part::Design(make) if parts.len() == 1 => return make(parameter, schema, budget),
            Part::Design(_) => return Err(format!("`{name}` is a whole store and goes with nothing else (`{spec}`)")),
            Part::Encoding(_) => return Err(format!("`{spec}` names two ways of writing states down")),
            Part::Set(_) => return Err(format!("`{spec}` names two sets to keep states in")),
        }
    }
    let encoding = encoding.unwrap_or_else(|| Box::new(Full));
    let set = set.unwrap_or_else(|| Box::new(Hash::new(budget)));
    Ok(Box::new(Encoded::new(encoding, set)))
}

fn what_there_is() -> String {
    let list = |wanted: fn(&Part) -> bool| names(wanted).join(", ");
    let mut text = format!(
        "encodings are {}; sets are {}; combine them as ENCODING+SET",
        list(|part| matches!(part, Part::Encoding(_))),
        list(|part| matches!(part, Part::Set(_)))
    );
    let designs = list(|part| matches!(part, Part::Design(_)));
    if !designs.is_empty() {
        text.push_str(&format!("; designs of their own are {designs}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(spec: &str) -> String {
        make(spec, &Schema::default(), &Arc::new(Budget::unlimited())).err().expect("refused")
    }

    #[test]
    fn every_combination_can_be_made() {
        for spec in combinations() {
            let mut store = make(&spec, &Schema::default(), &Arc::new(Budget::unlimited())).unwrap();
            assert!(store.insert(&[], None).is_ok(), "{spec}");
        }
        assert!(make("hash", &Schema::default(), &Arc::new(Budget::unlimited())).is_ok());
        assert!(make("bits", &Schema::default(), &Arc::new(Budget::unlimited())).is_ok());
    }

    #[test]
    fn errors_say_what_there_is() {
        assert!(error("tabel").contains("full, bits"));
        assert!(error("").contains("hash"));
        assert!(error("full+bits").contains("two ways"));
        assert!(error("hash+hash").contains("two sets"));
        assert!(error("hash:3").contains("no parameter"));
    }
}
