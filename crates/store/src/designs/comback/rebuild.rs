//! Rebuilding states from the steps that lead to them.
//!
//! One state: its ancestors are followed to the nearest one that is kept in full, and the steps from there are executed. Several
//! states: the parts of their paths that are the same are executed once (grouped reconstruction, Evangelista et al. 2009, §4.1).
//! The identifiers of the states and of their ancestors are gathered from the largest to the smallest; a state's parent is always
//! smaller, so that all children of a state are there when its turn comes. What results is a forest whose roots are kept in full. It is
//! walked depth-first; of the children of a state the one with most descendants comes last and takes over its buffer, so that there
//! are never more buffers than the logarithm of the number of states.

use super::kept::Kept;
use std::collections::BinaryHeap;
use std::sync::Arc;
use tightrope_core::{Budget, Fired, Model, Refused, Reservation, Step, Successors};

/// Is told a state and its identifier.
pub type EachState<'a> = dyn FnMut(u32, &[u8]) -> Result<(), Refused> + 'a;

/// Why a search ends whose model breaks its contract.
const OTHERWISE: &str = "the steps that led to a state do not lead there again";
/// The nodes of a forest may take one of so many parts of the budget; where that is too little, states are rebuilt in several groups.
const NODES_SHARE: u64 = 32;
/// What a node takes, with its entry in the heap, while vectors grow.
const NODE_BYTES: usize = 3 * (size_of::<Node>() + size_of::<(u32, u32)>());
const NONE: u32 = u32::MAX;

/// A state to be rebuilt, or on the way to one.
struct Node {
    id: u32,
    /// The number of the step that leads to it.
    number: u32,
    /// Its first child, and the next child of its parent; nodes.
    child: u32,
    sibling: u32,
    /// How many nodes are in its subtree.
    size: u32,
    /// It is to be rebuilt itself.
    is_target: bool,
}

/// A node to be visited: the state in a buffer is that of its parent.
struct Visit {
    node: u32,
    buffer: u32,
    /// Nobody else needs what is in the buffer.
    takes_over: bool,
}

/// What rebuilding needs.
pub struct Rebuilder<'a> {
    model: &'a dyn Model,
    steps: Successors,
    /// The numbers of the steps to one state, backwards.
    numbers: Vec<u32>,
    nodes: Vec<Node>,
    heap: BinaryHeap<(u32, u32)>,
    visits: Vec<Visit>,
    buffers: Vec<Vec<u8>>,
    free: Vec<u32>,
    other: Vec<u8>,
    /// How many steps were executed, and how many states were rebuilt.
    pub executed: u64,
    pub rebuilt: u64,
    most_bytes: u64,
    reservation: Reservation,
}

