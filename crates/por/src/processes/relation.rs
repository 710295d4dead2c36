//! The structural transitions of the processes in a state, and the relations between them.
//!
//! A transition is numbered among all transitions that start from the present locations, process after process.

use super::ProcessEffects;
use super::context::{ProcessContext, location};
use super::dependency::DependencyTables;
use super::necessary_enabling::DisabledBy;
use crate::audit::RelationAudit;
use crate::stubborn::{Closure, DependencyRelation, Participants, TransitionId};
use tightrope_core::{Model, Step, Successors};
use tightrope_ir::Program;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::process::{ProcessLayouts, transitions_of};

/// So many locations are kept at most, in all tables.
const MOST_LOCATIONS: usize = 4096;

/// Tables from earlier states, and working space.
#[derive(Default)]
pub struct ProcessWorkspace {
    layouts: ProcessLayouts,
    tables: Vec<DependencyTables>,
    /// The number of the tables of the present state.
    current: usize,
    /// The bytes of the present state that decide which channels the processes use.
    channel_bytes: Vec<u8>,
    /// For each process the number of its location, and of its first transition; with the number of transitions at the end.
    locations: Vec<u32>,
    offsets: Vec<u32>,
    closure: Closure,
    /// For each disabled transition, if they were looked for, its causes: the number of the first, and how many.
    cause_ranges: Vec<Option<(u32, u32)>>,
    causes: Vec<DisabledBy>,
}

impl ProcessWorkspace {
    /// Finds the tables for a layout and the present bytes, or makes them, with the channels that those name.
    fn select_tables(&mut self, layout: u32, channels: impl FnOnce(&ProcessLayouts) -> Vec<Vec<u32>>) {
        let fit = |tables: &DependencyTables| tables.layout == layout && *tables.channel_bytes == *self.channel_bytes;
        if self.tables.get(self.current).is_some_and(fit) {
            return;
        }
        self.current = self.tables.iter().position(fit).unwrap_or_else(|| {
            if self.tables.iter().map(DependencyTables::location_count).sum::<usize>() > MOST_LOCATIONS {
                self.tables.clear();
            }
            self.tables.push(DependencyTables::new(layout, &self.channel_bytes, channels(&self.layouts)));
            self.tables.len() - 1
        });
    }
}

/// The relations between the transitions of a state.
pub struct ProcessRelation<'a> {
    pub(super) context: ProcessContext<'a>,
    pub(super) state: &'a [u8],
    pub(super) tables: &'a mut DependencyTables,
    pub(super) locations: &'a [u32],
    pub(super) offsets: &'a [u32],
    pub(super) cause_ranges: &'a mut Vec<Option<(u32, u32)>>,
    pub(super) causes: &'a mut Vec<DisabledBy>,
}

impl ProcessRelation<'_> {
    pub(super) fn transition_count(&self) -> usize {
        self.offsets.last().map_or(0, |&count| count as usize)
    }

    /// The process of a transition, and its position at the location of the process.
    pub(super) fn process_and_position(&self, transition: usize) -> (usize, usize) {
        let pid = self.offsets.partition_point(|&offset| offset as usize <= transition) - 1;
        (pid, transition - self.offsets[pid] as usize)
    }

    /// Adds all transitions that depend on an enabled one. Those of the same process do: they start from the same location.
    pub(super) fn add_all_dependent(&self, transition: usize, set: &mut Bits) {
        let (pid, position) = self.process_and_position(transition);
        set.insert_range(self.offsets[pid] as usize, self.offsets[pid + 1] as usize);
        self.tables.each_dependent(self.state, self.locations, (pid, position), |pid, position| {
            set.insert(self.offsets[pid] as usize + position);
        });
    }
}

impl DependencyRelation for ProcessRelation<'_> {
    fn count(&self) -> usize {
        self.transition_count()
    }

    fn add_dependent(&mut self, transition: usize, set: &mut Bits, _closed: &mut Bits) {
        self.add_all_dependent(transition, set);
    }

    fn add_necessary_enabling_set(&mut self, transition: usize, set: &mut Bits, enabled: &Bits) {
        self.add_smallest_enabling_set(transition, set, enabled);
    }

    fn necessary_enabling_sets(&mut self, transition: usize, enabled: &Bits) -> Vec<Bits> {
        self.all_enabling_sets(transition, enabled)
    }

    fn id(&self, transition: usize) -> TransitionId {
        let (pid, position) = self.process_and_position(transition);
        (pid as u32, self.tables.at(self.locations[pid]).number(position) as u32)
    }

    fn is_visible(&mut self, transition: usize) -> bool {
        let (pid, position) = self.process_and_position(transition);
        let number = self.tables.at(self.locations[pid]).number(position);
        self.tables.is_visible(self.context, pid, number)
    }
}

