package dump

import (
	"io"
	"maps"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/internal/section"
)

// LocLists prints .debug_loc and .debug_loclists as llvm-dwarfdump 22 --debug-loc --debug-loclists
// does: each list by itself, so that addresses which need the unit stay as they are written. Lists are
// found by the attributes that refer to them, since GCC puts other things between them.
func LocLists(w io.Writer, d *dwarf.Data, o Options) error {
	p := &listPrinter{printer: newPrinter(w, o), d: d}
	owners := locListOwners(d)
	offsets := slices.Sorted(maps.Keys(owners[0]))
	if len(offsets) > 0 {
		p.printf("\n.debug_loc contents:\n")
	}
	for i, offset := range offsets {
		if i > 0 {
			p.printf("\n")
		}
		p.locList(owners[0][offset], offset)
	}
	if len(d.Sections().LocLists) > 0 {
		p.printf("\n.debug_loclists contents:\n")
		p.contributions(".debug_loclists", d.Sections().LocLists, "locations list header",
			func(c *contribution) {
				for _, offset := range slices.Sorted(maps.Keys(owners[1])) {
					if c.start <= offset && offset < c.end {
						p.locList(owners[1][offset], offset)
						p.printf("\n")
					}
				}
			})
	}
	return p.w.Flush()
}

// RangeLists prints .debug_ranges and .debug_rnglists as llvm-dwarfdump 22 --debug-ranges
// --debug-rnglists does.
func RangeLists(w io.Writer, d *dwarf.Data, o Options) error {
	p := &listPrinter{printer: newPrinter(w, o), d: d}
	if len(d.Sections().Ranges) > 0 {
		p.printf("\n.debug_ranges contents:\n")
		p.ranges()
	}
	if len(d.Sections().RngLists) > 0 {
		p.printf("\n.debug_rnglists contents:\n")
		p.contributions(".debug_rnglists", d.Sections().RngLists, "range list header", func(c *contribution) {
			p.printf("ranges:\n")
			p.rngLists(c)
		})
	}
	return p.w.Flush()
}

// locListOwners finds a unit for each location list: before version 5, and since.
func locListOwners(d *dwarf.Data) [2]map[uint64]*dwarf.Unit {
	owners := [2]map[uint64]*dwarf.Unit{{}, {}}
	for _, u := range d.Units() {
		root, _ := u.Root()
		if root == nil {
			continue
		}
		lists := owners[0]
		if u.Version >= 5 {
			lists = owners[1]
		}
		root.Walk(func(e *dwarf.DIE) bool {
			for _, a := range e.Attrs {
				if a.Class == dwarf.ClassLocList && lists[a.Val] == nil {
					lists[a.Val] = u
				}
			}
			return true
		})
	}
	return owners
}

type listPrinter struct {
	printer
	d *dwarf.Data
}

// A contribution is what follows one header in .debug_loclists or .debug_rnglists.
type contribution struct {
	start, end uint64 // of the lists
	addrSize   int
}

// contributions prints the headers of a section and calls f for what follows each.
func (p *listPrinter) contributions(name string, data []byte, title string, f func(*contribution)) {
	r := section.NewReader(name, data, p.d.BigEndian())
	for r.Len() > 0 && r.Err() == nil {
		length, is64 := r.InitialLength()
		end := r.End(length)
		h := r
		h.Limit(end)
		version, addrSize, segSize, count := h.U16(), h.U8(), h.U8(), h.U32()
		if err := h.Err(); err != nil {
			p.printf("error: %v\n", err)
			return
		}
		width := 4
		if is64 {
			width = 8
		}
		p.printf("%s: length = 0x%0*x, format = DWARF%d, version = 0x%04x, addr_size = 0x%02x, "+
			"seg_size = 0x%02x, "+
			"offset_entry_count = 0x%08x\n", title, 2*width, length, 8*width, version, addrSize, segSize,
			count)
		p.offsets(&h, count, width)
		f(&contribution{start: h.Offset(), end: end, addrSize: int(addrSize)})
		r.Seek(end)
	}
}

