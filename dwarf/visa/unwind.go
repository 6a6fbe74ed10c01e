package visa

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Machine is a stopped hardware thread, as far as unwinding looks at it.
type Machine interface {
	// ReadGRF reads the general register file from a byte offset on.
	ReadGRF(offset uint32, p []byte) error
	// ReadScratch reads the thread's scratch memory from a byte address on.
	ReadScratch(address uint32, p []byte) error
}

// Errors that tell why there is no caller or no value.
var (
	// ErrOutermost means that the frame is the kernel's and has no caller.
	ErrOutermost = errors.New("the kernel has no caller")
	// ErrUndefined means that a register of an outer frame was not preserved.
	ErrUndefined = errors.New("the register was not preserved")
)

// UnwindError says in which frame unwinding failed.
type UnwindError struct {
	IP     uint64
	Object string // empty where the IP belongs to none
	Reason string
	Err    error // the Machine's error, or nil
}

func (e *UnwindError) Error() string {
	s := fmt.Sprintf("visa: ip %#x", e.IP)
	if e.Object != "" {
		s += " in " + e.Object
	}
	s += ": " + e.Reason
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *UnwindError) Unwrap() error { return e.Err }

// CodePlace says where the kernel's code is.
type CodePlace struct {
	KernelStart     uint64 // address of the kernel's first instruction
	InstructionBase uint64 // what 32-bit return addresses in registers count from
}

// Unwinder walks the frames of threads that run the code of one File. It keeps
// no state of a thread and may be shared.
type Unwinder struct {
	file    *File
	target  Target
	code    CodePlace
	objects map[*Object]*objectCode
}

// objectCode is what unwinding needs of an object beside its tables.
type objectCode struct {
	calleeSaves []blockList
	callerSaves []blockList
	subroutines []subroutineSpan
}

// NewUnwinder checks that the tables fit the target and prepares for unwinding.
func NewUnwinder(f *File, target Target, code CodePlace) (*Unwinder, error) {
	u := &Unwinder{file: f, target: target, code: code,
		objects: make(map[*Object]*objectCode, len(f.Objects))}
	scale := saveScale(f, target)
	for i := range f.Objects {
		o := &f.Objects[i]
		if err := u.checkObject(o); err != nil {
			return nil, err
		}
		spans, err := o.subroutineSpans()
		if err != nil {
			return nil, fmt.Errorf("visa: object %.100q: %w", o.Name, err)
		}
		u.objects[o] = &objectCode{
			calleeSaves: joinSaves(o.Frame.CalleeSaves, scale),
			callerSaves: joinSaves(o.Frame.CallerSaves, scale),
			subroutines: spans,
		}
	}
	return u, nil
}

func (u *Unwinder) checkObject(o *Object) error {
	for l := range o.Frame.saveLists() {
		if dwords := u.target.grfFileBytes() / 4; len(l.Saves) > int(dwords) {
			return fmt.Errorf("visa: object %.100q: %d saves at Gen offset %#x, but the register file has "+
				"%d dwords",
				o.Name, len(l.Saves), l.Gen, dwords)
		}
		for _, s := range l.Saves {
			if err := u.checkSave(s); err != nil {
				return fmt.Errorf("visa: object %.100q: save at Gen offset %#x: %w", o.Name, l.Gen, err)
			}
		}
	}
	if o.IsFunction() && (!o.Frame.BEFP.Valid || !o.Frame.CallerBEFP.Valid) {
		return fmt.Errorf("visa: object %.100q: a return address without BE_FP and the caller's BE_FP",
			o.Name)
	}
	if t := o.Frame.BEFP; t.Valid {
		if len(t.Live) == 0 {
			return fmt.Errorf("visa: object %.100q: BE_FP is valid but lives nowhere", o.Name)
		}
		for _, iv := range t.Live {
			if _, ok := u.descriptor(iv.Place); !ok {
				return fmt.Errorf("visa: object %.100q: BE_FP in %v: expected a general register with it "+
					"at byte %d",
					o.Name, iv.Place, fdBEFP)
			}
		}
	}
	return nil
}

