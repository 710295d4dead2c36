//! Which levels are kept and for how long: streams of caches of snapshots (Mateescu & Wijs 2009, Definition 2), in their notation.
//!
//! A cache is a triple of a sampling function, a replacement function and a size: `c2,LLNR,5`. A stream is caches with `>` between
//! them: what leaves one is offered to the next. `...` at the end stands for the last cache again and again.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The most snapshots that a bounded cache holds, so that finding the one to replace takes little time.
pub const MOST_SNAPSHOTS: usize = 4096;
/// The most caches of a stream.
const MOST_CACHES: usize = 16;
/// At the end of a stream: the last cache again.
const AGAIN: &str = "...";

/// What a breadth-first search with snapshots remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotPlan {
    /// The caches.
    pub stream: Stream,
    /// States of which all successors were found in one old snapshot are remembered as well (the backtracking set, §3.2).
    pub backtrack: bool,
}

/// A stream of caches, of which there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The caches, in order.
    pub caches: Vec<SnapshotCache>,
    /// When the last one is full another one like it is added behind it.
    pub repeats: bool,
}

/// A cache of snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotCache {
    /// Which of the snapshots that are offered are accepted.
    pub sampling: Sampling,
    /// Which one leaves when there are too many.
    pub replacement: SnapshotReplacement,
    /// How many there may be; none for any number.
    pub size: Option<usize>,
}

/// A sampling function: the first one that is offered, and then one after every period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// A constant period (`c2`).
    Constant(u64),
    /// A period that grows by so much after every sampling (`2`: 2, 4, 6 …).
    Growing(u64),
}

/// Which snapshot is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotReplacement {
    /// The one of the lowest level.
    LowestLevel,
    /// The one that was hit least recently.
    LeastRecent,
    /// The one that was hit least often.
    LeastFrequent,
    /// The one that was hit most recently.
    MostRecent,
    /// The one that was hit most often.
    MostFrequent,
    /// The smallest.
    Smallest,
    /// The one with the fewest hits per state.
    LowestRatio,
    /// Any.
    Random,
}

/// The replacement functions: name, meaning, one line about it. A snapshot is hit when a step leads to one of its states.
pub static SNAPSHOT_REPLACEMENTS: &[(&str, SnapshotReplacement, &str)] = &[
    ("LLNR", SnapshotReplacement::LowestLevel, "the snapshot of the lowest level"),
    ("LRU", SnapshotReplacement::LeastRecent, "the snapshot that was hit least recently"),
    ("LFU", SnapshotReplacement::LeastFrequent, "the snapshot that was hit least often"),
    ("MRU", SnapshotReplacement::MostRecent, "the snapshot that was hit most recently"),
    ("MFU", SnapshotReplacement::MostFrequent, "the snapshot that was hit most often"),
    ("SIZE", SnapshotReplacement::Smallest, "the smallest snapshot"),
    ("RATIO", SnapshotReplacement::LowestRatio, "the snapshot with the fewest hits per state"),
    ("RND", SnapshotReplacement::Random, "any snapshot"),
];

/// A stream that has a name.
pub struct SnapshotPreset {
    /// Its name.
    pub name: &'static str,
    /// What follows the name after a colon, for the help; empty where nothing does.
    pub parameter: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The stream, in which `{}` stands for the parameter.
    pub stream: &'static str,
}

/// The streams that have names. The first is the default.
pub static SNAPSHOT_PRESETS: &[SnapshotPreset] = &[
    SnapshotPreset {
        name: "frontier-safety-net",
        parameter: "",
        about: "the last levels, and ever fewer of those before",
        stream: "c2,LLNR,5 > 2,LFU,10",
    },
    SnapshotPreset {
        name: "pebble",
        parameter: "",
        about: "every second of the last levels, every fourth of those before, and so on",
        stream: "c2,LLNR,5 > ...",
    },
    SnapshotPreset {
        name: "frontier",
        parameter: "N",
        about: "the last N levels, for models in which no step leads back N levels or more",
        stream: "c1,LLNR,{}",
    },
];

