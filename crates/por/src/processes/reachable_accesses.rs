//! What can be accessed from each node of a graph on: unions of sets along edges, in time linear in the edges.
//!
//! Nodes that reach each other reach the same, so that there is one set for each strongly connected component. Components are
//! found in an order in which those that can be reached come first (Tarjan 1972, "Depth-first search and linear graph algorithms").

use std::ops::Range;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::processes::StaticAccess;

/// Nodes, each with accesses of its own, and edges between them.
pub struct AccessGraph {
    edges: Vec<Vec<u32>>,
    accesses: Vec<Vec<StaticAccess>>,
}

impl AccessGraph {
    /// So many nodes without edges and accesses.
    pub fn new(nodes: usize) -> AccessGraph {
        AccessGraph { edges: vec![Vec::new(); nodes], accesses: vec![Vec::new(); nodes] }
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, from: usize, to: usize) {
        self.edges[from].push(to as u32);
    }

    /// Adds accesses to a node.
    pub fn add_accesses(&mut self, node: usize, accesses: impl IntoIterator<Item = StaticAccess>) {
        self.accesses[node].extend(accesses);
    }

    /// What can be reached from each node.
    pub fn reachable(self) -> ReachableAccesses {
        let AccessGraph { edges, accesses } = self;
        let mut all: Vec<StaticAccess> = accesses.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut sets: Vec<Bits> = Vec::new();
        let component = components(&edges, &mut |number, nodes, component| {
            let mut set = Bits::new(all.len());
            for &node in nodes {
                for access in &accesses[node as usize] {
                    set.insert(all.binary_search(access).expect("it was collected"));
                }
                for &to in &edges[node as usize] {
                    let of = component[to as usize];
                    if of != number {
                        set.add(&sets[of as usize]);
                    }
                }
            }
            sets.push(set);
        });
        ReachableAccesses { all, component, sets }
    }
}

/// The accesses that can be reached from each node of a graph.
pub struct ReachableAccesses {
    /// All accesses, in order.
    all: Vec<StaticAccess>,
    component: Vec<u32>,
    /// For each component the positions of its accesses among all.
    sets: Vec<Bits>,
}

impl ReachableAccesses {
    /// Those from a node on, in order.
    pub fn from(&self, node: usize) -> impl Iterator<Item = StaticAccess> + '_ {
        self.sets[self.component[node] as usize].iter().map(|position| self.all[position])
    }
}

/// Is told of a component: its number, its nodes, and the numbers of the components of all nodes, as far as they are known.
pub type EachComponent<'f> = dyn FnMut(u32, &[u32], &[u32]) + 'f;

/// The number of the strongly connected component of every node. Each component is told after those that it leads to.
pub fn components(edges: &[Vec<u32>], found: &mut EachComponent<'_>) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut component = vec![NONE; edges.len()];
    // When a node was met; and the earliest node of the stack that is known to be reached from it.
    let (mut met, mut lowest) = (vec![NONE; edges.len()], vec![NONE; edges.len()]);
    let (mut time, mut count) = (0, 0);
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, Range<usize>)> = Vec::new();
    for root in 0..edges.len() as u32 {
        if met[root as usize] != NONE {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                (met[node as usize], lowest[node as usize]) = (time, time);
                time += 1;
                stack.push(node);
                path.push((node, 0..edges[node as usize].len()));
            }
            let Some((node, rest)) = path.last_mut() else { break };
            let node = *node as usize;
            if let Some(next) = rest.next() {
                let to = edges[node][next];
                if met[to as usize] == NONE {
                    enter = Some(to);
                } else if component[to as usize] == NONE {
                    lowest[node] = lowest[node].min(met[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                lowest[before as usize] = lowest[before as usize].min(lowest[node]);
            }
            if lowest[node] == met[node] {
                let start = stack.iter().rposition(|&one| one as usize == node).expect("it is on the stack");
                stack[start..].iter().for_each(|&one| component[one as usize] = count);
                found(count, &stack[start..], &component);
                stack.truncate(start);
                count += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tightrope_ir::effects::processes::{SharedObject, StaticAccessKind};

    fn access(number: u32) -> StaticAccess {
        (SharedObject::Global(number), StaticAccessKind::Read)
    }

    /// Pseudo-random numbers (Knuth, MMIX).
    fn below(bound: u64, seed: &mut u64) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*seed >> 33) % bound) as usize
    }

    #[test]
    fn what_is_reached_is_what_a_walk_meets() {
        let mut seed = 7;
        for round in 0..300 {
            let nodes = 1 + round % 40;
            let edges: Vec<(usize, usize)> = (0..below(2 * nodes as u64 + 1, &mut seed))
                .map(|_| (below(nodes as u64, &mut seed), below(nodes as u64, &mut seed)))
                .collect();
            let mut graph = AccessGraph::new(nodes);
            edges.iter().for_each(|&(from, to)| graph.add_edge(from, to));
            (0..nodes).filter(|node| node % 3 > 0).for_each(|node| graph.add_accesses(node, [access(node as u32 / 2)]));
            let reachable = graph.reachable();
            for start in 0..nodes {
                let (mut met, mut todo) = (BTreeSet::from([start]), vec![start]);
                while let Some(at) = todo.pop() {
                    todo.extend(edges.iter().filter(|edge| edge.0 == at && met.insert(edge.1)).map(|edge| edge.1));
                }
                let expected: BTreeSet<StaticAccess> =
                    met.iter().filter(|&node| node % 3 > 0).map(|&node| access(node as u32 / 2)).collect();
                assert!(reachable.from(start).eq(expected), "round {round}, from {start}");
            }
        }
    }

    #[test]
    fn components_are_nodes_that_reach_each_other() {
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]];
        let mut sizes = Vec::new();
        let component = components(&edges, &mut |_, nodes, _| sizes.push(nodes.len()));
        assert_eq!((component[1], component[2]), (component[2], 1));
        assert_eq!((component, sizes), (vec![2, 1, 1, 0, 3], vec![1, 2, 1, 1]));
    }
}
