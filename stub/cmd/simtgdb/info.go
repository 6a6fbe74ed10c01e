package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"simtgdb/dwarf"
	"simtgdb/dwarf/cfi"
	"simtgdb/dwarf/visa"
	"simtgdb/loader"
	"simtgdb/loader/amdgpu"
	"simtgdb/loader/printable"
	"simtgdb/stub/arch"
	"simtgdb/stub/launch"
	"simtgdb/stub/source"
)

// infoCommand prints what is in a file.
func infoCommand(args []string, std stdio) int {
	set := newFlags("info")
	target := set.String("target", "", "which `TARGET` of an offload bundle to take, as gfx90a")
	template := set.Bool("launch-template", false, "print a launch file for the kernel, to be filled in")
	kernel := set.String("kernel", "",
		"with --launch-template: the kernel's `NAME`; needed if there are several")
	processor := set.String("instructions", "",
		"print the instructions of a `PROCESSOR`, as gfx90a; no FILE is needed")
	rest, status, done := parse(set, args, std)
	if done {
		return status
	}
	var err error
	switch {
	case *processor != "" && (len(rest) > 0 || *template):
		err = errors.New("--instructions stands alone")
	case *processor != "":
		err = printInstructions(std.out, *processor)
	case *template:
		err = printTemplate(rest, *target, *kernel, std)
	case *kernel != "":
		err = errors.New("--kernel is for --launch-template")
	default:
		err = info(rest, *target, std)
	}
	if err != nil {
		return fail(std, "info", err)
	}
	return statusDone
}

// printInstructions lists what the machine knows of a processor's instructions.
func printInstructions(w io.Writer, processor string) error {
	f, err := arch.OfProcessor(processor)
	if err != nil {
		return err
	}
	l, ok := f.(arch.Lister)
	if !ok {
		return fmt.Errorf("%s has no list of instructions", f.Name())
	}
	list, err := l.Instructions(processor)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	width := 0
	for _, in := range list {
		width = max(width, len(in.Group))
	}
	for _, in := range list {
		note := ""
		if !in.Executes {
			note = " (only decodes)"
		}
		fmt.Fprintf(b, "%-*s %s%s\n", width, in.Group, in.Name, note)
	}
	return b.Flush()
}

// printTemplate prints a launch file for a kernel of a file.
func printTemplate(args []string, target, name string, std stdio) error {
	m, err := openOne(args, target, std.err)
	if err != nil {
		return err
	}
	if name == "" && len(m.Kernels) == 1 {
		name = m.Kernels[0].Name
	}
	src, err := source.New(m)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	k, err := src.Kernel(name)
	if err != nil {
		return fmt.Errorf("%s: %w; name one with --kernel", args[0], err)
	}
	_, err = io.WriteString(std.out, launch.Template(src, k, args[0]))
	return err
}

func info(args []string, target string, std stdio) error {
	if len(args) != 1 {
		return fmt.Errorf("want one FILE, not %d", len(args))
	}
	f, err := compiledFile(args[0], target, std.err)
	if err != nil {
		return err
	}
	w := std.out
	data, err := f.Read()
	if err != nil {
		return err
	}
	if len(data) >= 4 && binary.LittleEndian.Uint32(data) == visa.Magic {
		tables, err := visa.Parse(data)
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		return visa.Print(w, tables)
	}
	m, err := launch.OpenModuleData(data, target)
	if errors.Is(err, loader.ErrWrongMachine) {
		if sections, _ := visa.FromELF(data); len(sections) > 0 {
			return printVISA(w, sections)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f, err)
	}
	b := bufio.NewWriter(w)
	p := infoPrinter{b}
	p.module(args[0], m)
	p.debugInfo(m)
	p.frameInfo(m)
	src, _ := source.New(m)
	for i := range m.Kernels {
		p.kernel(m, &m.Kernels[i], src)
	}
	return b.Flush()
}

func printVISA(w io.Writer, sections []visa.Section) error {
	for _, s := range sections {
		fmt.Fprintf(w, "section %s\n", s.Name)
		if err := visa.Print(w, s.File); err != nil {
			return err
		}
	}
	return nil
}

// An infoPrinter prints parts of a module, each line with a label.
type infoPrinter struct{ w *bufio.Writer }

