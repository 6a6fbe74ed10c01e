package gcn

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestExecHasOneOwner looks for assignments of simt.Wave.Exec outside of exec.go: EXEC is the scalar file's,
// and takeExec makes the wave's what that is. Whether it does so after all that writes the file, each
// comparison of two paths says (differsInRegisters).
func TestExecHasOneOwner(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	owners := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for at := range execWriters(f) {
			if name == "exec.go" {
				owners++
				continue
			}
			t.Errorf("%v: EXEC of a wave is written here, and not by takeExec", files.Position(at))
		}
	}
	if owners != 2 {
		t.Errorf("exec.go writes EXEC of waves in %d places, want those of takeExec and withLanes", owners)
	}
}

// execWriters gives where a file writes a field Exec, or takes its address.
func execWriters(f *ast.File) func(yield func(token.Pos) bool) {
	return func(yield func(token.Pos) bool) {
		written := func(all ...ast.Expr) {
			for _, e := range all {
				if field, ok := e.(*ast.SelectorExpr); ok && field.Sel.Name == "Exec" {
					yield(field.Pos())
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				written(n.Lhs...)
			case *ast.IncDecStmt:
				written(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					written(n.X)
				}
			}
			return true
		})
	}
}
