#!/usr/bin/env bash
# Builds Stepladder with Vulkan, runs it on Mesa's software device, and compares a greedy reply with the processor's:
# the same tokens, or the first that differs with how close it was. For Debian and its kin; a graphics card is not
# needed. VULKAN_DEVICE is another device than the software one (a number), VULKAN_TARGET another target folder.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
. scripts/setup.sh

target=${VULKAN_TARGET:-$root/target-vulkan}
headers=$target/vulkan-headers
device=${VULKAN_DEVICE:-0}

# llama.cpp wants newer Vulkan headers than Debian 12 has: those of a later Debian are unpacked into a folder of their
# own, and nothing of the system's is changed.
need_headers() {
  [ -e "$headers/usr/include/vulkan/vulkan.hpp" ] && return 0
  have apt-get || fail "the Vulkan headers cannot be fetched without apt; this system; install Vulkan headers of 1.3.275 or newer, set VULKAN_SDK to their folder and run: cargo build --features vulkan"
  local apt=$target/apt mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/\?$') ||
    fail "apt knows no Debian mirror; this system; add one"
  mkdir -p "$apt/lists/partial" "$headers/usr/lib"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$apt/sources.list"
  local options=(-qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt" -o APT::Sandbox::User=root)
  say "Fetching newer Vulkan headers"
  apt-get "${options[@]}" update &&
    (cd "$apt" && apt-get "${options[@]}" download libvulkan-dev) &&
    dpkg-deb -x "$apt"/libvulkan-dev_*.deb "$headers" ||
    fail "the Vulkan headers cannot be fetched; the network; try again"
  # The library itself is the system's.
  local library
  library=$(ldconfig -p | awk '/libvulkan\.so\.1 /{print $NF; exit}')
  ln -sf "$library" "$headers/usr/lib/libvulkan.so"
}

# One greedy reply of a few tokens on a device, as a line of JSON with its trace.
reply_on() {
  STEPLADDER_DATA=$target/data GGML_VK_VISIBLE_DEVICES=$device "$program" run --device "$1" --ctx 512 --threads 2 \
    --task short --preset short --json --trace
}

need_rust
install_for build vulkan || fail "packages are missing; see above; install them by hand"
need_headers
need_model || fail "the default model cannot be fetched; no network, or pip is missing; set STEPLADDER_MODEL to a GGUF file"
export VULKAN_SDK=$headers/usr CMAKE_PREFIX_PATH=$headers/usr
CARGO_TARGET_DIR=$target cargo build --locked --features vulkan || fail "the build failed; see above"
program=$target/debug/stepladder

mkdir -p "$target/data/presets/tasks"
cat >"$target/data/presets/tasks/short.json" <<'JSON'
{"v": 1, "id": "short", "title": "Short", "instruction": "Name three colours as a JSON array.", "schema": {"type": "array"}, "inputs": [{"text": "Go."}]}
JSON
cat >"$target/data/presets/short.json" <<'JSON'
{"v": 1, "name": "short", "title": "Short", "about": "A few greedy tokens.", "style": "plain", "knobs": {"temperature": 0, "max_tokens": 24}, "constraint": {"kind": "none"}}
JSON
say "Devices"
GGML_VK_VISIBLE_DEVICES=$device "$program" devices || exit 2
say "On the processor"
reply_on CPU >"$target/cpu.json" || exit 2
say "On Vulkan0"
reply_on Vulkan0 >"$target/vulkan.json" || exit 2
python3 - "$target/cpu.json" "$target/vulkan.json" <<'PY'
import json, sys

cpu, vulkan = [json.load(open(it)) for it in sys.argv[1:]]
if not vulkan["model"]["device"].startswith("Vulkan0") or vulkan["model"].get("device_fallback"):
    sys.exit(f"error: the reply was not computed on Vulkan0; {vulkan['model']}; look at the driver")
for name, it in (("processor", cpu), ("Vulkan", vulkan)):
    print(f"{name}: {it['model']['device']}, {it['timings']['tokens_per_second']:.1f} tokens/s")
    print(f"  {it['reply']!r}")
pairs = zip(cpu["reply_tokens"], vulkan["reply_tokens"])
n_same = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(cpu["reply_tokens"]), len(vulkan["reply_tokens"])))
if cpu["reply_tokens"] == vulkan["reply_tokens"]:
    print(f"the same {n_same} tokens")
else:
    print(f"the first {n_same} tokens are the same; then:")
    for name, it in (("processor", cpu), ("Vulkan", vulkan)):
        first, second = it["tokens"][n_same]["trace"]["before"][:2]
        gap = first["probability"] - second["probability"]
        print(f"  {name}: {it['tokens'][n_same]['text']!r}, {gap:.4f} of the probability ahead of the next")
PY
