"""Makes the JSON schemas of tests/data/grammar/schema_cases.jsonl, with documents that a reference validator accepts or
refuses: python3-jsonschema, draft 2020-12. Numbers are decimals, so that 0.3 is a multiple of 0.1.

    /usr/bin/python3 tests/tools/schema_cases.py tests/data/grammar/schema_cases.jsonl [COUNT [SEED]]

Each line is [schema, [accepted documents], [refused documents]], where documents are texts.
"""
import json
import random
import sys
from decimal import Decimal

import jsonschema

WORDS = ["a", "b", "ab", "x_1", "x_2", "é", "long name", "", "q\"", "n\n", "12", "猫"]
PATTERNS = ["^[a-z]*$", "b", "^x_", "^(a|bc)+$", "^[0-9]{1,3}$", "[^a]$", "^.{2,4}$", "^(?!ab)", "^(?=.*[0-9])[a-z0-9_]+$",
            "a|^$", "^\\S+$", "(^a|b$)"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def number(self):
        return self.pick([0, 1, 2, 3, 5, 7, 10, 12, 100, -1, -5, Decimal("0.5"), Decimal("1.5"), Decimal("-2.25"),
                          Decimal("0.3"), 1000, 12345678901234567890])

    def scalar(self):
        return self.pick([None, True, False, self.number(), self.pick(WORDS)])

    def value(self, depth=0):
        if depth > 2 or self.chance(0.6):
            return self.scalar()
        if self.chance(0.5):
            return [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]
        return {self.pick(WORDS): self.value(depth + 1) for _ in range(self.random.randint(0, 3))}

    def string(self):
        schema = {"type": "string"}
        if self.chance(0.5):
            schema["pattern"] = self.pick(PATTERNS)
        if self.chance(0.3):
            schema["minLength"] = self.random.randint(0, 3)
        if self.chance(0.3):
            schema["maxLength"] = self.random.randint(2, 6) if self.chance(0.9) else 100_000
        if self.chance(0.2):
            schema["not"] = self.pick([{"const": "a"}, {"enum": ["a", "ab", "12"]}, {"pattern": self.pick(PATTERNS)},
                                       {"maxLength": 1}])
        return schema

    def numeric(self):
        schema = {"type": self.pick(["integer", "number"])}
        if self.chance(0.4):
            schema[self.pick(["minimum", "exclusiveMinimum"])] = self.number()
        if self.chance(0.4):
            schema[self.pick(["maximum", "exclusiveMaximum"])] = self.number()
        if self.chance(0.4):
            schema["multipleOf"] = self.pick([1, 2, 3, 5, 7, 10, 100, Decimal("0.5"), Decimal("0.1"), Decimal("0.25")])
        if self.chance(0.2):
            schema["not"] = self.pick([{"const": self.number()}, {"enum": [0, 1, 10]}, {"multipleOf": 2}, {"minimum": 3}])
        return schema

    def array(self, depth):
        schema = {"type": "array"}
        if self.chance(0.8):
            schema["items"] = self.schema(depth + 1)
        if self.chance(0.2):
            schema["prefixItems"] = [self.schema(depth + 1) for _ in range(self.random.randint(1, 2))]
        if self.chance(0.3):
            schema["minItems"] = self.random.randint(0, 2)
        if self.chance(0.3):
            schema["maxItems"] = self.random.randint(1, 4)
        if self.chance(0.35):
            schema["uniqueItems"] = True
        if self.chance(0.2):
            schema["contains"] = self.schema(depth + 2)
            if self.chance(0.3):
                schema["minContains"] = self.random.randint(0, 2)
            if self.chance(0.2):
                schema["maxContains"] = self.random.randint(1, 2)
        return schema

    def object(self, depth):
        schema = {"type": "object"} if self.chance(0.9) else {}
        names = self.random.sample(WORDS, self.random.randint(0, 3))
        if names:
            schema["properties"] = {name: self.schema(depth + 1) for name in names}
            schema["required"] = [name for name in names if self.chance(0.5)]
        if self.chance(0.4):
            schema["additionalProperties"] = self.pick([False, True, self.schema(depth + 1)])
        if self.chance(0.2):
            schema["patternProperties"] = {self.pick(PATTERNS): self.schema(depth + 1)
                                           for _ in range(self.random.randint(1, 2))}
        if self.chance(0.15):
            schema["propertyNames"] = self.pick([{"pattern": self.pick(PATTERNS)}, {"maxLength": 3}, {"enum": WORDS[:4]},
                                                 {"minLength": 1}])
        if self.chance(0.2):
            schema["minProperties"] = self.random.randint(0, 3)
        if self.chance(0.2):
            schema["maxProperties"] = self.random.randint(1, 4)
        if self.chance(0.15) and names:
            schema["dependentRequired"] = {self.pick(names): [self.pick(WORDS)]}
        if self.chance(0.1) and names:
            schema["dependentSchemas"] = {self.pick(names): {"minProperties": 2}}
        if self.chance(0.2) and names:
            schema["if"] = {"properties": {names[0]: self.pick([{"const": self.scalar()}, {"type": "string"}])}}
            schema["then"] = self.pick([{"required": [self.pick(WORDS)]}, {"maxProperties": 2}, {"minProperties": 1}])
            if self.chance(0.5):
                schema["else"] = self.pick([{"required": [self.pick(WORDS)]}, {"minProperties": 1}])
        return schema

    def schema(self, depth=0):
        if depth > 3:
            return self.pick([True, {"type": "null"}, {"type": "boolean"}, {"type": "integer"}, {"type": "string"}])
        kind = self.random.randint(0, 13)
        if kind < 2:
            return self.string()
        if kind < 4:
            return self.numeric()
        if kind < 6:
            return self.array(depth)
        if kind < 9:
            return self.object(depth)
        if kind == 9:
            return {"enum": [self.value() for _ in range(self.random.randint(1, 5))]}
        if kind == 10:
            return {"const": self.value()}
        if kind == 11:
            parts = [self.schema(depth + 1) for _ in range(self.random.randint(1, 3))]
            return {self.pick(["anyOf", "anyOf", "oneOf", "allOf"]): parts}
        if kind == 12:
            base = self.schema(depth + 1)
            if isinstance(base, dict):
                extra = self.pick([{"not": self.pick([{"type": "null"}, {"type": "integer"}, {"enum": [1, "a", None]}])},
                                   {"anyOf": [self.schema(depth + 2), True]}, {"$comment": "a note", "x-order": 3},
                                   {"nullable": True, "examples": [1], "discriminator": {"propertyName": "a"}},
                                   {"enum": [self.value() for _ in range(3)]}])
                base = {**extra, **base}
            return base
        return self.pick([True, {}, {"type": ["string", "null"]}, {"type": ["integer", "boolean"]}, {"$ref": "#/$defs/t"}])

    def root(self):
        schema = self.schema()
        while not isinstance(schema, dict):
            schema = self.schema()
        schema["$defs"] = {"t": self.pick([
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/t"}}, "required": ["a"]},
            {"type": "array", "items": {"$ref": "#/$defs/t"}, "maxItems": 2}, {"type": "string", "maxLength": 3}])}
        return schema

    # Something that a schema may accept, following only its most telling keywords.
    def guess(self, schema, root, depth=0):
        if not isinstance(schema, dict) or depth > 6 or self.chance(0.03):
            return self.value(1)
        if "$ref" in schema:
            return self.guess(root["$defs"]["t"], root, depth + 1)
        if "enum" in schema:
            return self.pick(schema["enum"])
        if "const" in schema:
            return schema["const"]
        for keyword in ("anyOf", "oneOf", "allOf"):
            if keyword in schema:
                guessed = self.guess(self.pick(schema[keyword]), root, depth + 1)
                if keyword != "allOf" or not isinstance(guessed, dict):
                    return guessed
                for part in schema[keyword]:
                    more = self.guess(part, root, depth + 1)
                    guessed = {**guessed, **more} if isinstance(more, dict) else guessed
                return guessed
        types = schema.get("type", "object" if "properties" in schema else None)
        types = self.pick(types) if isinstance(types, list) else types
        if types == "string":
            letters = self.pick(["ab", "abc", "12", "x_1", "é猫", "zy", "bc"])
            text = "".join(self.pick(letters) for _ in range(self.random.randint(0, 4)))
            return self.pick([text, text, "x_" + text, self.pick(WORDS)])
        if types in ("integer", "number"):
            step = schema.get("multipleOf", 1 if types == "integer" else Decimal("0.25"))
            base = schema.get("minimum", schema.get("maximum", schema.get("exclusiveMinimum", 0)))
            return step * (base // step + self.random.randint(-2, 4)) if self.chance(0.8) else self.number()
        if types == "boolean":
            return self.chance(0.5)
        if types == "null":
            return None
        if types == "array":
            prefix = schema.get("prefixItems", [])
            size = self.random.randint(schema.get("minItems", 0), max(schema.get("maxItems", 4), schema.get("minItems", 0)))
            return [self.guess(prefix[i] if i < len(prefix) else schema.get("items", True), root, depth + 1)
                    for i in range(size)]
        if types == "object":
            properties = schema.get("properties", {})
            required = schema.get("required", [])
            made = {name: self.guess(part, root, depth + 1) for name, part in properties.items()
                    if name in required or self.chance(0.6)}
            for name in required:
                made.setdefault(name, self.value(1))
            if self.chance(0.4):
                extra = schema.get("additionalProperties", True)
                made[self.pick(WORDS)] = self.guess(extra, root, depth + 1)
            return made
        return self.value(1)


def is_integer(_, value):
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, Decimal) and value % 1 == 0))


