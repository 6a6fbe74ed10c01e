package stub

import (
	"fmt"
	"io"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/expr"
	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/frames"
	"simtgdb/stub/laneexpr"
	"simtgdb/stub/names"
	"simtgdb/stub/symfile"
	"simtgdb/stub/unwind"
)

// What the compiler has written of a frame: the locations of its variables, and the rules by which its caller
// is found. gdb itself shows what the symbol file has in their place.

// An explainer is a provider of frames that can say which of its rules hold for a frame.
type explainer interface {
	Explain(f *unwind.Frame, register func(number uint64) string) ([]string, error)
}

// monitorLocation shows the locations of variables of a frame of the current lane: those named, or all that
// its scopes have.
func (s *Session) monitorLocation(args []string, out io.Writer) error {
	env, named, err := s.frameFor(args)
	if err != nil {
		return err
	}
	if env.Unit() == nil {
		return rsp.EINVAL.Errorf("%s has no debug information here", s.describeScope(env.Frame.Scope()))
	}
	p := locationPrinter{session: s, env: env, out: out}
	if len(named) == 0 {
		instances := map[*dwarf.DIE]bool{} // of entries that have an instance, which was shown
		for b := range names.Blocks(env.Unit(), env.Scopes) {
			for d := range b.Variables() {
				if !instances[d] {
					p.print(d)
				}
				if origin := d.Ref(dwarf.AttrAbstractOrigin); origin != nil {
					instances[origin] = true
				}
			}
		}
		if !p.any {
			fmt.Fprintln(out, "The function has no variables here.")
		}
	}
	for _, name := range named {
		d := env.Declared(name)
		if d == nil {
			return rsp.EINVAL.Errorf("no variable %s here", name)
		}
		p.print(d)
	}
	return nil
}

// frameFor takes --frame N from the beginning of a command: the frame that it is about, and the rest.
func (s *Session) frameFor(args []string) (*laneexpr.Env, []string, error) {
	level, rest, err := cutFrame(args)
	if err != nil {
		return nil, nil, err
	}
	w, lane, err := s.view.lane(s.view.current())
	if err != nil {
		return nil, nil, err
	}
	env := s.laneEnv(w, lane, level)
	if env.Frame == nil {
		return nil, nil, rsp.EINVAL.Errorf("the lane has no frame %d", level)
	}
	return env, rest, nil
}

// A locationPrinter shows where variables of one frame are.
type locationPrinter struct {
	session *Session
	env     *laneexpr.Env
	out     io.Writer
	any     bool
}

func (p *locationPrinter) line(title, text string) { fmt.Fprintf(p.out, "  %-11s %s\n", title, text) }

// print shows one variable: what the compiler has written of it, and what that comes to in the lane.
func (p *locationPrinter) print(d *dwarf.DIE) {
	p.any = true
	e, s := p.env, p.session
	pc := e.Frame.Scope()
	fmt.Fprintf(p.out, "%s, at %#x in %s\n", d.Name(), e.Frame.PC, s.describeScope(pc))
	if v, ok := d.Int(dwarf.AttrConstValue); ok {
		p.line("constant", fmt.Sprint(v))
		return
	}
	if addr, ok := s.symbols.InPrologue(d, pc); ok {
		p.line("now", fmt.Sprintf("argument of the launch, at %#x: the kernel has not stored it yet", addr))
		return
	}
	location, found := s.symbols.Lost[d], true
	if location != nil {
		p.line("expression", p.spell(d.Unit, location)+" (found without the compiler's)")
	} else {
		location, found = p.written(d, pc)
	}
	if !found {
		p.line("now", "nowhere: optimized out here")
		return
	}
	slot := s.frames.SlotOf(d, location)
	if base, err := s.frames.Arch.FrameBase(e.Frame, slot.FrameBase); err == nil && usesFrameBase(location) {
		p.line("frame base", p.spell(d.Unit, base))
	}
	loc, _, err := s.frames.Locate(e.Frame, slot)
	if err != nil {
		p.line("now", fmt.Sprintf("nowhere: %v", err))
		return
	}
	p.line("now", p.place(loc))
}

// written shows the expression of a variable, which entry of a list it is, and the stretch of code that it is
// for.
func (p *locationPrinter) written(d *dwarf.DIE, pc uint64) (location []byte, ok bool) {
	at, has := d.Attr(dwarf.AttrLocation)
	if !has {
		p.line("expression", "none")
		return nil, false
	}
	locs, err := symfile.Locations(p.session.frames.Arch, d, at)
	if err != nil {
		p.line("expression", err.Error())
		return nil, false
	}
	var elsewhere []string
	for i, l := range locs {
		if !l.Default && (pc < l.Low || pc >= l.High) {
			elsewhere = append(elsewhere, fmt.Sprintf("%#x to %#x", l.Low, l.High))
			continue
		}
		p.line("expression", p.spell(d.Unit, l.Expr))
		if !l.Default {
			p.line("valid", fmt.Sprintf("%#x to %#x, entry %d of %d", l.Low, l.High, i+1, len(locs)))
		}
		return l.Expr, len(l.Expr) > 0
	}
	const most = 4
	if n := len(elsewhere); n > most {
		elsewhere = append(elsewhere[:most], fmt.Sprintf("and %d more", n-most))
	}
	p.line("expression", "none here; there are some for "+strings.Join(elsewhere, ", "))
	return nil, false
}

