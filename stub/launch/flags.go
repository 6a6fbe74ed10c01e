package launch

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
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
	// Compile, if not nil, makes what can be launched of a file that is a source, and gives others as they
	// are.
	Compile func(f File, target string) (File, error)

	demo                               bool
	launch, codeObject, target, kernel string
	grid, block                        Dims
	args                               []Arg
	lds, stack, printfBuffer           *uint64
	outs                               []output
	expects                            []expectation
	prints                             []result
	shader                             Spec // what is set of shader.go
}

type output struct {
	key  bufferKey
	file string
}

type expectation struct {
	key    bufferKey
	expect Expect
}

// Register adds the flags to a flag set.
func (f *Flags) Register(set *flag.FlagSet) {
	set.StringVar(&f.launch, "launch", "",
		"read what to launch from `FILE.json`; the other flags override it")
	set.StringVar(&f.codeObject, "code-object", "", "the code object or offload bundle, as FILE")
	set.StringVar(&f.target, "target", "",
		"which `TARGET` of an offload bundle to take, or to compile a source for: gfx90a, sm_80, spirv, gen9")
	set.StringVar(&f.kernel, "kernel", "", "the kernel's `NAME`; needed if there are several")
	set.Func("grid", "work-items in all, as `X[,Y[,Z]]`", dimsFlag(&f.grid))
	set.Func("block", "work-items per workgroup, as `X[,Y[,Z]]`", dimsFlag(&f.block))
	set.Func("arg", "the next argument, as `SPEC`: 5 i32:5 f32:1.5,2,3 u64:0x10 buf:f32[]=1,2,3 "+
		"buf:f32[1024]=zero|none|iota|fill:1|random:7|file:a.bin local:1024 {i32:1 f32:2} bytes:00ff "+
		"image:r8_unorm[16x16]=INIT; or the one that has a name, as NAME=SPEC; they replace "+
		"the launch file's", func(text string) error {
		a, err := ParseArg(text)
		f.args = append(f.args, a)
		return err
	})
	set.Func("print",
		"after the run show the buffer of argument `N[,hex][,columns=K][,from=I][,count=K]`, or of "+
			"one by its name, or of a binding by SET.BINDING; N,picture,columns=K shows it in letters, as "+
			"images are shown by themselves", func(text string) error {
			key, how, err := parsePrint(text)
			f.prints = append(f.prints, result{flag: "--print", key: key, print: how})
			return err
		})
	set.Func("out", "after the run write the buffer of argument N, or of one by its name, or of a binding "+
		"by SET.BINDING, to a file, as `N=FILE`, or - for standard output", f.addOut)
	set.Func("expect", "after the run compare the buffer of argument N, or of a binding, with a file, "+
		"as `N=FILE[,abs=X][,rel=X]`", func(text string) error {
		e, err := parseExpectation(text)
		if err == nil && slices.ContainsFunc(f.expects, func(o expectation) bool { return o.key == e.key }) {
			err = fmt.Errorf("%s has an expectation already", e.key)
		}
		f.expects = append(f.expects, e)
		return err
	})
	set.Func("lds", "`BYTES` of LDS beyond what the kernel states (HIP: dynamic shared memory)",
		countFlag(&f.lds))
	set.Func("stack", fmt.Sprintf("`BYTES` of private memory for each lane beyond what the kernel states "+
		"(default %d if the kernel does not know its need, else 0)", arch.DefaultStack), countFlag(&f.stack))
	set.Func("printf-buffer", fmt.Sprintf("`BYTES` of the buffer that kernels print to (default %d)",
		arch.PrintfBuffer),
		countFlag(&f.printfBuffer))
	f.registerShader(set)
	if f.Demo != nil {
		set.BoolVar(&f.demo, "demo", false,
			"launch the demonstration kernel that the program carries with it")
	}
}

// addOut is what --out does.
func (f *Flags) addOut(text string) error {
	key, file, err := parseKeyed(text)
	for _, o := range f.outs {
		switch {
		case err != nil:
		case o.key == key:
			err = fmt.Errorf("%s is saved already, to %s", key, o.file)
		case o.file == file:
			err = fmt.Errorf("%s is saved to this file already", o.key)
		}
	}
	f.outs = append(f.outs, output{key, file})
	return err
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
	key, file, err := parseKeyed(rest)
	e.key, e.expect.File = key, hostFile(file)
	return e, err
}

// WriteDemo puts the demonstration's sources into a folder, if it is what is launched.
func (f *Flags) WriteDemo(folder string) error {
	if !f.demo {
		return nil
	}
	sources, err := fs.Sub(f.Demo, "src")
	if err != nil {
		return err
	}
	return os.CopyFS(folder, sources)
}

// Spec gives the launch that the flags ask for. args is what the command line
// has besides flags: nothing, or the code object.
func (f *Flags) Spec(args []string) (*Spec, error) { return f.Over(&Spec{}, args) }

// Over is Spec where the flags override a launch that there is already, unless they name another.
func (f *Flags) Over(launch *Spec, args []string) (*Spec, error) {
	s, err := f.base(launch)
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
		s.Grid, s.Groups = f.grid, Dims{}
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
	if f.Compile != nil {
		s.Compile = f.Compile
	}
	f.setShader(s)
	f.setResults(s)
	return s, nil
}

