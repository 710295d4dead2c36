//! The types of variables.

use tightrope_core::Repr;

/// A variable's type: how many bits, signed or not. Values that do not fit are cut to the low bits when stored, as
/// C does; languages that call that an error test before they store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// How it lies in the state.
    pub repr: Repr,
    /// The number of bits, 1 to 32.
    pub bits: u8,
    /// Two's complement.
    pub signed: bool,
}

impl Type {
    /// One bit.
    pub const BIT: Type = Type { repr: Repr::U8, bits: 1, signed: false };
    /// 0 to 255.
    pub const BYTE: Type = Type { repr: Repr::U8, bits: 8, signed: false };
    /// 16 bits, signed.
    pub const SHORT: Type = Type { repr: Repr::I16, bits: 16, signed: true };
    /// 32 bits, signed.
    pub const INT: Type = Type { repr: Repr::I32, bits: 32, signed: true };

    /// An unsigned type of `bits` bits, 1 to 32. Arithmetic is that of 32-bit integers, so the full width reads as a
    /// signed number.
    pub fn unsigned(bits: u8) -> Type {
        let repr = match bits {
            0..=8 => Repr::U8,
            9..=16 => Repr::U16,
            _ => Repr::I32,
        };
        Type { repr, bits, signed: false }
    }

    /// The value that is kept when `value` is stored.
    #[inline]
    pub fn wrap(self, value: i32) -> i32 {
        match (self.bits, self.signed) {
            (32.., _) => value,
            (16, true) => i32::from(value as i16),
            (bits, false) => value & ((1 << bits) - 1),
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
