//! What is accepted, and what is said about the rest.

use tightrope_aut::{Lts, read, read_text};
use tightrope_syntax::{Diagnostics, SourceMap};

fn parse(text: &[u8]) -> Result<Lts, String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let lts = read_text("x.aut", text, &mut sources, &mut diagnostics);
    assert_eq!(lts.is_none(), diagnostics.has_errors());
    lts.ok_or_else(|| diagnostics.render(&sources, false))
}

fn accept(text: &str) -> Lts {
    parse(text.as_bytes()).unwrap_or_else(|why| panic!("{text}\n{why}"))
}

/// The labels of a file with these transition lines.
fn labels(lines: &[&str]) -> Vec<String> {
    let lts = accept(&format!("des (0, {}, 2)\n{}", lines.len(), lines.join("\n")));
    lts.iter().map(|(_, label, _)| lts.labels().text(label).to_string()).collect()
}

#[test]
fn white_space_is_free() {
    for text in [
        "des (0, 1, 2)\n(0, a, 1)\n",
        "des(0,1,2)\n(0,a,1)",
        "\r\n  des\t( 0 ,1,   2 )  \r\n\r\n \t( 0 , a , 1 )  \r\n\r\n",
        "\u{feff}des (0, 1, 2)\n\n\n(0, \"a\", 1)\n\n",
        "des (00, 01, 0002)                                    \n(0000000000000000000000000, a, 1)\n",
    ] {
        let lts = accept(text);
        assert_eq!((lts.initial(), lts.states(), lts.transitions()), (0, 2, 1));
        assert_eq!(lts.iter().collect::<Vec<_>>(), [(0, 0, 1)]);
        assert_eq!(lts.labels().text(0), "a");
    }
    assert_eq!(accept("des (6, 0, 7)").states(), 7);
}

#[test]
fn labels_are_quoted_or_not() {
    let lines = [
        r#"(0, "a", 1)"#,
        r#"(0, a, 1)"#,
        r#"(0, "", 1)"#,
        r#"(0, " a ", 1)"#,
        r#"(0, c(1,2), 1)"#,
        r#"(0, "c(1, 2), d", 1)"#,
        r#"(0, "say \"x\", 1)", 1)"#,
        r#"(0, "say "x"", 1)"#,
        r#"(0, PUT !"x" !3, 1)"#,
        r#"(0, "\\n\n\t\", 1)"#,
        r#"(0, "größe ∀ 漢", 1)"#,
        r#"(0, a)b(c, 1)"#,
        r#"(0, ",", 1)"#,
    ];
    let expected = [
        "a",
        "a",
        "",
        " a ",
        "c(1,2)",
        "c(1, 2), d",
        r#"say "x", 1)"#,
        r#"say "x""#,
        r#"PUT !"x" !3"#,
        "\\n\n\\t\\",
        "größe ∀ 漢",
        "a)b(c",
        ",",
    ];
    assert_eq!(labels(&lines), expected);
}

#[test]
fn a_header_is_not_trusted_with_memory() {
    let lts = accept("des (0, 1, 4294967295)\n(4294967294, a, 0)\n");
    assert!(lts.bytes() < 4096, "{}", lts.bytes());
    assert!(parse(b"des (0, 4294967295, 4294967295)\n(0, a, 0)\n").is_err());
    assert!(parse(b"des (0, 99999999999999, 3)\n").is_err());
}

#[test]
fn lines_may_be_long_and_files_longer_than_the_buffer() {
    let mut text = "des (0, 40001, 2)\n".to_string();
    for number in 0..40_000 {
        text.push_str(&format!("({}, \"label number {number}\", {})\r\n", number % 2, number / 20_000));
    }
    let long = "x".repeat(1_000_000);
    text.push_str(&format!("(1, {long}, 1)"));
    let lts = accept(&text);
    assert_eq!((lts.transitions(), lts.labels().len()), (40_001, 40_001));
    assert_eq!(lts.labels().text(39_999), "label number 39999");
    assert_eq!(lts.labels().text(40_000), long);
    let shown = parse(format!("des (0, 1, 1)\n(0, {long}, 1)").as_bytes()).expect_err("there is no state 1");
    assert!(shown.contains("what comes before is not shown") && shown.len() < 10_000, "{shown}");
    let shown = parse(&vec![b'('; 20 << 20]).expect_err("too long");
    assert!(shown.contains("this line is longer than 16 MiB") && shown.len() < 10_000, "{shown}");
}

#[test]
fn a_file_that_is_not_there() {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    for path in ["no/such/file.aut", env!("CARGO_MANIFEST_DIR")] {
        assert!(read(path.as_ref(), &mut sources, &mut diagnostics).is_none());
    }
    assert_eq!(diagnostics.error_count(), 2);
    assert!(diagnostics.render(&sources, false).starts_with("error: cannot read `no/such/file.aut`"));
}

/// Inputs and what is said about them: the text before `----` is the input.
///
/// `TIGHTROPE_WRITE=1 cargo test -p tightrope-aut --test read` writes what is said now.
#[test]
fn diagnostics() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics.txt");
    let table = std::fs::read_to_string(path).expect("it is in the repository");
    let mut now = String::new();
    for case in table.split("\n====\n") {
        let (input, _) = case.trim_end().split_once("\n----\n").unwrap_or((case.trim_end(), ""));
        // Bytes that are not UTF-8, and no newline at the end, cannot be written in the table as they are.
        let bytes: Vec<u8> = input.bytes().map(|byte| if byte == b'$' { 0xff } else { byte }).collect();
        let said = parse(&bytes).expect_err(input);
        if !now.is_empty() {
            now.push_str("\n====\n");
        }
        now.push_str(&format!("{input}\n----\n{said}\n"));
    }
    if std::env::var_os("TIGHTROPE_WRITE").is_some() {
        return std::fs::write(path, &now).expect("the repository can be written to");
    }
    assert!(table == now, "{path} says otherwise; now:\n{now}");
}

#[test]
fn empty_files() {
    for text in ["", "\n", " \r\n\t\n\u{c}"] {
        let said = parse(text.as_bytes()).expect_err("there is nothing");
        assert!(said.starts_with("error: the file is empty\n --> x.aut:"), "{said}");
    }
}

#[test]
fn places_are_those_of_the_file() {
    let mut text = "des (0, 200001, 2)\n".to_string() + &"(0, a, 1)\n".repeat(200_000);
    text.push_str("  (0, a, 2)\n");
    let said = parse(text.as_bytes()).expect_err("there is no state 2");
    assert!(said.contains("--> x.aut:200002:10"), "{said}");
    assert!(said.contains("200002 |   (0, a, 2)"), "{said}");
}
