package launch

import (
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"simtgdb/stub/arch"
)

// Flags are the flags that say what to launch. Register them with a flag set,
// and after that has parsed the command line, [Flags.Spec] gives the launch.
type Flags struct {
	// Demo, if not nil, has the files of a demonstration whose launch file is
	// DemoLaunch: there is a flag --demo for it.
	Demo       fs.FS
	DemoLaunch string

	demo                               bool
	launch, codeObject, target, kernel string
	grid, block                        Dims
	args                               []Arg
	lds, stack, printfBuffer           *uint64
	outs                               []output
	expects                            []expectation
}

type output struct {
	arg  int
	file string
}

type expectation struct {
	arg    int
	expect Expect
}

// Register adds the flags to a flag set.
func (f *Flags) Register(set *flag.FlagSet) {
	set.StringVar(&f.launch, "launch", "", "read what to launch from `FILE.json`; the other flags override it")
	set.StringVar(&f.codeObject, "code-object", "", "the code object or offload bundle, as FILE")
	set.StringVar(&f.target, "target", "", "which `TARGET` of an offload bundle to take, as gfx90a")
	set.StringVar(&f.kernel, "kernel", "", "the kernel's `NAME`; needed if there are several")
	set.Func("grid", "work-items in all, as `X[,Y[,Z]]`", dimsFlag(&f.grid))
	set.Func("block", "work-items per workgroup, as `X[,Y[,Z]]`", dimsFlag(&f.block))
	set.Func("arg", "the next argument, as `SPEC`: i32:5 f32:1.5 u64:0x10 buf:f32[1024]=zero|iota|fill:1|random:7|file:a.bin local:1024 bytes:00ff; they replace the launch file's", func(text string) error {
		a, err := ParseArg(text)
		f.args = append(f.args, a)
		return err
	})
	set.Func("out", "after the run write the buffer of argument N to a file, as `N=FILE`", func(text string) error {
		n, file, err := parseNumbered(text)
		for _, o := range f.outs {
			switch {
			case err != nil:
			case o.arg == n:
				err = fmt.Errorf("argument %d is saved already, to %s", n, o.file)
			case o.file == file:
				err = fmt.Errorf("argument %d is saved to this file already", o.arg)
			}
		}
		f.outs = append(f.outs, output{n, file})
		return err
	})
	set.Func("expect", "after the run compare the buffer of argument N with a file, as `N=FILE[,abs=X][,rel=X]`", func(text string) error {
		e, err := parseExpectation(text)
		if err == nil && slices.ContainsFunc(f.expects, func(o expectation) bool { return o.arg == e.arg }) {
			err = fmt.Errorf("argument %d has an expectation already", e.arg)
		}
		f.expects = append(f.expects, e)
		return err
	})
	set.Func("lds", "`BYTES` of LDS beyond what the kernel states (HIP: dynamic shared memory)", countFlag(&f.lds))
	set.Func("stack", fmt.Sprintf("`BYTES` of private memory for each lane beyond what the kernel states (default %d if the kernel does not know its need, else 0)", arch.DefaultStack), countFlag(&f.stack))
	set.Func("printf-buffer", fmt.Sprintf("`BYTES` of the buffer that kernels print to (default %d)", arch.PrintfBuffer),
		countFlag(&f.printfBuffer))
	if f.Demo != nil {
		set.BoolVar(&f.demo, "demo", false, "launch the demonstration kernel that the program carries with it")
	}
}

func dimsFlag(to *Dims) func(string) error {
	return func(text string) (err error) {
		*to, err = parseDims(text)
		return err
	}
}

func countFlag(to **uint64) func(string) error {
	return func(text string) error {
		v, err := parseCount(text)
		*to = &v
		return err
	}
}

// parseNumbered reads "N=FILE".
func parseNumbered(text string) (n int, file string, err error) {
	number, file, ok := strings.Cut(text, "=")
	n, err = strconv.Atoi(number)
	if !ok || err != nil || n < 0 || n >= maxArgs || file == "" {
		return 0, "", fmt.Errorf("want N=FILE with the number of an argument, counted from 0")
	}
	return n, file, nil
}

