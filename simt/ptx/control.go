package ptx

import (
	"simtgdb/simt"
)

func init() {
	register(map[string]func(b *builder) error{
		"bra": (*builder).bra, "brx": (*builder).brx, "call": (*builder).callStatement,
		"ret": (*builder).ret, "exit": (*builder).exit, "trap": (*builder).trap, "brkpt": (*builder).trap,
	})
}

func register(rows map[string]func(b *builder) error) {
	for name, f := range rows {
		builders[name] = f
	}
}

// label is the statement that an operand names.
func (b *builder) label(o *Operand) (int32, error) {
	src := b.fn.src
	if o.Kind != Code || o.Value < src.Start || o.Value >= src.End {
		return 0, refuse("jumps out of its function")
	}
	return b.fn.start + int32((o.Value-src.Start)/instSize), nil
}

// bra: the guard is the condition.
func (b *builder) bra() error {
	if err := b.only("uni"); err != nil {
		return err
	}
	if err := b.operands(1); err != nil {
		return err
	}
	at, err := b.label(&b.args[0])
	if err != nil {
		return err
	}
	in := b.in
	in.target, in.targets = at, []int32{at}
	in.jump, in.ends, in.leaves, in.flow = runBra, true, true, simt.FlowJump
	if in.guard >= 0 {
		in.flow = simt.FlowBranch
	}
	return nil
}

func runBra(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	switch mask {
	case p.mask:
		p.pc = in.target
	case 0:
		p.pc = c.at + 1
	default:
		c.part(p, in.join, []group{{p.mask &^ mask, c.at + 1}, {mask, in.target}})
	}
}

// A group is lanes with the statement where they go on.
type group struct {
	mask uint32
	at   int32
}

// part lets groups of a path's lanes go on apart until they come to a statement; the first group is
// first, but for one that is about to end. Groups without lanes do not count.
func (c *Core) part(p *path, at int32, groups []group) {
	st := c.st
	if at != never && !(p.join != nil && p.join.at == at && p.join.act == p.act) {
		p.join = &join{at: at, act: p.act, expected: p.mask, outer: p.join}
	}
	join, act := p.join, p.act
	for i := range groups {
		if g := groups[i]; g.mask != 0 && c.code[g.at].isEnd() {
			copy(groups[1:i+1], groups[:i])
			groups[0] = g
		}
	}
	i := 0
	for i < len(groups)-1 && groups[i].mask == 0 {
		i++
	}
	p.mask, p.pc = groups[i].mask, groups[i].at
	var parts []*path
	for _, g := range groups[i+1:] {
		if g.mask != 0 {
			parts = append(parts, &path{pc: g.at, mask: g.mask, act: act, join: join})
		}
	}
	st.insert(p, parts)
	for _, q := range parts {
		st.settle(q)
	}
}

// insert puts new paths behind one.
func (s *state) insert(p *path, parts []*path) {
	for i, q := range s.paths {
		if p == q {
			rest := append(parts, s.paths[i+1:]...)
			s.paths = append(s.paths[:i+1:i+1], rest...)
			return
		}
	}
}

// brx.idx goes to one of a list of labels.
func (b *builder) brx() error {
	if err := b.only("idx", "uni"); err != nil {
		return err
	}
	if len(b.args) != 2 || b.args[1].Kind != Targets || len(b.args[1].List) == 0 {
		return refuse("has no list of targets")
	}
	if err := b.sources(0, "u32"); b.in.s[0].kind == fromNone && err != nil {
		return err
	}
	for i := range b.args[1].List {
		at, err := b.label(&b.args[1].List[i])
		if err != nil {
			return err
		}
		b.in.targets = append(b.in.targets, at)
	}
	in := b.in
	in.jump, in.ends, in.leaves, in.flow = runBrx, true, true, simt.FlowIndirect
	return nil
}

func runBrx(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	index := c.value(in, 0)
	var groups []group
	if rest := p.mask &^ mask; rest != 0 {
		groups = append(groups, group{rest, c.at + 1})
	}
	bad := uint32(0)
	for rest := mask; rest != 0; {
		i := index[first(rest)]
		same := uint32(0)
		for m := rest; m != 0; m &= m - 1 {
			if l := first(m); index[l] == i {
				same |= 1 << l
			}
		}
		rest &^= same
		if i >= uint64(len(in.targets)) {
			bad |= same
			continue
		}
		groups = append(groups, group{same, in.targets[i]})
	}
	if bad != 0 {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(bad),
			Text: in.src.Text + " has an index behind its targets"})
		return
	}
	c.part(p, in.join, groups)
}

