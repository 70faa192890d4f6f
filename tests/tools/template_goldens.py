#!/usr/bin/env python3
"""Renders chat templates with the reference: Jinja2, configured like Hugging Face transformers.

    tests/tools/template_goldens.py TEMPLATES      (needs python3-jinja2; TEMPLATES: ../shared/thirdparty/templates)

writes into tests/data/template:
    conversations.json  the input of the templates: {name: {variable: value}}
    published.json      {template file: {conversation: {"text"} or {"error", "message"}}}
    features.json       small templates, one for each language feature: {"variables", "cases"}

tst_template_renderer compares the output of Gufo's renderer with these, byte for byte.
"""

import datetime
import json
import pathlib
import sys

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from template_conversations import CONVERSATIONS  # noqa: E402
from template_features import DATA, FEATURES  # noqa: E402

NOW = [2026, 11, 21, 15, 4, 5]  # Saturday
OUT = pathlib.Path(__file__).parent.parent / "data" / "template"


class Generation(Extension):
    """{% generation %} … {% endgeneration %} marks the assistant's text; renders its body."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


class Raised(jinja2.exceptions.TemplateError):
    """Raised by raise_exception, to distinguish it from Jinja2's own errors."""


def raise_exception(message):
    raise Raised(message)


def strftime_now(format):
    return datetime.datetime(*NOW).strftime(format)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def reference():
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = strftime_now
    return environment


def render(environment, source, variables):
    try:
        return {"text": environment.from_string(source).render(**variables)}
    except Raised as error:
        return {"error": "raised", "message": str(error)}
    except (jinja2.exceptions.TemplateSyntaxError, SyntaxError) as error:
        return {"error": "syntax", "message": str(error)}
    except Exception as error:  # any exception of Python's own operators
        return {"error": type(error).__name__, "message": str(error)}


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
