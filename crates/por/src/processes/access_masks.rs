//! Which kinds of access depend on each other, and which may enable each other, as bit masks.
//!
//! Both relations are refined by the state: they differ with whether a channel has room and whether it has a message (Godefroid
//! & Pirottin 1993, "Refining dependencies improves partial-order verification methods").

use super::AccessTime;
use tightrope_ir::effects::processes::StaticAccessKind;

/// Kinds of access, as bits.
pub type KindMask = u16;

/// A kind as a bit.
pub fn mask(kind: StaticAccessKind) -> KindMask {
    1 << kind as u32
}

fn masks(kinds: &[StaticAccessKind]) -> KindMask {
    kinds.iter().fold(0, |all, &kind| all | mask(kind))
}

/// The kinds of access in the futures of others that an access `own` of the next step depends on.
///
/// The next step `t` and a run `u` of others are independent if `u` neither disables `t` nor changes its outcomes, `t` does not
/// disable `u`, and `t u` and `u t` lead to the same state. After `t` there may be more outcomes of `u`.
pub fn dependent_kinds(own: StaticAccessKind) -> KindMask {
    use StaticAccessKind::{AskEmpty, AskFull, Meet, NeedsRoom, NeedsSome, Offer, Read, Receive, Send};
    let reads = |kind: StaticAccessKind| matches!(kind, Read | AskFull | AskEmpty | NeedsRoom | NeedsSome | Meet);
    let are_independent = |later: StaticAccessKind| match (own, later) {
        // Only `Meet` depends on which processes are ready for a handshake.
        (Offer, later) => later != Meet,
        (own, Offer) => own != Meet,
        (one, two) if reads(one) && reads(two) => true,
        // A receive does not take away room, and a send does not change the message at the head.
        (Send | AskFull, Receive) | (Receive | AskEmpty, Send) => true,
        // `NeedsSome` before a send, or `NeedsRoom` before a receive, was true already. It is still true after it.
        (Send, NeedsSome) | (Receive, NeedsRoom) => true,
        _ => false,
    };
    StaticAccessKind::ALL.into_iter().filter(|&later| !are_independent(later)).map(mask).fold(0, |all, kind| all | kind)
}

/// The kind of an access that may be repeated, or happen in another state than the present one: nothing is known of whether
/// there is room or a message.
pub fn kind_in_any_state(kind: StaticAccessKind) -> StaticAccessKind {
    match kind {
        StaticAccessKind::Read
        | StaticAccessKind::AskFull
        | StaticAccessKind::AskEmpty
        | StaticAccessKind::NeedsRoom
        | StaticAccessKind::NeedsSome => StaticAccessKind::Read,
        StaticAccessKind::Write | StaticAccessKind::Send | StaticAccessKind::Receive => StaticAccessKind::Write,
        StaticAccessKind::Offer | StaticAccessKind::Meet => kind,
    }
}

/// The kind of an access to a channel in the present state, given whether it has room and whether it has a message.
pub fn kind_in_state(kind: StaticAccessKind, time: AccessTime, has_room: bool, has_message: bool) -> StaticAccessKind {
    use StaticAccessKind::{AskEmpty, AskFull, NeedsRoom, NeedsSome, Receive, Send};
    match (kind, time) {
        (Send, AccessTime::Start | AccessTime::Later) if has_room => kind,
        (Receive, AccessTime::Start | AccessTime::Later) if has_message => kind,
        (AskFull | NeedsRoom, AccessTime::Start) if has_room => AskFull,
        (AskEmpty | NeedsSome, AccessTime::Start) if has_message => AskEmpty,
        _ => kind_in_any_state(kind),
    }
}

/// A channel that a condition reads.
#[derive(Clone, Copy)]
pub struct ChannelCondition {
    pub is_buffered: bool,
    pub has_room: bool,
    pub has_message: bool,
}

/// The kinds of access that may make a false condition true which reads in this way: a channel as described, or something
/// else.
pub fn enabling_kinds(read: StaticAccessKind, channel: Option<ChannelCondition>) -> KindMask {
    use StaticAccessKind::{AskEmpty, AskFull, NeedsRoom, NeedsSome, Receive, Send, Write};
    let Some(ChannelCondition { is_buffered, has_room, has_message }) = channel else { return mask(Write) };
    match read {
        NeedsRoom => masks(&[Receive, Write]),
        NeedsSome => masks(&[Send, Write]),
        // Whether the channel is empty, or full, must change.
        AskEmpty if is_buffered => masks(if has_message { &[Receive, Write] } else { &[Send, Write] }),
        AskFull if is_buffered => masks(if has_room { &[Send, Write] } else { &[Receive, Write] }),
        Send if is_buffered => masks(&[Receive, Write]),
        // An empty channel needs a message, another one a different message at its head.
        Receive if is_buffered && !has_message => masks(&[Send, Write]),
        Receive if is_buffered => masks(&[Receive, Write]),
        _ => masks(&[Send, Receive, Write]),
    }
}

/// Where the number of messages of a buffered channel is in the state, and its capacity.
pub type MessageCount = Option<(u32, u8)>;

/// Whether a channel has room (the lower bit) and whether it has a message (the upper bit): a number below four.
#[inline]
pub fn fill(state: &[u8], count: MessageCount) -> usize {
    count.map_or(0, |(at, capacity)| {
        let length = state[at as usize];
        usize::from(length < capacity) | usize::from(length > 0) << 1
    })
}

/// What `masks` gives for each value of [`fill`], from whether there is room and whether there is a message.
pub fn by_fill(count: MessageCount, masks: impl Fn(bool, bool) -> KindMask) -> [KindMask; 4] {
    match count {
        Some(_) => [0, 1, 2, 3].map(|fill| masks(fill & 1 != 0, fill & 2 != 0)),
        None => [masks(false, false); 4],
    }
}
