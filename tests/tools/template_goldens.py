#!/usr/bin/env python3
"""Renders chat templates with the reference: Jinja2, configured like Hugging Face transformers.

    tests/tools/template_goldens.py TEMPLATES      (needs python3-jinja2; TEMPLATES: ../shared/thirdparty/templates)

writes into tests/data/template:
    conversations.json  the input of the templates: {name: {variable: value}}
    published.json      {template file: {conversation: {"text"} or {"error", "message"}}}
    features.json       small templates, one for each language feature: {"variables", "cases"}

tst_template_renderer compares the output of Gufo's renderer with these, byte for byte.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from template_conversations import CONVERSATIONS  # noqa: E402
from template_features import DATA, FEATURES  # noqa: E402
from template_reference import reference, render  # noqa: E402

OUT = pathlib.Path(__file__).parent.parent / "data" / "template"


def write(name, content):
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (OUT / name).write_text(text + "\n", encoding="utf-8")


def main():
    environment = reference()
    templates = pathlib.Path(sys.argv[1])
    published = {
        path.name: {
            name: render(environment, path.read_bytes().decode("utf-8"), variables)
            for name, variables in CONVERSATIONS.items()
        }
        for path in sorted(templates.glob("*.jinja"))
    }
    features = {
        "variables": DATA,
        "cases": [
            {"name": name, "template": source, **render(environment, source, DATA)}
            for name, source in dict(FEATURES).items()
        ],
    }
    write("conversations.json", CONVERSATIONS)
    write("published.json", published)
    write("features.json", features)


main()
