//! States as the numbers of their fragments: what collapse compression and `compress` have in common.
//!
//! A state is cut into fragments. What a fragment looks like is kept once, in a table, and a state is the numbers of its
//! fragments. How it is cut, and which fragments share a table, is for [`crate::collapse`] and [`crate::compress`] to say.
//!
//! A number is written in the same way for ever, so that codes do not change while tables grow:
//! - *packed*: in the bits it has. How many that are is kept by number too: the widths of all numbers of a state are few
//!   combinations;
//! - *in bytes*: in one, or, from 255 on, in more;
//! - *aligned*, for sets that are diagrams: the low bytes of all numbers, then the next bytes of all, and so on, without the
//!   zeros at the end, so that everything is always at the same place.
//!
//! Invariant: whether a state is written in full, marked by the first bit or byte, depends on the state only.

use crate::Encode;
use crate::encodings::bitio::{BitReader, BitWriter};
use crate::encodings::family::{Family, width_of};
use crate::encodings::numbering::Numbering;
use crate::encodings::process_list::ProcessLists;
use std::ops::Range;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation, Schema, Successors};

/// In codes of bytes: the state follows as it is.
const FULL: u8 = u8::MAX;
/// In codes of bytes: a number that takes more follows.
const MORE: u8 = u8::MAX;

/// As many fragments are numbered together at most, but for those of one state.
const TOGETHER: usize = 4096;

/// How the numbers are written in a code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CodeLayout {
    /// In the bits they have.
    Packed,
    /// In as few bytes as they need.
    Bytes,
    /// In bytes at fixed places.
    Aligned,
}

/// How states are cut into fragments.
pub struct Partition {
    /// The fragments of the fixed part; none if it cannot be cut.
    pub fixed: Option<Vec<Fragment>>,
    /// The fragments of the body of each kind of process.
    pub kinds: Vec<Option<Vec<Fragment>>>,
    /// For every table the size of its fragments.
    pub tables: Vec<u32>,
}

/// A fragment of the fixed part of states, or of a body.
#[derive(Clone, Copy)]
pub struct Fragment {
    /// The table that it is kept in.
    pub table: u32,
    /// Where it begins.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
}

impl Fragment {
    /// Where it is.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.offset as usize..(self.offset + self.size) as usize
    }
}

/// Writes states as the numbers of their fragments.
pub struct Numbered {
    partition: Partition,
    layout: CodeLayout,
    tables: Vec<Numbering>,
    lists: ProcessLists,
    /// By the number of the list; none where something cannot be cut.
    families: Vec<Option<Family>>,
    budget: Arc<Budget>,
    reservation: Reservation,
    /// Where the states begin that are encoded together, and the numbers of their fragments.
    starts: Vec<usize>,
    numbers: Vec<u32>,
}

