package rowstest

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"simtgdb/simt"
	"simtgdb/simt/rows"
	"simtgdb/testdata/sweep"
)

// tame is a world in which all addresses are good, 8 bytes from one lane to the next.
func tame(r *rand.Rand) *world {
	w := newWorld(r)
	for i, base := range map[int]uint64{2: memoryBase, 3: memoryBase + 1024, 4: 256, 5: 1280, 6: privateBase,
		7: privateBase + 8} {
		for l := range rows.Lanes {
			if w.rows[i][l] = base + 8*uint64(l); i >= 6 {
				w.rows[i][l] = base
			}
		}
	}
	return w
}

// access is one of a dword of a space, by register 2, 4 or 6.
func access(space rows.Space, kind rows.Kind, d int32) rows.Op {
	return rows.Op{Kind: kind, Space: space, Size: 4, D: d, Under: rows.Mask{N: rows.Always},
		S: [3]rows.Value{{Reg: 2 + 2*int32(space)}, {Reg: 8}}}
}

func copyTo(d int32) rows.Op {
	return rows.Op{Kind: rows.Copy, D: d, S: [3]rows.Value{{Reg: 8}}, Under: rows.Mask{N: rows.Always}}
}

// unitOf is a unit of an operation each instruction.
func unitOf(at int32, ops ...rows.Op) rows.Unit {
	u := rows.Unit{At: at}
	for _, o := range ops {
		u.Insts = append(u.Insts, rows.Inst{Known: true, Ops: []rows.Op{o}})
	}
	return u
}

// wanted: code leaves before accesses that the machine executes, all of a kind or those that are not given,
// and before no others.
func (b *Translator) wanted(t *testing.T) {
	r := rand.New(sweep.PCG(11, 12))
	for n := range 3 * 2 * 2 * 3 {
		space, kind, given, level := rows.Space(n%3), rows.Load, n/6%2 != 0, uint32(n/12)
		write := n / 3 % 2
		if write != 0 {
			kind = rows.Store
		}
		o := access(space, kind, 20)
		o.Given = given
		u := unitOf(10, copyTo(22), o, copyTo(24))
		whole := b.runBoth(t, r, &u, tame(r), func(x *rows.Context) {
			for i := range x.Wanted {
				x.Wanted[i] = [2]uint32{1, 1}
			}
			x.Wanted[space][write] = level
		})
		if leaves := level == 1 || level == 2 && !given; whole == leaves {
			t.Errorf("%v, given %v, of a kind that is wanted at level %d: leaves %v", &o, given, level,
				!whole)
		}
	}
}

// noted: who wants to know of accesses is told of all of a segment before any of them happens, and decides
// whether code goes on.
func (b *Translator) noted(t *testing.T) {
	r := rand.New(sweep.PCG(13, 14))
	u := unitOf(10, copyTo(22), access(rows.Global, rows.Load, 20), copyTo(8),
		access(rows.Shared, rows.Store, 0), copyTo(26), access(rows.Private, rows.Load, 28),
		access(rows.Shared, rows.Load, 24), access(rows.Global, rows.Store, 0))
	for n := range uint32(16) {
		var want []int32
		for _, s := range rows.Cut(&u) {
			if all, kinds := u.Noted(s); kinds&n != 0 {
				want = append(want, all[0].Inst)
			}
		}
		for stop := -1; stop < len(want); stop++ {
			var got []int32
			whole := b.runBoth(t, r, &u, tame(r), func(x *rows.Context) {
				x.Noted = n
				x.Note = func(n rows.Note) bool {
					got = append(got, n[0].Inst)
					return len(got) != stop+1
				}
			})
			of := want
			if stop >= 0 {
				of = want[:stop+1]
			}
			if !slices.Equal(got, of) || whole != (stop < 0) {
				t.Errorf("kinds %#x noted: told of %d, want %d; ends %v", n, got, of, whole)
			}
		}
	}
}

