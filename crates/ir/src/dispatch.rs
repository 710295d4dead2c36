//! Which rules to look at in a state: those that start from the present locations of the automata.

use crate::rules::{Rule, RuleSet};

/// Rules by where they start.
pub struct Dispatch {
    /// By priority, the highest first.
    pub levels: Vec<Level>,
    /// For every rule, whether it starts from urgent locations alone.
    pub urgent: Vec<bool>,
}

/// The rules of one priority.
#[derive(Default)]
pub struct Level {
    /// Those that start from everywhere.
    pub anywhere: Vec<u32>,
    /// For every automaton and each of its locations, those that start there and are led by that automaton.
    pub led: Vec<Vec<Vec<Group>>>,
}

/// Rules that are looked at together.
pub enum Group {
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
        let is_urgent = |rule: &Rule| {
            let mut spots = rule.from.iter();
            // From anywhere is not from an urgent location.
            !rule.from.is_empty()
                && spots.all(|&(automaton, spot)| {
                    let automaton = &rules.automata[automaton as usize];
                    automaton.along || automaton.locations[spot as usize].urgent
                })
        };
        let mut levels: Vec<Level> = Vec::new();
        let mut priority = None;
        for (number, rule) in rules.rules.iter().enumerate() {
            if priority != Some(rule.priority) {
                priority = Some(rule.priority);
                let spots = |count: usize| (0..count).map(|_| Vec::new()).collect();
                let led = rules.automata.iter().map(|automaton| spots(automaton.locations.len())).collect();
                levels.push(Level { anywhere: Vec::new(), led });
            }
            let level = levels.last_mut().expect("just made");
            match rule.from.first() {
                None => level.anywhere.push(number as u32),
                Some(&(automaton, spot)) => {
                    add(rules, &mut level.led[automaton as usize][spot as usize], number as u32);
                }
            }
        }
        Dispatch { levels, urgent: rules.rules.iter().map(is_urgent).collect() }
    }

    /// Whether an automaton is at an urgent location.
    pub fn is_pressed(rules: &RuleSet, state: &[u8]) -> bool {
        rules.automata.iter().any(|automaton| {
            automaton.locations.get(automaton.location(state) as usize).is_some_and(|spot| spot.urgent)
        })
    }

    /// Whether a rule may make a step, by where the automata are. `pressed` says whether one is at an urgent location.
    #[inline]
    pub fn is_at(&self, rules: &RuleSet, number: u32, skip: usize, state: &[u8], pressed: bool) -> bool {
        let mut from = rules.rules[number as usize].from.iter().skip(skip);
        (!pressed || self.urgent[number as usize])
            && from.all(|&(automaton, spot)| rules.automata[automaton as usize].location(state) == spot)
    }
}

/// Adds a rule to those of a location.
fn add(rules: &RuleSet, groups: &mut Vec<Group>, number: u32) {
    let rule = &rules.rules[number as usize];
    let (Some(group), Some(&(second, spot))) = (rule.group, rule.from.get(1)) else {
        return groups.push(Group::Single(number));
    };
    let same = |candidate: &&mut Group| match candidate {
        Group::Joint { any, .. } => rules.rules[*any as usize].group == Some(group),
        Group::Single(_) => false,
    };
    if groups.iter_mut().rev().find(same).is_none() {
        groups.push(Group::Joint { any: number, partners: Vec::new() });
    }
    let Some(Group::Joint { partners, .. }) = groups.iter_mut().rev().find(same) else { return };
    let position = partners.iter().position(|(automaton, _)| *automaton == second).unwrap_or_else(|| {
        let count = rules.automata[second as usize].locations.len();
        partners.push((second, vec![Vec::new(); count]));
        partners.len() - 1
    });
    partners[position].1[spot as usize].push(number);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Automaton, Spot};
    use tightrope_core::Repr;

    fn automaton(offset: u32, along: bool) -> Automaton {
        let spot = |urgent| Spot { urgent, ..Spot::default() };
        let locations = vec![spot(false), spot(true)];
        Automaton { name: String::new(), offset, repr: Repr::U8, declared: offset, locations, along }
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
            let pressed = Dispatch::is_pressed(&rules, state);
            (0..6).filter(|&number| dispatch.is_at(&rules, number, 0, state, pressed)).collect()
        };
        assert_eq!(starting(&[0, 0, 0]), [0, 1]);
        assert_eq!(starting(&[0, 1, 0]), [2, 5]);
        assert_eq!(starting(&[1, 1, 0]), [2, 4, 5]);
        // Nowhere is not urgent.
        assert_eq!(starting(&[2, 2, 0]), [0]);
    }
}