// parseExpectation reads "N=FILE[,abs=X][,rel=X]".
func parseExpectation(text string) (e expectation, err error) {
	rest := text
	for {
		i := strings.LastIndexByte(rest, ',')
		if i < 0 {
			break
		}
		name, number, _ := strings.Cut(rest[i+1:], "=")
		to := map[string]*float64{"abs": &e.expect.Abs, "rel": &e.expect.Rel}[name]
		if to == nil { // a comma of the file name
			break
		}
		if *to, err = strconv.ParseFloat(number, 64); err != nil || !(*to >= 0) {
			return e, fmt.Errorf("%s=%s is no tolerance", name, number)
		}
		rest = rest[:i]
	}
	n, file, err := parseNumbered(rest)
	e.arg, e.expect.File = n, hostFile(file)
	return e, err
}

// Spec gives the launch that the flags ask for. args is what the command line
// has besides flags: nothing, or the code object.
func (f *Flags) Spec(args []string) (*Spec, error) {
	s, err := f.base()
	if err != nil {
		return nil, err
	}
	if err := f.setCodeObject(s, args); err != nil {
		return nil, err
	}
	if f.target != "" {
		s.Target = f.target
	}
	if f.kernel != "" {
		s.Kernel = f.kernel
	}
	if f.grid.Given() {
		s.Grid = f.grid
	}
	if f.block.Given() {
		s.Block = f.block
	}
	if f.args != nil {
		s.Args = f.args
	}
	if f.lds != nil {
		s.LDS = *f.lds
	}
	if f.stack != nil {
		s.Stack = f.stack
	}
	if f.printfBuffer != nil {
		s.PrintfBuffer = *f.printfBuffer
	}
	return s, f.setResults(s)
}

// base is the launch file's launch, or an empty one.
func (f *Flags) base() (*Spec, error) {
	switch {
	case f.demo && f.launch != "":
		return nil, fmt.Errorf("--demo and --launch exclude each other")
	case f.demo:
		return ReadSpec(File{Path: f.DemoLaunch, FS: f.Demo})
	case f.launch != "":
		return ReadSpec(hostFile(f.launch))
	}
	return &Spec{}, nil
}

func (f *Flags) setCodeObject(s *Spec, args []string) error {
	switch {
	case len(args) > 1:
		return fmt.Errorf("one code object is enough, there are %d: %s", len(args), strings.Join(args, " "))
	case len(args) == 1 && strings.HasSuffix(args[0], ".json"):
		return fmt.Errorf("%s looks like a launch file, not like a code object: give it with --launch", args[0])
	case len(args) == 1 && f.codeObject != "" && args[0] != f.codeObject:
		return fmt.Errorf("two code objects: %s and --code-object %s", args[0], f.codeObject)
	case len(args) == 1:
		s.CodeObject = hostFile(args[0])
	case f.codeObject != "":
		s.CodeObject = hostFile(f.codeObject)
	}
	return nil
}

// setResults adds what --out and --expect say to the arguments.
func (f *Flags) setResults(s *Spec) error {
	buffer := func(flag string, n int) (*Arg, error) {
		switch {
		case n >= len(s.Args):
			return nil, fmt.Errorf("%s %d: the launch has %s, counted from 0", flag, n, count(len(s.Args), "argument"))
		case s.Args[n].Kind != BufferArg:
			return nil, fmt.Errorf("%s %d: argument %d is no buffer but %s", flag, n, n, s.Args[n].describe())
		}
		return &s.Args[n], nil
	}
	for _, o := range f.outs {
		a, err := buffer("--out", o.arg)
		if err != nil {
			return err
		}
		a.Out = &File{Path: o.file}
	}
	for _, e := range f.expects {
		a, err := buffer("--expect", e.arg)
		if err != nil {
			return err
		}
		a.Expect = &e.expect
	}
	return nil
}
