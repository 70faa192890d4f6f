"""Compares the trained model and tokenizer with what Gufo makes of the written file.

    python3 check.py FOLDER GUFO-CLI

Tokenizes some thousand lines both ways, and compares logits and greedy answers of an F32 file with the training's model."""

import pathlib
import subprocess
import sys
import tempfile

import numpy
import torch

import tokenizer
import train
import write_text
from model import CONTEXT, Model

LINES = 5000
ODD = ["", " ", "   three spaces   ", "Ünïcödé: 猫 🦉 ß", "tab\there", "GGUF GGUFGufo gufo ggufGGUF", "1234567890", "<|user|> <s>",
       "x" * 300, "'\"\\{}[]()<>", "Q4_K_M IQ2_XS", "\u2581 a lower block"]
QUESTIONS = ["What is a GGUF file?", "who are you", "How do I save?", "Tell me a story about an owl.", "What is 3 + 4?",
             "What is the capital of Peru?", "hello"]


def tokens_match(words, program, model):
    writer = write_text.Writer(7)
    lines = [line for _ in range(LINES) for line in write_text.plain(writer.document()).splitlines()][:LINES] + ODD
    text = "\n".join(lines)
    found = subprocess.run([program, "tokenize", model, "-", "--ids", "--no-bos"], input=text.encode(), capture_output=True, check=True)
    expected = words.encode(text)
    same = [int(i) for i in found.stdout.split()] == expected
    print(f"{len(lines)} lines, {len(text.encode())} bytes, {len(expected)} tokens: {'the same' if same else 'DIFFERENT'}")
    back = subprocess.run([program, "detokenize", model, *map(str, expected[:2000])], capture_output=True, check=True)
    whole = back.stdout.decode(errors="replace").rstrip("\n") == words.decode(expected[:2000]).rstrip("\n")
    print("the first 2000 back to text:", "the same" if whole else "DIFFERENT")
    return same and whole


def logits_match(words, model, program, path, folder):
    worst = 0.0
    for i, question in enumerate(QUESTIONS):
        prompt = words.prompt([("user", question)])
        answer = train.answer(model, words, [("user", question)])
        ids = (prompt + words.encode(answer))[:CONTEXT]
        out = pathlib.Path(folder) / f"{i}.f32"
        subprocess.run([program, "eval", path, "--tokens", ",".join(map(str, ids)), "--logits", out, "--kv", "f32"],
                       check=True, capture_output=True)
        with torch.no_grad():
            expected = model(torch.tensor([ids]))[0].numpy()
        found = numpy.fromfile(out, dtype=numpy.float32).reshape(expected.shape)
        worst = max(worst, float(abs(found - expected).max()))
        written = f"<s><|user|>{question}<|end|><|assistant|>"
        text = subprocess.run([program, "generate", path, "-p", written, "--temp", "0", "--kv", "f32", "-n", "200"], check=True,
                              capture_output=True).stdout.decode(errors="replace").rstrip("\n")
        print(f"{question}\n    {answer}\n    {'the same in Gufo' if text == answer else 'DIFFERENT: ' + text}")
        if text != answer:
            worst = float("inf")
    print(f"largest difference of logits: {worst:.2e}")
    return worst < 1e-3


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    torch.set_num_threads(1)
    words = tokenizer.Tokenizer(folder)
    model = Model()
    model.load_state_dict(torch.load(folder / "checkpoint.pt")["model"])
    with tempfile.TemporaryDirectory() as scratch:
        path = str(pathlib.Path(scratch) / "f32.gguf")
        here = pathlib.Path(__file__).parent
        subprocess.run([sys.executable, here / "write_gguf.py", folder, path, "--type", "F32"], check=True)
        fine = tokens_match(words, program, path)
        fine = logits_match(words, model, program, path, scratch) and fine
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
