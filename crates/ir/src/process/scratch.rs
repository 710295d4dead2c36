//! The working space of expansions, kept from state to state.

use super::atomic::IntermediateState;
use super::layout::ProcessLayouts;
use super::native_atomic::UnfinishedState;
use super::native_expansion::LayoutCode;
use super::statement_counts::StatementCounts;
use crate::Program;
use rustc_hash::FxHashSet;
use tightrope_core::Successors;

/// What expansions derive once and use again.
pub(super) struct ProcessScratch {
    pub layouts: ProcessLayouts,
    /// For every kind of process, which transitions were ever executed.
    pub exercised: Vec<Vec<bool>>,
    /// A buffer for steps that are executed one at a time.
    pub spare: Successors,
    pub statements: StatementCounts,
    /// The intermediate states of the step under way: the process that kept control and must move next, none where the
    /// step ends.
    pub pending: Vec<(Option<usize>, IntermediateState)>,
    /// In a long step, the states in which processes kept control, on all paths.
    pub remembered: FxHashSet<(usize, Box<[u8]>)>,
    /// For machine code: copies of the expanded state and of intermediate states.
    pub expanded: Vec<u8>,
    pub copies: Vec<Vec<u8>>,
    /// For machine code: where intermediate states begin, and which wait to be followed.
    pub links: Vec<u32>,
    pub unfinished: Vec<UnfinishedState>,
    /// The machine code for the processes of every layout.
    pub layout_code: Vec<LayoutCode>,
}

const _: fn() = || {
    fn sendable<T: Send>() {}
    sendable::<ProcessScratch>();
};

impl ProcessScratch {
    pub fn new(program: &Program) -> ProcessScratch {
        let exercised = program.processes.iter().map(|process| vec![false; process.transitions.len()]).collect();
        ProcessScratch {
            layouts: ProcessLayouts::default(),
            exercised,
            spare: Successors::new(),
            statements: StatementCounts::default(),
            pending: Vec::new(),
            remembered: FxHashSet::default(),
            expanded: Vec::new(),
            copies: Vec::new(),
            links: Vec::new(),
            unfinished: Vec::new(),
            layout_code: Vec::new(),
        }
    }
}
