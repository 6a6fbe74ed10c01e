package vec

// What CPUID and XGETBV say (Intel, "Software Developer's Manual", volume 1,
// sections 14.3 and 15.2).
const (
	hasOSXSAVE  = 1 << 27 // leaf 1, ECX
	hasAVX      = 1 << 28
	hasFMA      = 1 << 12
	hasF16C     = 1 << 29
	hasAVX2     = 1 << 5 // leaf 7, EBX
	hasAVX512F  = 1 << 16
	hasAVX512DQ = 1 << 17
	hasAVX512BW = 1 << 30
	hasAVX512VL = 1 << 31

	keepsYMM = 0x06 // XCR0: the system saves XMM and YMM registers
	keepsZMM = 0xe6 // and mask registers and all of ZMM
)

func cpuid(leaf, sub uint32) (ax, bx, cx, dx uint32)
func xgetbv() uint32

// best is the last path that the processor and the system allow.
var best = detect()

func detect() Path {
	most, _, _, _ := cpuid(0, 0)
	_, _, one, _ := cpuid(1, 0)
	if need := uint32(hasOSXSAVE | hasAVX | hasFMA | hasF16C); most < 7 || one&need != need {
		return Portable
	}
	saved := xgetbv()
	_, seven, _, _ := cpuid(7, 0)
	if saved&keepsYMM != keepsYMM || seven&hasAVX2 == 0 {
		return Portable
	}
	if need := uint32(hasAVX512F | hasAVX512DQ | hasAVX512BW | hasAVX512VL); saved&keepsZMM != keepsZMM ||
		seven&need != need {
		return AVX2
	}
	return AVX512
}

// available reports whether the processor can take a path.
func available(p Path) bool { return p <= best }

// assemble puts a path's assembly in the place of the twins.
func assemble(p Path, ops *[opCount]Func, m *mover) {
	switch p {
	case AVX2:
		replace(ops, &avx2)
		m.fill, m.merge = fill256, merge256
	case AVX512:
		replace(ops, &avx512)
		*m = mover{fill512, merge512, offsets512, load512, store512, places512, steps512,
			further512}
	}
}

func replace(ops, by *[opCount]Func) {
	for i, f := range by {
		if f != nil {
			ops[i] = f
		}
	}
}

// unless runs the twin where the assembly has set Out to say that it has done
// nothing.
func unless(f Func, op Op) Func {
	twin := twins[op]
	return func(x *Args) {
		if f(x); x.Out != 0 {
			twin(x)
		}
	}
}
