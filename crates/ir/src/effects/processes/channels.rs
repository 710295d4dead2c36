//! Accesses to channels: which channel an expression names, and what using it accesses.

use super::EffectAnalysis;
use super::access::{Accesses, ActionEffects, SharedObject, StaticAccessKind};
use crate::effects::operations::{of_expr, of_monitor};
use crate::{Base, ChanRef, Expr};

impl EffectAnalysis<'_> {
    /// What is read to find a channel by its name. Where the name is not always the same, the channel may belong to a process
    /// that ends, or that is still to start.
    pub(super) fn name(&self, kind: u8, chan: &ChanRef, effects: &mut ActionEffects) -> Accesses {
        let mut accesses = Accesses::new();
        if let ChanRef::Named(name) = chan {
            of_expr(name, &mut |operation| self.operation(kind, operation, &mut accesses, effects));
            if self.channel(kind, chan) == SharedObject::AnyChannel {
                accesses.insert((SharedObject::Processes, StaticAccessKind::Read));
            }
        }
        accesses
    }

    /// A channel, as far as it is known.
    pub(super) fn channel(&self, kind: u8, chan: &ChanRef) -> SharedObject {
        match chan {
            ChanRef::Global(position) => SharedObject::Channel(*position),
            ChanRef::Own(position) => SharedObject::OwnChannel(*position),
            ChanRef::Named(name) => match &**name {
                Expr::Const(name) if *name > 0 && (*name as usize) <= self.program.global_channels.len() => {
                    SharedObject::Channel(*name as u32 - 1)
                }
                Expr::OwnChannel(position) => SharedObject::OwnChannel(*position),
                name if self.is_constant(kind, name) => self.named(name),
                _ => SharedObject::AnyChannel,
            },
        }
    }

    /// Whether a channel may be a rendezvous channel.
    pub(super) fn may_meet(&self, kind: u8, chan: &ChanRef) -> bool {
        let channels = &self.program.channels;
        let process = self.program.processes.get(kind as usize);
        let owned = match self.channel(kind, chan) {
            SharedObject::Channel(position) => self.program.global_channels.get(position as usize),
            SharedObject::OwnChannel(position) => process.and_then(|process| process.channels.get(position as usize)),
            _ => None,
        };
        match owned {
            Some(owned) => channels[owned.channel as usize].capacity == 0,
            None => channels.iter().any(|channel| channel.capacity == 0),
        }
    }

    /// Whether the value of an expression never changes for a process.
    pub(super) fn is_constant(&self, kind: u8, expr: &Expr) -> bool {
        let mut constant = true;
        expr.walk(&mut |expr| {
            constant &= match expr {
                Expr::OwnPid | Expr::OwnChannel(_) => true,
                Expr::Load(variable) => {
                    variable.base == Base::Own && !self.changed.contains(&(kind, variable.declared))
                }
                other => other.is_calculation(),
            }
        });
        constant
    }

    pub(super) fn named(&self, name: &Expr) -> SharedObject {
        let mut names = self.names.borrow_mut();
        let number = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push(name.clone());
            names.len() - 1
        });
        SharedObject::Named(number as u32)
    }

    /// An access to a channel, and the accesses to find it.
    pub(super) fn uses(
        &self,
        kind: u8,
        chan: &ChanRef,
        how: StaticAccessKind,
        accesses: &mut Accesses,
        effects: &mut ActionEffects,
    ) {
        accesses.extend(self.name(kind, chan, effects));
        accesses.insert((self.channel(kind, chan), how));
    }

    /// What the monitor does when a message is sent or received, where it may watch the channel.
    pub(super) fn watched(
        &self,
        kind: u8,
        chan: &ChanRef,
        sent: bool,
        accesses: &mut Accesses,
        effects: &mut ActionEffects,
    ) {
        let Some(monitor) = &self.program.monitor else { return };
        let list = if sent { &monitor.sends } else { &monitor.receives };
        let watched = match self.channel(kind, chan) {
            SharedObject::Channel(position) => list.contains(&position),
            SharedObject::OwnChannel(_) => false,
            _ => true,
        };
        if watched {
            accesses.insert((SharedObject::Monitor, StaticAccessKind::Write));
            of_monitor(monitor, &mut |operation| self.operation(kind, operation, accesses, effects));
        }
    }
}
