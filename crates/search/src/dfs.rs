//! Depth-first search with an explicit stack.
//!
//! A state is offered to the store when the search descends into it; until then it waits on one stack of bytes
//! together with its untried siblings. A frame is the step that led to a state and how many of its successors
//! are still untried. The trace of a violation is the stack.
//!
//! Invariant: the bytes on the stack are exactly the untried successors of the frames, the youngest frame's on top,
//! in the order in which they are to be tried from the top down.
//!
//! Bytes: 28 per step on the current path, and the untried successors along it with 20 bytes each beside the state;
//! nothing else beyond the store. Depth is reported in statements as SPIN does, also inside a step that comes to a state that
//! is known; the limit is on steps. Counterexamples can be as long as the longest path without a repeated state. With a
//! depth limit, a state first met at the limit is not expanded later, even if a shorter path leads to it (as in SPIN);
//! the verdict says so. States on the path are pinned, so that a store may evict the others: an evicted state is
//! visited again, up to where it meets the path or a stored state. Not where short counterexamples matter, nor where
//! paths are so long that the stack outgrows the store.

use crate::counterexample::TraceSteps;
use crate::exploration::{End, Exploration};
use crate::{Stack, Task};
use tightrope_core::{
    Edge, Fault, Found, Observe, Outcome, Reason, Refused, StateId, Step, StepClass, Steps, Successors, Trace,
};
use tightrope_por::PorStack;

/// A state on the path. Packed, for paths can be long.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
struct Frame {
    /// Of no meaning once the store has re-encoded its states: a store that asks for the ids of the path does not.
    id: StateId,
    /// The step that led here; of no meaning in the first frame.
    action: u64,
    choice: u32,
    /// Of how many statements that step was.
    statements: u32,
    /// How many of its successors are on the stack.
    untried: u32,
}

const _: () = assert!(size_of::<Frame>() == 28);

/// What stands behind the bytes of an untried state: its length and the class of the step that leads to it, the step, and of
/// how many statements it is.
const TRAILER: usize = 24;
/// The bits of the length; those above are the class.
const LENGTH_BITS: u32 = 29;

/// The length of a state and the class of the step that leads to it, in one word.
fn length_and_class(length: usize, class: StepClass) -> Result<u32, Refused> {
    let length = u32::try_from(length).ok().filter(|length| length >> LENGTH_BITS == 0);
    let length =
        length.ok_or(Refused::Limit("the stack of a depth-first search holds no states of 512 MiB or more"))?;
    Ok(length | u32::from(class.number()) << LENGTH_BITS)
}

/// An untried successor.
struct Untried<'a> {
    step: Step,
    /// Its number among the steps of the state.
    number: u32,
    class: StepClass,
    statements: u32,
    state: &'a [u8],
}

/// Visits all states depth-first.
pub fn dfs<O: Observe + ?Sized>(task: Task<'_>, observer: &mut O) -> Outcome {
    let provisos = task.provisos;
    let (visit, out) = Exploration::new(task, observer);
    if visit.store.evicts().is_some() && visit.store.pins().is_none() {
        return visit.outcome(Err(Refused::Other("the store cannot pin the states of the path").into()));
    }
    // A counterexample is made of the path while that is still there.
    let (path, untried) = (Stack::with_room(visit.budget, Steps::ROOM as usize), Stack::new(visit.budget));
    let (sleep, stubborn) = (visit.config.sleep, visit.config.stubborn);
    let por = (sleep || stubborn).then(|| PorStack::new(sleep, stubborn, provisos.path, visit.budget));
    let mut dfs = Dfs { visit, path, untried, depth: 0, por, initial: 0, cut: false };
    let model = dfs.visit.model;
    let mut result = Ok(());
    model.initial(&mut |state| {
        if result.is_ok() {
            result = dfs.run(state, out);
            dfs.initial += 1;
        }
    });
    if result.is_ok() && dfs.cut {
        result = Err(End::Stopped(Reason::Depth));
    }
    dfs.visit.outcome(result)
}

struct Dfs<'a, 'o, O: ?Sized> {
    visit: Exploration<'a, 'o, O>,
    path: Stack<Frame>,
    untried: Stack<u8>,
    /// The statements of the path.
    depth: u64,
    /// What is left out along the path, where there are reductions.
    por: Option<PorStack>,
    /// The number of the initial state the path begins at.
    initial: u32,
    /// Something was left out because of the depth limit.
    cut: bool,
}

