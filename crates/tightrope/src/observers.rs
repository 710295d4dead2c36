//! What watches a search from the command line: the measure, the recorder of the transition system, the audit, the line of progress, and
//! the watchdog.

use crate::audit::Audit;
use crate::progress::ProgressLine;
use crate::watchdog::{self, Phase};
use tightrope_core::{Edge, Fault, Found, Observe, Progress, Reason, StateId, Step};
use tightrope_search::{LtsRecorder, Measure};

/// All observers of a search at once.
pub struct Observers<'m, 't> {
    /// The measure of the state space.
    pub measure: Option<Measure>,
    /// The recorder of the transition system.
    pub record: Option<LtsRecorder<'m, 't>>,
    /// The audit.
    pub audit: Option<Audit<'m>>,
    /// The line of progress.
    pub line: Option<ProgressLine>,
    /// The first violation is the end of the search.
    pub ends_with_one: bool,
}

impl Observe for Observers<'_, '_> {
    fn initial(&mut self, found: Found, state: &[u8]) {
        if let Some(measure) = &mut self.measure {
            measure.initial(found, state);
        }
        if let Some(record) = &mut self.record {
            record.initial(found, state);
        }
        if let Some(audit) = &mut self.audit {
            audit.initial(found, state);
        }
    }

    fn level(&mut self, depth: u64, width: u64) {
        if let Some(measure) = &mut self.measure {
            measure.level(depth, width);
        }
    }

    fn watches_steps(&self) -> bool {
        self.measure.is_some() || self.record.is_some() || self.audit.is_some()
    }

    fn takes_undecided(&self) -> bool {
        self.measure.is_none() && self.record.is_none()
    }

    fn expand(&mut self, id: StateId, state: &[u8], degree: usize) {
        if let Some(measure) = &mut self.measure {
            measure.expand(id, state, degree);
        }
        if let Some(record) = &mut self.record {
            record.expand(id, state, degree);
        }
        if let Some(audit) = &mut self.audit {
            audit.expand(id, state, degree);
        }
    }

    fn step(&mut self, from: StateId, step: Step, to: Found, state: &[u8]) {
        if let Some(measure) = &mut self.measure {
            measure.step(from, step, to, state);
        }
        if let Some(record) = &mut self.record {
            record.step(from, step, to, state);
        }
        if let Some(audit) = &mut self.audit {
            audit.step(from, step, to, state);
        }
    }

    fn resolved(&mut self, id: StateId, via: Option<Edge>, state: &[u8]) {
        if let Some(measure) = &mut self.measure {
            measure.resolved(id, via, state);
        }
        if let Some(record) = &mut self.record {
            record.resolved(id, via, state);
        }
        if let Some(audit) = &mut self.audit {
            audit.resolved(id, via, state);
        }
    }

    fn stop(&self) -> Option<Reason> {
        self.record.as_ref()?.stop()
    }

    fn ended(&mut self) {
        watchdog::phase(Phase::Ending);
    }

    fn violation(&mut self, fault: &Fault) {
        watchdog::note_found(fault);
        if self.ends_with_one {
            watchdog::phase(Phase::Replaying);
        }
    }

    fn progress(&mut self, progress: Progress) {
        watchdog::note_states(progress.states);
        watchdog::settle_account();
        if let Some(line) = &mut self.line {
            line.progress(progress);
        }
    }
}
