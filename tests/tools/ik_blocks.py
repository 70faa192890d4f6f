#!/usr/bin/env python3
"""Makes golden blocks of ik_llama.cpp's tensor types: NAME.raw, random rows, and NAME.f32, their values.

    ik_blocks.py FOLDER     # tests/data/golden; rewrites their rows of manifest.json there

It is a second implementation of the layouts, apart from the one under core/tensor/kernels/scalar: it goes through the
fields in the order of a block, whole arrays at a time, where the decoders go weight by weight. Layouts: ik_llama.cpp,
ggml-common.h and iqk_quantize.cpp (dequantize_row_...). All arithmetic is of float32, rounded after each product.
"""
import json
import pathlib
import sys

import numpy as np

COLUMNS = 512  # of a row: two super-blocks
ROWS = 6

TWO = np.array([-31, -13, 1, 17, -26, -8, 6, 22], np.float32)
THREE = np.array([-63, -40, -23, -10, 1, 13, 28, 47, -59, -36, -19, -6, 5, 17, 32, 51], np.float32)
FOUR = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
                 -123, -100, -79, -61, -45, -31, -18, -6, 5, 17, 29, 42, 57, 73, 93, 117], np.float32)
FIVE = np.array([-126, -114, -103, -92, -83, -74, -65, -57, -50, -43, -36, -30, -24, -18, -12, -6,
                 -1, 5, 11, 17, 23, 29, 36, 43, 51, 59, 68, 77, 87, 97, 109, 121,
                 -124, -112, -101, -90, -81, -72, -63, -55, -48, -41, -34, -28, -22, -16, -10, -4,
                 1, 7, 13, 19, 25, 31, 38, 45, 53, 61, 70, 79, 89, 99, 111, 123], np.float32)
# A cubic, rounded; the second book is one higher.
SIX = np.array([-127, -121, -115, -109, -104, -98, -93, -88, -84, -79, -74, -70, -66, -62, -58, -54,
                -51, -47, -44, -40, -37, -34, -31, -28, -25, -22, -19, -16, -13, -11, -8, -5,
                -2, 0, 3, 6, 9, 12, 14, 17, 20, 23, 27, 30, 33, 36, 40, 44,
                47, 51, 55, 59, 63, 68, 72, 77, 82, 87, 92, 98, 103, 109, 115, 121], np.float32)
SIX = np.concatenate([SIX, SIX + 1])
# Both neighbours of a pair as signed bytes of a word, the first lowest.
PAIRS = np.array([0xe9c1, 0x0dc1, 0xc1d8, 0xf6d8, 0x0dd8, 0x2fd8, 0xd8e9, 0xe9e9, 0x01e9, 0x0de9, 0x1ce9, 0xc1f6,
                  0x01f6, 0x0df6, 0x2ff6, 0xe901, 0xf601, 0x0101, 0x0d01, 0x1c01, 0xd80d, 0xe90d, 0xf60d, 0x010d,
                  0x0d0d, 0xc11c, 0xe91c, 0x011c, 0x1c1c, 0x2f1c, 0xe92f, 0x0d2f], "<u2").view(np.int8).reshape(32, 2)


class Fields:
    """Takes fields off the front of a block."""

    def __init__(self, block):
        self.rest = bytes(block)

    def take(self, kind, count):
        size = np.dtype(kind).itemsize * count
        values, self.rest = np.frombuffer(self.rest[:size], kind), self.rest[size:]
        return values if count > 1 else values[0]


def halves(bytes_):
    """Low nibbles, then high ones."""
    return np.concatenate([bytes_ & 15, bytes_ >> 4])


def alternating(bytes_):
    """The low and the high nibble of each byte in turn."""
    return np.stack([bytes_ & 15, bytes_ >> 4], 1).ravel()


def bits(word, count):
    return (int(word) >> np.arange(count)) & 1


def planes(bytes_, width, stretch=32):
    """Stretches of bytes, each of which holds as many weights in its lowest `width` bits, as many in the next, ..."""
    rows = bytes_.reshape(-1, 1, stretch)
    shifts = np.arange(0, 8, width).reshape(1, -1, 1)
    return ((rows >> shifts) & ((1 << width) - 1)).ravel()


