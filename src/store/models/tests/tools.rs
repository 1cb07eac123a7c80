//! What is found of each tool, by system.

use std::path::{Path, PathBuf};

use super::{Home, model, put, put_model};
use crate::store::models::System;

const SYSTEMS: [System; 3] = [System::Linux, System::MacOs, System::Windows];

/// A model at a path of the home folder is found by its file's name, in the tool's name.
#[track_caller]
fn check_tool(system: System, tool: &str, path: &str) {
    let home = Home::new(system);
    let path = put_model(&home.at(path));
    let stem = path.file_stem().unwrap().to_str().unwrap();
    home.check(&[(stem, tool, path.clone())]);
}

#[test]
fn lm_studio_keeps_publishers_and_models_on_every_system() {
    for system in SYSTEMS {
        let path = ".lmstudio/models/bartowski/Tiny-GGUF/Tiny-Q4_K_M.gguf";
        check_tool(system, "LM Studio", path);
        let old = ".cache/lm-studio/models/bartowski/Tiny-GGUF/Tiny-Q4_K_M.gguf";
        check_tool(system, "LM Studio", old);
    }
}

#[test]
fn lm_studio_follows_its_pointer_and_the_folder_chosen_for_downloads() {
    let home = Home::new(System::Windows);
    let (base, chosen) = (home.outside("moved"), home.outside("chosen"));
    put(
        &home.at(".lmstudio-home-pointer"),
        format!("{}\n", base.display()),
    );
    let settings = serde_json::json!({"downloadsFolder": chosen}).to_string();
    put(&base.join("settings.json"), settings);
    let first = put_model(&base.join("models/a/b/first.gguf"));
    let second = put_model(&chosen.join("a/b/second.gguf"));
    put_model(&home.at(".lmstudio/models/a/b/left.gguf"));
    home.check(&[
        ("first", "LM Studio", first),
        ("second", "LM Studio", second),
    ]);
}

/// Writes a model of Ollama's with its manifest; gives the blob's path.
fn put_ollama(store: &Path, manifest: &str, digit: char) -> PathBuf {
    let digits: String = std::iter::repeat_n(digit, 64).collect();
    let layers = serde_json::json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.docker.distribution.manifest.v2+json",
        "config": {"digest": format!("sha256:{}", "0".repeat(64))},
        "layers": [
            {"mediaType": "application/vnd.ollama.image.template", "digest": format!("sha256:{}", "e".repeat(64))},
            {"mediaType": "application/vnd.ollama.image.model", "digest": format!("sha256:{digits}"), "size": 1},
        ],
    });
    put(&store.join("manifests").join(manifest), layers.to_string());
    put(
        &store.join(format!("blobs/sha256-{}", "e".repeat(64))),
        "{{ .Prompt }}".repeat(9),
    );
    put_model(&store.join(format!("blobs/sha256-{digits}")))
}

#[test]
fn ollama_is_found_through_its_manifests_under_the_names_its_commands_take() {
    for system in SYSTEMS {
        let home = Home::new(system);
        let store = home.at(".ollama/models");
        let hub = put_ollama(&store, "hf.co/bartowski/Tiny-GGUF/Q4_K_M", 'a');
        let own = put_ollama(&store, "registry.ollama.ai/library/llama3.2/1b", 'b');
        let user = put_ollama(&store, "registry.ollama.ai/somebody/model/latest", 'c');
        put_model(
            &store
                .join("blobs")
                .join(format!("sha256-{}", "d".repeat(64))),
        );
        home.check(&[
            ("hf.co/bartowski/Tiny-GGUF:Q4_K_M", "Ollama", hub),
            ("llama3.2:1b", "Ollama", own),
            ("somebody/model:latest", "Ollama", user),
        ]);
    }
}

#[test]
fn ollama_as_a_service_is_found_on_linux_alone_and_a_store_that_was_set_in_its_place() {
    let manifest = "registry.ollama.ai/library/tiny/latest";
    let mut home = Home::new(System::Linux);
    let service = home.outside("root/usr/share/ollama/.ollama/models");
    let blob = put_ollama(&service, manifest, 'a');
    home.check(&[("tiny:latest", "Ollama", blob)]);
    home.surroundings.system = System::MacOs;
    home.check(&[]);
    home.surroundings.system = System::Linux;
    let set = home.outside("elsewhere");
    let blob = put_ollama(&set, manifest, 'b');
    home.set("OLLAMA_MODELS", &set);
    home.check(&[("tiny:latest", "Ollama", blob)]);
}

