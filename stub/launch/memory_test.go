package launch

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sharing is a launch file of three launches that share memory. The kernels are
// those of saxpy: y[i] += a * x[i].
const sharing = `{"code_object": "CODE",
 "memory": [
  {"name": "x", "type": "f32", "count": 64, "init": "iota"},
  {"name": "y", "address": "0x5000_0000_1000", "type": "f32", "count": 64, "init": "fill:1",
   "expect": {"file": "want.bin"}},
  {"name": "table", "address": 1099511627776, "type": "u64", "count": 2, "init": "zero",
   "expect": {"file": "table.bin"}}],
 "pointers": [{"in": "table", "at": 8, "to": "y", "add": 16}],
 "launches": [
  {"kernel": "saxpy", "grid": [64], "block": [64],
   "args": [{"i32": 64}, {"f32": 2}, {"memory": "x"}, {"memory": "y"}]},
  {"groups": [1], "block": [64],
   "args": [{"i32": 64}, {"f32": 3}, {"memory": "x"}, {"memory": {"name": "y"}}]},
  {"grid": [64], "block": [64],
   "args": [{"i32": 63}, {"f32": 10}, {"memory": "x"}, {"memory": {"name": "y", "add": 4}}]}]}`

// TestSharedMemory runs several launches of one file.
func TestSharedMemory(t *testing.T) {
	dir := t.TempDir()
	code, err := filepath.Abs("../../testdata/co/saxpy.gfx90a.O2.co")
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for i := range 64 {
		v := float32(1 + 5*i)
		if i > 0 {
			v += 10 * float32(i-1)
		}
		want = appendFloat(want, v)
	}
	table := binary.LittleEndian.AppendUint64(make([]byte, 8), 0x5000_0000_1010)
	for name, data := range map[string][]byte{"want.bin": want, "table.bin": table,
		"l.json": []byte(strings.Replace(sharing, "CODE", code, 1))} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	checkPacked(t, filepath.Join(dir, "l.json"))
	s, err := ReadSpec(File{Path: filepath.Join(dir, "l.json")})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Check() {
		t.Errorf("%s: %v", m.Buffer.Name, m.Differs)
	}
	if n := len(p.Buffers); n != 3 || !p.Buffers[1].Expected() || p.ran != 2 {
		t.Errorf("%d buffers, %d launches before", n, p.ran)
	}
}

// TestSharedMemoryErrors: what is wrong with such files.
func TestSharedMemoryErrors(t *testing.T) {
	const code = `"code_object": "../../testdata/co/saxpy.gfx90a.O2.co", "grid": [64], "block": [64]`
	const args = `"args": [{"i32": 64}, {"f32": 2}, {"memory": "x"}, {"memory": "x"}]`
	const x = `"memory": [{"name": "x", "type": "f32", "count": 64}]`
	for text, want := range map[string]string{
		`{` + code + `, ` + args +
			`}`: `there is no memory "x"`,
		`{` + code + `, "memory": [{"type": "f32", "count": 64}]}`: "has no name",
		`{` + code +
			`, "memory": [{"name": "x", "address": "zero", "type": "f32"}]}`: `"zero" is no address`,
		`{` + code + `, "launches": []}`: "has no launch",
		`{` + code +
			`, "launches": [{"args": [{"buffer": {"type": "f32", "count": 1}}]}]}`: "launches share memory",
		`{` + code + `, "symbols": [{"name": "s"}]}`: "wants bytes or a file",
		`{` + code + `, ` + x + `, ` + args +
			`, "symbols": [{"name": "s", "bytes": "00"}]}`: "no such variable",
		`{` + code + `, ` + args +
			`, "memory": [{"name": "x", "type": "f32", "count": 64, "heap": "tree"}]}`: `has no room for this as a "tree"`,
		`{` + code + `, ` + args +
			`, "memory": [{"name": "x", "address": 6656, "type": "f32", "count": 9}]}`: "overlaps",
	} {
		s, err := parseSpec([]byte(text), File{Path: "l.json"})
		if err == nil {
			_, err = s.Load()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
}

func appendFloat(b []byte, v float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
}
