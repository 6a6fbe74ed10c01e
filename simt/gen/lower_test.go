package gen

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/regions"
	"simtgdb/simt/rows/regions/x86"
	"simtgdb/testdata/sweep"
)

// knownForms are the forms of generations that a test has asked for: most of their work is texts, and each
// path has the same.
var knownForms = map[*Generation][][]byte{}

// forms are instructions of the compiled programs and of lists of a generation's, one of each text without
// its registers' numbers.
func forms(t testing.TB, g *Generation) (all [][]byte) {
	t.Helper()
	if all := knownForms[g]; all != nil {
		return slices.Clip(all)
	}
	seen := map[string]bool{}
	add := func(code []byte) int {
		in, err := g.Decode(code, codeBase)
		if err != nil {
			return 16
		}
		if in.prepare(); in.faults {
			return in.Size
		}
		if key := shape(in.trimmed()); !seen[key] {
			seen[key] = true
			all = append(all, code[:in.Size])
		}
		return in.Size
	}
	codeSections(t, map[*Generation]string{Gen9: "", Gen11: "gen11/", Gen12LP: "gen12lp/", XeHPG: "xe-hpg/",
		XeHPC: "xe-hpc/"}[g],
		func(_, _ string, code []byte, text []string) {
			for at := 0; len(text) > 0; text = text[1:] {
				at += add(code[at:])
			}
		})
	for _, file := range map[*Generation][]string{Gen9: {"forms", "messages"}, Gen11: {"forms.gen11"},
		Gen12LP: {"forms.gen12lp"}, XeHPG: {"forms.xe-hpg"}, XeHPC: {"forms.xe-hpc"}}[g] {
		for _, l := range lines(t, "testdata/"+file+".txt.gz") {
			digits, _, _ := strings.Cut(l, " ")
			code, err := hex.DecodeString(digits)
			if err != nil {
				t.Fatal(err)
			}
			add(append(code, make([]byte, 16)...))
		}
	}
	knownForms[g] = all
	return slices.Clip(all)
}

// TestLowered: what has row code does the same by it as without, on the same registers and memory, and
// nothing where it leaves the instruction to the core.
func TestLowered(t *testing.T) {
	if !x86.Available() {
		t.Skip("no translated code")
	}
	testLowered(t, Gen9, sweep.Times(2, 6), 4500)
	testLowered(t, Gen11, 1, 1500)
	testLowered(t, Gen12LP, 1, 1500)
	testLowered(t, XeHPG, 1, 1200)
	testLowered(t, XeHPC, 1, 1500)
}

func testLowered(t *testing.T, g *Generation, rounds, least int) {
	t.Helper()
	one := 1       // of so many forms, but of blocks
	if g != Gen9 { // which has all that is lowered
		one = sweep.Step(4)
	}
	b := newBench(t, 32).of(g)
	b.core.w, b.core.r = b.w, b.r
	b.core.isa.Kernel.GeneralBase = b.data.Base - 0x800
	var insts []*Inst
	var units []regions.Unit
	for i, code := range forms(t, g) {
		in, err := g.Decode(append(code[:len(code):len(code)], make([]byte, 16)...), codeBase)
		if err != nil {
			t.Fatal(err)
		}
		in.prepare()
		o := in.lower(32, b.core.isa.Kernel.GeneralBase)
		if o != nil && (i%one == 0 || o[0].Access.Block != nil) {
			at := uint32(codeBase + 16*len(units))
			insts = append(insts, in)
			units = append(units, regions.Unit{At: at, End: at + uint32(in.Size), Insts: 1, Ops: o})
		}
	}
	const batch = 512 // so that code is not too large
	rnd, left, bad := rand.New(sweep.Source(3)), 0, 0
	blocks := map[regions.Kind]int{regions.Load: 0, regions.Store: 0}
	for from := 0; from < len(units); from += batch {
		to := min(from+batch, len(units))
		var code [2]*x86.Code
		for way := range code {
			var err error
			if code[way], err = x86.Translate(units[from:to], b.core.isa.layout(), way == 1); err != nil {
				t.Fatal(err)
			}
		}
		for i := from; i < to; i++ {
			for range rounds {
				ran, differs := b.bothWays(insts[i], units[i].At, code, rnd)
				if b := units[i].Ops[0].Access.Block; !ran {
					left++
				} else if b != nil {
					blocks[units[i].Ops[0].Kind]++
				}
				if differs != "" {
					t.Errorf("%s: %s\n%v", insts[i].trimmed(), differs, &units[i])
					if bad++; bad > 12 {
						t.FailNow()
					}
					break
				}
			}
		}
	}
	for _, n := range blocks {
		if n == 0 {
			t.Errorf("blocks are moved by translated code %v times: of one kind never", blocks)
			break
		}
	}
	if len(units) < least/one || left == 0 && rounds > 1 {
		t.Errorf("%d forms are lowered, %d runs left to the core: too few to tell", len(units), left)
	}
}

