//go:build linux

#include "textflag.h"

// func call(code uintptr, context unsafe.Pointer)
//
// Code gets its context in R0.
TEXT ·call(SB), NOSPLIT, $8-16
	MOVD code+0(FP), R1
	MOVD context+8(FP), R0
	CALL (R1)
	RET

// func fetchLines(begin, end uintptr)
//
// Arm, "Architecture Reference Manual for A-profile architecture", section B2.7.4: data is cleaned to where
// instructions are fetched from, then instructions that are cached are forgotten. CTR_EL0 has the logarithms
// of the lines' words.
TEXT ·fetchLines(SB), NOSPLIT, $0-16
	MOVD begin+0(FP), R1
	MOVD end+8(FP), R2
	MRS CTR_EL0, R3
	MOVD $4, R6
	LSR $16, R3, R4
	AND $15, R4
	LSL R4, R6, R4
	AND $15, R3, R5
	LSL R5, R6, R5
	SUB $1, R4, R7
	BIC R7, R1, R0
data:
	WORD $0xd50b7b20 // DC CVAU, X0
	ADD R4, R0
	CMP R2, R0
	BLO data
	DSB $11
	SUB $1, R5, R7
	BIC R7, R1, R0
instructions:
	WORD $0xd50b7520 // IC IVAU, X0
	ADD R5, R0
	CMP R2, R0
	BLO instructions
	DSB $11
	ISB $15
	RET