#[test]
fn a_manifest_cannot_lead_out_of_the_store() {
    let home = Home::new(System::Linux);
    let store = home.at(".ollama/models");
    put_model(&home.at("secret.gguf"));
    let manifest = serde_json::json!({"layers": [
        {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:../../../secret.gguf"}
    ]});
    put(
        &store.join("manifests/registry.ollama.ai/library/bad/latest"),
        manifest.to_string(),
    );
    home.check(&[]);
}

#[test]
fn the_hugging_face_cache_is_found_by_snapshots_not_blobs() {
    for system in SYSTEMS {
        let home = Home::new(system);
        let repository = home.at(".cache/huggingface/hub/models--org--Tiny-GGUF");
        put(&repository.join("refs/main"), "0".repeat(80));
        put_model(&repository.join("blobs/abc"));
        // Real files, as on Windows; links are tried below.
        let file = put_model(&repository.join("snapshots/0123/sub/Tiny-Q8_0.gguf"));
        put_model(&home.at(".cache/huggingface/hub/datasets--org--data/snapshots/1/x.gguf"));
        home.check(&[("Tiny-Q8_0", "Hugging Face cache", file)]);
    }
}

#[cfg(unix)]
#[test]
fn links_of_the_hugging_face_cache_are_followed_and_its_unfinished_downloads_left_out() {
    use std::os::unix::fs::symlink;
    let home = Home::new(System::Linux);
    let repository = home.at(".cache/huggingface/hub/models--org--Tiny-GGUF");
    put_model(&repository.join("blobs/abc"));
    put_model(&repository.join("blobs/def.incomplete"));
    let snapshot = repository.join("snapshots/0123");
    std::fs::create_dir_all(&snapshot).unwrap();
    symlink("../../blobs/abc", snapshot.join("Tiny.gguf")).unwrap();
    symlink("../../blobs/gone", snapshot.join("Gone.gguf")).unwrap();
    let tiny = snapshot.join("Tiny.gguf");
    home.check(&[("Tiny", "Hugging Face cache", tiny)]);
}

#[test]
fn the_hugging_face_cache_moves_with_its_variables_in_their_order() {
    let mut home = Home::new(System::Linux);
    let file = "models--org--Tiny-GGUF/snapshots/0123/Tiny.gguf";
    let rows = [
        ("XDG_CACHE_HOME", "xdg", "xdg/huggingface/hub"),
        ("HF_HOME", "hf", "hf/hub"),
        ("HUGGINGFACE_HUB_CACHE", "old", "old"),
        ("HF_HUB_CACHE", "new", "new"),
    ];
    for (variable, value, hub) in rows {
        let value = home.outside(value);
        home.set(variable, &value);
        let path = put_model(&home.outside(hub).join(file));
        home.check(&[("Tiny", "Hugging Face cache", path)]);
    }
}

#[test]
fn llama_cpp_keeps_its_old_downloads_where_the_system_caches() {
    let name = "ggml-org_Tiny-GGUF_tiny-q8_0.gguf";
    check_tool(
        System::Linux,
        "llama.cpp",
        &format!(".cache/llama.cpp/{name}"),
    );
    check_tool(
        System::MacOs,
        "llama.cpp",
        &format!("Library/Caches/llama.cpp/{name}"),
    );
    check_tool(
        System::Windows,
        "llama.cpp",
        &format!("AppData/Local/llama.cpp/{name}"),
    );
}

#[test]
fn llama_cpps_own_variable_leads_to_old_files_and_new_repositories() {
    let mut home = Home::new(System::Windows);
    let cache = home.outside("cache");
    home.set("LLAMA_CACHE", &cache);
    put(
        &cache.join("manifest=org=repo=latest.json"),
        "{}".repeat(40),
    );
    put(&cache.join("org_repo_a.gguf.etag"), "\"0\"".repeat(40));
    let new = put_model(&cache.join("models--org--repo/snapshots/1/new.gguf"));
    let old = put_model(&cache.join("org_repo_a.gguf"));
    home.check(&[("new", "llama.cpp", new), ("org_repo_a", "llama.cpp", old)]);
}

#[test]
fn gpt4all_keeps_its_models_with_the_data_of_applications() {
    let name = "Tiny.Q4_0.gguf";
    for (system, folder) in [
        (System::Linux, ".local/share/nomic.ai/GPT4All"),
        (
            System::MacOs,
            "Library/Application Support/nomic.ai/GPT4All",
        ),
        (System::Windows, "AppData/Local/nomic.ai/GPT4All"),
    ] {
        check_tool(system, "GPT4All", &format!("{folder}/{name}"));
        check_tool(system, "GPT4All", &format!(".cache/gpt4all/{name}"));
    }
}

#[test]
fn gpt4all_follows_its_settings() {
    for (system, file) in [
        (System::Linux, ".config/nomic.ai/GPT4All.ini"),
        (System::Windows, "AppData/Roaming/nomic.ai/GPT4All.ini"),
    ] {
        let home = Home::new(system);
        let chosen = home.outside("chosen");
        let text = format!("[General]\nmodelPath={}\nthreads=4\n", chosen.display());
        put(&home.at(file), text);
        put_model(&chosen.join("incomplete-b.gguf"));
        let model = put_model(&chosen.join("a.gguf"));
        home.check(&[("a", "GPT4All", model)]);
    }
}

#[test]
fn jan_names_its_models_in_their_descriptions_which_may_point_elsewhere() {
    for (system, data) in [
        (System::Linux, ".local/share/Jan/data"),
        (System::MacOs, "Library/Application Support/Jan/data"),
        (System::Windows, "AppData/Roaming/Jan/data"),
    ] {
        let home = Home::new(system);
        let models = home.at(data).join("llamacpp/models");
        let inside = put_model(&models.join("org/tiny/model.gguf"));
        let yml = "embedding: false\nmodel_path: llamacpp/models/org/tiny/model.gguf\nname: Tiny 1B\nsize_bytes: 1760\n";
        put(&models.join("org/tiny/model.yml"), yml);
        let outside = put_model(&home.outside("disk/imported.gguf"));
        let yml = format!("model_path: '{}'\n", outside.display());
        put(&models.join("imported/model.yml"), yml);
        put_model(&models.join("vectors/model.gguf"));
        home.check(&[
            ("imported", "Jan", outside),
            ("Tiny 1B", "Jan", inside),
            ("model", "Jan", models.join("vectors/model.gguf")),
        ]);
    }
}

#[test]
fn koboldcpp_is_found_by_the_models_its_configurations_name() {
    let home = Home::new(System::Windows);
    let model = put_model(&home.outside("disk/tiny.gguf"));
    let second = put_model(&home.outside("disk/second.gguf"));
    let kcpps = serde_json::json!({"model": null, "model_param": model, "port_param": 5001});
    put(&home.at("Downloads/mine.kcpps"), kcpps.to_string());
    let kcpps = serde_json::json!({"model": [second]});
    put(&home.at("koboldcpp-1.90/other.kcpps"), kcpps.to_string());
    let gone = serde_json::json!({"model_param": home.outside("disk/gone.gguf")});
    put(&home.at("gone.kcpps"), gone.to_string());
    home.check(&[
        ("tiny", "KoboldCpp", model),
        ("second", "KoboldCpp", second),
    ]);
}

#[test]
fn text_generation_webui_is_found_where_it_was_unpacked() {
    let webui = "text-generation-webui";
    check_tool(
        System::Linux,
        webui,
        "text-generation-webui/user_data/models/tiny.gguf",
    );
    check_tool(
        System::Windows,
        webui,
        "Downloads/textgen-portable-3.9/user_data/models/org/tiny.gguf",
    );
    check_tool(
        System::MacOs,
        webui,
        "oobabooga_macos/text-generation-webui/models/tiny.gguf",
    );
}

#[test]
fn node_llama_cpp_keeps_its_models_in_the_home_folder() {
    for system in SYSTEMS {
        let path = ".node-llama-cpp/models/hf_org_tiny.Q4_K_M.gguf";
        check_tool(system, "node-llama-cpp", path);
    }
}

#[test]
fn eight_tools_at_once_are_all_found_in_their_order() {
    let home = Home::new(System::Linux);
    let ollama = put_ollama(
        &home.at(".ollama/models"),
        "registry.ollama.ai/library/tiny/latest",
        'a',
    );
    let yml = "model_path: llamacpp/models/o/m/model.gguf\nname: Jan's\n";
    put(
        &home.at(".local/share/Jan/data/llamacpp/models/o/m/model.yml"),
        yml,
    );
    let at = |path: &str| put_model(&home.at(path));
    let kobold = home.outside("k.gguf");
    put(&kobold, model("k"));
    let kcpps = serde_json::json!({"model_param": kobold}).to_string();
    put(&home.at("a.kcpps"), kcpps);
    home.check(&[
        ("a", "LM Studio", at(".lmstudio/models/p/m/a.gguf")),
        ("tiny:latest", "Ollama", ollama),
        (
            "b",
            "Hugging Face cache",
            at(".cache/huggingface/hub/models--o--m/snapshots/1/b.gguf"),
        ),
        ("c", "llama.cpp", at(".cache/llama.cpp/c.gguf")),
        ("d", "GPT4All", at(".local/share/nomic.ai/GPT4All/d.gguf")),
        (
            "Jan's",
            "Jan",
            at(".local/share/Jan/data/llamacpp/models/o/m/model.gguf"),
        ),
        ("e", "node-llama-cpp", at(".node-llama-cpp/models/e.gguf")),
        (
            "f",
            "text-generation-webui",
            at("text-generation-webui/user_data/models/f.gguf"),
        ),
        ("k", "KoboldCpp", kobold),
    ]);
}
