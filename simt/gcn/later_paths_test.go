package gcn

import (
	"math/rand/v2"
	"testing"

	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// laterMachines are processors of every generation after gfx9, with how many lanes a wave has.
var laterMachines = []string{"gfx1010/32", "gfx1010/64", "gfx1011/32", "gfx1030/32", "gfx1030/64",
	"gfx1100/32", "gfx1100/64", "gfx1150/32", "gfx1150/64", "gfx1200/32", "gfx1200/64", "gfx1250/32"}

// A laterCoder encodes instructions of random operands for a processor after gfx9.
type laterCoder struct {
	*rand.Rand
	isa *ISA
}

// find is the row of a name.
func (c *laterCoder) find(enc Enc, name string) uint32 {
	for _, op := range c.isa.tables.rows[enc] {
		if op != nil && op.Enc == enc && op.Name == name {
			return uint32(op.Code)
		}
	}
	panic("there is no " + name)
}

func (c *laterCoder) sopp(name string, imm int) []uint32 {
	return []uint32{0xbf800000 | c.find(SOPP, name)<<16 | uint32(imm)&0xffff}
}

// setExec makes EXEC what a scalar operand is.
func (c *laterCoder) setExec(source uint32) []uint32 {
	name := "s_mov_b64"
	if c.isa.WaveSize() == laterWave {
		name = "s_mov_b32"
	}
	return []uint32{0xbe800000 | regExec<<16 | c.find(SOP1, name)<<8 | source}
}

// execs are operands for it: all lanes, some, and none.
var execs = []uint32{193, streamMask, 128}

// null is the number of the scalar register that is nothing.
func (c *laterCoder) null() uint32 {
	if c.isa.Target&gfx11P != 0 {
		return 124
	}
	return 125
}

// row encodes a row, nil if it is of an encoding that has none here.
func (c *laterCoder) row(op *Op) []uint32 {
	switch op.Enc {
	case DS, FLAT, GLOBAL, SCRATCH, MUBUF:
		return c.memory(op, c.IntN(12) == 0)
	case SMEM:
		return c.scalarMemory(op, c.IntN(12) == 0)
	case vopd:
		return nil
	case VOP3P:
		return c.long(op, 0xcc000000|uint32(op.Code)<<16)
	case VOP3:
		return c.long(op, 0xd4000000|uint32(op.Code)<<16)
	case SOP2:
		if op.Name == "s_bfe_u32" || op.Name == "s_bfe_i32" {
			break
		}
		fallthrough
	case SOP1, SOPC, SOPK, SOPP:
		return streamInst(c.Rand, op)
	}
	base, long := vop3CodeLater[op.Enc]
	if long && op.flag&noVOP3 == 0 && c.IntN(2) == 0 {
		return c.long(op, 0xd4000000|(uint32(base)+uint32(op.Code))<<16)
	}
	words := streamInst(c.Rand, &Op{Enc: op.Enc, Name: op.Name, Code: op.Code, flag: noVOP3, src: op.src})
	if op.Enc <= SOPP {
		return words
	}
	words = words[:1]
	if op.literalSource() < 0 && c.IntN(6) == 0 {
		return c.dpp(op, words[0])
	}
	if op.halves && c.IntN(2) == 0 { // high halves of registers
		words[0] |= []uint32{0x80, 0x80 << 17, 0x80 << 9}[c.IntN(3)]
	}
	return append(words, c.Uint32())
}

// dpp gives an instruction a source of other lanes.
func (c *laterCoder) dpp(op *Op, w uint32) []uint32 {
	reg := uint32(c.IntN(streamVectors))
	if c.IntN(3) == 0 {
		return []uint32{w&^0x1ff | srcDPP8 + uint32(c.IntN(2)), c.Uint32()&^0xff | reg}
	}
	control := []int{c.IntN(0x100), 0x100 + c.IntN(0x30), 0x140 + c.IntN(2), 0x150 + c.IntN(0x20)}[c.IntN(4)]
	masks := []uint32{0xff, 0xff, uint32(c.IntN(256))}[c.IntN(3)]
	return []uint32{w&^0x1ff | srcDPP, reg | uint32(control)<<8 | uint32(c.IntN(4))<<18 | masks<<24}
}

// long encodes VOP3 and VOP3P from the upper half of the first dword.
func (c *laterCoder) long(op *Op, w0 uint32) []uint32 {
	sdst := []uint32{uint32(c.IntN(streamScalars)), regVCC, c.null(),
		uint32(c.IntN(streamScalars))}[c.IntN(4)]
	mask := uint32(c.IntN(streamScalars)) &^ 1
	w1 := randomSource(c.Rand) | randomSource(c.Rand)<<9 | randomSource(c.Rand)<<18
	if at := op.maskSource(); at >= 0 {
		w1 = w1&^(0x1ff<<(9*at)) | mask<<(9*at)
	}
	if c.IntN(6) == 0 { // a literal
		w1 = w1&^0x1ff | srcLiteral
	}
	w0 |= uint32(c.IntN(streamVectors))
	switch {
	case op.Enc == VOPC:
		w0 = w0&^0xff | sdst
	case op.dst == sdst32:
		w0 = w0&^0xff | uint32(c.IntN(streamScalars))
	}
	switch {
	case op.Enc == VOP3P:
		w0, w1 = w0|uint32(c.IntN(8))<<11|c.Uint32()&1<<14, w1|c.Uint32()&3<<27
	case op.flag&writesVCC != 0 && op.Enc != VOPC:
		w0 |= sdst << 8
	case op.src[0] == f32 || op.src[0] == f16:
		w0 |= uint32(c.IntN(8)*c.IntN(2)) << 8
	}
	if (op.halves || op.flag&opSel != 0) && op.Enc != VOP3P && c.IntN(2) == 0 {
		w0 |= uint32(c.IntN(16)) << 11
	}
	if op.src[0].isFloat() && c.IntN(3) == 0 {
		w1 |= uint32(c.IntN(8)) << 29
	}
	return []uint32{w0, w1, c.Uint32()}
}

// memory encodes an access to LDS, global or private memory, which is at fault for some lanes if far.
func (c *laterCoder) memory(op *Op, far bool) []uint32 {
	code, on := uint32(op.Code), c.isa.Target
	data, offset := uint32(c.IntN(streamVectors-4)), uint32(c.IntN(16)*4)
	if op.mem.narrow != nil {
		offset = uint32(c.IntN(64))
	}
	switch {
	case op.Enc == DS:
		if op.mem.places != 0 {
			offset = uint32(c.IntN(8)) | uint32(c.IntN(8))<<8
		} else if far {
			offset = ldsSize - 128
		}
		second := uint32(c.IntN(streamVectors-4)) << 16
		return []uint32{0xd8000000 | code<<18 | offset, data<<24 | second | data<<8 | streamLDS}
	case far && (op.Enc == GLOBAL || op.Enc == FLAT && on&gfx10 == 0):
		offset = ^uint32(2047)
	case far:
		offset = scratchLimit - 4
	}
	at, saddr, scaled := uint32(streamGlobal), c.null(), uint32(0)
	switch {
	case op.Enc == SCRATCH, op.Enc == MUBUF:
		at, saddr = 0, streamOffset
	case op.Enc == FLAT:
		at = []uint32{streamPrivate, streamGlobal}[c.IntN(2)]
	case c.IntN(3) == 0: // a scalar base, and offsets
		at, saddr = streamLDS, streamBase
		if on == GFX1250 && c.IntN(max(op.mem.size/2, 2)) == 0 { // the larger items are, the more are far
			scaled = 1 << 16
		}
	}
	switch {
	case op.Enc == MUBUF && on&gfx12 != 0:
		return []uint32{0xc4000000 | code<<14 | streamOffset, data | streamBuffer<<9, offset << 8}
	case op.Enc == MUBUF:
		return []uint32{0xe0000000 | code<<18 | offset&0xfff, streamOffset<<24 | streamBuffer/4<<16 | data<<8}
	case on&gfx12 != 0:
		kind := map[Enc]uint32{FLAT: 0xec, SCRATCH: 0xed, GLOBAL: 0xee}[op.Enc]
		return []uint32{kind<<24 | code<<14 | saddr, data | data<<23 | scaled, at | offset<<8}
	case on&gfx11 != 0:
		kind := map[Enc]uint32{FLAT: 0, SCRATCH: 1, GLOBAL: 2}[op.Enc]
		return []uint32{0xdc000000 | kind<<16 | code<<18 | offset&0x1fff, data<<24 | saddr<<16 | data<<8 | at}
	}
	kind := map[Enc]uint32{FLAT: 0, SCRATCH: 1, GLOBAL: 2}[op.Enc]
	return []uint32{0xdc000000 | kind<<14 | code<<18 | offset&0xfff, data<<24 | saddr<<16 | data<<8 | at}
}

// scalarMemory encodes s_load_*.
func (c *laterCoder) scalarMemory(op *Op, far bool) []uint32 {
	offset := uint32(c.IntN(400))
	if far {
		offset = dataSize
	}
	dst, soffset := uint32(c.IntN(4)*4)%12, c.null()
	if c.IntN(3) == 0 {
		soffset = streamOffset
	}
	switch on := c.isa.Target; {
	case !on.IsLater():
		return []uint32{0xc0020000 | uint32(op.Code)<<18 | dst<<6 | streamBase/2, offset}
	case on&gfx12 != 0:
		return []uint32{0xf4000000 | uint32(op.Code)<<13 | dst<<6 | streamBase/2, soffset<<25 | offset}
	}
	return []uint32{0xf4000000 | uint32(op.Code)<<18 | dst<<6 | streamBase/2, soffset<<25 | offset}
}

// pair encodes VOPD.
func (c *laterCoder) pair() []uint32 {
	source := func() uint32 {
		if c.IntN(8) == 0 {
			return srcLiteral
		}
		return randomSource(c.Rand)
	}
	reg := func() uint32 { return uint32(c.IntN(streamVectors)) }
	x, y := uint32(c.IntN(14)), uint32(c.IntN(19))
	if c.isa.Target == GFX1250 && c.IntN(2) == 0 {
		x, y = uint32(c.IntN(37)), uint32(c.IntN(37))
		src := func() uint32 { return randomSource(c.Rand) }
		return []uint32{longPair<<24 | x<<18 | y<<12 | src(),
			src() | uint32(c.IntN(64))<<9 | reg()<<16 | reg()<<24, reg() | reg()<<8 | reg()<<16 | reg()<<24}
	}
	return []uint32{0xc8000000 | x<<22 | y<<17 | source() | reg()<<9,
		source() | reg()<<9 | reg()>>1<<17 | reg()<<24, c.Uint32()}
}

// laterRows are the instructions of streams.
func laterRows(isa *ISA) []*Op {
	rows := streamRows(isa)
	for _, enc := range []Enc{SMEM, DS, FLAT, GLOBAL, SCRATCH, MUBUF} {
		for _, op := range isa.tables.rows[enc] {
			if op == nil || op.Enc != enc {
				continue
			}
			if a := op.mem; scalarLoads[op.Name] || a != nil && (a.dwords || a.narrow != nil) {
				rows = append(rows, op)
			}
		}
	}
	return rows
}

// laterCoderOf is a coder for a stream.
func laterCoderOf(isa *ISA, seed, more uint64) *laterCoder {
	return &laterCoder{rand.New(sweep.PCG(seed, more)), isa}
}

// add adds an instruction to a stream if it is one, and some of them behind a branch.
func (c *laterCoder) add(s *stream, words []uint32) *Inst {
	in, err := c.isa.Decode(wordsCode(words...), 0)
	if words == nil || err != nil || in.Op.ends() || in.dst.kind == scalarReg && in.dst.reg == streamCounter {
		return nil
	}
	words = words[:in.Size/4]
	if c.IntN(8) == 0 {
		names := []string{"s_cbranch_scc0", "s_cbranch_scc1", "s_cbranch_vccz", "s_cbranch_vccnz",
			"s_cbranch_execz", "s_cbranch_execnz"}
		s.code = append(s.code, c.sopp(names[c.IntN(len(names))], len(words)))
	}
	s.code = append(s.code, words)
	return in
}

// loop ends a stream.
func (c *laterCoder) loop(s *stream) {
	size := 0
	for _, w := range s.code {
		size += len(w)
	}
	s.code = append(s.code, []uint32{0x80808100 | streamCounter<<16 | streamCounter},
		[]uint32{0xbf078000 | streamCounter}, c.sopp("s_cbranch_scc1", -size-3), c.sopp("s_endpgm", 0))
}

// laterStream is randomStream for these processors.
func laterStream(isa *ISA, rows []*Op, seed uint64, n int) *stream {
	c := laterCoderOf(isa, seed, 9)
	s := &stream{mode: streamModes[c.IntN(len(streamModes))], seed: seed}
	for range n {
		switch k := c.IntN(8); {
		case k == 0 && isa.Target&gfx11P != 0:
			c.add(s, c.pair())
		case k == 1:
			s.code = append(s.code, c.setExec(execs[0]))
		default:
			c.add(s, c.row(rows[c.IntN(len(rows))]))
		}
	}
	c.loop(s)
	return s
}

func compareLater(t *testing.T, machine string, seed uint64, length int) {
	t.Helper()
	compareStreams(t, machine, seed, length > 5, func(isa *ISA) *stream {
		return laterStream(isa, laterRows(isa), seed, length)
	})
}

// TestLaterPathsAgree is TestPathsAgree for the generations after gfx9, for waves of 32 and of 64 lanes.
func TestLaterPathsAgree(t *testing.T) {
	n := 12
	if testing.Short() {
		n = 2
	}
	for i, machine := range laterMachines {
		for seed := range uint64(n) {
			compareLater(t, machine, seed+1000*uint64(i), 30)
		}
	}
}

// FuzzLaterPaths is TestLaterPathsAgree for streams of the fuzzer's choice.
func FuzzLaterPaths(f *testing.F) {
	for i := range laterMachines {
		f.Add(uint64(i), uint8(i), uint8(20))
	}
	f.Fuzz(func(t *testing.T, seed uint64, machine, length uint8) {
		compareLater(t, laterMachines[int(machine)%len(laterMachines)], seed, int(length%48))
	})
}

// TestLaterTranslatedRows is TestTranslatedRows for the generations after gfx9: each row that has a
// translation, in all ways that its processors encode it, and pairs.
func TestLaterTranslatedRows(t *testing.T) {
	was := vec.Current()
	defer vec.Use(was)
	ran, also := map[string]bool{}, uint64(64)
	if sweep.All() {
		also = 16
	}
	for i, machine := range laterMachines {
		isa := newISA(t, machine, nil)
		rows := laterRows(isa)
		if isa.Target&gfx11P != 0 {
			rows = append(rows, &pairRow)
		}
		seen := map[string]bool{}
		for j, op := range rows {
			if seen[op.Name] {
				continue
			}
			seed := uint64(i*1000 + j)
			seen[op.Name] = true
			if seed%also != 0 && op != &pairRow && ran[op.Name] { // on one, and some on others
				continue
			}
			ran[op.Name] = true
			compareStreams(t, machine, seed, true, func(isa *ISA) *stream {
				c := laterCoderOf(isa, seed, 11)
				s := &stream{mode: streamModes[0], seed: seed}
				if seed%7 == 0 {
					s.mode = streamModes[seed%uint64(len(streamModes))]
				}
				for _, exec := range execs {
					s.code = append(s.code, c.setExec(exec))
					for range sweep.Times(6, 12) {
						words := c.pair()
						if op != &pairRow {
							words = c.row(op)
						}
						c.add(s, words)
					}
				}
				c.loop(s)
				return s
			})
		}
	}
	if was < vec.AVX512 {
		return
	}
	some := map[string]bool{}
	for _, machine := range []string{"gfx1100/32", "gfx1100/64", "gfx1030/32", "gfx1250/32"} {
		isa := newISA(t, machine, nil)
		for _, op := range laterRows(isa) {
			c := laterCoderOf(isa, 1, 12)
			for range 300 {
				in, err := isa.Decode(wordsCode(c.row(op)...), codeBase)
				if err == nil && in.Op == op && isa.Translates(in, streamModes[0]) {
					some[op.Name] = true
					break
				}
			}
			some[op.Name] = some[op.Name] || !translatable(op)
		}
	}
	for name, translated := range some {
		if !translated {
			t.Errorf("no encoding of %s was translated", name)
		}
	}
}
