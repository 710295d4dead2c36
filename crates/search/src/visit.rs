//! What every search does alike: it expands states, offers their successors to the store, counts, watches the limits,
//! and keeps the shortest violation.

use crate::Task;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{
    Budget, Claim, Edge, Fault, FaultKind, Figures, Forgetting, Found, Limits, Model, Observe, Outcome, OverBudget,
    Place, Progress, Reason, Refusal, Renamed, Scratch, StateId, StepKind, Store, Stuck, Successors, Trace, Verdict,
    Violation,
};

/// States between two reports of progress, and at most between two looks at the clock.
const TICK: u64 = 512;

/// Why a search ends before it has seen everything.
pub(crate) enum End {
    /// A violation was found, and one is enough.
    Found,
    /// It had to stop.
    Stopped(Reason),
}

impl From<OverBudget> for End {
    fn from(_: OverBudget) -> End {
        End::Stopped(Reason::Memory)
    }
}

impl From<Refusal> for End {
    fn from(refused: Refusal) -> End {
        End::Stopped(match refused {
            Refusal::Memory => Reason::Memory,
            Refusal::Limit => Reason::Limit("the steps of a state take more than 4 GiB"),
        })
    }
}

/// A search under way.
pub(crate) struct Visit<'a, 'o, O: ?Sized> {
    pub model: &'a dyn Model,
    pub store: &'a mut dyn Store,
    pub limits: &'a Limits,
    pub budget: &'a Arc<Budget>,
    pub observer: &'o mut O,
    pub figures: Figures,
    /// The store forgets what is not pinned.
    forgets: bool,
    /// It wants to know by which kinds of steps states are reached.
    pub wants_kinds: bool,
    /// The model's working space for checking states.
    checking: Scratch,
    /// The search finds short violations before long ones.
    pub shortest: bool,
    /// The violation that is kept.
    violation: Option<Box<Violation>>,
    /// With `--all`, what was violated and how often.
    faults: Vec<(Fault, u64)>,
    /// A store put off an answer that it never gave, so that not everything was looked at.
    unanswered: bool,
    until_tick: u64,
    /// The states from one look at the clock to the next.
    between_looks: u64,
    /// The states since the last report of progress, when the clock was looked at last.
    since_progress: u64,
    last_look: Instant,
}

impl<'a, 'o, O: Observe + ?Sized> Visit<'a, 'o, O> {
    /// Begins a task; the buffer for successors stays outside so that states in it can be passed in.
    pub fn new(task: Task<'a>, observer: &'o mut O) -> (Self, &'a mut Successors) {
        let Task { model, store, limits, budget, successors } = task;
        successors.set_budget(budget);
        let (forgets, wants_kinds) = store.forgets().map_or((false, false), |forgets| (true, forgets.wants_kinds()));
        let visit = Visit {
            model,
            store,
            limits,
            budget,
            observer,
            figures: Figures::default(),
            forgets,
            wants_kinds,
            checking: Scratch::default(),
            shortest: false,
            violation: None,
            faults: Vec::new(),
            unanswered: false,
            until_tick: 0,
            between_looks: 1,
            since_progress: TICK - 1,
            last_look: Instant::now(),
        };
        (visit, successors)
    }

    /// Looks at the clock now and then. `frontier` is how many states wait and the bytes they take.
    #[inline]
    pub fn tick(&mut self, depth: u64, frontier: impl FnOnce() -> (u64, u64)) -> Result<(), End> {
        if self.until_tick > 0 {
            self.until_tick -= 1;
            return self.limits.interrupt.raised().map_or(Ok(()), |reason| Err(End::Stopped(reason)));
        }
        self.pace();
        if let Some(reason) = self.limits.stop() {
            return Err(End::Stopped(reason));
        }
        if self.since_progress < TICK {
            return Ok(());
        }
        self.since_progress = 0;
        let (waiting, bytes) = frontier();
        self.note_frontier(waiting, bytes);
        self.figures.stored_peak = self.figures.stored_peak.max(self.store.len());
        let repeated = self.forgetting().and_then(|figures| figures.lately.or(figures.repeated()));
        self.observer.progress(Progress {
            states: self.figures.states,
            transitions: self.figures.transitions,
            frontier: waiting,
            depth,
            bytes: self.store.bytes() + bytes,
            repeated,
        });
        Ok(())
    }

