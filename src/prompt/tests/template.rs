//! Chat templates render as their makers mean them, and hostile ones end.

use jiff::civil::date;

use crate::prompt::{
    CHATML, Message, PromptError, Role, TemplateInput, double_begin, is_template_failure, raw,
    render,
};

/// In the style of small instruct models: a system message of its own when none is given.
const WITH_DEFAULT_SYSTEM: &str = "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou help.<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Thinks unless told not to; drops old thoughts from the history.
const THINKING: &str = "
{%- for message in messages %}
    {%- set content = message.content %}
    {%- if message.role == 'assistant' and '</think>' in content %}
        {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
    {%- endif %}
    {{- '[' ~ message.role | upper ~ ']' ~ content ~ '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '[ASSISTANT]' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- else %}
        {{- '<think>\\n' }}
    {%- endif %}
{%- endif %}
";

fn message(role: Role, content: &str) -> Message {
    Message {
        role,
        content: content.to_owned(),
    }
}

fn rendered(source: &str, messages: &[Message]) -> Result<String, String> {
    let input = TemplateInput {
        messages,
        bos: "<s>",
        eos: "</s>",
        add_generation_prompt: true,
        now: Some(date(2026, 3, 7).at(8, 5, 0, 0)),
        enable_thinking: None,
    };
    render(source, &input).map_err(|it| it.to_string())
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let messages = [message(Role::User, "Hi <there> & 'you'")];
    assert_eq!(rendered(source, &messages).as_deref(), Ok(expected));
}

#[track_caller]
fn check_error(source: &str, expected: &str) {
    let messages = [message(Role::System, "s"), message(Role::User, "Hi")];
    let error = rendered(source, &messages).unwrap_err();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn chatml_is_what_it_says() {
    let messages = [
        message(Role::System, "Be brief."),
        message(Role::User, "Hi"),
    ];
    assert_eq!(
        rendered(CHATML, &messages).unwrap(),
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    );
}

#[test]
fn a_template_may_bring_its_own_system_message() {
    check(
        WITH_DEFAULT_SYSTEM,
        "<|im_start|>system\nYou help.<|im_end|>\n<|im_start|>user\nHi <there> & 'you'<|im_end|>\n<|im_start|>assistant\n",
    );
}

#[test]
fn blocks_are_trimmed() {
    check(
        "  {% if true %}\n{{ bos_token }}a\n  {% endif %}\nb\n",
        "<s>a\nb",
    );
}

#[test]
fn pythons_methods_work() {
    check(
        "{{ messages[0].content.split('<')[0].strip().upper() }}{{ messages[0].get('name', '-') }}",
        "HI-",
    );
}

#[test]
fn tojson_is_pythons() {
    check(
        "{{ {'b': [1, 2.5, none, true], 'a': '<é>\\n'} | tojson }}",
        r#"{"b": [1, 2.5, null, true], "a": "<é>\n"}"#,
    );
}

#[test]
fn tojson_indents() {
    check(
        "{{ {'b': [1]} | tojson(indent=1) }}",
        "{\n \"b\": [\n  1\n ]\n}",
    );
}

#[test]
fn tojson_sorts_keys_when_asked() {
    check(
        "{{ {'b': 1, 'a': 2} | tojson(sort_keys=true, ensure_ascii=false) }}",
        r#"{"a": 2, "b": 1}"#,
    );
}

#[test]
fn the_date_is_the_one_given() {
    check("{{ strftime_now('%d %b %Y') }}", "07 Mar 2026");
}

#[test]
fn a_bad_date_format_is_an_error() {
    check_error("{{ strftime_now('%!') }}", "cannot be used");
}

#[test]
fn tools_are_none() {
    check("{{ tools is none }}{{ documents is none }}", "TrueTrue");
}

#[test]
fn loops_can_be_left() {
    check(
        "{% for i in range(9) %}{{ i }}{% if i == 2 %}{% break %}{% endif %}{% endfor %}",
        "012",
    );
}

#[test]
fn a_refused_role_is_told_in_the_templates_words() {
    check_error(
        "a\n{% if messages[0].role == 'system' %}\n{{ raise_exception('No system role here') }}{% endif %}",
        "failed in line 3: No system role here",
    );
}

#[test]
fn a_fault_of_syntax_has_its_line() {
    check_error("a\n{% fro x %}", "in line 2: syntax error");
}

#[test]
fn a_loop_without_end_ends() {
    check_error(
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "runs too long",
    );
}

#[test]
fn a_macro_that_calls_itself_ends() {
    check_error(
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "recursion",
    );
}

#[test]
fn a_prompt_without_end_is_refused() {
    check_error(
        "{% for i in range(30) %}{{ 'x' * 100000 }}{% endfor %}",
        "more than 1000000 bytes",
    );
}

#[test]
fn a_text_without_end_is_refused() {
    check_error("{{ ('x' * 999999999999) | length }}", "");
}

#[test]
fn ten_thousand_brackets_are_refused() {
    check_error(&format!("{{{{ {}1 }}}}", "(".repeat(10_000)), "");
}

/// A chain of operators is refused when it is long, and survived when it is nearly too long.
#[track_caller]
fn check_chain(before: &str, link: &str, after: &str) {
    let chain = |n: usize| format!("{{{{ {before}{}{after} }}}}", link.repeat(n));
    check_error(&chain(20_000), "words and signs");
    let is_word = |it: &str| it.chars().all(char::is_alphanumeric);
    let n_tokens = |it: &str| if is_word(it) { 1 } else { it.len() };
    let n_link: usize = link.split_whitespace().map(n_tokens).sum();
    let ends = rendered(&chain(950 / n_link), &[]);
    assert!(ends.is_ok() || ends.is_err_and(|it| !it.contains("words and signs")));
}

#[test]
fn chains_of_not_end() {
    check_chain("", "not ", "1");
}

#[test]
fn chains_of_minus_end() {
    check_chain("", "- ", "1");
}

#[test]
fn chains_of_sums_end() {
    check_chain("1", " + 1", "");
}

#[test]
fn chains_of_powers_end() {
    check_chain("1", " ** 1", "");
}

#[test]
fn chains_of_attributes_end() {
    check_chain("a", " . a", "");
}

#[test]
fn chains_of_filters_end() {
    check_chain("1", " | string", "");
}

#[test]
fn chains_of_indices_end() {
    check_chain("a", " [ 0 ]", "");
}

#[test]
fn chains_of_choices_end() {
    check_chain("", "1 if 1 else ", "1");
}

#[test]
fn chains_of_comparisons_end() {
    check_chain("1", " < 1", "");
}

#[test]
fn long_texts_in_a_tag_are_no_chain() {
    check(
        &format!("{{{{ '{}' | length }}}}", "a + ".repeat(5_000)),
        "20000",
    );
}

#[test]
fn braces_inside_a_tag_do_not_hide_a_chain() {
    let chain = "not ".repeat(50_000);
    check_error(
        &format!("{{{{ [{{'a': {{}}}}, {chain} 1] }}}}"),
        "words and signs",
    );
}

#[test]
fn ten_thousand_nested_blocks_are_survived() {
    let source = "{% if 1 %}".repeat(10_000) + &"{% endif %}".repeat(10_000);
    let ends = rendered(&source, &[message(Role::User, "Hi")]);
    assert!(ends.is_err(), "{ends:?}");
}

#[track_caller]
fn check_thinking(enable_thinking: Option<bool>, expected: &str) {
    let messages = [
        message(Role::User, "q"),
        message(Role::Assistant, "<think>hm</think>\n\na"),
    ];
    let input = TemplateInput {
        messages: &messages,
        add_generation_prompt: true,
        enable_thinking,
        ..TemplateInput::default()
    };
    assert_eq!(render(THINKING, &input).unwrap(), expected);
}

#[test]
fn thinking_can_be_left_to_the_template() {
    check_thinking(None, "[USER]q\n[ASSISTANT]a\n[ASSISTANT]<think>\n");
}

#[test]
fn thinking_can_be_switched_off() {
    check_thinking(
        Some(false),
        "[USER]q\n[ASSISTANT]a\n[ASSISTANT]<think>\n\n</think>\n\n",
    );
}

#[test]
fn a_failed_template_is_told_apart_from_other_errors() {
    for source in ["{% if %}", "{{ raise_exception('no') }}"] {
        let message = rendered(source, &[]).unwrap_err();
        assert!(is_template_failure(&message), "{message}");
        assert!(message.starts_with("the chat template failed"), "{message}");
    }
    assert!(is_template_failure(&PromptError::NoTemplate.to_string()));
    for error in [PromptError::Empty, PromptError::PrefillWhileThinking] {
        assert!(!is_template_failure(&error.to_string()), "{error}");
    }
}

#[test]
fn a_double_begin_token_is_warned_of() {
    assert!(double_begin("<s>a", "<s>", true).unwrap().contains("<s>"));
    assert_eq!(double_begin("<s>a", "<s>", false), None);
    assert_eq!(double_begin("a<s>", "<s>", true), None);
    assert_eq!(double_begin("a", "", true), None);
}

#[test]
fn raw_is_the_texts_alone() {
    let messages = [message(Role::System, "a"), message(Role::User, "b")];
    assert_eq!(raw(&messages), "a\n\nb");
    assert_eq!(raw(&messages[..1]), "a");
}
