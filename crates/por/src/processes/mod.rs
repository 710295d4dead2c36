//! Stubborn sets of processes.
//!
//! The entities are the transitions that start from the present locations of the processes. What a transition may ever lead
//! to is known from the text: its *future* are the accesses of its own step and of everything that the process may do from
//! where the transition leads, of the processes started there, and of those that take part in a handshake in the middle of
//! a step. The future stands for all transitions behind the entity: whatever happens later begins with an entity whose future
//! it lies in. That is what makes a set of entities stubborn:
//! - for an enabled entity the set contains all entities whose future depends on its step (`clashes` in `setting.rs`), and
//!   those of the same process;
//! - for a disabled one it contains a necessary enabling set: all entities whose future may make one of the conditions
//!   true that are false.
//!
//! Channels are looked at more closely. A send where there is room does not depend on receives, and a receive where there is
//! a message not on sends; only what is blocked needs those who let it go on. Where something happens only if something else
//! is not enabled (`else`, `unless`, the middle of a step of several transitions, a choice in `d_step`), it depends on that
//! in both directions.
//!
//! A `timeout` is true only where nothing else is enabled, and an entity of the set stays enabled whatever the others do.

mod choice;
mod setting;
mod waits;
mod within;

pub use choice::Choice;
pub use within::Places;

use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tightrope_ir::effects::parts::extent;
use tightrope_ir::effects::processes::{Access, AccessKind, Accesses, Conjunct, Effecting, Effects, Shared};
use tightrope_ir::{Action, ChanRef, Expr, Process, Program, Transition};

/// When in a step an access happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// When the step begins.
    First,
    /// Later, once at most.
    Later,
    /// Later, perhaps several times.
    Often,
}

/// What is known of a transition.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The accesses of the step that begins with it.
    pub step: Vec<(Access, When)>,
    /// The accesses of that step and of all that may follow.
    pub future: Vec<Access>,
    /// What decides whether it is enabled, with whether evaluating it may fail.
    pub guard: Vec<(Conjunct, bool)>,
    /// It reads `timeout`.
    pub timeout: bool,
}

/// What is known of the text of a program of processes.
pub struct StaticEffects {
    /// For every kind of process and each of its transitions.
    pub transitions: Vec<Vec<Known>>,
    /// What the goal reads.
    pub observed: Vec<Access>,
    /// The expressions that give names of channels and never change for a process; and for every kind of process which of them
    /// are its own.
    pub names: Vec<Expr>,
    pub named: Vec<Vec<u32>>,
    /// For every kind of process the places of the variables that those are made of.
    pub constants: Vec<Vec<Range<u32>>>,
    /// Nothing is known: every step depends on every other.
    pub unknown: bool,
}

/// A transition: the kind of its process, and its number.
type Number = (usize, usize);

impl StaticEffects {
    /// Reads a program of processes.
    pub fn new(program: &Program) -> StaticEffects {
        let effecting = Effecting::new(program);
        let observed: Vec<Access> = program.goal.iter().flat_map(|(goal, _)| effecting.observed(goal)).collect();
        let observes_all = observed.iter().any(|&(shared, _)| shared == Shared::All);
        let kinds = program.processes.iter().zip(0u8..);
        let all: Vec<Vec<Effects>> = kinds
            .map(|(process, kind)| {
                (0..process.transitions.len()).map(|number| effecting.transition(kind, process, number)).collect()
            })
            .collect();
        let text = Text::new(program, &all);
        let transitions: Vec<Vec<Known>> = (0..program.processes.len()).map(|kind| text.known(kind)).collect();
        let names = effecting.into_names();
        let named: Vec<Vec<u32>> = transitions.iter().map(|known| names_of(known)).collect();
        let constants = named.iter().map(|named| constants_of(&names, named)).collect();
        StaticEffects {
            transitions,
            observed,
            names,
            named,
            constants,
            unknown: program.priorities || program.last_mover.is_some() || observes_all,
        }
    }
}