impl<O: Observe + ?Sized> Dfs<'_, '_, O> {
    /// Visits everything that can be reached from an initial state and was not visited yet.
    fn run(&mut self, initial: &[u8], out: &mut Successors) -> Result<(), End> {
        let found = match self.visit.offer_initial(initial) {
            Ok(found) => found,
            Err(refused) => {
                self.reencode(refused, StateId::NAMELESS)?;
                self.visit.offer_initial(initial)?
            }
        };
        let Found::New(id) = found else { return Ok(()) };
        self.enter(id, (Step::default(), 0), initial, out, false)?;
        let mut state = Vec::new();
        while let Some(frame) = self.path.last_mut() {
            if frame.untried == 0 {
                let done = frame.id;
                self.depth -= u64::from(frame.statements);
                self.path.pop(1);
                self.visit.release(done);
                if let Some(por) = &mut self.por {
                    por.leave();
                }
                continue;
            }
            frame.untried -= 1;
            let parent = frame.id;
            let Untried { step, number, class, statements, state: next } = self.untried_on_top();
            state.clear();
            state.extend_from_slice(next);
            self.untried.pop(state.len() + TRAILER);
            if let Some(por) = &mut self.por {
                por.try_next();
            }
            let found = self.offer(Edge { parent, step, number }, &state)?;
            if self.visit.wants_classes {
                self.visit.reached(found, class);
            }
            if let Found::New(id) = found {
                self.enter(id, (step, statements), &state, out, false)?;
                continue;
            }
            self.been_at(self.depth + u64::from(statements) - 1);
            if let (Some(por), Found::Seen(id)) = (&mut self.por, found)
                && por.matched(id, &state)
            {
                self.enter(id, (step, statements), &state, out, true)?;
            }
        }
        Ok(())
    }

    /// Has the store re-encode its states; an error if it has no smaller form. Sleep sets that are stored with states follow them to
    /// their new ids. Returns the new id of the state `id`.
    fn reencode(&mut self, refused: Refused, mut id: StateId) -> Result<StateId, End> {
        let (por, old_id) = (&mut self.por, id);
        let reencoded = self.visit.reencode_store(&mut |old, new| {
            if let Some(por) = por.as_mut() {
                por.remap(old, new);
            }
            if old == old_id {
                id = new;
            }
            Ok(())
        })?;
        if !reencoded {
            return Err(refused.into());
        }
        if let Some(por) = &mut self.por {
            por.finish_remapping();
        }
        Ok(id)
    }

    /// Offers a state to the store, which may re-encode its states and give them new ids.
    fn offer(&mut self, via: Edge, state: &[u8]) -> Result<Found, End> {
        let por = &mut self.por;
        let (found, is_renamed) = self.visit.offer_and(via, state, &mut |old, new| {
            if let Some(por) = por.as_mut() {
                por.remap(old, new);
            }
            Ok(())
        })?;
        if let Some(por) = self.por.as_mut().filter(|_| is_renamed) {
            por.finish_remapping();
        }
        Ok(found)
    }

    /// Notes how deep it has been.
    #[inline]
    fn been_at(&mut self, depth: u64) {
        self.visit.figures.depth = self.visit.figures.depth.max(depth);
    }

    /// Notes how deep it has been in the state at the end of the path, which has these steps, with what did not become a step.
    #[inline]
    fn been_at_failed_attempt(&mut self, out: &Successors) {
        let lengths = self.visit.model.statements();
        self.been_at(self.depth + u64::from(lengths.map_or(0, |lengths| lengths.of_failed_attempt(out))));
    }

