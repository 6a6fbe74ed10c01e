package shadow

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// TestMemory changes cells, makes snapshots and goes back to them, forgets all now and then, and compares
// with maps that are copied whole.
func TestMemory(t *testing.T) {
	type cell struct{ list []int }
	copies := func(c *cell) { c.list = append([]int(nil), c.list...) }
	rnd := rand.New(sweep.PCG(1, 2))
	memory, want, generation := New(copies), map[uint64][]int{}, uint64(1)
	type saved struct {
		memory *Memory[cell]
		want   map[uint64][]int
	}
	var snapshots []saved
	deep := func(m map[uint64][]int) map[uint64][]int {
		c := map[uint64][]int{}
		for k, v := range m {
			c[k] = append([]int(nil), v...)
		}
		return c
	}
	for step := range 3000 {
		switch i := rnd.Uint64N(5 * pageCells); {
		case step%97 == 96:
			snapshots = append(snapshots, saved{memory.Snapshot(), deep(want)})
			generation++
		case step%211 == 210:
			s := snapshots[rnd.IntN(len(snapshots))]
			memory, want = s.memory.Snapshot(), deep(s.want)
			generation++
		case step%389 == 388:
			memory.Clear(5*pageCells, generation)
			want = map[uint64][]int{}
		case rnd.IntN(3) == 0 && len(want[i]) > 0:
			memory.At(i, generation).list[0]++
			want[i][0]++
		default:
			c := memory.At(i, generation)
			c.list = append(c.list, step)
			want[i] = append(want[i], step)
		}
		i := rnd.Uint64N(5 * pageCells)
		if d := cmp.Diff(want[i], memory.Get(i).list); d != "" && len(want[i]) > 0 {
			t.Fatalf("step %d, cell %d (-want +got):\n%s", step, i, d)
		}
	}
	for n, s := range append(snapshots, saved{memory, want}) {
		got, last := map[uint64][]int{}, uint64(0)
		for i, c := range s.memory.All() {
			if i < last {
				t.Fatalf("cell %d comes after %d", i, last)
			}
			if last = i; c.list != nil {
				got[i] = c.list
			}
		}
		if d := cmp.Diff(s.want, got); d != "" {
			t.Errorf("snapshot %d (-want +got):\n%s", n, d)
		}
	}
	if n := memory.Bytes(); n < 5*pageCells*int(unsafe.Sizeof(cell{})) {
		t.Errorf("five pages take %d bytes", n)
	}
	if (*Memory[cell])(nil).Snapshot() != nil {
		t.Error("a snapshot of nothing is something")
	}
}

// TestKeep: a page counts once for all that keep it, with what its cells refer to.
func TestKeep(t *testing.T) {
	memory := New[uint64](nil)
	weigh := func(v *uint64) int { return int(*v) }
	*memory.At(3, 1) = 100
	first := memory.Snapshot()
	page := memory.Bytes()
	if n := first.Keep(weigh); n != page+100 {
		t.Errorf("the first snapshot keeps %d bytes more, want %d", n, page+100)
	}
	*memory.At(pageCells, 2) = 0
	second := memory.Snapshot()
	if n := second.Keep(weigh); n != page {
		t.Errorf("one with another page keeps %d bytes more, want %d", n, page)
	}
	*memory.At(3, 3) = 0 // copied
	third := memory.Snapshot()
	if n := third.Keep(weigh); n != page {
		t.Errorf("one with a changed page keeps %d bytes more, want %d", n, page)
	}
	for i, want := range []struct {
		m *Memory[uint64]
		n int
	}{{first, 0}, {second, page + 100}, {third, 2 * page}, {nil, 0}} {
		if n := want.m.Release(); n != want.n {
			t.Errorf("release %d gives back %d bytes, want %d", i, n, want.n)
		}
	}
}

// TestCopy: a copy has the cells of its time, whatever generation changes the memory later, and takes memory
// for the pages that have changed since the copy before.
func TestCopy(t *testing.T) {
	memory := New[uint8](nil)
	*memory.At(3, 1), *memory.At(pageCells, 1) = 5, 6
	page := memory.Bytes() / 2
	first, bytes := Copy(memory, nil)
	if bytes != 2*page {
		t.Errorf("the first copy takes %d bytes, want %d", bytes, 2*page)
	}
	*memory.At(3, 1) = 7
	second, bytes := Copy(memory, first)
	if bytes != page {
		t.Errorf("the second copy takes %d bytes, want %d", bytes, page)
	}
	*memory.At(3, 1), *memory.At(pageCells, 1) = 8, 9
	for i, want := range []struct {
		m    *Memory[uint8]
		a, b uint8
	}{{first, 5, 6}, {second, 7, 6}, {memory, 8, 9}} {
		if a, b := want.m.Get(3), want.m.Get(pageCells); a != want.a || b != want.b {
			t.Errorf("copy %d has %d and %d, want %d and %d", i, a, b, want.a, want.b)
		}
	}
}

// TestRows: cells one behind the other are those of one page, to be changed where there is one or not, to be
// looked at where there is; a page that was cleared is used again, with nothing in it.
func TestRows(t *testing.T) {
	m := New[int](nil)
	if !m.Empty() || m.Look(5, 3) != nil || m.Bytes() != 0 || (*Memory[int])(nil).Bytes() != 0 {
		t.Error("something is known at first")
	}
	row := m.Row(pageCells+pageCells-2, 5, 1)
	if len(row) != 2 {
		t.Fatalf("%d cells up to the end of the page", len(row))
	}
	row[0], row[1] = 7, 8
	copy(m.Row(3, 2, 1), []int{1, 2})
	if m.Empty() || m.Look(2*pageCells, 1) != nil || m.Get(2*pageCells-1) != 8 {
		t.Error("other cells are known")
	}
	for range 2 { // of another page than the last one, and of it
		if got := m.Look(2, 4); len(got) != 4 || got[0] != 0 || got[1] != 1 || got[2] != 2 {
			t.Errorf("cells from 2 on are %d", got)
		}
	}
	if got := m.Look(2*pageCells-2, 2); len(got) != 2 || got[0] != 7 || got[1] != 8 {
		t.Errorf("the last cells are %d", got)
	}
	s := m.Snapshot()
	m.Row(3, 1, 2)[0] = 9
	if s.Get(3) != 1 || m.Get(3) != 9 {
		t.Errorf("in the snapshot cell 3 is %d, now %d", s.Get(3), m.Get(3))
	}
	for range s.All() {
		break
	}
	m.Clear(2*pageCells, 2)
	was := m.spare
	if m.Get(3) != 0 || !m.Empty() || was == nil {
		t.Errorf("cleared, cell 3 is %d", m.Get(3))
	}
	if m.Row(50, 1, 3); m.last != was || m.spare != nil || m.Get(3) != 0 || m.last.generation != 3 {
		t.Error("the page that was cleared is not used again, or has something in it")
	}
	if bytes := s.Keep(nil); bytes != 2*s.Bytes()/2 || s.Release() != bytes ||
		(*Memory[int])(nil).Keep(nil) != 0 ||
		(*Memory[int])(nil).Release() != 0 {
		t.Errorf("a snapshot keeps %d bytes", bytes)
	}
}
