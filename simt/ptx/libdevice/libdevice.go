// Package libdevice has the functions of NVIDIA's device library by name ("libdevice User's Guide"). It knows
// no machine: arguments and results are bits in uint64s, and what functions read and write by pointers goes
// through a [Memory].
//
// Functions of numbers are computed in double precision; those of single precision round its result once.
//
// Entry points: [Lookup] and [Function.Call].
package libdevice

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"simtgdb/simt/ptx/numeric"
)

// A Function is one of the library's.
type Function struct {
	// FloatBits is how many bits its floats have if it makes one float of floats alone, otherwise 0.
	FloatBits uint
	call      func(v []uint64, passed int, mem Memory) (uint64, error)
}

// A Memory is what pointers lead to.
type Memory interface {
	Read(addr uint64, p []byte) error
	Write(addr uint64, p []byte) error
}

// MostArgs is how many arguments a function has at most.
const MostArgs = 4

// Call calls it. A function that is declared with fewer arguments than it has sees zeros, in args if there is
// room for them.
func (f *Function) Call(args []uint64, mem Memory) (uint64, error) {
	passed := len(args)
	if passed < MostArgs {
		args = append(args, make([]uint64, MostArgs-passed)...)
	}
	return f.call(args, passed, mem)
}

// prefix is that of all names.
const prefix = "__nv_"

// Lookup is the function of a name, or nil.
func Lookup(name string) *Function {
	if name, ok := strings.CutPrefix(name, prefix); ok {
		return library()[name]
	}
	return nil
}

// Names are those of all functions.
func Names() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(library())) {
		names = append(names, prefix+name)
	}
	return names
}

// library is what functions are when they are first asked for: most programs call none.
var library = sync.OnceValue(func() map[string]*Function {
	addIntegers()
	addReals()
	addRounded()
	addWriters()
	return functions
})

// functions are the library by names without their prefix. They are looked up in library, which has them all.
var functions = map[string]*Function{}

// add adds a function of bits.
func add(name string, f func(v []uint64) uint64) {
	functions[name] = &Function{call: func(v []uint64, _ int, _ Memory) (uint64, error) { return f(v), nil }}
}

// A precision is how functions of one kind of floats take arguments and give results.
type precision struct {
	suffix string // of names
	bits   uint
	number func(v uint64) float64
	result func(x float64) uint64
}

var (
	double = precision{"", 64, numeric.F64, numeric.Result64}
	single = precision{"f", 32, func(v uint64) float64 { return float64(numeric.F32(v)) },
		func(x float64) uint64 { return numeric.Round32(x, numeric.Nearest) }}
)

// bit is 1 for true.
func bit(t bool) uint64 {
	if t {
		return 1
	}
	return 0
}

// numbers are arguments as floats.
func (p *precision) numbers(v []uint64) []float64 {
	x := make([]float64, len(v))
	for i := range v {
		x[i] = p.number(v[i])
	}
	return x
}

// add1 adds a function of one float, add2 one of two.
func (p *precision) add1(name string, f func(x float64) float64) {
	add(name+p.suffix, func(v []uint64) uint64 { return p.result(f(p.number(v[0]))) })
	functions[name+p.suffix].FloatBits = p.bits
}

func (p *precision) add2(name string, f func(x, y float64) float64) {
	add(name+p.suffix, func(v []uint64) uint64 { return p.result(f(p.number(v[0]), p.number(v[1]))) })
	functions[name+p.suffix].FloatBits = p.bits
}
