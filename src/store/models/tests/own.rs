//! Models that the user named, what is left out of any folder, and how the search tells how far it is.

use std::env;

use super::{Home, check_models, model, put, put_model};
use crate::gguf::tiny::Writer;
use crate::store::models::{Searching, System, search};

#[test]
fn what_the_user_named_comes_first_and_each_by_its_place() {
    let mut home = Home::new(System::Linux);
    let set = put_model(&home.outside("set.gguf"));
    let recent = put_model(&home.outside("recent.gguf"));
    let (one, two, three) = (
        home.outside("one"),
        home.outside("two"),
        home.outside("three"),
    );
    let first = put_model(&one.join("deep/er/first.gguf"));
    let second = put_model(&two.join("second.gguf"));
    let third = put_model(&three.join("third.gguf"));
    let ours = put_model(&home.outside("data/ours.gguf"));
    let tool = put_model(&home.at(".node-llama-cpp/models/tool.gguf"));
    home.set("STEPLADDER_MODEL", &set);
    home.recent = vec![recent.clone(), home.outside("removed.gguf")];
    let both = env::join_paths([&one, &two]).unwrap();
    home.set("STEPLADDER_MODELS", both.as_ref());
    home.set("STEPLADDER_MODEL_DIRS", &three);
    let label = |path: &std::path::Path| path.display().to_string();
    home.check(&[
        ("set", "STEPLADDER_MODEL", set),
        ("recent", "opened before", recent),
        ("first", &label(&one), first),
        ("second", &label(&two), second),
        ("third", &label(&three), third),
        ("ours", &label(&home.outside("data")), ours),
        ("tool", "node-llama-cpp", tool),
    ]);
}

#[test]
fn a_folder_list_may_name_files() {
    let mut home = Home::new(System::Linux);
    let file = put_model(&home.outside("a.gguf"));
    home.set("STEPLADDER_MODELS", &file);
    home.check(&[("a", &file.display().to_string(), file.clone())]);
}

#[test]
fn the_magic_decides_not_the_ending() {
    let mut home = Home::new(System::Linux);
    let folder = home.outside("own");
    home.set("STEPLADDER_MODELS", &folder);
    let bin = put_model(&folder.join("model.bin"));
    let bare = put_model(&folder.join("without"));
    put(&folder.join("readme.md"), "# not a model".repeat(20));
    put(&folder.join("weights.safetensors"), [7_u8; 400]);
    let label = folder.display().to_string();
    home.check(&[("model", &label, bin), ("without", &label, bare)]);
}

#[test]
fn what_only_goes_with_a_model_is_left_out() {
    let mut home = Home::new(System::Linux);
    let folder = home.outside("own");
    home.set("STEPLADDER_MODELS", &folder);
    let rows = [
        (
            "mmproj-a.gguf",
            Writer::tiny().with_text("general.architecture", "clip"),
        ),
        (
            "lora.gguf",
            Writer::tiny().with_text("general.type", "adapter"),
        ),
        (
            "embed.gguf",
            Writer::tiny().with_text("general.architecture", "bert"),
        ),
    ];
    for (name, file) in rows {
        put(&folder.join(name), file.bytes());
    }
    let mut vocabulary = Writer::empty();
    vocabulary.text("general.architecture", "llama");
    vocabulary.texts("tokenizer.ggml.tokens", &["a"]);
    put(&folder.join("ggml-vocab.gguf"), vocabulary.bytes());
    home.check(&[]);
}

#[test]
fn unfinished_downloads_are_left_out() {
    let mut home = Home::new(System::Linux);
    let folder = home.outside("own");
    home.set("STEPLADDER_MODELS", &folder);
    for name in [
        "a.gguf.part",
        "b.gguf.incomplete",
        "c.gguf.downloadInProgress",
        "d.gguf.aria2",
        "d.gguf",
        "e.gguf.crdownload",
        "downloading_f.gguf",
        "g.gguf.ipull",
        "._h.gguf",
    ] {
        put(&folder.join(name), model(name));
    }
    home.check(&[]);
}

#[test]
fn the_card_has_what_the_header_says() {
    let mut home = Home::new(System::Linux);
    let file = Writer::tiny().with_text("general.license", "apache-2.0");
    put(&home.outside("a.gguf"), file.bytes());
    home.set("STEPLADDER_MODEL", &home.outside("a.gguf"));
    let finding = home.search();
    let model = &finding.models[0];
    assert_eq!(
        (model.architecture.as_str(), model.quantization.as_str()),
        ("llama", "Q4_K_M")
    );
    assert_eq!(model.bytes, file.bytes().len() as u64);
    let card = model.card.as_ref().unwrap();
    assert_eq!((card.title.as_str(), card.n_params), ("Tiny", 704));
    assert_eq!(card.license.as_deref(), Some("apache-2.0"));
    assert!(card.has_chat_template);
    assert_eq!(card.sampling[0].key, "temp");
    assert_eq!(card.footprint.shape.n_ctx_train, 2_048);
    // 4 heads × (16 + 16) numbers × 2 bytes × 2048 tokens.
    assert_eq!(model.need(0).unwrap().cache, 524_288);
}

#[test]
fn the_search_tells_how_far_it_is() {
    let home = Home::new(System::Linux);
    let folder = home.at(".node-llama-cpp/models");
    put_model(&folder.join("a.gguf"));
    put_model(&folder.join("b.gguf"));
    put(&folder.join("notes.txt"), "x".repeat(100));
    let mut told: Vec<Searching> = Vec::new();
    let data = home.outside("data");
    let finding = search(&home.surroundings, (&data, &[]), &mut |it| {
        told.push(it.clone());
    });
    assert_eq!(finding.models.len(), 2);
    assert!(told.iter().any(|it| it.place == "Ollama"));
    let last = told.last().unwrap();
    assert_eq!((last.n_looked, last.n_files, last.n_models), (3, 3, 2));
    assert!(last.place.is_empty());
}

#[test]
fn nothing_is_written_or_changed() {
    let home = Home::new(System::Linux);
    let path = put_model(&home.at(".lmstudio/models/a/b/c.gguf"));
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let names = || {
        let entries = std::fs::read_dir(path.parent().unwrap()).unwrap();
        entries
            .map(|it| it.unwrap().file_name())
            .collect::<Vec<_>>()
    };
    let listed = names();
    let finding = home.search();
    check_models(&finding.models, &[("c", "LM Studio", path.clone())]);
    assert_eq!(names(), listed);
    assert_eq!(
        std::fs::metadata(&path).unwrap().modified().unwrap(),
        before
    );
    // Places that are not there are not made either.
    let entries = std::fs::read_dir(&home.surroundings.home).unwrap();
    assert_eq!(entries.count(), 1);
}
