//! From statements to elements.

use super::{Basic, Context, ControlFlow, Element, ElementId, ElementKind, JumpTarget, LoopBound, LoopValue};
use crate::ast::{self, Seq, Stmt, StmtKind};
use crate::lower::Lower;
use tightrope_syntax::{Diagnostic, Span};

impl<'a> ControlFlow<'a> {
    pub(super) fn add(&mut self, kind: ElementKind<'a>, span: Span, context: &Context) -> ElementId {
        let id = self.elements.len() as ElementId;
        self.elements.push(Element {
            kind,
            next: None,
            atomic: false,
            atomic_end: false,
            escapes: Vec::new(),
            labels: Vec::new(),
            scope: context.scope,
            span,
            dstep: context.dstep,
            expansion: context.expansion,
        });
        id
    }

    pub(super) fn seq(&mut self, lower: &mut Lower<'_>, stmts: &'a [Stmt], context: &mut Context) -> Vec<ElementId> {
        let mut list = Vec::new();
        for stmt in stmts {
            self.stmt(lower, stmt, context, &mut list);
        }
        list
    }

    /// A sequence in braces: a scope of its own.
    pub(super) fn block(&mut self, lower: &mut Lower<'_>, seq: &'a Seq, context: &mut Context) -> Vec<ElementId> {
        let (scope, block, expansion) = (context.scope, context.block, context.expansion);
        context.block = scope;
        context.at_start = false;
        if seq.inlined {
            self.expansions.push(expansion);
            context.expansion = self.expansions.len() as u32 - 1;
        }
        let list = self.seq(lower, &seq.stmts, context);
        (context.scope, context.block, context.expansion) = (scope, block, expansion);
        list
    }

