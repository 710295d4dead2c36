//! What every search does alike: it offers states to the store, counts, watches the limits, and keeps the shortest violation.

use crate::Task;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{
    Budget, CacheStats, Edge, Fault, FaultKind, Figures, Found, Model, Observe, Outcome, Place, Progress, Reason,
    Refused, Remap, Reservation, Resolved, Scratch, SearchConfig, StateId, StepClass, Store, Successors, Terminal,
    Trace, Verdict, Violation,
};

/// States between two reports of progress, and at most between two looks at the clock.
const TICK: u64 = 512;

/// From this share of repeated insertions on a cache that evicts too much is given up.
const REPEATED: f64 = 0.5;

/// Why a search over a store that decides later is no answer.
const UNRESOLVED: &str = "the store decides later which states are new, and this search does not ask it to";

/// Why a store is refused that breaks the contract of [`Store::reencode`].
const OLD_IDS: &str = "a store that evicts states, decides later or knows parents must not re-encode its states";

/// Why a search ends before it has seen everything.
pub(crate) enum End {
    /// A violation was found, and one is enough.
    Found,
    /// It had to stop.
    Stopped(Reason),
}

impl From<Refused> for End {
    fn from(refused: Refused) -> End {
        End::Stopped(refused.into())
    }
}

/// A search under way.
pub(crate) struct Exploration<'a, 'o, O: ?Sized> {
    pub model: &'a dyn Model,
    pub store: &'a mut dyn Store,
    pub config: &'a SearchConfig,
    pub budget: &'a Arc<Budget>,
    pub observer: &'o mut O,
    pub figures: Figures,
    /// The observer hears of every state and step, and may want to end the search.
    pub is_watched: bool,
    /// The store evicts what is not pinned.
    evicts: bool,
    /// It wants to know by steps of which classes states are reached.
    pub wants_classes: bool,
    /// The model's working space for checking states.
    checking: Scratch,
    /// The search finds short violations before long ones.
    pub shortest: bool,
    /// The violation that is kept, and what its trace takes.
    violation: Option<Box<Violation>>,
    kept: Reservation,
    /// With `--all`, what was violated and how often.
    faults: Vec<(Fault, u64)>,
    /// How many candidates the store has not decided yet ([`Found::Undecided`]), and how many of them steps led to.
    undecided: u64,
    undecided_steps: u64,
    until_tick: u64,
    /// The states from one look at the clock to the next.
    between_looks: u64,
    /// The states since the last report of progress, when the clock was looked at last.
    since_progress: u64,
    last_look: Instant,
}

