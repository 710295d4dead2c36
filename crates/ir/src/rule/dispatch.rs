//! Which rules are tried in a state: those that start from the present locations of the automata.

use crate::rule::rule_set::{Rule, RuleSet};

/// Rules by where they start.
pub struct Dispatch {
    /// By priority, the highest first.
    pub levels: Vec<PriorityLevel>,
    /// For every rule, whether it starts from committed locations alone.
    pub committed: Vec<bool>,
}

/// The rules of one priority.
#[derive(Default)]
pub struct PriorityLevel {
    /// Those that start from everywhere.
    pub anywhere: Vec<u32>,
    /// For every automaton and each of its locations, those that start there and are led by that automaton.
    pub by_location: Vec<Vec<Vec<RuleGroup>>>,
}

/// Rules that are tried together.
pub enum RuleGroup {
    /// One.
    Single(u32),
    /// Several with their first test in common. They are found by the location of their second automaton.
    Joint {
        /// One of them.
        any: u32,
        /// For each automaton that may be the second: the rules by its location.
        partners: Vec<(u32, Vec<Vec<u32>>)>,
    },
}

impl Dispatch {
    /// Sorts the rules of a set, which come by priority, the highest first.
    pub fn new(rules: &RuleSet) -> Dispatch {
        let is_committed = |rule: &Rule| {
            let mut starts = rule.from.iter();
            // A rule without locations does not start from a committed one.
            !rule.from.is_empty()
                && starts.all(|&(automaton, location)| {
                    let automaton = &rules.automata[automaton as usize];
                    automaton.passive || automaton.locations[location as usize].committed
                })
        };
        let mut levels: Vec<PriorityLevel> = Vec::new();
        let mut priority = None;
        for (number, rule) in rules.rules.iter().enumerate() {
            if priority != Some(rule.priority) {
                priority = Some(rule.priority);
                let locations = |count: usize| (0..count).map(|_| Vec::new()).collect();
                let by_location = rules.automata.iter().map(|automaton| locations(automaton.locations.len())).collect();
                levels.push(PriorityLevel { anywhere: Vec::new(), by_location });
            }
            let level = levels.last_mut().expect("just made");
            match rule.from.first() {
                None => level.anywhere.push(number as u32),
                Some(&(automaton, location)) => {
                    add(rules, &mut level.by_location[automaton as usize][location as usize], number as u32);
                }
            }
        }
        Dispatch { levels, committed: rules.rules.iter().map(is_committed).collect() }
    }

    /// Whether an automaton is at a committed location.
    pub fn is_committed_now(rules: &RuleSet, state: &[u8]) -> bool {
        rules.automata.iter().any(|automaton| {
            automaton.locations.get(automaton.location(state) as usize).is_some_and(|location| location.committed)
        })
    }

    /// Whether the locations of the automata allow a rule to make a step. `committed_now` says whether one of them is
    /// committed.
    #[inline]
    pub fn is_at(&self, rules: &RuleSet, number: u32, skip: usize, state: &[u8], committed_now: bool) -> bool {
        let mut from = rules.rules[number as usize].from.iter().skip(skip);
        (!committed_now || self.committed[number as usize])
            && from.all(|&(automaton, location)| rules.automata[automaton as usize].location(state) == location)
    }
}

/// Adds a rule to those of a location.
fn add(rules: &RuleSet, groups: &mut Vec<RuleGroup>, number: u32) {
    let rule = &rules.rules[number as usize];
    let (Some(group), Some(&(second, location))) = (rule.group, rule.from.get(1)) else {
        return groups.push(RuleGroup::Single(number));
    };
    let same = |candidate: &&mut RuleGroup| match candidate {
        RuleGroup::Joint { any, .. } => rules.rules[*any as usize].group == Some(group),
        RuleGroup::Single(_) => false,
    };
    if groups.iter_mut().rev().find(same).is_none() {
        groups.push(RuleGroup::Joint { any: number, partners: Vec::new() });
    }
    let Some(RuleGroup::Joint { partners, .. }) = groups.iter_mut().rev().find(same) else { return };
    let position = partners.iter().position(|(automaton, _)| *automaton == second).unwrap_or_else(|| {
        let count = rules.automata[second as usize].locations.len();
        partners.push((second, vec![Vec::new(); count]));
        partners.len() - 1
    });
    partners[position].1[location as usize].push(number);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Automaton, AutomatonLocation};
    use tightrope_core::Repr;

    fn automaton(offset: u32, passive: bool) -> Automaton {
        let location = |committed| AutomatonLocation { committed, ..AutomatonLocation::default() };
        let locations = vec![location(false), location(true)];
        Automaton { name: String::new(), offset, repr: Repr::U8, declared: offset, locations, passive }
    }

    #[test]
    fn only_rules_from_urgent_locations_start_under_pressure() {
        let rule = |from: &[(u32, u32)]| Rule { from: from.to_vec(), ..Rule::default() };
        let rules = RuleSet {
            automata: vec![automaton(0, false), automaton(1, false), automaton(2, true)],
            rules: vec![
                rule(&[]),
                rule(&[(0, 0)]),
                rule(&[(1, 1)]),
                rule(&[(0, 0), (1, 1)]),
                rule(&[(1, 1), (0, 1)]),
                rule(&[(1, 1), (2, 0)]),
            ],
            ..RuleSet::default()
        };
        let dispatch = Dispatch::new(&rules);
        let starting = |state: &[u8]| -> Vec<u32> {
            let committed_now = Dispatch::is_committed_now(&rules, state);
            (0..6).filter(|&number| dispatch.is_at(&rules, number, 0, state, committed_now)).collect()
        };
        assert_eq!(starting(&[0, 0, 0]), [0, 1]);
        assert_eq!(starting(&[0, 1, 0]), [2, 5]);
        assert_eq!(starting(&[1, 1, 0]), [2, 4, 5]);
        // An automaton at none of its locations is not committed.
        assert_eq!(starting(&[2, 2, 0]), [0]);
    }
}
