"""Cases of operations on locations, and of reading and writing through them."""
from cases import *
from values import A4, TYPES

# ---- memory locations and address spaces -----------------------------------
file("memory")
case("addr", "addr 0x123456789abcdef0", at(mem(0x123456789ABCDEF0)))
case("addr in 32 bits", "addr 0x9abcdef0", at(mem(0x9ABCDEF0)), A4)
case("a generic value is an address", "const2u 0x1234", at(mem(0x1234)))
case("an address is a generic value", "addr 0x1234", value(0x1234))
case("an address at a bit is no value", "addr 0x1234; lit1; bit_offset", error("ill-formed"), result="value")
case("a register is no value", "regx 40", error("ill-formed"), regs(S8=1), result="value")
case("another space's address is no value", "lit4; lit3; form_aspace_address", error("ill-formed"), result="value")
case("an implicit location is no value", "lit4; stack_value", error("ill-formed"), result="value")
case("the undefined location is no value", "undefined", error("ill-formed"), result="value")
for n in range(32):
    R = {"registers": {str(n): le(0x1000 + n, 8)}}
    case("breg%d" % n, "breg%d -16" % n, at(mem(0x1000 + n - 16)), R)
    case("reg%d" % n, "reg%d" % n, at(reg(n)))
case("bregx of a 64-bit register", "bregx 16 4", at(mem(0x123456789E)), regs(PC=0x123456789A))
case("bregx of a 32-bit register extends zeros", "bregx %d 4" % S(3), at(mem(0xFFFFFFF4)), regs(S3=0xFFFFFFF0))
case("bregx past 32 bits of a 32-bit register", "bregx %d 32" % S(3), at(mem(0x100000010)), regs(S3=0xFFFFFFF0))
case("bregx wraps", "bregx 16 16", at(mem(8)), regs(PC=M64 - 7))
case("bregx reads the low bits of a wide register", "bregx %d 0" % V(1), at(mem(lane_of(1, 1) << 32 | lane_of(1, 0))), regs(V1=None))
case("bregx in 32-bit addresses", "bregx 16 1", at(mem(0x5678 << 16 | 0x9ABE)), ctx(regs(PC=0x123456789ABD), A4))
case("breg without the register", "breg3 0", error("no-register"))
case("bregx without the register", "bregx 33 0", error("no-register"), regs(S3=0))
for aspace, bits in [(0, 64), (1, 64), (2, 32), (3, 32), (5, 32), (6, 32)]:
    case("form_aspace_address in space %d" % aspace, "const8u 0x123456789a; lit%d; form_aspace_address" % aspace,
         at(mem(0x123456789A & (2 ** bits - 1), aspace)), LANE)
for aspace in (4, 7, 30):
    case("form_aspace_address in no space %d" % aspace, "lit1; lit%d; form_aspace_address" % aspace, error("ill-formed"), LANE)
case("form_aspace_address in space -1", "lit1; const1s -1; form_aspace_address", error("ill-formed"), LANE)
case("a per-lane address without a lane", "lit1; lit5; form_aspace_address", error("missing-context"))
case("an address that needs no lane", "lit1; lit6; form_aspace_address", at(mem(1, 6)))
case("form_aspace_address of an address", "addr 0x40; lit3; form_aspace_address", at(mem(0x40, 3)))
case("form_aspace_address of a register", "regx 40; lit3; form_aspace_address", error("ill-formed"), regs(S8=0))
case("aspace_bregx", "lit5; aspace_bregx %d -8" % S(32), at(mem(0x1F8, 5)), ctx(regs(S32=0x200), LANE))
case("aspace_bregx wraps in 32 bits", "lit6; aspace_bregx %d 32" % S(3), at(mem(0x10, 6)), regs(S3=0xFFFFFFF0))
case("aspace_bregx in the default space", "lit0; aspace_bregx %d 32" % S(3), at(mem(0x100000010)), regs(S3=0xFFFFFFF0))
case("aspace_bregx of a 64-bit register is cut", "lit3; aspace_bregx 16 1", at(mem(0x9ABCDEF1, 3)), regs(PC=0x123456789ABCDEF0))
case("aspace_bregx in no space", "lit9; aspace_bregx 32 0", error("ill-formed"), regs(S0=0))
case("aspace_bregx without the register", "lit6; aspace_bregx 33 0", error("no-register"), regs(S0=0))
case("offset", "addr 0x1000; lit16; offset", at(mem(0x1010)))
case("a negative offset", "addr 0x1000; const1s -16; offset", at(mem(0xFF0)))
case("offset below the space", "addr 0x8; const1s -16; offset", error("out-of-range"))
case("offset to the last byte", "addr 0xfffffffffffffff0; lit15; offset", at(mem(M64)))
case("offset past the space", "addr 0xfffffffffffffff0; lit16; offset", error("out-of-range"))
case("offset past a 32-bit space", "const4u 0xfffffff0; lit3; form_aspace_address; lit16; offset", error("out-of-range"))
case("offset in a 32-bit space", "const4u 0xfffffff0; lit3; form_aspace_address; lit15; offset", at(mem(M32, 3)))
case("offset_uconst", "addr 0x1000; offset_uconst 300", at(mem(0x1000 + 300)))
case("offset_uconst past the space", "const4u 0xfffffff0; lit6; form_aspace_address; offset_uconst 16", error("out-of-range"))
case("bit_offset", "addr 0x1000; lit19; bit_offset", at(mem(0x1002, bit=3)))
case("bit_offset by whole bytes", "addr 0x1000; lit16; bit_offset", at(mem(0x1002)))
case("bit_offset backwards", "addr 0x1000; const1s -3; bit_offset", at(mem(0xFFF, bit=5)))
case("bit_offset and back", "addr 0x1000; lit13; bit_offset; const1s -13; bit_offset", at(mem(0x1000)))
case("bit_offset then offset", "addr 0x1000; lit3; bit_offset; lit2; offset", at(mem(0x1002, bit=3)))
case("bit_offset below the space", "addr 0; const1s -1; bit_offset", error("out-of-range"))
case("bit_offset past the space", "addr 0xffffffffffffffff; lit8; bit_offset", error("out-of-range"))
case("bit_offset in the last byte", "addr 0xffffffffffffffff; lit7; bit_offset", at(mem(M64, bit=7)))
case("offset keeps the lane", "lit8; lit5; form_aspace_address; lit4; offset", at(mem(12, 5)), LANE)
DATA = memory((0, 0x100, "8877665544332211ff"), (3, 0x100, "0102030405060708"), (6, 0x100, "".join(le(0xA0 + i, 4) for i in range(192))))
case("deref", "addr 0x100; deref", value(0x1122334455667788), DATA)
case("deref in 32 bits", "addr 0x100; deref", value(0x55667788, 32), ctx(DATA, A4))
case("deref at a bit", "addr 0x100; lit4; bit_offset; deref", value(0xF112233445566778), DATA)
for n in range(1, 9):
    case("deref_size %d" % n, "addr 0x100; deref_size %d" % n, value(0x1122334455667788 & (256 ** n - 1)), DATA)
case("deref_size of more than generic", "addr 0x100; deref_size 9", value(0x1122334455667788), DATA)
case("deref of a value", "const2u 0x100; deref", value(0x1122334455667788), DATA)
case("deref past the described memory", "addr 0x104; deref", error("memory-unavailable"), DATA, result="value")
case("deref of nothing described", "addr 0x900; deref", error("memory-unavailable"), DATA, result="value")
case("deref in another space", "const2u 0x100; lit3; form_aspace_address; deref_size 2", value(0x0201), DATA)
case("deref past a space", "const8u 0xfffffffffffffffc; deref", error("out-of-range"), DATA, result="value")
case("flat memory leads to global", "const2u 0x100; lit1; form_aspace_address; deref_size 1", value(0x88), DATA)
case("xderef", "lit3; const2u 0x100; xderef", value(0x0807060504030201), DATA)
case("xderef_size", "lit3; const2u 0x102; xderef_size 2", value(0x0403), DATA)
case("xderef in no space", "lit9; lit1; xderef", error("ill-formed"), DATA, result="value")
case("xderef is an address by option", "addr 0x100; lit3; swap; xderef", at(mem(0x100, 3)), DATA, options={"xderef_is_address": True})
case("xderef loads without the option", "addr 0x100; lit3; swap; xderef", at(mem(0x0807060504030201)), DATA)
case("a private local as stock clang writes it", "fbreg 4; lit5; swap; xderef", at(mem(0x44, 5)),
     ctx(LANE, regs(S33=0x40), frame_base=asm("regx %d" % S(33))), options={"xderef_is_address": True})
# private_lane address a of lane L is private_wave (a/4)*64*4 + L*4 + a%4.
for a in (0, 1, 3, 4, 6, 11):
    w = a // 4 * 256 + 5 * 4 + a % 4
    case("private_lane 0x%x" % a, "const1u %d; lit5; form_aspace_address; deref_size 1" % a, value(w & 0xFF),
         ctx(LANE, memory((6, 0, "".join("%02x" % (i & 0xFF) for i in range(1024))))))
