#include "textflag.h"
#include "go_asm.h"

// Operations on Wides for AVX2 and FMA, of all lanes: those that the mask leaves out are kept by who calls
// (wideMasked). A Wide is eight vectors of four lanes. The twins are the functions of the same name in
// wide_twin.go, without "256".

#define FN(name) TEXT name(SB), NOSPLIT, $0-8

// ENTER fetches the operands: D in DI, A in SI, B in DX, C in CX, WideArgs in AX.
#define ENTER \
	MOVQ x+0(FP), AX \
	MOVQ WideArgs_D(AX), DI \
	MOVQ WideArgs_A(AX), SI \
	MOVQ WideArgs_B(AX), DX \
	MOVQ WideArgs_C(AX), CX

// EIGHTHS is a function with a body for four lanes, and setup before.
#define EIGHTHS(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	BODY(0) \
	BODY(32) \
	BODY(64) \
	BODY(96) \
	BODY(128) \
	BODY(160) \
	BODY(192) \
	BODY(224) \
	VZEROUPPER \
	RET

#define NOTHING

// LOWS are all ones in the low halves of numbers.
#define LOWS \
	VPCMPEQD Y15, Y15, Y15 \
	VPSRLQ $32, Y15, Y15

// NANS is what a result is that is no number.
#define NANS VPBROADCASTQ WideArgs_NaN(AX), Y14

#define FLOATS \
	LOWS \
	NANS

#define BINARY(INS, o) \
	VMOVDQU o(SI), Y0 \
	INS o(DX), Y0, Y0 \
	VMOVDQU Y0, o(DI)

// LOW is BINARY for 32 bits.
#define LOW(INS, o) \
	VMOVDQU o(SI), Y0 \
	INS o(DX), Y0, Y0 \
	VPAND Y15, Y0, Y0 \
	VMOVDQU Y0, o(DI)

// FINISH puts the NaN in the place of others.
#define FINISH32(o) \
	VCMPPS $3, Y0, Y0, Y1 \
	VPBLENDVB Y1, Y14, Y0, Y0 \
	VPAND Y15, Y0, Y0 \
	VMOVDQU Y0, o(DI)

#define FINISH64(o) \
	VCMPPD $3, Y0, Y0, Y1 \
	VPBLENDVB Y1, Y14, Y0, Y0 \
	VMOVDQU Y0, o(DI)

#define FOURADD(o) BINARY(VPADDQ, o)
EIGHTHS(·wideAdd256, NOTHING, FOURADD)

#define FOURSUB(o) BINARY(VPSUBQ, o)
EIGHTHS(·wideSub256, NOTHING, FOURSUB)

#define FOURAND(o) BINARY(VPAND, o)
EIGHTHS(·wideAnd256, NOTHING, FOURAND)

#define FOUROR(o) BINARY(VPOR, o)
EIGHTHS(·wideOr256, NOTHING, FOUROR)

#define FOURXOR(o) BINARY(VPXOR, o)
EIGHTHS(·wideXor256, NOTHING, FOURXOR)

#define FOURMULU32(o) BINARY(VPMULUDQ, o)
EIGHTHS(·wideMulU32256, NOTHING, FOURMULU32)

#define FOURMULI32(o) BINARY(VPMULDQ, o)
EIGHTHS(·wideMulI32256, NOTHING, FOURMULI32)

#define FOURADD32(o) LOW(VPADDD, o)
EIGHTHS(·wideAdd32256, LOWS, FOURADD32)

#define FOURSUB32(o) LOW(VPSUBD, o)
EIGHTHS(·wideSub32256, LOWS, FOURSUB32)

#define FOURMUL32(o) LOW(VPMULLD, o)
EIGHTHS(·wideMul32256, LOWS, FOURMUL32)

#define FOURSHL32(o) LOW(VPSLLVD, o)
EIGHTHS(·wideShl32256, LOWS, FOURSHL32)

#define FOURSHR32(o) LOW(VPSRLVD, o)
EIGHTHS(·wideShr32256, LOWS, FOURSHR32)

#define FOURSAR32(o) LOW(VPSRAVD, o)
EIGHTHS(·wideSar32256, LOWS, FOURSAR32)

#define FOURMINI32(o) LOW(VPMINSD, o)
EIGHTHS(·wideMinI32256, LOWS, FOURMINI32)

#define FOURMAXI32(o) LOW(VPMAXSD, o)
EIGHTHS(·wideMaxI32256, LOWS, FOURMAXI32)