impl<'a> Rebuilder<'a> {
    /// For the states of a model.
    pub fn new(model: &'a dyn Model, budget: &Arc<Budget>) -> Self {
        let mut steps = Successors::new();
        steps.set_budget(budget);
        Rebuilder {
            model,
            steps,
            numbers: Vec::new(),
            nodes: Vec::new(),
            heap: BinaryHeap::new(),
            visits: Vec::new(),
            buffers: Vec::new(),
            free: Vec::new(),
            other: Vec::new(),
            executed: 0,
            rebuilt: 0,
            most_bytes: budget.limit() / NODES_SHARE,
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    /// Gives back what it does not need now.
    pub fn release(&mut self) {
        (self.numbers, self.nodes, self.heap) = (Vec::new(), Vec::new(), BinaryHeap::new());
        self.reservation.give_back(u64::MAX);
        self.steps.release();
    }

    fn fire(&mut self, from: &[u8], number: u32, to: &mut Vec<u8>) -> Result<(), Refused> {
        self.executed += 1;
        match self.model.fire_nth(from, number as usize, to, &mut self.steps) {
            Fired::Done | Fired::DoneWith(_) => Ok(()),
            Fired::Failed(_) | Fired::Disabled => Err(self.steps.refused().unwrap_or(Refused::Other(OTHERWISE))),
        }
    }

    /// Puts the state of that identifier into `out`.
    pub fn one(&mut self, kept: &Kept, id: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
        let mut at = id;
        self.numbers.clear();
        let state = loop {
            if let Some(state) = kept.get(at) {
                break state;
            }
            let (parent, number) = kept.edges.get(at);
            if self.numbers.len() == self.numbers.capacity() {
                let more = self.numbers.len().max(1 << 10);
                self.reservation.take(4 * more as u64)?;
                self.numbers.reserve_exact(more);
            }
            self.numbers.push(number);
            at = parent;
        };
        out.clear();
        out.extend_from_slice(state);
        let (numbers, mut other) = (std::mem::take(&mut self.numbers), std::mem::take(&mut self.other));
        self.rebuilt += u64::from(!numbers.is_empty());
        let mut fired = Ok(());
        for &number in numbers.iter().rev() {
            fired = self.fire(out, number, &mut other);
            if fired.is_err() {
                break;
            }
            std::mem::swap(out, &mut other);
        }
        (self.numbers, self.other) = (numbers, other);
        fired
    }

    /// Calls `each` with the steps of the path by which a state was reached. Returns the number of the initial state where it begins.
    pub fn path(
        &mut self,
        kept: &Kept,
        id: u32,
        each: &mut dyn FnMut(Step) -> Result<(), Refused>,
    ) -> Result<u32, Refused> {
        let (mut at, mut numbers) = (id, Vec::new());
        let initial = loop {
            if let Some(initial) = kept.initial(at) {
                break initial;
            }
            let (parent, number) = kept.edges.get(at);
            numbers.push(number);
            at = parent;
        };
        let mut state = initial.state.to_vec();
        for number in numbers.into_iter().rev() {
            self.model.successors(&state, &mut self.steps);
            if let Some(refused) = self.steps.refused() {
                return Err(refused);
            }
            let number = number as usize;
            let next = (number < self.steps.len()).then(|| self.steps.state(number)).flatten();
            let Some(next) = next else { return Err(Refused::Other(OTHERWISE)) };
            each(self.steps.step(number))?;
            state.clear();
            state.extend_from_slice(next);
        }
        Ok(initial.number)
    }

    /// Calls `each` with the states of these identifiers, which ascend, in any order.
    pub fn all(&mut self, kept: &Kept, ids: &[u32], each: &mut EachState<'_>) -> Result<(), Refused> {
        let mut end = ids.len();
        while end > 0 {
            // From the end, as many as there is memory for.
            let start = self.gather(kept, &ids[..end])?;
            if start == end {
                let mut state = Vec::new();
                self.one(kept, ids[end - 1], &mut state)?;
                each(ids[end - 1], &state)?;
                end -= 1;
                continue;
            }
            self.walk(kept, each)?;
            end = start;
        }
        Ok(())
    }

    /// Gathers the states to be rebuilt and those on the way to them. Returns from which of `ids` on that was done: before are those
    /// for which there was no memory.
    fn gather(&mut self, kept: &Kept, ids: &[u32]) -> Result<usize, Refused> {
        let mut taken = ids.len();
        loop {
            let start = ids.len() - taken;
            if self.gather_all(kept, &ids[start..]) {
                return Ok(start);
            }
            if taken == 1 {
                return Ok(ids.len());
            }
            taken = taken.div_ceil(4);
        }
    }

    /// The same for all of them; false if there is no memory for that.
    fn gather_all(&mut self, kept: &Kept, ids: &[u32]) -> bool {
        self.nodes.clear();
        self.heap.clear();
        let mut targets = ids.iter().rev().copied().peekable();
        loop {
            // The largest that is a target or the parent of a node.
            let from_heap = self.heap.peek().map(|&(id, _)| id);
            let Some(id) = from_heap.into_iter().chain(targets.peek().copied()).max() else { return true };
            if !self.has_room() {
                return false;
            }
            let is_target = targets.next_if_eq(&id).is_some();
            let is_kept = kept.get(id).is_some();
            let (parent, number) = if is_kept { (0, 0) } else { kept.edges.get(id) };
            let mut node = Node { id, number, child: NONE, sibling: NONE, size: 1, is_target };
            let mut largest = NONE;
            while let Some(&(of, child)) = self.heap.peek()
                && of == id
            {
                self.heap.pop();
                let size = self.nodes[child as usize].size;
                node.size += size;
                // The child with most descendants is the first in the list.
                if largest == NONE || size > self.nodes[largest as usize].size {
                    (self.nodes[child as usize].sibling, node.child) = (node.child, child);
                    largest = child;
                } else {
                    let second = std::mem::replace(&mut self.nodes[largest as usize].sibling, child);
                    self.nodes[child as usize].sibling = second;
                }
            }
            let number = self.nodes.len() as u32;
            self.nodes.push(node);
            if is_kept {
                self.visits.push(Visit { node: number, buffer: NONE, takes_over: false });
            } else {
                self.heap.push((parent, number));
            }
        }
    }

    /// Whether there is room for one more node.
    fn has_room(&mut self) -> bool {
        if self.nodes.len() < self.nodes.capacity() {
            return true;
        }
        let more = self.nodes.len().max(1 << 8);
        let bytes = (more * NODE_BYTES) as u64;
        let is_too_much = self.reservation.bytes() + bytes > self.most_bytes && !self.nodes.is_empty();
        if is_too_much || self.reservation.take(bytes).is_err() {
            self.visits.clear();
            return false;
        }
        self.nodes.reserve_exact(more);
        true
    }

    /// Executes the steps of the forest.
    fn walk(&mut self, kept: &Kept, each: &mut EachState<'_>) -> Result<(), Refused> {
        self.buffers.clear();
        self.free.clear();
        let walked = self.walk_on(kept, each);
        self.visits.clear();
        walked
    }

    fn walk_on(&mut self, kept: &Kept, each: &mut EachState<'_>) -> Result<(), Refused> {
        while let Some(Visit { node, buffer, takes_over }) = self.visits.pop() {
            let Node { id, number, child, is_target, .. } = self.nodes[node as usize];
            let place = self.free.pop().unwrap_or_else(|| {
                self.buffers.push(Vec::new());
                self.buffers.len() as u32 - 1
            });
            let mut state = std::mem::take(&mut self.buffers[place as usize]);
            if buffer == NONE {
                state.clear();
                state.extend_from_slice(kept.get(id).ok_or(Refused::Other(OTHERWISE))?);
            } else {
                let from = std::mem::take(&mut self.buffers[buffer as usize]);
                self.fire(&from, number, &mut state)?;
                self.buffers[buffer as usize] = from;
                self.rebuilt += u64::from(is_target);
            }
            if takes_over {
                self.free.push(buffer);
            }
            if is_target {
                each(id, &state)?;
            }
            self.buffers[place as usize] = state;
            if child == NONE {
                self.free.push(place);
            }
            // The first child is visited last, and takes the buffer over.
            let mut next = child;
            while next != NONE {
                self.visits.push(Visit { node: next, buffer: place, takes_over: next == child });
                next = self.nodes[next as usize].sibling;
            }
        }
        Ok(())
    }
}
