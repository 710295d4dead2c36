//! A stubborn set for the state at hand.

use super::RuleFutures;
use super::bits::Bits;
use super::tables::{Listed, Tables};
use crate::Program;
use crate::dispatch::Dispatch;
use crate::rule_machine::{RuleMachine, RuleSpace};
use crate::rule_steps::parts_of;
use crate::rules::{RuleSet, Test};
use tightrope_core::Successors;

/// Working space.
#[derive(Default)]
pub struct Closure {
    /// The entities that make steps in the state.
    enabled: Bits,
    /// The set under way, and those of it whose needs are met.
    set: Bits,
    met: Bits,
    /// The best set so far.
    best: Bits,
    /// For every entity, where the reasons are why it is not enabled, if they were looked for.
    known: Vec<Option<(u32, u32)>>,
    reasons: Vec<Reason>,
    /// The entity of each step.
    steps: Vec<u32>,
    state: Vec<u8>,
}

/// Why an entity is not enabled, and so which set must do something before it is.
#[derive(Clone, Copy)]
enum Reason {
    /// An automaton is at a location where it must not stay.
    Away(u32, u32),
    /// An automaton is not at a location.
    To(u32, u32),
    /// An automaton is nowhere.
    Nowhere(u32),
    /// Something else: the number of a set.
    Needs(u32),
}

impl Reason {
    fn set(self, tables: &Tables) -> &Bits {
        let of = |automaton: u32| &tables.automata[automaton as usize];
        match self {
            Reason::Away(automaton, spot) => &of(automaton).away[spot as usize],
            Reason::To(automaton, spot) => &of(automaton).to[spot as usize],
            Reason::Nowhere(automaton) => &of(automaton).all,
            Reason::Needs(number) => &tables.needed[number as usize],
        }
    }
}

/// What a set is made in.
struct Here<'a, 'm> {
    tables: &'a Tables,
    rules: &'a RuleSet,
    machine: RuleMachine<'m>,
    state: &'a [u8],
    pressed: bool,
}

impl RuleFutures {
    /// Chooses steps that suffice, of those that a state has, which are those from a number on: `chosen` says for each
    /// whether it is one of them; before, whether it leads on, as one of them has to. False if it takes all of them.
    pub fn choose(
        &self,
        (program, rules): (&Program, &RuleSet),
        (closure, space): (&mut Closure, &mut RuleSpace),
        state: &[u8],
        (out, first): (&Successors, usize),
        chosen: &mut Vec<bool>,
    ) -> bool {
        let Some(tables) = &self.0 else { return false };
        let fails = |index: usize| out.state(index).is_none() || out.fault(index).is_some();
        if out.len() - first < 2 || (first..out.len()).any(fails) {
            return false;
        }
        let is_nowhere = |number: u32| {
            let automaton = &rules.automata[number as usize];
            automaton.location(state) as usize >= automaton.locations.len()
        };
        if tables.nowhere.is_some_and(is_nowhere) {
            return false;
        }
        let mut bytes = std::mem::take(&mut closure.state);
        bytes.clear();
        bytes.extend_from_slice(state);
        let machine = RuleMachine::new(program, rules, &mut bytes, 0, space);
        let pressed = Dispatch::is_pressed(rules, state);
        let mut here = Here { tables, rules, machine, state, pressed };
        let found = closure.find(&mut here, out, first, chosen);
        closure.state = bytes;
        if found {
            chosen.clear();
            chosen.extend(closure.steps.iter().map(|&entity| closure.best.contains(entity as usize)));
        }
        found
    }
}

impl Closure {
    /// Finds the best set. False if there is none but that of everything.
    fn find(&mut self, here: &mut Here<'_, '_>, out: &Successors, first: usize, lead_on: &[bool]) -> bool {
        let count = here.tables.list.len();
        self.enabled.reset(count);
        self.known.clear();
        self.known.resize(count, None);
        self.reasons.clear();
        self.steps.clear();
        for index in first..out.len() {
            let (rule, combination) = parts_of(out.step(index));
            let (entity, apart) = here.tables.entities[rule];
            let entity = entity + if apart { combination as u32 } else { 0 };
            self.enabled.insert(entity as usize);
            self.steps.push(entity);
        }
        let all = self.steps.len();
        let mut least = all;
        for index in first..out.len() {
            let seed = self.steps[index - first] as usize;
            // A step back to the state is not enough to go on.
            let stays = out.state(index) == Some(here.state);
            let seeds = !stays && !here.tables.visible.contains(seed);
            if seeds && self.close(here, seed, least) && self.goes_on(lead_on) {
                least = self.steps_inside();
                std::mem::swap(&mut self.set, &mut self.best);
                if least == 1 {
                    break;
                }
            }
        }
        least < all
    }

