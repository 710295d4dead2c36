//! Which steps of a state suffice: persistent sets of processes.
//!
//! A set of processes is closed if no process outside of it will ever do anything, from where it stands now, that has to do
//! with what those inside can do next. Then the steps of those inside suffice: whatever the others do first, the steps
//! inside stay what they are, and come later as well (Overman 1981, Godefroid 1996). What a process will ever do is known
//! from its text: everything that its transitions from its location on read and write, and those of the processes that it
//! starts.
//!
//! Channels are looked at more closely. Who sends where there is room does not mind who receives, and who receives where
//! there is something does not mind who sends; only where it has to wait, a process needs those who let it go on. Where
//! something is possible only if the rest is not (`else`), it matters as well when that becomes possible: who makes room,
//! and who gets ready to meet others at a channel that holds nothing. The same is true
//! in the middle of a step that takes several transitions: it ends where it would have to wait. A
//! `timeout` is possible only where nothing else is, so nobody minds it as long as a step inside is possible, and it stays
//! possible.
//!
//! This keeps deadlocks, and faults of steps if no step is put off for ever, which the search sees to. Where states are
//! asked about (a goal), steps that change what is asked are left out only together with all others.

use crate::eval::View;
use crate::machine::parts_of;
use crate::shape::Shape;
use crate::uses::{How, Reader, Shared, Use, actions, is_channel, minding, written};
use crate::waits::waits;
use crate::{Action, Base, Expr, Program, Transition};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use tightrope_core::Successors;

/// A use in a state: channels by name.
type Resolved = (Shared, How);

/// What is known of the text of a program.
pub struct Futures {
    /// For every kind of process and each of its transitions: what the step that begins with it uses.
    steps: Vec<Vec<Vec<Use>>>,
    /// The transitions whose guards ask for a timeout.
    timeouts: Vec<Vec<bool>>,
    /// For every kind of process and each of its locations: what the process may ever use from there on.
    futures: Vec<Vec<Vec<Use>>>,
    /// What the goal looks at.
    asked: Vec<Use>,
    /// The expressions that give names of channels and never change for a process.
    names: Vec<Expr>,
    /// Nothing is known: every step has to do with every other.
    unknown: bool,
}

