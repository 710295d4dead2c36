//! The visibility condition for processes: whether a step may change what the goal reads.

use super::access_masks::{dependent_kinds, kind_in_any_state, mask};
use super::context::ProcessContext;
use super::dependency::DependencyTables;
use tightrope_ir::effects::processes::{SharedObject, StaticAccess};

impl DependencyTables {
    /// Whether the step of a process that begins with the transition of that number is visible.
    pub fn is_visible(&mut self, context: ProcessContext<'_>, pid: usize, number: usize) -> bool {
        if context.effects.goal_reads.is_empty() {
            return false;
        }
        if let Some(&Some(is_visible)) = self.visible[pid].get(number) {
            return is_visible;
        }
        let is_visible = self.changes_goal(context, pid, number);
        let visible = &mut self.visible[pid];
        visible.resize(visible.len().max(number + 1), None);
        visible[number] = Some(is_visible);
        is_visible
    }

    fn changes_goal(&self, context: ProcessContext<'_>, pid: usize, number: usize) -> bool {
        let kind = context.layout.kind(pid) as usize;
        let resolved = |access: StaticAccess| self.resolved(context, pid, access);
        let goal_reads: Vec<StaticAccess> = context.effects.goal_reads.iter().copied().flat_map(resolved).collect();
        let step = context.effects.transitions[kind][number].step.iter();
        let mut accesses = step.flat_map(|&(access, _)| resolved(access));
        accesses.any(|(accessed, how)| {
            let kinds = dependent_kinds(kind_in_any_state(how));
            goal_reads.iter().any(|&(read, how)| match (accessed, read) {
                (SharedObject::All, _) | (_, SharedObject::All) => true,
                (SharedObject::AnyChannel, other) | (other, SharedObject::AnyChannel) => {
                    other.is_channel() && kinds & mask(how) != 0
                }
                (one, other) => one == other && kinds & mask(how) != 0,
            })
        })
    }
}
