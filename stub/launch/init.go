package launch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// InitKind is how a buffer's first contents are made.
type InitKind uint8

// The kinds of initial contents.
const (
	InitZero InitKind = iota
	InitIota
	InitFill
	InitRandom
	InitFile
	InitNone // nothing that a program may read: zeros, which checks know of
	InitList // elements that are listed; zeros follow them
)

// Init is the initial contents of a buffer (the README beside the test kernels
// defines each kind).
type Init struct {
	Kind    InitKind
	Element []byte // InitFill
	List    []byte // InitList: the elements, one after the other
	Seed    uint64 // InitRandom
	File    File   // InitFile
}

func parseInit(text string, t *elementType, beside func(string) File) (i Init, err error) {
	word, operand, has := strings.Cut(text, ":")
	switch {
	case word == "zero" && !has:
		i.Kind = InitZero
	case word == "none" && !has:
		i.Kind = InitNone
	case word == "iota" && !has:
		i.Kind = InitIota
	case word == "fill" && has:
		i.Kind, i.Element = InitFill, make([]byte, t.size)
		if err := t.parse(i.Element, operand); err != nil {
			return i, fmt.Errorf("init %q: %w", text, err)
		}
	case word == "random" && has:
		i.Kind = InitRandom
		if i.Seed, err = strconv.ParseUint(operand, 0, 64); err != nil {
			return i, fmt.Errorf("init %q: the seed is no 64-bit number", text)
		}
	case word == "file" && operand != "":
		i.Kind, i.File = InitFile, beside(operand)
	case isList(text):
		i.Kind = InitList
		if i.List, err = parseList(text, t); err != nil {
			return i, fmt.Errorf("init: %w", err)
		}
	default:
		return i, fmt.Errorf("unknown init %q; want %s", text, initForms)
	}
	return i, nil
}

// initForms says how first contents may be written.
const initForms = "zero, none, iota, fill:VALUE, random:SEED, file:NAME or values as 1,2,3"

// fill gives the memory of a buffer, b, its initial contents. b holds zeros.
func (s *BufferSpec) fill(b []byte) error {
	t := elementTypes[s.Type]
	each := func(f func(element []byte, i uint64)) {
		for i := range s.Count {
			f(b[i*uint64(t.size):][:t.size], i)
		}
	}
	switch i := &s.Init; i.Kind {
	case InitIota:
		each(t.index)
	case InitFill:
		each(func(element []byte, _ uint64) { copy(element, i.Element) })
	case InitList:
		copy(b, i.List)
	case InitRandom:
		next := splitMix64(i.Seed)
		each(func(element []byte, _ uint64) { t.random(element, next()) })
	case InitFile:
		return readExactly(i.File, s, b[:s.size()])
	}
	return nil
}

// readExactly reads a file that must have a buffer's size.
func readExactly(f File, s *BufferSpec, b []byte) error {
	err := f.readInto(b)
	var wrong *sizeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s has %s bytes, the buffer %s[%d] has %d", f, wrong.has, s.Type, s.Count,
			s.size())
	}
	return err
}

// splitMix64 is the generator of Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators" (OOPSLA 2014).
func splitMix64(state uint64) func() uint64 {
	return func() uint64 {
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
}
