package spirv

import (
	"encoding/binary"
	"fmt"
	"slices"

	"simtgdb/simt"
	"simtgdb/simt/texel"
)

// A Buffer is a range of global memory.
type Buffer struct{ Addr, Size uint64 }

// A Slot names a binding: an element of the array of descriptors at a set and binding, 0 if it is no array.
type Slot struct{ Set, Binding, Element uint32 }

// A Launch is what the host gives a program.
type Launch struct {
	Bindings map[Slot]Buffer
	Push     Buffer
	Args     Buffer // arguments of a kernel, laid out by Params
	// WorkDim is how many dimensions a kernel was launched with; 0 means 3.
	WorkDim uint32
	// Offset is what global ids begin with, in invocations. A shader's workgroups are counted from there, too
	// (Vulkan, "vkCmdDispatchBase"), a kernel's are not.
	Offset [3]uint32
	// Sparse: elements of an array of buffers that are not given are empty buffers.
	Sparse bool
	// Print takes what a lane prints, or is nil.
	Print func(w *simt.Wave, lane int, p Printf)
}

// An ISA runs a program for one launch. It implements simt.ISA.
type ISA struct {
	p      *Program
	launch Launch
	params []Param  // of a kernel
	args   []uint64 // their values, by scalar
	memory []byte   // that the arguments lie in
}

// Arguments is the memory of the kernel's arguments.
func (a *ISA) Arguments() Buffer { return a.launch.Args }

// A Param is a parameter of a kernel, with its place in the memory of arguments.
type Param struct {
	Name    string
	Offset  uint64
	Size    uint64 // bytes; of what a by-value pointer points to
	Pointer bool
	Storage uint32 // Pointer: its storage class
	ByValue bool   // a pointer to a private copy of what the arguments hold
	TypeID  uint32
}

// Params are the parameters of the entry point, laid out as C structs are, and the size of all.
func (p *Program) Params() ([]Param, uint64) {
	var ps []Param
	var end uint64
	for _, in := range p.entry.params {
		v := p.values[in.res]
		t := v.typ
		q := Param{Name: p.names[in.res], Size: t.size, TypeID: t.id}
		align := t.align
		if t.kind == kPointer {
			q.Pointer, q.Storage = true, t.storage
			if p.passedByValue(in.res) || t.storage == scFunction {
				q.ByValue, q.Size, align = true, t.elem.size, t.elem.align
			}
		}
		q.Offset = (end + align - 1) / align * align
		end = q.Offset + q.Size
		ps = append(ps, q)
	}
	return ps, end
}

// Entry is the address of the entry point: of its OpFunction, before the first instruction that executes.
func (p *Program) Entry() uint64 { return p.o.Base + 4*uint64(p.entry.word) }

// ConstantValue is the value of an integer constant as specialised.
func (p *Program) ConstantValue(id uint32) (uint64, bool) { return p.constantUint(id) }

// EntryName is the name of the entry point.
func (p *Program) EntryName() string { return p.entryName }

// WorkgroupSize is the size that the module says, specialised; 0 where it leaves that to the host.
func (p *Program) WorkgroupSize() [3]uint32 { return p.size }

// UsedLDS implements simt.LDSUser: the first bytes are what null pointers lead to.
func (isa *ISA) UsedLDS() simt.Extent { return simt.Extent{Lo: nullBytes, Hi: isa.p.lds} }

// AvoidsLDS implements simt.LDSAvoider.
func (isa *ISA) AvoidsLDS() bool { return !isa.p.shares() }

// findShares finds out whether functions that the entry point reaches have anything to do with pointers into
// Workgroup memory. Numbers that are no ids may look like some, of which nothing comes but that they do.
func (p *Program) findShares() bool {
	ids := map[uint32]bool{} // of such pointers and their types, and of what is made of them
	for id, t := range p.types {
		ids[id] = t.kind == kPointer && t.storage == scWorkgroup
	}
	known := func(id uint32) bool { return ids[id] }
	names := func(in *raw) bool { return ids[in.typ] || slices.ContainsFunc(in.args, known) }
	for _, in := range p.insts {
		if in.op == opFunction {
			break
		}
		if in.res != 0 && !plain[in.op] && names(in) {
			ids[in.res] = true
		}
	}
	for _, f := range p.order {
		if slices.ContainsFunc(f.params, names) {
			return true
		}
		for _, b := range f.blocks {
			if slices.ContainsFunc(b.raws, names) || slices.ContainsFunc(b.phis, names) {
				return true
			}
		}
	}
	return false
}

// plain are types and constants that have numbers as operands: OpTypeInt, OpTypeFloat, OpTypeVector,
// OpTypeMatrix, OpConstant and OpSpecConstant.
var plain = map[uint16]bool{21: true, 22: true, 23: true, 24: true, 43: true, 50: true}

