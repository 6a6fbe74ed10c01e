package debuginfo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/loader/spirv"
)

const testdata = "../../../../testdata/spirv"

func testModule(t testing.TB, name string) *spirv.Module {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := spirv.Parse(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func read(t testing.TB, m *spirv.Module) *dwarf.Data {
	t.Helper()
	s, err := Sections(m)
	if err != nil {
		t.Fatal(err)
	}
	d,
		err := dwarf.New(dwarf.Sections{Info: s[".debug_info"], Abbrev: s[".debug_abbrev"],
		Str:     s[".debug_str"],
		LineStr: s[".debug_line_str"], Line: s[".debug_line"], LocLists: s[".debug_loclists"],
		RngLists: s[".debug_rnglists"]}, dwarf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := d.Complaints(); len(c) > 0 {
		t.Errorf("complaints: %v", c)
	}
	return d
}

// assembled are the modules made by hand without debug information: they need only be read.
var assembled = map[string]bool{"dead.spv": true, "edges.spv": true, "groups.spv": true, "kernel.spv": true,
	"ops.spv": true, "floats.spv": true, "aliased.spv": true, "divide.spv": true, "unsized.spv": true,
	"empty.spv": true}

// TestAllModules translates every module of testdata and reads it back.
func TestAllModules(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(testdata, "*.spv"))
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d modules (%v)", len(paths), err)
	}
	for _, p := range paths {
		name := filepath.Base(p)
		d := read(t, testModule(t, name))
		if strings.Contains(name, ".none.") || assembled[name] {
			continue
		}
		if len(d.Units()) != 1 {
			t.Fatalf("%s: %d units", name, len(d.Units()))
		}
		root, err := d.Units()[0].Root()
		if err != nil {
			t.Fatal(err)
		}
		found := map[dwarf.Tag]int{}
		count(root, found)
		if found[dwarf.TagSubprogram] == 0 || found[dwarf.TagVariable]+found[dwarf.TagFormalParameter] == 0 {
			t.Errorf("%s: %d functions, %d variables", name, found[dwarf.TagSubprogram],
				found[dwarf.TagVariable])
		}
		lines, err := d.Units()[0].Lines()
		if err != nil || lines == nil || len(lines.Rows) < 4 {
			t.Errorf("%s: no line table: %v", name, err)
		}
	}
}

func count(d *dwarf.DIE, found map[dwarf.Tag]int) {
	found[d.Tag]++
	for _, c := range d.Children {
		count(c, found)
	}
}

// TestVerify has LLVM judge the DWARF, in an object that llvm-objcopy makes.
func TestVerify(t *testing.T) {
	for _, tool := range []string{"llvm-dwarfdump-22", "llvm-objcopy-22", "llvm-mc-22"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	for _, name := range []string{"control.Od.spv", "calls.O.spv", "cl_nodes.clO2.spv", "blur.O.spv",
		"layout.Od.spv"} {
		s, err := Sections(testModule(t, name))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		obj := filepath.Join(dir, "o.o")
		args := []string{}
		for section, b := range s {
			f := filepath.Join(dir, section)
			if err := os.WriteFile(f, b, 0o666); err != nil {
				t.Fatal(err)
			}
			args = append(args, "--add-section", section+"="+f)
		}
		mc := exec.Command("llvm-mc-22", "-triple=x86_64", "-filetype=obj", "-o", obj)
		mc.Stdin = strings.NewReader(".text\n.org 0x100000\n")
		if out, err := mc.CombinedOutput(); err != nil {
			t.Fatalf("llvm-mc: %v\n%s", err, out)
		}
		if out, err := exec.Command("llvm-objcopy-22", append(args, obj)...).CombinedOutput(); err != nil {
			t.Fatalf("llvm-objcopy: %v\n%s", err, out)
		}
		out, err := exec.Command("llvm-dwarfdump-22", "--verify", obj).CombinedOutput()
		if err != nil {
			t.Errorf("%s: llvm-dwarfdump --verify: %v\n%s", name, err, out)
		}
	}
}

// TestSources: the text is the file as it is, whatever glslang puts before it.
func TestSources(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(testdata, "src", "control.comp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"control.Od.spv", "control.O.spv", "control.10.spv", "control.g.spv"} {
		s := Sources(testModule(t, name))
		if len(s) != 1 || s[0].Name != "control.comp" || s[0].Text != string(want) {
			t.Errorf("%s: %d sources, %.80q", name, len(s), s)
		}
	}
	if s := Sources(testModule(t, "cl_sum.cl.spv")); len(s) != 1 || s[0].Name != "cl_sum.cl" ||
		s[0].Text != "" {
		t.Errorf("OpenCL: %q", s)
	}
}

func FuzzSections(f *testing.F) {
	for _, name := range []string{"calls.O.spv", "cl_nodes.clO2.spv", "layout.Od.spv", "blur.O.spv"} {
		b, err := os.ReadFile(filepath.Join(testdata, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint32(0), uint32(0))
	}
	f.Fuzz(func(t *testing.T, b []byte, at, value uint32) {
		if len(b) < 8 {
			return
		}
		b = append([]byte(nil), b...)
		at %= uint32(len(b) - 4)
		for i := range uint32(4) {
			b[at+i] ^= byte(value >> (8 * i))
		}
		m, err := spirv.Parse(b, nil)
		if err != nil {
			return
		}
		Sections(m)
		Sources(m)
	})
}

// TestDeterministic: the same module gives the same bytes each time.
func TestDeterministic(t *testing.T) {
	for _, name := range []string{"layout.Od.spv", "calls.O.spv", "cl_nodes.cl.spv"} {
		m := testModule(t, name)
		first, err := Sections(m)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			again, err := Sections(m)
			if err != nil {
				t.Fatal(err)
			}
			for s, b := range first {
				if string(again[s]) != string(b) {
					t.Fatalf("%s: %s differs", name, s)
				}
			}
		}
	}
}

// TestEveryInstruction: the module made by hand has every instruction of the set, and those that make
// entries make them; what gdb shows of each is in the transcripts (TestSPIRVRows of the program).
func TestEveryInstruction(t *testing.T) {
	m := testModule(t, "all.spv")
	seen := map[uint32]bool{}
	for i := range m.Insts {
		if d := debugInst(m, i); d != nil {
			seen[d.number] = true
		}
	}
	for n := uint32(0); n <= dTypeMatrix; n++ {
		if exists := n <= dSource || n >= dFunctionDefinition; exists && !seen[n] {
			t.Errorf("all.spv has no instruction %d", n)
		}
	}
	d := read(t, m)
	root, err := d.Units()[0].Root()
	if err != nil {
		t.Fatal(err)
	}
	found := map[dwarf.Tag]int{}
	count(root, found)
	for _, tag := range []dwarf.Tag{dwarf.TagArrayType, dwarf.TagBaseType, dwarf.TagClassType,
		dwarf.TagConstType,
		dwarf.TagEnumerationType, dwarf.TagEnumerator, dwarf.TagFormalParameter, dwarf.TagImportedModule,
		dwarf.TagInheritance, dwarf.TagInlinedSubroutine, dwarf.TagLexicalBlock, dwarf.TagMember,
		dwarf.TagNamespace,
		dwarf.TagPointerType, dwarf.TagPtrToMemberType, dwarf.TagReferenceType, dwarf.TagStructureType,
		dwarf.TagSubprogram, dwarf.TagSubrangeType, dwarf.TagTemplateTypeParameter,
		dwarf.TagTemplateValueParameter, dwarf.TagGNUTemplateTemplateParam, dwarf.TagGNUTemplateParameterPack,
		dwarf.TagTypedef, dwarf.TagVariable} {
		if found[tag] == 0 {
			t.Errorf("no %v", tag)
		}
	}
}

// TestDefined: what a text defines whatever the compiler was told, with the lines that it is in.
func TestDefined(t *testing.T) {
	const text = "#define A 1 // one\n#  define F(x, y) ((x) + \\\n    (y))\nint a;\n#if A\n#define B 2\n#ifdef C\n#endif\n" +
		"#else\n#undef A\n#endif\n#undef A\n#define EMPTY\n#define G /* nothing */ 3\r\n#define\n#pragma " +
		"A\n#endif\n#define H 4"
	want := []dwarf.Macro{{Kind: dwarf.MacroDefine, Line: 1, Text: "A 1"},
		{Kind: dwarf.MacroDefine, Line: 2, Text: "F(x, y) ((x) +      (y))"},
		{Kind: dwarf.MacroUndef, Line: 12, Text: "A"}, {Kind: dwarf.MacroDefine, Line: 13, Text: "EMPTY "},
		{Kind: dwarf.MacroDefine, Line: 14, Text: "G   3"}, {Kind: dwarf.MacroDefine, Line: 18, Text: "H 4"}}
	if d := cmp.Diff(want, defined(text)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
