"""What a camera does to a tile's face: lying a little off, light, colour, blur, distance, noise; batches at once."""

import math

import torch
from torch import Tensor
from torch.nn import functional


def views(faces: Tensor, side: int, rng: torch.Generator, easy: bool = False) -> Tensor:
    """One seen view of each face, cut to a square of so many pixels; easy ones are as in a good photo."""
    amount = 0.4 if easy else 1.0
    seen = _laid(faces, side, rng, amount)
    seen = _resolved(seen, side, rng, easy)
    return _lit(seen, rng, amount)


def grounds(cloths: Tensor, side: int, rng: torch.Generator) -> Tensor:
    """A part of each cloth, turned by quarters, as large as faces are seen: no edge of a tile is in it."""
    n, _, whole, _ = cloths.shape
    part = whole * 2 // 3
    left, top, turn = (int(torch.randint(most, (1,), generator=rng)) for most in (whole - part, whole - part, 4))
    seen = torch.rot90(cloths[:, :, top : top + part, left : left + part], turn, (2, 3))
    return _lit(_resolved(seen[torch.randperm(n, generator=rng)], side, rng, easy=False), rng, 1.0)


def shaken(crops: Tensor, rng: torch.Generator) -> Tensor:
    """Crops of rendered photos, which have seen a camera already, in a slightly other light and cut a little beside;
    some of them in a lamp's glare, from further away and in noise, as only few of the photos have it."""
    n = len(crops)
    shift = (_uniform(rng, 2 * n, -0.03, 0.03)).reshape(n, 2)
    frame = torch.tensor([[1.0, 0.0], [0.0, 1.0]]).repeat(n, 1, 1) * _uniform(rng, n, 0.97, 1.03)[:, None, None]
    grid = functional.affine_grid(torch.cat([frame, shift[:, :, None]], dim=2), list(crops.shape), align_corners=False)
    seen = functional.grid_sample(crops, grid, align_corners=False, padding_mode="border")
    cast = 1 + (torch.rand(n, 3, generator=rng) - 0.5) * 0.24
    gain = _uniform(rng, n, 0.8, 1.2)[:, None] * cast
    return veiled(in_noise(seen * gain[:, :, None, None], rng), rng).clamp(0, 1)


def veiled(seen: Tensor, rng: torch.Generator) -> Tensor:
    """Two in five behind light that a surface mirrors: it takes up to 0.6 of the contrast, more at one side.

    Noise that comes before loses as much, or a hardly seen tile would be taught to look like a ground in noise.
    """
    n, _, side, _ = seen.shape
    veil = _uniform(rng, n, -0.9, 0.6).clamp(0)[:, None, None]
    line = torch.linspace(-1, 1, side)
    y, x = torch.meshgrid(line, line, indexing="ij")
    angle = _uniform(rng, n, 0, 2 * math.pi)[:, None, None]
    veil = veil * (1 + 0.3 * (x * torch.cos(angle) + y * torch.sin(angle))).clamp(max=1.1)
    light = _uniform(rng, n, 0.45, 1.0)[:, None] * (1 + (torch.rand(n, 3, generator=rng) - 0.5) * 0.2)
    return seen * (1 - veil[:, None]) + veil[:, None] * light[:, :, None, None]


def in_noise(seen: Tensor, rng: torch.Generator, worst: float = 0.06, coarsest: float = 0.375) -> Tensor:
    """Half of them in more noise, coarser than a pixel where the camera was far away, and then less sharp as well."""
    n, _, side, _ = seen.shape
    strength = _uniform(rng, n, -worst, worst).clamp(0)[:, None, None, None]
    parts = []
    for part, strong in zip(seen.chunk(8), strength.chunk(8), strict=True):
        pixels = int(torch.randint(int(coarsest * side), side + 1, (1,), generator=rng))
        grey, colour = (torch.randn(len(part), of, pixels, pixels, generator=rng) for of in (1, 3))
        noise = functional.interpolate(strong * (grey + colour) / 2**0.5, size=side, mode="bilinear")
        blurred = functional.interpolate(part, size=pixels, mode="area")
        blurred = functional.interpolate(blurred, size=side, mode="bilinear")
        parts.append(torch.where(strong > 0, blurred, part) + noise)
    return torch.cat(parts)


def _uniform(rng: torch.Generator, count: int, low: float, high: float) -> Tensor:
    return torch.rand(count, generator=rng) * (high - low) + low


