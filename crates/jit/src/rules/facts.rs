//! What is known of slots and routines before they are compiled.

use crate::code::CompileError;
use crate::expr::{CompileContext, range};
use tightrope_ir::effects::operations::{Operation, of_block, of_expr, of_test, weight};
use tightrope_ir::{Argument, Base, Call, Invariant, Routine, Rule, RuleSet, Test, Variable};

/// The values that a slot can have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlotRange {
    /// Nothing was put there.
    #[default]
    Unset,
    /// From, to.
    Known(i64, i64),
    /// Any.
    Any,
}

impl SlotRange {
    fn add(&mut self, more: Option<(i64, i64)>) {
        *self = match (*self, more) {
            (_, None) | (SlotRange::Any, _) => SlotRange::Any,
            (SlotRange::Unset, Some((low, high))) => SlotRange::Known(low, high),
            (SlotRange::Known(low, high), Some(more)) => SlotRange::Known(low.min(more.0), high.max(more.1)),
        };
    }

    /// The least and the greatest, if known.
    pub fn known(self) -> Option<(i64, i64)> {
        match self {
            SlotRange::Known(low, high) => Some((low, high)),
            SlotRange::Unset | SlotRange::Any => None,
        }
    }
}

/// Where the places lie that a slot can have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlaceRegion {
    /// No place was put there.
    #[default]
    Unset,
    /// In the state.
    State,
    /// In the frame of the rule.
    Frame,
    /// In either.
    Both,
}

impl PlaceRegion {
    fn add(self, other: PlaceRegion) -> PlaceRegion {
        match (self, other) {
            (PlaceRegion::Unset, one) | (one, PlaceRegion::Unset) => one,
            (one, other) if one == other => one,
            _ => PlaceRegion::Both,
        }
    }
}

/// What is known of a slot.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlotFacts {
    /// Its values.
    pub span: SlotRange,
    /// Its places.
    pub region: PlaceRegion,
}

/// A context in which nothing is known of slots.
struct NoContext;

impl CompileContext for NoContext {
    fn base(&mut self, _: &mut crate::code::Code<'_>, _: &Variable) -> Result<crate::code::Address, CompileError> {
        Err("nobody has places".into())
    }

    fn special(
        &mut self,
        _: &mut crate::code::Code<'_>,
        _: &tightrope_ir::Expr,
    ) -> Result<cranelift_codegen::ir::Value, CompileError> {
        Err("nobody evaluates".into())
    }
}

fn note(facts: &mut [SlotFacts], operation: &Operation<'_>) {
    let region = |facts: &[SlotFacts], variable: &Variable| match variable.base {
        Base::Global => PlaceRegion::State,
        Base::Frame => PlaceRegion::Frame,
        Base::At(slot) => match facts.get(slot as usize).map(|facts| facts.region) {
            // A place that was never set is that of the state's first byte.
            None | Some(PlaceRegion::Unset) => PlaceRegion::State,
            Some(region) => region,
        },
        Base::Own | Base::Process(..) => PlaceRegion::Both,
    };
    match operation {
        Operation::Number(slot, expr) => {
            if let Some(facts) = facts.get_mut(*slot as usize) {
                facts.span.add(range(&NoContext, expr));
            }
        }
        Operation::Runs(slot, low, high, step) => {
            let (from, to) = if *step > 0 { (low, high) } else { (high, low) };
            let span = range(&NoContext, from).zip(range(&NoContext, to)).map(|(low, high)| (low.0, high.1.max(low.0)));
            if let Some(facts) = facts.get_mut(*slot as usize) {
                facts.span.add(span);
            }
        }
        Operation::Place(slot, variable) => {
            let region = region(facts, variable);
            if let Some(facts) = facts.get_mut(*slot as usize) {
                facts.region = facts.region.add(region);
            }
        }
        _ => {}
    }
}

