//! What stores are built of: mapped memory that grows where it is, arenas of strings, tables of hashes.

pub mod arena;
pub mod bucket;
pub mod budget_region;
pub mod code_heap;
pub mod hash_index;
pub mod hashing;
pub mod number_set;
pub mod prefetch;
pub mod probe;
pub mod quotient;
pub mod region;
pub mod select;
pub mod slots;

pub use arena::Arena;