def _laid(faces: Tensor, side: int, rng: torch.Generator, amount: float) -> Tensor:
    """Turned, shifted, stretched and tilted a little, on a ground that is not the tile's."""
    n = len(faces)
    turn = _uniform(rng, n, -0.17, 0.17) * amount
    scale_x, scale_y = (1 + _uniform(rng, n, -0.14, 0.14) * amount for _ in range(2))
    shift_x, shift_y = (_uniform(rng, n, -0.13, 0.13) * amount for _ in range(2))
    lean_x, lean_y = (_uniform(rng, n, -0.12, 0.12) * amount for _ in range(2))
    line = torch.linspace(-1, 1, side) * (1 - 1 / side)
    y, x = torch.meshgrid(line, line, indexing="ij")
    cos, sin = torch.cos(turn)[:, None, None], torch.sin(turn)[:, None, None]
    depth = 1 + lean_x[:, None, None] * x + lean_y[:, None, None] * y
    right = (x * cos - y * sin) * scale_x[:, None, None] / depth + shift_x[:, None, None]
    down = (x * sin + y * cos) * scale_y[:, None, None] / depth + shift_y[:, None, None]
    grid = torch.stack([right, down], dim=-1)
    inside = functional.grid_sample(faces, grid, align_corners=False, padding_mode="border")
    off = ((grid.abs() > 1).any(dim=-1)).unsqueeze(1).float()
    other = faces[torch.randperm(n, generator=rng)].roll((48, 30), (2, 3))[:, :, :side, :side]
    flat = torch.rand(n, 3, 1, 1, generator=rng).expand(-1, -1, side, side)
    around = torch.where(torch.rand(n, 1, 1, 1, generator=rng) < 0.5, other, flat)
    return inside * (1 - off) + around * off


def _resolved(seen: Tensor, side: int, rng: torch.Generator, easy: bool) -> Tensor:
    """As from a camera that is further away or not in focus; each eighth of the batch alike, which is quick."""
    parts = []
    for part in seen.chunk(8):
        low = 36 if easy else 18
        pixels = int(torch.randint(low, side + 1, (1,), generator=rng))
        part = functional.interpolate(part, size=pixels, mode="area")
        if not easy and torch.rand(1, generator=rng) < 0.4:
            part = _smeared(part, rng)
        parts.append(functional.interpolate(part, size=side, mode="bilinear", align_corners=False))
    return torch.cat(parts)


def _smeared(part: Tensor, rng: torch.Generator) -> Tensor:
    kernel = torch.zeros(3, 3)
    kernel[1, 1] = 1.0
    kernel = kernel + torch.rand(3, 3, generator=rng) * torch.rand(1, generator=rng) * 2
    kernel = kernel / kernel.sum()
    return functional.conv2d(functional.pad(part, (1, 1, 1, 1), "replicate"), kernel.expand(3, 1, 3, 3), groups=3)


def _lit(seen: Tensor, rng: torch.Generator, amount: float) -> Tensor:
    n, _, side, _ = seen.shape
    warmth = _uniform(rng, n, -0.25, 0.25) * amount
    cast = torch.stack([1 - warmth, 1 + _uniform(rng, n, -0.06, 0.06) * amount, 1 + warmth], dim=1)
    bright = torch.exp(_uniform(rng, n, -0.7, 0.3) * amount)
    line = torch.linspace(-1, 1, side)
    y, x = torch.meshgrid(line, line, indexing="ij")
    angle = _uniform(rng, n, 0, 2 * math.pi)[:, None, None]
    fall = 1 + _uniform(rng, n, 0, 0.35)[:, None, None] * amount * (x * torch.cos(angle) + y * torch.sin(angle))
    gamma = torch.exp(_uniform(rng, n, -0.3, 0.3) * amount)[:, None, None, None]
    lit = seen.clamp(1e-3, 1).pow(gamma) * cast[:, :, None, None] * bright[:, None, None, None] * fall[:, None]
    glare = (_uniform(rng, n, -1.2, 0.6) * amount).clamp(0)[:, None, None]
    gx, gy = (_uniform(rng, n, -1, 1)[:, None, None] for _ in range(2))
    spread = _uniform(rng, n, 0.1, 0.6)[:, None, None]
    lit = lit + (glare * torch.exp(-((x - gx) ** 2 + (y - gy) ** 2) / spread))[:, None]
    haze = (_uniform(rng, n, -0.1, 0.12) * amount).clamp(0)[:, None, None, None]
    noise = torch.randn(seen.shape, generator=rng) * _uniform(rng, n, 0, 0.05)[:, None, None, None] * amount
    return (lit * (1 - haze) + haze + noise).clamp(0, 1)
