package spirv

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unexecuted are the instructions that no test runs, in the order of opcodes: neither a module of testdata nor
// TestOps. What they do is untested.
var unexecuted = []string{
	"CopyMemory", "InBoundsAccessChain", "PtrAccessChain", "VectorExtractDynamic", "VectorInsertDynamic",
	"GenericCastToPtr", "GenericCastToPtrExplicit", "AtomicCompareExchangeWeak", "Kill", "Unreachable",
	"GroupAll", "GroupAny", "GroupBroadcast", "GroupIAdd", "GroupFAdd", "GroupFMin", "GroupUMin",
	"GroupSMin", "GroupFMax", "GroupUMax", "GroupSMax", "AtomicFlagTestAndSet", "AtomicFlagClear",
	"PtrEqual", "PtrNotEqual", "PtrDiff", "TerminateInvocation", "SubgroupBallotKHR",
	"SubgroupFirstInvocationKHR", "SubgroupAllKHR", "SubgroupAnyKHR", "SubgroupAllEqualKHR",
	"GroupNonUniformRotateKHR", "SubgroupReadInvocationKHR", "ReadClockKHR", "DemoteToHelperInvocation",
	"SubgroupShuffleINTEL", "SubgroupShuffleXorINTEL", "AtomicFMinEXT", "AtomicFMaxEXT", "AssumeTrueKHR",
	"ExpectKHR", "GroupIMulKHR", "GroupFMulKHR", "GroupBitwiseAndKHR", "GroupBitwiseOrKHR",
	"GroupBitwiseXorKHR", "GroupLogicalAndKHR", "GroupLogicalOrKHR", "GroupLogicalXorKHR",
}

// TestCoverage: what the list says is all that is not run.
func TestCoverage(t *testing.T) {
	seen := map[uint16]bool{}
	for _, c := range opCases {
		if c.set == "" {
			seen[c.op] = true
		}
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "spirv", "*.spv"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no modules (%v)", err)
	}
	for _, path := range paths {
		p, err := New(testModule(t, filepath.Base(path)), Options{})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, b := range p.blocks {
			for i := range b.insts {
				seen[b.insts[i].raw.op] = true
			}
		}
	}
	var ops []uint16
	for op := range builders {
		if !seen[op] {
			ops = append(ops, op)
		}
	}
	slices.Sort(ops)
	var names []string
	for _, op := range ops {
		names = append(names, opTable[op].name)
	}
	if d := cmp.Diff(unexecuted, names); d != "" {
		t.Errorf("instructions that nothing runs (-list +now):\n%s", d)
	}
}
