//! Variables at their places: the fixed part of the state and the bodies of processes.

use super::Lower;
use super::types::{Show, VarType};
use crate::ast;
use rustc_hash::FxHashMap;
use tightrope_core::{Component, Field, Format, Repr};
use tightrope_ir::{Action, Base, Expr, OwnedChannel, Type, Variable};
use tightrope_syntax::{Diagnostic, Span};

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub span: Span,
    pub ty: VarType,
    pub count: Option<u32>,
    pub home: Home,
    /// Its number among the names of its area.
    pub declared: u32,
    /// The type of the channels it was initialised with, for checks of messages.
    pub channel: Option<u32>,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In the state, at this offset of its area.
    At(u32),
    /// Nowhere: a channel name that never changes; the position of (the first of) its channels.
    Channels(u32),
}

/// One declared name in the chain of those visible at some point of a process.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub name: String,
    pub decl: Decl,
    pub before: Option<u32>,
}

/// The fixed part, or the body of a process, while it is being laid out.
#[derive(Default)]
pub(super) struct Area {
    pub bytes: Vec<u8>,
    pub fields: Vec<Field>,
    /// The declared names; a second `tmp` is `tmp#2`, so that what is shown of them can be told apart.
    pub names: Vec<String>,
    /// How often each name was declared.
    pub declared: FxHashMap<String, u32>,
    pub channels: Vec<OwnedChannel>,
    pub initialisers: Vec<Action>,
    /// The byte ranges that are no part of the state's identity.
    pub hidden: Vec<(u32, u32)>,
    /// Global names, or none for a process, whose names are in bindings.
    pub globals: FxHashMap<String, Decl>,
    /// The declared names of a process.
    pub bindings: Vec<Binding>,
}

impl Area {
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
    /// `initialise`: its initial value is set when the area comes into being; if not, the caller makes it a
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
        let (declared, shown) = self.area(owner).declare(name);
        let is_chan = matches!(ty, VarType::Scalar(_, Show::Chan));
        if channel.is_some() && !is_chan {
            let message = format!("`{name}` is initialised as a channel, but its type is not `chan`");
            self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
            return None;
        }
        let total = u64::from(self.size_of(ty)) * u64::from(count.unwrap_or(1));
        if self.area(owner).bytes.len() as u64 + total > 1 << 22 {
            let message = format!("`{name}` makes the state larger than 4 MiB");
            self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
            return None;
        }
        if let Some(channel) = channel {
            let first = self.area(owner).channels.len() as u32;
            for element in 0..count.unwrap_or(1) {
                let name = if count.is_some() { format!("{shown}[{element}]") } else { shown.clone() };
                self.area(owner).channels.push(OwnedChannel { channel, offset: 0, name });
            }
            if !self.written_channels.contains(name) {
                let home = Home::Channels(first);
                return Some(Decl { span: var.name.span, ty, count, home, declared, channel: Some(channel) });
            }
            let offset = self.place(owner, &shown, ty, count, component);
            for element in 0..count.unwrap_or(1) {
                let offset = offset + element * self.size_of(ty);
                self.name_channel(owner, offset, first + element, declared);
            }
            let home = Home::At(offset);
            return Some(Decl { span: var.name.span, ty, count, home, declared, channel: Some(channel) });
        }
        let offset = self.place(owner, &shown, ty, count, component);
        if decls.visibility == ast::Visibility::Hidden {
            self.area(owner).hidden.push((offset, offset + total as u32));
        }
        self.initialise_members(owner, offset, ty, count, declared, &shown);
        let decl = Decl { span: var.name.span, ty, count, home: Home::At(offset), declared, channel: None };
        if initialise && let Some(init) = &var.init {
            self.initialise(owner, &decl, init, scope);
        }
        Some(decl)
    }

    /// Lays out the scalars of a variable.
    fn place(
        &mut self,
        owner: Option<usize>,
        name: &str,
        ty: VarType,
        count: Option<u32>,
        component: Component,
    ) -> u32 {
        let offset = self.area(owner).bytes.len() as u32;
        for element in 0..count.unwrap_or(1) {
            let name = if count.is_some() { format!("{name}[{element}]") } else { name.to_string() };
            match ty {
                VarType::Scalar(ty, show) => {
                    let format = match show {
                        Show::Number | Show::Chan => Format::Number,
                        Show::Bool => Format::Bool,
                        Show::Mtype(set) => self.mtypes.format(set),
                    };
                    self.area(owner).scalar(name, ty, ty.range(), component, format);
                }
                VarType::Struct(index) => {
                    for member in self.structs[index].members.clone() {
                        let name = format!("{name}.{}", member.name);
                        self.place(owner, &name, member.ty, member.count, component);
                    }
                }
            }
        }
        offset
    }

    /// A channel name's initial value: known for global channels, by position for those of a process.
    fn name_channel(&mut self, owner: Option<usize>, offset: u32, position: u32, declared: u32) {
        let area = self.area(owner);
        match owner {
            None => area.bytes[offset as usize] = (position + 1).min(255) as u8,
            Some(_) => {
                let variable = Variable { base: Base::Own, offset, indices: Vec::new(), ty: Type::BYTE, declared };
                area.initialisers.push(Action::Assign(Box::new(variable), Expr::OwnChannel(position)));
            }
        }
    }

    /// Sets what a typedef says of its fields: initial values and channels.
    fn initialise_members(
        &mut self,
        owner: Option<usize>,
        offset: u32,
        ty: VarType,
        count: Option<u32>,
        declared: u32,
        name: &str,
    ) {
        let VarType::Struct(index) = ty else { return };
        let size = self.structs[index].size;
        for element in 0..count.unwrap_or(1) {
            let offset = offset + element * size;
            for member in self.structs[index].members.clone() {
                let offset = offset + member.offset;
                let name = format!("{name}.{}", member.name);
                match member.ty {
                    VarType::Struct(_) => {
                        self.initialise_members(owner, offset, member.ty, member.count, declared, &name);
                    }
                    VarType::Scalar(ty, _) => {
                        for element in 0..member.count.unwrap_or(1) {
                            let offset = offset + element * ty.size();
                            if let Some(channel) = member.chan {
                                let position = self.area(owner).channels.len() as u32;
                                let name = name.clone();
                                self.area(owner).channels.push(OwnedChannel { channel, offset: 0, name });
                                self.name_channel(owner, offset, position, declared);
                            } else if member.init != 0 {
                                let value = ty.wrap(member.init);
                                ty.repr.store(&mut self.area(owner).bytes, offset as usize, value);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sets the initial value that a declaration gives.
    fn initialise(&mut self, owner: Option<usize>, decl: &Decl, init: &ast::Init, scope: Option<u32>) {
        let (VarType::Scalar(ty, _), Home::At(offset)) = (decl.ty, decl.home) else {
            let message = "a variable of a user-defined type cannot have an initial value";
            self.report(Diagnostic::error(message).at(decl.span, "declared here"));
            return;
        };
        let count = decl.count.unwrap_or(1);
        let values: Vec<&ast::Expr> = match init {
            ast::Init::Expr(expr) => vec![expr; count as usize],
            ast::Init::List(list, span) => {
                if list.len() as u32 > count {
                    let message = format!("{} initial values for {count} elements", list.len());
                    self.report(Diagnostic::error(message).at(*span, "too many values"));
                    return;
                }
                // A list that is too short repeats its last value.
                let last = list.last().into_iter().cycle();
                list.iter().chain(last).take(count as usize).collect()
            }
            ast::Init::Chan(_) => return,
        };
        for (element, expr) in values.into_iter().enumerate() {
            if contains_run(expr) {
                let message = "a process cannot be started in an initial value";
                let help = "assign in a statement of its own";
                self.report(Diagnostic::error(message).at(expr.span, "`run` here").help(help));
                return;
            }
            let offset = offset + element as u32 * ty.size();
            match self.try_constant(expr).filter(|_| !self.shadowed(expr, owner, scope)) {
                Some(value) => {
                    // An array with one value for all of its elements is warned about once.
                    if element == 0 || matches!(init, ast::Init::List(list, _) if element < list.len()) {
                        self.warn_if_cut(value, ty, expr.span);
                    }
                    ty.repr.store(&mut self.area(owner).bytes, offset as usize, ty.wrap(value));
                }
                None => {
                    let Some(value) = self.expr(expr, owner, scope) else { return };
                    let base = if owner.is_some() { Base::Own } else { Base::Global };
                    let variable = Variable { base, offset, indices: Vec::new(), ty, declared: decl.declared };
                    self.area(owner).initialisers.push(Action::Assign(Box::new(variable), value));
                }
            }
        }
    }

    /// A constant that does not fit is cut, as SPIN does, with a warning.
    pub(super) fn warn_if_cut(&mut self, value: i32, ty: Type, span: Span) {
        let cut = ty.wrap(value);
        if cut != value {
            let (low, high) = ty.range();
            let message = format!("{value} does not fit: the variable holds {low} to {high}");
            self.report(Diagnostic::warning(message).at(span, format!("stored as {cut}")));
        }
    }

    /// Gives the channels of an area their places, behind the variables.
    pub(super) fn place_channels(&mut self, owner: Option<usize>) {
        let mut owned = std::mem::take(&mut self.area(owner).channels);
        for (number, one) in owned.iter_mut().enumerate() {
            let channel = self.channels[one.channel as usize].clone();
            let shows = self.channel_shows[one.channel as usize].clone();
            one.offset = self.area(owner).bytes.len() as u32;
            if channel.capacity == 0 {
                continue;
            }
            let component = (Component::Channel, number as u32);
            let add = |lower: &mut Self, name: String, repr: Repr, range: (i32, i32), format: Format| {
                let area = lower.area(owner);
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
                        Show::Number | Show::Chan => Format::Number,
                        Show::Bool => Format::Bool,
                        Show::Mtype(set) => self.mtypes.format(*set),
                    };
                    add(self, name, ty.repr, ty.range(), format);
                }
            }
        }
        self.area(owner).channels = owned;
    }

    /// Declares a name of a process; an error if the block has it already.
    pub(super) fn bind(
        &mut self,
        owner: usize,
        name: &ast::Name,
        decl: Decl,
        scope: &mut Option<u32>,
        block: Option<u32>,
    ) {
        let clash = self.chain(owner, *scope, block).into_iter().find_map(|at| {
            let binding = &self.areas[owner].bindings[at as usize];
            (binding.name == name.text).then_some(binding.decl.span)
        });
        if let Some(earlier) = clash {
            let message = format!("`{}` is declared twice in the same block", name.text);
            self.report(Diagnostic::error(message).at(name.span, "again here").also(earlier, "first here"));
        }
        let bindings = &mut self.areas[owner].bindings;
        bindings.push(Binding { name: name.text.clone(), decl, before: *scope });
        *scope = Some(bindings.len() as u32 - 1);
    }

    /// The bindings from `from` down to, but not including, `until`.
    fn chain(&self, owner: usize, from: Option<u32>, until: Option<u32>) -> Vec<u32> {
        let mut at = from;
        let mut chain = Vec::new();
        while let Some(one) = at {
            if at == until {
                break;
            }
            chain.push(one);
            at = self.areas[owner].bindings[one as usize].before;
        }
        chain
    }
}

fn contains_run(expr: &ast::Expr) -> bool {
    let mut found = false;
    ast::visit::expression(expr, &mut |expr| found |= matches!(expr.kind, ast::ExprKind::Run { .. }));
    found
}