impl<'a, 'o, O: Observe + ?Sized> Exploration<'a, 'o, O> {
    /// Begins a task; the buffer for successors stays outside so that states in it can be passed in.
    pub fn new(task: Task<'a>, observer: &'o mut O) -> (Self, &'a mut Successors) {
        let Task { model, store, config, budget, successors, provisos: _, frontier: _, spill: _ } = task;
        successors.set_budget(budget);
        let (evicts, wants_classes) = store.evicts().map_or((false, false), |evicts| (true, evicts.wants_classes()));
        let is_watched = observer.watches_steps();
        let visit = Exploration {
            model,
            store,
            config,
            budget,
            observer,
            figures: Figures::default(),
            is_watched,
            evicts,
            wants_classes,
            checking: Scratch::default(),
            shortest: false,
            violation: None,
            kept: Reservation::new(budget.clone()),
            faults: Vec::new(),
            undecided: 0,
            undecided_steps: 0,
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
            let asked = if self.is_watched { self.observer.stop() } else { None };
            let stop = self.config.interrupt.raised().or(asked);
            return stop.map_or(Ok(()), |reason| Err(End::Stopped(reason)));
        }
        self.pace();
        if let Some(reason) = self.config.stop().or_else(|| self.observer.stop()) {
            return Err(End::Stopped(reason));
        }
        if self.since_progress < TICK {
            return Ok(());
        }
        self.since_progress = 0;
        let (waiting, bytes) = frontier();
        self.note_frontier(waiting, bytes);
        self.figures.stored_peak = self.figures.stored_peak.max(self.store.len());
        let repeated = self.cache_stats().and_then(|figures| figures.lately.or(figures.repeated()));
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
    pub fn offer_initial(&mut self, state: &[u8]) -> Result<Found, Refused> {
        let found = self.store.insert(state, None)?;
        self.note_found(found);
        self.observer.initial(found, state);
        Ok(found)
    }

    /// Has the store re-encode its states in a smaller form, and tells `remap` their new ids; false if it has none. That can
    /// take a while, so the clock is looked at meanwhile.
    pub fn reencode_store(&mut self, remap: &mut Remap<'_>) -> Result<bool, End> {
        let (config, mut stop, mut count) = (self.config, None, 0u64);
        let reencoded = self.store.reencode(&mut |old, new| {
            count += 1;
            if count.is_multiple_of(TICK) {
                stop = config.stop();
                if stop.is_some() {
                    return Err(Refused::Memory);
                }
            }
            remap(old, new)
        });
        match stop {
            Some(reason) => Err(End::Stopped(reason)),
            None if reencoded? => {
                // The ids of states that were expanded are not kept up to date.
                let asks_for_ids = self.evicts || self.store.delays().is_some() || self.store.parents().is_some();
                if asks_for_ids { Err(Refused::Other(OLD_IDS).into()) } else { Ok(true) }
            }
            None => Ok(false),
        }
    }

    /// Offers the state that a step leads to to the store, which may re-encode its states: `remap` is told of their new ids. Also
    /// says whether they have some.
    #[inline]
    pub fn offer_and(&mut self, via: Edge, state: &[u8], remap: &mut Remap<'_>) -> Result<(Found, bool), End> {
        let (found, reencoded) = match self.store.insert(state, Some(via)) {
            Ok(found) => (found, false),
            Err(refused) => {
                if !self.reencode_store(remap)? {
                    return Err(refused.into());
                }
                (self.store.insert(state, Some(via))?, true)
            }
        };
        self.note_step(found);
        if self.is_watched {
            self.observer.step(via.parent, via.step, found, state);
        }
        Ok((found, reencoded))
    }

    /// Keeps a state in the store that may be needed again, until it is released as often.
    #[inline]
    pub fn pin(&mut self, id: StateId) {
        if self.evicts
            && let Some(pins) = self.store.pins()
        {
            pins.pin(id);
        }
    }

    /// Lets the store evict a state that was pinned.
    #[inline]
    pub fn release(&mut self, id: StateId) {
        if self.evicts
            && let Some(pins) = self.store.pins()
        {
            pins.release(id);
        }
    }

    /// Tells the store by a step of what class a state was reached.
    #[inline]
    pub fn reached(&mut self, found: Found, class: StepClass) {
        if let (Found::New(id) | Found::Seen(id), Some(evicts)) = (found, self.store.evicts()) {
            evicts.reached(id, class);
        }
    }

    /// Tells a store that evicts that the next level begins.
    pub fn next_level(&mut self) {
        if let Some(evicts) = self.store.evicts() {
            evicts.next_level();
        }
    }

    /// An error if so much is evicted that the search might not end.
    #[inline]
    pub fn watch_collisions(&mut self) -> Result<(), End> {
        let Some(most) = self.config.max_collision.filter(|_| self.evicts) else { return Ok(()) };
        match self.cache_stats() {
            // As long as hardly anything is visited again, evictions do no harm.
            Some(stats) if stats.collision_rate() > most && stats.repeated().is_none_or(|share| share > REPEATED) => {
                Err(End::Stopped(Reason::CollisionRate))
            }
            _ => Ok(()),
        }
    }

    /// The figures of the store as a cache, if it is one.
    fn cache_stats(&mut self) -> Option<CacheStats> {
        if self.evicts { self.store.evicts().map(|evicts| evicts.cache_stats()) } else { None }
    }

    /// Counts a step that leads to a state, of which the store knew this.
    #[inline]
    pub fn note_step(&mut self, found: Found) {
        self.figures.transitions += 1;
        self.figures.matched += u64::from(matches!(found, Found::Seen(_)));
        self.undecided_steps += u64::from(found == Found::Undecided);
        self.note_found(found);
    }

    /// Counts so many steps that lead to states, so many of them new, the others seen.
    #[inline]
    pub fn note_steps(&mut self, steps: usize, new: usize) {
        self.figures.transitions += steps as u64;
        self.figures.matched += (steps - new) as u64;
        self.figures.states += new as u64;
    }

    fn note_found(&mut self, found: Found) {
        match found {
            Found::New(_) => self.figures.states += 1,
            Found::Seen(_) | Found::Nowhere => {}
            Found::Undecided => self.undecided += 1,
        }
    }

    /// Whether the store has candidates to decide, as many as it has room for.
    pub fn candidates_are_full(&mut self) -> bool {
        self.undecided > 0 && self.store.delays().is_some_and(|delays| delays.is_full())
    }

    /// Has the store decide its candidates, and calls `new` for each that turns out to be a new state.
    pub fn resolve(&mut self, new: &mut Resolved<'_>) -> Result<(), End> {
        if self.undecided == 0 {
            return Ok(());
        }
        let Some(delays) = self.store.delays() else { return Ok(()) };
        let (observer, mut initial, mut found) = (&mut *self.observer, 0, 0);
        delays.resolve(&mut |id, via, state| {
            *if via.is_none() { &mut initial } else { &mut found } += 1;
            observer.resolved(id, via, state);
            new(id, via, state)
        })?;
        self.figures.states += initial + found;
        self.figures.matched += self.undecided_steps - found;
        (self.undecided, self.undecided_steps) = (0, 0);
        Ok(())
    }

    /// Notes that a state is expanded, which has these steps. Returns what is wrong if it is a deadlock and that counts.
    #[inline]
    pub fn expanded(&mut self, id: StateId, state: &[u8], out: &Successors) -> Option<Fault> {
        if self.is_watched {
            let degree = (0..out.len()).filter(|&index| out.state(index).is_some()).count();
            self.observer.expand(id, state, degree);
        }
        self.note_expanded(out.len(), out.terminal)
    }

    /// Notes that a state is expanded and `fired` steps were found. Returns what is wrong if it is a deadlock and that
    /// counts.
    #[inline]
    pub fn note_expanded(&mut self, fired: usize, terminal: Terminal) -> Option<Fault> {
        self.figures.visits += 1;
        self.figures.fired += fired as u64;
        self.terminal(terminal)
    }

    /// Looks at the steps of a state that is not to be expanded. A refusal if there is no room for them.
    pub fn look(&mut self, state: &[u8], out: &mut Successors) -> Result<(), Refused> {
        self.model.successors(state, out);
        out.refused().map_or(Ok(()), Err)
    }

    /// Notes that a state at the depth limit was looked at, which has these steps. Without any it is expanded thereby, and that is a
    /// visit as everywhere else. Returns whether it has some, and what is wrong if it is a deadlock and that counts. A step
    /// that fails, or leads nowhere, is one as well: what comes of it is beyond the limit.
    pub fn looked_at_limit(&mut self, id: StateId, state: &[u8], out: &Successors) -> (bool, Option<Fault>) {
        let deadlock = if out.is_empty() { self.expanded(id, state, out) } else { self.terminal(out.terminal) };
        (!out.is_empty(), deadlock)
    }

    /// Counts a terminal state. Returns what is wrong if it is a deadlock and that counts.
    #[inline]
    pub fn terminal(&mut self, terminal: Terminal) -> Option<Fault> {
        match terminal {
            Terminal::No => return None,
            Terminal::ValidEnd => self.figures.ends += 1,
            Terminal::Deadlock | Terminal::Failed => self.figures.deadlocks += 1,
        }
        (terminal == Terminal::Deadlock && self.deadlock_is_violation()).then(|| Fault {
            kind: FaultKind::Deadlock,
            message: self.model.deadlock().into(),
            at: Place::default(),
        })
    }

    /// Whether a deadlock is a violation.
    pub fn deadlock_is_violation(&self) -> bool {
        let only = self.config.only;
        self.config.check && self.config.deadlock && only.is_none_or(|only| only == FaultKind::Deadlock)
    }

    /// What is wrong with a new state, if that counts. An error if that cannot be found out.
    #[inline]
    pub fn check(&mut self, state: &[u8]) -> Result<Option<Fault>, End> {
        if !self.config.check {
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
    pub fn counted(&self, fault: Option<Fault>) -> Result<Option<Fault>, End> {
        if fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::Limit) {
            return Err(End::Stopped(Reason::Limit(
                "calls of the model are nested too deep, or their local variables take too much, to be executed",
            )));
        }
        let counts = |fault: &Fault| self.config.check && self.config.only.is_none_or(|only| only == fault.kind);
        Ok(fault.filter(counts))
    }

    /// Records a violation `length` steps from an initial state; the trace is made only where it is kept: the first one,
    /// and each that is shorter, or half as long where the search does not look for the shortest. An error if the search is to
    /// end with it.
    pub fn record(
        &mut self,
        fault: Fault,
        length: u64,
        trace: impl FnOnce(&mut dyn Store, &mut Reservation) -> Result<Trace, Refused>,
    ) -> Result<(), End> {
        self.record_times(1, fault, length, trace)
    }

    /// The same for a violation that was found so many times.
    pub fn record_times(
        &mut self,
        times: u64,
        fault: Fault,
        length: u64,
        trace: impl FnOnce(&mut dyn Store, &mut Reservation) -> Result<Trace, Refused>,
    ) -> Result<(), End> {
        self.figures.violations += times;
        if self.config.all {
            self.count_fault(&fault, times);
        }
        // Going back step by step, a depth-first search may find many of them, each a little shorter than the one before.
        let is_kept = |kept: &Violation| {
            let kept = kept.trace.steps.len() as u64;
            if self.shortest { length < kept } else { 2 * length <= kept }
        };
        if self.violation.as_deref().is_none_or(is_kept) {
            self.observer.violation(&fault);
            let mut beyond = Reservation::new(self.budget.clone());
            let trace = trace(self.store, &mut beyond)?;
            debug_assert_eq!(trace.steps.len() as u64, length);
            let bytes = trace.steps.bytes();
            self.violation = Some(Box::new(Violation { fault, trace }));
            self.kept = beyond;
            if self.config.all {
                // The room that was kept free for it is given back as the path becomes shorter.
                self.kept.give_back(u64::MAX);
                self.kept.take(bytes)?;
            }
        }
        if self.config.all { Ok(()) } else { Err(End::Found) }
    }

    /// Counts a fault with those like it.
    fn count_fault(&mut self, fault: &Fault, times: u64) {
        if let Some((_, count)) = self.faults.iter_mut().find(|(known, _)| known == fault) {
            *count += times;
        } else if self.faults.len() < Outcome::MOST_FAULTS {
            self.faults.push((fault.clone(), times));
        }
    }

    /// Everything that came out.
    pub fn outcome(mut self, result: Result<(), End>) -> Outcome {
        self.observer.ended();
        self.figures.stored_peak = self.figures.stored_peak.max(self.store.len());
        self.figures.rebuilt = self.store.rebuilding().map_or(0, |rebuilding| rebuilding.steps);
        self.figures.fired += self.figures.rebuilt;
        if let Some(stats) = self.cache_stats() {
            self.figures.stored_peak = stats.peak;
            if stats.evicted > 0 {
                // What was new may have been there before. Certain are those that were there at one time.
                self.figures.states = stats.peak;
            }
        }
        if !self.config.all {
            // A shorter one that replaced the first is not a second one.
            self.figures.violations = self.figures.violations.min(1);
        }
        let stopped = match result {
            Err(End::Stopped(reason)) => Some(reason),
            Ok(()) | Err(End::Found) => None,
        };
        let verdict = match (self.violation, stopped) {
            (Some(violation), _) => Verdict::Violated(violation),
            (None, Some(reason)) => Verdict::Undecided(reason),
            // A search that does not have candidates decided has not followed them.
            (None, None) if self.undecided > 0 => Verdict::Undecided(Reason::Other(UNRESOLVED)),
            (None, None) => Verdict::Holds(self.store.claim()),
        };
        Outcome { verdict, figures: self.figures, stopped, faults: self.faults }
    }
}