    /// Sets when the clock is looked at next: after some milliseconds, if states take as long as they did. The number of states
    /// between is a power of two, so that what is reported after every [`TICK`] states does not depend on the time.
    fn pace(&mut self) {
        self.since_progress += self.between_looks;
        let now = Instant::now();
        let taken = now - std::mem::replace(&mut self.last_look, now);
        let fits = self.since_progress.is_multiple_of(2 * self.between_looks);
        if taken < Duration::from_millis(4) && self.between_looks < TICK && fits {
            self.between_looks *= 2;
        } else if taken > Duration::from_millis(40) && self.between_looks > 1 {
            self.between_looks /= 2;
        }
        self.until_tick = self.between_looks - 1;
    }

    /// Keeps the peaks.
    #[inline]
    pub fn note_frontier(&mut self, waiting: u64, bytes: u64) {
        self.figures.frontier_peak = self.figures.frontier_peak.max(waiting);
        self.figures.frontier_bytes = self.figures.frontier_bytes.max(bytes);
    }

    /// Offers an initial state to the store.
    pub fn offer_initial(&mut self, state: &[u8]) -> Result<Found, OverBudget> {
        let found = self.store.insert(state, None)?;
        self.note_found(found);
        self.observer.initial(found, state);
        Ok(found)
    }

    /// Lets the store take a smaller form, and tells `renamed` the names of states; false if it has none. That can take a
    /// while, so the clock is looked at meanwhile.
    pub fn shrink_store(&mut self, renamed: &mut Renamed<'_>) -> Result<bool, End> {
        let (limits, mut stop, mut count) = (self.limits, None, 0u64);
        let shrunk = self.store.shrink(&mut |old, new| {
            count += 1;
            if count.is_multiple_of(TICK) {
                stop = limits.stop();
                if stop.is_some() {
                    return Err(OverBudget { asked: 0, left: 0 });
                }
            }
            renamed(old, new)
        });
        match stop {
            Some(reason) => Err(End::Stopped(reason)),
            None => Ok(shrunk?),
        }
    }

    /// Lets the store take a smaller form, where nothing here depends on the names of states. An error if it has none.
    pub fn shrink(&mut self, refused: impl Into<End>) -> Result<(), End> {
        if self.shrink_store(&mut |_, _| Ok(()))? { Ok(()) } else { Err(refused.into()) }
    }

    /// Offers the state that a step leads to to the store.
    #[inline]
    pub fn offer(&mut self, via: Edge, state: &[u8]) -> Result<Found, End> {
        Ok(self.offer_and(via, state, &mut |_, _| Ok(()))?.0)
    }

    /// The same where the names of states matter: `renamed` is told of those that change. Also says whether they did.
    #[inline]
    pub fn offer_and(&mut self, via: Edge, state: &[u8], renamed: &mut Renamed<'_>) -> Result<(Found, bool), End> {
        let (found, shrunk) = match self.store.insert(state, Some(via)) {
            Ok(found) => (found, false),
            Err(refused) => {
                if !self.shrink_store(renamed)? {
                    return Err(refused.into());
                }
                (self.store.insert(state, Some(via))?, true)
            }
        };
        self.note_step(found);
        self.observer.step(via.parent, via.step, found, state);
        Ok((found, shrunk))
    }

    /// Keeps a state in the store that may be needed again, until it is released as often.
    #[inline]
    pub fn pin(&mut self, id: StateId) {
        if self.forgets
            && let Some(forgets) = self.store.forgets()
        {
            forgets.pin(id);
        }
    }

