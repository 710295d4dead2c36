//! What a search explores.

use crate::{Footprints, Schema, Successors, Symmetry};
use std::any::Any;
use std::sync::Arc;

/// A finite transition system, given by its initial states and a successor function.
///
/// # Contract
/// - Deterministic: the same state gives the same successors, with the same steps, in the same order, always and on
///   every machine. Traces, replay and everything that rebuilds states from steps rely on it.
/// - A state is whatever [`Model::initial`] or [`Model::successors`] produced. Methods may assume that the bytes they
///   are given are such a state, or bytes that a replayed trace claims to be one; they never panic on the latter.
/// - Two states are the same state exactly when their bytes are equal.
/// - Shared by reference between threads. What a call needs to work with lives in the [`Successors`] passed in.
pub trait Model: Send + Sync {
    /// What the bytes of a state mean.
    fn schema(&self) -> &Arc<Schema>;

    /// Calls `each` with every initial state, in a fixed order. Most models have exactly one.
    fn initial(&self, each: &mut dyn FnMut(&[u8]));

    /// Adds every step from `state` to what is in `out`: the states they lead to, the faults they ran into. Says whether
    /// there is a way forward from `state`, and, if there is none, what that means ([`Successors::terminal`]). Where there is no
    /// room for all of them, [`Successors::refused`] says so, and what was added is of no use.
    fn expand(&self, state: &[u8], out: &mut Successors);

    /// Fills `out` with every step from `state` and nothing else.
    fn successors(&self, state: &[u8], out: &mut Successors) {
        out.clear();
        self.expand(state, out);
    }

    /// Like [`Model::successors`], and says in `footprints` what each of the steps depends on, in their order. False if the model
    /// cannot tell: all steps depend on each other then, and `footprints` is of no use.
    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, _footprints: &mut Footprints) -> bool {
        self.successors(state, out);
        false
    }

    /// Computes a stubborn set of `state` (Valmari 1991) that has no visible step: none that changes what [`Model::check`]
    /// says. Runs of steps outside of the set leave those inside enabled, and commute with them.
    ///
    /// - `steps`, `first`: the enabled steps are those of `steps` from number `first` on.
    /// - `satisfies_proviso`, in: for each of them, whether it satisfies the proviso of the search, which prevents that steps
    ///   are ignored along a cycle. One that does is in the set.
    /// - `in_set`, out: for each of them, whether it is in the set.
    /// - `scratch`: working space, kept from call to call, for this method alone.
    ///
    /// False if all steps have to be taken; `in_set` has no meaning then.
    fn stubborn_set(
        &self,
        _state: &[u8],
        (_steps, _first): (&Successors, usize),
        _satisfies_proviso: &[bool],
        _in_set: &mut Vec<bool>,
        _scratch: &mut Scratch,
    ) -> bool {
        false
    }

    /// Executes exactly `step` from `state` and leaves the state it leads to in `to`.
    ///
    /// The step must have come from [`Model::successors`] of the same state; otherwise the answer is
    /// [`Fired::Disabled`]. `scratch` is working space as in [`Successors`].
    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired;

    /// Executes the step of that number among those of [`Model::successors`], as [`Model::fire`] does; for stores
    /// that know steps by their numbers. [`Fired::Disabled`] if there are fewer.
    fn fire_nth(&self, state: &[u8], number: usize, to: &mut Vec<u8>, out: &mut Successors) -> Fired {
        self.successors(state, out);
        out.fired(number, to)
    }

    /// What is wrong with `state` itself, if anything: a violated invariant. Deadlock is not asked here; it shows in
    /// [`Successors::terminal`]. `scratch` is working space, kept from call to call.
    fn check(&self, _state: &[u8], _scratch: &mut Scratch) -> Option<Fault> {
        None
    }

    /// Whether a state only stands for the failure of a step (DiVinE's error state), and says nothing of variables.
    fn is_error_state(&self, _state: &[u8]) -> bool {
        false
    }

    /// The class of a step, for replacement strategies that go by it.
    fn step_class(&self, _state: &[u8], _step: Step) -> StepClass {
        StepClass::LAST
    }

    /// The lengths of steps, where they are not all one.
    fn statements(&self) -> Option<&dyn Statements> {
        None
    }

    /// The step in words: `each` is called for every elementary move, several times where the model's language lumps moves
    /// together (an atomic sequence, which may have hundreds of thousands, or a handshake). `state` is where the step starts.
    fn describe(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText));

    /// Appends the step in few words to `out`, as the label of a transition: the actor and the action, without the place in the source.
    fn label(&self, state: &[u8], step: Step, out: &mut String) {
        let start = out.len();
        self.describe(state, step, &mut |one| one.append(start, out));
    }

    /// What may be renamed in states, if the model declares it.
    fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        None
    }

    /// The initial state of that number in words, where there is more to say than its values.
    fn describe_initial(&self, _number: u32) -> Option<StepText> {
        None
    }

    /// What a deadlock is, in words.
    fn deadlock(&self) -> &'static str {
        "no process can move, and not all are at a valid end state"
    }

    /// Where the parts of the system stand in `state`, in words: for each process the line it is at and what it could do
    /// or waits for there. Shown at the end of a counterexample.
    fn standing(&self, _state: &[u8]) -> Vec<StepText> {
        Vec::new()
    }

    /// The parts of the model that no step has exercised, given all steps that were taken; asked after an exhaustive
    /// search. The text of each entry is for people. Models without such a notion return nothing.
    fn unreached(&self, _scratch: &Scratch) -> Vec<StepText> {
        Vec::new()
    }
}

