package device

import (
	"slices"

	"simtgdb/simt"
)

// Addresses that a client has reserved, of which it maps memory to some. Of neighbouring pieces that are
// mapped the device makes one, so that accesses may go from one into the other.

// maxReserved is how many bytes of addresses may be reserved at once.
const maxReserved = heapSize / 2

// A reservation is such addresses, with the pieces that have memory, by address.
type reservation struct {
	*block
	mapped []*block
}

// opReserve reserves addresses.
func (d *Device) opReserve(r *reader, w *writer) error {
	size, align := r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		total := size
		for _, v := range d.reserved {
			total += v.size
		}
		if size == 0 || size > maxReserved || total > maxReserved {
			return refuse(NoMemory, "%d bytes of addresses: at most %d can be reserved", size,
				uint64(maxReserved))
		}
		b, err := d.heap.place(pages(size), align)
		if err != nil {
			return err
		}
		d.reserved[b.base] = &reservation{block: b}
		w.u64(b.base)
		return nil
	})
}

// opUnreserve gives addresses back, with what is mapped there.
func (d *Device) opUnreserve(r *reader, _ *writer) error {
	addr := r.u64()
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		v := d.reserved[addr]
		if v == nil {
			return refuse(NotFound, "nothing is reserved at %#x", addr)
		}
		d.unreserve(v)
		return nil
	})
}

func (d *Device) unreserve(v *reservation) {
	_ = d.unmapPieces(v, v.base, v.end()) // nothing is left to be mapped
	delete(d.reserved, v.base)
	d.heap.remove(v.block)
}

// reservationOf is the one that has all of some whole pages.
func (d *Device) reservationOf(addr, size uint64) (*reservation, error) {
	for _, v := range d.reserved {
		if addr >= v.base && addr < v.end() && size != 0 && size <= v.end()-addr &&
			addr%pageSize == 0 && size%pageSize == 0 {
			return v, nil
		}
	}
	return nil, refuse(Invalid, "%s are no whole pages of what is reserved", deviceRange(addr, size))
}

// opMap maps memory, which is zeros.
func (d *Device) opMap(r *reader, _ *writer) error {
	addr, size := r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		v, err := d.reservationOf(addr, size)
		if err != nil {
			return err
		}
		for _, b := range v.mapped {
			if addr < b.end() && b.base < addr+size {
				return refuse(Invalid, "%s: memory is mapped there already", deviceRange(addr, size))
			}
		}
		if size > MemorySize-d.heap.used {
			return refuse(NoMemory, "%d bytes of device memory: %d are free", size, MemorySize-d.heap.used)
		}
		from, to := addr, addr+size
		for _, b := range v.mapped { // what touches it becomes one with it
			if b.end() == from {
				from = b.base
			}
			if b.base == to {
				to = b.end()
			}
		}
		d.dropPieces(v, from, to)
		d.heap.used += size
		return d.mapPiece(v, from, to)
	})
}

// opUnmap takes memory away.
func (d *Device) opUnmap(r *reader, _ *writer) error {
	addr, size := r.u64(), r.u64()
	if err := ended(r); err != nil {
		return err
	}
	return d.exclusively(func() error {
		v, err := d.reservationOf(addr, size)
		if err != nil {
			return err
		}
		return d.unmapPieces(v, addr, addr+size)
	})
}

// unmapPieces takes the memory of some addresses away.
func (d *Device) unmapPieces(v *reservation, from, to uint64) error {
	for _, b := range slices.Clone(v.mapped) {
		if b.base >= to || from >= b.end() {
			continue
		}
		base, end := b.base, b.end()
		d.dropPieces(v, base, end)
		first, last := max(base, from), min(end, to)
		d.heap.shared.forget(int64(first-d.heap.base), int64(last-first))
		d.heap.used -= last - first
		for _, rest := range [][2]uint64{{base, first}, {last, end}} {
			if rest[0] < rest[1] {
				if err := d.mapPiece(v, rest[0], rest[1]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// dropPieces makes pieces within some addresses none; their memory stays as it is.
func (d *Device) dropPieces(v *reservation, from, to uint64) {
	v.mapped = slices.DeleteFunc(v.mapped, func(b *block) bool {
		inside := b.base >= from && b.end() <= to
		if inside {
			d.mem.Unmap(b.region)
		}
		return inside
	})
}

// mapPiece makes a piece of addresses whose memory is there.
func (d *Device) mapPiece(v *reservation, from, to uint64) error {
	b := &block{base: from, size: to - from, asked: to - from}
	var err error
	if b.region, err = d.mem.Map("mapped memory", from, d.heap.data(b, b.size),
		simt.PermRead|simt.PermWrite); err != nil {
		return err
	}
	i, _ := slices.BinarySearchFunc(v.mapped, from, compareBase)
	v.mapped = slices.Insert(v.mapped, i, b)
	return nil
}
