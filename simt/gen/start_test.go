package gen

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"simtgdb/simt"
)

// startDispatch has workgroups that are smaller at the grid's ends, and more work-items than one thread has.
var startDispatch = simt.Dispatch{Grid: [3]uint32{12, 5, 3}, Block: [3]uint32{5, 3, 2}, Entry: codeBase,
	ScratchLimit: 6000}

// started is a machine whose threads are all about to begin.
func started(t *testing.T, k Kernel, d simt.Dispatch) *simt.Machine {
	t.Helper()
	mem := simt.NewMemory()
	isa, err := New(mem, k)
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, isa, d)
	if err != nil {
		t.Fatal(err)
	}
	m.Resident = 1000
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	if groups := d.Groups(); m.Waves()[len(m.Waves())-1].Group.Index !=
		int(groups[0]*groups[1]*groups[2])-1 {
		t.Fatal("not all workgroups have begun")
	}
	return m
}

// counting are so many bytes, none of which is like its neighbours.
func counting(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i + 1)
	}
	return b
}

// TestStartInRegisters: a thread of Gen9 has in r0 its workgroup, its number and its scratch, from r1 on the
// ids of its work-items, three times a register of words, and behind these the arguments, in which the size
// of its own workgroup stands.
func TestStartInRegisters(t *testing.T) {
	const threads, sizeAt = 7, 8
	given := counting(40)
	for _, simd := range []int{8, 16} {
		for _, ids := range []int{3 * regBytes, 0} {
			m := started(t, Kernel{SIMD: simd, Threads: threads, PerThread: ids, CrossThread: given,
				LocalSize: []int{sizeAt}}, startDispatch)
			slot := uint32(6000*simd+1023) / 1024 * 1024
			for _, w := range m.Waves() {
				r, n := regsOf(w), uint32(w.ID%threads)
				header := [8]uint32{1: w.Group.ID[0], 2: 0x8000_0000, 5: n*slot | n, 6: w.Group.ID[1],
					7: w.Group.ID[2]}
				for i, want := range header {
					if got := r.u32(offGRF + 4*i); got != want {
						t.Fatalf("SIMD%d, thread %d: r0.%d is %#x, want %#x", simd, w.ID, i, got, want)
					}
				}
				simt.Lanes(w.Valid, func(l int) {
					item, size := uint32(w.Index*simd+l), w.Group.Size
					for i, want := range []uint32{item % size[0], item / size[0] % size[1],
						item / size[0] / size[1]} {
						at := offGRF + (1+i)*regBytes + 2*l
						if got := binary.LittleEndian.Uint16(r.file[at:]); ids > 0 && got != uint16(want) {
							t.Fatalf("SIMD%d, workgroup of %v: id %d of item %d is %d, want %d", simd,
								size, i, item, got, want)
						}
					}
				})
				want := bytes.Clone(given)
				for i, n := range w.Group.Size {
					binary.LittleEndian.PutUint32(want[sizeAt+4*i:], n)
				}
				at := offGRF + regBytes + max(ids, regBytes)
				if got := r.file[at:][:len(want)]; !bytes.Equal(got, want) {
					t.Fatalf("SIMD%d, %d bytes of ids: arguments %x, want %x", simd, ids, got, want)
				}
			}
		}
	}
}

