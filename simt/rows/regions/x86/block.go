package x86

import (
	"unsafe"

	"simtgdb/simt/native"
	"simtgdb/simt/rows/regions"
)

// block makes the code of a load or store of a block: if any channel executes it, all of its bytes move.
func (t *translator) block(o *regions.Op, bail native.Label, miss int) {
	a := accessing{Access: &o.Access, lanes: int(o.Lanes), some: o.Under.On || !o.Always && !t.whole}
	done := t.NewLabel()
	if a.some {
		t.accessMasks(o)
		t.Jcc(native.E, done)
	}
	t.slotOf(&a, miss)
	t.reachBlock(&a, bail)
	t.copyBlock(a.Data, a.Block.Bytes, o.Kind == regions.Store)
	t.countAccess(&a, o)
	t.Set(done)
	if o.Kind == regions.Load {
		t.written(a.Data, a.Data+a.Block.Bytes)
	}
}

// reachBlock checks that memory has a block, and makes RCX the host's address of it.
func (t *translator) reachBlock(a *accessing, bail native.Label) {
	var s Slot
	t.MovImm(native.RCX, a.Block.Base)
	for _, term := range a.Block.Terms {
		if term.Size == 8 {
			t.Load(native.W64, native.RAX, fileAt(term.At))
		} else {
			t.Load(native.W32, native.RAX, fileAt(term.At))
		}
		if all := ^uint64(0) >> (64 - 8*term.Size); term.Keep&all != all {
			t.MovImm(native.RDX, term.Keep)
			t.Op(native.AND, native.W64, native.RAX, native.RDX)
		}
		if term.Shift != 0 {
			t.ShiftImm(native.SHL, native.W64, native.RAX, term.Shift)
		}
		t.Op(native.ADD, native.W64, native.RCX, native.RAX)
	}
	t.Load(native.W64, native.RAX, a.of(unsafe.Offsetof(s.Size)))
	t.OpImm(native.SUB, native.W64, native.RAX, a.Block.Bytes)
	t.Jcc(native.B, bail)
	t.Mov(native.W64, native.RDX, native.RCX)
	t.OpMem(native.SUB, native.W64, native.RDX, a.of(unsafe.Offsetof(s.Base)))
	t.Op(native.CMP, native.W64, native.RAX, native.RDX)
	t.Jcc(native.B, bail)
	t.OpMem(native.ADD, native.W64, native.RCX, a.of(unsafe.Offsetof(s.Delta)))
}

// copyBlock copies bytes between the file and memory at RCX, which do not overlap.
func (t *translator) copyBlock(data, bytes int32, store bool) {
	most := int32(64)
	if t.octets {
		most = 32
	}
	lengths := map[int32]byte{64: native.L512, 32: native.L256, 16: native.L128, 8: native.L128,
		4: native.L128}
	for at := int32(0); at < bytes; {
		n := most
		for n > bytes-at {
			n /= 2
		}
		sh, z := shape{length: lengths[n]}, t.tmp(int(at/most)%4)
		memory := native.Mem{Base: native.RCX, Disp: at}
		from, to := memory, fileAt(data+at)
		if store {
			from, to = to, from
		}
		t.loadBytes(z, from, int(n), sh)
		t.storeBytes(z, to, int(n), sh)
		at += n
	}
}
