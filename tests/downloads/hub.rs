//! A small model, a hub that serves it with ranges, and what fetches from it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use stepladder::download::{
    Control, FetchError, Fetched, Fetcher, Network, Order, Patience, Progress, Wanted,
};
use stepladder::store::{Surroundings, System, search};
use tempfile::TempDir;

use crate::server::{Reply, Request, Server};

/// Where the file lies on the hub.
pub(crate) const FILE: &str = "/owner/tiny-GGUF/resolve/main/tiny-Q4_K_M.gguf";
/// Where it lies in the folder of models.
pub(crate) const PLACE: &str = "owner/tiny-GGUF/tiny-Q4_K_M.gguf";

/// A text as GGUF writes it.
fn text(value: &str) -> Vec<u8> {
    let mut res = (value.len() as u64).to_le_bytes().to_vec();
    res.extend(value.as_bytes());
    res
}

/// A model with three tokens and 4,800 rows of weights: 1.2 MB, no two pieces of which are alike.
pub(crate) fn model() -> Vec<u8> {
    let number = |key: &str, value: u32| {
        let mut res = text(key);
        res.extend(4_u32.to_le_bytes());
        res.extend(value.to_le_bytes());
        res
    };
    let mut architecture = text("general.architecture");
    architecture.extend(8_u32.to_le_bytes());
    architecture.extend(text("llama"));
    let mut tokens = text("tokenizer.ggml.tokens");
    tokens.extend(9_u32.to_le_bytes());
    tokens.extend(8_u32.to_le_bytes());
    tokens.extend(3_u64.to_le_bytes());
    tokens.extend(["a", "b", "c"].iter().flat_map(|it| text(it)));
    let pairs = [
        architecture,
        tokens,
        number("llama.block_count", 2),
        number("llama.context_length", 512),
        number("llama.embedding_length", 64),
        number("llama.attention.head_count", 4),
        number("llama.attention.head_count_kv", 2),
    ];
    let mut res = b"GGUF".to_vec();
    res.extend(3_u32.to_le_bytes());
    res.extend(1_u64.to_le_bytes());
    res.extend((pairs.len() as u64).to_le_bytes());
    res.extend(pairs.iter().flatten());
    res.extend(text("token_embd.weight"));
    res.extend(2_u32.to_le_bytes());
    res.extend([64_u64, 4_800].iter().flat_map(|it| it.to_le_bytes()));
    res.extend(0_u32.to_le_bytes());
    res.extend(0_u64.to_le_bytes());
    res.resize(res.len().next_multiple_of(32), 0);
    let weights = (0..64 * 4_800_u32).map(|it| it.wrapping_mul(2_654_435_761));
    res.extend(weights.flat_map(u32::to_le_bytes));
    res
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits =
        |it: &u8| [it >> 4, it & 15].map(|it| char::from(b"0123456789abcdef"[it as usize]));
    digest.iter().flat_map(digits).collect()
}

/// Serves a file as the hub does: with its hash, its version, and the range that is asked for.
pub(crate) fn serve(request: &Request, bytes: &[u8]) -> Reply {
    let hash = sha256(bytes);
    let etag = format!("\"{}\"", &hash[..16]);
    let is_same = request.header("if-range").is_none_or(|it| it == etag);
    let begin = request
        .header("range")
        .filter(|_| is_same)
        .and_then(|it| it.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let whole = bytes.len();
    let reply = match begin {
        Some(begin) if begin >= whole => {
            Reply::new(416, "").with("content-range", format!("bytes */{whole}"))
        }
        Some(begin) => {
            let range = format!("bytes {begin}-{}/{whole}", whole - 1);
            Reply::new(206, &bytes[begin..]).with("content-range", range)
        }
        None => Reply::new(200, bytes),
    };
    reply
        .with("etag", etag)
        .with("x-linked-etag", format!("\"{hash}\""))
        .with("x-linked-size", whole)
}

/// A data folder and the way to a server.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) patience: Patience,
    pub(crate) free_space: fn(&Path) -> Option<u64>,
    pub(crate) sha256: Option<String>,
}

