#include "textflag.h"
#include "go_asm.h"

// The operations on Wides for AVX-512 (F, BW, DQ, VL). A Wide is four vectors of 8 lanes; K1 to K4 are the
// mask's quarters. Only Z16 to Z31 are used, which leave no upper halves behind for SSE code to stumble over.
//
// The twins are the functions of the same name in wide_twin.go and wide_move.go, without "512".

// ENTER fetches the operands: D in DI, A in SI, B in DX, C in CX, WideArgs in AX.
#define ENTER \
	MOVQ x+0(FP), AX \
	MOVQ WideArgs_D(AX), DI \
	MOVQ WideArgs_A(AX), SI \
	MOVQ WideArgs_B(AX), DX \
	MOVQ WideArgs_C(AX), CX \
	QUARTERMASKS(WideArgs_Mask(AX))

#define QUARTERMASKS(from) \
	KMOVD from, K1 \
	KSHIFTRD $8, K1, K2 \
	KSHIFTRD $16, K1, K3 \
	KSHIFTRD $24, K1, K4

#define FN(name) TEXT name(SB), NOSPLIT, $0-8

// QUARTERS is a function with a body for eight lanes, and setup before.
#define QUARTERS(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	BODY(0, K1) \
	BODY(64, K2) \
	BODY(128, K3) \
	BODY(192, K4) \
	RET

#define NOTHING

// LOWS selects the low halves of numbers: the upper ones become 0.
#define LOWS \
	MOVL $0x5555, R8 \
	KMOVW R8, K5

#define BINARYQ(INS, o, k) \
	VMOVDQU64 o(SI), Z16 \
	INS o(DX), Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)

#define LOWQ(INS, o, k) \
	VMOVDQU64 o(SI), Z16 \
	INS o(DX), Z16, K5, Z16 \
	VMOVDQU64 Z16, k, o(DI)

#define EIGHTADD(o, k) BINARYQ(VPADDQ, o, k)
QUARTERS(·wideAdd512, NOTHING, EIGHTADD)

#define EIGHTSUB(o, k) BINARYQ(VPSUBQ, o, k)
QUARTERS(·wideSub512, NOTHING, EIGHTSUB)

#define EIGHTMUL(o, k) BINARYQ(VPMULLQ, o, k)
QUARTERS(·wideMul512, NOTHING, EIGHTMUL)

#define EIGHTAND(o, k) BINARYQ(VPANDQ, o, k)
QUARTERS(·wideAnd512, NOTHING, EIGHTAND)

#define EIGHTOR(o, k) BINARYQ(VPORQ, o, k)
QUARTERS(·wideOr512, NOTHING, EIGHTOR)

#define EIGHTXOR(o, k) BINARYQ(VPXORQ, o, k)
QUARTERS(·wideXor512, NOTHING, EIGHTXOR)

#define EIGHTMINU(o, k) BINARYQ(VPMINUQ, o, k)
QUARTERS(·wideMinU512, NOTHING, EIGHTMINU)

#define EIGHTMAXU(o, k) BINARYQ(VPMAXUQ, o, k)
QUARTERS(·wideMaxU512, NOTHING, EIGHTMAXU)

#define EIGHTMULU32(o, k) BINARYQ(VPMULUDQ, o, k)
QUARTERS(·wideMulU32512, NOTHING, EIGHTMULU32)

#define EIGHTMULI32(o, k) BINARYQ(VPMULDQ, o, k)
QUARTERS(·wideMulI32512, NOTHING, EIGHTMULI32)

#define EIGHTADD32(o, k) LOWQ(VPADDD.Z, o, k)
QUARTERS(·wideAdd32512, LOWS, EIGHTADD32)

#define EIGHTSUB32(o, k) LOWQ(VPSUBD.Z, o, k)
QUARTERS(·wideSub32512, LOWS, EIGHTSUB32)

#define EIGHTMUL32(o, k) LOWQ(VPMULLD.Z, o, k)
QUARTERS(·wideMul32512, LOWS, EIGHTMUL32)

