//! What rules read and write: the global variables, by their declared numbers.

use crate::rules::{Does, Piece, Rule, RuleSet, Stmt, Test};
use crate::{Argument, Base, Call, Expr, Variable};
use std::collections::BTreeSet;

/// The global variables that a rule may read and write, routines it calls included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleAccess {
    /// Read.
    pub reads: BTreeSet<u32>,
    /// Written.
    pub writes: BTreeSet<u32>,
}

impl RuleAccess {
    /// What a rule reads and writes.
    pub fn of(rules: &RuleSet, rule: &Rule) -> RuleAccess {
        let mut access = RuleAccess::default();
        let mut seen = BTreeSet::new();
        for (_, test) in &rule.tests {
            match test {
                Test::True(expr) => access.read(rules, expr, &mut seen),
                Test::Bind(_, argument) => access.argument(rules, argument, &mut seen),
            }
        }
        let locations = rule.from.iter().filter_map(|(automaton, _)| rules.automata.get(*automaton as usize));
        access.reads.extend(locations.map(|automaton| automaton.declared));
        access.block(rules, &rule.body, &mut seen);
        access
    }

    fn block(&mut self, rules: &RuleSet, stmts: &[Stmt], seen: &mut BTreeSet<u32>) {
        for stmt in stmts {
            match &stmt.does {
                Does::Set(to, value) => {
                    self.read(rules, value, seen);
                    self.write(rules, to, seen);
                }
                Does::SetSlot(_, value) | Does::Assert(value, _) => self.read(rules, value, seen),
                // A place that is kept may be read and written through.
                Does::Bind(_, variable) => self.reference(rules, variable, seen),
                Does::Copy(to, from, _) => {
                    self.load(rules, from, seen);
                    self.write(rules, to, seen);
                }
                Does::Fill(to, _) => self.write(rules, to, seen),
                Does::If(options, otherwise) => {
                    for (condition, block) in options {
                        self.read(rules, condition, seen);
                        self.block(rules, block, seen);
                    }
                    self.block(rules, otherwise, seen);
                }
                Does::Switch(value, cases, otherwise) => {
                    self.read(rules, value, seen);
                    for (values, block) in cases {
                        values.iter().for_each(|value| self.read(rules, value, seen));
                        self.block(rules, block, seen);
                    }
                    self.block(rules, otherwise, seen);
                }
                Does::For(_, low, high, _, block) => {
                    self.read(rules, low, seen);
                    self.read(rules, high, seen);
                    self.block(rules, block, seen);
                }
                Does::While(condition, block) => {
                    self.read(rules, condition, seen);
                    self.block(rules, block, seen);
                }
                Does::Call(call) => self.call(rules, call, seen),
                Does::Return(value) => value.iter().for_each(|value| self.read(rules, value, seen)),
                Does::Error(_) => {}
                Does::Print(pieces) => {
                    for piece in pieces {
                        match piece {
                            Piece::Text(_) => {}
                            Piece::Value(value, _) => self.read(rules, value, seen),
                            Piece::Unless(undefined, value, _) => {
                                self.read(rules, undefined, seen);
                                self.read(rules, value, seen);
                            }
                        }
                    }
                }
                Does::Insert(multiset, _, element) => {
                    self.load(rules, element, seen);
                    self.reference(rules, multiset, seen);
                }
                Does::Remove(multiset, _, position) => {
                    self.read(rules, position, seen);
                    self.reference(rules, multiset, seen);
                }
            }
        }
    }

    fn call(&mut self, rules: &RuleSet, call: &Call, seen: &mut BTreeSet<u32>) {
        call.args.iter().for_each(|argument| self.argument(rules, argument, seen));
        if seen.insert(call.routine) {
            self.block(rules, &rules.routines[call.routine as usize].body, seen);
        }
    }

    fn argument(&mut self, rules: &RuleSet, argument: &Argument, seen: &mut BTreeSet<u32>) {
        match argument {
            Argument::Value(value) => self.read(rules, value, seen),
            Argument::Place(variable) => self.reference(rules, variable, seen),
            Argument::Kept(_, value) => self.read(rules, value, seen),
        }
    }

    fn read(&mut self, rules: &RuleSet, expr: &Expr, seen: &mut BTreeSet<u32>) {
        expr.walk(&mut |expr| match expr {
            Expr::Load(variable) | Expr::Undefined(variable) if variable.base == Base::Global => {
                self.reads.insert(variable.declared);
            }
            Expr::Call(call) => self.call(rules, call, seen),
            _ => {}
        });
    }

    fn inside(&mut self, rules: &RuleSet, variable: &Variable, seen: &mut BTreeSet<u32>) {
        variable.indices.iter().for_each(|index| self.read(rules, &index.value, seen));
    }

    fn load(&mut self, rules: &RuleSet, variable: &Variable, seen: &mut BTreeSet<u32>) {
        self.inside(rules, variable, seen);
        if variable.base == Base::Global {
            self.reads.insert(variable.declared);
        }
    }

    fn write(&mut self, rules: &RuleSet, variable: &Variable, seen: &mut BTreeSet<u32>) {
        self.inside(rules, variable, seen);
        if variable.base == Base::Global {
            self.writes.insert(variable.declared);
        }
    }

    fn reference(&mut self, rules: &RuleSet, variable: &Variable, seen: &mut BTreeSet<u32>) {
        self.load(rules, variable, seen);
        self.write(rules, variable, seen);
    }
}
