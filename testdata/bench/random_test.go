package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simtgdb/simt"
	checkers "simtgdb/simt/check"
	"simtgdb/simt/vec"
	"simtgdb/stub/launch"
	"simtgdb/testdata/bench/randprog"
	"simtgdb/testdata/sweep"
)

// Random OpenCL programs: the same source is compiled for the simulated GPUs at several levels, and for the
// host. All must compute the same bits.

// few programs are for make test: not at every level, and not in every way.
const few = 2

var (
	randomPrograms = flag.Int("programs", few, "how many random programs TestRandomPrograms runs")
	firstProgram   = flag.Int("first-program", 0, "which random program TestRandomPrograms begins with")
	keepPrograms   = flag.String("keep-programs", "", "the `folder` that random programs are left in")
	batchSize      = flag.Int("batch", 10, "how many random programs are compiled at once")
	onlyLevels     = flag.String("levels", "",
		"which `levels` random programs are compiled at: O0,O2; all if empty")
	onlyMachines = flag.String("machines", "",
		"the `machines` that have random programs: gen11,ptx; most if empty")
	quick    = flag.Bool("quick", false, "run random programs in one way, without checkers")
	reduceTo = flag.String("reduce", "",
		"the `folder` that programs whose results differ are left in, made small")
)

// A compiler makes an object of random programs for one of the machines.
type compiler struct {
	machine string
	tools   []string // programs that run if it is there
	levels  []string
	rest    []string // levels at which a few programs are not compiled

	// compile makes an object of k.cl in the folder, and says where: "" if the compiler cannot.
	compile func(folder, level string) (object string, err error)
}

var compilers = []compiler{
	{"gcn", []string{"clang-22"}, []string{"-O0", "-O3"}, []string{"-O1", "-O2"},
		compileAMDGPU("gfx90a", "gfx900")},
	{"gfx10", []string{"clang-22"}, []string{"-O2"}, []string{"-O0", "-O1", "-O3"},
		compileAMDGPU("gfx1030", "gfx1030 -mwavefrontsize64")},
	{"gfx11", []string{"clang-22"}, []string{"-O0"}, []string{"-O1", "-O2", "-O3"},
		compileAMDGPU("gfx1100", "gfx1100 -mwavefrontsize64")},
	{"gfx12", []string{"clang-22"}, []string{"-O1"}, []string{"-O0", "-O2", "-O3"},
		compileAMDGPU("gfx1200", "gfx1250")},
	{"ptx", []string{"clang-22"}, []string{"-O0", "-O3"}, []string{"-O1", "-O2"}, compilePTX},
	{"spirv", []string{"clang-15", "llvm-spirv-15", "spirv-opt"}, []string{"-O0", "-O2"}, []string{spirvOpt},
		compileSPIRV},
	{"gen", []string{"ocloc"}, []string{"-cl-opt-disable", ""}, nil, compileGen("skl", "Gen9core")},
	{"gen8", []string{"ocloc"}, []string{"-cl-opt-disable", ""}, nil, compileGen("bdw", "Gen8core")},
	{"gen11", []string{"ocloc"}, []string{""}, []string{"-cl-opt-disable"}, compileGen("icllp", "Gen11lp")},
	{"gen12lp", []string{"ocloc"}, []string{"-cl-opt-disable"}, []string{""},
		compileGen("tgllp", "Gen12LPlp")},
	{"xe-hpg", []string{"ocloc"}, []string{""}, []string{"-cl-opt-disable"},
		compileGen("dg2-g10", "XE_HPG_COREdg2")},
	{"xe-hpc", []string{"ocloc"}, []string{"-cl-opt-disable"}, []string{""},
		compileGen("pvc", "XE_HPC_COREpvc")},
}

// levelNames are levels by the names that -levels has.
func levelName(level string) string {
	switch level {
	case "-cl-opt-disable":
		return "O0"
	case "":
		return "O2"
	}
	return strings.TrimPrefix(level, "-")
}

var strictFloats = []string{"-Wno-everything", "-ffp-contract=off"}

// libraries are AMD's functions of OpenCL C, libclc those for PTX where it is installed.
const (
	libraries = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
	libclc    = "/usr/lib/clc/nvptx64--nvidiacl.bc"
)

// debugging are options of levels at which programs have debugging information, by which arrays are known.
var debugging = map[string][]string{"-O0": {"-g"}}

// odd are the levels of which an older processor's code is tried.
func odd(level string) int { return len(level) * int(level[len(level)-1]) & 1 }