def scaled(d, scales, levels):
    """d times the integer scales, rounded, times the levels of the weights that share each."""
    factors = np.float32(d) * np.asarray(scales, np.int32).astype(np.float32)
    return (np.repeat(factors, levels.size // factors.size) * levels.astype(np.float32)).astype(np.float32)


def booked(book, index, choice):
    """The entries of a code book, of whose halves `choice` says which for each group of weights."""
    choice = np.repeat(np.asarray(choice, np.int64), index.size // len(choice))
    return book[index.astype(np.int64) + choice * (book.size // 2)]


def q6_0(d, f):
    d = f.take("<f2", 1)
    high, low = f.take("u1", 8), f.take("u1", 16)
    h = np.concatenate([high & 3, high >> 4 & 3, high >> 2 & 3, high >> 6]).astype(np.int64)
    return scaled(d, [1], halves(low).astype(np.int64) + 16 * h - 32)


def iq2_k(d, f):
    d, extra, scales, q = f.take("<f2", 1), f.take("<u2", 1), f.take("u1", 8), f.take("u1", 64)
    return scaled(d, alternating(scales).astype(int) - 8, booked(TWO, planes(q, 2), bits(extra, 16)))


def iq3_k(d, f):
    d, extra, signs = f.take("<f2", 1), f.take("<u2", 1), f.take("<u2", 1)
    scales, low, high = f.take("u1", 8), f.take("u1", 64), f.take("u1", 32)
    factors = (2 * alternating(scales).astype(int) + 1) * (1 - 2 * bits(signs, 16))
    return scaled(d, factors, booked(THREE, planes(low, 2) + 4 * planes(high, 1), bits(extra, 16)))


def six_bit_scales(high, low):
    upper = np.stack([high & 3, high >> 2 & 3, high >> 4 & 3, high >> 6], 1).ravel()
    return alternating(low).astype(int) + 16 * upper.astype(int) - 32


def iq4_k(d, f):
    d, extra, high, low = f.take("<f2", 1), f.take("<u2", 1), f.take("u1", 4), f.take("u1", 8)
    index = planes(f.take("u1", 128), 4, 16)
    return scaled(d, six_bit_scales(high, low), booked(FOUR, index, bits(extra, 16)))


def iq5_k(d, f):
    d, extra, high, low = f.take("<f2", 1), f.take("<u2", 1), f.take("u1", 4), f.take("u1", 8)
    index = planes(f.take("u1", 128), 4) + 16 * planes(f.take("u1", 32), 1)
    return scaled(d, six_bit_scales(high, low), booked(FIVE, index, bits(extra, 16)))


def iq6_k(d, f):
    d, extra, scales = f.take("<f2", 1), f.take("<u2", 1), f.take("i1", 16)
    index = planes(f.take("u1", 128), 4) + 16 * planes(f.take("u1", 64), 2)
    return scaled(d, scales, booked(SIX, index, bits(extra, 16)))


def iq2_ks(d, f):
    extra, scales, q = f.take("<u2", 1), f.take("u1", 4), f.take("u1", 64)
    factors = alternating(scales).astype(int) + 16 * bits(extra >> 8, 8) - 16
    return scaled(d, factors, booked(TWO, planes(q, 2), bits(extra, 8)))


def iq3_ks(d, f):
    extra, scales, low, high = f.take("<u2", 1), f.take("u1", 4), f.take("u1", 64), f.take("u1", 32)
    factors = halves(scales).astype(int) + 16 * bits(extra, 8) - 16
    return scaled(d, factors, booked(THREE, planes(low, 2) + 4 * planes(high, 1), bits(extra >> 8, 8)))


def iq4_ks(d, f):
    scales, q = f.take("u1", 8), f.take("u1", 128)
    return scaled(d, (scales & 254).astype(int) - 127, booked(FOUR, planes(q, 4, 16), scales & 1))


def iq4_kss(d, f):
    words = f.take("<u2", 64).reshape(8, 8)
    scales = ((words & 1) << np.arange(8)).sum(1)
    even = words & 0xfffe
    q = (even ^ even >> 1).astype("<u2").view("u1").ravel()
    return scaled(d, (scales & 254).astype(int) - 127, booked(FOUR, planes(q, 4, 16), scales & 1))


def iq5_ks(d, f):
    scales, low, high = f.take("u1", 8), f.take("u1", 128), f.take("u1", 32)
    index = planes(low, 4) + 16 * planes(high, 1)
    return scaled(d, (scales & 254).astype(int) - 127, booked(FIVE, index, scales & 1))


def iq2_kl(d, f):
    upper, low, q, high = f.take("<u2", 1), f.take("u1", 4), f.take("u1", 64), f.take("u1", 16)
    factors = halves(low).astype(int) + 16 * (int(upper) >> np.arange(0, 16, 2) & 3) - 32
    pairs = PAIRS[planes(q, 4, 16).astype(int) + 16 * planes(high, 1, 16)]
    return scaled(d, factors, pairs.ravel())


def digits(byte, count):
    """The base-3 digits of a number that is stored as a fraction: 256 / 3 ** 5 times it, rounded up; the lowest first."""
    number = int(byte) * 243 // 256
    return [number // 3 ** n % 3 for n in range(count)]


def iq1_bn(d, f):
    low, extra = f.take("u1", 12).reshape(4, 3), digits(f.take("u1", 1), 4)
    weights = [sum((digits(byte, 5) for byte in group), []) + [last] for group, last in zip(low, extra)]
    return scaled(d, [1], np.array(weights).ravel() - 1)


def iq2_bn(d, f):
    return scaled(d, [1], planes(f.take("u1", 16), 2, 16).astype(int) - 1)


# id, weights and bytes of a block, kinds of the numbers in the row header: the scale and others
TYPES = {
    q6_0: (133, 32, 26, None), iq2_k: (137, 256, 76, None), iq3_k: (138, 256, 110, None), iq4_k: (139, 256, 144, None),
    iq5_k: (140, 256, 176, None), iq4_ks: (144, 256, 136, "<f4"), iq2_ks: (145, 256, 70, "<f2"),
    iq4_kss: (146, 256, 128, "<f4"), iq5_ks: (152, 256, 168, "<f4"), iq3_ks: (156, 256, 102, "<f2"),
    iq2_kl: (157, 256, 86, "<f2"), iq1_bn: (134, 64, 13, "<f2"), iq2_bn: (135, 64, 16, "<f4"),
    iq6_k: (141, 256, 212, None),
}


def make(folder):
    manifest_file = folder / "manifest.json"
    made = {type_id for type_id, *_ in TYPES.values()}
    manifest = [row for row in json.loads(manifest_file.read_text()) if row["id"] not in made]
    random = np.random.default_rng(11)
    for decode, (type_id, weights, size, header) in TYPES.items():
        raw, values = b"", []
        for row in range(ROWS):
            d = None
            if header is not None:
                # Also negative scales, and one that is no normal half. What follows the scale changes no weight.
                first, *rest = header.split(",")
                d = np.array([random.normal(0, 0.002) if row else 3e-7], first)
                raw += d.tobytes() + random.bytes(sum(np.dtype(kind).itemsize for kind in rest))
            for _ in range(COLUMNS // weights):
                block = bytearray(random.bytes(size))
                if header is None:
                    block[:2] = np.array([random.normal(0, 0.002)], "<f2").tobytes()
                raw += block
                values.append(decode(None if d is None else d[0], Fields(block)))
        values = np.concatenate(values)
        assert values.dtype == np.float32 and values.size == ROWS * COLUMNS
        name = decode.__name__
        (folder / f"{name}.raw").write_bytes(raw)
        (folder / f"{name}.f32").write_bytes(values.astype("<f4").tobytes())
        manifest.append({"id": type_id, "name": name, "block_size": weights, "type_size": size, "dequantizable": True,
                         "blocks": ROWS * COLUMNS // weights, "columns": COLUMNS})
    rows = [json.dumps(row, separators=(",", ":")) for row in sorted(manifest, key=lambda row: row["id"])]
    manifest_file.write_text("[\n " + ",\n ".join(rows) + "\n]\n")


make(pathlib.Path(sys.argv[1]))
