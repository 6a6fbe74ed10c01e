package gcn

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/softfloat/floattest"
	"simtgdb/testdata/sweep"
)

// atomicModels say what an atomic operation leaves in memory, by its name and
// the type of its operands: from the old value, its data and its second data
// (MI300 ISA, sections "LDS & GDS instructions" and "FLAT instructions").
var atomicModels = map[string]func(typ string, old, a, b uint64) uint64{
	"add": func(typ string, old, a, b uint64) uint64 { return addOf(typ, old, a) },
	"pk_add": func(typ string, old, a, b uint64) uint64 {
		return addOf(typ, old&0xffff, a&0xffff) | addOf(typ, old>>16&0xffff, a>>16&0xffff)<<16
	},
	"sub":  func(typ string, old, a, b uint64) uint64 { return old - a },
	"rsub": func(typ string, old, a, b uint64) uint64 { return a - old },
	"inc": func(typ string, old, a, b uint64) uint64 {
		if old >= a {
			return 0
		}
		return old + 1
	},
	"dec": func(typ string, old, a, b uint64) uint64 {
		if old == 0 || old > a {
			return a
		}
		return old - 1
	},
	"min":    func(typ string, old, a, b uint64) uint64 { return pick(lessOf(typ, a, old), a, old) },
	"max":    func(typ string, old, a, b uint64) uint64 { return pick(lessOf(typ, old, a), a, old) },
	"and":    func(typ string, old, a, b uint64) uint64 { return old & a },
	"or":     func(typ string, old, a, b uint64) uint64 { return old | a },
	"xor":    func(typ string, old, a, b uint64) uint64 { return old ^ a },
	"mskor":  func(typ string, old, a, b uint64) uint64 { return old&^a | b },
	"wrxchg": func(typ string, old, a, b uint64) uint64 { return a },
	"cmpst": func(typ string, old, a, b uint64) uint64 {
		equal := old == a
		switch typ {
		case "f32":
			equal = valueOf(single, old) == valueOf(single, a)
		case "f64":
			equal = valueOf(double, old) == valueOf(double, a)
		}
		return pick(equal, b, old)
	},
	"wrap": func(typ string, old, a, b uint64) uint64 { return pick(old >= a, old-a, old+b) },
}

var floatTypes = map[string]format{"f16": half16, "bf16": brain16, "f32": single, "f64": double}

func addOf(typ string, old, a uint64) uint64 {
	if f, ok := floatTypes[typ]; ok {
		return add2(f, old, a)
	}
	return old + a
}

func lessOf(typ string, a, b uint64) bool {
	switch typ {
	case "i32":
		return sx(a, 32) < sx(b, 32)
	case "i64":
		return int64(a) < int64(b)
	case "f32":
		return valueOf(single, a) < valueOf(single, b)
	case "f64":
		return valueOf(double, a) < valueOf(double, b)
	}
	return a < b
}

var dsAtomicName = regexp.MustCompile(`^ds_([a-z]+|pk_add)(_rtn)?_([uifb]+\d+)$`)

// numbers for atomic operations: equal ones and special floats are frequent.
func atomicNumber(r *rand.Rand, size int) uint64 {
	f := map[int]format{4: single, 8: double}[size]
	switch r.IntN(4) {
	case 0:
		return uint64(r.IntN(3))
	case 1:
		return floattest.Random(r, f)
	case 2:
		return f.NaN()
	}
	return r.Uint64() & f.All()
}

// TestDataShareAtomics executes every atomic operation of the data share of
// one place, with several lanes at each.
func TestDataShareAtomics(t *testing.T) {
	rnd := rand.New(sweep.PCG(14, 15))
	for _, processor := range append(Targets(), asLater("gfx942")[1:]...) {
		h := newHarnessFor(t, processor).compares()
		for _, op := range h.isa.tables.rows[DS] {
			if op == nil || op.mem == nil || !op.mem.atomic || op.mem.places != 0 || !h.has(DS, op.Name) {
				continue
			}
			name := dsAtomicName.FindStringSubmatch(op.Name)
			if name == nil || atomicModels[name[1]] == nil {
				t.Errorf("%s has no model", op.Name)
				continue
			}
			for _, exec := range []uint64{all64, 0xffff_0fff_ffff_ff77} {
				h.checkSharedAtomic(rnd, op, name, exec)
			}
		}
	}
}