/// What is known of the slots of a rule.
pub fn of_rule(rule: &Rule) -> Vec<SlotFacts> {
    let mut facts = vec![SlotFacts::default(); rule.slots as usize];
    for param in &rule.params {
        let ends = param.ranges.iter().flat_map(|&(low, high, _)| [i64::from(low), i64::from(high)]);
        let span = ends.clone().min().zip(ends.max());
        facts[param.slot as usize].span.add(span.or(Some((0, 0))));
    }
    // Places may be passed from slot to slot, one slot per round.
    for _ in 0..=rule.slots {
        let before: Vec<PlaceRegion> = facts.iter().map(|facts| facts.region).collect();
        rule.tests.iter().for_each(|(_, test)| of_test(test, &mut |operation| note(&mut facts, &operation)));
        of_block(&rule.body, &mut |operation| note(&mut facts, &operation));
        if facts.iter().map(|facts| facts.region).eq(before) {
            break;
        }
    }
    facts
}

/// What is known of the slots of an invariant.
pub fn of_invariant(invariant: &Invariant) -> Vec<SlotFacts> {
    let rule = Rule {
        slots: invariant.slots,
        tests: invariant.tests.iter().map(|test| (0, test.clone())).collect(),
        ..Rule::default()
    };
    of_rule(&rule)
}

/// What is known of a routine.
#[derive(Clone, Debug, Default)]
pub struct RoutineFacts {
    /// Its slots. Places are pointers there, so that it does not matter where they lie.
    pub slots: Vec<SlotFacts>,
    /// For each of its parameters, whether it is a place.
    pub params: Vec<bool>,
    /// It may call itself.
    pub recursive: bool,
    /// It changes the state, whatever it is called with.
    pub changes_state: bool,
    /// It changes what its parameters refer to.
    pub changes_places: bool,
    /// How large it is.
    pub weight: u32,
}

