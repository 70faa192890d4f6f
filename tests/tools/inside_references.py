#!/usr/bin/env python3
"""Makes tests/data/inside: what a float64 forward pass sees inside tiny models of tests/data/architectures.

    tests/tools/inside_references.py      (needs python3-numpy)

Two models of architectures that reference_models.py does not have are described here; their logits must equal those that
came with the models. NAME.json has, for the tokens of the model's own description, `stream`, `mixer` and `feed_forward`
(lengths [block][token]), `largest` and `channel` of the stream, `attention` by block ([head][query][key] of the last
queries), `lens` ([block][token]: the first ids and their probabilities, for the last tokens), and where the model has
them `experts` by block ([token]: ids and weights), `lengths` and `decays` of states by block ([token][head]).
"""

import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gguf_arrays  # noqa: E402
from reference_models import Reference, rms_norm, sigmoid, silu, softmax  # noqa: E402

MODELS = pathlib.Path(__file__).parent.parent / "data" / "architectures"
OUT = MODELS.parent / "inside"
QUERIES = 3  # of attention and the lens
CANDIDATES = 5


class GptOss(Reference):
    """gpt-oss (OpenAI 2025): sinks, windows in every other block, clamped gates, biases everywhere."""

    def is_window(self, i):
        return i % 2 == 0

    def weigh(self, i, scores):
        sinks = self.tensors[f"blk.{i}.attn_sinks.weight"]
        column = np.broadcast_to(sinks[:, None, None], (*scores.shape[:2], 1))
        return softmax(np.concatenate([scores, column], axis=-1))[..., :-1]

    def transformer_block(self, i, blk, x):
        branch = self.attention(i, blk, self.norm(blk + "attn_norm", x))
        self.note("mixer", i, branch)
        x = x + branch
        second = self.feed_forward(blk, self.norm(blk + "post_attention_norm", x))
        self.note("feed_forward", i, second)
        return x + second

    def feed_forward(self, blk, x):
        router = self.linear(blk + "ffn_gate_inp", x)
        out = np.zeros_like(x)
        routes = []

        def product(part, expert, row):
            name = blk + f"ffn_{part}_exps"
            return self.tensors[name + ".weight"][expert] @ row + self.tensors[name + ".bias"][expert]

        for t, row in enumerate(x):
            chosen = np.argsort(-router[t])[: self.key("expert_used_count")]
            weights = softmax(router[t][chosen])
            routes.append((chosen, weights))
            for expert, weight in zip(chosen, weights):
                gate = np.minimum(product("gate", expert, row), 7)
                up = np.clip(product("up", expert, row), -7, 7)
                out[t] += weight * product("down", expert, gate * sigmoid(1.702 * gate) * (up + 1))
        self.note("experts", int(blk.split(".")[1]), routes)
        return out


