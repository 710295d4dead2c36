//! Expressions and variables. All values are 32-bit integers with wrapping arithmetic.

use crate::{Receive, Type};

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// Arithmetic negation.
    Neg,
    /// 1 for zero, 0 for anything else.
    Not,
    /// Bitwise complement.
    Complement,
}

/// An operator with two operands that are both evaluated. Comparisons give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    /// A zero divisor is a fault.
    Div,
    /// A zero divisor is a fault.
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// The value of a variable.
    Load(Box<Variable>),
    /// One operand.
    Unary(Unary, Box<Expr>),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// 1 if both are not zero; the second is evaluated only if the first is not zero.
    Both(Box<Expr>, Box<Expr>),
    /// 1 if one is not zero; the second is evaluated only if the first is zero.
    Either(Box<Expr>, Box<Expr>),
    /// The second or the third, by the first.
    Choose(Box<(Expr, Expr, Expr)>),
    /// An index that must lie below a bound.
    Bounded(Box<Index>),
    /// The number at an index of a table.
    Table(Box<(Index, Vec<i32>)>),
    /// The number of the evaluating process.
    OwnPid,
    /// How many processes there are.
    ProcessCount,
    /// The name of a channel that the evaluating process owns, by its position among them.
    OwnChannel(u32),
    /// The number of messages in a channel.
    Length(ChanRef),
    /// Whether a channel has no room.
    Full(ChanRef),
    /// Whether a receive could happen.
    Poll(Box<Receive>),
    /// Starts a process; its number, or 0 if it cannot be started. Only where a step executes it.
    Run(Box<Run>),
    /// Whether the process of that number has an executable transition.
    Enabled(Box<Expr>),
    /// The location of the process of that number; -1 if there is none. The kind, where given, must match.
    LocationOf(Box<Expr>, Option<u8>),
    /// The number of the first process of a kind; -1 if there is none.
    FirstOf(u8),
    /// The priority of the process of that number; 0 if there is none.
    PriorityOf(Box<Expr>),
    /// Whether nothing else is enabled.
    Timeout,
    /// Whether no process is at a location marked as progress.
    NoProgress,
    /// A number that the rule or routine under way holds: a parameter, a loop's variable.
    Slot(u32),
    /// Whether a variable has no value.
    Undefined(Box<Variable>),
    /// What a routine returns.
    Call(Box<Call>),
    /// The position of a value in the union of ranges of that number; -1 if it is not in it.
    Ordinal(Box<Expr>, u32),
    /// Over a range of a slot: how the values of the body combine.
    Quantified(Box<Quantified>),
}

/// A routine and what it is called with.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its number.
    pub routine: u32,
    /// What its parameters are bound to.
    pub args: Vec<Argument>,
}

/// What a parameter is bound to.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A number, into the slot of that position.
    Value(Expr),
    /// A variable, by reference: its place, into the slot of that position.
    Place(Variable),
    /// A value, kept in a variable of the caller's frame whose place goes into the slot of that position.
    Kept(Variable, Expr),
}

/// How values combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// 1 if all are not zero; stops at the first that is.
    All,
    /// 1 if one is not zero; stops there.
    Any,
    /// How many are not zero.
    Count,
}

/// A quantified expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantified {
    /// How the values combine.
    pub fold: Fold,
    /// The slot that takes the values.
    pub slot: u32,
    /// The first value.
    pub low: Expr,
    /// The last value, inclusive.
    pub high: Expr,
    /// The step; not zero.
    pub step: i32,
    /// The body is evaluated for all values, even when the answer is known. Where elements may be renamed, whether the
    /// body fails must not depend on their order.
    pub every: bool,
    /// The expression that is evaluated for each value.
    pub body: Expr,
}

/// A process to be started.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its kind.
    pub kind: u8,
    /// The values of its parameters.
    pub args: Vec<Expr>,
    /// Its priority; 1 where none is given.
    pub priority: Expr,
}

/// Where a variable lies.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// In the fixed part of the state.
    Global,
    /// In the body of the evaluating process.
    Own,
    /// In the body of another process: its number, and its kind. Where there is no such process the value is 0.
    Process(Expr, u8),
    /// In the memory of the rule or routine under way.
    Frame,
    /// At the place that the slot holds: a reference.
    At(u32),
}

