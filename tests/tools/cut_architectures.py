#!/usr/bin/env python3
"""Makes tests/data/architectures from the tiny models of ../shared/fixtures/arch and arch2.

    tests/tools/cut_architectures.py ../shared/fixtures      (needs python3-numpy)

The models of arch2 are small and are copied. Only the vocabularies of those in TRIMMED are shortened, because most of
these files are rows of the embedding and of the output matrix, and the keys in FILE_TYPES are added. The logits of the
remaining tokens do not change.

The models of arch are cut down to the first rows and columns of every matrix, scaled so that activations keep their
magnitude, to the first blocks if there are many, and to the first tokens of the vocabulary. What characterises the
architecture is preserved: kinds of heads, windows, experts, scalings. Quantised matrices keep whole rows and whole blocks
in their encoding. The logits of the smaller model are then computed by reference_models.py, provided that this reference
also reproduces the logits that came with the original model.

NAME.exact.bin: float32 [n_tokens][n_vocab]. NAME.json of a cut model has `cut_check`, the largest difference in that
check, and for quantised models `rounded_kl`, the KL divergence from the exact logits when activations are rounded to
int8, as engines do.
"""

import json
import pathlib
import shutil
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gguf_arrays  # noqa: E402
import reference_models  # noqa: E402
from gguf_arrays import F32, UINT32, Tensor, Value  # noqa: E402

OUT = pathlib.Path(__file__).parent.parent / "data" / "architectures"
LARGEST_DIFFERENCE = 1e-5

# The lengths that each model is cut to, by key; the vocabulary is cut to 64 tokens unless stated.
NARROW = {"embedding_length": 32, "feed_forward_length": 32}
WITH_EXPERTS = NARROW | {"expert_feed_forward_length": 12}
LATENT = {"embedding_length": 24, "feed_forward_length": 32, "expert_feed_forward_length": 12, "attention.head_count": 2,
          "attention.head_count_kv": 2, "attention.key_length": 32, "attention.value_length": 16}
LATENT_QUERIES = LATENT | {"attention.q_lora_rank": 24}
HEADS_OF_16 = NARROW | {"attention.key_length": 16, "attention.value_length": 16}
ROTATED_4, ROTATED_8, ROTATED_16 = (NARROW | {"rope.dimension_count": rotated} for rotated in (4, 8, 16))
LARGER_LLAMA = {"embedding_length": 64, "feed_forward_length": 64, "attention.head_count": 2,
                "attention.head_count_kv": 1, "rope.dimension_count": 32, "vocabulary": 96}
ENCODED = {"block_count": 1}
IN_BLOCKS_OF_32 = ENCODED | {"attention.head_count": 1, "attention.head_count_kv": 1, "attention.key_length": 64,
                             "attention.value_length": 64, "feed_forward_length": 64}
CUTS = {
    "bloom": NARROW,
    "command-r": NARROW,
    "deepseek2": LATENT_QUERIES,
    "deepseek2-lite": LATENT | {"block_count": 4},
    "deepseek2-v3": LATENT_QUERIES,
    "falcon": NARROW,
    "falcon-40b": NARROW,
    "gemma": HEADS_OF_16,
    "gemma2": HEADS_OF_16 | {"feed_forward_length": 24, "block_count": 4},
    "gemma2-27b": {"embedding_length": 24, "feed_forward_length": 8, "attention.key_length": 8,
                   "attention.value_length": 8},  # its 46 blocks are what distinguishes it
    "gemma3": HEADS_OF_16 | {"feed_forward_length": 24},  # seven blocks: the sixth has full attention
    "gpt2": NARROW,
    "gptj": ROTATED_8,
    "gptneox": ROTATED_4,
    "gptneox-seq": ROTATED_4,
    "llama": LARGER_LLAMA,
    "llama-bias": ROTATED_16,
    "llama-moe": ROTATED_8 | {"feed_forward_length": 20},
    "llama-rope-freqs": ROTATED_16,
    "llama-rope-linear": ROTATED_8,
    "llama-rope-linear-oldkey": ROTATED_16,
    "llama-tied": ROTATED_8,
    "llama-yarn": ROTATED_16,
    "llama.Q4_0": IN_BLOCKS_OF_32,
    "llama.Q4_K_M": ENCODED,
    "llama.Q8_0": IN_BLOCKS_OF_32,
    "mamba": {"embedding_length": 32, "ssm.inner_size": 64},
    "mamba-bcdt": {"embedding_length": 32, "ssm.inner_size": 64},
    "mpt": NARROW | {"embedding_length": 48},  # six heads, which is not a power of two
    "olmo2": NARROW,
    "phi2": ROTATED_4,
    "phi3": ROTATED_8,
    "phi3-longrope": ROTATED_16,
    "qwen2": NARROW,
    "qwen2.IQ4_XS": ENCODED,  # with a matrix in Q5_K
    "qwen2moe": WITH_EXPERTS | {"expert_shared_feed_forward_length": 24},
    "qwen3": HEADS_OF_16,
    "qwen3moe": HEADS_OF_16 | WITH_EXPERTS,
    "rwkv6": {"embedding_length": 32, "feed_forward_length": 48, "wkv.head_size": 16, "time_decay_extra_dim": 8},
    "stablelm": ROTATED_4,
    "stablelm-par": ROTATED_4,
    "starcoder": NARROW,
    "starcoder2": NARROW,
}
TRIMMED = {"gemma3n", "bitnet-tq2", "olmo2-swa", "qwen", "rwkv7"}
# Quantised models without required keys: general.quantization_version and general.file_type.
FILE_TYPES = {"bitnet-tq2": 37, "gemma3n": 0, "gpt-oss-mxfp4": 38}
OTHER_CONTEXTS = {"phi3-longrope": ["phi3-longrope.ctx64"]}


