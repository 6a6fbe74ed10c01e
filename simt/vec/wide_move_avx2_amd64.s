#include "textflag.h"
#include "go_asm.h"

// Moves of Wides for AVX2, four lanes at a time. The twins are the functions of the same name in wide_move.go,
// without "256".

DATA fours<>+0(SB)/4, $1
DATA fours<>+4(SB)/4, $2
DATA fours<>+8(SB)/4, $4
DATA fours<>+12(SB)/4, $8
GLOBL fours<>(SB), RODATA|NOPTR, $16

// The distances of dwords that lie side by side.
DATA steps<>+0(SB)/8, $0
DATA steps<>+8(SB)/8, $4
DATA steps<>+16(SB)/8, $8
DATA steps<>+24(SB)/8, $12
GLOBL steps<>(SB), RODATA|NOPTR, $32

// The dwords that are low halves.
DATA lows<>+0(SB)/4, $0
DATA lows<>+4(SB)/4, $2
DATA lows<>+8(SB)/4, $4
DATA lows<>+12(SB)/4, $6
GLOBL lows<>(SB), RODATA|NOPTR, $16

// NIBBLE makes masks of the low four bits of R11: of dwords in X5, of qwords in Y1.
#define NIBBLE \
	VMOVD R11, X5 \
	VPBROADCASTD X5, X5 \
	VPAND X15, X5, X5 \
	VPCMPEQD X15, X5, X5 \
	VPMOVSXDQ X5, Y1

// ROWS fetches the operands: the Wide in DI, rows of dwords in SI and DX, the mask in R11; R9 is an offset in rows.
#define ROWS \
	MOVQ lo+8(FP), SI \
	MOVQ hi+16(FP), DX \
	MOVL mask+24(FP), R11 \
	VMOVDQU fours<>(SB), X15 \
	VMOVDQU lows<>(SB), X13 \
	XORL BX, BX \
	XORL R9, R9

// MOVES fetches the operands: the row in DI, the places in SI, the address of place 0 in R8, the mask in R11, the
// distances of items in Y14. BX is the offset of four lanes.
#define MOVES(scale) \
	MOVQ x+0(FP), AX \
	MOVQ wideMove_row(AX), DI \
	MOVQ wideMove_at(AX), SI \
	MOVQ wideMove_mem(AX), R8 \
	SUBQ wideMove_first(AX), R8 \
	MOVL wideMove_mask(AX), R11 \
	VMOVDQU fours<>(SB), X15 \
	VMOVDQU steps<>(SB), Y14 \
	VPSLLQ $scale, Y14, Y14 \
	XORL BX, BX

// SHAPE jumps ahead if the places of the mask lie side by side, from R8 + R9 on. The distances from the first are
// in Y2.
#define SHAPE(ahead) \
	NIBBLE \
	VMOVDQU (SI)(BX*1), Y0 \
	MOVQ (SI)(BX*1), R9 \
	VPBROADCASTQ (SI)(BX*1), Y2 \
	VPSUBQ Y2, Y0, Y2 \
	VPCMPEQQ Y14, Y2, Y3 \
	VPTEST Y1, Y3 \
	JCS ahead

// LOADS is a function that loads four lanes into Y4 by one of three ways.
#define LOADS(name, scale, AHEAD, ONE, GATHER) \
	TEXT name(SB), NOSPLIT, $0-8 \
	MOVES(scale) \
four: \
	TESTL $15, R11 \
	JEQ next \
	SHAPE(ahead) \
	VPTEST Y1, Y2 \
	JEQ one \
	VMOVDQA Y1, Y6 \
	GATHER \
	JMP done \
one: \
	ONE \
	JMP done \
ahead: \
	AHEAD \
done: \
	VMOVDQU (DI)(BX*1), Y7 \
	VPBLENDVB Y1, Y4, Y7, Y4 \
	VMOVDQU Y4, (DI)(BX*1) \
next: \
	SHRL $4, R11 \
	ADDQ $32, BX \
	TESTL R11, R11 \
	JNE four \
	VZEROUPPER \
	RET

#define AHEAD32 \
	VPMASKMOVD (R8)(R9*1), X5, X4 \
	VPMOVZXDQ X4, Y4
#define ONE32 \
	MOVL (R8)(R9*1), R10 \
	VMOVQ R10, X4 \
	VPBROADCASTQ X4, Y4
#define GATHER32 \
	VPGATHERQD X5, (R8)(Y0*1), X4 \
	VPMOVZXDQ X4, Y4
LOADS(·loadItems32256, 0, AHEAD32, ONE32, GATHER32)

#define AHEAD64 VPMASKMOVQ (R8)(R9*1), Y1, Y4
#define ONE64 VPBROADCASTQ (R8)(R9*1), Y4
#define GATHER64 VPGATHERQQ Y6, (R8)(Y0*1), Y4
LOADS(·loadItems64256, 1, AHEAD64, ONE64, GATHER64)

// LANE stores one lane if the mask has it.
#define LANE(MOVE, bit, o, skip) \
	TESTL $bit, R11 \
	JEQ skip \
	MOVQ o(SI)(BX*1), R9 \
	MOVQ o(DI)(BX*1), R10 \
	MOVE R10, (R8)(R9*1) \
skip:

#define STORES(name, scale, MOVE, AHEAD) \
	TEXT name(SB), NOSPLIT, $0-8 \
	MOVES(scale) \
	VMOVDQU lows<>(SB), X13 \
four: \
	TESTL $15, R11 \
	JEQ next \
	SHAPE(ahead) \
	LANE(MOVE, 1, 0, second) \
	LANE(MOVE, 2, 8, third) \
	LANE(MOVE, 4, 16, fourth) \
	LANE(MOVE, 8, 24, fifth) \
	JMP next \
ahead: \
	VMOVDQU (DI)(BX*1), Y4 \
	AHEAD \
next: \
	SHRL $4, R11 \
	ADDQ $32, BX \
	TESTL R11, R11 \
	JNE four \
	VZEROUPPER \
	RET

#define BEHIND32 \
	VPERMD Y4, Y13, Y4 \
	VPMASKMOVD X4, X5, (R8)(R9*1)
STORES(·storeItems32256, 0, MOVL, BEHIND32)

#define BEHIND64 VPMASKMOVQ Y4, Y1, (R8)(R9*1)
STORES(·storeItems64256, 1, MOVQ, BEHIND64)

// FLIP takes unsigned numbers into the order of signed ones, and back.
#define FLIP(y) VPXOR Y12, y, y

// LEAST makes the lesser, MOST the greater of flipped numbers.
#define LEAST(a, b, t) \
	VPCMPGTQ b, a, t \
	VPBLENDVB t, b, a, a
#define MOST(a, b, t) \
	VPCMPGTQ a, b, t \
	VPBLENDVB t, b, a, a

// FOLD takes two steps from four numbers to one.
#define FOLD(STEP, Y, X, to) \
	VEXTRACTI128 $1, Y, X6 \
	STEP(X, X6, X7) \
	VPSHUFD $0x4e, X, X6 \
	STEP(X, X6, X7) \
	VPXOR X12, X, X \
	VMOVQ X, to

TEXT ·reach256(SB), NOSPLIT, $0-8
	MOVQ x+0(FP), AX
	MOVQ wideSpan_d(AX), DI
	MOVQ wideSpan_a(AX), SI
	MOVL wideSpan_mask(AX), R11
	VPBROADCASTQ wideSpan_add(AX), Y14
	VMOVDQU fours<>(SB), X15
	VPCMPEQD Y12, Y12, Y12
	VPSLLQ $63, Y12, Y12
	VPCMPEQD Y8, Y8, Y8
	VPXOR Y12, Y8, Y8 // the least, flipped
	VMOVDQA Y12, Y9 // the greatest
	VPXOR Y10, Y10, Y10 // all bits
	XORL BX, BX
four:
	NIBBLE
	VPADDQ (SI)(BX*1), Y14, Y0
	VMOVDQU Y0, (DI)(BX*1)
	VPAND Y1, Y0, Y2
	VPOR Y2, Y10, Y10
	FLIP(Y2)
	MOST(Y9, Y2, Y3)
	VPCMPEQD Y4, Y4, Y4
	VPXOR Y4, Y1, Y4
	VPOR Y4, Y0, Y4
	FLIP(Y4)
	LEAST(Y8, Y4, Y3)
	SHRL $4, R11
	ADDQ $32, BX
	CMPQ BX, $256
	JNE four
	FOLD(LEAST, Y8, X8, wideSpan_lo(AX))
	FOLD(MOST, Y9, X9, wideSpan_hi(AX))
	VEXTRACTI128 $1, Y10, X6
	VPOR X6, X10, X10
	VPSHUFD $0x4e, X10, X6
	VPOR X6, X10, X10
	VMOVQ X10, wideSpan_low(AX)
	VZEROUPPER
	RET

TEXT ·join256(SB), NOSPLIT, $0-28
	MOVQ d+0(FP), DI
	ROWS
four:
	NIBBLE
	VPMOVZXDQ (SI)(R9*1), Y0
	TESTQ DX, DX
	JEQ low
	VPMOVZXDQ (DX)(R9*1), Y2
	VPSLLQ $32, Y2, Y2
	VPOR Y2, Y0, Y0
low:
	VMOVDQU (DI)(BX*1), Y3
	VPBLENDVB Y1, Y0, Y3, Y0
	VMOVDQU Y0, (DI)(BX*1)
	SHRL $4, R11
	ADDQ $16, R9
	ADDQ $32, BX
	CMPQ BX, $256
	JNE four
	VZEROUPPER
	RET

TEXT ·part256(SB), NOSPLIT, $0-28
	MOVQ s+0(FP), DI
	ROWS
four:
	NIBBLE
	VMOVDQU (DI)(BX*1), Y0
	TESTQ DX, DX
	JEQ low
	VPSRLQ $32, Y0, Y2
	VPERMD Y2, Y13, Y2
	VMOVDQU (DX)(R9*1), X3
	VPBLENDVB X5, X2, X3, X2
	VMOVDQU X2, (DX)(R9*1)
low:
	VPERMD Y0, Y13, Y0
	VMOVDQU (SI)(R9*1), X3
	VPBLENDVB X5, X0, X3, X0
	VMOVDQU X0, (SI)(R9*1)
	SHRL $4, R11
	ADDQ $16, R9
	ADDQ $32, BX
	CMPQ BX, $256
	JNE four
	VZEROUPPER
	RET
