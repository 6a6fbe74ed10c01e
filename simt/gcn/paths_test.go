package gcn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A path is a way in which a core runs instructions: package vec's, or
// translated.
type path struct {
	vec        vec.Path
	translated bool
}

func (p path) String() string {
	if p.translated {
		return "translated for " + p.vec.String()
	}
	return p.vec.String()
}

// paths are those that this host has; the first is what the others are
// compared with.
func paths() []path {
	var all []path
	for _, p := range vec.Paths() {
		if all = append(all, path{vec: p}); p != vec.Portable {
			all = append(all, path{p, true})
		}
	}
	return all
}

// take makes a harness run in a path; what it decodes from now on.
func (h *harness) take(p path) {
	vec.Use(p.vec)
	h.m.Interpret = !p.translated
	h.m.Invalidate()
	h.core.forget()
	h.core.warmRuns = 1
}

// streamRows are the instructions of streams: those that have a fast form or a
// translation, and some that have none.
func streamRows(isa *ISA) []*Op {
	var rows []*Op
	for enc, all := range isa.tables.rows {
		for _, op := range all {
			if op == nil || op.Enc != Enc(enc) {
				continue
			}
			if op.fast.op != vec.None || op.native != nil || op.Name == "v_sqrt_f32" {
				rows = append(rows, op)
			}
		}
	}
	return rows
}

// Registers of streams: what they compute with, and what leads to memory.
const (
	streamVectors = 12
	streamScalars = 16
	streamLDS     = 20 // a vector register
	streamGlobal  = 22 // a pair of them
	streamPrivate = 24 // a pair of vector registers
	streamMask    = 16 // a pair of scalar registers
	streamCounter = 20 // a scalar register
	streamBase    = 24 // a pair of them, with an address
	streamOffset  = 27
	streamBuffer  = 28 // four of them, with a descriptor
)

// randomSource is the number of a source operand.
func randomSource(r *rand.Rand) uint32 {
	switch r.IntN(8) {
	case 0:
		return uint32(r.IntN(streamScalars))
	case 1:
		return uint32(128 + r.IntN(81))
	case 2:
		return uint32(240 + r.IntN(9))
	case 3:
		return []uint32{regVCC, regExec, regVCC + 1}[r.IntN(3)]
	}
	return uint32(srcVGPR + r.IntN(streamVectors))
}

func randomScalar(r *rand.Rand) uint32 {
	if r.IntN(3) == 0 {
		return uint32(128 + r.IntN(81))
	}
	return []uint32{uint32(r.IntN(streamScalars)), regVCC, regExec}[min(r.IntN(12), 2)]
}

// streamInst encodes a row with random operands.
func streamInst(r *rand.Rand, op *Op) []uint32 {
	code, dst := uint32(op.Code), uint32(r.IntN(streamVectors))
	sdst := uint32(r.IntN(streamScalars))
	if r.IntN(6) == 0 {
		sdst = []uint32{regVCC, regExec}[r.IntN(2)]
	}
	var words []uint32
	switch op.Enc {
	case SOP2:
		words = []uint32{0x80000000 | code<<23 | sdst<<16 | randomScalar(r)<<8 | randomScalar(r)}
		if op.Name == "s_bfe_u32" || op.Name == "s_bfe_i32" { // a field in a literal
			words = []uint32{words[0]&^0xff00 | 0xff00, uint32(r.IntN(32) | r.IntN(33)<<16)}
			return words
		}
	case SOP1:
		words = []uint32{0xbe800000 | sdst<<16 | code<<8 | randomScalar(r)}
	case SOPC:
		words = []uint32{0xbf000000 | code<<16 | randomScalar(r)<<8 | randomScalar(r)}
	case SOPK:
		words = []uint32{0xb0000000 | code<<23 | uint32(r.IntN(streamScalars))<<16 | uint32(r.IntN(1<<16))}
	case SOPP:
		words = []uint32{0xbf800000 | code<<16}
	case VOP1:
		words = []uint32{0x7e000000 | dst<<17 | code<<9 | randomSource(r)}
	case VOP2:
		words = []uint32{code<<25 | dst<<17 | uint32(r.IntN(streamVectors))<<9 | randomSource(r)}
	case VOPC:
		words = []uint32{0x7c000000 | code<<17 | uint32(r.IntN(streamVectors))<<9 | randomSource(r)}
	case VOP3:
	case VOP3P:
		return streamPacked(r, op, dst)
	default:
		return nil
	}
	base, long := vop3Code[op.Enc]
	if op.Enc == VOP3 || long && op.flag&noVOP3 == 0 && r.IntN(2) == 0 {
		w0 := 0xd0000000 | (uint32(base)+code)<<16 | dst
		if op.Enc == VOPC {
			w0 = w0&^0xff | sdst
		}
		if op.flag&writesVCC != 0 {
			w0 |= sdst << 8
		} else if r.IntN(3) == 0 && op.src[0] == f32 {
			w0 |= uint32(r.IntN(8)) << 8
		}
		w1 := randomSource(r) | randomSource(r)<<9 | randomSource(r)<<18
		if r.IntN(3) == 0 && op.src[0] == f32 {
			w1 |= uint32(r.IntN(8)) << 29
		}
		return []uint32{w0, w1}
	}
	if (op.Enc == VOP1 || op.Enc == VOP2) && r.IntN(4) == 0 { // SDWA
		words[0] = words[0]&^0x1ff | srcSDWA
		return append(words, uint32(r.IntN(streamVectors))|6<<8|uint32(r.IntN(7))<<16|uint32(r.IntN(2))<<19|
			uint32(r.IntN(7))<<24|uint32(r.IntN(2))<<27)
	}
	return append(words, r.Uint32()) // a literal, if there is one
}