func (p *locationPrinter) spell(u *dwarf.Unit, code []byte) string {
	return p.session.spell(u, code, p.env.Frame.Registers)
}

// spell writes an expression with the names of the machine's registers.
func (s *Session) spell(u *dwarf.Unit, code []byte, r simt.Registers) string {
	printer := expr.Printer{
		Format:   expr.Format{AddressSize: int(u.AddrSize), DWARF64: u.Is64, Version: int(u.Version)},
		Encoding: s.frames.Arch.Options(u).Encoding,
		Register: s.numbered(r),
	}
	return printer.String(code)
}

// numbered names registers by their DWARF numbers.
func (s *Session) numbered(r simt.Registers) func(uint64) string {
	return func(number uint64) string {
		reg, ok := s.frames.Arch.Register(number)
		switch {
		case !ok, reg.Zero:
			return ""
		case reg.PC:
			return "pc"
		}
		return frames.RegisterName(r.Files(), reg.Reg)
	}
}

// usesFrameBase reports whether an expression counts from the frame's base (DW_OP_fbreg).
func usesFrameBase(code []byte) bool {
	const fbreg = 0x91
	return len(code) > 0 && code[0] == fbreg
}

// place says of a location what it is in the machine, and the address that gdb has for it.
func (p *locationPrinter) place(l expr.Location) string {
	fs, f := p.session.frames, p.env.Frame
	if number, bit, ok := l.Register(); ok {
		text := p.session.numbered(f.Registers)(number)
		if r, ok := fs.Arch.Register(number); ok && r.PerLane {
			lane := int(bit) / (8 * r.Bytes)
			text, bit = fmt.Sprintf("%s of lane %d", text, lane), bit%uint64(8*r.Bytes)
		}
		if bit != 0 {
			text += fmt.Sprintf(", from bit %d on", bit)
		}
		return "register " + text
	}
	a, ok := l.Address()
	if !ok {
		if parts := l.Parts(); len(parts) > 0 {
			return p.parts(parts)
		}
		return l.String()
	}
	at, err := fs.Arch.Place(f.Wave, f.Lane, a.Space, a.Address)
	if err != nil {
		return l.String()
	}
	text := fmt.Sprintf("%v %#x", at.Space, at.Addr)
	if at.Space == simt.Scratch {
		text += fmt.Sprintf(" of lane %d", at.Lane)
	}
	if addr, ok := fs.Visible(f, a); ok && at.Space != simt.Global {
		text += fmt.Sprintf(", for gdb %#x", addr)
	}
	return text
}

// parts says where the parts of an object are that is in several places.
func (p *locationPrinter) parts(parts []expr.Part) string {
	const most = 8
	var all []string
	for i, part := range parts {
		if i == most {
			all = append(all, fmt.Sprintf("and %d more", len(parts)-most))
			break
		}
		all = append(all, fmt.Sprintf("%d bits: %s", part.Bits, p.place(part.Location)))
	}
	return strings.Join(all, "; ")
}

// monitorUnwind shows by what a frame's caller is found: of each provider, in the order in which they are
// asked, what it has to say about the frame.
func (s *Session) monitorUnwind(args []string, out io.Writer) error {
	env, rest, err := s.frameFor(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return rsp.EINVAL.Errorf("monitor unwind [--frame N]")
	}
	f := env.Frame
	fmt.Fprintf(out, "frame at %#x in %s\n", f.PC, s.describeScope(f.Scope()))
	for _, p := range s.frames.Providers {
		fmt.Fprintf(out, "%s\n", p.Name())
		lines, err := []string{"says nothing of this code"}, error(nil)
		if e, ok := p.(explainer); ok {
			var said []string
			if said, err = e.Explain(f, s.numbered(f.Registers)); len(said) > 0 {
				lines = said
			}
		}
		for _, line := range lines {
			fmt.Fprintf(out, "  %s\n", line)
		}
		if err != nil {
			fmt.Fprintf(out, "  %v\n", err)
		}
	}
	all := s.frames.Of(f.Wave, f.Lane)
	if f.Level+1 < len(all) {
		next := all[f.Level+1]
		fmt.Fprintf(out, "caller at %#x in %s, by %s\n", next.PC, s.describeScope(next.Scope()),
			next.Provider)
	} else {
		fmt.Fprintln(out, "no caller: the kernel's frame")
	}
	return nil
}
