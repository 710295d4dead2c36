//! Every four bytes by the number of what they look like.
//!
//! Visser's compression (1996): four bytes of a state become one, the number of what they were in a table of their own. Bodies
//! of processes of one kind share their tables. A table may have more than 255 entries; numbers beyond that take three bytes
//! or seven.
//!
//! Bytes per state: a quarter, and one. Costs a comparison for every four bytes that did not change since the state before, a
//! look-up for the others. Not where `collapse` knows the components of the system; this one knows nothing.

use crate::encodings::numbered::{CodeLayout, Fragment, Numbered, Partition};
use std::sync::Arc;
use tightrope_core::{Budget, Schema};

/// The bytes of a fragment.
const FRAGMENT: u32 = 4;

/// Writes states as the numbers of what each four bytes look like.
pub fn compress(schema: &Schema, budget: &Arc<Budget>) -> Numbered {
    let mut tables = Vec::new();
    let mut cut = |size: u32| {
        let fragment = |offset: u32| {
            let size = FRAGMENT.min(size - offset);
            tables.push(size);
            Fragment { table: tables.len() as u32 - 1, offset, size }
        };
        Some((0..size).step_by(FRAGMENT as usize).map(fragment).collect())
    };
    let fixed = cut(schema.fixed_size);
    let kinds = schema.kinds.iter().map(|kind| cut(kind.size)).collect();
    Numbered::new(schema, Partition { fixed, kinds, tables }, CodeLayout::Bytes, budget)
}
