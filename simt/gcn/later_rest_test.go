package gcn

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// Rows that gfx9 has not got and that no table of models has: atomic operations, loads, scalar floats,
// conversions. What each must come to is computed here from its name.

// laterAtomics are what atomic operations leave in memory: of floats and of integers that are not negative.
var laterAtomics = map[string]func(old, a, b float64) float64{
	"cmpstore":  func(old, a, b float64) float64 { return pickFloat(old == b, a, old) },
	"cmpswap":   func(old, a, b float64) float64 { return pickFloat(old == b, a, old) }, // the new one comes first
	"min":       func(old, a, _ float64) float64 { return math.Min(old, a) },
	"max":       func(old, a, _ float64) float64 { return math.Max(old, a) },
	"cond_sub":  func(old, a, _ float64) float64 { return pickFloat(old >= a, old-a, old) },
	"sub_clamp": func(old, a, _ float64) float64 { return math.Max(old-a, 0) },
}

func pickFloat(is bool, a, b float64) float64 {
	if is {
		return a
	}
	return b
}

// TestLaterAtomics executes the atomic operations of later processors, by all lanes and by some, with several
// at each place.
func TestLaterAtomics(t *testing.T) {
	rnd := rand.New(sweep.PCG(24, 25))
	var all []laterAtomic
	texts := map[string][]string{}
	for _, c := range []struct {
		on, prefixes, names string
	}{
		{"gfx1030", "flat global buffer", "fmin:min_f32 fmin_x2:min_f64 fmax:max_f32 fmax_x2:max_f64 " +
			"fcmpswap:cmpswap_f32 fcmpswap_x2:cmpswap_f64"},
		{"gfx1030", "global buffer", "csub:sub_clamp_u32"},
		{"gfx1100", "flat global buffer", "min_f32 max_f32 cmpswap_f32"},
		{"gfx1100", "global buffer", "csub_u32:sub_clamp_u32"},
		{"gfx1100", "ds", "cmpstore_b32 cmpstore_b64 cmpstore_f32 cmpstore_f64"},
		{"gfx1200", "ds flat global buffer", "cond_sub_u32 sub_clamp_u32"},
		{"gfx1250", "flat global buffer", "min_num_f64:min_f64 max_num_f64:max_f64"},
	} {
		for prefix := range strings.FieldsSeq(c.prefixes) {
			for name := range strings.FieldsSeq(c.names) {
				name, means, ok := strings.Cut(name, ":")
				if !ok {
					means = name
				}
				for i, lanes := range []uint64{1<<32 - 1, 0x8f0f_5ff1} {
					a := laterAtomic{on: c.on, prefix: prefix, name: name, lanes: lanes, size: 4,
						returns: i == 0 || strings.Contains(name, "csub")} // of which LLVM has no other form
					cut := strings.LastIndex(means, "_")
					a.operation, a.kind = means[:cut], means[cut+1:]
					if strings.HasSuffix(a.kind, "64") {
						a.size = 8
					}
					all, texts[a.on] = append(all, a), append(texts[a.on], a.text())
				}
			}
		}
	}
	machines := map[string]*harness{}
	for on, asm := range texts {
		machines[on] = newHarness32(t, on)
		machines[on].assembly(on, asm...)
	}
	for i := range all {
		all[i].check(machines[all[i].on], rnd)
	}
}

// A laterAtomic is an operation by some lanes, which get what was there, or do not.
type laterAtomic struct {
	on, prefix, name string
	operation, kind  string // what the name means
	size             int
	lanes            uint64
	returns          bool
}

func (a *laterAtomic) compares() bool { return strings.HasPrefix(a.operation, "cmp") }

// put stores a number as the operation's type has it, and bits are these.
func (a *laterAtomic) put(p []byte, x float64) {
	if a.size == 8 {
		binary.LittleEndian.PutUint64(p, a.bits(x))
	} else {
		binary.LittleEndian.PutUint32(p, uint32(a.bits(x)))
	}
}

