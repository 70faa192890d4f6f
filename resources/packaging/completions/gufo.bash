# Completion for bash of gufo: its options, which --help lists, and files.
_gufo() {
    local current=${COMP_WORDS[COMP_CWORD]}
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(gufo --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\) .*/\1/p')" -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _gufo gufo
