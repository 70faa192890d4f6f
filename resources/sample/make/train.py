"""Trains the sample model. Each round of documents follows from the seed and its number, so that a run which was
interrupted goes on from its last checkpoint to the same end.

    python3 train.py FOLDER [--rounds N] [--seed N]"""

import argparse
import pathlib
import random
import time

import torch
import torch.nn.functional as F

import tokenizer
import write_text
from model import CONTEXT, Model
from muon import Muon

ROUND = 1000         # documents
BATCH = 3000         # tokens, with padding
MATRIX_RATE = 0.02   # of the matrices in the blocks, at its highest
RATE = 3e-3          # of the embedding and the norms
WARM_UP = 100        # steps
FALL = 0.35          # of the rounds
DECAY = 0.05         # of the matrices in the blocks
POLISH_FROM = 44     # the round from which greetings and names come more often: a chat begins with them
REMARKS = 0.25       # of the questions, then
KEEP_EVERY = 2       # rounds


def batches(seed, number, words):
    """The documents of a round in batches of similar lengths: ids, targets (-1: not learned)."""
    writer = write_text.Writer(seed * 100000 + number, REMARKS if number >= POLISH_FROM else 0.0)
    documents = [words.document(writer.document()) for _ in range(ROUND)]
    documents.sort(key=lambda document: len(document[0]))
    result, rows = [], []
    for ids, learn in documents + [([], [])]:
        if rows and (not ids or (len(rows) + 1) * min(len(ids) - 1, CONTEXT) > BATCH):
            length = min(max(len(row) for row, _ in rows) - 1, CONTEXT)
            x = torch.zeros(len(rows), length, dtype=torch.long)
            y = torch.full((len(rows), length), -1)
            for i, (row, wanted) in enumerate(rows):
                n = min(len(row) - 1, length)
                x[i, :n] = torch.tensor(row[:n])
                y[i, :n] = torch.tensor([t if w else -1 for t, w in zip(row[1:n + 1], wanted[1:n + 1])])
            result.append((x, y))
            rows = []
        rows.append((ids, learn))
    random.Random(number).shuffle(result)
    return result


def loss_of(model, x, y):
    states = model.states(x).view(-1, model.token_embd.embedding_dim)
    targets = y.view(-1)
    learned = (targets >= 0).nonzero()[:, 0]
    return F.cross_entropy(model.logits(states[learned]), targets[learned])


@torch.no_grad()
def held_out_loss(model, held_out):
    """Mean over documents that the training does not see."""
    return sum(loss_of(model, x, y).item() for x, y in held_out) / len(held_out)


@torch.no_grad()
def answer(model, words, messages, temperature=0.0, seed=0, limit=200):
    ids = words.prompt(messages)
    first = len(ids)
    generator = torch.Generator().manual_seed(seed)
    while len(ids) < min(first + limit, CONTEXT):
        logits = model(torch.tensor([ids]))[0, -1]
        if temperature > 0:
            token = torch.multinomial(torch.softmax(logits / temperature, -1), 1, generator=generator).item()
        else:
            token = logits.argmax().item()
        if token in (words.end, words.eos):
            break
        ids.append(token)
    return words.decode(ids[first:])


def rate(progress, step):
    """Warm-up, level, and over the last part down to nothing; so the number of rounds may be changed until the fall begins."""
    return min(1.0, (step + 1) / WARM_UP, (1 - progress) / FALL)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--rounds", type=int, default=44)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    words = tokenizer.Tokenizer(given.folder)
    model = Model()
    print(sum(p.numel() for p in model.parameters()), "parameters", flush=True)
    in_blocks = [p for p in model.blk.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if all(p is not q for q in in_blocks)]
    optimizers = [Muon(in_blocks, lr=MATRIX_RATE, weight_decay=DECAY), torch.optim.AdamW(others, lr=RATE, betas=(0.9, 0.97), weight_decay=0.0)]
    kept = given.folder / "checkpoint.pt"
    first, step, seconds = 0, 0, 0.0
    if kept.exists():
        state = torch.load(kept)
        model.load_state_dict(state["model"])
        for optimizer, values in zip(optimizers, state["optimizers"]):
            optimizer.load_state_dict(values)
        first, step, seconds = state["round"], state["step"], state["seconds"]
    held_out = batches(0, 0, words)[:12]
    for number in range(first, given.rounds):
        began, total, tokens = time.time(), 0.0, 0
        parts = batches(given.seed, number, words)
        for i, (x, y) in enumerate(parts):
            for optimizer, highest in zip(optimizers, (MATRIX_RATE, RATE)):
                optimizer.param_groups[0]["lr"] = highest * rate((number + i / len(parts)) / given.rounds, step)
                optimizer.zero_grad(set_to_none=True)
            loss = loss_of(model, x, y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimizer in optimizers:
                optimizer.step()
            total, tokens, step = total + loss.item(), tokens + x.numel(), step + 1
        seconds += time.time() - began
        print(f"round {number + 1} step {step} loss {total / len(parts):.4f} held out {held_out_loss(model, held_out):.4f} "
              f"{tokens / (time.time() - began):.0f} tokens/s {seconds:.0f} s", flush=True)
        if (number + 1) % KEEP_EVERY == 0 or number + 1 == given.rounds:
            new = kept.with_suffix(".new")
            torch.save({"model": model.state_dict(), "optimizers": [optimizer.state_dict() for optimizer in optimizers], "round": number + 1,
                        "step": step, "seconds": seconds}, new)
            new.replace(kept)
            for question in ("What is a GGUF file?", "how do i save", "Who are you?", "Tell me a story about a dog."):
                print(f"  {question} -> {answer(model, words, [('user', question)])}", flush=True)


if __name__ == "__main__":
    main()
