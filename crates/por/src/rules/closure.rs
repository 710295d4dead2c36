//! Stubborn sets of rules in a state.

use super::RuleEffects;
use super::tables::{Listed, Tables};
use crate::check::{Checked, Key};
use crate::closure::{Closure, Dependence, Participants};
use tightrope_core::{Model, Step, Successors};
use tightrope_ir::dispatch::Dispatch;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::rule_machine::{RuleMachine, RuleSpace};
use tightrope_ir::rule_steps::parts_of;
use tightrope_ir::{Program, RuleSet, Test};

/// Working space.
#[derive(Default)]
pub struct RuleChoice {
    closure: Closure,
    /// For every entity, where the reasons are why it is not enabled, if they were looked for.
    known: Vec<Option<(u32, u32)>>,
    reasons: Vec<Reason>,
    state: Vec<u8>,
    space: RuleSpace,
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

/// The entities of a state.
struct Here<'a, 'm> {
    tables: &'a Tables,
    rules: &'a RuleSet,
    machine: RuleMachine<'m>,
    state: &'a [u8],
    /// Only rules that start from urgent locations alone make steps.
    committed: bool,
    known: &'a mut Vec<Option<(u32, u32)>>,
    reasons: &'a mut Vec<Reason>,
}

impl RuleEffects {
    /// Chooses a stubborn set among the steps of a state, which are those from a number on. `chosen` says for each whether it
    /// is in the set; one of those that lead on is. False if nothing can be left out.
    pub fn choose(
        &self,
        (program, rules): (&Program, &RuleSet),
        choice: &mut RuleChoice,
        state: &[u8],
        (out, first): (&Successors, usize),
        leads_on: &[bool],
        chosen: &mut Vec<bool>,
    ) -> bool {
        if out.len() - first < 2 {
            return false;
        }
        let found = self.enter((program, rules), choice, state, (out, first), |closure, here| {
            closure.find(here, leads_on).then(|| {
                chosen.clear();
                chosen.extend((0..closure.steps.len()).map(|step| closure.takes(step)));
            })
        });
        found.flatten().is_some()
    }

    /// Enters a state with these steps, those from number `first` on, and does something with its entities. None where nothing
    /// can be left out: a step fails, or too little is known.
    fn enter<T>(
        &self,
        (program, rules): (&Program, &RuleSet),
        choice: &mut RuleChoice,
        state: &[u8],
        (out, first): (&Successors, usize),
        what: impl FnOnce(&mut Closure, &mut Here<'_, '_>) -> T,
    ) -> Option<T> {
        let tables = self.0.as_ref()?;
        let fails = |index: usize| out.state(index).is_none() || out.fault(index).is_some();
        if (first..out.len()).any(fails) {
            return None;
        }
        let is_nowhere = |number: u32| {
            let automaton = &rules.automata[number as usize];
            automaton.location(state) as usize >= automaton.locations.len()
        };
        if tables.nowhere.is_some_and(is_nowhere) {
            return None;
        }
        let RuleChoice { closure, known, reasons, state: bytes, space } = choice;
        bytes.clear();
        bytes.extend_from_slice(state);
        closure.steps.clear();
        for index in first..out.len() {
            let (rule, combination) = parts_of(out.step(index));
            let (entity, apart) = tables.entities[rule];
            let entity = entity + if apart { combination as u32 } else { 0 };
            // A step back to the state is not enough to go on.
            let stays = out.state(index) == Some(state);
            let seeds = !stays && !tables.visible.contains(entity as usize);
            closure.steps.push(Participants { first: entity, second: entity, seeds });
        }
        known.clear();
        known.resize(tables.list.len(), None);
        reasons.clear();
        let machine = RuleMachine::new(program, rules, bytes, 0, space);
        let committed = Dispatch::is_pressed(rules, state);
        let mut here = Here { tables, rules, machine, state, committed, known, reasons };
        Some(what(closure, &mut here))
    }

