package device

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// MaxMessage is how many bytes the payload of a message has at most.
const MaxMessage = 1 << 29

// maxPlain is the same for requests that carry no file.
const maxPlain = 1 << 20

// An Error is an error with a status that the client is told.
type Error struct {
	Status Status
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// refuse makes an Error.
func refuse(s Status, format string, args ...any) error {
	return &Error{s, fmt.Errorf(format, args...)}
}

// statusOf is the status for an error that may have none.
func statusOf(err error) Status {
	var e *Error
	if errors.As(err, &e) {
		return e.Status
	}
	return Failed
}

// headerSize is how many bytes the header of a message has.
const headerSize = 8

// A message is a request or an answer.
type message struct {
	op      Op
	status  Status
	payload []byte
}

// readMessage reads a message of at most limit(op) bytes.
func readMessage(r io.Reader, limit func(Op) uint32) (message, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return message{}, err
	}
	le := binary.LittleEndian
	m := message{op: Op(le.Uint16(header[4:])), status: Status(le.Uint16(header[6:]))}
	n := le.Uint32(header[:])
	if most := limit(m.op); n > most {
		return m, fmt.Errorf("operation %d: %d bytes, at most %d", m.op, n, most)
	}
	m.payload = make([]byte, n)
	_, err := io.ReadFull(r, m.payload)
	return m, err
}

// bytes is the message as it is sent.
func (m *message) bytes() []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(make([]byte, 0, headerSize+len(m.payload)), uint32(len(m.payload)))
	b = le.AppendUint16(b, uint16(m.op))
	b = le.AppendUint16(b, uint16(m.status))
	return append(b, m.payload...)
}

// A reader takes the fields of a payload. After the first that is not there it
// gives zeros, and end says so.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) u64() uint64 {
	if len(r.b) < 8 {
		r.b, r.bad = nil, true
		return 0
	}
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

// u32 is a number that has to fit into 32 bits.
func (r *reader) u32() uint32 {
	v := r.u64()
	if v>>32 != 0 {
		r.bad = true
	}
	return uint32(v)
}

// dims are three numbers of 32 bits.
func (r *reader) dims() (d [3]uint32) {
	for i := range d {
		d[i] = r.u32()
	}
	return d
}

// bytes is a string.
func (r *reader) bytes() []byte {
	n := r.u64()
	if n > uint64(len(r.b)) || padded(n) > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return nil
	}
	s := r.b[:n:n]
	r.b = r.b[padded(n):]
	return s
}

// count is the length of a list whose elements have at least size bytes each.
func (r *reader) count(size uint64) int {
	n := r.u64()
	if n > uint64(len(r.b))/size {
		r.b, r.bad = nil, true
		return 0
	}
	return int(n)
}

// end reports what is wrong with the payload, which must be used up.
func (r *reader) end() error {
	switch {
	case r.bad:
		return errors.New("a field is missing or too large")
	case len(r.b) > 0:
		return fmt.Errorf("%d bytes are left over", len(r.b))
	}
	return nil
}

func padded(n uint64) uint64 { return (n + 7) &^ 7 }

// A writer makes a payload.
type writer struct{ b []byte }

func (w *writer) u64(values ...uint64) {
	for _, v := range values {
		w.b = binary.LittleEndian.AppendUint64(w.b, v)
	}
}

func (w *writer) bytes(s []byte) {
	w.u64(uint64(len(s)))
	w.b = append(w.b, s...)
	w.b = append(w.b, make([]byte, padded(uint64(len(s)))-uint64(len(s)))...)
}

func (w *writer) string(s string) { w.bytes([]byte(s)) }