func (a *laterAtomic) bits(x float64) uint64 {
	switch a.kind {
	case "f32":
		return uint64(math.Float32bits(float32(x)))
	case "f64":
		return math.Float64bits(x)
	}
	return uint64(x)
}

// check executes the operation on a wave.
func (a *laterAtomic) check(h *harness, rnd *rand.Rand) {
	h.t.Helper()
	data, base := h.data.Data, uint64(dataBase)
	switch a.prefix {
	case "ds":
		data, base = h.group.LDS, 0
	case "buffer":
		base = 0
	}
	clear(data[:64])
	var model [8]float64
	for i := range model {
		model[i] = float64(rnd.IntN(6))
		a.put(data[8*i:], model[i])
	}
	h.address(2, func(l int) uint64 { return base + uint64(l%8*8) })
	copy(h.regs.S[4:], []uint32{dataBase, 0, dataSize, 0, 0})
	second := 4 + a.size/4 // the register of the second number
	if a.prefix == "ds" {
		second = 6
	}
	var want [32]float64
	for l := range 32 {
		x, y := float64(rnd.IntN(6)), float64(rnd.IntN(6))
		var bits [16]byte
		a.put(bits[:], x)
		a.put(bits[8:], y)
		for i := range a.size / 4 {
			h.regs.V[4+i][l] = binary.LittleEndian.Uint32(bits[4*i:])
			h.regs.V[second+i][l] = binary.LittleEndian.Uint32(bits[8+4*i:])
			h.regs.V[8+i][l] = oldValue
		}
		if a.lanes>>l&1 != 0 {
			want[l] = model[l%8]
			model[l%8] = laterAtomics[a.operation](model[l%8], x, y)
		}
	}
	h.exec(a.lanes)
	h.mustRun(h.assembly(a.on, a.text())...)
	all := uint64(1)<<(8*a.size-1)<<1 - 1
	for i, x := range model {
		if got := binary.LittleEndian.Uint64(data[8*i:]) & all; got != a.bits(x) {
			h.t.Errorf("%s: %s: memory %d is %#x, want %v", a.on, a.text(), i, got, x)
		}
	}
	to := map[bool]int{true: 4, false: 8}[a.prefix == "buffer"]
	for l := range 32 {
		got := (uint64(h.regs.V[to][l]) | uint64(h.regs.V[to+1][l])<<32) & all
		if a.returns && a.lanes>>l&1 != 0 && got != a.bits(want[l]) {
			h.t.Errorf("%s: %s: lane %d has %#x, want %v", a.on, a.text(), l, got, want[l])
		}
	}
}

// text is the instruction: its address is in v2 or v[2:3], its data from v4 on, and what it returns goes to
// v8, or where its data were.
func (a *laterAtomic) text() string {
	n := a.size / 4
	data, result := rangeText("v", 4, n), rangeText("v", 8, n)
	if a.prefix == "ds" {
		s := "ds_" + a.name
		if a.returns {
			i := strings.LastIndex(s, "_")
			s = s[:i] + "_rtn" + s[i:] + " " + result + ","
		}
		if s += " v2, " + data; a.compares() {
			s += ", " + rangeText("v", 6, n)
		}
		return s
	}
	if a.compares() {
		data = rangeText("v", 4, 2*n)
	}
	s := a.prefix + "_atomic_" + a.name + " "
	if a.returns && a.prefix != "buffer" {
		s += result + ", "
	}
	s += map[string]string{"flat": "v[2:3], " + data, "global": "v[2:3], " + data + ", off",
		"buffer": data + ", v2, s[4:7], s8 offen"}[a.prefix]
	switch {
	case a.returns && strings.HasPrefix(a.on, "gfx12"):
		s += " th:TH_ATOMIC_RETURN"
	case a.returns:
		s += " glc"
	}
	return s
}

