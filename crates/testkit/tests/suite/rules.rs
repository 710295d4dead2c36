//! The steps of rules, compared with those that are found by trying all rules one after the other.

use std::collections::HashMap;
use tightrope_core::{Fired, Model, Scratch, Step, Successors, Terminal};
use tightrope_ir::RuleSet;
use tightrope_por::WithStubbornSets;
use tightrope_testkit::naive::Explored;
use tightrope_testkit::naive_rules::{self, Tried};
use tightrope_testkit::random::Rng;

/// Every state, or some of them, makes exactly the steps that trying all rules gives, in the same order; firing agrees,
/// and every step that is not found cannot be fired. The same where the automata are elsewhere than in states that are
/// reached.
pub fn rules_make_their_steps(model: &WithStubbornSets<'_>, explored: &Explored, most: usize) {
    let rules = model.program().rules.as_ref().expect("made of rules");
    let mut states: Vec<Vec<u8>> = explored.states.iter().cloned().collect();
    states.sort();
    let mut rng = Rng::new(states.len() as u64);
    let step = states.len().div_ceil(most);
    for state in states.into_iter().step_by(step) {
        makes_its_steps(model, rules, &state);
        if !rules.automata.is_empty() {
            makes_its_steps(model, rules, &elsewhere(rules, state, &mut rng));
        }
    }
}

/// The state with all automata at other locations, some of them nowhere.
fn elsewhere(rules: &RuleSet, mut state: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for automaton in &rules.automata {
        let count = automaton.locations.len();
        let location = if rng.chance(5) { count } else { rng.below(count) };
        automaton.repr.store(&mut state, automaton.offset as usize, location as i32);
    }
    state
}

fn makes_its_steps(model: &WithStubbornSets<'_>, rules: &RuleSet, state: &[u8]) {
    let tried = naive_rules::steps(model.program(), state);
    let listed: Vec<&Tried> = tried.iter().filter(|tried| tried.listed).collect();
    let mut out = Successors::new();
    model.successors(state, &mut out);
    let found: Vec<Tried> = (0..out.len())
        .map(|index| Tried {
            step: out.step(index),
            to: out.state(index).map(<[u8]>::to_vec),
            fault: out.fault(index).cloned(),
            listed: true,
        })
        .collect();
    assert_eq!(found.iter().collect::<Vec<_>>(), listed, "steps of {state:?}, and what trying all rules gives");
    let idle = |tried: &&Tried| rules.idle_is_stuck && tried.fault.is_none() && tried.to.as_deref() == Some(state);
    let stuck = match listed.iter().all(idle) {
        true if rules.failed.as_deref() == Some(state) => Terminal::Failed,
        true => Terminal::Deadlock,
        false => Terminal::No,
    };
    assert_eq!(out.terminal, stuck, "{state:?}");

    let tried: HashMap<Step, &Tried> = tried.iter().map(|tried| (tried.step, tried)).collect();
    let (mut scratch, mut to) = (Scratch::default(), Vec::new());
    for (number, rule) in rules.rules.iter().enumerate() {
        let combinations: u64 = rule.params.iter().map(|param| param.count()).product();
        for combination in 0..combinations + 2 {
            let step = Step { action: (number as u64) << 40 | combination, choice: 0 };
            let fired = model.fire(state, step, &mut to, &mut scratch);
            match tried.get(&step) {
                Some(tried) => assert!(tried.agrees_with(&fired, &to), "{tried:?} of {state:?}: {fired:?}"),
                None => assert_eq!(fired, Fired::Disabled, "{step:?} of {state:?}"),
            }
        }
    }
    let step = Step { action: (rules.rules.len() as u64) << 40, choice: 0 };
    assert_eq!(model.fire(state, step, &mut to, &mut scratch), Fired::Disabled);
}
