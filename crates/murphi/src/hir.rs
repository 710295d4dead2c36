//! The resolved and typed tree: what a model means, ready to be lowered.
//!
//! A [`Model`] exists only if no error was reported, so lowering relies on these invariants:
//! every name is resolved, every expression has a type, constants are folded, and all types fit together.
//!
//! # Values
//! Every value is an `i32`. Integers are themselves, `false` and `true` are 0 and 1, and the values of all enums and
//! scalarsets of a model are numbered consecutively from [`Types::FIRST_VALUE`] in the order of their declaration, so
//! that no two of them share a number and the values of a union's members can be told apart ([`Types::ranges`]).
//! Besides its values, every simple variable can be *undefined*: that is where it starts, and where `undefine` leads.
//! Reading an undefined variable is an error at run time, except
//! - in an assignment `x := y` and in copies of whole arrays and records, which copy the undefinedness;
//! - as the argument of `isundefined`;
//! - as an argument by value, where the parameter is then undefined;
//! - in `return`: the call is then undefined, and may only be assigned. (CMurphi allows this for all simple types but
//!   subranges.)
//!
//! # Variables
//! Global variables are the state. Everything else lives in *slots*: each routine, rule, start state and invariant has
//! its own list, and every parameter, local variable, counter and named value in it has a number of its own, so scopes
//! and shadowing are gone. A [`Place`] is a global or a slot and a path of fields and indices below it.
//!
//! Aliases are gone, too. An alias of a designator is a reference that is fixed where the alias is declared: each use
//! has become the designator itself, with those indices that could change in between saved in slots of kind
//! [`SlotKind::Let`] before. An alias of any other expression is a value, saved in such a slot. Constants are replaced
//! by their values.
//!
//! # Rules
//! Rulesets, rule-level aliases and `choose` are flattened: each rule carries what it stands in as [`Binder`]s, in the
//! order of nesting. A rule stands for one transition per combination of the values its binders take.

mod expressions;
mod operators;
mod types;
mod values;

pub use expressions::{Base, Expr, ExprKind, Place, Step};
pub use operators::{Binary, Quantifier, Unary};
pub use types::{Field, Type, TypeId, TypeKind, Types};

use tightrope_syntax::Span;

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// All types.
    pub types: Types,
    /// The constants of the `const` sections at the top, for people: their uses are folded already.
    pub constants: Vec<Constant>,
    /// The global variables in the order of their declaration: the state.
    pub globals: Vec<Global>,
    /// Procedures and functions. A routine calls itself or routines before it, nothing else.
    pub routines: Vec<Routine>,
    /// The start states.
    pub start_states: Vec<StartState>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The invariants.
    pub invariants: Vec<Invariant>,
    /// What is declared at the top, in the order of the source.
    pub names: Vec<Named>,
    /// The goal, if there is one: it is searched for instead of violations.
    pub goal: Option<Goal>,
}

impl Model {
    /// The number of bits of a state in CMurphi's bit-compressed form.
    pub fn state_bits(&self) -> u64 {
        self.globals.iter().map(|global| self.types.bits(global.ty)).sum()
    }
}

/// A named constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its type; [`Types::INT`] for a number.
    pub ty: TypeId,
    /// Its value.
    pub value: i32,
    /// Where it is declared.
    pub span: Span,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
}

/// A variable of a routine or a rule, at its position in a list of slots.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name, for people; names may occur more than once.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: SlotKind,
    /// Where it is declared.
    pub span: Span,
}

/// What a slot is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// A parameter without `var`: never assigned to.
    ///
    /// CMurphi hands it over by reference if its type is that of the argument, so a routine that changes a global
    /// variable sees the change through a parameter that was given that variable. Models that depend on that are rare;
    /// Rumur copies.
    ValueParam,
    /// A parameter with `var`: a reference to the caller's variable, of the same type.
    VarParam,
    /// A local variable. It is undefined at the start.
    Local,
    /// The variable of a ruleset, `for`, `forall` or `exists`: set by its [`Domain`] only.
    Counter,
    /// The variable of a `choose`, `multisetcount` or `multisetremovepred`: a place of a multiset.
    Element,
    /// Set once, by a [`Binder::Let`] or a [`StmtKind::Let`].
    Let,
}

/// A procedure or a function.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// The parameters, in order, are the first slots.
    pub param_count: usize,
    /// All slots.
    pub slots: Vec<Slot>,
    /// The type of its value; `None` for a procedure. A function that ends without a [`StmtKind::Return`] is an error
    /// at run time.
    pub returns: Option<TypeId>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Whether it calls itself.
    pub recursive: bool,
    /// Whether it may change a global variable, not counting those it is given as `var` parameters.
    pub writes_globals: bool,
    /// For each parameter, whether it may change the variable it is given.
    pub writes_param: Vec<bool>,
    /// Its name where it is declared.
    pub span: Span,
}

