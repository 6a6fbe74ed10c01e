package ptx

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/vec"
)

// exec executes a statement for the lanes of a mask; the wave stops if it sets Core.stop.
type exec func(c *Core, in *inst, mask uint32)

// Functions that compute a register of all lanes from others.
type (
	op1 func(d, a *vec.Wide)
	op2 func(d, a, b *vec.Wide)
	op3 func(d, a, b, c *vec.Wide)
)

// An inst is a statement made ready. Exactly one of run and jump is set.
type inst struct {
	src *Inst
	fn  *function

	run  exec // goes on at the next statement
	jump exec // says itself where its lanes go on

	guard int32 // number of a predicate, or -1
	not   bool

	op     vec.WideOp // that computes it, or one of the following
	stages []stage
	logic  *predicateLogic
	clears bool  // its result is no subnormal
	clean  uint8 // sources that have no subnormals: a bit for each
	f1     op1
	f2     op2
	f3     op3
	dst    int32 // number of a vector, or -1
	dst2   int32
	pdst   int32 // number of a predicate, or -1
	pdst2  int32
	s      [5]source

	// flow
	leader  bool
	ends    bool // the last of its block
	leaves  bool // does not go on at the next statement if its guard holds
	toExit  bool
	last    int32 // statement at which the block ends
	join    int32 // where lanes that this branch parts come together, or never
	target  int32
	keeps   keeping
	divides division
	makes   floatResult
	flow    simt.Flow
	callee  *function
	call    *callInfo

	targets []int32

	// memory
	space    Space
	size     uint8 // bytes of one element
	elements uint8
	parts    int // of a register that is made of others, or cut into them, each of so many bits
	part     int
	signed   bool
	atomic   bool
	anew     bool // of memory: what is there is not read
	param    bool // of a function: calls have put them there
	order    simt.Order
	scope    simt.Scope
	ordered  bool     // others may wait for it: it is volatile, or part of a protocol
	regs     [8]int32 // of the elements; -1 for _
	cut      uint8    // sources that have been cut (findCuts), while values are followed
	elems    [8]source
	offset   uint64

	matrix *matrixUse // of an instruction on matrices, and of copies: registers that are not in what is above

	picture *pictureUse // of an instruction on a texture or a surface

	imm  uint64 // what else the semantics needs
	aux  func(a, b, c uint64) uint64
	sync func(c *Core, p *path, in *inst, x *exchange)
}

// A source is an operand that is read.
type source struct {
	kind sourceKind
	not  bool
	n    int32 // number of a vector or a predicate
	imm  *vec.Wide
	off  uint64
	of   *simt.Object // whose address it is, of a constant
	get  func(c *Core, d *vec.Wide)
	name string // of a special register
}

type sourceKind uint8

const (
	fromNone sourceKind = iota
	fromReg
	fromPred
	fromImm
	fromFrame // address of byte off of the frame, in private memory
	fromArg   // address of byte off of the arguments
	fromSpecial
)

// A builder makes one statement ready.
type builder struct {
	a    *ISA
	fn   *function
	in   *inst
	src  *Inst
	mods []string // after the first part of the name
	args []Operand
}

// An unsupported statement is one that the machine does not have.
type unsupported struct{ why string }

func (e *unsupported) Error() string { return e.why }

func refuse(format string, args ...any) error { return &unsupported{fmt.Sprintf(format, args...)} }

// compileFunc makes a function's statements ready.
func (a *ISA) compileFunc(fn *function) error {
	if !fn.src.Defined {
		for at := fn.start; at < fn.end; at++ {
			a.code[at].fn = fn
		}
		if fn.start < fn.end {
			a.code[fn.start] = inst{fn: fn, src: &Inst{Text: "undefined function " + fn.src.Name}, guard: -1,
				jump: runUndefined, last: fn.start, ends: true, leaves: true, toExit: true}
		}
		fn.run = builtin(fn.src.Name)
		return nil
	}
	for i := range fn.body {
		src := &fn.body[i]
		at := uint64(fn.start) + (src.Addr-fn.src.Start)/instSize
		if src.Addr < fn.src.Start || src.Addr >= fn.src.End {
			return fmt.Errorf("function %q has a statement at %#x, outside of it", fn.src.Name, src.Addr)
		}
		in := &a.code[at]
		*in = inst{src: src, fn: fn, guard: -1, dst: -1, dst2: -1, pdst: -1, pdst2: -1, join: never}
		b := &builder{a: a, fn: fn, in: in, src: src, args: src.Args}
		if err := b.build(); err != nil {
			var u *unsupported
			if !errors.As(err, &u) {
				return err
			}
			*in = inst{src: src, fn: fn, guard: in.guard, not: in.not, join: never, dst: -1, dst2: -1,
				run: runUnknown(u.why)}
		}
		in.keeps = keepers[builderName(src.Op)]
		in.divides, in.makes = divisionOf(src.Op), floatsOf(src.Op)
	}
	if n := len(fn.body); n == 0 || int32(n) != fn.end-fn.start {
		return fmt.Errorf("function %q has %d statements from %#x to %#x", fn.src.Name, n, fn.src.Start,
			fn.src.End)
	}
	a.blocks(fn)
	a.cleans(fn)
	a.joins(fn)
	return nil
}

