#!/usr/bin/env bash
# Tries what ./dev package has made as people would who have nothing else: in new root folders with a bare Debian, it
# installs each package, renders a template, generates tokens, and opens a model through xdg-open in an X server. Builds
# the template engine from the archive of the sources without a network.
#   test_packages.sh PACKAGES [deb|run|console|source|flatpak]…
# Needs root, debootstrap, and Debian's packages. The bare system is kept in build/packages/bare.tar.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
packages=$(realpath "$1")
shift
[ $# != 0 ] || set -- deb run console source flatpak
[ "$(id -u)" = 0 ] || { echo "test_packages: root folders can only be made by root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "test_packages: debootstrap is not installed" >&2; exit 2; }
work=$(mktemp -d)
mounted=()
cleanup() {
    local i
    for ((i = ${#mounted[@]} - 1; i >= 0; --i)); do umount -l "${mounted[i]}" 2>/dev/null || true; done
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT
failures=0
ok() { # what, command…
    local what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok: $what"
    else
        echo "FAILED: $what"
        tail -20 "$work/log"
        failures=$((failures + 1))
    fi
}

# The server of Debian's packages that this machine uses.
mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
    awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { for (i = 2; i <= NF; ++i) if ($i ~ /:\/\//) { print $i; exit } }')

new_root() { # name
    root=$work/$1
    if [ ! -f "$packages/bare.tar" ]; then
        debootstrap --variant=minbase bookworm "$work/bare" "$mirror" >"$work/debootstrap.log"
        tar -C "$work/bare" -cf "$packages/bare.tar" .
    fi
    mkdir "$root"
    tar -C "$root" -xf "$packages/bare.tar"
    mount --bind /proc "$root/proc"
    mount --bind /dev "$root/dev"
    mounted+=("$root/proc" "$root/dev")
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    cp "$source"/resources/sample/*Q4_K*.gguf "$root/tmp/model.gguf"
    inside useradd -m somebody
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"; }
as_user() { inside HOME=/home/somebody setpriv --reuid somebody --regid somebody --clear-groups --no-new-privs "$@"; }
install() { ok "install $*" inside apt-get install -y --no-install-recommends "$@"; }

# Renders a template, which needs the helper, and generates tokens.
try_console() { # command…
    ok "$1 renders a template" as_user sh -c "cd /tmp && $1"' render model.gguf --messages '"'"'[{"role":"user","content":"Who?"}]'"'"' | grep -q "Who?"'
    ok "$1 generates tokens" as_user sh -c "cd /tmp && $1 generate model.gguf -p Once -n 4 --temp 0 --json | grep -c '\"logprob\"' | grep -x 4"
}

# Opens the model as a double click does, and waits for its window.
try_window() {
    ok "xdg-open shows the model in a window" as_user sh -c '
        export DISPLAY=:77 XDG_CURRENT_DESKTOP=GNOME
        Xvfb :77 -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 & server=$!
        trap "kill \$server" EXIT
        sleep 1
        xdg-mime query filetype /tmp/model.gguf
        xdg-open /tmp/model.gguf >/tmp/opened.log 2>&1 &
        for i in $(seq 100); do
            xwininfo -root -tree 2>/dev/null | grep -i "\"[^\"]*model[^\"]*Gufo" && exit 0
            sleep 0.2
        done
        cat /tmp/opened.log; xwininfo -root -tree; exit 1'
}
desktop=(xvfb x11-utils xdg-utils libglib2.0-bin shared-mime-info desktop-file-utils)

for kind in "$@"; do
    echo "== $kind"
    case $kind in
    deb)
        new_root deb
        ok "lists of packages" inside apt-get update
        cp "$packages"/gufo_*.deb "$root/tmp/"
        install "${desktop[@]}" "/tmp/$(basename "$packages"/gufo_*.deb)"
        try_console gufo-cli
        try_window
        ok "manual pages" test -f "$root/usr/share/man/man1/gufo-cli-quantize.1.gz"
        ok "remove" inside apt-get purge -y gufo
        ok "nothing is left" sh -c "! find '$root/usr' -path '*gufo*' | grep ."
        ;;
    run)
        new_root run
        ok "lists of packages" inside apt-get update
        install "${desktop[@]}"
        cp "$packages"/Gufo-*.run "$root/home/somebody/Gufo.run"
        ok "Qt is not installed" sh -c "! ls '$root'/usr/lib/*/libQt6*"
        try_console "/home/somebody/Gufo.run --cli"
        ok "integrates" as_user /home/somebody/Gufo.run --integrate
        try_window
        ok "a home that cannot be written to" as_user env HOME=/nonexistent sh -c "/home/somebody/Gufo.run --cli info /tmp/model.gguf && ! ls -d /tmp/gufo.*"
        ok "separates" as_user sh -c "/home/somebody/Gufo.run --separate && ! find /home/somebody/.local -name '*Gufo*' | grep ."
        ;;
    console)
        new_root console
        tar -C "$root/opt" -xf "$packages"/gufo-cli-*.tar.gz
        try_console "/opt/$(cd "$root/opt" && echo gufo-cli-*)/gufo-cli"
        ;;
    source)
        tar -C "$work" -xf "$packages"/gufo-*-source.tar.gz
        folder=$(echo "$work"/gufo-*[0-9])
        ok "sources configure without a network" unshare -n cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGUFO_BENCH=OFF
        ok "the template helper is built without a network" unshare -n ninja -C "$folder/build" gufo-render-helper
        ok "the commit is known" grep -qE '^[0-9a-f]{7,}$' "$folder/app/source_id.txt"
        ;;
    flatpak)
        ok "the manifest parses, and each source is pinned" python3 -c '
import hashlib, os, sys, yaml
folder = sys.argv[1]
manifest = yaml.safe_load(open(folder + "/org.gufo.Gufo.yml"))
for module in manifest["modules"]:
    for source in module["sources"]:
        assert source["type"] == "inline" or len(source["sha256"]) == 64, module["name"]
        if "path" in source:
            bytes = open(os.path.join(folder, source["path"]), "rb").read()
            assert hashlib.sha256(bytes).hexdigest() == source["sha256"], source["path"]' "$packages"
        ;;
    esac
done
echo "$failures failed"
[ "$failures" = 0 ]