func (u *Unwinder) checkSave(s Save) error {
	end := uint32(s.Offset) + uint32(s.Bytes)
	if s.To.Storage == General {
		end = max(end, u.grfOffset(s.To)+uint32(s.Bytes))
	}
	if end > u.target.grfFileBytes() {
		return fmt.Errorf("it ends at byte %d of the register file, but %s has %d", end, u.target.Name,
			u.target.grfFileBytes())
	}
	return nil
}

// descriptor gives the register file offset of the frame descriptor that a
// BE_FP is part of.
func (u *Unwinder) descriptor(befp Place) (uint32, bool) {
	offset := uint32(befp.Reg) * u.target.GRFBytes
	ok := befp.Storage == General && befp.SubReg == fdBEFP && befp.Reg > 0 &&
		offset+u.target.GRFBytes <= u.target.grfFileBytes()
	return offset, ok
}

// scratchHeader gives the register file offset of the header of scratch
// messages, which has the register next to the frame descriptor: the one
// behind it, or the one before where the descriptor is the last.
func (u *Unwinder) scratchHeader(fd uint32) uint32 {
	if next := fd + u.target.GRFBytes; next < u.target.grfFileBytes() {
		return next
	}
	return fd - u.target.GRFBytes
}

// Innermost makes the frame of a thread that is about to execute the
// instruction at ip.
func (u *Unwinder) Innermost(m Machine, ip uint64) (*Frame, error) {
	f := &Frame{IP: ip, unwinder: u, kept: true, regs: identityMap()}
	if err := f.find(ip); err != nil {
		return nil, err
	}
	t := f.Object.Frame.BEFP
	if !t.Valid {
		return f, nil
	}
	place, live := t.liveAt(f.site, u.target.RestoreLag)
	fd, _ := u.descriptor(t.Live[0].Place)
	switch _, sure := t.liveAt(f.site, 0); {
	case f.Subroutine != nil && !live:
		// Sub-routines follow the body in the code, outside of BE_FP's interval.
		place, f.entered = t.Live[0].Place, true
	case live && !sure:
		f.entered = !f.restored(m, fd)
	default:
		f.entered = live
	}
	var err error
	switch {
	case f.entered:
		f.BEFPValid = true
		f.BEFP, err = f.readPlace(m, place)
	case f.Object.IsFunction():
		// Before the prologue and after the epilogue the descriptor is the
		// caller's, whose BE_SP is where this frame begins.
		f.BEFPValid = true
		f.BEFP, err = f.readWord(m, fd+fdBESP)
	}
	if err != nil {
		return nil, f.fail("BE_FP", err)
	}
	return f, nil
}

// restored reports whether the frame descriptor at register file offset fd is
// the caller's again: the copy that the prologue made, at the caller's BE_SP, is
// the same. While the function's own BE_FP and BE_SP are in place, what is above
// its frame differs at least in the front-end frame pointer.
func (f *Frame) restored(m Machine, fd uint32) bool {
	var descriptor, copied [fdBytes]byte
	if f.ReadGRF(m, fd, descriptor[:]) != nil {
		return false
	}
	top := uint64(binary.LittleEndian.Uint32(descriptor[fdBESP:])) * uint64(f.unwinder.target.scratchUnit())
	return top <= 1<<32-fdBytes && m.ReadScratch(uint32(top), copied[:]) == nil && descriptor == copied
}

// find sets what the tables know of the code at an address.
func (f *Frame) find(site uint64) error {
	u := f.unwinder
	if site < u.code.KernelStart || site-u.code.KernelStart > 1<<32-1 {
		return f.fail(fmt.Sprintf("outside of the kernel's code at %#x", u.code.KernelStart), nil)
	}
	gen := uint32(site - u.code.KernelStart)
	o, ok := u.file.ObjectAt(gen)
	if !ok {
		return f.fail("no object has this code", nil)
	}
	f.Object, f.site = o, gen-o.RelocOffset
	f.index, f.indexed = o.VISAIndexAt(f.site)
	f.Subroutine = subroutineAt(u.objects[o].subroutines, f.site)
	return nil
}

