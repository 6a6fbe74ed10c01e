package stub

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/unwind"
)

// A monitorCommand is one command of gdb's `monitor`.
type monitorCommand struct {
	name, args, help string
	run              func(s *Session, args []string, out io.Writer) error
}

var monitorCommands []monitorCommand

func init() { // a variable of its own would refer to itself by way of help
	monitorCommands = []monitorCommand{
		{"help", "", "list these commands", (*Session).monitorHelp},
		{"info", "", "the kernel, its grid, and how far it has come", (*Session).monitorInfo},
		{"waves", "", "each resident wave: where it stands, and which lanes are active",
			(*Session).monitorWaves},
		{"frame", "[THREAD]", "the frames of a lane: who found them, and where the registers of each are",
			(*Session).monitorFrame},
		{"location", "[--frame N] [NAME...]",
			"what the compiler says where variables are, at this pc, and what that comes to in the lane",
			(*Session).monitorLocation},
		{"unwind", "[--frame N]", "the rules by which the caller of a frame is found",
			(*Session).monitorUnwind},
		{"lanes", "[all [dispatch]|print[/x] [--frame N] [wave|workgroup|dispatch] EXPR]",
			"where the lanes of the current wave stand, each of them, or what an expression of C is in all",
			(*Session).monitorLanes},
		{"map", "[svg]",
			"a letter for each lane of all waves: where it stands, and whether it is on; or a picture",
			(*Session).monitorMap},
		{"image", "[NAME [LEVEL [LAYER [SLICE]]] [at X [Y]] [FILE.png]]|POINTER WIDTHxHEIGHT",
			"the images of the launch; what one is, and its texels; one texel; a picture; a buffer as an " +
				"image",
			(*Session).monitorImage},
		{"set", "[--frame N] OBJECT = EXPR",
			"assign to an object in memory, pointers of four bytes in structures too", (*Session).monitorSet},
		{"allocations", "", "the regions of global memory", (*Session).monitorAllocations},
		{"lds", "[OFFSET [DWORDS]]", "LDS of the current workgroup, as numbers and as floats",
			(*Session).monitorLDS},
		{"scratch", "[OFFSET [DWORDS]]", "private memory of the current lane, likewise",
			(*Session).monitorScratch},
		{"disasm", "[ADDRESS [COUNT]]",
			"GPU instructions from an address on, else from the current lane's pc",
			(*Session).monitorDisasm},
		{"registers", "NAME...", "registers in each frame of the lane: s34, v41, a0, exec and so on",
			(*Session).monitorRegisters},
		{"printf", "[on|off|prefix on|off|break on|off|show [N]]",
			"what the kernel prints: show it, with its lane, stop there, show the last N texts",
			(*Session).monitorPrintf},
		{"time", "", "how many instructions all waves have executed, and the times that can be gone to",
			(*Session).monitorTime},
		{"goto", "begin|end|TIME|-COUNT|checkpoint N",
			"go to a time, or back by a number of instructions of all waves", (*Session).monitorGoto},
		{"back", "[COUNT|line|off]",
			"in non-stop mode: have continue -a go back as reverse-continue, reverse-stepi COUNT or " +
				"reverse-step do",
			(*Session).monitorBack},
		{"history", "", "how much memory the history takes", (*Session).monitorHistory},
		{"checkpoint", "[list|delete N]", "keep the time, to go back to it; the times that are kept",
			(*Session).monitorCheckpoint},
		{"check", "[show|KINDS]", "look for defects: all, race, uninit and so on; show those found",
			(*Session).monitorCheck},
		{"thread", "ID COMMAND...",
			"a command as if that thread were selected: gdb does not say which one is",
			(*Session).monitorThread},
		{"list", "all|active|wave N|workgroup N", "which lanes gdb lists as threads", (*Session).monitorList},
	}
}

