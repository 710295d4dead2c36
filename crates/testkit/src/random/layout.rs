//! The variables and channels of a random program, and where they lie.

use super::{Features, Rng, types};
use tightrope_core::{Component, Field, Format, ProcessKind, Repr};
use tightrope_ir::{Base, Channel, Expr, Index, OwnedChannel, Type, Variable};

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub name: String,
    pub offset: u32,
    pub ty: Type,
    /// The number of elements; 1 for a scalar.
    pub len: u32,
    /// Values that are assigned are cut below this.
    pub modulus: i32,
    /// It holds the name of a channel.
    pub is_channel: bool,
}

impl Declared {
    fn variable(&self, base: Base, declared: usize, index: Vec<Expr>) -> Variable {
        let mut indices = Vec::new();
        if self.len > 1 {
            let value = index.into_iter().next().unwrap_or(Expr::Const(0));
            indices.push(Index { value, low: 0, bound: self.len, stride: self.ty.size(), name: self.name.clone() });
        }
        Variable { base, offset: self.offset, indices, ty: self.ty, declared: declared as u32 }
    }

    /// The variable as a global one, at the index given, if it is an array.
    pub fn global(&self, declared: usize, index: Vec<Expr>) -> Variable {
        self.variable(Base::Global, declared, index)
    }

    /// The variable as one of the process that evaluates.
    pub fn own(&self, declared: usize, index: Vec<Expr>) -> Variable {
        self.variable(Base::Own, declared, index)
    }

    /// The variable as one of another process.
    pub fn remote(&self, declared: usize, pid: Expr, kind: u8, index: Vec<Expr>) -> Variable {
        self.variable(Base::Process(pid, kind), declared, index)
    }
}

/// A type of process, before it has code.
pub(crate) struct Kind {
    pub name: String,
    pub schema: ProcessKind,
    pub body: Vec<u8>,
    pub wide_pc: bool,
    pub priority: Option<u32>,
    pub variables: Vec<Declared>,
    /// How many of the variables are parameters; they come first.
    pub params: usize,
    pub channels: Vec<OwnedChannel>,
    pub locations: usize,
}

/// Everything that is declared.
pub(crate) struct Layout {
    pub channels: Vec<Channel>,
    pub global_channels: Vec<OwnedChannel>,
    pub globals: Vec<Declared>,
    pub fixed: Vec<u8>,
    pub fixed_fields: Vec<Field>,
    pub last_mover: Option<u32>,
    pub monitor: Option<u32>,
    pub kinds: Vec<Kind>,
}

/// How many locations a monitor has.
pub(crate) const MONITOR_LOCATIONS: u32 = 3;

/// Bytes with their fields, growing at the end.
struct Part {
    bytes: Vec<u8>,
    fields: Vec<Field>,
    component: (Component, u32),
}

impl Part {
    fn new(component: Component, number: usize) -> Part {
        Part { bytes: Vec::new(), fields: Vec::new(), component: (component, number as u32) }
    }

    fn add(&mut self, name: String, repr: Repr, range: (i32, i32), format: Format) -> u32 {
        let offset = self.bytes.len() as u32;
        self.bytes.resize(self.bytes.len() + repr.size(), 0);
        self.fields.push(Field { name, offset, repr, range, component: self.component, format });
        offset
    }

    fn add_declared(&mut self, rng: &mut Rng, name: String, is_channel: bool) -> Declared {
        let ty = if is_channel { Type::BYTE } else { *rng.pick(&types()) };
        let len = if !is_channel && rng.chance(25) { 2 + rng.below(2) as u32 } else { 1 };
        let modulus = rng.range(2, 4);
        // Now and then a schema that lies about a range: encoders must not lose what does not fit.
        let range = if rng.chance(6) { (0, 1) } else { ty.range() };
        let offset = self.bytes.len() as u32;
        for at in 0..len {
            let element = if len > 1 { format!("{name}[{at}]") } else { name.clone() };
            self.add(element, ty.repr, range, Format::Number);
        }
        Declared { name, offset, ty, len, modulus, is_channel }
    }

    fn add_channel(&mut self, name: String, channel: &Channel, number: u32) -> OwnedChannel {
        let offset = self.bytes.len() as u32;
        if channel.capacity > 0 {
            self.add(format!("len({name})"), Repr::U8, (0, i32::from(channel.capacity)), Format::Number);
            for slot in 0..channel.capacity {
                for (field, ty) in channel.fields.iter().enumerate() {
                    self.add(format!("{name}[{slot}].{field}"), ty.repr, ty.range(), Format::Number);
                }
            }
        }
        OwnedChannel { channel: number, offset, name }
    }
}

impl Layout {
    pub fn random(rng: &mut Rng, features: Features) -> Layout {
        let mut channels = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let capacity = rng.weighted(&[(2, 0), (3, 1), (3, 2), (1, 3)]);
            let fields = (0..1 + rng.below(2)).map(|_| *rng.pick(&types())).collect();
            channels.push(Channel { capacity, fields });
        }
        let mut fixed = Part::new(Component::Globals, 0);
        let globals: Vec<Declared> = (0..1 + rng.below(4))
            .map(|number| {
                let is_channel = features.channels && rng.chance(10);
                fixed.add_declared(rng, format!("g{number}"), is_channel)
            })
            .collect();
        let last_mover = features.last_mover.then(|| fixed.add("last".into(), Repr::U8, (0, 255), Format::Number));
        let monitor = (features.monitor && features.channels)
            .then(|| fixed.add("monitor".into(), Repr::U8, (0, MONITOR_LOCATIONS as i32), Format::Hidden));
        let mut global_channels = Vec::new();
        if features.channels {
            for number in 0..1 + rng.below(2) {
                let which = rng.below(channels.len());
                fixed.component = (Component::Channel, number as u32);
                global_channels.push(fixed.add_channel(format!("c{number}"), &channels[which], which as u32));
            }
        }
        let kinds = (0..1 + rng.below(4)).map(|number| kind(rng, features, &channels, number)).collect();
        let Part { bytes, fields, .. } = fixed;
        Layout { channels, global_channels, globals, fixed: bytes, fixed_fields: fields, last_mover, monitor, kinds }
    }
}

fn kind(rng: &mut Rng, features: Features, channels: &[Channel], number: usize) -> Kind {
    let name = format!("p{number}");
    let mut part = Part::new(Component::Process, number);
    let locations = 2 + rng.below(4);
    let wide_pc = rng.chance(10);
    let repr = if wide_pc { Repr::U16 } else { Repr::U8 };
    part.add("pc".into(), repr, (0, locations as i32 - 1), Format::Hidden);
    let priority = features.priorities.then(|| part.add("priority".into(), Repr::U8, (0, 255), Format::Number));
    let params = rng.below(2);
    let count = params + rng.below(2);
    let variables = (0..count)
        .map(|at| {
            let is_channel = features.channels && rng.chance(25);
            let mut declared = part.add_declared(rng, format!("v{at}"), is_channel);
            // Parameters are scalars.
            if at < params && declared.len > 1 {
                declared.len = 1;
            }
            declared
        })
        .collect();
    let mut owned = Vec::new();
    if features.owned_channels && rng.chance(60) {
        let which = rng.below(channels.len());
        part.component = (Component::Channel, 100 + number as u32);
        owned.push(part.add_channel(format!("{name}.c"), &channels[which], which as u32));
    }
    let schema = ProcessKind { name: name.clone(), size: part.bytes.len() as u32, fields: part.fields };
    Kind { name, schema, body: part.bytes, wide_pc, priority, variables, params, channels: owned, locations }
}
