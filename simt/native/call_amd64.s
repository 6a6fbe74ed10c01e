//go:build linux || darwin

#include "textflag.h"

// func call(code uintptr, context unsafe.Pointer)
//
// Code gets its context in R9.
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ code+0(FP), AX
	MOVQ context+8(FP), R9
	CALL AX
	RET

// func narrow() (store8, store16 uintptr)
TEXT ·narrow(SB), NOSPLIT, $0-16
	LEAQ store8<>(SB), AX
	MOVQ AX, store8+0(FP)
	LEAQ store16<>(SB), AX
	MOVQ AX, store16+8(FP)
	RET

// NARROWSTORE stores a part of the numbers of active lanes, in the order of lanes.
#define NARROWSTORE(take, move) \
	MOVQ R15, R12 \
	TESTQ R12, R12 \
	JZ done \
next: \
	TZCNTQ R12, R13 \
	MOVL (CX)(R13*4), AX \
	take (DI)(R13*4), R13 \
	move R13, (SI)(AX*1) \
	BLSRQ R12, R12 \
	JNZ next \
done: \
	RET
TEXT store8<>(SB), NOSPLIT|NOFRAME, $0-0
	NARROWSTORE(MOVBLZX, MOVB)
TEXT store16<>(SB), NOSPLIT|NOFRAME, $0-0
	NARROWSTORE(MOVWLZX, MOVW)

// func routines256() (offsets, greatest, load, store, side uintptr)
TEXT ·routines256(SB), NOSPLIT, $0-40
	LEAQ find256<>(SB), AX
	MOVQ AX, offsets+0(FP)
	LEAQ greatest256<>(SB), AX
	MOVQ AX, greatest+8(FP)
	LEAQ load256<>(SB), AX
	MOVQ AX, load+16(FP)
	LEAQ store256<>(SB), AX
	MOVQ AX, store+24(FP)
	LEAQ side256<>(SB), AX
	MOVQ AX, side+32(FP)
	RET

// func routines() (offsets, greatest, load, store, side uintptr)
TEXT ·routines(SB), NOSPLIT, $0-40
	LEAQ find<>(SB), AX
	MOVQ AX, offsets+0(FP)
	LEAQ greatest<>(SB), AX
	MOVQ AX, greatest+8(FP)
	LEAQ load<>(SB), AX
	MOVQ AX, load+16(FP)
	LEAQ store<>(SB), AX
	MOVQ AX, store+24(FP)
	LEAQ side<>(SB), AX
	MOVQ AX, side+32(FP)
	RET

// func routines32() (offsets, greatest, load, store, side uintptr)
TEXT ·routines32(SB), NOSPLIT, $0-40
	LEAQ find32<>(SB), AX
	MOVQ AX, offsets+0(FP)
	LEAQ greatest32<>(SB), AX
	MOVQ AX, greatest+8(FP)
	LEAQ load32<>(SB), AX
	MOVQ AX, load+16(FP)
	LEAQ store32<>(SB), AX
	MOVQ AX, store+24(FP)
	LEAQ side32<>(SB), AX
	MOVQ AX, side+32(FP)
	RET

// func routines256x32() (offsets, greatest, load, store, side uintptr)
TEXT ·routines256x32(SB), NOSPLIT, $0-40
	LEAQ find256x32<>(SB), AX
	MOVQ AX, offsets+0(FP)
	LEAQ greatest256x32<>(SB), AX
	MOVQ AX, greatest+8(FP)
	LEAQ load256x32<>(SB), AX
	MOVQ AX, load+16(FP)
	LEAQ store256x32<>(SB), AX
	MOVQ AX, store+24(FP)
	LEAQ side256x32<>(SB), AX
	MOVQ AX, side+32(FP)
	RET

// The routines that translated code calls, as Routines says: in K1 to K4 is
// the mask, in R15 too. They use vector registers from Z16 on, K5 to K7, RAX,
// R12 and R13. Those for 32 lanes are the first halves of those for 64.

