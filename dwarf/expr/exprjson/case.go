// Package exprjson evaluates DWARF expressions in contexts that are described as JSON: registers, memory,
// lanes and what else an expression can ask for. It is for those who write compilers, and for the tests of
// package expr: testdata has some hundred cases whose results were stated without this program.
//
// It knows no files and no machine: all that an expression finds is in its case. testdata/README.md lists the
// members of a case.
//
// Entry point: [Run].
package exprjson

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// The input: expressions and the contexts to evaluate them in. Numbers are JSON
// integers or strings that Go reads as integers, such as "0x1204". Members that
// are not known are ignored.
type input struct {
	Cases []testCase `json:"cases"`
}

type testCase struct {
	ID         string      `json:"id"`
	Expression hexBytes    `json:"expression"`
	Result     string      `json:"result"` // "location" (also if empty) or "value"
	Options    options     `json:"options"`
	Context    description `json:"context"`
	Writes     []write     `json:"writes"`
	Read       *read       `json:"read"`
}

// options say how the expression is to be read.
type options struct {
	OldEncoding     bool `json:"old_encoding"`
	Intel           bool `json:"intel"` // expr.Intel and expr.IntelGT
	XderefIsAddress bool `json:"xderef_is_address"`
	StockClang      bool `json:"stock_clang"`  // expr.StockClang
	FlatScratch     bool `json:"flat_scratch"` // with stock_clang
	CallFrame       bool `json:"call_frame"`   // as in call frame information
	DWARF64         bool `json:"dwarf64"`
	Version         int  `json:"version"`
	// Assign gives operations a code of one's own: a byte, or 0x100 plus a
	// sub-operation of DW_OP_LLVM_user.
	Assign map[string]number `json:"assign"`
}

// description describes registers, memory and the rest of what an expression
// can ask for. What is left out is missing.
type description struct {
	AddressSize    int                  `json:"address_size"` // 8 if left out
	WaveSize       int                  `json:"wave_size"`    // 64 if left out
	Lane           *int                 `json:"lane"`
	Iteration      *number              `json:"iteration"`
	Registers      map[number]hexBytes  `json:"registers"`
	Memory         []memory             `json:"memory"`
	FrameBase      *hexBytes            `json:"frame_base"`
	CFA            *hexBytes            `json:"cfa"`
	Object         *hexBytes            `json:"object"`
	TLSBase        *hexBytes            `json:"tls_base"`
	Procedures     map[number]procedure `json:"procedures"`
	EntryRegisters map[number]hexBytes  `json:"entry_registers"`
	Parameters     map[number]hexBytes  `json:"parameters"`
	Addresses      []number             `json:"addresses"`
	BaseTypes      map[number]baseType  `json:"base_types"`
	InitialStack   []stackEntry         `json:"initial_stack"`
}

type memory struct {
	Space   json.RawMessage `json:"aspace,omitempty"`
	Address json.RawMessage `json:"address"`
	Lane    *int            `json:"lane,omitempty"` // of a per-lane space
	Hex     hexBytes        `json:"hex"`
}

// An procedure is an expression, or the places of a location list that hold
// at once.
type procedure struct {
	code   hexBytes
	places []location
}

func (p *procedure) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, &p.places)
	}
	return json.Unmarshal(b, &p.code)
}

type baseType struct {
	Encoding string `json:"encoding"`
	Bits     int    `json:"bits"`
}

// An stackEntry of an initial stack is a location, or a value if it has no kind.
type stackEntry struct {
	location
	Type number `json:"type"` // of a value: a base type's offset, 0 for generic
}

type write struct {
	BitOffset number `json:"bit_offset"`
	Bits      number `json:"bits"`
	Value     number `json:"value"`
}

type read struct {
	BitOffset   number `json:"bit_offset"`
	ElementBits number `json:"element_bits"`
	Count       number `json:"count"`
}

// Bounds on what one read or write is asked to do.
const (
	maxElements = 1 << 16
	maxBits     = 1 << 24 // in all elements
)

// An location is a location in input and output; members that do not apply
// are left out.
type location struct {
	Kind       string     `json:"kind,omitempty"`
	Space      *uint64    `json:"aspace,omitempty"`
	Address    *number    `json:"address,omitempty"`
	Lane       *int       `json:"lane,omitempty"`
	Number     *uint64    `json:"number,omitempty"`
	DIE        *number    `json:"die,omitempty"`
	ByteOffset int64      `json:"byte_offset,omitempty"`
	BitOffset  uint64     `json:"bit_offset,omitempty"`
	Bits       *big.Int   `json:"bits,omitempty"`
	Value      *number    `json:"value,omitempty"`
	Parts      []part     `json:"parts,omitempty"`
	Places     []location `json:"places,omitempty"`
}

type part struct {
	Bits     *big.Int `json:"bits"`
	Location location `json:"location"`
}

// An result is the output for one case.
type result struct {
	ID       string    `json:"id"`
	Location *location `json:"location,omitempty"`
	Value    *number   `json:"value,omitempty"`
	Bits     *uint64   `json:"bits,omitempty"`
	Elements []*number `json:"elements,omitempty"`
	After    *after    `json:"after,omitempty"`
	Error    string    `json:"error,omitempty"`
}

type after struct {
	Registers map[number]hexBytes `json:"registers,omitempty"`
	Memory    []memory            `json:"memory,omitempty"`
}

// A number is an integer of any size: in JSON an integer or a string, written
// as a hex string. It can be the key of an object; then it keeps its spelling.
type number struct{ text string }

func hexNumber(v uint64) number { return number{fmt.Sprintf("0x%x", v)} }

// bytesNumber is the number with the given little-endian bytes.
func bytesNumber(b []byte) number {
	rev := make([]byte, len(b))
	for i := range b {
		rev[len(b)-1-i] = b[i]
	}
	return number{fmt.Sprintf("0x%x", new(big.Int).SetBytes(rev))}
}

func (n *number) UnmarshalJSON(b []byte) error {
	s := string(b)
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	}
	return n.UnmarshalText([]byte(s))
}

func (n *number) UnmarshalText(b []byte) error {
	n.text = string(b)
	if _, ok := new(big.Int).SetString(n.text, 0); !ok {
		return fmt.Errorf("%q is not an integer", n.text)
	}
	return nil
}

func (n number) MarshalJSON() ([]byte, error) { return json.Marshal(n.text) }
func (n number) MarshalText() ([]byte, error) { return []byte(n.text), nil }

// int is the number's value, 0 for one that was left out.
func (n number) int() *big.Int {
	v, ok := new(big.Int).SetString(n.text, 0)
	if !ok {
		return new(big.Int)
	}
	return v
}

// uint64 is the low 64 bits, negative numbers in two's complement.
func (n number) uint64() uint64 {
	m := new(big.Int).SetUint64(^uint64(0))
	return m.And(m, n.int()).Uint64()
}

// bytes is the number's low bytes, little-endian.
func (n number) bytes(size int) []byte {
	m := new(big.Int).Lsh(big.NewInt(1), uint(8*size))
	m.Sub(m, big.NewInt(1)).And(m, n.int())
	b := m.FillBytes(make([]byte, size))
	for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// hexBytes are bytes written in hex, with spaces where one likes.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(b []byte) error {
	d, err := hex.DecodeString(strings.ReplaceAll(string(b), " ", ""))
	if d == nil {
		d = []byte{}
	}
	*h = d
	return err
}

func (h hexBytes) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }
