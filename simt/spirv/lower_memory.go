package spirv

import (
	"fmt"

	"simtgdb/simt/rows"
	"simtgdb/simt/vec"
)

// Row code of accesses to memory.

// address makes an access chain.
func (l *lowerer) address(in *inst) {
	c := in.chain
	if c.standing {
		return
	}
	base := rows.Value{Reg: in.a}
	offset := in.imm
	if c.known {
		base, offset = constant(in.imm), 0
	}
	if len(c.steps) == 0 {
		if c.known {
			l.ops = append(l.ops, move(in.d, base))
		} else {
			l.calc(in.d, vec.WideAdd, base, constant(offset))
		}
		return
	}
	for i, s := range c.steps {
		d := in.d
		if i < len(c.steps)-1 || offset != 0 {
			d = -1
		}
		index := l.slot(s.slot)
		switch {
		case s.shift == 32 && s.stride < 1<<31:
			l.calc(d, vec.WideMadI32, index, constant(s.stride), base)
		case s.shift == 0:
			l.calc(d, vec.WideMad, index, constant(s.stride), base)
		default:
			l.ok = false
		}
		base = rows.Value{Reg: d}
	}
	if offset != 0 {
		l.calc(in.d, vec.WideAdd, base, constant(offset))
	}
}

// findNear finds the access chains of a block that differ from one before by a constant. Accesses by them are
// checked together.
func (l *lowerer) findNear(b *block) {
	firsts := map[string]*inst{}
	for i := range b.insts {
		in := &b.insts[i]
		if in.chain == nil || in.chain.standing {
			continue
		}
		base := in.a
		if in.chain.known {
			base = -1
		}
		key := fmt.Sprint(base, in.chain.steps)
		first, ok := firsts[key]
		if !ok {
			firsts[key] = in
			continue
		}
		if d := int64(in.imm - first.imm); d > -farthest && d < farthest {
			l.near[in.d] = nearby{first.d, d, b}
		}
	}
}

// farthest bounds offsets of accesses.
const farthest = 1 << 20

// pointer is the slot of a pointer that an access may be by, and how far from it the access is. Lanes that
// have left a loop may have only those values of it that are used behind it.
func (l *lowerer) pointer(slot int32) (int32, int64) {
	if n, ok := l.near[slot]; ok && l.block.inLoopOf(n.home) {
		return n.slot, n.offset
	}
	return slot, 0
}

// given reports whether all of an access is of what the machine puts into private memory before a wave
// begins.
func (l *lowerer) given(m *access) bool {
	for _, e := range (&ISA{p: l.p}).GivenScratch() {
		if m.at >= e.Lo && m.at < e.Hi && m.end() <= e.Hi-m.at {
			return true
		}
	}
	return false
}

// rowSpaces are the spaces of pointers; a generic one that leads elsewhere is not met in global memory.
var rowSpaces = [...]rows.Space{global: rows.Global, generic: rows.Global, lds: rows.Shared,
	scratch: rows.Private}

// access makes a load or store.
func (l *lowerer) access(in *inst) {
	m := in.mem
	fixed := l.p.inScratch(m)
	if len(m.leaves) > maxLoweredLeaves || m.at >= 1<<24 && fixed || m.known && m.space == scratch && !fixed {
		l.ok = false
		return
	}
	ptr, offset := l.pointer(m.ptr)
	if m.buffer != nil {
		l.buffers[ptr] = m.buffer
	}
	from := len(l.ops)
	for k := range m.leaves {
		lf := &m.leaves[k]
		o := rows.Op{Kind: rows.Load, Space: rowSpaces[m.space], Size: int(lf.typ.size),
			Offset: int64(lf.offset) + offset, D: in.d + int32(k), S: [3]rows.Value{{Reg: ptr}},
			Under: always}
		if fixed {
			l.ok = l.ok && m.at >= l.spared()
			o.S[0], o.Offset, o.Given = constant(m.at-l.spared()), int64(lf.offset), !m.write && l.given(m)
		}
		o.Same = l.standing[ptr] && o.Space == rows.Global && o.Size >= 4 && !m.write
		if m.write {
			o.Kind, o.S[1] = rows.Store, l.slot(in.a+int32(k))
		}
		l.ok = l.ok && (o.Size == 4 || o.Size == 8) && (o.Offset%int64(o.Size) == 0 || fixed) &&
			lf.offset < farthest
		l.ops = append(l.ops, o)
		if lf.typ.kind == kBool && !m.write {
			d := o.D
			l.ops[len(l.ops)-1].D = -1
			l.test(lowered{op: vec.WideEqU, invert: true}, 1+d, rows.Value{Reg: -1}, constant(0))
			l.setBool(d)
		}
	}
	l.ok = l.ok && l.alignAs(in, from, offset, fixed)
}

const maxLoweredLeaves = 16
