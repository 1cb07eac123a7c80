//! What cannot be used is said, with the reason, and the search goes on.

use std::fs;
use std::path::Path;

use super::{Home, model, put, put_model};
use crate::store::models::System;

/// One problem at this path, with this reason; what else was there is found.
#[track_caller]
fn check_problem(home: &Home, path: &Path, part: &str) {
    put_model(&home.at(".node-llama-cpp/models/good.gguf"));
    let finding = home.search();
    let names: Vec<_> = finding.models.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["good"]);
    let [problem] = finding.problems.as_slice() else {
        panic!("{:?}", finding.problems);
    };
    assert_eq!(problem.path, path);
    assert!(problem.what.contains(part), "{}", problem.what);
    let line = problem.to_string();
    assert!(line.contains(part) && line.contains(&path.display().to_string()));
}

#[test]
fn a_cut_file_is_named_with_what_is_missing() {
    let home = Home::new(System::Linux);
    let path = home.at(".lmstudio/models/a/b/cut.gguf");
    let bytes = model("cut");
    put(&path, &bytes[..bytes.len() - 100]);
    check_problem(&home, &path, "cut: tensor blk.0.weight ends at byte");
}

#[test]
fn a_pointer_of_git_lfs_in_a_models_place_is_named() {
    let home = Home::new(System::Linux);
    let path = home.at(".lmstudio/models/a/b/pointer.gguf");
    put(
        &path,
        "version https://git-lfs.github.com/spec/v1\n".repeat(3),
    );
    check_problem(&home, &path, "not a GGUF file: it starts with \"vers\"");
}

#[test]
fn a_folder_that_the_user_named_and_that_is_not_there_is_said() {
    let mut home = Home::new(System::Linux);
    let gone = home.outside("gone");
    home.set("STEPLADDER_MODELS", &gone);
    check_problem(&home, &gone, "there is no such folder");
}

#[test]
fn a_model_that_was_set_and_is_a_folder_is_said() {
    let mut home = Home::new(System::Linux);
    let folder = home.outside("folder");
    fs::create_dir_all(&folder).unwrap();
    home.set("STEPLADDER_MODEL", &folder);
    check_problem(&home, &folder, "it is a folder");
}

#[test]
fn a_broken_manifest_is_said() {
    let home = Home::new(System::Linux);
    let path = home.at(".ollama/models/manifests/registry.ollama.ai/library/bad/latest");
    put(&path, "{\"layers\": [");
    check_problem(&home, &path, "the manifest cannot be read");
}

#[test]
fn a_broken_configuration_is_said() {
    let home = Home::new(System::Linux);
    let path = home.at("bad.kcpps");
    put(&path, "model_param");
    check_problem(&home, &path, "the configuration cannot be read");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_said() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = Home::new(System::Linux);
    // A link to itself is unreadable to everybody, whatever the rights of whoever runs the tests.
    let circle = home.at(".lmstudio/models");
    fs::create_dir_all(circle.parent().unwrap()).unwrap();
    symlink(&circle, &circle).unwrap();
    check_problem(&home, &circle, "it cannot be read");
    fs::remove_file(&circle).unwrap();
    fs::create_dir(&circle).unwrap();
    fs::set_permissions(&circle, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&circle).is_err() {
        check_problem(&home, &circle, "no permission to read it");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_or_in_circles_are_no_trouble() {
    use std::os::unix::fs::symlink;
    let mut home = Home::new(System::Linux);
    let folder = home.outside("own");
    fs::create_dir_all(&folder).unwrap();
    symlink(folder.join("gone.gguf"), folder.join("dangling.gguf")).unwrap();
    symlink(&folder, folder.join("again")).unwrap();
    home.set("STEPLADDER_MODELS", &folder);
    let good = put_model(&folder.join("good.gguf"));
    home.check(&[("good", &folder.display().to_string(), good)]);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_models_place_is_not_waited_for() {
    let home = Home::new(System::Linux);
    let pipe = home.at(".lmstudio/models/a/pipe.gguf");
    fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let good = put_model(&home.at(".lmstudio/models/a/good.gguf"));
    home.check(&[("good", "LM Studio", good)]);
}
