#include "textflag.h"
#include "go_asm.h"

// The operations of ops.go that profit from AVX2 and FMA most. A row is eight
// vectors of eight lanes, at offset BX from its beginning. What a mask leaves
// out is written back as it was.
//
// The twins are the functions of the same name in twin_*.go, without "256".

#define ENTER \
	MOVQ x+0(FP), AX \
	MOVQ Args_D(AX), DI \
	MOVQ Args_A(AX), SI \
	MOVQ Args_B(AX), DX \
	MOVQ Args_C(AX), CX \
	MOVQ Args_Mask(AX), R8 \
	MOVQ Args_In(AX), R9 \
	VMOVDQU bits<>(SB), Y15 \
	XORL BX, BX

// CONST puts a number into every lane.
#define CONST(v, x, y) \
	MOVL $v, R10 \
	VMOVD R10, x \
	VPBROADCASTD x, y

#define FN(name) TEXT name(SB), NOSPLIT, $0-8

// EXPAND makes all ones of the lanes for which the low byte of r has a bit.
#define EXPAND(r, x, y) \
	VMOVD r, x \
	VPBROADCASTD x, y \
	VPAND Y15, y, y \
	VPCMPEQD Y15, y, y

// LANES is a function whose body leaves eight lanes of the result in Y0.
#define LANES(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	CMPQ R8, $-1 \
	JNE some \
all: \
	BODY \
	VMOVDQU Y0, (DI)(BX*1) \
	ADDQ $32, BX \
	CMPQ BX, $256 \
	JB all \
	VZEROUPPER \
	RET \
some: \
	BODY \
	EXPAND(R8, X9, Y9) \
	VMOVDQU (DI)(BX*1), Y10 \
	VPBLENDVB Y9, Y0, Y10, Y0 \
	VMOVDQU Y0, (DI)(BX*1) \
	SHRQ $8, R8 \
	ADDQ $32, BX \
	CMPQ BX, $256 \
	JB some \
	VZEROUPPER \
	RET

#define NOTHING
#define A0 VMOVDQU (SI)(BX*1), Y0
#define B1 VMOVDQU (DX)(BX*1), Y1
#define C2 VMOVDQU (CX)(BX*1), Y2
#define BINARY(INS) \
	A0 \
	INS (DX)(BX*1), Y0, Y0
#define TWICE(FIRST, SECOND) \
	A0 \
	FIRST (DX)(BX*1), Y0, Y0 \
	SECOND (CX)(BX*1), Y0, Y0

#define ADDB BINARY(VPADDD)
#define SUBB BINARY(VPSUBD)
#define ANDB BINARY(VPAND)
#define ORB BINARY(VPOR)
#define XORB BINARY(VPXOR)
#define MULB BINARY(VPMULLD)
#define MINUB BINARY(VPMINUD)
#define MAXUB BINARY(VPMAXUD)
#define MINIB BINARY(VPMINSD)
#define MAXIB BINARY(VPMAXSD)
#define ADD3B TWICE(VPADDD, VPADDD)
#define ANDORB TWICE(VPAND, VPOR)
#define OR3B TWICE(VPOR, VPOR)
#define XORADDB TWICE(VPXOR, VPADDD)
#define F32IB VCVTDQ2PS (SI)(BX*1), Y0
LANES(·mov256, NOTHING, A0)
LANES(·add256, NOTHING, ADDB)
LANES(·sub256, NOTHING, SUBB)
LANES(·and256, NOTHING, ANDB)
LANES(·or256, NOTHING, ORB)
LANES(·xor256, NOTHING, XORB)
LANES(·mul256, NOTHING, MULB)
LANES(·minU256, NOTHING, MINUB)
LANES(·maxU256, NOTHING, MAXUB)
LANES(·minI256, NOTHING, MINIB)
LANES(·maxI256, NOTHING, MAXIB)
LANES(·add3256, NOTHING, ADD3B)
LANES(·andOr256, NOTHING, ANDORB)
LANES(·or3256, NOTHING, OR3B)
LANES(·xorAdd256, NOTHING, XORADDB)
LANES(·f32I256, NOTHING, F32IB)

