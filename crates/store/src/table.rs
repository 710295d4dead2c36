//! What there is, and how it is made from its name.
//!
//! What is true of a store stands in its line: nothing elsewhere lists stores by name. A test asks the stores that are made.

use crate::cache::{self, Representation};
use crate::sets::Codes;
use crate::{
    Auto, Bdd, Bits, Bitstate, Caching, ComBack, ComBackPlan, Compact, Encode, Encoded, Full, HashTable, Mdd,
    SnapshotPlan, Snapshots, Tree, collapse, compress,
};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use tightrope_core::{Budget, Model, Schema, Store};

/// A line of the table.
pub struct StoreEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What may follow the name after a colon, for the help; empty where nothing may.
    pub parameter: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What it is, and how it is made.
    pub part: Part,
    /// What is true of it.
    pub facts: Facts,
    /// The stores with it that the command `stores` compares with others.
    pub compared: &'static [&'static str],
    /// The store with it whose needs are estimated when memory ran out. Not for stores that take whatever there is.
    pub estimated: Option<&'static str>,
    /// That `auto` may become it; then about the bytes that it takes before there is a state in it.
    pub fallback: Option<fn(&Schema) -> u64>,
}

/// What a store is made for. A store may hold on to all of it.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// What states look like.
    pub schema: &'a Arc<Schema>,
    /// The account of memory.
    pub budget: &'a Arc<Budget>,
    /// The seed of everything random.
    pub seed: u64,
    /// The model whose states they are, for a store that rebuilds states by its steps.
    pub model: Option<&'a dyn Model>,
}

/// What is true of a store whatever states it is given. Of an encoding: what it leaves true of any set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// No state is taken for another one.
    pub exact: bool,
    /// Every state can be read by its id ([`Store::can_read`]).
    pub readable: bool,
    /// States can be read in the order of insertion ([`Store::ordered`]), as long as it is not re-encoded.
    pub ordered: bool,
    /// It may re-encode its states ([`Store::reencode`]), which gives them new ids. Very large states it may have in its second
    /// form from the start, not ordered.
    pub reencodes: bool,
    /// Whether a cache can stand in its place ([`make_caching`]).
    pub cacheable: Cacheable,
    /// It is a diagram, which is small where codes are alike at the same places.
    pub diagram: bool,
    /// How long searches take.
    pub speed: Speed,
}

/// Which caches can stand in place of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cacheable {
    /// None.
    No,
    /// One of signatures, of which the store's parameter is the number of bits.
    Signatures,
    /// Every one.
    Codes,
}

/// How long searches take with a store, compared with the first of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speed {
    /// As long, or nearly.
    Fast,
    /// Up to twice as long.
    Moderate,
    /// Several times as long.
    Slow,
}

impl Facts {
    /// Everything can be had.
    const BEST: Facts = Facts {
        exact: true,
        readable: true,
        ordered: true,
        reencodes: false,
        cacheable: Cacheable::Codes,
        diagram: false,
        speed: Speed::Fast,
    };
    const MODERATE: Facts = Facts { speed: Speed::Moderate, ..Facts::BEST };
    const DIAGRAM: Facts = Facts {
        exact: true,
        readable: false,
        ordered: false,
        reencodes: false,
        cacheable: Cacheable::No,
        diagram: true,
        speed: Speed::Slow,
    };
    const LOSSY: Facts = Facts { exact: false, diagram: false, speed: Speed::Fast, ..Facts::DIAGRAM };

    /// What is true of two parts together.
    fn and(self, other: Facts) -> Facts {
        Facts {
            exact: self.exact && other.exact,
            readable: self.readable && other.readable,
            ordered: self.ordered && other.ordered,
            reencodes: self.reencodes || other.reencodes,
            cacheable: self.cacheable.min(other.cacheable),
            diagram: self.diagram || other.diagram,
            speed: self.speed.max(other.speed),
        }
    }
}

