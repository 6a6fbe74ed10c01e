package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// draw returns the changes of meaning of a package's files in random order, the same for the same seed.
func draw(dir string, seed uint64) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		of, err := changes(path)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no file of Go has anything to change", dir)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}

// changes are those of a file, in the order of its text: the change of an operator, of a number or of a
// condition, and a statement left out.
func changes(path string) ([]mutant, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []mutant
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	between := func(from, to token.Pos) string { return string(text[offset(from):offset(to)]) }
	replace := func(from, to token.Pos, by string) {
		all = append(all, unique(path, string(text), offset(from), offset(to), by))
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR // numbers of constants and types are names for others
		case *ast.BinaryExpr:
			if by, ok := operators[n.Op]; ok {
				replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by)
			}
		case *ast.IfStmt:
			if b, ok := n.Cond.(*ast.BinaryExpr); !ok || b.Op != token.EQL && b.Op != token.NEQ {
				replace(n.Cond.Pos(), n.Cond.End(), "!("+between(n.Cond.Pos(), n.Cond.End())+")")
			}
		case *ast.BasicLit:
			if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				replace(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
			}
		case *ast.Ident:
			if by, ok := truths[n.Name]; ok {
				replace(n.Pos(), n.End(), by)
			}
		case *ast.ExprStmt, *ast.IncDecStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				replace(n.Pos(), n.End(), "")
			}
		}
		return true
	})
	return all, nil
}

// operators are what stands for each operator instead.
var operators = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&",
	token.ADD: "-", token.SUB: "+", token.MUL: "+", token.QUO: "*", token.REM: "/",
	token.SHL: ">>", token.SHR: "<<",
	token.AND: "|", token.OR: "&", token.XOR: "|", token.AND_NOT: "&",
}

var truths = map[string]string{"true": "false", "false": "true"}

// unique is the change of text[start:end] with as many whole lines about it as make it the only one of its
// text.
func unique(path, text string, start, end int, by string) mutant {
	from, to := start, end
	for strings.Count(text, text[from:to]) > 1 {
		from = strings.LastIndexByte(text[:max(from-1, 0)], '\n') + 1
		if next := strings.IndexByte(text[min(to+1, len(text)):], '\n'); next >= 0 {
			to = min(to+1, len(text)) + next
		} else {
			to = len(text)
		}
	}
	return mutant{file: path, from: text[from:to], to: text[from:start] + by + text[end:to]}
}

// drawn tries changes of a package until so many have built, and says what became of each.
func (t *trial) drawn(dir, tests string, seed uint64, count int) error {
	all, err := draw(dir, seed)
	if err != nil {
		return err
	}
	n := map[fate]int{}
	for _, m := range all {
		if count == 0 {
			break
		}
		m.tests = tests
		f, err := t.try(&m)
		if errors.Is(err, errBuild) {
			continue
		} else if err != nil {
			return err
		}
		fmt.Printf("{%q, %q, %q, %q}, // %s\n", m.file, m.from, m.to, m.tests, f)
		n[f]++
		count--
	}
	t.report(dir, n)
	return nil
}
