//! Eight bytes of a state, without the bits that are never set.
//!
//! The bits of a word that a mask names are moved together at its low end, and back: what x86 calls `pext` and `pdep`,
//! in portable form, with the masks of each round worked out beforehand (Warren, *Hacker's Delight*, §7–4 and §7–5).

use tightrope_core::Field;

/// How up to eight bytes with their fields are squeezed.
pub struct Squeeze {
    /// Where the bytes begin, in the fixed part or the body.
    pub offset: u32,
    /// The number of bits that stay.
    pub bits: u32,
    /// The bits that stay.
    mask: u64,
    /// The bits that belong to these fields at all.
    own: u64,
    /// The low ends of the ranges, each at its field.
    lows: u64,
    /// The highest bit of each field.
    tops: u64,
    /// What moves in each round.
    rounds: [u64; 6],
}

impl Squeeze {
    /// How the fields of a part of `size` bytes are squeezed, eight bytes at a time; none if the fields do not cover
    /// the part, or a range makes no sense.
    pub fn plan(fields: &[Field], size: u32) -> Option<Vec<Squeeze>> {
        let mut plan: Vec<Squeeze> = Vec::new();
        let mut at = 0;
        for field in fields {
            let width = field.repr.size() as u32;
            if field.offset != at || field.range.0 > field.range.1 || field.bits() > 8 * width {
                return None;
            }
            let begin = plan.last().is_none_or(|last| at + width > last.offset + 8);
            if begin {
                plan.push(Squeeze { offset: at, bits: 0, mask: 0, own: 0, lows: 0, tops: 0, rounds: [0; 6] });
            }
            let word = plan.last_mut().expect("just made sure");
            word.add(field, at - word.offset);
            at += width;
        }
        plan.iter_mut().for_each(Squeeze::work_out_rounds);
        (at == size).then_some(plan)
    }

    fn add(&mut self, field: &Field, byte: u32) {
        let (width, shift) = (8 * field.repr.size() as u32, 8 * byte);
        let ones = |count: u32| u64::MAX.checked_shr(64 - count).unwrap_or(0);
        self.bits += field.bits();
        self.mask |= ones(field.bits()) << shift;
        self.own |= ones(width) << shift;
        self.tops |= 1 << (shift + width - 1);
        // Where every bit stays there is nothing to gain from counting from the low end.
        if field.bits() < width {
            self.lows |= (u64::from(field.range.0 as u32) & ones(width)) << shift;
        }
    }

    fn work_out_rounds(&mut self) {
        let mut mask = self.mask;
        let mut zeros_below = !mask << 1;
        for round in 0..6 {
            let mut odd = zeros_below;
            for shift in [1, 2, 4, 8, 16, 32] {
                odd ^= odd << shift;
            }
            let moves = odd & mask;
            self.rounds[round] = moves;
            mask = (mask ^ moves) | (moves >> (1 << round));
            zeros_below &= !odd;
        }
    }

    /// The bits of `word` that stay, at the low end; none if one that does not stay is set.
    #[inline]
    pub fn squeeze(&self, word: u64) -> Option<u64> {
        let mut word = word & self.own;
        if self.lows != 0 {
            // Each field for itself: no borrow crosses into the next.
            word = ((word | self.tops) - (self.lows & !self.tops)) ^ ((word ^ !self.lows) & self.tops);
            word &= self.own;
        }
        if word & !self.mask != 0 {
            return None;
        }
        for (round, &moves) in self.rounds.iter().enumerate() {
            let moved = word & moves;
            word = (word ^ moved) | (moved >> (1 << round));
        }
        Some(word)
    }

    /// The word that was squeezed.
    #[inline]
    pub fn stretch(&self, mut word: u64) -> u64 {
        for (round, &moves) in self.rounds.iter().enumerate().rev() {
            let moved = (word << (1 << round)) & moves;
            word = (word & !moves) | moved;
        }
        word &= self.mask;
        if self.lows != 0 {
            word = ((word & !self.tops) + (self.lows & !self.tops)) ^ ((word ^ self.lows) & self.tops);
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tightrope_core::{Component, Format, Repr};

    fn field(offset: u32, repr: Repr, range: (i32, i32)) -> Field {
        let component = (Component::Globals, 0);
        Field { name: String::new(), offset, repr, range, component, format: Format::Number }
    }

    #[test]
    fn every_value_of_small_fields() {
        let fields = [
            field(0, Repr::U8, (0, 0)),
            field(1, Repr::I8, (-3, 4)),
            field(2, Repr::U8, (200, 255)),
            field(3, Repr::I16, (-300, -299)),
            field(5, Repr::U8, (0, 255)),
        ];
        let plan = Squeeze::plan(&fields, 6).unwrap();
        assert_eq!(plan.len(), 1);
        assert_eq!(plan[0].bits, 3 + 6 + 1 + 8);
        let mut codes = std::collections::HashSet::new();
        for a in 0..=255u64 {
            for b in 0..=255u64 {
                let pair = if a & 1 == 0 { 0xfed4 } else { 0xfed5 };
                // Bytes that belong to nobody here must not matter.
                let word = a << 8 | b << 16 | pair << 24 | a << 40 | b << 48 | 0xab << 56;
                let proper = (-3..=4).contains(&(a as u8 as i8)) && b >= 200;
                match plan[0].squeeze(word) {
                    Some(code) => {
                        assert!(code < 1 << plan[0].bits);
                        assert_eq!(plan[0].stretch(code), word & 0xffff_ffff_ffff);
                        assert!(codes.insert(code));
                    }
                    None => assert!(!proper, "{a} {b}"),
                }
            }
        }
    }

    #[test]
    fn random_masks() {
        let mut random = 1u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let reprs = [Repr::U8, Repr::I8, Repr::U16, Repr::I16, Repr::I32];
            let (mut fields, mut at, mut bits) = (Vec::new(), 0, random);
            while at < 8 {
                bits = bits.rotate_left(9).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let repr = reprs[(bits >> 40) as usize % 5];
                let (low, high) = match repr {
                    Repr::U8 => (0, 255),
                    Repr::I8 => (-128, 127),
                    Repr::U16 => (0, 65535),
                    Repr::I16 => (-32768, 32767),
                    Repr::I32 => (i32::MIN, i32::MAX),
                };
                let span = (i64::from(high) - i64::from(low)) as u64;
                let from = i64::from(low) + ((bits >> 3) % (span + 1)) as i64;
                let to = from + ((bits >> 20) % ((i64::from(high) - from) as u64 + 1)) as i64;
                fields.push(field(at, repr, (from as i32, to as i32)));
                at += repr.size() as u32;
            }
            let plan = Squeeze::plan(&fields, at).unwrap();
            for word in &plan {
                // Any word is either refused or comes back; one with every field in range is not refused.
                if let Some(code) = word.squeeze(random.rotate_left(17)) {
                    assert_eq!(word.stretch(code), random.rotate_left(17) & word.own);
                }
                let mut state = [0; 16];
                for (number, field) in fields.iter().enumerate() {
                    let span = (i64::from(field.range.1) - i64::from(field.range.0)) as u64 + 1;
                    let value = i64::from(field.range.0) + (random.rotate_left(7 * number as u32) % span) as i64;
                    field.repr.store(&mut state, field.offset as usize, value as i32);
                }
                let at = word.offset as usize;
                let bytes = u64::from_le_bytes(state[at..at + 8].try_into().unwrap());
                let code = word.squeeze(bytes).expect("all in range");
                assert_eq!(word.stretch(code), bytes & word.own);
            }
        }
    }
}