// FIND: Z16 and Z18 are the addresses of sixteen lanes. Their places are stored at once, as who loads them next
// does: what is stored in pieces is not there so soon.
#define FIND(o) \
	VPADDQ Z31, Z16, Z16 \
	VPADDQ Z31, Z18, Z18 \
	VPANDQ Z30, Z16, Z16 \
	VPANDQ Z30, Z18, Z18 \
	VPCMPUQ $6, Z29, Z16, K5 \
	VPCMPUQ $6, Z29, Z18, K6 \
	VPMOVQD Z16, Y16 \
	VPMOVQD Z18, Y18 \
	VINSERTI64X4 $1, Y18, Z16, Z16 \
	VMOVDQU32 Z16, o(DI) \
	KUNPCKBW K5, K6, K5 \
	KMOVW K5, R12 \
	SHRQ $16, AX \
	SHLQ $48, R12 \
	ORQ R12, AX
#define NARROW(o) \
	VPMOVZXDQ o(SI), Z16 \
	VPMOVZXDQ o+32(SI), Z18 \
	FIND(o)
#define WIDE(o) \
	VPMOVZXDQ o(SI), Z16 \
	VPMOVZXDQ o(DX), Z17 \
	VPMOVZXDQ o+32(SI), Z18 \
	VPMOVZXDQ o+32(DX), Z19 \
	VPSLLQ $32, Z17, Z17 \
	VPSLLQ $32, Z19, Z19 \
	VPORQ Z17, Z16, Z16 \
	VPORQ Z19, Z18, Z18 \
	FIND(o)
#define FINDWHAT \
	VPBROADCASTQ R11, Z31 \
	VPBROADCASTQ AX, Z30 \
	VPBROADCASTQ CX, Z29 \
	XORL AX, AX \
	TESTQ DX, DX
TEXT find32<>(SB), NOSPLIT|NOFRAME, $0-0
	FINDWHAT
	JNZ wide
	NARROW(0)
	NARROW(64)
	SHRQ $32, AX
	ANDQ R15, AX
	RET
wide:
	WIDE(0)
	WIDE(64)
	SHRQ $32, AX
	ANDQ R15, AX
	RET

TEXT find<>(SB), NOSPLIT|NOFRAME, $0-0
	FINDWHAT
	JNZ wide
	NARROW(0)
	NARROW(64)
	NARROW(128)
	NARROW(192)
	ANDQ R15, AX
	RET
wide:
	WIDE(0)
	WIDE(64)
	WIDE(128)
	WIDE(192)
	ANDQ R15, AX
	RET

// PLACE brings where lane 0's dword is into AX, and goes to no if the last lane's may be past the last
// place, CX, or if the low halves of the numbers between them wrap. The last lane's is so many bytes further on.
#define PLACE(no, last) \
	MOVL (SI), AX \
	CMPL AX, $(0xffffffff-last) \
	JHI no \
	TESTQ DX, DX \
	JZ low \
	MOVL (DX), R12 \
	SHLQ $32, R12 \
	ORQ R12, AX \
low: \
	ADDQ R11, AX \
	CMPQ AX, CX \
	JHI no \
	LEAQ last(AX), R12 \
	CMPQ R12, CX \
	JHI no

// STEPQ adds to Z18 where a quarter's numbers are not those of its first lane and so on.
#define STEPQ(o) \
	VPADDD steps<>+o(SB), Z16, Z17 \
	VPTERNLOGD $0xf6, o(SI), Z17, Z18
#define SAMEQ(o) VPTERNLOGD $0xf6, o(DX), Z16, Z18
#define FIRSTQ \
	VPBROADCASTD (SI), Z16 \
	VPADDD steps<>(SB), Z16, Z17 \
	VPXORD (SI), Z17, Z18
TEXT side32<>(SB), NOSPLIT|NOFRAME, $0-0
	PLACE(no, 124)
	FIRSTQ
	STEPQ(64)
	TESTQ DX, DX
	JZ narrow
	VPBROADCASTD (DX), Z16
	SAMEQ(0)
	SAMEQ(64)
narrow:
	VPTESTMD Z18, Z18, K5
	KORTESTW K5, K5
	JNE no
	CLC
	RET
no:
	STC
	RET

TEXT side<>(SB), NOSPLIT|NOFRAME, $0-0
	PLACE(no, 252)
	FIRSTQ
	STEPQ(64)
	STEPQ(128)
	STEPQ(192)
	TESTQ DX, DX
	JZ narrow
	VPBROADCASTD (DX), Z16
	SAMEQ(0)
	SAMEQ(64)
	SAMEQ(128)
	SAMEQ(192)
narrow:
	VPTESTMD Z18, Z18, K5
	KORTESTW K5, K5
	JNE no
	CLC
	RET
