//! Process lists, numbered.
//!
//! States whose processes are of the same kinds in the same order share a list, and with it the places of all bodies.
//! There are few lists and many states: a code names the list by a small number instead of spelling it out.

use crate::memory::arena::same;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation, Schema};

/// The process list of some states.
pub struct ProcessList {
    /// As it stands in the state: the number of processes, then their kinds. Empty where the model has no processes.
    pub bytes: Box<[u8]>,
    /// The kind and the place of the body of each process.
    pub bodies: Box<[(u8, u32)]>,
    /// The length of the state.
    pub len: usize,
}

/// The lists met so far.
pub struct ProcessLists {
    fixed_size: usize,
    /// The size of a body, by kind; empty where the model has no processes.
    sizes: Vec<u32>,
    all: Vec<ProcessList>,
    by_bytes: FxHashMap<Box<[u8]>, u32>,
    recent: u32,
    reservation: Reservation,
}

impl ProcessLists {
    /// None met yet.
    pub fn new(schema: &Schema, budget: &Arc<Budget>) -> Self {
        ProcessLists {
            fixed_size: schema.fixed_size as usize,
            sizes: schema.kinds.iter().map(|kind| kind.size).collect(),
            all: Vec::new(),
            by_bytes: FxHashMap::default(),
            recent: 0,
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// The number of the list of `state`; none if these bytes do not have the form of a state.
    #[inline]
    pub fn find(&mut self, state: &[u8]) -> Result<Option<u32>, Refused> {
        let at = self.fixed_size;
        let mut bytes: &[u8] = &[];
        if !self.sizes.is_empty() {
            match state.get(at).and_then(|&count| state.get(at..=at + count as usize)) {
                Some(list) => bytes = list,
                None => return Ok(None),
            }
        }
        let number = match self.all.get(self.recent as usize) {
            Some(list) if same(&list.bytes, bytes) => self.recent,
            _ => match self.by_bytes.get(bytes) {
                Some(&number) => number,
                None => match self.add(bytes, state.len())? {
                    Some(number) => number,
                    None => return Ok(None),
                },
            },
        };
        self.recent = number;
        Ok((self.all[number as usize].len == state.len()).then_some(number))
    }

    #[cold]
    fn add(&mut self, bytes: &[u8], len: usize) -> Result<Option<u32>, Refused> {
        let mut at = self.fixed_size + bytes.len();
        let mut bodies = Vec::new();
        for &kind in bytes.get(1..).unwrap_or_default() {
            let Some(&size) = self.sizes.get(kind as usize) else { return Ok(None) };
            bodies.push((kind, at as u32));
            at += size as usize;
        }
        // Bytes that are no state must not fill the table.
        if at != len {
            return Ok(None);
        }
        self.reservation.take((2 * bytes.len() + bodies.len() * size_of::<(u8, u32)>() + 128) as u64)?;
        let number = self.all.len() as u32;
        self.all.push(ProcessList { bytes: bytes.into(), bodies: bodies.into(), len: at });
        self.by_bytes.insert(bytes.into(), number);
        Ok(Some(number))
    }

    /// A list by its number.
    #[inline]
    pub fn get(&self, number: u32) -> &ProcessList {
        &self.all[number as usize]
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}