func compileAMDGPU(even, uneven string) func(folder, level string) (string, error) {
	return func(folder, level string) (string, error) {
		object := filepath.Join(folder, "k"+level+".co")
		target := strings.Fields([]string{even, uneven}[odd(level)]) // with options
		library, err := libraryFor(folder, strings.TrimPrefix(target[0], "gfx"))
		if err != nil {
			return "", err
		}
		args := []string{"-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + target[0],
			level, "-mcode-object-version=5", "--rocm-device-lib-path=" + library, "k.cl", "-o", object}
		return object, build(folder, "clang-22",
			slices.Concat(strictFloats, target[1:], debugging[level], args)...)
	}
}

// libraryFor is where AMD's functions for a processor are: for one that is newer than they are, a folder with
// links to them, in which it has what gfx1030 has.
func libraryFor(folder, processor string) (string, error) {
	const constants = "oclc_isa_version_"
	if _, err := os.Stat(filepath.Join(libraries, constants+processor+".bc")); err == nil {
		return libraries, nil
	}
	names, err := filepath.Glob(filepath.Join(libraries, "*.bc"))
	if err != nil {
		return "", err
	}
	to := filepath.Join(folder, "libraries")
	if err := os.MkdirAll(to, 0o700); err != nil {
		return "", err
	}
	for _, name := range append(names, "") {
		link := filepath.Base(name)
		if name == "" {
			name, link = filepath.Join(libraries, constants+"1030.bc"), constants+processor+".bc"
		}
		if err := os.Symlink(name, filepath.Join(to, link)); err != nil && !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return to, nil
}

func compilePTX(folder, level string) (string, error) {
	target, object := []string{"sm_80", "sm_70"}[odd(level)], filepath.Join(folder, "k"+level+".ptx")
	args := append(strictFloats, "-x", "cl", "-cl-std=CL2.0", "-target", "nvptx64-nvidia-cuda",
		"-march="+target, level, "-nogpulib", "-S", "-Xclang", "-target-feature", "-Xclang", "+ptx78", "k.cl",
		"-o", object)
	if _, err := os.Stat(libclc); err == nil {
		args = append(args, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", libclc)
	} else {
		args = append(args, "-cl-no-stdinc", "-DOWN")
	}
	return object, build(folder, "clang-22", args...)
}

// spirvOpt is the level of SPIR-V at which spirv-opt optimises what clang has not.
const spirvOpt = "-opt"

func compileSPIRV(folder, level string) (string, error) {
	object := filepath.Join(folder, "k"+level+".spv")
	if level == spirvOpt {
		plain, err := compileSPIRV(folder, "-O0")
		if err != nil || plain == "" {
			return plain, err
		}
		return unlessItDied(object, build(folder, "spirv-opt", "-O", plain, "-o", object))
	}
	if err := build(folder, "clang-15", append(strictFloats, "-x", "cl", "-cl-std=CL2.0", "-Xclang",
		"-finclude-default-header", "--target=spir64-unknown-unknown", level, "-emit-llvm", "-c", "k.cl",
		"-o", "k.bc")...); err != nil {
		return "", err
	}
	if err := build(folder, "llvm-spirv-15", "k.bc", "-o", object); err != nil && level != "-O0" {
		return "", nil // optimised, some have integers of odd widths, and what else SPIR-V has not
	} else if err != nil {
		return "", err
	}
	return object, nil
}

// compileGen compiles for a device of IGC's, after whose core its file is named.
func compileGen(device, core string) func(folder, level string) (string, error) {
	return func(folder, level string) (string, error) {
		out := "gen" + level
		if level == "" { // optimised, it loses stores of a structure that is returned: docs/fidelity.md
			level = "-DRETURNS_STRUCT="
		}
		err := build(folder, "ocloc", "compile", "-q", "-file", "k.cl", "-device", device, "--format",
			"zebin", "-out_dir", out,
			"-options", "-cl-std=CL2.0 -cl-intel-greater-than-4GB-buffer-required "+level)
		if out, err = unlessItDied(out, err); out == "" || err != nil {
			return "", err
		}
		object := filepath.Join(folder, "k"+level+".zebin")
		return object, os.Rename(filepath.Join(folder, out, "k_"+core+".bin"), object)
	}
}

// unlessItDied is what a compiler has made, or nothing if a signal ended it: IGC's own assertions end it on
// some programs, and spirv-opt reads what it has not on others.
func unlessItDied(made string, err error) (string, error) {
	if died := (*exec.ExitError)(nil); errors.As(err, &died) && died.ExitCode() < 0 {
		return "", nil
	}
	return made, err
}

// TestRandomPrograms compares random programs with what the host makes of them, on every machine whose
// compiler is here.
func TestRandomPrograms(t *testing.T) {
	for i, c := range compilers {
		if *onlyMachines == "" && c.machine == "gen8" ||
			*onlyMachines != "" && !slices.Contains(strings.Split(*onlyMachines, ","), c.machine) {
			continue
		}
		t.Run(c.machine, func(t *testing.T) {
			for _, tool := range append(c.tools, "clang-22") { // the last for the host
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("skipped: %v", err)
				}
			}
			compared := 0
			for from := 0; from < *randomPrograms; from += *batchSize {
				var programs []*randprog.Program
				for seed := from; seed < min(from+*batchSize, *randomPrograms); seed++ {
					if *randomPrograms == few && (seed+i)%few != 0 { // one of them by turns
						continue
					}
					programs = append(programs, randprog.New(sweep.Seed()+uint64(*firstProgram+seed)))
				}
				compared += c.compare(t, programs)
			}
			t.Logf("%d programs, %d objects", *randomPrograms, compared)
			if compared < *randomPrograms/few && *onlyLevels == "" { // some levels have not all
				t.Errorf("only %d kernels could be made", compared)
			}
		})
	}
}

// compare compares what programs do here, in each path of package vec, with what they do on the host, and
// says how many kernels at any level were compared. Checkers find nothing in them. Programs that cannot be
// compiled together are compiled one by one.
func (c *compiler) compare(t *testing.T, programs []*randprog.Program) (compared int) {
	t.Helper()
	folder := t.TempDir()
	if *keepPrograms != "" {
		folder = *keepPrograms
	}
	input := randomInput()
	want, err := onHost(folder, input, programs)
	if err != nil {
		t.Fatal(err)
	}
	levels := c.levels
	if *randomPrograms > few || *onlyLevels != "" {
		levels = slices.Concat(levels, c.rest)
	}
	for _, level := range levels {
		if *onlyLevels != "" && !slices.Contains(strings.Split(*onlyLevels, ","), levelName(level)) {
			continue
		}
		object, err := c.compile(folder, level)
		if len(programs) > 1 && (object == "" || err != nil) {
			for _, p := range programs {
				compared += c.compare(t, []*randprog.Program{p})
			}
			return compared
		}
		if err != nil {
			t.Errorf("%s %s: %v", programs[0].Kernel, levelName(level), err)
		}
		if object == "" || err != nil {
			continue
		}
		for i, p := range programs {
			compared++
			err := c.check(object, p.Kernel, input, want[8*randprog.Items*i:][:8*randprog.Items], *quick)
			if why, ok := c.known(p.Kernel, level); ok && *reduceTo == "" {
				t.Logf("-first-program %s, %s %s is known: %s: %v", p.Kernel[1:], c.machine, levelName(level),
					why, err)
			} else if err != nil {
				t.Errorf("-first-program %s -programs 1, %s %s: %v", p.Kernel[1:], c.machine,
					levelName(level), err)
				if *reduceTo != "" {
					c.reduce(t, programs, i, level)
				}
			}
		}
	}
	return compared
}

// check runs a kernel in all ways that there are.
func (c *compiler) check(object, kernel string, input, want []byte, quick bool) error {
	if quick {
		return differs(simulate(object, kernel, input, false, false))(want)
	}
	best := vec.Current()
	defer vec.Use(best)
	if _, err := simulate(object, kernel, input, true, true); err != nil {
		return err
	}
	paths := vec.Paths()
	if c.machine != "gcn" && *randomPrograms <= few { // one of them by turns
		k := len(object) % len(paths)
		paths = paths[k : k+1]
	}
	for _, path := range paths {
		vec.Use(path)
		for _, interpret := range []bool{false, true} {
			if err := differs(simulate(object, kernel, input, interpret, false))(want); err != nil {
				return fmt.Errorf("%v, interpreted %v: %w", path, interpret, err)
			}
			if c.machine != "gcn" && *randomPrograms <= few {
				break
			}
		}
	}
	return nil
}

// differs says how what a run gave differs from what is wanted.
func differs(got []byte, err error) func(want []byte) error {
	return func(want []byte) error {
		if err == nil && !bytes.Equal(got, want) {
			err = errors.New(difference(got, want))
		}
		return err
	}
}

// reduce makes a program smaller whose results differ, or whose run stops, and leaves it in the folder of
// -reduce. Those that it is compiled with go first; they stay where the fault needs them, and are made
// smaller too.
func (c *compiler) reduce(t *testing.T, programs []*randprog.Program, at int, level string) {
	t.Helper()
	folder, input, last := t.TempDir(), randomInput(), error(nil)
	p, batch := programs[at], []*randprog.Program(nil)
	fails := func(with []*randprog.Program) bool {
		want, err := onHost(folder, input, with)
		if err != nil {
			return false
		}
		object, err := c.compile(folder, level)
		if err != nil || object == "" {
			return false
		}
		i := slices.Index(with, p)
		err = c.check(object, p.Kernel, input, want[8*randprog.Items*i:][:8*randprog.Items], true)
		if err != nil {
			last = err
		}
		return err != nil
	}
	if batch = []*randprog.Program{p}; !fails(batch) {
		batch = slices.Clone(programs)
		for _, other := range programs {
			rest := slices.DeleteFunc(slices.Clone(batch),
				func(q *randprog.Program) bool { return q == other })
			if other != p && fails(rest) {
				batch = rest
			}
		}
	}
	for _, q := range batch {
		randprog.Reduce(q, func(*randprog.Program) bool { return fails(batch) })
	}
	name := filepath.Join(*reduceTo, fmt.Sprintf("%s-%s-%s.cl", c.machine, levelName(level), p.Kernel))
	text := fmt.Sprintf("// %v\n%s", last, randprog.File(batch...))
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}

// randomInput is what all programs compute with.
func randomInput() []byte {
	input := make([]byte, 4*randprog.Items)
	r := rand.New(sweep.PCG(3, 4))
	for i := range randprog.Items {
		binary.LittleEndian.PutUint32(input[4*i:], r.Uint32()>>r.IntN(32))
	}
	return input
}

// hostOutput is what programs have made on the host, by their text: that of one machine after another.
var hostOutput = map[string][]byte{}

// onHost writes programs to k.cl of a folder, compiles them for the host and runs them. The output of each
// follows that of the one before.
func onHost(folder string, input []byte, programs []*randprog.Program) ([]byte, error) {
	source := randprog.File(programs...)
	for name, text := range map[string]string{"k.cl": source, "main.c": randprog.HostMain(programs...)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if out := hostOutput[source]; out != nil {
		return out, nil
	}
	if err := build(folder, "clang-22", append(strictFloats, "-x", "cl", "-cl-std=CL2.0", "-cl-no-stdinc",
		"-DHOST", "-DOWN", "-O1", "-fwrapv", "-Werror=uninitialized", "-Werror=conditional-uninitialized",
		"-c", "k.cl", "-o", "k.o")...); err != nil {
		return nil, err
	}
	if err := build(folder, "clang-22", "-w", "main.c", "k.o", "-lm", "-o", "host"); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(folder, "host"))
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if want := 8 * randprog.Items * len(programs); err == nil && len(out) != want {
		err = fmt.Errorf("%d bytes of output, want %d", len(out), want)
	}
	if err != nil {
		return nil, fmt.Errorf("the host's program: %w", err)
	}
	hostOutput[source] = out
	return out, nil
}

// build runs a compiler in a folder.
func build(folder, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q: %w\n%s", name, args, err, out)
	}
	return nil
}

