"""Reference forward passes in float64 for the cut-down models in tests/data/architectures.

Written for clarity, from the papers and the published models, and independently of the engine in core/inference. It shares
neither code nor optimisations with the engine (no caches, batches or fused products), so that each verifies the other.
"""

import gguf_arrays
import numpy as np

INTERLEAVED = {"llama", "gptj", "command-r", "deepseek2"}
WITHOUT_ROPE = {"gpt2", "starcoder", "bloom", "mpt"}
GELU = {"gemma", "gemma2", "gemma3", "phi2", "gpt2", "starcoder", "gptneox", "gptj", "bloom", "falcon", "mpt", "starcoder2"}
PARALLEL = {"phi2", "gptj", "falcon", "command-r"}
LAYER_NORM = (GELU - {"gemma", "gemma2", "gemma3"}) | {"stablelm", "command-r", "rwkv6"}
ROUTER_NOT_NORMALISED = {"qwen2moe", "deepseek2"}


def silu(x):
    return x / (1 + np.exp(-x))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def rms_norm(x, epsilon):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon)


def layer_norm(x, epsilon):
    centred = x - x.mean(axis=-1, keepdims=True)
    return rms_norm(centred, epsilon)


def alibi_slopes(heads, largest):
    """ALiBi (Press et al. 2021); heads beyond a power of two take every second slope of the next power of two."""
    power = 2 ** int(np.floor(np.log2(heads)))
    return [2 ** (-largest / power * (h + 1)) if h < power else 2 ** (-largest / 2 / power * (2 * (h - power) + 1))
            for h in range(heads)]


def rounded_to_int8(x, run):
    """Activations after rounding each `run` of them to int8 with a common scale."""
    runs = x.reshape(*x.shape[:-1], -1, run)
    scale = np.maximum(np.abs(runs).max(axis=-1, keepdims=True) / 127, 1e-30)
    return (np.round(runs / scale) * scale).reshape(x.shape)


