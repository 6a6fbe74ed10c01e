#!/usr/bin/env python3
"""Writes opencl.txt: functions of OpenCL.std of singles and doubles, over the whole range of their arguments. A line is
NAME WIDTH ARGUMENTS NEAREST REST: the bits of the arguments and of the result rounded to nearest, and what the result
is more than that, in units of the last place. The judge is mpmath (Debian: python3-mpmath), with 300 bits.

usage: opencl.py [SEED [COUNT]] >opencl.txt
"""
import math
import random
import struct
import sys

import mpmath as mp

mp.mp.prec = 300
rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 24
FORMATS = {32: ('<I', '<f', 24, -149), 64: ('<Q', '<d', 53, -1074)}


def number(bits, width):
    i, f, *_ = FORMATS[width]
    return struct.unpack(f, struct.pack(i, bits))[0]


def bits(x, width):
    i, f, *_ = FORMATS[width]
    try:
        return struct.unpack(i, struct.pack(f, x))[0]
    except OverflowError:
        return bits(math.copysign(math.inf, x), width)


def nearest(x, width):
    """The bits of a finite number rounded to nearest, ties to even, and the rest in units of the last place."""
    _, _, precision, least = FORMATS[width]
    sign, man, exp, count = mp.mpf(x)._mpf_
    if man == 0:
        return 0, 0.0
    e = max(exp + count - precision, least)
    if exp + count > 1030:
        return bits(-math.inf if sign else math.inf, width), 0.0
    if exp + count < least - 8:
        return bits(-0.0 if sign else 0.0, width), 0.0
    shift = e - exp
    n = man << -shift if shift <= 0 else man >> shift
    rest = mp.mpf(man) * mp.mpf(2) ** -shift - n
    if rest > 0.5 or rest == 0.5 and n & 1:
        n, rest = n + 1, rest - 1
    try:
        v = math.ldexp(n, e)
    except OverflowError:
        v = math.inf
    b = bits(-v if sign else v, width)
    return b, 0.0 if math.isinf(number(b, width)) else float(-rest if sign else rest)


def anywhere(width):
    """A finite number with random bits."""
    while True:
        x = number(rng.getrandbits(width), width)
        if math.isfinite(x):
            return x


def short(x, width):
    return number(bits(x, width), width)


def within(lo, hi):
    return lambda width: short(rng.uniform(lo, hi), width)


def small(limit):
    """A number with random bits up to a limit."""
    def gen(width):
        while True:
            x = anywhere(width)
            if abs(x) <= limit:
                return x
    return gen


def above(gen, least=0):
    def positive(width):
        while True:
            x = abs(gen(width))
            if x > least:
                return x
    return positive


def near(*points):
    """A number some places from a point."""
    def gen(width):
        x = rng.choice(points)
        if x == 0:
            return number(rng.getrandbits(20), width)
        return number(bits(x, width) + rng.randrange(-40, 41), width)
    return gen


def edge(single, double):
    """Where results overflow or are denormal."""
    return lambda width: short(rng.uniform(*(single if width == 32 else double)), width)


def root(x, n):
    n = int(n)
    if x < 0:
        return -mp.root(-x, n) if n > 0 else -1 / mp.root(-x, -n)
    return mp.root(x, n) if n > 0 else 1 / mp.root(x, -n)


def whole(lo, hi):
    def gen(width):
        while True:
            n = rng.randrange(lo, hi)
            if n:
                return float(n)
    return gen


def oddly(lo, hi):
    return lambda width: float(rng.randrange(lo, hi) * 2 + 1)


