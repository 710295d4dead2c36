//! Reading Aldebaran files: one pass, a line at a time, whatever the size.

use crate::finding::{Excerpt, Findings};
use crate::line::{self, Header, Transition, Wrong};
use crate::{Lts, LtsBuilder};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tightrope_syntax::{Diagnostic, Diagnostics, SourceMap};

/// How much of the file is in memory at a time.
const BUFFER: usize = 1 << 18;

/// The longest line. A file without line ends must not fill the memory.
const LONGEST: usize = 1 << 24;

/// The fewest bytes of a transition's line.
const SHORTEST: u64 = "(0,a,0)\n".len() as u64;

/// Reads the transition system in a file. Gives nothing if there was any error; then `diagnostics` says what is wrong.
///
/// The file's text does not go to `sources`, only the lines that diagnostics are about.
pub fn read(path: &Path, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Option<Lts> {
    let unreadable = |why: io::Error| Diagnostic::error(format!("cannot read `{}`: {why}", path.display()));
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    let (size, file) = match opened {
        Ok(opened) => opened,
        Err(why) => {
            diagnostics.push(unreadable(why));
            return None;
        }
    };
    let mut reader = Reader::new(size);
    if let Err(why) = reader.read(file) {
        diagnostics.push(unreadable(why));
        return None;
    }
    reader.finish(path, sources, diagnostics)
}

/// Reads a transition system that is not in a file.
pub fn read_text(name: &str, text: &[u8], sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Option<Lts> {
    let mut reader = Reader::new(text.len() as u64);
    reader.read(text).ok()?;
    reader.finish(Path::new(name), sources, diagnostics)
}

/// What was read so far.
struct Reader {
    size: u64,
    /// The number of the line that was read last.
    line: u64,
    header: Option<(Header, Excerpt)>,
    /// The line of the last transition.
    last: u64,
    builder: LtsBuilder,
    findings: Findings,
}

impl Reader {
    fn new(size: u64) -> Self {
        Reader { size, line: 0, header: None, last: 0, builder: LtsBuilder::default(), findings: Findings::default() }
    }

    /// Takes the input line by line until it ends or there are too many errors.
    fn read(&mut self, mut input: impl Read) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        // The bytes in the buffer that are not taken yet, and how many of them are known to have no line end.
        let (mut start, mut end, mut searched) = (0, 0, 0);
        loop {
            if end == buffer.len() {
                buffer.copy_within(start..end, 0);
                (start, end) = (0, end - start);
                if end == buffer.len() {
                    buffer.resize(2 * end, 0);
                }
            }
            let count = match input.read(&mut buffer[end..]) {
                Ok(count) => count,
                Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
                Err(why) => return Err(why),
            };
            end += count;
            while let Some(length) = memchr::memchr(b'\n', &buffer[start + searched..end]) {
                self.take(&buffer[start..start + searched + length]);
                start += searched + length + 1;
                searched = 0;
                if self.findings.is_stopped() {
                    return Ok(());
                }
            }
            searched = end - start;
            if count == 0 {
                if start < end {
                    self.take(&buffer[start..end]);
                }
                return Ok(());
            }
            if searched > LONGEST {
                self.line += 1;
                let message = format!("this line is longer than {} MiB", LONGEST >> 20);
                let help = "an Aldebaran file has a line for each transition";
                self.findings.add_wrong(self.line, &buffer[start..end], Wrong { message, at: 0..0, label: "", help });
                return Ok(());
            }
        }
    }

    #[inline]
    fn take(&mut self, line: &[u8]) {
        self.line += 1;
        if line.iter().all(|&byte| line::is_space(byte)) {
            return;
        }
        let Some((header, _)) = &self.header else {
            return self.take_header(line);
        };
        let (declared, states) = (header.transitions, header.states);
        let taken = match line::transition(line) {
            Ok(transition) => self.take_transition(line, &transition, declared, states),
            Err(wrong) => Err(wrong),
        };
        if let Err(wrong) = taken {
            self.findings.add_wrong(self.line, line, wrong);
        }
    }

    #[cold]
    fn take_header(&mut self, line: &[u8]) {
        let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let checked = line::header(text).and_then(|header| check_header(&header).map(|()| header));
        match checked {
            Ok(header) => {
                // The header may say anything; the size of the file does not lie.
                let transitions = header.transitions.min(self.size / SHORTEST + 1);
                self.builder = LtsBuilder::with_capacity(transitions as usize);
                let excerpt = Excerpt::new(self.line, text, header.at[1].0..header.at[1].1);
                self.header = Some((header, excerpt));
            }
            Err(wrong) => {
                self.findings.add_wrong(self.line, text, wrong);
                // Without the header nothing else can be judged.
                self.findings.stop();
            }
        }
    }

    #[inline]
    fn take_transition(
        &mut self,
        line: &[u8],
        transition: &Transition<'_>,
        declared: u64,
        states: u64,
    ) -> Result<(), Wrong> {
        for (state, at) in [(transition.from, &transition.from_at), (transition.to, &transition.to_at)] {
            if state >= states {
                return Err(Wrong {
                    message: format!("there is no state {state}: the header says {states} states"),
                    at: at.clone(),
                    label: "not below the number of states",
                    help: "states are numbered from 0; the last number in the header says how many there are",
                });
            }
        }
        let label = match self.builder.labels.find_bytes(&transition.label) {
            Some(label) => label,
            None => self.new_label(line, transition)?,
        };
        if self.builder.transitions() as u64 == declared {
            return self.one_more(declared);
        }
        self.last = self.line;
        // Both states are below a number of states that has 32 bits, and so has the declared number of transitions.
        let _ = self.builder.add(transition.from as u32, label, transition.to as u32);
        Ok(())
    }

    fn new_label(&mut self, line: &[u8], transition: &Transition<'_>) -> Result<u32, Wrong> {
        match std::str::from_utf8(&transition.label) {
            Ok(label) => Ok(self.builder.labels.add(label)),
            Err(_) => {
                let raw = &line[transition.label_at.clone()];
                let why = std::str::from_utf8(raw).err();
                let bad = why.map_or(0..0, |why| {
                    let at = transition.label_at.start + why.valid_up_to();
                    at..at + why.error_len().unwrap_or(raw.len() - why.valid_up_to())
                });
                Err(Wrong {
                    message: "this label is not UTF-8".to_string(),
                    at: bad,
                    label: "these bytes are no character",
                    help: "convert the file to UTF-8, with `iconv -f LATIN1 -t UTF-8` for example",
                })
            }
        }
    }

    /// There is a transition more than the header says. How many more does not matter.
    #[cold]
    fn one_more(&mut self, declared: u64) -> Result<(), Wrong> {
        self.findings.stop();
        Err(Wrong {
            message: format!("there are more transitions than the {declared} that the header says"),
            at: 0..usize::MAX,
            label: "the first one too many",
            help: "correct the header, or see whether two files were put together",
        })
    }

    fn finish(mut self, path: &Path, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Option<Lts> {
        if self.findings.is_empty() {
            self.check_end();
        }
        let lts = match &self.header {
            Some((header, _)) if self.findings.is_empty() => {
                self.builder.finish(header.initial as u32, header.states as u32)
            }
            _ => None,
        };
        if lts.is_none() {
            self.findings.report(path, sources, diagnostics);
        }
        lts
    }

    /// Whether all is there once the file is at its end.
    fn check_end(&mut self) {
        let Some((header, excerpt)) = &self.header else {
            let excerpt = Excerpt::new(self.line.max(1), b"", 0..0);
            let diagnostic = Diagnostic::error("the file is empty").help(line::HEADER_HELP);
            return self.findings.add(diagnostic, excerpt, "expected `des`");
        };
        let found = self.builder.transitions() as u64;
        if found < header.transitions {
            let message = format!("the header says {} transitions, but there are {found}", header.transitions);
            let last = match self.last {
                0 => "there are no transitions".to_string(),
                line => format!("the last transition is in line {line}"),
            };
            let diagnostic = Diagnostic::error(message)
                .note(last)
                .help("the file may have been cut off; if not, correct the header");
            self.findings.add(diagnostic, excerpt.clone(), "the number of transitions");
        }
    }
}

/// Whether the numbers of a header can be.
fn check_header(header: &Header) -> Result<(), Wrong> {
    let [initial, transitions, states] = header.at.map(|(start, end)| start..end);
    let most = u64::from(u32::MAX);
    let wrong = |message: String, at, label, help| Err(Wrong { message, at, label, help });
    let many = "a file of that size is beyond this program";
    if header.states > most {
        return wrong(format!("there can be at most {most} states"), states, "the number of states", many);
    }
    if header.transitions > most {
        return wrong(
            format!("there can be at most {most} transitions"),
            transitions,
            "the number of transitions",
            many,
        );
    }
    if header.states == 0 {
        let help = "the initial state is a state; the smallest file is `des (0, 0, 1)`";
        return wrong("there are no states".to_string(), states, "the number of states", help);
    }
    if header.initial >= header.states {
        let help = "states are numbered from 0";
        let message = format!("the initial state {} is not one of the {} states", header.initial, header.states);
        return wrong(message, initial, "the initial state", help);
    }
    Ok(())
}
