//! Rules: guarded commands without processes.
//!
//! A rule has parameters that run over ranges, tests that say for which of them and in which states it is enabled, and
//! a body that is executed as one step. Bodies and tests call routines. Murphi is lowered to these, and so are languages
//! whose processes never come and go.
//!
//! Where the system has parts with locations ([`Automaton`]), a rule says from which locations it starts, and only the
//! rules of the present locations are tried.
//!
//! Every rule and routine under way has **slots** (numbers: parameters, loop variables, references) and a **frame**
//! (bytes: its local variables, laid out like those of the state).

use crate::{Argument, Expr, Source, StepKind, Stmt};
use std::sync::Arc;
use tightrope_core::{FaultKind, Format, Repr, Symmetry};

/// All rules of a program.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    /// The ranges of values of union types, by number.
    pub unions: Vec<Vec<(i32, i32)>>,
    /// What can be called.
    pub routines: Vec<Routine>,
    /// What makes the initial states, executed on a state in which nothing has a value.
    pub starts: Vec<Rule>,
    /// What makes steps.
    pub rules: Vec<Rule>,
    /// What must be true of every state.
    pub invariants: Vec<Invariant>,
    /// The multisets in the state, whose elements are kept in order.
    pub multisets: Vec<Multiset>,
    /// A state from which every step leads back to itself is a deadlock.
    pub idle_is_stuck: bool,
    /// What may be renamed in states, if anything.
    pub symmetry: Option<Arc<Symmetry>>,
    /// The parts of the system that have a location.
    pub automata: Vec<Automaton>,
    /// The state that every step which fails leads to, where the language has such a state. Nothing leads out of it, and no
    /// other step leads there: one of the automata is at none of its locations.
    pub failed: Option<Box<[u8]>>,
}

/// A part of the system that has a location.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// The place of its location in the state.
    pub offset: u32,
    /// How its location lies there.
    pub repr: Repr,
    /// The variable its location is, by its declared number.
    pub declared: u32,
    /// Its locations.
    pub locations: Vec<AutomatonLocation>,
    /// It moves together with others, or where they cannot move (DVE's property process): its locations do not matter
    /// for commitment.
    pub passive: bool,
}

impl Automaton {
    /// Where it is.
    #[inline]
    pub fn location(&self, state: &[u8]) -> u32 {
        self.repr.load(state, self.offset as usize) as u32
    }
}

/// A location of an [`Automaton`].
#[derive(Clone, Debug, Default)]
pub struct AutomatonLocation {
    /// Its name.
    pub name: String,
    /// While an automaton is at a committed location, only rules that start from committed locations alone make steps.
    /// The locations of passive automata do not count then, so a rule of theirs alone may make a step.
    pub committed: bool,
    /// Where it is written.
    pub source: Source,
}

/// What can be called.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// The number of its slots; the first are its parameters.
    pub slots: u32,
    /// Its local variables before it begins.
    pub frame: Vec<u8>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// It returns a value.
    pub returns: bool,
}

/// A rule.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Its parameters, the outermost first. They are in slots.
    pub params: Vec<Parameter>,
    /// The number of its slots.
    pub slots: u32,
    /// Its local variables before its body begins.
    pub frame: Vec<u8>,
    /// What must be true, in order, each with the number of parameters that must have a value for it. That number
    /// never goes down.
    pub tests: Vec<(u32, Test)>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Of the rules that are enabled in a state, only those of the highest priority make steps.
    pub priority: i32,
    /// Where it is written.
    pub source: Source,
    /// The locations it starts from: automata, and the number of the location of each. All tests of such a rule are
    /// evaluated, since each belongs to another automaton: one that is not passed disables the rule, even if another
    /// one is an error. Such a rule has no parameters.
    pub from: Vec<(u32, u32)>,
    /// The number of a group of rules that start from the same location of their first automaton, are written at the
    /// same place, and have their first test in common, which binds nothing; they differ in their other automata.
    pub group: Option<u32>,
    /// What each participant does, for people.
    pub participants: Vec<Participant>,
}

/// What one participant of a rule does, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Its name.
    pub actor: String,
    /// What it does, close to the source text.
    pub action: String,
    /// Where it is written.
    pub source: Source,
    /// Its class.
    pub kind: StepKind,
}

/// A parameter of a rule.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where its value goes.
    pub slot: u32,
    /// The values it takes, in order: from, to, by.
    pub ranges: Vec<(i32, i32, i32)>,
    /// How its values are shown.
    pub format: Format,
}

impl Parameter {
    /// How many values it takes.
    pub fn count(&self) -> u64 {
        self.ranges.iter().map(values_of).sum()
    }

    /// The value at a position.
    pub fn value(&self, mut position: u64) -> i32 {
        for range in &self.ranges {
            let here = values_of(range);
            if position < here {
                return value_of(range, position);
            }
            position -= here;
        }
        0
    }

    /// Calls `each` with its values, in order. There may be so many that nobody should keep them all.
    #[inline]
    pub fn each_value(&self, mut each: impl FnMut(i32)) {
        for range in &self.ranges {
            let (mut value, _, step) = *range;
            for _ in 0..values_of(range) {
                each(value);
                value = value.wrapping_add(step);
            }
        }
    }
}

/// How many values a range has: from, to, by.
#[inline]
fn values_of(&(low, high, step): &(i32, i32, i32)) -> u64 {
    let span = i64::from(high) - i64::from(low);
    match i64::from(step) {
        // A division takes as long as a test.
        1 => (span + 1).max(0) as u64,
        0 => 0,
        step if span * step.signum() < 0 => 0,
        step => (span / step) as u64 + 1,
    }
}

/// The value of a range at one of its positions.
fn value_of(&(low, _, step): &(i32, i32, i32), position: u64) -> i32 {
    (i64::from(low) + i64::from(step) * position as i64) as i32
}

/// One part of what must be true for a rule to be enabled.
#[derive(Clone, Debug)]
pub enum Test {
    /// Not zero.
    True(Expr),
    /// Always; a slot gets the place of a variable, or a value.
    Bind(u32, Argument),
}

/// What must be true of every state.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// The number of its slots.
    pub slots: u32,
    /// Its frame, for the arguments of calls.
    pub frame: Vec<u8>,
    /// What must be true.
    pub tests: Vec<Test>,
    /// Where it is written.
    pub source: Source,
    /// The fault if it does not hold, where that is more than its name.
    pub fault: Option<(FaultKind, String)>,
}

/// A multiset in the state: slots of a byte that says whether it is used, and an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Multiset {
    /// Its place.
    pub offset: u32,
    /// The number of slots.
    pub count: u32,
    /// The bytes of a slot.
    pub size: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_take_the_values_of_their_ranges() {
        let ranges = vec![(1, 3, 1), (9, 2, -3), (5, 4, 1), (7, 7, 0), (i32::MIN, i32::MAX, i32::MAX)];
        let parameter = Parameter { name: "p".into(), slot: 0, ranges, format: Format::Number };
        let mut values = Vec::new();
        parameter.each_value(|value| values.push(value));
        assert_eq!(values, [1, 2, 3, 9, 6, 3, i32::MIN, -1, i32::MAX - 1]);
        assert_eq!(parameter.count(), values.len() as u64);
        assert!(values.iter().enumerate().all(|(position, &value)| parameter.value(position as u64) == value));
    }
}
