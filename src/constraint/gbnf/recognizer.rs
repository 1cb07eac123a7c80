//! Walks a grammar byte by byte through states that are merged as they are met.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::ast::RuleId;
use super::network::{ACCEPT, END, LEAVE, Op};
use super::plan::Plan;
use super::store::{FastBuild, FrameId, Item, SetStore};

/// A set of places in the grammar where a reply may stand, by its number.
pub(crate) type StateId = u32;

/// The state from which nothing is reached.
pub(crate) const DEAD: StateId = 0;
const UNKNOWN: StateId = u32::MAX;
/// The frame of the root rule: a reply may end when it is done.
const OUTERMOST: FrameId = 0;
/// The frame of an outline: what it returns to is left open.
const OPEN: FrameId = 1;
/// Rules inside rules that an outline looks through.
const OUTLINE_DEPTH: usize = 3;
/// Items that one mask may look at before the walk gives up; a deep JSON reply needs thousands.
const MAX_WORK: usize = 8_000_000;
/// Items held before states that the reply has left are forgotten.
/// Few in tests, so that they all go through it.
const MAX_HELD: usize = if cfg!(test) { 1_000 } else { 4_000_000 };

/// All states met so far, and how bytes lead from one to another.
///
/// A state is the set of items that read a byte, each a node with the frame its rule returns to.
/// A frame is such a set too: all places that wait for the rule. Equal sets get the same number,
/// so a reply that loops (in a string, in white space) stays in one state.
#[derive(Clone, Debug)]
pub(crate) struct Recognizer {
    plan: Arc<Plan>,
    frames: SetStore,
    states: SetStore,
    /// One row a state, one column a class of bytes.
    steps: Vec<StateId>,
    n_work: usize,
    /// For a place that reads a class: the place after one of its characters that reads the class again.
    runs: HashMap<Item, Option<Item>, FastBuild>,
}

impl Recognizer {
    /// A walk at the start of a grammar, and the state it is in.
    pub(crate) fn new(plan: Arc<Plan>) -> (Self, StateId) {
        let mut res = Self::without_states(plan);
        let root = res.plan.root();
        let mut closure = Closure::default();
        closure
            .pending
            .insert(res.plan.rank(root), (root, vec![(ACCEPT, OUTERMOST)]));
        let start = res.close(closure);
        (res, start)
    }

    /// Where a byte leads; [`DEAD`] when the grammar does not allow it.
    #[inline]
    pub(crate) fn step(&mut self, state: StateId, byte: u8) -> StateId {
        let cell = state as usize * self.plan.n_classes() + self.plan.class_of(byte);
        match self.steps.get(cell) {
            Some(known) if *known != UNKNOWN => *known,
            Some(_) => self.first_step(state, byte, cell),
            None => DEAD,
        }
    }

    /// The token terminals that may come next, by their places in the grammar's list.
    pub(crate) fn terminals(&self, state: StateId) -> Vec<usize> {
        if !self.plan.has_tokens() {
            return Vec::new();
        }
        let items = self.states.get(state);
        let terminals = items.iter().filter_map(|it| match self.plan.op(it.0) {
            Op::Token { terminal, .. } => Some(*terminal),
            _ => None,
        });
        let mut res: Vec<usize> = terminals.collect();
        res.sort_unstable();
        res.dedup();
        res
    }

    /// Where a whole token leads by way of the terminals that it matches.
    pub(crate) fn take_token(
        &mut self,
        state: StateId,
        matches: impl Fn(usize) -> bool,
    ) -> StateId {
        let mut closure = Closure::default();
        for (node, frame) in self.states.get(state).iter() {
            if let Op::Token { terminal, next } = self.plan.op(*node)
                && matches(*terminal)
            {
                closure.todo.push((*next, *frame));
            }
        }
        self.close(closure)
    }

    /// The state that is in both of two states at once.
    pub(crate) fn join(&mut self, a: StateId, b: StateId) -> StateId {
        if a == b || b == DEAD {
            return a;
        }
        let mut items = self.states.get(a).to_vec();
        items.extend(self.states.get(b).iter());
        self.state_of(&mut items)
    }

