#!/usr/bin/env bash
# Makes everything that people download, from a complete build:
#   make_packages.sh BUILD OUT
# OUT gets a Debian package; Gufo-VERSION-MACHINE.run, one file that runs where Qt is not installed; an archive with
# gufo-cli alone; an archive of the sources that builds without the network; and the manifest of a Flatpak of these
# sources. Tested by test_packages.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
version=$(sed -n 's/^project(Gufo VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
machine=$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "packages: $*" >&2; }

# Libraries that come from the system where it has them, because they belong to its X server, graphics driver and fonts.
# Bundles contain them nevertheless, in a folder of their own, for systems that lack some.
fallbacks='^lib(X11|X11-xcb|xcb|Xau|Xdmcp|EGL|GL|GLX|OpenGL|GLdispatch|fontconfig|freetype|expat|bsd|md|uuid)\.so'
# The C library of the system, which the bundle's must not replace.
never='^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl))\.so'

# Copies the libraries that the files need, and those that the libraries need, into a folder.
copy_libraries() { # folder, files…
    local folder=$1 name path
    shift
    mkdir -p "$folder/fallback"
    # The last awk prints each library once: "libz.so.1 /lib/x86_64-linux-gnu/libz.so.1".
    ldd "$@" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u | while read -r name path; do
        if [[ $name =~ $never ]]; then continue; fi
        if [[ $name =~ $fallbacks ]]; then cp -L "$path" "$folder/fallback/$name"; else cp -L "$path" "$folder/$name"; fi
    done
}

# Makes the programs and libraries of a bundle find the libraries beside them, wherever it lies.
set_paths() { # bundle
    local file
    find "$1" -type f \( -name '*.so*' -o -perm -u+x \) | while read -r file; do
        head -c4 "$file" | grep -q ELF || continue
        chmod u+w "$file"
        patchelf --set-rpath "\$ORIGIN/$(realpath --relative-to "$(dirname "$file")" "$1/lib")" "$file"
        strip --strip-unneeded "$file"
    done
}

install_program() { # prefix
    cmake --install "$build" --prefix "$1" --strip >/dev/null
}

make_debian_package() {
    say "Debian package"
    (cd "$build" && cpack -G DEB -B "$work/deb" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log" >&2; exit 1; }
    cp "$work"/deb/*.deb "$out"
}

make_run_file() {
    say "one file with everything"
    local bundle=$work/bundle plugins
    install_program "$bundle"
    plugins=$(qmake6 -query QT_INSTALL_PLUGINS)
    mkdir -p "$bundle/plugins"
    local kind
    for kind in iconengines imageformats platforminputcontexts platforms platformthemes tls xcbglintegrations \
        wayland-decoration-client wayland-graphics-integration-client wayland-shell-integration; do
        [ ! -d "$plugins/$kind" ] || cp -r "$plugins/$kind" "$bundle/plugins/"
    done
    # Those of embedded devices, and those that need a whole other desktop.
    rm -f "$bundle"/plugins/platforms/libq{eglfs,linuxfb,minimalegl,vkkhrdisplay,vnc}.so \
        "$bundle"/plugins/platformthemes/libqgtk3.so
    # The words of Qt's own dialogs in the languages of the catalogues.
    mkdir -p "$bundle/translations"
    local language
    for language in "$source"/resources/translations/gufo_*.ts; do
        language=$(basename "$language" .ts)
        cp "$(qmake6 -query QT_INSTALL_TRANSLATIONS)/qtbase_${language#gufo_}.qm" "$bundle/translations/" 2>/dev/null || true
    done
    printf '[Paths]\nPrefix = ..\nPlugins = plugins\nTranslations = translations\n' | tee "$bundle/bin/qt.conf" >"$bundle/libexec/gufo/qt.conf"
    sed -i 's/Prefix = ../&\/../' "$bundle/libexec/gufo/qt.conf"
    find "$bundle/bin" "$bundle/libexec" "$bundle/plugins" -type f -perm -u+r \( -name '*.so' -o -perm -u+x \) -print0 |
        xargs -0 bash -c 'copy_libraries "$0" "$@"' "$bundle/lib"
    set_paths "$bundle"
    tar -C "$bundle" --sort=name --owner=0 --group=0 --mtime=@0 -cf - . | gzip -9n >"$work/bundle.tar.gz"
    local file=$out/Gufo-$version-$machine.run digest lines
    digest=$(sha256sum "$work/bundle.tar.gz" | cut -c1-16)
    lines=$(($(wc -l <"$here/run_file.sh") + 1))
    sed -e "s/@VERSION@/$version/; s/@DIGEST@/$digest/; s/@LINES@/$lines/" "$here/run_file.sh" |
        cat - "$work/bundle.tar.gz" >"$file"
    chmod +x "$file"
}

make_console_archive() {
    say "gufo-cli alone"
    local name=gufo-cli-$version-$machine
    local folder=$work/$name
    install_program "$work/all"
    mkdir -p "$folder/bin" "$folder/libexec/gufo" "$folder/plugins/tls"
    cp "$work/all/bin/gufo-cli" "$folder/bin/"
    cp "$work"/all/libexec/gufo/* "$folder/libexec/gufo/"
    cp "$(qmake6 -query QT_INSTALL_PLUGINS)"/tls/*.so "$folder/plugins/tls/"
    printf '[Paths]\nPrefix = ..\nPlugins = plugins\n' >"$folder/bin/qt.conf"
    (cd "$work/all" && cp -r --parents share/man/man1/gufo-cli* share/bash-completion/completions/gufo-cli \
        share/zsh/vendor-completions/_gufo-cli share/fish/vendor_completions.d/gufo-cli.fish share/doc "$folder/")
    copy_libraries "$folder/lib" "$folder"/bin/gufo-cli "$folder"/libexec/gufo/* "$folder"/plugins/tls/*.so
    [ -n "$(ls "$folder/lib/fallback")" ] || rmdir "$folder/lib/fallback"
    if ls "$folder"/lib/libQt6Gui* >/dev/null 2>&1; then
        say "gufo-cli must not need Qt Gui"
        exit 1
    fi
    set_paths "$folder"
    ln -s bin/gufo-cli "$folder/gufo-cli"
    tar -C "$work" --sort=name --owner=0 --group=0 -czf "$out/$name.tar.gz" "$name"
}

# git archive writes the commit into app/source_id.txt.
make_source_archive() {
    say "sources"
    local name=gufo-$version
    git -C "$source" archive --prefix="$name/" -o "$out/$name-source.tar.gz" HEAD
    sed -e "s/@VERSION@/$version/; s/@SHA256@/$(sha256sum "$out/$name-source.tar.gz" | cut -d' ' -f1)/" \
        "$here/org.gufo.Gufo.yml.in" >"$out/org.gufo.Gufo.yml"
}

export -f copy_libraries
export fallbacks never
make_debian_package
make_run_file
make_console_archive
make_source_archive
(cd "$out" && sha256sum -- *.deb *.run *.tar.gz *.yml >SHA256SUMS)
ls -lh "$out" >&2
