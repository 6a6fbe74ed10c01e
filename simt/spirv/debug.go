package spirv

import "fmt"

// SlotOf is the slot that has scalar n of an id's value; ok is false for ids that the program does not have.
func (p *Program) SlotOf(id uint32, n int) (slot int, ok bool) {
	v := p.values[id]
	if v == nil || n < 0 || n >= max(v.typ.slots, 1) || v.typ.slots == 0 {
		return 0, false
	}
	return int(v.slot) + n, true
}

// IDOf is the id and the scalar that a slot has; ok is false for slots of no id.
func (p *Program) IDOf(slot int) (id uint32, scalar int, ok bool) {
	if p.owners == nil {
		p.owners = make([]uint32, p.slots)
		for id, v := range p.values {
			for k := range v.typ.slots {
				if o := &p.owners[int(v.slot)+k]; *o == 0 || id < *o {
					*o = id
				}
			}
		}
	}
	if slot < 0 || slot >= len(p.owners) || p.owners[slot] == 0 {
		return 0, 0, false
	}
	id = p.owners[slot]
	return id, slot - int(p.values[id].slot), true
}

// slotNames are the names of slots: idN of %N, idN_K of its scalar K if there are several, slotN of those
// that belong to no id.
func (p *Program) slotNames() []string {
	p.namesOnce.Do(func() {
		p.byName = make([]string, p.slots)
		for slot := range p.byName {
			id, scalar, ok := p.IDOf(slot)
			switch {
			case !ok:
				p.byName[slot] = fmt.Sprintf("slot%d", slot)
			case p.values[id].typ.slots > 1:
				p.byName[slot] = fmt.Sprintf("id%d_%d", id, scalar)
			default:
				p.byName[slot] = fmt.Sprintf("id%d", id)
			}
		}
	})
	return p.byName
}

// A Leaf is a scalar of a value: its slot, and where it lies in the value's type in memory.
type Leaf struct {
	Slot         int
	Offset, Size uint64
}

// ReturnedBy is where the value of the call at an address is when the function has returned.
func (p *Program) ReturnedBy(site uint64) ([]Leaf, error) {
	call := p.callAt(site)
	if call == nil {
		return nil, fmt.Errorf("no call at %#x", site)
	}
	fn := call.fn
	var out []Leaf
	for i, lf := range fn.result.leaves(layout{}) {
		if fn.result.slots > 0 {
			out = append(out, Leaf{int(fn.ret) + i, lf.offset, lf.typ.size})
		}
	}
	return out, nil
}

// callAt is the call at an address, which copies objects first that it passes by value, or nil.
func (p *Program) callAt(site uint64) *inst {
	at, ok := p.at[int((site-p.o.Base)/4)]
	if !ok {
		return nil
	}
	for i := at.i; i < len(at.b.insts) && at.b.insts[i].pc == site; i++ {
		if at.b.insts[i].fn != nil {
			return &at.b.insts[i]
		}
	}
	return nil
}

// ReturnsBy is the slot with the pointer that the caller at an address gives for what is returned: of a
// function that returns nothing itself and has a parameter for it.
func (p *Program) ReturnsBy(site uint64) (slot int, ok bool) {
	call := p.callAt(site)
	if call == nil || call.fn.result.slots > 0 || len(call.fn.params) == 0 {
		return 0, false
	}
	for _, d := range p.decorations[call.fn.params[0].res] {
		ok = ok || d.kind == decFuncParam && d.arg() == paramReturns
	}
	return int(call.args[1]), ok
}

// Address is where a variable at module scope lies in global memory, once the program is bound.
func (p *Program) Address(id uint32) (addr uint64, ok bool) {
	v, val := p.variables[id], p.values[id]
	if v == nil || val == nil || v.blocks || spaces[v.storage] != global || v.storage == scFunction {
		return 0, false
	}
	addr = p.constants[val.slot]
	return addr, addr != 0
}