/// Makes an encoding.
type MakeEncoding = fn(Site<'_>) -> Box<dyn Encode>;
/// Makes a set for such codes, given its parameter.
type MakeSet = for<'a> fn(Option<&str>, Site<'a>, Codes) -> Result<Box<dyn Store + 'a>, String>;
/// Makes a store, given its parameter.
type MakeStore = for<'a> fn(Option<&str>, Site<'a>) -> Result<Box<dyn Store + 'a>, String>;

/// What an entry contributes to a store.
pub enum Part {
    /// A way of writing states down.
    Encoding(MakeEncoding),
    /// Something to keep them in: a store whose states are codes.
    Set(MakeSet),
    /// A whole store.
    Design(MakeStore),
}

/// Everything there is, exact and fast ones first. The first is what others are compared with, and the set where none is named.
pub static STORES: &[StoreEntry] = &[
    StoreEntry {
        name: "hash",
        parameter: "",
        about: "a hash table; exact",
        part: Part::Set(|_, site, codes| match codes.short {
            true => Ok(Box::new(HashTable::frugal(site.budget))),
            false => Ok(Box::new(HashTable::new(site.budget))),
        }),
        facts: Facts::BEST,
        compared: &["hash"],
        estimated: Some("hash"),
        fallback: None,
    },
    StoreEntry {
        name: "full",
        parameter: "",
        about: "states as they are",
        part: Part::Encoding(|_| Box::new(Full)),
        facts: Facts::BEST,
        compared: &[],
        estimated: None,
        fallback: None,
    },
    StoreEntry {
        name: "bits",
        parameter: "",
        about: "every variable in just the bits that its range needs",
        part: Part::Encoding(|site| Box::new(Bits::new(site.schema, site.budget))),
        facts: Facts::BEST,
        compared: &["bits"],
        estimated: Some("bits"),
        fallback: None,
    },
    StoreEntry {
        name: "compress",
        parameter: "",
        about: "every four bytes through a table of their own",
        part: Part::Encoding(|site| Box::new(compress(site.schema, site.budget))),
        facts: Facts::MODERATE,
        compared: &["compress"],
        estimated: Some("compress"),
        fallback: None,
    },
    StoreEntry {
        name: "collapse",
        parameter: "",
        about: "processes, channels and globals through tables",
        part: Part::Encoding(|site| Box::new(collapse(site.schema, site.budget))),
        facts: Facts::MODERATE,
        compared: &["collapse"],
        estimated: Some("collapse"),
        fallback: Some(|_| 0),
    },
    StoreEntry {
        name: "tree",
        parameter: "",
        about: "parts of states shared in a tree of pairs; exact, a few bytes per state",
        part: Part::Design(|_, site| Ok(Box::new(Tree::new(site.schema, site.budget)))),
        facts: Facts { ordered: false, cacheable: Cacheable::No, ..Facts::MODERATE },
        compared: &["tree"],
        estimated: Some("tree"),
        fallback: Some(Tree::fixed_bytes),
    },
    StoreEntry {
        name: "comback",
        parameter: "PLAN",
        about: "hashes and the steps that lead to states, which are rebuilt to be compared; exact, about six bytes per state however large",
        part: Part::Design(|parameter, site| {
            let plan = parameter.map_or(Ok(ComBackPlan::DEFAULT), ComBackPlan::parse)?;
            Ok(Box::new(ComBack::new(plan, site)?))
        }),
        facts: Facts { cacheable: Cacheable::No, ..Facts::MODERATE },
        compared: &["comback:F20-D80,cache=1%"],
        estimated: None,
        fallback: None,
    },
    StoreEntry {
        name: "mdd",
        parameter: "",
        about: "a minimal automaton over the bytes of states; exact, small where states are regular, slow",
        part: Part::Set(|_, site, _| Ok(Box::new(Mdd::new(site.budget)))),
        facts: Facts::DIAGRAM,
        compared: &["mdd", "bits+mdd", "collapse+mdd"],
        estimated: Some("mdd"),
        fallback: None,
    },
    StoreEntry {
        name: "bdd",
        parameter: "ORDER",
        about: "a zero-suppressed decision diagram over the bits of states; exact, small where states are regular, slow",
        part: Part::Set(|parameter, site, _| Ok(Box::new(Bdd::new(Bdd::order(parameter)?, site.budget)))),
        facts: Facts::DIAGRAM,
        compared: &["bdd", "collapse+bdd"],
        estimated: Some("collapse+bdd"),
        fallback: None,
    },
    StoreEntry {
        name: "compact",
        parameter: "BITS",
        about: "hash compaction: signatures of 40 bits, or as many as are named; leaves states out with a known probability",
        part: Part::Set(|parameter, site, _| {
            Ok(Box::new(Compact::new(signature_bits(parameter)?, site.seed, site.budget)))
        }),
        facts: Facts { cacheable: Cacheable::Signatures, ..Facts::LOSSY },
        compared: &["compact"],
        estimated: Some("compact"),
        fallback: None,
    },
    StoreEntry {
        name: "bitstate",
        parameter: "K",
        about: "bit-state hashing: 3 bits for a state, or as many as are named; leaves states out",
        part: Part::Set(|parameter, site, _| {
            let bits = number(parameter, "bits for a state", Bitstate::BITS, 1..=16)?;
            Ok(Box::new(Bitstate::new(bits, site.seed, site.budget)))
        }),
        facts: Facts::LOSSY,
        compared: &["bitstate"],
        estimated: None,
        fallback: None,
    },
    StoreEntry {
        name: "auto",
        parameter: "STATES",
        about: "begins as `hash`, and becomes `tree` or `collapse` when memory runs out, or at so many states; exact",
        part: Part::Design(|parameter, site| {
            let most = number(parameter, "states", u64::MAX, 1..=u64::MAX)?;
            Ok(Box::new(Auto::new(most, site)))
        }),
        facts: Facts { reencodes: true, ..Facts::BEST },
        compared: &["auto"],
        estimated: None,
        fallback: None,
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

fn signature_bits(parameter: Option<&str>) -> Result<u32, String> {
    number(parameter, "signature bits", Compact::BITS, 8..=64)
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

/// What a specification names: an encoding or none, and a set or a design, with its parameter.
struct Named<'s> {
    encoding: Option<&'static StoreEntry>,
    keeper: &'static StoreEntry,
    parameter: Option<&'s str>,
}

impl Named<'_> {
    /// Reads `ENCODING+SET`, either of the two alone, or a design; a part may have a parameter, as in `NAME:PARAMETER`. The error
    /// is a sentence for people.
    fn parse(spec: &str) -> Result<Named<'_>, String> {
        let mut encoding = None;
        let mut keeper = None;
        let parts: Vec<&str> = spec.split('+').map(str::trim).collect();
        for part in &parts {
            let (entry, parameter) = entry_of(part)?;
            match &entry.part {
                Part::Encoding(_) if encoding.is_none() => encoding = Some(entry),
                Part::Encoding(_) => return Err(format!("`{spec}` names two ways of writing states down")),
                Part::Design(_) if parts.len() > 1 => {
                    return Err(format!("`{}` cannot be combined with another store (`{spec}`)", entry.name));
                }
                Part::Set(_) if keeper.is_some() => return Err(format!("`{spec}` names two sets to keep states in")),
                Part::Set(_) | Part::Design(_) => keeper = Some((entry, parameter)),
            }
        }
        let (keeper, parameter) = keeper.unwrap_or((&STORES[0], None));
        Ok(Named { encoding, keeper, parameter })
    }

    fn facts(&self) -> Facts {
        self.encoding.map_or(self.keeper.facts, |encoding| encoding.facts.and(self.keeper.facts))
    }

    /// The encoding; none where codes are the states.
    fn encoding(&self, site: Site<'_>) -> Option<Box<dyn Encode>> {
        match self.encoding.map(|entry| &entry.part) {
            Some(Part::Encoding(make)) => Some(make(site)).filter(|encoding| !encoding.is_identity()),
            _ => None,
        }
    }
}

