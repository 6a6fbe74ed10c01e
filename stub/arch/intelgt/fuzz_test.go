package intelgt

import (
	"context"
	"encoding/binary"
	"os"
	"testing"
	"time"

	"simtgdb/loader"
	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/arch"
	"simtgdb/testdata/sweep"
)

// damageBytes is one change of a program: how, where, and by what.
const damageBytes = 6

// damage changes a program: places that are multiples of 8 become others of it, small numbers, or have bits
// changed; a byte becomes another.
func damage(data, changes []byte) []byte {
	data = append([]byte(nil), data...)
	for n := 0; len(changes) >= damageBytes && n < 8; n, changes = n+1, changes[damageBytes:] {
		at := int(binary.LittleEndian.Uint32(append(changes[1:4:4], 0))) % (len(data) - 8)
		v := int(binary.LittleEndian.Uint16(changes[4:]))
		switch word := data[at&^7:]; changes[0] % 5 {
		case 0:
			copy(word[:8], data[v*8%(len(data)-8)&^7:])
		case 1:
			binary.LittleEndian.PutUint64(word, uint64(v))
		case 2:
			word[v>>3&7] ^= 1 << (v & 7)
		case 3:
			data[at] = byte(v)
		case 4: // one of the two halves of an instruction: its operation and modifiers are in the first
			copy(word[:4], data[v*8%(len(data)-8)&^7:])
		}
	}
	return data
}

// FuzzDamaged damages programs of testdata and runs what is left of them, each kernel with the launch that
// fits the whole one, with checkers and without.
func FuzzDamaged(f *testing.F) {
	simt.LetPanic = true
	runs := kernelRuns(f)
	var files [2][][]byte
	for level, name := range []string{"O0", "O2"} {
		for i, r := range runs {
			data, err := os.ReadFile(programs + "zebin/" + r.program + "-" + name + ".zebin")
			if err != nil {
				f.Fatal(err)
			}
			files[level] = append(files[level], data)
			if (i+level)%sweep.Step(2) != 0 {
				continue
			}
			f.Add(uint8(i), uint8(level), []byte{2, 0x40, 0, 0, byte(i), 0})
			f.Add(uint8(i), uint8(2+level), []byte{4, byte(16 * i), 2, 0, byte(7 * i), 0})
		}
	}
	f.Fuzz(func(t *testing.T, which, how uint8, changes []byte) {
		i := int(which) % len(runs)
		r := runs[i]
		if r.grid[0]*r.grid[1]*r.grid[2] > 1024 {
			r.grid = r.block
		}
		module, err := Family{}.Open(damage(files[how&1][i], changes), loader.Options{})
		if err != nil {
			return
		}
		k, err := module.Kernel(r.kernel)
		if err != nil {
			return
		}
		mem := simt.NewMemory()
		if !mapped(mem, module) {
			return
		}
		params, _ := r.params(t, mem)
		l, err := Family{}.Launch(&arch.Launch{Module: module, Kernel: k, Memory: mem, Grid: r.grid,
			Block: r.block, Params: params})
		if err != nil {
			return
		}
		m, err := simt.New(mem, l.ISA, l.Dispatch)
		if err != nil {
			return
		}
		m.MaxInsts = 5000
		if how&2 != 0 {
			checker := check.New(m, check.All)
			checker.Sink = func(*check.Report) bool { return false }
			checker.Attach()
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		m.Run(ctx, 1)
	})
}

// mapped maps a module's segments where that can be.
func mapped(mem *simt.Memory, m *loader.Module) bool {
	segments, err := m.Relocate(0, nil)
	if err != nil {
		return false
	}
	for _, s := range segments {
		perm := simt.PermRead
		if s.Exec {
			perm |= simt.PermExec
		}
		if s.Write {
			perm |= simt.PermWrite
		}
		if s.MemSize > 1<<20 {
			return false
		}
		b := make([]byte, s.MemSize)
		copy(b, s.Data)
		if _, err := mem.Map(s.Name, s.Addr, b, perm); err != nil {
			return false
		}
	}
	return true
}
