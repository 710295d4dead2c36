//! What the other parts are tested with: tiny models written by hand, random programs, and a checker that is slow and
//! obviously right. The conformance suite in `tests/` compares every search over every store with that checker. For the
//! front ends there are mutations of texts, and models that announce what must be found in them.

#![forbid(unsafe_code)]

pub mod corpus;
pub mod delayed;
pub mod dump;
pub mod expectations;
pub mod graph;
pub mod mutation;
pub mod naive;
pub mod naive_rules;
pub mod random;
pub mod random_promela;
pub mod random_rules;
pub mod tiny;
