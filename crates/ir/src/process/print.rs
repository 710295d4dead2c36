//! The text of `printf`.

use crate::Print;

/// Fills `%d`, `%u`, `%x`, `%o`, `%c`, `%e` (a name) and `%%` of a format.
pub(super) fn format_text(print: &Print, values: &[i32]) -> String {
    let mut text = String::new();
    let mut values = values.iter().enumerate();
    let mut chars = print.format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let mut spec = chars.next();
        while spec.is_some_and(|c| c.is_ascii_digit() || c == '-' || c == '.' || c == 'l') {
            spec = chars.next();
        }
        match spec {
            Some('%') => text.push('%'),
            Some(spec) => {
                let (number, value) = values.next().map_or((0, 0), |(number, &value)| (number, value));
                match spec {
                    'u' => text.push_str(&(value as u32).to_string()),
                    'x' => text.push_str(&format!("{value:x}")),
                    'o' => text.push_str(&format!("{value:o}")),
                    'c' => text.push(char::from(value as u8)),
                    'e' => {
                        let names = print.names.get(number);
                        let name = names.and_then(|names| names.get(usize::try_from(value).ok()?));
                        text.push_str(&name.cloned().unwrap_or_else(|| value.to_string()));
                    }
                    _ => text.push_str(&value.to_string()),
                }
            }
            None => text.push('%'),
        }
    }
    text
}
