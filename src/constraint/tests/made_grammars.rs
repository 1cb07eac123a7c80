//! Grammars made of schemas against the schema's own mask, on instances and on what is nearly one.

use serde_json::{Map, Value, json};

use super::{grammar, schema_with};
use crate::constraint::{
    Constraint, MadeGrammar, SchemaSwitches, WhiteSpace, check, generate_example, schema_to_gbnf,
    try_text,
};

const CASES: &str = include_str!("../../../tests/data/schemas.jsonl");

struct Case {
    id: String,
    schema: Value,
    valid: Vec<Value>,
    invalid: Vec<Value>,
    gaps: Vec<Value>,
}

fn cases() -> Vec<Case> {
    let list = |it: &Value, key: &str| it[key].as_array().unwrap().clone();
    CASES
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|it| Case {
            id: it["id"].as_str().unwrap().to_owned(),
            schema: it["schema"].clone(),
            valid: list(&it, "valid"),
            invalid: list(&it, "invalid"),
            gaps: list(&it, "gaps"),
        })
        .collect()
}

fn made(schema: &Value, white_space: WhiteSpace) -> MadeGrammar {
    let made = schema_to_gbnf(schema, white_space).unwrap();
    check(&grammar(&made.text)).unwrap_or_else(|it| panic!("{it}\n{}", made.text));
    made
}

fn takes(constraint: &Constraint, text: &str) -> bool {
    try_text(constraint, text, None)
        .unwrap()
        .unwrap()
        .is_accepted
}

/// The value with one thing changed, at each place of it.
fn near(value: &Value) -> Vec<Value> {
    let mut res = match value {
        Value::Null => vec![json!(false), json!("null")],
        Value::Bool(it) => vec![json!(!it), json!(null), json!("true")],
        Value::Number(it) => {
            let it = it.as_f64().unwrap();
            vec![
                json!(it + 1.0),
                json!(-it),
                json!((it as i64).saturating_sub(1)),
                json!((it as i64).saturating_mul(10)),
                json!(it + 0.5),
                json!(it.to_string()),
            ]
        }
        Value::String(it) => {
            let less: String = it.chars().skip(1).collect();
            vec![
                json!(format!("{it}x")),
                json!(format!("{it}0")),
                json!(less),
                json!(it.to_uppercase()),
                json!(format!("{it}\"\n")),
                json!(1),
            ]
        }
        Value::Array(items) => near_list(items),
        Value::Object(fields) => near_object(fields),
    };
    res.push(json!([value]));
    res
}

fn near_list(items: &[Value]) -> Vec<Value> {
    let mut res = Vec::new();
    for (idx, item) in items.iter().enumerate() {
        let mut less = items.to_vec();
        less.remove(idx);
        res.push(Value::Array(less));
        for other in near(item) {
            let mut changed = items.to_vec();
            changed[idx] = other;
            res.push(Value::Array(changed));
        }
    }
    for more in [
        json!(1),
        json!("a"),
        items.last().cloned().unwrap_or(json!(true)),
    ] {
        res.push(Value::Array(items.iter().cloned().chain([more]).collect()));
    }
    res
}

fn near_object(fields: &Map<String, Value>) -> Vec<Value> {
    let mut res = Vec::new();
    for (key, value) in fields {
        let mut less = fields.clone();
        less.shift_remove(key);
        res.push(Value::Object(less.clone()));
        // The same at the end, and under another name.
        let mut last = less.clone();
        last.insert(key.clone(), value.clone());
        res.push(Value::Object(last));
        for name in [format!("{key}x"), key.chars().skip(1).collect()] {
            let mut renamed = less.clone();
            renamed.insert(name, value.clone());
            res.push(Value::Object(renamed));
        }
        for other in near(value) {
            let mut changed = fields.clone();
            changed.insert(key.clone(), other);
            res.push(Value::Object(changed));
        }
    }
    let mut more = fields.clone();
    more.insert("more".to_owned(), json!(1));
    res.push(Value::Object(more));
    res
}

#[test]
fn there_are_schemas_enough() {
    assert!(cases().len() >= 60);
}

#[test]
fn gaps_are_named_with_their_pointers() {
    for case in cases() {
        let made = made(&case.schema, WhiteSpace::EIGHT);
        let found: Vec<&str> = made.gaps.iter().map(|it| it.pointer.as_str()).collect();
        assert_eq!(found, case.gaps, "{}: {:?}", case.id, made.gaps);
        assert_eq!(
            made.text.contains("# Not held to:"),
            !found.is_empty(),
            "{}",
            made.text
        );
    }
}

#[test]
fn a_made_grammar_takes_what_fits_and_refuses_what_does_not() {
    for case in cases() {
        let made = made(&case.schema, WhiteSpace::EIGHT);
        for it in &case.valid {
            assert!(
                takes(&grammar(&made.text), &it.to_string()),
                "{}: {it}\n{}",
                case.id,
                made.text
            );
        }
        for it in &case.invalid {
            assert!(
                !takes(&grammar(&made.text), &it.to_string()),
                "{}: {it}\n{}",
                case.id,
                made.text
            );
        }
    }
}

