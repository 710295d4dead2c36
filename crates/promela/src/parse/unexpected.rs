//! Messages about tokens that do not fit, with hints at what the author may have meant.

use super::Parser;
use super::token_stream::ADDED;
use crate::token::{Flags, KEYWORDS, Sym, Tok, Token};
use tightrope_syntax::{Diagnostic, RecursiveDescent, Reported, Wording, similar};

/// Names from other languages, and what Promela has instead.
const OTHER_LANGUAGES: &[(&str, &str)] = &[
    ("while", "loops are written `do :: condition -> … :: else -> break od`"),
    ("switch", "choices are written `if :: x == 1 -> … :: else -> … fi`"),
    ("then", "a guard and its statements are separated by `->`"),
    ("elif", "each alternative of an `if` starts with `::`"),
    ("elsif", "each alternative of an `if` starts with `::`"),
    ("elseif", "each alternative of an `if` starts with `::`"),
    ("end", "`if` ends with `fi`, `do` with `od`, blocks with `}`"),
    ("endif", "`if` ends with `fi`"),
    ("esac", "`if` ends with `fi`"),
    ("done", "`do` ends with `od`"),
    ("and", "conjunction is written `&&`"),
    ("or", "disjunction is written `||`"),
    ("not", "negation is written `!`"),
    ("mod", "the remainder is written `%`"),
    ("boolean", "the type is called `bool`"),
    ("integer", "the type is called `int`"),
    ("char", "characters are stored in a `byte`"),
    ("long", "the widest type is `int`, with 32 bits"),
    ("uint", "write `unsigned x : 32`, or use `int`"),
    ("float", "Promela has integers only"),
    ("double", "Promela has integers only"),
    ("string", "Promela has no strings; name symbols with `mtype = { … }`"),
    ("enum", "enumerations are written `mtype = { a, b }`"),
    ("struct", "records are written `typedef T { byte x; byte y }`"),
    ("const", "constants are written `#define N 3`"),
    ("void", "processes and inlines have no type"),
    ("process", "process types start with `proctype`"),
    ("function", "macro-like procedures are written `inline f(a) { … }`"),
    ("null", "there is no null; an uninitialised `chan` is 0"),
    ("True", "written `true`"),
    ("False", "written `false`"),
    ("print", "output is written `printf(\"…\\n\")`"),
];

/// What stands after the variable of `for` and `select`, as messages say it.
pub(super) const RANGE: &str = "`:` or `in`";

/// Statements with parentheses.
const STATEMENTS: &[&str] = &["assert", "for", "printf", "printm", "run", "select"];

/// What starts a unit or stands before a block.
const UNITS: &[&str] = &["active", "init", "inline", "ltl", "mtype", "never", "proctype", "typedef"];

/// What starts a block.
const BLOCKS: &[&str] = &["atomic", "d_step", "init", "never", "unless"];

/// The names of types.
const TYPES: &[&str] = &["bit", "bool", "byte", "chan", "int", "mtype", "pid", "short", "unsigned"];

/// What Promela has instead of a word of another language.
fn foreign(name: &str) -> Option<&'static str> {
    OTHER_LANGUAGES.iter().find(|(word, _)| *word == name).map(|(_, hint)| *hint)
}

impl Wording for Parser<'_> {
    fn found(&self) -> String {
        let text = self.text();
        match self.kind() {
            Tok::Eof if self.calls.is_empty() => "the end of the file".to_string(),
            Tok::Eof => "the end of the inline's body".to_string(),
            Tok::Semi if text == ADDED => "the end of the statement".to_string(),
            Tok::Str => format!("the string `{text}`"),
            Tok::OpenStr => "a string that never ends".to_string(),
            Tok::OpenChar => "a character that never ends".to_string(),
            Tok::Unknown => format!("the character `{}`", text.escape_debug()),
            Tok::Number | Tok::Char => format!("`{text}`"),
            Tok::Ident if self.typedefs.contains(&self.token.text) => format!("the type `{text}`"),
            Tok::Ident => format!("`{text}`"),
            kind if KEYWORDS.find(text) == Some(kind) => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }
}

