//! From elements to locations and transitions.

use super::Lower;
use super::elements::{Basic, Flow, Id, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use tightrope_core::StepKind;
use tightrope_ir::{Action, Code, CodeNode, Location, Source, Transition};
use tightrope_syntax::Diagnostic;

/// The elements that are locations, in order of discovery, and the transitions of each.
pub(super) struct Automaton {
    pub locations: Vec<Id>,
    pub numbers: FxHashMap<Id, u32>,
    /// For each location: the element executed, the escape group, the element it leads to.
    pub transitions: Vec<Vec<(Id, u32, Id)>>,
}

impl Automaton {
    /// Finds the locations of a flow.
    pub fn new(flow: &Flow<'_>) -> Automaton {
        let mut automaton = Automaton { locations: Vec::new(), numbers: FxHashMap::default(), transitions: Vec::new() };
        automaton.location(flow.hunt(flow.first, flow.elements[flow.first as usize].atomic));
        let mut next = 0;
        while next < automaton.locations.len() {
            let here = automaton.locations[next];
            let mut outgoing = Vec::new();
            let (escapes, normal) = exits(flow, here);
            for group in escapes {
                // The options of an escape are tried in reverse order; it shows only with an `else` among them.
                let (_, guards) = exits(flow, flow.start(flow.escapes[group as usize]));
                outgoing.extend(guards.into_iter().rev().map(|guard| (guard, group + 1)));
            }
            outgoing.extend(normal.into_iter().map(|id| (id, 0)));
            let outgoing = outgoing.into_iter().map(|(id, group)| {
                let target = leads_to(flow, id);
                automaton.location(target);
                (id, group, target)
            });
            let outgoing = outgoing.collect();
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

pub(super) fn is_else(flow: &Flow<'_>, id: Id) -> bool {
    matches!(flow.elements[id as usize].kind, Kind::Basic(Basic::Otherwise | Basic::Stmt(crate::ast::StmtKind::Else)))
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

/// What can be executed at an element: the escapes that apply, and the elements themselves.
fn exits(flow: &Flow<'_>, id: Id) -> (Vec<u32>, Vec<Id>) {
    let element = &flow.elements[id as usize];
    let mut escapes = element.escapes.clone();
    let mut normal = Vec::new();
    let mut add = |first: Id| {
        let (inner_escapes, inner) = exits(flow, flow.start(first));
        for escape in inner_escapes {
            if !escapes.contains(&escape) {
                escapes.push(escape);
            }
        }
        normal.extend(inner);
    };
    match &element.kind {
        // An option that begins with `else` is tried after the others of its selection.
        Kind::Options(sequences) => {
            let (last, first): (Vec<_>, Vec<_>) = sequences.iter().partition(|sequence| is_else(flow, sequence[0]));
            first.into_iter().chain(last).for_each(|sequence| add(sequence[0]));
        }
        Kind::Block(inner) | Kind::Atomic(inner) => add(inner[0]),
        Kind::Unless(main, _) => add(main[0]),
        Kind::Basic(_) | Kind::Jump(_) | Kind::Joint | Kind::DStep(_) => normal.push(id),
    }
    (escapes, normal)
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
            let marked = |prefix: &str| element.labels.iter().any(|label| label.starts_with(prefix));
            locations.push(Location {
                first,
                count: transitions.len() as u32 - first,
                end: marked("end") || matches!(element.kind, Kind::Basic(Basic::End)),
                progress: marked("progress"),
                accept: marked("accept"),
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
            self.diags.push(diagnostic);
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
            let (_, normal) = exits(flow, here);
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
