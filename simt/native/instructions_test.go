package native

import (
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt/native/nativetest"
)

// TestInstructions: each vector instruction is the one whose name manuals give it, as llvm-mc reads it.
func TestInstructions(t *testing.T) {
	a := &Assembler{}
	var want []string
	at := Mem{RBX, 64}
	// Of AVX-512: of two sources, of one, to memory, into a mask register, by a constant, and accesses by
	// lanes.
	for name, x := range map[string]Instruction{"vpandd": And, "vpandnd": AndNot, "vpord": Or, "vpxord": Xor,
		"vpandq": AndQ, "vporq": OrQ, "vpxorq": XorQ, "vpaddd": AddD, "vpaddq": AddQ, "vpsubd": SubD,
		"vpsubq": SubQ, "vpmulld": MulLD, "vpmullq": MulLQ, "vpmuludq": MulUDQ, "vpmuldq": MulSDQ,
		"vpsllvd": SLLVD, "vpsrlvd": SRLVD, "vpsravd": SRAVD, "vpsllvq": SLLVQ, "vpsrlvq": SRLVQ,
		"vpsravq": SRAVQ, "vpminsd": MinSD, "vpmaxsd": MaxSD, "vpminuq": MinUQ, "vpmaxuq": MaxUQ,
		"vpblendmd": BlendM, "vpblendmq": BlendMQ, "vaddps": AddPS, "vsubps": SubPS, "vmulps": MulPS,
		"vdivps": DivPS, "vminps": MinPS, "vmaxps": MaxPS, "vfmadd213ps": FMAdd213PS, "vaddpd": AddPD,
		"vsubpd": SubPD, "vmulpd": MulPD, "vdivpd": DivPD, "vfmadd213pd": FMAdd213PD, "vpackusdw": PackUSDW,
		"vpermd": PermD, "vpshufb": ShuffleB, "vpunpcklwd": UnpackLowWD, "vpunpckldq": UnpackLowDQ} {
		a.V(x, 27, 18, InReg(1), 0)
		want = append(want, name+" %zmm1, %zmm18, %zmm27")
	}
	for name, x := range map[string]Instruction{"vmovdqu32": MovDQU, "vmovdqu64": MovDQU64,
		"vmovdqu16": MovDQU16,
		"vmovdqa32": MovDQA, "vmovdqa64": MovDQA64, "vpbroadcastd": BroadcastD, "vpbroadcastq": BroadcastQ,
		"vpbroadcastb": BroadcastB, "vpmovzxdq": MovZXDQ, "vpmovsxdq": MovSXDQ, "vcvtdq2ps": CvtDQ2PS,
		"vcvtudq2ps": CvtUDQ2PS, "vcvttps2dq": CvtTPS2DQ, "vcvttps2udq": CvtTPS2UDQ, "vsqrtps": SqrtPS} {
		source := "zmm1"
		switch {
		case strings.Contains(name, "broadcast"):
			source = "xmm1"
		case strings.Contains(name, "xdq"):
			source = "ymm1"
		}
		a.V(x, 27, 0, InReg(1), 0)
		want = append(want, name+" %"+source+", %zmm27")
	}
	for name, x := range map[string]Instruction{"vmovdqu32": MovDQUTo, "vmovdqu64": MovDQU64To} {
		a.V(x, 27, 0, InMem(at), 0)
		want = append(want, name+" %zmm27, 64(%rbx)")
	}
	a.V(BroadcastRD, 27, 0, InReg(Z(R9)), 0)
	a.V(BroadcastR, 27, 0, InReg(Z(RCX)), 0)
	a.V(MovQD, 27, 0, InReg(1), 0)
	want = append(want, "vpbroadcastd %r9d, %zmm27", "vpbroadcastq %rcx, %zmm27", "vpmovqd %zmm27, %ymm1")
	for name, x := range map[string]Instruction{"vpcmpgtd": CmpGtD, "vpcmpgtw": CmpGtW, "vpcmpeqd": CmpEqD,
		"vptestnmd": TestNMD, "vptestmq": TestMQ} {
		a.V(x, 5, 18, InReg(1), 0)
		want = append(want, name+" %zmm1, %zmm18, %k5")
	}
	for name, x := range map[string]Instruction{"vpcmpleud": CmpUD, "vpcmpled": CmpSD, "vpcmpleuq": CmpUQ,
		"vpcmpleq": CmpSQ, "vcmpleps": CmpPS, "vcmplepd": CmpPD} {
		a.V(x, 5, 18, InReg(1), 0, 2)
		want = append(want, name+" %zmm1, %zmm18, %k5")
	}
	for of, names := range map[Instruction]map[Z]string{ShiftD: {ShiftRight: "vpsrld", ShiftSign: "vpsrad",
		ShiftLeft: "vpslld"}, ShiftQ: {ShiftRight: "vpsrlq", ShiftLeft: "vpsllq"},
		ShiftSQ: {ShiftSign: "vpsraq"}} {
		for how, name := range names {
			a.V(of, how, 18, InReg(1), 0, 9)
			want = append(want, name+" $9, %zmm1, %zmm18")
		}
	}
	for name, x := range map[string]Instruction{"vpermq": PermQ, "vrndscaleps": RoundPS,
		"vpshufd": ShuffleD} {
		a.V(x, 18, 0, InReg(1), 0, 9)
		want = append(want, name+" $9, %zmm1, %zmm18")
	}
	a.V(CvtPH2PS, 18, 0, InReg(1), 0)
	a.V(CvtPS2PH, 18, 0, InReg(1), 0, 4)
	a.V(MovM2Q, 18, 0, InReg(1), 0)
	a.V(MovD2M, 5, 0, InReg(18), 0)
	want = append(want, "vcvtph2ps %ymm1, %zmm18", "vcvtps2ph $4, %zmm18, %ymm1", "vpmovm2q %k1, %zmm18",
		"vpmovd2m %zmm18, %k5")
	for name, x := range map[string]Instruction{"vpgatherdd (,%zmm3), %zmm18": GatherDD,
		"vpgatherdq (,%ymm3), %zmm18": GatherDQ, "vpgatherqd (,%zmm3), %ymm18": GatherQD,
		"vpgatherqq (,%zmm3), %zmm18": GatherQQ, "vpscatterdd %zmm18, (,%zmm3)": ScatterDD,
		"vpscatterdq %zmm18, (,%ymm3)": ScatterDQ, "vpscatterqd %ymm18, (,%zmm3)": ScatterQD,
		"vpscatterqq %zmm18, (,%zmm3)": ScatterQQ} {
		a.Gather(x, 18, 3, 7)
		want = append(want, name+" {%k7}")
	}
	a.sizes(&want)
	// What AVX2 has otherwise.
	a.VEX(L128, MovD, 9, 0, InReg(Z(RCX)))
	a.VEX(L128, MovDTo, 9, 0, InReg(Z(RCX)))
	a.VEX(L128, MovQTo, 9, 0, InReg(Z(RCX)))
	a.V256(BroadcastQVEX, 12, 0, InReg(3))
	a.V256(CmpEqQ, 12, 9, InReg(1))
	a.V256(CmpGtQ, 12, 9, InReg(1))
	a.V256(BlendVB, 10, 9, InReg(3), 12<<4)
	a.V256(BlendVPS, 10, 9, InReg(3), 12<<4)
	a.V256(BlendVPD, 10, 9, InReg(3), 12<<4)
	a.V256(BlendD, 10, 9, InReg(3), 0x55)
	a.V256(MovMskPS, Z(RCX), 0, InReg(9))
	a.V256(MovMskPD, Z(RCX), 0, InReg(9))
	a.V256(ExtractI128, 2, 0, InReg(13), 1)
	a.VEX(L256, MaskMovD, 3, 15, InMem(at))
	a.V256(RoundPS, 12, 0, InReg(9), 9)
	a.Gather256(GatherQQ, 12, 9, 4)
	a.Gather256(GatherQD, 2, 3, 14)
	want = append(want, "vmovd %ecx, %xmm9", "vmovd %xmm9, %ecx", "vmovq %xmm9, %rcx",
		"vpbroadcastq %xmm3, %ymm12", "vpcmpeqq %ymm1, %ymm9, %ymm12", "vpcmpgtq %ymm1, %ymm9, %ymm12",
		"vpblendvb %ymm12, %ymm3, %ymm9, %ymm10", "vblendvps %ymm12, %ymm3, %ymm9, %ymm10",
		"vblendvpd %ymm12, %ymm3, %ymm9, %ymm10", "vpblendd $85, %ymm3, %ymm9, %ymm10",
		"vmovmskps %ymm9, %ecx", "vmovmskpd %ymm9, %ecx", "vextracti128 $1, %ymm2, %xmm13",
		"vpmaskmovd 64(%rbx), %ymm15, %ymm3", "vroundps $9, %ymm9, %ymm12",
		"vpgatherqq %ymm4, (,%ymm9), %ymm12", "vpgatherqd %xmm14, (,%ymm3), %xmm2")
	nativetest.Disassembles(t, a.Finish(), want, "#", "-triple=x86_64",
		"-mattr=+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx2,+bmi")
}

// sizes makes the instructions that change the sizes of elements, and says what they are.
func (a *Assembler) sizes(want *[]string) {
	letters := map[uint8]string{1: "b", 2: "w", 4: "d", 8: "q"}
	registers := map[uint8]string{2: "xmm", 4: "ymm"} // by half the share of a whole register
	for _, of := range [][2]uint8{{1, 4}, {1, 8}, {2, 4}, {2, 8}, {4, 8}} {
		from, to := of[0], of[1]
		part := registers[max(8/(to/from), 2)]
		for _, signed := range []bool{false, true} {
			a.V(Extend(from, to, signed), 18, 0, InReg(1), 0)
			*want = append(*want, fmt.Sprintf("vpmov%sx%s%s %%%s1, %%zmm18", map[bool]string{false: "z",
				true: "s"}[signed], letters[from], letters[to], part))
		}
		a.V(Narrow(to, from), 18, 0, InReg(1), 0)
		*want = append(*want, fmt.Sprintf("vpmov%s%s %%zmm18, %%%s1", letters[to], letters[from], part))
	}
}
