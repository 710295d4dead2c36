//! Stubborn sets of processes in a state.

use super::StaticEffects;
use super::setting::{Row, Setting, World};
use crate::check::{Checked, Key};
use crate::closure::{Closure, Dependence, Participants};
use std::cell::Cell;
use tightrope_core::{Model, Step, Successors};
use tightrope_ir::Program;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::eval::View;
use tightrope_ir::machine::parts_of;
use tightrope_ir::shape::Shapes;

/// So many processes at locations are kept in mind at most, in all settings.
const MOST_ROWS: usize = 4096;

/// What was found out in earlier states, and working space.
#[derive(Default)]
pub struct Choice {
    shapes: Shapes,
    settings: Vec<Setting>,
    /// The setting that was met last.
    recent: usize,
    /// The variables that decide which channels the processes use, as they are in the state at hand.
    key: Vec<u8>,
    /// For each process its location, by number; and the number of its first entity, with the number of entities at the end.
    rows: Vec<u32>,
    offsets: Vec<u32>,
    closure: Closure,
    /// For each disabled entity why it is: the first reason in `reasons`, and how many there are.
    known: Vec<Option<(u32, u32)>>,
    reasons: Vec<Reason>,
}

/// Why an entity is disabled.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// A condition of it is false: its number.
    Condition(u32),
    /// Another entity of its process is enabled.
    BarredBy(u32),
}

impl Choice {
    /// Goes to the setting with this shape and the key at hand, a new one with these names if need be.
    fn settle(&mut self, shape: u32, names: impl FnOnce(&Shapes) -> Vec<Vec<u32>>) {
        let is_it = |setting: &Setting| setting.shape == shape && *setting.key == *self.key;
        if self.settings.get(self.recent).is_some_and(is_it) {
            return;
        }
        self.recent = self.settings.iter().position(is_it).unwrap_or_else(|| {
            if self.settings.iter().map(Setting::size).sum::<usize>() > MOST_ROWS {
                self.settings.clear();
            }
            self.settings.push(Setting::new(shape, &self.key, names(&self.shapes)));
            self.settings.len() - 1
        });
    }
}

/// The entities of a state.
pub struct Here<'a> {
    world: World<'a>,
    state: &'a [u8],
    setting: &'a mut Setting,
    rows: &'a [u32],
    offsets: &'a [u32],
    known: &'a mut Vec<Option<(u32, u32)>>,
    reasons: &'a mut Vec<Reason>,
}

impl Here<'_> {
    /// The process of an entity, and its position among those of the process.
    fn parts(&self, entity: usize) -> (usize, usize) {
        let pid = self.offsets.partition_point(|&offset| offset as usize <= entity) - 1;
        (pid, entity - self.offsets[pid] as usize)
    }

    fn row(&self, pid: usize) -> &Row {
        self.setting.row(self.rows[pid])
    }

    /// Finds out why an entity is disabled; each reason has a necessary enabling set of its own.
    pub fn reasons(&mut self, entity: usize, enabled: &Bits) -> std::ops::Range<usize> {
        if let Some((start, count)) = self.known[entity] {
            return start as usize..(start + count) as usize;
        }
        let (pid, position) = self.parts(entity);
        let start = self.reasons.len();
        let kind = self.world.shape.kind(pid) as usize;
        let row = self.setting.row(self.rows[pid]);
        let first = self.offsets[pid] as usize;
        for other in (0..row.len()).filter(|&other| enabled.contains(first + other)) {
            match row.is_barred_by(position, other) {
                Some(true) => self.reasons.push(Reason::BarredBy((first + other) as u32)),
                Some(false) => {}
                None => {
                    self.reasons.truncate(start);
                    self.known[entity] = Some((start as u32, 0));
                    return start..start;
                }
            }
        }
        let guard = &self.world.effects.transitions[kind][row.transition(position)].guard;
        let mut untested = None;
        for (number, test) in row.tests(position).enumerate() {
            let Some(test) = test else {
                untested = Some(number);
                continue;
            };
            let Some(expr) = &guard[test as usize].0.test else { continue };
            // A single condition has to be the one that is false, if nothing else is in the way.
            let alone = row.tests(position).count() == 1 && self.reasons.len() == start;
            if alone || is_false(self.world, self.state, pid, expr) {
                self.reasons.push(Reason::Condition(number as u32));
            }
        }
        let untested = untested.filter(|_| self.reasons.len() == start && !row.is_else(position));
        if let Some(number) = untested {
            self.reasons.push(Reason::Condition(number as u32));
        }
        let count = self.reasons.len() - start;
        self.known[entity] = Some((start as u32, count as u32));
        start..start + count
    }

    /// Adds the necessary enabling set that belongs to a reason.
    pub fn add_reason(&self, entity: usize, reason: Reason, set: &mut Bits) {
        match reason {
            // What disables it depends on it, and comes in with it.
            Reason::BarredBy(other) => set.insert(other as usize),
            Reason::Condition(condition) => {
                let at = self.parts(entity);
                self.setting.enabling(self.state, self.rows, at, condition as usize, |pid, position| {
                    set.insert(self.offsets[pid] as usize + position);
                });
            }
        }
    }
}