// fillBlockAddress makes a block's address one that is there, or nearly.
func (b *bench) fillBlockAddress(a *regions.Access, rnd *rand.Rand) {
	base, size := b.data.Base, len(b.data.Data)
	if a.Space == regions.Shared {
		base, size = 0, len(b.w.Group.LDS)
	}
	at := base + uint64(rnd.Intn(size-int(a.Block.Bytes)+8)) - a.Block.Base
	for i, t := range a.Block.Terms {
		if v := at >> t.Shift; i > 0 {
			b.r.setU32(int(t.At), rnd.Uint32()&^uint32(t.Keep))
		} else if t.Size == 8 {
			le.PutUint64(b.r.file[t.At:], v)
		} else {
			b.r.setU32(int(t.At), uint32(v))
		}
	}
}

// bothWays executes an instruction by the core and by translated code, which may leave it to the core. It
// says what is wrong with that.
func (b *bench) bothWays(in *Inst, at uint32, translated [2]*x86.Code, rnd *rand.Rand) (
	ran bool, differs string) {
	fillRegisters(b.r, rnd)
	if rnd.Intn(4) == 0 { // numbers of both sizes that are none
		for at := offGRF; at < b.r.gen.grfEnd(); at += 8 {
			le.PutUint64(b.r.file[at:], rnd.Uint64()|0x7ff0_0000_7f80_0000)
		}
	}
	b.r.setU32(offCR, crDenormDF|crDenormF)
	b.w.Exec = [...]uint64{0xffffffff, 0xffffffff, uint64(rnd.Uint32()) | 1, 0xff00ff, 1, 2}[rnd.Intn(6)]
	if in.moves != nil {
		b.fillAddresses(in.moves, rnd)
	}
	if o := in.lowerBlock(b.core.isa.Kernel.GeneralBase); o != nil {
		b.fillBlockAddress(&o.Access, rnd)
	}
	if in.message != nil {
		rnd.Read(b.data.Data)
		rnd.Read(b.w.Group.LDS)
	}
	memory := func() string { return string(b.data.Data) + string(b.w.Group.LDS) }
	before, was := b.r.clone(), memory()
	b.core.stop, b.core.lanes, b.w.State = simt.Event{}, 0, simt.Ready
	if in.exec(b.core, in); in.noMask {
		b.core.lanes = 0 // they are the thread's
	}
	want, wantMemory := b.r.clone(), memory()
	faulted := b.core.stop.Kind == simt.FaultEvent

	*b.r = *before.clone()
	copy(b.data.Data, was)
	copy(b.w.Group.LDS, was[len(b.data.Data):])
	x := x86.Context{Exec: b.w.Exec, Flags: b.r.flags(), Budget: 1, Stop: math.MaxInt64,
		Shared: rows.SlotOf(0, b.w.Group.LDS)}
	code := translated[way(b.w)]
	slots := code.Slots()
	for i := range slots {
		slots[i] = rows.SlotOf(b.data.Base, b.data.Data)
	}
	code.Run(&x, code.Entry[at], &b.r.file[0], slots)
	b.r.setFlags(x.Flags)
	switch {
	case x.Budget == 1 && (!slices.Equal(b.r.file, before.file) || memory() != was):
		return false, "translated code has left it and done something"
	case x.Budget == 1:
		return false, ""
	case faulted || !sameFiles(b.r, want) || memory() != wantMemory || x.Lanes != int64(b.core.lanes):
		return true, fmt.Sprintf("translated it does something else (exec %#x, faulted %v, lanes %d and %d)",
			b.w.Exec, faulted, x.Lanes, b.core.lanes)
	}
	return true, ""
}
