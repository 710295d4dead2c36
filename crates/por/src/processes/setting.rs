//! What is the same in many states: the accesses of the transitions of processes, with channels known by their names.
//!
//! In states with the same processes, whose variables that name channels and never change are the same, what a process may do
//! depends on its location alone. Such states have a *setting*; what was found out is kept there, by numbers instead of names, so
//! that comparing a step with a future takes no more than a few bits.

use super::{Known, StaticEffects, When};
use rustc_hash::FxHashMap;
use tightrope_ir::effects::processes::{Access, AccessKind, Conjunct, Shared};
use tightrope_ir::shape::Shape;
use tightrope_ir::{Action, Program};

/// Kinds of access, as bits.
type Kinds = u16;

/// A kind as a bit.
fn bit(kind: AccessKind) -> Kinds {
    1 << kind as u32
}

fn bits(kinds: &[AccessKind]) -> Kinds {
    kinds.iter().fold(0, |all, &kind| all | bit(kind))
}

/// Which kinds of access in the future of others an access in the next step depends on.
///
/// The step `t` has to come to the same, and to stay enabled, whatever the others do first; and what they did must be possible,
/// and come to the same, after `t` (but they may do more then).
fn clashes(next: AccessKind) -> Kinds {
    use AccessKind::{AskEmpty, AskFull, Meet, NeedsRoom, NeedsSome, Offer, Read, Receive, Send};
    let reads = |kind: AccessKind| matches!(kind, Read | AskFull | AskEmpty | NeedsRoom | NeedsSome | Meet);
    let harmless = |later: AccessKind| match (next, later) {
        // Who is ready for a handshake matters only to those who depend on that.
        (Offer, later) => later != Meet,
        (next, Offer) => next != Meet,
        (one, two) if reads(one) && reads(two) => true,
        // Where there is room, receives leave it; where there is a message, sends leave it at the head.
        (Send | AskFull, Receive) | (Receive | AskEmpty, Send) => true,
        // What needs a message, or room, comes first only where there is some already, and a send or receive leaves it.
        (Send, NeedsSome) | (Receive, NeedsRoom) => true,
        _ => false,
    };
    AccessKind::ALL.into_iter().filter(|&later| !harmless(later)).map(bit).fold(0, |all, kind| all | kind)
}

/// The kind of an access that may be repeated, or happen in another state than the present one.
fn blurred(kind: AccessKind) -> AccessKind {
    match kind {
        AccessKind::Read
        | AccessKind::AskFull
        | AccessKind::AskEmpty
        | AccessKind::NeedsRoom
        | AccessKind::NeedsSome => AccessKind::Read,
        AccessKind::Write | AccessKind::Send | AccessKind::Receive => AccessKind::Write,
        AccessKind::Offer | AccessKind::Meet => kind,
    }
}

/// The kind of an access to a channel, with whether there is room in it and a message.
fn present(kind: AccessKind, when: When, room: bool, some: bool) -> AccessKind {
    match (kind, when) {
        (AccessKind::Send, When::First | When::Later) if room => kind,
        (AccessKind::Receive, When::First | When::Later) if some => kind,
        (AccessKind::AskFull | AccessKind::NeedsRoom, When::First) if room => AccessKind::AskFull,
        (AccessKind::AskEmpty | AccessKind::NeedsSome, When::First) if some => AccessKind::AskEmpty,
        _ => blurred(kind),
    }
}

/// Which kinds of access may make a condition true that is false and reads in this way; of a channel with whether there is room
/// in it and a message.
fn enabling(kind: AccessKind, is_channel: bool, buffered: bool, room: bool, some: bool) -> Kinds {
    use AccessKind::{AskEmpty, AskFull, NeedsRoom, NeedsSome, Receive, Send, Write};
    match kind {
        _ if !is_channel => bit(Write),
        NeedsRoom => bits(&[Receive, Write]),
        NeedsSome => bits(&[Send, Write]),
        // What asks whether a channel is empty, or full, needs that to change first.
        AskEmpty if buffered => bits(if some { &[Receive, Write] } else { &[Send, Write] }),
        AskFull if buffered => bits(if room { &[Send, Write] } else { &[Receive, Write] }),
        Send if buffered => bits(&[Receive, Write]),
        // An empty channel needs a message, one that is not empty another message at its head.
        Receive if buffered && !some => bits(&[Send, Write]),
        Receive if buffered => bits(&[Receive, Write]),
        _ => bits(&[Send, Receive, Write]),
    }
}

/// The number of some channel, nobody knows which.
const SOME_CHANNEL: u32 = u32::MAX;

