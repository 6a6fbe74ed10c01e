package gcn

import (
	"encoding/binary"
	"math/bits"

	"simtgdb/simt"
)

// Memory instructions that came with gfx12 and gfx1250: loads that transpose matrices, those between memory
// and LDS that no register sees, prefetches. Clusters have one workgroup, so that their loads are a
// workgroup's own. Accesses are complete when the instruction is.
var (
	_ = registerLater(laterMemoryRows)
	_ = registerLater(gfx1250MemoryRows)
)

// A barrier in LDS is a qword: how many arrivals it waits for beside the last one, its phase, and how many
// these are in the next phase (CDNA 5 ISA, section 11.2.2; that the count has 29 bits is what compilers count
// on).
const (
	pendingBits = 29
	reloadShift = 32
	reloadBits  = 16
)

// arriveAt is a barrier in LDS after n arrivals: the last one begins the next phase.
func arriveAt(state, n uint64) uint64 {
	const pending, low = 1<<pendingBits - 1, 1<<reloadShift - 1
	n &= low
	if n <= state&pending {
		return state - n
	}
	phase := (state + pending + 1) & (low &^ pending)
	return state&^low | phase | state>>reloadShift&(1<<reloadBits-1)
}

// arriveOnce makes an arrival of each lane. The copies that it comes after are done when they are issued.
func arriveOnce(c *Core, p *pass) {
	simt.Lanes(p.mask, func(l int) {
		state := p.mem[c.addr[l]-p.base:]
		binary.LittleEndian.PutUint64(state, arriveAt(binary.LittleEndian.Uint64(state), 1))
	})
}

func laterMemoryRows() []Op {
	var rows []Op
	for _, r := range []struct {
		name string
		dst  typ
		load *access
	}{{"b32", b32, load32}, {"b64", b64, load64}, {"b128", b128, load128}} {
		for _, prefix := range []string{"global_load_monitor_", "cluster_load_"} {
			rows = append(rows, Op{Enc: GLOBAL, Name: prefix + r.name, dst: r.dst, mem: r.load})
		}
		rows = append(rows, Op{Enc: FLAT, Name: "flat_load_monitor_" + r.name, dst: r.dst, mem: r.load})
	}
	for _, r := range []struct {
		name        string
		load, store *access
	}{{"b8", loadU8, store8}, {"b32", load32, store32}, {"b64", load64, store64},
		{"b128", load128, store128}} {
		copies := copyLDS{r.load, r.store}
		for _, prefix := range []string{"global_load_async_to_lds_", "cluster_load_async_to_lds_"} {
			rows = append(rows, Op{Enc: GLOBAL, Name: prefix + r.name, src: srcs(none, b32), flag: toLDS,
				run: copies.toLDS, copies: copiesToLDS})
		}
		rows = append(rows, Op{Enc: GLOBAL, Name: "global_store_async_from_lds_" + r.name,
			src: srcs(none, b32), run: copies.fromLDS, copies: copiesFromLDS})
	}
	for _, r := range []struct {
		names []string
		dst   typ
		t     transposition
	}{
		{[]string{"global_load_tr_b128", "global_load_tr16_b128", "ds_load_tr16_b128"}, b128,
			transposition{load128, 16, halfColumns}},
		{[]string{"global_load_tr_b64", "global_load_tr8_b64", "ds_load_tr8_b64"}, b64,
			transposition{load64, 8, halfColumns}},
		{[]string{"global_load_tr4_b64", "ds_load_tr4_b64"}, b64, transposition{load64, 4, wholeColumns}},
		{[]string{"global_load_tr6_b96", "ds_load_tr6_b96"}, b96, transposition{load96, 6, fourColumns}},
	} {
		for _, name := range r.names {
			if name[:2] == "ds" {
				rows = append(rows, Op{Enc: DS, Name: name, dst: r.dst, src: srcs(b32), run: r.t.fromLDS})
			} else {
				rows = append(rows, Op{Enc: GLOBAL, Name: name, dst: r.dst, src: srcs(none),
					run: r.t.fromGlobal})
			}
		}
	}
	return rows
}

// copyLDS are the accesses of a copy between memory and LDS, each lane's own. The offset counts for both.
type copyLDS struct{ load, store *access }

func (p copyLDS) toLDS(c *Core, in *Inst) {
	if c.w.Exec == 0 {
		return
	}
	data := c.out[:max(p.load.size/4, 1)]
	c.global(in, p.load, data, nil)
	if !c.faulted() {
		c.shared(in, &in.src[1], p.store, nil, data)
	}
}