    /// Checks what is said of the entities of a state against what its steps do.
    pub fn check_relations(
        &self,
        (program, rules): (&Program, &RuleSet),
        choice: &mut RuleChoice,
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let mut out = Successors::new();
        model.successors(state, &mut out);
        let Some(tables) = &self.0 else { return Ok(()) };
        let keys = |step: Step| {
            let (rule, combination) = parts_of(step);
            let (entity, apart) = tables.entities[rule];
            [(entity + if apart { combination as u32 } else { 0 }, 0); 2]
        };
        let words = |(entity, _): Key| {
            let Listed { rule, params, .. } = &tables.list[entity as usize];
            format!("{} {params:?}", rules.rules[*rule as usize].name)
        };
        self.enter((program, rules), choice, state, (&out, 0), |closure, here| {
            let checked = Checked { model, out: &out, keys: &keys, is_timeout: &|_| false, words: &words };
            checked.check(closure, here)
        })
        .unwrap_or(Ok(()))
    }
}

impl Dependence for Here<'_, '_> {
    fn count(&self) -> usize {
        self.tables.list.len()
    }

    fn add_dependent(&mut self, entity: usize, set: &mut Bits, met: &mut Bits) {
        set.add(&self.tables.depends[entity]);
        // Everything that moves the automata from where they are is inside now, and so what starts elsewhere has what it
        // needs.
        for &(automaton, spot) in &self.rules.rules[self.tables.list[entity].rule as usize].from {
            met.add(&self.tables.automata[automaton as usize].elsewhere[spot as usize]);
        }
    }

    fn add_enabling(&mut self, entity: usize, set: &mut Bits, enabled: &Bits) {
        let (start, end) = match self.known[entity] {
            Some(known) => known,
            None => {
                let start = self.reasons.len() as u32;
                self.find_reasons(entity);
                *self.known[entity].insert((start, self.reasons.len() as u32))
            }
        };
        let cost = |reason: &Reason| {
            let (missing, enabled) = reason.set(self.tables).missing(set, enabled);
            (enabled, missing)
        };
        let reasons = &self.reasons[start as usize..end as usize];
        let otherwise = Reason::Needs(self.tables.list[entity].otherwise);
        let reason = reasons.iter().copied().min_by_key(cost).unwrap_or(otherwise);
        set.add(reason.set(self.tables));
    }

    fn enabling_sets(&mut self, entity: usize, _enabled: &Bits) -> Vec<Bits> {
        let start = self.reasons.len();
        self.find_reasons(entity);
        let mut sets: Vec<Bits> = self.reasons[start..].iter().map(|reason| reason.set(self.tables).clone()).collect();
        sets.push(Reason::Needs(self.tables.list[entity].otherwise).set(self.tables).clone());
        self.reasons.truncate(start);
        sets
    }

    fn key(&self, entity: usize) -> Key {
        (entity as u32, 0)
    }

    fn is_visible(&mut self, entity: usize) -> bool {
        self.tables.visible.contains(entity)
    }
}

impl Here<'_, '_> {
    /// Finds out why an entity is not enabled.
    fn find_reasons(&mut self, entity: usize) {
        let listed: &Listed = &self.tables.list[entity];
        let reasons = &mut *self.reasons;
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
        if self.committed && !self.tables.urgent[listed.rule as usize] {
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
        let mut failed_test = None;
        for ((test, part), &needed) in self.tables.parts[listed.rule as usize].iter().zip(&listed.parts) {
            if failed_test == Some(*test) {
                continue;
            }
            let passed = self.machine.passes(part, rule.source);
            let trouble = self.machine.take_trouble().is_some();
            if trouble && (matches!(part, Test::Bind(..)) || rule.from.is_empty()) {
                // What stands behind a part that fails is not evaluated: it is a part before it that keeps the rule from failing.
                return;
            }
            if trouble {
                // Of automata every test is made, whatever becomes of the others.
                failed_test = Some(*test);
            } else if !passed {
                reasons.push(Reason::Needs(needed));
            }
        }
    }
}
