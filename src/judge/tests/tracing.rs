//! Where each leaf comes from, however it is written, with its place in the prompt.

#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of cases read better without borrows"
)]

use serde_json::{Value, json};

use crate::judge::{LeakSources, Place, PromptText, Source, origins};
use crate::prompt::{Example, indented, spaced};

/// The source of a lone value.
#[track_caller]
fn check(input: &str, value: Value, expected: Source) {
    let sources = LeakSources {
        input,
        ..LeakSources::default()
    };
    assert_eq!(origins(&value, &sources).leaves[0].source, expected);
}

#[test]
fn numbers_are_read_however_they_are_written() {
    check("It cost 1,250 won.", json!(1250), Source::Input);
    check("Es kostet 1.250,50 Euro.", json!(1250.5), Source::Input);
    check("about 3k people", json!(3000), Source::Input);
    check("2.5 million", json!(2_500_000), Source::Input);
    check("minus: -17 degrees", json!(-17), Source::Input);
    check("ranges 10-17", json!(-17), Source::Invented);
    check("45% of them", json!(0.45), Source::Input);
    check("４５개", json!(45), Source::Input);
    check("the ⑫ items", json!(12), Source::Input);
    check("two hundred and five", json!(205), Source::Input);
    check("twenty-five", json!(25), Source::Input);
    check("three thousand two hundred", json!(3200), Source::Input);
    check("5.5", json!(55), Source::Invented);
}

#[test]
fn chinese_and_korean_numerals_are_read() {
    check("二十三个", json!(23), Source::Input);
    check("三千五百元", json!(3500), Source::Input);
    check("两万人", json!(20_000), Source::Input);
    check("二〇二六年", json!(2026), Source::Input);
    check("3만 명", json!(30_000), Source::Input);
    check("스물다섯 개", json!(25), Source::Input);
    check("이십삼 층", json!(23), Source::Input);
    check("삼천오백 원", json!(3500), Source::Input);
    check("二十三个", json!(24), Source::Invented);
}

#[test]
fn dates_are_read_in_any_order() {
    for input in [
        "on 2026-05-03",
        "on 3.5.2026",
        "on 05/03/2026",
        "May 3, 2026",
        "the 3rd of May 2026",
        "2026年5月3日",
        "2026년 5월 3일",
        "on May 3rd",
    ] {
        check(input, json!("2026-05-03"), Source::Input);
    }
    check("on 2026-05-04", json!("2026-05-03"), Source::Invented);
    check("2026-05-03", json!("Sunday, 3 May 2026"), Source::Input);
}

#[test]
fn times_are_read_with_their_half_of_the_day() {
    check("at 3 pm", json!("15:00"), Source::Input);
    check("下午3点半", json!("15:30"), Source::Input);
    check("오전 9시", json!("09:00"), Source::Input);
    check("at 3 am", json!("15:00"), Source::Invented);
    check(
        "2026-05-03 at 3 pm",
        json!("2026-05-03T15:00:00"),
        Source::Input,
    );
}

#[test]
fn texts_are_read_without_case_width_and_order() {
    check("MAX　ＢＥＲＧ", json!("Max Berg"), Source::Input);
    check("It was Max Berg", json!("Berg, Max"), Source::Input);
    check("three apples", json!("apple"), Source::Input);
    check("사과를 샀다", json!("사과"), Source::Input);
    check("팀회의가 있다", json!("팀 회의"), Source::Input);
    check("Maximilian", json!("Max"), Source::Invented);
    check("“quoted” – text", json!("\"quoted\" - text"), Source::Input);
}

#[test]
fn telephone_numbers_are_their_digits() {
    check("+1 (555) 010-1234", json!("15550101234"), Source::Input);
    check("010-1234-5678", json!("+82 010 1234 5678"), Source::Input);
    check("010-1234-5678", json!("010-1234-5679"), Source::Invented);
}

#[test]
fn what_says_nothing_has_no_source() {
    for value in [
        json!(true),
        json!(null),
        json!(0),
        json!(7),
        json!(""),
        json!("kg"),
        json!("N/A"),
        json!(0.9),
    ] {
        check("", value, Source::Common);
    }
}

#[test]
fn every_place_holds_the_value() {
    let examples = [Example {
        input: "Ask Nora Lind, room 4711.".to_owned(),
        answer: json!({"name": "name", "who": "Nora Lind", "room": 4711, "half": "471"}),
    }];
    let schema = json!({"properties": {"kind": {"enum": ["guest", "host"]}}});
    let sources = LeakSources {
        examples: &examples,
        input: "Max is a visitor, 房间 ８８８",
        instruction: "Write down the concierge.",
        schema: Some(&schema),
        ..LeakSources::default()
    };
    let answer = spaced(&examples[0].answer);
    let (schema, input) = (indented(&schema, 2), sources.input);
    let value = json!(["Max", 888, "nora lind", 4711, "guest", "Ask", "concierge"]);
    let text = |it: &Place| match it.text {
        PromptText::Input => input.to_owned(),
        PromptText::ExampleInput => examples[0].input.clone(),
        PromptText::ExampleAnswer => answer.clone(),
        PromptText::Schema => schema.clone(),
        PromptText::Instruction => sources.instruction.to_owned(),
    };
    let found: Vec<String> = origins(&value, &sources)
        .leaves
        .iter()
        .map(|it| {
            let place = &it.places[0];
            format!("{:?} {}", it.source, &text(place)[place.start..place.end])
        })
        .collect();
    assert_eq!(
        found,
        [
            "Input Max",
            "Input ８８８",
            "Example Nora Lind",
            "Example 4711",
            "Schema guest",
            "Example Ask",
            "Instruction concierge",
        ]
    );
}

#[test]
fn a_long_input_and_a_large_value_end() {
    let input = "1,2.3-4/5 三十 열두 May 3 ".repeat(1_000);
    let value: Value = (0..3_000)
        .map(|it| json!(format!("word {it} of 12.3.2026")))
        .collect();
    let sources = LeakSources {
        input: &input,
        ..LeakSources::default()
    };
    assert_eq!(origins(&value, &sources).leaves.len(), 1_000);
}
