//! What the parser makes of every form, of mistakes and of hostile texts.

use super::*;
use crate::ast::{AcceptKind, Initial, Item, Process};
use crate::hir::ScalarType;
use crate::scan::scan;
use tightrope_syntax::{FileId, Name};

fn parsed(text: &str) -> (Program, Diagnostics) {
    let (mut names, mut diags) = (Interner::default(), Diagnostics::new());
    let tokens = scan(FileId(0), text, &mut names, &mut diags);
    let program = parse(&tokens, &names, &mut diags);
    (program, diags)
}

fn fine(text: &str) -> Program {
    let (program, diags) = parsed(text);
    let messages: Vec<_> = diags.iter().map(|d| &d.message).collect();
    assert!(messages.is_empty(), "{text}: {messages:?}");
    program
}

/// The messages of all errors.
fn errors(text: &str) -> Vec<String> {
    parsed(text).1.iter().map(|diagnostic| diagnostic.message.clone()).collect()
}

/// The only process of a model, with this in its braces.
fn process(inside: &str) -> Process {
    let mut program = fine(&format!("process P {{ {inside} }}"));
    match program.items.pop() {
        Some(Item::Process(process)) => process,
        other => panic!("{inside}: {other:?}"),
    }
}

#[test]
fn variables_in_all_their_forms() {
    for (text, expected) in [
        ("byte x;", "x"),
        ("int x, y;", "x x"),
        ("const byte N = 3;", "const x=1"),
        ("byte a[3];", "x[]"),
        ("byte a[N + 1] = {1, 2, N};", "x[]=3"),
        ("int x = -1, a[2] = {0}, y;", "x=1 x[]=1 x"),
        ("const int a[2] = {1, 2};", "const x[]=2"),
    ] {
        let shown = fine(text).items.into_iter().map(|item| match item {
            Item::Variable(variable) => format!(
                "{}x{}{}",
                if variable.constant { "const " } else { "" },
                if variable.length.is_some() { "[]" } else { "" },
                match variable.initial {
                    None => String::new(),
                    Some(Initial::One(_)) => "=1".to_string(),
                    Some(Initial::List(list, _)) => format!("={}", list.len()),
                }
            ),
            other => panic!("{other:?}"),
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{text}");
    }
}

#[test]
fn channels_in_all_their_forms() {
    let program = fine("channel a, b; channel {byte, int} c[3], d[0], e; channel f[0];");
    let shown = program.items.iter().map(|item| match item {
        Item::Channel(channel) => (channel.types.clone(), channel.capacity),
        other => panic!("{other:?}"),
    });
    let types = Some(vec![ScalarType::Byte, ScalarType::Int]);
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [(None, 0), (None, 0), (types.clone(), 3), (types.clone(), 0), (types, 0), (None, 0)]
    );
}

#[test]
fn systems_in_all_their_forms() {
    for (text, synchronous, property) in [
        ("system async;", false, false),
        ("system sync", true, false),
        ("system async property P;", false, true),
        ("system sync property P", true, true),
    ] {
        let program = fine(text);
        let system = &program.systems[0];
        assert_eq!((system.synchronous, system.property.is_some()), (synchronous, property), "{text}");
    }
}

#[test]
fn sections_in_all_their_forms() {
    let all = process(
        "byte x; int y; state a, b, c; commit b; init a; accept c, a; assert a: x == 1, b: y;
         trans a -> b {}, -> c { guard x; }, c -> a { };",
    );
    assert_eq!((all.variables.len(), all.states.len(), all.inits.len(), all.commits.len()), (2, 3, 1, 1));
    assert_eq!((all.accepts.len(), all.asserts.len(), all.transitions.len()), (1, 2, 3));
    let from: Vec<bool> = all.transitions.iter().map(|transition| transition.from.is_some()).collect();
    assert_eq!(from, [true, false, true]);
    assert_eq!(process("state a; init a;; trans a -> a {} a -> a {} -> a { guard 1 }").transitions.len(), 3);
    assert_eq!(process("state a; init a; trans").transitions.len(), 0);
    assert_eq!(process("state a; init a; trans ;").transitions.len(), 0);
}

#[test]
fn acceptance_in_all_its_forms() {
    for (text, expected) in [
        ("accept a, b;", "buchi 2"),
        ("accept buchi a;", "buchi 1"),
        ("accept genbuchi (a, b), (), (c);", "genbuchi 2 0 1"),
        ("accept muller (a);", "muller 1"),
        ("accept rabin (a, b; c), (; a);", "rabin 2:1 0:1"),
        ("accept streett (a; ), (;);", "streett 1:0 0:0"),
    ] {
        let sets = |sets: &[Vec<Name>]| sets.iter().map(|set| format!(" {}", set.len())).collect::<String>();
        let pairs = |pairs: &[(Vec<Name>, Vec<Name>)]| {
            pairs.iter().map(|(first, second)| format!(" {}:{}", first.len(), second.len())).collect::<String>()
        };
        let shown = match &process(text).accepts[0].kind {
            AcceptKind::Buchi(names) => format!("buchi {}", names.len()),
            AcceptKind::GenBuchi(list) => format!("genbuchi{}", sets(list)),
            AcceptKind::Muller(list) => format!("muller{}", sets(list)),
            AcceptKind::Rabin(list) => format!("rabin{}", pairs(list)),
            AcceptKind::Streett(list) => format!("streett{}", pairs(list)),
        };
        assert_eq!(shown, expected, "{text}");
    }
}

#[test]
fn transitions_in_all_their_forms() {
    for (text, expected) in [
        ("a -> b {}", "0 - 0"),
        ("a -> b { guard x == 1; }", "1 - 0"),
        ("a -> b { guard x == 1, y, z; }", "3 - 0"),
        ("a -> b { sync c!; }", "0 c!0 0"),
        ("a -> b { sync c? }", "0 c?0 0"),
        ("a -> b { sync c!-1; }", "0 c!1 0"),
        ("a -> b { sync c!(x); }", "0 c!1 0"),
        ("a -> b { sync c?{x, y[1]}; }", "0 c?2 0"),
        ("a -> b { effect x = 1, y[2] = P->z[3]; }", "0 - 2"),
        ("a -> b { guard x; sync c!; effect x = 1 }", "1 c!0 1"),
        ("a -> b { effect x = 1; sync c!; guard x; }", "1 c!0 1"),
    ] {
        let process = process(&format!("trans {text};"));
        let transition = &process.transitions[0];
        let sync = transition
            .sync
            .as_ref()
            .map_or("-".to_string(), |sync| format!("c{}{}", if sync.sends { "!" } else { "?" }, sync.values.len()));
        let shown = format!("{} {sync} {}", transition.guards.len(), transition.effects.len());
        assert_eq!(shown, expected, "{text}");
    }
}

#[test]
fn one_run_finds_several_mistakes() {
    let text = "
        byte x = ;
        channel {byte, bool} c[1];
        process P {
            state a b;
            init a;
            trans
                a -> a { guard !x; effect x == 1; },
                a -> { },
                a => { a:1 },
                a -> a { sync c!{1, }; effect x = ]; }
        }
        process Q { state a; init a; trans a -> a { guard 1; }; a -> a { }; }
        system both;
    ";
    let expected = [
        "expected an expression, found `;`",
        "expected `int` or `byte`, found `bool`",
        "expected `;`, found `b`",
        "expected an expression, found `!`",
        "expected `=`, found `==`",
        "expected the name of a state, found `{`",
        "probabilistic transitions are not supported",
        "expected an expression, found `}`",
        "expected an expression, found `]`",
        "a transition stands outside of `trans`",
        "expected `async` or `sync`, found `both`",
    ];
    assert_eq!(errors(text), expected);
}

