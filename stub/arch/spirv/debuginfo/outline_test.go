package debuginfo

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/loader/spirv"
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
	{dwarf.AttrPrototyped, "prototyped"}, {dwarf.AttrEnumClass, "class"},
	{dwarf.AttrArtificial, "artificial"}}

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

// An outline is what a module's entries say, as lines, deeper ones further in.
type outline struct {
	m    *spirv.Module
	text strings.Builder
}

// entry writes an entry and those below it: what kind it is and its name, what it refers to, and its
// attributes.
func (o *outline) entry(d *dwarf.DIE, depth int) {
	b := &o.text
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
	o.places(d)
	b.WriteByte('\n')
	for _, c := range d.Children {
		o.entry(c, depth+1)
	}
}

// places says from which instruction to which code is an entry's, and an object lies where.
func (o *outline) places(d *dwarf.DIE) {
	if r, ok := d.LowHigh(); ok {
		fmt.Fprintf(&o.text, ", from %s to %s", o.at(r.Low), o.at(r.High))
	} else if all, err := d.Ranges(); err == nil {
		for _, r := range all {
			fmt.Fprintf(&o.text, ", from %s to %s", o.at(r.Low), o.at(r.High))
		}
	}
	a, ok := d.Attr(dwarf.AttrLocation)
	if !ok {
		return
	}
	p := expr.Printer{Register: func(number uint64) string {
		id, n, _ := Registered(number)
		return fmt.Sprint(o.instruction(o.m.Def(id)), ".", n)
	}}
	if a.Class == dwarf.ClassExprLoc {
		o.text.WriteString(", " + short.Replace(p.String(a.Bytes)))
		return
	}
	list, err := d.Unit.LocList(a)
	if err != nil {
		o.text.WriteString(", " + err.Error())
	}
	for _, e := range list {
		fmt.Fprintf(&o.text, "; %s to %s: %s", o.at(e.Low), o.at(e.High),
			short.Replace(p.String(e.Expr)))
	}
}

// short are words for what stands in most expressions.
var short = strings.NewReplacer("DW_OP_LLVM_user DW_OP_LLVM_push_lane, DW_OP_lit8, DW_OP_mul, "+
	"DW_OP_LLVM_user DW_OP_LLVM_offset", "lane",
	"DW_OP_lit5, DW_OP_LLVM_user DW_OP_LLVM_form_aspace_address", "private",
	"DW_OP_", "")

// at is the instruction at an address.
func (o *outline) at(pc uint64) string {
	for i := range o.m.Insts {
		if in := &o.m.Insts[i]; spirv.PC(spirv.Base, in.Word) == pc {
			return o.instruction(in)
		}
	}
	if pc == spirv.Base {
		return "the beginning"
	}
	return "the end"
}

// instruction names an instruction by what it does and how many of its kind come before it.
func (o *outline) instruction(in *spirv.Inst) string {
	if in == nil {
		return "none"
	}
	n := 1
	for i := range o.m.Insts {
		if before := &o.m.Insts[i]; before.Op == in.Op && before.Word < in.Word {
			n++
		}
	}
	return fmt.Sprint(in.Op, "#", n)
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
// once, and is made by hand: what an instruction means says NonSemantic.Shader.DebugInfo.100. Instructions,
// and the registers of their results, are called by their opcodes and how many of their kind there were. Of
// what compilers wrote it is what the source says: types and lines, members at the offsets of std140, std430
// and OpenCL C, rows of matrices. Types that no function and no variable has are left out of these.
func TestOutline(t *testing.T) {
	for _, module := range []string{"all", "layout.Od", "cl_nodes.cl"} {
		m := testModule(t, module+".spv")
		d := read(t, m)
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
		o := outline{m: m}
		o.entry(root, 0)
		want, err := os.ReadFile("testdata/" + module + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), o.text.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", module, d)
		}
	}
}