// checkSharedAtomic executes an atomic operation of LDS whose name has been taken apart.
func (h *harness) checkSharedAtomic(rnd *rand.Rand, op *Op, name []string, exec uint64) {
	h.t.Helper()
	t, size := h.t, op.mem.size
	lds := h.group.LDS[:16*8]
	number := func(b []byte) uint64 {
		if size == 4 {
			return uint64(binary.LittleEndian.Uint32(b))
		}
		return binary.LittleEndian.Uint64(b)
	}
	for i := 0; i < len(lds); i += size {
		copy(lds[i:], binary.LittleEndian.AppendUint64(nil, atomicNumber(rnd, size))[:size])
	}
	model := bytes.Clone(lds)
	h.exec(exec)
	h.vector(2, func(l int) uint32 { return uint32(l%16*8) - 4 })
	var want [64]uint64
	for l := range 64 {
		a, b := atomicNumber(rnd, size), atomicNumber(rnd, size)
		if l < 16 && rnd.IntN(2) == 0 {
			a = number(lds[l*8:])
		}
		h.regs.V[4][l], h.regs.V[5][l] = uint32(a), uint32(a>>32)
		h.regs.V[6][l], h.regs.V[7][l] = uint32(b), uint32(b>>32)
		h.regs.V[8][l], h.regs.V[9][l] = oldValue, oldValue
		want[l] = oldValue | oldValue<<32
		if exec>>l&1 == 0 {
			continue
		}
		old := number(model[l%16*8:])
		v := atomicModels[name[1]](name[3], old, a, b)
		copy(model[l%16*8:], binary.LittleEndian.AppendUint64(nil, v)[:size])
		if name[2] != "" {
			want[l] = old
		}
	}
	words := h.ds(strings.TrimPrefix(op.Name, "ds_"), 4)
	h.mustRun(words)
	if !bytes.Equal(model, lds) {
		t.Errorf("%v %s: LDS % x, want % x", h.isa.Target, op.Name, lds, model)
	}
	for l := range 64 {
		got := uint64(h.regs.V[8][l]) | uint64(h.regs.V[9][l])<<32
		mask := ^uint64(0) >> (64 - 8*size)
		if got&mask != want[l]&mask {
			t.Errorf("%v %s: lane %d has %#x, want %#x", h.isa.Target, op.Name, l, got, want[l])
			break
		}
	}
}

// TestTwoPlaces executes every row of two places.
func TestTwoPlaces(t *testing.T) {
	for _, processor := range asLater("gfx900") {
		t.Run(processor, func(t *testing.T) { testTwoPlaces(t, processor) })
	}
}

func testTwoPlaces(t *testing.T, processor string) {
	h := newHarnessFor(t, processor).compares()
	for _, op := range h.isa.tables.rows[DS] {
		if op == nil || op.mem == nil || op.mem.places == 0 || !h.has(DS, op.Name) {
			continue
		}
		unit := op.mem.size
		if strings.Contains(op.Name, "st64") {
			unit *= 64
		}
		h.fill()
		const first, second = 1, 4
		apart := 16 // of the lanes' addresses: no two meet
		if strings.Contains(op.Name, "st64") {
			apart = op.mem.size
		}
		h.vector(2, func(l int) uint32 { return uint32(apart * l) })
		for r := 4; r < 12; r++ {
			h.vector(r, func(l int) uint32 { return uint32(r)<<24 | uint32(l) })
		}
		for _, exec := range []uint64{1 << 5, all64} {
			for r := 8; r < 12; r++ {
				h.vector(r, func(int) uint32 { return oldValue })
			}
			h.exec(exec)
			before := bytes.Clone(h.group.LDS)
			h.mustRun(h.ds(strings.TrimPrefix(op.Name, "ds_"), first|second<<8))
			for l := range 64 {
				for i, place := range []int{apart*l + first*unit, apart*l + second*unit} {
					item := before[place:][:op.mem.size]
					old := bytes.Clone(item)
					if exec>>l&1 == 0 {
						old = wordsCode(oldValue, oldValue)[:op.mem.size]
					} else if op.mem.write {
						copy(item, h.bytesOf(4+2*i, op.mem.size/4, l))
					}
					got := h.bytesOf(8+i*op.mem.size/4, op.mem.size/4, l)
					if op.dst != none && !bytes.Equal(got, old) {
						t.Errorf("%s: lane %d read place %d as % x, want % x", op.Name, l, i, got, old)
					}
				}
			}
			if !bytes.Equal(before, h.group.LDS) {
				t.Errorf("%s: LDS is not what was written", op.Name)
			}
		}
	}
}

