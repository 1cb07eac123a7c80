//! What a file holds: models, later parts, and what only goes with a model.

use std::io::Cursor;

use crate::gguf::tiny::Writer;
use crate::gguf::{Holding, Part, SideFile, read_holding};

fn holding(file: &Writer) -> Holding {
    read_holding(Cursor::new(file.bytes())).unwrap()
}

#[track_caller]
fn check_beside(file: &Writer, expected: SideFile) {
    assert_eq!(holding(file), Holding::Beside(expected));
}

#[test]
fn a_model_is_a_model() {
    let Holding::Model(header) = holding(&Writer::tiny()) else {
        panic!("no model");
    };
    assert_eq!((header.n_params, header.n_parts), (704, 1));
    assert_eq!((header.shape.n_head, header.shape.n_head_kv_sum), (4, 4));
}

#[test]
fn a_projector_is_told_by_its_architecture_or_type() {
    check_beside(
        &Writer::empty().with_text("general.architecture", "clip"),
        SideFile::Projector,
    );
    let typed = Writer::tiny().with_text("general.type", "mmproj");
    check_beside(&typed, SideFile::Projector);
}

#[test]
fn an_adapter_is_told_by_its_type_or_keys() {
    let typed = Writer::tiny().with_text("general.type", "adapter");
    check_beside(&typed, SideFile::Adapter);
    let keyed = Writer::tiny().with_text("adapter.type", "lora");
    check_beside(&keyed, SideFile::Adapter);
}

#[test]
fn a_vocabulary_is_a_file_without_tensors() {
    let mut file = Writer::empty();
    file.text("general.architecture", "llama");
    file.u32("llama.block_count", 2);
    file.texts("tokenizer.ggml.tokens", &["a", "b"]);
    check_beside(&file, SideFile::Vocabulary);
}

#[test]
fn encoders_write_no_text() {
    let bert = Writer::tiny().with_text("general.architecture", "nomic-bert");
    check_beside(&bert, SideFile::Encoder);
    let looks_both_ways = Writer::tiny().with_pair("llama.attention.causal", 7, &[0]);
    check_beside(&looks_both_ways, SideFile::Encoder);
}

#[test]
fn statistics_for_quantizing_are_no_model() {
    check_beside(
        &Writer::empty().with_text("general.type", "imatrix"),
        SideFile::Statistics,
    );
}

#[test]
fn a_later_part_needs_no_architecture() {
    let mut file = Writer::empty();
    file.pair("split.no", 2, &1_u16.to_le_bytes());
    file.pair("split.count", 2, &3_u16.to_le_bytes());
    file.tensor("blk.1.weight", &[256, 2], (12, 288));
    let part = Part {
        number: 2,
        n_parts: 3,
        n_params: 512,
        weight_bytes: 288,
    };
    assert_eq!(holding(&file), Holding::Part(part));
}

#[test]
fn a_first_part_knows_how_many_follow_even_without_tensors_of_its_own() {
    let mut file = Writer::empty();
    file.text("general.architecture", "llama");
    file.u32("llama.block_count", 2);
    file.pair("split.no", 2, &0_u16.to_le_bytes());
    file.pair("split.count", 2, &3_u16.to_le_bytes());
    let Holding::Model(header) = holding(&file) else {
        panic!("no model");
    };
    assert_eq!((header.n_parts, header.n_params), (3, 0));
}
