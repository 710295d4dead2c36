//! Words are added to a diagram.
//!
//! After Daciuk, Mihov, Watson & Watson 2000 ("Incremental construction of minimal acyclic finite-state automata"), but
//! many words at a time: they are sorted, and every node they lead through is made again once for all of them, after its
//! children. A node that others lead to as well stays as it is, beside a new one. Where just one way leads to a node, it is
//! changed in place if it can be, and then nothing changes in the nodes above it.
//!
//! The nodes under way are on a stack of its own: words may be long. Until they are finished they still have the ids
//! of children that are gone. Nothing is taken for equal to them, because no id is used again before the end.

use super::diagram::Diagram;
use super::node::{Arc, END, Id};
use super::words::Words;
use std::ops::Range;

/// What was there before, where words are added.
#[derive(Clone, Copy)]
enum Before {
    /// Nothing.
    Nothing,
    /// A node with arcs.
    Node(Id),
    /// A node with a string, which all the words have.
    String(Id),
    /// One arc, the reference of which is at hand; what is left of a string that not all the words have.
    Arc(Arc),
}

/// A node under way.
#[derive(Clone, Copy)]
struct Frame {
    before: Before,
    /// Whether no other way leads to what was before, so that it may be changed.
    own: bool,
    /// What the words begin with up to `start` led here; from there to `branch` they are all alike.
    start: usize,
    branch: usize,
    /// The words that are not added yet.
    next: usize,
    end: usize,
    /// Its changes begin there.
    changes: usize,
    /// The arc that is being followed: its byte, where it led to, and whether that was its own.
    byte: u8,
    child: Option<Id>,
    child_own: bool,
}

/// Another child for a byte.
#[derive(Clone, Copy)]
struct Change {
    byte: u8,
    child: Id,
    /// Whether the child from before is gone.
    consumed: bool,
}

/// Room to work in.
#[derive(Default)]
pub struct Adding {
    frames: Vec<Frame>,
    changes: Vec<Change>,
    old: Vec<Arc>,
    arcs: Vec<Arc>,
    dropped: Vec<Id>,
    bytes: Vec<u8>,
}

impl Adding {
    /// Adds the words of a range, which are sorted, different and equally long, below `root`, and returns the root that
    /// has them all. The caller's reference to the old one is exchanged for one to the new one.
    pub fn add(&mut self, diagram: &mut Diagram, root: Option<Id>, words: &Words<'_>, range: Range<usize>) -> Id {
        let own = root.is_some_and(|root| diagram.nodes.is_single(root));
        let mut result = self.enter(diagram, root, own, words, 0, range);
        while let Some(frame) = self.frames.last_mut() {
            if let Some(child) = result.take()
                && frame.child != Some(child)
            {
                self.changes.push(Change { byte: frame.byte, child, consumed: frame.child_own });
            }
            if frame.next == frame.end {
                let frame = *frame;
                self.frames.pop();
                result = Some(self.finish(diagram, words, frame));
                self.changes.truncate(frame.changes);
                continue;
            }
            let first = frame.next;
            frame.byte = words.get(first)[frame.branch];
            let arc = match frame.before {
                Before::Nothing => None,
                Before::Node(id) => diagram.node(id).find(frame.byte),
                Before::String(id) => {
                    let child = diagram.node(id).string_child();
                    Some(Arc { low: frame.byte, high: frame.byte, child })
                }
                Before::Arc(arc) => Some(arc).filter(|arc| arc.low == frame.byte),
            };
            frame.next = words.end_of_run(first..frame.end, frame.branch);
            frame.child = arc.map(|arc| arc.child);
            frame.child_own =
                frame.own && arc.is_some_and(|arc| arc.low == arc.high && diagram.nodes.is_single(arc.child));
            let (child, own, depth, range) = (frame.child, frame.child_own, frame.branch + 1, first..frame.next);
            result = self.enter(diagram, child, own, words, depth, range);
        }
        let new = result.expect("every frame has a result");
        if let Some(old) = root
            && old != new
            && !own
        {
            diagram.release(old);
        }
        new
    }

    /// Begins to add what the words have from `start` on below `node`; the result where there is little to do.
    fn enter(
        &mut self,
        diagram: &mut Diagram,
        node: Option<Id>,
        own: bool,
        words: &Words<'_>,
        start: usize,
        range: Range<usize>,
    ) -> Option<Id> {
        let (first, last) = (&words.get(range.start)[start..], &words.get(range.end - 1)[start..]);
        if first.is_empty() {
            return Some(END);
        }
        let mut frame = Frame {
            before: Before::Nothing,
            own,
            start,
            branch: start,
            next: range.start,
            end: range.end,
            changes: self.changes.len(),
            byte: 0,
            child: None,
            child_own: false,
        };
        match node {
            None if range.len() == 1 => return Some(diagram.with_string(first, END)),
            None => frame.branch += first.iter().zip(last).take_while(|(one, other)| one == other).count(),
            Some(id) if diagram.node(id).is_string() => {
                let string = diagram.node(id);
                let (length, child) = (string.string_len(), string.string_child());
                // The words are sorted: none has less in common with the string than the first or the last.
                let mut common = string.common(first);
                if range.len() > 1 {
                    common = common.min(string.common(last));
                }
                if common == length {
                    frame.before = Before::String(id);
                    frame.branch += length - 1;
                } else {
                    string.copy_string(&mut self.bytes);
                    if own {
                        diagram.dissolve(id);
                    } else {
                        diagram.retain(child);
                    }
                    let (byte, rest) = (self.bytes[common], &self.bytes[common + 1..]);
                    let child = if rest.is_empty() { child } else { diagram.with_string(rest, child) };
                    frame.before = Before::Arc(Arc { low: byte, high: byte, child });
                    // The rest is held by this frame alone, unless others lead to it.
                    frame.own = true;
                    frame.branch += common;
                }
            }
            Some(id) => frame.before = Before::Node(id),
        }
        self.frames.push(frame);
        None
    }