// simulate runs a kernel and returns its output.
func simulate(object, kernel string, input []byte, interpret, checked bool) ([]byte, error) {
	spec := object + ".json"
	text := fmt.Sprintf(`{"code_object": %q, "kernel": %q, "grid": [%d,1,1], "block": [%d,1,1], "args": [
		{"buffer": {"type": "u32", "count": %d, "init": "zero"}}, {"buffer": {"type": "u32", "count": %d, "init": "zero"}}]}`,
		object, kernel, randprog.Items, randprog.Group, 2*randprog.Items, randprog.Items)
	if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
		return nil, err
	}
	s, err := launch.ReadSpec(launch.File{Path: spec})
	if err != nil {
		return nil, err
	}
	p, err := s.Load()
	if err != nil {
		return nil, err
	}
	p.Machine.Interpret = interpret
	copy(p.Buffers[1].Region.Data, input)
	var found error
	if checked {
		checker := checkers.New(p.Machine, checkers.All)
		checker.Sink = func(r *checkers.Report) bool {
			found = errors.Join(found, fmt.Errorf("at %#x: %v: %s %s", r.PC, r.Kind, r.What, r.Access()))
			return false
		}
		checker.Attach()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ev, err := p.Run(ctx, 1)
	if err == nil && ev.Kind != simt.EndEvent {
		err = fmt.Errorf("stopped: %v %v", ev.Kind, ev.Fault)
	}
	return p.Buffers[0].Region.Data, errors.Join(err, found)
}

// difference says where outputs differ first.
func difference(got, want []byte) string {
	for i := 0; i+4 <= min(len(got), len(want)); i += 4 {
		if g, w := binary.LittleEndian.Uint32(got[i:]), binary.LittleEndian.Uint32(want[i:]); g != w {
			return fmt.Sprintf("dword %d is %#x, want %#x", i/4, g, w)
		}
	}
	return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
}
