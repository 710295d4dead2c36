//! What other stores would need, for a search that ran out of memory.

use std::sync::Arc;
use tightrope_core::{Budget, Limits, Model, Store, Successors};
use tightrope_search::{Search, Task};
use tightrope_store::{Sample, Site, make};

/// The stores that are tried, the fastest first.
/// `bitstate` is not among them: it takes whatever there is.
const TRIED: [&str; 8] = ["hash", "bits", "compress", "collapse", "tree", "mdd", "collapse+bdd", "compact"];
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
}

/// What the stores need for the first states of a model, as many as fit into a small part of `memory` bytes.
/// `stop` are the limits of the search that ended: whoever interrupts it, or its time, ends this, too. `ordered`: only stores that
/// number states in order will do.
pub fn estimates(
    model: &dyn Model,
    search: &Search,
    memory: u64,
    seed: u64,
    stop: &Limits,
    ordered: bool,
) -> Vec<Estimate> {
    let site = |budget| Site { schema: model.schema(), budget, seed };
    let few = Arc::new(Budget::new(SAMPLE.min(memory / 4)));
    let Ok(mut found) = make("hash", site(&few)) else { return Vec::new() };
    let limits = Limits { interrupt: stop.interrupt.clone(), deadline: stop.deadline, ..Limits::default() };
    let mut successors = Successors::new();
    let task = Task { model, store: found.as_mut(), limits: &limits, budget: &few, successors: &mut successors };
    (search.run)(task, &mut ());
    let sample = all_of(found.as_mut());
    drop(found);
    // The sample is there, and perhaps a second time while it was made.
    let budget = Arc::new(Budget::new(memory.saturating_sub(2 * few.limit())));
    let estimate = |store: &'static str| {
        if ordered && make(store, site(&budget)).is_ok_and(|mut store| store.ordered().is_none()) {
            return None;
        }
        let per_state = sample.bytes_per_state(store, site(&budget), &|| limits.stop().is_some())?;
        let exact = !store.contains("compact") && !store.contains("bitstate");
        Some(Estimate { store, per_state, exact })
    };
    TRIED.into_iter().filter_map(estimate).collect()
}

fn all_of(store: &mut dyn Store) -> Sample {
    let (mut sample, mut state, mut last) = (Sample::new(), Vec::new(), None);
    while let Some(next) = store.ordered().and_then(|ordered| ordered.next(last, &mut state)) {
        if !sample.push(&state) {
            break;
        }
        last = Some(next);
    }
    sample
}

/// The store to try instead of one that takes `per_state` bytes, with what it needs for the frontier: the smallest of those that
/// are fast if it takes much less, else the smallest of all if it takes less. None if there is no such exact store. A
/// diagram does not give states back, so that all of those in the frontier are kept beside it: `beside` bytes per state.
pub fn best(estimates: &[Estimate], per_state: f64, beside: f64) -> Option<&Estimate> {
    let is_diagram = |one: &Estimate| one.store.ends_with("dd");
    let needed = |one: &Estimate| if is_diagram(one) { one.per_state + beside } else { one.per_state };
    let least = |diagrams: bool| {
        let exact = estimates.iter().filter(move |one| one.exact && (diagrams || !is_diagram(one)));
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
        let estimate = |store, per_state, exact| Estimate { store, per_state, exact };
        let all = [
            estimate("hash", 60.0, true),
            estimate("collapse", 25.0, true),
            estimate("tree", 20.0, true),
            estimate("mdd", 9.0, true),
            estimate("compact", 6.0, false),
        ];
        assert_eq!(best(&all, 60.0, 0.0).map(|best| best.store), Some("tree"));
        assert_eq!(best(&all, 20.0, 0.0).map(|best| best.store), Some("mdd"));
        assert_eq!(best(&all, 9.5, 0.0).map(|best| best.store), None);
        assert_eq!(best(&all, 20.0, 10.0).map(|best| best.store), None);
    }
}