// TestStartInMemory: a thread of Xe-HPG or Xe-HPC has in r0 where its arguments are in memory and its number
// in the workgroup, on Xe-HPC with how many there are, and in r1 the first of its arguments. In sr0.0 is its
// number among all, in whose bits there are gaps.
func TestStartInMemory(t *testing.T) {
	const simd, threads = 16, 300
	given := counting(100)
	for _, c := range []struct {
		gen    *Generation
		inline int
		bits   []int // of sr0.0, that have the number's
	}{
		{XeHPG, 32, []int{0, 1, 2, 4, 5, 7, 8, 9, 10}},
		{XeHPC, 64, []int{0, 1, 2, 4, 5, 8, 9, 10, 11}},
	} {
		m := started(t, Kernel{Generation: c.gen, SIMD: simd, Threads: threads, CrossThread: given,
			Inline: c.inline, LocalSize: []int{4, c.inline - 8},
			Indirect: func(size [3]uint32) uint32 { return 0x4000 + size[0] + 16*size[1] + 256*size[2] }},
			simt.Dispatch{Grid: [3]uint32{640, 5, 2}, Block: [3]uint32{20, 4, 1}, Entry: codeBase})
		if len(m.Waves()) <= threads {
			t.Fatalf("only %d threads", len(m.Waves()))
		}
		for _, w := range m.Waves() {
			r, size := regsOf(w), w.Group.Size
			meets := 0x8000_0000 | uint32(w.Index)
			if c.gen == XeHPC {
				meets = uint32(len(w.Group.Waves))<<24 | uint32(w.Index)
			}
			for i, want := range map[int]uint32{0: 0x4000 + size[0] + 16*size[1] + 256*size[2],
				1: w.Group.ID[0], 2: meets, 6: w.Group.ID[1], 7: w.Group.ID[2]} {
				if got := r.u32(offGRF + 4*i); got != want {
					t.Fatalf("%s, thread %d: r0.%d is %#x, want %#x", c.gen.Name, w.ID, i, got, want)
				}
			}
			number := uint32(0)
			for i, bit := range c.bits {
				number |= uint32(w.ID%threads) >> i & 1 << bit
			}
			if got := r.u32(offSR); got != number {
				t.Fatalf("%s, thread %d: sr0.0 is %#x, want %#x", c.gen.Name, w.ID, got, number)
			}
			want := append(bytes.Clone(given[:c.inline]), make([]byte, c.gen.regBytes)...)
			for i, n := range size {
				binary.LittleEndian.PutUint32(want[4+4*i:], n)
				if i < 2 { // the third is in memory
					binary.LittleEndian.PutUint32(want[c.inline-8+4*i:], n)
				}
			}
			if got := r.file[c.gen.grf(1):][:len(want)]; !bytes.Equal(got, want) {
				t.Fatalf("%s, thread %d: r1 is %x, want %x", c.gen.Name, w.ID, got, want)
			}
		}
	}
}

// TestPrivateMemory: each thread has its part of private memory, which is zeros at first, and one that ends
// leaves it to the next.
func TestPrivateMemory(t *testing.T) {
	const base, slot, threads = 0x8000, 16, 70
	mem := simt.NewMemory()
	was := bytes.Repeat([]byte{0xee}, slot*threads)
	reg, err := mem.Map("private", base, was, simt.PermRead|simt.PermWrite)
	if err != nil {
		t.Fatal(err)
	}
	isa, err := New(mem, Kernel{SIMD: 8, Threads: threads, PrivateBase: base, PrivateSlot: slot})
	if err != nil {
		t.Fatal(err)
	}
	group := &simt.Workgroup{Size: [3]uint32{8, 1, 1}}
	wave := func(id int) *simt.Wave {
		return &simt.Wave{ID: id, Size: 8, Group: group, PC: codeBase, Valid: 0xff, Exec: 0xff}
	}
	begins := func(id, number int) {
		t.Helper()
		w := wave(id)
		if err := isa.StartWave(w, nil); err != nil {
			t.Fatal(err)
		}
		want := simt.Extent{Lo: base + uint64(number)*slot, Hi: base + uint64(number+1)*slot}
		if e, ok := isa.PrivateMemory(w); !ok || e != want {
			t.Errorf("thread %d has %+v, %v, want %+v", id, e, ok, want)
		}
		if got := regsOf(w).u32(offGRF+0x14) & 0x1ff; got != uint32(number) {
			t.Errorf("thread %d has number %d, want %d", id, got, number)
		}
		part := reg.Data[want.Lo-base : want.Hi-base]
		if !bytes.Equal(part, make([]byte, slot)) {
			t.Errorf("thread %d finds %x", id, part)
		}
		copy(part, counting(slot))
	}
	for i := range threads {
		if id := 1000 + i; i < threads-1 {
			begins(id, i)
			begins(id, i) // once more
		}
	}
	if last := reg.Data[slot*(threads-1):]; !bytes.Equal(last, bytes.Repeat([]byte{0xee}, slot)) {
		t.Errorf("nobody's memory is %x", last)
	}
	begins(2000, threads-1)
	if err := isa.StartWave(wave(3000), nil); err == nil ||
		!strings.Contains(err.Error(), "all 70 hardware threads are in use") {
		t.Error(err)
	}
	if _, ok := isa.PrivateMemory(wave(3000)); ok {
		t.Error("a thread that has not begun has private memory")
	}
	for _, id := range []int{1066, 1003, 3000} {
		isa.release(wave(id))
	}
	begins(3000, 3)
	begins(3001, 66)
	isa.release(wave(3001))
	reg.Data = reg.Data[:66*slot+8]
	if err := isa.StartWave(wave(3002), nil); err == nil ||
		!strings.Contains(err.Error(), "no private memory for thread 66 at 0x8420") {
		t.Error(err)
	}
	isa.Kernel.PrivateSlot = 0
	if _, ok := isa.PrivateMemory(wave(1000)); ok {
		t.Error("threads without private memory have some")
	}
}