// LDSSize is how many bytes variables in Workgroup memory take.
func (p *Program) LDSSize() uint64 { return p.lds }

// ScratchSize is how many bytes the variables of an invocation take.
func (p *Program) ScratchSize() uint64 { return p.scratch }

// SubgroupSize is how many lanes a wave has.
func (p *Program) SubgroupSize() int { return p.o.SubgroupSize }

// An UnboundError says that a program uses what the launch has not bound.
type UnboundError struct {
	Slot  Slot
	Name  string
	Image bool // it is an image or a sampler, not a buffer
}

func (e *UnboundError) Error() string {
	what := "is used and has no buffer"
	if e.Image {
		what = "is an image or a sampler, and has none"
	}
	return fmt.Sprintf("set %d, binding %d, element %d (%q) %s", e.Slot.Set, e.Slot.Binding, e.Slot.Element,
		e.Name, what)
}

// Bind gives a program what it is launched with. From then on it belongs to that launch until it is bound
// again, when nothing of the launch runs any more and nobody looks at it; but one without bindings and push
// constants, as kernels are, to others on the same memory too. Memory has the buffers of
// the launch and what [Program.Data] says. A binding that the program uses and the launch lacks is an error.
func (p *Program) Bind(mem *simt.Memory, l Launch) (*ISA, error) {
	p.bound = p.bound[:0]
	for _, v := range p.globals {
		if err := p.bindVariable(mem, l, v); err != nil {
			return nil, err
		}
	}
	isa := &ISA{p: p, launch: l}
	return isa, isa.readArgs(mem)
}

func (p *Program) bindVariable(mem *simt.Memory, l Launch, v *variable) error {
	val := p.values[v.id]
	if val == nil {
		return nil
	}
	set := func(addr uint64) {
		p.constants[val.slot] = addr
		p.bound = append(p.bound, standing{slot: val.slot, base: val.slot})
	}
	storage := v.storage
	if v.typ.handles() {
		storage = scUniform
	}
	switch storage {
	case scPushConstant:
		v.descriptors = []Buffer{l.Push}
		if v.used && l.Push.Size < v.typ.size {
			return fmt.Errorf("push constants: %d bytes are given, the module has %d", l.Push.Size,
				v.typ.size)
		}
		set(l.Push.Addr)
		v.bound(mem)
	case scUniform, scStorageBuffer:
		v.descriptors, v.nothing = v.descriptors[:0], false
		count := uint64(1)
		if v.blocks {
			count = l.elements(v)
		}
		if count > maxDescriptors {
			return fmt.Errorf("set %d, binding %d: %d buffers, at most %d are simulated", v.set, v.binding,
				count, maxDescriptors)
		}
		for e := range count {
			b, ok := l.Bindings[Slot{v.set, v.binding, uint32(e)}]
			if !ok && v.used && !(l.Sparse && v.blocks) {
				return &UnboundError{Slot: Slot{v.set, v.binding, uint32(e)}, Name: p.variableName(v),
					Image: v.typ.handles()}
			}
			if v.typ.samplers() && b.Addr != 0 && b.Size >= texel.BlockBytes { // a combined image and sampler
				b.Addr, b.Size = b.Addr+texel.SamplerAt, b.Size-texel.SamplerAt
			}
			if v.typ.handles() && ok && b.Addr == 0 {
				b.Addr = texel.Nothing
			}
			v.descriptors = append(v.descriptors, b)
			v.nothing = v.nothing || ok && b.Addr == 0
		}
		if !v.blocks {
			set(v.descriptors[0].Addr)
			v.bound(mem)
		}
	}
	return nil
}

const maxDescriptors = 1 << 20

// elements is how many buffers an array of blocks has: its length, or as many as are given.
func (l *Launch) elements(v *variable) uint64 {
	if v.typ.kind == kArray {
		return v.typ.len
	}
	var n uint64
	for s := range l.Bindings {
		if s.Set == v.set && s.Binding == v.binding {
			n = max(n, uint64(s.Element)+1)
		}
	}
	return n
}

// bound keeps the part of memory that is one buffer.
func (v *variable) bound(mem *simt.Memory) {
	v.region = nil
	b := v.descriptors[0]
	if r := mem.Find(b.Addr); r != nil && r.Holds(b.Addr, max(b.Size, 1)) {
		off := b.Addr - r.Base
		v.region = &simt.Region{Name: r.Name, Base: b.Addr, Data: r.Data[off : off+b.Size], Perm: r.Perm}
	}
}

func (p *Program) variableName(v *variable) string {
	if n := p.names[v.id]; n != "" {
		return n
	}
	return p.names[v.block().id]
}

