//! Why a store refused a state, or did not decide, is why the search is undecided.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Delays, Edge, Found, Observe, Reason, Refused, SearchConfig, StateId, Step, Store, Successors,
    Verdict,
};
use tightrope_search::{LtsRecorder, SEARCHES, Task};
use tightrope_testkit::delayed::Delayed;
use tightrope_testkit::tiny;

/// Holds a few states, and refuses any more.
struct Small {
    states: HashMap<Vec<u8>, StateId>,
    most: usize,
    refused: Refused,
}

impl Store for Small {
    fn insert(&mut self, state: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        if let Some(&id) = self.states.get(state) {
            return Ok(Found::Seen(id));
        }
        let id = StateId(self.states.len() as u64);
        if self.states.len() == self.most {
            return Err(self.refused);
        }
        self.states.insert(state.to_vec(), id);
        Ok(Found::New(id))
    }

    fn len(&self) -> u64 {
        self.states.len() as u64
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }
}

#[test]
fn the_reason_of_a_refusal_is_kept() {
    let refusals = [
        (Refused::Memory, Reason::Memory),
        (Refused::Limit("the shelf is full"), Reason::Limit("the shelf is full")),
        (Refused::Disk(ErrorKind::StorageFull), Reason::Disk(ErrorKind::StorageFull)),
        (Refused::Other("closed today"), Reason::Other("closed today")),
    ];
    let mut refused_searches = 0;
    for model in tiny::all() {
        for search in SEARCHES {
            for (refused, reason) in refusals {
                for most in 0..3 {
                    let mut store = Small { states: HashMap::new(), most, refused };
                    let (config, budget) = (SearchConfig::measuring(), Arc::new(Budget::unlimited()));
                    let mut successors = Successors::new();
                    let task = Task::new(&model, &mut store, &config, &budget, &mut successors);
                    match (search.run)(task, &mut ()).verdict {
                        Verdict::Undecided(found) => {
                            assert_eq!(found, reason, "{} of `{}` with {most}", search.name, model.name);
                            refused_searches += 1;
                        }
                        Verdict::Holds(_) => assert!(store.len() <= most as u64),
                        Verdict::Violated(_) => panic!("nothing is checked"),
                    }
                }
            }
        }
    }
    assert!(refused_searches > 50, "{refused_searches} searches were refused a state");
}

#[test]
fn a_search_that_does_not_resolve_candidates_is_undecided() {
    for model in tiny::all() {
        for search in SEARCHES.iter().filter(|search| !search.guarantees.levels) {
            let (config, budget) = (SearchConfig::measuring(), Arc::new(Budget::unlimited()));
            let mut store = Delayed::new(10, &budget);
            // A store that does not wait until the search begins.
            store.begin();
            let mut successors = Successors::new();
            let outcome = (search.run)(Task::new(&model, &mut store, &config, &budget, &mut successors), &mut ());
            assert!(
                matches!(outcome.verdict, Verdict::Undecided(Reason::Other(_))),
                "{} of `{}`",
                search.name,
                model.name
            );
        }
    }
}

/// Decides later, and does not know how states were reached.
struct Orphans(Delayed);

impl Store for Orphans {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        self.0.insert(state, via)
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn delays(&mut self) -> Option<&mut dyn Delays> {
        self.0.delays()
    }
}

#[test]
fn a_store_that_decides_later_must_know_parents_where_something_is_checked() {
    for model in tiny::all() {
        for search in SEARCHES.iter().filter(|search| search.guarantees.levels) {
            for (config, refused) in [(SearchConfig::checking(), true), (SearchConfig::measuring(), false)] {
                let budget = Arc::new(Budget::unlimited());
                let mut store = Orphans(Delayed::new(3, &budget));
                let mut successors = Successors::new();
                let outcome = (search.run)(Task::new(&model, &mut store, &config, &budget, &mut successors), &mut ());
                let is_refused = matches!(outcome.verdict, Verdict::Undecided(Reason::Other(_)));
                assert_eq!(is_refused, refused, "{} of `{}`: {:?}", search.name, model.name, outcome.verdict);
            }
        }
    }
}

/// The proviso asks at once which states are new: the search does not begin to have candidates decided.
#[test]
fn a_store_decides_at_once_for_stubborn_sets() {
    for model in tiny::all() {
        for search in SEARCHES.iter().filter(|search| search.guarantees.levels) {
            let (config, budget) =
                (SearchConfig { stubborn: true, ..SearchConfig::checking() }, Arc::new(Budget::unlimited()));
            let mut store = Delayed::new(3, &budget);
            let mut successors = Successors::new();
            let outcome = (search.run)(Task::new(&model, &mut store, &config, &budget, &mut successors), &mut ());
            assert!(!matches!(outcome.verdict, Verdict::Undecided(_)), "`{}`: {:?}", model.name, outcome.verdict);
        }
    }
}

#[test]
fn a_recorder_ends_its_search_and_nothing_else() {
    for model in tiny::all() {
        let config = SearchConfig::measuring();
        // No room for the numbers of states, and a reader that wants no more.
        for (memory, goes_on) in [(0, true), (u64::MAX, false)] {
            let mut told = 0;
            let tell = |_: u64, _: &str, _: u64| {
                told += 1;
                goes_on
            };
            let mut record = LtsRecorder::new(&model, &Arc::new(Budget::new(memory)), Box::new(tell));
            let budget = Arc::new(Budget::unlimited());
            let mut store = Small { states: HashMap::new(), most: usize::MAX, refused: Refused::Memory };
            let mut successors = Successors::new();
            let task = Task::new(&model, &mut store, &config, &budget, &mut successors);
            let outcome = tightrope_search::bfs(task, &mut record);
            let (stop, states) = (record.stop(), record.states());
            drop(record);
            assert_eq!(config.interrupt.raised(), None, "`{}`", model.name);
            assert!(told <= 1 || goes_on, "`{}`: {told} transitions", model.name);
            match stop {
                Some(Reason::Memory) => assert_eq!((memory, states), (0, 0), "`{}`", model.name),
                Some(reason) => assert!(!goes_on && matches!(reason, Reason::Other(_)), "`{}`: {reason:?}", model.name),
                None => assert_eq!(told, 0, "`{}`", model.name),
            }
            if let Verdict::Undecided(reason) = outcome.verdict {
                assert_eq!(Some(reason), stop, "`{}`", model.name);
            }
        }
        let mut record = LtsRecorder::new(&model, &Arc::new(Budget::unlimited()), Box::new(|_, _, _| true));
        record.step(StateId(0), Step::default(), Found::Seen(StateId(7)), &[]);
        assert!(matches!(record.stop(), Some(Reason::Other(_))), "a state without a number");
    }
}
