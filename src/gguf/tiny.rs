//! Writes tiny GGUF files for the tests of this room and of others.

/// Writes the few bytes of GGUF that the tests need.
pub(crate) struct Writer {
    pub(crate) pairs: Vec<Vec<u8>>,
    pub(crate) tensors: Vec<Vec<u8>>,
    data_bytes: usize,
}

impl Writer {
    pub(crate) fn empty() -> Self {
        Self {
            pairs: Vec::new(),
            tensors: Vec::new(),
            data_bytes: 0,
        }
    }

    /// A model of two layers, three tokens and 704 parameters.
    pub(crate) fn tiny() -> Self {
        let mut res = Self::empty();
        res.text("general.architecture", "llama");
        res.text("general.name", "Tiny");
        res.u32("general.file_type", 15);
        res.u32("llama.context_length", 2048);
        res.u32("llama.block_count", 2);
        res.u32("llama.embedding_length", 64);
        res.u32("llama.attention.head_count", 4);
        res.u32("llama.attention.head_count_kv", 2);
        res.texts("tokenizer.ggml.tokens", &["a", "b", "<end>"]);
        res.text("tokenizer.chat_template", "{{ messages }}");
        res.pair("tokenizer.ggml.add_bos_token", 7, &[1]);
        res.pair("general.sampling.temp", 6, &0.5_f32.to_le_bytes());
        res.tensor("token_embd.weight", &[64, 3], (0, 768));
        res.tensor("blk.0.weight", &[256, 2], (12, 288));
        res
    }

    pub(crate) fn pair(&mut self, key: &str, kind: u32, value: &[u8]) {
        let mut bytes = text(key);
        bytes.extend(kind.to_le_bytes());
        bytes.extend(value);
        self.pairs.push(bytes);
    }

    pub(crate) fn u32(&mut self, key: &str, value: u32) {
        self.pair(key, 4, &value.to_le_bytes());
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) {
        self.pair(key, 8, &text(value));
    }

    pub(crate) fn texts(&mut self, key: &str, values: &[&str]) {
        let mut bytes = 8_u32.to_le_bytes().to_vec();
        bytes.extend((values.len() as u64).to_le_bytes());
        bytes.extend(values.iter().flat_map(|it| text(it)));
        self.pair(key, 9, &bytes);
    }

    pub(crate) fn tensor(&mut self, name: &str, dims: &[u64], (kind, n_bytes): (u32, usize)) {
        let mut bytes = text(name);
        bytes.extend((dims.len() as u32).to_le_bytes());
        bytes.extend(dims.iter().flat_map(|it| it.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        bytes.extend((self.data_bytes as u64).to_le_bytes());
        self.tensors.push(bytes);
        self.data_bytes += n_bytes.next_multiple_of(32);
    }

    /// Drops the pair with this key, so that a test can write another in its place.
    pub(crate) fn without(mut self, key: &str) -> Self {
        let start = text(key);
        self.pairs.retain(|it| !it.starts_with(&start));
        self
    }

    pub(crate) fn with_text(self, key: &str, value: &str) -> Self {
        let mut res = self.without(key);
        res.text(key, value);
        res
    }

    pub(crate) fn with_u32(self, key: &str, value: u32) -> Self {
        let mut res = self.without(key);
        res.u32(key, value);
        res
    }

    pub(crate) fn with_pair(self, key: &str, kind: u32, value: &[u8]) -> Self {
        let mut res = self.without(key);
        res.pair(key, kind, value);
        res
    }

    /// The header alone, without room for weights.
    pub(crate) fn unpadded(&self) -> Vec<u8> {
        let mut res = b"GGUF".to_vec();
        res.extend(3_u32.to_le_bytes());
        res.extend((self.tensors.len() as u64).to_le_bytes());
        res.extend((self.pairs.len() as u64).to_le_bytes());
        res.extend(self.pairs.iter().flatten());
        res.extend(self.tensors.iter().flatten());
        res
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut res = self.unpadded();
        let start = res.len().next_multiple_of(32);
        res.resize(start + self.data_bytes, 0);
        res
    }
}

fn text(value: &str) -> Vec<u8> {
    let mut res = (value.len() as u64).to_le_bytes().to_vec();
    res.extend(value.as_bytes());
    res
}
