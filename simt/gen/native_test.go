package gen

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/rows/regions/x86"
	"simtgdb/simt/simttest"
	"simtgdb/testdata/sweep"
)

// translating makes blocks be translated when they run the nth time, and tells of what translated code does.
func translating(n uint8, told func(uint64)) (undo func()) {
	before := translateAfter
	translateAfter, onTranslated = n, told
	return func() { translateAfter, onTranslated = before, nil }
}

// A randomKernel is instructions of all forms, with loops, branches that channels take apart, and memory.
// Registers from firstReserved on are its own: addresses, and what counts rounds.
type randomKernel struct {
	gen   *Generation
	rnd   *rand.Rand
	a     map[string]string
	forms [][]byte
	simd  int
	code  []byte

	begins bool // with the floating-point control
	few    int  // how far from r10 the few registers are that many instructions have
}

// dataBase is where random kernels have memory.
const dataBase = 0x2_0000_0000

const (
	firstReserved = 112
	sideAddresses = 112 // of 64 bits, one behind the other
	someAddresses = 116 // anywhere, or all the same
	rounds        = 120
	most          = 122
	sideOffsets   = 124 // of local memory
	someOffsets   = 126
)

// field writes bits of the instruction at an offset.
func (k *randomKernel) field(at int, pos, n uint, v uint64) {
	w := word{le.Uint64(k.code[at:]), le.Uint64(k.code[at+8:])}
	for i := range n {
		half, bit := &w.lo, pos+i
		if bit >= 64 {
			half, bit = &w.hi, bit-64
		}
		*half = *half&^(1<<bit) | v>>i&1<<bit
	}
	le.PutUint64(k.code[at:], w.lo)
	le.PutUint64(k.code[at+8:], w.hi)
}

// add appends an instruction of exec.asm for all channels, and tells where it is.
func (k *randomKernel) add(name string) (at int) {
	at = len(k.code)
	code, err := hex.DecodeString(k.a[name])
	if err != nil {
		panic(err)
	}
	k.code = append(k.code, code...)
	k.field(at, 21, 3, map[int]uint64{8: 3, 16: 4, 32: 5}[k.simd])
	return at
}

// branch appends a branch by some flag, or by none.
func (k *randomKernel) branch(name string, always bool) (at int) {
	at = k.add(name)
	k.field(at, 16, 5, 0)
	if !always {
		k.field(at, 16, 4, 1)
		k.field(at, 20, 1, uint64(k.rnd.Intn(2)))
		k.field(at, 32, 2, uint64(k.rnd.Intn(4)))
	}
	return at
}

// target makes a branch's JIP and UIP lead to here, or to other places.
func (k *randomKernel) target(at, jip, uip int) {
	k.field(at, 96, 32, uint64(uint32(jip-at)))
	k.field(at, 64, 32, uint64(uint32(uip-at)))
}

// form appends a random instruction that does not branch and leaves the kernel's own registers alone.
func (k *randomKernel) form() {
	for {
		code := k.forms[k.rnd.Intn(len(k.forms))]
		in, err := k.gen.Decode(append(code[:len(code):len(code)], make([]byte, 16)...), codeBase)
		if err != nil || in.Op.flow != simt.FlowNext || in.eot {
			continue
		}
		in.prepare()
		message := in.Op.form == formSend || in.Op.form == formSends || in.Op.form == formSendXe
		switch _, _, response := in.messageLengths(); {
		case message && (in.moves == nil || in.moves.slots > k.simd ||
			int(in.dst.reg)+response > firstReserved):
			continue
		case !message && (in.dst.place == indirect || in.dst.place == inGRF && in.dst.layout.base+
			in.dst.layout.reach(in.width) >= k.gen.grf(firstReserved) ||
			in.dst.place == inARF && in.dst.reg>>4 > arfFlag):
			continue
		}
		at := len(k.code)
		if k.code = append(k.code, code...); !message && in.Size == 16 && in.Op.form == formBasic &&
			k.rnd.Intn(4) != 0 {
			k.crowd(at, in)
		}
		if message {
			from := []int{sideAddresses, someAddresses}
			if !in.moves.wide {
				from = []int{sideOffsets, someOffsets}
			}
			if header := int(in.desc >> 19 & 1); header == 0 || in.isLSC() {
				k.field(at, k.registersAt()[1], 8, uint64(from[k.rnd.Intn(2)]))
			}
		}
		return
	}
}