// A callInfo is what a call passes.
type callInfo struct {
	results, args []source // where they are in the caller's frame, or values
	proto         *Func    // of the function called
	target        source   // of an indirect call
}

// call (results), function, (arguments), prototype or targets.
func (b *builder) callStatement() error {
	if err := b.only("uni"); err != nil {
		return err
	}
	args := b.args
	info := &callInfo{}
	list := func(s *[]source) error {
		if len(args) == 0 || args[0].Kind != List {
			return nil
		}
		for i := range args[0].List {
			src, err := b.source(&args[0].List[i], "b64")
			if err != nil {
				return err
			}
			*s = append(*s, src)
		}
		args = args[1:]
		return nil
	}
	if err := list(&info.results); err != nil {
		return err
	}
	if len(args) == 0 {
		return refuse("calls nothing")
	}
	in := b.in
	if o := &args[0]; o.Kind == Code && o.Func != nil {
		in.callee = b.a.funcAt(o.Func.Start)
		info.proto = o.Func
	}
	var err error
	if info.target, err = b.source(&args[0], "b64"); err != nil {
		return err
	}
	if in.callee == nil {
		in.s[0] = info.target
	}
	args = args[1:]
	if err := list(&info.args); err != nil {
		return err
	}
	if len(args) == 1 && args[0].Kind == Proto {
		info.proto = args[0].Func
	}
	in.call = info
	in.jump, in.ends, in.flow = runCall, true, simt.FlowCall
	return nil
}

func runCall(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	if mask == 0 {
		p.pc = c.at + 1
		return
	}
	if in.callee != nil {
		c.enter(p, in, in.callee, mask)
		return
	}
	// An indirect call: the lanes of each function go into it by themselves.
	target := *c.value(in, 0)
	lead := target[first(mask)]
	same := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		if l := first(m); target[l] == lead {
			same |= 1 << l
		}
	}
	fn := c.isa.funcAt(lead)
	if fn == nil {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(same),
			Text: in.src.Text + " calls an address at which no function begins"})
		return
	}
	if same != mask {
		// The others meet the same call in a path of their own, and all come together behind it.
		c.part(p, c.at+1, []group{{same, c.at}, {mask &^ same, c.at}, {p.mask &^ mask, c.at + 1}})
		p = c.st.cur
	}
	c.enter(p, in, fn, same)
}

// enter makes lanes of a path call a function. Those that do not call wait behind the call.
func (c *Core) enter(p *path, in *inst, fn *function, mask uint32) {
	st, caller := c.st, p.act
	if !fn.src.Defined {
		c.callUndefined(p, in, fn, mask)
		return
	}
	info := in.call
	if len(info.args) != len(fn.src.Params) || len(info.results) > len(fn.src.Results) {
		c.fault(simt.Fault{Kind: simt.IllegalInstruction, Lanes: uint64(mask),
			Text: in.src.Text + " passes other arguments than " + fn.src.Name + " takes"})
		return
	}
	if limit := c.w.ScratchLimit / warpSize; caller.top+fn.frameSize > limit {
		c.fault(simt.Fault{Kind: simt.Unmapped, Space: simt.Scratch, Lanes: uint64(mask), Addr: caller.top,
			Size: int(fn.frameSize), Write: true,
			Text: in.src.Text + " has no room for a frame of " + fn.src.Name})
		return
	}
	c.w.GrowScratch((caller.top + fn.frameSize) * warpSize)
	act := st.newActivation(fn, caller.top, mask)
	act.fresh, act.since = c.valued, c.m.Followed()
	for i, v := range fn.src.Params {
		c.pass(&info.args[i], caller, act.base+v.Offset, v.Size, mask)
	}
	if c.w.Track != nil {
		all := p.mask
		p.mask = mask
		c.w.EnterCall(c.isa.addr(c.at), c.isa.addr(c.at+1), fn.src.Start, Frame{c.w, caller.id})
		p.mask = all
	}
	act.back = &join{at: c.at + 1, act: caller, expected: p.mask, arrived: p.mask &^ mask, outer: p.join}
	p.mask, p.pc, p.act, p.join = mask, fn.start, act, act.back
}

