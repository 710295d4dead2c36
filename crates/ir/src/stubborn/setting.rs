//! What is the same in many states: who uses what from where on.
//!
//! In states with the same processes, whose variables that name channels and never change are the same, what a process uses depends on its location alone. Such states have a *setting*; what was found out is kept there,
//! by numbers instead of names, so that comparing what two processes do takes no more than a few bits.

use super::{Futures, later};
use crate::shape::Shape;
use crate::uses::{How, Shared, Use, is_channel};
use crate::{Location, Program};
use rustc_hash::FxHashMap;

/// Ways to use something, as bits.
type Ways = u16;

/// A way as a bit.
fn bit(how: How) -> Ways {
    1 << how as u32
}

/// With which ways of using something later it clashes to use it in this way next.
fn clashes(next: How) -> Ways {
    let looks = |how: How| !matches!(how, How::Write | How::Send | How::Receive | How::Offer);
    let harmless = |some_time: How| match (next, some_time) {
        // Who gets ready to meet others is minded where something is possible only if nobody is ready.
        (How::Offer, some_time) => !matches!(some_time, How::AskFull | How::AskEmpty),
        (one, two) if looks(one) && looks(two) => true,
        // Where there is room, those who receive leave it; where there is something, those who send do.
        (How::Send | How::AskFull, How::Receive) | (How::Receive | How::AskEmpty, How::Send) => true,
        // What needs a message, or room, comes first only where there is some already.
        (How::Send, How::NeedsSome) | (How::Receive, How::NeedsRoom) => true,
        _ => false,
    };
    How::ALL.into_iter().filter(|&how| !harmless(how)).map(bit).fold(0, |ways, way| ways | way)
}

/// What a transition that may be next does to a channel, seen by the others: a send or receive that need not wait is one,
/// others change the channel for all.
fn now(how: How, has_room: bool, has_some: bool) -> How {
    match how {
        How::Send if has_room => how,
        How::Receive if has_some => how,
        How::AskFull | How::NeedsRoom if has_room => How::AskFull,
        How::AskEmpty | How::NeedsSome if has_some => How::AskEmpty,
        How::AskFull | How::AskEmpty | How::NeedsRoom | How::NeedsSome | How::Read => How::Read,
        How::Send | How::Receive | How::Write => How::Write,
        How::Offer => How::Offer,
    }
}

/// The number of some channel, nobody knows which.
const SOME_CHANNEL: u32 = u32::MAX;

/// Something that a process may use next.
struct Next {
    thing: u32,
    /// Where the number of messages is and how many there can be, of a channel that holds messages.
    length: Option<(u32, u8)>,
    /// What that clashes with: where there is neither room nor a message, where there is room, where there is a message, where
    /// there are both.
    ways: [Ways; 4],
}

/// A process at a location.
#[derive(Default)]
struct Row {
    /// The ways in which it may ever use each thing, from there on; those of channels that are not in the list are in
    /// `elsewhere`.
    future: Vec<Ways>,
    elsewhere: Ways,
    /// The ways in which it may ever use any of the channels.
    channels: Ways,
    sees_all: bool,
    next: Vec<Next>,
    does_all: bool,
}

impl Row {
    /// In which ways it may ever use a thing.
    #[inline]
    fn uses(&self, thing: u32, is_channel: bool) -> Ways {
        match self.future.get(thing as usize) {
            Some(&ways) => ways,
            None if thing == SOME_CHANNEL => self.channels,
            None if is_channel => self.elsewhere,
            None => 0,
        }
    }
}

/// What states with the same processes and the same channels have in common.
pub(super) struct Setting {
    /// The number of their shape, and the variables that decide which channels the processes use.
    pub shape: u32,
    pub key: Box<[u8]>,
    /// Those channels, for each process in the order of [`Futures::named`].
    names: Vec<Vec<u32>>,
    /// The things that are used, by number, and which of those are channels.
    things: FxHashMap<Shared, u32>,
    channels: Vec<bool>,
    /// What is known of processes at locations; and for each process and location where that is, plus one.
    rows: Vec<Row>,
    places: Vec<Vec<u32>>,
    /// For each process and transition whether the step that begins with it changes what the goal looks at, where that is known.
    asked_about: Vec<Vec<Option<bool>>>,
}

impl Setting {
    pub fn new(shape: u32, key: &[u8], names: Vec<Vec<u32>>) -> Setting {
        let (things, channels, rows) = (FxHashMap::default(), Vec::new(), Vec::new());
        let (places, asked_about) = (vec![Vec::new(); names.len()], vec![Vec::new(); names.len()]);
        Setting { shape, key: key.into(), names, things, channels, rows, places, asked_about }
    }

    /// How many processes at locations are known.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// The number of a process at a location.
    #[inline]
    pub fn at(&mut self, world: (&Futures, &Program, &Shape), pid: usize, location: usize) -> u32 {
        match self.places[pid].get(location) {
            Some(&place) if place > 0 => place - 1,
            _ => self.find_out(world, pid, location),
        }
    }

