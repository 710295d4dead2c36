//! What steps depend on.
//!
//! A footprint says what a step reads and writes in the state it starts from: of the state's bytes, in which channels it
//! sends or receives, and whether it has to do with which processes there are. It is what the step really did there, not
//! what its text could do, so that independence is that of the state (Godefroid & Pirottin 1993, "Refining dependencies
//! improves partial-order verification methods").
//!
//! # Contract
//! Two steps of one state that are [`independent`] commute there: after either of them the other one is enabled, under
//! the same name and with the same footprint, and both orders lead to the same state. Where one of them [`renames`] what it
//! leads to, all that is so but for the names after it.
//!
//! [`renames`]: Footprints::renames

/// What a step does to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum How {
    /// Looks at it.
    Read,
    /// Changes it.
    Write,
    /// Puts a message at the end of a channel that has room for it.
    Send,
    /// Takes the message at the head of a channel that has one.
    Receive,
}

/// Something in a state that steps share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Thing {
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

/// A thing, and what a step does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mark {
    /// What.
    pub thing: Thing,
    /// How.
    pub how: How,
}

impl Mark {
    /// Whether the order of two steps with these marks may matter.
    #[inline]
    pub fn clashes(self, other: Mark) -> bool {
        let overlap = match (self.thing, other.thing) {
            (Thing::All, _) | (_, Thing::All) => return true,
            (Thing::Shared(a, b), Thing::Shared(c, d)) => a < d && c < b,
            (Thing::Own(one, a, b), Thing::Own(two, c, d)) => one == two && a < d && c < b,
            (one, two) => one == two,
        };
        let harmless = matches!(
            (self.how, other.how),
            (How::Read, How::Read) | (How::Send, How::Receive) | (How::Receive, How::Send)
        );
        overlap && !harmless
    }
}

/// Whether the order of two steps with these footprints does not matter in the state they were made for. What has to do with
/// everything has to do with every step, also with one that neither reads nor writes.
pub fn independent(one: &[Mark], other: &[Mark]) -> bool {
    let with_all = |marks: &[Mark]| marks.first().is_some_and(|mark| mark.thing == Thing::All);
    !with_all(one) && !with_all(other) && !one.iter().any(|mark| other.iter().any(|&two| mark.clashes(two)))
}

/// The footprints of the steps of a state.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    marks: Vec<Mark>,
    /// Where the marks of each step are. Steps may have theirs in common.
    steps: Vec<(usize, usize)>,
    /// The steps that rename, in order.
    renaming: Vec<usize>,
}

impl Footprints {
    /// No steps.
    pub fn new() -> Self {
        Footprints::default()
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.marks.clear();
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

    /// Adds steps until there are `len`, all with these marks.
    pub fn add_up_to(&mut self, len: usize, marks: impl IntoIterator<Item = Mark>) {
        if self.steps.len() >= len {
            return;
        }
        let start = self.marks.len();
        self.marks.extend(marks);
        self.marks[start..].sort_unstable();
        let mut end = start;
        for at in start..self.marks.len() {
            if at == start || self.marks[at] != self.marks[end - 1] {
                self.marks[end] = self.marks[at];
                end += 1;
            }
        }
        self.marks.truncate(end);
        self.steps.resize(len, (start, end));
    }

    /// Says that a step renames what it leads to: the names of steps mean others there. It comes after all of which that was
    /// said.
    pub fn note_renaming(&mut self, step: usize) {
        debug_assert!(self.renaming.last().is_none_or(|&last| last < step));
        self.renaming.push(step);
    }

    /// Whether a step renames what it leads to.
    pub fn renames(&self, step: usize) -> bool {
        self.renaming.binary_search(&step).is_ok()
    }

    /// What a step reads and writes.
    pub fn of(&self, step: usize) -> &[Mark] {
        let (start, end) = self.steps[step];
        &self.marks[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(thing: Thing, how: How) -> Mark {
        Mark { thing, how }
    }

    #[test]
    fn reads_do_not_clash_with_reads_nor_sends_with_receives() {
        let x = Thing::Shared(4, 8);
        assert!(!mark(x, How::Read).clashes(mark(x, How::Read)));
        assert!(mark(x, How::Read).clashes(mark(Thing::Shared(7, 9), How::Write)));
        assert!(!mark(x, How::Write).clashes(mark(Thing::Shared(8, 9), How::Write)));
        assert!(!mark(x, How::Write).clashes(mark(Thing::Own(0, 4, 8), How::Write)));
        let own = |process| mark(Thing::Own(process, 0, 2), How::Write);
        assert!(own(1).clashes(own(1)) && !own(1).clashes(own(2)));
        let channel = |name, how| mark(Thing::Channel(name), how);
        assert!(!channel(1, How::Send).clashes(channel(1, How::Receive)));
        assert!(channel(1, How::Send).clashes(channel(1, How::Send)));
        assert!(channel(1, How::Read).clashes(channel(1, How::Receive)));
        assert!(!channel(1, How::Send).clashes(channel(2, How::Send)));
        assert!(mark(Thing::All, How::Read).clashes(own(1)));
        assert!(!independent(&[mark(Thing::All, How::Read)], &[]) && independent(&[own(1)], &[]));
    }

    #[test]
    fn marks_are_kept_once() {
        let mut prints = Footprints::new();
        let (one, two) = (mark(Thing::Shared(0, 1), How::Read), mark(Thing::Processes, How::Write));
        prints.add_up_to(2, [one, two, one, one]);
        prints.add_up_to(2, [one]);
        prints.add_up_to(3, []);
        assert_eq!(prints.len(), 3);
        assert_eq!((prints.of(0), prints.of(1), prints.of(2)), (&[two, one][..], &[two, one][..], &[][..]));
        assert!(independent(prints.of(0), prints.of(2)) && !independent(prints.of(0), prints.of(1)));
    }
}
