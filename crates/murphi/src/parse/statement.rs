//! Statements.

use super::Parser;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Switch};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported, Span};

impl Parser<'_> {
    /// Statements up to something that cannot start one.
    pub(super) fn statements(&mut self, list: &mut Vec<Stmt>) {
        loop {
            while self.accept(Tok::Semi) {}
            if self.at_block_end() {
                break;
            }
            let before = self.cursor.position;
            match self.nested(Self::statement) {
                Ok(statement) => list.push(statement),
                Err(Reported) if self.misspells_its_keyword(before) => self.skip_to_close(),
                Err(Reported) => self.skip_statement(),
            }
            if !self.at(Tok::Semi) && !self.at_block_end() {
                self.missing_semicolon();
                // A name that nothing is assigned to is no statement either.
                let named = !self.at(Tok::Ident) || self.body_starts(0) || self.cursor.peek(1).kind == Tok::LParen;
                if !self.starts_statement() || !named {
                    self.skip_statement();
                }
            }
            if self.cursor.position == before {
                self.advance();
            }
        }
    }

    /// The statements of a part, up to its `end`.
    fn body(&mut self, end: Tok, open: Span) -> Parsed<Vec<Stmt>> {
        let mut list = Vec::new();
        self.closers.push(end);
        self.statements(&mut list);
        self.closers.pop();
        self.close(end, open)?;
        Ok(list)
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = match self.kind() {
            Tok::Ident => return self.assignment_or_call(),
            Tok::If => self.if_statement()?,
            Tok::Switch => self.switch_statement()?,
            Tok::For => {
                let quantifiers = self.head(Tok::Do, Self::quantifiers);
                let body = self.body(Tok::EndFor, start)?;
                StmtKind::For(quantifiers?, body)
            }
            Tok::While => {
                let condition = self.head(Tok::Do, Self::expr);
                let body = self.body(Tok::EndWhile, start)?;
                StmtKind::While(Box::new(condition?), body)
            }
            Tok::Alias => {
                let aliases = self.head(Tok::Do, Self::aliases);
                let body = self.body(Tok::EndAlias, start)?;
                StmtKind::Alias(aliases?, body)
            }
            _ => self.simple_statement()?,
        };
        Ok(Stmt { kind, span: start.to(self.cursor.previous) })
    }

    /// What stands between a keyword and the `do` or `then` before a body. After an error, the body is parsed all the
    /// same.
    fn head<T>(&mut self, last: Tok, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.advance();
        let result = part(self).and_then(|found| {
            match last {
                Tok::Then => drop(self.expect(Tok::Then, "`then`")?),
                _ => self.do_or_colon()?,
            }
            Ok(found)
        });
        if result.is_err() {
            self.skip_past(last);
        }
        result
    }

    /// A statement that contains no others.
    #[inline(never)]
    fn simple_statement(&mut self) -> Parsed<StmtKind> {
        let keyword = self.kind();
        if !self.starts_statement() {
            return Err(self.expected("a statement"));
        }
        self.advance();
        Ok(match keyword {
            Tok::Clear => StmtKind::Clear(Box::new(self.designator()?)),
            Tok::Undefine => StmtKind::Undefine(Box::new(self.designator()?)),
            Tok::Error => match self.string() {
                Some(text) => StmtKind::Error(text),
                None => return Err(self.expected("a string")),
            },
            Tok::Assert => {
                let before = self.string();
                let condition = Box::new(self.expr()?);
                StmtKind::Assert(condition, before.or_else(|| self.string()))
            }
            Tok::Put => match self.string() {
                Some(text) => StmtKind::PutText(text),
                None => StmtKind::Put(Box::new(self.expr()?)),
            },
            Tok::Return if self.starts_expr() => StmtKind::Return(Some(Box::new(self.expr()?))),
            Tok::Return => StmtKind::Return(None),
            Tok::MultisetAdd => {
                let (element, multiset) = self.pair()?;
                StmtKind::MultisetAdd(Box::new((element, multiset)))
            }
            Tok::MultisetRemove => {
                let (index, multiset) = self.pair()?;
                StmtKind::MultisetRemove(Box::new((index, multiset)))
            }
            _ => {
                self.expect(Tok::LParen, "`(`")?;
                let over = self.selection()?;
                self.expect(Tok::Comma, "`,` and a condition")?;
                let condition = self.expr()?;
                self.expect(Tok::RParen, "`)`")?;
                StmtKind::MultisetRemovePred(Box::new((over, condition)))
            }
        })
    }

    /// `(element, multiset)`
    fn pair(&mut self) -> Parsed<(Expr, Expr)> {
        self.expect(Tok::LParen, "`(`")?;
        let first = self.expr()?;
        self.expect(Tok::Comma, "`,` and a multiset")?;
        let multiset = self.designator()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok((first, multiset))
    }

    #[inline(never)]
    fn assignment_or_call(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        if self.cursor.peek(1).kind == Tok::LParen {
            let name = self.expect_ident("a procedure")?;
            let args = self.arguments()?;
            return Ok(Stmt { kind: StmtKind::Call(name, args), span: start.to(self.cursor.previous) });
        }
        let target = self.designator()?;
        self.assignment(target)
    }

    /// `:= value` after its target.
    #[inline(never)]
    pub(super) fn assignment(&mut self, target: Expr) -> Parsed<Stmt> {
        let backward = self.at(Tok::Lt) && self.cursor.peek(1).kind == Tok::Minus;
        if backward || matches!(self.kind(), Tok::Eq | Tok::EqEq | Tok::Arrow | Tok::LongArrow) {
            let span =
                if backward || self.at_short_arrow() { self.span().to(self.cursor.peek(1).span) } else { self.span() };
            let error = Diagnostic::error("an assignment is written `:=`").at(span, "write `:=` here");
            return Err(self.report(error));
        }
        if !self.at(Tok::Assign) {
            return Err(self.expected("`:=`"));
        }
        self.advance();
        let value = if self.accept(Tok::Undefined) { None } else { Some(self.expr()?) };
        let span = target.span.to(self.cursor.previous);
        Ok(Stmt { kind: StmtKind::Assign(Box::new((target, value))), span })
    }

    #[inline(never)]
    fn if_statement(&mut self) -> Parsed<StmtKind> {
        let open = self.span();
        let mut clauses = Vec::new();
        let mut otherwise = Vec::new();
        self.closers.push(Tok::EndIf);
        self.if_clauses(&mut clauses, &mut otherwise);
        self.closers.pop();
        self.close(Tok::EndIf, open)?;
        Ok(StmtKind::If(clauses, otherwise))
    }

    fn if_clauses(&mut self, clauses: &mut Vec<(Expr, Vec<Stmt>)>, otherwise: &mut Vec<Stmt>) {
        while clauses.is_empty() || self.at(Tok::Elsif) {
            let condition = self.head(Tok::Then, Self::expr);
            let mut body = Vec::new();
            self.statements(&mut body);
            // After an error the tree is not used: any condition will do.
            let condition = condition.unwrap_or(Expr { kind: ExprKind::Number(0), span: self.cursor.previous });
            clauses.push((condition, body));
        }
        if self.accept(Tok::Else) {
            if self.at(Tok::If) {
                self.else_if = Some(self.span());
            }
            self.statements(otherwise);
        }
    }

    #[inline(never)]
    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        let open = self.span();
        self.advance();
        let value = self.expr()?;
        let mut switch = Switch { value, cases: Vec::new(), otherwise: Vec::new() };
        self.closers.push(Tok::EndSwitch);
        let mut result = self.switch_cases(&mut switch);
        self.closers.pop();
        let stops = self.at_block_end() || self.at_end();
        if result.is_ok() && !stops {
            result = Err(self.expected("`case`, `else` or `endswitch`"));
        }
        if result.is_err() {
            self.skip_to_close();
        }
        result?;
        self.close(Tok::EndSwitch, open)?;
        Ok(StmtKind::Switch(Box::new(switch)))
    }

    fn switch_cases(&mut self, switch: &mut Switch) -> Parsed<()> {
        while self.accept(Tok::Case) {
            let mut values = vec![self.expr()?];
            while self.accept(Tok::Comma) {
                values.push(self.expr()?);
            }
            self.expect(Tok::Colon, "`:`")?;
            let mut body = Vec::new();
            self.statements(&mut body);
            switch.cases.push((values, body));
        }
        if self.accept(Tok::Else) {
            self.statements(&mut switch.otherwise);
        }
        Ok(())
    }
}
