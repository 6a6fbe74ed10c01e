package ptx

import (
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/ptx/numeric"
	"simtgdb/simt/rows"
	"simtgdb/simt/rows/host"
	"simtgdb/simt/vec"
)

// A whole is a kernel with the functions that it calls in their places, as a program of row code
// (rows.Source). What goes through a frame goes from register to register.
type whole struct {
	isa              *ISA
	insts            []rows.Inst
	registers, masks int32
	ways             []way
	ends             []int // instructions that go to the end
	frames           uint64
	deep             map[int32]bool // cells of frames that others have had before
	of               []*function    // whose statements there are
	at               []placed       // statements, by instruction
	aimed            func(at int32, in *rows.Inst)
	judged           bool // there are statements that may do what is undefined
}

// A way is an instruction that goes to a statement of an inlined function.
type way struct {
	from int
	to   int32 // of the whole's numbers
}

// A body is a function in its place in a whole.
type body struct {
	fn               *function
	registers, masks int32          // that its own begin behind
	at               []int32        // number of each statement
	cells            map[cell]int32 // registers of its frame
	returns          []int          // instructions that go behind the call
	caller           *body
	calls            []uint64 // that it is in, innermost first
}

// A placed is a statement in a whole, with the calls that it is in, innermost first.
type placed struct {
	at    int32
	calls []uint64
}

// A cell is some bytes of a frame.
type cell struct{ off, size uint64 }

// mostInlined bounds the instructions of a whole, and mostCalls how deep calls go.
const (
	mostInlined = 2048
	mostCalls   = 8
)

// Inst implements rows.Source.
func (w *whole) Inst(n int32) rows.Inst {
	if int(n) >= len(w.insts) {
		return rows.Inst{}
	}
	return w.insts[n]
}

// whole makes code of a kernel that can be executed in bulk.
func (c *Core) whole(fn *function, k *kernel) {
	w := &whole{isa: c.isa, aimed: c.aimed, deep: map[int32]bool{}}
	if !w.inline(&body{fn: fn}, fn.frameSize, 0) {
		return
	}
	end := int32(len(w.insts))
	for len(w.at) < len(w.insts) {
		w.at = append(w.at, placed{})
	}
	for _, i := range w.ends {
		w.goTo(i, end)
	}
	for _, x := range w.ways {
		w.goTo(x.from, x.to)
	}
	units, err := rows.Whole(w, 0, end, int(w.registers), int(w.masks), false)
	if err != nil {
		return
	}
	unset := rows.Unset(units, int(w.registers))
	for _, r := range unset {
		if w.deep[r] {
			return
		}
	}
	code, err := c.codeOf(units, codeKey{fn: fn, whole: true})
	if err != nil {
		return
	}
	b := host.NewBulk(code, units[0].At, end, make([]uint64, w.registers*warpSize), make([]uint32, w.masks),
		unset, warpSize, nil)
	k.bulk, k.frames, k.of, k.at, k.unset, k.judged = b, w.frames, w.of, w.at, len(unset) > 0, w.judged
	k.apart = max(0, slices.IndexFunc(w.insts, shows))
}

// shows reports whether others may see that an instruction of a whole is executed, or it may see others, or
// where it goes on is not the next one.
func shows(in rows.Inst) bool {
	return !in.Known || in.Flow != rows.Next || slices.ContainsFunc(in.Ops, func(o rows.Op) bool {
		own := o.Space == rows.Uniform || o.Space == rows.Items
		return (o.Kind == rows.Load || o.Kind == rows.Store) && !own
	})
}

func (w *whole) goTo(i int, to int32) {
	w.insts[i].Target = to
	if w.insts[i].Flow == rows.Next {
		w.insts[i].Flow = rows.Jump
	}
}

// inline puts a function's statements behind those that are there. It reports whether there can be code.
func (w *whole) inline(b *body, frames uint64, depth int) bool {
	fn := b.fn
	w.frames, w.of = max(w.frames, frames), append(w.of, fn)
	b.registers, b.masks = w.registers, w.masks
	w.registers, w.masks = w.registers+int32(fn.vectors), w.masks+int32(fn.preds)
	b.cells = map[cell]int32{}
	if depth > mostCalls || len(fn.stack) > 0 || len(w.insts)+int(fn.end-fn.start) > mostInlined {
		return false
	}
	ways := len(w.ways)
	for at := fn.start; at < fn.end; at++ {
		in := &w.isa.code[at]
		b.at = append(b.at, int32(len(w.insts)))
		switch {
		case in.flow == simt.FlowBarrier:
			return false
		case in.flow == simt.FlowCall:
			if !w.call(b, in, frames, depth) {
				return false
			}
		case in.flow == simt.FlowEnd || in.flow == simt.FlowReturn:
			w.leave(b, in)
		default:
			w.statement(b, in)
		}
	}
	for i := ways; i < len(w.ways); i++ {
		x := &w.ways[i]
		if x.to < 0 {
			x.to = b.at[-1-x.to]
		}
	}
	return true
}

