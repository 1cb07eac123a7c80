#!/usr/bin/env bash
# Compares the masks of all test grammars with those of llama.cpp's own grammar sampler, at every step of twenty texts
# each, on both models' vocabularies. Takes most of an hour; when stopped, it goes on where it was left.
# Arguments: the folder for the outcomes, target/grammar_exactness if not given.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
. scripts/setup.sh

out=${1:-$(target_dir)/grammar_exactness}
mkdir -p "$out" || fail "cannot make the folder $out; name another one"
need_rust
install_for build window
need_model || fail "the default model cannot be fetched; set STEPLADDER_MODEL to a GGUF file"
need_second_model || fail "the second model cannot be fetched; set STEPLADDER_MODEL_2 to a GGUF file"

# One line a vocabulary: how much was compared, and what llama.cpp does otherwise.
summary() {
  python3 - "$1" <<'END'
import json, sys
rows = {it["name"]: it for it in map(json.loads, open(sys.argv[1]))}.values()
total = lambda key: sum(it[key] for it in rows)
print(f"{len(rows)} grammars, {total('n_texts')} texts ({total('n_whole')} to their end), {total('n_masks')} masks, "
      f"{total('n_faults')} faults; llama.cpp alone: control tokens {total('n_control')}, no UTF-8 {total('n_not_utf8')}, "
      f"zero bytes {total('n_zero')}, known {total('n_known')}")
END
}

failed=0
for model in "$STEPLADDER_MODEL" "$STEPLADDER_MODEL_2"; do
  outcomes=$out/$(basename "$model" .gguf).jsonl
  say "$model"
  STEPLADDER_EXACTNESS_MODEL=$model STEPLADDER_EXACTNESS_OUT=$outcomes \
    cargo test --locked --test exactness -- --exact --ignored all_grammars_and_texts || failed=1
  summary "$outcomes"
done
exit $failed