#define EIGHTSHL32(o, k) LOWQ(VPSLLVD.Z, o, k)
QUARTERS(·wideShl32512, LOWS, EIGHTSHL32)

#define EIGHTSHR32(o, k) LOWQ(VPSRLVD.Z, o, k)
QUARTERS(·wideShr32512, LOWS, EIGHTSHR32)

#define EIGHTSAR32(o, k) LOWQ(VPSRAVD.Z, o, k)
QUARTERS(·wideSar32512, LOWS, EIGHTSAR32)

#define EIGHTMINI32(o, k) LOWQ(VPMINSD.Z, o, k)
QUARTERS(·wideMinI32512, LOWS, EIGHTMINI32)

#define EIGHTMAXI32(o, k) LOWQ(VPMAXSD.Z, o, k)
QUARTERS(·wideMaxI32512, LOWS, EIGHTMAXI32)

// Shifts take 32 bits of their counts.
#define COUNTS \
	MOVL $0xffffffff, R8 \
	VPBROADCASTQ R8, Z31
#define SHIFTQ(INS, o, k) \
	VPANDQ o(DX), Z31, Z17 \
	VMOVDQU64 o(SI), Z16 \
	INS Z17, Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)
#define EIGHTSHL(o, k) SHIFTQ(VPSLLVQ, o, k)
#define EIGHTSHR(o, k) SHIFTQ(VPSRLVQ, o, k)
#define EIGHTSAR(o, k) SHIFTQ(VPSRAVQ, o, k)
QUARTERS(·wideShl512, COUNTS, EIGHTSHL)
QUARTERS(·wideShr512, COUNTS, EIGHTSHR)
QUARTERS(·wideSar512, COUNTS, EIGHTSAR)

#define EIGHTMAD(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VPMULLQ o(DX), Z16, Z16 \
	VPADDQ o(CX), Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideMad512, NOTHING, EIGHTMAD)

#define EIGHTMAD32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VPMULLD o(DX), Z16, Z16 \
	VPADDD.Z o(CX), Z16, K5, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideMad32512, LOWS, EIGHTMAD32)

#define EIGHTMADU32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VPMULUDQ o(DX), Z16, Z16 \
	VPADDQ o(CX), Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideMadU32512, NOTHING, EIGHTMADU32)

#define EIGHTMULHIU32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VPMULUDQ o(DX), Z16, Z16 \
	VPSRLQ $32, Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideMulHiU32512, NOTHING, EIGHTMULHIU32)

#define EIGHTMADI32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VPMULDQ o(DX), Z16, Z16 \
	VPADDQ o(CX), Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideMadI32512, NOTHING, EIGHTMADI32)

#define EIGHTMULHII32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VPMULDQ o(DX), Z16, Z16 \
	VPSRLQ $32, Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideMulHiI32512, NOTHING, EIGHTMULHII32)

#define EIGHTSIGNEXTEND32(o, k) \
	VPSLLQ $32, o(SI), Z16 \
	VPSRAQ $32, Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideSignExtend32512, NOTHING, EIGHTSIGNEXTEND32)

#define SELECTQ(o, k) \
	VMOVDQU64 o(DX), Z16 \
	VMOVDQU64 o(SI), K5, Z16 \
	VMOVDQU64 Z16, k, o(DI) \
	KSHIFTRD $8, K5, K5
#define CONDITIONS KMOVD WideArgs_In(AX), K5
QUARTERS(·wideSelect512, CONDITIONS, SELECTQ)

// Results that are no numbers become Z30.
#define FLOATS \
	LOWS \
	VPBROADCASTD WideArgs_NaN(AX), Z30
#define DOUBLES VPBROADCASTQ WideArgs_NaN(AX), Z30
#define FINISH32(o, k) \
	VCMPPS $3, Z16, Z16, K6 \
	VMOVDQA32 Z30, K6, Z16 \
	VMOVDQU64 Z16, k, o(DI)