/// The numbers of the names of channels that are used.
fn names_of(known: &[Known]) -> Vec<u32> {
    let guards =
        known.iter().flat_map(|known| &known.guard).flat_map(|(guard, _)| guard.reads.iter().chain(&guard.fields));
    let futures = known.iter().flat_map(|known| &known.future);
    let steps = known.iter().flat_map(|known| known.step.iter().map(|(access, _)| access));
    let numbers = guards.chain(futures).chain(steps).filter_map(|&(shared, _)| match shared {
        Shared::Named(number) => Some(number),
        _ => None,
    });
    numbers.collect::<BTreeSet<u32>>().into_iter().collect()
}

/// The places of the variables that names of channels are made of.
fn constants_of(names: &[Expr], named: &[u32]) -> Vec<Range<u32>> {
    let mut places = Vec::new();
    for &name in named {
        names[name as usize].walk(&mut |expr| {
            if let Expr::Load(variable) = expr {
                let place = extent(variable);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        });
    }
    places
}

/// An access of another process than the one whose names are known.
fn foreign((shared, kind): Access) -> Access {
    match shared {
        Shared::OwnChannel(_) | Shared::Named(_) => (Shared::AnyChannel, kind),
        other => (other, kind),
    }
}

/// Whether a transition changes what is in a channel, or is one side of a handshake.
fn is_exchange(kind: AccessKind) -> bool {
    matches!(kind, AccessKind::Send | AccessKind::Receive | AccessKind::Write)
}

/// Works out what follows what.
struct Text<'a> {
    program: &'a Program,
    effects: Vec<Vec<Effects>>,
    /// For every transition, those that may answer a send of it on a rendezvous channel.
    partners: Vec<Vec<Vec<Number>>>,
}

impl<'a> Text<'a> {
    fn new(program: &'a Program, all: &[Vec<Effects>]) -> Text<'a> {
        let mut text = Text { program, effects: all.to_vec(), partners: Vec::new() };
        text.partners = (0..program.processes.len())
            .map(|kind| (0..text.effects[kind].len()).map(|number| text.partners_of((kind, number))).collect())
            .collect();
        let decided = |kind: usize| {
            let process = &program.processes[kind];
            let holds_messages = |shared| text.capacity(kind, shared).is_some_and(|most| most > 0);
            let waits = waits::waits(process, &all[kind], &holds_messages);
            let readiness: Vec<Accesses> =
                (0..all[kind].len()).map(|number| text.readiness_of_partners((kind, number))).collect();
            with_disabling_reads(process, &all[kind], &waits, &readiness)
        };
        let effects = (0..program.processes.len()).map(decided).collect();
        Text { effects, ..text }
    }

    fn process(&self, kind: usize) -> &'a Process {
        &self.program.processes[kind]
    }

