//! The layout of the state vector: its fixed part, and the bodies of processes.

use super::Lower;
use super::scope::{Binding, Decl, Storage};
use super::types::{Member, ValueKind, VarType};
use crate::ast;
use rustc_hash::FxHashMap;
use tightrope_core::{Component, Field, Format, Repr};
use tightrope_ir::{Action, OwnedChannel, Type};
use tightrope_syntax::{Diagnostic, Span};

/// Channels have names of one byte, and 0 is none of them.
const MAX_CHANNELS: u64 = 255;

/// The layout of the fixed part, or of the body of a process.
#[derive(Default)]
pub(super) struct Layout {
    pub bytes: Vec<u8>,
    pub fields: Vec<Field>,
    /// The declared names; a second `tmp` is `tmp#2`, so that the names shown are unique.
    pub names: Vec<String>,
    /// How often each name was declared.
    pub declared: FxHashMap<String, u32>,
    pub channels: Vec<OwnedChannel>,
    pub initialisers: Vec<Action>,
    /// The byte ranges that are no part of the state's identity.
    pub hidden: Vec<(u32, u32)>,
    /// Global names, or none for a process, whose names are in bindings.
    pub symbols: FxHashMap<String, Decl>,
    /// The declared names of a process.
    pub bindings: Vec<Binding>,
}

impl Layout {
    /// Declares a name. Its number among the declared ones, and the name under which it is shown.
    fn declare(&mut self, name: &str) -> (u32, String) {
        let times = self.declared.entry(name.into()).or_default();
        *times += 1;
        let shown = if *times == 1 { name.to_string() } else { format!("{name}#{times}") };
        self.names.push(shown.clone());
        (self.names.len() as u32 - 1, shown)
    }

    /// Adds one scalar and returns its offset.
    pub fn scalar(&mut self, name: String, ty: Type, range: (i32, i32), component: Component, format: Format) -> u32 {
        let offset = self.bytes.len() as u32;
        let component = (component, 0);
        self.fields.push(Field { name, offset, repr: ty.repr, range, component, format });
        self.bytes.resize(offset as usize + ty.size() as usize, 0);
        offset
    }

    /// The bindings visible from `from`, nearest first.
    pub fn visible(&self, from: Option<u32>) -> impl Iterator<Item = &Binding> {
        let mut at = from;
        std::iter::from_fn(move || {
            let binding = self.bindings.get(at? as usize)?;
            at = binding.before;
            Some(binding)
        })
    }
}

