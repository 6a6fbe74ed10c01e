package spirv

import "sync"

// A function is OpFunction with a body.
type function struct {
	id     uint32
	word   int
	name   string
	typ    *typ // of the function
	result *typ
	params []*raw
	blocks []*block // in the order in which they run
	calls  []uint32
	labels map[uint32]*block
	ret    int32    // slots of what it returns
	masked bool     // blocks may run again before all lanes are through: every value needs its mask
	state  uint8    // while calls are followed
	loops  [][2]int // of flowOrder: ranges of blocks, outer before inner
	ends   []*block // of the entry point: in which lanes do nothing but end
}

// A block is a basic block.
type block struct {
	stepped sync.Once // its instructions have what [block.step] gives them
	fn      *function
	label   *raw
	phis    []*raw
	raws    []*raw // what executes, the terminator last
	merge   uint32 // of OpSelectionMerge or OpLoopMerge, or 0
	cont    uint32 // of OpLoopMerge
	succs   []*block

	index  int // in Program.blocks
	insts  []inst
	cyclic [2]int // the innermost loop that it is in: indices of its first and last block; {0, 0} for none
	seen   uint8
}

// A place is an instruction in a block.
type place struct {
	b *block
	i int
}

// An edge is a way from one block to another, with the copies for the phis of the latter.
type edge struct {
	to     *block
	copies []slotCopy
	staged bool // a source is a destination of another copy
}

type slotCopy struct{ dst, src, n int32 }

// readEntry finds the entry point and what it calls.
func (p *Program) readEntry() error {
	for _, f := range p.findFunctions() {
		p.functions[f.id] = f
	}
	var names []string
	for _, in := range p.insts {
		if in.op != opEntryPoint || len(in.args) < 3 || in.args[0] != 5 && in.args[0] != 6 {
			continue
		}
		name, _ := text(in.args[2:])
		names = append(names, name)
		if name == p.o.Entry || p.o.Entry == "" && p.entry == nil {
			if p.entry = p.functions[in.args[1]]; p.entry == nil {
				return p.errorf(in.word, "entry point %q: %%%d is no function with a body", name, in.args[1])
			}
			p.entryName = name
			p.entryID = in.args[1]
		}
	}
	if p.entry == nil || p.o.Entry == "" && len(names) > 1 {
		return p.errorf(0, "no compute entry point %q; there are %q", p.o.Entry, names)
	}
	p.readModes()
	if inner := p.functions[p.entry.onlyCalls()]; inner != nil {
		p.entry = inner
	}
	return p.follow(p.entry, 0)
}

// onlyCalls is the function that another does nothing but call with its own parameters, as the entry points
// of llvm-spirv do: the function is then as good an entry point. It is 0 for others.
func (f *function) onlyCalls() uint32 {
	var code []*raw
	for _, in := range f.blocks[0].raws {
		if !silent[in.op] {
			code = append(code, in)
		}
	}
	if len(f.blocks) != 1 || len(code) != 2 || code[0].op != opFunctionCall || code[1].op != opReturn ||
		len(code[0].args) != len(f.params)+1 {
		return 0
	}
	for i, in := range f.params {
		if code[0].args[i+1] != in.res {
			return 0
		}
	}
	return code[0].args[0]
}

// findFunctions cuts functions into blocks.
func (p *Program) findFunctions() []*function {
	var all []*function
	var f *function
	var b *block
	for _, in := range p.insts {
		switch {
		case in.op == opFunction && len(in.args) >= 2:
			f = &function{id: in.res, word: in.word, typ: p.types[in.args[1]], result: p.types[in.typ],
				labels: map[uint32]*block{}, name: p.names[in.res]}
		case f == nil:
		case in.op == opFunctionParameter:
			f.params = append(f.params, in)
		case in.op == opLabel:
			b = &block{fn: f, label: in}
			f.labels[in.res] = b
			f.blocks = append(f.blocks, b)
		case in.op == opFunctionEnd:
			if len(f.blocks) > 0 {
				all = append(all, f)
			}
			f, b = nil, nil
		case b != nil:
			b.add(in)
			if b.ends() {
				b = nil
			}
		}
	}
	return all
}

