//! The place on disk: which folder, how much of it, and what lies there.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tightrope_core::Refused;

/// A folder for files without names, a quota for all of them together, and the account of what they hold.
///
/// Invariant: what is on the account is at least what the files hold, also after a write that failed halfway.
pub struct SpillSpace {
    folder: PathBuf,
    quota: u64,
    on_disk: AtomicU64,
    peak: AtomicU64,
    written: AtomicU64,
    read: AtomicU64,
    make: Make,
}

/// Makes an empty file in a folder.
type Make = Box<dyn Fn(&Path) -> io::Result<Box<dyn BlockFile>> + Send + Sync>;

/// What bytes are written to and read from.
pub(crate) trait BlockFile: Send {
    /// Writes all bytes from a place on.
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Reads as many bytes as there is room for, or fails.
    fn read(&self, at: u64, out: &mut [u8]) -> io::Result<()>;
}

impl BlockFile for File {
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_all_at(bytes, at)
    }

    fn read(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        self.read_exact_at(out, at)
    }
}

impl SpillSpace {
    /// A place in that folder, for at most so many bytes. An error if no file can be made there.
    pub fn open(folder: &Path, quota: Option<u64>) -> io::Result<Arc<SpillSpace>> {
        let make: Make = Box::new(|folder| Ok(Box::new(tempfile::tempfile_in(folder)?)));
        make(folder)?;
        Ok(SpillSpace::made_by(make, folder, quota))
    }

    pub(crate) fn made_by(make: Make, folder: &Path, quota: Option<u64>) -> Arc<SpillSpace> {
        let [on_disk, peak, written, read] = [0; 4].map(AtomicU64::new);
        let (folder, quota) = (folder.to_path_buf(), quota.unwrap_or(u64::MAX));
        Arc::new(SpillSpace { folder, quota, on_disk, peak, written, read, make })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes that may lie there at one time.
    pub fn quota(&self) -> u64 {
        self.quota
    }

    /// The bytes that lie there now.
    pub fn bytes(&self) -> u64 {
        self.on_disk.load(Ordering::Relaxed)
    }

    /// The most bytes that lay there at one time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// The bytes that were written in all.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// The bytes that were read in all.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) -> Result<(), Refused> {
        let more = |before: u64| before.checked_add(bytes).filter(|&total| total <= self.quota);
        match self.on_disk.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(_) => Err(Refused::Disk(io::ErrorKind::QuotaExceeded)),
        }
    }

    fn give_back(&self, bytes: u64) {
        self.on_disk.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// A file without a name. Its bytes are on the account of its space until it is dropped.
pub(crate) struct SpillFile {
    space: Arc<SpillSpace>,
    file: Box<dyn BlockFile>,
    bytes: u64,
    /// What it has on the account: more than `bytes` after a write that failed, some of which may be there.
    charged: u64,
}

impl SpillFile {
    /// An empty file.
    pub fn new(space: &Arc<SpillSpace>) -> Result<Self, Refused> {
        let file = (space.make)(&space.folder).map_err(refused)?;
        Ok(SpillFile { space: space.clone(), file, bytes: 0, charged: 0 })
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the parts at the end, all of them or none.
    pub fn append(&mut self, parts: &[&[u8]]) -> Result<(), Refused> {
        let bytes: u64 = parts.iter().map(|part| part.len() as u64).sum();
        let more = (self.bytes + bytes).saturating_sub(self.charged);
        self.space.take(more)?;
        self.charged += more;
        let mut at = self.bytes;
        for part in parts {
            // What is written of it although it fails is overwritten by what comes next.
            self.file.write(at, part).map_err(refused)?;
            at += part.len() as u64;
        }
        self.bytes = at;
        self.space.written.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Reads from a place on.
    pub fn read(&self, at: u64, out: &mut [u8]) -> Result<(), Refused> {
        self.file.read(at, out).map_err(refused)?;
        self.space.read.fetch_add(out.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for SpillFile {
    fn drop(&mut self) {
        self.space.give_back(self.charged);
    }
}

fn refused(error: io::Error) -> Refused {
    Refused::Disk(error.kind())
}

/// What comes back is not what was written.
pub(crate) const DAMAGED: Refused = Refused::Disk(io::ErrorKind::InvalidData);
