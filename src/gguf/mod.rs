//! Reads a GGUF file's header within bounds, so that a broken or hostile file is known before llama.cpp sees it.