/// The name of a step, unique among the steps of one state and meaningful to its model only.
///
/// `action` says which process or rule does what. It does not depend on the state, so that "the same step in another state"
/// makes sense. `choice` tells apart the outcomes of one action where it has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// What is done, and by which process or rule.
    pub action: u64,
    /// Which of the outcomes.
    pub choice: u32,
}

/// The class of a step, for type-oriented replacement (Godefroid, Holzmann & Pirottin 1995, §5): a state that was reached by a
/// step of a lower class stays in a cache longer. Which steps are of which class is the model's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepClass(u8);

impl StepClass {
    /// The highest class, for steps that nothing is known of.
    pub const LAST: StepClass = StepClass(7);

    /// The class of that number; the highest one for numbers above.
    pub const fn new(number: u8) -> StepClass {
        if number < StepClass::LAST.0 { StepClass(number) } else { StepClass::LAST }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// How many statements steps are made of, for models in which one step may be several (SPIN counts depth in them).
pub trait Statements {
    /// The statements of the step at `index`, in the buffer that the model expanded states into.
    fn of_step(&self, out: &Successors, index: usize) -> u32;

    /// The most statements of an attempt, among those to expand these states, that came to nothing, such as an atomic sequence
    /// that blocks.
    fn of_failed_attempt(&self, out: &Successors) -> u32;
}

/// A place in a source file, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it.
    pub file: String,
    /// Its line, from 1; 0 where there is none.
    pub line: u32,
}

/// One elementary move in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepText {
    /// Who moves, such as `sender[1]`; empty where the notion does not apply.
    pub actor: String,
    /// What is done, close to the source text.
    pub action: String,
    /// Where it is written.
    pub at: Place,
    /// What the move prints.
    pub output: String,
}

impl StepText {
    /// Appends it in few words to a label that begins at `start`: `sender: a -> b | receiver: c -> d`.
    pub fn append(&self, start: usize, label: &mut String) {
        if label.len() > start {
            label.push_str(" | ");
        }
        if !self.actor.is_empty() {
            label.push_str(&self.actor);
            label.push_str(": ");
        }
        label.push_str(&self.action);
    }
}

