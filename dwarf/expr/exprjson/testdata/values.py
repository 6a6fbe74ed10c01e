"""Cases of operations on values and on the stack."""
from cases import *

# ---- literals ---------------------------------------------------------------
file("literals")
for n in range(32):
    case("lit%d" % n, "lit%d" % n, value(n))
for name, arg, want in [
    ("const1u", 0xFF, 0xFF), ("const1u", 0, 0), ("const1s", 0x7F, 0x7F), ("const1s", 0x80, -128), ("const1s", 0xFF, -1),
    ("const2u", 0xFFFF, 0xFFFF), ("const2u", 0x1234, 0x1234), ("const2s", 0x8000, -32768), ("const2s", 0x7FFF, 32767),
    ("const4u", 0xFFFFFFFF, 0xFFFFFFFF), ("const4s", 0x80000000, -2 ** 31), ("const4s", 0x7FFFFFFF, 2 ** 31 - 1),
    ("const8u", M64, M64), ("const8u", 0x0123456789ABCDEF, 0x0123456789ABCDEF), ("const8s", 1 << 63, 1 << 63),
    ("const8s", M64, -1), ("constu", 0, 0), ("constu", 127, 127), ("constu", 128, 128), ("constu", M64, M64),
    ("consts", 0, 0), ("consts", 63, 63), ("consts", 64, 64), ("consts", -64, -64), ("consts", -65, -65), ("consts", -2 ** 63, -2 ** 63),
]:
    case("%s %s" % (name, hx(arg & M64) if arg >= 0 else arg), "%s %d" % (name, arg), value(want))
A4 = {"address_size": 4}
case("a literal is cut to the generic type", "const8u 0x123456789", value(0x23456789, 32), A4)
case("a signed literal in 32 bits", "const1s 0xff", value(M32, 32), A4)
case("a LEB128 literal is cut", "constu 0x1ffffffff", value(M32, 32), A4)
case("padded ULEB128", "bytes 10 85 80 00", value(5))
case("padded SLEB128", "bytes 11 fb ff 7f", value(-5))
case("ULEB128 of more than 64 bits", "bytes 10 ff ff ff ff ff ff ff ff ff 7f", error("ill-formed"), result="value")
case("constx", "constx 1", value(0x77), {"addresses": ["0x66", "0x77"]})
case("constx past the table", "constx 2", error("missing-context"), {"addresses": ["0x66", "0x77"]}, result="value")
case("constx without a table", "constx 0", error("missing-context"), result="value")
case("GNU_const_index", "GNU_const_index 0", value(0x66), {"addresses": ["0x66"]})
case("addrx", "addrx 1", at(mem(0x77)), {"addresses": ["0x66", "0x77"]})
case("GNU_addr_index", "GNU_addr_index 0", at(mem(0x66)), {"addresses": ["0x66"]})
case("addrx is an address", "addrx 0", value(0x66), {"addresses": ["0x66"]})
case("push_lane", "push_lane", value(5), LANE)
case("push_lane of lane 0", "push_lane", value(0), {"lane": 0})
case("push_lane of the last lane", "push_lane", value(63), {"lane": 63})
case("push_lane past the wave", "push_lane", error("ill-formed"), {"lane": 64}, result="value")
case("push_lane past a wave of 32", "push_lane", error("ill-formed"), {"lane": 32, "wave_size": 32}, result="value")
case("push_lane without a lane", "push_lane", error("missing-context"), result="value")
ITER = {"assign": {"DW_OP_LLVM_push_iteration": "0x110"}}
case("push_iteration", "bytes e910", value(3), {"iteration": 3}, options=ITER)
case("push_iteration without one", "bytes e910", error("missing-context"), options=ITER, result="value")
case("nop", "lit3; nop", value(3))
case("LLVM_nop", "lit3; LLVM_nop", value(3))
case("GNU_uninit", "lit3; GNU_uninit", value(3))

# ---- arithmetic on the generic type ----------------------------------------
file("arithmetic")
INTERESTING = [(7, 3), (M64, 1), (1 << 63, 1), (5, M64), (0x0123456789ABCDEF, 0xF0F0F0F0F0F0F0F0)]


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


