package dump

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/dwarf/internal/dwarftest"
)

func TestMain(m *testing.M) { os.Exit(dwarftest.Main(m)) }

// open reads the debug sections of a file.
func open(t testing.TB, file string) *dwarf.Data {
	t.Helper()
	s, big := dwarftest.Sections(t, file)
	d, err := dwarf.New(dwarf.SectionsNamed(s), dwarf.Options{BigEndian: big})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// noExpressions replaces expressions by a word: their text comes from another package.
func noExpressions(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if strings.Contains(l, "<0x") && !strings.Contains(l, "GNU_call_site_data_value") {
			out[i] = l
			continue
		}
		if at := expression.FindStringIndex(l); at != nil {
			text := l[at[0]:]
			l = l[:at[0]] + "EXPR"
			if strings.Count(text, ")") > strings.Count(text, "(") {
				l += ")"
			}
		}
		out[i] = l
	}
	return out
}

// expression matches one to the end of the line. llvm-dwarfdump takes the second alternative for plain
// bytes where it is a block.
var expression = regexp.MustCompile(`(DW_OP_|<decoding error>|<empty>|<0x[0-9a-f]+> ).*`)

// A comparison is what is printed of a file and what llvm-dwarfdump prints of it with some flags.
type comparison struct {
	name, file string
	dump       func(io.Writer, *dwarf.Data, Options) error
	verbose    bool
	flags      string
}

// compareAll asks llvm-dwarfdump once for all files of which the same is compared: to start it takes longer
// than to print.
func compareAll(t *testing.T, all []comparison) {
	t.Helper()
	files := map[string][]string{} // by flags
	for _, c := range all {
		files[c.flags] = append(files[c.flags], c.file)
	}
	said := map[string]string{} // by flags and file
	for flags, files := range files {
		for i, text := range dwarftest.Dumps(t, "llvm-dwarfdump-22", strings.Fields(flags), files) {
			said[flags+files[i]] = text
		}
	}
	for _, c := range all {
		t.Run(c.name+" "+c.flags, func(t *testing.T) { c.compare(t, said[c.flags+c.file]) })
	}
}

func (c *comparison) compare(t *testing.T, said string) {
	d := open(t, c.file)
	var got bytes.Buffer
	o := Options{Verbose: c.verbose, Expr: func(*dwarf.Unit, []byte) string { return "EXPR" }}
	if err := c.dump(&got, d, o); err != nil {
		t.Fatal(err)
	}
	_, said, _ = strings.Cut(said, "\n") // behind the file's format
	want := noExpressions(dwarftest.Lines(said))
	if len(want) < 3 {
		t.Fatalf("llvm-dwarfdump prints only %q", want)
	}
	have := noExpressions(dwarftest.Lines(got.String()))
	if !slices.Equal(want, have) { // cmp takes long for what is equal
		t.Errorf("it differs (-llvm-dwarfdump +here):\n%.6000s", cmp.Diff(want, have))
	}
}

// TestDumpIsLLVMs compares what is printed with llvm-dwarfdump.
func TestDumpIsLLVMs(t *testing.T) {
	dwarftest.Need(t, "llvm-dwarfdump-22")
	var all []comparison
	for _, b := range dwarftest.Some(dwarftest.AllBuilds()) {
		t.Run(b.Name, func(t *testing.T) {
			file := b.Make(t)
			flags := "--debug-info"
			s := open(t, file).Sections()
			if len(s.Types) > 0 {
				flags += " --debug-types"
			}
			all = append(all, comparison{b.Name, file, Info, false, flags},
				comparison{b.Name, file, Lines, false, "--debug-line"})
			if b.Clang() {
				// Of what GCC puts between its lists llvm-dwarfdump makes lists too.
				all = append(all, ofLists(b.Name, file, s)...)
			}
		})
	}
	compareAll(t, all)
}

func ofLists(name, file string, s *dwarf.Sections) (all []comparison) {
	for _, section := range []struct {
		data []byte
		flag string
		dump func(io.Writer, *dwarf.Data, Options) error
	}{
		{s.Loc, "--debug-loc", LocLists},
		{s.LocLists, "--debug-loclists", LocLists},
		{s.Ranges, "--debug-ranges", RangeLists},
		{s.RngLists, "--debug-rnglists", RangeLists},
	} {
		if len(section.data) > 0 {
			all = append(all, comparison{name, file, section.dump, false, section.flag})
		}
	}
	return all
}

// TestVerboseDumpIsLLVMs compares what is printed with forms and indexes.
func TestVerboseDumpIsLLVMs(t *testing.T) {
	dwarftest.Need(t, "llvm-dwarfdump-22")
	var all []comparison
	for _, b := range dwarftest.Some(slices.Concat(
		dwarftest.HostBuilds(), dwarftest.GPUBuilds(), dwarftest.CrossBuilds())) {
		t.Run(b.Name, func(t *testing.T) {
			file := b.Make(t)
			flags := "--debug-info -v"
			if s := open(t, file).Sections(); len(s.Types) > 0 {
				flags += " --debug-types"
			}
			all = append(all, comparison{b.Name, file, Info, true, flags})
		})
	}
	compareAll(t, all)
}
