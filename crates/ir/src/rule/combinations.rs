//! The parameters of rules: combinations of their values, and those for which a rule is enabled.
//!
//! A step is named by its rule and by the number of the combination, the last parameter fastest.

use super::machine::RuleMachine;
use crate::context::EvalError;
use crate::{Parameter, Rule, Source};
use tightrope_core::Step;

/// The name of a step: the rule, and the combination of its parameters by number, the last parameter fastest.
pub(super) fn name(rule: usize, combination: u64) -> Step {
    Step { action: (rule as u64) << 40 | combination, choice: 0 }
}

/// The rule, and the combination of its parameters.
pub fn rule_of(step: Step) -> (usize, u64) {
    ((step.action >> 40) as usize, step.action & ((1 << 40) - 1))
}

/// The values of a rule's parameters in the combination of that number.
pub fn parameter_values(rule: &Rule, mut combination: u64) -> Vec<i32> {
    let mut values = vec![0; rule.params.len()];
    for (value, param) in values.iter_mut().zip(&rule.params).rev() {
        let count = param.count().max(1);
        *value = param.value(combination % count);
        combination /= count;
    }
    values
}

/// Called with a combination of parameters: its number, and the error in its tests, if any.
pub(super) type EachCombination<'e> = dyn FnMut(&mut RuleMachine<'_>, u64, Option<(EvalError, Source)>) + 'e;

/// Finds the combinations of parameters for which a rule is enabled, by trying each test as soon as its parameters have
/// values.
pub(super) struct EnabledCombinations<'r> {
    pub rule: &'r Rule,
    /// All values of every parameter.
    pub values: Vec<Vec<i32>>,
}

impl<'r> EnabledCombinations<'r> {
    /// For one rule.
    pub fn new(rule: &'r Rule) -> EnabledCombinations<'r> {
        let all = |param: &Parameter| (0..param.count()).map(|position| param.value(position)).collect();
        EnabledCombinations { rule, values: rule.params.iter().map(all).collect() }
    }

    /// Calls `each` with every combination that passes all tests, and with those whose tests are errors.
    pub fn visit(&self, machine: &mut RuleMachine<'_>, each: &mut EachCombination<'_>) {
        self.descend(machine, 0, 0, 0, each);
    }

    fn descend(
        &self,
        machine: &mut RuleMachine<'_>,
        depth: usize,
        mut test: usize,
        combination: u64,
        each: &mut EachCombination<'_>,
    ) {
        while let Some((needs, one)) = self.rule.tests.get(test)
            && *needs as usize <= depth
        {
            if !machine.passes(one, self.rule.source) {
                if let Some(error) = machine.take_error() {
                    // All combinations with this prefix fail alike; the first of them stands for all.
                    let rest: u64 = self.values[depth..].iter().map(|values| values.len() as u64).product();
                    if rest > 0 {
                        each(machine, combination * rest, Some(error));
                    }
                }
                return;
            }
            test += 1;
        }
        match self.rule.params.get(depth) {
            None => each(machine, combination, None),
            Some(param) => {
                let values = &self.values[depth];
                for (position, &value) in values.iter().enumerate() {
                    machine.set_slot(param.slot, value);
                    let combination = combination * values.len() as u64 + position as u64;
                    self.descend(machine, depth + 1, test, combination, each);
                }
            }
        }
    }
}