// Caller makes the frame that called f. Its error is ErrOutermost for a kernel.
func (u *Unwinder) Caller(m Machine, f *Frame) (*Frame, error) {
	switch {
	case f.Subroutine != nil:
		return u.callerOfSubroutine(m, f)
	case f.Object.IsFunction():
		return u.callerOfFunction(m, f)
	default:
		return nil, ErrOutermost
	}
}

// Walk lists the frames of a thread, innermost first, at most limit of them.
// With an error it still gives the frames that it came to.
func (u *Unwinder) Walk(m Machine, ip uint64, limit int) ([]*Frame, error) {
	f, err := u.Innermost(m, ip)
	var frames []*Frame
	for err == nil && len(frames) < limit {
		frames = append(frames, f)
		f, err = u.Caller(m, f)
	}
	if errors.Is(err, ErrOutermost) {
		err = nil
	}
	return frames, err
}

// callerOfSubroutine unwinds a call inside an object. The registers of an object
// and its sub-routines are allocated together, so the caller's are where they were.
func (u *Unwinder) callerOfSubroutine(m Machine, f *Frame) (*Frame, error) {
	place, ok := f.returnPlace()
	if !ok {
		return nil, f.fail(fmt.Sprintf("the return address of sub-routine %.100q is nowhere at vISA index %d",
			f.Subroutine.Name, f.index), nil)
	}
	if f.nested >= len(f.Object.Subroutines) {
		return nil, f.fail(fmt.Sprintf("more than the %d sub-routines of the object call each other",
			len(f.Object.Subroutines)), nil)
	}
	ra, err := f.readPlace(m, place)
	if err != nil {
		return nil, f.fail("return address of sub-routine "+f.Subroutine.Name, err)
	}
	c, err := f.outer(ra)
	if err != nil {
		return nil, err
	}
	if c.Object != f.Object {
		return nil, f.fail(fmt.Sprintf("sub-routine %.100q returns to %#x, which is in %.100q",
			f.Subroutine.Name, c.IP, c.Object.Name), nil)
	}
	c.BEFP, c.BEFPValid, c.nested, c.kept, c.regs = f.BEFP, f.BEFPValid, f.nested+1, f.kept, f.regs
	return c, nil
}

// returnPlace finds where the return address of the frame's sub-routine is. It
// stays until the last instruction, which reads it.
func (f *Frame) returnPlace() (Place, bool) {
	t := Tracked{Live: f.Subroutine.ReturnAddress}
	if f.unwinder.file.Layout.GenSubroutines {
		return t.liveAt(f.site, 0)
	}
	// The index of an instruction that is not made from vISA says nothing.
	return t.liveAt(min(max(f.index, f.Subroutine.Start), f.Subroutine.End), 0)
}

// callerOfFunction unwinds a stack call.
func (u *Unwinder) callerOfFunction(m Machine, f *Frame) (*Frame, error) {
	ra, befp, err := f.callPlaces()
	if err != nil {
		return nil, err
	}
	ip, err := f.readPlace(m, ra)
	if err != nil {
		return nil, f.fail("return address", err)
	}
	callerBEFP, err := f.readPlace(m, befp)
	if err != nil {
		return nil, f.fail("caller's BE_FP", err)
	}
	c, err := f.outer(ip)
	if err != nil {
		return nil, err
	}
	// The stack grows up. Only a kernel can have a frame of no bytes.
	if callerBEFP > f.BEFP || callerBEFP == f.BEFP && c.Object.IsFunction() {
		return nil, f.fail(fmt.Sprintf("the caller's BE_FP %#x is not below this frame's %#x", callerBEFP,
			f.BEFP), nil)
	}
	c.BEFP, c.BEFPValid = callerBEFP, true
	if c.regs, err = u.callerRegisters(f, c); err != nil {
		return nil, err
	}
	return c, nil
}

