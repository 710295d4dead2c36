//! Whether the footprint of a step lies within the static effects of its transitions.

use super::StaticEffects;
use super::choice::location;
use super::setting::{Setting, World};
use std::collections::BTreeSet;
use tightrope_core::{Footprints, How, Mark, Model, Successors, Thing};
use tightrope_ir::effects::parts::{Part, extent, of_action, of_expr, of_monitor};
use tightrope_ir::effects::processes::{Access, AccessKind, Shared};
use tightrope_ir::machine::parts_of;
use tightrope_ir::shape::Shapes;
use tightrope_ir::{Base, Program, Variable};

/// The bytes of the declared variables: of the global ones, and of those of each kind of process.
pub struct Places {
    globals: Vec<(u32, u32, u32)>,
    own: Vec<Vec<(u32, u32, u32)>>,
}

impl Places {
    /// Where the variables of a program lie, as far as its text mentions them.
    pub fn new(program: &Program) -> Places {
        let mut places = Places { globals: Vec::new(), own: vec![Vec::new(); program.processes.len()] };
        for (kind, process) in program.processes.iter().enumerate() {
            let mut look = |part: Part<'_>| {
                if let Part::Reads(variable) | Part::Writes(variable) = part {
                    places.add(kind, variable);
                }
            };
            process.transitions.iter().for_each(|transition| of_action(&transition.action, &mut look));
            process.initialisers.iter().for_each(|action| of_action(action, &mut look));
            process.provided.iter().for_each(|provided| of_expr(provided, &mut look));
            program.monitor.iter().for_each(|monitor| of_monitor(monitor, &mut look));
        }
        places
    }

    fn add(&mut self, kind: usize, variable: &Variable) {
        let place = extent(variable);
        let list = match &variable.base {
            Base::Global => &mut self.globals,
            Base::Own => &mut self.own[kind],
            Base::Process(_, other) => &mut self.own[*other as usize],
            Base::Frame | Base::At(_) => return,
        };
        let entry = (place.start, place.end, variable.declared);
        if !list.contains(&entry) {
            list.push(entry);
        }
    }

    fn declared(list: &[(u32, u32, u32)], start: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
        list.iter().filter(move |(from, to, _)| start < *to && *from < end).map(|(_, _, declared)| *declared)
    }
}

impl StaticEffects {
    /// Checks the footprints of all steps of a state.
    pub fn check_footprints(
        &self,
        program: &Program,
        places: &Places,
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let (mut out, mut prints, mut shapes) = (Successors::new(), Footprints::new(), Shapes::default());
        if self.unknown || !model.successors_with_footprints(state, &mut out, &mut prints) {
            return Ok(());
        }
        let Some(number) = shapes.find(program, state) else { return Ok(()) };
        let world = World { effects: self, program, shape: shapes.get(number) };
        let setting = Setting::new(number, &[], self.names_in(world, state));
        for index in 0..out.len() {
            let (pid, transition, partner) = parts_of(out.step(index));
            // Answers of one process to one send have their footprint in common.
            let alike = out.steps().map(parts_of).filter(|&(other, sending, answer)| {
                (other, sending) == (pid, transition)
                    && answer.map(|answer| answer.0) == partner.map(|partner| partner.0)
            });
            let answers = alike.filter_map(|(_, _, answer)| answer);
            let movers: Vec<(usize, usize)> = std::iter::once((pid, transition)).chain(answers).collect();
            let mut accesses: BTreeSet<Access> = BTreeSet::new();
            for &(pid, transition) in &movers {
                let kind = world.shape.kind(pid) as usize;
                for &(access, _) in &self.transitions[kind][transition].step {
                    accesses.extend(setting.resolved(world, pid, access));
                }
            }
            // Which of its receives fits is found out by looking at all of them.
            if let Some((partner, _)) = partner {
                let kind = world.shape.kind(partner) as usize;
                let process = &program.processes[kind];
                let siblings = process.locations.get(location(world, state, partner));
                for sibling in siblings.map_or(0..0, |location| location.transitions()) {
                    let step = self.transitions[kind][sibling].step.iter();
                    let reads = step.flat_map(|&(access, _)| setting.resolved(world, partner, access));
                    accesses.extend(reads.map(|(shared, _)| (shared, AccessKind::Read)));
                }
            }
            let within = Within { world, places, accesses: &accesses, movers: &movers };
            // What has read everything has read what it says besides.
            let marks = prints.of(index);
            let all = marks.iter().any(|mark| mark.thing == Thing::All);
            let matters = |mark: &&Mark| !(all && mark.how == How::Read);
            if let Some(mark) = marks.iter().filter(matters).find(|mark| !within.covers(**mark)) {
                let process = &program.processes[world.shape.kind(pid) as usize];
                let text = &process.transitions[transition].text;
                return Err(format!(
                    "`{}[{pid}] {text}` has {mark:?} in its footprint, but not in {accesses:?}",
                    process.name
                ));
            }
        }
        Ok(())
    }
}

/// The static effects of a step.
struct Within<'a> {
    world: World<'a>,
    places: &'a Places,
    accesses: &'a BTreeSet<Access>,
    movers: &'a [(usize, usize)],
}

impl Within<'_> {
    fn has(&self, shared: Shared, how: How) -> bool {
        let fits = |kind: AccessKind| match how {
            How::Read => true,
            How::Write => kind == AccessKind::Write,
            How::Send => matches!(kind, AccessKind::Write | AccessKind::Send),
            How::Receive => matches!(kind, AccessKind::Write | AccessKind::Receive),
        };
        let same =
            |one: Shared| one == shared || one == Shared::All || one == Shared::AnyChannel && shared.is_channel();
        self.accesses.iter().any(|&(one, kind)| same(one) && fits(kind))
    }

    fn meets(&self) -> bool {
        self.accesses.iter().any(|(_, kind)| *kind == AccessKind::Meet)
    }

    fn covers(&self, Mark { thing, how }: Mark) -> bool {
        let program = self.world.program;
        match thing {
            // Said where a step depends on who is ready, or on a timeout: more than it really does.
            Thing::All => how == How::Read,
            Thing::Processes => self.has(Shared::Processes, how),
            Thing::Channel(name) => self.has(Shared::Channel(name), how),
            Thing::Shared(start, end) => {
                let monitor = program.monitor.as_ref().is_some_and(|monitor| monitor.offset == start);
                monitor && self.has(Shared::Monitor, how)
                    || Places::declared(&self.places.globals, start, end).next().is_some()
                        && Places::declared(&self.places.globals, start, end)
                            .all(|declared| self.has(Shared::Global(declared), how))
            }
            Thing::Own(pid, start, end) => {
                let pid = pid as usize;
                if pid >= self.world.shape.count() {
                    return self.has(Shared::Processes, How::Write);
                }
                let kind = self.world.shape.kind(pid);
                let moves = self.movers.iter().any(|(mover, _)| *mover == pid) || self.meets();
                let remote = |declared: u32| self.has(Shared::Remote(kind, declared), how);
                let location = start == 0 && self.has(Shared::Location(kind), how);
                moves || location || Places::declared(&self.places.own[kind as usize], start, end).any(remote)
            }
        }
    }
}