no:
	STC
	RET

// GREATEST brings the greatest number in Z16 into AX.
#define GREATEST \
	VEXTRACTI64X4 $1, Z16, Y17 \
	VPMAXUD Y17, Y16, Y16 \
	VEXTRACTI32X4 $1, Y16, X17 \
	VPMAXUD X17, X16, X16 \
	VPSHUFD $0x4e, X16, X17 \
	VPMAXUD X17, X16, X16 \
	VPSHUFD $0xb1, X16, X17 \
	VPMAXUD X17, X16, X16 \
	VMOVD X16, AX
TEXT greatest32<>(SB), NOSPLIT|NOFRAME, $0-0
	VMOVDQU32.Z 0(SI), K1, Z16
	VMOVDQU32.Z 64(SI), K2, Z17
	VPMAXUD Z17, Z16, Z16
	GREATEST
	RET

TEXT greatest<>(SB), NOSPLIT|NOFRAME, $0-0
	VMOVDQU32.Z 0(SI), K1, Z16
	VMOVDQU32.Z 64(SI), K2, Z17
	VMOVDQU32.Z 128(SI), K3, Z18
	VMOVDQU32.Z 192(SI), K4, Z19
	VPMAXUD Z17, Z16, Z16
	VPMAXUD Z19, Z18, Z18
	VPMAXUD Z18, Z16, Z16
	GREATEST
	RET

// A quarter whose lanes are all active may lie side by side or in one place.
#define LOADQ(o, k, one, any, done) \
	VMOVDQU32 o(CX), Z16 \
	MOVL o(CX), R12 \
	VPBROADCASTD R12, Z17 \
	VPSUBD Z17, Z16, Z18 \
	KMOVW k, R13 \
	CMPW R13, $-1 \
	JNE any \
	VPCMPEQD Z31, Z18, K5 \
	KORTESTW K5, K5 \
	JCC one \
	VMOVDQU32 (SI)(R12*1), Z19 \
	VMOVDQU32 Z19, o(DI) \
	JMP done \
one: \
	VPTESTMD Z18, Z18, K5 \
	KORTESTW K5, K5 \
	JNZ any \
	VPBROADCASTD (SI)(R12*1), Z19 \
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
TEXT load32<>(SB), NOSPLIT|NOFRAME, $0-0
	VMOVDQU32 steps<>(SB), Z31
	LOADQ(0, K1, one0, any0, done0)
	LOADQ(64, K2, one1, any1, done1)
	RET

TEXT load<>(SB), NOSPLIT|NOFRAME, $0-0
	VMOVDQU32 steps<>(SB), Z31
	LOADQ(0, K1, one0, any0, done0)
	LOADQ(64, K2, one1, any1, done1)
	LOADQ(128, K3, one2, any2, done2)
	LOADQ(192, K4, one3, any3, done3)
	RET

// A scatter writes in the order of lanes.
#define STOREQ(o, k, any, done) \
	VMOVDQU32 o(CX), Z16 \
	MOVL o(CX), R12 \
	VPBROADCASTD R12, Z17 \
	VPSUBD Z17, Z16, Z18 \
	KMOVW k, R13 \
	CMPW R13, $-1 \
	JNE any \
	VPCMPEQD Z31, Z18, K5 \
	KORTESTW K5, K5 \
	JCC any \
	VMOVDQU32 o(DI), Z19 \
	VMOVDQU32 Z19, (SI)(R12*1) \
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
TEXT store32<>(SB), NOSPLIT|NOFRAME, $0-0
	VMOVDQU32 steps<>(SB), Z31
	STOREQ(0, K1, any0, done0)
	STOREQ(64, K2, any1, done1)
	RET

TEXT store<>(SB), NOSPLIT|NOFRAME, $0-0
	VMOVDQU32 steps<>(SB), Z31
	STOREQ(0, K1, any0, done0)
	STOREQ(64, K2, any1, done1)
	STOREQ(128, K3, any2, done2)
	STOREQ(192, K4, any3, done3)
	RET

// The same for AVX2: four lanes with their addresses, eight otherwise, at a
// time. R12 counts bytes of rows, which are size.

