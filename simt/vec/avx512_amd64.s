#include "textflag.h"
#include "go_asm.h"
#include "avx512_amd64.h"

// The operations of ops.go for AVX-512 (F, BW, DQ, VL). A row is four vectors
// of 16 lanes; K1 to K4 are the mask's quarters. Only Z16 to Z31 are used, which
// leave no upper halves behind for SSE code to stumble over.
//
// The twins are the functions of the same name in twin_*.go, without "512".

// UNARY, BINARY and so on are functions whose one instruction does all.
#define UNARYQ(INS, o, k) \
	INS o(SI), Z16 \
	VMOVDQU32 Z16, k, o(DI)

#define UNARY(name, INS) \
	FN(name) \
	ENTER \
	UNARYQ(INS, 0, K1) \
	UNARYQ(INS, 64, K2) \
	UNARYQ(INS, 128, K3) \
	UNARYQ(INS, 192, K4) \
	RET

#define BINARYQ(INS, o, k) \
	VMOVDQU32 o(SI), Z16 \
	INS o(DX), Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)

#define BINARY(name, INS) \
	FN(name) \
	ENTER \
	BINARYQ(INS, 0, K1) \
	BINARYQ(INS, 64, K2) \
	BINARYQ(INS, 128, K3) \
	BINARYQ(INS, 192, K4) \
	RET

UNARY(·mov512, VMOVDQU32)
BINARY(·add512, VPADDD)
BINARY(·sub512, VPSUBD)
BINARY(·and512, VPANDD)
BINARY(·or512, VPORD)
BINARY(·xor512, VPXORD)
BINARY(·mul512, VPMULLD)
BINARY(·minU512, VPMINUD)
BINARY(·maxU512, VPMAXUD)
BINARY(·minI512, VPMINSD)
BINARY(·maxI512, VPMAXSD)

#define ONES VPTERNLOGD $0xff, Z31, Z31, Z31
#define NOTQ(o, k) \
	VPXORD o(SI), Z31, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·not512, ONES, NOTQ)

#define XNORQ(o, k) \
	VPXORD o(SI), Z31, Z16 \
	VPXORD o(DX), Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·xnor512, ONES, XNORQ)

// Shifts take five bits of their counts.
#define BITS5 CONST(31, Z31)
#define SHIFTQ(INS, o, k) \
	VPANDD o(SI), Z31, Z16 \
	VMOVDQU32 o(DX), Z17 \
	INS Z16, Z17, Z16 \
	VMOVDQU32 Z16, k, o(DI)
#define SHLV(o, k) SHIFTQ(VPSLLVD, o, k)
#define SHRV(o, k) SHIFTQ(VPSRLVD, o, k)
#define SARV(o, k) SHIFTQ(VPSRAVD, o, k)
QUARTERS(·shlRev512, BITS5, SHLV)
QUARTERS(·shrRev512, BITS5, SHRV)
QUARTERS(·sarRev512, BITS5, SARV)

// The high halves of the products of even lanes come down, those of odd ones
// are where they belong.
#define ODD \
	MOVL $0xaaaa, R8 \
	KMOVW R8, K5
#define MULHIQ(INS, o, k) \
	VMOVDQU32 o(SI), Z16 \
	VMOVDQU32 o(DX), Z17 \
	INS Z17, Z16, Z18 \
	VPSRLQ $32, Z16, Z16 \
	VPSRLQ $32, Z17, Z17 \
	INS Z17, Z16, Z19 \
	VPSRLQ $32, Z18, Z18 \
	VMOVDQA32 Z19, K5, Z18 \
	VMOVDQU32 Z18, k, o(DI)
#define MULHIUQ(o, k) MULHIQ(VPMULUDQ, o, k)
#define MULHIIQ(o, k) MULHIQ(VPMULDQ, o, k)
QUARTERS(·mulHiU512, ODD, MULHIUQ)
QUARTERS(·mulHiI512, ODD, MULHIIQ)

#define BITS24 CONST(0xffffff, Z31)
#define U24(o) \
	VPANDD o(SI), Z31, Z16 \
	VPANDD o(DX), Z31, Z17 \
	VPMULLD Z17, Z16, Z16
#define I24(o) \
	VMOVDQU32 o(SI), Z16 \
	VMOVDQU32 o(DX), Z17 \
	VPSLLD $8, Z16, Z16 \
	VPSLLD $8, Z17, Z17 \
	VPSRAD $8, Z16, Z16 \
	VPSRAD $8, Z17, Z17 \
	VPMULLD Z17, Z16, Z16
#define MULU24Q(o, k) \
	U24(o) \
	VMOVDQU32 Z16, k, o(DI)
#define MULI24Q(o, k) \
	I24(o) \
	VMOVDQU32 Z16, k, o(DI)
