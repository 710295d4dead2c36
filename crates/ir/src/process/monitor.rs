//! Trace assertions: an automaton that observes the messages on some channels (SPIN's `trace` and `notrace`).

use super::exec::StateUpdate;
use crate::context::EvalError;
use crate::{Pattern, Source};
use tightrope_core::{FaultKind, Resource};

/// An automaton over the messages on some channels, whose location is part of the state. A message on a watched channel
/// must match an event of the current location.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    /// The place of its location in the fixed part (one byte).
    pub offset: u32,
    /// Its locations: the events possible in each, where they lead, and whether it may end there.
    pub locations: Vec<(Vec<(MonitorEvent, u32)>, bool)>,
    /// The global channels whose sends it watches.
    pub sends: Vec<u32>,
    /// The global channels whose receives it watches.
    pub receives: Vec<u32>,
    /// True for a forbidden sequence: completing it is the fault; an event that does not match ends the observation.
    pub forbidden: bool,
    /// Where it is written.
    pub source: Source,
}

/// An event of a [`Monitor`].
#[derive(Clone, Debug, PartialEq)]
pub enum MonitorEvent {
    /// A send on a global channel whose fields match.
    Send(u32, Vec<Pattern>),
    /// A receive on a global channel whose fields match.
    Receive(u32, Vec<Pattern>),
}

impl Monitor {
    /// Whether the monitor may end where it is in a state.
    pub(super) fn may_end(&self, state: &[u8]) -> bool {
        let here = state.get(self.offset as usize).map_or(0, |&at| at as usize);
        self.locations.get(here).is_none_or(|(_, end)| *end)
    }
}

impl StateUpdate<'_> {
    /// Lets the monitor observe a message.
    pub(super) fn watch(&mut self, sent: bool, name: u32, values: &[i32]) -> Result<(), EvalError> {
        let program = self.program;
        let Some(monitor) = &program.monitor else { return Ok(()) };
        let watched = if sent { &monitor.sends } else { &monitor.receives };
        if !watched.contains(&(name - 1)) {
            return Ok(());
        }
        let offset = monitor.offset as usize;
        self.note(|| Resource::Shared(monitor.offset, monitor.offset + 1));
        let here = self.state()[offset] as usize;
        let over = monitor.locations.len() as u8;
        let Some((events, _)) = monitor.locations.get(here) else { return Ok(()) };
        let (next, ambiguous) = self.see(&[], |view| {
            let fits = |patterns: &[Pattern]| patterns.iter().zip(values).all(|(p, &value)| view.fits(p, value));
            let mut matching = events.iter().filter(|(event, _)| match event {
                MonitorEvent::Send(channel, patterns) => sent && channel + 1 == name && fits(patterns),
                MonitorEvent::Receive(channel, patterns) => !sent && channel + 1 == name && fits(patterns),
            });
            (matching.next(), matching.next().is_some())
        })?;
        if ambiguous {
            let message = "a message that two events of the trace assertion match at once";
            return Err(EvalError::new(FaultKind::Event, message));
        }
        match next {
            Some((_, next)) => {
                self.state()[offset] = *next as u8;
                if monitor.forbidden && monitor.locations[*next as usize].0.is_empty() {
                    let message = "the forbidden sequence of messages (notrace) is complete";
                    self.complaints.push(EvalError::new(FaultKind::Event, message));
                }
            }
            None if monitor.forbidden => self.state()[offset] = over,
            None => {
                let message = "a message that the trace assertion does not allow here";
                self.complaints.push(EvalError::new(FaultKind::Event, message));
            }
        }
        Ok(())
    }
}
