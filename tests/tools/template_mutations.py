#!/usr/bin/env python3
"""Compares Gufo's rendering of mutated templates with Jinja2's, configured like Hugging Face transformers.

    tests/tools/template_mutations.py HELPER [--count 100000] [--seed 1] [--templates DIR] [--list]
    tests/tools/template_mutations.py --write 1500

The first form runs gufo-render-helper and prints how often both agree, every template that Gufo accepts and Jinja2
refuses, the reverse, and (with --list) every difference of rendering. The exit code is 1 if Gufo accepts a template
that Jinja2 refuses. The second form writes tests/data/template/mutations.json, which tst_template_renderer renders
without Jinja2. Needs python3-jinja2.

A mutation takes one of the templates of template_features.py or one of DIR and inserts, removes, swaps, repeats or
replaces tokens and characters. What depends on chance or on addresses in memory is left out.
"""

import argparse
import json
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from template_conversations import CONVERSATIONS  # noqa: E402
from template_features import DATA, FEATURES  # noqa: E402
from template_reference import NOW, reference, render  # noqa: E402

OUT = pathlib.Path(__file__).parent.parent / "data" / "template" / "mutations.json"
SOCKET = 3  # the helper's descriptor

TOKEN = re.compile(r"\{[{%#][-+]?|[-+]?[}%#]\}|\w+|\s+|'[^'\n]*'|\"[^\"\n]*\"|//|\*\*|[=!<>]=|.", re.S)
PIECES = (
    "{{ }} {% %} {# #} {{- -}} {%- -%} {%+ +%} ( ) [ ] { } , , , : : ; . | = == != < > <= >= + - * ** / // % ~ ' \" if elif "
    "else endif for endfor in not and or is set endset macro endmacro call endcall filter endfilter with endwith block "
    "endblock raw endraw autoescape endautoescape generation endgeneration break continue print include import from as "
    "extends recursive scoped required loop loop.index true false none None True x y ns 0 1 2 1.5 1e3 0x1f 1_0 'a' 'b' \"c\" "
    "[] () {} (1,) [1,2] {'a':1} |upper |trim |list |length |first |join(',') |default('d') |tojson |int |items |sort |map "
    "is defined is none is in is mapping .x [0] [1:] [::2] [] (1) (a=1) (*x) (**y) * ** \\ \\n \\x41 \\u00e9 \\N{EM DASH} é ä © ² \u0663 @ $ ? ! & ^ `"
).split(" ")
# Jinja2 computes constant expressions when it compiles, where the slice of a number is undefined instead of an error.
FOLDED = re.compile(r"(\d|none|true|false)\s*\[[^\]]*:|\[[^\]]*:[^\]]*['\"]", re.I)
UNSTEADY = re.compile(r"random| at 0x|generator object|<function|built-in|bound method|<class|<module|jinja2\.|lipsum|Cycler|Joiner|object at")


def mutate(chance, source):
    tokens = TOKEN.findall(source)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
        if not tokens:
            tokens = [chance.choice(PIECES)]
        at = chance.randrange(len(tokens))
        kind = chance.randrange(8)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, chance.choice(PIECES))
        elif kind == 2:
            tokens.insert(at, " " + chance.choice(PIECES) + " ")
        elif kind == 3:
            tokens[at] = chance.choice(PIECES)
        elif kind == 4:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 5:
            tokens.insert(at, tokens[at])
        elif kind == 6:
            tokens[at] = tokens[chance.randrange(len(tokens))]
        else:
            text = tokens[at]
            cut = chance.randrange(len(text) + 1)
            tokens[at] = text[:cut] + chance.choice(("", "'", '"', "}", "{", "%", "-", "\\", "(", ")")) + text[cut + 1 :]
    return "".join(tokens)


def seeds(folder):
    """(template, name of its variables)"""
    found = [(source, "features") for _, source in FEATURES]
    if folder is not None:
        names = [name for name in CONVERSATIONS]
        for path in sorted(pathlib.Path(folder).glob("*.jinja")):
            found += [(path.read_text(encoding="utf-8"), names[0])]
    return found


class Late(Exception):
    """Jinja2 takes too long: a mutation has made a loop long."""


def late(*_):
    raise Late