class Qwen35(Reference):
    """Gated delta nets (Yang et al. 2024, 2412.06464) in three of four blocks, gated attention in the fourth."""

    def transformer_block(self, i, blk, x):
        mix = self.attention if self.has(blk + "attn_k.weight") else self.delta_net
        branch = mix(i, blk, self.norm(blk + "attn_norm", x))
        self.note("mixer", i, branch)
        x = x + branch
        second = self.feed_forward(blk, self.norm(blk + "post_attention_norm", x))
        self.note("feed_forward", i, second)
        return x + second

    def attention(self, i, blk, x):
        count, kv, size = self.heads(blk)
        both = self.linear(blk + "attn_q", x).reshape(len(x), count, 2 * size)
        k, v = (self.linear(blk + part, x).reshape(len(x), kv, size) for part in ("attn_k", "attn_v"))
        q = self.rotate(self.norm(blk + "attn_q_norm", both[..., :size]))
        k = self.rotate(self.norm(blk + "attn_k_norm", k))
        attended = self.attend(i, q, np.repeat(k, count // kv, axis=1), np.repeat(v, count // kv, axis=1), size**-0.5)
        return self.linear(blk + "attn_output", attended * sigmoid(both[..., size:]).reshape(len(x), -1))

    def delta_net(self, i, blk, x):
        size, groups, heads = (self.key("ssm." + name) for name in ("state_size", "group_count", "time_step_rank"))
        rows = self.linear(blk + "attn_qkv", x)
        taps = self.tensors[blk + "ssm_conv1d.weight"]
        padded = np.concatenate([np.zeros((taps.shape[1] - 1, rows.shape[1])), rows])
        rows = silu(sum(padded[j : j + len(x)] * taps[:, j] for j in range(taps.shape[1])))
        q, k, v = np.split(rows, [groups * size, 2 * groups * size], axis=-1)
        # The head h reads the keys of group h modulo the number of groups.
        q, k = (np.tile(part.reshape(len(x), groups, size), (1, heads // groups, 1)) for part in (q, k))
        q, k = (part / np.sqrt((part**2).sum(axis=-1, keepdims=True) + self.epsilon) for part in (q, k))
        v = v.reshape(len(x), heads, -1)
        beta = sigmoid(self.linear(blk + "ssm_beta", x))
        step = np.logaddexp(0, self.linear(blk + "ssm_alpha", x) + self.tensors[blk + "ssm_dt.bias"])
        decays = np.exp(step * self.tensors[blk + "ssm_a"])
        out, lengths = np.empty_like(v), np.empty_like(decays)
        for head in range(heads):
            state = np.zeros((size, v.shape[-1]))
            for t in range(len(x)):
                state = decays[t, head] * state
                state = state + beta[t, head] * np.outer(k[t, head], v[t, head] - k[t, head] @ state)
                out[t, head] = q[t, head] @ state / np.sqrt(size)
                lengths[t, head] = np.linalg.norm(state)
        self.note("lengths", i, lengths)
        self.note("decays", i, decays)
        gates = silu(self.linear(blk + "attn_gate", x)).reshape(out.shape)
        normed = rms_norm(out, self.epsilon) * self.tensors[blk + "ssm_norm.weight"] * gates
        return self.linear(blk + "ssm_out", normed.reshape(len(x), -1))


NAMES = {"llama": Reference, "gemma2": Reference, "qwen2moe": Reference, "deepseek2": Reference, "mamba": Reference,
         "rwkv6": Reference, "gpt-oss": GptOss, "qwen35": Qwen35}


def rounded(values):
    return [rounded(value) for value in values] if np.ndim(values) else float(f"{values:.9g}")


def lens_of(reference, stream):
    logits = reference.read_out(stream[-QUERIES:])
    best = np.argsort(-logits, axis=-1)[:, :CANDIDATES]
    return [{"ids": ids.tolist(), "probabilities": rounded(p[ids])} for ids, p in zip(best, softmax(logits))]


def inside(reference):
    seen = reference.seen
    streams = [seen["stream"][block] for block in range(reference.blocks)]
    facts = {"queries": QUERIES, "stream": rounded([np.linalg.norm(x, axis=-1) for x in streams])}
    for name in ("mixer", "feed_forward"):
        if name in seen:
            facts[name] = rounded([np.linalg.norm(seen[name][block], axis=-1) for block in range(reference.blocks)])
    channels = [np.abs(x).argmax(axis=-1) for x in streams]
    facts["channel"] = [row.tolist() for row in channels]
    facts["largest"] = rounded([x[np.arange(len(x)), row] for x, row in zip(streams, channels)])
    facts["lens"] = [lens_of(reference, x) for x in streams]
    facts["attention"] = {str(block): rounded(weights[:, -QUERIES:]) for block, weights in seen.get("attention", {}).items()}
    for name in ("lengths", "decays"):
        if name in seen:
            facts[name] = {str(block): rounded(values) for block, values in seen[name].items()}
    if "experts" in seen:
        facts["experts"] = {str(block): [{"ids": ids.tolist(), "weights": rounded(weights)} for ids, weights in routes]
                            for block, routes in seen["experts"].items()}
    return facts


def main():
    OUT.mkdir(exist_ok=True)
    for name, kind in NAMES.items():
        described = json.loads((MODELS / f"{name}.json").read_text())
        reference = kind(*gguf_arrays.read(MODELS / described["file"]), described["n_ctx"])
        logits = reference.logits(np.array(described["tokens"]))
        exact = np.fromfile(MODELS / f"{name}.exact.bin", "<f4").reshape(-1, described["n_vocab"])
        difference = np.abs(logits[-len(exact) :] - exact).max()
        if difference > 1e-4:
            raise SystemExit(f"{name}: the reference differs by {difference:.1e}")
        (OUT / f"{name}.json").write_text(json.dumps(inside(reference), separators=(",", ":")) + "\n")
        print(name, (OUT / f"{name}.json").stat().st_size, f"{difference:.1e}")


if __name__ == "__main__":
    main()
