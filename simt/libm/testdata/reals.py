#!/usr/bin/env python3
"""Writes reals.txt: lines of NAME, the bits of the arguments and of the result rounded to nearest, for the functions of
NVIDIA's device library whose results are no numbers that a few operations give. The judge is mpmath (Debian:
python3-mpmath), with 250 bits. Specials and signs of zeros are in libm.txt.

usage: reals.py [SEED] >reals.txt
"""
import math
import random
import struct
import sys

import mpmath as mp

mp.mp.prec = 250
rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
PI = mp.pi


def bits(x, single):
    return struct.unpack('<I', struct.pack('<f', x))[0] if single else struct.unpack('<Q', struct.pack('<d', x))[0]


def short(x):
    """The float nearest to a double."""
    try:
        return struct.unpack('<f', struct.pack('<f', x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def nearest(x, single):
    """The bits of a number rounded to nearest, ties to even."""
    if mp.isnan(x):
        return 0x7fc00000 if single else 0x7ff8 << 48
    if mp.isinf(x):
        return bits(math.inf if x > 0 else -math.inf, single)
    precision, least = (24, -149) if single else (53, -1074)
    sign, man, exp, count = mp.mpf(x)._mpf_
    if man == 0:
        return 0
    e = max(exp + count - precision, least)
    shift = e - exp
    if shift <= 0:
        n = man << -shift
    else:
        n, rest = man >> shift, man & ((1 << shift) - 1)
        half = 1 << (shift - 1)
        if rest > half or rest == half and n & 1:
            n += 1
    try:
        v = math.ldexp(n, e)
        return bits(-v if sign else v, single)
    except OverflowError:
        return bits(-math.inf if sign else math.inf, single)


def erfcinv(z):
    if z > 1:
        return -erfcinv(2 - z)
    if z > 0.5:
        return newton(lambda x: mp.erf(x) - (1 - z), lambda x: 2 / mp.sqrt(PI) * mp.exp(-x * x), mp.mpf(0.3) * (1 - z))
    t = mp.sqrt(-mp.log(z))
    return newton(lambda x: mp.log(mp.erfc(x)) - mp.log(z),
                  lambda x: -2 / mp.sqrt(PI) * mp.exp(-x * x) / mp.erfc(x), t * 0.9)


def newton(f, slope, x):
    for _ in range(40):
        step = f(x) / slope(x)
        x -= step
        if step == 0 or abs(step) < abs(x) * mp.mpf(2) ** -200:
            return x
    raise ValueError('no root')


def erfinv(y):
    if y < 0:
        return -erfinv(-y)
    return erfcinv(1 - mp.mpf(y))


def lgamma(x):
    return mp.re(mp.loggamma(x))


def length(*v):
    return mp.sqrt(sum(x * x for x in v))


def wide(lo, hi):
    """Numbers whose exponents are spread evenly, of both signs."""
    return lambda: math.copysign(math.exp(rng.uniform(math.log(lo), math.log(hi))), rng.random() - 0.3)


def positive(lo, hi):
    return lambda: math.exp(rng.uniform(math.log(lo), math.log(hi)))


def even(lo, hi):
    return lambda: rng.uniform(lo, hi)


def either(*gens):
    return lambda: rng.choice(gens)()


# name: function, where its argument comes from, … of the float function if that is another
ONE = {
    'acos': (mp.acos, either(even(-1, 1), wide(1e-9, 1))),
    'acosh': (mp.acosh, either(even(1, 3), positive(1, 1e30))),
    'asin': (mp.asin, either(even(-1, 1), wide(1e-9, 1))),
    'asinh': (mp.asinh, wide(1e-10, 1e30)),
    'atan': (mp.atan, wide(1e-10, 1e20)),
    'atanh': (mp.atanh, either(even(-1, 1), wide(1e-10, 1))),
    'cbrt': (lambda x: mp.sign(x) * mp.cbrt(abs(x)), wide(1e-37, 1e37)),
    'cos': (mp.cos, either(wide(1e-3, 10), wide(1, 1e30))),
    'cosh': (mp.cosh, either(wide(1e-5, 20), even(-88, 88))),
    'cospi': (mp.cospi, either(wide(1e-3, 10), even(0, 10000))),
    'cyl_bessel_i0': (lambda x: mp.besseli(0, x), either(even(-10, 10), even(-80, 80))),
    'cyl_bessel_i1': (lambda x: mp.besseli(1, x), either(even(-10, 10), even(-80, 80))),
    'erf': (mp.erf, either(even(-4, 4), wide(1e-10, 4))),
    'erfc': (mp.erfc, either(even(-4, 9), wide(1e-10, 4)), either(even(-4, 9), even(9, 26))),
    'erfcinv': (erfcinv, either(even(0.0001, 1.9999), positive(1e-37, 1)), either(positive(1e-300, 1), even(0, 2))),
    'erfcx': (lambda x: mp.exp(x * x) * mp.erfc(x), either(even(-5, 30), positive(1e-3, 1e20))),
    'erfinv': (erfinv, either(even(-0.999, 0.999), wide(1e-8, 1))),
    'exp': (mp.exp, either(even(-80, 80), wide(1e-5, 1)), either(even(-700, 700), wide(1e-5, 1), even(-745, -708))),
    'exp10': (lambda x: mp.mpf(10) ** x, either(even(-37, 37), wide(1e-5, 1)),
              either(even(-300, 300), wide(1e-5, 1), even(-323, -307))),
    'exp2': (lambda x: mp.mpf(2) ** x, either(even(-126, 127), wide(1e-5, 1)),
             either(even(-1020, 1020), wide(1e-5, 1), even(-1074, -1022))),
    'expm1': (mp.expm1, either(even(-20, 80), wide(1e-12, 1))),
    'j0': (lambda x: mp.besselj(0, x), either(even(0, 30), positive(1e-3, 1000))),
    'j1': (lambda x: mp.besselj(1, x), either(even(-30, 30), positive(1e-3, 1000))),
    'lgamma': (lgamma, either(even(-10, 10), positive(1e-3, 1e30), even(0.9, 2.1))),
    'log': (mp.log, either(positive(1e-37, 1e37), even(0.7, 1.4))),
    'log10': (mp.log10, either(positive(1e-37, 1e37), even(0.7, 1.4))),
    'log1p': (mp.log1p, either(wide(1e-12, 0.999), positive(1, 1e30))),
    'log2': (lambda x: mp.log(x) / mp.log(2), either(positive(1e-37, 1e37), even(0.7, 1.4))),
    'normcdf': (lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, even(-12, 6), either(even(-12, 6), even(-37, -12))),
    'normcdfinv': (lambda p: -mp.sqrt(2) * erfcinv(2 * p), either(even(0, 1), positive(1e-37, 0.5)),
                   either(even(0, 1), positive(1e-300, 0.5))),
    'rcbrt': (lambda x: mp.sign(x) / mp.cbrt(abs(x)), wide(1e-37, 1e37)),
    'rsqrt': (lambda x: 1 / mp.sqrt(x), positive(1e-37, 1e37)),
    'sin': (mp.sin, either(wide(1e-3, 10), wide(1, 1e30))),
    'sinh': (mp.sinh, either(wide(1e-8, 20), even(-88, 88))),
    'sinpi': (mp.sinpi, either(wide(1e-3, 10), even(0, 10000))),
    'tan': (mp.tan, either(wide(1e-3, 10), wide(1, 1e30))),
    'tanh': (mp.tanh, wide(1e-8, 20)),
    'tgamma': (mp.gamma, either(even(-10, 34), positive(1e-3, 10)), either(even(-10, 170), positive(1e-3, 10))),
    'y0': (lambda x: mp.bessely(0, x), either(even(0, 30), positive(1e-3, 1000))),
    'y1': (lambda x: mp.bessely(1, x), either(even(0, 30), positive(1e-3, 1000))),
}
TWO = {
    'atan2': (lambda y, x: mp.atan2(y, x), wide(1e-9, 1e9), wide(1e-9, 1e9)),
    'hypot': (length, wide(1e-9, 1e9), wide(1e-9, 1e9)),
    'rhypot': (lambda x, y: 1 / length(x, y), wide(1e-9, 1e9), wide(1e-9, 1e9)),
    'pow': (mp.power, positive(1e-4, 1e4), even(-9, 9), positive(1e-10, 1e10), even(-30, 30)),
}
MIXED = {  # an integer besides
    'powi': (lambda x, n: mp.power(x, n), wide(0.2, 20), lambda: rng.randrange(-20, 25)),
}
ORDER = {
    'jn': (lambda n, x: mp.besselj(n, x), lambda: rng.randrange(0, 30), even(0, 60)),
    'yn': (lambda n, x: mp.bessely(n, x), lambda: rng.randrange(0, 20), even(0.5, 60)),
}
FAST = {'cos': 'cos', 'exp10': 'exp10', 'exp': 'exp', 'log10': 'log10', 'log2': 'log2', 'log': 'log', 'sin': 'sin',
        'tan': 'tan'}
COUNT = 28
out = []


def line(name, args, result):
    out.append('%s %s %x' % (name, ','.join('%x' % a for a in args), result))


def number(gen, single):
    x = gen()
    return short(x) if single else x


def pairs(names, gens):
    """The float function's and the double function's: name, single, generators."""
    n = len(gens) // 2
    return ((names + 'f', True, gens[:n]), (names, False, gens[n:]))


for name, (f, *gens) in ONE.items():
    if len(gens) == 1:
        gens *= 2
    for full, single, (gen,) in pairs(name, gens):
        for _ in range(COUNT):
            x = number(gen, single)
            line(full, [bits(x, single)], nearest(f(mp.mpf(x)), single))
            if single and name in FAST:
                line('fast_' + full, [bits(x, single)], nearest(f(mp.mpf(x)), single))
for name, (f, *gens) in TWO.items():
    if len(gens) == 2:
        gens *= 2
    for full, single, (g, h) in pairs(name, gens):
        for _ in range(2 * COUNT):
            x, y = number(g, single), number(h, single)
            line(full, [bits(x, single), bits(y, single)], nearest(f(mp.mpf(x), mp.mpf(y)), single))
            if full == 'powf':
                line('fast_powf', [bits(x, single), bits(y, single)], nearest(f(mp.mpf(x), mp.mpf(y)), single))
for name, (f, g, h) in MIXED.items():
    for full, single, _ in pairs(name, [0, 0]):
        for _ in range(COUNT):
            x, n = number(g, single), h()
            line(full, [bits(x, single), n & 0xffffffff], nearest(f(mp.mpf(x), n), single))
for name, (f, g, h) in ORDER.items():
    for full, single, _ in pairs(name, [0, 0]):
        for _ in range(COUNT):
            n, x = g(), number(h, single)
            line(full, [n, bits(x, single)], nearest(f(n, mp.mpf(x)), single))
for name, n in (('norm3d', 3), ('norm4d', 4)):
    for full, single, _ in pairs(name, [0, 0]):
        for _ in range(COUNT):
            v = [number(wide(1e-4, 1e4), single) for _ in range(n)]
            r = length(*map(mp.mpf, v))
            line(full, [bits(x, single) for x in v], nearest(r, single))
            line('r' + full, [bits(x, single) for x in v], nearest(1 / r, single))
for x in (3.0, -5.0, 16777217.0, 2.0 ** 27 - 1):  # squares and cubes that are halfway between doubles
    for n in (2, 3, -1, -2):
        line('pow', [bits(x, False), bits(float(n), False)], nearest(mp.power(x, n), False))
for _ in range(COUNT):
    x = short(positive(1e-30, 1e30)())
    line('frsqrt_rn', [bits(x, True)], nearest(1 / mp.sqrt(mp.mpf(x)), True))
print('\n'.join(sorted(out, key=lambda s: s.split()[0])))
