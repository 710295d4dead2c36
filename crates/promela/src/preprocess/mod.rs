//! The preprocessor: what SPIN leaves to `cpp`, built in.
//!
//! Files are scanned as a whole; directives are obeyed while their tokens are read. A macro's expansion is put on a
//! stack of token lists in front of the file, and its name is hidden while it is there: the standard's rule against
//! endless expansion (C99, 6.10.3.4). Two things keep hostile input harmless: a budget of tokens, and a limit on nested
//! arguments.

mod condition;
mod definition;
mod directive;
mod expansion;
mod include;

use crate::ParseOptions;
use crate::scan::scan;
use crate::token::{Flags, Interner, KEYWORDS, Sym, Tok, Token};
use definition::Macro;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tightrope_syntax::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// How many tokens a model may have, counting each time a macro copies one.
pub(crate) const MAX_TOKENS: usize = 2_000_000;
/// How deep macro calls may stand in the arguments of macro calls.
const MAX_NESTED_ARGUMENTS: usize = 100;

/// The tokens of a model, and the names in them.
pub(crate) struct Preprocessed {
    /// All tokens, the last of them [`Tok::Eof`]; names that are keywords have the keyword's kind.
    pub(crate) tokens: Vec<Token>,
    /// Those of the goal, if there is one.
    pub(crate) goal: Option<Vec<Token>>,
    /// The texts of the tokens.
    pub(crate) names: Interner,
}

/// Preprocesses a file that is already among the sources.
pub(crate) fn preprocess(
    file: FileId,
    options: &ParseOptions,
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Preprocessed {
    let mut pp = Preprocessor {
        options,
        sources,
        diags,
        names: Interner::default(),
        macros: FxHashMap::default(),
        files: Vec::new(),
        expansions: Vec::new(),
        hidden: FxHashSet::default(),
        scanned: FxHashMap::default(),
        asked: FxHashSet::default(),
        line_pending: false,
        spent: 0,
        nested_arguments: 0,
        stopped: false,
    };
    pp.define_builtins();
    let given = pp.define_options();
    let tokens = pp.read(file);
    let goal = options.goal.as_ref().map(|goal| {
        let file = pp.sources.add("--goal", goal.as_str());
        pp.read(file)
    });
    if !pp.stopped {
        for name in given.into_iter().filter(|name| !pp.asked.contains(name)) {
            let name = pp.names.text(name);
            pp.diags.push(Diagnostic::warning(format!("-D{name}: the model does not use a macro `{name}`")));
        }
    }
    Preprocessed { tokens, goal, names: pp.names }
}

struct Preprocessor<'a> {
    options: &'a ParseOptions,
    sources: &'a mut SourceMap,
    diags: &'a mut Diagnostics,
    names: Interner,
    macros: FxHashMap<Sym, Rc<Macro>>,
    /// The files being read: each includes the next.
    files: Vec<OpenFile>,
    /// Token lists that are read before the file goes on: each came out of the one below.
    expansions: Vec<Expansion>,
    /// The macros whose expansions are being read.
    hidden: FxHashSet<Sym>,
    /// Files that were scanned before.
    scanned: FxHashMap<FileId, Rc<Vec<Token>>>,
    /// Macros that were expanded, or whose definition was asked for.
    asked: FxHashSet<Sym>,
    /// The next token stands on a new line, whatever its own flags say.
    line_pending: bool,
    spent: usize,
    nested_arguments: usize,
    /// The budget is used up, or there are too many errors: nothing more is read.
    stopped: bool,
}

struct OpenFile {
    file: FileId,
    tokens: Rc<Vec<Token>>,
    at: usize,
    conditions: Vec<Condition>,
}

/// An `#if` that is open.
struct Condition {
    /// Its place.
    span: Span,
    /// Whether the text around it is read at all.
    reached: bool,
    /// Whether one of its branches was read.
    taken: bool,
    /// Whether the present branch is read.
    active: bool,
    /// Whether `#else` was there.
    last: bool,
}

struct Expansion {
    tokens: Vec<Token>,
    at: usize,
    /// The macro that this is the expansion of.
    of: Option<Sym>,
    /// The call took more than one line: what follows it stands on a new one.
    line_after: bool,
    /// An argument or a directive: reading ends here instead of continuing with the expansion below.
    barrier: bool,
}

