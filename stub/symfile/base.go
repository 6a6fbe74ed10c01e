package symfile

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/stub/arch"
)

// gdb shows the parameters of a function in the line of each frame. In unoptimised code they lie side by side
// in private memory, before that where the launch has put them, and a slot and a place for each are two
// packets for each parameter of each thread that `info threads` lists. What lies at DW_OP_fbreg gdb takes for
// a part of the stack, of which it reads 64 bytes at once and remembers them while it looks at the thread
// (gdb 12 to 17: dwarf_expr_context::execute_stack_op, dcache_read_memory_partial). So the frame base of such
// a function is a register of the facade, which the stub fills, and its parameters have their distances from
// it. Other variables have slots: which lanes gdb has asked for one tells whose is watched, and 64 bytes may
// be several variables.

// A Base is where a function has parameters at fixed distances from.
type Base struct {
	Slot       // evaluates to it; it has no place in the frame
	Parameters []Extent
}

// An Extent is a parameter that lanes have each their own of, by its distance from a base.
type Extent struct {
	Distance int64
	Size     uint64
}

// A baseRange is code of a function that has a base.
type baseRange struct {
	dwarf.Range
	base *Base
}

// BaseAt finds the base of the function that an address is in, nil if it has none.
func (f *File) BaseAt(pc uint64) *Base {
	if f.arguments != nil && f.prologue.Contains(pc) {
		return f.arguments
	}
	i := sort.Search(len(f.bases), func(i int) bool { return f.bases[i].High > pc })
	if i == len(f.bases) || !f.bases[i].Contains(pc) {
		return nil
	}
	return f.bases[i].base
}

// sortBases puts code that has a base into order.
func (f *File) sortBases() {
	slices.SortFunc(f.bases, func(a, b baseRange) int { return cmp.Compare(a.Low, b.Low) })
}

// fromBase is the location of a parameter that is at a distance from its function's base, for gdb to
// evaluate; nil if it is not.
func (t *translator) fromBase(param *dwarf.DIE, location []byte) []byte {
	o, ok := t.file.arch.(arch.FrameOffsetter)
	if p, _ := t.pointersIn(param.TypeDIE()); !ok || p != nil || param.Tag != dwarf.TagFormalParameter {
		return nil
	}
	written, distance, ok := o.FrameOffset(param.Unit, location)
	if !ok {
		return nil
	}
	function := param.Parent
	for function != nil && function.Tag != dwarf.TagSubprogram {
		function = function.Parent
	}
	if function == nil || function != param.Parent && param.Parent.Covers(t.file.prologue.Low) {
		return nil
	}
	base := t.base(function, &Base{Slot: Slot{Name: function.Name(), Unit: function.Unit, Expr: written,
		FrameBase: FrameBase(function)}})
	if base == nil {
		return nil
	}
	base.Parameters = append(base.Parameters, Extent{distance, t.model.Size(param.TypeDIE())})
	return atBase(distance)
}

// atBase is the location of what is at a distance from the base. With nothing but a DW_OP_fbreg gdb would
// look in the caller for what the parameter was at entry (gdb 12 to 17: dwarf_block_to_fb_offset), which is
// up to two packets.
func atBase(distance int64) []byte { return append(expr.AppendFbreg(nil, distance), expr.OpNop) }

// base is what a function's base is, if it is one like that which is wanted: it has but one.
func (t *translator) base(function *dwarf.DIE, wanted *Base) *Base {
	if b := t.bases[function]; b != nil {
		if !bytes.Equal(b.Expr, wanted.Expr) {
			return nil
		}
		return b
	}
	code, err := function.Ranges()
	if err != nil || len(code) == 0 || !t.setBase(function) {
		return nil
	}
	t.bases[function] = wanted
	for _, r := range code {
		t.file.bases = append(t.file.bases, baseRange{r, wanted})
	}
	return wanted
}

// setBase has gdb take a function's base from the facade's register.
func (t *translator) setBase(function *dwarf.DIE) bool {
	made := t.functions[function]
	if made != nil {
		made.Set(dwarf.ExprAttr(dwarf.AttrFrameBase,
			[]byte{expr.OpBreg0 + byte(t.file.facade.Columns().Base), 0}))
	}
	return made != nil
}

// inArguments is the location of what the launched kernel was launched with, while the kernel's base is where
// its arguments are: in its prologue, or, with always, anywhere in it. Where it is not, it is an address.
func (t *translator) inArguments(kernel *dwarf.DIE, arg Argument, always bool) []byte {
	first := t.layout.Arguments[0]
	if t.file.arguments == nil {
		t.file.arguments = &Base{Slot: Slot{Name: kernel.Name(), Unit: kernel.Unit, Expr: first.location()}}
	}
	base := t.file.arguments
	if always && t.base(kernel, base) != base || !t.setBase(kernel) {
		return arg.location()
	}
	return atBase(int64(arg.Addr - first.Addr))
}
