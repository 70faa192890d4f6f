#!/usr/bin/env python3
"""Writes src/unicode.js: what Python's str methods know about characters, and the names that \\N{...} accepts.

    resources/jinja/unicode_tables.py

The engine of Qt 6.4 knows no Unicode properties in regular expressions. A table of ranges is a text of numbers in base
36, separated by spaces: the distance from the end of the range before, and the length of the range less one (left out
if 0), joined by a comma.
"""

import pathlib
import sys
import unicodedata
from collections import Counter

OUT = pathlib.Path(__file__).parent / "src" / "unicode.js"
ALL = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

# Blocks whose characters a template may name; CJK ideographs and Hangul syllables are computed.
NAMED = [
    (0x20, 0x17F), (0x391, 0x3C9), (0x401, 0x45F), (0x2000, 0x206F), (0x20A0, 0x20BF), (0x2100, 0x214F),
    (0x2190, 0x22FF), (0x2300, 0x23FF), (0x2500, 0x27BF), (0x2900, 0x297F), (0x2B00, 0x2B59), (0x3000, 0x301F),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFFC, 0xFFFD), (0x1F300, 0x1F6FF), (0x1F900, 0x1F9FF), (0x1FA70, 0x1FAFF),
]


def base36(number):
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
        if number == 0:
            return text


def ranges(test):
    found = []
    for char in ALL:
        code = ord(char)
        if test(char):
            if found and found[-1][1] == code - 1:
                found[-1][1] = code
            else:
                found.append([code, code])
    parts = []
    end = 0
    for first, last in found:
        parts.append(base36(first - end) + (f",{base36(last - first)}" if last > first else ""))
        end = last
    return " ".join(parts)


def is_cased(char):
    return unicodedata.category(char) in ("Lu", "Ll", "Lt") or is_other_cased(char)


def is_other_cased(char):
    # Other_Lowercase and Other_Uppercase have no function of their own; islower() and isupper() know them.
    return char.islower() or char.isupper()


def is_case_ignorable(char):
    return unicodedata.category(char) in ("Mn", "Me", "Cf", "Lm", "Sk") or char in "'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a"


def names():
    rows = []
    for first, last in NAMED:
        row = [unicodedata.name(chr(code), "") for code in range(first, last + 1)]
        rows.append((first, row))
    count = Counter(word for _, row in rows for name in row for word in name.split())
    words = sorted((word for word in count if count[word] > 3 and len(word) > 2), key=lambda word: (-count[word], word))
    index = {word: chr(0x4E00 + i) for i, word in enumerate(words)}
    texts = [
        (first, ";".join(" ".join(index.get(word, word) for word in name.split()) for name in row)) for first, row in rows
    ]
    return words, texts


def special(convert, usual):
    """[from, to] of characters that `convert` changes otherwise than `usual`."""
    return " ".join(f"{base36(ord(char))}={convert(char)}" for char in ALL if convert(char) != usual(char))


def line(name, comment, text):
    return f'// {comment}\nexport const {name} = "{text}";\n'


def main():
    words, texts = names()
    version = unicodedata.unidata_version
    parts = [
        f"// Written by unicode_tables.py, which describes it. Unicode {version}.\n",
        line("IDENTIFIER_START", "str.isidentifier() of the character alone", ranges(str.isidentifier)),
        line("IDENTIFIER_PART", "characters of identifiers behind the first", ranges(lambda c: ("a" + c).isidentifier())),
        line("ALPHABETIC", "str.isalpha()", ranges(str.isalpha)),
        line("DECIMAL", "str.isdecimal(): runs of ten, the first of which is 0", ranges(str.isdecimal)),
        line("DIGIT", "str.isdigit() without the former", ranges(lambda c: c.isdigit() and not c.isdecimal())),
        line("NUMERIC", "str.isnumeric() without the former", ranges(lambda c: c.isnumeric() and not c.isdigit())),
        line("PRINTABLE", "str.isprintable()", ranges(str.isprintable)),
        line("UPPER", "str.isupper()", ranges(str.isupper)),
        line("LOWER", "str.islower()", ranges(str.islower)),
        line("CASED", "has a case", ranges(is_cased)),
        line("CASE_IGNORABLE", "is passed over in the search for a final sigma", ranges(is_case_ignorable)),
        line("TITLE", "str.title() where str.upper() differs: code=text", special(str.title, str.upper)),
        line("FOLDED", "str.casefold() where str.lower() differs: code=text", special(str.casefold, str.lower)),
        line("NAME_WORDS", "words of NAMES, which has U+4E00 for the first", " ".join(words)),
        "// Names from a code on, separated by semicolons.\nexport const NAMES = [\n"
        + "".join(f'\t[0x{first:x}, "{text}"],\n' for first, text in texts)
        + "];\n",
    ]
    OUT.write_text("\n".join(parts), encoding="utf-8")


main()
