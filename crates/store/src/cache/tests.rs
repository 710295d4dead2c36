//! Caches of all kinds, compared with plain models of them.

use super::entry::CacheEntry;
use super::replacement::Random;
use super::replacement::Tiers;
use super::*;
use tightrope_core::Schema;

fn site<'a>(schema: &'a Arc<Schema>, budget: &'a Arc<Budget>) -> Site<'a> {
    Site { schema, budget, seed: 7, model: None }
}

fn cache(bound: Bound, replace: &str, budget: &Arc<Budget>) -> Cache {
    let schema = Arc::<Schema>::default();
    let caching = Caching { bound, replace: replace.into() };
    Cache::new(&caching, site(&schema, budget)).expect("a strategy of the table")
}

/// Everything that is deterministic, and tiers of it.
const PLAIN: [&str; 5] = ["fifo", "lru", "mru", "lfu", "mfu"];
const ALL: [&str; 14] = [
    "random",
    "type",
    "type:3",
    "fifo",
    "lru",
    "mru",
    "lfu",
    "mfu",
    "stratified",
    "stratified:2",
    "mfu:25,lru:75",
    "random:50,lru:50",
    "type:4:30,stratified:5:70",
    "fifo:20,lfu:30,mru:50",
];

/// A state as a plain model of a strategy sees it: when it was left, when it was left or met last, how often it was met.
#[derive(Clone, Copy)]
struct Modelled {
    number: u32,
    entered: u64,
    touched: u64,
    uses: u64,
}

/// Which state a strategy evicts, by its definition.
fn first_to_go(strategy: &str, states: &[Modelled]) -> Option<usize> {
    let all = states.iter().enumerate();
    let found = match strategy {
        "fifo" => all.min_by_key(|(_, state)| state.entered),
        "lru" => all.min_by_key(|(_, state)| state.touched),
        "mru" => all.max_by_key(|(_, state)| state.touched),
        "lfu" => all.min_by_key(|(_, state)| (state.uses.min(255), state.touched)),
        "mfu" => all.min_by_key(|(_, state)| (255 - state.uses.min(255), state.touched)),
        other => panic!("{other}"),
    };
    found.map(|(at, _)| at)
}

/// Tiers by their definition.
struct Plain {
    strategies: Vec<(&'static str, usize)>,
    tiers: Vec<Vec<Modelled>>,
    now: u64,
}

impl Plain {
    fn enter(&mut self, tier: usize, number: u32, uses: u64) {
        self.now += 1;
        self.tiers[tier].push(Modelled { number, entered: self.now, touched: self.now, uses });
    }

    fn leave(&mut self, number: u32) -> u64 {
        for tier in &mut self.tiers {
            if let Some(at) = tier.iter().position(|state| state.number == number) {
                return tier.remove(at).uses;
            }
        }
        panic!("{number} is nowhere");
    }

    fn meet(&mut self, number: u32) {
        self.now += 1;
        let state = self.tiers.iter_mut().flatten().find(|state| state.number == number).expect("it is there");
        state.touched = self.now;
        state.uses += 1;
    }

    fn next(&mut self) -> Option<u32> {
        let all: usize = self.tiers.iter().map(Vec::len).sum();
        for at in 1..self.tiers.len() {
            let (strategy, share) = self.strategies[at - 1];
            while self.tiers[at - 1].len() > share * all / 100 {
                let first = first_to_go(strategy, &self.tiers[at - 1])?;
                let state = self.tiers[at - 1].remove(first);
                self.enter(at, state.number, state.uses);
            }
        }
        for (tier, (strategy, _)) in self.tiers.iter_mut().zip(&self.strategies).rev() {
            if let Some(first) = first_to_go(strategy, tier) {
                return Some(tier.remove(first).number);
            }
        }
        None
    }
}

/// States enter, leave, are met and evicted at random, and always the one goes that the definition says.
fn agrees_with_its_definition(spec: &str, strategies: Vec<(&'static str, usize)>) {
    let budget = Arc::new(Budget::unlimited());
    let mut tiers = Tiers::parse(spec, &budget).expect("a strategy");
    let mut plain = Plain { tiers: vec![Vec::new(); strategies.len()], strategies, now: 0 };
    let mut random = Random::new(3);
    let mut outside: Vec<u32> = (0..60).collect();
    let mut inside: Vec<u32> = Vec::new();
    let mut entries = [CacheEntry { uses: 1, ..CacheEntry::default() }; 60];
    let mut uses = [1u64; 60];
    for _ in 0..60_000 {
        match random.below(if inside.len() < 30 { 7 } else { 12 }) {
            0..=3 if !outside.is_empty() => {
                let number = outside.swap_remove(random.below(outside.len()));
                tiers.enter(number, &mut entries);
                plain.enter(0, number, uses[number as usize]);
                inside.push(number);
            }
            4 | 5 if !inside.is_empty() => {
                // Some are met far more often than others.
                let number = inside[random.below(inside.len()).min(random.below(inside.len()))];
                tiers.meet(number, &mut entries);
                plain.meet(number);
            }
            6 if !inside.is_empty() => {
                let number = inside.swap_remove(random.below(inside.len()));
                tiers.leave(number, &mut entries);
                uses[number as usize] = plain.leave(number);
                outside.push(number);
            }
            _ => {
                let gone = tiers.next(&mut entries, &mut random);
                assert_eq!(gone, plain.next(), "{spec}");
                if let Some(number) = gone {
                    inside.retain(|&one| one != number);
                    outside.push(number);
                    entries[number as usize].uses = 1;
                    uses[number as usize] = 1;
                }
            }
        }
        assert_eq!(tiers.len(), inside.len());
    }
}

#[test]
fn the_right_state_goes() {
    for strategy in PLAIN {
        agrees_with_its_definition(strategy, vec![(strategy, 100)]);
        for other in PLAIN {
            for share in [10, 25, 75] {
                let spec = format!("{strategy}:{share},{other}:{}", 100 - share);
                agrees_with_its_definition(&spec, vec![(strategy, share), (other, 100 - share)]);
            }
        }
    }
    agrees_with_its_definition("fifo:20,lfu:30,mru:50", vec![("fifo", 20), ("lfu", 30), ("mru", 50)]);
}

/// What is drawn is spread evenly; of those that are looked at the highest kind goes; kept depths go last.
#[test]
fn chance_is_fair_and_bound_by_its_rules() {
    let budget = Arc::new(Budget::unlimited());
    let mut random = Random::new(5);
    let mut drawn = [0u32; 50];
    for _ in 0..20_000 {
        let mut tiers = Tiers::parse("random", &budget).expect("a strategy");
        let mut entries = [CacheEntry::default(); 50];
        tiers.make_room(50).unwrap();
        (0..50).for_each(|number| tiers.enter(number, &mut entries));
        tiers.leave(13, &mut entries);
        tiers.leave(49, &mut entries);
        drawn[tiers.next(&mut entries, &mut random).unwrap() as usize] += 1;
    }
    assert_eq!((drawn[13], drawn[49]), (0, 0));
    assert!(
        drawn.iter().enumerate().all(|(at, &count)| at == 13 || at == 49 || (300..550).contains(&count)),
        "{drawn:?}"
    );

    // A look at all of them takes the kinds in order, from the highest down; one look takes any.
    for (spec, most_wrong) in [("type:1000", 0), ("type:20", 15)] {
        let mut tiers = Tiers::parse(spec, &budget).expect("a strategy");
        assert!(tiers.by_class);
        let mut entries: Vec<CacheEntry> =
            (0..100).map(|at| CacheEntry { class: at % 5, ..CacheEntry::default() }).collect();
        tiers.make_room(100).unwrap();
        (0..100).for_each(|number| tiers.enter(number, &mut entries));
        let order: Vec<u8> =
            std::iter::from_fn(|| tiers.next(&mut entries, &mut random)).map(|number| number as u8 % 5).collect();
        assert_eq!(order.len(), 100);
        let wrong = order.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!(wrong <= most_wrong, "{spec}: {wrong} times a higher kind went later");
    }

    let mut tiers = Tiers::parse("stratified:4", &budget).expect("a strategy");
    assert_eq!(tiers.period, 4);
    let mut entries: Vec<CacheEntry> =
        (0..100).map(|at| CacheEntry { stratum: u8::from(at % 4 == 0), ..CacheEntry::default() }).collect();
    tiers.make_room(100).unwrap();
    (0..100).for_each(|number| tiers.enter(number, &mut entries));
    let order: Vec<u32> = std::iter::from_fn(|| tiers.next(&mut entries, &mut random)).collect();
    assert!(order[..75].iter().all(|number| number % 4 != 0) && order[75..].iter().all(|number| number % 4 == 0));
}

/// A code of one of many lengths.
fn code(number: u64) -> Vec<u8> {
    let length = match number % 61 {
        0 => 0,
        1 => 127 + number as usize % 3,
        2 => 5000,
        _ => number as usize % 50,
    };
    let mut code = vec![number as u8; length];
    code.extend_from_slice(&number.to_le_bytes());
    code
}

/// A walk as a depth-first search makes it: what is pinned is never evicted, everything that is remembered is found under its
/// id and reads back, and the bound is kept, but for what is pinned.
fn walk(cache: &mut Cache, most: Option<u64>, rounds: u64, seed: u64) -> Result<(), Refused> {
    let mut random = Random::new(seed);
    let mut path: Vec<(StateId, u64)> = Vec::new();
    let mut room = Vec::new();
    for round in 0..rounds {
        let deep = 20 + 30 * (round / 4000 % 3) as usize;
        if path.len() > random.below(deep) {
            let (id, number) = path.pop().expect("not empty");
            assert!(cache.read(id, &mut room) && room == code(number));
            cache.release(id);
            continue;
        }
        let number = random.below(400) as u64;
        match cache.insert(&code(number), None)? {
            Found::New(id) => {
                assert!(path.iter().all(|&(_, other)| other != number), "what is pinned was evicted");
                cache.pin(id);
                path.push((id, number));
            }
            Found::Seen(id) => {
                assert!(cache.read(id, &mut room) && room == code(number));
                cache.reached(id, StepClass::new(random.below(5) as u8));
                if number.is_multiple_of(10) {
                    // Also twice on the path, or again after it was left.
                    cache.pin(id);
                    path.push((id, number));
                }
            }
            Found::Undecided | Found::Nowhere => panic!("it knows"),
        }
        if let Some(most) = most {
            assert!(cache.len() <= most.max(path.len() as u64 + 1), "{} members, {} pinned", cache.len(), path.len());
        }
        assert!(
            path.iter()
                .all(|&(id, number)| { round % 50 != 0 || cache.insert(&code(number), None) == Ok(Found::Seen(id)) })
        );
    }
    while let Some((id, _)) = path.pop() {
        cache.release(id);
    }
    Ok(())
}

#[test]
fn what_is_pinned_stays_and_the_bound_is_kept() {
    for (at, replace) in ALL.into_iter().enumerate() {
        for most in [1, 2, 10, 50, 150, 1000] {
            let budget = Arc::new(Budget::unlimited());
            let mut cache = cache(Bound::States(most), replace, &budget);
            walk(&mut cache, Some(most), 20_000, at as u64).unwrap();
            let figures = cache.cache_stats();
            assert_eq!(figures.evicted == 0, most == 1000, "{replace} {most}: {figures:?}");
            assert_eq!(figures.grown.is_some(), figures.peak > most, "{replace} {most}: {figures:?}");
            assert_eq!(figures.distinct, Some(400), "all fit into the sample");
            assert_eq!(figures.inserted, cache.len() + figures.evicted);
            assert_eq!(cache.bytes(), budget.used());
        }
    }
}

#[test]
fn bytes_are_a_bound_as_well() {
    for replace in ALL {
        for most in [20_000, 60_000, 4 << 20] {
            let budget = Arc::new(Budget::unlimited());
            let mut cache = cache(Bound::Bytes(most), replace, &budget);
            walk(&mut cache, None, 20_000, 1).unwrap();
            let figures = cache.cache_stats();
            assert_eq!(figures.evicted == 0, most == 4 << 20, "{replace} {most}: {figures:?}");
            assert!(cache.len() > 20, "{} members in {most} bytes", cache.len());
        }
    }
    // What is taken is what was granted, when there is enough for steps not to show.
    let budget = Arc::new(Budget::unlimited());
    let mut cache = cache(Bound::Bytes(8 << 20), "random", &budget);
    (0..1_000_000u64).for_each(|number| _ = cache.insert(&[number.to_le_bytes(), [7; 8]].concat(), None).unwrap());
    let taken = cache.bytes() as f64 / (8 << 20) as f64;
    assert!((0.75..1.02).contains(&taken), "{taken} of what was granted");
    assert!(cache.len() > 120_000, "{} members", cache.len());
}

#[test]
fn memory_is_a_bound_that_it_can_live_with() {
    for replace in ALL {
        for limit in [0, 3000, 20_000, 60_000, 200_000, 1 << 20] {
            let budget = Arc::new(Budget::new(limit));
            let mut cache = cache(Bound::States(1000), replace, &budget);
            let walked = walk(&mut cache, None, 20_000, 2);
            assert!(budget.peak() <= limit);
            assert_eq!(cache.bytes(), budget.used());
            let figures = cache.cache_stats();
            // There is enough for what is pinned from here on.
            assert!(walked.is_ok() || limit < 200_000, "{replace} in {limit} bytes: {figures:?}");
            assert_eq!(figures.short_of_memory, figures.evicted > 0, "{replace} in {limit} bytes: {figures:?}");
            drop(cache);
            assert_eq!(budget.used(), 0);
        }
    }
}

#[test]
fn the_end_of_the_numbers_is_told_from_want_of_memory() {
    let mut cache = cache(Bound::States(10), "lru", &Arc::new(Budget::unlimited()));
    cache.made = MOST_MEMBERS;
    assert!(matches!(cache.insert(b"state", None), Err(Refused::Limit(what)) if what.contains("2³¹")));
}

#[test]
fn the_same_seed_evicts_the_same() {
    for replace in ALL {
        let run = || {
            let mut cache = cache(Bound::States(60), replace, &Arc::new(Budget::unlimited()));
            walk(&mut cache, None, 20_000, 9).unwrap();
            cache.cache_stats()
        };
        assert_eq!(run(), run(), "{replace}");
    }
}

/// What memory is short of for a while does not bind the rest of a run.
#[test]
fn a_cache_grows_again_when_others_give_memory_back() {
    let budget = Arc::new(Budget::new(4 << 20));
    let mut cache = cache(Bound::States(20_000), "lru", &budget);
    budget.reserve(3 << 20).expect("it is there");
    let add = |cache: &mut Cache, numbers: std::ops::Range<u64>| {
        numbers.for_each(|number| {
            _ = cache.insert(&[number.to_le_bytes(); 4].concat(), None).expect("something is evicted")
        });
        cache.len()
    };
    let short = add(&mut cache, 0..20_000);
    assert!(short < 18_000 && cache.cache_stats().short_of_memory, "{short}");
    budget.release(3 << 20);
    assert_eq!(add(&mut cache, 20_000..60_000), 20_000);
    assert!(cache.cache_stats().short_of_memory, "it was, at a time");
}

#[test]
fn a_bound_in_bytes_counts_what_lies_elsewhere() {
    let fill = |beside: u64| {
        let mut cache = cache(Bound::Bytes(1 << 20), "lru", &Arc::new(Budget::unlimited()));
        cache.count_beside(beside);
        (0..60_000u64).for_each(|number| _ = cache.insert(&number.to_le_bytes(), None).expect("it is not pinned"));
        cache.len()
    };
    let (alone, half) = (fill(0), fill(1 << 19));
    assert!(alone < 60_000 && half * 2 <= alone + 2 && half * 3 > alone, "{half} of {alone}");
}
