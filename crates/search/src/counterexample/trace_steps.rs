//! The steps of a counterexample while it is put together.

use tightrope_core::{Refused, Reservation, Step, Steps};

/// Steps in order, on the budget: [`Steps::ROOM`] bytes for each are kept free by the search, what a step takes beyond that is
/// reserved here.
pub(crate) struct TraceSteps<'r> {
    steps: Steps,
    beyond: &'r mut Reservation,
}

impl<'r> TraceSteps<'r> {
    /// No steps.
    pub fn new(beyond: &'r mut Reservation) -> Self {
        TraceSteps { steps: Steps::new(), beyond }
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: Step) -> Result<(), Refused> {
        if !self.steps.has_number_for(step) {
            self.beyond.take(Steps::WRITTEN_OUT)?;
        }
        self.steps.push(step);
        Ok(())
    }

    /// Reserves so many bytes more, for what the steps are made from.
    pub fn reserve(&mut self, bytes: u64) -> Result<(), Refused> {
        self.beyond.take(bytes)
    }

    /// All steps.
    pub fn finish(self) -> Steps {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tightrope_core::Budget;

    fn step(number: u64) -> Step {
        Step { action: number.wrapping_mul(0x9e37_79b9_7f4a_7c15), choice: 0 }
    }

    #[test]
    fn what_steps_take_is_kept_free_or_reserved() {
        for different in [1, 300, 5000, 60_000] {
            let budget = Arc::new(Budget::unlimited());
            let mut beyond = Reservation::new(budget.clone());
            let mut steps = TraceSteps::new(&mut beyond);
            (0..60_000).for_each(|number| steps.push(step(number % different)).unwrap());
            let steps = steps.finish();
            let block = 16 << 10;
            assert!(steps.bytes() <= Steps::ROOM * steps.len() as u64 + budget.used() + block, "{different} steps");
            assert_eq!(budget.used() == 0, different < 4000, "{different} steps");
        }
    }

    #[test]
    fn a_run_of_too_many_different_steps_is_refused() {
        let mut beyond = Reservation::new(Arc::new(Budget::new(1000)));
        let mut steps = TraceSteps::new(&mut beyond);
        let taken = (0..10_000).take_while(|&number| steps.push(step(number)).is_ok()).count();
        assert_eq!(taken, 4000 + 1000 / Steps::WRITTEN_OUT as usize);
    }
}
