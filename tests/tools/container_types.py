#!/usr/bin/env python3
"""Makes golden rows of the tensor types of other containers: NAME.raw, encoded weights, and NAME.f32, their values.

    container_types.py FOLDER     # tests/data/golden; rewrites their rows of manifest.json there

It is a second implementation, apart from the one under core/tensor: floats of 8 bits are worked out as fractions from
sign, exponent and mantissa (OCP "8-bit Floating Point Specification (OFP8)"; FNUZ: bias + 1, one NaN), integers are
rounded to float by hand, and the blocks of GGJT go weight by weight (ggml.c of May 2023, dequantize_row_...). It needs
only Python's standard library.
"""
import fractions
import json
import math
import pathlib
import random
import struct
import sys

FIRST = 0xFFFFFF00  # kFirstContainerType
F = fractions.Fraction


def f32(value):
    """Rounds to float32, with overflow to infinity."""
    if math.isnan(value) or math.isinf(value):
        return value
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def f32_of_integer(n):
    shift = max(abs(n).bit_length() - 24, 0)
    quotient, rest = divmod(abs(n), 1 << shift)
    half = (1 << shift) >> 1
    if shift and (rest > half or (rest == half and quotient & 1)):
        quotient += 1
    return math.copysign(float(quotient << shift), n)


def minifloat(code, exponent_bits, bias):
    mantissa_bits = 7 - exponent_bits
    sign = -1 if code & 0x80 else 1
    exponent = (code & 0x7F) >> mantissa_bits
    mantissa = F(code & ((1 << mantissa_bits) - 1), 1 << mantissa_bits)
    value = (mantissa * F(2) ** (1 - bias)) if exponent == 0 else (1 + mantissa) * F(2) ** (exponent - bias)
    return math.copysign(float(value), sign)


def e4m3(code):
    return math.nan if code & 0x7F == 0x7F else minifloat(code, 4, 7)


def e5m2(code):
    if code & 0x7C == 0x7C:
        return math.nan if code & 3 else math.copysign(math.inf, -1 if code & 0x80 else 1)
    return minifloat(code, 5, 15)


def e4m3fnuz(code):
    return math.nan if code == 0x80 else minifloat(code, 4, 8)


def e5m2fnuz(code):
    return math.nan if code == 0x80 else minifloat(code, 5, 16)


def e8m0(code):
    return math.nan if code == 0xFF else math.ldexp(1.0, code - 127)


def all_bytes(value):
    return bytes(range(256)), [value(code) for code in range(256)]


