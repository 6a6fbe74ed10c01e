package source

import (
	"cmp"
	"path"

	"simtgdb/dwarf"
	"simtgdb/loader/printable"
)

// An Inlined is a function whose code stands in that of another.
type Inlined struct {
	Name string   // of the function
	From Position // where it is called; no line if that is not known
	Into string   // the function that the call is in
}

func (i Inlined) String() string {
	s := "into " + printable.Name(i.Into)
	if i.From.Line != 0 {
		s += " (" + i.From.String() + ")"
	}
	return s
}

// Inlined gives the functions that the instruction at pc is in and that are inlined, innermost first.
func (m *Map) Inlined(pc uint64) []Inlined {
	if m.Data == nil {
		return nil
	}
	u := m.Data.UnitAt(pc)
	if u == nil {
		return nil
	}
	var all []Inlined
	into := ""
	for _, d := range u.ScopesAt(pc) {
		switch d.Tag {
		case dwarf.TagSubprogram:
			into = d.Name()
		case dwarf.TagInlinedSubroutine:
			in := Inlined{Name: d.Name(), Into: into}
			if line, ok := d.Uint(dwarf.AttrCallLine); ok {
				file, _ := d.Uint(dwarf.AttrCallFile)
				in.From = Position{File: path.Clean(u.FileName(file)), CompDir: u.CompDir(),
					Line: uint32(line)}
			}
			if in.Name != into { // clang inlines into kernels of OpenCL what it calls by the kernel's name
				all = append([]Inlined{in}, all...)
			}
			into = cmp.Or(in.Name, into)
		}
	}
	return all
}
