#!/usr/bin/env bash
# guide_html.sh BUILD: the guide as HTML is well-formed XML too, its links lead to pages, and its pictures exist.
set -euo pipefail
pages=$1/app/guide/pages
command -v xmllint >/dev/null || { echo "xmllint is not installed"; exit 77; }
failed=0
while read -r page; do
    xmllint --noout --nonet "$page" || failed=1
    for target in $(grep -oE '(href|src|srcset)="[^"]*"' "$page" | cut -d'"' -f2 | grep -v '^[a-z]*:'); do
        [ -e "$(dirname "$page")/$target" ] || { echo "$page: $target is missing"; failed=1; }
    done
done < <(find "$pages" -name '*.html')
chapters=$(find "$(dirname "$0")/../../resources/guide/en" -name '*.md' | wc -l)
for language in . de ru zh_CN; do
    found=$(find "$pages/$language" -maxdepth 1 -name '*.html' | wc -l)
    [ "$found" = $((chapters + 1)) ] || { echo "$language: $found pages instead of $((chapters + 1))"; failed=1; } # and index.html
done
exit "$failed"
