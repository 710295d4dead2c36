//! What follows what in the text of processes: steps of several transitions, handshakes, and futures.

use super::disabling_reads::{may_fail, with_disabling_reads};
use super::{AccessTime, TransitionEffects, blocking};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::Range;
use tightrope_ir::effects::processes::{Accesses, ActionEffects, SharedObject, StaticAccess, StaticAccessKind};
use tightrope_ir::{Action, Process, Program, Transition};

/// A transition in the text: the kind of its process, and its number there.
pub type TextTransition = (usize, usize);

/// The control flow of a program, with the effects of its actions.
pub struct ControlFlow<'a> {
    program: &'a Program,
    effects: Vec<Vec<ActionEffects>>,
    /// For every transition, those that may receive what it sends on a rendezvous channel.
    partners: Vec<Vec<Vec<TextTransition>>>,
}

/// An access as it is to other processes: they do not know which channels the process calls its own.
fn to_others((shared, kind): StaticAccess) -> StaticAccess {
    match shared {
        SharedObject::OwnChannel(_) | SharedObject::Named(_) => (SharedObject::AnyChannel, kind),
        other => (other, kind),
    }
}

/// Whether an access changes the messages in a channel, or is one side of a handshake.
fn transfers_message(kind: StaticAccessKind) -> bool {
    matches!(kind, StaticAccessKind::Send | StaticAccessKind::Receive | StaticAccessKind::Write)
}

impl<'a> ControlFlow<'a> {
    /// That of a program, with the effects of every action.
    pub fn new(program: &'a Program, actions: &[Vec<ActionEffects>]) -> ControlFlow<'a> {
        let mut flow = ControlFlow { program, effects: actions.to_vec(), partners: Vec::new() };
        flow.partners = (0..program.processes.len())
            .map(|kind| (0..flow.effects[kind].len()).map(|number| flow.rendezvous_partners((kind, number))).collect())
            .collect();
        let of_kind = |kind: usize| {
            let process = &program.processes[kind];
            let is_buffered = |shared| flow.capacity(kind, shared).is_some_and(|most| most > 0);
            let may_block = blocking::may_block(process, &actions[kind], &is_buffered);
            let partner_reads: Vec<Accesses> =
                (0..actions[kind].len()).map(|number| flow.partner_guard_reads((kind, number))).collect();
            with_disabling_reads(process, &actions[kind], &may_block, &partner_reads)
        };
        let effects = (0..program.processes.len()).map(of_kind).collect();
        ControlFlow { effects, ..flow }
    }

    fn process(&self, kind: usize) -> &'a Process {
        &self.program.processes[kind]
    }

