#include "textflag.h"
#include "go_asm.h"
#include "avx512_amd64.h"

// The operations on 16-bit floats, and conversions between floats, for AVX-512. Their twins are in
// twin_half.go.

// LOW and HIGH bring the 16-bit floats in the low or the high halves of a vector's lanes to 32 bits, NaNs
// quiet; ROUND makes 16-bit floats of them again.
#define LOW(row, z, y) \
	VMOVDQU32 row, z \
	VPMOVDW z, y \
	VCVTPH2PS y, z
#define HIGH(row, z, y) \
	VMOVDQU32 row, z \
	VPSRLD $16, z, z \
	VPMOVDW z, y \
	VCVTPH2PS y, z
#define ROUND(z, y) \
	VCVTPS2PH $0, z, y \
	VPMOVZXWD y, z
#define STORE(z, o, k) VMOVDQU32 z, k, o(DI)
#define STOREBOTH(o, k) \
	VPSLLD $16, Z18, Z18 \
	VPORD Z25, Z18, Z18 \
	VMOVDQU32 Z18, k, o(DI)

#define F32F16Q(o, k) \
	LOW(o(SI), Z16, Y16) \
	STORE(Z16, o, k)
#define F16F32Q(o, k) \
	VMOVUPS o(SI), Z16 \
	ROUND(Z16, Y16) \
	STORE(Z16, o, k)
QUARTERS(·f32F16512, NOTHING, F32F16Q)
QUARTERS(·f16F32512, NOTHING, F16F32Q)

// Of the operands in Z16 and Z17 the first NaN, or the positive one in Z31, comes to Z18 if the result is one.
// Sums and products of two 16-bit floats that are rounded to 32 bits first are rounded as from the exact ones.
#define NAN CONST(0x7fc00000, Z31)
#define TWO(INS) \
	INS Z17, Z16, Z18 \
	VCMPPS $3, Z18, Z18, K5 \
	VCMPPS $7, Z17, Z16, K5, K5 \
	VMOVAPS Z31, K5, Z18
#define LOW2Q(INS, o, k) \
	LOW(o(SI), Z16, Y16) \
	LOW(o(DX), Z17, Y17) \
	TWO(INS) \
	ROUND(Z18, Y18) \
	STORE(Z18, o, k)
#define BOTH2Q(INS, o, k) \
	LOW(o(SI), Z16, Y16) \
	LOW(o(DX), Z17, Y17) \
	TWO(INS) \
	ROUND(Z18, Y18) \
	VMOVDQA32 Z18, Z25 \
	HIGH(o(SI), Z16, Y16) \
	HIGH(o(DX), Z17, Y17) \
	TWO(INS) \
	ROUND(Z18, Y18) \
	STOREBOTH(o, k)
#define ADDF16Q(o, k) LOW2Q(VADDPS, o, k)
#define SUBF16Q(o, k) LOW2Q(VSUBPS, o, k)
#define MULF16Q(o, k) LOW2Q(VMULPS, o, k)
#define PKADDF16Q(o, k) BOTH2Q(VADDPS, o, k)
#define PKMULF16Q(o, k) BOTH2Q(VMULPS, o, k)
QUARTERS(·addF16512, NAN, ADDF16Q)
QUARTERS(·subF16512, NAN, SUBF16Q)
QUARTERS(·mulF16512, NAN, MULF16Q)
QUARTERS(·pkAddF16512, NAN, PKADDF16Q)
QUARTERS(·pkMulF16512, NAN, PKMULF16Q)

// THREE computes Z16 * Z17 + Z18 in Z19. The product is exact in 32 bits; the sum is rounded to odd, so that
// rounding it to 16 bits is rounding the exact one: where it is inexact (Z23 has the difference) and even, its
// neighbour on the side of the difference is taken. Z30 is 1 in each lane, Z29 0.
#define THREESETUP \
	NAN \
	CONST(1, Z30) \
	VPXORD Z29, Z29, Z29
