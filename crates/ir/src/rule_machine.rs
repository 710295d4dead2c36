//! The interpreter of rules.

use crate::context::{Context, evaluate, out_of_bounds};
use crate::eval::Trouble;
use crate::rule_height::of_routine;
use crate::rules::{Does, Piece, Rule, RuleSet, Stmt, Test};
use crate::trace::Trace;
use crate::{Argument, Base, Call, Domain, Expr, Fold, Multiset, Program, Source, Variable};
use tightrope_core::{FaultKind, How, Thing, sort_slots};

/// A loop that goes round so often counts as endless.
pub const MAX_ROUNDS: u64 = 10_000_000;
/// Calls that are nested deeper are not executed.
pub const MAX_CALLS: u32 = 1_000;

/// Calls whose statements and expressions are nested so deep, all together, are not executed. This bounds what the
/// interpreter takes of the stack: less than 200 bytes for each level.
pub const MAX_LEVELS: u32 = 10_000;
/// The most bytes of local variables of all calls under way.
pub const MAX_FRAMES: usize = 64 << 20;

/// Frames that are larger get just the memory that they need.
const LARGE_FRAME: usize = 1 << 16;

/// Working space that is used again for every rule.
#[derive(Default)]
pub struct RuleSpace {
    slots: Vec<i32>,
    frames: Vec<u8>,
    /// How deep the statements of each routine are nested, once one was called.
    heights: Vec<u32>,
    /// The most bytes that local variables of calls may take now, where a budget says so.
    pub most_frames: Option<usize>,
    /// A call was not executed because its local variables would take more.
    pub short_of_memory: bool,
    /// A state to look at.
    pub state: Vec<u8>,
}

impl RuleSpace {
    /// The bytes that it holds for local variables, whether they are used or not.
    pub fn held_bytes(&self) -> usize {
        self.frames.capacity()
    }
}

/// A rule or routine under way, on the state at `bytes[start..end]`.
///
/// A place is a number: the offset in the state, or, negative, the complement of an offset in the frames.
pub struct RuleMachine<'a> {
    program: &'a Program,
    rules: &'a RuleSet,
    bytes: &'a mut Vec<u8>,
    start: usize,
    space: &'a mut RuleSpace,
    slot_base: usize,
    frame_base: usize,
    calls: u32,
    levels: u32,
    rounds: u64,
    at: Source,
    trouble: Option<Box<Trouble>>,
    returned: i32,
    /// Where printed text goes, if anyone wants it.
    pub output: Option<String>,
    /// Who is told of everything that is looked at or changed, if anyone is.
    pub trace: Option<&'a Trace>,
}

/// How a statement ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Return,
}

