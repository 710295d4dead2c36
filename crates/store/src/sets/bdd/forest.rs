//! The parts of OxiDD that the set is made of: nodes with a level and two children, in an array, each only once.
//!
//! OxiDD keeps nodes, their references and the tables in which equal ones are found, and collects those that nothing
//! leads to. What nodes mean is ours: a node is a set of sets of levels (Minato 1993). With its first child are those that
//! have the level of the node, without it, those that do not; a level that is passed over is in none.

use crate::memory::region::Region;
use oxidd_core::util::{DropWith, Own, Ref};
use oxidd_core::{DiagramRules, Edge, InnerNode, LevelNo, Manager, ManagerEventSubscriber, Node, ReducedOrNew};
use oxidd_manager_index::manager::{self, DiagramRulesCons, ManagerDataCons};
use oxidd_manager_index::node::fixed_arity::{NodeWithLevel, NodeWithLevelCons};
use oxidd_manager_index::terminal_manager::{StaticTerminalManager, StaticTerminalManagerCons};
use tightrope_core::ask_for_memory;

/// Where a member has the level of a node.
pub const WITH: usize = 0;
/// Where it does not.
pub const WITHOUT: usize = 1;

/// The two leaves: no set, and the set of nothing but the empty one.
const LEAVES: usize = 2;

type Nodes = NodeWithLevelCons<2>;
type Leaves = StaticTerminalManagerCons<bool>;

type Trees<'id> = manager::Manager<
    'id,
    NodeWithLevel<'id, (), 2>,
    (),
    StaticTerminalManager<'id, bool, NodeWithLevel<'id, (), 2>, (), LEAVES>,
    Suppressed,
    Nothing,
    LEAVES,
>;

/// Nodes, and everything that belongs to them.
pub type Forest = manager::ManagerRef<Nodes, (), Leaves, Suppressed, Nothing, LEAVES>;
/// A node that stays, and all below it.
pub type Root = manager::Function<Nodes, (), Leaves, Suppressed, Nothing, LEAVES>;

/// The address space that a forest takes besides its nodes: two threads that do nothing, one with a large stack.
const THREADS: usize = (1 << 30) + (64 << 20);

/// A forest for at most so many nodes; none where there is not the address space for it. Their memory is taken when they
/// are made.
pub fn plant(capacity: u32) -> Option<Forest> {
    // OxiDD does not ask whether there is: it panics.
    let room = Region::<u8>::new().grow(THREADS + 2 * NODE * capacity as usize);
    room.then(|| ask_for_memory(|| manager::new_manager(capacity, LEAVES as u32, 1, Nothing)))
}

/// The bytes of a node, or more.
const NODE: usize = 16;

/// The level and the children of a node; none of a leaf.
#[inline]
pub fn inner<'a, M>(forest: &'a M, edge: Ref<'a, M::Edge>) -> Option<&'a M::InnerNode>
where
    M: Manager,
{
    match forest.get_node(edge) {
        Node::Inner(node) => Some(node),
        Node::Terminal(_) => None,
    }
}

/// No node with nothing in its first child.
pub struct Suppressed;

impl DiagramRulesCons<Nodes, (), Leaves, Nothing, LEAVES> for Suppressed {
    type T<'id> = Suppressed;
}

impl<E: Edge, N: InnerNode<E>> DiagramRules<E, N, bool> for Suppressed {
    type Cofactors<'a>
        = N::ChildrenIter<'a>
    where
        E: 'a,
        N: 'a;

    fn reduce<M: Manager<Edge = E, InnerNode = N, Terminal = bool>>(
        manager: &M,
        level: LevelNo,
        children: impl IntoIterator<Item = Own<E>>,
    ) -> ReducedOrNew<E, N> {
        let mut children = children.into_iter();
        let (Some(with), Some(without)) = (children.next(), children.next()) else {
            unreachable!("nodes have two children")
        };
        if manager.get_node(with.borrowed()).is_terminal(&false) {
            manager.drop_edge(with);
            return ReducedOrNew::Reduced(without);
        }
        ReducedOrNew::New(N::new(level, [with, without]), E::Tag::default())
    }

    fn cofactors(_tag: E::Tag, node: &N) -> Self::Cofactors<'_> {
        node.children()
    }
}

/// What the forest keeps besides nodes: nothing, no operation has a cache.
pub struct Nothing;

impl ManagerDataCons<Nodes, (), Leaves, Suppressed, LEAVES> for Nothing {
    type T<'id> = Nothing;
}

impl<E: Edge> DropWith<E> for Nothing {
    fn drop_with(self, _drop_edge: impl Fn(Own<E>)) {}
}

impl<'id> ManagerEventSubscriber<Trees<'id>> for Nothing {}