case("four bytes of private_lane", "lit4; lit5; form_aspace_address; deref_size 4", value(0xA0 + 64 + 5 - 0x40),
     ctx(LANE, memory((6, 0, "".join(le(0xA0 - 0x40 + i, 4) for i in range(192))))))
case("private_lane across dwords", "lit2; lit5; form_aspace_address; deref_size 4", value(0x7766BBAA),
     ctx(LANE, memory((6, 20, "9988aabb"), (6, 276, "66778899"))))
case("private_lane in a wave of 32", "lit4; lit5; form_aspace_address; deref_size 1", value(0x5A),
     ctx({"lane": 7, "wave_size": 32}, memory((6, 128 + 28, "5a"))))
case("private_lane where the wave has none", "lit4; lit5; form_aspace_address; deref_size 1", error("memory-unavailable"),
     ctx(LANE, memory((6, 0, "00"))), result="value")
case("form_tls_address", "const1u 0x20; form_tls_address", at(mem(0x7020)), {"tls_base": asm("addr 0x7000")})
case("GNU_push_tls_address", "const1u 0x20; GNU_push_tls_address", at(mem(0x7020)), {"tls_base": asm("addr 0x7000")})
case("form_tls_address without storage", "lit0; form_tls_address", error("missing-context"))
case("push_object_address", "push_object_address; offset_uconst 8", at(mem(0x48, 3)), {"object": asm("const1u 0x40; lit3; form_aspace_address")})
case("push_object_address of a register", "push_object_address", at(reg(40, 16)), ctx({"object": asm("regx 40; lit2; offset")}, regs(S8=0)))
case("push_object_address without an object", "push_object_address", error("missing-context"))
case("a memory write", "addr 0x101", at(mem(0x101), after={"memory": [{"aspace": 0, "address": "0x100", "hex": "8834125544332211"}]}),
     memory((0, 0x100, "8877665544332211")), writes=[{"bits": 16, "value": 0x1234}])
case("a write of bits", "addr 0x100; lit4; bit_offset",
     at(mem(0x100, bit=4), after={"memory": [{"aspace": 0, "address": "0x100", "hex": "587a"}]}),
     memory((0, 0x100, "8877")), writes=[{"bits": 8, "value": "0xa5"}])
case("a write to private memory", "lit5; lit5; form_aspace_address",
     at(mem(5, 5), elements=["0xcc"], after={"memory": [{"aspace": 6, "address": hx(256 + 20), "hex": "aaccbbdd"}]}),
     ctx(LANE, memory((6, 256 + 20, "aa00bbdd"))), writes=[{"bits": 8, "value": "0xcc"}], read={"element_bits": 8, "count": 1})
case("a write where there is no memory", "addr 0x200", error("memory-unavailable"), memory((0, 0x100, "88")), writes=[{"bits": 8, "value": 1}])
case("writes are done in order", "addr 0x100",
     at(mem(0x100), elements=["0x2"], after={"memory": [{"aspace": 0, "address": "0x100", "hex": "02"}]}),
     memory((0, 0x100, "ff")), writes=[{"bits": 8, "value": 1}, {"bits": 8, "value": 2}], read={"element_bits": 8, "count": 1})
case("elements of memory", "addr 0x100", at(mem(0x100), elements=["0x7788", "0x5566", "0x3344", "0x1122"]), DATA, read={"element_bits": 16, "count": 4})
case("elements of odd bits", "addr 0x100", at(mem(0x100), elements=[hx(0x1122334455667788 >> 5 * i & 31) for i in range(7)]), DATA,
     read={"element_bits": 5, "count": 7})
case("elements past the described memory", "addr 0x108", error("memory-unavailable"), DATA, read={"element_bits": 8, "count": 2})
case("memory in two pieces that touch", "addr 0x100; deref_size 4", value(0x04030201), memory((0, 0x102, "0304"), (0, 0x100, "0102")))

# ---- registers and implicit locations ---------------------------------------
file("registers")
case("regx", "regx %d" % V(2), at(reg(V(2))))
case("regx with an offset", "regx %d; lit20; offset" % V(0), at(reg(V(0), 160)), regs(V0=None))
case("regx to its last byte", "regx %d; const1u 255; offset" % V(0), at(reg(V(0), 2040)), regs(V0=None))
case("regx past its end", "regx %d; const2u 256; offset" % V(0), error("out-of-range"), regs(V0=None))
case("regx before its start", "regx %d; const1s -1; offset" % V(0), error("out-of-range"), regs(V0=None))
case("regx to its last bit", "regx %d; lit31; bit_offset" % S(4), at(reg(S(4), 31)), regs(S4=0))
case("regx past its last bit", "regx %d; const1u 32; bit_offset" % S(4), error("out-of-range"), regs(S4=0))
case("an offset needs the register", "regx %d; lit1; offset" % S(4), error("no-register"))
case("the value in a lane", "regx %d; push_lane; lit4; mul; offset" % V(3), at(reg(V(3), 160), elements=[hx(lane_of(3, 5))]),
     ctx(LANE, regs(V3=None)), read={"element_bits": 32, "count": 1})
case("deref of a register", "regx 16; deref", value(0x123456789ABCDEF0), regs(PC=0x123456789ABCDEF0))
case("deref of a register at a bit", "regx %d; lit4; bit_offset; deref_size 2" % S(4), value(0x4567), regs(S4=0x12345678))
case("deref of a register that is too small", "regx %d; deref" % S(4), error("out-of-range"), regs(S4=1), result="value")
case("deref_size of a 32-bit register", "regx %d; deref_size 4" % S(4), value(0x89ABCDEF), regs(S4=0x89ABCDEF))
case("deref past a register", "regx %d; lit2; offset; deref_size 4" % S(4), error("out-of-range"), regs(S4=1), result="value")
case("deref of no register", "regx %d; deref_size 4" % S(4), error("no-register"), regs(S5=1), result="value")
case("read of no register", "regx %d" % S(4), error("no-register"), regs(S5=1), read={"element_bits": 32, "count": 1})
case("lanes of a VGPR", "regx %d; const1u 248; offset" % V(1), at(reg(V(1), 1984), elements=[hx(lane_of(1, 62)), hx(lane_of(1, 63))]),
     regs(V1=None), read={"element_bits": 32, "count": 2})
case("lanes past a VGPR", "regx %d; const1u 248; offset" % V(1), error("out-of-range"), regs(V1=None), read={"element_bits": 32, "count": 3})
case("a register write", "regx %d" % S(4), at(reg(S(4)), after=regs(S4=0x12AB5678)), regs(S4=0x12345678),
     writes=[{"bit_offset": 16, "bits": 8, "value": "0xab"}])
case("a write over a byte border", "regx %d; lit4; bit_offset" % S(4), at(reg(S(4), 4), after=regs(S4=0x1234FF08 | 0x70)), regs(S4=0x12345078),
     writes=[{"bit_offset": 4, "bits": 8, "value": "0xff"}], both=True)
case("a write of one bit", "regx 17", at(reg(17), elements=["0x8000000000000001"], after=regs(EXEC=1 << 63 | 1)), regs(EXEC=1),
     writes=[{"bit_offset": 63, "bits": 1, "value": 1}], read={"element_bits": 64, "count": 1})
case("a write of a wide value", "regx %d" % V(0), at(reg(V(0)), after=regs(V0=le(int("0x" + "5a" * 256, 16), 256))), regs(V0=None),
     writes=[{"bits": 2048, "value": "0x" + "5a" * 256}])
case("a negative number written", "regx %d" % S(4), at(reg(S(4)), after=regs(S4=M32)), regs(S4=0), writes=[{"bits": 32, "value": -1}])
case("a write past a register", "regx %d" % S(4), error("out-of-range"), regs(S4=0), writes=[{"bit_offset": 8, "bits": 32, "value": 0}])
case("a write of no register", "regx %d" % S(4), error("no-register"), regs(S5=0), writes=[{"bits": 32, "value": 0}])
case("implicit_value", "implicit_value 010203", at(imp(0x030201, 24), elements=["0x1", "0x2", "0x3"]), read={"element_bits": 8, "count": 3})
case("an empty implicit_value", "implicit_value -", at(imp(0, 0)))
case("implicit_value with an offset", "implicit_value 01020304; lit2; offset", at(imp(0x04030201, 32, bit=16), elements=["0x403"]), read={"element_bits": 16, "count": 1})
case("implicit_value past its end", "implicit_value 01020304; lit4; offset", error("out-of-range"))
case("deref of an implicit_value", "implicit_value 0102030405060708; deref", value(0x0807060504030201))
case("deref of a short implicit_value", "implicit_value 01020304; deref", error("out-of-range"), result="value")
case("deref_size of an implicit_value", "implicit_value 01020304; deref_size 4", value(0x04030201))
case("stack_value", "lit7; stack_value", at(imp(7)))
case("stack_value in 32 bits", "const1s -1; stack_value", at(imp(M32, 32)), A4)
case("stack_value of an address", "addr 0x1234; stack_value", at(imp(0x1234)))
case("stack_value of a register", "regx 40; stack_value", error("ill-formed"))
case("stack_value of a breg", "breg3 4; stack_value", at(imp(0x104)), {"registers": {"3": le(0x100, 8)}})
case("stack_value does not end the expression", "lit7; stack_value; lit1; offset", at(imp(7, bit=8)))
case("reading past a stack_value", "lit7; stack_value", error("out-of-range"), read={"element_bits": 32, "count": 3})
case("a write to a constant", "lit7; stack_value", error("ill-formed"), writes=[{"bits": 8, "value": 1}])
case("undefined", "undefined", at(UNDEF, elements=[None, None]), read={"element_bits": 32, "count": 2})
case("undefined with offsets", "undefined; lit8; offset; lit3; bit_offset; offset_uconst 5", at(UNDEF))
case("deref of undefined", "undefined; deref", error("read-undefined"), result="value")
case("a write to undefined", "undefined", error("read-undefined"), writes=[{"bits": 8, "value": 1}])
case("reading an empty expression", "", at(UNDEF, elements=[None]), read={"element_bits": 8, "count": 1})