/// The place of the number of messages of a channel, and how many there can be.
type Length = Option<(u32, u8)>;

/// Whether there is room in a channel, and whether there is a message, as a number.
#[inline]
fn case(state: &[u8], length: Length) -> usize {
    length.map_or(0, |(at, capacity)| {
        let length = state[at as usize];
        usize::from(length < capacity) | usize::from(length > 0) << 1
    })
}

/// Something that is accessed.
#[derive(Clone, Copy)]
struct Accessed {
    thing: u32,
    is_channel: bool,
    length: Length,
    /// The kinds of access that matter: where there is neither room nor a message, where there is room, where there is a
    /// message, where there are both.
    kinds: [Kinds; 4],
    /// It is sent or received more than the one time that `kinds` is about.
    exchanged: bool,
}

/// A condition that must be true for a transition to be enabled.
struct Need {
    /// The number of the condition of its transition, where it is an expression.
    test: Option<u32>,
    reads: Vec<Accessed>,
    reads_all: bool,
    /// Depends on a variable that only the process itself writes.
    private: bool,
    may_fail: bool,
}

/// A transition of a process from its present location.
struct Entity {
    transition: u32,
    is_else: bool,
    escape: u32,
    /// Whether it is the receiving side of a handshake, which others than handshakes do not bar. None if that depends on a
    /// channel that is not known.
    answers: Option<bool>,
    /// It may begin with a send on a rendezvous channel.
    offers: bool,
    /// What its step accesses.
    next: Vec<Accessed>,
    writes_all: bool,
    needs: Vec<Need>,
    future: Future,
}

/// The accesses that may follow.
#[derive(Default)]
struct Future {
    /// The kinds of access to each thing that is known, by its number.
    kinds: Vec<Kinds>,
    /// The kinds of access to a channel that is not known, and so may be each of them.
    elsewhere: Kinds,
    /// The kinds of access to any of the channels.
    channels: Kinds,
    accesses_all: bool,
}

impl Future {
    /// The kinds of access to a thing.
    #[inline]
    fn of(&self, thing: u32, is_channel: bool) -> Kinds {
        if thing == SOME_CHANNEL {
            return self.channels;
        }
        let known = self.kinds.get(thing as usize).copied().unwrap_or(0);
        known | if is_channel { self.elsewhere } else { 0 }
    }

    fn add(&mut self, other: &Future) {
        self.kinds.resize(self.kinds.len().max(other.kinds.len()), 0);
        self.kinds.iter_mut().zip(&other.kinds).for_each(|(all, more)| *all |= more);
        self.elsewhere |= other.elsewhere;
        self.channels |= other.channels;
        self.accesses_all |= other.accesses_all;
    }
}

/// A process at a location.
pub struct Row {
    entities: Vec<Entity>,
    /// What may follow all of them.
    future: Future,
}

impl Row {
    /// How many transitions there are.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// The position of a transition among them.
    pub fn position(&self, transition: usize) -> Option<usize> {
        self.entities.iter().position(|entity| entity.transition as usize == transition)
    }

    /// The number of the transition at a position.
    pub fn transition(&self, position: usize) -> usize {
        self.entities[position].transition as usize
    }

    /// Whether a transition of a process is enabled only where another one is not. None if that is not known.
    pub fn is_barred_by(&self, one: usize, other: usize) -> Option<bool> {
        let (one_entity, other_entity) = (&self.entities[one], &self.entities[other]);
        let escape = other_entity.escape != 0 && other_entity.escape != one_entity.escape && other < one;
        if one == other || !one_entity.is_else && !escape {
            return Some(false);
        }
        // A send that nobody receives takes back what an escape before it barred, as in SPIN.
        if escape && self.entities[other + 1..one].iter().any(|between| between.offers) {
            return None;
        }
        // A receive that answers in a handshake is not barred by what is no answer, nor does it bar that: the sender begins the
        // step. Where both are answers, each is enabled by the same sends.
        match (one_entity.answers, other_entity.answers) {
            (Some(true), _) | (_, Some(true)) => Some(false),
            (Some(false), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// Whether a transition is an `else`, which depends on the others alone.
    pub fn is_else(&self, position: usize) -> bool {
        self.entities[position].is_else
    }

    /// The conditions of a transition: the number of the expression, where it is one.
    pub fn tests(&self, position: usize) -> impl Iterator<Item = Option<u32>> + '_ {
        self.entities[position].needs.iter().map(|need| need.test)
    }
}

/// What states with the same processes and the same channels have in common.
pub struct Setting {
    /// The number of their shape, and the variables that decide which channels the processes use.
    pub shape: u32,
    pub key: Box<[u8]>,
    /// Those channels, for each process in the order of [`StaticEffects::named`].
    names: Vec<Vec<u32>>,
    /// The numbers of the things that are accessed.
    things: FxHashMap<Shared, u32>,
    /// What is known of processes at locations; and for each process and location where that is, plus one.
    rows: Vec<Row>,
    places: Vec<Vec<u32>>,
    /// For each process and transition whether the step that begins with it changes what the goal reads, where that is known.
    visible: Vec<Vec<Option<bool>>>,
}

/// What settings are made from.
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub effects: &'a StaticEffects,
    pub program: &'a Program,
    pub shape: &'a Shape,
}

impl Setting {
    pub fn new(shape: u32, key: &[u8], names: Vec<Vec<u32>>) -> Setting {
        let (things, rows) = (FxHashMap::default(), Vec::new());
        let (places, visible) = (vec![Vec::new(); names.len()], vec![Vec::new(); names.len()]);
        Setting { shape, key: key.into(), names, things, rows, places, visible }
    }

