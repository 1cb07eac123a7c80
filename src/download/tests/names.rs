//! What names a model, and what does not.

use crate::download::{Choice, Trouble, Wanted};

/// Owner, name, revision and choice.
#[track_caller]
fn check(text: &str, (owner, name, revision): (&str, &str, &str), choice: Choice) {
    let expected = Wanted {
        owner: owner.to_owned(),
        name: name.to_owned(),
        revision: revision.to_owned(),
        choice,
    };
    let wanted = Wanted::parse(text).unwrap();
    assert_eq!(wanted, expected);
    assert_eq!(
        Wanted::parse(&wanted.to_string()).unwrap(),
        wanted,
        "it is read back"
    );
}

fn file(name: &str) -> Choice {
    Choice::File(name.to_owned())
}

fn tag(name: &str) -> Choice {
    Choice::Tag(name.to_owned())
}

#[test]
fn a_repository_a_file_a_quantization_and_a_revision_are_told_apart() {
    let main = ("own-er", "na.me_1-GGUF", "main");
    check("own-er/na.me_1-GGUF", main, Choice::Any);
    check(" own-er/na.me_1-GGUF ", main, Choice::Any);
    check("own-er/na.me_1-GGUF:x-Q8_0.GGUF", main, file("x-Q8_0.GGUF"));
    check(
        "own-er/na.me_1-GGUF:sub/x y.gguf",
        main,
        file("sub/x y.gguf"),
    );
    check("own-er/na.me_1-GGUF:Q4_K_M", main, tag("Q4_K_M"));
    let fixed = ("own-er", "na.me_1-GGUF", "v1.0");
    check("own-er/na.me_1-GGUF@v1.0:x.gguf", fixed, file("x.gguf"));
}

#[test]
fn addresses_from_a_browser_are_taken_apart() {
    let main = ("a", "b", "main");
    check("hf.co/a/b:Q8_0", main, tag("Q8_0"));
    check("https://hf.co/a/b", main, Choice::Any);
    check("https://huggingface.co/a/b/tree/main", main, Choice::Any);
    let fixed = ("a", "b", "v1.0");
    check("https://huggingface.co/a/b/tree/v1.0", fixed, Choice::Any);
    check("https://huggingface.co/a/b/tree/v1.0/c", fixed, Choice::Any);
    let request = ("a", "b", "refs/pr/1");
    check(
        "https://huggingface.co/a/b/blob/refs%2Fpr%2F1/my%20model.gguf",
        request,
        file("my model.gguf"),
    );
    check(
        "https://huggingface.co/a/b/blob/main/c/d.gguf",
        main,
        file("c/d.gguf"),
    );
    check(
        "https://huggingface.co/a/b/resolve/main/d.gguf?download=true",
        main,
        file("d.gguf"),
    );
}

#[track_caller]
fn check_wrong(text: &str) {
    let error = Wanted::parse(text).unwrap_err();
    assert_eq!(error.trouble, Trouble::Usage, "{text}");
}

#[test]
fn what_leads_elsewhere_names_nothing() {
    for text in [
        "",
        "llama",
        "/",
        "a/",
        "/b",
        "a/b/c",
        "../b",
        "a/..",
        "a/b:",
        "a/b:../c.gguf",
        "a/b:/c.gguf",
        "a/b:c//d.gguf",
        "a/b:c/../d.gguf",
        "a/b:.hidden.gguf",
        "a/b:c\\d.gguf",
        "a/b:c\u{7}.gguf",
        "a/b:CON:x.gguf",
        "a/b@:x.gguf",
        "a/b@../x:x.gguf",
        "a b/c",
        "a/b?c",
        "a/b#c",
        "https://evil.example/a/b/resolve/main/c.gguf",
        "https://huggingface.co/a",
        "https://huggingface.co/a/b/blob/main/..%2Fc.gguf",
        "https://huggingface.co/a/b/blob/..%2Fx/c.gguf",
        "https://huggingface.co/datasets/a/b/c/d",
        "http://[",
    ] {
        check_wrong(text);
    }
    check_wrong(&format!("{}/b", "a".repeat(97)));
    check_wrong(&format!("a/b:{}.gguf", "c".repeat(400)));
}
