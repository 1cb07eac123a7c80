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

# Opens the window with the data folder that "data" names: open_window THEME ARGUMENT...
open_window() {
  local theme=$1
  shift
  printf '{"theme": "%s"}' "$theme" >"$data/settings.json"
  Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp 3>"$data/display" 2>/dev/null &
  server=$!
  until [ -s "$data/display" ]; do sleep 0.1; done
  display=:$(cat "$data/display")
  STEPLADDER_DATA=$data DISPLAY=$display WAYLAND_DISPLAY='' "$program" --renderer glow "$@" &
  app=$!
  local window=
  until window=$(DISPLAY=$display xdotool search --name '^Stepladder$' | head -n 1) && [ -n "$window" ]; do sleep 0.2; done
  # Without a window manager the focus is asked for until it is there; waiting for it in one call can wait for ever.
  until [ "$(DISPLAY=$display xdotool getwindowfocus)" = "$window" ]; do
    DISPLAY=$display xdotool windowfocus "$window" 2>/dev/null || true
    sleep 0.3
  done
}

# Takes the picture and closes the window: keep NAME
keep() {
  sleep 2
  DISPLAY=$display import -window root "assets/pictures/$1.png"
  kill "$app" "$server"
  wait "$app" "$server" 2>/dev/null || true
  rm -rf "$data"
  say "assets/pictures/$1.png"
}

# Play after a run: play THEME NAME PRESET
play() {
  data=$(mktemp -d)
  open_window "$1" --preset "$3"
  until [ -s "$data/trials.jsonl" ]; do
    DISPLAY=$display xdotool key ctrl+Return
    sleep 4
  done
  keep "$2"
}

# Play with the inspector open at a token of the reply that the n-gram ban changed, and what it goes back to in the
# prompt: inspector THEME NAME
inspector() {
  data=$(mktemp -d)
  open_window "$1" --preset greedy-ngram3
  until [ -s "$data/trials.jsonl" ]; do
    DISPLAY=$display xdotool key ctrl+Return
    sleep 4
  done
  click 372 595
  click 1165 264
  keep "$2"
}

# click X Y: the pointer rests before it clicks, as a hand does
click() {
  DISPLAY=$display xdotool mousemove "$1" "$2"
  sleep 1
  DISPLAY=$display xdotool click 1
  sleep 1
}

# Repair with a shipped broken reply, as if it had been typed there before: repair THEME NAME REPLY
repair() {
  data=$(mktemp -d)
  python3 - "$3" >"$data/repair.json" <<'PY'
import json, sys
sample = json.load(open(f"presets/replies/{sys.argv[1]}.json"))
task = json.load(open(f"presets/tasks/{sample['task']}.json"))
given = task["inputs"][sample["input"]]
text = lambda value: json.dumps(value, ensure_ascii=False)
print(text({
    "reply": sample["reply"], "task": sample["task"], "input": sample["input"], "input_text": given["text"],
    "schema": json.dumps(task["schema"], ensure_ascii=False, indent=2), "answer": text(given["answer"]),
    "examples": [{"input": it["input"], "answer": text(it["answer"]), "on": True} for it in task["examples"]],
}))
PY
  open_window "$1"
  DISPLAY=$display xdotool key ctrl+4
  keep "$2"
}

# Grammars as at a first start, with a text stepped through: grammars THEME NAME
grammars() {
  data=$(mktemp -d)
  open_window "$1"
  DISPLAY=$display xdotool key ctrl+5
  keep "$2"
}

# Bench with an experiment that has just been run: bench THEME NAME PLAN
bench() {
  data=$(mktemp -d)
  "$program" bench "$3" --model "$STEPLADDER_MODEL" --out "$data/experiments/$(date -u +%FT%H-%M-%S-000Z) $3" >/dev/null
  open_window "$1"
  DISPLAY=$display xdotool key ctrl+3
  sleep 1
  # The experiment is the last row of the list.
  click 130 411
  keep "$2"
}

# Compare after its columns have run: compare THEME NAME
compare() {
  data=$(mktemp -d)
  open_window "$1"
  DISPLAY=$display xdotool key ctrl+2
  sleep 1
  DISPLAY=$display xdotool key ctrl+Return
  until [ "$(cat "$data"/trials.jsonl 2>/dev/null | wc -l)" -ge 2 ]; do sleep 1; done
  keep "$2"
}

play dark play-dark greedy-ngram3
play light play-light greedy-schema
inspector light inspector-light
repair dark repair-dark detours
repair light repair-light leak
grammars dark grammars-dark
bench light bench-light constraints
compare dark compare-dark