    fn transition(&self, (kind, number): Number) -> &'a Transition {
        &self.process(kind).transitions[number]
    }

    /// The transitions of a location; none of a location that does not exist.
    fn at(&self, kind: usize, location: u32) -> Range<usize> {
        self.process(kind).locations.get(location as usize).map_or(0..0, |location| location.transitions())
    }

    /// How many messages a channel holds, where that is known from the text.
    fn capacity(&self, kind: usize, shared: Shared) -> Option<u8> {
        let channel = match shared {
            Shared::Channel(position) => self.program.global_channels.get(position as usize)?,
            Shared::OwnChannel(position) => self.process(kind).channels.get(position as usize)?,
            // Whichever it is, it is one of those that are declared.
            _ => return self.program.channels.iter().map(|channel| channel.capacity).min().filter(|&least| least > 0),
        };
        Some(self.program.channels[channel.channel as usize].capacity)
    }

    /// The transitions of other processes that may take the message that a transition sends on a rendezvous channel.
    fn partners_of(&self, (kind, number): Number) -> Vec<Number> {
        let sent = |&&(shared, how): &&Access| {
            shared.is_channel()
                && how == AccessKind::Send
                && self.capacity(kind, shared).is_none_or(|capacity| capacity == 0)
        };
        let channels: Vec<Shared> =
            self.effects[kind][number].first.iter().filter(sent).map(|&(shared, _)| shared).collect();
        let mut partners = Vec::new();
        for (other, effects) in self.effects.iter().enumerate() {
            for (answer, effects) in effects.iter().enumerate() {
                let fits = |&(shared, how): &Access| {
                    let global = |shared: Shared| matches!(shared, Shared::Channel(_));
                    let own = |shared: Shared| matches!(shared, Shared::OwnChannel(_));
                    let apart = |channel: Shared| {
                        global(shared) && global(channel) && shared != channel
                            || own(shared) && global(channel)
                            || global(shared) && own(channel)
                    };
                    let receives = matches!(how, AccessKind::Receive | AccessKind::Write | AccessKind::Read);
                    shared.is_channel()
                        && receives
                        && channels.iter().any(|&channel| !apart(channel))
                        && self.capacity(other, shared).is_none_or(|capacity| capacity == 0)
                };
                if effects.first.iter().any(fits) {
                    partners.push((other, answer));
                }
            }
        }
        partners
    }

    /// What decides whether the possible partners of a send are ready for it, besides where they are: what their `provided`
    /// clauses and `eval` read, and the variables that name their channels.
    fn readiness_of_partners(&self, (kind, number): Number) -> Accesses {
        let mut readiness = Accesses::new();
        for &(other, answer) in &self.partners[kind][number] {
            let effects = &self.effects[other][answer];
            let guards = effects.guard.iter().flat_map(|conjunct| &conjunct.reads);
            // A sequence that begins with a choice may be enabled whatever its receives are.
            let is_sequence = matches!(self.transition((other, answer)).action, Action::Indivisible(_));
            let choice = effects.first.iter().filter(|_| is_sequence);
            // The receive itself is what [`AccessKind::Meet`] is about.
            let reads = guards.chain(choice).filter(|(shared, how)| {
                *shared != Shared::Private && !(shared.is_channel() && *how == AccessKind::Receive)
            });
            readiness.extend(reads.map(|&(shared, _)| foreign((shared, AccessKind::Read))));
        }
        readiness
    }

    /// The transitions that follow a transition in the same step, as far as the process keeps control.
    fn chain(&self, (kind, first): Number) -> Vec<usize> {
        let (mut seen, mut todo, mut all) = (FxHashSet::default(), vec![first], Vec::new());
        while let Some(number) = todo.pop() {
            let transition = self.transition((kind, number));
            if transition.keeps_control && seen.insert(transition.target) {
                todo.extend(self.at(kind, transition.target));
                all.extend(self.at(kind, transition.target));
            }
        }
        all
    }

    /// What a process becomes ready for where a transition leads, and is no longer ready for where it starts.
    fn offers(&self, (kind, number): Number) -> Accesses {
        let process = self.process(kind);
        let source = process.locations.iter().position(|location| location.transitions().contains(&number));
        let here = source.map_or(0..0, |source| process.locations[source].transitions());
        let there = self.at(kind, self.transition((kind, number)).target);
        let accesses = here.chain(there).flat_map(|number| &self.effects[kind][number].first);
        let mut offers: Accesses = accesses
            .filter(|&&(shared, how)| shared.is_channel() && (is_exchange(how) || how == AccessKind::Read))
            .filter(|&&(shared, _)| self.capacity(kind, shared).is_none_or(|capacity| capacity == 0))
            .map(|&(shared, _)| (shared, AccessKind::Offer))
            .collect();
        if !self.effects[kind][number].starts.is_empty() {
            // What is started may be ready at once.
            offers.insert((Shared::AnyChannel, AccessKind::Offer));
        }
        offers
    }

    /// The accesses of a transition alone, without what follows in the same step.
    fn alone(&self, (kind, number): Number) -> Accesses {
        let effects = &self.effects[kind][number];
        let mut all: Accesses = effects.first.iter().chain(effects.later.keys()).copied().collect();
        all.extend(self.offers((kind, number)));
        all
    }

    /// The accesses of the step that begins with a transition, without those of partners in a handshake in the middle of it.
    fn own_step(&self, first: Number) -> BTreeMap<Access, When> {
        let (kind, number) = first;
        let chain = self.chain(first);
        let mut later = Effects::default();
        for &next in &chain {
            let effects = &self.effects[kind][next];
            let again = self.chain((kind, next)).contains(&next);
            later.add_later(effects.first.iter().map(|&access| (access, if again { 2 } else { 1 })));
            later.add_later(effects.later.iter().map(|(&access, &times)| (access, if again { 2 } else { times })));
        }
        later.add_later(self.effects[kind][number].later.iter().map(|(&access, &times)| (access, times)));
        let mut step: BTreeMap<Access, When> = BTreeMap::new();
        step.extend(
            later.later.into_iter().map(|(access, times)| (access, if times > 1 { When::Often } else { When::Later })),
        );
        for &access in &self.effects[kind][number].first {
            // What happens at the beginning and again later happens more than once.
            let again = step.contains_key(&access);
            step.insert(access, if again { When::Often } else { When::First });
        }
        for &number in chain.iter().chain([&number]) {
            for offer in self.offers((kind, number)) {
                step.entry(offer).or_insert(When::First);
            }
        }
        step
    }

    /// The transitions that may answer in the middle of the step that begins with a transition.
    fn answers(&self, (kind, first): Number) -> impl Iterator<Item = (Access, Number)> + '_ {
        let sends = move |number: usize| {
            let first = self.effects[kind][number].first.iter();
            first.copied().find(|&(shared, how)| how == AccessKind::Send && shared.is_channel())
        };
        self.chain((kind, first)).into_iter().flat_map(move |number| {
            let channel = sends(number).map(|(shared, _)| (shared, AccessKind::Meet));
            self.partners[kind][number].iter().filter_map(move |&partner| Some((channel?, partner)))
        })
    }

    /// All accesses of the step that begins with a transition. In the middle of it others may take part.
    fn step(&self, first: Number) -> Vec<(Access, When)> {
        let mut step = self.own_step(first);
        let (mut seen, mut todo) = (FxHashSet::default(), Vec::new());
        for (meets, partner) in self.answers(first) {
            step.insert(meets, When::Often);
            todo.push(partner);
        }
        while let Some(partner) = todo.pop() {
            if !seen.insert(partner) {
                continue;
            }
            for (access, _) in self.own_step(partner) {
                step.insert(foreign(access), When::Often);
            }
            for (meets, next) in self.answers(partner) {
                step.insert(foreign(meets), When::Often);
                todo.push(next);
            }
        }
        step.into_iter().collect()
    }

    /// All accesses from some transitions on: theirs and those of whatever follows. The first ones are of the process
    /// itself, the second ones of others.
    fn from(&self, own: Vec<Number>, others: Vec<Number>) -> Accesses {
        let mut accesses = Accesses::new();
        let (mut own_seen, mut others_seen) = (FxHashSet::default(), FxHashSet::default());
        let (mut own_todo, mut others_todo) = (own, others);
        loop {
            let (is_own, number) = match (own_todo.pop(), others_todo.is_empty()) {
                (Some(number), _) => (true, number),
                (None, false) => (false, others_todo.pop().expect("not empty")),
                (None, true) => return accesses,
            };
            let new = if is_own { own_seen.insert(number) } else { others_seen.insert(number) };
            if !new {
                continue;
            }
            let (kind, transition) = number;
            let next = self.at(kind, self.transition(number).target).map(|next| (kind, next));
            if is_own {
                accesses.extend(self.alone(number));
                own_todo.extend(next);
            } else {
                accesses.extend(self.alone(number).into_iter().map(foreign));
                others_todo.extend(next);
            }
            for &started in &self.effects[kind][transition].starts {
                others_todo.extend(self.at(started as usize, 0).map(|first| (started as usize, first)));
            }
            for (meets, partner) in self.answers(number) {
                accesses.insert(if is_own { meets } else { foreign(meets) });
                others_todo.push(partner);
            }
        }
    }

    /// What is known of the transitions of a kind of process.
    fn known(&self, kind: usize) -> Vec<Known> {
        let count = self.process(kind).locations.len();
        let mut futures: Vec<Option<Accesses>> = vec![None; count];
        let mut known = Vec::new();
        for (number, effects) in self.effects[kind].iter().enumerate() {
            let step = self.step((kind, number));
            let target = self.transition((kind, number)).target;
            let mut future: Accesses = step.iter().map(|(access, _)| *access).collect();
            let starts = effects.starts.iter().map(|&kind| kind as usize);
            let started = starts.flat_map(|kind| self.at(kind, 0).map(move |first| (kind, first)));
            let partners = self.answers((kind, number)).map(|(_, partner)| partner);
            let others: Vec<Number> = started.chain(partners).collect();
            if !others.is_empty() {
                future.extend(self.from(Vec::new(), others));
            }
            if (target as usize) < count {
                let there = futures[target as usize].get_or_insert_with(|| {
                    self.from(self.at(kind, target).map(|next| (kind, next)).collect(), Vec::new())
                });
                future.extend(there.iter().copied());
            }
            let guard = effects.guard.iter().map(|guard| (guard.clone(), guard.test.as_ref().is_none_or(may_fail)));
            known.push(Known {
                step,
                future: future.into_iter().collect(),
                guard: guard.collect(),
                timeout: effects.timeout,
            });
        }
        known
    }
}

