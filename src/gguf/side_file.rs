//! The kinds of GGUF files that go with a model.

/// A GGUF file that writes no text by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideFile {
    /// Turns pictures or sound into a model's tokens.
    Projector,
    /// A change of a model's weights (`LoRA`, control vector).
    Adapter,
    /// A tokenizer without weights.
    Vocabulary,
    /// Makes vectors of texts.
    Encoder,
    /// What was measured to quantize a model well.
    Statistics,
}

impl SideFile {
    /// In a few words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Projector => "a projector for pictures or sound",
            Self::Adapter => "an adapter",
            Self::Vocabulary => "a vocabulary without weights",
            Self::Encoder => "a model that makes vectors of texts",
            Self::Statistics => "statistics for quantizing",
        }
    }
}
