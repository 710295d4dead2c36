//! An exact set as a diagram: a minimal automaton over the bytes of the codes.
//!
//! Holzmann & Puri 1999 ("A minimized automaton representation of reachable states", SPIN's `-DMA`), built up as by Daciuk
//! et al. 2000, with ranges on arcs as in the ordered n-ary diagrams of Srinivasan et al. 1990, and with strings: where
//! only one byte can follow, and only one after that, they share a node. Codes of different lengths have different roots,
//! and whatever they end alike with in common.
//!
//! Invariant: minimal, at every moment. No two nodes have the same codes below them, so that what is known of a code
//! is a way from the root and nothing else.
//!
//! Codes that come together are sorted; looking for them and adding them goes through what they begin alike with once.
//!
//! Bytes per state: what the regularity of the state space allows. Models of protocols take 0.3 to 7, a tenth to a
//! hundredth of what `hash` takes; random states take more than in `hash`. A node has four bytes, four for each arc or one
//! for each byte of a string, and 7 to 10 in the unique table. The most nodes are there before the end of a search. The order
//! of the bytes matters, but none does better in general: reversed or rotated ones save a few percent on one model and
//! cost half as much again or more on another, and mixing variables is worse. `bits` saves up to a third on most
//! models, costs some on others, and takes longer.
//!
//! Exact, but members have no ids and cannot be read, so that breadth-first search needs a queue. Three to eight times
//! slower than `hash`: not for state spaces that fit into that.

mod add;
mod diagram;
mod node;
mod nodes;
#[cfg(test)]
mod tests;
mod unique_table;
mod words;

use super::insert_items;
use add::Adding;
use diagram::Diagram;
use node::Id;
use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Claim, Edge, Found, Parent, Refused, StateId, Store, Successor, Successors};
use words::{Need, Way, Word, Words, common};

/// How many codes are looked for together.
const TOGETHER: usize = 1024;

/// An exact set of byte strings that cannot give them back.
pub struct Mdd {
    diagram: Diagram,
    /// The lengths of codes and their roots.
    roots: BudgetVec<(u32, Id)>,
    len: u64,
    room: Room,
}

/// Room to work in.
#[derive(Default)]
struct Room {
    way: Way,
    adding: Adding,
    sorted: Vec<Word>,
    fresh: Vec<Word>,
    is_new: Vec<bool>,
}

impl Mdd {
    /// An empty set.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Mdd { diagram: Diagram::new(budget), roots: BudgetVec::new(budget.clone()), len: 0, room: Room::default() }
    }

    fn root(&self, length: u32) -> Option<Id> {
        self.roots.iter().find(|root| root.0 == length).map(|root| root.1)
    }

    /// Adds words that are not there, sorted, which takes no more than `need`: all of them or none.
    fn add(&mut self, adding: &mut Adding, words: &Words<'_>, need: Need) -> Result<(), Refused> {
        let groups = || words.list.chunk_by(|one, other| one.len() == other.len());
        self.roots.make_room(groups().count())?;
        self.diagram.reserve(need.nodes, need.words)?;
        let mut first = 0;
        for group in groups() {
            let length = group[0].len();
            let before = self.root(length);
            let root = adding.add(&mut self.diagram, before, words, first..first + group.len());
            match self.roots.iter_mut().find(|root| root.0 == length) {
                Some(found) => found.1 = root,
                None => self.roots.push((length, root))?,
            }
            first += group.len();
        }
        self.diagram.nodes.settle();
        self.len += words.list.len() as u64;
        Ok(())
    }

    /// Adds codes, all of them or none; then the answers are in `room.is_new`, by their numbers.
    fn insert_together(&mut self, room: &mut Room, bytes: &[u8], codes: &[Successor]) -> Result<(), Refused> {
        let Room { way, adding, sorted, fresh, is_new } = room;
        sorted.clear();
        sorted.extend(codes.iter().enumerate().filter_map(|(number, item)| Word::of(item, number)));
        words::sort(bytes, sorted);
        fresh.clear();
        is_new.clear();
        is_new.resize(codes.len(), false);
        let mut need = Need::default();
        let mut last: Option<Word> = None;
        for &word in &*sorted {
            let code = word.of_bytes(bytes);
            let alike = match last {
                Some(last) if last.len() == word.len() => common(last.of_bytes(bytes), code),
                _ => {
                    way.begin(&self.diagram, self.root(word.len()));
                    0
                }
            };
            // Of equal codes the first one decides.
            let same = last.is_some_and(|last| last.len() == word.len()) && alike == code.len();
            last = Some(word);
            if !same && !way.follow(&self.diagram, code, alike) {
                way.count(&self.diagram, code, &mut need);
                is_new[word.number as usize] = true;
                fresh.push(word);
            }
        }
        if fresh.is_empty() { Ok(()) } else { self.add(adding, &Words { bytes, list: fresh }, need) }
    }
}

impl Store for Mdd {
    fn insert(&mut self, code: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        let word = Word::whole(code);
        let mut room = std::mem::take(&mut self.room);
        room.way.begin(&self.diagram, self.root(word.len()));
        let result = if room.way.follow(&self.diagram, code, 0) {
            Ok(Found::Seen(StateId::NAMELESS))
        } else {
            let mut need = Need::default();
            room.way.count(&self.diagram, code, &mut need);
            let words = Words { bytes: code, list: &[word] };
            self.add(&mut room.adding, &words, need).map(|()| Found::New(StateId::NAMELESS))
        };
        self.room = room;
        result
    }

    fn insert_all(&mut self, codes: &Successors, _parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        for chunk in codes.items.chunks(TOGETHER) {
            let mut room = std::mem::take(&mut self.room);
            let inserted = self.insert_together(&mut room, &codes.bytes, chunk);
            if inserted.is_ok() {
                found.extend(chunk.iter().zip(&room.is_new).map(|(item, &new)| match new {
                    true => Found::New(StateId::NAMELESS),
                    false if item.start == Successor::NONE => Found::Nowhere,
                    false => Found::Seen(StateId::NAMELESS),
                }));
            }
            self.room = room;
            if inserted.is_err() {
                // There may be room for some.
                insert_items(self, &codes.bytes, chunk, found)?;
            }
        }
        Ok(())
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.diagram.bytes() + self.roots.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn nodes(&mut self) -> Option<u64> {
        Some(self.diagram.nodes.len())
    }
}