// crowd lets an instruction have few registers, so that what one writes others read in part.
func (k *randomKernel) crowd(at int, in *Inst) {
	for i, o := range []*operand{&in.dst, &in.src[0], &in.src[1]} {
		if o.place == inGRF {
			k.field(at, k.registersAt()[i], 8, uint64(10+k.few+k.rnd.Intn(6)))
		}
	}
}

// registersAt is where instructions have the registers of their destination and two sources.
func (k *randomKernel) registersAt() [3]uint {
	if k.gen.untyped { // as from Gen12LP on
		return [3]uint{56, 72, 104}
	}
	return [3]uint{53, 69, 101}
}

// body appends statements, with loops as deep as said.
func (k *randomKernel) body(n, deep int) {
	for range n {
		switch k.rnd.Intn(12) {
		case 0:
			if deep == 0 {
				continue
			}
			at, past := k.branch("if", k.rnd.Intn(8) == 0), -1
			if k.rnd.Intn(3) == 0 { // past where others wait
				past = len(k.code)
				k.code = append(k.code, decoded("20000100040000340014000e20000000")...) // (W&f0.0) jmpi
				k.field(past, 32, 2, uint64(k.rnd.Intn(4)))
			}
			k.body(k.rnd.Intn(6), deep-1)
			other := -1
			if k.rnd.Intn(2) == 0 {
				other = k.branch("else", true)
				k.body(k.rnd.Intn(6), deep-1)
			}
			end := k.branch("endif", true)
			k.field(end, 96, 32, 16)
			if past >= 0 {
				k.field(past, 96, 32, uint64(end-past))
			}
			if other >= 0 {
				k.target(at, other+16, end)
				k.target(other, end, end)
			} else {
				k.target(at, end, end)
			}
		case 1:
			if deep == 0 {
				continue
			}
			at := k.branch("goto", false)
			k.body(k.rnd.Intn(6), deep-1)
			first := k.join()
			end := first
			if k.rnd.Intn(3) == 0 {
				k.body(k.rnd.Intn(3), deep-1)
				end = k.join()
			}
			k.target(at, first, end)
		case 2:
			k.code = append(k.code, decoded(k.a["nop"])...)
		default:
			k.form()
		}
	}
}

// join appends where channels of a goto meet.
func (k *randomKernel) join() (at int) {
	at = k.branch("endif", true) // which does the same
	k.field(at, 0, 7, 0x2f)
	k.field(at, 96, 32, 16)
	return at
}

func decoded(digits string) []byte {
	code, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return code
}

// make makes the code. Some kernels begin as IGC's do, which say how floats are computed.
func (k *randomKernel) make() {
	if k.begins = k.rnd.Intn(3) == 0; k.begins {
		if k.body(k.rnd.Intn(3), 0); k.rnd.Intn(4) != 0 {
			k.code = append(k.code, decoded("068000000400003000100016c004c004")...) // or cr0.0 cr0.0 0x4C0
			if k.rnd.Intn(3) == 0 {
				k.field(len(k.code)-16, 96, 16, 0x4d0) // round up
			}
		}
	}
	start := len(k.code)
	k.body(5+k.rnd.Intn(25), 2)
	leave := -1
	if k.rnd.Intn(2) == 0 {
		leave = k.branch("break", false)
		k.body(k.rnd.Intn(4), 1)
	}
	at := k.add("count-10") // one more round
	k.field(at, 21, 3, 0)
	k.field(at, 34, 1, 1)
	k.field(at, 53, 8, rounds)
	k.field(at, 69, 8, rounds)
	at = k.add("cmp-lt-10")
	k.field(at, 34, 1, 1)
	k.field(at, 32, 2, 2)
	for i, reg := range []uint64{rounds, most} {
		k.field(at, uint(69+32*i), 8, reg)
		k.field(at, uint(80+32*i), 9, 0)
	}
	again := k.branch("while", true)
	k.field(again, 16, 4, 1)
	k.field(again, 32, 2, 2)
	k.field(again, 96, 32, uint64(uint32(start-again)))
	if leave >= 0 {
		k.target(leave, again, again)
	}
	k.body(3, 1)
	k.code = append(k.code, decoded("3100600704020020e00f000610000082")...)
}

