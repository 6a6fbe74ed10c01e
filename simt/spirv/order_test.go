package spirv

import (
	"context"
	"fmt"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/check"
)

// A fenceWatch keeps the fences that it is told of.
type fenceWatch struct {
	*check.Checker
	fences []simt.Fence
}

func (w *fenceWatch) Fence(_ *simt.Wave, f simt.Fence) { w.fences = append(w.fences, f) }

// TestFences: what a barrier of memory orders is what its scope and its semantics say (sections 3.25, 3.27).
func TestFences(t *testing.T) {
	const both, all, shared = simt.Acquire | simt.Release, 1 << simt.Global, 1 << simt.LDS
	for _, c := range []struct {
		scope, semantics uint32
		want             []simt.Fence
	}{
		{1, 0x2 | 0x200, []simt.Fence{{Order: simt.Acquire, Scope: simt.DeviceScope, Spaces: all}}},
		{0, 0x4 | 0x200, []simt.Fence{{Order: simt.Release, Scope: simt.DeviceScope, Spaces: all}}},
		{2, 0x8 | 0x100, []simt.Fence{{Order: both, Scope: simt.GroupScope, Spaces: shared}}},
		{2, 0x10 | 0x300, []simt.Fence{{Order: both, Scope: simt.GroupScope, Spaces: simt.AllSpaces}}},
		{3, 0x8 | 0x40, []simt.Fence{{Order: both, Scope: simt.WaveScope, Spaces: all}}},
		{4, 0x8 | 0x100, []simt.Fence{{Order: both, Scope: simt.WaveScope, Spaces: shared}}},
		{5, 0x8 | 0x100, []simt.Fence{{Order: both, Scope: simt.DeviceScope, Spaces: shared}}},
		{1, 0x300, nil}, // relaxed
	} {
		m := newModule(addresses, kernelCapability)
		m.kernel(func() {
			m.add(43, 3, 6, c.scope)
			m.add(43, 3, 7, c.semantics)
		})
		m.add(225, 6, 7)
		m.add(253)
		m.add(56)
		l := launch{block: [3]uint32{8, 1, 1}, args: []byte{0}, o: Options{SubgroupSize: 8}}
		r := l.start(t, *m)
		w := &fenceWatch{Checker: check.New(r.m, check.Race)}
		r.m.AddObserver(w)
		var err error
		if r.event, err = r.m.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		ended(t, r)
		t.Run(fmt.Sprintf("scope %d, %#x", c.scope, c.semantics), func(t *testing.T) {
			same(t, w.fences, c.want)
		})
	}
}

// TestTargets: where jumps and calls lead is known without executing them, and what the order of waves may
// decide.
func TestTargets(t *testing.T) {
	words := testModule(t, "calls.10.spv")
	l := callsLaunch()
	r := l.start(t, words)
	code := bytes32(words...)
	labels := map[uint32]uint64{} // where they are, by id
	bodies := map[uint32]uint64{} // where functions are
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		switch words[at] & 0xffff {
		case opFunction:
			bodies[words[at+2]] = codeBase + 4*uint64(at)
		case opLabel:
			labels[words[at+1]] = codeBase + 4*uint64(at)
		}
	}
	seen := map[uint32]int{}
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		in, err := r.isa.Inst(code[4*at:], codeBase+4*uint64(at))
		if err != nil || in.Size != 4*int(words[at]>>16) {
			t.Fatal(in, err)
		}
		op := words[at] & 0xffff
		want := uint64(0)
		switch op {
		case opBranch:
			want = labels[words[at+1]]
		case opBranchConditional:
			want = labels[words[at+2]]
		case opFunctionCall:
			want = bodies[words[at+3]]
		}
		if seen[op]++; in.Target != want {
			t.Errorf("%s leads to %#x, want %#x", in.Text, in.Target, want)
		}
	}
	if seen[opBranch] == 0 || seen[opBranchConditional] == 0 || seen[opFunctionCall] == 0 {
		t.Errorf("%v", seen)
	}
	for _, c := range []struct {
		module string
		op     uint32
		want   bool
	}{{"atomics.Od.spv", 234, true}, {"shared.Od.spv", 234, false}, {"calls.10.spv", 128, false}} {
		words := testModule(t, c.module)
		p, err := New(words, Options{Base: codeBase, Data: dataBase})
		if err != nil {
			t.Fatal(err)
		}
		for at := 5; at < len(words); at += int(words[at] >> 16) {
			if words[at]&0xffff != c.op {
				continue
			}
			in, err := decode(p, codeBase, bytes32(words[at:]...), codeBase+4*uint64(at))
			if err != nil || in.GlobalAtomic != c.want {
				t.Errorf("%s of %s is one of global memory: %v, %v", in.Text, c.module, in.GlobalAtomic, err)
			}
		}
	}
}

// TestAvoidsLDS: whether a program has to do with its workgroup's memory is known from its code.
func TestAvoidsLDS(t *testing.T) {
	for module, want := range map[string]bool{"arith.O.spv": true, "atomics.Od.spv": true,
		"shared.O.spv": false, "shared.Od.spv": false, "matmul.Od.spv": false} {
		p, err := New(testModule(t, module), Options{Base: codeBase, Data: dataBase})
		if err != nil {
			t.Fatal(err)
		}
		if got := (&ISA{p: p}).AvoidsLDS(); got != want {
			t.Errorf("%s does without workgroup memory: %v, want %v", module, got, want)
		}
	}
}
