package libdevice_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"simtgdb/simt/ptx/libdevice"
)

var update = flag.Bool("update", false, "rewrite the list of functions in docs/fidelity.md")

const listBegin, listEnd = "<!-- device functions -->\n", "<!-- end of device functions -->\n"

// The list of functions in the document is that of the machine.
func TestFunctionsInDocument(t *testing.T) {
	const path = "../../../docs/fidelity.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := strings.Index(string(text), listBegin), strings.Index(string(text), listEnd)
	if begin < 0 || end < begin {
		t.Fatalf("%s has no list of functions", path)
	}
	want := functionList()
	if *update {
		out := string(text[:begin]) + listBegin + want + string(text[end:])
		if err := os.WriteFile(path, []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := string(text[begin+len(listBegin) : end]); got != want {
		t.Errorf("%s lists other functions than the machine has: run go test with -update", path)
	}
}

// functionList has the names of the device library without their prefix, and those with the suffix of
// single precision as such.
func functionList() string {
	names := libdevice.Names()
	all := map[string]bool{}
	for _, n := range names {
		all[n] = true
	}
	var words []string
	for _, n := range names {
		short := strings.TrimPrefix(n, "__nv_")
		if s, ok := strings.CutSuffix(n, "f"); ok && all[s] {
			continue
		}
		if all[n+"f"] {
			short += "[f]"
		}
		words = append(words, "`"+short+"`")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d functions; `[f]` is the one of single precision besides.\n\n", len(names))
	line := ""
	for i, w := range words {
		if i+1 < len(words) {
			w += ","
		}
		if len(line)+len(w)+1 > 90 {
			b.WriteString(strings.TrimSpace(line) + "\n")
			line = ""
		}
		line += w + " "
	}
	b.WriteString(strings.TrimSpace(line) + "\n")
	return b.String()
}

// The functions are as many as the document says.
func TestDeviceFunctionCount(t *testing.T) {
	if n := len(libdevice.Names()); n < 340 {
		t.Errorf("there are %d functions of the device library", n)
	}
	for _, name := range libdevice.Names() {
		if !regexp.MustCompile(`^[a-z_][a-z0-9_]*$`).MatchString(name) {
			t.Errorf("%q is no name", name)
		}
	}
}
