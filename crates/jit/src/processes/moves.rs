//! The function of a kind of process.

use super::{Eyes, Ground, is_plain};
use crate::code::{Address, Code, Failed};
use crate::engine::{Engine, POINTER};
use crate::expr::{self, Places};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Signature, Value, types};
use cranelift_frontend::{Switch, Variable};
use cranelift_module::{FuncId, Module};
use std::mem::offset_of;
use std::ops::Range;
use tightrope_core::{Repr, Successor};
use tightrope_ir::desk::{Desk, Mode};
use tightrope_ir::{Action, Code as Indivisible, Expr, Process, Program, Transition};

/// After so many actions an indivisible sequence is left to the interpreter, which says when it is endless.
const MAX_ACTIONS: i32 = 1_000_000;

/// What the code can ask for.
#[derive(Clone, Copy)]
struct Calls {
    hand_over: FuncRef,
    slow: FuncRef,
}

/// Defines the function of a kind of process that calls others, each for its locations.
pub(super) fn define_switch(
    engine: &mut Engine<'_>,
    id: FuncId,
    signature: &Signature,
    process: &Process,
    functions: &[(FuncId, Range<usize>)],
) -> Result<(), Failed> {
    engine.define(id, signature, 0, |code, module| {
        let entry = code.builder.current_block().expect("a function has begun");
        let desk = code.builder.block_params(entry)[0];
        let own = code.load_pointer(Address { base: desk, offset: offset_of!(Desk, own) as i32, constant: true });
        let location = load_location(code, process, own);
        let done = code.block();
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for (function, locations) in functions {
            let block = code.block();
            locations.clone().for_each(|number| switch.set_entry(number as u128, block));
            blocks.push((block, *function));
        }
        switch.emit(&mut code.builder, location, done);
        for (block, function) in blocks {
            code.begin(block);
            let function = module.declare_func_in_func(function, code.builder.func);
            let call = code.builder.ins().call(function, &[desk]);
            let moved = code.builder.inst_results(call)[0];
            code.builder.ins().return_(&[moved]);
        }
        code.begin(done);
        let zero = code.number(0);
        code.builder.ins().return_(&[zero]);
        Ok(())
    })
}

/// Where a process is.
fn load_location(code: &mut Code<'_>, process: &Process, own: Value) -> Value {
    let repr = if process.wide_pc { Repr::U16 } else { Repr::U8 };
    code.load(repr, Address { base: own, offset: 0, constant: true })
}

/// Defines the function of a kind of process at some of its locations.
pub(super) fn define(
    engine: &mut Engine<'_>,
    id: FuncId,
    signature: &Signature,
    program: &Program,
    process: &Process,
    locations: Range<usize>,
) -> Result<(), Failed> {
    let mut import = |name: &str, params: &[_], returns: &[_]| {
        let signature = engine.signature(params, returns);
        engine.import(name, &signature)
    };
    let hand_over = import("hand_over", &[POINTER, types::I32], &[])?;
    let slow = import("slow", &[POINTER, types::I32, types::I32], &[types::I32])?;
    engine.define(id, signature, 0, |code, module| {
        let mut refer = |id| module.declare_func_in_func(id, code.builder.func);
        let calls = Calls { hand_over: refer(hand_over), slow: refer(slow) };
        let trouble = code.trouble;
        Function::new(code, program, process, calls).build(code, locations)?;
        code.trouble = trouble;
        Ok(())
    })
}

struct Function<'p> {
    program: &'p Program,
    process: &'p Process,
    calls: Calls,
    desk: Value,
    ground: Ground,
    /// The place of the body in the state.
    own_at: Value,
    /// Whether a transition happened.
    moved: Variable,
}

impl<'p> Function<'p> {
    fn new(code: &mut Code<'_>, program: &'p Program, process: &'p Process, calls: Calls) -> Function<'p> {
        let entry = code.builder.current_block().expect("a function has begun");
        let desk = code.builder.block_params(entry)[0];
        let mut field =
            |offset: usize| code.load_pointer(Address { base: desk, offset: offset as i32, constant: true });
        let state = field(offset_of!(Desk, state));
        let own = field(offset_of!(Desk, own));
        let own_at = field(offset_of!(Desk, own_at));
        let moved = code.builder.declare_var(types::I32);
        let zero = code.number(0);
        code.builder.def_var(moved, zero);
        Function { program, process, calls, desk, ground: Ground { state, own }, own_at, moved }
    }

    fn eyes(&self, ground: Ground) -> Eyes<'p> {
        Eyes { program: self.program, process: self.process, desk: self.desk, ground }
    }

