//! Operator precedence: expressions with prefix and infix operators.
//!
//! Operators wait on a stack for their right operands (Dijkstra's shunting-yard algorithm, 1961) instead of being parsed
//! by recursion, so that a long expression takes no stack. The height of the resulting tree is limited, since walking the
//! tree recurses. Chains of an operator that may be [regrouped](Expression::regroups) become balanced
//! trees: generated models contain chains of thousands.

use crate::{Diagnostic, Parsed, RecursiveDescent, Reported, Span, Spanned};

/// How high an expression's tree may be: 1000 operators in a row.
const MAX_HEIGHT: u32 = 1000;

/// What the expressions of a language are, and the precedence of its operators.
pub trait Expression: Sized {
    /// Operators before their operand.
    type Prefix: Copy;
    /// Operators between their operands.
    type Infix: Copy + Eq;

    /// An operator applied to one operand.
    fn unary(operator: Self::Prefix, operand: Spanned<Self>) -> Self;
    /// An operator applied to two operands.
    fn binary(operator: Self::Infix, left: Spanned<Self>, right: Spanned<Self>) -> Self;

    /// How tightly a prefix operator binds: more is tighter.
    fn prefix_precedence(operator: Self::Prefix) -> u8;
    /// How tightly an infix operator binds: more is tighter.
    fn infix_precedence(operator: Self::Infix) -> u8;
    /// Whether `a op b op c` is `(a op b) op c`. If not it is an error. The operators of one precedence agree.
    fn associates(_operator: Self::Infix) -> bool {
        true
    }
    /// Whether grouping changes neither the value of `a op b op c` nor the order in which operands are evaluated.
    fn regroups(_operator: Self::Infix) -> bool {
        false
    }
}

/// A part of an expression, and how high its tree is.
pub struct Operand<E: Expression> {
    content: Content<E>,
    span: Span,
    height: u32,
}

enum Content<E: Expression> {
    One(Spanned<E>),
    /// The operands of a chain of one operator that may be regrouped, and the height of the highest.
    Chain(E::Infix, Vec<Spanned<E>>, u32),
}

impl<E: Expression> Operand<E> {
    /// An operand of this height.
    pub fn new(expr: Spanned<E>, height: u32) -> Self {
        Operand { span: expr.span, content: Content::One(expr), height }
    }

    /// Its place.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The height of its tree.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The expression, unless it is a chain that may grow.
    pub fn expr(&self) -> Option<&Spanned<E>> {
        match &self.content {
            Content::One(expr) => Some(expr),
            Content::Chain(..) => None,
        }
    }

    /// The whole expression.
    pub fn into_expr(self) -> Spanned<E> {
        match self.content {
            Content::One(expr) => expr,
            Content::Chain(operator, operands, _) => balanced(operator, operands),
        }
    }

    /// The operand in parentheses at a place. A chain in parentheses is an operand of its own.
    #[must_use]
    pub fn parenthesised(self, span: Span) -> Self {
        let height = self.height;
        Operand { content: Content::One(Spanned { span, ..self.into_expr() }), span, height }
    }
}

/// The operands of a chain as a tree of least height. There is at least one.
fn balanced<E: Expression>(operator: E::Infix, mut operands: Vec<Spanned<E>>) -> Spanned<E> {
    while operands.len() > 1 {
        let mut paired = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(left) = rest.next() {
            let Some(right) = rest.next() else {
                paired.push(left);
                break;
            };
            let span = left.span.to(right.span);
            paired.push(Spanned { kind: E::binary(operator, left, right), span });
        }
        operands = paired;
    }
    operands.pop().expect("a chain has operands")
}

/// An operator that waits for its right operand, and its place.
pub enum Pending<E: Expression> {
    /// Before its operand.
    Prefix(E::Prefix, Span),
    /// After its left operand.
    Infix(E::Infix, Span),
}

impl<E: Expression> Pending<E> {
    fn precedence(&self) -> u8 {
        match *self {
            Pending::Prefix(operator, _) => E::prefix_precedence(operator),
            Pending::Infix(operator, _) => E::infix_precedence(operator),
        }
    }

    /// Whether it is applied before the infix operator after its right operand.
    fn binds_before(&self, next: E::Infix) -> bool {
        let associates = !matches!(*self, Pending::Infix(operator, _) if !E::associates(operator));
        let (own, next) = (self.precedence(), E::infix_precedence(next));
        own > next || (own == next && associates)
    }
}

/// A parser of expressions with operators.
pub trait OperatorParser: RecursiveDescent {
    /// What the expressions are.
    type Expr: Expression;

