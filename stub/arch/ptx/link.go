// Package ptx joins modules of PTX text to the machine that executes them, and tells debug sessions
// about them.
//
// Entry point: [Link].
package ptx

import (
	"strings"
	"sync"

	loader "simtgdb/loader/ptx"
	"simtgdb/simt"
	machine "simtgdb/simt/ptx"
)

// Link makes the program that the machine runs of a module.
func Link(m *loader.Module) *machine.Program {
	l := linker{funcs: map[*loader.Func]*machine.Func{}, objects: map[*loader.Var]*simt.Object{}}
	p := &machine.Program{}
	for _, f := range m.Funcs {
		p.Funcs = append(p.Funcs, l.declare(f))
	}
	for i, f := range m.Funcs {
		p.Funcs[i].Insts = func() []machine.Inst { return l.insts(f) }
	}
	return p
}

// A linker has the functions of a module by what they become.
type linker struct {
	mu      sync.Mutex
	funcs   map[*loader.Func]*machine.Func
	objects map[*loader.Var]*simt.Object
}

// declare makes a function without its statements.
func (l *linker) declare(f *loader.Func) *machine.Func {
	if out := l.funcs[f]; out != nil {
		return out
	}
	out := &machine.Func{Name: f.Name, Entry: f.Entry, Defined: f.Defined, Start: f.Start, End: f.End,
		NumRegs: f.NumRegs, FrameSize: f.FrameSize, Results: vars(f.Results), Params: vars(f.Params)}
	for _, v := range f.Vars {
		if v.Space == loader.Local && strings.HasPrefix(v.Name, "__local_depot") {
			out.Depot = v.Addr
		}
	}
	for _, r := range f.Regs {
		out.Regs = append(out.Regs, machine.Registers{Name: r.Name, Count: r.Count, Bits: r.Bits,
			Base: r.Base})
	}
	l.funcs[f] = out
	return out
}

func vars(list []*loader.Var) []machine.Var {
	var out []machine.Var
	for _, v := range list {
		out = append(out, machine.Var{Offset: v.Addr, Size: v.Size})
	}
	return out
}

// insts are a function's statements.
func (l *linker) insts(f *loader.Func) []machine.Inst {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := f.Insts()
	out := make([]machine.Inst, len(all))
	for i := range all {
		out[i] = l.inst(f, &all[i])
	}
	return out
}

func (l *linker) inst(f *loader.Func, in *loader.Inst) machine.Inst {
	out := machine.Inst{Addr: in.Addr, Op: in.Op, Guard: in.Guard, Not: in.Not, Text: in.Text}
	out.Args = l.operands(f, in.Args)
	return out
}

func (l *linker) operands(f *loader.Func, list []loader.Operand) []machine.Operand {
	var out []machine.Operand
	for i := range list {
		out = append(out, l.operand(f, &list[i]))
	}
	return out
}

// kinds are those of operands that are the same on both sides.
var kinds = map[loader.OperandKind]machine.OperandKind{
	loader.OpReg: machine.Reg, loader.OpSpecial: machine.Special, loader.OpInt: machine.Int,
	loader.OpFloat32: machine.Float32, loader.OpFloat64: machine.Float64, loader.OpCode: machine.Code,
	loader.OpMem: machine.Mem, loader.OpVector: machine.Vector, loader.OpList: machine.List,
	loader.OpTargets: machine.Targets, loader.OpProto: machine.Proto, loader.OpSink: machine.Sink,
}

func (l *linker) operand(f *loader.Func, o *loader.Operand) machine.Operand {
	out := machine.Operand{Kind: kinds[o.Kind], Not: o.Not, Negated: o.Negated, Reg: o.Reg, Reg2: o.Reg2,
		Value: o.Value,
		Name:  o.Name, Part: o.Part, List: l.operands(f, o.List)}
	switch {
	case o.Kind == loader.OpVar:
		out.Kind, out.Value = address(f, o.Var), o.Var.Addr+o.Value
		if out.Kind == machine.Int {
			out.Object = l.object(o.Var)
		}
	case o.Func != nil:
		out.Func = l.declare(o.Func)
	case o.Proto != nil:
		out.Func = l.declare(o.Proto)
	}
	return out
}

// address is what kind of address a variable has.
func address(f *loader.Func, v *loader.Var) machine.OperandKind {
	switch v.Space {
	case loader.Local:
		return machine.FrameAddr
	case loader.Param:
		if f.Entry {
			for _, p := range f.Params {
				if p == v {
					return machine.ArgAddr
				}
			}
		}
		return machine.FrameAddr
	}
	return machine.Int
}

// object is a variable of the module as the machine knows it; nil for one whose size is not known.
func (l *linker) object(v *loader.Var) *simt.Object {
	if v.Size == 0 || v.Extern {
		return nil
	}
	o := l.objects[v]
	if o == nil {
		o = &simt.Object{Name: v.Name, Space: simt.Global, Lo: v.Addr, Hi: v.Addr + v.Size}
		if v.Space == loader.Shared {
			o.Space = simt.LDS
		}
		l.objects[v] = o
	}
	return o
}
