// What the functions for AVX-512 have in common.

// ENTER fetches the operands: D in DI, A in SI, B in DX, C in CX, the high
// halves in R10 to R13, Args in AX.
#define ENTER \
	MOVQ x+0(FP), AX \
	MOVQ Args_D(AX), DI \
	MOVQ Args_A(AX), SI \
	MOVQ Args_B(AX), DX \
	MOVQ Args_C(AX), CX \
	KMOVQ Args_Mask(AX), K1 \
	KSHIFTRQ $16, K1, K2 \
	KSHIFTRQ $32, K1, K3 \
	KSHIFTRQ $48, K1, K4

#define HIGHS \
	MOVQ Args_D1(AX), R10 \
	MOVQ Args_A1(AX), R11 \
	MOVQ Args_B1(AX), R12 \
	MOVQ Args_C1(AX), R13

// CONST puts a number into every lane.
#define CONST(v, z) \
	MOVL $v, R8 \
	VPBROADCASTD R8, z

#define CONST64(v, z) \
	MOVQ $v, R8 \
	VPBROADCASTQ R8, z

#define FN(name) TEXT name(SB), NOSPLIT, $0-8

// QUARTERS is a function with a body for a quarter, and setup before.
#define NOTHING
#define QUARTERS(name, SETUP, BODY) \
	FN(name) \
	ENTER \
	SETUP \
	BODY(0, K1) \
	BODY(64, K2) \
	BODY(128, K3) \
	BODY(192, K4) \
	RET
