//! How states are looked for, and entered.
//!
//! States that come together go through four rounds: the nodes below the halves are found or made; those of the halves
//! are guessed from the index; the guesses are checked; the roots are found or made. Each round brings near what the
//! next one looks at, so that nothing is waited for.
//!
//! Nodes that are the same as in the state before are not looked for. States that come one after the other mostly differ
//! in little (Laarman, van de Pol & Weber 2011, §3.2, who compare with the parent).

use super::nodes::KEY;
use super::roots::Sought;
use super::shape::load;
use super::{FULL, Plan, Tree};
use crate::Set;
use tightrope_core::{Found, OverBudget, StateId, Successor, Successors};

/// How many states are looked for together.
const TOGETHER: usize = 128;

/// A state that is looked for.
#[derive(Clone, Copy)]
pub struct Wanted {
    way: Way,
    halves: [Half; 2],
    sought: Sought,
}

#[derive(Clone, Copy)]
enum Way {
    /// There is none.
    Nowhere,
    /// As a tree, with the list of that number.
    Tree(u32),
    Full,
}

/// Half of a state: its number, or the key by which that is found.
#[derive(Clone, Copy)]
pub enum Half {
    Number(u32),
    Key(u64),
    /// A key, and a number that is probably the one.
    Guess(u64, u32),
}

impl Default for Half {
    fn default() -> Self {
        Half::Number(0)
    }
}

impl Tree {
    /// Finds or makes the nodes of a state but those of the halves, and brings near what will be looked at then.
    #[inline]
    fn prepare(&mut self, state: &[u8]) -> Result<Wanted, OverBudget> {
        let full = Wanted { way: Way::Full, halves: [Half::Number(0); 2], sought: Sought::default() };
        let Some(list) = self.lists.find(state)? else { return Ok(full) };
        if list as usize >= self.plans.len() {
            self.plan_up_to(list)?;
        }
        let Some(plan) = &mut self.plans[list as usize] else { return Ok(full) };
        let Plan { shape, nodes, last, .. } = plan;
        let all_new = !std::mem::replace(&mut last.is_there, false);
        let mut words = last.words.iter_mut();
        for (position, leaf) in shape.leaves.iter().enumerate() {
            let mut difference = 0;
            for (squeeze, last) in leaf.words.iter().zip(&mut words) {
                let word = load(state, squeeze.offset as usize) & squeeze.own();
                difference |= word ^ std::mem::replace(last, word);
            }
            last.differs[position] = difference != 0 || all_new;
            if !last.differs[position] {
                continue;
            }
            let nodes = &mut self.nodes[nodes[position] as usize];
            // A single word need not be squeezed to be recognised.
            let (word, asker) = match &leaf.words[..] {
                [word] => (load(state, word.offset as usize) & word.own(), list),
                _ => match leaf.squeeze(state) {
                    Some(key) => (key, KEY),
                    None => return Ok(full),
                },
            };
            last.numbers[position] = match nodes.recall(word, asker) {
                Some(number) => number,
                None => {
                    let key = if asker == KEY { Some(word) } else { leaf.squeeze(state) };
                    let Some(key) = key else { return Ok(full) };
                    let number = nodes.number(key)?;
                    nodes.note(word, asker, number);
                    number
                }
            };
        }
        let leaves = shape.leaves.len();
        for (position, join) in shape.joins.iter().enumerate() {
            let position = position + leaves;
            let [left, right] = join.halves;
            last.differs[position] = last.differs[left] | last.differs[right];
            if !last.differs[position] {
                continue;
            }
            let key = u64::from(last.numbers[left]) << 32 | u64::from(last.numbers[right]);
            let nodes = &mut self.nodes[nodes[position] as usize];
            let known = nodes.recall(key, KEY);
            if position == shape.halves[0] || position == shape.halves[1] {
                let half = &mut last.halves[usize::from(position == shape.halves[1])];
                *half = known.map_or(Half::Key(key), Half::Number);
                if known.is_none() {
                    nodes.prefetch(key);
                }
                continue;
            }
            last.numbers[position] = match known {
                Some(number) => number,
                None => {
                    let number = nodes.number(key)?;
                    nodes.note(key, KEY, number);
                    number
                }
            };
        }
        for (half, &position) in last.halves.iter_mut().zip(&shape.halves) {
            if position < leaves {
                *half = Half::Number(last.numbers[position]);
            }
        }
        last.is_there = true;
        Ok(Wanted { way: Way::Tree(list), halves: last.halves, sought: Sought::default() })
    }