#[test]
fn a_made_grammar_agrees_with_the_schemas_mask() {
    let lenient = SchemaSwitches {
        lenient: true,
        ..SchemaSwitches::default()
    };
    let mut n_compared = 0;
    for case in cases() {
        let schema = schema_with(&case.schema, lenient.clone());
        if check(&schema).is_err() {
            assert_eq!(case.id, "pattern-look");
            continue;
        }
        let made = made(&case.schema, WhiteSpace::EIGHT);
        let grammar = grammar(&made.text);
        for instance in &case.valid {
            for other in near(instance).into_iter().chain([instance.clone()]) {
                let text = other.to_string();
                let (by_grammar, by_schema) = (takes(&grammar, &text), takes(&schema, &text));
                // What is left out of the grammar may be let through by it.
                let agrees = by_grammar == by_schema || (by_grammar && !case.gaps.is_empty());
                assert!(
                    agrees,
                    "{}: {text}: grammar {by_grammar}, schema {by_schema}\n{}",
                    case.id, made.text
                );
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 2_000, "{n_compared}");
}

#[test]
fn examples_of_a_made_grammar_fit_its_schema() {
    for case in cases() {
        let made = made(&case.schema, WhiteSpace::One);
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&case.schema)
            .unwrap();
        for seed in 0..10 {
            let text = generate_example(&made.text, seed, 300).unwrap();
            let value: Value = serde_json::from_str(&text)
                .unwrap_or_else(|it| panic!("{}: {it}: {text}\n{}", case.id, made.text));
            assert!(
                validator.is_valid(&value) || !case.gaps.is_empty() || case.id.starts_with("date"),
                "{}: {text}\n{}",
                case.id,
                made.text
            );
        }
    }
}

#[test]
fn white_space_is_a_policy_of_made_grammars_too() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"], "additionalProperties": false});
    for (text, widest) in [
        ("{\"a\":[1,2]}", 0),
        ("{ \"a\" : [ 1 , 2 ] }", 1),
        ("{\n   \"a\":[1,2]}", 4),
        ("{\n            \"a\":[1,2]}", 13),
    ] {
        for policy in [
            WhiteSpace::None,
            WhiteSpace::One,
            WhiteSpace::UpTo(4),
            WhiteSpace::EIGHT,
            WhiteSpace::Free,
        ] {
            let made = made(&schema, policy);
            let expected = policy.most().is_none_or(|it| widest <= it);
            assert_eq!(
                takes(&grammar(&made.text), text),
                expected,
                "{policy}: {text:?}\n{}",
                made.text
            );
        }
    }
}

#[test]
fn a_made_grammar_reads_well() {
    let schema = json!({
        "type": "object",
        "properties": {
            "reasoning": {"type": "string", "description": "Step by step."},
            "items": {"type": "array", "maxItems": 3, "items": {
                "type": "object",
                "properties": {"itemName": {"type": "string", "maxLength": 20}, "qty": {"type": "integer", "minimum": 1, "maximum": 99}},
                "required": ["itemName"], "additionalProperties": false}},
            "mood": {"enum": ["good", "bad"]}
        },
        "required": ["reasoning", "items"], "additionalProperties": false
    });
    let text = made(&schema, WhiteSpace::UpTo(4)).text;
    for line in [
        "root ::= answer",
        r#"answer ::= "{" ws "\"reasoning\"" ws ":" ws string ws "," ws "\"items\"" ws ":" ws items (ws "," ws "\"mood\"" ws ":" ws mood)? ws "}""#,
        r#"items ::= "[" ws (item (ws "," ws item){0,2})? ws "]""#,
        r#"mood ::= "\"good\"" | "\"bad\"""#,
        "ws ::= [ \\t\\n\\r]{0,4}",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
}

#[track_caller]
fn check_fault(schema: &Value, within: Option<&str>, words: &str) {
    let error = schema_to_gbnf(schema, WhiteSpace::One).unwrap_err();
    assert_eq!(error.within.as_deref(), within, "{error}");
    assert!(error.message.contains(words), "{words:?} is not in {error}");
}

#[test]
fn schemas_without_a_grammar_are_named() {
    check_fault(&json!(false), Some(""), "no value");
    check_fault(
        &json!({"type": "array", "minItems": 2, "maxItems": 1}),
        Some(""),
        "no value",
    );
    check_fault(
        &json!({"properties": {"a": {"$ref": "#/$defs/none"}}}),
        Some("/properties/a/$ref"),
        "leads nowhere",
    );
    check_fault(
        &json!({"$ref": "https://example.org/x.json"}),
        Some("/$ref"),
        "leads nowhere",
    );
    check_fault(&json!({"type": "text"}), Some("/type"), "none of JSON's");
    check_fault(
        &json!({"anyOf": [{"$ref": "#"}, {"type": "null"}]}),
        None,
        "",
    );
    let mut wide = json!({"type": "object"});
    for it in 0..12 {
        wide = json!({"anyOf": [wide, wide.clone()], "title": it});
    }
    let error = schema_to_gbnf(&wide, WhiteSpace::One).unwrap_err();
    assert!(error.message.contains("too many schemas"), "{error}");
}
