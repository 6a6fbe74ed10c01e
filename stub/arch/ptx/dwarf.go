package ptx

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/dwarf/line"
	"simtgdb/dwarf/types"
	text "simtgdb/loader/ptx"
)

// The names of sections that debugSections makes.
var sectionNames = []string{".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_loc",
	".debug_ranges", ".debug_aranges", ".debug_line_str"}

// debugSections makes debugging information that says in standard DWARF what the text's says with the
// meaning that PTX gives it:
//
//   - rows of lines become a line table;
//   - the address of a depot, which is every activation's own, becomes an offset from the frame base;
//   - a location list's constants, which are values, are said to be such;
//   - scopes that overlap their neighbours lose what inner ones have;
//   - a text that has lines alone gets functions for them.
func debugSections(m *text.Module) (map[string][]byte, error) {
	if len(m.Rows) == 0 && len(m.Sections) == 0 {
		return nil, nil
	}
	table := lines(m)
	data := map[string][]byte{}
	for _, s := range m.Sections {
		data[s.Name] = s.Data
	}
	if len(data[".debug_info"]) == 0 {
		return dwarf.Write([]*dwarf.OutUnit{linesOnly(m, table)}, dwarf.WriteOptions{})
	}
	var err error
	if data[".debug_line"], err = table.Append(nil, line.EncodeOptions{}); err != nil {
		return nil, err
	}
	d, err := dwarf.New(dwarf.SectionsNamed(data), dwarf.Options{})
	if err != nil {
		return nil, err
	}
	t := &translator{}
	units, err := dwarf.Copy(d.Units(), dwarf.CopyOptions{Edit: t.edit})
	if err != nil {
		return nil, err
	}
	if t.err != nil {
		return nil, t.err
	}
	for _, u := range units {
		closeScopes(u.Root)
	}
	return dwarf.Write(units, dwarf.WriteOptions{})
}

// lines makes the line table. A function begins with rows of column 0 for its opening line; the first
// is enough, so that the next is where its body begins.
func lines(m *text.Module) *line.Table {
	t := &line.Table{Header: line.NewHeader(4, text.InstSize)}
	numbers := fileNumbers(m)
	for _, n := range slices.Sorted(maps.Keys(m.Files)) {
		t.Files = append(t.Files, line.File{Name: path.Clean(m.Files[n])})
	}
	rows := sortedRows(m)
	for _, f := range m.Funcs {
		if f.Defined {
			t.Rows = append(t.Rows, rowsOf(f, rows, numbers)...)
		}
	}
	return t
}

// fileNumbers are those that the line table has for files, by the text's.
func fileNumbers(m *text.Module) map[int]uint32 {
	numbers := map[int]uint32{}
	for i, n := range slices.Sorted(maps.Keys(m.Files)) {
		numbers[n] = uint32(i + 1)
	}
	return numbers
}

// sortedRows are a module's rows in ascending order.
func sortedRows(m *text.Module) []text.Row {
	rows := slices.Clone(m.Rows)
	slices.SortStableFunc(rows, func(a, b text.Row) int { return cmp.Compare(a.Addr, b.Addr) })
	return rows
}