impl<'a> RuleMachine<'a> {
    /// A machine for the state that begins at `start` and ends where `bytes` ends, or, where nothing is changed, for
    /// one in the middle.
    pub fn new(
        program: &'a Program,
        rules: &'a RuleSet,
        bytes: &'a mut Vec<u8>,
        start: usize,
        space: &'a mut RuleSpace,
    ) -> RuleMachine<'a> {
        RuleMachine {
            program,
            rules,
            bytes,
            start,
            space,
            slot_base: 0,
            frame_base: 0,
            calls: 0,
            levels: 0,
            rounds: 0,
            at: Source::default(),
            trouble: None,
            returned: 0,
            output: None,
            trace: None,
        }
    }

    /// Makes room for a rule with so many slots and this frame.
    pub fn enter(&mut self, slots: u32, frame: &[u8]) {
        self.space.slots.clear();
        self.space.slots.resize(slots as usize, 0);
        self.space.frames.clear();
        self.space.frames.extend_from_slice(frame);
        self.slot_base = 0;
        self.frame_base = 0;
    }

    /// Sets a slot.
    #[inline]
    pub fn set_slot(&mut self, slot: u32, value: i32) {
        self.space.slots[self.slot_base + slot as usize] = value;
    }

    /// The trouble there was, and where.
    pub fn take_trouble(&mut self) -> Option<(Trouble, Source)> {
        self.trouble.take().map(|trouble| (*trouble, self.at))
    }

    /// Whether there was trouble.
    #[inline]
    pub fn has_trouble(&self) -> bool {
        self.trouble.is_some()
    }

    /// Trouble that was met elsewhere.
    pub fn put_trouble(&mut self, (trouble, at): (Trouble, Source)) {
        self.trouble = Some(Box::new(trouble));
        self.at = at;
    }

    /// Works on another state of the same buffer from now on. Returns where the one before begins.
    pub fn turn_to(&mut self, start: usize) -> usize {
        std::mem::replace(&mut self.start, start)
    }

    /// The buffer.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        self.bytes
    }

    /// Whether a test is passed.
    #[inline]
    pub fn passes(&mut self, test: &Test, at: Source) -> bool {
        self.at = at;
        match test {
            Test::True(expr) => evaluate(self, expr) != 0 && self.trouble.is_none(),
            Test::Bind(slot, argument) => {
                let value = self.argument(argument);
                self.set_slot(*slot, value);
                self.trouble.is_none()
            }
        }
    }

    /// Executes the body of a rule whose parameters are set. False if there was trouble.
    pub fn execute(&mut self, rule: &Rule) -> bool {
        self.rounds = 0;
        self.at = rule.source;
        self.space.frames.clear();
        self.space.frames.extend_from_slice(&rule.frame);
        self.block(&rule.body);
        if self.trouble.is_some() {
            return false;
        }
        for multiset in &self.rules.multisets {
            let at = self.start + multiset.offset as usize;
            let size = multiset.size as usize;
            sort_slots(&mut self.bytes[at..at + size * multiset.count as usize], size);
        }
        true
    }

    /// The number that stands for an argument.
    fn argument(&mut self, argument: &Argument) -> i32 {
        match argument {
            Argument::Value(expr) => evaluate(self, expr),
            Argument::Place(variable) => self.place(variable).unwrap_or(0),
            Argument::Kept(variable, expr) => {
                self.set(variable, expr);
                self.place(variable).unwrap_or(0)
            }
        }
    }

    /// Gives a variable the value of an expression. If that is just another variable without a value, it has none then.
    fn set(&mut self, variable: &Variable, expr: &Expr) {
        if let Expr::Load(from) = expr
            && matches!(from.ty.domain, Domain::Within { .. } | Domain::Pieces(_))
        {
            let Some(place) = self.place(from) else { return };
            self.note(place, from.ty.size() as usize, How::Read);
            let (bytes, at) = self.area(place);
            if from.ty.repr.load(bytes, at) == 0 {
                let Some(place) = self.place(variable) else { return };
                self.note(place, variable.ty.size() as usize, How::Write);
                let (bytes, at) = self.area_mut(place);
                return variable.ty.repr.store(bytes, at, 0);
            }
        }
        let value = evaluate(self, expr);
        if self.trouble.is_none() {
            self.store(variable, value);
        }
    }

    fn slot(&self, slot: u32) -> i32 {
        self.space.slots[self.slot_base + slot as usize]
    }

    /// The place of a variable; none if there was trouble on the way.
    #[inline]
    fn place(&mut self, variable: &Variable) -> Option<i32> {
        let mut offset = variable.offset as i32;
        for index in &variable.indices {
            let value = evaluate(self, &index.value);
            let position = value.wrapping_sub(index.low);
            if position as u32 >= index.bound {
                if self.trouble.is_none() {
                    self.fail(FaultKind::Bounds, out_of_bounds(index, value));
                }
                return None;
            }
            offset += position * index.stride as i32;
        }
        Some(match &variable.base {
            Base::Global => offset,
            Base::Frame => !(self.frame_base as i32 + offset),
            Base::At(slot) => {
                let base = self.slot(*slot);
                if base >= 0 { base + offset } else { base - offset }
            }
            Base::Own | Base::Process(..) => {
                self.fail(FaultKind::Error, "a rule has no processes".into());
                return None;
            }
        })
    }

    /// Tells that bytes of the state are looked at or changed. What is in the frames is nobody else's.
    #[inline]
    fn note(&self, place: i32, size: usize, how: How) {
        if let (Some(trace), true) = (self.trace, place >= 0) {
            self.tell(trace, place as u32, place as u32 + size as u32, how);
        }
    }

    #[cold]
    fn tell(&self, trace: &Trace, from: u32, to: u32, how: How) {
        trace.add(Thing::Shared(from, to), how);
        // The elements of a multiset change their places when one of them changes.
        for multiset in &self.rules.multisets {
            let (start, end) = (multiset.offset, multiset.offset + multiset.size * multiset.count);
            if from < end && start < to {
                trace.add(Thing::Shared(start, end), how);
            }
        }
    }

    fn area(&self, place: i32) -> (&[u8], usize) {
        if place >= 0 { (&self.bytes[self.start..], place as usize) } else { (&self.space.frames, !place as usize) }
    }

    fn area_mut(&mut self, place: i32) -> (&mut [u8], usize) {
        if place >= 0 {
            (&mut self.bytes[self.start..], place as usize)
        } else {
            (&mut self.space.frames, !place as usize)
        }
    }

    fn store(&mut self, variable: &Variable, value: i32) {
        let Some(place) = self.place(variable) else { return };
        let ty = variable.ty;
        self.note(place, ty.size() as usize, How::Write);
        let raw = match ty.domain {
            Domain::Cut => ty.wrap(value),
            Domain::Checked => {
                let (low, high) = ty.range();
                if value < low || value > high {
                    return self.out_of_range(variable, value, low, high);
                }
                value
            }
            Domain::Within { low, high } => {
                if value < low || value > high {
                    return self.out_of_range(variable, value, low, high);
                }
                value - low + 1
            }
            Domain::Pieces(union) => match ordinal(&self.rules.unions[union as usize], value) {
                Some(position) => position + 1,
                None => {
                    let message = format!("{value} is not a value of {}", self.name(variable));
                    self.fail(FaultKind::Range, message);
                    return;
                }
            },
        };
        let (bytes, at) = self.area_mut(place);
        ty.repr.store(bytes, at, raw);
    }

    #[cold]
    fn out_of_range(&mut self, variable: &Variable, value: i32, low: i32, high: i32) {
        let message = format!("{value} is out of range for {}, which holds {low} to {high}", self.name(variable));
        self.fail(FaultKind::Range, message);
    }

    /// What is at a variable's place, by the name of the schema.
    fn name(&mut self, variable: &Variable) -> String {
        let fields = &self.program.schema.fixed;
        let at = self.place(variable).and_then(|place| u32::try_from(place).ok());
        let field = at.and_then(|at| fields.binary_search_by_key(&at, |field| field.offset).ok());
        field.map_or_else(|| "a local variable".to_string(), |field| format!("`{}`", fields[field].name))
    }

    fn block(&mut self, stmts: &[Stmt]) -> Flow {
        for stmt in stmts {
            self.at = stmt.source;
            let flow = self.statement(&stmt.does);
            if flow == Flow::Return || self.trouble.is_some() {
                return Flow::Return;
            }
        }
        Flow::Next
    }

    fn statement(&mut self, does: &Does) -> Flow {
        match does {
            Does::Set(variable, expr) => self.set(variable, expr),
            Does::SetSlot(slot, expr) => {
                let value = evaluate(self, expr);
                self.set_slot(*slot, value);
            }
            Does::Bind(slot, variable) => {
                let place = self.place(variable).unwrap_or(0);
                self.set_slot(*slot, place);
            }
            Does::Copy(to, from, size) => self.copy(to, from, *size as usize),
            Does::Fill(to, bytes) => {
                if let Some(place) = self.place(to) {
                    self.note(place, bytes.len(), How::Write);
                    let (area, at) = self.area_mut(place);
                    area[at..at + bytes.len()].copy_from_slice(bytes);
                }
            }
            Does::If(options, otherwise) => {
                for (condition, block) in options {
                    if evaluate(self, condition) != 0 {
                        return if self.trouble.is_some() { Flow::Return } else { self.block(block) };
                    }
                    if self.trouble.is_some() {
                        return Flow::Return;
                    }
                }
                return self.block(otherwise);
            }
            Does::Switch(value, cases, otherwise) => {
                let value = evaluate(self, value);
                for (alternatives, block) in cases {
                    for alternative in alternatives {
                        if evaluate(self, alternative) == value {
                            return if self.trouble.is_some() { Flow::Return } else { self.block(block) };
                        }
                    }
                }
                return if self.trouble.is_some() { Flow::Return } else { self.block(otherwise) };
            }
            Does::For(slot, low, high, step, body) => {
                let (mut value, high) = (evaluate(self, low), evaluate(self, high));
                while (*step > 0 && value <= high) || (*step < 0 && value >= high) {
                    self.set_slot(*slot, value);
                    if self.block(body) == Flow::Return {
                        return Flow::Return;
                    }
                    match value.checked_add(*step) {
                        Some(next) => value = next,
                        None => break,
                    }
                }
            }
            Does::While(condition, body) => {
                while evaluate(self, condition) != 0 && self.trouble.is_none() {
                    self.rounds += 1;
                    if self.rounds > MAX_ROUNDS {
                        let message = format!("a loop went round more than {MAX_ROUNDS} times");
                        self.fail(FaultKind::Atomicity, message);
                        return Flow::Return;
                    }
                    if self.block(body) == Flow::Return {
                        return Flow::Return;
                    }
                }
            }
            Does::Call(call) => {
                self.call(call);
            }
            Does::Return(value) => {
                self.returned = value.as_ref().map_or(0, |value| evaluate(self, value));
                return Flow::Return;
            }
            Does::Assert(condition, message) => {
                if evaluate(self, condition) == 0 {
                    self.fail(FaultKind::Assertion, message.clone());
                }
            }
            Does::Error(message) => {
                self.fail(FaultKind::Error, message.clone());
            }
            Does::Print(pieces) => self.print(pieces),
            Does::Insert(multiset, form, element) => self.insert(multiset, form, element),
            Does::Remove(multiset, form, position) => self.remove(multiset, form, position),
        }
        Flow::Next
    }

    fn copy(&mut self, to: &Variable, from: &Variable, size: usize) {
        let (Some(from), Some(to)) = (self.place(from), self.place(to)) else { return };
        self.note(from, size, How::Read);
        self.note(to, size, How::Write);
        match (from >= 0, to >= 0) {
            (true, true) => {
                let from = self.start + from as usize;
                self.bytes.copy_within(from..from + size, self.start + to as usize);
            }
            (false, false) => self.space.frames.copy_within(!from as usize..!from as usize + size, !to as usize),
            (true, false) => {
                let from = self.start + from as usize;
                self.space.frames[!to as usize..!to as usize + size].copy_from_slice(&self.bytes[from..from + size]);
            }
            (false, true) => {
                let to = self.start + to as usize;
                self.bytes[to..to + size].copy_from_slice(&self.space.frames[!from as usize..!from as usize + size]);
            }
        }
    }

    fn insert(&mut self, multiset: &Variable, form: &Multiset, element: &Variable) {
        let (Some(place), Some(from)) = (self.place(multiset), self.place(element)) else { return };
        let size = form.size as usize;
        self.note(from, size - 1, How::Read);
        self.note(place, size * form.count as usize, How::Write);
        let element: Vec<u8> = {
            let (bytes, at) = self.area(from);
            bytes[at..at + size - 1].to_vec()
        };
        let count = form.count as usize;
        let (bytes, at) = self.area_mut(place);
        match (0..count).find(|slot| bytes[at + slot * size] == 0) {
            Some(slot) => {
                let at = at + slot * size;
                bytes[at] = 1;
                bytes[at + 1..at + size].copy_from_slice(&element);
            }
            None => {
                let message = format!("a multiset has no room for more than {count} elements");
                self.fail(FaultKind::Range, message);
            }
        }
    }

    fn remove(&mut self, multiset: &Variable, form: &Multiset, position: &Expr) {
        let position = evaluate(self, position);
        let Some(place) = self.place(multiset) else { return };
        let size = form.size as usize;
        self.note(place, size * form.count as usize, How::Write);
        if position as u32 >= form.count {
            self.fail(FaultKind::Bounds, format!("a multiset has no position {position}"));
            return;
        }
        let (bytes, at) = self.area_mut(place);
        let at = at + position as usize * size;
        if bytes[at] == 0 {
            self.fail(FaultKind::Range, format!("there is nothing at position {position} of a multiset"));
            return;
        }
        bytes[at..at + size].fill(0);
    }

    fn print(&mut self, pieces: &[Piece]) {
        if self.output.is_none() {
            return;
        }
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Value(value, format) => {
                    let value = evaluate(self, value);
                    text.push_str(&format.show(value).unwrap_or_default());
                }
                Piece::Unless(undefined, value, format) => {
                    let value = if evaluate(self, undefined) != 0 { None } else { Some(evaluate(self, value)) };
                    let shown = value.and_then(|value| format.show(value));
                    text.push_str(&shown.unwrap_or_else(|| "undefined".into()));
                }
            }
        }
        if let Some(output) = &mut self.output {
            output.push_str(&text);
        }
    }

    fn call(&mut self, call: &Call) -> i32 {
        let rules = self.rules;
        let routine = &rules.routines[call.routine as usize];
        if self.calls >= MAX_CALLS {
            return self.fail(FaultKind::Limit, format!("`{}` calls itself more than {MAX_CALLS} deep", routine.name));
        }
        if self.space.heights.len() != rules.routines.len() {
            self.space.heights = rules.routines.iter().map(|routine| of_routine(&routine.body)).collect();
        }
        let height = self.space.heights[call.routine as usize];
        if self.levels + height > MAX_LEVELS {
            let message = format!("`{}` is called too deep inside of other calls", routine.name);
            return self.fail(FaultKind::Limit, message);
        }
        let (slots, frames) = (self.space.slots.len(), self.space.frames.len());
        if self.space.most_frames.is_some_and(|most| frames + routine.frame.len() > most) {
            self.space.short_of_memory = true;
        }
        if self.space.short_of_memory || frames + routine.frame.len() > MAX_FRAMES {
            let most = MAX_FRAMES >> 20;
            let message = format!("`{}` is called, and local variables take more than {most} MB then", routine.name);
            return self.fail(FaultKind::Limit, message);
        }
        for argument in &call.args {
            // Calls among the arguments use the slots behind those pushed so far, and leave them as they were.
            let value = self.argument(argument);
            self.space.slots.push(value);
        }
        if self.trouble.is_some() {
            self.space.slots.truncate(slots);
            return 0;
        }
        self.space.slots.resize(slots + routine.slots as usize, 0);
        if routine.frame.len() > LARGE_FRAME {
            self.space.frames.reserve_exact(routine.frame.len());
        }
        self.space.frames.extend_from_slice(&routine.frame);
        let outer = (self.slot_base, self.frame_base, self.at);
        (self.slot_base, self.frame_base) = (slots, frames);
        self.calls += 1;
        self.levels += height;
        self.returned = 0;
        let flow = self.block(&routine.body);
        self.calls -= 1;
        self.levels -= height;
        (self.slot_base, self.frame_base) = (outer.0, outer.1);
        if self.trouble.is_none() {
            self.at = outer.2;
            if routine.returns && flow == Flow::Next {
                return self.fail(FaultKind::Error, format!("`{}` ends without returning a value", routine.name));
            }
        }
        self.space.slots.truncate(slots);
        self.space.frames.truncate(frames);
        self.returned
    }

    fn over(&mut self, over: &crate::Over) -> i32 {
        let (mut value, high) = (evaluate(self, &over.low), evaluate(self, &over.high));
        let (mut count, mut decided) = (0, None);
        while (over.step > 0 && value <= high) || (over.step < 0 && value >= high) {
            self.set_slot(over.slot, value);
            let holds = evaluate(self, &over.body) != 0;
            if self.trouble.is_some() {
                return 0;
            }
            match over.fold {
                Fold::All if !holds => decided = Some(0),
                Fold::Any if holds => decided = Some(1),
                _ => count += i32::from(holds),
            }
            if let Some(answer) = decided
                && !over.every
            {
                return answer;
            }
            match value.checked_add(over.step) {
                Some(next) => value = next,
                None => break,
            }
        }
        decided.unwrap_or(match over.fold {
            Fold::All => 1,
            Fold::Any => 0,
            Fold::Count => count,
        })
    }
}

