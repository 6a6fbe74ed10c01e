package dwarf

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines gives the lines of a text with the white space made equal; the first one, which names the file,
// is left out.
func dumpLines(text string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		l = strings.Join(strings.Fields(l), " ")
		if l != "" && !strings.Contains(l, "file format ") {
			out = append(out, l)
		}
	}
	return out
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

func compareDump(t *testing.T, file string, dump func(io.Writer, *Data, DumpOptions) error, verbose bool, flags ...string) {
	t.Helper()
	d := dataOf(t, file)
	var got bytes.Buffer
	o := DumpOptions{Verbose: verbose, Expr: func(*Unit, []byte) string { return "EXPR" }}
	if err := dump(&got, d, o); err != nil {
		t.Fatal(err)
	}
	want := noExpressions(dumpLines(output(t, "llvm-dwarfdump-22", append(flags, file)...)))
	if len(want) < 3 {
		t.Fatalf("llvm-dwarfdump prints only %q", want)
	}
	have := noExpressions(dumpLines(got.String()))
	if !slices.Equal(want, have) { // cmp takes long for what is equal
		t.Errorf("%v differs (-llvm-dwarfdump +here):\n%.6000s", flags, cmp.Diff(want, have))
	}
}

// TestDumpIsLLVMs compares what is printed with llvm-dwarfdump.
func TestDumpIsLLVMs(t *testing.T) {
	need(t, "llvm-dwarfdump-22")
	for _, b := range allBuilds() {
		t.Run(b.name, func(t *testing.T) {
			file := b.make(t)
			flags := []string{"--debug-info"}
			s, _ := sectionsOf(t, file)
			if len(s.Types) > 0 {
				flags = append(flags, "--debug-types")
			}
			compareDump(t, file, DumpInfo, false, flags...)
			compareDump(t, file, DumpLine, false, "--debug-line")
			if b.clang() {
				// Of what GCC puts between its lists llvm-dwarfdump makes lists too.
				compareLists(t, file, s)
			}
		})
	}
}

func compareLists(t *testing.T, file string, s Sections) {
	t.Helper()
	for _, section := range []struct {
		data []byte
		flag string
		dump func(io.Writer, *Data, DumpOptions) error
	}{
		{s.Loc, "--debug-loc", DumpLocLists},
		{s.LocLists, "--debug-loclists", DumpLocLists},
		{s.Ranges, "--debug-ranges", DumpRangeLists},
		{s.RngLists, "--debug-rnglists", DumpRangeLists},
	} {
		if len(section.data) > 0 {
			compareDump(t, file, section.dump, false, section.flag)
		}
	}
}

// TestVerboseDumpIsLLVMs compares what is printed with forms and indexes.
func TestVerboseDumpIsLLVMs(t *testing.T) {
	need(t, "llvm-dwarfdump-22")
	for _, b := range slices.Concat(hostBuilds(), gpuBuilds(), crossBuilds()) {
		t.Run(b.name, func(t *testing.T) {
			file := b.make(t)
			flags := []string{"--debug-info", "-v"}
			if s, _ := sectionsOf(t, file); len(s.Types) > 0 {
				flags = append(flags, "--debug-types")
			}
			compareDump(t, file, DumpInfo, true, flags...)
		})
	}
}

// TestCodeObjects reads the code objects of the project's kernels.
func TestCodeObjects(t *testing.T) {
	need(t, "llvm-dwarfdump-22")
	files, err := filepath.Glob("../testdata/co/*.co")
	if err != nil || len(files) == 0 {
		t.Skip("skipped: no code objects are there")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s, _ := sectionsOf(t, file)
			readAll(t, dataOf(t, file))
			compareDump(t, file, DumpInfo, false, "--debug-info")
			compareDump(t, file, DumpLine, false, "--debug-line")
			compareLists(t, file, s)
		})
	}
}
