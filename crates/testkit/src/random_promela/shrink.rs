//! Makes a text that shows something smaller, as long as it shows it.

use super::text::{indent, words};
use std::time::Instant;

/// The smallest text found, by leaving out pieces of `text`, that `shows` what is looked for; `text` itself if none is
/// smaller. Stops at the deadline.
pub fn shrink(text: &str, deadline: Instant, mut shows: impl FnMut(&str) -> bool) -> String {
    let mut best: Vec<String> = words(text).into_iter().map(String::from).collect();
    let late = || Instant::now() > deadline;
    loop {
        let before = best.len();
        // What is between brackets, with them and without, then options, statements, runs of tokens.
        for piece in pieces(&best) {
            if late() {
                return lay_out(&best);
            }
            attempt(&mut best, piece.0, piece.1, &mut shows);
        }
        let mut at = 0;
        while at < best.len() {
            if late() {
                return lay_out(&best);
            }
            if !unwrap(&mut best, at, &mut shows) {
                at += 1;
            }
        }
        let mut size = (best.len() / 2).clamp(1, 24);
        while size > 0 {
            let mut at = 0;
            while at + size <= best.len() {
                if late() {
                    return lay_out(&best);
                }
                if !attempt(&mut best, at, at + size, &mut shows) {
                    at += 1;
                }
            }
            size = if size > 8 { size / 2 } else { size - 1 };
        }
        if best.len() == before {
            return lay_out(&best);
        }
    }
}

/// Leaves tokens out if what is left shows it too.
fn attempt(best: &mut Vec<String>, from: usize, to: usize, shows: &mut impl FnMut(&str) -> bool) -> bool {
    if to > best.len() || from >= to {
        return false;
    }
    let part = &best[from..to];
    if !balanced(part) {
        return false;
    }
    let left: Vec<String> = best[..from].iter().chain(&best[to..]).cloned().collect();
    if !shows(&lay_out(&left)) {
        return false;
    }
    *best = left;
    true
}

/// Leaves out a bracket and its partner, with what belongs to it: `atomic {` and `}`, `if ::` and `fi`.
fn unwrap(best: &mut Vec<String>, at: usize, shows: &mut impl FnMut(&str) -> bool) -> bool {
    if !opens(&best[at]) {
        return false;
    }
    let mut depth = 0;
    let close = best[at..].iter().position(|word| {
        depth += i32::from(opens(word)) - i32::from(closes(word));
        depth == 0
    });
    let Some(close) = close.map(|close| close + at) else { return false };
    let from = if at > 0 && matches!(best[at - 1].as_str(), "atomic" | "d_step") { at - 1 } else { at };
    let to = if best.get(at + 1).is_some_and(|word| word == "::") { at + 2 } else { at + 1 };
    let kept = |number: usize| number != close && !(from..to).contains(&number);
    let left: Vec<String> =
        best.iter().enumerate().filter(|(number, _)| kept(*number)).map(|(_, word)| word.clone()).collect();
    if to > close || !shows(&lay_out(&left)) {
        return false;
    }
    *best = left;
    true
}

fn opens(word: &str) -> bool {
    matches!(word, "{" | "(" | "[" | "do" | "if")
}

fn closes(word: &str) -> bool {
    matches!(word, "}" | ")" | "]" | "od" | "fi")
}

/// Whether every bracket in it has its partner.
fn balanced(part: &[String]) -> bool {
    let mut depth = 0;
    for word in part {
        depth += i32::from(opens(word)) - i32::from(closes(word));
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Pieces from one separator to a later one at the same depth, longest first, later ones first.
fn pieces(words: &[String]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for from in 0..words.len() {
        let mut depth = 0;
        for to in from + 1..=words.len().min(from + 250) {
            let word = words[to - 1].as_str();
            depth += i32::from(opens(word)) - i32::from(closes(word));
            if depth < 0 {
                break;
            }
            let ends = to == words.len() || matches!(words[to].as_str(), ";" | "::" | "}" | "od" | "fi" | "->");
            let ends = ends || matches!(word, ";" | "->" | "}");
            let starts = from == 0 || matches!(words[from - 1].as_str(), ";" | "::" | "{" | "->" | "}" | "do" | "if");
            if depth == 0 && ends && (starts || matches!(words[from].as_str(), ";" | "::")) {
                found.push((from, to));
            }
        }
    }
    found.sort_by_key(|&(from, to)| std::cmp::Reverse((to - from, from)));
    found
}

/// The text of tokens: a statement or option per line.
fn lay_out(words: &[String]) -> String {
    let mut text = String::new();
    let mut parens = 0;
    for (at, word) in words.iter().enumerate() {
        if word.starts_with('#') {
            text.push_str(&format!("\n{word}\n"));
            continue;
        }
        let next = words.get(at + 1).map_or("", String::as_str);
        if matches!(word.as_str(), "::" | "od" | "fi") {
            text.push('\n');
        }
        text.push_str(word);
        parens += i32::from(word == "(") - i32::from(word == ")");
        let line_ends =
            word == ";" && parens <= 0 || matches!(word.as_str(), "{" | "}") && next != "unless" && next != ";";
        text.push(if line_ends { '\n' } else { ' ' });
    }
    let text = text.replace(" ;", ";").replace("( ", "(").replace(" )", ")");
    indent(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_not_needed_goes() {
        let text = "byte x; byte y;\nactive proctype P() { x = 1; if :: x == 1 -> y = 2 :: else fi; assert(y == 0) }";
        let later = Instant::now() + Duration::from_secs(5);
        let small = shrink(text, later, |text| text.contains("assert") && text.contains("P"));
        assert!(small.len() < 20, "{small}");
    }
}
