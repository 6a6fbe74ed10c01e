package debuginfo

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
)

// outlined are the attributes with numbers that an outline has.
var outlined = []struct {
	at   dwarf.At
	name string
}{{dwarf.AttrDeclLine, "line"}, {dwarf.AttrByteSize, "size"}, {dwarf.AttrByteStride, "stride"},
	{dwarf.AttrEncoding, "encoding"}, {dwarf.AttrDataMemberLocation, "at"}, {dwarf.AttrCount, "count"},
	{dwarf.AttrConstValue, "value"}, {dwarf.AttrAccessibility, "access"}, {dwarf.AttrInline, "inline"},
	{dwarf.AttrCallLine, "call line"}, {dwarf.AttrDeclFile, "file"}}

// flagged are the attributes that are flags.
var flagged = []struct {
	at   dwarf.At
	name string
}{{dwarf.AttrDeclaration, "declaration"}, {dwarf.AttrExternal, "external"},
	{dwarf.AttrPrototyped, "prototyped"}, {dwarf.AttrEnumClass, "class"}, {dwarf.AttrArtificial, "artificial"}}

// referred are the attributes that lead to other entries.
var referred = []struct {
	at   dwarf.At
	name string
}{{dwarf.AttrType, ""}, {dwarf.AttrSpecification, "specification"}, {dwarf.AttrAbstractOrigin, "origin"},
	{dwarf.AttrImport, "import"}, {dwarf.AttrContainingType, "of"}}

// reference names an entry that another refers to.
func reference(d *dwarf.DIE) string {
	if d == nil {
		return "nothing"
	}
	kind := strings.TrimSuffix(strings.TrimPrefix(d.Tag.String(), "DW_TAG_"), "_type")
	if name := d.Name(); name != "" {
		return kind + " " + name
	}
	if t := d.TypeDIE(); t != nil {
		return kind + " of " + reference(t)
	}
	return kind
}

// outline writes an entry and those below it as lines, deeper ones further in: what kind it is and its name,
// what it refers to, and its attributes. Where objects and code lie is not among them.
func outline(b *strings.Builder, d *dwarf.DIE, depth int) {
	b.WriteString(strings.Repeat("  ", depth) + strings.TrimPrefix(d.Tag.String(), "DW_TAG_"))
	if name, ok := d.Str(dwarf.AttrName); ok {
		b.WriteString(" " + name)
	}
	for _, r := range referred {
		if to := d.Ref(r.at); to != nil {
			b.WriteString(strings.TrimSuffix(", "+r.name, ", ") + " <" + reference(to) + ">")
		}
	}
	for _, a := range outlined {
		if a, ok := d.Attr(a.at); ok && a.Class == dwarf.ClassExprLoc {
			b.WriteString(", in the launch")
		} else if ok && a.Class == dwarf.ClassBlock {
			fmt.Fprintf(b, ", %s %x", name(a.Name), a.Bytes)
		}
		if v, ok := d.Int(a.at); ok {
			fmt.Fprintf(b, ", %s %d", a.name, v)
		}
	}
	for _, f := range flagged {
		if d.Flag(f.at) {
			b.WriteString(", " + f.name)
		}
	}
	b.WriteByte('\n')
	for _, c := range d.Children {
		outline(b, c, depth+1)
	}
}

func name(at dwarf.At) string {
	for _, a := range outlined {
		if a.at == at {
			return a.name
		}
	}
	return at.String()
}

// reach notes an entry, those below it and those that they refer to.
func reach(d *dwarf.DIE, reached map[uint64]bool) {
	if reached[d.Offset] {
		return
	}
	reached[d.Offset] = true
	for _, r := range referred {
		if to := d.Ref(r.at); to != nil {
			reach(to, reached)
		}
	}
	for _, c := range d.Children {
		reach(c, reached)
	}
}

// TestOutline: what modules say is in the entries that stand in the outlines. all.spv has each instruction
// once, and is made by hand: what an instruction means says NonSemantic.Shader.DebugInfo.100. Of what
// compilers wrote it is what the source says: types and lines, members at the offsets of std140, std430 and
// OpenCL C, rows of matrices. Types that no function and no variable has are left out of these.
func TestOutline(t *testing.T) {
	for _, module := range []string{"all", "layout.Od", "cl_nodes.cl"} {
		d := read(t, testModule(t, module+".spv"))
		root, err := d.Units()[0].Root()
		if err != nil {
			t.Fatal(err)
		}
		reached := map[uint64]bool{}
		for _, c := range root.Children {
			if !strings.HasSuffix(c.Tag.String(), "_type") && c.Tag != dwarf.TagTypedef {
				reach(c, reached)
			}
		}
		if module != "all" {
			root.Children = slices.DeleteFunc(root.Children, func(c *dwarf.DIE) bool {
				return !reached[c.Offset]
			})
		}
		var b strings.Builder
		outline(&b, root, 0)
		want, err := os.ReadFile("testdata/" + module + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), b.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", module, d)
		}
	}
}
