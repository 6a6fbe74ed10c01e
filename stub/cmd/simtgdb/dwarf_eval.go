package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"

	"simtgdb/dwarf/expr"
)

// The input of "simtgdb dwarf eval": expressions and the contexts to evaluate
// them in. Numbers are JSON integers or strings that Go reads as integers, such
// as "0x1204". Members that are not known are ignored.
type evalFile struct {
	Cases []evalCase `json:"cases"`
}

type evalCase struct {
	ID         string      `json:"id"`
	Expression hexBytes    `json:"expression"`
	Result     string      `json:"result"` // "location" (also if empty) or "value"
	Options    evalOptions `json:"options"`
	Context    evalContext `json:"context"`
	Writes     []evalWrite `json:"writes"`
	Read       *evalRead   `json:"read"`
}

// evalOptions say how the expression is to be read.
type evalOptions struct {
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

// evalContext describes registers, memory and the rest of what an expression
// can ask for. What is left out is missing.
type evalContext struct {
	AddressSize    int                      `json:"address_size"` // 8 if left out
	WaveSize       int                      `json:"wave_size"`    // 64 if left out
	Lane           *int                     `json:"lane"`
	Iteration      *number                  `json:"iteration"`
	Registers      map[number]hexBytes      `json:"registers"`
	Memory         []evalMemory             `json:"memory"`
	FrameBase      *hexBytes                `json:"frame_base"`
	CFA            *hexBytes                `json:"cfa"`
	Object         *hexBytes                `json:"object"`
	TLSBase        *hexBytes                `json:"tls_base"`
	Procedures     map[number]evalProcedure `json:"procedures"`
	EntryRegisters map[number]hexBytes      `json:"entry_registers"`
	Parameters     map[number]hexBytes      `json:"parameters"`
	Addresses      []number                 `json:"addresses"`
	BaseTypes      map[number]evalBaseType  `json:"base_types"`
	InitialStack   []evalEntry              `json:"initial_stack"`
}

type evalMemory struct {
	Space   json.RawMessage `json:"aspace,omitempty"`
	Address json.RawMessage `json:"address"`
	Lane    *int            `json:"lane,omitempty"` // of a per-lane space
	Hex     hexBytes        `json:"hex"`
}

// An evalProcedure is an expression, or the places of a location list that hold
// at once.
type evalProcedure struct {
	code   hexBytes
	places []evalLocation
}

func (p *evalProcedure) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, &p.places)
	}
	return json.Unmarshal(b, &p.code)
}

type evalBaseType struct {
	Encoding string `json:"encoding"`
	Bits     int    `json:"bits"`
}

// An evalEntry of an initial stack is a location, or a value if it has no kind.
type evalEntry struct {
	evalLocation
	Type number `json:"type"` // of a value: a base type's offset, 0 for generic
}

type evalWrite struct {
	BitOffset number `json:"bit_offset"`
	Bits      number `json:"bits"`
	Value     number `json:"value"`
}

type evalRead struct {
	BitOffset   number `json:"bit_offset"`
	ElementBits number `json:"element_bits"`
	Count       number `json:"count"`
}

// Bounds on what one read or write is asked to do.
const (
	maxEvalElements = 1 << 16
	maxEvalBits     = 1 << 24 // in all elements
)

// An evalLocation is a location in input and output; members that do not apply
// are left out.
type evalLocation struct {
	Kind       string         `json:"kind,omitempty"`
	Space      *uint64        `json:"aspace,omitempty"`
	Address    *number        `json:"address,omitempty"`
	Lane       *int           `json:"lane,omitempty"`
	Number     *uint64        `json:"number,omitempty"`
	DIE        *number        `json:"die,omitempty"`
	ByteOffset int64          `json:"byte_offset,omitempty"`
	BitOffset  uint64         `json:"bit_offset,omitempty"`
	Bits       *big.Int       `json:"bits,omitempty"`
	Value      *number        `json:"value,omitempty"`
	Parts      []evalPart     `json:"parts,omitempty"`
	Places     []evalLocation `json:"places,omitempty"`
}

type evalPart struct {
	Bits     *big.Int     `json:"bits"`
	Location evalLocation `json:"location"`
}

// An evalResult is the output for one case.
type evalResult struct {
	ID       string        `json:"id"`
	Location *evalLocation `json:"location,omitempty"`
	Value    *number       `json:"value,omitempty"`
	Bits     *uint64       `json:"bits,omitempty"`
	Elements []*number     `json:"elements,omitempty"`
	After    *evalAfter    `json:"after,omitempty"`
	Error    string        `json:"error,omitempty"`
}

