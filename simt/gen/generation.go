package gen

import "simtgdb/simt"

// A Generation is one of Intel's machines, as far as it differs from the others.
type Generation struct {
	Name string

	types        *typeCodes
	align16      bool                                // instructions of three sources are in Align16
	ternary      func(in *Inst, w word) (why string) // decodes three sources
	encoding     *encoding
	untyped      bool        // its text has no types where branches have registers
	byteSubs     uint16      // architecture registers whose text counts bytes, by their number's high nibble
	accumulators int         // how many come before the extended ones
	sfids        *[16]string // the names of the shared functions
	compact      *compactForm
	wide         bool // registers have 64 bytes, which places and fields in them follow
	regBytes     int  // of a general register
	grfCount     int  // general registers
	flags        int  // flag registers
	predModes    *[16]predMode
	files        []simt.RegFile
	large        *Generation // the same with twice as many registers, for kernels that say so
	shortSends   bool        // extended descriptors are a function and the end of the thread alone
	xehp         bool        // as from Xe-HP on: several pipelines, payloads whose length is in no descriptor
	ops          [128]*Op    // by opcode
}

// An encoding is where instructions have their fields.
type encoding struct {
	controls func(in *Inst, g *Generation, w word)
	operands func(in *Inst, g *Generation, w word) (why string)
	compacts func(op *Op) bool                              // whether it has a compact form known here
	expand   func(g *Generation, compact word, op *Op) word // the full form of a compact one
	nop      func(in *Inst, w word)                         // decodes what nop has; nil: nothing
}

// typeCodes are types by their codes.
type typeCodes struct{ registers, immediates [16]Type }

// The generations that there are.
var (
	Gen8 = &Generation{Name: "gen8", types: &gen9Types, align16: true, ternary: (*Inst).ternary,
		encoding: &firstEncoding, sfids: &sfidNames, byteSubs: firstByteSubs, accumulators: 2,
		shortSends: true}
	Gen9 = &Generation{Name: "gen9", types: &gen9Types, align16: true, ternary: (*Inst).ternary,
		encoding: &firstEncoding, sfids: &sfidNames, byteSubs: firstByteSubs, accumulators: 2}
	Gen11 = &Generation{Name: "gen11", types: &gen11Types, ternary: (*Inst).ternaryAlign1,
		encoding: &firstEncoding, sfids: &sfidNames, byteSubs: firstByteSubs, accumulators: 2}
	Gen12LP = &Generation{Name: "gen12lp", types: &xeTypes, ternary: (*Inst).ternaryXe, encoding: &xeEncoding,
		untyped: true, sfids: &xeSFIDs, compact: &gen12Compact, byteSubs: xeByteSubs, accumulators: 8}
	XeHPG = &Generation{Name: "xe-hpg", types: &xeHPTypes, ternary: (*Inst).ternaryXe, encoding: &xeEncoding,
		untyped: true, sfids: &xeHPGSFIDs, compact: &xeHPGCompact, byteSubs: xeByteSubs, accumulators: 8,
		xehp: true}
	XeHPC = &Generation{Name: "xe-hpc", types: &xeHPCTypes, ternary: (*Inst).ternaryXe,
		encoding: &xeHPCEncoding, untyped: true, sfids: &xeHPGSFIDs, byteSubs: xeByteSubs, accumulators: 16,
		xehp: true, wide: true}
)

var firstEncoding = encoding{(*Inst).controls, (*Inst).operands, (*Op).compacts, expand, (*Inst).breakpoint}

func init() {
	for _, g := range []*Generation{Gen8, Gen9, Gen11, Gen12LP, XeHPG, XeHPC} {
		g.regBytes, g.grfCount, g.flags, g.predModes = 32, 128, 2, &gen9PredModes
		if g.wide {
			g.regBytes, g.flags, g.predModes = 64, 4, &hpcPredModes
		}
		g.files = g.regFiles()
	}
	for i := range ops {
		Gen9.ops[ops[i].Code] = &ops[i]
		op := ops[i]
		op.flags |= gen11Flags[op.Code]
		Gen11.ops[op.Code] = &op
	}
	Gen8.ops = Gen9.ops // sends too, which IGC has in functions for it, though iga64 does not know it there
	for _, code := range gen11Without {
		Gen11.ops[code] = nil
	}
	for i := range gen11Ops {
		Gen11.ops[gen11Ops[i].Code] = &gen11Ops[i]
	}
	for _, op := range Gen11.ops {
		if op != nil {
			Gen12LP.renumber(*op)
		}
	}
	for i := range gen12Ops {
		Gen12LP.renumber(gen12Ops[i])
	}
	XeHPG.ops = Gen12LP.ops
	for i := range xeHPGOps {
		XeHPG.renumber(xeHPGOps[i])
	}
	XeHPC.ops = XeHPG.ops
	XeHPC.ops[0x5a] = nil
	for i := range xeHPCOps {
		XeHPC.renumber(xeHPCOps[i])
	}
	for _, g := range []*Generation{XeHPG, XeHPC} {
		large := *g
		large.grfCount = maxRegs
		large.files = large.regFiles()
		g.large = &large
	}
}

// WithRegisters is the generation as a kernel has it that wants some number of general registers.
func (g *Generation) WithRegisters(n int) *Generation {
	if n > g.grfCount && g.large != nil {
		return g.large
	}
	return g
}

// AllIndirect reports whether a kernel's code reads all of its arguments from memory.
func (g *Generation) AllIndirect() bool { return g.wide }

// renumber gives a generation from Gen12LP on a row of those before it, whose opcodes begin elsewhere.
func (g *Generation) renumber(op Op) {
	at, ok := xeOpcode(op.Code)
	if !ok || op.Code == opMadm && !g.xehp {
		return
	}
	op.flags = op.flags&^xeWithout[op.Code] | xeFlags[op.Code]
	g.ops[at] = &op
}

var (
	gen9Types = typeCodes{
		[16]Type{UD, D, UW, W, UB, B, DF, F, UQ, Q, HF, noType, noType, noType, noType, noType},
		[16]Type{UD, D, UW, W, UV, VF, V, F, UQ, Q, DF, HF, noType, noType, noType, noType}}

	// Gen11 has UQ and Q too, though IGC makes pairs of them, and DF, though no code for it.
	gen11Types = typeCodes{
		[16]Type{UD, D, UW, W, UB, B, UQ, Q, HF, F, DF, NF, noType, noType, noType, noType},
		[16]Type{UD, D, UW, W, UV, V, UQ, Q, HF, F, DF, VF, noType, noType, noType, noType}}
)

// typesOf are the codes that an instruction's types have. The tables of the compact form kept theirs when the
// others changed.
func (g *Generation) typesOf(in *Inst) *typeCodes {
	if in.Size == 8 {
		return &gen9Types
	}
	return g.types
}

// Decode decodes the instruction at the start of code, which lies at address
// pc. Its errors are *DecodeErrors.
func (g *Generation) Decode(code []byte, pc uint64) (*Inst, error) {
	in := &Inst{}
	if err := in.decode(g, code, pc); err != nil {
		return nil, err
	}
	return in, nil
}
