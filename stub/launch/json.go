package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"simtgdb/loader/printable"
)

// A FileError says where in a launch file what is wrong.
type FileError struct {
	File   string
	Offset int64
	Line   int // counted from 1, as the column is
	Column int
	Err    error
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// A value is a piece of JSON text and where in the file it is. encoding/json
// alone would let pass keys that differ in case or come twice, and does not
// say where an unknown one is.
type value struct {
	path   string // "args[2].buffer"
	text   []byte
	offset int64
}

// A valueError is about a place of the file.
type valueError struct {
	offset int64
	err    error
}

func (e *valueError) Error() string { return e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// errorf is an error about the value.
func (v value) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if v.path != "" {
		err = fmt.Errorf("%s: %w", v.path, err)
	}
	return &valueError{v.offset, err}
}

// locate turns an error about a place into one with line and column.
func locate(file string, text []byte, err error) error {
	var at *valueError
	if !errors.As(err, &at) {
		return fmt.Errorf("%s: %w", file, err)
	}
	before := text[:min(max(at.offset, 0), int64(len(text)))]
	line := bytes.Count(before, []byte("\n")) + 1
	return &FileError{file, at.offset, line, len(before) - bytes.LastIndexByte(before, '\n'), at.err}
}

// syntax makes errors of the JSON decoder, which counts from the value's
// start, into errors about the file.
func (v value) syntax(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return &valueError{v.offset + max(syntax.Offset-1, 0), err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &valueError{v.offset + int64(len(v.text)), errors.New("the JSON text ends too early")}
	}
	return v.errorf("%w", err)
}

// kindOf names a JSON value by its first byte.
func (v value) kind() string {
	switch first := v.text[0]; {
	case first == '{':
		return "an object"
	case first == '[':
		return "an array"
	case first == '"':
		return "a string"
	case first == 't', first == 'f':
		return "a boolean"
	case first == 'n':
		return "null"
	}
	return "a number"
}

// want checks the kind of the value.
func (v value) want(kind string) error {
	if have := v.kind(); have != kind {
		return v.errorf("want %s, not %s", kind, have)
	}
	return nil
}

// fields reads an object, in which no key may come twice.
func (v value) fields() (keys []string, values map[string]value, err error) {
	if err := v.want("an object"); err != nil {
		return nil, nil, err
	}
	d := json.NewDecoder(bytes.NewReader(v.text))
	d.Token() // the brace
	values = map[string]value{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, v.syntax(err)
		}
		key := t.(string)
		at := v.offset + d.InputOffset()
		field, err := v.next(d, v.path+"."+printable.Name(key))
		if err != nil {
			return nil, nil, err
		}
		field.path = strings.TrimPrefix(field.path, ".")
		if _, twice := values[key]; twice {
			return nil, nil, &valueError{at, fmt.Errorf("%s: comes twice", field.path)}
		}
		keys = append(keys, key)
		values[key] = field
	}
	return keys, values, nil
}

// elements reads an array of at most limit elements.
func (v value) elements(limit int) ([]value, error) {
	if err := v.want("an array"); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(v.text))
	d.Token() // the bracket
	var list []value
	for d.More() {
		if len(list) == limit {
			return nil, v.errorf("has more than %d elements", limit)
		}
		e, err := v.next(d, fmt.Sprintf("%s[%d]", v.path, len(list)))
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// next reads the decoder's next value.
func (v value) next(d *json.Decoder, path string) (value, error) {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return value{}, v.syntax(err)
	}
	return value{path, raw, v.offset + d.InputOffset() - int64(len(raw))}, nil
}

// A schema says what reads each field of an object.
type schema map[string]func(value) error

// object reads an object all of whose fields the schema has. Fields are read
// in the order of the file.
func (v value) object(s schema) error {
	keys, values, err := v.fields()
	if err != nil {
		return err
	}
	for _, k := range keys {
		read := s[k]
		if read == nil {
			field := values[k]
			return &valueError{field.offset,
				fmt.Errorf("%s: unknown field %q; the fields are %s", field.path, k,
					names(s))}
		}
		if err := read(values[k]); err != nil {
			return err
		}
	}
	return nil
}

// into unmarshals the value, which must be of a kind.
func into[T any](v value, kind string, to *T) error {
	if err := v.want(kind); err != nil {
		return err
	}
	if err := json.Unmarshal(v.text, to); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return v.errorf("%s is not in the range of %v", wrong.Value, wrong.Type)
		}
		return v.errorf("%w", err)
	}
	return nil
}

func stringTo(to *string) func(value) error {
	return func(v value) error { return into(v, "a string", to) }
}

func boolTo(to *bool) func(value) error {
	return func(v value) error { return into(v, "a boolean", to) }
}

func numberTo[T uint64 | float64](to *T) func(value) error {
	return func(v value) error { return into(v, "a number", to) }
}