impl Preprocessor<'_> {
    fn error(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
        self.stopped |= self.diags.is_full();
    }

    /// Counts tokens against the budget; when it is used up, preprocessing stops.
    fn spend(&mut self, tokens: usize, span: Span) {
        self.spent += tokens;
        if self.spent > MAX_TOKENS && !self.stopped {
            self.error(
                Diagnostic::error(format!("the model has more than {MAX_TOKENS} tokens after preprocessing"))
                    .at(span, "the limit is reached here")
                    .help("macros that call macros twice double the text at every level"),
            );
            self.stopped = true;
        }
    }

    /// All tokens of a file, with an end.
    fn read(&mut self, file: FileId) -> Vec<Token> {
        self.open(file);
        let mut tokens = Vec::new();
        while let Some(mut token) = self.next() {
            if token.kind == Tok::Ident
                && let Some(kind) = KEYWORDS.find(self.names.text(token.text))
            {
                token.kind = kind;
            }
            tokens.push(token);
        }
        let end = self.sources.text(file).len() as u32;
        let text = self.names.intern("");
        tokens.push(Token { kind: Tok::Eof, flags: Flags::LINE, text, span: Span::new(file, end, end) });
        tokens
    }

    fn open(&mut self, file: FileId) {
        let tokens = match self.scanned.get(&file) {
            Some(tokens) => tokens.clone(),
            None => {
                let tokens = Rc::new(scan(file, self.sources.text(file), &mut self.names, self.diags));
                self.scanned.insert(file, tokens.clone());
                tokens
            }
        };
        self.files.push(OpenFile { file, tokens, at: 0, conditions: Vec::new() });
        self.line_pending = true;
    }

    /// The next token after all expansion.
    fn next(&mut self) -> Option<Token> {
        loop {
            let mut token = self.next_raw()?;
            if token.kind == Tok::Ident
                && !token.flags.has(Flags::PAINTED)
                && let Some(definition) = self.macros.get(&token.text)
            {
                if self.hidden.contains(&token.text) {
                    token.flags = token.flags.with(Flags::PAINTED);
                } else {
                    let definition = definition.clone();
                    self.asked.insert(token.text);
                    if self.expand(token, &definition) {
                        continue;
                    }
                }
            }
            if std::mem::take(&mut self.line_pending) {
                token.flags = token.flags.with(Flags::LINE);
            }
            self.spend(1, token.span);
            return Some(token);
        }
    }

    /// The next token from the innermost expansion or the file, before expansion; obeys directives on the way.
    fn next_raw(&mut self) -> Option<Token> {
        while !self.stopped {
            if let Some(top) = self.expansions.last_mut() {
                if let Some(&token) = top.tokens.get(top.at) {
                    top.at += 1;
                    return Some(token);
                }
                if top.barrier {
                    return None;
                }
                self.leave_expansion();
                continue;
            }
            let file = self.files.last_mut()?;
            let Some(&token) = file.tokens.get(file.at) else {
                self.close_file();
                continue;
            };
            file.at += 1;
            if token.kind == Tok::Hash && token.flags.has(Flags::BOL) {
                self.directive(token);
            } else if self.reading() {
                return Some(token);
            }
        }
        None
    }

    /// Takes back the token that [`Self::next_raw`] gave last.
    fn unread(&mut self) {
        match self.expansions.last_mut() {
            Some(top) => top.at -= 1,
            None => {
                if let Some(file) = self.files.last_mut() {
                    file.at -= 1;
                }
            }
        }
    }

    /// Whether the file's text counts here, or a condition leaves it out.
    fn reading(&self) -> bool {
        self.files.last().and_then(|file| file.conditions.last()).is_none_or(|condition| condition.active)
    }

    fn leave_expansion(&mut self) {
        if let Some(top) = self.expansions.pop() {
            if let Some(name) = top.of {
                self.hidden.remove(&name);
            }
            self.line_pending |= top.line_after;
        }
    }

    fn close_file(&mut self) {
        if let Some(file) = self.files.pop() {
            for open in file.conditions {
                self.error(
                    Diagnostic::error("this condition is never closed")
                        .at(open.span, "no `#endif` for this")
                        .help("add `#endif` before the end of the file"),
                );
            }
        }
        self.line_pending = true;
    }

    /// Expands a list of tokens on its own: an argument, or a directive's line.
    fn expand_list(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        if self.nested_arguments >= MAX_NESTED_ARGUMENTS {
            if let (Some(first), false) = (tokens.first(), self.stopped) {
                self.error(
                    Diagnostic::error(format!("macro calls are nested more than {MAX_NESTED_ARGUMENTS} deep"))
                        .at(first.span, "in the arguments of calls in the arguments of calls"),
                );
            }
            self.stopped = true;
            return Vec::new();
        }
        self.nested_arguments += 1;
        self.expansions.push(Expansion { tokens, at: 0, of: None, line_after: false, barrier: true });
        let height = self.expansions.len();
        let line_pending = std::mem::take(&mut self.line_pending);
        let mut out = Vec::new();
        while let Some(token) = self.next() {
            out.push(token);
        }
        // A stop leaves expansions above the barrier behind.
        while self.expansions.len() >= height {
            self.leave_expansion();
        }
        self.line_pending = line_pending;
        self.nested_arguments -= 1;
        out
    }
}

#[cfg(test)]
mod tests;
