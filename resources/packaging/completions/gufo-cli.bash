# Completion for bash of gufo-cli, which itself says what fits (gufo-cli --complete WORD…).
_gufo_cli() {
    # bash divides words at = and : as well. They are put together again where the line has no space between them.
    local rest=${COMP_LINE:0:COMP_POINT} words=() word stripped i
    for ((i = 0; i <= COMP_CWORD; ++i)); do
        stripped=${rest#"${rest%%[![:space:]]*}"}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$stripped
        if ((i > 0)) && [[ $stripped == "$rest" ]]; then words[-1]+=$word; else words+=("$word"); fi
        rest=${stripped#"$word"}
    done
    local current=${words[-1]}
    local kept=${current%"${current##*[=:]}"} # stays in the line, because bash replaces only what follows it
    words=("${words[@]//\\/}") # the names, without the escapes that protect their spaces
    words=("${words[@]/#\~\//$HOME/}")
    COMPREPLY=()
    while IFS= read -r word; do
        if [[ $word == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${current#"$kept"}")
        else
            COMPREPLY+=("${word#"$kept"}")
        fi
    done < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -F _gufo_cli gufo-cli
