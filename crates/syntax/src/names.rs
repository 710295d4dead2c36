//! Texts as numbers.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A text that was seen in a source, as a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sym(u32);

/// Gives every text a number and back.
#[derive(Debug, Default)]
pub struct Interner {
    numbers: FxHashMap<Rc<str>, Sym>,
    texts: Vec<Rc<str>>,
}

impl Interner {
    /// The number of a text.
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

    /// The text of a number.
    pub fn text(&self, sym: Sym) -> &str {
        self.texts.get(sym.0 as usize).map_or("", |text| text)
    }
}
