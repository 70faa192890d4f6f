#!/bin/sh
# Gufo @VERSION@ with Qt and everything else that it needs. The first start unpacks it into the user's cache; then it runs
# from there.
#   Gufo-….run [FILE…]            opens the window
#   Gufo-….run --cli VERB …       runs gufo-cli, as does a link to this file with that name
#   Gufo-….run --integrate        makes file managers open models with it; --separate undoes that
#   Gufo-….run --unpack FOLDER    only unpacks
set -e
self=$(readlink -f "$0")

unpack() { # folder
    tail -n +@LINES@ "$self" | tar -xzf - -C "$1"
    # Libraries that the system has too are used from there, because they must match its drivers.
    known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null) || known=
    for library in "$1"/lib/fallback/*; do
        case $known in
        *"${library##*/} "*) ;;
        *) ln -s "fallback/${library##*/}" "$1/lib/${library##*/}" ;;
        esac
    done
}

if [ "${1:-}" = --unpack ]; then
    mkdir -p "${2:?the folder is missing}"
    unpack "$2"
    exit
fi
program=gufo
case ${0##*/} in gufo-cli*) program=gufo-cli ;; esac
if [ "${1:-}" = --cli ]; then
    program=gufo-cli
    shift
fi

data=${XDG_DATA_HOME:-${HOME:-/nonexistent}/.local/share}
refresh() {
    for tool in "update-mime-database $data/mime" "update-desktop-database $data/applications"; do
        command -v "${tool%% *}" >/dev/null && $tool 2>/dev/null || true
    done
}
if [ "${1:-}" = --separate ]; then
    rm -f "$data/applications/org.gufo.Gufo.desktop" "$data/mime/packages/org.gufo.Gufo.xml" \
        "$data/icons/hicolor/scalable/apps/org.gufo.Gufo.svg"
    refresh
    exit
fi

cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/gufo
folder=$cache/program-@DIGEST@
if [ ! -x "$folder/bin/gufo" ]; then
    if mkdir -p "$cache" 2>/dev/null && new=$(mktemp -d "$cache/unpacking.XXXXXX" 2>/dev/null); then
        trap 'rm -rf "$new"' EXIT INT TERM HUP
        unpack "$new"
        mv -T "$new" "$folder" 2>/dev/null || [ -x "$folder/bin/gufo" ] # another start was faster
        rm -rf "$new"
        trap - EXIT INT TERM HUP
        # Removes other versions, unless one of their programs runs.
        for old in "$cache"/program-*; do
            if [ "$old" != "$folder" ] && ! ls -l /proc/[0-9]*/exe 2>/dev/null | grep -qF " $old/"; then rm -rf "$old"; fi
        done
    else # nothing can be written there: unpacked for this run alone
        folder=$(mktemp -d "${TMPDIR:-/tmp}/gufo.XXXXXX")
        trap 'rm -rf "$folder"' EXIT INT TERM HUP
        unpack "$folder"
        status=0
        "$folder/bin/$program" "$@" || status=$?
        exit $status
    fi
fi
if [ "${1:-}" = --integrate ]; then
    for file in mime/packages/org.gufo.Gufo.xml icons/hicolor/scalable/apps/org.gufo.Gufo.svg; do
        mkdir -p "$data/${file%/*}"
        cp "$folder/share/$file" "$data/$file"
    done
    mkdir -p "$data/applications"
    quoted=$(printf %s "$self" | sed 's/[\\"`$]/\\\\&/g; s/[&|]/\\&/g') # as desktop files and then sed want it
    sed "s|^Exec=gufo|Exec=\"$quoted\"|; /^TryExec=/d" "$folder/share/applications/org.gufo.Gufo.desktop" \
        >"$data/applications/org.gufo.Gufo.desktop"
    refresh
    exit
fi
exec "$folder/bin/$program" "$@"