// runUnknown is the semantics of statements that have none.
func runUnknown(why string) exec {
	return func(c *Core, in *inst, mask uint32) {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask), Text: in.src.Text + " " + why})
	}
}

func (b *builder) build() error {
	parts := strings.Split(b.src.Op, ".")
	if g := b.src.Guard; g >= 0 {
		if g >= len(b.fn.place) || !b.fn.place[g].pred {
			return refuse("is guarded by no predicate")
		}
		b.in.guard, b.in.not = b.fn.place[g].n, b.src.Not
	}
	build, ok := builders[parts[0]]
	if !ok {
		return refuse("is not simulated")
	}
	for i := range b.args {
		if p := b.args[i].Part; p != "" && parts[0][0] != 'v' {
			return refuse("takes no part .%s of a register", p)
		}
		if b.args[i].Kind == Vector && b.args[i].Reg2 >= 0 && parts[0] != "tex" && parts[0] != "tld4" {
			return refuse("takes no second register behind a list")
		}
		if b.args[i].Negated && parts[0] != "vmad" {
			return refuse("takes no register with a minus")
		}
	}
	b.mods = parts[1:]
	if err := b.checkTypes(parts[0]); err != nil {
		return err
	}
	for _, form := range []func() (bool, error){b.wide, b.composed} {
		if is, err := form(); err != nil || is {
			return err
		}
	}
	if err := build(b); err != nil {
		return err
	}
	if b.in.run == nil && b.in.jump == nil {
		return refuse("is not simulated")
	}
	return nil
}

// typesOf has the types of instructions that are for some alone.
var typesOf = map[string][]string{
	"bfind": {"u32", "s32", "u64", "s64"}, "bfe": {"u32", "s32", "u64", "s64"}, "bfi": {"b32", "b64"},
	"bmsk": {"b32"}, "szext": {"u32", "s32"}, "fns": {"b32"}, "lop3": {"b32"}, "shf": {"b32"},
	"prmt": {"b32"}, "mul24": {"u32", "s32"}, "mad24": {"u32", "s32"}, "dp4a": {"u32", "s32"},
	"dp2a": {"u32", "s32"}, "match": {"b32", "b64"}, "redux": {"u32", "s32", "b32"},
	"addc": {"u32", "s32", "u64", "s64"}, "subc": {"u32", "s32", "u64", "s64"},
	"madc": {"u32", "s32", "u64", "s64"}, "testp": {"f32", "f64"}, "copysign": {"f32", "f64"},
	"alloca": {"u64", "u32", "b64"}, "selp": {"b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64",
		"s64", "f64"},
}

// checkTypes holds the types of an instruction against typesOf.
func (b *builder) checkTypes(name string) error {
	allowed := typesOf[name]
	if allowed == nil {
		return nil
	}
	types := b.typs()
	for _, t := range types {
		if !slices.Contains(allowed, t) {
			return refuse("is not simulated for the type .%s", t)
		}
	}
	if len(types) == 0 {
		return refuse("has no type")
	}
	return nil
}

// builders has what makes each instruction ready, by the first part of its name.
var builders = map[string]func(b *builder) error{}

// has reports whether a modifier is there.
func (b *builder) has(mod string) bool {
	for _, m := range b.mods {
		if m == mod {
			return true
		}
	}
	return false
}

// typ is the last modifier that is a type, and typs are all.
func (b *builder) typ() string {
	t := b.typs()
	if len(t) == 0 {
		return ""
	}
	return t[len(t)-1]
}

func (b *builder) typs() []string {
	var t []string
	for _, m := range b.mods {
		if _, ok := numeric.Widths[m]; ok {
			t = append(t, m)
		}
	}
	return t
}

