package spirv

import (
	"math"
	"sync"

	"simtgdb/simt"
)

// Atomic instructions (section 3.42.18). The lanes of a wave do theirs one after the other; every order of
// memory is stronger than what any semantics asks for.

var atomicBuilders = sync.OnceValue(func() map[uint16]func(*builder) (*inst, error) {
	return map[uint16]func(*builder) (*inst, error){
		opAtomicLoad:            atomic(-1, func(old, _ uint64, _ uint) uint64 { return old }),
		opAtomicStore:           atomic(3, func(_, v uint64, _ uint) uint64 { return v }),
		opAtomicExchange:        atomic(3, func(_, v uint64, _ uint) uint64 { return v }),
		opAtomicCompareExchange: buildCompareExchange, opAtomicCompareExchangeWeak: buildCompareExchange,
		opAtomicIIncrement: atomic(-1, func(old, _ uint64, _ uint) uint64 { return old + 1 }),
		opAtomicIDecrement: atomic(-1, func(old, _ uint64, _ uint) uint64 { return old - 1 }),
		opAtomicIAdd:       atomic(3, func(old, v uint64, _ uint) uint64 { return old + v }),
		opAtomicISub:       atomic(3, func(old, v uint64, _ uint) uint64 { return old - v }),
		opAtomicSMin: atomic(3,
			func(old, v uint64, w uint) uint64 { return pick(signed(old, w) < signed(v, w), old, v) }),
		opAtomicUMin: atomic(3, func(old, v uint64, _ uint) uint64 { return min(old, v) }),
		opAtomicSMax: atomic(3,
			func(old, v uint64, w uint) uint64 { return pick(signed(old, w) > signed(v, w), old, v) }),
		opAtomicUMax:           atomic(3, func(old, v uint64, _ uint) uint64 { return max(old, v) }),
		opAtomicAnd:            atomic(3, func(old, v uint64, _ uint) uint64 { return old & v }),
		opAtomicOr:             atomic(3, func(old, v uint64, _ uint) uint64 { return old | v }),
		opAtomicXor:            atomic(3, func(old, v uint64, _ uint) uint64 { return old ^ v }),
		opAtomicFlagTestAndSet: atomic(-1, func(_, _ uint64, _ uint) uint64 { return 1 }),
		opAtomicFlagClear:      atomic(-1, func(_, _ uint64, _ uint) uint64 { return 0 }),
		opAtomicFAddEXT: atomic(3,
			func(old, v uint64, w uint) uint64 { return fromFloat(toFloat(old, w)+toFloat(v, w), w) }),
		opAtomicFMinEXT: atomic(3,
			func(old, v uint64, w uint) uint64 { return fromFloat(fmin(toFloat(old, w), toFloat(v, w)), w) }),
		opAtomicFMaxEXT: atomic(3,
			func(old, v uint64, w uint) uint64 { return fromFloat(fmax(toFloat(old, w), toFloat(v, w)), w) }),
	}
})

func pick(first bool, a, b uint64) uint64 {
	if first {
		return a
	}
	return b
}

// fmin is the lesser number; where one is no number, the other.
func fmin(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Min(x, y)
}

func fmax(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Max(x, y)
}

// atomicAccess is the memory side of an atomic instruction.
func (b *builder) atomicAccess() (*access, *typ, error) {
	write := b.in.op != opAtomicLoad
	m, t, err := b.access(0, write)
	if err != nil {
		return nil, nil, err
	}
	if b.isProvided() && b.typ != nil { // the function takes a pointer to bytes
		t = b.typ
		m.leaves = t.leaves(layout{})
	}
	if len(m.leaves) != 1 {
		return nil, nil, b.errorf("is not on a scalar")
	}
	m.atomic, m.stores = true, b.in.op == opAtomicStore || b.in.op == opAtomicFlagClear
	m.scope, m.order, _ = b.ordering(1)
	return m, t, nil
}

