//! One model at several places.

use std::fs;

use super::{Home, model, put, put_model};
use crate::gguf::tiny::Writer;
use crate::store::models::{Elsewhere, System};

#[test]
fn hard_links_and_links_are_one_model() {
    let home = Home::new(System::Linux);
    let first = put_model(&home.at(".lmstudio/models/a/b/tiny.gguf"));
    let second = home.at(".node-llama-cpp/models/linked.gguf");
    fs::create_dir_all(second.parent().unwrap()).unwrap();
    fs::hard_link(&first, &second).unwrap();
    let finding = home.search();
    assert_eq!(finding.models.len(), 1);
    let model = &finding.models[0];
    assert_eq!(
        (&model.path, model.found_in.as_str()),
        (&first, "LM Studio")
    );
    let elsewhere = Elsewhere {
        path: second,
        found_in: "node-llama-cpp".to_owned(),
    };
    assert_eq!(model.also, [elsewhere]);
}

#[test]
fn copies_are_one_model() {
    let home = Home::new(System::Linux);
    let first = home.at(".lmstudio/models/a/b/tiny.gguf");
    put(&first, model("the same"));
    put(
        &home.at(".node-llama-cpp/models/copy.gguf"),
        model("the same"),
    );
    let finding = home.search();
    assert_eq!(finding.models.len(), 1);
    assert_eq!(finding.models[0].path, first);
    assert_eq!(finding.models[0].also.len(), 1);
}

#[test]
fn models_of_one_size_with_other_weights_are_two() {
    let home = Home::new(System::Linux);
    let mut bytes = model("one size");
    put(&home.at(".lmstudio/models/a/b/one.gguf"), &bytes);
    *bytes.last_mut().unwrap() ^= 1;
    put(&home.at(".lmstudio/models/a/b/other.gguf"), &bytes);
    assert_eq!(home.search().models.len(), 2);
}

#[test]
fn a_sample_reaches_beyond_the_beginning_of_large_files() {
    let home = Home::new(System::Linux);
    let mut file = Writer::tiny();
    file.tensor("blk.1.weight", &[1 << 20, 2], (0, 8 << 20));
    let mut bytes = file.bytes();
    put(&home.at(".lmstudio/models/a/b/one.gguf"), &bytes);
    // Other weights differ everywhere; here in one byte of each page.
    let start = bytes.len() / 2;
    bytes[start..]
        .iter_mut()
        .step_by(4_096)
        .for_each(|it| *it = 1);
    put(&home.at(".lmstudio/models/a/b/other.gguf"), &bytes);
    assert_eq!(home.search().models.len(), 2);
}

#[test]
fn a_model_that_was_opened_before_is_named_by_its_tool() {
    let mut home = Home::new(System::Linux);
    let digits = "a".repeat(64);
    let store = home.at(".ollama/models");
    let blob = put_model(&store.join(format!("blobs/sha256-{digits}")));
    let manifest = serde_json::json!({"layers": [
        {"mediaType": "application/vnd.ollama.image.model", "digest": format!("sha256:{digits}")}
    ]});
    put(
        &store.join("manifests/registry.ollama.ai/library/tiny/1b"),
        manifest.to_string(),
    );
    home.recent = vec![blob.clone()];
    home.check(&[("tiny:1b", "Ollama", blob)]);
    assert_eq!(home.search().models[0].also, []);
}
