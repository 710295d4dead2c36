//! Machine code for statements.

use super::rule_call;
use super::scope::{RuleScope, own_memory, pointer};
use crate::code::{Code, CompileError};
use crate::expr::{self, branch, constant, value};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Switch;
use std::collections::HashSet;
use tightrope_core::Repr;
use tightrope_ir::effects::operations::weight;
use tightrope_ir::rule::MAX_ROUNDS;
use tightrope_ir::{Expr, Multiset, Stmt, StmtKind, Variable};

/// The alternatives of a `switch`.
type Cases = [(Vec<Expr>, Vec<Stmt>)];

impl RuleScope<'_, '_> {
    /// Statements in order. Whether control reaches their end.
    pub fn block(&mut self, code: &mut Code<'_>, stmts: &[Stmt]) -> Result<bool, CompileError> {
        for stmt in stmts {
            if !self.statement(code, &stmt.kind)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Statements in order, then a jump to `end`. Whether control reaches it.
    fn block_to(&mut self, code: &mut Code<'_>, stmts: &[Stmt], end: Block) -> Result<bool, CompileError> {
        let comes = self.block(code, stmts)?;
        if comes {
            code.builder.ins().jump(end, &[]);
        }
        Ok(comes)
    }

    fn statement(&mut self, code: &mut Code<'_>, kind: &StmtKind) -> Result<bool, CompileError> {
        match kind {
            StmtKind::Set(variable, expr) => self.set(code, variable, expr)?,
            StmtKind::SetSlot(slot, expr) => {
                let number = value(code, self, expr)?;
                self.set_number(code, *slot, number)?;
            }
            StmtKind::Bind(slot, variable) => self.set_place(code, *slot, variable)?,
            StmtKind::Copy(to, from, size) => {
                let from = expr::address(code, self, from)?;
                let to = expr::address(code, self, to)?;
                self.copy(code, to, from, *size);
            }
            StmtKind::Fill(to, bytes) => {
                let to = expr::address(code, self, to)?;
                self.fill(code, to, bytes);
            }
            StmtKind::If(options, otherwise) => {
                let end = code.block();
                let mut comes = false;
                for (condition, block) in options {
                    let (yes, no) = (code.block(), code.block());
                    branch(code, self, condition, yes, no)?;
                    code.begin(yes);
                    comes |= self.block_to(code, block, end)?;
                    code.begin(no);
                }
                comes |= self.block_to(code, otherwise, end)?;
                if comes {
                    code.begin(end);
                }
                return Ok(comes);
            }
            StmtKind::Switch(value, cases, otherwise) => return self.switch(code, value, cases, otherwise),
            StmtKind::For(slot, low, high, step, body) => {
                let weight = weight(body);
                return self.each(code, *slot, (low, high, *step), weight, &mut |scope, code| scope.block(code, body));
            }
            StmtKind::While(condition, body) => self.repeat(code, condition, body)?,
            StmtKind::Call(call) => {
                self.call(code, call)?;
            }
            StmtKind::Return(returned) => {
                let (exit, register) = self.exit.ok_or("there is nowhere to return to")?;
                let returned = match returned {
                    Some(returned) => value(code, self, returned)?,
                    None => code.number(0),
                };
                if let Some(register) = register {
                    code.builder.def_var(register, returned);
                }
                code.builder.ins().jump(exit, &[]);
                return Ok(false);
            }
            StmtKind::Assert(condition, _) => {
                let (on, bailout) = (code.block(), code.bailout);
                branch(code, self, condition, on, bailout)?;
                code.begin(on);
            }
            StmtKind::Error(_) => {
                code.builder.ins().jump(code.bailout, &[]);
                return Ok(false);
            }
            // Text is not made by machine code.
            StmtKind::Print(_) => {}
            StmtKind::Insert(multiset, form, element) => self.insert(code, multiset, form, element)?,
            StmtKind::Remove(multiset, form, position) => self.remove(code, multiset, form, position)?,
        }
        Ok(true)
    }

    fn switch(
        &mut self,
        code: &mut Code<'_>,
        on: &Expr,
        cases: &Cases,
        otherwise: &[Stmt],
    ) -> Result<bool, CompileError> {
        let on = value(code, self, on)?;
        let end = code.block();
        let blocks: Vec<Block> = cases.iter().map(|_| code.block()).collect();
        let alternatives = || cases.iter().flat_map(|(alternatives, _)| alternatives);
        let numbers: Option<Vec<i32>> = alternatives().map(constant).collect();
        let rest = code.block();
        match numbers {
            Some(numbers) if numbers.len() > 3 => {
                let mut seen = HashSet::new();
                let mut switch = Switch::new();
                for ((alternatives, _), &block) in cases.iter().zip(&blocks) {
                    // The first block with a case counts.
                    for number in alternatives.iter().filter_map(constant).filter(|number| seen.insert(*number)) {
                        switch.set_entry(u128::from(number as u32), block);
                    }
                }
                switch.emit(&mut code.builder, on, rest);
            }
            _ => {
                for ((alternatives, _), &block) in cases.iter().zip(&blocks) {
                    for alternative in alternatives {
                        let alternative = value(code, self, alternative)?;
                        let same = code.builder.ins().icmp(IntCC::Equal, alternative, on);
                        let next = code.block();
                        code.builder.ins().brif(same, block, &[], next, &[]);
                        code.begin(next);
                    }
                }
                code.builder.ins().jump(rest, &[]);
            }
        }
        let mut comes = false;
        for ((_, stmts), &block) in cases.iter().zip(&blocks) {
            code.begin(block);
            comes |= self.block_to(code, stmts, end)?;
        }
        code.begin(rest);
        comes |= self.block_to(code, otherwise, end)?;
        if comes {
            code.begin(end);
        }
        Ok(comes)
    }

    fn repeat(&mut self, code: &mut Code<'_>, condition: &Expr, body: &[Stmt]) -> Result<(), CompileError> {
        let (head, round, end) = (code.block(), code.block(), code.block());
        code.builder.ins().jump(head, &[]);
        code.builder.switch_to_block(head);
        branch(code, self, condition, round, end)?;
        code.begin(round);
        // The rounds of all loops are counted together: an endless loop is never missed, and the interpreter counts
        // again after the bailout.
        let rounds = code.builder.ins().load(types::I64, own_memory(), self.call, rule_call::ROUNDS);
        let one = code.wide(1);
        let rounds = code.builder.ins().iadd(rounds, one);
        code.builder.ins().store(own_memory(), rounds, self.call, rule_call::ROUNDS);
        let most = code.wide(MAX_ROUNDS as i64);
        let endless = code.builder.ins().icmp(IntCC::UnsignedGreaterThan, rounds, most);
        code.bail_if(endless);
        self.block_to(code, body, head)?;
        code.builder.seal_block(head);
        code.begin(end);
        Ok(())
    }

    fn insert(
        &mut self,
        code: &mut Code<'_>,
        multiset: &Variable,
        form: &Multiset,
        element: &Variable,
    ) -> Result<(), CompileError> {
        let place = expr::address(code, self, multiset)?;
        let element = expr::address(code, self, element)?;
        let (place, element) = (pointer(code, place), pointer(code, element));
        let (count, size) = (code.wide(form.count.into()), code.wide(form.size.into()));
        let done = self.help(code, self.unit.helpers.insert, &[place, count, size, element]);
        code.bail_unless(done.ok_or("a helper that returns nothing")?);
        Ok(())
    }

    fn remove(
        &mut self,
        code: &mut Code<'_>,
        multiset: &Variable,
        form: &Multiset,
        position: &Expr,
    ) -> Result<(), CompileError> {
        let position = value(code, self, position)?;
        let mut place = expr::address(code, self, multiset)?;
        code.bail_unless_below(position, form.count);
        let position = code.builder.ins().uextend(types::I64, position);
        let size = code.wide(form.size.into());
        let moved = code.builder.ins().imul(position, size);
        place.base = code.builder.ins().iadd(place.base, moved);
        let used = code.load(Repr::U8, place);
        code.bail_unless(used);
        self.fill(code, place, &vec![0; form.size as usize]);
        Ok(())
    }

    /// Brings the multisets of a state into order.
    pub fn sort(&mut self, code: &mut Code<'_>, state: Value) {
        let unit = self.unit;
        for multiset in &unit.rules.multisets {
            let offset = code.wide(multiset.offset.into());
            let at = code.builder.ins().iadd(state, offset);
            let bytes = code.wide(i64::from(multiset.size) * i64::from(multiset.count));
            let size = code.wide(multiset.size.into());
            self.help(code, unit.helpers.sort, &[at, bytes, size]);
        }
    }
}
