package ptx

import "fmt"

// A Pos is a place in the text, both numbers counted from 1; columns are bytes.
type Pos struct{ Line, Col int }

// An Error says where a text is not PTX, and what was expected there. File may be empty, for callers
// that say it themselves.
type Error struct {
	File string
	Pos  Pos
	Msg  string
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Col, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Msg)
}

// quoted shortens a name out of a file for a message and escapes it.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}
