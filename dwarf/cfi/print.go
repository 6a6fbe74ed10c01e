package cfi

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"simtgdb/dwarf/expr"
)

// Print writes the section as llvm-dwarfdump does. register names a register,
// "" if it has no name; nil names none. An entry whose instructions or rules
// cannot be worked out is printed without them; the error is about the first.
func (t *Table) Print(w io.Writer, register func(uint64) string) error {
	b := bufio.NewWriter(w)
	p := printer{w: b, t: t, register: register}
	for _, e := range t.Entries {
		switch {
		case e.CIE != nil:
			p.cie(e.CIE)
		case e.FDE != nil:
			p.fde(e.FDE)
		default:
			fmt.Fprintf(b, "%08x ZERO terminator\n", e.Offset)
		}
	}
	return errors.Join(p.fault, b.Flush())
}

// Lines spells the rules of a row, one in a line; neighbouring registers with the same rule have one
// together.
func (t *Table) Lines(r *Row, spelling expr.Printer) []string {
	var cfa strings.Builder
	b := bufio.NewWriter(&cfa)
	p := printer{w: b, t: t, register: spelling.Register, expr: spelling}
	p.row("", &Row{CFA: r.CFA})
	b.Flush()
	lines := []string{strings.TrimSuffix(cfa.String(), "\n")}
	for i := 0; i < len(r.Registers); {
		rule, last := p.rule(&r.Registers[i].Rule), i
		for last+1 < len(r.Registers) && r.Registers[last+1].Register == r.Registers[last].Register+1 &&
			p.rule(&r.Registers[last+1].Rule) == rule {
			last++
		}
		names := p.name(r.Registers[i].Register)
		if last > i {
			names += " to " + p.name(r.Registers[last].Register)
		}
		lines = append(lines, names+"="+rule)
		i = last + 1
	}
	return lines
}

type printer struct {
	w        *bufio.Writer
	t        *Table
	register func(uint64) string
	expr     expr.Printer
	fault    error
}

func (p *printer) fail(err error) {
	if p.fault == nil {
		p.fault = err
	}
}

func width(dwarf64 bool) int {
	if dwarf64 {
		return 16
	}
	return 8
}

func formatName(dwarf64 bool) string {
	if dwarf64 {
		return "DWARF64"
	}
	return "DWARF32"
}

func (p *printer) idWidth(dwarf64 bool) int { return width(dwarf64 && !p.t.Options.EH) }

