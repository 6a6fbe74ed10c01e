package exprjson

import (
	"encoding/json"
	"fmt"
	"math/big"

	"simtgdb/dwarf/expr"
)

// An state is the described context as the evaluator asks for it. What the
// description leaves out is missing.
type state struct {
	desc    *description
	options expr.Options // for the expressions in the description
	address int
	lane    int
	wave    int
	names   map[uint64]number // of registers, as the input spells them
	regs    map[uint64]hexBytes
	memory  []memoryRange
	depth   int // of the description's expressions that refer to each other
}

// A memoryRange is one piece of described memory.
type memoryRange struct {
	space, addr uint64
	lane        int // -1 for all
	data        []byte
}

func newState(d *description) (*state, error) {
	s := &state{desc: d, address: 8, wave: 64, lane: -1, names: map[uint64]number{},
		regs: map[uint64]hexBytes{}}
	if d.AddressSize != 0 {
		s.address = d.AddressSize
	}
	if s.address < 1 || s.address > 8 {
		return nil, fmt.Errorf("address size %d, 1 to 8 expected", s.address)
	}
	if d.WaveSize != 0 {
		s.wave = d.WaveSize
	}
	if s.wave < 1 || s.wave > 1024 {
		return nil, fmt.Errorf("wave size %d, 1 to 1024 expected", s.wave)
	}
	if d.Lane != nil {
		s.lane = *d.Lane
	}
	for n, b := range d.Registers {
		num := n.uint64()
		if _, ok := s.regs[num]; ok {
			return nil, fmt.Errorf("register %d is there twice", num)
		}
		s.names[num], s.regs[num] = n, append(hexBytes{}, b...)
	}
	for i, m := range d.Memory {
		r := memoryRange{lane: -1, data: append([]byte(nil), m.Hex...)}
		var n number
		if m.Space != nil {
			if err := json.Unmarshal(m.Space, &n); err != nil {
				return nil, fmt.Errorf("memory %d: aspace: %w", i, err)
			}
			r.space = n.uint64()
		}
		if err := json.Unmarshal(m.Address, &n); err != nil {
			return nil, fmt.Errorf("memory %d: address: %w", i, err)
		}
		r.addr = n.uint64()
		if m.Lane != nil {
			r.lane = *m.Lane
		}
		s.memory = append(s.memory, r)
	}
	return s, nil
}

func (s *state) AddressSize() int { return s.address }
func (s *state) Lane() int        { return s.lane }
func (s *state) WaveSize() int    { return s.wave }

func (s *state) RegisterSize(num uint64) (int, error) {
	r, ok := s.regs[num]
	if !ok {
		return 0, expr.Errorf(expr.NoRegister, "register %d is not described", num)
	}
	return len(r), nil
}

func (s *state) register(num uint64, off int, n int) ([]byte, error) {
	r, ok := s.regs[num]
	if !ok || off+n > len(r) {
		return nil, expr.Errorf(expr.NoRegister, "bytes [%d, %d) of register %d are not described", off,
			off+n, num)
	}
	return r[off : off+n], nil
}

func (s *state) ReadRegister(num uint64, off int, p []byte) error {
	b, err := s.register(num, off, len(p))
	copy(p, b)
	return err
}

func (s *state) WriteRegister(num uint64, off int, p []byte) error {
	b, err := s.register(num, off, len(p))
	copy(b, p)
	return err
}

// at finds the byte at an address. Private memory of a lane lies in that of
// the wave, and what is not described as flat memory is looked for in global.
func (s *state) at(space uint64, lane int, addr uint64) *byte {
	for i := range s.memory {
		m := &s.memory[i]
		if m.space == space && (m.lane < 0 || m.lane == lane) && addr-m.addr < uint64(len(m.data)) {
			return &m.data[addr-m.addr]
		}
	}
	switch space {
	case expr.SpacePrivateLane:
		return s.at(expr.SpacePrivateWave, -1, expr.AMDGPUPrivateWave(addr, lane, s.wave))
	case expr.SpaceGeneric:
		return s.at(expr.SpaceGlobal, -1, addr)
	}
	return nil
}

func (s *state) ReadMemory(space uint64, lane int, addr uint64, p []byte) error {
	return s.each(space, lane, addr, p, func(in *byte, out *byte) { *out = *in })
}

func (s *state) WriteMemory(space uint64, lane int, addr uint64, p []byte) error {
	return s.each(space, lane, addr, p, func(to *byte, from *byte) { *to = *from })
}

func (s *state) each(space uint64, lane int, addr uint64, p []byte, f func(memory, buffer *byte)) error {
	for i := range p {
		b := s.at(space, lane, addr+uint64(i))
		if b == nil {
			return expr.Errorf(expr.MemoryUnavailable, "address 0x%x of space %d is not described",
				addr+uint64(i), space)
		}
		f(b, &p[i])
	}
	return nil
}

func missing(what string) error { return expr.Errorf(expr.MissingContext, "no %s is described", what) }