/// An error about a piece of the text: the text, with the piece marked, and what is wrong.
fn wrong(text: &str, piece: &str, what: &str) -> String {
    let at = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    let width = piece.chars().count().max(1);
    let before = text[..at].chars().count();
    format!("{what}\n  {text}\n  {}{}", " ".repeat(before), "^".repeat(width))
}

impl FromStr for Stream {
    type Err = String;

    /// Reads a stream or the name of one. The error is for people.
    fn from_str(text: &str) -> Result<Stream, String> {
        let text = text.trim();
        let (name, parameter) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        match SNAPSHOT_PRESETS.iter().find(|preset| preset.name == name.trim()) {
            None => Stream::parse(text),
            Some(preset) => match (preset.parameter.is_empty(), parameter) {
                (true, None) => Stream::parse(preset.stream),
                (true, Some(extra)) => Err(wrong(text, extra, &format!("`{}` takes no number", preset.name))),
                (false, Some(number)) => {
                    size(text, number)?;
                    Stream::parse(&preset.stream.replace("{}", number.trim()))
                }
                (false, None) => {
                    let example = format!("`{name}` needs a number of levels, as in `{name}:10`");
                    Err(wrong(text, name, &example))
                }
            },
        }
    }
}

impl Stream {
    fn parse(text: &str) -> Result<Stream, String> {
        let mut stream = Stream { caches: Vec::new(), repeats: false };
        for part in text.split('>').map(str::trim) {
            if stream.repeats {
                return Err(wrong(text, part, &format!("nothing can come behind `{AGAIN}`")));
            }
            if part == AGAIN && !stream.caches.is_empty() {
                stream.repeats = true;
                continue;
            }
            if stream.caches.len() == MOST_CACHES {
                return Err(wrong(text, part, &format!("a stream has at most {MOST_CACHES} caches")));
            }
            if stream.caches.last().is_some_and(|cache| cache.size.is_none()) {
                return Err(wrong(text, part, "nothing leaves the cache before this one, which keeps everything"));
            }
            stream.caches.push(SnapshotCache::parse(text, part)?);
        }
        if stream.repeats && stream.caches.last().is_some_and(|cache| cache.size.is_none()) {
            return Err(wrong(text, text, "a cache that keeps everything needs no other one behind it"));
        }
        // Each cache takes whatever leaves the one before, so that nothing ever leaves the stream.
        if stream.repeats && stream.caches.last().is_some_and(|cache| cache.sampling == Sampling::Constant(1)) {
            return Err(wrong(text, text, "with a period of 1 nothing leaves these caches: write one of size `inf`"));
        }
        Ok(stream)
    }
}

impl SnapshotCache {
    fn parse(text: &str, part: &str) -> Result<SnapshotCache, String> {
        let names = || SNAPSHOT_PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
        let pieces: Vec<&str> = part.split(',').map(str::trim).collect();
        let [sampling, replacement, most] = pieces[..] else {
            let what = format!(
                "a cache is SAMPLING,REPLACEMENT,SIZE, as in `c2,LLNR,5`, and streams of them with a name are {}",
                names()
            );
            return Err(wrong(text, part, &what));
        };
        let (constant, period) = match sampling.strip_prefix(['c', 'C']) {
            Some(period) => (true, period.trim()),
            None => (false, sampling),
        };
        let Some(period) = period.parse().ok().filter(|&period| period > 0) else {
            let what =
                "a sampling is `cN` (one level of every N) or `N` (after N levels, after 2N, after 3N …), N from 1";
            return Err(wrong(text, sampling, what));
        };
        let row = SNAPSHOT_REPLACEMENTS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(replacement));
        let Some(&(_, replacement, _)) = row else {
            let names: Vec<&str> = SNAPSHOT_REPLACEMENTS.iter().map(|(name, ..)| *name).collect();
            let what = format!("there is no such replacement of snapshots; there are {}", names.join(", "));
            return Err(wrong(text, replacement, &what));
        };
        let sampling = if constant { Sampling::Constant(period) } else { Sampling::Growing(period) };
        Ok(SnapshotCache { sampling, replacement, size: size(text, most)? })
    }
}

