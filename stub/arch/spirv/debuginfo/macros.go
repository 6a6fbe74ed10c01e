package debuginfo

import (
	"cmp"
	"slices"
	"strings"

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
	// No producer writes these instructions; the text says the same, where the module has it.
	if len(byFile) == 0 {
		for n := range t.lines.Files {
			if found := defined(string(t.lines.Files[n].Source)); len(found) > 0 {
				byFile[uint32(n)] = found
			}
		}
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

// mostMacros bounds what a text defines.
const mostMacros = 10000

// defined are the macros that a text defines whatever the compiler was told: those within #if and its like
// are left out.
func defined(text string) (all []dwarf.Macro) {
	lines := strings.Split(text, "\n")
	within := 0
	for i := 0; i < len(lines) && len(all) < mostMacros; i++ {
		at, whole := i+1, strings.TrimRight(lines[i], "\r")
		for strings.HasSuffix(whole, "\\") && i+1 < len(lines) {
			i++
			whole = strings.TrimSuffix(whole, "\\") + " " + strings.TrimRight(lines[i], "\r")
		}
		directive, ok := strings.CutPrefix(strings.TrimSpace(whole), "#")
		if !ok {
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(directive), " ")
		rest = strings.TrimSpace(withoutComments(rest))
		m := dwarf.Macro{Line: uint64(at), Text: rest}
		switch word {
		case "if", "ifdef", "ifndef":
			within++
			continue
		case "endif":
			within = max(within-1, 0)
			continue
		case "define":
			m.Kind = dwarf.MacroDefine
			if len(macroName(rest)) == len(rest) {
				m.Text += " " // the name is followed by a space and what may be nothing
			}
		case "undef":
			m.Kind = dwarf.MacroUndef
		default:
			continue
		}
		if within == 0 && rest != "" {
			all = append(all, m)
		}
	}
	return all
}

// withoutComments is a line without its comments.
func withoutComments(line string) string {
	line, _, _ = strings.Cut(line, "//")
	for {
		before, rest, ok := strings.Cut(line, "/*")
		if !ok {
			return line
		}
		_, after, _ := strings.Cut(rest, "*/")
		line = before + " " + after
	}
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