impl ProcessEffects {
    /// Calls `with` for a state whose steps are those from number `first` on. None where nothing can be left out: a step
    /// fails, or follows from a `timeout`, or too little is known.
    pub fn with_relation<T>(
        &self,
        program: &Program,
        workspace: &mut ProcessWorkspace,
        state: &[u8],
        (steps, first): (&Successors, usize),
        with: impl FnOnce(&mut Closure, &mut ProcessRelation<'_>) -> T,
    ) -> Option<T> {
        let number = workspace.layouts.find(program, state)?;
        let count = workspace.layouts.get(number).count();
        if self.all_dependent {
            return None;
        }
        workspace.channel_bytes.clear();
        let layout = workspace.layouts.get(number);
        for pid in 0..count {
            for range in &self.channel_bytes[layout.kind(pid) as usize] {
                let (from, to) = (layout.bodies[pid] + range.start, layout.bodies[pid] + range.end);
                workspace.channel_bytes.extend_from_slice(&state[from as usize..to as usize]);
            }
        }
        workspace.select_tables(number, |layouts| {
            ProcessContext { effects: self, program, layout: layouts.get(number) }.bound_channels(state)
        });
        let ProcessWorkspace { layouts, tables, current, locations, offsets, closure, cause_ranges, causes, .. } =
            workspace;
        let context = ProcessContext { effects: self, program, layout: layouts.get(number) };
        let tables = &mut tables[*current];
        locations.clear();
        offsets.clear();
        let mut transitions = 0;
        for pid in 0..count {
            let number = tables.location_number(context, pid, location(context, state, pid));
            locations.push(number);
            offsets.push(transitions);
            transitions += tables.at(number).len() as u32;
        }
        offsets.push(transitions);
        closure.steps.clear();
        for index in first..steps.len() {
            let (pid, number, partner) = transitions_of(steps.step(index));
            let timeout =
                |pid: usize, number: usize| self.transitions[context.layout.kind(pid) as usize][number].timeout;
            let fails = steps.state(index).is_none() || steps.fault(index).is_some();
            if fails || timeout(pid, number) || partner.is_some_and(|(pid, number)| timeout(pid, number)) {
                return None;
            }
            let transition =
                |pid: usize, number: usize| Some(offsets[pid] + tables.at(locations[pid]).position(number)? as u32);
            let initiator = transition(pid, number)?;
            let partner = partner.map_or(Some(initiator), |(pid, number)| transition(pid, number))?;
            closure.steps.push(Participants { initiator, partner, is_seed: true });
        }
        cause_ranges.clear();
        cause_ranges.resize(transitions as usize, None);
        causes.clear();
        let mut relation = ProcessRelation { context, state, tables, locations, offsets, cause_ranges, causes };
        Some(with(closure, &mut relation))
    }

    /// Compares the relations between the transitions of a state with what its steps do.
    pub fn audit_relations(
        &self,
        program: &Program,
        workspace: &mut ProcessWorkspace,
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let mut steps = Successors::new();
        model.successors(state, &mut steps);
        let kinds = program.schema.fixed_size as usize + 1;
        let process = |pid: usize| &program.processes[state[kinds + pid] as usize];
        let participants = |step: Step| {
            let (pid, number, partner) = transitions_of(step);
            let (other, receive) = partner.unwrap_or((pid, number));
            [(pid as u32, number as u32), (other as u32, receive as u32)]
        };
        // None for a transition of a process that was started by the step before.
        let effects = |(pid, number): TransitionId| {
            let kind = state.get(kinds + pid as usize).filter(|_| (pid as usize) < state[kinds - 1] as usize);
            kind.and_then(|&kind| self.transitions[kind as usize].get(number as usize))
        };
        let has_timeout = |steps: &Successors| {
            let mut ids = steps.steps().flat_map(participants);
            ids.any(|id| effects(id).is_none_or(|effects| effects.timeout))
        };
        let describe = |(pid, number): TransitionId| {
            let process = process(pid as usize);
            format!("{}[{pid}] {}", process.name, process.transitions[number as usize].text)
        };
        self.with_relation(program, workspace, state, (&steps, 0), |closure, relation| {
            let audit = RelationAudit {
                model,
                steps: &steps,
                participants: &participants,
                has_timeout: &has_timeout,
                describe: &describe,
            };
            audit.check(closure, relation)
        })
        .unwrap_or(Ok(()))
    }
}
