//! Similar names, for "did you mean".

/// The name among `known` that `name` is most likely a misspelling of: it differs by case, by one character more, fewer or changed, or
/// by two neighbours exchanged. Of several, one that differs by case only, then the first in the alphabet.
pub fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let close = |other: &&str| other.eq_ignore_ascii_case(name) || one_apart(other.as_bytes(), name.as_bytes());
    let found = known.into_iter().filter(|other| *other != name).filter(close);
    found.min_by_key(|other| (!other.eq_ignore_ascii_case(name), *other))
}

/// Whether two names of some length differ by one character more, fewer or changed, or by two neighbours exchanged.
fn one_apart(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() < 3 || short.len() < 2 || long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let rest = if short.len() == long.len() { &short[(same + 1).min(short.len())..] } else { &short[same..] };
    let swapped = short.len() == long.len()
        && same + 2 <= short.len()
        && (short[same], short[same + 1]) == (long[same + 1], long[same])
        && short[same + 2..] == long[same + 2..];
    (long.ends_with(rest) || swapped) && short != long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_one_apart() {
        for (a, b) in [
            ("state", "stat"),
            ("state", "statee"),
            ("state", "stote"),
            ("abc", "abd"),
            ("turn", "trun"),
            ("ab", "abc"),
        ] {
            assert!(one_apart(a.as_bytes(), b.as_bytes()) && one_apart(b.as_bytes(), a.as_bytes()), "{a} {b}");
        }
        for (a, b) in [("state", "state"), ("ab", "ac"), ("state", "sta"), ("state", "tsaet"), ("a", "ab")] {
            assert!(!one_apart(a.as_bytes(), b.as_bytes()), "{a} {b}");
        }
    }

    #[test]
    fn the_most_likely_name_is_chosen() {
        assert_eq!(similar("count", ["counts", "mount", "COUNT", "count"]), Some("COUNT"));
        assert_eq!(similar("count", ["mount", "counts"]), Some("counts"));
        assert_eq!(similar("count", ["amount", "count"]), None);
    }
}