// Monitor implements rsp.Monitor.
func (s *Session) Monitor(_ context.Context, command string, out io.Writer) error {
	words := strings.Fields(command)
	if len(words) == 0 {
		words = []string{"help"}
	}
	s.nonStop.showTexts(out)
	for _, c := range monitorCommands {
		if c.name == words[0] {
			return c.run(s, words[1:], out)
		}
	}
	return rsp.EINVAL.Errorf("no monitor command %q; try monitor help", words[0])
}

// monitorThread executes a command for a lane that it names. gdb sends the others without saying which thread
// is selected, and reads nothing of a thread that it has looked at before: scripts know.
func (s *Session) monitorThread(args []string, out io.Writer) error {
	const usage = "monitor thread ID COMMAND..."
	if len(args) < 2 || args[1] == "thread" {
		return rsp.EINVAL.Errorf(usage)
	}
	n, err := strconv.ParseInt(args[0], 10, 32)
	if err != nil || n <= 0 {
		return rsp.EINVAL.Errorf(usage)
	}
	if _, _, err := s.view.Find(rsp.ThreadID(n)); err != nil {
		return err
	}
	s.view.named = rsp.ThreadID(n)
	defer func() { s.view.named = rsp.AnyThread }()
	return s.Monitor(context.Background(), strings.Join(args[1:], " "), out)
}

func (s *Session) monitorHelp(_ []string, out io.Writer) error {
	const width = 44 // of a command; a wider one has a line of its own
	for _, c := range monitorCommands {
		usage := strings.TrimSpace("monitor " + c.name + " " + c.args)
		if len(usage) > width {
			fmt.Fprintln(out, usage)
			usage = ""
		}
		fmt.Fprintf(out, "%-*s %s\n", width, usage, c.help)
	}
	return nil
}

func (s *Session) monitorInfo(_ []string, out io.Writer) error {
	d := s.machine.Dispatch
	st := s.machine.Stats()
	fmt.Fprintf(out, "kernel %s for %s\n", printable.Name(s.prog.Kernel.Name), s.prog.Module.Target.Name)
	fmt.Fprintf(out, "grid %d x %d x %d work-items in workgroups of %d x %d x %d\n",
		d.Grid[0], d.Grid[1], d.Grid[2], d.Block[0], d.Block[1], d.Block[2])
	fmt.Fprintf(out, "%d waves started, %d resident; %d wave instructions, %d lane instructions\n",
		st.Waves, len(s.machine.Waves()), st.Insts, st.LaneInsts)
	for _, c := range s.symbols.Complaints {
		fmt.Fprintf(out, "debug information: %v\n", c)
	}
	return nil
}

func (s *Session) monitorWaves(_ []string, out io.Writer) error {
	for _, w := range s.machine.Waves() {
		g := w.Group.ID
		fmt.Fprintf(out, "wave %d workgroup (%d,%d,%d) %v pc %#x exec %016x (%d of %d lanes)\n", w.ID, g[0],
			g[1], g[2],
			w.State, w.PC, w.Active(), bits.OnesCount64(w.Active()), bits.OnesCount64(w.Valid))
	}
	return nil
}

func (s *Session) monitorList(args []string, out io.Writer) error {
	if err := s.List(args); err != nil {
		return err
	}
	listed := "those lanes and the current one"
	if s.view.filter == nil {
		listed = "every lane"
	}
	fmt.Fprintf(out, "gdb will list %s from its next look at the threads on.\n", listed)
	return nil
}

// List says which lanes gdb is told of, in the words of monitor list.
func (s *Session) List(words []string) error {
	filter, err := parseFilter(words)
	if err == nil {
		s.view.filter = filter
	}
	return err
}

// parseFilter reads the words of monitor list; nil are all lanes.
func parseFilter(words []string) (func(w *simt.Wave, lane int) bool, error) {
	n := -1
	if len(words) == 2 {
		if v, err := strconv.ParseUint(words[1], 10, 31); err == nil {
			n = int(v)
		}
	}
	switch {
	case len(words) == 1 && words[0] == "all":
		return nil, nil
	case len(words) == 1 && words[0] == "active":
		return func(w *simt.Wave, lane int) bool { return w.Active()>>lane&1 != 0 }, nil
	case n >= 0 && words[0] == "wave":
		return func(w *simt.Wave, _ int) bool { return w.ID == n }, nil
	case n >= 0 && words[0] == "workgroup":
		return func(w *simt.Wave, _ int) bool { return w.Group.Index == n }, nil
	}
	return nil, rsp.EINVAL.Errorf("monitor list all|active|wave N|workgroup N")
}

