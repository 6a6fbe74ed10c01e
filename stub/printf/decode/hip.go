package decode

import (
	"bytes"
	"errors"
	"fmt"

	"simtgdb/stub/printf"
)

// Bits of the control dword of a record in HIP's buffer; the rest is the size
// of the record in bytes.
const (
	hipStderr   = 1 << 0
	hipConstant = 1 << 1
	hipSize     = 2
)

// readHIP reads the record at the start of b: the control dword, the hash of
// a constant format or the format itself, and the values in 8 bytes each.
func (s *Strings) readHIP(b []byte, w Writer) (Record, bool, error) {
	control := u32(b)
	size := int(control >> hipSize)
	if size < 4 || size > len(b) {
		return Record{}, false, fmt.Errorf("%d bytes by its control dword %#x, %d are left",
			size, control, len(b))
	}
	r := Record{Size: min((size+3)&^3, len(b)), Stderr: control&hipStderr != 0}
	m := &message{data: b[4:size]}
	f, written, err := s.hipFormat(m, control&hipConstant != 0)
	if err != nil {
		return Record{}, false, err
	}
	var values []printf.Value
	if written {
		values, written = m.values(fields(f))
	}
	if !written && w != Gone {
		return Record{}, false, nil
	}
	r.Incomplete = !written
	r.Text, r.Problems = f.Append(nil, values)
	return r, true, nil
}

// hipFormat finds the format of a record. It reports whether that was written.
func (s *Strings) hipFormat(m *message, constant bool) (f *printf.Format, written bool, err error) {
	if !constant {
		text, next, whole := m.text(0)
		m.at = next
		return printf.Parse(string(text), printf.C), whole && bytes.IndexByte(text, Unwritten) < 0, nil
	}
	m.at = 8
	if len(m.data) < m.at {
		return nil, false, fmt.Errorf("%d bytes have no room for a format's hash", len(m.data))
	}
	if hasUnwritten(m.data[:m.at]) {
		return printf.Parse("", printf.C), false, nil
	}
	hash := u64(m.data)
	if f = s.hip[hash]; f == nil {
		return nil, false, fmt.Errorf("format %#x is not in amdhsa.printf, which has %d", hash, len(s.hip))
	}
	return f, true, nil
}

// hasUnwritten reports whether one of the dwords of b was not written.
func hasUnwritten(b []byte) bool {
	for ; len(b) >= 4; b = b[4:] {
		if u32(b) == unwritten {
			return true
		}
	}
	return false
}

// ErrMessage: the bytes are no printf message.
var ErrMessage = errors.New("no printf message")

// HIPMessage reads a message of the hostcall service: control, format and
// values.
func HIPMessage(b []byte) (Record, error) {
	if len(b) < 8 {
		return Record{}, fmt.Errorf("%w: %d bytes", ErrMessage, len(b))
	}
	control := u64(b)
	if control&^hipStderr != 0 {
		return Record{}, fmt.Errorf("%w: control word %#x, want 0, or 1 for standard error", ErrMessage,
			control)
	}
	m := &message{data: b[8:]}
	text, next, _ := m.text(0)
	m.at = next
	f := printf.Parse(string(text), printf.C)
	values, _ := m.values(fields(f))
	r := Record{Size: len(b), Stderr: control&hipStderr != 0}
	r.Text, r.Problems = f.Append(nil, values)
	return r, nil
}

// A message is a sequence of values in 8 bytes each, and strings padded to a
// multiple of 8 with NUL.
type message struct {
	data []byte
	at   int
}

// text reads the string at an offset; next is where what follows begins. It is
// whole if it has its NUL.
func (m *message) text(at int) (text []byte, next int, whole bool) {
	rest := m.data[min(at, len(m.data)):]
	n := bytes.IndexByte(rest, 0)
	if n < 0 {
		return rest, len(m.data), false
	}
	return rest[:n], min(at+(n+8)&^7, len(m.data)), true
}

// values reads a value for each field. A null pointer in the place of a string
// takes no bytes, so if the strings do not end where the message does, some of
// them were null. complete reports whether all that was read had been written.
func (m *message) values(fields []*printf.Conversion) (values []printf.Value, complete bool) {
	null := m.nulls(fields)
	at := m.at
	complete = true
	for i, c := range fields {
		switch {
		case null[i]:
			values = append(values, printf.Value{Kind: printf.Null})
		case at >= len(m.data):
			return values, complete
		case isString(c):
			text, next, whole := m.text(at)
			complete = complete && whole && bytes.IndexByte(text, Unwritten) < 0
			values = append(values, printf.Value{Kind: printf.String, Text: text})
			at = next
		default:
			word := m.data[at:min(at+8, len(m.data))]
			complete = complete && !hasUnwritten(word)
			values = append(values, printf.Scalar(8, load(word, len(word))))
			at += 8
		}
	}
	return values, complete
}

// maxFields is for how many values null pointers are looked for.
const maxFields = 64

// nulls finds which strings were null pointers: late ones, so that the values
// end where the message ends. It finds none if no choice does.
func (m *message) nulls(fields []*printf.Conversion) map[int]bool {
	type state struct{ field, at int }
	dead := map[state]bool{}
	null := map[int]bool{}
	var walk func(i, at int) bool
	walk = func(i, at int) bool {
		if at > len(m.data) || dead[state{i, at}] {
			return false
		}
		if i == len(fields) {
			return at == len(m.data)
		}
		if !isString(fields[i]) {
			if walk(i+1, at+8) {
				return true
			}
		} else {
			if at < len(m.data) {
				if _, next, whole := m.text(at); whole && walk(i+1, next) {
					return true
				}
			}
			null[i] = true
			if walk(i+1, at) {
				return true
			}
			delete(null, i)
		}
		dead[state{i, at}] = true
		return false
	}
	if len(fields) > maxFields || !walk(0, m.at) {
		return nil
	}
	return null
}