func (b *block) add(in *raw) {
	switch {
	case in.op == opPhi:
		b.phis = append(b.phis, in)
	case in.op == opLoopMerge && len(in.args) > 1:
		b.merge, b.cont = in.args[0], in.args[1]
	case in.op == opSelectionMerge && len(in.args) > 0:
		b.merge = in.args[0]
	default:
		b.raws = append(b.raws, in)
	}
	if id := in.called(); id != 0 {
		b.fn.calls = append(b.fn.calls, id)
	}
}

func (b *block) ends() bool {
	if len(b.raws) == 0 {
		return false
	}
	op := b.raws[len(b.raws)-1].op
	return op >= opBranch && op <= opUnreachable || op == opTerminateInvocation
}

// readModes reads the execution modes of the entry point.
func (p *Program) readModes() {
	var ids []uint32
	for _, in := range p.insts {
		isMode := in.op == opExecutionMode || in.op == opExecutionModeId
		if isMode && len(in.args) > 1 && in.args[0] == p.entryID {
			switch mode := in.args[1]; {
			case mode == 17 && len(in.args) >= 5: // LocalSize
				p.size = [3]uint32(in.args[2:5])
			case mode == 38 && len(in.args) >= 5 && ids == nil: // LocalSizeId
				ids = in.args[2:5]
			}
		}
		if in.op == opSpecConstantComposite || in.op == opConstantComposite {
			if p.hasDecoration(in.res, decBuiltIn) && p.decoration(in.res, decBuiltIn) == builtinSize &&
				len(in.args) == 3 {
				ids = in.args
			}
		}
	}
	for i, id := range ids {
		if n, ok := p.constantUint(id); ok {
			p.size[i] = uint32(n)
		}
	}
}

// follow puts a function and what it calls into p.order, callers first.
func (p *Program) follow(f *function, depth int) error {
	const maxDepth = 256
	if f.state == 1 || depth > maxDepth {
		return p.errorf(f.word,
			"function %%%d calls itself, which SPIR-V does not allow, or calls are nested deeper than %d",
			f.id, maxDepth)
	}
	if f.state == 2 {
		return nil
	}
	f.state = 1
	p.order = append(p.order, f)
	for _, id := range f.calls {
		if callee := p.functions[id]; callee != nil {
			if err := p.follow(callee, depth+1); err != nil {
				return err
			}
		}
	}
	f.state = 2
	return nil
}

// build makes the blocks of all functions that are reached ready to run.
func (p *Program) build() error {
	if err := p.placeLocals(); err != nil {
		return err
	}
	for _, f := range p.order {
		if err := p.link(f); err != nil {
			return err
		}
		if p.kernel {
			f.flowOrder()
		} else {
			f.structuredOrder()
		}
		for _, b := range f.blocks {
			b.index = len(p.blocks)
			p.blocks = append(p.blocks, b)
		}
		f.findLoops(p.kernel)
		if err := p.allocate(f); err != nil {
			return err
		}
	}
	p.setSize = (len(p.blocks) + 63) / 64
	if err := p.placeArgs(); err != nil {
		return err
	}
	for _, f := range p.order {
		if err := p.buildFunction(f); err != nil {
			return err
		}
	}
	p.entry.findEnds()
	return nil
}

// findEnds finds the blocks of the entry point of which nothing is left but to end. They run before all
// others: lanes need not come together for that.
func (f *function) findEnds() {
	for _, b := range f.blocks {
		if b.insts[0].raw.op == opReturn {
			f.ends = append(f.ends, b)
		}
	}
}

