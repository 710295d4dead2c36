//! The symbol table: names, and the scopes they are declared in.

use super::Checker;
use crate::hir::{Meaning, Model, Named, Place, TypeId, TypeKind, Types};
use crate::parse::foreign;
use crate::token::{Interner, Sym};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tightrope_syntax::{Diagnostic, Name, Span, similar};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A constant, or a value of an enum.
    Const(TypeId, i32),
    Type(TypeId),
    Global(u32),
    Slot(u32),
    /// An alias of a variable, or of a part of one.
    Place(Rc<Place>),
    Routine(u32),
    /// Not declared, and reported.
    Unknown,
}

#[derive(Debug)]
struct Entry {
    symbol: Symbol,
    span: Span,
    /// The number of the scope it belongs to.
    depth: usize,
}

/// The scopes that are open.
#[derive(Debug)]
pub(super) struct Scopes {
    /// What each name stands for, the innermost last.
    entries: FxHashMap<Sym, Vec<Entry>>,
    /// The names that each scope declares. The first scope holds what is built in, the second the top of the model.
    declared: Vec<Vec<Sym>>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Scopes { entries: FxHashMap::default(), declared: vec![Vec::new()] }
    }

    /// What is built in, and what is declared at the top of a model.
    pub(super) fn of_model(model: &Model, names: &mut Interner) -> Self {
        let mut scopes = Scopes::new();
        let builtin = [
            ("boolean", Symbol::Type(Types::BOOL)),
            ("false", Symbol::Const(Types::BOOL, 0)),
            ("true", Symbol::Const(Types::BOOL, 1)),
        ];
        for (name, symbol) in builtin {
            scopes.declare(names.intern(name), symbol, Span::default());
        }
        scopes.push();
        for named in &model.names {
            let symbol = match named.meaning {
                Meaning::Constant(ty, value) => Symbol::Const(ty, value),
                Meaning::Type(ty) => Symbol::Type(ty),
                Meaning::Global(at) => Symbol::Global(at),
                Meaning::Routine(at) => Symbol::Routine(at),
            };
            scopes.declare(names.intern(&named.name), symbol, named.span);
        }
        scopes
    }

    /// What is declared at the top of the model, in the order of the source.
    pub(super) fn at_top(&self, names: &Interner) -> Vec<Named> {
        let mut top = Vec::new();
        for &sym in self.declared.get(1).into_iter().flatten() {
            let Some((symbol, span)) = self.find(sym) else { continue };
            let meaning = match *symbol {
                Symbol::Const(ty, value) => Meaning::Constant(ty, value),
                Symbol::Type(ty) => Meaning::Type(ty),
                Symbol::Global(at) => Meaning::Global(at),
                Symbol::Routine(at) => Meaning::Routine(at),
                Symbol::Slot(_) | Symbol::Place(_) | Symbol::Unknown => continue,
            };
            top.push(Named { name: names.text(sym).to_string(), meaning, span });
        }
        top
    }

    pub(super) fn push(&mut self) {
        self.declared.push(Vec::new());
    }

    pub(super) fn pop(&mut self) {
        for sym in self.declared.pop().unwrap_or_default() {
            if let Some(entries) = self.entries.get_mut(&sym) {
                entries.pop();
            }
        }
    }

    /// What a name stands for, and where that is declared.
    pub(super) fn find(&self, sym: Sym) -> Option<(&Symbol, Span)> {
        self.entries.get(&sym)?.last().map(|entry| (&entry.symbol, entry.span))
    }

    /// Where a name is declared in the innermost scope.
    pub(super) fn in_this_scope(&self, sym: Sym) -> Option<Span> {
        let entry = self.entries.get(&sym)?.last()?;
        (entry.depth == self.declared.len()).then_some(entry.span)
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, sym: Sym, symbol: Symbol, span: Span) {
        let depth = self.declared.len();
        self.entries.entry(sym).or_default().push(Entry { symbol, span, depth });
        if let Some(names) = self.declared.last_mut() {
            names.push(sym);
        }
    }

    /// Marks a name as reported, wherever it is used.
    fn declare_unknown(&mut self, sym: Sym, span: Span) {
        self.entries.entry(sym).or_default().insert(0, Entry { symbol: Symbol::Unknown, span, depth: 0 });
    }

    /// Every name that stands for something.
    fn names(&self) -> impl Iterator<Item = Sym> {
        let known = |entries: &[Entry]| entries.last().is_some_and(|entry| !matches!(entry.symbol, Symbol::Unknown));
        self.entries.iter().filter(move |(_, entries)| known(entries)).map(|(sym, _)| *sym)
    }
}

