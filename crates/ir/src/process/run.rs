//! Processes start (`run`) and end.

use super::exec::StateUpdate;
use crate::context::EvalError;
use crate::{Action, Expr, Run};
use tightrope_core::{FaultKind, Resource};

/// The most processes there can be.
pub const MAX_PROCESSES: usize = 255;

/// The most channels there can be: their names are bytes, and 0 is none.
pub const MAX_CHANNELS: usize = 255;

impl StateUpdate<'_> {
    /// Starts the processes of all `run` in `expr`, and returns their values.
    pub(super) fn start_all(&mut self, expr: &Expr) -> Result<Vec<i32>, EvalError> {
        if !self.starts {
            return Ok(Vec::new());
        }
        let mut runs: Vec<&Run> = Vec::new();
        expr.walk(&mut |expr| {
            if let Expr::Run(run) = expr {
                runs.push(run);
            }
        });
        let mut started = Vec::new();
        for run in runs {
            let args: Result<Vec<i32>, EvalError> = run.args.iter().map(|arg| self.eval(arg)).collect();
            let priority = self.eval(&run.priority)?;
            started.push(self.start_process(run.kind, &args?, priority)?);
        }
        Ok(started)
    }

    /// Makes a process and returns its number.
    pub fn start_process(&mut self, kind: u8, args: &[i32], priority: i32) -> Result<i32, EvalError> {
        self.note(|| Resource::Processes);
        let list = self.start + self.program.schema.fixed_size as usize;
        let count = self.bytes[list] as usize;
        if count >= MAX_PROCESSES {
            let message = format!("there cannot be more than {MAX_PROCESSES} processes at a time");
            return Err(EvalError::new(FaultKind::Processes, message));
        }
        let process = &self.program.processes[kind as usize];
        self.bytes[list] += 1;
        self.bytes.insert(list + 1 + count, kind);
        let body = self.bytes.len();
        self.bytes.extend_from_slice(&process.body);
        for (&(offset, ty), &value) in process.params.iter().zip(args) {
            ty.repr.store(&mut self.bytes[body..], offset as usize, ty.wrap(value));
        }
        if let Some(offset) = process.priority {
            self.bytes[body + offset as usize] = priority as u8;
        }
        self.find_layout()?;
        if self.current_layout().channels.len() > MAX_CHANNELS {
            let message = format!("there cannot be more than {MAX_CHANNELS} channels at a time");
            return Err(EvalError::new(FaultKind::Channel, message));
        }
        let creator = std::mem::replace(&mut self.pid, count);
        let initialised: Result<(), EvalError> = process.initialisers.iter().try_for_each(|action| match action {
            Action::Assign(variable, expr) => {
                let value = self.eval(expr)?;
                self.assign(variable, value)
            }
            _ => Ok(()),
        });
        self.pid = creator;
        initialised?;
        Ok(count as i32)
    }

    /// Removes the youngest process and what it owns.
    pub(super) fn end_process(&mut self) {
        self.note(|| Resource::Processes);
        let layout = self.current_layout();
        let first = layout.first_channel.get(self.pid).map_or(0, |&first| first as usize);
        // Its channels end with it.
        (first..layout.channels.len()).for_each(|channel| self.note(|| Resource::Channel(channel as u32 + 1)));
        let list = self.start + self.program.schema.fixed_size as usize;
        let count = self.bytes[list] as usize;
        let body = self.layouts.get(self.layout).bodies[count - 1] as usize;
        self.bytes.truncate(self.start + body);
        self.bytes.remove(list + count);
        self.bytes[list] -= 1;
        self.find_layout().expect("a state without its youngest process is a state");
    }

    pub(super) fn find_layout(&mut self) -> Result<(), EvalError> {
        let found = self.layouts.find(self.program, &self.bytes[self.start..]);
        self.layout = found.ok_or_else(|| EvalError::new(FaultKind::Error, "the state lost its form"))?;
        Ok(())
    }
}
