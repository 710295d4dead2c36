//! From elements to locations and transitions.

use super::Lower;
use super::elements::{Basic, Flow, Id, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use tightrope_core::StepKind;
use tightrope_ir::{Action, Code, CodeNode, Location, Source, Transition};
use tightrope_syntax::Diagnostic;

/// A transition of a location: the element executed, the escape group (0 is none), the element it leads to.
type Exit = (Id, u32, Id);

/// The elements that are locations, in order of discovery, and the transitions of each.
pub(super) struct Automaton {
    pub locations: Vec<Id>,
    pub numbers: FxHashMap<Id, u32>,
    pub transitions: Vec<Vec<Exit>>,
    /// For every element, what its labels and those that SPIN lets it inherit say.
    pub marks: Vec<Marks>,
}

impl Automaton {
    /// Finds the locations of a flow.
    pub fn new(flow: &Flow<'_>) -> Automaton {
        let marks = marks(flow);
        let (locations, numbers) = (Vec::new(), FxHashMap::default());
        let mut automaton = Automaton { locations, numbers, transitions: Vec::new(), marks };
        automaton.location(flow.hunt(flow.first, flow.elements[flow.first as usize].atomic));
        let mut known = FxHashMap::default();
        let mut next = 0;
        while next < automaton.locations.len() {
            let here = automaton.locations[next];
            let outgoing = exits(flow, here, &mut known);
            outgoing.iter().for_each(|&(_, _, target)| automaton.location(target));
            automaton.transitions.push(outgoing);
            next += 1;
        }
        automaton
    }

    fn location(&mut self, id: Id) {
        if !self.numbers.contains_key(&id) {
            self.numbers.insert(id, self.locations.len() as u32);
            self.locations.push(id);
        }
    }
}

/// What the labels of a location say to the checker.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    pub end: bool,
    pub progress: bool,
    pub accept: bool,
}

impl Marks {
    fn of(labels: &[&str]) -> Marks {
        let marked = |prefix: &str| labels.iter().any(|label| label.starts_with(prefix));
        Marks { end: marked("end"), progress: marked("progress"), accept: marked("accept") }
    }

    fn add(&mut self, other: Marks) {
        self.end |= other.end;
        self.progress |= other.progress;
        self.accept |= other.accept;
    }
}

/// The marks of all elements. What begins a block or an option is executed from the head of that block or selection;
/// where it has a label, SPIN gives the label to what comes after it, and so does the head of a selection or block that
/// begins another. SPIN goes through the heads in the order of its numbers, which is that of our elements.
fn marks(flow: &Flow<'_>) -> Vec<Marks> {
    let mut marks: Vec<Marks> = flow.elements.iter().map(|element| Marks::of(&element.labels)).collect();
    let inherit = |marks: &mut Vec<Marks>, heir: Id, from: Id| {
        let from = marks[from as usize];
        marks[heir as usize].add(from);
    };
    let is_head = |&id: &Id| !beginnings(flow, id).is_empty();
    let element = |id: Id| &flow.elements[id as usize];
    let outside = |&id: &Id| element(id).dstep.is_none() && !matches!(element(id).kind, Kind::Unless(..));
    let heads: Vec<Id> = (0..flow.elements.len() as Id).filter(is_head).filter(outside).collect();
    for &head in &heads {
        for first in beginnings(flow, head).into_iter().filter(is_head) {
            guards(flow, first).into_iter().for_each(|guard| inherit(&mut marks, guard, first));
        }
    }
    for &head in &heads {
        guards(flow, head).into_iter().for_each(|guard| inherit(&mut marks, leads_to(flow, guard), guard));
    }
    marks
}

pub(super) fn is_else(flow: &Flow<'_>, id: Id) -> bool {
    matches!(
        flow.elements[id as usize].kind,
        Kind::Basic(Basic::Otherwise | Basic::Stmt(crate::ast::StmtKind::Else, _))
    )
}

/// The element at which control rests after `id` was executed.
fn leads_to(flow: &Flow<'_>, id: Id) -> Id {
    let element = &flow.elements[id as usize];
    let next = match &element.kind {
        Kind::Jump(_) => flow.jumps_to(element),
        Kind::Basic(Basic::End) => Some(id),
        _ => element.next,
    };
    next.map_or(id, |next| if next == id { id } else { flow.hunt(next, element.atomic) })
}