    /// How much is kept.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// A process at a location, by its number.
    pub fn row(&self, number: u32) -> &Row {
        &self.rows[number as usize]
    }

    /// The number of a process at a location.
    #[inline]
    pub fn at(&mut self, world: World<'_>, pid: usize, location: usize) -> u32 {
        match self.places[pid].get(location) {
            Some(&place) if place > 0 => place - 1,
            _ => self.find_out(world, pid, location),
        }
    }

    #[cold]
    fn find_out(&mut self, world: World<'_>, pid: usize, location: usize) -> u32 {
        let kind = world.shape.kind(pid) as usize;
        let process = &world.program.processes[kind];
        let transitions = process.locations.get(location).map_or(0..0, |location| location.transitions());
        let entities: Vec<Entity> = transitions.map(|number| self.entity(world, pid, kind, number)).collect();
        let mut future = Future::default();
        entities.iter().for_each(|entity| future.add(&entity.future));
        self.rows.push(Row { entities, future });
        let number = self.rows.len() as u32;
        let places = &mut self.places[pid];
        places.resize(places.len().max(location + 1), 0);
        places[location] = number;
        number - 1
    }

    fn entity(&mut self, world: World<'_>, pid: usize, kind: usize, number: usize) -> Entity {
        let known = &world.effects.transitions[kind][number];
        let transition = &world.program.processes[kind].transitions[number];
        let mut next = Vec::new();
        let mut writes_all = false;
        for &((shared, how), when) in &known.step {
            for (shared, how) in self.resolved(world, pid, (shared, how)) {
                if shared == Shared::All {
                    writes_all = true;
                } else if let Some(accessed) = self.accessed(world, shared, how, |room, some| {
                    clashes(if shared.is_channel() { present(how, when, room, some) } else { blurred(how) })
                }) {
                    merge(&mut next, accessed, matches!(blurred(how), AccessKind::Write));
                }
            }
        }
        // Where a channel may be any, it may be one of the others.
        if next.iter().any(|one: &Accessed| one.thing == SOME_CHANNEL && one.exchanged) {
            next.iter_mut().filter(|one| one.is_channel && one.exchanged).for_each(|one| {
                one.kinds.iter_mut().for_each(|kinds| *kinds |= clashes(AccessKind::Write));
            });
        }
        let needs = known.guard.iter().zip(0..).map(|((conjunct, may_fail), test)| {
            self.need(world, pid, conjunct, conjunct.test.as_ref().map(|_| test), *may_fail)
        });
        let needs = needs.collect();
        let future = self.future(world, pid, &known.future);
        let is_rendezvous = |shared: &Shared| self.length(world, *shared).is_none();
        Entity {
            transition: number as u32,
            is_else: transition.action == Action::Else,
            escape: transition.escape,
            answers: self.answers(world, pid, &transition.action, known),
            offers: self.begins_with(world, pid, &transition.action, known, AccessKind::Send).iter().any(is_rendezvous),
            next,
            writes_all,
            needs,
            future,
        }
    }

    /// Whether a transition begins with a receive on a rendezvous channel; none if it may do so.
    fn answers(&self, world: World<'_>, pid: usize, action: &Action, known: &Known) -> Option<bool> {
        let channels = self.begins_with(world, pid, action, known, AccessKind::Receive);
        let rendezvous = |shared: &Shared| self.length(world, *shared).is_none();
        if !channels.iter().any(rendezvous) {
            return Some(false);
        }
        // A sequence may begin with a receive and with other actions.
        let is_known = |shared: &Shared| matches!(shared, Shared::Channel(_));
        (matches!(action, Action::Receive(_)) && channels.iter().all(is_known)).then_some(true)
    }

