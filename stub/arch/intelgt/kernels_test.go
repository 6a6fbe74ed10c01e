package intelgt

import (
	"bufio"
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/arch"
	"simtgdb/stub/printf/host"
	"simtgdb/testdata/built"
	"simtgdb/testdata/sweep"
)

const programs = "../../../testdata/igc/"

// A kernelRun is a line of kernels.txt.
type kernelRun struct {
	program, kernel string
	grid, block     [3]uint32
	args            []string
	compiled        string // the folder of its generation, and the level
	ulps            uint32 // by how many units of the last place numbers may differ
}

func kernelRuns(t testing.TB) []kernelRun {
	t.Helper()
	f, err := os.Open(programs + "kernels.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var runs []kernelRun
	for s := bufio.NewScanner(f); s.Scan(); {
		w := strings.Fields(s.Text())
		if len(w) < 4 || w[0] == "#" {
			continue
		}
		runs = append(runs, kernelRun{w[0], w[1], dimsOf(t, w[2]), dimsOf(t, w[3]), w[4:], "", 0})
	}
	return runs
}

func dimsOf(t testing.TB, text string) [3]uint32 {
	d := [3]uint32{1, 1, 1}
	for i, p := range strings.Split(text, ",") {
		d[i] = uint32(number(t, p))
	}
	return d
}

func number(t testing.TB, text string) int64 {
	t.Helper()
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// random makes the elements of an in: argument.
func random(t testing.TB, typ string, count int, seed uint64) []byte {
	bits := number(t, typ[1:])
	var out []byte
	for range count {
		seed += 0x9e3779b97f4a7c15
		x := (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
		switch typ {
		case "f32":
			x = uint64(math.Float32bits(float32(x>>40) / (1 << 24)))
		case "f64":
			x = math.Float64bits(float64(x>>11) / (1 << 53))
		}
		out = append(out, binary.LittleEndian.AppendUint64(nil, x)[:bits/8]...)
	}
	return out
}

// params makes the arguments and their buffers.
func (r *kernelRun) params(t testing.TB, mem *simt.Memory) (params []arch.Param, outs []*simt.Region) {
	t.Helper()
	for i, a := range r.args {
		kind, v, _ := strings.Cut(a, ":")
		p := arch.Param{Index: i, Given: arch.GivenValue}
		buffer := func(data []byte) *simt.Region {
			reg, err := mem.Alloc(fmt.Sprintf("argument %d", i), uint64(len(data)),
				simt.PermRead|simt.PermWrite)
			if err != nil {
				t.Fatal(err)
			}
			copy(reg.Data, data)
			p.Given, p.Buffer = arch.GivenBuffer, reg
			return reg
		}
		switch kind {
		case "out":
			outs = append(outs, buffer(make([]byte, number(t, v))))
		case "in":
			w := strings.Split(v, ":")
			buffer(random(t, w[0], int(number(t, w[1])), uint64(number(t, w[2]))))
		case "local":
			p.Given, p.Local = arch.GivenLocal, uint64(number(t, v))
		case "f32":
			f, err := strconv.ParseFloat(v, 32)
			if err != nil {
				t.Fatal(err)
			}
			p.Value = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(f)))
		case "hex":
			b, err := hex.DecodeString(v)
			if err != nil {
				t.Fatal(err)
			}
			p.Value = b
		default:
			p.Value = binary.LittleEndian.AppendUint32(nil, uint32(number(t, v)))
		}
		params = append(params, p)
	}
	return params, outs
}

// openModule opens a program and maps it.
func openModule(t testing.TB, path string, mem *simt.Memory) *loader.Module {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Family{}.Open(data, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !mapped(mem, m) {
		t.Fatalf("%s cannot be mapped", path)
	}
	return m
}

// machine loads a kernel and makes it ready to run.
func (r *kernelRun) machine(t testing.TB, path string) (*simt.Machine, *arch.Launched, []*simt.Region) {
	t.Helper()
	mem := simt.NewMemory()
	m := openModule(t, path, mem)
	k, err := m.Kernel(r.kernel)
	if err != nil {
		t.Fatal(err)
	}
	params, outs := r.params(t, mem)
	l, err := Family{}.Launch(&arch.Launch{Module: m, Kernel: k, Memory: mem, Grid: r.grid,
		Block: r.block, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	machine, err := simt.New(mem, l.ISA, l.Dispatch)
	if err != nil {
		t.Fatal(err)
	}
	return machine, l, outs
}

// computed are expectations that oracle.c cannot give: grids with partial
// workgroups.
var computed = map[string]func(t testing.TB, r *kernelRun) []byte{
	"vecadd": func(t testing.TB, r *kernelRun) []byte {
		a, b := random(t, "u32", 100, 1), random(t, "u32", 100, 2)
		out := make([]byte, 400)
		for i := range 97 {
			sum := binary.LittleEndian.Uint32(a[4*i:]) + binary.LittleEndian.Uint32(b[4*i:])
			binary.LittleEndian.PutUint32(out[4*i:], sum)
		}
		return out
	},
	"grid3d": func(_ testing.TB, r *kernelRun) []byte {
		g, b := r.grid, r.block
		out := make([]byte, 4*g[0]*g[1]*g[2])
		for z := range g[2] {
			for y := range g[1] {
				for x := range g[0] {
					size := [3]uint32{min(b[0], g[0]-x/b[0]*b[0]), min(b[1], g[1]-y/b[1]*b[1]), min(b[2],
						g[2]-z/b[2]*b[2])}
					v := x + 100*y + 10000*z
					v = v*31 + x%b[0] + 7*(y%b[1]) + 49*(z%b[2])
					v = v*31 + x/b[0] + 7*(y/b[1]) + 49*(z/b[2])
					v = v*31 + size[0] + 16*size[1] + 256*size[2]
					v = v*31 + b[0] + (g[1]+b[1]-1)/b[1] + g[2] + 3
					binary.LittleEndian.PutUint32(out[4*((z*g[1]+y)*g[0]+x):], v)
				}
			}
		}
		return out
	},
}

func (r *kernelRun) want(t testing.TB) []byte {
	if f := computed[r.kernel]; f != nil {
		return f(t, r)
	}
	b, err := os.ReadFile(filepath.Join(programs, "expect", r.program+"."+r.kernel+".bin"))
	if err != nil {
		t.Fatal(err)
	}
	if r.kernel == "lanes" && strings.HasPrefix(r.compiled, "xe-") && strings.HasSuffix(r.compiled, "O2") {
		instead(b, random(t, "u32", 64, 44))
	}
	return b
}

// instead is what IGC makes of kernel lanes for Xe-HPG at its default level: into its last function of three
// values goes the element of the channel in the place of that which a broadcast gives (its vISA has
// V0068(0,0)<1;1,0> there, where Gen9's has element 3 alone).
func instead(out, in []byte) {
	le := binary.LittleEndian
	for i := 0; i < len(out); i += 4 {
		base := i &^ 63
		le.PutUint32(out[i:], le.Uint32(out[i:])^le.Uint32(in[base+12:])^le.Uint32(in[i:]))
	}
}

// mixed are kernels that read without an atomic operation what others change by one, if by a
// volatile read, which Gen9's messages do not tell from another.
var mixed = []string{"atomics", "atomics64", "local_atomics", "globals"}

// TestKernels runs every kernel and compares its buffers with what PoCL, a C
// compiler, or this test computes. Checkers find nothing wrong but in those that are mixed.
func TestKernels(t *testing.T) {
	everyKernel(t, 0, func(t *testing.T, r *kernelRun, path string) {
		m, _, outs := r.machine(t, path)
		checker := check.New(m, check.All)
		races, unwaited := 0, 0
		checker.Sink = func(found *check.Report) bool {
			if found.Kind == check.Race && slices.Contains(mixed, r.kernel) && len(found.Others) == 1 &&
				found.Atomic != found.Others[0].Atomic {
				races++
				return false
			}
			if found.Kind == check.Wait && r.lacksWait() {
				unwaited++
				return false
			}
			t.Errorf("at %#x: %v: %s: %s with %+v", found.PC, found.Kind, found.What, found.Access(),
				found.Others)
			return false
		}
		checker.Attach()
		ev, err := m.Run(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if r.lacksWait() != (unwaited > 0) {
			t.Errorf("%d registers are used without a wait", unwaited)
		}
		if slices.Contains(mixed, r.kernel) && races == 0 {
			t.Error("no race of an atomic and a plain access was found")
		}
		if ev.Kind != simt.EndEvent {
			t.Fatalf("%v at %#x: %v", ev.Kind, ev.PC, ev.Fault)
		}
		r.compare(t, outs)
	})
}

// lacksWait reports whether IGC has left a wait out: between the loads of r38, or of Xe-HPC's r6, and its
// first use.
func (r *kernelRun) lacksWait() bool {
	return r.kernel == "pointers" && (r.compiled == "xe-hpg/O2" || r.compiled == "xe-hpc/O2")
}

// TestKernelsUnwatched runs every kernel with nobody watching, which is when messages take their short way.
func TestKernelsUnwatched(t *testing.T) {
	everyKernel(t, 1, func(t *testing.T, r *kernelRun, path string) {
		m, _, outs := r.machine(t, path)
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatalf("%v at %#x: %v, %v", ev.Kind, ev.PC, ev.Fault, err)
		}
		r.compare(t, outs)
	})
}

// TestLargeRegisterFile runs kernels that have 256 registers.
func TestLargeRegisterFile(t *testing.T) {
	ran := 0
	for _, r := range kernelRuns(t) {
		path := programs + "zebin/256/" + r.program + ".zebin"
		if _, err := os.Stat(path); err != nil {
			continue
		}
		m, _, outs := r.machine(t, path)
		if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatalf("%s: %v at %#x: %v, %v", r.kernel, ev.Kind, ev.PC, ev.Fault, err)
		}
		r.compare(t, outs)
		ran++
	}
	if ran < 7 {
		t.Errorf("%d kernels", ran)
	}
}

// TestPatchTokens runs kernels in the container of patch tokens, of each generation; some of them have
// buffers that are surfaces alone.
func TestPatchTokens(t *testing.T) {
	ran := 0
	for _, g := range []string{"gen9", "gen11", "gen12lp", "xe-hpg", "xe-hpc"} {
		for _, r := range kernelRuns(t) {
			for _, path := range []string{g + "/" + r.program, "stateful/" + g + "-" + r.program} {
				path = programs + "patch/" + path + ".bin"
				if _, err := os.Stat(path); err != nil {
					continue
				}
				r.compiled = path
				m, _, outs := r.machine(t, path)
				if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
					t.Fatalf("%s of %s: %v at %#x: %v, %v", r.kernel, path, ev.Kind, ev.PC, ev.Fault, err)
				}
				r.compare(t, outs)
				ran++
			}
		}
	}
	if ran < 75 {
		t.Errorf("%d kernels", ran)
	}
}

// TestSurfaces runs kernels whose buffers are surfaces of a binding table, or named by their states. What is
// outside of one faults.
func TestSurfaces(t *testing.T) {
	for _, g := range []string{"gen9", "xe-hpg", "xe-hpc"} {
		for _, r := range kernelRuns(t) {
			path := programs + "zebin/stateful/" + g + "-" + r.program + ".zebin"
			if _, err := os.Stat(path); err != nil {
				continue
			}
			m, _, outs := r.machine(t, path)
			if ev, err := m.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
				t.Fatalf("%s of %s: %v at %#x: %v, %v", r.kernel, g, ev.Kind, ev.PC, ev.Fault, err)
			}
			r.compare(t, outs)
			if r.kernel != "vecadd" {
				continue
			}
			if k, err := openModule(t, path, simt.NewMemory()).Kernel(r.kernel); err != nil ||
				k.Args[0].Size != 8 {
				t.Errorf("%s: the first argument is %+v, %v", g, k.Args[0], err)
			}
			r.args[0] = "out:200"
			m, _, outs = r.machine(t, path)
			ev, err := m.Run(context.Background(), 1)
			if err != nil || ev.Kind != simt.FaultEvent || ev.Fault.Kind != simt.Unmapped ||
				ev.Fault.Addr != outs[0].End() || ev.Fault.Space != simt.Global {
				t.Errorf("%s: outside of a surface: %v %v %v", g, ev.Kind, ev.Fault, err)
			}
		}
	}
}

// everyKernel calls f for each kernel at one level, from 0 or 1 on, and for each later generation for every
// fifth kernel and level; with make check-all for all at both.
func everyKernel(t *testing.T, from int, f func(t *testing.T, r *kernelRun, path string)) {
	t.Helper()
	runs := kernelRuns(t)
	if len(runs) < 40 {
		t.Fatalf("%d kernels", len(runs))
	}
	later := from
	for _, folder := range []string{"", "gen8/", "gen11/", "gen12lp/", "xe-hpg/", "xe-hpc/"} {
		for i, r := range runs {
			if folder != "" && folder != "xe-hpc/" && r.program == "types" {
				continue // IGC has no doubles for it
			}
			if folder == "gen8/" && !slices.Contains([]string{"basic", "groups", "shared"}, r.program) {
				continue // Gen9 differs in a field of messages
			}
			if folder != "" && folder != "gen11/" && r.kernel == "divide" {
				r.ulps = 2 // IGC multiplies with a reciprocal there; OpenCL allows 2.5
			}
			for j, level := range []string{"O0", "O2"} {
				if folder == "gen8/" && level == "O0" {
					continue
				}
				if folder == "" && (i+j+from)%sweep.Step(2) != 0 {
					continue
				}
				if later++; folder != "" && later%sweep.Step(5) != 0 {
					continue
				}
				r.compiled = folder + level
				t.Run(folder+r.kernel+"-"+level, func(t *testing.T) {
					f(t, &r, programs+"zebin/"+folder+r.program+"-"+level+".zebin")
				})
			}
		}
	}
}

// compare compares what is in the buffers with what must be.
func (r *kernelRun) compare(t *testing.T, outs []*simt.Region) {
	t.Helper()
	var got []byte
	for _, o := range outs {
		got = append(got, o.Data...)
	}
	want := r.want(t)
	if len(got) != len(want) {
		t.Fatalf("%d bytes, want %d", len(got), len(want))
	}
	bad := 0
	for i := 0; i+4 <= len(got); i += 4 {
		g, w := binary.LittleEndian.Uint32(got[i:]), binary.LittleEndian.Uint32(want[i:])
		if max(g, w)-min(g, w) > r.ulps {
			if bad++; bad <= 3 {
				t.Errorf("dword %d is %x, want %x", i/4, got[i:i+4], want[i:i+4])
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d dwords differ", bad, len(got)/4)
	}
}

// TestPrint runs a kernel that prints every kind of value.
func TestPrint(t *testing.T) {
	for _, name := range []string{"print-O0.zebin", "print-O2.zebin", "patch/print-gen9.bin"} {
		mem := simt.NewMemory()
		m := openModule(t, programs+"debug/"+name, mem)
		r := kernelRun{grid: [3]uint32{10, 1, 1}, block: [3]uint32{5, 1, 1},
			args: []string{"in:u32:10:4", "f32:1.5"}}
		params, _ := r.params(t, mem)
		h := host.New()
		var got []string
		h.Sink = func(text host.Text) { got = append(got, string(text.Text)) }
		l, err := Family{}.Launch(&arch.Launch{Module: m, Kernel: &m.Kernels[0], Memory: mem, Grid: r.grid,
			Block: r.block, Params: params, Host: h})
		if err != nil {
			t.Fatal(err)
		}
		machine, err := simt.New(mem, l.ISA, l.Dispatch)
		if err != nil {
			t.Fatal(err)
		}
		h.Attach(machine)
		if ev, err := machine.Run(context.Background(), 1); err != nil || ev.Kind != simt.EndEvent {
			t.Fatalf("%v %v", ev.Fault, err)
		}
		h.Flush(true)
		input := random(t, "u32", 10, 4)
		var want []string
		for i := range 10 {
			n := int32(binary.LittleEndian.Uint32(input[4*i:]))
			x := 1.5 * float64(i)
			if i&1 != 0 {
				want = append(want, fmt.Sprintf("odd %d: text %c|%5.2f|%x\n", i, 'a'+i, x, i<<36))
			} else {
				want = append(want, fmt.Sprintf("even %2d: %d,%d,%d,7 %.1f,%.1f %d %%\n", n, i, n, -i, 1.5, x,
					i-100))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s prints %q\nwant %q", name, got, want)
		}
	}
}

// TestDrift compiles programs anew where IGC is installed, some or, if SIMTGDB_SWEEP is all, all: every
// object, table and text must be what the tests have.
func TestDrift(t *testing.T) {
	for _, tool := range []string{"ocloc", "iga64", "readelf"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	made := built.Of(t, "igc", []string{"ocloc", "iga64"}, programs+"*.*", programs+"*/*", programs+"*/*/*")
	if made.Known() {
		return
	}
	// Debug information names the folder: a name as long as build.sh's changes
	// nothing else.
	const usual = "/kernels"
	folder := ""
	for i := range 1000 {
		if name := fmt.Sprintf("/tmp/%03d", i); os.Mkdir(name, 0o700) == nil {
			folder = name
			break
		}
	}
	if len(folder) != len(usual) {
		t.Skip("no folder with a short name can be made")
	}
	defer os.RemoveAll(folder)
	out := t.TempDir()
	all := sweep.All()
	build := exec.Command(programs+"build.sh", out)
	if !all {
		build.Args = append(build.Args, "basic", "calls")
	}
	build.Env = append(os.Environ(), "SOURCES="+folder, "ORACLE=no")
	if log, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build.sh: %v\n%s", err, log)
	}
	compared := 0
	for _, pattern := range []string{"zebin/*.zebin", "zebin/*/*.zebin", "text/*.gz",
		"patch/*/*.bin", "debug/patch/*.dbg", // kernels there have a sum of their code and of the folder
		"text/*/*.gz", "debug/*.zebin", "debug/*/*.zebin",
		"debug/*.dbg",
		"bench/*.zebin"} {
		names, err := filepath.Glob(programs + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			object := strings.TrimPrefix(name, programs)
			got, err := os.ReadFile(filepath.Join(out, object))
			if !all && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got = bytes.ReplaceAll(got, []byte(folder), []byte(usual))
			if compared++; !bytes.Equal(got, want) && !sameELF(got, want) {
				t.Errorf("%s is no longer what IGC gives", object)
			}
		}
	}
	if least := map[bool]int{true: 200, false: 40}[all]; compared < least {
		t.Errorf("%d files compared, %d expected", compared, least)
	}
	made.Keep()
}

// sameELF reports whether two objects differ in the order of their symbols
// alone, which IGC leaves to chance.
func sameELF(a, b []byte) bool {
	x, errX := contents(a)
	y, errY := contents(b)
	return errX == nil && errY == nil && slices.Equal(x, y)
}

// contents are an object's sections, symbols and relocations, in some order.
func contents(data []byte) ([]string, error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, s := range symbols {
		out = append(out, fmt.Sprint("symbol ", s))
	}
	for _, s := range f.Sections {
		if s.Type == elf.SHT_SYMTAB || s.Type == elf.SHT_STRTAB || s.Type == elf.SHT_NOBITS {
			continue
		}
		b, err := s.Data()
		if err != nil {
			return nil, err
		}
		size := map[elf.SectionType]int{elf.SHT_REL: 16, elf.SHT_RELA: 24}[s.Type]
		if size == 0 {
			out = append(out, fmt.Sprintf("%s %x", s.Name, b))
			continue
		}
		for ; len(b) >= size; b = b[size:] {
			i := binary.LittleEndian.Uint32(b[12:])
			if i == 0 || int(i) > len(symbols) {
				return nil, fmt.Errorf("%s: no symbol %d", s.Name, i)
			}
			out = append(out, fmt.Sprintf("%s %x %s %x", s.Name, b[:12], symbols[i-1].Name, b[16:size]))
		}
	}
	slices.Sort(out)
	return out, nil
}
