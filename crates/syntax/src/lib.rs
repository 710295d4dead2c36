//! Source files, places in them, and diagnostics for people.
//!
//! Every front end reads its files into a [`SourceMap`], marks what it reads with [`Span`]s, and reports what it finds
//! wrong as [`Diagnostic`]s that point at those spans. Nothing here knows a language.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod diagnostic;
mod names;
mod render;
mod setting;
mod similar;
mod source;
mod span;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use names::{Interner, Sym};
pub use setting::Setting;
pub use similar::similar;
pub use source::{SourceMap, read_source};
pub use span::{FileId, Span};