DEFS = {
    "plus": lambda a, b, n: a + b, "minus": lambda a, b, n: a - b, "mul": lambda a, b, n: a * b,
    "and": lambda a, b, n: a & b, "or": lambda a, b, n: a | b, "xor": lambda a, b, n: a ^ b,
    "div": lambda a, b, n: trunc_div(signed(a, n), signed(b, n)),  # addresses divide as signed
    "mod": lambda a, b, n: a % b,
}
for op, f in DEFS.items():
    for a, b in INTERESTING:
        case("%s %#x %#x" % (op, a, b), "const8u %d; const8u %d; %s" % (a, b, op), value(f(a, b, 64)))
    case("%s in 32 bits" % op, "const4u 0xfffffff0; const4u 0x11; %s" % op, value(f(0xFFFFFFF0, 0x11, 32), 32), A4)
for op, f in {"shl": lambda a, n: a << n, "shr": lambda a, n: a >> n, "shra": lambda a, n: signed(a, 64) >> n}.items():
    for a, n in [(1, 0), (1, 63), (0x8000000000000001, 1), (0x8000000000000001, 63), (M64, 64), (5, 200), (1 << 63, M64)]:
        shift = min(n, 64)
        case("%s %#x by %d" % (op, a, n), "const8u %d; const8u %d; %s" % (a, n, op), value(f(a, shift)))
case("shra in 32 bits", "const4u 0x80000000; lit4; shra", value(0xF8000000, 32), A4)
case("shl in 32 bits", "const4u 0x80000001; lit1; shl", value(2, 32), A4)
case("the most negative by -1", "const8u 0x8000000000000000; const1s 0xff; div", value(1 << 63))
for op in ("div", "mod"):
    case("%s by zero" % op, "lit1; lit0; %s" % op, error("ill-formed"), result="value")
for v in (0, 5, M64, 1 << 63, (1 << 63) - 1):
    case("neg %#x" % v, "const8u %d; neg" % v, value(-v))
    case("not %#x" % v, "const8u %d; not" % v, value(~v))
    case("abs %#x" % v, "const8u %d; abs" % v, value(abs(signed(v, 64))))
case("abs in 32 bits", "const4u 0xfffffffb; abs", value(5, 32), A4)
case("plus_uconst", "lit5; plus_uconst 300", value(305))
case("plus_uconst wraps", "const1s 0xff; plus_uconst 2", value(1))
case("plus_uconst on a memory location", "addr 0x1000; plus_uconst 16", value(0x1010))
case("plus_uconst on a memory location is one again", "addr 0x1000; plus_uconst 16", at(mem(0x1010)))
CMP = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
       "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
for op, f in CMP.items():
    for a, b in [(3, 7), (7, 3), (5, 5), (-1, 0)]:  # the generic type compares as signed
        case("%s %d %d" % (op, a, b), "consts %d; consts %d; %s" % (a, b, op), value(int(f(a, b))))
case("the operand order of minus", "lit10; lit3; minus", value(7))
case("an address minus an address", "addr 0x2000; addr 0x1ff0; minus", value(16))

# ---- typed values -----------------------------------------------------------
file("types")
TYPES = {"base_types": {
    "0x20": {"encoding": "unsigned", "bits": 32}, "0x24": {"encoding": "signed", "bits": 32},
    "0x28": {"encoding": "float", "bits": 32}, "0x2c": {"encoding": "float", "bits": 64},
    "0x30": {"encoding": "unsigned", "bits": 64}, "0x34": {"encoding": "signed", "bits": 64},
    "0x38": {"encoding": "unsigned_char", "bits": 8}, "0x3c": {"encoding": "signed_char", "bits": 8},
    "0x40": {"encoding": "unsigned", "bits": 128}, "0x44": {"encoding": "unsigned", "bits": 16},
    "0x48": {"encoding": "boolean", "bits": 8}, "0x4c": {"encoding": "float", "bits": 16},
    "0x50": {"encoding": "signed", "bits": 128}, "0x54": {"encoding": "unsigned", "bits": 12},
    "0x58": {"encoding": "complex_float", "bits": 64}, "0x5c": {"encoding": "unsigned", "bits": 2048},
}}
U32, S32, F32, F64, U64, S64, U8, S8, U128, U16, BOOL, F16, S128, U12, CPLX, VEC = range(0x20, 0x60, 4)
f32 = lambda x: struct.unpack("<I", struct.pack("<f", x))[0]
f64 = lambda x: struct.unpack("<Q", struct.pack("<d", x))[0]
f16 = lambda x: struct.unpack("<H", struct.pack("<e", x))[0]


