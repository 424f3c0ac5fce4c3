"""Python: operators, builtins and math, as spellings; they work on numbers and on every tensor."""

from __future__ import annotations

LIB = "python"

TABLE = """
add(input, other)               operator.add
sub(input, other)               operator.sub
mul(input, other)               operator.mul
div(input, other)               operator.truediv
floor_divide(input, other)      operator.floordiv
remainder(input, other)         operator.mod
pow(input, exponent)            operator.pow
neg(input)                      operator.neg
abs(input)                      operator.abs builtins.abs math.fabs
sqrt(input)                     math.sqrt
exp(input)                      math.exp
expm1(input)                    math.expm1
log1p(input)                    math.log1p
log(input)                      math.log
log2(input)                     math.log2
log10(input)                    math.log10
pow(input, exponent)            math.pow builtins.pow
"""