// rowsOf makes the rows of a function, with one that ends them.
func rowsOf(f *text.Func, rows []text.Row, numbers map[int]uint32) []line.Row {
	from, _ := slices.BinarySearchFunc(rows, f.Start, func(r text.Row, a uint64) int {
		return cmp.Compare(r.Addr, a)
	})
	var out []line.Row
	opening, entered := true, enteredFrom(f, rows[from:])
	for i, r := range rows[from:] {
		if r.Addr >= f.End {
			break
		}
		row := line.Row{Addr: r.Addr, Line: uint32(min(r.Line, math.MaxInt32)),
			Column: uint32(min(r.Col, math.MaxInt32)), File: numbers[r.File], Flags: line.IsStmt}
		if opening && len(out) > 0 && r.Col == 0 && row.Line == out[0].Line {
			continue
		}
		if r.Col != 0 && opening && len(out) > 0 {
			opening = false
			row.Flags |= line.PrologueEnd
		}
		if n := len(out); n > 0 && row.Flags == line.IsStmt && out[n-1].Addr != r.Addr && !entered[r.Addr] &&
			sameStatement(&rows[from+i-1], &r) {
			row.Flags = 0
		}
		if n := len(out); n > 0 && out[n-1].Addr == r.Addr {
			out = out[:n-1] // no statement is of the row before
		}
		out = append(out, row)
	}
	if len(out) > 0 {
		end := out[len(out)-1]
		end.Addr, end.Flags = f.End, line.EndSequence|line.IsStmt
		out = append(out, end)
	}
	return out
}

// sameStatement reports whether a row goes on with the line of the row before it. Compilers write one for
// each column, and each is a statement to gdb.
func sameStatement(before, r *text.Row) bool {
	return before.File == r.File && before.Line == r.Line && before.Function == r.Function &&
		before.InlinedAt == r.InlinedAt
}

// enteredFrom are the places of a function that instructions of another line jump to: a statement begins
// there, since lanes come to it that have not been at the beginning of its line.
func enteredFrom(f *text.Func, rows []text.Row) map[uint64]bool {
	rowAt := func(addr uint64) *text.Row {
		i, _ := slices.BinarySearchFunc(rows, addr+1,
			func(r text.Row, a uint64) int { return cmp.Compare(r.Addr, a) })
		if i == 0 {
			return nil
		}
		return &rows[i-1]
	}
	entered := map[uint64]bool{}
	for _, j := range f.Jumps {
		if from, to := rowAt(j.From), rowAt(j.To); from == nil || to == nil || !sameStatement(from, to) {
			entered[j.To] = true
		}
	}
	return entered
}

// linesOnly makes a unit for a text that has lines alone.
func linesOnly(m *text.Module, table *line.Table) *dwarf.OutUnit {
	name := "ptx"
	if len(table.Files) > 0 {
		name = table.Files[0].Name
	}
	root := dwarf.NewDIE(dwarf.TagCompileUnit, dwarf.StringAttr(dwarf.AttrName, name),
		dwarf.StringAttr(dwarf.AttrProducer, "clang"), dwarf.AddressAttr(dwarf.AttrLowPC, 0))
	var ranges []dwarf.Range
	named := &functions{root: root, spaces: map[string]*dwarf.DIE{}}
	within := &inlined{functions: named, numbers: fileNumbers(m), origins: map[string]*dwarf.DIE{}}
	rows := sortedRows(m)
	for _, f := range m.Funcs {
		if !f.Defined {
			continue
		}
		ranges = append(ranges, dwarf.Range{Low: f.Start, High: f.End})
		d := named.add(f.Name, dwarf.AddressAttr(dwarf.AttrLowPC, f.Start),
			dwarf.UintAttr(dwarf.AttrHighPC, f.End-f.Start), dwarf.FlagAttr(dwarf.AttrExternal))
		within.add(f, d, rows)
	}
	root.Set(dwarf.RangesAttr(ranges))
	root.Set(dwarf.UintAttr(dwarf.AttrLanguage, named.language()))
	return &dwarf.OutUnit{Version: 4, AddrSize: 8, Root: root, Lines: table}
}

// A translator rewrites locations.
type translator struct{ err error }

