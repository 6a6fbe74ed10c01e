// Package facade is the CPU that gdb is shown. No stock gdb knows a GPU: it is
// told that the program runs on a CPU that it has, x86-64 or AArch64, and the
// session does the GPU's part. A [Facade] is what the session must know of that
// CPU: the registers of its target description and what they mean, where gdb
// looks for what a function returned, and which bytes of GPU code gdb would take
// for instructions of the CPU.
//
// It knows no GPU, no protocol and no session. Names of gdb's functions in
// comments are those of gdb 13.1; they say why a thing is as it is.
//
// Entry points: [Named] and [Host].
package facade

import (
	"debug/elf"
	"fmt"
	"runtime"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// A Facade is one CPU.
type Facade interface {
	// Name is what the user calls it.
	Name() string
	// Architecture is gdb's name for it, in target descriptions.
	Architecture() string
	// Registers are those of the target description, in the order of their
	// numbers: the index is the number.
	Registers() []Register
	// AddressBits is how many bits of an address gdb heeds everywhere.
	AddressBits() int
	// Expedited are the numbers of the registers that gdb reads at every stop.
	Expedited() []int

	// Returned puts an object of a type where gdb looks for what a function
	// has returned. The result is the contents of registers by their numbers,
	// each as long as the register or shorter; those of registers that are not
	// among them do not matter. at is an address at which the object can be
	// read, for those that are returned in memory.
	Returned(model types.Model, typ *dwarf.DIE, object []byte, at uint64) map[int][]byte
	// Unreturnable reports whether gdb would show something else than what a
	// function of a type returned, wherever it is put.
	Unreturnable(model types.Model, typ *dwarf.DIE) bool

	// Disguise changes what gdb reads at the start of an instruction, if gdb
	// reads just that much to look for instructions of the CPU.
	Disguise(code []byte)

	// Breakpoint is the instruction that gdb puts on the stack where a function that it calls is to return
	// to (call_function_by_hand_dummy), before it writes registers; nil if it puts none there.
	Breakpoint() []byte

	// StopsBeforeWatched reports whether a watchpoint of the CPU stops a thread
	// before the instruction, so that gdb steps the thread once before it looks
	// what has changed.
	StopsBeforeWatched() bool

	// Machine and Columns are those of the symbol file.
	Machine() elf.Machine
	Columns() Columns
}

// A Role is what a register of the CPU stands for.
type Role uint8

// The roles of registers.
const (
	Unused Role = iota // gdb insists on it; it reads as zero
	PC                 // the lane's pc
	Handle             // the frame's handle: a stack or frame pointer
	Base               // where the frame's parameters are counted from
	Result             // part of what a function returned, else zero
)

// A Register is one register of the CPU.
type Register struct {
	Name    string
	Feature string // of the target description
	Type    string // of the target description
	Bits    int
	Role    Role
}

// Columns are DWARF's numbers of registers in call frame information.
type Columns struct {
	PC   uint64 // the column of the return address
	SP   uint64
	Base uint64 // the register that is a Base
}

var all = []Facade{x8664{}, aarch64{}}

// Names lists the names of all CPUs, for messages.
func Names() string {
	var names []string
	for _, f := range all {
		names = append(names, f.Name())
	}
	return strings.Join(names, ", ")
}

// Named finds a CPU by its name.
func Named(name string) (Facade, error) {
	for _, f := range all {
		if f.Name() == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("no facade is called %q: there are %s", name, Names())
}

// Host is the CPU of this machine, which its gdb knows for certain; x86-64 if
// there is no facade for it.
func Host() Facade {
	if runtime.GOARCH == "arm64" {
		return aarch64{}
	}
	return x8664{}
}

// A list makes the registers of a target description.
type list []Register

// add appends registers of one kind.
func (l *list) add(feature, typ string, bits int, role Role, names ...string) {
	for _, n := range names {
		*l = append(*l, Register{Name: n, Feature: feature, Type: typ, Bits: bits, Role: role})
	}
}

// numbered gives the names PREFIXfirst to PREFIXlast.
func numbered(prefix string, first, last int) []string {
	var names []string
	for i := first; i <= last; i++ {
		names = append(names, fmt.Sprintf("%s%d", prefix, i))
	}
	return names
}
