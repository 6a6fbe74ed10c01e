package agent

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// sureOf knows the registers that it has, and what is at some addresses: -1-addr.
type sureOf map[int]uint64

func (s sureOf) Known(n int) (uint64, bool) { v, ok := s[n]; return v, ok }

func (s sureOf) KnownMemory(addr uint64, _ int) (uint64, bool) {
	v, ok := s[-1-int(addr)]
	return v, ok && addr < 1<<16
}

// conjunction is "MEMORY == 2000 && $r3 == 3" in gdb's bytecode, and with its terms the other way round.
func conjunction(first, second []byte) []byte {
	code := append([]byte{}, first...)
	at := func() byte { return byte(len(code)) }
	code = append(code, byte(opLogNot), byte(opIfGoto), 0, 0)
	patch := len(code) - 1
	code = append(code, second...)
	code = append(code, byte(opIfGoto), 0, 0)
	patch2 := len(code) - 1
	code[patch] = at()
	code = append(code, byte(opConst8), 0, byte(opEnd))
	code[patch2] = at()
	return append(code, byte(opConst8), 1, byte(opEnd))
}

var (
	memoryTerm = []byte{byte(opConst8), 64, byte(opRef32), byte(opConst16), 7, 208, byte(opEqual)}
	ownTerm    = []byte{byte(opConst64), 0, 0, 0, 0, 0, 0, 0, 60, byte(opConst8), 8, byte(opAdd),
		byte(opRef32), byte(opConst8), 3, byte(opEqual)}
	waveTerm = []byte{byte(opReg), 0, 3, byte(opConst8), 3, byte(opEqual)}
)

