// Command lint measures what a reader of the project's Go files has to get through: functions over 60 lines,
// but those that only give a table, files over 700, lines over 110 columns, and comments in which a word or
// two stand alone on a line between two full ones. Of the client libraries' C it measures files, lines and
// comments. It knows nothing of what the code does. What is longer than that today is in known.txt, and
// nothing may become longer: Command lint fails if something is that known.txt has not, or has with a smaller
// number. With -update it writes known.txt.
//
//	go run ./testdata/lint [-update] [DIRECTORY]
package main

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// What may be as long as one likes it to be, and what is counted as a tab.
const (
	longestFunction = 60  // lines
	longestFile     = 700 // lines
	longestLine     = 110 // columns
	tab             = 4   // columns
	fullLine        = 80  // columns: a line of a comment that is as long has not been ended for its sense
	alone           = 2   // words
)

// known is the list, below the directory that is measured.
const known = "testdata/lint/known.txt"

// A sizes has how large things are: functions and files in lines; a package's long lines and comments in
// their number.
type sizes map[string]int

func main() {
	update := flag.Bool("update", false, "write what has become smaller into "+known)
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := run(root, *update, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(1)
	}
}

func run(root string, update bool, out io.Writer) error {
	found, err := measure(os.DirFS(root))
	if err != nil {
		return err
	}
	list := filepath.Join(root, filepath.FromSlash(known))
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	allowed, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", known, err)
	}
	if update {
		allowed = smaller(found, allowed)
		if err := os.WriteFile(list, []byte(allowed.String()), 0o666); err != nil {
			return err
		}
	}
	return compare(found, allowed, out)
}

// smaller is the list after what has become smaller: nothing is added to it, and nothing in it grows.
func smaller(found, allowed sizes) sizes {
	list := sizes{}
	for name, most := range allowed {
		if n := min(found[name], most); n > 0 {
			list[name] = n
		}
	}
	return list
}

// compare says what is larger than it may be, and what has become smaller than the list says, which is no
// error.
func compare(found, allowed sizes, out io.Writer) error {
	var larger int
	for _, name := range found.names() {
		if found[name] > allowed[name] {
			larger++
			fmt.Fprintf(out, "%s: %d, at most %d\n", name, found[name], max(allowed[name], limit(name)))
		}
	}
	for _, name := range allowed.names() {
		if found[name] < allowed[name] {
			fmt.Fprintf(out, "%s: %d, no longer %d: go run ./testdata/lint -update\n", name, found[name],
				allowed[name])
		}
	}
	if larger > 0 {
		return fmt.Errorf("%d are too large", larger)
	}
	return nil
}

// limit is how large something may be that is not in the list.
func limit(name string) int {
	switch kind, _, _ := strings.Cut(name, " "); kind {
	case "function":
		return longestFunction
	case "file":
		return longestFile
	}
	return 0
}

// measure looks at all files below a directory that it knows how to measure.
func measure(root fs.FS) (sizes, error) {
	found := sizes{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" && !isClients(name):
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".go" {
			return found.file(name, text)
		}
		found.lines(name, string(text))
		return nil
	})
	return found, err
}

// clients is the folder of the client libraries' sources; generated is what those that are made of others
// begin with.
const (
	clients   = "stub/device/client/src"
	generated = "// Written by "
)

// isClients reports whether a file is C of the client libraries.
func isClients(name string) bool {
	return path.Dir(name) == clients && (path.Ext(name) == ".c" || path.Ext(name) == ".h")
}

// lines measures what files of all languages have.
func (s sizes) lines(name, text string) {
	if strings.HasPrefix(text, generated) {
		return
	}
	lines, pkg := strings.Split(strings.TrimSuffix(text, "\n"), "\n"), path.Dir(name)
	s.over("file "+name, len(lines), longestFile)
	if n := tooLong(lines); n > 0 {
		s["columns "+pkg] += n
	}
	if n := orphans(lines); n > 0 {
		s["orphans "+pkg] += n
	}
}

// file measures a file of Go. The functions of tests may be long: they are tables and scripts.
func (s sizes) file(name string, text []byte) error {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := path.Dir(name)
	s.lines(name, string(text))
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && !isTable(fn) {
			n := files.Position(fn.End()).Line - files.Position(fn.Pos()).Line + 1
			s.over("function "+pkg+" "+funcName(fn), n, longestFunction)
		}
	}
	return nil
}

// isTable reports whether all that a function does is to give a table, which may be as long as one that is a
// variable's value.
func isTable(fn *ast.FuncDecl) bool {
	if fn.Body == nil || len(fn.Body.List) != 1 {
		return false
	}
	r, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	_, ok = r.Results[0].(*ast.CompositeLit)
	return ok
}

func (s sizes) over(name string, n, most int) {
	if n > most {
		s[name] = n
	}
}

// funcName is a function's name, and its receiver's type before it.
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}

func tooLong(lines []string) (n int) {
	for _, l := range lines {
		if columns(l) > longestLine {
			n++
		}
	}
	return n
}

// columns are as many as a line takes; tabs are at its beginning.
func columns(l string) int { return utf8.RuneCountInString(l) + strings.Count(l, "\t")*(tab-1) }

// orphans counts the lines of comments that have a word or two, between a full line and one that goes on.
func orphans(lines []string) (n int) {
	for i := 1; i+1 < len(lines); i++ {
		before, this, after := comment(lines[i-1]), comment(lines[i]), comment(lines[i+1])
		if before == "" || this == "" || after == "" || columns(lines[i-1]) < fullLine {
			continue
		}
		if words := strings.Fields(this); len(words) <= alone && !strings.ContainsAny(this, ".:") &&
			len(strings.Fields(after)) > alone && !strings.HasPrefix(this, "\t") {
			n++
		}
	}
	return n
}

// comment is the text of a line that has nothing else.
func comment(l string) string {
	text, ok := strings.CutPrefix(strings.TrimLeft(l, "\t"), "// ")
	if !ok {
		return ""
	}
	return text
}

func (s sizes) names() []string {
	var names []string
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// String is the list as known.txt has it: what, where, how large.
func (s sizes) String() string {
	var b strings.Builder
	for _, name := range s.names() {
		fmt.Fprintf(&b, "%s %d\n", name, s[name])
	}
	return b.String()
}

func parse(text string) (sizes, error) {
	s := sizes{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		i := strings.LastIndexByte(lines.Text(), ' ')
		if i < 0 {
			return nil, fmt.Errorf("line %d: no size", n)
		}
		var size int
		if _, err := fmt.Sscan(lines.Text()[i+1:], &size); err != nil || size <= 0 {
			return nil, fmt.Errorf("line %d: %q is no size", n, lines.Text()[i+1:])
		}
		s[lines.Text()[:i]] = size
	}
	return s, nil
}
