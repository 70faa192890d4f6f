"""Reads and writes GGUF files as keys and numpy arrays (version 3, little-endian).

The layout follows the GGUF specification (ggml/docs/gguf.md), the blocks follow core/tensor/kernels/scalar.
"""

import dataclasses
import struct

import numpy as np

UINT32, STRING, ARRAY = 4, 8, 9
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
ALIGNMENT = 32
F32 = 0


@dataclasses.dataclass
class Value:
    type: int
    value: object
    element: int = 0  # element type of an array


@dataclasses.dataclass
class Tensor:
    dims: tuple  # as in the file: row length first
    type: int
    data: bytes

    @property
    def row_bytes(self):
        return self.dims[0] // BLOCKS[self.type][0] * BLOCKS[self.type][1]

    def array(self):
        """The values as float64, with the row length as the last axis."""
        return DECODERS[self.type](self.data).astype(np.float64).reshape(self.dims[::-1])


class _Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, format):
        values = struct.unpack_from("<" + format, self.data, self.at)
        self.at += struct.calcsize("<" + format)
        return values

    def text(self):
        (length,) = self.take("Q")
        self.at += length
        return self.data[self.at - length : self.at]

    def number_or_text(self, type):
        return self.text() if type == STRING else self.take(NUMBERS[type])[0]


def read(path):
    """Returns ({key: Value}, {name: Tensor}) in the order of the file; strings are bytes."""
    reader = _Reader(path.read_bytes())
    magic, version, tensor_count, key_count = reader.take("4sIQQ")
    assert magic == b"GGUF" and version == 3
    keys = {}
    for _ in range(key_count):
        key = reader.text().decode()
        (type,) = reader.take("I")
        if type == ARRAY:
            element, length = reader.take("IQ")
            keys[key] = Value(type, [reader.number_or_text(element) for _ in range(length)], element)
        else:
            keys[key] = Value(type, reader.number_or_text(type))
    places = []
    for _ in range(tensor_count):
        name = reader.text().decode()
        (count,) = reader.take("I")
        places.append((name, reader.take(f"{count}Q"), *reader.take("IQ")))
    start = (reader.at + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    tensors = {}
    for name, dims, type, offset in places:
        size = int(np.prod(dims)) // BLOCKS[type][0] * BLOCKS[type][1]
        tensors[name] = Tensor(dims, type, reader.data[start + offset : start + offset + size])
    return keys, tensors


def _text(value):
    return struct.pack("<Q", len(value)) + value


def _number_or_text(type, value):
    return _text(value) if type == STRING else struct.pack("<" + NUMBERS[type], value)


def write(path, keys, tensors):
    out = bytearray(struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(keys)))
    for key, value in keys.items():
        out += _text(key.encode()) + struct.pack("<I", value.type)
        if value.type == ARRAY:
            out += struct.pack("<IQ", value.element, len(value.value))
            for item in value.value:
                out += _number_or_text(value.element, item)
        else:
            out += _number_or_text(value.type, value.value)
    data = bytearray()
    for name, tensor in tensors.items():
        out += _text(name.encode()) + struct.pack(f"<I{len(tensor.dims)}Q", len(tensor.dims), *tensor.dims)
        out += struct.pack("<IQ", tensor.type, len(data))
        data += tensor.data + bytes(-len(tensor.data) % ALIGNMENT)
    out += bytes(-len(out) % ALIGNMENT)
    path.write_bytes(out + data)


def _blocks(data, size):
    return np.frombuffer(data, np.uint8).reshape(-1, size)


def _half(blocks, at):
    return blocks[:, at : at + 2].copy().view("<f2").astype(np.float32)


def _nibbles(bytes_, run):
    """The low nibbles of each `run` bytes, then their high nibbles."""
    runs = bytes_.reshape(len(bytes_), -1, run)
    return np.stack([runs & 15, runs >> 4], axis=2).reshape(len(bytes_), -1)


def _q4_0(data):
    blocks = _blocks(data, 18)
    return _half(blocks, 0) * (_nibbles(blocks[:, 2:], 16).astype(np.float32) - 8)


def _q8_0(data):
    blocks = _blocks(data, 34)
    return _half(blocks, 0) * blocks[:, 2:].view(np.int8)


def _scales_and_minima(packed):
    """The eight 6-bit scales and eight 6-bit minima packed in 12 bytes."""
    first, second, last = packed[:, :4], packed[:, 4:8], packed[:, 8:]
    scales = np.hstack([first & 63, last & 15 | first >> 6 << 4])
    return scales, np.hstack([second & 63, last >> 4 | second >> 6 << 4])


def _with_minima(blocks, codes):
    scales, minima = (part.astype(np.float32) for part in _scales_and_minima(blocks[:, 4:16]))
    codes = codes.reshape(-1, 8, 32)
    return (_half(blocks, 0) * scales)[:, :, None] * codes - (_half(blocks, 2) * minima)[:, :, None]


def _q4_k(data):
    blocks = _blocks(data, 144)
    return _with_minima(blocks, _nibbles(blocks[:, 16:], 32))


def _q5_k(data):
    blocks = _blocks(data, 176)
    fifth = (blocks[:, None, 16:48] >> np.arange(8, dtype=np.uint8)[:, None] & 1).reshape(-1, 256)
    return _with_minima(blocks, _nibbles(blocks[:, 48:], 32) | fifth << 4)


def _q6_k(data):
    blocks = _blocks(data, 210)
    upper = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> np.array([0, 2, 4, 6], np.uint8)[:, None] & 3
    codes = _nibbles(blocks[:, :128], 64) | upper.reshape(-1, 256) << 4
    scales = _half(blocks, 208) * blocks[:, 192:208].view(np.int8)
    return scales[:, :, None] * (codes.reshape(-1, 16, 16).astype(np.float32) - 32)


IQ4_LEVELS = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], np.float32)


def _iq4_xs(data):
    blocks = _blocks(data, 136)
    lower = np.stack([blocks[:, 4:8] & 15, blocks[:, 4:8] >> 4], axis=2).reshape(-1, 8)
    upper = blocks[:, 2:4].copy().view("<u2") >> np.arange(0, 16, 2, dtype=np.uint16) & 3
    scales = _half(blocks, 0) * ((lower | upper << 4).astype(np.float32) - 32)
    return scales[:, :, None] * IQ4_LEVELS[_nibbles(blocks[:, 8:], 16)].reshape(-1, 8, 32)


# Tensor type: (weights in a block, bytes of a block)
BLOCKS = {F32: (1, 4), 1: (1, 2), 2: (32, 18), 8: (32, 34), 12: (256, 144), 13: (256, 176), 14: (256, 210),
          23: (256, 136), 35: (256, 66), 39: (32, 17)}
DECODERS = {
    F32: lambda data: np.frombuffer(data, "<f4"),
    1: lambda data: np.frombuffer(data, "<f2"),
    2: _q4_0,
    8: _q8_0,
    12: _q4_k,
    13: _q5_k,
    14: _q6_k,
    23: _iq4_xs,
}
