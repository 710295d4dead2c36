//! Symmetry reduction: a model that wraps a model, and shows one state for all that are symmetric.
//!
//! - `symmetry.rs`: the wrapper;
//! - `canonical.rs`: the canonical representative of an orbit, by partition refinement;
//! - `incremental.rs`: the same for successors, from what a step changed;
//! - `incidence.rs`: states as coloured hypergraphs over the elements of scalarsets;
//! - `byte_difference.rs`: where two states differ.

#![forbid(unsafe_code)]

mod byte_difference;
mod canonical;
mod incidence;
mod incremental;
mod symmetry;

pub use canonical::Canonical;
pub use incremental::SuccessorCanonical;
pub use symmetry::Symmetric;

use tightrope_core::{ModelSupport, Reduction, SearchSupport};

/// Symmetry reduction: the search explores a [`Symmetric`], and does not notice.
pub static SYMMETRY: Reduction = Reduction {
    name: "symmetry",
    about: "one state for all that differ by renaming (Murphi's scalarsets)",
    model: ModelSupport::Symmetry,
    search: SearchSupport::Any,
    configure: |_| {},
};