#define ONES VPCMPEQD Y14, Y14, Y14
#define NOTB VPXOR (SI)(BX*1), Y14, Y0
#define XNORB \
	NOTB \
	VPXOR (DX)(BX*1), Y0, Y0
LANES(·not256, ONES, NOTB)
LANES(·xnor256, ONES, XNORB)

// Shifts take five bits of their counts.
#define BITS5 CONST(31, X14, Y14)
#define SHIFT(INS) \
	VPAND (SI)(BX*1), Y14, Y0 \
	B1 \
	INS Y0, Y1, Y0
#define SHLB SHIFT(VPSLLVD)
#define SHRB SHIFT(VPSRLVD)
#define SARB SHIFT(VPSRAVD)
#define SHLTHEN(THEN) \
	VPAND (DX)(BX*1), Y14, Y1 \
	A0 \
	VPSLLVD Y1, Y0, Y0 \
	THEN (CX)(BX*1), Y0, Y0
#define SHLADDB SHLTHEN(VPADDD)
#define SHLORB SHLTHEN(VPOR)
#define ADDSHLB \
	VPAND (CX)(BX*1), Y14, Y1 \
	BINARY(VPADDD) \
	VPSLLVD Y1, Y0, Y0
LANES(·shlRev256, BITS5, SHLB)
LANES(·shrRev256, BITS5, SHRB)
LANES(·sarRev256, BITS5, SARB)
LANES(·shlAdd256, BITS5, SHLADDB)
LANES(·shlOr256, BITS5, SHLORB)
LANES(·addShl256, BITS5, ADDSHLB)

#define BFESETUP \
	BITS5 \
	CONST(1, X13, Y13)
#define BFEUB \
	VPAND (DX)(BX*1), Y14, Y1 \
	VPAND (CX)(BX*1), Y14, Y2 \
	A0 \
	VPSRLVD Y1, Y0, Y0 \
	VPSLLVD Y2, Y13, Y2 \
	VPSUBD Y13, Y2, Y2 \
	VPAND Y2, Y0, Y0
LANES(·bfeU256, BFESETUP, BFEUB)

#define SIGNSB \
	B1 \
	VPANDN (SI)(BX*1), Y1, Y0 \
	VPXOR (CX)(BX*1), Y0, Y0
LANES(·signs256, NOTHING, SIGNSB)

#define SELECTB \
	A0 \
	B1 \
	EXPAND(R9, X2, Y2) \
	SHRQ $8, R9 \
	VPBLENDVB Y2, Y1, Y0, Y0
LANES(·select256, NOTHING, SELECTB)

// The processor makes the first NaN operand quiet, as it should be, but its
// own NaN is negative: where the result is one and the operands are ordered it
// becomes the positive one, in Y14.
#define NAN32 CONST(0x7fc00000, X14, Y14)
#define FLOAT(INS) \
	A0 \
	B1 \
	INS Y1, Y0, Y2 \
	VCMPPS $3, Y2, Y2, Y3 \
	VCMPPS $7, Y1, Y0, Y4 \
	VPAND Y3, Y4, Y3 \
	VBLENDVPS Y3, Y14, Y2, Y0
#define ADDF32B FLOAT(VADDPS)
#define SUBF32B FLOAT(VSUBPS)
#define MULF32B FLOAT(VMULPS)
LANES(·addF32256, NAN32, ADDF32B)
LANES(·subF32256, NAN32, SUBF32B)
LANES(·mulF32256, NAN32, MULF32B)

// A result that is a NaN is made anew: the positive one, or the first operand
// that is one, quiet.
#define FMASETUP \
	NAN32 \
	CONST(0x00400000, X13, Y13)
#define FIRSTNAN(x) \
	VCMPPS $3, x, x, Y5 \
	VPAND Y4, Y5, Y5 \
	VORPS Y13, x, Y6 \
	VBLENDVPS Y5, Y6, Y0, Y0
#define FMAF32B \
	VMOVUPS (SI)(BX*1), Y3 \
	B1 \
	C2 \
	VMOVAPS Y3, Y0 \
	VFMADD213PS Y2, Y1, Y0 \
	VCMPPS $3, Y0, Y0, Y4 \
	VBLENDVPS Y4, Y14, Y0, Y0 \
	FIRSTNAN(Y2) \
	FIRSTNAN(Y1) \
	FIRSTNAN(Y3)
