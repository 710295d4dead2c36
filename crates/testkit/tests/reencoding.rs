//! Searches over a store that gives its states new ids.

use std::collections::HashMap;
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Edge, Found, Model, Ordered, Outcome, Reason, Refused, Remap, Reservation, SearchConfig, StateId,
    Store, Successors, Verdict,
};
use tightrope_search::{SEARCHES, Search, Task};
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::tiny;

/// A list of states that refuses when it has so many, and goes on after it has renumbered them. Its ids tell how often it did, and
/// grow only before the first time.
struct Renumbering {
    states: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u64>,
    most: usize,
    times: u64,
    times_left: u64,
    /// The ids of parents are those that are valid.
    checks_parents: bool,
    /// Taken from the budget with the first state, but for so many bytes, until it renumbers.
    ballast: Option<(Reservation, u64)>,
}

impl Renumbering {
    fn new(most: usize, times_left: u64, checks_parents: bool) -> Self {
        let (states, numbers) = (Vec::new(), HashMap::new());
        Renumbering { states, numbers, most, times: 0, times_left, checks_parents, ballast: None }
    }

    fn id(times: u64, number: u64) -> StateId {
        StateId(times << 32 | if times == 0 { number } else { (1 << 20) - number })
    }

    fn number(&self, id: StateId) -> u64 {
        assert_eq!(id.0 >> 32, self.times, "an old id");
        let low = id.0 & ((1 << 32) - 1);
        if self.times == 0 { low } else { (1 << 20) - low }
    }
}

impl Store for Renumbering {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        if let Some(Edge { parent, .. }) = via.filter(|_| self.checks_parents) {
            self.number(parent);
        }
        if let Some(&number) = self.numbers.get(state) {
            return Ok(Found::Seen(Self::id(self.times, number)));
        }
        if self.states.len() >= self.most && self.times_left > 0 {
            return Err(Refused::Memory);
        }
        if let Some((ballast, but)) = self.ballast.as_mut().filter(|(ballast, _)| ballast.bytes() == 0) {
            let left = ballast.budget().left();
            ballast.take(left.saturating_sub(*but))?;
        }
        let number = self.states.len() as u64;
        self.states.push(state.to_vec());
        self.numbers.insert(state.to_vec(), number);
        Ok(Found::New(Self::id(self.times, number)))
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        out.clone_from(&self.states[self.number(id) as usize]);
        true
    }

    fn can_read(&self) -> bool {
        true
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

    fn reencode(&mut self, remap: &mut Remap<'_>) -> Result<bool, Refused> {
        if self.times_left == 0 {
            return Ok(false);
        }
        self.times_left -= 1;
        self.times += 1;
        self.most = self.most.saturating_mul(2).saturating_add(1);
        self.ballast = None;
        (0..self.len()).try_for_each(|number| remap(Self::id(self.times - 1, number), Self::id(self.times, number)))?;
        Ok(true)
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        if self.times == 0 { Some(self) } else { None }
    }
}

impl Ordered for Renumbering {
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        let number = after.map_or(0, |id| self.number(id) + 1);
        let Some(state) = self.states.get(number as usize) else { return Ok(None) };
        out.clone_from(state);
        Ok(Some(Self::id(0, number)))
    }
}

fn searched(
    search: &Search,
    model: &dyn Model,
    store: &mut Renumbering,
    config: &SearchConfig,
    budget: &Arc<Budget>,
) -> Outcome {
    let mut successors = Successors::new();
    (search.run)(Task::new(model, store, config, budget, &mut successors), &mut ())
}

fn each_model(check: impl Fn(&dyn Model, &Explored)) {
    for model in tiny::all() {
        check(&model, &naive::explore(&model, 3000).expect("tiny"));
    }
}

#[test]
fn no_state_is_lost_and_no_old_id_is_used() {
    each_model(|model, explored| {
        for search in SEARCHES {
            for most in [1, 2, 3, 5, 11, 40] {
                let mut store = Renumbering::new(most, 1, search.guarantees.levels);
                let config = SearchConfig { all: true, ..SearchConfig::checking() };
                let outcome = searched(search, model, &mut store, &config, &Arc::new(Budget::unlimited()));
                assert_eq!(outcome.figures.states, explored.states.len() as u64, "{} at {most}", search.name);
                assert_eq!(outcome.figures.violations, explored.violations(true), "{} at {most}", search.name);
                assert_eq!(outcome.stopped, None);
            }
        }
    });
}

/// After the first time ids no longer tell which states wait.
#[test]
fn a_store_that_renumbers_twice_is_refused_where_states_would_be_lost() {
    each_model(|model, explored| {
        for search in SEARCHES {
            for most in [1, 2, 3, 5] {
                let mut store = Renumbering::new(most, 2, false);
                let config = SearchConfig::measuring();
                let outcome = searched(search, model, &mut store, &config, &Arc::new(Budget::unlimited()));
                if search.guarantees.levels && store.times == 2 {
                    assert!(matches!(outcome.verdict, Verdict::Undecided(Reason::Other(_))), "{:?}", outcome.verdict);
                } else {
                    assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{} at {most}", search.name);
                    assert_eq!(outcome.figures.states, explored.states.len() as u64);
                }
            }
        }
    });
}

/// Where there is no room for the steps of a state at the depth limit the store is asked, too.
#[test]
fn a_store_makes_room_for_the_steps_of_a_state_at_the_depth_limit() {
    for search in SEARCHES {
        let mut made_room = 0;
        for model in tiny::all() {
            let budget = Arc::new(Budget::new(1 << 20));
            let mut store = Renumbering::new(usize::MAX, 1, false);
            // A depth-first search needs a block for its path.
            let but = if search.guarantees.path { 5000 } else { 0 };
            store.ballast = Some((Reservation::new(budget.clone()), but));
            let config = SearchConfig { depth: Some(0), ..SearchConfig::measuring() };
            let outcome = searched(search, &model, &mut store, &config, &budget);
            made_room += store.times;
            assert_ne!(outcome.verdict, Verdict::Undecided(Reason::Memory), "{} of `{}`", search.name, model.name);
        }
        assert!(made_room > 0, "{}: no store was asked", search.name);
    }
}