    /// Lets the store forget a state that was pinned.
    #[inline]
    pub fn release(&mut self, id: StateId) {
        if self.forgets
            && let Some(forgets) = self.store.forgets()
        {
            forgets.release(id);
        }
    }

    /// Tells the store by what kind of step a state was reached.
    #[inline]
    pub fn reached(&mut self, found: Found, kind: StepKind) {
        if let (Found::New(id) | Found::Seen(id), Some(forgets)) = (found, self.store.forgets()) {
            forgets.reached(id, kind);
        }
    }

    /// What the store has forgotten so far, if it does.
    fn forgetting(&mut self) -> Option<Forgetting> {
        if self.forgets { self.store.forgets().map(|forgets| forgets.forgetting()) } else { None }
    }

    /// Counts a step that leads to a state, of which the store knew this.
    #[inline]
    pub fn note_step(&mut self, found: Found) {
        self.figures.transitions += 1;
        self.figures.matched += u64::from(matches!(found, Found::Seen(_)));
        self.note_found(found);
    }

    /// Counts so many steps that lead to states, so many of them new, the others seen.
    #[inline]
    pub fn note_steps(&mut self, steps: usize, new: usize) {
        self.figures.transitions += steps as u64;
        self.figures.matched += (steps - new) as u64;
        self.figures.states += new as u64;
    }

    /// A state whose novelty is not known is not followed: no search here asks the store again later. The verdict
    /// then claims no more than a part.
    fn note_found(&mut self, found: Found) {
        match found {
            Found::New(_) => self.figures.states += 1,
            Found::Seen(_) => {}
            Found::Undecided => self.unanswered = true,
        }
    }

    /// Fills `out` by `expand`. Where there is no room for all steps, the store takes a smaller form, if it has one and nothing
    /// here depends on the names of states; else an error.
    #[inline]
    pub fn steps(&mut self, out: &mut Successors, mut expand: impl FnMut(&mut Successors)) -> Result<(), End> {
        expand(out);
        while let Some(refused) = out.refused() {
            out.release();
            self.shrink(refused)?;
            expand(out);
        }
        Ok(())
    }

    /// Notes that a state is expanded, which has these steps. Returns what is wrong if it is a deadlock and that counts.
    #[inline]
    pub fn expanded(&mut self, id: StateId, state: &[u8], out: &Successors) -> Option<Fault> {
        let degree = (0..out.len()).filter(|&index| out.state(index).is_some()).count();
        self.observer.expand(id, state, degree);
        self.note_expanded(out.len(), out.stuck)
    }

    /// Notes that a state is expanded and `fired` steps were found. Returns what is wrong if it is a deadlock and that
    /// counts.
    #[inline]
    pub fn note_expanded(&mut self, fired: usize, stuck: Stuck) -> Option<Fault> {
        self.figures.visits += 1;
        self.figures.fired += fired as u64;
        self.stuck(stuck)
    }

    /// Looks at a state that is not to be expanded because of a limit. Returns whether it leads further, and what is
    /// wrong if it is a deadlock and that counts.
    pub fn look(&mut self, state: &[u8], out: &mut Successors) -> Result<(bool, Option<Fault>), End> {
        self.model.successors(state, out);
        match out.refused() {
            None => Ok((!out.is_empty(), self.stuck(out.stuck))),
            Some(refused) => Err(refused.into()),
        }
    }

    /// Counts a state that is stuck. Returns what is wrong if it is a deadlock and that counts.
    #[inline]
    pub fn stuck(&mut self, stuck: Stuck) -> Option<Fault> {
        match stuck {
            Stuck::No => return None,
            Stuck::Ended => self.figures.ends += 1,
            Stuck::Deadlock | Stuck::Failed => self.figures.deadlocks += 1,
        }
        (stuck == Stuck::Deadlock && self.minds_deadlocks()).then(|| Fault {
            kind: FaultKind::Deadlock,
            message: self.model.deadlock().into(),
            at: Place::default(),
        })
    }