// callPlaces finds where the return address and the caller's BE_FP of a
// function's frame are.
func (f *Frame) callPlaces() (ra, befp Place, err error) {
	info, lag := &f.Object.Frame, f.unwinder.target.RestoreLag
	befp = info.BEFP.Live[0].Place
	ra = Place{Storage: General, Reg: befp.Reg, SubReg: fdReturnIP}
	if !f.entered {
		return ra, befp, nil
	}
	ra, ok1 := info.ReturnAddress.liveAt(f.site, lag)
	befp, ok2 := info.CallerBEFP.liveAt(f.site, lag)
	if !ok1 || !ok2 {
		err = f.fail("the tables do not say where the return address and the caller's BE_FP are", nil)
	}
	return ra, befp, err
}

// CallerMask gives the call mask that was in force in the caller: the call
// left it behind the return address, and the return will restore it. Its error
// is ErrOutermost for a kernel.
func (f *Frame) CallerMask(m Machine) (uint32, error) {
	var ra Place
	switch {
	case f.Subroutine != nil:
		var ok bool
		if ra, ok = f.returnPlace(); !ok {
			return 0, f.fail("the return address of sub-routine "+f.Subroutine.Name+" is nowhere", nil)
		}
	case f.Object.IsFunction():
		var err error
		if ra, _, err = f.callPlaces(); err != nil {
			return 0, err
		}
	default:
		return 0, ErrOutermost
	}
	if ra.Storage == Memory {
		ra.Offset += fdCallMask
	} else {
		ra.SubReg += fdCallMask
	}
	return f.readPlace(m, ra)
}

// outer makes the frame that a 32-bit return address leads to, without its
// registers. The tables are looked up for the call and not for the instruction
// behind it, which may belong to something else.
func (f *Frame) outer(ra uint32) (*Frame, error) {
	u := f.unwinder
	c := &Frame{IP: u.code.InstructionBase + uint64(ra), unwinder: u, entered: true}
	if err := c.find(c.IP - 1); err != nil {
		return nil, f.fail(fmt.Sprintf("return address %#x", c.IP), err)
	}
	return c, nil
}

// callerRegisters says where the registers of c are, which called f.
func (u *Unwinder) callerRegisters(f, c *Frame) (regMap, error) {
	fd, _ := u.descriptor(f.Object.Frame.BEFP.Live[0].Place)
	regs := f.regs.with(0, u.target.firstCalleeSaved(), Location{})
	// The call itself overwrites the return address and the call mask, and every
	// scratch message its header.
	regs = regs.with(fd, fdBESP, Location{})
	regs = regs.with(u.scratchHeader(fd), u.target.GRFBytes, Location{})
	if f.entered {
		saved, err := u.descriptorCopy(f)
		if err != nil {
			return nil, err
		}
		regs = regs.with(fd+fdBESP, fdBytes-fdBESP, saved.plus(fdBESP))
	}
	regs, err := f.apply(regs, f.regs, blocksAt(u.objects[f.Object].calleeSaves, f.site))
	if err != nil {
		return nil, err
	}
	return c.apply(regs, regs, blocksAt(u.objects[c.Object].callerSaves, c.site))
}

// descriptorCopy finds the caller's frame descriptor, which the callee's
// prologue stored whole.
func (u *Unwinder) descriptorCopy(f *Frame) (Location, error) {
	place, ok := f.Object.Frame.CallerBEFP.liveAt(f.site, u.target.RestoreLag)
	if !ok || place.Storage != Memory {
		return Location{}, f.fail(fmt.Sprintf("the caller's BE_FP is in %v, expected scratch memory",
			place), nil)
	}
	place.Offset -= fdBEFP
	return f.scratch(place)
}

func (u *Unwinder) grfOffset(p Place) uint32 {
	return uint32(p.Reg)*u.target.GRFBytes + uint32(p.SubReg)
}
