//! What a rule, a routine or an invariant under way has: slots, a frame, and the state it looks at or changes.

use crate::code::{Address, Code, Failed};
use crate::engine::POINTER;
use crate::expr::{self, Places, branch, constant, range, truth, value};
use crate::facts::{Region, RoutineFacts, SlotFacts, has_calls};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Block, FuncRef, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_frontend::Variable as Register;
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use std::collections::HashMap;
use tightrope_ir::{Argument, Base, Call, Expr, Fold, Over, RuleSet, Test, Variable};

/// What everything that is compiled for a set of rules shares.
pub struct Set<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// What is known of the routines.
    pub routines: Vec<RoutineFacts>,
    /// The functions of the routines; none for those that are always compiled where they are called.
    pub functions: Vec<Option<FuncId>>,
    /// The functions that machine code may call.
    pub helpers: Helpers,
    /// The bytes of a state.
    pub size: u32,
}

/// The functions that machine code may call.
#[derive(Clone, Copy)]
pub struct Helpers {
    /// Makes room for successors: the run.
    pub grow: FuncId,
    /// Copies bytes: to, from, how many.
    pub copy: FuncId,
    /// Sorts the slots of a multiset: where, how many bytes, bytes of a slot.
    pub sort: FuncId,
    /// Puts an element into a multiset: where, how many slots, bytes of a slot, the element. 0 if there is no room.
    pub insert: FuncId,
}

/// Finds functions for calls from the function under construction.
///
/// It also hands out the frames of the rules and routines that are compiled into that function. A frame that is given back
/// is used again, so that a function takes as much of the stack as what is under way at the same time, not as all of it.
pub struct Linker<'m> {
    module: &'m mut JITModule,
    known: HashMap<FuncId, FuncRef>,
    /// Frames that nobody uses now.
    free: Vec<StackSlot>,
    /// The bytes of all frames together.
    frames: u64,
}

impl<'m> Linker<'m> {
    /// For one function.
    pub fn new(module: &'m mut JITModule) -> Linker<'m> {
        Linker { module, known: HashMap::new(), free: Vec::new(), frames: 0 }
    }

    /// A frame of so many bytes. Fails where the frames of the function would take more than [`MAX_FRAMES`].
    fn take_frame(&mut self, code: &mut Code<'_>, size: usize) -> Result<StackSlot, Failed> {
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let slots = &mut code.builder.func.sized_stack_slots;
        // The largest one, which has to grow least.
        let largest = (0..self.free.len()).max_by_key(|&at| slots[self.free[at]].size);
        let (slot, before) = match largest.map(|at| self.free.swap_remove(at)) {
            Some(slot) => (slot, slots[slot].size),
            None => (slots.push(StackSlotData::new(StackSlotKind::ExplicitSlot, 0, 3)), 0),
        };
        slots[slot].size = before.max(size);
        self.frames += u64::from(size.saturating_sub(before));
        if self.frames > u64::from(MAX_FRAMES) {
            return Err(format!("its local variables are too large for machine code (more than {MAX_FRAMES} bytes)"));
        }
        Ok(slot)
    }

    /// A function to be called.
    pub fn find(&mut self, code: &mut Code<'_>, id: FuncId) -> FuncRef {
        *self.known.entry(id).or_insert_with(|| self.module.declare_func_in_func(id, code.builder.func))
    }
}

/// Copies of more bytes than this are left to a helper.
pub const LONG: u32 = 256;
/// Routines that are no larger than this are compiled where they are called.
pub const SMALL: u32 = 24;
/// The most bytes of local variables in one function, and of stack that functions which call each other take together,
/// recursion apart.
pub const MAX_FRAMES: u32 = 128 << 10;
/// Loops whose rounds are no larger than this together are unrolled.
const UNROLLED: u64 = 24;

/// A slot.
#[derive(Clone, Copy)]
struct Seat {
    /// Its value, if it has one.
    number: Register,
    /// Its place, if it has one: in a rule the offset in the state or the frame, in a routine a pointer.
    place: Register,
    /// Where a place lies that may be in the state or the frame: not zero for the frame.
    framed: Register,
    facts: SlotFacts,
}

/// A rule, routine or invariant under way.
pub struct Scope<'a, 'm> {
    /// What everything shares.
    pub set: &'a Set<'a>,
    /// Finds functions.
    pub linker: &'a mut Linker<'m>,
    /// The run.
    pub run: Value,
    /// The state.
    pub state: Value,
    /// The state does not change: it is looked at.
    pub looking: bool,
    frame: Option<StackSlot>,
    seats: Vec<Seat>,
    /// A routine's places are pointers, so that it can be called with any.
    routine: bool,
    /// Where `return` leads, and where the returned value goes.
    pub exit: Option<(Block, Option<Register>)>,
    /// How many calls are compiled in place around this.
    depth: u32,
}

impl<'a, 'm> Scope<'a, 'm> {
    /// With all slots at zero, and a frame of so many bytes that has no content yet. The frame is given back by
    /// [`Scope::leave`], when nothing refers to it any more.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        code: &mut Code<'_>,
        set: &'a Set<'a>,
        linker: &'a mut Linker<'m>,
        (run, state): (Value, Value),
        looking: bool,
        facts: &[SlotFacts],
        frame: usize,
        routine: bool,
    ) -> Result<Scope<'a, 'm>, Failed> {
        let frame = if frame > 0 { Some(linker.take_frame(code, frame)?) } else { None };
        let (nothing, no_place) = (code.number(0), code.wide(0));
        let place_of_state = if routine { state } else { no_place };
        let mut seats = Vec::new();
        for &facts in facts {
            let seat = Seat {
                number: code.builder.declare_var(types::I32),
                place: code.builder.declare_var(POINTER),
                framed: code.builder.declare_var(types::I32),
                facts,
            };
            // Where something is known of its values, that is true from the start.
            let first = match facts.span.known() {
                Some((low, high)) if low > 0 || high < 0 => code.number(low as i32),
                _ => nothing,
            };
            code.builder.def_var(seat.number, first);
            code.builder.def_var(seat.place, place_of_state);
            code.builder.def_var(seat.framed, nothing);
            seats.push(seat);
        }
        Ok(Scope { set, linker, run, state, looking, frame, seats, routine, exit: None, depth: 0 })
    }