#define FIND256(size) \
	VMOVQ R11, X15 \
	VPBROADCASTQ X15, Y15 \
	VMOVQ AX, X12 \
	VPBROADCASTQ X12, Y12 \
	MOVQ $0x8000000000000000, R13 \
	VMOVQ R13, X13 \
	VPBROADCASTQ X13, Y13 \
	VMOVQ CX, X14 \
	VPBROADCASTQ X14, Y14 \
	VPXOR Y13, Y14, Y14 \
	XORL AX, AX \
	XORL R12, R12 \
next: \
	VPMOVZXDQ (SI)(R12*1), Y0 \
	TESTQ DX, DX \
	JZ narrow \
	VPMOVZXDQ (DX)(R12*1), Y1 \
	VPSLLQ $32, Y1, Y1 \
	VPOR Y1, Y0, Y0 \
narrow: \
	VPADDQ Y15, Y0, Y0 \
	VPAND Y12, Y0, Y0 \
	VEXTRACTI128 $1, Y0, X2 \
	VSHUFPS $0x88, X2, X0, X3 \
	VMOVDQU X3, (DI)(R12*1) \
	VPXOR Y13, Y0, Y0 \
	VPCMPGTQ Y14, Y0, Y1 \
	VMOVMSKPD Y1, R13 \
	SHRQ $4, AX \
	SHLQ $60, R13 \
	ORQ R13, AX \
	ADDQ $16, R12 \
	CMPQ R12, $size \
	JNE next \
	SHRQ $(64-size/4), AX \
	ANDQ R15, AX \
	RET
TEXT find256<>(SB), NOSPLIT|NOFRAME, $0-0
	FIND256(256)
TEXT find256x32<>(SB), NOSPLIT|NOFRAME, $0-0
	FIND256(128)

#define SIDE256(size, last) \
	PLACE(no, last) \
	VPBROADCASTD (SI), Y1 \
	VPXOR Y0, Y0, Y0 \
	LEAQ steps<>(SB), DI \
	XORL R12, R12 \
next: \
	VPADDD (DI)(R12*1), Y1, Y2 \
	VPXOR (SI)(R12*1), Y2, Y2 \
	VPOR Y2, Y0, Y0 \
	ADDQ $32, R12 \
	CMPQ R12, $size \
	JNE next \
	TESTQ DX, DX \
	JZ narrow \
	VPBROADCASTD (DX), Y1 \
	XORL R12, R12 \
high: \
	VPXOR (DX)(R12*1), Y1, Y2 \
	VPOR Y2, Y0, Y0 \
	ADDQ $32, R12 \
	CMPQ R12, $size \
	JNE high \
narrow: \
	VPTEST Y0, Y0 \
	JNE no \
	CLC \
	RET \
no: \
	STC \
	RET
TEXT side256<>(SB), NOSPLIT|NOFRAME, $0-0
	SIDE256(256, 252)
TEXT side256x32<>(SB), NOSPLIT|NOFRAME, $0-0
	SIDE256(128, 124)

#define GREATEST256(size) \
	VPXOR X0, X0, X0 \
	XORL R12, R12 \
next: \
	VMOVDQU (SI)(R12*1), Y1 \
	VPAND (DX)(R12*1), Y1, Y1 \
	VPMAXUD Y1, Y0, Y0 \
	ADDQ $32, R12 \
	CMPQ R12, $size \
	JNE next \
	VEXTRACTI128 $1, Y0, X1 \
	VPMAXUD X1, X0, X0 \
	VPSHUFD $0x4e, X0, X1 \
	VPMAXUD X1, X0, X0 \
	VPSHUFD $0xb1, X0, X1 \
	VPMAXUD X1, X0, X0 \
	VMOVD X0, AX \
	RET
TEXT greatest256<>(SB), NOSPLIT|NOFRAME, $0-0
	GREATEST256(256)
TEXT greatest256x32<>(SB), NOSPLIT|NOFRAME, $0-0
	GREATEST256(128)

// PLACES brings the places of an octet into Y0, its mask into Y1 and AX, the
// first place into R13 and how far the others are from it into Y3. It goes to
// any unless all lanes are active, and to next if none is.
#define PLACES(any, next) \
	VMOVDQU (CX)(R12*1), Y0 \
	VMOVDQU (DX)(R12*1), Y1 \
	VMOVMSKPS Y1, AX \
	TESTL AX, AX \
	JZ next \
	CMPL AX, $0xff \
	JNE any \
	VMOVD X0, R13 \
	VPBROADCASTD X0, Y2 \
	VPSUBD Y2, Y0, Y3 \
	VPCMPEQD Y15, Y3, Y4 \
	VMOVMSKPS Y4, R11 \
	CMPL R11, $0xff

