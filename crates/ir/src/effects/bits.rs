//! Sets of small numbers.

/// A set of numbers below a bound, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// No numbers; there is room for those below `bound`.
    pub fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    /// Takes all numbers out, and makes room for those below `bound`.
    pub fn reset(&mut self, bound: usize) {
        self.0.clear();
        self.0.resize(bound.div_ceil(64), 0);
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Adds the numbers from one to just before another, as far as there is room.
    pub fn insert_range(&mut self, start: usize, end: usize) {
        (start..end.min(64 * self.0.len())).for_each(|number| self.insert(number));
    }

    /// Whether a number is in it.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds all of another set with the same bound.
    #[inline]
    pub fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    /// Whether it has a number in common with another set.
    #[inline]
    pub fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(one, two)| one & two != 0)
    }

    /// How many of its numbers are missing in another set, and how many of those are in a third.
    #[inline]
    pub fn missing(&self, other: &Bits, third: &Bits) -> (usize, usize) {
        let (mut missing, mut marked) = (0, 0);
        for ((one, two), three) in self.0.iter().zip(&other.0).zip(&third.0) {
            missing += (one & !two).count_ones() as usize;
            marked += (one & !two & three).count_ones() as usize;
        }
        (missing, marked)
    }

    /// The least number that is not in another set.
    #[inline]
    pub fn first_not_in(&self, other: &Bits) -> Option<usize> {
        let at = self.0.iter().zip(&other.0).position(|(one, two)| one & !two != 0)?;
        Some(64 * at + (self.0[at] & !other.0[at]).trailing_zeros() as usize)
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            rest.take_while(|&rest| rest != 0).map(move |rest| 64 * at + rest.trailing_zeros() as usize)
        })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let (mut one, mut two) = (Bits::new(200), Bits::new(200));
        [3, 64, 65, 199].into_iter().for_each(|number| one.insert(number));
        two.insert_range(60, 66);
        assert_eq!(one.iter().collect::<Vec<_>>(), [3, 64, 65, 199]);
        assert_eq!((one.meets(&two), one.contains(65), one.contains(66)), (true, true, false));
        assert_eq!(one.missing(&two, &Bits::new(200)), (2, 0));
        assert_eq!(one.missing(&two, &one), (2, 2));
        assert_eq!((one.first_not_in(&two), one.first_not_in(&one)), (Some(3), None));
        two.add(&one);
        assert_eq!(one.first_not_in(&two), None);
        two.reset(70);
        assert!(two.is_empty() && !one.is_empty());
    }
}