/// The entry that a part of a specification names, and the parameter it gives.
fn entry_of(part: &str) -> Result<(&'static StoreEntry, Option<&str>), String> {
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

/// What is true of the store that `spec` describes ([`make`]).
pub fn facts(spec: &str) -> Result<Facts, String> {
    Named::parse(spec).map(|named| named.facts())
}

/// The bytes that a store may need for each field of a state, whatever states there are: where it lies, how wide it is.
pub(crate) fn plan_bytes(schema: &Schema) -> u64 {
    let fields = schema.fixed.len() + schema.kinds.iter().map(|kind| kind.fields.len()).sum::<usize>();
    64 * fields as u64
}

/// Makes the store that `spec` describes: `ENCODING+SET`, either of the two alone, or a design of its own; a part may
/// have a parameter, as in `NAME:PARAMETER`. The error is a sentence for people.
pub fn make<'a>(spec: &str, site: Site<'a>) -> Result<Box<dyn Store + 'a>, String> {
    let named = Named::parse(spec)?;
    let make = match &named.keeper.part {
        Part::Design(make) => return make(named.parameter, site),
        Part::Set(make) => make,
        Part::Encoding(_) => unreachable!("a set or a design keeps states"),
    };
    let Some(mut encoding) = named.encoding(site) else {
        return make(named.parameter, site, Codes::default());
    };
    if named.keeper.facts.diagram {
        encoding.align();
    }
    let codes = Codes { short: encoding.is_short() };
    Ok(Box::new(Encoded::new(encoding, make(named.parameter, site, codes)?)))
}