// TestScalarLoadsLater loads what gfx12 can: parts of dwords and three dwords, through pointers and
// descriptors.
func TestScalarLoadsLater(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want func(b []byte) uint32
	}{
		{"b96", 3, nil},
		{"i8", 1, func(b []byte) uint32 { return uint32(int8(b[0])) }},
		{"u8", 1, func(b []byte) uint32 { return uint32(b[0]) }},
		{"i16", 1, func(b []byte) uint32 { return uint32(int16(half16Of(b))) }},
		{"u16", 1, func(b []byte) uint32 { return uint32(half16Of(b)) }},
	} {
		for _, from := range []string{"s_load_", "s_buffer_load_"} {
			h := newHarness32(t, "gfx1200")
			for i := range h.data.Data {
				h.data.Data[i] = byte(200 + 7*i)
			}
			copy(h.regs.S[4:], []uint32{dataBase, 0, 64, 0})
			base := map[string]string{"s_load_": "s[4:5]", "s_buffer_load_": "s[4:7]"}[from]
			var asm []string
			places := []int{0, 12, 52}
			for i, at := range places {
				asm = append(asm, fmt.Sprintf("%s%s %s, %s, %#x", from, c.name,
					rangeText("s", uint16(12+4*i), c.n), base, at))
			}
			h.mustRun(h.assembly("gfx1200", asm...)...)
			for i, at := range places {
				for j := range c.n {
					b := h.data.Data[at+4*j:]
					want := binary.LittleEndian.Uint32(b)
					if c.want != nil {
						want = c.want(b)
					}
					if got := h.regs.S[12+4*i+j]; got != want {
						t.Errorf("%s: %#x, want %#x", asm[i], got, want)
					}
				}
			}
		}
	}
}

// TestWatchedLoads: loads that watch their place, or that a cluster makes together, load what others do.
func TestWatchedLoads(t *testing.T) {
	for _, name := range []string{"flat_load_monitor_", "global_load_monitor_", "cluster_load_"} {
		for n := 1; n <= 4; n *= 2 {
			h := newHarness32(t, "gfx1250")
			for i := range h.data.Data {
				h.data.Data[i] = byte(i*7 + i>>8)
			}
			h.address(2, func(l int) uint64 { return dataBase + uint64(l*20) })
			for i := range n {
				h.vector(4+i, func(int) uint32 { return oldValue })
			}
			h.exec(0xffff_7f01)
			asm := fmt.Sprintf("%sb%d %s, v[2:3]", name, 32*n, rangeText("v", 4, n))
			if name[0] != 'f' {
				asm += ", off"
			}
			h.mustRun(h.assembly("gfx1250", asm+" offset:4")...)
			for l := range 32 {
				for i := range n {
					want := uint32(oldValue)
					if 0xffff_7f01>>l&1 != 0 {
						want = binary.LittleEndian.Uint32(h.data.Data[20*l+4+4*i:])
					}
					if got := h.regs.V[4+i][l]; got != want {
						t.Fatalf("%s: dword %d of lane %d is %#x, want %#x", asm, i, l, got, want)
					}
				}
			}
		}
	}
}