// only refuses modifiers that are neither types nor in a list.
func (b *builder) only(mods ...string) error {
next:
	for _, m := range b.mods {
		if _, ok := numeric.Widths[m]; ok {
			continue
		}
		for _, o := range mods {
			if m == o {
				continue next
			}
		}
		return refuse("has the modifier .%s, which is not simulated", m)
	}
	return nil
}

// operands checks how many there are.
func (b *builder) operands(n int) error {
	if len(b.args) != n {
		return refuse("has %d operands; expected %d", len(b.args), n)
	}
	return nil
}

// dest makes operand i the vector that is written.
func (b *builder) dest(i int) error {
	if i >= len(b.args) {
		return refuse("has no operand %d", i+1)
	}
	n, err := b.vector(&b.args[i])
	b.in.dst = n
	return err
}

// vector is the number of the vector that an operand names; -1 for _.
func (b *builder) vector(o *Operand) (int32, error) {
	if o.Kind == Sink {
		return -1, nil
	}
	if o.Kind != Reg || o.Reg < 0 || o.Reg >= len(b.fn.place) || b.fn.place[o.Reg].pred {
		return -1, refuse("has an operand that is no register of numbers")
	}
	return b.fn.place[o.Reg].n, nil
}

// predicate is the number of the predicate that an operand names; -1 for _.
func (b *builder) predicate(o *Operand) (int32, error) {
	if o.Kind == Sink {
		return -1, nil
	}
	return b.predicateOf(o.Reg, o.Kind == Reg)
}

func (b *builder) predicateOf(reg int, ok bool) (int32, error) {
	if !ok || reg < 0 || reg >= len(b.fn.place) || !b.fn.place[reg].pred {
		return -1, refuse("has an operand that is no predicate")
	}
	return b.fn.place[reg].n, nil
}

// bitsOf is the width of a register operand, 0 of another.
func (b *builder) bitsOf(o *Operand) int {
	if o.Kind != Reg || o.Reg < 0 || o.Reg >= len(b.fn.place) {
		return 0
	}
	return int(b.fn.place[o.Reg].bits)
}

// sources makes operands from first on the ones that are read, as values of a type.
func (b *builder) sources(first int, typ string) error {
	for i := first; i < len(b.args); i++ {
		if i-first >= len(b.in.s) {
			return refuse("has more operands than any instruction")
		}
		s, err := b.source(&b.args[i], typ)
		if err != nil {
			return err
		}
		b.in.s[i-first] = s
	}
	return nil
}

// source makes an operand ready to be read as a value of a type.
func (b *builder) source(o *Operand, typ string) (source, error) {
	s := source{not: o.Not}
	switch o.Kind {
	case Reg:
		if o.Reg < 0 || o.Reg >= len(b.fn.place) {
			return s, refuse("has a register that does not exist")
		}
		at := b.fn.place[o.Reg]
		s.kind, s.n = fromReg, at.n
		if at.pred {
			s.kind = fromPred
		}
	case Int, Code:
		s.kind, s.imm, s.of = fromImm, broadcast(integer(o.Value, typ)), o.Object
	case Float32, Float64:
		s.kind, s.imm = fromImm, broadcast(float(o, typ))
	case FrameAddr:
		s.kind, s.off = fromFrame, o.Value
	case ArgAddr:
		s.kind, s.off = fromArg, o.Value
	case Special:
		get, ok := specialRegisters[o.Name]
		if !ok {
			return s, refuse("reads %s, which is not simulated", o.Name)
		}
		s.kind, s.get, s.name = fromSpecial, get, o.Name
		b.a.meets = b.a.meets || o.Name == workspaceHigh
	default:
		return s, refuse("has an operand of a kind that it does not take")
	}
	return s, nil
}

// integer is an integer constant as a value of a type.
func integer(v uint64, typ string) uint64 {
	switch typ {
	case "f32":
		return uint64(math.Float32bits(float32(int64(v))))
	case "f64":
		return math.Float64bits(float64(int64(v)))
	}
	if n, ok := numeric.Widths[typ]; ok {
		return v & numeric.Mask(n)
	}
	return v
}

// float is a floating-point constant as a value of a type.
func float(o *Operand, typ string) uint64 {
	switch {
	case o.Kind == Float32 && numeric.Widths[typ] == 64:
		return math.Float64bits(float64(math.Float32frombits(uint32(o.Value))))
	case o.Kind == Float64 && numeric.Widths[typ] == 32:
		return uint64(math.Float32bits(float32(math.Float64frombits(o.Value))))
	}
	return o.Value
}

