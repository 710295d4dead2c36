//! Whether the footprint of a step lies within the static effects of its transitions.

use crate::processes::{DependencyTables, ProcessContext, ProcessEffects, location};
use std::collections::BTreeSet;
use tightrope_core::{Access, AccessKind, Footprints, Model, Resource, Successors};
use tightrope_ir::effects::operations::{Operation, extent, of_action, of_expr, of_monitor};
use tightrope_ir::effects::processes::{SharedObject, StaticAccess, StaticAccessKind};
use tightrope_ir::process::{ProcessLayouts, transitions_of};
use tightrope_ir::{Base, Program, Variable};

/// The bytes of a declared variable: where they begin and end, and which variable it is.
type VariableExtent = (u32, u32, u32);

/// The bytes of the declared variables: of the global ones, and of those of each kind of process.
pub struct VariableExtents {
    globals: Vec<VariableExtent>,
    own: Vec<Vec<VariableExtent>>,
}

impl VariableExtents {
    /// Those of all variables that the text of a program mentions.
    pub fn new(program: &Program) -> VariableExtents {
        let mut extents = VariableExtents { globals: Vec::new(), own: vec![Vec::new(); program.processes.len()] };
        for (kind, process) in program.processes.iter().enumerate() {
            let mut look = |part: Operation<'_>| {
                if let Operation::Reads(variable) | Operation::Writes(variable) = part {
                    extents.add(kind, variable);
                }
            };
            process.transitions.iter().for_each(|transition| of_action(&transition.action, &mut look));
            process.initialisers.iter().for_each(|action| of_action(action, &mut look));
            process.provided.iter().for_each(|provided| of_expr(provided, &mut look));
            program.monitor.iter().for_each(|monitor| of_monitor(monitor, &mut look));
        }
        extents
    }

    fn add(&mut self, kind: usize, variable: &Variable) {
        let bytes = extent(variable);
        let list = match &variable.base {
            Base::Global => &mut self.globals,
            Base::Own => &mut self.own[kind],
            Base::Process(_, other) => &mut self.own[*other as usize],
            Base::Frame | Base::At(_) => return,
        };
        let entry = (bytes.start, bytes.end, variable.declared);
        if !list.contains(&entry) {
            list.push(entry);
        }
    }

    /// The variables that have a byte in a range.
    fn declared(list: &[VariableExtent], start: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
        list.iter().filter(move |(from, to, _)| start < *to && *from < end).map(|(_, _, declared)| *declared)
    }
}

impl ProcessEffects {
    /// Checks the footprints of all steps of a state.
    pub fn audit_footprints(
        &self,
        program: &Program,
        extents: &VariableExtents,
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let (mut steps, mut footprints) = (Successors::new(), Footprints::new());
        if self.all_dependent || !model.successors_with_footprints(state, &mut steps, &mut footprints) {
            return Ok(());
        }
        let mut layouts = ProcessLayouts::default();
        let Some(number) = layouts.find(program, state) else { return Ok(()) };
        let context = ProcessContext { effects: self, program, layout: layouts.get(number) };
        let tables = DependencyTables::new(number, &[], context.bound_channels(state));
        for index in 0..steps.len() {
            let (pid, transition, partner) = transitions_of(steps.step(index));
            // The receives of one process that match one send have their footprint in common.
            let alike = steps.steps().map(transitions_of).filter(|&(other, sending, receiver)| {
                (other, sending) == (pid, transition) && receiver.map(|(pid, _)| pid) == partner.map(|(pid, _)| pid)
            });
            let receivers = alike.filter_map(|(_, _, receiver)| receiver);
            let movers: Vec<(usize, usize)> = std::iter::once((pid, transition)).chain(receivers).collect();
            let mut accesses: BTreeSet<StaticAccess> = BTreeSet::new();
            for &(pid, transition) in &movers {
                let kind = context.layout.kind(pid) as usize;
                for &(access, _) in &self.transitions[kind][transition].step {
                    accesses.extend(tables.resolved(context, pid, access));
                }
            }
            // To find the receive that matches, all receives of the partner are evaluated.
            if let Some((partner, _)) = partner {
                let kind = context.layout.kind(partner) as usize;
                let process = &program.processes[kind];
                let siblings = process.locations.get(location(context, state, partner));
                for sibling in siblings.map_or(0..0, |location| location.transitions()) {
                    let step = self.transitions[kind][sibling].step.iter();
                    let reads = step.flat_map(|&(access, _)| tables.resolved(context, partner, access));
                    accesses.extend(reads.map(|(shared, _)| (shared, StaticAccessKind::Read)));
                }
            }
            let declared = DeclaredEffects { context, extents, accesses: &accesses, movers: &movers };
            // A footprint that reads everything need not have its other reads declared.
            let footprint = footprints.of(index);
            let reads_all = footprint.iter().any(|access| access.resource == Resource::All);
            let counts = |access: &&Access| !(reads_all && access.kind == AccessKind::Read);
            if let Some(access) = footprint.iter().filter(counts).find(|access| !declared.covers(**access)) {
                let process = &program.processes[context.layout.kind(pid) as usize];
                let text = &process.transitions[transition].text;
                return Err(format!(
                    "`{}[{pid}] {text}` has {access:?} in its footprint, but not in {accesses:?}",
                    process.name
                ));
            }
        }
        Ok(())
    }
}

