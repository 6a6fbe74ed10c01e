package pattern

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	digits := Compile(`\d+`)
	if found := digits().FindString("lane 63"); found != "63" {
		t.Errorf("found %q", found)
	}
	if first, second := digits(), digits(); first != second {
		t.Error("the expression was compiled twice")
	}
}

// TestAll compiles the expressions that the program compiles when it needs them.
func TestAll(t *testing.T) {
	n := 0
	for _, house := range []string{"stub", "simt", "loader", "dwarf", "rsp"} {
		top := filepath.Join("../..", house)
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil || !strings.Contains(string(text), "pattern.Compile(") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if call, ok := node.(*ast.CallExpr); ok && isCompile(call.Fun) {
					n++
					if _, err := regexp.Compile(constant(call.Args[0])); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 70 {
		t.Errorf("only %d expressions were found", n)
	}
}

func isCompile(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Compile" {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "pattern"
}

// constant is the text of an expression, in which a name stands for a word.
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return constant(e.X) + constant(e.Y)
	}
	return "word"
}
