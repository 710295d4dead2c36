//! The syntax tree of a Promela model, after preprocessing and after `inline` calls were expanded.
//!
//! The tree is faithful to the source: blocks keep their scopes, declarations stay where they were written, and
//! nothing is resolved. Names are looked up, types checked and control flow cut into locations by the lowering.

pub mod visit;

use tightrope_syntax::Span;

/// An identifier and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The identifier as written.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A whole model: its top-level units in source order.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The units in the order of the source.
    pub units: Vec<Unit>,
    /// What is looked for, if anything is. It is no part of the source.
    pub goal: Option<Expr>,
}

/// One top-level unit.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // A model has few units; boxes would only be in the way.
pub enum Unit {
    /// `typedef T { … }`
    Typedef(Typedef),
    /// `mtype = { a, b }` or `mtype:subset = { a, b }`
    Mtype(MtypeDecl),
    /// A global declaration such as `byte x = 3, y[4];` (also `chan c = [2] of { … }`).
    Vars(VarDecls),
    /// `proctype`, `active proctype`, `D_proctype` or `init`.
    Proctype(Proctype),
    /// `never`, `trace` or `notrace`.
    Claim(Claim),
    /// `ltl name { formula }`; kept as text.
    Ltl(Ltl),
    /// Top-level `xr`/`xs` assertions are not Promela; listed only inside proctypes.
    /// An `inline` definition was already expanded at its calls; kept so that tools can list it.
    Inline(Name),
}

/// `typedef name { decls }`
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<VarDecls>,
    /// The whole unit.
    pub span: Span,
}

/// `mtype = { … }`
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// The subset's name in `mtype:name = { … }`.
    pub subset: Option<Name>,
    /// The symbolic names in source order.
    pub names: Vec<Name>,
    /// The whole unit.
    pub span: Span,
}

/// A type name as it stands in a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; the width stands with each declarator (`unsigned x : 5`).
    Unsigned,
    /// `mtype` or `mtype:subset`
    Mtype(Option<Name>),
    /// `chan`
    Chan,
    /// A typedef's name.
    User(Name),
}

/// How a declaration's variables are shown or stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// No keyword.
    #[default]
    Plain,
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`
    Show,
    /// `local`: a global that one process only uses.
    Local,
}

/// One declaration: a type and its declarators.
#[derive(Clone, Debug)]
pub struct VarDecls {
    /// `hidden`, `show`, `local` or nothing.
    pub visibility: Visibility,
    /// The type's name.
    pub ty: TypeName,
    /// The type's place.
    pub ty_span: Span,
    /// The declarators, at least one.
    pub vars: Vec<VarDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// One declarator: `x`, `x[3] = 1`, `x : 5 = 2`, `c = [4] of { byte }`.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name.
    pub name: Name,
    /// The width in `unsigned x : N`.
    pub width: Option<Expr>,
    /// The size in `x[N]`.
    pub array: Option<Expr>,
    /// The initial value.
    pub init: Option<Init>,
    /// The text of the initial value, where that is not what stands at its place.
    pub init_text: Option<Box<str>>,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init {
    /// `= expr`
    Expr(Expr),
    /// `= { e0, e1, … }`: one value per array element.
    List(Vec<Expr>, Span),
    /// `= [N] of { types }`
    Chan(ChanInit),
}

/// `[capacity] of { field types }`
#[derive(Clone, Debug)]
pub struct ChanInit {
    /// The number of slots; 0 is a rendezvous port.
    pub capacity: Expr,
    /// The types of a message's fields.
    pub fields: Vec<(TypeName, Span)>,
    /// The whole initialiser.
    pub span: Span,
}

/// A process type, or `init`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name; `init` for the initial process.
    pub name: Name,
    /// Whether it is `init`.
    pub is_init: bool,
    /// `active` (1 unless `[N]` is given), or none.
    pub active: Option<ActiveCount>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// The parameters, in order.
    pub params: Vec<VarDecls>,
    /// `priority N`
    pub priority: Option<Expr>,
    /// `provided (expr)`
    pub provided: Option<Expr>,
    /// The body.
    pub body: Seq,
    /// The closing brace: where the process dies.
    pub end: Span,
    /// The whole unit.
    pub span: Span,
}

/// How many instances `active` starts.
#[derive(Clone, Debug)]
pub enum ActiveCount {
    /// `active`
    One,
    /// `active [expr]`
    Count(Expr),
}

/// What kind of claim a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// `never { … }`
    Never,
    /// `trace { … }`
    Trace,
    /// `notrace { … }`
    Notrace,
}

/// A never claim or an event trace.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Which of the three.
    pub kind: ClaimKind,
    /// `never name { … }`
    pub name: Option<Name>,
    /// Its body.
    pub body: Seq,
    /// The closing brace.
    pub end: Span,
    /// The whole unit.
    pub span: Span,
}

/// `ltl [name] { formula }`
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Its name.
    pub name: Option<Name>,
    /// The formula between the braces, its tokens joined by blanks after macro expansion.
    pub formula: String,
    /// The whole unit.
    pub span: Span,
}

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

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// A bound of `for` or `select`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Its value.
    pub value: Expr,
    /// Its text, where that is not what stands at its place.
    pub text: Option<Box<str>>,
}

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
