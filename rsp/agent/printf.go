package agent

import (
	"fmt"
	"strings"
)

// Limits of one printf: what a hostile format can make of a few bytes.
const (
	maxFieldWidth   = 1 << 10
	maxStringLength = 1 << 12
)

// execPrintf pops the function and the channel to print with, which gdb leaves
// to the target, then the arguments, the first of them on top.
func execPrintf(m *machine, in *instruction) error {
	printer, ok := m.context.(Printer)
	if !ok {
		return ErrNoPrinter
	}
	n := int(in.operand)
	if m.depth < n+2 {
		return fmt.Errorf("%w: it needs %d values and there are %d", ErrStackUnderflow, n+2, m.depth)
	}
	m.depth -= 2
	arguments := make([]uint64, n)
	for i := range arguments {
		arguments[i] = m.pop()
	}
	f := formatter{context: m.context, cost: m.printed + len(in.format)}
	if err := f.format(in.format, arguments); err != nil {
		return err
	}
	m.printed = f.cost
	printer.Print(f.out.String())
	return nil
}

// formatter collects what one printf prints.
type formatter struct {
	context Context
	out     strings.Builder
	cost    int // against MaxPrinted
}

func (f *formatter) charge(characters int) error {
	if f.cost += characters; f.cost > MaxPrinted {
		return fmt.Errorf("%w: more than %d characters", ErrTooMuchOutput, MaxPrinted)
	}
	return nil
}

// conversion is one parsed conversion specification of a C format.
type conversion struct {
	flags  string
	width  string // with the precision, as written: "5", ".3", "8.2"
	length string // hh, h, l, ll, z, j, t or none
	verb   byte
}

// format does what C's printf does with integers, characters and strings. The
// debugger has split off and converted what else its formats allow.
func (f *formatter) format(spec string, arguments []uint64) error {
	for {
		i := strings.IndexByte(spec, '%')
		if i < 0 {
			f.out.WriteString(spec)
			return f.charge(0)
		}
		f.out.WriteString(spec[:i])
		conv, rest, err := parseConversion(spec[i+1:])
		if err != nil {
			return err
		}
		spec = rest
		if conv.verb == '%' {
			f.out.WriteByte('%')
			continue
		}
		if len(arguments) == 0 {
			return fmt.Errorf("%w: no argument for %%%c", ErrFormat, conv.verb)
		}
		before := f.out.Len()
		if err := f.convert(conv, arguments[0]); err != nil {
			return err
		}
		if err := f.charge(f.out.Len() - before); err != nil {
			return err
		}
		arguments = arguments[1:]
	}
}

// parseConversion parses what follows a percent sign.
func parseConversion(s string) (conv conversion, rest string, err error) {
	take := func(set string) string {
		n := 0
		for n < len(s) && strings.IndexByte(set, s[n]) >= 0 {
			n++
		}
		part := s[:n]
		s = s[n:]
		return part
	}
	conv.flags = take("#0- +")
	conv.width = take("0123456789.")
	conv.length = take("hlzjt")
	if s == "" {
		return conv, "", fmt.Errorf("%w: it ends within a conversion", ErrFormat)
	}
	conv.verb = s[0]
	if !widthOK(conv.width) || len(conv.flags) > 5 {
		return conv, "", fmt.Errorf("%w: width %q", ErrFormat, conv.width)
	}
	return conv, s[1:], nil
}

// widthOK bounds width and precision.
func widthOK(s string) bool {
	width, precision, _ := strings.Cut(s, ".")
	for _, number := range []string{width, precision} {
		n := 0
		for i := 0; i < len(number); i++ {
			if number[i] < '0' || number[i] > '9' {
				return false
			}
			if n = n*10 + int(number[i]-'0'); n > maxFieldWidth {
				return false
			}
		}
	}
	return true
}

func (f *formatter) convert(conv conversion, v uint64) error {
	out := &f.out
	layout := "%" + conv.flags + conv.width
	switch conv.verb {
	case 'd', 'i':
		fmt.Fprintf(out, layout+"d", int64(v<<conv.unused())>>conv.unused())
	case 'u':
		fmt.Fprintf(out, layout+"d", v<<conv.unused()>>conv.unused())
	case 'x', 'X', 'o':
		fmt.Fprintf(out, layout+string(conv.verb), v<<conv.unused()>>conv.unused())
	case 'p':
		fmt.Fprintf(out, "%"+conv.flags+"#"+conv.width+"x", v)
	case 'c':
		fmt.Fprintf(out, layout+"s", string([]byte{byte(v)}))
	case 's':
		text, err := f.loadString(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, layout+"s", text)
	default:
		return fmt.Errorf("%w: conversion %%%c", ErrUnsupported, conv.verb)
	}
	return nil
}

// unused is the number of upper bits of a 64-bit value that the conversion's
// length modifier leaves out.
func (conv conversion) unused() uint {
	switch conv.length {
	case "hh":
		return 56
	case "h":
		return 48
	case "":
		return 32
	}
	return 0
}

func (f *formatter) loadString(addr uint64) (string, error) {
	var text []byte
	for len(text) < maxStringLength {
		b, err := f.context.Load(addr+uint64(len(text)), 1)
		if err != nil {
			return "", fmt.Errorf("string at 0x%x: %w", addr, err)
		}
		if b == 0 {
			break
		}
		text = append(text, byte(b))
	}
	return string(text), f.charge(len(text))
}
