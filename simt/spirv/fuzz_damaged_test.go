package spirv

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/simttest"
)

// fuzzModules are all modules of testdata, and their entry points.
func fuzzModules(t testing.TB) (modules [][]uint32, entries [][]string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "spirv", "*.spv"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no modules (%v)", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		words := wordsOf(b)
		var names []string
		for at := 5; at < len(words); at += int(words[at] >> 16) {
			if words[at]&0xffff == 15 {
				name, _ := text(words[at+3 : at+int(words[at]>>16)])
				names = append(names, name)
			}
		}
		modules, entries = append(modules, words), append(entries, names)
	}
	return modules, entries
}

// damageBytes is one change of a module: how, where, and by what.
const damageBytes = 6

// damage changes a module: words become others of the module, small numbers, ids, other opcodes, or have bits
// changed.
func damage(words []uint32, changes []byte) []uint32 {
	words = append([]uint32(nil), words...)
	for n := 0; len(changes) >= damageBytes && n < 8; n, changes = n+1, changes[damageBytes:] {
		at := 5 + int(binary.LittleEndian.Uint16(changes[1:]))%(len(words)-5)
		v := uint32(binary.LittleEndian.Uint16(changes[3:])) | uint32(changes[5])<<24
		switch w := &words[at]; changes[0] % 6 {
		case 0:
			*w = words[5+int(v)%(len(words)-5)]
		case 1:
			*w = v & 0xffff
		case 2:
			*w = v % words[3]
		case 3:
			*w = *w&0xffff0000 | v&0xffff
		case 4:
			*w ^= 1 << (v & 31)
		case 5:
			*w = v
		}
	}
	return words
}

// FuzzDamaged damages modules and runs what is left of them, each with a launch that fits the whole ones:
// buffers for all bindings, pointers to memory as arguments.
func FuzzDamaged(f *testing.F) {
	simt.LetPanic = true
	modules, entries := fuzzModules(f)
	for m := range modules {
		f.Add(uint8(m), uint8(0), uint8(0), []byte{})
		f.Add(uint8(m), uint8(m), uint8(m), []byte{2, 40, uint8(m), 7, 0, 0, 1, 90, 0, 3, 0, 0})
	}
	f.Fuzz(func(t *testing.T, m, e, how uint8, changes []byte) {
		k := int(m) % len(modules)
		o := Options{Base: codeBase, Data: dataBase, SubgroupSize: 8 << (how & 3), Robust: how&4 != 0,
			Contract: how&8 != 0}
		if len(entries[k]) > 1 {
			o.Entry = entries[k][int(e)%len(entries[k])]
		}
		runDamaged(t, damage(modules[k], changes), o, how&16 != 0)
	})
}

// runDamaged makes a program of a module and runs it for a while.
func runDamaged(t *testing.T, words []uint32, o Options, track bool) {
	_, _, _ = Globals(words, o)
	p, err := New(words, o)
	if err != nil || p.dataSize > 1<<16 || p.lds > 1<<16 || p.scratch > 1<<14 || p.slots > 1<<13 {
		return
	}
	mem := simt.NewMemory()
	region, err := mem.Alloc("all", 1<<14, simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	for i := range region.Data[:1<<13] {
		if i%4 == 0 {
			region.Data[i] = byte(i/4%13 + 1) // small numbers
		}
	}
	all := Buffer{region.Base, 1 << 12}
	params, size := p.Params()
	args, err := mem.Alloc("arguments", max(min(size, 1<<12), 64), simt.PermRead)
	if err != nil || size > 1<<12 {
		return
	}
	for _, q := range params {
		switch {
		case q.ByValue:
		case q.Pointer && q.Storage == scWorkgroup:
			binary.LittleEndian.PutUint64(args.Data[q.Offset:], p.lds)
		case q.Pointer:
			binary.LittleEndian.PutUint64(args.Data[q.Offset:], region.Base)
		case q.Size > 0:
			args.Data[q.Offset] = 12
		}
	}
	binary.LittleEndian.PutUint64(region.Data[1<<13:], region.Base) // push constants that begin with a pointer
	l := Launch{Bindings: map[Slot]Buffer{}, Push: Buffer{region.Base + 1<<13, 256},
		Args: Buffer{args.Base, size}, Print: func(*simt.Wave, int, Printf) {}}
	for _, v := range p.globals {
		for e := range uint32(4) {
			l.Bindings[Slot{v.set, v.binding, e}] = all
		}
	}
	if data := p.Data(); data != nil {
		if _, err := mem.Map("data", dataBase, data, simt.PermRead|simt.PermWrite); err != nil {
			return
		}
	}
	isa, err := p.Bind(mem, l)
	if err != nil {
		return
	}
	block := [3]uint32{24, 1, 1}
	if s := p.WorkgroupSize(); s[0] != 0 && uint64(s[0])*uint64(s[1])*uint64(s[2]) <= 256 {
		block = s
	}
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: block, Block: block, Entry: p.Entry(),
		LDSSize: uint32(p.LDSSize()) + 64, ScratchSize: p.ScratchSize(), ScratchLimit: p.ScratchSize() + 64})
	if err != nil {
		return
	}
	m.Track = track
	if m.Fill() != nil {
		return
	}
	simttest.Drive(m)
}
