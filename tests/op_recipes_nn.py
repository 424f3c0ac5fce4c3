"""How tests/test_ops.py calls reductions, linear algebra, losses, layers, shapes, creation and random rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from op_recipes import Recipe

INF = math.inf
SINGLE = ("float32", "float64")
MASKED = torch.tensor([-INF, -INF])
SIGNS = (-1.0, 1.0)
UNIT = (0.0, 1.0)


def _variants(**choices: Any) -> tuple[dict[str, Any], ...]:
    """One variant for each value of one parameter."""
    return tuple({name: value} for name, values in choices.items() for value in values)


def _matrix(x: torch.Tensor) -> dict[str, Any]:
    """A square matrix of equal elements: 1 by 1, or 3 by 3."""
    n = 1 if x.numel() < 9 else 3
    return {"input": x[: n * n].reshape(n, n)}


def _identity(x: torch.Tensor) -> dict[str, Any]:
    """A multiple of the identity (of one element for an element)."""
    return {"input": torch.diag(x[:3])}


def _images(rank: int = 4, side: int = 4) -> Callable[[torch.Tensor], dict[str, Any]]:
    def make(x: torch.Tensor) -> dict[str, Any]:
        shape = (1, 1, *([side] * (rank - 2)))
        return {"input": x[:1].expand(*shape) if x.numel() < math.prod(shape) else x[: math.prod(shape)].reshape(shape)}

    return make


def _rows(x: torch.Tensor) -> dict[str, Any]:
    return {"input": x[:64].reshape(1, -1)}


def _with(**others: Any) -> Callable[[torch.Tensor], dict[str, Any]]:
    """The telling tensor as input, and others: values, or functions of it."""
    return lambda x: {"input": x, **{name: make(x) if callable(make) else make for name, make in others.items()}}


def _as(name: str, **others: Any) -> Callable[[torch.Tensor], dict[str, Any]]:
    return lambda x: {name: x, **{key: make(x) if callable(make) else make for key, make in others.items()}}


def _pair(x: torch.Tensor) -> torch.Tensor:
    return x.detach().clone().requires_grad_(True)


def _zeros(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(x)


def _ones(x: torch.Tensor) -> torch.Tensor:
    return torch.ones_like(x)


def _first(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros(1, dtype=torch.int64)


def _places(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros(x.numel(), dtype=torch.int64)


def _indices(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.numel())


def _mask(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.numel()) % 2 == 0


def _classes(x: torch.Tensor) -> dict[str, Any]:
    rows = x.reshape(1, -1) if x.numel() else x.reshape(0, 3)
    return {"input": rows, "target": torch.zeros(len(rows), dtype=torch.int64)}


def _masked(x: torch.Tensor) -> dict[str, Any]:
    return {"input": x}


LOGITS = ({"dim": 0}, {"dim": 0, "input": MASKED.clone().requires_grad_(True)})
EMPTY = (0, 1, 64)
DIMS = ({}, {"dim": 0})

REDUCTIONS: dict[str, Recipe] = {
    "sum": Recipe(variants=DIMS),
    "nansum": Recipe(variants=DIMS),
    "mean": Recipe(variants=DIMS, sizes=EMPTY),
    "nanmean": Recipe(variants=DIMS, sizes=EMPTY),
    "average": Recipe(sizes=EMPTY, dtypes=SINGLE, gradient=False),
    "ptp": Recipe(dtypes=SINGLE, gradient=False),
    "median": Recipe(sizes=EMPTY),
    "nanmedian": Recipe(sizes=EMPTY),
    "middle": Recipe(sizes=EMPTY, dtypes=SINGLE, gradient=False),
    "mode": Recipe(variants=({"dim": 0},)),
    "quantile": Recipe(variants=_variants(q=(0.0, 0.3, 1.0)), dtypes=SINGLE),
    "nanquantile": Recipe(variants=_variants(q=(0.0, 0.3, 1.0)), dtypes=SINGLE),
    "prod": Recipe(variants=DIMS),
    "cumsum": Recipe(variants=({"dim": 0},)),
    "cumprod": Recipe(variants=({"dim": 0},)),
    "cummax": Recipe(variants=({"dim": 0},)),
    "cummin": Recipe(variants=({"dim": 0},)),
    "logcumsumexp": Recipe(variants=({"dim": 0},)),
    "std": Recipe(variants=({}, {"correction": 0}, {"unbiased": False}, {"dim": 0}), sizes=EMPTY),
    "var": Recipe(variants=({}, {"correction": 0}, {"unbiased": False}, {"dim": 0}), sizes=EMPTY),
    "std_mean": Recipe(variants=({}, {"correction": 0}), sizes=EMPTY),
    "var_mean": Recipe(variants=({}, {"correction": 0}), sizes=EMPTY),
    "amax": Recipe(variants=({"dim": 0},)),
    "amin": Recipe(variants=({"dim": 0},)),
    "max": Recipe(variants=DIMS),
    "min": Recipe(variants=DIMS),
    "logsumexp": Recipe(variants=LOGITS),
    "softmax": Recipe(variants=LOGITS, spelling="torch.softmax"),
    "log_softmax": Recipe(variants=LOGITS, spelling="torch.log_softmax"),
    "softmin": Recipe(variants=({"dim": 0}, {"dim": 0, "input": -MASKED})),
    "gumbel_softmax": Recipe(variants=({"dim": 0}, {"dim": 0, "tau": 1e-3}, LOGITS[1])),
    "masked_softmax": Recipe(variants=LOGITS, spelling="torch._safe_softmax"),
    "len": Recipe(gradient=False),
    "size": Recipe(variants=({}, {"dim": 0})),
    "bincount": Recipe(make=lambda x: {"input": torch.zeros(x.numel(), dtype=torch.int64)}),
    "histogram": Recipe(variants=({"bins": 4},), dtypes=SINGLE, within=(-100.0, 100.0), gradient=False),
    "histc": Recipe(dtypes=SINGLE, within=(-100.0, 100.0), gradient=False),
    "cov": Recipe(sizes=(64,), dtypes=SINGLE),
    "corrcoef": Recipe(make=lambda x: {"input": torch.stack([x, -2 * x]) * torch.linspace(1, 2, x.numel()).to(x.dtype)},
                       sizes=(64,), dtypes=SINGLE),
}

NORMS = _variants(p=(2, 1, 3, INF, 0.5, 0, -1, 1.5))
LINALG: dict[str, Recipe] = {
    "norm": Recipe(variants=({}, {"dim": 0}, *NORMS), second=(0.0,)),
    "matrix_norm": Recipe(make=_matrix, dtypes=SINGLE),
    "normalize": Recipe(variants=({"dim": 0}, {"dim": 0, "p": 1}, {"dim": 0, "eps": 1e-4}), second=(0.0,)),
    "cosine_similarity": Recipe(variants=({"dim": 0},), make=None),
    "dist": Recipe(variants=_variants(p=(2, 1, INF))),
    "cdist": Recipe(make=lambda x: {"input": x.reshape(1, -1), "other": _pair(x).reshape(1, -1)},
                    variants=_variants(p=(2.0, 1.0)), dtypes=SINGLE),
    "pdist": Recipe(make=lambda x: {"input": torch.stack([x, x * 0.5])}, dtypes=SINGLE),
    "pairwise_distance": Recipe(make=lambda x: {"input": x.reshape(1, -1), "other": (x * 0.5).reshape(1, -1)}),
    "renorm": Recipe(make=_rows, variants=({"p": 2, "dim": 0, "maxnorm": 1.0},)),
    "mm": Recipe(make=lambda x: {"input": x.reshape(1, -1), "other": _pair(x).reshape(-1, 1)}),
    "bmm": Recipe(make=lambda x: {"input": x.reshape(1, 1, -1), "other": _pair(x).reshape(1, -1, 1)}),
    "mv": Recipe(make=lambda x: {"input": x.reshape(1, -1), "other": _pair(x)}),
    "tensordot": Recipe(variants=({"dims": 1},)),
    "einsum": Recipe(make=lambda x: {"equation": "i,i->", "operands": [x, x]}),
    "addmm": Recipe(make=lambda x: {"input": x[:1].reshape(1, 1), "one": x.reshape(1, -1), "other": x.reshape(-1, 1)},
                    spelling="torch.addmm"),
    "baddbmm": Recipe(make=lambda x: {"input": x[:1].reshape(1, 1, 1), "one": x.reshape(1, 1, -1), "other": x.reshape(1, -1, 1)}, spelling="torch.baddbmm"),
    "addbmm": Recipe(make=lambda x: {"input": x[:1].reshape(1, 1), "one": x.reshape(1, 1, -1), "other": x.reshape(1, -1, 1)},
                     spelling="torch.addbmm"),
    "addmv": Recipe(make=lambda x: {"input": x[:1], "one": x.reshape(1, -1), "other": _pair(x)}, spelling="torch.addmv"),
    "addr": Recipe(make=lambda x: {"input": x[:1].reshape(1, 1), "one": x[:1], "other": _pair(x)[:1]}, spelling="torch.addr"),
    "cross": Recipe(make=lambda x: {"input": x[:1].expand(3), "other": _pair(x)[:1].expand(3)}, variants=({"dim": 0},)),
    "outer": Recipe(sizes=(1, 4)),
    "kron": Recipe(sizes=(1, 4)),
    "det": Recipe(make=_identity, dtypes=SINGLE, within=(-1e3, 1e3)),
    "logdet": Recipe(make=_matrix, dtypes=SINGLE, within=(-1e3, 1e3)),
    "slogdet": Recipe(make=_matrix, dtypes=SINGLE, within=(-1e3, 1e3)),
    "inv": Recipe(make=_identity, dtypes=SINGLE),
    "pinv": Recipe(make=_identity, dtypes=SINGLE, spelling="torch.linalg.pinv"),
    "solve": Recipe(make=lambda x: {"input": torch.diag(x[:3]), "other": x[:3]}, dtypes=SINGLE, spelling="torch.linalg.solve"),
    "lstsq": Recipe(make=lambda x: {"input": torch.diag(x[:3]), "other": x[:3].reshape(-1, 1)}, dtypes=SINGLE),
    "cholesky": Recipe(make=_identity, dtypes=SINGLE, spelling="torch.linalg.cholesky"),
    "matrix_exp": Recipe(make=_identity, dtypes=SINGLE, within=(-20.0, 20.0)),
    "matrix_power": Recipe(make=_identity, variants=({"n": 2},), dtypes=SINGLE),
    "qr": Recipe(make=_identity, dtypes=SINGLE, spelling="torch.linalg.qr"),
    "lu": Recipe(make=_identity, dtypes=SINGLE, spelling="torch.linalg.lu"),
    "svd": Recipe(make=_identity, dtypes=SINGLE, spelling="torch.linalg.svd", sizes=(3,)),
    "svdvals": Recipe(make=_matrix, dtypes=SINGLE),
    "eigh": Recipe(dtypes=SINGLE, sizes=(3,), make=_identity, call=lambda input: torch.linalg.eigh(input)[1].abs()),
    "eigvalsh": Recipe(make=_matrix, dtypes=SINGLE),
    "eig": Recipe(dtypes=SINGLE, sizes=(3,), make=_identity, call=lambda input: torch.linalg.eig(input)[1].abs()),
    "eigvals": Recipe(make=_matrix, dtypes=SINGLE),
    "cond": Recipe(make=_identity, dtypes=SINGLE),
    "matrix_rank": Recipe(make=_matrix, dtypes=SINGLE),
    "stft": Recipe(make=lambda x: {"input": x},
                   call=lambda input: torch.stft(input, 16, window=torch.ones(16).to(input.dtype), return_complex=True).abs(),
                   sizes=(64,), dtypes=SINGLE),
    "convolve": Recipe(dtypes=SINGLE, gradient=False),
    "correlate": Recipe(dtypes=SINGLE, gradient=False),
    "trace": Recipe(make=_matrix),
    "diagonal": Recipe(make=_matrix),
    "block_diag": Recipe(make=lambda x: {"tensors": [x.reshape(1, -1), x.reshape(1, -1)]}),
    "tril": Recipe(make=_matrix),
    "triu": Recipe(make=_matrix),
}


def _probabilities(x: torch.Tensor) -> dict[str, Any]:
    return {"input": x, "target": torch.full_like(x, 0.3).detach()}


def _ctc(x: torch.Tensor) -> dict[str, Any]:
    scores = x[:1].reshape(1, 1, 1).expand(4, 1, 3).log_softmax(-1)
    return {"input": scores, "target": torch.tensor([[1, 2]]), "input_lengths": (4,), "target_lengths": (2,)}


REDUCED = ({}, {"reduction": "sum"}, {"reduction": "none"})
LOSSES: dict[str, Recipe] = {
    "mse_loss": Recipe(make=_with(target=_zeros), variants=REDUCED, sizes=EMPTY),
    "l1_loss": Recipe(make=_with(target=_zeros), variants=REDUCED, sizes=EMPTY),
    "smooth_l1_loss": Recipe(make=_with(target=_zeros), variants=REDUCED, sizes=EMPTY),
    "huber_loss": Recipe(make=_with(target=_zeros), variants=REDUCED, sizes=EMPTY),
    "cross_entropy": Recipe(make=_classes, variants=(*REDUCED, {"label_smoothing": 0.1}), sizes=EMPTY),
    "nll_loss": Recipe(make=_classes, variants=REDUCED, sizes=EMPTY),
    "binary_cross_entropy": Recipe(make=_probabilities, variants=REDUCED, within=UNIT, sizes=EMPTY),
    "binary_cross_entropy_with_logits": Recipe(make=_probabilities, variants=REDUCED, sizes=EMPTY),
    "kl_div": Recipe(make=_as("target", input=lambda x: torch.full_like(x, -1.0).detach()),
                     variants=({}, {"reduction": "sum"}, {"log_target": True}),
                     within=(0.0, INF), sizes=EMPTY),
    "poisson_nll_loss": Recipe(make=_with(target=_ones), variants=({}, {"log_input": True}), sizes=EMPTY),
    "gaussian_nll_loss": Recipe(make=_as("var", input=_ones, target=_zeros), variants=({}, {"eps": 0.0}), within=(0.0, INF), dtypes=SINGLE),
    "soft_margin_loss": Recipe(make=_with(target=lambda x: -torch.ones_like(x)), sizes=EMPTY),
    "multilabel_soft_margin_loss": Recipe(make=lambda x: {"input": x.reshape(1, -1), "target": torch.zeros(1, x.numel(), dtype=x.dtype)}),
    "multilabel_margin_loss": Recipe(make=lambda x: {"input": x.reshape(1, -1), "target": torch.zeros(1, x.numel(), dtype=torch.int64)}, dtypes=SINGLE),
    "multi_margin_loss": Recipe(make=_classes, dtypes=SINGLE),
    "hinge_embedding_loss": Recipe(make=_with(target=lambda x: -torch.ones_like(x))),
    "margin_ranking_loss": Recipe(make=_with(other=_zeros, target=_ones)),
    "cosine_embedding_loss": Recipe(make=lambda x: {"input": x.reshape(1, -1), "other": _pair(x).reshape(1, -1), "target": torch.ones(1)}),
    "triplet_margin_loss": Recipe(make=lambda x: {"input": x.reshape(1, -1), "other": (x * 0.5).reshape(1, -1), "negative": torch.zeros(1, x.numel(), dtype=x.dtype)},
                                  spelling="torch.nn.functional.triplet_margin_loss"),
    "ctc_loss": Recipe(make=_ctc, dtypes=SINGLE, within=(-80.0, 80.0)),
}

MODERATE = (-100.0, 100.0)


def _query(x: torch.Tensor) -> dict[str, Any]:
    one = torch.ones(1, 1, 2, 2, dtype=x.dtype)
    return {"query": one, "key": one, "value": x[:1].reshape(1, 1, 1, 1).expand(1, 1, 2, 2)}


def _tied(x: torch.Tensor) -> torch.Tensor:
    return x[:1].reshape(1, 1, 1).expand(1, 2, 4)


def _recurrent(module: Callable[..., Any]) -> Callable[..., Any]:
    """Runs a freshly made recurrent module of 4 inputs in the dtype of its input."""

    def call(input: torch.Tensor) -> Any:
        torch.manual_seed(0)
        return module(4, 3).to(input.dtype)(input)

    return call


def _attention(index: int) -> Callable[..., Any]:
    def call(query: torch.Tensor) -> Any:
        torch.manual_seed(0)
        return torch.nn.MultiheadAttention(4, 2).to(query.dtype)(query, query, query)[index]

    return call


def _transformer(input: torch.Tensor) -> Any:
    torch.manual_seed(0)
    return torch.nn.TransformerEncoderLayer(4, 2, 8).to(input.dtype).eval()(input)


def _clipped(parameters: list[torch.Tensor]) -> None:
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    torch.nn.utils.clip_grad_value_(parameters, 1.0)


def _module_of(name: str, *args: Any) -> Callable[..., Any]:
    def call(input: torch.Tensor) -> Any:
        torch.manual_seed(0)
        return getattr(torch.nn, name)(*args).to(input.dtype)(input)

    return call


def _sequence(x: torch.Tensor) -> dict[str, Any]:
    return {"input": _tied(x)}


POOLED = ({"kernel_size": 2}, {"kernel_size": 3, "padding": 1})
LAYERS: dict[str, Recipe] = {
    "linear": Recipe(make=_with(weight=lambda x: x.detach().reshape(1, -1))),
    "bilinear": Recipe(make=lambda x: {"input": x.reshape(1, -1), "other": x[:1].reshape(1, -1), "weight": torch.ones(1, x.numel(), 1, dtype=x.dtype)}, dtypes=SINGLE),
    "conv": Recipe(make=lambda x: {"input": x.reshape(1, 1, -1), "weight": torch.ones(1, 1, 1, dtype=x.dtype)},
                   spelling="torch.nn.functional.conv1d"),
    "conv_transpose": Recipe(make=lambda x: {"input": x.reshape(1, 1, -1), "weight": torch.ones(1, 1, 2, dtype=x.dtype)},
                             spelling="torch.nn.functional.conv_transpose1d"),
    "embedding": Recipe(make=_as("weight", input=_first), call=lambda input, weight: F.embedding(input, weight.reshape(-1, 1))),
    "embedding_bag": Recipe(make=lambda x: {"input": torch.zeros(1, 2, dtype=torch.int64)},
                            call=lambda input: torch.nn.EmbeddingBag(3, 4)(input)),
    "layer_norm": Recipe(make=_rows, call=lambda input: F.layer_norm(input, input.shape[-1:])),
    "batch_norm": Recipe(make=lambda x: {"input": x.reshape(-1, 1)}, sizes=(64,),
                         call=lambda input: F.batch_norm(input, None, None, training=True)),
    "group_norm": Recipe(make=lambda x: {"input": x.reshape(1, -1)}, variants=({"num_groups": 1},), sizes=(64,)),
    "instance_norm": Recipe(make=_images(), sizes=(64,)),
    "rms_norm": Recipe(make=_rows, call=lambda input: F.rms_norm(input, input.shape[-1:])),
    "local_response_norm": Recipe(make=_images(), variants=({"size": 2},)),
    "glu": Recipe(make=lambda x: {"input": torch.cat([x, x])}),
    "dropout": Recipe(variants=_variants(p=(0.0, 0.5, 0.1), training=(False,))),
    "max_pool": Recipe(make=_images(), variants=POOLED, spelling="torch.nn.functional.max_pool2d"),
    "avg_pool": Recipe(make=_images(), variants=POOLED, spelling="torch.nn.functional.avg_pool2d"),
    "adaptive_avg_pool": Recipe(make=_images(), variants=({"output_size": 1}, {"output_size": 3}),
                                spelling="torch.nn.functional.adaptive_avg_pool2d"),
    "adaptive_max_pool": Recipe(make=_images(), variants=({"output_size": 1},), spelling="torch.nn.functional.adaptive_max_pool2d"),
    "lp_pool": Recipe(make=_images(), variants=({"norm_type": 2.0, "kernel_size": 2},), spelling="torch.nn.functional.lp_pool2d"),
    "interpolate": Recipe(make=lambda x: {"input": torch.cat([x[:1], -x[:1], x[:1] * 0, x[:1]] * 4).reshape(1, 1, 4, 4)},
                          variants=({"scale_factor": 2.0}, {"scale_factor": 1.7, "mode": "bilinear"},
                          {"scale_factor": 2.3, "mode": "bicubic"}),
                          spelling="torch.nn.functional.interpolate"),
    "grid_sample": Recipe(make=_images(), variants=({"grid": torch.linspace(-2, 2, 32).reshape(1, 4, 4, 2)},), dtypes=("float32",)),
    "affine_grid": Recipe(make=lambda x: {"input": x[:1].expand(1, 2, 3)}, variants=({"size": (1, 1, 2, 2)},), dtypes=SINGLE),
    "pad": Recipe(make=_rows, variants=({"pad": (1, 1)}, {"pad": (1, 1), "value": 7.0}), spelling="torch.nn.functional.pad"),
    "unfold": Recipe(make=_images(), variants=({"kernel_size": 2}, {"kernel_size": 2, "padding": 1}),
                     spelling="torch.nn.functional.unfold"),
    "fold": Recipe(make=lambda x: {"input": x[:1].expand(1, 4, 9)}, variants=({"output_size": (4, 4), "kernel_size": 2},)),
    "pixel_shuffle": Recipe(make=lambda x: {"input": x[:1].expand(1, 4, 2, 2)}, variants=({"upscale_factor": 2},),
                            spelling="torch.nn.functional.pixel_shuffle"),
    "scaled_dot_product_attention": Recipe(make=_query),
    "multi_head_attention": Recipe(make=lambda x: {"query": _tied(x)}, call=_attention(0), within=MODERATE, dtypes=SINGLE),
    "attention_output": Recipe(make=lambda x: {"query": _tied(x)}, call=_attention(0), within=MODERATE, dtypes=SINGLE),
    "attention_weights": Recipe(make=lambda x: {"query": _tied(x)}, call=_attention(1), within=MODERATE, dtypes=SINGLE),
    "lstm": Recipe(make=_sequence, call=_recurrent(torch.nn.LSTM), within=(-1e4, 1e4), dtypes=SINGLE),
    "lstm_output": Recipe(make=_sequence, call=lambda input: _recurrent(torch.nn.LSTM)(input)[0], within=(-1e4, 1e4), dtypes=SINGLE),
    "lstm_state": Recipe(make=_sequence, call=lambda input: _recurrent(torch.nn.LSTM)(input)[1], within=(-1e4, 1e4), dtypes=SINGLE),
    "lstm_cell": Recipe(make=lambda x: {"input": _tied(x)[0]}, call=_recurrent(torch.nn.LSTMCell), within=(-1e4, 1e4), dtypes=SINGLE),
    "lstm_cell_state": Recipe(make=lambda x: {"input": _tied(x)[0]},
                              call=lambda input: _recurrent(torch.nn.LSTMCell)(input)[1], within=(-1e4, 1e4), dtypes=SINGLE),
    "gru": Recipe(make=_sequence, call=_recurrent(torch.nn.GRU), within=(-1e4, 1e4), dtypes=SINGLE),
    "gru_cell": Recipe(make=lambda x: {"input": _tied(x)[0]}, call=_recurrent(torch.nn.GRUCell), within=(-1e4, 1e4), dtypes=SINGLE),
    "rnn": Recipe(make=_sequence, call=_recurrent(torch.nn.RNN), within=(-1e4, 1e4), dtypes=SINGLE),
    "rnn_cell": Recipe(make=lambda x: {"input": _tied(x)[0]}, call=_recurrent(torch.nn.RNNCell), within=(-1e4, 1e4), dtypes=SINGLE),
    "transformer": Recipe(make=_sequence, call=_transformer, within=MODERATE, dtypes=SINGLE),
    "clip_grad_norm": Recipe(make=lambda x: {"parameters": [x]},
                             call=lambda parameters: torch.nn.utils.clip_grad_norm_(parameters, 1.0), dtypes=SINGLE),
    "clip_grad_value": Recipe(make=lambda x: {"parameters": [x]}, call=_clipped, dtypes=SINGLE),
}


def _selects(**others: Any) -> Recipe:
    return Recipe(make=_with(**others))


SHAPES: dict[str, Recipe] = {
    "view": Recipe(variants=({"size": (-1, 1)},), spelling=".view"),
    "reshape": Recipe(variants=({"shape": (-1, 1)},), spelling="torch.reshape"),
    "unflatten": Recipe(variants=({"dim": 0, "sizes": (-1, 1)},), spelling="torch.unflatten"),
    "unsqueeze": Recipe(variants=({"dim": 0},)),
    "expand": Recipe(variants=({"size": (2, -1)},)),
    "expand_as": Recipe(make=_with(other=_zeros)),
    "broadcast_to": Recipe(make=lambda x: {"input": x, "size": (2, x.numel())}),
    "broadcast_tensors": Recipe(make=lambda x: {"input": [x, x]}),
    "repeat": Recipe(variants=({"repeats": (2, 2)},)),
    "repeat_interleave": Recipe(variants=({"repeats": 2},)),
    "tile": Recipe(variants=({"dims": (2,)},), spelling="torch.tile"),
    "transpose": Recipe(make=_matrix, variants=({"dim0": 0, "dim1": 1},)),
    "t": Recipe(make=_matrix),
    "T": Recipe(make=_matrix),
    "mT": Recipe(make=_matrix),
    "permute": Recipe(make=_matrix, variants=({"dims": (1, 0)},), spelling="torch.permute"),
    "movedim": Recipe(make=_matrix, variants=({"source": 0, "destination": 1},)),
    "roll": Recipe(variants=({"shifts": 1},)),
    "flip": Recipe(variants=({"dims": (0,)},), spelling="torch.flip"),
    "rot90": Recipe(make=_matrix),
    "getitem": Recipe(variants=({"index": 0},)),
    "narrow": Recipe(variants=({"dim": 0, "start": 0, "length": 1},)),
    "select": Recipe(variants=({"dim": 0, "index": 0},)),
    "gather": Recipe(make=_with(index=_places), variants=({"dim": 0},)),
    "take": Recipe(make=_with(index=_places), spelling="torch.take"),
    "index_select": Recipe(make=_with(index=_places), variants=({"dim": 0},)),
    "masked_select": Recipe(make=_with(mask=_mask)),
    "split": Recipe(variants=({"split_size_or_sections": 1},), spelling="torch.split"),
    "chunk": Recipe(variants=({"chunks": 2},)),
    "tensor_split": Recipe(variants=({"indices_or_sections": 2},)),
    "unique": Recipe(spelling="torch.unique"),
    "topk": Recipe(variants=({"k": 1},)),
    "kthvalue": Recipe(variants=({"k": 1},)),
    "searchsorted": Recipe(make=_as("boundaries", input=_ones), spelling="torch.searchsorted"),
    "scatter": Recipe(make=_with(index=_indices, src=lambda x: -_pair(x)), variants=({"dim": 0},), spelling="torch.scatter"),
    "scatter_add": Recipe(make=_with(index=_places, src=_pair), variants=({"dim": 0},)),
    "scatter_reduce": Recipe(make=_with(index=_places, src=_pair),
                             variants=tuple({"dim": 0, "reduce": r} for r in ("amax", "sum", "mean"))),
    "index_add": Recipe(make=_with(index=_places, src=_pair), variants=({"dim": 0},)),
    "index_reduce": Recipe(make=_with(index=_places, src=_pair),
                           variants=tuple({"dim": 0, "reduce": r} for r in ("amax", "mean")), dtypes=SINGLE),
    "identity": Recipe(),
    "as_strided": Recipe(variants=({"size": (1,), "stride": (1,)},)),
    "delete": Recipe(make=_with(index=lambda x: 0), dtypes=SINGLE, gradient=False, spelling="numpy.delete"),
    "index_fill": Recipe(make=_with(index=_first), variants=({"dim": 0, "value": 2.0},)),
    "index_copy": Recipe(make=_with(index=_indices, src=lambda x: -_pair(x)), variants=({"dim": 0},)),
    "index_put": Recipe(make=_with(indices=lambda x: (_first(x),), value=lambda x: -x.detach()[:1])),
    "masked_scatter": Recipe(make=_with(mask=_mask, src=lambda x: -_pair(x))),
    "fill_diagonal": Recipe(make=_matrix, call=lambda input, value: input.clone().fill_diagonal_(value), variants=({"value": 2.0},)),
    "cat": Recipe(make=lambda x: {"tensors": [x, -_pair(x)]}, spelling="torch.cat"),
    "stack": Recipe(make=lambda x: {"tensors": [x, -_pair(x)]}, spelling="torch.stack"),
    "column_stack": Recipe(make=lambda x: {"tensors": [x, -_pair(x)]}, spelling="torch.column_stack"),
    "dstack": Recipe(make=lambda x: {"tensors": [x, -_pair(x)]}, spelling="torch.dstack"),
    "meshgrid": Recipe(make=lambda x: {"tensors": [x, -_pair(x)]}),
    "cartesian_prod": Recipe(make=lambda x: {"tensors": [x, -_pair(x)]}),
    "pad_sequence": Recipe(make=lambda x: {"tensors": [x, x[:1]]}),
    "append": Recipe(make=_with(value=lambda x: -x), dtypes=SINGLE, gradient=False),
}

SIZE = ({"size": (3,)},)
CREATION: dict[str, Recipe] = {
    **{name: Recipe(variants=SIZE, dtypes=("float32",)) for name in ("zeros", "ones", "empty", "rand", "randn")},
    "full": Recipe(variants=tuple({"size": (3,), "fill_value": v} for v in (0.0, 1e-8, -7.5)), dtypes=("float32",)),
    "full_like": Recipe(variants=_variants(fill_value=(0.0, 1e-8, -7.5)), spelling="torch.full_like", gradient=False),
    "new_zeros": Recipe(variants=SIZE),
    "new_ones": Recipe(variants=SIZE),
    "new_empty": Recipe(variants=SIZE),
    "new_full": Recipe(variants=({"size": (3,), "fill_value": 1e-8},)),
    "new_tensor": Recipe(make=lambda x: {"input": x.detach(), "data": x}),
    "eye": Recipe(variants=({"size": 3},), dtypes=("float32",), spelling="torch.eye"),
    "arange": Recipe(variants=({"start": 5}, {"start": 1, "end": 4}, {"start": 0.0, "end": 1.0, "step": 0.1}, {"start": 5, "end": 0, "step": -1}),
                     dtypes=("float32",), spelling="torch.arange"),
    "linspace": Recipe(variants=({"start": -1.0, "end": 3.0, "steps": 7}, {"start": 1e-4, "end": 0.02, "steps": 1000}),
                       dtypes=("float32",), spelling="torch.linspace"),
    "logspace": Recipe(variants=({"start": -1.0, "end": 3.0, "steps": 7},), dtypes=("float32",), spelling="torch.logspace"),
    "tensor": Recipe(make=_as("data"), spelling="torch.tensor"),
    "as_tensor": Recipe(make=lambda x: {"data": [x[0], x[0]]}, spelling="torch.as_tensor"),
    "load": Recipe(make=_as("file"), call=lambda file: 1.0, dtypes=("float32",), gradient=False),
    "asarray": Recipe(make=_as("data"), gradient=False, dtypes=SINGLE),
    "one_hot": Recipe(make=lambda x: {"input": _places(x)}),
    **{f"{name}_window": Recipe(variants=({"size": 7},), dtypes=("float32",), spelling=f"torch.{name}_window") for name in ("hann", "hamming", "blackman", "bartlett")},
    **{name: Recipe(variants=({"size": 3, "col": 3},), dtypes=("float32",), spelling=f"torch.{name}") for name in ("tril_indices", "triu_indices")},
    "vander": Recipe(make=lambda x: {"input": x[:3]}, spelling="torch.vander", dtypes=SINGLE),
    "parameter": Recipe(make=_as("data"), gradient=False, spelling="torch.nn.Parameter"),
}


def _positive(x: torch.Tensor) -> dict[str, Any]:
    return {"input": x.detach()}


RANDOM: dict[str, Recipe] = {
    "rand": Recipe(variants=({"size": (100000,)},), call=lambda size: torch.rand(*size), dtypes=("float32",)),
    "randn": Recipe(variants=({"size": (100000,)},), call=lambda size: torch.randn(*size), dtypes=("float32",)),
    "uniform": Recipe(make=lambda x: {"input": torch.zeros(1000, dtype=x.dtype)}, variants=({}, {"low": -2.0, "high": 3.0}), within=UNIT,
                      call=lambda input, low=0.0, high=1.0: input.uniform_(low, high)),
    "normal": Recipe(make=lambda x: {"input": torch.zeros(1000, dtype=x.dtype)}, variants=({}, {"mean": -2.0, "std": 3.0}), within=UNIT,
                     call=lambda input, mean=0.0, std=1.0: input.normal_(mean, std)),
    "exponential": Recipe(make=lambda x: {"input": torch.zeros(1000, dtype=x.dtype)}, within=UNIT, call=lambda input: input.exponential_()),
    "random_uniform": Recipe(variants=({"low": -2.0, "high": 3.0, "size": 1000},), dtypes=("float32",)),
    "random_normal": Recipe(variants=({"mean": -2.0, "std": 3.0, "size": (1000,)},), dtypes=("float32",), spelling="torch.normal"),
    "randint": Recipe(variants=({"low": 2, "high": 7, "size": (1000,)}, {"low": 7, "size": (1000,)}), dtypes=("float32",),
                      call=lambda low, size, high=None: torch.randint(low, size) if high is None else torch.randint(low, high, size)),
    "randint_like": Recipe(variants=({"low": 2, "high": 7},)),
    "randperm": Recipe(variants=({"n": 9},), dtypes=("float32",)),
    "bernoulli": Recipe(within=UNIT),
    "poisson": Recipe(within=(0.0, 100.0), make=_positive, spelling="torch.poisson"),
    "multinomial": Recipe(variants=({"num_samples": 1},), within=(1e-3, 1.0)),
    "gamma": Recipe(variants=({"size": 2.0},), dtypes=("float32",)),
    "shuffled": Recipe(dtypes=SINGLE, gradient=False),
    "choice": Recipe(dtypes=SINGLE, gradient=False),
    "init": Recipe(make=_positive, call=lambda input: torch.nn.init.normal_(input.reshape(1, -1)), within=UNIT),
    "seed": Recipe(variants=({"seed": 1},), dtypes=("float32",), spelling="torch.manual_seed"),
}

MODES = _variants(all=("ignore", "warn"), divide=("ignore",), over=("ignore",), invalid=("ignore",))
SILENCE: dict[str, Recipe] = {
    "seterr": Recipe(variants=MODES, dtypes=("float32",), spelling="numpy.seterr", call=lambda **modes: None),
    "errstate": Recipe(variants=MODES, dtypes=("float32",), spelling="numpy.errstate", call=lambda **modes: None),
}

NN_RECIPES: dict[str, Recipe] = {**REDUCTIONS, **LINALG, **LOSSES, **LAYERS, **SHAPES, **CREATION, **RANDOM, **SILENCE}
