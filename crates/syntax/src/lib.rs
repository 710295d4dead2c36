//! What the front ends share: source files, diagnostics for people, and the parts of a parser that know no language.
//!
//! Every front end reads its files into a [`SourceMap`], marks what it reads with [`Span`]s, and reports what it finds
//! wrong as [`Diagnostic`]s that point at those spans. Its scanner makes [`Token`]s, its parser descends over them
//! ([`RecursiveDescent`]), reads expressions by precedence ([`OperatorParser`]) and recovers from errors ([`Recovery`]).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod cursor;
mod descent;
mod diagnostic;
mod front_end;
mod names;
mod overrides;
mod precedence;
mod recover;
mod render;
mod scan;
mod similar;
mod source;
mod span;
mod token;

pub use cursor::Cursor;
pub use descent::{Progress, RecursiveDescent, Wording};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use front_end::FrontEnd;
pub use names::{Interner, Name, Sym};
pub use overrides::Override;
pub use precedence::{Expression, Operand, OperatorParser, Pending};
pub use recover::{Parsed, Recovery, Reported};
pub use scan::{Lexeme, block_comment, scan, scanned, too_many_tokens, unterminated_comment};
pub use similar::similar;
pub use source::{SourceMap, read_source};
pub use span::{FileId, Span, Spanned};
pub use token::{Keywords, Token, TokenKind};
