//! `for` and `select`: loops that count.

use super::{Basic, Context, ControlFlow, ElementId, ElementKind, JumpTarget, LoopBound, LoopValue};
use crate::ast::{self, Seq, VarRef};
use crate::lower::Lower;
use tightrope_syntax::Span;

impl<'a> ControlFlow<'a> {
    /// `do :: tests; body; steps :: else -> break od`. A label on a loop that counts is on this, behind the initialisation.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn counted_loop(
        &mut self,
        lower: &mut Lower<'_>,
        mut option: Vec<ElementId>,
        body: &'a Seq,
        steps: Vec<Basic<'a>>,
        span: Span,
        context: &mut Context,
        list: &mut Vec<ElementId>,
    ) -> ElementId {
        let join = self.add(ElementKind::Join, span, context);
        let exit = self.add(ElementKind::Join, span, context);
        context.loop_exits.push(exit);
        option.extend(self.block(lower, body, context));
        context.loop_exits.pop();
        for step in steps {
            option.push(self.add(ElementKind::Basic(step), span, context));
        }
        let otherwise = self.add(ElementKind::Basic(Basic::Otherwise), span, context);
        let leave = self.add(ElementKind::Jump(JumpTarget::Element(exit)), span, context);
        self.head(vec![option, vec![otherwise, leave]], join, Some(exit), span, context, list)
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn for_in(
        &mut self,
        lower: &mut Lower<'_>,
        var: &'a VarRef,
        over: &'a VarRef,
        body: &'a Seq,
        span: Span,
        context: &mut Context,
        list: &mut Vec<ElementId>,
    ) -> ElementId {
        match lower.array_length(over, self.owner, context.scope) {
            Some(length) => {
                let set = self.add(ElementKind::Basic(Basic::Set(var, LoopValue::Const(0))), span, context);
                list.push(set);
                let limit = LoopBound::AtMostConst(length as i32 - 1);
                let test = self.add(ElementKind::Basic(Basic::Below(var, limit)), span, context);
                let step = Basic::Set(var, LoopValue::OneMore);
                self.counted_loop(lower, vec![test], body, vec![step], span, context, list)
            }
            None => {
                let counter = lower.unnamed_counter(self.owner);
                let set = self.add(ElementKind::Basic(Basic::CountStart(counter)), span, context);
                list.push(set);
                let test = self.add(ElementKind::Basic(Basic::CountBelow(counter, over)), span, context);
                let take = self.add(ElementKind::Basic(Basic::Take(over, var)), span, context);
                let put = self.add(ElementKind::Basic(Basic::PutBack(over, var)), span, context);
                let step = Basic::CountUp(counter);
                self.counted_loop(lower, vec![test, take, put], body, vec![step], span, context, list)
            }
        }
    }

    /// A loop that goes up and may stop anywhere; stopping is its first option. (In its plainest form `select` is a selection among assignments; the
    /// parser has made it one.)
    pub(super) fn select(
        &mut self,
        var: &'a VarRef,
        low: &'a ast::Bound,
        high: &'a ast::Bound,
        span: Span,
        context: &mut Context,
        list: &mut Vec<ElementId>,
    ) -> ElementId {
        let set = self.add(ElementKind::Basic(Basic::Set(var, LoopValue::Bound(low))), span, context);
        list.push(set);
        let join = self.add(ElementKind::Join, span, context);
        let exit = self.add(ElementKind::Join, span, context);
        let test = self.add(ElementKind::Basic(Basic::Below(var, LoopBound::Under(high))), span, context);
        let more = self.add(ElementKind::Basic(Basic::Set(var, LoopValue::OneMore)), span, context);
        let leave = self.add(ElementKind::Jump(JumpTarget::Element(exit)), span, context);
        self.head(vec![vec![leave], vec![test, more]], join, Some(exit), span, context, list)
    }
}
