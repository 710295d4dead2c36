//! Ways of remembering states.
//!
//! Most are two parts put together: an **encoding** says how a state is written down ([`Encode`]), a **set** keeps
//! what was written ([`Set`]); [`Encoded`] makes a store of the two, and every encoding goes with every set. Whole
//! designs that cannot be cut that way are stores of their own. All that exist are in the table [`STORES`], from which
//! the command line's help, its messages and the tests are made; [`make`] builds one from its name.

mod arena;
mod auto;
mod bdd;
mod bitio;
mod bits;
mod bitstate;
mod cache;
mod collapse;
mod compact;
mod compress;
mod encoded;
mod family;
mod full;
mod hash;
mod hashing;
mod list;
mod mdd;
mod numbered;
mod numbering;
mod parts;
mod prefetch;
mod region;
mod sample;
#[cfg(test)]
mod samples;
mod slots;
mod squeeze;
mod table;
mod tree;

pub use arena::Arena;
pub use auto::Auto;
pub use bdd::{Bdd, Order};
pub use bits::Bits;
pub use bitstate::Bitstate;
pub use cache::{Bound, Cache, Caching, REPLACEMENTS, Replacement};
pub use collapse::collapse;
pub use compact::Compact;
pub use compress::compress;
pub use encoded::Encoded;
pub use full::Full;
pub use hash::Hash;
pub use mdd::Mdd;
pub use numbered::Numbered;
pub use parts::{Encode, OrderedSet, Set};
pub use sample::Sample;
pub use table::{Entry, Part, STORES, Site, combinations, make, make_caching};
pub use tree::Tree;
