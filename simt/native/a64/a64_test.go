package a64

import (
	"fmt"
	"testing"

	"simtgdb/simt/native/nativetest"
)

// meant are the instructions on three registers and on two as LLVM writes them: what comes before the
// registers, and what is behind the first of them and behind the others.
var meant3 = map[Instruction][3]string{
	AddD: {"add", "2d"}, AddS: {"add", "4s"}, SubD: {"sub", "2d"}, SubS: {"sub", "4s"}, MulS: {"mul", "4s"},
	And: {"and", "16b"}, Bic: {"bic", "16b"}, Orr: {"orr", "16b"}, Eor: {"eor", "16b"}, Bsl: {"bsl", "16b"},
	Bit: {"bit", "16b"}, Bif: {"bif", "16b"}, UshlD: {"ushl", "2d"}, UshlS: {"ushl", "4s"},
	SshlD: {"sshl", "2d"}, SshlS: {"sshl", "4s"}, CmeqD: {"cmeq", "2d"}, CmhiD: {"cmhi", "2d"},
	CmhiS: {"cmhi", "4s"}, CmgtD: {"cmgt", "2d"}, CmtstD: {"cmtst", "2d"}, SminS: {"smin", "4s"},
	SmaxS: {"smax", "4s"}, UmullH: {"umull", "2d", "2s"}, SmullH: {"smull", "2d", "2s"},
	UmlalH: {"umlal", "2d", "2s"}, SmlalH: {"smlal", "2d", "2s"},
	FaddS: {"fadd", "4s"}, FsubS: {"fsub", "4s"}, FmulS: {"fmul", "4s"}, FdivS: {"fdiv", "4s"},
	FmlaS: {"fmla", "4s"}, FminS: {"fmin", "4s"}, FmaxS: {"fmax", "4s"}, FcmeqS: {"fcmeq", "4s"},
	FcmgeS: {"fcmge", "4s"}, FcmgtS: {"fcmgt", "4s"}, FaddD: {"fadd", "2d"}, FsubD: {"fsub", "2d"},
	FmulD: {"fmul", "2d"}, FdivD: {"fdiv", "2d"}, FmlaD: {"fmla", "2d"}, FcmeqD: {"fcmeq", "2d"},
	FcmgeD: {"fcmge", "2d"}, FcmgtD: {"fcmgt", "2d"},
}

var meant2 = map[Instruction][3]string{
	Mov: {"mov", "16b"}, NegD: {"neg", "2d"}, NegS: {"neg", "4s"}, Rev64S: {"rev64", "4s"},
	UaddlpS: {"uaddlp", "2d", "4s"}, Xtn: {"xtn", "2s", "2d"}, Cnt: {"cnt", "8b"},
	ScvtfS: {"scvtf", "4s"}, UcvtfS: {"ucvtf", "4s"}, FcvtzsS: {"fcvtzs", "4s"}, FcvtzuS: {"fcvtzu", "4s"},
	FrintnS: {"frintn", "4s"}, FrintmS: {"frintm", "4s"}, FrintpS: {"frintp", "4s"},
	FrintzS: {"frintz", "4s"},
	FsqrtS:  {"fsqrt", "4s"},
}

// TestAgainstLLVM: llvm-mc disassembles what the assembler makes as what was meant.
func TestAgainstLLVM(t *testing.T) {
	a := &Assembler{Tmp: 16}
	var want []string
	add := func(f func(), text ...string) {
		f()
		want = append(want, text...)
	}
	sorts := func(all [3]string) (first, others string) {
		if all[2] == "" {
			return all[1], all[1]
		}
		return all[1], all[2]
	}
	for in, all := range meant3 {
		first, others := sorts(all)
		for _, v := range []V{0, 9, 21, 31} {
			add(func() { a.V3(in, v, 31-v, v^5) },
				fmt.Sprintf("%s v%d.%s, v%d.%s, v%d.%s", all[0], v, first, 31-v, others, v^5, others))
		}
	}
	for in, all := range meant2 {
		first, others := sorts(all)
		for _, v := range []V{0, 9, 21, 31} {
			add(func() { a.V2(in, v, 31-v) },
				fmt.Sprintf("%s v%d.%s, v%d.%s", all[0], v, first, 31-v, others))
		}
	}
	rest(a, add)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	nativetest.Disassembles(t, code, want, "//", "-triple=aarch64")
}

