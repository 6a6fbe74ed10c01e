package stub

import (
	"bytes"
	"fmt"

	"simtgdb/simt"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/laneexpr"
	"simtgdb/stub/threads"
)

// laneEnv is a frame of a lane, for expressions.
func (s *Session) laneEnv(w *simt.Wave, lane, level int) *laneexpr.Env {
	return laneexpr.At(lanes{s}, s.frames, s.prog.Source.Data, w, lane, level)
}

// laneValue is the text of the value that an expression has in a lane, of a register in hexadecimal if no
// format is given and it is not one that says where the lane is; in angle brackets, why it has none.
func (s *Session) laneValue(e *cexpr.Expr, w *simt.Wave, lane, level int, format byte) string {
	env := s.laneEnv(w, lane, level)
	if env.Frame == nil && level > 0 {
		return fmt.Sprintf("<no frame %d>", level)
	}
	v, err := e.Eval(env)
	text := ""
	if name := e.Register(); name != "" && format == 0 && !isIdentity(name) {
		format = 'x'
	}
	if err == nil {
		text, err = v.Text(env, format)
	}
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return text
}

// lanes are what expressions see of a session. It implements laneexpr.Session.
type lanes struct{ session *Session }

// ReadMemory implements laneexpr.Session.
func (ls lanes) ReadMemory(w *simt.Wave, lane int, addr uint64, p []byte) (int, error) {
	return ls.session.readMemory(threads.Of(w, lane), addr, p)
}

// WriteMemory implements laneexpr.Session.
func (ls lanes) WriteMemory(w *simt.Wave, lane int, addr uint64, p []byte) error {
	return ls.session.WriteMemory(threads.Of(w, lane), addr, p)
}

// Own implements laneexpr.Session.
func (ls lanes) Own(w *simt.Wave, lane int, addr uint64) (offset uint64, own bool, err error) {
	o, err := ls.session.ownAt(threads.Of(w, lane), addr)
	return o.offset, o.kind != 0, err
}

// Register implements laneexpr.Session.
func (ls lanes) Register(w *simt.Wave, lane int, name string) (contents []byte, known bool, err error) {
	for i := range ls.session.registers {
		if r := &ls.session.registers[i]; r.name == name && r.get != nil {
			b, err := ls.session.contentsOf(w, lane, r)
			return bytes.Clone(b), true, err
		}
	}
	return nil, false, nil
}