#define MADU24Q(o, k) \
	U24(o) \
	VPADDD o(CX), Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
#define MADI24Q(o, k) \
	I24(o) \
	VPADDD o(CX), Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·mulU24512, BITS24, MULU24Q)
QUARTERS(·mulI24512, NOTHING, MULI24Q)
QUARTERS(·madU24512, BITS24, MADU24Q)
QUARTERS(·madI24512, NOTHING, MADI24Q)

#define TWICEQ(FIRST, SECOND, o, k) \
	VMOVDQU32 o(SI), Z16 \
	FIRST o(DX), Z16, Z16 \
	SECOND o(CX), Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
#define ADD3Q(o, k) TWICEQ(VPADDD, VPADDD, o, k)
#define ANDORQ(o, k) TWICEQ(VPANDD, VPORD, o, k)
#define OR3Q(o, k) TWICEQ(VPORD, VPORD, o, k)
QUARTERS(·add3512, NOTHING, ADD3Q)
QUARTERS(·andOr512, NOTHING, ANDORQ)
QUARTERS(·or3512, NOTHING, OR3Q)

#define XORADDQ(o, k) TWICEQ(VPXORD, VPADDD, o, k)
QUARTERS(·xorAdd512, NOTHING, XORADDQ)

#define SHLTHENQ(THEN, o, k) \
	VPANDD o(DX), Z31, Z17 \
	VMOVDQU32 o(SI), Z16 \
	VPSLLVD Z17, Z16, Z16 \
	THEN o(CX), Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
#define SHLADDQ(o, k) SHLTHENQ(VPADDD, o, k)
#define SHLORQ(o, k) SHLTHENQ(VPORD, o, k)
QUARTERS(·shlAdd512, BITS5, SHLADDQ)
QUARTERS(·shlOr512, BITS5, SHLORQ)

#define ADDSHLQ(o, k) \
	VPANDD o(CX), Z31, Z17 \
	VMOVDQU32 o(SI), Z16 \
	VPADDD o(DX), Z16, Z16 \
	VPSLLVD Z17, Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·addShl512, BITS5, ADDSHLQ)

#define BFEUSETUP \
	CONST(31, Z31) \
	CONST(1, Z30)
#define BFEUQ(o, k) \
	VPANDD o(DX), Z31, Z17 \
	VPANDD o(CX), Z31, Z18 \
	VMOVDQU32 o(SI), Z16 \
	VPSRLVD Z17, Z16, Z16 \
	VPSLLVD Z18, Z30, Z18 \
	VPSUBD Z30, Z18, Z18 \
	VPANDD Z18, Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·bfeU512, BFEUSETUP, BFEUQ)

#define BFEISETUP \
	CONST(31, Z31) \
	CONST(32, Z30)
#define BFEIQ(o, k) \
	VPANDD o(DX), Z31, Z17 \
	VPANDD o(CX), Z31, Z18 \
	VPSUBD Z18, Z30, Z18 \
	VMOVDQU32 o(SI), Z16 \
	VPSRAVD Z17, Z16, Z16 \
	VPSLLVD Z18, Z16, Z16 \
	VPSRAVD Z18, Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·bfeI512, BFEISETUP, BFEIQ)

// 0xca is the truth table of "b where a, else c".
#define BFIQ(o, k) \
	VMOVDQU32 o(SI), Z16 \
	VMOVDQU32 o(DX), Z17 \
	VPTERNLOGD $0xca, o(CX), Z17, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·bfi512, NOTHING, BFIQ)

#define ALIGNQ(o, k) \
	VPANDD o(CX), Z31, Z17 \
	VPXORD Z17, Z31, Z18 \
	VMOVDQU32 o(SI), Z16 \
	VMOVDQU32 o(DX), Z19 \
	VPADDD Z16, Z16, Z16 \
	VPSLLVD Z18, Z16, Z16 \
	VPSRLVD Z17, Z19, Z19 \
	VPORD Z19, Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·alignBit512, BITS5, ALIGNQ)

// 0x9a is the truth table of "(a and not b) xor c".
#define SIGNSQ(o, k) \
	VMOVDQU32 o(SI), Z16 \
	VMOVDQU32 o(DX), Z17 \
	VPTERNLOGD $0x9a, o(CX), Z17, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·signs512, NOTHING, SIGNSQ)

// K5 is the mask source, its next quarter lowest.
#define INMASK KMOVQ Args_In(AX), K5
#define SELECTQ(o, k) \
	VMOVDQU32 o(SI), Z16 \
	VMOVDQU32 o(DX), K5, Z16 \
	KSHIFTRQ $16, K5, K5 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·select512, INMASK, SELECTQ)