    /// What to do about an expression that is too high, as messages say it.
    const TOO_HIGH_HELP: &'static str;

    /// The prefix operator that the current token is.
    fn prefix(&self) -> Option<<Self::Expr as Expression>::Prefix>;

    /// The infix operator that the current token is, or none where the expression ends.
    fn infix(&mut self, pending: &[Pending<Self::Expr>]) -> Option<<Self::Expr as Expression>::Infix>;

    /// An operand without operators.
    fn primary(&mut self) -> Parsed<Operand<Self::Expr>>;

    /// Refuses operands that an operator cannot have whatever their values.
    fn check_operand(&mut self, _operator: &Pending<Self::Expr>, _operand: &Operand<Self::Expr>) -> Parsed<()> {
        Ok(())
    }

    /// Reports a second operator after one of the same precedence that does not associate.
    fn not_associative(&mut self, _first: <Self::Expr as Expression>::Infix, _span: Span) -> Reported {
        self.expected("parentheses")
    }

    /// Operands with all operators between and before them.
    fn operators(&mut self) -> Parsed<Operand<Self::Expr>> {
        let mut pending = Vec::new();
        self.prefixes(&mut pending);
        let first = self.primary()?;
        self.operators_after(pending, first)
    }

    /// What is left of [`operators`](OperatorParser::operators) after the first operand.
    fn operators_after(
        &mut self,
        mut pending: Vec<Pending<Self::Expr>>,
        first: Operand<Self::Expr>,
    ) -> Parsed<Operand<Self::Expr>> {
        let mut operands = Vec::new();
        let mut right = first;
        loop {
            let next = self.infix(&pending);
            while let Some(top) = pending.pop_if(|top| next.is_none_or(|next| top.binds_before(next))) {
                right = self.apply(top, &mut operands, right)?;
            }
            let Some(operator) = next else {
                return Ok(right);
            };
            if let Some(&Pending::Infix(before, span)) = pending.last()
                && Self::Expr::infix_precedence(before) == Self::Expr::infix_precedence(operator)
            {
                return Err(self.not_associative(before, span));
            }
            operands.push(right);
            pending.push(Pending::Infix(operator, self.span()));
            self.advance();
            self.prefixes(&mut pending);
            right = self.primary()?;
        }
    }

    /// Prefix operators as far as they go.
    fn prefixes(&mut self, pending: &mut Vec<Pending<Self::Expr>>) {
        while let Some(operator) = self.prefix() {
            pending.push(Pending::Prefix(operator, self.span()));
            self.advance();
        }
    }

    /// Applies an operator to its operands.
    #[inline(never)]
    fn apply(
        &mut self,
        operator: Pending<Self::Expr>,
        operands: &mut Vec<Operand<Self::Expr>>,
        right: Operand<Self::Expr>,
    ) -> Parsed<Operand<Self::Expr>> {
        let (infix, left) = match operator {
            Pending::Prefix(prefix, start) => {
                self.check_operand(&operator, &right)?;
                let span = start.to(right.span);
                let height = self.grown(right.height, span)?;
                let kind = Self::Expr::unary(prefix, right.into_expr());
                return Ok(Operand::new(Spanned { kind, span }, height));
            }
            Pending::Infix(infix, _) => (infix, operands.pop()),
        };
        let Some(left) = left else {
            return Ok(right);
        };
        self.check_operand(&operator, &left)?;
        self.check_operand(&operator, &right)?;
        let span = left.span.to(right.span);
        if Self::Expr::regroups(infix) {
            let (mut chain, tallest) = match left.content {
                Content::Chain(operator, chain, tallest) if operator == infix => (chain, tallest),
                content => (vec![Operand { content, ..left }.into_expr()], left.height),
            };
            let tallest = tallest.max(right.height);
            chain.push(right.into_expr());
            let height = self.grown(tallest + (chain.len() - 1).ilog2(), span)?;
            return Ok(Operand { content: Content::Chain(infix, chain, tallest), span, height });
        }
        let height = self.grown(left.height.max(right.height), span)?;
        let kind = Self::Expr::binary(infix, left.into_expr(), right.into_expr());
        Ok(Operand::new(Spanned { kind, span }, height))
    }

    /// One more than `height`, if an expression may be that high.
    #[inline(never)]
    fn grown(&mut self, height: u32, span: Span) -> Parsed<u32> {
        if height < MAX_HEIGHT {
            return Ok(height + 1);
        }
        let error = Diagnostic::error(format!("this expression is more than {MAX_HEIGHT} operators high"))
            .at(span, "too long")
            .help(Self::TOO_HIGH_HELP);
        Err(self.abort(error))
    }
}