impl Futures {
    /// Reads a program of processes.
    pub fn new(program: &Program) -> Futures {
        let (mut remote, mut located, mut changed) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        let mut look = |expr: &Expr| match expr {
            Expr::Load(variable) | Expr::Undefined(variable) => {
                if let Base::Process(_, kind) = &variable.base {
                    remote.insert((*kind, variable.declared));
                }
            }
            Expr::LocationOf(_, Some(kind)) => located.extend([*kind]),
            _ => {}
        };
        for (kind, action) in actions(program) {
            action.walk(&mut look);
            written(kind, action, &mut |kind, declared| changed.extend([(kind, declared)]));
        }
        program.processes.iter().filter_map(|process| process.provided.as_ref()).for_each(|expr| expr.walk(&mut look));
        if let Some((goal, _)) = &program.goal {
            goal.walk(&mut look);
        }
        let constant = |kind: u8, declared: u32| !changed.contains(&(kind, declared));
        let names = RefCell::new(Vec::new());
        let reader = |kind: u8| Reader {
            program,
            kind,
            remote: &remote,
            constant: &constant,
            names: &names,
            uses: BTreeSet::new(),
            starts: BTreeSet::new(),
        };
        let mut futures = Futures {
            steps: Vec::new(),
            timeouts: Vec::new(),
            futures: Vec::new(),
            asked: Vec::new(),
            names: Vec::new(),
            unknown: program.priorities || program.last_mover.is_some(),
        };
        if let Some((goal, _)) = &program.goal {
            let mut reader = reader(0);
            reader.expr(goal);
            futures.asked = reader.uses.into_iter().collect();
            // Every step changes where its process is.
            futures.unknown |= futures.asked.iter().any(|&(shared, _)| shared == Shared::All);
        }
        let mut starts = Vec::new();
        for (process, kind) in program.processes.iter().zip(0u8..) {
            // Alone, without what comes after in the same step.
            let single: Vec<(BTreeSet<Use>, BTreeSet<u8>)> = process
                .transitions
                .iter()
                .map(|transition| {
                    let mut reader = reader(kind);
                    reader.action(&transition.action);
                    process.provided.iter().for_each(|provided| reader.expr(provided));
                    if located.contains(&kind) {
                        reader.uses.insert((Shared::Location(kind), How::Write));
                    }
                    (reader.uses, reader.starts)
                })
                .collect();
            let mut single = single;
            let uses: Vec<BTreeSet<Use>> = single.iter().map(|(uses, _)| uses.clone()).collect();
            let waits = waits(process, &uses);
            for (location, waits) in process.locations.iter().zip(waits) {
                let range = location.first as usize..(location.first + location.count) as usize;
                let here = &process.transitions[range.clone()];
                // What is possible only where others are not minds also when they become possible. And whether something is
                // possible in the middle of a step may decide where the step ends.
                let otherwise = |one: &Transition| one.action == Action::Else || one.escape != 0;
                if here.iter().any(otherwise) || waits {
                    single[range].iter_mut().for_each(|(uses, _)| *uses = minding(uses));
                }
            }
            let asks = |action: &Action| action.any(|expr| *expr == Expr::Timeout);
            futures.timeouts.push(process.transitions.iter().map(|transition| asks(&transition.action)).collect());
            let at = |location: u32| {
                let location = &process.locations[location as usize];
                location.first as usize..(location.first + location.count) as usize
            };
            let follow = |first: usize| {
                let (mut seen, mut todo, mut all) = (FxHashSet::default(), vec![first], Vec::new());
                while let Some(number) = todo.pop() {
                    let transition = &process.transitions[number];
                    if transition.keeps_control && seen.insert(transition.target) {
                        todo.extend(at(transition.target));
                        all.extend(at(transition.target));
                    }
                }
                all
            };
            // Whoever comes to a location is ready there to meet others.
            let offers = |location: u32| {
                let there = if (location as usize) < process.locations.len() { at(location) } else { 0..0 };
                let changed = |how: How| matches!(how, How::Send | How::Receive | How::Write);
                let uses = single[there].iter().flat_map(|(uses, _)| uses);
                let offered = uses.filter(move |&&(shared, how)| is_channel(shared) && changed(how));
                offered.map(|&(shared, _)| (shared, How::Offer)).collect::<Vec<Use>>()
            };
            let steps = (0..process.transitions.len()).map(|first| {
                let after = follow(first);
                let mut uses = single[first].0.clone();
                let often = |used: &Use| {
                    let users = || after.iter().chain([&first]).filter(|&&number| single[number].0.contains(used));
                    users().count() > 1 || users().any(|&number| follow(number).contains(&number))
                };
                for &number in &after {
                    // Later in a step a process may have to wait for what it uses, unless it is the only time.
                    let later = |used: &Use| (used.0, if often(used) { later(used.1) } else { alone(used.1) });
                    uses.extend(single[number].0.iter().map(later));
                }
                for &number in after.iter().chain([&first]) {
                    uses.extend(offers(process.transitions[number].target));
                    // Who is started may be ready at once.
                    uses.extend((!single[number].1.is_empty()).then_some((Shared::AnyChannel, How::Offer)));
                }
                uses.into_iter().collect()
            });
            futures.steps.push(steps.collect());
            let reach = |location: usize| {
                let (mut uses, mut started) = (BTreeSet::new(), BTreeSet::new());
                let (mut seen, mut todo) = (FxHashSet::from_iter([location as u32]), vec![location as u32]);
                while let Some(location) = todo.pop() {
                    for number in at(location) {
                        uses.extend(single[number].0.iter().copied());
                        started.extend(single[number].1.iter().copied());
                        let target = process.transitions[number].target;
                        if (target as usize) < process.locations.len() && seen.insert(target) {
                            todo.push(target);
                        }
                    }
                }
                (uses, started)
            };
            let (uses, started): (Vec<BTreeSet<Use>>, Vec<BTreeSet<u8>>) =
                (0..process.locations.len()).map(reach).unzip();
            futures.futures.push(uses.into_iter().map(|uses| uses.into_iter().collect()).collect());
            starts.push(started);
        }
        futures.add_started(&starts);
        futures.names = names.into_inner();
        futures
    }

    /// What those do who are started is done by those who start them. Their own channels and variables are unknown before.
    fn add_started(&mut self, starts: &[Vec<BTreeSet<u8>>]) {
        let of_new: Vec<Vec<Use>> =
            self.futures.iter().map(|of_kind| of_kind.first().cloned().unwrap_or_default()).collect();
        for (kind, of_kind) in self.futures.iter_mut().enumerate() {
            for (location, uses) in of_kind.iter_mut().enumerate() {
                let (mut seen, mut todo) = (BTreeSet::new(), starts[kind][location].clone());
                let mut all: BTreeSet<Use> = uses.iter().copied().collect();
                while let Some(started) = todo.pop_first() {
                    if !seen.insert(started) {
                        continue;
                    }
                    todo.extend(starts[started as usize].first().into_iter().flatten());
                    all.extend(of_new[started as usize].iter().map(|&(shared, how)| match shared {
                        Shared::OwnChannel(_) | Shared::Named(_) => (Shared::AnyChannel, how),
                        other => (other, how),
                    }));
                }
                *uses = all.into_iter().collect();
            }
        }
    }
}

