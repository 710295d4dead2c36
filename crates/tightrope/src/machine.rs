//! What the machine has.

use std::fs;

/// The memory that a run may take where nobody said how much: 80 % of what the machine, or the container it runs in,
/// leaves free.
pub fn default_memory() -> u64 {
    let free = [available(), cgroup_left()].into_iter().flatten().min();
    // Where nothing can be learnt, a size that every machine has.
    free.map_or(1 << 30, |free| free / 5 * 4)
}

/// What the kernel says can be had without swapping.
fn available() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// What the control group's limit leaves, in version 2 or 1.
fn cgroup_left() -> Option<u64> {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let left = |limit: &str, usage: &str| Some(number(limit)?.saturating_sub(number(usage)?));
    left("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current")
        .or_else(|| left("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"))
}
