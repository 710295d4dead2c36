//! The steps of a run.

use crate::Step;
use std::collections::HashMap;
use std::fmt;

/// So many different steps have a number; others are written out.
const NUMBERED: usize = 4000;
/// The number that says that a step is written out.
const WRITTEN_OUT: u32 = NUMBERED as u32;
/// The bytes of a block.
const BLOCK: usize = 16 << 10;

/// The steps of a run, in order. A long run repeats the same steps many times: the first [`NUMBERED`] different ones have
/// numbers, and take one or two bytes each time; a step without a number takes fourteen.
#[derive(Clone, Default)]
pub struct Steps {
    numbers: HashMap<Step, u32>,
    numbered: Vec<Step>,
    blocks: Vec<Vec<u8>>,
    len: usize,
}

impl Steps {
    /// The bytes that a search keeps free for every step of its longest run: for a step that has a number, and for the position
    /// that it is made from, in a vector that grows.
    pub const ROOM: u64 = 6;
    /// What a step without a number ([`Steps::has_number_for`]) takes beyond that.
    pub const WRITTEN_OUT: u64 = 12;

    /// No steps.
    pub fn new() -> Steps {
        Steps::default()
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: Step) {
        let known = self.numbers.get(&step).copied();
        let number = known.unwrap_or_else(|| {
            if self.numbered.len() == NUMBERED {
                return WRITTEN_OUT;
            }
            let number = self.numbered.len() as u32;
            self.numbers.insert(step, number);
            self.numbered.push(step);
            number
        });
        if self.blocks.last().is_none_or(|block| block.len() + 14 > block.capacity()) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let block = self.blocks.last_mut().expect("there is one with room");
        match u8::try_from(number).ok().filter(|&number| number < 0x80) {
            Some(number) => block.push(number),
            None => block.extend([0x80 | (number >> 8) as u8, number as u8]),
        }
        if number == WRITTEN_OUT {
            block.extend(step.action.to_le_bytes());
            block.extend(step.choice.to_le_bytes());
        }
        self.len += 1;
    }

    /// Whether a step has a number, or would get one: whether it takes no more than two bytes.
    pub fn has_number_for(&self, step: Step) -> bool {
        self.numbered.len() < NUMBERED || self.numbers.contains_key(&step)
    }

    /// The bytes allocated for the steps, without the table of those that have numbers, which does not grow with the run.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().map(|block| block.capacity() as u64).sum()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The steps from the first to the last.
    pub fn iter(&self) -> Iter<'_> {
        Iter { steps: self, block: 0, at: 0 }
    }
}

/// Steps, one after the other.
#[derive(Clone)]
pub struct Iter<'s> {
    steps: &'s Steps,
    block: usize,
    at: usize,
}

impl Iterator for Iter<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.steps.blocks.get(self.block)?.len() == self.at {
            (self.block, self.at) = (self.block + 1, 0);
        }
        let mut rest = self.steps.blocks.get(self.block)?[self.at..].iter().copied();
        let mut byte = || {
            self.at += 1;
            rest.next().unwrap_or(0)
        };
        let first = byte();
        let number = if first < 0x80 { u32::from(first) } else { u32::from(first & 0x7f) << 8 | u32::from(byte()) };
        if number == WRITTEN_OUT {
            let action = u64::from_le_bytes(std::array::from_fn(|_| byte()));
            let choice = u32::from_le_bytes(std::array::from_fn(|_| byte()));
            return Some(Step { action, choice });
        }
        Some(self.steps.numbered[number as usize])
    }
}

impl<'s> IntoIterator for &'s Steps {
    type Item = Step;
    type IntoIter = Iter<'s>;

    fn into_iter(self) -> Iter<'s> {
        self.iter()
    }
}

impl FromIterator<Step> for Steps {
    fn from_iter<I: IntoIterator<Item = Step>>(from: I) -> Steps {
        let mut steps = Steps::new();
        from.into_iter().for_each(|step| steps.push(step));
        steps
    }
}

impl PartialEq for Steps {
    fn eq(&self, other: &Steps) -> bool {
        self.len == other.len && self.iter().eq(other)
    }
}

impl Eq for Steps {}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let step = |number: u64| Step { action: number.wrapping_mul(0x9e37_79b9_7f4a_7c15), choice: number as u32 % 3 };
        // Few different ones, more than a byte tells apart, and more than have a number.
        for different in [1, 100, 300, 5000] {
            let list: Vec<Step> = (0..20_000).map(|number| step(number * 7 % different)).collect();
            let steps: Steps = list.iter().copied().collect();
            assert_eq!(steps.len(), list.len());
            assert!(steps.iter().eq(list.iter().copied()));
            let bytes = steps.bytes() as usize;
            let each = if different > 4000 {
                5
            } else if different > 128 {
                2
            } else {
                1
            };
            assert!(bytes <= each * list.len() + 2 * BLOCK, "{bytes} bytes for {different}");
        }
        assert!(Steps::new().is_empty() && Steps::new().iter().next().is_none());
    }
}
