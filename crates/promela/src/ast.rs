//! The syntax tree of a Promela model, after preprocessing and after `inline` calls were expanded.
//!
//! The tree is faithful to the source: blocks keep their scopes, declarations stay where they were written, and
//! nothing is resolved. Names are looked up, types checked and control flow cut into locations by the lowering.

mod expressions;
mod statements;
pub mod visit;

pub use expressions::{BinOp, Expr, ExprKind, UnOp, VarPart, VarRef};
pub use statements::{Bound, RecvArg, Seq, Stmt, StmtKind};

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
    /// The goal, if there is one. It is no part of the source.
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