    /// Nothing that comes behind refers to the frame.
    pub fn leave(self) {
        self.linker.free.extend(self.frame);
    }

    /// The frame's first byte.
    fn frame(&self, code: &mut Code<'_>) -> Value {
        match self.frame {
            Some(frame) => code.builder.ins().stack_addr(POINTER, frame, 0),
            None => code.wide(0),
        }
    }

    /// The frame gets its first content.
    pub fn fill_frame(&mut self, code: &mut Code<'_>, content: &[u8]) {
        if self.frame.is_some() {
            let base = self.frame(code);
            self.fill(code, Address { base, offset: 0, constant: false }, content);
        }
    }

    /// Writes bytes.
    pub fn fill(&mut self, code: &mut Code<'_>, to: Address, bytes: &[u8]) {
        if bytes.len() <= LONG as usize {
            return code.fill(to, bytes);
        }
        let base = code.bytes(bytes);
        self.copy(code, to, Address { base, offset: 0, constant: true }, bytes.len() as u32);
    }

    /// Copies bytes.
    pub fn copy(&mut self, code: &mut Code<'_>, to: Address, from: Address, size: u32) {
        if size <= LONG {
            return code.copy(to, from, size);
        }
        let (to, from) = (pointer(code, to), pointer(code, from));
        let size = code.wide(size.into());
        self.help(code, self.set.helpers.copy, &[to, from, size]);
    }

    /// Calls a helper; what it returns, if it does.
    pub fn help(&mut self, code: &mut Code<'_>, helper: FuncId, args: &[Value]) -> Option<Value> {
        let function = self.linker.find(code, helper);
        let call = code.builder.ins().call(function, args);
        code.builder.inst_results(call).first().copied()
    }

    /// A slot gets a value.
    pub fn set_number(&mut self, code: &mut Code<'_>, slot: u32, number: Value) -> Result<(), Failed> {
        let seat = self.seats.get(slot as usize).ok_or("there is no such slot")?;
        code.builder.def_var(seat.number, number);
        Ok(())
    }

    /// A slot gets a place.
    pub fn set_place(&mut self, code: &mut Code<'_>, slot: u32, variable: &Variable) -> Result<(), Failed> {
        let address = expr::address(code, self, variable)?;
        let place = pointer(code, address);
        let seat = *self.seats.get(slot as usize).ok_or("there is no such slot")?;
        if self.routine {
            code.builder.def_var(seat.place, place);
            return Ok(());
        }
        let framed = match variable.base {
            Base::Frame => code.number(1),
            Base::At(slot) => match self.seats.get(slot as usize).map(|seat| (seat.facts.region, seat.framed)) {
                Some((Region::Both, framed)) => code.builder.use_var(framed),
                Some((Region::Frame, _)) => code.number(1),
                _ => code.number(0),
            },
            _ => code.number(0),
        };
        let frame = self.frame(code);
        let base = code.builder.ins().select(framed, frame, self.state);
        let offset = code.builder.ins().isub(place, base);
        code.builder.def_var(seat.place, offset);
        code.builder.def_var(seat.framed, framed);
        Ok(())
    }