func (s *state) FrameBase() ([]byte, error) {
	if s.desc.FrameBase == nil {
		return nil, missing("frame_base")
	}
	return *s.desc.FrameBase, nil
}

// maxDepth bounds expressions of the description that refer to each other.
const maxDepth = 16

// evaluate runs one of the description's own expressions.
func (s *state) evaluate(code *hexBytes, what string) (expr.Location, error) {
	if code == nil {
		return expr.Location{}, missing(what)
	}
	if s.depth == maxDepth {
		return expr.Location{}, expr.Errorf(expr.IllFormed, "%s refers to itself", what)
	}
	s.depth++
	defer func() { s.depth-- }()
	return expr.Evaluate(s, *code, s.options)
}

func (s *state) CFA() (expr.Location, error) { return s.evaluate(s.desc.CFA, "cfa") }
func (s *state) ObjectAddress() (expr.Location, error) {
	return s.evaluate(s.desc.Object, "object")
}

func (s *state) TLS(off uint64) (expr.Location, error) {
	l, err := s.evaluate(s.desc.TLSBase, "tls_base")
	if err != nil {
		return l, err
	}
	return l.Offset(s, int64(off), 0)
}

func (s *state) Iteration() (uint64, error) {
	if s.desc.Iteration == nil {
		return 0, missing("iteration")
	}
	return s.desc.Iteration.uint64(), nil
}

// lookup finds what is keyed by a number.
func lookup[T any](m map[number]T, key uint64) (T, bool) {
	for k, v := range m {
		if k.uint64() == key {
			return v, true
		}
	}
	var zero T
	return zero, false
}

// EntryRegister follows AMDGPU's default rule, same value, for a register that
// is not described.
func (s *state) EntryRegister(num uint64) (expr.Location, error) {
	if code, ok := lookup(s.desc.EntryRegisters, num); ok {
		return s.evaluate(&code, fmt.Sprintf("entry register %d", num))
	}
	return expr.RegisterAt(num, 0), nil
}

func (s *state) Procedure(ref expr.Reference) (expr.Procedure, error) {
	p, ok := lookup(s.desc.Procedures, ref.Offset)
	if !ok {
		return expr.Procedure{}, missing(fmt.Sprintf("procedure 0x%x", ref.Offset))
	}
	if p.places == nil {
		return expr.Procedure{Code: p.code}, nil
	}
	var all []expr.Location
	for i := range p.places {
		l, err := s.location(&p.places[i])
		if err != nil {
			return expr.Procedure{}, err
		}
		all = append(all, l)
	}
	u := expr.Union(all...)
	return expr.Procedure{Location: &u}, nil
}

func (s *state) Parameter(off uint64) ([]byte, expr.Context, error) {
	code, ok := lookup(s.desc.Parameters, off)
	if !ok {
		return nil, nil, missing(fmt.Sprintf("parameter 0x%x", off))
	}
	return code, nil, nil
}

func (s *state) Addrx(i uint64) (uint64, error) {
	if i >= uint64(len(s.desc.Addresses)) {
		return 0, missing(fmt.Sprintf("address %d", i))
	}
	return s.desc.Addresses[i].uint64(), nil
}

// typeEncodings are the names of DW_ATE_ constants.
var typeEncodings = map[string]expr.TypeEncoding{
	"address": expr.Address, "boolean": expr.Boolean, "float": expr.Float, "signed": expr.Signed,
	"signed_char": expr.SignedChar, "unsigned": expr.Unsigned, "unsigned_char": expr.UnsignedChar,
	"utf":           expr.UTF,
	"complex_float": 0x03,
}

func (s *state) BaseType(off uint64) (expr.BaseType, error) {
	if s.desc.BaseTypes == nil {
		return expr.BaseType{}, missing("base type")
	}
	t, ok := lookup(s.desc.BaseTypes, off)
	if !ok {
		return expr.BaseType{}, expr.Errorf(expr.IllFormed, "no base type at 0x%x", off)
	}
	e, ok := typeEncodings[t.Encoding]
	if !ok {
		return expr.BaseType{}, expr.Errorf(expr.IllFormed, "base type encoding %q", t.Encoding)
	}
	if t.Bits < 1 || t.Bits > 8*maxElements {
		return expr.BaseType{}, expr.Errorf(expr.IllFormed, "a base type of %d bits", t.Bits)
	}
	return expr.BaseType{Encoding: e, Bits: t.Bits}, nil
}

// initial makes the initial stack.
func (s *state) initial(list []stackEntry) ([]expr.Entry, error) {
	var stack []expr.Entry
	for i := range list {
		e := &list[i]
		if e.Kind != "" && e.Kind != "value" {
			l, err := s.location(&e.location)
			if err != nil {
				return nil, fmt.Errorf("initial_stack %d: %w", i, err)
			}
			stack = append(stack, expr.Entry{IsLocation: true, Location: l})
			continue
		}
		if e.Value == nil {
			return nil, fmt.Errorf("initial_stack %d has neither kind nor value", i)
		}
		t := expr.BaseType{Bits: 8 * s.address}
		if e.Type.text != "" && e.Type.uint64() != 0 {
			var err error
			if t, err = s.BaseType(e.Type.uint64()); err != nil {
				return nil, fmt.Errorf("initial_stack %d: %w", i, err)
			}
		}
		stack = append(stack, expr.Entry{Value: expr.NewWideValue(t, e.Value.bytes((t.Bits+7)/8))})
	}
	return stack, nil
}