// A mask result grows in R9 from the top, a quarter at a time.
#define OUTQ(k) \
	KMOVW k, R8 \
	SHRQ $16, R9 \
	SHLQ $48, R8 \
	ORQ R8, R9
#define LEAVE \
	ANDQ Args_Mask(AX), R9 \
	MOVQ R9, Args_Out(AX) \
	RET

#define OUTMASKS(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	XORL R9, R9 \
	BODY(0, K1) \
	BODY(64, K2) \
	BODY(128, K3) \
	BODY(192, K4) \
	LEAVE

#define CARRYIN \
	KMOVQ Args_In(AX), K5 \
	ONES
#define ADDCARRYQ(o, k) \
	VMOVDQU32 o(SI), Z16 \
	VPADDD o(DX), Z16, Z17 \
	VPCMPUD $1, Z16, Z17, K6 \
	VPCMPEQD Z31, Z17, K5, K7 \
	KORW K6, K7, K6 \
	VPSUBD Z31, Z17, K5, Z17 \
	KSHIFTRQ $16, K5, K5 \
	VMOVDQU32 Z17, k, o(DI) \
	OUTQ(K6)
OUTMASKS(·addCarry512, CARRYIN, ADDCARRYQ)

#define SUBBORROWQ(o, k) \
	VMOVDQU32 o(SI), Z16 \
	VMOVDQU32 o(DX), Z18 \
	VPSUBD Z18, Z16, Z17 \
	VPCMPUD $1, Z18, Z16, K6 \
	VPCMPEQD Z18, Z16, K5, K7 \
	KORW K6, K7, K6 \
	VPADDD Z31, Z17, K5, Z17 \
	KSHIFTRQ $16, K5, K5 \
	VMOVDQU32 Z17, k, o(DI) \
	OUTQ(K6)
OUTMASKS(·subBorrow512, CARRYIN, SUBBORROWQ)

#define CMPQ(INS, cond, o) \
	VMOVDQU32 o(SI), Z16 \
	INS $cond, o(DX), Z16, K5 \
	OUTQ(K5)
#define EQUQ(o, k) CMPQ(VPCMPUD, 0, o)
#define NEUQ(o, k) CMPQ(VPCMPUD, 4, o)
#define LTUQ(o, k) CMPQ(VPCMPUD, 1, o)
#define LEUQ(o, k) CMPQ(VPCMPUD, 2, o)
#define LTIQ(o, k) CMPQ(VPCMPD, 1, o)
#define LEIQ(o, k) CMPQ(VPCMPD, 2, o)
#define EQF32Q(o, k) CMPQ(VCMPPS, 0, o)
#define LTF32Q(o, k) CMPQ(VCMPPS, 17, o)
#define LEF32Q(o, k) CMPQ(VCMPPS, 18, o)
#define NEF32Q(o, k) CMPQ(VCMPPS, 12, o)
#define ORDF32Q(o, k) CMPQ(VCMPPS, 7, o)
OUTMASKS(·eqU512, NOTHING, EQUQ)
OUTMASKS(·neU512, NOTHING, NEUQ)
OUTMASKS(·ltU512, NOTHING, LTUQ)
OUTMASKS(·leU512, NOTHING, LEUQ)
OUTMASKS(·ltI512, NOTHING, LTIQ)
OUTMASKS(·leI512, NOTHING, LEIQ)
OUTMASKS(·eqF32512, NOTHING, EQF32Q)
OUTMASKS(·ltF32512, NOTHING, LTF32Q)
OUTMASKS(·leF32512, NOTHING, LEF32Q)
OUTMASKS(·neF32512, NOTHING, NEF32Q)
OUTMASKS(·ordF32512, NOTHING, ORDF32Q)

// The processor makes the first NaN operand quiet, as it should be, but its
// own NaN is negative: where the result is one and the operands are ordered it
// becomes the positive one, in Z31.
#define NAN32 CONST(0x7fc00000, Z31)
#define FLOATQ(INS, o, k) \
	VMOVUPS o(SI), Z16 \
	VMOVUPS o(DX), Z17 \
	INS Z17, Z16, Z18 \
	VCMPPS $3, Z18, Z18, K5 \
	VCMPPS $7, Z17, Z16, K5, K5 \
	VMOVAPS Z31, K5, Z18 \
	VMOVUPS Z18, k, o(DI)
#define ADDF32Q(o, k) FLOATQ(VADDPS, o, k)
#define SUBF32Q(o, k) FLOATQ(VSUBPS, o, k)
#define MULF32Q(o, k) FLOATQ(VMULPS, o, k)
QUARTERS(·addF32512, NAN32, ADDF32Q)
QUARTERS(·subF32512, NAN32, SUBF32Q)
QUARTERS(·mulF32512, NAN32, MULF32Q)
#define DIVF32Q(o, k) FLOATQ(VDIVPS, o, k)
QUARTERS(·divF32512, NAN32, DIVF32Q)

