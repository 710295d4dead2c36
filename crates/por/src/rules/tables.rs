//! What is known of the rules of a program: which have to do with each other, and which can enable which.

use super::entity::{Entity, location, parts_of};
use super::visible::visible;
use rustc_hash::FxHashMap;
use tightrope_ir::dispatch::Dispatch;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::rules::{Known, Reader, Stored};
use tightrope_ir::{Automaton, Program};
use tightrope_ir::{RuleSet, Test};

/// At most so many combinations of rules and parameters are looked at one by one.
const APART: u64 = 4096;
/// At most so many times the bytes of the state: what is kept for each of both takes a few bits.
const KEPT: usize = 1 << 22;
/// How long texts are read.
pub const PATIENCE: u64 = 20_000_000;

/// What is known of the rules of a program. Entities are numbered; sets are sets of them.
pub struct Tables {
    /// For every rule, its first entity, and whether each combination of its parameters is one by itself.
    pub entities: Vec<(u32, bool)>,
    /// What there is of each.
    pub list: Vec<Listed>,
    /// Those that have to do with each, it included.
    pub depends: Vec<Bits>,
    /// Those that change what is asked about states.
    pub visible: Bits,
    /// Sets that are needed to enable something.
    pub needed: Vec<Bits>,
    /// Of every rule, the tests in parts.
    pub parts: Vec<Vec<(usize, Test)>>,
    /// Of every automaton.
    pub automata: Vec<Moves>,
    /// The rules that start from urgent locations alone.
    pub urgent: Vec<bool>,
    /// An automaton that is nowhere in the state that failing steps lead to, and never gets there otherwise.
    pub nowhere: Option<u32>,
}

/// What is kept of an entity.
pub struct Listed {
    /// Its rule.
    pub rule: u32,
    /// The values of its parameters; none if it stands for all.
    pub params: Option<Vec<i32>>,
    /// Of each part of its tests, the number of the set without which it does not become true if it is not.
    pub parts: Vec<u32>,
    /// The number of the set without which it does not become enabled, whatever the reason.
    pub otherwise: u32,
}

/// The entities that have to do with the location of an automaton.
pub struct Moves {
    /// Those that may change it.
    pub all: Bits,
    /// By location: those that may lead away from it,
    pub away: Vec<Bits>,
    /// those that may lead to it,
    pub to: Vec<Bits>,
    /// and those that start elsewhere.
    pub elsewhere: Vec<Bits>,
}

impl Tables {
    /// Reads the rules of a program. None if too little is known of them for anything to be left out.
    pub fn new(program: &Program, rules: &RuleSet) -> Option<Tables> {
        let priority = |rule: Option<&tightrope_ir::Rule>| rule.map(|rule| rule.priority);
        if priority(rules.rules.first()) != priority(rules.rules.last()) {
            // Whoever disables somebody of a higher priority enables others.
            return None;
        }
        let size = program.fixed.len();
        let counts: Vec<u64> =
            rules.rules.iter().map(|rule| rule.params.iter().map(|param| param.count()).product()).collect();
        // The rules with the most combinations are taken as a whole, if there are too many.
        let total = counts.iter().fold(0u64, |total, count| total.saturating_add(*count));
        let most = if total <= APART { u64::MAX } else { APART / (rules.rules.len() as u64).max(1) };
        let dispatch = Dispatch::new(rules);
        let mut reader = Reader::new(rules, size, PATIENCE);
        let parts: Vec<Vec<(usize, Test)>> = rules.rules.iter().map(parts_of).collect();
        let (mut entities, mut list) = (Vec::new(), Vec::new());
        for (number, &count) in counts.iter().enumerate() {
            let apart = count <= most.max(1);
            entities.push((list.len() as u32, apart));
            for combination in 0..if apart { count } else { 1 } {
                let combination = apart.then_some(combination);
                let mut entity = Entity::new(&mut reader, rules, number, combination, &parts[number])?;
                entity.starts_from(rules);
                entity.under_pressure(rules, dispatch.urgent[number], size);
                if entity.never {
                    entity = Entity { reads: reader.nothing(), writes: reader.nothing(), stored: Vec::new(), ..entity };
                }
                list.push(entity);
                if !reader.is_through() || list.len() as u64 > 2 * APART || list.len() * size > KEPT {
                    return None;
                }
            }
        }
        let nowhere = nowhere(rules, &list);
        if rules.failed.is_some() && nowhere.is_none() {
            return None;
        }
        let visible = visible(&mut reader, rules, &list)?;
        let automata = (0..rules.automata.len()).map(|number| moves(rules, number, &list)).collect();
        let mut enabling = Enabling::new(&list, size);
        let listed = (0..list.len()).map(|one| enabling.listed(&mut reader, rules, &list, one, &parts)).collect();
        if !reader.is_through() {
            return None;
        }
        let depends = depends(&list, size);
        let (needed, urgent) = (enabling.needed, dispatch.urgent);
        Some(Tables { entities, list: listed, depends, visible, needed, parts, automata, urgent, nowhere })
    }
}

/// An automaton that is nowhere in the state that failing steps lead to, and that no rule moves to nowhere.
fn nowhere(rules: &RuleSet, list: &[Entity]) -> Option<u32> {
    let failed = rules.failed.as_deref()?;
    let is_it = |automaton: &Automaton| {
        let somewhere = |stored: &Stored| {
            location(automaton, stored).is_some_and(|spot| (spot as usize) < automaton.locations.len())
        };
        automaton.location(failed) as usize >= automaton.locations.len()
            && list.iter().all(|entity| entity.moves(automaton).all(somewhere))
    };
    rules.automata.iter().position(is_it).map(|number| number as u32)
}

