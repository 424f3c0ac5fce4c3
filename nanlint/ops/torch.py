"""torch: pointwise functions, methods, activations and conversions, and how their arguments are called."""

from __future__ import annotations

LIB = "torch"

TABLE = """
# ---- arithmetic
add(input, other, *, alpha=1, out=None)                 torch.add .add
sub(input, other, *, alpha=1, out=None)                 torch.sub torch.subtract .sub .subtract
rsub(input, other, alpha=1)                             torch.rsub
mul(input, other, *, out=None)                          torch.mul torch.multiply .mul .multiply
div(input, other, *, rounding_mode=None, out=None)      torch.div torch.divide torch.true_divide .div .divide .true_divide
floor_divide(input, other, *, out=None)                 torch.floor_divide .floor_divide
remainder(input, other, *, out=None)                    torch.remainder .remainder
fmod(input, other, *, out=None)                         torch.fmod .fmod
neg(input, *, out=None)                                 torch.neg torch.negative .neg .negative
positive(input)                                         torch.positive .positive
abs(input, *, out=None)                                 torch.abs torch.absolute .abs .absolute
reciprocal(input, *, out=None)                          torch.reciprocal .reciprocal
square(input, *, out=None)                              torch.square .square
addcmul(input, tensor1, tensor2, *, value=1, out=None)  torch.addcmul .addcmul
addcdiv(input, tensor1, tensor2, *, value=1, out=None)  torch.addcdiv .addcdiv
lerp(input, end, weight, *, out=None)                   torch.lerp .lerp

# ---- roots, powers, exponentials, logarithms
sqrt(input, *, out=None)                                torch.sqrt .sqrt
rsqrt(input, *, out=None)                               torch.rsqrt .rsqrt
pow(input, exponent, *, out=None)                       torch.pow .pow
float_power(input, exponent, *, out=None)               torch.float_power .float_power
exp(input, *, out=None)                                 torch.exp .exp
exp2(input, *, out=None)                                torch.exp2 .exp2 S.exp2
expm1(input, *, out=None)                               torch.expm1 .expm1 S.expm1
log(input, *, out=None)                                 torch.log .log
log2(input, *, out=None)                                torch.log2 .log2
log10(input, *, out=None)                               torch.log10 .log10
log1p(input, *, out=None)                               torch.log1p .log1p S.log1p
logaddexp(input, other, *, out=None)                    torch.logaddexp .logaddexp
logaddexp2(input, other, *, out=None)                   torch.logaddexp2 .logaddexp2
xlogy(input, other, *, out=None)                        torch.xlogy .xlogy S.xlogy
xlog1py(input, other, *, out=None)                      S.xlog1py
ndtr(input, *, out=None)                                S.ndtr
ndtri(input, *, out=None)                               S.ndtri
log_ndtr(input, *, out=None)                            S.log_ndtr
erfcx(input, *, out=None)                               S.erfcx
i0(input, *, out=None)                                  torch.i0 .i0 S.i0
i0e(input, *, out=None)                                 S.i0e
i1(input, *, out=None)                                  S.i1
i1e(input, *, out=None)                                 S.i1e
angle(input, *, out=None)                               torch.angle .angle
entr(input, *, out=None)                                S.entr
hypot(input, other, *, out=None)                        torch.hypot .hypot

# ---- trigonometry and special functions
sin(input, *, out=None)                                 torch.sin .sin
cos(input, *, out=None)                                 torch.cos .cos
tan(input, *, out=None)                                 torch.tan .tan
sinc(input, *, out=None)                                torch.sinc .sinc S.sinc
asin(input, *, out=None)                                torch.asin torch.arcsin .asin .arcsin
acos(input, *, out=None)                                torch.acos torch.arccos .acos .arccos
atan(input, *, out=None)                                torch.atan torch.arctan .atan .arctan
atan2(input, other, *, out=None)                        torch.atan2 torch.arctan2 .atan2 .arctan2
sinh(input, *, out=None)                                torch.sinh .sinh
cosh(input, *, out=None)                                torch.cosh .cosh
asinh(input, *, out=None)                               torch.asinh torch.arcsinh .asinh .arcsinh
acosh(input, *, out=None)                               torch.acosh torch.arccosh .acosh .arccosh
atanh(input, *, out=None)                               torch.atanh torch.arctanh .atanh .arctanh
deg2rad(input, *, out=None)                             torch.deg2rad .deg2rad
rad2deg(input, *, out=None)                             torch.rad2deg .rad2deg
erf(input, *, out=None)                                 torch.erf .erf S.erf
erfc(input, *, out=None)                                torch.erfc .erfc S.erfc
erfinv(input, *, out=None)                              torch.erfinv .erfinv S.erfinv
lgamma(input, *, out=None)                              torch.lgamma .lgamma S.gammaln
digamma(input, *, out=None)                             torch.digamma .digamma S.digamma S.psi
polygamma(n, input, *, out=None)                        torch.polygamma S.polygamma
polygamma(input, n)                                     .polygamma
logit(input, eps=None, *, out=None)                     torch.logit .logit S.logit

# ---- activations
sigmoid(input, *, out=None)                             torch.sigmoid .sigmoid S.expit
sigmoid(input)                                          F.sigmoid
sigmoid(input) <- ()                                    nn.Sigmoid
hardsigmoid(input, inplace=False)                       F.hardsigmoid
hardsigmoid(input) <- (inplace=False)                   nn.Hardsigmoid
tanh(input, *, out=None)                                torch.tanh .tanh
tanh(input)                                             F.tanh
tanh(input) <- ()                                       nn.Tanh
softsign(input)                                         F.softsign
softsign(input) <- ()                                   nn.Softsign
tanhshrink(input)                                       F.tanhshrink
tanhshrink(input) <- ()                                 nn.Tanhshrink
softplus(input, beta=1, threshold=20)                   F.softplus
softplus(input) <- (beta=1.0, threshold=20.0)           nn.Softplus
logsigmoid(input)                                       F.logsigmoid
logsigmoid(input) <- ()                                 nn.LogSigmoid
elu(input, alpha=1.0, inplace=False)                    F.elu
elu(input) <- (alpha=1.0, inplace=False)                nn.ELU
elu(input, alpha=1.0)                                   F.elu_
celu(input, alpha=1.0, inplace=False)                   F.celu
celu(input, alpha=1.0)                                  torch.celu
celu(input) <- (alpha=1.0, inplace=False)               nn.CELU
selu(input, inplace=False)                              F.selu
selu(input)                                             torch.selu
selu(input) <- (inplace=False)                          nn.SELU
silu(input, inplace=False)                              F.silu
silu(input) <- (inplace=False)                          nn.SiLU
mish(input, inplace=False)                              F.mish
mish(input) <- (inplace=False)                          nn.Mish
gelu(input, *, approximate='none')                      F.gelu
gelu(input) <- (approximate='none')                     nn.GELU
relu(input)                                             torch.relu .relu
relu(input, inplace=False)                              F.relu
relu(input) <- (inplace=False)                          nn.ReLU
relu6(input, inplace=False)                             F.relu6
relu6(input) <- (inplace=False)                         nn.ReLU6
hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False)       F.hardtanh
hardtanh(input) <- (min_val=-1.0, max_val=1.0, inplace=False)   nn.Hardtanh
hardswish(input, inplace=False)                         F.hardswish
hardswish(input) <- (inplace=False)                     nn.Hardswish
leaky_relu(input, negative_slope=0.01, inplace=False)   F.leaky_relu
leaky_relu(input) <- (negative_slope=0.01, inplace=False)       nn.LeakyReLU
prelu(input, weight)                                    F.prelu torch.prelu .prelu
prelu(input) <- (num_parameters=1, init=0.25)           nn.PReLU
rrelu(input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False)   F.rrelu torch.rrelu
rrelu(input) <- (lower=0.125, upper=0.3333333333333333, inplace=False)               nn.RReLU
softshrink(input, lambd=0.5)                            F.softshrink
softshrink(input) <- (lambd=0.5)                        nn.Softshrink
hardshrink(input, lambd=0.5)                            F.hardshrink torch.hardshrink .hardshrink
hardshrink(input) <- (lambd=0.5)                        nn.Hardshrink
threshold(input, threshold, value, inplace=False)       F.threshold
threshold(input, threshold, value)                      torch.threshold
threshold(input) <- (threshold, value, inplace=False)   nn.Threshold

# ---- clamps and choices
clamp(input, min=None, max=None, *, out=None)           torch.clamp torch.clip .clamp .clip
clamp(input, min)                                       torch.clamp_min .clamp_min
clamp(input, max)                                       torch.clamp_max .clamp_max
maximum(input, other, *, out=None)                      torch.maximum .maximum
minimum(input, other, *, out=None)                      torch.minimum .minimum
fmax(input, other, *, out=None)                         torch.fmax .fmax
fmin(input, other, *, out=None)                         torch.fmin .fmin
nan_to_num(input, nan=0.0, posinf=None, neginf=None, *, out=None)   torch.nan_to_num .nan_to_num
where(condition, input, other, *, out=None)             torch.where
where(input, condition, other)                          .where
nonzero(condition:input)                                torch.where
masked_fill(input, mask, value)                         torch.masked_fill .masked_fill
fill(input, value)                                      .fill_
zero(input)                                             .zero_
copy(input, other, non_blocking=False)                  .copy_
copysign(input, other, *, out=None)                     torch.copysign .copysign
heaviside(input, values, *, out=None)                   torch.heaviside .heaviside

# ---- comparisons, logic, bits
eq(input, other, *, out=None)                           torch.eq .eq
ne(input, other, *, out=None)                           torch.ne torch.not_equal .ne .not_equal
lt(input, other, *, out=None)                           torch.lt torch.less .lt .less
le(input, other, *, out=None)                           torch.le torch.less_equal .le .less_equal
gt(input, other, *, out=None)                           torch.gt torch.greater .gt .greater
ge(input, other, *, out=None)                           torch.ge torch.greater_equal .ge .greater_equal
isclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False)    torch.isclose .isclose
allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False)   torch.allclose .allclose
equal(input, other)                                     torch.equal .equal
isin(elements:input, test_elements:other, *, assume_unique=False, invert=False)  torch.isin
signbit(input, *, out=None)                             torch.signbit .signbit
isnan(input)                                            torch.isnan .isnan
isinf(input)                                            torch.isinf .isinf
isfinite(input)                                         torch.isfinite .isfinite
is_floating_point(input)                                torch.is_floating_point .is_floating_point
logical_not(input, *, out=None)                         torch.logical_not .logical_not
logical_and(input, other, *, out=None)                  torch.logical_and .logical_and
logical_or(input, other, *, out=None)                   torch.logical_or .logical_or
logical_xor(input, other, *, out=None)                  torch.logical_xor .logical_xor
bitwise_not(input, *, out=None)                         torch.bitwise_not .bitwise_not
bitwise_and(input, other, *, out=None)                  torch.bitwise_and .bitwise_and
bitwise_or(input, other, *, out=None)                   torch.bitwise_or .bitwise_or
bitwise_xor(input, other, *, out=None)                  torch.bitwise_xor .bitwise_xor
bitwise_left_shift(input, other, *, out=None)           torch.bitwise_left_shift .bitwise_left_shift
bitwise_right_shift(input, other, *, out=None)          torch.bitwise_right_shift .bitwise_right_shift

# ---- roundings
floor(input, *, out=None)                               torch.floor .floor
ceil(input, *, out=None)                                torch.ceil .ceil
trunc(input, *, out=None)                               torch.trunc torch.fix .trunc .fix
round(input, *, decimals=0, out=None)                   torch.round .round S.round
frac(input, *, out=None)                                torch.frac .frac
sign(input, *, out=None)                                torch.sign torch.sgn .sign .sgn

# ---- conversions
to(input, dtype@dtype, non_blocking=False, copy=False, *, memory_format=?)                          .to
type_as(input, other:dtype@tensor, non_blocking=False, copy=False, *, memory_format=?)              .to
to(input, device=?, dtype=?, non_blocking=False, copy=False, *, memory_format=?)                    .to
to(input, dtype=?, non_blocking=False)                  .type
type_as(input, other:dtype)                             .type_as
to(input, *, memory_format=?) dtype='float16'           .half
to(input, *, memory_format=?) dtype='bfloat16'          .bfloat16
to(input, *, memory_format=?) dtype='float32'           .float
to(input, *, memory_format=?) dtype='float64'           .double
to(input, *, memory_format=?) dtype='int64'             .long
to(input, *, memory_format=?) dtype='int32'             .int
to(input, *, memory_format=?) dtype='int16'             .short
to(input, *, memory_format=?) dtype='int8'              .char
to(input, *, memory_format=?) dtype='uint8'             .byte
to(input, *, memory_format=?) dtype='bool'              .bool
complex(real:input, imag:other, *, out=None)            torch.complex
item(input)                                             .item
tolist(input)                                           .tolist
numpy(input, *, force=False)                            .numpy
detach(input)                                           torch.detach .detach
data(input)                                             .data
clone(input, *, memory_format=?)                        torch.clone .clone
contiguous(input, memory_format=?)                      .contiguous
device(input, memory_format=?)                          .cpu
device(input, device=?, non_blocking=False, memory_format=?)    .cuda
device(input)                                           .pin_memory .share_memory_
requires_grad(input, requires_grad=True)                .requires_grad_
requires_grad(input)                                    .retain_grad
real(input)                                             torch.real .real
conj(input)                                             torch.conj torch.resolve_conj .conj .resolve_conj
grad(input)                                             .grad
"""
