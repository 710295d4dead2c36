//! Stubborn sets (Valmari 1991, "Stubborn sets for reduced state space generation").
//!
//! A *structural transition* (here for short: a transition) is what steps are made of: a transition of a process at its present
//! location, or a rule with values for its parameters. It is enabled in a state if it takes part in a step there. A set of
//! transitions is stubborn in a state if
//! - for every enabled transition of it, it contains all transitions that depend on it;
//! - for every disabled transition of it, it contains a necessary enabling set: transitions of which one must occur before
//!   the disabled one can be enabled;
//! - one of its transitions is enabled.
//!
//! Runs of transitions outside of the set leave the enabled ones inside enabled, and commute with them; the disabled ones stay
//! disabled. So the enabled transitions of the set are a persistent set (Godefroid 1996), and suffice to find all deadlocks.
//! They suffice to find all faults and goals if none of them is *visible* (may change what is asked about states) and a
//! proviso holds (`proviso.rs`).

mod closure;

pub use closure::{Closure, Participants};

use tightrope_ir::effects::bits::Bits;

/// What a structural transition is called in all states.
pub type TransitionId = (u32, u32);

/// The relations between the structural transitions of a state, which are numbered from zero.
pub trait DependencyRelation {
    /// How many transitions there are.
    fn count(&self) -> usize;

    /// Adds to `set` all transitions that depend on an enabled one. Those whose own conditions are then met by `set` may be
    /// marked in `closed`.
    fn add_dependent(&mut self, transition: usize, set: &mut Bits, closed: &mut Bits);

    /// Adds to `set` a necessary enabling set of a disabled transition; preferably one that adds few of the `enabled` ones.
    fn add_necessary_enabling_set(&mut self, transition: usize, set: &mut Bits, enabled: &Bits);

    /// All necessary enabling sets of a disabled transition that [`DependencyRelation::add_necessary_enabling_set`] chooses
    /// from.
    fn necessary_enabling_sets(&mut self, transition: usize, enabled: &Bits) -> Vec<Bits>;

    /// What a transition is called in all states.
    fn id(&self, transition: usize) -> TransitionId;

    /// Whether a transition may change what is asked about states.
    fn is_visible(&mut self, transition: usize) -> bool;
}
