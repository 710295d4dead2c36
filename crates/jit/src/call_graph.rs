//! Bounds on the stack of functions that call each other.

use std::collections::HashMap;

/// The most bytes of local variables in one function, and of stack that functions which call each other take together,
/// recursion apart.
pub const MAX_FRAMES: u32 = 128 << 10;

/// Numbers below `count`, such that each comes after those that it leads to, apart from cycles.
pub fn callees_first(count: usize, leads_to: &[Vec<usize>]) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::new(), vec![false; count]);
    for start in 0..count {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        // No recursion: chains of calls may be long.
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let (at, callee) = (*at, leads_to[*at].get(*next).copied());
            *next += 1;
            match callee {
                Some(callee) if !std::mem::replace(&mut seen[callee], true) => path.push((callee, 0)),
                Some(_) => {}
                None => {
                    order.push(at);
                    path.pop();
                }
            }
        }
    }
    order
}

/// What a function takes of the stack, and what it calls.
#[derive(Debug, Default)]
pub struct StackFrame {
    /// Its bytes.
    pub bytes: u32,
    /// The functions that it calls.
    pub calls: Vec<u32>,
    /// It checks that there is stack left before it does anything.
    pub checks: bool,
}

/// Checks that functions take at most [`MAX_FRAMES`] of the stack from one that checks to the next.
pub fn bound(frames: &HashMap<u32, StackFrame>) -> Result<(), String> {
    let numbers: Vec<u32> = frames.keys().copied().collect();
    let places: HashMap<u32, usize> = numbers.iter().enumerate().map(|(at, &number)| (number, at)).collect();
    let frame = |at: usize| &frames[&numbers[at]];
    let leads_to: Vec<Vec<usize>> = (0..numbers.len())
        .map(|at| frame(at).calls.iter().filter_map(|callee| places.get(callee).copied()).collect())
        .collect();
    // What each takes with its callees, up to those that check.
    let mut taken = vec![0u64; numbers.len()];
    for at in callees_first(numbers.len(), &leads_to) {
        let below = |&callee: &usize| {
            let own = u64::from(frame(callee).bytes);
            if frame(callee).checks { own } else { taken[callee] }
        };
        let below = leads_to[at].iter().map(below).max().unwrap_or(0);
        taken[at] = below + u64::from(frame(at).bytes);
    }
    match taken.iter().max() {
        Some(&most) if most > u64::from(MAX_FRAMES) => {
            Err(format!("it is too large for machine code: functions would take {most} bytes of the stack"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(list: &[(u32, u32, &[u32], bool)]) -> HashMap<u32, StackFrame> {
        let frame = |&(number, bytes, calls, checks): &(u32, u32, &[u32], bool)| {
            (number, StackFrame { bytes, calls: calls.to_vec(), checks })
        };
        list.iter().map(frame).collect()
    }

    #[test]
    fn what_functions_take_together_is_bounded() {
        let half = MAX_FRAMES / 2;
        assert_eq!(bound(&frames(&[(0, half, &[1], false), (1, half, &[], false)])), Ok(()));
        assert!(bound(&frames(&[(0, half, &[1], false), (1, half + 1, &[], false)])).is_err());
        assert!(bound(&frames(&[(0, half, &[1], false), (1, 0, &[2], false), (2, half + 1, &[], false)])).is_err());
        // One that checks calls itself; what it calls besides still counts.
        assert_eq!(bound(&frames(&[(0, half, &[0], true)])), Ok(()));
        assert_eq!(bound(&frames(&[(0, half, &[0, 1], true), (1, half, &[0], true)])), Ok(()));
        assert!(bound(&frames(&[(0, half, &[0, 1], true), (1, half + 1, &[], false)])).is_err());
    }

    #[test]
    fn long_chains_of_calls_take_no_stack_of_the_compiler() {
        let count = 200_000;
        let chain: Vec<Vec<usize>> = (0..count).map(|at| if at + 1 < count { vec![at + 1] } else { vec![] }).collect();
        assert_eq!(callees_first(count, &chain)[0], count - 1);
    }
}