#define THREE \
	VMULPS Z17, Z16, Z20 \
	VADDPS Z18, Z20, Z19 \
	VSUBPS Z20, Z19, Z21 \
	VSUBPS Z21, Z19, Z22 \
	VSUBPS Z22, Z20, Z23 \
	VSUBPS Z21, Z18, Z22 \
	VADDPS Z22, Z23, Z23 \
	VCMPPS $12, Z29, Z23, K5 \
	VPTESTNMD Z30, Z19, K5, K5 \
	VPXORD Z23, Z19, Z22 \
	VPSRAD $31, Z22, Z22 \
	VPORD Z30, Z22, Z22 \
	VPADDD Z22, Z19, K5, Z19 \
	VCMPPS $3, Z19, Z19, K5 \
	VMOVAPS Z31, K5, Z19 \
	VCMPPS $3, Z18, Z18, K5 \
	VMOVAPS Z18, K5, Z19 \
	VCMPPS $3, Z17, Z17, K5 \
	VMOVAPS Z17, K5, Z19 \
	VCMPPS $3, Z16, Z16, K5 \
	VMOVAPS Z16, K5, Z19
#define FMAF16Q(o, k) \
	LOW(o(SI), Z16, Y16) \
	LOW(o(DX), Z17, Y17) \
	LOW(o(CX), Z18, Y18) \
	THREE \
	ROUND(Z19, Y19) \
	STORE(Z19, o, k)
#define PKFMAF16Q(o, k) \
	LOW(o(SI), Z16, Y16) \
	LOW(o(DX), Z17, Y17) \
	LOW(o(CX), Z18, Y18) \
	THREE \
	ROUND(Z19, Y19) \
	VMOVDQA32 Z19, Z25 \
	HIGH(o(SI), Z16, Y16) \
	HIGH(o(DX), Z17, Y17) \
	HIGH(o(CX), Z18, Y18) \
	THREE \
	ROUND(Z19, Y19) \
	VMOVDQA32 Z19, Z18 \
	STOREBOTH(o, k)
QUARTERS(·fmaF16512, THREESETUP, FMAF16Q)
QUARTERS(·pkFmaF16512, THREESETUP, PKFMAF16Q)

// evens are the even numbers.
DATA evens<>+0(SB)/8, $0x0000000200000000
DATA evens<>+8(SB)/8, $0x0000000600000004
DATA evens<>+16(SB)/8, $0x0000000a00000008
DATA evens<>+24(SB)/8, $0x0000000e0000000c
DATA evens<>+32(SB)/8, $0x0000001200000010
DATA evens<>+40(SB)/8, $0x0000001600000014
DATA evens<>+48(SB)/8, $0x0000001a00000018
DATA evens<>+56(SB)/8, $0x0000001e0000001c
GLOBL evens<>(SB), RODATA|NOPTR, $64

// The numbers of 64 bits of lanes 0 to 7 of a quarter and of lanes 8 to 15 are brought together from their
// halves, and taken apart by VPERMT2D: Z31 chooses the low halves of two vectors, Z30 the high ones.
#define F64F32SETUP \
	MOVQ Args_D1(AX), R10 \
	VMOVDQU32 evens<>(SB), Z31 \
	CONST(1, Z30) \
	VPORD Z30, Z31, Z30
#define F64F32Q(o, k) \
	VCVTPS2PD o(SI), Z16 \
	VCVTPS2PD o+32(SI), Z17 \
	VMOVDQA64 Z16, Z18 \
	VPERMT2D Z17, Z31, Z18 \
	VPERMT2D Z17, Z30, Z16 \
	VMOVDQU32 Z18, k, o(DI) \
	VMOVDQU32 Z16, k, o(R10)
QUARTERS(·f64F32512, F64F32SETUP, F64F32Q)

#define F32F64SETUP \
	MOVQ Args_A1(AX), R11
#define F32F64Q(o, k) \
	VPMOVZXDQ o(SI), Z16 \
	VPMOVZXDQ o+32(SI), Z17 \
	VPMOVZXDQ o(R11), Z18 \
	VPMOVZXDQ o+32(R11), Z19 \
	VPSLLQ $32, Z18, Z18 \
	VPSLLQ $32, Z19, Z19 \
	VPORQ Z18, Z16, Z16 \
	VPORQ Z19, Z17, Z17 \
	VCVTPD2PS Z16, Y16 \
	VCVTPD2PS Z17, Y17 \
	VINSERTF64X4 $1, Y17, Z16, Z16 \
	VMOVDQU32 Z16, k, o(DI)
QUARTERS(·f32F64512, F32F64SETUP, F32F64Q)