// streamPacked is streamInst for VOP3P.
func streamPacked(r *rand.Rand, op *Op, dst uint32) []uint32 {
	if op.flag&matrix != 0 { // a move to or from an accumulation register
		return []uint32{0xd3800000 | uint32(op.Code)<<16 | dst, 1<<27*uint32(op.flag&accSrc/accSrc) |
			uint32(srcVGPR+r.IntN(streamVectors))}
	}
	w0 := 0xd3800000 | uint32(op.Code)<<16 | dst | uint32(r.IntN(16))<<11 | r.Uint32()&1<<14
	w1 := randomSource(r) | randomSource(r)<<9 | randomSource(r)<<18 | 3<<27
	if r.IntN(2) == 0 {
		w0, w1 = w0|uint32(r.IntN(8))<<8, w1&^(3<<27)|uint32(r.IntN(4))<<27|uint32(r.IntN(8))<<29
	}
	return []uint32{w0, w1}
}

// A stream is a loop of random instructions, and the state in which it begins.
type stream struct {
	code [][]uint32
	mode uint32
	seed uint64
}

// streamModes are what MODE is.
var streamModes = []uint32{
	ModeDenorm32 | ModeDenorm64 | ModeIEEE | ModeDX10Clamp, ModeDenorm32 | ModeDenorm64, ModeDenorm64,
	ModeDenorm32 | ModeDenorm64 | 1, 0,
}

// randomStream makes a loop that runs a few times.
func randomStream(isa *ISA, rows []*Op, seed uint64, n int) *stream {
	r := rand.New(sweep.PCG(seed, 9))
	s := &stream{mode: streamModes[r.IntN(len(streamModes))], seed: seed}
	add := func(words []uint32) {
		in, err := isa.Decode(wordsCode(words...), 0)
		if err != nil || in.Op.ends() || in.dst.kind == scalarReg && in.dst.reg == streamCounter {
			return
		}
		words = words[:in.Size/4]
		if r.IntN(8) == 0 { // around it if a condition holds
			code := []uint32{0xbf840000, 0xbf850000, 0xbf860000, 0xbf870000, 0xbf880000,
				0xbf890000}[r.IntN(6)]
			s.code = append(s.code, []uint32{code | uint32(len(words))})
		}
		s.code = append(s.code, words)
	}
	for i := range n {
		if i%4 == 0 { // so that streams of many seeds have all rows
			add(streamInst(r, rows[(seed*uint64(n)+uint64(i))/4%uint64(len(rows))]))
		}
		switch r.IntN(8) {
		case 0:
			add(streamMemory(r))
		case 1:
			add([]uint32{0xbefe01c1}) // s_mov_b64 exec, -1
		default:
			add(streamInst(r, rows[r.IntN(len(rows))]))
		}
	}
	s.loop()
	return s
}