func (p infoPrinter) line(label, format string, args ...any) {
	fmt.Fprintf(p.w, "  %-13s %s\n", label, printable.Line(fmt.Sprintf(format, args...)))
}

func (p infoPrinter) module(name string, m *loader.Module) {
	fmt.Fprintf(p.w, "%s: %s\n", name, m.Format)
	can := "can be simulated"
	_, portable := arch.Of(m).(arch.Portable)
	if processors := arch.Of(m).Processors(); !portable && !slices.Contains(processors, m.Target.Name) {
		can = "cannot be simulated; these can: " + strings.Join(processors, ", ")
	}
	version := ""
	if own := amdgpu.Of(m); own != nil && own.Pipeline == nil {
		version = fmt.Sprintf(", code object version %d", own.Target.CodeObjectVersion)
	}
	p.line("target", "%v%s (%s)", m.Target, version, can)
	if m.BundleID != "" {
		p.line("bundle entry", "%s", shown(m.BundleID))
	}
	for _, s := range m.Segments {
		p.line("segment", "%#x to %#x %s %s", s.Addr, s.Addr+s.MemSize, access(&s), shown(s.Name))
	}
	counts := map[loader.SymbolKind]int{}
	for _, s := range m.Symbols {
		counts[s.Kind]++
	}
	p.line("symbols", "%d, of them %d functions and %d objects", len(m.Symbols), counts[loader.SymbolFunc],
		counts[loader.SymbolObject])
	p.line("relocations", "%d", len(m.Relocs))
	p.amdgpuModule(m)
	p.spirvModule(m)
	for _, warning := range m.Warnings {
		p.line("warning", "%s", warning)
	}
}

func access(s *loader.Segment) string {
	b := []byte("---")
	for i, has := range [...]bool{s.Read, s.Write, s.Exec} {
		if has {
			b[i] = "rwx"[i]
		}
	}
	return string(b)
}

// debugInfo prints which units there are and how many rows their line tables
// have.
func (p infoPrinter) debugInfo(m *loader.Module) {
	d, err := source.Data(m)
	switch {
	case err != nil:
		p.line("debug info", "%v", err)
		return
	case d == nil:
		p.line("debug info", "none (compile with -g)")
		return
	}
	p.line("debug info", "%s", plural(len(d.Units()), "unit"))
	for _, u := range d.Units() {
		p.line("unit", "%s, DWARF %d, %s, by %s", orUnknown(shown(u.Name())), u.Version, language(u),
			orUnknown(shown(u.Producer())))
		t, err := u.Lines()
		if t != nil {
			p.line("line table", "%s of %s", plural(len(t.Rows), "row"), plural(len(t.Files), "file"))
		}
		if err != nil {
			p.line("line table", "%v", err)
		}
		for _, c := range u.Complaints() {
			p.line("complaint", "%v", c)
		}
	}
	for _, c := range d.Complaints() {
		p.line("complaint", "%v", c)
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "(unknown)"
	}
	return s
}