/// The elementary moves of a step, all at once: for steps that are known to have few.
pub fn moves(model: &dyn Model, state: &[u8], step: Step) -> Vec<StepText> {
    let mut moves = Vec::new();
    model.describe(state, step, &mut |one| moves.push(one));
    moves
}

/// The classes of faults a run can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A failed assertion.
    Assertion,
    /// No step possible where the model may not end.
    Deadlock,
    /// An invariant that does not hold in a state.
    Invariant,
    /// An index outside its array.
    Bounds,
    /// A division by zero.
    Division,
    /// A value outside the range of its variable.
    Range,
    /// A variable that is read before it has a value.
    Undefined,
    /// An operation on a channel that is not there, or used the wrong way.
    Channel,
    /// More processes than there can be.
    Processes,
    /// An indivisible sequence that blocks, or that never ends.
    Atomicity,
    /// A message event that a `trace` forbids or a `notrace` completes.
    Event,
    /// A state that a goal describes.
    Goal,
    /// Any other error the model reports of itself.
    Error,
    /// No fault of the model: a limit of the interpreter was reached, and nothing is known of what would follow.
    Limit,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 14] = [
        FaultKind::Assertion,
        FaultKind::Deadlock,
        FaultKind::Invariant,
        FaultKind::Bounds,
        FaultKind::Division,
        FaultKind::Range,
        FaultKind::Undefined,
        FaultKind::Channel,
        FaultKind::Processes,
        FaultKind::Atomicity,
        FaultKind::Event,
        FaultKind::Goal,
        FaultKind::Error,
        FaultKind::Limit,
    ];

    /// The kind of that name, if there is one.
    pub fn from_name(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::Deadlock => "deadlock",
            FaultKind::Invariant => "invariant",
            FaultKind::Bounds => "bounds",
            FaultKind::Division => "division",
            FaultKind::Range => "range",
            FaultKind::Undefined => "undefined",
            FaultKind::Channel => "channel",
            FaultKind::Processes => "processes",
            FaultKind::Atomicity => "atomicity",
            FaultKind::Event => "event",
            FaultKind::Goal => "goal",
            FaultKind::Error => "error",
            FaultKind::Limit => "limit",
        }
    }
}

/// Something wrong: what, in words, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its class.
    pub kind: FaultKind,
    /// For people.
    pub message: String,
    /// Where it is written.
    pub at: Place,
}

/// The result of firing one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fired {
    /// The step led to the state now in the buffer.
    Done,
    /// The step led to the state now in the buffer, and something went wrong on the way (a failed assertion).
    DoneWith(Fault),
    /// Something went wrong and there is no state after it.
    Failed(Fault),
    /// The step cannot be taken in that state.
    Disabled,
}

/// Whether a state is terminal: whether no step leads on from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Terminal {
    /// It is not.
    #[default]
    No,
    /// It is, and may be: a valid end state.
    ValidEnd,
    /// It is, and may not be.
    Deadlock,
    /// It is, because it stands for a step that failed, which was reported when it was taken. Counts as a deadlock
    /// among the figures, and is no violation of its own.
    Failed,
}

/// Working space that a model keeps between calls: buffers, tables it derived. One per thread; a model must give the
/// same answers whatever is in it. The content is the model's own business.
#[derive(Default)]
pub struct Scratch(Option<Box<dyn Any + Send>>);

impl Scratch {
    /// The model's own working space, made by `new` when there is none of that type yet.
    #[inline]
    pub fn get<T: Any + Send>(&mut self, new: impl FnOnce() -> T) -> &mut T {
        let fits = self.0.as_ref().is_some_and(|held| held.is::<T>());
        if !fits {
            self.0 = Some(Box::new(new()));
        }
        self.0.as_mut().and_then(|held| held.downcast_mut()).expect("just made with this type")
    }

    /// The model's own working space, if it was made.
    pub fn peek<T: Any + Send>(&self) -> Option<&T> {
        self.0.as_ref().and_then(|held| held.downcast_ref())
    }
}