func (p copyLDS) fromLDS(c *Core, in *Inst) {
	if c.w.Exec == 0 {
		return
	}
	data := c.out[:max(p.load.size/4, 1)]
	c.shared(in, &in.src[1], p.load, data, nil)
	if !c.faulted() {
		c.global(in, p.store, nil, data)
	}
}

// global does an access to global memory with registers of its own.
func (c *Core) global(in *Inst, a *access, dst, data []Vector) {
	one := *in
	one.Op = &Op{Enc: GLOBAL, Name: in.Op.Name, mem: a}
	c.beginAccess(dst, data, nil)
	c.globalAccess(&one, c.w.Exec, c.flatAddresses(&one))
}

// shared is the same for LDS, where a register says.
func (c *Core) shared(in *Inst, at *operand, a *access, dst, data []Vector) {
	c.beginAccess(dst, data, nil)
	c.checkLDS(a, c.w.Exec, c.addresses32(&c.r.V[at.reg], uint32(in.simm), 0, c.w.Exec))
	if !c.raise(in, a) {
		c.moveLDS(in, a, c.w.Exec)
	}
}

// A transposition is a load by which the lanes of a wave of 32 get the rows of a matrix whose columns lie
// in memory (CDNA 5 ISA, section "WMMA matrix load ops with transpose"). Lane l gets of row l%16 what a
// matrix instruction has there.
type transposition struct {
	load  *access
	width uint
	// from is what a lane's item is: which lane has loaded it, and which of that lane's items it is.
	from func(lane, item int) (source, at int)
}

// halfColumns: each lane has loaded half of one of 16 columns.
func halfColumns(lane, item int) (source, at int) {
	row, column := lane%waveSide, lane/waveSide*8+item
	return column&7 | row>>3<<3 | column>>3<<4, row & 7
}

// wholeColumns: each lane has loaded one of 32 columns, by its number.
func wholeColumns(lane, item int) (source, at int) {
	return item&7 | lane/waveSide<<3 | item>>3<<4, lane % waveSide
}

// fourColumns: of 32 columns, groups of eight lanes have loaded four of the first and four of the second
// half.
func fourColumns(lane, item int) (source, at int) {
	return item>>2<<3 | lane/waveSide<<2 | item&3, lane % waveSide
}

func (t transposition) fromGlobal(c *Core, in *Inst) {
	read := c.out[:t.load.size/4]
	clear(read)
	if c.w.Exec == 0 {
		return
	}
	if c.global(in, t.load, read, nil); !c.faulted() {
		t.deal(c, in, read)
	}
}

func (t transposition) fromLDS(c *Core, in *Inst) {
	read := c.out[:t.load.size/4]
	clear(read)
	if c.w.Exec == 0 {
		return
	}
	if c.shared(in, &in.src[0], t.load, read, nil); !c.faulted() {
		t.deal(c, in, read)
	}
}

// deal gives the lanes their items.
func (t transposition) deal(c *Core, in *Inst, read []Vector) {
	dst := c.registers(&in.dst)
	for m := c.w.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & (simt.MaxLanes - 1)
		for d := range dst {
			dst[d][l] = 0
		}
		for i := range 8 * t.load.size / int(t.width) {
			source, at := t.from(l, i)
			depositBits(dst, l, uint(i)*t.width, t.width, bitsAt(read, source, uint(at)*t.width, t.width))
		}
	}
}

func gfx1250MemoryRows() []Op {
	return []Op{
		{Enc: FLAT, Name: "flat_prefetch_b8", src: srcs(b64), run: noop},
		{Enc: GLOBAL, Name: "global_prefetch_b8", src: srcs(b64), run: noop},
		{Enc: GLOBAL, Name: "tensor_save", flag: byLane | saves},
		{Enc: GLOBAL, Name: "tensor_stop", flag: byLane | saves | alone},
		{Enc: DS, Name: "ds_atomic_barrier_arrive_rtn_b64", dst: b64, src: srcs(b32, b64),
			mem: atomic64(func(old, n, _ uint64) uint64 { return arriveAt(old, n) })},
		{Enc: DS, Name: "ds_atomic_async_barrier_arrive_b64", src: srcs(b32),
			mem: &access{size: 8, write: true,
				atomic: true, move: arriveOnce}, copies: copiesDone},
	}
}
