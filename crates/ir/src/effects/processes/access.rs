//! Static accesses: what an action may read and write, how it uses channels, and the conjuncts of its guard.

use crate::Expr;
use std::collections::{BTreeMap, BTreeSet};

/// Something that processes share, as the text of a program names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SharedObject {
    /// A declared global variable, whole.
    Global(u32),
    /// A declared variable of some process of a kind, which others read.
    Remote(u8, u32),
    /// The location of some process of a kind, which others read.
    Location(u8),
    /// A global channel.
    Channel(u32),
    /// A channel that the process owns.
    OwnChannel(u32),
    /// A channel whose name never changes for a process: the number of the expression that gives it.
    Named(u32),
    /// Some channel, known only at run time.
    AnyChannel,
    /// The list of processes.
    Processes,
    /// The location of the monitor.
    Monitor,
    /// A variable that no other process reads. It appears only in guards.
    Private,
    /// The whole state.
    All,
}

impl SharedObject {
    /// Whether it is a channel.
    pub fn is_channel(self) -> bool {
        matches!(
            self,
            SharedObject::Channel(_) | SharedObject::OwnChannel(_) | SharedObject::Named(_) | SharedObject::AnyChannel
        )
    }
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum StaticAccessKind {
    /// Reads it.
    Read,
    /// Writes it. Of a channel: changes it in any way, or may have to wait for it.
    Write,
    /// Appends a message to a channel.
    Send,
    /// Takes the message at the head of a channel.
    Receive,
    /// Depends on whether a channel is full.
    AskFull,
    /// Depends on whether a channel is empty, or on the message at its head.
    AskEmpty,
    /// Is enabled only while a channel is not full.
    NeedsRoom,
    /// Is enabled only while a channel is not empty.
    NeedsSome,
    /// Becomes ready, or is no longer ready, for a rendezvous on a channel.
    Offer,
    /// Depends on which processes are ready for a rendezvous on a channel.
    Meet,
}

impl StaticAccessKind {
    /// All kinds.
    pub const ALL: [StaticAccessKind; 10] = [
        StaticAccessKind::Read,
        StaticAccessKind::Write,
        StaticAccessKind::Send,
        StaticAccessKind::Receive,
        StaticAccessKind::AskFull,
        StaticAccessKind::AskEmpty,
        StaticAccessKind::NeedsRoom,
        StaticAccessKind::NeedsSome,
        StaticAccessKind::Offer,
        StaticAccessKind::Meet,
    ];
}

/// An access: to what, and of which kind.
pub type StaticAccess = (SharedObject, StaticAccessKind);

/// A set of accesses.
pub type Accesses = BTreeSet<StaticAccess>;

/// A conjunct of the guard of an action.
#[derive(Clone, Debug, Default)]
pub struct Conjunct {
    /// The expression that must not be zero, where the conjunct is one.
    pub test: Option<Expr>,
    /// What it depends on: [`StaticAccessKind::Send`] and [`StaticAccessKind::Receive`] stand for a send or receive that may be blocked.
    pub reads: Accesses,
    /// What it says of a channel where it is true, if it is about nothing else: that it is not empty, or not full.
    pub establishes: Option<StaticAccess>,
    /// What it depends on as well if the channel is a rendezvous channel: the fields that partners compare.
    pub fields: Accesses,
}

impl Conjunct {
    /// The accesses of something that depends on whether this conjunct is true.
    pub fn disabling_reads(&self) -> impl Iterator<Item = StaticAccess> + '_ {
        let reads = self.reads.iter().flat_map(|&(shared, kind)| {
            let kinds: &[StaticAccessKind] = match kind {
                StaticAccessKind::NeedsRoom | StaticAccessKind::AskFull => &[StaticAccessKind::AskFull],
                StaticAccessKind::NeedsSome | StaticAccessKind::AskEmpty => &[StaticAccessKind::AskEmpty],
                StaticAccessKind::Send => &[StaticAccessKind::AskFull, StaticAccessKind::Meet],
                StaticAccessKind::Receive => &[StaticAccessKind::AskEmpty, StaticAccessKind::Meet],
                _ => &[StaticAccessKind::Read],
            };
            kinds.iter().map(move |&kind| (shared, kind))
        });
        reads.chain(self.fields.iter().copied()).filter(|(shared, _)| *shared != SharedObject::Private)
    }
}

/// The effects of an action.
#[derive(Clone, Debug, Default)]
pub struct ActionEffects {
    /// What the guard and the first part of the action access.
    pub first: Accesses,
    /// What is accessed after that, in an indivisible sequence; and how often, where 2 stands for any number.
    pub later: BTreeMap<StaticAccess, u8>,
    /// The guard: all conjuncts must be true.
    pub guard: Vec<Conjunct>,
    /// The kinds of processes that it may start.
    pub starts: BTreeSet<u8>,
    /// It reads `timeout`.
    pub timeout: bool,
}

impl ActionEffects {
    /// Adds accesses that come later in the same step.
    pub fn add_later(&mut self, accesses: impl IntoIterator<Item = (StaticAccess, u8)>) {
        for (access, times) in accesses {
            let known = self.later.entry(access).or_insert(0);
            *known = known.saturating_add(times).min(2);
        }
    }

    /// The accesses of something that depends on whether the action is enabled.
    pub fn disabling_reads(&self) -> impl Iterator<Item = StaticAccess> + '_ {
        self.guard.iter().flat_map(Conjunct::disabling_reads)
    }
}
