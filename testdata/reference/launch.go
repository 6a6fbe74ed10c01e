package reference

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// A Launch is a kernel with its grid and its arguments.
type Launch struct {
	CodeObject string // path relative to the launch file
	Kernel     string
	Grid       [3]int // work-items in all
	Block      [3]int // work-items per workgroup
	Args       []Arg
}

// An Arg is one explicit kernel argument: a buffer, LDS, or a value.
type Arg struct {
	Type   string  // element type of a buffer, type of a scalar; else empty
	Buffer []byte  // contents of a buffer
	Expect *Expect // of a buffer
	Local  int     // bytes of LDS that a __local pointer leads to
	Value  []byte  // a scalar or a struct as it lies in the kernel's arguments
}

// An Expect names the file that a buffer must equal after the run.
type Expect struct {
	File     string
	Abs, Rel float64
}

// launchJSON is the form on disk.
type launchJSON struct {
	CodeObject string                       `json:"code_object"`
	Kernel     string                       `json:"kernel"`
	Grid       [3]int                       `json:"grid"`
	Block      [3]int                       `json:"block"`
	Args       []map[string]json.RawMessage `json:"args"`
}

type bufferJSON struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
	Init  string `json:"init"`
}

// ReadLaunch reads a launch file. Files it names for initial contents are
// looked up beside it; the expected ones are only named.
func ReadLaunch(path string) (*Launch, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var raw launchJSON
	if err := strictJSON(text, &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l := &Launch{CodeObject: raw.CodeObject, Kernel: raw.Kernel, Grid: raw.Grid, Block: raw.Block}
	for i, fields := range raw.Args {
		a, err := parseArg(fields, filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("%s: argument %d: %w", path, i, err)
		}
		l.Args = append(l.Args, a)
	}
	return l, nil
}

func strictJSON(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func parseArg(fields map[string]json.RawMessage, folder string) (a Arg, err error) {
	if text, ok := fields["expect"]; ok {
		a.Expect = new(Expect)
		if err := strictJSON(text, a.Expect); err != nil {
			return a, fmt.Errorf("expect: %w", err)
		}
		delete(fields, "expect")
	}
	if len(fields) != 1 {
		return a, fmt.Errorf("has %d kinds, want one", len(fields))
	}
	for kind, text := range fields {
		switch kind {
		case "buffer":
			var b bufferJSON
			if err := strictJSON(text, &b); err != nil {
				return a, fmt.Errorf("buffer: %w", err)
			}
			a.Type = b.Type
			a.Buffer, err = Fill(b.Type, b.Count, b.Init, folder)
		case "local":
			err = json.Unmarshal(text, &a.Local)
		case "bytes":
			var digits string
			if err := json.Unmarshal(text, &digits); err != nil {
				return a, fmt.Errorf("bytes: %w", err)
			}
			a.Value, err = hex.DecodeString(digits)
		default:
			a.Type = kind
			a.Value, err = scalar(kind, text)
		}
	}
	if a.Expect != nil && a.Buffer == nil {
		return a, fmt.Errorf("has an expectation but no buffer")
	}
	return a, err
}

func scalar(kind string, text []byte) ([]byte, error) {
	t, ok := elementTypes[kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", kind)
	}
	var number json.Number
	if err := json.Unmarshal(text, &number); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	b := make([]byte, t.size)
	return b, t.parse(b, number.String())
}

// values decodes a buffer; T may be a struct whose padding is spelled out.
func values[T any](b []byte) []T {
	var one T
	s := make([]T, len(b)/binary.Size(one))
	if _, err := binary.Decode(b, binary.LittleEndian, s); err != nil {
		panic(err) // every T used here has a fixed size
	}
	return s
}

// input returns the elements of buffer argument n.
func input[T any](l *Launch, n int) []T { return values[T](l.Args[n].Buffer) }

// set stores the elements of buffer argument n.
func set[T any](l *Launch, n int, s []T) {
	if _, err := binary.Encode(l.Args[n].Buffer, binary.LittleEndian, s); err != nil {
		panic(err) // s came from input, so it has the buffer's size
	}
}

// i32 and f32 return value argument n.
func (l *Launch) i32(n int) int { return int(int32(binary.LittleEndian.Uint32(l.Args[n].Value))) }
func (l *Launch) f32(n int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(l.Args[n].Value))
}
