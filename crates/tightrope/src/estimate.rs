//! What other stores would need, for a search that ran out of memory.

use std::sync::Arc;
use tightrope_core::{Budget, Model, SearchConfig, Store, Successors};
use tightrope_search::{Search, Task};
use tightrope_store::{STORES, Sample, Site, Speed, facts, make};

/// The memory for the states on which they are tried.
const SAMPLE: u64 = 12 << 20;

/// What a store would need.
pub struct Estimate {
    /// Its name.
    pub store: &'static str,
    /// The bytes per state.
    pub per_state: f64,
    /// It keeps every state apart.
    pub exact: bool,
    /// It gives states back, so that the frontier need not keep them.
    pub readable: bool,
    /// It takes at most twice as long as the fastest.
    pub fast: bool,
}

/// What the stores need for the first states of a model, as many as fit into a small part of `memory` bytes.
/// `stop` is the configuration of the search that ended: whoever interrupts it, or its time, ends this, too. `ordered`: only stores that
/// number states in order will do.
pub fn estimates(
    model: &dyn Model,
    search: &Search,
    memory: u64,
    seed: u64,
    stop: &SearchConfig,
    ordered: bool,
) -> Vec<Estimate> {
    let site = |budget| Site { schema: model.schema(), budget, seed, model: None };
    let few = Arc::new(Budget::new(SAMPLE.min(memory / 4)));
    let Ok(mut found) = make(STORES[0].name, site(&few)) else { return Vec::new() };
    let config = SearchConfig { interrupt: stop.interrupt.clone(), deadline: stop.deadline, ..SearchConfig::default() };
    let mut successors = Successors::new();
    let task = Task::new(model, found.as_mut(), &config, &few, &mut successors);
    (search.run)(task, &mut ());
    let sample = all_of(found.as_mut());
    drop(found);
    // The sample is there, and perhaps a second time while it was made.
    let budget = Arc::new(Budget::new(memory.saturating_sub(2 * few.limit())));
    let estimate = |store: &'static str| {
        let facts = facts(store).ok().filter(|facts| facts.ordered || !ordered)?;
        let per_state = sample.bytes_per_state(store, site(&budget), &|| config.stop().is_some())?;
        let fast = facts.speed < Speed::Slow;
        Some(Estimate { store, per_state, exact: facts.exact, readable: facts.readable, fast })
    };
    STORES.iter().filter_map(|entry| entry.estimated).filter_map(estimate).collect()
}

fn all_of(store: &mut dyn Store) -> Sample {
    let (mut sample, mut state, mut last) = (Sample::new(), Vec::new(), None);
    while let Some(next) = store.ordered().and_then(|ordered| ordered.next(last, &mut state).ok()?) {
        if !sample.push(&state) {
            break;
        }
        last = Some(next);
    }
    sample
}

/// The store to try instead of one that takes `per_state` bytes, with what it needs for the frontier: the smallest of those that
/// are fast if it takes much less, else the smallest of all if it takes less. None if there is no such exact store. Where
/// a store does not give states back, those in the frontier are kept beside it: `beside` bytes per state.
pub fn best(estimates: &[Estimate], per_state: f64, beside: f64) -> Option<&Estimate> {
    let needed = |one: &Estimate| if one.readable { one.per_state } else { one.per_state + beside };
    let least = |slow: bool| {
        let exact = estimates.iter().filter(move |one| one.exact && (slow || one.fast));
        exact.min_by(|one, two| needed(one).total_cmp(&needed(two)))
    };
    let fast = least(false).filter(|fast| needed(fast) <= 0.7 * per_state);
    fast.or(least(true).filter(|least| needed(least) <= 0.9 * per_state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_that_is_fast_is_the_best_if_it_is_much_smaller() {
        let exact = Estimate { store: "", per_state: 0.0, exact: true, readable: true, fast: true };
        let all = [
            Estimate { store: "hash", per_state: 60.0, ..exact },
            Estimate { store: "collapse", per_state: 25.0, ..exact },
            Estimate { store: "tree", per_state: 20.0, ..exact },
            Estimate { store: "mdd", per_state: 9.0, readable: false, fast: false, ..exact },
            Estimate { store: "compact", per_state: 6.0, exact: false, readable: false, ..exact },
        ];
        assert_eq!(best(&all, 60.0, 0.0).map(|best| best.store), Some("tree"));
        assert_eq!(best(&all, 20.0, 0.0).map(|best| best.store), Some("mdd"));
        assert_eq!(best(&all, 9.5, 0.0).map(|best| best.store), None);
        assert_eq!(best(&all, 20.0, 10.0).map(|best| best.store), None);
    }
}
