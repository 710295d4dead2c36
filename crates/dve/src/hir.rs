//! The resolved tree: what a model means, ready to be lowered.
//!
//! A [`Model`] exists only if no error was reported, so lowering relies on the invariants below.
//!
//! # Names
//! Every name is resolved to positions in the lists of the tree. A variable is named by its process (`None` for a global
//! one) and its position in that process's list, wherever it is used: `x` inside of `P` and `P->x` elsewhere give the same
//! [`Place`]. Constants are replaced by their values; [`Model::constants`] keeps them for people only. Arrays that are
//! `const` are no part of the state either: all of them, also those of processes, are in [`Model::tables`].
//!
//! # Values
//! Every value is an `i32`, and truth values are numbers: comparisons and the like give 0 and 1, and whatever is not 0
//! counts as true. What is stored is cut to the type of the variable ([`ScalarType::truncate`]). Expressions are kept as they
//! are written, apart from the names of constants; [`Expr::constant`] computes those that need no state.
//!
//! # Heights
//! The height of expressions is limited to some thousand nodes, so that walking one may recurse. Chains of the same `and`
//! or `or` are balanced trees, which changes neither their value nor the order of evaluation.

mod constant;
mod text;

use tightrope_syntax::Span;

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The global variables in the order of their declaration.
    pub variables: Vec<Variable>,
    /// All constants that are no arrays, for people: their uses are replaced already.
    pub constants: Vec<Constant>,
    /// All constant arrays.
    pub tables: Vec<Table>,
    /// The channels in the order of their declaration.
    pub channels: Vec<Channel>,
    /// The processes in the order of their declaration, the property's among them; at least one.
    pub processes: Vec<Process>,
    /// Whether the system is `sync`: all processes step together. Else it is `async`: they interleave.
    pub synchronous: bool,
    /// The process that is the property: it steps along with the others, and its acceptance is that of the system.
    pub property: Option<usize>,
    /// The process that was the property and takes no part: see [`Model::without_property`].
    pub left_out: Option<usize>,
}

impl Model {
    /// The system without its property: the property process never moves, and no rule depends on it. A property that
    /// blocks would otherwise hide steps of the system.
    pub fn without_property(mut self) -> Model {
        self.left_out = self.property.take();
        if let Some(left_out) = self.left_out {
            let process = &mut self.processes[left_out];
            process.transitions.clear();
            process.asserts.clear();
            process.states.iter_mut().for_each(|state| state.commit = false);
        }
        self
    }
}

/// The type of a variable's value, or of each of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// 0 to 255.
    Byte,
    /// -32768 to 32767.
    Int,
}

impl ScalarType {
    /// The value that is stored instead of this one: its last 8 or 16 bits.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            ScalarType::Byte => i32::from(value as u8),
            ScalarType::Int => i32::from(value as i16),
        }
    }

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            ScalarType::Byte => "byte",
            ScalarType::Int => "int",
        }
    }

    /// The least and the greatest value.
    pub fn bounds(self) -> (i32, i32) {
        match self {
            ScalarType::Byte => (0, 255),
            ScalarType::Int => (-32768, 32767),
        }
    }
}

/// A variable of the state: global, or of a process.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The type of its value or of its elements.
    pub ty: ScalarType,
    /// How many elements it has, 1 to 65535; `None` if it is no array.
    pub length: Option<usize>,
    /// What it starts with: one value for each element, or one if it is no array. All are of the type.
    pub initial: Vec<i32>,
}

/// A named constant that is no array.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The process it belongs to; `None` for a global one.
    pub process: Option<usize>,
    /// Its value.
    pub value: i32,
}

/// A constant array.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The process it belongs to; `None` for a global one.
    pub process: Option<usize>,
    /// The type of its elements.
    pub ty: ScalarType,
    /// Its elements; at least one, and all of the type.
    pub values: Vec<i32>,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The types of what a message consists of; `None` for a channel without types.
    pub types: Option<Vec<ScalarType>>,
    /// How many messages it holds; 0 for a handshake, as always without types.
    pub capacity: usize,
    /// How many values a message has: as many as there are types; without types, as many as it is used with.
    ///
    /// Every sync on the channel has that many, except on a channel without types that is only sent to or only received
    /// from, where nothing can ever happen.
    pub arity: usize,
}

/// A process.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// The place of its name.
    pub span: Span,
    /// Its own variables.
    pub variables: Vec<Variable>,
    /// Its states; at least one.
    pub states: Vec<State>,
    /// The state it starts in.
    pub init: usize,
    /// Its acceptance condition.
    pub accept: Acceptance,
    /// What must hold in its states.
    pub asserts: Vec<Assert>,
    /// Its transitions in the order in which they are written.
    pub transitions: Vec<Transition>,
}

