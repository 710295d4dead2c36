//! Sizes and durations as people write them.

use std::time::Duration;
use tightrope_store::Bound;

/// A number of bytes: `512M`, `2G`, `1.5GiB`, `65536`. Units are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a size; write 512M or 2G"))?;
    let shift = match unit.trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("`{unit}` is not a unit of size; use K, M, G or T")),
    };
    let bytes = number * (1u64 << shift) as f64;
    if bytes < 1.0 {
        return Err(format!("a size must be at least one byte, not `{text}`"));
    }
    if bytes >= u64::MAX as f64 {
        return Err(format!("`{text}` is more than there can be"));
    }
    Ok(bytes as u64)
}

/// What the program needs for itself.
const LEAST_MEMORY: u64 = 8 << 20;

/// The memory to stay within.
pub fn memory(text: &str) -> Result<u64, String> {
    let bytes = size(text)?;
    match bytes {
        LEAST_MEMORY.. => Ok(bytes),
        _ if text.trim().ends_with(|c: char| c.is_ascii_digit()) => {
            let text = text.trim();
            Err(format!("--memory must be at least 8M; `{text}` is a number of bytes, write {text}M for megabytes"))
        }
        _ => Err("--memory must be at least 8M".into()),
    }
}

/// What a cache may hold: so many states (`600`), or bytes with a unit (`64M`).
pub fn cache(text: &str) -> Result<Bound, String> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let states = text.parse().ok().filter(|&states| states > 0);
        return states.map(Bound::States).ok_or_else(|| format!("`{text}` is no number of states"));
    }
    size(text).map(Bound::Bytes).map_err(|_| format!("`{text}` is neither a number of states (600) nor a size (64M)"))
}

/// A duration: `90`, `90s`, `1.5m`, `2h`, `250ms`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a duration; write 90s or 5m"))?;
    let factor = match unit.trim() {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| format!("`{text}` is too long"))
}

/// A probability: `0.01`, `1e-6`.
pub fn probability(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("`{text}` is not a probability; write 0.01 or 1e-6"))
}

/// A share of one: `0.9`.
pub fn rate(text: &str) -> Result<f64, String> {
    probability(text).map_err(|_| format!("`{text}` is not a rate from 0 to 1; write 0.95"))
}

/// A number with separators: 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things: `1 state`, `2 states`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Bytes for people.
pub fn bytes(number: u64) -> String {
    match number {
        0..=9_999 => format!("{number} B"),
        10_000..=1_048_575 => format!("{:.1} KiB", number as f64 / 1024.0),
        1_048_576..=1_073_741_823 => format!("{:.1} MiB", number as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", number as f64 / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("1.5 GiB"), Ok(3 << 29));
        assert_eq!(size("65536"), Ok(65536));
        assert_eq!(size("10kb"), Ok(10240));
        for wrong in ["", "M", "2X", "-1G", "0", "1e99T", "1.2.3M"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn caches() {
        assert_eq!(cache("600"), Ok(Bound::States(600)));
        assert_eq!(cache("64M"), Ok(Bound::Bytes(64 << 20)));
        assert_eq!(cache("512B"), Ok(Bound::Bytes(512)));
        for wrong in ["", "0", "0M", "six", "99999999999999999999", "-3"] {
            assert!(cache(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("soon").is_err());
    }

    #[test]
    fn groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1234), "1,234");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