    fn build(&mut self, code: &mut Code<'_>, locations: Range<usize>) -> Result<(), Failed> {
        let location = load_location(code, self.process, self.ground.own);
        let done = code.block();
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for (number, location) in self.process.locations.iter().enumerate().take(locations.end).skip(locations.start) {
            if location.count > 0 {
                let block = code.block();
                switch.set_entry(number as u128, block);
                blocks.push((block, location));
            }
        }
        switch.emit(&mut code.builder, location, done);
        for (block, location) in blocks {
            code.begin(block);
            for index in location.first..location.first + location.count {
                self.transition(code, index, &self.process.transitions[index as usize])?;
            }
            code.builder.ins().jump(done, &[]);
        }
        code.begin(done);
        let moved = code.builder.use_var(self.moved);
        code.builder.ins().return_(&[moved]);
        Ok(())
    }

    /// Tries a transition and goes on behind it.
    fn transition(&self, code: &mut Code<'_>, index: u32, transition: &Transition) -> Result<(), Failed> {
        let (on, slow) = (code.block(), code.block());
        code.builder.set_cold_block(slow);
        if is_plain(self.program, self.process, &transition.action) {
            let possible = code.block();
            code.trouble = slow;
            self.guard(code, self.ground, &transition.action, possible, on)?;
            code.begin(possible);
            self.fire(code, index, transition, on, slow)?;
        } else if transition.action == Action::End {
            // Only the youngest process can go.
            let mut eyes = self.eyes(self.ground);
            let pid = eyes.special(code, &Expr::OwnPid)?;
            let count = eyes.special(code, &Expr::ProcessCount)?;
            let one = code.number(1);
            let next = code.builder.ins().iadd(pid, one);
            let youngest = code.builder.ins().icmp(IntCC::Equal, next, count);
            code.builder.ins().brif(youngest, slow, &[], on, &[]);
        } else {
            code.builder.ins().jump(slow, &[]);
        }
        code.begin(slow);
        let number = code.number(index as i32);
        let moved = code.builder.use_var(self.moved);
        let call = code.builder.ins().call(self.calls.slow, &[self.desk, number, moved]);
        let happened = code.builder.inst_results(call)[0];
        let moved = code.builder.ins().bor(moved, happened);
        code.builder.def_var(self.moved, moved);
        code.builder.ins().jump(on, &[]);
        code.begin(on);
        Ok(())
    }

    /// Control goes to `yes` if an action is possible, else to `no`.
    fn guard(&self, code: &mut Code<'_>, ground: Ground, action: &Action, yes: Block, no: Block) -> Result<(), Failed> {
        let mut eyes = self.eyes(ground);
        match action {
            Action::Test(test) => expr::branch(code, &mut eyes, test, yes, no)?,
            Action::Send(send) => eyes.has_room(code, send, yes, no)?,
            Action::Receive(receive) => eyes.has_message(code, receive, yes, no)?,
            Action::Else => {
                let moved = code.builder.use_var(self.moved);
                code.builder.ins().brif(moved, no, &[], yes, &[]);
            }
            // Of an indivisible sequence that shows when it is tried.
            _ => {
                code.builder.ins().jump(yes, &[]);
            }
        }
        Ok(())
    }

    /// A field of the desk, as large as a pointer.
    fn desk(&self, offset: usize) -> Address {
        Address { base: self.desk, offset: offset as i32, constant: false }
    }

