//! Numbers of a few bits each, one after the other, a word at a time. The low bits come first.

/// Writes bits at the end of a buffer.
pub struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    word: u64,
    filled: u32,
}

impl<'a> BitWriter<'a> {
    /// Writes behind what is in `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        BitWriter { out, word: 0, filled: 0 }
    }

    /// Writes the low `bits` bits of `value`, at most 64; the others must be zero.
    #[inline]
    pub fn put(&mut self, value: u64, bits: u32) {
        self.word |= value << self.filled;
        let filled = self.filled + bits;
        if filled < 64 {
            self.filled = filled;
            return;
        }
        self.out.extend_from_slice(&self.word.to_le_bytes());
        // What did not fit. Shifting by all 64 bits is not defined, and happens where nothing is left over.
        self.word = value.checked_shr(64 - self.filled).unwrap_or(0);
        self.filled = filled - 64;
    }

    /// Writes a number of unknown size, three bits at a time, each with one that says whether more follow.
    pub fn put_number(&mut self, mut number: u32) {
        while number >= 8 {
            self.put(u64::from(number & 7 | 8), 4);
            number >>= 3;
        }
        self.put(u64::from(number), 4);
    }

    /// Writes what is left, filled up to a whole byte with zeros.
    pub fn finish(self) {
        let end = self.out.len() + self.filled.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.word.to_le_bytes());
        self.out.truncate(end);
    }
}

/// Reads what a [`BitWriter`] wrote. Beyond the end there are zeros.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    word: u64,
    filled: u32,
}

impl<'a> BitReader<'a> {
    /// Reads from the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, word: 0, filled: 0 }
    }

    /// Reads `bits` bits, at most 64.
    #[inline]
    pub fn get(&mut self, bits: u32) -> u64 {
        let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
        if bits <= self.filled {
            let value = self.word & mask;
            self.word = self.word.checked_shr(bits).unwrap_or(0);
            self.filled -= bits;
            return value;
        }
        let next = self.refill();
        let value = (self.word | next << self.filled) & mask;
        let used = bits - self.filled;
        self.word = next.checked_shr(used).unwrap_or(0);
        self.filled = 64 - used;
        value
    }

    /// The next eight bytes.
    #[inline]
    fn refill(&mut self) -> u64 {
        if let Some((chunk, rest)) = self.bytes.split_first_chunk() {
            self.bytes = rest;
            return u64::from_le_bytes(*chunk);
        }
        let mut chunk = [0; 8];
        chunk[..self.bytes.len()].copy_from_slice(self.bytes);
        self.bytes = &[];
        u64::from_le_bytes(chunk)
    }

    /// Reads what [`BitWriter::put_number`] wrote.
    pub fn get_number(&mut self) -> u32 {
        let mut number = 0;
        let mut shift = 0;
        loop {
            let group = self.get(4) as u32;
            number |= (group & 7) << shift;
            shift += 3;
            if group < 8 || shift > 30 {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let fields: Vec<(u64, u32)> = (0..2000u32)
            .map(|n| {
                let bits = n * 7 % 65;
                let value = u64::from(n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (value.checked_shr(64 - bits).unwrap_or(0), bits)
            })
            .collect();
        let mut out = vec![1, 2, 3];
        let mut writer = BitWriter::new(&mut out);
        for &(value, bits) in &fields {
            writer.put(value, bits);
            writer.put_number(value as u32);
        }
        writer.finish();
        let mut reader = BitReader::new(&out[3..]);
        for &(value, bits) in &fields {
            assert_eq!(reader.get(bits), value);
            assert_eq!(reader.get_number(), value as u32);
        }
        assert_eq!(reader.get(64), 0);
    }

    #[test]
    fn as_many_bytes_as_needed() {
        for (bits, bytes) in [(0, 0), (1, 1), (8, 1), (9, 2), (31, 4), (32, 4), (33, 5), (63, 8), (64, 8)] {
            let mut out = Vec::new();
            let mut writer = BitWriter::new(&mut out);
            writer.put(0, bits);
            writer.finish();
            assert_eq!(out.len(), bytes, "{bits} bits");
        }
    }
}
