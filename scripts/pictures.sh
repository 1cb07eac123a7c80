#!/usr/bin/env bash
# Makes README's pictures from the real window running the real model on a virtual display.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
need_model
install_for window test || true
cargo build --locked
program=$(target_dir)/debug/stepladder
mkdir -p assets/pictures

# One picture: picture THEME NAME [PRESET]
picture() {
  local theme=$1 name=$2 preset=${3:-greedy-schema} data display window=
  data=$(mktemp -d)
  printf '{"theme": "%s"}' "$theme" >"$data/settings.json"
  Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp 3>"$data/display" 2>/dev/null &
  local server=$!
  until [ -s "$data/display" ]; do sleep 0.1; done
  display=:$(cat "$data/display")
  STEPLADDER_DATA=$data DISPLAY=$display WAYLAND_DISPLAY='' "$program" --renderer glow --preset "$preset" &
  local app=$!
  until window=$(DISPLAY=$display xdotool search --name '^Stepladder$' | head -n 1) && [ -n "$window" ]; do sleep 0.2; done
  # Without a window manager the focus is asked for until it is there; waiting for it in one call can wait for ever.
  until [ "$(DISPLAY=$display xdotool getwindowfocus)" = "$window" ]; do
    DISPLAY=$display xdotool windowfocus "$window"
    sleep 0.3
  done
  until [ -s "$data/trials.jsonl" ]; do
    DISPLAY=$display xdotool key ctrl+Return
    sleep 4
  done
  sleep 2
  DISPLAY=$display import -window root "assets/pictures/$name.png"
  kill "$app" "$server"
  wait "$app" "$server" 2>/dev/null || true
  rm -rf "$data"
  say "assets/pictures/$name.png"
}

picture dark play-dark greedy-ngram3
picture light play-light greedy-schema
