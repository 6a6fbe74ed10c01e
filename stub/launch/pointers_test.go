package launch

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
	"simtgdb/simt"
)

// pointing is a launch of demo whose two pointers have addresses.
func pointing(t *testing.T, input, output uint64) *Program {
	t.Helper()
	args := parseArgs(t, fmt.Sprintf("u64:%d", input), fmt.Sprintf("u64:%d", output), "i32:1")
	return load(t, &Spec{CodeObject: object("demo"), Grid: Dims{64, 1, 1}, Block: Dims{64, 1, 1}, Args: args})
}

// TestNullText: an access near address 0 of global memory may be by a pointer that the launch makes null: one
// that the kernel declares before one that may be none.
func TestNullText(t *testing.T) {
	const input, output = "argument 0 (input)", "argument 1 (output)"
	unsure := func(p *Program, parameters ...int) *Program {
		for _, i := range parameters {
			p.Kernel.Args[i].Kind, p.Kernel.Args[i].MayPoint = loader.ByValue, true
		}
		return p
	}
	for _, x := range []struct {
		what  string
		p     *Program
		space simt.Space
		addr  uint64
		want  string
	}{
		{"one", pointing(t, 0, 0x1000), simt.Global, 0, input + " is null"},
		{"two", pointing(t, 0, 0), simt.Global, 8, input + " and " + output + " are null"},
		{"none", pointing(t, 0x2000, 0x1000), simt.Global, 8, ""},
		{"the last byte that is near", pointing(t, 0, 1), simt.Global, nearNull - 1, input + " is null"},
		{"the first that is not", pointing(t, 0, 1), simt.Global, nearNull, ""},
		{"before it", pointing(t, 0, 1), simt.Global, ^uint64(nearNull - 1), input + " is null"},
		{"far before it", pointing(t, 0, 1), simt.Global, ^uint64(nearNull), ""},
		{"LDS", pointing(t, 0, 1), simt.LDS, 8, ""},
		{"that may be no pointer", unsure(pointing(t, 0, 0), 0, 1), simt.Global, 8,
			input + " and " + output + " are null"},
		{"one that is and one that may be none", unsure(pointing(t, 0, 0), 0), simt.Global, 8,
			output + " is null"},
		{"one that is not null and one that may be", unsure(pointing(t, 0, 1), 0), simt.Global, 8,
			input + " is null"},
	} {
		if got := x.p.nullText(&simt.Fault{Space: x.space, Addr: x.addr}); got != x.want {
			t.Errorf("%s: %s, want %s", x.what, got, x.want)
		}
	}
}

// TestNamedRegion: memory is named by the arguments that point into it, and by how far, and of many by four.
func TestNamedRegion(t *testing.T) {
	const base = 0x5000_0000_1000
	p := pointing(t, base, base+8)
	r, err := p.Memory.Map("a", base, make([]byte, 16), simt.PermRead)
	if err != nil {
		t.Fatal(err)
	}
	expect := func(want string) {
		t.Helper()
		if got := p.namedRegion(r); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	expect("argument 0 (input) and argument 1 (output) from byte 8, a")
	binary.LittleEndian.PutUint64(p.args[0].Value, base+16) // behind its end
	expect("argument 1 (output) from byte 8, a")
	binary.LittleEndian.PutUint64(p.args[1].Value, base-1)
	expect("a")
	binary.LittleEndian.PutUint64(p.args[0].Value, base)
	// Four like the first, of which nobody knows the names, and then another.
	more := func(n int) {
		p.args = slices.Concat(slices.Repeat(p.args[:1], n), p.args)
		p.Kernel.Args = slices.Concat(slices.Repeat(p.Kernel.Args[:1], n), p.Kernel.Args)
	}
	more(3)
	three := "argument 0, argument 1, argument 2"
	expect(three + " and argument 3, a")
	more(1)
	expect(three + ", argument 3 and 1 more, a")
}

// TestDescribeWaves: waves of a workgroup that stand alike are in one line, and at most so many are told of.
func TestDescribeWaves(t *testing.T) {
	p := load(t, &Spec{CodeObject: object("demo"), Grid: Dims{512, 1, 1}, Block: Dims{256, 1, 1},
		Args: parseArgs(t, "buf:i32[512]", "buf:i32[512]", "i32:512")})
	if err := p.Machine.Fill(); err != nil {
		t.Fatal(err)
	}
	waves := p.Machine.Waves()
	if len(waves) != 8 {
		t.Fatalf("%d waves", len(waves))
	}
	if _, err := p.Machine.StepWave(waves[2], 1); err != nil {
		t.Fatal(err)
	}
	waves[0].State, waves[7].State = simt.Ended, simt.AtBarrier
	at := func(which, group, state string, w *simt.Wave) string {
		return fmt.Sprintf("%s of workgroup (%s,0,0), %s: %s", which, group, state, p.Source.Describe(w.PC))
	}
	running := waves[1].State.String()
	all := []string{at("waves 1 to 3 (2)", "0", running, waves[1]), at("wave 2", "0", running, waves[2]),
		at("waves 4 to 6 (3)", "1", running, waves[4]), at("wave 7", "1", simt.AtBarrier.String(), waves[7])}
	for limit, want := range map[int][]string{4: all, 9: all,
		3: append(slices.Clone(all[:3]), "and waves at 1 other place"),
		1: append(slices.Clone(all[:1]), "and waves at 3 other places")} {
		if d := cmp.Diff(want, p.DescribeWaves(limit)); d != "" {
			t.Errorf("at most %d: -want +got:\n%s", limit, d)
		}
	}
}
