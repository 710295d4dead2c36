//! The types of variables.

use tightrope_core::Repr;

/// A variable's type: how it lies in the state, and what it can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// How it lies in the state.
    pub repr: Repr,
    /// The number of bits, 1 to 32.
    pub bits: u8,
    /// Two's complement.
    pub signed: bool,
    /// What happens to values that do not fit, and whether a variable may be undefined.
    pub domain: Domain,
}

/// What a variable can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Values are cut to the low bits, as C does. Kept as they are.
    Cut,
    /// A value outside the type's range is a fault. Kept as they are.
    Checked,
    /// A value outside of `low..=high` is a fault; the variable may be undefined. Kept as `value - low + 1`, with 0 for
    /// undefined.
    Within {
        /// The least value.
        low: i32,
        /// The greatest.
        high: i32,
    },
    /// Like `Within`, over the union of ranges of that number ([`crate::RuleSet::unions`]): the position in the union
    /// is kept.
    Union(u32),
}

impl Type {
    /// One bit.
    pub const BIT: Type = Type { repr: Repr::U8, bits: 1, signed: false, domain: Domain::Cut };
    /// 0 to 255.
    pub const BYTE: Type = Type { repr: Repr::U8, bits: 8, signed: false, domain: Domain::Cut };
    /// 16 bits, signed.
    pub const SHORT: Type = Type { repr: Repr::I16, bits: 16, signed: true, domain: Domain::Cut };
    /// 32 bits, signed.
    pub const INT: Type = Type { repr: Repr::I32, bits: 32, signed: true, domain: Domain::Cut };

    /// An unsigned type of `bits` bits, 1 to 32. Arithmetic is that of 32-bit integers, so the full width reads as a
    /// signed number.
    pub fn unsigned(bits: u8) -> Type {
        let repr = match bits {
            0..=8 => Repr::U8,
            9..=16 => Repr::U16,
            _ => Repr::I32,
        };
        Type { repr, bits, signed: false, domain: Domain::Cut }
    }

    /// A type for values from `low` to `high`, or undefined.
    pub fn within(low: i32, high: i32) -> Type {
        let most = i64::from(high) - i64::from(low) + 1;
        Type { domain: Domain::Within { low, high }, ..Type::counting(most) }
    }

    /// A type for the values of a union of ranges, `count` in all, or undefined.
    pub fn union(number: u32, count: u32) -> Type {
        Type { domain: Domain::Union(number), ..Type::counting(i64::from(count)) }
    }

    /// The smallest unsigned type that holds 0 to `most`.
    fn counting(most: i64) -> Type {
        let bits = 64 - most.max(1).leading_zeros();
        Type::unsigned(bits.min(32) as u8)
    }

    /// The value that is kept when `value` is stored.
    #[inline]
    pub fn wrap(self, value: i32) -> i32 {
        match (self.bits, self.signed) {
            (32.., _) => value,
            (16, true) => i32::from(value as i16),
            (bits, false) => value & ((1u32 << bits) - 1) as i32,
            (bits, true) => {
                let shift = 32 - u32::from(bits);
                (value << shift) >> shift
            }
        }
    }

    /// The least and the greatest value.
    pub fn range(self) -> (i32, i32) {
        match (self.bits, self.signed) {
            (32.., _) => (i32::MIN, i32::MAX),
            (bits, false) => (0, (1i32 << bits).wrapping_sub(1)),
            (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        }
    }

    /// The number of bytes it takes in the state.
    pub fn size(self) -> u32 {
        self.repr.size() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_as_c_cuts_them() {
        assert_eq!(Type::BIT.wrap(2), 0);
        assert_eq!(Type::BYTE.wrap(-1), 255);
        assert_eq!(Type::BYTE.wrap(256), 0);
        assert_eq!(Type::SHORT.wrap(32768), -32768);
        assert_eq!(Type::INT.wrap(i32::MIN), i32::MIN);
        assert_eq!(Type::unsigned(3).wrap(9), 1);
        assert_eq!(Type::unsigned(31).wrap(-1), i32::MAX);
        assert_eq!(Type::unsigned(31).range(), (0, i32::MAX));
        assert_eq!(Type::unsigned(12).repr, Repr::U16);
    }
}