// edit changes the copy of an entry.
func (t *translator) edit(src, dst *dwarf.DIE) bool {
	dst.Delete(dwarf.AttrAddressClass) // addresses say it themselves now
	a, ok := src.Attr(dwarf.AttrLocation)
	if !ok || t.err != nil {
		return true
	}
	locs, err := src.Unit.LocList(a)
	if err != nil {
		t.err = fmt.Errorf("location of %q: %w", src.Name(), err)
		return true
	}
	isList := a.Class == dwarf.ClassLocList
	large := types.Model{}.Size(src.TypeDIE()) > 8
	locs = slices.DeleteFunc(locs,
		func(l dwarf.LocEntry) bool { return isList && large && allConstant(l.Expr) })
	for i := range locs {
		locs[i].Expr = translate(locs[i].Expr, isList)
	}
	switch {
	case isList:
		dst.Set(dwarf.LocListAttr(dwarf.AttrLocation, locs))
	case len(locs) == 1:
		dst.Set(dwarf.ExprAttr(dwarf.AttrLocation, locs[0].Expr))
	}
	return true
}

// allConstant reports whether an expression is one number and nothing else. Of an object that is larger
// than any number clang means that its memory was cleared, and goes on saying so when it is no more.
func allConstant(e []byte) bool {
	if len(e) == 0 {
		return false
	}
	n := operationLength(e)
	return isConstant(e[0]) && n == len(e)
}

// translate rewrites an expression: see debugSections. One with operations that PTX has no use for stays.
func translate(e []byte, isList bool) []byte {
	var out []byte
	constant, fresh := false, true // the piece so far is computed from constants alone, or nothing
	value := func() {
		if constant && isList {
			out = append(out, expr.OpStackValue)
		}
		constant, fresh = false, true
	}
	for rest := e; len(rest) > 0; {
		n := operationLength(rest)
		if n == 0 || n > len(rest) {
			return e
		}
		code := rest[:n]
		rest = rest[n:]
		op := code[0]
		if op == expr.OpPiece {
			value()
			out = append(out, code...)
			continue
		}
		constant, fresh = isConstant(op) && (fresh || constant) ||
			isArithmetic(op) && constant && !fresh, false
		if op == expr.OpAddr {
			if offset := binary.LittleEndian.Uint64(code[1:]) - text.LocalBase; offset < 1<<48 {
				code = expr.AppendFbreg(nil, int64(uint32(offset)))
			}
		}
		out = append(out, code...)
	}
	value()
	return out
}

// operations that PTX's compilers write, by how their operands are encoded: s is an LEB128, 1 to 8 are
// bytes.
var operands = map[uint8]string{
	expr.OpAddr: "8", expr.OpRegx: "s", expr.OpBregx: "ss", expr.OpFbreg: "s", expr.OpPiece: "s",
	expr.OpPlusUconst: "s", expr.OpConstu: "s", expr.OpConsts: "s", expr.OpConst1u: "1", expr.OpConst1s: "1",
	expr.OpConst2u: "2", expr.OpConst2s: "2", expr.OpConst4u: "4", expr.OpConst4s: "4", expr.OpConst8u: "8",
	expr.OpConst8s: "8", expr.OpDeref: "", expr.OpStackValue: "",
}

// isArithmetic reports whether an operation computes from numbers on the stack: DW_OP_abs to DW_OP_xor.
func isArithmetic(op uint8) bool { return op >= expr.OpAbs && op <= expr.OpXor }

// operationLength is how many bytes the first operation of an expression has, 0 if it is not known.
func operationLength(e []byte) int {
	forms, ok := operands[e[0]]
	ok = ok || isArithmetic(e[0])
	if !ok && (e[0] < expr.OpLit0 || e[0] >= expr.OpLit0+32) {
		return 0
	}
	n := 1
	for _, f := range forms {
		if f != 's' {
			n += int(f - '0')
			continue
		}
		for n < len(e) && e[n]&0x80 != 0 {
			n++
		}
		n++
	}
	return n
}

// isConstant reports whether an operation pushes a number: DW_OP_lit0 to 31, and DW_OP_const1u to consts.
func isConstant(op uint8) bool {
	return op >= expr.OpLit0 && op < expr.OpLit0+32 || op >= expr.OpConst1u && op <= expr.OpConsts
}
