//! `unless`: escapes from a sequence.

use super::{Context, ControlFlow, ElementId, ElementKind};
use crate::ast::{Stmt, StmtKind};
use crate::lower::Lower;

impl<'a> ControlFlow<'a> {
    pub(super) fn unless(
        &mut self,
        lower: &mut Lower<'_>,
        stmt: &'a Stmt,
        main: &'a Stmt,
        escape: &'a Stmt,
        context: &mut Context,
        list: &mut Vec<ElementId>,
    ) -> ElementId {
        // The braces of either part are just that, unless they carry a label. What a counting loop begins with comes before
        // the whole, and cannot be escaped from.
        let mut before = Vec::new();
        // A label on a sequence that is escaped from is on the whole, as if there were braces around it.
        let lifted = !main.labels.is_empty() && matches!(main.kind, StmtKind::Block(_) | StmtKind::Atomic(_));
        let labels = &main.labels;
        let mut part = |flow: &mut Self, part: &'a Stmt, bare: bool, lifted: bool| match &part.kind {
            StmtKind::Block(seq) if bare => flow.block(lower, seq, context),
            StmtKind::Atomic(seq) if lifted => {
                let inner = flow.block(lower, seq, context);
                flow.make_atomic(&inner);
                inner
            }
            _ => {
                let mut inner = Vec::new();
                flow.stmt(lower, part, context, &mut inner);
                if let StmtKind::ForRange { .. } | StmtKind::ForIn { .. } | StmtKind::Select { .. } = &part.kind {
                    before.push(inner.remove(0));
                }
                inner
            }
        };
        let main = part(self, main, lifted || main.labels.is_empty(), lifted);
        let escape = part(self, escape, escape.labels.is_empty(), false);
        list.append(&mut before);
        let join = self.add(ElementKind::Join, stmt.span, context);
        self.link(&main, Some(join));
        self.link(&escape, Some(join));
        if let Some(&first) = escape.first() {
            let group = self.escapes.len() as u32;
            self.escapes.push(first);
            self.attach_escape(&main, group);
        }
        let kind = if main.is_empty() { ElementKind::Join } else { ElementKind::Unless(main, escape) };
        let id = self.add(kind, stmt.span, context);
        if lifted {
            let whole = self.add(ElementKind::Block(vec![id, join]), stmt.span, context);
            self.set_labels(lower, labels, whole);
            list.push(whole);
            return whole;
        }
        list.extend([id, join]);
        id
    }

    /// Lets an escape apply to everything inside a sequence. Outer ones come later, and go first.
    fn attach_escape(&mut self, list: &[ElementId], group: u32) {
        for &id in list {
            self.elements[id as usize].escapes.insert(0, group);
            for inner in self.inner(id, false) {
                self.attach_escape(&inner, group);
            }
        }
    }
}
