"""The sample model: a transformer of the llama architecture, as GGUF names its parts."""

import os

import torch
import torch.nn.functional as F

SHAPES = {  # width, blocks, heads, KV heads, width of the feed-forward part
    "sample": (256, 3, 4, 2, 256),
    "measured": (512, 5, 8, 4, 768),  # 10.4 M weights: large enough to measure how well a plan for a size predicts
}
WIDTH, BLOCKS, HEADS, KV_HEADS, FEED_FORWARD = SHAPES[os.environ.get("GUFO_SAMPLE_SHAPE", "sample")]
VOCABULARY = 1024
CONTEXT, ROPE_BASE, EPSILON = 512, 10000.0, 1e-5
HEAD = WIDTH // HEADS


class Norm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON) * self.weight


def matrix(inputs, outputs, deviation):
    layer = torch.nn.Linear(inputs, outputs, bias=False)
    torch.nn.init.normal_(layer.weight, std=deviation)
    return layer


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        inner, last = WIDTH ** -0.5, WIDTH ** -0.5 / (2 * BLOCKS) ** 0.5
        self.attn_norm, self.ffn_norm = Norm(), Norm()
        self.attn_q = matrix(WIDTH, HEADS * HEAD, inner)
        self.attn_k = matrix(WIDTH, KV_HEADS * HEAD, inner)
        self.attn_v = matrix(WIDTH, KV_HEADS * HEAD, inner)
        self.attn_output = matrix(HEADS * HEAD, WIDTH, last)
        self.ffn_gate = matrix(WIDTH, FEED_FORWARD, inner)
        self.ffn_up = matrix(WIDTH, FEED_FORWARD, inner)
        self.ffn_down = matrix(FEED_FORWARD, WIDTH, last)

    def forward(self, x, turn, hide):
        rows, length, _ = x.shape
        y = self.attn_norm(x)
        q = rotated(self.attn_q(y).view(rows, length, HEADS, HEAD), turn).transpose(1, 2)
        k = rotated(self.attn_k(y).view(rows, length, KV_HEADS, HEAD), turn).transpose(1, 2)
        v = self.attn_v(y).view(rows, length, KV_HEADS, HEAD).transpose(1, 2)
        q = q.reshape(rows, KV_HEADS, HEADS // KV_HEADS * length, HEAD)  # the heads that share keys, one below the other
        scores = (q @ k.transpose(2, 3)).mul(HEAD ** -0.5).view(rows, HEADS, length, length)
        shares = torch.softmax(scores + hide, -1).view(rows, KV_HEADS, -1, length)
        mixed = (shares @ v).view(rows, HEADS, length, HEAD).transpose(1, 2).reshape(rows, length, HEADS * HEAD)
        x = x + self.attn_output(mixed)
        y = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))


def rotated(x, turn):
    """Rotary embedding of neighbouring pairs."""
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], HEAD // 2, 2))
    return torch.view_as_real(pairs * turn[:x.shape[1], None]).flatten(-2)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.token_embd = torch.nn.Embedding(VOCABULARY, WIDTH)
        torch.nn.init.normal_(self.token_embd.weight, std=0.05)
        self.blk = torch.nn.ModuleList(Block() for _ in range(BLOCKS))
        self.output_norm = Norm()
        angles = torch.arange(CONTEXT)[:, None] * ROPE_BASE ** (-torch.arange(0, HEAD, 2) / HEAD)
        self.register_buffer("turn", torch.polar(torch.ones_like(angles), angles), persistent=False)
        self.register_buffer("hide", torch.full((CONTEXT, CONTEXT), float("-inf")).triu(1), persistent=False)

    def states(self, ids):
        """The last hidden state of each position of ids[rows, length]."""
        x = self.token_embd(ids)
        length = ids.shape[1]
        for block in self.blk:
            x = block(x, self.turn, self.hide[:length, :length])
        return self.output_norm(x)

    def logits(self, states):
        return states @ self.token_embd.weight.t()  # tied

    def forward(self, ids):
        return self.logits(self.states(ids))
