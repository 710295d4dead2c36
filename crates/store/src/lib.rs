//! Ways of remembering states: the visited set of a search.
//!
//! Most are two parts put together: an **encoding** (`encodings/`) says how a state is written down, a **set** (`sets/`) keeps
//! what was written; [`Encoded`] makes a store of the two, and every encoding goes with every set. **Designs** (`designs/`) that
//! cannot be cut that way are stores of their own. A **cache** (`cache/`) is a set that evicts, by a replacement strategy; one with
//! **snapshots** (`snapshots/`) evicts levels. All that exist are in the table [`STORES`], from which the command line's help, its messages and the tests are made; [`make`]
//! builds one from its name. What they are built of is in `memory/`: mapped memory, arenas, tables of hashes.

mod cache;
mod designs;
mod distinct;
mod encoded;
mod encodings;
mod memory;
mod sample;
mod sets;
mod snapshots;
mod table;

pub use cache::{Bound, Cache, Caching, REPLACEMENTS, Replacement, default_replacement, goes_by_class};
pub use designs::{Auto, ComBack, ComBackPlan, Tree};
pub use encoded::Encoded;
pub use encodings::{Bits, Encode, Full, Numbered, collapse, compress};
pub use memory::Arena;
pub use sample::Sample;
pub use sets::{Bdd, Bitstate, Codes, Compact, HashTable, Mdd, VariableOrder};
pub use snapshots::{
    MOST_SNAPSHOTS, SNAPSHOT_PRESETS, SNAPSHOT_REPLACEMENTS, Sampling, SnapshotCache, SnapshotPlan, SnapshotPreset,
    SnapshotReplacement, Snapshots, Stream,
};
pub use table::{
    Cacheable, Facts, Part, STORES, Site, Speed, StoreEntry, combinations, facts, make, make_caching,
    make_with_snapshots,
};