// location makes a location from its description.
func (s *state) location(d *location) (expr.Location, error) {
	l, err := s.storage(d)
	if err != nil || d.BitOffset == 0 {
		return l, err
	}
	return l.Offset(s, 0, int64(d.BitOffset))
}

func (s *state) storage(d *location) (expr.Location, error) {
	switch d.Kind {
	case "undefined":
		return expr.Location{}, nil
	case "memory":
		if d.Address == nil {
			break
		}
		lane, space := s.lane, uint64(0)
		if d.Lane != nil {
			lane = *d.Lane
		}
		if d.Space != nil {
			space = *d.Space
		}
		return expr.MemoryAt(s.options.Arch, s.address, space, d.Address.uint64(), lane)
	case "register":
		if d.Number == nil {
			break
		}
		return expr.RegisterAt(*d.Number, 0), nil
	case "implicit":
		if d.Bits == nil || d.Value == nil || d.Bits.Uint64()%8 != 0 || d.Bits.Sign() < 0 ||
			d.Bits.Cmp(big.NewInt(8*maxElements)) > 0 {
			break
		}
		return expr.Implicit(d.Value.bytes(int(d.Bits.Uint64() / 8))), nil
	case "composite":
		var parts []expr.Part
		for i := range d.Parts {
			l, err := s.location(&d.Parts[i].Location)
			if err != nil {
				return l, err
			}
			bits := d.Parts[i].Bits
			if bits == nil || !bits.IsUint64() {
				return l, fmt.Errorf("part %d of %v bits", i, bits)
			}
			parts = append(parts, expr.Part{Bits: bits.Uint64(), Location: l})
		}
		return expr.Compose(parts)
	}
	return expr.Location{}, fmt.Errorf("a location of kind %q that is not complete", d.Kind)
}

// maxParts bounds the parts of a location in the output: a few operations
// can make composites whose parts, written out, would fill any disk.
const maxParts = 1 << 16

// locationOut describes a location.
func locationOut(l expr.Location) (*location, error) {
	left := maxParts
	out := describe(l, &left)
	if left < 0 {
		return nil, expr.Errorf(expr.IllFormed, "a location of more than %d parts", maxParts)
	}
	return out, nil
}

func describe(l expr.Location, left *int) *location {
	out := &location{}
	if *left--; *left < 0 {
		return out
	}
	if l.Places() > 1 {
		out.Kind = "multiple"
		for i := range l.Places() {
			out.Places = append(out.Places, *describe(l.Place(i), left))
		}
		return out
	}
	out.Kind, out.BitOffset = l.Kind().String(), l.BitOffset()
	if a, ok := l.Memory(); ok {
		addr := hexNumber(a.Address)
		out.Space, out.Address = &a.Space, &addr
		if a.Lane >= 0 {
			out.Lane = &a.Lane
		}
	}
	if num, _, ok := l.Register(); ok {
		out.Number = &num
	}
	if data, bits, ok := l.Constant(); ok {
		n := bytesNumber(data)
		out.Bits, out.Value = new(big.Int).SetUint64(bits), &n
	}
	if die, disp, ok := l.Pointer(); ok {
		n := hexNumber(die)
		out.DIE, out.ByteOffset = &n, disp
	}
	if l.Kind() == expr.Composite {
		out.Bits = new(big.Int)
		for _, p := range l.Parts() {
			bits := partBits(p)
			out.Bits.Add(out.Bits, bits)
			out.Parts = append(out.Parts, part{bits, *describe(p.Location, left)})
			if *left < 0 {
				break
			}
		}
	}
	return out
}

// partBits is the size of a part, exact for one that goes on to the end of an
// address space too.
func partBits(p expr.Part) *big.Int {
	a, ok := p.Location.Memory()
	if !p.Open || !ok {
		return new(big.Int).SetUint64(p.Bits)
	}
	n := new(big.Int).Lsh(big.NewInt(8), uint(8*p.Location.AddressSize()))
	n.Sub(n, new(big.Int).Mul(big.NewInt(8), new(big.Int).SetUint64(a.Address)))
	return n.Sub(n, new(big.Int).SetUint64(p.Location.BitOffset()))
}

// after gives registers and memory in the form they came in.
func (s *state) after() *after {
	a := &after{}
	if len(s.regs) > 0 {
		a.Registers = map[number]hexBytes{}
		for num, b := range s.regs {
			a.Registers[s.names[num]] = b
		}
	}
	for i, m := range s.desc.Memory {
		m.Hex = s.memory[i].data
		a.Memory = append(a.Memory, m)
	}
	return a
}
