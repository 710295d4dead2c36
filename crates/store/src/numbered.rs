//! States as the numbers of their pieces.
//!
//! A state is cut into pieces; what a piece looks like is kept once, in a table, and a state is the numbers of its pieces.
//! How it is cut, and which pieces share a table, is for [`crate::Collapse`] and [`crate::Compress`] to say.
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
use crate::arena::same;
use crate::bitio::{Reader, Writer};
use crate::list::Lists;
use crate::numbering::Numbering;
use std::sync::Arc;
use tightrope_core::{Budget, Holding, OverBudget, Schema};

/// In codes of bytes: the state follows as it is.
const FULL: u8 = u8::MAX;
/// In codes of bytes: a number that takes more follows.
const MORE: u8 = u8::MAX;

/// How numbers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In the bits they have.
    Packed,
    /// In as few bytes as they need.
    Bytes,
    /// In bytes at fixed places.
    Aligned,
}

/// How states are cut.
pub struct Cut {
    /// The pieces of the fixed part; none if it cannot be cut.
    pub fixed: Option<Vec<Piece>>,
    /// The pieces of the body of each kind of process.
    pub kinds: Vec<Option<Vec<Piece>>>,
    /// For every table the size of its pieces.
    pub tables: Vec<u32>,
}

/// A piece of the fixed part of states, or of a body.
#[derive(Clone, Copy)]
pub struct Piece {
    /// The table that it is kept in.
    pub table: u32,
    /// Where it begins.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
}

/// The states with one process list.
struct Family {
    /// The pieces, with their places in the state, and the number that each had last.
    pieces: Vec<(Piece, u32)>,
    /// The widths of the numbers, all that were met.
    widths: Numbering,
}

/// Writes states as the numbers of their pieces.
pub struct Numbered {
    cut: Cut,
    form: Form,
    tables: Vec<Numbering>,
    lists: Lists,
    /// By the number of the list; none where something cannot be cut.
    families: Vec<Option<Family>>,
    budget: Arc<Budget>,
    holding: Holding,
    numbers: Vec<u32>,
    widths: Vec<u8>,
}

impl Numbered {
    /// For states of this form, which are cut like that.
    pub fn new(schema: &Schema, cut: Cut, form: Form, budget: &Arc<Budget>) -> Self {
        Numbered {
            tables: cut.tables.iter().map(|&size| Numbering::new(size as usize, budget)).collect(),
            cut,
            form,
            lists: Lists::new(schema, budget),
            families: Vec::new(),
            budget: budget.clone(),
            holding: Holding::new(budget.clone()),
            numbers: Vec::new(),
            widths: Vec::new(),
        }
    }

    /// Sees to it that the family of that number is known.
    #[inline]
    fn meet(&mut self, number: u32) -> Result<(), OverBudget> {
        while self.families.len() <= number as usize {
            let family = self.family(self.families.len() as u32);
            let pieces = family.as_ref().map_or(0, |family| family.pieces.len());
            self.holding.take((pieces * size_of::<(Piece, u32)>() + size_of::<Family>()) as u64)?;
            self.families.push(family);
        }
        Ok(())
    }

    #[cold]
    fn family(&self, number: u32) -> Option<Family> {
        let mut pieces: Vec<(Piece, u32)> = self.cut.fixed.as_ref()?.iter().map(|&piece| (piece, 0)).collect();
        for &(kind, at) in &self.lists.get(number).bodies {
            let body = self.cut.kinds[kind as usize].as_ref()?.iter();
            pieces.extend(body.map(|piece| (Piece { offset: at + piece.offset, ..*piece }, 0)));
        }
        let widths = Numbering::new(pieces.len(), &self.budget);
        Some(Family { pieces, widths })
    }

    /// The numbers of the parts of a state with the list of that number; false if it has none.
    #[inline]
    fn find(&mut self, state: &[u8], list: u32) -> Result<bool, OverBudget> {
        self.meet(list)?;
        let Some(family) = &mut self.families[list as usize] else { return Ok(false) };
        self.numbers.clear();
        for (piece, last) in &mut family.pieces {
            let bytes = &state[piece.offset as usize..(piece.offset + piece.size) as usize];
            let table = &mut self.tables[piece.table as usize];
            if *last >= table.len() || !same(table.get(*last), bytes) {
                *last = table.number(bytes)?;
            }
            self.numbers.push(*last);
        }
        Ok(true)
    }

    /// Writes the numbers in the bits they need.
    fn pack(&mut self, list: u32, room: &mut Vec<u8>) -> Result<(), OverBudget> {
        let family = self.families[list as usize].as_mut().expect("its numbers were found");
        self.widths.clear();
        self.widths.extend(self.numbers.iter().map(|&number| width_of(number)));
        let widths = family.widths.number(&self.widths)?;
        let mut writer = Writer::new(room);
        writer.put(0, 1);
        if !self.cut.kinds.is_empty() {
            writer.put_number(list);
        }
        put(&mut writer, widths);
        for (&number, &width) in self.numbers.iter().zip(&self.widths) {
            // The highest bit of a number is known by its width.
            let below = u32::from(width).saturating_sub(1);
            writer.put(u64::from(number) & ((1 << below) - 1), below);
        }
        writer.finish();
        Ok(())
    }