impl Checker<'_> {
    /// What a name stands for. One that is not declared is reported once.
    pub(super) fn lookup(&mut self, name: Name, what: &str) -> Symbol {
        if let Some((symbol, _)) = self.scopes.find(name.sym) {
            return symbol.clone();
        }
        self.undeclared(name, what);
        self.scopes.declare_unknown(name.sym, name.span);
        Symbol::Unknown
    }

    #[cold]
    fn undeclared(&mut self, name: Name, what: &str) {
        let text = self.text(name);
        let mut error = Diagnostic::error(format!("`{text}` is not declared")).at(name.span, format!("no such {what}"));
        if let Some(&span) = self.later.get(&name.sym).filter(|span| span.start > name.span.start) {
            error = error.also(span, "declared here").help("a name can be used only after its declaration");
        } else if REAL_FUNCTIONS.contains(&text.to_ascii_lowercase().as_str()) {
            error = error.note("the functions on real numbers are an extension of CMurphi that is not supported");
        } else if let Some(scalarset) = self.scalarset_of(text) {
            error = error
                .note(format!("the elements of the scalarset `{scalarset}` are all alike and have no names"))
                .help(format!("`exists x : {scalarset} do … end` asks for one of them"));
        } else if let Some(hint) = foreign(text) {
            error = error.help(hint);
        } else if let Some(similar) = self.similar(text) {
            error = error.help(format!("did you mean `{similar}`?"));
        }
        self.report(error);
    }

    /// The scalarset to whose elements a name belongs, as traces show them: `P_1`.
    fn scalarset_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (name, number) = text.rsplit_once('_')?;
        let is_scalarset = |kind: &TypeKind| matches!(kind, TypeKind::Scalarset { .. });
        let mut types = self.types().iter();
        let named = types.any(|(_, ty)| is_scalarset(&ty.kind) && ty.name.as_deref() == Some(name));
        (named && number.parse::<u32>().is_ok()).then_some(name)
    }

    /// A declared name that looks like this one; the one that comes first of several.
    fn similar(&self, text: &str) -> Option<String> {
        similar(text, self.scopes.names().map(|sym| self.names.text(sym))).map(str::to_string)
    }

    /// Warns if a quantifier hides one that it stands in, which CMurphi refuses.
    pub(super) fn warn_if_hiding(&mut self, name: Name) {
        let hidden = match self.scopes.find(name.sym) {
            Some((Symbol::Place(_), span)) => span,
            Some((Symbol::Slot(slot), span)) => match self.frame.slots[*slot as usize].kind {
                crate::hir::SlotKind::Counter | crate::hir::SlotKind::Element | crate::hir::SlotKind::Let => span,
                _ => return,
            },
            _ => return,
        };
        if self.scopes.in_this_scope(name.sym).is_some() {
            return;
        }
        let warning = Diagnostic::warning(format!("`{}` hides another variable of the same name", self.text(name)))
            .at(name.span, "from here on, this one is meant")
            .also(hidden, "the other one")
            .note("CMurphi refuses this");
        self.diags.push(warning);
    }
}

/// Functions that CMurphi has for real numbers.
const REAL_FUNCTIONS: &[&str] = &[
    "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "fabs", "floor", "fmod", "log", "log10", "pow", "sin",
    "sinh", "sqrt", "tan", "tanh",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Interner;

    #[test]
    fn inner_scopes_hide_outer_ones() {
        let mut names = Interner::default();
        let (a, b) = (names.intern("a"), names.intern("b"));
        let mut scopes = Scopes::new();
        scopes.declare(a, Symbol::Global(1), Span::default());
        scopes.push();
        assert!(scopes.in_this_scope(a).is_none() && scopes.find(b).is_none());
        scopes.declare(a, Symbol::Slot(2), Span::default());
        assert!(matches!(scopes.find(a), Some((Symbol::Slot(2), _))) && scopes.in_this_scope(a).is_some());
        scopes.pop();
        assert!(matches!(scopes.find(a), Some((Symbol::Global(1), _))));
    }
}