#define FINISH64(o, k) \
	VCMPPD $3, Z16, Z16, K6 \
	VMOVDQA64 Z30, K6, Z16 \
	VMOVDQU64 Z16, k, o(DI)

#define EIGHTADDF32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VADDPS.Z o(DX), Z16, K5, Z16 \
	FINISH32(o, k)
QUARTERS(·wideAddF32512, FLOATS, EIGHTADDF32)

#define EIGHTADDF64(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VADDPD o(DX), Z16, Z16 \
	FINISH64(o, k)
QUARTERS(·wideAddF64512, DOUBLES, EIGHTADDF64)

#define EIGHTSUBF32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VSUBPS.Z o(DX), Z16, K5, Z16 \
	FINISH32(o, k)
QUARTERS(·wideSubF32512, FLOATS, EIGHTSUBF32)

#define EIGHTSUBF64(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VSUBPD o(DX), Z16, Z16 \
	FINISH64(o, k)
QUARTERS(·wideSubF64512, DOUBLES, EIGHTSUBF64)

#define EIGHTMULF32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VMULPS.Z o(DX), Z16, K5, Z16 \
	FINISH32(o, k)
QUARTERS(·wideMulF32512, FLOATS, EIGHTMULF32)

#define EIGHTMULF64(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VMULPD o(DX), Z16, Z16 \
	FINISH64(o, k)
QUARTERS(·wideMulF64512, DOUBLES, EIGHTMULF64)

#define EIGHTDIVF32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VDIVPS.Z o(DX), Z16, K5, Z16 \
	FINISH32(o, k)
QUARTERS(·wideDivF32512, FLOATS, EIGHTDIVF32)

#define EIGHTDIVF64(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VDIVPD o(DX), Z16, Z16 \
	FINISH64(o, k)
QUARTERS(·wideDivF64512, DOUBLES, EIGHTDIVF64)

#define EIGHTFMAF32(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VMOVDQU64 o(DX), Z17 \
	VFMADD213PS.Z o(CX), Z17, K5, Z16 \
	FINISH32(o, k)
QUARTERS(·wideFmaF32512, FLOATS, EIGHTFMAF32)

#define EIGHTFMAF64(o, k) \
	VMOVDQU64 o(SI), Z16 \
	VMOVDQU64 o(DX), Z17 \
	VFMADD213PD o(CX), Z17, Z16 \
	FINISH64(o, k)
QUARTERS(·wideFmaF64512, DOUBLES, EIGHTFMAF64)

#define EIGHTSQRTF32(o, k) \
	VSQRTPS.Z o(SI), K5, Z16 \
	FINISH32(o, k)
QUARTERS(·wideSqrtF32512, FLOATS, EIGHTSQRTF32)

// Where all bits of the exponent are 0, that of the sign is left.
#define FLUSH \
	LOWS \
	MOVL $0x7f800000, R8 \
	VPBROADCASTD R8, Z30 \
	MOVL $0x80000000, R8 \
	VPBROADCASTD R8, Z31
#define EIGHTFLUSHF32(o, k) \
	VMOVDQU32.Z o(SI), K5, Z16 \
	VPTESTNMD Z30, Z16, K6 \
	VPANDD Z31, Z16, K6, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideFlushF32512, FLUSH, EIGHTFLUSHF32)

#define EIGHTF32I(o, k) \
	VCVTDQ2PS.Z o(SI), K5, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideF32I512, LOWS, EIGHTF32I)

#define EIGHTF32U(o, k) \
	VCVTUDQ2PS.Z o(SI), K5, Z16 \
	VMOVDQU64 Z16, k, o(DI)
QUARTERS(·wideF32U512, LOWS, EIGHTF32U)

