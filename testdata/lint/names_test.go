package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A project is what names in documents may be of: files and folders, and the words of all code.
type project struct {
	files, folders, words map[string]bool
	rules                 map[string]bool // of the Makefile
}

var (
	quoted   = regexp.MustCompile("`([^`\n]+)`")
	word     = regexp.MustCompile(`[A-Za-z_]\w*`)
	rule     = regexp.MustCompile(`(?m)^([a-z-]+):`)
	filename = regexp.MustCompile(`^[\w./*-]+\.(go|sh|py|asm)$`)
	name     = regexp.MustCompile(`^[A-Za-z]\w*(\.[A-Za-z]\w*)?$`)
	houses   = []string{"stub", "simt", "loader", "dwarf", "rsp", "testdata"}
)

func read(t *testing.T, top string) *project {
	p := &project{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	tree := os.DirFS(top)
	for _, house := range append(houses, "docs") {
		err := fs.WalkDir(tree, house, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				p.folders[file] = true
				return nil
			}
			p.files[file], p.files[path.Base(file)] = true, true
			if path.Ext(file) != ".go" {
				p.words[strings.TrimSuffix(path.Base(file), path.Ext(file))] = true // a transcript
				return nil
			}
			text, err := fs.ReadFile(tree, file)
			for _, w := range word.FindAllString(string(text), -1) {
				p.words[w] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	makefile, err := fs.ReadFile(tree, "Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range rule.FindAllStringSubmatch(string(makefile), -1) {
		p.rules[m[1]] = true
	}
	return p
}

// missing are what a document names in backquotes, and the project has not. NAME stands for any in a path.
func (p *project) missing(document string) (names []string) {
	for _, m := range quoted.FindAllStringSubmatch(document, -1) {
		switch n := m[1]; {
		case strings.HasPrefix(n, "make "):
			if target := strings.Fields(n)[1]; !p.rules[target] {
				names = append(names, n)
			}
		case strings.Contains(n, "NAME"):
		case strings.Contains(n, "*") && strings.HasSuffix(n, ".go"):
			if !slices.ContainsFunc(
				keys(p.files),
				func(f string) bool { ok, _ := path.Match(n, f); return ok },
			) {
				names = append(names, n)
			}
		case filename.MatchString(n),
			slices.Contains(houses, strings.Split(n, "/")[0]) && !strings.ContainsAny(n, " \t"):
			if !p.files[n] && !p.folders[n] && !p.words[n] {
				names = append(names, n)
			}
		case name.MatchString(n):
			if !p.words[n[strings.LastIndex(n, ".")+1:]] {
				names = append(names, n)
			}
		}
	}
	return names
}

func keys(m map[string]bool) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

// TestNames: the steps of contributing.md name files, code, tests, transcripts and targets that there are.
func TestNames(t *testing.T) {
	p := read(t, "../..")
	text, err := os.ReadFile("../../docs/contributing.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range p.missing(string(text)) {
		t.Errorf("contributing.md names `%s`, which there is not", n)
	}
	made := "`make nothing` `simt/nothing.go` `nothing.go` `TestOf" + "Nothing` `no" + "thing_*.go` " +
		"`stub/nothing` `simt.No" + "Where` `make test` `simt/NAME` `go test ./...` `TestNames` `simt` " +
		"`guide_check` `lint.go` `ops_*.go` `simt.Wave`"
	want := append([]string{"make nothing"}, strings.Fields("simt/nothing.go nothing.go TestOf"+"Nothing "+
		"no"+"thing_*.go stub/nothing simt.No"+"Where")...)
	if got := p.missing(made); !slices.Equal(got, want) {
		t.Errorf("of what there is not, %q are found, want %q", got, want)
	}
}

// TestPackagesInDocument: the tree in architecture.md has each package, but those that are for tests alone.
func TestPackagesInDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tree, ok := strings.Cut(string(text), "```\n")
	tree, _, closed := strings.Cut(tree, "```\n")
	if !ok || !closed {
		t.Fatal("architecture.md has no tree")
	}
	packages := 0
	for folder := range read(t, "../..").folders {
		house, _, deeper := strings.Cut(folder, "/")
		if !deeper || house == "testdata" || house == "docs" || !isPackage(t, "../../"+folder) ||
			strings.Contains(folder, "/internal/") || strings.HasSuffix(folder, "test") {
			continue
		}
		packages++
		// A package below another may stand there without the names of those above.
		names := []string{folder}
		for _, rest, deeper := strings.Cut(folder, "/"); deeper; _, rest, deeper = strings.Cut(rest, "/") {
			names = append(names, rest)
		}
		if !slices.ContainsFunc(names, func(n string) bool { return listed(tree, n) }) {
			t.Errorf("architecture.md has no package %s", folder)
		}
	}
	if packages < 80 || listed(tree, "nowhere") || listed(tree, "hip") {
		t.Errorf("%d packages are looked for", packages)
	}
}

// listed reports whether a tree has a folder.
func listed(tree, folder string) bool {
	return regexp.MustCompile(`(?m)(^|[ ,])` + regexp.QuoteMeta(folder) + `(/|[ ,]|$)`).MatchString(tree)
}

// isPackage reports whether a folder has code that is no test, and is not data of one.
func isPackage(t *testing.T, folder string) bool {
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return !strings.Contains(folder, "/testdata") && slices.ContainsFunc(files, func(f fs.DirEntry) bool {
		return strings.HasSuffix(f.Name(), ".go") && !strings.HasSuffix(f.Name(), "_test.go")
	})
}
