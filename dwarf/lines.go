package dwarf

import "simtgdb/dwarf/line"

// Lines gives the unit's line table, nil where it has none. With an error the table has what could be
// read.
func (u *Unit) Lines() (*line.Table, error) {
	u.linesOnce.Do(func() {
		top, err := u.Top()
		if err != nil {
			u.linesErr = err
			return
		}
		a := top.attr(AttrStmtList)
		if a == nil {
			return
		}
		u.lines, u.linesErr = u.Data.lineTable(u, a.Val)
	})
	return u.lines, u.linesErr
}

type lineResult struct {
	table *line.Table
	err   error
}

// lineTable reads a table for the first unit that wants it: type units share that of their compilation
// unit.
func (d *Data) lineTable(u *Unit, offset uint64) (*line.Table, error) {
	d.lineMu.Lock()
	defer d.lineMu.Unlock()
	res, ok := d.lineTables[offset]
	if !ok {
		res.table, res.err = line.Parse(u.LineSections(), offset)
		u.amendIntel(res.table)
		d.lineTables[offset] = res
	}
	return res.table, res.err
}

// LineSections is what reading the unit's line table needs.
func (u *Unit) LineSections() *line.Sections {
	s := &u.Data.sec
	return &line.Sections{
		Line: s.Line, LineStr: s.LineStr, Str: s.Str, BigEndian: u.Data.big,
		StrOffset: u.strOffset,
	}
}

// FileName gives the path for a DW_AT_decl_file or DW_AT_call_file of the unit, "" where the line table
// has no such file.
func (u *Unit) FileName(index uint64) string {
	t, _ := u.Lines()
	if t == nil {
		return ""
	}
	return t.Path(index, u.CompDir())
}