    /// Descends into a state by a step of so many statements: checks it, expands it, and puts its successors on the stack. It is
    /// a new one, or one that has to be visited `again`, which was checked before.
    fn enter(
        &mut self,
        mut id: StateId,
        by: (Step, u32),
        state: &[u8],
        out: &mut Successors,
        again: bool,
    ) -> Result<(), End> {
        let (Step { action, choice }, statements) = by;
        let depth = self.depth + u64::from(statements);
        self.tick(depth)?;
        self.path.push([&[Frame { id, action, choice, statements, untried: 0 }]])?;
        self.depth = depth;
        self.visit.pin(id);
        self.been_at(depth);
        self.visit.figures.frontier_peak = self.visit.figures.frontier_peak.max(self.path.len() as u64);
        if !again && let Some(fault) = self.visit.check(state)? {
            self.record(fault, None)?;
        }
        if self.visit.config.depth.is_some_and(|limit| self.path.len() as u64 > limit) {
            while let Err(refused) = self.visit.look(state, out) {
                out.release();
                id = self.reencode(refused, id)?;
            }
            if let Some(por) = &mut self.por {
                por.enter(id, state, None)?;
            }
            let (further, deadlock) = self.visit.looked_at_limit(id, state, out);
            self.cut |= further;
            if !further {
                self.been_at_failed_attempt(out);
            }
            return deadlock.map_or(Ok(()), |fault| self.record(fault, None));
        }
        let model = self.visit.model;
        loop {
            match &mut self.por {
                None => model.successors(state, out),
                Some(por) => por.expand(model, state, out),
            }
            let Some(refused) = out.refused() else { break };
            out.release();
            id = self.reencode(refused, id)?;
        }
        if let Some(por) = &mut self.por {
            por.enter(id, state, Some(out))?;
        }
        let deadlock = self.visit.expanded(id, state, out);
        self.been_at_failed_attempt(out);
        let lengths = model.statements();
        if let Some(fault) = deadlock {
            self.record(fault, None)?;
        }
        for index in (0..out.len()).filter(|_| !again) {
            if let Some(fault) = self.visit.fault(out, index)? {
                self.record(fault, Some(out.step(index)))?;
            }
        }
        for index in (0..out.len()).rev() {
            let step = out.step(index);
            if let Some(next) = out.state(index)
                && self.por.as_ref().is_none_or(|por| por.wants(index))
            {
                let class =
                    if self.visit.wants_classes { self.visit.model.step_class(state, step) } else { StepClass::LAST };
                let statements = lengths.map_or(1, |lengths| lengths.of_step(out, index));
                self.put(Untried { step, number: index as u32, class, statements, state: next })?;
            }
        }
        self.visit.figures.frontier_bytes = self.visit.figures.frontier_bytes.max(self.bytes());
        Ok(())
    }

    /// Puts an untried successor of the last frame on the stack.
    fn put(&mut self, untried: Untried<'_>) -> Result<(), Refused> {
        let Untried { step, number, class, statements, state } = untried;
        let mut trailer = [0; TRAILER];
        trailer[..4].copy_from_slice(&length_and_class(state.len(), class)?.to_le_bytes());
        trailer[4..8].copy_from_slice(&step.choice.to_le_bytes());
        trailer[8..16].copy_from_slice(&step.action.to_le_bytes());
        trailer[16..20].copy_from_slice(&statements.to_le_bytes());
        trailer[20..].copy_from_slice(&number.to_le_bytes());
        self.untried.push([state, &trailer])?;
        self.path.last_mut().expect("the state being expanded").untried += 1;
        Ok(())
    }

    /// The untried successor on top of the stack.
    fn untried_on_top(&self) -> Untried<'_> {
        let (rest, trailer) = self.untried.top().split_at(self.untried.top().len() - TRAILER);
        let four = |at: usize| u32::from_le_bytes(trailer[at..at + 4].try_into().expect("four bytes"));
        let action = u64::from(four(8)) | u64::from(four(12)) << 32;
        let length = (four(0) & ((1 << LENGTH_BITS) - 1)) as usize;
        let class = StepClass::new((four(0) >> LENGTH_BITS) as u8);
        let (step, state) = (Step { action, choice: four(4) }, &rest[rest.len() - length..]);
        Untried { step, number: four(20), class, statements: four(16), state }
    }

    /// Records a violation at the end of the path, or in one more step from there.
    fn record(&mut self, fault: Fault, last: Option<Step>) -> Result<(), End> {
        let Dfs { visit, path, initial, .. } = self;
        let length = path.len() - 1 + usize::from(last.is_some());
        visit.record(fault, length as u64, |_, beyond| {
            let taken = path.iter().skip(1).map(|frame| Step { action: frame.action, choice: frame.choice });
            let mut steps = TraceSteps::new(beyond);
            taken.chain(last).try_for_each(|step| steps.push(step))?;
            Ok(Trace { initial: *initial, steps: steps.finish() })
        })
    }

    fn bytes(&self) -> u64 {
        self.path.bytes() + self.untried.bytes() + self.por.as_ref().map_or(0, PorStack::bytes)
    }

    fn tick(&mut self, depth: u64) -> Result<(), End> {
        let (waiting, bytes) = (self.path.len() as u64, self.bytes());
        self.visit.tick(depth, || (waiting, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_whose_length_does_not_fit_is_refused() {
        for (class, length) in [(StepClass::new(0), 0), (StepClass::LAST, (1 << LENGTH_BITS) - 1)] {
            let word = length_and_class(length, class).unwrap();
            assert_eq!(word as usize & ((1 << LENGTH_BITS) - 1), length);
            assert_eq!(StepClass::new((word >> LENGTH_BITS) as u8), class);
        }
        for length in [1 << LENGTH_BITS, 1 << 32, (1 << 32) + 5] {
            assert!(matches!(length_and_class(length, StepClass::LAST), Err(Refused::Limit(_))), "{length}");
        }
    }
}