#define LOAD256(size) \
	VMOVDQU steps<>(SB), Y15 \
	XORL R12, R12 \
octet: \
	PLACES(any, next) \
	JNE one \
	VMOVDQU (SI)(R13*1), Y5 \
	JMP store \
one: \
	VPTEST Y3, Y3 \
	JNZ any \
	VPBROADCASTD (SI)(R13*1), Y5 \
	JMP store \
any: \
	VMOVDQU (DI)(R12*1), Y5 \
	VPGATHERDD Y1, (SI)(Y0*1), Y5 \
store: \
	VMOVDQU Y5, (DI)(R12*1) \
next: \
	ADDQ $32, R12 \
	CMPQ R12, $size \
	JNE octet \
	RET
TEXT load256<>(SB), NOSPLIT|NOFRAME, $0-0
	LOAD256(256)
TEXT load256x32<>(SB), NOSPLIT|NOFRAME, $0-0
	LOAD256(128)

#define STORE256(size) \
	VMOVDQU steps<>(SB), Y15 \
	XORL R12, R12 \
octet: \
	PLACES(any, next) \
	JNE any \
	VMOVDQU (DI)(R12*1), Y5 \
	VMOVDQU Y5, (SI)(R13*1) \
	JMP next \
any: \
	TZCNTL AX, R13 \
	LEAQ (R12)(R13*4), R11 \
	MOVL (CX)(R11*1), R13 \
	MOVL (DI)(R11*1), R11 \
	MOVL R11, (SI)(R13*1) \
	BLSRL AX, AX \
	JNZ any \
next: \
	ADDQ $32, R12 \
	CMPQ R12, $size \
	JNE octet \
	RET
TEXT store256<>(SB), NOSPLIT|NOFRAME, $0-0
	STORE256(256)
TEXT store256x32<>(SB), NOSPLIT|NOFRAME, $0-0
	STORE256(128)

// Where dwords side by side begin.
DATA steps<>+0(SB)/8, $0x0000000400000000
DATA steps<>+8(SB)/8, $0x0000000c00000008
DATA steps<>+16(SB)/8, $0x0000001400000010
DATA steps<>+24(SB)/8, $0x0000001c00000018
DATA steps<>+32(SB)/8, $0x0000002400000020
DATA steps<>+40(SB)/8, $0x0000002c00000028
DATA steps<>+48(SB)/8, $0x0000003400000030
DATA steps<>+56(SB)/8, $0x0000003c00000038
DATA steps<>+64(SB)/8, $0x0000004400000040
DATA steps<>+72(SB)/8, $0x0000004c00000048
DATA steps<>+80(SB)/8, $0x0000005400000050
DATA steps<>+88(SB)/8, $0x0000005c00000058
DATA steps<>+96(SB)/8, $0x0000006400000060
DATA steps<>+104(SB)/8, $0x0000006c00000068
DATA steps<>+112(SB)/8, $0x0000007400000070
DATA steps<>+120(SB)/8, $0x0000007c00000078
DATA steps<>+128(SB)/8, $0x0000008400000080
DATA steps<>+136(SB)/8, $0x0000008c00000088
DATA steps<>+144(SB)/8, $0x0000009400000090
DATA steps<>+152(SB)/8, $0x0000009c00000098
DATA steps<>+160(SB)/8, $0x000000a4000000a0
DATA steps<>+168(SB)/8, $0x000000ac000000a8
DATA steps<>+176(SB)/8, $0x000000b4000000b0
DATA steps<>+184(SB)/8, $0x000000bc000000b8
DATA steps<>+192(SB)/8, $0x000000c4000000c0
DATA steps<>+200(SB)/8, $0x000000cc000000c8
DATA steps<>+208(SB)/8, $0x000000d4000000d0
DATA steps<>+216(SB)/8, $0x000000dc000000d8
DATA steps<>+224(SB)/8, $0x000000e4000000e0
DATA steps<>+232(SB)/8, $0x000000ec000000e8
DATA steps<>+240(SB)/8, $0x000000f4000000f0
DATA steps<>+248(SB)/8, $0x000000fc000000f8
GLOBL steps<>(SB), RODATA|NOPTR, $256
