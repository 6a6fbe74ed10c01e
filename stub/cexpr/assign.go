package cexpr

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// A Writer is an Env whose memory can be changed.
type Writer interface {
	Env
	// Write writes all of some bytes or none.
	Write(addr uint64, p []byte) error
	// PointerTo is Pointer's inverse: what a pointer of a type holds that leads to an address. An error says
	// that it cannot lead there.
	PointerTo(t *dwarf.DIE, addr uint64) (uint64, error)
}

// An Assignment is `OBJECT = EXPRESSION`.
type Assignment struct {
	Text     string
	to, from node
}

// ParseAssignment reads an assignment as Parse reads an expression.
func ParseAssignment(text string, meaning func(name string) Meaning) (*Assignment, error) {
	p, err := newParser(text, meaning)
	if err != nil {
		return nil, err
	}
	p.assigned = true
	a := &Assignment{Text: text}
	if a.to, err = p.expression(0); err != nil {
		return nil, err
	}
	p.assigned = false
	if err = p.want("="); err != nil {
		return nil, err
	}
	if a.from, err = p.whole(); err != nil {
		return nil, err
	}
	return a, nil
}

// Run assigns, and gives the object with its new value.
func (a *Assignment) Run(env Writer) (Value, error) {
	to, err := a.to.eval(env)
	if err != nil {
		return Value{}, err
	}
	from, err := a.from.eval(env)
	switch {
	case err != nil:
		return Value{}, err
	case to.field != nil:
		return Value{}, errors.New("a bit field is not assigned here: gdb's set var does it")
	case !to.InMemory:
		return Value{}, errors.New("what is in registers is not assigned here: gdb's set var does it")
	}
	b, err := contents(env, from, to.Type)
	if err != nil {
		return Value{}, err
	}
	return to, env.Write(to.Addr, b)
}

// contents are the bytes that an object of a type has with a value.
func contents(env Writer, v Value, to *dwarf.DIE) ([]byte, error) {
	t := types.Strip(to)
	size := env.Model().Size(t)
	switch {
	case t == nil:
		return nil, errors.New("void is no object")
	case types.IsRecord(t) || t.Tag == dwarf.TagArrayType:
		if types.Strip(v.Type) != t {
			return nil, fmt.Errorf("%s cannot become %s", kindOf(types.Strip(v.Type)), kindOf(t))
		}
		return v.bytes(env)
	}
	c, err := convert(env, v, to)
	if err != nil {
		return nil, err
	}
	if !types.IsPointer(t) {
		return c.bytes(env)
	}
	n, err := c.number(env)
	if err != nil {
		return nil, err
	}
	at, err := env.PointerTo(t, n.i)
	return binary.LittleEndian.AppendUint64(nil, at)[:min(size, addressBytes)], err
}