// registerShader adds the flags for what shader.go describes.
func (f *Flags) registerShader(set *flag.FlagSet) {
	g := &f.shader
	set.Func("groups", "workgroups, as `X[,Y[,Z]]`, in the place of --grid", dimsFlag(&g.Groups))
	set.Func("cluster", "workgroups of a cluster, as `X[,Y[,Z]]`, of machines that have clusters",
		dimsFlag(&g.Cluster))
	set.IntVar(&g.Subgroup, "subgroup-size", 0,
		"how many `LANES` a wave is to have, of machines that can choose")
	set.BoolVar(&g.Robust, "robust", false,
		"accesses outside of a buffer read 0 and write nothing, of SPIR-V; on AMD's processors, "+
			"beyond LDS")
	set.IntVar(&g.FilterBits, "filter-bits", 0,
		"weights between texels of images have `BITS` of fraction, as hardware's have 8; 0: all")
	set.BoolVar(&g.Contract, "contract", false,
		"a product that is only added is not rounded by itself, of SPIR-V")
	set.Func("spec", "a specialisation constant, as `ID=TYPE:VALUE`", func(text string) error {
		c, err := ParseConstant(text)
		g.Constants = append(g.Constants, c)
		return err
	})
	set.Func("push", "the next push constant, as `TYPE:VALUE`, or one by its name, as NAME=VALUES, or all "+
		"of them, as file:NAME",
		func(text string) error {
			if name, rest, ok := strings.Cut(text, "="); ok && !strings.Contains(name, ":") {
				typ, literal, typed := strings.Cut(rest, ":")
				if !typed {
					typ, literal = "", rest
				}
				return g.namePush(name, typ, literal)
			}
			typ, literal, typed := strings.Cut(text, ":")
			if !typed {
				return fmt.Errorf("want TYPE:VALUE, as u32:1, or NAME=VALUE")
			}
			if typ == "file" {
				g.PushFile = hostFile(literal)
				return nil
			}
			return g.addPush(typ, literal, fmt.Errorf)
		})
	set.Func("binding", "a buffer, as `SET.BINDING=[KIND:]TYPE[COUNT]=INIT`, "+
		"or with a name in the place of the numbers; KIND is "+bindingKinds+
		"; an image is image:FORMAT[16x16][:linear][:repeat]=INIT",
		func(text string) error {
			b, err := ParseBinding(text)
			g.Bindings = append(g.Bindings, b)
			return err
		})
	set.Func("visa-tables", "debug tables of Intel's vISA for the program, in `FILE`",
		func(text string) error {
			g.VisaTables = append(g.VisaTables, hostFile(text))
			return nil
		})
}

// setShader makes the flags override the launch file.
func (f *Flags) setShader(s *Spec) {
	g := &f.shader
	if g.Groups.Given() {
		s.Groups, s.Grid = g.Groups, f.grid
	}
	if g.Cluster.Given() {
		s.Cluster = g.Cluster
	}
	if g.Subgroup != 0 {
		s.Subgroup = g.Subgroup
	}
	s.Robust, s.Contract = s.Robust || g.Robust, s.Contract || g.Contract
	if g.FilterBits != 0 {
		s.FilterBits = g.FilterBits
	}
	if g.Constants != nil {
		s.Constants = g.Constants
	}
	if g.Push != nil || g.PushNamed != nil || g.PushFile.Path != "" {
		s.Push, s.PushNamed, s.PushFile = g.Push, slices.Clone(g.PushNamed), g.PushFile
	}
	if g.Bindings != nil {
		s.Bindings = g.Bindings
	}
	if g.VisaTables != nil {
		s.VisaTables = g.VisaTables
	}
}

// base is the launch file's launch, or the given one.
func (f *Flags) base(launch *Spec) (*Spec, error) {
	switch {
	case f.demo && f.launch != "":
		return nil, fmt.Errorf("--demo and --launch exclude each other")
	case f.demo:
		return ReadSpec(File{Path: f.DemoLaunch, FS: f.Demo})
	case f.launch != "":
		return ReadSpec(hostFile(f.launch))
	}
	s := *launch
	s.Args, s.Bindings = slices.Clone(s.Args), slices.Clone(s.Bindings)
	return &s, nil
}

func (f *Flags) setCodeObject(s *Spec, args []string) error {
	switch {
	case len(args) > 1:
		return fmt.Errorf("one code object is enough, there are %d: %s", len(args), strings.Join(args, " "))
	case len(args) == 1 && strings.HasSuffix(args[0], ".json"):
		return fmt.Errorf("%s looks like a launch file, not like a code object: give it with --launch",
			args[0])
	case len(args) == 1 && f.codeObject != "" && args[0] != f.codeObject:
		return fmt.Errorf("two code objects: %s and --code-object %s", args[0], f.codeObject)
	case len(args) == 1:
		s.CodeObject = hostFile(args[0])
	case f.codeObject != "":
		s.CodeObject = hostFile(f.codeObject)
	}
	return nil
}

// setResults adds what --out, --expect and --print say of buffers.
func (f *Flags) setResults(s *Spec) {
	s.results = slices.Clone(s.results)
	for _, o := range f.outs {
		s.results = append(s.results, result{flag: "--out", key: o.key, out: &File{Path: o.file}})
	}
	for _, e := range f.expects {
		s.results = append(s.results, result{flag: "--expect", key: e.key, expect: &e.expect})
	}
	s.results = append(s.results, f.prints...)
}
