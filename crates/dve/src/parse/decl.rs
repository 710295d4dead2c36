//! The top of a model: variables, channels, `system`.

use super::Parser;
use crate::ast::{Channel, Initial, Item, Program, System, Variable};
use crate::hir::ScalarType;
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported};

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        loop {
            while self.accept(Tok::Semi) {}
            match self.kind() {
                Tok::Eof => return program,
                Tok::Const | Tok::Int | Tok::Byte => {
                    let mut variables = Vec::new();
                    self.variables(&mut variables);
                    program.items.extend(variables.into_iter().map(Item::Variable));
                }
                Tok::Channel => {
                    if let Err(Reported) = self.channels(&mut program.items) {
                        self.skip_declaration();
                    }
                }
                Tok::Process => {
                    let errors = self.diagnostics().error_count();
                    self.missing_brace = false;
                    match self.process() {
                        Ok(process) => program.items.push(Item::Process(process)),
                        Err(Reported) => self.skip_item(),
                    }
                    self.recovery().active = self.diagnostics().error_count() > errors;
                }
                Tok::System => match self.system() {
                    Ok(system) => program.systems.push(system),
                    Err(Reported) => self.skip_item(),
                },
                _ => {
                    if !self.recovery().active {
                        self.unexpected_item();
                    }
                    self.advance();
                    self.skip_item();
                }
            }
        }
    }

    /// A declaration of variables or constants.
    pub(super) fn variables(&mut self, variables: &mut Vec<Variable>) {
        if let Err(Reported) = self.try_variables(variables) {
            self.skip_declaration();
        }
    }

    fn try_variables(&mut self, variables: &mut Vec<Variable>) -> Parsed<()> {
        let constant = self.accept(Tok::Const);
        let ty = self.scalar_type()?;
        loop {
            let name = self.expect_ident("the name of a variable")?;
            let mut length = None;
            if self.at(Tok::LBracket) {
                let open = self.span();
                self.advance();
                length = Some(self.expr()?);
                if !self.at(Tok::RBracket) {
                    return Err(self.missing_closing("`]`", "`[`", open));
                }
                self.advance();
                if self.at(Tok::LBracket) {
                    let error = Diagnostic::error("an array has one dimension")
                        .at(self.span(), "this would be a second one")
                        .help("compute the index: `a[row * columns + column]`");
                    return Err(self.report(error));
                }
            }
            let initial = if self.accept(Tok::Assign) { Some(self.initial()?) } else { None };
            variables.push(Variable { constant, ty, name, length, initial });
            if !self.accept(Tok::Comma) {
                return self.semicolon();
            }
        }
    }

    fn scalar_type(&mut self) -> Parsed<ScalarType> {
        if self.accept(Tok::Int) {
            return Ok(ScalarType::Int);
        }
        if self.accept(Tok::Byte) {
            return Ok(ScalarType::Byte);
        }
        Err(self.expected("`int` or `byte`"))
    }

    pub(super) fn initial(&mut self) -> Parsed<Initial> {
        if !self.at(Tok::LBrace) {
            return Ok(Initial::One(self.expr()?));
        }
        let open = self.span();
        self.advance();
        let values = self.list(Self::expr);
        if values.is_ok() && self.at(Tok::RBrace) {
            self.advance();
            return Ok(Initial::List(values?, open.to(self.cursor.previous)));
        }
        let error = match values {
            Ok(_) => self.missing_closing("`}`", "`{`", open),
            Err(reported) => reported,
        };
        self.skip_to_brace();
        Err(error)
    }

    /// `channel a, b;` or `channel {byte, int} a[1], b[0];`
    fn channels(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        self.advance();
        let mut types = None;
        if self.accept(Tok::LBrace) {
            types = match self.type_list() {
                Ok(list) => Some(list),
                Err(reported) => {
                    self.skip_to_brace();
                    return Err(reported);
                }
            };
        }
        loop {
            let name = self.expect_ident("the name of a channel")?;
            let mut capacity = 0;
            if self.accept(Tok::LBracket) {
                let place = self.span();
                if !self.at(Tok::Number) {
                    return Err(self.expected("how many messages the channel holds, a number"));
                }
                capacity = self.expect_number()?;
                self.expect(Tok::RBracket, "`]`")?;
                if types.is_none() && capacity > 0 {
                    let error = Diagnostic::error("a channel without types holds no messages")
                        .at(place, "only a channel with types has room")
                        .help("say what the messages consist of: `channel {byte} c[1];`");
                    self.report(error);
                }
            }
            items.push(Item::Channel(Channel { name, types: types.clone(), capacity: capacity as usize }));
            if !self.accept(Tok::Comma) {
                return self.semicolon();
            }
        }
    }

    /// `byte, int}`
    fn type_list(&mut self) -> Parsed<Vec<ScalarType>> {
        let mut list = vec![self.scalar_type()?];
        while self.accept(Tok::Comma) {
            list.push(self.scalar_type()?);
        }
        self.expect(Tok::RBrace, "`}`")?;
        Ok(list)
    }

    /// `system async property P;`
    fn system(&mut self) -> Parsed<System> {
        let start = self.span();
        self.advance();
        let synchronous = self.at(Tok::Sync);
        if !synchronous && !self.at(Tok::Async) {
            return Err(self.expected("`async` or `sync`"));
        }
        self.advance();
        let property =
            if self.accept(Tok::Property) { Some(self.expect_ident("the name of a process")?) } else { None };
        let span = start.to(self.cursor.previous);
        if !self.at(Tok::Eof) {
            self.expect(Tok::Semi, "`;`")?;
        }
        Ok(System { synchronous, property, span })
    }
}
