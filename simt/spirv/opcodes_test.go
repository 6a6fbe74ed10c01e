package spirv

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestOpcodes: the constants have the numbers by which opTable has their names.
func TestOpcodes(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "opcodes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		name := c.Names[0].Name
		number, err := strconv.ParseUint(c.Values[0].(*ast.BasicLit).Value, 10, 16)
		if err != nil {
			t.Fatal(err)
		}
		if got := opTable()[uint16(number)].name; "op"+got != name {
			t.Errorf("%s is %d, which is Op%s", name, number, got)
		}
		count++
		return true
	})
	if count == 0 {
		t.Error("no constants")
	}
}