Reference = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer))


# As Python's regular expressions spell it: their $ also matches before a line feed at the end.
def for_reference(schema):
    if isinstance(schema, list):
        return [for_reference(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for name, value in schema.items():
        if name == "pattern":
            value = value.replace("$", "\\Z")
        elif name == "patternProperties":
            value = {pattern.replace("$", "\\Z"): for_reference(part) for pattern, part in value.items()}
        elif name not in ("enum", "const"):
            value = for_reference(value)
        made[name] = value
    return made


def written(value):
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, list):
        return "[" + ",".join(written(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(name, ensure_ascii=False) + ":" + written(each) for name, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def main():
    out = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    made = 0
    with open(out, "w", encoding="utf-8") as file:
        number = 0
        while made < count:
            number += 1
            maker = Maker(seed * 1_000_003 + number)
            schema = maker.root()
            if '"$ref"' not in written({**schema, "$defs": None}):
                del schema["$defs"]
            validator = Reference(for_reference(schema))
            good, bad = [], []
            for _ in range(60):
                document = maker.guess(schema, schema)
                text = written(document)
                if len(text) < 80:
                    read = json.loads(text, parse_float=Decimal)
                    chosen = good if validator.is_valid(read) else bad
                    if text not in chosen and len(chosen) < 3:
                        chosen.append(text)
            if not good and not bad:
                continue
            text = written(schema)
            if len(text) > 600:
                continue
            file.write("[" + text + "," + written(good) + "," + written(bad) + "]\n")
            made += 1


if __name__ == "__main__":
    main()
