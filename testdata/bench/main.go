// Command bench measures the kernels of bench.cl on the simulated GPU, and beside it PoCL's times for the
// same source if a program made of peer/opencl.c is given: medians, in one run. Run it in this folder:
//
//	go run . -runs 9 -peer PROGRAM
package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"time"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/simt/vec"
	_ "simtgdb/stub/arch/all"
	"simtgdb/stub/collect"
	"simtgdb/stub/launch"
	"simtgdb/stub/objects"
)

// names are the kernels, each with a launch file of its name.
var names = []string{"matmul", "mandelbrot", "hash", "vecadd", "fir"}

// programs are what bench.cl was compiled to.
var programs = map[string]string{"gfx900": "bench.gfx900.co", "gfx1100": "bench.gfx1100.co",
	"gfx90a": "bench.gfx90a.co", "ptx": "bench.ptx", "spirv": "bench.spv", "gen9": "bench.zebin",
	"gen11": "gen/gen11-O2.zebin", "gen12lp": "gen/gen12lp-O2.zebin",
	"xe-hpg": "gen/xe-hpg-O2.zebin", "xe-hpc": "gen/xe-hpc-O2.zebin"}

var (
	runs      = flag.Int("runs", 9, "how many runs of each kernel")
	interpret = flag.Bool("interpret", false, "do not translate")
	workers   = flag.Int("workers", runtime.NumCPU(), "how many workers run workgroups")
	target    = flag.String("target", "gfx90a",
		"what was compiled: gfx90a, gfx900, gfx1100, ptx, spirv, gen9 to xe-hpc, or shaders")
	only = flag.String("only", "", "measure the kernels of these names, with commas between them")
	peer = flag.String("peer", "", "a program made of peer/opencl.c, or of ../spirv/bench/vulkan.c for "+
		"shaders")
	path = flag.String("path", "", "what vector instructions of the host to use: portable, AVX2 or "+
		"AVX-512")
	debugged = flag.Bool("debugged", false,
		"measure runs in a debug session, with a breakpoint that is never met, and others in turns")
	checks = flag.String("check", "", "what defects to look for, as simtgdb's --check has it")
	table  = flag.String("checks", "",
		"print what each of these kinds of check costs, with commas between them")
	profile = flag.String("cpuprofile", "", "write a profile of the runs to a `file`")
)

// looked is what is looked for.
var looked check.Kinds

// A result is the median time of a kernel, that of the processors' time it took, and a hash of its output.
type result struct {
	seconds, cpu float64
	hash         string
}