func (p *printer) cie(c *CIE) {
	w := p.w
	fmt.Fprintf(w, "\n%08x %0*x %0*x CIE\n", c.Offset, width(c.DWARF64), c.Length, p.idWidth(c.DWARF64), c.ID)
	fmt.Fprintf(w, "  Format:                %s\n", formatName(c.DWARF64))
	fmt.Fprintf(w, "  Version:               %d\n", c.Version)
	fmt.Fprintf(w, "  Augmentation:          \"%s\"\n", c.Augmentation)
	if c.Version >= 4 {
		fmt.Fprintf(w, "  Address size:          %d\n", c.AddressSize)
		fmt.Fprintf(w, "  Segment desc size:     %d\n", c.SegmentSize)
	}
	fmt.Fprintf(w, "  Code alignment factor: %d\n", c.CodeAlign)
	fmt.Fprintf(w, "  Data alignment factor: %d\n", c.DataAlign)
	fmt.Fprintf(w, "  Return address column: %d\n", c.ReturnAddress)
	if c.HasPersonality {
		fmt.Fprintf(w, "  Personality Address: %016x\n", c.Personality)
	}
	if len(c.AugmentData) > 0 {
		fmt.Fprintf(w, "  Augmentation data:    ")
		for _, b := range c.AugmentData {
			fmt.Fprintf(w, " %02X", b)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	p.instructions(c, c.Instructions, 0)
	fmt.Fprintln(w)
	if c.bad == nil && (c.initial.cfa.Kind != NoCFA || len(c.initial.rules) > 0) {
		p.row("  ", &Row{CFA: c.initial.cfa, Registers: c.initial.rules})
	}
}

func (p *printer) fde(f *FDE) {
	w := p.w
	fmt.Fprintf(w, "\n%08x %0*x %0*x FDE cie=%08x pc=%08x...%08x\n", f.Offset, width(f.DWARF64), f.Length,
		p.idWidth(f.DWARF64), f.CIEPointer, f.CIE.Offset, f.Start, f.End())
	fmt.Fprintf(w, "  Format:       %s\n", formatName(f.DWARF64))
	if f.HasLSDA {
		fmt.Fprintf(w, "  LSDA Address: %016x\n", f.LSDA)
	}
	p.instructions(f.CIE, f.Instructions, f.Start)
	fmt.Fprintln(w)
	rows, err := f.Rows()
	if err != nil {
		p.fail(err)
		return
	}
	for i := range rows {
		// The last row may say nothing, when the instructions are only nops.
		if r := &rows[i]; i+1 < len(rows) || r.CFA.Kind != NoCFA || len(r.Registers) > 0 {
			p.row(fmt.Sprintf("  0x%x: ", r.Start), r)
		}
	}
}

func (p *printer) instructions(c *CIE, code []byte, at uint64) {
	arch := c.options.Arch
	err := c.each(code, func(op *operation) bool {
		fmt.Fprintf(p.w, "  %s:", op.name(arch))
		for i, k := range op.info.operands {
			p.operand(op, k, op.args[i], &at)
		}
		fmt.Fprintln(p.w)
		return true
	})
	if err != nil {
		p.fail(err)
	}
}

func (p *printer) operand(op *operation, k operandKind, v uint64, at *uint64) {
	w := p.w
	switch k {
	case operAddress:
		*at = v
		fmt.Fprintf(w, " %x", v)
	case operLowDelta, operDelta1, operDelta2, operDelta4, operDelta8:
		*at += v
		fmt.Fprintf(w, " %d to 0x%x", v, *at)
	case operLowReg, operReg:
		fmt.Fprintf(w, " %s", p.name(v))
	case operOffset:
		fmt.Fprintf(w, " %+d", int64(v))
	case operFactored, operSigned, operNegative:
		fmt.Fprintf(w, " %d", int64(v))
	case operSpace:
		fmt.Fprintf(w, " in addrspace%d", v)
	case operExpr:
		fmt.Fprintf(w, " %s", p.expression(op.expr))
	}
}

func (p *printer) expression(code []byte) string {
	p.expr.Register = p.register
	p.expr.Format.AddressSize = p.t.Options.AddressSize
	return p.expr.String(code)
}

func (p *printer) name(reg uint64) string {
	if p.register != nil {
		if s := p.register(reg); s != "" {
			return s
		}
	}
	return fmt.Sprintf("reg%d", reg)
}

// row prints the rules that hold at one place.
func (p *printer) row(head string, r *Row) {
	w := p.w
	fmt.Fprintf(w, "%sCFA=", head)
	switch c := &r.CFA; c.Kind {
	case NoCFA:
		fmt.Fprint(w, "unspecified")
	case CFAExpression:
		fmt.Fprint(w, p.expression(c.Expr))
	case CFARegister:
		fmt.Fprint(w, p.name(c.Register))
		if c.Offset != 0 || c.HasSpace {
			fmt.Fprintf(w, "%+d", c.Offset)
		}
		if c.HasSpace {
			fmt.Fprintf(w, " in addrspace%d", c.Space)
		}
	}
	for i, x := range r.Registers {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(w, "%s%s=%s", sep, p.name(x.Register), p.rule(&x.Rule))
	}
	fmt.Fprintln(w)
}

func (p *printer) rule(r *Rule) string {
	switch r.Kind {
	case Undefined:
		return "undefined"
	case SameValue:
		return "same"
	case Offset:
		return "[" + cfaOffset(r.Offset) + "]"
	case ValOffset:
		return cfaOffset(r.Offset)
	case InRegister:
		return p.name(r.Register)
	case Expression:
		return "[" + p.expression(r.Expr) + "]"
	case ValExpression:
		return p.expression(r.Expr)
	case Architectural:
		return fmt.Sprint(r.Offset)
	}
	return "unspecified"
}

func cfaOffset(n int64) string {
	if n == 0 {
		return "CFA"
	}
	return fmt.Sprintf("CFA%+d", n)
}
