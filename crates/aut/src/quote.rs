//! Labels in quotes.
//!
//! Of what is between the quotes, `\"`, `\\`, `\n` and `\r` stand for a quote, a backslash and the two line ends; any
//! other backslash stands for itself, and so does a quote. Aldebaran's manual knows no escapes: labels without quotes,
//! line ends and such backslashes are therefore written as they are, and other tools read the same label.

use std::borrow::Cow;

/// What a label stands for, given what is between its quotes.
#[inline]
pub(crate) fn unescape(inner: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', inner).is_none() {
        return Cow::Borrowed(inner);
    }
    let mut label = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let meant = if byte == b'\\' { bytes.peek().copied().and_then(escaped) } else { None };
        if meant.is_some() {
            bytes.next();
        }
        label.push(meant.unwrap_or(byte));
    }
    Cow::Owned(label)
}

/// What a backslash and this byte stand for together, if it is more than themselves.
fn escaped(byte: u8) -> Option<u8> {
    match byte {
        b'"' | b'\\' => Some(byte),
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        _ => None,
    }
}

/// Adds `label` to `out`, in quotes, such that [`unescape`] of what is between them gives it back.
pub(crate) fn quote(label: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let bytes = label.as_bytes();
    if memchr::memchr3(b'\\', b'"', b'\n', bytes).or(memchr::memchr(b'\r', bytes)).is_none() {
        out.extend_from_slice(bytes);
    } else {
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                b'"' => out.extend_from_slice(b"\\\""),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\\' if stands_for_itself(bytes.get(at + 1)) => out.push(byte),
                b'\\' => out.extend_from_slice(b"\\\\"),
                _ => out.push(byte),
            }
        }
    }
    out.push(b'"');
}

/// Whether a backslash before this byte of a label needs no other backslash before it.
fn stands_for_itself(next: Option<&u8>) -> bool {
    next.is_some_and(|&next| escaped(next).is_none() && !matches!(next, b'\n' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quoted(label: &str) -> String {
        let mut out = Vec::new();
        quote(label, &mut out);
        String::from_utf8(out).expect("quoting keeps UTF-8")
    }

    #[test]
    fn only_what_must_be_is_escaped() {
        assert_eq!(quoted("send(1, 2)"), r#""send(1, 2)""#);
        assert_eq!(quoted(""), r#""""#);
        assert_eq!(quoted(r"C:\temp\dir"), r#""C:\temp\dir""#);
        assert_eq!(quoted("a\nb\r"), r#""a\nb\r""#);
        assert_eq!(quoted(r#"say "x""#), r#""say \"x\"""#);
        assert_eq!(quoted(r"\new\"), r#""\\new\\""#);
    }

    #[test]
    fn foreign_texts_are_read_leniently() {
        for (inner, label) in [("a\"b", "a\"b"), ("a\\", "a\\"), ("\\t", "\\t"), ("\\\\n", "\\n"), ("\\\"", "\"")] {
            assert_eq!(unescape(inner.as_bytes()), label.as_bytes());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn quoting_is_undone_by_reading(label in "[ab\\\\nr\"\n\r,() ä]{0,12}") {
            let text = quoted(&label);
            prop_assert!(!text.contains(['\n', '\r']));
            prop_assert_eq!(unescape(&text.as_bytes()[1..text.len() - 1]), label.as_bytes());
        }
    }
}