// TEST is a comparison: TESTQ leaves that of eight lanes in a mask.
#define TEST(name, TESTQ) \
	FN(name) \
	MOVQ x+0(FP), AX \
	MOVQ WideArgs_A(AX), SI \
	MOVQ WideArgs_B(AX), DX \
	KMOVD WideArgs_Mask(AX), K7 \
	TESTQ(0, K1) \
	TESTQ(64, K2) \
	TESTQ(128, K3) \
	TESTQ(192, K4) \
	KUNPCKBW K1, K2, K1 \
	KUNPCKBW K3, K4, K3 \
	KUNPCKWD K1, K3, K1 \
	KANDD K7, K1, K1 \
	KMOVD K1, WideArgs_Out(AX) \
	RET

#define TEST64Q(INS, how, o, k) \
	VMOVDQU64 o(SI), Z16 \
	INS how, o(DX), Z16, k
#define TEST32Q(INS, how, o, k) \
	VMOVDQU64 o(SI), Z16 \
	VMOVDQU64 o(DX), Z17 \
	VPMOVQD Z16, Y16 \
	VPMOVQD Z17, Y17 \
	INS how, Y17, Y16, k

#define EIGHTEQU(o, k) TEST64Q(VPCMPUQ, $0, o, k)
TEST(·wideEqU512, EIGHTEQU)

#define EIGHTLTU(o, k) TEST64Q(VPCMPUQ, $1, o, k)
TEST(·wideLtU512, EIGHTLTU)

#define EIGHTLTI64(o, k) TEST64Q(VPCMPQ, $1, o, k)
TEST(·wideLtI64512, EIGHTLTI64)

#define EIGHTLTI32(o, k) TEST32Q(VPCMPD, $1, o, k)
TEST(·wideLtI32512, EIGHTLTI32)

#define EIGHTEQF32(o, k) TEST32Q(VCMPPS, $0, o, k)
TEST(·wideEqF32512, EIGHTEQF32)

#define EIGHTNEF32(o, k) TEST32Q(VCMPPS, $12, o, k)
TEST(·wideNeF32512, EIGHTNEF32)

#define EIGHTLTF32(o, k) TEST32Q(VCMPPS, $1, o, k)
TEST(·wideLtF32512, EIGHTLTF32)

#define EIGHTLEF32(o, k) TEST32Q(VCMPPS, $2, o, k)
TEST(·wideLeF32512, EIGHTLEF32)

#define EIGHTORDF32(o, k) TEST32Q(VCMPPS, $7, o, k)
TEST(·wideOrdF32512, EIGHTORDF32)

#define EIGHTEQF64(o, k) TEST64Q(VCMPPD, $0, o, k)
TEST(·wideEqF64512, EIGHTEQF64)

#define EIGHTNEF64(o, k) TEST64Q(VCMPPD, $12, o, k)
TEST(·wideNeF64512, EIGHTNEF64)

#define EIGHTLTF64(o, k) TEST64Q(VCMPPD, $1, o, k)
TEST(·wideLtF64512, EIGHTLTF64)

#define EIGHTLEF64(o, k) TEST64Q(VCMPPD, $2, o, k)
TEST(·wideLeF64512, EIGHTLEF64)

#define EIGHTORDF64(o, k) TEST64Q(VCMPPD, $7, o, k)
TEST(·wideOrdF64512, EIGHTORDF64)

// LEAST takes three steps from eight numbers to one.
#define LEAST(INS, Z, Y, X, to) \
	VEXTRACTI64X4 $1, Z, Y25 \
	INS Y25, Y, Y \
	VEXTRACTI64X2 $1, Y, X25 \
	INS X25, X, X \
	VPSHUFD $0x4e, X, X25 \
	INS X25, X, X \
	VMOVQ X, to

#define REACHQ(o, k) \
	VPADDQ o(SI), Z31, Z16 \
	VMOVDQU64 Z16, o(DI) \
	VPMINUQ Z16, Z20, k, Z20 \
	VPMAXUQ Z16, Z21, k, Z21 \
	VPORQ Z16, Z22, k, Z22