// TestFloatAtomicsEverywhere: the operations on floats of FLAT, GLOBAL and
// MUBUF, lane after lane.
func TestFloatAtomicsEverywhere(t *testing.T) {
	rnd := rand.New(sweep.PCG(16, 17))
	names := map[string][2]string{"add_f32": {"add", "f32"}, "add_f64": {"add", "f64"},
		"min_f64": {"min", "f64"},
		"max_f64": {"max", "f64"}, "pk_add_f16": {"pk_add", "f16"}, "pk_add_bf16": {"pk_add", "bf16"}}
	for _, processor := range append(Targets(), asLater("gfx950")[1:]...) {
		h := newHarnessFor(t, processor).compares()
		for _, enc := range []Enc{FLAT, GLOBAL, MUBUF} {
			for _, op := range h.isa.tables.rows[enc] {
				if op == nil || op.mem == nil || !op.mem.atomic || !h.has(enc, op.Name) {
					continue
				}
				_, short, _ := strings.Cut(op.Name, "_atomic_")
				name, ok := names[short]
				if !ok {
					continue // TestAtomics has it
				}
				for _, exec := range []uint64{all64, 0xff0f_ffff_ffff_fff3} {
					h.checkFloatAtomic(rnd, op, short, name, exec)
				}
			}
		}
	}
}

// checkFloatAtomic executes an atomic operation of global memory, whose model's name and type are given.
func (h *harness) checkFloatAtomic(rnd *rand.Rand, op *Op, short string, name [2]string, exec uint64) {
	h.t.Helper()
	t, enc := h.t, op.Enc
	size, data := op.mem.size, h.data.Data[:64]
	h.exec(exec)
	for i := 0; i < len(data); i += size {
		copy(data[i:], binary.LittleEndian.AppendUint64(nil, atomicNumber(rnd, size))[:size])
	}
	model := bytes.Clone(data)
	h.address(2, func(l int) uint64 { return dataBase + uint64(l%8*8) })
	if enc == MUBUF {
		copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize, 0, 0})
		h.vector(2, func(l int) uint32 { return uint32(l % 8 * 8) })
	}
	for l := range 64 {
		a := atomicNumber(rnd, size)
		h.regs.V[4][l], h.regs.V[5][l] = uint32(a), uint32(a>>32)
		if exec>>l&1 == 0 {
			continue
		}
		item := model[l%8*8:][:8]
		old := binary.LittleEndian.Uint64(item)
		if size == 4 {
			old &= 0xffff_ffff
		}
		v := atomicModels[name[0]](name[1], old, a, 0)
		copy(item, binary.LittleEndian.AppendUint64(nil, v)[:size])
	}
	words := map[Enc]func(string, uint32) []uint32{FLAT: h.flat, GLOBAL: h.global,
		MUBUF: h.buffer}[enc]("atomic_"+short,
		map[Enc]uint32{MUBUF: 1 << 12}[enc])
	h.mustRun(words)
	if !bytes.Equal(model, data) {
		t.Errorf("%v %s: memory % x, want % x", h.isa.Target, op.Name, data, model)
	}
}

// TestLoadsToLDS: every load whose destination is LDS writes a dword per lane.
func TestLoadsToLDS(t *testing.T) {
	h := newHarness(t, "gfx942").compares()
	for name, extend := range map[string]func(b []byte) uint32{
		"load_lds_ubyte":  func(b []byte) uint32 { return uint32(b[0]) },
		"load_lds_sbyte":  func(b []byte) uint32 { return uint32(int8(b[0])) },
		"load_lds_ushort": func(b []byte) uint32 { return uint32(half16Of(b)) },
		"load_lds_sshort": func(b []byte) uint32 { return uint32(int16(half16Of(b))) },
		"load_lds_dword":  func(b []byte) uint32 { return dwords(b[:4])[0] },
	} {
		for i := range 4 {
			enc, exec := []Enc{GLOBAL, SCRATCH}[i%2], []uint64{all64, 0xf0f0_0000_1111_ffff}[i/2]
			h.fill()
			h.regs.S[regM0] = 512
			addr := func(l int) uint64 { return 13 * uint64(l) }
			words := []uint32{0xdc00a000, 0x7f<<16 | 2}
			prefix := "global_"
			read := readData
			h.address(2, func(l int) uint64 { return dataBase + addr(l) })
			words[0] = 0xdc008000
			if enc == SCRATCH {
				prefix, read = "scratch_", readPrivate
				words[0] = 0xdc006000
				h.vector(2, func(l int) uint32 { return uint32(addr(l)) })
			}
			words[0] |= uint32(h.op(enc, prefix+name).Code) << 18
			want := bytes.Clone(h.group.LDS)
			simt.Lanes(exec, func(l int) {
				item := make([]byte, 4)
				read(h, l, addr(l), item)
				binary.LittleEndian.PutUint32(want[512+4*l:], extend(item))
			})
			h.exec(exec)
			h.mustRun(words)
			if !bytes.Equal(want, h.group.LDS) {
				t.Errorf("%s%s: LDS is not what was loaded", prefix, name)
			}
		}
	}
}