// loop ends a stream, which then runs as often as a register says.
func (s *stream) loop() {
	size := 0
	for _, w := range s.code {
		size += len(w)
	}
	s.code = append(s.code, []uint32{0x80808100 | streamCounter<<16 | streamCounter}, // s_sub_u32 s20, s20, 1
		[]uint32{0xbf078000 | streamCounter}, // s_cmp_lg_u32 s20, 0
		[]uint32{0xbf850000 | uint32(-size-3)&0xffff}, []uint32{0xbf810000})
}

// streamMemory is an access to LDS or global memory.
func streamMemory(r *rand.Rand) []uint32 {
	data := uint32(r.IntN(streamVectors - 4))
	dwords := uint32(r.IntN(4))
	if r.IntN(12) == 0 {
		return streamFault(r, data, dwords)
	}
	if r.IntN(5) == 0 {
		return streamNarrow(r)
	}
	switch store := 8 * uint32(r.IntN(2)); r.IntN(8) {
	case 0: // s_load_*, some of them of memory that is not there
		return []uint32{0xc0020000 | uint32(r.IntN(5))<<18 | uint32(r.IntN(4)*4)%12<<6 | streamBase/2,
			uint32(r.IntN(100) * r.IntN(12))}
	case 1: // scratch_*
		return []uint32{0xdc004000 | (0x14+dwords+store)<<18 | uint32(r.IntN(20)*4) | uint32(r.IntN(8)/7),
			data<<24 | streamOffset<<16 | data<<8}
	case 2: // buffer_* of private memory
		return []uint32{0xe0000000 | (0x14+dwords+store)<<18 | uint32(r.IntN(20)*4) | uint32(r.IntN(8)/7),
			streamOffset<<24 | streamBuffer/4<<16 | data<<8}
	case 3: // flat_* of private memory
		return []uint32{0xdc000000 | (0x14+dwords+store)<<18 | uint32(r.IntN(20)*4),
			data<<24 | data<<8 | streamPrivate}
	}
	if r.IntN(2) == 0 {
		codes := []uint32{0x0d, 0x0e, 0x0f, 0x36, 0x37, 0x38, 0x4d, 0x76, 0x77, 0xfe, 0xff, 0xdf, 0x3c}
		w0 := 0xd8000000 | codes[r.IntN(len(codes))]<<17 | uint32(r.IntN(16)*4)
		if r.IntN(4) == 0 {
			w0 |= uint32(r.IntN(4)) << 8
		}
		return []uint32{w0, data<<24 | data<<16 | uint32(r.IntN(streamVectors-4))<<8 | streamLDS}
	}
	codes := []uint32{0x14, 0x15, 0x16, 0x17, 0x1c, 0x1d, 0x1e, 0x1f, 0x10}
	return []uint32{0xdc008000 | []uint32{0, 0x8000}[r.IntN(2)]&0x8000 | codes[r.IntN(len(codes))]<<18 |
		uint32(r.IntN(64)*4), data<<24 | 0x7f<<16 | data<<8 | streamGlobal}
}

// streamNarrow is an access of a byte or a word.
func streamNarrow(r *rand.Rand) []uint32 {
	codes := map[Enc][]uint16{DS: {0x1e, 0x1f, 0x39, 0x3a, 0x3b, 0x3c, 0x54, 0x55, 0x56, 0x57, 0x58,
		0x59, 0x5a, 0x5b}}
	op := &Op{Enc: []Enc{DS, FLAT, GLOBAL, SCRATCH, MUBUF}[r.IntN(5)]}
	if codes[op.Enc] == nil {
		codes[op.Enc] = []uint16{0x10, 0x11, 0x12, 0x13, 0x18, 0x19, 0x1a, 0x1b, 0x20, 0x21, 0x22, 0x23, 0x24,
			0x25}
	}
	op.Code = codes[op.Enc][r.IntN(len(codes[op.Enc]))]
	return narrowInst(r, op)
}

