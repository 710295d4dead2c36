//! A model written in Rust: the farmer, the wolf, the goat and the cabbage.
//!
//! `cargo run --release --example own_model` finds the shortest way across the river, as the counterexample to the
//! claim that there is none.

use std::sync::Arc;
use tightrope::core::{
    Fault, FaultKind, Field, Fired, Format, Model, Place, Repr, Schema, Scratch, Step, StepText, Successors, Terminal,
    Verdict,
};
use tightrope::trace;

const NAMES: [&str; 4] = ["farmer", "wolf", "goat", "cabbage"];

/// One byte per traveller: on which bank he, she or it is.
struct River {
    schema: Arc<Schema>,
}

impl River {
    fn new() -> River {
        let field = |(offset, name): (usize, &&str)| Field {
            name: name.to_string(),
            offset: offset as u32,
            repr: Repr::U8,
            range: (0, 1),
            component: (tightrope::core::Component::Globals, 0),
            format: Format::Names(["near".to_string(), "far".to_string()].into()),
        };
        let fixed = NAMES.iter().enumerate().map(field).collect();
        River { schema: Arc::new(Schema { fixed_size: 4, fixed, kinds: Vec::new() }) }
    }

    /// Nobody is left alone with what it eats.
    fn safe(state: &[u8]) -> bool {
        let [farmer, wolf, goat, cabbage] = *state else { return false };
        goat == farmer || (goat != wolf && goat != cabbage)
    }

    /// The farmer crosses, with the passenger of that number (0: alone).
    fn cross(state: &[u8], passenger: usize) -> Option<Vec<u8>> {
        let mut next = state.to_vec();
        if next[passenger] != next[0] {
            return None;
        }
        next[passenger] ^= 1;
        next[0] = state[0] ^ 1;
        Self::safe(&next).then_some(next)
    }
}

impl Model for River {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        each(&[0; 4]);
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let before = out.len();
        for passenger in 0..4 {
            if let Some(next) = River::cross(state, passenger) {
                out.push(Step { action: passenger as u64, choice: 0 }, &next);
            }
        }
        out.terminal = if out.len() == before { Terminal::Deadlock } else { Terminal::No };
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, _scratch: &mut Scratch) -> Fired {
        match River::cross(state, (step.action as usize).min(3)) {
            Some(next) => {
                *to = next;
                Fired::Done
            }
            None => Fired::Disabled,
        }
    }

    fn check(&self, state: &[u8], _scratch: &mut Scratch) -> Option<Fault> {
        let message = "everybody is across".to_string();
        (*state == [1; 4]).then(|| Fault { kind: FaultKind::Goal, message, at: Place::default() })
    }

    fn describe(&self, _state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        let action = match step.action as usize {
            0 => "crosses alone".to_string(),
            passenger => format!("crosses with the {}", NAMES[passenger.min(3)]),
        };
        each(StepText { actor: "farmer".into(), action, ..StepText::default() });
    }
}

fn main() {
    let model = River::new();
    let outcome = tightrope::check(&model, 64 << 20);
    println!("{} states, {} transitions", outcome.figures.states, outcome.figures.transitions);
    let Verdict::Violated(violation) = outcome.verdict else { panic!("there is a way across") };
    trace::replay(&model, &violation.trace, &violation.fault).expect("what was found can be replayed");
    trace::text::write(
        &model,
        &violation,
        trace::text::TextOptions { all: true, goes_on: &|| true },
        &mut std::io::stdout(),
    )
    .expect("standard output can be written");
}
