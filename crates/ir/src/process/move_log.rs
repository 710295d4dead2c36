//! The elementary moves that steps are made of, logged where a step is to be described.

use super::atomic::IntermediateState;
use super::expansion::Expansion;
use rustc_hash::FxHashMap;

/// The path of the state that is expanded, and of all states where no moves are logged.
pub(super) const NO_PATH: u32 = u32::MAX;

/// One elementary move.
pub(super) struct LoggedMove {
    /// The move before it in the same step; [`NO_PATH`] for the first one.
    pub before: u32,
    pub transition: u32,
    pub pid: u8,
    pub kind: u8,
}

/// The moves of an expansion: a tree, since atomic sequences branch.
#[derive(Default)]
pub(super) struct MoveLog {
    pub moves: Vec<LoggedMove>,
    /// The text that is printed, by the number of the move that prints it.
    pub outputs: FxHashMap<u32, String>,
    /// The last move of every successor.
    pub ends: Vec<u32>,
}

impl MoveLog {
    /// The moves that lead to a successor, in order, each with what it prints.
    pub fn path_to(&self, successor: usize) -> Vec<(&LoggedMove, &str)> {
        let mut path = Vec::new();
        let mut at = self.ends[successor];
        while let Some(one) = self.moves.get(at as usize) {
            path.push((one, self.outputs.get(&at).map_or("", String::as_str)));
            at = one.before;
        }
        path.reverse();
        path
    }
}

impl Expansion<'_> {
    /// Logs a move, where moves are logged; its number.
    pub(super) fn log_move(
        &mut self,
        from: &IntermediateState,
        (pid, kind): (usize, u8),
        index: u32,
        output: Option<String>,
    ) -> u32 {
        let Some(log) = &mut self.move_log else { return NO_PATH };
        let number = log.moves.len() as u32;
        log.moves.push(LoggedMove { before: from.path, transition: index, pid: pid as u8, kind });
        if let Some(output) = output.filter(|output| !output.is_empty()) {
            log.outputs.insert(number, output);
        }
        number
    }
}