/// A start state. It starts from a state in which everything is undefined.
#[derive(Clone, Debug)]
pub struct StartState {
    /// Its name; CMurphi's `Startstate 0` and so on if it has none.
    pub name: String,
    /// What it stands in. A start state inside a `choose` cannot happen: all multisets are empty before it.
    pub binders: Vec<Binder>,
    /// All slots; those of the binders come first.
    pub slots: Vec<Slot>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Its head.
    pub span: Span,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name; CMurphi's `Rule 0` and so on if it has none.
    pub name: String,
    /// CMurphi's priority: of the rules that are possible in a state, only those of the least number are used (by its
    /// breadth-first search; the depth-first search takes all). 0 if none is given.
    pub priority: i32,
    /// What it stands in.
    pub binders: Vec<Binder>,
    /// When it is possible; `None` is always. Free of side effects.
    pub guard: Option<Expr>,
    /// All slots; those of the binders come first.
    pub slots: Vec<Slot>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// Its head.
    pub span: Span,
}

/// An invariant: must be true in every state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name; CMurphi's `Invariant 0` and so on if it has none.
    pub name: String,
    /// What it stands in: it must be true for every combination of values.
    pub binders: Vec<Binder>,
    /// What must be true. Free of side effects.
    pub condition: Expr,
    /// All slots; those of the binders come first.
    pub slots: Vec<Slot>,
    /// Its head.
    pub span: Span,
}

/// What a rule stands in, outermost first. A binder may use the slots of those before it.
#[derive(Clone, Debug)]
pub enum Binder {
    /// A ruleset: the slot takes every value of the domain, whose bounds are constants.
    Each(u32, Domain),
    /// A `choose`: the slot takes every place of the multiset that is occupied.
    Choose(u32, Place),
    /// The slot gets a value, before the guard is evaluated. A value outside the slot's type, or undefined, is an
    /// error at run time. Free of side effects.
    Let(u32, Expr),
}

/// The values a counter takes.
#[derive(Clone, Debug)]
pub enum Domain {
    /// All values of a simple type, in ascending order of their numbers.
    All(TypeId),
    /// From the first to the second, both computed once before, in steps of the third, which is not 0. No value if
    /// the first is already beyond the second. The counter is of type [`Types::INT`].
    Steps(Box<Expr>, Box<Expr>, i32),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it is written.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `place := value`, for simple and for composite types. A value outside the place's type is an error at run time.
    /// The value is undefined only if it is an [`ExprKind::Load`] of something undefined, or an [`ExprKind::Call`] that
    /// returned such.
    Assign(Box<Place>, Box<Expr>),
    /// Gives a [`SlotKind::Let`] slot its value. Undefined, or outside the slot's type, is an error at run time; a slot
    /// of type [`Types::INT`] takes every number.
    Let(u32, Box<Expr>),
    /// The statements of the first clause whose condition is true, or the others.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// The statements of the case that has the value, or the others.
    Switch(Box<Switch>),
    /// The statements for every value of the domain, in order.
    For(u32, Box<Domain>, Vec<Stmt>),
    /// The statements as long as the condition is true. CMurphi calls more than 1000 rounds an error.
    While(Box<Expr>, Vec<Stmt>),
    /// Calls a procedure.
    Call(u32, Vec<Argument>),
    /// Every simple part gets the least value of its type (of a union, of its first member); multisets become empty.
    Clear(Box<Place>),
    /// Every simple part becomes undefined; multisets become empty.
    Undefine(Box<Place>),
    /// Puts a value into a multiset. A full multiset is an error at run time.
    MultisetAdd(Box<Expr>, Box<Place>),
    /// Takes the element at a place ([`TypeKind::Element`]) out of a multiset. An empty place is an error at run time.
    MultisetRemove(Box<Expr>, Box<Place>),
    /// Takes every element out of a multiset for which the condition is true when the slot is its place.
    MultisetRemoveAll(u32, Box<Place>, Box<Expr>),
    /// An error at run time, with its message.
    Error(String),
    /// An error at run time unless the condition is true, with its message.
    Assert(Box<Expr>, Option<String>),
    /// Prints a text.
    PutText(String),
    /// Prints a value of any type.
    Put(Box<Expr>),
    /// Leaves the routine or the rule. A function's value is always there, a rule's or procedure's never.
    Return(Option<Box<Expr>>),
}

/// A `switch`.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The value that is compared, of a simple type.
    pub value: Expr,
    /// The cases: values, each of which occurs once in the whole switch, and statements.
    pub cases: Vec<(Vec<i32>, Vec<Stmt>)>,
    /// The statements for all other values.
    pub otherwise: Vec<Stmt>,
}

/// An argument of a call, parallel to the routine's parameters.
#[derive(Clone, Debug)]
pub enum Argument {
    /// For a parameter by value. A value outside the parameter's type is an error at run time.
    Value(Expr),
    /// For a parameter by value: it is undefined in the routine.
    Undefined,
    /// For a `var` parameter: a place of the parameter's type that may be assigned to. Which place that is, is decided
    /// at the call: its indices are computed once.
    Var(Place),
}

/// A condition that some state is to satisfy.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The condition. Free of side effects. It does not hold in a state where evaluating it would be an error.
    pub condition: Expr,
    /// All slots.
    pub slots: Vec<Slot>,
    /// How it was written, on one line.
    pub text: String,
}

/// A name that is declared at the top of a model.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub meaning: Meaning,
    /// Where it is declared.
    pub span: Span,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A constant, or a value of an enum.
    Constant(TypeId, i32),
    /// A type.
    Type(TypeId),
    /// A global variable, by its position.
    Global(u32),
    /// A procedure or a function, by its position.
    Routine(u32),
}