LANES(·fmaF32256, FMASETUP, FMAF32B)

// COMPARE is a function whose body leaves all ones in lanes of Y0.
#define COMPARE(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	XORL R11, R11 \
next: \
	BODY \
	VMOVMSKPS Y0, R10 \
	SHRQ $8, R11 \
	SHLQ $56, R10 \
	ORQ R10, R11 \
	ADDQ $32, BX \
	CMPQ BX, $256 \
	JB next \
	ANDQ R8, R11 \
	MOVQ R11, Args_Out(AX) \
	VZEROUPPER \
	RET

#define EQUB BINARY(VPCMPEQD)
#define NEUB \
	EQUB \
	VPXOR Y14, Y0, Y0
#define LTIB \
	B1 \
	VPCMPGTD (SI)(BX*1), Y1, Y0
#define LEIB \
	A0 \
	VPCMPGTD (DX)(BX*1), Y0, Y0 \
	VPXOR Y14, Y0, Y0
COMPARE(·eqU256, NOTHING, EQUB)
COMPARE(·neU256, ONES, NEUB)
COMPARE(·ltI256, NOTHING, LTIB)
COMPARE(·leI256, ONES, LEIB)

// Unsigned numbers compare like signed ones with their top bits inverted.
#define TOP \
	ONES \
	CONST(0x80000000, X13, Y13)
#define FLIPPED \
	VPXOR (SI)(BX*1), Y13, Y0 \
	VPXOR (DX)(BX*1), Y13, Y1
#define LTUB \
	FLIPPED \
	VPCMPGTD Y0, Y1, Y0
#define LEUB \
	FLIPPED \
	VPCMPGTD Y1, Y0, Y0 \
	VPXOR Y14, Y0, Y0
COMPARE(·ltU256, TOP, LTUB)
COMPARE(·leU256, TOP, LEUB)

#define FCOMPARE(cond) \
	A0 \
	VCMPPS $cond, (DX)(BX*1), Y0, Y0
#define EQF32B FCOMPARE(0)
#define LTF32B FCOMPARE(17)
#define LEF32B FCOMPARE(18)
#define NEF32B FCOMPARE(12)
#define ORDF32B FCOMPARE(7)
COMPARE(·eqF32256, NOTHING, EQF32B)
COMPARE(·ltF32256, NOTHING, LTF32B)
COMPARE(·leF32256, NOTHING, LEF32B)
COMPARE(·neF32256, NOTHING, NEF32B)
COMPARE(·ordF32256, NOTHING, ORDF32B)

#define DIVF32B FLOAT(VDIVPS)
LANES(·divF32256, NAN32, DIVF32B)
#define SQRTF32B \
	A0 \
	VSQRTPS Y0, Y2 \
	VCMPPS $3, Y2, Y2, Y3 \
	VCMPPS $7, Y0, Y0, Y4 \
	VPAND Y3, Y4, Y3 \
	VBLENDVPS Y3, Y14, Y2, Y0
LANES(·sqrtF32256, NAN32, SQRTF32B)

#define TRUNCB VROUNDPS $11, (SI)(BX*1), Y0
#define FLOORB VROUNDPS $9, (SI)(BX*1), Y0
#define CEILB VROUNDPS $10, (SI)(BX*1), Y0
#define RINTB VROUNDPS $8, (SI)(BX*1), Y0
LANES(·truncF32256, NOTHING, TRUNCB)
LANES(·floorF32256, NOTHING, FLOORB)
LANES(·ceilF32256, NOTHING, CEILB)
LANES(·rintF32256, NOTHING, RINTB)

// The high half times 1<<16, which is exact, plus the low half, rounded once.
#define F32USETUP \
	CONST(0xffff, X14, Y14) \
	CONST(0x47800000, X13, Y13)
#define F32UB \
	A0 \
	VPAND Y14, Y0, Y1 \
	VPSRLD $16, Y0, Y0 \
	VCVTDQ2PS Y1, Y1 \
	VCVTDQ2PS Y0, Y0 \
	VFMADD213PS Y1, Y13, Y0
LANES(·f32U256, F32USETUP, F32UB)