class Reference:
    """`round_to_int8`: round the activations that quantised matrices are multiplied by, as engines with int8 products do."""

    def __init__(self, keys, tensors, context, round_to_int8=False):
        self.values = {key: value.value for key, value in keys.items()}
        self.arch = self.values["general.architecture"].decode()
        self.tensors = {name: tensor.array() for name, tensor in tensors.items()}
        # The activations have one scale for each block of the matrix's type.
        self.runs = {name: gguf_arrays.BLOCKS[tensor.type][0] for name, tensor in tensors.items()}
        self.context = context
        self.round_to_int8 = round_to_int8
        kind = "layer_norm_epsilon" if self.arch in LAYER_NORM else "layer_norm_rms_epsilon"
        self.epsilon = self.key("attention." + kind, 1e-5)
        self.blocks = self.key("block_count")
        self.width = self.key("embedding_length")
        self.seen = {}

    def note(self, name, block, value):
        """Keeps a value of the last forward pass for inside_references.py."""
        self.seen.setdefault(name, {})[block] = value

    def key(self, name, default=None):
        return self.values.get(f"{self.arch}.{name}", default)

    def has(self, name):
        return name in self.tensors

    def linear(self, name, x):
        if self.round_to_int8 and self.runs[name + ".weight"] > 1:
            x = rounded_to_int8(x, self.runs[name + ".weight"])
        y = x @ self.tensors[name + ".weight"].T
        return y + self.tensors[name + ".bias"] if self.has(name + ".bias") else y

    def norm(self, name, x):
        y = (layer_norm if self.arch in LAYER_NORM else rms_norm)(x, self.epsilon) * self.tensors[name + ".weight"]
        return y + self.tensors[name + ".bias"] if self.has(name + ".bias") else y

    def norm_if_there(self, name, x):
        return self.norm(name, x) if self.has(name + ".weight") else x

    def logits(self, tokens):
        self.positions = np.arange(len(tokens))
        x = self.tensors["token_embd.weight"][tokens]
        if self.arch.startswith("gemma"):
            x = x * np.sqrt(self.width)
        if self.has("position_embd.weight"):
            x = x + self.tensors["position_embd.weight"][self.positions]
        x = self.norm_if_there("token_embd_norm", x)
        block = {"mamba": self.mamba_block, "rwkv6": self.rwkv_block}.get(self.arch, self.transformer_block)
        for i in range(self.blocks):
            x = block(i, f"blk.{i}.", x)
            self.note("stream", i, x)
        return self.read_out(x)

    def read_out(self, x):
        x = self.norm("output_norm", x)
        y = self.linear("output" if self.has("output.weight") else "token_embd", x) * self.key("logit_scale", 1)
        cap = self.key("final_logit_softcapping", 0)
        return cap * np.tanh(y / cap) if cap else y

    # Transformers

    def transformer_block(self, i, blk, x):
        attends_to = blk + ("attn_norm_2" if self.has(blk + "attn_norm_2.weight") else "attn_norm")
        attention = self.latent_attention if self.arch == "deepseek2" else self.attention
        branch = attention(i, blk, self.norm_if_there(attends_to, x))
        branch = self.norm_if_there(blk + "post_attention_norm", branch)
        self.note("mixer", i, branch)
        parallel = (self.arch in PARALLEL or (self.arch == "gptneox" and self.key("use_parallel_residual", True))
                    or (self.arch == "stablelm" and not self.has(blk + "ffn_norm.weight")))
        if parallel:
            norm = "ffn_norm" if self.has(blk + "ffn_norm.weight") else "attn_norm"
            second = self.feed_forward(blk, self.norm(blk + norm, x))
            return x + branch + second
        x = x + branch
        second = self.feed_forward(blk, self.norm_if_there(blk + "ffn_norm", x))
        second = self.norm_if_there(blk + "post_ffw_norm", second)
        self.note("feed_forward", i, second)
        return x + second

    def activation(self, x):
        return gelu(x) if self.arch in GELU else silu(x)

    def dense(self, names, x, expert=None):
        def product(name, x):
            if expert is None:
                return self.linear(name, x)
            return x @ self.tensors[name + ".weight"][expert].T

        gate, up, down = names
        if self.has(gate + ".weight"):
            return product(down, self.activation(product(gate, x)) * product(up, x))
        u = product(up, x)
        if self.arch == "phi3":  # the rows of the gate come first
            g, u = np.split(u, 2, axis=-1)
            return product(down, self.activation(g) * u)
        return product(down, self.activation(u))

    def feed_forward(self, blk, x):
        if not self.has(blk + "ffn_gate_inp.weight"):
            return self.dense([blk + f"ffn_{part}" for part in ("gate", "up", "down")], x)
        router = self.linear(blk + "ffn_gate_inp", x)
        p = sigmoid(router) if self.key("expert_gating_func", 1) == 2 else softmax(router)
        chosen_by = p + self.tensors.get(blk + "exp_probs_b.bias", 0)
        normalised = self.key("expert_weights_norm", self.arch not in ROUTER_NOT_NORMALISED)
        names = [blk + f"ffn_{part}_exps" for part in ("gate", "up", "down")]
        out = np.zeros_like(x)
        routes = []
        for t, row in enumerate(x):
            chosen = np.argsort(-chosen_by[t])[: self.key("expert_used_count")]
            weights = p[t][chosen] / (p[t][chosen].sum() if normalised else 1)
            weights = weights * self.key("expert_weights_scale", 1)
            routes.append((chosen, weights))
            for expert, weight in zip(chosen, weights):
                out[t] += weight * self.dense(names, row, expert)
        self.note("experts", int(blk.split(".")[1]), routes)
        if self.has(blk + "ffn_up_shexp.weight"):
            shared = self.dense([blk + f"ffn_{part}_shexp" for part in ("gate", "up", "down")], x)
            if self.has(blk + "ffn_gate_inp_shexp.weight"):
                shared = shared * sigmoid(x @ self.tensors[blk + "ffn_gate_inp_shexp.weight"].ravel())[:, None]
            out = out + shared
        return out

    def heads(self, blk):
        count = self.key("attention.head_count")
        kv = self.key("attention.head_count_kv", count)
        return count, kv, self.key("attention.key_length", self.width // count)

    def is_window(self, i):
        if self.arch == "gemma2":
            return i % 2 == 0
        return self.arch == "phi3" or (self.arch == "gemma3" and (i + 1) % 6 != 0)

    def queries_keys_values(self, blk, x):
        count, kv, size = self.heads(blk)
        if self.has(blk + "attn_qkv.weight"):
            q, k, v = np.split(self.linear(blk + "attn_qkv", x), [count * size, (count + kv) * size], axis=-1)
        else:
            q, k, v = (self.linear(blk + part, x) for part in ("attn_q", "attn_k", "attn_v"))
        clamp = self.key("attention.clamp_kqv", 0)
        if clamp:
            q, k, v = (np.clip(part, -clamp, clamp) for part in (q, k, v))
        return (self.head_norm(blk + "attn_q_norm", q, count), self.head_norm(blk + "attn_k_norm", k, kv),
                v.reshape(len(v), kv, size))

    def head_norm(self, name, x, count):
        """Norms of whole rows (olmo2) are applied before the split into heads, others after it."""
        if self.has(name + ".weight") and self.tensors[name + ".weight"].shape == x.shape[-1:]:
            x = self.norm(name, x)
            return x.reshape(len(x), count, -1)
        return self.norm_if_there(name, x.reshape(len(x), count, -1))

    def attention(self, i, blk, x):
        count, kv, size = self.heads(blk)
        q, k, v = self.queries_keys_values(blk, x)
        if self.arch not in WITHOUT_ROPE:
            own_base = self.arch == "gemma3" and self.is_window(i)
            q, k = (self.rotate(part, own_base) for part in (q, k))
        large = {"gemma2": 46, "gemma3": 62}.get(self.arch) == self.blocks
        scale = 1 / np.sqrt(self.width // count if large else size)
        attended = self.attend(i, q, np.repeat(k, count // kv, axis=1), np.repeat(v, count // kv, axis=1), scale)
        return self.linear(blk + "attn_output", attended)

    def attend(self, i, q, k, v, scale):
        """Repeats keys and values for each head of q [token, head, element]."""
        scores = np.einsum("ihd,jhd->hij", q, k) * scale
        cap = self.key("attn_logit_softcapping", 0)
        if cap:
            scores = cap * np.tanh(scores / cap)
        distance = self.positions[:, None] - self.positions
        largest = 8.0 if self.arch == "bloom" else self.key("attention.max_alibi_bias", 0)
        if largest:
            scores = scores - np.array(alibi_slopes(q.shape[1], largest))[:, None, None] * distance
        hidden = distance < 0
        if self.is_window(i):
            hidden = hidden | (distance >= self.key("attention.sliding_window", 1 << 30))
        weights = self.weigh(i, np.where(hidden, -np.inf, scores))
        self.note("attention", i, weights)
        attended = np.einsum("hij,jhd->ihd", weights, v)
        return attended.reshape(len(attended), -1)

    def weigh(self, i, scores):
        return softmax(scores)

    def rotate(self, x, own_base=False, size=None):
        """Rotates the first elements of each head; `own_base`: the base of gemma3's sliding windows."""
        rotated = size or self.key("rope.dimension_count", x.shape[-1])
        pairs = np.arange(rotated // 2)
        base = 10000.0 if own_base else self.key("rope.freq_base", 10000.0)
        frequencies = base ** (-2.0 * pairs / rotated)
        magnitude = 1.0
        if not own_base:
            frequencies, magnitude = self.scaled(frequencies, base, rotated)
        angles = self.positions[:, None] * frequencies
        cosine, sine = (f(angles)[:, None, :] * magnitude for f in (np.cos, np.sin))
        interleaved = self.arch in INTERLEAVED
        first = slice(0, rotated, 2) if interleaved else slice(0, rotated // 2)
        second = slice(1, rotated, 2) if interleaved else slice(rotated // 2, rotated)
        y = x.copy()
        y[..., first] = x[..., first] * cosine - x[..., second] * sine
        y[..., second] = x[..., first] * sine + x[..., second] * cosine
        return y

    def scaled(self, frequencies, base, rotated):
        original = self.key("rope.scaling.original_context_length", self.key("context_length"))
        length = "long" if self.context > original else "short"
        frequencies = frequencies / self.tensors.get("rope_freqs.weight", 1)
        frequencies = frequencies / self.tensors.get(f"rope_factors_{length}.weight", 1)
        magnitude = self.key("rope.scaling.attn_factor", 1.0)
        factor = self.key("rope.scaling.factor", self.key("rope.scale_linear", 1.0))
        if self.key("rope.scaling.type", b"linear") == b"yarn":  # Peng et al. 2023
            def pair_of(turns):
                return rotated * np.log(original / (turns * 2 * np.pi)) / (2 * np.log(base))

            low, high = max(0, np.floor(pair_of(32))), min(rotated - 1, np.ceil(pair_of(1)))
            slow = np.clip((np.arange(rotated // 2) - low) / max(0.001, high - low), 0, 1)
            if self.arch != "deepseek2":  # where it is part of the scale of the scores
                magnitude *= 1 + 0.1 * np.log(factor)
            return frequencies / factor * slow + frequencies * (1 - slow), magnitude
        if self.key("rope.scaling.type", b"linear") == b"linear":
            frequencies = frequencies / factor
        return frequencies, magnitude

    def latent_attention(self, i, blk, x):
        """DeepSeek-V2 (2405.04434): keys and values of all heads come from one low-rank row and one rotated key."""
        count = self.key("attention.head_count")
        rotated = self.key("rope.dimension_count")
        length, rank = self.key("attention.key_length"), self.key("attention.kv_lora_rank")
        if self.has(blk + "attn_q_a.weight"):
            q = self.linear(blk + "attn_q_b", self.norm(blk + "attn_q_a_norm", self.linear(blk + "attn_q_a", x)))
        else:
            q = self.linear(blk + "attn_q", x)
        q = q.reshape(len(x), count, length)
        latent, shared = np.split(self.linear(blk + "attn_kv_a_mqa", x), [rank], axis=-1)
        both = self.linear(blk + "attn_kv_b", self.norm(blk + "attn_kv_a_norm", latent)).reshape(len(x), count, -1)
        plain, v = np.split(both, [length - rotated], axis=-1)
        q = np.concatenate([q[..., : length - rotated], self.rotate(q[..., length - rotated :], size=rotated)], axis=-1)
        shared = np.repeat(self.rotate(shared[:, None, :], size=rotated), count, axis=1)
        k = np.concatenate([plain, shared], axis=-1)
        stretch = np.log(self.key("rope.scaling.factor", 1.0))
        measure = 1 + self.key("rope.scaling.yarn_log_multiplier", 0.0) * stretch
        return self.linear(blk + "attn_output", self.attend(i, q, k, v, measure**2 / np.sqrt(length)))

    # Recurrent models

    def mamba_block(self, i, blk, x):
        """Gu and Dao 2023; the file's A is −exp(A_log)."""
        inner, states, rank = (self.key("ssm." + name) for name in ("inner_size", "state_size", "time_step_rank"))
        u, z = np.split(self.linear(blk + "ssm_in", self.norm(blk + "attn_norm", x)), 2, axis=-1)
        kernel = self.tensors[blk + "ssm_conv1d.weight"]
        taps = kernel.shape[1]
        padded = np.concatenate([np.zeros((taps - 1, inner)), u])
        u = silu(sum(padded[j : j + len(x)] * kernel[:, j] for j in range(taps)) + self.tensors[blk + "ssm_conv1d.bias"])
        parts = np.split(u @ self.tensors[blk + "ssm_x.weight"].T, [rank, rank + states], axis=-1)
        if self.key("ssm.dt_b_c_rms", False):
            parts = [rms_norm(part, self.epsilon) for part in parts]
        step, b, c = parts
        step = np.logaddexp(0, self.linear(blk + "ssm_dt", step))
        state = np.zeros((inner, states))
        out = np.empty_like(u)
        lengths, decays = [], []
        for t in range(len(x)):
            decay = np.exp(step[t][:, None] * self.tensors[blk + "ssm_a"])
            state = state * decay + np.outer(step[t] * u[t], b[t])
            out[t] = state @ c[t] + self.tensors[blk + "ssm_d"] * u[t]
            lengths.append([np.linalg.norm(state)])
            decays.append([decay.mean()])
        self.note("lengths", i, np.array(lengths))
        self.note("decays", i, np.array(decays))
        branch = self.linear(blk + "ssm_out", out * silu(z))
        self.note("mixer", i, branch)
        return x + branch

    def rwkv_block(self, i, blk, x):
        """RWKV 6 (Peng et al. 2024, 2404.05892)."""
        def weight(name):
            return self.tensors[blk + name + ".weight"]

        def shifted(h):
            return np.concatenate([np.zeros_like(h[:1]), h[:-1]]) - h

        h = self.norm(blk + "attn_norm", x)
        before = shifted(h)
        low = np.tanh((h + before * weight("time_mix_lerp_x").ravel()) @ weight("time_mix_w1").T)
        mixed = [h + before * (weight("time_mix_lerp_fused")[part].ravel() + rows @ weight("time_mix_w2")[part].T)
                 for part, rows in enumerate(np.split(low, 5, axis=-1))]
        decay = np.tanh(mixed[0] @ weight("time_mix_decay_w1").T) @ weight("time_mix_decay_w2").T
        decay = np.exp(-np.exp(weight("time_mix_decay") + decay))
        k, v, r, g = (self.linear(blk + "time_mix_" + name, part)
                      for name, part in zip(("key", "value", "receptance", "gate"), mixed[1:]))
        size = self.key("wkv.head_size")
        out = np.empty_like(h)
        lengths = np.empty((len(x), self.width // size))
        for head in range(self.width // size):
            part = slice(head * size, (head + 1) * size)
            first = weight("time_mix_first").ravel()[part]
            state = np.zeros((size, size))
            for t in range(len(x)):
                product = np.outer(k[t, part], v[t, part])
                out[t, part] = layer_norm(r[t, part] @ (state + first[:, None] * product), 64e-5)
                state = state * decay[t, part][:, None] + product
                lengths[t, head] = np.linalg.norm(state)
        self.note("lengths", i, lengths)
        self.note("decays", i, decay.reshape(*lengths.shape, size).mean(axis=-1))
        out = (out * weight("time_mix_ln") + self.tensors[blk + "time_mix_ln.bias"]) * silu(g)
        branch = self.linear(blk + "time_mix_output", out)
        self.note("mixer", i, branch)
        x = x + branch
        h = self.norm(blk + "attn_norm_2", x)
        before = shifted(h)
        k = np.maximum(self.linear(blk + "channel_mix_key", h + before * weight("channel_mix_lerp_k").ravel()), 0) ** 2
        r = self.linear(blk + "channel_mix_receptance", h + before * weight("channel_mix_lerp_r").ravel())
        second = sigmoid(r) * self.linear(blk + "channel_mix_value", k)
        self.note("feed_forward", i, second)
        x = x + second
        every = self.key("rescale_every_n_layers", 0)
        return x / 2 if every and (i + 1) % every == 0 else x


def divergence(reference, other):
    """Mean over positions of KL(reference ‖ other), in nats."""
    p, q = softmax(reference), softmax(other)
    return float((p * np.log(p / q)).sum(axis=-1).mean())