class Sizes:
    """The lengths that occur in shapes, for a model before or after the cut."""

    def __init__(self, keys):
        arch = keys["general.architecture"].value.decode()

        def key(name, default=0):
            value = keys.get(f"{arch}.{name}")
            return value.value if value else default

        heads = key("attention.head_count")
        self.blocks = key("block_count")
        self.vocabulary = len(keys["tokenizer.ggml.tokens"].value)
        self.d = key("embedding_length")
        self.ff = key("feed_forward_length")
        self.ffe = key("expert_feed_forward_length", self.ff)
        shared = key("expert_shared_feed_forward_length", key("expert_shared_count") * self.ffe)
        self.ffs = shared
        self.head = key("attention.key_length", self.d // heads if heads else 0)
        value_head = key("attention.value_length", self.head)
        self.q = heads * self.head
        self.kv = key("attention.head_count_kv", heads) * self.head
        self.rotated = key("rope.dimension_count", self.head)
        self.ql, self.kl = key("attention.q_lora_rank"), key("attention.kv_lora_rank")
        self.heads, self.plain, self.value_head = heads, self.head - self.rotated, value_head
        self.inner, self.states, self.step = key("ssm.inner_size"), key("ssm.state_size"), key("ssm.time_step_rank")
        self.decay, self.rwkv_head = key("time_decay_extra_dim"), key("wkv.head_size")


# The axes of a tensor's numpy shape (rows first). None: not cut; a list: parts, each of which is cut, or dropped if there
# are fewer of them. `s`: the sizes before or after the cut; `uncut`: those before, which explain the actual shape.
def axes(name, s, uncut, shape):
    name = name.split(".", 2)[2] if name.startswith("blk.") else name
    base = name.removesuffix(".weight").removesuffix(".bias")
    both = {
        "token_embd": [s.vocabulary, s.d],
        "output": [s.vocabulary, s.d],
        "position_embd": [None, s.d],
        "attn_qkv": [[s.q, s.kv, s.kv], s.d],
        "attn_q": [[s.plain, s.rotated] * s.heads, s.d],
        "attn_k": [s.kv, s.d],
        "attn_v": [s.kv, s.d],
        "attn_output": [s.d, [s.value_head] * s.heads],
        "attn_q_a": [s.ql, s.d],
        "attn_q_b": [[s.plain, s.rotated] * s.heads, s.ql],
        "attn_kv_a_mqa": [[s.kl, s.rotated], s.d],
        "attn_kv_b": [[s.plain, s.value_head] * s.heads, s.kl],
        "ffn_gate": [s.ff, s.d],
        "ffn_up": [[s.ff, s.ff] if shape[0] == 2 * uncut.ff else s.ff, s.d],
        "ffn_down": [s.d, s.ff],
        "ffn_gate_inp": [None, s.d],
        "exp_probs_b": [None],
        "ffn_gate_exps": [None, s.ffe, s.d],
        "ffn_up_exps": [None, s.ffe, s.d],
        "ffn_down_exps": [None, s.d, s.ffe],
        "ffn_gate_shexp": [s.ffs, s.d],
        "ffn_up_shexp": [s.ffs, s.d],
        "ffn_down_shexp": [s.d, s.ffs],
        "ssm_in": [[s.inner, s.inner], s.d],
        "ssm_conv1d": [s.inner, None],
        "ssm_x": [None, s.inner],
        "ssm_dt": [s.inner, None],
        "ssm_a": [s.inner, None],
        "ssm_out": [s.d, s.inner],
        "time_mix_w1": [None, s.d],
        "time_mix_w2": [None, s.d, None],
        "time_mix_first": [s.d // s.rwkv_head if s.rwkv_head else 0, s.rwkv_head],
        "time_mix_decay_w1": [s.decay, s.d],
        "time_mix_decay_w2": [s.d, s.decay],
        "channel_mix_key": [s.ff, s.d],
        "channel_mix_value": [s.d, s.ff],
    }
    both |= {"time_mix_" + part: [s.d, s.d] for part in ("key", "value", "receptance", "gate", "output")}
    both["channel_mix_receptance"] = [s.d, s.d]
    single = {"ssm_d": s.inner, "attn_q_a_norm": s.ql, "attn_kv_a_norm": s.kl}
    if base in single or (base in ("attn_q_norm", "attn_k_norm") and shape[-1] == uncut.head):
        return [None] * (len(shape) - 1) + [single.get(base, s.head)]
    if base in ("attn_q_norm", "attn_k_norm"):
        return [s.q if base == "attn_q_norm" else s.kv]
    if base.startswith("rope_f"):
        return [s.rotated // 2]
    if base not in both:  # norms and mixing weights: one number for each element of a row
        return [None] * (len(shape) - 1) + [s.d]
    return both[base][: len(shape)]


def indices(name, before, after, length):
    """The indices of the rows or columns to keep."""
    if before is None:
        return np.arange(length)
    if name.startswith("rope_f"):  # factors range from 1 to their largest value
        return np.arange(after) * before // after
    if not isinstance(before, list):
        before, after = [before], [after]
    starts = np.cumsum([0] + before[:-1])
    return np.concatenate([start + np.arange(count) for start, count in zip(starts, after)])


def rows_of(tensor, kept):
    rows = np.frombuffer(tensor.data, np.uint8).reshape(-1, tensor.row_bytes)
    return Tensor((tensor.dims[0], len(kept)), tensor.type, rows[kept].tobytes())


def first_columns(tensor, count):
    size, size_bytes = gguf_arrays.BLOCKS[tensor.type]
    rows = np.frombuffer(tensor.data, np.uint8).reshape(-1, tensor.row_bytes)
    return Tensor((count, len(rows)), tensor.type, rows[:, : count // size * size_bytes].tobytes())


def cut_tensor(name, tensor, before, after):
    shape = tensor.dims[::-1]
    old, new = (axes(name, sizes, before, shape) for sizes in (before, after))
    if tensor.type != F32:
        columns = len(indices(name, old[1], new[1], shape[1]))
        return first_columns(rows_of(tensor, indices(name, old[0], new[0], shape[0])), columns)
    kept = [indices(name, o, n, length) for o, n, length in zip(old, new, shape)]
    values = tensor.array()[np.ix_(*kept)]
    if len(shape) > 1 and name not in ("token_embd.weight", "position_embd.weight"):  # compensates for shorter sums
        values = values * np.sqrt(shape[-1] / values.shape[-1])
    return Tensor(values.shape[::-1], F32, values.astype("<f4").tobytes())


def first_tokens(keys, count):
    """The first tokens, the last of which are replaced by the special tokens."""
    roles = {value.value for key, value in keys.items() if key.startswith("tokenizer.ggml.") and key.endswith("_token_id")}
    special = sorted(role for role in roles if role >= count)
    return list(range(count - len(special))) + special


def keep_tokens(keys, kept):
    """The vocabulary of only the tokens `kept`, with new ids."""
    keys = dict(keys)
    place = {old: new for new, old in enumerate(kept)}
    names = {keys["tokenizer.ggml.tokens"].value[old] for old in kept}
    for key, value in keys.items():
        if key.startswith("tokenizer.ggml.") and key.endswith("_token_id"):
            keys[key] = Value(value.type, place[value.value])
        elif key in ("tokenizer.ggml.tokens", "tokenizer.ggml.scores", "tokenizer.ggml.token_type"):
            keys[key] = Value(value.type, [value.value[old] for old in kept], value.element)
        elif key == "tokenizer.ggml.merges":
            possible = [m for m in value.value if {*m.split(b" "), m.replace(b" ", b"")} <= names]
            keys[key] = Value(value.type, possible, value.element)
        elif key.endswith(".vocab_size"):
            keys[key] = Value(value.type, len(kept))
    return keys


def cut(keys, tensors, sizes):
    arch = keys["general.architecture"].value.decode()
    before = Sizes(keys)
    keys = keep_tokens(keys, first_tokens(keys, sizes.get("vocabulary", 64)))
    for name, size in sizes.items():
        if name != "vocabulary":
            keys[f"{arch}.{name}"] = Value(UINT32, size)
    after = Sizes(keys)
    cut_tensors = {}
    for name, tensor in tensors.items():
        if not name.startswith("blk.") or int(name.split(".")[1]) < after.blocks:
            cut_tensors[name] = cut_tensor(name, tensor, before, after)
    return keys, cut_tensors


def float64_logits(keys, tensors, tokens, context, round_to_int8=False):
    return reference_models.Reference(keys, tensors, context, round_to_int8).logits(np.array(tokens))


def cut_model(folder, name):
    keys, tensors = gguf_arrays.read(folder / f"{name}.gguf")
    small_keys, small = cut(keys, tensors, CUTS[name])
    gguf_arrays.write(OUT / f"{name}.gguf", small_keys, small)
    small_keys, small = gguf_arrays.read(OUT / f"{name}.gguf")
    count = len(small_keys["tokenizer.ggml.tokens"].value)
    for case in [name] + OTHER_CONTEXTS.get(name, []):
        facts = json.loads((folder / f"{case}.json").read_text())
        context = facts["n_ctx"]
        given = np.fromfile(folder / f"{case}.exact.bin", "<f4").reshape(-1, facts["n_vocab"])
        difference = np.abs(float64_logits(keys, tensors, facts["tokens"], context) - given).max()
        if difference > LARGEST_DIFFERENCE:
            raise SystemExit(f"{case}: the reference differs by {difference:.1e} before the cut")
        tokens = [count - 1 if token == facts["n_vocab"] - 1 else token % count for token in facts["tokens"]]
        logits = float64_logits(small_keys, small, tokens, context)
        logits.astype("<f4").tofile(OUT / f"{case}.exact.bin")
        described = {"arch": facts["arch"], "file": f"{name}.gguf", "n_ctx": context, "n_tokens": len(tokens),
                     "n_vocab": count, "tokens": tokens, "argmax": logits.argmax(axis=-1).tolist(),
                     "max_abs_logit": round(float(np.abs(logits).max()), 5),
                     "rms_logit": round(float(np.sqrt((logits**2).mean())), 5),
                     "cut_check": float(f"{difference:.2g}"), "reference": "tests/tools/reference_models.py"}
        if any(tensor.type != F32 for tensor in small.values()):
            rounded = float64_logits(small_keys, small, tokens, context, round_to_int8=True)
            described["rounded_kl"] = float(f"{reference_models.divergence(logits, rounded):.4g}")
        (OUT / f"{case}.json").write_text(json.dumps(described, separators=(",", ":")) + "\n")
        print(case, (OUT / f"{name}.gguf").stat().st_size, described["rms_logit"], described.get("rounded_kl", ""))


def describe_types(name):
    keys, tensors = gguf_arrays.read(OUT / f"{name}.gguf")
    keys["general.file_type"] = Value(UINT32, FILE_TYPES[name])
    keys["general.quantization_version"] = Value(UINT32, 2)
    gguf_arrays.write(OUT / f"{name}.gguf", keys, tensors)


def trim_vocabulary(folder, name):
    keys, tensors = gguf_arrays.read(folder / f"{name}.gguf")
    facts = json.loads((folder / f"{name}.json").read_text())
    count = facts["n_vocab"]
    kept = sorted({*first_tokens(keys, 32), *facts["tokens"]})
    place = {old: new for new, old in enumerate(kept)}
    of_tokens = ("token_embd.weight", "per_layer_token_embd.weight", "output.weight")
    small = {n: rows_of(tensor, kept) if n in of_tokens else tensor for n, tensor in tensors.items()}
    gguf_arrays.write(OUT / f"{name}.gguf", keep_tokens(keys, kept), small)
    exact = np.fromfile(folder / f"{name}.exact.bin", "<f4").reshape(-1, count)[:, kept]
    exact.tofile(OUT / f"{name}.exact.bin")
    facts |= {"n_vocab": len(kept), "tokens": [place[token] for token in facts["tokens"]],
              "argmax": exact.argmax(axis=-1).tolist(), "vocabulary_trimmed_from": count}
    del facts["top5_last"], facts["min_top1_top2_gap"]
    (OUT / f"{name}.json").write_text(json.dumps(facts, separators=(",", ":")) + "\n")


def main():
    fixtures = pathlib.Path(sys.argv[1])
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for path in sorted((fixtures / "arch2").iterdir()):
        if path.name.endswith((".gguf", ".json", ".exact.bin", ".published.bin")):
            (OUT / path.name).write_bytes(path.read_bytes())
    for name in TRIMMED:
        trim_vocabulary(fixtures / "arch2", name)
    for name in FILE_TYPES:
        describe_types(name)
    for name in CUTS:
        cut_model(fixtures / "arch", name)


if __name__ == "__main__":
    main()
