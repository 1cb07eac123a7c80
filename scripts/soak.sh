#!/usr/bin/env bash
# Random actions on the whole program with real models, for so many seconds (180 if not given); prints its figures and
# fails on a hang, a lost trial, or memory that grows. The same seed does the same things.
#   scripts/soak.sh [SECONDS] [SEED]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
. scripts/setup.sh

[ "$(uname)" = Linux ] || fail "the soak reads memory from /proc, which only Linux has"
need_rust
need_model || fail "there is no model: set STEPLADDER_MODEL to a GGUF file"
need_second_model || say "Without a second model: STEPLADDER_MODEL_2 is not set"
export STEPLADDER_SOAK_SECONDS=${1:-180} STEPLADDER_SOAK_SEED=${2:-7}
cargo test --locked --test soak -- --nocapture
