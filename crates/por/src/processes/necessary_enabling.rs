//! Necessary enabling sets of processes.
//!
//! A disabled transition has one for each cause that it is disabled by: for a false conjunct of its guard, all transitions whose
//! future may make it true; for an enabled transition of the same process that preempts it (`else`, `unless`), that one.

use super::access_masks::{ChannelCondition, enabling_kinds};
use super::context::ProcessContext;
use super::dependency::{DependencyTables, FutureAccesses, LocationTransitions, ObjectMask};
use super::relation::ProcessRelation;
use std::cell::Cell;
use std::ops::Range;
use tightrope_ir::Expr;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::processes::{Conjunct, SharedObject};
use tightrope_ir::process::ProcessView;

/// A conjunct of the guard of a transition.
pub struct GuardConjunct {
    /// Its number among the conjuncts, where it is an expression.
    test: Option<u32>,
    /// The accesses of others that may make it true.
    reads: Vec<ObjectMask>,
    reads_all: bool,
    /// It reads a variable that only the process itself writes.
    reads_private: bool,
    may_fail: bool,
}

impl GuardConjunct {
    /// Whether a future may make it true.
    fn may_be_enabled_by(&self, state: &[u8], future: &FutureAccesses) -> bool {
        future.accesses_all || self.reads_all || self.reads.iter().any(|one| one.meets(state, future))
    }
}

/// Why a transition is disabled.
#[derive(Clone, Copy, Debug)]
pub enum DisabledBy {
    /// A conjunct of its guard is false: its number.
    Conjunct(u32),
    /// Another transition of its process is enabled.
    Preemption(u32),
}

