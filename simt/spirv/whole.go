package spirv

import (
	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// A whole is an entry point with the functions that it calls, as a program of row code (rows.Source).
// Functions that are called in one place come back to it.
type whole struct {
	p      *Program
	low    *lowerer
	block  []*block // by number
	sites  map[*function][]*inst
	at     map[*inst]int32 // numbers of calls
	lower  map[int]bool    // blocks that are in insts
	insts  []rows.Inst     // by number
	used   map[component]bool
	failed bool
}

func newWhole(p *Program) *whole {
	w := &whole{p: p, low: newLowerer(p), sites: map[*function][]*inst{}, at: map[*inst]int32{},
		lower: map[int]bool{}, used: map[component]bool{}}
	for _, b := range p.blocks {
		w.low.findNear(b)
		for i := range b.insts {
			switch in := &b.insts[i]; {
			case in.fn == nil:
			case in.raw.op == opFunctionCall:
				w.sites[in.fn] = append(w.sites[in.fn], in)
				w.at[in] = int32(len(w.block))
			default: // it calls several times
				w.sites[in.fn] = append(w.sites[in.fn], in, in)
			}
			w.block = append(w.block, b)
		}
	}
	w.insts = make([]rows.Inst, len(w.block))
	return w
}

// end is the number behind all instructions.
func (w *whole) end() int32 { return int32(len(w.block)) }

// Inst implements rows.Source.
func (w *whole) Inst(n int32) rows.Inst {
	if n < 0 {
		ops, ok := w.low.copies(w.low.edges[-1-n])
		return rows.Inst{Known: ok, Ops: ops, Flow: rows.Jump,
			Target: w.low.first[w.low.edges[-1-n].to.index], Free: true}
	}
	if int(n) >= len(w.block) {
		return rows.Inst{}
	}
	b := w.block[n]
	if !w.lower[b.index] {
		w.lower[b.index] = true
		w.lowerBlock(b)
	}
	return w.insts[n]
}

// lowerBlock makes row code of a block. What a bool's mask is, is known behind it.
func (w *whole) lowerBlock(b *block) {
	l := w.low
	l.block, l.masks = b, map[int32]int32{}
	first := l.first[b.index]
	for i := range b.insts {
		in := &b.insts[i]
		at := first + int32(i)
		out := &w.insts[at]
		switch op := in.raw.op; {
		case op == opFunctionCall:
			*out = w.call(in)
			l.masks = map[int32]int32{}
		case op == opReturn || op == opReturnValue:
			*out = w.leave(in, b)
		case in.mem != nil && op == opLoad && w.builtin(in, out):
		default:
			*out = l.inst(in)
			w.checkPrivate(out)
		}
		if out.Flow == rows.Next || rows.Verify(
			&rows.Unit{Insts: []rows.Inst{*out}}, w.p.slots, w.p.masks()) == nil {
			continue
		}
		out.Known = false
	}
}

// call takes arguments into a function that is called here alone.
func (w *whole) call(in *inst) (out rows.Inst) {
	if in.fn == nil || len(w.sites[in.fn]) != 1 || in.then != nil {
		return out
	}
	for k := 0; k+2 < len(in.args); k += 3 {
		for i := range in.args[k+2] {
			out.Ops = append(out.Ops, move(in.args[k]+i, w.low.slot(in.args[k+1]+i)))
		}
	}
	out.Known, out.Flow, out.Target = true, rows.Jump, w.low.first[in.fn.blocks[0].index]
	return out
}

// leave goes to the end, or behind the call with what it results in.
func (w *whole) leave(in *inst, b *block) rows.Inst {
	out := rows.Inst{Known: true, Flow: rows.Jump, Target: w.end()}
	if b.fn == w.p.entry {
		return out
	}
	if len(w.sites[b.fn]) != 1 {
		return rows.Inst{}
	}
	call := w.sites[b.fn][0]
	for i := range min(call.dn, in.n) {
		out.Ops = append(out.Ops, move(call.d+i, w.low.slot(in.a+i)))
	}
	out.Target = w.at[call] + 1
	return out
}

// builtin makes row code of a load of built-in variables. It reports whether it is one.
func (w *whole) builtin(in *inst, out *rows.Inst) bool {
	m := in.mem
	if !w.p.inScratch(m) {
		return false
	}
	v := w.input(m.at)
	if v == nil {
		return false
	}
	*out = rows.Inst{Known: true}
	for k := range m.leaves {
		lf := &m.leaves[k]
		i := -1
		for n, part := range v.parts {
			if part.offset == m.at+lf.offset-v.at && part.typ.size == lf.typ.size {
				i = n
			}
		}
		c := component{v.builtin, i}
		if i < 0 || i > 2 || lf.typ.size != 4 && lf.typ.size != 8 || lf.typ.kind == kBool ||
			!w.component(c, in.d+int32(k), int(lf.typ.size), out) {
			*out = rows.Inst{}
			return true
		}
	}
	return true
}

// input is the built-in variable at an address of private memory, or nil.
func (w *whole) input(at uint64) *variable {
	for _, v := range w.p.globals {
		if v.storage == scInput && v.builtin != 0 && w.p.values[v.id] != nil && at-v.at < v.typ.size {
			return v
		}
	}
	return nil
}

// component makes a slot a component of a built-in. It reports whether that has row code.
func (w *whole) component(c component, d int32, size int, out *rows.Inst) bool {
	add := vec.WideAdd
	if size == 4 {
		add = vec.WideAdd32
	}
	load := func(d int32, space rows.Space, at uint64, size int) {
		out.Ops = append(out.Ops, rows.Op{Kind: rows.Load, Space: space, Size: size, D: d,
			S: [3]rows.Value{constant(at)}, Under: always})
	}
	switch {
	case uniformly[c.builtin]:
		load(d, rows.Uniform, c.at(), size)
	case c.builtin == localID:
		load(d, rows.Items, uint64(4*c.i), 4)
	case c.builtin == localIndex:
		load(d, rows.Items, atIndex, 4)
	case c.builtin == laneID:
		load(d, rows.Items, atLane, 4)
	case c.builtin == invocation:
		load(-1, rows.Uniform, c.at(), size)
		load(-2, rows.Items, uint64(4*c.i), 4)
		out.Ops = append(out.Ops, rows.Op{Kind: rows.Calc, Op: add, D: d, Under: always,
			S: [3]rows.Value{{Reg: -1}, {Reg: -2}}})
	default:
		return false
	}
	w.used[c] = true
	return true
}

// checkPrivate notes that private memory is accessed: it would have to be made what it is when a wave begins.
func (w *whole) checkPrivate(in *rows.Inst) {
	for i := range in.Ops {
		w.failed = w.failed || in.Known && (in.Ops[i].Kind == rows.Load || in.Ops[i].Kind == rows.Store) &&
			in.Ops[i].Space == rows.Private
	}
}

// order is how lanes go on that have parted, or nil if they must not: who has been called goes on before
// those who wait for blocks of the caller, wherever these are.
func (w *whole) order(units []rows.Unit) *rows.Order {
	if len(w.sites) > 0 {
		return nil
	}
	var ends []int32
	for _, b := range w.p.entry.ends {
		ends = append(ends, w.low.first[b.index])
	}
	return rows.NewOrder(units, ends, w.end())
}
