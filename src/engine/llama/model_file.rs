//! What can be known of a model's file, or files, before llama.cpp sees them.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::gguf::{self, Footprint, Header, Holding, Part, SplitName};

/// What the file's outside says.
pub(super) struct FileFacts {
    /// Of all parts.
    pub(super) n_bytes: u64,
    /// With the weights of all parts.
    pub(super) footprint: Footprint,
    pub(super) fingerprint: String,
}

/// Reads the header, and those of the other parts of a model that is split. Errors name the file.
pub(super) fn check_file(path: &Path) -> Result<(Header, FileFacts), String> {
    let n_first = check_kind(path)?;
    let header = gguf::read_header(open(path)?).map_err(|it| describe(path, &it.to_string()))?;
    if header.n_vocab == 0 {
        return Err(describe(
            path,
            "it has no vocabulary, so it cannot write text",
        ));
    }
    let mut footprint = header.footprint();
    let mut sizes = vec![n_first];
    for part in others(path, &header)? {
        sizes.push(check_kind(&part)?);
        let weights = part_of(&part)?.weight_bytes;
        footprint.weight_bytes = footprint.weight_bytes.saturating_add(weights);
    }
    let fingerprint = fingerprint(open(path)?, header.header_bytes, &sizes)
        .map_err(|it| describe(path, &format!("it cannot be read: {it}")))?;
    let facts = FileFacts {
        n_bytes: sizes.into_iter().fold(0, u64::saturating_add),
        footprint,
        fingerprint,
    };
    Ok((header, facts))
}

/// A sentence about a file.
pub(super) fn describe(path: &Path, what: &str) -> String {
    format!("{}: {what}", path.display())
}

/// Gives the file's size.
fn check_kind(path: &Path) -> Result<u64, String> {
    let metadata = fs::metadata(path).map_err(|it| match it.kind() {
        std::io::ErrorKind::NotFound => describe(path, "there is no such file"),
        _ => describe(path, &it.to_string()),
    })?;
    if metadata.is_dir() {
        return Err(describe(
            path,
            "it is a folder; choose the .gguf file in it",
        ));
    }
    if !metadata.is_file() {
        return Err(describe(path, "it is no regular file"));
    }
    if path.to_str().is_none() {
        return Err(describe(path, "its path is not valid UTF-8; rename it"));
    }
    Ok(metadata.len())
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|it| describe(path, &format!("it cannot be read: {it}")))
}

/// The parts behind the first, by the names under which llama.cpp looks for them; none of a model that is whole.
fn others(first: &Path, header: &Header) -> Result<Vec<PathBuf>, String> {
    if header.n_parts < 2 {
        return Ok(Vec::new());
    }
    let stem = first.file_stem().unwrap_or_default().to_string_lossy();
    let named = SplitName::parse(&stem).filter(|it| it.number == 1 && it.n_parts == header.n_parts);
    let Some(named) = named else {
        let what = format!(
            "it is the first of {0} parts, but its name does not end in -00001-of-{0:05}; rename it and the others",
            header.n_parts
        );
        return Err(describe(first, &what));
    };
    let part = |it| first.with_file_name(format!("{}.gguf", named.of_part(it)));
    Ok((2..=header.n_parts).map(part).collect())
}

fn part_of(path: &Path) -> Result<Part, String> {
    match gguf::read_holding(open(path)?) {
        Ok(Holding::Part(part)) => Ok(part),
        Ok(_) => Err(describe(path, "it is no part of a split model")),
        Err(it) => Err(describe(path, &it.to_string())),
    }
}

/// SHA-256 over the header's bytes and the sizes of all parts as eight little-endian bytes each, in hexadecimal.
fn fingerprint(file: File, header_bytes: u64, sizes: &[u64]) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut header = file.take(header_bytes);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match header.read(&mut buffer)? {
            0 => break,
            n_read => hasher.update(&buffer[..n_read]),
        }
    }
    for size in sizes {
        hasher.update(size.to_le_bytes());
    }
    let digest = hasher.finalize();
    let digits =
        |it: &u8| [it >> 4, it & 15].map(|it| char::from(b"0123456789abcdef"[it as usize]));
    Ok(digest.iter().flat_map(digits).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::tiny::Writer;

    fn first() -> Writer {
        let mut file = Writer::tiny();
        file.pair("split.no", 2, &0_u16.to_le_bytes());
        file.pair("split.count", 2, &2_u16.to_le_bytes());
        file
    }

    fn second() -> Writer {
        let mut file = Writer::empty();
        file.pair("split.no", 2, &1_u16.to_le_bytes());
        file.pair("split.count", 2, &2_u16.to_le_bytes());
        file.tensor("blk.1.weight", &[256, 2], (12, 288));
        file
    }

    #[test]
    fn a_split_model_takes_the_memory_of_all_its_parts() {
        let folder = tempfile::tempdir().unwrap();
        let place = |number: u32| folder.path().join(format!("m-{number:05}-of-00002.gguf"));
        fs::write(place(1), first().bytes()).unwrap();
        let missing = check_file(&place(1)).err().unwrap();
        assert!(
            missing.contains("m-00002-of-00002.gguf: there is no such file"),
            "{missing}"
        );
        fs::write(place(2), second().bytes()).unwrap();
        let (header, facts) = check_file(&place(1)).unwrap();
        let n_bytes = [first(), second()].map(|it| it.bytes().len() as u64);
        assert_eq!(facts.n_bytes, n_bytes[0] + n_bytes[1]);
        let behind = facts.footprint.weight_bytes - header.footprint().weight_bytes;
        assert_eq!(behind, 288);
        let other = folder.path().join("first.gguf");
        fs::write(&other, first().bytes()).unwrap();
        let misnamed = check_file(&other).err().unwrap();
        assert!(
            misnamed.contains("does not end in -00001-of-00002"),
            "{misnamed}"
        );
    }
}