impl Context for RuleMachine<'_> {
    #[inline]
    fn load(&mut self, variable: &Variable) -> i32 {
        let Some(place) = self.place(variable) else { return 0 };
        let ty = variable.ty;
        self.note(place, ty.size() as usize, How::Read);
        let (bytes, at) = self.area(place);
        let raw = ty.repr.load(bytes, at);
        match ty.domain {
            Domain::Cut | Domain::Checked => raw,
            Domain::Within { low, .. } if raw != 0 => raw - 1 + low,
            Domain::Pieces(union) if raw != 0 => nth(&self.rules.unions[union as usize], raw - 1),
            Domain::Within { .. } | Domain::Pieces(_) => {
                let message = format!("{} has no value", self.name(variable));
                self.fail(FaultKind::Undefined, message)
            }
        }
    }

    fn special(&mut self, expr: &Expr) -> i32 {
        match expr {
            Expr::Slot(slot) => self.slot(*slot),
            Expr::Undefined(variable) => match self.place(variable) {
                Some(place) => {
                    self.note(place, variable.ty.size() as usize, How::Read);
                    let (bytes, at) = self.area(place);
                    i32::from(variable.ty.repr.load(bytes, at) == 0)
                }
                None => 0,
            },
            Expr::Call(call) => self.call(call),
            Expr::Over(over) => self.over(over),
            Expr::Ordinal(value, union) => {
                let value = evaluate(self, value);
                ordinal(&self.rules.unions[*union as usize], value).unwrap_or(-1)
            }
            other => self.fail(FaultKind::Error, format!("a rule cannot evaluate {other:?}")),
        }
    }

    #[cold]
    fn fail(&mut self, kind: FaultKind, message: String) -> i32 {
        if self.trouble.is_none() {
            self.trouble = Some(Box::new(Trouble { kind, message }));
        }
        0
    }
}

/// The position of a value in a union of ranges.
pub(crate) fn ordinal(ranges: &[(i32, i32)], value: i32) -> Option<i32> {
    let mut before = 0;
    for &(low, high) in ranges {
        if (low..=high).contains(&value) {
            return Some(before + value - low);
        }
        before += high - low + 1;
    }
    None
}

/// The value at a position of a union of ranges.
fn nth(ranges: &[(i32, i32)], mut position: i32) -> i32 {
    for &(low, high) in ranges {
        if position <= high - low {
            return low + position;
        }
        position -= high - low + 1;
    }
    0
}