/// The static effects of a step.
struct DeclaredEffects<'a> {
    context: ProcessContext<'a>,
    extents: &'a VariableExtents,
    accesses: &'a BTreeSet<StaticAccess>,
    /// The processes that take part in it, and their transitions.
    movers: &'a [(usize, usize)],
}

impl DeclaredEffects<'_> {
    /// Whether an access to an object is declared.
    fn has(&self, shared: SharedObject, observed: AccessKind) -> bool {
        let allows = |kind: StaticAccessKind| match observed {
            AccessKind::Read => true,
            AccessKind::Write => kind == StaticAccessKind::Write,
            AccessKind::Send => matches!(kind, StaticAccessKind::Write | StaticAccessKind::Send),
            AccessKind::Receive => matches!(kind, StaticAccessKind::Write | StaticAccessKind::Receive),
        };
        let includes = |one: SharedObject| {
            one == shared || one == SharedObject::All || one == SharedObject::AnyChannel && shared.is_channel()
        };
        self.accesses.iter().any(|&(one, kind)| includes(one) && allows(kind))
    }

    /// Whether other processes may take part in a handshake in the middle of the step.
    fn has_inner_handshake(&self) -> bool {
        self.accesses.iter().any(|(_, kind)| *kind == StaticAccessKind::Meet)
    }

    /// Whether an access of the footprint is declared.
    fn covers(&self, Access { resource, kind }: Access) -> bool {
        let program = self.context.program;
        match resource {
            // Footprints have it where a step depends on a partner or on a timeout: more than the step reads.
            Resource::All => kind == AccessKind::Read,
            Resource::Processes => self.has(SharedObject::Processes, kind),
            Resource::Channel(name) => self.has(SharedObject::Channel(name), kind),
            Resource::Shared(start, end) => {
                let is_monitor = program.monitor.as_ref().is_some_and(|monitor| monitor.offset == start);
                let declared = || VariableExtents::declared(&self.extents.globals, start, end);
                is_monitor && self.has(SharedObject::Monitor, kind)
                    || declared().next().is_some()
                        && declared().all(|declared| self.has(SharedObject::Global(declared), kind))
            }
            Resource::Own(pid, start, end) => {
                let pid = pid as usize;
                if pid >= self.context.layout.count() {
                    return self.has(SharedObject::Processes, AccessKind::Write);
                }
                let of = self.context.layout.kind(pid);
                let moves = self.movers.iter().any(|(mover, _)| *mover == pid) || self.has_inner_handshake();
                let is_remote = |declared: u32| self.has(SharedObject::Remote(of, declared), kind);
                let is_location = start == 0 && self.has(SharedObject::Location(of), kind);
                let mut declared = VariableExtents::declared(&self.extents.own[of as usize], start, end);
                moves || is_location || declared.any(is_remote)
            }
        }
    }
}
