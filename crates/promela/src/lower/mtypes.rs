//! Symbolic names: `mtype` declarations, and that names of different mtypes are not mixed.

use super::Lower;
use super::types::{ValueKind, VarType};
use crate::ast::{self, ExprKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tightrope_core::Format;
use tightrope_syntax::{Diagnostic, Span};

/// All symbolic names.
#[derive(Default)]
pub(super) struct Mtypes {
    /// The value and the set of a name.
    pub names: FxHashMap<String, (i32, usize)>,
    /// The names of each set by value; the set without a name is the first.
    pub sets: Vec<(String, Vec<String>)>,
}

impl Mtypes {
    /// How values of a set are shown.
    pub fn format(&self, set: usize) -> Format {
        let names = self.sets.get(set).map(|(_, names)| names.clone()).unwrap_or_default();
        Format::Names(Arc::from(names))
    }

    pub(super) fn set(&mut self, name: &str) -> usize {
        match self.sets.iter().position(|(set, _)| set == name) {
            Some(set) => set,
            None => {
                self.sets.push((name.into(), vec!["0".into()]));
                self.sets.len() - 1
            }
        }
    }
}

impl Lower<'_> {
    /// Numbers the names of an mtype declaration: within one declaration the last name gets the lowest number.
    pub(super) fn declare_mtype(&mut self, decl: &ast::MtypeDecl) {
        let set = self.mtypes.set(decl.subset.as_ref().map_or("", |name| &name.text));
        let base = self.mtypes.sets[set].1.len();
        if base + decl.names.len() > 256 {
            let message = "more than 255 symbolic names in one mtype";
            self.report(Diagnostic::error(message).at(decl.span, "declared here"));
            return;
        }
        for name in decl.names.iter().rev() {
            let value = self.mtypes.sets[set].1.len() as i32;
            if self.mtypes.names.insert(name.text.clone(), (value, set)).is_some() {
                let message = format!("the symbolic name `{}` is declared twice", name.text);
                let again =
                    decl.names.iter().rfind(|other| other.text == name.text).map_or(name.span, |other| other.span);
                let error = Diagnostic::error(message).at(again, "declared again here");
                self.report(if again == name.span { error } else { error.also(name.span, "first here") });
                continue;
            }
            self.mtypes.sets[set].1.push(name.text.clone());
        }
    }

    /// The mtype of an expression that is a plain name.
    pub(super) fn mtype_of(&self, expr: &ast::Expr, owner: Option<usize>, scope: Option<u32>) -> Option<usize> {
        let ExprKind::Var(var) = &expr.kind else { return None };
        let [part] = &var.parts[..] else { return None };
        match self.lookup(&part.name.text, owner, scope) {
            Some((decl, _)) => match decl.ty {
                VarType::Scalar(_, ValueKind::Mtype(set)) => Some(set),
                _ => None,
            },
            None => self.mtypes.names.get(&part.name.text).map(|&(_, set)| set),
        }
    }

    /// Reports an operation on values of two different mtypes.
    pub(super) fn same_mtype(
        &mut self,
        a: &ast::Expr,
        b: &ast::Expr,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<()> {
        let (Some(left), Some(right)) = (self.mtype_of(a, owner, scope), self.mtype_of(b, owner, scope)) else {
            return Some(());
        };
        if left == right {
            return Some(());
        }
        self.mixed_mtypes(left, right, a.span, b.span);
        None
    }

    /// Two different mtypes where there should be one.
    pub(super) fn mixed_mtypes(&mut self, left: usize, right: usize, at: Span, also: Span) {
        let name = |lower: &Self, set: usize| match lower.mtypes.sets[set].0.as_str() {
            "" => String::from("mtype"),
            name => format!("mtype:{name}"),
        };
        let diagnostic = Diagnostic::error("values of two different mtypes are mixed")
            .at(at, format!("this is of type `{}`", name(self, left)))
            .also(also, format!("this is of type `{}`", name(self, right)));
        self.report(diagnostic);
    }
}