/// How something is used later in a step, perhaps more than once.
fn later(how: How) -> How {
    match how {
        How::Read | How::AskFull | How::AskEmpty | How::NeedsRoom | How::NeedsSome => How::Read,
        How::Write | How::Send | How::Receive => How::Write,
        How::Offer => How::Offer,
    }
}

/// How something is used later in a step, which uses it in this way only once.
fn alone(how: How) -> How {
    match how {
        How::Send | How::Receive => how,
        other => later(other),
    }
}

/// A state of a program, for asking which steps suffice.
struct Here<'a> {
    names: &'a [Expr],
    program: &'a Program,
    state: &'a [u8],
    shape: &'a Shape,
}

impl Here<'_> {
    fn location(&self, pid: usize) -> usize {
        let at = self.shape.bodies[pid] as usize;
        let wide = self.program.processes[self.shape.kind(pid) as usize].wide_pc;
        self.state[at] as usize | if wide { (self.state[at + 1] as usize) << 8 } else { 0 }
    }

    /// A channel by its name, as far as that is known.
    fn resolve(&self, pid: usize, shared: Shared) -> Shared {
        let name = match shared {
            Shared::OwnChannel(position) => self.shape.first_channel[pid] + position + 1,
            Shared::Named(number) => {
                let trouble = Cell::new(None);
                let view = View::new(self.program, self.state, self.shape, pid, false, &trouble);
                u32::try_from(view.eval(&self.names[number as usize])).unwrap_or(0)
            }
            Shared::Channel(position) => position + 1,
            other => return other,
        };
        if name == 0 { Shared::AnyChannel } else { Shared::Channel(name) }
    }

    /// The messages in a channel and how many there can be; none if it is not known which it is.
    fn filling(&self, shared: Shared) -> Option<(u8, u8)> {
        let Shared::Channel(name) = shared else { return None };
        let &(at, channel) = self.shape.channels.get(name as usize - 1)?;
        let capacity = self.program.channels[channel as usize].capacity;
        Some((if capacity == 0 { 0 } else { self.state[at as usize] }, capacity))
    }

    /// What a transition that may be next does to something, seen by the others: a send or receive that need not wait is
    /// one, others change the channel for all.
    fn now(&self, (shared, how): Use) -> How {
        let Some((length, capacity)) = self.filling(shared) else { return later(how) };
        match how {
            How::Send if length < capacity => how,
            How::Receive if length > 0 => how,
            How::AskFull | How::NeedsRoom if length < capacity => How::AskFull,
            How::AskEmpty | How::NeedsSome if length > 0 => How::AskEmpty,
            How::AskFull | How::AskEmpty | How::NeedsRoom | How::NeedsSome | How::Read => How::Read,
            How::Send | How::Receive | How::Write => How::Write,
            How::Offer => How::Offer,
        }
    }
}

/// Whether what one does next has to do with what another may do some time.
fn clash(next: Resolved, some_time: Resolved) -> bool {
    let same = match (next.0, some_time.0) {
        (Shared::All, _) | (_, Shared::All) => return true,
        (Shared::AnyChannel, Shared::Channel(_)) | (Shared::Channel(_), Shared::AnyChannel) => true,
        (one, two) => one == two,
    };
    let looks = |how: How| !matches!(how, How::Write | How::Send | How::Receive | How::Offer);
    let harmless = match (next.1, some_time.1) {
        // Who gets ready to meet others is minded where something is possible only if nobody is ready.
        (How::Offer, some_time) => !matches!(some_time, How::AskFull | How::AskEmpty),
        (one, two) if looks(one) && looks(two) => true,
        // Where there is room, those who receive leave it; where there is something, those who send do.
        (How::Send | How::AskFull, How::Receive) | (How::Receive | How::AskEmpty, How::Send) => true,
        // What needs a message, or room, comes first only where there is some already.
        (How::Send, How::NeedsSome) | (How::Receive, How::NeedsRoom) => true,
        _ => false,
    };
    same && !harmless
}