impl Lower<'_> {
    /// Makes room for a variable of the globals (`owner` none) or of a process.
    ///
    /// `initialise`: its initial value is set when the process or the model starts; if not, the caller makes it a
    /// statement.
    pub(super) fn allocate(
        &mut self,
        owner: Option<usize>,
        decls: &ast::VarDecls,
        var: &ast::VarDecl,
        scope: Option<u32>,
        initialise: bool,
    ) -> Option<Decl> {
        let (ty, count) = self.var_type(decls, var)?;
        let component = if owner.is_some() { Component::Process } else { Component::Globals };
        let name = &var.name.text;
        let channel = match &var.init {
            Some(ast::Init::Chan(init)) => Some(self.channel_type(init)?),
            _ => None,
        };
        let (declared, shown) = self.layout(owner).declare(name);
        let is_chan = matches!(ty, VarType::Scalar(_, ValueKind::Chan));
        if channel.is_some() && !is_chan {
            let message = format!("`{name}` is initialised as a channel, but its type is not `chan`");
            self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
            return None;
        }
        let total = u64::from(self.size_of(ty)) * u64::from(count.unwrap_or(1));
        if self.layout(owner).bytes.len() as u64 + total > 1 << 22 {
            let message = format!("`{name}` makes the state larger than 4 MiB");
            self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
            return None;
        }
        if let Some(channel) = channel {
            let first = self.layout(owner).channels.len() as u32;
            if u64::from(first) + u64::from(count.unwrap_or(1)) > MAX_CHANNELS {
                self.too_many_channels(owner, var.name.span);
                return None;
            }
            for element in 0..count.unwrap_or(1) {
                let name = if count.is_some() { format!("{shown}[{element}]") } else { shown.clone() };
                self.layout(owner).channels.push(OwnedChannel { channel, offset: 0, name });
            }
            if !self.written_channels.contains(name) {
                let storage = Storage::Channels(first);
                return Some(Decl { span: var.name.span, ty, count, storage, declared, channel: Some(channel) });
            }
            let offset = self.lay_out(owner, &shown, ty, count, component);
            for element in 0..count.unwrap_or(1) {
                let offset = offset + element * self.size_of(ty);
                self.name_channel(owner, offset, first + element, declared);
            }
            let storage = Storage::Offset(offset);
            return Some(Decl { span: var.name.span, ty, count, storage, declared, channel: Some(channel) });
        }
        let offset = self.lay_out(owner, &shown, ty, count, component);
        if decls.visibility == ast::Visibility::Hidden {
            self.layout(owner).hidden.push((offset, offset + total as u32));
        }
        if let VarType::Struct(index) = ty {
            let channels = self.channels_in(index).saturating_mul(u64::from(count.unwrap_or(1)));
            if self.layout(owner).channels.len() as u64 + channels > MAX_CHANNELS {
                self.too_many_channels(owner, var.name.span);
                return None;
            }
        }
        self.initialise_members(owner, offset, ty, count, declared, &shown);
        let decl = Decl { span: var.name.span, ty, count, storage: Storage::Offset(offset), declared, channel: None };
        if initialise && let Some(init) = &var.init {
            self.initialise(owner, &decl, init, scope);
        }
        Some(decl)
    }

    /// How many channels a value of a typedef has.
    fn channels_in(&self, index: usize) -> u64 {
        let channels = |member: &Member| {
            let each = match member.ty {
                VarType::Struct(index) => self.channels_in(index),
                VarType::Scalar(..) => u64::from(member.chan.is_some()),
            };
            each.saturating_mul(u64::from(member.count.unwrap_or(1)))
        };
        self.structs[index].members.iter().map(channels).fold(0, u64::saturating_add)
    }

    fn too_many_channels(&mut self, owner: Option<usize>, span: Span) {
        let message = match owner {
            None => "the model has more than 255 global channels",
            Some(_) => "a process cannot have more than 255 channels",
        };
        self.report(Diagnostic::error(message).at(span, "too many with these"));
    }

    /// Lays out the scalars of a variable.
    fn lay_out(
        &mut self,
        owner: Option<usize>,
        name: &str,
        ty: VarType,
        count: Option<u32>,
        component: Component,
    ) -> u32 {
        let offset = self.layout(owner).bytes.len() as u32;
        for element in 0..count.unwrap_or(1) {
            let name = if count.is_some() { format!("{name}[{element}]") } else { name.to_string() };
            match ty {
                VarType::Scalar(ty, show) => {
                    let format = match show {
                        ValueKind::Number | ValueKind::Chan => Format::Number,
                        ValueKind::Bool => Format::Bool,
                        ValueKind::Mtype(set) => self.mtypes.format(set),
                    };
                    self.layout(owner).scalar(name, ty, ty.range(), component, format);
                }
                VarType::Struct(index) => {
                    for member in self.structs[index].members.clone() {
                        let name = format!("{name}.{}", member.name);
                        self.lay_out(owner, &name, member.ty, member.count, component);
                    }
                }
            }
        }
        offset
    }

    /// Lays out the channels, behind the variables.
    pub(super) fn place_channels(&mut self, owner: Option<usize>) {
        let mut owned = std::mem::take(&mut self.layout(owner).channels);
        for (number, one) in owned.iter_mut().enumerate() {
            let channel = self.channels[one.channel as usize].clone();
            let shows = self.channel_value_kinds[one.channel as usize].clone();
            one.offset = self.layout(owner).bytes.len() as u32;
            if channel.capacity == 0 {
                continue;
            }
            let component = (Component::Channel, number as u32);
            let add = |lower: &mut Self, name: String, repr: Repr, range: (i32, i32), format: Format| {
                let area = lower.layout(owner);
                let offset = area.bytes.len() as u32;
                area.bytes.resize(offset as usize + repr.size(), 0);
                area.fields.push(Field { name, offset, repr, range, component, format });
            };
            let capacity = i32::from(channel.capacity);
            let queue = Format::Queue { slots: u32::from(channel.capacity), fields: channel.fields.len() as u32 };
            add(self, one.name.clone(), Repr::U8, (0, capacity), queue);
            for slot in 0..capacity {
                for (field, (ty, show)) in channel.fields.iter().zip(&shows).enumerate() {
                    let name = match channel.fields.len() {
                        1 => format!("{}({slot})", one.name),
                        _ => format!("{}({slot}).{field}", one.name),
                    };
                    let format = match show {
                        ValueKind::Number | ValueKind::Chan => Format::Number,
                        ValueKind::Bool => Format::Bool,
                        ValueKind::Mtype(set) => self.mtypes.format(*set),
                    };
                    add(self, name, ty.repr, ty.range(), format);
                }
            }
        }
        self.layout(owner).channels = owned;
    }

    /// Room for a loop counter that has no name.
    pub(super) fn unnamed_counter(&mut self, owner: usize) -> u32 {
        let area = &mut self.layouts[owner];
        area.scalar("(messages seen)".into(), Type::INT, Type::INT.range(), Component::Process, Format::Number)
    }
}
