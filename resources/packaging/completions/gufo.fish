# Completion for fish of gufo: its options, which --help lists, and files.
complete -c gufo -a '(gufo --help 2>/dev/null | string replace -rf "^  (--[a-z-]*[a-z]) +(.*)" "\$1\t\$2")'