    fn transition(&self, (kind, number): TextTransition) -> &'a Transition {
        &self.process(kind).transitions[number]
    }

    /// The transitions that start from a location; none from one that does not exist.
    fn starting_at(&self, kind: usize, location: u32) -> Range<usize> {
        self.process(kind).locations.get(location as usize).map_or(0..0, |location| location.transitions())
    }

    /// The capacity of a channel, where the text tells. Of one that is not known: the least of all, unless that is zero.
    fn capacity(&self, kind: usize, shared: SharedObject) -> Option<u8> {
        let channel = match shared {
            SharedObject::Channel(position) => self.program.global_channels.get(position as usize)?,
            SharedObject::OwnChannel(position) => self.process(kind).channels.get(position as usize)?,
            _ => return self.program.channels.iter().map(|channel| channel.capacity).min().filter(|&least| least > 0),
        };
        Some(self.program.channels[channel.channel as usize].capacity)
    }

    fn may_be_rendezvous(&self, kind: usize, shared: SharedObject) -> bool {
        self.capacity(kind, shared).is_none_or(|capacity| capacity == 0)
    }

    /// The transitions of all processes that may receive what a transition sends on a rendezvous channel.
    fn rendezvous_partners(&self, (kind, number): TextTransition) -> Vec<TextTransition> {
        let is_sent = |&&(shared, how): &&StaticAccess| {
            shared.is_channel() && how == StaticAccessKind::Send && self.may_be_rendezvous(kind, shared)
        };
        let channels: Vec<SharedObject> =
            self.effects[kind][number].first.iter().filter(is_sent).map(|&(shared, _)| shared).collect();
        let mut partners = Vec::new();
        for (other, effects) in self.effects.iter().enumerate() {
            for (receive, effects) in effects.iter().enumerate() {
                let may_receive = |&(shared, how): &StaticAccess| {
                    let is_global = |shared: SharedObject| matches!(shared, SharedObject::Channel(_));
                    let is_own = |shared: SharedObject| matches!(shared, SharedObject::OwnChannel(_));
                    let differ = |channel: SharedObject| {
                        is_global(shared) && is_global(channel) && shared != channel
                            || is_own(shared) && is_global(channel)
                            || is_global(shared) && is_own(channel)
                    };
                    let receives =
                        matches!(how, StaticAccessKind::Receive | StaticAccessKind::Write | StaticAccessKind::Read);
                    shared.is_channel()
                        && receives
                        && channels.iter().any(|&channel| !differ(channel))
                        && self.may_be_rendezvous(other, shared)
                };
                if effects.first.iter().any(may_receive) {
                    partners.push((other, receive));
                }
            }
        }
        partners
    }

    /// What decides, besides their locations, whether the partners of a send are enabled: what their `provided` clauses and
    /// `eval` read, and the variables that name their channels.
    fn partner_guard_reads(&self, (kind, number): TextTransition) -> Accesses {
        let mut reads = Accesses::new();
        for &(other, receive) in &self.partners[kind][number] {
            let effects = &self.effects[other][receive];
            let guards = effects.guard.iter().flat_map(|conjunct| &conjunct.reads);
            // A sequence that begins with a choice may be enabled whatever its receives are.
            let is_sequence = matches!(self.transition((other, receive)).action, Action::Indivisible(_));
            let choice = effects.first.iter().filter(|_| is_sequence);
            // The receive itself is what [`StaticAccessKind::Meet`] stands for.
            let of_partner = guards.chain(choice).filter(|(shared, how)| {
                *shared != SharedObject::Private && !(shared.is_channel() && *how == StaticAccessKind::Receive)
            });
            reads.extend(of_partner.map(|&(shared, _)| to_others((shared, StaticAccessKind::Read))));
        }
        reads
    }

    /// The transitions that may follow a transition in the same step, while the process keeps control.
    fn rest_of_step(&self, (kind, first): TextTransition) -> Vec<usize> {
        let (mut seen, mut todo, mut all) = (FxHashSet::default(), vec![first], Vec::new());
        while let Some(number) = todo.pop() {
            let transition = self.transition((kind, number));
            if transition.keeps_control && seen.insert(transition.target) {
                todo.extend(self.starting_at(kind, transition.target));
                all.extend(self.starting_at(kind, transition.target));
            }
        }
        all
    }

    /// The handshakes that a process becomes ready for where a transition leads, or is no longer ready for.
    fn handshake_offers(&self, (kind, number): TextTransition) -> Accesses {
        let process = self.process(kind);
        let source = process.locations.iter().position(|location| location.transitions().contains(&number));
        let before = source.map_or(0..0, |source| process.locations[source].transitions());
        let after = self.starting_at(kind, self.transition((kind, number)).target);
        let accesses = before.chain(after).flat_map(|number| &self.effects[kind][number].first);
        let mut offers: Accesses = accesses
            .filter(|&&(shared, how)| shared.is_channel() && (transfers_message(how) || how == StaticAccessKind::Read))
            .filter(|&&(shared, _)| self.may_be_rendezvous(kind, shared))
            .map(|&(shared, _)| (shared, StaticAccessKind::Offer))
            .collect();
        if !self.effects[kind][number].starts.is_empty() {
            // A process that is started may be ready at once.
            offers.insert((SharedObject::AnyChannel, StaticAccessKind::Offer));
        }
        offers
    }

    /// The accesses of a transition, without what follows in the same step.
    fn transition_accesses(&self, (kind, number): TextTransition) -> Accesses {
        let effects = &self.effects[kind][number];
        let mut all: Accesses = effects.first.iter().chain(effects.later.keys()).copied().collect();
        all.extend(self.handshake_offers((kind, number)));
        all
    }

    /// The accesses of the step that begins with a transition, without those of partners in a handshake in the middle of it.
    fn own_step_accesses(&self, first: TextTransition) -> BTreeMap<StaticAccess, AccessTime> {
        let (kind, number) = first;
        let rest = self.rest_of_step(first);
        let mut later = ActionEffects::default();
        for &next in &rest {
            let effects = &self.effects[kind][next];
            let is_in_loop = self.rest_of_step((kind, next)).contains(&next);
            later.add_later(effects.first.iter().map(|&access| (access, if is_in_loop { 2 } else { 1 })));
            later.add_later(effects.later.iter().map(|(&access, &times)| (access, if is_in_loop { 2 } else { times })));
        }
        later.add_later(self.effects[kind][number].later.iter().map(|(&access, &times)| (access, times)));
        let time = |times: u8| if times > 1 { AccessTime::Repeated } else { AccessTime::Later };
        let mut step: BTreeMap<StaticAccess, AccessTime> =
            later.later.into_iter().map(|(access, times)| (access, time(times))).collect();
        for &access in &self.effects[kind][number].first {
            let is_repeated = step.contains_key(&access);
            step.insert(access, if is_repeated { AccessTime::Repeated } else { AccessTime::Start });
        }
        for &number in rest.iter().chain([&number]) {
            for offer in self.handshake_offers((kind, number)) {
                step.entry(offer).or_insert(AccessTime::Start);
            }
        }
        step
    }

    /// The handshakes in the middle of the step that begins with a transition: the dependence on who is ready, and the
    /// transition that may receive.
    fn inner_handshakes(
        &self,
        (kind, first): TextTransition,
    ) -> impl Iterator<Item = (StaticAccess, TextTransition)> + '_ {
        let sends = move |number: usize| {
            let first = self.effects[kind][number].first.iter();
            first.copied().find(|&(shared, how)| how == StaticAccessKind::Send && shared.is_channel())
        };
        self.rest_of_step((kind, first)).into_iter().flat_map(move |number| {
            let meets = sends(number).map(|(shared, _)| (shared, StaticAccessKind::Meet));
            self.partners[kind][number].iter().filter_map(move |&partner| Some((meets?, partner)))
        })
    }

    /// All accesses of the step that begins with a transition, those of partners in the middle of it included.
    fn step_accesses(&self, first: TextTransition) -> Vec<(StaticAccess, AccessTime)> {
        let mut step = self.own_step_accesses(first);
        let (mut seen, mut todo) = (FxHashSet::default(), Vec::new());
        for (meets, partner) in self.inner_handshakes(first) {
            step.insert(meets, AccessTime::Repeated);
            todo.push(partner);
        }
        while let Some(partner) = todo.pop() {
            if !seen.insert(partner) {
                continue;
            }
            for (access, _) in self.own_step_accesses(partner) {
                step.insert(to_others(access), AccessTime::Repeated);
            }
            for (meets, next) in self.inner_handshakes(partner) {
                step.insert(to_others(meets), AccessTime::Repeated);
                todo.push(next);
            }
        }
        step.into_iter().collect()
    }

    /// The accesses of some transitions and of all that may follow them. The transitions `own` are of the process whose future
    /// this is, the transitions `others` of other processes.
    fn accesses_from(&self, own: Vec<TextTransition>, others: Vec<TextTransition>) -> Accesses {
        let mut accesses = Accesses::new();
        let (mut own_seen, mut others_seen) = (FxHashSet::default(), FxHashSet::default());
        let (mut own_todo, mut others_todo) = (own, others);
        loop {
            let (is_own, number) = match (own_todo.pop(), others_todo.is_empty()) {
                (Some(number), _) => (true, number),
                (None, false) => (false, others_todo.pop().expect("not empty")),
                (None, true) => return accesses,
            };
            let is_new = if is_own { own_seen.insert(number) } else { others_seen.insert(number) };
            if !is_new {
                continue;
            }
            let (kind, transition) = number;
            let next = self.starting_at(kind, self.transition(number).target).map(|next| (kind, next));
            if is_own {
                accesses.extend(self.transition_accesses(number));
                own_todo.extend(next);
            } else {
                accesses.extend(self.transition_accesses(number).into_iter().map(to_others));
                others_todo.extend(next);
            }
            for &started in &self.effects[kind][transition].starts {
                others_todo.extend(self.starting_at(started as usize, 0).map(|first| (started as usize, first)));
            }
            for (meets, partner) in self.inner_handshakes(number) {
                accesses.insert(if is_own { meets } else { to_others(meets) });
                others_todo.push(partner);
            }
        }
    }

    /// The effects of the transitions of a kind of process.
    pub fn transition_effects(&self, kind: usize) -> Vec<TransitionEffects> {
        let count = self.process(kind).locations.len();
        let mut future_at: Vec<Option<Accesses>> = vec![None; count];
        let mut all = Vec::new();
        for (number, effects) in self.effects[kind].iter().enumerate() {
            let step = self.step_accesses((kind, number));
            let target = self.transition((kind, number)).target;
            let mut future: Accesses = step.iter().map(|(access, _)| *access).collect();
            let starts = effects.starts.iter().map(|&kind| kind as usize);
            let started = starts.flat_map(|kind| self.starting_at(kind, 0).map(move |first| (kind, first)));
            let partners = self.inner_handshakes((kind, number)).map(|(_, partner)| partner);
            let others: Vec<TextTransition> = started.chain(partners).collect();
            if !others.is_empty() {
                future.extend(self.accesses_from(Vec::new(), others));
            }
            if (target as usize) < count {
                let after = future_at[target as usize].get_or_insert_with(|| {
                    let own = self.starting_at(kind, target).map(|next| (kind, next)).collect();
                    self.accesses_from(own, Vec::new())
                });
                future.extend(after.iter().copied());
            }
            let guard = effects.guard.iter();
            let guard = guard.map(|conjunct| (conjunct.clone(), conjunct.test.as_ref().is_none_or(may_fail)));
            all.push(TransitionEffects {
                step,
                future: future.into_iter().collect(),
                guard: guard.collect(),
                timeout: effects.timeout,
            });
        }
        all
    }
}