FN(·reach512)
	MOVQ x+0(FP), AX
	MOVQ wideSpan_d(AX), DI
	MOVQ wideSpan_a(AX), SI
	VPBROADCASTQ wideSpan_add(AX), Z31
	QUARTERMASKS(wideSpan_mask(AX))
	VPTERNLOGQ $0xff, Z20, Z20, Z20
	VPXORQ Z21, Z21, Z21
	VPXORQ Z22, Z22, Z22
	REACHQ(0, K1)
	REACHQ(64, K2)
	REACHQ(128, K3)
	REACHQ(192, K4)
	LEAST(VPMINUQ, Z20, Y20, X20, wideSpan_lo(AX))
	LEAST(VPMAXUQ, Z21, Y21, X21, wideSpan_hi(AX))
	LEAST(VPORQ, Z22, Y22, X22, wideSpan_low(AX))
	RET

// The distances of items that lie side by side.
DATA apart4<>+0(SB)/8, $0
DATA apart4<>+8(SB)/8, $4
DATA apart4<>+16(SB)/8, $8
DATA apart4<>+24(SB)/8, $12
DATA apart4<>+32(SB)/8, $16
DATA apart4<>+40(SB)/8, $20
DATA apart4<>+48(SB)/8, $24
DATA apart4<>+56(SB)/8, $28
GLOBL apart4<>(SB), RODATA|NOPTR, $64

// MOVES fetches the operands: the row in DI, the places in SI, the address of place 0 in R8; the distances of
// items in Z30.
#define MOVES(scale) \
	MOVQ x+0(FP), AX \
	MOVQ wideMove_row(AX), DI \
	MOVQ wideMove_at(AX), SI \
	MOVQ wideMove_mem(AX), R8 \
	SUBQ wideMove_first(AX), R8 \
	QUARTERMASKS(wideMove_mask(AX)) \
	VMOVDQU64 apart4<>(SB), Z30 \
	VPSLLQ $scale, Z30, Z30

// SHAPE looks how eight places lie: ahead if those of the mask lie side by side, at R8 + R9. The distances from
// the first are in Z18.
#define SHAPE(o, k, ahead) \
	VMOVDQU64 o(SI), Z16 \
	MOVQ o(SI), R9 \
	VPBROADCASTQ R9, Z17 \
	VPSUBQ Z17, Z16, Z18 \
	VPCMPEQQ Z30, Z18, K5 \
	KANDNB k, K5, K6 \
	KORTESTB K6, K6 \
	JZ ahead

// ALLONE jumps if the places of the mask are the first.
#define ALLONE(k, one) \
	VPTESTNMQ Z18, Z18, K5 \
	KANDNB k, K5, K6 \
	KORTESTB K6, K6 \
	JZ one

#define LOAD32Q(o, k, ahead, one, done) \
	SHAPE(o, k, ahead) \
	ALLONE(k, one) \
	KMOVB k, K7 \
	VPGATHERQD (R8)(Z16*1), K7, Y19 \
	VPMOVZXDQ Y19, Z19 \
	JMP done \
one: \
	MOVL (R8)(R9*1), R10 \
	VPBROADCASTQ R10, Z19 \
	JMP done \
ahead: \
	VPMOVZXDQ.Z (R8)(R9*1), k, Z19 \
done: \
	VMOVDQU64 Z19, k, o(DI)

FN(·loadItems32512)
	MOVES(0)
	LOAD32Q(0, K1, ahead0, one0, done0)
	LOAD32Q(64, K2, ahead1, one1, done1)
	LOAD32Q(128, K3, ahead2, one2, done2)
	LOAD32Q(192, K4, ahead3, one3, done3)
	RET

#define LOAD64Q(o, k, ahead, one, done) \
	SHAPE(o, k, ahead) \
	ALLONE(k, one) \
	KMOVB k, K7 \
	VPGATHERQQ (R8)(Z16*1), K7, Z19 \
	JMP done \
one: \
	MOVQ (R8)(R9*1), R10 \
	VPBROADCASTQ R10, Z19 \
	JMP done \