/// An index and its bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The index.
    pub value: Expr,
    /// The index of the first element.
    pub low: i32,
    /// How many elements there are: the index less `low` must be at least 0 and below this.
    pub bound: u32,
    /// How many bytes one step of the index is; 1 in an expression of its own.
    pub stride: u32,
    /// The array, for messages.
    pub name: String,
}

/// A variable: a scalar in the state, perhaps in an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// What the offset counts from.
    pub base: Base,
    /// The offset when all indices are 0.
    pub offset: u32,
    /// The indices, outermost first.
    pub indices: Vec<Index>,
    /// Its type.
    pub ty: Type,
    /// Which declared variable it belongs to: an index into the globals' or the process's list of names.
    pub declared: u32,
}

/// A channel.
#[derive(Clone, Debug, PartialEq)]
pub enum ChanRef {
    /// The global channel of that position: always the same one.
    Global(u32),
    /// The channel that the process owns at that position.
    Own(u32),
    /// The channel whose name the expression gives: 0 is no channel, then the global ones from 1, then those that
    /// the processes own, in the order of processes.
    Named(Box<Expr>),
}

impl Expr {
    /// A constant's value.
    pub fn as_const(&self) -> Option<i32> {
        match self {
            Expr::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether it is a constant or an operation on the values of its operands alone, which every context evaluates alike
    /// ([`crate::context::evaluate`]).
    pub fn is_calculation(&self) -> bool {
        matches!(self, Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Both(..) | Expr::Either(..))
            || matches!(self, Expr::Choose(_) | Expr::Bounded(_) | Expr::Table(_))
    }

    /// Calls `each` with this expression and all below it, in the order of evaluation, parents last.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Const(_)
            | Expr::OwnPid
            | Expr::ProcessCount
            | Expr::OwnChannel(_)
            | Expr::FirstOf(_)
            | Expr::Timeout
            | Expr::NoProgress
            | Expr::Slot(_) => {}
            Expr::Load(variable) | Expr::Undefined(variable) => variable.walk(each),
            Expr::Call(call) => call.walk(each),
            Expr::Quantified(over) => {
                over.low.walk(each);
                over.high.walk(each);
                over.body.walk(each);
            }
            Expr::Unary(_, a)
            | Expr::Ordinal(a, _)
            | Expr::Enabled(a)
            | Expr::LocationOf(a, _)
            | Expr::PriorityOf(a) => a.walk(each),
            Expr::Binary(_, a, b) | Expr::Both(a, b) | Expr::Either(a, b) => {
                a.walk(each);
                b.walk(each);
            }
            Expr::Choose(parts) => {
                parts.0.walk(each);
                parts.1.walk(each);
                parts.2.walk(each);
            }
            Expr::Bounded(index) => index.value.walk(each),
            Expr::Table(table) => table.0.value.walk(each),
            Expr::Length(chan) | Expr::Full(chan) => chan.walk(each),
            Expr::Poll(receive) => receive.walk(each),
            Expr::Run(run) => {
                run.args.iter().for_each(|arg| arg.walk(each));
                run.priority.walk(each);
            }
        }
        each(self);
    }

    /// Whether this expression or one below it satisfies `test`.
    pub fn any(&self, test: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |expr| found |= test(expr));
        found
    }
}

impl Variable {
    /// Calls `each` with the expressions inside.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        if let Base::Process(pid, _) = &self.base {
            pid.walk(each);
        }
        self.indices.iter().for_each(|index| index.value.walk(each));
    }
}

impl ChanRef {
    /// Calls `each` with the expressions inside.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        if let ChanRef::Named(name) = self {
            name.walk(each);
        }
    }
}

impl Call {
    /// Calls `each` with the expressions inside.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        for arg in &self.args {
            match arg {
                Argument::Value(value) => value.walk(each),
                Argument::Place(variable) => variable.walk(each),
                Argument::Kept(variable, value) => {
                    value.walk(each);
                    variable.walk(each);
                }
            }
        }
    }
}