#define SQRTQ(o, k) \
	VMOVUPS o(SI), Z16 \
	VSQRTPS Z16, Z18 \
	VCMPPS $3, Z18, Z18, K5 \
	VCMPPS $7, Z16, Z16, K5, K5 \
	VMOVAPS Z31, K5, Z18 \
	VMOVUPS Z18, k, o(DI)
QUARTERS(·sqrtF32512, NAN32, SQRTQ)

#define ADDIN VPBROADCASTQ Args_In(AX), Z31
#define INDEXQ(o, k) \
	VMOVDQU64 o(DX), Z16 \
	VPMULDQ o(CX), Z16, Z16 \
	VPADDQ o(SI), Z16, Z16 \
	VPADDQ Z31, Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·index512, ADDIN, INDEXQ)

// The functions from here on write nothing and set Args.Out to 1 if a lane of
// the mask needs the twin.
#define DONE \
	MOVQ $0, Args_Out(AX) \
	RET
#define GIVEUP \
	MOVQ $1, Args_Out(AX) \
	RET
#define WRITE(z16, z17, z18, z19) \
	VMOVUPS z16, K1, 0(DI) \
	VMOVUPS z17, K2, 64(DI) \
	VMOVUPS z18, K3, 128(DI) \
	VMOVUPS z19, K4, 192(DI)

// ANYNAN: a lane of the mask is a NaN in Z16 to Z19.
#define ANYNAN(label) \
	VCMPPS $3, Z16, Z16, K1, K5 \
	VCMPPS $3, Z17, Z17, K2, K6 \
	KORW K5, K6, K5 \
	VCMPPS $3, Z18, Z18, K3, K6 \
	VCMPPS $3, Z19, Z19, K4, K7 \
	KORW K6, K7, K6 \
	KORTESTW K5, K6 \
	JNZ label

FN(·fmaF32512)
	ENTER
	VMOVUPS 0(SI), Z16
	VMOVUPS 64(SI), Z17
	VMOVUPS 128(SI), Z18
	VMOVUPS 192(SI), Z19
	VMOVUPS 0(DX), Z20
	VMOVUPS 64(DX), Z21
	VMOVUPS 128(DX), Z22
	VMOVUPS 192(DX), Z23
	VFMADD213PS 0(CX), Z20, Z16
	VFMADD213PS 64(CX), Z21, Z17
	VFMADD213PS 128(CX), Z22, Z18
	VFMADD213PS 192(CX), Z23, Z19
	ANYNAN(nan)
	WRITE(Z16, Z17, Z18, Z19)
	DONE
nan:
	GIVEUP

// FLUSH makes the denormals of a vector zeros of their sign: Z31 is the
// exponent's bits, Z30 the sign.
#define FLUSH(z) \
	VPTESTNMD Z31, z, K5 \
	VPANDD Z30, z, K5, z
#define MADQ(o, z) \
	VMOVUPS o(SI), z \
	VMOVUPS o(DX), Z24 \
	VMOVUPS o(CX), Z25 \
	FLUSH(z) \
	FLUSH(Z24) \
	FLUSH(Z25) \
	VMULPS Z24, z, z \
	FLUSH(z) \
	VADDPS Z25, z, z \
	FLUSH(z)
FN(·madF32512)
	ENTER
	CONST(0x7f800000, Z31)
	CONST(0x80000000, Z30)
	MADQ(0, Z16)
	MADQ(64, Z17)
	MADQ(128, Z18)
	MADQ(192, Z19)
	ANYNAN(nan)
	WRITE(Z16, Z17, Z18, Z19)
	DONE
nan:
	GIVEUP

// Equal operands differ at most in the sign of 0, of which JOIN chooses.
#define EXTREMEQ(INS, JOIN, o, z) \
	VMOVUPS o(SI), z \
	VMOVUPS o(DX), Z24 \
	VCMPPS $0, Z24, z, K5 \
	VCMPPS $3, Z24, z, K6 \
	KMOVW K6, R8 \
	SHRQ $16, R9 \
	SHLQ $48, R8 \
	ORQ R8, R9 \
	JOIN Z24, z, Z25 \
	INS Z24, z, z \
	VMOVDQA32 Z25, K5, z
#define EXTREME(name, INS, JOIN) \
	FN(name) \
	ENTER \
	XORL R9, R9 \
	EXTREMEQ(INS, JOIN, 0, Z16) \
	EXTREMEQ(INS, JOIN, 64, Z17) \
	EXTREMEQ(INS, JOIN, 128, Z18) \
	EXTREMEQ(INS, JOIN, 192, Z19) \
	ANDQ Args_Mask(AX), R9 \
	JNZ nan \
	WRITE(Z16, Z17, Z18, Z19) \
	DONE \