# ---- composites -------------------------------------------------------------
file("composites")
case("piece of one register", "regx %d; piece 4" % S(4), at(comp((32, reg(S(4))))))
case("pieces of two registers", "regx %d; piece 4; regx %d; piece 4" % (S(4), S(5)),
     at(comp((32, reg(S(4))), (32, reg(S(5)))), elements=["0x1111111122222222"]), regs(S4=0x22222222, S5=0x11111111),
     read={"element_bits": 64, "count": 1})
case("piece on an empty stack", "piece 4", at(comp((32, UNDEF)), elements=[None]), read={"element_bits": 32, "count": 1})
case("piece after a piece", "regx %d; piece 4; piece 2" % S(4), at(comp((32, reg(S(4))), (16, UNDEF))))
case("a piece of an address", "const2u 0x1000; piece 2", at(comp((16, mem(0x1000)))))
case("a piece of memory in a space", "lit16; lit3; form_aspace_address; piece 2", at(comp((16, mem(16, 3)))))
case("a piece over what is below", "lit9; regx %d; piece 4" % S(4), at(comp((32, reg(S(4))))))
case("a piece of nothing", "regx %d; piece 0; regx %d; piece 4" % (S(4), S(5)), at(comp((0, reg(S(4))), (32, reg(S(5)))), elements=["0x7"]),
     regs(S4=0, S5=7), read={"element_bits": 32, "count": 1})
case("bit_piece of two registers", "regx %d; bit_piece 12 4; regx %d; bit_piece 20 8" % (S(4), S(5)),
     at(comp((12, reg(S(4), 4)), (20, reg(S(5), 8))), elements=[hx((0x12345678 >> 8 & 0xFFFFF) << 12 | (0x89ABCDEF >> 4 & 0xFFF))]),
     regs(S4=0x89ABCDEF, S5=0x12345678), read={"element_bits": 32, "count": 1})
case("bit_piece in memory", "addr 0x100; bit_piece 5 11", at(comp((5, mem(0x101, bit=3)))))
case("bit_piece on an empty stack", "bit_piece 5 3", at(comp((5, UNDEF))))
case("bit_piece past the register", "regx %d; bit_piece 8 32" % S(4), error("out-of-range"), regs(S4=0))
case("bit_piece over the register's end", "regx %d; bit_piece 8 28" % S(4), error("ill-formed"), regs(S4=0))
case("piece larger than its register", "regx %d; piece 8" % S(4), error("ill-formed"), regs(S4=0))
case("piece larger than a constant", "implicit_value 0102; piece 4", error("ill-formed"))
case("piece at the end of memory", "addr 0xfffffffffffffffc; piece 4", at(comp((32, mem(M64 - 3)))))
case("piece past the end of memory", "addr 0xfffffffffffffffd; piece 4", error("ill-formed"))
case("piece past the end of a 32-bit space", "const4u 0xfffffffe; lit3; form_aspace_address; piece 4", error("ill-formed"))
case("piece of a typed value", "const_type 0x30 0100000000000000; piece 4", error("ill-formed"), TYPES)
case("piece_end", "regx %d; piece 4; piece_end" % S(4), at(comp((32, reg(S(4))))))
case("piece_end of nothing", "piece_end", error("ill-formed"))
case("piece_end of a register", "regx 40; piece_end", error("ill-formed"))
case("piece_end twice", "regx 40; piece 4; piece_end; piece_end", error("ill-formed"))
case("pieces after piece_end nest", "regx %d; piece 4; piece_end; piece 4; regx %d; piece 4" % (S(4), S(5)),
     at(comp((32, comp((32, reg(S(4))))), (32, reg(S(5))))))
for op in ("dup", "drop", "lit1; over", "lit0; pick 1", "lit1; swap", "lit1; lit2; rot", "deref", "lit0; offset", "lit0; bit_offset", "offset_uconst 0",
           "stack_value", "plus_uconst 0", "extend 8 1", "lit1; plus", "neg", "lit1; eq", "bra 0", "lit3; form_aspace_address"):
    case("incomplete composite and " + op, "regx 40; piece 4; " + op, error("ill-formed"), regs(S8=0), both=False)
case("incomplete composite below the top is let be", "regx 40; piece 4; lit1; lit2; plus", value(3))
case("an incomplete composite is no value", "regx 40; piece 4", error("ill-formed"), result="value")
E3 = "regx %d; piece 4; piece 2; addr 0x100; piece 2; piece_end" % S(4)
C3 = ctx(regs(S4=0xDDCCBBAA), memory((0, 0x100, "eeff")))
P3 = comp((32, reg(S(4))), (16, UNDEF), (16, mem(0x100)))
for off, bits, want in [(0, 8, "0xaa"), (0, 32, "0xddccbbaa"), (24, 8, "0xdd"), (31, 1, "0x1"), (28, 4, "0xd"), (24, 16, None), (31, 2, None),
                        (32, 16, None), (40, 8, None), (40, 16, None), (47, 1, None), (47, 2, None), (48, 8, "0xee"), (48, 16, "0xffee"),
                        (52, 8, "0xfe"), (63, 1, "0x1"), (0, 64, None)]:
    case("bits [%d, %d) of three parts" % (off, off + bits), E3, at(P3, elements=[want]), C3,
         read={"bit_offset": off, "element_bits": bits, "count": 1}, both=False)
for off, bits in [(64, 1), (60, 8), (57, 8), (48, 24)]:
    case("bits [%d, %d) of three parts" % (off, off + bits), E3, error("out-of-range"), C3,
         read={"bit_offset": off, "element_bits": bits, "count": 1}, both=False)
