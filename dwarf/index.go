package dwarf

import (
	"slices"

	"simtgdb/dwarf/internal/section"
)

// This file has the sections that are tables: .debug_addr, .debug_str_offsets and the tables of offsets
// in .debug_loclists and .debug_rnglists (DWARF 5 sections 7.26 to 7.29).

// tableEntry reads entry index, of size bytes, of the table that starts at base of a section.
func (u *Unit) tableEntry(name string, data []byte, base, index uint64, size int) (uint64, error) {
	all := section.NewReader(name, data, u.Data.big)
	if index > uint64(len(data)) { // so that the product cannot overflow
		return 0, section.Errorf(name, base, "index %d is outside of the section (0x%x bytes)", index,
			len(data))
	}
	r := all.At(base + index*uint64(size))
	v := r.Uint(size)
	return v, r.Err()
}

// Addr gives an address of the unit's part of .debug_addr.
func (u *Unit) Addr(index uint64) (uint64, error) {
	if !u.bases.hasAddr {
		return 0, section.Errorf(u.section.String(), u.Offset,
			"address index %d in a unit without DW_AT_addr_base", index)
	}
	return u.tableEntry(".debug_addr", u.Data.sec.Addr, u.bases.addr, index, int(u.AddrSize))
}

func (u *Unit) strOffset(index uint64) (uint64, error) {
	if !u.bases.hasStrOffsets {
		return 0, section.Errorf(u.section.String(), u.Offset,
			"string index %d in a unit without DW_AT_str_offsets_base", index)
	}
	return u.tableEntry(".debug_str_offsets", u.Data.sec.StrOffsets, u.bases.strOffsets, index,
		u.OffsetSize())
}

func (u *Unit) locListOffset(index uint64) (uint64, error) {
	if !u.bases.hasLocLists {
		return 0, section.Errorf(u.section.String(), u.Offset,
			"location list index %d in a unit without DW_AT_loclists_base", index)
	}
	off, err := u.tableEntry(".debug_loclists", u.Data.sec.LocLists, u.bases.locLists, index, u.OffsetSize())
	return u.bases.locLists + off, err
}

func (u *Unit) rngListOffset(index uint64) (uint64, error) {
	if !u.bases.hasRngLists {
		return 0, section.Errorf(u.section.String(), u.Offset,
			"range list index %d in a unit without DW_AT_rnglists_base", index)
	}
	off, err := u.tableEntry(".debug_rnglists", u.Data.sec.RngLists, u.bases.rngLists, index, u.OffsetSize())
	return u.bases.rngLists + off, err
}

// Addrs gives the unit's part of .debug_addr, none where it has no DW_AT_addr_base. Before version 5 the
// section had no headers, so there is no knowing where a part ends.
func (u *Unit) Addrs() ([]uint64, error) {
	if _, err := u.Top(); err != nil || !u.bases.hasAddr || u.Version < 5 {
		return nil, err
	}
	d := u.Data
	d.addrOnce.Do(d.findAddrParts)
	i, _ := slices.BinarySearch(d.addrParts, u.bases.addr+1)
	if i == len(d.addrParts) {
		return nil, section.Errorf(".debug_addr", u.bases.addr, "DW_AT_addr_base leads to no table")
	}
	all := section.NewReader(".debug_addr", d.sec.Addr, d.big)
	r := all.At(u.bases.addr)
	r.Limit(d.addrParts[i])
	addrs := make([]uint64, 0, r.Len()/int(u.AddrSize))
	for r.Len() >= int(u.AddrSize) {
		addrs = append(addrs, r.Uint(int(u.AddrSize)))
	}
	return addrs, r.Err()
}

// findAddrParts finds where the parts of .debug_addr end: at the end of what follows a header (DWARF 5
// section 7.27), and where the part of another unit begins, since the Go linker writes one header for all
// units.
func (d *Data) findAddrParts() {
	r := section.NewReader(".debug_addr", d.sec.Addr, d.big)
	for r.Len() > 0 {
		length, _ := r.InitialLength()
		r.Seek(r.End(length))
		if r.Err() == nil {
			d.addrParts = append(d.addrParts, r.Offset())
		}
	}
	for _, u := range d.units {
		if _, err := u.Top(); err == nil && u.bases.hasAddr {
			d.addrParts = append(d.addrParts, u.bases.addr)
		}
	}
	slices.Sort(d.addrParts)
}