// placeLocals gives the variables of functions their places: one each, since no function calls itself.
func (p *Program) placeLocals() error {
	for _, f := range p.order {
		if err := p.placePassed(f); err != nil {
			return err
		}
		for _, b := range f.blocks {
			for _, in := range b.raws {
				if in.op == opVariable {
					if err := p.placeLocal(in); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// A passed is the copy that a function has of what a pointer points to that it is called with, in private
// memory.
type passed struct {
	at   uint64
	size uint64
	slot int32 // has the address
}

// placePassed gives the copies of what a function gets by value their places.
func (p *Program) placePassed(f *function) error {
	for _, in := range f.params {
		t := p.types[in.typ]
		if f == p.entry || t == nil || t.kind != kPointer || t.storage != scFunction || t.elem == nil ||
			!p.passedByValue(in.res) {
			continue
		}
		at := p.place(&p.scratch, in.res, t.elem)
		if p.scratch > maxScratch {
			return p.errorf(in.word, "parameters and variables of more than %d bytes per invocation",
				maxScratch)
		}
		s, err := p.newSlots(in.word, 1)
		if err != nil {
			return err
		}
		p.constants = append(p.constants, at|markOf(scFunction))
		p.copies[in.res] = passed{at, t.elem.size, s}
	}
	return nil
}

// passedByValue reports whether a parameter that is a pointer stands for what it points to.
func (p *Program) passedByValue(id uint32) bool {
	for _, d := range p.decorations[id] {
		if d.kind == decFuncParam && d.arg() == paramByVal {
			return true
		}
	}
	return false
}

func (p *Program) placeLocal(in *raw) error {
	t := p.types[in.typ]
	if t == nil || t.kind != kPointer || t.storage != scFunction || t.elem.kind == kVoid {
		return p.errorf(in.word, "variable %%%d: its type %%%d is no pointer to Function memory", in.res,
			in.typ)
	}
	if t.elem.refusal != "" || t.elem.kind == kOpaque || t.elem.kind == kRuntimeArray {
		return p.errorf(in.word, "variable %%%d: %s", in.res, t.elem.refusal)
	}
	v := &variable{id: in.res, typ: t.elem, storage: scFunction}
	v.at = p.place(&p.scratch, v.id, t.elem)
	if p.scratch > maxScratch {
		return p.errorf(in.word, "variables of more than %d bytes per invocation", maxScratch)
	}
	p.variables[v.id] = v
	if err := p.fixed(in, v.id, t, []uint64{v.at | markOf(v.storage)}); err != nil {
		return err
	}
	p.values[v.id].ptr = &pointer{global: v, known: true, at: v.at}
	return nil
}

// placeArgs gives copies of what a kernel gets by value their places.
func (p *Program) placeArgs() error {
	params, _ := p.Params()
	for i, q := range params {
		if q.ByValue {
			p.byValue[i] = p.place(&p.scratch, p.entry.params[i].res,
				p.values[p.entry.params[i].res].typ.elem)
		}
	}
	if p.scratch > maxScratch {
		return p.errorf(p.entry.word, "arguments and variables of more than %d bytes per invocation",
			maxScratch)
	}
	return nil
}

// link finds the successors of blocks.
func (p *Program) link(f *function) error {
	for _, b := range f.blocks {
		if !b.ends() {
			return p.errorf(b.label.word, "block %%%d has no end", b.label.res)
		}
		end := b.raws[len(b.raws)-1]
		targets, err := p.targets(end)
		if err != nil {
			return err
		}
		for _, id := range targets {
			to := f.labels[id]
			if to == nil {
				return p.errorf(end.word, "branch to %%%d, which is no block of the function", id)
			}
			b.succs = append(b.succs, to)
		}
	}
	return nil
}

// targets are the blocks that a terminator leads to; OpSwitch's literals are as wide as its selector.
func (p *Program) targets(end *raw) ([]uint32, error) {
	a := end.args
	switch {
	case end.op == opBranch && len(a) >= 1:
		return a[:1], nil
	case end.op == opBranchConditional && len(a) >= 3:
		return a[1:3], nil
	case end.op == opSwitch && len(a) >= 2:
		_, ids, err := p.switchCases(end)
		return append([]uint32{a[1]}, ids...), err
	case end.op >= opKill:
		return nil, nil
	}
	return nil, p.errorf(end.word, "Op%s without its operands", opTable()[end.op].name)
}

// switchCases reads the pairs of OpSwitch.
func (p *Program) switchCases(in *raw) (values []uint64, labels []uint32, err error) {
	words := 1
	if def := p.def[in.args[0]]; def != nil && p.types[def.typ] != nil && p.types[def.typ].bits == 64 {
		words = 2
	}
	for a := in.args[2:]; len(a) > 0; a = a[words+1:] {
		if len(a) < words+1 {
			return nil, nil, p.errorf(in.word, "OpSwitch with half a case")
		}
		v := uint64(a[0])
		if words == 2 {
			v |= uint64(a[1]) << 32
		}
		values, labels = append(values, v), append(labels, a[words])
	}
	return values, labels, nil
}

// structuredOrder sorts blocks so that a merge block stands behind all blocks of its construct, and a
// continue construct behind the rest of its loop: reverse post order of a walk that takes merge and continue
// first. It drops blocks that nothing leads to.
func (f *function) structuredOrder() {
	var post []*block
	type step struct {
		b    *block
		next []*block
	}
	visit := func(b *block) step {
		b.seen = 1
		var next []*block
		for _, id := range []uint32{b.merge, b.cont} {
			if m := f.labels[id]; m != nil {
				next = append(next, m)
			}
		}
		return step{b, append(next, b.succs...)}
	}
	stack := []step{visit(f.blocks[0])}
	for len(stack) > 0 {
		s := &stack[len(stack)-1]
		if len(s.next) == 0 {
			post = append(post, s.b)
			stack = stack[:len(stack)-1]
			continue
		}
		n := s.next[0]
		s.next = s.next[1:]
		if n.seen == 0 {
			stack = append(stack, visit(n))
		}
	}
	f.blocks = f.blocks[:0]
	for i := len(post) - 1; i >= 0; i-- {
		f.blocks = append(f.blocks, post[i])
	}
}

// findLoops finds for each block the innermost loop that it is in, as a range of the order, and whether an
// edge leads back other than to the header of a loop.
func (f *function) findLoops(kernel bool) {
	first := f.blocks[0].index
	end := first + len(f.blocks)
	if !kernel {
		for _, b := range f.blocks {
			if b.cont == 0 {
				continue
			}
			last := end
			if m := f.labels[b.merge]; m != nil && m.seen != 0 && m.index > b.index {
				last = m.index
			}
			f.loops = append(f.loops, [2]int{b.index - first, last - first})
		}
	}
	for _, l := range f.loops {
		for _, b := range f.blocks[l[0]:l[1]] {
			b.cyclic = [2]int{first + l[0], first + l[1]}
		}
	}
	for _, b := range f.blocks {
		for _, s := range b.succs {
			if s.index <= b.index && !(s.cyclic[0] == s.index && b.index < s.cyclic[1] && s.cyclic[1] > 0) {
				f.masked = true
			}
		}
	}
}

// inLoopOf reports whether a block lies in the innermost loop of another.
func (b *block) inLoopOf(def *block) bool {
	return def.cyclic[1] == 0 || b.index >= def.cyclic[0] && b.index < def.cyclic[1]
}

// allocate gives every value of a function its slots.
func (p *Program) allocate(f *function) error {
	if f.typ == nil || f.typ.kind != kFunction || len(f.typ.params) != len(f.params) || f.result == nil {
		return p.errorf(f.word, "function %%%d does not fit its type", f.id)
	}
	give := func(in *raw) error {
		t := p.types[in.typ]
		switch {
		case in.res == 0 || in.typ == 0 || in.op == opVariable:
			return nil
		case t == nil:
			return p.errorf(in.word, "%%%d: its type %%%d is no type", in.res, in.typ)
		case t.kind == kVoid:
			return nil
		case t.refusal != "":
			return p.errorf(in.word, "%s", t.refusal)
		case t.slots == 0 && t.kind != kStruct:
			return p.errorf(in.word, "%%%d: values of type %%%d have no or too many scalars", in.res, in.typ)
		}
		s, err := p.newSlots(in.word, t.slots)
		p.values[in.res] = &value{typ: t, slot: s}
		return err
	}
	for _, in := range f.params {
		if err := give(in); err != nil {
			return err
		}
		if p.values[in.res] == nil {
			return p.errorf(in.word, "parameter %%%d is of a type without values", in.res)
		}
	}
	for _, b := range f.blocks {
		for _, in := range b.phis {
			if err := give(in); err != nil {
				return err
			}
		}
		for _, in := range b.raws {
			if in.op == opUndef { // any value will do, and one is cheaper than one per place
				t := p.types[in.typ]
				if t == nil {
					return p.errorf(in.word, "OpUndef of type %%%d", in.typ)
				}
				if t.slots == 0 {
					continue // who uses it is told
				}
			}
			if err := give(in); err != nil {
				return err
			}
		}
	}
	var err error
	f.ret, err = p.newSlots(f.word, f.result.slots)
	return err
}

// buildFunction makes the instructions of a function.
func (p *Program) buildFunction(f *function) error {
	uses := f.usesOutside(p)
	f.begin(p)
	for _, b := range f.blocks {
		for _, in := range b.raws {
			bd := &builder{p: p, in: in, f: f, blk: b, typ: p.types[in.typ]}
			if v := p.values[in.res]; v != nil && in.res != 0 {
				bd.dst = v.slot
			}
			i, err := bd.build()
			if err != nil {
				return err
			}
			if i == nil {
				continue
			}
			i.raw, i.pc = in, p.o.Base+4*uint64(in.word)
			if v := p.values[in.res]; v != nil && in.res != 0 && !v.fixed {
				i.dn = int32(v.typ.slots)
				i.masked = f.masked || uses[in.res]
			}
			i.knowsPlace(len(b.insts))
			p.at[in.word] = place{b, len(b.insts)}
			b.insts = append(b.insts, *i)
			if t := i.then; t != nil {
				t.raw, t.pc, t.d, t.dn, t.masked = in, i.pc, i.d, i.dn, i.masked
				b.insts[len(b.insts)-1].dn = 0
				b.insts = append(b.insts, *t)
			}
		}
	}
	return nil
}

// knowsPlace tells an instruction that calls a function, with what belongs to it, where in its block it
// stands.
func (in *inst) knowsPlace(at int) {
	t := in.then
	if in.fn != nil {
		in.imm = uint64(at)
	}
	if t != nil && (in.fn != nil || t.fn != nil) {
		t.imm = uint64(at + 1)
	}
}

// begin has lanes stand at OpFunction first, where debuggers look for those that enter a function.
func (f *function) begin(p *Program) {
	if len(f.blocks) == 0 {
		return
	}
	b := f.blocks[0]
	p.at[f.word] = place{b, 0}
	b.insts = append(b.insts, inst{raw: &raw{op: 54, word: f.word}, pc: p.o.Base + 4*uint64(f.word),
		exec: execNothing})
}

// usesOutside finds the values that are made in a loop and used behind it: lanes that left the loop earlier
// keep theirs while others go on.
func (f *function) usesOutside(p *Program) map[uint32]bool {
	home := map[uint32]*block{}
	for _, b := range f.blocks {
		if b.cyclic[1] == 0 {
			continue
		}
		for _, in := range b.raws {
			if in.res != 0 {
				home[in.res] = b
			}
		}
	}
	out := map[uint32]bool{}
	use := func(id uint32, at *block) {
		if def := home[id]; def != nil && !at.inLoopOf(def) {
			out[id] = true
		}
	}
	for _, b := range f.blocks {
		for _, in := range b.phis {
			for j := 0; j+1 < len(in.args); j += 2 {
				if from := f.labels[in.args[j+1]]; from != nil {
					use(in.args[j], from)
				}
			}
		}
		for _, in := range b.raws {
			if silent[in.op] || in.op == opExtInst && len(in.args) > 0 && silentSet(p.imports[in.args[0]]) {
				continue
			}
			for _, a := range in.args { // literals too: at worst a mask too many
				use(a, b)
			}
		}
	}
	return out
}

// edge makes the way from one block to another.
func (p *Program) edge(from, to *block) (*edge, error) {
	e := &edge{to: to}
	dst := map[int32]bool{}
	for _, phi := range to.phis {
		found := false
		v := p.values[phi.res]
		if v == nil {
			return nil, p.errorf(phi.word, "%%%d is a phi of a type without values", phi.res)
		}
		for j := 0; j+1 < len(phi.args); j += 2 {
			if phi.args[j+1] != from.label.res {
				continue
			}
			src := p.values[phi.args[j]]
			if src == nil || src.typ.slots != v.typ.slots {
				return nil,
					p.errorf(phi.word, "%%%d: its value %%%d from %%%d is not there or of another type",
						phi.res, phi.args[j], from.label.res)
			}
			for k := range int32(v.typ.slots) {
				e.staged = e.staged || dst[src.slot+k]
			}
			e.copies = append(e.copies, slotCopy{v.slot, src.slot, int32(v.typ.slots)})
			for k := range int32(v.typ.slots) {
				dst[v.slot+k] = true
			}
			found = true
			break
		}
		if !found {
			return nil,
				p.errorf(phi.word, "%%%d has no value for the edge from %%%d", phi.res, from.label.res)
		}
	}
	return e, nil
}
