"""Muon, the optimizer for matrices that Keller Jordan described in 2024: the momentum is made nearly orthogonal."""

import torch

STEPS = 5
A, B, C = 3.4445, -4.7750, 2.0315  # of the quintic that moves all singular values near one


def orthogonal(stack):
    """Of each matrix of a stack, the nearest orthogonal one, roughly."""
    x = stack / (stack.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(STEPS):
        square = x @ x.transpose(1, 2)
        x = A * x + (B * square + C * square @ square) @ x
    return x


class Muon(torch.optim.Optimizer):
    def __init__(self, matrices, lr, momentum=0.95, weight_decay=0.0):
        super().__init__(list(matrices), {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            shapes = {}
            for p in group["params"]:
                state = self.state[p]
                if not state:
                    state["momentum"] = torch.zeros_like(p)
                state["momentum"].lerp_(p.grad, 1 - group["momentum"])
                shapes.setdefault(p.shape, []).append((p, p.grad.lerp(state["momentum"], group["momentum"])))
            for shape, pairs in shapes.items():
                for (p, _), way in zip(pairs, orthogonal(torch.stack([way for _, way in pairs]))):
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                    p.add_(way, alpha=-group["lr"] * max(1.0, shape[0] / shape[1]) ** 0.5)
