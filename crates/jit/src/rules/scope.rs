//! What a rule, a routine or an invariant under way has: slots, a frame, and the state that it reads or changes.

use super::facts::{PlaceRegion, RoutineFacts, SlotFacts, has_calls};
use super::linker::Linker;
use crate::code::{Address, Code, CompileError};
use crate::engine::POINTER;
use crate::expr::{self, CompileContext, range, value};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, StackSlot, Value, types};
use cranelift_frontend::Variable as Register;
use cranelift_module::FuncId;
use tightrope_ir::{Base, Expr, Fold, RuleSet, Variable};

/// What everything that is compiled for a set of rules shares.
pub struct CompilationUnit<'a> {
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
    /// Makes room for successors: the call record.
    pub grow: FuncId,
    /// Copies bytes: to, from, how many.
    pub copy: FuncId,
    /// Sorts the slots of a multiset: where, how many bytes, bytes of a slot.
    pub sort: FuncId,
    /// Puts an element into a multiset: where, how many slots, bytes of a slot, the element. 0 if there is no room.
    pub insert: FuncId,
}

/// Copies of more bytes than this are left to a helper.
const LONG: u32 = 256;

const _: () = assert!(LONG >= 64, "copies in line pay for some bytes");

/// A slot.
#[derive(Clone, Copy)]
pub(super) struct SlotRegisters {
    /// Its value, if it has one.
    pub number: Register,
    /// Its place, if it has one: in a rule the offset in the state or the frame, in a routine a pointer.
    pub place: Register,
    /// Where a place lies that may be in the state or the frame: not zero for the frame.
    pub framed: Register,
    pub facts: SlotFacts,
}

/// A rule, routine or invariant under way.
pub struct RuleScope<'a, 'm> {
    /// What everything shares.
    pub unit: &'a CompilationUnit<'a>,
    /// Finds functions.
    pub linker: &'a mut Linker<'m>,
    /// The call record.
    pub call: Value,
    /// The state.
    pub state: Value,
    /// The state is only read.
    pub looking: bool,
    pub(super) frame: Option<StackSlot>,
    pub(super) slots: Vec<SlotRegisters>,
    /// A routine's places are pointers, so that it can be called with any.
    pub(super) routine: bool,
    /// Where `return` leads, and where the returned value goes.
    pub exit: Option<(Block, Option<Register>)>,
    /// How many calls are compiled in place around this.
    pub(super) depth: u32,
}

