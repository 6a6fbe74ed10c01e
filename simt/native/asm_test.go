package native

import (
	"fmt"
	"testing"

	"simtgdb/simt/native/nativetest"
)

// TestAgainstLLVM: llvm-mc disassembles what the assembler makes as what was
// meant.
func TestAgainstLLVM(t *testing.T) {
	a := &Assembler{}
	var want []string
	add := func(text string, f func()) {
		f()
		want = append(want, text)
	}
	m := Mem{RBX, 0x12345}
	add("addl %ecx, %eax", func() { a.Op(ADD, W32, RAX, RCX) })
	add("addq %r15, %r8", func() { a.Op(ADD, W64, R8, R15) })
	add("xorl 74565(%rbx), %r11d", func() { a.OpMem(XOR, W32, R11, m) })
	add("cmpq 74565(%r12), %rdx", func() { a.OpMem(CMP, W64, RDX, Mem{R12, 0x12345}) })
	add("subq $100, %r14", func() { a.OpImm(SUB, W64, R14, 100) })
	add("cmpl $4294967289, 8(%r9)", func() { a.OpMemImm(CMP, W32, Mem{R9, 8}, -7) })
	add("addq %rax, 8(%r9)", func() { a.OpToMem(ADD, W64, Mem{R9, 8}, RAX) })
	add("movq %r9, %rsi", func() { a.Mov(W64, RSI, R9) })
	add("movl 16(%r8), %edi", func() { a.Load(W32, RDI, Mem{R8, 16}) })
	add("movzbl 17(%r8), %ecx", func() { a.Load8(RCX, Mem{R8, 17}) })
	add("movzwl 18(%rdx), %eax", func() { a.Load16(RAX, Mem{RDX, 18}) })
	add("movq %r13, 16(%rsp)", func() { a.Store(W64, Mem{RSP, 16}, R13) })
	add("movl $4294967295, 16(%r8)", func() { a.StoreImm(W32, Mem{R8, 16}, -1) })
	add("leaq 256(%rbx), %rdi", func() { a.Lea(RDI, Mem{RBX, 256}) })
	add("movl $2147483648, %ecx", func() { a.MovImm(RCX, 1<<31) })
	add("movq $-5, %r10", func() { a.MovImm(R10, ^uint64(4)) })
	add("movabsq $1311768467294899695, %r10", func() { a.MovImm(R10, 0x1234567890abcdef) })
	add("shlq $48, %rdx", func() { a.ShiftImm(SHL, W64, RDX, 48) })
	add("sarl %cl, %r9d", func() { a.ShiftCL(SAR, W32, R9) })
	add("notq %r15", func() { a.Not(W64, R15) })
	add("testl %eax, %r9d", func() { a.Test(W32, R9, RAX) })
	add("imull %ecx, %r10d", func() { a.Imul(W32, R10, RCX) })
	add("imulq $99, %rdx, %rax", func() { a.ImulImm(W64, RAX, RDX, 99) })
	add("popcntq %r15, %rax", func() { a.Popcnt(W64, RAX, R15) })
	add("tzcntq %r15, %rcx", func() { a.Tzcnt(W64, RCX, R15) })
	add("prefetcht0 64(%rsi)", func() { a.Prefetch(Mem{RSI, 64}, false) })
	add("prefetchw 64(%r12)", func() { a.Prefetch(Mem{R12, 64}, true) })
	add("kandw %k6, %k5, %k7", func() { a.Kand16(7, 5, 6) })
	add("cmovneq %rdx, %r8", func() { a.Cmov(NE, W64, R8, RDX) })
	add("setb %al", func() { a.SetStore(B, Mem{R8, 4}, RAX) })
	want = append(want, "movzbl %al, %eax", "movl %eax, 4(%r8)")
	add("sete %sil", func() { a.SetStore(E, Mem{R8, 4}, RSI) })
	want = append(want, "movzbl %sil, %esi", "movl %esi, 4(%r8)")
	add("kmovq %r15, %k1", func() { a.KmovTo64(1, R15) })
	add("kmovw %edx, %k5", func() { a.KmovTo16(5, RDX) })
	add("kmovw %r10d, %k5", func() { a.KmovTo16(5, R10) })
	add("kmovw %k6, %ecx", func() { a.KmovFrom16(RCX, 6) })
	add("kmovw %k6, %r12d", func() { a.KmovFrom16(R12, 6) })
	add("kshiftrq $16, %k1, %k2", func() { a.Kshiftr64(2, 1, 16) })
	add("kortestw %k6, %k5", func() { a.Kortest16(5, 6) })
	add("korw %k7, %k6, %k5", func() { a.Kor16(5, 6, 7) })
	add("callq *%rax", func() { a.CallReg(RAX) })
	add("callq *%r10", func() { a.CallReg(R10) })
	add("jmpq *24(%r9)", func() { a.JmpMem(Mem{R9, 24}) })
	add("vzeroupper", func() { a.Vzeroupper() })
	add("retq", func() { a.Ret() })
	add("vpmovm2q %k1, %zmm27", func() { a.V(MovM2Q, 27, 0, InReg(1), 0) })
	add("vpmovd2m %zmm27, %k3", func() { a.V(MovD2M, 3, 0, InReg(27), 0) })
	add("vmovdqu32 64(%r12), %ymm17 {%k3} {z}", func() { a.VLZ(L256, MovDQU, 17, 0, InMem(Mem{R12, 64}), 3) })
	add("vcvtph2ps %ymm17, %zmm18", func() { a.V(CvtPH2PS, 18, 0, InReg(17), 0) })
	add("vcvtps2ph $0, %zmm17, %ymm18", func() { a.V(CvtPS2PH, 17, 0, InReg(18), 0, 0) })
	add("vpcmpgtw %zmm1, %zmm18, %k5", func() { a.V(CmpGtW, 5, 18, InReg(1), 0) })
	add("vmovdqu16 %zmm17, %zmm18 {%k6}", func() { a.V(MovDQU16, 18, 0, InReg(17), 6) })
	add("vptestnmd %zmm1, %zmm18, %k5 {%k6}", func() { a.V(TestNMD, 5, 18, InReg(1), 6) })
	add("vpmovzxwq 8(%rdx), %zmm18", func() { a.V(Extend(2, 8, false), 18, 0, InMem(Mem{RDX, 8}), 0) })
	add("vpmovqb %zmm18, 9(%rdx)", func() { a.V(Narrow(8, 1), 18, 0, InMem(Mem{RDX, 9}), 0) })
	add("vpermd %zmm17, %zmm28, %zmm18", func() { a.V(PermD, 18, 28, InReg(17), 0) })
	vpaddd := Instruction{1, 1, 0, 0xfe}
	for _, z := range []Z{0, 7, 8, 15, 16, 23, 24, 31} {
		add(fmt.Sprintf("vpaddd %%zmm%d, %%zmm%d, %%zmm%d {%%k3}", z, 31-z, z^5), func() {
			a.V(vpaddd, z^5, 31-z, InReg(z), 3)
		})
		add(fmt.Sprintf("vpaddd 4096(%%rbx), %%zmm%d, %%zmm%d", z, 31-z), func() {
			a.V(vpaddd, 31-z, z, InMem(Mem{RBX, 4096}), 0)
		})
		add(fmt.Sprintf("vpaddd 20(%%r8){1to16}, %%zmm%d, %%zmm%d", z, 31-z), func() {
			a.V(vpaddd, 31-z, z, Each(Mem{R8, 20}), 0)
		})
	}
	add("vmovdqu32 %zmm17, 512(%rbx) {%k2}", func() {
		a.V(Instruction{1, 2, 0, 0x7f}, 17, 0, InMem(Mem{RBX, 512}), 2)
	})
	add("vmovdqa32 %zmm3, %zmm2 {%k5} {z}", func() { a.VZ(Instruction{1, 1, 0, 0x6f}, 2, 0, InReg(3), 5) })
	add("vpcmpltud %zmm1, %zmm18, %k5 {%k1}", func() { a.V(Instruction{3, 1, 0, 0x1e}, 5, 18, InReg(1), 1, 1) })
	add("vpsrld $7, %zmm9, %zmm20", func() { a.V(Instruction{1, 1, 0, 0x72}, 2, 20, InReg(9), 0, 7) })
	add("kmovb %k6, %k5", func() { a.Kmov8(5, 6) })
	add("knotb %k6, %k5", func() { a.Knot8(5, 6) })
	add("kandb %k7, %k6, %k5", func() { a.Kand8(5, 6, 7) })
	add("kandnb %k7, %k6, %k5", func() { a.Kandn8(5, 6, 7) })
	add("korb %k7, %k6, %k5", func() { a.Kor8(5, 6, 7) })
	add("kxorb %k7, %k6, %k5", func() { a.Kxor8(5, 6, 7) })
	add("kortestb %k6, %k5", func() { a.Kortest8(5, 6) })
	add("kmovb 300(%rdi), %k5", func() { a.Kload8(5, Mem{RDI, 300}) })
	add("kmovb 300(%r8), %k5", func() { a.Kload8(5, Mem{R8, 300}) })
	add("kmovb %k5, 300(%r12)", func() { a.Kstore8(Mem{R12, 300}, 5) })
	for _, z := range []Z{0, 7, 8, 15, 16, 23, 24, 31} {
		add(fmt.Sprintf("vpgatherqd (,%%zmm%d), %%ymm%d {%%k7}", 31-z, z), func() {
			a.Gather(Instruction{2, 1, 0, 0x91}, z, 31-z, 7)
		})
		add(fmt.Sprintf("vpscatterqq %%zmm%d, (,%%zmm%d) {%%k7}", z, 31-z), func() {
			a.Gather(Instruction{2, 1, 1, 0xa1}, z, 31-z, 7)
		})
	}
	for _, y := range []Z{0, 7, 8, 15} {
		add(fmt.Sprintf("vpaddd %%ymm%d, %%ymm%d, %%ymm%d", y, 15-y, y^5), func() {
			a.V256(vpaddd, y^5, 15-y, InReg(y))
		})
		add(fmt.Sprintf("vpaddd 4096(%%rbx), %%ymm%d, %%ymm%d", y, 15-y), func() {
			a.V256(vpaddd, 15-y, y, InMem(Mem{RBX, 4096}))
		})
		add(fmt.Sprintf("vpbroadcastd 20(%%r8), %%ymm%d", y), func() {
			a.V256(Instruction{2, 1, 0, 0x58}, y, 0, InMem(Mem{R8, 20}))
		})
	}
	add("vblendvps %ymm12, %ymm3, %ymm9, %ymm10", func() {
		a.V256(Instruction{3, 1, 0, 0x4a}, 10, 9, InReg(3), 12<<4)
	})
	add("vcvtph2ps %xmm9, %ymm12", func() { a.V256(CvtPH2PS, 12, 0, InReg(9)) })
	add("vcvtps2ph $0, %ymm9, %xmm12", func() { a.V256(CvtPS2PH, 9, 0, InReg(12), 0) })
	add("vpackusdw %ymm1, %ymm9, %ymm12", func() { a.V256(PackUSDW, 12, 9, InReg(1)) })
	add("vpmaskmovd 16(%r11), %xmm15, %xmm3", func() { a.VEX(L128, MaskMovD, 3, 15, InMem(Mem{R11, 16})) })
	add("vpbroadcastb 16(%r11), %ymm9", func() { a.V256(BroadcastB, 9, 0, InMem(Mem{R11, 16})) })
	add("vmovd 16(%r11), %xmm9", func() { a.VEX(L128, MovD, 9, 0, InMem(Mem{R11, 16})) })
	add("vmovq %rax, %xmm9", func() { a.VEX(L128, MovQ, 9, 0, InReg(Z(RAX))) })
	add("vpermq $8, %ymm9, %ymm12", func() { a.V256(PermQ, 12, 0, InReg(9), 8) })
	add("vpcmpgtw %ymm1, %ymm9, %ymm12", func() { a.V256(CmpGtW, 12, 9, InReg(1)) })
	add("vmovdqu %ymm9, 512(%rbx)", func() { a.V256(Instruction{1, 2, 0, 0x7f}, 9, 0, InMem(Mem{RBX, 512})) })
	add("vmovmskps %ymm9, %ecx", func() { a.V256(Instruction{1, 0, 0, 0x50}, Z(RCX), 0, InReg(9)) })
	add("vptest %ymm11, %ymm11", func() { a.V256(Instruction{2, 1, 0, 0x17}, 11, 0, InReg(11)) })
	add("vpsrld $7, %ymm9, %ymm12", func() { a.V256(Instruction{1, 1, 0, 0x72}, 2, 12, InReg(9), 7) })
	add("vroundps $9, %ymm9, %ymm12", func() { a.V256(Instruction{3, 1, 0, 0x08}, 12, 0, InReg(9), 9) })
	add("vpsllvq %ymm9, %ymm3, %ymm12", func() { a.V256(Instruction{2, 1, 1, 0x47}, 12, 3, InReg(9)) })
	add("vpsllvd %ymm9, %ymm3, %ymm12", func() { a.V256(Instruction{2, 1, 0, 0x47}, 12, 3, InReg(9)) })
	add("vfmadd213pd %ymm9, %ymm3, %ymm12", func() { a.V256(Instruction{2, 1, 1, 0xa8}, 12, 3, InReg(9)) })
	add("vpshufb 64(%r10), %xmm9, %xmm12", func() { a.VEX(L128, ShuffleB, 12, 9, InMem(Mem{R10, 64})) })
	add("vpunpcklqdq %xmm3, %xmm9, %xmm12", func() { a.VEX(L128, UnpackLowQDQ, 12, 9, InReg(3)) })
	add("vmovq %r13, %xmm12", func() { a.VEX(L128, MovQ, 12, 0, InReg(Z(R13))) })
	add("vextracti128 $1, %ymm2, %xmm13", func() { a.VEX(L256, ExtractI128, 2, 0, InReg(13), 1) })
	add("vpgatherqd %xmm4, 16(%rax,%ymm9), %xmm12", func() {
		a.GatherVEX(L256, GatherQD, 12, Mem{RAX, 16}, 9, 4)
	})
	add("vpgatherdd %ymm14, 16(%r10,%ymm3), %ymm2", func() {
		a.GatherVEX(L256, GatherDD, 2, Mem{R10, 16}, 3, 14)
	})
	for _, z := range []Z{1, 9, 17, 25} {
		for length, r := range []string{"xmm", "ymm", "zmm"} {
			add(fmt.Sprintf("vpaddd %%%s%d, %%%s3, %%%s%d {%%k3}", r, z, r, r, z^2), func() {
				a.VL(byte(length), vpaddd, z^2, 3, InReg(z), 3)
			})
			add(fmt.Sprintf("vmovdqa32 %%%s%d, %%%s2 {%%k5} {z}", r, z, r), func() {
				a.VLZ(byte(length), Instruction{1, 1, 0, 0x6f}, 2, 0, InReg(z), 5)
			})
			add(fmt.Sprintf("vpgatherdd 260(%%rbx,%%%s%d), %%%s%d {%%k7}", r, z, r, z^6), func() {
				a.GatherAt(byte(length), Instruction{2, 1, 0, 0x90}, z^6, Mem{RBX, 260}, z, 7)
			})
		}
		add(fmt.Sprintf("vpscatterqd %%ymm%d, 8(%%r10,%%zmm%d) {%%k7}", z^6, z), func() {
			a.GatherAt(L512, Instruction{2, 1, 0, 0xa1}, z^6, Mem{R10, 8}, z, 7)
		})
	}
	add("kmovw %k6, %k5", func() { a.Kmov16(5, 6) })
	add("movb %dl, 8(%r9)", func() { a.Store8(Mem{R9, 8}, RDX) })
	add("movw %cx, 8(%rbx)", func() { a.Store16(Mem{RBX, 8}, RCX) })
	add("kshiftrw $8, %k1, %k2", func() { a.Kshiftr16(2, 1, 8) })
	here := a.NewLabel()
	add("leaq (%rip), %r10", func() {
		a.LeaLabel(R10, here)
		a.Set(here)
	})
	back := a.NewLabel()
	a.Set(back)
	add("jne -6", func() { a.Jcc(NE, back) })
	add("jmp -11", func() { a.Jmp(back) })
	code := a.Finish()
	nativetest.Disassembles(t, code, want, "#", "-triple=x86_64",
		"-mattr=+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx2,+bmi")
}
