#!/usr/bin/env bash
# Runs everything that the project's checks run: format, lints, tests with real models in a real window, documentation.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
. scripts/setup.sh

failed=()
step() {
  local name=$1 begun=$SECONDS
  shift
  say "$name"
  if "$@"; then say "$name: done in $((SECONDS - begun)) s"; else failed+=("$name"); say "$name: FAILED"; fi
}

need_rust
install_for build window test || left_out+=("packages that could not be installed")
need_model || left_out+=("the default model, so the tests that run it fail")
need_second_model || left_out+=("the second model, so the tests that run it fail")
say "A first run compiles llama.cpp and the window's libraries: about 35 minutes on two cores. Later runs take a few minutes."

step "Format" cargo fmt --check
step "Build" cargo build --locked --all-targets
step "Tests" cargo test --locked --no-fail-fast
step "Lints" cargo clippy --locked --all-targets -- -D warnings
step "Lints without models" cargo clippy --locked --no-default-features --all-targets -- -D warnings
step "Documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

for it in "${left_out[@]}"; do say "Left out: $it"; done
if [ ${#failed[@]} -gt 0 ]; then
  say "Failed: ${failed[*]}"
  exit 1
fi
say "All good"
