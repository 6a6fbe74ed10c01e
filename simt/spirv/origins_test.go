package spirv

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/fidelity"
)

// A followed launch is one of which some bytes of a buffer count as inexact, and what was left.
type followed struct {
	*ran
	t *fidelity.Tracker
}

// follow runs a launch while it is followed where the words of a buffer come from that count as inexact.
func (l launch) follow(t *testing.T, words []uint32, of Slot, inexact func(word int) bool) *followed {
	t.Helper()
	r := l.start(t, words)
	tracker, err := fidelity.New(r.m)
	if err != nil {
		t.Fatal(err)
	}
	tracker.Follow(r.m)
	f := &followed{r, tracker}
	if region := r.regions[of]; inexact != nil {
		from := tracker.Ran(tracker.Site(1, "test", "far", false), 1)
		for at := 0; at+4 <= len(region.Data); at += 4 {
			if inexact(at / 4) {
				tracker.Store(wordAt(region, at), 0, 0, 4, from)
			}
		}
	}
	if r.event, err = r.m.Run(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	ended(t, r)
	return f
}

// wordAt is one by lane 0 to a place in a region.
func wordAt(r *simt.Region, at int) *fidelity.Access {
	x := &fidelity.Access{Access: simt.Access{Wave: &simt.Wave{}, Space: simt.Global}}
	x.Lane[0] = r.Base + uint64(at)
	return x
}

// exact reports whether a byte of a buffer counts as exact.
func (f *followed) exact(of Slot, at int) bool {
	return f.t.Load(wordAt(f.regions[of], at), 0, 0, 1) == 0
}

// inexactly runs a launch with two contents of the words of a buffer that count as inexact: whatever differs
// afterwards must be known as inexact. It says how many bytes of others differ, and how many of all count as
// exact.
func (l launch) inexactly(t *testing.T, what string, words []uint32, of Slot, other []byte,
	inexact func(word int) bool) (differ, exact int) {
	t.Helper()
	mixed := bytes.Clone(l.buffers[of])
	for at := 0; at+4 <= len(mixed); at += 4 {
		if inexact(at / 4) {
			copy(mixed[at:at+4], other[at:])
		}
	}
	x := l.follow(t, words, of, inexact)
	l.buffers = mapsWith(l.buffers, of, mixed)
	y := l.follow(t, words, of, inexact)
	for slot, region := range x.regions {
		for at, b := range region.Data {
			is := x.exact(slot, at) && y.exact(slot, at)
			if is {
				exact++
			}
			if b == y.regions[slot].Data[at] {
				continue
			}
			if slot != of {
				differ++
			}
			if is {
				t.Fatalf("%s: byte %#x of %v is %#x and %#x, and counts as exact", what, at, slot, b,
					y.regions[slot].Data[at])
			}
		}
	}
	return differ, exact
}

// mapsWith is a map with another value for a key.
func mapsWith[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	with := map[K]V{}
	for key, value := range m {
		with[key] = value
	}
	with[k] = v
	return with
}

func everyWord(int) bool { return true }

// TestOriginsOfOps: of an instruction in a lane alone what comes from an inexact operand is inexact, and what
// other lanes have is as exact as the instruction is.
func TestOriginsOfOps(t *testing.T) {
	const n = 64
	rnd := random(31)
	numbers := func() []byte {
		var w []uint32
		for range n {
			w = append(w, math.Float32bits(float32(rnd.next()%10000)/577))
		}
		return bytes32(w...)
	}
	odd := func(word int) bool { return word%2 != 0 }
	for _, c := range opCases {
		l := launch{groups: [3]uint32{2}, buffers: map[Slot][]byte{{}: make([]byte, 4*n)}}
		for k := 1; k < len(c.types); k++ {
			l.buffers[Slot{Binding: uint32(k)}] = numbers()
		}
		words := opModuleOf(c, 32)
		what := fmt.Sprint(c.set, " ", c.op)
		for k := 1; k < len(c.types); k++ {
			of := Slot{Binding: uint32(k)}
			_, exact := l.inexactly(t, what, words, of, numbers(), odd)
			want := 4 * n * len(c.types)
			if far := inexactOps[c.set][c.op]; far {
				want -= 4 * n // all that it gives
			} else {
				want -= 4 * n / 2
			}
			if want -= 4 * n / 2; exact != want {
				t.Errorf("%s: %d bytes count as exact where operand %d is not, want %d", what, exact, k, want)
			}
		}
	}
}

// inexactOps are those of opCases that docs/fidelity.md calls inexact: functions that are not rounded
// correctly everywhere, quotients and remainders, and sums of products.
var inexactOps = map[string]map[uint16]bool{
	"":           opcodes([][2]uint16{{opFRem, opFMod}, {opFDot2MixAcc32VALVE}}),
	"OpenCL.std": opcodes([][2]uint16{{67, 94}, {108, 110}}),
}

// An originModule is a launch of a module whose buffer at binding 0 is inexact and may have other contents.
type originModule struct {
	module string
	l      launch
	other  []byte
	exact  int // bytes that stay so, at least
}

func originModules() []originModule {
	rnd := random(37)
	small := func(n int) []byte {
		w := rnd.words(n)
		for i := range w {
			w[i] >>= 8
		}
		return bytes32(w...)
	}
	floats := func(n int) []byte {
		var f []float32
		for range n {
			f = append(f, float32(rnd.next()%1000)/37)
		}
		return floatBytes(f...)
	}
	in, out, third := Slot{}, Slot{Binding: 1}, Slot{Binding: 2}
	images, _ := imageLaunch()
	pointers := map[uint64]Slot{0: in, 8: out, 16: third, 24: {Binding: 3}}
	three := map[uint64]Slot{0: in, 8: out, 16: third}
	return []originModule{
		{"arith.O.spv", launch{groups: [3]uint32{4}, buffers: map[Slot][]byte{in: small(128),
			out: make([]byte, 64*24*4)}}, small(128), 0},
		{"ops.spv", launch{buffers: map[Slot][]byte{in: small(32), out: make([]byte, 32*32*4),
			third: make([]byte, 8)}}, small(32), 640},
		{"matmul.Od.spv", launch{groups: [3]uint32{1, 1}, push: bytes32(16), buffers: map[Slot][]byte{
			in: floats(256), out: floats(256), third: make([]byte, 1024)}}, floats(256), 1024},
		{"blur.Od.spv", launch{groups: [3]uint32{2}, buffers: map[Slot][]byte{in: floats(128),
			out: make([]byte, 512), third: append(bytes32(128), floatBytes(0.25)...)}}, floats(128), 8},
		{"layout.Od.spv", launch{push: append(floats(4), bytes32(2)...), buffers: map[Slot][]byte{
			in: floats(40), out: make([]byte, 112)}}, floats(40), 0},
		{"shared.Od.spv", launch{groups: [3]uint32{4}, buffers: map[Slot][]byte{in: small(256),
			out: make([]byte, 48)}}, small(256), 0},
		{"atomics.Od.spv", launch{groups: [3]uint32{2}, buffers: map[Slot][]byte{in: small(14),
			out: make([]byte, 256)}}, small(14), 0},
		{"types.Od.spv", launch{buffers: map[Slot][]byte{in: small(336), out: make([]byte, 512)}},
			small(336), 0},
		{"image.Od.spv", images, floats(256), 7168},
		{"kernel.spv", launch{block: [3]uint32{32, 1, 1}, args: make([]byte, 32), local: 64,
			pointer: pointers, buffers: map[Slot][]byte{in: small(32), out: make([]byte, 4*32*22),
				third: make([]byte, 32*24), {Binding: 3}: make([]byte, 8)}}, small(32), 2432},
		{"cl_math.cl.spv", launch{block: [3]uint32{16, 1, 1}, args: make([]byte, 24), pointer: three,
			buffers: map[Slot][]byte{in: floats(20), out: make([]byte, 64*16),
				third: make([]byte, 32*16)}}, floats(20), 0},
		{"cl_half.cl.spv", launch{block: [3]uint32{16, 1, 1}, args: make([]byte, 32), pointer: pointers,
			buffers: map[Slot][]byte{in: floats(64), out: make([]byte, 64*16), third: make([]byte, 64*16),
				{Binding: 3}: make([]byte, 128)}}, floats(64), 1024},
	}
}

// TestOriginsOfModules: the same of modules whose invocations have what others had, too, and of memory,
// calls, constructs and images.
func TestOriginsOfModules(t *testing.T) {
	for _, c := range originModules() {
		t.Run(c.module, func(t *testing.T) {
			differ, exact := c.l.inexactly(t, c.module, testModule(t, c.module), Slot{}, c.other,
				everyWord)
			if differ == 0 || exact < c.exact {
				t.Errorf("%d bytes of results differ, and %d are exact, want %d", differ, exact, c.exact)
			}
		})
	}
}

// TestOriginsOfGroups: what one invocation has comes to all of a workgroup, and nobody else.
func TestOriginsOfGroups(t *testing.T) {
	names, words := groupResults(), testModule(t, "groups.spv")
	const size = 20
	rnd := random(41)
	in, other := rnd.words(2*size), rnd.words(2*size)
	// Half of the results but those of FAdd and FMul, all words but one, and what comes to one subgroup.
	for wave, want := range map[int]int{8: (55-6)*4*size + 39*4 + 2*4*12, 64: (55-6)*4*size + 39*4} {
		l := groupLaunch("groups", wave, 2, [3]uint32{size, 1, 1}, in, len(names), [3]int{2, 0, 0})
		_, exact := l.inexactly(t, "groups", words, Slot{}, bytes32(other...), func(word int) bool {
			return word == 2
		})
		if exact != want {
			t.Errorf("subgroups of %d: %d bytes count as exact, want %d", wave, exact, want)
		}
	}
}

// TestInexactResults: of exact operands sums and products of groups in a certain order, quotients, and
// samples of images are inexact, and nothing else is.
func TestInexactResults(t *testing.T) {
	names := groupResults()
	in := make([]uint32, 16)
	l := groupLaunch("groups", 8, 2, [3]uint32{8, 1, 1}, in, len(names), [3]int{})
	f := l.follow(t, testModule(t, "groups.spv"), Slot{}, nil)
	for k, name := range names {
		inexact := strings.HasPrefix(name, "FAdd") || strings.HasPrefix(name, "FMul")
		if f.exact(Slot{Binding: 1}, 4*k*len(in)) == inexact {
			t.Errorf("%s counts as exact: %v", name, !inexact)
		}
	}
	images, _ := imageLaunch()
	f = images.follow(t, testModule(t, "image.Od.spv"), Slot{}, nil)
	for row, fetched := range []int{3: 1, 4: 1, 9: 1, 11: 1, 14: 1, 15: 1, 17: 1, 18: 1,
		19: 1} { // texels and sizes
		if got := f.exact(Slot{Binding: 1}, 16*64*row); got != (fetched != 0) {
			t.Errorf("row %d of image.comp counts as exact: %v", row, got)
		}
	}
	// The place of a texel is an address, and what is written there is not.
	f = images.follow(t, testModule(t, "image.Od.spv"), Slot{}, everyWord)
	addresses := ""
	for _, c := range f.t.Report().Counts {
		for _, r := range c.Reached {
			addresses += r.Text + "\n"
		}
	}
	if !strings.Contains(addresses, "OpImageSample") || strings.Contains(addresses, "OpImageWrite") {
		t.Errorf("coordinates of samples and texels that are written come to\n%s", addresses)
	}
}
