package patchtoken

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
	"simtgdb/loader/zebin"
)

const programs = "../../testdata/igc/"

var generations = []string{"gen9", "gen11", "gen12lp", "xe-hpg", "xe-hpc"}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(programs + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t testing.TB, name string) *loader.Module {
	t.Helper()
	m, err := Open(read(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// TestAgainstZebin holds what is read of kernels against what the zebins of the same programs say: how they
// are launched. Where a program has variables, the patch-token kernels are given their addresses, and what is
// behind those in the payload lies elsewhere.
func TestAgainstZebin(t *testing.T) {
	compared := 0
	compare := func(patch, zebinFile string) {
		m := open(t, patch)
		z, err := zebin.Open(read(t, zebinFile))
		if err != nil {
			t.Fatal(err)
		}
		if m.Target != z.Target || len(m.Kernels) != len(z.Kernels) {
			t.Errorf("%s: %d kernels of %s, the zebin has %d of %s", patch, len(m.Kernels), m.Target,
				len(z.Kernels), z.Target)
		}
		for i := range z.Kernels {
			k, err := m.Kernel(z.Kernels[i].Name)
			if err != nil {
				t.Fatal(err)
			}
			got, want := comparable(zebin.KernelOf(k)), comparable(zebin.KernelOf(&z.Kernels[i]))
			if strings.HasSuffix(patch, "memory.bin") {
				anywhere(got)
				anywhere(want)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s of %s (-zebin +patch tokens):\n%s", k.Name, patch, d)
			}
			compared++
		}
	}
	for _, g := range generations {
		for _, program := range []string{"calls", "groups", "memory"} {
			compare("patch/"+g+"/"+program+".bin",
				"zebin/"+strings.TrimPrefix(g+"/", "gen9/")+program+"-O2.zebin")
		}
	}
	for _, g := range []string{"gen9", "xe-hpg"} {
		compare("patch/stateful/"+g+"-basic.bin", "zebin/stateful/"+g+"-basic.zebin")
	}
	if compared < 60 {
		t.Errorf("%d kernels", compared)
	}
}

// comparable is a copy without what only one of the formats says.
func comparable(k *zebin.Kernel) *zebin.Kernel {
	c := *k
	c.Constants, c.Variables = 0, 0
	c.Args = slices.Clone(c.Args)
	c.Args = slices.DeleteFunc(c.Args, func(a zebin.Arg) bool {
		return a.Type == zebin.ArgConstants || a.Type == zebin.ArgVariables
	})
	for i := range c.Args {
		c.Args[i].Access = ""
		if a := &c.Args[i]; a.Type == zebin.ArgAddress { // a pointer that code does not use
			a.Type, a.Mode, a.Space = zebin.ArgPointer, "stateless", "global"
		}
	}
	byPlace := func(a, b zebin.Arg) int {
		for _, c := range []int{strings.Compare(a.Type, b.Type), a.Index - b.Index,
			strings.Compare(a.Mode, b.Mode), int(a.Offset) - int(b.Offset)} {
			if c != 0 {
				return c
			}
		}
		return 0
	}
	slices.SortFunc(c.Args, byPlace)
	for i := len(c.Args) - 1; i > 0; i-- { // values in pieces
		if a, b := &c.Args[i-1], &c.Args[i]; a.Type == "arg_byvalue" && b.Type == a.Type &&
			a.Index == b.Index && a.Offset+a.Size == b.Offset && a.SourceOffset+a.Size == b.SourceOffset {
			a.Size += b.Size
			c.Args = slices.Delete(c.Args, i, i+1)
		}
	}
	slices.SortFunc(c.Bindings, func(a, b zebin.Binding) int { return a.Entry - b.Entry })
	return &c
}

// anywhere forgets where arguments lie, and those of surfaces, of which variables have some too.
func anywhere(k *zebin.Kernel) {
	for i := range k.Args {
		k.Args[i].Offset = 0
	}
	k.Bindings = nil
}

// TestVariables checks variables of a program, symbols and relocations of code: the address is what zebins
// have, and pointers among variables.
func TestVariables(t *testing.T) {
	m := open(t, "debug/patch/pair-gen9.bin")
	segments, err := m.Relocate(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	counter, ok := m.Symbol("counter")
	if b, found := m.BytesAt(counter.Addr, 4); !ok || !found || binary.LittleEndian.Uint32(b) != 5 {
		t.Errorf("counter is %+v, % x", counter, b)
	}
	table, ok := m.Symbol("table")
	if b, found := m.BytesAt(table.Addr, 16); !ok || !found || binary.LittleEndian.Uint32(b[4:]) != 20 {
		t.Errorf("table is %+v, % x", table, b)
	}
	if len(m.Relocs) != 2 || len(m.Kernels) != 2 {
		t.Fatalf("%d relocations, %d kernels", len(m.Relocs), len(m.Kernels))
	}
	for _, r := range m.Relocs {
		for _, s := range segments {
			if s.Contains(r.Addr, 8) && binary.LittleEndian.Uint64(s.Data[r.Addr-s.Addr:]) != counter.Addr {
				t.Errorf("code at %#x has not got the address of %s", r.Addr, r.Symbol)
			}
		}
	}
	if k := zebin.KernelOf(&m.Kernels[1]); !slices.Equal(k.Strings, []string{"sum %d of %s\n", "second"}) {
		t.Errorf("strings %q", k.Strings)
	}
}

// words makes a binary of dwords.
func words(v ...uint32) (b []byte) {
	for _, w := range v {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// TestPointers checks pointers among variables: each has the offset in what it leads to, and the token says
// which.
func TestPointers(t *testing.T) {
	const size = 7 * 4
	global := append(words(tokenGlobals, 20, 0, 0, 16), words(4, 0, 0, 0)...)
	constant := append(words(tokenConstants, 16, 0, 8), words(7, 8)...)
	list := slices.Concat(constant, global, words(tokenGlobalPointer, 28, 0, 0, 0, 1, 0),
		words(tokenGlobalPointer, 28, 0, 8, 0, 0, 0))
	b := append(words(0x494e5443, 1, 12, 8, 0, 0, uint32(len(list))), list...)
	m, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	segments, err := m.Relocate(0, nil)
	if err != nil || len(segments) != 2 {
		t.Fatalf("%d segments, %v", len(segments), err)
	}
	consts, vars := segments[0], segments[1]
	if got, want := binary.LittleEndian.Uint64(vars.Data), consts.Addr+4; got != want {
		t.Errorf("the first pointer is %#x, want %#x", got, want)
	}
	if got, want := binary.LittleEndian.Uint64(vars.Data[8:]), vars.Addr; got != want {
		t.Errorf("the second pointer is %#x, want %#x", got, want)
	}
	binary.LittleEndian.PutUint32(b[size+len(constant)+len(global)+12:], 12) // no room for a pointer
	if _, err := Open(b); err == nil || !strings.Contains(err.Error(), "a pointer at 0xc of 16 bytes") {
		t.Errorf("error %v", err)
	}
}

// TestDevices: the cores of Intel's igfxfmid.h (GFXCORE_FAMILY) by a device of each for ocloc, the generation
// of their code, and what a thread of 16 lanes is given of local ids: three times a general register.
func TestDevices(t *testing.T) {
	payload := make([]uint32, 20)
	payload[1] = 1 // local ids of x
	k := parts{name: "k", tokens: append(environment(0), token(tokenPayload, payload...)...)}
	for core, want := range map[uint32]string{
		11: "gen8 (bdw) 96", 12: "gen9 (skl) 96", 15: "gen11 (icllp) 96", 16: "gen11 (ehl) 96",
		18: "gen12lp (tgllp) 96", 3079: "xe-hpg (dg2) 96", 3080: "xe-hpc (pvc) 192",
		3077: "compiled for xe_hp_sdv; " + zebin.Simulated,
		13:   "compiled for core family 13; " + zebin.Simulated,
	} {
		b := deviceBinary(nil, k)
		binary.LittleEndian.PutUint32(b[8:], core)
		m, err := Open(b)
		if err != nil {
			if !strings.HasSuffix(err.Error(), want) {
				t.Errorf("core %d: %v, want %s", core, err, want)
			}
			continue
		}
		got := fmt.Sprintf("%s (%s) %d", m.Target.Name, zebin.Of(m).Device,
			zebin.KernelOf(&m.Kernels[0]).PerThreadSize())
		if got != want || !strings.HasPrefix(want, m.Target.ID+" ") {
			t.Errorf("core %d: %s, target %s, want %s", core, got, m.Target.ID, want)
		}
	}
}

// TestErrors checks what is said of files that cannot be read.
func TestErrors(t *testing.T) {
	whole := read(t, "patch/gen9/groups.bin")
	f, err := elf.NewFile(strings.NewReader(string(whole)))
	if err != nil {
		t.Fatal(err)
	}
	var at int
	for _, s := range f.Sections {
		if s.Type == elf.SectionType(sectionBinary) {
			at = int(s.Offset)
		}
	}
	edit := func(off int, v uint32) []byte {
		b := slices.Clone(whole)
		binary.LittleEndian.PutUint32(b[off:], v)
		return b
	}
	object := slices.Clone(whole)
	binary.LittleEndian.PutUint16(object[16:], 0xff02)
	for _, c := range []struct {
		data []byte
		want string
		is   error
	}{
		{edit(at+8, 3077), "compiled for xe_hp_sdv; " + zebin.Simulated, loader.ErrWrongMachine},
		{edit(at+8, 99), "compiled for core family 99; ", loader.ErrWrongMachine},
		{edit(at+12, 4), "pointers of 4 bytes; want 8", loader.ErrUnsupported},
		{edit(at+16, 1000), "runs past the end of the file", loader.ErrTruncated},
		{edit(at+24, 1<<31), "the program's tokens of 2147483648 bytes runs past the end",
			loader.ErrTruncated},
		{edit(at, 0), "want a device binary, which begins with CTNI", nil},
		{object, "ocloc's container of type 0xff02; want an executable", loader.ErrUnsupported},
		{words(0x494e5443, 1, 0, 12, 9, 0, 1), "debug data without code; want ocloc's other file",
			loader.ErrUnsupported},
		{words(0x494e5443, 1, 12), "the program's header of 28 bytes runs past", loader.ErrTruncated},
		{words(0x494e5443, 1, 12, 8, 0, 0, 8, 42, 7), "token 42 says that it has 7 bytes", nil},
		{[]byte("kernel void"), "text that begins", loader.ErrUnknownFormat},
	} {
		_, err := Open(c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v\nwant %s", err, c.want)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%v is not %v", err, c.is)
		}
	}
}

// FuzzOpen opens anything, and relocates what it opens.
func FuzzOpen(f *testing.F) {
	for _, pattern := range []string{"patch/*/groups.bin", "debug/patch/p*.bin"} {
		names, _ := filepath.Glob(programs + pattern)
		for _, name := range names {
			b := read(f, strings.TrimPrefix(name, programs))
			f.Add(b)
			if e, err := elf.NewFile(strings.NewReader(string(b))); err == nil {
				for _, s := range e.Sections { // the binary alone is smaller
					if data, err := s.Data(); err == nil && s.Type == elf.SectionType(sectionBinary) {
						f.Add(data)
					}
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Open(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		_, _ = m.Relocate(0, nil)
		for i := range m.Kernels {
			_ = zebin.KernelOf(&m.Kernels[i]).Launchable()
		}
	})
}