/// A state of a process.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether it is committed: while a process is in such a state, only transitions from such states are taken.
    pub commit: bool,
    /// Whether it is accepting in the sense of Büchi.
    pub accept: bool,
}

/// An acceptance condition. Sets of states have no state twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Acceptance {
    /// None.
    #[default]
    None,
    /// Büchi's: those states that have [`State::accept`]; at least one.
    Buchi,
    /// Büchi's, generalized: each set must be visited again and again.
    GenBuchi(Vec<Vec<usize>>),
    /// Muller's.
    Muller(Vec<Vec<usize>>),
    /// Rabin's: pairs in the order in which they are written.
    Rabin(Vec<(Vec<usize>, Vec<usize>)>),
    /// Streett's: pairs in the order in which they are written.
    Streett(Vec<(Vec<usize>, Vec<usize>)>),
}

/// What must hold whenever a process is in a state.
#[derive(Clone, Debug)]
pub struct Assert {
    /// The state.
    pub state: usize,
    /// What must hold then.
    pub condition: Expr,
    /// From the state's name to the end of the condition.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it starts.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What must hold; nothing if it is always possible. Several guards are joined by [`ExprKind::And`].
    pub guard: Option<Expr>,
    /// With what it synchronizes.
    pub sync: Option<Sync>,
    /// What it assigns, one after the other.
    pub effects: Vec<Assignment>,
    /// The whole of it, from the state it starts in to its closing brace.
    pub span: Span,
}

/// A synchronization: half of a handshake, or a use of a channel that holds messages.
#[derive(Clone, Debug)]
pub struct Sync {
    /// The channel.
    pub channel: usize,
    /// What is done.
    pub exchange: Exchange,
    /// From the channel's name to the last value.
    pub span: Span,
}

/// What a synchronization does with its channel.
#[derive(Clone, Debug)]
pub enum Exchange {
    /// `c!…`: the values that are sent.
    Send(Vec<Expr>),
    /// `c?…`: where to put what is received.
    Receive(Vec<Place>),
}

/// An assignment to a variable or an element.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What is assigned to.
    pub target: Place,
    /// The value.
    pub value: Expr,
    /// The whole of it.
    pub span: Span,
}

/// A variable or an element of an array: always one value.
#[derive(Clone, Debug)]
pub struct Place {
    /// The process the variable belongs to; `None` for a global one.
    pub process: Option<usize>,
    /// The variable's position in the list of its process, or of the model.
    pub index: usize,
    /// Which element; there if and only if the variable is an array.
    pub subscript: Option<Box<Expr>>,
    /// Where it is used.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a constant, `true` (1) or `false` (0).
    Const(i32),
    /// The value of a variable or an element.
    Variable(Place),
    /// An element of a constant array.
    Table {
        /// Its position in [`Model::tables`].
        table: usize,
        /// Which element.
        subscript: Box<Expr>,
    },
    /// `P.s`: whether a process is in a state.
    InState {
        /// The process.
        process: usize,
        /// The state.
        state: usize,
    },
    /// An operation on one value.
    Unary(Unary, Box<Expr>),
    /// An operation on two values.
    Binary(Binary, Box<(Expr, Expr)>),
    /// Whether both are true. The second matters only if the first is true.
    And(Box<(Expr, Expr)>),
    /// Whether one is true. The second matters only if the first is false.
    Or(Box<(Expr, Expr)>),
    /// Whether the first is false or the second true. The second matters only if the first is true.
    Imply(Box<(Expr, Expr)>),
}

/// Operations on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-`
    Neg,
    /// `~`: all bits exchanged.
    BitNot,
    /// `not`: 1 for 0, else 0.
    Not,
}

/// Operations on two values that need both of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Binary {
    BitOr,
    BitAnd,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

impl Model {
    /// The variable that a place belongs to.
    pub fn variable(&self, place: &Place) -> &Variable {
        match place.process {
            None => &self.variables[place.index],
            Some(process) => &self.processes[process].variables[place.index],
        }
    }
}

impl Expr {
    /// The first place where it reads a variable or the location of a process.
    pub fn first_use_of(&self, process: usize) -> Option<Span> {
        match &self.kind {
            ExprKind::Const(_) => None,
            ExprKind::InState { process: asked, .. } => (*asked == process).then_some(self.span),
            ExprKind::Variable(place) if place.process == Some(process) => Some(self.span),
            ExprKind::Variable(place) => place.subscript.as_ref()?.first_use_of(process),
            ExprKind::Table { subscript, .. } => subscript.first_use_of(process),
            ExprKind::Unary(_, operand) => operand.first_use_of(process),
            ExprKind::Binary(_, both) | ExprKind::And(both) | ExprKind::Or(both) | ExprKind::Imply(both) => {
                both.0.first_use_of(process).or_else(|| both.1.first_use_of(process))
            }
        }
    }
}