    /// Guesses the nodes of the halves, and brings near what will be looked at to be sure.
    #[inline]
    fn guess(&self, wanted: &mut Wanted, before: &mut [u64; 2]) {
        let Way::Tree(list) = wanted.way else { return };
        let Some(plan) = &self.plans[list as usize] else { return };
        for ((half, &position), before) in wanted.halves.iter_mut().zip(&plan.shape.halves).zip(before) {
            if let Half::Key(key) = *half
                && std::mem::replace(before, key) != key
                && let Some(number) = self.nodes[plan.nodes[position] as usize].guess(key)
            {
                *half = Half::Guess(key, number);
            }
        }
    }

    /// Finds or makes the nodes of the halves, and brings near what will be looked at to find the root.
    #[inline]
    fn halve(&mut self, wanted: &mut Wanted) -> Result<(), OverBudget> {
        let Way::Tree(list) = wanted.way else { return Ok(()) };
        let Some(plan) = &self.plans[list as usize] else { return Ok(()) };
        let mut numbers = [0; 2];
        for ((half, &position), number) in wanted.halves.iter_mut().zip(&plan.shape.halves).zip(&mut numbers) {
            *number = match *half {
                Half::Number(number) => number,
                Half::Key(key) | Half::Guess(key, _) => {
                    let nodes = &mut self.nodes[plan.nodes[position] as usize];
                    let number = match (*half, nodes.recall(key, KEY)) {
                        (_, Some(number)) => number,
                        (Half::Guess(_, number), _) if nodes.key(number) == key => number,
                        _ => nodes.number(key)?,
                    };
                    nodes.note(key, KEY, number);
                    *half = Half::Number(number);
                    number
                }
            };
        }
        if numbers.iter().any(|&number| u64::from(number) >> self.half_bits != 0) {
            wanted.way = Way::Full;
        } else {
            wanted.sought = plan.roots.prefetch(numbers[0].into(), numbers[1].into());
        }
        Ok(())
    }

    /// Finds or makes the root.
    #[inline]
    fn root(&mut self, wanted: &Wanted, state: &[u8]) -> Result<Found, OverBudget> {
        let plan = match wanted.way {
            Way::Nowhere => return Ok(Found::Undecided),
            Way::Tree(list) => self.plans[list as usize].as_mut().map(|plan| (list, plan)),
            Way::Full => None,
        };
        let (Some((list, plan)), [Half::Number(left), Half::Number(right)]) = (plan, wanted.halves) else {
            return Ok(match self.full.insert(state)? {
                Found::New(StateId(place)) => Found::New(StateId(FULL | place)),
                Found::Seen(StateId(place)) => Found::Seen(StateId(FULL | place)),
                Found::Undecided => Found::Undecided,
            });
        };
        let (left, right) = (u64::from(left), u64::from(right));
        let id = StateId((u64::from(list) << self.half_bits | left) << self.half_bits | right);
        Ok(if plan.roots.insert(left, right, wanted.sought)? { Found::New(id) } else { Found::Seen(id) })
    }

    /// Remembers a state.
    pub(super) fn insert_one(&mut self, state: &[u8]) -> Result<Found, OverBudget> {
        let mut wanted = self.prepare(state)?;
        self.halve(&mut wanted)?;
        self.root(&wanted, state)
    }

    /// Remembers the states that steps lead to.
    pub(super) fn insert_steps(&mut self, steps: &Successors, found: &mut Vec<Found>) -> Result<(), OverBudget> {
        steps.items.chunks(TOGETHER).try_for_each(|chunk| self.insert_together(&steps.bytes, chunk, found))
    }

    /// Remembers states, not too many.
    fn insert_together(&mut self, bytes: &[u8], steps: &[Successor], found: &mut Vec<Found>) -> Result<(), OverBudget> {
        let state_of = |step: &Successor| bytes.get(step.start as usize..step.end as usize).unwrap_or_default();
        let mut all = std::mem::take(&mut self.wanted);
        all.clear();
        let mut result = Ok(());
        for step in steps {
            let wanted = match step.start {
                Successor::NONE => {
                    Ok(Wanted { way: Way::Nowhere, halves: [Half::Number(0); 2], sought: Sought::default() })
                }
                _ => self.prepare(state_of(step)),
            };
            match wanted {
                Ok(wanted) => all.push(wanted),
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
        }
        let mut before = [0; 2];
        all.iter_mut().for_each(|wanted| self.guess(wanted, &mut before));
        // Those before the one that was refused have their answers.
        for at in 0..all.len() {
            if let Err(refused) = self.halve(&mut all[at]) {
                all.truncate(at);
                result = Err(refused);
                break;
            }
        }
        for (wanted, step) in all.iter().zip(steps) {
            match self.root(wanted, state_of(step)) {
                Ok(answer) => found.push(answer),
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
        }
        self.wanted = all;
        result
    }
}