def integers(size):
    top = 1 << 8 * size
    numbers = [0, 1, top - 1, top // 2, top // 2 - 1, 2 ** 24 + 1, 2 ** 24 + 3, 2 ** 53 + 1]
    numbers = [n % top for n in numbers] + [random.randrange(top) >> random.randrange(8 * size) for _ in range(56)]
    return b"".join(n.to_bytes(size, "little") for n in numbers), [f32_of_integer(n) for n in numbers]


def blocks(size, weights, value):
    """Random blocks whose scales are mostly of ordinary size; value(block, i) is weight i."""
    raw, values = b"", []
    for number in range(40):
        block = bytes(random.randrange(256) for _ in range(size))
        if number % 4 != 3:  # the others have any bits, also NaN and infinity
            block = scales(block, value)
        raw += block
        values += [value(block, i) for i in range(weights)]
    return raw, values


def scales(block, value):
    form, count = value.scales
    ordinary = [random.uniform(-2, 2) for _ in range(count)]
    head = struct.pack("<" + form * count, *ordinary)
    return head + block[len(head):]


def scale(block, form, index):
    size = struct.calcsize(form)
    return struct.unpack("<" + form, block[index * size:(index + 1) * size])[0]


def block_value(form, minimum, high, pairs, per_block):
    """form: of the scales; minimum: whether there is one; high: bytes of fifth bits; pairs: neighbours share a byte."""
    count = 2 if minimum else 1

    def value(block, i):
        d = scale(block, form, 0)
        at = count * struct.calcsize(form) + high
        half = per_block // 2
        byte = block[at + (i // 2 if pairs else i % half)]
        code = byte >> 4 if (i % 2 if pairs else i // half) else byte & 15
        if high:
            word = int.from_bytes(block[at - high:at], "little")
            code |= (word >> i & 1) << 4
        if minimum:
            return f32(f32(code * d) + scale(block, form, 1))
        return f32((code - (16 if high else 8)) * d)

    value.scales = (form, count)
    return value


def q8_value(block, i):
    return f32(struct.unpack("<b", block[4 + i:5 + i])[0] * scale(block, "f", 0))


q8_value.scales = ("f", 1)

TYPES = [  # number, name, weights per block, bytes per block, rows
    (FIRST + 0, "bool", 1, 1, lambda: all_bytes(lambda code: 1.0 if code else 0.0)),
    (FIRST + 1, "u8", 1, 1, lambda: all_bytes(float)),
    (FIRST + 2, "u16", 1, 2, lambda: integers(2)),
    (FIRST + 3, "u32", 1, 4, lambda: integers(4)),
    (FIRST + 4, "u64", 1, 8, lambda: integers(8)),
    (FIRST + 5, "f8_e4m3", 1, 1, lambda: all_bytes(e4m3)),
    (FIRST + 6, "f8_e5m2", 1, 1, lambda: all_bytes(e5m2)),
    (FIRST + 7, "f8_e4m3fnuz", 1, 1, lambda: all_bytes(e4m3fnuz)),
    (FIRST + 8, "f8_e5m2fnuz", 1, 1, lambda: all_bytes(e5m2fnuz)),
    (FIRST + 9, "f8_e8m0", 1, 1, lambda: all_bytes(e8m0)),
    (FIRST + 10, "q4_0_ggjt1", 32, 20, lambda: blocks(20, 32, block_value("f", False, 0, True, 32))),
    (FIRST + 11, "q4_1_ggjt1", 32, 24, lambda: blocks(24, 32, block_value("f", True, 0, True, 32))),
    (FIRST + 12, "q5_0_ggjt1", 32, 22, lambda: blocks(22, 32, block_value("e", False, 4, True, 32))),
    (FIRST + 13, "q5_1_ggjt1", 32, 24, lambda: blocks(24, 32, block_value("e", True, 4, True, 32))),
    (FIRST + 14, "q8_0_ggjt1", 32, 36, lambda: blocks(36, 32, q8_value)),
    (FIRST + 15, "q4_0_ggjt2", 32, 20, lambda: blocks(20, 32, block_value("f", False, 0, False, 32))),
    (FIRST + 16, "q4_1_ggjt2", 32, 24, lambda: blocks(24, 32, block_value("f", True, 0, False, 32))),
    (4, "q4_2", 16, 10, lambda: blocks(10, 16, block_value("e", False, 0, True, 16))),
    (5, "q4_3", 16, 12, lambda: blocks(12, 16, block_value("e", True, 0, True, 16))),
]


def main():
    folder = pathlib.Path(sys.argv[1])
    path = folder / "manifest.json"
    rows = [row for row in json.loads(path.read_text()) if row["id"] not in {t[0] for t in TYPES}]
    random.seed(7)
    for number, name, weights, size, make in TYPES:
        raw, values = make()
        (folder / f"{name}.raw").write_bytes(raw)
        (folder / f"{name}.f32").write_bytes(struct.pack(f"<{len(values)}f", *values))
        rows.append({"id": number, "name": name, "block_size": weights, "type_size": size, "dequantizable": True,
                     "blocks": len(raw) // size})
    lines = [json.dumps(row, separators=(",", ":")) for row in sorted(rows, key=lambda row: row["id"])]
    path.write_text("[\n " + ",\n ".join(lines) + "\n]\n")


main()
