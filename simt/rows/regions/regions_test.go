package regions

import (
	"testing"

	"simtgdb/simt/vec"
)

// TestVerify: what translators rely on is refused if it is not so.
func TestVerify(t *testing.T) {
	row := func(at int32) Region { return Region{At: at, Step: 4, Size: 4} }
	good := func() *Op {
		return &Op{Op: vec.WideAdd32, Elem: 4, First: 16, Lanes: 16, D: row(64),
			S: [3]Source{{Region: row(0), Keep: ^uint64(0)}, {Const: []uint64{3}, Keep: ^uint64(0)}}}
	}
	load := func() *Op {
		return &Op{Kind: Load, Lanes: 8, Access: Access{Addresses: 0, Data: 64, Size: 4, Count: 2}}
	}
	for _, o := range []*Op{good(), load()} {
		if err := o.Verify(1024, 32); err != nil {
			t.Error(err)
		}
	}
	if got, want := good().String(), "calc(16|16) [64+4]:u32 = Add32 [0+4]:u32 [0x3]"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	for why, change := range map[string]func(o *Op){
		"number of channels":    func(o *Op) { o.Lanes = 3 },
		"first channel":         func(o *Op) { o.First = 8 },
		"channels of a thread":  func(o *Op) { o.First = 32 },
		"bytes computed":        func(o *Op) { o.Elem = 2 },
		"bytes of the result":   func(o *Op) { o.D.Size = 8 },
		"end of the file":       func(o *Op) { o.D.At = 1000 },
		"before the file":       func(o *Op) { o.S[0].At = -4 },
		"flags":                 func(o *Op) { o.Flags, o.Bit = true, 56 },
		"predicate":             func(o *Op) { o.Under = Predicate{On: true, Bit: 60} },
		"numbers of a constant": func(o *Op) { o.S[1].Const = []uint64{1, 2} },
	} {
		o := good()
		if change(o); o.Verify(1024, 32) == nil {
			t.Errorf("%s: nothing is found wrong with %v", why, o)
		}
	}
	for why, change := range map[string]func(o *Op){
		"channels":        func(o *Op) { o.Lanes = 4 },
		"size":            func(o *Op) { o.Access.Size = 3 },
		"count of bytes":  func(o *Op) { o.Access.Size = 1 },
		"shared qwords":   func(o *Op) { o.Access.Space, o.Access.Size = Shared, 8 },
		"addresses":       func(o *Op) { o.Access.Addresses = 1000 },
		"data":            func(o *Op) { o.Access.Data = 1000 },
		"no element":      func(o *Op) { o.Access.Count = 0 },
		"too many pieces": func(o *Op) { o.Access.Count = 5 },
	} {
		o := load()
		if change(o); o.Verify(1024, 32) == nil {
			t.Errorf("%s: nothing is found wrong with %v", why, o)
		}
	}
}
