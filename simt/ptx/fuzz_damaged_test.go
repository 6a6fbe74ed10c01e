package ptx_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	loader "simtgdb/loader/ptx"
	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
	"simtgdb/simt/simttest"
	arch "simtgdb/stub/arch/ptx"
)

// tokens are the words, numbers and signs of PTX, with the space behind them.
var tokens = regexp.MustCompile(`(?:[%$._\w]+|[^%$._\w\s])\s*`)

// fuzzTexts are modules of testdata without their debugging information, in tokens.
func fuzzTexts(t testing.TB) (modules [][]string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "ptx", "co", "*.O[02].ptx"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no modules (%v)", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(string(b), "\t.section\t.debug")
		modules = append(modules, tokens.FindAllString(text, -1))
	}
	return modules
}

// damageSize is one change of a module: how, where, and by what.
const damageSize = 5

// damageText changes a module: tokens become others of the module or numbers, go or come twice.
func damageText(tokens []string, changes []byte) string {
	out := append([]string(nil), tokens...)
	for n := 0; len(changes) >= damageSize && n < 8; n, changes = n+1, changes[damageSize:] {
		at := int(binary.LittleEndian.Uint16(changes[1:])) % len(out)
		v := int(binary.LittleEndian.Uint16(changes[3:]))
		switch changes[0] % 5 {
		case 0:
			out[at] = tokens[v%len(tokens)]
		case 1:
			out[at] = ""
		case 2:
			out[at] += out[at]
		case 3:
			out[at] = []string{"0", "-1 ", "4294967295", "9223372036854775807", "65536", "7"}[v%6]
		case 4:
			out[at], out[v%len(out)] = out[v%len(out)], out[at]
		}
	}
	return strings.Join(out, "")
}

// FuzzDamaged damages modules and runs what is left of their kernels, with a launch that fits the whole ones:
// each argument leads to memory, or is a small number where it is too short for an address.
func FuzzDamaged(f *testing.F) {
	simt.LetPanic = true
	modules := fuzzTexts(f)
	for m := range modules {
		f.Add(uint8(m), uint8(0), uint8(0), []byte{})
		f.Add(uint8(m), uint8(m), uint8(m), []byte{0, 200, uint8(m), 7, 2, 3, 90, 1, 0, 0})
	}
	f.Fuzz(func(t *testing.T, m, kernel, how uint8, changes []byte) {
		mod, err := loader.Parse("damaged.ptx", damageText(modules[int(m)%len(modules)], changes))
		if err != nil || len(mod.Text()) > 1<<18 || mod.SharedSize > 1<<16 {
			return
		}
		var kernels []*loader.Func
		for _, fn := range mod.Funcs {
			if fn.Entry && fn.Defined {
				kernels = append(kernels, fn)
			}
		}
		if len(kernels) == 0 {
			return
		}
		runDamagedText(t, mod, kernels[int(kernel)%len(kernels)], how&1 != 0)
	})
}

// runDamagedText runs a kernel for a while.
func runDamagedText(t *testing.T, mod *loader.Module, k *loader.Func, track bool) {
	mem := simt.NewMemory()
	for _, s := range mod.Segments {
		if s.Size > 1<<16 {
			return
		}
		data := make([]byte, s.Size)
		copy(data, s.Data)
		if _, err := mem.Map(s.Name, s.Addr, data, simt.PermRead|simt.PermWrite); err != nil {
			return
		}
	}
	buffer, err := mem.Alloc("buffer", 1<<14, simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(buffer.Data); i += 4 {
		buffer.Data[i] = byte(i/4%13 + 1)
	}
	if k.ParamSize > 1<<12 {
		return
	}
	args, err := mem.Alloc("arguments", k.ParamSize+64, simt.PermRead)
	if err != nil {
		t.Fatal(err)
	}
	for at := uint64(0); at+8 <= k.ParamSize; at += 8 {
		binary.LittleEndian.PutUint64(args.Data[at:], buffer.Base)
	}
	for _, p := range k.Params {
		if p.Size < 8 && p.Addr < k.ParamSize {
			args.Data[p.Addr] = 12
		}
	}
	isa, err := machine.New(arch.Link(mod),
		machine.Launch{Args: args.Base, SharedSize: uint32(mod.SharedSize)})
	if err != nil {
		return
	}
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{48, 1, 1}, Block: [3]uint32{24, 1, 1},
		Entry: k.Start, LDSSize: uint32(mod.SharedSize) + 64, ScratchLimit: 1 << 16})
	if err != nil {
		return
	}
	m.Track = track
	if m.Fill() != nil {
		return
	}
	simttest.Drive(m)
}
