//! The syntax tree: what was written, before names and types have a meaning.

use crate::hir::Binary;
use tightrope_syntax::{Name, Span, Spanned};

/// A whole model, in the order in which it is written.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) items: Vec<Item>,
}

/// What stands at the top of a model.
#[derive(Debug)]
pub(crate) enum Item {
    Decl(Decl),
    Routine(Routine),
    Rule(Rule),
}

/// One line of a `const`, `type` or `var` section.
#[derive(Debug)]
pub(crate) enum Decl {
    Const(Vec<Name>, Expr),
    Type(Vec<Name>, TypeExpr),
    Var(Vec<Name>, TypeExpr),
}

pub(crate) type TypeExpr = Spanned<TypeExprKind>;

#[derive(Debug)]
pub(crate) enum TypeExprKind {
    Name(Name),
    Enum(Vec<Name>),
    Range(Box<(Expr, Expr)>),
    Record(Vec<(Vec<Name>, TypeExpr)>),
    /// Index and element.
    Array(Box<(TypeExpr, TypeExpr)>),
    Scalarset(Box<Expr>),
    Union(Vec<TypeExpr>),
    /// Size and element.
    Multiset(Box<(Expr, TypeExpr)>),
}

/// A procedure, or a function if it has a type.
#[derive(Debug)]
pub(crate) struct Routine {
    pub(crate) name: Name,
    pub(crate) params: Vec<Param>,
    pub(crate) returns: Option<TypeExpr>,
    pub(crate) block: Block,
}

#[derive(Debug)]
pub(crate) struct Param {
    pub(crate) by_var: bool,
    pub(crate) names: Vec<Name>,
    pub(crate) ty: TypeExpr,
}

/// Declarations and statements.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) decls: Vec<Decl>,
    pub(crate) stmts: Vec<Stmt>,
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) kind: RuleKind,
    /// The keyword and what belongs to its head: where messages point to.
    pub(crate) head: Span,
}

#[derive(Debug)]
pub(crate) enum RuleKind {
    Simple { name: Option<String>, priority: i32, guard: Option<Expr>, block: Block },
    Start { name: Option<String>, block: Block },
    Invariant { name: Option<String>, condition: Expr },
    Ruleset { quantifiers: Vec<Quantifier>, rules: Vec<Rule> },
    Alias { aliases: Vec<(Name, Expr)>, rules: Vec<Rule> },
    Choose { over: Box<Selection>, rules: Vec<Rule> },
}

/// `x : T` or `x := a to b by c`
#[derive(Debug)]
pub(crate) struct Quantifier {
    pub(crate) name: Name,
    pub(crate) domain: Domain,
}

#[derive(Debug)]
pub(crate) enum Domain {
    Type(TypeExpr),
    Steps(Box<(Expr, Expr, Option<Expr>)>),
}

/// `i : m`: a name for the places of a multiset.
#[derive(Debug)]
pub(crate) struct Selection {
    pub(crate) name: Name,
    pub(crate) multiset: Expr,
}

pub(crate) type Stmt = Spanned<StmtKind>;

#[derive(Debug)]
pub(crate) enum StmtKind {
    /// No value is `undefined`.
    Assign(Box<(Expr, Option<Expr>)>),
    /// The clauses with a condition, then the statements of `else`.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    Switch(Box<Switch>),
    For(Vec<Quantifier>, Vec<Stmt>),
    While(Box<Expr>, Vec<Stmt>),
    Alias(Vec<(Name, Expr)>, Vec<Stmt>),
    Call(Name, Vec<Option<Expr>>),
    Clear(Box<Expr>),
    Undefine(Box<Expr>),
    MultisetAdd(Box<(Expr, Expr)>),
    MultisetRemove(Box<(Expr, Expr)>),
    MultisetRemovePred(Box<(Selection, Expr)>),
    Error(String),
    Assert(Box<Expr>, Option<String>),
    PutText(String),
    Put(Box<Expr>),
    Return(Option<Box<Expr>>),
}

#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) value: Expr,
    pub(crate) cases: Vec<(Vec<Expr>, Vec<Stmt>)>,
    pub(crate) otherwise: Vec<Stmt>,
}

pub(crate) type Expr = Spanned<ExprKind>;

#[derive(Debug)]
pub(crate) enum ExprKind {
    Number(i32),
    Name(Name),
    Field(Box<Expr>, Name),
    Index(Box<(Expr, Expr)>),
    /// An argument without a value is `undefined`.
    Call(Name, Vec<Option<Expr>>),
    Unary(Prefix, Box<Expr>),
    Binary(Binary, Box<(Expr, Expr)>),
    Cond(Box<(Expr, Expr, Expr)>),
    /// `forall` if true, else `exists`.
    Quantified(bool, Vec<Quantifier>, Box<Expr>),
    IsUndefined(Box<Expr>),
    IsMember(Box<(Expr, TypeExpr)>),
    MultisetCount(Box<(Selection, Expr)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Not,
    Plus,
    Minus,
}
