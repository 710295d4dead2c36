//! How states are looked for, and entered.
//!
//! States that come together go through four rounds: the nodes below the halves are found or made; those of the halves
//! are guessed from the index; the guesses are checked; the roots are found or made. Each round brings near what the
//! next one looks at, so that nothing is waited for.
//!
//! Nodes that are the same as in the state before are not looked for. States that come one after the other mostly differ
//! in little (Laarman, van de Pol & Weber 2011, §3.2, who compare with the parent).

use super::keys::{Keys, Pairs, Strings, Wide};
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

impl Wanted {
    const NOTHING: Wanted = Wanted { way: Way::Nowhere, halves: [Half::Number(0); 2], sought: Sought::NOTHING };
}

#[derive(Clone, Copy)]
enum Way {
    /// There is none.
    Nowhere,
    /// As a tree, with the list of that number.
    Tree(u32),
    Full,
}

/// Half of a state: its number, or the key by which that is found and a number that is probably the one.
#[derive(Clone, Copy)]
pub enum Half {
    Number(u32),
    Leaf { key: Wide, hash: u64, guess: Option<u32> },
    Join { key: u64, hash: u64, guess: Option<u32> },
}

impl Default for Half {
    fn default() -> Self {
        Half::Number(0)
    }
}

impl Half {
    /// Whether both have the same key, if both are halves on the same side of states with the same list.
    #[inline]
    fn is(&self, other: &Half) -> bool {
        match (self, other) {
            (Half::Leaf { key: one, .. }, Half::Leaf { key: other, .. }) => one == other,
            (Half::Join { key: one, .. }, Half::Join { key: other, .. }) => one == other,
            _ => false,
        }
    }
}

/// The state that was looked for before: a half that is the same need not be looked for again.
#[derive(Default)]
struct Before {
    list: u32,
    halves: [Half; 2],
    numbers: [u32; 2],
}

impl Tree {
    /// Finds or makes the nodes of a state but those of the halves, and brings near what will be looked at then.
    #[inline]
    fn prepare(&mut self, state: &[u8], wanted: &mut Wanted) -> Result<(), OverBudget> {
        wanted.way = Way::Full;
        let Some(list) = self.lists.find(state)? else { return Ok(()) };
        if list as usize >= self.plans.len() {
            self.plan_up_to(list)?;
        }
        let Some(plan) = &mut self.plans[list as usize] else { return Ok(()) };
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
            let Some(key) = leaf.squeeze(state) else { return Ok(()) };
            let nodes = &mut self.leaves[nodes[position] as usize];
            match shape.halves.iter().position(|&half| half == position) {
                Some(side) => {
                    let hash = Strings::hash(key);
                    nodes.prefetch(hash);
                    // Written twice: to read what was just written would take longer.
                    last.halves[side] = Half::Leaf { key, hash, guess: None };
                    wanted.halves[side] = Half::Leaf { key, hash, guess: None };
                }
                None => last.numbers[position] = nodes.number(key)?,
            }
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
            let nodes = &mut self.joins[nodes[position] as usize];
            match shape.halves.iter().position(|&half| half == position) {
                Some(side) => {
                    let hash = Pairs::hash(key);
                    nodes.prefetch(hash);
                    last.halves[side] = Half::Join { key, hash, guess: None };
                    wanted.halves[side] = Half::Join { key, hash, guess: None };
                }
                None => last.numbers[position] = nodes.number(key)?,
            }
        }
        for side in 0..2 {
            if !last.differs[shape.halves[side]] {
                wanted.halves[side] = last.halves[side];
            }
        }
        last.is_there = true;
        wanted.way = Way::Tree(list);
        Ok(())
    }

    /// Guesses the nodes of the halves, and brings near what will be looked at to be sure.
    #[inline]
    fn guess(&mut self, wanted: &mut Wanted, before: &mut Before) {
        let Way::Tree(list) = wanted.way else { return };
        let Some(plan) = &self.plans[list as usize] else { return };
        let same_list = std::mem::replace(&mut before.list, list) == list;
        for side in 0..2 {
            let half = &mut wanted.halves[side];
            if same_list && half.is(&before.halves[side]) {
                continue;
            }
            before.halves[side] = *half;
            let nodes = plan.nodes[plan.shape.halves[side]] as usize;
            match half {
                Half::Number(_) => {}
                Half::Leaf { hash, guess, .. } => *guess = self.leaves[nodes].guess(*hash),
                Half::Join { hash, guess, .. } => *guess = self.joins[nodes].guess(*hash),
            }
        }
    }

    /// Finds or makes the nodes of the halves, and brings near what will be looked at to find the root.
    #[inline]
    fn halve(&mut self, wanted: &mut Wanted, before: &mut Before) -> Result<(), OverBudget> {
        let Way::Tree(list) = wanted.way else { return Ok(()) };
        let Some(plan) = &self.plans[list as usize] else { return Ok(()) };
        let same_list = std::mem::replace(&mut before.list, list) == list;
        for side in 0..2 {
            let half = &mut wanted.halves[side];
            if !(same_list && half.is(&before.halves[side])) {
                let nodes = plan.nodes[plan.shape.halves[side]] as usize;
                // Nothing is the same as a number, should there be a refusal.
                before.halves[side] = Half::Number(0);
                before.numbers[side] = match *half {
                    Half::Number(number) => number,
                    Half::Leaf { key, hash, guess } => match guess {
                        Some(number) if self.leaves[nodes].key(number) == key => number,
                        _ => self.leaves[nodes].number_of(key, hash)?,
                    },
                    Half::Join { key, hash, guess } => match guess {
                        Some(number) if self.joins[nodes].key(number) == key => number,
                        _ => self.joins[nodes].number_of(key, hash)?,
                    },
                };
                before.halves[side] = *half;
            }
            *half = Half::Number(before.numbers[side]);
        }
        let [left, right] = before.numbers.map(u64::from);
        if (left | right) >> self.half_bits != 0 {
            wanted.way = Way::Full;
        } else {
            wanted.sought = plan.roots.prefetch(left, right);
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
        let mut wanted = Wanted::NOTHING;
        self.prepare(state, &mut wanted)?;
        self.halve(&mut wanted, &mut Before::default())?;
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
        all.resize(steps.len(), Wanted::NOTHING);
        let mut result = Ok(());
        for (at, step) in steps.iter().enumerate() {
            if step.start != Successor::NONE
                && let Err(refused) = self.prepare(state_of(step), &mut all[at])
            {
                all.truncate(at);
                result = Err(refused);
                break;
            }
        }
        let mut before = Before::default();
        all.iter_mut().for_each(|wanted| self.guess(wanted, &mut before));
        before = Before::default();
        // Those before the one that was refused have their answers.
        for at in 0..all.len() {
            if let Err(refused) = self.halve(&mut all[at], &mut before) {
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
