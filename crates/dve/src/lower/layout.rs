//! The layout of the state vector: global variables, buffered channels, and for every process its location and its
//! variables.

use super::Options;
use crate::hir::{self, ScalarType};
use std::sync::Arc;
use tightrope_core::{Component, Field, Format, Repr, Schema};
use tightrope_ir::{Domain, Type};

/// A variable in the state vector, or something stored like one: a location, the length of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateSlot {
    /// Its place.
    pub offset: u32,
    /// The type of its value, or of its elements.
    pub ty: Type,
    /// Its number among the declared names.
    pub declared: u32,
}

/// A buffered channel in the state vector: its length, then its slots.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    /// Its length.
    pub count: StateSlot,
    /// What a message consists of: the place in its slot, and the type.
    pub items: Vec<(u32, Type)>,
    /// The bytes of a slot.
    pub slot: u32,
}

/// The layout of the state vector.
pub(super) struct Layout {
    pub schema: Schema,
    pub names: Vec<String>,
    pub initial: Vec<u8>,
    /// The size of the state vector. If it is over the limit, the other fields are not valid.
    pub size: u64,
    /// The global variables.
    pub globals: Vec<StateSlot>,
    /// The variables of every process.
    pub locals: Vec<Vec<StateSlot>>,
    /// The location of every process.
    pub locations: Vec<StateSlot>,
    /// The buffered channels.
    pub buffers: Vec<Option<Buffer>>,
}

impl Layout {
    pub fn new(model: &hir::Model, options: Options) -> Layout {
        let mut layout = Layout {
            schema: Schema::default(),
            names: Vec::new(),
            initial: Vec::new(),
            size: size(model),
            globals: Vec::new(),
            locals: Vec::new(),
            locations: Vec::new(),
            buffers: Vec::new(),
        };
        if layout.size > super::MAX_BYTES {
            return layout;
        }
        for variable in &model.variables {
            let slot = layout.variable(variable, "", (Component::Globals, 0), options);
            layout.globals.push(slot);
        }
        for (number, channel) in model.channels.iter().enumerate() {
            let buffer = (channel.capacity > 0).then(|| layout.buffer(channel, number as u32));
            layout.buffers.push(buffer);
        }
        for (number, process) in model.processes.iter().enumerate() {
            let component = (Component::Process, number as u32);
            let slot = layout.location(process, number, component);
            layout.locations.push(slot);
            let prefix = format!("{}->", process.name);
            let locals =
                process.variables.iter().map(|variable| layout.variable(variable, &prefix, component, options));
            let locals = locals.collect();
            layout.locals.push(locals);
        }
        layout.schema.fixed_size = layout.initial.len() as u32;
        layout
    }

    /// The error state, which failing steps lead to: the first process has no location, and everything else is zero.
    pub fn failed(&self, model: &hir::Model) -> Box<[u8]> {
        let mut bytes = vec![0; self.initial.len()];
        let location = self.locations[0];
        location.ty.repr.store(&mut bytes, location.offset as usize, model.processes[0].states.len() as i32);
        bytes.into_boxed_slice()
    }

    fn declare(&mut self, name: String) -> u32 {
        self.names.push(name);
        self.names.len() as u32 - 1
    }

    fn field(&mut self, name: String, ty: Type, range: (i32, i32), component: (Component, u32), format: Format) -> u32 {
        let offset = self.initial.len() as u32;
        self.schema.fixed.push(Field { name, offset, repr: ty.repr, range, component, format });
        self.initial.resize(self.initial.len() + ty.size() as usize, 0);
        offset
    }

    fn variable(
        &mut self,
        variable: &hir::Variable,
        prefix: &str,
        component: (Component, u32),
        options: Options,
    ) -> StateSlot {
        let ty = scalar(variable.ty, options);
        let name = format!("{prefix}{}", variable.name);
        let declared = self.declare(name.clone());
        let offset = self.initial.len() as u32;
        for (element, &value) in variable.initial.iter().enumerate() {
            let name = if variable.length.is_some() { format!("{name}[{element}]") } else { name.clone() };
            let at = self.field(name, ty, ty.range(), component, Format::Number);
            ty.repr.store(&mut self.initial, at as usize, value);
        }
        StateSlot { offset, ty, declared }
    }

    fn buffer(&mut self, channel: &hir::Channel, number: u32) -> Buffer {
        let component = (Component::Channel, number);
        let types: Vec<Type> = channel.types.iter().flatten().map(|ty| item(*ty)).collect();
        let declared = self.declare(channel.name.clone());
        let queue = Format::Queue { slots: channel.capacity as u32, fields: types.len() as u32 };
        let ty = count_type(channel.capacity);
        let range = (0, channel.capacity as i32);
        let offset = self.field(channel.name.clone(), ty, range, component, queue);
        for slot in 0..channel.capacity {
            for (position, ty) in types.iter().enumerate() {
                let name = format!("{}[{slot}].{position}", channel.name);
                self.field(name, *ty, ty.range(), component, Format::Number);
            }
        }
        let mut place = 0;
        let mut items = Vec::new();
        for ty in types {
            items.push((place, ty));
            place += ty.size();
        }
        Buffer { count: StateSlot { offset, ty, declared }, items, slot: place }
    }

    fn location(&mut self, process: &hir::Process, number: usize, component: (Component, u32)) -> StateSlot {
        let mut names: Vec<String> = process.states.iter().map(|state| state.name.clone()).collect();
        if number == 0 {
            names.push(String::from("(error)"));
        }
        let ty = count_type(names.len() - 1);
        let range = (0, names.len() as i32 - 1);
        let declared = self.declare(process.name.clone());
        let format = Format::Names(Arc::from(names));
        let offset = self.field(process.name.clone(), ty, range, component, format);
        ty.repr.store(&mut self.initial, offset as usize, process.init as i32);
        StateSlot { offset, ty, declared }
    }
}

/// The type of a variable.
fn scalar(ty: ScalarType, options: Options) -> Type {
    let domain = if options.wrap { Domain::Cut } else { Domain::Checked };
    Type { domain, ..item(ty) }
}

/// The type of a field of a message: values are truncated.
fn item(ty: ScalarType) -> Type {
    match ty {
        ScalarType::Byte => Type::BYTE,
        ScalarType::Int => Type::SHORT,
    }
}

/// The smallest type for 0 to `most`.
fn count_type(most: usize) -> Type {
    match most {
        0..=0xff => Type::BYTE,
        0x100..=0xffff => Type { repr: Repr::U16, ..Type::unsigned(16) },
        _ => Type::INT,
    }
}

/// The bytes of a state, without building anything.
fn size(model: &hir::Model) -> u64 {
    let bytes = |ty: ScalarType| match ty {
        ScalarType::Byte => 1,
        ScalarType::Int => 2u64,
    };
    let variables = |list: &[hir::Variable]| -> u64 {
        list.iter().map(|variable| bytes(variable.ty) * variable.initial.len() as u64).sum()
    };
    let buffers = model.channels.iter().filter(|channel| channel.capacity > 0).map(|channel| {
        let slot: u64 = channel.types.iter().flatten().map(|ty| bytes(*ty)).sum();
        4 + (channel.capacity as u64).saturating_mul(slot)
    });
    let processes = model.processes.iter().map(|process| 4 + variables(&process.variables));
    variables(&model.variables) + buffers.fold(0, u64::saturating_add) + processes.sum::<u64>()
}