    /// Control goes on if a test is passed, else to `no`.
    pub fn test(&mut self, code: &mut Code<'_>, test: &Test, no: Block) -> Result<(), Failed> {
        match test {
            Test::True(expr) => {
                let yes = code.block();
                branch(code, self, expr, yes, no)?;
                code.begin(yes);
            }
            Test::Bind(slot, Argument::Value(expr)) => {
                let number = value(code, self, expr)?;
                self.set_number(code, *slot, number)?;
            }
            Test::Bind(slot, Argument::Place(variable)) => self.set_place(code, *slot, variable)?,
            Test::Bind(slot, Argument::Kept(variable, expr)) => {
                self.set(code, variable, expr)?;
                self.set_place(code, *slot, variable)?;
            }
        }
        Ok(())
    }

    /// Gives a variable the value of an expression. If that is just another variable without a value, it has none then.
    pub fn set(&mut self, code: &mut Code<'_>, variable: &Variable, expr: &Expr) -> Result<(), Failed> {
        let known = range(self, expr);
        let from = match expr {
            Expr::Load(from) if expr::has_none(from.ty) => from,
            _ => {
                let number = value(code, self, expr)?;
                return expr::store(code, self, variable, number, known);
            }
        };
        if has_calls(expr) {
            return Err("an index of what is assigned calls a routine".into());
        }
        let at = expr::address(code, self, from)?;
        let raw = code.load(from.ty.repr, at);
        if from.ty.domain == variable.ty.domain && from.ty.repr == variable.ty.repr {
            // Kept alike, with a value or without.
            let to = expr::address(code, self, variable)?;
            code.store(variable.ty.repr, raw, to);
            return Ok(());
        }
        let (some, none, end) = (code.block(), code.block(), code.block());
        code.builder.ins().brif(raw, some, &[], none, &[]);
        code.begin(none);
        let to = expr::address(code, self, variable)?;
        let zero = code.number(0);
        code.store(variable.ty.repr, zero, to);
        code.builder.ins().jump(end, &[]);
        code.begin(some);
        let number = expr::meaning(code, self, from.ty, raw)?;
        expr::store(code, self, variable, number, known)?;
        code.builder.ins().jump(end, &[]);
        code.begin(end);
        Ok(())
    }

    /// Calls a routine; what it returns.
    pub fn call(&mut self, code: &mut Code<'_>, call: &Call) -> Result<Value, Failed> {
        let mut args = vec![self.run, self.state];
        for argument in &call.args {
            args.push(match argument {
                Argument::Value(expr) => value(code, self, expr)?,
                Argument::Place(variable) => {
                    let address = expr::address(code, self, variable)?;
                    pointer(code, address)
                }
                Argument::Kept(variable, expr) => {
                    self.set(code, variable, expr)?;
                    let address = expr::address(code, self, variable)?;
                    pointer(code, address)
                }
            });
        }
        let set = self.set;
        match set.functions.get(call.routine as usize).ok_or("a routine that is not there")? {
            None => self.in_place(code, call.routine as usize, &args[2..]),
            Some(function) => {
                let function = self.linker.find(code, *function);
                let done = code.builder.ins().call(function, &args);
                let &[returned, troubled] = code.builder.inst_results(done) else {
                    return Err("a routine returns something else".into());
                };
                code.trouble_if(troubled);
                Ok(returned)
            }
        }
    }

    /// Compiles a routine where it is called.
    fn in_place(&mut self, code: &mut Code<'_>, number: usize, args: &[Value]) -> Result<Value, Failed> {
        if self.depth > 50 {
            return Err("routines are nested too deep".into());
        }
        let (set, here) = (self.set, (self.run, self.state));
        let (routine, facts) = (&set.rules.routines[number], &set.routines[number]);
        let mut inner =
            Scope::new(code, set, self.linker, here, self.looking, &facts.slots, routine.frame.len(), true)?;
        inner.depth = self.depth + 1;
        let returned = inner.routine(code, number, args)?;
        inner.leave();
        Ok(returned)
    }

