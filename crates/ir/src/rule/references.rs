//! Validation of references: what is accessed through a slot that holds a place lies within memory.
//!
//! An access through a slot must not go beyond the end of the state or frame that the place lies in, however often the
//! place is passed on. So there is, for every slot, what its uses *need* behind the place, and for every place that is
//! put into a slot, how much *room* is behind it.

use crate::rule::rule_set::RuleSet;
use crate::{Argument, Call};
use std::collections::HashSet;

/// Where a place goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ReferenceTarget {
    /// A slot of the same rule or routine.
    Slot(u32),
    /// A parameter of a routine.
    Parameter(u32, u32),
}

/// What one rule or routine does with places.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// The slots that certainly hold a place at this point of the text.
    pub bound: HashSet<u32>,
    /// So many bytes are used behind the place in a slot.
    used: Vec<(u32, u64)>,
    /// A place so many bytes behind that in a slot goes somewhere.
    handed_on: Vec<(u32, u64, ReferenceTarget)>,
    /// A place with so much room behind it goes somewhere.
    made: Vec<(u64, ReferenceTarget)>,
}

impl References {
    /// The first parameters hold places.
    pub fn of_routine(params: &[bool]) -> References {
        let places = (0..).zip(params).filter(|(_, place)| **place).map(|(slot, _)| slot);
        References { bound: places.collect(), ..References::default() }
    }

    /// So many bytes behind the place in a slot are used.
    pub fn uses(&mut self, slot: u32, bytes: u64) -> Result<(), String> {
        if !self.bound.contains(&slot) {
            return Err(format!("slot {slot} holds no place where it is used as one"));
        }
        self.used.push((slot, bytes));
        Ok(())
    }

    /// A place goes somewhere: one behind that in a slot, or one with so much room.
    pub fn hands(&mut self, from: Option<u32>, bytes: u64, to: ReferenceTarget) {
        match from {
            Some(slot) => self.handed_on.push((slot, bytes, to)),
            None => self.made.push((bytes, to)),
        }
    }
}

/// Which parameters of each routine are places. All calls of a routine must agree; a routine that is never called is
/// not executed, so any of its slots may hold one.
pub(crate) fn parameters(rules: &RuleSet, calls: &[&Call]) -> Result<Vec<Vec<bool>>, String> {
    let mut known: Vec<Option<Vec<bool>>> = vec![None; rules.routines.len()];
    for call in calls {
        let kinds: Vec<bool> = call.args.iter().map(|argument| !matches!(argument, Argument::Value(_))).collect();
        let routine = rules.routines.get(call.routine as usize).ok_or("a routine that is not there")?;
        match &mut known[call.routine as usize] {
            Some(known) if *known != kinds => return Err(format!("`{}` is called in different ways", routine.name)),
            known => *known = Some(kinds),
        }
    }
    let never = |(known, routine): (Option<Vec<bool>>, &crate::Routine)| {
        known.unwrap_or_else(|| vec![true; routine.slots as usize])
    };
    Ok(known.into_iter().zip(&rules.routines).map(never).collect())
}

/// Checks that there is room for all accesses. `all` has the routines first, by number.
pub(crate) fn check(all: &[References], most: u64) -> Result<(), String> {
    let mut needs: Vec<std::collections::HashMap<u32, u64>> = vec![Default::default(); all.len()];
    for (places, needs) in all.iter().zip(&mut needs) {
        for &(slot, bytes) in &places.used {
            let need = needs.entry(slot).or_default();
            *need = bytes.max(*need);
        }
    }
    let need = |needs: &[std::collections::HashMap<u32, u64>], here: usize, to: ReferenceTarget| match to {
        ReferenceTarget::Slot(slot) => needs[here].get(&slot).copied().unwrap_or(0),
        ReferenceTarget::Parameter(routine, slot) => {
            needs.get(routine as usize).and_then(|needs| needs.get(&slot)).copied().unwrap_or(0)
        }
    };
    // Needs are propagated back to where places come from, to a fixed point. A need that grows with every round exceeds
    // `most` and ends it.
    loop {
        let mut changed = false;
        for (here, places) in all.iter().enumerate() {
            for &(slot, bytes, to) in &places.handed_on {
                let wanted = match need(&needs, here, to) {
                    0 => 0,
                    need => bytes + need,
                };
                if wanted > most {
                    return Err(format!("{wanted} bytes are used behind the place in slot {slot}"));
                }
                let known = needs[here].entry(slot).or_default();
                if wanted > *known {
                    (*known, changed) = (wanted, true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    for (here, places) in all.iter().enumerate() {
        for &(room, to) in &places.made {
            let need = need(&needs, here, to);
            if need > room {
                return Err(format!("{need} bytes are used behind a place with room for {room}"));
            }
        }
    }
    Ok(())
}