type evalAfter struct {
	Registers map[number]hexBytes `json:"registers,omitempty"`
	Memory    []evalMemory        `json:"memory,omitempty"`
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

func dwarfEvalCommand(args []string, std stdio) int {
	flags := flag.NewFlagSet("simtgdb dwarf eval", flag.ContinueOnError)
	flags.SetOutput(std.err)
	explain := flags.Bool("explain", true, "say on standard error what was wrong in cases that end in an error")
	flags.Usage = func() {
		fmt.Fprintln(std.err, "usage: simtgdb dwarf eval [-explain] FILE.json   (- for standard input)")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return 2
	}
	if err := dwarfEval(flags.Arg(0), *explain, std); err != nil {
		fmt.Fprintf(std.err, "simtgdb dwarf eval: %v\n", err)
		return 2
	}
	return 0
}

func dwarfEval(path string, explain bool, std stdio) error {
	var data []byte
	var err error
	if path == "-" {
		data, err = io.ReadAll(std.in)
	} else {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return err
	}
	var in evalFile
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	out := struct {
		Results []*evalResult `json:"results"`
	}{[]*evalResult{}}
	for i := range in.Cases {
		c := &in.Cases[i]
		r, err := c.evaluate()
		if kind := expr.KindOf(err); kind != 0 {
			r = &evalResult{ID: c.ID, Error: kind.String()}
			if explain {
				fmt.Fprintf(std.err, "%s: %v\n", c.ID, err)
			}
		} else if err != nil {
			return fmt.Errorf("%s: case %d, %q: %w", path, i, c.ID, err)
		}
		out.Results = append(out.Results, r)
	}
	enc := json.NewEncoder(std.out)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// evaluate runs one case. Errors of package expr are results; others are about
// the input.
func (c *evalCase) evaluate() (*evalResult, error) {
	ctx, err := newEvalState(&c.Context)
	if err != nil {
		return nil, err
	}
	opt, err := c.options()
	if err != nil {
		return nil, err
	}
	ctx.options = opt
	if opt.Initial, err = ctx.initial(c.Context.InitialStack); err != nil {
		return nil, err
	}
	r := &evalResult{ID: c.ID}
	var loc expr.Location
	switch c.Result {
	case "", "location":
		if loc, err = expr.Evaluate(ctx, c.Expression, opt); err != nil {
			return nil, err
		}
		if r.Location, err = locationOut(loc); err != nil {
			return nil, err
		}
	case "value":
		v, err := expr.EvaluateValue(ctx, c.Expression, opt)
		if err != nil {
			return nil, err
		}
		loc = expr.Implicit(v.Bytes())
		n, bits := bytesNumber(v.Bytes()), uint64(v.Type.Bits)
		r.Value, r.Bits = &n, &bits
	default:
		return nil, fmt.Errorf("result %q, \"location\" or \"value\" expected", c.Result)
	}
	if err := c.access(r, loc, ctx); err != nil {
		return nil, err
	}
	return r, nil
}

func (c *evalCase) options() (expr.Options, error) {
	o := &c.Options
	opt := expr.Options{Arch: expr.AMDGPU, Encoding: expr.Current, CallFrame: o.CallFrame, DWARF64: o.DWARF64, Version: o.Version}
	if o.OldEncoding {
		opt.Encoding = expr.Old
	}
	if o.Intel {
		opt.Encoding, opt.Arch = expr.Intel, expr.IntelGT
	}
	for name, code := range o.Assign {
		enc, err := opt.Encoding.Assign(int(code.uint64()), name)
		if err != nil {
			return opt, err
		}
		opt.Encoding = enc
	}
	opt.Dialect.XderefIsAddress = o.XderefIsAddress
	if o.StockClang {
		opt.Dialect = expr.StockClang(o.FlatScratch)
	}
	return opt, nil
}

// access does the writes and then the read.
func (c *evalCase) access(r *evalResult, loc expr.Location, ctx *evalState) error {
	for _, w := range c.Writes {
		bits := w.Bits.uint64()
		if bits > 8*maxEvalElements {
			return fmt.Errorf("a write of %d bits", bits)
		}
		if err := loc.Write(ctx, w.BitOffset.uint64(), bits, w.Value.bytes(int(bits+7)/8)); err != nil {
			return err
		}
	}
	if c.Read != nil {
		size, count, at := c.Read.ElementBits.uint64(), c.Read.Count.uint64(), c.Read.BitOffset.uint64()
		if size > maxEvalBits || count > maxEvalElements || size*count > maxEvalBits {
			return fmt.Errorf("a read of %d elements of %d bits", count, size)
		}
		for i := range count {
			b, err := loc.Read(ctx, at+i*size, size)
			switch {
			case errors.Is(err, expr.ReadUndefined):
				r.Elements = append(r.Elements, nil)
				continue
			case err != nil:
				return err
			}
			n := bytesNumber(b)
			r.Elements = append(r.Elements, &n)
		}
	}
	if len(c.Writes) > 0 {
		r.After = ctx.after()
	}
	return nil
}
