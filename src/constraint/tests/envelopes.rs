//! Schemas inside the shapes in which programs send them.

use serde_json::{Value, json};

use crate::constraint::read_schema;

fn schema() -> Value {
    json!({"type": "object", "properties": {"name": {"type": "string"}}})
}

#[track_caller]
fn check(envelope: &Value, pointer: &str, unread: &[&str]) {
    let read = read_schema(&envelope.to_string()).unwrap();
    assert_eq!(read.schema, schema(), "{envelope}");
    assert_eq!(read.pointer, pointer, "{envelope}");
    assert_eq!(read.unread, unread, "{envelope}");
}

#[test]
fn a_bare_schema_is_itself() {
    let read = read_schema(&schema().to_string()).unwrap();
    assert_eq!(read.schema, schema());
    assert_eq!(
        (read.pointer.as_str(), read.shape.as_str()),
        ("", "JSON Schema")
    );
}

#[test]
fn response_formats_are_opened() {
    check(
        &json!({"type": "json_schema", "json_schema": {"name": "x", "strict": true, "schema": schema()}}),
        "/json_schema/schema",
        &[],
    );
    check(
        &json!({"type": "json_schema", "name": "x", "strict": true, "schema": schema()}),
        "/schema",
        &[],
    );
    check(
        &json!({"type": "json_object", "schema": schema()}),
        "/schema",
        &[],
    );
    check(
        &json!({"type": "json_schema", "json_schema": schema()}),
        "/json_schema",
        &[],
    );
}

#[test]
fn whole_requests_are_opened() {
    let flat = json!({"type": "json_schema", "name": "x", "schema": schema()});
    let nested = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema()}});
    check(
        &json!({"model": "m", "messages": [], "response_format": nested}),
        "/response_format/json_schema/schema",
        &[],
    );
    check(
        &json!({"model": "m", "input": "x", "text": {"format": flat}}),
        "/text/format/schema",
        &[],
    );
    check(&json!({"messages": [], "format": schema()}), "/format", &[]);
    check(&json!({"guided_json": schema()}), "/guided_json", &[]);
    check(
        &json!({"extra_body": {"guided_json": schema()}}),
        "/extra_body/guided_json",
        &[],
    );
    check(
        &json!({"guided_json": schema().to_string()}),
        "/guided_json",
        &[],
    );
    check(
        &json!({"structured_outputs": {"json": schema()}}),
        "/structured_outputs/json",
        &[],
    );
    check(
        &json!({"type": "function", "function": {"name": "f", "parameters": schema()}}),
        "/function/parameters",
        &[],
    );
    check(
        &json!({"name": "f", "input_schema": schema()}),
        "/input_schema",
        &[],
    );
    check(
        &json!({"generationConfig": {"responseSchema": schema()}}),
        "/generationConfig/responseSchema",
        &[],
    );
}

#[test]
fn a_schema_beside_a_prompt_is_found() {
    check(
        &json!({"prompt": "x", "json_schema": schema()}),
        "/json_schema",
        &[],
    );
}

#[test]
fn keys_that_mean_nothing_are_named() {
    check(
        &json!({"type": "json_schema", "json_schema": {"name": "x", "schemas": 1, "schema": schema()}, "strickt": true}),
        "/json_schema/schema",
        &["/strickt", "/json_schema/schemas"],
    );
    check(
        &json!({"model": "m", "temperature": 1, "guided_json": schema(), "guided_regex": "a"}),
        "/guided_json",
        &["/temperature", "/guided_regex"],
    );
}

#[test]
fn the_name_is_kept() {
    let text = json!({"type": "json_schema", "name": "list", "schema": schema()}).to_string();
    assert_eq!(read_schema(&text).unwrap().name.as_deref(), Some("list"));
}

#[test]
fn a_schema_with_such_properties_is_no_envelope() {
    let bare = json!({"type": "object", "properties": {"schema": {"type": "string"}}, "schema": 1});
    assert_eq!(read_schema(&bare.to_string()).unwrap().schema, bare);
    let bare = json!({"format": "date"});
    assert_eq!(read_schema(&bare.to_string()).unwrap().schema, bare);
}

#[test]
fn an_envelope_without_a_schema_is_named() {
    let error = read_schema(r#"{"type":"json_schema","name":"x"}"#).unwrap_err();
    assert!(error.message.contains("names no schema"), "{error}");
    let error = read_schema(r#"{"guided_json":"{\"type\":"}"#).unwrap_err();
    assert!(error.message.contains("not JSON"), "{error}");
    let any = read_schema(r#"{"type":"json_object"}"#).unwrap();
    assert_eq!(any.schema, json!({"type": "object"}));
}
