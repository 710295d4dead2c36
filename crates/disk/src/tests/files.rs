//! Files in memory that fail as they are told to.

use crate::spill_space::{BlockFile, SpillSpace};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// All files of a room, also those that were dropped, and what is to go wrong.
#[derive(Clone, Default)]
pub struct Files(Arc<Mutex<Disk>>);

#[derive(Default)]
struct Disk {
    files: Vec<Vec<u8>>,
    /// So many bytes may still be written, if that is limited; half of what is too much is written all the same.
    free: Option<usize>,
    /// From this read on nothing can be read.
    fails_at_read: Option<usize>,
    /// No file can be made.
    is_closed: bool,
    reads: usize,
}

impl Files {
    pub fn space(&self, quota: Option<u64>) -> Arc<SpillSpace> {
        let files = self.clone();
        let make = move |_: &Path| -> io::Result<Box<dyn BlockFile>> {
            let mut disk = files.0.lock().unwrap();
            if disk.is_closed {
                return Err(ErrorKind::PermissionDenied.into());
            }
            disk.files.push(Vec::new());
            Ok(Box::new(InMemory { files: files.clone(), number: disk.files.len() - 1 }))
        };
        SpillSpace::made_by(Box::new(make), Path::new("/nowhere"), quota)
    }

    pub fn full_after(bytes: usize) -> Files {
        let files = Files::default();
        files.0.lock().unwrap().free = Some(bytes);
        files
    }

    pub fn unreadable_after(reads: usize) -> Files {
        let files = Files::default();
        files.0.lock().unwrap().fails_at_read = Some(reads);
        files
    }

    pub fn closed() -> Files {
        let files = Files::default();
        files.0.lock().unwrap().is_closed = true;
        files
    }

    /// Changes the bytes of the file that was made last.
    pub fn damage(&self, change: impl FnOnce(&mut Vec<u8>)) {
        change(self.0.lock().unwrap().files.last_mut().expect("a file was made"));
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> usize {
        self.0.lock().unwrap().files.iter().map(Vec::len).sum()
    }

    /// How many files were made.
    pub fn made(&self) -> usize {
        self.0.lock().unwrap().files.len()
    }
}

struct InMemory {
    files: Files,
    number: usize,
}

impl BlockFile for InMemory {
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.files.0.lock().unwrap();
        let fit = match disk.free {
            Some(free) if free < bytes.len() => free / 2,
            _ => bytes.len(),
        };
        disk.free = disk.free.map(|free| free - fit);
        let (file, at) = (&mut disk.files[self.number], at as usize);
        file.resize(file.len().max(at + fit), 0);
        file[at..at + fit].copy_from_slice(&bytes[..fit]);
        if fit < bytes.len() { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn read(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        let mut disk = self.files.0.lock().unwrap();
        disk.reads += 1;
        if disk.fails_at_read.is_some_and(|most| disk.reads > most) {
            return Err(ErrorKind::TimedOut.into());
        }
        let there = disk.files[self.number].get(at as usize..at as usize + out.len());
        out.copy_from_slice(there.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}
