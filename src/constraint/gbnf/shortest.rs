//! How many bytes a reply still needs at least, from any state of a walk.
//!
//! The least cost of every node is found once a grammar, as in Knuth's generalisation of Dijkstra's algorithm to
//! grammars (1977); that of a state is the least over its items, with what the surrounding rules still need.

use super::network::{NodeId, Op};
use super::plan::Plan;
use super::recognizer::{Recognizer, StateId};

/// More bytes than any reply has.
const NEVER: u32 = u32::MAX / 4;

/// The least bytes from each node to the end of its rule, and from the end of each frame to the end of the reply.
#[derive(Clone, Debug)]
pub(crate) struct Shortest {
    nodes: Vec<u32>,
    frames: Vec<u32>,
}

impl Shortest {
    pub(crate) fn new(plan: &Plan) -> Self {
        let n_nodes = plan.n_nodes();
        let mut nodes = vec![NEVER; n_nodes];
        // Rules are built from their ends, so most of it is settled in the first round.
        loop {
            let mut has_changed = false;
            for node in 0..n_nodes {
                let cost = cost(plan, node as NodeId, &nodes);
                if let Some(it) = nodes.get_mut(node).filter(|it| cost < **it) {
                    *it = cost;
                    has_changed = true;
                }
            }
            if !has_changed {
                return Self {
                    nodes,
                    frames: Vec::new(),
                };
            }
        }
    }

    /// Forgets the frames: their numbers have changed.
    pub(crate) fn forget_frames(&mut self) {
        self.frames.clear();
    }

    /// The least bytes from a state to the end of a reply; none from where there is no end.
    pub(crate) fn of(&mut self, recognizer: &Recognizer, state: StateId) -> Option<u32> {
        self.know_frames(recognizer);
        let items = recognizer.items(state);
        let costs = items
            .iter()
            .map(|it| self.node(it.0).saturating_add(self.frame(it.1)));
        costs.min().filter(|it| *it < NEVER)
    }

    fn know_frames(&mut self, recognizer: &Recognizer) {
        // A frame only names frames that were there before it.
        for id in self.frames.len()..recognizer.n_frames() {
            let items = recognizer.frame(id as u32);
            let below = |it: u32| if it as usize >= id { 0 } else { self.frame(it) };
            let costs = items
                .iter()
                .map(|it| self.node(it.0).saturating_add(below(it.1)));
            let cost = costs.min().unwrap_or(NEVER);
            self.frames.push(cost.min(NEVER));
        }
    }

    fn node(&self, node: NodeId) -> u32 {
        self.nodes.get(node as usize).copied().unwrap_or(NEVER)
    }

    fn frame(&self, frame: u32) -> u32 {
        self.frames.get(frame as usize).copied().unwrap_or(NEVER)
    }
}

fn cost(plan: &Plan, node: NodeId, known: &[u32]) -> u32 {
    let of = |it: NodeId| known.get(it as usize).copied().unwrap_or(NEVER);
    let cost = match plan.op(node) {
        Op::Accept | Op::End => 0,
        Op::Byte { next, .. } | Op::Token { next, .. } => of(*next) + 1,
        Op::Split(nodes) => nodes.iter().map(|it| of(*it)).min().unwrap_or(NEVER),
        Op::Call { rule, next, .. } => of(plan.start(*rule)) + of(*next),
    };
    cost.min(NEVER)
}