// TestSharedBarrier: arrivals at a barrier in LDS count down, and the last of a phase begins the next one.
func TestSharedBarrier(t *testing.T) {
	state := func(phase, pending, reload uint64) uint64 { return reload<<32 | phase<<29 | pending }
	h := newHarness32(t, "gfx1250")
	at := h.group.LDS[64:]
	h.vector(2, func(int) uint32 { return 56 })
	for _, c := range []struct {
		asm          string
		lanes        uint64
		n            uint64
		before, want uint64
		first        uint64 // what lane 0 gets, or lane 1
	}{
		{"ds_atomic_barrier_arrive_rtn_b64 v[8:9], v2, v[4:5] offset:8", 1, 1, state(0, 2, 2), state(0, 1, 2),
			state(0, 2, 2)},
		{"ds_atomic_barrier_arrive_rtn_b64 v[8:9], v2, v[4:5] offset:8", 1, 3, state(0, 2, 6), state(1, 6, 6),
			state(0, 2, 6)},
		{"ds_atomic_barrier_arrive_rtn_b64 v[8:9], v2, v[4:5] offset:8", 3, 1, state(7, 1, 2), state(0, 2, 2),
			state(7, 1, 2)},
		{"ds_atomic_async_barrier_arrive_b64 v2 offset:8", 7, 0, state(3, 1, 5), state(4, 4, 5), 0},
		{"ds_atomic_async_barrier_arrive_b64 v2 offset:8", 2, 0, state(0, 0, 0), state(1, 0, 0), 0},
	} {
		binary.LittleEndian.PutUint64(at, c.before)
		h.address(4, func(int) uint64 { return c.n })
		h.exec(c.lanes)
		h.mustRun(h.assembly("gfx1250", c.asm)...)
		if got := binary.LittleEndian.Uint64(at); got != c.want {
			t.Errorf("%s from %#x: %#x, want %#x", c.asm, c.before, got, c.want)
		}
		if got := uint64(h.regs.V[8][0]) | uint64(h.regs.V[9][0])<<32; c.first != 0 && got != c.first {
			t.Errorf("%s from %#x returns %#x, want %#x", c.asm, c.before, got, c.first)
		}
	}
}

// TestScalarFloatsLater: arithmetic and comparisons of scalar floats.
func TestScalarFloatsLater(t *testing.T) {
	h := newHarness32(t, "gfx1150")
	h.regs.S[regMode] = ModeDenorm32 | ModeDenorm64
	numbers := []float64{1.5, -2.5, math.NaN(), 0}
	unary := map[string]func(float64) float64{"ceil": math.Ceil, "floor": math.Floor, "trunc": math.Trunc,
		"rndne": math.RoundToEven}
	binary := map[string]func(a, b float64) float64{"sub": func(a, b float64) float64 { return a - b },
		"mul": func(a, b float64) float64 { return a * b }, "min": lesser,
		"max": func(a, b float64) float64 { return -lesser(-a, -b) }}
	encoded := map[string]func(float64) uint32{"f16": func(x float64) uint32 {
		return uint32(encode(half16, x))
	},
		"f32": func(x float64) uint32 { return math.Float32bits(float32(x)) }}
	all := []string{"s_fmac_f16 s5, s6, s7"}
	for name := range unary {
		all = append(all, "s_"+name+"_f16 s5, s6")
	}
	for name := range binary {
		all = append(all, "s_"+name+"_f16 s5, s6, s7")
	}
	for name := range scalarCompares(0, 0) {
		all = append(all, "s_cmp_"+name+"_f16 s6, s7", "s_cmp_"+name+"_f32 s6, s7")
	}
	h.assembly("gfx1150", all...)
	for _, a := range numbers {
		h.regs.S[6] = encoded["f16"](a)
		for name, f := range unary {
			h.mustRun(h.assembly("gfx1150", "s_"+name+"_f16 s5, s6")...)
			if got, want := h.regs.S[5], encoded["f16"](f(a)); a == a && got != want {
				t.Errorf("s_%s_f16 of %v: %#x, want %#x", name, a, got, want)
			}
		}
		for _, b := range numbers {
			h.regs.S[6], h.regs.S[7] = encoded["f16"](a), encoded["f16"](b)
			for name, f := range binary {
				h.mustRun(h.assembly("gfx1150", "s_"+name+"_f16 s5, s6, s7")...)
				if want := f(a, b); want == want && h.regs.S[5] != encoded["f16"](want) {
					t.Errorf("s_%s_f16 of %v, %v: %#x, want %v", name, a, b, h.regs.S[5], want)
				}
			}
			h.regs.S[5] = encoded["f16"](3)
			h.mustRun(h.assembly("gfx1150", "s_fmac_f16 s5, s6, s7")...)
			if want := a*b + 3; want == want && h.regs.S[5] != encoded["f16"](want) {
				t.Errorf("s_fmac_f16 of %v, %v: %#x, want %v", a, b, h.regs.S[5], want)
			}
			for kind, encode := range encoded {
				h.regs.S[6], h.regs.S[7] = encode(a), encode(b)
				for name, want := range scalarCompares(a, b) {
					h.mustRun(h.assembly("gfx1150", fmt.Sprintf("s_cmp_%s_%s s6, s7", name, kind))...)
					if got := h.regs.S[regSCC] != 0; got != want {
						t.Errorf("s_cmp_%s_%s of %v, %v: %t", name, kind, a, b, got)
					}
				}
			}
		}
	}
}