/// What the sequences of a head begin with, in the order in which they are tried; nothing for other elements.
fn beginnings(flow: &Flow<'_>, id: Id) -> Vec<Id> {
    match &flow.elements[id as usize].kind {
        // An option that begins with `else` is tried after the others of its selection.
        Kind::Options(sequences) => {
            let (last, first): (Vec<_>, Vec<_>) = sequences.iter().partition(|sequence| is_else(flow, sequence[0]));
            first.into_iter().chain(last).map(|sequence| flow.start(sequence[0])).collect()
        }
        Kind::Block(inner) | Kind::Atomic(inner) => vec![flow.start(inner[0])],
        Kind::Unless(main, _) => vec![flow.start(main[0])],
        Kind::Basic(_) | Kind::Jump(_) | Kind::Joint | Kind::DStep(_) => Vec::new(),
    }
}

/// The elements that can be executed at an element, escapes apart.
fn guards(flow: &Flow<'_>, id: Id) -> Vec<Id> {
    let beginnings = beginnings(flow, id);
    if beginnings.is_empty() {
        return vec![id];
    }
    beginnings.into_iter().flat_map(|first| guards(flow, first)).collect()
}

/// The transitions of a location. Escapes come first; of each statement those that are further outside, and of several
/// statements those of the last one.
///
/// An escape is what can be executed where it begins. If that is the beginning of an `unless` as well, its own escapes
/// are part of it, and in one group with it, provided that SPIN has done with that place before it comes here: it goes
/// through places in the order of its numbers, which is that of our elements.
fn exits(flow: &Flow<'_>, id: Id, known: &mut FxHashMap<Id, Vec<Exit>>) -> Vec<Exit> {
    if let Some(known) = known.get(&id) {
        return known.clone();
    }
    let normal: Vec<Exit> = guards(flow, id).into_iter().map(|guard| (guard, 0, leads_to(flow, guard))).collect();
    let mut all = normal.clone();
    for &(guard, ..) in &normal {
        let element = &flow.elements[guard as usize];
        if matches!(element.kind, Kind::Joint) {
            continue;
        }
        for &group in element.escapes.iter().rev() {
            let mut begins = flow.hunt(flow.escapes[group as usize], element.atomic);
            // From inside an atomic sequence SPIN gets no further than the head of a loop or of an `unless`.
            if matches!(flow.elements[begins as usize].kind, Kind::Joint | Kind::Unless(..)) {
                begins = flow.hunt(begins, false);
            }
            let escape = match begins {
                begins if begins < id => exits(flow, begins, known),
                begins => guards(flow, begins).into_iter().map(|guard| (guard, 0, leads_to(flow, guard))).collect(),
            };
            for (guard, _, target) in escape {
                if all.iter().all(|&(there, ..)| there != guard) {
                    all.insert(0, (guard, begins + 1, target));
                }
            }
        }
    }
    known.insert(id, all.clone());
    all
}