func broadcast(v uint64) *vec.Wide {
	d := new(vec.Wide)
	for l := range d {
		d[l] = v
	}
	return d
}

// setOp makes an instruction of a destination and n sources.
func (b *builder) setOp(n int, typ string) error {
	if err := b.operands(n + 1); err != nil {
		return err
	}
	if err := b.dest(0); err != nil {
		return err
	}
	if b.in.dst < 0 {
		b.in.run = func(*Core, *inst, uint32) {}
		return nil
	}
	if err := b.sources(1, typ); err != nil {
		return err
	}
	for i := range n {
		if b.in.s[i].kind == fromPred {
			return refuse("reads a predicate as a number")
		}
	}
	b.in.run = [...]exec{1: run1, 2: run2, 3: run3}[n]
	return nil
}

// set1, set2 and set3 make an instruction that computes its destination from that many sources of a type.
func (b *builder) set1(f op1, typ string) error { b.in.f1 = f; return b.setOp(1, typ) }
func (b *builder) set2(f op2, typ string) error { b.in.f2 = f; return b.setOp(2, typ) }
func (b *builder) set3(f op3, typ string) error { b.in.f3 = f; return b.setOp(3, typ) }

// value finds a source's values, in all lanes that a frame has.
func (c *Core) value(in *inst, i int) *vec.Wide {
	s := &in.s[i]
	switch s.kind {
	case fromReg:
		return &c.act.r[s.n]
	case fromImm:
		return s.imm
	}
	return c.unusual(s, i)
}

func (c *Core) unusual(s *source, i int) *vec.Wide {
	d := &c.tmp[i]
	switch s.kind {
	case fromFrame:
		fill(d, c.act.base+s.off)
	case fromArg:
		fill(d, c.isa.launch.Args+s.off)
	case fromSpecial:
		s.get(c, d)
	default:
		fill(d, 0)
	}
	return d
}

func fill(d *vec.Wide, v uint64) {
	for l := range d {
		d[l] = v
	}
}

// pred is a source that is a predicate.
func (c *Core) pred(s *source) uint32 {
	var p uint32
	switch {
	case s.kind == fromPred:
		p = c.act.p[s.n]
	case s.kind == fromImm && s.imm[0] != 0:
		p = fullMask
	}
	if s.not {
		p = ^p
	}
	return p
}

// setPred writes a predicate in the lanes of a mask.
func (c *Core) setPred(n int32, v, mask uint32) {
	if n >= 0 {
		p := &c.act.p[n]
		*p = *p&^mask | v&mask
	}
}

// merge writes a vector in the lanes of a mask.
func (c *Core) merge(n int32, v *vec.Wide, mask uint32) {
	if n < 0 {
		return
	}
	d := &c.act.r[n]
	if mask == fullMask {
		*d = *v
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		l := first(mask)
		d[l] = v[l]
	}
}

func run1(c *Core, in *inst, mask uint32) {
	a := c.value(in, 0)
	if mask == c.act.lanes {
		in.f1(&c.act.r[in.dst], a)
		return
	}
	in.f1(&c.out, a)
	c.merge(in.dst, &c.out, mask)
}

func run2(c *Core, in *inst, mask uint32) {
	a, b := c.value(in, 0), c.value(in, 1)
	if mask == c.act.lanes {
		in.f2(&c.act.r[in.dst], a, b)
		return
	}
	in.f2(&c.out, a, b)
	c.merge(in.dst, &c.out, mask)
}

func run3(c *Core, in *inst, mask uint32) {
	x, y, z := c.value(in, 0), c.value(in, 1), c.value(in, 2)
	if mask == c.act.lanes {
		in.f3(&c.act.r[in.dst], x, y, z)
		return
	}
	in.f3(&c.out, x, y, z)
	c.merge(in.dst, &c.out, mask)
}

// each1, each2 and each3 make an operation on registers of one on values.
func each1(f func(a uint64) uint64) op1 {
	return func(d, a *vec.Wide) {
		for l := range d {
			d[l] = f(a[l])
		}
	}
}

func each2(f func(a, b uint64) uint64) op2 {
	return func(d, a, b *vec.Wide) {
		for l := range d {
			d[l] = f(a[l], b[l])
		}
	}
}

func each3(f func(a, b, c uint64) uint64) op3 {
	return func(d, a, b, c *vec.Wide) {
		for l := range d {
			d[l] = f(a[l], b[l], c[l])
		}
	}
}