    /// Whether a deadlock is a violation.
    pub fn minds_deadlocks(&self) -> bool {
        self.limits.check && self.limits.deadlock
    }

    /// What is wrong with a new state, if that counts. An error if that cannot be found out.
    #[inline]
    pub fn check(&mut self, state: &[u8]) -> Result<Option<Fault>, End> {
        if !self.limits.check {
            return Ok(None);
        }
        let fault = self.model.check(state, &mut self.checking);
        self.counted(fault)
    }

    /// What went wrong in a step, if that counts. An error if the step could not be executed.
    #[inline]
    pub fn fault(&self, out: &Successors, index: usize) -> Result<Option<Fault>, End> {
        match out.fault(index) {
            None => Ok(None),
            Some(fault) => self.counted(Some(fault.clone())),
        }
    }

    /// A fault if it is looked for. Behind what cannot be executed there may be anything.
    fn counted(&self, fault: Option<Fault>) -> Result<Option<Fault>, End> {
        if fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::Limit) {
            return Err(End::Stopped(Reason::Limit(
                "calls of the model are nested too deep, or their local variables take too much, to be executed",
            )));
        }
        let counts = |fault: &Fault| self.limits.check && self.limits.only.is_none_or(|only| only == fault.kind);
        Ok(fault.filter(counts))
    }

    /// Records a violation `length` steps from an initial state; the trace is made only where it is kept: the first one,
    /// and each that is shorter, or half as long where the search does not look for the shortest. An error if the search is to
    /// end with it.
    pub fn record(&mut self, fault: Fault, length: u64, trace: impl FnOnce() -> Trace) -> Result<(), End> {
        self.figures.violations += 1;
        if self.limits.all {
            self.count_fault(&fault);
        }
        // Going back step by step, a depth-first search may find many of them, each a little shorter than the one before.
        let is_kept = |kept: &Violation| {
            let kept = kept.trace.steps.len() as u64;
            if self.shortest { length < kept } else { 2 * length <= kept }
        };
        if self.violation.as_deref().is_none_or(is_kept) {
            self.observer.violation(&fault);
            let trace = trace();
            debug_assert_eq!(trace.steps.len() as u64, length);
            self.violation = Some(Box::new(Violation { fault, trace }));
        }
        if self.limits.all { Ok(()) } else { Err(End::Found) }
    }

    /// Counts a fault with those like it.
    fn count_fault(&mut self, fault: &Fault) {
        if let Some((_, count)) = self.faults.iter_mut().find(|(known, _)| known == fault) {
            *count += 1;
        } else if self.faults.len() < Outcome::MOST_FAULTS {
            self.faults.push((fault.clone(), 1));
        }
    }

    /// Everything that came out.
    pub fn outcome(mut self, result: Result<(), End>) -> Outcome {
        self.observer.ended();
        self.figures.stored_peak = self.figures.stored_peak.max(self.store.len());
        if let Some(forgetting) = self.forgetting() {
            self.figures.stored_peak = forgetting.peak;
            if forgetting.evicted > 0 {
                // What was new may have been there before. Certain are those that were there at one time.
                self.figures.states = forgetting.peak;
            }
        }
        if !self.limits.all {
            // A shorter one that replaced the first is not a second one.
            self.figures.violations = self.figures.violations.min(1);
        }
        let stopped = match result {
            // Memory is not what was missing where a structure can hold no more.
            Err(End::Stopped(Reason::Memory)) => Some(self.store.at_limit().map_or(Reason::Memory, Reason::Limit)),
            Err(End::Stopped(reason)) => Some(reason),
            Ok(()) | Err(End::Found) => None,
        };
        let claim = if self.unanswered { Claim::Partial } else { self.store.claim() };
        let verdict = match (self.violation, stopped) {
            (Some(violation), _) => Verdict::Violated(violation),
            (None, Some(reason)) => Verdict::Undecided(reason),
            (None, None) => Verdict::Holds(claim),
        };
        Outcome { verdict, figures: self.figures, stopped, faults: self.faults }
    }
}