// TestWideLoadsToLDS: those of gfx950 write three or four dwords per lane.
func TestWideLoadsToLDS(t *testing.T) {
	for _, c := range []struct {
		asm  string
		size int
	}{{"global_load_lds_dwordx3 v[2:3], off offset:4", 12},
		{"global_load_lds_dwordx4 v[2:3], off offset:4", 16},
		{"buffer_load_dwordx3 v2, s[4:7], s8 offen offset:4 lds", 12},
		{"buffer_load_dwordx4 v2, s[4:7], s8 offen offset:4 lds", 16}} {
		for _, exec := range []uint64{all64, 0x1111_ffff_0000_8888} {
			h := newHarness(t, "gfx950").compares()
			h.fill()
			h.exec(exec)
			h.regs.S[regM0] = 512
			copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize, 4 << 15})
			at := func(l int) uint64 { return 20 * uint64(l) }
			h.address(2, func(l int) uint64 { return dataBase + at(l) })
			if c.asm[0] == 'b' {
				h.vector(2, func(l int) uint32 { return uint32(at(l)) })
			}
			want := bytes.Clone(h.group.LDS)
			simt.Lanes(exec, func(l int) { copy(want[516+c.size*l:], h.data.Data[at(l)+4:][:c.size]) })
			h.mustRun(assembledWords(t, "gfx950", c.asm)...)
			if !bytes.Equal(want, h.group.LDS) {
				t.Errorf("%s: LDS is not what was loaded", c.asm)
			}
		}
	}
}

// TestScalarBuffers: loads and stores of every size, inside, at the end of
// the buffer and beyond it.
func TestScalarBuffers(t *testing.T) {
	const imm = 1 << 17
	h := newHarness(t, "gfx900").compares()
	for _, c := range []struct {
		name   string
		dwords int
	}{{"load_dword", 1}, {"load_dwordx2", 2}, {"load_dwordx4", 4}, {"load_dwordx8", 8}, {"load_dwordx16", 16},
		{"store_dword", 1}, {"store_dwordx2", 2}, {"store_dwordx4", 4}} {
		for i, offset := range []int{0, 8, 256 - 4*c.dwords, 260 - 4*c.dwords, 256 - 4*c.dwords,
			260 - 4*c.dwords, 256 - 4*c.dwords} {
			h.fill()
			size := 256
			h.regs.S[4], h.regs.S[5], h.regs.S[6], h.regs.S[7] = dataBase+16, 0, 256, 0
			switch i {
			case 4, 5: // 64 records of 4 bytes
				h.regs.S[5], h.regs.S[6] = 4<<16, 64
			case 6:
				size, h.regs.S[6] = 255, 255
			}
			for i := range 16 {
				h.regs.S[16+i] = 0xabc0 + uint32(i)
			}
			before := bytes.Clone(h.data.Data)
			inside := offset+4*c.dwords <= size
			op := h.op(SMEM, "s_buffer_"+c.name)
			words := []uint32{0xc0000000 | uint32(op.Code)<<18 | imm | 16<<6 | 2, uint32(offset)}
			h.mustRun(words)
			for i := range c.dwords {
				at := before[16+offset+4*i:][:4]
				if strings.HasPrefix(c.name, "store") {
					if inside {
						binary.LittleEndian.PutUint32(at, 0xabc0+uint32(i))
					}
					continue
				}
				want := uint32(0)
				if inside {
					want = binary.LittleEndian.Uint32(at)
				}
				if got := h.regs.S[16+i]; got != want {
					t.Errorf("s_buffer_%s at %d: dword %d is %#x, want %#x", c.name, offset, i, got, want)
				}
			}
			if !bytes.Equal(before, h.data.Data) {
				t.Errorf("s_buffer_%s at %d: memory is not what it should be", c.name, offset)
			}
		}
	}
	setPair(h.regs, 4, dataBase)
	words := []uint32{0xc0000000 | uint32(h.op(SMEM, "s_store_dwordx4").Code)<<18 | imm | 16<<6 | 2, 32}
	h.mustRun(words)
	if got := dwords(h.data.Data[32:48]); got[0] != 0xabc0 || got[3] != 0xabc3 {
		t.Errorf("s_store_dwordx4 left %#x", got)
	}
}