for off in range(0, 64, 8):
    case("offset %d into three parts" % (off // 8), E3 + "; offset_uconst %d" % (off // 8), at(comp(*[(p["bits"], p["location"]) for p in P3["parts"]], bit=off)), C3, both=False)
case("offset past three parts", E3 + "; offset_uconst 8", error("out-of-range"), C3)
case("offset before three parts", E3 + "; const1s -1; offset", error("out-of-range"), C3)
case("deref over a hole", E3 + "; deref", error("read-undefined"), C3, result="value")
case("deref beside a hole", E3 + "; deref_size 4", value(0xDDCCBBAA), C3)
case("deref at the last part", E3 + "; offset_uconst 6; deref_size 2", value(0xFFEE), C3)
case("deref past the parts", E3 + "; offset_uconst 6; deref_size 4", error("out-of-range"), C3, result="value")
# Two parts at bit borders: 12 bits of S4, 20 of S5; the value's bit i is bit i+4 of S4 or i-12+8 of S5.
E2 = "regx %d; bit_piece 12 4; regx %d; bit_piece 20 8" % (S(4), S(5))
P2 = comp((12, reg(S(4), 4)), (20, reg(S(5), 8)))
X4, X5 = 0x89ABCDEF, 0x12345678
WHOLE = (X5 >> 8 & 0xFFFFF) << 12 | (X4 >> 4 & 0xFFF)
for off, bits in [(0, 12), (0, 13), (11, 1), (11, 2), (12, 1), (12, 20), (8, 8), (4, 16), (31, 1), (1, 31)]:
    case("read bits [%d, %d) over a bit border" % (off, off + bits), E2, at(P2, elements=[hx(WHOLE >> off & (1 << bits) - 1)]),
         regs(S4=X4, S5=X5), read={"bit_offset": off, "element_bits": bits, "count": 1})
for off, bits in [(0, 12), (11, 1), (11, 2), (12, 1), (8, 8), (12, 20), (0, 32), (31, 1)]:
    ones = ((1 << bits) - 1) << off
    cleared = WHOLE & ~ones
    n4 = X4 & ~(0xFFF << 4) | (cleared & 0xFFF) << 4
    n5 = X5 & ~(0xFFFFF << 8) | (cleared >> 12) << 8
    case("write bits [%d, %d) over a bit border" % (off, off + bits), E2, at(P2, elements=[hx(cleared)], after=regs(S4=n4, S5=n5)),
         regs(S4=X4, S5=X5), writes=[{"bit_offset": off, "bits": bits, "value": 0}], read={"element_bits": 32, "count": 1})
case("a write over a register and memory", "regx %d; piece 4; addr 0x100; piece 2" % S(4),
     at(comp((32, reg(S(4))), (16, mem(0x100))), elements=["0x1234"],
        after=ctx(regs(S4=0x34CCBBAA), {"memory": [{"aspace": 0, "address": "0x100", "hex": "12ff"}]})),
     C3, writes=[{"bit_offset": 24, "bits": 16, "value": "0x1234"}], read={"bit_offset": 24, "element_bits": 16, "count": 1})
case("a write over a hole changes nothing", E3, error("read-undefined"), C3, writes=[{"bit_offset": 24, "bits": 16, "value": 0}])
case("a write beside a hole", E3, at(P3, after=ctx(regs(S4=0x00CCBBAA), {"memory": [{"aspace": 0, "address": "0x100", "hex": "eeff"}]})),
     C3, writes=[{"bit_offset": 24, "bits": 8, "value": 0}])
case("a write over a constant part", "regx %d; piece 4; lit1; stack_value; piece 4" % S(4), error("ill-formed"), C3,
     writes=[{"bit_offset": 28, "bits": 8, "value": 0}])
case("a nested composite", "regx %d; piece 2; regx %d; piece 2; piece_end; offset_uconst 1; piece 2; addr 0x100; piece 1" % (S(4), S(5)),
     at(comp((16, comp((16, reg(S(4))), (16, reg(S(5))), bit=8)), (8, mem(0x100))), elements=["0x22", "0x33", "0xee"]),
     ctx(regs(S4=0x2211, S5=0x4433), memory((0, 0x100, "eeff"))), read={"element_bits": 8, "count": 3})
case("a write into a nested composite", "regx %d; piece 2; regx %d; piece 2; piece_end; offset_uconst 1; piece 2" % (S(4), S(5)),
     at(comp((16, comp((16, reg(S(4))), (16, reg(S(5))), bit=8))), after=regs(S4=0x0F11, S5=0x44F0)),
     regs(S4=0x2211, S5=0x4433), writes=[{"bits": 16, "value": "0xf00f"}])
case("extend", "regx %d; extend 32 3" % S(4), at(comp(*[(32, reg(S(4)))] * 3), elements=["0x7", "0x7", "0x7"]), regs(S4=7),
     read={"element_bits": 32, "count": 3})
case("extend of a constant", "lit9; stack_value; extend 8 2", at(comp(*[(8, imp(9))] * 2)))
case("extend of undefined", "undefined; extend 64 2", at(comp(*[(64, UNDEF)] * 2), elements=[None, None]), read={"element_bits": 64, "count": 2})
case("extend of an address", "addr 0x100; extend 16 2", at(comp(*[(16, mem(0x100))] * 2)))
case("extend by 0 bits", "lit9; stack_value; extend 0 2", error("ill-formed"))
case("extend by no elements", "lit9; stack_value; extend 8 0", error("ill-formed"))
case("extend past the storage", "lit9; stack_value; extend 65 2", error("ill-formed"))
case("extend by too many", "undefined; extend 64 0xffffffffffff", error("ill-formed"))
case("extend of a composite", "regx %d; piece 2; piece_end; extend 16 2" % S(4), at(comp(*[(16, comp((16, reg(S(4)))))] * 2)))
SEL = "regx %d; regx %d; const1u 0x06; select_bit_piece 32 4" % (V(0), V(1))
case("select_bit_piece", SEL,
     at(comp(*[(32, reg(V(1 if i in (1, 2) else 0), 32 * i)) for i in range(4)]),
        elements=[hx(lane_of(1 if i in (1, 2) else 0, i)) for i in range(4)]),
     regs(V0=None, V1=None), read={"element_bits": 32, "count": 4})
case("select_bit_piece by EXEC", "regx %d; addr 0x1000; regx 17; deref; select_bit_piece 32 64" % V(0),
     at(comp(*[(32, mem(0x1000 + 4 * i) if 0x8000_0000_0000_00F1 >> i & 1 else reg(V(0), 32 * i)) for i in range(64)])),
     regs(V0=None, EXEC=0x8000_0000_0000_00F1))
case("select_bit_piece of undefined", "undefined; addr 0x1000; lit1; select_bit_piece 8 2", at(comp((8, mem(0x1000)), (8, UNDEF))))
case("select_bit_piece of one element", "regx %d; lit5; stack_value; lit1; select_bit_piece 32 1" % S(4), at(comp((32, imp(5)))), regs(S4=1))
case("select_bit_piece past the storage", "regx %d; undefined; lit0; select_bit_piece 32 2" % S(4), error("out-of-range"), regs(S4=1))
case("select_bit_piece where the rest is selected", "regx %d; undefined; lit2; select_bit_piece 32 2" % S(4), at(comp((32, reg(S(4))), (32, UNDEF))), regs(S4=1))
case("select_bit_piece over the storage's end", "regx %d; undefined; lit0; select_bit_piece 20 2" % S(4), error("ill-formed"), regs(S4=1))
case("select_bit_piece of 0 bits", "undefined; undefined; lit0; select_bit_piece 0 2", error("ill-formed"))
case("select_bit_piece of no elements", "undefined; undefined; lit0; select_bit_piece 8 0", error("ill-formed"))
case("select_bit_piece with a short mask", "undefined; undefined; lit0; select_bit_piece 8 65", error("ill-formed"))
case("select_bit_piece with a mask of 8 bits", "undefined; undefined; const_type 0x38 01; select_bit_piece 8 9", error("ill-formed"), TYPES)
case("select_bit_piece with a mask of 128 bits", "undefined; lit3; stack_value; extend 1 128; const_type 0x40 %s; select_bit_piece 1 128" % le(1 << 127, 16),
     at(comp(*[(1, UNDEF)] * 127, (1, comp(*[(1, imp(3))] * 128, bit=127)))), TYPES)
case("select_bit_piece with a float mask", "undefined; undefined; const_type 0x2c %s; select_bit_piece 8 9" % le(1, 8), error("ill-formed"), TYPES)
case("select_bit_piece written", "regx %d; regx %d; lit2; select_bit_piece 32 2" % (V(0), V(1)),
     at(comp((32, reg(V(0))), (32, reg(V(1), 32))), after=regs(V0=le(0xAAAA, 4) + vgpr(0)[8:], V1=vgpr(1)[:8] + le(0xBBBB, 4) + vgpr(1)[16:])),
     regs(V0=None, V1=None), writes=[{"bits": 64, "value": hx(0xBBBB << 32 | 0xAAAA)}])
case("too many parts", "; ".join(["undefined; extend 8 0x4000; drop"] * 5), error("ill-formed"))

# ---- overlays ---------------------------------------------------------------
file("overlays")
BASE = "regx %d; " % V(0)
VB = regs(V0=None, S4=0x44434241)
case("overlay inside", BASE + "regx %d; lit4; lit4; overlay" % S(4),
     at(comp((32, reg(V(0))), (32, reg(S(4))), (2048 - 64, reg(V(0), 64))), elements=[hx(lane_of(0, 0)), "0x44434241", hx(lane_of(0, 2))]),
     VB, read={"element_bits": 32, "count": 3})
case("overlay at the start", BASE + "regx %d; lit0; lit4; overlay" % S(4), at(comp((32, reg(S(4))), (2048 - 32, reg(V(0), 32)))), VB)
case("overlay at the end", BASE + "regx %d; const1u 252; lit4; overlay" % S(4), at(comp((2016, reg(V(0))), (32, reg(S(4))))), VB)
case("overlay of all", "regx %d; addr 0x100; lit0; lit4; overlay" % S(4), at(mem(0x100)), VB)
case("overlay of nothing", BASE + "regx %d; lit8; lit0; overlay" % S(4), at(reg(V(0))), VB)
case("overlay past the end", BASE + "regx %d; const1u 253; lit4; overlay" % S(4), error("ill-formed"), VB)
case("a negative overlay size", BASE + "regx %d; lit0; const1s -4; overlay" % S(4), error("ill-formed"), VB)
case("a negative overlay offset", BASE + "regx %d; const1s -4; lit4; overlay" % S(4), error("ill-formed"), VB)
case("an overlay smaller than its size", BASE + "regx %d; lit4; lit8; overlay" % S(4), error("ill-formed"), VB)
case("bit_overlay inside", "regx %d; lit5; stack_value; lit3; lit4; bit_overlay" % S(4),
     at(comp((3, reg(S(4))), (4, imp(5)), (25, reg(S(4), 7))), elements=[hx(0x44434241 & ~(15 << 3) | 5 << 3)]), VB, read={"element_bits": 32, "count": 1})
case("bit_overlay of all", "regx %d; addr 0x100; lit0; const1u 32; bit_overlay" % S(4), at(mem(0x100)), VB)
case("bit_overlay of nothing", "regx %d; addr 0x100; lit31; lit0; bit_overlay" % S(4), at(reg(S(4))), VB)
case("bit_overlay past the end", "regx %d; addr 0x100; lit31; lit2; bit_overlay" % S(4), error("ill-formed"), VB)
case("overlay on an offset base", "regx %d; lit2; offset; addr 0x100; lit1; lit1; overlay" % S(4), at(comp((8, reg(S(4), 16)), (8, mem(0x100)))), VB)
case("an overlay on an overlay", "regx %d; addr 0x100; lit0; lit1; overlay; addr 0x200; lit3; lit1; overlay" % S(4),
     at(comp((24, comp((8, mem(0x100)), (24, reg(S(4), 8)))), (8, mem(0x200)))), VB)
case("overlay on memory", "addr 0x1000; regx %d; lit4; lit8; overlay" % V(0),
     at(comp((32, mem(0x1000)), (64, reg(V(0))), ((2 ** 64 - 0x100C) * 8, mem(0x100C))), elements=["0x11", hx(lane_of(0, 0)), hx(lane_of(0, 1)), "0x22"]),
     ctx(VB, memory((0, 0x1000, "11000000"), (0, 0x100C, "22000000"))), read={"element_bits": 32, "count": 4})
case("overlay on local memory", "const2u 0x1000; lit3; form_aspace_address; regx %d; lit0; lit8; overlay" % V(0),
     at(comp((64, reg(V(0))), ((2 ** 32 - 0x1008) * 8, mem(0x1008, 3)))), VB)
case("bit_overlay on memory", "addr 0x1000; regx %d; lit3; lit2; bit_overlay" % V(0),
     at(comp((3, mem(0x1000)), (2, reg(V(0))), ((2 ** 64 - 0x1000) * 8 - 5, mem(0x1000, bit=5)))), VB)
case("overlay at the end of memory", "addr 0xfffffffffffffff0; regx %d; lit12; lit4; overlay" % V(0),
     at(comp((96, mem(2 ** 64 - 16)), (32, reg(V(0))))), VB)
case("overlay past the end of memory", "addr 0xfffffffffffffff0; regx %d; lit13; lit4; overlay" % V(0), error("ill-formed"), VB)
case("an overlay written", "regx %d; addr 0x100; lit1; lit2; overlay" % S(4),
     at(comp((8, reg(S(4))), (16, mem(0x100)), (8, reg(S(4), 24))),
        after={"registers": regs(S4=0x04434201)["registers"], "memory": [{"aspace": 0, "address": "0x100", "hex": "0203"}]}),
     ctx(regs(S4=0x44434241), memory((0, 0x100, "aabb"))), writes=[{"bits": 32, "value": "0x04030201"}])
case("an overlay with numbers of one's own", "regx %d; addr 0x100; lit0; lit4; bytes e920" % S(4), at(mem(0x100)), VB, options={"assign": {"DW_OP_LLVM_overlay": "0x120"}})
case("a location is no overlay size", BASE + "regx %d; lit4; regx %d; overlay" % (S(4), S(4)), error("ill-formed"), VB)

# ---- frames, entry values, procedures ---------------------------------------
file("frames")
FB = lambda text, *d, **kw: ctx(LANE, *d, frame_base=asm(text), **kw)
case("fbreg of an address", "fbreg -8", at(mem(0xFF8)), FB("addr 0x1000"))
case("fbreg of a register", "fbreg 8", at(mem(0x208)), FB("regx %d" % S(33), regs(S33=0x200)))
case("fbreg of reg5", "fbreg 8", at(mem(0x208)), FB("reg5", {"registers": {"5": le(0x200, 8)}}))
case("fbreg in a space", "fbreg 8", at(mem(0x208, 5)), FB("lit5; aspace_bregx %d 0" % S(33), regs(S33=0x200)))
case("fbreg of the CFA", "fbreg 8", at(mem(0x308, 6)), FB("call_frame_cfa", cfa=asm("const2u 0x300; lit6; form_aspace_address")))
case("fbreg below the space", "fbreg -8", error("out-of-range"), FB("addr 4"))
case("fbreg of a constant", "fbreg 8", error("ill-formed"), FB("lit1; stack_value"))
case("fbreg of a composite", "fbreg 8", error("ill-formed"), FB("regx 32; piece 4"))
case("fbreg of nothing", "fbreg 8", error("ill-formed"), FB(""))
case("fbreg in the frame base", "fbreg 8", error("ill-formed"), FB("fbreg 0"))
case("fbreg without a frame base", "fbreg 8", error("missing-context"), LANE)
case("fbreg of a register that is not there", "fbreg 8", error("no-register"), FB("regx 33", regs(S0=0)))
case("fbreg has its own stack", "lit7; fbreg 8; drop", value(7), FB("addr 0x1000"))
case("the frame base does not see the stack", "lit7; fbreg 8", error("stack-underflow"), FB("plus_uconst 1"))
case("call_frame_cfa", "call_frame_cfa", at(mem(0x300, 6)), {"cfa": asm("const2u 0x300; lit6; form_aspace_address")})
case("call_frame_cfa without one", "call_frame_cfa", error("missing-context"))
case("call_frame_entry_reg", "call_frame_entry_reg 17", at(comp((32, reg(S(4))), (32, reg(S(5))))),
     ctx(regs(S4=0, S5=0), entry_registers={"17": asm("regx 36; piece 4; regx 37; piece 4")}))
case("call_frame_entry_reg of a saved register", "call_frame_entry_reg 65; deref_size 4", value(0x11223344),
     ctx(memory((6, 0x100, "44332211")), entry_registers={"65": asm("const2u 0x100; lit6; form_aspace_address")}))
case("call_frame_entry_reg by the default rule", "call_frame_entry_reg 65", at(reg(65)))
case("call_frame_entry_reg of a lost register", "call_frame_entry_reg 65", at(UNDEF), {"entry_registers": {"65": asm("undefined")}})
for op in ("entry_value", "GNU_entry_value"):
    case(op + " of a register", "%s %s" % (op, asm("reg5")), value(0x77),
         {"registers": {"5": le(0x55, 8), "6": le(0x77, 8)}, "entry_registers": {"5": asm("reg6")}})
case("entry_value of a regx", "entry_value %s" % asm("regx 65"), value(9), ctx(regs(S33=1, S4=9), entry_registers={"65": asm("regx 36")}))
case("entry_value of a breg", "entry_value %s" % asm("breg5 8"), value(0x7F),
     {"registers": {"5": le(0x55, 8), "6": le(0x77, 8)}, "entry_registers": {"5": asm("reg6")}})
case("entry_value of a load", "entry_value %s" % asm("breg5 0; deref_size 1"), value(0xEE),
     ctx({"registers": {"5": le(0, 8), "6": le(0x100, 8)}, "entry_registers": {"5": asm("reg6")}}, memory((0, 0x100, "ee"))))
case("entry_value of an unchanged register", "entry_value %s; lit1; plus" % asm("reg5"), value(0x56), {"registers": {"5": le(0x55, 8)}})
case("entry_value of a lost register", "entry_value %s" % asm("reg5"), error("read-undefined"),
     {"registers": {"5": le(0x55, 8)}, "entry_registers": {"5": asm("undefined")}}, result="value")
case("entry_value of nothing", "entry_value -", error("ill-formed"), result="value")
case("entry_value does not see the stack", "lit1; entry_value %s" % asm("dup"), error("stack-underflow"), result="value")
case("entry_value of a constant location", "entry_value %s" % asm("lit1; stack_value"), error("ill-formed"), result="value")
case("entry_value needs no frame base", "entry_value %s" % asm("fbreg 0"), error("missing-context"), FB("addr 0x10"), result="value")
PROC = {"procedures": {"0x40": asm("lit1; plus"), "0x44": asm("regx 40"), "0x48": "", "0x4c": asm("call4 0x4c"), "0x50": asm("regx 40; piece 4"),
                       "0x54": asm("call2 0x40; call2 0x40"), "0x58": asm("stack_value; piece 1"), "0x5c": asm("skip 1"),
                       "0x60": [reg(40), mem(0x100)], "0x64": asm("addr 0x500"), "0x68": []}}
for op in ("call2", "call4", "call_ref"):
    case(op, "lit4; %s 0x40" % op, value(5), PROC)
    case(op + " pushes a location", "lit4; %s 0x44" % op, at(reg(40)), PROC)
    case(op + " of an empty procedure", "lit4; %s 0x48" % op, value(4), PROC)
    case(op + " of no procedure", "lit4; %s 0x99" % op, error("missing-context"), PROC, result="value")
case("call_ref in 64-bit DWARF", "lit4; call_ref 0x40", value(5), PROC, options={"dwarf64": True}, ref=8)
case("call_ref in DWARF 2", "lit4; call_ref 0x40", value(5), PROC, options={"version": 2}, ref=8)
case("calls in calls", "lit4; call2 0x54", value(6), PROC)
case("an endless recursion ends", "call4 0x4c", error("ill-formed"), PROC)
case("a call that underflows", "call2 0x40", error("stack-underflow"), PROC)
case("a call leaves a composite incomplete", "call2 0x50; regx 41; piece 4", at(comp((32, reg(40)), (32, reg(41)))), PROC)
case("a composite from a call is incomplete", "call2 0x50; dup", error("ill-formed"), PROC)
case("a call goes on with the composite", "regx 40; piece 4; lit7; call2 0x58", at(comp((32, reg(40)), (8, imp(7)))), PROC)
case("a branch does not leave the procedure", "lit1; call2 0x5c; lit2", error("ill-formed"), PROC, result="value")
case("a call without debugging information", "call2 0x40", error("missing-context"))
TWO = {"kind": "multiple", "places": [reg(40), mem(0x100)]}
case("a location list's places", "call2 0x60", at(TWO, elements=["0x7"]), ctx(PROC, regs(S8=7), memory((0, 0x100, "09000000"))), read={"element_bits": 32, "count": 1})
case("a write to all places", "call2 0x60",
     at(TWO, after=ctx(regs(S8=3), {"memory": [{"aspace": 0, "address": "0x100", "hex": "03000000"}]})),
     ctx(PROC, regs(S8=7), memory((0, 0x100, "07000000"))), writes=[{"bits": 32, "value": 3}])
case("an offset of all places", "call2 0x60; lit1; offset", at({"kind": "multiple", "places": [reg(40, 8), mem(0x101)]}),
     ctx(PROC, regs(S8=7)))
case("a value in two places", "call2 0x60; deref_size 4", value(7), ctx(PROC, regs(S8=7), memory((0, 0x100, "07000000"))))
case("a value in the place that can be read", "call2 0x60; deref_size 4", value(9), ctx(PROC, memory((0, 0x100, "09000000"))))
case("a location list without a place", "call2 0x68", at(UNDEF), PROC)
case("a part in two places", "call2 0x60; piece 2", at(comp((16, TWO))), ctx(PROC, regs(S8=7)))
case("GNU_variable_value", "GNU_variable_value 0x64", value(0x1122), ctx(PROC, memory((0, 0x500, le(0x1122, 8)))))
case("GNU_variable_value without memory", "GNU_variable_value 0x64", error("memory-unavailable"), PROC, result="value")
case("GNU_parameter_ref", "GNU_parameter_ref 0x70", value(0x78), {"parameters": {"0x70": asm("breg5 1")}, "registers": {"5": le(0x77, 8)}})
case("GNU_parameter_ref of none", "GNU_parameter_ref 0x71", error("missing-context"), {"parameters": {"0x70": asm("lit1")}}, result="value")
INIT = lambda *e: {"initial_stack": list(e)}
case("an initial location", "lit8; offset", at(mem(0x408, 6)), INIT({"kind": "memory", "aspace": 6, "address": "0x400"}))
case("an initial value", "lit8; plus", value(13), INIT({"value": 5}))
case("initial entries in order", "minus", value(4), INIT({"value": "0x9"}, {"value": 5}))
case("an initial typed value", "plus_uconst 255", value(4, 8), ctx(TYPES, INIT({"value": 5, "type": "0x38"})))
case("an initial register at a bit", "", at(reg(40, 8)), ctx(regs(S8=0), INIT({"kind": "register", "number": 40, "bit_offset": 8})))
case("an initial constant", "", at(imp(7, 16)), INIT({"kind": "implicit", "bits": 16, "value": "0x7"}))
case("an initial composite", "offset_uconst 4", at(comp((32, reg(40)), (32, UNDEF), bit=32)), INIT(comp((32, reg(40)), (32, UNDEF))))
case("an initial undefined location", "lit3; offset", at(UNDEF), INIT({"kind": "undefined"}))

case("a circular entry register", "call_frame_entry_reg 65", error("ill-formed"), {"entry_registers": {"65": asm("call_frame_entry_reg 66"), "66": asm("call_frame_entry_reg 65")}})
case("a circular CFA", "call_frame_cfa", error("ill-formed"), {"cfa": asm("call_frame_cfa")})
case("a circular object", "push_object_address", error("ill-formed"), {"object": asm("push_object_address")})
case("circular thread-local storage", "lit0; form_tls_address", error("ill-formed"), {"tls_base": asm("lit0; form_tls_address")})
case("entry values in entry values", "entry_value %s" % asm("entry_value %s" % asm("reg5")), value(3), {"registers": {"5": le(3, 8)}})

# ---- implicit pointers ------------------------------------------------------
file("pointers")
PTR = {"kind": "implicit_pointer", "die": "0x64", "byte_offset": 4}
for op in ("implicit_pointer", "GNU_implicit_pointer"):
    case(op, "%s 0x64 4" % op, at(PTR))
case("reading an implicit pointer", "implicit_pointer 0x64 4", at(PTR, elements=[None]), read={"element_bits": 64, "count": 1})
case("following an implicit pointer", "implicit_pointer 0x64 4; deref", at(mem(0x504)), PROC)
case("the value behind an implicit pointer", "implicit_pointer 0x64 4; deref; deref_size 1", value(0xAB), ctx(PROC, memory((0, 0x504, "ab"))))
case("an implicit pointer to a register", "implicit_pointer 0x44 2; deref", at(reg(40, 16)), ctx(PROC, regs(S8=0)))
case("an implicit pointer past its object", "implicit_pointer 0x44 4; deref", error("out-of-range"), ctx(PROC, regs(S8=0)))
case("an implicit pointer to nowhere", "implicit_pointer 0x48 0; deref", at(UNDEF), PROC)
case("an implicit pointer to no entry", "implicit_pointer 0x99 0; deref", error("missing-context"), PROC)
case("an implicit pointer through a stack_value", "implicit_pointer 0x64 4; deref; stack_value", at(PTR), PROC)
case("an implicit pointer in a space", "implicit_pointer 0x64 4; deref; lit0; form_aspace_address", at(mem(0x504)), PROC)
case("an implicit pointer in another space", "implicit_pointer 0x64 4; deref; lit3; form_aspace_address", error("read-undefined"), PROC)
case("half of an implicit pointer", "implicit_pointer 0x64 4; deref_size 4", error("read-undefined"), PROC, result="value")
case("an implicit pointer at an offset", "implicit_pointer 0x64 4; lit1; offset; deref_size 7", error("read-undefined"), PROC, result="value")
case("arithmetic on an implicit pointer", "implicit_pointer 0x64 4; deref; lit1; plus", error("read-undefined"), PROC, result="value")
case("an implicit pointer in two halves", "undefined; implicit_pointer 0x64 4; lit3; select_bit_piece 32 2; deref", at(mem(0x504)), PROC)
case("an implicit pointer in two parts", "implicit_pointer 0x64 4; piece 4; implicit_pointer 0x64 4; bit_piece 32 32; piece_end; deref", at(mem(0x504)), PROC)
case("an implicit pointer's halves swapped", "implicit_pointer 0x64 4; bit_piece 32 32; implicit_pointer 0x64 4; piece 4; piece_end; deref", error("read-undefined"), PROC)
case("the same half of an implicit pointer twice", "implicit_pointer 0x64 4; extend 32 2; deref", error("read-undefined"), PROC)
case("halves of two implicit pointers", "implicit_pointer 0x64 4; piece 4; implicit_pointer 0x64 5; bit_piece 32 32; piece_end; deref", error("read-undefined"), PROC)
case("half an implicit pointer and a constant", "implicit_pointer 0x64 4; piece 4; lit1; stack_value; piece 4; piece_end; deref", error("read-undefined"), PROC)
case("a constant and half an implicit pointer", "lit1; stack_value; piece 4; implicit_pointer 0x64 4; bit_piece 32 32; piece_end; deref", error("read-undefined"), PROC)
case("an implicit pointer beside a constant", "implicit_pointer 0x64 4; piece 8; lit1; stack_value; piece 8; piece_end; deref", at(mem(0x504)), PROC)
case("a constant beside an implicit pointer", "lit1; stack_value; piece 8; implicit_pointer 0x64 4; piece 8; piece_end; deref", value(1), PROC)
case("an implicit pointer behind a constant", "lit1; stack_value; piece 8; implicit_pointer 0x64 4; piece 8; piece_end; offset_uconst 8; deref", at(mem(0x504)), PROC)
case("a write to an implicit pointer", "implicit_pointer 0x64 4", error("ill-formed"), writes=[{"bits": 8, "value": 0}])
AIP = {"assign": {"DW_OP_LLVM_aspace_implicit_pointer": "0x10d"}}
case("aspace_implicit_pointer", "lit3; bytes e90d 64000000 04", at(PTR), options=AIP)
case("aspace_implicit_pointer in no space", "lit9; bytes e90d 64000000 04", error("ill-formed"), options=AIP)
case("an aspace_implicit_pointer is not the default space's", "lit3; bytes e90d 64000000 04; deref", error("read-undefined"), PROC, options=AIP)
case("an aspace_implicit_pointer formed in its space", "lit3; bytes e90d 64000000 04; deref_type 4 0x20; lit3; form_aspace_address", at(mem(0x504)), ctx(PROC, TYPES), options=AIP)

# ---- the worked examples of the talk at the GNU Tools Cauldron 2021 ----------
# "DWARF Extensions for Optimized SIMT/SIMD (GPU) Debugging", Tye, Linder, Zaric.
file("cauldron")
case("Dynamic Array Size", "regval_type %d 0x30; plus_uconst 0x10" % S(0), value(0x0A3C0F10),
     ctx(TYPES, {"registers": {str(S(0)): le(0x0A3C0F00, 8)}}))
case("Variable Location in Register", "regx %d" % S(0), at(reg(S(0))))
case("Variable Location in Memory", "regval_type %d 0x30; convert 0; plus_uconst 0x10" % S(0), at(mem(0x0A3C0F10)),
     ctx(TYPES, {"registers": {str(S(0)): le(0x0A3C0F00, 8)}}))
SPREAD = "regx %d; piece 4; piece 2; bregx %d 0x10; piece 2" % (S(3), S(0))
SPREADCTX = ctx(regs(S3=0x33323130, S0=0x0A3C0F00), memory((0, 0x0A3C0F10, "4041")))
SPREADLOC = comp((32, reg(S(3))), (16, UNDEF), (16, mem(0x0A3C0F10)))
case("Variable Spread Across Different Locations", SPREAD, at(SPREADLOC, elements=["0x3130", "0x3332", None, "0x4140"]), SPREADCTX,
     read={"element_bits": 16, "count": 4})
case("Offsetting a Composite Location", SPREAD.replace("regx %d" % S(3), "regx %d" % V(0)) + "; plus_uconst 5", error("ill-formed"),
     ctx(regs(V0=None, S0=0x0A3C0F00)))
case("Offsetting a Composite Location as DWARF 5 has to", "piece 1; bregx %d 0x10; piece 2" % S(0), at(comp((8, UNDEF), (16, mem(0x0A3C0F10)))), SPREADCTX)
case("Offsetting a Composite Location with the extension", SPREAD + "; piece_end; offset_uconst 5",
     at(comp((32, reg(S(3))), (16, UNDEF), (16, mem(0x0A3C0F10)), bit=40), elements=[None, "0x40", "0x41"]), SPREADCTX, read={"element_bits": 8, "count": 3})
case("Variable spilled to part of VGPR", "regx %d; lit20; offset" % V(0), at(reg(V(0), 160), elements=[hx(lane_of(0, 5))]), regs(V0=None),
     read={"element_bits": 32, "count": 1})
LANES = "regx %d; push_lane; constu 4; mul; offset; piece 4; " % V(0)
case("Variable across multiple VGPRs", LANES + LANES.replace(str(V(0)), str(V(1))),
     at(comp((32, reg(V(0), 160)), (32, reg(V(1), 160))), elements=[hx(lane_of(1, 5) << 32 | lane_of(0, 5))]),
     ctx(LANE, regs(V0=None, V1=None)), read={"element_bits": 64, "count": 1})
case("Variable across multiple kinds of locations", LANES + "addr 0xbeef; piece 2; constu 0xf00d; stack_value; piece 2; piece_end",
     at(comp((32, reg(V(0), 160)), (16, mem(0xBEEF)), (16, imp(0xF00D))), elements=[hx(lane_of(0, 5)), hx(0xF00D << 16 | 0x2211)]),
     ctx(LANE, regs(V0=None), memory((0, 0xBEEF, "1122"))), read={"element_bits": 32, "count": 2})
case("Address Spaces", "regval_type %d 0x30; constu 1; form_aspace_address; constu 0x10; offset" % S(0), at(mem(0x0A3C0F10, 1)),
     ctx(TYPES, {"registers": {str(S(0)): le(0x0A3C0F00, 8)}}))
case("Address Spaces as AMDGPU numbers them", "regval_type %d 0x20; lit5; form_aspace_address; constu 0x10; offset" % S(32), at(mem(0x110, 5)),
     ctx(TYPES, LANE, regs(S32=0x100)))
case("Bit Offsets", "regx %d; constu 20; bit_offset" % S(3), at(reg(S(3), 20), elements=["0x9"]), regs(S3=0x12945678), read={"element_bits": 4, "count": 1})
case("Offset of any location kind", "lit7; stack_value; lit2; offset", at(imp(7, bit=16)))
case("deref of any location kind", "regx %d; lit1; offset; deref_size 2" % S(3), value(0x3231), regs(S3=0x33323130))
case("GPU saves only active lanes", "regx %d; const2u 0x200; lit6; form_aspace_address; call_frame_entry_reg 17; deref_size 8; select_bit_piece 32 64" % V(40),
     at(comp(*[(32, mem(0x200 + 4 * i, 6) if 0xF0 >> i & 1 else reg(V(40), 32 * i)) for i in range(64)])),
     ctx(regs(V40=None, S4=0xF0, S5=0), entry_registers={"17": asm("regx 36; piece 4; regx 37; piece 4")}))
case("Multiple Places", "call_ref 0x60; lit2; offset", at({"kind": "multiple", "places": [reg(40, 16), mem(0x102)]}), ctx(PROC, regs(S8=0)))

# ---- what compilers write ---------------------------------------------------
file("producers")
case("LLVM: EXEC saved in a pair", "regx 36; piece 4; regx 37; piece 4", at(comp((32, reg(36)), (32, reg(37)))), INIT({"kind": "memory", "aspace": 6, "address": 0}),
     options={"call_frame": True})
case("LLVM: SGPR saved in a VGPR lane", "regx %d; offset_uconst 44" % V(41), at(reg(V(41), 352), elements=[hx(lane_of(1, 11))]),
     ctx(regs(V41=vgpr(1)), INIT({"kind": "memory", "aspace": 6, "address": 0})), read={"element_bits": 32, "count": 1}, options={"call_frame": True})
case("LLVM: VGPR saved under EXEC", "regx %d; swap; offset_uconst 256; call_frame_entry_reg 17; deref_size 8; select_bit_piece 32 64" % V(40),
     at(comp(*[(32, mem(0x500 + 4 * i, 6) if i in (0, 63) else reg(V(40), 32 * i)) for i in range(64)])),
     ctx(regs(V40=None, EXEC=1 << 63 | 1), INIT({"kind": "memory", "aspace": 6, "address": "0x400"})), options={"call_frame": True})
case("LLVM: VGPR in another VGPR under EXEC", "regx %d; regx %d; call_frame_entry_reg 17; deref_size 8; select_bit_piece 32 2" % (V(40), V(41)),
     at(comp((32, reg(V(41))), (32, reg(V(40), 32)))),
     ctx(regs(V40=None, V41=None, EXEC=1), INIT({"kind": "memory", "aspace": 6, "address": "0x400"})), options={"call_frame": True})
case("LLVM: flat-scratch CFA", "regx %d; deref_size 4; lit6; shl; lit6; form_aspace_address" % S(32), at(mem(0x4000, 6)), regs(S32=0x100), options={"call_frame": True})
case("LLVM: kernel CFA", "lit0; lit6; form_aspace_address", at(mem(0, 6)), options={"call_frame": True})
for op, args in [("addrx", "0"), ("constx", "0"), ("call2", "0x40"), ("call4", "0x40"), ("call_ref", "0x40"), ("const_type", "0x20 01020304"),
                 ("convert", "0x20"), ("deref_type", "4 0x20"), ("fbreg", "0"), ("implicit_pointer", "0x40 0"), ("regval_type", "36 0x20"),
                 ("reinterpret", "0x20"), ("xderef_type", "4 0x20"), ("push_object_address", ""), ("push_lane", ""), ("call_frame_cfa", ""), ("entry_value", "55")]:
    case("call frame information has no %s" % op, "lit0; lit0; %s %s" % (op, args), error("ill-formed"), ctx(PROC, TYPES, LANE, addresses=[1]), options={"call_frame": True})
case("AMD: kernel local", "lit0; lit6; shr; lit4; plus; lit5; form_aspace_address", at(mem(4, 5)), LANE)
case("AMD: function local", "regx %d; deref_size 4; lit6; shr; lit4; plus; lit5; form_aspace_address" % S(32), at(mem(0x14, 5)), ctx(LANE, regs(S32=0x400)))
case("AMD: LDS", "lit0; lit4; plus; lit3; form_aspace_address", at(mem(4, 3)))
case("AMD: global", "addr 0x1234; lit0; form_aspace_address", at(mem(0x1234)))
case("AMD: 64 bits in two VGPRs", "regx %d; push_lane; lit4; mul; offset; piece 4; regx %d; push_lane; lit4; mul; offset; piece 4" % (V(2), V(3)),
     at(comp((32, reg(V(2), 160)), (32, reg(V(3), 160)))), ctx(LANE, regs(V2=None, V3=None)))
case("AMD: argument by reference", "regx %d; piece 4; regx %d; piece 4; piece_end; deref_size 8; lit1; form_aspace_address" % (S(4), S(5)),
     at(mem(0x1_0000_2000, 1)), regs(S4=0x2000, S5=1))
case("AMD: flat scratch", "regx %d; deref_size 4; constu 5; form_aspace_address; lit16; stack_value; deref_size 4; offset" % S(33),
     at(mem(0x110, 5)), ctx(LANE, regs(S33=0x100)))
# Lane pcs (AMDGPUUsage), of 4 lanes: those of EXEC are at the pc, the others where the region began.
ACTIVE = "regx 16; extend 64 4; regval_type 17 0x30; select_bit_piece 64 4"
DIVERGENT = "undefined; extend 64 4"
IF = "call_ref 0x800; addrx 0; stack_value; extend 64 4; call_ref 0x804; deref_type 8 0x30; select_bit_piece 64 4"
LPC = ctx(TYPES, regs(PC=0x2000, EXEC=0x1, S4=0x7, S5=0), addresses=["0x1f00"], procedures={
    "0x800": asm(DIVERGENT), "0x804": asm("regx 36; piece 4; regx 37; piece 4; piece_end"), "0x808": asm(ACTIVE)})
outside = [comp(*[(64, UNDEF)] * 4, bit=64 * i) for i in range(4)]
active = [comp(*[(64, reg(16))] * 4, bit=64 * i) for i in range(4)]
begun = [comp(*[(64, imp(0x1F00))] * 4, bit=64 * i) for i in range(4)]
region = comp(*[(64, begun[i] if i < 3 else outside[i]) for i in range(4)])
case("lane pcs outside of control flow", "call_ref 0x800; call_ref 0x808",
     at(comp(*[(64, active[i] if i < 1 else outside[i]) for i in range(4)]), elements=["0x2000", None, None, None]),
     LPC, read={"element_bits": 64, "count": 4})
case("lane pcs in an if", IF + "; call_ref 0x808",
     at(comp(*[(64, active[i] if i < 1 else dict(region, bit_offset=64 * i)) for i in range(4)]),
        elements=["0x2000", "0x1f00", "0x1f00", None]), LPC, read={"element_bits": 64, "count": 4})
# The same as ROCgdb's objects have it for ifs in each other, each a selection from the next outer one, over all lanes
# of a wave: each lane is where it was switched off, in no more than one step.
def nested(depth, masks):
    text = "undefined; extend 64 64"
    for i in range(depth):
        text += "; addrx %d; stack_value; extend 64 64; const8u %s; select_bit_piece 64 64" % (i, hx(masks[i]))
    return text + "; regx 16; extend 64 64; const8u %s; select_bit_piece 64 64" % hx(masks[depth])


MASKS = [M64 >> 4, M64 >> 4 & 0x5555555555555555, 0x1515151515151515 >> 8, 0x10]
for depth in (1, 2, 3):
    where = []
    for i in range(64):
        at_lane = UNDEF
        for j in range(depth):
            if MASKS[j] >> i & 1:
                at_lane = imp(0x1F00 + 16 * j)
        if MASKS[depth] >> i & 1:
            at_lane = reg(16)
        where.append((64, at_lane))
    number = {"undefined": lambda l: None, "implicit": lambda l: l["value"], "register": lambda l: "0x2000"}
    case("lane pcs in ifs %d deep" % depth, nested(depth, MASKS),
         at(comp(*where), elements=[number[l["kind"]](l) for _, l in where]),
         dict(LPC, addresses=["0x1f00", "0x1f10", "0x1f20"]), read={"element_bits": 64, "count": 64})
case("a part of a part", "regx %d; piece 8; addr 0x1000; piece 8; piece_end; lit4; offset; piece 4; lit5; stack_value; piece 4" % V(0),
     at(comp((32, reg(V(0), 32)), (32, imp(5)))), regs(V0=None))
case("a part of two parts", "regx %d; piece 8; addr 0x1000; piece 8; piece_end; lit6; offset; piece 4" % V(0),
     at(comp((32, comp((64, reg(V(0))), (64, mem(0x1000)), bit=48)))), regs(V0=None))
case("a location of too many parts to print",
     "undefined; extend 8 8; extend 64 16; extend 1024 16; extend 16384 16; extend 262144 16", error("ill-formed"))
# Intel's compiler, for a thread of 8 lanes of which the one looked at is 5: DWARF register 16+n is rn, of 32 bytes.
file("intel")
grf = lambda n: "".join(le(n << 16 | i, 4) for i in range(8))
FRAME_BASE = 0x400000001000
GEN = {"lane": 5, "wave_size": 8, "registers": {
    "18": grf(2), "19": grf(3), "20": grf(4), "143": le(0, 16) + le(FRAME_BASE, 8) + le(0, 8)}}
case("Intel: a lane's private memory",
     "regx 143; const1u 128; const1u 64; push_bit_piece_stack; plus_uconst 16; push_simd_lane; lit4; mul; plus; plus_uconst 32",
     at(mem(FRAME_BASE + 16 + 5 * 4 + 32)), GEN)
case("Intel: 32 bits of a register",
     "push_simd_lane; lit3; shr; plus_uconst 19; regs; push_simd_lane; lit7; and; const1u 32; mul; const1u 32; "
     "push_bit_piece_stack; stack_value", at(imp(3 << 16 | 5), elements=[hx(3 << 16 | 5)]), GEN,
     read={"element_bits": 32, "count": 1})
case("Intel: 64 bits of two registers",
     "push_simd_lane; lit2; shr; plus_uconst 18; regs; push_simd_lane; lit3; and; const1u 64; mul; const1u 64; "
     "push_bit_piece_stack; stack_value", at(imp((3 << 16 | 3) << 32 | 3 << 16 | 2)), GEN)
case("Intel: a place", "const1u 20; regs", at(reg(20)), GEN)
case("Intel: a scalar", "regx 18; bit_piece 32 64", at(comp((32, reg(18, 64))), elements=[hx(2 << 16 | 2)]), GEN,
     options={"intel": True}, read={"element_bits": 32, "count": 1})
case("Intel: too many bits", "regx 18; lit0; const1u 65; push_bit_piece_stack", error("ill-formed"), GEN)
case("Intel: beyond the register", "regx 18; const1u 240; const1u 32; push_bit_piece_stack", error("out-of-range"), GEN)
case("Intel: no such register", "const2u 300; regs; lit0; const1u 32; push_bit_piece_stack", error("no-register"), GEN)
case("Intel: nothing to take bits of", "lit0; const1u 32; push_bit_piece_stack", error("stack-underflow"), GEN)
case("Intel: no lane", "push_simd_lane", error("missing-context"))
file("producers")
CLANG = {"stock_clang": True}
FRAME = ctx(LANE, regs(S33=0x1000, S4=7, V2=None, V3=None), frame_base=asm("regx %d" % S(33)), addresses=["0x80"])
for space in (1, 5):
    tail = "; lit%d; swap; xderef" % space
    case("stock clang %d: local" % space, "fbreg 8" + tail, at(mem(0x48, 5)), FRAME, options=CLANG)
    case("stock clang %d: local with flat scratch" % space, "fbreg 8" + tail, at(mem(0x1008, 5)), FRAME, options={"stock_clang": True, "flat_scratch": True})
    case("stock clang %d: in a VGPR" % space, "bregx %d 0" % V(2) + tail, at(reg(V(2), 160), elements=[hx(lane_of(2, 5))]), FRAME, options=CLANG,
         read={"element_bits": 32, "count": 1})
    case("stock clang %d: in an SGPR" % space, "bregx %d 0" % S(4) + tail, at(reg(S(4))), FRAME, options=CLANG)
    case("stock clang %d: in two VGPRs" % space, "bregx %d 0%s; piece 4; bregx %d 0%s; piece 4" % (V(2), tail, V(3), tail),
         at(comp((32, reg(V(2), 160)), (32, reg(V(3), 160)))), FRAME, options=CLANG)
    case("stock clang %d: constant" % space, "consts -3" + tail + "; stack_value", at(imp(-3)), FRAME, options=CLANG)
    case("stock clang %d: computed" % space, "bregx %d 0; convert 0x20; convert 0x30; constu 33; shl%s; stack_value" % (V(2), tail),
         at(imp(lane_of(2, 5) << 33)), ctx(FRAME, TYPES), options=CLANG)
case("stock clang: LDS", "addrx 0; lit3; swap; xderef", at(mem(0x80, 3)), FRAME, options=CLANG)
case("stock clang: flat", "addrx 0; lit1; swap; xderef", at(mem(0x80, 1)), FRAME, options=CLANG)
case("stock clang: whole VGPR", "regx %d" % V(2), at(reg(V(2), 160)), FRAME, options=CLANG)
case("stock clang: no lane", "bregx %d 0; lit1; swap; xderef" % V(2), error("missing-context"), regs(V2=None), options=CLANG)
