//! What a rule may read and write in any state: abstract interpretation of its text.
//!
//! The analysis follows a rule with what is known of its slots: parameters and the variables of loops between constants
//! have their values; what is loaded from the state is unknown. A place that depends on an unknown value stands for all
//! places it can be. All undecided branches are followed. So the result contains what any execution does. Statements
//! are in `statements.rs`.

use super::bits::Bits;
use crate::context::calculate;
use crate::rule::ordinal;
use crate::rule::{RuleSet, Test};
use crate::{Argument, Base, Binary, Domain, Expr, Index, Quantified, Type, Unary, Variable};

/// Loops between constants are followed round by round if there are no more rounds than this.
const ROUNDS: i64 = 256;
/// A reference to more places than this is unknown.
const PLACES: usize = 1 << 14;

/// What is known of the value of a slot or expression.
#[derive(Clone, Debug, PartialEq)]
pub enum AbstractValue {
    /// It is this number.
    Number(i32),
    /// One of these places in the state, or a place in a frame.
    Places(Vec<u32>),
    /// A place in a frame, which holds this number.
    Local(i32),
    /// Nothing.
    Unknown,
}

/// A write of a rule: its bytes, and the value if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticWrite {
    /// The first byte.
    pub start: u32,
    /// Just behind the last byte.
    pub end: u32,
    /// The number, with the type of the variable.
    pub value: Option<(Type, i32)>,
}

/// Follows the text of rules and collects what they access.
pub struct RuleAnalysis<'r> {
    pub(super) rules: &'r RuleSet,
    /// The bytes of a state.
    size: usize,
    /// What is known of the slots of the rule or routine under way.
    pub(super) slots: Vec<AbstractValue>,
    /// How many routines are under way.
    pub(super) calls: u32,
    /// What the routine under way returns, as far as it was followed.
    pub(super) returned: Option<AbstractValue>,
    /// How many expressions and statements it may still follow.
    pub patience: u64,
    /// The bytes that are read.
    pub reads: Bits,
    /// The bytes that are written.
    pub writes: Bits,
    /// The writes, one by one.
    pub stored: Vec<StaticWrite>,
    /// Something may be an error.
    pub may_fail: bool,
    /// A value that is assumed to be in the state.
    pub supposed: Option<StaticWrite>,
}