impl Lower<'_> {
    /// The locations and transitions of a process type.
    pub(super) fn automaton(
        &mut self,
        owner: usize,
        flow: &Flow<'_>,
        automaton: &Automaton,
    ) -> (Vec<Location>, Vec<Transition>) {
        let mut locations = Vec::new();
        let mut transitions: Vec<Transition> = Vec::new();
        let mut actions: FxHashMap<Id, Option<(Action, String)>> = FxHashMap::default();
        for (&here, outgoing) in automaton.locations.iter().zip(&automaton.transitions) {
            let first = transitions.len() as u32;
            let element = &flow.elements[here as usize];
            self.check_else(flow, outgoing);
            for &(id, escape, target) in outgoing {
                let done = match actions.get(&id) {
                    Some(done) => done.clone(),
                    None => {
                        let done = self.element_action(owner, flow, id);
                        actions.insert(id, done.clone());
                        done
                    }
                };
                let Some((action, text)) = done else { continue };
                let one = &flow.elements[id as usize];
                let keeps_control = one.atomic && !matches!(one.kind, Kind::Basic(Basic::End));
                let kind = match &action {
                    Action::Skip | Action::Test(_) | Action::Else => StepKind::Control,
                    Action::Receive(_) => StepKind::Receive,
                    Action::Send(_) => StepKind::Send,
                    Action::Assign(..) => StepKind::Assign,
                    _ => StepKind::Other,
                };
                transitions.push(Transition {
                    action,
                    target: automaton.numbers[&target],
                    keeps_control,
                    escape,
                    kind,
                    text,
                    source: self.source(one.span),
                });
            }
            let marks = automaton.marks[here as usize];
            locations.push(Location {
                first,
                count: transitions.len() as u32 - first,
                end: marks.end || matches!(element.kind, Kind::Basic(Basic::End)),
                progress: marks.progress,
                accept: marks.accept,
                labels: element.labels.iter().map(|label| label.to_string()).collect(),
                source: self.source(element.span),
            });
        }
        (locations, transitions)
    }

    /// The statements that no run can come to, whatever the variables are.
    pub(super) fn dead_code(&self, flow: &Flow<'_>, automaton: &Automaton) -> Vec<(String, Source)> {
        let executed: FxHashSet<Id> = automaton.transitions.iter().flatten().map(|&(id, ..)| id).collect();
        let mut dead = Vec::new();
        for (id, element) in flow.elements.iter().enumerate() {
            let Kind::Basic(basic) = &element.kind else { continue };
            if element.dstep.is_none() && !executed.contains(&(id as Id)) {
                dead.push((self.text(basic, element.span), self.source(element.span)));
            }
        }
        dead
    }

    /// Complains about several `else` at one location, which a nested selection can bring about.
    fn check_else(&mut self, flow: &Flow<'_>, outgoing: &[(Id, u32, Id)]) {
        let mut elses = outgoing.iter().filter(|(id, escape, _)| *escape == 0 && is_else(flow, *id));
        if let (Some(&(first, ..)), Some(&(second, ..))) = (elses.next(), elses.next()) {
            let diagnostic = Diagnostic::error("two `else` options at the same place")
                .at(flow.elements[second as usize].span, "this one")
                .also(flow.elements[first as usize].span, "and this one");
            self.report(diagnostic);
        }
    }

    /// What an element does, and its text.
    fn element_action(&mut self, owner: usize, flow: &Flow<'_>, id: Id) -> Option<(Action, String)> {
        let element = &flow.elements[id as usize];
        match &element.kind {
            Kind::Basic(basic) => {
                let action = self.basic(basic, owner, element.scope, element.span)?;
                Some((action, self.text(basic, element.span)))
            }
            Kind::Jump(_) => Some((Action::Skip, self.source_text(element.span))),
            Kind::DStep(inner) => {
                let code = self.code(owner, flow, inner[0])?;
                Some((Action::Indivisible(Box::new(code)), "d_step".into()))
            }
            _ => Some((Action::Skip, "(goto)".into())),
        }
    }

    /// The inside of a `d_step`.
    fn code(&mut self, owner: usize, flow: &Flow<'_>, first: Id) -> Option<Code> {
        let mut numbers: FxHashMap<Id, u32> = FxHashMap::default();
        let mut order = vec![flow.hunt(first, false)];
        numbers.insert(order[0], 0);
        let mut nodes = Vec::new();
        while nodes.len() < order.len() {
            let here = order[nodes.len()];
            let normal = guards(flow, here);
            let mut actions = Vec::new();
            for id in normal {
                let element = &flow.elements[id as usize];
                // A joint without a successor is the end of the sequence.
                let (action, _) = self.element_action(owner, flow, id)?;
                let next = match &element.kind {
                    Kind::Jump(_) => flow.jumps_to(element),
                    _ => element.next,
                };
                let next = next.map(|next| flow.hunt(next, false)).filter(|&next| {
                    let rest = &flow.elements[next as usize];
                    !(matches!(rest.kind, Kind::Joint) && rest.next.is_none())
                });
                let next = next.map(|next| {
                    *numbers.entry(next).or_insert_with(|| {
                        order.push(next);
                        order.len() as u32 - 1
                    })
                });
                actions.push((action, next));
            }
            nodes.push(CodeNode { actions, source: self.source(flow.elements[here as usize].span) });
        }
        Some(Code { nodes })
    }
}
