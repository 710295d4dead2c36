//! `#include`.

use super::Preprocessor;
use crate::token::{Tok, Token};
use std::path::{Path, PathBuf};
use tightrope_syntax::{Diagnostic, FileId, Span};

/// How deep files may include files.
const MAX_INCLUDES: usize = 60;

impl Preprocessor<'_> {
    /// Obeys `#include`, given what stands after it.
    pub(super) fn include(&mut self, rest: &[Token], directive: Span) {
        let name = self.included_name(rest).or_else(|| {
            // The name may come out of a macro.
            let expanded = self.expand_list(rest.to_vec());
            self.included_name(&expanded)
        });
        let Some(name) = name else {
            self.error(
                Diagnostic::error("`#include` needs a file name").at(directive, "expected `\"file\"` or `<file>`"),
            );
            return;
        };
        if self.files.len() >= MAX_INCLUDES {
            self.report_depth(directive);
            return;
        }
        match self.find_included(Path::new(&name)) {
            Ok(file) => self.open(file),
            Err(tried) => {
                let mut error =
                    Diagnostic::error(format!("cannot read included file `{name}`")).at(directive, "included here");
                for path in tried {
                    error = error.note(format!("looked for {path}"));
                }
                self.error(error.help("name further folders with `-I`"));
            }
        }
    }

    fn included_name(&self, rest: &[Token]) -> Option<String> {
        let (first, after) = rest.split_first()?;
        match first.kind {
            Tok::Str => {
                let text = self.names.text(first.text);
                Some(text[1..text.len() - 1].to_string())
            }
            // What stands between the brackets is no token of the language: take the file's own text.
            Tok::Lt => {
                let close = after.iter().find(|token| token.kind == Tok::Gt)?;
                let between = Span { start: first.span.end, end: close.span.start, ..first.span };
                Some(self.sources.slice(between).trim().to_string())
            }
            _ => None,
        }
        .filter(|name| !name.is_empty())
    }

    /// Looks beside the including file, then in the folders of the options; or says where it looked.
    fn find_included(&mut self, name: &Path) -> Result<FileId, Vec<String>> {
        let beside = self.files.last().and_then(|open| self.sources.path(open.file).parent()).map(Path::to_path_buf);
        let folders = beside.into_iter().chain(self.options.include_dirs.iter().cloned());
        let candidates: Vec<PathBuf> = folders.map(|folder| folder.join(name)).collect();
        let mut tried = Vec::new();
        for path in candidates {
            if let Some(file) = self.sources.find(&path) {
                return Ok(file);
            }
            match tightrope_syntax::read_source(&path) {
                Ok(text) => return Ok(self.sources.add(path, text)),
                Err(why) => tried.push(format!("{} ({why})", path.display())),
            }
        }
        Err(tried)
    }

    fn report_depth(&mut self, directive: Span) {
        let last = self.files.last().map(|open| open.file);
        let path = |file: FileId| self.sources.path(file).display().to_string();
        let cycle: Vec<FileId> = self.files.iter().map(|open| open.file).collect();
        let again = cycle.iter().rev().skip(1).position(|&file| Some(file) == last);
        let error = match again {
            Some(length) => {
                let names: Vec<String> = cycle[cycle.len() - 2 - length..].iter().map(|&file| path(file)).collect();
                Diagnostic::error("these files include each other without end")
                    .at(directive, "included once more here")
                    .note(names.join(" includes "))
                    .help("guard the file: `#ifndef NAME`, `#define NAME`, …, `#endif`")
            }
            None => Diagnostic::error(format!("files are included more than {MAX_INCLUDES} deep"))
                .at(directive, "included here"),
        };
        self.error(error);
        self.stopped = true;
    }
}