    /// Executes a transition on a copy of the state.
    fn fire(
        &self,
        code: &mut Code<'_>,
        index: u32,
        transition: &Transition,
        on: Block,
        slow: Block,
    ) -> Result<(), Failed> {
        let state = code.load_pointer(self.desk(offset_of!(Desk, next)));
        let len = code.load_pointer(self.desk(offset_of!(Desk, len)));
        code.copy_pieces(state, self.ground.state, len);
        let own = code.builder.ins().iadd(state, self.own_at);
        let ground = Ground { state, own };
        code.trouble = slow;
        match &transition.action {
            Action::Indivisible(sequence) => self.indivisible(code, ground, sequence, on)?,
            action => self.effect(code, ground, action)?,
        }
        let target = code.number(transition.target as i32);
        let repr = if self.process.wide_pc { Repr::U16 } else { Repr::U8 };
        code.store(repr, target, Address { base: own, offset: 0, constant: false });
        let pid = Address { base: self.desk, offset: offset_of!(Desk, pid) as i32, constant: true };
        let pid = code.load(Repr::I32, pid);
        if let Some(offset) = self.program.last_mover {
            code.store(Repr::U8, pid, Address { base: state, offset: offset as i32, constant: false });
        }
        let (part, whole) = (code.block(), code.block());
        let mode = Address { base: self.desk, offset: offset_of!(Desk, mode) as i32, constant: true };
        let mode = code.load(Repr::I32, mode);
        if transition.keeps_control {
            let links = code.number(Mode::Links as i32);
            let links = code.builder.ins().icmp(IntCC::Equal, mode, links);
            code.builder.ins().brif(links, whole, &[], part, &[]);
            code.begin(whole);
            self.go_on_from(code, index, state, len);
        } else {
            let continues = code.number(Mode::Continues as i32);
            let continues = code.builder.ins().icmp(IntCC::Equal, mode, continues);
            code.builder.ins().brif(continues, part, &[], whole, &[]);
            code.begin(whole);
            self.enter(code, index, pid, mode, state, len);
        }
        self.moved(code, on);
        code.builder.set_cold_block(part);
        code.begin(part);
        let number = code.number(index as i32);
        code.builder.ins().call(self.calls.hand_over, &[self.desk, number]);
        self.moved(code, on);
        Ok(())
    }

    /// Adds a state that the step goes on from.
    fn go_on_from(&self, code: &mut Code<'_>, index: u32, state: Value, len: Value) {
        let bytes = code.load_pointer(self.desk(offset_of!(Desk, bytes)));
        let pending = code.load_pointer(self.desk(offset_of!(Desk, pending)));
        let start = code.builder.ins().isub(state, bytes);
        let start = code.builder.ins().ireduce(types::I32, start);
        code.store(Repr::I32, start, Address { base: pending, offset: 0, constant: false });
        let size = code.wide(size_of::<u32>() as i64);
        let pending = code.builder.ins().iadd(pending, size);
        code.store_pointer(pending, self.desk(offset_of!(Desk, pending)));
        self.move_on(code, index, state, len);
    }

    /// Moves on to where the next successor goes, and notes that the transition happened.
    fn move_on(&self, code: &mut Code<'_>, index: u32, state: Value, len: Value) {
        let next = code.builder.ins().iadd(state, len);
        code.store_pointer(next, self.desk(offset_of!(Desk, next)));
        let exercised = code.load_pointer(self.desk(offset_of!(Desk, exercised)));
        let one = code.number(1);
        code.store(Repr::U8, one, Address { base: exercised, offset: index as i32, constant: false });
    }

    /// Goes on behind a transition that happened.
    fn moved(&self, code: &mut Code<'_>, on: Block) {
        let one = code.number(1);
        code.builder.def_var(self.moved, one);
        code.builder.ins().jump(on, &[]);
    }

    /// Enters a successor: the transition is a step by itself, or ends one.
    fn enter(&self, code: &mut Code<'_>, index: u32, pid: Value, mode: Value, state: Value, len: Value) {
        for &(from, to) in &self.program.hidden {
            let hidden = Address { base: state, offset: from as i32, constant: false };
            code.fill(hidden, &self.program.fixed[from as usize..to as usize]);
        }
        let bytes = code.load_pointer(self.desk(offset_of!(Desk, bytes)));
        let item = code.load_pointer(self.desk(offset_of!(Desk, item)));
        let start = code.builder.ins().isub(state, bytes);
        let end = code.builder.ins().iadd(start, len);
        // The name of the step, as in `machine::name`.
        let by = code.wide(i64::from(index) << 8);
        let pid = code.builder.ins().uextend(types::I64, pid);
        let own = code.builder.ins().bor(pid, by);
        let begun = code.load_pointer(self.desk(offset_of!(Desk, action)));
        let action = code.builder.ins().select(mode, begun, own);
        let choice = code.load(Repr::I32, self.desk(offset_of!(Desk, choice)));
        let field = |offset: usize| Address { base: item, offset: offset as i32, constant: false };
        code.store_pointer(action, field(offset_of!(Successor, action)));
        code.store(Repr::I32, choice, field(offset_of!(Successor, choice)));
        for (value, offset) in [(start, offset_of!(Successor, start)), (end, offset_of!(Successor, end))] {
            let value = code.builder.ins().ireduce(types::I32, value);
            code.store(Repr::I32, value, field(offset));
        }
        let none = code.number(Successor::NONE as i32);
        code.store(Repr::I32, none, field(offset_of!(Successor, fault)));
        let size = code.wide(size_of::<Successor>() as i64);
        let item = code.builder.ins().iadd(item, size);
        code.store_pointer(item, self.desk(offset_of!(Desk, item)));
        // Outcomes are counted in the middle of a step only.
        let zero = code.number(0);
        let linked = code.builder.ins().icmp(IntCC::NotEqual, mode, zero);
        let linked = code.builder.ins().uextend(types::I32, linked);
        let choice = code.builder.ins().iadd(choice, linked);
        code.store(Repr::I32, choice, self.desk(offset_of!(Desk, choice)));
        self.move_on(code, index, state, len);
    }