    /// Makes the set that has `seed` in it. False if it has as many steps as are known to suffice, or one that changes what
    /// is asked.
    fn close(&mut self, here: &mut Here<'_, '_>, seed: usize, least: usize) -> bool {
        let tables = here.tables;
        self.set.reset(tables.list.len());
        self.met.reset(tables.list.len());
        self.set.insert(seed);
        while let Some(entity) = self.set.first_not_in(&self.met) {
            self.met.insert(entity);
            if self.enabled.contains(entity) {
                if tables.visible.contains(entity) {
                    return false;
                }
                self.set.add(&tables.depends[entity]);
                // Everything that moves the automata from where they are is inside now, and so what starts elsewhere has
                // what it needs.
                for &(automaton, spot) in &here.rules.rules[tables.list[entity].rule as usize].from {
                    self.met.add(&tables.automata[automaton as usize].elsewhere[spot as usize]);
                }
            } else {
                let reason = self.cheapest(here, entity);
                self.set.add(reason.set(tables));
            }
            if self.steps_inside() >= least {
                return false;
            }
        }
        true
    }

    /// Whether a step of the set under way leads on.
    fn goes_on(&self, lead_on: &[bool]) -> bool {
        self.steps.iter().zip(lead_on).any(|(&entity, leads_on)| *leads_on && self.set.contains(entity as usize))
    }

    /// How many steps the set under way has.
    fn steps_inside(&self) -> usize {
        self.steps.iter().filter(|&&entity| self.set.contains(entity as usize)).count()
    }

    /// The reason why an entity is not enabled whose set adds the least.
    fn cheapest(&mut self, here: &mut Here<'_, '_>, entity: usize) -> Reason {
        let (start, end) = match self.known[entity] {
            Some(known) => known,
            None => {
                let start = self.reasons.len() as u32;
                here.reasons(&here.tables.list[entity], &mut self.reasons);
                *self.known[entity].insert((start, self.reasons.len() as u32))
            }
        };
        let cost = |reason: &Reason| {
            let (missing, enabled) = reason.set(here.tables).missing(&self.set, &self.enabled);
            (enabled, missing)
        };
        let reasons = &self.reasons[start as usize..end as usize];
        reasons.iter().copied().min_by_key(cost).unwrap_or(Reason::Needs(here.tables.list[entity].otherwise))
    }
}

impl Here<'_, '_> {
    /// Why an entity is not enabled.
    fn reasons(&mut self, listed: &Listed, reasons: &mut Vec<Reason>) {
        let rule = &self.rules.rules[listed.rule as usize];
        for &(number, spot) in &rule.from {
            let automaton = &self.rules.automata[number as usize];
            let location = automaton.location(self.state);
            if location == spot {
                continue;
            }
            let somewhere = (location as usize) < automaton.locations.len();
            reasons.push(if somewhere { Reason::Away(number, location) } else { Reason::Nowhere(number) });
            reasons.push(Reason::To(number, spot));
        }
        if self.pressed && !self.tables.urgent[listed.rule as usize] {
            for (number, automaton) in (0..).zip(&self.rules.automata) {
                let location = automaton.location(self.state);
                if automaton.locations.get(location as usize).is_some_and(|spot| spot.urgent) {
                    reasons.push(Reason::Away(number, location));
                }
            }
        }
        let Some(params) = &listed.params else { return };
        self.machine.enter(rule.slots, &rule.frame);
        for (param, &value) in rule.params.iter().zip(params) {
            self.machine.set_slot(param.slot, value);
        }
        for ((_, part), &needed) in self.tables.parts[listed.rule as usize].iter().zip(&listed.parts) {
            let passed = self.machine.passes(part, rule.source);
            let trouble = self.machine.take_trouble().is_some();
            if trouble && matches!(part, Test::Bind(..)) {
                return;
            }
            if !passed && !trouble {
                reasons.push(Reason::Needs(needed));
            }
        }
    }
}
