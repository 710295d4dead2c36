//! The symbol table: declared variables, and which of them a name means at some point of a process.

use super::Lower;
use super::types::VarType;
use crate::ast;
use tightrope_syntax::{Diagnostic, Span, similar};

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub span: Span,
    pub ty: VarType,
    pub count: Option<u32>,
    pub storage: Storage,
    /// Its number among the names of its layout.
    pub declared: u32,
    /// The type of the channels it was initialised with, for checks of messages.
    pub channel: Option<u32>,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// In the state, at this offset of its layout.
    Offset(u32),
    /// Nowhere: a channel name that never changes; the position of (the first of) its channels.
    Channels(u32),
}

/// One declared name in the chain of those visible at some point of a process.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub name: String,
    pub decl: Decl,
    pub before: Option<u32>,
}

impl Lower<'_> {
    /// Declares a name of a process; an error if the block has it already.
    pub(super) fn bind(
        &mut self,
        owner: usize,
        name: &ast::Name,
        decl: Decl,
        scope: &mut Option<u32>,
        block: Option<u32>,
    ) {
        let clash = self.chain(owner, *scope, block).into_iter().find_map(|at| {
            let binding = &self.layouts[owner].bindings[at as usize];
            (binding.name == name.text).then_some(binding.decl.span)
        });
        if let Some(earlier) = clash {
            let message = format!("`{}` is declared twice in the same block", name.text);
            self.report(Diagnostic::error(message).at(name.span, "again here").also(earlier, "first here"));
        }
        let bindings = &mut self.layouts[owner].bindings;
        bindings.push(Binding { name: name.text.clone(), decl, before: *scope });
        *scope = Some(bindings.len() as u32 - 1);
    }

    /// The bindings from `from` down to, but not including, `until`.
    fn chain(&self, owner: usize, from: Option<u32>, until: Option<u32>) -> Vec<u32> {
        let mut at = from;
        let mut chain = Vec::new();
        while let Some(one) = at {
            if at == until {
                break;
            }
            chain.push(one);
            at = self.layouts[owner].bindings[one as usize].before;
        }
        chain
    }

    /// The declaration that a name means at some point.
    pub(super) fn lookup(&self, name: &str, owner: Option<usize>, scope: Option<u32>) -> Option<(Decl, Option<usize>)> {
        if let Some(process) = owner
            && let Some(binding) = self.layouts[process].visible(scope).find(|binding| binding.name == name)
        {
            return Some((binding.decl.clone(), owner));
        }
        self.globals.symbols.get(name).map(|decl| (decl.clone(), None))
    }

    /// Reports a name that is not declared, once for each process.
    pub(super) fn undeclared(&mut self, name: &str, span: Span, owner: Option<usize>, scope: Option<u32>) {
        if self.reported_names.contains(&(None, name.into())) || !self.reported_names.insert((owner, name.into())) {
            return;
        }
        let mut diagnostic = Diagnostic::error(format!("`{name}` is not declared")).at(span, "not found");
        let locals = owner.map(|process| self.layouts[process].visible(scope).map(|b| b.name.as_str()));
        let known = locals
            .into_iter()
            .flatten()
            .chain(self.globals.symbols.keys().map(String::as_str))
            .chain(self.mtypes.names.keys().map(String::as_str));
        if let Some(similar) = similar(name, known.chain(["false", "skip", "timeout", "true"])) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        self.report(diagnostic);
    }

    /// An error about a name that is not found among those that there are.
    pub(super) fn not_found<'k>(
        message: String,
        name: &ast::Name,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Diagnostic {
        let error = Diagnostic::error(message).at(name.span, "not found");
        match similar(&name.text, known) {
            Some(similar) => error.help(format!("did you mean `{similar}`?")),
            None => error,
        }
    }
}
