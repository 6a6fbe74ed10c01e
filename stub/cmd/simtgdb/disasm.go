package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
	"simtgdb/stub/source"
)

// disasmCommand prints the code of a module with the source lines it comes
// from.
func disasmCommand(args []string, std stdio) int {
	set := newFlags("disasm")
	target := set.String("target", "", "which `TARGET` of an offload bundle to take, as gfx90a")
	kernel := set.String("kernel", "", "only the kernel of this `NAME`")
	function := set.String("function", "", "only the function of this `NAME`")
	rows := set.Bool("rows", false, "print beneath each instruction the row code that it becomes, if it does")
	folder := set.String("source", "", "look for source files in `FOLDER` too")
	hex := set.Bool("hex", false,
		"FILE, or - for standard input, has the bytes of one instruction in each line, in hexadecimal")
	mcpu := set.String("mcpu", "", "the processor whose instructions --hex reads, by `NAME`, as gfx90a")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	if *hex || *mcpu != "" {
		if err := disasmHexFile(rest, *hex, *mcpu, std); err != nil {
			return fail(std, "disasm", err)
		}
		return statusDone
	}
	m, err := openOne(rest, *target, std.err)
	if err != nil {
		return fail(std, "disasm", err)
	}
	d, err := newDisassembler(std.out, m)
	if err != nil {
		return fail(std, "disasm", fmt.Errorf("%s: %w", rest[0], err))
	}
	if *rows {
		rower, ok := arch.Of(m).(arch.Rower)
		if !ok {
			return fail(std, "disasm", fmt.Errorf("%s: the machine has no row code", rest[0]))
		}
		d.rows = rower.Rows(m)
	}
	d.origin, err = source.New(m)
	if err != nil {
		fmt.Fprintf(std.err, "simtgdb disasm: %s: %v\n", rest[0], err)
	}
	if *folder != "" {
		d.finder.Folders = []string{*folder}
	}
	ranges, err := chooseCode(d.origin, *kernel, *function)
	if err != nil {
		return fail(std, "disasm", fmt.Errorf("%s: %w", rest[0], err))
	}
	for _, r := range ranges {
		d.print(r)
	}
	if err := d.w.Flush(); err != nil {
		return fail(std, "disasm", err)
	}
	return statusDone
}

// disasmHexFile is disasm --hex.
func disasmHexFile(args []string, hex bool, mcpu string, std stdio) error {
	switch {
	case !hex:
		return errors.New("--mcpu is for --hex; a program says itself what it is for")
	case mcpu == "":
		return errors.New("--hex needs --mcpu NAME, the processor whose instructions these are")
	case len(args) != 1:
		return fmt.Errorf("want one FILE, or -, not %d", len(args))
	case args[0] == "-":
		return disasmHex(std.in, std.out, mcpu)
	}
	data, err := launch.File{Path: args[0]}.Read()
	if err != nil {
		return err
	}
	return disasmHex(bytes.NewReader(data), std.out, mcpu)
}

// openOne opens the one file of a command line; a source is compiled, by a command that is told on w.
func openOne(args []string, target string, w io.Writer) (*loader.Module, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("want one FILE, not %d", len(args))
	}
	f, err := compiledFile(args[0], target, w)
	if err != nil {
		return nil, err
	}
	return launch.OpenModule(f, target)
}

// A codeRange is a piece of an executable segment.
type codeRange struct {
	name      string // of the segment
	low, high uint64
	data      []byte
}

