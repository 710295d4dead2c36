//! Blocks that are written once and read in any order: the log that counterexamples are reconstructed from.
//!
//! A block is on disk with a checksum behind it, at the place that follows from its number. Some are gathered and written
//! together. In memory: those that are gathered, a few kilobytes.

use crate::checksum;
use crate::spill_space::{DAMAGED, SpillFile, SpillSpace};
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation, Spill};

/// So many blocks are written together.
const GATHERED: usize = 16;

/// The bytes of a checksum.
const SUM_BYTES: usize = 8;

/// Blocks on disk.
pub struct DiskLog {
    space: Arc<SpillSpace>,
    /// None until something is written.
    file: Option<SpillFile>,
    /// The bytes of a block with its checksum; nothing until the first one comes.
    stride: usize,
    /// How many blocks the file has.
    written: u64,
    /// Those that come behind them.
    gathered: Vec<u8>,
    reservation: Reservation,
}

impl DiskLog {
    /// No blocks yet.
    pub fn new(space: &Arc<SpillSpace>, budget: &Arc<Budget>) -> Self {
        let (space, reservation) = (space.clone(), Reservation::new(budget.clone()));
        DiskLog { space, file: None, stride: 0, written: 0, gathered: Vec::new(), reservation }
    }

    fn write_gathered(&mut self) -> Result<(), Refused> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(SpillFile::new(&self.space)?),
        };
        file.append(&[&self.gathered])?;
        self.written += (self.gathered.len() / self.stride) as u64;
        self.gathered.clear();
        Ok(())
    }
}

impl Spill for DiskLog {
    fn put(&mut self, block: &[u8]) -> Result<(), Refused> {
        let stride = block.len() + SUM_BYTES;
        if self.stride == 0 {
            self.gathered = self.reservation.block([GATHERED * stride, stride], 0)?;
            self.stride = stride;
        } else if self.stride != stride {
            return Err(Refused::Other("the blocks of a log have one length"));
        }
        if self.gathered.capacity() - self.gathered.len() < stride {
            self.write_gathered()?;
        }
        let number = self.written + (self.gathered.len() / stride) as u64;
        self.gathered.extend_from_slice(block);
        self.gathered.extend_from_slice(&checksum(block, number, stride as u64).to_le_bytes());
        Ok(())
    }

    fn get(&mut self, number: u64, out: &mut Vec<u8>) -> Result<(), Refused> {
        out.clear();
        out.resize(self.stride, 0);
        if let Some(behind) = number.checked_sub(self.written) {
            let at = behind as usize * self.stride;
            out.copy_from_slice(self.gathered.get(at..at + self.stride).ok_or(DAMAGED)?);
        } else {
            let file = self.file.as_ref().ok_or(DAMAGED)?;
            file.read(number * self.stride as u64, out)?;
        }
        let (block, sum) = out.split_last_chunk::<SUM_BYTES>().ok_or(DAMAGED)?;
        if checksum(block, number, self.stride as u64).to_le_bytes() != *sum {
            return Err(DAMAGED);
        }
        out.truncate(self.stride - SUM_BYTES);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}
