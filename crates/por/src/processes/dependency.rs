//! Which transitions depend on each other: tables that many states have in common.
//!
//! In states with the same processes, where the variables that name channels and never change are the same, what a transition may
//! access is the same. Such states share their [`DependencyTables`]. These have numbers for the objects that are accessed, so
//! that a step is compared with a future in a few bit operations.

use super::TransitionEffects;
use super::access_masks::{
    KindMask, MessageCount, by_fill, dependent_kinds, fill, kind_in_any_state, kind_in_state, mask,
};
use super::context::ProcessContext;
use super::necessary_enabling::GuardConjunct;
use rustc_hash::FxHashMap;
use tightrope_ir::Action;
use tightrope_ir::effects::processes::{SharedObject, StaticAccess, StaticAccessKind};

/// The number of a channel that is not known.
const UNKNOWN_CHANNEL: u32 = u32::MAX;

/// The accesses of others to one object that matter to a step or a condition.
#[derive(Clone, Copy)]
pub struct ObjectMask {
    /// The number of the object.
    object: u32,
    is_channel: bool,
    count: MessageCount,
    /// The kinds of access that matter, for each [`fill`] of the channel.
    kinds: [KindMask; 4],
    /// The step sends or receives here, or writes.
    transfers: bool,
}

impl ObjectMask {
    /// Whether an access that matters is in a future.
    #[inline]
    pub fn meets(&self, state: &[u8], future: &FutureAccesses) -> bool {
        self.kinds[fill(state, self.count)] & future.kinds_of(self.object, self.is_channel) != 0
    }

    /// Adds all that a write depends on.
    fn add_write(&mut self) {
        self.kinds.iter_mut().for_each(|kinds| *kinds |= dependent_kinds(StaticAccessKind::Write));
    }
}

/// A transition of a process at its present location.
pub struct LocalTransition {
    /// Its number among the transitions of its kind of process.
    pub number: u32,
    pub is_else: bool,
    /// The `unless` that it escapes by; zero if it is none.
    pub escape: u32,
    /// Whether it is the receiving side of a handshake. None if that depends on a channel that is not known.
    pub receives_handshake: Option<bool>,
    /// It may begin with a send on a rendezvous channel.
    pub may_send_handshake: bool,
    /// The accesses of others that its step depends on.
    step: Vec<ObjectMask>,
    step_writes_all: bool,
    /// The conjuncts of its guard.
    pub guard: Vec<GuardConjunct>,
    pub future: FutureAccesses,
}

/// The accesses of the step of a transition, and of all that may follow.
#[derive(Default)]
pub struct FutureAccesses {
    /// The kinds of access to each object, by its number.
    kinds: Vec<KindMask>,
    /// The kinds of access to a channel that is not known, and so may be each of them.
    unknown_channel: KindMask,
    /// The kinds of access to any of the channels.
    any_channel: KindMask,
    pub accesses_all: bool,
}

impl FutureAccesses {
    /// The kinds of access to an object.
    #[inline]
    fn kinds_of(&self, object: u32, is_channel: bool) -> KindMask {
        if object == UNKNOWN_CHANNEL {
            return self.any_channel;
        }
        let known = self.kinds.get(object as usize).copied().unwrap_or(0);
        known | if is_channel { self.unknown_channel } else { 0 }
    }

    fn add(&mut self, other: &FutureAccesses) {
        self.kinds.resize(self.kinds.len().max(other.kinds.len()), 0);
        self.kinds.iter_mut().zip(&other.kinds).for_each(|(all, more)| *all |= more);
        self.unknown_channel |= other.unknown_channel;
        self.any_channel |= other.any_channel;
        self.accesses_all |= other.accesses_all;
    }
}

/// The transitions of a process at a location.
pub struct LocationTransitions {
    pub transitions: Vec<LocalTransition>,
    /// The union of their futures.
    pub future: FutureAccesses,
}

impl LocationTransitions {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    /// The position among them of the transition with that number.
    pub fn position(&self, number: usize) -> Option<usize> {
        self.transitions.iter().position(|transition| transition.number as usize == number)
    }

    /// The number of the transition at a position.
    pub fn number(&self, position: usize) -> usize {
        self.transitions[position].number as usize
    }
}

/// What states with the same processes and the same names of channels have in common.
pub struct DependencyTables {
    /// The number of the layout of the states, and the bytes that decide which channels the processes use.
    pub layout: u32,
    pub channel_bytes: Box<[u8]>,
    /// Those channels, for each process in the order of [`super::ProcessEffects::channels_used`].
    channels: Vec<Vec<u32>>,
    /// The numbers of the objects that are accessed.
    objects: FxHashMap<SharedObject, u32>,
    /// The locations of processes that were met; and for each process and location its number among them plus one.
    locations: Vec<LocationTransitions>,
    location_numbers: Vec<Vec<u32>>,
    /// For each process and transition whether it is visible, where that is known.
    pub(super) visible: Vec<Vec<Option<bool>>>,
}

