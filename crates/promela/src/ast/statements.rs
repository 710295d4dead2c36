//! Statements.

use super::{Expr, Name, VarDecls, VarRef};
use tightrope_syntax::Span;

/// A sequence of statements: the inside of a block, an option, a body. Braces are scopes, options are not.
#[derive(Clone, Debug, Default)]
pub struct Seq {
    /// The statements in order.
    pub stmts: Vec<Stmt>,
    /// The whole sequence.
    pub span: Span,
    /// The expansion of an `inline` call: its labels are its own.
    pub inlined: bool,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The labels before it, in order (usually none).
    pub labels: Vec<Name>,
    /// The statement.
    pub kind: StmtKind,
    /// Its place. A statement that came out of an `inline` has its place in the inline's body.
    pub span: Span,
    /// Its text, where that is not what stands at its place: out of an `inline`, or of a macro that is all of it.
    pub text: Option<Box<str>>,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A declaration among the statements.
    Decl(VarDecls),
    /// `typedef` inside a body is not Promela. `xr c1, c2`
    Xr(Vec<VarRef>),
    /// `xs c1, c2`
    Xs(Vec<VarRef>),
    /// `if :: … fi`
    If(Vec<Seq>),
    /// `do :: … od`
    Do(Vec<Seq>),
    /// `atomic { … }`
    Atomic(Seq),
    /// `d_step { … }`
    DStep(Seq),
    /// `{ … }`, also the expansion of an `inline` call.
    Block(Seq),
    /// `for (x : lo .. hi) { … }`
    ForRange {
        /// The loop variable.
        var: VarRef,
        /// The first value.
        low: Bound,
        /// The last value.
        high: Bound,
        /// The body.
        body: Seq,
    },
    /// `for (x in array) { … }` or `for (m in channel) { … }`
    ForIn {
        /// The loop variable.
        var: VarRef,
        /// What it runs over.
        over: VarRef,
        /// The body.
        body: Seq,
    },
    /// `select (x : lo .. hi)`
    Select {
        /// The variable that gets a value.
        var: VarRef,
        /// The lowest.
        low: Bound,
        /// The highest.
        high: Bound,
    },
    /// `{ main } unless { escape }`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `c ! args` or `c !! args`
    Send {
        /// The channel.
        chan: VarRef,
        /// `!!`
        sorted: bool,
        /// The values.
        args: Vec<Expr>,
    },
    /// `c ? args`, `c ?? args`, `c ?<args>`, `c ??<args>`
    Recv {
        /// The channel.
        chan: VarRef,
        /// `??`
        random: bool,
        /// `<…>`: the message stays in the channel.
        keep: bool,
        /// The patterns.
        args: Vec<RecvArg>,
    },
    /// `x = e`
    Assign(VarRef, Expr),
    /// `x++`
    Increment(VarRef),
    /// `x--`
    Decrement(VarRef),
    /// `assert(e)`
    Assert(Expr),
    /// `printf("…", args)`
    Printf(String, Vec<Expr>),
    /// `printm(e)`
    Printm(Expr),
    /// An expression as a statement: executable when not zero. `skip` is the constant 1.
    Expr(Expr),
    /// `else`
    Else,
    /// `break`
    Break,
    /// `goto label`
    Goto(Name),
}

impl StmtKind {
    /// Whether it is made of other statements, or declares something.
    pub fn is_compound(&self) -> bool {
        matches!(
            self,
            StmtKind::Decl(_)
                | StmtKind::If(_)
                | StmtKind::Do(_)
                | StmtKind::Atomic(_)
                | StmtKind::DStep(_)
                | StmtKind::Block(_)
                | StmtKind::ForRange { .. }
                | StmtKind::ForIn { .. }
                | StmtKind::Unless(..)
        )
    }
}

/// One argument of a receive or a poll.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// A variable: receives the value. In a poll and for mtype constants the lowering decides what it means: a name
    /// that is an mtype constant is a constant pattern.
    Var(VarRef),
    /// `_`: any value, dropped.
    Any(Span),
    /// `eval(e)`: must equal.
    Eval(Expr),
    /// A (possibly negative) number: must equal.
    Const(i32, Span),
}

/// A bound of `for` or `select`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Its value.
    pub value: Expr,
    /// Its text, where that is not what stands at its place.
    pub text: Option<Box<str>>,
}
