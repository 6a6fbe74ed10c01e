// Package msgpack reads MessagePack documents as trees of values.
//
// It is made for the metadata notes of AMDGPU code objects: one document, read
// whole, in which the order of keys and the place of each value in the input
// are kept for messages. It does not write, map values to Go types, or stream.
// The format is that of the MessagePack specification
// (github.com/msgpack/msgpack, spec.md, "Formats").
//
// Input is untrusted: nesting is bounded by [MaxDepth], and memory grows with
// the bytes that are there, not with the counts that are announced.
package msgpack

import (
	"encoding/binary"
	"fmt"
	"math"
)

// MaxDepth is how deep arrays and maps may nest.
const MaxDepth = 64

// Kind is the type of a value.
type Kind uint8

// The kinds of MessagePack values. Signed and unsigned integers are one kind:
// encoders choose among them by size.
const (
	Nil Kind = iota
	Bool
	Int
	Float
	String
	Binary
	Array
	Map
	Extension
)

var kindNames = [...]string{"nil", "boolean", "integer", "float", "string", "binary", "array", "map",
	"extension"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Value is one node of the tree. The zero Value is nil.
type Value struct {
	kind     Kind
	negative bool   // Int below zero: bits holds an int64
	bits     uint64 // Bool, Int, Float; the type of an Extension
	bytes    []byte // String, Binary, Extension
	items    []Value
	offset   int
}

// Pair is an entry of a map.
type Pair struct{ Key, Value Value }

// Kind tells the type of the value.
func (v Value) Kind() Kind { return v.kind }

// Offset is where the value begins in the decoded bytes.
func (v Value) Offset() int { return v.offset }

// Bool gives a boolean.
func (v Value) Bool() (b, ok bool) { return v.bits != 0, v.kind == Bool }

// Int gives an integer that an int64 can hold.
func (v Value) Int() (n int64, ok bool) {
	return int64(v.bits), v.kind == Int && (v.negative || v.bits <= math.MaxInt64)
}

// Uint gives an integer that is not negative.
func (v Value) Uint() (n uint64, ok bool) { return v.bits, v.kind == Int && !v.negative }

// Float gives a floating-point number.
func (v Value) Float() (f float64, ok bool) {
	return math.Float64frombits(v.bits), v.kind == Float
}

// Str gives a string. The bytes are as in the input: not checked to be UTF-8.
func (v Value) Str() (s string, ok bool) {
	if v.kind != String {
		return "", false
	}
	return string(v.bytes), true
}

// Bytes gives the bytes of a binary value or of an extension. They alias the
// decoded input.
func (v Value) Bytes() (b []byte, ok bool) {
	if v.kind != Binary && v.kind != Extension {
		return nil, false
	}
	return v.bytes, true
}

// ExtensionType gives the application type of an extension.
func (v Value) ExtensionType() (t int8, ok bool) { return int8(v.bits), v.kind == Extension }

// Array gives the elements of an array.
func (v Value) Array() (elems []Value, ok bool) {
	if v.kind != Array {
		return nil, false
	}
	return v.items, true
}

// Len is the number of elements of an array or entries of a map, else 0.
func (v Value) Len() int {
	if v.kind == Map {
		return len(v.items) / 2
	}
	return len(v.items)
}

// Pairs ranges over the entries of a map in input order; over nothing for
// other kinds.
func (v Value) Pairs(yield func(Pair) bool) {
	if v.kind != Map {
		return
	}
	for i := 0; i+1 < len(v.items); i += 2 {
		if !yield(Pair{v.items[i], v.items[i+1]}) {
			return
		}
	}
}

// Get gives the value of the first entry of a map whose key is that string.
func (v Value) Get(key string) (Value, bool) {
	for p := range v.Pairs {
		if p.Key.kind == String && string(p.Key.bytes) == key {
			return p.Value, true
		}
	}
	return Value{}, false
}

// Error says why input is not a MessagePack document, and where.
type Error struct {
	Offset int
	What   string
}

func (e *Error) Error() string { return fmt.Sprintf("msgpack: offset %#x: %s", e.Offset, e.What) }

// Decode reads one document that takes up all of data. Strings and binary
// values alias data.
func Decode(data []byte) (Value, error) {
	d := decoder{data: data}
	v, err := d.value(0)
	if err != nil {
		return Value{}, err
	}
	if d.pos != len(data) {
		return Value{}, &Error{d.pos, fmt.Sprintf("%d bytes after the end of the document", len(data)-d.pos)}
	}
	return v, nil
}

type decoder struct {
	data []byte
	pos  int
}

// format describes a tag byte from 0xc0 to 0xdf: what it begins, and how many
// bytes follow that are the value (scalars) or its length (all others).
type format struct {
	kind  Kind
	size  uint8
	fixed uint8 // length of a fixext, whose tag implies it
	sign  bool  // a signed integer
	valid bool
	bits  uint8 // value of false and true
}

var formats = [0x20]format{
	0x00: {kind: Nil, valid: true},
	0x02: {kind: Bool, valid: true},
	0x03: {kind: Bool, valid: true, bits: 1},
	0x04: {kind: Binary, size: 1, valid: true},
	0x05: {kind: Binary, size: 2, valid: true},
	0x06: {kind: Binary, size: 4, valid: true},
	0x07: {kind: Extension, size: 1, valid: true},
	0x08: {kind: Extension, size: 2, valid: true},
	0x09: {kind: Extension, size: 4, valid: true},
	0x0a: {kind: Float, size: 4, valid: true},
	0x0b: {kind: Float, size: 8, valid: true},
	0x0c: {kind: Int, size: 1, valid: true},
	0x0d: {kind: Int, size: 2, valid: true},
	0x0e: {kind: Int, size: 4, valid: true},
	0x0f: {kind: Int, size: 8, valid: true},
	0x10: {kind: Int, size: 1, sign: true, valid: true},
	0x11: {kind: Int, size: 2, sign: true, valid: true},
	0x12: {kind: Int, size: 4, sign: true, valid: true},
	0x13: {kind: Int, size: 8, sign: true, valid: true},
	0x14: {kind: Extension, fixed: 1, valid: true},
	0x15: {kind: Extension, fixed: 2, valid: true},
	0x16: {kind: Extension, fixed: 4, valid: true},
	0x17: {kind: Extension, fixed: 8, valid: true},
	0x18: {kind: Extension, fixed: 16, valid: true},
	0x19: {kind: String, size: 1, valid: true},
	0x1a: {kind: String, size: 2, valid: true},
	0x1b: {kind: String, size: 4, valid: true},
	0x1c: {kind: Array, size: 2, valid: true},
	0x1d: {kind: Array, size: 4, valid: true},
	0x1e: {kind: Map, size: 2, valid: true},
	0x1f: {kind: Map, size: 4, valid: true},
}

// take consumes n bytes.
func (d *decoder) take(n uint64, what string) ([]byte, error) {
	if n > uint64(len(d.data)-d.pos) {
		return nil, &Error{d.pos, fmt.Sprintf("%s needs %d bytes, %d are left", what, n, len(d.data)-d.pos)}
	}
	b := d.data[d.pos : d.pos+int(n)]
	d.pos += int(n)
	return b, nil
}

// number consumes a big-endian number of the given size.
func (d *decoder) number(size uint8, what string) (uint64, error) {
	b, err := d.take(uint64(size), what)
	if err != nil {
		return 0, err
	}
	var full [8]byte
	copy(full[8-len(b):], b)
	return binary.BigEndian.Uint64(full[:]), nil
}

func (d *decoder) value(depth int) (Value, error) {
	v := Value{offset: d.pos}
	b, err := d.take(1, "a value")
	if err != nil {
		return v, err
	}
	switch tag := b[0]; {
	case tag < 0x80: // positive fixint
		v.kind, v.bits = Int, uint64(tag)
		return v, nil
	case tag >= 0xe0: // negative fixint
		v.kind, v.bits, v.negative = Int, uint64(int64(int8(tag))), true
		return v, nil
	case tag < 0x90:
		return d.container(v, Map, uint64(tag&0x0f), depth)
	case tag < 0xa0:
		return d.container(v, Array, uint64(tag&0x0f), depth)
	case tag < 0xc0:
		return d.blob(v, String, uint64(tag&0x1f))
	default:
		return d.tagged(v, tag, depth)
	}
}

// tagged reads a value whose tag is in the formats table.
func (d *decoder) tagged(v Value, tag byte, depth int) (Value, error) {
	f := formats[tag-0xc0]
	if !f.valid {
		return v, &Error{v.offset, fmt.Sprintf("byte %#x begins no value", tag)}
	}
	n, err := d.number(f.size, f.kind.String())
	if err != nil {
		return v, err
	}
	switch f.kind {
	case Array, Map:
		return d.container(v, f.kind, n, depth)
	case String, Binary:
		return d.blob(v, f.kind, n)
	case Extension:
		t, err := d.number(1, "extension type")
		if err != nil {
			return v, err
		}
		v.bits = t
		return d.blob(v, f.kind, n+uint64(f.fixed))
	}
	v.kind, v.bits = f.kind, n|uint64(f.bits)
	switch {
	case f.kind == Float && f.size == 4:
		v.bits = math.Float64bits(float64(math.Float32frombits(uint32(n))))
	case f.sign:
		shift := 64 - 8*uint(f.size)
		v.bits = uint64(int64(n<<shift) >> shift)
		v.negative = int64(v.bits) < 0
	}
	return v, nil
}

// blob reads the n bytes of a string, binary value or extension.
func (d *decoder) blob(v Value, kind Kind, n uint64) (Value, error) {
	b, err := d.take(n, kind.String())
	v.kind, v.bytes = kind, b
	return v, err
}

// container reads the elements of an array or the entries of a map. The
// announced count is only believed as far as there are bytes for it.
func (d *decoder) container(v Value, kind Kind, n uint64, depth int) (Value, error) {
	if depth >= MaxDepth {
		return v, &Error{v.offset, fmt.Sprintf("arrays and maps nest deeper than %d", MaxDepth)}
	}
	if kind == Map {
		n *= 2
	}
	if n > uint64(len(d.data)-d.pos) {
		return v, &Error{v.offset, fmt.Sprintf("%s of %d values, only %d bytes are left", kind, n,
			len(d.data)-d.pos)}
	}
	v.kind = kind
	v.items = make([]Value, 0, min(n, 16))
	for range n {
		item, err := d.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.items = append(v.items, item)
	}
	return v, nil
}