// streamFault is an access that is outside of its memory, for some lanes at
// least.
func streamFault(r *rand.Rand, data, dwords uint32) []uint32 {
	switch r.IntN(4) {
	case 0:
		return []uint32{0xc0020000 | uint32(r.IntN(5))<<18 | streamBase/2, dataSize}
	case 1:
		return []uint32{0xdc004000 | (0x14+dwords)<<18 | scratchLimit - 4,
			data<<24 | streamOffset<<16 | data<<8}
	case 2:
		return []uint32{0xd8000000 | 0x36<<17 | ldsSize - 128, data<<24 | streamLDS}
	}
	return []uint32{0xdc008000 | (0x1c+dwords)<<18 | 0xffc, data<<8 | 0x7f<<16 | streamGlobal}
}

// begin gives a harness the state in which a stream begins.
func (s *stream) begin(h *harness) {
	h.load(s.code...)
	r := rand.New(sweep.PCG(s.seed, 10))
	for i := range streamScalars {
		h.regs.S[i] = uint32(sample(r, b32))
	}
	setPair(h.regs, regVCC, r.Uint64())
	h.regs.S[streamCounter], h.regs.S[regMode], h.regs.S[regSCC] = 6, s.mode, 0
	for i := range streamVectors {
		h.vector(i, func(int) uint32 { return uint32(sample(r, []typ{f32, u32}[i%2])) })
	}
	pattern := r.IntN(4)
	place := func(l int) int {
		return [...]int{4 * l, 4 * (l % 16), 64, r.IntN(200) * 4}[pattern]
	}
	h.vector(streamLDS, func(l int) uint32 { return uint32(place(l)) })
	h.address(streamGlobal, func(l int) uint64 { return dataBase + uint64(place(l)) })
	h.address(streamPrivate, func(int) uint64 { return PrivateBase + 64 })
	setPair(h.regs, streamBase, dataBase)
	setPair(h.regs, streamMask, r.Uint64())
	h.regs.S[streamOffset] = 256
	copy(h.regs.S[streamBuffer:], scratchDescriptor(h.regs.scratchBase, 1<<30, h.w.Size))
	for i := range h.data.Data {
		h.data.Data[i], h.group.LDS[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	h.exec(all64 & h.regs.wide)
	if r.IntN(3) == 0 {
		h.exec(r.Uint64() & h.regs.wide)
	}
}

// TestPathsAgree runs random streams in every path, in pieces of random
// lengths, with and without a debugger's record. Together they have every row
// that runs by package vec or that is translated.
func TestPathsAgree(t *testing.T) {
	n := 180
	if testing.Short() {
		n = 20
	}
	for seed := range uint64(n) {
		comparePaths(t, seed, 30)
	}
	if testing.Short() || sweep.Seed() != 0 { // these streams are chosen so that each operation is in one
		return
	}
	in, has := map[string]bool{}, map[string]*Op{}
	for _, processor := range Targets() {
		for _, rows := range newISA(t, processor, nil).tables.rows {
			for _, op := range rows {
				if op != nil {
					has[op.Name] = op
				}
			}
		}
	}
	for seed := range uint64(n) {
		h := newHarness(t, Targets()[seed%uint64(len(Targets()))])
		for _, words := range randomStream(h.isa, streamRows(h.isa), seed, 30).code {
			if i, err := h.isa.Decode(wordsCode(words...), 0); err == nil {
				in[i.Op.Name] = true
			}
		}
	}
	var missing []string
	for name, op := range has {
		if !in[name] && (op.fast.op != vec.None || op.native != nil) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no stream has %q", missing)
	}
}

// FuzzPaths is TestPathsAgree for streams of the fuzzer's choice.
func FuzzPaths(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed+1000, uint8(20))
	}
	// A stream is short, so that what earlier runs have found is tried in seconds before new ones are.
	f.Fuzz(func(t *testing.T, seed uint64, length uint8) { comparePaths(t, seed, int(length%48)) })
}

func comparePaths(t *testing.T, seed uint64, length int) {
	t.Helper()
	processor := Targets()[seed%uint64(len(Targets()))]
	compareStreams(t, processor, seed, length > 5, func(isa *ISA) *stream {
		return randomStream(isa, streamRows(isa), seed, length)
	})
}

// mostOfStream is how many instructions of a stream run: streams have loops, and what differs does so soon.
const mostOfStream = 500

