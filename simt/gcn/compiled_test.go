package gcn

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"simtgdb/simt"
	"simtgdb/simt/softfloat/floattest"
	"simtgdb/simt/vec"
	"simtgdb/testdata/sweep"
)

// A compiled operation is a function of testdata/compiled/operations.h.
type compiledOp struct {
	line int
	addr uint64 // in the code
}

// compileOperations compiles the operations for a processor and returns their
// code and where each begins.
func compileOperations(t *testing.T, clang, processor string) ([]byte, []compiledOp) {
	t.Helper()
	object := filepath.Join(t.TempDir(), "operations.o")
	compile(t, clang, "--target=amdgcn-amd-amdhsa", "-mcpu="+processor, "-nogpulib", "-O2", "-c", "-o",
		object)
	f, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	code, err := f.Section(".text").Data()
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var ops []compiledOp
	for _, s := range symbols {
		if line, ok := strings.CutPrefix(s.Name, "op_"); ok {
			n, err := strconv.Atoi(line)
			if err != nil {
				t.Fatal(err)
			}
			ops = append(ops, compiledOp{n, s.Value})
		}
	}
	sort.Slice(ops, func(i, j int) bool { return ops[i].line < ops[j].line })
	return code, ops
}

func compile(t *testing.T, clang string, args ...string) {
	t.Helper()
	// C lets a compiler keep intermediate _Float16 values in wider floats, and for a host that has no
	// arithmetic of 16 bits clang does (FLT_EVAL_METHOD, C23 5.2.5.3.3). The GPU has it, and rounds every
	// operation: so must the host.
	args = append(args, "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none", "-w",
		filepath.Join("testdata", "compiled", "compiled.c"))
	if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", clang, err, out)
	}
}

// randomOperand is a number of a kind that some operation finds interesting.
func randomOperand(r *rand.Rand) uint64 {
	v := r.Uint64()
	switch r.IntN(10) {
	case 0:
		return v & 0xff
	case 1:
		return -(v & 0xff)
	case 2: // the same in both halves
		return v&0xffff_ffff | v<<32
	case 3: // a fraction, as a double and as two floats
		return double.Round(float64(int(v%20001)-10000)/64, roundNearest)
	case 4:
		f := single.Round(float64(int(v%20001)-10000)/64, roundNearest)
		return f | f<<32
	case 5:
		ends := []uint64{0, 1 << 63, one32<<32 | one32, inf32<<32 | inf32, inf64, nan32Bits<<32 | nan32Bits,
			minInt<<32 | minInt, allOnes64, minNormal<<32 | minNormal, 0x3c003c003c003c00, 1<<32 | 1}
		return ends[r.IntN(len(ends))]
	case 6:
		return v & 0xffff_ffff >> r.IntN(32)
	case 7:
		return uint64(int64(v) >> r.IntN(64))
	case 8: // exponents near each other
		return floattest.Random(r, single) | floattest.Random(r, single)<<32
	}
	return v
}

// signaling reports whether one of the numbers that an operand can be read as
// is a signaling NaN: C does not say what becomes of it.
func signaling(v uint64) bool {
	return double.IsSNaN(v) || single.IsSNaN(v&0xffff_ffff) || single.IsSNaN(v>>32) ||
		half16.IsSNaN(v&0xffff) || half16.IsSNaN(v>>16&0xffff)
}

