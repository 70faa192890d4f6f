#!/usr/bin/env bash
# Installs into a temporary prefix and checks, as a desktop would, that a .gguf file is recognised by magic and by
# suffix, that Gufo is its program, and that xdg-open starts it. Needs no session bus.
#   desktop_integration.sh BUILD_DIR      exit code 77: a tool is missing, skipped
set -euo pipefail

build=$1
for tool in update-mime-database update-desktop-database desktop-file-validate xdg-mime xdg-open gio xmllint; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
tmp=$(mktemp -d)
started=
cleanup() {
    [ -z "$started" ] || kill "$started" 2>/dev/null || true
    rm -rf "$tmp"
}
trap cleanup EXIT
failures=0
check() { # what, expected, found
    if [ "$2" = "$3" ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1: expected '$2', found '$3'"
        failures=$((failures + 1))
    fi
}

prefix=$tmp/prefix
cmake --install "$build" --prefix "$prefix" >/dev/null

for file in bin/gufo bin/gufo-cli share/applications/org.gufo.Gufo.desktop share/mime/packages/org.gufo.Gufo.xml \
    share/icons/hicolor/scalable/apps/org.gufo.Gufo.svg share/metainfo/org.gufo.Gufo.metainfo.xml \
    share/gufo/sample/gufo-sample-1.4M-chat-v1.0-F16.gguf; do
    check "installs $file" yes "$([ -f "$prefix/$file" ] && echo yes || echo no)"
done
check "the desktop file is valid" "" "$(desktop-file-validate "$prefix/share/applications/org.gufo.Gufo.desktop" 2>&1)"
check "the metainfo is well-formed" "" "$(xmllint --noout "$prefix/share/metainfo/org.gufo.Gufo.metainfo.xml" 2>&1)"

# A user's session that knows nothing but the prefix and the system.
export HOME=$tmp/home XDG_DATA_HOME=$tmp/home/.local/share XDG_CONFIG_HOME=$tmp/home/.config
export XDG_CACHE_HOME=$tmp/home/.cache XDG_RUNTIME_DIR=$tmp/runtime XDG_STATE_HOME=$tmp/home/.local/state
export XDG_DATA_DIRS=$prefix/share:/usr/local/share:/usr/share PATH=$prefix/bin:$PATH
export XDG_CURRENT_DESKTOP=GNOME # makes xdg-utils ask GIO, as GNOME, Cinnamon and MATE do
unset DBUS_SESSION_BUS_ADDRESS
mkdir -p "$HOME" "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"

printf 'GGUF\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$tmp/model.gguf" # version 3, no keys, no tensors
cp "$tmp/model.gguf" "$tmp/no-suffix"
printf 'GGUF\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$tmp/big-endian"
printf 'no magic' >"$tmp/suffix-only.gguf"
printf 'no magic' >"$tmp/other.bin"
type_of() { LC_ALL=C gio info -a standard::content-type "$1" | sed -n 's/.*content-type: //p'; }
check "gio knows it by magic and suffix" application/x-gguf "$(type_of "$tmp/model.gguf")"
check "gio knows it by magic alone" application/x-gguf "$(type_of "$tmp/no-suffix")"
check "gio knows the big-endian one" application/x-gguf "$(type_of "$tmp/big-endian")"
check "gio knows it by suffix alone" application/x-gguf "$(type_of "$tmp/suffix-only.gguf")"
check "gio leaves others alone" no "$([ "$(type_of "$tmp/other.bin")" = application/x-gguf ] && echo yes || echo no)"
check "xdg-mime names the type" application/x-gguf "$(xdg-mime query filetype "$tmp/model.gguf")"
check "xdg-mime names the program" org.gufo.Gufo.desktop "$(xdg-mime query default application/x-gguf)"
check "gio names the program" org.gufo.Gufo.desktop \
    "$(LC_ALL=C gio mime application/x-gguf | grep -o 'org.gufo.Gufo.desktop' | head -n 1)"

# Opening: the program that runs must be the installed one, with the file as its argument.
if [ -z "${DISPLAY:-}" ]; then
    echo "skipped: xdg-open, there is no display"
else
    unset QT_QPA_PLATFORM
    xdg-open "$tmp/model.gguf" >/dev/null 2>&1 &
    for _ in $(seq 100); do
        for exe in /proc/[0-9]*/exe; do
            [ "$(readlink "$exe" 2>/dev/null)" = "$prefix/bin/gufo" ] && started=$(basename "$(dirname "$exe")")
        done
        [ -z "$started" ] || break
        sleep 0.1
    done
    check "xdg-open starts the program" yes "$([ -n "$started" ] && echo yes || echo no)"
    if [ -n "$started" ]; then
        check "xdg-open passes the file" "$tmp/model.gguf" "$(tr '\0' '\n' <"/proc/$started/cmdline" | tail -n 1)"
        if command -v xwininfo >/dev/null; then
            title=
            for _ in $(seq 100); do
                title=$(LC_ALL=C.UTF-8 xwininfo -root -tree 2>/dev/null | grep -o '"[^"]*model[^"]*Gufo[^"]*"' | head -n 1) || true
                [ -z "$title" ] || break
                sleep 0.1
            done
            check "its window shows the model" yes "$([ -n "$title" ] && echo yes || echo no)"
            echo "    window title: $title"
        fi
    fi
fi
[ "$failures" = 0 ] || { echo "$failures checks failed"; exit 1; }
