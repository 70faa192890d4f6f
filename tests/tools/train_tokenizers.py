#!/usr/bin/python3
"""Trains small SentencePiece models and writes them as GGUF vocabularies, with SentencePiece's encodings of some texts.

The output, tests/data/tokenizer/NAME.gguf and NAME.json, is committed; tst_tokenizer reads it. To reproduce
it on Debian 12: apt-get install python3-sentencepiece, then run this script. Training is deterministic.
"""
import io
import json
import pathlib
import random
import struct

import sentencepiece

OUT = pathlib.Path(__file__).resolve().parent.parent / "data" / "tokenizer"

SUBJECTS = ["the owl", "a small model", "the tokenizer", "every reader", "my neighbour", "the old file", "a long sentence",
            "der Uhu", "il gufo", "la petite chouette", "сова", "маленькая модель", "猫头鹰", "这个模型"]
VERBS = ["opens", "reads", "has merged", "splits", "forgets", "remembers", "was counting", "öffnet", "vede", "mange",
         "читает", "забыла", "打开了", "看见"]
OBJECTS = ["a GGUF file", "the 32 tensors", "what nobody wrote", "three merges at once", "its own scores", "1,048,576 bytes",
           "eine große Datei", "il buio della notte", "les jetons", "длинный текст", "很长的文件", "许多词"]
TAILS = [".", "!", "?", " in the dark.", ", and then again.", " before midnight;", " (twice).", " – naturally.", "。"]

TEXTS = [
    "", " ", "  ", "   ", "\n", "\t\n", "a", "aaaaaaaaaaaaaaaaaaaaaaaa", "the owl reads", " the owl reads", "the  owl   reads ",
    "The Owl READS a GGUF file.", "owlowlowl", "unforgettable mergers", "1,048,576 bytes in 32 tensors", "3.14159 ½ ²",
    "der Uhu öffnet eine große Datei", "сова читает длинный текст", "猫头鹰打开了很长的文件。", "naïve café déjà-vu",
    "ｆｕｌｌ　ｗｉｄｔｈ", "ﬁne ﬂour", "tabs\tand\nlines\r\n", "emoji 🦉🦉 and 👩‍💻", "កាន់តែពិសេស", "\u2581already\u2581marked",
    "mixed 漢字 и слова and words", "!!!???...", "http://example.org/a?b=c&d=%20", "def f(x):\n    return x + 1\n",
    "zzzzqqqqxxxx", "the owl " * 20, "\u00a0no\u00a0break", "e\u0301 combining", "ǅ ǆ Ǆ", "a\u200bb", "🏳️‍🌈", "ß ẞ ſ",
]


def corpus():
    rng = random.Random(1)
    pick = rng.choice
    return [f"{pick(SUBJECTS)} {pick(VERBS)} {pick(OBJECTS)}{pick(TAILS)}" for _ in range(4000)]


def train(**options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus()), model_writer=model, character_coverage=0.9995, num_threads=1,
        hard_vocab_limit=False, minloglevel=2, **options)
    return model.getvalue()


def varint_fields(data):
    """The fields of a protocol-buffer message: (number, value), value an int or bytes."""
    at = 0
    while at < len(data):
        def varint():
            nonlocal at
            value = shift = 0
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            length = varint()
            yield key >> 3, data[at:at + length]
            at += length
        elif key & 7 == 5:
            yield key >> 3, data[at:at + 4]
            at += 4
        else:
            raise ValueError(f"wire type {key & 7}")


def charsmap_of(model):
    for number, value in varint_fields(model):
        if number == 3:  # ModelProto.normalizer_spec
            return dict(varint_fields(value)).get(2, b"")  # precompiled_charsmap
    return b""


def string(text):
    data = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(data)) + data


def array(kind, items):
    return struct.pack("<IIQ", 9, kind, len(items)) + b"".join(items)


def write(name, kind, model, processor, prefix, extra):
    count = processor.get_piece_size()
    types = []
    for i in range(count):
        types.append(2 if processor.is_unknown(i) else 3 if processor.is_control(i) else 5 if processor.is_unused(i)
                     else 6 if processor.is_byte(i) else 1)
    keys = [
        ("general.architecture", struct.pack("<I", 8) + string("llama")),
        ("tokenizer.ggml.model", struct.pack("<I", 8) + string(kind)),
        ("tokenizer.ggml.tokens", array(8, [string(processor.id_to_piece(i)) for i in range(count)])),
        ("tokenizer.ggml.scores", array(6, [struct.pack("<f", processor.get_score(i)) for i in range(count)])),
        ("tokenizer.ggml.token_type", array(5, [struct.pack("<i", t) for t in types])),
        ("tokenizer.ggml.unknown_token_id", struct.pack("<II", 4, processor.unk_id())),
        ("tokenizer.ggml.add_space_prefix", struct.pack("<IB", 7, prefix)),
        ("tokenizer.ggml.remove_extra_whitespaces", struct.pack("<IB", 7, extra)),
    ]
    charsmap = charsmap_of(model)
    if charsmap:
        keys.append(("tokenizer.ggml.precompiled_charsmap", array(0, [bytes([b]) for b in charsmap])))
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys)) + b"".join(string(k) + v for k, v in keys)
    OUT.mkdir(exist_ok=True)
    (OUT / f"{name}.gguf").write_bytes(data)
    rows = [{"text": text, "ids": processor.encode(text)} for text in TEXTS]
    (OUT / f"{name}.json").write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    print(name, count, "tokens,", len(data), "bytes, charsmap", len(charsmap))


def main():
    rules = OUT / "rules.tsv"
    OUT.mkdir(exist_ok=True)
    replace = {"ﬁ": "fi", "ﬂ": "fl", "\u3000": " ", "\u00a0": " ", "\t": " ", "\n": " ", "\r": " ", "½": "1/2", "²": "2",
               "e\u0301": "é", "\u200b": "", "ǆ": "dž", "ß": "ss"}
    replace.update({chr(0xFF01 + i): chr(0x21 + i) for i in range(94)})
    lines = ["\t".join(" ".join(f"{ord(c):X}" for c in side) for side in rule) for rule in sorted(replace.items())]
    rules.write_text("\n".join(lines) + "\n")
    for name, kind, prefix, extra, options in [
        ("sentencepiece-bpe", "llama", True, False,
         dict(model_type="bpe", vocab_size=900, byte_fallback=True, normalization_rule_name="identity")),
        ("sentencepiece-bpe-plain", "llama", False, False,
         dict(model_type="bpe", vocab_size=500, normalization_rule_name="identity")),
        ("unigram", "t5", True, True,
         dict(model_type="unigram", vocab_size=500, normalization_rule_tsv=str(rules))),
        ("unigram-bytes", "t5", False, False,
         dict(model_type="unigram", vocab_size=800, byte_fallback=True, normalization_rule_name="identity")),
    ]:
        model = train(add_dummy_prefix=prefix, remove_extra_whitespaces=extra, **options)
        write(name, kind, model, sentencepiece.SentencePieceProcessor(model_proto=model), prefix, extra)
    rules.unlink()


main()