func (p *listPrinter) offsets(h *section.Reader, count uint32, width int) {
	if count == 0 {
		return
	}
	p.printf("offsets: [\n")
	for ; count > 0 && h.Err() == nil; count-- {
		p.printf("0x%0*x\n", 2*width, h.Uint(width))
	}
	p.printf("]\n")
}

func (p *listPrinter) locList(u *dwarf.Unit, offset uint64) {
	p.printf("0x%08x: ", offset)
	entries, err := u.ListEntries(dwarf.Attr{Class: dwarf.ClassLocList, Val: offset})
	var base uint64
	known := false
	for _, e := range entries {
		if e.Kind == dwarf.ListEnd {
			break
		}
		if e.Kind == dwarf.ListBaseAddress {
			base, known = e.A, true
			continue
		}
		p.printf("\n")
		p.indent(attrIndent)
		switch {
		case e.Kind == dwarf.ListOffsetPair && known:
			p.pcRange(u, dwarf.Range{Low: base + e.A, High: base + e.B})
		case e.Kind == dwarf.ListStartEnd:
			p.pcRange(u, dwarf.Range{Low: e.A, High: e.B})
		case e.Kind == dwarf.ListStartLength:
			p.pcRange(u, dwarf.Range{Low: e.A, High: e.A + e.B})
		case e.Kind == dwarf.ListDefaultLocation:
			p.w.WriteString("<default>")
		default:
			p.rawEntry(u.Version >= 5, int(u.AddrSize), e)
		}
		if e.Kind.HasExpr() {
			p.w.WriteString(": ")
			p.expr(u, e.Expr)
		}
	}
	if err != nil {
		p.printf("\nerror: %v", err)
	}
	p.printf("\n")
}

// ranges prints .debug_ranges, whose address size only the units know.
func (p *listPrinter) ranges() {
	size := 8
	for _, u := range p.d.Units() {
		if u.Version < 5 {
			size = int(u.AddrSize)
			break
		}
	}
	start := uint64(0)
	for e, err := range p.d.RangeEntries(false, size, 0, uint64(len(p.d.Sections().Ranges))) {
		switch {
		case err != nil:
			p.printf("error: %v\n", err)
			return
		case e.Kind == dwarf.ListEnd:
			p.printf("%08x <End of list>\n", start)
			start = e.End
		case e.Kind == dwarf.ListBaseAddress:
			p.printf("%08x %s %s\n", start, pad(^uint64(0), 2*size), pad(e.A, 2*size))
		default:
			p.printf("%08x %s %s\n", start, pad(e.A, 2*size), pad(e.B, 2*size))
		}
	}
}

func (p *listPrinter) rngLists(c *contribution) {
	var base uint64
	for e, err := range p.d.RangeEntries(true, c.addrSize, c.start, c.end) {
		if err != nil {
			p.printf("error: %v\n", err)
			return
		}
		r := dwarf.Range{Low: e.A, High: e.B}
		switch e.Kind {
		case dwarf.ListEnd:
			base = 0
			p.printf("<End of list>\n")
			continue
		case dwarf.ListBaseAddress:
			base = e.A
			continue
		case dwarf.ListBaseAddressx:
			base = 0
			continue
		case dwarf.ListOffsetPair:
			r = dwarf.Range{Low: base + e.A, High: base + e.B}
		case dwarf.ListStartLength:
			r = dwarf.Range{Low: e.A, High: e.A + e.B}
		case dwarf.ListStartxLength:
			r = dwarf.Range{Low: 0, High: e.B}
		case dwarf.ListStartxEndx:
			r = dwarf.Range{}
		}
		p.printf("[0x%s, 0x%s)\n", pad(r.Low, 2*c.addrSize), pad(r.High, 2*c.addrSize))
	}
}