// PRODUCT is the low half of A * B.
#define PRODUCT(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPSRLQ $32, Y0, Y2 \
	VPMULUDQ Y1, Y2, Y2 \
	VPSRLQ $32, Y1, Y3 \
	VPMULUDQ Y0, Y3, Y3 \
	VPADDQ Y2, Y3, Y3 \
	VPSLLQ $32, Y3, Y3 \
	VPMULUDQ Y0, Y1, Y0 \
	VPADDQ Y3, Y0, Y0

#define FOURMUL(o) \
	PRODUCT(o) \
	VMOVDQU Y0, o(DI)
EIGHTHS(·wideMul256, NOTHING, FOURMUL)

#define FOURMAD(o) \
	PRODUCT(o) \
	VPADDQ o(CX), Y0, Y0 \
	VMOVDQU Y0, o(DI)
EIGHTHS(·wideMad256, NOTHING, FOURMAD)

#define FOURMADU32(o) \
	VMOVDQU o(SI), Y0 \
	VPMULUDQ o(DX), Y0, Y0 \
	VPADDQ o(CX), Y0, Y0 \
	VMOVDQU Y0, o(DI)
EIGHTHS(·wideMadU32256, NOTHING, FOURMADU32)

#define FOURMADI32(o) \
	VMOVDQU o(SI), Y0 \
	VPMULDQ o(DX), Y0, Y0 \
	VPADDQ o(CX), Y0, Y0 \
	VMOVDQU Y0, o(DI)
EIGHTHS(·wideMadI32256, NOTHING, FOURMADI32)

#define FOURMAD32(o) \
	VMOVDQU o(SI), Y0 \
	VPMULLD o(DX), Y0, Y0 \
	VPADDD o(CX), Y0, Y0 \
	VPAND Y15, Y0, Y0 \
	VMOVDQU Y0, o(DI)
EIGHTHS(·wideMad32256, LOWS, FOURMAD32)

// Shifts take 32 bits of their counts.
#define SHIFT(INS, o) \
	VPAND o(DX), Y15, Y1 \
	VMOVDQU o(SI), Y0 \
	INS Y1, Y0, Y0 \
	VMOVDQU Y0, o(DI)

#define FOURSHL(o) SHIFT(VPSLLVQ, o)
EIGHTHS(·wideShl256, LOWS, FOURSHL)

#define FOURSHR(o) SHIFT(VPSRLVQ, o)
EIGHTHS(·wideShr256, LOWS, FOURSHR)

#define FOURSIGNEXTEND32(o) \
	VMOVDQU o(SI), Y0 \
	VPSRAD $31, Y0, Y1 \
	VPSHUFD $0xa0, Y1, Y1 \
	VPBLENDD $0xaa, Y1, Y0, Y0 \
	VMOVDQU Y0, o(DI)
EIGHTHS(·wideSignExtend32256, NOTHING, FOURSIGNEXTEND32)

#define FOURADDF32(o) \
	VMOVDQU o(SI), Y0 \
	VADDPS o(DX), Y0, Y0 \
	FINISH32(o)
EIGHTHS(·wideAddF32256, FLOATS, FOURADDF32)

#define FOURADDF64(o) \
	VMOVDQU o(SI), Y0 \
	VADDPD o(DX), Y0, Y0 \
	FINISH64(o)
EIGHTHS(·wideAddF64256, NANS, FOURADDF64)

#define FOURSUBF32(o) \
	VMOVDQU o(SI), Y0 \
	VSUBPS o(DX), Y0, Y0 \
	FINISH32(o)
EIGHTHS(·wideSubF32256, FLOATS, FOURSUBF32)

#define FOURSUBF64(o) \
	VMOVDQU o(SI), Y0 \
	VSUBPD o(DX), Y0, Y0 \
	FINISH64(o)
EIGHTHS(·wideSubF64256, NANS, FOURSUBF64)

#define FOURMULF32(o) \
	VMOVDQU o(SI), Y0 \
	VMULPS o(DX), Y0, Y0 \
	FINISH32(o)
EIGHTHS(·wideMulF32256, FLOATS, FOURMULF32)

#define FOURMULF64(o) \
	VMOVDQU o(SI), Y0 \
	VMULPD o(DX), Y0, Y0 \
	FINISH64(o)
EIGHTHS(·wideMulF64256, NANS, FOURMULF64)

#define FOURDIVF32(o) \
	VMOVDQU o(SI), Y0 \
	VDIVPS o(DX), Y0, Y0 \
	FINISH32(o)
EIGHTHS(·wideDivF32256, FLOATS, FOURDIVF32)

#define FOURDIVF64(o) \
	VMOVDQU o(SI), Y0 \
	VDIVPD o(DX), Y0, Y0 \
	FINISH64(o)
