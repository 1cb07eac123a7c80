//! Models in several files.

use std::path::{Path, PathBuf};

use super::{Home, put};
use crate::gguf::tiny::Writer;
use crate::store::models::System;

/// Writes one part of a split model; `number` counts from 1.
fn put_part(folder: &Path, name: &str, number: u16, n_parts: u16) -> PathBuf {
    let mut file = if number == 1 {
        Writer::tiny().with_text("general.name", name)
    } else {
        let mut res = Writer::empty();
        res.tensor(&format!("blk.{number}.weight"), &[256, 2], (12, 288));
        res
    };
    file.pair("split.no", 2, &(number - 1).to_le_bytes());
    file.pair("split.count", 2, &n_parts.to_le_bytes());
    let path = folder.join(format!("{name}-{number:05}-of-{n_parts:05}.gguf"));
    put(&path, file.bytes());
    path
}

fn with_folder() -> (Home, PathBuf) {
    let mut home = Home::new(System::Linux);
    let folder = home.outside("own");
    home.set("STEPLADDER_MODELS", &folder);
    (home, folder)
}

#[test]
fn parts_are_one_model_with_the_sum_of_them() {
    let (home, folder) = with_folder();
    let paths = [1, 2, 3].map(|it| put_part(&folder, "big", it, 3));
    home.check(&[("big", &folder.display().to_string(), paths[0].clone())]);
    let model = &home.search().models[0];
    let sizes = paths.iter().map(|it| std::fs::metadata(it).unwrap().len());
    assert_eq!(model.bytes, sizes.sum::<u64>());
    let card = model.card.as_ref().unwrap();
    assert_eq!((card.n_parts, card.n_params), (3, 704 + 2 * 512));
    assert_eq!(card.footprint.weight_bytes, 768 + 288 + 2 * 288);
}

#[test]
fn missing_parts_are_said() {
    let (home, folder) = with_folder();
    let first = put_part(&folder, "big", 1, 4);
    put_part(&folder, "big", 3, 4);
    let finding = home.search();
    assert_eq!(finding.models, []);
    let [problem] = finding.problems.as_slice() else {
        panic!("{:?}", finding.problems);
    };
    assert_eq!(problem.path, first);
    assert_eq!(problem.what, "2 of 4 parts missing: 2, 4");
}

#[test]
fn parts_without_their_first_are_said_once() {
    let (home, folder) = with_folder();
    put_part(&folder, "big", 2, 3);
    put_part(&folder, "big", 3, 3);
    let finding = home.search();
    assert_eq!(finding.models, []);
    let said: Vec<_> = finding.problems.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(said, ["part 2 of 3, whose first part is missing"]);
}

#[test]
fn parts_of_different_models_in_one_folder_are_not_mixed() {
    let (home, folder) = with_folder();
    let names = ["a", "b"].map(|name| {
        put_part(&folder, name, 2, 2);
        put_part(&folder, name, 1, 2)
    });
    let label = folder.display().to_string();
    let [a, b] = names;
    home.check(&[("a", &label, a), ("b", &label, b)]);
}

#[test]
fn a_first_part_under_another_name_cannot_be_loaded_and_is_said() {
    let (home, folder) = with_folder();
    let first = put_part(&folder, "big", 1, 2);
    put_part(&folder, "big", 2, 2);
    std::fs::rename(first, folder.join("renamed.gguf")).unwrap();
    let finding = home.search();
    assert_eq!(finding.models, []);
    let said: Vec<_> = finding.problems.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(
        said,
        [
            "the first of 2 parts, but its name does not end in -00001-of-00002",
            "part 2 of 2, whose first part is missing"
        ]
    );
}

#[cfg(unix)]
#[test]
fn snapshots_that_share_a_part_are_both_whole() {
    use std::os::unix::fs::symlink;
    let home = Home::new(System::Linux);
    let repository = home.at(".cache/huggingface/hub/models--o--big");
    let blobs = repository.join("blobs");
    let rest = put_part(&blobs, "shared", 2, 2);
    let mut expected = Vec::new();
    for (commit, name) in [("1", "old"), ("2", "new")] {
        let first = put_part(&blobs, name, 1, 2);
        let snapshot = repository.join("snapshots").join(commit);
        std::fs::create_dir_all(&snapshot).unwrap();
        let link = snapshot.join("big-00001-of-00002.gguf");
        symlink(&first, &link).unwrap();
        symlink(&rest, snapshot.join("big-00002-of-00002.gguf")).unwrap();
        expected.push(("big", "Hugging Face cache", link));
    }
    home.check(&expected);
}