UNIT = (within(-1, 1), small(1), near(1, -1, 0.5, -0.5))
TURNS = (small(1e300), within(-10, 10), within(-1e6, 1e6), near(math.pi, math.pi / 2, -math.pi / 4, 3 * math.pi, 355))
GROWS = (small(1), edge((-104, 89), (-746, 710)), within(-10, 10), edge((88, 89.5), (709, 710.5)))
LOGS = (above(anywhere), above(near(1)), above(within(0, 4)))
PI = mp.pi
ONE = {
    'acos': (mp.acos, UNIT), 'acosh': (mp.acosh, (above(anywhere, 1), above(near(1, 1.5), 1))),
    'acospi': (lambda x: mp.acos(x) / PI, UNIT), 'asin': (mp.asin, UNIT), 'asinpi': (lambda x: mp.asin(x) / PI, UNIT),
    'asinh': (mp.asinh, (anywhere, within(-3, 3))), 'atan': (mp.atan, (anywhere, within(-3, 3))),
    'atanh': (mp.atanh, (within(-1, 1), small(0.999), near(0.5, -0.25))),
    'atanpi': (lambda x: mp.atan(x) / PI, (anywhere, within(-3, 3))),
    'cbrt': (lambda x: mp.sign(x) * mp.cbrt(abs(x)), (anywhere,)),
    'cos': (mp.cos, TURNS), 'sin': (mp.sin, TURNS), 'tan': (mp.tan, TURNS),
    'cospi': (mp.cospi, (small(1e6), within(-10, 10), near(0.5, 1.5, 2))),
    'sinpi': (mp.sinpi, (small(1e6), within(-10, 10), near(0.5, 1, 2))),
    'tanpi': (lambda x: mp.sinpi(x) / mp.cospi(x), (small(1e6), within(-10, 10), near(0.25, 1, 2))),
    'cosh': (mp.cosh, GROWS), 'sinh': (mp.sinh, GROWS), 'tanh': (mp.tanh, (anywhere, within(-20, 20))),
    'erf': (mp.erf, (anywhere, within(-6, 6))), 'erfc': (mp.erfc, (small(1), edge((-5, 10.1), (-6, 27.3)))),
    'exp': (mp.exp, GROWS), 'exp2': (lambda x: mp.mpf(2) ** x, (small(1), edge((-150, 128), (-1075, 1024)))),
    'exp10': (lambda x: mp.mpf(10) ** x, (small(1), edge((-45, 38.6), (-324, 308.3)))), 'expm1': (mp.expm1, GROWS),
    'log': (mp.log, LOGS), 'log2': (lambda x: mp.log(x) / mp.log(2), LOGS), 'log10': (mp.log10, LOGS),
    'log1p': (mp.log1p, (above(anywhere), within(-0.999, 4), small(0.5))),
    'rsqrt': (lambda x: 1 / mp.sqrt(x), (above(anywhere),)), 'sqrt': (mp.sqrt, (above(anywhere),)),
    'lgamma': (lambda x: mp.re(mp.loggamma(x)), (above(small(1e30)), within(0, 4))),
    'tgamma': (mp.gamma, (edge((-41.5, 35.1), (-180.5, 171.7)), small(1), within(-6, 6), near(1, 2, -2.5, 30))),
}
TWO = {
    'atan2': (mp.atan2, ((anywhere, anywhere), (within(-3, 3), within(-3, 3)), (small(1e-10), within(-9, -1)))),
    'atan2pi': (lambda y, x: mp.atan2(y, x) / PI, ((anywhere, anywhere), (within(-3, 3), within(-3, 3)))),
    'hypot': (mp.hypot, ((anywhere, anywhere), (within(-3, 3), within(-3, 3)))),
    'pow': (mp.power, ((above(anywhere), within(-3, 3)), (above(near(1)), small(1e9)),
                       (above(within(0, 9)), edge((-40, 40), (-300, 300))), (above(within(0, 99)), whole(-9, 9)))),
    'pown': (lambda x, n: mp.power(x, int(n)), ((within(-9, 9), whole(-60, 60)), (near(1, -1), whole(-10**6, 10**6)))),
    'rootn': (root, ((above(anywhere), whole(-9, 9)), (anywhere, oddly(-99, 99)), (above(anywhere), whole(-2**20, 2**20)))),
}


def line(name, width, args, result):
    n, rest = nearest(result, width)
    print(name, width, ','.join('%x' % bits(a, width) for a in args), '%x' % n, '%.4g' % rest)


for width in (32, 64):
    for name, (f, gens) in ONE.items():
        for i in range(COUNT):
            x = gens[i % len(gens)](width)
            try:
                line(name, width, [x], f(mp.mpf(x)))
            except (ValueError, ZeroDivisionError, TypeError):
                pass  # a pole, or outside of the domain
    for name, (f, gens) in TWO.items():
        for i in range(2 * COUNT):
            v = [g(width) for g in gens[i % len(gens)]]
            line(name, width, v, f(*map(mp.mpf, v)))
