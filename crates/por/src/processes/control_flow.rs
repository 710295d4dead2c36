//! What follows what in the text of processes: steps of several transitions, and handshakes.

use super::blocking;
use super::disabling_reads::with_disabling_reads;
use rustc_hash::FxHashSet;
use std::ops::Range;
use tightrope_ir::effects::processes::{Accesses, ActionEffects, SharedObject, StaticAccess, StaticAccessKind};
use tightrope_ir::{Action, Process, Program, Transition};

/// A transition in the text: the kind of its process, and its number there.
pub type TextTransition = (usize, usize);

/// The control flow of a program, with the effects of its actions.
pub struct ControlFlow<'a> {
    program: &'a Program,
    /// The effects of every transition, with what it reads because others must be disabled.
    pub effects: Vec<Vec<ActionEffects>>,
    /// For every transition, those that may receive what it sends on a rendezvous channel.
    partners: Vec<Vec<Vec<TextTransition>>>,
}

/// An access as it is to other processes: they do not know which channels the process calls its own.
pub fn to_others((shared, kind): StaticAccess) -> StaticAccess {
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
        let receivers = flow.rendezvous_receivers();
        let partners = |kind: usize, number: usize| flow.rendezvous_partners((kind, number), &receivers);
        flow.partners = (0..program.processes.len())
            .map(|kind| (0..flow.effects[kind].len()).map(|number| partners(kind, number)).collect())
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

    /// How many kinds of processes there are.
    pub fn kinds(&self) -> usize {
        self.effects.len()
    }

    /// A kind of process.
    pub fn process(&self, kind: usize) -> &'a Process {
        &self.program.processes[kind]
    }

    /// A transition.
    pub fn transition(&self, (kind, number): TextTransition) -> &'a Transition {
        &self.process(kind).transitions[number]
    }

    /// The transitions that start from a location; none from one that does not exist.
    pub fn starting_at(&self, kind: usize, location: u32) -> Range<usize> {
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

    /// The transitions that may receive on a rendezvous channel, with the channels.
    fn rendezvous_receivers(&self) -> Vec<(TextTransition, Vec<SharedObject>)> {
        let mut receivers = Vec::new();
        for (kind, effects) in self.effects.iter().enumerate() {
            for (number, effects) in effects.iter().enumerate() {
                let may_receive = |&(shared, how): &StaticAccess| {
                    let receives =
                        matches!(how, StaticAccessKind::Receive | StaticAccessKind::Write | StaticAccessKind::Read);
                    let is_it = receives && shared.is_channel() && self.may_be_rendezvous(kind, shared);
                    is_it.then_some(shared)
                };
                let channels: Vec<SharedObject> = effects.first.iter().filter_map(may_receive).collect();
                if !channels.is_empty() {
                    receivers.push(((kind, number), channels));
                }
            }
        }
        receivers
    }

    /// Those of the receivers that may receive what a transition sends on a rendezvous channel.
    fn rendezvous_partners(
        &self,
        (kind, number): TextTransition,
        receivers: &[(TextTransition, Vec<SharedObject>)],
    ) -> Vec<TextTransition> {
        let is_sent = |&&(shared, how): &&StaticAccess| {
            shared.is_channel() && how == StaticAccessKind::Send && self.may_be_rendezvous(kind, shared)
        };
        let sent: Vec<SharedObject> =
            self.effects[kind][number].first.iter().filter(is_sent).map(|&(shared, _)| shared).collect();
        let is_global = |shared: SharedObject| matches!(shared, SharedObject::Channel(_));
        let is_own = |shared: SharedObject| matches!(shared, SharedObject::OwnChannel(_));
        let differ = |one: SharedObject, other: SharedObject| {
            is_global(one) && is_global(other) && one != other
                || is_own(one) && is_global(other)
                || is_global(one) && is_own(other)
        };
        let meets = |received: &SharedObject| sent.iter().any(|&channel| !differ(*received, channel));
        let partners = receivers.iter().filter(|(_, channels)| channels.iter().any(meets));
        partners.map(|&(receiver, _)| receiver).collect()
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
    pub fn rest_of_step(&self, (kind, first): TextTransition) -> Vec<usize> {
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

    /// For every transition of a kind of process, the handshakes that its process becomes ready for where it leads, or is no longer
    /// ready for.
    pub fn handshake_offers(&self, kind: usize) -> Vec<Accesses> {
        let process = self.process(kind);
        let offer = |&(shared, how): &StaticAccess| {
            let may_be_offer = shared.is_channel() && (transfers_message(how) || how == StaticAccessKind::Read);
            (may_be_offer && self.may_be_rendezvous(kind, shared)).then_some((shared, StaticAccessKind::Offer))
        };
        let of_transition = |number: usize| self.effects[kind][number].first.iter().filter_map(offer);
        let at_location: Vec<Accesses> =
            process.locations.iter().map(|location| location.transitions().flat_map(of_transition).collect()).collect();
        let mut all = vec![Accesses::new(); self.effects[kind].len()];
        for (before, location) in at_location.iter().zip(&process.locations) {
            location.transitions().for_each(|number| all[number].extend(before));
        }
        for (number, offers) in all.iter_mut().enumerate() {
            let target = self.transition((kind, number)).target;
            offers.extend(at_location.get(target as usize).into_iter().flatten());
            if !self.effects[kind][number].starts.is_empty() {
                // A process that is started may be ready at once.
                offers.insert((SharedObject::AnyChannel, StaticAccessKind::Offer));
            }
        }
        all
    }

    /// The handshake that a transition may begin, if it does: the dependence on who is ready, and those that may receive.
    pub fn handshake(&self, (kind, number): TextTransition) -> Option<(StaticAccess, &[TextTransition])> {
        let partners = &self.partners[kind][number];
        let mut first = self.effects[kind][number].first.iter();
        let (shared, _) = first.find(|&&(shared, how)| how == StaticAccessKind::Send && shared.is_channel())?;
        (!partners.is_empty()).then_some(((*shared, StaticAccessKind::Meet), partners))
    }
}
