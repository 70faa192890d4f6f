# Completion for fish of gufo-cli, which itself says what fits (gufo-cli --complete WORD…).
function __gufo_cli_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (command $words[1] --complete $words[2..-1] 2>/dev/null)
    string match -v -- :files $found
    if contains -- :files $found
        __fish_complete_path (commandline -ct)
    end
end
complete -c gufo-cli -f -a '(__gufo_cli_complete)'
