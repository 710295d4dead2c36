//! The states that are kept in full, and how the others were reached.

use super::backedges::Backedges;
use super::block::Block;
use super::state_cache::StateCache;
use super::window::Window;

/// An initial state: never rebuilt.
pub struct Initial {
    /// Its identifier, and its number among the initial states that were offered.
    pub id: u32,
    pub number: u32,
    pub state: Box<[u8]>,
}

/// What states are rebuilt from.
pub struct Kept {
    pub edges: Backedges,
    /// In the order of their identifiers.
    pub initial: Vec<Initial>,
    /// The states that were found last, and those that wait as far as there is memory for them.
    pub window: Window,
    /// States that wait and were rebuilt.
    pub block: Block,
    /// States of former levels.
    pub cache: Option<StateCache>,
}

impl Kept {
    /// The state of that identifier, if it is kept in full.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        self.window
            .get(id)
            .or_else(|| self.block.get(id))
            .or_else(|| self.cache.as_ref().and_then(|cache| cache.get(id)))
            .or_else(|| self.initial(id).map(|initial| &*initial.state))
    }

    /// The initial state of that identifier, if it is one.
    pub fn initial(&self, id: u32) -> Option<&Initial> {
        let found = self.initial.binary_search_by_key(&id, |initial| initial.id);
        found.ok().map(|at| &self.initial[at])
    }
}