EIGHTHS(·wideDivF64256, NANS, FOURDIVF64)

#define FOURFMAF32(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VFMADD213PS o(CX), Y1, Y0 \
	FINISH32(o)
EIGHTHS(·wideFmaF32256, FLOATS, FOURFMAF32)

#define FOURFMAF64(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VFMADD213PD o(CX), Y1, Y0 \
	FINISH64(o)
EIGHTHS(·wideFmaF64256, NANS, FOURFMAF64)

#define FOURSQRTF32(o) \
	VSQRTPS o(SI), Y0 \
	FINISH32(o)
EIGHTHS(·wideSqrtF32256, FLOATS, FOURSQRTF32)

#define FOURF32I(o) \
	VCVTDQ2PS o(SI), Y0 \
	VPAND Y15, Y0, Y0 \
	VMOVDQU Y0, o(DI)
EIGHTHS(·wideF32I256, LOWS, FOURF32I)

// TESTS is a function with a comparison of four lanes, whose results are the signs of Y0.
#define TESTS(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	XORL R8, R8 \
	SIGNS(BODY, 0) \
	SIGNS(BODY, 4) \
	SIGNS(BODY, 8) \
	SIGNS(BODY, 12) \
	SIGNS(BODY, 16) \
	SIGNS(BODY, 20) \
	SIGNS(BODY, 24) \
	SIGNS(BODY, 28) \
	ANDL WideArgs_Mask(AX), R8 \
	MOVL R8, WideArgs_Out(AX) \
	VZEROUPPER \
	RET

#define SIGNS(BODY, lane) \
	BODY(8*lane) \
	VMOVMSKPD Y0, R9 \
	SHLL $lane, R9 \
	ORL R9, R8

// SIGNBITS flips unsigned numbers into the order of signed ones.
#define SIGNBITS \
	VPCMPEQD Y13, Y13, Y13 \
	VPSLLQ $63, Y13, Y13

#define FOUREQU(o) \
	VMOVDQU o(SI), Y0 \
	VPCMPEQQ o(DX), Y0, Y0
TESTS(·wideEqU256, NOTHING, FOUREQU)

#define FOURLTU(o) \
	VPXOR o(SI), Y13, Y1 \
	VPXOR o(DX), Y13, Y0 \
	VPCMPGTQ Y1, Y0, Y0
TESTS(·wideLtU256, SIGNBITS, FOURLTU)

#define FOURLTI64(o) \
	VMOVDQU o(DX), Y0 \
	VPCMPGTQ o(SI), Y0, Y0
TESTS(·wideLtI64256, NOTHING, FOURLTI64)

#define FOURLTI32(o) \
	VMOVDQU o(DX), Y0 \
	VPCMPGTD o(SI), Y0, Y0 \
	VPSLLQ $32, Y0, Y0
TESTS(·wideLtI32256, NOTHING, FOURLTI32)

#define FOUREQF32(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPS $0, o(DX), Y0, Y0 \
	VPSLLQ $32, Y0, Y0
TESTS(·wideEqF32256, NOTHING, FOUREQF32)

#define FOUREQF64(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPD $0, o(DX), Y0, Y0
TESTS(·wideEqF64256, NOTHING, FOUREQF64)

#define FOURNEF32(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPS $12, o(DX), Y0, Y0 \
	VPSLLQ $32, Y0, Y0
TESTS(·wideNeF32256, NOTHING, FOURNEF32)

#define FOURNEF64(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPD $12, o(DX), Y0, Y0
TESTS(·wideNeF64256, NOTHING, FOURNEF64)

#define FOURLTF32(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPS $1, o(DX), Y0, Y0 \
	VPSLLQ $32, Y0, Y0
TESTS(·wideLtF32256, NOTHING, FOURLTF32)

#define FOURLTF64(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPD $1, o(DX), Y0, Y0
TESTS(·wideLtF64256, NOTHING, FOURLTF64)

#define FOURLEF32(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPS $2, o(DX), Y0, Y0 \
	VPSLLQ $32, Y0, Y0
TESTS(·wideLeF32256, NOTHING, FOURLEF32)

#define FOURLEF64(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPD $2, o(DX), Y0, Y0
TESTS(·wideLeF64256, NOTHING, FOURLEF64)

#define FOURORDF32(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPS $7, o(DX), Y0, Y0 \
	VPSLLQ $32, Y0, Y0
TESTS(·wideOrdF32256, NOTHING, FOURORDF32)

#define FOURORDF64(o) \
	VMOVDQU o(SI), Y0 \
	VCMPPD $7, o(DX), Y0, Y0
TESTS(·wideOrdF64256, NOTHING, FOURORDF64)
