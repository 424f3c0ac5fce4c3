"""Python: operators, builtins and math; operators work on numbers and on every tensor."""

from __future__ import annotations

LIB = "python"

TABLE = """
# ---- operators
add(a:input, b:other)                   operator.add
matmul(a:input, b:other)                operator.matmul
sub(a:input, b:other)                   operator.sub
mul(a:input, b:other)                   operator.mul
div(a:input, b:other)                   operator.truediv
floor_divide(a:input, b:other)          operator.floordiv
remainder(a:input, b:other)             operator.mod
pow(a:input, b:exponent)                operator.pow
neg(a:input)                            operator.neg
positive(a:input)                       operator.pos
eq(a:input, b:other)                    operator.eq
ne(a:input, b:other)                    operator.ne
lt(a:input, b:other)                    operator.lt
le(a:input, b:other)                    operator.le
gt(a:input, b:other)                    operator.gt
ge(a:input, b:other)                    operator.ge
logical_not(a:input)                    operator.not_
bitwise_not(a:input)                    operator.invert
bitwise_and(a:input, b:other)           operator.and_
bitwise_or(a:input, b:other)            operator.or_
bitwise_xor(a:input, b:other)           operator.xor
bitwise_left_shift(a:input, b:other)    operator.lshift
bitwise_right_shift(a:input, b:other)   operator.rshift

# ---- builtins
abs(x:input)                            builtins.abs
pow(base:input, exp:exponent)           builtins.pow
round(number:input, ndigits:decimals=0) builtins.round
float(x:input)                          builtins.float
int(x:input)                            builtins.int
bool(x:input)                           builtins.bool
maximum(input, other)                   builtins.max
minimum(input, other)                   builtins.min
max(input, *, key=?, default=?)         builtins.max
min(input, *, key=?, default=?)         builtins.min
max(*input, key=?)                      builtins.max
min(*input, key=?)                      builtins.min

# ---- math
sqrt(x:input)                           math.sqrt
pow(x:input, y:exponent)                math.pow
exp(x:input)                            math.exp
expm1(x:input)                          math.expm1
log(x:input, base=?)                    math.log
log2(x:input)                           math.log2
log10(x:input)                          math.log10
log1p(x:input)                          math.log1p
abs(x:input)                            math.fabs
floor(x:input)                          math.floor
ceil(x:input)                           math.ceil
trunc(x:input)                          math.trunc
fmod(x:input, y:other)                  math.fmod
copysign(x:input, y:other)              math.copysign
hypot(x:input, y:other)                 math.hypot
sin(x:input)                            math.sin
cos(x:input)                            math.cos
tan(x:input)                            math.tan
asin(x:input)                           math.asin
acos(x:input)                           math.acos
atan(x:input)                           math.atan
atan2(y:input, x:other)                 math.atan2
sinh(x:input)                           math.sinh
cosh(x:input)                           math.cosh
tanh(x:input)                           math.tanh
asinh(x:input)                          math.asinh
acosh(x:input)                          math.acosh
atanh(x:input)                          math.atanh
erf(x:input)                            math.erf
erfc(x:input)                           math.erfc
lgamma(x:input)                         math.lgamma
deg2rad(x:input)                        math.radians
rad2deg(x:input)                        math.degrees
isnan(x:input)                          math.isnan
isinf(x:input)                          math.isinf
isfinite(x:input)                       math.isfinite
isclose(a:input, b:other, *, rel_tol:rtol=1e-9, abs_tol:atol=0.0)   math.isclose
"""