/// What is known of all routines.
pub fn of_routines(rules: &RuleSet) -> Result<Vec<RoutineFacts>, CompileError> {
    let mut all: Vec<RoutineFacts> = rules.routines.iter().map(own_facts).collect();
    let mut params: Vec<Option<Vec<bool>>> = vec![None; all.len()];
    let mut problem = None;
    each_call(rules, &mut |call| {
        let kinds: Vec<bool> = call.args.iter().map(|argument| !matches!(argument, Argument::Value(_))).collect();
        match params.get_mut(call.routine as usize) {
            Some(known @ None) => *known = Some(kinds),
            Some(Some(known)) if *known == kinds => {}
            _ => problem = Some("a routine is called in different ways".to_string()),
        }
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    for (facts, params) in all.iter_mut().zip(params) {
        facts.params = params.unwrap_or_default();
        for (slot, _) in facts.params.iter().enumerate().filter(|(_, place)| !**place) {
            facts.slots[slot].span = SlotRange::Any;
        }
    }
    spread(rules, &mut all);
    Ok(all)
}

fn own_facts(routine: &Routine) -> RoutineFacts {
    let mut facts = RoutineFacts {
        slots: vec![SlotFacts::default(); routine.slots as usize],
        weight: weight(&routine.body),
        ..RoutineFacts::default()
    };
    let mut refers_to_state = false;
    of_block(&routine.body, &mut |operation| {
        note(&mut facts.slots, &operation);
        match operation {
            Operation::Writes(variable) => match variable.base {
                Base::Frame => {}
                Base::At(_) => facts.changes_places = true,
                _ => facts.changes_state = true,
            },
            Operation::Place(_, variable) => refers_to_state |= matches!(variable.base, Base::Global),
            _ => {}
        }
    });
    facts.changes_state |= refers_to_state && facts.changes_places;
    facts
}

/// Propagates the effects of routines to their callers.
fn spread(rules: &RuleSet, all: &mut [RoutineFacts]) {
    let mut calls: Vec<Vec<&Call>> = Vec::new();
    for routine in &rules.routines {
        let mut of_this = Vec::new();
        of_block(&routine.body, &mut |operation| {
            if let Operation::Calls(call) = operation {
                of_this.push(call);
            }
        });
        calls.push(of_this);
    }
    loop {
        let mut changed = false;
        for (caller, of_this) in calls.iter().enumerate() {
            for call in of_this {
                let (state, places) = effect(all, call);
                let facts = &mut all[caller];
                changed |= (state && !facts.changes_state) || (places && !facts.changes_places);
                facts.changes_state |= state;
                facts.changes_places |= places;
            }
        }
        if !changed {
            break;
        }
    }
    let count = all.len();
    for (start, facts) in all.iter_mut().enumerate() {
        let (mut seen, mut stack) = (vec![false; count], vec![start]);
        while let Some(at) = stack.pop() {
            for call in &calls[at] {
                let next = call.routine as usize;
                if next == start {
                    facts.recursive = true;
                }
                if next < count && !std::mem::replace(&mut seen[next], true) {
                    stack.push(next);
                }
            }
        }
    }
}

/// Whether a call changes the state, and whether it changes what a place in a slot refers to.
fn effect(all: &[RoutineFacts], call: &Call) -> (bool, bool) {
    let Some(facts) = all.get(call.routine as usize) else { return (true, true) };
    let (mut state, mut places) = (facts.changes_state, false);
    for argument in &call.args {
        if let Argument::Place(variable) = argument
            && facts.changes_places
        {
            match variable.base {
                Base::Frame => {}
                Base::At(_) => places = true,
                _ => state = true,
            }
        }
    }
    (state, places)
}

fn each_call<'a>(rules: &'a RuleSet, each: &mut dyn FnMut(&'a Call)) {
    let mut note_call = |operation: Operation<'a>| {
        if let Operation::Calls(call) = operation {
            each(call);
        }
    };
    for routine in &rules.routines {
        of_block(&routine.body, &mut note_call);
    }
    for rule in &rules.rules {
        rule.tests.iter().for_each(|(_, test)| of_test(test, &mut note_call));
        of_block(&rule.body, &mut note_call);
    }
    for invariant in &rules.invariants {
        invariant.tests.iter().for_each(|test| of_test(test, &mut note_call));
    }
}

/// Checks that a test changes nothing but the frame of its rule: machine code evaluates tests on the state itself, not
/// on a copy.
pub fn only_looks(routines: &[RoutineFacts], test: &Test) -> Result<(), CompileError> {
    let mut changes = false;
    of_test(test, &mut |operation| match operation {
        Operation::Writes(variable) => changes |= !matches!(variable.base, Base::Frame),
        Operation::Calls(call) => {
            let (state, places) = effect(routines, call);
            changes |= state || places;
        }
        _ => {}
    });
    if changes { Err("a condition changes the state".into()) } else { Ok(()) }
}

/// Whether statements, or the tests before them, use the frame of their rule.
pub fn uses_frame(rule: &Rule) -> (bool, bool) {
    let (mut by_tests, mut by_body) = (false, false);
    let framed = |operation: &Operation<'_>| match operation {
        Operation::Reads(variable) | Operation::Writes(variable) | Operation::Place(_, variable) => {
            variable.base == Base::Frame
        }
        Operation::Calls(call) => call.args.iter().any(|argument| match argument {
            Argument::Place(variable) | Argument::Kept(variable, _) => variable.base == Base::Frame,
            Argument::Value(_) => false,
        }),
        _ => false,
    };
    rule.tests.iter().for_each(|(_, test)| of_test(test, &mut |operation| by_tests |= framed(&operation)));
    of_block(&rule.body, &mut |operation| by_body |= framed(&operation));
    (by_tests, by_body)
}

/// Whether evaluating an expression changes anything: only calls do.
pub fn has_calls(expr: &tightrope_ir::Expr) -> bool {
    let mut found = false;
    of_expr(expr, &mut |operation| found |= matches!(operation, Operation::Calls(_)));
    found
}