impl LocationTransitions {
    /// Whether a transition is enabled only where another one of the process is disabled. None if that is not known.
    fn is_preempted_by(&self, one: usize, other: usize) -> Option<bool> {
        let (preempted, preempting) = (&self.transitions[one], &self.transitions[other]);
        let is_escape = preempting.escape != 0 && preempting.escape != preempted.escape && other < one;
        if one == other || !preempted.is_else && !is_escape {
            return Some(false);
        }
        // As in SPIN, a send without a receiver enables again what an escape before it preempted.
        if is_escape && self.transitions[other + 1..one].iter().any(|between| between.may_send_handshake) {
            return None;
        }
        // The sender begins a handshake. So the receiving side is not preempted by what is no receiving side, nor preempts it.
        // Where both are receiving sides, the same sends enable them.
        match (preempted.receives_handshake, preempting.receives_handshake) {
            (Some(true), _) | (_, Some(true)) => Some(false),
            (Some(false), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// The conjuncts of a transition: the number of the expression, where it is one.
    fn tests(&self, position: usize) -> impl Iterator<Item = Option<u32>> + '_ {
        self.transitions[position].guard.iter().map(|conjunct| conjunct.test)
    }
}

impl DependencyTables {
    pub(super) fn guard_conjunct(
        &mut self,
        context: ProcessContext<'_>,
        pid: usize,
        conjunct: &Conjunct,
        test: Option<u32>,
        may_fail: bool,
    ) -> GuardConjunct {
        let mut made = GuardConjunct { test, reads: Vec::new(), reads_all: false, reads_private: false, may_fail };
        for &access in conjunct.reads.iter().chain(&conjunct.fields) {
            for (shared, how) in self.resolved(context, pid, access) {
                match shared {
                    SharedObject::All => made.reads_all = true,
                    SharedObject::Private => made.reads_private = true,
                    _ => {
                        let is_buffered = context.message_count(shared).is_some();
                        let mask = self.object_mask(context, shared, how, |has_room, has_message| {
                            let channel = ChannelCondition { is_buffered, has_room, has_message };
                            enabling_kinds(how, shared.is_channel().then_some(channel))
                        });
                        made.reads.extend(mask);
                    }
                }
            }
        }
        made
    }

    /// Calls `each` with the transitions that may make a false conjunct of a disabled transition true, or may make evaluating
    /// a conjunct before it fail: with the process and the position at its location.
    fn each_enabling(
        &self,
        state: &[u8],
        locations: &[u32],
        (pid, position): (usize, usize),
        conjunct: usize,
        mut each: impl FnMut(usize, usize),
    ) {
        let guard = &self.at(locations[pid]).transitions[position].guard;
        let before = guard[..conjunct].iter().filter(|conjunct| conjunct.may_fail);
        for conjunct in before.chain([&guard[conjunct]]) {
            for (other, &number) in locations.iter().enumerate() {
                let location = self.at(number);
                let may_enable = |future: &FutureAccesses| {
                    conjunct.may_be_enabled_by(state, future) || other == pid && conjunct.reads_private
                };
                if may_enable(&location.future) {
                    for (position, one) in location.transitions.iter().enumerate() {
                        if may_enable(&one.future) {
                            each(other, position);
                        }
                    }
                }
            }
        }
    }
}

impl ProcessRelation<'_> {
    /// Why a transition is disabled: a range of the causes. None of them where that is not known.
    fn causes_of(&mut self, transition: usize, enabled: &Bits) -> Range<usize> {
        if let Some((start, count)) = self.cause_ranges[transition] {
            return start as usize..(start + count) as usize;
        }
        let start = self.causes.len();
        self.find_causes(transition, enabled);
        let count = self.causes.len() - start;
        self.cause_ranges[transition] = Some((start as u32, count as u32));
        start..start + count
    }

    fn find_causes(&mut self, transition: usize, enabled: &Bits) {
        let (pid, position) = self.process_and_position(transition);
        let start = self.causes.len();
        let kind = self.context.layout.kind(pid) as usize;
        let location = self.tables.at(self.locations[pid]);
        let first = self.offsets[pid] as usize;
        for other in (0..location.len()).filter(|&other| enabled.contains(first + other)) {
            match location.is_preempted_by(position, other) {
                Some(true) => self.causes.push(DisabledBy::Preemption((first + other) as u32)),
                Some(false) => {}
                None => {
                    self.causes.truncate(start);
                    return;
                }
            }
        }
        let guard = &self.context.effects.transitions[kind][location.number(position)].guard;
        let mut without_test = None;
        for (number, test) in location.tests(position).enumerate() {
            let Some(test) = test else {
                without_test = Some(number);
                continue;
            };
            let Some(expr) = &guard[test as usize].0.test else { continue };
            // Where there is one conjunct and no other cause, it must be false.
            let is_alone = location.tests(position).count() == 1 && self.causes.len() == start;
            if is_alone || is_false(self.context, self.state, pid, expr) {
                self.causes.push(DisabledBy::Conjunct(number as u32));
            }
        }
        let is_else = location.transitions[position].is_else;
        if let Some(number) = without_test.filter(|_| self.causes.len() == start && !is_else) {
            self.causes.push(DisabledBy::Conjunct(number as u32));
        }
    }

    /// Adds the necessary enabling set that belongs to a cause.
    fn add_enabling(&self, transition: usize, cause: DisabledBy, set: &mut Bits) {
        match cause {
            // What disables that one depends on it, and is added with it.
            DisabledBy::Preemption(other) => set.insert(other as usize),
            DisabledBy::Conjunct(conjunct) => {
                let at = self.process_and_position(transition);
                self.tables.each_enabling(self.state, self.locations, at, conjunct as usize, |pid, position| {
                    set.insert(self.offsets[pid] as usize + position);
                });
            }
        }
    }

    /// Adds a necessary enabling set: of those that there are, the one that adds the fewest enabled transitions, and then
    /// the fewest at all. Everything where no cause is known.
    pub(super) fn add_smallest_enabling_set(&mut self, transition: usize, set: &mut Bits, enabled: &Bits) {
        let causes = self.causes_of(transition, enabled);
        if causes.is_empty() {
            return set.insert_range(0, self.transition_count());
        }
        if causes.len() == 1 {
            return self.add_enabling(transition, self.causes[causes.start], set);
        }
        let mut smallest: Option<((usize, usize), Bits)> = None;
        for number in causes {
            let mut enabling = Bits::new(self.transition_count());
            self.add_enabling(transition, self.causes[number], &mut enabling);
            let (added, added_enabled) = enabling.missing(set, enabled);
            if smallest.as_ref().is_none_or(|(cost, _)| (added_enabled, added) < *cost) {
                smallest = Some(((added_enabled, added), enabling));
            }
        }
        if let Some((_, enabling)) = smallest {
            set.add(&enabling);
        }
    }

    /// The necessary enabling sets that belong to all known causes. That of a transition which preempts is it with all that
    /// depend on it.
    pub(super) fn all_enabling_sets(&mut self, transition: usize, enabled: &Bits) -> Vec<Bits> {
        let causes = self.causes_of(transition, enabled);
        let enabling_set = |number: usize| {
            let mut set = Bits::new(self.transition_count());
            let cause = self.causes[number];
            self.add_enabling(transition, cause, &mut set);
            if let DisabledBy::Preemption(other) = cause {
                self.add_all_dependent(other as usize, &mut set);
            }
            set
        };
        causes.map(enabling_set).collect()
    }
}

/// Whether an expression is zero in a state, for a process.
fn is_false(context: ProcessContext<'_>, state: &[u8], pid: usize, expr: &Expr) -> bool {
    let error = Cell::new(None);
    let view = ProcessView::new(context.program, state, context.layout, pid, false, &error);
    view.eval(expr) == 0 && !view.has_error()
}
