//! Numbers in as many bytes as they need: seven bits to a byte, the low ones first (LEB128).

/// The bytes of the largest number.
pub const LONGEST: usize = 10;

/// The bytes of a number, and how many they are.
#[inline]
pub fn encode(mut number: u64) -> ([u8; LONGEST], usize) {
    let mut bytes = [0; LONGEST];
    let mut at = 0;
    while number >= 0x80 {
        bytes[at] = number as u8 | 0x80;
        number >>= 7;
        at += 1;
    }
    bytes[at] = number as u8;
    (bytes, at + 1)
}

/// The number at the beginning of `bytes`, and how many of them it takes; none if they end before it does.
#[inline]
pub fn decode(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().enumerate().take(LONGEST) {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            return Some((number, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        for number in (0..64).flat_map(|bits| [1u64 << bits, (1 << bits) - 1, u64::MAX >> bits]) {
            let (bytes, len) = encode(number);
            assert_eq!(decode(&bytes[..len]), Some((number, len)));
            assert_eq!(decode(&bytes[..len - 1]), None);
            assert_eq!(len, (64 - number.leading_zeros()).div_ceil(7).max(1) as usize);
        }
    }
}
