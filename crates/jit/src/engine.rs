//! Cranelift, and the memory that machine code lies in.

use crate::GoesOn;
use crate::call_graph::{self, StackFrame};
use crate::code::{Code, CompileError, Constants};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, ExternalName, InstBuilder, Signature, Type, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use std::collections::HashMap;
use std::sync::Mutex;

/// Address space for the code of one model; it is used only as far as it is needed.
const ROOM: usize = 64 << 20;

/// What Cranelift takes for an instruction of a function while it compiles it, at most.
const INSTRUCTION_BYTES: u64 = 512;

/// The most instructions of a function. Compiling cannot be interrupted inside a function.
const MAX_INSTRUCTIONS: usize = 250_000;

/// Functions under construction.
pub struct Engine<'g> {
    module: JITModule,
    context: Context,
    builder_context: FunctionBuilderContext,
    constants: Constants,
    frames: HashMap<u32, StackFrame>,
    goes_on: GoesOn<'g>,
}

/// What a frame has besides what Cranelift says: the return address, and what it pushes.
const FRAME_OVERHEAD: u32 = 64;

/// How much is done for good code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// All that can be done.
    Full,
    /// What takes little time, for models that are so large that the rest would take longer than it saves.
    Little,
}

/// A function that machine code may call: its name and its address.
pub type Helper = (&'static str, *const u8);

fn failed(why: impl std::fmt::Display) -> CompileError {
    format!("Cranelift says: {why}")
}

impl<'g> Engine<'g> {
    /// Nothing yet. Fails where there is no machine code for this machine.
    pub fn new(helpers: &[Helper], effort: Effort, goes_on: GoesOn<'g>) -> Result<Engine<'g>, CompileError> {
        if cfg!(target_endian = "big") || cfg!(not(target_pointer_width = "64")) {
            return Err("there is no machine code for this kind of machine".into());
        }
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", if effort == Effort::Full { "speed" } else { "none" }),
            ("regalloc_algorithm", if effort == Effort::Full { "backtracking" } else { "single_pass" }),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            ("enable_alias_analysis", "true"),
            // Machine code never unwinds.
            ("unwind_info", "false"),
            // Frames are bounded; one that would still reach beyond the guard page is noticed by the system.
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
        ] {
            flags.set(name, value).map_err(failed)?;
        }
        let isa = cranelift_native::builder().map_err(failed)?;
        let isa = isa.finish(settings::Flags::new(flags)).map_err(failed)?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        builder.memory_provider(Box::new(ArenaMemoryProvider::new_with_size(ROOM).map_err(failed)?));
        for &(name, address) in helpers {
            builder.symbol(name, address);
        }
        let module = JITModule::new(builder);
        let context = module.make_context();
        Ok(Engine {
            module,
            context,
            builder_context: FunctionBuilderContext::new(),
            constants: Constants::default(),
            frames: HashMap::new(),
            goes_on,
        })
    }

    /// A signature.
    pub fn signature(&self, params: &[Type], returns: &[Type]) -> Signature {
        let mut signature = self.module.make_signature();
        signature.params.extend(params.iter().map(|&ty| AbiParam::new(ty)));
        signature.returns.extend(returns.iter().map(|&ty| AbiParam::new(ty)));
        signature
    }

    /// A helper that can be called.
    pub fn import(&mut self, name: &str, signature: &Signature) -> Result<FuncId, CompileError> {
        self.module.declare_function(name, Linkage::Import, signature).map_err(failed)
    }

    /// A function that will be defined.
    pub fn declare(&mut self, name: &str, signature: &Signature) -> Result<FuncId, CompileError> {
        self.module.declare_function(name, Linkage::Local, signature).map_err(failed)
    }

    /// Defines a function. `build` fills it; its entry block exists, and so does the bailout block, in which the
    /// function returns `bailed_out` for each of its results.
    pub fn define(
        &mut self,
        id: FuncId,
        signature: &Signature,
        bailed_out: i64,
        build: impl FnOnce(&mut Code<'_>, &mut JITModule) -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        (self.goes_on)(0)?;
        self.module.clear_context(&mut self.context);
        self.context.func.signature = signature.clone();
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder_context);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        builder.seal_block(entry);
        let bailout = builder.create_block();
        builder.set_cold_block(bailout);
        let mut code = Code { builder, bailout, constants: &mut self.constants };
        build(&mut code, &mut self.module)?;
        code.begin(bailout);
        let results: Vec<_> =
            signature.returns.iter().map(|result| code.builder.ins().iconst(result.value_type, bailed_out)).collect();
        code.builder.ins().return_(&results);
        let config = self.module.target_config();
        code.builder.finalize(config);
        let instructions = self.context.func.dfg.num_insts();
        if instructions > MAX_INSTRUCTIONS {
            return Err(format!("a piece of it is too large to be compiled ({instructions} instructions)"));
        }
        (self.goes_on)(instructions as u64 * INSTRUCTION_BYTES)?;
        self.module.define_function(id, &mut self.context).map_err(failed)?;
        let compiled = self.context.compiled_code().ok_or("a function without code")?;
        let layout = compiled.buffer.frame_layout().ok_or("a function without a frame")?;
        let calls = self.context.func.dfg.ext_funcs.values().filter_map(|callee| match callee.name {
            ExternalName::User(name) => Some(self.context.func.params.user_named_funcs()[name].index),
            _ => None,
        });
        let frame = self.frames.entry(id.as_u32()).or_default();
        frame.bytes = layout.frame_to_fp_offset.saturating_add(FRAME_OVERHEAD);
        frame.calls = calls.collect();
        Ok(())
    }

    /// Notes that a function checks that there is stack left before it does anything.
    pub fn checks_stack(&mut self, id: FuncId) {
        self.frames.entry(id.as_u32()).or_default().checks = true;
    }

    /// Makes the code executable. Fails where it would take too much of the stack.
    pub fn finish(mut self) -> Result<ExecutableCode, CompileError> {
        call_graph::bound(&self.frames)?;
        self.module.finalize_definitions().map_err(failed)?;
        Ok(ExecutableCode { module: Mutex::new(Some(self.module)), _constants: self.constants })
    }
}

/// The type of pointers.
pub const POINTER: Type = types::I64;

/// Functions that can be called.
pub struct ExecutableCode {
    module: Mutex<Option<JITModule>>,
    _constants: Constants,
}

impl ExecutableCode {
    /// The address of a function. It is valid as long as this lives.
    pub fn address(&self, id: FuncId) -> *const u8 {
        let module = self.module.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        module.as_ref().map_or(std::ptr::null(), |module| module.get_finalized_function(id))
    }
}

impl Drop for ExecutableCode {
    fn drop(&mut self) {
        let module = self.module.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some(module) = module {
            // SAFETY: addresses of functions are kept no longer than this.
            unsafe { module.free_memory() };
        }
    }
}