#[test]
fn hostile_nesting_is_an_error() {
    let deep = 100_000;
    let repeat = |text: &str| text.repeat(deep);
    for text in [
        format!("byte c = {}1{};", repeat("("), repeat(")")),
        format!("byte c = {}", repeat("(")),
        format!("byte c = {}1;", repeat("a[")),
        format!("byte c = {}1;", repeat("P->a[")),
        format!("byte c = {}1;", repeat("(a[-")),
        format!("byte c = {}1;", repeat("a + ")),
        format!("byte c = {}1;", repeat("a imply ")),
        format!("byte c = {}1;", repeat("a and b or ")),
        format!("byte c = {}1;", repeat("- ")),
        format!("byte c = {}a;", repeat("not ~")),
        format!("byte c[{}", repeat("a[")),
        format!("process P {{ trans a -> a {{ effect {}", repeat("a[")),
        format!("process P {{ trans a -> a {{ sync c!{{{}", repeat("(")),
    ] {
        let found = errors(&text);
        let limit = |message: &String| message.contains("levels deep") || message.contains("operators high");
        assert!(found.iter().any(limit) && found.len() < 5, "{}: {found:?}", &text[..40]);
    }
    // Long, but not deep.
    fine(&format!("byte c = {}1;", repeat("a and ")));
    fine(&format!("byte c = {}1;", repeat("(a or b) and ")));
    fine(&format!("byte a[3] = {{ {} 1 }};", repeat("1, ")));
    fine(&format!("process P {{ trans {} }}", repeat("a -> a {} ")));
    fine(&format!("process P {{ trans a -> a {{ guard {} 1 }} }}", repeat("x, ")));
    assert_eq!(errors(&repeat("{")).len(), 1);
    assert!(errors(&repeat("process P {")).len() <= 60);
}

#[test]
fn heights_add_up_through_indices() {
    let sum = vec!["1"; 900].join(" + ");
    fine(&format!("byte c = a[{sum}];"));
    assert!(errors(&format!("byte c = a[{sum}] + {sum};"))[0].contains("operators high"));
}