impl<'r> RuleAnalysis<'r> {
    /// For states of so many bytes. Its sets of bytes have room for one more.
    pub fn new(rules: &'r RuleSet, size: usize, patience: u64) -> RuleAnalysis<'r> {
        let bits = || Bits::new(size + 1);
        let (reads, writes) = (bits(), bits());
        let (slots, stored) = (Vec::new(), Vec::new());
        let (returned, supposed) = (None, None);
        RuleAnalysis {
            rules,
            size,
            slots,
            calls: 0,
            returned,
            patience,
            reads,
            writes,
            stored,
            may_fail: false,
            supposed,
        }
    }

    /// Begins a rule with so many slots; parameters come next.
    pub fn enter(&mut self, slots: u32) {
        self.slots = vec![AbstractValue::Number(0); slots as usize];
        self.reads.reset(self.size + 1);
        self.writes.reset(self.size + 1);
        self.stored.clear();
        self.may_fail = false;
    }

    /// No bytes.
    pub fn nothing(&self) -> Bits {
        Bits::new(self.size + 1)
    }

    /// Sets a slot.
    pub fn set_slot(&mut self, slot: u32, value: AbstractValue) {
        self.slots[slot as usize] = value;
    }

    /// What was read since the last call, and whether that may have failed.
    pub fn take_reads(&mut self) -> (Bits, bool) {
        (std::mem::replace(&mut self.reads, Bits::new(self.size + 1)), std::mem::take(&mut self.may_fail))
    }

    /// Whether everything was followed.
    pub fn is_through(&self) -> bool {
        self.patience > 0
    }

    pub(super) fn everything(&mut self) {
        self.reads.insert_range(0, self.size);
        self.write(0, self.size as u32, None);
        self.may_fail = true;
    }

    /// Binds what a test binds, or reads what it reads; what is known of it.
    pub fn test(&mut self, test: &Test) -> AbstractValue {
        match test {
            Test::True(expr) => self.value(expr),
            Test::Bind(slot, argument) => {
                let value = self.argument(argument);
                self.set_slot(*slot, value);
                AbstractValue::Number(1)
            }
        }
    }

    pub(super) fn argument(&mut self, argument: &Argument) -> AbstractValue {
        match argument {
            Argument::Value(expr) => self.value(expr),
            Argument::Place(variable) => self.places(variable),
            Argument::Kept(variable, expr) => {
                let value = self.value(expr);
                self.store(variable, &value);
                let places = self.places(variable);
                let fits = |value: &i32| variable.ty.domain != Domain::Cut || variable.ty.wrap(*value) == *value;
                match number(&value).filter(fits) {
                    Some(number) if variable.base == Base::Frame && variable.indices.is_empty() => {
                        AbstractValue::Local(number)
                    }
                    _ => places,
                }
            }
        }
    }

    /// Where a variable can be, for references and writes: what is there may change from now on.
    pub(super) fn places(&mut self, variable: &Variable) -> AbstractValue {
        if let Base::At(slot) = variable.base
            && let AbstractValue::Local(_) = self.slots[slot as usize]
        {
            self.set_slot(slot, AbstractValue::Places(Vec::new()));
        }
        self.looked_up(variable)
    }

    /// Where a variable can be, for reads.
    fn looked_up(&mut self, variable: &Variable) -> AbstractValue {
        let mut places = match &variable.base {
            Base::Global => Some(vec![0]),
            Base::Frame => Some(Vec::new()),
            Base::At(slot) => match &self.slots[*slot as usize] {
                AbstractValue::Places(places) => Some(places.clone()),
                AbstractValue::Number(number) => Some(u32::try_from(*number).into_iter().collect()),
                AbstractValue::Local(_) => Some(Vec::new()),
                AbstractValue::Unknown => None,
            },
            Base::Own | Base::Process(..) => None,
        };
        for index in &variable.indices {
            let positions = match self.value(&index.value) {
                AbstractValue::Number(value) => {
                    let position = value.wrapping_sub(index.low) as u32;
                    self.may_fail |= position >= index.bound;
                    position..if position < index.bound { position + 1 } else { position }
                }
                AbstractValue::Places(_) | AbstractValue::Local(_) | AbstractValue::Unknown => {
                    self.may_fail = true;
                    0..index.bound
                }
            };
            places = places.filter(|places| places.len() * positions.len() <= PLACES).map(|places| {
                let of = |place: u32| positions.clone().map(move |position| place + position * index.stride);
                places.into_iter().flat_map(of).collect()
            });
        }
        places.map_or(AbstractValue::Unknown, |places| {
            AbstractValue::Places(places.into_iter().map(|place| place + variable.offset).collect())
        })
    }

    pub(super) fn read(&mut self, variable: &Variable, size: u32) -> AbstractValue {
        let places = self.looked_up(variable);
        match &places {
            AbstractValue::Places(places) => places.iter().for_each(|&place| {
                let (start, end) = whole(self.rules, place, place + size);
                self.reads.insert_range(start as usize, end as usize);
            }),
            AbstractValue::Number(_) | AbstractValue::Local(_) | AbstractValue::Unknown => {
                self.reads.insert_range(0, self.size)
            }
        }
        places
    }

    fn write(&mut self, start: u32, end: u32, value: Option<(Type, i32)>) {
        let (from, to) = whole(self.rules, start, end);
        self.writes.insert_range(from as usize, to as usize);
        let value = value.filter(|_| (from, to) == (start, end));
        let stored = StaticWrite { start: from, end: to, value };
        if self.stored.last() != Some(&stored) {
            self.stored.push(stored);
        }
    }

    pub(super) fn change(&mut self, variable: &Variable, size: u32, value: Option<(Type, i32)>) {
        match self.places(variable) {
            AbstractValue::Places(places) => {
                let value = value.filter(|_| places.len() == 1);
                places.iter().for_each(|&place| self.write(place, place + size, value));
            }
            AbstractValue::Number(_) | AbstractValue::Local(_) | AbstractValue::Unknown => {
                self.write(0, self.size as u32, None)
            }
        }
    }

    pub(super) fn store(&mut self, variable: &Variable, value: &AbstractValue) {
        let value = match value {
            AbstractValue::Number(value) if variable.ty.domain == Domain::Cut => {
                Some((variable.ty, variable.ty.wrap(*value)))
            }
            AbstractValue::Number(value) => Some((variable.ty, *value)),
            AbstractValue::Places(_) | AbstractValue::Local(_) | AbstractValue::Unknown => None,
        };
        self.may_fail = true;
        self.change(variable, variable.ty.size(), value);
    }

    /// The value of an expression, as far as it is known.
    pub fn value(&mut self, expr: &Expr) -> AbstractValue {
        if self.patience == 0 {
            self.everything();
            return AbstractValue::Unknown;
        }
        self.patience -= 1;
        let known = match expr {
            Expr::Const(value) => Some(*value),
            Expr::Slot(slot) => number(&self.slots[*slot as usize]),
            Expr::Load(variable) => {
                if let Some(held) = self.held(variable) {
                    return AbstractValue::Number(held);
                }
                let places = self.read(variable, variable.ty.size());
                let supposed = self.supposed.filter(|supposed| places == AbstractValue::Places(vec![supposed.start]));
                let known = supposed.and_then(|supposed| supposed.value).filter(|(ty, _)| variable.ty == *ty);
                let may_lack = matches!(variable.ty.domain, Domain::Within { .. } | Domain::Union(_));
                self.may_fail |= may_lack && known.is_none();
                known.map(|(_, value)| value)
            }
            Expr::Undefined(variable) => {
                self.read(variable, variable.ty.size());
                None
            }
            Expr::Unary(op, a) => number(&self.value(a)).map(|a| match op {
                Unary::Neg => a.wrapping_neg(),
                Unary::Not => i32::from(a == 0),
                Unary::Complement => !a,
            }),
            Expr::Binary(op, a, b) => {
                let (a, b) = (number(&self.value(a)), number(&self.value(b)));
                self.may_fail |= matches!(op, Binary::Div | Binary::Rem) && b.is_none_or(|b| b == 0);
                a.zip(b).and_then(|(a, b)| calculate(*op, a, b))
            }
            Expr::Both(a, b) => self.joined(a, b, 0),
            Expr::Either(a, b) => self.joined(a, b, 1),
            Expr::Choose(parts) => match number(&self.value(&parts.0)) {
                Some(0) => number(&self.value(&parts.2)),
                Some(_) => number(&self.value(&parts.1)),
                None => {
                    let (one, two) = (self.value(&parts.1), self.value(&parts.2));
                    number(&one).filter(|_| one == two)
                }
            },
            Expr::Bounded(index) => self.within(index),
            Expr::Table(table) => {
                let (index, numbers) = &**table;
                self.within(index).and_then(|value| numbers.get(value.wrapping_sub(index.low) as usize).copied())
            }
            Expr::Call(call) => number(&self.call(call)),
            Expr::Ordinal(value, union) => {
                let ranges = &self.rules.unions[*union as usize];
                number(&self.value(value)).map(|value| ordinal(ranges, value).unwrap_or(-1))
            }
            Expr::Quantified(over) => {
                self.quantified(over);
                None
            }
            // Rules evaluate none of these.
            Expr::OwnPid
            | Expr::ProcessCount
            | Expr::OwnChannel(_)
            | Expr::Length(_)
            | Expr::Full(_)
            | Expr::Poll(_)
            | Expr::Run(_)
            | Expr::Enabled(_)
            | Expr::LocationOf(..)
            | Expr::FirstOf(_)
            | Expr::PriorityOf(_)
            | Expr::Timeout
            | Expr::NoProgress => {
                self.everything();
                None
            }
        };
        known.map_or(AbstractValue::Unknown, AbstractValue::Number)
    }

    /// A conjunction or disjunction: decided if one operand has the deciding truth value.
    fn joined(&mut self, a: &Expr, b: &Expr, deciding: i32) -> Option<i32> {
        let truth = |known: AbstractValue| number(&known).map(|value| i32::from(value != 0));
        let a = truth(self.value(a));
        if a == Some(deciding) {
            return a;
        }
        let b = truth(self.value(b));
        if b == Some(deciding) { b } else { a.and(b) }
    }

    fn within(&mut self, index: &Index) -> Option<i32> {
        let inside = |value: &i32| (value.wrapping_sub(index.low) as u32) < index.bound;
        let value = number(&self.value(&index.value)).filter(inside);
        self.may_fail |= value.is_none();
        value
    }

    fn quantified(&mut self, over: &Quantified) {
        let bounds = (self.value(&over.low), self.value(&over.high));
        match rounds(&bounds, over.step) {
            Some(values) => values.for_each(|value| {
                self.set_slot(over.slot, AbstractValue::Number(value));
                self.value(&over.body);
            }),
            None => {
                self.set_slot(over.slot, AbstractValue::Unknown);
                self.value(&over.body);
            }
        }
        self.set_slot(over.slot, AbstractValue::Unknown);
    }

    /// The number in a place in a frame, if it is known.
    fn held(&self, variable: &Variable) -> Option<i32> {
        let Base::At(slot) = variable.base else { return None };
        match self.slots[slot as usize] {
            AbstractValue::Local(number) if variable.offset == 0 && variable.indices.is_empty() => Some(number),
            _ => None,
        }
    }
}

/// The number, if it is known.
pub(super) fn number(known: &AbstractValue) -> Option<i32> {
    match known {
        AbstractValue::Number(number) => Some(*number),
        AbstractValue::Places(_) | AbstractValue::Local(_) | AbstractValue::Unknown => None,
    }
}

/// The values from one bound to another, if they are known and few.
pub(super) fn rounds(bounds: &(AbstractValue, AbstractValue), step: i32) -> Option<impl Iterator<Item = i32> + use<>> {
    let (low, high) = (number(&bounds.0)?, number(&bounds.1)?);
    let count = ((i64::from(high) - i64::from(low)) / i64::from(step)).max(-1) + 1;
    let none = (i64::from(high) - i64::from(low)) * i64::from(step.signum()) < 0;
    let count = if none { 0 } else { count };
    (count <= ROUNDS).then(|| (0..count as i32).map(move |round| low.wrapping_add(round.wrapping_mul(step))))
}

/// The bytes that change together: the elements of a multiset change their places when one of them changes.
fn whole(rules: &RuleSet, start: u32, end: u32) -> (u32, u32) {
    rules.multisets.iter().fold((start, end), |(start, end), multiset| {
        let (first, last) = (multiset.offset, multiset.offset + multiset.size * multiset.count);
        if start < last && first < end { (start.min(first), end.max(last)) } else { (start, end) }
    })
}
