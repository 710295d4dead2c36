//! What an iteration of a loop does to which variable.

use crate::hir::Base;
use tightrope_syntax::Span;

/// One step of a place's path, abstracted to what distinguishes it from others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Key {
    Field(u32),
    Index(i32),
    /// The value of the loop's variable.
    Own,
    Unknown,
}

/// What is done to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    Read,
    Write,
    /// These commute with themselves.
    Up,
    Down,
    Or,
    And,
    Set(i32),
    Undefine,
    Clear,
    Add,
    Remove,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    pub(super) base: Base,
    pub(super) path: Vec<Key>,
}

#[derive(Debug)]
pub(super) struct Access {
    pub(super) target: Target,
    pub(super) action: Action,
    pub(super) span: Span,
}

impl Access {
    /// Whether a change made by one iteration commutes with an access made by another.
    pub(super) fn commutes_with(&self, other: &Access) -> bool {
        for (left, right) in self.target.path.iter().zip(&other.target.path) {
            match (left, right) {
                // Two iterations have two values.
                (Key::Own, Key::Own) => return true,
                (Key::Field(left), Key::Field(right)) if left != right => return true,
                (Key::Index(left), Key::Index(right)) if left != right => return true,
                _ => {}
            }
        }
        let commutes = !matches!(self.action, Action::Read | Action::Write);
        commutes && self.action == other.action && self.target.path.len() == other.target.path.len()
    }
}
