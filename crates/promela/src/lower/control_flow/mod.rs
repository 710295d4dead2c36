//! The control-flow graph of a body. Its nodes are called elements, as in SPIN.
//!
//! The locations of a body decide how many states a model has, so the control-flow graph is that of SPIN: every
//! statement is an element, and so are the heads of compound statements, jumps, and the joins after selections and
//! loops. Jumps and joins are skipped when control moves, except where an atomic sequence ends on the way (see
//! [`ControlFlow::resting_element`]).

mod atomic;
mod build;
mod loops;
mod unless;

use super::Lower;
use crate::ast::{self, Seq, StmtKind, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};
use tightrope_syntax::{Diagnostic, Span};

/// The number of an element.
pub(super) type ElementId = u32;

/// A statement that is executed.
#[derive(Clone, Debug)]
pub(super) enum Basic<'a> {
    /// As written.
    Stmt(&'a StmtKind, Option<&'a str>),
    /// A declaration in mid-body: its variable is set, to its initial value or zero.
    Declare(&'a ast::VarDecl),
    /// `var = value`, from a `for` or a `select`.
    Set(&'a VarRef, LoopValue<'a>),
    /// `var <= high`, or `var < high`, or an index below a number or a channel's length.
    Below(&'a VarRef, LoopBound<'a>),
    /// `for (m in c)`: the counter of messages, which has no name, is set to zero.
    CountStart(u32),
    /// … is below the channel's length.
    CountBelow(u32, &'a VarRef),
    /// … goes up by one.
    CountUp(u32),
    /// The next message is taken from the channel …
    Take(&'a VarRef, &'a VarRef),
    /// … and put back at its end.
    PutBack(&'a VarRef, &'a VarRef),
    /// The last alternative of a loop that was not written as one.
    Otherwise,
    /// The end of the process.
    End,
}

/// A value for a loop variable.
#[derive(Clone, Debug)]
pub(super) enum LoopValue<'a> {
    Bound(&'a ast::Bound),
    Const(i32),
    OneMore,
}

/// A bound for a loop variable.
#[derive(Clone, Debug)]
pub(super) enum LoopBound<'a> {
    AtMost(&'a ast::Bound),
    Under(&'a ast::Bound),
    AtMostConst(i32),
}

/// Where a jump goes.
#[derive(Clone, Debug)]
pub(super) enum JumpTarget<'a> {
    Label(&'a ast::Name),
    Element(ElementId),
}

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum ElementKind<'a> {
    Basic(Basic<'a>),
    Jump(JumpTarget<'a>),
    /// The join after a selection, before and after a loop, after `unless`.
    Join,
    /// The head of `if` or `do`, with its options.
    Options(Vec<Vec<ElementId>>),
    /// `{ … }` and the expansion of an inline.
    Block(Vec<ElementId>),
    Atomic(Vec<ElementId>),
    DStep(Vec<ElementId>),
    /// The main sequence; the escape is found through the elements of the main sequence.
    Unless(Vec<ElementId>, Vec<ElementId>),
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element<'a> {
    pub kind: ElementKind<'a>,
    pub next: Option<ElementId>,
    /// Inside an atomic sequence, and not the end of it.
    pub atomic: bool,
    /// The end of an atomic sequence.
    pub atomic_end: bool,
    /// The escapes that apply here, the outermost first.
    pub escapes: Vec<u32>,
    pub labels: Vec<&'a str>,
    /// The names visible here.
    pub scope: Option<u32>,
    pub span: Span,
    /// The indivisible sequence it is in.
    pub dstep: Option<ElementId>,
    /// The inline expansion it came from.
    pub expansion: u32,
}

/// The elements of a body.
#[derive(Default)]
pub(super) struct ControlFlow<'a> {
    pub elements: Vec<Element<'a>>,
    /// The labels by inline expansion (0 is the body itself) and name.
    labels: FxHashMap<(u32, &'a str), (ElementId, Span)>,
    /// For each inline expansion, the one around it.
    expansions: Vec<u32>,
    /// The first element of every escape sequence.
    pub escapes: Vec<ElementId>,
    pub first: ElementId,
    /// Labels with remote references (`P@label`): a jump that carries one is a location.
    pub remote_labels: FxHashSet<String>,
    owner: usize,
}

/// The context of a statement.
struct Context {
    scope: Option<u32>,
    /// The scope when the block began.
    block: Option<u32>,
    /// The exits of the surrounding loops.
    loop_exits: Vec<ElementId>,
    /// No statement came before: variables declared here are initialised when the process starts.
    at_start: bool,
    dstep: Option<ElementId>,
    expansion: u32,
}

impl<'a> ControlFlow<'a> {
    /// The graph of the body of process type `owner`. Parameters are bound already; `scope` has them.
    pub fn build(
        lower: &mut Lower<'_>,
        owner: usize,
        body: &'a Seq,
        end: Span,
        scope: Option<u32>,
        remote_labels: FxHashSet<String>,
    ) -> ControlFlow<'a> {
        let mut flow = ControlFlow { owner, remote_labels, expansions: vec![0], ..ControlFlow::default() };
        let mut context =
            Context { scope, block: None, loop_exits: Vec::new(), at_start: true, dstep: None, expansion: 0 };
        let mut list = flow.seq(lower, &body.stmts, &mut context);
        let last = flow.add(ElementKind::Basic(Basic::End), end, &context);
        list.push(last);
        flow.link(&list, None);
        flow.first = list[0];
        flow.check(lower);
        flow.leave_atomic();
        flow
    }

    /// The sequences inside an element.
    fn inner(&self, id: ElementId, into_dstep: bool) -> Vec<Vec<ElementId>> {
        match &self.elements[id as usize].kind {
            ElementKind::Basic(_) | ElementKind::Jump(_) | ElementKind::Join => Vec::new(),
            ElementKind::Options(sequences) => sequences.clone(),
            ElementKind::Block(inner) | ElementKind::Atomic(inner) => vec![inner.clone()],
            ElementKind::DStep(inner) => {
                if into_dstep {
                    vec![inner.clone()]
                } else {
                    Vec::new()
                }
            }
            ElementKind::Unless(main, escape) => vec![main.clone(), escape.clone()],
        }
    }

    /// Reports jumps to missing labels, and jumps into or out of a `d_step`.
    fn check(&self, lower: &mut Lower<'_>) {
        for element in &self.elements {
            let ElementKind::Jump(target) = &element.kind else { continue };
            match (self.target(target, element.expansion), target) {
                (None, JumpTarget::Label(label)) => {
                    let message = format!("there is no label `{}` in this proctype", label.text);
                    let known = self.labels.keys().map(|(_, name)| *name);
                    lower.report(Lower::not_found(message, label, known));
                    // What was to be the label may stand there as a condition.
                    lower.reported_names.insert((Some(self.owner), label.text.clone()));
                }
                (Some(target), _) => {
                    let target = &self.elements[target as usize];
                    if target.dstep != element.dstep {
                        let message = "a jump cannot enter or leave a `d_step`";
                        lower.report(Diagnostic::error(message).at(element.span, "this one does"));
                    }
                }
                (None, JumpTarget::Element(_)) => {}
            }
        }
    }

    /// Where a jump goes that stands in an inline expansion: to a label of that expansion, or of one around it.
    fn target(&self, target: &JumpTarget<'_>, expansion: u32) -> Option<ElementId> {
        let JumpTarget::Label(label) = target else {
            let JumpTarget::Element(id) = target else { return None };
            return Some(*id);
        };
        let mut expansion = expansion;
        loop {
            if let Some(&(id, _)) = self.labels.get(&(expansion, label.text.as_str())) {
                return Some(id);
            }
            if expansion == 0 {
                return None;
            }
            expansion = self.expansions[expansion as usize];
        }
    }

    /// Where the jump at an element goes.
    pub fn jumps_to(&self, element: &Element<'_>) -> Option<ElementId> {
        match &element.kind {
            ElementKind::Jump(target) => self.target(target, element.expansion),
            _ => None,
        }
    }

    /// The labels and their elements; where several expansions of an inline have the same label, the first.
    pub fn named(&self) -> FxHashMap<String, ElementId> {
        let mut labels: Vec<_> = self.labels.iter().collect();
        labels.sort_by_key(|((expansion, _), _)| std::cmp::Reverse(*expansion));
        labels.into_iter().map(|((_, name), (id, _))| (name.to_string(), *id)).collect()
    }

    /// The element that is the location when control reaches `id` (SPIN's `huntele`): jumps and joins are skipped. Coming
    /// from inside an atomic sequence, control does not leave it on the way: the jump that would do so is a step of its
    /// own.
    pub fn resting_element(&self, id: ElementId, from_atomic: bool) -> ElementId {
        let mut at = id;
        for _ in 0..=self.elements.len() {
            let element = &self.elements[at as usize];
            let next = match &element.kind {
                ElementKind::Jump(_) => match self.jumps_to(element) {
                    Some(next) if !self.is_observable(element) => next,
                    _ => return at,
                },
                ElementKind::Join => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                ElementKind::Unless(main, _) => self.resting_element(main[0], from_atomic),
                _ => return at,
            };
            if from_atomic && !self.elements[next as usize].atomic {
                return at;
            }
            at = next;
        }
        at
    }

    /// Whether a jump is a step of its own, because properties can observe its labels.
    fn is_observable(&self, element: &Element<'_>) -> bool {
        element.labels.iter().any(|label| {
            ["end", "accept", "progress"].iter().any(|prefix| label.starts_with(prefix))
                || self.remote_labels.contains(*label)
        })
    }

    /// The first element of a sequence that is not a join.
    pub fn first_element(&self, id: ElementId) -> ElementId {
        let mut at = id;
        for _ in 0..=self.elements.len() {
            let element = &self.elements[at as usize];
            at = match (&element.kind, element.next) {
                (ElementKind::Join, Some(next)) => next,
                (ElementKind::Unless(main, _), _) => main[0],
                _ => return at,
            };
        }
        at
    }
}
