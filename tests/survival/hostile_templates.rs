//! Chat templates that mean harm, read from a model's file by a real engine: each is refused in words, none hangs.

use super::asked::{Answer, Asked};
use super::little_model::{saved, with_template};

/// What is wrong with a template, its text, and a part of what is said of it.
type Row = (&'static str, String, &'static str);

const TOO_LONG: &str = "it runs too long; is there a loop without end?";
const TOO_MUCH: &str = "it writes more than 1000000 bytes";

fn row(name: &'static str, source: &str, said: &'static str) -> Row {
    (name, source.to_owned(), said)
}

/// Loops and ranges that take time.
fn endless() -> Vec<Row> {
    vec![
        row(
            "nested loops",
            "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}",
            TOO_LONG,
        ),
        row(
            "a huge range",
            "{% for a in range(10 ** 18) %}x{% endfor %}",
            "range",
        ),
        row(
            "a recursive loop",
            "{% for a in [[1]] recursive %}{{ loop([a]) }}{% endfor %}",
            "",
        ),
        row(
            "a sum over a huge range",
            "{{ range(1000000000) | sum }}",
            "range",
        ),
        row(
            "a sort of a huge range",
            "{{ range(1000000000) | sort | last }}",
            "range",
        ),
        row(
            "a text doubled sixty times",
            "{% set ns = namespace(a='ab') %}{% for i in range(60) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}{{ ns.a | length }}",
            "",
        ),
        row(
            "replacements that grow",
            "{% set ns = namespace(a='aa') %}{% for i in range(60) %}{% set ns.a = ns.a.replace('a', 'aa') %}{% endfor %}{{ ns.a | length }}",
            "",
        ),
        row(
            "joins that grow",
            "{% set ns = namespace(a='aa') %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] | join(ns.a) %}{% endfor %}{{ ns.a | length }}",
            "",
        ),
        row(
            "filters over many lists",
            "{% for i in range(9999) %}{{ range(9999) | list | sort | reverse | join(',') | length }}{% endfor %}",
            "",
        ),
    ]
}

/// Texts of many bytes.
fn huge() -> Vec<Row> {
    vec![
        row("a text a billion times", "{{ 'a' * 10 ** 9 }}", ""),
        row(
            "a list a billion times",
            "{{ ([1] * 10 ** 9) | length }}",
            "",
        ),
        row("a wide centre", "{{ 'a' | center(1000000000) }}", ""),
        row("a wide indent", "{{ 'a\nb' | indent(1000000000) }}", ""),
        row("a wide format", "{{ '%1000000000d' | format(1) }}", ""),
        row(
            "a long output",
            "{% for i in range(20000) %}{{ 'x' * 1000 }}{% endfor %}",
            TOO_MUCH,
        ),
        row("a power of powers", "{{ 9 ** 9 ** 9 ** 9 }}", ""),
        row("a huge exponent", "{{ 2 ** 100000000 }}", ""),
    ]
}

/// Macros and blocks that call themselves or stand in one another.
fn deep() -> Vec<Row> {
    let nested = "{% if 1 %}".repeat(5_000) + &"{% endif %}".repeat(5_000);
    let lists = format!("{{{{ {}1{} }}}}", "[".repeat(400), "]".repeat(400));
    let macros = (0..200).fold("{{ 1 }}".to_owned(), |inner, idx| {
        format!("{{% macro m{idx}() %}}{inner}{{% endmacro %}}{{{{ m{idx}() }}}}")
    });
    vec![
        row(
            "a macro that calls itself",
            "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
            "",
        ),
        row(
            "two macros in a circle",
            "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
            "",
        ),
        row(
            "a macro that calls itself twice",
            "{% macro m(n) %}{% if n > 0 %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(90) }}",
            "",
        ),
        ("five thousand blocks in one another", nested, ""),
        ("four hundred lists in one another", lists, ""),
        ("two hundred macros in one another", macros, ""),
        (
            "a chain of nots",
            format!("{{{{ {}1 }}}}", "not ".repeat(100_000)),
            "words and signs",
        ),
        (
            "half a megabyte",
            "x".repeat(500_001),
            "longer than 500000 bytes",
        ),
    ]
}

/// Ways out of the template that Python would have, and files.
fn reaching() -> Vec<Row> {
    [
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.__init__.__globals__ }}",
        "{{ messages.__class__.__init__.__globals__['os'].system('id') }}",
        "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
        "{{ self.__init__.__globals__ }}",
        "{{ messages | attr('__class__') | attr('__base__') }}",
        "{{ ''['__class__']['__mro__'] }}",
        "{{ lipsum.__globals__['os'] }}",
        "{{ request.application.__globals__ }}",
        "{{ get_flashed_messages.__globals__ }}",
        "{% include '/etc/passwd' %}",
        "{% include '../../secret' %}",
        "{% import '/etc/passwd' as p %}{{ p }}",
        "{% from 'os' import system %}{{ system('id') }}",
        "{% extends '/etc/passwd' %}",
        "{{ open('/etc/passwd').read() }}",
        "{{ eval('1+1') }}",
    ]
    .map(|it| row("a way out", it, ""))
    .into()
}

/// A refusal in words of bounded length, or a text that holds nothing of the system.
#[track_caller]
fn check(asked: &mut Asked, folder: &std::path::Path, (name, source, said): &Row) -> bool {
    let path = saved(folder, "hostile", &with_template(source).bytes());
    let loaded = asked.load(&path);
    let rendered = loaded.and_then(|()| asked.preview("Hello"));
    match rendered {
        Err(message) => {
            assert!(message.contains(said), "{name}: {message:?} lacks {said:?}");
            assert!(message.len() < 2_000, "{name}: {} bytes", message.len());
            true
        }
        Ok(text) => {
            assert!(text.len() <= 1_000_000, "{name}: {} bytes", text.len());
            assert!(!text.contains("root:"), "{name}: {text}");
            assert!(!text.contains("class '"), "{name}: {text}");
            false
        }
    }
}

#[test]
fn hostile_templates_are_refused_in_words_and_cost_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = Asked::new();
    let rows = [endless(), huge(), deep(), reaching()].concat();
    let mut n_refused = 0;
    for row in &rows {
        n_refused += usize::from(check(&mut asked, folder.path(), row));
    }
    println!("{n_refused} of {} refused", rows.len());
    assert_eq!(asked.losses(), [""; 0]);
    let good = saved(
        folder.path(),
        "good",
        &with_template("{{ messages[0].content }}").bytes(),
    );
    assert_eq!(asked.ask(&good), asked.reply("Hello"));
    assert!(matches!(asked.reply("Hello"), Answer::Written(_)));
}

/// The template engine does not count the items of joined lists, so the engine's process counts its memory.
#[test]
fn a_list_that_doubles_without_end_costs_its_engine_and_no_more() {
    let source = "{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = ns.a + ns.a %}{% endfor %}{{ ns.a | length }}";
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "hostile", &with_template(source).bytes());
    let mut asked = Asked::new();
    assert_eq!(asked.load(&path), Ok(()));
    let message = asked.preview("Hello").unwrap_err();
    let expected = "it stopped at its memory limit: it took ";
    assert!(message.starts_with(expected), "{message}");
    assert!(
        message.contains("the model's chat template may be at fault"),
        "{message}"
    );
    let good = with_template("{{ messages[0].content }}");
    let good = saved(folder.path(), "good", &good.bytes());
    assert!(matches!(asked.ask(&good), Answer::Written(_)));
}
