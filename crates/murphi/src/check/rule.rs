//! Rules, and the quantifiers that rules, loops and expressions share.

use super::{Checker, wrong};
use crate::ast::{self, RuleKind};
use crate::hir::{Binder, Domain, Invariant, Rule, SlotKind, StartState, Types};
use tightrope_syntax::Diagnostic;

/// Which counter of [`Checker::unnamed_rules`].
#[derive(Clone, Copy)]
enum Unnamed {
    Rule,
    Startstate,
    Invariant,
}

impl Checker<'_> {
    /// A rule, with all rules it contains. The frame holds what it stands in, and is left as it was.
    pub(super) fn rule(&mut self, rule: &ast::Rule) {
        let (slots, binders) = (self.frame.slots.len(), self.frame.binders.len());
        self.scopes.push();
        match &rule.kind {
            RuleKind::Simple { name, priority, guard, block } => {
                let name = self.rule_name(name.as_deref(), Unnamed::Rule);
                let guard = guard.as_ref().map(|guard| {
                    self.frame.pure = Some("a guard");
                    let guard = self.guard(guard);
                    self.frame.pure = None;
                    guard
                });
                let body = self.rule_block(block);
                self.model.rules.push(Rule {
                    name,
                    priority: *priority,
                    binders: self.frame.binders.clone(),
                    guard,
                    slots: self.frame.slots.clone(),
                    body,
                    span: rule.head,
                });
            }
            RuleKind::Start { name, block } => {
                let name = self.rule_name(name.as_deref(), Unnamed::Startstate);
                let body = self.rule_block(block);
                self.model.start_states.push(StartState {
                    name,
                    binders: self.frame.binders.clone(),
                    slots: self.frame.slots.clone(),
                    body,
                    span: rule.head,
                });
            }
            RuleKind::Invariant { name, condition } => {
                let name = self.rule_name(name.as_deref(), Unnamed::Invariant);
                self.frame.pure = Some("an invariant");
                let condition = self.condition(condition, "an invariant");
                self.frame.pure = None;
                self.model.invariants.push(Invariant {
                    name,
                    binders: self.frame.binders.clone(),
                    condition,
                    slots: self.frame.slots.clone(),
                    span: rule.head,
                });
            }
            RuleKind::Ruleset { quantifiers, rules } => {
                for quantifier in quantifiers {
                    let (slot, domain) = self.quantifier(quantifier);
                    self.bounds_are_constant(&domain);
                    self.frame.binders.push(Binder::Each(slot, domain));
                }
                self.inner_rules(rules);
            }
            RuleKind::Alias { aliases, rules } => {
                let mut lets = Vec::new();
                self.frame.pure = Some("an alias around rules");
                for (name, value) in aliases {
                    self.alias(*name, value, &mut lets);
                    self.frame.binders.extend(lets.drain(..).map(|(slot, value)| Binder::Let(slot, value)));
                }
                self.frame.pure = None;
                self.inner_rules(rules);
            }
            RuleKind::Choose { over, rules } => {
                if let Some((slot, multiset)) = self.selection(over) {
                    self.frame.binders.push(Binder::Choose(slot, multiset));
                }
                self.inner_rules(rules);
            }
        }
        self.scopes.pop();
        self.frame.slots.truncate(slots);
        self.frame.binders.truncate(binders);
    }

    fn inner_rules(&mut self, rules: &[ast::Rule]) {
        for rule in rules {
            self.rule(rule);
            if self.diags.is_full() {
                break;
            }
        }
    }

    /// The declarations and statements of a rule.
    fn rule_block(&mut self, block: &ast::Block) -> Vec<crate::hir::Stmt> {
        self.local_decls(&block.decls);
        let mut body = Vec::new();
        self.statements(&block.stmts, &mut body);
        body
    }

    fn guard(&mut self, guard: &ast::Expr) -> crate::hir::Expr {
        let expr = self.expr(guard);
        if expr.ty == Types::INT && matches!(guard.kind, ast::ExprKind::Number(_)) {
            let error = Diagnostic::error("a guard must be boolean")
                .at(expr.span, "this is a number")
                .note("probabilistic rules are not supported");
            self.report(error);
            return wrong(expr.span);
        }
        self.expect_boolean(&expr, "a guard");
        expr
    }

    /// The name of a rule, or the one that CMurphi makes up.
    fn rule_name(&mut self, name: Option<&str>, kind: Unnamed) -> String {
        if let Some(name) = name {
            return name.to_string();
        }
        let count = &mut self.unnamed_rules[kind as usize];
        *count += 1;
        let word = match kind {
            Unnamed::Rule => "Rule",
            Unnamed::Startstate => "Startstate",
            Unnamed::Invariant => "Invariant",
        };
        format!("{word} {}", *count - 1)
    }

    /// Declares the variable of a quantifier, and says which values it takes.
    #[inline(never)]
    pub(super) fn quantifier(&mut self, quantifier: &ast::Quantifier) -> (u32, Domain) {
        let (domain, ty) = match &quantifier.domain {
            ast::Domain::Type(written) => {
                let ty = self.type_expr(written, None);
                if !self.types().is_simple(ty) {
                    let label = format!("{} is not simple", self.describe(ty));
                    self.error(written.span, "a variable cannot run over the values of this type", label);
                    (Domain::All(Types::ERROR), Types::ERROR)
                } else {
                    (Domain::All(ty), ty)
                }
            }
            ast::Domain::Steps(steps) => {
                let from = self.expr(&steps.0);
                self.expect_integer(&from, "the first value");
                let to = self.expr(&steps.1);
                self.expect_integer(&to, "the last value");
                let by = match &steps.2 {
                    None => 1,
                    Some(written) => self.step(written),
                };
                (Domain::Steps(Box::new(from), Box::new(to), by), Types::INT)
            }
        };
        self.warn_if_hiding(quantifier.name);
        (self.named_slot(quantifier.name, ty, SlotKind::Counter), domain)
    }

    fn step(&mut self, written: &ast::Expr) -> i32 {
        match self.constant_integer(written, "a step") {
            Some(0) => {
                self.error(written.span, "a step cannot be 0", "the loop would never end");
                1
            }
            Some(by) => by,
            None => 1,
        }
    }

    fn bounds_are_constant(&mut self, domain: &Domain) {
        let Domain::Steps(from, to, _) = domain else { return };
        for bound in [from, to] {
            self.as_constant_integer(bound, "the bound of a ruleset");
        }
    }
}
