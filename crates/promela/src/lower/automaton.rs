//! The control-flow automaton of a process type: from elements to locations and transitions.

use super::Lower;
use super::control_flow::{Basic, ControlFlow, ElementId, ElementKind};
use rustc_hash::{FxHashMap, FxHashSet};
use tightrope_ir::StepKind;
use tightrope_ir::{Action, IndivisibleCode, IndivisibleNode, Location, Source, Transition};
use tightrope_syntax::Diagnostic;

/// A transition of a location: the element executed, the escape group (0 is none), the element it leads to.
type Edge = (ElementId, u32, ElementId);

/// The elements that are locations, in order of discovery, and the transitions of each.
pub(super) struct Automaton {
    pub locations: Vec<ElementId>,
    pub numbers: FxHashMap<ElementId, u32>,
    pub transitions: Vec<Vec<Edge>>,
    /// The marks of every element: from its own labels, and from those that SPIN lets it inherit.
    pub marks: Vec<Marks>,
}

impl Automaton {
    /// Finds the locations of a flow.
    pub fn new(flow: &ControlFlow<'_>) -> Automaton {
        let marks = marks(flow);
        let (locations, numbers) = (Vec::new(), FxHashMap::default());
        let mut automaton = Automaton { locations, numbers, transitions: Vec::new(), marks };
        automaton.location(flow.resting_element(flow.first, flow.elements[flow.first as usize].atomic));
        let mut known = FxHashMap::default();
        let mut next = 0;
        while next < automaton.locations.len() {
            let here = automaton.locations[next];
            let outgoing = edges(flow, here, &mut known);
            outgoing.iter().for_each(|&(_, _, target)| automaton.location(target));
            automaton.transitions.push(outgoing);
            next += 1;
        }
        automaton
    }

    fn location(&mut self, id: ElementId) {
        if !self.numbers.contains_key(&id) {
            self.numbers.insert(id, self.locations.len() as u32);
            self.locations.push(id);
        }
    }
}

/// What the labels of a location mark it as.
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
fn marks(flow: &ControlFlow<'_>) -> Vec<Marks> {
    let mut marks: Vec<Marks> = flow.elements.iter().map(|element| Marks::of(&element.labels)).collect();
    let inherit = |marks: &mut Vec<Marks>, heir: ElementId, from: ElementId| {
        let from = marks[from as usize];
        marks[heir as usize].add(from);
    };
    let is_head = |&id: &ElementId| !entries(flow, id).is_empty();
    let element = |id: ElementId| &flow.elements[id as usize];
    let outside = |&id: &ElementId| element(id).dstep.is_none() && !matches!(element(id).kind, ElementKind::Unless(..));
    let heads: Vec<ElementId> = (0..flow.elements.len() as ElementId).filter(is_head).filter(outside).collect();
    for &head in &heads {
        for first in entries(flow, head).into_iter().filter(is_head) {
            guards(flow, first).into_iter().for_each(|guard| inherit(&mut marks, guard, first));
        }
    }
    for &head in &heads {
        guards(flow, head).into_iter().for_each(|guard| inherit(&mut marks, leads_to(flow, guard), guard));
    }
    marks
}

pub(super) fn is_else(flow: &ControlFlow<'_>, id: ElementId) -> bool {
    matches!(
        flow.elements[id as usize].kind,
        ElementKind::Basic(Basic::Otherwise | Basic::Stmt(crate::ast::StmtKind::Else, _))
    )
}

/// The location after `id` was executed.
fn leads_to(flow: &ControlFlow<'_>, id: ElementId) -> ElementId {
    let element = &flow.elements[id as usize];
    let next = match &element.kind {
        ElementKind::Jump(_) => flow.jumps_to(element),
        ElementKind::Basic(Basic::End) => Some(id),
        _ => element.next,
    };
    next.map_or(id, |next| if next == id { id } else { flow.resting_element(next, element.atomic) })
}

/// What the sequences of a head begin with, in the order in which they are tried; nothing for other elements.
fn entries(flow: &ControlFlow<'_>, id: ElementId) -> Vec<ElementId> {
    match &flow.elements[id as usize].kind {
        // An option that begins with `else` is tried after the others of its selection.
        ElementKind::Options(sequences) => {
            let (last, first): (Vec<_>, Vec<_>) = sequences.iter().partition(|sequence| is_else(flow, sequence[0]));
            first.into_iter().chain(last).map(|sequence| flow.first_element(sequence[0])).collect()
        }
        ElementKind::Block(inner) | ElementKind::Atomic(inner) => vec![flow.first_element(inner[0])],
        ElementKind::Unless(main, _) => vec![flow.first_element(main[0])],
        ElementKind::Basic(_) | ElementKind::Jump(_) | ElementKind::Join | ElementKind::DStep(_) => Vec::new(),
    }
}

/// The elements that can be executed at an element, escapes apart.
fn guards(flow: &ControlFlow<'_>, id: ElementId) -> Vec<ElementId> {
    let entries = entries(flow, id);
    if entries.is_empty() {
        return vec![id];
    }
    entries.into_iter().flat_map(|first| guards(flow, first)).collect()
}