func main() {
	flag.Parse()
	collect.LessOften() // as the program does
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure() error {
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	err := usePath()
	if err != nil {
		return err
	}
	if *table != "" {
		return measureChecks(strings.Split(*table, ","))
	}
	names, run := names, runPeer
	if *target == shaders {
		names, run = shaderNames, runShaders
	}
	if looked, err = check.ParseKinds(cmp.Or(*checks, "none")); err != nil {
		return err
	}
	peers, err := run()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !chosen(name) {
			continue
		}
		if *debugged {
			if err := measureDebugged(name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		r, err := runHere(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		line := fmt.Sprintf("%-10s %9.3f ms, cpu %9.3f", name, r.seconds*1e3, r.cpu*1e3)
		if p, ok := peers[name]; ok {
			line += fmt.Sprintf("   peer %9.3f ms, cpu %9.3f   ratio %6.2f, cpu %6.2f   same bits: %v",
				p.seconds*1e3, p.cpu*1e3, r.seconds/p.seconds, r.cpu/p.cpu, p.hash == r.hash)
		}
		fmt.Println(line)
	}
	return nil
}

// chosen reports whether -only has a kernel.
func chosen(name string) bool { return *only == "" || slices.Contains(strings.Split(*only, ","), name) }

// usePath makes the machine use what -path says.
func usePath() error {
	for _, p := range vec.Paths() {
		if *path == p.String() {
			vec.Use(p)
			return nil
		}
	}
	if *path != "" {
		return fmt.Errorf("-path %q: this host has %v", *path, vec.Paths())
	}
	return nil
}

// runPeer runs the program made of peer/opencl.c, if there is one.
func runPeer() (map[string]result, error) {
	if *peer == "" {
		return nil, nil
	}
	cmd := exec.Command(*peer, "bench.cl", fmt.Sprint(*runs))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", *peer, err)
	}
	all := map[string]result{}
	for line := range strings.Lines(string(out)) {
		var name string
		var r result
		if _, err := fmt.Sscan(line, &name, &r.seconds, &r.cpu, &r.hash); err != nil {
			return nil, fmt.Errorf("%s printed %q: %w", *peer, line, err)
		}
		all[name] = r
	}
	return all, nil
}

func runHere(name string) (result, error) {
	k, err := kernelOf(name)
	if err != nil {
		return result{}, err
	}
	var all []result
	for range *runs + 1 { // the first makes the memory that the others use again, as a peer's runs do
		r, err := k.run(prepare)
		if err != nil {
			return result{}, err
		}
		all = append(all, r)
	}
	return medians(all[1:]), nil
}

// A kernel is one that is measured, what loads it for a run, and what fills its buffers.
type kernel struct {
	*launch.Spec
	load func() (*launch.Program, error)
	fill func(*launch.Program)
}

// run runs the kernel once, as a function prepares it.
func (k *kernel) run(prepare func(*launch.Program) (func() error, error)) (result, error) {
	runtime.GC()
	p, err := k.load()
	if err != nil {
		return result{}, err
	}
	k.fill(p)
	p.Machine.Interpret = *interpret
	look(p)
	run, err := prepare(p)
	if err != nil {
		return result{}, err
	}
	runtime.GC() // what loading has left is not the run's to collect
	spent := processorTime()
	from := time.Now()
	if err := run(); err != nil {
		return result{}, err
	}
	r := result{seconds: time.Since(from).Seconds()}
	r.cpu = processorTime() - spent
	sum := fnv.New64a()
	sum.Write(p.Buffers[len(p.Buffers)-1].Region.Data)
	r.hash = fmt.Sprintf("%016x", sum.Sum64())
	return r, nil
}

// kernelOf reads the launch of a kernel, and says what fills its buffers.
func kernelOf(name string) (*kernel, error) {
	if *target == shaders {
		s, err := launch.ReadSpec(launch.File{Path: shaderPath(name)})
		return &kernel{s, shaderLoader(s), fillShader}, err
	}
	object, ok := programs[*target]
	if !ok {
		return nil, fmt.Errorf("-target %q: there is none of this name", *target)
	}
	s, err := launch.ReadSpec(launch.File{Path: name + ".json"})
	if err != nil {
		return nil, err
	}
	s.CodeObject.Path = filepath.Join(filepath.Dir(s.CodeObject.Path), object)
	return &kernel{s, s.Load, fill}, nil
}

// medians are those of several results, whose hash is the last one's.
func medians(all []result) result {
	var times, cpu []float64
	for _, r := range all {
		times, cpu = append(times, r.seconds), append(cpu, r.cpu)
	}
	return result{median(times), median(cpu), all[len(all)-1].hash}
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// settled is how long threads take at most that have worked to give up their processors.
const settled = time.Millisecond

// processorTime is how many seconds of processors this program has taken. The system counts what other
// threads have taken when they give up their processors, or at its next tick: until then half a millisecond
// and more was missing, and was the next measurement's.
func processorTime() float64 {
	time.Sleep(settled)
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// fill makes the input buffers, all but the last, what peer/opencl.c makes them. The last has been written,
// too: otherwise the system would find memory for as much of it as the collector has given back, each time
// another part.
func fill(p *launch.Program) {
	clear(p.Buffers[len(p.Buffers)-1].Region.Data)
	for which, b := range p.Buffers[:len(p.Buffers)-1] {
		for i := range len(b.Region.Data) / 4 {
			v := float32(i%(251+6*which))*0.5 - 60
			binary.LittleEndian.PutUint32(b.Region.Data[4*i:], math.Float32bits(v))
		}
	}
}

// prepare gives what runs the whole dispatch.
func prepare(p *launch.Program) (func() error, error) {
	return func() error {
		ev, err := p.Run(context.Background(), *workers)
		if err == nil && ev.Kind != simt.EndEvent {
			err = fmt.Errorf("stopped: %v %v", ev.Kind, ev.Fault)
		}
		return err
	}, nil
}

// look makes a program one whose defects are looked for. None of the programs has any.
func look(p *launch.Program) {
	if looked == 0 {
		return
	}
	objects.Find(p, nil)
	p.LookFor(looked, func(r *check.Report) bool {
		fmt.Println("found:", p.DescribeReport(r))
		return false
	})
}
