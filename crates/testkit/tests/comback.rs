//! Searches over a store that rebuilds states instead of keeping them.

use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Fired, Model, Outcome, Reason, Rebuilding, Schema, Scratch, SearchConfig, Step, StepText,
    Successors, Verdict,
};
use tightrope_search::{SEARCHES, Search, Task};
use tightrope_store::{Site, make};

/// So many states, each with steps to some others, in states of so many bytes of which no part recurs.
struct Wide {
    states: u32,
    bytes: usize,
    /// Steps lead to neighbours only: paths are long.
    is_long: bool,
    schema: Arc<Schema>,
}

impl Wide {
    fn new(states: u32, bytes: usize, is_long: bool) -> Wide {
        Wide { states, bytes, is_long, schema: Arc::default() }
    }

    fn state(&self, number: u32) -> Vec<u8> {
        let mut state = number.to_le_bytes().to_vec();
        let mut key = u64::from(number) + 1;
        while state.len() < self.bytes {
            key = (key ^ key >> 29).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(17);
            state.extend_from_slice(&key.to_le_bytes());
        }
        state
    }

    fn successors_of(&self, state: &[u8]) -> [u32; 3] {
        let number = u64::from(u32::from_le_bytes(state[..4].try_into().expect("four bytes")));
        let to = match self.is_long {
            true => [number + 1, number + 2, number + u64::from(self.states) - 3],
            false => [3 * number + 1, 5 * number + 2, number + 7],
        };
        to.map(|to| (to % u64::from(self.states)) as u32)
    }
}

impl Model for Wide {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        each(&self.state(0));
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        for (action, to) in (0..).zip(self.successors_of(state)) {
            out.push(Step { action, choice: 0 }, &self.state(to));
        }
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, _: &mut Scratch) -> Fired {
        let Some(&number) = self.successors_of(state).get(step.action as usize) else { return Fired::Disabled };
        *to = self.state(number);
        Fired::Done
    }

    fn describe(&self, _: &[u8], _: Step, each: &mut dyn FnMut(StepText)) {
        each(StepText::default());
    }
}

fn search(name: &str) -> &'static Search {
    SEARCHES.iter().find(|search| search.name == name).expect("there is one")
}

fn searched(model: &Wide, search: &Search, plan: &str, bytes: u64) -> (Outcome, Rebuilding) {
    let budget = Arc::new(Budget::new(bytes));
    let site = Site { schema: model.schema(), budget: &budget, seed: 1, model: Some(model) };
    let mut store = make(&format!("comback:{plan}"), site).expect("a plan");
    let (config, mut successors) = (SearchConfig::measuring(), Successors::new());
    let outcome = (search.run)(Task::new(model, store.as_mut(), &config, &budget, &mut successors), &mut ());
    (outcome, store.rebuilding().expect("it rebuilds states"))
}

fn is_complete(model: &Wide, outcome: &Outcome) -> bool {
    let figures = outcome.figures;
    outcome.verdict == Verdict::Holds(Claim::Exact)
        && figures.states == u64::from(model.states)
        && figures.transitions == 3 * u64::from(model.states)
}

#[test]
fn bytes_do_not_depend_on_the_size_of_states() {
    for bytes in [8, 600] {
        let model = Wide::new(200_000, bytes, false);
        let (outcome, spent) = searched(&model, search("bfs"), "F20-D80,cache=1%,candidates=100%,queue=ids", 16 << 20);
        assert!(is_complete(&model, &outcome), "{outcome:?}");
        let each = spent.tables as f64 / f64::from(model.states);
        assert!(each < 6.0, "{each} bytes per state where states have {bytes} bytes");
        assert!(spent.kept < 10 << 20, "{} bytes in full, of {} megabytes", spent.kept, bytes / 5);
    }
}

/// With hashes of 8 bits every state has that of many others: each is compared with all of them.
#[test]
fn collisions_are_resolved() {
    for (search, states, is_long) in
        [(search("bfs"), 2500, false), (search("bfs"), 400, true), (search("dfs"), 400, false)]
    {
        let model = Wide::new(states, 12, is_long);
        for strategy in ["R", "F", "H", "D", "F20-D80", "F50-H50", "F80-R20"] {
            for size in ["cache=0", "cache=7", "cache=10%", "cache=200"] {
                for candidates in ["0", "1", "30", "50%"] {
                    for queue in ["ram", "ids"] {
                        let plan = format!("{strategy},{size},candidates={candidates},queue={queue},hash=8");
                        let (outcome, spent) = searched(&model, search, &plan, 1 << 30);
                        assert!(is_complete(&model, &outcome), "{}, {plan}: {outcome:?}", search.name);
                        let may_detect = search.guarantees.levels && candidates != "0";
                        assert!(may_detect || spent.detections == 0, "{plan}");
                    }
                }
            }
        }
    }
}

#[test]
fn steps_that_paths_share_are_executed_once() {
    let model = Wide::new(20_000, 12, false);
    let fired = |plan: &str| {
        let (outcome, spent) = searched(&model, search("bfs"), plan, 1 << 30);
        assert!(is_complete(&model, &outcome) && outcome.figures.rebuilt == spent.steps);
        spent.steps
    };
    let at_once = fired("F,cache=5,candidates=0");
    let [few, many] = ["30", "10000"].map(|candidates| fired(&format!("F,cache=5,candidates={candidates}")));
    assert!(5 * few < 4 * at_once && 2 * many < few, "{at_once} steps at once, {few} and {many} with candidates");
}

#[test]
fn what_is_kept_gives_way_to_the_tables() {
    // 77 megabytes of states.
    let model = Wide::new(300_000, 256, false);
    let (outcome, spent) = searched(&model, search("bfs"), "F80-D20", 5 << 20);
    assert!(is_complete(&model, &outcome), "{outcome:?}, {spent:?}");
    let (outcome, _) = searched(&model, search("bfs"), "F80-D20", 1 << 20);
    assert_eq!(outcome.verdict, Verdict::Undecided(Reason::Memory));
    assert!(outcome.figures.states > 60_000, "{} states in a megabyte", outcome.figures.states);
}