/// Makes the store that `spec` describes, but with a cache in place of its set, or of a design that can be replaced by one. The
/// error is a sentence for people.
pub fn make_caching<'a>(spec: &str, caching: &Caching, site: Site<'a>) -> Result<Box<dyn Store + 'a>, String> {
    let of_signatures = STORES.iter().filter(|entry| entry.facts.cacheable == Cacheable::Signatures);
    let others: String = of_signatures.map(|entry| format!(", `{}`", entry.name)).collect();
    in_place_of_set(spec, "a cache goes", Some(&others), site, |kept, has_tables| {
        cache::make(caching, kept, has_tables, site)
    })
}

/// The same with a set that remembers levels, for breadth-first search.
pub fn make_with_snapshots<'a>(spec: &str, plan: &SnapshotPlan, site: Site<'a>) -> Result<Box<dyn Store + 'a>, String> {
    in_place_of_set(spec, "snapshots go", None, site, |_, _| Ok(Box::new(Snapshots::new(plan, site))))
}

/// Makes the store that `spec` describes with another set in place of its own. `what_goes` is for the error, and so are the `others`
/// in whose place a set of signatures can be, if one can. `set` is told what is to be kept of codes, and whether the encoding has tables
/// that grow.
fn in_place_of_set<'a>(
    spec: &str,
    what_goes: &str,
    others: Option<&str>,
    site: Site<'a>,
    set: impl FnOnce(Representation, bool) -> Result<Box<dyn Store + 'a>, String>,
) -> Result<Box<dyn Store + 'a>, String> {
    let named = Named::parse(spec)?;
    let kept = match (named.facts().cacheable, named.parameter) {
        (Cacheable::Signatures, parameter) if others.is_some() => Representation::Signature(signature_bits(parameter)?),
        (Cacheable::Codes, None) => Representation::Code,
        _ => {
            let encodings = names(|part| matches!(part, Part::Encoding(_))).join("`, `");
            let (name, hash, others) = (named.keeper.name, STORES[0].name, others.unwrap_or(""));
            return Err(format!("`{name}` cannot evict states: {what_goes} with `{encodings}`, `{hash}`{others}"));
        }
    };
    let encoding = named.encoding(site);
    let set = set(kept, encoding.as_ref().is_some_and(|encoding| encoding.has_tables()))?;
    Ok(match encoding {
        Some(encoding) => Box::new(Encoded::new(encoding, set)),
        None => set,
    })
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
        text.push_str(&format!("; {designs} cannot be combined"));
    }
    text
}

#[cfg(test)]
mod tests;