// What is too large, and a NaN, converts to 1<<31: right for what is too small.
#define IF32SETUP \
	CONST(0x4f000000, X14, Y14) \
	CONST(0x7fffffff, X13, Y13)
#define IF32B \
	A0 \
	VCVTTPS2DQ Y0, Y1 \
	VCMPPS $29, Y14, Y0, Y2 \
	VBLENDVPS Y2, Y13, Y1, Y1 \
	VCMPPS $7, Y0, Y0, Y2 \
	VPAND Y2, Y1, Y0
LANES(·iF32256, IF32SETUP, IF32B)

// Less 1<<31, and that added again, where it is not below it; all ones from 1<<32 on. What is negative, and a NaN, is 0.
#define UF32SETUP \
	IF32SETUP \
	VPXOR Y13, Y13, Y13 \
	CONST(0x4f800000, X12, Y12)
#define UF32B \
	A0 \
	VMAXPS Y13, Y0, Y0 \
	VCMPPS $29, Y14, Y0, Y1 \
	VCMPPS $29, Y12, Y0, Y2 \
	VPAND Y1, Y14, Y3 \
	VSUBPS Y3, Y0, Y0 \
	VCVTTPS2DQ Y0, Y0 \
	VPSLLD $31, Y1, Y1 \
	VPXOR Y1, Y0, Y0 \
	VPOR Y2, Y0, Y0
LANES(·uF32256, UF32SETUP, UF32B)

// High halves of products: of the even lanes, and of the odd ones shifted down.
#define HIGH(INS) \
	A0 \
	B1 \
	INS Y1, Y0, Y2 \
	VPSRLQ $32, Y0, Y3 \
	VPSRLQ $32, Y1, Y4 \
	INS Y4, Y3, Y3 \
	VPSRLQ $32, Y2, Y2 \
	VPBLENDD $0xaa, Y3, Y2, Y0
#define MULHIUB HIGH(VPMULUDQ)
#define MULHIIB HIGH(VPMULDQ)
LANES(·mulHiU256, NOTHING, MULHIUB)
LANES(·mulHiI256, NOTHING, MULHIIB)

#define BITS24 CONST(0xffffff, X14, Y14)
#define MULU24B \
	VPAND (SI)(BX*1), Y14, Y0 \
	VPAND (DX)(BX*1), Y14, Y1 \
	VPMULLD Y1, Y0, Y0
#define SIGNED24(p, v) \
	VMOVDQU (p)(BX*1), v \
	VPSLLD $8, v, v \
	VPSRAD $8, v, v
#define MULI24B \
	SIGNED24(SI, Y0) \
	SIGNED24(DX, Y1) \
	VPMULLD Y1, Y0, Y0
#define PLUSC VPADDD (CX)(BX*1), Y0, Y0
#define MADU24B \
	MULU24B \
	PLUSC
#define MADI24B \
	MULI24B \
	PLUSC
LANES(·mulU24256, BITS24, MULU24B)
LANES(·mulI24256, NOTHING, MULI24B)
LANES(·madU24256, BITS24, MADU24B)
LANES(·madI24256, NOTHING, MADI24B)

// A shift by 32 leaves nothing.
#define BITS32 \
	BITS5 \
	CONST(32, X13, Y13)
#define BFEIB \
	VPAND (DX)(BX*1), Y14, Y1 \
	VPAND (CX)(BX*1), Y14, Y2 \
	A0 \
	VPSRAVD Y1, Y0, Y0 \
	VPSUBD Y2, Y13, Y2 \
	VPSLLVD Y2, Y0, Y0 \
	VPSRAVD Y2, Y0, Y0
#define ALIGNBITB \
	VPAND (CX)(BX*1), Y14, Y2 \
	VPSUBD Y2, Y13, Y3 \
	A0 \
	B1 \
	VPSLLVD Y3, Y0, Y0 \
	VPSRLVD Y2, Y1, Y1 \
	VPOR Y1, Y0, Y0
LANES(·bfeI256, BITS32, BFEIB)
LANES(·alignBit256, BITS32, ALIGNBITB)

#define BFIB \
	A0 \
	VPAND (DX)(BX*1), Y0, Y1 \
	VPANDN (CX)(BX*1), Y0, Y2 \
	VPOR Y2, Y1, Y0
