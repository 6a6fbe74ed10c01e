package spirv

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
)

func testFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "spirv", "*.spv"))
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d modules in testdata (%v)", len(paths), err)
	}
	return paths
}

func parse(t testing.TB, name string) *Module {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "spirv", name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestParseAll(t *testing.T) {
	for _, path := range testFiles(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(b, nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if len(m.Entries) == 0 || len(m.Functions) < len(m.Entries) {
			t.Errorf("%s: %d entry points, %d functions", path, len(m.Entries), len(m.Functions))
		}
		swapped := make([]byte, len(b))
		for i := 0; i < len(b); i += 4 {
			binary.BigEndian.PutUint32(swapped[i:], binary.LittleEndian.Uint32(b[i:]))
		}
		big, err := Parse(swapped, nil)
		if err != nil || !big.BigEndian || !slices.Equal(big.Words, m.Words) || !bytes.Equal(big.Code(), b) {
			t.Errorf("%s: big-endian it reads differently (%v)", path, err)
		}
	}
}

// TestDisassembler compares the instructions and their results with what spirv-dis sees, where it is there.
func TestDisassembler(t *testing.T) {
	dis, err := exec.LookPath("spirv-dis")
	if err != nil {
		t.Skip("spirv-dis is not there")
	}
	result := regexp.MustCompile(`^ *%(\d+) = Op(\w+)`)
	for _, name := range []string{"types.O.spv", "cl_math.clO2.spv", "subgroup.Od.spv"} {
		out,
			err := exec.Command(dis, "--raw-id", "--no-header",
			filepath.Join("..", "..", "testdata", "spirv", name)).Output()
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, name)
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		i := 0
		for _, line := range lines {
			if !regexp.MustCompile(`^ *(%\d+ = )?Op`).MatchString(line) {
				continue // a line of a string
			}
			want := ""
			if r := result.FindStringSubmatch(line); r != nil {
				want = r[1]
			}
			if got := m.Insts[i].Result; (got != 0) != (want != "") || got != 0 && want != itoa(got) {
				t.Fatalf("%s: instruction %d defines %%%d, spirv-dis says %s", name, i, got, line)
			}
			i++
		}
		if i != len(m.Insts) {
			t.Errorf("%s: %d instructions, spirv-dis has %d", name, len(m.Insts), i)
		}
	}
}

func itoa(n uint32) string {
	b := []byte{}
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

func TestBindings(t *testing.T) {
	m := parse(t, "layout.Od.spv")
	type row struct {
		Set, Binding uint32
		Name         string
		Size, Tail   uint64
		Storage      bool
	}
	var got []row
	for _, b := range m.Bindings() {
		got = append(got, row{b.Set, b.Binding, b.Name, b.Size, b.Tail, b.Storage})
	}
	want := []row{{0, 0, "u", 148, 0, false}, {0, 1, "s", 96, 4, true}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if p := m.PushConstant(); p == nil || p.Type.Size != 20 {
		t.Errorf("push constants %+v", p)
	}
	table := parse(t, "table.Od.spv").Bindings()
	if table[1].Elements+table[0].Elements != 4 {
		t.Errorf("descriptors of table: %+v", table)
	}
	old := parse(t, "layout.10.spv").Bindings() // BufferBlock
	if !old[1].Storage || old[0].Storage {
		t.Errorf("SPIR-V 1.0: %+v", old)
	}
}

func TestKernels(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "spirv", "cl_nodes.cl.spv"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Open(b, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	k := &m.Kernels[0]
	if k.Name != "cl_nodes" || k.ArgSize != 48 || len(k.Args) != 3 || k.Args[2].Offset != 16 ||
		k.Args[2].Kind != loader.ByValue ||
		k.Args[0].AddressSpace != "global" {
		t.Errorf("kernel %+v", k)
	}
	spec := parse(t, "spec.none.spv")
	size, _, ok := spec.WorkgroupSize(spec.Entries[0])
	if ids := spec.SpecConstants(); len(ids) != 5 || !ok || size != [3]uint32{1, 1, 1} {
		t.Errorf("specialisation constants %d, workgroup %v", len(ids), size)
	}
}

func TestErrors(t *testing.T) {
	header := []uint32{Magic, 0x10300, 0, 10, 0}
	for _, c := range []struct {
		words []uint32
		want  string
	}{
		{[]uint32{1, 2, 3, 4, 5}, "word 0x0: no magic number"},
		{[]uint32{Magic, 0x20000, 0, 10, 0}, "word 0x1: version word 0x00020000"},
		{[]uint32{Magic, 0x10300, 0, 1 << 30, 0}, "word 0x3: bound of ids"},
		{append(header, 3<<16|17, 1), "word 0x5: instruction 17 of 3 words, 2 words are left"},
		{append(header, 0), "word 0x5: instruction 0 of 0 words"},
		{append(header, 2<<16|19, 11), "word 0x5: result id %11"},
		{append(header, 2<<16|19, 1, 2<<16|19, 1), "word 0x7: %1 is defined again, first at word 0x5"},
		{append(header, 4<<16|23, 1, 2, 3), "word 0x5: type %1 is made of %2, which is no type of values"},
		{append(header, 3<<16|22, 1, 7), "word 0x5: scalar type %1 of 7 bits"},
		{append(header, 3<<16|7, 1, 0x41414141), "the string has no end"},
	} {
		b := make([]byte, 0, 4*len(c.words))
		for _, w := range c.words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		if _, err := Parse(b, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#x: %v, want %s", c.words, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"layout.Od.spv", "cl_nodes.clO2.spv", "nodes.Od.spv", "spec.O.spv"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "spirv", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Open(b, nil, nil)
		if err != nil {
			return
		}
		for _, e := range m.Native.(*Module).Entries {
			m.Native.(*Module).WorkgroupSize(e)
		}
		m.Native.(*Module).Bindings()
	})
}

// TestVecTypeHint: the types that the specification numbers ("Execution Mode", VecTypeHint).
func TestVecTypeHint(t *testing.T) {
	for operand, want := range map[uint32]string{0: "char", 2: "int", 0x10005: "float", 0x40005: "float4",
		0x100003: "long16", 0x30004: "half3", 0x20006: "double2", 7: "", 0x40007: ""} {
		if got := hintedType(operand); got != want {
			t.Errorf("%#x: %q, want %q", operand, got, want)
		}
	}
}
