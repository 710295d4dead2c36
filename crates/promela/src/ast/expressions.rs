//! Expressions and references to variables.

use super::{Name, RecvArg};
use tightrope_syntax::{Span, Spanned};

/// An expression and its place.
pub type Expr = Spanned<ExprKind>;

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a character, `true`, `false`, `skip`.
    Const(i32),
    /// A variable, a parameter, an mtype constant, `_pid`, `_nr_pr`, `_last`, `_`, `_priority`.
    Var(VarRef),
    /// A unary operation.
    Unary(UnOp, Box<Expr>),
    /// A binary operation.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(c)`
    Len(VarRef),
    /// `empty(c)`
    Empty(VarRef),
    /// `nempty(c)`
    Nempty(VarRef),
    /// `full(c)`
    Full(VarRef),
    /// `nfull(c)`
    Nfull(VarRef),
    /// `c ? [args]` or `c ?? [args]`: could the receive happen?
    Poll {
        /// The channel.
        chan: VarRef,
        /// `??`
        random: bool,
        /// The patterns.
        args: Vec<RecvArg>,
    },
    /// `run P(args) [priority N]`
    Run {
        /// The process type.
        name: Name,
        /// The actual parameters.
        args: Vec<Expr>,
        /// `priority N`
        priority: Option<Box<Expr>>,
    },
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `get_priority(pid)`
    GetPriority(Box<Expr>),
    /// `set_priority(pid, value)`
    SetPriority(Box<Expr>, Box<Expr>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `P@label` or `P[pid]@label`
    RemoteLabel {
        /// The process type.
        proc: Name,
        /// The instance.
        index: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `P:var` or `P[pid]:var`
    RemoteVar {
        /// The process type.
        proc: Name,
        /// The instance.
        index: Option<Box<Expr>>,
        /// The variable there.
        var: VarRef,
    },
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
}

/// A reference to a variable: `a`, `a[i]`, `a[i].b.c[j]`.
#[derive(Clone, Debug)]
pub struct VarRef {
    /// The parts from left to right, at least one.
    pub parts: Vec<VarPart>,
    /// The whole reference.
    pub span: Span,
    /// Its text, where that is not what stands at its place: out of an inline or a macro.
    pub text: Option<Box<str>>,
}

/// One part of a reference.
#[derive(Clone, Debug)]
pub struct VarPart {
    /// The field's or variable's name.
    pub name: Name,
    /// The index, if any.
    pub index: Option<Expr>,
}
