//! What is looked for, and what it may be written with.

use super::{Expr, Slot, TypeId};
use tightrope_syntax::Span;

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
