#include "textflag.h"
#include "go_asm.h"

// Operations on the first vectors of rows, for AVX-512 (F, BW, DQ, VL). What is not written at all is not
// touched: a store under a mask keeps loads of its place waiting.

// ENTER fetches the operands: D in DI, A in SI, B in DX, C in CX, how many vectors of 64 bytes in R9, the
// mask in R10; R11 is 0 unless the mask has all of them. BX is the offset of a vector.
#define ENTER \
	MOVQ x+0(FP), AX \
	MOVQ ShortArgs_D(AX), DI \
	MOVQ ShortArgs_A(AX), SI \
	MOVQ ShortArgs_B(AX), DX \
	MOVQ ShortArgs_C(AX), CX \
	MOVQ ShortArgs_Vectors(AX), R9 \
	MOVL ShortArgs_Mask(AX), R10 \
	MOVBLZX ShortArgs_Full(AX), R11 \
	XORL BX, BX

#define FN(name) TEXT name(SB), NOSPLIT, $0-8

#define NOTHING
#define BITS5 \
	MOVL $31, R8 \
	VPBROADCASTD R8, Z31
#define BITS32 \
	MOVL $0xffffffff, R8 \
	VPBROADCASTQ R8, Z30
#define ODD \
	MOVL $0xaaaa, R8 \
	KMOVW R8, K5

// DWORDS is a function whose body leaves a vector of the result in Z16, 16 numbers.
#define DWORDS(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	TESTL R11, R11 \
	JEQ some \
all: \
	BODY \
	VMOVDQU64 Z16, (DI)(BX*1) \
	ADDQ $64, BX \
	DECQ R9 \
	JNE all \
	RET \
some: \
	BODY \
	KMOVW R10, K1 \
	VMOVDQU32 Z16, K1, (DI)(BX*1) \
	SHRL $16, R10 \
	ADDQ $64, BX \
	DECQ R9 \
	JNE some \
	RET

// QWORDS is a function whose body leaves a vector of the result in Z16, 8 numbers.
#define QWORDS(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	TESTL R11, R11 \
	JEQ some \
all: \
	BODY \
	VMOVDQU64 Z16, (DI)(BX*1) \
	ADDQ $64, BX \
	DECQ R9 \
	JNE all \
	RET \
some: \
	BODY \
	KMOVW R10, K1 \
	VMOVDQU64 Z16, K1, (DI)(BX*1) \
	SHRL $8, R10 \
	ADDQ $64, BX \
	DECQ R9 \
	JNE some \
	RET

#define ONENOT \
	VPTERNLOGQ $0xff, Z16, Z16, Z16 \
	VPXORQ (SI)(BX*1), Z16, Z16
DWORDS(·shortNot512, NOTHING, ONENOT)

#define ONEADD \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPADDD (DX)(BX*1), Z16, Z16
DWORDS(·shortAdd512, NOTHING, ONEADD)

#define ONESUB \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPSUBD (DX)(BX*1), Z16, Z16
DWORDS(·shortSub512, NOTHING, ONESUB)

#define ONEAND \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPANDD (DX)(BX*1), Z16, Z16
DWORDS(·shortAnd512, NOTHING, ONEAND)

#define ONEOR \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPORD (DX)(BX*1), Z16, Z16
DWORDS(·shortOr512, NOTHING, ONEOR)

#define ONEXOR \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPXORD (DX)(BX*1), Z16, Z16
DWORDS(·shortXor512, NOTHING, ONEXOR)

#define ONESHLREV \
	VPANDD (SI)(BX*1), Z31, Z17 \
	VMOVDQU64 (DX)(BX*1), Z16 \
	VPSLLVD Z17, Z16, Z16
DWORDS(·shortShlRev512, BITS5, ONESHLREV)

#define ONESHRREV \
	VPANDD (SI)(BX*1), Z31, Z17 \
	VMOVDQU64 (DX)(BX*1), Z16 \
	VPSRLVD Z17, Z16, Z16
DWORDS(·shortShrRev512, BITS5, ONESHRREV)

#define ONESARREV \
	VPANDD (SI)(BX*1), Z31, Z17 \
	VMOVDQU64 (DX)(BX*1), Z16 \
	VPSRAVD Z17, Z16, Z16
DWORDS(·shortSarRev512, BITS5, ONESARREV)

#define ONEMUL \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPMULLD (DX)(BX*1), Z16, Z16
DWORDS(·shortMul512, NOTHING, ONEMUL)

#define ONEMULHIU \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VMOVDQU64 (DX)(BX*1), Z17 \
	VPMULUDQ Z17, Z16, Z18 \
	VPSRLQ $32, Z16, Z16 \
	VPSRLQ $32, Z17, Z17 \
	VPMULUDQ Z17, Z16, Z19 \
	VPSRLQ $32, Z18, Z16 \
	VMOVDQA32 Z19, K5, Z16
