package debuginfo

import (
	"cmp"
	"slices"

	"simtgdb/dwarf"
)

// macros are the module's macros as .debug_macro has them: those of the unit's own file, and of each other
// file as if it were included in the first line.
func (t *translator) macros() []dwarf.Macro {
	byFile := map[uint32][]dwarf.Macro{}
	for _, d := range t.list {
		m := dwarf.Macro{Line: t.num(d, 1)}
		switch d.number {
		case dMacroDef:
			m.Kind, m.Text = dwarf.MacroDefine, t.str(d, 2)+" "+t.str(d, 3)
		case dMacroUndef:
			m.Kind, m.Text = dwarf.MacroUndef, macroName(t.str(t.get(d.arg(2), dMacroDef), 2))
		default:
			continue
		}
		if m.Text == " " || m.Text == "" {
			continue
		}
		name := t.m.Strings[d.arg(0)] // the document has a string, producers may have a DebugSource
		if s := t.get(d.arg(0), dSource); s != nil {
			name = t.str(s, 0)
		}
		file := t.file(name)
		byFile[file] = append(byFile[file], m)
	}
	if len(byFile) == 0 {
		return nil
	}
	out := []dwarf.Macro{{Kind: dwarf.MacroStartFile}}
	for file := range uint32(len(t.lines.Files)) {
		own := byFile[file]
		slices.SortStableFunc(own, func(a, b dwarf.Macro) int { return cmp.Compare(a.Line, b.Line) })
		if file != 0 && len(own) > 0 {
			own = slices.Concat([]dwarf.Macro{{Kind: dwarf.MacroStartFile, Line: 1, File: uint64(file)}}, own,
				[]dwarf.Macro{{Kind: dwarf.MacroEndFile}})
		}
		out = append(out, own...)
	}
	return append(out, dwarf.Macro{Kind: dwarf.MacroEndFile})
}

// macroName is the name of a macro without its parameters.
func macroName(definition string) string {
	for i, c := range definition {
		if c == '(' || c == ' ' {
			return definition[:i]
		}
	}
	return definition
}