// lesser is the lesser of two numbers, or the one that is a number.
func lesser(a, b float64) float64 {
	switch {
	case a != a:
		return b
	case b != b || a <= b:
		return a
	}
	return b
}

// scalarCompares are the comparisons of two numbers.
func scalarCompares(a, b float64) map[string]bool {
	ordered := a == a && b == b
	return map[string]bool{"lt": a < b, "eq": a == b, "le": a <= b, "gt": a > b, "lg": a < b || a > b,
		"ge": a >= b, "o": ordered, "u": !ordered, "nge": !(a >= b), "nlg": !(a < b || a > b),
		"ngt": !(a > b), "nle": !(a <= b), "neq": a != b, "nlt": !(a < b)}
}

// TestSaveExecLater: each way to change EXEC with waves of 32 lanes.
func TestSaveExecLater(t *testing.T) {
	const exec, s = 0xf0f0_3c3c, 0x00ff_5a5a
	for name, want := range map[string]uint32{"s_or_saveexec": exec | s, "s_xor_saveexec": exec ^ s,
		"s_nand_saveexec": ^uint32(exec & s), "s_xnor_saveexec": ^uint32(exec ^ s),
		"s_and_not0_saveexec": exec &^ s, "s_or_not0_saveexec": exec | ^uint32(s),
		"s_or_not1_saveexec": s | ^uint32(exec), "s_and_not1_wrexec": s &^ exec} {
		h := newHarness32(t, "gfx1100")
		h.exec(exec)
		h.regs.S[6], h.regs.S[7], h.regs.S[regExec+1] = s, 0x1234, 0
		h.mustRun(h.assembly("gfx1100", name+"_b32 s8, s6")...)
		saved := uint32(exec)
		if strings.HasSuffix(name, "wrexec") {
			saved = want
		}
		if got := uint32(h.w.Exec); got != want || h.regs.S[8] != saved ||
			h.regs.S[regSCC] != uint32(pick(want != 0, 1, 0)) {
			t.Errorf("%s: EXEC %#x, s8 %#x, SCC %d; want %#x, %#x", name, got, h.regs.S[8], h.regs.S[regSCC],
				want, saved)
		}
	}
}

