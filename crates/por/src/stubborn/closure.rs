//! The closure algorithm: a stubborn set is grown from each enabled transition in turn. The one with the fewest steps is
//! taken, and of equal ones the first.

use super::DependencyRelation;
use tightrope_ir::effects::bits::Bits;

/// The structural transitions that take part in a step.
#[derive(Clone, Copy, Debug)]
pub struct Participants {
    /// The one that begins it.
    pub initiator: u32,
    /// The one that receives, in a handshake; the initiator again where there is none.
    pub partner: u32,
    /// Whether a set may be grown from it.
    pub is_seed: bool,
}

/// The steps of a state, and working space.
#[derive(Default)]
pub struct Closure {
    /// The steps of the state.
    pub steps: Vec<Participants>,
    /// The transitions that take part in a step.
    enabled: Bits,
    /// The two transitions of each handshake, in both orders; sorted.
    handshakes: Vec<(u32, u32)>,
    /// The set under construction, and those of it for which it contains what it must.
    set: Bits,
    closed: Bits,
    /// The stubborn set with the fewest steps so far.
    smallest: Bits,
}

impl Closure {
    /// Finds the stubborn set with the fewest steps among those with a step that satisfies the proviso, and no visible one.
    /// Says in `in_set` which steps are in it. False if only the set of all steps is left.
    pub fn find(
        &mut self,
        relation: &mut impl DependencyRelation,
        satisfies_proviso: &[bool],
        in_set: &mut Vec<bool>,
    ) -> bool {
        self.enabled.reset(relation.count());
        self.handshakes.clear();
        for step in &self.steps {
            self.enabled.insert(step.initiator as usize);
            self.enabled.insert(step.partner as usize);
            if step.initiator != step.partner {
                self.handshakes.extend([(step.initiator, step.partner), (step.partner, step.initiator)]);
            }
        }
        self.handshakes.sort_unstable();
        let mut fewest = self.steps.len();
        for index in 0..self.steps.len() {
            let Participants { initiator, is_seed, .. } = self.steps[index];
            // The outcomes of one transition are steps with the same initiator, and give the same set.
            let is_first = self.steps[..index].iter().all(|before| before.initiator != initiator);
            if is_seed
                && is_first
                && self.close(relation, initiator as usize, fewest)
                && self.satisfies(satisfies_proviso)
            {
                fewest = self.step_count();
                std::mem::swap(&mut self.set, &mut self.smallest);
                if fewest == 1 {
                    break;
                }
            }
        }
        if fewest == self.steps.len() {
            return false;
        }
        in_set.clear();
        in_set.extend(self.steps.iter().map(|step| takes_part(step, &self.smallest)));
        true
    }

    /// Grows a stubborn set from `seed`. False if it gets a visible enabled transition, or as many steps as `fewest`.
    fn close(&mut self, relation: &mut impl DependencyRelation, seed: usize, fewest: usize) -> bool {
        self.set.reset(relation.count());
        self.closed.reset(relation.count());
        self.set.insert(seed);
        while let Some(transition) = self.set.first_not_in(&self.closed) {
            self.closed.insert(transition);
            if self.enabled.contains(transition) {
                if relation.is_visible(transition) {
                    return false;
                }
                let from = self.handshakes.partition_point(|&(one, _)| (one as usize) < transition);
                for &(_, other) in self.handshakes[from..].iter().take_while(|&&(one, _)| one as usize == transition) {
                    self.set.insert(other as usize);
                }
                relation.add_dependent(transition, &mut self.set, &mut self.closed);
            } else {
                relation.add_necessary_enabling_set(transition, &mut self.set, &self.enabled);
            }
            if self.step_count() >= fewest {
                return false;
            }
        }
        true
    }

    /// How many steps the set under construction has.
    fn step_count(&self) -> usize {
        self.steps.iter().filter(|step| takes_part(step, &self.set)).count()
    }

    /// Whether a step of the set under construction satisfies the proviso.
    fn satisfies(&self, satisfies_proviso: &[bool]) -> bool {
        self.steps.iter().zip(satisfies_proviso).any(|(step, satisfies)| *satisfies && takes_part(step, &self.set))
    }
}

/// Whether a transition of a set takes part in a step.
fn takes_part(step: &Participants, set: &Bits) -> bool {
    set.contains(step.initiator as usize) || set.contains(step.partner as usize)
}