    /// The body of a routine in its own scope; what it returns.
    pub fn routine(&mut self, code: &mut Code<'_>, number: usize, args: &[Value]) -> Result<Value, Failed> {
        let set = self.set;
        let (routine, facts) = (&set.rules.routines[number], &set.routines[number]);
        for (slot, (&argument, &place)) in args.iter().zip(&facts.params).enumerate() {
            let seat = self.seats.get(slot).ok_or("there is no such slot")?;
            code.builder.def_var(if place { seat.place } else { seat.number }, argument);
        }
        self.fill_frame(code, &routine.frame);
        let returned = code.builder.declare_var(types::I32);
        let nothing = code.number(0);
        code.builder.def_var(returned, nothing);
        let exit = code.block();
        self.exit = Some((exit, Some(returned)));
        if self.block(code, &routine.body)? {
            let to = if routine.returns { code.trouble } else { exit };
            code.builder.ins().jump(to, &[]);
        }
        code.begin(exit);
        Ok(code.builder.use_var(returned))
    }

    /// A slot runs over values: `round` is compiled for each, or once in a loop. It says whether control comes to its
    /// end; if so, it goes on with the next value.
    pub fn each(
        &mut self,
        code: &mut Code<'_>,
        slot: u32,
        (low, high, step): (&Expr, &Expr, i32),
        weight: u32,
        round: &mut dyn FnMut(&mut Self, &mut Code<'_>) -> Result<bool, Failed>,
    ) -> Result<bool, Failed> {
        if let (Some(low), Some(high)) = (constant(low), constant(high)) {
            let (low, high, by) = (i64::from(low), i64::from(high), i64::from(step));
            let count = if (high - low) * by.signum() < 0 { 0 } else { (high - low) / by + 1 };
            if count == 0 {
                return Ok(true);
            }
            if count as u64 * u64::from(weight) <= UNROLLED || count == 1 {
                for position in 0..count {
                    let number = code.number((low + position * by) as i32);
                    self.set_number(code, slot, number)?;
                    if !round(self, code)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
        }
        let (known_low, known_high) = (range(self, low), range(self, high));
        let runs = match known_low.zip(known_high) {
            Some((low, high)) if step > 0 => low.1 <= high.0,
            Some((low, high)) => low.0 >= high.1,
            None => false,
        };
        let (low, high) = (value(code, self, low)?, value(code, self, high)?);
        // Wide, so that adding never wraps.
        let at = code.builder.declare_var(types::I64);
        let (low, high) = (code.builder.ins().sextend(types::I64, low), code.builder.ins().sextend(types::I64, high));
        code.builder.def_var(at, low);
        let beyond = if step > 0 { IntCC::SignedGreaterThan } else { IntCC::SignedLessThan };
        let (head, end) = (code.block(), code.block());
        if runs {
            code.builder.ins().jump(head, &[]);
        } else {
            let none = code.builder.ins().icmp(beyond, low, high);
            code.builder.ins().brif(none, end, &[], head, &[]);
        }
        code.builder.switch_to_block(head);
        let now = code.builder.use_var(at);
        let number = code.builder.ins().ireduce(types::I32, now);
        self.set_number(code, slot, number)?;
        if round(self, code)? {
            let step = code.wide(step.into());
            let now = code.builder.use_var(at);
            let next = code.builder.ins().iadd(now, step);
            code.builder.def_var(at, next);
            let done = code.builder.ins().icmp(beyond, next, high);
            code.builder.ins().brif(done, end, &[], head, &[]);
        }
        code.builder.seal_block(head);
        code.begin(end);
        Ok(true)
    }

    fn over(&mut self, code: &mut Code<'_>, over: &Over) -> Result<Value, Failed> {
        let result = code.builder.declare_var(types::I32);
        let first = code.number(i32::from(over.fold == Fold::All));
        code.builder.def_var(result, first);
        let end = code.block();
        let decides = !over.every && over.fold != Fold::Count;
        let bounds = (&over.low, &over.high, over.step);
        let weight = tightrope_ir::effects::parts::weight_of(&over.body);
        self.each(code, over.slot, bounds, weight, &mut |scope, code| {
            let holds = truth(code, scope, &over.body)?;
            let holds = code.builder.ins().uextend(types::I32, holds);
            if decides {
                code.builder.def_var(result, holds);
                let on = code.block();
                let (yes, no) = if over.fold == Fold::All { (on, end) } else { (end, on) };
                code.builder.ins().brif(holds, yes, &[], no, &[]);
                code.begin(on);
                return Ok(true);
            }
            let before = code.builder.use_var(result);
            let now = match over.fold {
                Fold::All => code.builder.ins().band(before, holds),
                Fold::Any => code.builder.ins().bor(before, holds),
                Fold::Count => code.builder.ins().iadd(before, holds),
            };
            code.builder.def_var(result, now);
            Ok(true)
        })?;
        code.builder.ins().jump(end, &[]);
        code.begin(end);
        Ok(code.builder.use_var(result))
    }

    /// A quantifier that stops where its answer is known.
    fn decide_over(&mut self, code: &mut Code<'_>, over: &Over, yes: Block, no: Block) -> Result<(), Failed> {
        let bounds = (&over.low, &over.high, over.step);
        let weight = tightrope_ir::effects::parts::weight_of(&over.body);
        let all = over.fold == Fold::All;
        self.each(code, over.slot, bounds, weight, &mut |scope, code| {
            let on = code.block();
            let (holds, fails) = if all { (on, no) } else { (yes, on) };
            branch(code, scope, &over.body, holds, fails)?;
            code.begin(on);
            Ok(true)
        })?;
        code.builder.ins().jump(if all { yes } else { no }, &[]);
        Ok(())
    }
}

/// An address as a pointer.
pub fn pointer(code: &mut Code<'_>, address: Address) -> Value {
    let offset = code.wide(address.offset.into());
    code.builder.ins().iadd(address.base, offset)
}

/// The flags of accesses to what only machine code and its helpers know.
pub fn own_memory() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Places for Scope<'_, '_> {
    fn base(&mut self, code: &mut Code<'_>, variable: &Variable) -> Result<Address, Failed> {
        let state = Address { base: self.state, offset: 0, constant: self.looking };
        let slot = match variable.base {
            Base::Global => return Ok(state),
            Base::Frame => return Ok(Address { base: self.frame(code), offset: 0, constant: false }),
            Base::At(slot) => slot,
            Base::Own | Base::Process(..) => return Err("a rule has no processes".into()),
        };
        let seat = *self.seats.get(slot as usize).ok_or("there is no such slot")?;
        let place = code.builder.use_var(seat.place);
        if self.routine {
            return Ok(Address { base: place, offset: 0, constant: false });
        }
        let (base, constant) = match seat.facts.region {
            Region::Unset | Region::State => (self.state, self.looking),
            Region::Frame => (self.frame(code), false),
            Region::Both => {
                let (frame, framed) = (self.frame(code), code.builder.use_var(seat.framed));
                (code.builder.ins().select(framed, frame, self.state), false)
            }
        };
        Ok(Address { base: code.builder.ins().iadd(base, place), offset: 0, constant })
    }

    fn special(&mut self, code: &mut Code<'_>, expr: &Expr) -> Result<Value, Failed> {
        Ok(match expr {
            Expr::Slot(slot) => {
                let seat = self.seats.get(*slot as usize).ok_or("there is no such slot")?;
                code.builder.use_var(seat.number)
            }
            Expr::Undefined(variable) => {
                let at = expr::address(code, self, variable)?;
                let raw = code.load(variable.ty.repr, at);
                let zero = code.number(0);
                let none = code.builder.ins().icmp(IntCC::Equal, raw, zero);
                code.builder.ins().uextend(types::I32, none)
            }
            Expr::Call(call) => self.call(code, call)?,
            Expr::Over(over) => self.over(code, over)?,
            Expr::Ordinal(inner, union) => {
                let set = self.set;
                let ranges = set.rules.unions.get(*union as usize).ok_or("a union that is not there")?;
                let inner = value(code, self, inner)?;
                expr::ordinal(code, ranges, inner)
            }
            other => return Err(format!("a rule cannot evaluate {other:?}")),
        })
    }

    fn decide(&mut self, code: &mut Code<'_>, expr: &Expr, yes: Block, no: Block) -> Result<(), Failed> {
        match expr {
            Expr::Over(over) if !over.every && over.fold != Fold::Count => self.decide_over(code, over, yes, no),
            Expr::Undefined(variable) => {
                let at = expr::address(code, self, variable)?;
                let raw = code.load(variable.ty.repr, at);
                code.builder.ins().brif(raw, no, &[], yes, &[]);
                Ok(())
            }
            _ => {
                let value = self.special(code, expr)?;
                code.builder.ins().brif(value, yes, &[], no, &[]);
                Ok(())
            }
        }
    }

    fn range(&self, expr: &Expr) -> Option<(i64, i64)> {
        match expr {
            Expr::Slot(slot) => self.seats.get(*slot as usize)?.facts.span.known(),
            Expr::Over(over) if over.fold != Fold::Count => Some((0, 1)),
            Expr::Ordinal(_, union) => {
                let ranges = self.set.rules.unions.get(*union as usize)?;
                let count: i64 = ranges.iter().map(|&(low, high)| i64::from(high) - i64::from(low) + 1).sum();
                Some((-1, count - 1))
            }
            _ => None,
        }
    }

    fn unions(&self) -> &[Vec<(i32, i32)>] {
        &self.set.rules.unions
    }
}