// statement adds a statement that is no call.
func (w *whole) statement(b *body, in *inst) {
	r, ok := w.special(b, in)
	if !ok {
		r = w.isa.lower(in)
		if w.aimed(b.fn.start+int32(len(b.at))-1, &r); r.Known {
			b.move(&r)
		}
	}
	if r.Known && r.Flow != rows.Next {
		r.Else = int32(len(w.insts)) + 1
		w.ways = append(w.ways, way{len(w.insts), -1 - (r.Target - b.fn.start)})
	}
	w.add(b, in, r)
}

// add adds what a statement is.
func (w *whole) add(b *body, in *inst, r rows.Inst) {
	if in.guard >= 0 {
		r.Guarded, r.Guard = true, b.guard(in)
	}
	for len(w.at) < len(w.insts) {
		w.at = append(w.at, placed{})
	}
	w.at = append(w.at, placed{b.fn.start + int32(len(b.at)) - 1, b.calls})
	w.judged = w.judged || in.divides.bits != 0
	w.insts = append(w.insts, r)
}

// move makes registers and masks of a function's those of the whole.
func (b *body) move(in *rows.Inst) {
	mask := func(m *rows.Mask) {
		if m.N != rows.Always {
			m.N += b.masks
		}
	}
	if in.Flow == rows.Branch {
		mask(&in.Cond)
	}
	for i := range in.Ops {
		o := &in.Ops[i]
		mask(&o.Under)
		mask(&o.In)
		o.P += b.masks
		if o.D >= 0 {
			o.D += b.registers
		}
		for k := range o.S {
			if s := &o.S[k]; !s.Const && s.Reg >= 0 {
				s.Reg += b.registers
			}
		}
	}
}

// guard is the mask that a statement is under.
func (b *body) guard(in *inst) rows.Mask {
	if in.guard < 0 {
		return rows.Mask{N: rows.Always}
	}
	return rows.Mask{N: in.guard + b.masks, Not: in.not}
}

// special makes row code of accesses to a function's frame.
func (w *whole) special(b *body, in *inst) (out rows.Inst, ok bool) {
	name := builderName(in.src.Op)
	s := &in.s[0]
	o := rows.Op{Under: b.guard(in), Kind: rows.Copy}
	if s.kind != fromFrame || !in.plain() {
		return out, false
	}
	c, ok := cell{s.off, uint64(in.size)}, false
	switch name {
	case "ld":
		if o.S[0].Reg, ok = w.cell(b, c); ok && in.regs[0] >= 0 {
			o.D = b.registers + in.regs[0]
			return rows.Inst{Known: true, Ops: []rows.Op{o}}, true
		}
	case "st":
		reg, ok := w.cell(b, c)
		if v, is := lowerSource(&in.elems[0]); is && ok {
			return rows.Inst{Known: true, Ops: []rows.Op{store(b, reg, v, uint64(in.size), o.Under)}}, true
		}
	}
	return out, false
}

// specials are where special registers are.
var specials = func() map[string]specialAt {
	all := map[string]specialAt{"%laneid": {rows.Items, atLane}, "%warpid": {rows.Uniform, atWarp},
		"%nwarpid": {rows.Uniform, atWarp + 4}}
	for i, x := range []string{".x", ".y", ".z"} {
		n := uint64(4 * i)
		all["%tid"+x] = specialAt{rows.Items, atLocal + n}
		all["%ntid"+x] = specialAt{rows.Uniform, atBlock + n}
		all["%ctaid"+x] = specialAt{rows.Uniform, atGroup + n}
		all["%nctaid"+x] = specialAt{rows.Uniform, atGroups + n}
	}
	return all
}()

type specialAt struct {
	space rows.Space
	at    uint64
}

func number(v uint64) rows.Value { return rows.Value{Const: true, Imm: v} }

