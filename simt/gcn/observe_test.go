package gcn

import (
	"bytes"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
)

// A witness is an observer that looks at the memory of each access when it is
// told of it: at what is there before the access.
type witness struct {
	h    *harness
	stop bool
	seen []seenAccess
}

type seenAccess struct {
	simt.Access
	before [64][]byte // by lane
}

func (o *witness) Observe(a *simt.Access) bool {
	s := seenAccess{Access: *a}
	addr := *a.Addr
	s.Addr = &addr
	simt.Lanes(a.Lanes, func(l int) { s.before[l] = o.read(a.Space, l, addr[l], a.Size) })
	o.seen = append(o.seen, s)
	return o.stop
}

func (o *witness) read(space simt.Space, l int, addr uint64, size int) []byte {
	p := make([]byte, size)
	var err error
	switch space {
	case simt.Global:
		_, err = o.h.m.Mem.Read(addr, p)
	case simt.LDS:
		_, err = o.h.group.ReadLDS(addr, p)
	case simt.Scratch:
		_, err = o.h.w.ReadScratch(l, addr, p)
	}
	if err != nil {
		o.h.t.Fatalf("lane %d: %v", l, err)
	}
	return p
}

func watched(start func(string) *harness, processor string) (*harness, *witness) {
	h := start(processor)
	h.fill()
	o := &witness{h: h}
	h.m.AddObserver(o)
	return h, o
}

// TestObserveVectorMemory: whichever way an instruction takes to a memory, the
// observers hear of the bytes that it moves, lane by lane, and before it
// does.
func TestObserveVectorMemory(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		h, o := watched(start, "gfx90a")
		for _, pl := range places {
			for _, pat := range patterns {
				for _, exec := range masks {
					for _, c := range []struct {
						name        string
						size        int
						read, write bool
					}{{"load_dwordx3", 12, true, false}, {"store_byte", 1, false, true},
						{"store_dwordx2", 8, false, true},
						{"atomic_swap", 4, true, true}} {
						atomic := c.read && c.write
						if atomic &&
							(pl.name == "scratch by vector" || pat.addr(0)%4 != 0 || pat.addr(1)%4 != 0) {
							continue
						}
						h.exec(exec)
						pl.reset(h, pat.addr)
						for r := 4; r < 8; r++ {
							h.vector(r, func(l int) uint32 { return uint32(r*0x1010101 + l) })
						}
						data := h.regs.V[4]
						var before [64][]byte
						for l := range before {
							before[l] = make([]byte, c.size)
							pl.read(h, l, pat.addr(l), before[l])
						}
						o.seen = nil
						h.mustRun(pl.inst(h, c.name))

						lanes := uint64(0)
						for i := range o.seen {
							s := &o.seen[i]
							if s.Wave != h.w || s.PC != codeBase || s.Size != c.size || s.Read != c.read ||
								s.Write != c.write || s.Atomic != atomic || s.Lanes&lanes != 0 {
								t.Fatalf("%s, %s, %s: access %+v", c.name, pl.name, pat.name, s.Access)
							}
							lanes |= s.Lanes
							simt.Lanes(s.Lanes, func(l int) {
								if !bytes.Equal(s.before[l], before[l]) {
									t.Fatalf("%s, %s, %s: lane %d at %#x in %v memory saw % x, want % x",
										c.name, pl.name, pat.name, l, s.Addr[l], s.Space, s.before[l],
										before[l])
								}
								after := o.read(s.Space, l, s.Addr[l], 1)[0]
								last := l // of those that write there
								for other := l + 1; other < 64; other++ {
									if s.Lanes>>other&1 != 0 && s.Space != simt.Scratch &&
										pat.addr(other) == pat.addr(l) {
										last = other
									}
								}
								if c.write && after != byte(data[last]) {
									t.Fatalf("%s, %s, %s: lane %d left %#x",
										c.name, pl.name, pat.name, l, after)
								}
							})
						}
						if lanes != exec {
							t.Fatalf("%s, %s, %s: lanes %#x were told of, want %#x",
								c.name, pl.name, pat.name, lanes, exec)
						}
					}
				}
			}
		}
	})
}

