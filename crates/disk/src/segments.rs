//! Blocks in files, first in, first out.
//!
//! A block is written as a head (its length, the length it has on disk, a checksum) and its bytes, compressed by LZ4 where that
//! makes them fewer. Files are dropped as soon as they are read, so that the disk holds what waits, and of that which was read
//! the beginning of one file at most.

use crate::checksum;
use crate::spill_space::{DAMAGED, SpillFile, SpillSpace};
use lz4_flex::block::{CompressTable, compress_into_with_table, decompress_into, get_maximum_output_size};
use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{Refused, Reservation};

/// A file is complete with so many bytes. Where more than [`SEGMENT_PART`] such files lie on disk they are larger, since a process
/// may not have many files open; where the quota is small they are smaller, so that what was read is soon given back.
const SEGMENT_BYTES: u64 = 8 << 20;

/// A file is such a part of what lies on disk, or may.
const SEGMENT_PART: u64 = 32;

/// Two lengths of four bytes and a checksum.
const HEAD_BYTES: usize = 16;

/// What the table of the compressor takes.
const TABLE_BYTES: u64 = 32 << 10;

/// Blocks that wait in files.
pub(crate) struct Segments {
    space: Arc<SpillSpace>,
    /// Oldest first. The last one is written to, the first one read.
    files: VecDeque<SpillFile>,
    /// How much of the first file is read.
    read: u64,
    blocks_written: u64,
    blocks_read: u64,
    /// SpillSpace for a block as it is on disk, with its head.
    packed: Vec<u8>,
    table: CompressTable,
}

impl Segments {
    /// None yet, for blocks of so many bytes. The memory is taken by `reservation`.
    pub fn new(space: &Arc<SpillSpace>, block_bytes: usize, reservation: &mut Reservation) -> Result<Self, Refused> {
        reservation.take(TABLE_BYTES)?;
        let packed = reservation.block([HEAD_BYTES + get_maximum_output_size(block_bytes); 2], 0)?;
        Ok(Segments {
            space: space.clone(),
            files: VecDeque::new(),
            read: 0,
            blocks_written: 0,
            blocks_read: 0,
            packed,
            table: CompressTable::large(),
        })
    }

    /// Whether a file with so many bytes gets no more.
    fn is_complete(&self, bytes: u64) -> bool {
        let part = (self.space.bytes() / SEGMENT_PART).max(SEGMENT_BYTES);
        bytes >= part.min(self.space.quota() / SEGMENT_PART)
    }

    /// Puts a block at the end.
    pub fn write(&mut self, block: &[u8]) -> Result<(), Refused> {
        if self.files.back().is_none_or(|file| self.is_complete(file.bytes())) {
            self.files.push_back(SpillFile::new(&self.space)?);
        }
        self.packed.resize(self.packed.capacity(), 0);
        let (head, body) = self.packed.split_at_mut(HEAD_BYTES);
        let packed = compress_into_with_table(block, body, &mut self.table).ok();
        // A block that does not become smaller is written as it is.
        let body = packed.filter(|&length| length < block.len()).map_or(block, |length| &body[..length]);
        let form = (block.len() as u64) << 32 | body.len() as u64;
        head[..8].copy_from_slice(&form.to_le_bytes());
        head[8..].copy_from_slice(&checksum(body, self.blocks_written, form).to_le_bytes());
        let file = self.files.back_mut().expect("there is one");
        file.append(&[head, body])?;
        self.blocks_written += 1;
        Ok(())
    }

    /// Takes the block at the front into `out`, which has room for it.
    pub fn read(&mut self, out: &mut Vec<u8>) -> Result<(), Refused> {
        let file = self.files.front().ok_or(DAMAGED)?;
        let mut head = [0; HEAD_BYTES];
        file.read(self.read, &mut head)?;
        let [form, sum] = [0, 8].map(|at| u64::from_le_bytes(*head[at..].first_chunk().expect("eight bytes")));
        let (length, packed) = ((form >> 32) as usize, form as u32 as usize);
        if length > out.capacity() || packed > length {
            return Err(DAMAGED);
        }
        out.clear();
        out.resize(length, 0);
        self.packed.resize(self.packed.capacity(), 0);
        let body = if packed == length { &mut *out } else { &mut self.packed[..packed] };
        file.read(self.read + HEAD_BYTES as u64, body)?;
        if checksum(body, self.blocks_read, form) != sum {
            return Err(DAMAGED);
        }
        if packed < length && decompress_into(&self.packed[..packed], out).ok() != Some(length) {
            return Err(DAMAGED);
        }
        self.blocks_read += 1;
        self.read += (HEAD_BYTES + packed) as u64;
        if self.read == file.bytes() && (self.files.len() > 1 || self.blocks_read == self.blocks_written) {
            self.files.pop_front();
            self.read = 0;
        }
        Ok(())
    }
}
