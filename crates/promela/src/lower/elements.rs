//! Control flow: a body as a graph of elements.
//!
//! Which points of a body are states of their own is what decides how many states a model has, so the graph is cut
//! exactly as SPIN cuts it: every statement is an element, and so are the heads of compound statements, jumps, and
//! the joints after selections and loops. Jumps and joints are passed over when control moves, except where control
//! is given up on the way (see [`Flow::hunt`]).

use super::Lower;
use crate::ast::{self, Seq, Stmt, StmtKind, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};
use tightrope_syntax::{Diagnostic, Span};

/// The number of an element.
pub(super) type Id = u32;

/// A statement that is executed.
#[derive(Clone, Debug)]
pub(super) enum Basic<'a> {
    /// As written.
    Stmt(&'a StmtKind, Option<&'a str>),
    /// A declaration in mid-body: its variable is set, to its initial value or zero.
    Declare(&'a ast::VarDecl),
    /// `var = value`, from a `for` or a `select`.
    Set(&'a VarRef, SetTo<'a>),
    /// `var <= high`, or `var < high`, or an index below a number or a channel's length.
    Below(&'a VarRef, Limit<'a>),
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
pub(super) enum SetTo<'a> {
    Bound(&'a ast::Bound),
    Const(i32),
    OneMore,
}

/// A bound for a loop variable.
#[derive(Clone, Debug)]
pub(super) enum Limit<'a> {
    AtMost(&'a ast::Bound),
    Under(&'a ast::Bound),
    AtMostConst(i32),
}

/// Where a jump goes.
#[derive(Clone, Debug)]
pub(super) enum Goal<'a> {
    Label(&'a ast::Name),
    Element(Id),
}

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    Basic(Basic<'a>),
    Jump(Goal<'a>),
    /// The joint after a selection, before and after a loop, after `unless`.
    Joint,
    /// The head of `if` or `do`, with its options.
    Options(Vec<Vec<Id>>),
    /// `{ … }` and the expansion of an inline.
    Block(Vec<Id>),
    Atomic(Vec<Id>),
    DStep(Vec<Id>),
    /// The main sequence; the escape is found through the elements of the main sequence.
    Unless(Vec<Id>, Vec<Id>),
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element<'a> {
    pub kind: Kind<'a>,
    pub next: Option<Id>,
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
    pub dstep: Option<Id>,
    /// The inline expansion it came from.
    pub expansion: u32,
}

/// The elements of a body.
#[derive(Default)]
pub(super) struct Flow<'a> {
    pub elements: Vec<Element<'a>>,
    /// The labels by inline expansion (0 is the body itself) and name.
    labels: FxHashMap<(u32, &'a str), (Id, Span)>,
    /// For each inline expansion, the one around it.
    expansions: Vec<u32>,
    /// The first element of every escape sequence.
    pub escapes: Vec<Id>,
    pub first: Id,
    /// Labels that somebody refers to from outside: a jump that carries one is not passed over.
    pub watched: FxHashSet<String>,
    owner: usize,
}

/// What surrounds a statement.
struct Around {
    scope: Option<u32>,
    /// The scope when the block began.
    block: Option<u32>,
    /// The exits of the loops around.
    exits: Vec<Id>,
    /// No statement has come yet: declarations are set up when the process starts.
    heading: bool,
    dstep: Option<Id>,
    expansion: u32,
}

impl<'a> Flow<'a> {
    /// The graph of the body of process type `owner`. Parameters are bound already; `scope` has them.
    pub fn build(
        lower: &mut Lower<'_>,
        owner: usize,
        body: &'a Seq,
        end: Span,
        scope: Option<u32>,
        watched: FxHashSet<String>,
    ) -> Flow<'a> {
        let mut flow = Flow { owner, watched, expansions: vec![0], ..Flow::default() };
        let mut around = Around { scope, block: None, exits: Vec::new(), heading: true, dstep: None, expansion: 0 };
        let mut list = flow.seq(lower, &body.stmts, &mut around);
        let last = flow.add(Kind::Basic(Basic::End), end, &around);
        list.push(last);
        flow.link(&list, None);
        flow.first = list[0];
        flow.check(lower);
        flow.leave_atomic();
        flow
    }

    /// A jump out of an atomic sequence ends it.
    fn leave_atomic(&mut self) {
        for id in 0..self.elements.len() {
            let Some(target) = self.jumps_to(&self.elements[id]) else { continue };
            let target = &self.elements[target as usize];
            if !target.atomic && !target.atomic_end {
                self.elements[id].atomic = false;
            }
        }
    }

    fn add(&mut self, kind: Kind<'a>, span: Span, around: &Around) -> Id {
        let id = self.elements.len() as Id;
        self.elements.push(Element {
            kind,
            next: None,
            atomic: false,
            atomic_end: false,
            escapes: Vec::new(),
            labels: Vec::new(),
            scope: around.scope,
            span,
            dstep: around.dstep,
            expansion: around.expansion,
        });
        id
    }

    fn seq(&mut self, lower: &mut Lower<'_>, stmts: &'a [Stmt], around: &mut Around) -> Vec<Id> {
        let mut list = Vec::new();
        for stmt in stmts {
            self.stmt(lower, stmt, around, &mut list);
        }
        list
    }

    /// A sequence in braces: a scope of its own.
    fn block(&mut self, lower: &mut Lower<'_>, seq: &'a Seq, around: &mut Around) -> Vec<Id> {
        let (scope, block, expansion) = (around.scope, around.block, around.expansion);
        around.block = scope;
        around.heading = false;
        if seq.inlined {
            self.expansions.push(expansion);
            around.expansion = self.expansions.len() as u32 - 1;
        }
        let list = self.seq(lower, &seq.stmts, around);
        (around.scope, around.block, around.expansion) = (scope, block, expansion);
        list
    }

    fn stmt(&mut self, lower: &mut Lower<'_>, stmt: &'a Stmt, around: &mut Around, list: &mut Vec<Id>) {
        let at = list.len();
        let span = stmt.span;
        let destination = match &stmt.kind {
            StmtKind::Decl(decls) => {
                self.declare(lower, decls, around, list);
                list.get(at).copied()
            }
            StmtKind::Xr(vars) | StmtKind::Xs(vars) => {
                for var in vars {
                    lower.chan(var, Some(self.owner), around.scope);
                }
                None
            }
            StmtKind::If(options) => Some(self.options(lower, options, span, false, around, list)),
            StmtKind::Do(options) => Some(self.options(lower, options, span, true, around, list)),
            StmtKind::Block(seq) => {
                let inner = self.block(lower, seq, around);
                Some(self.compound(inner, Kind::Block, span, around, list))
            }
            StmtKind::Atomic(seq) => {
                let inner = self.block(lower, seq, around);
                self.make_atomic(&inner);
                Some(self.compound(inner, Kind::Atomic, span, around, list))
            }
            StmtKind::DStep(seq) => {
                // The head is made first, so that what is inside can name it.
                let outer = around.dstep;
                let head = self.add(Kind::Joint, span, around);
                around.dstep = around.dstep.or(Some(head));
                let inner = self.block(lower, seq, around);
                around.dstep = outer;
                if !inner.is_empty() {
                    self.elements[head as usize].kind =
                        if outer.is_some() { Kind::Block(inner) } else { Kind::DStep(inner) };
                }
                list.push(head);
                Some(head)
            }
            StmtKind::ForRange { var, low, high, body } => {
                around.heading = false;
                let set = self.add(Kind::Basic(Basic::Set(var, SetTo::Bound(low))), span, around);
                list.push(set);
                let test = self.add(Kind::Basic(Basic::Below(var, Limit::AtMost(high))), span, around);
                let step = Basic::Set(var, SetTo::OneMore);
                Some(self.counted_loop(lower, vec![test], body, vec![step], span, around, list))
            }
            StmtKind::ForIn { var, over, body } => {
                around.heading = false;
                Some(self.for_in(lower, var, over, body, span, around, list))
            }
            StmtKind::Select { var, low, high } => {
                around.heading = false;
                Some(self.select(var, low, high, span, around, list))
            }
            StmtKind::Unless(main, escape) => {
                around.heading = false;
                Some(self.unless(lower, stmt, main, escape, around, list))
            }
            StmtKind::Goto(label) => {
                around.heading = false;
                let id = self.add(Kind::Jump(Goal::Label(label)), span, around);
                list.push(id);
                Some(id)
            }
            StmtKind::Break => {
                around.heading = false;
                match around.exits.last() {
                    Some(&exit) => {
                        let id = self.add(Kind::Jump(Goal::Element(exit)), span, around);
                        list.push(id);
                        Some(id)
                    }
                    None => {
                        let message = "`break` outside of a loop";
                        lower.report(Diagnostic::error(message).at(span, "there is no `do` or `for` around it"));
                        None
                    }
                }
            }
            kind => {
                around.heading = false;
                let id = self.add(Kind::Basic(Basic::Stmt(kind, stmt.text.as_deref())), span, around);
                list.push(id);
                Some(id)
            }
        };
        if let Some(destination) = destination {
            self.set_labels(lower, &stmt.labels, destination);
        }
    }

    fn set_labels(&mut self, lower: &mut Lower<'_>, labels: &'a [ast::Name], destination: Id) {
        for label in labels {
            self.elements[destination as usize].labels.push(&label.text);
            let key = (self.elements[destination as usize].expansion, label.text.as_str());
            if let Some((_, earlier)) = self.labels.insert(key, (destination, label.span)) {
                let message = format!("label `{}` is defined twice", label.text);
                let diagnostic = Diagnostic::error(message).at(label.span, "again here").also(earlier, "first here");
                lower.report(diagnostic);
            }
        }
    }

    fn compound(
        &mut self,
        inner: Vec<Id>,
        kind: impl FnOnce(Vec<Id>) -> Kind<'a>,
        span: Span,
        around: &Around,
        list: &mut Vec<Id>,
    ) -> Id {
        let kind = if inner.is_empty() { Kind::Joint } else { kind(inner) };
        let id = self.add(kind, span, around);
        list.push(id);
        id
    }

    fn declare(&mut self, lower: &mut Lower<'_>, decls: &'a ast::VarDecls, around: &mut Around, list: &mut Vec<Id>) {
        for var in &decls.vars {
            if !around.heading && matches!(var.init, Some(ast::Init::Chan(_))) {
                let message = format!("the channel `{}` cannot be created in the middle of a body", var.name.text);
                let help = "declare it at the start of the proctype";
                lower.report(Diagnostic::error(message).at(var.name.span, "declared here").help(help));
                lower.unknown.insert((Some(self.owner), var.name.text.clone()));
                continue;
            }
            let owner = self.owner;
            let Some(decl) = lower.allocate(Some(owner), decls, var, around.scope, around.heading) else {
                lower.unknown.insert((Some(owner), var.name.text.clone()));
                continue;
            };
            lower.bind(owner, &var.name, decl, &mut around.scope, around.block);
            if !around.heading {
                let id = self.add(Kind::Basic(Basic::Declare(var)), var.name.span, around);
                list.push(id);
            }
        }
    }

    fn options(
        &mut self,
        lower: &mut Lower<'_>,
        options: &'a [Seq],
        span: Span,
        is_loop: bool,
        around: &mut Around,
        list: &mut Vec<Id>,
    ) -> Id {
        around.heading = false;
        // The joint is where an option ends: before the head of a loop, or after a selection.
        let joint = self.add(Kind::Joint, span, around);
        let exit = if is_loop { self.add(Kind::Joint, span, around) } else { joint };
        if is_loop {
            around.exits.push(exit);
        }
        let mut sequences: Vec<Vec<Id>> = Vec::new();
        for option in options {
            // Options are no scopes of their own.
            let mut sequence = self.seq(lower, &option.stmts, around);
            self.prune(lower, &mut sequence);
            if !sequence.is_empty() {
                sequences.push(sequence);
            }
        }
        if is_loop {
            around.exits.pop();
        }
        self.head(sequences, joint, is_loop.then_some(exit), span, around, list)
    }

    /// Leaves out a `skip` that follows another one (or a `printf`) in an option, where it is neither the last statement
    /// nor has a label: SPIN does, and so has a state less.
    fn prune(&mut self, lower: &Lower<'_>, sequence: &mut Vec<Id>) {
        let Some(&last) = sequence.last() else { return };
        let mut after_skip = false;
        sequence.retain(|&id| {
            let element = &self.elements[id as usize];
            let (skips, prints) = match &element.kind {
                Kind::Basic(Basic::Stmt(StmtKind::Printf(..) | StmtKind::Printm(_), _)) => (true, true),
                Kind::Basic(Basic::Stmt(StmtKind::Expr(expr), _)) => {
                    (lower.is_one(expr, self.owner, element.scope), false)
                }
                _ => (false, false),
            };
            let skips = skips && element.labels.is_empty();
            let redundant = skips && !prints && after_skip && id != last;
            after_skip = skips;
            if redundant {
                self.elements[id as usize].kind = Kind::Joint;
            }
            !redundant
        });
    }

    /// Puts together the head of a selection or (with an exit) of a loop.
    fn head(
        &mut self,
        sequences: Vec<Vec<Id>>,
        joint: Id,
        exit: Option<Id>,
        span: Span,
        around: &Around,
        list: &mut Vec<Id>,
    ) -> Id {
        for sequence in &sequences {
            self.link(sequence, Some(joint));
        }
        let head = self.add(Kind::Options(sequences), span, around);
        match exit {
            Some(exit) => list.extend([joint, head, exit]),
            None => list.extend([head, joint]),
        }
        head
    }

    /// `do :: tests; body; steps :: else -> break od`. A label on a loop that counts is on this, behind the initialisation.
    #[allow(clippy::too_many_arguments)]
    fn counted_loop(
        &mut self,
        lower: &mut Lower<'_>,
        mut option: Vec<Id>,
        body: &'a Seq,
        steps: Vec<Basic<'a>>,
        span: Span,
        around: &mut Around,
        list: &mut Vec<Id>,
    ) -> Id {
        let joint = self.add(Kind::Joint, span, around);
        let exit = self.add(Kind::Joint, span, around);
        around.exits.push(exit);
        option.extend(self.block(lower, body, around));
        around.exits.pop();
        for step in steps {
            option.push(self.add(Kind::Basic(step), span, around));
        }
        let otherwise = self.add(Kind::Basic(Basic::Otherwise), span, around);
        let leave = self.add(Kind::Jump(Goal::Element(exit)), span, around);
        self.head(vec![option, vec![otherwise, leave]], joint, Some(exit), span, around, list)
    }

    #[allow(clippy::too_many_arguments)]
    fn for_in(
        &mut self,
        lower: &mut Lower<'_>,
        var: &'a VarRef,
        over: &'a VarRef,
        body: &'a Seq,
        span: Span,
        around: &mut Around,
        list: &mut Vec<Id>,
    ) -> Id {
        match lower.array_length(over, self.owner, around.scope) {
            Some(length) => {
                let set = self.add(Kind::Basic(Basic::Set(var, SetTo::Const(0))), span, around);
                list.push(set);
                let limit = Limit::AtMostConst(length as i32 - 1);
                let test = self.add(Kind::Basic(Basic::Below(var, limit)), span, around);
                let step = Basic::Set(var, SetTo::OneMore);
                self.counted_loop(lower, vec![test], body, vec![step], span, around, list)
            }
            None => {
                let counter = lower.unnamed_counter(self.owner);
                let set = self.add(Kind::Basic(Basic::CountStart(counter)), span, around);
                list.push(set);
                let test = self.add(Kind::Basic(Basic::CountBelow(counter, over)), span, around);
                let take = self.add(Kind::Basic(Basic::Take(over, var)), span, around);
                let put = self.add(Kind::Basic(Basic::PutBack(over, var)), span, around);
                let step = Basic::CountUp(counter);
                self.counted_loop(lower, vec![test, take, put], body, vec![step], span, around, list)
            }
        }
    }

    /// A loop that goes up and may stop anywhere; stopping is its first option. (In its plainest form `select` is a selection among assignments; the
    /// parser has made it one.)
    fn select(
        &mut self,
        var: &'a VarRef,
        low: &'a ast::Bound,
        high: &'a ast::Bound,
        span: Span,
        around: &mut Around,
        list: &mut Vec<Id>,
    ) -> Id {
        let set = self.add(Kind::Basic(Basic::Set(var, SetTo::Bound(low))), span, around);
        list.push(set);
        let joint = self.add(Kind::Joint, span, around);
        let exit = self.add(Kind::Joint, span, around);
        let test = self.add(Kind::Basic(Basic::Below(var, Limit::Under(high))), span, around);
        let more = self.add(Kind::Basic(Basic::Set(var, SetTo::OneMore)), span, around);
        let leave = self.add(Kind::Jump(Goal::Element(exit)), span, around);
        self.head(vec![vec![leave], vec![test, more]], joint, Some(exit), span, around, list)
    }

    fn unless(
        &mut self,
        lower: &mut Lower<'_>,
        stmt: &'a Stmt,
        main: &'a Stmt,
        escape: &'a Stmt,
        around: &mut Around,
        list: &mut Vec<Id>,
    ) -> Id {
        // The braces of either part are just that, unless they carry a label. What a counting loop begins with comes before
        // the whole, and cannot be escaped from.
        let mut before = Vec::new();
        // A label on a sequence that is escaped from is on the whole, as if there were braces around it.
        let lifted = !main.labels.is_empty() && matches!(main.kind, StmtKind::Block(_) | StmtKind::Atomic(_));
        let labels = &main.labels;
        let mut part = |flow: &mut Self, part: &'a Stmt, bare: bool, lifted: bool| match &part.kind {
            StmtKind::Block(seq) if bare => flow.block(lower, seq, around),
            StmtKind::Atomic(seq) if lifted => {
                let inner = flow.block(lower, seq, around);
                flow.make_atomic(&inner);
                inner
            }
            _ => {
                let mut inner = Vec::new();
                flow.stmt(lower, part, around, &mut inner);
                if let StmtKind::ForRange { .. } | StmtKind::ForIn { .. } | StmtKind::Select { .. } = &part.kind {
                    before.push(inner.remove(0));
                }
                inner
            }
        };
        let main = part(self, main, lifted || main.labels.is_empty(), lifted);
        let escape = part(self, escape, escape.labels.is_empty(), false);
        list.append(&mut before);
        let joint = self.add(Kind::Joint, stmt.span, around);
        self.link(&main, Some(joint));
        self.link(&escape, Some(joint));
        if let Some(&first) = escape.first() {
            let group = self.escapes.len() as u32;
            self.escapes.push(first);
            self.attach_escape(&main, group);
        }
        let kind = if main.is_empty() { Kind::Joint } else { Kind::Unless(main, escape) };
        let id = self.add(kind, stmt.span, around);
        if lifted {
            let whole = self.add(Kind::Block(vec![id, joint]), stmt.span, around);
            self.set_labels(lower, labels, whole);
            list.push(whole);
            return whole;
        }
        list.extend([id, joint]);
        id
    }

    /// Lets an escape apply to everything inside a sequence. Outer ones come later, and go first.
    fn attach_escape(&mut self, list: &[Id], group: u32) {
        for &id in list {
            self.elements[id as usize].escapes.insert(0, group);
            for inner in self.inner(id, false) {
                self.attach_escape(&inner, group);
            }
        }
    }

    /// The sequences inside an element.
    fn inner(&self, id: Id, into_dstep: bool) -> Vec<Vec<Id>> {
        match &self.elements[id as usize].kind {
            Kind::Basic(_) | Kind::Jump(_) | Kind::Joint => Vec::new(),
            Kind::Options(sequences) => sequences.clone(),
            Kind::Block(inner) | Kind::Atomic(inner) => vec![inner.clone()],
            Kind::DStep(inner) => {
                if into_dstep {
                    vec![inner.clone()]
                } else {
                    Vec::new()
                }
            }
            Kind::Unless(main, escape) => vec![main.clone(), escape.clone()],
        }
    }

    fn make_atomic(&mut self, list: &[Id]) {
        self.mark_atomic(list);
        let Some(&last) = list.last() else { return };
        match self.elements[last as usize].kind.clone() {
            Kind::Block(inner) | Kind::Atomic(inner) => self.make_atomic(&inner),
            _ => {
                let last = &mut self.elements[last as usize];
                last.atomic = false;
                last.atomic_end = true;
            }
        }
    }

    fn mark_atomic(&mut self, list: &[Id]) {
        for &id in list {
            self.elements[id as usize].atomic = true;
            for inner in self.inner(id, false) {
                self.mark_atomic(&inner);
            }
        }
    }

    /// Sets what comes after each element of a sequence.
    fn link(&mut self, list: &[Id], after: Option<Id>) {
        for (position, &id) in list.iter().enumerate() {
            let next = list.get(position + 1).copied().or(after);
            match self.elements[id as usize].kind.clone() {
                Kind::Block(inner) | Kind::Atomic(inner) => self.link(&inner, next),
                Kind::DStep(inner) => self.link(&inner, None),
                _ => {}
            }
            self.elements[id as usize].next = next;
        }
    }

    /// Complains about labels that are not there and jumps that cross the border of an indivisible sequence.
    fn check(&self, lower: &mut Lower<'_>) {
        for element in &self.elements {
            let Kind::Jump(goal) = &element.kind else { continue };
            match (self.goal(goal, element.expansion), goal) {
                (None, Goal::Label(label)) => {
                    let message = format!("there is no label `{}` in this proctype", label.text);
                    let known = self.labels.keys().map(|(_, name)| *name);
                    lower.report(Lower::not_found(message, label, known));
                    // What was to be the label may stand there as a condition.
                    lower.unknown.insert((Some(self.owner), label.text.clone()));
                }
                (Some(target), _) => {
                    let target = &self.elements[target as usize];
                    if target.dstep != element.dstep {
                        let message = "a jump cannot enter or leave a `d_step`";
                        lower.report(Diagnostic::error(message).at(element.span, "this one does"));
                    }
                }
                (None, Goal::Element(_)) => {}
            }
        }
    }

    /// Where a jump goes that stands in an inline expansion: to a label of that expansion, or of one around it.
    fn goal(&self, goal: &Goal<'_>, expansion: u32) -> Option<Id> {
        let Goal::Label(label) = goal else {
            let Goal::Element(id) = goal else { return None };
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
    pub fn jumps_to(&self, element: &Element<'_>) -> Option<Id> {
        match &element.kind {
            Kind::Jump(goal) => self.goal(goal, element.expansion),
            _ => None,
        }
    }

    /// The labels and their elements; where several expansions of an inline have the same label, the first.
    pub fn named(&self) -> FxHashMap<String, Id> {
        let mut labels: Vec<_> = self.labels.iter().collect();
        labels.sort_by_key(|((expansion, _), _)| std::cmp::Reverse(*expansion));
        labels.into_iter().map(|((_, name), (id, _))| (name.to_string(), *id)).collect()
    }

    /// The element at which control comes to rest when it is sent to `id`: jumps and joints are passed over. Coming
    /// from inside an atomic sequence, control does not leave it on the way: the jump that would do so is a step of
    /// its own.
    pub fn hunt(&self, id: Id, from_atomic: bool) -> Id {
        let mut at = id;
        for _ in 0..=self.elements.len() {
            let element = &self.elements[at as usize];
            let next = match &element.kind {
                Kind::Jump(_) => match self.jumps_to(element) {
                    Some(next) if !self.keeps(element) => next,
                    _ => return at,
                },
                Kind::Joint => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                Kind::Unless(main, _) => self.hunt(main[0], from_atomic),
                _ => return at,
            };
            if from_atomic && !self.elements[next as usize].atomic {
                return at;
            }
            at = next;
        }
        at
    }

    /// Whether a jump is a step of its own because of a label that means something to the checker.
    fn keeps(&self, element: &Element<'_>) -> bool {
        element.labels.iter().any(|label| {
            ["end", "accept", "progress"].iter().any(|prefix| label.starts_with(prefix))
                || self.watched.contains(*label)
        })
    }

    /// The element that a sequence really begins with.
    pub fn start(&self, id: Id) -> Id {
        let mut at = id;
        for _ in 0..=self.elements.len() {
            let element = &self.elements[at as usize];
            at = match (&element.kind, element.next) {
                (Kind::Joint, Some(next)) => next,
                (Kind::Unless(main, _), _) => main[0],
                _ => return at,
            };
        }
        at
    }
}