DWORDS(·shortMulHiU512, ODD, ONEMULHIU)

#define ONEMULHII \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VMOVDQU64 (DX)(BX*1), Z17 \
	VPMULDQ Z17, Z16, Z18 \
	VPSRLQ $32, Z16, Z16 \
	VPSRLQ $32, Z17, Z17 \
	VPMULDQ Z17, Z16, Z19 \
	VPSRLQ $32, Z18, Z16 \
	VMOVDQA32 Z19, K5, Z16
DWORDS(·shortMulHiI512, ODD, ONEMULHII)

#define ONEADDF32 \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VADDPS (DX)(BX*1), Z16, Z16
DWORDS(·shortAddF32512, NOTHING, ONEADDF32)

#define ONESUBF32 \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VSUBPS (DX)(BX*1), Z16, Z16
DWORDS(·shortSubF32512, NOTHING, ONESUBF32)

#define ONEMULF32 \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VMULPS (DX)(BX*1), Z16, Z16
DWORDS(·shortMulF32512, NOTHING, ONEMULF32)

#define ONEFMAF32 \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VMOVDQU64 (DX)(BX*1), Z17 \
	VFMADD213PS (CX)(BX*1), Z17, Z16
DWORDS(·shortFmaF32512, NOTHING, ONEFMAF32)

#define ONEDIVF32 \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VDIVPS (DX)(BX*1), Z16, Z16
DWORDS(·shortDivF32512, NOTHING, ONEDIVF32)

#define ONESQRTF32 \
	VSQRTPS (SI)(BX*1), Z16
DWORDS(·shortSqrtF32512, NOTHING, ONESQRTF32)

#define ONEF32I \
	VCVTDQ2PS (SI)(BX*1), Z16
DWORDS(·shortF32I512, NOTHING, ONEF32I)

#define ONEF32U \
	VCVTUDQ2PS (SI)(BX*1), Z16
DWORDS(·shortF32U512, NOTHING, ONEF32U)

#define LONGADD \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPADDQ (DX)(BX*1), Z16, Z16
QWORDS(·shortWideAdd512, NOTHING, LONGADD)

#define LONGSUB \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPSUBQ (DX)(BX*1), Z16, Z16
QWORDS(·shortWideSub512, NOTHING, LONGSUB)

#define LONGMUL \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPMULLQ (DX)(BX*1), Z16, Z16
QWORDS(·shortWideMul512, NOTHING, LONGMUL)

#define LONGAND \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPANDQ (DX)(BX*1), Z16, Z16
QWORDS(·shortWideAnd512, NOTHING, LONGAND)

#define LONGOR \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPORQ (DX)(BX*1), Z16, Z16
QWORDS(·shortWideOr512, NOTHING, LONGOR)

#define LONGXOR \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPXORQ (DX)(BX*1), Z16, Z16
QWORDS(·shortWideXor512, NOTHING, LONGXOR)

#define LONGSHL \
	VPANDQ (DX)(BX*1), Z30, Z17 \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPSLLVQ Z17, Z16, Z16
QWORDS(·shortWideShl512, BITS32, LONGSHL)

#define LONGSHR \
	VPANDQ (DX)(BX*1), Z30, Z17 \
	VMOVDQU64 (SI)(BX*1), Z16 \
	VPSRLVQ Z17, Z16, Z16
QWORDS(·shortWideShr512, BITS32, LONGSHR)

// TESTS is a comparison of numbers, lanes of them in a vector.
#define TESTS(name, INS, how, lanes) \
	FN(name) \
	ENTER \
	XORL R12, R12 \
	XORL R13, R13 \
next: \
	VMOVDQU64 (SI)(BX*1), Z16 \
	INS $how, (DX)(BX*1), Z16, K1 \
	KMOVW K1, R8 \
	SHLXL R13, R8, R8 \
	ORL R8, R12 \
	ADDL $lanes, R13 \
	ADDQ $64, BX \
	DECQ R9 \
	JNE next \
	ANDL R10, R12 \
	MOVL R12, ShortArgs_Out(AX) \
	RET

TESTS(·shortEqU512, VPCMPUD, 0, 16)

TESTS(·shortLtU512, VPCMPUD, 1, 16)

TESTS(·shortLtI512, VPCMPD, 1, 16)

TESTS(·shortEqF32512, VCMPPS, 0, 16)

TESTS(·shortLtF32512, VCMPPS, 1, 16)

TESTS(·shortLeF32512, VCMPPS, 2, 16)

TESTS(·shortWideEqU512, VPCMPUQ, 0, 8)

TESTS(·shortWideLtU512, VPCMPUQ, 1, 8)

TESTS(·shortWideLtI64512, VPCMPQ, 1, 8)

TESTS(·shortWideEqF64512, VCMPPD, 0, 8)

TESTS(·shortWideLtF64512, VCMPPD, 1, 8)

TESTS(·shortWideLeF64512, VCMPPD, 2, 8)
