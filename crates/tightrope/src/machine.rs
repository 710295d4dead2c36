//! What the machine has.

use std::fs;
use std::os::fd::AsRawFd;
use std::path::Path;

/// The memory that a run may take where nobody said how much: 80 % of what the machine, or the container it runs in,
/// leaves free; less where address space is limited, since more of it is taken than is used.
pub fn default_memory() -> u64 {
    let address_space = address_space_left().map(|left| left / 4 * 3);
    let free = [available(), cgroup_left(Path::new("/")), address_space].into_iter().flatten().min();
    // Where nothing can be learnt, a size that every machine has.
    free.map_or(1 << 30, |free| free / 5 * 4)
}

/// From now on memory of some size goes back to the system when it is given back, so that what the budget says is what the
/// process holds. The allocator of GNU's library else keeps it, in larger and larger pieces.
#[allow(unsafe_code)]
pub fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets a number in the allocator.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 10);
        if address_space_left().is_some() {
            // The allocator else sets 64 MB of it aside for every thread.
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}

/// How many columns the terminal has that a stream goes to.
#[allow(unsafe_code)]
pub fn terminal_width(stream: &impl AsRawFd) -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: fills the structure that it is given, or says that it cannot.
    let told = unsafe { libc::ioctl(stream.as_raw_fd(), libc::TIOCGWINSZ, &raw mut size) };
    (told == 0 && size.ws_col > 0).then_some(size.ws_col as usize)
}

/// The number in the field of that name in a file of the kernel's, and its unit if it has one.
fn field(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let mut words = rest.split_whitespace();
    let number: u64 = words.next()?.parse().ok()?;
    Some(if words.next() == Some("kB") { number * 1024 } else { number })
}

/// What the kernel says can be had without swapping.
fn available() -> Option<u64> {
    field("/proc/meminfo", "MemAvailable:")
}

/// What `ulimit -v` leaves.
pub fn address_space_left() -> Option<u64> {
    let limit = field("/proc/self/limits", "Max address space")?;
    Some(limit.saturating_sub(field("/proc/self/status", "VmSize:").unwrap_or(0)))
}

/// What the limits of the control group leave, and those of all groups it is in, in version 2 or 1. Paths are below `root`.
fn cgroup_left(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut least = None;
    // The groups at the top are looked at in any case: in a container its own group may be there.
    for line in groups.lines().chain(["0::/", "0:memory:/"]) {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (folder, limit, usage) = match kinds {
            "" => ("sys/fs/cgroup", "memory.max", "memory.current"),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => continue,
        };
        for group in Path::new(path.trim_start_matches('/')).ancestors() {
            let group = root.join(folder).join(group);
            let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
            let (Some(limit), Some(usage)) = (number(limit), number(usage)) else { continue };
            // What the group holds of files is given back when it is needed.
            let files = group.join("memory.stat").to_str().and_then(|path| field(path, "inactive_file"));
            let left = limit.saturating_sub(usage.saturating_sub(files.unwrap_or(0)));
            least = Some(least.map_or(left, |least: u64| least.min(left)));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
        let root = std::env::temp_dir().join(format!("tightrope-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
            fs::write(path, text).expect("can be written");
        }
        root
    }

    #[test]
    fn limits_of_control_groups_are_seen() {
        let second = tree(
            "cgroup2",
            &[
                ("proc/self/cgroup", "0::/user/one\n"),
                ("sys/fs/cgroup/user/one/memory.max", "max\n"),
                ("sys/fs/cgroup/user/one/memory.current", "1000\n"),
                ("sys/fs/cgroup/user/memory.max", "50000\n"),
                ("sys/fs/cgroup/user/memory.current", "20000\n"),
                ("sys/fs/cgroup/user/memory.stat", "anon 15000\ninactive_file 5000\n"),
            ],
        );
        assert_eq!(cgroup_left(&second), Some(35_000));
        let first = tree(
            "cgroup1",
            &[
                ("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/job\n"),
                ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9000\n"),
                ("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1000\n"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n"),
            ],
        );
        assert_eq!(cgroup_left(&first), Some(6000));
        let none = tree("cgroup0", &[("proc/self/cgroup", "")]);
        assert_eq!(cgroup_left(&none), None);
        for root in [first, second, none] {
            fs::remove_dir_all(root).expect("can be removed");
        }
    }

    #[test]
    fn there_is_some_memory() {
        assert!(default_memory() > 1 << 20);
    }
}
