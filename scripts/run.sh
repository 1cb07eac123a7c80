#!/usr/bin/env bash
# Builds Stepladder and does its main job: opens the window or, where there is no display, compares three presets
# in the terminal. Everything that is missing is installed or fetched first. Arguments go to stepladder.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
. scripts/setup.sh

if [ ! -x "$(target_dir)/debug/stepladder" ]; then
  say "A first run installs packages, fetches a model of 98 MB, and compiles llama.cpp and the window's libraries:"
  say "about 20 minutes on two cores. Later runs start within seconds."
fi
need_rust
install_for build window
need_model || fail "the default model cannot be fetched; no network, or pip is missing; set STEPLADDER_MODEL to a GGUF file"

cargo build --locked || fail "the build failed; see above; the usual reason is a missing package (README, Building)"

program=$(target_dir)/debug/stepladder
if [ $# -gt 0 ]; then
  exec "$program" "$@"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
  exec "$program"
else
  say "No display: comparing greedy, greedy-ngram3 and greedy-schema on the shopping task in the terminal."
  exec "$program" run --task shopping
fi
