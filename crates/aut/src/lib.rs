//! Labelled transition systems in Aldebaran (`.aut`) files.
//!
//! [`read`] takes a file in, [`AutModel`] makes it something to search, [`AutWriter`] and [`write`] put one out, and
//! [`minimise`] and [`equivalent`] reduce and compare modulo strong or branching bisimilarity, by the algorithms of merc
//! (<https://github.com/MERCorg/merc>).
//!
//! The internal action is the label `i`, Aldebaran's name for it, and also `tau`, mCRL2's: the two are one action to
//! [`minimise`] and [`equivalent`], and ordinary labels elsewhere.
//!
//! Nothing here prints, starts threads, or trusts the numbers in a file's header with an allocation.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod bisimulation;
mod finding;
mod labels;
mod line;
mod lts;
mod model;
mod quote;
mod read;
mod write;

pub use bisimulation::{Equivalence, equivalent, minimise};
pub use labels::Labels;
pub use lts::{Lts, LtsBuilder};
pub use model::AutModel;
pub use read::{read, read_text};
pub use write::{AutWriter, Written, write};