ahead: \
	VMOVDQU64.Z (R8)(R9*1), k, Z19 \
done: \
	VMOVDQU64 Z19, k, o(DI)

FN(·loadItems64512)
	MOVES(1)
	LOAD64Q(0, K1, ahead0, one0, done0)
	LOAD64Q(64, K2, ahead1, one1, done1)
	LOAD64Q(128, K3, ahead2, one2, done2)
	LOAD64Q(192, K4, ahead3, one3, done3)
	RET

#define STORE32Q(o, k, ahead, done) \
	VMOVDQU64 o(DI), Z19 \
	SHAPE(o, k, ahead) \
	VPMOVQD Z19, Y19 \
	KMOVB k, K7 \
	VPSCATTERQD Y19, K7, (R8)(Z16*1) \
	JMP done \
ahead: \
	VPMOVQD Z19, k, (R8)(R9*1) \
done:

FN(·storeItems32512)
	MOVES(0)
	STORE32Q(0, K1, ahead0, done0)
	STORE32Q(64, K2, ahead1, done1)
	STORE32Q(128, K3, ahead2, done2)
	STORE32Q(192, K4, ahead3, done3)
	RET

#define STORE64Q(o, k, ahead, done) \
	VMOVDQU64 o(DI), Z19 \
	SHAPE(o, k, ahead) \
	KMOVB k, K7 \
	VPSCATTERQQ Z19, K7, (R8)(Z16*1) \
	JMP done \
ahead: \
	VMOVDQU64 Z19, k, (R8)(R9*1) \
done:

FN(·storeItems64512)
	MOVES(1)
	STORE64Q(0, K1, ahead0, done0)
	STORE64Q(64, K2, ahead1, done1)
	STORE64Q(128, K3, ahead2, done2)
	STORE64Q(192, K4, ahead3, done3)
	RET

// ROWS fetches the operands: the Wide in DI, rows of dwords in SI and DX.
#define ROWS \
	MOVQ lo+8(FP), SI \
	MOVQ hi+16(FP), DX \
	QUARTERMASKS(mask+24(FP)) \
	TESTQ DX, DX

#define JOINLOW(o, h, k) \
	VPMOVZXDQ h(SI), Z16 \
	VMOVDQU64 Z16, k, o(DI)
#define JOINBOTH(o, h, k) \
	VPMOVZXDQ h(SI), Z16 \
	VPMOVZXDQ h(DX), Z17 \
	VPSLLQ $32, Z17, Z17 \
	VPORQ Z17, Z16, Z16 \
	VMOVDQU64 Z16, k, o(DI)

TEXT ·join512(SB), NOSPLIT, $0-28
	MOVQ d+0(FP), DI
	ROWS
	JNE both
	JOINLOW(0, 0, K1)
	JOINLOW(64, 32, K2)
	JOINLOW(128, 64, K3)
	JOINLOW(192, 96, K4)
	RET
both:
	JOINBOTH(0, 0, K1)
	JOINBOTH(64, 32, K2)
	JOINBOTH(128, 64, K3)
	JOINBOTH(192, 96, K4)
	RET

#define PARTLOW(o, h, k) \
	VMOVDQU64 o(DI), Z16 \
	VPMOVQD Z16, k, h(SI)
#define PARTHIGH(o, h, k) \
	VPSRLQ $32, o(DI), Z16 \
	VPMOVQD Z16, k, h(DX)

TEXT ·part512(SB), NOSPLIT, $0-28
	MOVQ s+0(FP), DI
	ROWS
	JEQ low
	PARTHIGH(0, 0, K1)
	PARTHIGH(64, 32, K2)
	PARTHIGH(128, 64, K3)
	PARTHIGH(192, 96, K4)
low:
	PARTLOW(0, 0, K1)
	PARTLOW(64, 32, K2)
	PARTLOW(128, 64, K3)
	PARTLOW(192, 96, K4)
	RET
