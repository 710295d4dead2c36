//! The phases of a front end that scans, parses and checks one file: in which order they run, and that none runs on what
//! another found errors in.

use crate::{Diagnostic, Diagnostics, FileId, Interner, Override, SourceMap, Token};

/// A language whose constants can be overridden, given by its phases: its kinds of tokens are `K`, syntax trees `T`,
/// syntax trees of constants' values `V`, checked models `M`.
pub struct FrontEnd<K, T, V, M> {
    /// Scans a file; the last token is its end.
    pub scan: fn(FileId, &str, &mut Interner, &mut Diagnostics) -> Vec<Token<K>>,
    /// Parses a model. The tree is only of use if no error was reported.
    pub parse: fn(&[Token<K>], &Interner, &mut Diagnostics) -> T,
    /// Parses tokens that are the value of a constant and nothing else.
    pub parse_value: fn(&[Token<K>], &Interner, &mut Diagnostics) -> Option<V>,
    /// Replaces the value of a constant in the tree.
    pub replace: fn(&Override, V, &mut T, &mut Interner) -> Result<(), Diagnostic>,
    /// Resolves names and checks types. The model is only of use if no error was reported.
    pub check: fn(&T, &mut Interner, &mut Diagnostics) -> M,
}

impl<K, T, V, M> FrontEnd<K, T, V, M> {
    /// Parses and checks the model in a file. Gives nothing if there was any error; then `diags` says what is wrong.
    pub fn parse_model(
        &self,
        file: FileId,
        overrides: &[Override],
        sources: &mut SourceMap,
        diags: &mut Diagnostics,
    ) -> Option<M> {
        let mut names = Interner::default();
        let mut tree = diags.unless_errors(|diags| {
            let tokens = (self.scan)(file, sources.text(file), &mut names, diags);
            (self.parse)(&tokens, &names, diags)
        })?;
        diags.unless_errors(|diags| {
            for constant in overrides {
                let file = constant.source(sources);
                let tokens = (self.scan)(file, sources.text(file), &mut names, diags);
                let Some(value) = (self.parse_value)(&tokens, &names, diags) else { continue };
                if let Err(error) = (self.replace)(constant, value, &mut tree, &mut names) {
                    diags.push(error);
                }
            }
        })?;
        diags.unless_errors(|diags| (self.check)(&tree, &mut names, diags))
    }

    /// Parses a goal given on the command line, which messages call `--goal`; the names are those in it.
    pub fn parse_goal<E>(
        &self,
        text: &str,
        parse: fn(&[Token<K>], &Interner, &mut Diagnostics) -> Option<E>,
        sources: &mut SourceMap,
        diags: &mut Diagnostics,
    ) -> Option<(E, Interner)> {
        let file = sources.add("--goal", text);
        let mut names = Interner::default();
        let goal = diags.unless_errors(|diags| {
            let tokens = (self.scan)(file, sources.text(file), &mut names, diags);
            parse(&tokens, &names, diags)
        })??;
        Some((goal, names))
    }
}