// TestLaterRest: what is left, each by itself.
func TestLaterRest(t *testing.T) {
	h := newHarness32(t, "gfx1250")
	h.mustRun(h.assembly("gfx1250", "s_set_vgpr_msb 0x41", "v_mov_b32_e32 v1, 5", "s_set_vgpr_msb 0")...)
	if got := h.regs.V[257][3]; got != 5 {
		t.Errorf("v257 is %d, want 5", got)
	}
	h.regs.S[4], h.regs.S[5] = 40, 0
	if ev := h.run(h.assembly("gfx1250", "s_add_pc_i64 s[4:5]")...); ev.Kind != simt.NoEvent ||
		h.w.PC != codeBase+44 {
		t.Errorf("s_add_pc_i64: %v at %#x", ev.Kind, h.w.PC)
	}
	h.w.Insts = 41
	h.mustRun(h.assembly("gfx1250", "s_get_shader_cycles_u64 s[4:5]")...)
	if got := pair(h.regs, 4); got != 41 {
		t.Errorf("s_get_shader_cycles_u64 = %d, want 41", got)
	}
	for _, c := range [][2]string{{"gfx1200", "s_alloc_vgpr s4"},
		{"gfx1250", "tensor_load_to_lds s[0:3], s[4:11]"},
		{"gfx1250", "tensor_store_from_lds s[0:3], s[4:11]"}} {
		ev := newHarness32(t, c[0]).run(h.assembly(c[0], c[1])...)
		if ev.Fault == nil || !strings.Contains(ev.Fault.Text, c[1]+" is not simulated") {
			t.Errorf("%s: %v", c[1], ev.Fault)
		}
	}
	for _, c := range []struct {
		asm  string
		want uint64
	}{{"s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_SE_AID_ID)",
		0}, {"s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_REALTIME)", 77}} {
		h := newHarness32(t, "gfx1200")
		h.w.Insts = 77
		h.regs.S[4], h.regs.S[5] = 1, 0
		h.mustRun(h.assembly("gfx1200", c.asm)...)
		if got := pair(h.regs, 4); got != c.want {
			t.Errorf("%s gives %#x, want %#x", c.asm, got, c.want)
		}
	}
	h = newHarness32(t, "gfx1200")
	for name, c := range map[string][2]float64{"exp": {2, 4}, "rsq": {4, 0.5}, "sqrt": {6.25, 2.5}} {
		h.regs.S[6] = uint32(encode(half16, c[0]))
		h.mustRun(h.assembly("gfx1200", "v_s_"+name+"_f16 s5, s6")...)
		if got, want := h.regs.S[5], uint32(encode(half16, c[1])); got != want {
			t.Errorf("v_s_%s_f16 of %v: %#x, want %#x", name, c[0], got, want)
		}
	}
	h = newHarness(t, "gfx1100/64").compares()
	h.vector(4, func(l int) uint32 { return uint32(l) })
	h.mustRun(h.assembly("gfx1100", "v_permlane64_b32_e32 v2, v4")...)
	for l := range 64 {
		if got := h.regs.V[2][l]; got != uint32(l^32) {
			t.Errorf("v_permlane64_b32: lane %d has %d, want %d", l, got, l^32)
		}
	}
}

// TestSamplesLoad: image_msaa_load gives one component of each of four samples.
func TestSamplesLoad(t *testing.T) {
	for _, on := range []string{"gfx1100", "gfx1200"} {
		p := pictured{14, 14, 7, 4, 4, 1, 3, 16} // the level is the binary logarithm of how many samples
		h := newHarness32(t, on)
		copy(h.regs.S[8:], p.words(on))
		number := func(x, y, sample, component int) float64 {
			return float64(1000*component + 100*sample + 10*y + x)
		}
		for i := range 4 * 4 * 4 * 4 {
			x := number(i>>4&3, i>>6, i>>2&3, i&3)
			binary.LittleEndian.PutUint32(h.data.Data[4*i:], math.Float32bits(float32(x)))
		}
		h.vector(16, func(l int) uint32 { return uint32(l % 4) })
		h.vector(17, func(l int) uint32 { return uint32(l / 4 % 4) })
		h.vector(18, func(int) uint32 { return 0 })
		h.mustRun(h.assembly(on,
			"image_msaa_load v[4:7], [v16, v17, v18], s[8:15] dmask:0x4 dim:SQ_RSRC_IMG_2D_MSAA")...)
		for l := range 32 {
			for sample := range 4 {
				want := number(l%4, l/4%4, sample, 2)
				if got := math.Float32frombits(h.regs.V[4+sample][l]); float64(got) != want {
					t.Fatalf("%s: sample %d of lane %d is %v, want %v", on, sample, l, got, want)
				}
			}
		}
	}
}

