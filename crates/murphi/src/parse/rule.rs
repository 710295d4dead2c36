//! Rules and what they stand in.

use super::Parser;
use crate::ast::{Block, Domain, Expr, ExprKind, Quantifier, Rule, RuleKind, Selection, Stmt, StmtKind};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Name, Parsed, RecursiveDescent, Reported, Span};

impl Parser<'_> {
    /// Rules as far as they go.
    pub(super) fn rules(&mut self, rules: &mut Vec<Rule>) {
        loop {
            while self.accept(Tok::Semi) {}
            if !self.at_rule() {
                break;
            }
            let errors = self.diagnostics().error_count();
            match self.nested(Self::rule) {
                Ok(rule) => rules.push(rule),
                Err(Reported) => self.skip_rule(),
            }
            self.recovery().active = self.diagnostics().error_count() > errors;
        }
    }

    /// Rules up to the `end` of what they stand in.
    fn inner_rules(&mut self, end: Tok, open: Span) -> Parsed<Vec<Rule>> {
        let mut rules = Vec::new();
        self.closers.push(end);
        loop {
            self.rules(&mut rules);
            if self.at_end() || self.at(Tok::Eof) || self.at_item() {
                break;
            }
            self.unexpected_item();
            self.advance();
            self.skip_rule();
        }
        self.closers.pop();
        self.close(end, open)?;
        Ok(rules)
    }

    fn rule(&mut self) -> Parsed<Rule> {
        self.else_if = None;
        let start = self.span();
        match self.kind() {
            Tok::Rule => self.simple_rule(),
            Tok::Startstate => {
                self.advance();
                let name = self.string();
                let head = start.to(self.cursor.previous);
                if self.starts_expr() && !self.at(Tok::Ident) {
                    let error = Diagnostic::error("a start state has no guard")
                        .at(self.span(), "expected statements")
                        .help("test the condition with `if` inside, or leave the start state out of the model");
                    self.report(error);
                    self.skip_guard();
                }
                let block = self.block(Tok::EndStartstate, start)?;
                Ok(Rule { kind: RuleKind::Start { name, block }, head })
            }
            Tok::Invariant | Tok::Assert => {
                self.advance();
                let mut name = self.string();
                let mut head = start.to(self.cursor.previous);
                let mut condition = self.expr()?;
                if self.at(Tok::LongArrow) {
                    self.expected("`;`");
                    self.advance();
                    condition = self.expr()?;
                }
                if name.is_none() {
                    name = self.string();
                    head = head.to(condition.span);
                }
                Ok(Rule { kind: RuleKind::Invariant { name, condition }, head })
            }
            Tok::Ruleset => {
                self.advance();
                let quantifiers = self.rules_head(Self::quantifiers);
                let head = start.to(self.cursor.previous);
                let rules = self.inner_rules(Tok::EndRuleset, start)?;
                let quantifiers = quantifiers?;
                Ok(Rule { kind: RuleKind::Ruleset { quantifiers, rules }, head })
            }
            Tok::Alias => {
                self.advance();
                let aliases = self.rules_head(Self::aliases);
                let head = start.to(self.cursor.previous);
                let rules = self.inner_rules(Tok::EndAlias, start)?;
                let aliases = aliases?;
                Ok(Rule { kind: RuleKind::Alias { aliases, rules }, head })
            }
            _ => {
                self.advance();
                let over = self.rules_head(Self::selection);
                let head = start.to(self.cursor.previous);
                let rules = self.inner_rules(Tok::EndChoose, start)?;
                let over = Box::new(over?);
                Ok(Rule { kind: RuleKind::Choose { over, rules }, head })
            }
        }
    }

    /// The head of a ruleset, an alias or a `choose`, up to `do`. After an error, the rules inside are still parsed.
    fn rules_head<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let head = part(self);
        match head {
            Ok(_) => drop(self.do_or_colon()),
            Err(Reported) => self.skip_past(Tok::Do),
        }
        head
    }

    /// `rule 3 "name" guard ==> … end`
    fn simple_rule(&mut self) -> Parsed<Rule> {
        let start = self.span();
        self.advance();
        let mut priority = if self.at(Tok::Number) { self.expect_number()? } else { 0 };
        self.priority(&mut priority)?;
        let name = self.string();
        self.priority(&mut priority)?;
        let head = start.to(self.cursor.previous);
        let (guard, first) = match self.guard() {
            Ok(found) => found,
            Err(Reported) => {
                self.skip_guard();
                (None, None)
            }
        };
        let mut block = Block::default();
        block.stmts.extend(first);
        let rest = self.block(Tok::EndRule, start)?;
        block.decls = rest.decls;
        block.stmts.extend(rest.stmts);
        Ok(Rule { kind: RuleKind::Simple { name, priority, guard, block }, head })
    }

    /// `priority 3`, spelled out. A name before a number starts nothing else, so no variable is in the way.
    fn priority(&mut self, priority: &mut i32) -> Parsed<()> {
        if self.at(Tok::Ident)
            && self.cursor.peek(1).kind == Tok::Number
            && self.text().eq_ignore_ascii_case("priority")
        {
            self.advance();
            *priority = self.expect_number()?;
        }
        Ok(())
    }

    /// The guard, or the first statement of a rule that has none: which of them it is shows only after the designator
    /// or the call that it starts with.
    fn guard(&mut self) -> Parsed<(Option<Expr>, Option<Stmt>)> {
        if self.accept(Tok::LongArrow) {
            let error = Diagnostic::error("the guard is missing before `==>`")
                .at(self.cursor.previous, "expected an expression before this")
                .help("a rule that is always possible has neither a guard nor `==>`");
            self.report(error);
            return Ok((None, None));
        }
        if !self.starts_expr() {
            return Ok((None, None));
        }
        if self.at(Tok::Real) {
            let error = Diagnostic::error("probabilistic rules are not supported")
                .at(self.span(), "a probability")
                .help("a guard is a boolean expression");
            return Err(self.report(error));
        }
        let outside = std::mem::replace(&mut self.in_guard, true);
        let expr = self.expr();
        self.in_guard = outside;
        let expr = expr?;
        if self.accept(Tok::LongArrow) {
            return Ok((Some(expr), None));
        }
        if self.at_short_arrow() || self.at(Tok::Arrow) {
            self.wrong_guard_arrow();
            return Ok((Some(expr), None));
        }
        let span = expr.span;
        match expr.kind {
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(_) if self.at(Tok::Assign) => {
                let assign = self.span();
                let statement = self.assignment(expr)?;
                if self.accept(Tok::LongArrow) {
                    let error = Diagnostic::error("to compare, write `=`").at(assign, "this assigns");
                    self.report(error);
                    return Ok((None, None));
                }
                Ok((None, Some(statement)))
            }
            ExprKind::Call(name, args) if self.at(Tok::Semi) || self.at_end() => {
                Ok((None, Some(Stmt { kind: StmtKind::Call(name, args), span })))
            }
            _ => Err(self.expected("`==>`")),
        }
    }

    /// `x : T; y := 1 to 3`
    pub(super) fn quantifiers(&mut self) -> Parsed<Vec<Quantifier>> {
        let mut list = vec![self.quantifier()?];
        while self.accept(Tok::Semi) {
            if !self.at(Tok::Ident) {
                break;
            }
            list.push(self.quantifier()?);
        }
        Ok(list)
    }

    fn quantifier(&mut self) -> Parsed<Quantifier> {
        let name = self.expect_ident("the name of a variable")?;
        if self.accept(Tok::Assign) {
            let from = self.expr()?;
            self.expect(Tok::To, "`to`")?;
            let to = self.expr()?;
            let by = if self.accept(Tok::By) { Some(self.expr()?) } else { None };
            return Ok(Quantifier { name, domain: Domain::Steps(Box::new((from, to, by))) });
        }
        self.expect(Tok::Colon, "`: type` or `:= first to last`")?;
        Ok(Quantifier { name, domain: Domain::Type(self.type_expr()?) })
    }

    /// `a : x; b : y.f`
    pub(super) fn aliases(&mut self) -> Parsed<Vec<(Name, Expr)>> {
        let mut list = Vec::new();
        loop {
            let name = self.expect_ident("the alias's name")?;
            self.expect(Tok::Colon, "`:` and what the alias stands for")?;
            list.push((name, self.expr()?));
            if self.at(Tok::Comma) {
                let error = Diagnostic::error("aliases are separated by `;`").at(self.span(), "write `;` here");
                self.report(error);
                self.advance();
            } else {
                while self.accept(Tok::Semi) {}
            }
            if !self.at(Tok::Ident) {
                return Ok(list);
            }
        }
    }

    /// `i : multiset`
    pub(super) fn selection(&mut self) -> Parsed<Selection> {
        let name = self.expect_ident("the name of a variable")?;
        self.expect(Tok::Colon, "`:` and a multiset")?;
        Ok(Selection { name, multiset: self.designator()? })
    }

    /// `do`, for which CMurphi takes a colon, too.
    pub(super) fn do_or_colon(&mut self) -> Parsed<()> {
        if self.accept(Tok::Do) || self.accept(Tok::Colon) {
            return Ok(());
        }
        Err(self.expected("`do`"))
    }
}
