"""An assembler for DWARF expressions, and the words that cases are written in."""
import struct

STANDARD = """
03 addr:a  06 deref  08 const1u:1  09 const1s:1  0a const2u:2  0b const2s:2  0c const4u:4  0d const4s:4  0e const8u:8
0f const8s:8  10 constu:u  11 consts:s  12 dup  13 drop  14 over  15 pick:1  16 swap  17 rot  18 xderef  19 abs  1a and
1b div  1c minus  1d mod  1e mul  1f neg  20 not  21 or  22 plus  23 plus_uconst:u  24 shl  25 shr  26 shra  27 xor
28 bra:2  29 eq  2a ge  2b gt  2c le  2d lt  2e ne  2f skip:2  90 regx:u  91 fbreg:s  92 bregx:u,s  93 piece:u
94 deref_size:1  95 xderef_size:1  96 nop  97 push_object_address  98 call2:2  99 call4:4  9a call_ref:r
9b form_tls_address  9c call_frame_cfa  9d bit_piece:u,u  9e implicit_value:b  9f stack_value  a0 implicit_pointer:r,s
a1 addrx:u  a2 constx:u  a3 entry_value:b  a4 const_type:u,c  a5 regval_type:u,u  a6 deref_type:1,u  a7 xderef_type:1,u
a8 convert:u  a9 reinterpret:u  e0 GNU_push_tls_address  f0 GNU_uninit  f2 GNU_implicit_pointer:r,s  f3 GNU_entry_value:b
f4 GNU_const_type:u,c  f5 GNU_regval_type:u,u  f6 GNU_deref_type:1,u  f7 GNU_convert:u  f9 GNU_reinterpret:u
fa GNU_parameter_ref:4  fb GNU_addr_index:u  fc GNU_const_index:u  fd GNU_variable_value:r
"""
HETEROGENEOUS = """
01 -- LLVM_nop  02 e1 form_aspace_address  03 e2 push_lane  04 e3 offset  05 e4 offset_uconst:u  06 e5 bit_offset
07 e6 call_frame_entry_reg:u  08 e7 undefined  09 e8 aspace_bregx:u,s  0a ea piece_end  0b eb extend:u,u
0c ec select_bit_piece:u,u  -- ee overlay  -- ed bit_overlay
"""
OPS = {}
words = STANDARD.split()
for code, name in zip(words[::2], words[1::2]):
    name, _, operands = name.partition(":")
    OPS[name] = ([int(code, 16)], None, operands.split(",") if operands else [])
for i in range(32):
    OPS["lit%d" % i] = ([0x30 + i], None, [])
    OPS["reg%d" % i] = ([0x50 + i], None, [])
    OPS["breg%d" % i] = ([0x70 + i], None, ["s"])
words = HETEROGENEOUS.split()
for sub, old, name in zip(words[::3], words[1::3], words[2::3]):
    name, _, operands = name.partition(":")
    OPS[name] = ([0xE9, int(sub, 16)] if sub != "--" else None, [int(old, 16)] if old != "--" else None,
                 operands.split(",") if operands else [])
INTEL = {"regs": 0xEB, "push_bit_piece_stack": 0xEC, "push_simd_lane": 0xED}
OPS.update((name, ([code], None, [])) for name, code in INTEL.items())
HETERO_NAMES = set(w.partition(":")[0] for w in words[2::3])


def uleb(n):
    out = []
    while True:
        b, n = n & 0x7F, n >> 7
        out.append(b | (0x80 if n else 0))
        if not n:
            return out


def sleb(n):
    out = []
    while True:
        b, n = n & 0x7F, n >> 7
        if (n == 0 and not b & 0x40) or (n == -1 and b & 0x40):
            return out + [b]
        out.append(b | 0x80)


def asm(text, old=False, address=8, ref=4):
    """Assembles "op operand operand; op …"; bytes for blocks are hex."""
    out = []
    for line in text.split(";"):
        words = line.split()
        if not words:
            continue
        if words[0] == "bytes":
            out += list(bytes.fromhex("".join(words[1:])))
            continue
        new, single, operands = OPS[words[0]]
        out += single if (old and single) or new is None else new
        assert len(operands) == len(words) - 1, line
        for kind, w in zip(operands, words[1:]):
            if kind in "bc":
                block = list(bytes.fromhex(w)) if w != "-" else []
                out += (uleb(len(block)) if kind == "b" else [len(block)]) + block
                continue
            v = int(w, 0)
            if kind == "u":
                out += uleb(v)
            elif kind == "s":
                out += sleb(v)
            else:
                n = {"a": address, "r": ref}.get(kind) or int(kind)
                out += list((v & (256 ** n - 1)).to_bytes(n, "little"))
    return bytes(out).hex()


def block(text, **kw):
    return asm(text, **kw) or "-"


# ---- cases ------------------------------------------------------------------

FILES = {}
current = None


def file(name):
    global current
    current = FILES.setdefault(name, ([], []))


