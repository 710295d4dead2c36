//! Whether what is reached through slots that hold places lies where there is memory.
//!
//! A slot holds the place of a variable; what is used behind that place must not go beyond the end of what the variable
//! lies in, however often the place is handed on. So for every slot there is what its users *need* behind the place, and
//! for every place that is put into it what *room* there is.

use crate::rules::RuleSet;
use crate::{Argument, Call};
use std::collections::HashSet;

/// Where a place goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum To {
    /// A slot of the same rule or routine.
    Slot(u32),
    /// A parameter of a routine.
    Parameter(u32, u32),
}

/// What one rule or routine does with places.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The slots that hold a place for certain where the text is looked at.
    pub bound: HashSet<u32>,
    /// So many bytes are used behind the place in a slot.
    used: Vec<(u32, u64)>,
    /// A place so many bytes behind that in a slot goes somewhere.
    handed_on: Vec<(u32, u64, To)>,
    /// A place with so much room behind it goes somewhere.
    made: Vec<(u64, To)>,
}

impl Places {
    /// The first parameters hold places.
    pub fn of_routine(params: &[bool]) -> Places {
        let places = (0..).zip(params).filter(|(_, place)| **place).map(|(slot, _)| slot);
        Places { bound: places.collect(), ..Places::default() }
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
    pub fn hands(&mut self, from: Option<u32>, bytes: u64, to: To) {
        match from {
            Some(slot) => self.handed_on.push((slot, bytes, to)),
            None => self.made.push((bytes, to)),
        }
    }
}

/// Which parameters of each routine are places. All calls of a routine must agree; where there is none, any slot may hold one,
/// for nobody ever comes there.
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

/// Makes sure that there is room for all that is used. `all` has the routines first, by number.
pub(crate) fn check(all: &[Places], most: u64) -> Result<(), String> {
    let mut needs: Vec<std::collections::HashMap<u32, u64>> = vec![Default::default(); all.len()];
    for (places, needs) in all.iter().zip(&mut needs) {
        for &(slot, bytes) in &places.used {
            let need = needs.entry(slot).or_default();
            *need = bytes.max(*need);
        }
    }
    let need = |needs: &[std::collections::HashMap<u32, u64>], here: usize, to: To| match to {
        To::Slot(slot) => needs[here].get(&slot).copied().unwrap_or(0),
        To::Parameter(routine, slot) => {
            needs.get(routine as usize).and_then(|needs| needs.get(&slot)).copied().unwrap_or(0)
        }
    };
    // Needs are handed back to where places come from. A need that grows round after round is beyond everything soon.
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
