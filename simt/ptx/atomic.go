package ptx

import (
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

func init() {
	register(map[string]func(b *builder) error{"atom": (*builder).atom, "red": (*builder).atom})
}

// atomicOps compute what memory becomes from what it was and the operands, for integers of a type.
func atomicOp(name, typ string) func(old, x, y uint64) uint64 {
	width := numeric.Widths[typ]
	mask := numeric.Mask(width)
	simple := map[string]func(old, x, y uint64) uint64{
		"add":  func(old, x, _ uint64) uint64 { return (old + x) & mask },
		"and":  func(old, x, _ uint64) uint64 { return old & x },
		"or":   func(old, x, _ uint64) uint64 { return old | x },
		"xor":  func(old, x, _ uint64) uint64 { return old ^ x },
		"exch": func(_, x, _ uint64) uint64 { return x },
		"inc": func(old, x, _ uint64) uint64 {
			if old >= x {
				return 0
			}
			return old + 1
		},
		"dec": func(old, x, _ uint64) uint64 {
			if old == 0 || old > x {
				return x
			}
			return old - 1
		},
		"cas": func(old, x, y uint64) uint64 {
			if old == x {
				return y
			}
			return old
		},
		"min": func(old, x, _ uint64) uint64 { return min(old, x) },
		"max": func(old, x, _ uint64) uint64 { return max(old, x) },
	}
	if strings.HasPrefix(typ, "s") && (name == "min" || name == "max") {
		return func(old, x, _ uint64) uint64 {
			a, b := int64(numeric.SignExtend(old, width)), int64(numeric.SignExtend(x, width))
			if (a < b) == (name == "min") {
				return old
			}
			return x
		}
	}
	return simple[name]
}

// floatAtomic is an operation on floating-point numbers.
func (b *builder) floatAtomic(name, typ string) func(old, x, y uint64) uint64 {
	s := b.withType(shape{typ: typ, ftz: false}, typ)
	two := map[string]func(x, y float64) float64{
		"add": numeric.AddOdd,
		"min": func(x, y float64) float64 { return numeric.Extreme(x, y, -1, false) },
		"max": func(x, y float64) float64 { return numeric.Extreme(x, y, 1, false) },
	}[name]
	switch {
	case name == "exch":
		return func(_, x, _ uint64) uint64 { return x }
	case two == nil:
		return nil
	case s.form != nil:
		f := s.each(func(v [3]uint64) uint64 {
			return s.short(func(x, y, _ float64) float64 { return two(x, y) }, v)
		})
		return func(old, x, _ uint64) uint64 { return f([3]uint64{old, x}) }
	case typ == "f32":
		return func(old, x, _ uint64) uint64 { return s.out32(two(s.in32(old), s.in32(x))) }
	case name == "add":
		return func(old, x, _ uint64) uint64 { return numeric.Result64(numeric.F64(old) + numeric.F64(x)) }
	}
	return nil
}

var atomicNames = []string{"add", "and", "or", "xor", "exch", "inc", "dec", "cas", "min", "max"}

// atom changes memory, and gives what was there; red gives nothing (PTX ISA, "atom", "red").
func (b *builder) atom() error {
	name := ""
	if i := slices.IndexFunc(b.mods, func(m string) bool { return slices.Contains(atomicNames, m) }); i >= 0 {
		name = b.mods[i]
	}
	typ, err := b.memoryForm(slices.Concat([]string{"acq_rel", "noftz"}, asyncMods, atomicNames)...)
	if err != nil {
		return err
	}
	barrier, err := b.toldBarrier()
	if err != nil {
		return err
	}
	in := b.in
	if in.elements != 1 && !vectorAtomics[typ][name] {
		return refuse("is not simulated for vectors of .%s", typ)
	}
	if numeric.IsFloat(typ) {
		in.aux = b.floatAtomic(name, typ)
	} else {
		in.aux = atomicOp(name, typ)
	}
	if in.aux == nil {
		return refuse("is not simulated in this form")
	}
	if in.elements != 1 {
		return b.vectorAtom(typ)
	}
	args := b.args
	if strings.HasPrefix(b.src.Op, "atom") {
		if err := b.dest(0); err != nil {
			return err
		}
		args = args[1:]
	}
	n := 2
	if name == "cas" {
		n = 3
	}
	if len(args) != n && len(args) != n+1 || len(args) < 2 {
		return refuse("has %d operands", len(b.args))
	}
	if err := b.address(&args[0], 0); err != nil {
		return err
	}
	if in.s[0].kind == fromFrame { // an address like any other here
		in.space = Local
	}
	for i := 1; i < n; i++ {
		if in.s[i], err = b.source(&args[i], typ); err != nil {
			return err
		}
		if in.s[i].kind == fromPred {
			return refuse("has a predicate for a number")
		}
	}
	in.atomic, in.run = true, runAtomic
	in.tells(barrier)
	return nil
}

func runAtomic(c *Core, in *inst, mask uint32) {
	size := int(in.size)
	space, ok := c.resolve(in, mask, simt.PermRead|simt.PermWrite, size)
	if !ok {
		return
	}
	if c.m.Concurrent && (space == Global || space == mixed) {
		c.m.Shared.Lock()
		defer c.m.Shared.Unlock()
	}
	x := c.value(in, 1)
	y := x
	if in.s[2].kind != fromNone {
		y = c.value(in, 2)
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		at, addr := c.spaceOf(space, l)
		var old uint64
		if at == Local {
			old = c.loadLocal(l, addr, size)
			c.storeLocal(l, addr, size, in.aux(old, x[l], y[l]))
		} else {
			var p []byte
			if at == Global {
				r := c.regionFor(addr, uint64(size), 0)
				p = r.Data[addr-r.Base:]
			} else {
				p = c.sharedAt(addr)
			}
			to := func(old uint64) uint64 { return in.aux(old, x[l], y[l]) }
			if at == Global {
				old = simt.ChangeWord(p[:size], to)
			} else {
				old = word(p, size)
				putWord(p, size, to(old))
			}
		}
		c.out[l] = old
	}
	if in.dst >= 0 {
		c.merge(in.dst, &c.out, mask)
	}
}

// vectorAtomics are the types of which atom and red have vectors, with their operations.
var vectorAtomics = map[string]map[string]bool{
	"f32": {"add": true},
	"f16": floatExtremes, "bf16": floatExtremes, "f16x2": floatExtremes, "bf16x2": floatExtremes,
}

var floatExtremes = map[string]bool{"add": true, "min": true, "max": true}

// vectorAtom is atom or red of a vector: its elements are changed one by one.
func (b *builder) vectorAtom(typ string) error {
	in, args := b.in, b.args
	if in.space != Global && in.space != Generic {
		return refuse("changes a vector that is not in global memory")
	}
	for i := range in.regs {
		in.regs[i] = -1
	}
	lists := [2][]Operand{}
	if strings.HasPrefix(b.src.Op, "atom") && len(args) > 0 {
		lists[0], args = args[0].List, args[1:]
		if len(lists[0]) != int(in.elements) {
			return refuse("has %d registers for %d values", len(lists[0]), in.elements)
		}
	}
	if len(args) != 2 && len(args) != 3 || len(args[1].List) != int(in.elements) {
		return refuse("has not %d values", in.elements)
	}
	if err := b.address(&args[0], 0); err != nil {
		return err
	}
	if in.space != Global && in.space != Generic {
		return refuse("changes a vector that is not in global memory")
	}
	lists[1] = args[1].List
	var err error
	for i := range lists[1] {
		if lists[0] != nil {
			if in.regs[i], err = b.vector(&lists[0][i]); err != nil {
				return err
			}
		}
		if in.elems[i], err = b.source(&lists[1][i], typ); err != nil {
			return err
		}
		if in.elems[i].kind == fromPred {
			return refuse("has a predicate for a number")
		}
	}
	in.atomic, in.run = true, runVectorAtomic
	return nil
}

func runVectorAtomic(c *Core, in *inst, mask uint32) {
	size := int(in.size)
	space, ok := c.resolve(in, mask, simt.PermRead|simt.PermWrite, size*int(in.elements))
	if !ok {
		return
	}
	if space != Global {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
			Text: in.src.Text + " changes a vector that is not in global memory"})
		return
	}
	if c.m.Concurrent {
		c.m.Shared.Lock()
		defer c.m.Shared.Unlock()
	}
	var old, x [8]vec.Wide
	for e := range int(in.elements) {
		x[e] = *c.element(in, e)
	}
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		addr := c.access.addr[l]
		r := c.regionFor(addr, uint64(size)*uint64(in.elements), 0)
		for e := range int(in.elements) {
			p := r.Data[addr-r.Base+uint64(e*size):]
			old[e][l] = word(p, size)
			putWord(p, size, in.aux(old[e][l], x[e][l], 0))
		}
	}
	for e := range int(in.elements) {
		c.merge(in.regs[e], &old[e], mask)
	}
}
