//! The bytes in which two states differ, found many at a time.

/// Calls `each` with the numbers of the bytes in which two states of one length differ, in order. `counted` has a bit for each byte
/// that counts, 64 to a number; one number more than there are whole runs of 64 bytes.
#[inline]
pub(crate) fn each_differing_byte(a: &[u8], b: &[u8], counted: &[u64], mut each: impl FnMut(usize)) {
    let ((wide, rest), (other_wide, other_rest)) = (a.as_chunks::<64>(), b.as_chunks::<64>());
    for (number, counted) in counted.iter().enumerate() {
        let mut bits = match (wide.get(number), other_wide.get(number)) {
            (Some(a), Some(b)) if are_equal(a, b) => continue,
            (Some(a), Some(b)) => differing(a, b),
            _ => differing(rest, other_rest),
        };
        bits &= counted;
        while bits != 0 {
            each(number * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Whether 64 bytes are equal. Written out, since a call for each would cost more than the comparison.
#[inline]
fn are_equal(a: &[u8; 64], b: &[u8; 64]) -> bool {
    let (a, b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    0 == a.iter().zip(b).fold(0, |all, (a, b)| all | (u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b)))
}

/// Which of up to 64 bytes differ, as bits.
#[inline]
fn differing(a: &[u8], b: &[u8]) -> u64 {
    let mut bits = 0;
    for (number, (a, b)) in a.as_chunks().0.iter().zip(b.as_chunks().0).enumerate() {
        bits |= differing_of_8(a, b) << (number * 8);
    }
    match (a.last_chunk(), b.last_chunk()) {
        // The last eight together, some of them once more.
        (Some(last), Some(other)) => bits | differing_of_8(last, other) << (a.len() - 8),
        _ => a.iter().zip(b).enumerate().fold(0, |bits, (number, (a, b))| bits | u64::from(a != b) << number),
    }
}

/// The same of eight bytes.
#[inline]
fn differing_of_8(a: &[u8; 8], b: &[u8; 8]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
    // One bit for each byte that is not zero, and then the eight of them together.
    let mut flags = (((difference & LOW) + LOW) | difference) >> 7 & 0x0101_0101_0101_0101;
    flags |= flags >> 7;
    flags |= flags >> 14;
    flags |= flags >> 28;
    flags & 0xff
}

#[cfg(test)]
mod tests {
    use super::each_differing_byte;

    /// All lengths up to several wide chunks, few and many differences, with bytes that do not count.
    #[test]
    fn every_byte_is_looked_at() {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (seed >> 33) as usize
        };
        for length in 0..200 {
            for rarity in [1, 2, 5, 40] {
                let a: Vec<u8> = (0..length).map(|_| random() as u8).collect();
                let change = |byte: &u8| if random() % rarity == 0 { random() as u8 } else { *byte };
                let b: Vec<u8> = a.iter().map(change).collect();
                let counted: Vec<u64> = (0..length / 64 + 1).map(|_| (random() << 32 | random()) as u64).collect();
                let counts = |byte: &usize| a[*byte] != b[*byte] && counted[byte / 64] >> (byte % 64) & 1 == 1;
                let expected: Vec<usize> = (0..length).filter(counts).collect();
                let mut found = Vec::new();
                each_differing_byte(&a, &b, &counted, |byte| found.push(byte));
                assert_eq!(found, expected, "{a:?} and {b:?}");
            }
        }
    }
}