/// The transitions of a location. Escapes come first; of each statement those that are further outside, and of several
/// statements those of the last one.
///
/// An escape is what can be executed where it begins. If that is the beginning of an `unless` as well, its own escapes
/// are part of it, and in one group with it, provided that SPIN has done with that place before it comes here: it goes
/// through places in the order of its numbers, which is that of our elements.
fn edges(flow: &ControlFlow<'_>, id: ElementId, known: &mut FxHashMap<ElementId, Vec<Edge>>) -> Vec<Edge> {
    if let Some(known) = known.get(&id) {
        return known.clone();
    }
    let normal: Vec<Edge> = guards(flow, id).into_iter().map(|guard| (guard, 0, leads_to(flow, guard))).collect();
    let mut all = normal.clone();
    for &(guard, ..) in &normal {
        let element = &flow.elements[guard as usize];
        if matches!(element.kind, ElementKind::Join) {
            continue;
        }
        for &group in element.escapes.iter().rev() {
            let mut begins = flow.resting_element(flow.escapes[group as usize], element.atomic);
            // From inside an atomic sequence SPIN gets no further than the head of a loop or of an `unless`.
            if matches!(flow.elements[begins as usize].kind, ElementKind::Join | ElementKind::Unless(..)) {
                begins = flow.resting_element(begins, false);
            }
            let escape = match begins {
                begins if begins < id => edges(flow, begins, known),
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
        flow: &ControlFlow<'_>,
        automaton: &Automaton,
    ) -> (Vec<Location>, Vec<Transition>) {
        let mut locations = Vec::new();
        let mut transitions: Vec<Transition> = Vec::new();
        let mut actions: FxHashMap<ElementId, Option<(Action, String)>> = FxHashMap::default();
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
                let keeps_control = one.atomic && !matches!(one.kind, ElementKind::Basic(Basic::End));
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
                end: marks.end || matches!(element.kind, ElementKind::Basic(Basic::End)),
                progress: marks.progress,
                accept: marks.accept,
                labels: element.labels.iter().map(|label| label.to_string()).collect(),
                source: self.source(element.span),
            });
        }
        (locations, transitions)
    }

    /// The unreachable statements, as far as control flow alone tells.
    pub(super) fn dead_code(&self, flow: &ControlFlow<'_>, automaton: &Automaton) -> Vec<(String, Source)> {
        let executed: FxHashSet<ElementId> = automaton.transitions.iter().flatten().map(|&(id, ..)| id).collect();
        let mut dead = Vec::new();
        for (id, element) in flow.elements.iter().enumerate() {
            let ElementKind::Basic(basic) = &element.kind else { continue };
            if element.dstep.is_none() && !executed.contains(&(id as ElementId)) {
                dead.push((self.text(basic, element.span), self.source(element.span)));
            }
        }
        dead
    }

    /// Reports several `else` at one location, which a nested selection can cause.
    fn check_else(&mut self, flow: &ControlFlow<'_>, outgoing: &[(ElementId, u32, ElementId)]) {
        let mut elses = outgoing.iter().filter(|(id, escape, _)| *escape == 0 && is_else(flow, *id));
        if let (Some(&(first, ..)), Some(&(second, ..))) = (elses.next(), elses.next()) {
            let diagnostic = Diagnostic::error("two `else` options at the same place")
                .at(flow.elements[second as usize].span, "this one")
                .also(flow.elements[first as usize].span, "and this one");
            self.report(diagnostic);
        }
    }

    /// What an element does, and its text.
    fn element_action(&mut self, owner: usize, flow: &ControlFlow<'_>, id: ElementId) -> Option<(Action, String)> {
        let element = &flow.elements[id as usize];
        match &element.kind {
            ElementKind::Basic(basic) => {
                let action = self.basic(basic, owner, element.scope, element.span)?;
                Some((action, self.text(basic, element.span)))
            }
            ElementKind::Jump(_) => Some((Action::Skip, self.source_text(element.span))),
            ElementKind::DStep(inner) => {
                let code = self.code(owner, flow, inner[0])?;
                Some((Action::Indivisible(Box::new(code)), "d_step".into()))
            }
            _ => Some((Action::Skip, "(goto)".into())),
        }
    }

    /// The inside of a `d_step`.
    fn code(&mut self, owner: usize, flow: &ControlFlow<'_>, first: ElementId) -> Option<IndivisibleCode> {
        let mut numbers: FxHashMap<ElementId, u32> = FxHashMap::default();
        let mut order = vec![flow.resting_element(first, false)];
        numbers.insert(order[0], 0);
        let mut nodes = Vec::new();
        while nodes.len() < order.len() {
            let here = order[nodes.len()];
            let normal = guards(flow, here);
            let mut actions = Vec::new();
            for id in normal {
                let element = &flow.elements[id as usize];
                // A join without a successor is the end of the sequence.
                let (action, _) = self.element_action(owner, flow, id)?;
                let next = match &element.kind {
                    ElementKind::Jump(_) => flow.jumps_to(element),
                    _ => element.next,
                };
                let next = next.map(|next| flow.resting_element(next, false)).filter(|&next| {
                    let rest = &flow.elements[next as usize];
                    !(matches!(rest.kind, ElementKind::Join) && rest.next.is_none())
                });
                let next = next.map(|next| {
                    *numbers.entry(next).or_insert_with(|| {
                        order.push(next);
                        order.len() as u32 - 1
                    })
                });
                actions.push((action, next));
            }
            nodes.push(IndivisibleNode { actions, source: self.source(flow.elements[here as usize].span) });
        }
        Some(IndivisibleCode { nodes })
    }
}
