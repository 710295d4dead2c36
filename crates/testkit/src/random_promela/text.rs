//! How texts are laid out.

/// Indents by braces, `do` and `if`.
pub fn indent(text: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0usize);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut lowest = depth;
        let mut now = depth;
        for word in words(line) {
            match word {
                "{" | "do" | "if" => now += 1,
                "}" | "od" | "fi" => {
                    now = now.saturating_sub(1);
                    lowest = lowest.min(now);
                }
                _ => {}
            }
        }
        out.push_str(&"  ".repeat(lowest));
        out.push_str(line);
        out.push('\n');
        depth = now;
    }
    out
}

/// The tokens of a text, without the white space between them. Strings and lines of the preprocessor are one token.
pub(super) fn words(text: &str) -> Vec<&str> {
    const PAIRS: [&str; 15] =
        ["->", "::", "!!", "??", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", ".."];
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|one: char| !one.is_alphanumeric() && one != '_').unwrap_or(rest.len())
        } else if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
            2
        } else {
            first.len_utf8()
        };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}
