//! What there is, and how it is made from its name.

use crate::{
    Auto, Bdd, Bits, Bitstate, Cache, Caching, Compact, Encode, Encoded, Full, Hash, Mdd, Set, Tree, collapse, compress,
};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
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

/// What a store is made for.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// What states look like.
    pub schema: &'a Arc<Schema>,
    /// The account of memory.
    pub budget: &'a Arc<Budget>,
    /// The seed of everything random.
    pub seed: u64,
}

/// Makes a set, given its parameter.
type MakeSet = fn(Option<&str>, Site<'_>) -> Result<Box<dyn Set>, String>;
/// Makes a store, given its parameter.
type MakeStore = fn(Option<&str>, Site<'_>) -> Result<Box<dyn Store>, String>;

/// What an entry contributes to a store.
pub enum Part {
    /// A way of writing states down.
    Encoding(fn(Site<'_>) -> Box<dyn Encode>),
    /// Something to keep them in.
    Set(MakeSet),
    /// A whole store.
    Design(MakeStore),
}

/// Everything there is. Where a part is not named, `full` and `hash` are taken.
pub static STORES: &[Entry] = &[
    Entry { name: "full", parameter: "", about: "states as they are", part: Part::Encoding(|_| Box::new(Full)) },
    Entry {
        name: "bits",
        parameter: "",
        about: "every variable in just the bits that its range needs",
        part: Part::Encoding(|site| Box::new(Bits::new(site.schema, site.budget))),
    },
    Entry {
        name: "compress",
        parameter: "",
        about: "every four bytes through a table of their own",
        part: Part::Encoding(|site| Box::new(compress(site.schema, site.budget))),
    },
    Entry {
        name: "collapse",
        parameter: "",
        about: "processes, channels and globals through tables",
        part: Part::Encoding(|site| Box::new(collapse(site.schema, site.budget))),
    },
    Entry {
        name: "hash",
        parameter: "",
        about: "a hash table; exact",
        part: Part::Set(|_, site| Ok(Box::new(Hash::new(site.budget)))),
    },
    Entry {
        name: "compact",
        parameter: "BITS",
        about: "hash compaction: signatures of 40 bits, or as many as are named; leaves states out with a known probability",
        part: Part::Set(|parameter, site| {
            let bits = number(parameter, "signature bits", Compact::BITS, 8..=64)?;
            Ok(Box::new(Compact::new(bits, site.seed, site.budget)))
        }),
    },
    Entry {
        name: "bitstate",
        parameter: "K",
        about: "bit-state hashing: 3 bits for a state, or as many as are named; leaves states out",
        part: Part::Set(|parameter, site| {
            let bits = number(parameter, "bits for a state", Bitstate::BITS, 1..=16)?;
            Ok(Box::new(Bitstate::new(bits, site.seed, site.budget)))
        }),
    },
    Entry {
        name: "mdd",
        parameter: "",
        about: "a minimal automaton over the bytes of states; exact, small where states are regular, slow",
        part: Part::Set(|_, site| Ok(Box::new(Mdd::new(site.budget)))),
    },
    Entry {
        name: "bdd",
        parameter: "ORDER",
        about: "a zero-suppressed decision diagram over the bits of states; exact, small where states are regular, slow",
        part: Part::Set(|parameter, site| Ok(Box::new(Bdd::new(Bdd::order(parameter)?, site.budget)))),
    },
    Entry {
        name: "auto",
        parameter: "STATES",
        about: "begins as `hash`, and becomes `tree` or `collapse` when memory runs out, or at so many states; exact",
        part: Part::Design(|parameter, site| {
            let most = number(parameter, "states", u64::MAX, 1..=u64::MAX)?;
            Ok(Box::new(Auto::new(most, site)))
        }),
    },
    Entry {
        name: "tree",
        parameter: "",
        about: "parts of states shared in a tree of pairs; exact, a few bytes per state",
        part: Part::Design(|_, site| Ok(Box::new(Tree::new(site.schema, site.budget)))),
    },
];

/// A parameter that is a number.
fn number<N: Display + FromStr + PartialOrd>(
    given: Option<&str>,
    what: &str,
    default: N,
    range: RangeInclusive<N>,
) -> Result<N, String> {
    let Some(given) = given else { return Ok(default) };
    let number = given.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("{what} must be {} to {}, not `{given}`", range.start(), range.end()))
}

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

/// The entry that a part of a specification names, and the parameter it gives.
fn entry_of(part: &str) -> Result<(&'static Entry, Option<&str>), String> {
    let (name, parameter) = match part.split_once(':') {
        Some((name, parameter)) => (name, Some(parameter)),
        None => (part, None),
    };
    let Some(entry) = STORES.iter().find(|entry| entry.name == name) else {
        return Err(format!("there is no store `{name}`; {}", what_there_is()));
    };
    if parameter.is_some() && entry.parameter.is_empty() {
        return Err(format!("the store `{name}` takes no parameter, but `{part}` gives one"));
    }
    Ok((entry, parameter))
}

/// The bytes that a store may need for each field of a state, whatever states there are: where it lies, how wide it is.
pub(crate) fn plan_bytes(schema: &Schema) -> u64 {
    let fields = schema.fixed.len() + schema.kinds.iter().map(|kind| kind.fields.len()).sum::<usize>();
    64 * fields as u64
}

/// Makes the store that `spec` describes: `ENCODING+SET`, either of the two alone, or a design of its own; a part may
/// have a parameter, as in `NAME:PARAMETER`. The error is a sentence for people.
pub fn make(spec: &str, site: Site<'_>) -> Result<Box<dyn Store>, String> {
    let mut encoding = None;
    let mut set = None;
    let parts: Vec<&str> = spec.split('+').map(str::trim).collect();
    for part in &parts {
        let (entry, parameter) = entry_of(part)?;
        let name = entry.name;
        match &entry.part {
            Part::Encoding(make) if encoding.is_none() => encoding = Some(make(site)),
            Part::Set(make) if set.is_none() => set = Some(make(parameter, site)?),
            Part::Design(make) if parts.len() == 1 => return make(parameter, site),
            Part::Design(_) => return Err(format!("`{name}` is a whole store and goes with nothing else (`{spec}`)")),
            Part::Encoding(_) => return Err(format!("`{spec}` names two ways of writing states down")),
            Part::Set(_) => return Err(format!("`{spec}` names two sets to keep states in")),
        }
    }
    let encoding = encoding.unwrap_or_else(|| Box::new(Full));
    let set = set.unwrap_or_else(|| Box::new(Hash::new(site.budget)));
    Ok(Box::new(Encoded::new(encoding, set)))
}

/// Makes the store that `spec` describes, but with a set that forgets in place of `hash`; `auto` is taken for `hash`. The
/// error is a sentence for people.
pub fn make_caching(spec: &str, caching: &Caching, site: Site<'_>) -> Result<Box<dyn Store>, String> {
    let mut encoding = None;
    let mut sets = 0;
    for part in spec.split('+').map(str::trim) {
        match entry_of(part)? {
            (Entry { part: Part::Encoding(make), .. }, _) if encoding.is_none() => encoding = Some(make(site)),
            (Entry { part: Part::Encoding(_), .. }, _) => {
                return Err(format!("`{spec}` names two ways of writing states down"));
            }
            (Entry { name: "hash", .. }, _) if sets == 0 => sets = 1,
            (Entry { name: "auto", .. }, None) if spec.trim() == "auto" => {}
            (entry, _) => {
                let encodings = names(|part| matches!(part, Part::Encoding(_))).join(", ");
                let name = entry.name;
                return Err(format!("`{name}` cannot forget states: a cache goes with {encodings} and `hash`"));
            }
        }
    }
    let set = Box::new(Cache::new(caching, site)?);
    Ok(Box::new(Encoded::new(encoding.unwrap_or_else(|| Box::new(Full)), set)))
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
    use crate::Bound;

    fn made(spec: &str) -> Result<Box<dyn Store>, String> {
        let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::unlimited()));
        make(spec, Site { schema: &schema, budget: &budget, seed: 1 })
    }

    fn error(spec: &str) -> String {
        made(spec).err().expect("refused")
    }

    #[test]
    fn every_combination_can_be_made() {
        for spec in combinations() {
            assert!(made(&spec).unwrap().insert(&[], None).is_ok(), "{spec}");
        }
        assert!(made("hash").is_ok());
        assert!(made("bits").is_ok());
        assert!(made("bits+compact:32").is_ok());
        assert!(made("collapse+bdd:reverse").is_ok());
    }

    #[test]
    fn caches_replace_hash_and_nothing_else() {
        let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::unlimited()));
        let site = Site { schema: &schema, budget: &budget, seed: 1 };
        let made = |spec: &str, bound, replace: &str| {
            make_caching(spec, &Caching { bound, replace: replace.into() }, site).map(|mut store| {
                assert!(store.forgets().is_some() && store.ordered().is_none());
            })
        };
        for spec in ["auto", "hash", "full", "bits", "bits+hash", "compress", "collapse"] {
            assert_eq!(made(spec, Bound::States(3), "random"), Ok(()), "{spec}");
        }
        for spec in ["tree", "mdd", "bits+mdd", "compact", "bitstate:2", "auto:100", "hash+hash", "full+auto"] {
            let error = made(spec, Bound::Bytes(1 << 20), "lru").expect_err(spec);
            assert!(error.contains("cannot forget"), "{spec}: {error}");
        }
        assert!(made("full+bits", Bound::States(3), "lru").is_err_and(|why| why.contains("two ways")));
        assert!(made("hush", Bound::States(3), "lru").is_err_and(|why| why.contains("no store")));
        assert!(made("hash", Bound::States(0), "lru").is_err());
        for replace in ["type:7", "stratified:4", "mfu:25,lru:75", "stratified:4:30,random:70", "fifo:20,lfu:30,mru:50"]
        {
            assert_eq!(made("bits", Bound::States(3), replace), Ok(()), "{replace}");
        }
        for (replace, why) in [
            ("lur", "no replacement strategy"),
            ("lru:3", "takes no number"),
            ("type:0", "no number"),
            ("type:3:4", "gives more"),
            ("lru,fifo:50", "no share"),
            ("lru:50,fifo:60", "make 110"),
            ("", "no replacement strategy"),
        ] {
            let error = made("bits", Bound::States(3), replace).expect_err(replace);
            assert!(error.contains(why), "{replace}: {error}");
        }
    }

    #[test]
    fn errors_say_what_there_is() {
        assert!(error("tabel").contains("full, bits"));
        assert!(error("").contains("hash"));
        assert!(error("full+bits").contains("two ways"));
        assert!(error("hash+hash").contains("two sets"));
        assert!(error("hash:3").contains("no parameter"));
        assert!(error("compact:7").contains("must be 8 to 64"));
        assert!(error("bdd:random").contains("vector, reverse, interleave"));
        assert!(error("bitstate:x").contains("not `x`"));
    }
}
