package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"simtgdb/stub/arch"
)

// invalid is printed for a line that is no instruction.
const invalid = "<invalid>"

// disasmHex prints the instruction of each line of bytes, which are written as
// llvm-mc --disassemble takes them: hexadecimal, with "0x", commas, brackets and
// spaces as one likes, and comments from "#" or "//" on. There is one line of
// output for each of input, an empty one where there are no bytes.
func disasmHex(in io.Reader, w io.Writer, processor string) error {
	f, err := arch.OfProcessor(processor)
	if err != nil {
		return err
	}
	a, ok := f.(arch.Assembler)
	if !ok {
		return fmt.Errorf("%s has no instructions outside of a file", f.Name())
	}
	decoder, err := a.ProcessorDecoder(processor)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxHexLine)
	out := bufio.NewWriter(w)
	n := 1
	for ; lines.Scan(); n++ {
		fmt.Fprintln(out, disasmLine(decoder, lines.Text()))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d has more than %d bytes: want those of one instruction", n, maxHexLine-1)
	}
	return lines.Err()
}

// maxHexLine bounds a line of bytes.
const maxHexLine = 1 << 16

func disasmLine(d arch.Decoder, line string) string {
	code, ok := parseHex(line)
	if ok && len(code) == 0 {
		return ""
	}
	// Behind the instruction a decoder finds what it may read ahead of.
	in, err := d.Inst(append(bytes.Clone(code), make([]byte, 16)...), 0)
	if !ok || err != nil || in.Size != len(code) {
		return invalid
	}
	return in.Text
}

// parseHex reads the bytes of a line.
func parseHex(line string) ([]byte, bool) {
	line, _, _ = strings.Cut(line, "#")
	line, _, _ = strings.Cut(line, "//")
	var code []byte
	for _, word := range strings.FieldsFunc(line,
		func(r rune) bool { return strings.ContainsRune(" \t\r,[]", r) }) {
		digits, prefixed := strings.CutPrefix(strings.ToLower(word), "0x")
		if !prefixed && len(digits)%2 != 0 || prefixed && len(digits) > 2 {
			return nil, false
		}
		for len(digits) > 0 {
			n := min(2, len(digits))
			b, err := strconv.ParseUint(digits[:n], 16, 8)
			if err != nil {
				return nil, false
			}
			code, digits = append(code, byte(b)), digits[n:]
		}
	}
	return code, true
}
