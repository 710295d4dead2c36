//! Expressions and the places they read.

use super::{Argument, Binary, Domain, Quantifier, TypeId, Unary};
use tightrope_syntax::Span;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Its type. Numbers and arithmetic have type [`Types::INT`], also if only a subrange can come out.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A value, in the numbering of the expression's type.
    Const(i32),
    /// The value of a variable, of any type.
    Load(Box<Place>),
    /// One operand.
    Unary(Unary, Box<Expr>),
    /// Two operands. `=` and `!=` compare simple values only; the operands may be of a union and of its member.
    Binary(Binary, Box<(Expr, Expr)>),
    /// The second or the third, by the first; only the chosen one is evaluated.
    Cond(Box<(Expr, Expr, Expr)>),
    /// Whether the last is true for all values of the domain, or for one of them.
    Quantified(Quantifier, u32, Box<(Domain, Expr)>),
    /// Calls a function.
    Call(u32, Vec<Argument>),
    /// Whether a simple variable is undefined.
    IsUndefined(Box<Place>),
    /// Whether a value is one of an enum's or a scalarset's.
    IsMember(Box<Expr>, TypeId),
    /// For how many elements of a multiset the condition is true when the slot is their place.
    MultisetCount(u32, Box<(Place, Expr)>),
}

impl Expr {
    /// The value of a constant.
    pub fn as_const(&self) -> Option<i32> {
        match self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }
}

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts.
    pub base: Base,
    /// The way down from there.
    pub path: Vec<Step>,
    /// The type of what is reached.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A global variable, by its position.
    Global(u32),
    /// A slot of the routine or rule, by its position.
    Slot(u32),
}

/// One step of a place's path.
#[derive(Clone, Debug)]
pub enum Step {
    /// A field of a record, by its position.
    Field(u32),
    /// An element of an array. An index outside the index type, or undefined, is an error at run time.
    Index(Expr),
    /// An element of a multiset, at a place of type [`TypeKind::Element`].
    Element(Expr),
}
