//! What the table says is what its stores do.

use super::*;
use crate::Bound;
use tightrope_core::{Claim, Fired, Scratch, Step, StepText, Successors};

/// A model without states, for stores that want one.
struct Nothing(Arc<Schema>);

impl Model for Nothing {
    fn schema(&self) -> &Arc<Schema> {
        &self.0
    }
    fn initial(&self, _: &mut dyn FnMut(&[u8])) {}
    fn expand(&self, _: &[u8], _: &mut Successors) {}
    fn fire(&self, _: &[u8], _: Step, _: &mut Vec<u8>, _: &mut Scratch) -> Fired {
        Fired::Disabled
    }
    fn describe(&self, _: &[u8], _: Step, _: &mut dyn FnMut(StepText)) {}
}

/// Makes a store for `each`, or says why not.
fn made<R>(spec: &str, each: impl FnOnce(&mut dyn Store) -> R) -> Result<R, String> {
    let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::unlimited()));
    let model = Nothing(schema.clone());
    let mut store = make(spec, Site { schema: &schema, budget: &budget, seed: 1, model: Some(&model) })?;
    Ok(each(store.as_mut()))
}

/// The same with a cache.
fn made_caching<R>(spec: &str, bound: Bound, replace: &str, each: fn(&mut dyn Store) -> R) -> Result<R, String> {
    let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::unlimited()));
    let site = Site { schema: &schema, budget: &budget, seed: 1, model: None };
    let mut store = make_caching(spec, &Caching { bound, replace: replace.into() }, site)?;
    Ok(each(store.as_mut()))
}

fn error(spec: &str) -> String {
    made(spec, |_| ()).expect_err("refused")
}

#[test]
fn every_combination_can_be_made() {
    for spec in combinations() {
        assert!(made(&spec, |store| store.insert(&[], None).is_ok()).unwrap(), "{spec}");
    }
    for spec in ["hash", "bits", "bits+compact:32", "collapse+bdd:reverse"] {
        assert!(made(spec, |_| ()).is_ok(), "{spec}");
    }
}

#[test]
fn facts_are_what_the_stores_say() {
    for spec in combinations() {
        let facts = facts(&spec).unwrap();
        made(&spec, |store| {
            assert_eq!(store.claim() == Claim::Exact, facts.exact, "{spec}");
            assert_eq!(store.can_read(), facts.readable, "{spec}");
            assert_eq!(store.ordered().is_some(), facts.ordered, "{spec}");
            assert_eq!(store.nodes().is_some(), facts.diagram, "{spec}");
            assert!(store.evicts().is_none(), "{spec}: only a cache evicts");
        })
        .unwrap();
        let evicts = |replace| {
            let evicts = made_caching(&spec, Bound::States(3), replace, |store| store.evicts().is_some());
            evicts.is_ok_and(|evicts| evicts)
        };
        assert_eq!(evicts("lru"), facts.cacheable == Cacheable::Codes, "{spec}");
        assert_eq!(evicts("level"), facts.cacheable >= Cacheable::Signatures, "{spec}");
    }
    assert_eq!(STORES[0].facts, Facts::BEST, "what others are compared with");
}

#[test]
fn what_a_line_names_has_it() {
    for entry in STORES {
        for spec in entry.compared.iter().chain(&entry.estimated) {
            let named = Named::parse(spec).unwrap();
            let parts = [named.encoding, Some(named.keeper)].into_iter().flatten();
            assert!(parts.map(|part| part.name).any(|name| name == entry.name), "{spec} has no {}", entry.name);
        }
        assert!(entry.fallback.is_none() || facts(entry.name).unwrap().exact, "{}", entry.name);
    }
}

#[test]
fn caches_stand_in_place_of_what_can_be_replaced() {
    let made = |spec: &str, bound, replace: &str| {
        made_caching(spec, bound, replace, |store| assert!(store.evicts().is_some() && store.ordered().is_none()))
    };
    for spec in ["auto", "hash", "full", "bits", "bits+hash", "compress", "collapse"] {
        assert_eq!(made(spec, Bound::States(3), "random"), Ok(()), "{spec}");
    }
    for spec in ["tree", "comback", "comback:F", "mdd", "bits+mdd", "bitstate:2", "auto:100"] {
        let error = made(spec, Bound::Bytes(1 << 20), "lru").expect_err(spec);
        assert!(error.contains("cannot evict"), "{spec}: {error}");
    }
    for (spec, why) in [
        ("full+bits", "two ways"),
        ("hash+hash", "two sets"),
        ("full+auto", "cannot be combined"),
        ("hush", "no store"),
    ] {
        assert!(made(spec, Bound::States(3), "lru").is_err_and(|error| error.contains(why)), "{spec}");
    }
    assert!(made("hash", Bound::States(0), "lru").is_err());
    for replace in ["level", "direct", "level:3"] {
        assert_eq!(made("bits+compact:32", Bound::Bytes(1 << 20), replace), Ok(()), "{replace}");
    }
    assert!(made("compact", Bound::States(3), "lru").is_err_and(|error| error.contains("slots")));
    for replace in ["type:7", "stratified:4", "mfu:25,lru:75", "stratified:4:30,random:70", "fifo:20,lfu:30,mru:50"] {
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
        ("level:0", "no number of slots"),
        ("level:50,lru:50", "one of several tiers"),
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
    assert!(error("comback:F20-D70").contains("caching strategy"));
    assert!(error("bits+comback").contains("cannot be combined"));
    let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::unlimited()));
    let without = make("comback", Site { schema: &schema, budget: &budget, seed: 1, model: None });
    assert!(without.is_err_and(|error| error.contains("model")));
}

/// What a line says of other stores is what their lines say.
#[test]
fn what_auto_becomes_is_in_its_line() {
    let auto = STORES.iter().find(|entry| entry.facts.reencodes).expect("there is one");
    for entry in STORES {
        let named = auto.about.contains(&format!("`{}`", entry.name));
        assert_eq!(named, entry.fallback.is_some() || entry.name == STORES[0].name, "{}", entry.name);
    }
}