impl DependencyTables {
    /// Empty ones, for states with this layout, these bytes and the channels that they name.
    pub fn new(layout: u32, channel_bytes: &[u8], channels: Vec<Vec<u32>>) -> DependencyTables {
        DependencyTables {
            layout,
            channel_bytes: channel_bytes.into(),
            objects: FxHashMap::default(),
            locations: Vec::new(),
            location_numbers: vec![Vec::new(); channels.len()],
            visible: vec![Vec::new(); channels.len()],
            channels,
        }
    }

    /// How many locations they have.
    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// The transitions at a location, by its number.
    pub fn at(&self, number: u32) -> &LocationTransitions {
        &self.locations[number as usize]
    }

    /// The number of a location of a process.
    #[inline]
    pub fn location_number(&mut self, context: ProcessContext<'_>, pid: usize, location: usize) -> u32 {
        match self.location_numbers[pid].get(location) {
            Some(&number) if number > 0 => number - 1,
            _ => self.add_location(context, pid, location),
        }
    }

    #[cold]
    fn add_location(&mut self, context: ProcessContext<'_>, pid: usize, location: usize) -> u32 {
        let kind = context.layout.kind(pid) as usize;
        let process = &context.program.processes[kind];
        let numbers = process.locations.get(location).map_or(0..0, |location| location.transitions());
        let transitions: Vec<LocalTransition> =
            numbers.map(|number| self.local_transition(context, pid, kind, number)).collect();
        let mut future = FutureAccesses::default();
        transitions.iter().for_each(|transition| future.add(&transition.future));
        self.locations.push(LocationTransitions { transitions, future });
        let number = self.locations.len() as u32;
        let numbers = &mut self.location_numbers[pid];
        numbers.resize(numbers.len().max(location + 1), 0);
        numbers[location] = number;
        number - 1
    }

    fn local_transition(
        &mut self,
        context: ProcessContext<'_>,
        pid: usize,
        kind: usize,
        number: usize,
    ) -> LocalTransition {
        let effects = &context.effects.transitions[kind][number];
        let transition = &context.program.processes[kind].transitions[number];
        let mut step: Vec<ObjectMask> = Vec::new();
        let mut step_writes_all = false;
        for &(access, time) in &effects.step {
            for (shared, how) in self.resolved(context, pid, access) {
                if shared == SharedObject::All {
                    step_writes_all = true;
                } else if let Some(mask) = self.object_mask(context, shared, how, |has_room, has_message| {
                    let is_channel = shared.is_channel();
                    let in_state = || kind_in_state(how, time, has_room, has_message);
                    dependent_kinds(if is_channel { in_state() } else { kind_in_any_state(how) })
                }) {
                    let transfers = matches!(kind_in_any_state(how), StaticAccessKind::Write);
                    merge(&mut step, ObjectMask { transfers, ..mask });
                }
            }
        }
        // A channel that is not known may be one of the others.
        if step.iter().any(|one| one.object == UNKNOWN_CHANNEL && one.transfers) {
            step.iter_mut().filter(|one| one.is_channel && one.transfers).for_each(ObjectMask::add_write);
        }
        let guard = effects.guard.iter().zip(0..).map(|((conjunct, may_fail), number)| {
            let test = conjunct.test.as_ref().map(|_| number);
            self.guard_conjunct(context, pid, conjunct, test, *may_fail)
        });
        let guard = guard.collect();
        let future = self.future(context, pid, &effects.future);
        let sends = self.first_channels(context, pid, &transition.action, effects, StaticAccessKind::Send);
        LocalTransition {
            number: number as u32,
            is_else: transition.action == Action::Else,
            escape: transition.escape,
            receives_handshake: self.receives_handshake(context, pid, &transition.action, effects),
            may_send_handshake: sends.iter().any(|&shared| context.message_count(shared).is_none()),
            step,
            step_writes_all,
            guard,
            future,
        }
    }

    /// Whether a transition begins with a receive on a rendezvous channel; none if it may do so.
    fn receives_handshake(
        &self,
        context: ProcessContext<'_>,
        pid: usize,
        action: &Action,
        effects: &TransitionEffects,
    ) -> Option<bool> {
        let channels = self.first_channels(context, pid, action, effects, StaticAccessKind::Receive);
        if !channels.iter().any(|&shared| context.message_count(shared).is_none()) {
            return Some(false);
        }
        // A sequence may begin with a receive or with other actions.
        let is_known = |shared: &SharedObject| matches!(shared, SharedObject::Channel(_));
        (matches!(action, Action::Receive(_)) && channels.iter().all(is_known)).then_some(true)
    }

    /// The channels that a transition may begin to send to, or to receive from. A sequence may begin with a choice that is always
    /// enabled, and then has no guard: its whole step counts.
    fn first_channels(
        &self,
        context: ProcessContext<'_>,
        pid: usize,
        action: &Action,
        effects: &TransitionEffects,
        wanted: StaticAccessKind,
    ) -> Vec<SharedObject> {
        let is_sequence = matches!(action, Action::Indivisible(_));
        let step = effects.step.iter().map(|(access, _)| access).filter(|_| is_sequence);
        let guard = effects.guard.iter().flat_map(|(conjunct, _)| &conjunct.reads);
        let accesses = guard.chain(step).filter(|(shared, how)| shared.is_channel() && *how == wanted);
        let channels = accesses.flat_map(|&access| self.resolved(context, pid, access)).map(|(shared, _)| shared);
        channels.filter(|shared| shared.is_channel()).collect()
    }

