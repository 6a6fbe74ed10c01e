// Package cxxname reads the names that compilers give the symbols of C++: mangled by the Itanium C++ ABI
// (chapter 5.1, "External Names"), which clang uses for all GPUs. Names are written as GNU's demangler
// writes them, and so as gdb shows them.
//
// It knows nothing of files and machines, and little of expressions: a type that depends on one is not
// read (see [Parse]). Where a symbol is none of C++, it says so, whatever the symbol is.
package cxxname

import "strings"

// A Name is what a symbol of C++ stands for.
type Name struct {
	// Qualified is the name with the namespaces and classes it is in and its template arguments, without
	// parameters: "dense::transpose<int, 16>".
	Qualified string
	// Parameters are the types of a function's parameters; none of a function that is called without any.
	Parameters []string
	// Function reports whether Parameters are known. They are not if the symbol is a variable's, or if one
	// depends on an expression.
	Function bool

	result string // of a template's instance; "" if the symbol does not say
	suffix string // of a member: " const"
}

// Signature is the name with the types of the parameters where they are known: "scale(float*, int)".
func (n Name) Signature() string {
	if !n.Function {
		return n.Qualified
	}
	return n.Qualified + "(" + strings.Join(n.Parameters, ", ") + ")"
}

// Bounds of what is read: a symbol may be anything.
const (
	maxSymbol = 1 << 14
	maxNumber = 1 << 25 // of an array's elements, for instance
	maxDepth  = 64
	maxName   = 1 << 14 // of a name or a type that is written
)

// Parse reads a symbol. It is false where the symbol is not a C++ function's or variable's, or its name
// depends on an expression.
func Parse(symbol string) (name Name, ok bool) {
	rest, ok := strings.CutPrefix(symbol, "_Z")
	if !ok || len(symbol) > maxSymbol {
		return Name{}, false
	}
	p := &parser{s: rest}
	name = p.encoding()
	switch {
	case p.failed:
		name = Name{Qualified: name.Qualified}
	case !p.atEnd():
		return Name{}, false
	}
	return name, name.Qualified != ""
}