// cell is the register of some bytes of a frame; ok is false if others have part of them.
func (w *whole) cell(b *body, c cell) (reg int32, ok bool) {
	if reg, ok := b.cells[c]; ok {
		return reg, true
	}
	for other := range b.cells {
		if c.off < other.off+other.size && other.off < c.off+c.size {
			return 0, false
		}
	}
	b.cells[c] = w.registers
	w.deep[w.registers] = b.caller != nil
	w.registers++
	return w.registers - 1, true
}

// store puts a value of a body into a cell.
func store(b *body, reg int32, v rows.Value, size uint64, under rows.Mask) rows.Op {
	o := rows.Op{Kind: rows.Copy, D: reg, S: [3]rows.Value{v}, Under: under}
	if v.Const {
		o.S[0].Imm &= numeric.Mask(int(8 * size))
		return o
	}
	o.S[0].Reg += b.registers
	if int(b.fn.bits[v.Reg]) > int(8*size) {
		o.Kind, o.Op, o.S[1] = rows.Calc, vec.WideAnd, number(numeric.Mask(int(8*size)))
	}
	return o
}

// call adds a call and the function that is called.
func (w *whole) call(b *body, in *inst, frames uint64, depth int) bool {
	callee, info := in.callee, in.call
	if callee == nil || !callee.src.Defined || in.guard >= 0 || len(info.args) != len(callee.src.Params) ||
		len(info.results) > len(callee.src.Results) || callee.end == callee.start {
		w.add(b, in, rows.Inst{})
		return true
	}
	to := &body{fn: callee, caller: b, calls: append(
		[]uint64{w.isa.addr(b.fn.start + int32(len(b.at)) - 1)}, b.calls...)}
	first := len(w.insts)
	w.insts = append(w.insts, rows.Inst{Known: true})
	if !w.inline(to, frames+callee.frameSize, depth+1) {
		return false
	}
	after := int32(len(w.insts))
	results, ok := w.results(b, to, info)
	for _, i := range to.returns {
		if w.insts[i].Ops = results; !ok {
			w.insts[i] = rows.Inst{}
			continue
		}
		w.ways = append(w.ways, way{i, after})
	}
	if w.insts[first].Ops, ok = w.arguments(b, to, info); !ok {
		w.insts[first] = rows.Inst{}
	}
	return true
}

// arguments are copies of a call's arguments into the frame of the function.
func (w *whole) arguments(b, to *body, info *callInfo) (all []rows.Op, ok bool) {
	for i, v := range to.fn.src.Params {
		d, used := to.cells[cell{v.Offset, v.Size}]
		s := &info.args[i]
		if !used {
			if overlaps(to, v) {
				return nil, false
			}
			continue
		}
		if s.kind == fromFrame {
			from, ok := w.cell(b, cell{s.off, v.Size})
			if !ok {
				return nil, false
			}
			all = append(all, rows.Op{Kind: rows.Copy, D: d, S: [3]rows.Value{{Reg: from}}, Under: always})
			continue
		}
		from, ok := lowerSource(s)
		if !ok || v.Size > 8 {
			return nil, false
		}
		all = append(all, store(b, d, from, v.Size, always))
	}
	return all, true
}

// overlaps reports whether the frame of a function has cells within a variable.
func overlaps(to *body, v Var) bool {
	for c := range to.cells {
		if c.off < v.Offset+v.Size && v.Offset < c.off+c.size {
			return true
		}
	}
	return false
}

// results are copies of a function's results into the frame of who called it.
func (w *whole) results(b, from *body, info *callInfo) (all []rows.Op, ok bool) {
	for i := range info.results {
		v := from.fn.src.Results[i]
		s := &info.results[i]
		if s.kind != fromFrame {
			continue
		}
		src, given := from.cells[cell{v.Offset, v.Size}]
		to, fits := w.cell(b, cell{s.off, v.Size})
		if !given || !fits {
			return nil, false
		}
		all = append(all, rows.Op{Kind: rows.Copy, D: to, S: [3]rows.Value{{Reg: src}},
			Under: rows.Mask{N: rows.Always}})
	}
	return slices.Clip(all), true
}

// leave adds the end of lanes, or of a call.
func (w *whole) leave(b *body, in *inst) {
	r := rows.Inst{Known: true, Flow: rows.Jump}
	if in.guard >= 0 {
		r.Flow, r.Cond, r.Else = rows.Branch, b.guard(in), int32(len(w.insts))+1
	}
	if b.caller == nil || in.flow == simt.FlowEnd {
		w.ends = append(w.ends, len(w.insts))
	} else {
		b.returns = append(b.returns, len(w.insts))
	}
	w.add(b, in, r)
}
