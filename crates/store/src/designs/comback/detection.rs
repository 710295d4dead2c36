//! Delayed duplicate detection: candidates are compared with the states of the same hash, which are rebuilt together (Evangelista et al.
//! 2009, Algorithm 4).

use super::candidates::Candidates;
use super::{ComBack, hash_with};
use tightrope_core::{Delays, Refused, Resolved, StateId};

impl Delays for ComBack<'_> {
    fn begin(&mut self) {
        self.delays_detection = true;
    }

    fn is_full(&mut self) -> bool {
        self.candidates.len() as u64 >= self.most_candidates()
    }

    fn resolve(&mut self, new: &mut Resolved<'_>) -> Result<(), Refused> {
        self.detections += 1;
        let mut candidates = std::mem::replace(&mut self.candidates, Candidates::new(&self.budget));
        let checks = candidates.take_checks();
        let bits = self.plan.hash_bits;
        loop {
            let compare = &mut |_, state: &[u8]| {
                candidates.compare(hash_with(state, bits), state);
                Ok(())
            };
            match self.rebuilder.all(&self.kept, &checks, compare) {
                Err(Refused::Memory) if self.squeeze() => {}
                other => break other?,
            }
        }
        drop(checks);
        for number in 0..candidates.len() {
            if candidates.is_seen(number) {
                continue;
            }
            let (state, via) = candidates.state(number);
            let key = self.table.key(hash_with(state, bits));
            let id = self.add(key, state, via)?;
            new(StateId(u64::from(id)), via, state)?;
        }
        Ok(())
    }
}
