package agent

import (
	"math/rand/v2"
	"testing"
)

// fieldMachine has registers and memory that are a mixture of their numbers, and loads fields by itself.
type fieldMachine struct{ fields int }

func mix(n uint64) uint64 { return n*0x9e3779b97f4a7c15 + 1 }

func (*fieldMachine) Register(n int) (uint64, error) { return mix(uint64(n)), nil }
func (*fieldMachine) Load(addr uint64, size int) (uint64, error) {
	return mix(addr) >> (64 - 8*size), nil
}

func (m *fieldMachine) LoadField(f *Field) (v uint64, ok bool, err error) {
	m.fields++
	r, _ := m.Register(f.Register)
	if v, err = m.Load(r+f.Offset, f.Size); f.Then > 0 {
		v, err = m.Load(v, f.Then)
	}
	return v, f.Register != 1, err
}

// plainMachine is a fieldMachine that loads fields by registers and memory.
type plainMachine struct{ m *fieldMachine }

func (p plainMachine) Register(n int) (uint64, error)             { return p.m.Register(n) }
func (p plainMachine) Load(addr uint64, size int) (uint64, error) { return p.m.Load(addr, size) }

// TestFields: random expressions, of which many load from a register plus a number, and some jump into that,
// have the same value whether or not the context loads fields.
func TestFields(t *testing.T) {
	ops := []opcode{opAdd, opRef32, opRef64, opConst8, opConst16, opReg, opReg, opIfGoto, opEqual, opExt}
	chains := [][]opcode{{opReg, opConst16, opAdd, opRef64, opRef32}, {opReg, opConst8, opAdd, opRef8}}
	r := rand.New(rand.NewPCG(3, 4))
	var m fieldMachine
	valued := 0
	for range 20000 {
		var code []byte
		emit := func(op opcode) {
			code = append(code, byte(op))
			for range descriptions[op].operand {
				code = append(code, byte(r.IntN(4)))
			}
			if op == opIfGoto {
				code[len(code)-2], code[len(code)-1] = 0, byte(r.IntN(30))
			}
		}
		for range 6 {
			if r.IntN(3) > 0 {
				for _, op := range chains[r.IntN(len(chains))] {
					emit(op)
				}
			} else {
				emit(ops[r.IntN(len(ops))])
			}
		}
		p, err := Decode(append(code, byte(opEnd)))
		if err != nil {
			continue
		}
		v, err := p.Eval(&m)
		want, plainErr := p.Eval(plainMachine{&m})
		if v != want || (err == nil) != (plainErr == nil) {
			t.Fatalf("%s: %#x %v, want %#x %v", p, v, err, want, plainErr)
		}
		if err == nil {
			valued++
		}
	}
	if valued < 1000 || m.fields < 1000 {
		t.Errorf("%d expressions have a value, %d fields were loaded", valued, m.fields)
	}
}
