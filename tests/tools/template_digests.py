#!/usr/bin/env python3
"""Writes core/text/audit/known_templates.inc: digests of published chat templates, whole and of their pieces.

    template_digests.py FOLDER > core/text/audit/known_templates.inc

FOLDER contains the templates as OWNER-MODEL.jinja or MODEL.jinja. The texts themselves belong to their authors and are
not kept. known_templates.cpp divides a template into the same pieces.
"""
import hashlib
import os
import re
import sys

OWNERS = ("NVIDIA", "NousResearch", "Qwen", "deepseek-ai", "google", "meta-llama", "microsoft", "mistralai", "openai", "upstage")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def pieces(source: str) -> list[str]:
    found = []
    for line in source.split("\n"):
        for piece in re.split(r"(?<=[%}]\})", line):
            if piece.strip(" \t\r"):
                found.append(piece.strip(" \t\r"))
    return found


def name_of(file: str) -> str:
    name = file.removesuffix(".jinja")
    for owner in OWNERS:
        if name.startswith(owner + "-"):
            return name[len(owner) + 1:]
    return name


print("// Digests of published chat templates, made by tests/tools/template_digests.py. Columns: name, SHA-256 of the text")
print("// without white space around it, and the first 8 digits of the SHA-256 of each of its pieces, sorted.")
for file in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], file), encoding="utf-8", newline="") as text:
        source = text.read().replace("\r\n", "\n")
    numbers = sorted({digest(piece)[:8] for piece in pieces(source)})
    whole = digest(source.strip(" \t\r\n"))
    print(f'GUFO_KNOWN_TEMPLATE("{name_of(file)}", "{whole}",')
    for i in range(0, len(numbers), 100):
        print('    "' + "".join(numbers[i:i + 100]) + '"')
    print(")")
