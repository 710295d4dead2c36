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

/// Calls `each` with every combination of parameters for which a rule passes all tests, and with those whose tests are errors.
/// Each test is tried as soon as its parameters have values.
pub(super) fn each_enabled(rule: &Rule, machine: &mut RuleMachine<'_>, each: &mut EachCombination<'_>) {
    descend(rule, machine, [0, 0], 0, each);
}

/// The same once so many parameters have values and so many tests are passed; `combination` is the number of these values.
fn descend(
    rule: &Rule,
    machine: &mut RuleMachine<'_>,
    [depth, mut test]: [usize; 2],
    combination: u64,
    each: &mut EachCombination<'_>,
) {
    while let Some((needs, one)) = rule.tests.get(test)
        && *needs as usize <= depth
    {
        if !machine.passes(one, rule.source) {
            if let Some(error) = machine.take_error() {
                // All combinations with this prefix fail alike; the first of them stands for all.
                let rest: u64 = rule.params[depth..].iter().map(Parameter::count).product();
                if rest > 0 {
                    each(machine, combination * rest, Some(error));
                }
            }
            return;
        }
        test += 1;
    }
    match rule.params.get(depth) {
        None => each(machine, combination, None),
        Some(param) => {
            let mut combination = combination * param.count();
            param.each_value(|value| {
                machine.set_slot(param.slot, value);
                descend(rule, machine, [depth + 1, test], combination, each);
                combination += 1;
            });
        }
    }
}
