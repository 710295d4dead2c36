//! What the bytes of a state mean.

/// How a number lies in the bytes, little end first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Repr {
    U8,
    I8,
    U16,
    I16,
    I32,
}

impl Repr {
    /// The number of bytes.
    pub fn size(self) -> usize {
        match self {
            Repr::U8 | Repr::I8 => 1,
            Repr::U16 | Repr::I16 => 2,
            Repr::I32 => 4,
        }
    }

    /// The number at `at`. Out of bounds reads as zero, since bytes may come from a damaged trace.
    #[inline]
    pub fn load(self, bytes: &[u8], at: usize) -> i32 {
        match self {
            Repr::U8 => bytes.get(at).map_or(0, |&b| i32::from(b)),
            Repr::I8 => bytes.get(at).map_or(0, |&b| i32::from(b as i8)),
            Repr::U16 => bytes.get(at..at + 2).map_or(0, |b| i32::from(u16::from_le_bytes([b[0], b[1]]))),
            Repr::I16 => bytes.get(at..at + 2).map_or(0, |b| i32::from(i16::from_le_bytes([b[0], b[1]]))),
            Repr::I32 => bytes.get(at..at + 4).map_or(0, |b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        }
    }

    /// Writes the low bytes of `value` at `at`. Out of bounds nothing is written: machine code would write to memory of something
    /// else there. Where that is not tried out, nothing is written.
    #[inline]
    pub fn store(self, bytes: &mut [u8], at: usize, value: i32) {
        debug_assert!(at + self.size() <= bytes.len(), "a store at {at} of {} bytes", bytes.len());
        match self {
            Repr::U8 | Repr::I8 => {
                if let Some(slot) = bytes.get_mut(at) {
                    *slot = value as u8;
                }
            }
            Repr::U16 | Repr::I16 => {
                if let Some(slot) = bytes.get_mut(at..at + 2) {
                    slot.copy_from_slice(&(value as u16).to_le_bytes());
                }
            }
            Repr::I32 => {
                if let Some(slot) = bytes.get_mut(at..at + 4) {
                    slot.copy_from_slice(&value.to_le_bytes());
                }
            }
        }
    }
}

/// Which part of the system a field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    /// The global variables.
    Globals,
    /// A channel.
    Channel,
    /// A process: its control point and its variables.
    Process,
}

/// How a value is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// As a number.
    Number,
    /// As `true` or `false`.
    Bool,
    /// By a name: the table's entry for the value, or the number where it has none.
    Names(std::sync::Arc<[String]>),
    /// As the number plus `low` less one; 0 is shown as undefined.
    Defined {
        /// What 1 stands for.
        low: i32,
    },
    /// The number of messages in a queue whose name is the field's. The slots follow: so many fields of so many slots;
    /// they are shown together, as a list.
    Queue {
        /// The number of slots.
        slots: u32,
        /// The number of fields of a slot.
        fields: u32,
    },
    /// Whether the first slot of a multiset is used; its name is the multiset's. The rest of the slot follows, so many
    /// fields, then the other slots likewise; they are shown together, as a list of what is in the used ones.
    Bag {
        /// The number of slots.
        slots: u32,
        /// The number of fields of a slot besides the mark.
        fields: u32,
    },
    /// Not shown: a control point or bookkeeping.
    Hidden,
}

impl Format {
    /// The value in words; none where it is not shown.
    pub fn show(&self, value: i32) -> Option<String> {
        match self {
            Format::Number | Format::Queue { .. } | Format::Bag { .. } => Some(value.to_string()),
            Format::Bool => Some(if value == 0 { "false" } else { "true" }.to_string()),
            Format::Names(names) => {
                let name = usize::try_from(value).ok().and_then(|value| names.get(value));
                Some(name.cloned().unwrap_or_else(|| value.to_string()))
            }
            Format::Defined { .. } if value == 0 => Some("undefined".to_string()),
            Format::Defined { low } => Some((i64::from(value) - 1 + i64::from(*low)).to_string()),
            Format::Hidden => None,
        }
    }
}

/// One number in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, such as `flag[1]` or `q[0].0`.
    pub name: String,
    /// Its offset: in the fixed part, or in the body of its process.
    pub offset: u32,
    /// How it lies there.
    pub repr: Repr,
    /// The least and the greatest value it can have.
    pub range: (i32, i32),
    /// Which part it belongs to; fields of one part stand together. The number tells apart parts of one kind.
    pub component: (Component, u32),
    /// How it is shown.
    pub format: Format,
}

impl Field {
    /// The number of bits that hold every value of its range.
    pub fn bits(&self) -> u32 {
        let span = (i64::from(self.range.1) - i64::from(self.range.0)) as u64;
        64 - span.leading_zeros()
    }
}

/// A type of process: what one instance of it adds to a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessKind {
    /// Its name.
    pub name: String,
    /// The bytes of an instance.
    pub size: u32,
    /// Its fields, in order, covering every byte.
    pub fields: Vec<Field>,
}

/// The layout of a model's states.
///
/// A state is a **fixed part** of `fixed_size` bytes, and, where processes come and go (`kinds` is not empty), the
/// number of processes in one byte, the kind of each in one byte, and their bodies one after the other:
///
/// ```text
/// fixed part | n | kind₁ … kindₙ | body₁ … bodyₙ
/// ```
///
/// Fields cover all bytes but the process list, without overlap, in increasing order, so that an encoder that keeps
/// the fields and the list keeps the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// The bytes of the fixed part.
    pub fixed_size: u32,
    /// The fields of the fixed part.
    pub fixed: Vec<Field>,
    /// The types of processes; empty where states have the fixed part only.
    pub kinds: Vec<ProcessKind>,
}

impl Schema {
    /// Calls `each` with every field of `state` and its place, and the number of its process where it is in one.
    /// Stops quietly where the bytes end too early.
    pub fn visit<'a>(&'a self, state: &[u8], mut each: impl FnMut(Option<usize>, &'a Field, usize)) {
        for field in &self.fixed {
            each(None, field, field.offset as usize);
        }
        for (process, (kind, body)) in self.processes(state).enumerate() {
            for field in &kind.fields {
                each(Some(process), field, body + field.offset as usize);
            }
        }
    }

    /// The processes of `state`: the kind and the place of the body of each.
    pub fn processes<'a>(&'a self, state: &[u8]) -> impl Iterator<Item = (&'a ProcessKind, usize)> + use<'a> {
        let list = self.fixed_size as usize;
        let count = if self.kinds.is_empty() { 0 } else { state.get(list).map_or(0, |&n| n as usize) };
        let kinds: Vec<u8> = state.get(list + 1..list + 1 + count).unwrap_or_default().to_vec();
        let mut body = list + 1 + count;
        kinds.into_iter().map_while(move |kind| {
            let kind = self.kinds.get(kind as usize)?;
            let at = body;
            body += kind.size as usize;
            Some((kind, at))
        })
    }

    /// The bits of `state` when each field takes just what its range needs.
    pub fn packed_bits(&self, state: &[u8]) -> u64 {
        let mut bits = 0;
        let mut processes = 0;
        self.visit(state, |_, field, _| bits += u64::from(field.bits()));
        if !self.kinds.is_empty() {
            processes = 8 * (1 + self.processes(state).count() as u64);
        }
        bits + processes
    }
}
