//! Variables, constants and channels.

use super::{Checker, Symbol, Uses};
use crate::ast::{self, Initial};
use crate::hir::{Channel, Constant, ScalarType, Table, Variable};
use tightrope_syntax::{Diagnostic, Span};

/// The largest array.
const MAX_LENGTH: i32 = 65535;

/// How many values all variables may have together.
const MAX_CELLS: usize = 1 << 22;

impl Checker<'_> {
    /// A variable or a constant of the present scope.
    pub(super) fn variable(&mut self, variable: &ast::Variable) {
        let name = self.text(variable.name).to_string();
        let (ty, span, process) = (variable.ty, variable.name.span, self.process);
        // Something wrong is declared nevertheless, so that its uses are not reported.
        let mut length = variable.length.as_ref().map(|length| self.length(length).unwrap_or(1));
        let fits = self.cells <= MAX_CELLS;
        self.cells += length.unwrap_or(1);
        if self.cells > MAX_CELLS {
            if fits {
                self.error(span, "the state is too large", format!("with this, it has more than {MAX_CELLS} values"));
            }
            length = length.map(|_| 1);
        }
        let initial = match length {
            None => vec![self.scalar_initial(variable)],
            Some(length) => self.array_initial(variable, length),
        };
        if variable.constant && variable.initial.is_none() {
            let warning = Diagnostic::warning(format!("the constant `{name}` has no value"));
            self.diags.push(warning.at(span, "it is 0"));
        }
        let symbol = if variable.constant && length.is_some() {
            self.model.tables.push(Table { name, span, process, ty, values: initial });
            Symbol::Table(self.model.tables.len() - 1)
        } else if variable.constant {
            let value = initial[0];
            self.model.constants.push(Constant { name, span, process, value });
            Symbol::Constant(value)
        } else {
            let variables = match process {
                Some(process) => &mut self.model.processes[process].variables,
                None => &mut self.model.variables,
            };
            variables.push(Variable { name, span, ty, length, initial });
            Symbol::Variable(variables.len() - 1)
        };
        self.declare(variable.name, symbol);
    }

    fn length(&mut self, expr: &ast::Expr) -> Option<usize> {
        let length = self.constant(expr, "the size of an array")?;
        if (1..=MAX_LENGTH).contains(&length) {
            return Some(length as usize);
        }
        let label = format!("this is {length}; the size is 1 to {MAX_LENGTH}");
        self.error(expr.span, "an array cannot have this size", label);
        None
    }

    fn scalar_initial(&mut self, variable: &ast::Variable) -> i32 {
        match &variable.initial {
            None => 0,
            Some(Initial::One(value)) => self.initial(value, variable.ty),
            Some(Initial::List(_, span)) => {
                let error = Diagnostic::error("a list of values is for arrays only")
                    .at(*span, "expected one value")
                    .also(variable.name.span, "this is not an array");
                self.report(error);
                0
            }
        }
    }

    fn array_initial(&mut self, variable: &ast::Variable, length: usize) -> Vec<i32> {
        let mut values: Vec<i32> = match &variable.initial {
            None => Vec::new(),
            Some(Initial::List(values, span)) => {
                if values.len() > length {
                    let (name, count) = (self.text(variable.name), values.len());
                    let warning =
                        Diagnostic::warning(format!("`{name}` gets {count} values but has room for {length}"))
                            .at(*span, "those at the end are left out");
                    self.diags.push(warning);
                }
                values.iter().take(length).map(|value| self.initial(value, variable.ty)).collect()
            }
            Some(Initial::One(value)) => {
                let error = Diagnostic::error("the initial value of an array is a list")
                    .at(value.span, "this is one value")
                    .also(variable.name.span, "this is an array")
                    .help("write braces: `{1, 2, 3}`; missing values are 0");
                self.report(error);
                Vec::new()
            }
        };
        values.resize(length, 0);
        values
    }

    /// An initial value, cut to its type.
    fn initial(&mut self, expr: &ast::Expr, ty: ScalarType) -> i32 {
        let value = self.constant(expr, "an initial value").unwrap_or(0);
        let cut = ty.truncate(value);
        if cut != value {
            self.warn_about_truncation(value, cut, ty, expr.span);
        }
        cut
    }

    fn warn_about_truncation(&mut self, value: i32, cut: i32, ty: ScalarType, span: Span) {
        let (least, greatest) = ty.bounds();
        let warning = Diagnostic::warning(format!("{value} does not fit into `{}`", ty.name()))
            .at(span, format!("becomes {cut}"))
            .note(format!("the values of `{}` are {least} to {greatest}", ty.name()));
        self.diags.push(warning);
    }

    pub(super) fn channel(&mut self, channel: &ast::Channel) {
        let position = self.model.channels.len();
        self.model.channels.push(Channel {
            name: self.text(channel.name).to_string(),
            span: channel.name.span,
            types: channel.types.clone(),
            capacity: channel.capacity,
            arity: channel.types.as_ref().map_or(0, Vec::len),
        });
        self.uses.push(Uses::default());
        self.declare(channel.name, Symbol::Channel(position));
    }
}
