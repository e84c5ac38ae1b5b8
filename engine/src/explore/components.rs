//! Strongly connected components, by Pearce's algorithm ("A space-efficient algorithm for finding strongly connected
//! components", 2016): one number a node beside the search's own stacks, which are kept here, since graphs are deep.

use std::ops::ControlFlow;

/// A directed graph whose nodes are numbers, each with a place of its own among as many places as there are nodes.
pub(super) trait Digraph {
    /// How many nodes there are.
    fn count(&self) -> usize;

    /// Every node.
    fn nodes(&self) -> impl Iterator<Item = u32>;

    /// The place of a node: another one for each, below [`Digraph::count`].
    fn place(&self, node: u32) -> usize;

    /// Calls `each` with every node that an edge leads to from `node`.
    fn each_successor(&self, node: u32, each: &mut impl FnMut(u32));
}

/// A node on the path that is being searched.
struct Visit {
    node: u32,
    place: u32,
    /// The number it was given when it was met.
    number: u32,
    /// Where its edges begin that are not looked at yet.
    edges: u32,
    has_loop: bool,
}

/// Calls `found` with the nodes of every strongly connected component of the nodes that pass `is_in` that holds a cycle,
/// until it breaks off.
pub(super) fn each_cyclic<G: Digraph>(
    graph: &G,
    is_in: impl Fn(u32) -> bool,
    mut found: impl FnMut(&[u32]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // 0: not met. Then the least number known to be reached from it on the stack, and once its component is closed a number
    // above all those.
    let mut numbers = vec![0u32; graph.count()];
    let mut next = 1;
    let mut closed = u32::MAX;
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<Visit> = Vec::new();
    let mut edges: Vec<u32> = Vec::new();

    for root in graph.nodes() {
        if numbers[graph.place(root)] != 0 || !is_in(root) {
            continue;
        }
        let mut entered = Some(root);
        loop {
            if let Some(node) = entered.take() {
                let place = graph.place(node);
                let mut visit = Visit {
                    node,
                    place: place as u32,
                    number: next,
                    edges: edges.len() as u32,
                    has_loop: false,
                };
                graph.each_successor(node, &mut |to| {
                    visit.has_loop |= to == node;
                    if is_in(to) {
                        edges.push(to);
                    }
                });
                numbers[place] = next;
                next += 1;
                path.push(visit);
            }
            let Some(visit) = path.last() else { break };
            if edges.len() > visit.edges as usize {
                let to = edges.pop().expect("there is one more");
                match numbers[graph.place(to)] {
                    0 => entered = Some(to),
                    number => {
                        let own = &mut numbers[visit.place as usize];
                        *own = number.min(*own);
                    }
                }
                continue;
            }
            let visit = path.pop().expect("it is the last");
            let least = numbers[visit.place as usize];
            open.push(visit.node);
            if least == visit.number {
                let start = open
                    .iter()
                    .rposition(|&node| numbers[graph.place(node)] < least)
                    .map_or(0, |below| below + 1);
                let members = &open[start..];
                for &node in members {
                    numbers[graph.place(node)] = closed;
                }
                next -= members.len() as u32;
                closed -= 1;
                if members.len() > 1 || visit.has_loop {
                    found(members)?;
                }
                open.truncate(start);
            }
            if let Some(before) = path.last() {
                let reached = numbers[visit.place as usize];
                let own = &mut numbers[before.place as usize];
                *own = reached.min(*own);
            }
        }
    }
    ControlFlow::Continue(())
}