// later: loads of shared memory leave records, one for each row of addresses, while there is room for those
// of a segment, and are told of before they happen where there is none.
func (b *Translator) later(t *testing.T) {
	r := rand.New(sweep.PCG(15, 16))
	masked := access(rows.Shared, rows.Load, 24)
	masked.S[0].Reg, masked.Under = 5, rows.Mask{N: 1, Not: true}
	near := access(rows.Shared, rows.Load, 26)
	near.Offset = 64
	u := unitOf(10, access(rows.Shared, rows.Load, 20), masked, near)
	code, err := b.Translate([]rows.Unit{u}, false, rows.Lanes)
	if err != nil {
		t.Fatal(err)
	}
	if len(code.Tells) == 0 {
		t.Skip("no code leaves records")
	}
	const records = 2 // of two rows of addresses
	for room := range records + 2 {
		left, told := make([]simt.LoadRecord, records+1), 0
		at := uintptr(unsafe.Pointer(unsafe.SliceData(left)))
		size := unsafe.Sizeof(left[0])
		w := tame(r)
		var x *rows.Context
		b.runBoth(t, r, &u, w, func(c *rows.Context) {
			x = c
			x.Telling, x.LateAt, x.LateEnd = 1, at, at+uintptr(room)*size
			x.Note = func(n rows.Note) bool {
				told += len(n)
				return true
			}
		})
		if room < records {
			if told != len(u.Insts) || x.LateAt != at {
				t.Errorf("with room for %d records %d loads are told of, and %d bytes left", room, told,
					x.LateAt-at)
			}
			continue
		}
		if told != 0 || x.LateAt != at+records*size {
			t.Errorf("with room for %d records %d loads are told of, and %d bytes left", room, told,
				x.LateAt-at)
		}
		for i, o := range []*rows.Op{&u.Insts[0].Ops[0], &masked} {
			l := left[i]
			lanes := x.Active
			if o.Under.N != rows.Always {
				lanes &^= uint64(w.masks[o.Under.N])
			}
			if l.Site != uint64(i) || l.Active != x.Active || l.Lanes != lanes {
				t.Errorf("record %d is of site %d, lanes %#x of %#x, want %#x of %#x", i, l.Site, l.Lanes,
					l.Active, lanes, x.Active)
			}
			for k := range rows.Lanes {
				want := uint32(w.rows[o.S[0].Reg][k])
				if got := uint32(l.Rows[k/2] >> (k % 2 * 32)); got != want {
					t.Errorf("record %d has address %#x of lane %d, want %#x", i, got, k, want)
				}
			}
		}
	}
}

// flow: code goes from unit to unit as far as the budget lasts, but to none that it is to stop at; where the
// lanes part it leaves for the branch.
func (b *Translator) flow(t *testing.T) {
	const branch, all, none, end = 12, 20, 30, 31
	under := rows.Mask{N: 1}
	units := []rows.Unit{unitOf(10, copyTo(20), copyTo(22)), unitOf(all, copyTo(26), copyTo(28)),
		unitOf(none, copyTo(32))}
	for i, in := range []rows.Inst{{Known: true, Flow: rows.Branch, Cond: under, Target: all, Else: none,
		Guarded: true, Guard: under}, {Known: true, Flow: rows.Jump, Target: none}} {
		units[i].Insts = append(units[i].Insts, in)
	}
	const active = 0xf0ff00f1
	for _, c := range []struct {
		name         string
		mask         uint32
		budget, stop int64
		order        bool
		at, spent    int64
		runs, off    int64
	}{
		{"all", ^uint32(0), 100, -1, false, end, 7, 0, 0},
		{"all that are active", active, 100, -1, false, end, 7, 0, 0},
		{"none", ^uint32(active), 100, -1, false, end, 4, 0, int64(bits.OnesCount32(active))},
		{"some", 1, 100, -1, false, branch, 2, 1, 0},
		{"no instruction may be executed", active, 0, -1, false, 10, 0, 0, 0},
		{"one less than there are at first", active, 2, -1, false, 10, 0, 0, 0},
		{"as many as there are at first", active, 3, -1, false, all, 3, 0, 0},
		{"one less than there are then", active, 5, -1, false, all, 3, 0, 0},
		{"as many", active, 6, -1, false, none, 6, 0, 0},
		{"one more", active, 7, -1, false, end, 7, 0, 0},
		{"to stop behind the branch", active, 100, all, false, all, 3, 0, 0},
		{"to stop where nothing goes first", 0, 100, all, false, end, 4, 0, int64(bits.OnesCount32(active))},
		{"to stop at the end", active, 100, none, false, none, 6, 0, 0},
		{"to stop from somewhere on", active, 100, all + 1, true, none, 6, 0, 0},
		{"not to stop so", active, 100, all + 1, false, end, 7, 0, 0},
	} {
		code, err := b.Translate(units, c.order, rows.Lanes)
		if err != nil {
			t.Fatal(err)
		}
		w := tame(rand.New(sweep.PCG(17, 18)))
		w.masks[1] = c.mask
		x := w.context(active, c.budget)
		x.Stop = c.stop
		b.run(code, x, code.Entry[10], w)
		if x.At != c.at || c.budget-x.Budget != c.spent || x.Go != c.runs || int64(x.Off) != c.off {
			t.Errorf("%s: leaves for %d after %d instructions, for %d by the machine, with %d lanes off; "+
				"want %d, %d, %d, %d", c.name, x.At, c.budget-x.Budget, x.Go, x.Off, c.at, c.spent, c.runs,
				c.off)
		}
	}
}
