package dwarf

import (
	"io"
	"maps"
	"slices"

	"simtgdb/dwarf/internal/section"
)

// DumpLocLists prints .debug_loc and .debug_loclists as llvm-dwarfdump 22 --debug-loc --debug-loclists
// does: each list by itself, so that addresses which need the unit stay as they are written. Lists are
// found by the attributes that refer to them, since GCC puts other things between them.
func DumpLocLists(w io.Writer, d *Data, o DumpOptions) error {
	p := &listPrinter{printer: newPrinter(w, o), d: d}
	owners := d.locListOwners()
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
	if len(d.sec.LocLists) > 0 {
		p.printf("\n.debug_loclists contents:\n")
		p.contributions(".debug_loclists", d.sec.LocLists, "locations list header", func(c *contribution) {
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

// DumpRangeLists prints .debug_ranges and .debug_rnglists as llvm-dwarfdump 22 --debug-ranges
// --debug-rnglists does.
func DumpRangeLists(w io.Writer, d *Data, o DumpOptions) error {
	p := &listPrinter{printer: newPrinter(w, o), d: d}
	if len(d.sec.Ranges) > 0 {
		p.printf("\n.debug_ranges contents:\n")
		p.ranges()
	}
	if len(d.sec.RngLists) > 0 {
		p.printf("\n.debug_rnglists contents:\n")
		p.contributions(".debug_rnglists", d.sec.RngLists, "range list header", func(c *contribution) {
			p.printf("ranges:\n")
			p.rngLists(c)
		})
	}
	return p.w.Flush()
}

// locListOwners finds a unit for each location list: before version 5, and since.
func (d *Data) locListOwners() [2]map[uint64]*Unit {
	owners := [2]map[uint64]*Unit{{}, {}}
	for _, u := range d.units {
		u.Root()
		lists := owners[0]
		if u.Version >= 5 {
			lists = owners[1]
		}
		for _, e := range u.dies {
			for _, a := range e.Attrs {
				if a.Class == ClassLocList && lists[a.Val] == nil {
					lists[a.Val] = u
				}
			}
		}
	}
	return owners
}

type listPrinter struct {
	printer
	d *Data
}

// A contribution is what follows one header in .debug_loclists or .debug_rnglists.
type contribution struct {
	r          section.Reader // at the first list
	start, end uint64
	addrSize   int
}

// contributions prints the headers of a section and calls f for what follows each.
func (p *listPrinter) contributions(name string, data []byte, title string, f func(*contribution)) {
	r := section.NewReader(name, data, p.d.big)
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
		p.printf("%s: length = 0x%0*x, format = DWARF%d, version = 0x%04x, addr_size = 0x%02x, seg_size = 0x%02x, "+
			"offset_entry_count = 0x%08x\n", title, 2*width, length, 8*width, version, addrSize, segSize, count)
		p.offsets(&h, count, width)
		f(&contribution{r: h, start: h.Offset(), end: end, addrSize: int(addrSize)})
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

func (p *listPrinter) locList(u *Unit, offset uint64) {
	p.printf("0x%08x: ", offset)
	l := u.listReader(true, offset)
	var base uint64
	known := false
	for {
		e, err := l.next()
		if err != nil {
			p.printf("\nerror: %v", err)
			break
		}
		if e.Kind == ListEnd {
			break
		}
		if e.Kind == ListBaseAddress {
			base, known = e.A, true
			continue
		}
		p.printf("\n")
		p.indent(attrIndent)
		switch {
		case e.Kind == ListOffsetPair && known:
			p.pcRange(u, Range{base + e.A, base + e.B})
		case e.Kind == ListStartEnd:
			p.pcRange(u, Range{e.A, e.B})
		case e.Kind == ListStartLength:
			p.pcRange(u, Range{e.A, e.A + e.B})
		case e.Kind == ListDefaultLocation:
			p.w.WriteString("<default>")
		default:
			p.rawEntry(u.Version >= 5, int(u.AddrSize), e)
		}
		if e.Kind.hasExpr() {
			p.w.WriteString(": ")
			p.expr(u, e.Expr)
		}
	}
	p.printf("\n")
}

// ranges prints .debug_ranges, whose address size only the units know.
func (p *listPrinter) ranges() {
	size := 8
	for _, u := range p.d.units {
		if u.Version < 5 {
			size = int(u.AddrSize)
			break
		}
	}
	l := listReader{r: section.NewReader(".debug_ranges", p.d.sec.Ranges, p.d.big), addrSize: size}
	start := l.r.Offset()
	for l.r.Len() > 0 {
		e, err := l.next()
		switch {
		case err != nil:
			p.printf("error: %v\n", err)
			return
		case e.Kind == ListEnd:
			p.printf("%08x <End of list>\n", start)
			start = l.r.Offset()
		case e.Kind == ListBaseAddress:
			p.printf("%08x %s %s\n", start, pad(^uint64(0), 2*size), pad(e.A, 2*size))
		default:
			p.printf("%08x %s %s\n", start, pad(e.A, 2*size), pad(e.B, 2*size))
		}
	}
}

func (p *listPrinter) rngLists(c *contribution) {
	l := listReader{r: c.r, version5: true, addrSize: c.addrSize}
	var base uint64
	for l.r.Len() > 0 {
		e, err := l.next()
		if err != nil {
			p.printf("error: %v\n", err)
			return
		}
		r := Range{e.A, e.B}
		switch e.Kind {
		case ListEnd:
			base = 0
			p.printf("<End of list>\n")
			continue
		case ListBaseAddress:
			base = e.A
			continue
		case ListBaseAddressx:
			base = 0
			continue
		case ListOffsetPair:
			r = Range{base + e.A, base + e.B}
		case ListStartLength:
			r = Range{e.A, e.A + e.B}
		case ListStartxLength:
			r = Range{0, e.B}
		case ListStartxEndx:
			r = Range{}
		}
		p.printf("[0x%s, 0x%s)\n", pad(r.Low, 2*c.addrSize), pad(r.High, 2*c.addrSize))
	}
}
