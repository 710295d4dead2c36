//! Collapse compression: each component of the system by the number of what it looks like.
//!
//! Holzmann and Visser (1996): the components are the global variables, each process and each channel. Every channel is a
//! component of its own wherever it is declared, and none is kept twice (Visser's *new collapse*); the width of a number does not
//! depend on that of others (his further optimisation); components with the same fields share a table.
//!
//! Bytes per state: the logarithms of the numbers, rounded up together, and two or three more. Costs a comparison for each
//! component that did not change since the state before, a look-up for the others. Not where one component looks different in
//! nearly every state.

use crate::encodings::numbered::{CodeLayout, Fragment, Numbered, Partition};
use std::sync::Arc;
use tightrope_core::{Budget, Field, Repr, Schema};

/// What tells whether two components share a table: the places, types and ranges of their fields.
type Look = Vec<(u32, Repr, (i32, i32))>;

/// Writes states as the numbers of their components.
pub fn collapse(schema: &Schema, budget: &Arc<Budget>) -> Numbered {
    let mut looks: Vec<Look> = Vec::new();
    let mut tables = Vec::new();
    let mut cut = |fields: &[Field], size: u32| {
        let mut fragments = Vec::new();
        let mut at = 0;
        for fields in fields.chunk_by(|one, other| one.component == other.component) {
            let start = at;
            let mut look = Look::new();
            for field in fields {
                if field.offset != at {
                    return None;
                }
                look.push((at - start, field.repr, field.range));
                at += field.repr.size() as u32;
            }
            let table = looks.iter().position(|known| *known == look).unwrap_or_else(|| {
                looks.push(look);
                tables.push(at - start);
                tables.len() - 1
            });
            fragments.push(Fragment { table: table as u32, offset: start, size: at - start });
        }
        (at == size).then_some(fragments)
    };
    let fixed = cut(&schema.fixed, schema.fixed_size);
    let kinds = schema.kinds.iter().map(|kind| cut(&kind.fields, kind.size)).collect();
    Numbered::new(schema, Partition { fixed, kinds, tables }, CodeLayout::Packed, budget)
}