func language(u *dwarf.Unit) string {
	if name, ok := dwarf.CodeName(dwarf.AttrLanguage, u.Language()); ok {
		return strings.TrimPrefix(name, "DW_LANG_")
	}
	return fmt.Sprintf("language %#x", u.Language())
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		what = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// shown is a name out of the file as it is printed.
func shown(name string) string { return printable.Name(name) }

// frameInfo prints whether there is call frame information that says anything.
func (p infoPrinter) frameInfo(m *loader.Module) {
	for _, name := range []string{".debug_frame", ".eh_frame"} {
		b, err := m.Section(name)
		if err != nil {
			continue
		}
		t, err := cfi.Parse(b, cfi.Options{EH: name == ".eh_frame", Arch: cfi.AMDGPU})
		if err != nil {
			p.line(name, "%v", err)
			continue
		}
		functions, ruled := 0, 0
		for _, e := range t.Entries {
			if e.FDE == nil {
				continue
			}
			functions++
			if hasRules(e.FDE) {
				ruled++
			}
		}
		p.line(name, "%s, %d with rules", plural(functions, "function"), ruled)
	}
}

// hasRules reports whether call frame information leads to a frame anywhere in
// its function.
func hasRules(f *cfi.FDE) bool {
	rows, _ := f.Rows()
	return slices.ContainsFunc(rows, func(r cfi.Row) bool { return r.CFA.Kind != cfi.NoCFA })
}

func (p infoPrinter) kernel(m *loader.Module, k *loader.Kernel, src *source.Map) {
	fmt.Fprintf(p.w, "\nkernel %s\n", shown(k.Name))
	plain, _, _ := src.Function(k.Entry)
	if full := src.FullName(k.Entry); full != "" && full != plain {
		p.line("in the source", "%s", shown(full))
	}
	if k.Language != "" {
		p.line("language", "%s %d.%d", shown(k.Language), k.LanguageVersion[0], k.LanguageVersion[1])
	}
	p.line("code", "%s", src.Describe(k.Entry))
	p.line("workgroup", "%s", workgroupLimits(k))
	if k.WavefrontSize > 0 {
		p.line("wave", "%d lanes", k.WavefrontSize)
	} else {
		p.line("wave", "as many lanes as the launch says")
	}
	if own := amdgpu.KernelOf(k); own != nil {
		p.registers(own)
		p.userData(own)
	}
	p.line("LDS", "%d bytes for a workgroup", k.LDSSize)
	more := ""
	if k.DynamicStack {
		more = ", and more for calls"
	}
	p.line("private", "%d bytes for a lane%s", k.PrivateSize, more)
	switch own := amdgpu.KernelOf(k); {
	case own != nil && own.UserData != nil: // its arguments
		return
	case k.UndeclaredArgs:
		p.line("arguments", "%d bytes; the file has no metadata that describes them", k.ArgSize)
		return
	}
	p.line("arguments", "%d bytes, aligned to %d", k.ArgSize, k.ArgAlign)
	p.arguments(k, src.Parameters(k.Entry))
}

// registers prints those that the compiler counted and those that are allocated.
func (p infoPrinter) registers(k *amdgpu.Kernel) {
	d := &k.Descriptor
	are := ""
	if d.ArchVGPRs < d.TotalVGPRs {
		are = "of them " // compilers count a file that both share once
	}
	p.line("registers", "used: %d SGPRs, %d VGPRs, %s%d AGPRs; allocated: %d SGPRs, %d VGPRs, %d AGPRs",
		k.SGPRs, k.VGPRs, are, k.AGPRs, d.SGPRs, d.ArchVGPRs, d.AccVGPRs)
	if k.SGPRSpills+k.VGPRSpills > 0 {
		p.line("spills", "%d SGPRs, %d VGPRs", k.SGPRSpills, k.VGPRSpills)
	}
}

func workgroupLimits(k *loader.Kernel) string {
	s := "of any size"
	if k.MaxFlatWorkgroupSize > 0 {
		s = fmt.Sprintf("at most %d work-items", k.MaxFlatWorkgroupSize)
	} else if launch.Dims(k.ReqdWorkgroupSize).Given() {
		return fmt.Sprintf("required %v", launch.Dims(k.ReqdWorkgroupSize))
	}
	if r := launch.Dims(k.ReqdWorkgroupSize); r.Given() {
		s += fmt.Sprintf(", required %v", r)
	}
	if h := launch.Dims(k.WorkgroupSizeHint); h.Given() {
		s += fmt.Sprintf(", hint %v", h)
	}
	if own := amdgpu.KernelOf(k); own != nil && own.UniformWorkgroupSize {
		s += ", the grid must be a multiple"
	}
	return s
}

// arguments prints a table. names are those of the debugging information, for
// arguments whose name the metadata does not have.
func (p infoPrinter) arguments(k *loader.Kernel, names []string) {
	var text bytes.Buffer
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "    \toffset\tsize\tkind\tname and type\n")
	n := 0
	explicit := len(k.ExplicitArgs())
	for _, a := range k.Args {
		number, name := "", a.Name
		if !a.Hidden {
			if name == "" && len(names) == explicit {
				name = names[n]
			}
			number = fmt.Sprint(n)
			n++
		}
		fmt.Fprintf(t, "    %s\t%d\t%d\t%s\t%s\n", number, a.Offset, a.Size, shown(string(a.Kind)),
			strings.TrimSpace(shown(name)+" "+shown(a.TypeName)))
	}
	t.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(p.w, strings.TrimRight(line, " \n"))
	}
}
