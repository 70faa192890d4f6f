"""Writes the trained model as GGUF, version 3: matrices as F16 (or F32, to check the training's figures), vectors as F32.

    python3 write_gguf.py FOLDER OUT.gguf [--type F16]"""

import argparse
import pathlib
import struct

import numpy
import torch

import model as shape
import tokenizer

ALIGNMENT = 32
U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6

DESCRIPTION = ("A very small chat model that shows what Gufo can do. It answers simple questions about model files and about "
               "Gufo, and tells short stories. Trained from nothing on text that the project's own script writes; "
               "resources/sample/README.md says how.")


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


PACK = {U32: lambda v: struct.pack("<I", v), I32: lambda v: struct.pack("<i", v), F32: lambda v: struct.pack("<f", v),
        BOOL: lambda v: struct.pack("<?", v), STRING: text}


def array(kind, values):
    return ARRAY, struct.pack("<IQ", kind, len(values)) + b"".join(PACK[kind](v) for v in values)


def single(kind, value):
    return kind, PACK[kind](value)


def token_type(pieces, i):
    if pieces.is_unknown(i):
        return UNKNOWN
    if pieces.is_control(i):
        return CONTROL
    if pieces.is_byte(i):
        return BYTE
    return USER_DEFINED if pieces.id_to_piece(i) in tokenizer.USER_DEFINED else NORMAL


def metadata(words, weights, file_type):
    pieces = words.pieces
    ids = range(len(pieces))
    return {
        "general.architecture": single(STRING, "llama"),
        "general.type": single(STRING, "model"),
        "general.name": single(STRING, "Gufo Sample"),
        "general.author": single(STRING, "The Gufo developers"),
        "general.organization": single(STRING, "Gufo"),
        "general.version": single(STRING, "v1.0"),
        "general.basename": single(STRING, "gufo-sample"),
        "general.finetune": single(STRING, "chat"),
        "general.size_label": single(STRING, f"{weights / 1e6:.1f}M"),
        "general.description": single(STRING, DESCRIPTION),
        "general.license": single(STRING, "GPL-3.0-or-later"),
        "general.license.name": single(STRING, "GNU General Public License, version 3 or later"),
        "general.license.link": single(STRING, "https://www.gnu.org/licenses/gpl-3.0.html"),
        "general.tags": array(STRING, ["text-generation", "chat", "sample", "gufo"]),
        "general.languages": array(STRING, ["en"]),
        "general.file_type": single(U32, file_type),
        "general.quantization_version": single(U32, 2),
        "general.sampling.temp": single(F32, 0.7),
        "general.sampling.top_k": single(I32, 40),
        "general.sampling.top_p": single(F32, 0.95),
        "general.sampling.min_p": single(F32, 0.05),
        "llama.vocab_size": single(U32, shape.VOCABULARY),
        "llama.context_length": single(U32, shape.CONTEXT),
        "llama.embedding_length": single(U32, shape.WIDTH),
        "llama.block_count": single(U32, shape.BLOCKS),
        "llama.feed_forward_length": single(U32, shape.FEED_FORWARD),
        "llama.attention.head_count": single(U32, shape.HEADS),
        "llama.attention.head_count_kv": single(U32, shape.KV_HEADS),
        "llama.attention.layer_norm_rms_epsilon": single(F32, shape.EPSILON),
        "llama.rope.dimension_count": single(U32, shape.HEAD),
        "llama.rope.freq_base": single(F32, shape.ROPE_BASE),
        "tokenizer.ggml.model": single(STRING, "llama"),
        "tokenizer.ggml.pre": single(STRING, "default"),
        "tokenizer.ggml.tokens": array(STRING, [pieces.id_to_piece(i) for i in ids]),
        "tokenizer.ggml.scores": array(F32, [pieces.get_score(i) for i in ids]),
        "tokenizer.ggml.token_type": array(I32, [token_type(pieces, i) for i in ids]),
        "tokenizer.ggml.bos_token_id": single(U32, words.bos),
        "tokenizer.ggml.eos_token_id": single(U32, words.eos),
        "tokenizer.ggml.eot_token_id": single(U32, words.end),
        "tokenizer.ggml.unknown_token_id": single(U32, pieces.unk_id()),
        "tokenizer.ggml.add_bos_token": single(BOOL, True),
        "tokenizer.ggml.add_eos_token": single(BOOL, False),
        "tokenizer.ggml.add_space_prefix": single(BOOL, False),
        "tokenizer.chat_template": single(STRING, (pathlib.Path(__file__).parent / "chat_template.jinja").read_text().rstrip("\n")),
    }


def padded(data):
    return data + bytes(-len(data) % ALIGNMENT)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--type", choices=["F16", "F32"], default="F16")
    given = arguments.parse_args()
    state = torch.load(given.folder / "checkpoint.pt")["model"]
    words = tokenizer.Tokenizer(given.folder)
    number, matrices = (1, numpy.float16) if given.type == "F16" else (0, numpy.float32)
    values = metadata(words, sum(t.numel() for t in state.values()), number)
    header = b"GGUF" + struct.pack("<IQQ", 3, len(state), len(values))
    for key, (kind, data) in values.items():
        header += text(key) + struct.pack("<I", kind) + data
    body = b""
    for name, tensor in state.items():
        matrix = tensor.dim() > 1
        header += text(name) + struct.pack("<I", tensor.dim()) + struct.pack(f"<{tensor.dim()}Q", *reversed(tensor.shape))
        header += struct.pack("<IQ", number if matrix else 0, len(body))
        body += padded(tensor.numpy().astype(matrices if matrix else numpy.float32).tobytes())
    given.out.write_bytes(padded(header) + body)


if __name__ == "__main__":
    main()
