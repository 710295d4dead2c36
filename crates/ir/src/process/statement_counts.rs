//! How many statements the steps of an expansion have: SPIN counts depth in statements.

/// The statements of the steps in a buffer of successors.
#[derive(Debug, Default)]
pub(crate) struct StatementCounts {
    /// The steps of more than one statement, by index, in order.
    counts: Vec<(u32, u32)>,
    /// The most statements of a failed attempt, such as a send that no process received.
    pub(crate) in_vain: u32,
}

impl StatementCounts {
    /// The buffer has `steps` steps, to which others will be added.
    #[inline]
    pub(crate) fn begin(&mut self, steps: usize) {
        if steps == 0 {
            self.in_vain = 0;
            self.counts.clear();
        } else if self.counts.last().is_some_and(|&(last, _)| last as usize >= steps) {
            self.truncate(steps);
        }
    }

    /// The steps from `from` to before `to`, which come after all noted ones, have so many statements.
    #[inline]
    pub(crate) fn note(&mut self, from: usize, to: usize, statements: u32) {
        if statements > 1 {
            self.counts.extend((from..to).map(|index| (index as u32, statements)));
        }
    }

    /// An attempt of so many statements failed.
    #[inline]
    pub(crate) fn note_in_vain(&mut self, statements: u32) {
        self.in_vain = self.in_vain.max(statements);
    }

    /// Drops what was noted of the steps from `steps` on.
    pub(crate) fn truncate(&mut self, steps: usize) {
        self.counts.truncate(self.counts.partition_point(|&(index, _)| (index as usize) < steps));
    }

    /// The statements of the step at `index`: an atomic sequence has several, and a rendezvous has two.
    #[inline]
    pub(crate) fn of(&self, index: usize) -> u32 {
        let found = self.counts.binary_search_by_key(&(index as u32), |&(index, _)| index);
        found.map_or(1, |at| self.counts[at].1)
    }
}
