//! The syntax tree: what was written, before names have a meaning.

use crate::hir::{Binary, ScalarType, Unary};
use tightrope_syntax::{Name, Span, Spanned};

/// A whole model, in the order in which it is written.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) items: Vec<Item>,
    pub(crate) systems: Vec<System>,
    /// Where it ends.
    pub(crate) end: Option<Span>,
}

/// What stands at the top of a model, apart from `system`.
#[derive(Debug)]
pub(crate) enum Item {
    Variable(Variable),
    Channel(Channel),
    Process(Process),
}

/// `system async property P;`
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) synchronous: bool,
    pub(crate) property: Option<Name>,
    pub(crate) span: Span,
}

/// One name of a declaration of variables or constants.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) constant: bool,
    pub(crate) ty: ScalarType,
    pub(crate) name: Name,
    pub(crate) length: Option<Expr>,
    pub(crate) initial: Option<Initial>,
}

#[derive(Debug)]
pub(crate) enum Initial {
    One(Expr),
    /// In braces, whose place is kept.
    List(Vec<Expr>, Span),
}

/// One name of a declaration of channels.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) name: Name,
    pub(crate) types: Option<Vec<ScalarType>>,
    pub(crate) capacity: usize,
}

#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) name: Name,
    pub(crate) variables: Vec<Variable>,
    pub(crate) states: Vec<Name>,
    pub(crate) inits: Vec<Name>,
    pub(crate) commits: Vec<Name>,
    pub(crate) accepts: Vec<Accept>,
    pub(crate) asserts: Vec<Assert>,
    pub(crate) transitions: Vec<Transition>,
}

/// One `accept`.
pub(crate) type Accept = Spanned<AcceptKind>;

#[derive(Debug)]
pub(crate) enum AcceptKind {
    Buchi(Vec<Name>),
    GenBuchi(Vec<Vec<Name>>),
    Muller(Vec<Vec<Name>>),
    Rabin(Vec<(Vec<Name>, Vec<Name>)>),
    Streett(Vec<(Vec<Name>, Vec<Name>)>),
}

/// `state: condition`
#[derive(Debug)]
pub(crate) struct Assert {
    pub(crate) state: Name,
    pub(crate) condition: Expr,
}

#[derive(Debug)]
pub(crate) struct Transition {
    /// Nothing for the state that the transition before starts in.
    pub(crate) from: Option<Name>,
    pub(crate) to: Name,
    /// All of them must hold.
    pub(crate) guards: Vec<Expr>,
    pub(crate) sync: Option<Sync>,
    /// Targets and values.
    pub(crate) effects: Vec<(Expr, Expr)>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Sync {
    pub(crate) channel: Name,
    /// `!` if true, else `?`.
    pub(crate) sends: bool,
    pub(crate) values: Vec<Expr>,
    pub(crate) span: Span,
}

pub(crate) type Expr = Spanned<ExprKind>;

#[derive(Debug)]
pub(crate) enum ExprKind {
    Number(i32),
    /// `x` or `x[i]`
    Name(Name, Option<Box<Expr>>),
    /// `P.s`; an index is wrong, but there may be one.
    Dot(Name, Name, Option<Box<Expr>>),
    /// `P->x` or `P->x[i]`
    Arrow(Name, Name, Option<Box<Expr>>),
    Unary(Unary, Box<Expr>),
    Binary(BinOp, Box<(Expr, Expr)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinOp {
    Imply,
    Or,
    And,
    Strict(Binary),
}
