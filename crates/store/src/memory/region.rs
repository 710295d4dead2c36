//! Memory from the system that grows where it is.
//!
//! A table or an arena of gigabytes must not be copied when it grows: for a moment there would be two of them. A region
//! is mapped memory, and the system can give a mapping more pages, or move it to where there is room, without touching
//! what is in it. It begins at a multiple of the size of a huge page wherever it is large enough for one, so that
//! [`Region::prefer_huge_pages`] covers all of it, before and after a move.
//!
//! Memory that was never written to is zero and takes none: a region may be much longer than what is used of it. Where
//! the system is not Linux a vector does the same, with copies.

/// What a region may consist of: any bits are a value, zeros included.
pub trait Plain: Copy + Default {}
impl Plain for u8 {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for u64 {}
impl Plain for [u16; 3] {}

#[cfg(target_os = "linux")]
pub use mapped::Region;

#[cfg(not(target_os = "linux"))]
pub use vector::Region;

/// The size of a huge page. Where it is another one, nothing is lost but the alignment.
pub const HUGE: usize = 2 << 20;

#[cfg(target_os = "linux")]
mod mapped {
    use super::{HUGE, Plain};
    use std::marker::PhantomData;
    use std::ops::{Deref, DerefMut};
    use std::ptr::{self, NonNull};

    /// The address space that a region leaves to others. It matters only where address space is limited.
    const FOR_OTHERS: usize = 16 << 20;

    /// A growing array in mapped memory. All new items are zero.
    pub struct Region<T> {
        /// The mapping, dangling while there is none.
        start: NonNull<T>,
        /// In items.
        len: usize,
        /// In bytes, a multiple of the page size; 0 while there is no mapping.
        mapped: usize,
        owns: PhantomData<T>,
    }

    // SAFETY: a region owns its memory, and what lies there (`Plain`) is sent and shared like any number.
    unsafe impl<T: Plain + Send> Send for Region<T> {}
    unsafe impl<T: Plain + Sync> Sync for Region<T> {}

    impl<T: Plain> Region<T> {
        /// An empty one, without memory.
        pub const fn new() -> Self {
            Region { start: NonNull::dangling(), len: 0, mapped: 0, owns: PhantomData }
        }

        /// Makes it `len` items long, which is not less than it was. False if the system refuses; it is then as before.
        #[must_use]
        pub fn grow(&mut self, len: usize) -> bool {
            assert!(len >= self.len);
            let Some(bytes) = len.checked_mul(size_of::<T>()).and_then(|bytes| bytes.checked_next_multiple_of(page()))
            else {
                return false;
            };
            if bytes > self.mapped {
                let Some(start) = self.remap(bytes) else { return false };
                self.start = start;
                if !others_have_room() {
                    self.shrink(bytes);
                    return false;
                }
                self.mapped = bytes;
            }
            self.len = len;
            true
        }

        /// Gives back what was added to a mapping that now has `bytes` bytes.
        fn shrink(&mut self, bytes: usize) {
            // SAFETY: the end of a mapping of our own, behind all items; nobody can refer to it.
            unsafe { libc::munmap(self.start.as_ptr().byte_add(self.mapped).cast(), bytes - self.mapped) };
        }

        /// Where a mapping of `bytes` bytes now is, with everything that was in the old one.
        fn remap(&self, bytes: usize) -> Option<NonNull<T>> {
            let old = self.start.as_ptr().cast::<libc::c_void>();
            // SAFETY: the old range is a mapping of our own, and nobody holds a reference into it (`&mut self` in
            // `grow`). Extending it in place changes nothing else; on failure nothing changes.
            if self.mapped > 0
                && (bytes < HUGE || (old as usize).is_multiple_of(HUGE))
                && unsafe { libc::mremap(old, self.mapped, bytes, 0) } != libc::MAP_FAILED
            {
                return Some(self.start);
            }
            let target = reserve(bytes)?;
            // SAFETY: `target` is a range of `bytes` bytes that `reserve` has just mapped for us and nobody else knows;
            // it may be replaced. The old range is ours as above and is gone afterwards, like all pointers to it.
            let moved = unsafe {
                if self.mapped == 0 {
                    let access = libc::PROT_READ | libc::PROT_WRITE;
                    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
                    libc::mmap(target, bytes, access, flags, -1, 0)
                } else {
                    libc::mremap(old, self.mapped, bytes, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, target)
                }
            };
            if moved == libc::MAP_FAILED {
                give_back(target, bytes);
                return None;
            }
            NonNull::new(moved.cast())
        }