    /// Writes each number in as few bytes as it needs.
    fn put_bytes(&mut self, list: u32, room: &mut Vec<u8>) {
        room.push(list as u8);
        for &number in &self.numbers {
            match (u8::try_from(number), u16::try_from(number)) {
                (Ok(byte), _) if byte != MORE => room.push(byte),
                (_, Ok(pair)) if pair != u16::MAX => {
                    room.push(MORE);
                    room.extend_from_slice(&pair.to_le_bytes());
                }
                _ => {
                    room.extend_from_slice(&[MORE; 3]);
                    room.extend_from_slice(&number.to_le_bytes());
                }
            }
        }
    }

    /// Writes the numbers in bytes at fixed places.
    fn align_numbers(&mut self, list: u32, room: &mut Vec<u8>) {
        room.push(list as u8);
        for shift in [0, 8, 16, 24] {
            if shift > 0 && self.numbers.iter().all(|&number| number >> shift == 0) {
                break;
            }
            room.extend(self.numbers.iter().map(|&number| (number >> shift) as u8));
        }
        let least = 1 + self.numbers.len();
        while room.len() > least && room.last() == Some(&0) {
            room.pop();
        }
    }
}

/// The bits of a number, up to the highest that is set.
#[inline]
fn width_of(number: u32) -> u8 {
    (32 - number.leading_zeros()) as u8
}

/// Writes a number whose size is not known: four bits that tell it, then the number.
#[inline]
fn put(writer: &mut Writer<'_>, number: u32) {
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
fn get(reader: &mut Reader<'_>) -> u32 {
    match reader.get(4) as u32 {
        15 => reader.get(32) as u32,
        width => get_bits(reader, width),
    }
}

/// Reads a number of that width.
#[inline]
fn get_bits(reader: &mut Reader<'_>, width: u32) -> u32 {
    match width.checked_sub(1) {
        None => 0,
        Some(below) => 1 << below | reader.get(below) as u32,
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
    fn encode<'a>(&mut self, state: &'a [u8], room: &'a mut Vec<u8>) -> Result<&'a [u8], OverBudget> {
        room.clear();
        let few = |list: &u32| self.form == Form::Packed || *list < u32::from(FULL);
        let list = self.lists.find(state)?.filter(few);
        let found = match list {
            Some(list) => self.find(state, list)?.then_some(list),
            None => None,
        };
        match (found, self.form) {
            (Some(list), Form::Packed) => self.pack(list, room)?,
            (Some(list), Form::Bytes) => self.put_bytes(list, room),
            (Some(list), Form::Aligned) => self.align_numbers(list, room),
            (None, form) => {
                room.push(if form == Form::Packed { 1 } else { FULL });
                room.extend_from_slice(state);
            }
        }
        Ok(room)
    }

    fn decode(&mut self, code: &[u8], out: &mut Vec<u8>) {
        out.clear();
        let packed = self.form == Form::Packed;
        let mut reader = Reader::new(code);
        let full = if packed { reader.get(1) == 1 } else { code[0] == FULL };
        if full {
            out.extend_from_slice(&code[1..]);
            return;
        }
        let number = match (packed, self.cut.kinds.is_empty()) {
            (false, _) => u32::from(code[0]),
            (true, true) => 0,
            (true, false) => reader.get_number(),
        };
        let list = self.lists.get(number);
        let Some(family) = &self.families[number as usize] else { return };
        out.resize(list.len, 0);
        let list_at = list.bodies.first().map_or(list.len, |&(_, at)| at as usize) - list.bytes.len();
        out[list_at..list_at + list.bytes.len()].copy_from_slice(&list.bytes);
        let widths: &[u8] = if packed { family.widths.get(get(&mut reader)) } else { &[] };
        let count = family.pieces.len();
        let mut rest = &code[1..];
        for (index, (piece, _)) in family.pieces.iter().enumerate() {
            let number = match self.form {
                Form::Packed => get_bits(&mut reader, u32::from(widths[index])),
                Form::Bytes => take_bytes(&mut rest),
                Form::Aligned => {
                    let byte = |round: usize| u32::from(code.get(1 + index + round * count).copied().unwrap_or(0));
                    byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
                }
            };
            let at = piece.offset as usize;
            out[at..at + piece.size as usize].copy_from_slice(self.tables[piece.table as usize].get(number));
        }
    }

    fn align(&mut self) {
        self.form = Form::Aligned;
    }

    fn is_short(&self) -> bool {
        self.form == Form::Packed
    }

    fn bytes(&self) -> u64 {
        let widths = self.families.iter().flatten().map(|family| family.widths.bytes());
        let tables = self.tables.iter().map(Numbering::bytes);
        tables.chain(widths).sum::<u64>() + self.lists.bytes() + self.holding.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{go_there_and_back, schema};
    use crate::{collapse, compress};

    #[test]
    fn every_state_comes_back_and_has_a_code_of_its_own() {
        let budget = Arc::new(Budget::unlimited());
        for make in [collapse, compress] {
            for form in [Form::Packed, Form::Bytes, Form::Aligned] {
                let mut numbered = make(&schema(), &budget);
                numbered.form = form;
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
        for form in [Form::Packed, Form::Bytes, Form::Aligned] {
            let mut numbered = compress(&schema, &Arc::new(Budget::unlimited()));
            numbered.form = form;
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
