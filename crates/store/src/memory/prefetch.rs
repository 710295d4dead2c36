//! Memory that will be needed soon.

/// Asks the processor to bring the cache line of `items[at]` near, without waiting for it. Nothing happens where `at` is
/// beyond the end, or where the processor is of a kind that is not known here.
#[inline(always)]
pub fn prefetch<T>(items: &[T], at: usize) {
    if let Some(item) = items.get(at) {
        let address: *const T = item;
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint. It reads nothing, and the address is that of an item.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a hint. It reads nothing, and the address is that of an item.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, preserves_flags, readonly));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = address;
    }
}