        /// Gives the memory of the items before `len` back, as far as whole pages go, and takes for granted that this was
        /// done for those before `from`. They are zero then. Up to which item it was done.
        pub fn discard(&mut self, from: usize, len: usize) -> usize {
            let down = |len: usize| (len.min(self.len) * size_of::<T>()) & !(page() - 1);
            let (start, end) = (down(from), down(len));
            if end <= start {
                return from;
            }
            // SAFETY: whole pages of a private mapping of our own, which read as zeros afterwards, and zeros are a value.
            let start = unsafe { self.start.as_ptr().byte_add(start) };
            let given = unsafe { libc::madvise(start.cast(), end - down(from), libc::MADV_DONTNEED) } == 0;
            if given { end / size_of::<T>() } else { from }
        }

        /// Asks for huge pages, or for small ones from now on. A wish: where it cannot be had nothing happens.
        pub fn prefer_huge_pages(&mut self, huge: bool) {
            let advice = if huge { libc::MADV_HUGEPAGE } else { libc::MADV_NOHUGEPAGE };
            if self.mapped > 0 {
                // SAFETY: advice about the size of pages does not change what is in them; the range is ours.
                unsafe { libc::madvise(self.start.as_ptr().cast(), self.mapped, advice) };
            }
        }
    }

    impl<T> Drop for Region<T> {
        fn drop(&mut self) {
            if self.mapped > 0 {
                // SAFETY: the mapping is ours, and nobody can refer to it any more.
                unsafe { libc::munmap(self.start.as_ptr().cast(), self.mapped) };
            }
        }
    }

    impl<T> Deref for Region<T> {
        type Target = [T];

        #[inline]
        fn deref(&self) -> &[T] {
            // SAFETY: `start` is aligned (to a page, or dangling with length 0) and `len` items lie within the mapping;
            // they are initialised, since the system gives zeros and any bits are a `Plain` value.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
        }
    }

    impl<T> DerefMut for Region<T> {
        #[inline]
        fn deref_mut(&mut self) -> &mut [T] {
            // SAFETY: as above, and `&mut self` is the only way to the memory.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
        }
    }

    /// Whether there is address space left for everything else the program does, which cannot be refused.
    fn others_have_room() -> bool {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at a place of the system's choice, which is given back at once.
        unsafe {
            let start = libc::mmap(ptr::null_mut(), FOR_OTHERS, libc::PROT_NONE, flags, -1, 0);
            start != libc::MAP_FAILED && libc::munmap(start, FOR_OTHERS) == 0
        }
    }

    /// Gives back a range that was to be replaced by a mapping, which failed. The system may have emptied the range before it
    /// failed, and another thread may have mapped something there since: only what is surely nobody else's is given back.
    pub(super) fn give_back(target: *mut libc::c_void, bytes: usize) {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: nothing is replaced. If the range is empty it is ours now, and is given back. If something is there, it is
        // the reservation, of address space only, or what others mapped meanwhile; it stays.
        unsafe {
            let start = libc::mmap(target, bytes, libc::PROT_NONE, flags, -1, 0);
            if start != libc::MAP_FAILED {
                libc::munmap(start, bytes);
            }
        }
    }

    fn page() -> usize {
        // SAFETY: only asks.
        let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(64 << 10)
    }