// chooseCode gives the code of one kernel or function, or all of it.
func chooseCode(m *source.Map, kernel, function string) ([]codeRange, error) {
	var entry uint64
	if kernel != "" {
		k, err := m.Kernel(kernel)
		if err != nil {
			return nil, err
		}
		entry = k.Entry
	}
	var all []codeRange
	for _, s := range m.Module.Segments {
		if s.Exec {
			all = append(all, codeRange{s.Name, s.Addr, s.Addr + uint64(len(s.Data)), s.Data})
		}
	}
	if kernel == "" && function == "" {
		return all, nil
	}
	var chosen []codeRange
	var names []string
	for _, sym := range functions(m.Module) {
		name, _, _ := m.Function(sym.Addr)
		names = append(names, sym.Name)
		if kernel != "" && sym.Addr == entry || function != "" && (sym.Name == function || name == function) {
			chosen = append(chosen, slice(all, sym.Addr, sym.Addr+sym.Size)...)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("no function %q; the file has: %s", cmp.Or(function, kernel),
			printable.Names(names))
	}
	return chosen, nil
}

// functions lists the function symbols by address, one for each.
func functions(m *loader.Module) []loader.Symbol {
	var list []loader.Symbol
	for _, s := range m.Symbols {
		if s.Kind == loader.SymbolFunc && !s.Undefined {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b loader.Symbol) int { return cmp.Compare(a.Addr, b.Addr) })
	return slices.CompactFunc(list, func(a, b loader.Symbol) bool { return a.Addr == b.Addr })
}

// slice cuts the addresses [low, high) out of code.
func slice(all []codeRange, low, high uint64) []codeRange {
	for _, r := range all {
		if low >= r.low && low < r.high {
			high = min(max(high, low), r.high)
			return []codeRange{{r.name, low, high, r.data[low-r.low : high-r.low]}}
		}
	}
	return nil
}

// A disassembler prints code as llvm-objdump does, with source lines.
type disassembler struct {
	w      *bufio.Writer
	code   arch.Decoder
	origin *source.Map
	finder source.Finder
	labels map[uint64][]string
	last   source.Position
	rows   func(code []byte, pc uint64) []string // nil if nobody wants to know
}

func newDisassembler(w io.Writer, m *loader.Module) (*disassembler, error) {
	code, err := arch.Of(m).Decoder(m)
	if err != nil {
		return nil, err
	}
	d := &disassembler{w: bufio.NewWriter(w), code: code, labels: map[uint64][]string{}}
	for _, s := range m.Symbols {
		label := s.Kind == loader.SymbolFunc || s.Kind == loader.SymbolNone
		if label && !s.Undefined && !s.Absolute && s.Name != "" &&
			!slices.Contains(d.labels[s.Addr], s.Name) {
			d.labels[s.Addr] = append(d.labels[s.Addr], s.Name)
		}
	}
	return d, nil
}

// print prints a range.
func (d *disassembler) print(r codeRange) {
	fmt.Fprintf(d.w, "\nDisassembly of %s:\n", printable.Name(r.name))
	for pc := r.low; pc < r.high; {
		for _, name := range d.labels[pc] {
			fmt.Fprintf(d.w, "\n%016x <%s>:\n", pc, printable.Name(name))
			d.last = source.Position{}
		}
		d.source(pc)
		code := r.data[pc-r.low:]
		in, err := d.code.Inst(code, pc)
		if err != nil {
			in = simt.Inst{Text: "// " + err.Error(), Size: min(d.code.Align(), len(code))}
		}
		fmt.Fprintf(d.w, "\t%-58s // %012X:%s%s\n", in.Text, pc, words(code[:in.Size]), d.target(in))
		if d.rows != nil {
			for _, line := range d.rows(code, pc) {
				fmt.Fprintf(d.w, "\t\t; %s\n", line)
			}
		}
		pc += uint64(in.Size)
	}
}

// source prints the line that pc comes from where it is another than before.
func (d *disassembler) source(pc uint64) {
	p, ok := d.origin.At(pc)
	if !ok || p.File == d.last.File && p.Line == d.last.Line {
		return
	}
	d.last = p
	text, _ := d.finder.Line(p)
	fmt.Fprintf(d.w, "; %s\n", strings.TrimSpace(fmt.Sprintf("%v  %s", p, strings.TrimSpace(text))))
}

// words writes an instruction's dwords.
func words(code []byte) string {
	var b strings.Builder
	for ; len(code) >= 4; code = code[4:] {
		fmt.Fprintf(&b, " %08X", binary.LittleEndian.Uint32(code))
	}
	for _, c := range code {
		fmt.Fprintf(&b, " %02X", c)
	}
	return b.String()
}

// target names where a branch goes to.
func (d *disassembler) target(in simt.Inst) string {
	if in.Flow != simt.FlowJump && in.Flow != simt.FlowBranch {
		return ""
	}
	sym, offset, ok := d.origin.Module.SymbolAt(in.Target)
	switch {
	case !ok:
		return fmt.Sprintf(" <%#x>", in.Target)
	case offset == 0:
		return fmt.Sprintf(" <%s>", printable.Name(sym.Name))
	}
	return fmt.Sprintf(" <%s+%#x>", printable.Name(sym.Name), offset)
}
