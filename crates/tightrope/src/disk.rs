//! The disk on the command line: which options go together, and what the report says of it.

use crate::amount::bytes;
use crate::arguments::SearchOptions;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;
use tightrope_disk::SpillSpace;
use tightrope_search::{SEARCHES, Search};

/// The place on disk that the options ask for, if they do. The error is for people.
pub fn spill_space(options: &SearchOptions, search: &Search) -> Result<Option<Arc<SpillSpace>>, String> {
    if options.queue == "ids" && !search.guarantees.levels {
        return Err(needs_levels("--queue ids", search));
    }
    if options.queue != "disk" {
        let option = match (&options.disk, options.disk_quota) {
            (Some(_), _) => "`--disk` says where states wait on disk",
            (None, Some(_)) => "`--disk-quota` says how much of the disk may be used",
            (None, None) => return Ok(None),
        };
        return Err(format!("error: {option}, so it needs `--queue disk`"));
    }
    if !search.guarantees.levels {
        return Err(needs_levels("--queue disk", search));
    }
    ignore_file_size_signal();
    let folder = options.disk.clone().unwrap_or_else(folder_for_temporary_files);
    let space = SpillSpace::open(&folder, options.disk_quota);
    space.map(Some).map_err(|error| {
        let is_there = folder.is_dir();
        let (why, folder) = (why_not(&error, is_there), folder.display());
        format!("error: no states can wait in `{folder}`: {why}\ntry: --disk with a folder in which you may write")
    })
}

/// An error: the option is for a breadth-first search.
fn needs_levels(option: &str, search: &Search) -> String {
    let fit = SEARCHES.iter().filter(|search| search.guarantees.levels);
    let fit: Vec<String> = fit.map(|search| format!("`--search {}`", search.name)).collect();
    let (fit, name) = (fit.join(" or "), search.name);
    format!("error: `{option}` needs {fit}: in `{name}` no states wait in a queue")
}

/// That of the system; an empty `TMPDIR` names none.
fn folder_for_temporary_files() -> PathBuf {
    Some(std::env::temp_dir()).filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| "/tmp".into())
}

/// A file that may not become larger (`ulimit -f`) is an error where it is written to, not the end of the program.
fn ignore_file_size_signal() {
    #[allow(unsafe_code)]
    // SAFETY: no handler is installed or replaced.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Why no file can be made in a folder.
fn why_not(error: &io::Error, is_there: bool) -> String {
    match error.kind() {
        // As in `/proc`.
        ErrorKind::NotFound if is_there => "no file can be made there".into(),
        ErrorKind::NotFound => "there is no such folder".into(),
        ErrorKind::NotADirectory => "it is not a folder".into(),
        ErrorKind::PermissionDenied => "you may not write there".into(),
        ErrorKind::ReadOnlyFilesystem => "it can only be read".into(),
        _ => error.to_string(),
    }
}

/// What was used of the disk.
pub struct DiskUse {
    /// Where.
    pub folder: PathBuf,
    /// How much of it might be used, where that was said.
    pub quota: Option<u64>,
    /// The most bytes that lay there at one time.
    pub peak: u64,
    /// The bytes that were written in all.
    pub written: u64,
}

impl DiskUse {
    /// What was used of a place.
    pub fn of(space: &SpillSpace, quota: Option<u64>) -> DiskUse {
        DiskUse { folder: space.folder().into(), quota, peak: space.peak(), written: space.written() }
    }

    /// For people; nothing where the disk was not touched.
    pub fn text(&self) -> String {
        if self.written == 0 {
            return String::new();
        }
        let (peak, written, folder) = (bytes(self.peak), bytes(self.written), self.folder.display());
        format!("  {peak} on disk at most, in {folder}, {written} written in all\n")
    }

    /// Why a search ended, in words.
    pub fn why(&self, kind: ErrorKind) -> String {
        let folder = self.folder.display();
        match (kind, self.quota) {
            (ErrorKind::QuotaExceeded, Some(quota)) => format!("the {} of `--disk-quota` are used up", bytes(quota)),
            (ErrorKind::QuotaExceeded, None) => format!("your quota of the disk of {folder} is used up"),
            (ErrorKind::StorageFull, _) => format!("the disk of {folder} is full"),
            (ErrorKind::InvalidData, _) => format!("what was written to {folder} came back damaged"),
            (ErrorKind::UnexpectedEof, _) => format!("what was written to {folder} came back incomplete"),
            (ErrorKind::FileTooLarge, _) => format!("a file in {folder} may not become larger (`ulimit -f`)"),
            _ => format!("writing to {folder} or reading from it failed ({kind})"),
        }
    }

    /// What to try then.
    pub fn what_to_try(&self, kind: ErrorKind) -> &'static str {
        match (kind, self.quota) {
            (ErrorKind::QuotaExceeded, Some(_)) => "a larger --disk-quota",
            (ErrorKind::InvalidData | ErrorKind::UnexpectedEof, _) => {
                "--disk with a folder on another disk; this one does not keep what is written to it"
            }
            _ => "--disk with a folder on a disk with more room, or a store that takes less and --queue ram",
        }
    }
}