// atomic makes an instruction that replaces what is in memory by f of it and of operand value (none if -1).
func atomic(value int, f func(old, v uint64, width uint) uint64) func(*builder) (*inst, error) {
	return func(b *builder) (*inst, error) {
		m, t, err := b.atomicAccess()
		if err != nil {
			return nil, err
		}
		i := &inst{mem: m, flags: faults, imm: t.mask(), a: -1, exec: execAtomic}
		if value >= 0 {
			v, err := b.value(value)
			if err != nil {
				return nil, err
			}
			i.a = v.slot
		}
		i.swaps = b.in.op == opAtomicExchange
		w := t.width()
		i.f2 = func(old, v uint64) uint64 { return f(old, v, w) & i.imm }
		i.n = 1
		if b.in.res == 0 {
			i.n = 0
		}
		return i, nil
	}
}

// begin checks an atomic access and takes the lock of those that other workgroups can see.
func (c *core) begin(in *inst) (ok bool, release func()) {
	m := in.mem
	size := m.leaves[0].typ.size
	c.addresses(m, m.leaves[0].offset)
	bad, kind := c.check(m, size), simt.Unmapped
	if bad == 0 {
		for l := range c.lanes {
			if c.mask>>l&1 != 0 && c.addr[l]%size != 0 {
				bad |= 1 << l
				kind = simt.Misaligned
			}
		}
	}
	if bad != 0 && (kind == simt.Misaligned || !c.harmless(m, bad)) {
		c.faultAt(in, m, bad, size, kind)
		return false, nil
	}
	var data []uint64 // an exchange's, of which nothing else is known before
	if in.swaps {
		data = c.one(in.a)[:]
	}
	c.observeData(in, m, c.mask&^bad, size, data)
	c.outside(in, m, bad, size)
	c.addresses(m, m.leaves[0].offset)
	if c.m.Concurrent && m.space != lds && m.space != scratch {
		c.m.Shared.Lock()
		return true, c.m.Shared.Unlock
	}
	return true, func() {}
}

func execAtomic(c *core, in *inst) {
	ok, release := c.begin(in)
	if !ok {
		return
	}
	defer release()
	m := in.mem
	size := m.leaves[0].typ.size
	w := c.window(m)
	for l := range c.lanes {
		if c.mask>>l&1 == 0 {
			continue
		}
		var v, old uint64
		if in.a >= 0 {
			v = c.one(in.a)[l]
		}
		if m.write {
			old = c.change(&w, m, l, size, func(old uint64) uint64 { return in.f2(old, v) })
		} else {
			old = c.read(&w, m, l, size)
		}
		if in.n > 0 {
			c.one(in.d)[l] = old
		}
	}
}

// change replaces a lane's word of memory and gives what it was. A host program may change global memory
// meanwhile.
func (c *core) change(w *window, m *access, l int, size uint64, to func(old uint64) uint64) (old uint64) {
	if s, a := m.lane(c.addr[l]); s != lds && s != scratch {
		if b := c.bytes(w, m, a, size); b != nil {
			return simt.ChangeWord(b, to)
		}
		return 0
	}
	old = c.read(w, m, l, size)
	c.write(w, m, l, size, to(old))
	return old
}

// buildCompareExchange makes AtomicCompareExchange: value is operand 4, comparator operand 5.
func buildCompareExchange(b *builder) (*inst, error) {
	m, _, err := b.atomicAccess()
	if err != nil {
		return nil, err
	}
	v, want, err := b.pair(4)
	if err != nil {
		return nil, err
	}
	return &inst{mem: m, flags: faults, a: v.slot, b: want.slot, exec: func(c *core, in *inst) {
		ok, release := c.begin(in)
		if !ok {
			return
		}
		defer release()
		size := m.leaves[0].typ.size
		w := c.window(m)
		for l := range c.lanes {
			if c.mask>>l&1 == 0 {
				continue
			}
			c.one(in.d)[l] = c.change(&w, m, l, size, func(old uint64) uint64 {
				if old == c.one(in.b)[l] {
					return c.one(in.a)[l]
				}
				return old
			})
		}
	}}, nil
}
