#!/usr/bin/env bash
# Runs everything that the project's checks run: format, lints, tests with real models in a real window, documentation.
# What cannot be had here (a model, a virtual display) leaves out the tests that need it, and they are named at the end.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
. scripts/setup.sh

failed=()
left_out=()
step() {
  local name=$1 begun=$SECONDS
  shift
  say "$name"
  if "$@"; then say "$name: done in $((SECONDS - begun)) s"; else failed+=("$name"); say "$name: FAILED"; fi
}

# The files of integration tests, by the names that cargo has for them.
test_files() {
  local it
  for it in tests/*.rs; do basename "$it" .rs; done
  for it in tests/*/main.rs; do basename "$(dirname "$it")"; done
}

# The tests that run the second model: each function that asks for it.
tests_of_second_model() {
  awk '/^fn [a-z]/ { name = $2; sub(/\(.*/, "", name) } name && /base\(\)/ { print name; name = "" }' \
    tests/llama/prompts.rs tests/llama/replies.rs tests/llama/bad_files.rs
  echo masks_are_those_of_llama_on_a_large_vocabulary
}

# All tests but those in the files "without_files" and those with the names "without_tests".
run_tests() {
  if [ ${#without_files[@]} = 0 ] && [ ${#without_tests[@]} = 0 ]; then
    cargo test --locked --no-fail-fast
    return
  fi
  local chosen=(--lib --bins) skipped=() it
  for it in $(test_files); do
    case " ${without_files[*]-} " in
      *" $it "*) ;;
      *) chosen+=(--test "$it") ;;
    esac
  done
  for it in ${without_tests[@]+"${without_tests[@]}"}; do skipped+=(--skip "$it"); done
  cargo test --locked --no-fail-fast "${chosen[@]}" -- ${skipped[@]+"${skipped[@]}"}
  local done=$?
  cargo test --locked --doc && return $done
}

say "A first run installs packages, fetches models of 98 and 253 MB, and compiles llama.cpp and the window's libraries:"
say "about 35 minutes on two cores. Later runs take a few minutes."
need_rust
install_for build window test || left_out+=("packages that could not be installed; what needs them may fail")
without_files=()
without_tests=()
if ! need_model; then
  without_files+=(exactness llama smoke soak)
  left_out+=("tests/exactness, tests/llama.rs, tests/smoke.rs and tests/soak: the default model cannot be fetched and STEPLADDER_MODEL is not set")
  failed+=("the set-up, which has no model")
elif ! need_second_model; then
  for it in $(tests_of_second_model); do without_tests+=("$it"); done
  left_out+=("${without_tests[*]}: the second model cannot be fetched and STEPLADDER_MODEL_2 is not set")
fi
if [ "$(uname)" = Linux ] && ! { have Xvfb && have xdotool; }; then
  without_files+=(smoke)
  left_out+=("tests/smoke.rs: Xvfb or xdotool is missing")
fi

step "Format" cargo fmt --check
step "Build" cargo build --locked --all-targets
step "Tests" run_tests
[ "$(uname)" = Linux ] && [ ${#without_files[@]} = 0 ] && step "Soak" scripts/soak.sh 180
step "Lints" cargo clippy --locked --all-targets -- -D warnings
step "Lints without models" cargo clippy --locked --no-default-features --all-targets -- -D warnings
step "Documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

for it in ${left_out[@]+"${left_out[@]}"}; do say "Left out: $it"; done
# Where every check must run, something left out is a failure: a set-up that lost a model must not look green.
if [ -n "${CI:-}" ] && [ ${#left_out[@]} -gt 0 ]; then
  failed+=("the set-up, which left something out")
fi
if [ ${#failed[@]} -gt 0 ]; then
  say "Failed: ${failed[*]}"
  exit 1
fi
say "All good"
