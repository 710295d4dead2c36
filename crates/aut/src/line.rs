//! One line of an Aldebaran file, taken apart.
//!
//! ```text
//! des (<initial>, <transitions>, <states>)
//! (<from>, <label>, <to>)
//! ```
//!
//! White space may stand between any two of these. A label is what stands between the first comma and the last, so it
//! may contain commas; it may be quoted.

use crate::quote;
use std::borrow::Cow;
use std::ops::Range;

/// The three numbers of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub initial: u64,
    pub transitions: u64,
    pub states: u64,
    /// Where each stands in the line.
    pub at: [(usize, usize); 3],
}

/// A transition and where its states stand in the line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Transition<'a> {
    pub from: u64,
    pub label: Cow<'a, [u8]>,
    pub to: u64,
    pub from_at: Range<usize>,
    pub label_at: Range<usize>,
    pub to_at: Range<usize>,
}

/// What is wrong with a line: in words, where, what to say there, what to try.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub message: String,
    pub at: Range<usize>,
    pub label: &'static str,
    pub help: &'static str,
}

pub(crate) const HEADER_HELP: &str =
    "the first line is `des (<initial state>, <number of transitions>, <number of states>)`";
const LINE_HELP: &str = "a transition is `(<from>, \"<label>\", <to>)`";

fn wrong(message: impl Into<String>, at: Range<usize>, label: &'static str, help: &'static str) -> Wrong {
    Wrong { message: message.into(), at, label, help }
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// The part of `line[range]` between the white space around it.
fn trim(line: &[u8], mut range: Range<usize>) -> Range<usize> {
    while range.start < range.end && is_space(line[range.start]) {
        range.start += 1;
    }
    while range.start < range.end && is_space(line[range.end - 1]) {
        range.end -= 1;
    }
    range
}

/// The number that `line[range]` is, white space around it aside, and where it stands.
#[inline]
fn number(line: &[u8], range: Range<usize>, help: &'static str) -> Result<(u64, Range<usize>), Wrong> {
    let at = trim(line, range);
    let mut value = 0u64;
    for &byte in &line[at.clone()] {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Err(wrong("this is not a number", at, "expected a number in decimal digits", help));
        }
        value = match value.checked_mul(10).and_then(|value| value.checked_add(u64::from(digit))) {
            Some(value) => value,
            None => return Err(wrong("this number is too large", at, "more than 64 bits", help)),
        };
    }
    if at.is_empty() {
        return Err(wrong("a number is missing", at, "expected a number", help));
    }
    Ok((value, at))
}

/// Takes a header apart.
pub(crate) fn header(line: &[u8]) -> Result<Header, Wrong> {
    let all = trim(line, 0..line.len());
    let garbled = |at, label| wrong("this is not the header of an Aldebaran file", at, label, HEADER_HELP);
    if !line[all.clone()].starts_with(b"des") {
        return Err(garbled(all, "expected `des`"));
    }
    let rest = trim(line, all.start + 3..all.end);
    if line.get(rest.start) != Some(&b'(') || rest.is_empty() {
        return Err(garbled(rest.start..rest.start, "expected `(`"));
    }
    let Some(close) = memchr::memrchr(b')', &line[rest.clone()]).map(|at| rest.start + at) else {
        return Err(garbled(rest.end..rest.end, "expected `)`"));
    };
    if close + 1 < rest.end {
        return Err(garbled(trim(line, close + 1..rest.end), "nothing may follow the header"));
    }
    let mut starts = vec![rest.start + 1];
    starts.extend(memchr::memchr_iter(b',', &line[..close]).filter(|&at| at > rest.start).map(|at| at + 1));
    let &[first, second, third] = starts.as_slice() else {
        return Err(garbled(rest, "expected three numbers between commas"));
    };
    let (initial, initial_at) = number(line, first..second - 1, HEADER_HELP)?;
    let (transitions, transitions_at) = number(line, second..third - 1, HEADER_HELP)?;
    let (states, states_at) = number(line, third..close, HEADER_HELP)?;
    let at = [initial_at, transitions_at, states_at].map(|at| (at.start, at.end));
    Ok(Header { initial, transitions, states, at })
}

/// Takes a transition apart. The line must contain something other than white space.
#[inline]
pub(crate) fn transition(line: &[u8]) -> Result<Transition<'_>, Wrong> {
    let all = trim(line, 0..line.len());
    if line.get(all.start) != Some(&b'(') {
        return Err(wrong("a parenthesis is missing", all.start..all.start, "expected `(`", LINE_HELP));
    }
    if all.len() < 2 || line[all.end - 1] != b')' {
        return Err(unclosed(line, all));
    }
    let inside = all.start + 1..all.end - 1;
    let Some(first) = line[inside.clone()].iter().position(|&byte| byte == b',').map(|at| inside.start + at) else {
        return Err(wrong("a comma is missing", inside.end..inside.end, "expected `,`", LINE_HELP));
    };
    let last = line[inside.clone()].iter().rposition(|&byte| byte == b',').map_or(first, |at| inside.start + at);
    if first == last {
        return Err(wrong("a comma is missing", inside.end..inside.end, "expected `,` and a state", LINE_HELP));
    }
    let (from, from_at) = number(line, inside.start..first, LINE_HELP)?;
    let label_at = trim(line, first + 1..last);
    let label = label(line, label_at.clone())?;
    let (to, to_at) = number(line, last + 1..inside.end, LINE_HELP)?;
    Ok(Transition { from, label, to, from_at, label_at, to_at })
}

/// The label in `line[at]`, without its quotes.
#[inline]
fn label(line: &[u8], at: Range<usize>) -> Result<Cow<'_, [u8]>, Wrong> {
    let text = &line[at.clone()];
    match text {
        [] => Err(wrong("a label is missing", at, "expected a label", LINE_HELP)),
        [b'"', inner @ .., b'"'] => Ok(quote::unescape(inner)),
        [b'"', ..] => Err(unbalanced(at.start..at.start + 1, "the label begins here and does not end in a quote")),
        _ if !memchr::memchr_iter(b'"', text).count().is_multiple_of(2) => {
            let last = memchr::memrchr(b'"', text).map_or(at.start, |last| at.start + last);
            Err(unbalanced(last..last + 1, "this quote has no partner"))
        }
        _ => Ok(Cow::Borrowed(text)),
    }
}

fn unbalanced(at: Range<usize>, label: &'static str) -> Wrong {
    wrong("quotes are unbalanced", at, label, "put the whole label into quotes: `(0, \"a label\", 1)`")
}

/// What is wrong with a line that begins with a parenthesis and does not end with one.
#[cold]
fn unclosed(line: &[u8], all: Range<usize>) -> Wrong {
    match memchr::memrchr(b')', &line[all.clone()]).map(|at| all.start + at) {
        // A parenthesis after the last comma was meant to be the end.
        Some(close) if !line[close..all.end].contains(&b',') && line[..close].contains(&b',') => {
            wrong("nothing may follow a transition", trim(line, close + 1..all.end), "not expected here", LINE_HELP)
        }
        _ => wrong("a parenthesis is missing", all.end..all.end, "expected `)`", LINE_HELP),
    }
}