// TestObserveOthers: accesses of two places, of one place for all lanes, of
// scalar instructions, and those that do not happen.
func TestObserveOthers(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		type access struct {
			Space               simt.Space
			Read, Write, Atomic bool
			Size                int
			Lanes               uint64
			Addr                uint64 // of the lowest lane
		}
		for _, c := range []struct {
			name string
			exec uint64
			inst func(h *harness) []uint32
			want []access
		}{
			{"two places", 0xf0, func(h *harness) []uint32 { return h.ds("write2st64_b32", 1|2<<8) },
				[]access{{simt.LDS, false, true, false, 4, 0xf0, 64 + 256},
					{simt.LDS, false, true, false, 4, 0xf0, 64 + 512}}},
			{"two atomic places", 0xf0, func(h *harness) []uint32 { return h.ds("wrxchg2_rtn_b64", 1|4<<8) },
				[]access{{simt.LDS, true, true, true, 8, 0xf0, 72},
					{simt.LDS, true, true, true, 8, 0xf0, 96}}},
			{"a counter", 0x30, func(h *harness) []uint32 { return h.ds("append", 16) },
				[]access{{simt.LDS, true, true, true, 4, 0x30, 48}}},
			{"M0 and the lane", 0x30, func(h *harness) []uint32 { return h.ds("read_addtid_b32", 16) },
				[]access{{simt.LDS, true, false, false, 4, 0x30, 48 + 16}}},
			{"to LDS", 0x30, func(h *harness) []uint32 {
				return []uint32{0xdc008000 | 0x2a<<18, 0x7f<<16 | 6} // global_load_lds_dword v[6:7], off
			}, []access{{simt.Global, true, false, false, 4, 0x30, dataBase},
				{simt.LDS, false, true, false, 4, 0x30, 32 + 16}}},
			{"a scalar load", 0x30, func(h *harness) []uint32 { return []uint32{0xc00a0202, 8} }, // s_load_dwordx4
				[]access{{simt.Global, true, false, false, 16, 0x10, dataBase + 8}}},
			{"a scalar store", 0, func(h *harness) []uint32 { return []uint32{0xc0460202, 8} }, // s_store_dwordx2
				[]access{{simt.Global, false, true, false, 8, 1, dataBase + 8}}},
			{"outside a buffer", 0x30, func(h *harness) []uint32 { return h.buffer("load_dword", 1<<12) },
				nil},
			{"none", 0x30, func(h *harness) []uint32 { return h.ds("permute_b32", 0) }, nil},
		} {
			h, o := watched(start, "gfx942")
			h.exec(c.exec)
			h.vector(2, func(int) uint32 { return 64 })
			h.address(6, func(int) uint64 { return dataBase })
			setPair(h.regs, 4, dataBase)
			h.regs.S[6], h.regs.S[7], h.regs.S[8] = 16, 0, 0
			h.regs.S[regM0] = 32
			h.mustRun(c.inst(h))
			var got []access
			for _, s := range o.seen {
				got = append(got, access{s.Space, s.Read, s.Write, s.Atomic, s.Size, s.Lanes,
					s.Addr[bits.TrailingZeros64(s.Lanes)]})
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, d)
			}
		}
	})
}

// TestWatchEvent: the wave stops after the instruction, which is done, and
// goes on from there; a fault is told of before any observer hears.
func TestWatchEvent(t *testing.T) {
	everyPath(t, func(t *testing.T, start func(string) *harness) {
		h, o := watched(start, "gfx942")
		o.stop = true
		h.exec(0xf0)
		h.vector(2, func(l int) uint32 { return 4 * uint32(l) })
		h.vector(4, func(l int) uint32 { return uint32(l) })
		for _, c := range []struct {
			name  string
			lanes uint64
			inst  []uint32
		}{
			{"data share", 0xf0, h.ds("write_b32", 0)},
			{"two places", 0xf0, h.ds("write2_b32", 1<<8)},
			{"scalar", 0x10, []uint32{0xc0020202, 0}},
		} {
			setPair(h.regs, 4, dataBase)
			h.regs.S[8] = 0
			h.load(addTo(1), c.inst, addTo(2))
			ev := h.core.Run(h.w, 100)
			if ev.Kind != simt.WatchEvent || ev.Lanes != c.lanes || ev.Wave != h.w || ev.PC != codeBase+4 ||
				h.w.PC != codeBase+12 || h.w.State != simt.Ready || c.name != "scalar" && h.regs.S[8] != 1 {
				t.Errorf("%s: %v of lanes %#x at %#x, pc %#x, s8 %d", c.name, ev.Kind, ev.Lanes, ev.PC,
					h.w.PC, h.regs.S[8])
			}
			if got := dwords(h.group.LDS[16:32]); c.name == "data share" &&
				!cmp.Equal(got, []uint32{4, 5, 6, 7}) {
				t.Errorf("LDS has %d: the instruction was not completed", got)
			}
		}
		copy(h.regs.S[4:], []uint32{dataBase, 0, 0x14, 0, 0}) // lane 4 inside, the others not
		h.vector(8, func(int) uint32 { return oldValue })
		h.load(h.buffer("load_dword", 1<<12))
		if ev := h.core.Run(h.w, 1); ev.Kind != simt.WatchEvent || ev.Lanes != 0x10 || h.regs.V[4][5] != 0 {
			t.Errorf("buffer: %v of lanes %#x, lane 5 outside has %#x", ev.Kind, ev.Lanes, h.regs.V[4][5])
		}
		o.seen = nil
		h.vector(2, func(l int) uint32 { return ldsSize - 20 - 4 + 4*uint32(l) })
		h.load(h.ds("write2_b32", 1<<8))
		if ev := h.core.Run(h.w, 1); ev.Kind != simt.FaultEvent || len(o.seen) != 0 {
			t.Errorf("past the end: %v, %d accesses told of", ev.Kind, len(o.seen))
		}
		h.m.RemoveObserver(o)
		h.vector(2, func(l int) uint32 { return 0 })
		h.mustRun(h.ds("write_b32", 0))
		if len(o.seen) != 0 {
			t.Errorf("an observer that was removed was told of %+v", o.seen)
		}
	})
}