impl Desk {
    /// Waits are short, so that a test that tries eight times takes no minute.
    pub(crate) fn at(server: &Server) -> Self {
        let endpoint = ("HF_ENDPOINT".to_owned(), server.url());
        Self {
            folder: tempfile::tempdir().unwrap(),
            variables: BTreeMap::from([endpoint]),
            patience: Patience {
                connect: Duration::from_secs(20),
                answer: Duration::from_secs(20),
                stall: Duration::from_secs(20),
                back_off: Duration::from_millis(1),
                longest_back_off: Duration::from_millis(4),
                news: Duration::ZERO,
                ..Patience::default()
            },
            free_space: |_| Some(1 << 40),
            sha256: None,
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        let variables = self.variables.iter();
        Surroundings {
            system: System::Linux,
            home: self.folder.path().join("home"),
            root: self.folder.path().join("root"),
            variables: variables
                .map(|(key, value)| (key.clone(), value.into()))
                .collect(),
        }
    }

    pub(crate) fn fetcher(&self) -> Fetcher {
        Fetcher {
            network: Network::of(&self.surroundings()).unwrap(),
            patience: self.patience,
            free_space: self.free_space,
        }
    }

    pub(crate) fn models(&self) -> PathBuf {
        self.folder.path().join("models")
    }

    pub(crate) fn place(&self) -> PathBuf {
        self.models().join(PLACE)
    }

    /// The part that is kept, as it lies there.
    pub(crate) fn part(&self) -> Option<Vec<u8>> {
        fs::read(self.models().join(format!("{PLACE}.part"))).ok()
    }

    pub(crate) fn order(&self, wanted: &str) -> Order {
        Order {
            wanted: Wanted::parse(wanted).unwrap(),
            folder: self.models(),
            sha256: self.sha256.clone(),
        }
    }

    /// Fetches the small model.
    pub(crate) fn fetch(&self) -> Result<Fetched, FetchError> {
        self.fetch_by(&Control::default(), &mut |_| {})
    }

    pub(crate) fn fetch_by(
        &self,
        control: &Control,
        tell: &mut dyn FnMut(&Progress),
    ) -> Result<Fetched, FetchError> {
        self.fetch_this("owner/tiny-GGUF:tiny-Q4_K_M.gguf", control, tell)
    }

    pub(crate) fn fetch_this(
        &self,
        wanted: &str,
        control: &Control,
        tell: &mut dyn FnMut(&Progress),
    ) -> Result<Fetched, FetchError> {
        let order = self.order(wanted);
        self.fetcher().fetch(&order, control, tell)
    }

    /// The names of the models that a search of the data folder finds, problems left aside.
    pub(crate) fn found(&self) -> Vec<String> {
        let found = search(&self.surroundings(), (&self.models(), &[]), &mut |_| {});
        assert_eq!(found.problems, []);
        found.models.into_iter().map(|it| it.name).collect()
    }

    /// Checks that the model lies in its place, whole, and alone.
    #[track_caller]
    pub(crate) fn check_whole(&self, bytes: &[u8]) {
        assert!(fs::read(self.place()).unwrap() == bytes, "another file");
        self.check_no_rest();
        assert_eq!(self.found(), ["tiny-Q4_K_M"]);
    }

    /// Checks that nothing lies beside the model's place.
    #[track_caller]
    pub(crate) fn check_no_rest(&self) {
        let folder = self.place().parent().unwrap().to_owned();
        let names = fs::read_dir(folder)
            .unwrap()
            .map(|it| it.unwrap().file_name());
        let names: Vec<_> = names.filter(|it| it != "tiny-Q4_K_M.gguf").collect();
        assert!(names.is_empty(), "{names:?} is left");
    }
}