    /// What an action changes.
    fn effect(&self, code: &mut Code<'_>, ground: Ground, action: &Action) -> Result<(), Failed> {
        let mut eyes = self.eyes(ground);
        match action {
            Action::Assign(variable, value) => {
                let known = expr::range(&eyes, value);
                let value = expr::value(code, &mut eyes, value)?;
                expr::store(code, &mut eyes, variable, value, known)?;
            }
            Action::Assert(test) => {
                let holds = expr::truth(code, &mut eyes, test)?;
                code.trouble_unless(holds);
            }
            Action::Send(send) => eyes.send(code, send)?,
            Action::Receive(receive) => eyes.receive(code, receive)?,
            Action::Print(print) => {
                // Nobody reads the text, but an argument can be at fault.
                for arg in &print.args {
                    expr::value(code, &mut eyes, arg)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Runs an indivisible sequence to its end. If it cannot even begin, control goes to `refused`.
    fn indivisible(
        &self,
        code: &mut Code<'_>,
        ground: Ground,
        sequence: &Indivisible,
        refused: Block,
    ) -> Result<(), Failed> {
        let done = code.block();
        let actions = code.builder.declare_var(types::I32);
        let zero = code.number(0);
        code.builder.def_var(actions, zero);
        let nodes: Vec<Block> = sequence.nodes.iter().map(|_| code.block()).collect();
        let Some(&first) = nodes.first() else { return Err("an indivisible sequence of nothing".into()) };
        code.builder.ins().jump(first, &[]);
        let go = |next: &Option<u32>| next.map_or(done, |next| nodes[next as usize]);
        for (node, &block) in sequence.nodes.iter().zip(&nodes) {
            // Others may jump here yet, so it is sealed at the end.
            code.builder.switch_to_block(block);
            for (action, next) in node.actions.iter().filter(|(action, _)| *action != Action::Else) {
                let (possible, otherwise) = (code.block(), code.block());
                self.guard(code, ground, action, possible, otherwise)?;
                code.begin(possible);
                self.effect(code, ground, action)?;
                let before = code.builder.use_var(actions);
                let one = code.number(1);
                let more = code.builder.ins().iadd(before, one);
                code.builder.def_var(actions, more);
                let limit = code.number(MAX_ACTIONS);
                let endless = code.builder.ins().icmp(IntCC::SignedGreaterThan, more, limit);
                code.trouble_if(endless);
                code.builder.ins().jump(go(next), &[]);
                code.begin(otherwise);
            }
            if let Some((_, next)) = node.actions.iter().find(|(action, _)| *action == Action::Else) {
                let before = code.builder.use_var(actions);
                let one = code.number(1);
                let more = code.builder.ins().iadd(before, one);
                code.builder.def_var(actions, more);
                let limit = code.number(MAX_ACTIONS);
                let endless = code.builder.ins().icmp(IntCC::SignedGreaterThan, more, limit);
                code.trouble_if(endless);
                code.builder.ins().jump(go(next), &[]);
            } else {
                // It blocks: at its very beginning that means it is not possible.
                let before = code.builder.use_var(actions);
                code.builder.ins().brif(before, code.trouble, &[], refused, &[]);
            }
        }
        for block in nodes {
            code.builder.seal_block(block);
        }
        code.begin(done);
        Ok(())
    }
}
