//! Item sets that are kept once each, so that equal states of a walk are the same number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::network::NodeId;

/// A frame: where to go on when a rule is done, by its number in a [`SetStore`].
pub(super) type FrameId = u32;
/// A node, and the frame of the rule that it stands in.
pub(super) type Item = (NodeId, FrameId);

pub(super) type FastBuild = BuildHasherDefault<FastHasher>;

/// Sorted item sets, numbered in the order in which they were first met.
#[derive(Clone, Debug, Default)]
pub(super) struct SetStore {
    sets: Vec<Arc<[Item]>>,
    ids: HashMap<Arc<[Item]>, u32, FastBuild>,
    n_items: usize,
}

impl SetStore {
    /// The number of this set; it is sorted on the way.
    pub(super) fn id_of(&mut self, items: &mut Vec<Item>) -> u32 {
        items.sort_unstable();
        items.dedup();
        if let Some(id) = self.ids.get(items.as_slice()) {
            return *id;
        }
        let id = self.sets.len() as u32;
        let set: Arc<[Item]> = items.as_slice().into();
        self.n_items += set.len();
        self.sets.push(Arc::clone(&set));
        self.ids.insert(set, id);
        id
    }

    pub(super) fn get(&self, id: u32) -> Arc<[Item]> {
        self.sets
            .get(id as usize)
            .map(Arc::clone)
            .unwrap_or_default()
    }

    pub(super) fn first_node(&self, id: u32) -> Option<NodeId> {
        self.sets.get(id as usize)?.first().map(|it| it.0)
    }

    pub(super) fn last_node(&self, id: u32) -> Option<NodeId> {
        self.sets.get(id as usize)?.last().map(|it| it.0)
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// All items of all sets, the measure of the memory held.
    pub(super) fn n_items(&self) -> usize {
        self.n_items
    }
}

/// Multiplies and rotates: enough for keys that nobody can choose at will.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FastHasher(u64);

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
