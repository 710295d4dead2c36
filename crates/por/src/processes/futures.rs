//! Steps and futures of all transitions of a program.
//!
//! All that follows a transition is found in one graph ([`AccessGraph`]), whose nodes are transitions, locations and places in the
//! middle of steps, each in several roles, since accesses are named differently for the process whose future it is and for others.

use super::control_flow::{ControlFlow, TextTransition, to_others};
use super::reachable_accesses::{AccessGraph, ReachableAccesses, components};
use super::{AccessTime, TransitionEffects, disabling_reads::may_fail};
use std::collections::BTreeMap;
use tightrope_ir::effects::processes::{Accesses, ActionEffects, StaticAccess};

/// The roles of a transition or a location in the graph.
#[derive(Clone, Copy)]
enum Role {
    /// A transition of the process whose future it is, and all that may follow it.
    Own,
    /// A transition of another process, and all that may follow it.
    Other,
    /// A transition of another process that takes part in the present step, with the rest of its own step.
    Partner,
    /// A location of the process whose future it is, and all that may follow.
    OwnLocation,
    /// A location of another process, and all that may follow.
    OtherLocation,
    /// A location in the middle of a step, of the process whose future it is: the handshakes there, and what follows in others.
    OwnMiddle,
    /// The same for another process.
    OtherMiddle,
    /// A location in the middle of a partner's step: the rest of that step.
    PartnerMiddle,
    /// A location in the middle of the present step: what partners do in handshakes there and later in the step.
    StepMiddle,
}

/// How many roles transitions have, which come first, and how many there are.
const OF_TRANSITIONS: usize = 3;
const ROLES: usize = 9;

/// The nodes of the graph: transitions in their roles, then locations in theirs.
struct Nodes {
    /// For every kind of process the number of its first transition, and of its first location; with the sums at the end.
    transitions: Vec<usize>,
    locations: Vec<usize>,
}

impl Nodes {
    fn new(flow: &ControlFlow<'_>) -> Nodes {
        let (mut transitions, mut locations) = (vec![0], vec![0]);
        for kind in 0..flow.kinds() {
            transitions.push(transitions[kind] + flow.effects[kind].len());
            locations.push(locations[kind] + flow.process(kind).locations.len());
        }
        Nodes { transitions, locations }
    }

    fn count(&self) -> usize {
        let last = |sums: &[usize]| sums.last().copied().unwrap_or(0);
        OF_TRANSITIONS * last(&self.transitions) + (ROLES - OF_TRANSITIONS) * last(&self.locations)
    }

    fn transition(&self, role: Role, (kind, number): TextTransition) -> usize {
        role as usize * self.transitions[self.transitions.len() - 1] + self.transitions[kind] + number
    }

    /// None for a location that does not exist.
    fn location(&self, role: Role, (kind, location): (usize, u32)) -> Option<usize> {
        let number = self.locations[kind] + location as usize;
        let [transitions, locations] = [&self.transitions, &self.locations].map(|sums| sums[sums.len() - 1]);
        let first = OF_TRANSITIONS * transitions + (role as usize - OF_TRANSITIONS) * locations;
        (number < self.locations[kind + 1]).then_some(first + number)
    }
}

/// What is needed to say what steps and futures access.
pub struct Futures<'a> {
    flow: &'a ControlFlow<'a>,
    nodes: Nodes,
    reachable: ReachableAccesses,
    /// For every transition the handshakes that its process becomes ready for, or is no longer ready for.
    offers: Vec<Vec<Accesses>>,
    /// Whether a transition may come again in the same step.
    is_in_loop: Vec<Vec<bool>>,
}

impl<'a> Futures<'a> {
    /// Those of a program.
    pub fn new(flow: &'a ControlFlow<'a>) -> Futures<'a> {
        let nodes = Nodes::new(flow);
        let offers: Vec<Vec<Accesses>> = (0..flow.kinds()).map(|kind| flow.handshake_offers(kind)).collect();
        let mut graph = AccessGraph::new(nodes.count());
        for kind in 0..flow.kinds() {
            for number in 0..flow.effects[kind].len() {
                add_transition(flow, &nodes, &offers, (kind, number), &mut graph);
            }
            for location in 0..flow.process(kind).locations.len() as u32 {
                add_location(flow, &nodes, (kind, location), &mut graph);
            }
        }
        let is_in_loop = (0..flow.kinds()).map(|kind| in_loops(flow, kind)).collect();
        Futures { flow, nodes, reachable: graph.reachable(), offers, is_in_loop }
    }

    /// The effects of the transitions of a kind of process.
    pub fn transition_effects(&self, kind: usize) -> Vec<TransitionEffects> {
        let of_transition = |(number, effects): (usize, &ActionEffects)| {
            let guard = effects.guard.iter();
            let guard = guard.map(|conjunct| (conjunct.clone(), conjunct.test.as_ref().is_none_or(may_fail)));
            TransitionEffects {
                step: self.step_accesses((kind, number)),
                future: self.reachable.from(self.nodes.transition(Role::Own, (kind, number))).collect(),
                guard: guard.collect(),
                timeout: effects.timeout,
            }
        };
        self.flow.effects[kind].iter().enumerate().map(of_transition).collect()
    }

    /// All accesses of the step that begins with a transition, those of partners in the middle of it included.
    fn step_accesses(&self, first: TextTransition) -> Vec<(StaticAccess, AccessTime)> {
        let mut step = self.own_step_accesses(first);
        let transition = self.flow.transition(first);
        if transition.keeps_control
            && let Some(middle) = self.nodes.location(Role::StepMiddle, (first.0, transition.target))
        {
            step.extend(self.reachable.from(middle).map(|access| (access, AccessTime::Repeated)));
        }
        step.into_iter().collect()
    }

    /// The accesses of the step that begins with a transition, without those of partners in a handshake in the middle of it.
    fn own_step_accesses(&self, (kind, number): TextTransition) -> BTreeMap<StaticAccess, AccessTime> {
        let rest = self.flow.rest_of_step((kind, number));
        let mut later = ActionEffects::default();
        for &next in &rest {
            let effects = &self.flow.effects[kind][next];
            let is_in_loop = self.is_in_loop[kind][next];
            later.add_later(effects.first.iter().map(|&access| (access, if is_in_loop { 2 } else { 1 })));
            later.add_later(effects.later.iter().map(|(&access, &times)| (access, if is_in_loop { 2 } else { times })));
        }
        let effects = &self.flow.effects[kind][number];
        later.add_later(effects.later.iter().map(|(&access, &times)| (access, times)));
        let time = |times: u8| if times > 1 { AccessTime::Repeated } else { AccessTime::Later };
        let mut step: BTreeMap<StaticAccess, AccessTime> =
            later.later.into_iter().map(|(access, times)| (access, time(times))).collect();
        for &access in &effects.first {
            let is_repeated = step.contains_key(&access);
            step.insert(access, if is_repeated { AccessTime::Repeated } else { AccessTime::Start });
        }
        for &offer in rest.iter().chain([&number]).flat_map(|&number| &self.offers[kind][number]) {
            step.entry(offer).or_insert(AccessTime::Start);
        }
        step
    }
}