fn moves(rules: &RuleSet, number: usize, list: &[Entity]) -> Moves {
    let automaton = &rules.automata[number];
    let from = |entity: &Entity| {
        let from = rules.rules[entity.rule as usize].from.iter().find(|(from, _)| *from as usize == number);
        from.map(|(_, spot)| *spot)
    };
    let set = |fits: &dyn Fn(&Entity) -> bool| {
        let mut set = Bits::new(list.len());
        (0..list.len()).filter(|&one| fits(&list[one])).for_each(|one| set.insert(one));
        set
    };
    let spots = || 0..automaton.locations.len() as u32;
    Moves {
        all: set(&|entity| entity.moves(automaton).next().is_some()),
        away: spots()
            .map(|spot| {
                let leads_away = |stored: &Stored| location(automaton, stored) != Some(spot);
                set(&|entity| from(entity).is_none_or(|from| from == spot) && entity.moves(automaton).any(leads_away))
            })
            .collect(),
        to: spots()
            .map(|spot| {
                let leads_there = |stored: &Stored| location(automaton, stored).is_none_or(|to| to == spot);
                set(&|entity| entity.moves(automaton).any(leads_there))
            })
            .collect(),
        elsewhere: spots().map(|spot| set(&|entity| from(entity).is_some_and(|from| from != spot))).collect(),
    }
}

/// For every entity, those that have to do with it: what one writes the other one reads or writes.
fn depends(list: &[Entity], size: usize) -> Vec<Bits> {
    let none = || vec![Bits::new(list.len()); size + 1];
    let (mut readers, mut writers) = (none(), none());
    for (one, entity) in list.iter().enumerate() {
        entity.reads.iter().for_each(|byte| readers[byte].insert(one));
        entity.writes.iter().for_each(|byte| writers[byte].insert(one));
    }
    let of = |(one, entity): (usize, &Entity)| {
        let mut all = Bits::new(list.len());
        all.insert(one);
        for byte in entity.writes.iter() {
            all.add(&readers[byte]);
            all.add(&writers[byte]);
        }
        entity.reads.iter().for_each(|byte| all.add(&writers[byte]));
        all
    };
    list.iter().enumerate().map(of).collect()
}

/// Finds what can enable what.
struct Enabling {
    /// Everything that is stored by anybody, and by whom.
    stored: Vec<(Stored, Bits)>,
    /// For every byte, what is stored there, by number.
    by_byte: Vec<Vec<u32>>,
    needed: Vec<Bits>,
    numbers: FxHashMap<Bits, u32>,
}

impl Enabling {
    fn new(list: &[Entity], size: usize) -> Enabling {
        let (mut stored, mut by_byte) = (Vec::new(), vec![Vec::new(); size + 1]);
        let mut known: FxHashMap<Stored, usize> = FxHashMap::default();
        for (one, entity) in list.iter().enumerate() {
            for &what in &entity.stored {
                let number = *known.entry(what).or_insert_with(|| {
                    (what.start as usize..(what.end as usize).min(size + 1))
                        .for_each(|byte| by_byte[byte].push(stored.len() as u32));
                    stored.push((what, Bits::new(list.len())));
                    stored.len() - 1
                });
                stored[number].1.insert(one);
            }
        }
        Enabling { stored, by_byte, needed: Vec::new(), numbers: FxHashMap::default() }
    }

    fn number(&mut self, set: Bits) -> u32 {
        let next = self.needed.len() as u32;
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.needed.push(set.clone());
            next
        })
    }

    /// Those that store something in one of these bytes that `matters`.
    fn storing(&self, bytes: &Bits, count: usize, mut matters: impl FnMut(&Stored) -> bool) -> Bits {
        let mut numbers: Vec<u32> = bytes.iter().flat_map(|byte| &self.by_byte[byte]).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut set = Bits::new(count);
        for number in numbers {
            let (stored, by) = &self.stored[number as usize];
            if matters(stored) {
                set.add(by);
            }
        }
        set
    }

    /// What is kept of an entity.
    fn listed(
        &mut self,
        reader: &mut Reader<'_>,
        rules: &RuleSet,
        list: &[Entity],
        one: usize,
        parts: &[Vec<(usize, Test)>],
    ) -> Listed {
        let entity = &list[one];
        entity.enter(reader, &rules.rules[entity.rule as usize]);
        let mut sets = Vec::new();
        for ((_, part), (reads, besides)) in parts[entity.rule as usize].iter().zip(&entity.parts) {
            let mut set = self.storing(besides, list.len(), |_| true);
            set.add(&self.storing(reads, list.len(), |stored| {
                // Whether the part may be true once this is stored, whatever else is.
                reader.supposed = Some(*stored).filter(|stored| stored.value.is_some());
                reader.take_reads();
                let known = reader.test(part);
                reader.supposed = None;
                reader.take_reads().1 || known != Known::Number(0)
            }));
            // What it binds.
            reader.test(part);
            sets.push(self.number(set));
        }
        let otherwise = self.storing(&entity.tested, list.len(), |_| true);
        let otherwise = self.number(otherwise);
        Listed { rule: entity.rule, params: entity.params.clone(), parts: sets, otherwise }
    }
}