/// Whether an expression is zero in a state, for a process.
fn is_false(world: World<'_>, state: &[u8], pid: usize, expr: &tightrope_ir::Expr) -> bool {
    let trouble = Cell::new(None);
    let view = View::new(world.program, state, world.shape, pid, false, &trouble);
    view.eval(expr) == 0 && !view.troubled()
}

impl Dependence for Here<'_> {
    fn count(&self) -> usize {
        self.offsets.last().map_or(0, |&count| count as usize)
    }

    fn add_dependent(&mut self, entity: usize, set: &mut Bits, _met: &mut Bits) {
        let (pid, position) = self.parts(entity);
        let own = self.offsets[pid] as usize;
        // They all start from the same location.
        set.insert_range(own, own + self.row(pid).len());
        self.setting.dependent(self.state, self.rows, (pid, position), |pid, position| {
            set.insert(self.offsets[pid] as usize + position);
        });
    }

    fn add_enabling(&mut self, entity: usize, set: &mut Bits, enabled: &Bits) {
        let reasons = self.reasons(entity, enabled);
        if reasons.is_empty() {
            // Nobody knows why.
            return set.insert_range(0, self.count());
        }
        let (first, rest) = (reasons.start, reasons.start + 1..reasons.end);
        if rest.is_empty() {
            return self.add_reason(entity, self.reasons[first], set);
        }
        let mut best: Option<((usize, usize), Bits)> = None;
        for number in reasons {
            let mut needed = Bits::new(self.count());
            self.add_reason(entity, self.reasons[number], &mut needed);
            let (missing, marked) = needed.missing(set, enabled);
            if best.as_ref().is_none_or(|(cost, _)| (marked, missing) < *cost) {
                best = Some(((marked, missing), needed));
            }
        }
        if let Some((_, needed)) = best {
            set.add(&needed);
        }
    }

    fn enabling_sets(&mut self, entity: usize, enabled: &Bits) -> Vec<Bits> {
        let reasons = self.reasons(entity, enabled);
        let set = |here: &mut Self, number: usize| {
            let mut set = Bits::new(here.count());
            let reason = here.reasons[number];
            here.add_reason(entity, reason, &mut set);
            if let Reason::BarredBy(other) = reason {
                here.add_dependent(other as usize, &mut set, &mut Bits::new(here.count()));
            }
            set
        };
        reasons.map(|number| set(self, number)).collect()
    }

    fn key(&self, entity: usize) -> Key {
        let (pid, position) = self.parts(entity);
        (pid as u32, self.row(pid).transition(position) as u32)
    }

    fn is_visible(&mut self, entity: usize) -> bool {
        let (pid, position) = self.parts(entity);
        let transition = self.row(pid).transition(position);
        self.setting.is_visible(self.world, pid, transition)
    }
}