fn size(text: &str, piece: &str) -> Result<Option<usize>, String> {
    let piece = piece.trim();
    if piece.eq_ignore_ascii_case("inf") {
        return Ok(None);
    }
    let size = piece.parse().ok().filter(|size| (1..=MOST_SNAPSHOTS).contains(size));
    match size {
        Some(size) => Ok(Some(size)),
        None => Err(wrong(text, piece, &format!("a cache holds 1 to {MOST_SNAPSHOTS} snapshots, or `inf` for all"))),
    }
}

impl Display for Stream {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (number, cache) in self.caches.iter().enumerate() {
            write!(out, "{}{cache}", if number > 0 { " > " } else { "" })?;
        }
        if self.repeats { write!(out, " > {AGAIN}") } else { Ok(()) }
    }
}

impl Display for SnapshotCache {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.sampling {
            Sampling::Constant(period) => write!(out, "c{period}")?,
            Sampling::Growing(period) => write!(out, "{period}")?,
        }
        let row = SNAPSHOT_REPLACEMENTS.iter().find(|(_, replacement, _)| *replacement == self.replacement);
        write!(out, ",{},", row.map_or("", |(name, ..)| name))?;
        match self.size {
            Some(size) => write!(out, "{size}"),
            None => write!(out, "inf"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_written_as_they_are_read() {
        for text in ["c2,LLNR,5 > 2,LFU,10", "c1,RND,1", "3,MRU,7 > c2,SIZE,1 > 1,RATIO,inf", "c2,LLNR,5 > ..."] {
            assert_eq!(Stream::from_str(text).map(|stream| stream.to_string()), Ok(text.to_string()));
        }
        let again: Stream = " C2 ,llnr, 5>2,lfu,INF ".parse().unwrap();
        assert_eq!(again.to_string(), "c2,LLNR,5 > 2,LFU,inf");
        for (name, stream) in [
            ("frontier-safety-net", "c2,LLNR,5 > 2,LFU,10"),
            ("pebble", "c2,LLNR,5 > ..."),
            ("frontier:12", "c1,LLNR,12"),
            ("frontier: inf", "c1,LLNR,inf"),
        ] {
            assert_eq!(Stream::from_str(name).map(|stream| stream.to_string()), Ok(stream.to_string()));
        }
        assert!(SNAPSHOT_PRESETS.iter().all(|preset| preset.stream.replace("{}", "7").parse::<Stream>().is_ok()));
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, at, why) in [
            ("c2,LLNR,5 > 2,LFO,10", "LFO", "there are LLNR, LRU"),
            ("pebbles", "pebbles", "frontier-safety-net, pebble"),
            ("", "", "SAMPLING,REPLACEMENT,SIZE"),
            ("c2,LLNR", "c2,LLNR", "as in `c2,LLNR,5`"),
            ("c0,LLNR,5", "c0", "N from 1"),
            ("x,LLNR,5", "x", "`cN`"),
            ("c2,LLNR,0", "0", "1 to 4096"),
            ("c2,LLNR,5 > c2,LLNR,", "", "1 to 4096"),
            ("c2,LLNR,9999", "9999", "or `inf`"),
            ("c2,LLNR,inf > c2,LLNR,5", "c2,LLNR,5", "keeps everything"),
            ("c2,LLNR,inf > ...", "c2,LLNR,inf > ...", "keeps everything"),
            ("c1,LLNR,5 > ...", "c1,LLNR,5 > ...", "size `inf`"),
            ("c2,LLNR,5 > ... > c2,LLNR,5", "c2,LLNR,5", "behind"),
            ("... > c2,LLNR,5", "...", "SAMPLING"),
            ("pebble:3", "3", "no number"),
            ("frontier", "frontier", "as in `frontier:10`"),
            ("frontier:x", "x", "1 to 4096"),
        ] {
            let error = Stream::from_str(text).expect_err(text);
            let lines: Vec<&str> = error.lines().collect();
            assert!(lines[0].contains(why), "{text}: {error}");
            assert_eq!(lines[1], format!("  {text}"));
            let marked = lines[2].find('^').expect("a mark");
            let width = lines[2].len() - marked;
            assert_eq!(width, at.len().max(1), "{error}");
            assert!(at.is_empty() || lines[1][marked..].starts_with(at), "{error}");
        }
    }
}
