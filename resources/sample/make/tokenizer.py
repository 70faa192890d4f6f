"""The tokenizer: byte pair encoding in the manner of SentencePiece, trained on what write_text.py writes."""

import pathlib
import sys

import sentencepiece

import write_text

ROLES = ["system", "user", "assistant"]
END = "<|end|>"
USER_DEFINED = ["Gufo", "GGUF"]
SIZE = 1024
DOCUMENTS = 20000
SEED = 1000003  # of the text for the tokenizer; those of the training are smaller


def train(folder):
    writer = write_text.Writer(SEED)
    text = folder / "tokenizer.txt"
    text.write_text("\n".join(write_text.plain(writer.document()) for _ in range(DOCUMENTS)) + "\n")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(folder / "tokenizer"), model_type="bpe", vocab_size=SIZE, byte_fallback=True,
        normalization_rule_name="identity", add_dummy_prefix=False, remove_extra_whitespaces=False, split_digits=True,
        character_coverage=1.0, num_threads=1, unk_id=0, bos_id=1, eos_id=2, pad_id=-1,
        control_symbols=[f"<|{role}|>" for role in ROLES] + [END], user_defined_symbols=USER_DEFINED,
        minloglevel=1)


class Tokenizer:
    def __init__(self, folder):
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
        self.bos, self.eos = self.pieces.bos_id(), self.pieces.eos_id()
        self.end = self.pieces.piece_to_id(END)
        self.role = {role: self.pieces.piece_to_id(f"<|{role}|>") for role in ROLES}

    def encode(self, text):
        return self.pieces.encode(text)

    def decode(self, ids):
        return self.pieces.decode(ids)

    def prompt(self, messages):
        """Ids of a conversation, as the chat template writes it, up to where the assistant speaks."""
        ids = [self.bos]
        for role, words in messages:
            ids += [self.role[role]] + self.encode(words) + [self.end]
        return ids + [self.role["assistant"]]

    def document(self, document):
        """Ids, and for each whether it is to be learned."""
        kind, content = document
        if kind == "text":
            ids = [self.bos] + self.encode(content) + [self.eos]
            return ids, [False] + [True] * (len(ids) - 1)
        ids, learn = [self.bos], [False]
        for role, words in content:
            turn = self.encode(words) + [self.end]
            ids += [self.role[role]] + turn
            learn += [False] + [role == "assistant"] * len(turn)
        return ids, learn


if __name__ == "__main__":  # python3 tokenizer.py FOLDER
    train(pathlib.Path(sys.argv[1]))