// registers are what a wave's registers have at first.
func (k *randomKernel) registers(r *Regs, data *simt.Region) {
	fillRegisters(r, k.rnd)
	r.setU32(offCR, crDenormDF|crDenormF|uint32(k.rnd.Intn(2))*crDenormHF)
	if k.rnd.Intn(6) == 0 || k.begins && k.rnd.Intn(2) == 0 {
		r.setU32(offCR, k.rnd.Uint32()&(crRound|crDenormF))
	}
	same, wrong := k.rnd.Intn(3) == 0, k.rnd.Intn(24) == 0
	place := uint64(k.rnd.Intn(0x100)) * 8
	lanes := 16 // of a message
	if k.gen.wide {
		lanes = 32
	}
	for l := range lanes {
		some := place
		if !same {
			some = uint64(k.rnd.Intn(0x1e0)) * 8
		}
		if wrong && l == 3 {
			some = 1 << 30
		}
		le.PutUint64(r.file[k.gen.grf(sideAddresses)+8*l:], data.Base+place+4*uint64(l))
		le.PutUint64(r.file[k.gen.grf(someAddresses)+8*l:], data.Base+some)
		r.setU32(k.gen.grf(sideOffsets)+4*l, uint32(place/8+4*uint64(l)))
		r.setU32(k.gen.grf(someOffsets)+4*l, uint32(some)/4)
	}
	r.setU32(k.gen.grf(rounds), 0)
	r.setU32(k.gen.grf(most), uint32(2+k.rnd.Intn(6)))
}

// agree runs a random kernel with and without translated code, some instructions at a time, and compares
// all that there is. It says how often what has no contents has been used.
func agree(t *testing.T, list [][]byte, a map[string]string, seed int64) int {
	t.Helper()
	rnd := rand.New(sweep.Source(seed))
	k := &randomKernel{gen: Gen9, rnd: rnd, a: a, forms: list, simd: 8 << rnd.Intn(3)}
	k.make()
	return k.agree(t, seed)
}

// machine makes a machine that is about to run the kernel, with memory and registers by a seed.
func (k *randomKernel) machine(t *testing.T, start int64, denied bool) *simt.Machine {
	t.Helper()
	rnd := rand.New(sweep.Source(start))
	k.rnd = rnd
	mem := simt.NewMemory()
	code := append(k.code[:len(k.code):len(k.code)], make([]byte, 16)...)
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	data, err := mem.Map("data", dataBase, make([]byte, 0x1000), simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	rnd.Read(data.Data)
	if denied {
		data.Perm = simt.PermRead
	}
	isa, err := New(mem, Kernel{Generation: k.gen, SIMD: k.simd, Threads: 16})
	if err != nil {
		t.Fatal(err)
	}
	n := uint32(k.simd)
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{4*n + 3, 1, 1}, Block: [3]uint32{2 * n, 1, 1},
		Entry: codeBase, LDSSize: 0x400})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	for _, w := range m.Waves() {
		rnd.Read(w.Group.LDS)
		r := regsOf(w)
		k.registers(r, data)
		r.setU32(offCE, uint32(w.Exec)) // as when it starts: what faults at once leaves them so
		r.setU32(offIP, uint32(w.PC))
	}
	return m
}