// pass copies an argument into the frame of the function called.
func (c *Core) pass(s *source, caller *activation, to, size uint64, mask uint32) {
	if s.kind == fromFrame {
		c.copyLocal(to, caller.base+s.off, size, mask)
		return
	}
	c.passed(s, caller, to, size, mask)
	if c.m.Ordered() {
		c.tellPassed(s, caller, to, min(size, 8), mask)
	}
	in := inst{s: [5]source{*s}}
	v := c.value(&in, 0)
	for m := mask; m != 0; m &= m - 1 {
		l := first(m)
		c.storeLocal(l, to, int(min(size, 8)), v[l])
	}
}

// ret ends a call; in a kernel it ends the lanes.
func (b *builder) ret() error {
	if err := b.only("uni"); err != nil {
		return err
	}
	if b.fn.src.Entry {
		return b.exit()
	}
	in := b.in
	in.jump, in.ends, in.leaves, in.toExit, in.flow = runRet, true, true, true, simt.FlowReturn
	return nil
}

func runRet(c *Core, in *inst, mask uint32) {
	st, p := c.st, c.st.cur
	if mask == 0 {
		p.pc = c.at + 1
		return
	}
	act := p.act
	back := act.back
	if back == nil {
		c.endLanes(p, mask)
		return
	}
	p = c.splitOff(p, mask)
	if p.join != back {
		st.leave(p.join, back, mask)
	}
	// The results go where the call wants them; its lanes may come back one after the other.
	call := c.isa.code[back.at-1].call
	for i := range call.results {
		v := act.fn.src.Results[i]
		if s := &call.results[i]; s.kind == fromFrame {
			c.copyLocal(back.act.base+s.off, act.base+v.Offset, v.Size, mask)
		}
	}
	if c.w.Track != nil {
		cur := st.cur
		st.cur = p
		c.w.LeaveCall(c.isa.addr(back.at), false)
		st.cur = cur
	}
	back.arrived |= mask
	if back.arrived != back.expected {
		st.drop(p)
		return
	}
	p.pc, p.act, p.join, p.mask = back.at, back.act, back.outer, back.arrived
	st.release(act)
}

// splitOff leaves the lanes of a path that are not in a mask behind, at the next statement, and returns
// the path of the others, which becomes the current one.
func (c *Core) splitOff(p *path, mask uint32) *path {
	if mask == p.mask {
		return p
	}
	q := &path{pc: c.at + 1, mask: p.mask &^ mask, act: p.act, join: p.join}
	p.mask = mask
	c.st.insert(p, []*path{q})
	c.st.settle(q)
	return p
}

// exit ends lanes.
func (b *builder) exit() error {
	in := b.in
	in.jump, in.ends, in.leaves, in.toExit, in.flow = runExit, true, true, true, simt.FlowEnd
	return nil
}

func runExit(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	if mask == 0 {
		p.pc = c.at + 1
		return
	}
	c.endLanes(c.splitOff(p, mask), mask)
}

// endLanes ends a path with all its lanes.
func (c *Core) endLanes(p *path, mask uint32) {
	st := c.st
	st.exited |= mask
	j := p.join
	st.drop(p)
	st.leave(j, nil, mask)
	c.resolveSync()
	if st.alive() != 0 {
		c.checkBarriers()
	}
}

// trap and brkpt stop the program.
func (b *builder) trap() error {
	in := b.in
	in.imm = uint64(simt.AbortTrap)
	if b.src.Op == "brkpt" {
		in.imm = uint64(simt.DebugTrap)
	}
	in.jump, in.ends, in.flow = runTrap, true, simt.FlowTrap
	return nil
}

func runTrap(c *Core, in *inst, mask uint32) {
	p := c.st.cur
	p.pc = c.at + 1
	if mask == 0 {
		return
	}
	c.stop = simt.Event{Kind: simt.TrapEvent, Lanes: uint64(mask), Trap: simt.Trap(in.imm),
		PC: c.isa.addr(c.at)}
}
