//! What a forest takes, charged before it takes it.
//!
//! OxiDD has address space for all nodes there may ever be, which costs nothing; the system gives memory as they are made,
//! one after the other, or in chunks where there is room for many. Each level has a hash table, of which OxiDD does not
//! tell the size; but it follows from how many nodes there are and were: it doubles when three quarters are taken, and is
//! made smaller when few are left after a collection. The largest of them is charged twice, since it is there twice
//! while it is made again.

use oxidd_core::{Edge, InnerNode, LevelNo, LevelView};
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// The bytes of a node.
const NODE: u64 = 16;
/// The bytes of a slot of a table.
const SLOT: u64 = 8;
/// The slots of the smallest table.
const FEWEST_SLOTS: usize = 16;
/// The bytes of a level without its table: the head of the table, names and numbers, all in vectors that double.
const LEVEL: u64 = 160;
/// What a forest takes before it has a node: two threads that sleep, and what they need.
const FOREST: u64 = 64 << 10;
/// How many nodes get memory together in a forest that has room for more than that.
pub const CHUNK: usize = 1 << 16;
/// How many nodes are charged together elsewhere.
const STEP: usize = 64;

/// Why a node cannot be made.
#[derive(Clone, Copy, Debug)]
pub enum Stop {
    /// There is no room for more in this forest.
    Full,
    /// The budget refused.
    Over(Refused),
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Stop::Over(refused)
    }
}

/// The account of a forest.
pub struct Ledger {
    reservation: Reservation,
    capacity: usize,
    /// How many nodes there are, those included that nothing leads to.
    pub nodes: usize,
    /// How many nodes have memory.
    charged: usize,
    /// The slots of the table of each level, or more.
    tables: Vec<usize>,
    largest: usize,
}

impl Ledger {
    /// For an empty forest with room for so many nodes.
    pub fn new(capacity: usize, levels: usize, budget: &Arc<Budget>) -> Result<Self, Refused> {
        let mut reservation = Reservation::new(budget.clone());
        reservation.take(FOREST)?;
        let mut ledger = Ledger { reservation, capacity, nodes: 0, charged: 0, tables: Vec::new(), largest: 0 };
        ledger.add_levels(levels)?;
        Ok(ledger)
    }

    /// Levels are about to be added.
    pub fn add_levels(&mut self, levels: usize) -> Result<(), Refused> {
        self.reservation.take(LEVEL * levels as u64)?;
        self.tables.resize(self.tables.len() + levels, 0);
        Ok(())
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    /// How many nodes may have memory: all ids are below that, and those of the leaves.
    pub fn charged(&self) -> usize {
        self.charged
    }

    /// The room of the forest.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Makes sure that there is room for a node at a level, whose table grows now if it must.
    #[inline]
    pub fn admit<E: Edge, N: InnerNode<E>>(
        &mut self,
        level: LevelNo,
        view: &mut impl LevelView<E, N>,
    ) -> Result<(), Stop> {
        let slots = self.tables[level as usize];
        if slots - view.len() <= slots / 4 {
            self.enlarge(level, slots_for(view.len() + 1))?;
            view.reserve(1);
        }
        if self.nodes == self.charged { self.charge() } else { Ok(()) }
    }

    #[cold]
    fn enlarge(&mut self, level: LevelNo, slots: usize) -> Result<(), Refused> {
        let largest = self.largest.max(slots);
        let more = slots.saturating_sub(self.tables[level as usize]) + largest - self.largest;
        self.reservation.take(SLOT * more as u64)?;
        self.tables[level as usize] = slots;
        self.largest = largest;
        Ok(())
    }

    #[cold]
    fn charge(&mut self) -> Result<(), Stop> {
        let step = if self.capacity > CHUNK { CHUNK } else { STEP };
        // OxiDD would collect by itself, beside us, when a twentieth is left.
        if self.charged + step > self.capacity / 10 * 9 {
            return Err(Stop::Full);
        }
        self.reservation.take(NODE * step as u64)?;
        self.charged += step;
        Ok(())
    }

    /// A collection left so many nodes at each level.
    pub fn collected(&mut self, left: impl Iterator<Item = usize>) {
        let before = self.table_slots();
        self.nodes = 0;
        for (slots, left) in self.tables.iter_mut().zip(left) {
            self.nodes += left;
            if *slots > 0 && left < *slots / 4 {
                *slots = slots_for(left);
            }
        }
        self.largest = self.tables.iter().copied().max().unwrap_or(0);
        self.reservation.give_back(SLOT * (before - self.table_slots()) as u64);
    }

    fn table_slots(&self) -> usize {
        self.tables.iter().sum::<usize>() + self.largest
    }
}

/// The slots of a table that was just made for so many nodes.
fn slots_for(nodes: usize) -> usize {
    if nodes == 0 { 0 } else { (nodes * 4 / 3).next_power_of_two().max(FEWEST_SLOTS) }
}
