"""NumPy: how its functions, array methods and random numbers spell the rows.

std and var divide by n (ddof 0); float64 is the default; a ufunc's `where` keeps it from some lanes.
"""

from __future__ import annotations

LIB = "numpy"

TABLE = """
# ---- arithmetic
add(x1:input, x2:other, out=None, *, where=True, dtype=None)            np.add
sub(x1:input, x2:other, out=None, *, where=True, dtype=None)            np.subtract
mul(x1:input, x2:other, out=None, *, where=True, dtype=None)            np.multiply
div(x1:input, x2:other, out=None, *, where=True, dtype=None)            np.divide np.true_divide
floor_divide(x1:input, x2:other, out=None, *, where=True, dtype=None)   np.floor_divide
remainder(x1:input, x2:other, out=None, *, where=True, dtype=None)      np.remainder np.mod
fmod(x1:input, x2:other, out=None, *, where=True, dtype=None)           np.fmod
pow(x1:input, x2:exponent, out=None, *, where=True, dtype=None)         np.power np.pow
float_power(x1:input, x2:exponent, out=None, *, where=True, dtype=None) np.float_power
neg(x:input, out=None, *, where=True, dtype=None)                       np.negative
abs(x:input, out=None, *, where=True, dtype=None)                       np.abs np.absolute np.fabs
square(x:input, out=None, *, where=True, dtype=None)                    np.square
reciprocal(x:input, out=None, *, where=True, dtype=None)                np.reciprocal
sqrt(x:input, out=None, *, where=True, dtype=None)                      np.sqrt
cbrt(x:input, out=None, *, where=True, dtype=None)                      np.cbrt
exp(x:input, out=None, *, where=True, dtype=None)                       np.exp
exp2(x:input, out=None, *, where=True, dtype=None)                      np.exp2
expm1(x:input, out=None, *, where=True, dtype=None)                     np.expm1
log(x:input, out=None, *, where=True, dtype=None)                       np.log
log2(x:input, out=None, *, where=True, dtype=None)                      np.log2
log10(x:input, out=None, *, where=True, dtype=None)                     np.log10
log1p(x:input, out=None, *, where=True, dtype=None)                     np.log1p
logaddexp(x1:input, x2:other, out=None, *, where=True, dtype=None)      np.logaddexp
logaddexp2(x1:input, x2:other, out=None, *, where=True, dtype=None)     np.logaddexp2
sin(x:input, out=None, *, where=True, dtype=None)                       np.sin
cos(x:input, out=None, *, where=True, dtype=None)                       np.cos
tan(x:input, out=None, *, where=True, dtype=None)                       np.tan
asin(x:input, out=None, *, where=True, dtype=None)                      np.arcsin np.asin
acos(x:input, out=None, *, where=True, dtype=None)                      np.arccos np.acos
atan(x:input, out=None, *, where=True, dtype=None)                      np.arctan np.atan
atan2(x1:input, x2:other, out=None, *, where=True, dtype=None)          np.arctan2 np.atan2
sinh(x:input, out=None, *, where=True, dtype=None)                      np.sinh
cosh(x:input, out=None, *, where=True, dtype=None)                      np.cosh
tanh(x:input, out=None, *, where=True, dtype=None)                      np.tanh
asinh(x:input, out=None, *, where=True, dtype=None)                     np.arcsinh np.asinh
acosh(x:input, out=None, *, where=True, dtype=None)                     np.arccosh np.acosh
atanh(x:input, out=None, *, where=True, dtype=None)                     np.arctanh np.atanh
hypot(x1:input, x2:other, out=None, *, where=True, dtype=None)          np.hypot
sinc(x:input)                                                           np.sinc
sign(x:input, out=None, *, where=True, dtype=None)                      np.sign
floor(x:input, out=None, *, where=True, dtype=None)                     np.floor
ceil(x:input, out=None, *, where=True, dtype=None)                      np.ceil
trunc(x:input, out=None, *, where=True, dtype=None)                     np.trunc
trunc(x:input, out=None)                                                np.fix
round(a:input, decimals=0, out=None)                                    np.round np.around
round(x:input, out=None, *, where=True, dtype=None)                     np.rint
round(input, decimals=0, out=None)                                      .round
maximum(x1:input, x2:other, out=None, *, where=True, dtype=None)        np.maximum
minimum(x1:input, x2:other, out=None, *, where=True, dtype=None)        np.minimum
fmax(x1:input, x2:other, out=None, *, where=True, dtype=None)           np.fmax
fmin(x1:input, x2:other, out=None, *, where=True, dtype=None)           np.fmin
clamp(a:input, a_min:min=None, a_max:max=None, out=None)                np.clip
clamp(a:input, *, min=None, max=None, out=None)                         np.clip
clamp(input, min=None, max=None, out=None)                              .clip
where(condition, x:input, y:other)                                      np.where
nonzero(condition:input)                                                np.where
nan_to_num(x:input, copy=True, nan=0.0, posinf=None, neginf=None)       np.nan_to_num
isnan(x:input, out=None, *, where=True)                                 np.isnan
isinf(x:input, out=None, *, where=True)                                 np.isinf
isfinite(x:input, out=None, *, where=True)                              np.isfinite
allclose(a:input, b:other, rtol=1e-5, atol=1e-8, equal_nan=False)       np.allclose
bitwise_and(x1:input, x2:other, out=None, *, where=True)                np.bitwise_and
bitwise_or(x1:input, x2:other, out=None, *, where=True)                 np.bitwise_or
bitwise_xor(x1:input, x2:other, out=None, *, where=True)                np.bitwise_xor
bitwise_not(x:input, out=None, *, where=True)                           np.bitwise_not np.invert np.bitwise_invert
copysign(x1:input, x2:other, out=None, *, where=True)                   np.copysign
heaviside(x1:input, x2:values, out=None, *, where=True)                 np.heaviside
isclose(a:input, b:other, rtol=1e-5, atol=1e-8, equal_nan=False)        np.isclose
eq(x1:input, x2:other, out=None, *, where=True)                         np.equal
ne(x1:input, x2:other, out=None, *, where=True)                         np.not_equal
lt(x1:input, x2:other, out=None, *, where=True)                         np.less
le(x1:input, x2:other, out=None, *, where=True)                         np.less_equal
gt(x1:input, x2:other, out=None, *, where=True)                         np.greater
ge(x1:input, x2:other, out=None, *, where=True)                         np.greater_equal
logical_and(x1:input, x2:other, out=None, *, where=True)                np.logical_and
logical_or(x1:input, x2:other, out=None, *, where=True)                 np.logical_or
logical_xor(x1:input, x2:other, out=None, *, where=True)                np.logical_xor
logical_not(x:input, out=None, *, where=True)                           np.logical_not
deg2rad(x:input, out=None, *, where=True)                               np.deg2rad np.radians
rad2deg(x:input, out=None, *, where=True)                               np.rad2deg np.degrees
# ---- reductions
sum(a:input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False, initial=?, where=True)   np.sum
sum(input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False)                            .sum
nansum(a:input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False)                       np.nansum
mean(a:input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False)                         np.mean
mean(input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False)                           .mean
nanmean(a:input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False)                      np.nanmean
average(a:input, axis:dim=None, weights=None, returned=False, *, keepdims:keepdim=False)           np.average
middle(a:input, axis:dim=None, out=None, overwrite_input=False, keepdims:keepdim=False)            np.median
middle(a:input, axis:dim=None, out=None, overwrite_input=False, keepdims:keepdim=False)            np.nanmedian
std(a:input, axis:dim=None, dtype=None, out=None, ddof:correction@number|unknown, keepdims:keepdim=False)  np.std np.nanstd
std(a:input, axis:dim=None, dtype=None, out=None, *, keepdims:keepdim=False) correction=0          np.std np.nanstd
std(input, axis:dim=None, dtype=None, out=None, ddof:correction@number|unknown, keepdims:keepdim=False)    .std
std(input, axis:dim=None, dtype=None, out=None, *, keepdims:keepdim=False) correction=0            .std
var(a:input, axis:dim=None, dtype=None, out=None, ddof:correction@number|unknown, keepdims:keepdim=False)  np.var np.nanvar
var(a:input, axis:dim=None, dtype=None, out=None, *, keepdims:keepdim=False) correction=0          np.var np.nanvar
var(input, axis:dim=None, dtype=None, out=None, ddof:correction@number|unknown, keepdims:keepdim=False)    .var
var(input, axis:dim=None, dtype=None, out=None, *, keepdims:keepdim=False) correction=0            .var
amax(a:input, axis:dim=None, out=None, keepdims:keepdim=False)          np.max np.amax np.nanmax
amax(input, axis:dim=None, out=None, keepdims:keepdim=False)            .max
amin(a:input, axis:dim=None, out=None, keepdims:keepdim=False)          np.min np.amin np.nanmin
amin(input, axis:dim=None, out=None, keepdims:keepdim=False)            .min
ptp(a:input, axis:dim=None, out=None, keepdims:keepdim=False)           np.ptp
argmax(a:input, axis:dim=None, out=None, *, keepdims:keepdim=False)     np.argmax np.nanargmax
argmax(input, axis:dim=None, out=None, *, keepdims:keepdim=False)       .argmax
argmin(a:input, axis:dim=None, out=None, *, keepdims:keepdim=False)     np.argmin np.nanargmin
argmin(input, axis:dim=None, out=None, *, keepdims:keepdim=False)       .argmin
any(a:input, axis:dim=None, out=None, keepdims:keepdim=False)           np.any
any(input, axis:dim=None, out=None, keepdims:keepdim=False)             .any
all(a:input, axis:dim=None, out=None, keepdims:keepdim=False)           np.all
all(input, axis:dim=None, out=None, keepdims:keepdim=False)             .all
count_nonzero(a:input, axis:dim=None, *, keepdims:keepdim=False)        np.count_nonzero
prod(a:input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False)  np.prod np.nanprod
prod(input, axis:dim=None, dtype=None, out=None, keepdims:keepdim=False)    .prod
cumsum(a:input, axis:dim=None, dtype=None, out=None)                    np.cumsum np.nancumsum
cumsum(input, axis:dim=None, dtype=None, out=None)                      .cumsum
cumprod(a:input, axis:dim=None, dtype=None, out=None)                   np.cumprod
cumprod(input, axis:dim=None, dtype=None, out=None)                     .cumprod
quantile(a:input, q, axis:dim=None, out=None, overwrite_input=False, method='linear', keepdims:keepdim=False)  np.quantile np.percentile np.nanquantile np.nanpercentile
diff(a:input, n=1, axis:dim=-1, prepend=?, append=?)                    np.diff
trapezoid(y:input, x=None, dx=1.0, axis:dim=-1)                         np.trapezoid
bincount(x:input, /, weights=None, minlength=0)                         np.bincount
histogram(a:input, bins=10, range=None, density=None, weights=None)     np.histogram
cov(m:input, y=None, rowvar=True, bias=False, ddof=None)                np.cov
corrcoef(x:input, y=None, rowvar=True)                                  np.corrcoef
numel(a:input)                                                          np.size
numel(input)                                                            .size
shape(a:input)                                                          np.shape
shape(input)                                                            .shape
dim(input)                                                              .ndim
dim(a:input)                                                            np.ndim
# ---- linear algebra
norm(x:input, ord:p=None, axis:dim=None, keepdims:keepdim=False)        np.linalg.norm
norm(x:input, *, axis:dim=None, keepdims:keepdim=False, ord:p=2)        np.linalg.vector_norm
matrix_norm(x:input, *, keepdims:keepdim=False, ord:p='fro')            np.linalg.matrix_norm
matmul(x1:input, x2:other, out=None, *, dtype=None)                     np.matmul
matmul(a:input, b:other, out=None)                                      np.dot
matmul(input, other, out=None)                                          .dot
dot(a:input, b:other)                                                   np.vdot
inner(a:input, b:other)                                                 np.inner
tensordot(a:input, b:other, axes:dims=2)                                np.tensordot
outer(a:input, b:other, out=None)                                       np.outer
kron(a:input, b:other)                                                  np.kron
einsum(equation, *operands, optimize=False)                             np.einsum
cross(a:input, b:other, axisa=-1, axisb=-1, axisc=-1, axis:dim=None)    np.cross
det(a:input)                                                            np.linalg.det
slogdet(a:input)                                                        np.linalg.slogdet
inv(a:input)                                                            np.linalg.inv
pinv(a:input, rcond=?, hermitian=False)                                 np.linalg.pinv
solve(a:input, b:other)                                                 np.linalg.solve
lstsq(a:input, b:other, rcond=None)                                     np.linalg.lstsq
cholesky(a:input, /)                                                    np.linalg.cholesky
svd(a:input, full_matrices=True, compute_uv=True, hermitian=False)      np.linalg.svd
eigh(a:input, UPLO='L')                                                 np.linalg.eigh
eigvalsh(a:input, UPLO='L')                                             np.linalg.eigvalsh
eig(a:input)                                                            np.linalg.eig
eigvals(a:input)                                                        np.linalg.eigvals
qr(a:input, mode='reduced')                                             np.linalg.qr
cond(x:input, p=None)                                                   np.linalg.cond
matrix_rank(A:input, tol=None, hermitian=False)                         np.linalg.matrix_rank
matrix_power(a:input, n)                                                np.linalg.matrix_power
trace(a:input, offset=0, axis1=0, axis2=1, dtype=None, out=None)        np.trace
trace(input, offset=0, axis1=0, axis2=1, dtype=None, out=None)          .trace
diagonal(a:input, offset=0, axis1=0, axis2=1)                           np.diagonal
diagonal(input, offset=0, axis1=0, axis2=1)                             .diagonal
diag(v:input, k=0)                                                      np.diag np.diagflat
tril(m:input, k=0)                                                      np.tril np.triu
# ---- shapes
reshape(a:input, shape, order='C')                                      np.reshape
reshape(input, *shape, order='C')                                       .reshape
ravel(a:input, order='C')                                               np.ravel
ravel(input, order='C')                                                 .ravel .flatten
squeeze(a:input, axis:dim=None)                                         np.squeeze
squeeze(input, axis:dim=None)                                           .squeeze
unsqueeze(a:input, axis:dim)                                            np.expand_dims
broadcast_to(array:input, shape)                                        np.broadcast_to
repeat_interleave(a:input, repeats, axis:dim=None)                      np.repeat
repeat_interleave(input, repeats, axis:dim=None)                        .repeat
tile(A:input, reps:dims)                                                np.tile
atleast(*input)                                                         np.atleast_1d np.atleast_2d np.atleast_3d
permute(a:input, axes:dims=None)                                        np.transpose
permute(input, *axes:dims)                                              .transpose
T(input)                                                                .T
mT(input)                                                               .mT
transpose(a:input, axis1:dim0, axis2:dim1)                              np.swapaxes
transpose(input, axis1:dim0, axis2:dim1)                                .swapaxes
movedim(a:input, source, destination)                                   np.moveaxis
roll(a:input, shift:shifts, axis:dims=None)                             np.roll
flip(m:input, axis:dims=None)                                           np.flip
flip(m:input)                                                           np.fliplr np.flipud
rot90(m:input, k=1, axes:dims=(0,1))                                    np.rot90
take(a:input, indices:index, axis:dim=None, out=None)                   np.take
take(input, indices:index, axis:dim=None, out=None)                     .take
gather(arr:input, indices:index, axis:dim=-1)                           np.take_along_axis
masked_select(condition:mask, arr:input)                                np.extract
split(ary:input, indices_or_sections, axis:dim=0)                       np.split np.array_split
delete(arr:input, obj:index, axis:dim=None)                             np.delete
delete(condition, a:input, axis:dim=None, out=None)                     np.compress
convolve(a:input, v:other, mode='full')                                 np.convolve
correlate(a:input, v:other, mode='valid')                               np.correlate
real(val:input)                                                         np.real
conj(x:input)                                                           np.conj np.conjugate
unique(ar:input, return_index=False, return_inverse=False, return_counts=False, axis:dim=None)  np.unique
sorted_values(a:input, axis:dim=-1, kind=None, order=None)              np.sort
argsort(a:input, axis:dim=-1, kind=None, order=None)                    np.argsort
argsort(input, axis:dim=-1, kind=None, order=None)                      .argsort
nonzero(a:input) as_tuple=True                                          np.nonzero
nonzero(input) as_tuple=True                                            .nonzero
nonzero(a:input)                                                        np.argwhere np.flatnonzero
searchsorted(a:boundaries, v:input, side='left', sorter=None)           np.searchsorted
searchsorted(x:input, bins:boundaries, right=False)                     np.digitize
cat(arrays:tensors, axis:dim=0, out=None, *, dtype=None)                np.concatenate np.concat
stack(arrays:tensors, axis:dim=0, out=None, *, dtype=None)              np.stack
cat(tup:tensors, *, dtype=None)                                         np.hstack np.vstack
dstack(tup:tensors)                                                     np.dstack
column_stack(tup:tensors)                                               np.column_stack
append(arr:input, values:value, axis:dim=None)                          np.append
pad(array:input, pad_width:pad, mode='constant', *, constant_values:value=0)  np.pad
meshgrid(*tensors, copy=True, sparse=False, indexing='xy')              np.meshgrid
# ---- creation and copies
asarray(a:data, dtype=None, order=None)                                 np.asarray np.asanyarray
asarray(a:data, dtype=None)                                             np.ascontiguousarray
asarray(object:data, dtype=None, *, copy=True, order='K', ndmin=0)      np.array
load(file, mmap_mode=None)                                              np.load
load(fname:file, dtype=?, comments='#', delimiter=None)                 np.loadtxt
load(fname:file, dtype=?, comments='#', delimiter=None)                 np.genfromtxt
load(file, dtype=?, count=-1, sep='')                                   np.fromfile
load(buffer:file, dtype=?, count=-1, offset=0)                          np.frombuffer
clone(input, order='C')                                                 .copy
clone(a:input, order='K')                                               np.copy
to(input, dtype, order='K', casting='unsafe', subok=True, copy=True)    .astype
to(input) dtype='float16'                                               np.float16 np.half
to(input) dtype='float32'                                               np.float32 np.single
to(input) dtype='float64'                                               np.float64 np.double
to(input) dtype='int64'                                                 np.int64
to(input) dtype='int32'                                                 np.int32
item(input)                                                             .item
tolist(input)                                                           .tolist
real(input)                                                             .real
conj(input)                                                             .conj .conjugate
zeros(shape:size, dtype=None, order='C')                                np.zeros
ones(shape:size, dtype=None, order='C')                                 np.ones
empty(shape:size, dtype=None, order='C')                                np.empty
full(shape:size, fill_value, dtype=None, order='C')                     np.full
eye(N:size, M=None, k=0, dtype=None)                                    np.eye
eye(n:size, dtype=None)                                                 np.identity
zeros_like(a:input, dtype=None, order='K', subok=True, shape=None)      np.zeros_like
ones_like(a:input, dtype=None, order='K', subok=True, shape=None)       np.ones_like
empty_like(prototype:input, dtype=None, order='K', subok=True, shape=None)  np.empty_like
full_like(a:input, fill_value, dtype=None, order='K', subok=True, shape=None)  np.full_like
arange(start, stop:end=None, step=1, dtype=None)                        np.arange
linspace(start, stop:end, num=50, endpoint=True, retstep=False, dtype=None, axis=0)  np.linspace
logspace(start, stop:end, num=50, endpoint=True, base=10.0, dtype=None, axis=0)      np.logspace
linspace(start, stop:end, num=50, endpoint=True, dtype=None, axis=0)    np.geomspace
hann_window(M:size)                                                     np.hanning
hamming_window(M:size)                                                  np.hamming
blackman_window(M:size)                                                 np.blackman
bartlett_window(M:size)                                                 np.bartlett
tril_indices(n:size, k=0, m=None)                                       np.tril_indices
triu_indices(n:size, k=0, m=None)                                       np.triu_indices
vander(x:input, N=None, increasing=False)                               np.vander
# ---- random numbers
rand(*size)                                                             np.random.rand
rand(size=None)                                                         np.random.random np.random.random_sample
randn(*size)                                                            np.random.randn
randn(size=None)                                                        np.random.standard_normal
random_uniform(low=0.0, high=1.0, size=None)                            np.random.uniform
random_normal(loc:mean=0.0, scale:std=1.0, size=None)                   np.random.normal
randint(low, high=None, size=None, dtype=?)                             np.random.randint
bernoulli(n:input, p, size=None)                                        np.random.binomial
poisson(lam:input=1.0, size=None)                                       np.random.poisson
gamma(shape:size, size:shape=None)                                                        np.random.standard_gamma
choice(a:input, size=None, replace=True, p=None)                        np.random.choice
shuffled(x:input)                                                       np.random.permutation
seed(seed=None)                                                         np.random.seed
seed(x)                                                                 np.random.shuffle
# ---- error modes
seterr(all=None, divide=None, over=None, under=None, invalid=None)      np.seterr
errstate(*, all=None, divide=None, over=None, under=None, invalid=None, call=?)  np.errstate
"""