nan: \
	GIVEUP
EXTREME(·minF32512, VMINPS, VPORD)
EXTREME(·maxF32512, VMAXPS, VPANDD)

// Exponents from 1 to 252 have a reciprocal that is normal.
#define RCPQ(o, z, k) \
	VMOVUPS o(SI), Z24 \
	VPSLLD $1, Z24, Z25 \
	VPSRLD $24, Z25, Z25 \
	VPSUBD Z29, Z25, Z25 \
	VPCMPUD $6, Z28, Z25, k, K5 \
	VDIVPS Z24, Z30, z \
	KMOVW K5, R8 \
	ORL R8, R9
FN(·rcpF32512)
	ENTER
	XORL R9, R9
	CONST(0x3f800000, Z30)
	CONST(1, Z29)
	CONST(251, Z28)
	RCPQ(0, Z16, K1)
	RCPQ(64, Z17, K2)
	RCPQ(128, Z18, K3)
	RCPQ(192, Z19, K4)
	TESTL R9, R9
	JNZ other
	WRITE(Z16, Z17, Z18, Z19)
	DONE
other:
	GIVEUP

#define ROUNDQ(how, o, k) \
	VRNDSCALEPS $how, o(SI), Z16 \
	VMOVUPS Z16, k, o(DI)
#define TRUNCQ(o, k) ROUNDQ(11, o, k)
#define FLOORQ(o, k) ROUNDQ(9, o, k)
#define CEILQ(o, k) ROUNDQ(10, o, k)
#define RINTQ(o, k) ROUNDQ(8, o, k)
QUARTERS(·truncF32512, NOTHING, TRUNCQ)
QUARTERS(·floorF32512, NOTHING, FLOORQ)
QUARTERS(·ceilF32512, NOTHING, CEILQ)
QUARTERS(·rintF32512, NOTHING, RINTQ)

UNARY(·f32I512, VCVTDQ2PS)
UNARY(·f32U512, VCVTUDQ2PS)

// What is too large, and a NaN, converts to 1<<31: right for what is too small.
#define IF32SETUP \
	CONST(0x4f000000, Z31) \
	CONST(0x7fffffff, Z30)
#define IF32Q(o, k) \
	VMOVUPS o(SI), Z16 \
	VCVTTPS2DQ Z16, Z17 \
	VCMPPS $29, Z31, Z16, K5 \
	VMOVDQA32 Z30, K5, Z17 \
	VCMPPS $7, Z16, Z16, K5 \
	VMOVDQA32.Z Z17, K5, Z17 \
	VMOVDQU32 Z17, k, o(DI)
QUARTERS(·iF32512, IF32SETUP, IF32Q)

// What is too large converts to all ones, as it should, but so do a NaN and
// what is negative, which are not at least 0.
#define ZERO VPXORD Z31, Z31, Z31
#define UF32Q(o, k) \
	VMOVUPS o(SI), Z16 \
	VCVTTPS2UDQ Z16, Z17 \
	VCMPPS $29, Z31, Z16, K5 \
	VMOVDQA32.Z Z17, K5, Z17 \
	VMOVDQU32 Z17, k, o(DI)
QUARTERS(·uF32512, ZERO, UF32Q)

// PAIR joins two rows to 64-bit numbers, those of lanes 0, 1, 4, 5 … and those
// of 2, 3, 6, 7 …; SPLIT takes them apart.
#define PAIR(lo, hi, even, odd) \
	VMOVDQU32 lo, Z16 \
	VMOVDQU32 hi, Z17 \
	VPUNPCKLDQ Z17, Z16, even \
	VPUNPCKHDQ Z17, Z16, odd
#define SPLIT(even, odd, o, k) \
	VSHUFPS $0x88, odd, even, Z16 \
	VSHUFPS $0xdd, odd, even, Z17 \
	VMOVDQU32 Z16, k, o(DI) \
	VMOVDQU32 Z17, k, o(R10)

#define BITS6 \
	HIGHS \
	CONST64(63, Z31)
#define SHIFT64Q(INS, o, k) \
	PAIR(o(SI), o(SI), Z18, Z19) \
	VPANDQ Z31, Z18, Z18 \
	VPANDQ Z31, Z19, Z19 \
	PAIR(o(DX), o(R12), Z20, Z21) \
	INS Z18, Z20, Z18 \
	INS Z19, Z21, Z19 \
	SPLIT(Z18, Z19, o, k)
#define SHL64Q(o, k) SHIFT64Q(VPSLLVQ, o, k)
#define SHR64Q(o, k) SHIFT64Q(VPSRLVQ, o, k)
#define SAR64Q(o, k) SHIFT64Q(VPSRAVQ, o, k)
QUARTERS(·shlRev64512, BITS6, SHL64Q)
QUARTERS(·shrRev64512, BITS6, SHR64Q)
QUARTERS(·sarRev64512, BITS6, SAR64Q)