// idle are the instructions that do nothing here.
var idle = []struct {
	enc       Enc
	names     string
	processor string
}{
	{SOPP, "s_nop s_wakeup s_waitcnt s_sethalt s_sleep s_setprio s_sendmsg s_sendmsghalt s_icache_inv " +
		"s_incperflevel s_decperflevel s_ttracedata s_cbranch_cdbgsys s_cbranch_cdbguser " +
		"s_cbranch_cdbgsys_or_user s_cbranch_cdbgsys_and_user", "gfx900"},
	{SMEM, "s_dcache_inv s_dcache_wb s_dcache_inv_vol s_dcache_wb_vol s_atc_probe s_atc_probe_buffer " +
		"s_dcache_discard s_dcache_discard_x2", "gfx900"},
	{DS, "ds_nop", "gfx900"},
	{VOP1, "v_nop v_clrexcp", "gfx900"},
	{MUBUF, "buffer_wbinvl1 buffer_wbinvl1_vol", "gfx900"},
	{MUBUF, "buffer_wbl2 buffer_invl2", "gfx90a"},
	{MUBUF, "buffer_inv buffer_wbl2", "gfx942"},
}

// TestIdle: nothing but the program counter changes.
func TestIdle(t *testing.T) {
	for _, c := range idle {
		for name := range strings.FieldsSeq(c.names) {
			checkIdle(t, c.enc, c.processor, name, 0xff0f)
			if c.enc >= VOP2 {
				checkIdle(t, c.enc, c.processor, name, all64)
			}
		}
	}
}

// checkIdle executes an instruction of the encoding that changes nothing.
func checkIdle(t *testing.T, enc Enc, processor, name string, exec uint64) {
	t.Helper()
	h, before := newHarness(t, processor).compares(), newHarness(t, processor)
	for _, x := range []*harness{h, before} {
		x.fill()
		x.lead(3)
		x.exec(exec)
	}
	code := uint32(h.op(enc, name).Code)
	words := map[Enc][]uint32{SOPP: {0xbf800000 | code<<16}, SMEM: {0xc0000000 | code<<18 | 1<<17, 0},
		DS:   {0xd8000000 | code<<17, 0},
		VOP1: {0x7e000000 | code<<9}, MUBUF: {0xe0000000 | code<<18, 0}}[enc]
	h.mustRun(words)
	if h.w.PC != codeBase+4*uint64(len(words)) || h.regs.S != before.regs.S || h.w.Exec != before.w.Exec {
		t.Errorf("%s: pc %#x, or scalar registers changed", name, h.w.PC)
	}
	for r := range h.regs.V {
		if h.regs.V[r] != before.regs.V[r] {
			t.Errorf("%s changes vector register %d", name, r)
		}
	}
	if d := h.differs(before); d != "" {
		t.Errorf("%s changes %s", name, d)
	}
}

// TestEnds: the other ways to end, to halt, and to ask for the time.
func TestEnds(t *testing.T) {
	h := newHarness(t, "gfx900").compares()
	for _, name := range []string{"s_endpgm_saved", "s_endpgm_ordered_ps_done"} {
		ev := h.run([]uint32{0xbf800000 | uint32(h.op(SOPP, name).Code)<<16})
		if ev.Kind != simt.EndEvent || h.w.State != simt.Ended {
			t.Errorf("%s: %v, %v", name, ev.Kind, h.w.State)
		}
	}
	ev := h.run([]uint32{0xbf800001 | uint32(h.op(SOPP, "s_sethalt").Code)<<16})
	if ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.IllegalInstruction {
		t.Errorf("s_sethalt 1: %v", ev.Kind)
	}
	h.w.Insts = 41
	h.mustRun([]uint32{0xbf800000}, []uint32{0xc0000200 | uint32(h.op(SMEM, "s_memrealtime").Code)<<18, 0})
	if got := pair(h.regs, 8); got != 42 {
		t.Errorf("s_memrealtime = %d, want 42", got)
	}
}
