"""torch: pointwise functions, methods and operators, and how their arguments are called."""

from __future__ import annotations

LIB = "torch"

TABLE = """
sqrt(input, *, out=None)                                torch.sqrt .sqrt S.sqrt
rsqrt(input, *, out=None)                               torch.rsqrt .rsqrt
square(input, *, out=None)                              torch.square .square
exp(input, *, out=None)                                 torch.exp .exp
exp2(input, *, out=None)                                torch.exp2 .exp2 S.exp2
expm1(input, *, out=None)                               torch.expm1 .expm1 S.expm1
log(input, *, out=None)                                 torch.log .log
log2(input, *, out=None)                                torch.log2 .log2
log10(input, *, out=None)                               torch.log10 .log10
log1p(input, *, out=None)                               torch.log1p .log1p S.log1p
reciprocal(input, *, out=None)                          torch.reciprocal .reciprocal
neg(input, *, out=None)                                 torch.neg torch.negative .neg .negative
abs(input, *, out=None)                                 torch.abs torch.absolute .abs .absolute
add(input, other, *, alpha=1, out=None)                 torch.add .add
sub(input, other, *, alpha=1, out=None)                 torch.sub torch.subtract .sub .subtract
rsub(input, other, alpha=1)                             torch.rsub
mul(input, other, *, out=None)                          torch.mul torch.multiply .mul .multiply
div(input, other, *, rounding_mode=None, out=None)      torch.div torch.divide torch.true_divide .div .divide .true_divide
floor_divide(input, other, *, out=None)                 torch.floor_divide .floor_divide
remainder(input, other, *, out=None)                    torch.remainder .remainder
fmod(input, other, *, out=None)                         torch.fmod .fmod
pow(input, exponent, *, out=None)                       torch.pow .pow
float_power(input, exponent, *, out=None)               torch.float_power .float_power
"""