// agree runs the kernel.
func (k *randomKernel) agree(t *testing.T, seed int64) int {
	t.Helper()
	rnd := k.rnd
	start := rnd.Int63()
	denied, observed := rnd.Intn(6) == 0, rnd.Intn(2) == 0
	var m [2]*simt.Machine
	var told [2]accesses
	var used [2]uses
	follows := seed%3 == 2
	for i := range m {
		m[i] = k.machine(t, start, denied)
		m[i].Interpret = i == 0
		if told[i].wants = uint8(start); observed {
			m[i].AddObserver(&told[i])
		}
		if follows {
			m[i].AddObserver(&used[i])
			for _, w := range m[i].Waves() {
				used[i].blank(m[i], regsOf(w), rand.New(sweep.Source(start+int64(w.ID))))
			}
		}
	}
	for step := range 60 {
		quantum := uint64(1 + rnd.Intn(60))
		var ev [2]simt.Event
		var digest [2]string
		for i := range m {
			var err error
			if step >= 40 {
				quantum = 10000
			}
			if ev[i], err = m[i].Advance(quantum); err != nil {
				t.Fatal(err)
			}
			digest[i] = simttest.Digest(m[i])
		}
		if f := ev[0].Fault; f != nil && f.Kind == simt.Defect {
			t.Fatalf("kernel %d, step %d: %v", seed, step, f)
		}
		if ev[0].Kind != ev[1].Kind || ev[0].PC != ev[1].PC || ev[0].Lanes != ev[1].Lanes || digest[0] != digest[1] {
			t.Fatalf("kernel %d, SIMD%d, step %d: interpreted %v at %#x, translated %v at %#x, same state: %v\n%s", seed,
				k.simd, step, ev[0].Kind, ev[0].PC, ev[1].Kind, ev[1].PC, digest[0] == digest[1],
				differing(k.gen, m, k.code))
		}
		if told[0] != told[1] {
			t.Fatalf("kernel %d, step %d: observers are told of %d accesses, of %d translated ones, or of others", seed,
				step, told[0].n, told[1].n)
		}
		if !slices.Equal(used[0].seen, used[1].seen) {
			t.Fatalf("kernel %d, step %d: interpreted code uses what has no contents so: %q, translated code %q\n%s", seed, step,
				used[0].seen, used[1].seen, differing(k.gen, m, k.code))
		}
		if ev[0].Kind == simt.EndEvent && step >= 40 {
			break
		}
	}
	if seed%4 == 1 {
		k.goBack(t, seed)
	}
	return len(used[0].seen)
}

// goBack runs the kernel in some turns, and has it come to the same states again when it goes back.
func (k *randomKernel) goBack(t *testing.T, seed int64) {
	t.Helper()
	var m [2]*simt.Machine
	for i := range m {
		m[i] = k.machine(t, seed, seed%16 == 5)
		m[i].Interpret = i == 0
	}
	simttest.Ahead{Turn: 1 + uint64(seed%60), Steps: 60, Alone: true, What: fmt.Sprint("kernel ", seed)}.
		Compare(t, mathrand.New(sweep.PCG(uint64(seed), 1)), m)
}

// uses is an observer that wants to know of uses of what has no contents.
type uses struct{ seen []string }

func (*uses) Observe(*simt.Access) bool    { return false }
func (*uses) Fence(*simt.Wave, simt.Fence) {}
func (*uses) Arrived(simt.Event)           {}
func (*uses) Opened(simt.Meeting)          {}
func (*uses) Came(*simt.Wave, uint8)       {}
func (*uses) Together(*simt.Wave, uint64)  {}
func (*uses) Ended(*simt.Wave)             {}
func (*uses) Quiet(bool)                   {}
func (*uses) Follows() simt.Following      { return simt.Following{Values: true} }
func (*uses) Wants(_ *simt.Wave, s simt.Space, write bool) bool {
	return s == simt.LDS || write
}

func (u *uses) Used(x *simt.Use) bool {
	u.seen = append(u.seen, fmt.Sprintf("%d %#x %#x %s", x.Wave.ID, x.PC, x.Lanes, x.Text))
	return false
}

// blank makes some registers such as nothing has been written to.
func (u *uses) blank(m *simt.Machine, r *Regs, rnd *rand.Rand) {
	r.known = &known{since: m.Followed()}
	for reg := range firstReserved {
		switch rnd.Intn(6) {
		case 0:
			r.known.set(r.gen.grf(reg), r.gen.regBytes, true, codeBase)
		case 1:
			r.known.set(r.gen.grf(reg)+rnd.Intn(r.gen.regBytes), 1, true, codeBase)
		}
	}
}

// differing says which waves differ in what.
func differing(g *Generation, m [2]*simt.Machine, code []byte) string {
	var b strings.Builder
	a, c := m[0].Waves(), m[1].Waves()
	for i := range a {
		x, y := regsOf(a[i]), regsOf(c[i])
		fmt.Fprintf(&b, "wave %d: pc %#x %#x, exec %#x %#x, instructions %d %d, of lanes %d %d\n", a[i].ID,
			a[i].PC, c[i].PC, a[i].Exec, c[i].Exec, a[i].Insts, c[i].Insts, a[i].LaneInsts, c[i].LaneInsts)
		for at := 0; at < len(x.file); at += 4 {
			if v, w := x.u32(at), y.u32(at); v != w {
				fmt.Fprintf(&b, "\tr%d.%d: %#x %#x\n", (at-offGRF)/g.regBytes, (at-offGRF)%g.regBytes/4, v, w)
			}
		}
	}
	for at := 0; at < len(code); {
		in, err := g.Decode(append(code[at:len(code):len(code)], make([]byte, 16)...), codeBase+uint64(at))
		if err != nil {
			return b.String() + err.Error()
		}
		fmt.Fprintf(&b, "%#x: %s\n", in.PC, in.trimmed())
		at += in.Size
	}
	return b.String()
}