func TestNever(t *testing.T) {
	division := []byte{byte(opConst8), 1, byte(opReg), 0, 9, byte(opDivSigned), byte(opPop), byte(opConst8),
		0, byte(opEnd)}
	by := func(n byte) []byte { // what is known is asked for, and not used
		return []byte{byte(opReg), 0, 8, byte(opPop), byte(opReg), 0, 9, byte(opConst8), n, byte(opDivSigned),
			byte(opPop), byte(opConst8), 0, byte(opEnd)}
	}
	loop := []byte{byte(opGoto), 0, 0}
	for _, c := range []struct {
		what string
		code []byte
		sure sureOf
		want bool
	}{
		{"another wave", conjunction(memoryTerm, waveTerm), sureOf{3: 4}, true},
		{"another wave, first", conjunction(waveTerm, memoryTerm), sureOf{3: 4}, true},
		{"this wave", conjunction(memoryTerm, waveTerm), sureOf{3: 3}, false},
		{"another lane, in memory", conjunction(memoryTerm, ownTerm), sureOf{-61: 0, -69: 4}, true},
		{"this lane, in memory", conjunction(memoryTerm, ownTerm), sureOf{-61: 0, -69: 3}, false},
		{"not known", conjunction(memoryTerm, waveTerm), nil, false},
		{"may divide by zero", division, nil, false},
		{"divides", division, sureOf{9: 2}, true},
		{"divides what is not known", by(2), sureOf{8: 1}, true},
		{"divides what is not known by zero", by(0), sureOf{8: 1}, false},
		{"does not end", loop, nil, false},
		{"no value", []byte{byte(opEnd)}, nil, false},
	} {
		p, err := Decode(c.code)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Never(c.sure); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// sized is sure that memory has at each address as many bytes as are asked for.
type sized struct{ sureOf }

func (sized) KnownMemory(_ uint64, size int) (uint64, bool) { return uint64(size), true }

// TestNeverSizes: what is known of memory is asked for by the bytes that are loaded.
func TestNeverSizes(t *testing.T) {
	for op, size := range map[opcode]byte{opRef8: 1, opRef16: 2, opRef32: 4, opRef64: 8} {
		for wanted := byte(1); wanted <= 16; wanted *= 2 {
			p, err := Decode([]byte{byte(opConst64), 0, 0, 0, 0, 0, 0, 0, 60, byte(op), byte(opConst8),
				wanted,
				byte(opEqual), byte(opLogNot), byte(opEnd)})
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Never(sized{}); got != (size == wanted) {
				t.Errorf("%v of %d bytes: %v", op, wanted, got)
			}
		}
	}
}

// TestNeverComputes: what is known of values is known of what every bytecode makes of them.
func TestNeverComputes(t *testing.T) {
	known := []byte{byte(opReg), 0, 8} // 0
	for _, ops := range [][]byte{{byte(opAdd)}, {byte(opSub)}, {byte(opMul)}, {byte(opDivSigned)},
		{byte(opDivUnsigned)}, {byte(opRemSigned)}, {byte(opRemUnsigned)}, {byte(opLsh)}, {byte(opRshSigned)},
		{byte(opRshUnsigned)}, {byte(opBitAnd)}, {byte(opBitOr)}, {byte(opBitXor)}, {byte(opEqual)},
		{byte(opLessSigned)}, {byte(opLessUnsigned)}, {byte(opPop), byte(opLogNot)}, {byte(opPop),
			byte(opBitNot)},
		{byte(opPop), byte(opExt), 8}, {byte(opPop), byte(opZeroExt), 8}} {
		code := append([]byte{byte(opConst8), 3, byte(opConst8), 2}, ops...)
		code = append(append(append(code, byte(opPop)), known...), byte(opEnd))
		p, err := Decode(code)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Never(sureOf{8: 0}) {
			t.Errorf("% x: nothing is known", code)
		}
	}
	for _, c := range []struct {
		code []byte
		want bool
	}{
		{[]byte{byte(opReg), 0, 8, byte(opConst8), 1, byte(opPick), 1, byte(opEnd)}, true},
		{[]byte{byte(opConst8), 1, byte(opReg), 0, 8, byte(opPick), 1, byte(opEnd)}, false},
		{[]byte{byte(opConst8), 1, byte(opReg), 0, 8, byte(opPick), 0, byte(opEnd)}, true},
		{[]byte{byte(opReg), 0, 8, byte(opPick), 1, byte(opEnd)}, false}, // there is no such value
	} {
		p, err := Decode(c.code)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Never(sureOf{8: 0}); got != c.want {
			t.Errorf("% x: %v", c.code, got)
		}
	}
}

// anyMachine has any values.
type anyMachine struct{ *rand.Rand }

func (m anyMachine) Register(n int) (uint64, error) { return uint64(n) % 3, nil }
func (m anyMachine) Load(addr uint64, _ int) (uint64, error) {
	if addr == 2 {
		return 2, nil
	}
	return m.Uint64() % 3, nil
}

// TestNeverHolds: of random expressions, what Never says of is 0 in every evaluation.
func TestNeverHolds(t *testing.T) {
	ops := []opcode{opAdd, opSub, opMul, opDivSigned, opRemUnsigned, opLogNot, opBitAnd, opEqual,
		opLessSigned, opIfGoto, opGoto, opConst8, opReg, opEnd, opDup, opPop, opSwap, opPick, opRot, opRef8,
		opRef64}
	r := rand.New(rand.NewPCG(1, 2))
	never := 0
	for range 400000 {
		var code []byte
		for range 4 + r.IntN(12) {
			op := ops[r.IntN(len(ops))]
			code = append(code, byte(op))
			for range descriptions[op].operand {
				code = append(code, byte(r.IntN(3)))
			}
			if op == opIfGoto || op == opGoto {
				code[len(code)-2], code[len(code)-1] = 0, byte(r.IntN(24))
			}
		}
		code = append(code, byte(opConst8), 0, byte(opEnd))
		p, err := Decode(code)
		if err != nil {
			continue
		}
		sure := sureOf{0: 0, 1: 1, -3: 2}
		if !p.Never(sure) {
			continue
		}
		never++
		for range 4 {
			v, err := p.Eval(anyMachine{r})
			if err != nil && !errors.Is(err, ErrTooManySteps) || err == nil && v != 0 {
				t.Fatalf("% x: %d, %v", code, v, err)
			}
		}
	}
	if never < 200 {
		t.Errorf("only %d expressions are never true", never)
	}
}

func BenchmarkNever(b *testing.B) {
	p, err := Decode(conjunction(memoryTerm, waveTerm))
	if err != nil {
		b.Fatal(err)
	}
	sure := sureOf{3: 4}
	for b.Loop() {
		if !p.Never(sure) {
			b.Fatal("it may be")
		}
	}
}
