package spirv

import (
	"encoding/binary"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// enums are operands that spirv-dis prints by names which this machine prints as numbers, and how.
var enums = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`^(OpSelectionMerge %\d+) None$`), "$1 0"},
	{regexp.MustCompile(`^(OpLoopMerge %\d+ %\d+) None$`), "$1 0"},
	{regexp.MustCompile(`^(OpLoopMerge %\d+ %\d+) Unroll$`), "$1 1"},
	{regexp.MustCompile(`^(OpLoopMerge %\d+ %\d+) DontUnroll$`), "$1 2"},
}

// TestText compares the text of the instructions in functions with spirv-dis's, where it is there.
func TestText(t *testing.T) {
	dis, err := exec.LookPath("spirv-dis")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	extInst := regexp.MustCompile(`OpExtInst (%\d+ %\d+) (\w+)`)
	for _, name := range []string{"control.O.spv", "subgroup.Od.spv", "cl_math.cl.spv", "types.O.spv",
		"atomics.Od.spv"} {
		out, err := exec.Command(dis, "--raw-id", "--no-header", "--no-indent",
			filepath.Join("..", "..", "testdata", "spirv", name)).Output()
		if err != nil {
			t.Fatal(err)
		}
		words := testModule(t, name)
		code := make([]byte, 0, 4*len(words))
		for _, w := range words {
			code = binary.LittleEndian.AppendUint32(code, w)
		}
		inside, compared := false, 0
		at := 20
		for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			if !regexp.MustCompile(`^(%\d+ = )?Op`).MatchString(line) {
				continue
			}
			in, err := Decoder{Base: codeBase}.Inst(code[at:], codeBase+uint64(at))
			if err != nil {
				t.Fatal(err)
			}
			at += in.Size
			inside = inside || strings.Contains(line, "= OpFunction ")
			if !inside ||
				strings.Contains(line, " vload") { // whose last operand is a number, which only the set says
				continue
			}
			want := line
			for _, e := range enums {
				want = e.pattern.ReplaceAllString(want, e.with)
			}
			got := in.Text
			if m := extInst.FindStringIndex(want); m != nil { // functions of sets have names there, numbers here
				want, got = extInst.ReplaceAllString(want, "OpExtInst $1 N"),
					extInst.ReplaceAllString(got, "OpExtInst $1 N")
			}
			if got != want {
				t.Errorf("%s at %#x: %q, spirv-dis has %q", name, at-in.Size, got, want)
			}
			compared++
		}
		if compared < 50 {
			t.Errorf("%s: %d instructions compared", name, compared)
		}
	}
}
