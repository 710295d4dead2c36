//! Statements of rules and routines.

use crate::{Call, Expr, Multiset, Source, Variable};
use tightrope_core::Format;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it is written.
    pub source: Source,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A variable gets a value.
    Set(Variable, Expr),
    /// A slot gets a value.
    SetSlot(u32, Expr),
    /// A slot gets a place.
    Bind(u32, Variable),
    /// So many bytes are copied: to, from.
    Copy(Variable, Variable, u32),
    /// A place is filled with these bytes.
    Fill(Variable, Box<[u8]>),
    /// The first of the blocks whose condition is not zero, or the last one.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// The first of the blocks with a case that equals the value, or the last one.
    Switch(Expr, Vec<(Vec<Expr>, Vec<Stmt>)>, Vec<Stmt>),
    /// A slot runs from, to (inclusive), by.
    For(u32, Expr, Expr, i32, Vec<Stmt>),
    /// As long as the condition is not zero.
    While(Expr, Vec<Stmt>),
    /// A routine.
    Call(Call),
    /// Back to the caller.
    Return(Option<Expr>),
    /// A fault if zero, with this message.
    Assert(Expr, String),
    /// A fault, with this message.
    Error(String),
    /// Text for people.
    Print(Vec<PrintItem>),
    /// An element is put into a multiset: the multiset's place, its form (without the offset), the element.
    Insert(Variable, Multiset, Variable),
    /// The element at a position is taken out of a multiset.
    Remove(Variable, Multiset, Expr),
}

/// A piece of text for people.
#[derive(Clone, Debug)]
pub enum PrintItem {
    /// As it is.
    Text(String),
    /// A value.
    Value(Expr, Format),
    /// `undefined` if the first is not zero, else the value of the second.
    Unless(Expr, Expr, Format),
}