def case(id, text, want, ctx=None, result=None, options=None, writes=None, read=None, both=None, ref=4):
    """Adds a case; both adds it in the old encoding too (the default if it has
    a heterogeneous operation with an encoding of both kinds)."""
    ctx = dict(ctx or {})
    names = [l.split()[0] for l in text.split(";") if l.split()]
    hetero = [n for n in names if n in HETERO_NAMES]
    if both is None:
        both = any(OPS[n][0] and OPS[n][1] for n in hetero) and not any(OPS[n][0] is None for n in hetero)
    forms = [False, True] if both else [any(OPS[n][0] is None for n in hetero) and not (options or {}).get("assign")]
    for old in forms:
        c = {"id": id + (" (old encoding)" if old and both else ""),
             "expression": asm(text, old, ctx.get("address_size", 8), ref)}
        if result is None:
            r = "value" if "value" in want else None
        else:
            r = result
        if r:
            c["result"] = r
        o = dict(options or {})
        if any(n in INTEL for n in names):
            o["intel"] = True
        if old:
            o["old_encoding"] = True
        if o:
            c["options"] = o
        if ctx:
            c["context"] = ctx
        if writes:
            c["writes"] = writes
        if read:
            c["read"] = read
        current[0].append(c)
        current[1].append(dict({"id": c["id"]}, **want))


def hx(v):
    return "0x%x" % v


def value(v, bits=64):
    return {"value": hx(v & (2 ** bits - 1)), "bits": bits}


def error(kind):
    return {"error": kind}


def at(loc, **more):
    return dict({"location": loc}, **more)


def mem(addr, aspace=0, lane=None, bit=0):
    d = {"kind": "memory", "aspace": aspace, "address": hx(addr)}
    if aspace == 5:
        d["lane"] = 5 if lane is None else lane
    if bit:
        d["bit_offset"] = bit
    return d


def reg(n, bit=0):
    d = {"kind": "register", "number": n}
    if bit:
        d["bit_offset"] = bit
    return d


def imp(v, bits=64, bit=0):
    d = {"kind": "implicit", "bits": bits, "value": hx(v & (2 ** bits - 1))}
    if bit:
        d["bit_offset"] = bit
    return d


UNDEF = {"kind": "undefined"}


def moved(loc, n):
    """The location n bits further on."""
    if loc["kind"] == "undefined" or n == 0:
        return loc
    n += loc.get("bit_offset", 0)
    out = {k: v for k, v in loc.items() if k != "bit_offset"}
    if loc["kind"] == "memory":
        out["address"] = hx(int(loc["address"], 16) + n // 8)
        n %= 8
    if n:
        out["bit_offset"] = n
    return out


def within(bits, loc):
    """Bits that lie in one part of a composite are those of the part."""
    start = 0
    for p in loc.get("parts", ()):
        at = loc.get("bit_offset", 0) - start
        if 0 <= at < p["bits"] and at + bits <= p["bits"]:
            return within(bits, moved(p["location"], at))
        start += p["bits"]
    return loc


def comp(*parts, bit=0):
    d = {"kind": "composite", "bits": sum(p[0] for p in parts),
         "parts": [{"bits": b, "location": within(b, l)} for b, l in parts]}
    if bit:
        d["bit_offset"] = bit
    return d


def le(v, n):
    return (v & (256 ** n - 1)).to_bytes(n, "little").hex()


# Registers: AMDGPU numbers. Lane i of VGPRn holds n<<28 | 0xab000 | i.
def vgpr(n, lanes=64):
    return "".join(le(n << 28 | 0xAB000 | i, 4) for i in range(lanes))


def lane_of(n, i):
    return n << 28 | 0xAB000 | i


S = lambda n: 32 + n if n < 64 else 1088 + n - 64
V = lambda n: 2560 + n
A = lambda n: 3072 + n
PC, EXEC = 16, 17


def regs(**kw):
    """regs(V0=…, S3=…, EXEC=…): None gives the usual contents."""
    out = {}
    for k, v in kw.items():
        if k == "EXEC":
            out["17"] = le(v, 8)
        elif k == "PC":
            out["16"] = le(v, 8)
        elif k[0] == "V":
            out[str(V(int(k[1:])))] = vgpr(int(k[1:])) if v is None else v
        elif k[0] == "A":
            out[str(A(int(k[1:])))] = v
        elif k[0] == "S":
            out[str(S(int(k[1:])))] = le(v, 4)
        else:
            out[k[1:]] = v  # R5="hex"
    return {"registers": out}


def memory(*entries):
    return {"memory": [{"aspace": a, "address": hx(x), "hex": h} for a, x, h in entries]}


def ctx(*dicts, **kw):
    out = {}
    for d in dicts:
        out.update(d)
    out.update(kw)
    return out


LANE = {"lane": 5, "wave_size": 64}
M64, M32 = 2 ** 64 - 1, 2 ** 32 - 1


def signed(v, bits):
    return v - (1 << bits) if v >> (bits - 1) & 1 else v