    /// Whether a reply may end in this state.
    pub(crate) fn is_accepting(&self, state: StateId) -> bool {
        self.states.first_node(state) == Some(ACCEPT)
    }

    /// Whether a byte may follow in this state.
    pub(crate) fn can_go_on(&self, state: StateId) -> bool {
        self.states.last_node(state).is_some_and(|it| it != ACCEPT)
    }

    /// The same state with what surrounds it left open, if all of it returns to one place.
    ///
    /// The inside of a string has one outline wherever the string stands, so that most of its mask
    /// needs to be found only once.
    pub(crate) fn outline(&mut self, state: StateId) -> Option<StateId> {
        let items = self.states.get(state);
        let outer = items.iter().map(|it| it.1).min()?;
        if items.first().is_some_and(|it| it.0 == ACCEPT) {
            return None;
        }
        let mut open = self.opened(&items, outer, OUTLINE_DEPTH)?;
        Some(self.state_of(&mut open))
    }

    /// Whether what surrounds an outline may come next.
    pub(crate) fn may_leave(&self, outline: StateId) -> bool {
        self.states.first_node(outline) == Some(LEAVE)
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(super) fn items(&self, state: StateId) -> Arc<[Item]> {
        self.states.get(state)
    }

    pub(super) fn frame(&self, frame: FrameId) -> Arc<[Item]> {
        self.frames.get(frame)
    }

    pub(super) fn n_frames(&self) -> usize {
        self.frames.len()
    }

    /// What is known of the places after each other in runs; see [`Self::counted_run`].
    pub(super) fn runs(&mut self) -> &mut HashMap<Item, Option<Item>, FastBuild> {
        &mut self.runs
    }

    /// Begins to count the work of a new step.
    pub(crate) fn reset_work(&mut self) {
        self.n_work = 0;
    }

    /// Items looked at since the work was last reset.
    pub(crate) fn work(&self) -> usize {
        self.n_work
    }

    /// Whether the last step was given up: the grammar has too many readings at this place.
    pub(crate) fn gave_up(&self) -> bool {
        self.n_work > MAX_WORK
    }

    /// Forgets what this state does not need when too much is held; gives its new number.
    pub(crate) fn tidy(&mut self, state: StateId) -> Option<StateId> {
        if self.frames.n_items() + self.states.n_items() < MAX_HELD && self.steps.len() < MAX_HELD {
            return None;
        }
        let items = self.states.get(state);
        let mut needed = vec![false; self.frames.len()];
        for item in items.iter() {
            mark(&mut needed, item.1);
        }
        // A frame only names frames that were there before it.
        for id in (0..needed.len()).rev() {
            if needed.get(id) == Some(&true) {
                for item in self.frames.get(id as u32).iter() {
                    mark(&mut needed, item.1);
                }
            }
        }
        let mut fresh = Self::without_states(Arc::clone(&self.plan));
        let mut moved = vec![OUTERMOST; needed.len()];
        for id in 0..needed.len() {
            if needed.get(id) == Some(&true) {
                let mut set = renumbered(&self.frames.get(id as u32), &moved);
                if let Some(it) = moved.get_mut(id) {
                    *it = fresh.frames.id_of(&mut set);
                }
            }
        }
        let state = fresh.state_of(&mut renumbered(&items, &moved));
        *self = fresh;
        Some(state)
    }

    fn without_states(plan: Arc<Plan>) -> Self {
        let mut res = Self {
            plan,
            frames: SetStore::default(),
            states: SetStore::default(),
            steps: Vec::new(),
            n_work: 0,
            runs: HashMap::default(),
        };
        res.frames.id_of(&mut vec![(ACCEPT, OUTERMOST)]);
        res.frames.id_of(&mut vec![(LEAVE, OPEN)]);
        res.state_of(&mut Vec::new());
        res
    }

    /// These items with the frame `outer` left open; none when they return elsewhere too.
    fn opened(&mut self, items: &[Item], outer: FrameId, depth: usize) -> Option<Vec<Item>> {
        let mut res = Vec::with_capacity(items.len());
        for (node, frame) in items {
            let frame = if *frame == outer {
                OPEN
            } else if *frame < outer || depth == 0 {
                return None;
            } else {
                let inner = self.frames.get(*frame);
                let mut inner = self.opened(&inner, outer, depth - 1)?;
                self.frames.id_of(&mut inner)
            };
            res.push((*node, frame));
        }
        Some(res)
    }

    fn first_step(&mut self, state: StateId, byte: u8, cell: usize) -> StateId {
        if self.gave_up() {
            return DEAD;
        }
        let mut closure = Closure::default();
        for (node, frame) in self.states.get(state).iter() {
            if let Op::Byte { low, high, next } = self.plan.op(*node)
                && (*low..=*high).contains(&byte)
            {
                closure.todo.push((*next, *frame));
            }
        }
        let to = self.close(closure);
        // What was given up is not known: a later step may have the work to spare.
        if self.gave_up() {
            return DEAD;
        }
        if let Some(it) = self.steps.get_mut(cell) {
            *it = to;
        }
        to
    }

    /// Follows everything that reads nothing, and gives the state that is reached.
    pub(super) fn close(&mut self, mut closure: Closure) -> StateId {
        loop {
            while let Some(item) = closure.todo.pop() {
                self.n_work += 1;
                if self.gave_up() {
                    return DEAD;
                }
                if closure.seen.insert(item) {
                    self.follow(item, &mut closure);
                }
            }
            // Callers come first, so that a rule is entered once with all that wait for it.
            let Some((_, (rule, mut waiting))) = closure.pending.pop_first() else {
                break;
            };
            let frame = self.frames.id_of(&mut waiting);
            closure.todo.push((self.plan.start(rule), frame));
        }
        self.state_of(&mut closure.items)
    }

    fn follow(&mut self, (node, frame): Item, closure: &mut Closure) {
        match self.plan.op(node) {
            Op::Accept | Op::Byte { .. } | Op::Token { .. } => {
                closure.items.push((node, frame));
            }
            Op::End => closure.todo.extend(self.frames.get(frame).iter()),
            Op::Split(nodes) => closure.todo.extend(nodes.iter().map(|it| (*it, frame))),
            Op::Call { rule, next, .. } => {
                if self.plan.is_nullable(*rule) {
                    closure.todo.push((*next, frame));
                }
                let (_, waiting) = closure
                    .pending
                    .entry(self.plan.rank(*rule))
                    .or_insert_with(|| (*rule, Vec::new()));
                // A call that is last in its rule returns where the rule returns.
                if *next == END {
                    let outer = self.frames.get(frame);
                    self.n_work += outer.len();
                    waiting.extend(outer.iter());
                } else {
                    waiting.push((*next, frame));
                }
            }
        }
    }

    fn state_of(&mut self, items: &mut Vec<Item>) -> StateId {
        let id = self.states.id_of(items);
        let n_cells = self.states.len() * self.plan.n_classes();
        self.steps.resize(n_cells, UNKNOWN);
        id
    }
}

/// The work of one step: items to follow, those seen, and rules to be entered, by rank.
#[derive(Default)]
pub(super) struct Closure {
    pub(super) todo: Vec<Item>,
    seen: HashSet<Item, FastBuild>,
    items: Vec<Item>,
    pending: BTreeMap<u32, (RuleId, Vec<Item>)>,
}

fn mark(needed: &mut [bool], id: FrameId) {
    if let Some(it) = needed.get_mut(id as usize) {
        *it = true;
    }
}

fn renumbered(items: &[Item], moved: &[FrameId]) -> Vec<Item> {
    items
        .iter()
        .map(|(node, frame)| {
            (
                *node,
                moved.get(*frame as usize).copied().unwrap_or(OUTERMOST),
            )
        })
        .collect()
}