LANES(·bfi256, NOTHING, BFIB)

#define ADDIN \
	VMOVQ R9, X14 \
	VPBROADCASTQ X14, Y14
#define INDEXB \
	VMOVDQU (DX)(BX*1), Y0 \
	VPMULDQ (CX)(BX*1), Y0, Y0 \
	VPADDQ (SI)(BX*1), Y0, Y0 \
	VPADDQ Y14, Y0, Y0
LANES(·index256, ADDIN, INDEXB)

// CARRIES is a function whose body leaves a result in Y0 and all ones in the lanes of Y1 that carry, of the lanes of Y2
// that a carry comes into. Y13 has the top bits and Y14 all ones.
#define CARRIES(name, BODY) \
	FN(name) \
	ENTER \
	TOP \
	XORL R11, R11 \
	MOVQ R8, R12 \
next: \
	EXPAND(R9, X2, Y2) \
	VMOVDQU (SI)(BX*1), Y3 \
	VMOVDQU (DX)(BX*1), Y4 \
	BODY \
	EXPAND(R8, X9, Y9) \
	VMOVDQU (DI)(BX*1), Y10 \
	VPBLENDVB Y9, Y0, Y10, Y0 \
	VMOVDQU Y0, (DI)(BX*1) \
	VMOVMSKPS Y1, R10 \
	SHRQ $8, R11 \
	SHLQ $56, R10 \
	ORQ R10, R11 \
	SHRQ $8, R8 \
	SHRQ $8, R9 \
	ADDQ $32, BX \
	CMPQ BX, $256 \
	JB next \
	ANDQ R12, R11 \
	MOVQ R11, Args_Out(AX) \
	VZEROUPPER \
	RET

// BELOW leaves all ones where x < y, without signs.
#define BELOW(x, y, d) \
	VPXOR x, Y13, Y5 \
	VPXOR y, Y13, Y6 \
	VPCMPGTD Y5, Y6, d
#define ADDCARRYB \
	VPADDD Y4, Y3, Y7 \
	BELOW(Y7, Y3, Y1) \
	VPCMPEQD Y14, Y7, Y8 \
	VPAND Y2, Y8, Y8 \
	VPOR Y8, Y1, Y1 \
	VPSUBD Y2, Y7, Y0
#define SUBBORROWB \
	VPSUBD Y4, Y3, Y7 \
	BELOW(Y3, Y4, Y1) \
	VPCMPEQD Y4, Y3, Y8 \
	VPAND Y2, Y8, Y8 \
	VPOR Y8, Y1, Y1 \
	VPADDD Y2, Y7, Y0
CARRIES(·addCarry256, ADDCARRYB)
CARRIES(·subBorrow256, SUBBORROWB)

// func merge256(d, s *Row, mask uint64)
TEXT ·merge256(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ s+8(FP), SI
	MOVQ mask+16(FP), R8
	VMOVDQU bits<>(SB), Y15
	XORL BX, BX
merge:
	EXPAND(R8, X9, Y9)
	VPMASKMOVD (SI)(BX*1), Y9, Y0
	VPMASKMOVD Y0, Y9, (DI)(BX*1)
	SHRQ $8, R8
	ADDQ $32, BX
	CMPQ BX, $256
	JB merge
	VZEROUPPER
	RET

// func fill256(d *Row, v uint32)
TEXT ·fill256(SB), NOSPLIT, $0-12
	MOVQ d+0(FP), DI
	MOVL v+8(FP), R10
	VMOVD R10, X0
	VPBROADCASTD X0, Y0
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y0, 32(DI)
	VMOVDQU Y0, 64(DI)
	VMOVDQU Y0, 96(DI)
	VMOVDQU Y0, 128(DI)
	VMOVDQU Y0, 160(DI)
	VMOVDQU Y0, 192(DI)
	VMOVDQU Y0, 224(DI)
	VZEROUPPER
	RET

// The bits of eight lanes.
DATA bits<>+0(SB)/8, $0x0000000200000001
DATA bits<>+8(SB)/8, $0x0000000800000004
DATA bits<>+16(SB)/8, $0x0000002000000010
DATA bits<>+24(SB)/8, $0x0000008000000040
GLOBL bits<>(SB), RODATA|NOPTR, $32
