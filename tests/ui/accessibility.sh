#!/usr/bin/env bash
# accessibility.sh BUILD_DIR: what a screen reader is told about every page (accessibility.py), on a bus of its own.
# Exit code 77: something is missing, skipped.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/../../resources/sample
python=/usr/bin/python3 # Debian's, for which its bindings are
"$python" -c 'import gi; gi.require_version("Atspi", "2.0")' 2>/dev/null || { echo "skipped: gir1.2-atspi-2.0 is not installed"; exit 77; }
launcher=
for each in /usr/libexec/at-spi-bus-launcher /usr/lib/at-spi2-core/at-spi-bus-launcher; do
    [ ! -x "$each" ] || launcher=$each
done
[ -n "$launcher" ] || { echo "skipped: at-spi2-core is not installed"; exit 77; }
command -v dbus-run-session >/dev/null || { echo "skipped: dbus-run-session is not installed"; exit 77; }
[ -n "${DISPLAY:-}" ] || { echo "skipped: there is no display"; exit 77; }

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME=$tmp/home XDG_CONFIG_HOME=$tmp/config XDG_CACHE_HOME=$tmp/cache XDG_DATA_HOME=$tmp/data
export XDG_STATE_HOME=$tmp/state XDG_RUNTIME_DIR=$tmp/runtime
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
unset QT_QPA_PLATFORM DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS
export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 LC_ALL=C.UTF-8
# The buses print what they start.
dbus-run-session -- bash -c '
    launcher=$1
    shift
    "$launcher" --launch-immediately 2>/dev/null &
    trap "kill $!" EXIT
    "$@"' bash "$launcher" "$python" "$here/accessibility.py" "$build/bin/gufo" \
    "$samples"/gufo-sample-1.4M-chat-v1.0-{Q4_K,Q8_0,F16}.gguf 2>"$tmp/errors" || { cat "$tmp/errors"; exit 1; }