// accesses is an observer that keeps a sum of what it is told of. It wants some kinds.
type accesses struct {
	wants  uint8
	n      int
	digest uint64
}

func (a *accesses) Wants(_ *simt.Wave, space simt.Space, write bool) bool {
	kind := 0
	if write {
		kind = 1
	}
	if space == simt.LDS {
		kind += 2
	}
	return a.wants>>kind&1 != 0
}

// Within implements simt.Bounded: some want to know of a part of global memory alone.
func (a *accesses) Within(w *simt.Wave, space simt.Space, _ bool) simt.Extent {
	if a.wants&16 != 0 && space == simt.Global {
		lo := dataBase + 0x200 + 0x200*uint64(w.ID&1)
		return simt.Extent{Lo: lo, Hi: lo + 0x180}
	}
	return simt.Extent{Hi: math.MaxUint64}
}

func (a *accesses) Observe(x *simt.Access) bool {
	// Who asks for some may be told of all.
	e, lanes := a.Within(x.Wave, x.Space, x.Write), x.Lanes
	simt.Lanes(x.Lanes, func(l int) {
		if at := x.Addr[l]; at+uint64(x.Size) <= e.Lo || at >= e.Hi {
			lanes &^= 1 << l
		}
	})
	if !a.Wants(x.Wave, x.Space, x.Write) || lanes == 0 {
		return false
	}
	a.n++
	h := fnv.New64a()
	fmt.Fprint(h, a.digest, x.Wave.ID, x.PC, x.Space, x.Size, lanes, x.Write)
	simt.Lanes(lanes, func(l int) { fmt.Fprint(h, x.Addr[l]) })
	a.digest = h.Sum64()
	return false
}

// TestTranslatedAgrees: random kernels do the same whether they are translated or not, after any number of
// instructions, to the bit.
func TestTranslatedAgrees(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	translated := uint64(0)
	defer translating(1, func(n uint64) { translated += n })()
	list, a := forms(t, Gen9), assembled(t)
	used, kernels := 0, 0 // in each path
	for seed := range sweep.Seeds(50, 50, 6000) {
		used += agree(t, list, a, int64(seed))
		kernels++
	}
	t.Logf("%d instructions in translated code, %d uses of what has no contents", translated, used)
	if translated < 130*uint64(kernels) || used < kernels/2 {
		t.Errorf("translated code executed %d instructions, with %d uses: too few to tell", translated, used)
	}
}

// TestFewChannels: what two channels have written is not what four read, nor do flags end at one of the two
// registers that an instruction has.
func TestFewChannels(t *testing.T) {
	for _, c := range []struct {
		gen  *Generation
		code string
		seed int64 // by which 2 is left over from it divided by 3: contents are followed
	}{
		// mach (2|M0) r8.0<1>:d and sel (4|M0) (ge)f0.0 r5.0<1>:ud r8.0<1;1,0>:ud r8.4<1;1,0>:ud
		{XeHPG, "4900018060060508a4070006c407000062190280200205050408104284081000" +
			"31090380040000000c7f203000000000", 352},
		// cmp (16|M16) (eq)f1.1 null<1>:d r12.0<8;8,1>:b r11.0<8;8,1>:ud
		{Gen9, "10208011232a002080018d0260018d00" + "3100600704020020e00f000610000082", 353},
	} {
		undo := translating(1, nil)
		for seed := range int64(8) {
			k := &randomKernel{gen: c.gen, rnd: rand.New(sweep.Source(seed)), simd: 32,
				code: decoded(c.code)}
			k.agree(t, c.seed+3*seed)
		}
		undo()
	}
}

// FuzzTranslated is TestTranslatedAgrees for any kernel.
func FuzzTranslated(f *testing.F) {
	list, a := forms(f, Gen9), assembled(f)
	for seed := range int64(4) {
		f.Add(1000 + seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		defer translating(1, nil)()
		agree(t, list, a, seed)
	})
}