// rest makes one instruction or more of all other kinds.
func rest(a *Assembler, add func(f func(), text ...string)) {
	add(func() { a.V2(Uxtl, 3, 30) }, "ushll v3.2d, v30.2s, #0")
	add(func() { a.V2(Sxtl, 3, 30) }, "sshll v3.2d, v30.2s, #0")
	add(func() { a.V2(AddpD, 3, 30) }, "addp d3, v30.2d")
	add(func() { a.V2(UminvS, 3, 30) }, "uminv s3, v30.4s")
	add(func() { a.V2(UmaxvS, 3, 30) }, "umaxv s3, v30.4s")
	add(func() { a.V2(AddvB, 3, 30) }, "addv b3, v30.8b")
	add(func() { a.ShiftImm(ShlD, 3, 30, 0) }, "shl v3.2d, v30.2d, #0")
	add(func() { a.ShiftImm(ShlD, 3, 30, 63) }, "shl v3.2d, v30.2d, #63")
	add(func() { a.ShiftImm(UshrD, 3, 30, 64) }, "ushr v3.2d, v30.2d, #64")
	add(func() { a.ShiftImm(SshrD, 3, 30, 1) }, "sshr v3.2d, v30.2d, #1")
	add(func() { a.ShiftImm(ShlS, 3, 30, 31) }, "shl v3.4s, v30.4s, #31")
	add(func() { a.ShiftImm(UshrS, 3, 30, 1) }, "ushr v3.4s, v30.4s, #1")
	add(func() { a.ShiftImm(SshrS, 3, 30, 32) }, "sshr v3.4s, v30.4s, #32")
	add(func() { a.Zero(9) }, "movi v9.2d, #0000000000000000")
	add(func() { a.Dup(9, 17) }, "dup v9.2d, x17")
	add(func() { a.Umov(17, 9, 0) }, "mov x17, v9.d[0]")
	add(func() { a.Umov(17, 9, 1) }, "mov x17, v9.d[1]")
	add(func() { a.Ins(9, 0, 17) }, "mov v9.d[0], x17")
	add(func() { a.Ins(9, 1, 17) }, "mov v9.d[1], x17")
	add(func() { a.Fmov(W32, 17, 9) }, "fmov w17, s9")
	add(func() { a.Fmov(W64, 17, 9) }, "fmov x17, d9")
	add(func() { a.FmovTo(9, 17) }, "fmov d9, x17")

	add(func() { a.Op(ADD, W64, 1, 2, 3) }, "add x1, x2, x3")
	add(func() { a.Op(SUB, W32, 1, 2, 3) }, "sub w1, w2, w3")
	add(func() { a.Op(SUBS, W64, 1, 2, 3) }, "subs x1, x2, x3")
	add(func() { a.Op(AND, W64, 1, 2, 3) }, "and x1, x2, x3")
	add(func() { a.Op(ANDS, W32, 1, 2, 3) }, "ands w1, w2, w3")
	add(func() { a.Op(ORR, W64, 1, 2, 3) }, "orr x1, x2, x3")
	add(func() { a.Op(EOR, W64, 1, 2, 3) }, "eor x1, x2, x3")
	add(func() { a.Op(BIC, W64, 1, 2, 3) }, "bic x1, x2, x3")
	add(func() { a.Op(ORN, W64, 1, ZR, 3) }, "mvn x1, x3")
	add(func() { a.Op(LSLV, W64, 1, 2, 3) }, "lsl x1, x2, x3")
	add(func() { a.Op(LSRV, W32, 1, 2, 3) }, "lsr w1, w2, w3")
	add(func() { a.Mov(W64, 1, 30) }, "mov x1, x30")
	add(func() { a.Cmp(W64, 1, 30) }, "cmp x1, x30")
	add(func() { a.AddImm(W64, 1, 2, 4095) }, "add x1, x2, #4095")
	add(func() { a.AddImm(W64, 1, 2, -4095) }, "sub x1, x2, #4095")
	add(func() { a.AddImm(W64, 1, 2, 0x5000) }, "add x1, x2, #5, lsl #12")
	add(func() { a.AddImm(W64, 1, 2, 0x5001) }, "mov x16, #20481", "add x1, x2, x16")
	add(func() { a.AddImm(W64, 1, 2, -0x5001) }, "mov x16, #20481", "sub x1, x2, x16")
	add(func() { a.CmpImm(W64, 5, 7) }, "cmp x5, #7")
	add(func() { a.CmpImm(W32, 5, 0) }, "cmp w5, #0")
	add(func() { a.CmpImm(W64, 5, -7) }, "mov x16, #-7", "cmp x5, x16")
	add(func() { a.CmpImm(W64, 5, 0x12345) }, "mov x16, #9029", "movk x16, #1, lsl #16", "cmp x5, x16")
	add(func() { a.SubsImm(W64, 5, 6, 7) }, "subs x5, x6, #7")
	add(func() { a.SubsImm(W64, 5, 6, 0x7000) }, "subs x5, x6, #7, lsl #12")
	add(func() { a.MovImm(5, 0) }, "movz x5, #0, lsl #48")
	add(func() { a.MovImm(5, ^uint64(0)) }, "movn x5, #0, lsl #48")
	add(func() { a.MovImm(5, 0xffffffff12345678) }, "mov x5, #-43400", "movk x5, #4660, lsl #16")
	add(func() { a.MovImm(5, 0x1234000000000000) }, "mov x5, #1311673391471656960")
	add(func() { a.LslImm(5, 6, 7) }, "lsl x5, x6, #7")
	add(func() { a.LsrImm(5, 6, 7) }, "lsr x5, x6, #7")
	add(func() { a.Load(W64, 5, Mem{6, 32760}) }, "ldr x5, [x6, #32760]")
	add(func() { a.Load(W64, 5, Mem{6, 32768}) }, "mov x16, #32768", "add x16, x6, x16", "ldr x5, [x16]")
	add(func() { a.Load(W32, 5, Mem{6, 4}) }, "ldr w5, [x6, #4]")
	add(func() { a.Load(W32, 5, Mem{6, 3}) }, "mov x16, #3", "add x16, x6, x16", "ldr w5, [x16]")
	add(func() { a.Store(W64, Mem{6, 8}, 5) }, "str x5, [x6, #8]")
	add(func() { a.Store(W32, Mem{6, 8}, ZR) }, "str wzr, [x6, #8]")
	add(func() { a.Move(LoadQ, 4, Mem{6, 16}) }, "ldr q4, [x6, #16]")
	add(func() { a.Move(StoreQ, 4, Mem{6, 16}) }, "str q4, [x6, #16]")
	add(func() { a.Move(LoadD, 5, Mem{6, 8}) }, "ldr d5, [x6, #8]")
	add(func() { a.Move(StoreD, 4, Mem{6, 8}) }, "str d4, [x6, #8]")
	add(func() { a.LoadAt(W32, 5, 6, 7) }, "ldr w5, [x6, x7]")
	add(func() { a.LoadAt(W64, 5, 6, 7) }, "ldr x5, [x6, x7]")
	add(func() { a.StoreAt(W32, 5, 6, 7) }, "str w5, [x6, x7]")
	add(func() { a.StoreAt(W64, 5, 6, 7) }, "str x5, [x6, x7]")
	add(func() { a.Br(5) }, "br x5")
	add(func() { a.Ret() }, "ret")
	back, on := a.NewLabel(), a.NewLabel()
	a.Set(back)
	add(func() { a.B(on) }, "b #24")
	add(func() { a.Bc(LS, back) }, "b.ls #-4")
	add(func() { a.Cbz(W64, 5, on) }, "cbz x5, #16")
	add(func() { a.Cbnz(W32, 5, back) }, "cbnz w5, #-12")
	add(func() { a.Adr(5, on) }, "adr x5, #8")
	add(func() { a.Adr(5, back) }, "adr x5, #-20")
	a.Set(on)
}