impl<'a, 'm> RuleScope<'a, 'm> {
    /// With all slots at zero, and a frame of so many bytes that has no content yet. The frame is given back by
    /// [`RuleScope::leave`], when nothing refers to it any more.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        code: &mut Code<'_>,
        unit: &'a CompilationUnit<'a>,
        linker: &'a mut Linker<'m>,
        (call, state): (Value, Value),
        looking: bool,
        facts: &[SlotFacts],
        frame: usize,
        routine: bool,
    ) -> Result<RuleScope<'a, 'm>, CompileError> {
        let frame = if frame > 0 { Some(linker.take_frame(code, frame)?) } else { None };
        let (nothing, no_place) = (code.number(0), code.wide(0));
        let place_of_state = if routine { state } else { no_place };
        let mut slots = Vec::new();
        for &facts in facts {
            let slot_registers = SlotRegisters {
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
            code.builder.def_var(slot_registers.number, first);
            code.builder.def_var(slot_registers.place, place_of_state);
            code.builder.def_var(slot_registers.framed, nothing);
            slots.push(slot_registers);
        }
        Ok(RuleScope { unit, linker, call, state, looking, frame, slots, routine, exit: None, depth: 0 })
    }

    /// Nothing that comes behind refers to the frame.
    pub fn leave(self) {
        self.linker.free.extend(self.frame);
    }

    /// The frame's first byte.
    pub(super) fn frame(&self, code: &mut Code<'_>) -> Value {
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
        self.help(code, self.unit.helpers.copy, &[to, from, size]);
    }

    /// Calls a helper; what it returns, if it does.
    pub fn help(&mut self, code: &mut Code<'_>, helper: FuncId, args: &[Value]) -> Option<Value> {
        let function = self.linker.find(code, helper);
        let call = code.builder.ins().call(function, args);
        code.builder.inst_results(call).first().copied()
    }

    /// A slot gets a value.
    pub fn set_number(&mut self, code: &mut Code<'_>, slot: u32, number: Value) -> Result<(), CompileError> {
        let slot_registers = self.slots.get(slot as usize).ok_or("there is no such slot")?;
        code.builder.def_var(slot_registers.number, number);
        Ok(())
    }

    /// A slot gets a place.
    pub fn set_place(&mut self, code: &mut Code<'_>, slot: u32, variable: &Variable) -> Result<(), CompileError> {
        let address = expr::address(code, self, variable)?;
        let place = pointer(code, address);
        let slot_registers = *self.slots.get(slot as usize).ok_or("there is no such slot")?;
        if self.routine {
            code.builder.def_var(slot_registers.place, place);
            return Ok(());
        }
        let framed = match variable.base {
            Base::Frame => code.number(1),
            Base::At(slot) => match self
                .slots
                .get(slot as usize)
                .map(|slot_registers| (slot_registers.facts.region, slot_registers.framed))
            {
                Some((PlaceRegion::Both, framed)) => code.builder.use_var(framed),
                Some((PlaceRegion::Frame, _)) => code.number(1),
                _ => code.number(0),
            },
            _ => code.number(0),
        };
        let frame = self.frame(code);
        let base = code.builder.ins().select(framed, frame, self.state);
        let offset = code.builder.ins().isub(place, base);
        code.builder.def_var(slot_registers.place, offset);
        code.builder.def_var(slot_registers.framed, framed);
        Ok(())
    }

    /// Assigns the value of an expression to a variable. Copying an undefined variable makes it undefined.
    pub fn set(&mut self, code: &mut Code<'_>, variable: &Variable, expr: &Expr) -> Result<(), CompileError> {
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
            // Both are kept alike, also where they are undefined.
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
}

/// An address as a pointer.
pub fn pointer(code: &mut Code<'_>, address: Address) -> Value {
    let offset = code.wide(address.offset.into());
    code.builder.ins().iadd(address.base, offset)
}

/// The flags of accesses to the record and to the stack.
pub fn own_memory() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl CompileContext for RuleScope<'_, '_> {
    fn base(&mut self, code: &mut Code<'_>, variable: &Variable) -> Result<Address, CompileError> {
        let state = Address { base: self.state, offset: 0, constant: self.looking };
        let slot = match variable.base {
            Base::Global => return Ok(state),
            Base::Frame => return Ok(Address { base: self.frame(code), offset: 0, constant: false }),
            Base::At(slot) => slot,
            Base::Own | Base::Process(..) => return Err("a rule has no processes".into()),
        };
        let slot_registers = *self.slots.get(slot as usize).ok_or("there is no such slot")?;
        let place = code.builder.use_var(slot_registers.place);
        if self.routine {
            return Ok(Address { base: place, offset: 0, constant: false });
        }
        let (base, constant) = match slot_registers.facts.region {
            PlaceRegion::Unset | PlaceRegion::State => (self.state, self.looking),
            PlaceRegion::Frame => (self.frame(code), false),
            PlaceRegion::Both => {
                let (frame, framed) = (self.frame(code), code.builder.use_var(slot_registers.framed));
                (code.builder.ins().select(framed, frame, self.state), false)
            }
        };
        Ok(Address { base: code.builder.ins().iadd(base, place), offset: 0, constant })
    }

    fn special(&mut self, code: &mut Code<'_>, expr: &Expr) -> Result<Value, CompileError> {
        Ok(match expr {
            Expr::Slot(slot) => {
                let slot_registers = self.slots.get(*slot as usize).ok_or("there is no such slot")?;
                code.builder.use_var(slot_registers.number)
            }
            Expr::Undefined(variable) => {
                let at = expr::address(code, self, variable)?;
                let raw = code.load(variable.ty.repr, at);
                let zero = code.number(0);
                let none = code.builder.ins().icmp(IntCC::Equal, raw, zero);
                code.builder.ins().uextend(types::I32, none)
            }
            Expr::Call(call) => self.call(code, call)?,
            Expr::Quantified(over) => self.quantified(code, over)?,
            Expr::Ordinal(inner, union) => {
                let unit = self.unit;
                let ranges = unit.rules.unions.get(*union as usize).ok_or("a union that is not there")?;
                let inner = value(code, self, inner)?;
                expr::ordinal(code, ranges, inner)
            }
            other => return Err(format!("a rule cannot evaluate {other:?}")),
        })
    }

    fn decide(&mut self, code: &mut Code<'_>, expr: &Expr, yes: Block, no: Block) -> Result<(), CompileError> {
        match expr {
            Expr::Quantified(over) if !over.every && over.fold != Fold::Count => {
                self.decide_quantified(code, over, yes, no)
            }
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
            Expr::Slot(slot) => self.slots.get(*slot as usize)?.facts.span.known(),
            Expr::Quantified(over) if over.fold != Fold::Count => Some((0, 1)),
            Expr::Ordinal(_, union) => {
                let ranges = self.unit.rules.unions.get(*union as usize)?;
                let count: i64 = ranges.iter().map(|&(low, high)| i64::from(high) - i64::from(low) + 1).sum();
                Some((-1, count - 1))
            }
            _ => None,
        }
    }

    fn unions(&self) -> &[Vec<(i32, i32)>] {
        &self.unit.rules.unions
    }
}