    /// The channels that a transition may begin to send to, or to receive from. A sequence may begin with a choice that is always
    /// possible, and has no guard then: its whole step is looked at.
    fn begins_with(
        &self,
        world: World<'_>,
        pid: usize,
        action: &Action,
        known: &Known,
        wanted: AccessKind,
    ) -> Vec<Shared> {
        let is_sequence = matches!(action, Action::Indivisible(_));
        let step = known.step.iter().map(|(access, _)| access).filter(|_| is_sequence);
        let guard = known.guard.iter().flat_map(|(conjunct, _)| &conjunct.reads);
        let accesses = guard.chain(step).filter(|(shared, how)| shared.is_channel() && *how == wanted);
        let channels = accesses.flat_map(|&access| self.resolved(world, pid, access)).map(|(shared, _)| shared);
        channels.filter(|shared| shared.is_channel()).collect()
    }

    fn need(&mut self, world: World<'_>, pid: usize, conjunct: &Conjunct, test: Option<u32>, may_fail: bool) -> Need {
        let mut need = Need { test, reads: Vec::new(), reads_all: false, private: false, may_fail };
        for &access in conjunct.reads.iter().chain(&conjunct.fields) {
            for (shared, how) in self.resolved(world, pid, access) {
                match shared {
                    Shared::All => need.reads_all = true,
                    Shared::Private => need.private = true,
                    _ => {
                        let buffered = self.length(world, shared).is_some();
                        let accessed = self.accessed(world, shared, how, |room, some| {
                            enabling(how, shared.is_channel(), buffered, room, some)
                        });
                        need.reads.extend(accessed);
                    }
                }
            }
        }
        need
    }

    fn future(&mut self, world: World<'_>, pid: usize, accesses: &[Access]) -> Future {
        let mut future = Future::default();
        for &access in accesses {
            for (shared, how) in self.resolved(world, pid, access) {
                match shared {
                    Shared::All => future.accesses_all = true,
                    Shared::AnyChannel => {
                        future.elsewhere |= bit(how);
                        future.channels |= bit(how);
                    }
                    known => {
                        let thing = self.number(known) as usize;
                        future.kinds.resize(future.kinds.len().max(thing + 1), 0);
                        future.kinds[thing] |= bit(how);
                        future.channels |= if known.is_channel() { bit(how) } else { 0 };
                    }
                }
            }
        }
        future
    }

    /// Where the number of messages of a channel is, if it is known and holds messages.
    fn length(&self, world: World<'_>, shared: Shared) -> Length {
        let Shared::Channel(name) = shared else { return None };
        let &(at, channel) = world.shape.channels.get((name as usize).checked_sub(1)?)?;
        let capacity = world.program.channels[channel as usize].capacity;
        (capacity > 0).then_some((at, capacity))
    }

    /// Something that is accessed; none where the access is about handshakes on a channel that holds messages.
    fn accessed(
        &mut self,
        world: World<'_>,
        shared: Shared,
        how: AccessKind,
        kinds: impl Fn(bool, bool) -> Kinds,
    ) -> Option<Accessed> {
        let length = self.length(world, shared);
        if length.is_some() && matches!(how, AccessKind::Offer | AccessKind::Meet) {
            return None;
        }
        let thing = if shared == Shared::AnyChannel { SOME_CHANNEL } else { self.number(shared) };
        let kinds = match length {
            Some(_) => [0, 1, 2, 3].map(|case| kinds(case & 1 != 0, case & 2 != 0)),
            None => [kinds(false, false); 4],
        };
        Some(Accessed { thing, is_channel: shared.is_channel(), length, kinds, exchanged: false })
    }

    /// Whether a step of a process that begins with a transition changes what the goal reads.
    pub fn is_visible(&mut self, world: World<'_>, pid: usize, transition: usize) -> bool {
        if world.effects.observed.is_empty() {
            return false;
        }
        if let Some(&Some(known)) = self.visible[pid].get(transition) {
            return known;
        }
        let kind = world.shape.kind(pid) as usize;
        let observed: Vec<Access> =
            world.effects.observed.iter().flat_map(|&access| self.resolved(world, pid, access)).collect();
        let step = world.effects.transitions[kind][transition].step.iter();
        let accesses: Vec<Access> = step.flat_map(|&(access, _)| self.resolved(world, pid, access)).collect();
        let visible = accesses.iter().any(|&(accessed, how)| {
            let kinds = clashes(blurred(how));
            observed.iter().any(|&(shared, how)| match (accessed, shared) {
                (Shared::All, _) | (_, Shared::All) => true,
                (Shared::AnyChannel, other) | (other, Shared::AnyChannel) => {
                    other.is_channel() && kinds & bit(how) != 0
                }
                (one, other) => one == other && kinds & bit(how) != 0,
            })
        });
        let known = &mut self.visible[pid];
        known.resize(known.len().max(transition + 1), None);
        known[transition] = Some(visible);
        visible
    }