/// Adds a transition to the graph in all its roles.
fn add_transition(
    flow: &ControlFlow<'_>,
    nodes: &Nodes,
    offers: &[Vec<Accesses>],
    at: TextTransition,
    graph: &mut AccessGraph,
) {
    let (kind, number) = at;
    let (effects, transition) = (&flow.effects[kind][number], flow.transition(at));
    let target = (kind, transition.target);
    for (role, next, middle) in [
        (Role::Own, Some(Role::OwnLocation), Role::OwnMiddle),
        (Role::Other, Some(Role::OtherLocation), Role::OtherMiddle),
        (Role::Partner, None, Role::PartnerMiddle),
    ] {
        let node = nodes.transition(role, at);
        // Without what follows in the same step.
        let accesses = effects.first.iter().chain(effects.later.keys()).chain(&offers[kind][number]).copied();
        match role {
            Role::Own => graph.add_accesses(node, accesses),
            _ => graph.add_accesses(node, accesses.map(to_others)),
        }
        if transition.keeps_control
            && let Some(middle) = nodes.location(middle, target)
        {
            graph.add_edge(node, middle);
        }
        let Some(next) = next else { continue };
        if let Some(next) = nodes.location(next, target) {
            graph.add_edge(node, next);
        }
        for &started in &effects.starts {
            if let Some(start) = nodes.location(Role::OtherLocation, (started as usize, 0)) {
                graph.add_edge(node, start);
            }
        }
    }
}

/// Adds a location to the graph in all its roles.
fn add_location(flow: &ControlFlow<'_>, nodes: &Nodes, at: (usize, u32), graph: &mut AccessGraph) {
    let node = |role: Role| nodes.location(role, at).expect("the location exists");
    let (kind, location) = at;
    for number in flow.starting_at(kind, location) {
        let one = (kind, number);
        graph.add_edge(node(Role::OwnLocation), nodes.transition(Role::Own, one));
        graph.add_edge(node(Role::OtherLocation), nodes.transition(Role::Other, one));
        graph.add_edge(node(Role::PartnerMiddle), nodes.transition(Role::Partner, one));
        let transition = flow.transition(one);
        if transition.keeps_control
            && let Some(next) = nodes.location(Role::StepMiddle, (kind, transition.target))
        {
            graph.add_edge(node(Role::StepMiddle), next);
        }
        let Some((meets, partners)) = flow.handshake(one) else { continue };
        for (role, meets, partner_role) in [
            (Role::OwnMiddle, meets, Role::Other),
            (Role::OtherMiddle, to_others(meets), Role::Other),
            (Role::PartnerMiddle, to_others(meets), Role::Partner),
            (Role::StepMiddle, meets, Role::Partner),
        ] {
            graph.add_accesses(node(role), [meets]);
            partners.iter().for_each(|&partner| graph.add_edge(node(role), nodes.transition(partner_role, partner)));
        }
    }
}

/// For every transition of a kind of process whether it may come again in the same step.
fn in_loops(flow: &ControlFlow<'_>, kind: usize) -> Vec<bool> {
    let locations = &flow.process(kind).locations;
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); locations.len()];
    let continuing = |number: usize| {
        let transition = flow.transition((kind, number));
        let target = (transition.target as usize) < locations.len();
        (transition.keeps_control && target).then_some(transition.target)
    };
    for (edges, location) in edges.iter_mut().zip(locations) {
        edges.extend(location.transitions().filter_map(continuing));
    }
    let component = components(&edges, &mut |_, _, _| {});
    let mut is_in_loop = vec![false; flow.effects[kind].len()];
    for (source, location) in locations.iter().enumerate() {
        for number in location.transitions() {
            is_in_loop[number] = continuing(number).is_some_and(|to| component[to as usize] == component[source]);
        }
    }
    is_in_loop
}