#define BITS3 \
	HIGHS \
	CONST64(7, Z31)
#define SHLADD64Q(o, k) \
	PAIR(o(DX), o(DX), Z18, Z19) \
	VPANDQ Z31, Z18, Z18 \
	VPANDQ Z31, Z19, Z19 \
	PAIR(o(SI), o(R11), Z20, Z21) \
	VPSLLVQ Z18, Z20, Z18 \
	VPSLLVQ Z19, Z21, Z19 \
	PAIR(o(CX), o(R13), Z20, Z21) \
	VPADDQ Z20, Z18, Z18 \
	VPADDQ Z21, Z19, Z19 \
	SPLIT(Z18, Z19, o, k)
QUARTERS(·shlAdd64512, BITS3, SHLADD64Q)

// The carries of the two halves, as vectors, are put in the order of lanes.
#define MADU64Q(o, k) \
	PAIR(o(SI), o(SI), Z18, Z19) \
	PAIR(o(DX), o(DX), Z20, Z21) \
	VPMULUDQ Z20, Z18, Z18 \
	VPMULUDQ Z21, Z19, Z19 \
	PAIR(o(CX), o(R13), Z20, Z21) \
	VPADDQ Z20, Z18, Z18 \
	VPADDQ Z21, Z19, Z19 \
	VPCMPUQ $1, Z20, Z18, K5 \
	VPCMPUQ $1, Z21, Z19, K6 \
	VPMOVM2Q K5, Z20 \
	VPMOVM2Q K6, Z21 \
	VSHUFPS $0x88, Z21, Z20, Z20 \
	VPMOVD2M Z20, K5 \
	SPLIT(Z18, Z19, o, k) \
	OUTQ(K5)
OUTMASKS(·madU64512, HIGHS, MADU64Q)

#define NAN64 \
	HIGHS \
	CONST64(0x7ff8000000000000, Z31)
#define FLOAT64(INS, a, b) \
	VMOVAPD a, Z22 \
	INS b, a, a \
	VCMPPD $3, a, a, K5 \
	VCMPPD $7, b, Z22, K5, K5 \
	VMOVAPD Z31, K5, a
#define FLOAT64Q(INS, o, k) \
	PAIR(o(SI), o(R11), Z18, Z19) \
	PAIR(o(DX), o(R12), Z20, Z21) \
	FLOAT64(INS, Z18, Z20) \
	FLOAT64(INS, Z19, Z21) \
	SPLIT(Z18, Z19, o, k)
#define ADDF64Q(o, k) FLOAT64Q(VADDPD, o, k)
#define MULF64Q(o, k) FLOAT64Q(VMULPD, o, k)
QUARTERS(·addF64512, NAN64, ADDF64Q)
QUARTERS(·mulF64512, NAN64, MULF64Q)

// A result that is a NaN is made anew: the positive one, or the first operand
// that is one, quiet.
#define FIRSTNAN64(x, z) \
	VCMPPD $3, x, x, K5, K6 \
	VPORQ Z30, x, K6, z
#define FMA64(a, b, c) \
	VMOVAPD a, Z24 \
	VFMADD213PD c, b, a \
	VCMPPD $3, a, a, K5 \
	VMOVAPD Z31, K5, a \
	FIRSTNAN64(c, a) \
	FIRSTNAN64(b, a) \
	FIRSTNAN64(Z24, a)
#define FMA64SETUP \
	NAN64 \
	CONST64(0x0008000000000000, Z30)
#define FMAF64Q(o, k) \
	PAIR(o(SI), o(R11), Z18, Z19) \
	PAIR(o(DX), o(R12), Z20, Z21) \
	PAIR(o(CX), o(R13), Z22, Z23) \
	FMA64(Z18, Z20, Z22) \
	FMA64(Z19, Z21, Z23) \
	SPLIT(Z18, Z19, o, k)
QUARTERS(·fmaF64512, FMA64SETUP, FMAF64Q)

// func fill512(d *Row, v uint32)
TEXT ·fill512(SB), NOSPLIT, $0-12
	MOVQ d+0(FP), DI
	MOVL v+8(FP), R8
	VPBROADCASTD R8, Z16
	VMOVDQU32 Z16, 0(DI)
	VMOVDQU32 Z16, 64(DI)
	VMOVDQU32 Z16, 128(DI)
	VMOVDQU32 Z16, 192(DI)
	RET