func (s *Session) monitorFrame(args []string, out io.Writer) error {
	t := s.view.current()
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil || len(args) > 1 {
			return rsp.EINVAL.Errorf("monitor frame [THREAD]")
		}
		t = rsp.ThreadID(n)
	}
	w, lane, err := s.view.lane(t)
	if err != nil {
		return err
	}
	u := s.frames.Unwind(w, lane)
	for _, f := range u.All {
		by := "the lane's own state"
		if f.Provider != "" {
			by = "unwound by " + f.Provider
		}
		fmt.Fprintf(out, "#%d %#x in %s: %s\n", f.Level, f.PC, s.describeScope(f.Scope()), by)
		if f.Failed != nil {
			fmt.Fprintf(out, "     after %v\n", f.Failed)
		}
		if d, ok := f.Registers.(unwind.Describer); ok {
			for _, line := range d.Saved() {
				fmt.Fprintf(out, "     %s\n", line)
			}
		}
	}
	if u.Failed != nil {
		fmt.Fprintf(out, "nobody knows the next frame: %v\n", u.Failed)
	}
	return nil
}

// maxDisasm bounds how many instructions one command prints.
const maxDisasm = 4096

func (s *Session) monitorDisasm(args []string, out io.Writer) error {
	usage := rsp.EINVAL.Errorf("monitor disasm [ADDRESS [COUNT]]")
	w, lane, err := s.view.lane(s.view.current())
	if err != nil {
		return err
	}
	pc, count := w.LanePC(lane), uint64(10)
	if len(args) > 0 {
		if pc, err = s.codeAddress(args[0], pc); err != nil {
			return err
		}
	}
	if len(args) > 1 {
		if count, err = strconv.ParseUint(args[1], 0, 64); err != nil {
			return usage
		}
	}
	if len(args) > 2 || count > maxDisasm {
		return usage
	}
	for range count {
		if s.machine.CodeAt(pc) == nil {
			return rsp.EFAULT.Errorf("no code at %#x", pc)
		}
		in, err := s.machine.InstAt(pc)
		if err != nil {
			return err
		}
		mark := "  "
		if pc == w.LanePC(lane) {
			mark = "=>"
		}
		fmt.Fprintf(out, "%s %#x:\t%d\t%v\n", mark, pc, in.Size, strings.TrimRight(in.Text, " "))
		pc += uint64(in.Size)
	}
	return nil
}

// codeAddress reads an address of code: a number, the pc by its name in gdb, which
// passes the text of monitor commands on as it is, or a function.
func (s *Session) codeAddress(arg string, pc uint64) (uint64, error) {
	for _, r := range s.registers {
		if name := strings.TrimPrefix(arg, "$"); name == "pc" || r.role == facade.PC && name == r.name {
			return pc, nil
		}
	}
	if addr, err := strconv.ParseUint(arg, 0, 64); err == nil {
		return addr, nil
	}
	for _, sym := range s.prog.Module.Symbols {
		name, _, _ := s.prog.Source.Function(sym.Addr)
		if sym.Kind == loader.SymbolFunc && (sym.Name == arg || name == arg) {
			return sym.Addr, nil
		}
	}
	return 0, rsp.EINVAL.Errorf(
		"%q is no address and no function; gdb passes on what is written: a number, $pc, or a name", arg)
}

// describeScope names the function and the line of an address.
func (s *Session) describeScope(pc uint64) string {
	name, _, ok := s.prog.Source.Function(pc)
	if !ok {
		return "no known function"
	}
	if p, ok := s.prog.Source.At(pc); ok {
		return fmt.Sprintf("%s (%v)", name, p)
	}
	return name
}
