// Command header makes a C header of the constants that a Go file declares, for the client's side of the
// protocol: of each group whose comment has a line //c:enum NAME TRIM PREFIX. The group becomes enum NAME, or
// one without a name where that is -; a constant's name there is its own without TRIM, in capitals, after
// PREFIX (- is nothing). What is said of a constant behind it is said there too.
//
//	header GO-FILE C-FILE
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"unicode"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "header GO-FILE C-FILE")
		os.Exit(2)
	}
	text, err := header(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "header: %v\n", err)
		os.Exit(1)
	}
}

// header is the header that a file comes to.
func header(file string) (string, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, file, nil, parser.ParseComments)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString("// The numbers of the device service's protocol, made of its Go file protocol.go by " +
		"go generate.\n#pragma once\n")
	for _, d := range f.Decls {
		if group, ok := d.(*ast.GenDecl); ok && group.Tok == token.CONST {
			if err := enum(&out, group); err != nil {
				return "", fmt.Errorf("%s: %w", files.Position(group.Pos()), err)
			}
		}
	}
	return out.String(), nil
}

// enum writes a group of constants.
func enum(out *strings.Builder, group *ast.GenDecl) error {
	var says []string
	var words []string
	for _, c := range group.Doc.List {
		if directive, ok := strings.CutPrefix(c.Text, "//c:enum "); ok {
			words = strings.Fields(directive)
		} else if c.Text != "//" {
			says = append(says, c.Text)
		}
	}
	if len(words) != 3 {
		return fmt.Errorf("a group of constants wants a line //c:enum NAME TRIM PREFIX")
	}
	for i, w := range words {
		words[i] = strings.TrimPrefix(w, "-")
	}
	fmt.Fprintf(out, "\n%s\nenum %s{\n", strings.Join(says, "\n"), spaced(words[0]))
	var same []ast.Expr // as the constant before, where nothing else is said
	for i, s := range group.Specs {
		spec := s.(*ast.ValueSpec)
		if len(spec.Values) > 0 {
			same = spec.Values
		}
		for k, name := range spec.Names {
			v, err := value(same[k], int64(i))
			if err != nil {
				return fmt.Errorf("%s: %w", name.Name, err)
			}
			fmt.Fprintf(out, "  %s%s = %d,", words[2], capitals(strings.TrimPrefix(name.Name, words[1])), v)
			if said := strings.TrimSpace(spec.Comment.Text()); said != "" {
				fmt.Fprintf(out, " // %s", said)
			}
			out.WriteString("\n")
		}
	}
	out.WriteString("};\n")
	return nil
}

// operators are those that values of constants have.
var operators = map[token.Token]func(x, y int64) int64{
	token.ADD: func(x, y int64) int64 { return x + y },
	token.SHL: func(x, y int64) int64 { return x << y },
}

// value is what the constant with a number in its group comes to.
func value(e ast.Expr, iota int64) (int64, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return strconv.ParseInt(e.Value, 0, 64)
	case *ast.Ident:
		if e.Name == "iota" {
			return iota, nil
		}
	case *ast.BinaryExpr:
		x, err := value(e.X, iota)
		y, err2 := value(e.Y, iota)
		if of := operators[e.Op]; of != nil {
			return of(x, y), errors.Join(err, err2)
		}
	}
	return 0, errors.New("a value wants numbers, iota, + and <<")
}

// spaced is a word with a space behind it, if it is one.
func spaced(word string) string {
	if word == "" {
		return ""
	}
	return word + " "
}

// capitals spells a name of Go as C's constants are.
func capitals(name string) string {
	var out []rune
	var before rune
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			out = append(out, '_')
		}
		out, before = append(out, unicode.ToUpper(r)), r
	}
	return string(out)
}