impl Parser<'_> {
    /// Reports that something else was expected here.
    #[cold]
    #[inline(never)]
    pub(super) fn unexpected(&mut self, what: &str) -> Reported {
        match self.kind() {
            Tok::RParen | Tok::RBracket if what == "`;` or `->`" => {
                let (found, open) = if self.at(Tok::RParen) { ("`)`", "`(`") } else { ("`]`", "`[`") };
                let error = Diagnostic::error(format!("this {found} closes nothing"));
                return self.report(error.at(self.span(), format!("no {open} is open here")));
            }
            Tok::LBrace | Tok::Ident if what == "`;` or `->`" => {
                if let Some(error) = self.misspelt_before() {
                    return self.report(error);
                }
            }
            Tok::LParen if what == "`;` or `->`" => {
                if let Some(name) = self.previous_token().map(|name| name.text)
                    && let Some(error) = self.unknown_inline()
                {
                    self.errors_found += 1;
                    if self.broken_inlines.insert(name) {
                        self.report(error);
                    }
                    return Reported;
                }
            }
            Tok::OpenStr => return self.never_ends("string", '"'),
            Tok::OpenChar => return self.never_ends("character constant", '\''),
            _ => {}
        }
        let found = self.found();
        let mut error =
            Diagnostic::error(format!("expected {what}, found {found}")).at(self.span(), format!("expected {what}"));
        for hint in self.hints(what) {
            error = error.help(hint);
        }
        self.report(error)
    }

    /// Reports a string or a character that never ends, which takes the rest of its line with it.
    #[cold]
    fn never_ends(&mut self, what: &str, quote: char) -> Reported {
        let error = Diagnostic::error(format!("this {what} never ends"))
            .at(self.span(), "starts here")
            .help(format!("close it with `{quote}` on the same line"));
        self.abort(error)
    }

    /// A type that looks like this name.
    pub(super) fn similar_type(&self, name: Sym) -> Option<String> {
        let text = self.names.text(name);
        let users = self.typedefs.iter().map(|&name| self.names.text(name));
        let found = similar(text, users.chain(TYPES.iter().copied()));
        found.map(|found| format!("did you mean `{found}`?")).or_else(|| foreign(text).map(str::to_string))
    }

    /// What the author may have meant.
    fn hints(&self, what: &str) -> Vec<String> {
        let mut hints = Vec::new();
        let text = self.text();
        match self.kind() {
            Tok::Ident if what.contains("process type") => {
                let users = self.typedefs.iter().map(|&name| self.names.text(name));
                let known = users.chain(TYPES.iter().chain(UNITS).copied());
                let alike = similar(text, known).map(|known| format!("did you mean `{known}`?"));
                hints.extend(alike.or_else(|| foreign(text).map(str::to_string)));
            }
            Tok::Ident if what == "`proctype`" => {
                hints.extend(similar(text, ["proctype"]).map(|known| format!("did you mean `{known}`?")));
            }
            Tok::Ident => {
                let previous = self.previous_token();
                let hint = foreign(text).or_else(|| foreign(self.names.text(previous?.text))).map(str::to_string);
                hints.extend(hint);
            }
            Tok::Of => hints.push("the capacity stands in brackets: `chan c = [1] of { byte }`".to_string()),
            Tok::Gt if self.previous_token().is_some_and(|previous| previous.kind == Tok::Lt) => {
                hints.push("inequality is written `!=`".to_string());
            }
            Tok::Assign if what == RANGE => hints.push("a range is written `(i : 1 .. 3)`".to_string()),
            kind if what.contains("name") && KEYWORDS.find(text) == Some(kind) => {
                hints.push(format!("`{text}` is a keyword; choose another name"));
            }
            Tok::Assign if self.previous_token().is_some_and(|previous| is_compound(previous.kind)) => {
                hints.push("there are no assignment operators: write `x = x + 1`".to_string());
            }
            Tok::Assign => hints.push("to compare, write `==`; an assignment is a statement of its own".to_string()),
            Tok::BangBang => hints.push("`!!` is the sorted send; write `! !x` for a double negation".to_string()),
            Tok::QueryQuery | Tok::Query => {
                hints.push("a conditional expression is written `(condition -> value : other)`".to_string());
            }
            Tok::PlusPlus | Tok::MinusMinus => {
                hints.push("`x++` and `x--` are statements and stand after the variable".to_string());
            }
            Tok::Unknown if text == "\u{201c}" || text == "\u{201d}" => {
                hints.push("strings stand in straight quotes: `\"…\"`".to_string());
            }
            Tok::Full | Tok::Empty | Tok::Nfull | Tok::Nempty => {
                hints.push("put it at the top of a condition, alone or under `&&` and `||`".to_string());
            }
            Tok::LParen => {
                let name = self.previous_token().filter(|name| name.kind == Tok::Ident);
                hints.extend(name.and_then(|name| foreign(self.names.text(name.text))).map(str::to_string));
                if let Some(name) = name.filter(|name| self.inlines.contains_key(&name.text)) {
                    let text = self.names.text(name.text);
                    hints.push(format!(
                        "inline `{text}` can be called as a statement `{text}(…)` or `x = {text}(…)` only"
                    ));
                }
            }
            Tok::Hash => hints.push("a directive must be the first thing on its line".to_string()),
            _ => {}
        }
        if self.token.flags.has(Flags::LINE) && is_binary(self.kind()) {
            hints.push(
                "the statement ended with the line before: put the operator at the end of that line, or the whole \
                 expression in parentheses"
                    .to_string(),
            );
        }
        hints
    }

    /// What to say about `atomc {` and `Paket p`, where the word before is misspelt.
    fn misspelt_before(&self) -> Option<Diagnostic> {
        let name = self.previous_token().filter(|name| name.kind == Tok::Ident)?;
        let text = self.names.text(name.text);
        if self.token.flags.has(Flags::LINE) || foreign(self.text()).is_some() {
            return None;
        }
        let (message, help) = if self.at(Tok::LBrace) {
            let known = similar(text, BLOCKS.iter().copied())?;
            (format!("there is no `{text}` in Promela"), format!("did you mean `{known}`?"))
        } else {
            (format!("there is no type `{text}`"), self.similar_type(name.text)?)
        };
        Some(Diagnostic::error(message).at(name.span, "not found").help(help))
    }

    /// What to say about `name(` where the name is no inline.
    fn unknown_inline(&self) -> Option<Diagnostic> {
        let name = self.previous_token().filter(|name| name.kind == Tok::Ident)?;
        let text = self.names.text(name.text);
        if self.inlines.contains_key(&name.text) {
            return None;
        }
        if let Some(hint) = foreign(text) {
            return Some(
                Diagnostic::error(format!("there is no `{text}` in Promela")).at(name.span, "not found").help(hint),
            );
        }
        let mut ahead = self.stream.tokens[self.stream.at..].windows(2);
        if let Some(later) = ahead.find(|pair| pair[0].kind == Tok::Inline && pair[1].text == name.text) {
            let error = Diagnostic::error(format!("inline `{text}` is called before its definition"));
            return Some(error.at(name.span, "not known yet").also(later[1].span, "defined here"));
        }
        let error = Diagnostic::error(format!("there is no inline `{text}`")).at(name.span, "not found");
        let known = self.inlines.keys().map(|&name| self.names.text(name)).chain(STATEMENTS.iter().copied());
        Some(match similar(text, known) {
            Some(similar) => error.help(format!("did you mean `{similar}`?")),
            None => error,
        })
    }

    /// The token before the current one, as it stands in the source.
    fn previous_token(&self) -> Option<Token> {
        self.stream.at.checked_sub(2).and_then(|index| self.stream.tokens.get(index)).copied()
    }
}

fn is_compound(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Plus
            | Tok::Minus
            | Tok::Star
            | Tok::Slash
            | Tok::Percent
            | Tok::And
            | Tok::Or
            | Tok::Caret
            | Tok::Shl
            | Tok::Shr
    )
}

fn is_binary(kind: Tok) -> bool {
    is_compound(kind)
        || matches!(
            kind,
            Tok::AndAnd
                | Tok::OrOr
                | Tok::EqEq
                | Tok::NotEq
                | Tok::Lt
                | Tok::Le
                | Tok::Gt
                | Tok::Ge
                | Tok::Bang
                | Tok::Query
                | Tok::QueryQuery
        )
}
