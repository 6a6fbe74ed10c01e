package spirv

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"simtgdb/simt"
)

// FuzzRun changes words of real modules, makes programs of them and runs those that can be made for a while.
func FuzzRun(f *testing.F) {
	simt.LetPanic = true
	for _, name := range []string{"control.Od.spv", "types.O.spv", "cl_nodes.cl.spv", "subgroup.O.spv",
		"std450.Od.spv"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "spirv", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint32(0), uint32(0), uint32(0), uint32(0))
		f.Add(b, uint32(len(b)/8), uint32(7), uint32(len(b)/6), uint32(1<<16|248))
	}
	f.Fuzz(func(t *testing.T, b []byte, at1, v1, at2, v2 uint32) {
		words := wordsOf(b)
		if len(words) < 6 {
			return
		}
		words[at1%uint32(len(words))] ^= v1
		words[at2%uint32(len(words))] ^= v2
		fuzzProgram(t, words)
	})
}

func fuzzProgram(t *testing.T, words []uint32) {
	p, err := New(words, Options{Base: codeBase, Data: dataBase, SubgroupSize: 8})
	if err != nil {
		return
	}
	mem := simt.NewMemory()
	region, err := mem.Alloc("all", 1<<16, simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	all := Buffer{region.Base, 1 << 12}
	l := Launch{Bindings: map[Slot]Buffer{}, Push: all, Args: all}
	for set := range uint32(2) {
		for binding := range uint32(4) {
			for e := range uint32(4) {
				l.Bindings[Slot{set, binding, e}] = all
			}
		}
	}
	if p.dataSize > 1<<16 {
		return
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
	d := simt.Dispatch{Grid: [3]uint32{12, 1, 1}, Block: [3]uint32{12, 1, 1}, Entry: p.Entry(),
		LDSSize:     uint32(p.LDSSize()),
		ScratchSize: p.ScratchSize(), ScratchLimit: p.ScratchSize() + 64}
	m, err := simt.New(mem, isa, d)
	if err != nil {
		return
	}
	m.Track = true
	if err := m.Fill(); err != nil {
		return
	}
	for range 40 {
		ev, err := m.Advance(100)
		if err != nil {
			return
		}
		for _, w := range m.Waves() {
			for l := range 8 {
				w.LanePC(l)
			}
		}
		if ev.Kind == simt.FaultEvent || m.Done() || m.Stuck() {
			return
		}
	}
	code := make([]byte, 0, 4*len(words))
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	for at := 20; at < len(code); {
		in, err := isa.Inst(code[at:], codeBase+uint64(at))
		if err != nil {
			return
		}
		at += in.Size
	}
}
