//! Adding keys to a diagram, all at once.
//!
//! The keys are sorted, so those that a part of the diagram gets are a range; it is cut in two where one of them has a
//! one. What results is what a diagram of the keys alone, made without any operation, would give with the diagram from
//! before by a single *or*, only that the former is never made: wherever both have something both are cut, and where one
//! has nothing the other is taken as it is. Every node is looked up once, in the order in which it can be: children first.
//! No cache is needed, since no two ranges are the same. There is no recursion: codes may be long.

use super::NONE;
use super::forest::{WITH, WITHOUT, inner};
use super::key::{Keys, ones_from_the_end};
use super::ledger::{Ledger, Stop};
use oxidd_core::util::{Own, Ref};
use oxidd_core::{Edge, HasLevel, InnerNode, LevelNo, LevelView, Manager};
use std::ops::Range;

/// What is to be done. What is done leaves an edge.
enum Work<'a, E: Edge> {
    /// Add keys, which have no ones that matter before `from`.
    Add { to: Ref<'a, E>, keys: Range<usize>, from: u32 },
    /// Take what there is.
    Keep(Ref<'a, E>),
    /// Make a node of the two edges that were left last.
    Make(LevelNo),
}

/// Makes a node, or finds it. The children are handed over.
#[inline]
pub fn make<M: Manager>(
    forest: &M,
    ledger: &mut Ledger,
    level: LevelNo,
    with: Own<M::Edge>,
    without: Own<M::Edge>,
) -> Result<Own<M::Edge>, Stop> {
    let mut view = forest.level(level);
    if let Err(stop) = ledger.admit(level, &mut view) {
        forest.drop_edge(with);
        forest.drop_edge(without);
        return Err(stop);
    }
    let before = view.len();
    let made = view.get_or_insert(InnerNode::new(level, [with, without])).map_err(|_| Stop::Full)?;
    ledger.nodes += view.len() - before;
    Ok(made)
}

/// One of the two leaves. There is always room for them.
pub fn leaf<M: Manager<Terminal = bool>>(forest: &M, member: bool) -> Result<Own<M::Edge>, Stop> {
    forest.get_terminal(member).map_err(|_| Stop::Full)
}

/// The diagram `to` with all keys. If a node cannot be made, nothing has happened, except that there may be nodes to which
/// nothing leads.
pub fn add<M>(forest: &M, ledger: &mut Ledger, to: Ref<'_, M::Edge>, keys: &Keys) -> Result<Own<M::Edge>, Stop>
where
    M: Manager<Terminal = bool>,
    M::InnerNode: HasLevel,
{
    let nothing = leaf(forest, false)?;
    let mut made = Vec::new();
    let result =
        add_all(forest, ledger, Work::Add { to, keys: 0..keys.len(), from: 0 }, keys, nothing.borrowed(), &mut made);
    let last = made.pop();
    made.into_iter().for_each(|edge| forest.drop_edge(edge));
    forest.drop_edge(nothing);
    match (result, last) {
        (Ok(()), Some(last)) => Ok(last),
        (result, last) => {
            last.into_iter().for_each(|edge| forest.drop_edge(edge));
            Err(result.err().unwrap_or(Stop::Full))
        }
    }
}

fn add_all<'a, M>(
    forest: &'a M,
    ledger: &mut Ledger,
    first: Work<'a, M::Edge>,
    keys: &Keys,
    nothing: Ref<'a, M::Edge>,
    made: &mut Vec<Own<M::Edge>>,
) -> Result<(), Stop>
where
    M: Manager<Terminal = bool>,
    M::InnerNode: HasLevel,
{
    let mut work = vec![first];
    while let Some(next) = work.pop() {
        let (to, range, from) = match next {
            Work::Keep(edge) => {
                made.push(forest.clone_edge(edge));
                continue;
            }
            Work::Make(level) => {
                if let (Some(without), Some(with)) = (made.pop(), made.pop()) {
                    made.push(make(forest, ledger, level, with, without)?);
                }
                continue;
            }
            Work::Add { to, keys, from } => (to, keys, from),
        };
        if to == nothing && range.len() == 1 {
            made.push(chain(forest, ledger, keys.get(range.start), from, nothing)?);
            continue;
        }
        let node = inner(forest, to);
        let level = node.map_or(NONE, HasLevel::level);
        let one = keys.next_one(&range, from);
        match node {
            Some(node) if level < one => {
                made.push(forest.clone_edge(node.child(WITH)));
                work.push(Work::Make(level));
                work.push(Work::Add { to: node.child(WITHOUT), keys: range, from: level + 1 });
                continue;
            }
            None if one == NONE => {
                made.push(leaf(forest, true)?);
                continue;
            }
            _ => {}
        }
        let (with, without) = match node {
            Some(node) if level == one => (node.child(WITH), node.child(WITHOUT)),
            _ => (nothing, to),
        };
        let split = keys.split(&range, one);
        work.push(Work::Make(one));
        work.push(match range.start < split {
            true => Work::Add { to: without, keys: range.start..split, from: one + 1 },
            false => Work::Keep(without),
        });
        work.push(Work::Add { to: with, keys: split..range.end, from: one + 1 });
    }
    Ok(())
}

/// The diagram of one key, from `from` on.
fn chain<M: Manager<Terminal = bool>>(
    forest: &M,
    ledger: &mut Ledger,
    key: &[u64],
    from: u32,
    nothing: Ref<'_, M::Edge>,
) -> Result<Own<M::Edge>, Stop> {
    let mut edge = leaf(forest, true)?;
    for level in ones_from_the_end(key, from) {
        edge = make(forest, ledger, level, edge, forest.clone_edge(nothing))?;
    }
    Ok(edge)
}