// readArgs reads the arguments of a kernel out of memory.
func (isa *ISA) readArgs(mem *simt.Memory) error {
	p := isa.p
	params, size := p.Params()
	if size > isa.launch.Args.Size {
		return fmt.Errorf("arguments: %d bytes are given, the kernel has %d", isa.launch.Args.Size, size)
	}
	isa.memory = make([]byte, size)
	if _, err := mem.Read(isa.launch.Args.Addr, isa.memory); err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	isa.params = params
	for i, q := range params {
		v := p.values[p.entry.params[i].res]
		if q.ByValue {
			isa.args = append(isa.args, 0)
			continue
		}
		for _, lf := range v.typ.leaves(layout{}) {
			at := q.Offset + lf.offset
			x := little(isa.memory[at:at+lf.typ.size]) & lf.typ.mask()
			if v.typ.kind == kPointer {
				x |= markOf(v.typ.storage)
			}
			isa.args = append(isa.args, x)
		}
	}
	return nil
}

// Unbounded is what only the source has bounds of: access chains go into objects of known types.
func (isa *ISA) Unbounded() string { return "" }

// WaveSize implements simt.ISA.
func (isa *ISA) WaveSize() int { return isa.p.o.SubgroupSize }

// IndependentLanes implements simt.Independent (SPIR-V, section 2.18 "Memory Model": invocations of a
// subgroup are ordered by what orders any others).
func (isa *ISA) IndependentLanes() {}

// Align implements simt.ISA.
func (isa *ISA) Align() int { return 4 }

// NewCore implements simt.ISA.
func (isa *ISA) NewCore(m *simt.Machine) simt.Core {
	c := newCore(isa.p, m, isa.p.o.SubgroupSize)
	c.isa = isa
	return c
}

// StartWave implements simt.ISA.
func (isa *ISA) StartWave(w *simt.Wave, d *simt.Dispatch) error {
	p := isa.p
	s, _ := w.Regs.(*State)
	if s == nil || s.p != p {
		s = newState(p, p.o.SubgroupSize)
		w.Regs = s
	}
	s.reset()
	s.frames[0].lanes = w.Valid
	w.PC = s.pc()
	if !w.GrowScratch(p.wholeScratch() * uint64(w.Size)) {
		return fmt.Errorf("private memory of %d bytes per lane is needed, the dispatch allows %d",
			p.wholeScratch(),
			w.ScratchLimit/uint64(w.Size))
	}
	s.begin.set(isa, w, d)
	for _, v := range p.globals {
		s.begin.variable(v)
	}
	return isa.startArgs(w, s)
}

// wholeScratch is the private memory of a lane: variables, then copies of a kernel's arguments by value.
func (p *Program) wholeScratch() uint64 { return (p.scratch + 7) / 8 * 8 }

// startArgs gives the parameters of a kernel their values; what is passed by value is copied for each lane.
func (isa *ISA) startArgs(w *simt.Wave, s *State) error {
	p := isa.p
	at := 0
	for i, q := range isa.params {
		v := p.values[p.entry.params[i].res]
		for k := range v.typ.slots {
			x := isa.args[at]
			if q.ByValue {
				x = p.byValue[i] | ScratchAperture
			}
			run := s.f[(int(v.slot)+k)*s.lanes : (int(v.slot)+k+1)*s.lanes]
			for l := range run {
				run[l] = x
			}
			at++
		}
		if !q.ByValue {
			continue
		}
		for l := range w.Size {
			if _, err := w.WriteScratch(l, p.byValue[i], isa.memory[q.Offset:q.Offset+q.Size]); err != nil {
				return err
			}
		}
	}
	return nil
}

// variable fills a variable of each invocation: its initialiser, or a built-in value.
func (t *start) variable(v *variable) {
	p := t.isa.p
	if p.values[v.id] == nil || v.storage != scInput && v.storage != scPrivate {
		return
	}
	var lanes [simt.MaxLanes]uint64
	row := lanes[:t.w.Size]
	if c := p.values[v.init]; v.init != 0 && c != nil && c.fixed {
		for i, lf := range v.parts {
			for l := range row {
				row[l] = p.constants[int(c.slot)+i]
			}
			t.fill(v.at+lf.offset, lf.typ.size, row)
		}
	}
	if v.storage != scInput || builtins[v.builtin] == nil {
		return
	}
	for i, lf := range v.parts {
		t.row(v.builtin, i, row)
		t.fill(v.at+lf.offset, lf.typ.size, row)
	}
}

// fill writes a scalar of each lane's private memory.
func (t *start) fill(at, size uint64, row []uint64) {
	w := t.w
	if size%4 == 0 && at%4 == 0 {
		for half := range size / 4 {
			to := w.Scratch[w.SwizzledOffset(0, at+4*half):][:4*len(row)]
			for l, v := range row {
				binary.LittleEndian.PutUint32(to[4*l:], uint32(v>>(32*half)))
			}
		}
		return
	}
	var b [8]byte
	for l, v := range row {
		binary.LittleEndian.PutUint64(b[:], v)
		w.WriteScratch(l, at, b[:size])
	}
}