    pub(super) fn stmt(
        &mut self,
        lower: &mut Lower<'_>,
        stmt: &'a Stmt,
        context: &mut Context,
        list: &mut Vec<ElementId>,
    ) {
        let at = list.len();
        let span = stmt.span;
        let destination = match &stmt.kind {
            StmtKind::Decl(decls) => {
                self.declare(lower, decls, context, list);
                list.get(at).copied()
            }
            StmtKind::Xr(vars) | StmtKind::Xs(vars) => {
                for var in vars {
                    lower.chan(var, Some(self.owner), context.scope);
                }
                None
            }
            StmtKind::If(options) => Some(self.options(lower, options, span, false, context, list)),
            StmtKind::Do(options) => Some(self.options(lower, options, span, true, context, list)),
            StmtKind::Block(seq) => {
                let inner = self.block(lower, seq, context);
                Some(self.compound(inner, ElementKind::Block, span, context, list))
            }
            StmtKind::Atomic(seq) => {
                let inner = self.block(lower, seq, context);
                self.make_atomic(&inner);
                Some(self.compound(inner, ElementKind::Atomic, span, context, list))
            }
            StmtKind::DStep(seq) => {
                // The head is made first, so that what is inside can name it.
                let outer = context.dstep;
                let head = self.add(ElementKind::Join, span, context);
                context.dstep = context.dstep.or(Some(head));
                let inner = self.block(lower, seq, context);
                context.dstep = outer;
                if !inner.is_empty() {
                    self.elements[head as usize].kind =
                        if outer.is_some() { ElementKind::Block(inner) } else { ElementKind::DStep(inner) };
                }
                list.push(head);
                Some(head)
            }
            StmtKind::ForRange { var, low, high, body } => {
                context.at_start = false;
                let set = self.add(ElementKind::Basic(Basic::Set(var, LoopValue::Bound(low))), span, context);
                list.push(set);
                let test = self.add(ElementKind::Basic(Basic::Below(var, LoopBound::AtMost(high))), span, context);
                let step = Basic::Set(var, LoopValue::OneMore);
                Some(self.counted_loop(lower, vec![test], body, vec![step], span, context, list))
            }
            StmtKind::ForIn { var, over, body } => {
                context.at_start = false;
                Some(self.for_in(lower, var, over, body, span, context, list))
            }
            StmtKind::Select { var, low, high } => {
                context.at_start = false;
                Some(self.select(var, low, high, span, context, list))
            }
            StmtKind::Unless(main, escape) => {
                context.at_start = false;
                Some(self.unless(lower, stmt, main, escape, context, list))
            }
            StmtKind::Goto(label) => {
                context.at_start = false;
                let id = self.add(ElementKind::Jump(JumpTarget::Label(label)), span, context);
                list.push(id);
                Some(id)
            }
            StmtKind::Break => {
                context.at_start = false;
                match context.loop_exits.last() {
                    Some(&exit) => {
                        let id = self.add(ElementKind::Jump(JumpTarget::Element(exit)), span, context);
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
                context.at_start = false;
                let id = self.add(ElementKind::Basic(Basic::Stmt(kind, stmt.text.as_deref())), span, context);
                list.push(id);
                Some(id)
            }
        };
        if let Some(destination) = destination {
            self.set_labels(lower, &stmt.labels, destination);
        }
    }

    pub(super) fn set_labels(&mut self, lower: &mut Lower<'_>, labels: &'a [ast::Name], destination: ElementId) {
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
        inner: Vec<ElementId>,
        kind: impl FnOnce(Vec<ElementId>) -> ElementKind<'a>,
        span: Span,
        context: &Context,
        list: &mut Vec<ElementId>,
    ) -> ElementId {
        let kind = if inner.is_empty() { ElementKind::Join } else { kind(inner) };
        let id = self.add(kind, span, context);
        list.push(id);
        id
    }

    fn declare(
        &mut self,
        lower: &mut Lower<'_>,
        decls: &'a ast::VarDecls,
        context: &mut Context,
        list: &mut Vec<ElementId>,
    ) {
        for var in &decls.vars {
            if !context.at_start && matches!(var.init, Some(ast::Init::Chan(_))) {
                let message = format!("the channel `{}` cannot be created in the middle of a body", var.name.text);
                let help = "declare it at the start of the proctype";
                lower.report(Diagnostic::error(message).at(var.name.span, "declared here").help(help));
                lower.reported_names.insert((Some(self.owner), var.name.text.clone()));
                continue;
            }
            let owner = self.owner;
            let Some(decl) = lower.allocate(Some(owner), decls, var, context.scope, context.at_start) else {
                lower.reported_names.insert((Some(owner), var.name.text.clone()));
                continue;
            };
            lower.bind(owner, &var.name, decl, &mut context.scope, context.block);
            if !context.at_start {
                let id = self.add(ElementKind::Basic(Basic::Declare(var)), var.name.span, context);
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
        context: &mut Context,
        list: &mut Vec<ElementId>,
    ) -> ElementId {
        context.at_start = false;
        // The join is where an option ends: before the head of a loop, or after a selection.
        let join = self.add(ElementKind::Join, span, context);
        let exit = if is_loop { self.add(ElementKind::Join, span, context) } else { join };
        if is_loop {
            context.loop_exits.push(exit);
        }
        let mut sequences: Vec<Vec<ElementId>> = Vec::new();
        for option in options {
            // Options are no scopes of their own.
            let mut sequence = self.seq(lower, &option.stmts, context);
            self.prune(lower, &mut sequence);
            if !sequence.is_empty() {
                sequences.push(sequence);
            }
        }
        if is_loop {
            context.loop_exits.pop();
        }
        self.head(sequences, join, is_loop.then_some(exit), span, context, list)
    }

    /// Leaves out a `skip` that follows another one (or a `printf`) in an option, where it is neither the last statement
    /// nor has a label: SPIN does, and so has a state less.
    fn prune(&mut self, lower: &Lower<'_>, sequence: &mut Vec<ElementId>) {
        let Some(&last) = sequence.last() else { return };
        let mut after_skip = false;
        sequence.retain(|&id| {
            let element = &self.elements[id as usize];
            let (skips, prints) = match &element.kind {
                ElementKind::Basic(Basic::Stmt(StmtKind::Printf(..) | StmtKind::Printm(_), _)) => (true, true),
                ElementKind::Basic(Basic::Stmt(StmtKind::Expr(expr), _)) => {
                    (lower.is_one(expr, self.owner, element.scope), false)
                }
                _ => (false, false),
            };
            let skips = skips && element.labels.is_empty();
            let redundant = skips && !prints && after_skip && id != last;
            after_skip = skips;
            if redundant {
                self.elements[id as usize].kind = ElementKind::Join;
            }
            !redundant
        });
    }

    /// Puts together the head of a selection or (with an exit) of a loop.
    pub(super) fn head(
        &mut self,
        sequences: Vec<Vec<ElementId>>,
        join: ElementId,
        exit: Option<ElementId>,
        span: Span,
        context: &Context,
        list: &mut Vec<ElementId>,
    ) -> ElementId {
        for sequence in &sequences {
            self.link(sequence, Some(join));
        }
        let head = self.add(ElementKind::Options(sequences), span, context);
        match exit {
            Some(exit) => list.extend([join, head, exit]),
            None => list.extend([head, join]),
        }
        head
    }

    /// Sets what comes after each element of a sequence.
    pub(super) fn link(&mut self, list: &[ElementId], after: Option<ElementId>) {
        for (position, &id) in list.iter().enumerate() {
            let next = list.get(position + 1).copied().or(after);
            match self.elements[id as usize].kind.clone() {
                ElementKind::Block(inner) | ElementKind::Atomic(inner) => self.link(&inner, next),
                ElementKind::DStep(inner) => self.link(&inner, None),
                _ => {}
            }
            self.elements[id as usize].next = next;
        }
    }
}
