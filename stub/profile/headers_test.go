package profile

import (
	"strings"
	"testing"
)

// TestHeadersFolded: a page shows the lines of headers behind the program's own, folded; a program of headers
// alone is shown as it is.
func TestHeadersFolded(t *testing.T) {
	if got := breakable("/usr/a<b>.h", 7, ""); got != "/<wbr>usr/<wbr>a&lt;b&gt;.h:7" {
		t.Errorf("%s", got)
	}
	own, header := Line{File: "k.hip", Number: 3}, Line{File: "/usr/include/hip/math.h", Number: 7}
	for _, c := range []struct {
		lines  []Line
		folded int
	}{{[]Line{header, own}, 1}, {[]Line{own}, 0}, {[]Line{header}, 0}} {
		r := &Report{SourceName: "k", Lines: c.lines}
		var b strings.Builder
		if err := r.HTML(&b); err != nil {
			t.Fatal(err)
		}
		_, behind, found := strings.Cut(b.String(), "lines of headers</summary>")
		if found != (c.folded > 0) || found &&
			(!strings.Contains(behind, "math.h:7") || strings.Contains(behind, "k.hip:3")) {
			t.Errorf("%v: folded %v", c.lines, found)
		}
		if strings.Count(b.String(), ":3</td>")+strings.Count(b.String(), ":7</td>") < len(c.lines) {
			t.Errorf("%v: a line is missing", c.lines)
		}
	}
}
