//! Channels: where they lie in a state, which messages they hold, and which message a receive takes.

use super::eval::ProcessView;
use super::rendezvous::Handshake;
use crate::{ChanRef, Pattern, Receive, Type};
use tightrope_core::{AccessKind, FaultKind, Resource};

/// A type of channel. Its body in the state is the number of messages in a byte, then the slots; empty slots are zero.
/// A rendezvous channel has no slots and no body.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The number of slots.
    pub capacity: u8,
    /// The fields of a message.
    pub fields: Vec<Type>,
}

impl Channel {
    /// The bytes of one slot.
    pub fn slot_size(&self) -> u32 {
        self.fields.iter().map(|field| field.size()).sum()
    }

    /// The bytes of the body.
    pub fn size(&self) -> u32 {
        if self.capacity == 0 { 0 } else { 1 + u32::from(self.capacity) * self.slot_size() }
    }
}

/// A channel at its place in the fixed part or in a process's body.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedChannel {
    /// Its type: an index into [`Program::channels`].
    pub channel: u32,
    /// The place of its body.
    pub offset: u32,
    /// Its name for people.
    pub name: String,
}

impl<'a> ProcessView<'a> {
    /// The name of a channel; 0 is none.
    pub fn channel_name(&self, chan: &ChanRef) -> u32 {
        match chan {
            ChanRef::Global(position) => position + 1,
            ChanRef::Own(position) => self.layout.first_channel.get(self.pid).map_or(0, |&first| first + position + 1),
            ChanRef::Named(name) => self.eval(name) as u32,
        }
    }

    /// The place and type of a channel; an error if there is no such channel.
    #[inline]
    pub fn channel(&self, chan: &ChanRef) -> Option<(usize, &'a Channel)> {
        self.channel_named(self.channel_name(chan))
    }

    /// Whether the channel of that name is gone with the process that owned it. A process that still has its name finds
    /// it empty.
    pub(super) fn is_gone(&self, name: u32) -> bool {
        name as usize > self.layout.channels.len()
    }

    /// The place and type of the channel of that name; an error if there is none.
    pub fn channel_named(&self, name: u32) -> Option<(usize, &'a Channel)> {
        match self.layout.channels.get((name as usize).wrapping_sub(1)) {
            Some(&(at, channel)) => Some((at as usize, &self.program.channels[channel as usize])),
            None => {
                let message = match name {
                    0 => String::from("a channel is used before it is initialised"),
                    _ => format!("there is no channel number {name} (any more)"),
                };
                self.fail(FaultKind::Channel, message);
                None
            }
        }
    }

    /// The number of messages in the channel at `at`.
    #[inline]
    pub fn length(&self, at: usize, channel: &Channel) -> usize {
        if channel.capacity == 0 { 0 } else { self.state[at] as usize }
    }

    /// The number of messages in the channel of that name. A rendezvous channel has one while a message is on offer.
    pub(super) fn messages(&self, name: u32, at: usize, channel: &Channel) -> usize {
        if channel.capacity == 0 { usize::from(name == self.offered) } else { self.length(at, channel) }
    }

    pub(super) fn field(&self, at: usize, channel: &Channel, slot: usize, field: usize) -> i32 {
        let before: u32 = channel.fields[..field].iter().map(|ty| ty.size()).sum();
        let at = at + 1 + slot * channel.slot_size() as usize + before as usize;
        channel.fields[field].repr.load(self.state, at)
    }

    /// The fields of the message in a slot.
    pub fn message(&self, at: usize, channel: &Channel, slot: usize) -> Vec<i32> {
        (0..channel.fields.len()).map(|field| self.field(at, channel, slot, field)).collect()
    }

    /// The slot of the message that a receive would take; none if it would block. In a rendezvous only the message on
    /// offer can be taken (its slot is 0).
    pub fn matching(&self, receive: &Receive, handshake: Option<&Handshake>) -> Option<usize> {
        if let Some(handshake) = handshake {
            // A receive whose channel is an error takes no part in the rendezvous; the fault belongs to its own step.
            let before = self.error.take();
            let name = self.channel_name(&receive.chan);
            if self.error.replace(before).is_some() {
                return None;
            }
            if receive.keep && name == handshake.channel {
                self.fail(FaultKind::Channel, "a message cannot be left in a channel without slots".into());
                return None;
            }
            let fits = name == handshake.channel
                && receive.patterns.iter().zip(&handshake.values).all(|(pattern, &value)| self.fits(pattern, value));
            return fits.then_some(0);
        }
        let name = self.channel_name(&receive.chan);
        if self.is_gone(name) {
            self.note(|| Resource::Processes);
            return None;
        }
        let (at, channel) = self.channel_named(name)?;
        let length = self.length(at, channel);
        let candidates = if receive.anywhere { length } else { length.min(1) };
        let found = (0..candidates).find(|&slot| {
            receive.patterns.iter().take(channel.fields.len()).enumerate().all(|(field, pattern)| match pattern {
                Pattern::Equal(value) => self.eval(value) == self.field(at, channel, slot, field),
                Pattern::Any | Pattern::Bind(_) => true,
            })
        });
        if let Some(log) = self.log {
            // Taking the head is independent of a send, which appends at the end.
            let head = found.is_some() && !receive.anywhere && !receive.keep;
            log.add(Resource::Channel(name), if head { AccessKind::Receive } else { AccessKind::Read });
        }
        found
    }

    /// Whether a value matches a pattern.
    pub fn fits(&self, pattern: &Pattern, value: i32) -> bool {
        match pattern {
            Pattern::Equal(wanted) => self.eval(wanted) == value,
            Pattern::Any | Pattern::Bind(_) => true,
        }
    }
}
