"""Recomputes the figures of `gufo-cli compare --json` with numpy, from the bytes of both files and nothing of Gufo's.

    compare_with_numpy.py GUFO_CLI A B TENSOR...

Ends with 0 if all figures agree, 1 if not, 77 if numpy is missing.
"""

import json
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("python3-numpy is not installed")
    sys.exit(77)

SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


class File:
    """The tensors of a little-endian GGUF file of version 2 or 3."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        self.at = 4
        self.take("I")
        tensors, keys = self.take("Q"), self.take("Q")
        values = {}
        for _ in range(keys):
            key = self.text()
            values[key] = self.value(self.take("I"))
        self.tensors = {}
        for _ in range(tensors):
            name = self.text()
            shape = [self.take("Q") for _ in range(self.take("I"))]
            self.tensors[name] = (shape, self.take("I"), self.take("Q"))
        alignment = values.get("general.alignment", 32)
        self.start = (self.at + alignment - 1) // alignment * alignment

    def take(self, kind):
        value = struct.unpack_from("<" + kind, self.data, self.at)[0]
        self.at += struct.calcsize("<" + kind)
        return value

    def text(self):
        length = self.take("Q")
        self.at += length
        return self.data[self.at - length : self.at].decode("utf-8", "replace")

    def value(self, kind):
        if kind == 8:
            return self.text()
        if kind == 9:
            kind = self.take("I")
            return [self.value(kind) for _ in range(self.take("Q"))]
        return self.take(SCALARS[kind])

    def weights(self, name):
        shape, kind, offset = self.tensors[name]
        count = int(np.prod(shape))
        raw = np.frombuffer(self.data, np.uint8, offset=self.start + offset)
        if kind == 0:
            return raw[: 4 * count].view("<f4").astype(np.float64)
        if kind == 1:
            return raw[: 2 * count].view("<f2").astype(np.float64)
        if kind == 8:  # Q8_0: a half, then 32 signed bytes
            blocks = raw[: count // 32 * 34].reshape(-1, 34)
            scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
            return (scale * blocks[:, 2:].copy().view(np.int8)).astype(np.float64).ravel()
        if kind == 2:  # Q4_0: a half, then 16 bytes: the lower nibbles are the first 16 weights
            blocks = raw[: count // 32 * 18].reshape(-1, 18)
            scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
            codes = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1).astype(np.float32) - 8
            return (scale * codes).astype(np.float64).ravel()
        raise SystemExit(f"{name}: type {kind} is not known here")


def figures(a, b):
    error = a - b
    nmse = np.sum(error**2) / np.sum(a**2)
    return {
        "rmse": np.sqrt(np.mean(error**2)),
        "mae": np.mean(np.abs(error)),
        "bias": np.mean(b - a),
        "max_error": np.max(np.abs(error)),
        "max_error_index": int(np.argmax(np.abs(error))),
        "nmse": nmse,
        "sqnr_db": -10 * np.log10(nmse),
        "cosine": np.dot(a, b) / np.sqrt(np.dot(a, a) * np.dot(b, b)),
        "equal_share": np.mean(a == b),
    }


def main(program, path_a, path_b, names):
    done = subprocess.run(
        [program, "compare", path_a, path_b, "--json", "--profile", "--no-cache"], capture_output=True, check=False
    )
    if done.returncode != 1:
        print(f"exit code {done.returncode}: {done.stderr.decode()}")
        return 1
    compared = {tensor["name"]: tensor["models"][1] for tensor in json.loads(done.stdout)["tensors"]}
    file_a, file_b = File(path_a), File(path_b)
    failures = 0
    for name in names:
        a, b = file_a.weights(name), file_b.weights(name)
        found = compared[name]
        for key, expected in figures(a, b).items():
            # The bias cancels: it is measured against the errors that it sums.
            scale = np.mean(np.abs(a - b)) if key == "bias" else abs(expected)
            if abs(found[key] - expected) > 1e-11 * scale:
                print(f"{name}: {key} is {found[key]}, numpy says {expected}")
                failures += 1
        for octave in found["magnitudes"]:
            low = 2.0 ** octave["exponent"]
            inside = (np.abs(a) >= low) & (np.abs(a) < 2 * low)
            if octave["exponent"] == -40:
                inside = np.abs(a) < 2 * low
            relative = np.sqrt(np.sum((a - b)[inside] ** 2) / np.sum(a[inside] ** 2)) if np.any(a[inside]) else None
            agree = relative is None or abs(octave["relative_error"] - relative) <= 1e-11 * relative
            if octave["pairs"] != np.count_nonzero(inside) or not agree:
                print(f"{name}: octave {octave}, numpy says {np.count_nonzero(inside)}, {relative}")
                failures += 1
        print(f"{name}: {len(a)} pairs, SQNR {found['sqnr_db']:.2f} dB, {len(found['magnitudes'])} octaves")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
