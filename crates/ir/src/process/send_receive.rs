//! Sends and receives.

use super::exec::{ActionOutcome, StateUpdate};
use super::rendezvous::Handshake;
use crate::context::EvalError;
use crate::{Channel, Pattern, Receive, Send};
use tightrope_core::{AccessKind, FaultKind, Resource};

impl StateUpdate<'_> {
    pub(super) fn send(&mut self, send: &Send) -> Result<ActionOutcome, EvalError> {
        let program = self.program;
        let (name, at, channel, given) = self.see(&[], |view| {
            let name = view.channel_name(&send.chan);
            let (at, index) = match view.channel_named(name) {
                Some((at, _)) => (at, view.layout.channels[name as usize - 1].1 as usize),
                None => (0, 0),
            };
            (name, at, index, send.args.iter().map(|arg| view.eval(arg)).collect::<Vec<i32>>())
        })?;
        let channel = &program.channels[channel];
        if given.len() != channel.fields.len() {
            return Err(arity("sent to", given.len(), channel));
        }
        let values: Vec<i32> = given.iter().zip(&channel.fields).map(|(&value, ty)| ty.wrap(value)).collect();
        if program.monitor.is_some() {
            self.watch(true, name, &values)?;
        }
        if channel.capacity == 0 {
            // The channel ends with the process that owns it.
            self.log.inspect(|log| log.add(Resource::Channel(name), AccessKind::Read));
            return Ok(ActionOutcome::Offered(Handshake { channel: name, values }));
        }
        if let Some(log) = self.log {
            // Where a sorted send inserts depends on the messages in the channel.
            log.add(Resource::Channel(name), if send.sorted { AccessKind::Write } else { AccessKind::Send });
        }
        self.put(at, channel, send.sorted.then_some(&given), &values)?;
        Ok(ActionOutcome::Moved)
    }

    /// Puts a message at the end, or, sorted, before the first larger one. The fields are compared before they are cut
    /// to their types, as SPIN does.
    pub(super) fn put(
        &mut self,
        at: usize,
        channel: &Channel,
        sorted: Option<&Vec<i32>>,
        values: &[i32],
    ) -> Result<(), EvalError> {
        let size = channel.slot_size() as usize;
        let (length, slot) = self.see(&[], |view| {
            let length = view.length(at, channel);
            let slot = sorted.and_then(|given| (0..length).find(|&slot| view.message(at, channel, slot) > *given));
            (length, slot.unwrap_or(length))
        })?;
        let state = self.state();
        let first = at + 1 + slot * size;
        let last = at + 1 + length * size;
        state.copy_within(first..last, first + size);
        state[at] += 1;
        let mut field = first;
        for (ty, &value) in channel.fields.iter().zip(values) {
            ty.repr.store(state, field, value);
            field += ty.size() as usize;
        }
        Ok(())
    }

    pub(super) fn receive(&mut self, receive: &Receive, handshake: Option<&Handshake>) -> Result<(), EvalError> {
        let program = self.program;
        let (name, at, channel, slot, values) = self
            .see(&[], |view| {
                let name = view.channel_name(&receive.chan);
                let (at, channel) = match view.layout.channels.get((name as usize).wrapping_sub(1)) {
                    Some(&(at, channel)) => (at as usize, &program.channels[channel as usize]),
                    None => return None,
                };
                let slot = view.matching(receive, handshake)?;
                let values = match handshake {
                    Some(handshake) => handshake.values.clone(),
                    None => view.message(at, channel, slot),
                };
                Some((name, at, channel, slot, values))
            })?
            .ok_or_else(|| EvalError::new(FaultKind::Channel, "nothing to receive"))?;
        if receive.patterns.len() != channel.fields.len() {
            return Err(arity("received from", receive.patterns.len(), channel));
        }
        for (field, (pattern, &value)) in receive.patterns.iter().zip(&values).enumerate() {
            // SPIN's trace assertion is evaluated when the last field is read, so it sees the variables that the other
            // fields were stored in.
            if field + 1 == values.len() && !receive.keep && program.monitor.is_some() {
                self.watch(false, name, &values)?;
            }
            if let Pattern::Bind(variable) = pattern {
                self.assign(variable, value)?;
            }
        }
        if receive.keep {
            return Ok(());
        }
        self.offered = 0;
        if handshake.is_none() {
            if let Some(log) = self.log {
                log.add(
                    Resource::Channel(name),
                    if receive.anywhere { AccessKind::Write } else { AccessKind::Receive },
                );
            }
            let size = channel.slot_size() as usize;
            let state = self.state();
            let length = state[at] as usize;
            let first = at + 1 + slot * size;
            let last = at + 1 + length * size;
            state.copy_within(first + size..last, first);
            state[last - size..last].fill(0);
            state[at] -= 1;
        }
        Ok(())
    }
}

fn arity(verb: &str, given: usize, channel: &Channel) -> EvalError {
    let message = format!("{given} fields are {verb} a channel whose messages have {}", channel.fields.len());
    EvalError::new(FaultKind::Channel, message)
}