    /// The node with all changes of a frame.
    fn finish(&mut self, diagram: &mut Diagram, words: &Words<'_>, frame: Frame) -> Id {
        let word = words.get(frame.end - 1);
        let unchanged = self.changes.len() == frame.changes;
        let node = match frame.before {
            Before::Node(id) | Before::String(id) if unchanged => return id,
            Before::String(id) => {
                let Change { child, consumed, .. } = self.changes[frame.changes];
                let before = diagram.node(id).string_child();
                let bytes = &word[frame.start..=frame.branch];
                if !frame.own {
                    return diagram.with_string(bytes, child);
                }
                let node = diagram.with_child_instead(id, bytes, child);
                if !consumed {
                    diagram.release(before);
                }
                return node;
            }
            Before::Node(id) => {
                let node = diagram.node(id);
                if let [Change { byte, child, consumed }] = self.changes[frame.changes..]
                    && let Some(place) = node.place_for(byte, child)
                {
                    if !frame.own {
                        return diagram.with_child_at(id, place, child);
                    }
                    let before = node.arc(place).child;
                    let node = diagram.with_child_at_instead(id, place, child);
                    if !consumed {
                        diagram.release(before);
                    }
                    return node;
                }
                self.old.clear();
                node.each_arc(|arc| self.old.push(arc));
                self.merge(diagram, &frame);
                if frame.own { diagram.with_arcs_instead(id, &self.arcs) } else { diagram.with_arcs(&self.arcs) }
            }
            Before::Nothing => {
                self.old.clear();
                self.merge(diagram, &frame);
                diagram.with_arcs(&self.arcs)
            }
            Before::Arc(arc) => {
                self.old.clear();
                self.old.push(arc);
                self.merge(diagram, &frame);
                diagram.with_arcs(&self.arcs)
            }
        };
        while let Some(id) = self.dropped.pop() {
            diagram.release(id);
        }
        if frame.branch == frame.start { node } else { diagram.with_string(&word[frame.start..frame.branch], node) }
    }

    /// The old arcs with the changes of a frame, with a reference to the child of each. What was referred to by old arcs
    /// of its own and is not any more is dropped.
    fn merge(&mut self, diagram: &mut Diagram, frame: &Frame) {
        self.arcs.clear();
        let (old, own) = (std::mem::take(&mut self.old), frame.own);
        let mut at = frame.changes;
        for arc in &old {
            at = self.take_over(diagram, at, |byte| byte < arc.low);
            let mut held = own;
            let mut low = u32::from(arc.low);
            while let Some(&change) = self.changes.get(at)
                && change.byte <= arc.high
            {
                if u32::from(change.byte) > low {
                    self.push(diagram, Arc { low: low as u8, high: change.byte - 1, ..*arc }, &mut held);
                }
                held &= !change.consumed;
                at = self.take_over(diagram, at, |byte| byte == change.byte);
                low = u32::from(change.byte) + 1;
            }
            if low <= u32::from(arc.high) {
                self.push(diagram, Arc { low: low as u8, ..*arc }, &mut held);
            }
            if held {
                self.dropped.push(arc.child);
            }
        }
        self.take_over(diagram, at, |_| true);
        self.old = old;
    }

    /// Adds the arcs for the changes from `at` on, as long as they are wanted; where they end.
    fn take_over(&mut self, diagram: &mut Diagram, mut at: usize, wanted: impl Fn(u8) -> bool) -> usize {
        while let Some(&Change { byte, child, .. }) = self.changes.get(at)
            && wanted(byte)
        {
            self.push(diagram, Arc { low: byte, high: byte, child }, &mut true);
            at += 1;
        }
        at
    }

    /// Adds an arc, to the last one if it leads to the same node. It takes the reference if one is held.
    fn push(&mut self, diagram: &mut Diagram, arc: Arc, held: &mut bool) {
        let held = std::mem::take(held);
        if let Some(last) = self.arcs.last_mut()
            && last.child == arc.child
            && u32::from(last.high) + 1 == u32::from(arc.low)
        {
            last.high = arc.high;
            if held {
                diagram.release_one(arc.child);
            }
            return;
        }
        if !held {
            diagram.retain(arc.child);
        }
        self.arcs.push(arc);
    }
}
