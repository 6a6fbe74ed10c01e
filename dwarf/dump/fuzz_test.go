package dump

import (
	"io"
	"testing"

	"simtgdb/dwarf"
)

// FuzzDump prints damaged sections: there is text or an error, and it ends. Sections of one kind share
// their bytes.
func FuzzDump(f *testing.F) {
	kernel := dwarf.NewDIE(dwarf.TagSubprogram, dwarf.StringAttr(dwarf.AttrName, "kernel"),
		dwarf.AddressAttr(dwarf.AttrLowPC, 0x1000), dwarf.UintAttr(dwarf.AttrHighPC, 0x40),
		dwarf.LocListAttr(dwarf.AttrLocation,
			[]dwarf.LocEntry{{Low: 0x1000, High: 0x1010, Expr: []byte{0x50}}}),
		dwarf.RangesAttr([]dwarf.Range{{Low: 0x1000, High: 0x1010}, {Low: 0x1020, High: 0x1030}}))
	element := dwarf.NewDIE(dwarf.TagBaseType, dwarf.StringAttr(dwarf.AttrName, "int"))
	array := dwarf.NewDIE(dwarf.TagArrayType, dwarf.RefAttr(dwarf.AttrType, element))
	array.Add(dwarf.NewDIE(dwarf.TagSubrangeType, dwarf.UintAttr(dwarf.AttrUpperBound, 7)))
	for version := uint16(2); version <= 5; version++ {
		root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.UintAttr(dwarf.AttrLanguage, dwarf.LangC99))
		kernel.Set(dwarf.RefAttr(dwarf.AttrType, array))
		root.Add(kernel, element, array)
		s, err := dwarf.Write([]*dwarf.OutUnit{{Version: version, AddrSize: 8, Root: root}},
			dwarf.WriteOptions{})
		if err != nil {
			f.Fatal(err)
		}
		lists := append(s[".debug_loc"], s[".debug_loclists"]...)
		ranges := append(s[".debug_ranges"], s[".debug_rnglists"]...)
		f.Add(s[".debug_info"], s[".debug_abbrev"], s[".debug_str"], lists, ranges, false)
	}
	f.Fuzz(func(_ *testing.T, info, abbrev, str, loc, ranges []byte, big bool) {
		d, err := dwarf.New(dwarf.Sections{
			Info: info, Types: info, Abbrev: abbrev, Str: str, LineStr: str, StrOffsets: loc, Addr: ranges,
			Line: str,
			Loc:  loc, LocLists: loc, Ranges: ranges, RngLists: ranges,
		}, dwarf.Options{BigEndian: big})
		if err != nil {
			return
		}
		for _, print := range []func(io.Writer, *dwarf.Data, Options) error{Info, Lines, LocLists,
			RangeLists} {
			print(io.Discard, d, Options{Verbose: true})
		}
	})
}
