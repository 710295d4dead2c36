//! Interned names: texts as numbers that are cheap to copy and to compare.

use crate::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An interned text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sym(u32);

/// A name at a place.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Its text.
    pub sym: Sym,
    /// Its place.
    pub span: Span,
}

/// The texts of one run, each kept once.
#[derive(Debug, Default)]
pub struct Interner {
    numbers: FxHashMap<Rc<str>, Sym>,
    texts: Vec<Rc<str>>,
}

impl Interner {
    /// Interns a text.
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.numbers.get(text) {
            return sym;
        }
        let text: Rc<str> = Rc::from(text);
        let sym = Sym(self.texts.len() as u32);
        self.texts.push(text.clone());
        self.numbers.insert(text, sym);
        sym
    }

    /// The text behind a symbol.
    pub fn text(&self, sym: Sym) -> &str {
        self.texts.get(sym.0 as usize).map_or("", |text| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let mut names = Interner::default();
        let (a, b) = (names.intern("a"), names.intern("A"));
        assert_ne!(a, b);
        assert_eq!((names.intern("a"), names.text(b)), (a, "A"));
    }
}
