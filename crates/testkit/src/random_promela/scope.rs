//! What is declared where.

/// The type of a variable or field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Pid,
    Unsigned(u8),
    /// One of the mtypes of the program.
    Mtype(usize),
    /// A channel with the fields that carried channels have.
    Chan,
}

impl Ty {
    /// Values that are numbers, of any size.
    pub fn is_number(self) -> bool {
        !matches!(self, Ty::Mtype(_) | Ty::Chan)
    }

    /// Nothing larger than this fits, where that is little.
    pub fn top(self) -> Option<i32> {
        match self {
            Ty::Bit | Ty::Bool => Some(1),
            Ty::Unsigned(width) => Some((1 << width) - 1),
            _ => None,
        }
    }
}

/// A variable, or an element of an array or structure: `#` in its text stands for an index below the next of `lens`.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub text: String,
    pub lens: Vec<usize>,
    pub ty: Ty,
    pub written: bool,
}

/// A channel, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Chan {
    pub text: String,
    pub lens: Vec<usize>,
    /// How many messages it holds; unknown for variables.
    pub capacity: Option<usize>,
    pub fields: Vec<Ty>,
    /// Whether the process at hand may send, and receive.
    pub sends: bool,
    pub receives: bool,
}

/// What can be named somewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub vars: Vec<Var>,
    pub chans: Vec<Chan>,
    /// Arrays of numbers, for loops over them.
    pub arrays: Vec<(String, usize)>,
    /// A channel with messages of a structure, and a variable of that structure.
    pub walked: Option<(String, String)>,
    /// A hidden variable, which is only written to.
    pub hidden: Option<String>,
    pub local_start: usize,
}

/// What others may ask about a proctype.
#[derive(Clone, Debug)]
pub(super) struct Proc {
    pub name: String,
    pub scalars: Vec<(String, Ty)>,
    pub labels: Vec<String>,
}
