package amdgpu

import (
	"fmt"
	"strconv"
	"strings"
)

// PrintfFormat describes the calls of OpenCL's printf that have the same ID: a
// call writes the ID and its arguments to the buffer of the hidden argument
// hidden_printf_buffer.
type PrintfFormat struct {
	ID       uint32
	ArgSizes []uint32 // bytes each argument takes in the buffer
	Format   string
}

// printfEscapes are the escapes that the compiler puts in formats. A colon
// separates the fields of the metadata. Other backslashes are the program's own.
var printfEscapes = strings.NewReplacer(
	`\a`, "\a", `\b`, "\b", `\f`, "\f", `\n`, "\n", `\r`, "\r", `\v`, "\v", `\72`, ":",
)

// ParsePrintf reads an entry of Object.Printf (AMDGPUUsage, "Code Object V3
// Metadata", amdhsa.printf): ID:N:SIZE1:...:SIZEN:FORMAT.
func ParsePrintf(s string) (PrintfFormat, error) {
	number := func(what string) (uint32, error) {
		field, rest, ok := strings.Cut(s, ":")
		n, err := strconv.ParseUint(field, 10, 32)
		if !ok || err != nil {
			return 0, fmt.Errorf("amdhsa.printf entry: %s is %.100q, want a number and a colon", what, field)
		}
		s = rest
		return uint32(n), nil
	}
	var p PrintfFormat
	id, err := number("ID")
	if err != nil {
		return p, err
	}
	count, err := number("number of arguments")
	if err != nil {
		return p, err
	}
	for i := range count {
		size, err := number(fmt.Sprintf("size of argument %d of %d", i, count))
		if err != nil {
			return p, err
		}
		p.ArgSizes = append(p.ArgSizes, size)
	}
	p.ID, p.Format = id, printfEscapes.Replace(s)
	return p, nil
}