class Helper:
    """gufo-render-helper: frames of JSON over its descriptor 3."""

    def __init__(self, program):
        self.program = program
        self.start()

    def start(self):
        self.socket, other = socket.socketpair()
        number = other.fileno()
        # The shell gives the helper its descriptor, whatever number the socket has here.
        command = ["/bin/bash", "-c", f'exec "$0" {SOCKET}<&{number} {SOCKET}>&{number}', self.program]
        self.process = subprocess.Popen(command, pass_fds=[number])
        other.close()
        self.read()

    def read(self):
        head = self.exactly(4)
        return json.loads(self.exactly(struct.unpack("<I", head)[0]))

    def exactly(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def render(self, source, variables):
        request = {"template": source, "variables": variables, "now": NOW, "checkOnly": False}
        data = json.dumps(request).encode()
        try:
            self.socket.sendall(struct.pack("<I", len(data)) + data)
            return self.read()
        except (EOFError, OSError):
            self.process.wait()
            self.start()
            return {"error": {"code": "timed_out", "args": []}}


RENDERING_CODES = ("runtime_error", "raised", "timed_out", "out_of_memory", "unsupported", "unsupported_tag", "integer_too_large", "output_too_long")


def refused_by_gufo(reply):
    """Whether Gufo refuses the template before rendering it."""
    error = reply.get("error")
    return error is not None and error["code"] not in RENDERING_CODES


def expected(environment, source, variables):
    """{"text"}, {"error", "message"}, or None if it cannot be compared."""
    signal.setitimer(signal.ITIMER_REAL, 2)
    try:
        result = render(environment, source, variables)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Late:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    shown = result.get("text", "") + result.get("message", "")
    if len(shown) > 100000 or UNSTEADY.search(shown) or "Late" in result.get("error", ""):
        return None
    try:
        shown.encode()
    except UnicodeEncodeError:  # half a pair of surrogates, which UTF-8 does not hold
        return None
    return result


def variables_of(name):
    return DATA if name == "features" else CONVERSATIONS[name]


def cases(arguments, environment):
    chance = random.Random(arguments.seed)
    all_seeds = seeds(arguments.templates)
    long = [seed for seed in all_seeds if len(seed[0]) > 600]
    short = [seed for seed in all_seeds if len(seed[0]) <= 600]
    for _ in range(arguments.count):
        source, name = chance.choice(long if long and chance.random() < 0.1 else short)
        mutated = mutate(chance, source)
        if "random" in mutated or len(mutated) > 20000:
            continue
        wanted = expected(environment, mutated, variables_of(name))
        if wanted is not None:
            yield mutated, name, wanted


def compare(arguments, environment):
    helper = Helper(arguments.helper)
    texts = {name: {key: json.dumps(value) for key, value in variables_of(name).items()} for name in ["features", *CONVERSATIONS]}
    count = {"compared": 0, "refused by both": 0, "rendered alike": 0, "failed alike": 0}
    wrong = {"accepted though Jinja2 refuses": [], "refused though Jinja2 accepts": [], "rendered differently": [], "fails in Jinja2 alone": [], "fails in other words": []}
    for source, name, wanted in cases(arguments, environment):
        reply = helper.render(source, texts[name])
        error = reply.get("error")
        count["compared"] += 1
        refused = wanted.get("error") == "syntax"
        is_huge = error is not None and error["code"] == "integer_too_large"  # Jinja2 finds some while it compiles
        if refused and (refused_by_gufo(reply) or is_huge):
            count["refused by both"] += 1
        elif refused:
            wrong["accepted though Jinja2 refuses"].append((source, wanted, reply))
        elif wanted.get("error") == "RecursionError" and error is not None and error["code"] == "too_deep":
            count["failed alike"] += 1
        elif wanted.get("error") == "TemplateRuntimeError" and error is not None and error["code"].startswith("unknown_"):
            count["failed alike"] += 1
        elif refused_by_gufo(reply):
            wrong["refused though Jinja2 accepts"].append((source, wanted, reply))
        elif wanted.get("text") is not None:
            alike = reply.get("text") == wanted["text"]
            if alike:
                count["rendered alike"] += 1
            else:
                wrong["rendered differently"].append((source, wanted, reply))
        elif error is not None and (error["args"] == [wanted["error"], wanted["message"]] or error["code"] == "raised"):
            count["failed alike"] += 1
        else:
            wrong["fails in Jinja2 alone" if error is None else "fails in other words"].append((source, wanted, reply))
    for what, number in count.items():
        print(f"{what}: {number}")
    for what, found in wrong.items():
        print(f"{what}: {len(found)}")
    for what, found in wrong.items():
        if what.startswith(("accepted", "refused")) or arguments.list:
            for source, wanted, reply in found[: arguments.shown]:
                got = reply.get("text", reply.get("error"))
                print(f"\n{what}: {source!r}\n  Jinja2: {str(wanted)[:300]}\n  Gufo:   {str(got)[:300]}")
    return 1 if wrong["accepted though Jinja2 refuses"] else 0


def write(arguments, environment):
    arguments.count = arguments.write * 4
    arguments.templates = None
    rows = []
    seen = set()
    for source, _, wanted in cases(arguments, environment):
        if len(source) <= 160 and not FOLDED.search(source) and source not in seen and len(str(wanted)) < 300:
            seen.add(source)
            rows.append([source, wanted["text"] if "text" in wanted else None if wanted["error"] == "syntax" else [wanted["error"]]])
        if len(rows) == arguments.write:
            break
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    OUT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("helper", nargs="?")
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--templates")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--shown", type=int, default=200)
    parser.add_argument("--write", type=int, default=0)
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, late)
    if arguments.write == 0 and arguments.helper is None:
        parser.error("the path of gufo-render-helper, or --write")
    environment = reference()
    sys.exit(write(arguments, environment) if arguments.write else compare(arguments, environment))


main()
