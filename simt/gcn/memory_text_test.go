package gcn

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// scalarEncodings are instructions of the SOP encodings: every opcode with
// all kinds of operands.
func scalarEncodings() [][]uint32 {
	var insts [][]uint32
	add := func(words ...uint32) { insts = append(insts, words) }
	sources := []uint32{4, 101, 102, 104, 106, 108, 123, 124, 126, 127, 128, 192, 193, 208, 235, 236, 237,
		238, 239,
		240, 241, 242, 243, 244, 245, 246, 247, 248, 251, 252, 253}
	destinations := []uint32{8, 100, 102, 106, 112, 124, 126}
	literals := []uint32{0, 64, 65, 0xfffffff0, 0x3f800000, 0x3e22f983, 0x12345678}
	for code := range uint32(256) {
		w := 0xbe800000 | code<<8
		for _, s := range sources {
			add(w | 8<<16 | s)
		}
		for _, d := range destinations {
			add(w | d<<16 | 4)
		}
		for _, l := range literals {
			add(w|8<<16|255, l)
		}
	}
	for code := range uint32(0x60) {
		w := 0x80000000 | code<<23
		for _, s := range sources {
			add(w | 8<<16 | s | 6<<8)
			add(w | 8<<16 | s<<8 | 6)
		}
		add(w|8<<16|255|6<<8, 0x12345678)
		add(w|8<<16|255<<8|6, 0x12345678)
		add(w|106<<16|255<<8|255, 0x12345678)
	}
	for code := range uint32(0x80) {
		w := 0xbf000000 | code<<16
		for _, s := range sources {
			add(w | s | 6<<8)
		}
		add(w | 4 | 200<<8)
		add(w|255|6<<8, 0x12345678)
	}
	for code := range uint32(0x7f) {
		code++ // without s_nop, by which the answers are told apart
		for _, imm := range []uint32{0, 1, 2, 3, 0xf, 0x10, 0x12, 0x13, 0x22, 0x113, 0x40, 0x41, 0x7f, 0x4f,
			0xf70, 0xc07f, 0xcf7f, 0x8f7e, 0x8000, 0xffff} {
			add(0xbf800000 | code<<16 | imm)
		}
	}
	for code := range uint32(0x1d) {
		w := 0xb0000000 | code<<23
		for _, imm := range []uint32{0, 1, 0x40, 0x7fff, 0x8000, 0xffff, 0xf801, 0x1901, 0xf814, 0xf80a,
			0x804, 0x180f} {
			add(w | 8<<16 | imm)
			add(w | 106<<16 | imm)
			for _, l := range literals {
				add(w|imm, l)
			}
		}
	}
	return insts
}