    #[cold]
    fn find_out(&mut self, world: (&Futures, &Program, &Shape), pid: usize, location: usize) -> u32 {
        let (futures, program, shape) = world;
        let kind = shape.kind(pid) as usize;
        let mut row = Row::default();
        for &(shared, how) in futures.futures[kind].get(location).into_iter().flatten() {
            match self.resolve(world, pid, shared) {
                Shared::All => row.sees_all = true,
                Shared::AnyChannel => {
                    row.elsewhere |= bit(how);
                    row.channels |= bit(how);
                }
                known => {
                    let thing = self.number(known) as usize;
                    row.future.resize(row.future.len().max(thing + 1), 0);
                    row.future[thing] |= bit(how);
                    row.channels |= if is_channel(known) { bit(how) } else { 0 };
                }
            }
        }
        for (ways, _) in row.future.iter_mut().zip(&self.channels).filter(|(_, is_channel)| **is_channel) {
            *ways |= row.elsewhere;
        }
        let process = &program.processes[kind];
        let transitions = process.locations.get(location).map_or(0..0, Location::transitions);
        for &used in futures.steps[kind][transitions].iter().flatten() {
            self.add_next(world, pid, used, &mut row);
        }
        self.rows.push(row);
        let number = self.rows.len() as u32;
        let places = &mut self.places[pid];
        places.resize(places.len().max(location + 1), 0);
        places[location] = number;
        number - 1
    }

    fn add_next(&mut self, world: (&Futures, &Program, &Shape), pid: usize, (shared, how): Use, row: &mut Row) {
        let (_, program, shape) = world;
        let known = self.resolve(world, pid, shared);
        let always = [clashes(later(how)); 4];
        let (thing, length, ways) = match known {
            Shared::All => {
                row.does_all = true;
                return;
            }
            Shared::AnyChannel => (SOME_CHANNEL, None, always),
            Shared::Channel(name) => match shape.channels.get(name as usize - 1) {
                None => (self.number(known), None, always),
                Some(&(at, channel)) => {
                    let capacity = program.channels[channel as usize].capacity;
                    if how == How::Offer && capacity > 0 {
                        // Nobody meets at a channel that holds messages.
                        return;
                    }
                    let ways = [0, 1, 2, 3].map(|case| clashes(now(how, case & 1 != 0, case & 2 != 0)));
                    (self.number(known), (capacity > 0).then_some((at, capacity)), ways)
                }
            },
            _ => (self.number(known), None, always),
        };
        match row.next.iter_mut().find(|next| next.thing == thing) {
            Some(next) => next.ways.iter_mut().zip(ways).for_each(|(all, ways)| *all |= ways),
            None => row.next.push(Next { thing, length, ways }),
        }
    }

    /// Whether a step of a process that begins with a transition changes what the goal looks at.
    pub fn is_asked_about(&mut self, world: (&Futures, &Program, &Shape), pid: usize, transition: usize) -> bool {
        let (futures, _, shape) = world;
        if futures.asked.is_empty() {
            return false;
        }
        if let Some(&Some(known)) = self.asked_about[pid].get(transition) {
            return known;
        }
        let asked = futures.steps[shape.kind(pid) as usize][transition].iter().any(|&(shared, how)| {
            let (used, ways) = (self.resolve(world, pid, shared), clashes(later(how)));
            futures.asked.iter().any(|&(shared, how)| match (used, self.resolve(world, pid, shared)) {
                (Shared::All, _) | (_, Shared::All) => true,
                (Shared::AnyChannel, other) | (other, Shared::AnyChannel) => is_channel(other) && ways & bit(how) != 0,
                (one, other) => one == other && ways & bit(how) != 0,
            })
        });
        let known = &mut self.asked_about[pid];
        known.resize(known.len().max(transition + 1), None);
        known[transition] = Some(asked);
        asked
    }

    /// The number of a thing.
    fn number(&mut self, thing: Shared) -> u32 {
        let next = self.things.len() as u32;
        let number = *self.things.entry(thing).or_insert(next);
        if number == next {
            self.channels.push(is_channel(thing));
        }
        number
    }

    /// A channel by its name, as far as that is known.
    fn resolve(&self, (futures, _, shape): (&Futures, &Program, &Shape), pid: usize, shared: Shared) -> Shared {
        let name = match shared {
            Shared::OwnChannel(position) => shape.first_channel[pid] + position + 1,
            Shared::Named(number) => {
                let own = futures.named[shape.kind(pid) as usize].iter().position(|&one| one == number);
                own.map_or(0, |own| self.names[pid][own])
            }
            Shared::Channel(position) => position + 1,
            other => return other,
        };
        if name == 0 { Shared::AnyChannel } else { Shared::Channel(name) }
    }

    /// Of processes at locations in a state, those that have to do some time with what one of them may do next, as bits.
    pub fn minded(&self, state: &[u8], rows: &[u32], one: usize) -> u64 {
        let row = &self.rows[rows[one] as usize];
        let others = rows.iter().enumerate().filter(|&(other, _)| other != one);
        let mut minded = 0;
        for (other, &number) in others {
            let their = &self.rows[number as usize];
            // Every step changes where its process is, which whoever looks at everything sees.
            let minds = row.does_all || their.sees_all || {
                row.next.iter().any(|next| {
                    let case = next.length.map_or(0, |(at, capacity)| {
                        let length = state[at as usize];
                        usize::from(length < capacity) | usize::from(length > 0) << 1
                    });
                    let is_channel = self.channels.get(next.thing as usize).is_some_and(|is_channel| *is_channel);
                    next.ways[case] & their.uses(next.thing, is_channel) != 0
                })
            };
            minded |= u64::from(minds) << other;
        }
        minded
    }
}
