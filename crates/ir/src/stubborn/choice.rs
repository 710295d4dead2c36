//! Choosing steps in a state.

use super::Futures;
use super::setting::Setting;
use crate::Program;
use crate::eval::View;
use crate::machine::parts_of;
use crate::shape::Shape;
use std::cell::Cell;
use tightrope_core::Successors;

/// So many processes at locations are kept in mind at most, in all settings.
const MOST_ROWS: usize = 4096;

/// What was found out in earlier states, and working space.
#[derive(Default)]
pub(crate) struct Choice {
    settings: Vec<Setting>,
    /// The setting that was met last.
    recent: usize,
    /// The variables that decide which channels the processes use, as they are in the state at hand.
    key: Vec<u8>,
    movers: Vec<Mover>,
    rows: Vec<u32>,
    /// For each process those that it has to do with, where that is known.
    minded: Vec<Option<u64>>,
}

/// Who makes a step: the processes that take part, as bits; who begins, with which transition; and who answers.
#[derive(Clone, Copy)]
struct Mover {
    who: u64,
    pid: usize,
    transition: usize,
    partner: Option<(usize, usize)>,
}

impl Choice {
    /// Goes to the setting with this shape and the key at hand, a new one with these names if need be.
    fn settle(&mut self, shape: u32, names: impl FnOnce() -> Vec<Vec<u32>>) {
        let is_it = |setting: &Setting| setting.shape == shape && *setting.key == *self.key;
        if self.settings.get(self.recent).is_some_and(is_it) {
            return;
        }
        self.recent = self.settings.iter().position(is_it).unwrap_or_else(|| {
            if self.settings.iter().map(Setting::size).sum::<usize>() > MOST_ROWS {
                self.settings.clear();
            }
            self.settings.push(Setting::new(shape, &self.key, names()));
            self.settings.len() - 1
        });
    }

    /// The processes that have to be in a set with one of them: all that those inside have to do with.
    fn close(&mut self, state: &[u8], seed: usize) -> u64 {
        let setting = &self.settings[self.recent];
        let (mut set, mut todo) = (1u64 << seed, 1u64 << seed);
        while todo != 0 {
            let pid = todo.trailing_zeros() as usize;
            todo &= todo - 1;
            let minded = *self.minded[pid].get_or_insert_with(|| setting.minded(state, &self.rows, pid));
            todo |= minded & !set;
            set |= minded;
        }
        set
    }
}

impl Futures {
    /// Chooses steps that suffice, of those that a state has, which are those from a number on: `chosen` says for each
    /// whether it is one of them; before, whether it leads on, as one of them has to. False if it takes all of them.
    pub(crate) fn choose(
        &self,
        program: &Program,
        (number, shape): (u32, &Shape),
        state: &[u8],
        (out, first): (&Successors, usize),
        choice: &mut Choice,
        chosen: &mut Vec<bool>,
    ) -> bool {
        let (count, steps) = (shape.count(), out.len() - first);
        if self.unknown || steps < 2 || !(2..=64).contains(&count) {
            return false;
        }
        choice.movers.clear();
        let mut beginners = 0u64;
        for index in first..out.len() {
            let (pid, transition, partner) = parts_of(out.step(index));
            let kind = shape.kind(pid) as usize;
            if out.state(index).is_none() || out.fault(index).is_some() || self.timeouts[kind][transition] {
                return false;
            }
            let who = 1u64 << pid | partner.map_or(0, |(pid, _)| 1 << pid);
            choice.movers.push(Mover { who, pid, transition, partner });
            beginners |= 1 << pid;
        }
        choice.key.clear();
        for pid in 0..count {
            for place in &self.constants[shape.kind(pid) as usize] {
                let (from, to) = (shape.bodies[pid] + place.start, shape.bodies[pid] + place.end);
                choice.key.extend_from_slice(&state[from as usize..to as usize]);
            }
        }
        choice.settle(number, || self.names_in(program, shape, state));
        choice.rows.clear();
        let setting = &mut choice.settings[choice.recent];
        choice.rows.extend(
            (0..count).map(|pid| setting.at((self, program, shape), pid, location(program, shape, state, pid))),
        );
        choice.minded.clear();
        choice.minded.resize(count, None);
        let mut best: Option<(usize, u64)> = None;
        while beginners != 0 {
            let seed = beginners.trailing_zeros() as usize;
            beginners &= beginners - 1;
            let set = choice.close(state, seed);
            let (movers, setting) = (&choice.movers, &mut choice.settings[choice.recent]);
            let inside = || movers.iter().filter(|mover| mover.who & set != 0);
            let number = inside().count();
            // A handshake with somebody outside cannot be: those who could take part are inside.
            let closed = inside().all(|mover| mover.who & !set == 0);
            let goes_on = movers.iter().zip(&*chosen).any(|(mover, leads_on)| *leads_on && mover.who & set != 0);
            let few = number < steps && best.is_none_or(|(least, _)| number <= least);
            let mut asked = |pid, transition| setting.is_asked_about((self, program, shape), pid, transition);
            // Where the goal asks where processes are, every step that moves one is asked about.
            let seen = |mover: &Mover| {
                asked(mover.pid, mover.transition)
                    || mover.partner.is_some_and(|(pid, transition)| asked(pid, transition))
            };
            if closed && goes_on && few && !inside().any(seen) {
                best = Some((number, set));
            }
        }
        let Some((_, set)) = best else { return false };
        chosen.clear();
        chosen.extend(choice.movers.iter().map(|mover| mover.who & set != 0));
        true
    }

    /// For each process the names of the channels that its kind names.
    #[cold]
    fn names_in(&self, program: &Program, shape: &Shape, state: &[u8]) -> Vec<Vec<u32>> {
        let of_process = |pid: usize| {
            let trouble = Cell::new(None);
            let view = View::new(program, state, shape, pid, false, &trouble);
            let names = self.named[shape.kind(pid) as usize].iter();
            names.map(|&name| u32::try_from(view.eval(&self.names[name as usize])).unwrap_or(0)).collect()
        };
        (0..shape.count()).map(of_process).collect()
    }
}

/// Where a process is.
fn location(program: &Program, shape: &Shape, state: &[u8], pid: usize) -> usize {
    let at = shape.bodies[pid] as usize;
    let wide = program.processes[shape.kind(pid) as usize].wide_pc;
    state[at] as usize | if wide { (state[at + 1] as usize) << 8 } else { 0 }
}
