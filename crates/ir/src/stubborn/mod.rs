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

mod choice;
mod setting;

pub(crate) use choice::Choice;

use crate::uses::{How, Reader, Shared, Use, actions, is_channel, minding, written};
use crate::waits::waits;
use crate::{Action, Base, Expr, Program, Transition};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

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
    /// The expressions that give names of channels and never change for a process; and for every kind of process which of them
    /// are its own.
    names: Vec<Expr>,
    named: Vec<Vec<u32>>,
    /// For every kind of process the places of the variables that those are made of.
    constants: Vec<Vec<Range<u32>>>,
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
            named: Vec::new(),
            constants: Vec::new(),
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
                let range = location.transitions();
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
                location.transitions()
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
        futures.named = (0..program.processes.len()).map(|kind| futures.names_of(kind)).collect();
        futures.constants = futures.named.iter().map(|names| futures.constants_of(names)).collect();
        futures
    }

    /// The places of the variables that names of channels are made of.
    fn constants_of(&self, names: &[u32]) -> Vec<Range<u32>> {
        let mut places = Vec::new();
        for &name in names {
            self.names[name as usize].walk(&mut |expr| {
                if let Expr::Load(variable) = expr {
                    let last: u32 = variable.indices.iter().map(|index| (index.bound - 1) * index.stride).sum();
                    let place = variable.offset..variable.offset + last + variable.ty.size();
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
            });
        }
        places
    }

    /// The names of channels that a kind of process uses.
    fn names_of(&self, kind: usize) -> Vec<u32> {
        let uses = self.steps[kind].iter().chain(&self.futures[kind]).flatten();
        let numbers =
            uses.filter_map(|&(shared, _)| if let Shared::Named(number) = shared { Some(number) } else { None });
        numbers.collect::<BTreeSet<u32>>().into_iter().collect()
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