impl Futures {
    /// Chooses steps that suffice, of those that a state has, which are those from a number on: `chosen` says for each
    /// whether it is one of them; before, whether it leads on, as one of them has to. False if it takes all of them.
    pub fn choose(
        &self,
        program: &Program,
        shape: &Shape,
        state: &[u8],
        (out, first): (&Successors, usize),
        chosen: &mut Vec<bool>,
    ) -> bool {
        let (count, steps) = (shape.count(), out.len() - first);
        if self.unknown || steps < 2 || !(2..=64).contains(&count) {
            return false;
        }
        let here = Here { names: &self.names, program, state, shape };
        let mut movers = Vec::new();
        for index in first..out.len() {
            let (pid, transition, partner) = parts_of(out.step(index));
            let kind = shape.kind(pid) as usize;
            if out.state(index).is_none() || out.fault(index).is_some() || self.timeouts[kind][transition] {
                return false;
            }
            movers.push((1u64 << pid | partner.map_or(0, |(pid, _)| 1 << pid), pid, transition, partner));
        }
        let futures: Vec<Vec<Resolved>> = (0..count)
            .map(|pid| {
                let uses = self.futures[shape.kind(pid) as usize].get(here.location(pid));
                uses.into_iter().flatten().map(|&(shared, how)| (here.resolve(pid, shared), how)).collect()
            })
            .collect();
        let next: Vec<Vec<Resolved>> = (0..count)
            .map(|pid| {
                let process = &program.processes[shape.kind(pid) as usize];
                let Some(location) = process.locations.get(here.location(pid)) else { return Vec::new() };
                let transitions = location.first as usize..(location.first + location.count) as usize;
                let uses = self.steps[shape.kind(pid) as usize][transitions].iter().flatten();
                let resolved = uses.map(|&(shared, how)| (here.resolve(pid, shared), how));
                // Nobody meets at a channel that holds messages.
                let holds = |shared: Shared| here.filling(shared).is_some_and(|(_, capacity)| capacity > 0);
                let real = resolved.filter(|&(shared, how)| how != How::Offer || !holds(shared));
                real.map(|(shared, how)| (shared, here.now((shared, how)))).collect()
            })
            .collect();
        // Every step changes where its process is, which whoever looks at everything sees.
        let looks_at_all = |uses: &[Resolved]| uses.iter().any(|&(shared, _)| shared == Shared::All);
        let sees_all: Vec<bool> = futures.iter().map(|future| looks_at_all(future)).collect();
        let minds = |one: usize, other: usize| {
            sees_all[other]
                || looks_at_all(&next[one])
                || next[one].iter().any(|&use_| futures[other].iter().any(|&future| clash(use_, future)))
        };
        let minded: Vec<u64> = (0..count)
            .map(|one| (0..count).filter(|&other| other != one && minds(one, other)).fold(0, |set, pid| set | 1 << pid))
            .collect();
        let mut best: Option<(usize, u64)> = None;
        for seed in movers.iter().map(|mover| mover.1).collect::<BTreeSet<usize>>() {
            let (mut set, mut todo) = (1u64 << seed, 1u64 << seed);
            while todo != 0 {
                let pid = todo.trailing_zeros() as usize;
                todo &= todo - 1;
                todo |= minded[pid] & !set;
                set |= minded[pid];
            }
            let inside: Vec<_> = movers.iter().filter(|mover| mover.0 & set != 0).collect();
            // A handshake with somebody outside cannot be: those who could take part are inside.
            let closed = inside.iter().all(|mover| mover.0 & !set == 0);
            let seen = inside.iter().any(|mover| self.is_asked_about(&here, mover.1, mover.2, mover.3));
            let goes_on = movers.iter().zip(&*chosen).any(|(mover, leads_on)| *leads_on && mover.0 & set != 0);
            let few = inside.len() < steps && best.is_none_or(|(least, _)| inside.len() <= least);
            if closed && !seen && goes_on && few {
                best = Some((inside.len(), set));
            }
        }
        let Some((_, set)) = best else { return false };
        chosen.clear();
        chosen.extend(movers.iter().map(|mover| mover.0 & set != 0));
        true
    }

    /// Whether a step changes what the goal looks at.
    fn is_asked_about(&self, here: &Here<'_>, pid: usize, transition: usize, partner: Option<(usize, usize)>) -> bool {
        let asked = |pid: usize, transition: usize| {
            let uses = &self.steps[here.shape.kind(pid) as usize][transition];
            uses.iter().any(|&(shared, how)| {
                let used = (here.resolve(pid, shared), later(how));
                self.asked.iter().any(|&(shared, how)| clash(used, (here.resolve(pid, shared), how)))
            })
        };
        // Where the goal asks where processes are, every step that moves one is asked about.
        asked(pid, transition) || partner.is_some_and(|(pid, transition)| asked(pid, transition))
    }
}
