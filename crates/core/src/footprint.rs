//! What steps depend on.
//!
//! A footprint says what a step reads and writes in the state it starts from: of the state's bytes, in which channels it
//! sends or receives, and whether it reads or changes the list of processes. It is what the step really did there, not
//! what its text could do, so that independence is that of the state (Godefroid & Pirottin 1993, "Refining dependencies
//! improves partial-order verification methods").
//!
//! # Contract
//! Two steps of one state that are [`independent`] commute there: after either of them the other one is enabled, under
//! the same name and with the same footprint, and both orders lead to the same state. Where one of them [`renames`] its
//! successor, this holds except for the names of steps after it.
//!
//! [`renames`]: Footprints::renames

/// What a step does to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// Looks at it.
    Read,
    /// Changes it.
    Write,
    /// Puts a message at the end of a channel that has room for it.
    Send,
    /// Takes the message at the head of a channel that has one.
    Receive,
}

/// A part of a state that steps may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Resource {
    /// Everything there is. Comes first in every footprint.
    All,
    /// The list of processes: which there are.
    Processes,
    /// A channel, by its name.
    Channel(u32),
    /// Bytes outside of processes, from one to just before another.
    Shared(u32, u32),
    /// Bytes of a process, counted from its beginning.
    Own(u32, u32, u32),
}

/// An access of a step to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// What.
    pub resource: Resource,
    /// How.
    pub kind: AccessKind,
}

impl Access {
    /// Whether the order of two steps with these accesses may matter.
    #[inline]
    pub fn conflicts_with(self, other: Access) -> bool {
        let overlap = match (self.resource, other.resource) {
            (Resource::All, _) | (_, Resource::All) => return true,
            (Resource::Shared(a, b), Resource::Shared(c, d)) => a < d && c < b,
            (Resource::Own(one, a, b), Resource::Own(two, c, d)) => one == two && a < d && c < b,
            (one, two) => one == two,
        };
        let harmless = matches!(
            (self.kind, other.kind),
            (AccessKind::Read, AccessKind::Read)
                | (AccessKind::Send, AccessKind::Receive)
                | (AccessKind::Receive, AccessKind::Send)
        );
        overlap && !harmless
    }
}

/// Whether two steps with these footprints are independent in the state they were made for. An access to everything conflicts
/// with every step, also with one that has no accesses.
pub fn independent(one: &[Access], other: &[Access]) -> bool {
    let with_all = |accesses: &[Access]| accesses.first().is_some_and(|access| access.resource == Resource::All);
    !with_all(one) && !with_all(other) && !one.iter().any(|access| other.iter().any(|&two| access.conflicts_with(two)))
}

/// The footprints of the steps of a state.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    accesses: Vec<Access>,
    /// Where the accesses of each step are. Steps may have theirs in common.
    steps: Vec<(usize, usize)>,
    /// The steps that rename, in order.
    renaming: Vec<usize>,
}

impl Footprints {
    /// No steps.
    pub fn new() -> Self {
        Footprints::default()
    }

    /// Removes all steps.
    pub fn clear(&mut self) {
        self.accesses.clear();
        self.steps.clear();
        self.renaming.clear();
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Adds steps until there are `len`, all with these accesses.
    pub fn add_up_to(&mut self, len: usize, accesses: impl IntoIterator<Item = Access>) {
        if self.steps.len() >= len {
            return;
        }
        let start = self.accesses.len();
        self.accesses.extend(accesses);
        self.accesses[start..].sort_unstable();
        let mut end = start;
        for at in start..self.accesses.len() {
            if at == start || self.accesses[at] != self.accesses[end - 1] {
                self.accesses[end] = self.accesses[at];
                end += 1;
            }
        }
        self.accesses.truncate(end);
        self.steps.resize(len, (start, end));
    }

    /// Notes that a step renames its successor (symmetry): names of steps mean others there. Steps are noted in order.
    pub fn note_renaming(&mut self, step: usize) {
        debug_assert!(self.renaming.last().is_none_or(|&last| last < step));
        self.renaming.push(step);
    }

    /// Whether a step renames its successor.
    pub fn renames(&self, step: usize) -> bool {
        self.renaming.binary_search(&step).is_ok()
    }

    /// What a step reads and writes.
    pub fn of(&self, step: usize) -> &[Access] {
        let (start, end) = self.steps[step];
        &self.accesses[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(resource: Resource, kind: AccessKind) -> Access {
        Access { resource, kind }
    }

    #[test]
    fn reads_do_not_clash_with_reads_nor_sends_with_receives() {
        let x = Resource::Shared(4, 8);
        assert!(!access(x, AccessKind::Read).conflicts_with(access(x, AccessKind::Read)));
        assert!(access(x, AccessKind::Read).conflicts_with(access(Resource::Shared(7, 9), AccessKind::Write)));
        assert!(!access(x, AccessKind::Write).conflicts_with(access(Resource::Shared(8, 9), AccessKind::Write)));
        assert!(!access(x, AccessKind::Write).conflicts_with(access(Resource::Own(0, 4, 8), AccessKind::Write)));
        let own = |process| access(Resource::Own(process, 0, 2), AccessKind::Write);
        assert!(own(1).conflicts_with(own(1)) && !own(1).conflicts_with(own(2)));
        let channel = |name, kind| access(Resource::Channel(name), kind);
        assert!(!channel(1, AccessKind::Send).conflicts_with(channel(1, AccessKind::Receive)));
        assert!(channel(1, AccessKind::Send).conflicts_with(channel(1, AccessKind::Send)));
        assert!(channel(1, AccessKind::Read).conflicts_with(channel(1, AccessKind::Receive)));
        assert!(!channel(1, AccessKind::Send).conflicts_with(channel(2, AccessKind::Send)));
        assert!(access(Resource::All, AccessKind::Read).conflicts_with(own(1)));
        assert!(!independent(&[access(Resource::All, AccessKind::Read)], &[]) && independent(&[own(1)], &[]));
    }

    #[test]
    fn accesses_are_kept_once() {
        let mut footprints = Footprints::new();
        let (one, two) =
            (access(Resource::Shared(0, 1), AccessKind::Read), access(Resource::Processes, AccessKind::Write));
        footprints.add_up_to(2, [one, two, one, one]);
        footprints.add_up_to(2, [one]);
        footprints.add_up_to(3, []);
        assert_eq!(footprints.len(), 3);
        assert_eq!((footprints.of(0), footprints.of(1), footprints.of(2)), (&[two, one][..], &[two, one][..], &[][..]));
        assert!(independent(footprints.of(0), footprints.of(2)) && !independent(footprints.of(0), footprints.of(1)));
    }
}