// TestCompiled executes what clang makes of some hundred operations in C and
// compares with what it makes of them for the host.
func TestCompiled(t *testing.T) {
	clang, err := exec.LookPath("clang-22")
	if err != nil {
		t.Skip("skipped: clang-22 is not installed")
	}
	source, err := os.ReadFile(filepath.Join("testdata", "compiled", "operations.h"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")

	calls := sweep.Times(4, 8) * simt.MaxLanes
	r := rand.New(sweep.PCG(7, 8))
	operands := make([][3]uint64, calls)
	for i := range operands {
		for k := range operands[i] {
			for operands[i][k] = randomOperand(r); signaling(operands[i][k]); {
				operands[i][k] = randomOperand(r)
			}
		}
		if r.IntN(8) == 0 {
			operands[i][1] = operands[i][0]
		}
	}
	var in bytes.Buffer
	if err := binary.Write(&in, binary.LittleEndian, operands); err != nil {
		t.Fatal(err)
	}
	host := filepath.Join(t.TempDir(), "host")
	compile(t, clang, "-DHOST", "-O1", "-march=native", "-lm", "-o", host)
	cmd := exec.Command(host)
	cmd.Stdin = &in
	want, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}

	for _, processor := range sweep.Some(4, "gfx90a", "gfx900", "gfx942", "gfx950") {
		t.Run(processor, func(t *testing.T) {
			code, ops := compileOperations(t, clang, processor)
			if len(want) != len(ops)*calls*8 {
				t.Fatalf("%d operations for the GPU, %d bytes of results on the host", len(ops), len(want))
			}
			was := vec.Current()
			defer vec.Use(was)
			for _, p := range paths() {
				run := newCompiledRun(t, p, processor, code)
				for i, op := range ops {
					got := run.call(t, op, operands)
					for k, o := range operands {
						if w := binary.LittleEndian.Uint64(want[8*(i*calls+k):]); got[k] != w {
							t.Errorf("%v: %s of %#x: %#x, want %#x", p, lines[op.line-1], o, got[k], w)
							break
						}
					}
				}
			}
		})
	}
}

// A compiledRun calls functions as the calling convention of AMDGPU says:
// arguments and results in vector registers from v0 on, the return address in
// s[30:31], the stack pointer in s32.
type compiledRun struct {
	core *Core
	w    *simt.Wave
	regs *Regs
	end  uint64
}

func newCompiledRun(t *testing.T, p path, processor string, code []byte) *compiledRun {
	t.Helper()
	const endpgm = 0xbf810000
	mem := simt.NewMemory()
	code = append(bytes.Clone(code), wordsCode(endpgm)...)
	if _, err := mem.Map("code", codeBase, code, simt.PermRead|simt.PermExec); err != nil {
		t.Fatal(err)
	}
	isa, err := New(processor, mem,
		Kernel{VGPRs: 256, SGPRs: 102, Mode: ModeDenorm32 | ModeDenorm64 | ModeIEEE | ModeDX10Clamp})
	if err != nil {
		t.Fatal(err)
	}
	m, err := simt.New(mem, isa, simt.Dispatch{Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{64, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Fill(); err != nil {
		t.Fatal(err)
	}
	vec.Use(p.vec)
	m.Interpret = !p.translated
	w, core := m.Waves()[0], isa.NewCore(m).(*Core)
	core.warmRuns = 1
	return &compiledRun{core, w, regsOf(w), codeBase + uint64(len(code)) - 4}
}

// call calls an operation once for each set of operands, 64 at a time.
func (r *compiledRun) call(t *testing.T, op compiledOp, operands [][3]uint64) []uint64 {
	t.Helper()
	var results []uint64
	for len(operands) > 0 {
		for l := range simt.MaxLanes {
			for k, v := range operands[l] {
				r.regs.V[2*k][l], r.regs.V[2*k+1][l] = uint32(v), uint32(v>>32)
			}
		}
		operands = operands[simt.MaxLanes:]
		r.w.State, r.w.PC = simt.Ready, codeBase+op.addr
		setExec(r.w, ^uint64(0))
		setPair(r.regs, 30, r.end)
		r.regs.S[32] = 0
		if ev := r.core.Run(r.w, 1<<20); ev.Kind != simt.EndEvent {
			t.Fatalf("line %d ends with %s", op.line, describe(ev))
		}
		for l := range simt.MaxLanes {
			results = append(results, uint64(r.regs.V[0][l])|uint64(r.regs.V[1][l])<<32)
		}
	}
	return results
}

func describe(ev simt.Event) string {
	if ev.Fault != nil {
		return ev.Fault.String()
	}
	return fmt.Sprint(ev.Kind)
}
