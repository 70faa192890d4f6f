"""Jinja2 as Hugging Face transformers sets it up: what Gufo's renderer is compared with. Needs python3-jinja2."""

import datetime
import json

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = [2026, 11, 21, 15, 4, 5]  # Saturday


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
        template = environment.from_string(source)
    except Exception as error:  # of Jinja2's parser, or of Python's, which compiles what Jinja2 makes of it
        return {"error": "syntax", "message": str(error)}
    try:
        return {"text": template.render(**variables)}
    except Raised as error:
        return {"error": "raised", "message": str(error)}
    except Exception as error:  # any exception of Python's own operators
        return {"error": type(error).__name__, "message": str(error)}