    fn future(&mut self, context: ProcessContext<'_>, pid: usize, accesses: &[StaticAccess]) -> FutureAccesses {
        let mut future = FutureAccesses::default();
        for &access in accesses {
            for (shared, how) in self.resolved(context, pid, access) {
                match shared {
                    SharedObject::All => future.accesses_all = true,
                    SharedObject::AnyChannel => {
                        future.unknown_channel |= mask(how);
                        future.any_channel |= mask(how);
                    }
                    known => {
                        let object = self.object_number(known) as usize;
                        future.kinds.resize(future.kinds.len().max(object + 1), 0);
                        future.kinds[object] |= mask(how);
                        future.any_channel |= if known.is_channel() { mask(how) } else { 0 };
                    }
                }
            }
        }
        future
    }

    /// The accesses of others that matter to an access: `kinds` gives them, from whether a channel has room and whether it
    /// has a message. None where the access is about handshakes and the channel is buffered.
    pub(super) fn object_mask(
        &mut self,
        context: ProcessContext<'_>,
        shared: SharedObject,
        how: StaticAccessKind,
        kinds: impl Fn(bool, bool) -> KindMask,
    ) -> Option<ObjectMask> {
        let count = context.message_count(shared);
        if count.is_some() && matches!(how, StaticAccessKind::Offer | StaticAccessKind::Meet) {
            return None;
        }
        let object = if shared == SharedObject::AnyChannel { UNKNOWN_CHANNEL } else { self.object_number(shared) };
        let kinds = by_fill(count, kinds);
        Some(ObjectMask { object, is_channel: shared.is_channel(), count, kinds, transfers: false })
    }

    /// The number of an object.
    fn object_number(&mut self, object: SharedObject) -> u32 {
        let next = self.objects.len() as u32;
        *self.objects.entry(object).or_insert(next)
    }

    /// An access with its channel by name, as far as it is known. A name that belongs to no channel, because its owner is
    /// gone, belongs to the next process that is started.
    pub fn resolved(
        &self,
        context: ProcessContext<'_>,
        pid: usize,
        (shared, how): StaticAccess,
    ) -> impl Iterator<Item = StaticAccess> + use<> {
        let name = match shared {
            SharedObject::OwnChannel(position) => Some(context.layout.first_channel[pid] + position + 1),
            SharedObject::Named(number) => {
                let kind = context.layout.kind(pid) as usize;
                let position = context.effects.channels_used[kind].iter().position(|&one| one == number);
                Some(position.map_or(0, |position| self.channels[pid][position]))
            }
            SharedObject::Channel(position) => Some(position + 1),
            _ => None,
        };
        let (first, second) = match name {
            None => (shared, None),
            Some(name) if name == 0 || name as usize > context.layout.channels.len() => {
                (SharedObject::AnyChannel, Some((SharedObject::Processes, StaticAccessKind::Read)))
            }
            Some(name) => (SharedObject::Channel(name), None),
        };
        std::iter::once((first, how)).chain(second)
    }

    /// Calls `each` with the other processes' transitions whose futures depend on the step of a transition: with the process
    /// and the position at its location. `locations` are the numbers of the locations of the processes.
    pub fn each_dependent(
        &self,
        state: &[u8],
        locations: &[u32],
        (pid, position): (usize, usize),
        mut each: impl FnMut(usize, usize),
    ) {
        let transition = &self.at(locations[pid]).transitions[position];
        for (other, &number) in locations.iter().enumerate().filter(|&(other, _)| other != pid) {
            let location = self.at(number);
            if depends(state, transition, &location.future) {
                for (position, one) in location.transitions.iter().enumerate() {
                    if depends(state, transition, &one.future) {
                        each(other, position);
                    }
                }
            }
        }
    }
}

/// Whether the step of a transition depends on a future.
fn depends(state: &[u8], transition: &LocalTransition, future: &FutureAccesses) -> bool {
    // A step writes the location of its process, which is part of everything.
    transition.step_writes_all || future.accesses_all || transition.step.iter().any(|one| one.meets(state, future))
}

/// Adds a mask to a list with each object once.
fn merge(list: &mut Vec<ObjectMask>, mask: ObjectMask) {
    match list.iter_mut().find(|one| one.object == mask.object) {
        Some(one) => {
            one.kinds.iter_mut().zip(mask.kinds).for_each(|(all, kinds)| *all |= kinds);
            if one.transfers && mask.transfers {
                // Before the second transfer, the fill of the channel is another one.
                one.add_write();
            }
            one.transfers |= mask.transfers;
        }
        None => list.push(mask),
    }
}
