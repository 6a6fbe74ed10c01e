// Package randprog makes random programs in OpenCL C that have one meaning, and makes a program that shows a
// fault as small as still shows it. It knows no compiler and no machine.
//
// Entry points: [New], [File], [HostMain], [Reduce].
package randprog

import "strings"

// A sort is what a node can stand for: another of the same sort can be in its place.
type sort uint8

const (
	other sort = iota
	list       // statements, declarations or functions, any of which may be left out
	uintExpr
	ulongExpr
	floatExpr
	condition
	vec3Expr
	vec4Expr
)

// plain is the simplest expression of a sort.
var plain = map[sort]string{uintExpr: "1u", ulongExpr: "1ul", floatExpr: "1.5f", condition: "1",
	vec3Expr: "(uint3)(1u)", vec4Expr: "(uint4)(1u)"}

// A node is a piece of a program: texts, with a child between each and the next.
type node struct {
	sort sort
	text []string
	kids []*node
}

// place stands in formats for a child.
const place = "@"

// make makes a node of a text in which each place is a child's.
func (s sort) make(format string, kids ...*node) *node {
	text := strings.Split(format, place)
	if len(text) != len(kids)+1 {
		panic("randprog: children do not match " + format)
	}
	return &node{s, text, kids}
}

// listOf makes a list, each of whose members is on a line of its own.
func listOf(kids ...*node) *node {
	n := &node{sort: list, text: []string{""}}
	for _, k := range kids {
		n.add(k)
	}
	return n
}

func (n *node) add(k *node) {
	n.kids = append(n.kids, k)
	n.text = append(n.text, "\n")
}

func (n *node) write(b *strings.Builder) {
	for i, t := range n.text {
		b.WriteString(t)
		if i < len(n.kids) {
			n.kids[i].write(b)
		}
	}
}

// walk calls f for the node and all below it until it returns false.
func (n *node) walk(f func(*node) bool) bool {
	if !f(n) {
		return false
	}
	for _, k := range n.kids {
		if !k.walk(f) {
			return false
		}
	}
	return true
}