// memoryEncodings are instructions of the memory encodings.
func memoryEncodings() [][]uint32 {
	var insts [][]uint32
	add := func(words ...uint32) { insts = append(insts, words) }
	for code := range uint32(256) {
		w := 0xc0000000 | code<<18
		for _, w1 := range []uint32{0, 5, 0x7c, 0x1fffff, 0x100000, 0xe000010} {
			for _, b := range []uint32{0, 1 << 17, 1 << 14, 3 << 16, 1<<17 | 1<<14} {
				add(w|b|8<<6|4, w1)
			}
		}
		for _, sdata := range []uint32{2, 96, 100, 102, 106, 108, 112, 120} {
			add(w|1<<17|sdata<<6|53, 0x40)
		}
		for _, sbase := range []uint32{0, 1, 50, 51, 52, 53, 54, 61} {
			add(w|1<<17|8<<6|sbase, 0x40)
		}
	}
	fields := []uint32{5, 5 | 10<<8, 5 | 10<<8 | 20<<16, 0}
	for code := range uint32(256) {
		w := 0xd8000000 | code<<17
		for _, f := range fields {
			for _, dst := range []uint32{0, 30 << 24} {
				for _, off := range []uint32{0, 4, 0x800, 0x804, 0xffff, 0x1f, 0x80e4, 0xc020, 0xc420, 0xe005,
					0x7c1f, 0x401f, 0x10, 0x9000} {
					add(w|off, f|dst)
				}
				add(w|1<<16, f|dst)
				add(w|1<<25|8, f|dst)
			}
		}
		add(w, 5|10<<8|20<<16|252<<24)
	}
	for _, segment := range []uint32{0, 1, 2} {
		for code := range uint32(128) {
			w := 0xdc000000 | segment<<14 | code<<18
			for _, b := range []uint32{0, 8, 0xfff, 0x1000, 0x1fff, 1 << 16, 1 << 17, 3 << 16, 1 << 25, 1 << 13} {
				for _, saddr := range []uint32{0x7f, 0, 4, 101, 106} {
					for _, regs := range []uint32{6 | 10<<8 | 30<<24, 6 | 10<<8, 6 | 30<<24, 6} {
						if b > 0x1fff && saddr == 101 {
							continue
						}
						add(w|b, regs|saddr<<16)
					}
				}
			}
			for _, regs := range []uint32{6 | 10<<8 | 30<<24, 6 | 10<<8, 6 | 30<<24, 6} {
				add(w, regs|1<<23|0x7f<<16)
				add(w, regs|1<<23)
			}
		}
	}
	for code := range uint32(16) {
		w := 0xe8000000 | code<<15
		for _, f := range []uint32{0, 1 << 19, 4<<19 | 7<<23, 1<<19 | 5<<23, 15<<19 | 6<<23, 9 << 19} {
			for _, b := range []uint32{4, 1 << 12, 2 << 12, 3<<12 | 0xfff, 1 << 14} {
				for _, w1 := range []uint32{6 | 10<<8 | 2<<16 | 4<<24, 6 | 10<<8 | 25<<16 | 128<<24 | 1<<22,
					6 | 10<<8 | 1<<21 | 1<<23} {
					add(w|f|b, w1)
				}
			}
		}
	}
	for code := range uint32(128) {
		w := 0xe0000000 | code<<18
		for _, b := range []uint32{0, 4, 0xfff, 1 << 12, 2 << 12, 3 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17,
			1<<12 | 1<<14 | 1<<17 | 8, 1<<16 | 1<<12} {
			for _, w1 := range []uint32{0, 6 | 10<<8 | 2<<16 | 4<<24, 6 | 10<<8 | 25<<16 | 128<<24,
				6 | 10<<8 | 27<<16 | 193<<24, 6 | 10<<8 | 26<<16 | 106<<24} {
				add(w|b, w1)
				add(w|b, w1|1<<23)
			}
		}
	}
	return insts
}

// laxer tells encodings that this package reads although LLVM refuses them or
// marks them as invalid: it does not insist that fields which an instruction
// does not use are 0, nor that an operand makes sense.
func laxer(own, llvm string) bool {
	return own != "" && (llvm == "" || strings.Contains(llvm, "/*Invalid"))
}

// onGFX950 tells instructions of gfx950 that are not read as LLVM does: those
// that are names only here, with their modifiers, and forms of others.
func onGFX950(text string) bool {
	for _, s := range []string{"v_cvt_sr_f16_f32", "v_cvt_sr_bf16_f32",
		"v_ashr_pk_", "v_cvt_pk_bf16_f32", "v_cvt_f32_bf16_e32 v6, 0x1234", "_swap_b32_e32 v6, src_",
		"v_permlane16_swap_b32_e64",
		"v_permlane32_swap_b32_e64"} {
		if strings.HasPrefix(text, s) || strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// checkText compares the text of instructions with LLVM's.
func checkText(t *testing.T, insts [][]uint32) {
	for _, processor := range Targets() {
		t.Run(processor, func(t *testing.T) {
			isa, err := New(processor, nil, Kernel{})
			if err != nil {
				t.Fatal(err)
			}
			insts := someOf(processor, insts)
			type row struct {
				Words []uint32
				Text  string
			}
			var want, got []row
			agreed := 0
			for i, text := range llvmDisassemble(t, processor, insts) {
				own := ownText(isa, insts[i])
				switch {
				case own == text && own != "":
					agreed++
				case own != text && !laxer(own, text) && !onGFX950(text):
					want, got = append(want, row{insts[i], text}), append(got, row{insts[i], own})
				}
			}
			if agreed == 0 {
				t.Errorf("no instruction was compared")
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("text (-LLVM +own), %d of %d agree:\n%s", agreed, len(insts), d)
			}
		})
	}
}

// someOf are some of the instructions, fewer for processors that differ little from
// another one: others for each processor.
func someOf(processor string, insts [][]uint32) [][]uint32 {
	every := sweep.Step(7)
	if processor != "gfx900" {
		every *= 5
	}
	rnd := rand.New(sweep.PCG(19, uint64(len(insts))+uint64(slices.Index(Targets(), processor))))
	var some [][]uint32
	for _, words := range insts {
		if rnd.IntN(every) == 0 {
			some = append(some, words)
		}
	}
	return some
}

func TestScalarTextAgreesWithLLVM(t *testing.T) { checkText(t, scalarEncodings()) }

func TestMemoryTextAgreesWithLLVM(t *testing.T) { checkText(t, memoryEncodings()) }