    /// The number of a thing.
    fn number(&mut self, thing: Shared) -> u32 {
        let next = self.things.len() as u32;
        *self.things.entry(thing).or_insert(next)
    }

    /// An access with its channel known by its name, as far as it is. A name that belongs to no channel, because its owner is
    /// gone, belongs to the next process that is started.
    pub fn resolved(
        &self,
        world: World<'_>,
        pid: usize,
        (shared, how): Access,
    ) -> impl Iterator<Item = Access> + use<> {
        let name = match shared {
            Shared::OwnChannel(position) => Some(world.shape.first_channel[pid] + position + 1),
            Shared::Named(number) => {
                let kind = world.shape.kind(pid) as usize;
                let own = world.effects.named[kind].iter().position(|&one| one == number);
                Some(own.map_or(0, |own| self.names[pid][own]))
            }
            Shared::Channel(position) => Some(position + 1),
            _ => None,
        };
        let (first, second) = match name {
            None => (shared, None),
            Some(name) if name == 0 || name as usize > world.shape.channels.len() => {
                (Shared::AnyChannel, Some((Shared::Processes, AccessKind::Read)))
            }
            Some(name) => (Shared::Channel(name), None),
        };
        std::iter::once((first, how)).chain(second)
    }

    /// Whether the step of an entity depends on what may follow another one.
    fn depends(&self, state: &[u8], entity: &Entity, future: &Future) -> bool {
        // Every step changes where its process is, which whoever reads everything sees.
        entity.writes_all
            || future.accesses_all
            || entity
                .next
                .iter()
                .any(|one| one.kinds[case(state, one.length)] & future.of(one.thing, one.is_channel) != 0)
    }

    /// Calls `each` with the other processes' entities whose futures depend on the step of an entity.
    pub fn dependent(
        &self,
        state: &[u8],
        rows: &[u32],
        (pid, position): (usize, usize),
        mut each: impl FnMut(usize, usize),
    ) {
        let entity = &self.rows[rows[pid] as usize].entities[position];
        for (other, &number) in rows.iter().enumerate().filter(|&(other, _)| other != pid) {
            let row = &self.rows[number as usize];
            if self.depends(state, entity, &row.future) {
                for (position, their) in row.entities.iter().enumerate() {
                    if self.depends(state, entity, &their.future) {
                        each(other, position);
                    }
                }
            }
        }
    }

    /// Calls `each` with the entities that may make a condition of a disabled entity true that is false, or make one before
    /// it fail.
    pub fn enabling(
        &self,
        state: &[u8],
        rows: &[u32],
        (pid, position): (usize, usize),
        condition: usize,
        mut each: impl FnMut(usize, usize),
    ) {
        let entity = &self.rows[rows[pid] as usize].entities[position];
        let before = entity.needs[..condition].iter().filter(|need| need.may_fail);
        for need in before.chain([&entity.needs[condition]]) {
            let may = |future: &Future| {
                future.accesses_all
                    || need.reads_all
                    || need
                        .reads
                        .iter()
                        .any(|one| one.kinds[case(state, one.length)] & future.of(one.thing, one.is_channel) != 0)
            };
            for (other, &number) in rows.iter().enumerate() {
                let row = &self.rows[number as usize];
                if may(&row.future) || other == pid && need.private {
                    for (position, their) in row.entities.iter().enumerate() {
                        if may(&their.future) || other == pid && need.private {
                            each(other, position);
                        }
                    }
                }
            }
        }
    }
}

/// Adds something that is accessed to a list with each thing once.
fn merge(list: &mut Vec<Accessed>, accessed: Accessed, exchanged: bool) {
    match list.iter_mut().find(|one| one.thing == accessed.thing) {
        Some(one) => {
            one.kinds.iter_mut().zip(accessed.kinds).for_each(|(all, kinds)| *all |= kinds);
            if one.exchanged && exchanged {
                // The second time, what there is in the channel now says little.
                one.kinds.iter_mut().for_each(|kinds| *kinds |= clashes(AccessKind::Write));
            }
            one.exchanged |= exchanged;
        }
        None => list.push(Accessed { exchanged, ..accessed }),
    }
}