    /// Address space for a mapping of `bytes` bytes, a multiple of the page size, that begins where a huge page may.
    fn reserve(bytes: usize) -> Option<*mut libc::c_void> {
        let slack = if bytes < HUGE { 0 } else { HUGE - page() };
        let total = bytes.checked_add(slack)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at a place of the system's choice; it disturbs nobody.
        let start = unsafe { libc::mmap(ptr::null_mut(), total, libc::PROT_NONE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let before = if slack == 0 { 0 } else { (start as usize).next_multiple_of(HUGE) - start as usize };
        let (target, after) = (start.wrapping_byte_add(before), slack - before);
        // SAFETY: gives back the ends of what was just mapped; all sizes are multiples of the page size.
        unsafe {
            if before > 0 {
                libc::munmap(start, before);
            }
            if after > 0 {
                libc::munmap(target.wrapping_byte_add(bytes), after);
            }
        }
        Some(target)
    }
}

#[cfg(not(target_os = "linux"))]
mod vector {
    use super::Plain;
    use std::ops::{Deref, DerefMut};

    /// A growing array. All new items are zero.
    pub struct Region<T>(Vec<T>);

    impl<T: Plain> Region<T> {
        /// An empty one, without memory.
        pub const fn new() -> Self {
            Region(Vec::new())
        }

        /// Makes it `len` items long, which is not less than it was. False if the system refuses; it is then as before.
        #[must_use]
        pub fn grow(&mut self, len: usize) -> bool {
            assert!(len >= self.0.len());
            let granted = tightrope_core::ask_for_memory(|| self.0.try_reserve_exact(len - self.0.len())).is_ok();
            if granted {
                self.0.resize(len, T::default());
            }
            granted
        }

        /// Gives nothing back.
        pub fn discard(&mut self, from: usize, _len: usize) -> usize {
            from
        }

        /// Asks for huge pages; they cannot be had here.
        pub fn prefer_huge_pages(&mut self, _huge: bool) {}
    }

    impl<T> Deref for Region<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }

    impl<T> DerefMut for Region<T> {
        fn deref_mut(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_with_its_content_and_zeros_behind() {
        let mut region: Region<u64> = Region::new();
        assert!(region.is_empty());
        let mut obstacles = Vec::new();
        let mut len = 0;
        for next in [1, 100, 600, 5000, 300_000, 400_000, 2_000_000, 2_000_001, 5_000_000] {
            assert!(region.grow(next));
            assert!(region[..len].iter().enumerate().all(|(at, &item)| item == at as u64 + 1));
            assert!(region[len..].iter().all(|&item| item == 0));
            (len..next).for_each(|at| region[at] = at as u64 + 1);
            len = next;
            region.prefer_huge_pages(next.is_multiple_of(2));
            // Other mappings are in the way now and then, so that it has to move.
            let mut other: Region<u8> = Region::new();
            assert!(other.grow(3 * HUGE / 2));
            obstacles.push(other);
        }
    }

    #[test]
    fn what_is_given_back_is_gone_and_the_rest_stays() {
        let mut region: Region<u64> = Region::new();
        assert!(region.grow(100_000));
        (0..100_000).for_each(|at| region[at] = at as u64 + 1);
        let given = region.discard(0, 30_000);
        let given = region.discard(given, 70_000);
        assert!(given <= 70_000);
        assert!(region[..given].iter().all(|&item| item == 0));
        assert!((given..100_000).all(|at| region[at] == at as u64 + 1));
        assert!(cfg!(not(target_os = "linux")) || given > 60_000);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_others_map_where_a_move_failed_stays() {
        let (size, access) = (16 * HUGE, libc::PROT_READ | libc::PROT_WRITE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, which is used as far as it goes and then given back.
        unsafe {
            let start = libc::mmap(std::ptr::null_mut(), size, access, flags, -1, 0);
            assert_ne!(start, libc::MAP_FAILED);
            let number = start.byte_add(size / 2).cast::<u64>();
            *number = 7;
            mapped::give_back(start, size);
            assert_eq!(*number, 7);
            libc::munmap(start, size);
        }
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let mut region: Region<u64> = Region::new();
        assert!(region.grow(1000));
        region[999] = 7;
        assert!(!region.grow(usize::MAX));
        assert!(!region.grow(usize::MAX / 16));
        assert_eq!((region.len(), region[999]), (1000, 7));
    }
}