// compareStreams runs a stream in every path; one that is about translations, unless all is swept, in those
// that translate and in Go alone: what the others make of each row, tests of its results compare.
func compareStreams(t *testing.T, processor string, seed uint64, translates bool, of func(isa *ISA) *stream) {
	t.Helper()
	was := vec.Current()
	defer vec.Use(was)
	all := paths()
	var first *harness
	var firstEvent simt.Event
	for i, p := range all {
		if translates && i > 0 && !p.translated && !sweep.All() {
			continue
		}
		h := newHarness(t, processor)
		h.take(p)
		s := of(h.isa)
		s.begin(h)
		if p.translated {
			h.translate()
		}
		if seed%3 == 0 {
			h.track()
		}
		r := rand.New(sweep.PCG(seed, uint64(i)))
		var ev simt.Event
		for h.w.Insts < mostOfStream && h.w.State == simt.Ready {
			ev = h.core.Run(h.w, min(uint64(1+r.IntN(100)), mostOfStream-h.w.Insts))
		}
		if i == 0 {
			first, firstEvent = h, ev
			continue
		}
		if d := h.differsFrom(first); d != "" || ev.Kind != firstEvent.Kind ||
			!sameFault(ev.Fault, firstEvent.Fault) {
			t.Fatalf("seed %d on %s: %v (%v) and %v (%v) differ: %s\n%s", seed, processor, p, ev.Kind, all[0],
				firstEvent.Kind, d, s.text(h.isa))
		}
		if p.translated && translates && !h.core.native {
			t.Fatalf("seed %d: %v does not translate any more", seed, p)
		}
		if p.translated && translates && len(h.core.regions) == 0 {
			t.Fatalf("seed %d: nothing was translated", seed)
		}
		h.release()
	}
	first.release()
}

// translate translates the code at the PC before it runs.
func (h *harness) translate() {
	c := h.core
	c.w, c.r, c.gen = h.w, h.regs, h.m.Generation()
	if t := c.translate(c.block(codeAt{pc: h.w.PC})); t != nil {
		c.adopt(t)
	}
}

func sameFault(a, b *simt.Fault) bool { return a == b || a != nil && b != nil && *a == *b }

// differsFrom says in what a harness differs from another, "" if in nothing.
func (h *harness) differsFrom(o *harness) string {
	if d := h.differsInRegisters(o); d != "" {
		return d
	}
	return h.differs(o)
}

// differsInRegisters says in what a harness's wave differs from another's, "" if in nothing.
func (h *harness) differsInRegisters(o *harness) string {
	for i := range h.regs.S {
		if h.regs.S[i] != o.regs.S[i] {
			return fmt.Sprintf("s%d is %#x and %#x", i, h.regs.S[i], o.regs.S[i])
		}
	}
	o.regs.hold(len(h.regs.V)) // what one does not hold is 0
	h.regs.hold(len(o.regs.V))
	for i := range h.regs.V {
		v, w := &h.regs.V[i], &o.regs.V[i]
		if *v == *w {
			continue
		}
		for l := range v {
			if v[l] != w[l] {
				return fmt.Sprintf("v%d of lane %d is %#x and %#x", i, l, v[l], w[l])
			}
		}
	}
	v, w := h.w, o.w
	if file := h.regs.exec(); file != v.Exec || h.regs.wide != o.regs.wide {
		return fmt.Sprintf("EXEC, which is %#x in the scalar file and %#x of the wave, of lanes %#x and %#x",
			file, v.Exec, h.regs.wide, o.regs.wide)
	}
	if v.PC != w.PC || v.Exec != w.Exec || v.Insts != w.Insts || v.LaneInsts != w.LaneInsts ||
		v.State != w.State {
		return fmt.Sprintf("PC %#x and %#x, EXEC %#x and %#x, %d and %d instructions, %d and %d of lanes, "+
			"%v and %v",
			v.PC, w.PC, v.Exec, w.Exec, v.Insts, w.Insts, v.LaneInsts, w.LaneInsts, v.State, w.State)
	}
	if h.regs.calls != o.regs.calls {
		return "the calls that the wave is in"
	}
	if h.regs.lanes != o.regs.lanes {
		return "the record of where lanes stand"
	}
	return ""
}

// text lists a stream.
func (s *stream) text(isa *ISA) string {
	text := ""
	for i, words := range s.code {
		in, err := isa.Decode(wordsCode(words...), codeBase)
		if err != nil {
			return err.Error()
		}
		text += fmt.Sprintf("%3d  %v\n", i, in)
	}
	return text
}