// TestSamplesText: on gfx10.3 LLVM gives image_msaa_load as many registers as its mask has components.
func TestSamplesText(t *testing.T) {
	want := "image_msaa_load v[1:2], v[5:7], s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_2D_MSAA unorm"
	h := newHarness(t, "gfx1030")
	in, err := h.isa.Decode(wordsCode(h.assembly("gfx1030", want)[0]...), codeBase)
	if err != nil || in.String() != want {
		t.Errorf("%v, %v; want %s", in, err, want)
	}
}

// TestScaledConversionsLater has every conversion of gfx1250 with a scale: the numbers have few bits, so that
// each is exact, and random bits change none.
func TestScaledConversionsLater(t *testing.T) {
	rnd := rand.New(sweep.PCG(26, 27))
	h := newHarness32(t, "gfx1250")
	h.regs.S[regMode] = ModeDenorm32 | ModeDenorm64
	var all []laterScale
	var texts []string
	for _, op := range laterScaleRows() {
		all = append(all, laterScaleOf(op.Name))
		texts = append(texts, all[len(all)-1].text())
	}
	codes := h.assembly("gfx1250", texts...)
	for i := range all {
		all[i].check(h, rnd, codes[i])
	}
}

// A laterScale is such a conversion: of how many numbers, and how wide these are.
type laterScale struct {
	name, small, wide string
	count             int
	expands           bool // small ones become wide ones
	from, to          uint
}

func laterScaleOf(name string) laterScale {
	s := laterScale{name: name}
	_, rest, _ := strings.Cut(name, "_pk")
	parts := strings.Split(rest, "_")
	s.count = map[string]int{"8": 8, "16": 16}[parts[0]]
	s.small, s.wide = parts[1], parts[2]
	if s.expands = smallBits[s.wide] != 0; s.expands {
		s.small, s.wide = s.wide, s.small
	}
	_, width := wideBits(s.wide, 0)
	if s.from, s.to = width, smallBits[s.small]; s.expands {
		s.from, s.to = s.to, s.from
	}
	return s
}

// text has the numbers in v4 and on, the scale in v40, random bits in v41, and the result in v44 and on.
func (s *laterScale) text() string {
	scale := "v40"
	switch {
	case s.expands:
		scale += " scale_sel:1"
	case strings.Contains(s.name, "_sr_"):
		scale = "v41, v40"
	}
	return fmt.Sprintf("%s %s, %s, %s", s.name, rangeText("v", 44, s.count*int(s.to)/32),
		rangeText("v", 4, s.count*int(s.from)/32), scale)
}

func (s *laterScale) check(h *harness, rnd *rand.Rand, code []uint32) {
	h.t.Helper()
	const scale = 3 // 2 to this
	bits := func(expanded bool, x float64) uint64 {
		if expanded {
			v, _ := wideBits(s.wide, math.Ldexp(x, scale))
			return v
		}
		return uint64(nearestSmall(s.small, x))
	}
	for r := range 64 {
		h.vector(r, func(int) uint32 { return 0 })
	}
	h.vector(40, func(int) uint32 { return (127 + scale) << map[bool]int{true: 8, false: 23}[s.expands] })
	h.vector(41, func(l int) uint32 { return uint32(l) * 0x9e3779b9 })
	var numbers [32][16]float64
	for l := range 32 {
		for k := range s.count {
			numbers[l][k] = float64(rnd.IntN(7)-3) / 2
			v := bits(!s.expands, numbers[l][k])
			for b := range s.from {
				at := uint(k)*s.from + b
				h.regs.V[4+at/32][l] |= uint32(v>>b&1) << (at % 32)
			}
		}
	}
	h.mustRun(code)
	for l := range 32 {
		for k := range s.count {
			want := bits(s.expands, numbers[l][k])
			if got := uint64(h.laneBits(44, l, uint(k)*s.to, s.to)); got != want {
				h.t.Fatalf("%s: number %d of lane %d, %v, is %#x, want %#x", s.name, k, l, numbers[l][k], got,
					want)
			}
		}
	}
}