// func merge512(d, s *Row, mask uint64)
TEXT ·merge512(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ s+8(FP), SI
	KMOVQ mask+16(FP), K1
	KSHIFTRQ $16, K1, K2
	KSHIFTRQ $32, K1, K3
	KSHIFTRQ $48, K1, K4
	UNARYQ(VMOVDQU32, 0, K1)
	UNARYQ(VMOVDQU32, 64, K2)
	UNARYQ(VMOVDQU32, 128, K3)
	UNARYQ(VMOVDQU32, 192, K4)
	RET

// func offsets512(x *span) (outside uint64)
//
// Eight lanes at a time: Z16 are the addresses.
#define SPANQ(o) \
	VPMOVZXDQ o(SI), Z16 \
	VPADDQ Z31, Z16, Z16 \
	VPANDQ Z30, Z16, Z16 \
	SPANOUT(o)
#define SPAN64Q(o) \
	VPMOVZXDQ o(SI), Z16 \
	VPMOVZXDQ o(DX), Z17 \
	VPSLLQ $32, Z17, Z17 \
	VPORQ Z17, Z16, Z16 \
	VPADDQ Z31, Z16, Z16 \
	SPANOUT(o)
#define SPANOUT(o) \
	VPMOVQD Z16, o(DI) \
	VPCMPUQ $6, Z29, Z16, K5 \
	KMOVB K5, R8 \
	SHRQ $8, R9 \
	SHLQ $56, R8 \
	ORQ R8, R9
TEXT ·offsets512(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), AX
	MOVQ span_dst(AX), DI
	MOVQ span_lo(AX), SI
	MOVQ span_hi(AX), DX
	VPBROADCASTQ span_add(AX), Z31
	VPBROADCASTQ span_wrap(AX), Z30
	VPBROADCASTQ span_limit(AX), Z29
	XORL R9, R9
	TESTQ DX, DX
	JNZ wide
	SPANQ(0)
	SPANQ(32)
	SPANQ(64)
	SPANQ(96)
	SPANQ(128)
	SPANQ(160)
	SPANQ(192)
	SPANQ(224)
	ANDQ span_mask(AX), R9
	MOVQ R9, outside+8(FP)
	RET
wide:
	SPAN64Q(0)
	SPAN64Q(32)
	SPAN64Q(64)
	SPAN64Q(96)
	SPAN64Q(128)
	SPAN64Q(160)
	SPAN64Q(192)
	SPAN64Q(224)
	ANDQ span_mask(AX), R9
	MOVQ R9, outside+8(FP)
	RET

// func places512(to *[Lanes]uint64, base uint64, at *Row)
#define PLACES(o) \
	VPMOVZXDQ o(SI), Z16 \
	VPADDQ Z31, Z16, Z16 \
	VMOVDQU64 Z16, (2*o)(DI)
TEXT ·places512(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ at+16(FP), SI
	VPBROADCASTQ base+8(FP), Z31
	PLACES(0)
	PLACES(32)
	PLACES(64)
	PLACES(96)
	PLACES(128)
	PLACES(160)
	PLACES(192)
	PLACES(224)
	RET

// Eight numbers at a time, beside those that are one further on: of the last eight these are seven.
//
// func steps512(at *uint64, n int, step uint64) uint64
TEXT ·steps512(SB), NOSPLIT, $0-32
	MOVQ at+0(FP), SI
	MOVQ n+8(FP), CX
	VPBROADCASTQ step+16(FP), Z31
	MOVL $0x7f, R8
	KMOVB R8, K6
	XORL R9, R9
	XORL DX, DX
eights:
	CMPL CX, $8
	JLE sevens
	VMOVDQU64 8(SI), Z16
	VPSUBQ (SI), Z16, Z16
	VPCMPEQQ Z31, Z16, K5
	KMOVB K5, R8
	SHLXQ DX, R8, R8
	ORQ R8, R9
	ADDQ $64, SI
	ADDQ $8, DX
	SUBQ $8, CX
	JMP eights
sevens:
	VMOVDQU64.Z 8(SI), K6, Z16
	VPSUBQ (SI), Z16, Z16
	VPCMPEQQ Z31, Z16, K6, K5
	KMOVB K5, R8
	SHLXQ DX, R8, R8
	ORQ R8, R9
	MOVQ R9, ret+24(FP)
	RET

// func further512(at, than *uint64, n int, by uint64) uint64
TEXT ·further512(SB), NOSPLIT, $0-40
	MOVQ at+0(FP), SI
	MOVQ than+8(FP), DI
	MOVQ n+16(FP), CX
	VPBROADCASTQ by+24(FP), Z31
	XORL R9, R9
	XORL DX, DX
next:
	VMOVDQU64 (SI)(DX*8), Z16
	VPSUBQ (DI)(DX*8), Z16, Z16
	VPCMPEQQ Z31, Z16, K5
	KMOVB K5, R8
	SHLXQ DX, R8, R8
	ORQ R8, R9
	ADDQ $8, DX
	SUBQ $8, CX
	JNE next
	MOVQ R9, ret+32(FP)
	RET

// Where a quarter's lanes lie, all of them active: side by side, in one place,
// or anywhere. Gathers take offsets for signed: they are 64 bits wide here.
//
// func load512(d *Row, mem *byte, at *Row, mask uint64)
#define LOADQ(o, k, side, one, any, done) \
	VMOVDQU32 o(CX), Z16 \
	MOVL o(CX), R8 \
	VPBROADCASTD R8, Z17 \
	VPSUBD Z17, Z16, Z18 \
	KMOVW k, R9 \
	CMPW R9, $-1 \
	JNE any \
	VPCMPEQD Z31, Z18, K5 \
	KORTESTW K5, K5 \
	JCC one \
side: \
	VMOVDQU32 (SI)(R8*1), Z19 \
	VMOVDQU32 Z19, o(DI) \
	JMP done \
one: \
	VPTESTMD Z18, Z18, K5 \
	KORTESTW K5, K5 \
	JNZ any \
	VPBROADCASTD (SI)(R8*1), Z19 \
	VMOVDQU32 Z19, o(DI) \
	JMP done \
any: \
	KMOVW k, K5 \
	KSHIFTRW $8, k, K6 \
	VPMOVZXDQ o(CX), Z16 \
	VPMOVZXDQ o+32(CX), Z17 \
	VPGATHERQD (SI)(Z16*1), K5, Y18 \
	VPGATHERQD (SI)(Z17*1), K6, Y19 \
	KMOVW k, K5 \
	KSHIFTRW $8, k, K6 \
	VMOVDQU32 Y18, K5, o(DI) \
	VMOVDQU32 Y19, K6, o+32(DI) \
done:
TEXT ·load512(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ mem+8(FP), SI
	MOVQ at+16(FP), CX
	KMOVQ mask+24(FP), K1
	KSHIFTRQ $16, K1, K2
	KSHIFTRQ $32, K1, K3
	KSHIFTRQ $48, K1, K4
	VMOVDQU32 steps<>(SB), Z31
	LOADQ(0, K1, side0, one0, any0, done0)
	LOADQ(64, K2, side1, one1, any1, done1)
	LOADQ(128, K3, side2, one2, any2, done2)
	LOADQ(192, K4, side3, one3, any3, done3)
	RET

// func store512(s *Row, mem *byte, at *Row, mask uint64)
//
// A scatter writes in the order of lanes.
#define STOREQ(o, k, any, done) \
	VMOVDQU32 o(CX), Z16 \
	MOVL o(CX), R8 \
	VPBROADCASTD R8, Z17 \
	VPSUBD Z17, Z16, Z18 \
	KMOVW k, R9 \
	CMPW R9, $-1 \
	JNE any \
	VPCMPEQD Z31, Z18, K5 \
	KORTESTW K5, K5 \
	JCC any \
	VMOVDQU32 o(DI), Z19 \
	VMOVDQU32 Z19, (SI)(R8*1) \
	JMP done \
any: \
	KMOVW k, K5 \
	KSHIFTRW $8, k, K6 \
	VPMOVZXDQ o(CX), Z16 \
	VPMOVZXDQ o+32(CX), Z17 \
	VMOVDQU32 o(DI), Y18 \
	VMOVDQU32 o+32(DI), Y19 \
	VPSCATTERQD Y18, K5, (SI)(Z16*1) \
	VPSCATTERQD Y19, K6, (SI)(Z17*1) \
done:
TEXT ·store512(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ mem+8(FP), SI
	MOVQ at+16(FP), CX
	KMOVQ mask+24(FP), K1
	KSHIFTRQ $16, K1, K2
	KSHIFTRQ $32, K1, K3
	KSHIFTRQ $48, K1, K4
	VMOVDQU32 steps<>(SB), Z31
	STOREQ(0, K1, any0, done0)
	STOREQ(64, K2, any1, done1)
	STOREQ(128, K3, any2, done2)
	STOREQ(192, K4, any3, done3)
	RET

// Where dwords side by side begin.
DATA steps<>+0(SB)/8, $0x0000000400000000
DATA steps<>+8(SB)/8, $0x0000000c00000008
DATA steps<>+16(SB)/8, $0x0000001400000010
DATA steps<>+24(SB)/8, $0x0000001c00000018
DATA steps<>+32(SB)/8, $0x0000002400000020
DATA steps<>+40(SB)/8, $0x0000002c00000028
DATA steps<>+48(SB)/8, $0x0000003400000030
DATA steps<>+56(SB)/8, $0x0000003c00000038
GLOBL steps<>(SB), RODATA|NOPTR, $64