impl Numbered {
    /// For states of that schema, which are cut like that.
    pub fn new(schema: &Schema, partition: Partition, layout: CodeLayout, budget: &Arc<Budget>) -> Self {
        Numbered {
            tables: partition.tables.iter().map(|&size| Numbering::new(size as usize, budget)).collect(),
            partition,
            layout,
            lists: ProcessLists::new(schema, budget),
            families: Vec::new(),
            budget: budget.clone(),
            reservation: Reservation::new(budget.clone()),
            starts: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Sees to it that the family of that number is known.
    #[inline]
    fn meet(&mut self, number: u32) -> Result<(), Refused> {
        while self.families.len() <= number as usize {
            let family = self.family(self.families.len() as u32);
            self.reservation.take(family.as_ref().map_or(size_of::<Family>() as u64, Family::bytes))?;
            self.families.push(family);
        }
        Ok(())
    }

    #[cold]
    fn family(&self, number: u32) -> Option<Family> {
        let list = self.lists.get(number);
        let mut fragments = self.partition.fixed.clone()?;
        for &(kind, at) in &list.bodies {
            let body = self.partition.kinds[kind as usize].as_ref()?.iter();
            fragments.extend(body.map(|fragment| Fragment { offset: at + fragment.offset, ..*fragment }));
        }
        Some(Family::new(fragments, list.len, &self.budget))
    }

    /// The number of the list of a state; none if the state is to be written in full.
    #[inline]
    fn list_of(&mut self, state: &[u8]) -> Result<Option<u32>, Refused> {
        let few = |list: &u32| self.layout == CodeLayout::Packed || *list < u32::from(FULL);
        let Some(list) = self.lists.find(state)?.filter(few) else { return Ok(None) };
        self.meet(list)?;
        Ok(self.families[list as usize].is_some().then_some(list))
    }

    /// Finds the numbers of states that begin at `starts` in `bytes` and have that list.
    fn find(&mut self, bytes: &[u8], list: u32) -> Result<(), Refused> {
        let family = self.families[list as usize].as_ref().expect("it has a family");
        family.find(bytes, &self.starts, &mut self.tables, &mut self.numbers)
    }

    /// Adds the code of the state at `index` of those whose numbers were found.
    fn put(&mut self, list: u32, index: usize, out: &mut Vec<u8>) -> Result<(), Refused> {
        let family = self.families[list as usize].as_mut().expect("it has a family");
        let numbers = self.numbers.get(index..).unwrap_or_default().iter().step_by(self.starts.len()).copied();
        match self.layout {
            CodeLayout::Packed => {
                let combination = family.number_of_widths(numbers.clone())?;
                let mut writer = BitWriter::new(out);
                writer.put(0, 1);
                if !self.partition.kinds.is_empty() {
                    writer.put_number(list);
                }
                put(&mut writer, combination);
                for (number, &width) in numbers.zip(&family.widths) {
                    // The highest bit of a number is known by its width.
                    let below = u32::from(width).saturating_sub(1);
                    writer.put(u64::from(number) & ((1 << below) - 1), below);
                }
                writer.finish();
            }
            CodeLayout::Bytes => {
                out.push(list as u8);
                put_bytes(numbers, out);
            }
            CodeLayout::Aligned => {
                out.push(list as u8);
                put_aligned(numbers, out);
            }
        }
        Ok(())
    }

    /// Adds the code of a state that is written in full.
    fn put_full(&self, state: &[u8], out: &mut Vec<u8>) {
        out.push(if self.layout == CodeLayout::Packed { 1 } else { FULL });
        out.extend_from_slice(state);
    }
}

/// Writes each number in as few bytes as it needs.
fn put_bytes(numbers: impl Iterator<Item = u32> + Clone, out: &mut Vec<u8>) {
    if numbers.clone().fold(0, u32::max) < u32::from(MORE) {
        out.extend(numbers.map(|number| number as u8));
        return;
    }
    for number in numbers {
        match (u8::try_from(number), u16::try_from(number)) {
            (Ok(byte), _) if byte != MORE => out.push(byte),
            (_, Ok(pair)) if pair != u16::MAX => {
                out.push(MORE);
                out.extend_from_slice(&pair.to_le_bytes());
            }
            _ => {
                out.extend_from_slice(&[MORE; 3]);
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
    }
}

/// Writes the numbers in bytes at fixed places.
fn put_aligned(numbers: impl Iterator<Item = u32> + Clone, out: &mut Vec<u8>) {
    let most = numbers.clone().fold(0, u32::max);
    out.extend(numbers.clone().map(|number| number as u8));
    let least = out.len();
    for shift in [8, 16, 24].into_iter().filter(|shift| most >> shift != 0) {
        out.extend(numbers.clone().map(|number| (number >> shift) as u8));
    }
    while out.len() > least && out.last() == Some(&0) {
        out.pop();
    }
}

/// Writes a number whose size is not known: four bits that tell it, then the number.
#[inline]
fn put(writer: &mut BitWriter<'_>, number: u32) {
    match width_of(number) {
        width @ 0..15 => {
            let below = u32::from(width).saturating_sub(1);
            writer.put(u64::from(width), 4);
            writer.put(u64::from(number) & ((1 << below) - 1), below);
        }
        _ => {
            writer.put(15, 4);
            writer.put(u64::from(number), 32);
        }
    }
}

#[inline]
fn get(reader: &mut BitReader<'_>) -> u32 {
    match reader.get(4) as u32 {
        15 => reader.get(32) as u32,
        width => get_bits(reader, width),
    }
}

/// Reads a number of that width.
#[inline]
fn get_bits(reader: &mut BitReader<'_>, width: u32) -> u32 {
    match width.checked_sub(1) {
        None => 0,
        Some(below) => 1 << below | reader.get(below) as u32,
    }
}

/// Copies a fragment. Most are too short for a call.
#[inline]
fn copy(from: &[u8], to: &mut [u8]) {
    match (from.len(), from, &mut *to) {
        (1, [byte], [place]) => *place = *byte,
        (2, [one, other], [place, next]) => (*place, *next) = (*one, *other),
        (4, &[a, b, c, d], to) => to.copy_from_slice(&[a, b, c, d]),
        _ => to.copy_from_slice(from),
    }
}

/// Reads a number that takes as few bytes as it needs, from the front of `code`.
fn take_bytes(code: &mut &[u8]) -> u32 {
    let mut take = |count: usize| {
        let (head, rest) = code.split_at(count);
        *code = rest;
        head.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
    };
    match take(1) {
        byte if byte == u32::from(MORE) => match take(2) {
            pair if pair == u32::from(u16::MAX) => take(4),
            pair => pair,
        },
        byte => byte,
    }
}

impl Encode for Numbered {
    fn encode<'a>(&mut self, state: &'a [u8], room: &'a mut Vec<u8>) -> Result<&'a [u8], Refused> {
        room.clear();
        match self.list_of(state)? {
            Some(list) => {
                self.starts.clear();
                self.starts.push(0);
                self.find(state, list)?;
                self.put(list, 0, room)?;
            }
            None => self.put_full(state, room),
        }
        Ok(room)
    }

    fn encode_all(&mut self, states: &Successors, room: &mut Vec<u8>, codes: &mut Successors) -> Result<(), Refused> {
        let mut from = 0;
        while from < states.len() {
            let Some(state) = states.state(from) else {
                codes.push_nowhere(states.step(from));
                from += 1;
                continue;
            };
            let Some(list) = self.list_of(state)? else {
                let start = codes.bytes.len();
                self.put_full(state, &mut codes.bytes);
                codes.push_range(states.step(from), start, codes.bytes.len(), None);
                from += 1;
                continue;
            };
            // As many as have the same list.
            let fragments = self.families[list as usize].as_ref().map_or(0, |family| family.fragments.len());
            let most = (TOGETHER / fragments.max(1)).max(1);
            self.starts.clear();
            let alike = states.items[from..].iter().take(most).map_while(|item| {
                let state = states.bytes.get(item.start as usize..item.end as usize)?;
                (self.lists.find(state) == Ok(Some(list))).then_some(item.start as usize)
            });
            self.starts.extend(alike);
            let count = self.starts.len();
            if self.find(&states.bytes, list).is_err() {
                // There may be memory for some of them.
                for index in from..from + count {
                    let state = states.state(index).expect("it has a list");
                    codes.push(states.step(index), self.encode(state, room)?);
                }
                from += count;
                continue;
            }
            for index in 0..count {
                let start = codes.bytes.len();
                self.put(list, index, &mut codes.bytes)?;
                codes.push_range(states.step(from + index), start, codes.bytes.len(), None);
            }
            from += count;
        }
        Ok(())
    }

    fn decode(&mut self, code: &[u8], out: &mut Vec<u8>) {
        out.clear();
        let packed = self.layout == CodeLayout::Packed;
        let mut reader = BitReader::new(code);
        let full = if packed { reader.get(1) == 1 } else { code[0] == FULL };
        if full {
            out.extend_from_slice(&code[1..]);
            return;
        }
        let number = match (packed, self.partition.kinds.is_empty()) {
            (false, _) => u32::from(code[0]),
            (true, true) => 0,
            (true, false) => reader.get_number(),
        };
        let list = self.lists.get(number);
        let Some(family) = &self.families[number as usize] else { return };
        out.resize(list.len, 0);
        let list_at = list.bodies.first().map_or(list.len, |&(_, at)| at as usize) - list.bytes.len();
        out[list_at..list_at + list.bytes.len()].copy_from_slice(&list.bytes);
        let widths: &[u8] = if packed { family.widths_of(get(&mut reader)) } else { &[] };
        let count = family.fragments.len();
        let mut rest = &code[1..];
        for (index, fragment) in family.fragments.iter().enumerate() {
            let number = match self.layout {
                CodeLayout::Packed => get_bits(&mut reader, u32::from(widths[index])),
                CodeLayout::Bytes => take_bytes(&mut rest),
                CodeLayout::Aligned => {
                    let byte = |round: usize| u32::from(code.get(1 + index + round * count).copied().unwrap_or(0));
                    byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
                }
            };
            copy(self.tables[fragment.table as usize].get(number), &mut out[fragment.range()]);
        }
    }

    fn align(&mut self) {
        self.layout = CodeLayout::Aligned;
    }

    fn is_short(&self) -> bool {
        self.layout == CodeLayout::Packed
    }

    fn has_tables(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        let widths = self.families.iter().flatten().map(Family::growing_bytes);
        let tables = self.tables.iter().map(Numbering::bytes);
        tables.chain(widths).sum::<u64>() + self.lists.bytes() + self.reservation.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encodings::samples::{self, go_there_and_back, schema};
    use crate::{collapse, compress};
    use tightrope_core::Step;

    #[test]
    fn every_state_comes_back_and_has_a_code_of_its_own() {
        let budget = Arc::new(Budget::unlimited());
        for make in [collapse, compress] {
            for layout in [CodeLayout::Packed, CodeLayout::Bytes, CodeLayout::Aligned] {
                let mut numbered = make(&schema(), &budget);
                numbered.layout = layout;
                let mut kept_in_full = 0;
                go_there_and_back(&mut numbered, |proper, state, code| {
                    let full = code[1..] == *state;
                    kept_in_full += u32::from(full);
                    assert!(!(proper && full));
                });
                assert!(kept_in_full > 100);
                assert_eq!(numbered.bytes(), budget.used());
            }
        }
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn numbers_of_all_sizes() {
        let schema = Schema { fixed_size: 4, fixed: Vec::new(), kinds: Vec::new() };
        for layout in [CodeLayout::Packed, CodeLayout::Bytes, CodeLayout::Aligned] {
            let mut numbered = compress(&schema, &Arc::new(Budget::unlimited()));
            numbered.layout = layout;
            let (mut room, mut back, mut most) = (Vec::new(), Vec::new(), 0);
            for number in 0..70_000u32 {
                let code = numbered.encode(&number.to_le_bytes(), &mut room).unwrap().to_vec();
                most = most.max(code.len());
                numbered.decode(&code, &mut back);
                assert_eq!(back, number.to_le_bytes());
            }
            assert!(most <= 8, "{most}");
        }
    }

    #[test]
    fn what_comes_together_is_encoded_alike() {
        let mut states = Successors::new();
        for (index, (_, state)) in samples::states().enumerate() {
            // In runs of one list and mixed, with steps that lead nowhere.
            match index % 1000 {
                0..20 => states.push_nowhere(Step::default()),
                _ => states.push(Step { action: index as u64, choice: 0 }, &state),
            }
        }
        for make in [collapse, compress] {
            for (layout, limit) in [CodeLayout::Packed, CodeLayout::Bytes, CodeLayout::Aligned]
                .into_iter()
                .flat_map(|layout| [0, 3000, 100_000, 300_000, u64::MAX].map(|limit| (layout, limit)))
            {
                let mut numbered = make(&schema(), &Arc::new(Budget::new(limit)));
                numbered.layout = layout;
                let (mut codes, mut room) = (Successors::new(), Vec::new());
                let result = numbered.encode_all(&states, &mut room, &mut codes);
                assert_eq!(result.is_ok(), codes.len() == states.len());
                assert_eq!(result.is_ok(), limit == u64::MAX);
                for index in 0..codes.len() {
                    assert_eq!(codes.step(index), states.step(index));
                    let Some(state) = states.state(index) else {
                        assert!(codes.state(index).is_none());
                        continue;
                    };
                    numbered.decode(codes.state(index).unwrap(), &mut room);
                    assert_eq!(room, state);
                    assert_eq!(numbered.encode(state, &mut room).unwrap(), codes.state(index).unwrap());
                }
                assert!(limit < 100_000 || codes.len() > 500, "{}", codes.len());
            }
        }
    }

    #[test]
    fn a_refusal_loses_nothing() {
        let schema = Schema { fixed_size: 8, fixed: Vec::new(), kinds: Vec::new() };
        let mut numbered = compress(&schema, &Arc::new(Budget::new(10_000)));
        let mut room = Vec::new();
        let state = |number: u32| [number.to_le_bytes(), (number / 7).to_le_bytes()].concat();
        let mut codes = Vec::new();
        while let Ok(code) = numbered.encode(&state(codes.len() as u32), &mut room) {
            codes.push(code.to_vec());
        }
        assert!(codes.len() > 300);
        let mut back = Vec::new();
        for (number, code) in codes.iter().enumerate() {
            assert_eq!(numbered.encode(&state(number as u32), &mut room).unwrap(), code);
            numbered.decode(code, &mut back);
            assert_eq!(back, state(number as u32));
        }
    }
}