def const(t, v, size):
    return "const_type %d %s" % (t, le(v, size))


def typed(id, text, want, **kw):
    case(id, text, want, TYPES, **kw)


typed("const_type u32", const(U32, 0xFFFFFFFE, 4), value(0xFFFFFFFE, 32))
typed("const_type u12 in two bytes", const(U12, 0xFABC, 2), value(0xABC, 12))
typed("const_type u128", const(U128, 0x0123456789ABCDEF << 64 | 7, 16), value(0x0123456789ABCDEF << 64 | 7, 128))
typed("const_type of the wrong size", const(U32, 1, 2), error("ill-formed"), result="value")
typed("const_type of no base type", "const_type 0x99 01", error("ill-formed"), result="value")
case("const_type without a unit", const(U32, 1, 4), error("missing-context"), result="value")
typed("GNU_const_type", "GNU_const_type 0x20 07000000", value(7, 32))
typed("u32 plus wraps", const(U32, M32, 4) + ";" + const(U32, 2, 4) + "; plus", value(1, 32))
typed("s32 div", const(S32, -7, 4) + ";" + const(S32, 2, 4) + "; div", value(-3, 32))
typed("u32 div", const(U32, -7, 4) + ";" + const(U32, 2, 4) + "; div", value((2 ** 32 - 7) // 2, 32))
typed("s32 mod", const(S32, -7, 4) + ";" + const(S32, 2, 4) + "; mod", value(-1, 32))
typed("s32 shr is logical", const(S32, -8, 4) + ";" + const(S32, 1, 4) + "; shr", value(0x7FFFFFFC, 32))
typed("u32 shra is arithmetic", const(U32, -8, 4) + ";" + const(U32, 1, 4) + "; shra", value(-4, 32))
typed("u32 shl past the size", const(U32, 1, 4) + ";" + const(U32, 32, 4) + "; shl", value(0, 32))
typed("s8 neg", const(S8, -128, 1) + "; neg", value(0x80, 8))
typed("s8 abs", const(S8, -5, 1) + "; abs", value(5, 8))
typed("u8 abs", const(U8, 0xFB, 1) + "; abs", value(0xFB, 8))
typed("u8 not", const(U8, 0x0F, 1) + "; not", value(0xF0, 8))
typed("f32 plus", const(F32, f32(1.5), 4) + ";" + const(F32, f32(2.25), 4) + "; plus", value(f32(3.75), 32))
typed("f64 minus", const(F64, f64(1.5), 8) + ";" + const(F64, f64(2.25), 8) + "; minus", value(f64(-0.75), 64))
typed("f64 mul", const(F64, f64(-1.5), 8) + ";" + const(F64, f64(4), 8) + "; mul", value(f64(-6.0), 64))
typed("f64 div", const(F64, f64(1), 8) + ";" + const(F64, f64(8), 8) + "; div", value(f64(0.125), 64))
typed("f16 plus", const(F16, f16(1.5), 2) + ";" + const(F16, f16(0.25), 2) + "; plus", value(f16(1.75), 16))
typed("f32 neg", const(F32, f32(1.5), 4) + "; neg", value(f32(-1.5), 32))
typed("f32 abs", const(F32, f32(-1.5), 4) + "; abs", value(f32(1.5), 32))
for op in ("and", "or", "xor", "shl", "shr", "shra", "mod"):
    typed("f32 %s" % op, const(F32, f32(1), 4) + ";" + const(F32, f32(1), 4) + "; " + op, error("ill-formed"), result="value")
typed("f32 not", const(F32, f32(1), 4) + "; not", error("ill-formed"), result="value")
for op in ("plus", "minus", "mul", "div", "mod", "and", "or", "xor", "eq", "lt"):
    typed("%s of two types" % op, const(U32, 1, 4) + ";" + const(S32, 1, 4) + "; " + op, error("ill-formed"), result="value")
typed("plus of u32 and generic", const(U32, 1, 4) + "; lit1; plus", error("ill-formed"), result="value")
typed("u128 plus carries", const(U128, 2 ** 64 - 1, 16) + ";" + const(U128, 1, 16) + "; plus", value(2 ** 64, 128))
typed("u128 mul", const(U128, 3 << 64, 16) + ";" + const(U128, 5, 16) + "; mul", value(15 << 64, 128))
typed("s128 div", const(S128, -(10 ** 30), 16) + ";" + const(S128, 7, 16) + "; div", value(-(10 ** 30 // 7), 128))
typed("s128 shra", const(S128, -(1 << 100), 16) + ";" + const(S128, 90, 16) + "; shra", value(-(1 << 10), 128))
typed("u128 shl", const(U128, 1, 16) + ";" + const(U128, 127, 16) + "; shl", value(1 << 127, 128))
NAN = 0x7FF8 << 48
W1, W2 = 0xF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF, 0x0102030405060708090A0B0C0D0E0F10
for op in ("plus", "minus", "mul", "and", "or", "xor", "mod"):
    typed("u128 %s" % op + " of all bits", const(U128, W1, 16) + ";" + const(U128, W2, 16) + "; " + op, value(DEFS[op](W1, W2, 128), 128))
typed("u128 div", const(U128, W1, 16) + ";" + const(U128, W2, 16) + "; div", value(W1 // W2, 128))
typed("s128 mod", const(S128, -(10 ** 30), 16) + ";" + const(S128, 7, 16) + "; mod", value(-(10 ** 30 % 7), 128))
typed("u128 shr", const(U128, W1, 16) + ";" + const(U128, 100, 16) + "; shr", value(W1 >> 100, 128))
typed("u128 shr past the size", const(U128, W1, 16) + ";" + const(U128, 1 << 90, 16) + "; shr", value(0, 128))
typed("u128 by zero", const(U128, W1, 16) + ";" + const(U128, 0, 16) + "; div", error("ill-formed"), result="value")
typed("u128 mod zero", const(U128, W1, 16) + ";" + const(U128, 0, 16) + "; mod", error("ill-formed"), result="value")
typed("s32 by -1", const(S32, -2 ** 31, 4) + ";" + const(S32, -1, 4) + "; div", value(-2 ** 31, 32))
typed("s32 mod -1", const(S32, -2 ** 31, 4) + ";" + const(S32, -1, 4) + "; mod", value(0, 32))
typed("u128 neg", const(U128, 5, 16) + "; neg", value(-5, 128))
typed("u128 not", const(U128, W1, 16) + "; not", value(~W1, 128))
typed("s128 abs", const(S128, -W2, 16) + "; abs", value(W2, 128))
typed("u128 abs", const(U128, W1, 16) + "; abs", value(W1, 128))
typed("complex neg", const(CPLX, 1, 8) + "; neg", error("ill-formed"), result="value")
typed("complex not", const(CPLX, 1, 8) + "; not", error("ill-formed"), result="value")
typed("complex abs", const(CPLX, 1, 8) + "; abs", error("ill-formed"), result="value")
typed("complex plus", const(CPLX, 1, 8) + ";" + const(CPLX, 1, 8) + "; plus", error("ill-formed"), result="value")
typed("complex eq", const(CPLX, 1, 8) + ";" + const(CPLX, 1, 8) + "; eq", error("ill-formed"), result="value")
typed("convert NaN to u32", const(F64, NAN, 8) + "; convert %d" % U32, value(0, 32))
typed("convert f64 to u128", const(F64, f64(2.0 ** 100), 8) + "; convert %d" % U128, value(2 ** 100, 128))
typed("convert s128 to f64", const(S128, -(2 ** 100), 16) + "; convert %d" % F64, value(f64(-2.0 ** 100), 64))
typed("convert a denormal f16", const(F16, 1, 2) + "; convert %d" % F64, value(f64(2.0 ** -24), 64))
typed("convert to a denormal f16", const(F64, f64(3 * 2.0 ** -24), 8) + "; convert %d" % F16, value(3, 16))
typed("convert to an f16 that is too large", const(F64, f64(1e9), 8) + "; convert %d" % F16, value(0x7C00, 16))
typed("convert an infinite f16", const(F16, 0xFC00, 2) + "; convert %d" % F32, value(f32(float("-inf")), 32))
typed("convert the largest f16", const(F64, f64(65504.0), 8) + "; convert %d" % F16, value(f16(65504.0), 16))
typed("convert to f16 rounds to even", const(F64, f64(2049.0), 8) + "; convert %d" % F16, value(f16(2048.0), 16))
typed("a wide displacement", "addr 0x100; " + const(S128, -1, 16) + "; offset", at(mem(0xFF)))
typed("a displacement of more than 64 bits", "addr 0x100; " + const(S128, 1 << 70, 16) + "; offset", error("out-of-range"))
typed("a u64 displacement past everything", "addr 0x100; " + const(U64, -1, 8) + "; offset", error("out-of-range"))
typed("s128 lt", const(S128, -1, 16) + ";" + const(S128, 0, 16) + "; lt", value(1))
typed("u128 lt", const(U128, -1, 16) + ";" + const(U128, 0, 16) + "; lt", value(0))
typed("u32 lt is unsigned", const(U32, -1, 4) + ";" + const(U32, 0, 4) + "; lt", value(0))
typed("s32 lt is signed", const(S32, -1, 4) + ";" + const(S32, 0, 4) + "; lt", value(1))
typed("f64 ge", const(F64, f64(2), 8) + ";" + const(F64, f64(-3), 8) + "; ge", value(1))
typed("f64 eq of zeros", const(F64, f64(0.0), 8) + ";" + const(F64, f64(-0.0), 8) + "; eq", value(1))
for op, want in [("eq", 0), ("ne", 1), ("lt", 0), ("ge", 0)]:
    typed("NaN %s NaN" % op, const(F64, NAN, 8) + ";" + const(F64, NAN, 8) + "; " + op, value(want))
typed("plus_uconst on s8", const(S8, -2, 1) + "; plus_uconst 3", value(1, 8))
typed("plus_uconst on f32", const(F32, f32(1), 4) + "; plus_uconst 3", error("ill-formed"), result="value")
typed("convert generic to u8", "const2u 0x1234; convert %d" % U8, value(0x34, 8))
typed("convert s8 to s32 extends the sign", const(S8, -5, 1) + "; convert %d" % S32, value(-5, 32))
typed("convert u8 to s32 extends zeros", const(U8, 0xFB, 1) + "; convert %d" % S32, value(0xFB, 32))
typed("convert s8 to generic", const(S8, -5, 1) + "; convert 0", value(-5))
typed("convert u8 to u128", const(U8, 0xFB, 1) + "; convert %d" % U128, value(0xFB, 128))
typed("convert s8 to u128", const(S8, -5, 1) + "; convert %d" % U128, value(-5, 128))
typed("convert u128 to u32", const(U128, 5 << 64 | 9, 16) + "; convert %d" % U32, value(9, 32))
typed("convert s32 to f64", const(S32, -7, 4) + "; convert %d" % F64, value(f64(-7.0), 64))
typed("convert u32 to f32", const(U32, 0x80000000, 4) + "; convert %d" % F32, value(f32(2.0 ** 31), 32))
typed("convert f64 to s32 cuts the fraction", const(F64, f64(-7.75), 8) + "; convert %d" % S32, value(-7, 32))
typed("convert f32 to f64", const(F32, f32(0.5), 4) + "; convert %d" % F64, value(f64(0.5), 64))
typed("convert f64 to f32", const(F64, f64(0.1), 8) + "; convert %d" % F32, value(f32(0.1), 32))
typed("convert f64 to f16", const(F64, f64(1.0 / 3), 8) + "; convert %d" % F16, value(f16(1.0 / 3), 16))
typed("convert to no base type", "lit1; convert 0x99", error("ill-formed"), result="value")
typed("convert to a complex type", "lit1; convert %d" % CPLX, error("ill-formed"), result="value")
typed("GNU_convert", "lit7; GNU_convert %d" % U16, value(7, 16))
typed("reinterpret f32 as u32", const(F32, f32(1.5), 4) + "; reinterpret %d" % U32, value(f32(1.5), 32))
typed("reinterpret generic as f64", "const8u 0x3ff0000000000000; reinterpret %d" % F64, value(f64(1.0), 64))
typed("reinterpret u64 as generic", const(U64, 77, 8) + "; reinterpret 0; lit1; plus", value(78))
typed("reinterpret of another size", "lit1; reinterpret %d" % U32, error("ill-formed"), result="value")
typed("GNU_reinterpret", const(U64, 9, 8) + "; GNU_reinterpret 0", value(9))
T = lambda *d, **kw: ctx(TYPES, *d, **kw)
case("regval_type", "regval_type %d %d" % (S(3), U32), value(0xDEADBEEF, 32), T(regs(S3=0xDEADBEEF)))
case("regval_type of a part", "regval_type %d %d" % (S(3), S8), value(0xEF, 8), T(regs(S3=0xDEADBEEF)))
case("regval_type larger than the register", "regval_type %d %d" % (S(3), U64), error("out-of-range"), T(regs(S3=1)), result="value")
case("regval_type of a whole VGPR", "regval_type %d %d" % (V(1), VEC), value(int.from_bytes(bytes.fromhex(vgpr(1)), "little"), 2048), T(regs(V1=None)))
case("regval_type without the register", "regval_type %d %d" % (S(3), U32), error("no-register"), TYPES, result="value")
case("GNU_regval_type", "GNU_regval_type %d %d" % (S(3), U32), value(5, 32), T(regs(S3=5)))
case("deref_type", "addr 0x100; deref_type 4 %d" % S32, value(0x44332211, 32), T(memory((0, 0x100, "1122334455"))))
case("deref_type of 12 bits", "addr 0x100; deref_type 2 %d" % U12, value(0x211, 12), T(memory((0, 0x100, "1122"))))
case("deref_type of another size", "addr 0x100; deref_type 8 %d" % S32, error("ill-formed"), T(memory((0, 0x100, "1122334455"))), result="value")
case("GNU_deref_type", "addr 0x100; GNU_deref_type 1 %d" % U8, value(0x11, 8), T(memory((0, 0x100, "11"))))
case("xderef_type", "lit3; lit16; xderef_type 2 %d" % U16, value(0x2211, 16), T(memory((3, 16, "1122"))))
typed("stack_value keeps the type's size", const(U16, 0x1234, 2) + "; stack_value", at(imp(0x1234, 16)))
typed("a typed value is no location", const(U64, 0x1000, 8), error("ill-formed"), result="location")
typed("a typed value cannot be dereferenced", const(U64, 0x1000, 8) + "; deref", error("ill-formed"), result="value")
typed("a float cannot decide a branch", const(F32, 0, 4) + "; bra 0", error("ill-formed"), result="value")
typed("a wide value decides a branch", "lit9;" + const(U128, 1 << 100, 16) + "; bra 1; lit4; nop", value(9))
typed("a float is no address", "lit0; " + const(F64, 0, 8) + "; swap; form_aspace_address", error("ill-formed"))
typed("a typed address in a space", const(U16, 0x1234, 2) + "; lit3; form_aspace_address", at(mem(0x1234, 3)))
typed("a float is no displacement", "addr 0x100; " + const(F64, 0, 8) + "; offset", error("ill-formed"))
typed("an s8 displacement", "addr 0x100; " + const(S8, -1, 1) + "; offset", at(mem(0xFF)))
typed("a u8 displacement", "addr 0x100; " + const(U8, 0xFF, 1) + "; offset", at(mem(0x1FF)))

# ---- stack and control flow -------------------------------------------------
file("stack")
case("dup", "lit3; dup; plus", value(6))
case("drop", "lit3; lit4; drop", value(3))
case("over", "lit3; lit4; over; minus", value(1))
case("over leaves two below", "lit3; lit4; over; drop; minus", value(-1))
for i, want in [(0, 4), (1, 3), (2, 2), (3, 1)]:
    case("pick %d" % i, "lit1; lit2; lit3; lit4; pick %d" % i, value(want))
case("swap", "lit3; lit4; swap; minus", value(1))
case("rot: the top becomes the third", "lit1; lit2; lit3; rot", value(2))
case("rot: the second of it", "lit1; lit2; lit3; rot; drop", value(1))
case("rot: the third of it", "lit1; lit2; lit3; rot; drop; drop", value(3))
case("stack operations on locations", "regx 32; lit1; swap", at(reg(32)))
case("dup of a location", "regx 32; dup; drop", at(reg(32)))
case("pick of a location", "regx 32; lit1; lit2; pick 2", at(reg(32)))
case("the rest of the stack is dropped", "lit1; lit2; regx 40", at(reg(40)))
case("skip", "lit1; skip 1; lit2; nop", value(1))
case("skip to the end", "lit1; skip 1; lit2", value(1))
case("skip backwards", "lit5; skip 4; lit9; skip 3; skip -7; nop", value(9))
case("bra taken", "lit7; lit1; bra 1; lit2", value(7))
case("bra not taken", "lit7; lit0; bra 1; lit2", value(2))
# 5! by a loop: n, product; body at 2.
case("a loop", "lit1; lit5; dup; rot; mul; swap; lit1; minus; dup; bra -10; drop", value(120))
case("bra out of the expression", "lit1; bra 1", error("ill-formed"), result="value")
case("skip before the expression", "skip -4", error("ill-formed"), result="value")
case("skip into an operand", "lit1; skip 1; const1u 0x31", error("ill-formed"), result="value")
case("skip to an operation that follows operands", "lit1; skip 2; const1u 0x31; lit4", value(4))
case("an endless loop ends", "skip -3", error("ill-formed"), result="value")
case("an endless push ends", "lit1; skip -4", error("ill-formed"), result="value")
case("bra on a location", "lit4; addr 0x10; bra 0", value(4))
case("bra on a register location", "regx 32; bra 0", error("ill-formed"), regs(S0=0), result="value")
for op, need in [("dup", 1), ("drop", 1), ("over", 2), ("pick 2", 3), ("swap", 2), ("rot", 3), ("plus", 2), ("neg", 1), ("eq", 2),
                 ("plus_uconst 1", 1), ("deref", 1), ("deref_size 1", 1), ("xderef", 2), ("xderef_size 1", 2), ("bra 0", 1),
                 ("stack_value", 1), ("form_tls_address", 1), ("convert 0", 1), ("form_aspace_address", 2), ("offset", 2),
                 ("offset_uconst 1", 1), ("bit_offset", 2), ("aspace_bregx 32 0", 1), ("extend 8 8", 1),
                 ("select_bit_piece 8 8", 3), ("overlay", 4), ("bit_overlay", 4)]:
    fill = "; ".join(["lit0"] * (need - 1))
    case("%s with too few entries" % op.split()[0], (fill + "; " if fill else "") + op, error("stack-underflow"),
         ctx(regs(S0=0), LANE))
    if need > 1:
        case("%s on an empty stack" % op.split()[0], op, error("stack-underflow"), ctx(regs(S0=0), LANE))
case("no value", "", error("ill-formed"), result="value")
case("no location", "", at(UNDEF))
case("only nops", "nop; nop", at(UNDEF))
for text in ("bytes 08", "bytes 0a01", "bytes 0c010203", "bytes 0e01020304050607", "bytes 10", "bytes 1080", "bytes 1180", "bytes 15",
             "bytes 2800", "bytes 03 01020304050607", "bytes 90", "bytes 92 20", "bytes 9e", "bytes 9e 02 01", "bytes a3 05 30", "bytes a0 010203",
             "bytes a4 20 04 010203", "bytes e9", "bytes e905", "bytes e909 20", "bytes e90b 08"):
    case("cut off: " + text[6:], text, error("ill-formed"))
for code in ["00", "01", "02", "04", "05", "07", "aa", "df", "e1", "e2", "e8", "ea", "ec", "ed", "ee", "ef", "f1", "f8", "fe", "ff", "e900", "e90d", "e97f", "e9ffff7f"]:
    case("unknown %s" % code, "bytes " + code, error("unknown-op"))
case("unknown in the old encoding", "bytes ef", error("unknown-op"), options={"old_encoding": True})
case("0xe9 is DW_OP_LLVM_user in the old encoding too", "bytes e903", value(5), LANE, options={"old_encoding": True})
case("what is not reached need not be known", "lit1; skip 1; bytes 00", value(1))