impl StaticEffects {
    /// Enters a state with these steps, those from number `first` on, and does something with its entities. None where nothing
    /// can be left out: a step fails, or happens because of a `timeout`, or too little is known.
    fn enter<T>(
        &self,
        program: &Program,
        choice: &mut Choice,
        state: &[u8],
        (out, first): (&Successors, usize),
        what: impl FnOnce(&mut Closure, &mut Here<'_>) -> T,
    ) -> Option<T> {
        let number = choice.shapes.find(program, state)?;
        let count = choice.shapes.get(number).count();
        if self.unknown {
            return None;
        }
        choice.key.clear();
        let shape = choice.shapes.get(number);
        for pid in 0..count {
            for place in &self.constants[shape.kind(pid) as usize] {
                let (from, to) = (shape.bodies[pid] + place.start, shape.bodies[pid] + place.end);
                choice.key.extend_from_slice(&state[from as usize..to as usize]);
            }
        }
        choice.settle(number, |shapes| {
            let shape = shapes.get(number);
            self.names_in(World { effects: self, program, shape }, state)
        });
        let Choice { shapes, settings, recent, rows, offsets, closure, known, reasons, .. } = choice;
        let world = World { effects: self, program, shape: shapes.get(number) };
        let setting = &mut settings[*recent];
        rows.clear();
        offsets.clear();
        let mut entities = 0;
        for pid in 0..count {
            let row = setting.at(world, pid, location(world, state, pid));
            rows.push(row);
            offsets.push(entities);
            entities += setting.row(row).len() as u32;
        }
        offsets.push(entities);
        closure.steps.clear();
        for index in first..out.len() {
            let (pid, transition, partner) = parts_of(out.step(index));
            let timeout =
                |pid: usize, transition: usize| self.transitions[world.shape.kind(pid) as usize][transition].timeout;
            let fails = out.state(index).is_none() || out.fault(index).is_some();
            if fails || timeout(pid, transition) || partner.is_some_and(|(pid, answer)| timeout(pid, answer)) {
                return None;
            }
            let entity = |pid: usize, transition: usize| {
                Some(offsets[pid] + setting.row(rows[pid]).position(transition)? as u32)
            };
            let one = entity(pid, transition)?;
            let two = partner.map_or(Some(one), |(pid, answer)| entity(pid, answer))?;
            closure.steps.push(Participants { first: one, second: two, seeds: true });
        }
        known.clear();
        known.resize(entities as usize, None);
        reasons.clear();
        let mut here = Here { world, state, setting, rows, offsets, known, reasons };
        Some(what(closure, &mut here))
    }

    /// Chooses a stubborn set among the steps of a state, which are those from a number on. `chosen` says for each whether it
    /// is in the set; one of those that lead on is. False if nothing can be left out.
    pub fn choose(
        &self,
        program: &Program,
        choice: &mut Choice,
        state: &[u8],
        (out, first): (&Successors, usize),
        leads_on: &[bool],
        chosen: &mut Vec<bool>,
    ) -> bool {
        if out.len() - first < 2 {
            return false;
        }
        let found = self.enter(program, choice, state, (out, first), |closure, here| {
            closure.find(here, leads_on).then(|| {
                chosen.clear();
                chosen.extend((0..closure.steps.len()).map(|step| closure.takes(step)));
            })
        });
        found.flatten().is_some()
    }

    /// Checks what is said of the entities of a state against what its steps do.
    pub fn check_relations(
        &self,
        program: &Program,
        choice: &mut Choice,
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let mut out = Successors::new();
        model.successors(state, &mut out);
        let list = program.schema.fixed_size as usize + 1;
        let process = |pid: usize| &program.processes[state[list + pid] as usize];
        let keys = |step: Step| {
            let (pid, transition, partner) = parts_of(step);
            let (other, answer) = partner.unwrap_or((pid, transition));
            [(pid as u32, transition as u32), (other as u32, answer as u32)]
        };
        // A step of a process that was started meanwhile is of no interest.
        let known = |(pid, transition): Key| {
            let kind = state.get(list + pid as usize).filter(|_| (pid as usize) < state[list - 1] as usize);
            kind.and_then(|&kind| self.transitions[kind as usize].get(transition as usize))
        };
        let is_timeout = |out: &Successors| {
            out.steps().any(|step| keys(step).into_iter().any(|key| known(key).is_none_or(|known| known.timeout)))
        };
        let words = |(pid, transition): Key| {
            format!(
                "{}[{pid}] {}",
                process(pid as usize).name,
                process(pid as usize).transitions[transition as usize].text
            )
        };
        self.enter(program, choice, state, (&out, 0), |closure, here| {
            let checked = Checked { model, out: &out, keys: &keys, is_timeout: &is_timeout, words: &words };
            checked.check(closure, here)
        })
        .unwrap_or(Ok(()))
    }

    /// For each process the names of the channels that its kind names.
    #[cold]
    pub fn names_in(&self, world: World<'_>, state: &[u8]) -> Vec<Vec<u32>> {
        let of_process = |pid: usize| {
            let trouble = Cell::new(None);
            let view = View::new(world.program, state, world.shape, pid, false, &trouble);
            let names = self.named[world.shape.kind(pid) as usize].iter();
            names.map(|&name| u32::try_from(view.eval(&self.names[name as usize])).unwrap_or(0)).collect()
        };
        (0..world.shape.count()).map(of_process).collect()
    }
}

/// Where a process is.
pub fn location(world: World<'_>, state: &[u8], pid: usize) -> usize {
    let at = world.shape.bodies[pid] as usize;
    let wide = world.program.processes[world.shape.kind(pid) as usize].wide_pc;
    state[at] as usize | if wide { (state[at + 1] as usize) << 8 } else { 0 }
}