/// The effects of transitions where it matters also that others, or themselves, are not enabled. `readiness` is what decides
/// whether partners are ready for the send that a transition begins with.
fn with_disabling_reads(
    process: &Process,
    effects: &[Effects],
    waits: &[bool],
    readiness: &[Accesses],
) -> Vec<Effects> {
    let mut all = effects.to_vec();
    for (location, &waits) in process.locations.iter().zip(waits) {
        for one in location.transitions() {
            let transition = &process.transitions[one];
            for other in location.transitions() {
                let escape = process.transitions[other].escape;
                let barred = escape != 0 && escape != transition.escape;
                let itself = one == other;
                // Where a process should be deterministic, two enabled transitions are a fault.
                let decides = transition.action == Action::Else || barred || process.deterministic;
                if itself && waits || !itself && decides {
                    all[one].first.extend(effects[other].disabling_reads());
                    all[one].first.extend(&readiness[other]);
                    // A sequence that begins with a choice reads more than what decides whether it is enabled.
                    if matches!(process.transitions[other].action, Action::Indivisible(_)) {
                        let reads = effects[other].first.iter().map(|&(shared, _)| (shared, AccessKind::Read));
                        all[one].first.extend(reads);
                    }
                }
            }
            // An indivisible sequence may begin with a choice between a send and something else.
            if matches!(transition.action, Action::Indivisible(_)) {
                all[one].first.extend(&readiness[one]);
            }
        }
    }
    all
}

/// Whether evaluating an expression may be a fault.
fn may_fail(expr: &Expr) -> bool {
    use tightrope_ir::Binary;
    expr.any(|expr| match expr {
        Expr::Load(variable) => !variable.indices.is_empty(),
        Expr::Binary(Binary::Div | Binary::Rem, ..) | Expr::Bounded(_) | Expr::Table(_) | Expr::Poll(_) => true,
        Expr::Length(chan) | Expr::Full(chan) => matches!(chan, ChanRef::Named(_)),
        Expr::Enabled(_) | Expr::Run(_) => true,
        _ => false,
    })
}
